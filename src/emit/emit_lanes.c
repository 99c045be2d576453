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

static const irl_expr *irl__lanes_pick(irl__emit *e, const irl_expr *x, uint32_t pick)
{
    uint32_t j;
    for (j = 0; j < x->count; j++) {
        if (pick < x->a[j]->type.lanes) return irl__emit_lane_of(e, x->a[j], pick);
        pick -= x->a[j]->type.lanes;
    }
    return NULL;
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
    const irl__op_row *row = irl__op_info((irl_op)x->op);
    if (x->type.lanes == 1) return x;
    if (!(e->temporaries && irl__emit_find(e, x))) switch (x->op) {
        case IRL_OP_RAMP: return irl__lanes_of_ramp(e, x, k);
        case IRL_OP_BROADCAST: return irl__emit_lane_of(e, x->a[0], k % x->a[0]->type.lanes);
        case IRL_OP_SHUFFLE: return irl__lanes_pick(e, x, (uint32_t)x->u.picks[k]);
        case IRL_OP_LET: return irl__emit_lane_of(e, x->a[2], k); /* declared already */
        case IRL_OP_CAST:
        case IRL_OP_SELECT:
        case IRL_OP_IF_THEN_ELSE: return irl__lanes_one_by_one(e, x, k);
        default:
            if (row->rule != IRL__OWN) return irl__lanes_one_by_one(e, x, k);
            break;
    }
    return irl_op2(e->cx, IRL_OP_LANE, x, irl_idx(e->cx, (int64_t)k));
}
