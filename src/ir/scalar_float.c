/* scalar_float.c - the functions of floats on scalars.

   needs     scalar.c; ops.h, whose fold column names functions of libm
   promises  as scalar.c */
#include "ir.h"

#include <math.h>

/* For f32 they are computed in double and rounded once, so that what we compare devices with is the
   nearest float or its neighbour whatever the C library. sqrt, floor, ceil, trunc, rint, round,
   copysign, fmod and remainder are exact that way. */

/* What C has not under the name of the row. */
static double irl__float_rsqrt_of(double x) { return 1.0 / sqrt(x); }
static double irl__float_exp10_of(double x) { return pow(10.0, x); }
#define IRL__FLOAT_OWN_rsqrt own, irl__float_rsqrt_of
#define IRL__FLOAT_OWN_exp10 own, irl__float_exp10_of
#define IRL__FLOAT_SECOND(first, second, ...) second
#define IRL__FLOAT_PICK(...) IRL__FLOAT_SECOND(__VA_ARGS__)
#define IRL__FLOAT_C(fold) IRL__FLOAT_PICK(IRL__FLOAT_OWN_##fold, fold, none)
#define IRL__FLOAT_1(fold) IRL__FLOAT_C(fold)(a[0].f)
#define IRL__FLOAT_2(fold) fold(a[0].f, a[1].f)
/* The one function that double would round twice. */
#define IRL__FLOAT_3(fold) \
    (t.scalar == IRL_F32 ? (double)fold##f((float)a[0].f, (float)a[1].f, (float)a[2].f) \
                         : fold(a[0].f, a[1].f, a[2].f))

#define IRL_OPERATOR(name, text, form, arity, precedence, rule, fold, ocl, doc)
#define IRL_FLOAT_OPERATOR(name, fold, arity, doc) \
    static irl__fold_status irl__float_##fold(irl_type t, const irl__scalar *a, irl__scalar *out) \
    { \
        out->f = irl__round_float(t, IRL__FLOAT_##arity(fold)); \
        return IRL__FOLD_OK; \
    }
#include "ops.h"

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
