/* auto_split.c - reductions whose order is free, along which memory goes on: partial results by
   vectors in registers, put together at the end.

   needs     auto_write.c */
#include "auto.h"

/* The loop along which partial results are vectors: the only one that reduces, the innermost, with
   all operands the same or one after the other. Sets p->lanes and p->vectors; -1: none. */
static int irl__auto_choose_split(const irl__auto_nest *n, irl__auto_plan *p)
{
    const int last = n->loop_count - 1;
    int64_t   lanes = n->target->vector_bytes / irl__auto_bytes(n);
    int       k;
    if (!n->is_free || !n->block->init || last < 1 || !n->loops[last].is_reduce || lanes < 2 ||
        !irl__target_has_width(n->target, (uint32_t)lanes))
        return -1;
    for (k = 0; k < last; k++)
        if (n->loops[k].is_reduce) return -1;
    for (k = 0; k < n->row_count; k++)
        if (!irl__auto_is_own(n, k) &&
            (n->rows[k].run[last] < lanes || n->rows[k].is_guarded ||
             (n->rows[k].step[last] != 1 && n->rows[k].step[last] != 0)))
            return -1;
    for (p->vectors = 4; p->vectors > 0; p->vectors /= 2)
        if (n->loops[last].extent % (lanes * p->vectors) == 0 &&
            n->loops[last].extent / (lanes * p->vectors) >= 2)
            break;
    p->lanes = lanes;
    return p->vectors > 0 ? last : -1;
}

/* Names of the steps: the loop's parts, the blocks of partial results, and of their inits. */
typedef struct irl__auto_fold {
    const char *outer, *group, *lane, *part, *groups, *start, *begin;
} irl__auto_fold;

static int irl__auto_fold_names(irl__auto *a, const irl__auto_nest *n, int loop,
                                irl__auto_fold *q)
{
    const char *name = n->loops[loop].name;
    q->outer = irl__auto_name(a, name, "o");
    q->group = irl__auto_name(a, name, "g");
    q->lane = irl__auto_name(a, name, "v");
    q->part = irl__auto_name(a, n->name, "part");
    q->groups = irl__auto_name(a, n->name, "groups");
    q->start = irl__auto_name(a, n->name, "start");
    q->begin = irl__auto_name(a, n->name, "begin");
    return q->outer && q->group && q->lane && q->part && q->groups && q->start && q->begin;
}

/* One vector of partial results. `reduce`: the number of the axis that reduces. */
static void irl__auto_fold_one(const irl__auto_nest *n, irl__auto_plan *p,
                               const irl__auto_fold *q, int loop, const char *item, int reduce)
{
    irl__auto_step(p, "the order is free: partial results, along which memory goes on",
                   "(%s, %s) = split(%s.%s, %l);", q->outer, q->lane, n->name,
                   n->loops[loop].name, p->lanes);
    irl__auto_step(p, "", "%s = rfactor(%s, -1);", q->part, q->lane);
    irl__auto_step(p, "", "compute_at(%s, %s);", q->part, item);
    irl__auto_step(p, "", "reorder(%s.ax%d, %s.ax0);", q->part, reduce, q->part);
    irl__auto_step(p, "they stay in registers", "set_scope(%s, 0, local);", q->part);
    irl__auto_step(p, "", "%s = decompose_reduction(%s, %s.ax%d);", q->start, q->part, q->part,
                   reduce);
    irl__auto_step(p, "", "vectorize(%s.ax0);", q->start);
    irl__auto_step(p, "", "vectorize(%s.ax0);", q->part);
}

/* Several, which are put together before their lanes are. */
static void irl__auto_fold_groups(const irl__auto_nest *n, irl__auto_plan *p,
                                  const irl__auto_fold *q, int loop, const char *item, int reduce)
{
    irl__auto_step(p, "the order is free: partial results, along which memory goes on",
                   "(%s, %s, %s) = split(%s.%s, _, %l, %l);", q->outer, q->group, q->lane, n->name,
                   n->loops[loop].name, p->vectors, p->lanes);
    irl__auto_step(p, "", "%s = rfactor(%s, -1);", q->part, q->lane);
    irl__auto_step(p, "updates that do not wait for each other", "%s = rfactor(%s.%s, -2);",
                   q->groups, q->part, q->group);
    irl__auto_step(p, "", "compute_at(%s, %s);", q->part, item);
    irl__auto_step(p, "", "compute_at(%s, %s);", q->groups, item);
    irl__auto_step(p, "", "reorder(%s.ax%d, %s.ax0, %s.ax1);", q->groups, reduce + 1, q->groups,
                   q->groups);
    irl__auto_step(p, "they stay in registers", "set_scope(%s, 0, local);", q->part);
    irl__auto_step(p, "", "set_scope(%s, 0, local);", q->groups);
    irl__auto_step(p, "", "%s = decompose_reduction(%s, %s.ax%d);", q->begin, q->groups, q->groups,
                   reduce + 1);
    irl__auto_step(p, "", "unroll(%s.ax0);", q->begin);
    irl__auto_step(p, "", "vectorize(%s.ax1);", q->begin);
    irl__auto_step(p, "", "unroll(%s.ax0);", q->groups);
    irl__auto_step(p, "", "vectorize(%s.ax1);", q->groups);
    irl__auto_step(p, "", "%s = decompose_reduction(%s, %s.ax0);", q->start, q->part, q->part);
    irl__auto_step(p, "", "vectorize(%s.ax1);", q->start);
    irl__auto_step(p, "whole vectors are put together, then the lanes of one", "unroll(%s.ax0);",
                   q->part);
    irl__auto_step(p, "", "vectorize(%s.ax1);", q->part);
}

int irl__auto_split(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    const int      loop = irl__auto_choose_split(n, p), reduce = n->block->axis_count;
    irl__auto_cut  cuts[IRL__AUTO_LOOPS];
    irl__auto_fold q;
    irl__text      t;
    int            k;
    if (loop < 0 || !irl__auto_fold_names(a, n, loop, &q)) return 0;
    memset(cuts, 0, sizeof cuts);
    for (k = 0; k < loop; k++) {
        irl__text_init(&t, a->cx);
        irl__textf(&t, "%s.%s", n->name, n->loops[k].name);
        cuts[k].outer = irl__text_done(&t);
        if (!cuts[k].outer) return 0;
    }
    if (p->vectors > 1) irl__auto_fold_groups(n, p, &q, loop, cuts[loop - 1].outer, reduce);
    else irl__auto_fold_one(n, p, &q, loop, cuts[loop - 1].outer, reduce);
    irl__auto_step(p, "", "unroll(%s.%s);", n->name, q.lane);
    return irl__auto_items(a, n, p, cuts, "group");
}
