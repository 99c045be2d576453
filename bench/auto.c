/* auto.c - how fast functions are that a newcomer writes and only irl_schedule_auto schedules:
   products, transposes, sums, softmax, layer norm, pooling, convolutions, beside libraries and the
   best kernels written by hand here.

   needs     an OpenCL device; oneDNN 2 and OpenBLAS where their headers are installed
   promises  every result is compared with that of the function without a schedule; exit status 1
             for a wrong number. Without a device it says so and exits 0. Ratios are goals: printed.

   bench/auto [CASE [ROUNDS]]: cases whose name holds that text. IRL_BENCH_SOURCE=1 prints their
   schedules, IRL_BENCH_SCHEDULE=FILE does those steps in their place. */
#define _POSIX_C_SOURCE 200112L
#define CL_TARGET_OPENCL_VERSION 120
#define IRLAYOUT_OCL_RUNTIME
#define IRLAYOUT_IMPLEMENTATION
#include "../irlayout_ocl.h"
#include "../tests/as_written.h"
#include "device.h"

#include <math.h>

#if defined(__has_include)
#if __has_include(<cblas.h>)
#include <cblas.h>
#ifdef OPENBLAS_VERSION
#define HAS_BLAS 1
#endif
#endif
#endif

/* ------------------------------------------------------------------ what is computed */

typedef enum rival_kind {
    NOBODY,
    BLAS,    /* sgemm: OpenBLAS's and oneDNN's */
    CONVOLVE, /* oneDNN's, with its own layouts */
    HAND     /* the kernel of that name below */
} rival_kind;

typedef struct geometry {
    int size, window, stride, in, out, groups; /* of a convolution */
    int m, n, k, a_turned, b_turned;           /* of a product, or of each of `batch` */
    int batch;                                 /* 0: one */
} geometry;

#define NO_GEOMETRY { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

typedef struct auto_case {
    const char *name, *text;
    rival_kind  rival;
    const char *kernel; /* HAND */
    int         global[2], local[2];
    geometry    g;
    double      operations, bytes, goal; /* one of the first two is printed */
    const char *blocked; /* a layout for x and y, as the case states it; NULL: none */
} auto_case;

#define MATMUL(A, B, M, N, K, AI, BI) \
    "func f(x: f32[" A "], w: f32[" B "], y: f32[" M ", " N "]) {\n" \
    "    for (i: " M ", j: " N ", k: " K ")\n" \
    "        block y(vi: spatial(" M ") = i, vj: spatial(" N ") = j, vk: reduce(" K ") = k) {\n" \
    "            init y[vi, vj] = 0.0f;\n" \
    "            y[vi, vj] = y[vi, vj] + x[" AI "] * w[" BI "];\n" \
    "        }\n" \
    "}\n"
#define SUM(NUMBERS, AT) \
    "func f(x: f32[4096, 4096], y: f32[4096]) " NUMBERS " {\n" \
    "    for (i: 4096, j: 4096)\n" \
    "        block y(vi: spatial(4096) = i, vj: reduce(4096) = j) {\n" \
    "            init y[vi] = 0.0f;\n" \
    "            y[vi] = y[vi] + x[" AT "];\n" \
    "        }\n" \
    "}\n"
#define CONVOLUTION(BUFFERS, H, V, O, R, I, AT) \
    "func f(" BUFFERS ") {\n" \
    "    for (h: " H ", v: " V ", o: " O ", r: " R ", s: " R ", i: " I ")\n" \
    "        block y(vh: spatial(" H ") = h, vv: spatial(" V ") = v, vo: spatial(" O ") = o,\n" \
    "                vr: reduce(" R ") = r, vs: reduce(" R ") = s, vi: reduce(" I ") = i) {\n" \
    "            init y[0, vh, vv, vo] = 0.0f;\n" \
    "            y[0, vh, vv, vo] = y[0, vh, vv, vo] + " AT ";\n" \
    "        }\n" \
    "}\n"
#define ROW_OF(NAME, START, UPDATE) \
    "    for (i: 128, j: 1024)\n" \
    "        block " NAME "(vi: spatial(128) = i, vj: reduce(1024) = j) {\n" \
    "            init " NAME "[vi] = " START ";\n" \
    "            " NAME "[vi] = " UPDATE ";\n" \
    "        }\n"

static const auto_case cases[] = {
    { "product 512", MATMUL("512, 512", "512, 512", "512", "512", "512", "vi, vk", "vk, vj"), BLAS,
      NULL, { 0, 0 }, { 0, 0 }, { 0, 0, 0, 0, 0, 0, 512, 512, 512, 0, 0, 0 },
      2.0 * 512 * 512 * 512, 0, 0.7, NULL },
    { "product 512, second transposed",
      MATMUL("512, 512", "512, 512", "512", "512", "512", "vi, vk", "vj, vk"), BLAS, NULL, { 0, 0 },
      { 0, 0 }, { 0, 0, 0, 0, 0, 0, 512, 512, 512, 0, 1, 0 }, 2.0 * 512 * 512 * 512, 0, 0.7, NULL },
    { "product 512, first transposed",
      MATMUL("512, 512", "512, 512", "512", "512", "512", "vk, vi", "vk, vj"), BLAS, NULL, { 0, 0 },
      { 0, 0 }, { 0, 0, 0, 0, 0, 0, 512, 512, 512, 1, 0, 0 }, 2.0 * 512 * 512 * 512, 0, 0.7, NULL },
    { "product 1000x37x513",
      MATMUL("1000, 513", "513, 37", "1000", "37", "513", "vi, vk", "vk, vj"), BLAS, NULL, { 0, 0 },
      { 0, 0 }, { 0, 0, 0, 0, 0, 0, 1000, 37, 513, 0, 0, 0 }, 2.0 * 1000 * 37 * 513, 0, 0.7, NULL },
    { "product 1000x37x513, second transposed",
      MATMUL("1000, 513", "37, 513", "1000", "37", "513", "vi, vk", "vj, vk"), BLAS, NULL,
      { 0, 0 }, { 0, 0 }, { 0, 0, 0, 0, 0, 0, 1000, 37, 513, 0, 1, 0 },
      2.0 * 1000 * 37 * 513, 0, 0.7, NULL },
    { "product 1000x37x513, first transposed",
      MATMUL("513, 1000", "513, 37", "1000", "37", "513", "vk, vi", "vk, vj"), BLAS, NULL,
      { 0, 0 }, { 0, 0 }, { 0, 0, 0, 0, 0, 0, 1000, 37, 513, 1, 0, 0 },
      2.0 * 1000 * 37 * 513, 0, 0.7, NULL },
    { "products, 8 of 128x128x64",
      "func f(x: f32[8, 128, 64], w: f32[8, 64, 128], y: f32[8, 128, 128]) {\n"
      "    for (b: 8, i: 128, j: 128, k: 64)\n"
      "        block y(vb: spatial(8) = b, vi: spatial(128) = i, vj: spatial(128) = j,\n"
      "                vk: reduce(64) = k) {\n"
      "            init y[vb, vi, vj] = 0.0f;\n"
      "            y[vb, vi, vj] = y[vb, vi, vj] + x[vb, vi, vk] * w[vb, vk, vj];\n"
      "        }\n}\n",
      BLAS, NULL, { 0, 0 }, { 0, 0 }, { 0, 0, 0, 0, 0, 0, 128, 128, 64, 0, 0, 8 },
      8 * 2.0 * 128 * 128 * 64, 0, 0.6, NULL },
    { "transpose 2048",
      "func f(x: f32[2048, 2048], y: f32[2048, 2048]) {\n"
      "    for (i: 2048, j: 2048) y[i, j] = x[j, i];\n}\n",
      HAND, "transpose", { 256, 128 }, { 1, 1 }, NO_GEOMETRY, 0,
      2.0 * 4 * 2048 * 2048, 1.0, NULL },
    { "pack 1x112x112x64 to NCHW4c",
      "func f(x: f32[1, 112, 112, 64], y: f32[1, 112, 112, 64])\n"
      "    layout(y: (n, h, w, c) -> (n, c/4, h, w, c%4)) {\n"
      "    for (n: 1, h: 112, w: 112, c: 64) y[n, h, w, c] = x[n, h, w, c];\n}\n",
      HAND, "pack", { 112, 8 }, { 1, 1 }, NO_GEOMETRY, 0,
      2.0 * 4 * 112 * 112 * 64, 1.0, NULL },
    { "sums of rows, 4096, as written", SUM("", "vi, vj"), HAND, "rows", { 4096, 1 }, { 1, 1 },
      NO_GEOMETRY, 0, 4.0 * 4096 * 4096, 0, NULL },
    { "sums of rows, 4096, free", SUM("attr(numbers = \"free\")", "vi, vj"), HAND, "rows",
      { 4096, 1 }, { 1, 1 }, NO_GEOMETRY, 0, 4.0 * 4096 * 4096, 0.8, NULL },
    { "sums of columns, 4096", SUM("", "vj, vi"), HAND, "columns", { 8, 1 }, { 1, 1 },
      NO_GEOMETRY, 0, 4.0 * 4096 * 4096, 0.8, NULL },
    { "softmax 128x1024",
      "func f(x: f32[128, 1024], y: f32[128, 1024]) {\n"
      "    alloc m: f32[128];\n    alloc e: f32[128, 1024];\n    alloc s: f32[128];\n"
      "    for (i: 128) m[i] = max(j: 1024, x[i, j]);\n"
      "    for (i: 128, j: 1024) e[i, j] = exp(x[i, j] - m[i]);\n"
      "    for (i: 128) s[i] = sum(j: 1024, e[i, j]);\n"
      "    for (i: 128, j: 1024) y[i, j] = e[i, j] / s[i];\n}\n",
      HAND, "softmax", { 128, 1 }, { 1, 1 }, NO_GEOMETRY, 0,
      2.0 * 4 * 128 * 1024, 0.8, NULL },
    { "softmax 128x1024, sums in their order",
      "func f(x: f32[128, 1024], y: f32[128, 1024]) {\n"
      "    alloc m: f32[128];\n    alloc s: f32[128];\n"
      ROW_OF("m", "-3.0e38f", "max(m[vi], x[vi, vj])")
      ROW_OF("s", "0.0f", "s[vi] + exp(x[vi, vj] - m[vi])")
      "    for (i: 128, j: 1024) y[i, j] = exp(x[i, j] - m[i]) / s[i];\n}\n",
      HAND, "softmax", { 128, 1 }, { 1, 1 }, NO_GEOMETRY, 0,
      2.0 * 4 * 128 * 1024, 0, NULL },
    { "softmax 128x1024, one loop",
      "func f(x: f32[128, 1024], y: f32[128, 1024]) {\n"
      "    for (i: 128) {\n"
      "        let m: f32 = max(j: 1024, x[i, j]);\n"
      "        for (j: 1024) y[i, j] = exp(x[i, j] - m);\n"
      "        let s: f32 = sum(j: 1024, y[i, j]);\n"
      "        for (j: 1024) y[i, j] = y[i, j] / s;\n"
      "    }\n}\n",
      HAND, "softmax", { 128, 1 }, { 1, 1 }, NO_GEOMETRY, 0,
      2.0 * 4 * 128 * 1024, 0.8, NULL },
    { "layer norm 128x1024",
      "func f(x: f32[128, 1024], g: f32[2, 1024], y: f32[128, 1024]) {\n"
      "    alloc m: f32[128];\n    alloc s: f32[128];\n"
      "    for (i: 128) m[i] = sum(j: 1024, x[i, j]) / 1024.0f;\n"
      "    for (i: 128) s[i] = sum(j: 1024, (x[i, j] - m[i]) * (x[i, j] - m[i])) / 1024.0f;\n"
      "    for (i: 128, j: 1024)\n"
      "        y[i, j] = (x[i, j] - m[i]) / sqrt(s[i] + 0.00001f) * g[0, j] + g[1, j];\n"
      "}\n",
      HAND, "norm", { 128, 1 }, { 1, 1 }, NO_GEOMETRY, 0,
      2.0 * 4 * 128 * 1024, 0.8, NULL },
    { "layer norm 128x1024, one loop",
      "func f(x: f32[128, 1024], g: f32[2, 1024], y: f32[128, 1024]) {\n"
      "    for (i: 128) {\n"
      "        let m: f32 = sum(j: 1024, x[i, j]) / 1024.0f;\n"
      "        let s: f32 = sum(j: 1024, (x[i, j] - m) * (x[i, j] - m)) / 1024.0f;\n"
      "        for (j: 1024)\n"
      "            y[i, j] = (x[i, j] - m) / sqrt(s + 0.00001f) * g[0, j] + g[1, j];\n"
      "    }\n}\n",
      HAND, "norm", { 128, 1 }, { 1, 1 }, NO_GEOMETRY, 0,
      2.0 * 4 * 128 * 1024, 0.8, NULL },
    { "layer norm 128x1024, sums in their order",
      "func f(x: f32[128, 1024], g: f32[2, 1024], y: f32[128, 1024]) {\n"
      "    alloc m: f32[128];\n    alloc s: f32[128];\n"
      ROW_OF("m", "0.0f", "m[vi] + x[vi, vj] / 1024.0f")
      ROW_OF("s", "0.0f", "s[vi] + (x[vi, vj] - m[vi]) * (x[vi, vj] - m[vi])")
      "    for (i: 128, j: 1024)\n"
      "        y[i, j] = (x[i, j] - m[i]) / sqrt(s[i] / 1024.0f + 0.00001f) * g[0, j] + g[1, j];\n"
      "}\n",
      HAND, "norm", { 128, 1 }, { 1, 1 }, NO_GEOMETRY, 0,
      2.0 * 4 * 128 * 1024, 0, NULL },
    { "largest of 3x3, stride 2",
      "func f(x: f32[1, 112, 112, 64], y: f32[1, 55, 55, 64]) {\n"
      "    for (h: 55, w: 55, c: 64, r: 3, s: 3)\n"
      "        block y(vh: spatial(55) = h, vw: spatial(55) = w, vc: spatial(64) = c,\n"
      "                vr: reduce(3) = r, vs: reduce(3) = s) {\n"
      "            init y[0, vh, vw, vc] = -3.0e38f;\n"
      "            y[0, vh, vw, vc] = max(y[0, vh, vw, vc], x[0, vh * 2 + vr, vw * 2 + vs, vc]);\n"
      "        }\n}\n",
      HAND, "pool", { 55, 55 }, { 1, 1 }, NO_GEOMETRY, 0,
      4.0 * (112 * 112 + 55 * 55) * 64, 0.8, NULL },
    { "mean of 7x7, 32 of 2048 channels",
      "func f(x: f32[32, 7, 7, 2048], y: f32[32, 2048]) {\n"
      "    for (n: 32, c: 2048)\n"
      "        y[n, c] = sum(h: 7, w: 7, x[n, h, w, c]) / 49.0f;\n}\n",
      HAND, "mean", { 32, 1 }, { 1, 1 }, NO_GEOMETRY, 0,
      4.0 * 50 * 32 * 2048, 0.8, NULL },
    { "bilinear resize, 64x64x64 to 128x128x64",
      "func f(x: f32[64, 64, 64], y: f32[128, 128, 64]) {\n"
      "    for (h: 128, w: 128, c: 64)\n"
      "        y[h, w, c] =\n"
      "            (x[h / 2, w / 2, c] * (1.0f - 0.5f * f32(h % 2))\n"
      "             + x[min(h / 2 + 1, 63), w / 2, c] * (0.5f * f32(h % 2)))\n"
      "                * (1.0f - 0.5f * f32(w % 2))\n"
      "            + (x[h / 2, min(w / 2 + 1, 63), c] * (1.0f - 0.5f * f32(h % 2))\n"
      "               + x[min(h / 2 + 1, 63), min(w / 2 + 1, 63), c] * (0.5f * f32(h % 2)))\n"
      "                * (0.5f * f32(w % 2));\n}\n",
      HAND, "resize", { 64, 64 }, { 1, 1 }, NO_GEOMETRY, 0,
      4.0 * 5 * 64 * 64 * 64, 0.8, NULL },
    { "stencil of 5 points, 2048",
      "func f(x: f32[2050, 2050], y: f32[2048, 2048]) {\n"
      "    for (i: 2048, j: 2048)\n"
      "        y[i, j] = 0.5f * x[i + 1, j + 1]\n"
      "            + 0.125f * (x[i, j + 1] + x[i + 2, j + 1] + x[i + 1, j] + x[i + 1, j + 2]);\n"
      "}\n",
      HAND, "stencil", { 512, 1 }, { 1, 1 }, NO_GEOMETRY, 0,
      2.0 * 4 * 2048 * 2048, 0.8, NULL },
    { "convolution 3x3, border a condition",
      CONVOLUTION("x: f32[1, 56, 56, 64], w: f32[64, 64, 3, 3], y: f32[1, 56, 56, 64]", "56", "56",
                  "64", "3", "64",
                  "(vh + vr >= 1 && vh + vr < 57 && vv + vs >= 1 && vv + vs < 57 ? "
                  "x[0, vh + vr - 1, vv + vs - 1, vi] : 0.0f) * w[vo, vi, vr, vs]"),
      CONVOLVE, NULL, { 0, 0 }, { 0, 0 }, { 56, 3, 1, 64, 64, 1, 0, 0, 0, 0, 0, 0 },
      2.0 * 56 * 56 * 64 * 64 * 9, 0, 0.8, NULL },
    { "convolution 3x3, border in x",
      CONVOLUTION("x: f32[1, 58, 58, 64], w: f32[64, 64, 3, 3], y: f32[1, 56, 56, 64]", "56", "56",
                  "64", "3", "64", "x[0, vh + vr, vv + vs, vi] * w[vo, vi, vr, vs]"),
      CONVOLVE, NULL, { 0, 0 }, { 0, 0 }, { 56, 3, 1, 64, 64, 1, 0, 0, 0, 0, 0, 0 },
      2.0 * 56 * 56 * 64 * 64 * 9, 0, 0.8, NULL },
    { "convolution 3x3, NCHW4c",
      "func f(x: f32[1, 58, 58, 64], w: f32[64, 64, 3, 3], y: f32[1, 56, 56, 64])\n"
      "    layout(x: (n, h, w, c) -> (n, c/4, h, w, c%4))\n"
      "    layout(y: (n, h, w, c) -> (n, c/4, h, w, c%4)) {\n"
      "    for (h: 56, v: 56, o: 64, r: 3, s: 3, i: 64)\n"
      "        block y(vh: spatial(56) = h, vv: spatial(56) = v, vo: spatial(64) = o,\n"
      "                vr: reduce(3) = r, vs: reduce(3) = s, vi: reduce(64) = i) {\n"
      "            init y[0, vh, vv, vo] = 0.0f;\n"
      "            y[0, vh, vv, vo] = y[0, vh, vv, vo]\n"
      "                + x[0, vh + vr, vv + vs, vi] * w[vo, vi, vr, vs];\n"
      "        }\n}\n",
      CONVOLVE, NULL, { 0, 0 }, { 0, 0 }, { 56, 3, 1, 64, 64, 1, 0, 0, 0, 0, 0, 0 },
      2.0 * 56 * 56 * 64 * 64 * 9, 0, 0.7, NULL },
    { "convolution 1x1, 256 to 64",
      CONVOLUTION("x: f32[1, 56, 56, 256], w: f32[64, 256], y: f32[1, 56, 56, 64]", "56", "56",
                  "64", "1", "256", "x[0, vh + vr, vv + vs, vi] * w[vo, vi]"),
      CONVOLVE, NULL, { 0, 0 }, { 0, 0 }, { 56, 1, 1, 256, 64, 1, 0, 0, 0, 0, 0, 0 },
      2.0 * 56 * 56 * 64 * 256, 0, 0.8, NULL },
    { "convolution, depthwise 3x3",
      CONVOLUTION("x: f32[1, 114, 114, 32], w: f32[32, 3, 3], y: f32[1, 112, 112, 32]", "112",
                  "112", "32", "3", "1", "x[0, vh + vr, vv + vs, vo] * w[vo, vr, vs]"),
      CONVOLVE, NULL, { 0, 0 }, { 0, 0 }, { 112, 3, 1, 32, 32, 32, 0, 0, 0, 0, 0, 0 },
      2.0 * 112 * 112 * 32 * 9, 0, 1.0, NULL },
    { "convolution 7x7, stride 2, 3 to 64",
      CONVOLUTION("x: f32[1, 229, 229, 3], w: f32[64, 3, 7, 7], y: f32[1, 112, 112, 64]", "112",
                  "112", "64", "7", "3", "x[0, vh * 2 + vr, vv * 2 + vs, vi] * w[vo, vi, vr, vs]"),
      CONVOLVE, NULL, { 0, 0 }, { 0, 0 }, { 112, 7, 2, 3, 64, 1, 0, 0, 0, 0, 0, 0 },
      2.0 * 112 * 112 * 64 * 3 * 49, 0, 0.6, NULL },
};
enum { CASES = sizeof cases / sizeof *cases };

/* ------------------------------------------------------------------ by hand */

/* (in two: C99 promises 4095 characters of a literal) */
static const char hand_sums[] =
    "#define ITEM __kernel __attribute__((reqd_work_group_size(1, 1, 1)))\n"
    "ITEM void transpose(__global const float *restrict x, __global const float *restrict w, "
    "__global float *restrict y)\n"
    "{\n"
    "    uint i = get_group_id(1) * 16, j = get_group_id(0) * 8;\n"
    "    float t[8][16];\n"
    "    for (int k = 0; k < 8; k++) vstore16(vload16(0, x + (j + k) * 2048 + i), 0, t[k]);\n"
    "    for (int k = 0; k < 16; k++)\n"
    "        vstore8((float8)(t[0][k], t[1][k], t[2][k], t[3][k], t[4][k], t[5][k], t[6][k], "
    "t[7][k]), 0, y + (i + k) * 2048 + j);\n"
    "}\n"
    "ITEM void pack(__global const float *restrict x, __global const float *restrict w, "
    "__global float *restrict y)\n"
    "{\n"
    "    uint h = get_group_id(0), c = get_group_id(1) * 2;\n"
    "    for (int v = 0; v < 112; v++) {\n"
    "        float8 t = vload8(0, x + (h * 112 + v) * 64 + c * 4);\n"
    "        vstore4(t.lo, 0, y + ((c * 112 + h) * 112 + v) * 4);\n"
    "        vstore4(t.hi, 0, y + (((c + 1) * 112 + h) * 112 + v) * 4);\n"
    "    }\n"
    "}\n"
    "float add(float16 v)\n"
    "{\n"
    "    float8 a = v.lo + v.hi; float4 b = a.lo + a.hi; float2 c = b.lo + b.hi;\n"
    "    return c.x + c.y;\n"
    "}\n"
    "float most(float16 v)\n"
    "{\n"
    "    float8 a = fmax(v.lo, v.hi); float4 b = fmax(a.lo, a.hi); float2 c = fmax(b.lo, b.hi);\n"
    "    return fmax(c.x, c.y);\n"
    "}\n"
    "ITEM void rows(__global const float *restrict x, __global const float *restrict w, "
    "__global float *restrict y)\n"
    "{\n"
    "    float16 s = 0, t = 0, u = 0, v = 0;\n"
    "    x += get_group_id(0) * 4096;\n"
    "    for (int j = 0; j < 256; j += 4) {\n"
    "        s += vload16(j, x); t += vload16(j + 1, x);\n"
    "        u += vload16(j + 2, x); v += vload16(j + 3, x);\n"
    "    }\n"
    "    y[get_group_id(0)] = add((s + t) + (u + v));\n"
    "}\n"
    /* 512 columns, row by row: eight rows go past a sum while it is in a register */
    "ITEM void columns(__global const float *restrict x, __global const float *restrict w, "
    "__global float *restrict y)\n"
    "{\n"
    "    float16 s[32];\n"
    "    x += get_group_id(0) * 512, y += get_group_id(0) * 512;\n"
    "    for (int i = 0; i < 32; i++) s[i] = 0;\n"
    "    for (int j = 0; j < 4096; j += 8, x += 8 * 4096)\n"
    "        for (int i = 0; i < 32; i++) {\n"
    "            float16 t = s[i];\n"
    "            for (int k = 0; k < 8; k++) t += vload16(i, x + k * 4096);\n"
    "            s[i] = t;\n"
    "        }\n"
    "    for (int i = 0; i < 32; i++) vstore16(s[i], i, y);\n"
    "}\n"
    "ITEM void softmax(__global const float *restrict x, __global const float *restrict w, "
    "__global float *restrict y)\n"
    "{\n"
    "    float16 m = -3.0e38f, s = 0;\n"
    "    x += get_group_id(0) * 1024, y += get_group_id(0) * 1024;\n"
    "    for (int j = 0; j < 64; j++) m = fmax(m, vload16(j, x));\n"
    "    m = most(m);\n"
    "    for (int j = 0; j < 64; j++) {\n"
    "        float16 e = exp(vload16(j, x) - m);\n"
    "        s += e;\n"
    "        vstore16(e, j, y);\n"
    "    }\n"
    "    s = 1.0f / add(s);\n"
    "    for (int j = 0; j < 64; j++) vstore16(vload16(j, y) * s, j, y);\n"
    "}\n";
static const char hand_windows[] =
    "ITEM void norm(__global const float *restrict x, __global const float *restrict g, "
    "__global float *restrict y)\n"
    "{\n"
    "    float16 m = 0, s = 0;\n"
    "    x += get_group_id(0) * 1024, y += get_group_id(0) * 1024;\n"
    "    for (int j = 0; j < 64; j++) m += vload16(j, x);\n"
    "    m = add(m) / 1024.0f;\n"
    "    for (int j = 0; j < 64; j++) { float16 d = vload16(j, x) - m; s += d * d; }\n"
    "    s = 1.0f / sqrt(add(s) / 1024.0f + 0.00001f);\n"
    "    for (int j = 0; j < 64; j++)\n"
    "        vstore16((vload16(j, x) - m) * s * vload16(j, g) + vload16(j + 64, g), j, y);\n"
    "}\n"
    "ITEM void pool(__global const float *restrict x, __global const float *restrict w, "
    "__global float *restrict y)\n"
    "{\n"
    "    uint h = get_group_id(1), v = get_group_id(0);\n"
    "    for (int c = 0; c < 4; c++) {\n"
    "        float16 m = -3.0e38f;\n"
    "        for (int r = 0; r < 3; r++)\n"
    "            for (int s = 0; s < 3; s++)\n"
    "            {\n"
    "                float16 t = vload16(c, x + ((h * 2 + r) * 112 + v * 2 + s) * 64);\n"
    "                m = t > m ? t : m;\n"
    "            }\n"
    "        vstore16(m, c, y + (h * 55 + v) * 64);\n"
    "    }\n"
    "}\n"
    "ITEM void mean(__global const float *restrict x, __global const float *restrict w, "
    "__global float *restrict y)\n"
    "{\n"
    "    float16 s[128];\n"
    "    x += get_group_id(0) * 49 * 2048, y += get_group_id(0) * 2048;\n"
    "    for (int i = 0; i < 128; i++) s[i] = 0;\n"
    "    for (int h = 0; h < 7; h++, x += 7 * 2048)\n"
    "        for (int i = 0; i < 128; i++) {\n"
    "            float16 t = s[i];\n"
    "            for (int k = 0; k < 7; k++) t += vload16(i, x + k * 2048);\n"
    "            s[i] = t;\n"
    "        }\n"
    "    for (int i = 0; i < 128; i++) vstore16(s[i] * (1 / 49.0f), i, y);\n"
    "}\n"
    /* four results of each input, whose weights are known */
    "ITEM void resize(__global const float *restrict x, __global const float *restrict w, "
    "__global float *restrict y)\n"
    "{\n"
    "    uint h = get_group_id(1), v = get_group_id(0);\n"
    "    uint h1 = min(h + 1, 63u), v1 = min(v + 1, 63u);\n"
    "    __global const float *a = x + (h * 64 + v) * 64, *b = x + (h1 * 64 + v) * 64;\n"
    "    __global const float *c = x + (h * 64 + v1) * 64, *d = x + (h1 * 64 + v1) * 64;\n"
    "    y += (h * 2 * 128 + v * 2) * 64;\n"
    "    for (int k = 0; k < 4; k++) {\n"
    "        float16 p = vload16(k, a), q = vload16(k, b), r = vload16(k, c), s = vload16(k, d);\n"
    "        float16 m = 0.5f * (p + q), n = 0.5f * (r + s);\n"
    "        vstore16(p, k, y); vstore16(0.5f * (p + r), k, y + 64);\n"
    "        vstore16(m, k, y + 128 * 64); vstore16(0.5f * (m + n), k, y + 129 * 64);\n"
    "    }\n"
    "}\n"
    /* four rows at once, from end to end: of six lines each is loaded once */
    "ITEM void stencil(__global const float *restrict x, __global const float *restrict w, "
    "__global float *restrict y)\n"
    "{\n"
    "    x += get_group_id(0) * 4 * 2050, y += get_group_id(0) * 4 * 2048;\n"
    "    for (int j = 0; j < 128; j++) {\n"
    "        __global const float *p = x + j * 16;\n"
    "        float16 c[6];\n"
    "        for (int k = 0; k < 6; k++) c[k] = vload16(0, p + k * 2050 + 1);\n"
    "        for (int k = 0; k < 4; k++)\n"
    "            vstore16(0.5f * c[k + 1] + 0.125f * (c[k] + c[k + 2] "
    "+ vload16(0, p + (k + 1) * 2050) + vload16(0, p + (k + 1) * 2050 + 2)), j, y + k * 2048);\n"
    "    }\n"
    "}\n"
    "__kernel void copy(__global const float16 *restrict x, __global float16 *restrict y)\n"
    "{\n"
    "    y[get_global_id(0)] = x[get_global_id(0)] + 1.0f;\n"
    "}\n";

/* ------------------------------------------------------------------ one case */

enum { BUFFERS = 3, RIVALS = 5 };

typedef struct rival {
    const char *name;
    double      least[16]; /* seconds, of each round */
} rival;

typedef struct bench {
    irl_ctx         *cx;
    irl_ocl         *cl;
    cl_program       hand;
    const auto_case *c;
    int              count; /* of the function's buffers; the last is the result */
    size_t           cells[BUFFERS];
    float           *data[BUFFERS], *expected;
    cl_mem           memory[BUFFERS];
    irl_ocl_module   *built;
    cl_kernel        kernel;
    rival            rivals[RIVALS];
    int              rival_count;
    double           make, whole; /* seconds, for the schedule; from text to source */
#ifdef HAS_DNNL
    one_dnn          dnnl;
    dnnl_memory_t    own[3];
    dnnl_primitive_t convolution;
#endif
} bench;

static void must_work(const bench *b, int ok)
{
    if (ok) return;
    fprintf(stderr, "%s: %s\n", b->c->name, irl_diag_text(b->cx));
    exit(2);
}

static irl_arguments arguments_of(const bench *b, int on_device)
{
    irl_arguments a;
    int           k;
    memset(&a, 0, sizeof a);
    a.count = b->count;
    for (k = 0; k < b->count; k++)
        a.data[k] = on_device ? (void *)b->memory[k] : (void *)b->data[k];
    return a;
}

static void compare(const bench *b, const char *who, double tolerance)
{
    const float *y = b->data[b->count - 1];
    size_t       k;
    for (k = 0; k < b->cells[b->count - 1]; k++)
        if (!(fabs((double)y[k] - (double)b->expected[k]) <=
              tolerance * (1 + fabs((double)b->expected[k])))) {
            printf("  WRONG: %s: element %lu is %g, not %g\n", who, (unsigned long)k, (double)y[k],
                   (double)b->expected[k]);
            bench_missed++;
            return;
        }
}

/* ------------------------------------------------------------------ libraries */

#ifdef HAS_DNNL
static void dnnl_md(dnnl_memory_desc_t *md, int rank, const int *sizes)
{
    dnnl_dims_t dims;
    int         k;
    for (k = 0; k < rank; k++) dims[k] = sizes[k];
    must_dnnl(dnnl_memory_desc_init_by_tag(md, rank, dims, dnnl_f32, dnnl_format_tag_any), "any");
}

/* Memory that oneDNN allocates holds what was there: zeros of a fresh process, or what earlier
   cases left, which as floats are denormal numbers, and then each of its operations takes a hundred
   times as long. So all of it is filled with numbers like ours. */
static void fill_dnnl(dnnl_memory_t memory)
{
    const dnnl_memory_desc_t *md;
    void                     *data;
    size_t                    k, count;
    must_dnnl(dnnl_memory_get_memory_desc(memory, &md), "desc");
    must_dnnl(dnnl_memory_get_data_handle(memory, &data), "data");
    count = dnnl_memory_desc_get_size(md) / sizeof(float);
    for (k = 0; k < count; k++) ((float *)data)[k] = (float)((int)(k * 7 % 17) - 8) / 8.0f;
}

/* A convolution in the layouts that oneDNN asks for; only its time is looked at. */
static void open_dnnl(bench *b)
{
    static const dnnl_query_t queries[] = { dnnl_query_src_md, dnnl_query_weights_md,
                                            dnnl_query_dst_md };
    const geometry *g = &b->c->g;
    const int       per = g->in / g->groups, border = g->window / 2;
    const int       source[] = { 1, g->in, g->size * g->stride, g->size * g->stride },
              plain[] = { g->out, per, g->window, g->window },
              grouped[] = { g->groups, g->out / g->groups, per, g->window, g->window },
              result[] = { 1, g->out, g->size, g->size };
    dnnl_dims_t             strides = { g->stride, g->stride }, left = { border, border },
                right = { border - (g->stride - 1), border - (g->stride - 1) };
    dnnl_memory_desc_t      md[3];
    dnnl_convolution_desc_t c;
    dnnl_primitive_desc_t   d;
    int                     k;
    dnnl_open(&b->dnnl);
    dnnl_md(&md[0], 4, source);
    dnnl_md(&md[1], g->groups > 1 ? 5 : 4, g->groups > 1 ? grouped : plain);
    dnnl_md(&md[2], 4, result);
    must_dnnl(dnnl_convolution_forward_desc_init(&c, dnnl_forward_inference,
                                                 dnnl_convolution_direct, &md[0], &md[1], NULL,
                                                 &md[2], strides, left, right),
              "convolution");
    must_dnnl(dnnl_primitive_desc_create(&d, &c, NULL, b->dnnl.engine, NULL), "convolution");
    must_dnnl(dnnl_primitive_create(&b->convolution, d), "convolution");
    for (k = 0; k < 3; k++)
        must_dnnl(dnnl_memory_create(&b->own[k], dnnl_primitive_desc_query_md(d, queries[k], 0),
                                     b->dnnl.engine, DNNL_MEMORY_ALLOCATE),
                  "memory");
    for (k = 0; k < 3; k++) fill_dnnl(b->own[k]);
    dnnl_primitive_desc_destroy(d);
}

static void close_dnnl(bench *b)
{
    int k;
    dnnl_primitive_destroy(b->convolution);
    for (k = 0; k < 3; k++) dnnl_memory_destroy(b->own[k]);
    dnnl_close(&b->dnnl);
}

static double run_dnnl(bench *b)
{
    static const int names[] = { DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST };
    double           begin = bench_now();
    dnnl_run(&b->dnnl, b->convolution, 3, names, b->own);
    return bench_now() - begin;
}

static double run_dnnl_product(bench *b)
{
    const geometry *g = &b->c->g;
    double          begin = bench_now();
    int             k;
    for (k = 0; k < (g->batch ? g->batch : 1); k++)
        must_dnnl(dnnl_sgemm(g->a_turned ? 'T' : 'N', g->b_turned ? 'T' : 'N', g->m, g->n, g->k,
                             1.0f, b->data[0] + k * g->m * g->k, g->a_turned ? g->m : g->k,
                             b->data[1] + k * g->k * g->n, g->b_turned ? g->k : g->n, 0.0f,
                             b->data[2] + k * g->m * g->n, g->n),
                  "sgemm");
    return bench_now() - begin;
}
#endif

#ifdef HAS_BLAS
static double run_blas(bench *b)
{
    const geometry *g = &b->c->g;
    double          begin = bench_now();
    int             k;
    for (k = 0; k < (g->batch ? g->batch : 1); k++)
        cblas_sgemm(CblasRowMajor, g->a_turned ? CblasTrans : CblasNoTrans,
                    g->b_turned ? CblasTrans : CblasNoTrans, g->m, g->n, g->k, 1.0f,
                    b->data[0] + k * g->m * g->k, g->a_turned ? g->m : g->k,
                    b->data[1] + k * g->k * g->n, g->b_turned ? g->k : g->n, 0.0f,
                    b->data[2] + k * g->m * g->n, g->n);
    return bench_now() - begin;
}
#endif

/* ------------------------------------------------------------------ running */

static double run_emitted(bench *b)
{
    int64_t ns = irl_ocl_module_time(b->built, arguments_of(b, 1), 1);
    must_work(b, ns >= 0);
    return 1e-9 * (double)ns;
}

static double run_hand(bench *b)
{
    size_t   global[2], local[2];
    cl_event event;
    int      k;
    for (k = 0; k < 2; k++)
        global[k] = (size_t)b->c->global[k], local[k] = (size_t)b->c->local[k];
    must_cl(clEnqueueNDRangeKernel(irl_ocl_queue(b->cl), b->kernel, 2, NULL, global, local, 0, NULL,
                                   &event),
            b->c->kernel);
    return device_seconds(event, b->c->kernel);
}

typedef double run_rival(bench *b);

/* Rivals of one round take turns; the least of each. */
static void run_rounds(bench *b, int rounds, run_rival *const *runs)
{
    int round, turn, k;
    for (k = 0; k < b->rival_count; k++) runs[k](b); /* warm */
    for (round = 0; round < rounds; round++)
        for (k = 0; k < b->rival_count; k++) {
            double *least = &b->rivals[k].least[round], spent = 0;
            *least = 0;
            for (turn = 0; turn < 60 && spent < 0.05; turn++) {
                double t = runs[k](b);
                bench_least(least, t);
                spent += t;
            }
        }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Least over all rounds; of what is shared with neighbours only that repeats. *spread: of the
   rounds' minima, the middle one over the least. */
static double least_of(rival *r, int rounds, double *spread)
{
    qsort(r->least, (size_t)rounds, sizeof *r->least, ascending);
    *spread = r->least[rounds / 2] / r->least[0] - 1;
    return r->least[0];
}

static void report(bench *b, int rounds)
{
    double best = 0, ours = 0, again = 0, spread;
    int    k;
    for (k = 0; k < b->rival_count; k++) {
        rival *r = &b->rivals[k];
        double t = least_of(r, rounds, &spread);
        printf("  %-36s %10.1f us  ", r->name, t * 1e6);
        if (b->c->operations > 0) printf("%8.1f GFLOP/s", b->c->operations / t * 1e-9);
        else printf("%8.1f GB/s   ", b->c->bytes / t * 1e-9);
        printf("  (rounds %+.0f %%)\n", spread * 100);
        if (k == 0) ours = t;
        if (k == 1) again = t;
        if (k >= 2) bench_least(&best, t);
    }
    spread = fabs(again / ours - 1); /* of A/A: what a ratio may be short by */
    if (spread > 0.1) printf("  A/A spread %.0f %%: not measured\n", spread * 100);
    if (best > 0 && b->c->goal == 0) printf("  of the best rival %.2f: no goal\n", best / ours);
    else if (best > 0)
        bench_gate("of the best rival", best / ours >= b->c->goal - spread, best / ours,
                   "",
                   b->c->goal >= 1 ? ">= 1.00" : b->c->goal >= 0.8 ? ">= 0.80"
                                             : b->c->goal >= 0.7   ? ">= 0.70"
                                                                   : ">= 0.60", 1);
    bench_gate("making the schedule", b->make < 1e-3, b->make * 1e6, "us", "< 1000", 1);
    bench_gate("from text to source", b->whole < 2e-3, b->whole * 1e6, "us", "< 2000", 1);
}

/* ------------------------------------------------------------------ one case, all of it */

/* The schedule that is made, or to try another, the file that IRL_BENCH_SCHEDULE names. */
static irl_module *scheduled(bench *b, const irl_func *f)
{
    static char file[1 << 16];
    const char *text = irl_schedule_auto(f, irl_ocl_target(b->cl));
    const char *path = getenv("IRL_BENCH_SCHEDULE");
    FILE       *in = path ? fopen(path, "rb") : NULL;
    must_work(b, text[0]);
    if (in) {
        file[fread(file, 1, sizeof file - 1, in)] = '\0';
        fclose(in);
        text = file;
    }
    if (getenv("IRL_BENCH_SOURCE")) puts(text);
    return irl_func_lower(irl_schedule_parse(f, text, IRL_TO_NUL, "auto"), irl_ocl_target(b->cl));
}

static double make_seconds(bench *b, const irl_func *f)
{
    double least = 0, begin;
    int    k;
    for (k = 0; k < 20; k++) {
        irl_mark mark = irl_ctx_mark(b->cx);
        begin = bench_now();
        must_work(b, irl_schedule_auto(f, irl_ocl_target(b->cl))[0]);
        bench_least(&least, bench_now() - begin);
        irl_ctx_rewind(b->cx, mark);
    }
    return least;
}

/* From the text to OpenCL C, in a context that knows nothing. */
static double whole_seconds(bench *b)
{
    irl_lower_options how;
    double            least = 0, begin;
    int               k;
    memset(&how, 0, sizeof how);
    how.schedule = IRL_SCHEDULE_AUTO;
    for (k = 0; k < 20; k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        irl_func   *f;
        irl_module *m;
        begin = bench_now();
        f = irl_func_parse(cx, b->c->text, IRL_TO_NUL, b->c->name);
        m = irl_func_lower_with(f, irl_ocl_target(b->cl), &how);
        must_work(b, irl_ocl_source(m)[0]);
        bench_least(&least, bench_now() - begin);
        irl_ctx_destroy(cx);
    }
    return least;
}

static void make_data(bench *b, const irl_module *m)
{
    const irl_func *host = irl_module_host(m);
    irl_tensor      t;
    size_t          at;
    int             k, i;
    b->count = irl_func_param_count(host);
    for (k = 0; k < b->count; k++) {
        must_work(b, irl_func_param_tensor(host, k, arguments_of(b, 0), &t));
        for (b->cells[k] = 1, i = 0; i < t.shape.rank; i++)
            b->cells[k] *= (size_t)t.shape.extent[i];
        b->data[k] = device_host_memory(b->cells[k]);
        for (at = 0; at < b->cells[k]; at++)
            b->data[k][at] = (float)((at * 7 + at / 64 * 5 + (size_t)k) % 15) - 7.0f;
    }
    b->expected = device_host_memory(b->cells[b->count - 1]);
}

static void add_rival(bench *b, run_rival **runs, const char *name, run_rival *run)
{
    memset(&b->rivals[b->rival_count], 0, sizeof *b->rivals);
    b->rivals[b->rival_count].name = name;
    runs[b->rival_count++] = run;
}

static void add_rivals(bench *b, run_rival **runs)
{
    cl_uint k;
    add_rival(b, runs, "scheduled by irl_schedule_auto", run_emitted);
    add_rival(b, runs, "the same again (A/A)", run_emitted);
    if (b->c->rival == HAND) {
        b->kernel = device_kernel(b->hand, b->c->kernel);
        for (k = 0; k < 3; k++) { /* x, what else there is, y */
            int which = k == 2 ? b->count - 1 : b->count == 3 ? (int)k : 0;
            clSetKernelArg(b->kernel, k, sizeof b->memory[which], &b->memory[which]);
        }
        add_rival(b, runs, "by hand", run_hand);
    }
#ifdef HAS_BLAS
    if (b->c->rival == BLAS) add_rival(b, runs, "OpenBLAS", run_blas);
#endif
#ifdef HAS_DNNL
    if (b->c->rival == BLAS) add_rival(b, runs, "oneDNN", run_dnnl_product);
    if (b->c->rival == CONVOLVE) {
        open_dnnl(b);
        add_rival(b, runs, "oneDNN, in its own layouts", run_dnnl);
    }
#endif
}

static void one_case(bench *b, int rounds)
{
    run_rival  *runs[RIVALS];
    irl_func   *f = irl_func_parse(b->cx, b->c->text, IRL_TO_NUL, b->c->name);
    irl_module *plain = lower_as_written(f, irl_ocl_target(b->cl)), *m;
    int         k;
    must_work(b, plain != NULL);
    m = scheduled(b, f);
    must_work(b, m != NULL);
    printf("%s\n", b->c->name);
    b->make = make_seconds(b, f);
    b->whole = whole_seconds(b);
    make_data(b, m);
    must_work(b, irl_ocl_run(b->cl, plain, arguments_of(b, 0)));
    memcpy(b->expected, b->data[b->count - 1], b->cells[b->count - 1] * sizeof(float));
    memset(b->data[b->count - 1], 0, b->cells[b->count - 1] * sizeof(float));
    must_work(b, irl_ocl_run(b->cl, m, arguments_of(b, 0)));
    /* where rivals are by hand, sums may be of another order than those of the plain function */
    compare(b, "scheduled by irl_schedule_auto", b->c->rival == HAND ? 1e-4 : 1e-5);
    b->built = irl_ocl_module_create(b->cl, m);
    must_work(b, b->built != NULL);
    for (k = 0; k < b->count; k++) {
        b->memory[k] = irl_ocl_memory_create(b->cl, m, k, arguments_of(b, 0));
        must_work(b, b->memory[k] &&
                         irl_ocl_memory_upload(b->cl, m, k, arguments_of(b, 0), b->memory[k]));
    }
    b->rival_count = 0;
    add_rivals(b, runs);
    if (b->c->rival == HAND) {
        run_hand(b);
        must_work(b, irl_ocl_memory_download(b->cl, m, b->count - 1, arguments_of(b, 0),
                                             b->memory[b->count - 1]));
        compare(b, "by hand", 1e-4);
    }
#ifdef HAS_BLAS
    if (b->c->rival == BLAS) {
        run_blas(b);
        compare(b, "OpenBLAS", 1e-5);
    }
#endif
#ifdef HAS_DNNL
    if (b->c->rival == BLAS) {
        run_dnnl_product(b);
        compare(b, "oneDNN", 1e-5);
    }
#endif
    run_rounds(b, rounds, runs);
    report(b, rounds);
#ifdef HAS_DNNL
    if (b->c->rival == CONVOLVE) close_dnnl(b);
#endif
    if (b->c->rival == HAND) clReleaseKernel(b->kernel);
    irl_ocl_module_destroy(b->built);
    for (k = 0; k < b->count; k++) {
        irl_ocl_memory_destroy(b->memory[k]);
        free(b->data[k]);
    }
    free(b->expected);
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    const int   rounds = argc > 2 && atoi(argv[2]) > 0 && atoi(argv[2]) < 16 ? atoi(argv[2]) : 5;
    bench       b;
    int         k;
    char        source[sizeof hand_sums + sizeof hand_windows];
    device_calm_openmp(argv);
    memset(&b, 0, sizeof b);
    b.cx = irl_ctx_create(NULL);
    b.cl = device_open(b.cx);
    if (!b.cl) return 0;
    printf("%s; the least of %d rounds in which rivals take turns\n", irl_ocl_device_name(b.cl),
           rounds);
    snprintf(source, sizeof source, "%s%s", hand_sums, hand_windows);
    b.hand = device_program(irl_ocl_context(b.cl), irl_ocl_device(b.cl), source,
                            "-cl-std=CL1.2");
    for (k = 0; k < CASES; k++) {
        b.c = &cases[k];
        if (strstr(b.c->name, only)) one_case(&b, rounds);
    }
    clReleaseProgram(b.hand);
    irl_ocl_destroy(b.cl);
    irl_ctx_destroy(b.cx);
    return bench_done();
}
