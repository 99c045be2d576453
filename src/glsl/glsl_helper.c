/* glsl_helper.c - the functions that a shader brings along: divisions that floor, least and largest
   floats, powers, f16, bf16 and normalised numbers, arithmetic that is not contracted.

   needs     emit_helper.c, whose texts these are written like
   promises  each computes, bit for bit, what number.c and scalar.c do (a power as near as pow()
             comes). GLSL does not define / and % of negative operands, so they are computed without
             signs. A helper for vectors calls the helper for scalars, lane by lane */
#include "glsl.h"

typedef struct irl__glsl_helper_row {
    int         kind;
    unsigned    kinds;    /* of types, a bit for each irl__kind; 0: all */
    const char *name;
    int         count;    /* of operands */
    irl_scalar  from, to; /* IRL_BOOL: the type that the helper is asked for */
    const char *body;     /* of scalars */
} irl__glsl_helper_row;

#define IRL__GLSL_MAGNITUDES \
    "    const uint n = a < 0 ? 0u - uint(a) : uint(a), d = b < 0 ? 0u - uint(b) : uint(b);\n"
#define IRL__GLSL_IS_NAN(x) "(floatBitsToUint(" x ") & 0x7fffffffu) > 0x7f800000u"
/* c is erfc(|a|) */
#define IRL__GLSL_ERFCC \
    "    precise float z = abs(a), t = 1.0f / (1.0f + 0.5f * z),\n" \
    "        p = -1.26551223f + t * (1.00002368f + t * (0.37409196f + t * (0.09678418f + " \
    "t * (-0.18628806f + t * (0.27886807f + t * (-1.13520398f + t * (1.48851587f + t * " \
    "(-0.82215223f + t * 0.17087277f)))))))),\n" \
    "        e = t * exp(p - z * z), c = z > 11.0f ? 0.0f : e;\n"

/* A normalised integer is a fraction of the largest; the least, which has no fraction of its own,
   is -1 too. What is odd is towards zero, the last bit set where that is not exact: rounded again,
   it rounds as the number does. */
#define IRL__GLSL_ODD \
    "    const float f = float(n < 0x1000000u ? n : (n & ~0xffu) | ((n & 0xffu) != 0u ? " \
    "0x100u : 0u));\n"

static const irl__glsl_helper_row irl__glsl_helper_rows[] = {
    { IRL_OP_TRUNCDIV, 0, "truncdiv", 2, IRL_BOOL, IRL_BOOL,
      IRL__GLSL_MAGNITUDES "    return int((a < 0) != (b < 0) ? 0u - n / d : n / d);\n" },
    { IRL_OP_TRUNCMOD, 0, "truncmod", 2, IRL_BOOL, IRL_BOOL,
      IRL__GLSL_MAGNITUDES "    return int(a < 0 ? 0u - n % d : n % d);\n" },
    { IRL_OP_FLOORDIV, 0, "floordiv", 2, IRL_BOOL, IRL_BOOL,
      IRL__GLSL_MAGNITUDES "    const uint q = n / d, up = n % d != 0u ? 1u : 0u;\n"
                           "    return int((a < 0) != (b < 0) ? 0u - (q + up) : q);\n" },
    { IRL_OP_FLOORMOD, 0, "floormod", 2, IRL_BOOL, IRL_BOOL,
      IRL__GLSL_MAGNITUDES
      "    const uint r = n % d, s = r != 0u && (a < 0) != (b < 0) ? d - r : r;\n"
      "    return int(b < 0 ? 0u - s : s);\n" },
    { IRL_OP_ADD, 0, "add", 2, IRL_BOOL, IRL_BOOL, "    precise $ r = a + b;\n    return r;\n" },
    { IRL_OP_SUB, 0, "sub", 2, IRL_BOOL, IRL_BOOL, "    precise $ r = a - b;\n    return r;\n" },
    { IRL_OP_MUL, 0, "mul", 2, IRL_BOOL, IRL_BOOL, "    precise $ r = a * b;\n    return r;\n" },
    { IRL_OP_DIV, 0, "div", 2, IRL_BOOL, IRL_BOOL, "    precise $ r = a / b;\n    return r;\n" },
    { IRL_OP_POW, 0, "pow", 2, IRL_BOOL, IRL_BOOL,
      "    if (b == 0.0f || a == 1.0f) return 1.0f;\n"
      "    if (" IRL__GLSL_IS_NAN("b") ") return b;\n"
      "    precise float halved = b * 0.5f;\n"
      "    const bool is_whole = floor(b) == b, is_odd = is_whole && floor(halved) != halved;\n"
      "    const float m = abs(a), p = m == 0.0f ? (b > 0.0f ? 0.0f : uintBitsToFloat(0x7f800000u))"
      " : pow(m, b);\n"
      "    if (a < 0.0f && !is_whole && m <= 3.4028235e38f) return uintBitsToFloat(0x7fc00000u);\n"
      "    return is_odd && int(floatBitsToUint(a)) < 0 ? -p : p;\n" },
    { IRL_OP_ROUND, 0, "round", 1, IRL_BOOL, IRL_BOOL,
      "    precise float t = trunc(a), left = a - t, next = t + sign(a);\n"
      "    return abs(left) >= 0.5f ? next : t;\n" },
    { IRL_OP_COPYSIGN, 0, "copysign", 2, IRL_BOOL, IRL_BOOL,
      "    return uintBitsToFloat((floatBitsToUint(a) & 0x7fffffffu) | (floatBitsToUint(b) & "
      "0x80000000u));\n" },
    { IRL_OP_LOG10, 0, "log10", 1, IRL_BOOL, IRL_BOOL,
      "    precise float y = log2(a) * 0.30103f;\n    return y;\n" },
    { IRL_OP_EXP10, 0, "exp10", 1, IRL_BOOL, IRL_BOOL,
      "    precise float p = a * 3.3219281f, rest = fma(a, 3.3219281f, -p) + a * 7.0595e-8f,\n"
      "        y = exp2(p) * (1.0f + rest * 0.6931472f);\n"
      "    return abs(a) < 50.0f ? y : exp2(p);\n" },
    /* 2 atanh(a / (2 + a)) */
    { IRL_OP_LOG1P, 0, "log1p", 1, IRL_BOOL, IRL_BOOL,
      "    precise float n = 1.0f + a, s = a / (2.0f + a), q = s * s,\n"
      "        y = 2.0f * s * (1.0f + q * (0.33333334f + q * (0.2f + q * (0.14285715f + q * "
      "(0.11111111f + q * (0.09090909f + q * 0.07692308f))))));\n"
      "    return abs(a) < 0.5f ? y : log(n);\n" },
    { IRL_OP_EXPM1, 0, "expm1", 1, IRL_BOOL, IRL_BOOL,
      "    precise float large = exp(a) - 1.0f,\n"
      "        y = a * (1.0f + a / 2.0f * (1.0f + a / 3.0f * (1.0f + a / 4.0f * (1.0f + a / 5.0f * "
      "(1.0f + a / 6.0f * (1.0f + a / 7.0f * (1.0f + a / 8.0f)))))));\n"
      "    return abs(a) < 0.5f ? y : large;\n" },
    /* and a step of Newton: of what pow gives, up to 17 units in the last place are wrong */
    { IRL_OP_CBRT, 0, "cbrt", 1, IRL_BOOL, IRL_BOOL,
      "    if (a == 0.0f || (floatBitsToUint(a) & 0x7fffffffu) >= 0x7f800000u) return a;\n"
      "    precise float p = pow(abs(a), 0.33333334f),\n"
      "        y = p > 0.0f ? p - (p - abs(a) / (p * p)) / 3.0f : p;\n"
      "    return a < 0.0f ? -y : y;\n" },
    { IRL_OP_HYPOT, 0, "hypot", 2, IRL_BOOL, IRL_BOOL,
      "    precise float m = max(abs(a), abs(b)), n = min(abs(a), abs(b)), q = n / m,\n"
      "        y = m * sqrt(1.0f + q * q), none = a + b;\n"
      "    if (abs(a) > 3.4028235e38f || abs(b) > 3.4028235e38f)\n"
      "        return uintBitsToFloat(0x7f800000u);\n"
      "    if (" IRL__GLSL_IS_NAN("a") " || " IRL__GLSL_IS_NAN("b") ") return none;\n"
      "    return m == 0.0f ? m : y;\n" },
    /* Press et al., Numerical Recipes, 6.2: the Chebyshev series of erfcc */
    { IRL_OP_ERFC, 0, "erfc", 1, IRL_BOOL, IRL_BOOL,
      IRL__GLSL_ERFCC "    precise float y = 2.0f - c;\n    return a < 0.0f ? y : c;\n" },
    { IRL_OP_ERF, 0, "erf", 1, IRL_BOOL, IRL_BOOL,
      IRL__GLSL_ERFCC
      "    precise float q = a * a, rest = 1.0f - c,\n"
      "        y = a * (1.1283792f - q * (0.37612639f - q * (0.11283792f - q * (0.026866170f - q * "
      "(5.2239776e-3f - q * (8.5483270e-4f - q * (1.2055333e-4f - q * (1.4925651e-5f - q * "
      "(1.6462114e-6f - q * 1.6365844e-7f)))))))));\n"
      "    return q < 1.0f ? y : a < 0.0f ? -rest : rest;\n" },
    { IRL__HELP_HALF_TO_FLOAT, 0, NULL, 1, IRL_U16, IRL_F32,
      "    const uint sign = (uint(a) & 0x8000u) << 16, rest = (uint(a) & 0x7fffu) << 13;\n"
      "    precise float little = uintBitsToFloat(rest + 0x38800000u) - "
      "uintBitsToFloat(0x38800000u);\n"
      "    const uint large = rest + (rest >= 0x0f800000u ? 0x70000000u : 0x38000000u);\n"
      "    return uintBitsToFloat((rest < 0x00800000u ? floatBitsToUint(little) : large) | "
      "sign);\n" },
    { IRL__HELP_FLOAT_TO_HALF, 0, NULL, 1, IRL_F32, IRL_U16,
      "    const uint sign = floatBitsToUint(a) & 0x80000000u, u = floatBitsToUint(a) ^ sign;\n"
      "    precise float little = uintBitsToFloat(u) + 0.5f;\n"
      "    const uint h = u > 0x7f800000u ? 0x7e00u : u >= 0x477ff000u ? 0x7c00u\n"
      "        : u < 0x38800000u ? floatBitsToUint(little) - 0x3f000000u\n"
      "        : (u - 0x38000000u + 0x0fffu + (u >> 13 & 1u)) >> 13;\n"
      "    return uint16_t(h | sign >> 16);\n" },
    { IRL__HELP_FLOAT_TO_BFLOAT, 0, NULL, 1, IRL_F32, IRL_U16,
      "    const uint u = floatBitsToUint(a), near_ = (u + 0x7fffu + (u >> 16 & 1u)) >> 16;\n"
      "    return uint16_t(" IRL__GLSL_IS_NAN("a") " ? u >> 16 | 0x40u : near_);\n" },
    { IRL__HELP_ODD, IRL__OF_FLOATS, "odd", 1, IRL_BOOL, IRL_F32,
      "    const float f = float(a);\n    uint u = floatBitsToUint(f);\n"
      "    if (double(f) == a || isnan(a)) return f;\n"
      "    if (abs(double(f)) > abs(a)) u--;\n"
      "    return uintBitsToFloat(u | 1u);\n" },
    { IRL__HELP_ODD, IRL__OF_INTS, "odd", 1, IRL_BOOL, IRL_F32,
      "    const uint n = a < 0 ? 0u - uint(a) : uint(a);\n" IRL__GLSL_ODD
      "    return a < 0 ? -f : f;\n" },
    { IRL__HELP_ODD, 0, "odd", 1, IRL_BOOL, IRL_F32,
      "    const uint n = uint(a);\n" IRL__GLSL_ODD "    return f;\n" },
    { IRL__HELP_NORM_TO_FLOAT, IRL__OF_UNORMS, NULL, 1, IRL_BOOL, IRL_F32,
      "    precise float f = float(int(a)) / MOST.0f;\n    return f;\n" },
    { IRL__HELP_NORM_TO_FLOAT, IRL__OF_SNORMS, NULL, 1, IRL_BOOL, IRL_F32,
      "    precise float f = float(int(a)) / MOST.0f;\n    return f < -1.0f ? -1.0f : f;\n" },
    { IRL__HELP_FLOAT_TO_NORM, IRL__OF_NORMS, NULL, 1, IRL_F32, IRL_BOOL,
      "    precise float f = (" IRL__GLSL_IS_NAN("a") " ? 0.0f : a) * MOST.0f;\n"
      "    return $(int(roundEven(clamp(f, LEAST.0f, MOST.0f))));\n" },
    { IRL_OP_MIN, 0, "min", 2, IRL_BOOL, IRL_BOOL, NULL }, /* a NaN loses against a number */
    { IRL_OP_MAX, 0, "max", 2, IRL_BOOL, IRL_BOOL, NULL },
};
#undef IRL__GLSL_MAGNITUDES
#undef IRL__GLSL_ODD

static const irl__glsl_helper_row *irl__glsl_row_of(int kind, irl_type type)
{
    const unsigned own = 1u << irl__type_info(type)->kind;
    for (size_t k = 0; k < IRL__COUNTOF(irl__glsl_helper_rows); k++) {
        const irl__glsl_helper_row *row = &irl__glsl_helper_rows[k];
        if (row->kind == kind && (!row->kinds || (row->kinds & own))) return row;
    }
    return NULL;
}

int irl__glsl_has_helper(int kind, irl_type type) { return irl__glsl_row_of(kind, type) != NULL; }

/* ------------------------------------------------------------------ names and types */

static void irl__glsl_helper_name(irl__emit *e, irl__text *t, int kind, irl_type type)
{
    const irl__glsl_helper_row *row = irl__glsl_row_of(kind, type);
    if (!row) return;
    if (!row->name) {
        irl__emit_storage_name(e, t, kind, type);
        return;
    }
    irl__textf(t, "%s_%s_%s", e->prefix, row->name, e->language->types[type.scalar]);
    if (type.lanes > 1) irl__text_uint(t, type.lanes);
}

static irl_type irl__glsl_own(irl_scalar scalar, irl_type type)
{
    return scalar == IRL_BOOL ? type : irl_type_of(scalar, (int)type.lanes);
}

void irl__glsl_call(irl__emit *e, int kind, const irl_expr *x)
{
    irl__emit_helper_call(e, kind, irl__glsl_row_of(kind, x->type)->name, x->type, x->count, x->a);
}

/* ------------------------------------------------------------------ texts */

/* vec4 irl_f(vec4 a) { return vec4(irl_f(a.x), ...); } */
static void irl__glsl_lanes_text(irl__emit *e, irl__text *t, irl__emit_helper helper,
                                 const irl__glsl_helper_row *row)
{
    irl__text_puts(t, "    return ");
    irl__emit_template(e, t, "$", irl__glsl_own(row->to, helper.type));
    for (uint32_t k = 0; k < helper.type.lanes; k++) {
        irl__text_puts(t, k ? ", " : "(");
        irl__glsl_helper_name(e, t, helper.kind, irl__type_with_lanes(helper.type, 1));
        irl__textf(t, row->count == 2 ? "(a.%c, b.%c)" : "(a.%c)", "xyzw"[k & 3], "xyzw"[k & 3]);
    }
    irl__text_puts(t, ");\n");
}

int irl__glsl_helper(irl__emit *e, irl__text *t, irl__emit_helper helper)
{
    const irl__glsl_helper_row *row = irl__glsl_row_of(helper.kind, helper.type);
    if (!row) return 0;
    irl_type from = irl__glsl_own(row->from, helper.type);
    irl__emit_template(e, t, "$", irl__glsl_own(row->to, helper.type));
    irl__text_putc(t, ' ');
    irl__glsl_helper_name(e, t, helper.kind, helper.type);
    irl__emit_template(e, t, row->count == 2 ? "($ a, $ b)\n{\n" : "($ a)\n{\n", from);
    if (helper.type.lanes > 1) irl__glsl_lanes_text(e, t, helper, row);
    else if (row->body) irl__emit_template(e, t, row->body, helper.type);
    else
        irl__textf(t, "    return a %s b || %s ? a : b;\n", helper.kind == IRL_OP_MIN ? "<" : ">",
                   helper.type.scalar == IRL_F32 ? IRL__GLSL_IS_NAN("b") : "isnan(b)");
    irl__text_puts(t, "}\n\n");
    return 1;
}
