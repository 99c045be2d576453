/* emit_helper.c - the functions that an emitted program brings along: divisions that floor, numbers
   that OpenCL C has no type for.

   needs     emit_type.c for their names, emit_image.c for its own
   promises  each computes, bit for bit, what number.c and scalar.c do

   In a text $ stands for the type with its lanes ("int4"), # for its unsigned kin, @ for the lanes
   ("4", or nothing). */
#include "ocl.h"

static const char *irl__ocl_unsigned(int bits)
{
    return bits == 64 ? "ulong" : bits == 32 ? "uint" : bits == 16 ? "ushort" : "uchar";
}

static void irl__ocl_template(irl__text *t, const char *text, irl_type type)
{
    for (; *text; text++) {
        if (*text == '$') irl__text_puts(t, irl__type_info(type)->ocl);
        else if (*text == '#') irl__text_puts(t, irl__ocl_unsigned(irl__type_info(type)->bits));
        else if (*text != '@') irl__text_putc(t, *text);
        if ((*text == '$' || *text == '#' || *text == '@') && type.lanes > 1)
            irl__text_uint(t, type.lanes);
    }
}

/* Division: the least number divided by -1 wraps (hardware may trap on it); floors are one below
   where signs differ. */
typedef struct irl__ocl_division {
    irl_op      op;
    const char *scalar, *vector;
} irl__ocl_division;

static const irl__ocl_division irl__ocl_divisions[] = {
    { IRL_OP_TRUNCDIV,
      "static $ irl_truncdiv_$($ a, $ b)\n{\n    return b == -1 ? ($)(0u - (#)a) : a / b;\n}\n\n",
      "static $ irl_truncdiv_$($ a, $ b)\n{\n    $ back = b == ($)(-1);\n"
      "    return select(a / select(b, ($)(1), back), as_$(-as_#(a)), back);\n}\n\n" },
    { IRL_OP_TRUNCMOD,
      "static $ irl_truncmod_$($ a, $ b)\n{\n    return b == -1 ? 0 : a % b;\n}\n\n",
      "static $ irl_truncmod_$($ a, $ b)\n{\n    return a % select(b, ($)(1), b == "
      "($)(-1));\n}\n\n" },
    { IRL_OP_FLOORDIV,
      "static $ irl_floordiv_$($ a, $ b)\n{\n    if (b == -1) return ($)(0u - (#)a);\n"
      "    return a / b - (a % b != 0 && (a < 0) != (b < 0));\n}\n\n",
      "static $ irl_floordiv_$($ a, $ b)\n{\n    $ back = b == ($)(-1), d = select(b, ($)(1), "
      "back), r = a % d;\n"
      "    $ q = a / d + ((r != ($)(0)) & ((r < ($)(0)) != (b < ($)(0))));\n    return select(q, "
      "as_$(-as_#(a)), back);\n}\n\n" },
    { IRL_OP_FLOORMOD,
      "static $ irl_floormod_$($ a, $ b)\n{\n    $ r = b == -1 ? 0 : a % b;\n"
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
    "    uint@ u = as_uint@(f), near = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16, nan_ = (u >> 16) | "
    "0x40u;\n";

/* The least number is its own absolute value. abs() of OpenCL C says 2^31, but PoCL's compiler
   takes a later (int) of it for not negative, and divides by shifting in zeros. */
#define IRL__OCL_ABS_TEXT(highest) \
    "/* |x|; of the least number, that number */\n" \
    "static $ irl_abs_$($ x)\n{\n" \
    "    # sign = as_#(x >> " highest ");\n" \
    "    return as_$((as_#(x) ^ sign) - sign);\n}\n\n"
static const char irl__ocl_abs_int[] = IRL__OCL_ABS_TEXT("31");
static const char irl__ocl_abs_long[] = IRL__OCL_ABS_TEXT("63");

/* A float towards zero of x, its last bit set if anything was cut: rounding it further gives what
   rounding x would. */
static const char irl__ocl_odd_text[] =
    "/* f towards zero, odd if inexact: rounded further, it rounds as x does */\n"
    "static float@ irl_odd_$($ x)\n{\n"
    "    float@ f = convert_float@_rtz(x);\n";

/* A normalised integer is a fraction of the largest; the least, which has no fraction of its own,
   is -1 too. */
static void irl__ocl_norm_helper(irl__text *t, irl__emit_helper helper)
{
    const irl__type_row *row = irl__type_info(helper.type);
    int is_signed = row->kind == IRL__SNORM, most = (1 << (row->bits - is_signed)) - 1,
        to_float = helper.kind == IRL__OCL_NORM_TO_FLOAT;
    irl__ocl_template(t, to_float ? "static float@ " : "static $ ", helper.type);
    irl__ocl_norm_name(t, helper.kind, helper.type);
    irl__ocl_template(t, to_float ? "($ v)\n{\n    return " : "(float@ f)\n{\n    return ",
                      helper.type);
    if (to_float)
        irl__ocl_template(t, is_signed ? "fmax(convert_float@(v) / " : "convert_float@(v) / ",
                          helper.type);
    else
        irl__ocl_template(t, "convert_$_sat_rte(select(f, (float@)(0.0f), isnan(f)) * ",
                          helper.type);
    irl__textf(t, "%d.0f%s;\n}\n\n", most, to_float ? is_signed ? ", -1.0f)" : "" : ")");
}

void irl__ocl_helper(irl__text *t, irl__emit_helper helper)
{
    int    wide = helper.type.lanes > 1;
    size_t k;
    for (k = 0; k < IRL__COUNTOF(irl__ocl_divisions); k++)
        if ((int)irl__ocl_divisions[k].op == helper.kind)
            irl__ocl_template(t, wide ? irl__ocl_divisions[k].vector : irl__ocl_divisions[k].scalar,
                              helper.type);
    switch (helper.kind) {
    case IRL__OCL_HALF_TO_FLOAT: irl__text_puts(t, irl__ocl_half_to_float); break;
    case IRL__OCL_FLOAT_TO_HALF: irl__text_puts(t, irl__ocl_float_to_half); break;
    case IRL__OCL_FLOAT_TO_BFLOAT:
        irl__ocl_template(t, irl__ocl_float_to_bfloat, helper.type);
        irl__ocl_template(t,
                          wide ? "    return convert_ushort@(select(near, nan_, isnan(f)));\n}\n\n"
                               : "    return (ushort)(isnan(f) ? nan_ : near);\n}\n\n",
                          helper.type);
        break;
    case IRL__OCL_NORM_TO_FLOAT:
    case IRL__OCL_FLOAT_TO_NORM: irl__ocl_norm_helper(t, helper); break;
    case IRL__OCL_ODD:
        irl__ocl_template(t, irl__ocl_odd_text, helper.type);
        irl__ocl_template(t,
                          wide ? "    return as_float@(as_uint@(f) | "
                                 "as_uint@(convert_int@(convert_$(f) != x) & 1));\n}\n\n"
                               : "    return as_float(as_uint(f) | (uint)(($)f != x));\n}\n\n",
                          helper.type);
        break;
    case IRL__OCL_ABS:
        irl__ocl_template(
            t, irl__type_info(helper.type)->bits == 64 ? irl__ocl_abs_long : irl__ocl_abs_int,
            helper.type);
        break;
    default: irl__text_puts(t, irl__ocl_image_helper(helper.kind)); break;
    }
}
