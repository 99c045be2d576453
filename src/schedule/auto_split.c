/* auto_split.c - reductions whose order is free, along which memory goes on: partial results by
   vectors in registers, put together at the end, and what is left of the loop behind them.

   needs     auto_write.c */
#include "auto.h"

enum { IRL__AUTO_FOLDS = 6 }; /* vectors beside which it matters little what they leave */

/* The outermost loop that reduces. */
static int irl__auto_outer_reduce(const irl__auto_nest *n)
{
    int k;
    for (k = 0; k < n->loop_count && !n->loops[k].is_reduce; k++) {}
    return k;
}

/* May partial results be vectors of that many lanes: are all operands the same in them, or one
   after the other? */
static int irl__auto_is_fold(const irl__auto_nest *n, int loop, int64_t lanes)
{
    for (int k = 0; k < n->row_count; k++)
        if (!irl__auto_is_own(n, k) &&
            (n->rows[k].run[loop] < lanes || n->rows[k].is_guarded ||
             (n->rows[k].step[loop] != 1 && n->rows[k].step[loop] != 0)))
            return 0;
    return irl__target_has_width(n->target, (uint32_t)lanes);
}

/* Lanes of vectors along the loop: as many as a register holds, of which fewer only where one
   work-item has all of the loop, which then is short; 0: there are none. */
static int64_t irl__auto_fold_lanes(const irl__auto_nest *n, int loop)
{
    const int64_t extent = n->loops[loop].extent;
    const int     least = n->is_inside ? 1 : 2; /* vectors that are worth it */
    int64_t       lanes = n->target->vector_bytes / irl__auto_bytes(n);
    if (lanes > IRL_MAX_LANES) lanes = IRL_MAX_LANES;
    for (; lanes >= 2; lanes /= 2) {
        if (irl__auto_is_fold(n, loop, lanes) &&
            (extent / lanes >= IRL__AUTO_FOLDS ||
             (irl__auto_divides(n, loop, lanes) && extent / lanes >= least)))
            return lanes;
        if (!n->is_inside || lanes <= 4) break;
    }
    return 0;
}

/* Vectors of partial results: as many as divide those of the loop, and leave `least` iterations; or
   that leave few vectors over where something is left of the loop anyway. */
static int64_t irl__auto_fold_vectors(int64_t extent, int64_t lanes, int least)
{
    const int64_t count = extent / lanes;
    int64_t       vectors, left;
    for (vectors = 4; vectors > 1; vectors /= 2) {
        left = count % vectors * lanes;
        if (count / vectors >= least &&
            (left == 0 || (extent % lanes && left * IRL__AUTO_FOLDS <= count)))
            break;
    }
    return vectors;
}

/* The loop along which partial results are vectors: the innermost, which reduces. One loop alone is
   no item's. Sets p->lanes and p->vectors; -1: none. */
static int irl__auto_choose_split(const irl__auto_nest *n, irl__auto_plan *p)
{
    const int last = n->loop_count - 1;
    if (!n->is_free || !n->block->init || last < !n->is_inside || !n->loops[last].is_reduce)
        return -1;
    p->lanes = irl__auto_fold_lanes(n, last);
    if (p->lanes == 0) return -1;
    p->vectors = n->loops[last].is_symbolic ? 2 /* which leave less than more do */
                     : irl__auto_fold_vectors(n->loops[last].extent, p->lanes,
                                              irl__auto_outer_reduce(n) < last ? 1 : 2);
    return n->loops[last].is_symbolic && n->loops[last].most < 2 * p->lanes * p->vectors ? -1
                                                                                             : last;
}

/* Names of the steps: the loop's parts, the blocks of partial results, and of their inits. */
typedef struct irl__auto_fold {
    const char *outer, *group, *lane, *part, *groups, *start, *begin;
    const char *loop, *first, *rest; /* that is cut; first of all into these, where both are not
                                        NULL, of which the second one is left */
    const char *item;     /* the loop to which they move; NULL: they stay where they are made */
    const char *of[3][2]; /* the three parts of the loop, of block `groups` and of block `part` */
    const char *reduce[2]; /* of each block the outermost loop that reduces */
    char        axes[3][2][16];
} irl__auto_fold;

/* The loops of a block are called after the loop's parts; where it moves, after its axes: that of
   the lanes first, in front of it that of the groups, then the spatial ones, then what reduces. */
static void irl__auto_fold_loops(irl__auto_fold *q, int of, const int *axis)
{
    const char *const made[3] = { q->outer, q->group, q->lane };
    irl__text   t;
    for (int k = 0; k < 3; k++) {
        q->of[k][of] = q->item ? q->axes[k][of] : made[k];
        irl__text_init_fixed(&t, q->axes[k][of], sizeof q->axes[k][of]);
        irl__textf(&t, "ax%d", axis[k]);
    }
}

static int irl__auto_fold_names(irl__auto *a, const irl__auto_nest *n, const irl__auto_plan *p,
                                int loop, irl__auto_fold *q)
{
    const int   reduce = n->block->axis_count, is_many = p->vectors > 1;
    const int   of_groups[3] = { reduce + 1, 0, 1 };
    const int   of_part[3] = { reduce, 0, is_many };
    const int   is_whole = irl__auto_divides(n, loop, p->lanes);
    const int   first = irl__auto_outer_reduce(n);
    const char *name = n->loops[loop].name;
    q->outer = irl__auto_name(a, name, "o");
    q->group = irl__auto_name(a, name, "g");
    q->lane = irl__auto_name(a, name, "v");
    q->part = irl__auto_name(a, n->name, "part");
    q->groups = irl__auto_name(a, n->name, "groups");
    q->start = irl__auto_name(a, n->name, "start");
    q->begin = irl__auto_name(a, n->name, "begin");
    q->loop = irl__auto_member(n, loop);
    q->first = is_whole ? NULL : irl__auto_name(a, name, "a");
    q->rest = is_whole ? NULL : irl__auto_name(a, name, "b");
    q->item = loop > 0 && first == loop && is_whole ? irl__auto_member(n, loop - 1) : NULL;
    irl__auto_fold_loops(q, 0, of_groups);
    irl__auto_fold_loops(q, 1, of_part);
    for (int k = 0; k < 2; k++) q->reduce[k] = first < loop ? n->loops[first].name : q->of[0][k];
    return q->outer && q->group && q->lane && q->part && q->groups && q->start && q->begin &&
           q->loop && (is_whole || (q->first && q->rest));
}

/* Partial results move to the item, inside of which the loop that reduces is the outermost. */
static void irl__auto_fold_move(irl__auto_plan *p, const irl__auto_fold *q)
{
    if (!q->item) return;
    irl__auto_step(p, "", "compute_at(%s, %s);", q->part, q->item);
    if (p->vectors > 1) {
        irl__auto_step(p, "", "compute_at(%s, %s);", q->groups, q->item);
        irl__auto_step(p, "", "reorder(%s.%s, %s.%s, %s.%s);", q->groups, q->of[0][0], q->groups,
                       q->of[1][0], q->groups, q->of[2][0]);
    } else
        irl__auto_step(p, "", "reorder(%s.%s, %s.%s);", q->part, q->of[0][1], q->part,
                       q->of[2][1]);
}

/* What the vectors leave of the loop is added behind. */
static void irl__auto_fold_rest(const irl__auto_nest *n, irl__auto_plan *p, irl__auto_fold *q,
                                int loop)
{
    const int64_t extent = n->loops[loop].extent, group = p->lanes * p->vectors;
    const char   *const parts[] = { q->first, q->rest };
    if (!q->first) return;
    irl__auto_cut_off(n, p, loop, q->loop, parts, extent - extent % group, group,
                      "whole vectors, then the remainder");
    q->loop = q->first;
}

/* One vector of partial results. */
static void irl__auto_fold_one(irl__auto_plan *p, const irl__auto_fold *q)
{
    irl__auto_step(p, "any order is allowed: partial results along contiguous memory",
                   "(%s, %s) = split(%s, %l);", q->outer, q->lane, q->loop, p->lanes);
    irl__auto_step(p, "", "%s = rfactor(%s, -1);", q->part, q->lane);
    irl__auto_fold_move(p, q);
    irl__auto_step(p, "they stay in registers", "set_scope(%s, 0, local);", q->part);
    irl__auto_step(p, "", "%s = decompose_reduction(%s, %s.%s);", q->start, q->part, q->part,
                   q->reduce[1]);
    irl__auto_step(p, "", "vectorize(%s.%s);", q->start, q->of[2][1]);
    irl__auto_step(p, "", "vectorize(%s.%s);", q->part, q->of[2][1]);
}

/* Several, which are put together before their lanes are. */
static void irl__auto_fold_groups(irl__auto_plan *p, const irl__auto_fold *q)
{
    irl__auto_step(p, "any order is allowed: partial results along contiguous memory",
                   "(%s, %s, %s) = split(%s, _, %l, %l);", q->outer, q->group, q->lane, q->loop,
                   p->vectors, p->lanes);
    irl__auto_step(p, "", "%s = rfactor(%s, -1);", q->part, q->lane);
    irl__auto_step(p, "independent updates", "%s = rfactor(%s.%s, -2);",
                   q->groups, q->part, q->group);
    irl__auto_fold_move(p, q);
    irl__auto_step(p, "they stay in registers", "set_scope(%s, 0, local);", q->part);
    irl__auto_step(p, "", "set_scope(%s, 0, local);", q->groups);
    irl__auto_step(p, "", "%s = decompose_reduction(%s, %s.%s);", q->begin, q->groups, q->groups,
                   q->reduce[0]);
    irl__auto_step(p, "", "unroll(%s.%s);", q->begin, q->of[1][0]);
    irl__auto_step(p, "", "vectorize(%s.%s);", q->begin, q->of[2][0]);
    irl__auto_step(p, "", "unroll(%s.%s);", q->groups, q->of[1][0]);
    irl__auto_step(p, "", "vectorize(%s.%s);", q->groups, q->of[2][0]);
    irl__auto_step(p, "", "%s = decompose_reduction(%s, %s.%s);", q->start, q->part, q->part,
                   q->of[1][1]);
    irl__auto_step(p, "", "vectorize(%s.%s);", q->start, q->of[2][1]);
    irl__auto_step(p, "first whole vectors are combined, then the lanes of one", "unroll(%s.%s);",
                   q->part, q->of[1][1]);
    irl__auto_step(p, "", "vectorize(%s.%s);", q->part, q->of[2][1]);
}

/* ------------------------------------------------------------------ one result */

/* Partial results of a sum of everything, a work-item each, and what each adds up at least. */
enum {
    IRL__AUTO_SUMS_MOST = 256,
    IRL__AUTO_SUMS_EACH = 1 << 10,
    IRL__AUTO_SUMS_NAMED = 1 << 12 /* of a symbolic loop each adds up so many */
};

/* As many as leave little of the loop, in whole vectors each. Returns what each adds up; 0: that
   would be too little. */
static int64_t irl__auto_each_sum(const irl__auto_nest *n, int64_t extent, int64_t *count)
{
    const int64_t line = n->target->vector_bytes / irl__auto_bytes(n);
    int64_t       now, each, left, best = 0, least = extent;
    for (now = 2; line > 0 && now <= IRL__AUTO_SUMS_MOST; now *= 2) {
        each = extent / now / line * line;
        left = extent - now * each;
        if (each < IRL__AUTO_SUMS_EACH) break;
        if (left >= least && left > extent / IRL__AUTO_SUMS_EACH) continue;
        best = each;
        least = left;
        *count = now;
    }
    return best;
}

/* One loop, cut into parts of one size, and what they leave; the name of the loop over the parts,
   NULL: it is too short. */
static const char *irl__auto_cut_sum(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                                     int loop)
{
    const int64_t extent = n->loops[loop].extent;
    const char   *name = n->loops[loop].name, *whole = irl__auto_member(n, loop);
    const char   *parts[] = { irl__auto_name(a, name, "a"), irl__auto_name(a, name, "b") };
    const char   *outer = irl__auto_name(a, name, "o"), *inner = irl__auto_name(a, name, "i");
    int64_t       count = 0, each = IRL__AUTO_SUMS_NAMED;
    int           is_cut = n->loops[loop].is_symbolic;
    if (!is_cut) {
        each = irl__auto_each_sum(n, extent, &count);
        is_cut = extent != count * each;
    }
    if (!each || !whole || !parts[0] || !parts[1] || !outer || !inner) return NULL;
    if (is_cut)
        irl__auto_cut_off(n, p, loop, whole, parts, count * each, each,
                          "parts of one size, then the remainder");
    irl__auto_step(p, "", "(%s, %s) = split(%s, %l);", outer, inner, is_cut ? parts[0] : whole,
                   each);
    return outer;
}

/* A sum of everything has nothing for work-items: each makes a partial result, in a nest of its
   own, of iterations of the outermost loop. */
static int irl__auto_whole(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    int     k, first = -1;
    int64_t inside = 1;
    if (!n->is_free || !n->block->init || n->is_inside || irl__auto_extents(n, 0) != 1) return 0;
    for (k = n->loop_count; k-- > 0;) {
        if (!n->loops[k].is_reduce) continue;
        if (first >= 0 && !irl__mul64(inside, n->loops[first].extent, &inside)) return 0;
        first = k;
    }
    if (first < 0 || (inside > 1 && inside < IRL__AUTO_SUMS_EACH)) return 0;
    const char *outer = inside > 1 ? irl__auto_member(n, first) : irl__auto_cut_sum(a, n, p, first);
    p->again = irl__auto_name(a, n->name, "parts");
    if (!outer || !p->again) return 0;
    irl__auto_step(p, "any order is allowed: one partial result for each work-item",
                   "%s = rfactor(%s, 0);", p->again, outer);
    return 1;
}

int irl__auto_split(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    const int      loop = irl__auto_choose_split(n, p), first = irl__auto_outer_reduce(n);
    irl__auto_cut  cuts[IRL__AUTO_LOOPS];
    irl__auto_fold q;
    if (loop < 0 || (first < loop && !n->is_inside && irl__auto_extents(n, 0) == 1))
        return irl__auto_whole(a, n, p);
    const int is_whole = irl__auto_divides(n, loop, p->lanes);
    if (first < loop && !(n->is_inside && first == 0 && is_whole)) {
        /* Several loops reduce: partial results for each iteration of the outermost of them. */
        const char *outer = irl__auto_member(n, first);
        if (n->is_inside || n->loops[n->loop_count - 1].extent < IRL__AUTO_ITEMS) return 0;
        p->again = irl__auto_name(a, n->name, "parts");
        if (!outer || !p->again) return 0;
        irl__auto_step(p, "any order is allowed: one partial result for each iteration",
                       "%s = rfactor(%s, 0);", p->again, outer);
        return 1;
    }
    if (!irl__auto_fold_names(a, n, p, loop, &q)) return 0;
    memset(cuts, 0, sizeof cuts);
    for (int k = 0; k < loop; k++)
        if (!(cuts[k].outer = irl__auto_member(n, k))) return 0;
    irl__auto_fold_rest(n, p, &q, loop);
    if (p->vectors > 1) irl__auto_fold_groups(p, &q);
    else irl__auto_fold_one(p, &q);
    irl__auto_step(p, "", "unroll(%s.%s);", n->name, q.lane);
    return irl__auto_items(a, n, p, cuts, "group");
}
