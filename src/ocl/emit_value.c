/* emit_value.c - what OpenCL C is to the shared printers: type names, reserved words, functions, conversions.

   needs     the tables words.h, types.h and ops.h
   promises  casts round as the interpreter's do: f16 and bf16 once, to nearest, ties to even, from whatever type */
#include "ocl.h"

/* ------------------------------------------------------------------ tables, by irl_scalar and by irl__width */

static const char *const irl__ocl_value_types[] = { "bool", "char", "short", "int", "long", "uchar", "ushort", "uint", "ulong",
                                                    "ushort", "ushort", "float", "double", "long", "uchar", "char", "ushort", "short" };
static const char *const irl__ocl_suffixes[] = { "", "", "", "", "L", "", "", "u", "ul", "", "", "f", "", "L", "", "", "", "" };
static const char *const irl__ocl_unsigned_types[] = { "uint", "uint", "uint", "uint", "ulong", "uint", "uint", "uint", "ulong",
                                                       "uint", "uint", "uint", "ulong", "ulong", "uint", "uint", "uint", "uint" };
static const char *const irl__ocl_unsigned_suffixes[] = { "u", "u", "u", "u", "ul", "u", "u", "u", "ul", "u", "u", "u", "ul", "ul", "u", "u", "u", "u" };
static const char *const irl__ocl_index_types[] = { "uint", "int", "long" };
static const char *const irl__ocl_index_suffixes[] = { "u", "", "L" };

const char *irl__ocl_scalar_type(const irl__emit *e, irl_type type)
{
    return irl__type_is_index(type) ? irl__ocl_index_types[e->width] : irl__ocl_value_types[type.scalar];
}

void irl__ocl_type(irl__emit *e, irl_type type)
{
    irl__text_puts(&e->text, type.scalar == IRL_BOOL && type.lanes > 1 ? "int" : irl__ocl_scalar_type(e, type));
    if (type.lanes > 1) irl__text_uint(&e->text, type.lanes);
}

/* ------------------------------------------------------------------ names */

typedef struct irl__ocl_word_row {
    char        first;
    const char *words;
} irl__ocl_word_row;

static const irl__ocl_word_row irl__ocl_words[] = {
#define IRL_OCL_WORDS(first, words) { first, words },
#include "words.h"
};

/* Nothing, or a vector's lanes. */
static int irl__ocl_is_width(const char *text, size_t length)
{
    if (length == 0) return 1;
    if (length == 1) return text[0] == '2' || text[0] == '3' || text[0] == '4' || text[0] == '8';
    return length == 2 && text[0] == '1' && text[1] == '6';
}

static int irl__ocl_word_matches(const char *word, size_t n, const char *name, size_t length)
{
    char last = word[n - 1];
    if (last != '*' && last != '#') return n == length && memcmp(word, name, n) == 0;
    n--;
    if (length < n || memcmp(word, name, n) != 0) return 0;
    return last == '*' || irl__ocl_is_width(name + n, length - n);
}

static int irl__ocl_reserved(const char *name, size_t length)
{
    const char *p, *end;
    size_t      k;
    for (k = 0; k < IRL__COUNTOF(irl__ocl_words); k++) {
        if (irl__ocl_words[k].first != name[0]) continue;
        for (p = irl__ocl_words[k].words; *p; p = *end ? end + 1 : end) {
            for (end = p; *end && *end != ' ';) end++;
            if (irl__ocl_word_matches(p, (size_t)(end - p), name, length)) return 1;
        }
    }
    return 0;
}

/* What C itself would not take for the name of a function. */
static int irl__ocl_is_keyword(const char *name)
{
    static const char *const keywords[] = { "auto", "break", "case", "const", "continue", "default", "do", "else", "enum", "extern", "for",
                                            "goto", "if", "inline", "register", "restrict", "return", "signed", "sizeof", "static",
                                            "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while" };
    size_t k;
    for (k = 0; k < IRL__COUNTOF(keywords); k++)
        if (strcmp(keywords[k], name) == 0) return 1;
    return 0;
}

static int irl__ocl_is_identifier(const char *name)
{
    const char *p;
    for (p = name; *p; p++)
        if (!(*p == '_' || (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (p > name && *p >= '0' && *p <= '9'))) return 0;
    return p > name && !irl__ocl_is_keyword(name);
}

void irl__ocl_call(irl__emit *e, const irl_expr *x)
{
    if (!irl__ocl_is_identifier(x->u.name))
        irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, e->cx->here, "'%s' cannot be the name of a function in OpenCL C", x->u.name);
    else irl__emit_call(e, x->u.name, x->count, x->a);
}

static const char *irl__ocl_function(irl_op op, irl_type type)
{
    if (irl__type_is_float(type) && op == IRL_OP_MIN) return "fmin";
    if (irl__type_is_float(type) && op == IRL_OP_MAX) return "fmax";
    return irl__op_info(op)->ocl;
}

static void irl__ocl_special(irl__emit *e, irl_type type, double value)
{
    unsigned char memory[8];
    irl__scalar   s;
    uint64_t      bits = 0;
    int           k;
    s.f = value;
    irl__store_scalar(type, memory, s);
    s = irl__load_scalar(irl_type_of(type.scalar == IRL_F64 ? IRL_U64 : IRL_U32, 1), memory);
    bits = (uint64_t)s.i;
    irl__textf(&e->text, "as_%s(0x", irl__ocl_value_types[type.scalar]);
    for (k = type.scalar == IRL_F64 ? 60 : 28; k >= 0; k -= 4) irl__text_putc(&e->text, "0123456789abcdef"[(bits >> k) & 15]);
    irl__text_puts(&e->text, type.scalar == IRL_F64 ? "ul)" : "u)");
}

/* ------------------------------------------------------------------ f16 and bf16 */

/* From these, float cannot hold every value: rounding to it first would round twice. */
static int irl__ocl_rounds_twice(irl_type from, irl_type to)
{
    if (from.scalar == IRL_F64) return 1;
    return to.scalar == IRL_BF16 && irl__type_info(from)->bits >= 32 && from.scalar != IRL_F32; /* f16: such integers are infinite */
}

static void irl__ocl_convert(irl__emit *e, const char *type, uint32_t lanes)
{
    if (lanes > 1) irl__textf(&e->text, "convert_%s%u(", type, (uint64_t)lanes);
    else irl__textf(&e->text, "(%s)(", type);
}

/* bf16 bits are the upper half of a float's */
static void irl__ocl_bfloat_value(irl__emit *e, const irl_expr *a)
{
    irl__text_puts(&e->text, "as_float");
    if (a->type.lanes > 1) irl__textf(&e->text, "%u(convert_uint%u(", (uint64_t)a->type.lanes, (uint64_t)a->type.lanes);
    else irl__text_puts(&e->text, "((uint)");
    irl__emit_operand(e, a, a->type.lanes > 1 ? IRL__PREC_ANY : IRL__PREC_UNARY);
    irl__text_puts(&e->text, a->type.lanes > 1 ? ") << 16)" : " << 16)");
}

static void irl__ocl_odd(irl__emit *e, const irl_expr *a)
{
    irl_type   t = a->type;
    irl__width outer = e->width;
    if (irl__type_is_index(t)) {
        e->width = irl__emit_width(e, a, NULL);
        t.scalar = e->width == IRL__WIDTH_UINT ? IRL_U32 : e->width == IRL__WIDTH_INT ? IRL_I32 : IRL_I64;
    }
    irl__emit_need(e, IRL__OCL_ODD, t);
    irl__textf(&e->text, "irl_odd_%s", irl__ocl_value_types[t.scalar]);
    if (t.lanes > 1) irl__text_uint(&e->text, t.lanes);
    irl__emit_call(e, "", 1, &a);
    e->width = outer;
}

/* "irl_unorm8_to_float4", "irl_float_to_unorm8x4": the helper for a normalised type with its lanes. */
void irl__ocl_norm_name(irl__text *t, int kind, irl_type type)
{
    const char *name = irl__type_info(type)->text;
    irl__textf(t, kind == IRL__OCL_NORM_TO_FLOAT ? "irl_%s_to_float" : "irl_float_to_%s", name);
    if (type.lanes > 1) irl__textf(t, kind == IRL__OCL_NORM_TO_FLOAT ? "%u" : "x%u", (uint64_t)type.lanes);
}

static void irl__ocl_norm_call(irl__emit *e, int kind, irl_type type, const irl_expr *a)
{
    irl__emit_need(e, kind, type);
    irl__ocl_norm_name(&e->text, kind, type);
    irl__emit_call(e, "", 1, &a);
}

/* a as a float (or floats) that rounds to type `to` as a itself does. */
static void irl__ocl_as_float(irl__emit *e, const irl_expr *a, irl_type to)
{
    const irl_expr *cast;
    if (irl__ocl_is_half_load(e, a)) irl__ocl_half_load(e, a);
    else if (irl__ocl_is_float_texel(e, a)) irl__ocl_float_texel(e, a);
    else if (irl__type_is_normalised(a->type)) irl__ocl_norm_call(e, IRL__OCL_NORM_TO_FLOAT, a->type, a);
    else if (a->type.scalar == IRL_F16) {
        irl__emit_need(e, IRL__OCL_HALF_TO_FLOAT, irl_type_of(IRL_F16, 1));
        irl__emit_call(e, "irl_half_to_float", 1, &a);
    } else if (a->type.scalar == IRL_BF16) irl__ocl_bfloat_value(e, a);
    else if (irl__ocl_rounds_twice(a->type, to)) irl__ocl_odd(e, a);
    else {
        cast = irl_cast(e->cx, irl_type_of(IRL_F32, (int)a->type.lanes), a);
        if (cast) irl__emit_expr(e, cast, IRL__PREC_ANY);
    }
}

/* f16 without its own hardware type is converted lane by lane, unless a load or store does it. */
static int irl__ocl_goes_by_lanes(irl__emit *e, const irl_expr *x)
{
    if (x->op != IRL_OP_CAST || x->type.lanes == 1) return 0;
    return x->type.scalar == IRL_F16 || (x->a[0]->type.scalar == IRL_F16 && !irl__ocl_is_half_load(e, x->a[0]) && !irl__ocl_is_float_texel(e, x->a[0]));
}

void irl__ocl_storage_cast(irl__emit *e, const irl_expr *x, int precedence)
{
    const irl_expr *a = x->a[0];
    int             opened;
    if (irl__ocl_goes_by_lanes(e, x)) {
        irl__ocl_lanes(e, x);
        return;
    }
    switch (x->type.scalar) {
    case IRL_F16:
        irl__emit_need(e, IRL__OCL_FLOAT_TO_HALF, irl_type_of(IRL_F16, 1));
        irl__text_puts(&e->text, "irl_float_to_half(");
        irl__ocl_as_float(e, a, x->type);
        irl__text_putc(&e->text, ')');
        break;
    case IRL_BF16:
        irl__emit_need(e, IRL__OCL_FLOAT_TO_BFLOAT, irl__type_with_lanes(x->type, x->type.lanes));
        irl__text_puts(&e->text, "irl_float_to_bfloat");
        if (x->type.lanes > 1) irl__text_uint(&e->text, x->type.lanes);
        irl__text_putc(&e->text, '(');
        irl__ocl_as_float(e, a, x->type);
        irl__text_putc(&e->text, ')');
        break;
    case IRL_UNORM8: case IRL_SNORM8: case IRL_UNORM16: case IRL_SNORM16:
        irl__emit_need(e, IRL__OCL_FLOAT_TO_NORM, x->type);
        irl__ocl_norm_name(&e->text, IRL__OCL_FLOAT_TO_NORM, x->type);
        irl__text_putc(&e->text, '(');
        irl__ocl_as_float(e, a, x->type);
        irl__text_putc(&e->text, ')');
        break;
    case IRL_F32: irl__ocl_as_float(e, a, x->type); break;
    case IRL_BOOL:
        opened = irl__emit_open(e, IRL__PREC_EQUAL, precedence);
        irl__ocl_as_float(e, a, x->type);
        irl__text_puts(&e->text, " != 0.0f");
        irl__emit_close(e, opened);
        break;
    default:
        irl__ocl_convert(e, irl__ocl_scalar_type(e, x->type), x->type.lanes);
        irl__ocl_as_float(e, a, x->type);
        irl__text_putc(&e->text, ')');
        break;
    }
}

/* ------------------------------------------------------------------ operators with a form of their own */

void irl__ocl_abs(irl__emit *e, const irl_expr *x, int precedence)
{
    irl__kind kind = irl__type_info(x->type)->kind;
    if (kind == IRL__UINT || (kind == IRL__INDEX && e->width == IRL__WIDTH_UINT)) irl__emit_operand(e, x->a[0], precedence);
    else if (kind == IRL__FLOAT) irl__emit_call(e, "fabs", 1, x->a);
    else { /* abs() of OpenCL C is unsigned */
        int opened = irl__emit_open(e, IRL__PREC_UNARY, precedence);
        irl__text_puts(&e->text, x->type.lanes > 1 ? "as_" : "(");
        irl__ocl_type(e, x->type);
        irl__text_puts(&e->text, x->type.lanes > 1 ? "(" : ")");
        irl__emit_call(e, "abs", 1, x->a);
        if (x->type.lanes > 1) irl__text_putc(&e->text, ')');
        irl__emit_close(e, opened);
    }
}

void irl__ocl_reinterpret(irl__emit *e, const irl_expr *x)
{
    if (x->type.lanes == x->a[0]->type.lanes && strcmp(irl__ocl_scalar_type(e, x->type), irl__ocl_scalar_type(e, x->a[0]->type)) == 0) {
        irl__emit_call(e, "", 1, x->a);
        return;
    }
    irl__text_puts(&e->text, "as_");
    irl__ocl_type(e, x->type);
    irl__emit_call(e, "", 1, x->a);
}

static void irl__ocl_bits_constant(irl__emit *e, const irl_expr *x)
{
    int64_t  norm = irl__type_is_normalised(x->type) ? irl__norm_from_double(x->type, x->u.f) : -1;
    unsigned bits = x->type.scalar == IRL_F16 ? irl__half_from_double(x->u.f) : irl__bfloat_from_double(x->u.f);
    int      k;
    if (irl__type_is_normalised(x->type)) {
        irl__textf(&e->text, norm < 0 ? "(%l)" : "%l", norm);
        return;
    }
    irl__text_puts(&e->text, "0x");
    for (k = 12; k >= 0; k -= 4) irl__text_putc(&e->text, "0123456789abcdef"[(bits >> k) & 15]);
}

static int irl__ocl_is_storage_cast(const irl_expr *x) { return irl__type_is_storage(x->type) || irl__type_is_storage(x->a[0]->type); }

/* 1: printed here */
static int irl__ocl_expr(irl__emit *e, const irl_expr *x, int precedence)
{
    if (x->type.lanes > 1) {
        irl__ocl_vector(e, x, precedence);
        return 1;
    }
    switch (x->op) {
    case IRL_OP_LOAD: irl__ocl_load(e, x, precedence); return 1;
    case IRL_OP_LANE: irl__ocl_lane(e, x, precedence); return 1;
    case IRL_OP_SHUFFLE: irl__ocl_shuffle(e, x, precedence); return 1;
    case IRL_OP_REINTERPRET: irl__ocl_reinterpret(e, x); return 1;
    case IRL_OP_CALL_EXTERN: irl__ocl_call(e, x); return 1;
    case IRL_OP_CALL_INTRINSIC: irl__ocl_intrinsic(e, x); return 1;
    case IRL_OP_ABS: irl__ocl_abs(e, x, precedence); return 1;
    case IRL_OP_FLOAT:
        if (!irl__type_is_storage(x->type)) return 0;
        irl__ocl_bits_constant(e, x);
        return 1;
    case IRL_OP_CAST:
        if (!irl__ocl_is_storage_cast(x)) return 0;
        irl__ocl_storage_cast(e, x, precedence);
        return 1;
    default: return 0;
    }
}

static int irl__ocl_needs_name(irl__emit *e, const irl_expr *x, uint32_t k)
{
    switch (x->op) {
    case IRL_OP_LANE: return k == 0 && x->a[0]->type.lanes > 1 && x->a[1]->op != IRL_OP_INT;
    case IRL_OP_SHUFFLE: return x->count > 1 && x->a[k]->type.lanes > 1 && !irl__ocl_is_concatenation(x);
    case IRL_OP_BROADCAST: return x->a[0]->type.lanes > 1;
    case IRL_OP_CAST:
        if (x->type.lanes > 1 && irl__type_is_index(x->type) && x->a[0]->op == IRL_OP_LOAD) return 1; /* used once for each lane */
        return irl__ocl_goes_by_lanes(e, x);
    default: return 0;
    }
}

static const irl__emit_language irl__ocl_language_row = { "OpenCL C", irl__ocl_value_types, irl__ocl_suffixes, irl__ocl_index_types,
                                                          irl__ocl_index_suffixes, irl__ocl_unsigned_types, irl__ocl_unsigned_suffixes,
                                                          irl__ocl_reserved, irl__ocl_function, irl__ocl_expr, irl__ocl_special,
                                                          irl__ocl_stmt, irl__ocl_needs_name, irl__ocl_type };

const irl__emit_language *irl__ocl_language(void) { return &irl__ocl_language_row; }

/* ------------------------------------------------------------------ helpers

   In a text $ stands for the type with its lanes ("int4"), # for its unsigned kin, @ for the lanes ("4", or nothing). */

static const char *irl__ocl_unsigned(int bits) { return bits == 64 ? "ulong" : bits == 32 ? "uint" : bits == 16 ? "ushort" : "uchar"; }

static void irl__ocl_template(irl__text *t, const char *text, irl_type type)
{
    for (; *text; text++) {
        if (*text == '$') irl__text_puts(t, irl__ocl_value_types[type.scalar]);
        else if (*text == '#') irl__text_puts(t, irl__ocl_unsigned(irl__type_info(type)->bits));
        else if (*text != '@') irl__text_putc(t, *text);
        if ((*text == '$' || *text == '#' || *text == '@') && type.lanes > 1) irl__text_uint(t, type.lanes);
    }
}

/* Division: the least number divided by -1 wraps (hardware may trap on it); floors are one below where signs differ. */
typedef struct irl__ocl_division {
    irl_op      op;
    const char *scalar, *vector;
} irl__ocl_division;

static const irl__ocl_division irl__ocl_divisions[] = {
    { IRL_OP_TRUNCDIV, "static $ irl_truncdiv_$($ a, $ b)\n{\n    return b == -1 ? ($)(0u - (#)a) : a / b;\n}\n\n",
      "static $ irl_truncdiv_$($ a, $ b)\n{\n    $ back = b == ($)(-1);\n"
      "    return select(a / select(b, ($)(1), back), as_$(-as_#(a)), back);\n}\n\n" },
    { IRL_OP_TRUNCMOD, "static $ irl_truncmod_$($ a, $ b)\n{\n    return b == -1 ? 0 : a % b;\n}\n\n",
      "static $ irl_truncmod_$($ a, $ b)\n{\n    return a % select(b, ($)(1), b == ($)(-1));\n}\n\n" },
    { IRL_OP_FLOORDIV, "static $ irl_floordiv_$($ a, $ b)\n{\n    if (b == -1) return ($)(0u - (#)a);\n"
                       "    return a / b - (a % b != 0 && (a < 0) != (b < 0));\n}\n\n",
      "static $ irl_floordiv_$($ a, $ b)\n{\n    $ back = b == ($)(-1), d = select(b, ($)(1), back), r = a % d;\n"
      "    $ q = a / d + ((r != ($)(0)) & ((r < ($)(0)) != (b < ($)(0))));\n    return select(q, as_$(-as_#(a)), back);\n}\n\n" },
    { IRL_OP_FLOORMOD, "static $ irl_floormod_$($ a, $ b)\n{\n    $ r = b == -1 ? 0 : a % b;\n"
                       "    return r != 0 && (r < 0) != (b < 0) ? r + b : r;\n}\n\n",
      "static $ irl_floormod_$($ a, $ b)\n{\n    $ r = a % select(b, ($)(1), b == ($)(-1));\n"
      "    return r + (b & ((r != ($)(0)) & ((r < ($)(0)) != (b < ($)(0)))));\n}\n\n" },
};

static const char irl__ocl_half_to_float[] =
    "/* the value of a half, from its bits */\n"
    "static float irl_half_to_float(ushort h)\n{\n"
    "    uint sign = (uint)(h & 0x8000u) << 16, rest = (uint)(h & 0x7fffu) << 13;\n"
    "    float small = as_float(rest + 0x38800000u) - as_float(0x38800000u);\n"
    "    uint large = rest + (rest >= 0x0f800000u ? 0x70000000u : 0x38000000u);\n"
    "    return as_float((rest < 0x00800000u ? as_uint(small) : large) | sign);\n}\n\n";

static const char irl__ocl_float_to_half[] =
    "/* the bits of the half nearest to f, ties to even */\n"
    "static ushort irl_float_to_half(float f)\n{\n"
    "    uint sign = as_uint(f) & 0x80000000u, u = as_uint(f) ^ sign, h;\n"
    "    if (u > 0x7f800000u) h = 0x7e00u;\n"
    "    else if (u >= 0x477ff000u) h = 0x7c00u;\n"
    "    else if (u < 0x38800000u) h = as_uint(as_float(u) + 0.5f) - 0x3f000000u;\n"
    "    else h = (u - 0x38000000u + 0x0fffu + (u >> 13 & 1u)) >> 13;\n"
    "    return (ushort)(h | sign >> 16);\n}\n\n";

static const char irl__ocl_float_to_bfloat[] =
    "/* the bits of the bfloat16 nearest to f, ties to even */\n"
    "static ushort@ irl_float_to_bfloat@(float@ f)\n{\n"
    "    uint@ u = as_uint@(f), near = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16, nan_ = (u >> 16) | 0x40u;\n";

/* A float towards zero of x, its last bit set if anything was cut: rounding it further gives what rounding x would. */
static const char irl__ocl_odd_text[] =
    "/* f towards zero, odd if inexact: rounded further, it rounds as x does */\n"
    "static float@ irl_odd_$($ x)\n{\n"
    "    float@ f = convert_float@_rtz(x);\n";

/* A normalised integer is a fraction of the largest; the least, which has no fraction of its own, is -1 too. */
static void irl__ocl_norm_helper(irl__text *t, irl__emit_helper helper)
{
    const irl__type_row *row = irl__type_info(helper.type);
    int                  is_signed = row->kind == IRL__SNORM, most = (1 << (row->bits - is_signed)) - 1, to_float = helper.kind == IRL__OCL_NORM_TO_FLOAT;
    irl__ocl_template(t, to_float ? "static float@ " : "static $ ", helper.type);
    irl__ocl_norm_name(t, helper.kind, helper.type);
    irl__ocl_template(t, to_float ? "($ v)\n{\n    return " : "(float@ f)\n{\n    return ", helper.type);
    if (to_float) irl__ocl_template(t, is_signed ? "fmax(convert_float@(v) / " : "convert_float@(v) / ", helper.type);
    else irl__ocl_template(t, "convert_$_sat_rte(select(f, (float@)(0.0f), isnan(f)) * ", helper.type);
    irl__textf(t, "%d.0f%s;\n}\n\n", most, to_float ? is_signed ? ", -1.0f)" : "" : ")");
}

void irl__ocl_helper(irl__text *t, irl__emit_helper helper)
{
    int    wide = helper.type.lanes > 1;
    size_t k;
    for (k = 0; k < IRL__COUNTOF(irl__ocl_divisions); k++)
        if ((int)irl__ocl_divisions[k].op == helper.kind)
            irl__ocl_template(t, wide ? irl__ocl_divisions[k].vector : irl__ocl_divisions[k].scalar, helper.type);
    switch (helper.kind) {
    case IRL__OCL_HALF_TO_FLOAT: irl__text_puts(t, irl__ocl_half_to_float); break;
    case IRL__OCL_FLOAT_TO_HALF: irl__text_puts(t, irl__ocl_float_to_half); break;
    case IRL__OCL_FLOAT_TO_BFLOAT:
        irl__ocl_template(t, irl__ocl_float_to_bfloat, helper.type);
        irl__ocl_template(t, wide ? "    return convert_ushort@(select(near, nan_, isnan(f)));\n}\n\n"
                                  : "    return (ushort)(isnan(f) ? nan_ : near);\n}\n\n", helper.type);
        break;
    case IRL__OCL_NORM_TO_FLOAT:
    case IRL__OCL_FLOAT_TO_NORM: irl__ocl_norm_helper(t, helper); break;
    case IRL__OCL_ODD:
        irl__ocl_template(t, irl__ocl_odd_text, helper.type);
        irl__ocl_template(t, wide ? "    return as_float@(as_uint@(f) | as_uint@(convert_int@(convert_$(f) != x) & 1));\n}\n\n"
                                  : "    return as_float(as_uint(f) | (uint)(($)f != x));\n}\n\n", helper.type);
        break;
    default: irl__text_puts(t, irl__ocl_image_helper(helper.kind)); break;
    }
}
