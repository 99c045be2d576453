/* defined.c - does an expression have a value for all values of its variables?

   needs     ranges, facts
   promises  an expression that is called defined has a value at every point that the analyzer
             admits: no sum, product or shift leaves 64 bits, no divisor is 0, no shift is too far.
             It is examined as it is written, not as it is simplified: i*k/k overflows if i*k does.
             An arm, and the right side of && and ||, are examined under their condition, because
             they are evaluated only then
   cost      one range for each node; a simplification for each node that its range alone does not
             decide */
#include "engine.h"

/* The operator's result fits where its operands are in a and b. */
static int irl__defined_fits(irl_op op, irl__interval a, irl__interval b)
{
    int64_t t;
    int     k;
    switch (op) {
    case IRL_OP_ADD: return irl__add64(a.lo, b.lo, &t) && irl__add64(a.hi, b.hi, &t);
    case IRL_OP_SUB: return irl__sub64(a.lo, b.hi, &t) && irl__sub64(a.hi, b.lo, &t);
    case IRL_OP_MUL: /* largest and least at corners */
        return irl__mul64(a.lo, b.lo, &t) && irl__mul64(a.lo, b.hi, &t) &&
               irl__mul64(a.hi, b.lo, &t) && irl__mul64(a.hi, b.hi, &t);
    case IRL_OP_NEG: case IRL_OP_ABS: return a.lo != INT64_MIN;
    case IRL_OP_FLOORDIV: case IRL_OP_TRUNCDIV: return a.lo != INT64_MIN || b.lo > -1 || b.hi < -1;
    case IRL_OP_SHL: /* grows with the distance, away from 0 */
        if (b.hi > 63) return 0;
        for (k = (int)b.hi; k > 0; k--)
            if (!irl__mul64(a.lo, 2, &a.lo) || !irl__mul64(a.hi, 2, &a.hi)) return 0;
        return 1;
    default: return 1;
    }
}

/* u64's upper half is no index, and a float may be no integer of the type. */
static int irl__defined_cast(irl__analyzer *an, const irl_expr *e)
{
    irl_type from = e->a[0]->type;
    if (!irl__type_is_integer(e->type)) return 1;
    if (!irl__type_is_integer(from) && from.scalar != IRL_BOOL)
        return irl__cast_source(an, e) != NULL;
    return !irl__type_is_index(e->type) || from.scalar != IRL_U64;
}

/* By ranges alone: the operator, where its operands are in a and b. */
static int irl__defined_within(const irl_expr *e, irl__interval a, irl__interval b)
{
    switch (e->op) {
    case IRL_OP_FLOORDIV: case IRL_OP_FLOORMOD: case IRL_OP_TRUNCDIV: case IRL_OP_TRUNCMOD:
        if (b.lo <= 0 && b.hi >= 0) return 0;
        break;
    case IRL_OP_SHL: case IRL_OP_SHR:
        if (b.lo < 0 || b.hi >= irl__type_info(e->type)->bits) return 0;
        break;
    default: break;
    }
    /* the other integers wrap */
    return !irl__type_is_index(e->type) || irl__defined_fits((irl_op)e->op, a, b);
}

/* base, base + stride, ..., the last lane being the farthest. */
static int irl__defined_ramp(const irl_expr *e, irl__interval base, irl__interval stride)
{
    irl__interval last = irl__interval_make((int64_t)e->type.lanes - 1, (int64_t)e->type.lanes - 1);
    if (!irl__type_is_index(e->type)) return 1;
    return irl__defined_fits(IRL_OP_MUL, stride, last) &&
           irl__defined_fits(IRL_OP_ADD, base, irl__interval_op(IRL_OP_MUL, stride, last));
}

static void irl__defined_reaches(irl__interval r, int64_t *reach)
{
    if (r.hi > *reach) *reach = r.hi;
    if (r.lo < -*reach) *reach = r.lo == INT64_MIN ? INT64_MAX : -r.lo;
}

/* A sum or product whose own range has both ends lies in 64 bits; where it has not, its operands
   may still be far enough from where it leaves them. */
static int irl__defined_by_range(irl__analyzer *an, const irl_expr *e, int64_t *reach)
{
    irl__interval r = irl__range_of(an, e), b = irl__interval_any();
    if (reach) irl__defined_reaches(r, reach);
    if (r.lo != INT64_MIN && r.hi != INT64_MAX) return 1;
    if (e->count == 2) b = irl__range_of(an, e->a[1]);
    return irl__defined_fits((irl_op)e->op, irl__range_of(an, e->a[0]), b);
}

int irl__operator_is_defined(irl__analyzer *an, const irl_expr *e, int64_t *reach)
{
    switch (e->op) {
    case IRL_OP_ADD: case IRL_OP_SUB: case IRL_OP_MUL: case IRL_OP_NEG: case IRL_OP_ABS:
        return !irl__type_is_index(e->type) || irl__defined_by_range(an, e, reach);
    case IRL_OP_FLOORDIV: case IRL_OP_FLOORMOD: case IRL_OP_TRUNCDIV: case IRL_OP_TRUNCMOD:
        if (e->a[1]->op == IRL_OP_INT && e->a[1]->u.i > 0) return 1;
        return irl__defined_within(e, irl__range_of(an, e->a[0]), irl__range_of(an, e->a[1]));
    case IRL_OP_SHL:
        if (reach && irl__type_is_index(e->type)) irl__defined_reaches(irl__range_of(an, e), reach);
        return irl__defined_within(e, irl__range_of(an, e->a[0]), irl__range_of(an, e->a[1]));
    case IRL_OP_SHR:
        return irl__defined_within(e, irl__range_of(an, e->a[0]), irl__range_of(an, e->a[1]));
    case IRL_OP_CAST: return irl__defined_cast(an, e);
    case IRL_OP_RAMP:
        return irl__defined_ramp(e, irl__range_of(an, e->a[0]), irl__range_of(an, e->a[1]));
    default: return 1;
    }
}

int irl__is_defined(irl__analyzer *an, const irl_expr *e, int64_t *reach)
{
    if (e->op == IRL_OP_INT && reach && irl__type_is_index(e->type))
        irl__defined_reaches(irl__interval_make(e->u.i, e->u.i), reach);
    if (e->count == 0) return 1;
    for (uint32_t k = 0; k < e->count; k++)
        if (!irl__is_defined(an, e->a[k], reach)) return 0;
    return irl__operator_is_defined(an, e, reach);
}

int64_t irl__defined_reach(irl__analyzer *an, const irl_expr *e, int64_t reach)
{
    if (irl__type_is_index(e->type)) irl__defined_reaches(irl__range_of(an, e), &reach);
    for (uint32_t k = 0; k < e->count && reach != INT64_MAX; k++)
        reach = irl__defined_reach(an, e->a[k], reach);
    return reach;
}

/* ------------------------------------------------------------------ with all that is known */

typedef struct irl__definer {
    irl__analyzer *an;
    int            sums_fit; /* no sum or product that varies leaves 64 bits: that is given */
    int            in_let;   /* a let around it is known by its range alone */
    int64_t        work; /* nodes that may still be looked at: an expression counts as a tree */
} irl__definer;

static int irl__defined_proves(irl__analyzer *an, irl_op op, const irl_expr *a, int64_t b)
{
    return irl__prove(an, irl_expr_op2(an->cx, op, a, irl_expr_int(an->cx, a->type, b)));
}

static int irl__defined_distance(irl__analyzer *an, const irl_expr *e, irl__interval r)
{
    int64_t last = irl__type_info(e->type)->bits - 1;
    return (r.lo >= 0 || irl__defined_proves(an, IRL_OP_GE, e, 0)) &&
           (r.hi <= last || irl__defined_proves(an, IRL_OP_LE, e, last));
}

static int irl__defined_here(const irl__definer *d, const irl_expr *e, irl__interval a,
                             irl__interval b)
{
    switch (e->op) {
    case IRL_OP_FLOORDIV: case IRL_OP_FLOORMOD: case IRL_OP_TRUNCDIV: case IRL_OP_TRUNCMOD:
        if (!(b.lo > 0 || b.hi < 0 || irl__defined_proves(d->an, IRL_OP_NE, e->a[1], 0) ||
              irl__defined_proves(d->an, IRL_OP_GE, e->a[1], 1)))
            return 0;
        break;
    case IRL_OP_SHL: case IRL_OP_SHR:
        if (!irl__defined_distance(d->an, e->a[1], b)) return 0;
        break;
    case IRL_OP_CAST: return irl__defined_cast(d->an, e);
    default: break;
    }
    if (!irl__type_is_index(e->type)) return 1; /* the other integers wrap */
    if (irl__defined_fits((irl_op)e->op, a, b)) return 1;
    if (!d->sums_fit) return 0;
    if (e->flags & IRL__HAS_VAR) return 1;
    e = irl__canonical(d->an, e);
    return e && e->op == IRL_OP_INT;
}

enum { IRL__DEFINED_WORK = 1 << 20 };

/* The operator alone, its operands having values: then what they simplify to has the same, and may
   have a better range. */
static int irl__defined_operator(irl__definer *d, const irl_expr *e)
{
    irl__interval a = irl__interval_any(), b = a;
    if (e->count == 0 || e->count > 2) return 1;
    a = irl__range_of(d->an, e->a[0]);
    if (e->count == 2) b = irl__range_of(d->an, e->a[1]);
    if (irl__defined_here(d, e, a, b)) return 1;
    d->work -= e->size;
    a = irl__interval_meet(a, irl__interval_of(d->an, e->a[0]));
    if (e->count == 2) b = irl__interval_meet(b, irl__interval_of(d->an, e->a[1]));
    return irl__defined_here(d, e, a, b);
}

static const irl_expr *irl__defined_not(irl__definer *d, const irl_expr *e);

/* By the range of what is named first, so that lets of lets are looked at once; then, of the
   outermost, with the value in place of its name. */
static const irl_expr *irl__defined_let(irl__definer *d, const irl_expr *e)
{
    int             mark = irl__bindings_mark(d->an), was = d->in_let;
    irl__interval   r = irl__range_of(d->an, e->a[1]);
    const irl_expr *part = e;
    d->in_let = 1;
    if (irl__bind_range(d->an, e->a[0], r.lo, r.hi)) part = irl__defined_not(d, e->a[2]);
    irl__bindings_release(d->an, mark);
    irl__forget_memo(d->an);
    d->in_let = was;
    if (!part || was) return part;
    part = irl__substitute(d->an->cx, e->a[2], 1, &e->a[0], &e->a[1]);
    return part ? irl__defined_not(d, part) : e;
}

/* The first part that is not defined; e itself where there was too much to look at. */
static const irl_expr *irl__defined_not(irl__definer *d, const irl_expr *e)
{
    const irl_expr *part;
    if (--d->work < 0) return e;
    switch (e->op) {
    case IRL_OP_INT: case IRL_OP_VAR: return NULL;
    case IRL_OP_LET:
        part = irl__defined_not(d, e->a[1]);
        return part ? part : irl__defined_let(d, e);
    default: break;
    }
    const int is_lazy = irl__expr_is_lazy(e);
    for (uint32_t k = 0; k < e->count; k++) {
        if (is_lazy && k) {
            int mark = irl__facts_mark(d->an);
            d->work -= e->a[0]->size;
            part = irl__fact_for(d->an, e, k) ? irl__defined_not(d, e->a[k]) : e->a[k];
            irl__facts_release(d->an, mark);
        } else part = irl__defined_not(d, e->a[k]);
        if (part) return part;
    }
    return is_lazy || irl__defined_operator(d, e) ? NULL : e;
}

static const irl_expr *irl__defined_ask(irl__analyzer *an, const irl_expr *e, int sums_fit)
{
    irl__definer d;
    d.an = an;
    d.sums_fit = sums_fit;
    d.in_let = 0;
    d.work = IRL__DEFINED_WORK;
    return irl__defined_not(&d, e);
}

const irl_expr *irl__undefined_part(irl__analyzer *an, const irl_expr *e)
{
    return irl__defined_ask(an, e, 0);
}

const irl_expr *irl__undefined_if_sums_fit(irl__analyzer *an, const irl_expr *e)
{
    return irl__defined_ask(an, e, 1);
}
