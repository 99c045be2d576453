/* generate_outside.h - functions of several stages with calls of functions that the program does
   not hold: in values, conditions and bounds of sums, in nests and blocks, alone; of numbers and of
   pointers, with prototypes that say what they touch, with weaker ones, and without. What moves
   statements, or computes a value elsewhere, more often or less, has something to get wrong.

   needs     generate.h
   promises  a seed gives the same function always, in numbers that are exact. outside_answer does
             what the prototypes say. Calls that may do what nobody sees leave a trace of their
             number, their order and what they were given, and tick gives another value each time */
#ifndef IRL_GENERATE_OUTSIDE_H
#define IRL_GENERATE_OUTSIDE_H

enum { OUTSIDE_BUFFERS = 6, OUTSIDE_STAGES = 5 };

/* ------------------------------------------------------------------ who answers */

typedef struct outside_state {
    int32_t  ticks;
    uint64_t seen;
    int      count;
} outside_state;

static outside_state outside;

static inline void outside_begin(void) { memset(&outside, 0, sizeof outside); }
static inline uint64_t outside_seen(void) { return outside.seen; }

static void outside_see(const char *name, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (; *name && *name != '_'; name++) bits = bits * 31 + (uint64_t)(unsigned char)*name;
    outside.seen = (outside.seen ^ bits) * UINT64_C(0x100000001b3) + 1;
    outside.count++;
}

static double outside_get(const void *p, int64_t k, int is_float)
{
    return is_float ? (double)((const float *)p)[k] : (double)((const int32_t *)p)[k];
}

static void outside_set(void *p, int64_t k, int is_float, double value)
{
    if (is_float) ((float *)p)[k] = (float)value;
    else ((int32_t *)p)[k] = (int32_t)(uint32_t)(int64_t)value;
}

/* Small numbers of each value, so that floats stay exact. */
static double outside_small(double value, int is_float)
{
    if (is_float) return value > 64 ? 64 : value < -64 ? -64 : value;
    return (double)((int64_t)value % 1000);
}

static inline int outside_answer(void *user, const char *name, int count,
                                 const irl_extern_value *a, irl_extern_value *result)
{
    const int is_float = strstr(name, "_f32") != NULL;
    double    value[4] = { 0 }, gives = 0;
    int64_t   n, k;
    int       j;
    (void)user;
    for (j = 0; j < count && j < 4; j++) value[j] = is_float ? a[j].number : (double)a[j].integer;
    if (strncmp(name, "twice", 5) == 0)
        gives = outside_small(value[0] * 2 + (double)a[1].integer, is_float);
    else if (strncmp(name, "mix", 3) == 0)
        gives = outside_small(value[0], is_float) - outside_small(value[1], is_float);
    else if (strncmp(name, "note", 4) == 0) {
        outside_see(name, value[0]);
        gives = outside_small(value[0], is_float) + 1;
    } else if (strncmp(name, "tick", 4) == 0) {
        outside_see(name, 0);
        gives = outside.ticks++ % 7;
    } else if (strncmp(name, "peek", 4) == 0) {
        for (k = 0, n = a[1].integer; k < n; k++)
            gives += outside_small(outside_get(a[0].pointer, k, is_float), is_float);
    } else if (strncmp(name, "fill", 4) == 0) {
        for (k = 0, n = a[1].integer; k < n; k++)
            outside_set(a[0].pointer, k, is_float, outside_small(value[2], is_float) + (double)k);
        gives = 1;
    } else if (strncmp(name, "bump", 4) == 0) {
        for (k = 0, n = a[1].integer; k < n; k++)
            outside_set(a[0].pointer, k, is_float,
                        outside_small(outside_get(a[0].pointer, k, is_float), is_float) + 1);
        gives = 2;
    } else if (strncmp(name, "copy", 4) == 0) {
        memmove(a[1].pointer, a[0].pointer, (size_t)a[2].integer * 4);
        gives = 3;
    } else if (strncmp(name, "touch", 5) == 0) {
        for (k = 0, n = (int64_t)(a[0].bytes / 4); k < n; k++)
            outside_set(a[0].pointer, k, is_float,
                        outside_small(outside_get(a[0].pointer, k, is_float), is_float) + 2);
        outside_see(name, (double)n);
        gives = 4;
    } else return 0;
    result->number = gives;
    result->integer = (int64_t)gives;
    return 1;
}

/* ------------------------------------------------------------------ the text */

/* The functions that a prototype is drawn for, or none. */
typedef enum outside_kind {
    OUTSIDE_NOTE, OUTSIDE_TICK, OUTSIDE_PEEK, OUTSIDE_FILL, OUTSIDE_BUMP, OUTSIDE_COPY,
    OUTSIDE_TOUCH, OUTSIDE_KINDS
} outside_kind;

typedef struct outside_func {
    gen         g;
    const char *type;
    int         rank, n, m, cells; /* extents, m of the second axis */
    int         count, blocks;
    char        name[OUTSIDE_BUFFERS][8];
    int         is_known[OUTSIDE_BUFFERS]; /* may all of it be read? */
    int         declared[OUTSIDE_KINDS];
} outside_func;

static void outside_prototypes(outside_func *c)
{
    const char *t = c->type;
    const char *count = gen_chance(&c->g, 70) ? "(n)" : "";
    int         k;
    for (k = 0; k < OUTSIDE_KINDS; k++)
        c->declared[k] = gen_chance(&c->g, k == OUTSIDE_NOTE || k == OUTSIDE_TICK ? 50 : 75);
    gen_put(&c->g, "\n    extern twice_%s(a: %s, k: index): %s pure", t, t, t);
    gen_put(&c->g, "\n    extern mix_%s(a: %s, b: %s): %s pure", t, t, t, t);
    if (c->declared[OUTSIDE_NOTE]) gen_put(&c->g, "\n    extern note_%s(a: %s): %s", t, t, t);
    if (c->declared[OUTSIDE_TICK]) gen_put(&c->g, "\n    extern tick_%s(): %s", t, t);
    if (c->declared[OUTSIDE_PEEK])
        gen_put(&c->g, "\n    extern peek_%s(p: ptr(%s, global) reads%s, n: index): %s", t, t,
                count, t);
    if (c->declared[OUTSIDE_FILL])
        gen_put(&c->g, "\n    extern fill_%s(p: ptr(%s, global) writes(n), n: index, v: %s): %s", t,
                t, t, t);
    if (c->declared[OUTSIDE_BUMP])
        gen_put(&c->g, "\n    extern bump_%s(p: ptr(%s, global) reads%s writes(n), n: index): %s",
                t, t, count, t);
    if (c->declared[OUTSIDE_COPY])
        gen_put(&c->g, "\n    extern copy_%s(p: ptr(%s, global) reads(n), q: ptr(%s, global) "
                "writes(n), n: index): %s", t, t, t, t);
    if (c->declared[OUTSIDE_TOUCH])
        gen_put(&c->g, "\n    extern touch_%s(p: ptr(%s, global)): %s", t, t, t);
}

/* A buffer all of which is known. */
static const char *outside_known(outside_func *c)
{
    int k;
    do k = gen_chance(&c->g, 40) ? c->count - 1 : gen_below(&c->g, c->count);
    while (!c->is_known[k]);
    return c->name[k];
}

static int outside_some(outside_func *c)
{
    return gen_chance(&c->g, 60) ? c->cells : 1 + gen_below(&c->g, c->cells);
}

/* How many elements a call in a loop i touches: some, or as many as i says. */
static void outside_count(outside_func *c, const char *i)
{
    switch (*i ? gen_below(&c->g, 5) : 4) {
    case 0: gen_put(&c->g, "%s + 1", i); break;
    case 1: gen_put(&c->g, "%d - %s", c->n, i); break;
    case 2: gen_put(&c->g, "%s", i); break;
    default: gen_put(&c->g, "%d", outside_some(c));
    }
}

static void outside_at(outside_func *c, const char *name, const char *i, const char *j)
{
    gen_put(&c->g, c->rank == 1 ? "%s[%s]" : "%s[%s, %s]", name, i, j);
}

/* A call of what takes memory alone, in a loop i or outside of one. */
static void outside_memory_call(outside_func *c, const char *to, const char *i)
{
    const char *t = c->type;
    switch (gen_below(&c->g, 5)) {
    case 0:
        gen_put(&c->g, "extern(%s, fill_%s, %s, ", t, t, to);
        outside_count(c, i);
        gen_put(&c->g, ", %s(%d))", t, gen_below(&c->g, 5));
        break;
    case 1:
        gen_put(&c->g, "extern(%s, copy_%s, %s, %s, ", t, t, outside_known(c), to);
        outside_count(c, i);
        gen_put(&c->g, ")");
        break;
    case 2: gen_put(&c->g, "extern(%s, touch_%s, %s)", t, t, to); break;
    default:
        gen_put(&c->g, "extern(%s, bump_%s, %s, ", t, t, to);
        outside_count(c, i);
        gen_put(&c->g, ")");
    }
}

static void outside_read(outside_func *c, const char *i, const char *j)
{
    const char *x = outside_known(c);
    char        other[64];
    switch (gen_below(&c->g, 6)) {
    case 0: sprintf(other, "%d - %s", c->n - 1, i); break;
    case 1: sprintf(other, "(%s + 1) %% %d", i, c->n); break;
    default: sprintf(other, "%s", i);
    }
    outside_at(c, x, other, j);
}

/* A value of a cell; with a call or without. */
static void outside_value(outside_func *c, const char *i, const char *j)
{
    const char *t = c->type;
    int         is_mix;
    switch (gen_below(&c->g, 11)) {
    case 0: case 1:
        gen_put(&c->g, "extern(%s, twice_%s, ", t, t);
        outside_read(c, i, j);
        gen_put(&c->g, ", %s)", i);
        break;
    case 2:
        gen_put(&c->g, "extern(%s, mix_%s, ", t, t);
        outside_read(c, i, j);
        gen_put(&c->g, ", ");
        outside_read(c, i, j);
        gen_put(&c->g, ")");
        break;
    case 3:
        outside_read(c, i, j);
        gen_put(&c->g, " + extern(%s, peek_%s, %s, ", t, t, outside_known(c));
        outside_count(c, i);
        gen_put(&c->g, ")");
        break;
    case 4:
        gen_put(&c->g, "extern(%s, note_%s, ", t, t);
        outside_read(c, i, j);
        gen_put(&c->g, ")");
        break;
    case 5:
        outside_read(c, i, j);
        gen_put(&c->g, " + extern(%s, tick_%s)", t, t);
        break;
    case 6:
        is_mix = gen_chance(&c->g, 50);
        gen_put(&c->g, "(%s >= 1 ? extern(%s, %s_%s, ", i, t, is_mix ? "mix" : "note", t);
        if (is_mix) gen_put(&c->g, "%s(3), ", t);
        outside_read(c, i, j);
        gen_put(&c->g, ") : %s(%d))", t, gen_below(&c->g, 3));
        break;
    case 7:
        gen_put(&c->g, "max(");
        outside_read(c, i, j);
        gen_put(&c->g, ", %s(%d))", t, gen_below(&c->g, 4));
        break;
    case 8:
        outside_read(c, i, j);
        gen_put(&c->g, " + ");
        outside_read(c, i, j);
        break;
    default: outside_read(c, i, j);
    }
}

static void outside_loops(outside_func *c)
{
    gen_put(&c->g, c->rank == 1 ? "    for (i: %d) " : "    for (i: %d, j: %d) ", c->n, c->m);
}

/* ------------------------------------------------------------------ stages */

/* All cells of a buffer, each by itself: in a nest, a block, or beside a call. */
static void outside_points(outside_func *c, const char *to, int all)
{
    const int   form = gen_below(&c->g, 6);
    const char *i = form == 1 || form == 2 ? "a" : "i", *j = form == 1 || form == 2 ? "b" : "j";
    outside_loops(c);
    if (form == 1 || form == 2) {
        gen_put(&c->g, "block b%d(a: spatial(%d) = i", c->blocks++, c->n);
        if (c->rank == 2) gen_put(&c->g, ", b: spatial(%d) = j", c->m);
        gen_put(&c->g, ") ");
    }
    gen_put(&c->g, "{ ");
    if (form == 4 && gen_chance(&c->g, 60)) {
        gen_put(&c->g, "let v = ");
        outside_value(c, i, j);
        gen_put(&c->g, "; ");
        outside_at(c, to, i, j);
        gen_put(&c->g, " = %s; }\n", gen_chance(&c->g, 50) ? "v + v" : "v");
        return;
    }
    if (form == 5 && !c->declared[OUTSIDE_FILL] && gen_chance(&c->g, 40)) {
        gen_put(&c->g, "alloc s: %s[2] scope(local); ", c->type);
        gen_put(&c->g, "evaluate extern(%s, fill_%s, s, 2, ", c->type, c->type);
        outside_read(c, i, j);
        gen_put(&c->g, "); ");
        outside_at(c, to, i, j);
        gen_put(&c->g, " = s[1] + s[0]; }\n");
        return;
    }
    if (!all && gen_chance(&c->g, 20)) {
        gen_put(&c->g, "if ((");
        outside_value(c, i, j);
        gen_put(&c->g, ") > %s(2)) ", c->type);
    }
    outside_at(c, to, i, j);
    gen_put(&c->g, " = ");
    outside_value(c, i, j);
    gen_put(&c->g, ";");
    if (form == 3) {
        gen_put(&c->g, " evaluate extern(%s, note_%s, ", c->type, c->type);
        outside_at(c, to, i, j);
        gen_put(&c->g, ");");
    }
    gen_put(&c->g, " }\n");
}

/* A sum in each cell, in one line, as two statements, or as a block with an init. */
static void outside_sum(outside_func *c, const char *to)
{
    const int form = gen_below(&c->g, 3), terms = gen_between(&c->g, 1, 3);
    char      own[32];
    outside_loops(c);
    if (form == 0) {
        outside_at(c, to, "i", "j");
        gen_put(&c->g, " = sum(r: %d, ", terms);
        outside_value(c, "i", "j");
        gen_put(&c->g, ");\n");
        return;
    }
    if (form == 1) {
        sprintf(own, c->rank == 1 ? "%s[i]" : "%s[i, j]", to);
        gen_put(&c->g, "{ %s = %s(0); for (r: %d) %s = %s + ", own, c->type, terms, own, own);
        outside_value(c, "i", "j");
    } else {
        sprintf(own, c->rank == 1 ? "%s[a]" : "%s[a, b]", to);
        gen_put(&c->g, "for (r: %d) block b%d(a: spatial(%d) = i", terms, c->blocks++, c->n);
        if (c->rank == 2) gen_put(&c->g, ", b: spatial(%d) = j", c->m);
        gen_put(&c->g, ", k: reduce(%d) = r) { init %s = %s(0); %s = %s + ", terms, own, c->type,
                own, own);
        outside_value(c, "a", "b");
    }
    gen_put(&c->g, "; }\n");
}

/* All of a buffer as a region. */
static void outside_region(outside_func *c, const char *name)
{
    gen_put(&c->g, c->rank == 1 ? "%s[0: %d]" : "%s[0: %d, 0: %d]", name, c->n, c->m);
}

/* Calls alone: at the top, in a loop, in a block that says what it touches. */
static void outside_alone(outside_func *c, const char *to)
{
    const char *t = c->type;
    switch (gen_below(&c->g, 5)) {
    case 0:
        gen_put(&c->g, "    evaluate extern(%s, note_%s, ", t, t);
        outside_at(c, outside_known(c), "0", "0");
        gen_put(&c->g, ");\n");
        break;
    case 1:
        outside_loops(c);
        gen_put(&c->g, "evaluate extern(%s, note_%s, ", t, t);
        outside_read(c, "i", "j");
        gen_put(&c->g, ");\n");
        break;
    case 2:
        gen_put(&c->g, "    block call%d(v: 1 = 0) reads(", c->blocks++);
        outside_region(c, to);
        gen_put(&c->g, ") writes(");
        outside_region(c, to);
        gen_put(&c->g, ") { evaluate extern(%s, bump_%s, %s, %d); }\n", t, t, to, outside_some(c));
        break;
    case 3:
        gen_put(&c->g, "    for (i: %d) evaluate ", c->n);
        outside_memory_call(c, to, "i");
        gen_put(&c->g, ";\n");
        break;
    default:
        gen_put(&c->g, "    evaluate ");
        outside_memory_call(c, to, "");
        gen_put(&c->g, ";\n");
    }
}

/* Another name of a buffer that is known. */
static void outside_view(outside_func *c, int stage)
{
    const char *of = outside_known(c);
    const int   to = c->count++;
    sprintf(c->name[to], "w%d", stage);
    gen_put(&c->g, "    decl %s: %s[%d", c->name[to], c->type, c->n);
    if (c->rank == 2) gen_put(&c->g, ", %d", c->m);
    gen_put(&c->g, "] data(%s);\n", of);
    c->is_known[to] = 1;
}

static void outside_stage(outside_func *c, int stage)
{
    int to;
    if (c->count < OUTSIDE_BUFFERS && gen_chance(&c->g, 10)) outside_view(c, stage + 100);
    if (c->count < OUTSIDE_BUFFERS && gen_chance(&c->g, 50)) {
        to = c->count++;
        sprintf(c->name[to], "t%d", stage);
        gen_put(&c->g, c->rank == 1 ? "    alloc %s: %s[%d];\n" : "    alloc %s: %s[%d, %d];\n",
                c->name[to], c->type, c->n, c->m);
        c->is_known[to] = 0;
        if (gen_chance(&c->g, 20)) outside_sum(c, c->name[to]);
        else if (gen_chance(&c->g, 12))
            gen_put(&c->g, "    evaluate extern(%s, fill_%s, %s, %d, %s(1));\n", c->type, c->type,
                    c->name[to], c->cells, c->type);
        else outside_points(c, c->name[to], 1);
        c->is_known[to] = 1;
        return;
    }
    to = 1 + gen_below(&c->g, c->count - 1);
    switch (gen_below(&c->g, 5)) {
    case 0: case 1: outside_alone(c, c->name[to]); break;
    case 2: outside_sum(c, c->name[to]); break;
    default: outside_points(c, c->name[to], 0);
    }
}

static gen_case gen_outside(uint64_t seed)
{
    static const char *const params[] = { "x", "y", "z" };
    gen_case     made;
    outside_func c;
    irl_scalar   type;
    int          k, stages;
    memset(&made, 0, sizeof made);
    memset(&c, 0, sizeof c);
    made.seed = seed;
    c.g.random = seed ^ UINT64_C(0x0de51de);
    type = gen_chance(&c.g, 60) ? IRL_I32 : IRL_F32;
    c.type = type == IRL_I32 ? "i32" : "f32";
    c.rank = 1 + gen_chance(&c.g, 40);
    c.n = 1 + gen_below(&c.g, 8);
    c.m = c.rank == 2 ? 1 + gen_below(&c.g, 4) : 1;
    c.cells = c.n * c.m;
    gen_put(&c.g, "func outside(");
    for (k = 0; k < 3; k++) {
        strcpy(c.name[k], params[k]);
        c.is_known[k] = 1;
        gen_put(&c.g, c.rank == 1 ? "%s%s: %s[%d]" : "%s%s: %s[%d, %d]", k ? ", " : "", params[k],
                c.type, c.n, c.m);
        gen_case_param(&made, params[k], type, c.rank, c.n, c.m);
    }
    c.count = 3;
    gen_put(&c.g, ")");
    outside_prototypes(&c);
    gen_put(&c.g, " {\n");
    stages = 2 + gen_below(&c.g, OUTSIDE_STAGES - 1);
    for (k = 0; k < stages; k++) outside_stage(&c, k);
    outside_points(&c, "y", 0);
    gen_put(&c.g, "}\n");
    made.text = c.g.text;
    return made;
}

#endif
