/* auto_tile.c - which loop becomes vectors, how many results are in registers at once, and loops
   that are cut into parts, or padded, so that vectors and tiles divide them.

   needs     auto_write.c; pad_einsum, which proves that the sums are the same
   promises  only strides, extents and columns of the target decide; the fewest loads for each
             operation, of the tiles that divide the loops, fit into the registers and leave
             work-items. Nothing is padded that is not read repeatedly, and the work at most doubles
   cost      loops times registers, squared */
#include "auto.h"

int64_t irl__auto_most_lanes(const irl__auto_nest *n)
{
    int64_t bytes = n->target->vector_bytes;
    if (!bytes && n->is_reduction && !n->is_scalar) bytes = IRL__AUTO_LOOP_BYTES;
    const int64_t lanes = bytes / irl__auto_bytes(n);
    return lanes < IRL_MAX_LANES ? lanes : (int64_t)IRL_MAX_LANES;
}

int irl__auto_has_width(const irl__auto_nest *n, int64_t lanes)
{
    return n->target->vector_bytes ? irl__target_has_width(n->target, (uint32_t)lanes)
                                   : lanes % IRL__AUTO_LOOP_LANES == 0;
}

/* Do loops of so many lanes leave much of loop k, and more than others? */
static int irl__auto_leaves_more(const irl__auto_nest *n, int k, int64_t lanes, int64_t other)
{
    const int64_t extent = n->loops[k].extent;
    return extent % lanes * IRL__AUTO_LEFT > extent && extent % lanes > extent % other;
}

/* The longest loops of lanes, or shorter ones that leave less of loop k where that is much; 1:
   there are none. */
static int64_t irl__auto_loop_lanes(const irl__auto_nest *n, int k)
{
    int64_t best = 1;
    for (int64_t lanes = irl__auto_most_lanes(n); lanes > 1; lanes--)
        if (irl__auto_has_width(n, lanes) && n->loops[k].extent >= lanes &&
            (best == 1 || (lanes >= IRL__AUTO_LOOP_LEAST &&
                           irl__auto_leaves_more(n, k, best, lanes))))
            best = lanes;
    return irl__auto_phase(n, k, -1) > 1 ? 1 : best; /* then each asks for itself */
}

int64_t irl__auto_lanes(const irl__auto_nest *n, int k, int is_exact)
{
    const int64_t extent = n->loops[k].extent;
    int64_t       lanes = irl__auto_most_lanes(n);
    if (!n->target->vector_bytes) {
        lanes = irl__auto_loop_lanes(n, k);
        return !is_exact || irl__auto_divides(n, k, lanes) ? lanes : 1;
    }
    for (; lanes > 1; lanes--)
        if (irl__auto_has_width(n, lanes) && lanes != 3 &&
            (is_exact ? irl__auto_divides(n, k, lanes) : extent >= lanes))
            return lanes;
    return 1;
}

int irl__auto_has_function(const irl__auto_nest *n)
{
    return n->target->vector_bytes && !irl__auto_is_symbolic(n) &&
           irl__expr_any(n->store->u.store.value, irl__auto_is_function, NULL);
}

/* Do lanes access every second element or so? Collecting them costs less than a lane at a time; of
   functions also where they are parts of rows that are shorter than the vector. */
static int irl__auto_is_strided(const irl__auto_nest *n, const irl__auto_row *row, int k,
                                int64_t lanes)
{
    const int64_t most = irl__auto_has_function(n) ? lanes : (int64_t)IRL__AUTO_NEAR;
    return row->run[k] >= lanes && row->step[k] > 1 && row->step[k] <= most &&
           !row->is_guarded && !irl__target_has_picks(n->target) && /* gathers take those */
           irl__target_gathers(n->target, row->access->buffer->type);
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
    if (!n->is_reduction && !n->is_inside && irl__auto_has_function(n) &&
        irl__auto_is_strided(n, row, k, lanes))
        return 1;
    if ((p->way != IRL__AUTO_SUMS && p->way != IRL__AUTO_PARTS) || !n->is_reduction ||
        (n->is_inside && irl__auto_index_of(n, row, k) < 0))
        return 0;
    while (stored > 1 && (row->step[k] != 1 || row->run[k] % stored || lanes % stored ||
                          !irl__auto_has_width(n, stored)))
        stored--;
    return irl__auto_extents(n, 1) / IRL__AUTO_STORES >= lanes / stored ? stored : 0;
}

/* Can loop k be a vector of that many lanes? Each operand is the same in all of them, or lies one
   after the other, or is copied so, or is not far from that; sums in registers may be stored by
   parts. */
static int irl__auto_is_vector(const irl__auto_nest *n, int k, int64_t lanes, irl__auto_plan *p)
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
            p->strided += !n->is_reduction;
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
    irl__auto_lane q = { n, n->loops[k].stmt->u.loop.var };
    return !n->is_reduction && irl__expr_any(n->store->u.store.value, irl__auto_is_choice, &q);
}

/* Has a plan of a reduction so many more lanes than loop k that its copies, each of which is read
   often (irl__auto_may_pack), cost less? Not where loop k may be cut, and whole vectors leave
   little of it. Or has it more functions at once, for which lanes are collected? */
static int irl__auto_is_wider(const irl__auto_nest *n, const irl__auto_plan *p, int k,
                              int64_t lanes)
{
    if (k < 0 || p->vector < 0 || p->lanes < IRL__AUTO_WORTH * lanes) return 0;
    if (p->strided && irl__auto_has_function(n)) return 1;
    if (!n->is_reduction || p->strided || irl__auto_phase(n, p->vector, -1) > 1 ||
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
    const int asks = n->is_reduction && irl__auto_phase(n, k, -1) > 1;
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
    int best = (IRL__AUTO_LINED + 1) * (IRL__AUTO_ROWS + 1);
    p->vector = p->along = -1;
    p->lanes = p->stored = 1;
    for (int k = n->loop_count; k-- > 0;)
        irl__auto_try_vector(n, p, k, irl__auto_lanes(n, k, 1), &best);
    /* sums of which memory holds fewer, one after the other */
    for (int64_t lanes = irl__auto_most_lanes(n) / 2;
         n->is_reduction && lanes >= IRL__AUTO_FEW &&
         (p->vector < 0 || irl__auto_phase(n, p->vector, -1) > 1);
         lanes /= 2)
        for (int k = n->loop_count; k-- > 0 && irl__auto_has_width(n, lanes);)
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

/* The innermost loop that reduces for more than one iteration, if it is short; -1: it is not. How
   many reduce outside of it, and the innermost of these. */
static int irl__auto_last_window(const irl__auto_nest *n, int *others, int *other)
{
    int loop = -1;
    *others = 0;
    for (int k = 0; k < n->loop_count; k++) {
        if (!n->loops[k].is_reduce || n->loops[k].extent == 1) continue;
        *others += loop >= 0;
        *other = loop;
        loop = k;
    }
    return loop >= 0 && irl__auto_is_written_out(n, loop) ? loop : -1;
}

/* That loop, if others reduce outside of it, and a row of results reads along it what its
   neighbours do (x[v + s]), or asks with it for a remainder; -1: it is none such. */
static int irl__auto_window_of(const irl__auto_nest *n, int row)
{
    int       others, other;
    const int loop = irl__auto_last_window(n, &others, &other);
    if (loop >= 0 && others && irl__auto_phase(n, row, loop) > 1) return loop;
    for (int k = 0; k < n->row_count && others; k++)
        if (!irl__auto_is_own(n, k) && irl__auto_stride(n, k, row, loop) > 0) return loop;
    return -1;
}

/* Does it move along that loop, be it not with each iteration, as x[w / 3] does? */
static int irl__auto_is_phased(const irl__auto_row *r, int loop)
{
    return r->step[loop] != 0 || !r->is_even[loop];
}

/* Loads of an operand by so many iterations of a loop, each of which may read along the window what
   its neighbours do. Where they ask for a remainder only one update in so many is done, and only
   what goes on with these iterations is loaded so seldom: all is counted so many times. */
static int64_t irl__auto_row_loads(const irl__auto_nest *n, int k, int row, int64_t rows,
                                   int window, int64_t phase)
{
    const irl__auto_row *r = &n->rows[k];
    const int64_t        extent = irl__auto_moves(r, window) ? n->loops[window].extent : 1;
    const int64_t        stride = irl__auto_stride(n, k, row, window);
    if (phase > 1 && irl__auto_is_phased(r, row)) return rows - 1 + n->loops[window].extent;
    if (phase > 1) return phase * extent;
    if (stride > 0) return (rows - 1) * stride + extent;
    return (irl__auto_moves(r, row) ? rows : 1) * extent;
}

/* What so many loads of an operand cost in the plan's tile. */
static int64_t irl__auto_load_cost(const irl__auto_nest *n, const irl__auto_plan *p, int k,
                                   int64_t loads)
{
    const int64_t line = IRL__AUTO_LINE * p->lanes * irl__auto_bytes(n) / IRL__AUTO_LINE_BYTES;
    const int64_t one = IRL__AUTO_ONE, wide = line < one ? one : line;
    return (irl__auto_moves(&n->rows[k], p->vector) ? wide * p->vectors : one) * loads;
}

/* Iterations that one read of an operand serves: those that take the lanes of a texel; 1: others.
   Of CPUs, which have no texels, it is 1. */
static int64_t irl__auto_texel(const irl__auto_nest *n, const irl__auto_row *r)
{
    for (int k = n->target->subgroup ? n->loop_count : 0; k-- > 0;)
        if (n->loops[k].is_reduce && irl__auto_is_lanes(r, k)) return IRL__TEXEL_LANES;
    return 1;
}

/* The modulus of a remainder that iterations of a loop ask for, each with some iterations of a loop
   that reduces; 1: there is none. */
static int64_t irl__auto_asks(const irl__auto_nest *n, int loop)
{
    int64_t modulus = 1;
    for (int k = 0; k < n->loop_count && modulus == 1; k++)
        if (n->loops[k].is_reduce) modulus = irl__auto_phase(n, loop, k);
    return modulus;
}

/* What the plan's tile costs in one iteration of what else reduces: loads, what they cost, and
   registers: the results, the vectors of one row, what is in the window, and one for what is the
   same in all lanes. */
static void irl__auto_count(const irl__auto_nest *n, irl__auto_plan *p)
{
    const int64_t results = p->rows * p->vectors * p->count;
    p->loads = 0;
    p->cost = p->asks && p->rows > 1 ? IRL__AUTO_ASKS * results : 0;
    p->registers = results + 1;
    p->updates = results * (p->window < 0 ? 1 : n->loops[p->window].extent) *
                 (p->second < 0 ? 1 : n->loops[p->second].extent);
    for (int k = 0; k < n->row_count; k++) {
        const irl__auto_row *r = &n->rows[k];
        const int            is_wide = irl__auto_moves(r, p->vector);
        if (irl__auto_is_own(n, k)) continue;
        const int64_t one = irl__auto_row_loads(n, k, p->row, p->rows, p->window, p->phase);
        const int64_t loads = one * irl__auto_row_loads(n, k, p->beside, p->count, p->second, 1);
        const int64_t texel = irl__auto_texel(n, r);
        p->loads += (is_wide ? p->vectors : 1) * one;
        p->cost += irl__auto_load_cost(n, p, k, loads) / texel;
        if (!is_wide && texel > 1) p->registers += loads;
        if (!is_wide && p->phase > 1 && irl__auto_is_phased(r, p->row)) /* compilers load ahead */
            p->registers += one / p->phase + IRL__AUTO_NEAR;
        if (is_wide && irl__auto_moves(r, p->window))
            p->registers += p->vectors * n->loops[p->window].extent;
        else if (is_wide && !irl__auto_moves(r, p->row)) p->registers += p->vectors;
    }
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
static int irl__auto_is_cheaper(const irl__auto_plan *p, const irl__auto_plan *t)
{
    return t->cost * p->updates < p->cost * t->updates;
}

int64_t irl__auto_all_cost(const irl__auto_plan *p)
{
    return p->cost + IRL__AUTO_ONE * p->updates;
}

/* A comment about a tile that costs less than those before. */
static void irl__auto_say_tile(const irl__auto_nest *n, const irl__auto_plan *t, irl__text *tried)
{
    if (!tried) return;
    irl__textf(tried, "    //   %l of %s by %l", t->rows, n->loops[t->row].name, t->vectors);
    if (t->vector >= 0)
        irl__textf(tried, " vectors of %l along %s", t->lanes, n->loops[t->vector].name);
    irl__textf(tried, ": loads cost %l for %l updates, %l registers\n", t->cost, t->updates,
               t->registers);
}

/* Is the loop of vectors a whole number of times so many? */
static int irl__auto_has_vectors(const irl__auto_nest *n, const irl__auto_plan *p, int64_t vectors)
{
    return p->vector < 0 ? vectors == 1 : irl__auto_divides(n, p->vector, p->lanes * vectors);
}

/* Do remainders that guards ask for leave so few updates for each store that the lanes of one
   vector go to enough places? */
static int irl__auto_is_stored_often(const irl__auto_nest *n, const irl__auto_plan *p)
{
    int64_t updates = irl__auto_extents(n, 1);
    for (int k = 0; k < n->loop_count && p->stored < p->lanes; k++)
        if (!n->loops[k].is_reduce) updates /= irl__auto_asks(n, k);
    return p->stored < p->lanes && updates / IRL__AUTO_STORES * p->stored < p->lanes;
}

void irl__auto_choose_tile(const irl__auto_nest *n, irl__auto_plan *p, int is_exact)
{
    const irl_target *to = n->target;
    const int64_t     most = to->vector_bytes || p->vector < 0 ? to->registers /* of a tile */
                                                               : (int64_t)IRL__AUTO_LOOP_SUMS;
    const int64_t     results = irl__auto_extents(n, 0) / p->lanes;
    const int64_t     busy = (int64_t)to->units * to->group_items;
    const int64_t     least = busy > IRL__AUTO_LEAST ? busy : (int64_t)IRL__AUTO_LEAST;
    const int64_t     whole = p->vector < 0 ? 1 : n->loops[p->vector].extent / p->lanes;
    const int64_t     wide = irl__auto_is_stored_often(n, p) ? 1 : whole;
    p->row = p->window = -1;
    p->rows = p->vectors = p->phase = 1;
    p->asks = 0;
    irl__auto_count(n, p);
    if (p->along >= 0) return; /* the tile is the one that is turned */
    irl__auto_plan t = *p;
    for (t.row = n->loop_count; t.row-- > 0;) {
        if (n->loops[t.row].is_reduce || t.row == p->vector) continue;
        const int64_t apart = irl__auto_most_rows(n, p, t.row);
        t.window = irl__auto_window_of(n, t.row);
        t.phase = t.window < 0 ? 1 : irl__auto_phase(n, t.row, t.window);
        t.asks = t.phase == 1 && irl__auto_asks(n, t.row) > 1;
        for (t.rows = 1; t.rows <= apart && t.rows <= n->loops[t.row].extent; t.rows++)
            for (t.vectors = 1; t.rows * t.vectors <= most && t.vectors <= wide; t.vectors++) {
                if ((is_exact && !irl__auto_divides(n, t.row, t.rows)) ||
                    (t.rows % t.phase && t.rows < n->loops[t.row].extent) ||
                    (t.phase > 1 && !is_exact && t.rows * 2 > n->loops[t.row].extent) ||
                    !irl__auto_has_vectors(n, p, t.vectors) ||
                    results / (t.rows * t.vectors) < least)
                    continue;
                irl__auto_count(n, &t);
                t.compared++;
                if (t.registers > most || !irl__auto_is_cheaper(p, &t)) continue;
                irl__auto_say_tile(n, &t, p->tried);
                *p = t;
            }
    }
    p->compared = t.compared;
    if (p->row >= 0) return;
    /* nothing is used twice: sums that do not wait for each other; a part of a row goes along the
       row as the other parts do */
    for (int64_t vectors = 4; vectors > 1 && p->vectors == 1; vectors--)
        if (irl__auto_has_vectors(n, p, vectors) && results / vectors >= least)
            p->vectors = vectors;
    const int is_part = n->is_moved && !to->serial && !to->subgroup;
    for (int k = is_part ? 0 : n->loop_count; k-- > 0 && p->vector < 0 && p->row < 0;)
        for (p->rows = IRL__AUTO_WAITING; p->rows > 1 && p->row < 0;)
            if (!n->loops[k].is_reduce && irl__auto_divides(n, k, p->rows) &&
                results / p->rows >= least)
                p->row = k;
            else p->rows--;
    irl__auto_count(n, p);
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
        int other = irl__auto_loop_of(n, row->access->indices[k], 0);
        if (other != vector && !irl__mul64(step, n->loops[other].extent, &step))
            return IRL__AUTO_FAR;
    }
    return step;
}

/* Does an operand go on by so much along the loop that reduces? */
static int irl__auto_is_apart(const irl__auto_nest *n, const irl__auto_plan *p, int row)
{
    const int loop = irl__auto_reduce_of(n, &n->rows[row]);
    if (loop < 0) return 0;
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
    const int            is_wide = r->step[p->vector] != 0;
    const int64_t        width = p->lanes * tile->vectors, extent = n->loops[p->vector].extent;
    if (p->copy[row] != IRL__AUTO_PACKED && /* which is a copy anyway */
        irl__auto_reuse(n, r) / (is_wide ? tile->rows : width) < IRL__AUTO_REUSE)
        return;
    if (is_wide ? !irl__auto_divides(n, p->vector, width) || extent == width
                : tile->row < 0 || r->step[tile->row] != 1)
        return;
    p->copy[row] = IRL__AUTO_LINED;
    p->last[row] = is_wide ? p->vector : irl__auto_reduce_of(n, r);
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
    const int64_t        rows = tile->row < 0 ? 0 : irl__auto_lane_rows(n, tile, p == tile);
    if (rows < 2 || p->copy[row] != IRL__AUTO_DIRECT || r->step[p->vector] != 0 ||
        r->step[tile->row] != 1 || rows * irl__auto_bytes(n) >= IRL__AUTO_LINE_BYTES ||
        n->loops[irl__auto_reduce_of(n, r)].extent <
            n->target->cache_bytes / 4 * 3 / IRL__AUTO_LINE_BYTES)
        return;
    if (p == tile) {
        p->rows = rows;
        irl__auto_count(n, p);
    }
    p->copy[row] = IRL__AUTO_LINED;
    p->last[row] = tile->row;
    p->panel[row] = rows;
}

void irl__auto_choose_lines(const irl__auto_nest *n, irl__auto_plan *p, const irl__auto_plan *tile)
{
    if (p->vector < 0 || p->along >= 0 || !n->is_reduction || irl__auto_is_symbolic(n)) return;
    for (int k = 0; k < n->row_count; k++) {
        const int is_beyond = irl__auto_is_beyond(n, k, p->vector);
        if (irl__auto_is_own(n, k) || p->copy[k] == IRL__AUTO_TURNED ||
            !irl__auto_may_pack(n, &n->rows[k], 0) ||
            (!is_beyond && !irl__auto_is_apart(n, p, k)))
            continue;
        if (is_beyond || p->lanes * irl__auto_bytes(n) < IRL__AUTO_LINE_BYTES)
            irl__auto_line_up(n, p, k, tile);
        else irl__auto_stand_up(n, p, k, tile);
    }
}

/* ------------------------------------------------------------------ windows of two loops */

/* Tiles of two iterations of that loop, or of a few where the rows of the tile that was chosen have
   no window: their parts divide the loops, registers hold them, and they are written out soon. */
static void irl__auto_try_two(const irl__auto_nest *n, const irl__auto_plan *p,
                              irl__auto_plan *two, irl__auto_plan *best)
{
    const int     has_rows = two->row >= 0;
    const int64_t rows = has_rows ? p->rows / 2 : 1, count = has_rows ? 2 : (int64_t)IRL__AUTO_NEAR;
    const int64_t first = has_rows ? p->vectors : 1;
    const int64_t last = has_rows ? p->vectors : (int64_t)IRL__AUTO_NEAR;
    for (two->count = 2; two->count <= count; two->count++)
        for (two->rows = 1; two->rows <= rows; two->rows++)
            for (two->vectors = first; two->vectors <= last; two->vectors++) {
                const int64_t all = two->rows * two->vectors * two->count;
                irl__auto_count(n, two);
                if (irl__auto_divides(n, two->beside, two->count) &&
                    (!has_rows || irl__auto_divides(n, two->row, two->rows)) &&
                    irl__auto_has_vectors(n, two, two->vectors) &&
                    irl__auto_extents(n, 1) * all <= IRL__AUTO_SHORT &&
                    irl__auto_extents(n, 0) / two->lanes / all >= IRL__AUTO_LEAST &&
                    two->registers <= n->target->registers && irl__auto_is_cheaper(best, two))
                    *best = *two;
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
    irl__auto_plan two = *p, best = *p;
    int            others;
    if (p->window < 0) two.row = -1;
    two.window = irl__auto_last_window(n, &others, &two.second);
    if (two.window < 0 || others != 1 || !irl__auto_is_written_out(n, two.second)) return;
    if (p->vector < 0 || p->along >= 0 || p->strided ||
        !irl__auto_may_share(n, p, two.row >= 0))
        return;
    irl__auto_count(n, &best);
    for (two.beside = 0; two.beside < n->loop_count; two.beside++)
        if (!n->loops[two.beside].is_reduce && two.beside != two.row && two.beside != p->vector)
            irl__auto_try_two(n, p, &two, &best);
    if (best.second < 0) return;
    *p = best;
    p->period[p->beside] = p->count;
}

/* ---------------------------------------------------------------- loops that are cut into parts */

int irl__auto_is_uniform(const irl__auto_nest *n, int loop)
{
    int64_t lo, hi;
    if (!irl__auto_is_guarded_by(n, loop)) return 1;
    irl__auto_interior(n, loop, &lo, &hi);
    return hi - lo == n->loops[loop].extent;
}

/* Is loop k to be cut where its border is guarded? First the one of the vectors, so that all lanes
   ask the same; then, in what is inside of that border alone, the rows of a tile, which would ask
   each for itself. */
static int irl__auto_is_cut(const irl__auto *a, const irl__auto_nest *n, const irl__auto_plan *p,
                            int k, int is_uniform)
{
    if (n->loops[k].is_reduce) return 0;
    if (p->vector < 0) return !a->is_rest;
    if (!is_uniform) return k == p->vector;
    return a->is_inner && (n->is_reduction ? k == p->row /* a tile asks, once for all rows */
                                           : irl__auto_is_shared(n, k, IRL__AUTO_NEAR));
}

int irl__auto_cut_at(irl__auto_plan *p, int k, int64_t at, int64_t group, const char *reason)
{
    irl__auto_border *c = &p->cut;
    memset(c, 0, sizeof *c);
    c->loop = k;
    c->count = 1;
    c->at[0] = at;
    c->group = group;
    c->reason = reason;
    return 1;
}

int irl__auto_choose_border(const irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    const int is_uniform = p->vector >= 0 && irl__auto_is_uniform(n, p->vector);
    int64_t   lo, hi;
    int       is_asked = !n->is_reduction; /* what a sum reads in bounds may be masked instead */
    for (int k = 0; k < n->row_count; k++) is_asked |= n->rows[k].is_guarded | n->rows[k].is_held;
    for (int k = 0; k < n->loop_count && n->guard_count; k++) {
        if (!irl__auto_is_cut(a, n, p, k, is_uniform)) continue;
        if (!is_asked && (k != p->vector || n->loops[k].is_symbolic)) continue;
        int64_t min = n->loops[k].min;
        int64_t end = min + n->loops[k].extent;
        irl__auto_interior(n, k, &lo, &hi);
        if ((lo == min && hi == end) || hi - lo < n->loops[k].extent / 2) continue;
        if (!n->is_reduction && k == p->vector && hi - lo < 2 * p->lanes) continue;
        if (!is_asked) { /* whole tiles, of which a few are masked */
            const int64_t tile = p->lanes * p->vectors;
            lo = min + (lo - min + tile - 1) / tile * tile;
            hi = min + (hi - min) / tile * tile;
            if (hi - lo < n->loops[k].extent / 8 * 7) continue;
        }
        if (n->loops[k].is_symbolic &&
            (lo - min > IRL__AUTO_BORDER || end - hi > IRL__AUTO_BORDER))
            continue; /* where it is goes by the names */
        irl__auto_cut_at(p, k, lo - min, 0, "inside the border no guard is needed");
        p->cut.count = p->cut.main = lo > min;
        p->cut.is_border = 1;
        if (hi < end)
            p->cut.at[p->cut.count++] = n->loops[k].is_symbolic ? hi - end : hi - min;
        return 1;
    }
    return 0;
}

/* A loop of which whole tiles that are turned would be vectors along both loops: first the one
   along which memory is contiguous, then the one of the vectors. */
static int irl__auto_choose_turned(const irl__auto_nest *n, irl__auto_plan *p)
{
    const int64_t  most = n->target->vector_bytes / irl__auto_bytes(n);
    irl__auto_nest whole = *n;
    irl__auto_plan with = *p;
    int            k;
    if (n->is_reduction || most < 2 * IRL__AUTO_WORTH * p->lanes) return 0;
    for (k = 0; k < n->loop_count; k++)
        if (!n->loops[k].is_symbolic && n->loops[k].extent >= IRL__AUTO_ITEMS)
            whole.loops[k].multiple = n->loops[k].extent / most * most;
    irl__auto_choose_vector(&whole, &with);
    if (with.vector < 0 || with.along < 0 || with.lanes < 2 * IRL__AUTO_WORTH * p->lanes)
        return 0;
    k = irl__auto_divides(n, with.along, with.length) ? with.vector : with.along;
    if (n->loops[k].is_symbolic || whole.loops[k].multiple == n->loops[k].extent) return 0;
    return irl__auto_cut_at(p, k, whole.loops[k].multiple, 0, "whole tiles, then the remainder");
}

int irl__auto_choose_rest(const irl__auto_nest *n, irl__auto_plan *p)
{
    irl__auto_plan with = *p;
    int64_t        lanes;
    int            j;
    for (int k = n->loop_count; k-- > 0;) {
        if (n->loops[k].is_reduce || n->loops[k].is_symbolic) continue;
        lanes = irl__auto_lanes(n, k, 0);
        if (lanes < 4 || n->loops[k].extent % lanes == 0 || lanes <= p->lanes ||
            !irl__auto_is_vector(n, k, lanes, &with))
            continue;
        if (with.stored < lanes || (with.strided && lanes <= 2 * p->lanes)) continue;
        for (j = 0; j < n->row_count; j++) /* what is packed anyway all parts read */
            if (with.copy[j] != IRL__AUTO_DIRECT &&
                (with.copy[j] != IRL__AUTO_PACKED || p->copy[j] != IRL__AUTO_PACKED))
                break;
        if (j < n->row_count) continue;
        return irl__auto_cut_at(p, k, n->loops[k].extent / lanes * lanes, 0,
                                "whole vectors, then the remainder");
    }
    return irl__auto_choose_turned(n, p);
}

/* What a tile with rows left over must save: one part in so many. Less where the tile that leaves
   none has so few sums that updates wait for each other, and it leaves little. */
int irl__auto_choose_rows(const irl__auto_nest *n, irl__auto_plan *p, irl__auto_plan *with)
{
    *with = *p;
    if (p->along >= 0) return 0;
    irl__auto_choose_tile(n, with, 0);
    int64_t extent = with->row < 0 ? 0 : n->loops[with->row].extent;
    if (extent % with->rows == 0 || n->loops[with->row].is_symbolic) return 0;
    int64_t worth = p->rows * p->vectors <= IRL__AUTO_WAITING &&
                            n->loops[with->row].extent % with->rows * IRL__AUTO_LEFT <=
                                n->loops[with->row].extent
                        ? 2 * IRL__AUTO_WORTH
                        : IRL__AUTO_WORTH;
    if (extent < (with->phase > 1 ? 2 : 4) * with->rows ||
        with->cost * p->updates * worth > p->cost * with->updates * (worth - 1))
        return 0;
    return irl__auto_cut_at(p, with->row, extent / with->rows * with->rows, 0,
                            "tiles of rows, then the remainder");
}

/* ------------------------------------------------------------------ symbolic extents */

int64_t irl__auto_peeled(const irl__auto_nest *n, const irl__auto_loop *loop)
{
    if (!loop->is_symbolic || loop->is_reduce ||
        (loop->multiple > 1 && (loop->multiple & (loop->multiple - 1)) == 0))
        return 1;
    if (loop->extent >= IRL__AUTO_PEELED) return IRL__AUTO_PEELED;
    return n->is_reduction && !n->is_inside && loop->extent >= 2 * IRL__AUTO_PEELED_AGAIN
               ? IRL__AUTO_PEELED_AGAIN : 1;
}

/* Loop k, if a tile has so many iterations of it and it may be peeled. */
static int irl__auto_try_peel(const irl__auto_nest *n, irl__auto_plan *p, int k, int64_t length)
{
    return k >= 0 && length > 1 && irl__auto_peeled(n, &n->loops[k]) > 1 &&
           irl__auto_cut_at(p, k, 0, length, "whole tiles, then the remainder");
}

int irl__auto_choose_peel(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    irl__auto_nest whole = *n;
    irl__auto_plan q;
    for (int k = 0; k < n->loop_count; k++)
        if (irl__auto_peeled(n, &n->loops[k]) > 1)
            whole.loops[k].multiple = irl__auto_peeled(n, &n->loops[k]);
    irl__auto_plan_begin(a, &q);
    q.way = IRL__AUTO_SUMS;
    irl__auto_choose_vector(&whole, &q);
    if (q.vector < 0) return 0;
    if (n->is_reduction) irl__auto_choose_tile(&whole, &q, 1);
    if (!irl__auto_choose_border(a, n, &q) && !irl__auto_try_peel(n, &q, q.row, q.rows) &&
        !irl__auto_try_peel(n, &q, q.along, q.length) &&
        !irl__auto_try_peel(n, &q, q.vector, q.lanes * q.vectors))
        return 0;
    p->cut = q.cut;
    return 1;
}

int irl__auto_parts(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    const irl__auto_border *c = &p->cut;
    const char             *loop = n->loops[c->loop].name, *whole = irl__auto_member(n, c->loop);
    int                     any = 0;
    for (int k = 0; k < n->row_count; k++)
        if (p->copy[k] == IRL__AUTO_TURNED) p->copy[k] = IRL__AUTO_DIRECT;
    if (!irl__auto_copies(a, n, p)) return 0;
    if (c->loop) {
        irl__auto_put(p, &any, whole);
        for (int k = 0; k < c->loop; k++) irl__auto_put(p, &any, irl__auto_member(n, k));
        irl__auto_put_end(p, "");
    }
    if (c->group || c->count == 1) {
        irl__auto_cut_off(a, p, loop, whole, p->parts, c->at[0], c->group, c->reason);
        return 1;
    }
    for (int k = 0; k < 3; k++)
        p->parts[k] = irl__auto_name(a, loop, k == 0 ? "a" : k == 1 ? "b" : "c");
    irl__auto_step(p, c->reason, "(%s, %s, %s) = partition(%s, %l, %l);", p->parts[0], p->parts[1],
                   p->parts[2], whole, c->at[0], c->at[1]);
    return 1;
}

/* ------------------------------------------------------------------ columns that are padded */

int irl__auto_may_pad(irl__auto *a, const irl__auto_nest *n, int loop)
{
    if (!irl__auto_has_axes(n)) return 0;
    for (int k = 0; k < n->row_count; k++) {
        const irl__auto_row *row = &n->rows[k];
        const size_t         length = row->access->buffer ? strlen(row->access->buffer->name) : 0;
        if (row->step[loop] == 0) continue;
        if (irl__auto_index_of(n, row, loop) < 0 || row->is_guarded ||
            (!irl__auto_is_own(n, k) && irl__auto_reuse(n, row) < IRL__AUTO_REUSE))
            return 0;
        const char *name = irl__auto_name(a, row->access->buffer->name, "pad");
        if (strlen(name) != length + 4) return 0; /* the step does not choose another */
    }
    return 1;
}

/* Columns of whole tiles of loop k, not fewer than `least`: so many that it costs the least, where
   a prime number of vectors allows no tile of several. */
static int64_t irl__auto_padded_tiles(irl__auto *a, const irl__auto_nest *n, int k, int64_t lanes,
                                      int64_t least)
{
    const int64_t  extent = n->loops[k].extent;
    irl__auto_nest whole = *n;
    irl__auto_plan p;
    int64_t        best = least, cost = INT64_MAX;
    for (int vectors = 1; vectors <= IRL__AUTO_NEAR; vectors++) {
        const int64_t group = vectors * lanes, columns = (extent + group - 1) / group * group;
        if (columns > 2 * extent || columns < least) continue;
        whole.loops[k].extent = whole.loops[k].multiple = columns;
        irl__auto_plan_begin(a, &p);
        p.tried = NULL;
        p.way = IRL__AUTO_SUMS;
        irl__auto_choose_vector(&whole, &p);
        irl__auto_choose_tile(&whole, &p, 1);
        const int64_t all = irl__auto_all_cost(&p) * IRL__AUTO_ITEMS / p.updates * columns;
        if (p.vector != k || all >= cost) continue;
        cost = all;
        best = columns;
    }
    return best;
}

/* The loop along which the result is contiguous, if it is to be padded to whole vectors, which are
   to be fewer than without: 16 columns are one, and so are 8. The work at most doubles. -1: it is
   not. */
static int irl__auto_choose_pad(irl__auto *a, const irl__auto_nest *n, int64_t *padded)
{
    int64_t lanes = n->target->vector_bytes / irl__auto_bytes(n);
    int     k = 0;
    while (k < n->loop_count && (n->loops[k].is_reduce || n->rows[n->written].step[k] != 1)) k++;
    if (k == n->loop_count || n->loops[k].extent < 3 || !n->block->init ||
        n->loops[k].stmt->u.loop.extent->op != IRL_OP_INT) /* a name has no number to pad to */
        return -1;
    const int64_t extent = n->loops[k].extent;
    while (lanes > 1 && (!irl__target_has_width(n->target, (uint32_t)lanes) ||
                         (lanes + extent - 1) / lanes * lanes > 2 * extent))
        lanes--;
    if (lanes < 1) lanes = 1;
    *padded = (extent + lanes - 1) / lanes * lanes;
    if (*padded == extent || *padded / lanes >= extent / irl__auto_lanes(n, k, 1) ||
        !irl__auto_may_pad(a, n, k))
        return -1;
    *padded = irl__auto_padded_tiles(a, n, k, lanes, *padded);
    return k;
}

int irl__auto_pads_vectors(irl__auto *a, const irl__auto_nest *n)
{
    int64_t   padded;
    const int loop = n->is_inside ? -1 : irl__auto_choose_pad(a, n, &padded);
    return loop >= 0 && n->loops[loop].extent > irl__auto_most_lanes(n);
}

int irl__auto_pad(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    int64_t   padded;
    const int loop = irl__auto_choose_pad(a, n, &padded);
    if (loop < 0) return 0;
    irl__textf(&p->text, "    pad_einsum(%s", n->name);
    for (int k = 0; k < n->block->axis_count; k++)
        irl__textf(&p->text, ", %l",
                   n->block->axes[k].binding == n->loops[loop].stmt->u.loop.var ? padded
                                                                                : (int64_t)1);
    irl__auto_put_end(p, irl__reason(a->cx, "padded to %l columns, which are whole vectors; %l "
                                            "are not", padded, n->loops[loop].extent));
    p->again = n->block->name;
    p->counts = n->loops[loop].extent;
    return 1;
}

/* The block that copies what the nest writes somewhere else, the only one that reads it but for the
   nest's. */
