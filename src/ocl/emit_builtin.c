/* emit_builtin.c - the helpers of a program in OpenCL C that use features which only it has:
   vectors, its conversions with a rounding, its absolute value, samplers.

   needs     emit_helper.c, whose texts these are written like
   promises  each computes, bit for bit, what number.c and scalar.c do */
#include "ocl.h"

/* ------------------------------------------------------------------ vectors */

/* A normalised integer is a fraction of the largest; the least, which has no fraction of its own,
   is -1 too. */
#define IRL__OCL_NORM_TEXT(name) \
    "static $ irl_float_to_" name "(float@ f)\n{\n" \
    "    return convert_$_sat_rte(select(f, (float@)(0.0f), isnan(f)) * MOST.0f);\n}\n\n"
/* (fmin and fmax ask of both whether they are a NaN) */
#define IRL__OCL_MINMAX_TEXT(name, compare) \
    "/* a is a number, and a NaN loses against it */\n" \
    "static $ irl_" name "_$($ a, $ b)\n{\n    return b " compare " a ? b : a;\n}\n\n"
/* A float towards zero of x, its last bit set if anything was cut: rounding it further gives what
   rounding x would. */
#define IRL__OCL_ODD_TEXT(result) \
    "/* f towards zero, odd if inexact: rounded further, it rounds as x does */\n" \
    "static float@ irl_odd_$($ x)\n{\n" \
    "    float@ f = convert_float@_rtz(x);\n    return " result ";\n}\n\n"

/* Where work-items run in lockstep, the device converts halves by an instruction of its own, which
   OpenCL C has without cl_khr_fp16 only for what is in memory. A union may be read as anything. The
   default rounding is to the nearest, as _rte is, which libclc computes bit by bit. */
static const irl__helper_row irl__ocl_half_rows[] = {
    { IRL__HELP_HALF_TO_FLOAT, 0, 0,
      "/* the values of halves, from their bits */\n"
      "static float@ irl_half_to_float@(ushort@ h)\n{\n"
      "    union { ushort@ h; uchar any; } u;\n    u.h = h;\n"
      "    return vload_half@(0, (const half *)&u.any);\n}\n\n" },
    { IRL__HELP_FLOAT_TO_HALF, 0, 0,
      "/* the bits of the halves nearest to f, ties to even */\n"
      "static ushort@ irl_float_to_half@(float@ f)\n{\n"
      "    union { ushort@ h; uchar any; } u;\n    vstore_half@(f, 0, (half *)&u.any);\n"
      "    return u.h;\n}\n\n" },
    { 0, 0, 0, NULL }
};

static const irl__helper_row irl__ocl_helper_rows[] = {
    { IRL_OP_TRUNCDIV, 0, 2,
      "static $ irl_truncdiv_$($ a, $ b)\n{\n    $ back = b == ($)(-1);\n"
      "    return select(a / select(b, ($)(1), back), as_$(-as_#(a)), back);\n}\n\n" },
    { IRL_OP_TRUNCMOD, 0, 2,
      "static $ irl_truncmod_$($ a, $ b)\n{\n    return a % select(b, ($)(1), b == "
      "($)(-1));\n}\n\n" },
    { IRL_OP_FLOORDIV, 0, 2,
      "static $ irl_floordiv_$($ a, $ b)\n{\n    $ back = b == ($)(-1), d = select(b, ($)(1), "
      "back), r = a % d;\n"
      "    $ q = a / d + ((r != ($)(0)) & ((r < ($)(0)) != (b < ($)(0))));\n    return select(q, "
      "as_$(-as_#(a)), back);\n}\n\n" },
    { IRL_OP_FLOORMOD, 0, 2,
      "static $ irl_floormod_$($ a, $ b)\n{\n    $ r = a % select(b, ($)(1), b == ($)(-1));\n"
      "    return r + (b & ((r != ($)(0)) & ((r < ($)(0)) != (b < ($)(0)))));\n}\n\n" },
    { IRL__HELP_HALF_TO_FLOAT, 0, 2,
      "/* the values of halves, from their bits */\n"
      "static float@ irl_half_to_float@(ushort@ h)\n{\n"
      "    uint@ u = convert_uint@(h), sign = (u & 0x8000u) << 16, rest = (u & 0x7fffu) << 13;\n"
      "    float@ small = as_float@(rest + 0x38800000u) - as_float(0x38800000u);\n"
      "    uint@ large = rest + select((uint@)(0x38000000u), (uint@)(0x70000000u), rest >= "
      "0x0f800000u);\n"
      "    return as_float@(select(large, as_uint@(small), rest < 0x00800000u) | sign);\n}\n\n" },
    { IRL__HELP_FLOAT_TO_HALF, 0, 2,
      "/* the bits of the halves nearest to f, ties to even */\n"
      "static ushort@ irl_float_to_half@(float@ f)\n{\n"
      "    uint@ sign = as_uint@(f) & 0x80000000u, u = as_uint@(f) ^ sign;\n"
      "    uint@ small = as_uint@(as_float@(u) + 0.5f) - 0x3f000000u;\n"
      "    uint@ h = (u - 0x38000000u + 0x0fffu + ((u >> 13) & 1u)) >> 13;\n"
      "    h = select(h, small, u < 0x38800000u);\n"
      "    h = select(h, (uint@)(0x7c00u), u >= 0x477ff000u);\n"
      "    h = select(h, (uint@)(0x7e00u), u > 0x7f800000u);\n"
      "    return convert_ushort@(h | (sign >> 16));\n}\n\n" },
    { IRL__HELP_FLOAT_TO_BFLOAT, 0, 2,
      "/* the bits of the bfloat16 nearest to f, ties to even */\n"
      "static ushort@ irl_float_to_bfloat@(float@ f)\n{\n"
      "    uint@ u = as_uint@(f), near = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16, nan_ = (u >> 16) "
      "| 0x40u;\n"
      "    return convert_ushort@(select(near, nan_, isnan(f)));\n}\n\n" },
    { IRL__HELP_NORM_TO_FLOAT, IRL__OF_UNORMS, 0,
      "static float@ irl_`_to_float@($ v)\n{\n    return convert_float@(v) / MOST.0f;\n}\n\n" },
    { IRL__HELP_NORM_TO_FLOAT, IRL__OF_SNORMS, 0,
      "static float@ irl_`_to_float@($ v)\n{\n"
      "    return fmax(convert_float@(v) / MOST.0f, -1.0f);\n}\n\n" },
    { IRL__HELP_FLOAT_TO_NORM, IRL__OF_NORMS, 1, IRL__OCL_NORM_TEXT("`") },
    { IRL__HELP_FLOAT_TO_NORM, IRL__OF_NORMS, 2, IRL__OCL_NORM_TEXT("`x@") },
    { IRL__HELP_ODD, 0, 1, IRL__OCL_ODD_TEXT("as_float(as_uint(f) | (uint)(($)f != x))") },
    { IRL__HELP_ODD, 0, 2,
      IRL__OCL_ODD_TEXT("as_float@(as_uint@(f) | "
                        "as_uint@(convert_int@(convert_$(f) != x) & 1))") },
    { IRL__OCL_MIN, 0, 0, IRL__OCL_MINMAX_TEXT("min", "<") },
    { IRL__OCL_MAX, 0, 0, IRL__OCL_MINMAX_TEXT("max", ">") },
    { IRL__OCL_SAMPLER, 0, 0,
      "__constant sampler_t irl_texel = CLK_NORMALIZED_COORDS_FALSE | "
      "CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n\n" },
    /* PoCL computes erf lane by lane */
    { IRL_OP_ERF, 0, 2,
      "/* within 4 ulp */\n"
      "static $ irl_erf_$($ arg)\n{\n"
      "    $ x = fabs(arg), a = select(x, ($)(4.0f), x > 4.0f), z = a * a, low;\n"
      IRL__ERF_PARTS "    return copysign(select(1.0f - exp(x), low, a < 0.9f), arg);\n}\n\n" },
    /* The least number is its own absolute value. abs() of OpenCL C says 2^31, but PoCL's compiler
       takes a later (int) of it for not negative, and divides by shifting in zeros. */
    { IRL__OCL_ABS, 0, 0,
      "/* |x|; of the least number, that number */\n"
      "static $ irl_abs_$($ x)\n{\n    # sign = as_#(x >> LAST);\n"
      "    return as_$((as_#(x) ^ sign) - sign);\n}\n\n" },
    { IRL__OCL_LOAD, 0, 0,
      "/* the lanes at p, in one load */\n"
      "typedef struct __attribute__((packed, aligned(EACH))) { $ v; } irl_at_$;\n"
      "static $ irl_load_$(__global const SCALAR *p)\n{\n"
      "    return ((__global const irl_at_$ *)p)->v;\n}\n\n" },
    { 0, 0, 0, NULL }
};
#undef IRL__OCL_NORM_TEXT
#undef IRL__OCL_MINMAX_TEXT
#undef IRL__OCL_ODD_TEXT

int irl__ocl_helper(irl__emit *e, irl__text *t, irl__emit_helper helper)
{
    return (e->unit->target->subgroup > 0 &&
            irl__emit_helper_row(e, t, irl__ocl_half_rows, helper)) ||
           irl__emit_helper_row(e, t, irl__ocl_helper_rows, helper);
}
