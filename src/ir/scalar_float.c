/* scalar_float.c - the functions of floats on scalars.

   needs     scalar.c; ops.h, whose fold column names the functions irl__float_<fold> below; libm
   promises  as scalar.c */
#include "ir.h"

#include <math.h>

/* For f32 they are computed in double and rounded once, so that what we compare devices with is the
   nearest float or its neighbour whatever the C library. sqrt, floor, ceil, trunc, rint, round,
   copysign, fmod and remainder are exact that way. */

#define IRL__FOLD_FUNCTION(name, value) \
    static irl__fold_status irl__float_##name(irl_type t, const irl__scalar *a, irl__scalar *out) \
    { \
        out->f = irl__round_float(t, (value)); \
        return IRL__FOLD_OK; \
    }
IRL__FOLD_FUNCTION(exp, exp(a[0].f))
IRL__FOLD_FUNCTION(exp2, exp2(a[0].f))
IRL__FOLD_FUNCTION(log, log(a[0].f))
IRL__FOLD_FUNCTION(log2, log2(a[0].f))
IRL__FOLD_FUNCTION(sqrt, sqrt(a[0].f))
IRL__FOLD_FUNCTION(rsqrt, 1.0 / sqrt(a[0].f))
IRL__FOLD_FUNCTION(sin, sin(a[0].f))
IRL__FOLD_FUNCTION(cos, cos(a[0].f))
IRL__FOLD_FUNCTION(tan, tan(a[0].f))
IRL__FOLD_FUNCTION(tanh, tanh(a[0].f))
IRL__FOLD_FUNCTION(pow, pow(a[0].f, a[1].f))
IRL__FOLD_FUNCTION(floor, floor(a[0].f))
IRL__FOLD_FUNCTION(ceil, ceil(a[0].f))
IRL__FOLD_FUNCTION(trunc, trunc(a[0].f))
IRL__FOLD_FUNCTION(rint, rint(a[0].f))
IRL__FOLD_FUNCTION(acos, acos(a[0].f))
IRL__FOLD_FUNCTION(acosh, acosh(a[0].f))
IRL__FOLD_FUNCTION(asin, asin(a[0].f))
IRL__FOLD_FUNCTION(asinh, asinh(a[0].f))
IRL__FOLD_FUNCTION(atan, atan(a[0].f))
IRL__FOLD_FUNCTION(atanh, atanh(a[0].f))
IRL__FOLD_FUNCTION(cbrt, cbrt(a[0].f))
IRL__FOLD_FUNCTION(cosh, cosh(a[0].f))
IRL__FOLD_FUNCTION(erf, erf(a[0].f))
IRL__FOLD_FUNCTION(erfc, erfc(a[0].f))
IRL__FOLD_FUNCTION(exp10, pow(10.0, a[0].f))
IRL__FOLD_FUNCTION(expm1, expm1(a[0].f))
IRL__FOLD_FUNCTION(log10, log10(a[0].f))
IRL__FOLD_FUNCTION(log1p, log1p(a[0].f))
IRL__FOLD_FUNCTION(round, round(a[0].f))
IRL__FOLD_FUNCTION(sinh, sinh(a[0].f))
IRL__FOLD_FUNCTION(tgamma, tgamma(a[0].f))
IRL__FOLD_FUNCTION(atan2, atan2(a[0].f, a[1].f))
IRL__FOLD_FUNCTION(copysign, copysign(a[0].f, a[1].f))
IRL__FOLD_FUNCTION(fmod, fmod(a[0].f, a[1].f))
IRL__FOLD_FUNCTION(hypot, hypot(a[0].f, a[1].f))
IRL__FOLD_FUNCTION(remainder, remainder(a[0].f, a[1].f))
IRL__FOLD_FUNCTION(lgamma, lgamma(a[0].f))
#undef IRL__FOLD_FUNCTION

/* The one function that double would round twice. */
static irl__fold_status irl__float_fma(irl_type t, const irl__scalar *a, irl__scalar *out)
{
    out->f = t.scalar == IRL_F32 ? (double)fmaf((float)a[0].f, (float)a[1].f, (float)a[2].f)
                                 : fma(a[0].f, a[1].f, a[2].f);
    return IRL__FOLD_OK;
}

static irl__calc *const irl__float_by_op[] = {
#define IRL_OPERATOR(name, text, form, arity, precedence, rule, fold, ocl, doc)
#define IRL_FLOAT_OPERATOR(name, fold, arity, doc) irl__float_##fold,
#include "ops.h"
};

irl__fold_status irl__fold_scalar(irl_op op, irl_type type, const irl__scalar *a, irl__scalar *out)
{
    if (op < IRL_OP_EXP) return irl__fold_number(op, type, a, out);
    if ((size_t)(op - IRL_OP_EXP) >= IRL__COUNTOF(irl__float_by_op) || !irl__type_is_float(type))
        return IRL__FOLD_NO_RULE;
    irl__calc *const compute = irl__float_by_op[op - IRL_OP_EXP];
    return irl__type_is_half(type) ? irl__fold_half(compute, op, type, a, out)
                                   : compute(type, a, out);
}
