/* dma.c - irl_dma_new: the copies between plain memory and the memory of a layout, as a list of
   nested strided transfers.

   needs     verdict.c, dma_sequence.c, dma_grid.c, dma_fit.c
   promises  packing writes each cell of the layout once, for the map is proved bijective or
             injective; unpacking writes each plain element once, whatever the map. One transfer is
             found wherever there is one

   The place of a cell in memory is a sum over the outputs of the map. Axes that no term of it
   has together add up: each such group of axes is looked at alone, with all others at 0, and the
   list is the product of the groups' lists. */
#include "dma.h"

/* One question in progress. */
typedef struct irl__dma_ask {
    irl_ctx                *cx;
    const irl_map          *map; /* of the shape's rank */
    const irl_dma_options  *how;
    irl_dma_list           *list;
    irl__domain             on;
    int                     group[IRL_MAX_RANK];  /* of axes: the least axis that it adds up with */
    int64_t                 linear[IRL_MAX_RANK]; /* the stride of an axis where all its terms are
                                                     its number times a constant */
    int                     is_linear[IRL_MAX_RANK];
    int64_t                 stride[IRL_MAX_RANK]; /* of outputs in memory */
    int64_t                 plain[IRL_MAX_RANK];  /* of axes in plain memory */
    irl__dma_copies         all;
} irl__dma_ask;

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

/* A term of an output whose cells are `scale` apart: an axis by itself, times a constant? */
static int irl__dma_linear_term(irl__dma_ask *q, const irl_expr *e, int axis, int64_t scale)
{
    int64_t by = 1;
    if (e->op == IRL_OP_MUL && e->a[1]->op == IRL_OP_INT) {
        by = e->a[1]->u.i;
        e = e->a[0];
    } else if (e->op == IRL_OP_MUL && e->a[0]->op == IRL_OP_INT) {
        by = e->a[0]->u.i;
        e = e->a[1];
    }
    return e == q->map->inputs[axis] && irl__mul64(by, scale, &by) &&
           irl__add64(q->linear[axis], by, &q->linear[axis]);
}

/* The terms of an output: sums are taken apart. Nests as deep as the expression, which is bounded
   by IRL_MAX_DEPTH. */
static void irl__dma_terms(irl__dma_ask *q, const irl_expr *e, int64_t scale)
{
    irl__axes axes;
    int       k;
    if (e->op == IRL_OP_ADD || e->op == IRL_OP_SUB) {
        irl__dma_terms(q, e->a[0], scale);
        irl__dma_terms(q, e->a[1], e->op == IRL_OP_SUB ? -scale : scale);
        return;
    }
    irl__expr_axes(q->map, &q->list->shape, e, &axes);
    for (k = 1; k < axes.rank; k++) irl__dma_together(q, axes.axis[0], axes.axis[k]);
    if (axes.rank == 1 && irl__dma_linear_term(q, e, axes.axis[0], scale)) return;
    for (k = 0; k < axes.rank; k++) q->is_linear[axes.axis[k]] = 0;
}

static int irl__dma_groups(irl__dma_ask *q)
{
    int k;
    for (k = 0; k < q->map->input_count; k++) {
        q->group[k] = k;
        q->is_linear[k] = 1;
        q->linear[k] = 0;
    }
    for (k = 0; k < q->map->output_count; k++) {
        const irl_expr *e = irl__domain_output(&q->on, k);
        if (!e) return 0;
        irl__dma_terms(q, e, q->stride[k]);
    }
    return 1;
}

/* ------------------------------------------------------------------ one group */

/* Where the points of a group of axes go, all others at 0, row-major over the group: into memory.
   The first point of all is in memory[0]. */
static int irl__dma_places(irl__dma_ask *q, const int64_t *extent, int64_t *memory)
{
    irl__program  p;
    irl__walk     walk;
    irl__budget   budget = irl__budget_of(NULL);
    int64_t       done = 0;
    int           n, k, i;
    if (!irl__program_make(q->cx, &p, q->on.an, q->map->input_count, q->map->inputs,
                           q->map->output_count, q->map->outputs))
        return 0;
    if (!irl__walk_within(&walk, &p, q->map->input_count, extent, &budget) ||
        !irl__work(q->cx, walk.total * (p.step_count + 4)))
        return irl__fail(q->cx, IRL_ERROR_UNDECIDED, q->map->loc,
                         "to look at %l cells takes more steps than the question may",
                         walk.total);
    while ((n = irl__walk_next(&walk, &p)) > 0) {
        if (!irl__program_run(&p, n)) return irl__program_fail(&p, q->map->loc);
        for (i = 0; i < n; i++) memory[done + i] = 0;
        for (k = 0; k < q->map->output_count; k++) {
            /* indices lie within the memory, whose cells 63 bits count: nothing overflows */
            const int64_t *v = irl__program_output(&p, k);
            for (i = 0; i < n; i++) memory[done + i] += v[i] * q->stride[k];
        }
        done += n;
    }
    return 1;
}

/* The grid of a group, without axes of one index; false if its cells are too many. */
static int irl__dma_grid_of(const irl__dma_ask *q, int group, irl__dma_grid *g, int64_t *extent,
                            int64_t *cells)
{
    int k;
    memset(g, 0, sizeof *g);
    *cells = 1;
    for (k = 0; k < q->map->input_count; k++) {
        extent[k] = 1;
        if (irl__dma_group(q, k) != group || q->list->shape.extent[k] == 1) continue;
        extent[k] = q->list->shape.extent[k];
        if (!irl__mul64(*cells, extent[k], cells) || *cells > IRL__DMA_CELLS) return 0;
        g->extent[g->rank] = extent[k];
        g->plain[g->rank++] = q->plain[k];
    }
    for (k = g->rank; k-- > 0;)
        g->stride[k] = k == g->rank - 1 ? 1 : g->stride[k + 1] * g->extent[k + 1];
    return 1;
}

/* All cells of the grid in row-major order, from 0 on in both memories. */
static irl__dma_cell *irl__dma_cells(irl__dma_ask *q, const irl__dma_grid *g, int64_t cells)
{
    irl__dma_cell *cell =
        (irl__dma_cell *)irl__scratch_alloc(q->cx, (size_t)cells, sizeof *cell);
    int64_t        at[IRL_MAX_RANK], k;
    int            d;
    for (k = 0; cell && k < cells; k++) {
        irl__point_of(g->rank, g->extent, k, at);
        for (d = 0; d < g->rank; d++) cell[k].plain += at[d] * g->plain[d];
        cell[k].memory = g->memory[k] - g->memory[0];
    }
    return cell;
}

/* Cell k of a grid's group as a point of the shape. */
static void irl__dma_point(irl__text *t, const irl__dma_ask *q, const int64_t *extent, int64_t k)
{
    int64_t at[IRL_MAX_RANK];
    int     d;
    irl__point_of(q->map->input_count, extent, k, at);
    for (d = 0; d < q->map->input_count; d++) irl__textf(t, d ? ", %l" : "(%l", at[d]);
    irl__text_puts(t, d ? ")" : "()");
}

/* Why the cells of one group are no nest: the reason of the list. */
static int irl__dma_why(irl__dma_ask *q, const int64_t *extent, const irl__dma_cell *cell,
                        const irl__dma_break *why)
{
    irl__text t;
    if (*q->list->reason) return 1; /* the first group said it */
    irl__text_init(&t, q->cx);
    irl__textf(&t, "no single nested copy: ");
    if (why->is_rest) {
        irl__textf(&t, "the %l cells from ", why->at);
        irl__dma_point(&t, q, extent, 0);
        irl__text_puts(&t, " on are one, ");
        irl__dma_point(&t, q, extent, why->at);
        irl__text_puts(&t, " is no part of it, and the cells are no whole number of such parts");
    } else {
        const int64_t expected = cell[why->at - why->block].memory + cell[why->block].memory;
        irl__dma_point(&t, q, extent, why->at);
        irl__textf(&t, " lies %l elements behind ", cell[why->at].memory);
        irl__dma_point(&t, q, extent, 0);
        irl__textf(&t, "; as the cells before it repeat it would be %l", expected);
    }
    q->list->reason = irl__text_or_empty(irl__text_done(&t));
    return irl__ok(q->cx);
}

/* Copies of the cells of one group, from 0 on in both memories. */
static int irl__dma_of_grid(irl__dma_ask *q, irl__dma_copies *out, irl__dma_grid *g,
                            const int64_t *extent, int64_t cells)
{
    irl__dma_cell  *cell = irl__dma_cells(q, g, cells), zero = { 0, 0 };
    irl__dma_level  levels[IRL__DMA_DEPTH];
    irl__dma_break  why;
    irl__dma_copies other = *out;
    int64_t         k;
    int             count, ok = cell ? irl__dma_nest(q->cx, cells, cell, &count, levels, &why) : 0;
    if (ok >= 0) return ok && irl__dma_push(out, zero, count, levels);
    if (!irl__dma_why(q, extent, cell, &why) || !irl__dma_divide(out, g)) return 0;
    for (k = 0; k < stbds_arrlen(out->list); k++) out->list[k].first.memory -= g->memory[0];
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
    int            k, is_alone = 1;
    for (k = 0; k < q->map->input_count; k++)
        is_alone &= k == group || irl__dma_group(q, k) != group;
    if (is_alone && q->is_linear[group]) {
        level.count = q->list->shape.extent[group];
        level.plain = q->plain[group];
        level.memory = q->linear[group];
        return irl__dma_push(out, zero, level.count > 1, &level);
    }
    if (!irl__dma_grid_of(q, group, &g, extent, &cells))
        return irl__fail(q->cx, IRL_ERROR_UNDECIDED, q->map->loc,
                         "axes whose places do not add up have more than %l cells together",
                         IRL__DMA_CELLS);
    memory = (int64_t *)irl__scratch_alloc(q->cx, (size_t)cells, sizeof *memory);
    g.memory = memory;
    return memory && irl__dma_places(q, extent, memory) &&
           irl__dma_of_grid(q, out, &g, extent, cells);
}

/* ------------------------------------------------------------------ all groups */

/* Levels in order of their strides in plain memory, neighbours joined where they are one. */
static void irl__dma_order_levels(irl__dma_copy *c)
{
    int k, j, n = 0;
    for (k = 1; k < c->level_count; k++) {
        const irl__dma_level one = c->levels[k];
        for (j = k; j > 0 && c->levels[j - 1].plain > one.plain; j--)
            c->levels[j] = c->levels[j - 1];
        c->levels[j] = one;
    }
    for (k = 0; k < c->level_count; k++) {
        const irl__dma_level *below = n ? &c->levels[n - 1] : NULL;
        if (below && c->levels[k].plain == below->plain * below->count &&
            c->levels[k].memory == below->memory * below->count)
            c->levels[n - 1].count *= c->levels[k].count;
        else c->levels[n++] = c->levels[k];
    }
    c->level_count = n;
}

static int irl__dma_all_groups(irl__dma_ask *q)
{
    irl__dma_copies one = q->all, next = q->all;
    irl__dma_cell   first = { 0, 0 };
    int64_t         extent[IRL_MAX_RANK], before;
    int             k;
    for (k = 0; k < IRL_MAX_RANK; k++) extent[k] = 1;
    if (!irl__dma_places(q, extent, &first.memory) || !irl__dma_push(&q->all, first, 0, NULL))
        return 0;
    for (k = q->map->input_count; k-- > 0;) {
        if (q->group[k] != k) continue;
        one.list = next.list = NULL;
        one.too_many = next.too_many = 0;
        if (!irl__dma_of_group(q, k, &one) || !irl__dma_product(&next, &q->all, &one)) return 0;
        q->all = next;
        if (next.too_many) return 1;
    }
    do { /* what is joined may be alike again */
        before = stbds_arrlen(q->all.list);
        for (k = 0; k < before; k++) irl__dma_order_levels(&q->all.list[k]);
        if (!irl__dma_join(&q->all)) return 0;
    } while (stbds_arrlen(q->all.list) < before);
    for (k = 0; k < before; k++) irl__dma_order_levels(&q->all.list[k]);
    return 1;
}

/* ------------------------------------------------------------------ the question */

/* The map's box, and that it may be copied through. */
static int irl__dma_judge(irl__dma_ask *q)
{
    irl_ctx    *cx = q->cx;
    irl_verdict v = irl__check_text(cx, q->map, q->list->shape);
    int         k;
    if (!irl__ok(cx)) return 0;
    if (irl__verdict_is_right(&v)) q->list->memory = v.memory;
    else if (v.kind != IRL_LOSSY || !q->how->unpack)
        return irl__fail(cx, v.code, q->map->loc, "nothing can be copied %s the layout: it is %s",
                         q->how->unpack ? "from" : "to", irl_verdict_text(cx, &v));
    else if (!irl_map_memory(cx, q->map, q->list->shape, &q->list->memory)) return 0;
    for (k = q->map->output_count; k-- > 0;) {
        const int last = k == q->map->output_count - 1;
        if (!irl__mul64(last ? 1 : q->stride[k + 1], last ? 1 : q->list->memory.extent[k + 1],
                        &q->stride[k]))
            return irl__fail(cx, IRL_ERROR_OVERFLOW, q->map->loc,
                             "the memory of the layout has more than 2^63 elements");
    }
    for (k = q->map->input_count; k-- > 0;)
        q->plain[k] = k == q->map->input_count - 1
                          ? 1
                          : q->plain[k + 1] * q->list->shape.extent[k + 1]; /* points: 63 bits */
    return 1;
}

static int64_t irl__dma_bytes_of(const irl_shape *shape, int64_t element)
{
    int64_t bytes = irl_shape_count(*shape);
    return bytes >= 0 && irl__mul64(bytes, element, &bytes) ? bytes : -1;
}

/* How many bytes are moved at a time: the most that the controller has and that make an element. */
static int irl__dma_beat(irl__dma_ask *q)
{
    const irl_dma_controller *c = q->list->controller;
    const irl_type            type = q->how->element.lanes ? q->how->element
                                                           : irl_type_of(IRL_F32, 1);
    int64_t                   beat;
    q->list->element = (int64_t)irl__type_bytes(type);
    q->list->beat = c ? 0 : q->list->element;
    for (beat = 1; c && beat <= 64; beat *= 2)
        if ((c->beats & beat) && q->list->element % beat == 0) q->list->beat = beat;
    if (q->list->element < 1 || !q->list->beat)
        return irl__fail(q->cx, IRL_ERROR_DMA_LIMIT, irl__nowhere(),
                         "%s moves no elements of %l bytes: none of its sizes divides that",
                         c ? c->name : "dma", q->list->element);
    return 1;
}

/* Elements become bytes, the innermost level a beat. Sizes of both memories fit 63 bits. */
static void irl__dma_in_bytes(const irl__dma_ask *q, const irl__dma_copy *c, irl__dma_work *w)
{
    const int64_t element = q->list->element, beat = q->list->beat;
    int           k;
    memset(w, 0, sizeof *w);
    w->source = (q->how->unpack ? c->first.memory : c->first.plain) * element;
    w->target = (q->how->unpack ? c->first.plain : c->first.memory) * element;
    if (element > beat) {
        w->level[0].count = element / beat;
        w->level[0].source = w->level[0].target = beat;
        w->level_count = 1;
    }
    for (k = 0; k < c->level_count; k++) {
        const irl__dma_level *from = &c->levels[k];
        irl_dma_level        *level = &w->level[w->level_count], *below = level - 1;
        level->count = from->count;
        level->source = (q->how->unpack ? from->memory : from->plain) * element;
        level->target = (q->how->unpack ? from->plain : from->memory) * element;
        if (w->level_count == 1 && element > beat && level->source == element &&
            level->target == element)
            below->count *= level->count;
        else w->level_count++;
    }
}

static int irl__dma_answer(irl__dma_ask *q)
{
    const int      n = (int)stbds_arrlen(q->all.list);
    irl_dma_list  *list = q->list;
    irl__dma_work *work;
    int            k;
    if (q->all.too_many)
        return irl__fail(q->cx, IRL_ERROR_DMA_LIST, q->map->loc,
                         "the layout is more than %l nested copies; %s", q->all.most,
                         list->reason);
    work = (irl__dma_work *)irl__scratch_alloc(q->cx, (size_t)n + 1, sizeof *work);
    if (!work) return 0;
    for (k = 0; k < n; k++) irl__dma_in_bytes(q, &q->all.list[k], &work[k]);
    list->copies = n;
    if (n <= 1) list->reason = "";
    /* where one nest was refused, two are the least; a list of none or one is */
    list->is_least = n <= 2;
    return irl__dma_fit(q->cx, list, q->all.most, q->how->split, n, work);
}

static int irl__dma_ask_all(irl__dma_ask *q)
{
    irl_dma_list *list = q->list;
    int           k, empty = 0;
    if (!irl__dma_beat(q) || !irl__dma_judge(q)) return 0;
    list->plain_bytes = irl__dma_bytes_of(&list->shape, list->element);
    list->memory_bytes = irl__dma_bytes_of(&list->memory, list->element);
    if (list->plain_bytes < 0 || list->memory_bytes < 0)
        return irl__fail(q->cx, IRL_ERROR_OVERFLOW, q->map->loc,
                         "the memory of the copy has more than 2^63 bytes");
    for (k = 0; k < list->shape.rank; k++) empty |= list->shape.extent[k] == 0;
    if (empty) return irl__dma_answer(q);
    return irl__domain_begin(&q->on, q->cx, q->map, &list->shape, NULL) && irl__dma_groups(q) &&
           irl__dma_all_groups(q) && irl__dma_answer(q);
}

/* A row that the other files may count on. */
static int irl__dma_controller_ok(irl_ctx *cx, const irl_dma_controller *c)
{
    int k, ok;
    if (!c) return 1;
    ok = c->name && c->beats > 0 && c->beats < 128 && c->level_count >= 1 &&
         c->level_count <= IRL_DMA_LEVELS && c->block_field && c->block_bytes >= 0 &&
         c->ring_field && c->ring_bits >= 0 && c->ring_bits < 48 &&
         (!c->ring_bits || c->level_count == 1);
    for (k = 0; ok && k < c->level_count; k++)
        ok = c->level[k].count_field && c->level[k].source_field && c->level[k].target_field &&
             c->level[k].most_count >= 0 && c->level[k].least_step <= c->level[k].most_step;
    return ok || irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, irl__nowhere(),
                           "a controller has 1 to %d levels, sizes of beats up to 64 bytes, names "
                           "that are not NULL and no limit below 0; one that wraps has one level",
                           IRL_DMA_LEVELS);
}

const irl_dma_list *irl_dma_new(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                const irl_dma_options *how)
{
    irl_dma_options none;
    irl__dma_ask    q;
    irl__question   question;
    irl__arena_mark mark;
    int             ok;
    memset(&none, 0, sizeof none);
    memset(&q, 0, sizeof q);
    q.cx = cx;
    q.how = how ? how : &none;
    q.map = irl__map_for_shape(cx, map, &shape);
    if (!q.map || !irl__shape_is_counted(cx, &shape, IRL__AS_TENSOR, "irl_dma_new", q.map->loc) ||
        !irl__dma_controller_ok(cx, q.how->controller))
        return NULL;
    q.list = (irl_dma_list *)irl__copy(cx, NULL, 1, sizeof *q.list);
    if (!q.list) return NULL;
    q.list->map = q.map;
    q.list->shape = shape;
    q.list->controller = q.how->controller;
    q.list->unpack = q.how->unpack;
    q.list->reason = "";
    q.all.cx = cx;
    q.all.most = q.how->most > 0 ? q.how->most : (int64_t)IRL__DMA_MOST;
    question = irl__question_begin(cx, 0);
    mark = irl__scratch_begin(cx);
    ok = irl__dma_ask_all(&q);
    irl__scratch_end(cx, mark);
    irl__question_end(&question, 0);
    return ok && irl__ok(cx) ? q.list : NULL;
}
