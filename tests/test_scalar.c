/* test_scalar.c - the meaning of operators on scalars, against plain C and against arithmetic done
   another way. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/text/text.h"
#include "../src/eval/eval.h"
#endif
#include "test.h"

#include <math.h>

static irl_type scalar(irl_scalar s) { return irl_type_of(s, 1); }

static irl__scalar of_int(int64_t i)
{
    irl__scalar s;
    s.i = i;
    return s;
}

static irl__scalar of_float(double f)
{
    irl__scalar s;
    s.f = f;
    return s;
}

static irl__fold_status status_of(irl_op op, irl_scalar type, int64_t a, int64_t b)
{
    irl__scalar args[3], out;
    args[0] = of_int(a);
    args[1] = of_int(b);
    args[2] = of_int(0);
    return irl__fold_scalar(op, scalar(type), args, &out);
}

static int64_t ints(irl_op op, irl_scalar type, int64_t a, int64_t b)
{
    irl__scalar args[3], out;
    args[0] = of_int(a);
    args[1] = of_int(b);
    args[2] = of_int(0);
    out.i = 0;
    CHECK(irl__fold_scalar(op, scalar(type), args, &out) == IRL__FOLD_OK);
    return out.i;
}

static double floats(irl_op op, irl_scalar type, double a, double b, double c)
{
    irl__scalar args[3], out;
    args[0] = of_float(a);
    args[1] = of_float(b);
    args[2] = of_float(c);
    out.f = 0;
    CHECK(irl__fold_scalar(op, scalar(type), args, &out) == IRL__FOLD_OK);
    return out.f;
}

static int64_t compares(irl_op op, double a, double b)
{
    irl__scalar args[2], out;
    args[0] = of_float(a);
    args[1] = of_float(b);
    out.i = -1;
    irl__fold_scalar(op, scalar(IRL_F32), args, &out);
    return out.i;
}

/* ------------------------------------------------------------------ integers */

/* What a, b in one byte give, computed in int and cut to the byte afterwards. */
static int byte_expected(irl_op op, int a, int b, int *out)
{
    int q = b ? a / b : 0, r = b ? a % b : 0;
    switch (op) {
    case IRL_OP_ADD: return *out = a + b, 1;
    case IRL_OP_SUB: return *out = a - b, 1;
    case IRL_OP_MUL: return *out = a * b, 1;
    case IRL_OP_TRUNCDIV: return *out = q, b != 0;
    case IRL_OP_TRUNCMOD: return *out = r, b != 0;
    case IRL_OP_FLOORDIV: return *out = r != 0 && (r < 0) != (b < 0) ? q - 1 : q, b != 0;
    case IRL_OP_FLOORMOD: return *out = r != 0 && (r < 0) != (b < 0) ? r + b : r, b != 0;
    case IRL_OP_MIN: return *out = a < b ? a : b, 1;
    case IRL_OP_MAX: return *out = a > b ? a : b, 1;
    case IRL_OP_BITAND: return *out = a & b, 1;
    case IRL_OP_BITOR: return *out = a | b, 1;
    case IRL_OP_BITXOR: return *out = a ^ b, 1;
    case IRL_OP_BITNOT: return *out = ~a, 1;
    case IRL_OP_NEG: return *out = -a, 1;
    case IRL_OP_ABS: return *out = a < 0 ? -a : a, 1;
    case IRL_OP_EQ: return *out = a == b, 1;
    case IRL_OP_NE: return *out = a != b, 1;
    case IRL_OP_LT: return *out = a < b, 1;
    case IRL_OP_LE: return *out = a <= b, 1;
    case IRL_OP_GT: return *out = a > b, 1;
    case IRL_OP_GE: return *out = a >= b, 1;
    case IRL_OP_SHL: return *out = (int)((unsigned)a << (b & 7)), b >= 0 && b < 8;
    case IRL_OP_SHR:
        return *out =
                   (a - ((a % (1 << (b & 7))) + (1 << (b & 7))) % (1 << (b & 7))) / (1 << (b & 7)),
               b >= 0 && b < 8;
    default: return 0;
    }
}

static void all_bytes(void)
{
    static const irl_op ops[] = {
        IRL_OP_ADD,      IRL_OP_SUB, IRL_OP_MUL, IRL_OP_TRUNCDIV, IRL_OP_TRUNCMOD, IRL_OP_FLOORDIV,
        IRL_OP_FLOORMOD, IRL_OP_MIN, IRL_OP_MAX, IRL_OP_BITAND,   IRL_OP_BITOR,    IRL_OP_BITXOR,
        IRL_OP_BITNOT,   IRL_OP_NEG, IRL_OP_ABS, IRL_OP_EQ,       IRL_OP_NE,       IRL_OP_LT,
        IRL_OP_LE,       IRL_OP_GT,  IRL_OP_GE,  IRL_OP_SHL,      IRL_OP_SHR
    };
    size_t k;
    int    a, b, expected, is_signed;
    for (k = 0; k < sizeof ops / sizeof *ops; k++)
        for (is_signed = 0; is_signed < 2; is_signed++) {
            int wrong = 0, from = is_signed ? -128 : 0;
            for (a = from; a < from + 256; a++)
                for (b = from; b < from + 256; b++) {
                    irl__scalar args[2], out;
                    int         defined = byte_expected(ops[k], a, b, &expected);
                    irl_type    t = scalar(is_signed ? IRL_I8 : IRL_U8);
                    args[0] = of_int(a);
                    args[1] = of_int(b);
                    out.i = 0;
                    if ((irl__fold_scalar(ops[k], t, args, &out) == IRL__FOLD_OK) != defined)
                        wrong++;
                    else if (defined)
                        wrong += out.i != (is_signed ? (int64_t)(int8_t)(uint8_t)expected
                                                     : (int64_t)(uint8_t)expected);
                }
            if (!CHECK(wrong == 0)) printf("  %s: %d\n", irl__op_info(ops[k])->name, wrong);
        }
}

static void wide_ints(void)
{
    CHECK(ints(IRL_OP_ADD, IRL_I32, INT32_MAX, 1) == INT32_MIN);
    CHECK(ints(IRL_OP_MUL, IRL_U32, 0xffffffff, 0xffffffff) == 1);
    CHECK(ints(IRL_OP_ADD, IRL_I64, INT64_MAX, 1) == INT64_MIN);
    CHECK(ints(IRL_OP_MUL, IRL_I64, INT64_MIN, -1) == INT64_MIN);
    CHECK(ints(IRL_OP_FLOORDIV, IRL_I64, INT64_MIN, -1) == INT64_MIN);
    CHECK(ints(IRL_OP_TRUNCDIV, IRL_I64, INT64_MIN, -1) == INT64_MIN);
    CHECK(ints(IRL_OP_FLOORMOD, IRL_I64, INT64_MIN, -1) == 0);
    CHECK(ints(IRL_OP_TRUNCMOD, IRL_I64, INT64_MIN, -1) == 0);
    CHECK(ints(IRL_OP_FLOORDIV, IRL_U64, -1, 2) == INT64_MAX);
    CHECK(ints(IRL_OP_FLOORMOD, IRL_U64, -1, 10) == 5);
    CHECK(ints(IRL_OP_LT, IRL_U64, 1, -1) == 1);
    CHECK(ints(IRL_OP_LT, IRL_I64, 1, -1) == 0);
    CHECK(ints(IRL_OP_MIN, IRL_U64, 1, -1) == 1);
    CHECK(ints(IRL_OP_MAX, IRL_U64, 1, -1) == -1);
    CHECK(ints(IRL_OP_SHR, IRL_U64, INT64_MIN, 63) == 1);
    CHECK(ints(IRL_OP_SHR, IRL_I64, INT64_MIN, 63) == -1);
    CHECK(ints(IRL_OP_SHL, IRL_I64, 1, 63) == INT64_MIN);
    CHECK(ints(IRL_OP_SHL, IRL_U32, 3, 31) == 0x80000000);
    CHECK(status_of(IRL_OP_SHL, IRL_I32, 1, 32) == IRL__FOLD_BAD_SHIFT);
    CHECK(status_of(IRL_OP_SHR, IRL_I32, 1, -1) == IRL__FOLD_BAD_SHIFT);
    CHECK(status_of(IRL_OP_FLOORDIV, IRL_I32, 1, 0) == IRL__FOLD_ZERO_DIVISION);
    CHECK(status_of(IRL_OP_TRUNCMOD, IRL_U64, 1, 0) == IRL__FOLD_ZERO_DIVISION);
    CHECK(ints(IRL_OP_BITXOR, IRL_BOOL, 1, 1) == 0);
    CHECK(ints(IRL_OP_NOT, IRL_BOOL, 0, 0) == 1);
    CHECK(ints(IRL_OP_AND, IRL_BOOL, 1, 0) == 0);
    CHECK(ints(IRL_OP_OR, IRL_BOOL, 1, 0) == 1);
}

static void index_is_checked(void)
{
    CHECK(status_of(IRL_OP_ADD, IRL_INDEX, INT64_MAX, 1) == IRL__FOLD_OVERFLOW);
    CHECK(status_of(IRL_OP_SUB, IRL_INDEX, INT64_MIN, 1) == IRL__FOLD_OVERFLOW);
    CHECK(status_of(IRL_OP_MUL, IRL_INDEX, INT64_C(1) << 32, INT64_C(1) << 31) ==
          IRL__FOLD_OVERFLOW);
    CHECK(status_of(IRL_OP_NEG, IRL_INDEX, INT64_MIN, 0) == IRL__FOLD_OVERFLOW);
    CHECK(status_of(IRL_OP_ABS, IRL_INDEX, INT64_MIN, 0) == IRL__FOLD_OVERFLOW);
    CHECK(status_of(IRL_OP_FLOORDIV, IRL_INDEX, INT64_MIN, -1) == IRL__FOLD_OVERFLOW);
    CHECK(status_of(IRL_OP_TRUNCDIV, IRL_INDEX, INT64_MIN, -1) == IRL__FOLD_OVERFLOW);
    CHECK(status_of(IRL_OP_SHL, IRL_INDEX, 1, 63) == IRL__FOLD_OVERFLOW);
    CHECK(ints(IRL_OP_SHL, IRL_INDEX, -1, 63) == INT64_MIN);
    CHECK(ints(IRL_OP_SHL, IRL_INDEX, 3, 61) == INT64_C(3) << 61);
    CHECK(status_of(IRL_OP_SHL, IRL_INDEX, 3, 62) == IRL__FOLD_OVERFLOW);
    CHECK(ints(IRL_OP_FLOORDIV, IRL_INDEX, -7, 2) == -4);
    CHECK(ints(IRL_OP_FLOORMOD, IRL_INDEX, -7, 2) == 1);
}

static void no_rule(void)
{
    CHECK(status_of(IRL_OP_LOAD, IRL_I32, 1, 1) == IRL__FOLD_NO_RULE);
    CHECK(status_of(IRL_OP_ADD, IRL_UNORM8, 1, 1) == IRL__FOLD_NO_RULE);
    CHECK(status_of((irl_op)1000, IRL_I32, 1, 1) == IRL__FOLD_NO_RULE);
}

/* ------------------------------------------------------------------ floats */

static void float_arithmetic(void)
{
    volatile float  x, y;
    volatile double p, q;
    int             k;
    for (k = 0; k < 2000; k++) {
        x = (float)(TEST_RANDOM(2000001) - 1000000) / 977.0f;
        y = (float)(TEST_RANDOM(2000001) - 1000000) / 331.0f + 0.125f;
        p = (double)x * 1.0000001;
        q = (double)y * 0.9999999;
        CHECK(floats(IRL_OP_ADD, IRL_F32, x, y, 0) == (double)(float)(x + y));
        CHECK(floats(IRL_OP_SUB, IRL_F32, x, y, 0) == (double)(float)(x - y));
        CHECK(floats(IRL_OP_MUL, IRL_F32, x, y, 0) == (double)(float)(x * y));
        CHECK(floats(IRL_OP_DIV, IRL_F32, x, y, 0) == (double)(float)(x / y));
        CHECK(floats(IRL_OP_ADD, IRL_F64, p, q, 0) == p + q);
        CHECK(floats(IRL_OP_DIV, IRL_F64, p, q, 0) == p / q);
    }
    /* rounded once to f32: 16777216 + 1 is 16777216 there */
    CHECK(floats(IRL_OP_ADD, IRL_F32, 16777216.0, 1.0, 0) == 16777216.0);
    CHECK(floats(IRL_OP_ADD, IRL_F64, 16777216.0, 1.0, 0) == 16777217.0);
    /* fma rounds once: (1 + e)^2 - 1 keeps e^2, which a product of floats loses */
    CHECK(floats(IRL_OP_FMA, IRL_F32, 1.0 + ldexp(1, -12), 1.0 + ldexp(1, -12), -1.0) ==
          ldexp(1, -11) + ldexp(1, -24));
    /* and is not the double result rounded: 1 + 2^-24 + 2^-60 is above the middle, which double
       cannot see */
    CHECK(floats(IRL_OP_FMA, IRL_F32, ldexp(1, -30), ldexp(1, -30), 1.0) == 1.0);
    CHECK(floats(IRL_OP_FMA, IRL_F32, ldexp(1, -12) + ldexp(1, -35), ldexp(1, -12), 1.0) ==
          1.0 + ldexp(1, -23));
    CHECK(floats(IRL_OP_NEG, IRL_F32, 0.0, 0, 0) == 0.0);
    CHECK(1.0 / floats(IRL_OP_NEG, IRL_F32, 0.0, 0, 0) < 0);
    CHECK(floats(IRL_OP_ABS, IRL_F64, -2.5, 0, 0) == 2.5);
    CHECK(floats(IRL_OP_SQRT, IRL_F32, 2.0, 0, 0) == (double)(float)sqrt(2.0));
    CHECK(floats(IRL_OP_RSQRT, IRL_F32, 4.0, 0, 0) == 0.5);
    CHECK(floats(IRL_OP_EXP2, IRL_F32, 10.0, 0, 0) == 1024.0);
    CHECK(floats(IRL_OP_LOG2, IRL_F32, 8.0, 0, 0) == 3.0);
    CHECK(floats(IRL_OP_POW, IRL_F32, 3.0, 4.0, 0) == 81.0);
    CHECK(floats(IRL_OP_EXP, IRL_F64, 0.0, 0, 0) == 1.0);
    CHECK(floats(IRL_OP_LOG, IRL_F64, 1.0, 0, 0) == 0.0);
    CHECK(floats(IRL_OP_SIN, IRL_F32, 0.5, 0, 0) == (double)(float)sin(0.5));
    CHECK(floats(IRL_OP_COS, IRL_F32, 0.5, 0, 0) == (double)(float)cos(0.5));
    CHECK(floats(IRL_OP_TAN, IRL_F32, 0.5, 0, 0) == (double)(float)tan(0.5));
    CHECK(floats(IRL_OP_TANH, IRL_F32, 0.5, 0, 0) == (double)(float)tanh(0.5));
    CHECK(floats(IRL_OP_FLOOR, IRL_F32, -1.5, 0, 0) == -2.0);
    CHECK(floats(IRL_OP_CEIL, IRL_F32, -1.5, 0, 0) == -1.0);
    CHECK(floats(IRL_OP_TRUNC, IRL_F32, -1.5, 0, 0) == -1.0);
    CHECK(floats(IRL_OP_RINT, IRL_F32, 2.5, 0, 0) == 2.0);
    CHECK(floats(IRL_OP_RINT, IRL_F32, 3.5, 0, 0) == 4.0);
    CHECK(floats(IRL_OP_ACOS, IRL_F32, 0.5, 0, 0) == (double)(float)acos(0.5));
    CHECK(floats(IRL_OP_ACOSH, IRL_F32, 1.5, 0, 0) == (double)(float)acosh(1.5));
    CHECK(floats(IRL_OP_ASIN, IRL_F32, 0.5, 0, 0) == (double)(float)asin(0.5));
    CHECK(floats(IRL_OP_ASINH, IRL_F32, 0.5, 0, 0) == (double)(float)asinh(0.5));
    CHECK(floats(IRL_OP_ATAN, IRL_F32, 0.5, 0, 0) == (double)(float)atan(0.5));
    CHECK(floats(IRL_OP_ATANH, IRL_F32, 0.5, 0, 0) == (double)(float)atanh(0.5));
    CHECK(floats(IRL_OP_CBRT, IRL_F32, 27.0, 0, 0) == (double)(float)3.0);
    CHECK(floats(IRL_OP_COSH, IRL_F32, 0.5, 0, 0) == (double)(float)cosh(0.5));
    CHECK(floats(IRL_OP_ERF, IRL_F32, 0.5, 0, 0) == (double)(float)erf(0.5));
    CHECK(floats(IRL_OP_ERFC, IRL_F32, 0.5, 0, 0) == (double)(float)erfc(0.5));
    CHECK(floats(IRL_OP_EXP10, IRL_F32, 3.0, 0, 0) == (double)(float)1000.0);
    CHECK(floats(IRL_OP_EXPM1, IRL_F32, 0.5, 0, 0) == (double)(float)expm1(0.5));
    CHECK(floats(IRL_OP_LOG10, IRL_F32, 1000.0, 0, 0) == (double)(float)3.0);
    CHECK(floats(IRL_OP_LOG1P, IRL_F32, 0.5, 0, 0) == (double)(float)log1p(0.5));
    CHECK(floats(IRL_OP_ROUND, IRL_F32, 2.5, 0, 0) == (double)(float)3.0);
    CHECK(floats(IRL_OP_ROUND, IRL_F32, -2.5, 0, 0) == (double)(float)-3.0);
    CHECK(floats(IRL_OP_SINH, IRL_F32, 0.5, 0, 0) == (double)(float)sinh(0.5));
    CHECK(floats(IRL_OP_TGAMMA, IRL_F32, 5.0, 0, 0) == (double)(float)24.0);
    CHECK(floats(IRL_OP_ATAN2, IRL_F32, -1.0, -1.0, 0) == (double)(float)atan2(-1.0, -1.0));
    CHECK(floats(IRL_OP_COPYSIGN, IRL_F32, 2.0, -0.0, 0) == (double)(float)-2.0);
    CHECK(floats(IRL_OP_FMOD, IRL_F32, -7.0, 3.0, 0) == (double)(float)-1.0);
    CHECK(floats(IRL_OP_HYPOT, IRL_F32, 3.0, 4.0, 0) == (double)(float)5.0);
    CHECK(floats(IRL_OP_REMAINDER, IRL_F32, 7.0, 4.0, 0) == (double)(float)-1.0);
    CHECK(floats(IRL_OP_LGAMMA, IRL_F32, -0.5, 0, 0) == (double)(float)lgamma(-0.5));
}

static void float_order(void)
{
    double nan = floats(IRL_OP_SUB, IRL_F64, HUGE_VAL, HUGE_VAL, 0);
    CHECK(nan != nan);
    CHECK(floats(IRL_OP_MIN, IRL_F32, nan, 2.0, 0) == 2.0);
    CHECK(floats(IRL_OP_MIN, IRL_F32, 2.0, nan, 0) == 2.0);
    CHECK(floats(IRL_OP_MAX, IRL_F32, nan, -2.0, 0) == -2.0);
    CHECK(floats(IRL_OP_MAX, IRL_F32, -2.0, nan, 0) == -2.0);
    CHECK(floats(IRL_OP_MIN, IRL_F32, 1.0, 2.0, 0) == 1.0);
    CHECK(floats(IRL_OP_MAX, IRL_F32, 1.0, 2.0, 0) == 2.0);
    CHECK(compares(IRL_OP_EQ, nan, nan) == 0);
    CHECK(compares(IRL_OP_NE, nan, nan) == 1);
    CHECK(compares(IRL_OP_LT, nan, 1.0) == 0);
    CHECK(compares(IRL_OP_GE, nan, 1.0) == 0);
    CHECK(compares(IRL_OP_EQ, 0.0, -0.0) == 1);
    CHECK(compares(IRL_OP_LE, 1.0, 2.0) == 1);
    CHECK(compares(IRL_OP_GT, 1.0, 2.0) == 0);
}

/* ------------------------------------------------------------------ casts */

static irl__fold_status cast_status(irl_scalar from, irl_scalar to, irl__scalar a)
{
    irl__scalar out;
    return irl__fold_cast(scalar(from), scalar(to), a, &out);
}

static irl__scalar cast(irl_scalar from, irl_scalar to, irl__scalar a)
{
    irl__scalar out;
    out.i = 0;
    CHECK(irl__fold_cast(scalar(from), scalar(to), a, &out) == IRL__FOLD_OK);
    return out;
}

static void casts(void)
{
    double nan = floats(IRL_OP_SUB, IRL_F64, HUGE_VAL, HUGE_VAL, 0);
    CHECK(cast(IRL_I32, IRL_U8, of_int(-1)).i == 255);
    CHECK(cast(IRL_I32, IRL_I8, of_int(200)).i == -56);
    CHECK(cast(IRL_U32, IRL_I32, of_int(0xffffffff)).i == -1);
    CHECK(cast(IRL_I32, IRL_U64, of_int(-1)).i == -1);
    CHECK(cast(IRL_I32, IRL_BOOL, of_int(256)).i == 1);
    CHECK(cast(IRL_BOOL, IRL_F32, of_int(1)).f == 1.0);
    CHECK(cast(IRL_F32, IRL_BOOL, of_float(0.25)).i == 1);
    CHECK(cast(IRL_F32, IRL_BOOL, of_float(-0.0)).i == 0);
    CHECK(cast(IRL_F32, IRL_I32, of_float(-2.75)).i == -2);
    CHECK(cast(IRL_F32, IRL_U8, of_float(-0.75)).i == 0);
    CHECK(cast(IRL_F64, IRL_U8, of_float(255.9)).i == 255);
    CHECK(cast(IRL_F64, IRL_I8, of_float(-128.9)).i == -128);
    CHECK(cast(IRL_F64, IRL_U64, of_float(ldexp(1, 63))).i == INT64_MIN);
    CHECK(cast(IRL_F64, IRL_I64, of_float(-ldexp(1, 63))).i == INT64_MIN);
    CHECK(cast_status(IRL_F64, IRL_I64, of_float(ldexp(1, 63))) == IRL__FOLD_OVERFLOW);
    CHECK(cast_status(IRL_F64, IRL_U64, of_float(ldexp(1, 64))) == IRL__FOLD_OVERFLOW);
    CHECK(cast_status(IRL_F64, IRL_U64, of_float(-1.0)) == IRL__FOLD_OVERFLOW);
    CHECK(cast_status(IRL_F32, IRL_I8, of_float(128.0)) == IRL__FOLD_OVERFLOW);
    CHECK(cast_status(IRL_F32, IRL_I32, of_float(nan)) == IRL__FOLD_OVERFLOW);
    CHECK(cast_status(IRL_F32, IRL_INDEX, of_float(HUGE_VAL)) == IRL__FOLD_OVERFLOW);
    CHECK(cast_status(IRL_U64, IRL_INDEX, of_int(-1)) == IRL__FOLD_OVERFLOW);
    CHECK(cast(IRL_U64, IRL_INDEX, of_int(INT64_MAX)).i == INT64_MAX);
    CHECK(cast(IRL_I64, IRL_INDEX, of_int(-5)).i == -5);
    CHECK(cast(IRL_INDEX, IRL_I32, of_int(INT64_C(0x100000001))).i == 1);
    CHECK(cast(IRL_U64, IRL_F64, of_int(-1)).f == ldexp(1, 64));
    CHECK(cast(IRL_U64, IRL_F32, of_int(-1)).f == ldexp(1, 64));
    /* a constant may have more precision than its type */
    CHECK(cast(IRL_F64, IRL_F32, of_float(0.1)).f == (double)(float)0.1f);
    CHECK(cast(IRL_F32, IRL_F16, of_float(65520.0)).f == HUGE_VAL);
    /* once, not first to double: 2^61 + 2^37 + 1 is above the middle of two floats */
    CHECK(cast(IRL_I64, IRL_F32, of_int((INT64_C(1) << 61) + (INT64_C(1) << 37) + 1)).f ==
          ldexp(1, 61) + ldexp(1, 38));
    CHECK(cast(IRL_I64, IRL_F32, of_int((INT64_C(1) << 61) + (INT64_C(1) << 37))).f ==
          ldexp(1, 61));
    CHECK(cast(IRL_I64, IRL_F32, of_int(-(INT64_C(1) << 61) - (INT64_C(1) << 37) - 1)).f ==
          -ldexp(1, 61) - ldexp(1, 38));
    CHECK(cast(IRL_I64, IRL_F32, of_int(INT64_MIN)).f == -ldexp(1, 63));
}

static void int_to_float_is_c(void)
{
    int k;
    for (k = 0; k < 5000; k++) {
        int64_t        v = 0;
        volatile float f;
        int            j;
        for (j = 0; j < 4; j++) v = (int64_t)((uint64_t)v << 16 | test_random());
        v >>= TEST_RANDOM(40) & 31;
        f = (float)v;
        CHECK(cast(IRL_I64, IRL_F32, of_int(v)).f == (double)f);
        f = (float)(uint64_t)v;
        CHECK(cast(IRL_U64, IRL_F32, of_int(v)).f == (double)f);
    }
}

/* ------------------------------------------------------------------ 16 bits */

/* Rounding to nearest even by search: the two neighbours in the table, and which is nearer. */
static void all_halves(uint16_t (*pack)(double), double (*unpack)(uint16_t), unsigned infinity)
{
    unsigned bits;
    int      wrong = 0;
    for (bits = 0; bits < infinity; bits++) {
        double v = unpack((uint16_t)bits), next, middle;
        wrong += pack(v) != bits || pack(-v) != (bits | 0x8000);
        next = bits + 1 < infinity ? unpack((uint16_t)(bits + 1))
                                   : v + (v - unpack((uint16_t)(bits - 1)));
        middle = (v + next) / 2;
        wrong += next <= v;
        wrong += pack(middle) != (bits & 1 ? bits + 1 : bits); /* a tie goes to the even one */
        wrong += pack(middle * (1 - ldexp(1, -52))) != bits ||
                 pack(middle * (1 + ldexp(1, -52))) != bits + 1;
    }
    CHECK(wrong == 0);
    CHECK(unpack((uint16_t)infinity) == HUGE_VAL &&
          unpack((uint16_t)(infinity | 0x8000)) == -HUGE_VAL);
    CHECK(pack(HUGE_VAL) == infinity && pack(1e300) == infinity &&
          pack(-1e300) == (infinity | 0x8000));
    CHECK(pack(1e-300) == 0 && pack(-1e-300) == 0x8000 && pack(4.9e-324) == 0);
    for (bits = infinity + 1; bits < 0x8000; bits++)
        wrong += unpack((uint16_t)bits) == unpack((uint16_t)bits) ||
                 pack(unpack((uint16_t)bits)) != bits;
    CHECK(wrong == 0); /* a NaN keeps its payload */
}

static void known_halves(void)
{
    CHECK(irl__half_to_double(0x3c00) == 1.0 && irl__half_to_double(0x0001) == ldexp(1, -24));
    CHECK(irl__half_to_double(0x7bff) == 65504.0 && irl__half_to_double(0x0400) == ldexp(1, -14));
    CHECK(irl__bfloat_to_double(0x3f80) == 1.0 && irl__bfloat_to_double(0x0001) == ldexp(1, -133));
    CHECK(irl__half_from_double(0.1) == 0x2e66 && irl__bfloat_from_double(0.1) == 0x3dcd);
}

/* ------------------------------------------------------------------ storage */

static void storage(void)
{
    static const int64_t integers[] = { 0,     1,      -1,        127,       -128,      255,
                                        32767, -32768, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN };
    unsigned char        bytes[24];
    int                  type, shift;
    size_t               k;
    for (type = 0; type < (int)IRL__SCALAR_COUNT; type++)
        for (shift = 0; shift < 8; shift++)
            for (k = 0; k < sizeof integers / sizeof *integers; k++) {
                irl_type    t = scalar((irl_scalar)type);
                int         is_float = irl__type_is_float(t) || irl__type_is_storage(t), j;
                irl__scalar s, back;
                if (is_float) s.f = irl__round_float(t, (double)(integers[k] >> 40) / 8);
                else s.i = irl__wrap_int(t, integers[k]);
                memset(bytes, 0xa5, sizeof bytes);
                irl__store_scalar(t, bytes + 8 + shift, s);
                back = irl__load_scalar(t, bytes + 8 + shift);
                CHECK(is_float ? s.f == back.f : s.i == back.i);
                for (j = 0; j < 24; j++)
                    if (j < 8 + shift || j >= 8 + shift + irl__type_info(t)->bytes)
                        CHECK(bytes[j] == 0xa5);
            }
}

static void storage_is_the_machines(void)
{
    uint32_t    u = 0x01020304u, back;
    float       f = 1.5f;
    irl__scalar s = irl__load_scalar(scalar(IRL_U32), &u);
    CHECK(s.i == 0x01020304);
    CHECK(irl__load_scalar(scalar(IRL_F32), &f).f == 1.5);
    s.f = -0.0;
    irl__store_scalar(scalar(IRL_F32), &back, s);
    CHECK(back == 0x80000000u);
}

/* Whatever bits: a copy through the interpreter's registers is a copy. */
static void every_bit_survives(void)
{
    int k;
    for (k = 0; k < 20000; k++) {
        uint32_t u = (uint32_t)test_random() << 16 | test_random(), v = 0;
        if (k & 1) u |= 0x7f800000u; /* half of them infinities and NaN, quiet and signalling */
        irl__store_scalar(scalar(IRL_F32), &v, irl__load_scalar(scalar(IRL_F32), &u));
        if (!CHECK(u == v)) return;
    }
    for (k = 0; k < 65536; k++) {
        uint16_t u = (uint16_t)k, v = 0, w = 0;
        irl__store_scalar(scalar(IRL_F16), &v, irl__load_scalar(scalar(IRL_F16), &u));
        irl__store_scalar(scalar(IRL_BF16), &w, irl__load_scalar(scalar(IRL_BF16), &u));
        if (!CHECK(u == v && u == w)) return;
    }
}

/* ------------------------------------------------------------ what counts as the same number */

static int close(irl_scalar type, double a, double b, int ulp)
{
    return irl__values_close(scalar(type), of_float(a), of_float(b), ulp);
}

static void closeness(void)
{
    double nan = floats(IRL_OP_SUB, IRL_F64, HUGE_VAL, HUGE_VAL, 0), e = ldexp(1, -23);
    CHECK(irl__values_close(scalar(IRL_I32), of_int(3), of_int(3), 0));
    CHECK(!irl__values_close(scalar(IRL_I32), of_int(3), of_int(4), 100));
    CHECK(close(IRL_F32, 1.0, 1.0, 0) && !close(IRL_F32, 1.0, 1.0 + e, 0));
    CHECK(close(IRL_F32, 1.0, 1.0 + e, 1) && !close(IRL_F32, 1.0, 1.0 + 2 * e, 1));
    /* below 1 they are twice as dense */
    CHECK(close(IRL_F32, 1.0, 1.0 - e, 2) && !close(IRL_F32, 1.0, 1.0 - e, 1));
    CHECK(close(IRL_F64, 1.0, 1.0 + ldexp(1, -52), 1) && !close(IRL_F64, 1.0, 1.0 + e, 1000));
    CHECK(close(IRL_F32, -1.0, -1.0 - e, 1) && !close(IRL_F32, -1.0, 1.0, 1000));
    CHECK(close(IRL_F32, 0.0, -0.0, 0));
    CHECK(close(IRL_F32, nan, nan, 0) && !close(IRL_F32, nan, 1.0, 1000000));
    CHECK(close(IRL_F32, HUGE_VAL, HUGE_VAL, 0) && !close(IRL_F32, HUGE_VAL, -HUGE_VAL, 0));
    CHECK(!close(IRL_F32, HUGE_VAL, 3.4028234663852886e38, 4));
    CHECK(close(IRL_F32, ldexp(1, -130), 0.0, 0) && !close(IRL_F32, ldexp(1, -126), 0.0, 0));
    CHECK(!close(IRL_F64, ldexp(1, -1030), 0.0, 0));
    CHECK(close(IRL_F16, 1.0, 1.0 + ldexp(1, -10), 0) &&
          !close(IRL_F16, 1.0, 1.0 + ldexp(1, -9), 0));
    CHECK(close(IRL_BF16, 1.0, 1.0 + ldexp(1, -7), 0) &&
          !close(IRL_BF16, 1.0, 1.0 + ldexp(1, -6), 0));
}

/* Normalised integers: every code is a fraction of the largest and comes back; the least of a
   signed type is -1 as its neighbour is; what is between two codes goes to the nearer, ties to the
   even one, what is beyond to the end. */
static void test_normalised(void)
{
    static const irl_scalar types[] = { IRL_UNORM8, IRL_SNORM8, IRL_UNORM16, IRL_SNORM16 };
    static const int        most[] = { 255, 127, 65535, 32767 };
    size_t                  k;
    int                     code, wrong = 0;
    for (k = 0; k < 4; k++) {
        int is_signed = (int)(k & 1);
        for (code = is_signed ? -most[k] - 1 : 0; code <= most[k]; code++) {
            double value = irl__norm_to_double(scalar(types[k]), code);
            wrong += value != (double)(float)((float)code / (float)most[k]) ||
                     irl__norm_from_double(scalar(types[k]), value) != code;
        }
        CHECK(wrong == 0);
        CHECK(irl__norm_from_double(scalar(types[k]), 2.0) == most[k] &&
              irl__norm_from_double(scalar(types[k]), HUGE_VAL) == most[k]);
        CHECK(irl__norm_from_double(scalar(types[k]), HUGE_VAL - HUGE_VAL) == 0);
        CHECK(irl__norm_from_double(scalar(types[k]), -7.0) == (is_signed ? -most[k] - 1 : 0));
        /* 127.5 and 63.5 go to the even code above */
        CHECK(irl__norm_from_double(scalar(types[k]), 0.5) == (most[k] + 1) / 2);
    }
    /* the least signed code is itself where it is moved, and -1 where it is converted */
    for (k = 1; k < 4; k += 2) {
        irl__scalar least;
        least.f = irl__norm_to_double(scalar(types[k]), -most[k] - 1);
        CHECK(least.f < -1.0 && cast(types[k], IRL_F32, least).f == -1.0);
        CHECK(cast(types[k], IRL_SNORM8, least).f == -1.0);
        CHECK(irl__norm_from_double(scalar(types[k]), -1.0) == -most[k]);
        CHECK(cast(IRL_F32, types[k], of_float(-2.0)).f == least.f);
        CHECK(irl__values_close(scalar(types[k]), least, of_float(-1.0), 0));
    }
    CHECK(status_of(IRL_OP_ADD, IRL_UNORM8, 1, 1) == IRL__FOLD_NO_RULE);
    CHECK(cast(IRL_F32, IRL_UNORM8, of_float(0.5)).f == (double)(float)(128.0f / 255.0f));
    CHECK(cast(IRL_UNORM8, IRL_I32, of_float(1.0)).i == 1);
}

int main(void)
{
    all_bytes();
    wide_ints();
    index_is_checked();
    no_rule();
    float_arithmetic();
    float_order();
    casts();
    int_to_float_is_c();
    all_halves(irl__half_from_double, irl__half_to_double, 0x7c00);
    all_halves(irl__bfloat_from_double, irl__bfloat_to_double, 0x7f80);
    known_halves();
    storage();
    storage_is_the_machines();
    every_bit_survives();
    closeness();
    test_normalised();
    return TEST_DONE();
}
