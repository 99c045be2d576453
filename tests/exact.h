/* exact.h - what an integer expression means, with arithmetic of its own that shares no code with
   the library.

   needs     the expressions' nodes (ir.h), nothing that computes
   promises  an expression has a value, or it is undefined: an index that leaves 64 bits in any
             intermediate result, a division by zero, a distance of a shift beyond the type, a
             conversion to a type that cannot hold the value. Other integers wrap. Operands are
             evaluated as the text says: the right side of && and ||, and the arms of if_then_else,
             only where they count; both arms of select, and the value of a let that nobody uses,
             always */
#ifndef IRL_EXACT_H
#define IRL_EXACT_H

#include <stdint.h>

/* A number of 128 bits, two's complement: any sum, difference or product of two operands. */
typedef struct exact_wide {
    uint64_t low, high;
} exact_wide;

static exact_wide exact_of(int is_signed, int64_t a)
{
    exact_wide w;
    w.low = (uint64_t)a;
    w.high = is_signed && a < 0 ? UINT64_MAX : 0;
    return w;
}

static exact_wide exact_plus(exact_wide a, exact_wide b)
{
    exact_wide w;
    w.low = a.low + b.low;
    w.high = a.high + b.high + (w.low < a.low);
    return w;
}

static exact_wide exact_minus(exact_wide a)
{
    exact_wide one = { 1, 0 };
    a.low = ~a.low;
    a.high = ~a.high;
    return exact_plus(a, one);
}

/* Of two magnitudes, by halves of 32 bits. */
static exact_wide exact_product(uint64_t a, uint64_t b)
{
    uint64_t   al = a & 0xffffffffu, ah = a >> 32, bl = b & 0xffffffffu, bh = b >> 32;
    uint64_t   low = al * bl, mid = ah * bl + (low >> 32), mid2 = al * bh + (mid & 0xffffffffu);
    exact_wide w;
    w.low = (mid2 << 32) | (low & 0xffffffffu);
    w.high = ah * bh + (mid >> 32) + (mid2 >> 32);
    return w;
}

static uint64_t exact_size(int64_t a) { return a < 0 ? 0 - (uint64_t)a : (uint64_t)a; }

static exact_wide exact_times(int is_signed, int64_t a, int64_t b)
{
    exact_wide w;
    if (!is_signed) return exact_product((uint64_t)a, (uint64_t)b);
    w = exact_product(exact_size(a), exact_size(b));
    return (a < 0) != (b < 0) ? exact_minus(w) : w;
}

static int exact_is_int64(exact_wide w) { return w.high == (w.low >> 63 ? UINT64_MAX : 0); }

/* ------------------------------------------------------------------ types */

static int exact_bits(irl_type t)
{
    switch (t.scalar) {
    case IRL_BOOL: return 1;
    case IRL_I8:
    case IRL_U8: return 8;
    case IRL_I16:
    case IRL_U16: return 16;
    case IRL_I32:
    case IRL_U32: return 32;
    default: return 64;
    }
}

static int exact_is_signed(irl_type t)
{
    return t.scalar == IRL_INDEX || t.scalar == IRL_I8 || t.scalar == IRL_I16 ||
           t.scalar == IRL_I32 || t.scalar == IRL_I64;
}

static int exact_is_real(irl_type t) { return t.scalar == IRL_F32 || t.scalar == IRL_F64; }

/* The low bits of a number as a value of the type. */
static int64_t exact_wrapped(irl_type t, uint64_t bits)
{
    int n = exact_bits(t);
    if (n < 64) bits &= (UINT64_C(1) << n) - 1;
    if (n < 64 && exact_is_signed(t) && (bits >> (n - 1)) & 1) bits |= ~((UINT64_C(1) << n) - 1);
    return bits >> 63 ? -(int64_t)~bits - 1 : (int64_t)bits;
}

/* ------------------------------------------------------------------ evaluation */

enum { EXACT_LETS = 64 };

/* Variables and their values; what a let binds goes behind them. */
typedef struct exact_world {
    int             count, undefined; /* undefined: which kind was met first, for messages */
    int             is_wide;          /* an index that was computed does not fit 32 bits */
    const irl_expr *var[EXACT_LETS];
    int64_t         value[EXACT_LETS];
} exact_world;

enum { EXACT_OVERFLOW = 1, EXACT_ZERO, EXACT_SHIFT, EXACT_CAST, EXACT_UNKNOWN };

typedef struct exact_value {
    int64_t i;
    double  f;
} exact_value;

static int exact_undefined(exact_world *w, int why)
{
    w->undefined = why;
    return 0;
}

/* The exact result r as a value of the type. */
static int exact_fits(exact_world *w, irl_type t, exact_wide r, int64_t *out)
{
    if (t.scalar != IRL_INDEX) return *out = exact_wrapped(t, r.low), 1;
    if (!exact_is_int64(r)) return exact_undefined(w, EXACT_OVERFLOW);
    *out = exact_wrapped(t, r.low);
    w->is_wide |= *out < -INT32_MAX || *out > INT32_MAX;
    return 1;
}

/* Quotient and remainder by magnitudes; rounded towards 0, or down. */
static int exact_divide(exact_world *w, irl_type t, irl_op op, int64_t a, int64_t b, int64_t *out)
{
    int is_signed = exact_is_signed(t), floors = op == IRL_OP_FLOORDIV || op == IRL_OP_FLOORMOD;
    uint64_t x = is_signed ? exact_size(a) : (uint64_t)a,
             y = is_signed ? exact_size(b) : (uint64_t)b;
    int        negative = is_signed && (a < 0) != (b < 0), up;
    exact_wide q, r;
    if (b == 0) return exact_undefined(w, EXACT_ZERO);
    up = floors && negative && x % y != 0;
    q.high = r.high = 0;
    q.low = x / y + (uint64_t)up;
    r.low = up ? y - x % y : x % y;
    if (negative) q = exact_minus(q);
    if (is_signed && (floors ? b < 0 : a < 0)) r = exact_minus(r);
    return exact_fits(w, t, op == IRL_OP_FLOORDIV || op == IRL_OP_TRUNCDIV ? q : r, out);
}

static int exact_less(irl_type t, int64_t a, int64_t b)
{
    return exact_is_signed(t) ? a < b : (uint64_t)a < (uint64_t)b;
}

static int exact_shift(exact_world *w, irl_type t, irl_op op, int64_t a, int64_t b, int64_t *out)
{
    exact_wide r = exact_of(exact_is_signed(t), a);
    int        k;
    if ((exact_is_signed(t) && b < 0) || (uint64_t)b >= (uint64_t)exact_bits(t))
        return exact_undefined(w, EXACT_SHIFT);
    for (k = 0; k < (int)b; k++) {
        if (op == IRL_OP_SHL) r = exact_plus(r, r);
        else {
            r.low = (r.low >> 1) | (r.high << 63);
            r.high = (r.high >> 1) | (r.high & (UINT64_C(1) << 63));
        }
    }
    return exact_fits(w, t, r, out);
}

static int exact_two(exact_world *w, irl_op op, irl_type t, int64_t a, int64_t b, int64_t *out)
{
    int is_signed = exact_is_signed(t);
    switch (op) {
    case IRL_OP_ADD:
        return exact_fits(w, t, exact_plus(exact_of(is_signed, a), exact_of(is_signed, b)), out);
    case IRL_OP_SUB:
        return exact_fits(
            w, t, exact_plus(exact_of(is_signed, a), exact_minus(exact_of(is_signed, b))), out);
    case IRL_OP_MUL: return exact_fits(w, t, exact_times(is_signed, a, b), out);
    case IRL_OP_FLOORDIV:
    case IRL_OP_FLOORMOD:
    case IRL_OP_TRUNCDIV:
    case IRL_OP_TRUNCMOD: return exact_divide(w, t, op, a, b, out);
    case IRL_OP_SHL:
    case IRL_OP_SHR: return exact_shift(w, t, op, a, b, out);
    case IRL_OP_MIN: return *out = exact_less(t, a, b) ? a : b, 1;
    case IRL_OP_MAX: return *out = exact_less(t, a, b) ? b : a, 1;
    case IRL_OP_BITAND: return *out = a & b, 1;
    case IRL_OP_BITOR: return *out = a | b, 1;
    case IRL_OP_BITXOR: return *out = a ^ b, 1;
    case IRL_OP_EQ: return *out = a == b, 1;
    case IRL_OP_NE: return *out = a != b, 1;
    case IRL_OP_LT: return *out = exact_less(t, a, b), 1;
    case IRL_OP_LE: return *out = !exact_less(t, b, a), 1;
    case IRL_OP_GT: return *out = exact_less(t, b, a), 1;
    case IRL_OP_GE: return *out = !exact_less(t, a, b), 1;
    default: return exact_undefined(w, EXACT_UNKNOWN);
    }
}

static int exact_cast(exact_world *w, irl_type from, irl_type to, exact_value a, exact_value *out)
{
    double whole;
    if (exact_is_real(to)) {
        if (exact_is_real(from)) out->f = to.scalar == IRL_F32 ? (double)(float)a.f : a.f;
        else if (exact_is_signed(from))
            out->f = to.scalar == IRL_F32 ? (double)(float)a.i : (double)a.i;
        else out->f = to.scalar == IRL_F32 ? (double)(float)(uint64_t)a.i : (double)(uint64_t)a.i;
        return 1;
    }
    if (exact_is_real(from)) { /* towards 0; a number that the type lacks has no value */
        if (!(a.f > -9.3e18 && a.f < 9.2e18)) return exact_undefined(w, EXACT_CAST);
        out->i = (int64_t)a.f;
        whole = (double)out->i;
        if (to.scalar == IRL_BOOL) return out->i = a.f != 0, 1;
        if ((double)exact_wrapped(to, (uint64_t)out->i) != whole)
            return exact_undefined(w, EXACT_CAST);
        return 1;
    }
    if (to.scalar == IRL_BOOL) return out->i = a.i != 0, 1;
    if (to.scalar == IRL_INDEX && !exact_is_signed(from) && a.i < 0)
        return exact_undefined(w, EXACT_CAST);
    return out->i = exact_wrapped(to, (uint64_t)a.i), 1;
}

static int exact_evaluate(exact_world *w, const irl_expr *e, exact_value *out)
{
    exact_value a, b, c;
    irl_type    t;
    int         k;
    a.i = b.i = c.i = out->i = 0;
    a.f = b.f = c.f = out->f = 0;
    switch (e->op) {
    case IRL_OP_INT: return out->i = e->u.i, 1;
    case IRL_OP_VAR:
        for (k = w->count - 1; k >= 0 && w->var[k] != e; k--) continue;
        return k < 0 ? exact_undefined(w, EXACT_UNKNOWN) : (out->i = w->value[k], 1);
    case IRL_OP_LET:
        if (!exact_evaluate(w, e->a[1], &a)) return 0;
        if (w->count == EXACT_LETS) return exact_undefined(w, EXACT_UNKNOWN);
        w->var[w->count] = e->a[0];
        w->value[w->count++] = a.i;
        k = exact_evaluate(w, e->a[2], out);
        w->count--;
        return k;
    default: break;
    }
    if (!exact_evaluate(w, e->a[0], &a)) return 0;
    t = e->a[0]->type;
    switch (e->op) {
    case IRL_OP_AND:
    case IRL_OP_OR:
        if ((a.i != 0) == (e->op == IRL_OP_OR)) return *out = a, 1;
        return exact_evaluate(w, e->a[1], out);
    case IRL_OP_NOT: return out->i = !a.i, 1;
    case IRL_OP_NEG: return exact_two(w, IRL_OP_SUB, t, 0, a.i, &out->i);
    case IRL_OP_ABS:
        return exact_is_signed(t) && a.i < 0 ? exact_two(w, IRL_OP_SUB, t, 0, a.i, &out->i)
                                             : (*out = a, 1);
    case IRL_OP_BITNOT: return out->i = exact_wrapped(t, ~(uint64_t)a.i), 1;
    case IRL_OP_CAST: return exact_cast(w, t, e->type, a, out);
    case IRL_OP_IF_THEN_ELSE: return exact_evaluate(w, e->a[a.i ? 1 : 2], out);
    default: break;
    }
    if (e->count < 2 || !exact_evaluate(w, e->a[1], &b))
        return e->count < 2 ? exact_undefined(w, EXACT_UNKNOWN) : 0;
    if (e->op != IRL_OP_SELECT) return exact_two(w, (irl_op)e->op, t, a.i, b.i, &out->i);
    if (!exact_evaluate(w, e->a[2], &c)) return 0;
    *out = a.i ? b : c;
    return 1;
}

#endif
