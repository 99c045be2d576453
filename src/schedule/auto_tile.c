/* auto_tile.c - which loop becomes vectors, and how many results stand in registers at once.

   needs     auto_copy.c
   promises  from steps through memory, extents and columns of the target alone; the fewest loads
             for each operation, of the tiles that divide the loops, fit into the registers and
             leave items
   cost      loops times registers, squared */
#include "auto.h"

int64_t irl__auto_lanes(const irl__auto_nest *n, int k, int is_exact)
{
    const int64_t extent = n->loops[k].extent;
    int64_t       lanes = n->target->vector_bytes / irl__auto_bytes(n);
    for (; lanes > 1; lanes--)
        if (irl__target_has_width(n->target, (uint32_t)lanes) && lanes != 3 &&
            (is_exact ? irl__auto_divides(n, k, lanes) : extent >= lanes))
            return lanes;
    return 1;
}

/* The lanes of a vector along loop k that the result takes at once: all of them, or where sums stay
   in registers until they are done, as many as lie one after the other, again and again. 0: the
   stores would take too long beside the updates. */
static int64_t irl__auto_stored(const irl__auto_nest *n, const irl__auto_plan *p, int k,
                                int64_t lanes)
{
    const irl__auto_row *row = &n->rows[n->written];
    int64_t              stored = lanes;
    if (row->step[k] == 1 && row->run[k] >= lanes) return lanes;
    if ((p->way != IRL__AUTO_SUMS && p->way != IRL__AUTO_PARTS) || !n->is_reduction ||
        (n->is_inside && irl__auto_index_of(n, row, k) < 0))
        return 0;
    while (stored > 1 && (row->step[k] != 1 || row->run[k] % stored || lanes % stored ||
                          !irl__target_has_width(n->target, (uint32_t)stored)))
        stored--;
    return irl__auto_extents(n, 1) / IRL__AUTO_STORES >= lanes / stored ? stored : 0;
}

/* Do lanes read every second element or so? Collecting them costs less than a lane at a time. */
static int irl__auto_is_strided(const irl__auto_nest *n, const irl__auto_row *row, int k,
                                int64_t lanes)
{
    return row->run[k] >= lanes && row->step[k] > 1 && row->step[k] <= IRL__AUTO_NEAR &&
           !row->is_guarded && !irl__target_has_picks(n->target) && /* auto_gather.c has those */
           irl__target_gathers(n->target, row->access->buffer->type);
}

int irl__auto_is_vector(const irl__auto_nest *n, int k, int64_t lanes, irl__auto_plan *p)
{
    p->along = -1;
    p->strided = 0;
    p->length = 1;
    p->stored = irl__auto_stored(n, p, k, lanes);
    for (int j = 0; j < n->row_count; j++) {
        const irl__auto_row *row = &n->rows[j];
        const int            along = irl__auto_along(n, row);
        p->copy[j] = IRL__AUTO_DIRECT;
        if (row->run[k] >= lanes && row->step[k] == 1) continue;
        if (irl__auto_is_own(n, j)) {
            if (!p->stored) return 0;
            continue;
        }
        if (row->run[k] >= lanes && row->step[k] == 0) continue;
        if (n->is_reduction && irl__auto_may_pack(n, row, 1)) p->copy[j] = IRL__AUTO_PACKED;
        else if ((p->along < 0 || p->along == along) &&
                 irl__auto_may_turn(n, row, k, along, lanes)) {
            p->copy[j] = IRL__AUTO_TURNED;
            p->along = along;
            p->length = lanes;
        } else if (irl__auto_is_strided(n, row, k, lanes)) p->strided++;
        else return 0;
    }
    return 1;
}

/* What differs from lane to lane: the loop's variable, or an axis that is bound to it. */
typedef struct irl__auto_lane {
    const irl__auto_nest *n;
    const irl_expr       *var;
} irl__auto_lane;

static int irl__auto_is_of_lane(const irl_expr *e, const irl__auto_lane *q)
{
    const irl__block_data *b = q->n->block;
    if (irl__expr_uses_var(e, q->var)) return 1;
    for (int k = 0; b && k < b->axis_count; k++)
        if (irl__expr_uses_var(e, b->axes[k].var) &&
            irl__expr_uses_var(b->axes[k].binding, q->var))
            return 1;
    return 0;
}

static int irl__auto_is_node(const irl_expr *e, const void *other) { return e == other; }

/* A load under a condition alone. */
static int irl__auto_is_under(const irl_expr *e, const void *condition)
{
    return e->op == IRL_OP_LOAD &&
           !irl__expr_any((const irl_expr *)condition, irl__auto_is_node, e);
}

/* A choice by what each lane reads, between arms that may not both be computed: it has no vector.
   Of others compilers make one. */
static int irl__auto_is_choice(const irl_expr *e, const void *user)
{
    if (e->op != IRL_OP_IF_THEN_ELSE || !(e->a[0]->flags & IRL__HAS_MEMORY) ||
        !irl__auto_is_of_lane(e->a[0], (const irl__auto_lane *)user))
        return 0;
    return irl__expr_any(e->a[1], irl__auto_is_under, e->a[0]) ||
           irl__expr_any(e->a[2], irl__auto_is_under, e->a[0]);
}

static int irl__auto_chooses(const irl__auto_nest *n, int k)
{
    irl__auto_lane q;
    q.n = n;
    q.var = n->loops[k].stmt->u.loop.var;
    return !n->is_reduction && irl__expr_any(n->store->u.store.value, irl__auto_is_choice, &q);
}

/* Has a plan of a reduction so many more lanes than loop k that its copies, each of which is read
   often (irl__auto_may_pack), cost less? Not where loop k may be cut, and whole vectors leave
   little of it. */
static int irl__auto_is_wider(const irl__auto_nest *n, const irl__auto_plan *p, int k,
                              int64_t lanes)
{
    if (!n->is_reduction || k < 0 || p->vector < 0 || p->strided ||
        p->lanes < IRL__AUTO_WORTH * lanes || irl__auto_phases_of(n, p->vector) > 1 ||
        (!n->guard_count &&
         n->loops[k].extent % p->lanes * IRL__AUTO_LEFT <= n->loops[k].extent))
        return 0;
    for (int j = 0; j < n->row_count; j++)
        if (p->copy[j] > IRL__AUTO_PACKED) return 0;
    return 1;
}

/* Loop k with that many lanes, if that takes fewer copies than what was found, or as many and has
   more lanes; or if it is so much wider. */
static void irl__auto_try_vector(const irl__auto_nest *n, irl__auto_plan *p, int k, int64_t lanes,
                                 int *best)
{
    irl__auto_plan with = *p;
    if (n->loops[k].is_reduce || lanes < 2 || irl__auto_chooses(n, k) ||
        !irl__auto_is_vector(n, k, lanes, &with))
        return;
    /* lanes of which each asks for another remainder are as bad as those that lie apart */
    const int asks = n->is_reduction && irl__auto_phases_of(n, k) > 1;
    int       copies = (with.stored < lanes) + (IRL__AUTO_LINED + 1) * (with.strided + asks);
    for (int j = 0; j < n->row_count; j++) copies += (int)with.copy[j];
    with.vector = k;
    with.lanes = lanes;
    if (!irl__auto_is_wider(n, &with, p->vector, p->lanes) &&
        (copies > *best || (copies == *best && lanes <= p->lanes) ||
         irl__auto_is_wider(n, p, k, lanes)))
        return;
    *best = copies;
    *p = with;
}

enum { IRL__AUTO_FEW = 4 }; /* lanes that are better than none */

void irl__auto_choose_vector(const irl__auto_nest *n, irl__auto_plan *p)
{
    int k, best = (IRL__AUTO_LINED + 1) * (IRL__AUTO_ROWS + 1);
    p->vector = p->along = -1;
    p->lanes = p->stored = 1;
    for (k = n->loop_count; k-- > 0;)
        irl__auto_try_vector(n, p, k, irl__auto_lanes(n, k, 1), &best);
    /* sums of which memory holds fewer, one after the other */
    for (int64_t lanes = n->target->vector_bytes / irl__auto_bytes(n) / 2;
         n->is_reduction && p->vector < 0 && lanes >= IRL__AUTO_FEW; lanes /= 2)
        for (k = n->loop_count; k-- > 0 && irl__target_has_width(n->target, (uint32_t)lanes);)
            if (irl__auto_divides(n, k, lanes)) irl__auto_try_vector(n, p, k, lanes, &best);
}

static int irl__auto_moves(const irl__auto_row *row, int loop)
{
    return loop >= 0 && row->step[loop] != 0;
}

/* How many iterations of the window an operand goes on with each row of a tile, if fewer than the
   window has; 0: it does not. */
static int64_t irl__auto_stride(const irl__auto_nest *n, int k, int row, int window)
{
    const irl__auto_row *r = &n->rows[k];
    if (row < 0 || window < 0 || r->step[row] == IRL__AUTO_FAR || r->step[window] < 1 ||
        r->step[window] == IRL__AUTO_FAR || r->step[row] % r->step[window])
        return 0;
    int64_t stride = r->step[row] / r->step[window];
    return stride > 0 && stride < n->loops[window].extent ? stride : 0;
}

/* The innermost loop that reduces, if it is short, others reduce outside of it, and a row of
   results reads along it what its neighbours do (x[v + s]); -1: it is none such. */
static int irl__auto_window_of(const irl__auto_nest *n, int row)
{
    int k, loop = -1, outside = 0;
    for (k = 0; k < n->loop_count; k++) {
        if (!n->loops[k].is_reduce || n->loops[k].extent == 1) continue;
        outside += loop >= 0;
        loop = k;
    }
    if (!outside || row < 0 || !irl__auto_is_written_out(n, loop)) return -1;
    for (k = 0; k < n->row_count; k++)
        if (!irl__auto_is_own(n, k) && irl__auto_stride(n, k, row, loop) > 0) return loop;
    return -1;
}

/* What a tile costs in one iteration, or those of its window, with its size: loads, what they cost,
   and registers: the results, the vectors of one row, what is in the window, and one for what is
   the same in all lanes. */
typedef struct irl__auto_tile_size {
    int     window;
    int64_t rows, vectors, loads, cost, registers, updates;
} irl__auto_tile_size;

/* Loads of an operand by the rows of a tile. */
static int64_t irl__auto_row_loads(const irl__auto_nest *n, int k, int row, int64_t rows,
                                   int window)
{
    const irl__auto_row *r = &n->rows[k];
    const int64_t        extent = irl__auto_moves(r, window) ? n->loops[window].extent : 1;
    const int64_t        stride = irl__auto_stride(n, k, row, window);
    if (stride > 0) return (rows - 1) * stride + extent;
    return (irl__auto_moves(r, row) ? rows : 1) * extent;
}

/* What so many loads of an operand cost in a tile of so many vectors. */
static int64_t irl__auto_load_cost(const irl__auto_nest *n, const irl__auto_plan *p, int k,
                                   int64_t vectors, int64_t loads)
{
    const int64_t line = IRL__AUTO_LINE * p->lanes * irl__auto_bytes(n) / IRL__AUTO_LINE_BYTES;
    const int64_t one = IRL__AUTO_ONE, wide = line < one ? one : line;
    return (irl__auto_moves(&n->rows[k], p->vector) ? wide * vectors : one) * loads;
}

/* Iterations that one read of an operand serves: those that take the lanes of a texel; 1: others.
   Of CPUs, which have no texels, it is 1. */
static int64_t irl__auto_texel(const irl__auto_nest *n, const irl__auto_row *r)
{
    for (int k = n->target->subgroup ? n->loop_count : 0; k-- > 0;)
        if (n->loops[k].is_reduce && irl__auto_is_lanes(r, k)) return IRL__TEXEL_LANES;
    return 1;
}

static irl__auto_tile_size irl__auto_size_of(const irl__auto_nest *n, const irl__auto_plan *p,
                                             int row, int window, int64_t rows,
                                             int64_t vectors)
{
    irl__auto_tile_size t;
    t.window = window;
    t.rows = rows;
    t.vectors = vectors;
    t.loads = t.cost = 0;
    t.registers = rows * vectors + 1;
    t.updates = rows * vectors * (window < 0 ? 1 : n->loops[window].extent);
    for (int k = 0; k < n->row_count; k++) {
        const irl__auto_row *r = &n->rows[k];
        const int            is_wide = irl__auto_moves(r, p->vector);
        if (irl__auto_is_own(n, k)) continue;
        int64_t loads = irl__auto_row_loads(n, k, row, rows, window);
        t.loads += (is_wide ? vectors : 1) * loads;
        const int64_t texel = irl__auto_texel(n, r);
        t.cost += irl__auto_load_cost(n, p, k, vectors, loads) / texel;
        if (!is_wide && texel > 1) t.registers += loads;
        if (is_wide && irl__auto_moves(r, window))
            t.registers += vectors * n->loops[window].extent;
        else if (is_wide && !irl__auto_moves(r, row)) t.registers += vectors;
    }
    return t;
}

enum {
    IRL__AUTO_FAR_LINES = 14 /* that a cache keeps, where so few of its sets may have them */
};

/* Rows of a tile, at most: registers, or fewer where each reads a line of its own again and again,
   of which few sets of a cache may have all. */
static int64_t irl__auto_most_rows(const irl__auto_nest *n, const irl__auto_plan *p, int row)
{
    int64_t step;
    for (int k = 0; k < n->row_count; k++) {
        step = n->rows[k].step[row];
        if (!irl__auto_is_own(n, k) && !irl__auto_moves(&n->rows[k], p->vector) &&
            step != IRL__AUTO_FAR && step * irl__auto_bytes(n) >= IRL__AUTO_FAR_BYTES &&
            n->target->registers > IRL__AUTO_FAR_LINES)
            return IRL__AUTO_FAR_LINES;
    }
    return n->target->registers;
}

/* Does a tile cost less for each result than the one that was chosen? */
static int irl__auto_is_cheaper(const irl__auto_plan *p, const irl__auto_tile_size *t)
{
    return t->cost * p->updates < p->cost * t->updates;
}

static void irl__auto_take_tile(irl__auto_plan *p, int row, const irl__auto_tile_size *t)
{
    p->row = row;
    p->window = t->window;
    p->updates = t->updates;
    p->rows = t->rows;
    p->vectors = t->vectors;
    p->loads = t->loads;
    p->cost = t->cost;
}

static void irl__auto_set_tile(const irl__auto_nest *n, irl__auto_plan *p, int row, int window,
                               int64_t rows, int64_t vectors)
{
    const irl__auto_tile_size t = irl__auto_size_of(n, p, row, window, rows, vectors);
    irl__auto_take_tile(p, row, &t);
}

/* Is the loop of vectors a whole number of times so many? */
static int irl__auto_has_vectors(const irl__auto_nest *n, const irl__auto_plan *p, int64_t vectors)
{
    return p->vector < 0 ? vectors == 1 : irl__auto_divides(n, p->vector, p->lanes * vectors);
}

void irl__auto_choose_tile(const irl__auto_nest *n, irl__auto_plan *p, int is_exact)
{
    const irl_target   *to = n->target;
    const int64_t       most = to->registers, results = irl__auto_extents(n, 0) / p->lanes;
    const int64_t       busy = (int64_t)to->units * to->group_items;
    const int64_t       least = busy > IRL__AUTO_LEAST ? busy : (int64_t)IRL__AUTO_LEAST;
    irl__auto_tile_size t = irl__auto_size_of(n, p, -1, -1, 1, 1);
    int64_t             rows, vectors;
    irl__auto_take_tile(p, -1, &t);
    int64_t whole = p->vector < 0 ? 1 : n->loops[p->vector].extent / p->lanes;
    if (p->along >= 0) return; /* the tile is the one that is turned */
    for (int k = n->loop_count; k-- > 0;) {
        if (n->loops[k].is_reduce || k == p->vector) continue;
        int64_t apart = irl__auto_most_rows(n, p, k);
        int     window = irl__auto_window_of(n, k);
        for (rows = 1; rows <= apart && rows <= n->loops[k].extent; rows++)
            for (vectors = 1; rows * vectors <= most && vectors <= whole; vectors++) {
                if ((is_exact && !irl__auto_divides(n, k, rows)) ||
                    !irl__auto_has_vectors(n, p, vectors) ||
                    results / (rows * vectors) < least)
                    continue;
                t = irl__auto_size_of(n, p, k, window, rows, vectors);
                if (t.registers <= most && irl__auto_is_cheaper(p, &t))
                    irl__auto_take_tile(p, k, &t);
            }
    }
    if (p->row >= 0) return;
    /* nothing is used twice: sums that do not wait for each other; a part of a row goes along the
       row as the other parts do */
    for (vectors = 4; vectors > 1 && p->vectors == 1; vectors--)
        if (irl__auto_has_vectors(n, p, vectors) && results / vectors >= least)
            p->vectors = vectors;
    const int is_part = n->is_moved && !n->target->serial && !n->target->subgroup;
    for (int k = is_part ? 0 : n->loop_count; k-- > 0 && p->vector < 0 && p->row < 0;)
        for (rows = IRL__AUTO_WAITING; rows > 1 && !n->loops[k].is_reduce && p->row < 0; rows--)
            if (irl__auto_divides(n, k, rows) && results / rows >= least)
                irl__auto_set_tile(n, p, k, -1, rows, 1);
}

/* ------------------------------------------------------------------ lines that are far apart */

/* By how many elements a copy goes on in a loop where its other indices stand as they do in the
   operand, and that of the vectors behind them. */
static int64_t irl__auto_packed_step(const irl__auto_nest *n, const irl__auto_row *row, int loop,
                                     int vector)
{
    const int at = irl__auto_index_of(n, row, loop);
    int64_t   step = n->loops[vector].extent;
    for (int k = at + 1; k < row->access->rank; k++) {
        int other = irl__auto_loop_of(n, row->access->indices[k]);
        if (other != vector && !irl__mul64(step, n->loops[other].extent, &step))
            return IRL__AUTO_FAR;
    }
    return step;
}

static int irl__auto_is_apart(const irl__auto_nest *n, const irl__auto_plan *p, int row, int loop)
{
    const int64_t step = p->copy[row] == IRL__AUTO_PACKED
                             ? irl__auto_packed_step(n, &n->rows[row], loop, p->vector)
                             : n->rows[row].step[loop];
    return step >= IRL__AUTO_FAR_BYTES / irl__auto_bytes(n);
}

/* An operand of which each iteration that reduces reads a line far from the last one's, for a tile
   that is done soon: of vectors it gets panels as wide as the tile, and what is the same in all
   lanes goes on along what reduces. */
static void irl__auto_line_up(const irl__auto_nest *n, irl__auto_plan *p, int row,
                              const irl__auto_plan *tile)
{
    const irl__auto_row *r = &n->rows[row];
    const int            loop = irl__auto_reduce_of(n, r);
    const int            is_wide = r->step[p->vector] != 0;
    const int64_t        width = p->lanes * tile->vectors, extent = n->loops[p->vector].extent;
    if (loop < 0 || p->copy[row] == IRL__AUTO_TURNED || !irl__auto_may_pack(n, r, 0) ||
        irl__auto_reuse(n, r) / (is_wide ? tile->rows : width) < IRL__AUTO_REUSE ||
        !irl__auto_is_apart(n, p, row, loop))
        return;
    if (is_wide ? !irl__auto_divides(n, p->vector, width) || extent == width
                : tile->row < 0 || r->step[tile->row] != 1)
        return;
    p->copy[row] = IRL__AUTO_LINED;
    p->last[row] = is_wide ? p->vector : loop;
    p->panel[row] = is_wide ? width : 0;
}

/* Rows of a tile that are a vector's lanes: as many as it has, or where it may have fewer, more
   than half of them; 0: there are none. */
static int64_t irl__auto_lane_rows(const irl__auto_nest *n, const irl__auto_plan *tile, int is_own)
{
    int64_t rows = tile->rows;
    while (is_own && rows > 1 && (!irl__auto_divides(n, tile->row, rows) ||
                                  !irl__target_has_width(n->target, (uint32_t)rows)))
        rows--;
    return rows * 2 > tile->rows && irl__auto_divides(n, tile->row, rows) &&
                   irl__target_has_width(n->target, (uint32_t)rows)
               ? rows : 0;
}

/* Where a vector is a line: what is the same in all lanes and goes on along the tile's rows is read
   by parts of lines, one in each iteration that reduces, and they are gone from the cache before
   the next tile reads the other part. It gets panels as high as the tile. */
static void irl__auto_stand_up(const irl__auto_nest *n, irl__auto_plan *p, int row,
                               const irl__auto_plan *tile)
{
    const irl__auto_row *r = &n->rows[row];
    const int            loop = irl__auto_reduce_of(n, r);
    const int64_t        rows = tile->row < 0 ? 0 : irl__auto_lane_rows(n, tile, p == tile);
    if (loop < 0 || rows < 2 || p->copy[row] != IRL__AUTO_DIRECT || r->step[p->vector] != 0 ||
        r->step[tile->row] != 1 || !irl__auto_may_pack(n, r, 0) ||
        rows * irl__auto_bytes(n) >= IRL__AUTO_LINE_BYTES ||
        n->loops[loop].extent < n->target->cache_bytes / 4 * 3 / IRL__AUTO_LINE_BYTES ||
        !irl__auto_is_apart(n, p, row, loop))
        return;
    if (p == tile) irl__auto_set_tile(n, p, p->row, p->window, rows, p->vectors);
    p->copy[row] = IRL__AUTO_LINED;
    p->last[row] = tile->row;
    p->panel[row] = rows;
}

void irl__auto_choose_lines(const irl__auto_nest *n, irl__auto_plan *p, const irl__auto_plan *tile)
{
    if (p->vector < 0 || p->along >= 0 || !n->is_reduction || irl__auto_is_symbolic(n)) return;
    for (int k = 0; k < n->row_count; k++)
        if (irl__auto_is_own(n, k)) continue;
        else if (p->lanes * irl__auto_bytes(n) >= IRL__AUTO_LINE_BYTES)
            irl__auto_stand_up(n, p, k, tile);
        else irl__auto_line_up(n, p, k, tile);
}

/* ------------------------------------------------------------------ windows of two loops */

/* The innermost loop that reduces, if it is short; -1: it is not. */
static int irl__auto_last_window(const irl__auto_nest *n)
{
    int k = n->loop_count;
    while (k-- > 0 && (!n->loops[k].is_reduce || n->loops[k].extent == 1)) {}
    return k >= 0 && irl__auto_is_written_out(n, k) ? k : -1;
}

/* The loop that reduces beside the window, if it is the only one and short; -1: there is none. */
static int irl__auto_beside_window(const irl__auto_nest *n, int window)
{
    int k, loop = -1;
    for (k = 0; k < n->loop_count; k++) {
        if (!n->loops[k].is_reduce || n->loops[k].extent == 1 || k == window) continue;
        if (loop >= 0 || !irl__auto_is_written_out(n, k)) return -1;
        loop = k;
    }
    return loop;
}

/* A tile of so many rows in each of `count` iterations of a loop, of which each reads along
   `second` what its neighbours do. */
typedef struct irl__auto_two {
    int     row, window, second, loop;
    int64_t rows, vectors, count;
    int64_t cost; /* over all of the two loops that reduce */
} irl__auto_two;

/* Do its parts divide the loops, do registers hold it, and is it written out soon? */
static int irl__auto_is_two(const irl__auto_nest *n, const irl__auto_plan *p,
                            const irl__auto_two *two)
{
    const int64_t one = two->rows * two->vectors, all = one * two->count;
    return irl__auto_divides(n, two->loop, two->count) &&
           (two->row < 0 || irl__auto_divides(n, two->row, two->rows)) &&
           irl__auto_has_vectors(n, p, two->vectors) &&
           irl__auto_extents(n, 1) * all <= IRL__AUTO_SHORT &&
           irl__auto_extents(n, 0) / p->lanes / all >= IRL__AUTO_LEAST &&
           irl__auto_size_of(n, p, two->row, two->window, two->rows, two->vectors).registers +
                   all - one <=
               n->target->registers;
}

/* Tiles of two iterations of that loop, or of a few where the rows of the tile that was chosen have
   no window. */
static void irl__auto_try_two(const irl__auto_nest *n, const irl__auto_plan *p, irl__auto_two two,
                              irl__auto_two *best)
{
    const int     has_rows = two.row >= 0;
    const int64_t rows = has_rows ? p->rows / 2 : 1, count = has_rows ? 2 : (int64_t)IRL__AUTO_NEAR;
    const int64_t first = has_rows ? p->vectors : 1;
    const int64_t last = has_rows ? p->vectors : (int64_t)IRL__AUTO_NEAR;
    for (two.count = 2; two.count <= count; two.count++)
        for (two.rows = 1; two.rows <= rows; two.rows++)
            for (two.vectors = first; two.vectors <= last; two.vectors++) {
                if (!irl__auto_is_two(n, p, &two)) continue;
                /* What iterations have in common is loaded once. */
                int64_t cost = 0;
                for (int k = 0; k < n->row_count; k++)
                    if (!irl__auto_is_own(n, k))
                        cost += irl__auto_load_cost(
                            n, p, k, two.vectors,
                            irl__auto_row_loads(n, k, two.row, two.rows, two.window) *
                                irl__auto_row_loads(n, k, two.loop, two.count, two.second));
                two.cost = cost;
                if (two.cost * best->count * best->rows * best->vectors <
                    best->cost * two.count * two.rows * two.vectors)
                    *best = two;
            }
}

/* May they be shared? Loads under a guard are not from row to row; and of a walk through bytes
   compilers make wider vectors than the target names. */
static int irl__auto_may_share(const irl__auto_nest *n, const irl__auto_plan *p, int has_rows)
{
    for (int k = 0; k < n->row_count; k++) {
        const irl__auto_row *r = &n->rows[k];
        if ((has_rows && r->is_guarded) ||
            (p->way == IRL__AUTO_STREAM && irl__auto_moves(r, p->vector) &&
             (!r->access->buffer ||
              p->lanes * (int64_t)irl__type_bytes(r->access->buffer->type) <
                  n->target->vector_bytes)))
            return 0;
    }
    return 1;
}

void irl__auto_choose_second(const irl__auto_nest *n, irl__auto_plan *p)
{
    irl__auto_two two;
    memset(&two, 0, sizeof two);
    two.row = p->window < 0 ? -1 : p->row;
    two.window = p->window < 0 ? irl__auto_last_window(n) : p->window;
    two.second = two.window < 0 ? -1 : irl__auto_beside_window(n, two.window);
    if (p->vector < 0 || p->along >= 0 || p->strided || two.second < 0 ||
        !irl__auto_may_share(n, p, two.row >= 0))
        return;
    irl__auto_two best = two;
    best.loop = -1;
    best.count = 1;
    best.rows = p->rows;
    best.vectors = p->vectors;
    best.cost = irl__auto_size_of(n, p, p->row, p->window, p->rows, p->vectors).cost *
                irl__auto_extents(n, 1) / (p->window < 0 ? 1 : n->loops[p->window].extent);
    for (two.loop = 0; two.loop < n->loop_count; two.loop++)
        if (!n->loops[two.loop].is_reduce && two.loop != two.row && two.loop != p->vector)
            irl__auto_try_two(n, p, two, &best);
    if (best.loop < 0) return;
    irl__auto_set_tile(n, p, best.row, best.window, best.rows, best.vectors);
    p->second = best.second;
    p->period[best.loop] = best.count;
}
