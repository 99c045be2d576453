/* lookup.c - the inverse as a table, if only examining every point could decide.

   needs     program.c
   promises  right for every reached cell, and the padding for every cell, because both are written
             down from the points. A table is a chain of straight runs over the cells in row-major
             order; one that would need more than IRL__LOOKUP_RUNS of them is not made */
#include "map.h"

enum { IRL__LOOKUP_RUNS = 48, IRL__LOOKUP_CELLS = 1 << 16 };

/* From cell `first` on the value is start + step * (cell - first). */
typedef struct irl__run {
    int64_t first, start, step;
    int     length; /* 1: the step is not known yet */
} irl__run;

typedef struct irl__lookup {
    irl_ctx        *cx;
    irl__analyzer  *an; /* knows the axes */
    int64_t         cells;
    const irl_expr *cell; /* its number, in terms of the axes */
    int32_t        *point; /* per cell: number of the point there, or -1 */
} irl__lookup;

/* The cells' values of one input as few runs; cells that no point reaches may hold anything. False
   if that takes too many. */
static int irl__lookup_runs(const irl__lookup *t, int64_t stride, int64_t extent, irl__run *runs,
                            int *count)
{
    irl__run *r = NULL;
    *count = 0;
    for (int64_t k = 0; k < t->cells; k++) {
        if (t->point[k] < 0) continue;
        int64_t v = t->point[k] / stride % extent;
        if (r && r->length == 1 && (v - r->start) % (k - r->first) == 0) {
            r->step = (v - r->start) / (k - r->first);
            r->length = 2;
            continue;
        }
        if (r && r->length > 1 && v == r->start + r->step * (k - r->first)) continue;
        if (*count == IRL__LOOKUP_RUNS) return 0;
        r = &runs[(*count)++];
        r->first = k;
        r->start = v;
        r->step = 0;
        r->length = 1;
    }
    return 1;
}

/* Halves: select(cell < first of the right half, left, right). */
static const irl_expr *irl__lookup_chain(const irl__lookup *t, const irl__run *runs, int count)
{
    const irl_expr *a[3];
    int             half = count / 2;
    if (count == 1) {
        const irl_expr *e;
        if (runs->step == 0) return irl_expr_index(t->cx, runs->start);
        int64_t c = runs->start - runs->step * runs->first;
        /* both below 2^17 */
        e = runs->step == 1 ? t->cell : irl__mul(t->cx, t->cell, irl_expr_index(t->cx, runs->step));
        return c == 0 ? e : irl__add(t->cx, e, irl_expr_index(t->cx, c));
    }
    a[0] = irl_expr_op2(t->cx, IRL_OP_LT, t->cell, irl_expr_index(t->cx, runs[half].first));
    a[1] = irl__lookup_chain(t, runs, half);
    a[2] = irl__lookup_chain(t, runs + half, count - half);
    return irl_expr_op3(t->cx, IRL_OP_SELECT, a[0], a[1], a[2]);
}

/* The segments of cells that no point reaches. */
static const irl_expr *irl__lookup_padding(const irl__lookup *t)
{
    const irl_expr *e = NULL, *part;
    int64_t         end;
    int             count = 0;
    for (int64_t k = 0; k < t->cells; k = end + 1) {
        for (end = k; end < t->cells && t->point[end] < 0; end++) continue;
        if (end == k) continue;
        if (++count > IRL__LOOKUP_RUNS) return NULL;
        part = end == k + 1 ? irl_expr_op2(t->cx, IRL_OP_EQ, t->cell, irl_expr_index(t->cx, k))
                            : irl_expr_op2(t->cx, IRL_OP_GE, t->cell, irl_expr_index(t->cx, k));
        if (end > k + 1 && end < t->cells)
            part = irl__and(t->cx, part,
                            irl_expr_op2(t->cx, IRL_OP_LT, t->cell, irl_expr_index(t->cx, end)));
        e = e ? irl_expr_op2(t->cx, IRL_OP_OR, e, part) : part;
    }
    return e ? e : irl__bool(t->cx, 0);
}

/* Fills t->point by looking at every point; false on failure. */
static int irl__lookup_fill(irl__lookup *t, irl__check *c)
{
    irl__program p;
    irl__walk    w;
    irl__cells   cells;
    int64_t      number[IRL__STRIP], done = 0;
    int          n;
    for (int64_t k = 0; k < t->cells; k++) t->point[k] = -1;
    if (!irl__program_of_map(c->cx, &p, NULL, c->map) ||
        !irl__cells_of(&cells, NULL, &c->v.physical))
        return 0;
    if (!irl__walk_begin(&w, c->v.shape.rank, c->v.shape.extent, IRL__LOOKUP_CELLS)) return 0;
    while ((n = irl__walk_next(&w, &p)) > 0) {
        if (!irl__program_run(&p, n)) return irl__program_fail(&p, c->map->loc);
        irl__cells_number(&cells, &p, n, number);
        for (int i = 0; i < n; i++) t->point[number[i]] = (int32_t)(done + i);
        done += n;
    }
    return 1;
}

/* The number of a cell from its axes; axes of extent 1 do not count. */
static const irl_expr *irl__lookup_cell(irl__check *c, const irl_expr *const *axes)
{
    const irl_expr *e = NULL;
    for (int k = 0; k < c->v.physical.rank; k++) {
        if (e && c->v.physical.extent[k] != 1)
            e = irl__mul(c->cx, e, irl_expr_index(c->cx, c->v.physical.extent[k]));
        if (c->v.physical.extent[k] != 1) e = e ? irl__add(c->cx, e, axes[k]) : axes[k];
    }
    return e ? e : irl_expr_index(c->cx, 0);
}

static int irl__lookup_make(irl__lookup *t, irl__check *c, const irl_expr *const *axes)
{
    irl__run        runs[IRL__LOOKUP_RUNS];
    const irl_expr *back[IRL_MAX_RANK], *padding;
    int64_t         stride = 1;
    int             count;
    for (int k = c->map->input_count - 1; k >= 0; k--) {
        if (!irl__lookup_runs(t, stride, c->v.shape.extent[k], runs, &count)) return -1;
        back[k] = irl__simplify(t->an, irl__lookup_chain(t, runs, count));
        if (!back[k]) return 0;
        stride *= c->v.shape.extent[k];
    }
    padding = irl__simplify(t->an, irl__lookup_padding(t));
    if (!padding) return irl__ok(c->cx) ? -1 : 0;
    c->v.inverse = irl__map_make(c->cx, c->map->output_count, axes, c->map->input_count, back, 0,
                                 NULL, c->map->loc);
    c->v.padding = padding;
    c->v.method = "table";
    return c->v.inverse != NULL;
}

int irl__lookup_inverse(irl__check *c)
{
    irl__lookup     t;
    const irl_expr *axes[IRL_MAX_RANK];
    irl__walk       w;
    int             ok;
    memset(&t, 0, sizeof t);
    t.cx = c->cx;
    t.cells = 1;
    for (int k = 0; k < c->v.physical.rank; k++)
        if (!irl__mul64(t.cells, c->v.physical.extent[k], &t.cells) || t.cells > IRL__LOOKUP_CELLS)
            return -1;
    /* no more than the cells: the map is injective */
    if (!irl__walk_begin(&w, c->v.shape.rank, c->v.shape.extent, t.cells) || w.total == 0)
        return -1;
    irl__arena_mark mark = irl__scratch_begin(c->cx);
    t.point = IRL__SCRATCH(c->cx, int32_t, t.cells);
    t.an = irl__analyzer_begin(c->cx);
    ok = t.point && t.an && irl__inverse_axes(c->cx, c->map->output_count, axes) &&
         irl__lookup_fill(&t, c);
    for (int k = 0; ok && k < c->map->output_count; k++)
        ok = irl__bind_range(t.an, axes[k], 0, c->v.physical.extent[k] - 1);
    t.cell = ok ? irl__lookup_cell(c, axes) : NULL;
    ok = t.cell ? irl__lookup_make(&t, c, axes) : 0;
    irl__scratch_end(c->cx, mark);
    return ok;
}
