/* auto_group.c - sums for devices whose work-items run in lockstep: a group computes a tile of
   results, each work-item several of them in registers; the work-items of a group load together
   into shared memory, tile by tile, what the group reads repeatedly.

   needs     auto_tile.c
   promises  sizes by counts: of the tiles that fit into registers, shared memory and a group the
             one of the least cost, where loads of shared memory, lines of global memory and work
             that is thrown away are counted. Barriers, and which work-item loads what, are
             compute_at's (share.c): consecutive work-items load consecutive elements
   cost      the tiles that are compared, some hundreds, times accesses */
#include "auto.h"

enum {
    IRL__GROUP_LANES = 64,  /* of a subgroup, of which lines and banks are counted */
    IRL__GROUP_LINE = 8,    /* what a line of global memory costs, in instructions of a subgroup */
    IRL__GROUP_SHARED = 4,  /* instructions that a core issues while it accesses shared memory once:
                               NVIDIA's have four schedulers and one path to shared memory */
    IRL__GROUP_NARROW = 16, /* times what a group of less than a subgroup costs */
    IRL__GROUP_WASTE = 8,   /* of a loop that is padded no more than one part in so many */
    IRL__GROUP_CHUNK = 4,   /* iterations of a tile, at least */
    IRL__GROUP_PEELED = 16, /* divided by the tiles of a loop that is peeled, whose rest is slow */
    IRL__GROUP_EACH = 8,    /* results of a work-item along a loop, at most */
    IRL__GROUP_PADS = 8     /* elements after a row of a tile that are tried */
};

/* ------------------------------------------------------------------ what is counted */

static void irl__group_steps(irl__group *g)
{
    const irl__auto_nest *n = g->n;
    for (int k = 0; k < n->row_count; k++) {
        const irl__auto_row *row = &n->rows[k];
        g->is_known[k] = row->access->lanes == 1 && !row->access->is_texel &&
                         row->access->buffer && row->access->rank <= IRL__GROUP_RANK;
        for (int axis = 0; axis < row->access->rank && g->is_known[k]; axis++)
            for (int loop = 0; loop < n->loop_count && g->is_known[k]; loop++)
                g->is_known[k] =
                    irl__auto_index_step(n, row, axis, loop, &g->step[k][axis][loop]);
    }
}

/* Iterations of a loop in one tile. */
static int64_t irl__group_tile(const irl__group *g, int loop)
{
    if (!g->n->loops[loop].is_reduce) return g->items[loop] * g->each[loop];
    return loop < g->cut ? 1 : loop == g->cut ? g->chunk : g->extent[loop];
}

/* Cells along an axis that are touched beside one, as a loop goes through a tile. */
static int64_t irl__group_reach(const irl__group *g, int row, int axis, int loop)
{
    const int64_t step = g->step[row][axis][loop];
    int64_t       part;
    if (!step) return 0;
    return irl__mul64(step < 0 ? -step : step, irl__group_tile(g, loop) - 1, &part) &&
                   part < INT32_MAX ? part : INT32_MAX;
}

/* Cells of a tile along an axis of the operand. */
static int64_t irl__group_span(const irl__group *g, int row, int axis)
{
    int64_t span = 1;
    int     loop;
    for (loop = 0; loop < g->n->loop_count; loop++) span += irl__group_reach(g, row, axis, loop);
    return span < INT32_MAX ? span : INT32_MAX;
}

/* Iterations of what reduces: of a tile, or of all. */
static int64_t irl__group_iterations(const irl__group *g, int of_tile)
{
    int64_t count = 1;
    for (int k = 0; k < g->n->loop_count; k++)
        if (g->n->loops[k].is_reduce &&
            !irl__mul64(count, of_tile ? irl__group_tile(g, k) : g->extent[k], &count))
            return INT32_MAX;
    return count;
}

/* Cells of a tile, where results lie along the columns and rows. */
static int64_t irl__group_cells(const irl__group *g, int row)
{
    int64_t cells = 1, span;
    for (int axis = 0; axis < g->n->rows[row].access->rank; axis++) {
        span = g->reduced[row][axis] + irl__group_reach(g, row, axis, g->cols) +
               (g->rows < 0 ? 0 : irl__group_reach(g, row, axis, g->rows));
        if (!irl__mul64(cells, span, &cells) || cells > INT32_MAX) return INT32_MAX;
    }
    return cells;
}

static int64_t irl__group_bytes_of(const irl__group *g, int row)
{
    return (int64_t)irl__type_bytes(g->n->rows[row].access->buffer->type);
}

/* Elements of a tile that lie one after the other in memory: loops that go on where those inside
   of them end. */
static int64_t irl__group_run(const irl__group *g, int row)
{
    const irl__auto_row *r = &g->n->rows[row];
    int64_t              run = 1, before = 0, tile;
    while (run != before && run < INT32_MAX) {
        int64_t more = 0;
        before = run;
        for (int loop = 0; loop < g->n->loop_count; loop++) {
            if (r->step[loop] != run) continue;
            tile = irl__group_tile(g, loop);
            if (!r->is_even[loop] && r->run[loop] < tile) tile = r->run[loop];
            more += tile - 1;
        }
        run *= more + 1;
    }
    return run;
}

/* How many numbers of the list are different. */
static int64_t irl__group_different(const int64_t *list, int count)
{
    int64_t different = 0;
    int     j;
    for (int k = 0; k < count; k++) {
        for (j = k; j-- > 0 && list[j] != list[k];) {} /* most are as the one before */
        different += j < 0;
    }
    return different;
}

static int64_t irl__group_floor(int64_t a, int64_t b) { return a < 0 ? -((b - 1 - a) / b) : a / b; }

/* Work-items of the group. */
static int64_t irl__group_count(const irl__group *g)
{
    return g->items[g->cols] * (g->rows < 0 ? 1 : g->items[g->rows]);
}

/* Work-items of a subgroup. */
static int irl__group_lanes(const irl__group *g)
{
    const int64_t items = irl__group_count(g);
    const int64_t most = g->n->target->subgroup < IRL__GROUP_LANES ? g->n->target->subgroup
                                                                   : IRL__GROUP_LANES;
    return (int)(items < most ? items : most);
}

/* Where each of them is, of an index that goes on with the columns and the rows by so much. */
static void irl__group_place_lanes(const irl__group *g, int lanes, int64_t cols, int64_t rows,
                                   int64_t *at)
{
    const int64_t items = g->items[g->cols];
    int64_t       x = 0, row = 0;
    for (int k = 0; k < lanes; k++) {
        at[k] = row + x * cols;
        if (++x < items) continue;
        x = 0;
        row += rows;
    }
}

/* Lines of global memory that a subgroup touches by one load of each. */
static int64_t irl__group_lines(const irl__group *g, int row)
{
    const irl__auto_row *r = &g->n->rows[row];
    const int64_t        cols = r->step[g->cols], rows = g->rows < 0 ? 0 : r->step[g->rows];
    const int64_t        line = g->n->target->line_bytes;
    int64_t              at[IRL__GROUP_LANES], bytes;
    const int            lanes = irl__group_lanes(g);
    if (!r->access->buffer || cols == IRL__AUTO_FAR || rows == IRL__AUTO_FAR) return lanes;
    bytes = irl__group_bytes_of(g, row);
    irl__group_place_lanes(g, lanes, cols, rows, at);
    for (int k = 0; k < lanes; k++) at[k] = irl__group_floor(at[k] * bytes, line);
    return irl__group_different(at, lanes);
}

/* How often a subgroup's access of shared memory is repeated, as banks have different words; a
   work-item accesses so many bytes, which are one word of several banks. */
static int64_t irl__group_repeats(const irl__group *g, int lanes, const int64_t *at, int64_t bytes,
                                  int64_t run)
{
    int64_t       most = 1, words[IRL__GROUP_LANES], bank[IRL__GROUP_LANES];
    const int64_t wide = run * bytes > 4 ? run * bytes : 4;
    const int64_t banks = g->n->target->banks * 4 / wide > 0 ? g->n->target->banks * 4 / wide : 1;
    int           j;
    for (int k = 0; k < lanes; k++) {
        words[k] = irl__group_floor(at[k] * bytes, wide);
        bank[k] = words[k] - irl__group_floor(words[k], banks) * banks;
    }
    for (int k = 0; k < lanes; k++) {
        int64_t same[IRL__GROUP_LANES], different;
        int     count = 0;
        for (j = 0; j < k && bank[j] != bank[k]; j++) {}
        if (j < k) continue; /* the bank was counted */
        for (; j < lanes; j++)
            if (bank[j] == bank[k]) same[count++] = words[j];
        different = irl__group_different(same, count);
        if (different > most) most = different;
    }
    return most;
}

/* ------------------------------------------------------------------ tiles in shared memory */

/* The axis of a row along which alone, and one by one, it goes on with a loop; -1: there is none.
   */
static int irl__group_axis_along(const irl__group *g, int row, int loop)
{
    int along = -1;
    for (int axis = 0; axis < g->n->rows[row].access->rank; axis++) {
        const int64_t step = g->step[row][axis][loop];
        if (step && (along >= 0 || step != 1)) return -1;
        if (step) along = axis;
    }
    return along;
}

/* The most neighbours along a loop that a work-item loads at once: what reads along the loop comes
   through shared memory, where its axis may be the last one. */
static int64_t irl__group_most_run(const irl__group *g, int loop)
{
    int64_t most = g->n->target->vector_bytes / irl__auto_bytes(g->n);
    for (int k = 0; k < g->n->row_count; k++) {
        if (irl__auto_is_own(g->n, k) || !g->n->rows[k].step[loop]) continue;
        if (!g->may_share[k] || irl__group_axis_along(g, k, loop) < 0) return 1;
        while (most > 1 && most * irl__group_bytes_of(g, k) > g->n->target->vector_bytes) most /= 2;
    }
    return most > 1 ? most : 1;
}

/* Results along a loop become runs of neighbours. */
static void irl__group_set_each(irl__group *g, int loop, int64_t each)
{
    g->each[loop] = each;
    for (g->run[loop] = g->most_run[loop]; g->run[loop] > 1 && each % g->run[loop];)
        g->run[loop] /= 2;
}

/* The loop of which a row has runs: it depends on the columns or on the rows, not on both; -1. */
static int irl__group_run_loop(const irl__group *g, int row)
{
    const int64_t *step = g->n->rows[row].step;
    const int      by_rows = g->rows >= 0 && step[g->rows];
    if (!step[g->cols] == !by_rows) return -1;
    return by_rows ? g->rows : g->cols;
}

/* Elements of a row that a work-item loads at once from shared memory. */
static int64_t irl__group_run_of(const irl__group *g, int row)
{
    const int loop = irl__group_run_loop(g, row);
    return loop < 0 ? 1 : g->run[loop];
}

/* The axis of an operand that is number `at` of its tile in memory. */
static int irl__group_axis_at(const irl__group *g, int row, int at)
{
    const int rank = g->n->rows[row].access->rank;
    return at == rank - 1 ? g->last[row] : at + (at >= g->last[row]);
}

/* Is a load what a choice gives, as it is? */
static int irl__auto_is_chosen(const irl_expr *e, const void *load)
{
    return (e->op == IRL_OP_IF_THEN_ELSE || e->op == IRL_OP_SELECT) &&
           (e->a[1] == load || e->a[2] == load);
}

/* May the row come through shared memory? Its buffer is read at one place, by indices that go on
   evenly. */
static int irl__group_may_share(const irl__group *g, int row)
{
    const irl__auto_row *r = &g->n->rows[row];
    if (!g->is_known[row] || irl__auto_is_own(g->n, row) || !g->reduces[row] ||
        r->access->buffer->type.lanes != 1 || r->access->buffer->scope != IRL_SCOPE_GLOBAL ||
        !irl__auto_is_alone(g->n, r))
        return 0;
    if (r->is_guarded &&
        !irl__expr_any(g->n->store->u.store.value, irl__auto_is_chosen, r->access->expr))
        return 0;
    for (int k = 0; k < row; k++)
        if (g->n->rows[k].access->memory == r->access->memory) return 0;
    return 1;
}

/* How often accesses of a tile of those spans are repeated, of which the stride of axis number
   `axis` in memory is longer by some elements: a load of each work-item, and a store of cells one
   after the other, in 256ths of a tile's accesses. */
static int64_t irl__group_conflicts(const irl__group *g, int row, const int64_t *span, int axis,
                                    int64_t more)
{
    int64_t   stride[IRL__GROUP_RANK], at[IRL__GROUP_LANES], cols = 0, rows = 0, loads, stores;
    int64_t   next = 1, run = irl__group_run_of(g, row);
    const int rank = g->n->rows[row].access->rank, lanes = irl__group_lanes(g);
    for (int k = rank; k-- > 0;) {
        const int at_axis = irl__group_axis_at(g, row, k);
        stride[at_axis] = next + (k == axis ? more : 0);
        next = stride[at_axis] * span[at_axis];
        if (k + 1 < rank && stride[at_axis] % run) run = 1; /* not aligned */
    }
    for (int k = 0; k < rank; k++) {
        cols += g->step[row][k][g->cols] * g->run[g->cols] * stride[k];
        if (g->rows >= 0) rows += g->step[row][k][g->rows] * g->run[g->rows] * stride[k];
    }
    memset(at, 0, sizeof at);
    irl__group_place_lanes(g, lanes, cols, rows, at);
    loads = irl__group_repeats(g, lanes, at, irl__group_bytes_of(g, row), run) *
            irl__group_run_of(g, row) / run;
    for (int j = 0; j < lanes; j++) {
        int64_t rest = j;
        at[j] = 0;
        for (int k = rank; k-- > 0;) {
            at[j] += rest % span[k] * stride[k];
            rest /= span[k];
        }
    }
    stores = irl__group_repeats(g, lanes, at, irl__group_bytes_of(g, row), 1);
    return 4 * loads + stores;
}

/* Rows of a tile get elements behind them where banks would conflict: the fewest repeats, of those
   the fewest elements. */
static void irl__group_choose_pad(irl__group *g, int row)
{
    const int rank = g->n->rows[row].access->rank;
    int64_t   span[IRL__GROUP_RANK], least, more;
    g->last[row] = irl__group_run_of(g, row) > 1 /* the tile's last axis is the one of its runs */
                       ? irl__group_axis_along(g, row, irl__group_run_loop(g, row)) : rank - 1;
    for (int axis = 0; axis < rank; axis++) span[axis] = irl__group_span(g, row, axis);
    least = irl__group_conflicts(g, row, span, -1, 0);
    g->pad_axis[row] = -1;
    for (int axis = rank - 1; axis-- > 0;)
        for (more = 1; more <= IRL__GROUP_PADS && span[irl__group_axis_at(g, row, axis)] > 1;
             more++) {
            const int64_t with = irl__group_conflicts(g, row, span, axis, more);
            if (with >= least) continue;
            least = with;
            g->pad_axis[row] = axis;
            g->pad[row] = more;
        }
}

/* ------------------------------------------------------------------ the cost of a tile */

/* Results of a work-item that read different elements of a row. */
static int64_t irl__group_depends(const irl__group *g, int row)
{
    const irl__auto_row *r = &g->n->rows[row];
    int64_t              depends = 1;
    if (r->step[g->cols]) depends *= g->each[g->cols];
    if (g->rows >= 0 && r->step[g->rows]) depends *= g->each[g->rows];
    return depends;
}

static int64_t irl__group_each(const irl__group *g)
{
    return g->each[g->cols] * (g->rows < 0 ? 1 : g->each[g->rows]);
}

/* Groups of the launch. */
static int64_t irl__group_groups(const irl__group *g)
{
    int64_t groups = 1;
    for (int k = 0; k < g->n->loop_count; k++) {
        const int64_t tile = irl__group_tile(g, k);
        if (!g->n->loops[k].is_reduce &&
            !irl__mul64(groups, (g->n->loops[k].extent + tile - 1) / tile, &groups))
            return INT32_MAX;
    }
    return groups;
}

/* Iterations of a loop that are one iteration of a loop outside of it. */
static int64_t irl__group_factor(const irl__group *g, int loop)
{
    if (!g->n->loops[loop].is_reduce) return irl__group_tile(g, loop);
    return loop == g->cut ? g->chunk : 1;
}

/* Would the row be padded? Its copy has to be a tile. */
static int irl__group_pads(const irl__group *g, int row)
{
    for (int k = 0; k < g->n->loop_count; k++)
        if (g->n->rows[row].step[k] && !irl__auto_divides(g->n, k, irl__group_factor(g, k)))
            return 1;
    return 0;
}

/* Different elements of a row that a subgroup loads from shared memory by one load of each. */
static int64_t irl__group_distinct(const irl__group *g, int row)
{
    const int64_t lanes = irl__group_lanes(g), *step = g->n->rows[row].step;
    const int64_t cols = g->items[g->cols] < lanes ? g->items[g->cols] : lanes;
    return (step[g->cols] ? cols : 1) *
           (g->rows >= 0 && step[g->rows] ? (lanes + cols - 1) / cols : 1) *
           irl__group_run_of(g, row);
}

/* How often a subgroup's stores into a tile are repeated at least: of a tile whose rows in memory
   are turned, and whose strides are multiples of a run, rows share banks. */
static int64_t irl__group_turned(const irl__group *g, int row)
{
    const int     last = g->n->rows[row].access->rank - 1;
    const int64_t run = irl__group_run_of(g, row);
    if (run == 1 || irl__group_axis_along(g, row, irl__group_run_loop(g, row)) == last) return 1;
    const int64_t side = g->reduced[row][last] < g->n->target->subgroup ? g->reduced[row][last]
                                                                       : g->n->target->subgroup;
    return side * run > g->n->target->banks ? side * run / g->n->target->banks : 1;
}

/* What a tile costs by its operands and operations: the instructions that are issued, or the
   accesses of shared memory if these take longer, and lines of global memory. Chooses which
   operands are shared. INT64_MAX: too many registers, or too much shared memory. */
static int64_t irl__group_operands(irl__group *g)
{
    const int64_t warps = (irl__group_count(g) + g->n->target->subgroup - 1) /
                          g->n->target->subgroup;
    const int64_t wide = g->n->target->banks * 4;
    int64_t cost = 0, registers = irl__group_each(g), shared = 0;
    int64_t issued = warps * g->in_tile * registers;
    for (int k = 0; k < g->n->row_count; k++)
        if (!irl__auto_is_own(g->n, k)) registers += irl__group_depends(g, k);
    if (4 * registers > 3 * g->n->target->registers) return INT64_MAX;
    g->bytes = 0;
    for (int k = 0; k < g->n->row_count; k++) {
        const int64_t loads = warps * irl__group_depends(g, k) *
                              (g->reduces[k] ? g->in_tile : 1);
        int64_t tile = 0, cells = 0;
        if (irl__auto_is_own(g->n, k)) continue;
        g->is_shared[k] = 0;
        if (g->may_share[k]) {
            cells = irl__group_cells(g, k);
            /* Lines of global memory that the cells of a tile lie in, each loaded once. */
            const int64_t run = irl__group_run(g, k), bytes = irl__group_bytes_of(g, k);
            const int64_t line = g->n->target->line_bytes;
            tile = (cells + run - 1) / run * ((run * bytes + line - 1) / line);
            g->is_shared[k] = 2 * tile <= loads * g->lines[k] && irl__group_count(g) > 1;
        }
        if (!g->is_shared[k] && (irl__group_pads(g, k) || irl__group_run_of(g, k) > 1))
            return INT64_MAX;
        if (!g->is_shared[k]) {
            issued += loads; /* by the path to shared memory, where the cache is too */
            shared += loads * g->lines[k];
            cost += loads * (IRL__GROUP_LINE / 2 * g->lines[k]);
            continue;
        }
        const int64_t bytes = irl__group_bytes_of(g, k), at_once = loads / irl__group_run_of(g, k);
        issued += at_once;
        shared += at_once * ((irl__group_distinct(g, k) * bytes + wide - 1) / wide) +
                  cells / g->n->target->subgroup * irl__group_turned(g, k);
        cost += IRL__GROUP_LINE * tile + cells / g->n->target->subgroup;
        g->bytes += cells * bytes;
    }
    if (g->bytes > g->n->target->local_bytes / 8 * 7) return INT64_MAX;
    return cost + (IRL__GROUP_SHARED * shared > issued ? IRL__GROUP_SHARED * shared : issued);
}

/* Of the tile, for 16384 operations that count: operands, operations, stores; more where groups or
   work-items are too few for a device, and where work is thrown away. */
static int64_t irl__group_cost(irl__group *g)
{
    const int64_t items = irl__group_count(g), each = irl__group_each(g);
    const int64_t warps = (items + g->n->target->subgroup - 1) / g->n->target->subgroup;
    const int64_t iterations = g->in_tile, operands = irl__group_operands(g);
    const int64_t few = (g->n->target->group_items + 1) / 2; /* fewer do not fill a core */
    int64_t       cost, total;
    if (operands == INT64_MAX || iterations >= INT32_MAX) return INT64_MAX;
    int64_t groups = irl__group_groups(g);
    cost = operands +
           IRL__GROUP_LINE * warps * each * g->lines[g->n->written] * iterations / g->in_all;
    cost = cost * 16384 / (items * each * iterations);
    for (int k = 0; k < g->n->loop_count; k++) {
        const int64_t tile = irl__group_tile(g, k), extent = g->n->loops[k].extent;
        if (!g->n->loops[k].is_reduce) cost = cost * ((extent + tile - 1) / tile * tile) / extent;
    }
    const int64_t at_once = g->bytes ? g->n->target->local_bytes / g->bytes * items : items;
    if (items < few) cost += cost / few * (few - items) / 4;
    if (at_once < g->n->target->group_items) /* loads of few work-items are waited for */
        cost += cost * (g->n->target->group_items - at_once) / g->n->target->group_items;
    if (items < g->n->target->subgroup) cost *= IRL__GROUP_NARROW;
    if (groups < g->n->target->units) cost = cost * g->n->target->units / groups;
    if (irl__mul64(groups, items, &total) && total < g->n->target->units * 2 * few)
        cost = cost * (g->n->target->units * 2 * few) / total;
    return cost;
}

/* ------------------------------------------------------------------ tiles that are looked at */

/* Is a tile of so many results along the loop one that divides it, or that padding allows? */
static int irl__group_fits(const irl__group *g, int loop, int64_t tile)
{
    const int64_t extent = g->n->loops[loop].extent;
    if (g->n->loops[loop].is_symbolic && (tile > IRL__AUTO_PEELED || (tile & (tile - 1)) != 0))
        return 0; /* how much it would waste is not known */
    return irl__auto_divides(g->n, loop, tile) ||
           (g->may_pad[loop] && (extent + tile - 1) / tile * tile <= 2 * extent);
}

/* The next number of work-items along a loop: powers of two; where it is not padded divisors. */
static int64_t irl__group_next(const irl__group *g, int loop, int64_t items)
{
    const int64_t most = g->n->target->group_items;
    if (g->may_pad[loop]) return 2 * items;
    for (items++; items <= most && !irl__auto_divides(g->n, loop, items); items++) {}
    return items;
}

static void irl__group_try_each(irl__group *g, irl__group *best)
{
    const int rows = g->rows < 0 ? g->cols : g->rows;
    for (int64_t t = 1; t <= IRL__GROUP_EACH; t++) {
        if (!irl__group_fits(g, g->cols, t * g->items[g->cols])) continue;
        for (int64_t u = 1; u <= (g->rows < 0 ? 1 : IRL__GROUP_EACH); u++) {
            irl__group_set_each(g, rows, u);
            irl__group_set_each(g, g->cols, t);
            if (g->rows >= 0 && !irl__group_fits(g, rows, u * g->items[rows])) continue;
            g->cost = irl__group_cost(g);
            g->compared++;
            if (g->cost >= best->cost) continue;
            *best = *g;
            if (!g->tried) continue;
            irl__textf(g->tried, "    //   %l by %l work-items", g->items[g->cols],
                       g->rows < 0 ? (int64_t)1 : g->items[rows]);
            irl__textf(g->tried, ", each %l by %l results", t, u);
            irl__textf(g->tried, " along %s%s%s: cost %l\n", g->n->loops[g->cols].name,
                       g->rows < 0 ? "" : " and ", g->rows < 0 ? "" : g->n->loops[rows].name,
                       g->cost);
        }
    }
    irl__group_set_each(g, rows, 1);
    irl__group_set_each(g, g->cols, 1);
}

/* All tiles along the columns and along one loop of rows, or (-1) along none. */
static void irl__group_try_rows(irl__group *g, int rows, irl__group *best)
{
    const int64_t most = g->n->target->group_items;
    g->rows = rows;
    for (g->items[g->cols] = 1; g->items[g->cols] <= most;
         g->items[g->cols] = irl__group_next(g, g->cols, g->items[g->cols])) {
        if (!irl__group_fits(g, g->cols, g->items[g->cols])) continue;
        for (int64_t y = 1; y * g->items[g->cols] <= most && (rows >= 0 || y == 1);
             y = rows < 0 ? y + 1 : irl__group_next(g, rows, y)) {
            if (rows >= 0) g->items[rows] = y;
            if (2 * irl__group_count(g) < g->n->target->subgroup && g->has_many) continue;
            for (int k = 0; k < g->n->row_count; k++) g->lines[k] = irl__group_lines(g, k);
            irl__group_try_each(g, best);
        }
    }
    g->items[g->cols] = 1;
    if (rows >= 0) g->items[rows] = 1;
}

/* The loop of results along which memory goes on where they are stored, or that comes nearest. */
static int irl__group_cols(const irl__auto_nest *n)
{
    const irl__auto_row *w = &n->rows[n->written];
    int                  best = -1;
    for (int k = n->loop_count; k-- > 0;)
        if (!n->loops[k].is_reduce && n->loops[k].extent > 1 && w->step[k] != IRL__AUTO_FAR &&
            w->step[k] > 0 && (best < 0 || w->step[k] < w->step[best]))
            best = k;
    return best;
}

/* ------------------------------------------------------------------ what is added up at once */

/* Iterations of the loops that reduce in a tile: the last of them, as long as a line of memory. */
static void irl__group_choose_chunk(irl__group *g, int64_t most)
{
    int64_t inside = 1;
    int     first = -1;
    g->cut = -1;
    g->most = most;
    for (int k = g->n->loop_count; k-- > 0 && g->cut < 0;) {
        const int64_t extent = g->n->loops[k].extent;
        if (!g->n->loops[k].is_reduce) continue;
        first = k;
        g->extent[k] = extent;
        if (inside * extent <= most) {
            inside *= extent;
            continue;
        }
        g->cut = k;
        for (g->chunk = most / inside; g->chunk > 1; g->chunk--) {
            const int64_t whole = (extent + g->chunk - 1) / g->chunk * g->chunk;
            const int     is_power = !(g->chunk & (g->chunk - 1));
            if (irl__auto_divides(g->n, k, g->chunk)) break;
            if (g->may_pad[k] && is_power && whole - extent <= extent / IRL__GROUP_WASTE) break;
        }
        g->extent[k] = (extent + g->chunk - 1) / g->chunk * g->chunk;
    }
    if (g->cut < 0 && first >= 0) {
        g->cut = first;
        g->chunk = g->n->loops[first].extent;
    }
    /* What reduces is the same for all tiles that are tried: its cells and its iterations. */
    int loop;
    g->in_tile = irl__group_iterations(g, 1);
    g->in_all = irl__group_iterations(g, 0);
    for (int row = 0; row < g->n->row_count; row++)
        for (int axis = 0; g->may_share[row] && axis < g->n->rows[row].access->rank; axis++)
            for (g->reduced[row][axis] = 1, loop = 0; loop < g->n->loop_count; loop++)
                if (g->n->loops[loop].is_reduce)
                    g->reduced[row][axis] += irl__group_reach(g, row, axis, loop);
}

/* Elements of the narrowest operand that a line of memory holds. */
static int64_t irl__group_line(const irl__group *g)
{
    int64_t line = IRL__GROUP_CHUNK, here;
    for (int k = 0; k < g->n->row_count; k++)
        if (g->may_share[k]) {
            here = g->n->target->line_bytes / irl__group_bytes_of(g, k);
            if (here > line) line = here;
        }
    return line > IRL__GROUP_LANES ? (int64_t)IRL__GROUP_LANES : line;
}

static void irl__group_begin(irl__group *g, irl__auto *a, const irl__auto_nest *n,
                             int may_pad)
{
    memset(g, 0, sizeof *g);
    g->tried = a->tried;
    g->n = n;
    irl__group_steps(g);
    g->has_many = irl__auto_extents(n, 0) >= 2 * n->target->units * n->target->subgroup;
    for (int k = 0; k < n->loop_count; k++) {
        g->extent[k] = n->loops[k].extent;
        g->items[k] = g->each[k] = g->run[k] = 1;
        g->may_pad[k] = may_pad && irl__auto_may_pad(a, n, k);
    }
    for (int k = 0; k < n->row_count; k++) {
        g->reduces[k] = irl__auto_reduce_of(n, &n->rows[k]) >= 0;
        g->may_share[k] = irl__group_may_share(g, k);
    }
    for (int k = 0; k < n->loop_count; k++) g->most_run[k] = irl__group_most_run(g, k);
}

int irl__group_choose(irl__group *g, irl__auto *a, const irl__auto_nest *n, int may_pad)
{
    irl__group *best = (irl__group *)irl__alloc(a->cx, sizeof *best);
    if (!best || !irl__auto_has_axes(n)) return 0;
    irl__group_begin(g, a, n, may_pad);
    g->cols = irl__group_cols(n);
    if (g->cols < 0) return 0;
    best->cost = INT64_MAX;
    for (int64_t chunk = irl__group_line(g); chunk >= IRL__GROUP_CHUNK; chunk /= 2) {
        irl__group_choose_chunk(g, chunk);
        if (g->cut < 0) return 0;
        irl__group_try_rows(g, -1, best);
        for (int k = n->loop_count; k-- > 0;)
            if (!n->loops[k].is_reduce && k != g->cols && n->loops[k].extent > 1)
                irl__group_try_rows(g, k, best);
        if (best->cost < INT64_MAX && best->most > chunk) break; /* it was no better */
    }
    /* powers of two may divide nothing where what does not is not padded */
    if (best->cost == INT64_MAX || irl__group_count(best) == 1) return 0;
    best->compared = g->compared;
    *g = *best;
    if (g->bytes == 0) {
        for (int j = 0; j < g->n->loop_count; j++) {
            if (!g->n->loops[j].is_reduce) continue;
            g->extent[j] = g->n->loops[j].extent;
            g->cut = j;
        }
        g->chunk = 1;
    }
    for (int k = 0; k < n->loop_count; k++) {
        const int64_t tile = irl__group_tile(g, k);
        if (!n->loops[k].is_reduce) g->extent[k] = (g->extent[k] + tile - 1) / tile * tile;
        g->is_padded |= !irl__auto_divides(n, k, irl__group_factor(g, k));
    }
    for (int k = 0; k < n->row_count; k++)
        if (g->is_shared[k]) irl__group_choose_pad(g, k);
    return 1;
}

/* Where an index is a sum of loops nothing can be padded: whole tiles are peeled. */
int irl__group_choose_peel(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    irl__auto_nest whole = *n;
    irl__group     g;
    if (a->is_rest || !n->is_reduction || n->is_conditional || !n->block->init) return 0;
    for (int k = 0; k < n->loop_count; k++)
        if (irl__auto_peeled(n, &n->loops[k]) > 1 && !irl__auto_may_pad(a, n, k))
            whole.loops[k].multiple = IRL__GROUP_PEELED;
    if (!irl__group_choose(&g, a, &whole, 1)) return 0;
    for (int k = 0; k < n->loop_count; k++)
        if (whole.loops[k].multiple != n->loops[k].multiple && irl__group_tile(&g, k) > 1)
            return irl__auto_cut_at(p, k, 0, irl__group_tile(&g, k),
                                    "whole tiles, then the remainder");
    return 0;
}

/* Its lines, with a subgroup along the columns: an operand whose cells lie apart, a quarter of a
   line at most together, and that is read again and again. */
static int irl__group_wants_pack(const irl__group *g, int row)
{
    const irl__auto_row *r = &g->n->rows[row];
    if (irl__auto_is_own(g->n, row) || !g->is_known[row] || r->step[g->cols] == 1 ||
        irl__auto_index_of(g->n, r, g->cols) < 0 || !irl__auto_may_pack(g->n, r, 0))
        return 0;
    return irl__group_run(g, row) * irl__group_bytes_of(g, row) * IRL__AUTO_WORTH <
           g->n->target->line_bytes;
}

int irl__group_packs(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    irl__group g;
    irl__group_begin(&g, a, n, 0);
    p->vector = g.cols = irl__group_cols(n);
    if (g.cols < 0 || n->loops[g.cols].extent < 8) return 0;
    irl__group_choose_chunk(&g, irl__group_line(&g));
    for (int k = 0; k < n->row_count; k++)
        if (irl__group_wants_pack(&g, k)) {
            p->copy[k] = IRL__AUTO_PACKED;
            p->again = n->block->name;
        }
    return p->again != NULL;
}

/* ------------------------------------------------------------------ new axes */

enum { IRL__GROUP_UNROLL = 4 }; /* iterations of a tile whose loads a compiler may put together */

/* One output of the map: a part of an axis. */
typedef struct irl__group_part {
    int         loop;
    int64_t     extent, below, modulo; /* v / below % modulo; modulo 0: none */
    const char *name;
} irl__group_part;

typedef struct irl__group_parts {
    int             count, groups;         /* those at the front */
    int             reduces, inside, each; /* the first that reduces, in a tile, in registers */
    irl__group_part list[4 * IRL__AUTO_LOOPS];
} irl__group_parts;

static void irl__group_add(irl__auto *a, const irl__group *g, irl__group_parts *q, int loop,
                           int64_t below, int64_t extent, int64_t modulo, const char *suffix)
{
    irl__group_part *p = &q->list[q->count++];
    p->loop = loop;
    p->below = below;
    p->extent = extent;
    p->modulo = modulo;
    p->name = irl__auto_name(a, g->n->loops[loop].name, suffix);
}

/* Work-items: the rows', then the columns'. */
static void irl__group_add_items(irl__auto *a, const irl__group *g, irl__group_parts *q, int loop)
{
    if (loop >= 0 && g->items[loop] > 1)
        irl__group_add(a, g, q, loop, g->run[loop], g->items[loop], g->items[loop], "l");
}

/* Results of a work-item: runs, and the neighbours of a run. */
static void irl__group_add_each(irl__auto *a, const irl__group *g, irl__group_parts *q, int loop)
{
    const int64_t run = loop < 0 ? 1 : g->run[loop], runs = loop < 0 ? 1 : g->each[loop] / run;
    if (runs > 1)
        irl__group_add(a, g, q, loop, g->items[loop] * run, runs, runs, run > 1 ? "h" : "t");
    if (run > 1) irl__group_add(a, g, q, loop, 1, run, run, "t");
}

/* Groups along a loop: none where one tile is all of it, except that the columns, which come last,
   are a group if nothing else is. */
static void irl__group_add_group(irl__auto *a, const irl__group *g, irl__group_parts *q, int loop)
{
    const int64_t tile = loop < 0 ? 1 : g->items[loop] * g->each[loop];
    const int     is_only = loop == g->cols && q->groups == 0;
    if (loop < 0 ||
        (g->extent[loop] == tile && !g->n->loops[loop].is_symbolic && !is_only))
        return;
    q->groups++;
    irl__group_add(a, g, q, loop, tile, g->extent[loop] / tile, 0, "g");
}

/* Groups, work-items, what reduces outside of a tile and in it, registers. */
static void irl__group_parts_of(irl__auto *a, const irl__group *g, irl__group_parts *q)
{
    const irl__auto_nest *n = g->n;
    memset(q, 0, sizeof *q);
    for (int k = 0; k < n->loop_count; k++)
        if (!n->loops[k].is_reduce && k != g->rows && k != g->cols)
            irl__group_add_group(a, g, q, k);
    irl__group_add_group(a, g, q, g->rows);
    irl__group_add_group(a, g, q, g->cols);
    irl__group_add_items(a, g, q, g->rows);
    irl__group_add_items(a, g, q, g->cols);
    q->reduces = q->count;
    for (int k = 0; k <= g->cut; k++)
        if (n->loops[k].is_reduce)
            irl__group_add(a, g, q, k, k == g->cut ? g->chunk : 1,
                           k == g->cut ? g->extent[k] / g->chunk : g->extent[k], 0, "o");
    q->inside = q->count;
    for (int k = g->cut; k < n->loop_count; k++)
        if (n->loops[k].is_reduce && (k > g->cut || g->chunk > 1))
            irl__group_add(a, g, q, k, 1, k == g->cut ? g->chunk : g->extent[k],
                           k == g->cut ? g->chunk : 0, "i");
    q->each = q->count;
    irl__group_add_each(a, g, q, g->rows);
    irl__group_add_each(a, g, q, g->cols);
}

static void irl__group_axes(const irl__auto_nest *n, irl__auto_plan *p, const irl__group_parts *q,
                            const char *reason)
{
    irl__text_puts(&p->text, "    (");
    for (int k = 0; k < q->count; k++)
        irl__textf(&p->text, "%s%s", k ? ", " : "", q->list[k].name);
    irl__textf(&p->text, ") = transform_block_layout(%s, ", n->name);
    irl__auto_axes(&p->text, n);
    for (int k = 0; k < q->count; k++) {
        irl__text_puts(&p->text, k ? ", " : "");
        irl__print_symbol(&p->text, irl__auto_axis(n, q->list[k].loop)->var->u.name);
        if (q->list[k].below > 1) irl__textf(&p->text, " / %l", q->list[k].below);
        if (q->list[k].modulo) irl__textf(&p->text, " %% %l", q->list[k].modulo);
    }
    irl__text_puts(&p->text, ")");
    irl__auto_put_end(p, reason);
}

/* ------------------------------------------------------------------ copies */

/* Extents become multiples of tiles; reads outside of the old extents give 0. *crop: the part that
   counts. */
static int irl__group_padding(irl__auto *a, irl__group *g, irl__auto_plan *p, const char **crop)
{
    const irl__auto_nest *n = g->n;
    int                   j;
    *crop = NULL;
    if (!g->is_padded) return 1;
    irl__textf(&p->text, "    pad_einsum(%s", n->name);
    for (int k = 0; k < n->block->axis_count; k++) {
        for (j = 0; j < n->loop_count && irl__auto_axis(n, j) != &n->block->axes[k]; j++) {}
        const int64_t factor = irl__group_factor(g, j);
        irl__textf(&p->text, ", %l", irl__auto_divides(n, j, factor) ? (int64_t)1 : factor);
    }
    irl__auto_put_end(p, "tiles do not divide the extents: zeros are added at the ends");
    for (int k = 0; k < n->row_count; k++) {
        if (!irl__group_pads(g, k)) continue;
        const char *name = irl__auto_name(a, n->rows[k].access->buffer->name, "pad");
        if (k == n->written) *crop = name;
        if (irl__auto_is_own(n, k)) continue;
        if (!g->is_shared[k]) return 0; /* its copy would be all of it */
        g->made[k] = name;
    }
    return 1;
}

/* A tile is loaded in the order of memory, which a layout of the buffer states. */
static void irl__group_in_order(const irl__group *g, irl__auto_plan *p, int row)
{
    const irl_func *f = g->n->f;
    const char     *name = g->n->rows[row].access->buffer->name;
    int             found = -1;
    for (int k = 0; k < f->layout_count; k++)
        if (strcmp(f->layouts[k].buffer, name) == 0) {
            if (found >= 0 || f->layouts[k].map->separator_count) return;
            found = k;
        }
    if (found >= 0)
        irl__auto_step(p, "in the order of memory", "transform_block_layout(%s, %s);",
                       g->made[row], irl_map_text(g->n->cx, f->layouts[found].map));
}

static void irl__group_copies(irl__auto *a, irl__group *g, irl__auto_plan *p)
{
    int is_first = 1;
    for (int k = 0; k < g->n->row_count; k++) {
        if (!g->is_shared[k]) continue;
        if (g->made[k] && !g->n->rows[k].is_guarded) {
            irl__auto_step(p, "", "set_scope(%s, 0, shared);", g->made[k]);
            continue;
        }
        if (g->made[k]) continue;
        g->made[k] = irl__auto_copy_of(a, g->n, p, k, "tile",
                                    is_first ? "several work-items of a group read it: a copy in "
                                               "shared memory" : "",
                                    "%s = cache_read(%s, %s, shared, %s);");
        is_first = 0;
        irl__group_in_order(g, p, k);
    }
}

/* (v0, v1, v2) -> (v2, v0), of `count` axes those of the list, as a step ends with it. */
static void irl__group_map(irl__auto_plan *p, int count, const int *list, int listed,
                           const char *reason)
{
    for (int k = 0; k < count; k++) irl__textf(&p->text, "%sv%d", k ? ", " : "(", k);
    for (int k = 0; k < listed; k++) irl__textf(&p->text, "%sv%d", k ? ", " : ") -> (", list[k]);
    irl__text_puts(&p->text, ")");
    irl__auto_put_end(p, reason);
}

/* Tiles are loaded in the loop that reduces outside of them. */
static void irl__group_loads(const irl__group *g, irl__auto_plan *p, const char *loop)
{
    int is_first = 1;
    for (int k = 0; k < g->n->row_count; k++) {
        if (!g->is_shared[k]) continue;
        irl__auto_step(p, is_first ? "the work-items load a tile together, element by element" : "",
                       "compute_at(%s, %s);", g->made[k], loop);
        is_first = 0;
    }
    for (int k = 0; k < g->n->row_count; k++) {
        int64_t row = 1;
        if (!g->is_shared[k] || g->pad_axis[k] < 0) continue;
        for (int axis = g->n->rows[k].access->rank; --axis > g->pad_axis[k];)
            row *= irl__group_span(g, k, irl__group_axis_at(g, k, axis));
        irl__auto_step(p, "the words that a subgroup accesses are in different banks",
                       "storage_align(%s, 0, %d, %l, %l);", g->made[k], g->pad_axis[k], row,
                       g->pad[k]);
    }
}

/* ------------------------------------------------------------------ results in registers */

/* The number of a part among those that the result has, which are its copy's loops; -1. */
static int irl__group_result_axis(const irl__group *g, const irl__group_parts *q, int part)
{
    int number = 0;
    for (int k = 0; k < q->count; k++) {
        if (g->n->loops[q->list[k].loop].is_reduce || q->list[k].extent == 1) continue;
        if (k == part) return number;
        number++;
    }
    return -1;
}

static void irl__group_sums(const irl__group *g, irl__auto_plan *p, const irl__group_parts *q,
                            const char *sum, const char *result)
{
    int axis[4 * IRL__AUTO_LOOPS], count = 0;
    irl__textf(&p->text, "    %s = reindex_cache_write(%s, %s, local, ", sum, g->n->name, result);
    for (int k = 0; k < q->count; k++)
        if (irl__group_result_axis(g, q, k) >= 0) axis[count++] = k;
    irl__group_map(p, q->count, axis, count, "sums stay in registers until they are complete");
}

/* ------------------------------------------------------------------ groups and work-items */

static void irl__group_binds(irl__auto *a, const irl__group *g, irl__auto_plan *p,
                             const irl__group_parts *q)
{
    const char *name[IRL__AUTO_LOOPS];
    for (int k = 0; k < q->groups; k++) name[k] = q->list[k].name;
    irl__auto_bind(p, name, irl__auto_dimensions(a, p, g->n->name, "groups", name, q->groups),
                   "group", "independent tiles become groups");
    for (int k = q->groups; k < q->reduces; k++)
        irl__auto_step(p, k == q->groups ? "neighbours in a subgroup access neighbouring "
                                           "memory" : "",
                       "bind(%s, local.%c);", q->list[k].name,
                       q->list[k].loop == g->cols ? 'x' : 'y');
}

int irl__group_write(irl__auto *a, irl__group *g, irl__auto_plan *p)
{
    const irl__auto_nest *n = g->n;
    irl__group_parts      q;
    const char           *crop, *result = irl__symbol_text(a->cx, n->store->u.store.buffer->name);
    const char           *sum = irl__auto_name(a, n->name, "sum");
    const char           *init = irl__auto_name(a, n->name, "init");
    /* What is guarded is copied with the value of its guard. */
    for (int k = 0; k < n->row_count; k++)
        if (g->is_shared[k] && n->rows[k].is_guarded)
            g->made[k] = irl__auto_copy_of(a, n, p, k, "tile",
                                        "the tile includes the border, so the sums need no guard",
                                        "%s = cache_padded(%s, %s, shared);");
    irl__auto_contract(n, p);
    if (!irl__group_padding(a, g, p, &crop)) return 0;
    irl__group_copies(a, g, p);
    irl__group_parts_of(a, g, &q);
    /* A tile's last axis in memory is that of the runs that a work-item loads at once. */
    for (int k = 0, number = -1; k < g->n->row_count; k++) {
        const int rank = g->n->rows[k].access->rank;
        int       axis[IRL__GROUP_RANK];
        number += !irl__auto_is_own(g->n, k);
        if (!g->is_shared[k] || g->last[k] == rank - 1) continue;
        irl__textf(&p->text, "    transform_layout(%s, %d, ", g->n->name, number);
        for (int at = 0; at < rank; at++) axis[at] = irl__group_axis_at(g, k, at);
        irl__group_map(p, rank, axis, rank,
                       "neighbours that a work-item reads are neighbours in the tile");
    }
    irl__group_axes(n, p, &q,
                    irl__reason(a->cx, "a group computes %l x %l results, a work-item %l; tiles "
                                "have %l bytes",
                                g->rows < 0 ? 1 : g->items[g->rows] * g->each[g->rows],
                                g->items[g->cols] * g->each[g->cols],
                                g->each[g->cols] * (g->rows < 0 ? 1 : g->each[g->rows]), g->bytes));
    irl__group_sums(g, p, &q, sum, crop ? crop : result);
    irl__group_binds(a, g, p, &q);
    irl__auto_step(p, "", "reverse_compute_at(%s, %s);", sum, q.list[q.reduces - 1].name);
    if (crop) irl__auto_step(p, "only the results without "
                                "padding are stored", "reverse_compute_inline(%s);", crop);
    irl__auto_step(p, "the sums are set before the loop that adds to them",
                   "%s = decompose_reduction(%s, %s);", init, n->name, q.list[q.reduces].name);
    irl__group_loads(g, p, q.list[q.inside - 1].name);
    if (q.list[q.each - 1].extent > IRL__GROUP_UNROLL)
        irl__auto_step(p, "a larger factor would use registers for early loads", "annotate(%s, "
                       "unroll = %d);", q.list[q.each - 1].name, (int)IRL__GROUP_UNROLL);
    /* Neighbours are a vector, where all of them are stored. */
    const int vector = g->run[g->cols] > 1 && !crop && n->rows[n->written].step[g->cols] == 1
                           ? q.count - 1 : -1;
    for (int k = q.each; k < q.count; k++)
        irl__auto_step(p, k == q.each ? "unrolled, so that each result of the tile has its own "
                                        "register" : "",
                       "%s(%s.%s);", k == vector ? "vectorize" : "unroll", init, q.list[k].name);
    for (int k = q.each; k < q.count; k++)
        irl__auto_step(p, "", "%s(%s);", k == vector ? "vectorize" : "unroll", q.list[k].name);
    for (int k = q.each; k < q.count; k++)
        irl__auto_step(p, "", "%s(%s.ax%d);", k == vector ? "vectorize" : "unroll", sum,
                       irl__group_result_axis(g, &q, k));
    return 1;
}
