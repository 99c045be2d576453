/* generate_value.h - the generator's state, and expressions made at random: indices in range, exact
   values, what is stored.

   needs     generate.h, which includes it and says what is promised */
#ifndef IRL_GENERATE_VALUE_H
#define IRL_GENERATE_VALUE_H

/* ------------------------------------------------------------------ state */

/* A short text: a name, an index, an extent. */
typedef char gen_words[192];

typedef struct gen_axis {
    int  extent;
    char text[16]; /* a number, or in terms of n */
} gen_axis;

typedef struct gen_tensor {
    char       name[8];
    irl_scalar type;
    int        rank;
    gen_axis   axis[GEN_AXES];
    int        memory;     /* number; an alias has that of what it views */
    int        is_param, is_defined, is_written;
    int        is_input;   /* holds the caller's data still */
    int        is_fixed;   /* an alias, strides, or vectors: no layout */
    int        is_wide;    /* floats beyond 64 */
    int        ulp;        /* not 0: only to be copied */
    int        lanes;      /* of an element; 0: a scalar */
    /* generate_lanes.h alone: four elements along `channel` are a texel */
    int        is_image, has_layout;
    int        channel;
    char       attributes[64]; /* how it lies in memory: strides, offset, separators, alignment */
} gen_tensor;

/* An index expression that is in scope, from 0 below an extent. */
typedef struct gen_atom {
    gen_words text;
    int       extent;
} gen_atom;

/* A scalar that is in scope. */
typedef struct gen_name {
    char       text[8];
    irl_scalar type;
    int        lanes; /* 0: a scalar */
} gen_name;

typedef struct gen {
    uint64_t    random;
    gen_options options;
    char       *text;
    size_t      length, capacity;
    int         indent;
    gen_tensor  tensors[GEN_TENSORS];
    int         tensor_count, memory_count, temp_count;
    gen_atom    atoms[GEN_ATOMS];
    int         atom_count;
    gen_name    names[GEN_NAMES];
    int         name_count, name_number;
    int         loop_number, block_number;
    int         hidden;   /* memory that is being written: not to be read; -1: none */
    int         products; /* that the current expression may still use */
    int         nesting;  /* of loads in indices */
    int         n, m;     /* the values of the parameter n, and of the let m; 0: there is none */
    /* generate_reduce.h: is anything of it drawn; reductions that are open; iterations that they
       may still have; an index stands in a value, so a reduction may stand in it */
    int         one_line, reductions, work, in_value;
    unsigned    fns;      /* types, as bits, of which a fn is called: gen_put_definitions */
} gen;

/* ------------------------------------------------------------------ randomness and text */

/* Splitmix: any seed is good, also 0, 1, 2. */
static uint64_t gen_next(gen *g)
{
    uint64_t z = (g->random += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static int gen_below(gen *g, int n) { return n <= 1 ? 0 : (int)(gen_next(g) % (uint64_t)n); }
static int gen_chance(gen *g, int percent) { return gen_below(g, 100) < percent; }
/* A number that leaves what is drawn after it as it was: for what a seed had not before. */
static int gen_below_aside(gen *g, int n)
{
    const uint64_t kept = g->random;
    int            drawn;
    g->random ^= UINT64_C(0x5851f42d4c957f2d);
    drawn = gen_below(g, n);
    g->random = kept;
    return drawn;
}
static int gen_chance_aside(gen *g, int percent) { return gen_below_aside(g, 100) < percent; }
static int gen_between(gen *g, int lo, int hi) { return lo + gen_below(g, hi - lo + 1); }

static void *gen_kept(void *memory)
{
    if (!memory) {
        printf("the test is out of memory\n");
        exit(1);
    }
    return memory;
}

static void gen_put(gen *g, const char *format, ...)
{
    va_list list;
    int     n;
    for (;;) {
        va_start(list, format);
        n = vsnprintf(g->text ? g->text + g->length : NULL, g->capacity - g->length, format, list);
        va_end(list);
        if (g->length + (size_t)n < g->capacity) break;
        g->capacity = g->capacity * 2 + (size_t)n + 1;
        g->text = (char *)gen_kept(realloc(g->text, g->capacity));
    }
    g->length += (size_t)n;
}

/* A line is one statement or one brace, which is what the shrinker takes away. */
static void gen_begin(gen *g) { gen_put(g, "%*s", 4 * g->indent, ""); }
static void gen_end(gen *g) { gen_put(g, ";\n"); }

static void gen_line(gen *g, const char *format, ...)
{
    char    line[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    gen_begin(g);
    gen_put(g, "%s;\n", line);
}

static void gen_open_brace(gen *g)
{
    gen_put(g, " {\n");
    g->indent++;
}
static void gen_close_brace(gen *g)
{
    g->indent--;
    gen_begin(g);
    gen_put(g, "}\n");
}
static void gen_else(gen *g)
{
    gen_close_brace(g);
    g->length--; /* the line goes on */
    gen_put(g, " else");
    gen_open_brace(g);
}

static void gen_say_list(char *to, size_t at, const char *format, va_list list)
{
    vsnprintf(to + at, sizeof(gen_words) - at, format, list);
}

static void gen_say(char *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    gen_say_list(to, 0, format, list);
    va_end(list);
}

static void gen_say_more(char *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    gen_say_list(to, strlen(to), format, list);
    va_end(list);
}

/* ------------------------------------------------------------------ types */

typedef struct gen_type {
    const char *text;
    /* b bool, i signed, u unsigned, f float of 32 bits or 64, h of 16, n a normalised integer */
    char        kind;
    int         bits;
} gen_type;

/* In the order of irl_scalar. */
static const gen_type gen_types[] = {
    { "bool", 'b', 1 },     { "i8", 'i', 8 },      { "i16", 'i', 16 },   { "i32", 'i', 32 },
    { "i64", 'i', 64 },     { "u8", 'u', 8 },      { "u16", 'u', 16 },   { "u32", 'u', 32 },
    { "u64", 'u', 64 },     { "f16", 'h', 16 },    { "bf16", 'h', 16 },  { "f32", 'f', 32 },
    { "f64", 'f', 64 },     { "index", 'x', 64 },  { "unorm8", 'n', 8 }, { "snorm8", 'n', 8 },
    { "unorm16", 'n', 16 }, { "snorm16", 'n', 16 }
};

static const char *gen_text(irl_scalar t) { return gen_types[t].text; }
static int gen_is(irl_scalar t, const char *kinds)
{
    return strchr(kinds, gen_types[t].kind) != NULL;
}

/* How a value from -64 to 64 becomes a code, v * up + middle, nearly all of them being taken, and a
   code such a value again. */
typedef struct gen_fraction {
    int         is_signed, one; /* the code that is 1 */
    const char *unit;           /* 1 / one */
    int         up, middle;
    const char *down;
} gen_fraction;

static const gen_fraction *gen_fraction_of(irl_scalar t)
{
    /* -1 to 255: the first is 0 */
    static const gen_fraction all[] = { { 0, 255, "0.003921569f", 2, 127, "0.5f" },
                                        { 1, 127, "0.007874016f", 1, 0, "0.5f" },
                                        /* -1 to 65535 */
                                        { 0, 65535, "1.5259022e-05f", 512, 32767, "0.001953125f" },
                                        { 1, 32767, "3.051851e-05f", 511, 0, "0.001953125f" } };
    return &all[(int)t - (int)IRL_UNORM8];
}

/* What stands before and behind a normalised load, so that it is a number from -64 to 64. `lanes`:
   "x4", or "". */
static void gen_fraction_begin(gen *g, const char *lanes) { gen_put(g, "((rint(f32%s(", lanes); }
static void gen_fraction_end(gen *g, irl_scalar t)
{
    const gen_fraction *f = gen_fraction_of(t);
    gen_put(g, ") * %d.0f) - %d.0f) * %s)", f->one, f->middle, f->down);
}

/* What stands before and behind a whole number from -64 to 64, so that it is normalised. */
static void gen_code_begin(gen *g, irl_scalar t, const char *lanes)
{
    gen_put(g, "%s%s(((", gen_types[t].text, lanes);
}
static void gen_code_end(gen *g, irl_scalar t)
{
    const gen_fraction *f = gen_fraction_of(t);
    gen_put(g, ") * %d.0f + %d.0f) * %s)", f->up, f->middle, f->unit);
}

/* The type, or one of 32 bits in its place where 64 are not wanted. */
static irl_scalar gen_narrowed(const gen *g, irl_scalar t)
{
    if (!g->options.narrow || gen_types[t].bits < 64) return t;
    return gen_is(t, "f") ? IRL_F32 : t == IRL_U64 ? IRL_U32 : IRL_I32;
}

static irl_scalar gen_some_type(gen *g)
{
    static const unsigned char often[] = { IRL_F32, IRL_F32, IRL_F32, IRL_I32,
                                           IRL_I32, IRL_F16, IRL_U8,  IRL_F64 };
    return gen_narrowed(g, (irl_scalar)(gen_chance(g, 60) ? often[gen_below(g, 8)]
                                                          : gen_below(g, (int)IRL_F64 + 1)));
}

/* Of integers, from i8 to u64. */
static irl_scalar gen_some_integer(gen *g)
{
    return gen_narrowed(g, (irl_scalar)gen_between(g, (int)IRL_I8, (int)IRL_U64));
}

/* ------------------------------------------------------------------ shapes and tensors */

static int gen_some_extent(gen *g)
{
    static const int extents[] = { 1, 2, 3, 4, 4, 5, 6, 7, 8, 8, 12, 13, 16, 17, 31, 63, 64 };
    if (g->options.cells > 5000 && gen_chance(g, 60)) return 8 << gen_below(g, 3);
    return extents[gen_below(g, (int)(sizeof extents / sizeof *extents))];
}

static gen_axis gen_constant_axis(int extent)
{
    gen_axis a;
    a.extent = extent;
    snprintf(a.text, sizeof a.text, "%d", extent);
    return a;
}

/* An axis that is n, or made of it; or m, which a let of the body makes of it. */
static gen_axis gen_symbolic_axis(gen *g)
{
    gen_axis a;
    int      form = gen_below(g, 6);
    if (g->m && gen_chance(g, 30)) {
        a.extent = g->m;
        strcpy(a.text, "m");
        return a;
    }
    a.extent = form == 0 ? g->n + 1 : form == 1 ? 2 * g->n : g->n;
    strcpy(a.text, form == 0 ? "(n + 1)" : form == 1 ? "(n * 2)" : "n");
    return a;
}

static void gen_shape(gen *g, gen_tensor *t)
{
    int k, cells = 1;
    t->rank = gen_chance(g, 4) ? 0 : gen_between(g, 1, gen_chance(g, 30) ? 4 : 3);
    for (k = 0; k < t->rank; k++) {
        gen_axis a = g->n && gen_chance(g, 40) ? gen_symbolic_axis(g)
                                               : gen_constant_axis(gen_some_extent(g));
        while (cells * a.extent > g->options.cells) a = gen_constant_axis(gen_between(g, 1, 3));
        if (cells * a.extent > g->options.cells) a = gen_constant_axis(1);
        cells *= a.extent;
        t->axis[k] = a;
    }
}

static gen_tensor *gen_tensor_new(gen *g, const char *prefix, int number)
{
    gen_tensor *t = &g->tensors[g->tensor_count++];
    memset(t, 0, sizeof *t);
    snprintf(t->name, sizeof t->name, "%s%d", prefix, number);
    t->type = gen_some_type(g);
    t->memory = g->memory_count++;
    /* the shape of a tensor that is there, more often than a new one: then there is something to
       combine */
    if (g->tensor_count > 1 && gen_chance(g, 55)) {
        const gen_tensor *like = &g->tensors[gen_below(g, g->tensor_count - 1)];
        t->rank = like->rank;
        memcpy(t->axis, like->axis, sizeof t->axis);
    } else gen_shape(g, t);
    return t;
}

static int gen_cells(const gen_tensor *t)
{
    int k, cells = 1;
    for (k = 0; k < t->rank; k++) cells *= t->axis[k].extent;
    return cells;
}

static int gen_axis_is_symbolic(const gen_axis *a) { return a->text[0] < '0' || a->text[0] > '9'; }

static int gen_is_symbolic(const gen_tensor *t)
{
    int k;
    for (k = 0; k < t->rank; k++)
        if (gen_axis_is_symbolic(&t->axis[k])) return 1;
    return 0;
}

static void gen_put_shape(gen *g, const gen_tensor *t)
{
    int k;
    gen_put(g, t->lanes ? "%s: %sx%d[" : "%s: %s[", t->name, gen_text(t->type), t->lanes);
    for (k = 0; k < t->rank; k++) gen_put(g, "%s%s", k ? ", " : "", t->axis[k].text);
    gen_put(g, "]");
}

/* Now and then a tensor says itself how it lies in memory; then it gets no layout. */
static void gen_attributes(gen *g, gen_tensor *t)
{
    char  *at = t->attributes;
    size_t room = sizeof t->attributes;
    int    k, strides[GEN_AXES], stride = 1;
    if (t->rank && !gen_is_symbolic(t) && gen_chance(g, 10)) {
        for (k = t->rank; k-- > 0;) {
            strides[k] = stride;
            stride = stride * t->axis[k].extent + gen_below(g, 3);
        }
        for (k = 0; k < t->rank; k++)
            snprintf(at + strlen(at), room - strlen(at), "%s%d", k ? ", " : " strides(",
                     strides[k]);
        snprintf(at + strlen(at), room - strlen(at), ")");
        if (gen_chance(g, 50))
            snprintf(at + strlen(at), room - strlen(at), " offset(%d)", gen_between(g, 1, 9));
    } else if (t->rank > 1 && !g->options.for_device && gen_chance(g, 10))
        snprintf(at, room, " sep(%d)", gen_between(g, 1, t->rank - 1));
    t->is_fixed = at[0] != '\0';
    /* enough for any view */
    if (gen_chance(g, 8))
        snprintf(at + strlen(at), room - strlen(at), " align(%d)", 64 << gen_below(g, 4));
}

static void gen_put_alloc(gen *g, const gen_tensor *t)
{
    gen_begin(g);
    gen_put(g, "alloc ");
    gen_put_shape(g, t);
    gen_put(g, "%s;\n", t->attributes);
}

/* A tensor that may be read, of these kinds of type (or of one type), exact or not; NULL if there
   is none. */
static gen_tensor *gen_some_tensor(gen *g, const char *kinds, int type, int inexact_too)
{
    gen_tensor *found[GEN_TENSORS];
    int         k, n = 0;
    for (k = 0; k < g->tensor_count; k++) {
        gen_tensor *t = &g->tensors[k];
        if (!t->is_defined || t->memory == g->hidden || t->lanes || (t->ulp && !inexact_too))
            continue;
        if (kinds ? !gen_is(t->type, kinds) : (int)t->type != type) continue;
        found[n++] = t;
    }
    return n ? found[gen_below(g, n)] : NULL;
}

/* ------------------------------------------------------------------ indices */

static void gen_atom_add(gen *g, const char *text, int extent)
{
    if (g->atom_count == GEN_ATOMS) return;
    gen_say(g->atoms[g->atom_count].text, "%s", text);
    g->atoms[g->atom_count++].extent = extent;
}

static const gen_atom *gen_some_atom(gen *g)
{
    return g->atom_count ? &g->atoms[gen_below(g, g->atom_count)] : NULL;
}

static const gen_atom *gen_atom_of_extent(gen *g, int extent)
{
    int k, first = gen_below(g, g->atom_count);
    for (k = 0; k < g->atom_count; k++) {
        const gen_atom *a = &g->atoms[(first + k) % g->atom_count];
        if (a->extent == extent) return a;
    }
    return NULL;
}

static void gen_load(gen *g, gen_tensor *t);
static int gen_reduced(gen *g, irl_scalar t, int depth);
static int gen_reduced_index(gen *g, const gen_axis *axis);

/* index(data % extent): an index that depends on data. */
static int gen_gather(gen *g, const gen_axis *axis)
{
    gen_tensor *t = g->nesting || axis->extent > 100 || gen_axis_is_symbolic(axis)
                        ? NULL
                        : gen_some_tensor(g, "iu", 0, 0);
    if (!t) return 0;
    g->nesting++;
    gen_put(g, gen_chance(g, 50) ? "(" : "index(");
    gen_load(g, t);
    gen_put(g, " %% %s(%d))", gen_text(t->type), axis->extent);
    g->nesting--;
    return 1;
}

/* Any index from 0 below the axis's extent. */
static void gen_index(gen *g, const gen_axis *axis)
{
    const gen_atom *a = gen_atom_of_extent(g, axis->extent), *b = gen_some_atom(g);
    int             c = gen_between(g, 1, 3), way = gen_below(g, 100);
    if (gen_reduced_index(g, axis)) return;
    if (a && way < 60) {
        gen_put(g, "%s", a->text);
        return;
    }
    if (way > 93 && gen_gather(g, axis)) return;
    if (!b) {
        gen_put(g, "%d", gen_below(g, axis->extent));
        return;
    }
    if (b->extent <= axis->extent) {
        switch (way % 5) {
        case 0: gen_put(g, "%s", b->text); return;
        case 1: gen_put(g, "%s - 1 - (%s)", axis->text, b->text); return;
        case 2: gen_put(g, "min(%s + %d, %s - 1)", b->text, c, axis->text); return;
        case 3: gen_put(g, "max(%s - %d, 0)", b->text, c); return;
        default: break;
        }
    } else if (way % 3 == 0) {
        gen_put(g, "(%s) / %d", b->text, (b->extent + axis->extent - 1) / axis->extent);
        return;
    }
    switch (way % 7) {
    case 0: gen_put(g, "%d", gen_below(g, axis->extent)); break;
    case 1: gen_put(g, "(%s - %d) %% %s", b->text, 2 * c, axis->text); break;
    case 2: gen_put(g, "((%s) * %d + %d) %% %s", b->text, c, c + 1, axis->text); break;
    case 3: gen_put(g, "(%s + %s) %% %s", b->text, gen_some_atom(g)->text, axis->text); break;
    case 4: gen_put(g, "(%d - (%s)) %% %s", c, b->text, axis->text); break;
    default: gen_put(g, "(%s) %% %s", b->text, axis->text); break;
    }
}

static void gen_load(gen *g, gen_tensor *t)
{
    int k;
    gen_put(g, "%s[", t->name);
    for (k = 0; k < t->rank; k++) {
        gen_put(g, k ? ", " : "");
        gen_index(g, &t->axis[k]);
    }
    gen_put(g, "]");
}

/* A condition on indices. */
static void gen_index_condition(gen *g)
{
    const gen_atom *a = gen_some_atom(g), *b = gen_some_atom(g);
    if (!a) {
        gen_put(g, "true");
        return;
    }
    switch (gen_below(g, 4)) {
    case 0: gen_put(g, "(%s < %d)", a->text, gen_between(g, 0, a->extent)); break;
    case 1: gen_put(g, "((%s + %s) %% 2 == 0)", a->text, b->text); break;
    case 2: gen_put(g, "(%s >= %s)", a->text, b->text); break;
    default: gen_put(g, "(%s != %d)", a->text, gen_below(g, a->extent)); break;
    }
}

/* ------------------------------------------------------------------ exact values */

static void gen_value(gen *g, irl_scalar type, int depth);
static void gen_bool(gen *g, int depth);

/* An integer at the ends of some width, or beside them. */
static void gen_end_constant(gen *g, irl_scalar t)
{
    static const unsigned char widths[] = { 2, 4, 7, 8, 15, 16, 17, 24, 31, 32, 48, 63, 64 };
    const int bits = gen_types[t].bits, least = gen_is(t, "i") ? 1 : 0;
    int       w;
    uint64_t  most;
    do w = widths[gen_below(g, (int)sizeof widths)];
    while (w > bits);
    most = w - least >= 64 ? UINT64_MAX : (UINT64_C(1) << (w - least)) - 1;
    if (least && gen_chance(g, 50)) { /* the least: written so that each number on the way fits */
        gen_put(g, gen_chance(g, 50) ? "%s(-%llu)" : "(%s(-%llu) - 1)", gen_text(t),
                (unsigned long long)most);
        return;
    }
    if (most > INT64_MAX) gen_put(g, "(~u64(%d))", gen_below(g, 2));
    else gen_put(g, "%s(%llu)", gen_text(t), (unsigned long long)most - (unsigned)gen_below(g, 2));
}

static void gen_constant(gen *g, irl_scalar t)
{
    int small = gen_between(g, -16, 16);
    if (g->options.integers && t != IRL_BOOL && gen_chance(g, 40)) gen_end_constant(g, t);
    else if (t == IRL_BOOL) gen_put(g, small & 1 ? "true" : "false");
    else if (gen_is(t, "i")) gen_put(g, "%s(%d)", gen_text(t), gen_chance(g, 10) ? -100 : small);
    else if (gen_is(t, "u"))
        gen_put(g, "%s(%d)", gen_text(t), gen_chance(g, 10) ? 200 : abs(small));
    else if (t == IRL_F32 && gen_chance(g, 30)) gen_put(g, "%g.0f", (double)small);
    else gen_put(g, "%s(%g)", gen_text(t), small / (double)(1 << gen_below(g, 4)));
}

/* A float that was loaded, no larger than 64. */
static void gen_load_float(gen *g, gen_tensor *t)
{
    if (t->is_wide) gen_put(g, "rint(min(max(");
    gen_load(g, t);
    if (t->is_wide) gen_put(g, ", -64.0), 64.0))");
}

/* An integer or bool tensor's element as a small number of type `to`. */
static void gen_load_converted(gen *g, gen_tensor *t, irl_scalar to)
{
    int is_float = gen_is(to, "fh");
    gen_put(g, "%s(", gen_text(to));
    if (gen_is(t->type, "n")) {
        gen_put(g, gen_is(to, "u") ? "abs(rint(" : is_float ? "(" : "(rint(");
        gen_fraction_begin(g, "");
        gen_load(g, t);
        gen_fraction_end(g, t->type);
        gen_put(g, is_float ? ")" : "))");
    } else if (gen_is(t->type, "fh")) {
        /* to an integer: halves are widened first, and what cannot be negative is made positive */
        gen_put(g, gen_is(to, "u") ? "abs(" : "(");
        if (is_float) gen_load_float(g, t);
        else {
            gen_put(g, "rint(min(max(");
            if (gen_is(t->type, "h")) gen_put(g, "f32(");
            gen_load(g, t);
            gen_put(g, gen_is(t->type, "h") ? "), -60.0), 60.0))" : ", -60.0), 60.0))");
        }
        gen_put(g, ")");
    } else {
        gen_load(g, t);
        if (is_float && t->type != IRL_BOOL) gen_put(g, " %% %s(61)", gen_text(t->type));
    }
    gen_put(g, ")");
}

static const gen_name *gen_some_name(gen *g, irl_scalar t)
{
    int k, first = gen_below(g, g->name_count);
    for (k = 0; k < g->name_count; k++)
        if (g->names[(first + k) % g->name_count].type == t &&
            !g->names[(first + k) % g->name_count].lanes)
            return &g->names[(first + k) % g->name_count];
    return NULL;
}

/* An index as a number; of integers alone, one that is shifted far, or chosen between numbers. */
static void gen_index_value(gen *g, irl_scalar t, const gen_atom *a)
{
    const int far = g->options.integers && gen_chance(g, 30) ? 40 : 15;
    switch (g->options.integers ? gen_below(g, 8) : 7) {
    case 0: gen_put(g, "%s(1 << ((%s) %% %d))", gen_text(t), a->text, far); break;
    case 1: gen_put(g, "%s(%d << ((%s) %% 7))", gen_text(t), gen_below(g, 500), a->text); break;
    case 2:
        gen_put(g, "%s((%s) >> ((%s * %d) %% %d))", gen_text(t), a->text, a->text,
                gen_between(g, 1, 9), far);
        break;
    case 3:
        gen_put(g, "%s(((%s) %% 2 == 1 ? %d : %d) * %d)", gen_text(t), a->text, gen_below(g, 300),
                gen_below(g, 300), gen_below(g, 300));
        break;
    default: gen_put(g, "%s(%s)", gen_text(t), a->text); break;
    }
}

static void gen_leaf(gen *g, irl_scalar t)
{
    gen_tensor *same = gen_some_tensor(g, NULL, (int)t, 0),
               *other = gen_some_tensor(g, "biufhn", 0, 0);
    const gen_name *name = gen_some_name(g, t);
    const gen_atom *atom = gen_some_atom(g);
    int             way = gen_below(g, 100);
    g->in_value = 1;
    if (name && way < 15) gen_put(g, "%s", name->text);
    else if (same && way < 65) gen_load_float(g, same);
    else if (other && t != IRL_BOOL && way < 80) gen_load_converted(g, other, t);
    else if (atom && t != IRL_BOOL && way < 90) gen_index_value(g, t, atom);
    else gen_constant(g, t);
    g->in_value = 0;
}

static void gen_comparison(gen *g, int depth)
{
    static const char *const signs[] = { "==", "!=", "<", "<=", ">", ">=" };
    irl_scalar t = gen_narrowed(g, (irl_scalar)gen_between(g, (int)IRL_I8, (int)IRL_F64));
    if (gen_is(t, "h") && gen_chance_aside(g, 40)) t = IRL_F32;
    if (g->options.integers) t = gen_some_integer(g);
    gen_put(g, "(");
    gen_value(g, t, depth - 1);
    gen_put(g, " %s ", signs[gen_below(g, 6)]);
    gen_value(g, t, depth - 1);
    gen_put(g, ")");
}

/* name[i + d, ...] > 0 where i + d is in range, and only there. */
static int gen_guarded_load(gen *g, irl_scalar type, const char *before, const char *between)
{
    gen_tensor     *t = gen_some_tensor(g, NULL, (int)type, 0);
    const gen_atom *a;
    int             axis, k, d = gen_between(g, -2, 2);
    if (!t || t->rank == 0) return 0;
    axis = gen_below(g, t->rank);
    a = gen_some_atom(g);
    if (!a) return 0;
    gen_put(g, "%s(%s + %d >= 0 && %s + %d < %s)%s", before, a->text, d, a->text, d,
            t->axis[axis].text, between);
    if (t->is_wide) gen_put(g, "rint(min(max(");
    gen_put(g, "%s[", t->name);
    for (k = 0; k < t->rank; k++) {
        gen_put(g, k ? ", " : "");
        if (k == axis) gen_put(g, "%s + %d", a->text, d);
        else gen_index(g, &t->axis[k]);
    }
    gen_put(g, "]");
    if (t->is_wide) gen_put(g, ", -64.0), 64.0))");
    return 1;
}

static void gen_bool(gen *g, int depth)
{
    static const char *const signs[] = { "&&", "||", "&&", "&", "|", "^", "==" };
    if (depth <= 0) {
        if (gen_chance(g, 50)) gen_index_condition(g);
        else gen_leaf(g, IRL_BOOL);
        return;
    }
    switch (gen_below(g, 6)) {
    case 0:
        gen_put(g, "!(");
        gen_bool(g, depth - 1);
        gen_put(g, ")");
        break;
    case 1:
    case 2:
        gen_put(g, "(");
        gen_bool(g, depth - 1);
        gen_put(g, " %s ", signs[gen_below(g, 7)]);
        gen_bool(g, depth - 1);
        gen_put(g, ")");
        break;
    case 3:
        if (depth == 1 ? gen_guarded_load(g, IRL_I32, "(!", " || ")
                       : gen_guarded_load(g, IRL_I32, "(", " && ")) {
            gen_put(g, " > 3)");
            break;
        }
        gen_index_condition(g);
        break;
    default: gen_comparison(g, depth); break;
    }
}

/* select(c, a, b), if_then_else(c, a, b), let(v = a, b), or a load under its guard. */
static void gen_choice(gen *g, irl_scalar t, int depth)
{
    switch (gen_below(g, 4)) {
    case 0:
    case 1:
        gen_put(g, gen_chance(g, 50) ? "select(" : "if_then_else(");
        gen_bool(g, depth - 1);
        gen_put(g, ", ");
        if (g->options.integers && gen_chance(g, 40)) { /* two numbers, of which C has the type */
            gen_constant(g, t);
            gen_put(g, ", ");
            gen_constant(g, t);
            gen_put(g, ")");
            break;
        }
        gen_value(g, t, depth - 1);
        gen_put(g, ", ");
        gen_value(g, t, depth - 1);
        gen_put(g, ")");
        break;
    case 2:
        if (g->nesting == 0 && g->name_count < GEN_NAMES) {
            gen_name *v;
            gen_words text;
            gen_say(text, "v%d", g->name_number++);
            gen_put(g, "let(%s = ", text);
            gen_value(g, t, depth - 1);
            gen_put(g, ", ");
            v = &g->names[g->name_count++];
            snprintf(v->text, sizeof v->text, "%.7s", text);
            v->type = t;
            v->lanes = 0;
            gen_value(g, t, depth - 1);
            g->name_count--;
            gen_put(g, ")");
            break;
        } /* fall through */
    default:
        if (gen_guarded_load(g, t, "if_then_else(", ", ")) {
            gen_put(g, ", ");
            gen_value(g, t, depth - 1);
            gen_put(g, ")");
        } else gen_leaf(g, t);
        break;
    }
}

static void gen_binary(gen *g, irl_scalar t, int depth, const char *sign)
{
    gen_put(g, "(");
    gen_value(g, t, depth - 1);
    gen_put(g, " %s ", sign);
    gen_value(g, t, depth - 1);
    gen_put(g, ")");
}

static void gen_call(gen *g, irl_scalar t, int depth, const char *name, int arity)
{
    int k;
    gen_put(g, "%s(", name);
    for (k = 0; k < arity; k++) {
        gen_put(g, k ? ", " : "");
        gen_value(g, t, depth - 1);
    }
    gen_put(g, ")");
}

/* A divisor that is neither 0 nor -1. */
static void gen_divisor(gen *g, irl_scalar t)
{
    const char *type = gen_text(t);
    if (gen_chance(g, 50))
        gen_put(g, "%s(%d)", type,
                gen_is(t, "i") && gen_chance(g, 40) ? gen_between(g, -9, -2)
                                                    : gen_between(g, 1, 9));
    else {
        gen_put(g, "((");
        gen_leaf(g, t);
        if (gen_is(t, "i") && gen_chance(g, 40)) gen_put(g, " %% %s(5)) - %s(7))", type, type);
        else gen_put(g, " %% %s(5)) + %s(1))", type, type);
    }
}

static void gen_division(gen *g, irl_scalar t, int depth)
{
    static const char *const before[] = { "(", "(", "truncdiv(", "truncmod(" };
    static const char *const between[] = { " / ", " % ", ", ", ", " };
    int                      way = gen_below(g, 4);
    gen_put(g, "%s", before[way]);
    gen_value(g, t, depth - 1);
    gen_put(g, "%s", between[way]);
    gen_divisor(g, t);
    gen_put(g, ")");
}

static void gen_shift(gen *g, irl_scalar t, int depth)
{
    const char *type = gen_text(t);
    gen_put(g, "(");
    gen_value(g, t, depth - 1);
    gen_put(g, gen_chance(g, 50) ? " << " : " >> ");
    if (gen_chance(g, 60)) gen_put(g, "%s(%d))", type, gen_below(g, gen_types[t].bits));
    else {
        gen_put(g, "(");
        gen_leaf(g, t);
        gen_put(g, " %% %s(%d)))", type, gen_types[t].bits);
    }
}

/* The bits of another type as an integer: of the other sign, or of floats that hold the caller's
   data still (the sign of a computed zero may differ). */
static void gen_bits(gen *g, irl_scalar t, int depth)
{
    static const unsigned char floats[][2] = { { IRL_U16, IRL_F16 },
                                               { IRL_I16, IRL_BF16 },
                                               { IRL_U32, IRL_F32 },
                                               { IRL_I32, IRL_F32 },
                                               { IRL_U64, IRL_F64 } };
    gen_tensor                *of;
    int                        k;
    for (k = 0; k < 5; k++) {
        of = floats[k][0] == (unsigned char)t && gen_chance(g, 50)
                 ? gen_some_tensor(g, NULL, floats[k][1], 0)
                 : NULL;
        if (!of || !of->is_input) continue;
        gen_put(g, "as(%s, ", gen_text(t));
        gen_load(g, of);
        gen_put(g, ")");
        return;
    }
    gen_put(g, "as(%s, ", gen_text(t));
    gen_value(g,
              (irl_scalar)((int)t + (gen_is(t, "i") ? (int)IRL_U8 - (int)IRL_I8
                                                    : (int)IRL_I8 - (int)IRL_U8)),
              depth - 1);
    gen_put(g, ")");
}

/* A quotient that only one arm may compute. */
static void gen_guarded_division(gen *g, irl_scalar t, int depth)
{
    gen_words text;
    gen_say(text, "v%d", g->name_number++);
    gen_put(g, "let(%s = ", text);
    gen_leaf(g, t);
    gen_put(g, " %% %s(5), if_then_else(%s %s %s(0), ", gen_text(t), text,
            gen_is(t, "i") ? ">" : "!=", gen_text(t));
    gen_value(g, t, depth - 1);
    gen_put(g, " %s %s, ", gen_chance(g, 50) ? "/" : "%", text);
    gen_value(g, t, depth - 1);
    gen_put(g, "))");
}

static void gen_integer(gen *g, irl_scalar t, int depth)
{
    static const char *const signs[] = { "+", "-", "*", "&", "|", "^", "+" };
    switch (gen_below(g, 12)) {
    case 0:
    case 1: gen_division(g, t, depth); break;
    case 2: gen_shift(g, t, depth); break;
    case 3: gen_call(g, t, depth, gen_chance(g, 50) ? "min" : "max", 2); break;
    case 4:
        gen_call(g, t, depth, gen_chance(g, 50) ? "abs" : gen_chance(g, 50) ? "~" : "-", 1);
        break;
    case 5:
        if (gen_chance(g, 10)) {
            gen_put(g, "lane(ramp(");
            gen_leaf(g, t);
            gen_put(g, ", %s(3), 4), (", gen_text(t));
            gen_leaf(g, t);
            gen_put(g, " %% %s(4)))", gen_text(t));
            break;
        }
        gen_put(g, "%s(", gen_text(t));
        gen_value(g, gen_some_integer(g), depth - 1);
        gen_put(g, ")");
        break;
    case 6:
        if (gen_chance(g, 70)) gen_bits(g, t, depth);
        else gen_guarded_division(g, t, depth);
        break;
    case 7: gen_choice(g, t, depth); break;
    default: gen_binary(g, t, depth, signs[gen_below(g, 7)]); break;
    }
}

/* The name of a fn of two values of this type. */
static const char *gen_fn(gen *g, irl_scalar t)
{
    g->fns |= 1u << (int)t;
    return t == IRL_F32 ? "pick_f32" : t == IRL_F64 ? "pick_f64" : t == IRL_F16 ? "pick_f16"
                                                                               : "pick_bf16";
}

/* What a text begins with whose function calls these. */
static void gen_put_definitions(gen *g)
{
    int t;
    if (g->fns) gen_put(g, "const ONE = 1;\nconst FEW = ONE + 2;\n");
    for (t = 0; t <= (int)IRL_F64; t++)
        if (g->fns >> t & 1u)
            gen_put(g, "fn step_%s(x: %s) -> %s = (isnan(x) ? 0.0 : sign(x)) * ONE;\n"
                       "fn pick_%s(x: %s, y: %s) -> %s = x < y ? max(abs(x), FEW) : minimum(x, y) "
                       "+ step_%s(y - ONE);\n", gen_text((irl_scalar)t), gen_text((irl_scalar)t),
                    gen_text((irl_scalar)t), gen_text((irl_scalar)t), gen_text((irl_scalar)t),
                    gen_text((irl_scalar)t), gen_text((irl_scalar)t), gen_text((irl_scalar)t));
}

static void gen_float(gen *g, irl_scalar t, int depth)
{
    static const char *const rounding[] = { "floor", "ceil", "trunc", "rint" };
    static const char *const written_out[] = { "maximum", "minimum", "fdim", "copysign" };
    int                      way = gen_below(g, 12);
    if (way < 2 && g->products <= 0) way = 4;
    if (way < 2) g->products--;
    switch (way) {
    case 0: gen_binary(g, t, depth, "*"); break;
    case 1: gen_call(g, t, depth, "fma", 3); break;
    case 2: {
        const char *name = gen_chance(g, 50) ? "min" : "max";
        if (gen_chance_aside(g, 30)) name = written_out[gen_below_aside(g, 15) % 4];
        if (gen_chance_aside(g, 10)) name = gen_fn(g, t);
        gen_call(g, t, depth, name, 2);
        break;
    }
    case 3:
        if (gen_chance_aside(g, 20)) gen_call(g, t, depth, "copysign", 2);
        else if (gen_chance_aside(g, 35)) gen_call(g, t, depth, "sign", 1);
        else gen_call(g, t, depth, gen_chance(g, 50) ? "abs" : "-", 1);
        break;
    case 4: {
        const char *name = rounding[gen_below(g, 4)];
        gen_call(g, t, depth, gen_chance_aside(g, 20) ? "round" : name, 1);
        break;
    }
    case 5:
    case 6: gen_choice(g, t, depth); break;
    case 7:
        if (t == IRL_F32 && gen_chance(g, 40)) { /* 1 to 2, in steps of 1/128, from bits */
            gen_put(g, "as(f32, (");
            gen_value(g, IRL_U32, depth - 1);
            gen_put(g, " & u32(0x7f0000)) | u32(0x3f800000))");
            break;
        } /* fall through */
    default: gen_binary(g, t, depth, gen_chance(g, 60) ? "+" : "-"); break;
    }
}

/* A value with one right answer; floats below about 2^50. */
static void gen_value(gen *g, irl_scalar type, int depth)
{
    if (gen_reduced(g, type, depth)) return;
    if (type == IRL_BOOL) gen_bool(g, depth);
    else if (depth <= 0 || gen_chance(g, 15)) gen_leaf(g, type);
    else if (gen_is(type, "fh")) gen_float(g, type, depth);
    else gen_integer(g, type, depth);
}

/* ------------------------------------------------------------------ what is stored */

/* The last step of an expression of floats: a function with a tolerance. Returns its units in the
   last place, which are OpenCL's bound and one for the C library's own error. */
static int gen_inexact(gen *g, irl_scalar t)
{
    typedef struct gen_function {
        const char *before, *after;
        int         ulp;
    } gen_function;
    static const gen_function functions[] = {
        { "exp(min(max(", ", -8.0), 8.0))", 4 }, { "exp2(min(max(", ", -8.0), 8.0))", 4 },
        { "log(abs(", ") + 0.5)", 4 },           { "sqrt(abs(", "))", 4 },
        { "rsqrt(abs(", ") + 0.25)", 3 },        { "sin(min(max(", ", -3.0), 3.0))", 5 },
        { "cos(min(max(", ", -3.0), 3.0))", 5 }, { "tanh(min(max(", ", -4.0), 4.0))", 6 },
        { "tan(min(max(", ", -1.0), 1.0))", 6 }, { "log2(abs(", ") + 0.5)", 4 },
        { "pow(abs(", ") + 0.5, 1.5)", 17 },     { "(1.0 / (abs(", ") + 0.75))", 4 },
    };
    static const gen_function newer[] = {
        { "acos(min(max(", " / 64.0, -0.75), 0.75))", 5 }, { "acosh(abs(", ") + 1.5)", 5 },
        { "asin(min(max(", ", -0.75), 0.75))", 5 }, { "asinh(", ")", 5 }, { "atan(", ")", 6 },
        { "atanh(min(max(", ", -0.75), 0.75))", 6 }, { "cbrt(", ")", 3 },
        { "cosh(min(max(", ", -4.0), 4.0))", 5 }, { "sinh(min(max(", ", -4.0), 4.0))", 5 },
        { "erf(", ")", 17 },                     { "erfc(min(", ", 4.0))", 17 },
        { "exp10(min(max(", ", -4.0), 4.0))", 4 }, { "expm1(min(max(", ", -8.0), 8.0))", 4 },
        { "log10(abs(", ") + 1.5)", 4 },         { "log1p(abs(", "))", 3 },
        { "tgamma(abs(min(max(", ", -4.0), 4.0)) + 1.0)", 17 },
        { "atan2(", ", 1.5)", 7 },               { "hypot(", ", 2.0)", 5 },
        { "sigmoid(", ")", 10 },                 { "softplus(", ")", 10 },
    };
    const gen_function *f = &functions[gen_below(g, (int)(sizeof functions / sizeof *functions))];
    if (gen_chance_aside(g, 50))
        f = &newer[gen_below_aside(g, (int)(sizeof newer / sizeof *newer) * 7) / 7];
    gen_put(g, "%s", f->before);
    gen_value(g, t, 2);
    gen_put(g, "%s", f->after);
    return f->ulp;
}

/* A float clamped to 64; rounded too where products have made it fine. */
static void gen_clamped(gen *g, irl_scalar t, int depth, int is_rounded)
{
    size_t start = g->length;
    char  *made;
    g->products = GEN_PRODUCTS;
    gen_value(g, t, depth);
    made = (char *)gen_kept(malloc(g->length - start + 1));
    memcpy(made, g->text + start, g->length - start + 1);
    g->length = start;
    if (g->products < GEN_PRODUCTS) is_rounded = 1;
    if (gen_chance(g, 70))
        gen_put(g, is_rounded ? "rint(min(max(%s, -64.0), 64.0))" : "min(max(%s, -64.0), 64.0)",
                made);
    else
        gen_put(g, is_rounded ? "floor(max(min(%s, 60.0), -60.0))" : "max(min(%s, 60.0), -60.0)",
                made);
    free(made);
}

/* The value of a store into t, for which is_copy was decided for the whole nest. */
static void gen_stored(gen *g, gen_tensor *t, int depth)
{
    if (gen_is(t->type, "f")) gen_clamped(g, t->type, depth, 0);
    else if (gen_is(t->type, "h") && gen_chance_aside(g, 50)) gen_clamped(g, t->type, depth, 1);
    else if (gen_is(t->type, "h")) {
        gen_put(g, "%s(", gen_text(t->type));
        gen_clamped(g, gen_narrowed(g, gen_chance(g, 80) ? IRL_F32 : IRL_F64), depth, 1);
        gen_put(g, ")");
    } else if (gen_is(t->type, "n")) {
        gen_code_begin(g, t->type, "");
        gen_clamped(g, IRL_F32, depth, 1);
        gen_code_end(g, t->type);
    } else gen_value(g, t->type, depth);
}

/* As gen_stored, but the result may be off by some units; t is then only to be copied. */
static void gen_stored_inexactly(gen *g, gen_tensor *t)
{
    g->products = GEN_PRODUCTS;
    if (gen_is(t->type, "h")) {
        if (gen_chance_aside(g, 50)) (void)gen_inexact(g, t->type); /* f32's, rounded */
        else {
            gen_put(g, "%s(", gen_text(t->type));
            gen_clamped(g, IRL_F32, 2, 0);
            gen_put(g, ")");
        }
        if (t->ulp < 1) t->ulp = 1;
    } else {
        int ulp = gen_inexact(g, t->type);
        if (t->ulp < ulp) t->ulp = ulp;
    }
}

#endif
