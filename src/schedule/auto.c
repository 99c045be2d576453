/* auto.c - automatic schedules: which loops become work-items, registers and vectors.

   needs     the files auto_*.c; the primitives, which apply and prove what is decided here
   promises  the same text for the same function and target; a text that irl_schedule_parse accepts
             for that function; a nest that no decision fits stays as it is, and a comment says why
   cost      for each nest that of its steps, which is most of it

   Nothing runs on a device and nothing is searched: a nest is examined once, and each decision
   follows from numbers: the strides of its accesses, the extents of its loops, the columns of the
   target. Vector, tile, border and pad are decided in auto_tile.c, pack and turn in auto_write.c,
   parts, flat, stream and gathers in auto_sums.c, rows in auto_rows.c.

     vector   the loop along which the result, and each operand or its copy, is contiguous
     tile     as many results as registers hold, so that many of them use an operand that is loaded:
              the fewest loads for each operation, of all tiles that divide the loops and fit; of
              other tiles, with a separate nest for the remaining rows, if they save much
     window   if rows read the same elements as their neighbours (x[v + s]), the loop s is unrolled,
              so that these elements are loaded once; if another loop next to it reduces
              (x[h + r, v + s]), the tile has rows of several iterations of h; if a condition
              compares a remainder of v and s, (v - s) % 3 == 0, the number of rows is a multiple
              of 3, so that each copy of the body either adds or is left out
     lines    if tiles of few registers read lines that are far apart, the operand is copied: panels
              as wide as a tile of what its vectors read, the rest along the reduction; if a vector
              is a line, panels as high as a tile of what all lanes read. What its vectors read and
              caches do not hold is in panels too, and all rows use one before the next is read;
              of few results the sum is cut into partial sums
     items    the remaining loops that write, which are independent; outside are those that read
              what caches do not hold
     pack     an operand that would be gathered, and is read repeatedly, is copied in the order in
              which the tile reads it
     parts    a reduction whose order is free (max, integers, attr(numbers = "free")) along
              contiguous memory computes vectors of partial results, and then combines these; of
              functions (exp) what whole vectors leave is shorter vectors, and if the memory is
              shorter than one, lanes are rows
     rows     nests among other statements in loops around them (softmax as one loop) are decided
              separately, as the work of one work-item; then those of the loops whose iterations do
              not meet become work-items, and the others stay in order
     border   an operand that is guarded, and read repeatedly, is copied with the value of the guard
              around it; a guard that all lanes share stays in the tile; otherwise, or if vectors do
              not divide a loop, the loop of vectors is cut into parts, and each is decided
              separately; inside the border the rows of a tile may be cut, too
     flat     if results are contiguous for a few elements (channels of a pixel), and then along
              another loop, the two become one loop, of whole vectors
     end      a nest that uses each cell of a sum is computed where the sum is stored
     pad      columns that vectors do not divide get zeros at their end
     period   iterations that read the same elements (x[h / 2]), or those of neighbours, share a
              tile
     gathers  bytes that are not adjacent: vectors as long as the windows from which a target picks;
              nothing else is decided if elements are bits
     stream   if nothing is read twice, the sums of whole rows of memory stay in the cache while the
              rows are read
     turn     an operand that is read once, but is contiguous along another loop, is loaded into the
              tile by vectors along that loop, and is transposed there
     arrange  all other nests, element by element: loops in the order of memory, cut where layouts
              divide them, one loop where memory is contiguous */
#include "auto.h"

/* ------------------------------------------------------------------ reductions */

/* Do rows of a tile come between its vectors, by the order of the result's indices? Then the sums
   get the order of the tile: where each index is an axis of the block, in its order, and has a loop
   of its extent, or of a part of it where rows ask for remainders. */
static int irl__auto_is_crossed(const irl__auto_nest *n, const irl__auto_plan *p)
{
    const irl__access *w = n->rows[n->written].access;
    int                j, axis = 0, lane = 0, crosses = 0;
    for (int k = 0; k < w->rank; k++, axis++) {
        while (axis < n->block->axis_count && n->block->axes[axis].var != w->indices[k]) axis++;
        if (axis >= n->block->axis_count) return 0;
        j = irl__auto_loop_of(n, w->indices[k], 0);
        if (j < 0 || (p->phase == 1 && !irl__is_int(n->block->axes[axis].extent,
                                                    n->loops[j].extent)))
            return 0;
        crosses |= lane && ((j == p->row && p->rows > 1) || p->period[j] > 1);
        lane |= j == p->vector;
    }
    return crosses && !n->is_inside;
}

/* Of a nest that was padded: the block that copies what counts. */
static const char *irl__auto_crop_of(irl__auto *a, const irl__auto_nest *n)
{
    const char     *name = NULL;
    const irl_stmt *s;
    irl__place      p;
    for (irl__place_begin(&p, a->f->body); (s = irl__place_next(&p)) != NULL;) {
        const irl_stmt *body = s->kind == IRL__BLOCK ? s->u.block->body : NULL;
        if (body && body->kind == IRL__STORE && body->u.store.value->op == IRL_OP_LOAD &&
            body->u.store.value->u.buffer == n->rows[n->written].access->buffer)
            name = irl__symbol_text(a->cx, s->u.block->name);
    }
    return name;
}

/* Of a nest that was padded: may what counts be copied where a tile is done? Either the tile has
   all columns, or a work-item takes all tiles of its rows; or some rows are left of the outermost
   loop, and it takes all else. Of such work-items there are enough. */
static void irl__auto_choose_crop(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    irl__auto_plan with;
    int            first = 0;
    if (!a->counts || p->vector < 0 || (p->way != IRL__AUTO_PARTS && p->way != IRL__AUTO_SUMS) ||
        irl__auto_index_of(n, &n->rows[n->written], p->vector) < 0)
        return;
    for (int k = 0; k < n->row_count; k++) /* its panels are read by all rows in turn */
        if (irl__auto_is_beyond(n, k, p->vector)) return;
    while (first < n->loop_count - 1 && n->loops[first].extent == 1) first++;
    const int is_cut = !n->guard_count && irl__auto_choose_rows(n, p, &with);
    if (!is_cut) with = *p;
    else if (with.row != first) return;
    const int64_t all = is_cut ? n->loops[with.row].extent
                               : irl__auto_extents(n, 0) / n->loops[with.vector].extent;
    if ((is_cut || !irl__auto_is_whole(n, &with)) && all / with.rows < IRL__AUTO_LEAST) return;
    with.crop = irl__auto_crop_of(a, n);
    if (with.crop) *p = with;
}

/* Sums in registers, and how they get to memory: a copy back, or of a nest that was padded the one
   that is there. *acc: the block that copies. */
static int irl__auto_sums(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                          const char **acc)
{
    *acc = p->crop;
    if (p->crop) return 1;
    const char *map = NULL;
    if (irl__auto_is_spread(n, p) || irl__auto_is_crossed(n, p)) {
        p->last[n->written] = p->vector;
        if (!(map = irl__auto_copy_map(a, n, p, n->written))) return 0;
    }
    *acc = irl__auto_name(a, n->name, "sum");
    irl__auto_step(p, "sums stay in registers until they are complete",
                   map ? "%s = reindex_cache_write(%s, 0, local, %s);"
                       : "%s = cache_write(%s, 0, local);", *acc, n->name, map);
    return 1;
}

/* Are the updates of a tile so few that a work-item takes all tiles along the vectors? */
static int irl__auto_is_short(const irl__auto_nest *n, const irl__auto_plan *p)
{
    int64_t updates;
    if (p->vector < 0 || p->along >= 0 || (p->window < 0 && !p->strided && p->row >= 0)) return 0;
    int64_t items = irl__auto_extents(n, 0) / n->loops[p->vector].extent / p->rows;
    return irl__mul64(irl__auto_extents(n, 1), p->rows * p->vectors, &updates) &&
           updates < IRL__AUTO_SHORT && items >= IRL__AUTO_ITEMS;
}

/* Of a padded nest whose tiles copy what counts: rows that are left, and the last columns; in whole
   tiles lowering removes the conditions. */
static void irl__auto_crop_parts(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                                 irl__auto_cut *cuts)
{
    const char   *tiles = cuts[p->vector].outer, *why = "whole tiles, then the remainder";
    const char   *parts[2];
    const int64_t count = n->loops[p->vector].extent / (p->lanes * p->vectors);
    if (p->row >= 0 && n->loops[p->row].extent % p->rows) {
        irl__auto_cut_off(a, p, cuts[p->row].outer, cuts[p->row].outer, parts,
                          n->loops[p->row].extent / p->rows, 0, why);
        irl__auto_bind(p, &parts[1], 1, "group", "");
        for (int k = 0; k < n->loop_count; k++) cuts[k].outer = k == p->row ? parts[0] : NULL;
    }
    if (count > 1)
        irl__auto_cut_off(a, p, tiles, irl__reason(a->cx, "%s.%s", n->name, tiles), parts,
                          count - 1, 0, why);
}

/* A tile of sums. */
static int irl__auto_tile(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    irl__auto_cut cuts[IRL__AUTO_LOOPS];
    const char   *acc = NULL, *init, *first, *item;
    const irl_expr *begin = n->block->init ? n->block->init->u.store.value : NULL;
    const int is_masked =
        irl__neutral_skipped(n->cx, n->store, begin && irl__is_const(begin) ? begin : NULL) != NULL;
    if (is_masked)
        irl__auto_step(p, "where the condition is false, nothing is added", "skip_neutral(%s);",
                       n->name);
    if (!irl__auto_copies(a, n, p) ||
        (p->way == IRL__AUTO_SUMS && !irl__auto_sums(a, n, p, &acc)))
        return 0;
    irl__auto_cuts(a, n, p, cuts);
    irl__auto_order(n, p, cuts);
    first = irl__auto_first_reduce(n, cuts);
    item = irl__auto_last_item(n, p, cuts);
    if (!first || !item) return 0;
    if (is_masked) p->masked = first;
    if (p->along >= 0) /* of a loop that is not cut a tile has all */
        irl__auto_turns(n, p, cuts[p->along].inner ? cuts[p->along].outer : item);
    /* The results are stored when a tile is done. */
    if (acc) {
        irl__auto_step(p, "", "reverse_compute_at(%s, %s);", acc, item);
        if (p->crop)
            irl__auto_step(p, "sums stay in registers until they are complete",
                           "set_scope(%s, 0, local);", n->name);
        irl__auto_store_marks(a, n, p, acc);
    }
    if (n->block->init) {
        init = irl__auto_name(a, n->name, "init");
        irl__auto_step(p, "the sums are set before the loop that adds to them",
                       "%s = decompose_reduction(%s, %s);", init, n->name, first);
        irl__auto_tile_marks(n, p, init, cuts);
    }
    irl__auto_tile_marks(n, p, NULL, cuts);
    if (irl__auto_may_contract(n, 1)) /* its update is no sum any more: nothing else may follow */
        irl__auto_step(p, "attr(numbers) allows it by default; each arm of the choice is a sum",
                       "contract(%s);", n->name);
    if (p->crop) irl__auto_crop_parts(a, n, p, cuts);
    if (p->is_short && item == cuts[p->vector].outer) cuts[p->vector].outer = NULL;
    irl__auto_items(a, n, p, cuts, "group");
    return 1;
}

/* Does the layout leave cells of the buffer's memory unused, as far as is known? */
static int irl__auto_has_unused(const irl_buffer *b, const irl_map *layout)
{
    irl_ctx       *cx = layout->cx;
    const irl_map *map = irl__map_of_rank(cx, layout, b->rank);
    int64_t        points = 1, cells = 1;
    irl_shape      shape;
    memset(&shape, 0, sizeof shape);
    for (shape.rank = 0; shape.rank < b->rank; shape.rank++) {
        const irl_expr *extent = b->shape[shape.rank];
        if (extent->op != IRL_OP_INT || !irl__mul64(points, extent->u.i, &points)) return 1;
        shape.extent[shape.rank] = extent->u.i;
    }
    irl_verdict v = irl_map_check(cx, map, shape);
    if (!irl__verdict_is_right(&v)) return 1;
    irl__memory_box(map, &v.physical);
    for (int k = 0; k < v.physical.rank; k++)
        if (!irl__mul64(cells, v.physical.extent[k], &cells)) return 1;
    return cells != points;
}

/* Does a layout of the result state what its unused cells hold? */
static int irl__auto_is_filled(const irl__auto_nest *n)
{
    const irl_buffer *b = n->store->u.store.buffer;
    for (int k = 0; k < n->f->layout_count; k++)
        if ((n->f->layouts[k].padding || n->f->layouts[k].pad) &&
            strcmp(n->f->layouts[k].buffer, b->name) == 0)
            return irl__auto_has_unused(b, n->f->layouts[k].map);
    return 0;
}

/* May sums be collected in memory of their own? Inside of a work-item that would be as large as the
   result, where loops around it choose the cell. */
static int irl__auto_may_collect(const irl__auto_nest *n)
{
    const irl__access *w = n->rows[n->written].access;
    for (int k = 0; k < w->rank && n->is_inside; k++)
        if (irl__auto_loop_of(n, w->indices[k], 0) < 0) return 0;
    return 1;
}

/* Is it a rest that has vectors, and not much shorter ones than what vectors left has room for? */
static int irl__auto_is_left(const irl__auto *a, const irl__auto_nest *n, const irl__auto_plan *p)
{
    return a->is_rest && p->lanes > 1 &&
           (n->loops[p->vector].extent >= irl__auto_most_lanes(n) ||
            irl__auto_lanes(n, p->vector, 0) < IRL__AUTO_WORTH * p->lanes);
}

/* A loop of the nest, or behind those one around it. */
static const irl_stmt *irl__auto_nth_loop(const irl__auto_nest *n, int k)
{
    return k < n->loop_count ? n->loops[k].stmt : n->around[k - n->loop_count].stmt;
}

/* Of the nest, and of the loops around it, as far as these are known. */
static int64_t irl__auto_all_iterations(const irl__auto_nest *n)
{
    int64_t count = 1;
    for (int k = 0; k < n->loop_count + n->around_count; k++) {
        const irl_stmt *s = irl__auto_nth_loop(n, k);
        if (s->u.loop.extent->op == IRL_OP_INT && s->u.loop.extent->u.i > 0 &&
            !irl__mul64(count, s->u.loop.extent->u.i, &count))
            return INT32_MAX;
    }
    return count < INT32_MAX ? count : INT32_MAX;
}

/* Is it so little of a nest that was cut that it would take a part of the time of all of it, were
   each lane computed alone? */
static int irl__auto_is_little_left(const irl__auto *a, const irl__auto_nest *n)
{
    return a->is_rest &&
           irl__auto_all_iterations(n) * irl__auto_most_lanes(n) < a->all / IRL__AUTO_ITEMS;
}

/* Does the part for which the tile is pay? It is decided by itself: it must have these vectors. And
   where sums are stored across them, it must save a part of the updates' time, too. */
static int irl__auto_pays(const irl__auto_nest *n, const irl__auto_plan *p,
                          const irl__auto_plan *tile)
{
    irl__auto_nest part = *n;
    irl__auto_plan q = *p;
    if (tile->phase == 1 && irl__auto_is_crossed(n, tile) &&
        irl__auto_all_cost(tile) * p->updates * IRL__AUTO_WORTH >
            irl__auto_all_cost(p) * tile->updates * (IRL__AUTO_WORTH - 1))
        return 0;
    part.loops[tile->row].extent = part.loops[tile->row].multiple = p->cut.at[0];
    irl__auto_choose_vector(&part, &q);
    return q.vector == tile->vector && q.lanes == tile->lanes;
}

/* Parts into which a reduction is cut, and the copies that serve all of them: of a tile as it is
   chosen for the whole, or of the one that leaves rows over. 0: it is not cut. */
static int irl__auto_choose_parts(const irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    irl__auto_plan tile = *p;
    if (irl__auto_is_little_left(a, n)) return 0;
    if (!irl__auto_choose_border(a, n, p) &&
        (irl__auto_is_left(a, n, p) || !irl__auto_choose_rest(n, p)) &&
        (a->is_rest || !irl__auto_choose_rows(n, p, &tile) || !irl__auto_pays(n, p, &tile)))
        return 0;
    irl__auto_choose_lines(n, p, &tile);
    return 1;
}

/* Is the tile one of several, which a loop goes over, so that its sums are that loop's? And do its
   lanes ask the same? Where each asks for itself no compiler makes vectors of their loop. */
static int irl__auto_is_loop_tile(const irl__auto_nest *n, const irl__auto_plan *p)
{
    return irl__auto_extents(n, 0) > p->lanes * p->rows * p->vectors &&
           (p->vector < 0 || irl__auto_is_uniform(n, p->vector));
}

/* One way to do a reduction; 0: it is none for this one. */
static int irl__auto_reduction(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    if (p->way >= IRL__AUTO_COLLECTED) {
        /* A tile of a group whose work-items run in step. */
        irl__group g;
        if (!n->block->init || irl__auto_is_filled(n) ||
            irl__scope_is_image(n->store->u.store.buffer->scope))
            return 0;
        if (p->way == IRL__AUTO_TREE) return irl__tree_write(a, n, p);
        if (n->is_conditional) return 0;
        if (p->way == IRL__AUTO_COLLECTED)
            return !irl__auto_is_symbolic(n) && irl__group_packs(a, n, p) &&
                   irl__auto_copies(a, n, p);
        if (!irl__group_choose(&g, a, n, p->way == IRL__AUTO_GROUP_PADDED)) return 0;
        p->compared = g.compared;
        return irl__group_write(a, &g, p);
    }
    if (p->way <= IRL__AUTO_BORDERED) return irl__auto_copies_before(a, n, p);
    irl__auto_choose_vector(n, p);
    if (p->way == IRL__AUTO_PARTIAL && irl__auto_blocks(a, n, p)) return 1;
    if (p->way == IRL__AUTO_PARTIAL)
        return (p->vector < 0 || p->along >= 0) && !irl__auto_pads_vectors(a, n) &&
               irl__auto_split(a, n, p);
    irl__auto_choose_tile(n, p, 1);
    irl__auto_choose_crop(a, n, p);
    if (!n->target->vector_bytes && p->way >= IRL__AUTO_STREAM && !irl__auto_is_loop_tile(n, p))
        return 0;
    irl__auto_contract(n, p);
    if (p->way == IRL__AUTO_PADDED) return !n->is_inside && irl__auto_pad(a, n, p);
    if (p->way < IRL__AUTO_MEMORY && p->way != IRL__AUTO_PARTS && !irl__auto_may_collect(n))
        return 0;
    if (p->way == IRL__AUTO_PARTS)
        return (!p->crop || n->guard_count) && irl__auto_choose_parts(a, n, p) &&
               irl__auto_parts(a, n, p);
    if (p->way != IRL__AUTO_STREAM) irl__auto_choose_lines(n, p, p);
    irl__auto_choose_second(n, p);
    p->is_short = irl__auto_is_short(n, p) || (p->crop && !irl__auto_is_whole(n, p));
    if (p->way == IRL__AUTO_STREAM) return p->second < 0 && irl__auto_stream(a, n, p);
    return irl__auto_tile(a, n, p);
}

/* ------------------------------------------------------------------ element by element */

/* For how many iterations of a loop what is read stays the same, again and again (x[h / 2]), or how
   many read what their neighbours do (a stencil); 1: there is no such number. */
static int64_t irl__auto_period(const irl__auto_nest *n, int loop)
{
    int64_t period = 0;
    for (int k = 0; k < n->row_count; k++) {
        const irl__auto_row *row = &n->rows[k];
        if (row->is_write || row->step[loop] != 0 || row->run[loop] == n->loops[loop].extent)
            continue;
        if (period && period != row->run[loop]) return 1;
        period = row->run[loop];
    }
    if (!period && irl__auto_is_shared(n, loop, IRL__AUTO_NEAR)) period = IRL__AUTO_NEAR;
    return period && irl__auto_divides(n, loop, period) ? period : 1;
}

/* Iterations that read the same become one tile, as far as registers hold their results. */
static void irl__auto_choose_periods(const irl__auto_nest *n, irl__auto_plan *p)
{
    int64_t tile = 1;
    for (int k = n->loop_count; k-- > 0 && p->along < 0;) {
        const int64_t period = k == p->vector ? 1 : irl__auto_period(n, k);
        if (tile * period > n->target->registers / IRL__AUTO_WORTH) continue;
        p->period[k] = period;
        tile *= period;
    }
}

/* Iterations of one item, about. */
static int64_t irl__auto_each(const irl__auto_nest *n, const irl__auto_cut *items)
{
    int64_t each = 1;
    for (int k = 0; k < n->loop_count; k++) {
        const int64_t part = items[k].outer ? items[k].each : n->loops[k].extent;
        if (part && !irl__mul64(each, part, &each)) return INT64_MAX;
    }
    return each;
}

/* What reads along one loop and writes along another takes a tile: lines of memory as it reads,
   half of one as it writes, so that the lines of both stay near. Otherwise vectors, one after the
   other, as many as leave items enough. */
static int irl__auto_elements(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    irl__auto_cut cuts[IRL__AUTO_LOOPS], items[IRL__AUTO_LOOPS];
    const char   *item = NULL, *acc = NULL;
    int           k;
    int64_t       count = 1;
    irl__auto_choose_vector(n, p);
    if (p->vector < 0 || !irl__auto_is_uniform(n, p->vector)) return 0;
    if (p->along >= 0 && p->lanes > 2 &&
        irl__auto_has_width(n, p->lanes / 2))
        p->lanes /= 2;
    irl__auto_choose_periods(n, p);
    if (!irl__auto_copies(a, n, p)) return 0;
    if (p->stored < p->lanes)
        irl__auto_step(p, "the lanes of a vector are stored one by one",
                       "%s = cache_write(%s, 0, local);",
                       acc = irl__auto_name(a, n->name, "lanes"), n->name);
    irl__auto_cuts(a, n, p, cuts);
    irl__auto_order(n, p, cuts);
    memcpy(items, cuts, sizeof items);
    int last = p->along >= 0 ? p->vector : irl__auto_nth(n, p, n->loop_count - 1);
    for (int at = 0; at < n->loop_count; at++) {
        const int is_whole = (k = irl__auto_nth(n, p, at)) == p->along && !cuts[k].inner;
        if (is_whole) items[k].outer = NULL;
        else item = cuts[k].outer;
        if (k != last && !is_whole &&
            !irl__mul64(count, n->loops[k].extent / (cuts[k].each ? cuts[k].each : 1), &count))
            return 0;
    }
    if (p->along >= 0) irl__auto_turns(n, p, item);
    else if (count >= IRL__AUTO_ITEMS)
        items[last].outer = NULL;
    if (acc) {
        irl__auto_step(p, "", "reverse_compute_at(%s, %s);", acc, item);
        irl__auto_store_marks(a, n, p, acc);
    }
    irl__auto_tile_marks(n, p, NULL, cuts);
    irl__auto_items(a, n, p, items,
                    irl__auto_each(n, items) < IRL__AUTO_ITEMS ? "global" : "group");
    return 1;
}

/* ------------------------------------------------------------------ one nest */

static int irl__auto_has_images(const irl__auto_nest *n)
{
    for (int k = 0; k < n->row_count; k++)
        if (!n->rows[k].access->buffer || irl__scope_is_image(n->rows[k].access->buffer->scope))
            return 1;
    return 0;
}

/* Why a nest stays as it is, unless something else is found later. */
static void irl__auto_because(irl__auto *a, const char *message)
{
    irl__text why;
    irl__text_init_fixed(&why, a->why, sizeof a->why);
    irl__text_puts(&why, message);
}

int irl__auto_cells_of(const irl_stmt *s, int64_t *cells)
{
    const irl_buffer *b = s->u.alloc.buffer;
    *cells = 1;
    for (int k = 0; k < b->rank; k++)
        if (b->shape[k]->op != IRL_OP_INT || !irl__mul64(*cells, b->shape[k]->u.i, cells)) return 0;
    return 1;
}

static int irl__auto_in_loop(const irl__place *p)
{
    int k = p->count;
    while (k-- > 0 && p->at[k]->kind != IRL__FOR) {}
    return k >= 0;
}

/* The bytes that the function allocates, but for what a tile of sums in a loop takes; INT64_MAX:
   they are no number. */
static int64_t irl__auto_allocated(const irl_func *f)
{
    int64_t         sum = 0, one;
    const irl_stmt *s;
    irl__place      p;
    for (irl__place_begin(&p, f->body); (s = irl__place_next(&p)) != NULL;) {
        if (s->kind != IRL__ALLOC) continue;
        if (!irl__auto_cells_of(s, &one) ||
            !irl__mul64(one, (int64_t)irl__type_bytes(s->u.alloc.buffer->type), &one))
            return INT64_MAX;
        if (one <= IRL__AUTO_LOOP_SUMS * IRL__AUTO_LOOP_BYTES && irl__auto_in_loop(&p)) continue;
        if (!irl__add64(sum, one, &sum)) return INT64_MAX;
    }
    return sum;
}

int irl__auto_try(irl__auto *a, irl__auto_plan *p)
{
    const char *steps = irl__text_done(&p->text);
    const char *text = irl__format(a->cx, "{\n%s}", steps ? steps : "");
    if (!text) return 0;
    irl_mark        mark = irl_ctx_mark(a->cx);
    const irl_func *f = irl_schedule_parse(a->f, text, IRL_TO_NUL, "auto");
    if (!f) {
        if (irl_diag_of(a->cx)->code == IRL_ERROR_OUT_OF_MEMORY) return 0;
        irl__auto_because(a, irl_diag_of(a->cx)->message);
        irl_ctx_rewind(a->cx, mark);
        return 0;
    }
    if (!a->target->vector_bytes && irl__auto_allocated(f) > irl__auto_allocated(a->f)) {
        irl__auto_because(a, "the function would need more memory than is written");
        return 0;
    }
    a->f = f;
    a->steps += p->steps;
    irl__text_puts(&a->text, steps);
    return 1;
}

int irl__auto_do(irl__auto *a, const char *reason, const char *format, ...)
{
    irl__auto_plan p;
    va_list        arguments;
    irl__auto_plan_begin(a, &p);
    va_start(arguments, format);
    irl__auto_step(&p, reason, "%s", irl__text_of(a->cx, format, arguments));
    va_end(arguments);
    return irl__auto_try(a, &p);
}

void irl__auto_leave(irl__auto *a, const char *name, const char *why)
{
    irl__textf(&a->text, "    // %s stays as it is: %s\n", name, why);
}

/* Is it the block of that name? */
static int irl__auto_is_block(const irl_stmt *s, const void *name)
{
    return s->kind == IRL__BLOCK && strcmp(s->u.block->name, (const char *)name) == 0;
}

const irl_stmt *irl__auto_body(const irl__auto *a)
{
    const irl_stmt *loop = a->around ? irl__auto_top(a->f, a->around) : NULL;
    return loop ? loop->u.loop.body : a->f->body;
}

int irl__auto_at(const irl__auto *a, const irl_stmt *s)
{
    const irl_stmt *body = irl__auto_body(a);
    int             k = body->kind == IRL__SEQ ? body->u.seq.count : 0;
    while (k-- > 0 && body->u.seq.stmts[k] != s) {}
    return k;
}

uint32_t irl__auto_nest_named(const irl__auto *a, const char *name)
{
    const irl_stmt *body = irl__auto_body(a);
    for (int k = 0; body->kind == IRL__SEQ && k < body->u.seq.count; k++)
        if (irl__stmt_any(body->u.seq.stmts[k], irl__auto_is_block, NULL, name))
            return body->u.seq.stmts[k]->id;
    return 0;
}

const irl_stmt *irl__auto_loop_named(const irl__auto *a, const char *name)
{
    const irl_stmt *body = irl__auto_body(a);
    for (int k = irl__stmt_count(body); k-- > 0;) {
        const irl_stmt *s = irl__stmt_at(body, k);
        if (s->kind == IRL__FOR && strcmp(s->u.loop.var->u.name, name) == 0) return s;
    }
    return NULL;
}

/* The copies are nests themselves. */
static void irl__auto_copies_do(irl__auto *a, const char *const *packed, int count)
{
    const uint32_t around = a->around;
    const int64_t  all = a->all;
    a->all = 0; /* they are no parts */
    for (int k = 0; k < count && irl__ok(a->cx); k++) {
        uint32_t id = irl__auto_nest_named(a, packed[k]);
        if (!id) a->around = 0; /* in front of the loops around */
        if (!id) id = irl__auto_nest_named(a, packed[k]);
        if (id) irl__auto_nest_do(a, id);
        a->around = around;
    }
    a->all = all;
}

/* The parts of a loop that was cut are nests themselves, of one of so many iterations. Whether the
   main one was decided. */
static int irl__auto_parts_do(irl__auto *a, const irl__auto_plan *p, int64_t all)
{
    const int was_rest = a->is_rest, was_inner = a->is_inner, was_moved = a->is_moved;
    const int64_t was_all = a->all;
    uint32_t  ids[3] = { 0, 0, 0 };
    int       is_done = 0;
    for (int k = 0; k < 3 && p->parts[k]; k++) {
        const irl_stmt *part = irl__auto_loop_named(a, p->parts[k]);
        if (part) ids[k] = part->id;
    }
    if (!was_all) a->all = all;
    for (int k = 0; k < 3 && p->parts[k] && irl__ok(a->cx); k++) {
        a->is_moved = was_moved || p->cut.loop > 0;
        a->is_rest = was_rest || k != p->cut.main;
        a->is_inner = (was_inner || p->cut.is_border) && k == p->cut.main;
        if (ids[k] && irl__auto_nest_do(a, ids[k])) is_done |= k == p->cut.main;
    }
    a->all = was_all;
    a->is_rest = was_rest;
    a->is_inner = was_inner;
    a->is_moved = was_moved;
    return is_done;
}

/* Is the nest, for a target that has no vectors, as good as it is written? Such are sums of few
   terms, each of which reads memory of its own: compilers write the terms out and keep the sums in
   registers, and a tile has nothing that is read twice. */
static int irl__auto_is_slight(const irl__auto *a, const irl__auto_nest *n)
{
    if (n->target->vector_bytes || a->is_inner || n->guard_count ||
        irl__auto_extents(n, 1) >= IRL__AUTO_TERMS)
        return 0;
    for (int k = 0; k < n->row_count; k++)
        if (!irl__auto_is_own(n, k) && irl__auto_reuse(n, &n->rows[k]) == 1) return 1;
    return 0;
}

/* What each way makes, and where it makes nothing. */
static const struct irl__auto_way_row {
    const char *makes, *unless;
} irl__auto_ways[IRL__AUTO_WAYS] = {
    { "functions of operands, computed before the nest",
      "no function is computed again and again for one element" },
    { "copies of operands with their borders",
      "no operand that is read again and again is guarded at a border" },
    { "partial sums in the lanes of vectors",
      "the order of the terms is fixed, or neighbouring results fill the lanes" },
    { "padded columns", "the columns are whole vectors, or padding them costs too much" },
    { "a loop that is cut into parts", "no part of a loop is better than all of it" },
    { "sums of whole rows in the cache", "an operand is read again, or the rows are short" },
    { "a tile of sums in registers", "a work-item would need memory for all of the results" },
    { "a tile of sums in memory", "no loop of results is left for work-items" },
    { "copies of operands with other strides", "no access of a subgroup reads many lines" },
    { "work-items of a group that add up parts",
      "there are many results, or the order of the terms is fixed" },
    { "tiles of groups, with padded loops", "no tile of several work-items fits" },
    { "tiles of groups", "no tile of several work-items divides the loops and fits" }
};

/* irl__auto_try, behind comments about what was tried before (`tried`), and about the tiles that
   were compared. */
static int irl__auto_try_told(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                              const char *tried)
{
    const size_t before = a->text.length;
    if (p->tried) {
        irl__textf(&a->text, "%s    // %s: %s", tried, n->name, irl__auto_ways[p->way].makes);
        if (p->tried->length)
            irl__textf(&a->text, "; of %l tiles these cost less than those before them:\n%s",
                       p->compared, irl__text_done(p->tried));
        else irl__text_putc(&a->text, '\n');
    }
    p->tried = NULL;
    if (irl__auto_try(a, p)) return 1;
    a->text.length = before;
    return 0;
}

static int irl__auto_reduction_do(irl__auto *a, irl__auto_nest *n, irl__auto_plan *p)
{
    irl__text tried, tiles;
    irl__text_init(&tried, a->cx);
    const int in_step = n->target->banks > 0, is_plain = !n->target->vector_bytes;
    /* compilers of C keep no sums in registers that are in memory */
    const int end = in_step ? IRL__AUTO_WAYS : is_plain ? IRL__AUTO_MEMORY : IRL__AUTO_COLLECTED;
    const int first = in_step ? IRL__AUTO_COLLECTED
                              : n->is_inside ? IRL__AUTO_PARTIAL : IRL__AUTO_VALUES;
    int k = n->loop_count;
    while (k-- > 0 && irl__is_int(n->loops[k].stmt->u.loop.min, 0)) {}
    irl__auto_because(a, k < 0 ? "none of its loops can be vectorized, and no tile fits"
                               : "a loop does not begin at 0");
    if (irl__auto_is_slight(a, n)) {
        irl__auto_because(a, "its sums have few terms, and nothing is read twice");
        return 0;
    }
    for (n->is_scalar = is_plain && a->is_rest; n->is_scalar <= is_plain; n->is_scalar++)
        for (int way = first; way < end && irl__ok(a->cx); way++) {
            char before[sizeof a->why];
            memcpy(before, a->why, sizeof before);
            irl__text_init(&tiles, a->cx);
            a->tried = a->is_asked ? &tiles : NULL;
            irl__auto_plan_begin(a, p);
            p->way = (irl__auto_way)way;
            const int is_one = irl__auto_reduction(a, n, p);
            a->tried = NULL;
            if (!is_one || !irl__auto_try_told(a, n, p, irl__text_done(&tried))) {
                const char *refused = strcmp(before, a->why) ? a->why : irl__auto_ways[way].unless;
                if (a->is_asked)
                    irl__textf(&tried, "    // %s: not %s: %s\n", n->name,
                               irl__auto_ways[way].makes, refused);
                continue;
            }
            if (p->masked) /* where that is known of an interval */
                irl__auto_do(a, "other iterations add nothing to the tile", "tighten(%s);",
                             p->masked);
            /* where parts are added up nothing is computed as they are stored */
            if (way == IRL__AUTO_PARTIAL) a->end.sum = NULL;
            return 1;
        }
    irl__text_puts(&a->text, irl__text_or_empty(irl__text_done(&tried)));
    return 0;
}

int irl__auto_may(const irl__auto *a, const irl_stmt *top)
{
    return top && (a->deep || irl__stmt_is_free(top));
}

int irl__auto_back(irl__auto *a, const irl__auto *to)
{
    a->f = to->f;
    a->steps = to->steps;
    a->left = to->left;
    a->text.length = to->text.length;
    if (a->text.data) a->text.data[a->text.length] = '\0';
    return 0;
}

/* Iterations of a part that stays as it is: it was cut, so parallel() does not take it. */
static void irl__auto_part_items(irl__auto *a, const irl__auto_nest *n, const irl_stmt *top)
{
    for (int k = 0; k < (n ? n->loop_count : 1) && irl__ok(a->cx); k++)
        if (!n || !n->loops[k].is_reduce)
            irl__auto_do(a, "", "parallel(%s);",
                         n ? irl__auto_member(n, k)
                           : irl__text_or_empty(irl__sched_loop_name(a->f, top)));
}

/* The sum goes as what is computed of its cells does. */
static void irl__auto_ends(const irl__auto *a, irl__auto_nest *n)
{
    const irl__access *w = n->rows[n->written].access;
    int                loop[IRL_MAX_RANK];
    if (!a->end.sum || !w->buffer || strcmp(w->buffer->name, a->end.sum) != 0 ||
        w->rank != a->end.rank || !irl__auto_loops_near(n, w, loop))
        return;
    for (int k = 0; k < w->rank; k++)
        if (a->end.extent[k] != (loop[k] < 0 ? 0 : n->loops[loop[k]].extent)) return;
    for (int j = 0; j < n->row_count; j++)
        for (int k = 0; k < w->rank && irl__auto_is_own(n, j); k++) {
            if (loop[k] < 0) continue;
            n->rows[j].step[loop[k]] = a->end.step[k];
            n->rows[j].run[loop[k]] = a->end.run[k];
            n->rows[j].is_even[loop[k]] = a->end.is_even[k];
        }
}

/* Does each store to an image in these statements write a whole texel, in a loop of its lanes? */
static int irl__auto_writes_texels(const irl_stmt *body)
{
    const irl_stmt *s;
    irl__place      p;
    for (irl__place_begin(&p, body); (s = irl__place_next(&p)) != NULL;) {
        int k = p.count;
        if (s->kind != IRL__STORE || !irl__scope_is_image(s->u.store.buffer->scope)) continue;
        while (k-- > 0 && p.at[k]->kind != IRL__FOR) {}
        if (k < 0 || p.at[k]->u.loop.kind != IRL_VECTORIZED ||
            !irl__is_int(p.at[k]->u.loop.extent, IRL__TEXEL_LANES))
            return 0;
    }
    return 1;
}

int irl__auto_behind(irl__auto *a, uint32_t id)
{
    const irl__auto before = *a;
    irl__auto_nest  n;
    int             is_done = 0;
    irl__arena_mark mark = irl__scratch_begin(a->cx);
    if (irl__auto_nest_at(&n, a, id)) {
        is_done = irl__auto_do(a, "computed where the sum is stored",
                               "reverse_compute_inline(%s);", n.name);
        if (is_done && irl__scope_is_image(n.store->u.store.buffer->scope) &&
            !irl__auto_writes_texels(irl__auto_body(a)))
            is_done = irl__auto_back(a, &before);
    }
    irl__scratch_end(a->cx, mark);
    a->end.sum = NULL;
    return is_done;
}

/* Bytes that are gathered; how many loops became vectors. */
static int irl__auto_gathers_do(irl__auto *a, uint32_t id)
{
    irl__arena_mark mark = irl__scratch_begin(a->cx);
    const irl_stmt *top = irl__auto_top(a->f, id);
    irl__auto_plan  p;
    int             is_done, done = 0;
    if (top && !irl__stmt_is_free(top)) top = NULL;
    for (int number = 0; top && number < IRL__AUTO_INNER; number++) {
        irl__auto_plan_begin(a, &p);
        if (!irl__auto_gather(a, top, number, !done, &p)) break;
        is_done = p.steps && irl__auto_try(a, &p);
        if (p.steps && !is_done && !done && irl__ok(a->cx)) { /* if not as work-items */
            irl__auto_plan_begin(a, &p);
            is_done = irl__auto_gather(a, top, number, 0, &p) && irl__auto_try(a, &p);
        }
        done += is_done;
        top = irl__auto_top(a->f, id);
    }
    irl__scratch_end(a->cx, mark);
    return done;
}

/* Where no tile was made, and no bytes were picked. */
static int irl__auto_arrange_do(irl__auto *a, const irl__auto_nest *n, const char **why)
{
    irl__auto_plan p;
    if (n->is_reduction) return 0;
    *why = "it also stores padding, or it writes an image";
    if (irl__auto_is_filled(n) || irl__scope_is_image(n->store->u.store.buffer->scope)) return 0;
    irl__auto_plan_begin(a, &p);
    *why = "other loops would not be faster";
    if (!irl__auto_arrange(a, n, &p)) return 0;
    *why = a->why;
    return irl__auto_try(a, &p);
}

int irl__auto_has_iterations(const irl__auto_nest *n, int64_t least)
{
    int64_t count;
    int     k;
    for (k = 0; k < n->loop_count; k++) /* as many as names say, unless they are what was left */
        if (n->loops[k].is_symbolic && n->loops[k].extent >= IRL__AUTO_PEELED) return 1;
    return !irl__mul64(irl__auto_extents(n, 0), irl__auto_extents(n, 1), &count) ||
           count >= least;
}

/* A loop that is cut first: what is guarded at its ends, or what its vectors leave, if that is
   little beside them. */
static int irl__auto_elements_parts(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    /* of functions no compiler makes vectors by itself */
    const int        worth = irl__expr_any(n->store->u.store.value, irl__auto_is_function, NULL)
                                 ? 2 : IRL__AUTO_WORTH;
    int64_t          least = IRL__AUTO_ITEMS;
    if (irl__auto_is_little_left(a, n)) return 0;
    irl__auto_choose_vector(n, p);
    if (!n->is_inside && !irl__auto_has_iterations(n, IRL__AUTO_ITEMS * IRL__AUTO_ITEMS)) return 0;
    if (p->vector >= 0 && irl__auto_choose_border(a, n, p)) return irl__auto_parts(a, n, p);
    if ((p->vector >= 0 && !irl__auto_is_uniform(n, p->vector)) || !irl__auto_choose_rest(n, p))
        return 0;
    const int64_t lanes = irl__auto_lanes(n, p->cut.loop, 0);
    if (!irl__auto_is_uniform(n, p->cut.loop)) { /* that loop, inside of its border */
        irl__auto_plan with = *p;
        with.vector = p->cut.loop;
        with.lanes = lanes;
        if (!irl__auto_choose_border(a, n, &with)) return 0;
        p->cut = with.cut;
        return irl__auto_parts(a, n, p);
    }
    if (a->is_inner) least = 2 * lanes; /* it is cut already */
    if (worth == 2) least = lanes;
    return p->cut.at[0] >= least && lanes >= worth * p->lanes && irl__auto_parts(a, n, p);
}

/* Element by element. */
static int irl__auto_elements_do(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    irl__auto_because(a, "it also stores padding, or it has an image");
    if (irl__auto_is_filled(n) || irl__auto_has_images(n)) return 0;
    if (n->target->banks) {
        irl__auto_because(a, "an extent is a name: its iterations become work-items as they are");
        return !irl__auto_is_symbolic(n) && irl__gang_write(a, n, p) && irl__auto_try(a, p);
    }
    irl__auto_because(a, "none of its loops runs along contiguous memory");
    if (irl__auto_elements_parts(a, n, p) && irl__auto_try(a, p)) return 1;
    irl__auto_plan_begin(a, p);
    return irl__auto_elements(a, n, p) && irl__auto_try(a, p);
}

/* What none of this serves. */
static int irl__auto_others_do(irl__auto *a, const irl__auto_nest *n, uint32_t id,
                               const char **why)
{
    if (n && (a->target->banks || n->is_inside)) {
        *why = a->why;
        return 0;
    }
    if (!a->target->banks && !a->is_inside && irl__auto_gathers_do(a, id)) return 1;
    return n ? irl__auto_arrange_do(a, n, why) : irl__auto_rows_do(a, id, why);
}

/* Does it add up, for each iteration of a loop around, the rows of a matrix that all of them read?
   */
static int irl__auto_is_shared_matrix(const irl__auto_nest *n)
{
    int j, loops, shares;
    for (int k = 0; n->is_inside && n->is_reduction && k < n->row_count; k++) {
        const irl__auto_row *row = &n->rows[k];
        if (irl__auto_is_own(n, k)) continue;
        for (j = loops = shares = 0; j < n->loop_count + n->around_count; j++) {
            const irl_stmt *s = irl__auto_nth_loop(n, j);
            const int       is_used = irl__exprs_use_var(row->access->rank, row->plain,
                                                         s->u.loop.var);
            loops += is_used;
            shares |= !is_used && j >= n->loop_count;
        }
        if (shares && loops > 1) return 1;
    }
    return 0;
}

/* forward: a nest of fewer loops is decided as one of its own */
static int irl__auto_fused_do(irl__auto *a, const irl__auto_nest *n, const irl_stmt *top);
static int irl__auto_pixels_do(irl__auto *a, irl__auto_nest *n, const irl_stmt *top, int *is_one);
static int irl__auto_peel_do(irl__auto *a, const irl__auto_nest *n);

void irl__auto_left_add(irl__auto *a, int64_t count)
{
    if (!irl__add64(a->left, count, &a->left)) a->left = INT64_MAX;
}

int irl__auto_nest_do(irl__auto *a, uint32_t id)
{
    irl__arena_mark mark = irl__scratch_begin(a->cx);
    irl__auto_nest  n;
    irl__auto_plan  p;
    const irl_stmt *top = irl__auto_top(a->f, id);
    const char     *why = top ? "it is nested too deeply to be examined" : "it was removed by an "
                                                                       "earlier step";
    const char     *name = NULL, *packed[IRL__AUTO_ROWS];
    int64_t         all = 0;
    int             is_one, is_matrix = 0, is_done = 0, is_arranged = 0, count = 0;
    if (top && !a->deep && !irl__stmt_is_free(top)) {
        irl__auto_leave(a, top->u.loop.var->u.name, "its loops are scheduled already");
        irl__scratch_end(a->cx, mark);
        return 0;
    }
    irl__auto_plan_begin(a, &p);
    is_one = a->deep < IRL__AUTO_DEEP && top && irl__auto_nest_of(&n, a, top, &why);
    if (is_one) {
        name = n.name;
        all = irl__auto_all_iterations(&n);
        is_matrix = irl__auto_is_shared_matrix(&n);
        if (irl__auto_fused_do(a, &n, top) || irl__auto_pixels_do(a, &n, top, &is_one) ||
            irl__auto_peel_do(a, &n)) {
            irl__scratch_end(a->cx, mark);
            return 1;
        }
    }
    if (is_one && n.is_reduction && n.loop_count) {
        why = a->why;
        is_done = irl__auto_reduction_do(a, &n, &p);
    } else if (is_one) is_done = irl__auto_elements_do(a, &n, &p);
    for (int k = 0; is_done && k < n.row_count; k++)
        if (p.copy[k] != IRL__AUTO_TURNED && p.made[k]) packed[count++] = p.made[k];
    if (!is_done && top && irl__ok(a->cx))
        is_arranged = irl__auto_others_do(a, is_one ? &n : NULL, id, &why);
    irl__scratch_end(a->cx, mark);
    a->counts = 0;
    a->deep++;
    irl__auto_copies_do(a, packed, count);
    if (is_done) irl__auto_parts_do(a, &p, all);
    a->counts = p.counts;
    /* what was padded, reads other copies now, or makes partial results, is a nest of that name */
    if (is_done && p.again && (id = irl__auto_nest_named(a, p.again)) != 0)
        irl__auto_nest_do(a, id);
    a->counts = 0;
    a->deep--;
    if (!is_arranged && (!is_done || is_matrix)) irl__auto_left_add(a, all);
    if (is_done || is_arranged || !top || !irl__ok(a->cx)) return is_done || is_arranged;
    irl__auto_leave(a, name ? name : top->u.loop.var->u.name, why);
    if (irl__stmt_is_scheduled(top)) irl__auto_part_items(a, name ? &n : NULL, top);
    return 0;
}

/* Symbolic loops, of which whole tiles are a nest, if that is decided then. */
static int irl__auto_peel_do(irl__auto *a, const irl__auto_nest *n)
{
    const irl__auto before = *a;
    irl__auto_plan  p;
    irl__auto_plan_begin(a, &p);
    if (!irl__auto_is_symbolic(n) || irl__auto_is_filled(n) || irl__auto_has_images(n) ||
        (!n->is_reduction && irl__auto_is_flat(n)) ||
        !(a->target->banks ? irl__group_choose_peel(a, n, &p)
                           : irl__auto_choose_peel(a, n, &p)) ||
        !irl__auto_parts(a, n, &p) || !irl__auto_try(a, &p))
        return 0;
    a->deep++;
    int is_done = irl__auto_parts_do(a, &p, 0);
    a->deep--;
    return is_done || irl__auto_back(a, &before);
}

/* Loops that are one walk become one, where something is decided of them then. */
static int irl__auto_fused_do(irl__auto *a, const irl__auto_nest *n, const irl_stmt *top)
{
    const irl__auto before = *a;
    irl__auto_plan  p;
    const int       at = irl__auto_at(a, top);
    int             is_done;
    irl__auto_plan_begin(a, &p);
    if (a->target->banks || !irl__auto_fuse(a, n, &p) || !irl__auto_try(a, &p)) return 0;
    const irl_stmt *body = irl__auto_body(a);
    a->deep++; /* it may be decided about, for a step has cut it */
    is_done = irl__auto_nest_do(a, body->kind == IRL__SEQ ? body->u.seq.stmts[at]->id : body->id);
    a->deep--;
    return is_done || irl__auto_back(a, &before);
}

/* Sums of pixels, whose loops become one, where something is decided of it then, and what comes of
   each cell can be computed where the sums are stored. */
static int irl__auto_flat_do(irl__auto *a, const irl__auto_nest *n)
{
    const irl__auto before = *a;
    const char     *copy = NULL;
    irl__auto_plan  p;
    irl__auto_plan_begin(a, &p);
    if (!a->target->banks) copy = irl__auto_flatten(a, n, &p);
    if (!copy || !irl__auto_try(a, &p)) return 0;
    int      is_done = !a->end.sum || irl__auto_behind(a, a->end.nest);
    uint32_t id = irl__auto_nest_named(a, n->block->name);
    uint32_t next = irl__auto_nest_named(a, copy);
    a->deep++;
    is_done = is_done && id && next && irl__auto_copied_do(a, id, next);
    a->deep--;
    if (is_done) return 1;
    a->end = before.end;
    return irl__auto_back(a, &before);
}

/* As what comes of the cells is stored; where that is in another order of loops than the sum's, and
   no walk, as if nothing read its cells. *is_one: it is still a nest. */
static int irl__auto_pixels_do(irl__auto *a, irl__auto_nest *n, const irl_stmt *top, int *is_one)
{
    const char *why;
    irl__auto_ends(a, n);
    if (irl__auto_flat_do(a, n)) return 1;
    if (!a->end.sum || !a->end.is_turned) return 0;
    a->end.sum = NULL;
    *is_one = irl__auto_nest_of(n, a, top, &why);
    return *is_one && irl__auto_flat_do(a, n);
}

void irl__auto_bits_do(irl__auto *a, uint32_t id)
{
    const irl_stmt *top = irl__auto_top(a->f, id);
    if ((a->target->banks || !irl__auto_gathers_do(a, id)) && irl__ok(a->cx))
        irl__auto_leave(a, top->u.loop.var->u.name,
                        "the function has elements of bits, and this nest does not gather bytes");
}

/* ------------------------------------------------------------------ the function */

/* Independent iterations of the nests that stay as they are. */
static void irl__auto_rest_do(irl__auto *a)
{
    const irl__auto before = *a;
    if (irl__stmt_has_free(a->f->body) &&
        irl__auto_do(a, "independent iterations become work-items", "parallel();") &&
        a->f->body == before.f->body)
        irl__auto_back(a, &before);
}

int irl__auto_distributes(irl__auto *a)
{
    const char *at = irl__text_or_empty(irl__text_done(&a->text));
    int         count = 0;
    while ((at = strstr(at, "distribute(")) != NULL) at++, count++;
    return count;
}

static void irl__auto_make(irl__auto *a, const irl_func *f, const irl_target *target, int is_asked,
                           int is_once)
{
    memset(a, 0, sizeof *a);
    a->is_asked = is_asked;
    a->is_once = is_once;
    a->cx = f->cx;
    a->f = f;
    a->target = target;
    a->has_bits = irl__func_has_bits(f);
    irl__text_init(&a->text, a->cx);
    irl__text_puts(&a->text, "{\n");
    if (target->registers) {
        irl__auto_list_do(a);
        irl__auto_launches_do(a, f);
    }
    irl__auto_rest_do(a);
    irl__text_puts(&a->text, "}\n");
}

/* Does all of the text say what its parts did? In one text names follow their statements; between
   texts nests get new ones, which may differ where nests are distributed again and again. */
static int irl__auto_is_one_text(irl__auto *a, const irl_func *f)
{
    if (!irl__ok(a->cx) || irl__auto_distributes(a) < 2) return 1;
    const irl_mark  mark = irl_ctx_mark(a->cx);
    const irl_func *again = irl_schedule_parse(f, irl__text_done(&a->text), IRL_TO_NUL, "auto");
    const int       is_same = again && irl_func_equal(again, a->f);
    if (!again && irl_diag_of(a->cx)->code != IRL_ERROR_OUT_OF_MEMORY) irl_ctx_rewind(a->cx, mark);
    return is_same;
}

/* All nests of f, which has passed the verifier and has kinds; 0 on failure. */
static int irl__auto_all(irl__auto *a, const irl_func *f, const irl_target *target, int is_asked)
{
    irl__auto_make(a, f, target, is_asked, 0);
    if (!irl__auto_is_one_text(a, f) && irl__ok(f->cx)) irl__auto_make(a, f, target, is_asked, 1);
    return irl__ok(f->cx);
}

irl_func *irl__pass_schedule(const irl_func *f, const irl_target *target)
{
    irl__auto       a;
    const irl_func *stated = irl__func_kinds(f);
    if (!stated || !irl__auto_all(&a, stated, target, 0)) return NULL;
    return irl__func_copy(f->cx, a.steps ? a.f : f);
}

static const char *irl__auto_text(const irl_func *f, const irl_target *target, int is_asked)
{
    irl__auto a;
    if (!f || !irl__ok(f->cx)) return NULL;
    if (!irl__target_given(f->cx, target) || !irl__verify(f)) return NULL;
    f = irl__func_kinds(f);
    return f && irl__auto_all(&a, f, target, is_asked) ? irl__text_done(&a.text) : NULL;
}

const char *irl_schedule_auto(const irl_func *f, const irl_target *target)
{
    return irl__text_or_empty(irl__auto_text(f, target, 0));
}

const char *irl_schedule_auto_why(const irl_func *f, const irl_target *target)
{
    return irl__text_or_empty(irl__auto_text(f, target, 1));
}
