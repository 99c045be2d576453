/* test_schedule_legal.c - is what is refused wrong, and what is right done? Steps drawn at random
   on small functions, each of which this program carries out by itself as well, whether that is
   right or not, and runs in the interpreter.

   - what a step does gives the same numbers as the function before it;
   - of the steps that are right (all that is stored in a cell stays, and its order; nothing races,
     nothing undefined is used) few are refused; those that are "not known" are counted apart;
   - a refusal that shows two iterations and a cell is true: both are iterations of the loops, the
     two accesses are of that cell, and the two iterations by themselves give other numbers in the
     other order, or where both read before either writes.

   test_schedule_legal [SEED [v [COUNT]]]: other functions; shows what is refused although it is
   right, and witnesses of which either order gives the same (a store that a later one hides). */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "small_nests.h"
#include "test.h"

enum { CELLS = 36, BUFFERS = 8, STEPS = 10 };

/* ------------------------------------------------------------------ running */

typedef struct memory {
    uint32_t cell[BUFFERS][CELLS];
} memory;

static void fill(memory *m, uint32_t state)
{
    int k, j;
    for (k = 0; k < BUFFERS; k++)
        for (j = 0; j < CELLS; j++) {
            state = state * 1664525u + 1013904223u;
            m->cell[k][j] = state >> 8;
        }
}

static int run_func(const irl_func *f, memory *m)
{
    return f && irl_func_interpret(f, IRL_ARGS(m->cell[0], m->cell[1], m->cell[2], m->cell[3],
                                               m->cell[4], m->cell[5], m->cell[6], m->cell[7]));
}

/* In a context of its own, so that a failure does no harm. 0: it does not run. */
static int run_text(const char *text, memory *m)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    int      ok = run_func(irl_func_parse(cx, text, IRL_TO_NUL, NULL), m);
    irl_ctx_destroy(cx);
    return ok;
}

/* ------------------------------------------------------------------ steps */

typedef enum kind {
    SPLIT, FUSE, UNROLL, PARTITION, REORDER, PARALLEL, VECTORIZE, BIND, MERGE, COMPUTE_AT,
    REVERSE_COMPUTE_AT, COMPUTE_INLINE, CACHE_READ, KINDS
} kind;

static const char *const kind_names[KINDS] = {
    "split", "fuse", "unroll", "partition", "reorder", "parallel", "vectorize", "bind", "merge",
    "compute_at", "reverse_compute_at", "compute_inline", "cache_read"
};

typedef struct step {
    kind       what;
    char       text[100];
    int        is_right; /* whatever is in the function; else `now` is run */
    small_func now;
} step;

static small_loop *draw_loop(small_func *f, int *nest, int *at)
{
    *nest = random_below(f->nest_count);
    *at = random_below(f->nest[*nest].loop_count);
    if (f->first <= f->last && random_below(3) == 0) {
        *nest = f->first;
        *at = -1;
        return &f->around;
    }
    return &f->nest[*nest].loop[*at];
}

/* What names a nest around one store: its buffer, and _1 behind the second of that buffer. */
static int name_nest(const small_func *f, int nest, char *out, size_t room)
{
    int k, before = 0;
    for (k = 0; k < nest; k++)
        before += f->nest[k].store_count == 1 &&
                  strcmp(f->nest[k].target, f->nest[nest].target) == 0;
    if (before) snprintf(out, room, "%s_%d", f->nest[nest].target, before);
    else snprintf(out, room, "%s", f->nest[nest].target);
    return f->nest[nest].store_count == 1;
}

static int has_around(const small_func *f, int nest) { return f->first <= nest && nest <= f->last; }

/* The first `buffer[`, NULL: none. */
static const char *find_load(const char *text, const char *buffer)
{
    const size_t length = strlen(buffer);
    for (; *text; text++)
        if (strncmp(text, buffer, length) == 0 && text[length] == '[') return text;
    return NULL;
}

/* The indices of a load; what is behind it. */
static const char *read_indices(const char *at, char index[2][100])
{
    int depth = 1, k = 0, n = 0;
    for (at = strchr(at, '[') + 1; depth; at++) {
        depth += *at == '(' || *at == '[';
        depth -= *at == ')' || *at == ']';
        if (depth == 0) break;
        if (depth == 1 && *at == ',') index[k][n] = '\0', k++, n = 0;
        else if (n < 99) index[k][n++] = *at;
    }
    index[k][n] = '\0';
    return at + 1;
}

/* The value of a producer in the place of each t[x, y]. */
static void put_inline(const small_nest *made, char *text)
{
    char      out[SMALL_TEXT], index[2][100], value[SMALL_TEXT];
    const char *at = text;
    small_out o;
    size_t    length = strlen(made->target);
    o.text = out;
    o.used = 0;
    o.room = sizeof out;
    out[0] = '\0';
    while (*at) {
        char one[2] = { 0, 0 };
        if (strncmp(at, made->target, length) == 0 && at[length] == '[') {
            int k;
            at = read_indices(at, index);
            snprintf(value, sizeof value, "(%s", strchr(made->store[0], '=') + 1);
            value[strlen(value) - 1] = ')'; /* for the semicolon */
            for (k = 0; k < made->loop_count; k++) {
                char with[204];
                snprintf(with, sizeof with, "(%s)", index[k]);
                small_replace(value, sizeof value, made->loop[k].name, with);
            }
            small_put(&o, value);
            continue;
        }
        one[0] = *at++;
        small_put(&o, one);
    }
    memcpy(text, out, o.used + 1);
}

static int draw_merge(step *s, small_func *f)
{
    int         a = random_below(f->nest_count), k;
    small_nest *one = &f->nest[a], *two = &f->nest[a + 1], *rest = &f->nest[SMALL_NESTS];
    if (a + 1 >= f->nest_count || has_around(f, a) != has_around(f, a + 1)) return 0;
    if (one->loop[0].extent != two->loop[0].extent || one->loop[0].first != two->loop[0].first ||
        one->loop[0].kind[0] || two->loop[0].kind[0])
        return 0;
    snprintf(s->text, sizeof s->text, "{ merge(%s, %s); }", one->loop[0].name, two->loop[0].name);
    *rest = *two;
    rest->loop_count--;
    memmove(rest->loop, rest->loop + 1, sizeof rest->loop - sizeof rest->loop[0]);
    small_replace(rest->guard, SMALL_TEXT, two->loop[0].name, one->loop[0].name);
    for (k = 0; k < rest->store_count; k++)
        small_replace(rest->store[k], SMALL_TEXT, two->loop[0].name, one->loop[0].name);
    two->is_gone = 1;
    one->after = SMALL_NESTS;
    one->after_at = 0;
    return 1;
}

static int draw_reorder(step *s, small_func *f)
{
    small_nest *n = &f->nest[random_below(f->nest_count)];
    small_loop  kept;
    int         a = random_below(n->loop_count), b = random_below(n->loop_count);
    if (a <= b) return 0;
    snprintf(s->text, sizeof s->text, "{ reorder(%s, %s); }", n->loop[a].name, n->loop[b].name);
    kept = n->loop[a];
    n->loop[a] = n->loop[b];
    n->loop[b] = kept;
    return 1;
}

static int draw_cache(step *s, small_func *f)
{
    static const char *const read[] = { "a0", "y0", "y1" };
    const char *buffer = read[random_below(3)];
    char        name[16], with[16];
    int         c = random_below(f->nest_count);
    small_nest *n = &f->nest[c], *copy = &f->nest[SMALL_NESTS];
    char       *value = strchr(n->store[0], '=');
    if (!name_nest(f, c, name, sizeof name) || !strstr(value, buffer) ||
        strcmp(n->target, buffer) == 0)
        return 0;
    snprintf(s->text, sizeof s->text, "{ cache_read(%s, %s, global); }", name, buffer);
    memset(copy, 0, sizeof *copy);
    copy->before = copy->after = n->after = -1;
    copy->loop_count = 2;
    copy->store_count = 1;
    snprintf(copy->loop[0].name, 8, "c0");
    snprintf(copy->loop[1].name, 8, "c1");
    copy->loop[0].extent = copy->loop[1].extent = SMALL_SIDE;
    copy->loop[0].kind = copy->loop[1].kind = "";
    snprintf(copy->store[0], SMALL_TEXT, "cc[c0, c1] = %s[c0, c1];", buffer);
    snprintf(f->extra, sizeof f->extra, "alloc cc: u32[6, 6];\n");
    snprintf(with, sizeof with, "cc");
    small_replace(n->store[0], SMALL_TEXT, buffer, with);
    n->before = SMALL_NESTS;
    n->before_at = -1;
    return 1;
}

/* Each iteration of the producer's loop computes what reads the part of t that it wrote. 0: several
   parts are read. */
static int put_guard(const small_nest *made, small_nest *used, int at)
{
    char        index[2][100], guard[SMALL_TEXT];
    const char *load = find_load(used->store[0], made->target);
    int         k, n = 0;
    if (!load || strncmp(used->store[0], made->target, strlen(made->target)) == 0 ||
        find_load(load + 1, made->target))
        return 0;
    read_indices(load, index);
    n = snprintf(guard, sizeof guard, "%s", used->guard);
    for (k = 0; k <= at; k++)
        n += snprintf(guard + n, sizeof guard - (size_t)n, "%s%s == %s", n ? " && " : "", index[k],
                      made->loop[k].name);
    snprintf(used->guard, sizeof used->guard, "%s", guard);
    return 1;
}

static int draw_move(step *s, small_func *f)
{
    char        name[16];
    int         p = random_below(f->nest_count), c = random_below(f->nest_count), k, at;
    small_nest *made = &f->nest[p], *used = &f->nest[c];
    if (s->what == REVERSE_COMPUTE_AT) {
        if (c <= p || !name_nest(f, c, name, sizeof name) || has_around(f, c) || has_around(f, p) ||
            !made->is_producer || !strstr(used->store[0], made->target))
            return 0;
        at = random_below(made->loop_count);
        snprintf(s->text, sizeof s->text, "{ reverse_compute_at(%s, %s); }", name,
                 made->loop[at].name);
        used->is_gone = 1;
        made->after = c;
        made->after_at = at;
        return put_guard(made, used, at);
    }
    if (c <= p || !made->is_producer || has_around(f, p) ||
        (s->what == COMPUTE_AT && !strstr(used->store[0], made->target)))
        return 0;
    for (k = 0; s->what == COMPUTE_AT && k < f->nest_count; k++) /* all who read it stand there */
        if (k != c && (strstr(f->nest[k].store[0], made->target) == NULL) == (k == p)) return 0;
    for (k = 0; s->what == COMPUTE_AT && k < f->nest_count; k++)
        if (k != c && f->nest[k].store_count > 1 && strstr(f->nest[k].store[1], made->target))
            return 0;
    made->is_gone = 1;
    if (s->what == COMPUTE_INLINE) {
        snprintf(s->text, sizeof s->text, "{ compute_inline(%s); }", made->target);
        for (k = 0; k < f->nest_count; k++)
            for (at = 0; at < f->nest[k].store_count; at++)
                if (k != p) put_inline(made, f->nest[k].store[at]);
        return 1;
    }
    at = random_below(used->loop_count);
    snprintf(s->text, sizeof s->text, "{ compute_at(%s, %s); }", made->target, used->loop[at].name);
    used->before = p;
    used->before_at = at;
    return 1;
}

static int draw_step(step *s, const small_func *from)
{
    static const char *const axes[] = { "global.x", "global.y", "global.z" };
    static const char *const bound[] = { "bind(global.x) ", "bind(global.y) ", "bind(global.z) " };
    small_func *f = &s->now;
    small_loop *l;
    int         nest, at, axis, k;
    *f = *from;
    f->has_history = 1;
    s->what = (kind)random_below(KINDS + 12);
    if (s->what >= KINDS) s->what = (kind)(REORDER + (s->what - KINDS) % (KINDS - REORDER));
    s->is_right = 0;
    switch (s->what) {
    case MERGE: return draw_merge(s, f);
    case REORDER: return draw_reorder(s, f);
    case CACHE_READ: return draw_cache(s, f);
    case COMPUTE_INLINE: return draw_move(s, f);
    case COMPUTE_AT: case REVERSE_COMPUTE_AT:
        for (k = 0; k < 12; k++) { /* few pairs of nests fit */
            *f = *from;
            f->has_history = 1;
            if (draw_move(s, f)) return 1;
        }
        return 0;
    default: break;
    }
    l = draw_loop(f, &nest, &at);
    if (l->kind[0]) return 0;
    switch (s->what) {
    case SPLIT:
        snprintf(s->text, sizeof s->text, "{ split(%s, %d); }", l->name, 1 + random_below(4));
        return s->is_right = 1;
    case UNROLL: snprintf(s->text, sizeof s->text, "{ unroll(%s); }", l->name); break;
    case PARTITION:
        snprintf(s->text, sizeof s->text, "{ partition(%s, %d); }", l->name, 1);
        return s->is_right = 1;
    case FUSE:
        if (at < 0 || at + 1 >= f->nest[nest].loop_count || l[1].kind[0]) return 0;
        snprintf(s->text, sizeof s->text, "{ fuse(%s, %s); }", l->name, l[1].name);
        return s->is_right = 1;
    case PARALLEL:
        l->kind = "parallel ";
        snprintf(s->text, sizeof s->text, "{ parallel(%s); }", l->name);
        return 1;
    case VECTORIZE:
        l->kind = "vectorized ";
        snprintf(s->text, sizeof s->text, "{ vectorize(%s); }", l->name);
        return 1;
    default:
        axis = random_below(3);
        l->kind = bound[axis];
        snprintf(s->text, sizeof s->text, "{ bind(%s, %s); }", l->name, axes[axis]);
        return 1;
    }
    return s->is_right = 1;
}

/* ------------------------------------------------------------------ two iterations and a cell */

typedef struct witness {
    const irl_witness *is;
    char cell[2][200];
    int  count[2];
    char var[2][8][8];
    int  value[2][8];
    int  nest[2];
} witness;

/* What the refusal shows; 0: it shows none. */
static int take_witness(const irl_step_refusal *r, witness *w)
{
    int which, k;
    memset(w, 0, sizeof *w);
    if (!r || !r->witness.access[0].text || r->witness.doubt) return 0;
    CHECK(r->witness.parameter_count == 0 && r->witness.cell != NULL);
    w->is = &r->witness;
    for (which = 0; which < 2; which++) {
        const irl_witness_access *a = &r->witness.access[which];
        snprintf(w->cell[which], sizeof w->cell[which], "%s", a->text);
        for (k = 0; CHECK(a->value_count <= 8) && k < a->value_count; k++) {
            snprintf(w->var[which][k], sizeof w->var[which][k], "%s", a->values[k].name);
            w->value[which][k] = (int)a->values[k].value;
        }
        w->count[which] = k;
    }
    return 1;
}

/* The nest whose loops these are, and whether the values are iterations of theirs. */
static int find_nest(const small_func *f, const witness *w, int which)
{
    int k, j, n;
    for (n = 0; n < f->nest_count; n++) {
        int known = 0, inside = 0;
        for (k = 0; k < w->count[which]; k++)
            for (j = -1; j < f->nest[n].loop_count; j++) {
                const small_loop *l = j < 0 ? &f->around : &f->nest[n].loop[j];
                if (strcmp(w->var[which][k], l->name)) continue;
                known += j >= 0;
                inside += w->value[which][k] >= l->first &&
                          w->value[which][k] < l->first + l->extent;
            }
        if (known == f->nest[n].loop_count && inside == w->count[which]) return n;
    }
    return -1;
}

static void put_values(const witness *w, int which, char *text, size_t room)
{
    int k;
    for (k = 0; k < w->count[which]; k++) {
        char value[16];
        snprintf(value, sizeof value, "%d", w->value[which][k]);
        small_replace(text, room, w->var[which][k], value);
    }
}

/* Are the two accesses of the cell that is named? Their indices are computed by the interpreter. */
static int is_one_cell(const witness *w)
{
    static char text[SMALL_FUNC];
    memory      m;
    small_out   o;
    int         k, rank[2];
    o.text = text;
    o.used = 0;
    o.room = sizeof text;
    small_put(&o, "func f(" SMALL_PARAMS ") {\n");
    for (k = 0; k < 2; k++) {
        char  cell[200], line[300], *at, *from;
        int   depth = 0;
        snprintf(cell, sizeof cell, "%s", w->cell[k]);
        put_values(w, k, cell, sizeof cell);
        at = strchr(cell, '[');
        if (!at || strncmp(w->cell[0], w->cell[1], (size_t)(at - cell) + 1)) return 0;
        rank[k] = 0;
        for (from = ++at; *at; at++) {
            depth += *at == '(' || *at == '[';
            if ((*at == ',' && depth == 0) || (*at == ']' && depth == 0)) {
                snprintf(line, sizeof line, "y0[%d, %d] = u32(%.*s);\n", k, rank[k]++,
                         (int)(at - from), from);
                small_put(&o, line);
                from = at + 1;
            }
            depth -= *at == ')' || *at == ']';
        }
    }
    small_put(&o, "}\n");
    fill(&m, 1);
    if (!run_text(text, &m) || rank[0] != w->is->cell_rank || rank[1] != rank[0]) return 0;
    for (k = 0; k < rank[0]; k++)
        if (m.cell[2][k] != (uint32_t)w->is->cell[k] ||
            m.cell[2][SMALL_SIDE + k] != (uint32_t)w->is->cell[k])
            return 0;
    return 1;
}

/* One iteration alone. `old`: what it reads was copied before. */
static void print_iteration(const small_func *f, const witness *w, int which, int old, small_out *o)
{
    static const char *const from[] = { "y0", "y1", "y2", "t0", "t1" };
    const small_nest *n = &f->nest[w->nest[which]];
    char              text[SMALL_TEXT * 2];
    int               k, j;
    if (n->guard[0]) {
        snprintf(text, sizeof text, "if (%s) {\n", n->guard);
        put_values(w, which, text, sizeof text);
        small_put(o, text);
    }
    for (k = 0; k < n->store_count; k++) {
        char *value;
        snprintf(text, sizeof text, "%s\n", n->store[k]);
        put_values(w, which, text, sizeof text);
        value = strchr(text, '=');
        for (j = 0; old && j < 5; j++) {
            char with[4];
            snprintf(with, sizeof with, "o%s", from[j]);
            small_replace(value, SMALL_TEXT, from[j], with);
        }
        small_put(o, text);
    }
    if (n->guard[0]) small_put(o, "}\n");
}

typedef enum order { IN_ORDER, SWAPPED, AT_ONCE } order;

static void run_two(const small_func *f, const witness *w, order how, memory *m)
{
    static char text[SMALL_FUNC];
    small_out   o;
    o.text = text;
    o.used = 0;
    o.room = sizeof text;
    small_put(&o, "func f(" SMALL_PARAMS ") {\nalloc t0: u32[6, 6]; alloc t1: u32[6];\n"
                  "alloc oy0: u32[6, 6]; alloc oy1: u32[6, 6]; alloc oy2: u32[6];\n"
                  "alloc ot0: u32[6, 6]; alloc ot1: u32[6];\n"
                  "for (i: 6, j: 6) { t0[i, j] = a0[i, j] * 11; oy0[i, j] = y0[i, j]; "
                  "oy1[i, j] = y1[i, j]; ot0[i, j] = t0[i, j]; }\n"
                  "for (i: 6) { t1[i] = a1[i] * 11; ot1[i] = t1[i]; oy2[i] = y2[i]; }\n");
    print_iteration(f, w, how == SWAPPED, how == AT_ONCE, &o);
    print_iteration(f, w, how != SWAPPED, how == AT_ONCE, &o);
    /* what is in temporaries is seen too */
    small_put(&o, "for (i: 6, j: 6) a0[i, j] = t0[i, j]; for (i: 6) a1[i] = t1[i]; }\n");
    fill(m, 77);
    CHECK(run_text(text, m));
}

typedef struct count {
    int tried, done, right, right_refused, right_unknown, shown, located, unlike;
} count;
static count counts[KINDS];
static int   verbose;

/* The message is written from the parts. */
static void check_said(const irl_step_refusal *r, const char *said)
{
    const irl_witness *w = &r->witness;
    int                which, k;
    for (which = 0; which < 2; which++) {
        char   part[300];
        size_t used = (size_t)snprintf(part, sizeof part, "%s", w->access[which].text);
        for (k = 0; k < w->access[which].value_count; k++)
            used += (size_t)snprintf(part + used, sizeof part - used, "%s%s = %d",
                                     k ? ", " : " at ", w->access[which].values[k].name,
                                     (int)w->access[which].values[k].value);
        CHECK(strstr(said, part) != NULL);
        CHECK(strncmp(w->access[which].text, w->access[which].buffer,
                      strlen(w->access[which].buffer)) == 0 &&
              strcmp(w->access[which].buffer, w->buffer) == 0);
    }
    CHECK(w->access[0].writes || w->access[1].writes);
    CHECK(strncmp(said, "text:1:3: error: ", 17) == 0 &&
          strncmp(said + 17, r->reason, strlen(r->reason)) == 0);
}

static void check_witness(const small_func *f, const step *s, const irl_step_refusal *r,
                          const char *said, count *c)
{
    witness w;
    memory  one, two;
    int     k, differs;
    if (!take_witness(r, &w)) {
        CHECK(!strstr(said, "are one element"));
        return;
    }
    check_said(r, said);
    c->shown++;
    for (k = 0; k < 2; k++) w.nest[k] = find_nest(f, &w, k);
    if (w.nest[0] < 0 || w.nest[1] < 0) return;
    if ((s->what == REVERSE_COMPUTE_AT || s->what == MERGE) && w.nest[0] == w.nest[1])
        return; /* the loop has the variable of the one that it went into */
    if (s->what == COMPUTE_INLINE) f = &s->now; /* a load that stands there after the step */
    c->located++;
    if (!CHECK(is_one_cell(&w))) printf("%s\n%s\n", s->text, said);
    run_two(f, &w, IN_ORDER, &one);
    run_two(f, &w, SWAPPED, &two);
    differs = memcmp(&one, &two, sizeof one) != 0;
    run_two(f, &w, AT_ONCE, &two);
    differs |= memcmp(&one, &two, sizeof one) != 0;
    c->unlike += !differs;
    if (!differs && verbose) printf("SAME %s\n%s\n", s->text, said);
}

/* ------------------------------------------------------------------ one step */

static int is_right(const step *s, const memory *history)
{
    static char text[SMALL_FUNC];
    memory      m;
    if (s->is_right) return 1;
    small_print(&s->now, text, sizeof text);
    fill(&m, 9);
    return run_text(text, &m) &&
           memcmp(&m, history, s->now.has_history ? sizeof m : 5 * sizeof m.cell[0]) == 0;
}

static void try_step(irl_ctx *cx, const irl_func *f, const small_func *model, const step *s,
                     const memory *expected, const memory *history)
{
    count          *c = &counts[s->what];
    const int       right = is_right(s, history);
    const irl_mark  mark = irl_ctx_mark(cx);
    const irl_func *g = irl_schedule_parse(f, s->text, IRL_TO_NUL, NULL);
    memory          m;
    c->tried++;
    c->right += right;
    if (g) {
        c->done++;
        fill(&m, 5);
        if (!CHECK(run_func(g, &m) && memcmp(&m, expected, sizeof m) == 0))
            printf("%s\n%s%s%s\n", s->text, irl_func_text(f), irl_func_text(g), irl_diag_text(cx));
    } else {
        const char *said = irl_diag_text(cx);
        const int   unknown = strstr(said, "as far as is known") != NULL;
        c->right_unknown += right && unknown;
        c->right_refused += right && !unknown;
        if (right && verbose) printf("RIGHT %s\n%s%s\n", s->text, irl_func_text(f), said);
        check_witness(model, s, irl_schedule_refusal(cx), said, c);
    }
    irl_ctx_rewind(cx, mark);
}

static void check_function(void)
{
    static char text[SMALL_FUNC];
    static step s;
    small_func  model;
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f;
    memory      expected, history;
    int         k;
    small_draw(&model);
    small_print(&model, text, sizeof text);
    f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    CHECK_OK(cx);
    fill(&expected, 5);
    fill(&history, 9);
    model.has_history = 1;
    small_print(&model, text, sizeof text);
    if (run_func(f, &expected) && run_text(text, &history))
        for (k = 0; k < STEPS; k++)
            if (draw_step(&s, &model)) try_step(cx, f, &model, &s, &expected, &history);
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    int   k, total = argc > 3 ? atoi(argv[3]) : TEST_COUNT(3000);
    count all;
    if (argc > 1) random64_seed(argv[1]);
    verbose = argc > 2;
    for (k = 0; k < total; k++) check_function();
    memset(&all, 0, sizeof all);
    printf("%-20s tried   done  right  of them refused, unknown; refusals that show, compared, "
           "the same in any order\n", "");
    for (k = 0; k <= KINDS; k++) { /* at most 2 % of each that are right */
        const count *c = k < KINDS ? &counts[k] : &all;
        printf("%-20s %5d  %5d  %5d  %5d %5d;  %5d %5d %5d\n", k < KINDS ? kind_names[k] : "all",
               c->tried, c->done, c->right, c->right_refused, c->right_unknown, c->shown,
               c->located, c->unlike);
        if (k < KINDS && c->right >= 150) CHECK(c->right_refused * 50 <= c->right);
        all.tried += c->tried;
        all.done += c->done;
        all.right += c->right;
        all.right_refused += c->right_refused;
        all.right_unknown += c->right_unknown;
        all.shown += c->shown;
        all.located += c->located;
        all.unlike += c->unlike;
    }
    CHECK(all.right_refused * 50 <= all.right);
    CHECK(all.unlike * 100 <= all.located);
    CHECK(getenv("IRL_SLOW") || argc > 3 || all.right >= 5000);
    return test_done();
}
