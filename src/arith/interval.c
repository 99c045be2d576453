/* interval.c - arithmetic of intervals.

   needs     nothing: no analyzer, no expression
   promises  the result contains what the operator makes of any two numbers of the operands'
             intervals. INT64_MIN as the lower bound and INT64_MAX as the upper one mean that none
             is known, and stay so */
#include "engine.h"

/* No bound is above all numbers from below, or below all from above: one less says the same, and is
   a number. */
irl__interval irl__interval_make(int64_t lo, int64_t hi)
{
    irl__interval r;
    r.lo = lo == INT64_MAX ? INT64_MAX - 1 : lo;
    r.hi = hi == INT64_MIN ? INT64_MIN + 1 : hi;
    return r;
}

irl__interval irl__interval_any(void) { return irl__interval_make(INT64_MIN, INT64_MAX); }

static irl__interval irl__interval_of_bits(irl_type t, int bits)
{
    if (t.is_pointer || bits >= 64) return irl__interval_any();
    const irl__type_row *row = irl__type_info(t);
    if (row->kind == IRL_KIND_BOOL) return irl__interval_make(0, 1);
    if (row->kind == IRL_KIND_UINT) return irl__interval_make(0, (INT64_C(1) << bits) - 1);
    if (row->kind == IRL_KIND_INT)
        return irl__interval_make(-(INT64_C(1) << (bits - 1)), (INT64_C(1) << (bits - 1)) - 1);
    return irl__interval_any();
}

irl__interval irl__interval_type(irl_type t)
{
    return irl__interval_of_bits(t, irl__type_info(t)->bits);
}

irl__interval irl__interval_held(const irl_expr *e)
{
    if (irl__type_is_index(e->type)) return irl__interval_any();
    if (e->op == IRL_OP_LOAD && irl__bitfield_is_narrow(e->u.buffer))
        return irl__interval_of_bits(e->type, e->u.buffer->bits);
    return irl__interval_type(e->type);
}

/* Arithmetic of bounds: INT64_MIN and INT64_MAX are beyond all numbers, and what does not fit
   becomes one of them. Two bounds of the same side are added, so that no infinity meets its
   opposite: INT64_MAX as a lower bound, which a negation may make, is a number, as INT64_MIN is as
   an upper one. */
static int irl__interval_endless(int64_t a) { return a == INT64_MIN || a == INT64_MAX; }

static int64_t irl__interval_add64(int64_t a, int64_t b, int64_t endless)
{
    int64_t r;
    if (a == endless || b == endless) return endless;
    return irl__add64(a, b, &r) ? r : a < 0 ? INT64_MIN : INT64_MAX;
}

static int64_t irl__interval_add_lo(int64_t a, int64_t b)
{
    return irl__interval_add64(a, b, INT64_MIN);
}

static int64_t irl__interval_add_hi(int64_t a, int64_t b)
{
    return irl__interval_add64(a, b, INT64_MAX);
}

static int64_t irl__interval_negate64(int64_t a)
{
    return a == INT64_MIN ? INT64_MAX : a == INT64_MAX ? INT64_MIN : -a;
}

/* Nothing of anything is nothing. */
static int64_t irl__interval_mul64(int64_t a, int64_t b)
{
    int64_t r;
    if (a == 0 || b == 0) return 0;
    if (!irl__interval_endless(a) && !irl__interval_endless(b) && irl__mul64(a, b, &r)) return r;
    return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
}

static int64_t irl__interval_smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t irl__interval_larger(int64_t a, int64_t b) { return a > b ? a : b; }

irl__interval irl__interval_add(irl__interval a, irl__interval b)
{
    return irl__interval_make(irl__interval_add_lo(a.lo, b.lo), irl__interval_add_hi(a.hi, b.hi));
}

irl__interval irl__interval_scale(irl__interval a, int64_t k)
{
    int64_t lo = irl__interval_mul64(a.lo, k), hi = irl__interval_mul64(a.hi, k);
    return k >= 0 ? irl__interval_make(lo, hi) : irl__interval_make(hi, lo);
}

irl__interval irl__interval_meet(irl__interval a, irl__interval b)
{
    return irl__interval_make(irl__interval_larger(a.lo, b.lo), irl__interval_smaller(a.hi, b.hi));
}

irl__interval irl__interval_join(irl__interval a, irl__interval b)
{
    return irl__interval_make(irl__interval_smaller(a.lo, b.lo), irl__interval_larger(a.hi, b.hi));
}

/* The hull of f at the four corners: for operators that are monotonic in each operand. */
static irl__interval irl__interval_corners(irl__interval a, irl__interval b,
                                           int64_t (*f)(int64_t, int64_t))
{
    int64_t p = f(a.lo, b.lo), q = f(a.lo, b.hi), r = f(a.hi, b.lo), s = f(a.hi, b.hi);
    return irl__interval_join(
        irl__interval_make(irl__interval_smaller(p, q), irl__interval_larger(p, q)),
        irl__interval_make(irl__interval_smaller(r, s), irl__interval_larger(r, s)));
}

/* A dividend without end has a quotient without end, by any divisor that may be a number: by one
   beyond all numbers the quotient is 0 or -1, which lies between those of the other corners. */
static int64_t irl__corner_floordiv(int64_t a, int64_t b)
{
    int64_t q;
    if (irl__interval_endless(b)) return a == 0 || (a < 0) == (b < 0) ? 0 : -1;
    if (irl__interval_endless(a)) return b > 0 ? a : irl__interval_negate64(a);
    return irl__floordiv64(a, b, &q) ? q : INT64_MAX;
}

static int64_t irl__corner_truncdiv(int64_t a, int64_t b)
{
    if (irl__interval_endless(b)) return 0;
    if (irl__interval_endless(a)) return b > 0 ? a : irl__interval_negate64(a);
    return a / b;
}

/* A quotient is monotonic where the divisor keeps its sign; a divisor of 0 has no value, so it is
   left out. */
static irl__interval irl__interval_quotient(irl__interval a, irl__interval b,
                                            int64_t (*f)(int64_t, int64_t))
{
    irl__interval r = irl__interval_any();
    int           have = 0;
    if (b.hi > 0) {
        r = irl__interval_corners(a, irl__interval_make(irl__interval_larger(b.lo, 1), b.hi), f);
        have = 1;
    }
    if (b.lo < 0) {
        irl__interval n =
            irl__interval_corners(a, irl__interval_make(b.lo, irl__interval_smaller(b.hi, -1)), f);
        r = have ? irl__interval_join(r, n) : n;
    }
    return r;
}

static int64_t irl__interval_all_ones(int64_t a, int64_t b)
{
    uint64_t m = (uint64_t)a | (uint64_t)b;
    for (int k = 1; k < 64; k *= 2) m |= m >> k;
    return (int64_t)m;
}

static irl__interval irl__interval_bits(irl_op op, irl__interval a, irl__interval b)
{
    if (op == IRL_OP_BITAND) {
        if (a.lo >= 0 && b.lo >= 0) return irl__interval_make(0, irl__interval_smaller(a.hi, b.hi));
        if (a.lo >= 0) return irl__interval_make(0, a.hi);
        if (b.lo >= 0) return irl__interval_make(0, b.hi);
    }
    if (a.lo < 0 || b.lo < 0) { /* no bit above those of the operands but copies of the sign */
        int64_t most = irl__interval_all_ones(irl__interval_all_ones(a.hi, b.hi) & INT64_MAX,
                                              irl__interval_all_ones(~a.lo, ~b.lo) & INT64_MAX);
        return irl__interval_make(-most - 1, most);
    }
    return irl__interval_make(op == IRL_OP_BITOR ? irl__interval_larger(a.lo, b.lo) : 0,
                              irl__interval_all_ones(a.hi, b.hi));
}

static irl__interval irl__interval_shift(irl_op op, irl__interval a, irl__interval b)
{
    /* each distance: towards 0, or towards -1 */
    if (op == IRL_OP_SHR && b.lo >= 0 && b.lo != b.hi && b.lo <= 62)
        return irl__interval_make(a.lo >= 0 ? 0 : irl__corner_floordiv(a.lo, INT64_C(1) << b.lo),
                                  a.hi < 0 ? -1 : irl__corner_floordiv(a.hi, INT64_C(1) << b.lo));
    if (op == IRL_OP_SHL && b.lo >= 0 && b.hi <= 62) /* each distance between */
        return irl__interval_corners(a,
                                     irl__interval_make(INT64_C(1) << b.lo, INT64_C(1) << b.hi),
                                     irl__interval_mul64);
    if (b.lo != b.hi || b.lo < 0 || b.lo > 62) return irl__interval_any();
    int64_t divisor = INT64_C(1) << b.lo;
    return irl__interval_make(irl__corner_floordiv(a.lo, divisor),
                              irl__corner_floordiv(a.hi, divisor));
}

irl__interval irl__interval_op(irl_op op, irl__interval a, irl__interval b)
{
    switch (op) {
    case IRL_OP_ADD: return irl__interval_add(a, b);
    case IRL_OP_SUB:
        return irl__interval_make(irl__interval_add_lo(a.lo, irl__interval_negate64(b.hi)),
                                  irl__interval_add_hi(a.hi, irl__interval_negate64(b.lo)));
    case IRL_OP_NEG: return irl__interval_scale(a, -1);
    case IRL_OP_MUL: return irl__interval_corners(a, b, irl__interval_mul64);
    case IRL_OP_FLOORDIV: return irl__interval_quotient(a, b, irl__corner_floordiv);
    case IRL_OP_TRUNCDIV: return irl__interval_quotient(a, b, irl__corner_truncdiv);
    case IRL_OP_FLOORMOD: {
        int64_t qlo, qhi, lo, hi;
        if (b.lo == b.hi && b.lo != 0 && a.lo != INT64_MIN && a.hi != INT64_MAX &&
            irl__floordiv64(a.lo, b.lo, &qlo) && irl__floordiv64(a.hi, b.lo, &qhi) && qlo == qhi &&
            irl__floormod64(a.lo, b.lo, &lo) && irl__floormod64(a.hi, b.lo, &hi))
            return irl__interval_make(irl__interval_smaller(lo, hi), irl__interval_larger(lo, hi));
        lo = b.lo < 0 ? irl__interval_add_lo(b.lo, 1) : 0;
        hi = b.hi > 0 ? irl__interval_add_hi(b.hi, -1) : 0;
        if (a.lo >= 0 && b.lo >= 0) hi = irl__interval_smaller(hi, a.hi);
        return irl__interval_make(lo, hi);
    }
    case IRL_OP_TRUNCMOD: {
        /* The remainder of C's %: the dividend's sign, smaller than the divisor. */
        int64_t most =
            irl__interval_add_hi(irl__interval_larger(b.hi, irl__interval_negate64(b.lo)), -1);
        if (most < 0) return irl__interval_any();
        return irl__interval_make(
            a.lo >= 0 ? 0 : irl__interval_larger(a.lo, irl__interval_negate64(most)),
            a.hi <= 0 ? 0 : irl__interval_smaller(a.hi, most));
    }
    case IRL_OP_MIN:
        return irl__interval_make(irl__interval_smaller(a.lo, b.lo),
                                  irl__interval_smaller(a.hi, b.hi));
    case IRL_OP_MAX:
        return irl__interval_make(irl__interval_larger(a.lo, b.lo),
                                  irl__interval_larger(a.hi, b.hi));
    case IRL_OP_ABS: {
        int64_t lo = a.lo < 0 ? irl__interval_negate64(a.lo) : a.lo,
                hi = a.hi < 0 ? irl__interval_negate64(a.hi) : a.hi;
        return irl__interval_make(a.lo <= 0 && a.hi >= 0 ? 0 : irl__interval_smaller(lo, hi),
                                  irl__interval_larger(lo, hi));
    }
    case IRL_OP_BITAND: case IRL_OP_BITOR: case IRL_OP_BITXOR: return irl__interval_bits(op, a, b);
    case IRL_OP_BITNOT: return irl__interval_make(~a.hi, ~a.lo); /* ~INT64_MAX is INT64_MIN */
    case IRL_OP_SHL: case IRL_OP_SHR: return irl__interval_shift(op, a, b);
    default: return irl__interval_any();
    }
}
