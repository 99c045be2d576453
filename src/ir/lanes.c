/* lanes.c - parts of vectors, as expressions.

   needs     expr.c
   promises  the lanes of a ramp, a broadcast or a shuffle are computed directly; for any other
             vector the result is a lane or a shuffle of it */
#include "ir.h"

const irl_expr *irl__lane_operand(const irl_expr *e, uint32_t *k)
{
    uint32_t j = 0;
    if (e->type.lanes == 1) return NULL;
    if (e->op == IRL_OP_BROADCAST) *k %= e->a[0]->type.lanes;
    else if (e->op == IRL_OP_SHUFFLE) {
        for (*k = (uint32_t)e->u.picks[*k]; *k >= e->a[j]->type.lanes; j++)
            *k -= e->a[j]->type.lanes;
    } else return NULL;
    return e->a[j];
}

const irl_expr *irl__lane(irl_ctx *cx, const irl_expr *e, uint32_t k)
{
    const irl_expr *from;
    while (e && (from = irl__lane_operand(e, &k)) != NULL) e = from;
    if (!e || e->type.lanes == 1) return e;
    if (e->op == IRL_OP_RAMP) {
        /* base + step * k, computed where it is a number. */
        const irl_expr *step = e->a[1];
        int64_t         beyond;
        if (k == 0) return e->a[0];
        step = step->op == IRL_OP_INT && irl__mul64(step->u.i, (int64_t)k, &beyond)
                   ? irl_expr_int(cx, step->type, beyond)
                   : irl__mul(cx, step, irl_expr_int(cx, step->type, (int64_t)k));
        return irl__add(cx, e->a[0], step);
    }
    return irl_expr_op2(cx, IRL_OP_LANE, e, irl_expr_index(cx, (int64_t)k));
}

const irl_expr *irl__lanes_cut(irl_ctx *cx, const irl_expr *e, uint32_t first, uint32_t n)
{
    int picks[IRL_MAX_LANES];
    if (!e || (first == 0 && n == e->type.lanes)) return e;
    if (n == 1) return irl_expr_op2(cx, IRL_OP_LANE, e, irl_expr_index(cx, (int64_t)first));
    for (uint32_t k = 0; k < n; k++) picks[k] = (int)(first + k);
    return irl_expr_shuffle(cx, 1, &e, (int)n, picks);
}

const irl_expr *irl__lanes_join(irl_ctx *cx, uint32_t count, const irl_expr *const *parts)
{
    int      picks[IRL_MAX_LANES];
    uint32_t k, total = 0;
    for (k = 0; k < count; k++) {
        if (!parts[k]) return NULL;
        total += parts[k]->type.lanes;
    }
    if (count == 1) return parts[0];
    for (k = 0; k < total; k++) picks[k] = (int)k;
    return irl_expr_shuffle(cx, (int)count, parts, (int)total, picks);
}

int irl__shuffle_joins(const irl_expr *shuffle)
{
    uint32_t k, total = 0;
    for (k = 0; k < shuffle->count; k++) total += shuffle->a[k]->type.lanes;
    for (k = 0; k < shuffle->type.lanes; k++)
        if (shuffle->u.picks[k] != (int)k) return 0;
    return total == shuffle->type.lanes;
}

int irl__index_is_run(const irl_expr *index)
{
    return !index || index->type.lanes == 1 ||
           (index->op == IRL_OP_RAMP && irl__is_int(index->a[1], 1));
}
