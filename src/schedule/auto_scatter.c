/* auto_scatter.c - nests that scatter what they sum up: y[w + s] += x[w] * t[s].

   needs     auto.c; gather, which proves that each cell gets the same stores in the same order
   promises  each index of the store in which iterations of two loops meet is solved for the longer
             of them, the outer loops first; where a step is refused the nest stays as it is
   cost      a table of accesses for each such index */
#include "auto.h"

/* An index that goes on with two loops of the nest: the longer one, and the other. */
typedef struct irl__auto_pair {
    const irl_stmt *loops[2];
    int             count; /* of loops that it uses */
} irl__auto_pair;

/* Do two iterations of the pair give the index one value? By a and b in each iteration, the first
   two that do are b/g apart in one loop and a/g in the other, where g divides both. */
static int irl__auto_pair_meets(irl__analyzer *an, const irl_expr *index,
                                const irl__auto_pair *pair)
{
    int64_t by[2], g;
    for (int k = 0; k < 2; k++) by[k] = irl__step_number(an, index, pair->loops[k]->u.loop.var);
    g = by[0] && by[1] && by[0] > INT64_MIN && by[1] > INT64_MIN ? irl__gcd64(by[0], by[1]) : 0;
    for (int k = 0; k < 2 && g; k++) {
        const int64_t apart = (by[1 - k] < 0 ? -by[1 - k] : by[1 - k]) / g;
        if (apart >= pair->loops[k]->u.loop.extent->u.i) return 0;
    }
    return g != 0;
}

static int irl__auto_pair_of(irl__analyzer *an, const irl_stmt *top, const irl_expr *index,
                             irl__auto_pair *pair)
{
    pair->count = 0;
    for (; top->kind == IRL__FOR; top = top->u.loop.body) {
        if (!irl__expr_uses_var(index, top->u.loop.var)) continue;
        if (pair->count == 2 || top->u.loop.kind != IRL_SERIAL ||
            top->u.loop.extent->op != IRL_OP_INT || top->u.loop.extent->u.i < 2)
            return 0;
        pair->loops[pair->count++] = top;
    }
    if (pair->count < 2 || !irl__auto_pair_meets(an, index, pair)) return 0;
    if (pair->loops[0]->u.loop.extent->u.i < pair->loops[1]->u.loop.extent->u.i) {
        const irl_stmt *longer = pair->loops[1];
        pair->loops[1] = pair->loops[0];
        pair->loops[0] = longer;
    }
    return 1;
}

/* The first index of the update that is a pair, if any. */
static int irl__auto_scatters(irl_ctx *cx, const irl_stmt *top, irl__auto_pair *pair)
{
    const irl_stmt *at = top;
    irl__update     u;
    while (at->kind == IRL__FOR) at = at->u.loop.body;
    while (at->kind == IRL__IF && !at->u.branch.else_) at = at->u.branch.then_;
    if (at->kind != IRL__STORE || !irl__store_update(at, &u)) return 0;
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__analyzer  *an = irl__analyzer_begin(cx);
    int             found = 0;
    for (int k = 0; an && !found && k < at->u.store.buffer->rank; k++)
        found = irl__auto_pair_of(an, top, at->u.store.indices[k], pair);
    irl__scratch_end(cx, mark);
    return found;
}

void irl__auto_gather_cells(irl__auto *a, uint32_t id)
{
    irl__auto_pair pair;
    irl__auto_plan p;
    for (;;) {
        const irl_stmt *top = irl__auto_top(a->f, id);
        if (!top || !irl__auto_may(a, top) || !irl__auto_scatters(a->cx, top, &pair)) return;
        const char *cells = irl__sched_loop_name(a->f, pair.loops[0]);
        const char *terms = irl__sched_loop_name(a->f, pair.loops[1]);
        if (!cells || !terms) return;
        irl__auto_plan_begin(a, &p);
        irl__auto_step(&p, "each cell gathers what was scattered to it", "gather(%s, %s);", cells,
                       terms);
        if (!irl__auto_try(a, &p)) return;
    }
}
