/* range.c - intervals of integer expressions, and what they decide alone.

   needs     interval.c, the analyzer's bindings and facts
   promises  the value is always in the interval, as an integer of any size. It would be wrong to
             assume that an index never leaves 64 bits: the sums that rules make in between may
             leave them even if the text does not */
#include "engine.h"

/* Bits of a u64 are not ordered as int64_t is, so nothing is known of it. */
static int irl__range_applies(irl_type t)
{
    return (irl__type_is_integer(t) || t.scalar == IRL_BOOL) && !t.is_pointer &&
           t.scalar != IRL_U64;
}

const irl_expr *irl__cast_source(irl__analyzer *an, const irl_expr *e)
{
    const irl_expr *from = e->a[0];
    irl__interval   r, t = irl__interval_type(e->type);
    int64_t         exact = 0;
    /* by way of a float that holds every value */
    if (from->op == IRL_OP_CAST && from->type.lanes == 1) {
        exact = from->type.scalar == IRL_F64   ? INT64_C(1) << 53
                : from->type.scalar == IRL_F32 ? INT64_C(1) << 24
                : from->type.scalar == IRL_F16 ? 2048
                                               : 0;
        if (exact) from = from->a[0];
    }
    if (!irl__range_applies(from->type) || !irl__range_applies(e->type) ||
        e->type.scalar == IRL_BOOL)
        return NULL;
    r = irl__range_of(an, from);
    if (exact && (r.lo < -exact || r.hi > exact)) return NULL;
    return r.lo >= t.lo && r.hi <= t.hi ? from : NULL;
}

/* The body's, where the variable is as the value is. What is found out about its parts so may be
   kept: it is true wherever they stand. */
static irl__interval irl__range_of_let(irl__analyzer *an, const irl_expr *e)
{
    irl__known *known = irl__known_find(an, e->a[0]);
    if (known && (known->range.lo != INT64_MIN || known->range.hi != INT64_MAX))
        return irl__range_of(an, e->a[2]);
    irl__interval value = irl__range_of(an, e->a[1]);
    known = irl__known_add(an, e->a[0]);
    if (known) known->range = value;
    irl__interval r = irl__range_of(an, e->a[2]);
    known = irl__known_find(an, e->a[0]);
    if (known) known->range = irl__interval_any();
    return r;
}

/* The upper half of u64 lies beyond the bounds that are numbers. */
static irl__interval irl__range_of_constant(const irl_expr *e)
{
    int64_t v = e->type.scalar == IRL_U64 && e->u.i < 0 ? INT64_MAX : e->u.i;
    return irl__interval_make(v, v);
}

/* Of the mathematical result, before it is wrapped into the type. */
static irl__interval irl__range_unwrapped(irl__analyzer *an, const irl_expr *e)
{
    irl__interval a = irl__interval_any(), b = irl__interval_any();
    uint32_t      k;
    if (e->count >= 1 && e->op != IRL_OP_LET) a = irl__range_of(an, e->a[0]);
    if (e->count >= 2 && e->op != IRL_OP_LET) b = irl__range_of(an, e->a[1]);
    switch (e->op) {
    case IRL_OP_INT: return irl__range_of_constant(e);
    case IRL_OP_SELECT:
    case IRL_OP_IF_THEN_ELSE: return irl__interval_join(b, irl__range_of(an, e->a[2]));
    case IRL_OP_CAST: {
        const irl_expr *from = irl__cast_source(an, e);
        return from ? irl__range_of(an, from)
               : irl__type_is_integer(e->a[0]->type) || e->a[0]->type.scalar == IRL_BOOL
                   ? a
                   : irl__interval_any();
    }
    case IRL_OP_BROADCAST:
    case IRL_OP_LANE: return a;
    case IRL_OP_SHUFFLE:
        for (k = 1; k < e->count; k++) a = irl__interval_join(a, irl__range_of(an, e->a[k]));
        return a;
    case IRL_OP_RAMP:
        return irl__interval_add(
            a, irl__interval_op(IRL_OP_MUL, b, irl__interval_make(0, (int64_t)e->type.lanes - 1)));
    case IRL_OP_LET: return irl__range_of_let(an, e);
    default: return irl__interval_op((irl_op)e->op, a, b);
    }
}

/* Whether a value with these bounds, computed without wrapping, may have wrapped; a saturated bound
   hides it in 64 bits. */
static int irl__range_may_wrap(irl_type t, irl__interval r)
{
    if (irl__type_is_index(t)) return 0;
    irl__interval type = irl__interval_type(t);
    if (t.scalar == IRL_I64) return r.lo == type.lo || r.hi == type.hi;
    return r.lo < type.lo || r.hi > type.hi;
}

irl__interval irl__range_of(irl__analyzer *an, const irl_expr *e)
{
    irl__known *known;
    if (!e) return irl__interval_any();
    if (e->op == IRL_OP_INT) return irl__range_of_constant(e);
    if (!irl__range_applies(e->type)) return irl__interval_any();
    irl__interval type = irl__interval_held(e);
    if (e->op == IRL_OP_VAR) {
        known = irl__known_find(an, e);
        return known ? irl__interval_meet(known->range, type) : type;
    }
    irl__memo *memo = irl__memo_of(an, e);
    if (memo->has_range) return memo->range;
    if (!irl__work(an->cx, 32)) return type;
    irl__interval r = irl__range_unwrapped(an, e);
    if (e->op == IRL_OP_BITNOT && irl__type_info(e->type)->kind == IRL_KIND_UINT) r = type;
    if (e->op == IRL_OP_CAST && e->a[0]->type.scalar == IRL_U64) r = type;
    if (irl__range_may_wrap(e->type, r)) r = type;
    if (an->fact_count) {
        known = irl__known_find(an, e);
        if (known) r = irl__interval_meet(r, known->range);
        if (r.lo > r.hi) r.hi = r.lo; /* contradicting facts: any value will do */
    }
    memo = irl__memo_of(an, e); /* the operands may have taken the place */
    memo->range = r;
    memo->has_range = 1;
    return r;
}

int irl__is_exact(irl__analyzer *an, const irl_expr *e)
{
    if (irl__type_is_index(e->type)) return 1;
    if (!irl__range_applies(e->type) || e->type.scalar == IRL_BOOL) return 0;
    return !irl__range_may_wrap(e->type, irl__range_unwrapped(an, e));
}

int irl__stays_exact(irl__analyzer *an, const irl_expr *e)
{
    switch (e->op) {
    case IRL_OP_ADD:
    case IRL_OP_SUB:
    case IRL_OP_MUL:
    case IRL_OP_NEG:
    case IRL_OP_FLOORDIV:
    case IRL_OP_FLOORMOD: break;
    default: return 1;
    }
    if (irl__type_is_index(e->type)) return 1;
    if (!irl__is_exact(an, e)) return 0;
    for (uint32_t k = 0; k < e->count; k++)
        if (!irl__stays_exact(an, e->a[k])) return 0;
    return 1;
}

int irl__is_total(irl__analyzer *an, const irl_expr *e)
{
    if (e->flags & (IRL__HAS_MEMORY | IRL__HAS_UNDEF)) return 0;
    switch (e->op) {
    case IRL_OP_FLOORDIV: case IRL_OP_FLOORMOD: case IRL_OP_TRUNCDIV: case IRL_OP_TRUNCMOD: {
        irl__interval d = irl__range_of(an, e->a[1]);
        if (d.lo <= 0 && d.hi >= 0) return 0;
        break;
    }
    case IRL_OP_SHL: case IRL_OP_SHR: {
        irl__interval d = irl__range_of(an, e->a[1]);
        if (d.lo < 0 || d.hi >= irl__type_info(e->type)->bits) return 0;
        break;
    }
    case IRL_OP_LET: return 0;
    default: break;
    }
    for (uint32_t k = 0; k < e->count; k++)
        if (!irl__is_total(an, e->a[k])) return 0;
    return 1;
}
