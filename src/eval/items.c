/* items.c - work-items: the values that are bound for each, and the values on which a set of items
   agrees.

   needs     evaluate.c
   promises  a number that decides what a set does together is the same for all of its items, or the
             run fails with BARRIER_DIVERGENT */
#include "eval.h"

irl__eval_binding *irl__item_env(irl__interpreter *in)
{
    irl__eval_binding *env = IRL__SCRATCH(in->cx, irl__eval_binding, in->env_count);
    for (uint32_t k = 0; env && k < in->slot_count; k++) env[k].undef = UINT64_MAX;
    return env;
}

void irl__items_select(irl__interpreter *in, uint32_t k)
{
    in->item = in->set + k;
    if (in->launch) in->launch->item = in->item->number;
}

int irl__items_agree(irl__interpreter *in, const irl_expr *e, const char *what, int64_t *out)
{
    int64_t value;
    irl__items_select(in, 0);
    if (!irl__eval_number(in, e, what, out)) return 0;
    for (uint32_t k = 1; k < in->set_count; k++) {
        irl__items_select(in, k);
        if (!irl__eval_number(in, e, what, &value)) return 0;
        if (value != *out)
            return IRL__FAIL(in->cx, IRL_ERROR_BARRIER_DIVERGENT, "%s differs between work-items "
                             "(%l and %l), and a barrier or shared memory depends on it", what,
                             *out, value);
    }
    return 1;
}

int irl__items_range(irl__interpreter *in, const irl_stmt *loop, int64_t *begin, int64_t *end)
{
    int64_t extent;
    if (!irl__items_agree(in, loop->u.loop.min, "a loop's start", begin) ||
        !irl__items_agree(in, loop->u.loop.extent, "a loop's extent", &extent))
        return 0;
    return irl__walker_range(in->cx, *begin, extent, end);
}
