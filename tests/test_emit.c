/* test_emit.c - the text that the OpenCL emitter writes, and what it tells hosts. No device is
   needed.

   usage  test_emit [--write DIRECTORY]     leaves every source there, for other compilers to
          read */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/text/text.h"
#endif
#include "failing.h"
#include "test.h"
#include "deep_cases.h"

static const char *write_to;

static void write_source(const char *source)
{
    static int number;
    char       name[300];
    FILE      *f;
    if (!write_to || !source[0]) return;
    snprintf(name, sizeof name, "%s/emit_%03d.cl", write_to, number++);
    f = fopen(name, "wb");
    if (!f) return;
    fputs(source, f);
    fclose(f);
}

/* The source of a module in text, or of the kernel body in `text` with these parameters; "" on
   failure. */
static const char *module_source(irl_ctx *cx, const char *text)
{
    const char *source = irl_ocl_source(irl_module_parse(cx, text, strlen(text), "test"));
    write_source(source);
    return source;
}

static const char *kernel_source_for(irl_ctx *cx, const char *target, const char *params,
                                     const char *body)
{
    static char text[1 << 16];
    snprintf(text, sizeof text,
             "module m target(%s) { host func m(%s) { } kernel func f(%s) { %s } }", target, params,
             params, body);
    return module_source(cx, text);
}

static const char *kernel_source(irl_ctx *cx, const char *params, const char *body)
{
    return kernel_source_for(cx, "opencl12", params, body);
}

static int has(const char *source, const char *part)
{
    if (strstr(source, part)) return 1;
    printf("--- not found: %s\n%s\n", part, source[0] ? source : "(no source)");
    return 0;
}

/* One body, one piece of text that must be there. */
typedef struct expectation {
    const char *params, *body, *part;
} expectation;

static void expect_all_for(const char *target, int count, const expectation *list)
{
    int k;
    for (k = 0; k < count; k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        const char *source = kernel_source_for(cx, target, list[k].params, list[k].body);
        CHECK_OK(cx);
        if (!CHECK(has(source, list[k].part))) printf("    of %s\n", list[k].body);
        irl_ctx_destroy(cx);
    }
}
#define EXPECT_ALL_FOR(target, list) \
    expect_all_for(target, (int)(sizeof(list) / sizeof *(list)), list)
#define EXPECT_ALL(list) EXPECT_ALL_FOR("opencl12", list)

typedef struct refusal {
    const char *params, *body;
    irl_code    code;
    const char *part; /* of the diagnostic */
} refusal;

static void refuse_all(int count, const refusal *list)
{
    int k;
    for (k = 0; k < count; k++) {
        irl_ctx *cx = irl_ctx_create(NULL);
        CHECK(!kernel_source(cx, list[k].params, list[k].body)[0]);
        if (CHECK_CODE(cx, list[k].code)) CHECK(has(irl_diag_text(cx), list[k].part));
        else printf("    of %s\n", list[k].body);
        irl_ctx_destroy(cx);
    }
}
#define REFUSE_ALL(list) refuse_all((int)(sizeof(list) / sizeof *(list)), list)

/* ------------------------------------------------------------------ the whole text */

static void whole_text(void)
{
    static const char text[] = "module relu target(opencl12) {\n"
                               "  host func relu(x: f32[4, 16, 4] logical([4, 64], (n, c) -> (n, c "
                               "/ 4, c % 4)), y: f32[4, 64]) { launch relu(x, y); }\n"
                               "  kernel func relu(x: f32[4, 16, 4] logical([4, 64], (n, c) -> (n, "
                               "c / 4, c % 4)), y: f32[4, 64]) {\n"
                               "    decl x_flat: f32[256] data(x); decl y_flat: f32[256] data(y);\n"
                               "    for bind(global.y) (n: 4) for bind(global.x) (c: 64) y_flat[n "
                               "* 64 + c] = max(x_flat[n * 64 + c], 0.0f); } }";
    static const char expected[] =
        "/* relu: OpenCL C 1.2, emitted by irlayout " IRL_VERSION_STRING " */\n"
        "#pragma OPENCL FP_CONTRACT OFF\n"
        "\n"
        "/* relu: global size 64 x 4\n"
        "   x: read, f32[4, 64] by (n, c) -> (n, c / 4, c % 4), in memory f32[4, 16, 4]\n"
        "   y: written, f32[4, 64] */\n"
        "__kernel void relu(__global const float *restrict x, __global float *restrict y)\n"
        "{\n"
        "    const uint n = (uint)get_global_id(1);\n"
        "    const uint c = (uint)get_global_id(0);\n"
        "    y[n * 64u + c] = fmax(x[n * 64u + c], 0.0f);\n"
        "}\n";
    irl_ctx    *cx = irl_ctx_create(NULL);
    const char *source = module_source(cx, text);
    CHECK_OK(cx);
    if (!CHECK(strcmp(source, expected) == 0)) printf("%s\n", source);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ indices */

static void indices(void)
{
    static const expectation list[] = {
        { "y: f32[64]", "for (i: 64) y[i] = 0.0f;",
          "for (uint i = 0u; i < 64u; i++) {\n        y[i] = 0.0f;\n    }\n" },
        { "y: f32[64]", "for (i: 3 .. 9) y[i] = 0.0f;", "for (uint i = 3u; i < 9u; i++) {" },
        { "y: f32[64]", "for (i: 0 .. 5) for (j: i .. i + 2) y[j] = 0.0f;",
          "for (uint j = i; j < i + 2u; j++) {" },
        { "y: f32[64]", "for (i: 1) y[i + 3] = 0.0f;",
          "    const uint i = 0u;\n    y[i + 3u] = 0.0f;\n" },
        { "y: f32[64]", "for (i: 0) y[i] = 0.0f; y[1] = 2.0f;", "{\n    y[1u] = 2.0f;\n}\n" },
        { "y: f32[64]", "for unrolled (i: 4) y[i] = 0.0f;",
          "    #pragma unroll\n    for (uint i = 0u;" },
        /* proved by the condition */
        { "y: f32[64]", "for (i: 64) if (i > 2) y[i - 3] = 0.0f;", "y[i - 3u]" },
        { "y: f32[64]", "for (i: 64) if (i > 2 && i < 60) y[i - 3] = 0.0f; else y[i] = 1.0f;",
          "y[i - 3u]" },
        /* may be negative */
        { "y: f32[64]", "for (i: 64) y[(i - 3) / 4 + 1] = 0.0f;", "y[(((int)i - 3) >> 2) + 1]" },
        { "y: f32[64]", "for (i: 64) y[(i - 3) % 4] = 0.0f;", "y[((int)i - 3) & 3]" },
        { "y: f32[64]", "for (i: 64) y[(i - 3) / 5 + 1] = 0.0f;",
          "irl_floordiv_int((int)i - 3, 5) + 1" },
        { "y: f32[64]", "for (i: 64) y[(i - 3) / 5 + 1] = 0.0f;",
          "static int irl_floordiv_int(int a, int b)\n{" },
        { "y: f32[64]", "for (i: 64) y[i / 5 + i % 5] = 0.0f;", "y[i / 5u + i % 5u]" },
        { "y: f32[64]", "for (i: 64) y[i * 5000000000 / 5000000000] = 0.0f;",
          "y[(long)i * 5000000000L / 5000000000L]" },
        { "n: index, y: f32[n]", "for (i: n) y[i] = 0.0f;", "for (long i = 0L; i < n; i++) {" },
        { "n: index, y: f32[n]", "assume(n < 1000); for (i: n) y[i / 7] = 0.0f;",
          "for (uint i = 0u; i < (uint)n; i++) {\n        y[i / 7u]" },
        { "t: i32[64], y: f32[64]", "for (i: 64) y[index(t[i])] = 0.0f;", "y[t[i]]" },
        { "t: u8[64], y: f32[64]", "for (i: 64) y[index(t[i]) / 4] = 0.0f;", "y[(uint)t[i] / 4u]" },
        { "t: i64[64], y: f32[64]", "for (i: 64) y[index(t[i])] = 0.0f;", "y[t[i]]" },
        { "x: f32[64], y: f32[64]", "for (i: 64) y[i] = if_then_else(i >= 1, x[i - 1], 0.0f);",
          "i >= 1u ? x[i - 1u] : 0.0f" },
        { "y: f32[64]", "for (i: 8, j: 8) y[i * 8 + (j ^ 5)] = f32(i - j);",
          "y[i * 8u + (j ^ 5u)] = (float)((int)i - (int)j)" },
        { "y: f32[64]", "for (i: 64) if (i - 3 < 4) y[min(i, 63 - i)] = 0.0f;",
          "if ((int)i - 3 < 4) {\n            y[min(i, 63u - i)]" },
        { "y: f32[64]", "for bind(global.x) (i: 64) y[i] = 0.0f;",
          "const uint i = (uint)get_global_id(0);" },
        { "y: f32[64]", "for bind(group.y) (g: 8) for bind(local.y) (l: 8) y[g * 8 + l] = 0.0f;",
          "__kernel __attribute__((reqd_work_group_size(1, 8, 1)))\nvoid f(" },
        { "y: f32[64]", "for bind(group.y) (g: 8) for bind(local.y) (l: 8) y[g * 8 + l] = 0.0f;",
          "const uint l = (uint)get_local_id(1);" },
        { "y: f32[64]", "let k = 5; y[k] = 0.0f;", "const uint k = 5u;\n    y[k] = 0.0f;" },
    };
    EXPECT_ALL(list);
}

/* ------------------------------------------------------------------ values */

static void values(void)
{
    static const expectation list[] = {
        { "y: f32[4]", "y[0] = 1.5f;", "y[0u] = 1.5f;" },
        { "y: f32[4]", "y[0] = -0.0;", "y[0u] = -0.0f;" },
        { "y: f32[4]", "y[0] = 1e20;", "y[0u] = 1.0e20f;" },
        { "y: f32[4]", "y[0] = 1e-7;", "y[0u] = 1.0e-7f;" },
        { "y: f32[4]", "y[0] = 100000;", "y[0u] = 100000.0f;" },
        { "y: f32[4]", "y[0] = as(f32, u32(0x7f800000));", "y[0u] = as_float(0x7f800000u);" },
        { "y: f32[4]", "y[0] = as(f32, u32(0xffc00001));", "as_float(0xffc00001u);" },
        { "y: f64[4]", "y[0] = as(f64, u64(0x7ff0000000000000));",
          "as_double(0x7ff0000000000000ul);" },
        { "y: f64[4]", "y[0] = 0.1;", "#pragma OPENCL EXTENSION cl_khr_fp64 : enable" },
        { "y: i32[4]", "y[0] = i32(-2147483648);", "y[0u] = (-2147483647 - 1);" },
        { "y: i64[4]", "y[0] = i64(-9223372036854775808);",
          "y[0u] = (-9223372036854775807L - 1L);" },
        { "y: u64[4]", "y[0] = u64(18446744073709551615);", "y[0u] = 18446744073709551615ul;" },
        { "y: i8[4]", "y[0] = min(y[1], 5);", "min(y[1u], (char)5)" },
        { "y: f32[4]", "y[0] = y[1] - (y[2] - y[3]);", "y[1u] - (y[2u] - y[3u])" },
        { "y: f32[4]", "y[0] = (y[1] - y[2]) - y[3];", "y[1u] - y[2u] - y[3u]" },
        { "y: f32[4]", "y[0] = (y[1] + y[2]) * y[3] / y[0];", "(y[1u] + y[2u]) * y[3u] / y[0u]" },
        { "y: f32[4]", "y[0] = y[1] / (y[3] / y[0]);", "y[1u] / (y[3u] / y[0u])" },
        { "y: f32[4]", "y[0] = -(-y[1]);", "-(-y[1u])" },
        { "y: i32[4]", "y[0] = y[1] + y[2] * y[3];",
          "(int)((uint)y[1u] + (uint)y[2u] * (uint)y[3u])" },
        /* cannot wrap */
        { "y: i32[4], x: i8[4]", "y[0] = i32(x[0]) * i32(x[1]) + 5;",
          "y[0u] = (int)x[0u] * (int)x[1u] + 5;" },
        { "y: u32[4]", "y[0] = y[1] + y[2] * y[3];", "y[0u] = y[1u] + y[2u] * y[3u];" },
        { "y: u16[4]", "y[0] = y[1] * y[2];", "(ushort)((uint)y[1u] * (uint)y[2u])" },
        { "y: i32[4]", "y[0] = truncdiv(y[1], y[2]);", "irl_truncdiv_int(y[1u], y[2u])" },
        { "y: i32[4]", "y[0] = truncdiv(y[1], 3);", "y[1u] / 3" },
        { "y: i32[4]", "y[0] = (y[1] & y[2]) << (y[3] & 31);",
          "(int)((uint)(y[1u] & y[2u]) << (y[3u] & 31))" },
        { "b: bool[4]", "b[0] = b[1] && (b[2] || !b[3]);",
          "b[0u] = b[1u] != 0 && (b[2u] != 0 || !(b[3u] != 0));" },
        { "b: bool[4]", "b[0] = b[1] && b[2] || b[3];",
          "(b[1u] != 0 && b[2u] != 0) || b[3u] != 0" },
        { "h: f16[4], y: f32[4]", "y[0] = f32(h[1]); h[2] = f16(y[2]);",
          "__global half *restrict h" },
        { "h: f16[4], y: f32[4]", "y[0] = f32(h[1]) * 2.0f;", "vload_half(1u, h) * 2.0f" },
        { "h: f16[4], y: f32[4]", "h[2] = f16(y[2]);", "vstore_half_rte(y[2u], 2u, h);" },
        { "h: f16[4], g: f16[4]", "h[2] = g[1];",
          "__global ushort *restrict h, __global const ushort *restrict g" },
        { "h: f16[4]", "h[2] = 1.5;", "h[2u] = 0x3e00;" },
        { "b: bf16[4], y: f32[4]", "b[0] = bf16(y[0]); y[1] = f32(b[1]);",
          "b[0u] = irl_float_to_bfloat(y[0u]);\n    y[1u] = as_float((uint)b[1u] << 16);" },
        { "y: f32[4]", "y[0] = select(y[1] < y[2], y[1], y[2]);", "y[1u] < y[2u] ? y[1u] : y[2u]" },
        { "y: f32[4]", "y[0] = let(t = y[1] * y[2], t + t);",
          "    const float t = y[1u] * y[2u];\n    y[0u] = t + t;\n" },
        { "y: f32[4]", "y[0] = let(t = y[1], t + t); y[1] = let(t = y[1], t * t);",
          "const float t_1 = y[1u];\n    y[1u] = t_1 * t_1;" },
        { "y: f32[4]", "y[0] = if_then_else(y[1] > 0.0f, let(t = y[2], t * t), 1.0f);",
          "    float chosen;\n    if (y[1u] > 0.0f) {\n        const float t = y[2u];\n        "
          "chosen = t * t;\n    } else {\n        chosen = 1.0f;\n    }\n    y[0u] = chosen;\n" },
        { "y: f32[4]", "y[0] = undef(f32);", "y[0u] = 0.0f;" },
        { "y: f32[4]", "y[0] = extern(f32, native_exp, y[1]);", "y[0u] = native_exp(y[1u]);" },
        { "y: u32[4], x: f32[4]", "y[0] = as(u32, x[0]);", "y[0u] = as_uint(x[0u]);" },
        { "x: f32[4]", "decl u: u32[4] data(x); u[0] = u[1] + 1; x[2] = 0.0f;",
          "x[0u] = as_float(as_uint(x[1u]) + 1u);" },
        /* a parameter that is seen by one view alone is a pointer to that */
        { "x: f32[4]", "decl u: u32[4] data(x); u[0] = u[1] + 1;",
          "__global uint *restrict x)\n{\n    x[0u] = x[1u] + 1u;" },
        { "x: f32[8], y: f32[8]",
          "decl u: f32x4[2] data(x); decl v: f32x4[2] data(y); u[1] = v[0];", "x[1u] = y[0u];" },
        { "x: f32[8] align(16), y: f32[8]", "decl u: f32x4[2] data(x); u[1] = broadcast(1.0f, 4);",
          "__global float4 *restrict x" },
        { "x: f32x2[4] align(8), y: f32[8]", "decl u: f32x3[2] data(x); u[1] = broadcast(1.0f, 3);",
          "vstore3((float3)(1.0f), 1u, x)" },
        { "x: f32[4]", "assert(true, \"*/ evil /*\"); x[0] = 0.0f;",
          "/* asserted: * / evil / * */" },
    };
    EXPECT_ALL(list);
}

/* ------------------------------------------------------------------ vectors, memory, barriers */

static void memory(void)
{
    static const expectation list[] = {
        { "x: f32[64], y: f32[64]",
          "for (i: 16) y[ramp(i * 4, 1, 4)] = x[ramp(i * 4, 1, 4)] * broadcast(2.0f, 4);",
          "vstore4(vload4(0, x + i * 4u) * 2.0f, 0, y + i * 4u);" },
        /* wide ones at any place are one load, of the lanes' own alignment */
        { "x: f32[80], y: f32[64]",
          "for (i: 4) y[ramp(i * 16, 1, 16)] = x[ramp(i * 16, 1, 16)] + x[ramp(i * 16 + 1, 1, "
          "16)];",
          "irl_load_float16(x + i * 16u) + irl_load_float16(x + (i * 16u + 1u))" },
        { "x: u16[80], y: u16[64]",
          "for (i: 8) y[ramp(i * 8, 1, 8)] = x[ramp(i * 8, 1, 8)] ^ x[ramp(i * 8 + 3, 1, 8)];",
          "struct __attribute__((packed, aligned(2))) { ushort8 v; } irl_at_ushort8;" },
        { "x: f32x4[16], y: f32x4[16]", "for (i: 16) y[i] = x[i];",
          "__global const float4 *restrict x" },
        { "x: f32x4[16], y: f32x4[16]", "for (i: 16) y[i] = x[i];", "y[i] = x[i];" },
        { "x: f32x3[16], y: f32x3[16]", "for (i: 16) y[i] = x[i];",
          "vstore3(vload3(i, x), i, y);" },
        { "x: f32[64], y: f32[64]", "for (i: 16) y[ramp(i * 4, 1, 4)] = x[ramp(i, 16, 4)];",
          "(float4)(x[i], x[i + 16u], x[i + 32u], x[i + 48u])" },
        { "x: f32[64], y: f32[64]", "for (i: 16) y[ramp(i, 16, 4)] = x[ramp(i * 4, 1, 4)];",
          "y[i + 48u] = lanes.s3;" },
        { "x: f32[64], y: f32[64]", "for (i: 16) y[ramp(i, 16, 4)] = x[ramp(i, 16, 4)];",
          "const float part_3 = x[i + 48u];\n        y[i] = part;" },
        /* a width that there is not */
        { "x: f32[64]", "x[ramp(0, 1, 5)] = broadcast(0.0f, 5);", "x[4u] = 0.0f;" },
        { "x: f32[64], y: f32[64]",
          "for (i: 16) y[ramp(i * 4, 1, 4)] = select(x[ramp(i * 4, 1, 4)] < y[ramp(i * 4, 1, 4)], "
          "x[ramp(i * 4, 1, 4)], broadcast(0.0f, 4));",
          "select((float4)(0.0f), vload4(0, x + i * 4u), vload4(0, x + i * 4u) < vload4(0, y + i * "
          "4u))" },
        { "x: i32[64], b: bool[64]",
          "for (i: 16) b[ramp(i * 4, 1, 4)] = x[ramp(i * 4, 1, 4)] < broadcast(3, 4) && !b[ramp(i "
          "* 4, 1, 4)];",
          "vstore4(as_uchar4((convert_char4(vload4(0, x + i * 4u) < 3) & ~(vload4(0, b + i * 4u) "
          "!= (uchar4)(0))) & (char)1), 0, b + i * 4u);" },
        { "x: f64[64], i: i32[64]",
          "for (k: 16) x[ramp(k * 4, 1, 4)] = select(i[ramp(k * 4, 1, 4)] == broadcast(3, 4), "
          "x[ramp(k * 4, 1, 4)], broadcast(f64(1), 4));",
          "convert_long4(vload4(0, i + k * 4u) == 3)" },
        { "x: i32[64]",
          "for (k: 16) x[ramp(k * 4, 1, 4)] = x[ramp(k * 4, 1, 4)] + broadcast(3, 4);",
          "as_int4(as_uint4(vload4(0, x + k * 4u)) + as_uint4((int4)(3)))" },
        { "x: f32[64], y: f32[16]", "for (k: 16) y[k] = lane(x[ramp(k * 4, 1, 4)], 2);",
          "y[k] = vload4(0, x + k * 4u).s2;" },
        { "x: f32[64], y: f32[16]", "for (k: 16) y[k] = lane(x[ramp(k * 4, 1, 4)], k % 4);",
          "y[k] = ((const float *)&part)[k % 4u];" },
        { "n: index, x: f32[64], y: f32[16]",
          "for (k: 16) y[k] = lane(x[ramp(k * 4, 1, 4)], n + k);",
          "((const float *)&part)[min(max(n + (long)k, 0L), 3L)];" },
        /* a ramp is made of one value, which reads memory once */
        { "x: i32[64], y: i32[64]",
          "for (k: 16) y[ramp(k * 4, 1, 4)] = ramp(lane(x[ramp(k * 4 + 0, 1, 4)], k % 4), 1, 4);",
          "((int4)(((const int *)&part)[k % 4u])) + as_uint4((int4)(0, 1, 2, 3))" },
        { "x: f32[64], y: f32[64]",
          "for (k: 16) y[ramp(k * 4, 1, 4)] = shuffle(x[ramp(k * 4, 1, 4)], [3, 2, 1, 0]);",
          "vload4(0, x + k * 4u).s3210" },
        { "x: f32[256], y: f32[256]",
          "for bind(group.x) (g: 4) { alloc tile: f32[64] scope(shared); for bind(local.x) (l: 64) "
          "{ tile[l] = x[g * 64 + l]; barrier(shared); y[g * 64 + l] = tile[63 - l]; } }",
          "{\n    __local float tile[64];\n    const uint g = (uint)get_group_id(0);\n" },
        { "x: f32[256], y: f32[256]",
          "for bind(group.x) (g: 4) { alloc tile: f32[64] scope(shared); for bind(local.x) (l: 64) "
          "{ tile[l] = x[g * 64 + l]; barrier(shared); y[g * 64 + l] = tile[63 - l]; } }",
          "    barrier(CLK_LOCAL_MEM_FENCE);\n" },
        { "x: f32[4]", "barrier(global); x[0] = 1.0f;", "barrier(CLK_GLOBAL_MEM_FENCE);" },
        { "x: f32[4]", "alloc p: f32[2] scope(local) align(16); p[0] = 1.0f; x[0] = p[0];",
          "    float p[2] __attribute__((aligned(16)));" },
        { "x: f32[4] scope(constant), y: f32[4]", "y[0] = x[0];",
          "__constant float *x, __global float *restrict y" },
        { "n: index, f: bool, v: f32x4, h: f16, y: f32[4]",
          "if (f) y[0] = f32(n) + lane(v, 1) + f32(h);",
          "void f(long n, uchar f_1, float4 v, ushort h, __global float *restrict y)" },
    };
    EXPECT_ALL(list);
}

/* ------------------------------------------------------------------ names */

static int is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static int has_word(const char *text, const char *word)
{
    size_t      n = strlen(word);
    const char *p;
    for (p = strstr(text, word); p; p = strstr(p + 1, word))
        if ((p == text || !is_name_char(p[-1])) && !is_name_char(p[n])) return 1;
    return 0;
}

/* A kernel, its parameters and its loop, all called `wish`, through the builders: the text form
   would not take most of them. */
static const irl_ocl_program *program_of(irl_ctx *cx, const char *wish)
{
    const irl_expr *n = irl_expr_index(cx, 4),
                   *i = irl_expr_var(cx, wish, irl_type_of(IRL_INDEX, 1));
    const irl_buffer *x =
        irl_buffer_new(cx, wish, irl_type_of(IRL_F32, 1), IRL_SCOPE_GLOBAL, 1, &n);
    const irl_buffer *y =
        irl_buffer_new(cx, wish, irl_type_of(IRL_F32, 1), IRL_SCOPE_GLOBAL, 1, &n);
    const irl_expr   *t = irl_expr_var(cx, wish, irl_type_of(IRL_F32, 1));
    const irl_stmt   *body[2];
    irl_param_desc    params[2];
    irl_func         *f;
    irl_module       *m = (irl_module *)irl__alloc_array(cx, 1, sizeof *m);
    const irl_func  **kernels = (const irl_func **)irl__alloc_array(cx, 2, sizeof *kernels);
    memset(params, 0, sizeof params);
    params[0].buffer = x;
    params[1].buffer = y;
    body[0] = irl_stmt_let(cx, t, irl_expr_load(cx, x, 1, &i));
    body[1] = irl_stmt_store(cx, y, t, 1, &i);
    f = irl_func_new(cx, wish, 2, params,
                     irl_stmt_for(cx, IRL_SERIAL, i, irl_expr_index(cx, 0), n,
                                  irl_stmt_seq(cx, 2, body)));
    if (!f || !m || !kernels) return NULL;
    kernels[0] = kernels[1] = f; /* two kernels of one name */
    m->cx = cx;
    m->name = wish;
    m->kernel_count = 2;
    m->kernels = kernels;
    return irl_ocl_emit(m);
}

static int is_identifier(const char *name)
{
    const char *p;
    for (p = name; *p; p++)
        if (!is_name_char(*p)) return 0;
    return p > name && p - name < 64 && !(*name >= '0' && *name <= '9') &&
           !(name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z')));
}

/* Whatever a thing is called: identifiers, all different, none of them taken; and nothing gets out
   of a comment. */
static void one_name(const char *wish, int stays)
{
    irl_ctx               *cx = irl_ctx_create(NULL);
    const irl_ocl_program *p = program_of(cx, wish);
    CHECK_OK(cx);
    if (CHECK(p != NULL)) {
        const irl_ocl_kernel *k = p->kernels;
        const char           *open = strchr(p->source, '{'), *c;
        int                   depth = 0, wrong = 0;
        write_source(p->source);
        CHECK(is_identifier(k[0].name) && is_identifier(k[1].name) &&
              strcmp(k[0].name, k[1].name) != 0);
        CHECK(is_identifier(k[0].arguments[0].name) &&
              strcmp(k[0].arguments[0].name, k[0].arguments[1].name) != 0);
        CHECK(strcmp(k[0].arguments[0].name, k[0].name) != 0);
        CHECK((strcmp(k[0].name, wish) == 0) == stays);
        for (c = open; c && *c; c++) {
            depth += (*c == '{') - (*c == '}');
            wrong += (unsigned char)*c > 126 || *c == '"' || *c == '#' || *c == '\\' || *c == '?';
        }
        CHECK(depth == 0 && wrong == 0);
        CHECK(open && strstr(open, "evil(") == NULL);
        c = strstr(p->source, "*/");
        CHECK(c && strncmp(c, "*/\n#pragma OPENCL FP_CONTRACT OFF\n", 34) == 0);
    }
    irl_ctx_destroy(cx);
}

static const char *const taken[] = {
    "float",
    "float4",
    "int16",
    "double3",
    "kernel",
    "__kernel",
    "global",
    "__local",
    "constant",
    "private",
    "restrict",
    "const",
    "for",
    "if",
    "return",
    "sizeof",
    "bool",
    "half",
    "half8",
    "uint",
    "size_t",
    "image2d_t",
    "image2d_array_t",
    "sampler_t",
    "event_t",
    "get_global_id",
    "get_local_id",
    "barrier",
    "vload4",
    "vstore16",
    "vload_half",
    "as_float",
    "convert_int4",
    "convert_uchar_sat",
    "min",
    "max",
    "fmin",
    "fmax",
    "fma",
    "abs",
    "fabs",
    "select",
    "sqrt",
    "native_exp",
    "half_cos",
    "atomic_add",
    "atom_inc",
    "mad24",
    "dot",
    "cross",
    "length",
    "distance",
    "normalize",
    "isnan",
    "any",
    "all",
    "shuffle",
    "M_PI",
    "M_PI_F",
    "INFINITY",
    "NAN",
    "FLT_MAX",
    "CLK_LOCAL_MEM_FENCE",
    "CL_VERSION_1_2",
    "cl_khr_fp64",
    "NULL",
    "true",
    "false",
    "irl_floordiv_int",
    "work_group_barrier",
    "sub_group_all",
    "read_imagef",
    "write_imageui",
    "pipe",
    "printf",
    "typedef",
    "struct",
    "union",
    "goto",
    "inline",
    "static",
    "void",
    "unsigned",
    "_Bool",
    "_Complex",
    "__FILE__",
    "__attribute__",
    "asm",
    "typeof",
    "uniform",
    "intel_sub_group_shuffle",
    "step",
    "sign",
    "mix",
    "log",
};

static const char *const hostile[] = {
    "",
    " ",
    "4x",
    "0",
    "a b",
    "x; } evil(",
    "*/ evil() /*",
    "//",
    "x\n#define y",
    "\"",
    "\\",
    "a-b",
    "a.b",
    "\xc3\xa9t\xc3\xa9",
    "\x01",
    "?\?/",
    "%s%n",
    "_",
    "__",
    "_A",
    "a_very_long_name_that_goes_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_"
    "and_on_and_on_and_on_and_on",
};

static const char *const fine[] = { "x",    "input", "conv2d", "floats", "float5",  "minimum",
                                    "a_b",  "_x",    "x1",     "Kernel", "globals", "vload",
                                    "data", "image", "width",  "axis0" };

static void names(void)
{
    size_t k;
    for (k = 0; k < sizeof taken / sizeof *taken; k++) {
        irl_ctx               *cx = irl_ctx_create(NULL);
        const irl_ocl_program *p = program_of(cx, taken[k]);
        if (CHECK(p && strcmp(p->kernels[0].name, taken[k]) != 0)) {
            CHECK(!has_word(p->kernels[0].arguments[0].name, taken[k]) &&
                  is_identifier(p->kernels[0].name));
            /* still readable */
            CHECK(strstr(p->kernels[0].name, taken[k][0] == '_' ? taken[k] + 1 : taken[k]) != NULL);
        } else printf("    %s\n", taken[k]);
        irl_ctx_destroy(cx);
        one_name(taken[k], 0);
    }
    for (k = 0; k < sizeof hostile / sizeof *hostile; k++) one_name(hostile[k], 0);
    for (k = 0; k < sizeof fine / sizeof *fine; k++)
        one_name(fine[k], strcmp(fine[k], "vload") != 0);
}

/* Names in loops beside one another are used again; nested ones are told apart; ten thousand of one
   name cost no more. */
static void scopes(void)
{
    enum { MANY = 10000 };
    irl_ctx         *cx = irl_ctx_create(NULL);
    const irl_expr  *n = irl_expr_index(cx, 4), *zero = irl_expr_index(cx, 0);
    const irl_buffer *y = irl_buffer_new(cx, "y", irl_type_of(IRL_F32, 1), IRL_SCOPE_GLOBAL, 1, &n);
    static const irl_stmt *list[MANY + 1];
    irl_param_desc   param;
    irl_func        *f;
    irl_module       m;
    const irl_func  *kernel;
    const char      *source;
    int              k;
    const expectation beside[] = {
        { "y: f32[64]", "for (i: 4) y[i] = 0.0f; for (i: 8) y[i] = 1.0f;",
          "    for (uint i = 0u; i < 8u; i++) {" },
        { "y: f32[64]", "for (i: 4) { let i = i + 1; y[i] = 0.0f; }",
          "        const uint i_1 = i + 1u;\n        y[i_1] = 0.0f;\n" },
        { "y: f32[64]", "for (i: 4) { let i_1 = 1.0f; let i = i + 1; y[i] = i_1; }",
          "        const uint i_2 = i + 1u;\n        y[i_2] = i_1;\n" },
    };
    memset(&param, 0, sizeof param);
    memset(&m, 0, sizeof m);
    for (k = 0; k < MANY; k++)
        list[k] = irl_stmt_let(cx, irl_expr_var(cx, "t", irl_type_of(IRL_F32, 1)),
                               irl_expr_load(cx, y, 1, &zero));
    list[MANY] = irl_stmt_store(cx, y, list[MANY - 1]->u.let.var, 1, &zero);
    param.buffer = y;
    f = irl_func_new(cx, "f", 1, &param, irl_stmt_seq(cx, MANY + 1, list));
    kernel = f;
    m.cx = cx;
    m.kernel_count = 1;
    m.kernels = &kernel;
    source = irl_ocl_source(&m);
    CHECK(has(source, "y[0u] = t_9999;"));
    irl_ctx_destroy(cx);
    EXPECT_ALL(beside);
}

/* ------------------------------------------------------------------ what is refused, and why */

/* Where a target has no 64-bit integers, index arguments are ints, and indices that are proved to
   fit are 32 bits wide. */
static void narrow(void)
{
    static const struct {
        const char *text, *part; /* of the source */
    } rows[] = {
        { "func f(x: f32[64, 100], y: f32[64, 100]) { for (i: 64, j: 100) y[i, j] = x[63 - i, j] + "
          "1.0f; }",
          "const uint" },
        { "func f(n: index, x: f32[n, 16], y: f32[n, 16]) { assume(n <= 4096); for (i: n, j: 16) "
          "y[i, j] = x[n - 1 - i, j]; }",
          "void f(int n, " },
        { "func f(n: index, k: index, x: f32[n, 16], y: f32[n, 16]) { assume(n <= 4096 && k >= -9 "
          "&& k < 9); for (i: n, j: 16)"
          " y[i, j] = if_then_else(i + k >= 0 && i + k < n, x[i + k, j], 0.0f); }",
          "int k" },
    };
    size_t k;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        const char *source = irl_ocl_source(
            irl_func_lower(irl_func_parse(cx, rows[k].text, strlen(rows[k].text), NULL),
                           &irl_target_opencl12_embedded));
        CHECK_OK(cx);
        if (!CHECK(strstr(source, rows[k].part) && !strstr(source, "long")))
            puts(source[0] ? source : "(none)");
        irl_ctx_destroy(cx);
    }
}

static void refusals(void)
{
    static const refusal list[] = {
        { "x: f32[4, 4] sep(1)", "decl v: f32[4, 4] data(x) sep(1); v[0, 1] = 0.0f;",
          IRL_ERROR_UNSUPPORTED_RANK, "buffer 'v', a view of 'x', has 2 axes (separators: [1])" },
        { "x: f32[4, 4] sep(1)", "x[0, 1] = 0.0f;", IRL_ERROR_UNSUPPORTED_RANK,
          "buffer 'x' has 2 axes (separators: [1]), but memory of scope global has one in OpenCL "
          "C; remove its separators" },
        { "x: f32[64]", "decl x2: f32[8, 8] sep(1) data(x); x2[0, 1] = 0.0f;",
          IRL_ERROR_BAD_SEPARATORS, "a view of the same memory" },
        { "x: f32[4, 4]", "x[0, 1] = 0.0f;", IRL_ERROR_UNSUPPORTED_RANK, "flatten it first" },
        { "x: f32[64]", "decl s: f32[8] strides(8) data(x); s[1] = 0.0f;", IRL_ERROR_BAD_STAGE,
          "'s' has strides" },
        { "x: f32[4, 4, 4] scope(texture)", "x[0, 0, 0] = 0.0f;", IRL_ERROR_BAD_STAGE,
          "buffer 'x' is an image" },
        { "x: f32[4]", "block b() { x[0] = 0.0f; }", IRL_ERROR_BAD_STAGE,
          "block 'b' is not lowered" },
        { "n: index, x: f32[4]", "alloc p: f32[n] scope(local); x[0] = p[0];",
          IRL_ERROR_PRIVATE_EXTENT,
          "'p' is allocated inside a kernel, so its extents must be numbers; axis 0 is n" },
        { "n: index, x: f32[4]", "alloc p: f32[4, n * 2] scope(shared); x[0] = p[0, 0];",
          IRL_ERROR_PRIVATE_EXTENT, "axis 1 is n * 2" },
        { "n: index, x: f32[4]", "alloc p: f32[n] scope(local); x[0] = p[0];",
          IRL_ERROR_PRIVATE_EXTENT, "allocate it at the top of the function" },
        { "x: f32[4]", "alloc p: f32[4] scope(global); x[0] = p[0];", IRL_ERROR_UNSUPPORTED,
          "shared and local" },
        { "x: f32[4]", "alloc p: f32[9000] scope(shared); p[0] = 1.0f; x[0] = p[0];",
          IRL_ERROR_TARGET_LIMIT, "36000 bytes of shared memory" },
        { "x: f32[64]",
          "for bind(global.x) (i: 64) { alloc p: f32[4] scope(shared); p[0] = 1.0f; x[i] = p[0]; }",
          IRL_ERROR_SHARED_MEMORY, "not known which work-items form a group" },
        { "x: f32[4]",
          "alloc p: f64[576460752303423488] scope(shared); alloc q: f64[576460752303423488] "
          "scope(shared); p[0] = f64(1); q[0] = f64(1); x[0] = f32(p[0] + q[0]);",
          IRL_ERROR_OVERFLOW, "up to 'q' does not fit 63 bits" },
        { "x: f32[1024]", "for bind(local.x) (i: 1024) x[i] = 0.0f;", IRL_ERROR_TARGET_LIMIT,
          "more than 256 work-items" },
        { "x: f32[64]",
          "for bind(global.x) (i: 64) x[i] = 0.0f; for bind(global.x) (i: 32) x[i] = 1.0f;",
          IRL_ERROR_UNSUPPORTED, "different extents" },
        { "x: f32[64]", "for bind(global.x) (i: 8) for bind(local.x) (j: 8) x[i] = 0.0f;",
          IRL_ERROR_UNSUPPORTED, "bind only one of the two" },
        { "x: f32[64]", "x[0] = extern(f32, sizeof, x[1]);", IRL_ERROR_UNSUPPORTED,
          "'sizeof' cannot be the name of a function" },
        { "x: f32[64]", "x[0] = intrinsic(f32, no_such, x[1]);", IRL_ERROR_UNSUPPORTED, "no_such" },
    };
    irl_ctx *cx = irl_ctx_create(NULL);
    CHECK(!irl_ocl_source(NULL)[0] && irl_ocl_emit(NULL) == NULL);
    CHECK(!module_source(cx, "module m target(nowhere) { host func m() { } }")[0] &&
          !irl_ok(cx));
    irl_ctx_destroy(cx);
    REFUSE_ALL(list);
}

/* An extern name that only the builders can make. */
static void hostile_extern(void)
{
    irl_ctx          *cx = irl_ctx_create(NULL);
    const irl_expr   *n = irl_expr_index(cx, 4), *zero = irl_expr_index(cx, 0), *value;
    const irl_buffer *y = irl_buffer_new(cx, "y", irl_type_of(IRL_F32, 1), IRL_SCOPE_GLOBAL, 1, &n);
    irl_param_desc    param;
    const irl_func   *f;
    irl_module        m;
    memset(&param, 0, sizeof param);
    memset(&m, 0, sizeof m);
    param.buffer = y;
    value = irl_expr_extern(cx, irl_type_of(IRL_F32, 1), "f(1); } evil(", 0, NULL);
    f = irl_func_new(cx, "f", 1, &param, irl_stmt_store(cx, y, value, 1, &zero));
    m.cx = cx;
    m.kernel_count = 1;
    m.kernels = &f;
    CHECK(!irl_ocl_source(&m)[0]);
    CHECK_CODE(cx, IRL_ERROR_UNSUPPORTED);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ what hosts are told */

static void hosts(void)
{
    static const char text[] =
        "module m target(opencl12) { host func m(n: index, x: f32[n, 4], y: f32x3[2 * n], t: "
        "f16[8], f: bool, z: i32[4]) { }\n"
        "  kernel func k(n: index, x: f32[n, 4], y: f32x3[2 * n], t: f16[8], f: bool, v: f32x3, m: "
        "index, z: i32[4]) {\n"
        "    decl xf: f32[n * 4] data(x); for bind(group.y) (g: n) for bind(local.x) (l: 8) { y[g] "
        "= broadcast(xf[l], 3); t[l] = t[0]; xf[m] = 1.0f; } } }";
    irl_ctx               *cx = irl_ctx_create(NULL);
    const irl_ocl_program *p = irl_ocl_emit(irl_module_parse(cx, text, sizeof text - 1, NULL));
    const irl_ocl_kernel  *k = p ? p->kernels : NULL;
    int64_t                indices[2] = { 5, 3 };
    size_t                 global[3], local[3];
    CHECK_OK(cx);
    if (!CHECK(k != NULL)) return;
    write_source(p->source);
    CHECK(p->kernel_count == 1 && k->argument_count == 8 && strcmp(k->name, "k") == 0 &&
          k->dimensions == 2);
    CHECK(!k->arguments[0].is_buffer && k->arguments[0].bytes == 8 &&
          strcmp(k->arguments[0].name, "n") == 0);
    CHECK(k->arguments[1].is_buffer && k->arguments[1].access == IRL_OCL_READ_WRITE &&
          k->arguments[1].rank == 2 && k->arguments[1].bytes == 0);
    CHECK(k->arguments[2].access == IRL_OCL_WRITE && k->arguments[3].access == IRL_OCL_READ_WRITE &&
          k->arguments[7].access == IRL_OCL_UNUSED);
    CHECK(k->arguments[4].bytes == 1 && k->arguments[5].bytes == 16 &&
          k->arguments[5].type.lanes == 3);
    CHECK(irl_ocl_kernel_bytes(cx, k, 1, indices) == 5 * 4 * 4 &&
          irl_ocl_kernel_bytes(cx, k, 2, indices) == 2 * 5 * 12 &&
          irl_ocl_kernel_bytes(cx, k, 3, NULL) == 16);
    CHECK(irl_ocl_kernel_sizes(cx, k, indices, global, local));
    CHECK(global[0] == 8 && global[1] == 5 && global[2] == 1 && local[0] == 8 && local[1] == 1 &&
          local[2] == 1);
    CHECK(irl_ocl_kernel_bytes(cx, k, 0, indices) == -1 &&
          irl_ocl_kernel_bytes(cx, k, 8, indices) == -1 &&
          irl_ocl_kernel_bytes(cx, NULL, 0, NULL) == -1);
    CHECK_OK(cx);
    indices[0] = -1;
    CHECK(!irl_ocl_kernel_sizes(cx, k, indices, global, local));
    CHECK_CODE(cx, IRL_ERROR_ARGUMENT_MISMATCH);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ memory runs out */

static int asks(irl_ctx *cx, int which)
{
    static const char text[] =
        "module m target(opencl12) { host func m(x: f32[64]) { }\n"
        "  kernel func f(x: f32[64], h: f16[64]) { for bind(global.x) (i: 16) { x[ramp(i * 4, 1, "
        "4)] = let(t = x[ramp(i * 4, 1, 4)], t * t);\n"
        "    x[i] = lane(x[ramp(0, 1, 4)], i % 4) + f32(h[(i - 7) / 3 + 5]); h[i] = if_then_else(i "
        "> 3, let(q = h[i - 3], q), h[i]); } } }";
    (void)which;
    return irl_ocl_source(irl_module_parse(cx, text, sizeof text - 1, NULL))[0] && irl_ok(cx);
}

static void out_of_memory(void)
{
    failing_each(asks, 0, 0);
    failing_each(asks, 0, 1);
}

/* No source has more brackets in one another than compilers of C take; what cannot be written so is
   refused. */
static void test_deep(void)
{
    static const char *const targets[] = { "opencl12", "opencl12-embedded", "strict", "scalar" };
    int                      k, j, wide = 0;
    for (k = 0; k < (int)(sizeof deep_cases / sizeof *deep_cases); k++)
        for (j = 0; j < 4; j++) {
            irl_ctx          *cx = irl_ctx_create(NULL);
            char             *text = deep_text(&deep_cases[k], 400);
            const irl_func   *f = irl_func_parse(cx, text, strlen(text), "deep");
            const irl_module *m = irl_func_lower(f, irl_target_find(targets[j]));
            const char       *source = irl_ocl_source(m);
            if (irl_diag_of(cx) && irl_diag_of(cx)->code == IRL_ERROR_INDEX_WIDTH) wide++;
            else if (!CHECK(source[0] && deep_brackets(source) <= 256))
                printf("case %d for %s: %d brackets\n%s\n", k, targets[j],
                       deep_brackets(source), irl_diag_text(cx));
            write_source(source);
            free(text);
            irl_ctx_destroy(cx);
        }
    CHECK(wide == 0);
}

/* Arithmetic of halves: by f32, and of their own where the target has them. */
static void halves(void)
{
    static const char matmul[] =
        "for bind(global.x) (i: 8) for (j: 8) { alloc acc: f16[] scope(local); acc[] = 0.0; "
        "for (k: 8) acc[] = acc[] + x[i * 8 + k] * w[k * 8 + j]; y[i * 8 + j] = acc[]; }";
    static const expectation by_f32[] = {
        { "x: f16[4], y: f16[4]", "y[0] = x[1] * x[2];",
          "vstore_half_rte(vload_half(1u, x) * vload_half(2u, x), 0u, y);" },
        { "x: f16[4], y: f16[4]", "y[0] = x[1] * x[2] + x[3];",
          "irl_half_to_float(irl_float_to_half(vload_half(1u, x) * vload_half(2u, x))) + "
          "vload_half(3u, x)" },
        { "x: bf16[4], y: bf16[4]", "y[0] = x[1] - x[2];",
          "irl_float_to_bfloat(as_float((uint)x[1u] << 16) - as_float((uint)x[2u] << 16))" },
        { "x: f16[64], w: f16[64], y: f16[64]", matmul, "vload_half(i * 8u + k, x) * vload_half(" },
    };
    static const expectation native[] = {
        { "x: f16[4], y: f16[4]", "y[0] = x[1] * x[2] + y[3];",
          "y[0u] = x[1u] * x[2u] + y[3u];" },
        { "x: f16[4], y: f16[4]", "y[0] = x[1];",
          "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" },
        { "x: f16[64], w: f16[64], y: f16[64]", matmul, "half acc" },
        { "x: f16[64], w: f16[64], y: f16[64]", matmul, "+ x[i * 8u + k] * w[k * 8u + j];" },
        { "x: f16[4], q: f16", "x[0] = max(x[1], 0.5) / sqrt(-q);",
          "x[0u] = fmax(x[1u], 0.5h) / sqrt(-q);" },
        { "x: f16[4], q: f16", "x[0] = q;", "half q)" },
        { "x: f16[4]", "x[0] = exp(x[1]);", "x[0u] = (half)exp((float)x[1u]);" },
        { "x: f16[4]", "x[0] = fma(x[1], x[2], x[3]);",
          "(half)fma((float)x[1u], (float)x[2u], (float)x[3u])" },
        { "x: f16[4]", "x[0] = x[1] + as(f16, u16(0x7e00));", "x[1u] + as_half((ushort)0x7e00)" },
        { "x: f16[4], u: u16[4]", "u[0] = as(u16, x[0] + f16(u[1]));",
          "u[0u] = as_ushort(x[0u] + (half)u[1u]);" },
        { "x: f16[4]", "x[0] = abs(x[1]) < 2.0 ? floor(x[1]) : x[2];",
          "x[0u] = fabs(x[1u]) < 2.0h ? floor(x[1u]) : x[2u];" },
        { "x: f16[4], d: f64[4]", "x[0] = f16(d[0]) + f16(i64(d[1]));",
          "(half)d[0u] + (half)(long)d[1u]" },
        { "x: bf16[4], y: f16[4]", "x[0] = x[1] * bf16(y[0]); y[1] = f16(x[2]);",
          "irl_float_to_bfloat(" },
        { "x: f16[16]", "x[ramp(0, 1, 4)] = x[ramp(4, 1, 4)] * 2.0 + x[ramp(8, 1, 4)];",
          "vload4(0, x + 4u) * 2.0h + vload4(0, x + 8u)" },
        { "x: f16x4[4]", "x[0] = select(x[1] < x[2], -x[1], x[2]);",
          "x[0u] = select(x[2u], -x[1u], x[1u] < x[2u]);" },
        { "x: f16x4[4], m: i32x4[4]", "m[0] = i32x4(x[1] < x[2]);", "convert_int4(" },
        { "x: f16x4[4], y: f32x4[4]", "y[0] = f32x4(x[0] + x[1]); x[1] = f16x4(y[1]);",
          "convert_float4(x[0u] + x[1u])" },
    };
    EXPECT_ALL(by_f32);
    EXPECT_ALL_FOR("`opencl12-fp16`", native);
}

/* Texels of halves: as halves where the target computes with them, else as floats; what a float is
   rounded to is written as a float, which the device rounds. */
static void half_texels(void)
{
    static const char text[] =
        "func f(x: f16[8, 8, 4] scope(texture), y: f16[8, 8, 4] scope(texture),"
        " z: f16[8, 8, 4] scope(texture)) { for parallel (i: 8, j: 8) for vectorized (c: 4) {"
        " y[i, j, c] = x[i, j, c] * f16(2.0);"
        " z[i, j, c] = f16(f32(x[i, j, c]) * 3.0f); } }";
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    const char *halves = irl_ocl_source(irl_func_lower(f, &irl_target_opencl12_fp16));
    const char *floats = irl_ocl_source(irl_func_lower(f, &irl_target_opencl12));
    CHECK(has(halves, "const half4 texel = read_imageh(x, (int2)(j, i));"));
    CHECK(has(halves, "write_imageh(y, (int2)(j, i), texel * 2.0h);"));
    CHECK(has(halves, "write_imagef(z, (int2)(j, i), "));
    CHECK(!strstr(floats, "imageh") && has(floats, "write_imagef(y, (int2)(j, i), "));
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "--write") == 0) write_to = argv[2];
    test_deep();
    whole_text();
    indices();
    values();
    memory();
    names();
    scopes();
    refusals();
    narrow();
    hostile_extern();
    hosts();
    halves();
    half_texels();
    out_of_memory();
    return TEST_DONE();
}
