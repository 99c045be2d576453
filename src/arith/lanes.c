/* lanes.c - vectors, lanes and conversions.

   needs     simplify.c, which drives the rules
   promises  arithmetic of ramps and broadcasts is done once, on scalars, where the result is a ramp
             or a broadcast again */
#include "engine.h"

/* v as base + stride * lane: a ramp or a broadcast of a scalar. */
static int irl__as_ramp(irl__analyzer *an, const irl_expr *v, const irl_expr **base,
                        const irl_expr **stride)
{
    if (v->op == IRL_OP_RAMP) {
        *base = v->a[0];
        *stride = v->a[1];
        return 1;
    }
    if (v->op != IRL_OP_BROADCAST || v->a[0]->type.lanes != 1) return 0;
    *base = v->a[0];
    *stride = irl__type_is_integer(v->type) ? irl_expr_int(an->cx, v->a[0]->type, 0) : NULL;
    return 1;
}

static const irl_expr *irl__from_ramp(irl__analyzer *an, const irl_expr *base,
                                      const irl_expr *stride, uint32_t lanes)
{
    base = irl__simplify_node(an, base);
    if (!base) return NULL;
    if (!stride) return irl_expr_broadcast(an->cx, base, (int)lanes);
    stride = irl__simplify_node(an, stride);
    if (!stride) return NULL;
    return irl__is_int(stride, 0) ? irl_expr_broadcast(an->cx, base, (int)lanes)
                                  : irl_expr_ramp(an->cx, base, stride, (int)lanes);
}

/* ramp(b, s) % c = ramp(b % c, s) % c, where that is shorter. */
static const irl_expr *irl__ramp_reduced(irl__analyzer *an, const irl_expr *e, irl_op op,
                                         const irl_expr *base, const irl_expr *stride,
                                         const irl_expr *divisor)
{
    if (op != IRL_OP_FLOORMOD) return e;
    const irl_expr *less = irl__simplify_node(an, irl__make2(an, op, base, divisor));
    if (!less || less->size >= base->size) return less ? e : NULL;
    less = irl_expr_ramp(an->cx, less, stride, (int)e->type.lanes);
    return less ? irl__make2(an, (irl_op)e->op, less, e->a[1]) : NULL;
}

/* ramp(b, s)/c and %c: where s is a multiple of c, or where no lane leaves the cell that the first
   is in. */
static const irl_expr *irl__ramp_divmod(irl__analyzer *an, const irl_expr *e, const irl_expr *base,
                                        const irl_expr *stride, const irl_expr *divisor)
{
    int64_t reach;
    irl_op  op = (irl_op)e->op;
    if (divisor->op != IRL_OP_INT || stride->op != IRL_OP_INT || divisor->u.i <= 0 ||
        !irl__type_is_index(e->type))
        return e;
    int64_t c = divisor->u.i;
    int64_t s = stride->u.i;
    /* as floor division where nothing is negative */
    if (e->op == IRL_OP_TRUNCDIV || e->op == IRL_OP_TRUNCMOD) {
        if (s < 0 || irl__range_of(an, base).lo < 0) return e;
        op = e->op == IRL_OP_TRUNCDIV ? IRL_OP_FLOORDIV : IRL_OP_FLOORMOD;
    }
    const irl_expr *first = irl__make2(an, op, base, divisor);
    if (s % c == 0)
        return irl__from_ramp(
            an, first, irl_expr_int(an->cx, divisor->type, op == IRL_OP_FLOORDIV ? s / c : 0),
            e->type.lanes);
    if (s < 0 || !irl__mul64(s, (int64_t)e->type.lanes - 1, &reach)) return e;
    irl__residues r = irl__modular_of(an, base);
    /* base = coef*k + b with coef a divisor of c (or c of it): the base's place in its cell is at
       most c - coef + b */
    if (r.coef != 0) {
        int64_t g = irl__gcd64(r.coef, c), place;
        if (!irl__add64(c - g + r.base % g, reach, &place) || place >= c)
            return irl__ramp_reduced(an, e, op, base, stride, divisor);
    } else if (!irl__add64(r.base % c < 0 ? r.base % c + c : r.base % c, reach, &reach) ||
               reach >= c)
        return irl__ramp_reduced(an, e, op, base, stride, divisor);
    return irl__from_ramp(an, first,
                          op == IRL_OP_FLOORDIV ? irl_expr_int(an->cx, divisor->type, 0) : stride,
                          e->type.lanes);
}

/* Of lanes that differ by so much from one to the next: what holds in the first lane and in the
   last one holds in all lanes. */
static const irl_expr *irl__ramp_compare(irl__analyzer *an, const irl_expr *e,
                                         const irl_expr *const at[2],
                                         const irl_expr *const stride[2])
{
    const irl_expr *last[2];
    if (!irl__type_is_index(e->a[0]->type)) return e;
    const irl_expr *first =
        irl__simplify_node(an, irl__make2(an, (irl_op)e->op, at[0], at[1]));
    if (!first || first->op != IRL_OP_INT) return first ? e : NULL;
    for (int k = 0; k < 2; k++)
        last[k] = irl__make2(an, IRL_OP_ADD, at[k],
                             irl__make2(an, IRL_OP_MUL, stride[k],
                                        irl_expr_index(an->cx, (int64_t)e->type.lanes - 1)));
    const irl_expr *end = irl__simplify_node(an, irl__make2(an, (irl_op)e->op, last[0], last[1]));
    return !end || end == first ? irl_expr_broadcast(an->cx, first, (int)e->type.lanes) : e;
}

/* A choice or a conjunction of lanes, one of which is decided by a value that all lanes share. */
static const irl_expr *irl__lanes_decided(const irl_expr *e)
{
    if (e->type.lanes == 1 || e->count < 2) return e;
    for (int k = 0; k < 2; k++) {
        const irl_expr *c = e->a[k];
        if (c->op != IRL_OP_BROADCAST || c->a[0]->op != IRL_OP_INT ||
            c->type.scalar != IRL_BOOL)
            continue;
        if (e->op == IRL_OP_SELECT && k == 0) return e->a[c->a[0]->u.i ? 1 : 2];
        if (e->op == IRL_OP_BITAND) return c->a[0]->u.i ? e->a[!k] : c;
        if (e->op == IRL_OP_BITOR) return c->a[0]->u.i ? c : e->a[!k];
    }
    return e;
}

static const irl_expr *irl__ramp_binary(irl__analyzer *an, const irl_expr *e)
{
    const irl_expr *ab, *as, *bb, *bs;
    irl_op          op = (irl_op)e->op;
    if (!irl__as_ramp(an, e->a[0], &ab, &as) || !irl__as_ramp(an, e->a[1], &bb, &bs)) return e;
    if (e->a[0]->op == IRL_OP_BROADCAST && e->a[1]->op == IRL_OP_BROADCAST)
        return irl__from_ramp(an, irl__make2(an, op, ab, bb), NULL, e->type.lanes);
    switch (op) {
    case IRL_OP_ADD:
    case IRL_OP_SUB:
        return irl__from_ramp(an, irl__make2(an, op, ab, bb), irl__make2(an, op, as, bs),
                              e->type.lanes);
    case IRL_OP_MUL:
        if (e->a[1]->op == IRL_OP_BROADCAST)
            return irl__from_ramp(an, irl__make2(an, op, ab, bb), irl__make2(an, op, as, bb),
                                  e->type.lanes);
        if (e->a[0]->op == IRL_OP_BROADCAST)
            return irl__from_ramp(an, irl__make2(an, op, ab, bb), irl__make2(an, op, ab, bs),
                                  e->type.lanes);
        return e;
    case IRL_OP_FLOORDIV: case IRL_OP_FLOORMOD: case IRL_OP_TRUNCDIV: case IRL_OP_TRUNCMOD:
        return e->a[1]->op == IRL_OP_BROADCAST ? irl__ramp_divmod(an, e, ab, as, bb) : e;
    case IRL_OP_LT: case IRL_OP_LE: case IRL_OP_GT: case IRL_OP_GE: {
        const irl_expr *const at[2] = { ab, bb }, *const stride[2] = { as, bs };
        return irl__ramp_compare(an, e, at, stride);
    }
    default: return e;
    }
}

/* Is the inner one of two casts of no use? It holds every value that it is given. One to i32 of an
   index or a u32 on the way to a float stays: most devices convert i32 faster. */
static int irl__cast_is_detour(irl__analyzer *an, const irl_expr *e)
{
    const irl_expr *way = e->a[0], *from = way->a[0];
    return irl__cast_source(an, way) == from &&
           (!irl__type_is_float(e->type) ||
            irl__type_info(from->type)->bits < irl__type_info(way->type)->bits);
}

const irl_expr *irl__simplify_lanes(irl__analyzer *an, const irl_expr *e)
{
    const irl_expr *operands[3], *r;
    irl__rule       rule = irl__op_info((irl_op)e->op)->rule;
    uint32_t        k;
    if (e->count <= 3 && e->op != IRL_OP_LET && e->op != IRL_OP_LOAD && e->type.lanes != 1 &&
        e->count > 0) {
        for (k = 0; k < e->count; k++)
            if (!(operands[k] = irl__simplify_node(an, e->a[k]))) return NULL;
        e = irl__make_with(an, e, operands);
        const irl_expr *decided = e ? irl__lanes_decided(e) : NULL;
        if (decided != e || !e) return decided;
    } else if (e->type.lanes != 1 && e->count > 0 && e->op != IRL_OP_LET) {
        const irl_expr **many = IRL__NEW(an->cx, const irl_expr *, e->count);
        if (!many) return NULL;
        for (k = 0; k < e->count; k++)
            if (!(many[k] = irl__simplify_node(an, e->a[k]))) return NULL;
        return irl__make_with(an, e, many);
    }
    if (e->op == IRL_OP_RAMP && irl__is_int(e->a[1], 0))
        return irl_expr_broadcast(an->cx, e->a[0], (int)e->type.lanes);
    if (e->op == IRL_OP_LANE && e->a[1]->op == IRL_OP_INT) {
        if (e->a[1]->u.i < 0 || (uint64_t)e->a[1]->u.i >= e->a[0]->type.lanes) return e;
        r = irl__lane(an->cx, e->a[0], (uint32_t)e->a[1]->u.i);
        return r && (r->op != IRL_OP_LANE || r->a[0] != e->a[0]) ? irl__simplify_node(an, r)
                                                                  : r ? e : NULL;
    }
    /* by way of a type that holds every value */
    if (e->op == IRL_OP_CAST && e->a[0]->op == IRL_OP_CAST && irl__cast_is_detour(an, e))
        return irl_expr_cast(an->cx, e->type, e->a[0]->a[0]);
    if (e->op == IRL_OP_CAST && e->type.lanes != 1 && e->a[0]->op == IRL_OP_BROADCAST &&
        e->a[0]->a[0]->type.lanes == 1) {
        r = irl_expr_cast(an->cx, irl__type_with_lanes(e->type, 1), e->a[0]->a[0]);
        return r ? irl_expr_broadcast(an->cx, irl__simplify_node(an, r), (int)e->type.lanes) : NULL;
    }
    if (e->count == 2 && rule != IRL__OWN && e->a[0]->type.lanes != 1)
        return irl__ramp_binary(an, e);
    return e;
}
