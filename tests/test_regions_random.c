/* test_regions_random.c - what parts of random nests touch, against a look at every iteration:
   guards, names in bounds, triangles, negative and large factors, / and %, min, max, choices, empty
   loops, numbers at the ends of 64 bits. Every cell lies in the box; a box that is exact has no
   other; what is exact and was not known to be is counted. Blocks with declared regions, and the
   kinds of their axes: every witness is replayed. Arguments: how many; a first one to show. */
#include <stddef.h>

#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/analysis/analysis.h"
#endif
#include "random64.h"
#include "random_nests.h"
#include "test.h"

enum { CELLS = 4 * NEST_MOST, SHIFT = 100, OUTER = NEST_LOOPS + NEST_PARAMS };

static int is_loud;
static int boxes, exact, missed, tight, loose, no_value;
static int inside, escaped, escape_unknown, spatial, opaque, unknown_axis;

/* ------------------------------------------------------------------ the model */

typedef struct cells {
    int     count, is_broken, is_over; /* a number has no value; there are too many */
    int64_t at[CELLS][NEST_RANK];
    int64_t var[CELLS][NEST_VARS];
    int     which[CELLS];
} cells;

static void add_cell(const nest *n, int which, const int64_t *var, cells *list)
{
    int64_t guard, cell[NEST_RANK];
    int     k;
    if (n->guard[which] >= 0) {
        if (!nest_value(n, n->guard[which], var, &guard)) {
            list->is_broken = 1;
            return;
        }
        if (!guard) return;
    }
    memset(cell, 0, sizeof cell);
    for (k = 0; k < n->rank; k++)
        if (!nest_value(n, n->index[which][k], var, &cell[k])) {
            list->is_broken = 1;
            return;
        }
    if (list->count == CELLS) {
        list->is_over = 1;
        return;
    }
    memcpy(list->at[list->count], cell, sizeof cell);
    memcpy(list->var[list->count], var, NEST_VARS * sizeof *var);
    list->which[list->count++] = which;
}

/* Those of one store, from loop k on. */
static void add_cells(const nest *n, int which, int k, int64_t *var, cells *list)
{
    int64_t min, extent, j;
    if (list->is_over) return;
    if (k == nest_loops(n, which)) {
        add_cell(n, which, var, list);
        return;
    }
    if (!nest_value(n, n->min[which][k], var, &min) ||
        !nest_value(n, n->extent[which][k], var, &extent)) {
        list->is_broken = 1;
        return;
    }
    if (extent > CELLS) list->is_over = 1;
    for (j = 0; j < extent && !list->is_over; j++) {
        var[NEST_PARAMS + k] = min + j;
        add_cells(n, which, k + 1, var, list);
    }
}

/* ------------------------------------------------------------------ one nest */

typedef struct one {
    nest               n;
    irl_ctx           *cx;
    irl_func          *f;
    irl__accesses      t;
    irl__path          path;
    const irl__around *block; /* NULL: there is none */
    int                number, stores; /* of the two, or the first alone */
    const char        *text;
} one;

static void show(const one *o, const char *what)
{
    printf("case %d, %s:\n%s\n", o->number, what, o->text);
}

/* Loops around, as a part is told of them: variables, or axes of the block. */
static int outer_vars(const one *o, int count, const int64_t *var, const irl_expr **vars,
                      int64_t *values)
{
    int k;
    for (k = 0; k < NEST_PARAMS; k++) {
        vars[k] = o->f->params[k].var;
        values[k] = var[k];
    }
    for (k = 0; k < count; k++) {
        vars[NEST_PARAMS + k] =
            o->block ? o->block->stmt->u.block->axes[k].var : o->t.loops[k]->var;
        values[NEST_PARAMS + k] = var[NEST_PARAMS + k] + (o->block ? SHIFT : 0);
    }
    return NEST_PARAMS + count;
}

typedef struct hull {
    int     has_value;
    int64_t first[NEST_RANK], last[NEST_RANK];
} hull;

static hull box_at(const one *o, const irl__region_box *b, int outer, const int64_t *var)
{
    const irl_expr *vars[OUTER];
    int64_t         values[OUTER];
    int             count = outer_vars(o, outer, var, vars, values), k;
    hull            h;
    memset(&h, 0, sizeof h);
    for (k = 0; k < o->n.rank; k++)
        if (irl__value_at(b->first[k], count, vars, values, &h.first[k]) != IRL__FOLD_OK ||
            irl__value_at(b->last[k], count, vars, values, &h.last[k]) != IRL__FOLD_OK)
            return h;
    h.has_value = 1;
    return h;
}

static int is_in(const one *o, const hull *h, const int64_t *cell)
{
    int k;
    for (k = 0; k < o->n.rank; k++)
        if (cell[k] < h->first[k] || cell[k] > h->last[k]) return 0;
    return 1;
}

static int in_buffer(const one *o, const int64_t *cell)
{
    int k;
    for (k = 0; k < o->n.rank; k++)
        if (cell[k] < 0 || cell[k] >= 1000) return 0;
    return 1;
}

static int distinct(const one *o, const cells *list)
{
    int k, j, count = 0;
    for (k = 0; k < list->count; k++) {
        for (j = 0; j < k; j++)
            if (memcmp(list->at[j], list->at[k], (size_t)o->n.rank * sizeof(int64_t)) == 0) break;
        count += j == k;
    }
    return count;
}

/* How many cells a box has; at most CELLS + 1 are told apart. */
static int volume(const one *o, const hull *h)
{
    int64_t v = 1, extent;
    int     k;
    for (k = 0; k < o->n.rank; k++) {
        if (h->last[k] < h->first[k]) return 0;
        extent = (int64_t)((uint64_t)h->last[k] - (uint64_t)h->first[k]);
        if (extent < 0 || extent > CELLS) extent = CELLS;
        v *= extent + 1;
    }
    return v > CELLS ? CELLS + 1 : (int)v;
}

static int is_tight(const one *o, const hull *h, const cells *list)
{
    int k, j;
    for (k = 0; k < o->n.rank; k++) {
        int low = 0, high = 0;
        for (j = 0; j < list->count; j++) {
            low |= list->at[j][k] == h->first[k];
            high |= list->at[j][k] == h->last[k];
        }
        if (!low || !high) return 0;
    }
    return 1;
}

typedef struct seen {
    int runs, full, holds; /* runs of the part with all cells known; those where the box is full */
} seen;

/* One run of the part: the loops 0 .. outer - 1 have these values. */
static void one_run(one *o, const irl__region_box *b, int outer, int64_t *var, seen *s)
{
    static cells list;
    hull         h = box_at(o, b, outer, var);
    int          which, k;
    memset(&list, 0, offsetof(cells, at));
    for (which = 0; which < o->stores; which++) add_cells(&o->n, which, outer, var, &list);
    if (!h.has_value) {
        no_value++;
        if (!list.is_broken && !list.is_over && list.count == 0) return;
        s->holds &= !b->is_exact || list.is_broken;
        return;
    }
    for (k = 0; k < list.count; k++)
        if (in_buffer(o, list.at[k]) && !CHECK(is_in(o, &h, list.at[k]))) {
            show(o, "a cell outside of the box");
            printf("part with %d loops around, n = %lld, m = %lld: cell %lld, %lld; box %lld.. "
                   "%lld\n",
                   outer, (long long)var[0], (long long)var[1], (long long)list.at[k][0],
                   (long long)list.at[k][1], (long long)h.first[0], (long long)h.last[0]);
            return;
        }
    if (list.is_broken || list.is_over) return;
    s->runs++;
    k = volume(o, &h) == distinct(o, &list);
    s->full += k;
    if (b->is_exact && !CHECK(k)) {
        show(o, "a box that is not full");
        printf("part with %d loops around, n = %lld, m = %lld, i = %lld: %d cells, box %lld .. "
               "%lld, %lld .. %lld\n",
               outer, (long long)var[0], (long long)var[1], (long long)var[2],
               distinct(o, &list), (long long)h.first[0], (long long)h.last[0],
               (long long)h.first[1], (long long)h.last[1]);
    }
    if (list.count) {
        if (is_tight(o, &h, &list)) tight++;
        else loose++;
    }
}

static void runs(one *o, const irl__region_box *b, int outer, int k, int64_t *var, seen *s)
{
    int64_t min, extent, j;
    if (s->runs > 200) return;
    if (k == outer) {
        one_run(o, b, outer, var, s);
        return;
    }
    if (!nest_value(&o->n, o->n.min[0][k], var, &min) ||
        !nest_value(&o->n, o->n.extent[0][k], var, &extent))
        return;
    for (j = 0; j < extent && j < CELLS; j++) {
        var[NEST_PARAMS + k] = min + j;
        runs(o, b, outer, k + 1, var, s);
    }
}

static const int64_t tried[NEST_TRIES][NEST_PARAMS] = {
    { 3, 2 }, { 1, 4 }, { 0, 3 }, { 4, -1 }, { 5, 5 }
};

static void one_part(one *o, const irl__around *part, int outer)
{
    irl__regions r;
    int64_t      var[NEST_VARS];
    seen         s;
    int          k;
    if (!CHECK(irl__regions_of(&r, &o->path, part)) || !CHECK(r.count == 1)) return;
    memset(&s, 0, sizeof s);
    s.holds = 1;
    for (k = 0; k < NEST_TRIES; k++) {
        memset(var, 0, sizeof var);
        memcpy(var, tried[k], sizeof tried[k]);
        runs(o, &r.list[0], outer, 0, var, &s);
    }
    boxes++;
    if (r.list[0].is_exact) exact++;
    else if (s.runs && s.full == s.runs) {
        missed++;
        if (is_loud) {
            irl__text t;
            show(o, "exact, and not known to be");
            irl__text_init(&t, o->cx);
            for (k = 0; k < o->n.rank; k++)
                irl__textf(&t, "[%s .. %s] ", irl_expr_text(o->cx, r.list[0].first[k]),
                           irl_expr_text(o->cx, r.list[0].last[k]));
            printf("part with %d loops around: %s\n", outer, irl__text_done(&t));
        }
    }
}

/* ------------------------------------------------------------------ blocks */

/* The text with the common loops' variables, inside of the block, as its axes: i2 is v2 - 100. */
static void block_text(const nest *n, const char *region, char *out)
{
    static char inner[NEST_TEXT];
    const char *p;
    int         k;
    out += sprintf(out, "func f(n: index, m: index, y: f32[%s]) { ",
                   n->rank == 1 ? "1000" : "1000, 1000");
    for (k = 0; k < n->common; k++) out = nest_print_loop(n, 0, k, out);
    out += sprintf(out, "block b(");
    for (k = 0; k < n->common; k++)
        out += sprintf(out, "%sv%d: reduce(%d) = i%d + %d", k ? ", " : "", k, 4 * SHIFT, k, SHIFT);
    out += sprintf(out, ")%s { ", region);
    *nest_print_store(n, 1, nest_print_store(n, 0, inner)) = '\0';
    for (p = inner; *p; p++) {
        if (*p == 'i' && p[1] >= '0' && p[1] <= '9') {
            out += sprintf(out, "(v%c - %d)", *++p, SHIFT);
            continue;
        }
        *out++ = *p;
    }
    sprintf(out, "} }");
}

/* Is the store reached there, and outside of what is declared, and in its buffer? */
static int is_escape(const one *o, const irl__declared_finding *g, const hull *declared)
{
    const int which = o->t.list[g->row].place->u.store.value->u.f > 1.5;
    int64_t   var[NEST_VARS], cell[NEST_RANK];
    int       k, j;
    memset(var, 0, sizeof var);
    for (k = 0; k < g->point.count; k++) {
        const irl_expr *v = g->point.vars[k];
        for (j = 0; j < NEST_PARAMS; j++)
            if (v == o->f->params[j].var) var[j] = g->point.values[k];
        if (v->u.name[0] == 'i' || v->u.name[0] == (which ? 'b' : 'a'))
            var[NEST_PARAMS + v->u.name[1] - '0'] = g->point.values[k];
    }
    if (!nest_reaches(&o->n, which, var, cell)) return 0;
    return in_buffer(o, cell) && !is_in(o, declared, cell);
}

static int escapes(const one *o, const hull *declared)
{
    static cells list;
    int64_t      var[NEST_VARS];
    int          k, j, which;
    for (k = 0; k < NEST_TRIES; k++) {
        memset(&list, 0, offsetof(cells, at));
        memset(var, 0, sizeof var);
        memcpy(var, tried[k], sizeof tried[k]);
        for (which = 0; which < 2; which++) add_cells(&o->n, which, 0, var, &list);
        for (j = 0; j < list.count; j++) {
            if (in_buffer(o, list.at[j]) && !is_in(o, declared, list.at[j])) return 1;
        }
    }
    return 0;
}

static void check_declared(one *o, const hull *declared)
{
    irl__declared d;
    int           k, proved = 0, open = 0;
    if (!CHECK(irl__declared_of(&d, &o->t))) return;
    for (k = 0; k < d.count; k++) {
        if (d.list[k].answer == IRL_YES) {
            proved = 1;
            if (!CHECK(is_escape(o, &d.list[k], declared))) show(o, "no escape");
        } else open = 1;
    }
    if (d.count == 0 && !CHECK(!escapes(o, declared))) show(o, "an escape that is not found");
    if (!o->n.is_product) {
        inside += d.count == 0;
        escaped += proved;
        escape_unknown += open && !proved;
    }
}

/* Do two stores in instances that differ in axis k meet? */
static int collide(const one *o, int axis)
{
    static cells list;
    int64_t      var[NEST_VARS];
    int          k, x, y, which;
    for (k = 0; k < NEST_TRIES; k++) {
        memset(&list, 0, offsetof(cells, at));
        memset(var, 0, sizeof var);
        memcpy(var, tried[k], sizeof tried[k]);
        for (which = 0; which < 2; which++) add_cells(&o->n, which, 0, var, &list);
        for (x = 0; x < list.count; x++)
            for (y = 0; y < x; y++)
                if (list.var[x][NEST_PARAMS + axis] != list.var[y][NEST_PARAMS + axis] &&
                    memcmp(list.at[x], list.at[y], (size_t)o->n.rank * sizeof(int64_t)) == 0)
                    return 1;
    }
    return 0;
}

static int is_collision(const one *o, const irl__meeting *m, int axis)
{
    int64_t var[2][NEST_VARS], cell[2][NEST_RANK];
    int     c, k, j;
    for (c = 0; c < 2; c++) {
        const irl__access *a = c ? m->b : m->a;
        const int          which = a->place->u.store.value->u.f > 1.5;
        const irl__around *loops[2 * NEST_LOOPS];
        memset(cell[c], 0, sizeof cell[c]);
        irl__access_loops(a, loops);
        for (k = 0; k < NEST_PARAMS; k++) var[c][k] = irl__meeting_at(m, o->f->params[k].var, 0);
        for (j = 0; j < nest_loops(&o->n, which); j++)
            var[c][NEST_PARAMS + j] = irl__meeting_at(m, loops[j]->var, c);
        if (!nest_reaches(&o->n, which, var[c], cell[c])) return 0;
    }
    return var[0][NEST_PARAMS + axis] != var[1][NEST_PARAMS + axis] &&
           memcmp(cell[0], cell[1], (size_t)o->n.rank * sizeof(int64_t)) == 0;
}

static void check_axis(one *o, int axis)
{
    irl__meeting   m;
    irl__axis_kind kind = irl__axis_kind_of(&o->t, o->block, axis, &m);
    CHECK(kind != IRL__KIND_REDUCE);
    if (kind == IRL__KIND_SPATIAL && !CHECK(!collide(o, axis))) show(o, "an axis is not spatial");
    if (kind == IRL__KIND_OPAQUE && m.answer == IRL_YES && !CHECK(is_collision(o, &m, axis)))
        show(o, "no collision");
    if (o->n.is_product) return;
    spatial += kind == IRL__KIND_SPATIAL;
    opaque += kind == IRL__KIND_OPAQUE && m.answer == IRL_YES;
    unknown_axis += kind == IRL__KIND_OPAQUE && m.answer != IRL_YES;
}

/* ------------------------------------------------------------------ the whole */

static int begin(one *o)
{
    o->cx = irl_ctx_create(NULL);
    o->f = irl_func_parse(o->cx, o->text, IRL_TO_NUL, NULL);
    if (irl_ok(o->cx)) return 1;
    if (!CHECK_CODE(o->cx, IRL_ERROR_OVERFLOW)) printf("%s\n", o->text); /* 5 + the largest */
    irl_ctx_destroy(o->cx);
    return 0;
}

/* The first store alone. */
static void single_text(const nest *n, char *out)
{
    int k;
    out += sprintf(out, "func f(n: index, m: index, y: f32[%s]) { ",
                   n->rank == 1 ? "1000" : "1000, 1000");
    for (k = 0; k < n->common; k++) out = nest_print_loop(n, 0, k, out);
    out = nest_print_store(n, 0, out);
    sprintf(out, "}");
}

static void as_loops(one *o, int stores)
{
    static char     text[NEST_TEXT];
    irl__arena_mark mark;
    int             k;
    o->stores = stores;
    if (stores == 1) single_text(&o->n, text);
    else nest_text(&o->n, text);
    o->text = text;
    if (!begin(o)) return;
    mark = irl__scratch_begin(o->cx);
    if (CHECK(irl__accesses_of(&o->t, o->f, NULL)) && CHECK(irl__path_begin(&o->path, &o->t))) {
        one_part(o, NULL, 0);
        for (k = 0; k < o->n.common; k++) one_part(o, o->t.loops[k], k);
    }
    CHECK_OK(o->cx);
    irl__scratch_end(o->cx, mark);
    irl_ctx_destroy(o->cx);
}

static hull some_region(const one *o, char *out)
{
    hull h;
    int  k;
    h.has_value = 1;
    out += sprintf(out, " writes(y[");
    for (k = 0; k < o->n.rank; k++) {
        h.first[k] = nest_between(-8, 4);
        h.last[k] = h.first[k] + nest_between(0, 24);
        out += sprintf(out, "%s(%d): %d", k ? ", " : "", (int)h.first[k],
                       (int)(h.last[k] - h.first[k] + 1));
    }
    sprintf(out, "])");
    return h;
}

static void as_block(one *o)
{
    static char     text[2 * NEST_TEXT];
    char            region[200];
    hull            declared = some_region(o, region);
    irl__arena_mark mark;
    int             k;
    block_text(&o->n, region, text);
    o->text = text;
    if (!begin(o)) return;
    mark = irl__scratch_begin(o->cx);
    if (CHECK(irl__accesses_of(&o->t, o->f, NULL)) && CHECK(irl__path_begin(&o->path, &o->t))) {
        for (k = 0; k < o->t.count && !o->block; k++)
            o->block = irl__around_next(o->t.list[k].around, IRL__AROUND_BLOCK);
        if (CHECK(o->block != NULL)) {
            one_part(o, o->block, o->n.common);
            check_declared(o, &declared);
            for (k = 0; k < o->n.common; k++) check_axis(o, k);
        }
    }
    CHECK_OK(o->cx);
    irl__scratch_end(o->cx, mark);
    irl_ctx_destroy(o->cx);
}

static void run(int number)
{
    static nest_iterations all[NEST_TRIES];
    one                    o;
    memset(&o, 0, sizeof o);
    o.number = number;
    nest_make(&o.n);
    if (!nest_iterate(&o.n, all)) return; /* too many */
    as_loops(&o, 1);
    as_loops(&o, 2);
    as_block(&o);
}

int main(int argc, char **argv)
{
    int count = getenv("IRL_SOAK") ? 20000 : getenv("IRL_SLOW") ? 60 : 1000, k;
    if (argc > 1) count = atoi(argv[1]);
    is_loud = argc > 2;
    for (k = 0; k < count; k++) run(k);
    printf("%d nests: %d boxes, %d exact, %d exact and not known to be, %d without a value; %d "
           "runs tight, %d not; blocks: %d inside, %d escape, %d not known; axes: %d spatial, %d "
           "not, %d not known\n",
           count, boxes, exact, missed, no_value, tight, loose, inside, escaped, escape_unknown,
           spatial, opaque, unknown_axis);
    return test_done();
}
