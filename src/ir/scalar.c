/* scalar.c - the meaning of operators on scalars: only this file defines what `+` or a cast
   computes.

   needs     number.c; ops.h, whose fold column names the functions irl__calc_<fold> below; types.h
   promises  no undefined behaviour for any operands: an operation without a result returns a
             status. Integers wrap at their width, index is checked, floats round at each operation.
             Both the simplifier and the interpreter compute with these. */
#include "ir.h"

#include <math.h>

/* ------------------------------------------------------------------ integers */

static irl__fold_status irl__fold_wrapped(irl_type t, uint64_t bits, irl__scalar *out)
{
    out->i = irl__wrap_int(t, (int64_t)bits);
    return IRL__FOLD_OK;
}

static irl__fold_status irl__fold_checked(int fits)
{
    return fits ? IRL__FOLD_OK : IRL__FOLD_OVERFLOW;
}

static int irl__fold_unsigned(irl_type t) { return irl__type_info(t)->kind == IRL_KIND_UINT; }

static int irl__fold_int_less(irl_type t, int64_t a, int64_t b)
{
    return irl__fold_unsigned(t) ? (uint64_t)a < (uint64_t)b : a < b;
}

/* Towards minus infinity also where C leaves >> of a negative number to the compiler. */
static int64_t irl__fold_shift_right(int64_t a, unsigned distance)
{
    return a < 0 ? ~(~a >> distance) : a >> distance;
}

/* ------------------------------------------------------------------ arithmetic

   The casts around f32 results matter: C may keep a float expression in more precision until it is
   cast. */

#define IRL__FOLD_ARITH(name, op, checked) \
    static irl__fold_status irl__calc_##name(irl_type t, const irl__scalar *a, irl__scalar *out) \
    { \
        switch (t.scalar) { \
        case IRL_F32: return out->f = (double)(float)((float)a[0].f op (float)a[1].f), \
                                       IRL__FOLD_OK; \
        case IRL_F64: return out->f = a[0].f op a[1].f, IRL__FOLD_OK; \
        case IRL_INDEX: return irl__fold_checked(checked(a[0].i, a[1].i, &out->i)); \
        default: return irl__fold_wrapped(t, (uint64_t)a[0].i op (uint64_t)a[1].i, out); \
        } \
    }
IRL__FOLD_ARITH(add, +, irl__add64)
IRL__FOLD_ARITH(sub, -, irl__sub64)
IRL__FOLD_ARITH(mul, *, irl__mul64)
#undef IRL__FOLD_ARITH

static irl__fold_status irl__calc_div(irl_type t, const irl__scalar *a, irl__scalar *out)
{
    out->f = t.scalar == IRL_F32 ? (double)(float)((float)a[0].f / (float)a[1].f) : a[0].f / a[1].f;
    return IRL__FOLD_OK;
}

static irl__fold_status irl__calc_neg(irl_type t, const irl__scalar *a, irl__scalar *out)
{
    if (irl__type_is_float(t)) return out->f = -a[0].f, IRL__FOLD_OK;
    if (t.scalar == IRL_INDEX) return irl__fold_checked(irl__sub64(0, a[0].i, &out->i));
    return irl__fold_wrapped(t, 0 - (uint64_t)a[0].i, out);
}

static irl__fold_status irl__calc_abs(irl_type t, const irl__scalar *a, irl__scalar *out)
{
    if (irl__type_is_float(t)) return out->f = fabs(a[0].f), IRL__FOLD_OK;
    if (irl__fold_int_less(t, a[0].i, 0)) return irl__calc_neg(t, a, out);
    *out = a[0];
    return IRL__FOLD_OK;
}

/* Of signed integers as `both` says. */
#define IRL__FOLD_DIVISION(name, op, both) \
    static irl__fold_status irl__calc_##name(irl_type t, const irl__scalar *a, irl__scalar *out) \
    { \
        if (a[1].i == 0) return IRL__FOLD_ZERO_DIVISION; \
        if (irl__fold_unsigned(t)) \
            return irl__fold_wrapped(t, (uint64_t)a[0].i op (uint64_t)a[1].i, out); \
        both; \
        return irl__fold_wrapped(t, (uint64_t)out->i, out); \
    }
/* The one quotient that does not fit its type: the least number by -1. Everything but index
   wraps. */
#define IRL__FOLD_DIVIDE(quotient) \
    if (a[0].i == INT64_MIN && a[1].i == -1) return irl__calc_neg(t, a, out); \
    quotient
IRL__FOLD_DIVISION(floordiv, /, IRL__FOLD_DIVIDE(irl__floordiv64(a[0].i, a[1].i, &out->i)))
IRL__FOLD_DIVISION(floormod, %, irl__floormod64(a[0].i, a[1].i, &out->i))
IRL__FOLD_DIVISION(truncdiv, /, IRL__FOLD_DIVIDE(out->i = a[0].i / a[1].i))
IRL__FOLD_DIVISION(truncmod, %, out->i = a[1].i == -1 ? 0 : a[0].i % a[1].i)
#undef IRL__FOLD_DIVISION
#undef IRL__FOLD_DIVIDE

/* As fmin and fmax: a NaN loses against a number. Which of two zeros is the smaller is not said. */
#define IRL__FOLD_LESSER(name, op, less) \
    static irl__fold_status irl__calc_##name(irl_type t, const irl__scalar *a, irl__scalar *out) \
    { \
        *out = a[(irl__type_is_float(t) ? a[0].f op a[1].f || a[1].f != a[1].f : less) ? 0 : 1]; \
        return IRL__FOLD_OK; \
    }
IRL__FOLD_LESSER(min, <, irl__fold_int_less(t, a[0].i, a[1].i))
IRL__FOLD_LESSER(max, >, irl__fold_int_less(t, a[1].i, a[0].i))
#undef IRL__FOLD_LESSER

/* ------------------------------------------------------------------ comparison and logic */

#define IRL__FOLD_COMPARE(name, op) \
    static irl__fold_status irl__calc_##name(irl_type t, const irl__scalar *a, irl__scalar *out) \
    { \
        if (irl__type_is_float(t)) out->i = a[0].f op a[1].f; \
        else if (irl__fold_unsigned(t)) out->i = (uint64_t)a[0].i op (uint64_t)a[1].i; \
        else out->i = a[0].i op a[1].i; \
        return IRL__FOLD_OK; \
    }
IRL__FOLD_COMPARE(eq, ==)
IRL__FOLD_COMPARE(ne, !=)
IRL__FOLD_COMPARE(lt, <)
IRL__FOLD_COMPARE(le, <=)
IRL__FOLD_COMPARE(gt, >)
IRL__FOLD_COMPARE(ge, >=)
#undef IRL__FOLD_COMPARE

#define IRL__FOLD_LOGIC(name, value) \
    static irl__fold_status irl__calc_##name(irl_type t, const irl__scalar *a, irl__scalar *out) \
    { \
        (void)t; \
        out->i = (value); \
        return IRL__FOLD_OK; \
    }
IRL__FOLD_LOGIC(and, a[0].i && a[1].i)
IRL__FOLD_LOGIC(or, a[0].i || a[1].i)
IRL__FOLD_LOGIC(not, !a[0].i)
#undef IRL__FOLD_LOGIC

/* ------------------------------------------------------------------ bits */

#define IRL__FOLD_BITS(name, bits) \
    static irl__fold_status irl__calc_##name(irl_type t, const irl__scalar *a, irl__scalar *out) \
    { \
        return irl__fold_wrapped(t, (bits), out); \
    }
IRL__FOLD_BITS(bitand, (uint64_t)a[0].i & (uint64_t)a[1].i)
IRL__FOLD_BITS(bitxor, (uint64_t)a[0].i ^ (uint64_t)a[1].i)
IRL__FOLD_BITS(bitor, (uint64_t)a[0].i | (uint64_t)a[1].i)
IRL__FOLD_BITS(bitnot, ~(uint64_t)a[0].i)
#undef IRL__FOLD_BITS

/* A negative distance is a large one when read without a sign. */
static int irl__fold_distance_ok(irl_type t, irl__scalar distance)
{
    return (uint64_t)distance.i < (uint64_t)irl__type_info(t)->bits;
}

static irl__fold_status irl__calc_shl(irl_type t, const irl__scalar *a, irl__scalar *out)
{
    int64_t value = a[0].i, shifted;
    if (!irl__fold_distance_ok(t, a[1])) return IRL__FOLD_BAD_SHIFT;
    shifted = (int64_t)((uint64_t)value << a[1].i);
    if (t.scalar == IRL_INDEX && irl__fold_shift_right(shifted, (unsigned)a[1].i) != value)
        return IRL__FOLD_OVERFLOW;
    return irl__fold_wrapped(t, (uint64_t)shifted, out);
}

static irl__fold_status irl__calc_shr(irl_type t, const irl__scalar *a, irl__scalar *out)
{
    if (!irl__fold_distance_ok(t, a[1])) return IRL__FOLD_BAD_SHIFT;
    if (irl__fold_unsigned(t)) return irl__fold_wrapped(t, (uint64_t)a[0].i >> a[1].i, out);
    out->i = irl__fold_shift_right(a[0].i, (unsigned)a[1].i);
    return IRL__FOLD_OK;
}

/* ------------------------------------------------------------------ the table */

static irl__fold_status irl__calc_none(irl_type t, const irl__scalar *a, irl__scalar *out)
{
    (void)t, (void)a, (void)out;
    return IRL__FOLD_NO_RULE;
}

static irl__calc *const irl__calc_by_op[] = {
#define IRL_OPERATOR(name, text, form, arity, precedence, rule, fold, ocl, doc) irl__calc_##fold,
#define IRL_FLOAT_OPERATOR(name, fold, arity, doc)
#include "ops.h"
};

/* f32's result, rounded. f32 has more than twice a half's digits and two, so sums, products,
   quotients and roots are the nearest halves all the same. Operands are made f32 first, which
   quiets a NaN. */
irl__fold_status irl__fold_half(irl__calc *compute, irl_op op, irl_type type,
                                const irl__scalar *a, irl__scalar *out)
{
    const irl__op_row *row = irl__op_info(op);
    const irl_type     wide = irl_type_of(IRL_F32, 1);
    irl__scalar        operand[3];
    for (int k = 0; k < row->arity && k < 3; k++) operand[k].f = irl__round_float(wide, a[k].f);
    irl__fold_status status = compute(wide, operand, out);
    if (status == IRL__FOLD_OK && row->rule != IRL__COMPARE)
        out->f = irl__round_float(type, out->f);
    return status;
}

irl__fold_status irl__fold_number(irl_op op, irl_type type, const irl__scalar *a, irl__scalar *out)
{
    if ((size_t)op >= IRL__COUNTOF(irl__calc_by_op) || type.is_pointer ||
        irl__type_is_normalised(type))
        return IRL__FOLD_NO_RULE;
    if (!irl__type_is_half(type)) return irl__calc_by_op[op](type, a, out);
    return irl__fold_half(irl__calc_by_op[op], op, type, a, out);
}

/* ------------------------------------------------------------------ casts */

/* Rounded once, to the nearest of the type. What double cannot hold is cut to 53 bits, with the
   last one saying whether anything was cut: that is enough for the second rounding to be right. */
static double irl__fold_int_to_float(irl_type from, irl_type to, int64_t value)
{
    int      negative = value < 0 && !irl__fold_unsigned(from);
    uint64_t size = negative ? 0 - (uint64_t)value : (uint64_t)value;
    if (to.scalar == IRL_F64)
        return irl__fold_unsigned(from) ? (double)(uint64_t)value : (double)value;
    double d = size >> 53 ? (double)((size >> 11) | ((size & 0x7ff) != 0)) * 2048.0 : (double)size;
    return irl__round_float(to, negative ? -d : d);
}

irl__fold_status irl__fold_cast(irl_type from, irl_type to, irl__scalar a, irl__scalar *out)
{
    if (from.is_pointer || to.is_pointer) return IRL__FOLD_NO_RULE;
    if (irl__type_is_normalised(from) && a.f < -1) a.f = -1;
    if (irl__type_is_real(to)) {
        out->f = irl__type_is_real(from) ? irl__round_float(to, a.f)
                                         : irl__fold_int_to_float(from, to, a.i);
        return IRL__FOLD_OK;
    }
    if (irl__type_is_real(from)) {
        const double         value = a.f;
        const irl__type_row *row = irl__type_info(to);
        int                  is_unsigned = row->kind == IRL_KIND_UINT;
        /* 2 to the n, n in [-1, 64]. */
        double whole = trunc(value), end = ldexp(1.0, is_unsigned ? row->bits : row->bits - 1);
        if (row->kind == IRL_KIND_BOOL) return out->i = value != 0, IRL__FOLD_OK;
        /* a NaN comes here too */
        if (!(whole >= (is_unsigned ? 0.0 : -end) && whole < end)) return IRL__FOLD_OVERFLOW;
        out->i = is_unsigned ? (int64_t)(uint64_t)whole : (int64_t)whole;
        return IRL__FOLD_OK;
    }
    if (to.scalar == IRL_INDEX && irl__fold_unsigned(from) && a.i < 0) return IRL__FOLD_OVERFLOW;
    return irl__fold_wrapped(to, (uint64_t)a.i, out);
}

irl__fold_status irl__fold_op(irl_op op, irl_type from, irl_type to, const irl__scalar *a,
                              irl__scalar *out)
{
    switch (op) {
    case IRL_OP_SELECT: return *out = a[a[0].i ? 1 : 2], IRL__FOLD_OK;
    case IRL_OP_CAST: return irl__fold_cast(from, to, a[0], out);
    case IRL_OP_REINTERPRET:
        return *out = irl__scalar_of_bits(to, irl__scalar_bits(from, a[0])), IRL__FOLD_OK;
    default: return irl__fold_number(op, from, a, out);
    }
}

int irl__fold_fail(irl_ctx *cx, irl_loc loc, irl_op op, irl_type type, irl__fold_status status)
{
    const irl__op_row *row = irl__op_info(op);
    const char *name = row->text[0] ? row->text : row->name, *of = irl__type_info(type)->text;
    if (status == IRL__FOLD_BAD_SHIFT)
        return irl__fail(cx, IRL_ERROR_BAD_VALUE, loc, "the distance of '%s' is not in [0, %d)",
                         name, irl__type_info(type)->bits);
    if (status == IRL__FOLD_ZERO_DIVISION)
        return irl__fail(cx, IRL_ERROR_DIVISION_BY_ZERO, loc, "'%s' of %s divides by zero", name,
                         of);
    return status == IRL__FOLD_OVERFLOW
               ? irl__fail(cx, IRL_ERROR_OVERFLOW, loc, "'%s' of %s does not fit 63 bits", name, of)
               : irl__fail(cx, IRL_ERROR_UNSUPPORTED, loc, "'%s' is not defined for %s", name, of);
}
