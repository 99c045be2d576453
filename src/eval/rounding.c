/* rounding.c - how far a number may be from what real arithmetic gives: running error analysis
   (Wilkinson; Higham, Accuracy and Stability of Numerical Algorithms, 3.3), one operator at a time.

   needs     the value that the interpreter computed, its operands, and their errors
   promises  the error of a value is a bound of |v - r|: r is what the same operators give on real
             numbers, v what any permitted machine gives for them, the interpreter among these. Two
             machines then differ by no more than the sum of two errors. Permitted is what the
             language says: + - * and fma rounded to nearest, a half either way, functions within
             OpenCL's bound (7.4), subnormals of all but f64 taken for zero or not. An integer and a
             bool have the error 0, or infinity: it may be another one. So has a float that may be
             infinite or no number, unless its operands are exact.

   A machine's value is within one error of the real one, and so within two of the interpreter's:
   that is where the twos come from. */
#include "eval.h"

#include <float.h>
#include <math.h>

/* Errors are computed in double: its own roundings are a few 2^-53 of what is added up. */
#define IRL__ROUNDING_OWN (1 + 1e-14)

typedef struct irl__rounding_row {
    double unit;  /* half the distance of two numbers at 1, where the operator is computed */
    double half;  /* what rounding to a half adds, either way */
    double least; /* where a subnormal unit is no rounding error of double */
    double lost;  /* what is lost of a smaller number */
    double most;  /* the largest number */
} irl__rounding_row;

static const irl__rounding_row *irl__rounding_row_of(irl_type t)
{
    static const irl__rounding_row rows[] = {
        { 1.0 / 16777216, 0, 1.17549435082228750797e-38, 1.17549435082228750797e-38,
          3.40282346638528860e+38 },
        { 1.0 / 16777216, 1.0 / 1024, 6.103515625e-05, 6.103515625e-05, 65504.0 },
        { 1.0 / 16777216, 1.0 / 128, 1.17549435082228750797e-38, 1.17549435082228750797e-38,
          3.38953138925153547590e+38 },
        { DBL_EPSILON / 2, 0, 1e-290, 1e-322, DBL_MAX },
    };
    switch (t.scalar) {
    case IRL_F16: return &rows[1];
    case IRL_BF16: return &rows[2];
    case IRL_F64: return &rows[3];
    default: return &rows[0];
    }
}

/* A number and its error. */
typedef struct irl__rounding_ball {
    double at, error;
} irl__rounding_ball;

static int irl__rounding_is_zero(const irl__rounding_ball *x)
{
    return x->at == 0 && x->error == 0;
}
static int irl__rounding_is_finite(double x) { return x - x == 0; }

/* What the real number and any machine's lie between. */
static double irl__rounding_low(const irl__rounding_ball *x)
{
    return x->error > 0 ? x->at - 2 * x->error - fabs(x->at) * DBL_EPSILON : x->at;
}
static double irl__rounding_high(const irl__rounding_ball *x)
{
    return x->error > 0 ? x->at + 2 * x->error + fabs(x->at) * DBL_EPSILON : x->at;
}

/* Are they apart whatever the machine? */
static int irl__rounding_apart(double distance, double errors)
{
    return distance > 2 * errors * IRL__ROUNDING_OWN;
}

/* An operand as a machine takes it: a subnormal may be zero to it. */
static void irl__rounding_take(const irl__rounding_row *r, double at, double error,
                               irl__rounding_ball *out)
{
    out->at = at;
    out->error = error;
    if (!irl__rounding_is_zero(out) && fabs(at) - 2 * error < r->least) out->error += r->lost;
}

/* The error of a result: what its operands carried, and `ulps` of its own. */
static double irl__rounding_end(const irl__rounding_row *r, double value, double carried,
                                double ulps)
{
    const double share = ulps > 0 ? 2 * ulps * r->unit + r->half : 0;
    double       error = carried + share * ((fabs(value) + r->lost) / (1 - share) + 2 * carried);
    if (ulps > 0 && fabs(value) - 2 * error < r->least) error += r->lost;
    error *= IRL__ROUNDING_OWN;
    /* no number fails too */
    return fabs(value) + 2 * error <= r->most ? error : HUGE_VAL;
}

/* ------------------------------------------------------------------ what operands carry */

static double irl__rounding_product(const irl__rounding_ball *x, const irl__rounding_ball *y)
{
    if (irl__rounding_is_zero(x) || irl__rounding_is_zero(y)) return 0;
    return (fabs(x->at) + x->error) * y->error + (fabs(y->at) + y->error) * x->error +
           x->error * y->error;
}

/* Infinity where the divisor may be zero. */
static double irl__rounding_quotient(const irl__rounding_ball *x, const irl__rounding_ball *y)
{
    const double least = fabs(y->at) - 2 * y->error;
    if (!(least > 0)) return HUGE_VAL;
    return (x->error + (fabs(x->at) + x->error) / (fabs(y->at) - y->error) * y->error) / least;
}

/* x ^ y = e ^ (y ln x), at most `most` as the interpreter has it */
static double irl__rounding_power(const irl__rounding_ball *x, const irl__rounding_ball *y,
                                  double most)
{
    const double       low = irl__rounding_low(x);
    irl__rounding_ball log_x;
    if (!(low > 0)) return HUGE_VAL;
    log_x.at = log(x->at);
    log_x.error = x->error / low;
    double error = irl__rounding_product(&log_x, y);
    return 1.05 * most * exp(2 * error) * error;
}

static double irl__rounding_root(const irl__rounding_ball *x)
{
    const double low = irl__rounding_low(x), root = sqrt(x->error);
    if (!(low >= 0)) return HUGE_VAL;
    return low > 0 && x->error / (2 * sqrt(low)) < root ? x->error / (2 * sqrt(low)) : root;
}

/* Of one that falls or rises no faster than by `slope` / x where all of x lies above zero. In this
   order: a power of a large x is no double. */
static double irl__rounding_above(const irl__rounding_ball *x, double slope)
{
    const double low = irl__rounding_low(x);
    return low > 0 ? x->error / low * slope : HUGE_VAL;
}

/* The cube root is steep near 0: |cbrt(a) - cbrt(b)| <= cbrt(4 |a - b|) in any case. */
static double irl__rounding_cube_root(const irl__rounding_ball *x)
{
    const double size = fabs(x->at) - 2 * x->error, any = cbrt(4 * x->error);
    const double flat = size > 0 ? x->error / (3 * cbrt(size) * cbrt(size)) : any;
    return flat < any ? flat : any;
}

/* asin, acos and atanh: the slope is 1 / sqrt(1 - x^2), or 1 / (1 - x^2). Infinity where the end of
   the domain is near. */
static double irl__rounding_inside(const irl__rounding_ball *x, int is_root)
{
    const double size = fabs(x->at) + 2 * x->error, rest = (1 - size) * (1 + size);
    return rest > 0 ? x->error / (is_root ? sqrt(rest) : rest) : HUGE_VAL;
}

/* The angle moves by the distance over the radius, and jumps where x < 0 and y changes its sign. */
static double irl__rounding_angle(const irl__rounding_ball *x)
{
    const double moved = x[0].error + x[1].error, radius = hypot(x[0].at, x[1].at) - 2 * moved;
    if (!(radius > 0) || (irl__rounding_low(&x[1]) < 0 && irl__rounding_low(&x[0]) <= 0 &&
                          irl__rounding_high(&x[0]) >= 0))
        return HUGE_VAL;
    return moved / radius;
}

/* x - q y, if q is the same whole number on every machine; `shift` is added before q is cut. */
static double irl__rounding_remainder(const irl__rounding_ball *x, double shift)
{
    const double least = fabs(x[1].at) - 2 * x[1].error;
    if (!(least > 0)) return HUGE_VAL;
    const double from = (fabs(x[0].at) - 2 * x[0].error) / (fabs(x[1].at) + 2 * x[1].error) + shift,
                 to = (fabs(x[0].at) + 2 * x[0].error) / least + shift,
                 own = 4 * DBL_EPSILON * to;
    const double q = floor(to + own);
    if (!(to < 1e15) || (q > 0 && floor(from - own) != q)) return HUGE_VAL;
    return x[0].error + q * x[1].error;
}

/* The slope of lgamma lies between log x - 1 / x and log x. Infinity where a pole may be near. */
static double irl__rounding_log_gamma(const irl__rounding_ball *x)
{
    const double low = irl__rounding_low(x), high = irl__rounding_high(x);
    if (!(low > 0)) return HUGE_VAL;
    return x->error * (1 / low + (high * low > 1 ? log(high) : -log(low)));
}

/* The bounds of OpenCL 1.2 (7.4) of single precision, in units in the last place; those of double
   are the same or smaller. It has none for lgamma: 16 is ours, below -2, where its zeros are, of a
   result that is taken for 1 at least. slope: how fast the function changes at most; 0: see the
   function below. */
typedef struct irl__rounding_function_row {
    irl_op op;
    double ulps, slope;
} irl__rounding_function_row;

static const irl__rounding_function_row irl__rounding_functions[] = {
    { IRL_OP_DIV, 2.5, 0 },   { IRL_OP_RSQRT, 2, 0 },       { IRL_OP_SQRT, 3, 0 },
    { IRL_OP_EXP, 3, 0 },     { IRL_OP_EXP2, 3, 0 },        { IRL_OP_LOG, 3, 0 },
    { IRL_OP_LOG2, 3, 0 },    { IRL_OP_SIN, 4, 1 },         { IRL_OP_COS, 4, 1 },
    { IRL_OP_TAN, 5, 0 },     { IRL_OP_TANH, 5, 1 },        { IRL_OP_POW, 16, 0 },
    { IRL_OP_ACOS, 4, 0 },    { IRL_OP_ACOSH, 4, 0 },       { IRL_OP_ASIN, 4, 0 },
    { IRL_OP_ASINH, 4, 1 },   { IRL_OP_ATAN, 5, 1 },        { IRL_OP_ATANH, 5, 0 },
    { IRL_OP_CBRT, 2, 0 },    { IRL_OP_COSH, 4, 0 },        { IRL_OP_ERF, 16, 1.1283792 },
    { IRL_OP_ERFC, 16, 1.1283792 },                         { IRL_OP_EXP10, 3, 0 },
    { IRL_OP_EXPM1, 3, 0 },   { IRL_OP_LOG10, 3, 0 },       { IRL_OP_LOG1P, 2, 0 },
    { IRL_OP_SINH, 4, 0 },    { IRL_OP_TGAMMA, 16, HUGE_VAL }, { IRL_OP_ATAN2, 6, 0 },
    { IRL_OP_COPYSIGN, 0, 0 }, { IRL_OP_HYPOT, 4, 0 },        { IRL_OP_LGAMMA, 16, 0 },
};

/* An operator that is not in the table is rounded correctly, or is exact. */
static irl__rounding_function_row irl__rounding_function_of(irl_op op)
{
    irl__rounding_function_row nearest = { IRL_OP_INT, 0.5, 0 };
    for (size_t k = 0; k < IRL__COUNTOF(irl__rounding_functions); k++)
        if (irl__rounding_functions[k].op == op) return irl__rounding_functions[k];
    if (irl__op_is_whole(op)) nearest.ulps = 0;
    return nearest;
}

static double irl__rounding_carried(irl_op op, const irl__rounding_row *r,
                                    const irl__rounding_ball *x, double value)
{
    const double low = irl__rounding_low(x), high = irl__rounding_high(x);
    const double slope = irl__rounding_function_of(op).slope;
    if (slope > 0) return slope * x->error;
    switch (op) {
    case IRL_OP_ADD:
    case IRL_OP_SUB:
    case IRL_OP_HYPOT: return x[0].error + x[1].error;
    case IRL_OP_MUL: return irl__rounding_product(&x[0], &x[1]);
    case IRL_OP_FMA: return irl__rounding_product(&x[0], &x[1]) + x[2].error;
    case IRL_OP_DIV: return irl__rounding_quotient(&x[0], &x[1]);
    case IRL_OP_SQRT: return irl__rounding_root(x);
    case IRL_OP_CBRT: return irl__rounding_cube_root(x);
    case IRL_OP_RSQRT: return irl__rounding_above(x, 0.5 / sqrt(low));
    case IRL_OP_EXP:
    case IRL_OP_EXPM1: return exp(high) * x->error;
    case IRL_OP_EXP2: return exp2(high) * 0.6931472 * x->error;
    case IRL_OP_EXP10: return pow(10.0, high) * 2.3025851 * x->error;
    case IRL_OP_SINH:
    case IRL_OP_COSH: return cosh(fabs(x->at) + 2 * x->error) * x->error;
    case IRL_OP_LOG: return irl__rounding_above(x, 1);
    case IRL_OP_LOG2: return irl__rounding_above(x, 1.4426951);
    case IRL_OP_LOG10: return irl__rounding_above(x, 0.4342945);
    case IRL_OP_LOG1P: return low > -1 ? x->error / (1 + low) : HUGE_VAL;
    case IRL_OP_ASIN:
    case IRL_OP_ACOS: return irl__rounding_inside(x, 1);
    case IRL_OP_ATANH: return irl__rounding_inside(x, 0);
    case IRL_OP_ACOSH:
        return low > 1 ? x->error / (sqrt(low - 1) * sqrt(low + 1)) : HUGE_VAL;
    case IRL_OP_ATAN2: return irl__rounding_angle(x);
    case IRL_OP_LGAMMA: return irl__rounding_log_gamma(x);
    case IRL_OP_COPYSIGN: return x[0].error;
    case IRL_OP_FMOD: return irl__rounding_remainder(x, 0);
    case IRL_OP_REMAINDER: return irl__rounding_remainder(x, 0.5);
    case IRL_OP_TAN: {
        /* Infinity where a pole may be near. */
        const double least = fabs(cos(x->at)) - 2 * x->error - 1e-15;
        return least > 0 ? x->error / (least * least) : HUGE_VAL;
    }
    case IRL_OP_POW: return irl__rounding_power(&x[0], &x[1], fabs(value) + r->lost);
    case IRL_OP_FLOOR: return floor(high) - floor(low);
    case IRL_OP_CEIL: return ceil(high) - ceil(low);
    case IRL_OP_TRUNC: return trunc(high) - trunc(low);
    case IRL_OP_RINT: return rint(high) - rint(low);
    case IRL_OP_ROUND: return round(high) - round(low);
    default: return HUGE_VAL;
    }
}

/* ------------------------------------------------------------------ operators */

/* Results that an exact zero makes exact, or no less exact than the other operand: its error; or
   -1. */
static double irl__rounding_by_zero(irl_op op, const irl__rounding_ball *x)
{
    const int a = irl__rounding_is_zero(&x[0]), b = irl__rounding_is_zero(&x[1]);
    switch (op) {
    case IRL_OP_ADD:
    case IRL_OP_SUB: return a ? x[1].error : b ? x[0].error : -1;
    case IRL_OP_MUL: return a || b ? 0 : -1;
    case IRL_OP_DIV: return a && fabs(x[1].at) > 2 * x[1].error ? 0 : -1;
    case IRL_OP_FMA: return a || b ? x[2].error : -1;
    default: return -1;
    }
}

/* A product by a power of 2, which is exact but for subnormals. */
static int irl__rounding_scales(irl_op op, const irl__rounding_ball *x)
{
    int exponent;
    return op == IRL_OP_MUL && ((x[0].error == 0 && fabs(frexp(x[0].at, &exponent)) == 0.5) ||
                                (x[1].error == 0 && fabs(frexp(x[1].at, &exponent)) == 0.5));
}

static double irl__rounding_float(irl_op op, const irl__rounding_row *r, int count,
                                  const irl__rounding_ball *x, double value)
{
    int k, is_exact = 1, is_finite = 1;
    for (k = 0; k < count; k++) {
        if (!irl__rounding_is_finite(x[k].error)) return HUGE_VAL;
        is_exact &= x[k].error == 0;
        is_finite &= irl__rounding_is_finite(x[k].at);
    }
    if (irl__op_info(op)->rule == IRL__COMPARE) {
        const double errors = x[0].error + x[1].error;
        return errors == 0 || irl__rounding_apart(fabs(x[0].at - x[1].at), errors) ? 0 : HUGE_VAL;
    }
    /* The larger or the smaller is one of two: of that which is it on every machine, or of both. */
    if (op == IRL_OP_MIN || op == IRL_OP_MAX) {
        const double above = op == IRL_OP_MAX ? x[0].at - x[1].at : x[1].at - x[0].at,
                     errors = x[0].error + x[1].error;
        if (irl__rounding_apart(above, errors)) return x[0].error;
        if (irl__rounding_apart(-above, errors)) return x[1].error;
        return x[0].error > x[1].error ? x[0].error : x[1].error;
    }
    if (op == IRL_OP_NEG || op == IRL_OP_ABS) return x->error;
    if (!is_finite) return is_exact ? 0 : HUGE_VAL;
    double error = count > 1 ? irl__rounding_by_zero(op, x) : -1;
    if (error >= 0) return error;
    /* machines that take a subnormal for zero may give it either sign */
    if (op == IRL_OP_COPYSIGN && fabs(x[1].at) <= 2 * x[1].error) return HUGE_VAL;
    error = is_exact ? 0 : irl__rounding_carried(op, r, x, value);
    if (irl__rounding_scales(op, x))
        return irl__rounding_end(
            r, value, fabs(value) - 2 * error < r->least ? error + r->lost : error, 0);
    const double ulps = irl__rounding_function_of(op).ulps;
    if (op == IRL_OP_LGAMMA && !(x->at > -2)) error += 2 * ulps * r->unit;
    return irl__rounding_end(r, value, error, ulps);
}

double irl__rounding_op(irl_op op, irl_type type, const irl__scalar *a, const irl__scalar *error,
                        irl__scalar value)
{
    const irl__rounding_row *r = irl__rounding_row_of(type);
    const int                count = irl__op_info(op)->arity;
    irl__rounding_ball       x[3];
    int                      k;
    if (irl__type_is_float(type)) {
        for (k = 0; k < count; k++) irl__rounding_take(r, a[k].f, error[k].f, &x[k]);
        return irl__rounding_float(op, r, count, x, value.f);
    }
    for (k = 0; k < count; k++)
        if (error[k].f != 0) return HUGE_VAL;
    return 0;
}

double irl__rounding_choice(irl_type type, int is_known, irl__scalar chosen, double error,
                            irl__scalar other, double other_error)
{
    if (is_known) return error;
    if (!irl__type_is_real(type))
        return chosen.i == other.i && error == 0 && other_error == 0 ? 0 : HUGE_VAL;
    double most = (fabs(chosen.f - other.f) + 2 * (error + other_error)) * IRL__ROUNDING_OWN;
    return irl__rounding_is_finite(most) ? most : HUGE_VAL;
}

/* ------------------------------------------------------------------ conversion */

/* Numbers with fewer digits than this are the type's own. */
static double irl__rounding_whole(irl_type t)
{
    switch (t.scalar) {
    case IRL_F16: return 2048;
    case IRL_BF16: return 256;
    case IRL_F64: return 9007199254740992.0;
    default: return 16777216;
    }
}

/* To a fraction of the largest integer: the nearest one, between the ends, or its neighbour. */
static double irl__rounding_to_norm(irl_type to, double at, double error)
{
    const irl__type_row *row = irl__type_info(to);
    const int            bits = row->bits - (row->kind == IRL_KIND_SNORM);
    if (!irl__rounding_is_finite(at) || !irl__rounding_is_finite(error))
        return error == 0 && at == at ? 0 : HUGE_VAL;
    return error + 1.6 / (double)((1 << bits) - 1);
}

static double irl__rounding_to_float(irl_type from, irl_type to, double at, double error,
                                     double value)
{
    const irl__rounding_row *r = irl__rounding_row_of(to);
    irl__rounding_ball       x;
    irl__rounding_take(irl__rounding_row_of(from), at, error, &x);
    if (!irl__rounding_is_finite(x.error)) return HUGE_VAL;
    if (!irl__rounding_is_finite(at)) return x.error == 0 ? 0 : HUGE_VAL;
    if (irl__type_is_normalised(from)) /* a quotient, 1.5 ulp: OpenCL 8.3.1 */
        return at == 0 && error == 0 ? 0 : irl__rounding_end(r, value, x.error + 2e-7 * fabs(at),
                                                             1.5);
    /* A float is converted without loss to one that has all numbers of its type. */
    return irl__rounding_end(r, value, x.error,
                             from.scalar == to.scalar || to.scalar == IRL_F64 ||
                                     (to.scalar == IRL_F32 && irl__type_is_half(from))
                                 ? 0
                                 : 0.5);
}

double irl__rounding_cast(irl_type from, irl_type to, irl__scalar a, double error,
                          irl__scalar value)
{
    if (!irl__type_is_real(from)) {
        if (error != 0) return HUGE_VAL;
        if (!irl__type_is_real(to)) return 0;
        if (irl__type_is_normalised(to)) return irl__rounding_to_norm(to, value.f, 0);
        return fabs(value.f) < irl__rounding_whole(to)
                   ? 0
                   : irl__rounding_end(irl__rounding_row_of(to), value.f, 0, 0.5);
    }
    /* The same integer for all that it may be, or not. */
    if (!irl__type_is_real(to)) {
        const double       at = a.f;
        irl__rounding_ball x;
        irl__rounding_take(irl__rounding_row_of(from), at, error, &x);
        if (x.error == 0) return 0;
        if (irl__type_info(to)->kind == IRL_KIND_BOOL)
            return irl__rounding_low(&x) > 0 || irl__rounding_high(&x) < 0 ? 0 : HUGE_VAL;
        return trunc(irl__rounding_low(&x)) == trunc(irl__rounding_high(&x)) &&
                       irl__rounding_is_finite(x.error)
                   ? 0
                   : HUGE_VAL;
    }
    if (irl__type_is_normalised(to)) return irl__rounding_to_norm(to, a.f, error);
    return irl__rounding_to_float(from, to, a.f, error, value.f);
}

double irl__rounding_function(irl_type type, int is_exact, irl__scalar value)
{
    if (!is_exact) return HUGE_VAL;
    return irl__type_is_float(type)
               ? irl__rounding_end(irl__rounding_row_of(type), value.f, 0, 16)
               : 0;
}

#undef IRL__ROUNDING_OWN
