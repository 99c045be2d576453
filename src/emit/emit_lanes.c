/* emit_lanes.c - one lane of a vector, as an expression.

   needs     emit_names.c: what has a name already is not taken apart
   promises  an operand that is printed for several lanes is a variable, or costs nothing to print
             again */
#include "emit.h"

static const irl_expr *irl__lanes_one_by_one(irl__emit *e, const irl_expr *x, uint32_t k)
{
    const irl_expr *operands[3];
    uint32_t        j;
    for (j = 0; j < x->count; j++) {
        operands[j] = x->a[j]->type.lanes == 1 ? x->a[j] : irl__emit_lane_of(e, x->a[j], k);
        if (!operands[j]) return NULL;
    }
    if (x->op == IRL_OP_CAST) return irl_cast(e->cx, irl__type_with_lanes(x->type, 1), operands[0]);
    return irl__expr_op(e->cx, (irl_op)x->op, (int)x->count, operands, irl__nowhere());
}

const irl_expr *irl__emit_shorter(irl__emit *e, const irl_expr *x)
{
    return !x || (x->flags & (IRL__HAS_LANES | IRL__HAS_LET)) ? x : irl__simplify(e->ranges, x);
}

/* Lane k of a ramp: the step is simplified on its own, for the sum may have to stay as it is. */
static const irl_expr *irl__lanes_of_ramp(irl__emit *e, const irl_expr *x, uint32_t k)
{
    if (k == 0) return irl__emit_shorter(e, x->a[0]);
    return irl__emit_shorter(
        e, irl__add(e->cx, x->a[0],
                    irl__emit_shorter(
                        e, irl__mul(e->cx, x->a[1], irl_int(e->cx, x->a[1]->type, (int64_t)k)))));
}

const irl_expr *irl__emit_lane_of(irl__emit *e, const irl_expr *x, uint32_t k)
{
    const irl_expr *from;
    if (x->type.lanes == 1) return x;
    if (!(e->temporaries && irl__emit_find(e, x))) {
        if ((from = irl__lane_operand(x, &k)) != NULL) return irl__emit_lane_of(e, from, k);
        if (x->op == IRL_OP_RAMP) return irl__lanes_of_ramp(e, x, k);
        if (x->op == IRL_OP_LET) return irl__emit_lane_of(e, x->a[2], k); /* declared already */
        if (x->op == IRL_OP_CAST || x->op == IRL_OP_SELECT || x->op == IRL_OP_IF_THEN_ELSE ||
            irl__op_info((irl_op)x->op)->rule != IRL__OWN)
            return irl__lanes_one_by_one(e, x, k);
    }
    return irl_op2(e->cx, IRL_OP_LANE, x, irl_idx(e->cx, (int64_t)k));
}
