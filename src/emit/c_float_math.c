/* c_float_math.c - functions of vectors of f32 for gcc and clang: target c-gnu.

   needs     c_vector.c, whose types they take
   promises  exp, log, tanh, erf, sin and cos within 2 ulp of the exact result, NaN and infinities
             as in C; min and max as scalar.c has them. Each is a macro over a function that takes
             pointers, so that no compiler's calling convention matters
   The argument is split into a part for a polynomial, and a power of 2, a multiple of pi / 2 or a
   sign. The polynomials are minimax by least squares on Chebyshev's points, whose weights follow
   the error. */
#include "c.h"

/* In the texts f and i are vectors of floats and of their bits, x is the argument, y the result, m
   a mask of lanes; k, n, r and z are free. */
#define IRL__MATH_PICK(mask, yes, no) \
    "(f)(((i)(" yes ") & " mask ") | ((i)(" no ") & ~" mask "))"
#define IRL__MATH_SIGN "(-0x7fffffff - 1)"
/* y = e to the x */
#define IRL__MATH_EXP \
    "    m = x < -104.0f;\n    x = " IRL__MATH_PICK("m", "(f){ 0 } - 104.0f", "x") ";\n" \
    "    m = x > 89.0f;\n    x = " IRL__MATH_PICK("m", "(f){ 0 } + 89.0f", "x") ";\n" \
    "    n = x * 1.44269504f + 12582912.0f; /* a whole number is in its last bits */\n" \
    "    k = (i)n - 0x4b400000;\n    n = n - 12582912.0f;\n" \
    "    r = x - n * 0.693359375f + n * 2.12194440e-4f;\n" \
    "    y = (r * 0.00139511796f + 0.00836959202f) * r + 0.0416661985f;\n" \
    "    y = ((y * r + 0.166665122f) * r + 0.5f) * (r * r) + r + 1.0f;\n" \
    "    m = k >> 1;\n" \
    "    y = y * (f)((m + 127) << 23) * (f)((k - m + 127) << 23);\n"
/* y = the sine of x, of x + pi / 2 where `ahead` is 1; k are the quadrants */
#define IRL__MATH_SINE(ahead, name) \
    "    typedef double d __attribute__((vector_size(2 * sizeof(f))));\n" \
    "    d q, w = __builtin_convertvector(x, d);\n    unsigned j;\n    int rest = 0;\n" \
    "    q = w * 0.63661977236758138 + 6755399441055744.0;\n    q = q - 6755399441055744.0;\n" \
    "    w = w - q * 1.5707963267341256 - q * 6.0771005065061922e-11;\n" \
    "    r = __builtin_convertvector(w, f);\n" \
    "    m = (f)((i)x & 0x7fffffff) < 1.0e6f;\n" \
    "    n = __builtin_convertvector(q, f);\n    n = (f)((i)n & m);\n" \
    "    k = __builtin_convertvector(n, i) + " ahead ";\n" \
    "    z = r * r;\n" \
    "    y = ((z * 2.72493889e-6f - 0.000198400827f) * z + 0.00833333191f) * z - 0.166666672f;\n" \
    "    const i odd = -(k & 1), zero = z == 0.0f; /* of -0 it is -0 */\n" \
    "    y = y * z * r + r;\n    y = " IRL__MATH_PICK("zero", "r", "y") ";\n" \
    "    n = (z * 2.45475367e-5f - 0.00138883013f) * z + 0.0416666642f;\n" \
    "    n = n * (z * z) - z * 0.5f + 1.0f;\n" \
    "    y = " IRL__MATH_PICK("odd", "n", "y") ";\n" \
    "    y = (f)((i)y ^ ((k & 2) << 30));\n" \
    "    for (j = 0; j < sizeof(f) / 4; j++) rest |= ~m[j];\n" \
    "    for (j = 0; rest && j < sizeof(f) / 4; j++)\n" \
    "        if (!m[j]) y[j] = " name "(x[j]);\n"

typedef struct irl__math_row {
    irl_op      op;
    const char *text; /* of the function's body */
} irl__math_row;

static const irl__math_row irl__math_rows[] = {
    { IRL_OP_MIN, "    m = (x < b) | (b != b);\n    y = " IRL__MATH_PICK("m", "x", "b") ";\n" },
    { IRL_OP_MAX, "    m = (x > b) | (b != b);\n    y = " IRL__MATH_PICK("m", "x", "b") ";\n" },
    { IRL_OP_EXP, IRL__MATH_EXP },
    { IRL_OP_LOG,
      "    const f arg = x;\n"
      "    m = x < 1.17549435e-38f;\n"
      "    x = " IRL__MATH_PICK("m", "x * 8388608.0f", "x") ";\n"
      "    k = ((i)x - 0x3f3504f3) >> 23;\n"
      "    n = __builtin_convertvector(k - (m & 23), f);\n"
      "    r = (f)((i)x - (k << 23)) - 1.0f;\n"
      "    const f s = r / (r + 2.0f), half = r * r * 0.5f;\n    z = s * s;\n"
      "    y = ((z * 0.233386293f + 0.285505056f) * z + 0.400001258f) * z + 0.666666687f;\n"
      "    y = s * (half + y * z) + n * 9.05800061e-6f - half + r + n * 0.693138123f;\n"
      "    m = (arg > 0.0f) & (arg < __builtin_inff());\n"
      "    k = arg == 0.0f;\n"
      "    r = " IRL__MATH_PICK("k", "(f){ 0 } - __builtin_inff()", "arg") ";\n"
      "    k = arg < 0.0f;\n"
      "    r = " IRL__MATH_PICK("k", "(f){ 0 } + __builtin_nanf(\"\")", "r") ";\n"
      "    y = " IRL__MATH_PICK("m", "y", "r") ";\n" },
    { IRL_OP_TANH,
      "    const i sign = (i)x & " IRL__MATH_SIGN ";\n"
      "    const f a = (f)((i)x & 0x7fffffff);\n    z = a * a;\n"
      "    f low = (z * -0.00606212346f + 0.0209749099f) * z - 0.0538466647f;\n"
      "    low = ((low * z + 0.133327454f) * z - 0.333333284f) * z * a + a;\n"
      "    m = a > 10.0f;\n    x = " IRL__MATH_PICK("m", "(f){ 0 } + 10.0f", "a") ";\n"
      "    x = x + x;\n" IRL__MATH_EXP
      "    y = 1.0f - 2.0f / (y + 1.0f);\n    m = a < 0.625f;\n"
      "    y = (f)((i)" IRL__MATH_PICK("m", "low", "y") " | sign);\n" },
    { IRL_OP_ERF,
      "    const i sign = (i)x & " IRL__MATH_SIGN ";\n"
      "    const f arg = (f)((i)x & 0x7fffffff);\n    m = arg > 4.0f;\n"
      "    const f a = " IRL__MATH_PICK("m", "(f){ 0 } + 4.0f", "arg") ";\n    z = a * a;\n"
      "    f low;\n" IRL__ERF_PARTS IRL__MATH_EXP
      "    y = 1.0f - y;\n    m = a < 0.9f;\n"
      "    y = (f)((i)" IRL__MATH_PICK("m", "low", "y") " | sign);\n" },
    { IRL_OP_SIN, IRL__MATH_SINE("0", "sinf") },
    { IRL_OP_COS, IRL__MATH_SINE("1", "cosf") },
};
#undef IRL__MATH_PICK
#undef IRL__MATH_SIGN
#undef IRL__MATH_EXP
#undef IRL__MATH_SINE

static const irl__math_row *irl__math_row_of(int op)
{
    for (size_t k = 0; k < IRL__COUNTOF(irl__math_rows); k++)
        if ((int)irl__math_rows[k].op == op) return &irl__math_rows[k];
    return NULL;
}

int irl__c_math_is_own(const irl_expr *x)
{
    return x->type.scalar == IRL_F32 && x->type.lanes != 1 && irl__math_row_of(x->op) != NULL;
}

void irl__c_math_helper(const irl__emit *e, irl__text *t, int op, irl_type type)
{
    const int   two = irl__op_info((irl_op)op)->arity == 2; /* min, max */
    const char *name = irl__op_info((irl_op)op)->text;
    irl__emit_template(
        e, t,
        irl__format(e->cx, two ? "/* a NaN loses against a number */\n"
                                 "static void irl_%s_`x@_at($ *at, const $ *by)\n{\n"
                                 "    typedef $ f;\n"
                               : "/* within 2 ulp */\n"
                                 "static void irl_%s_`x@_at($ *at)\n{\n    typedef $ f;\n",
                    name), type);
    irl__textf(t, "    typedef int i __attribute__((vector_size(sizeof(f))));\n%s%s%s",
               two ? "    const f x = *at, b = *by;\n    f y;\n    i m;\n"
                   : "    f x = *at, y, n, r, z;\n    i k, m;\n",
               irl__math_row_of(op)->text, two ? "" : "    (void)n, (void)r, (void)z, (void)k;\n");
    irl__emit_template(
        e, t,
        irl__format(e->cx, two ? "    *at = y;\n}\n#define irl_%s_`x@(a, b) \\\n"
                                 "    __extension__({ $ irl_v = (a), irl_w = (b); "
                                 "irl_%s_`x@_at(&irl_v, &irl_w); irl_v; })\n\n"
                               : "    *at = y;\n}\n#define irl_%s_`x@(a) \\\n"
                                 "    __extension__({ $ irl_v = (a); "
                                 "irl_%s_`x@_at(&irl_v); irl_v; })\n\n",
                    name, name), type);
}

void irl__c_math(irl__emit *e, const irl_expr *x)
{
    irl__emit_need(e, IRL__C_VECTOR, x->type);
    irl__emit_need(e, IRL__C_MATH + x->op, x->type);
    irl__c_program_of(e)->uses_math = 1;
    irl__emit_vector_name(e, &e->text,
                          irl__format(e->cx, "%s_", irl__op_info((irl_op)x->op)->text), x->type);
    /* braces would not keep commas together for the macro */
    for (uint32_t k = 0; k < x->count; k++) irl__emitf(e, k ? ", (%e)" : "((%e)", x->a[k]);
    irl__text_putc(&e->text, ')');
}
