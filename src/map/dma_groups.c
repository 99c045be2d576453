/* dma_groups.c - the cells of a layout as copies, by axes whose places add up.

   needs     apply.c, dma_sequence.c, dma_grid.c
   promises  the copies contain each cell once; one copy if one suffices

   The place of a cell in memory is a sum over the outputs of the map. Axes that are in no common
   term add up: each such group of axes is examined alone, with all others at 0, and the list is the
   product of the groups' lists. */
#include "dma.h"

/* ------------------------------------------------------------------ which axes add up */

static int irl__dma_group(const irl__dma_ask *q, int axis)
{
    while (q->group[axis] != axis) axis = q->group[axis];
    return axis;
}

static void irl__dma_together(irl__dma_ask *q, int a, int b)
{
    a = irl__dma_group(q, a);
    b = irl__dma_group(q, b);
    if (a < b) q->group[b] = a;
    else q->group[a] = b;
}

/* A term of an output whose cells are `scale` apart: the axes in it belong together; one alone that
   is an axis by itself stays linear. */
static int irl__dma_term(void *user, const irl_expr *e, int64_t scale, const irl_expr *factor,
                         int is_fixed)
{
    irl__dma_ask *q = (irl__dma_ask *)user;
    irl__axes     axes;
    if (is_fixed) return 1;
    irl__expr_axes(q->map, &q->list->shape, e, &axes);
    for (int k = 1; k < axes.rank; k++) irl__dma_together(q, axes.axis[0], axes.axis[k]);
    if (axes.rank == 1 && e == q->map->inputs[axes.axis[0]])
        return !factor && irl__add64(q->linear[axes.axis[0]], scale, &q->linear[axes.axis[0]]);
    for (int k = 0; k < axes.rank; k++) q->is_linear[axes.axis[k]] = 0;
    return 1;
}

static int irl__dma_groups(irl__dma_ask *q)
{
    irl__affine_reader r = { q->cx, q, NULL, irl__dma_term, 0 };
    for (int k = 0; k < q->map->input_count; k++) {
        q->group[k] = k;
        q->is_linear[k] = 1;
        q->linear[k] = 0;
    }
    for (int k = 0; k < q->map->output_count; k++) {
        const irl_expr *e = irl__domain_output(&q->on, k);
        if (!e) return 0;
        if (irl__affine_read(&r, e, q->stride[k], NULL)) continue;
        for (int j = 0; j < q->map->input_count; j++) { /* a number leaves 64 bits */
            irl__dma_together(q, 0, j);
            q->is_linear[j] = 0;
        }
    }
    return 1;
}

/* ------------------------------------------------------------------ one group */

int irl__dma_places(irl__dma_ask *q, const int64_t *extent, int64_t *memory)
{
    irl__program p;
    irl__walk    walk;
    irl__budget  budget = irl__budget_of(NULL);
    int64_t      done = 0;
    int          n, i;
    if (!irl__program_of_map(q->cx, &p, q->on.an, q->map)) return 0;
    if (!irl__walk_within(&walk, &p, q->map->input_count, extent, &budget) ||
        !irl__work(q->cx, walk.total * (p.step_count + 4)))
        return irl__fail(q->cx, IRL_ERROR_UNDECIDED, q->map->loc, "examining %l cells takes more "
                         "steps than most_work allows", walk.total);
    while ((n = irl__walk_next(&walk, &p)) > 0) {
        if (!irl__program_run(&p, n)) return irl__program_fail(&p, q->map->loc);
        for (i = 0; i < n; i++) memory[done + i] = 0;
        for (int k = 0; k < q->map->output_count; k++) {
            /* indices lie within the memory, whose cells 63 bits count: nothing overflows */
            const int64_t *v = irl__program_output(&p, k);
            for (i = 0; i < n; i++) memory[done + i] += v[i] * q->stride[k];
        }
        done += n;
    }
    return 1;
}

/* All cells of the grid in row-major order, from 0 on in both memories. */
static irl__dma_cell *irl__dma_cells(irl__dma_ask *q, const irl__dma_grid *g, int64_t cells)
{
    irl__dma_cell *cell = IRL__SCRATCH(q->cx, irl__dma_cell, cells);
    int64_t at[IRL_MAX_RANK];
    for (int64_t k = 0; cell && k < cells; k++) {
        irl__point_of(g->rank, g->extent, k, at);
        for (int d = 0; d < g->rank; d++) cell[k].plain += at[d] * g->plain[d];
        cell[k].memory = g->memory[k] - g->memory[0];
    }
    return cell;
}

void irl__dma_point_text(irl__text *t, const irl__dma_ask *q, const int64_t *extent, int64_t k)
{
    int64_t at[IRL_MAX_RANK];
    irl__point_of(q->map->input_count, extent, k, at);
    irl__text_numbers(t, "()", q->map->input_count, at);
}

/* Cell k of a grid: a point, or the byte in which one begins or goes on. */
static void irl__dma_cell_text(irl__text *t, const irl__dma_ask *q, const int64_t *extent,
                               int64_t k)
{
    if (q->by_bytes) irl__text_puts(t, "the byte of ");
    irl__dma_point_text(t, q, extent, q->by_bytes ? k * 8 / q->bits.width : k);
}

/* Why the cells of one group are no nest: the reason of the list. */
static int irl__dma_why(irl__dma_ask *q, const int64_t *extent, const irl__dma_cell *cell,
                        const irl__dma_break *why)
{
    const char *cells = q->by_bytes ? "bytes" : "cells";
    irl__text   t;
    if (*q->list->reason) return 1; /* the first group said it */
    irl__text_init(&t, q->cx);
    irl__textf(&t, "no single nested copy: ");
    if (why->is_rest) {
        irl__textf(&t, "the %l %s from ", why->at, cells);
        irl__dma_cell_text(&t, q, extent, 0);
        irl__textf(&t, " on are one copy, but ");
        irl__dma_cell_text(&t, q, extent, why->at);
        irl__textf(&t, " is not part of it, and the number of all %s is not a multiple of %l",
                   cells, why->at);
    } else {
        const int64_t expected = cell[why->at - why->block].memory + cell[why->block].memory;
        irl__dma_cell_text(&t, q, extent, why->at);
        irl__textf(&t, " is %l %s after ", cell[why->at].memory,
                   q->by_bytes ? "bytes" : "elements");
        irl__dma_cell_text(&t, q, extent, 0);
        irl__textf(&t, "; a repetition of the %s before it would need %l", cells, expected);
    }
    q->list->reason = irl__text_or_empty(irl__text_done(&t));
    return irl__ok(q->cx);
}

int irl__dma_of_grid(irl__dma_ask *q, irl__dma_copies *out, irl__dma_grid *g,
                     const int64_t *extent, int64_t cells)
{
    irl__dma_cell  *cell = irl__dma_cells(q, g, cells), zero = { 0, 0 };
    irl__dma_level  levels[IRL__DMA_DEPTH];
    irl__dma_break  why;
    irl__dma_copies other = *out;
    int             count, ok = cell ? irl__dma_nest(q->cx, cells, cell, &count, levels, &why) : 0;
    if (ok >= 0) return ok && irl__dma_push(out, zero, count, levels);
    if (q->nest_only) {
        out->too_many = 1;
        return 1;
    }
    if (!irl__dma_why(q, extent, cell, &why) || !irl__dma_divide(out, g)) return 0;
    for (int64_t k = 0; k < stbds_arrlen(out->list); k++) out->list[k].first.memory -= g->memory[0];
    if (g->rank < 2 || stbds_arrlen(out->list) < 3) return 1;
    if (irl__dma_run_count(cells, cell) > IRL__DMA_RUNS) return 1;
    if (!irl__dma_sequence(&other, cells, cell)) return 0;
    if (!other.too_many && (out->too_many || stbds_arrlen(other.list) < stbds_arrlen(out->list)))
        *out = other;
    return 1;
}

static int irl__dma_of_group(irl__dma_ask *q, int group, irl__dma_copies *out)
{
    irl__dma_grid  g;
    irl__dma_level level;
    irl__dma_cell  zero = { 0, 0 };
    int64_t        extent[IRL_MAX_RANK], cells, *memory;
    int            is_alone = 1;
    for (int k = 0; k < q->map->input_count; k++)
        is_alone &= k == group || irl__dma_group(q, k) != group;
    if (is_alone && q->is_linear[group]) {
        level.count = q->list->shape.extent[group];
        level.plain = q->plain[group];
        level.memory = q->linear[group];
        return irl__dma_push(out, zero, level.count > 1, &level);
    }
    /* The grid of the group, without axes of one index. */
    memset(&g, 0, sizeof g);
    cells = 1;
    for (int k = 0; k < q->map->input_count; k++) {
        extent[k] = 1;
        if (irl__dma_group(q, k) != group || q->list->shape.extent[k] == 1) continue;
        extent[k] = q->list->shape.extent[k];
        if (!irl__mul64(cells, extent[k], &cells) || cells > IRL__DMA_CELLS)
            return irl__fail(q->cx, IRL_ERROR_UNDECIDED, q->map->loc,
                             "axes whose places do not add up have more than %l cells together",
                             IRL__DMA_CELLS);
        g.extent[g.rank] = extent[k];
        g.plain[g.rank++] = q->plain[k];
    }
    for (int k = g.rank; k-- > 0;)
        g.stride[k] = k == g.rank - 1 ? 1 : g.stride[k + 1] * g.extent[k + 1];
    memory = IRL__SCRATCH(q->cx, int64_t, cells);
    g.memory = memory;
    return memory && irl__dma_places(q, extent, memory) &&
           irl__dma_of_grid(q, out, &g, extent, cells);
}

/* ------------------------------------------------------------------ all groups */

/* Levels in order of their strides in plain memory, neighbours joined where they are one. */
static void irl__dma_order_levels(irl__dma_copy *c)
{
    int j, n = 0;
    for (int k = 1; k < c->level_count; k++) {
        const irl__dma_level one = c->levels[k];
        for (j = k; j > 0 && c->levels[j - 1].plain > one.plain; j--)
            c->levels[j] = c->levels[j - 1];
        c->levels[j] = one;
    }
    for (int k = 0; k < c->level_count; k++) {
        const irl__dma_level *below = n ? &c->levels[n - 1] : NULL;
        if (below && c->levels[k].plain == below->plain * below->count &&
            c->levels[k].memory == below->memory * below->count)
            c->levels[n - 1].count *= c->levels[k].count;
        else c->levels[n++] = c->levels[k];
    }
    c->level_count = n;
}

int irl__dma_join_all(irl__dma_ask *q)
{
    int64_t before;
    do { /* what is joined may be alike again */
        before = stbds_arrlen(q->all.list);
        for (int64_t k = 0; k < before; k++) irl__dma_order_levels(&q->all.list[k]);
        if (!irl__dma_join(&q->all)) return 0;
    } while (stbds_arrlen(q->all.list) < before);
    for (int64_t k = 0; k < before; k++) irl__dma_order_levels(&q->all.list[k]);
    return 1;
}

int irl__dma_all_groups(irl__dma_ask *q)
{
    irl__dma_copies one;
    irl__dma_cell   first = { 0, 0 };
    int64_t         extent[IRL_MAX_RANK];
    for (int k = 0; k < IRL_MAX_RANK; k++) extent[k] = 1;
    if (!irl__dma_groups(q) || !irl__dma_places(q, extent, &first.memory) ||
        !irl__dma_push(&q->all, first, 0, NULL))
        return 0;
    for (int k = q->map->input_count; k-- > 0;) {
        if (q->group[k] != k) continue;
        one = irl__dma_copies_begin(&q->all, q->all.most);
        if (!irl__dma_of_group(q, k, &one) || !irl__dma_multiply(&q->all, &one)) return 0;
        if (q->all.too_many) return 1;
    }
    return irl__dma_join_all(q);
}
