/* target_cases.h - vector accesses that are proved aligned, and others: what each target makes of
   them. */
#ifndef IRL_TARGET_CASES_H
#define IRL_TARGET_CASES_H

enum { ALIGNED_CELLS = 128, ALIGNED_TARGETS = 4 };

static const char *const aligned_targets[ALIGNED_TARGETS] = { "opencl12", "opencl12-embedded",
                                                              "strict", "scalar" };

typedef struct aligned_case {
    const char *text;                    /* of f(x, y), both of 128 f32 */
    const char *kept[ALIGNED_TARGETS];   /* a part of the module for each target */
    const char *source[ALIGNED_TARGETS]; /* a part of its kernel */
} aligned_case;

static const aligned_case aligned_cases[] = {
    /* every access is one vector at a multiple of its size: a view of vectors, where there are
       vectors */
    { "func f(x: f32[128], y: f32[128]) { for (i: 32) y[ramp(i * 4, 1, 4)] = x[ramp(124 - i * 4, "
      "1, 4)]; }",
      { "y_f32x4[i] = x_f32x4[", "y_f32x4[i] = x_f32x4[", "y_f32x4[i] = x_f32x4[",
        "x[127 - i * 4]" },
      { "__global const float4 *restrict x, __global float4 *restrict y",
        "__global const float4 *restrict x, __global float4 *restrict y", "float4 *restrict y",
        "__global const float *restrict x, __global float *restrict y" } },
    { "func f(n: f32[128], y: f32[128]) { for (i: 3) for vectorized (j: 16) y[i * 32 + 16 + j] = "
      "n[i * 32 + j]; }",
      { "n_f32x16[i * 2]", "n_f32x16[i * 2]", "n_f32x16[i * 2]", "n[i * 32 + 15]" },
      { "float16 *restrict n", "float16 *restrict n", "float16 *restrict n",
        "float *restrict n" } },
    /* elements and runs of one vector type */
    { "func f(x: f32x4[32], y: f32[128]) { for (i: 32) y[ramp(i * 4, 1, 4)] = x[i]; }",
      { "y_f32x4[i] = x[i]", "y_f32x4[i] = x[i]", "y_f32x4[i] = x[i]", "x_f32[i * 4 + 3]" },
      { "float4 *restrict y", "float4 *restrict y", "float4 *restrict y", "float *restrict x" } },
    /* one place off: by vload, which begins at any lane; by lanes where nothing does */
    { "func f(x: f32[128], y: f32[128]) { for (i: 31) y[ramp(i * 4, 1, 4)] = x[ramp(i * 4 + 1, 1, "
      "4)]; }",
      { "y_f32x4[i] = x[ramp(i * 4 + 1, 1, 4)]", "y_f32x4[i] = x[ramp(i * 4 + 1, 1, 4)]",
        "x[i * 4 + 4]", "x[i * 4 + 4]" },
      { "y[i] = vload4(0, x + ", "y[i] = vload4(0, x + ", "float4 *restrict y",
        "float *restrict y" } },
    /* a store that is off */
    { "func f(x: f32[128], y: f32[128]) { for (i: 31) y[ramp(i * 4 + 2, 1, 4)] = x[ramp(i * 4, 1, "
      "4)]; }",
      { "y[ramp(i * 4 + 2, 1, 4)] = x_f32x4[i]", "y[ramp(i * 4 + 2, 1, 4)] = x_f32x4[i]",
        "y_f32x2[i * 2 + 1]", "y[i * 4 + 2]" },
      { "vstore4(x[i], 0, y + ", "vstore4(x[i], 0, y + ", "float2 *restrict y",
        "float *restrict y" } },
    /* at a place that is not known */
    { "func f(x: f32[128], y: f32[128]) { for (i: 120) y[ramp(i, 1, 8)] = x[ramp(i, 1, 8)]; }",
      { "x[ramp(i, 1, 8)]", "x[ramp(i, 1, 8)]", "x[i + 7]", "x[i + 7]" },
      { "irl_load_float8(x + i)", "vload8(", "float *restrict x", "float *restrict x" } },
    /* memory that is not so aligned: by its vectors' lanes, or by shorter vectors */
    { "func f(x: f32[128] align(8), y: f32[128] align(4)) { for (i: 32) y[ramp(i * 4, 1, 4)] = "
      "x[ramp(i * 4, 1, 4)]; }",
      { "x[ramp(i * 4, 1, 4)]", "x[ramp(i * 4, 1, 4)]", "x_f32x2[i * 2 + 1]", "x[i * 4 + 3]" },
      { "vload4(", "vload4(", "float2 *restrict x, __global float *restrict y",
        "float *restrict x" } },
    { "func f(x: f32[128] align(16), y: f32[128] align(64)) { for (i: 8) y[ramp(i * 16, 1, 16)] = "
      "x[ramp(i * 16, 1, 16)]; }",
      { "y_f32x16[i] = x[ramp(i * 16, 1, 16)]", "y_f32x16[i] = x[ramp(i * 16, 1, 16)]",
        "x_f32x4[i * 4 + 3]", "x[i * 16 + 15]" },
      { "y[i] = irl_load_float16(", "y[i] = vload16(",
        "const float4 *restrict x, __global float16 *restrict y", "float *restrict x" } },
    /* vectors of two widths, vectors and scalars: runs stay, the pointer is to what both are made
       of */
    { "func f(x: f32[128], y: f32[128]) { for (i: 16) { y[ramp(i * 8, 1, 4)] = x[ramp(i * 8, 1, "
      "4)]; y[ramp(i * 8 + 4, 1, 4)] = shuffle(x[ramp(i * 4, 1, 2)], [0, 1, 1, 0]); } }",
      { "y_f32x4[i * 2] = x[ramp(i * 8, 1, 4)]", "y_f32x4[i * 2] = x[ramp(i * 8, 1, 4)]",
        "y_f32x4[i * 2]", "y[i * 8" },
      { "vload2(", "vload2(", "float4 *restrict y", "float *restrict y" } },
    /* three lanes have no C type that lies in memory as they do */
    { "func f(x: f32[128], y: f32[128]) { for (i: 42) y[ramp(i * 3, 1, 3)] = x[ramp(i * 3, 1, 3)]; "
      "}",
      { "x[ramp(i * 3, 1, 3)]", "x[ramp(i * 3, 1, 3)]", "x_f32x3[i]", "x[i * 3 + 2]" },
      { "vload3(", "vload3(", "vload3(", "float *restrict x" } },
};

#endif
