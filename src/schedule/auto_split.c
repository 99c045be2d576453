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

int irl__auto_split(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    const int     loop = irl__auto_choose_split(n, p), reduce = n->block->axis_count;
    irl__auto_cut cuts[IRL__AUTO_LOOPS];
    const char   *outer, *inner, *part, *group, *lane, *init;
    irl__text     t;
    int           k;
    if (loop < 0) return 0;
    outer = irl__auto_name(a, n->loops[loop].name, "o");
    inner = irl__auto_name(a, n->loops[loop].name, "i");
    part = irl__auto_name(a, n->name, "part");
    group = irl__auto_name(a, n->name, "g");
    lane = irl__auto_name(a, n->name, "v");
    init = irl__auto_name(a, n->name, "start");
    if (!outer || !inner || !part || !group || !lane || !init) return 0;
    memset(cuts, 0, sizeof cuts);
    for (k = 0; k < loop; k++) {
        irl__text_init(&t, a->cx);
        irl__textf(&t, "%s.%s", n->name, n->loops[k].name);
        cuts[k].outer = irl__text_done(&t);
        if (!cuts[k].outer) return 0;
    }
    irl__auto_step(p, "the order is free: partial results, along which memory goes on",
                   "(%s, %s) = split(%s.%s, %l);", outer, inner, n->name, n->loops[loop].name,
                   p->lanes * p->vectors);
    irl__auto_step(p, "", "%s = rfactor(%s, -1);", part, inner);
    irl__auto_step(p, "", "compute_at(%s, %s);", part, cuts[loop - 1].outer);
    irl__auto_step(p, "", "(%s, %s) = split(%s.ax0, %l);", group, lane, part, p->lanes);
    irl__auto_step(p, "", "reorder(%s.ax%d, %s, %s);", part, reduce, group, lane);
    irl__auto_step(p, "they stay in registers", "set_scope(%s, 0, local);", part);
    irl__auto_step(p, "", "%s = decompose_reduction(%s, %s.ax%d);", init, part, part, reduce);
    irl__auto_step(p, "", "unroll(%s.%s);", init, group);
    irl__auto_step(p, "", "vectorize(%s.%s);", init, lane);
    irl__auto_step(p, "", "unroll(%s);", group);
    irl__auto_step(p, "", "vectorize(%s);", lane);
    irl__auto_step(p, "", "unroll(%s.%s);", n->name, inner);
    return irl__auto_items(a, n, p, cuts, "group");
}
