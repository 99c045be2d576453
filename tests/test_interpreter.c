/* test_interpreter.c - the judge is judged: results worked out by hand, and each diagnostic that a
   run can give. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#endif
#include "test.h"

/* ------------------------------------------------------------------ helpers */

static irl_ctx *cx;

static irl_func *parse(const char *text)
{
    irl_func *f = irl_func_parse(cx, text, strlen(text), "test");
    if (!f) printf("%s\n%s\n", text, irl_diag_text(cx));
    return f;
}

/* Runs a text in a fresh context; the arguments are what IRL_ARGS takes. */
#define RUN(text, ...) run((text), IRL_ARGS(__VA_ARGS__))
#define RUN_POINTERS(text, ...) run((text), IRL_POINTERS(__VA_ARGS__))
static int run(const char *text, irl_arguments arguments)
{
    irl_func *f;
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(NULL);
    f = parse(text);
    return f && irl_func_interpret(f, arguments);
}

static int run_module(const char *text, irl_arguments arguments)
{
    irl_module *m;
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(NULL);
    m = irl_module_parse(cx, text, strlen(text), "test");
    if (!m) printf("%s\n%s\n", text, irl_diag_text(cx));
    return m && irl_module_interpret(m, arguments);
}

#define WORKS(text, ...) \
    test_check(RUN(text, __VA_ARGS__) || (printf("%s\n", irl_diag_text(cx)), 0), #text, __FILE__, \
               __LINE__)
#define FAILS(code, text, ...) fails(IRL_ERROR_##code, RUN(text, __VA_ARGS__), #text, __LINE__)
static void fails(irl_code code, int ran, const char *text, int line)
{
    if (test_check(!ran, text, __FILE__, line)) test_code(cx, code, __FILE__, line);
}
/* The diagnostic says this. Used only where naming things is the promise. */
#define SAYS(words) \
    test_check(irl_diag_of(cx) && strstr(irl_diag_of(cx)->message, (words)) != NULL, \
               (words), __FILE__, __LINE__)

static int equal_f32(const float *a, const float *b, int n)
{
    return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}
static int equal_i32(const int32_t *a, const int32_t *b, int n)
{
    return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

/* ------------------------------------------------------------------ plain programs */

static void plain_loops(void)
{
    float x[6] = { 1, 2, 3, 4, 5, 6 }, y[6] = { 0 },
          expected[6] = { 2.5f, 4.5f, 6.5f, 8.5f, 10.5f, 12.5f };
    WORKS("func f(x: f32[2, 3], y: f32[2, 3]) { for (i: 2, j: 3) y[i, j] = x[i, j] * 2 + 0.5; }", x,
          y);
    CHECK(equal_f32(y, expected, 6));
    memset(y, 0, sizeof y);
    WORKS("func f(x: f32[2, 3], y: f32[2, 3]) { for unrolled (i: 2) for vectorized (j: 3) y[i, j] "
          "= x[i, j] * 2 + 0.5; }",
          x, y);
    CHECK(equal_f32(y, expected, 6));
    WORKS("func f(x: f32[2, 3], y: f32[2, 3]) { for (i: 1 .. 2) for (j: 1 .. 3) y[i, j] = 0; }", x,
          y);
    CHECK(y[3] == 8.5f && y[4] == 0 && y[5] == 0);
    /* no iteration */
    WORKS("func f(x: f32[2, 3], y: f32[2, 3]) { for (i: 2 .. 1) y[0, 0] = 99; }", x, y);
    CHECK(y[0] == 2.5f);
    WORKS("func f(x: f32[2, 3], y: f32[2, 3]) { alloc s: f32[]; s[] = 0; for (i: 2, j: 3) s[] = "
          "s[] + x[i, j]; y[0, 0] = s[]; }",
          x, y);
    CHECK(y[0] == 21);
}

static void choice_and_names(void)
{
    int32_t x[4] = { -2, -1, 1, 2 }, y[4];
    int32_t expected[4] = { 20, 10, 100, 200 };
    WORKS("func f(x: i32[4], y: i32[4]) { for (i: 4) { let v = x[i]; if (v < 0) y[i] = 0 - v * 10; "
          "else { let w = v * 100; y[i] = w; } } }",
          x, y);
    CHECK(equal_i32(y, expected, 4));
    WORKS("func f(x: i32[4], y: i32[4]) { for (i: 4) y[i] = let(v = abs(x[i]), if_then_else(x[i] < "
          "0, v * 10, v * 100)); }",
          x, y);
    CHECK(equal_i32(y, expected, 4));
    WORKS("func f(x: i32[4], y: i32[4]) { for (i: 4) y[i] = select(x[i] < 0, abs(x[i]) * 10, x[i] "
          "* 100); }",
          x, y);
    CHECK(equal_i32(y, expected, 4));
}

/* The arm or side that is not taken is not evaluated: here it would be out of range, or divide by
   zero. */
static void laziness(void)
{
    int32_t x[3] = { 0, 1, 2 }, y[3], expected[3] = { -1, 2, 1 };
    WORKS(
        "func f(x: i32[3], y: i32[3]) { for (i: 3) y[i] = if_then_else(x[i] == 0, -1, 2 / x[i]); }",
        x, y);
    CHECK(equal_i32(y, expected, 3));
    WORKS("func f(x: i32[3], y: i32[3]) { for (i: 3) if (i + 1 < 3 && x[i + 1] > 0) y[i] = 7; else "
          "y[i] = 8; }",
          x, y);
    CHECK(y[0] == 7 && y[1] == 7 && y[2] == 8);
    WORKS("func f(x: i32[3], y: i32[3]) { for (i: 3) if (i + 1 == 3 || x[i + 1] == 1) y[i] = 7; "
          "else y[i] = 8; }",
          x, y);
    CHECK(y[0] == 7 && y[1] == 8 && y[2] == 7);
    FAILS(OUT_OF_BOUNDS,
          "func f(x: i32[3], y: i32[3]) { for (i: 3) if (i < 3 && x[i + 1] > 0) y[i] = 7; }", x, y);
    FAILS(OUT_OF_BOUNDS,
          "func f(x: i32[3], y: i32[3]) { for (i: 3) if (i > 3 || x[i + 1] > 0) y[i] = 7; }", x, y);
    FAILS(DIVISION_BY_ZERO,
          "func f(x: i32[3], y: i32[3]) { for (i: 3) y[i] = select(x[i] == 0, -1, 2 / x[i]); }", x,
          y);
}

static void scalar_parameters(void)
{
    int64_t n = 3;
    float   a = 0.5f, x[12], y[12];
    int     k;
    for (k = 0; k < 12; k++) x[k] = (float)k, y[k] = -1;
    WORKS("func f(a: f32, n: index, x: f32[n, 4], y: f32[n, 4]) { for (i: n, j: 4) y[i, j] = x[i, "
          "j] * a; }",
          &a, &n, x, y);
    CHECK(y[0] == 0 && y[11] == 5.5f);
    n = 0;
    WORKS("func f(a: f32, n: index, x: f32[n, 4], y: f32[n, 4]) { for (i: n, j: 4) y[i, j] = x[i, "
          "j] * a; }",
          &a, &n, x, y);
    n = -1;
    FAILS(ARGUMENT_MISMATCH, "func f(a: f32, n: index, x: f32[n, 4], y: f32[n, 4]) { }", &a, &n, x,
          y);
}

static void every_type_in_memory(void)
{
    uint8_t  b[4] = { 0, 1, 1, 0 }, nb[4];
    int8_t   i8[4] = { -128, -1, 0, 127 };
    uint16_t h[4] = { 0x3c00, 0xc000, 0x7bff, 0x0001 }, h2[4], bf[4];
    double   d[4];
    int64_t  wide[4] = { INT64_MIN, -1, 1, INT64_MAX }, wide2[4];
    WORKS("func f(b: bool[4], n: bool[4]) { for (i: 4) n[i] = !b[i]; }", b, nb);
    CHECK(nb[0] == 1 && nb[1] == 0 && nb[2] == 0 && nb[3] == 1);
    WORKS("func f(x: i8[4], y: i8[4]) { for (i: 4) y[i] = 0 - x[i]; }", i8, i8);
    CHECK(i8[0] == -128 && i8[1] == 1 && i8[3] == -127);
    WORKS("func f(h: f16[4], d: f64[4], g: f16[4], b: bf16[4]) { for (i: 4) { d[i] = f64(h[i]); "
          "g[i] = f16(f32(h[i]) * 2); b[i] = bf16(f32(h[i])); } }",
          h, d, h2, bf);
    CHECK(d[0] == 1.0 && d[1] == -2.0 && d[2] == 65504.0 && d[3] == 1.0 / 16777216);
    CHECK(h2[0] == 0x4000 && h2[2] == 0x7c00 && bf[0] == 0x3f80 && bf[1] == 0xc000 &&
          bf[2] == 0x4780);
    WORKS("func f(x: u64[4], y: u64[4]) { for (i: 4) y[i] = x[i] / 2; }", wide, wide2);
    CHECK(wide2[0] == (INT64_C(1) << 62) && wide2[1] == INT64_MAX && wide2[2] == 0);
}

/* ------------------------------------------------------------------ blocks */

static void blocks(void)
{
    float a[6] = { 1, 2, 3, 4, 5, 6 }, b[6] = { 1, 0, 2, 1, 0, 1 }, c[4],
          expected[4] = { 5, 5, 14, 11 }, x[10], y[10];
    int   k;
    WORKS("func mm(a: f32[2, 3], b: f32[3, 2], c: f32[2, 2]) {"
          "  for (i: 2, j: 2, k: 3)"
          "    block dot(vi: spatial(2) = i, vj: spatial(2) = j, vk: reduce(3) = k) reads(a[vi, "
          "vk], b[vk, vj]) writes(c[vi, vj]) {"
          "      init c[vi, vj] = 0;"
          "      c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vk, vj];"
          "    } }",
          a, b, c);
    CHECK(equal_f32(c, expected, 4));
    /* 3 * 4 steps for 10 elements: where the predicate fails, nothing happens and the axis may be
       out of its extent */
    for (k = 0; k < 10; k++) x[k] = (float)k;
    WORKS("func f(x: f32[10], y: f32[10]) { for (o: 3, i: 4) block b(v: spatial(10) = o * 4 + i) "
          "where (o * 4 + i < 10) { y[v] = x[v] + 1; } }",
          x, y);
    CHECK(y[0] == 1 && y[9] == 10);
    FAILS(OUT_OF_BOUNDS,
          "func f(x: f32[10], y: f32[10]) { for (o: 3, i: 4) block b(v: spatial(10) = o * 4 + i) { "
          "y[v % 10] = x[0]; } }",
          x, y);
    SAYS("'v'");
    /* block allocations are made anew each time */
    WORKS("func f(x: f32[10], y: f32[10]) { for (i: 10) block b(v: spatial(10) = i) { alloc t: "
          "f32[2]; t[0] = x[v]; t[1] = t[0] * 2; y[v] = t[1]; } }",
          x, y);
    CHECK(y[3] == 6);
    FAILS(UNDEF_USED,
          "func f(x: f32[10], y: f32[10]) { for (i: 10) block b(v: spatial(10) = i) { alloc t: "
          "f32[1]; if (v == 0) t[0] = x[v]; y[v] = t[0]; } }",
          x, y);
}

static void match_buffers(void)
{
    float x[24], y[24];
    int   k;
    for (k = 0; k < 24; k++) x[k] = (float)k, y[k] = 0;
    WORKS("func f(x: f32[4, 6], y: f32[4, 6]) { for (i: 2, j: 3) block b(vi: spatial(2) = i, vj: "
          "spatial(3) = j) {"
          "  match s: f32[2, 2] = x[vi * 2 : 2, vj * 2 : 2]; match d: f32[2, 2] = y[vi * 2 : 2, vj "
          "* 2 : 2];"
          "  for (p: 2, q: 2) d[p, q] = s[q, p]; } }",
          x, y);
    CHECK(y[0] == 0 && y[1] == 6 && y[6] == 1 && y[7] == 7 && y[23] == 23 && y[22] == 17 &&
          y[17] == 22);
    WORKS("func f(x: f32[4, 6], y: f32[4, 6]) { block b() { match row: f32[3] = x[2, 1 : 3]; for "
          "(q: 3) y[0, q] = row[q]; } }",
          x, y);
    CHECK(y[0] == 13 && y[2] == 15);
    /* a part of a part */
    WORKS("func f(x: f32[4, 6], y: f32[4, 6]) { block a() { match p: f32[2, 4] = x[1 : 2, 2 : 4]; "
          "block b() { match q: f32[1, 2] = p[1 : 1, 1 : 2]; y[0, 0] = q[0, 1]; } } }",
          x, y);
    CHECK(y[0] == 16);
    FAILS(OUT_OF_BOUNDS,
          "func f(x: f32[4, 6], y: f32[4, 6]) { block b() { match s: f32[2, 2] = x[3 : 2, 0 : 2]; "
          "y[0, 0] = s[0, 0]; } }",
          x, y);
    FAILS(OUT_OF_BOUNDS,
          "func f(x: f32[4, 6], y: f32[4, 6]) { block b() { match s: f32[2, 2] = x[0 : 2, 0 : 2]; "
          "y[0, 0] = s[0, 2]; } }",
          x, y);
    SAYS("[2, 2]");
    FAILS(BAD_ALIAS,
          "func f(x: f32[4, 6], y: f32[4, 6]) { block b() { match s: f32[2, 2] = x[0 : 3, 0 : 2]; "
          "y[0, 0] = s[0, 0]; } }",
          x, y);
    FAILS(TYPE_MISMATCH,
          "func f(x: f32[4, 6], y: f32[4, 6]) { block b() { match s: i32[2, 2] = x[0 : 2, 0 : 2]; "
          "y[0, 0] = 1; } }",
          x, y);
    FAILS(UNSUPPORTED,
          "func f(x: f32[4, 6], y: f32[4, 6]) { block b() { match s: f32[2, 2] strides(1, 2) = x[0 "
          ": 2, 0 : 2]; y[0, 0] = 1; } }",
          x, y);
    FAILS(UNSUPPORTED,
          "func f(x: f32[4, 6], y: f32[4, 6]) { block b() { match s: f32[2, 2] offset(1) = x[0 : "
          "2, 0 : 2]; y[0, 0] = 1; } }",
          x, y);
    FAILS(UNSUPPORTED,
          "func f(x: f32[4, 6], y: f32[4, 6]) { block b() { match s: f32[1, 2, 2] = x[0 : 2, 0 : "
          "2]; y[0, 0] = 1; } }",
          x, y);
    FAILS(BAD_ALIAS,
          "func f(x: f32[4, 6], y: f32[4, 6]) { block b() { match s: f32[2, 2] = x[1 : 2, 0 : 2]; "
          "decl t: f32[4] data(s); y[0, 0] = t[0]; } }",
          x, y);
}

/* ------------------------------------------------------------------ vectors */

static void vectors(void)
{
    float   x[16], y[16];
    int32_t v[8];
    int     k;
    for (k = 0; k < 16; k++) x[k] = (float)k, y[k] = -1;
    WORKS("func f(x: f32[16], y: f32[16]) { for (i: 4) y[ramp(i * 4, 1, 4)] = x[ramp(15 - i * 4, "
          "-1, 4)] + broadcast(0.5f, 4); }",
          x, y);
    CHECK(y[0] == 15.5f && y[3] == 12.5f && y[15] == 0.5f);
    /* index lane major, element lane minor */
    WORKS("func f(x: f32x4[4], y: f32x4[4]) { y[ramp(0, 1, 2)] = x[ramp(3, -2, 2)]; y[2] = x[0]; "
          "y[3] = x[0]; }",
          x, y);
    CHECK(y[0] == 12 && y[3] == 15 && y[4] == 4 && y[7] == 7 && y[8] == 0);
    WORKS("func f(x: f32[16], y: f32[16]) { y[ramp(0, 1, 4)] = shuffle(x[ramp(0, 1, 4)], x[ramp(8, "
          "1, 2)], [5, 0, 3, 4]); y[4] = lane(x[ramp(0, 1, 4)], 2); }",
          x, y);
    CHECK(y[0] == 9 && y[1] == 0 && y[2] == 3 && y[3] == 8 && y[4] == 2);
    WORKS("func f(x: f32[16], y: f32[16]) { for (i: 4) y[i] = lane(x[ramp(4, 1, 4)], 3 - i); }", x,
          y);
    CHECK(y[0] == 7 && y[3] == 4);
    WORKS("func f(x: f32[16], y: f32[16]) { let v = x[ramp(0, 1, 4)]; y[ramp(0, 1, 4)] = select(v "
          "< broadcast(2.0f, 4), v, broadcast(-1.0f, 4)); }",
          x, y);
    CHECK(y[0] == 0 && y[1] == 1 && y[2] == -1 && y[3] == -1);
    WORKS("func f(v: i32[8]) { v[ramp(0, 1, 8)] = as(i32x8, as(i16x16, broadcast(i32(65537), 8))); "
          "v[0] = as(i32, f32(1.0)); }",
          v);
    CHECK(v[1] == 65537 && v[7] == 65537 && v[0] == 0x3f800000);
    WORKS("func f(v: i32[8]) { let a = ramp(i32(0), i32(1), 2); v[ramp(0, 1, 8)] = broadcast(a, "
          "4); }",
          v);
    CHECK(v[0] == 0 && v[1] == 1 && v[6] == 0 && v[7] == 1);
    FAILS(OUT_OF_BOUNDS, "func f(x: f32[16], y: f32[16]) { y[ramp(0, 1, 4)] = x[ramp(13, 1, 4)]; }",
          x, y);
    SAYS("read at [16]");
    FAILS(OUT_OF_BOUNDS,
          "func f(x: f32[16], y: f32[16]) { for (i: 5) y[i] = lane(x[ramp(0, 1, 4)], i); }", x, y);
    FAILS(OVERFLOW,
          "func f(x: f32[16], y: f32[16]) { y[ramp(9223372036854775800, 4, 4)] = broadcast(0.0f, "
          "4); }",
          x, y);
}

/* ------------------------------------------------------------------ views of memory */

static void aliases(void)
{
    float    x[8], y[8];
    uint32_t u[4];
    int      k;
    for (k = 0; k < 8; k++) x[k] = (float)(k + 1);
    WORKS("func f(x: f32[2, 4], y: f32[8]) { decl flat: f32[8] data(x); decl v: f32x4[2] data(x); "
          "decl w: f32x4[2] data(y);"
          "  for (i: 2) w[i] = v[1 - i] * 2; y[0] = flat[7]; }",
          x, y);
    CHECK(y[0] == 8 && y[1] == 12 && y[4] == 2 && y[7] == 8);
    /* bytes are shared between types */
    WORKS("func f(x: f32[4], u: u32[4]) { decl bits: u32[4] data(x); for (i: 4) u[i] = bits[i] ^ "
          "u32(0x80000000); }",
          x, u);
    CHECK(u[0] == 0xbf800000u);
    WORKS("func f(x: f32[4], u: u32[4]) { decl b: u8[16] data(u); for (i: 16) b[i] = 0x11; }", x,
          u);
    CHECK(u[0] == 0x11111111u && u[3] == 0x11111111u);
    WORKS("func f(x: f32[8], y: f32[8]) { decl t: f32[4, 2] data(x) strides(1, 4); decl o: f32[2] "
          "data(x) offset(5); for (i: 4, j: 2) y[i * 2 + j] = t[i, j]; y[0] = o[1]; }",
          x, y);
    CHECK(y[0] == 7 && y[1] == 5 && y[2] == 2 && y[7] == 8);
    FAILS(BAD_ALIAS, "func f(x: f32[8], y: f32[8]) { decl t: f32[9] data(x); y[0] = t[0]; }", x, y);
    FAILS(BAD_ALIAS, "func f(x: f32[8], y: f32[8]) { decl t: f64[8] data(x); y[0] = f32(t[0]); }",
          x, y);
    FAILS(BAD_ALIAS,
          "func f(x: f32[8], y: f32[8]) { decl t: f32[4] data(x) offset(5); y[0] = t[0]; }", x, y);
    FAILS(
        BAD_ALIAS,
        "func f(x: f32[8], y: f32[8]) { decl t: f32[4, 2] data(x) strides(1, 5); y[0] = t[0, 0]; }",
        x, y);
}

/* What the verifier cannot know: sizes that are passed. */
static void aliases_of_symbolic_size(void)
{
    float   x[8], y[8];
    int64_t n = 8, m = 8;
    int     k;
    for (k = 0; k < 8; k++) x[k] = (float)(k + 1), y[k] = 0;
#define SYMBOLIC \
    "func f(n: index, m: index, x: f32[n], y: f32[8]) { decl t: f32[m] data(x); for (i: m) y[i] " \
    "= t[i]; }"
    WORKS(SYMBOLIC, &n, &m, x, y);
    CHECK(equal_f32(x, y, 8));
    m = 9;
    FAILS(BAD_ALIAS, SYMBOLIC, &n, &m, x, y);
    m = -1;
    FAILS(BAD_ARGUMENT, SYMBOLIC, &n, &m, x, y);
#undef SYMBOLIC
    m = 3;
    WORKS("func f(n: index, m: index, x: f32[n], y: f32[8]) { decl t: f32[2, 2] data(x) strides(m, "
          "1) offset(m); for (i: 2, j: 2) y[i * 2 + j] = t[i, j]; }",
          &n, &m, x, y);
    CHECK(y[0] == 4 && y[1] == 5 && y[2] == 7 && y[3] == 8);
    m = 4;
    FAILS(BAD_ALIAS,
          "func f(n: index, m: index, x: f32[n], y: f32[8]) { decl t: f32[2, 2] data(x) strides(m, "
          "1) offset(m); y[0] = t[0, 0]; }",
          &n, &m, x, y);
    m = -4;
    FAILS(BAD_ARGUMENT,
          "func f(n: index, m: index, x: f32[n], y: f32[8]) { decl t: f32[2, 2] data(x) strides(m, "
          "1); y[0] = t[0, 0]; }",
          &n, &m, x, y);
    FAILS(BAD_ARGUMENT,
          "func f(n: index, m: index, x: f32[n], y: f32[8]) { decl t: f32[2] data(x) offset(m); "
          "y[0] = t[0]; }",
          &n, &m, x, y);
    m = INT64_MAX;
    FAILS(OVERFLOW,
          "func f(n: index, m: index, x: f32[n], y: f32[8]) { decl t: f32[2, 2] data(x) strides(m, "
          "m); y[0] = t[0, 0]; }",
          &n, &m, x, y);
    FAILS(OVERFLOW,
          "func f(n: index, m: index, x: f32[n], y: f32[8]) { decl t: f32[2] data(x) offset(m); "
          "y[0] = t[0]; }",
          &n, &m, x, y);
    FAILS(
        OVERFLOW,
        "func f(n: index, m: index, x: f32[n], y: f32[8]) { alloc t: f32[m, 2] sep(1); y[0] = 0; }",
        &n, &m, x, y);
}

/* Rank-2 memory is row-major over its physical axes, however the logical axes are grouped. */
static void separators(void)
{
    float x[24], y[24];
    int   k;
    for (k = 0; k < 24; k++) x[k] = (float)k;
    WORKS("func f(x: f32[2, 3, 4] sep(2), y: f32[24]) { decl flat: f32[6, 4] data(x) sep(1); for "
          "(i: 6, j: 4) y[i * 4 + j] = flat[i, j]; }",
          x, y);
    CHECK(equal_f32(x, y, 24));
    WORKS("func f(x: f32[2, 3, 4] sep(1), y: f32[24]) { decl flat: f32[2, 12] data(x) sep(1); for "
          "(i: 2, j: 12) y[i * 12 + j] = flat[i, j]; }",
          x, y);
    CHECK(equal_f32(x, y, 24));
    /* strided rows of 5 in a physical row of 11 = (2 - 1) * 6 + (2 - 1) * 4 + 1 */
    WORKS("func f(x: f32[2, 2, 2] strides(1, 6, 4) sep(1), y: f32[24]) { decl flat: f32[2, 11] "
          "data(x) sep(1); for (i: 2, j: 2, k: 2) y[i * 4 + j * 2 + k] = flat[i, j * 6 + k * 4]; }",
          x, y);
    CHECK(equal_f32(x, y, 8));
}

/* ------------------------------------------------------------------ layouts of parameters */

static void layouts(void)
{
    float x[10], y[10];
    int   k;
    for (k = 0; k < 10; k++) x[k] = (float)(k + 1), y[k] = -1;
    /* the body sees the memory as it lies: 5 columns in blocks of 4 */
    WORKS("func f(x: f32[2, 2, 4] logical([2, 5], (i, j) -> (i, j / 4, j % 4), pad(f32(9))), y: "
          "f32[2, 5])"
          "{ for (i: 2, j: 5) y[i, j] = x[i, j / 4, j % 4]; }",
          x, y);
    CHECK(equal_f32(x, y, 10));
    WORKS("func f(x: f32[2, 2, 4] logical([2, 5], (i, j) -> (i, j / 4, j % 4), pad(f32(9))), y: "
          "f32[2, 5])"
          "{ y[0, 0] = x[1, 1, 0]; for (k: 3) y[0, 1 + k] = x[1, 1, 1 + k]; }",
          x, y);
    CHECK(y[0] == 10 && y[1] == 9 && y[3] == 9 && y[4] == 5);
    /* written through its layout, and the padding written too */
    WORKS("func f(x: f32[2, 5], y: f32[2, 2, 4] logical([2, 5], (i, j) -> (i, j / 4, j % 4)))"
          "{ for (i: 2, o: 2, p: 4) if (o * 4 + p < 5) y[i, o, p] = x[i, o * 4 + p] + 1; else y[i, "
          "o, p] = 0; }",
          x, y);
    for (k = 0; k < 10; k++) CHECK(y[k] == x[k] + 1);
    FAILS(UNDEF_USED,
          "func f(x: f32[2, 2, 4] logical([2, 5], (i, j) -> (i, j / 4, j % 4)), y: f32[2, 5]) { "
          "y[0, 0] = x[0, 1, 3]; }",
          x, y);
    FAILS(MAP_OUT_OF_RANGE,
          "func f(x: f32[2, 1, 4] logical([2, 5], (i, j) -> (i, j / 4, j % 4)), y: f32[2, 5]) { "
          "y[0, 0] = 0; }",
          x, y);
    FAILS(
        LOSSY_MAP,
        "func f(x: f32[2, 5] logical([2, 5], (i, j) -> (i, j / 2)), y: f32[2, 5]) { y[0, 0] = 0; }",
        x, y);
    /* strides: columns first, the user's array stays row-major; a broadcast row must say the same
       everywhere */
    WORKS("func f(x: f32[2, 5] strides(1, 2), y: f32[2, 5]) { decl m: f32[10] data(x); for (i: 2, "
          "j: 5) y[i, j] = m[j * 2 + i]; }",
          x, y);
    CHECK(equal_f32(x, y, 10));
    FAILS(LOSSY_MAP, "func f(x: f32[2, 5] strides(0, 1), y: f32[2, 5]) { y[0, 0] = x[1, 1]; }", x,
          y);
    /* an attribute that was not applied yet changes nothing */
    WORKS("func f(x: f32[2, 5], y: f32[2, 5]) layout(x: (i, j) -> (j, i)) { for (i: 2, j: 5) y[i, "
          "j] = x[i, j]; }",
          x, y);
    CHECK(equal_f32(x, y, 10));
}

static const char *const stages_text = "func f(x: f32[2, 5], y: f32[2, 5]) layout(x: (i, j) -> (i, "
                                       "j / 4, j % 4), pad(f32(0))) layout(y: (i, j) -> (j, i)) {"
                                       "  alloc t: f32[2, 5];"
                                       "  for (i: 2, j: 5) t[i, j] = x[i, j] * 3;"
                                       "  for (i: 2, j: 5) block b(vi: spatial(2) = i, vj: "
                                       "spatial(5) = j) { y[vi, vj] = t[vi, vj] - 1; } }";

/* Every stage of a lowering means the same. */
static void stages(void)
{
    float     x[10], y[10];
    irl_func *f;
    int       k, pass;
    for (k = 0; k < 10; k++) x[k] = (float)(k + 1);
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(NULL);
    f = parse(stages_text);
    for (pass = 0; f; pass++) {
        memset(y, 0, sizeof y);
        CHECK(irl_func_interpret(f, IRL_ARGS(x, y)));
        for (k = 0; k < 10; k++) CHECK(y[k] == x[k] * 3 - 1);
        while (irl_pass_name(pass) && !TEST_PASS(pass)) pass++;
        if (!irl_pass_name(pass)) break;
        f = irl_func_run_pass(f, irl_pass_name(pass));
    }
    CHECK_OK(cx);
    CHECK(pass >= 3);
}

static void lowered_module(void)
{
    float             x[10], y[10];
    const irl_module *m;
    int               k;
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(NULL);
    for (k = 0; k < 10; k++) x[k] = (float)(k + 1), y[k] = 0;
    m = irl_func_lower(parse(stages_text), irl_target_find("opencl12"));
    CHECK(m && irl_module_interpret(m, IRL_ARGS(x, y)));
    CHECK_OK(cx);
    for (k = 0; k < 10; k++) CHECK(y[k] == x[k] * 3 - 1);
}

/* ------------------------------------------------------------------ modules */

static void modules(void)
{
    float   x[8], y[8];
    int64_t n = 8;
    int     k;
    for (k = 0; k < 8; k++) x[k] = (float)k, y[k] = 0;
    CHECK(run_module("module m {"
                     "  host func f(n: index, x: f32[n], y: f32[n]) { alloc t: f32[n]; launch "
                     "one(n, x, t); launch two(n, t, y); }"
                     "  kernel func one(n: index, a: f32[n], b: f32[n]) { for bind(global.x)(i: n) "
                     "b[i] = a[i] + 1; }"
                     "  kernel func two(n: index, a: f32[n], b: f32[n]) { let m = n - 1; for "
                     "bind(global.x)(i: n) b[i] = a[m - i] * 2; }"
                     "}",
                     IRL_ARGS(&n, x, y)));
    CHECK(y[0] == 16 && y[7] == 2);
    CHECK(!run_module("module m { host func f(x: f32[8], y: f32[8]) { launch one(x, y); } kernel "
                      "func one(a: f32[9], b: f32[8]) { b[0] = a[0]; } }",
                      IRL_ARGS(x, y)));
    CHECK_CODE(cx, IRL_ERROR_BAD_ALIAS);
    FAILS(BAD_STRUCTURE, "host func f(x: f32[8], y: f32[8]) { launch one(x, y); }", x, y);
    /* a kernel without a bound loop is one work-item; one with several shapes its range by the
       axes */
    CHECK(run_module("module m { host func f(x: f32[8], y: f32[8]) { launch one(x, y); } kernel "
                     "func one(a: f32[8], b: f32[8]) { for (i: 8) b[i] = a[i]; } }",
                     IRL_ARGS(x, y)));
    CHECK(equal_f32(x, y, 8));
}

/* ------------------------------------------------------------------ work-items */

static void work_items(void)
{
    int32_t x[24], y[24];
    int64_t zero = 0;
    int     k;
    for (k = 0; k < 24; k++) x[k] = k;
    WORKS("func f(y: i32[24]) { for bind(group.x)(g: 3) for bind(local.x)(l: 8) y[g * 8 + l] = "
          "i32(g) * 100 + i32(l); }",
          y);
    CHECK(y[0] == 0 && y[7] == 7 && y[23] == 207);
    WORKS("func f(y: i32[2, 3, 4]) { for bind(global.z)(i: 2) for bind(global.y)(j: 3) for "
          "bind(global.x)(k: 4) y[i, j, k] = i32(i * 100 + j * 10 + k); }",
          y);
    CHECK(y[0] == 0 && y[23] == 123 && y[13] == 101);
    /* the place in the whole range is group * size + place in the group */
    WORKS("func f(y: i32[24]) { for bind(local.x)(l: 4) for bind(global.x)(i: 24) y[i] = i32(l); }",
          y);
    CHECK(y[0] == 0 && y[5] == 1 && y[23] == 3);
    WORKS("func f(y: i32[24]) { for bind(group.x)(g: 4) for bind(global.x)(i: 24) y[i] = i32(g); }",
          y);
    CHECK(y[0] == 0 && y[5] == 0 && y[6] == 1 && y[23] == 3);
    WORKS("func f(y: i32[24]) { for bind(group.x)(g: 1) for bind(global.x)(i: 24) y[i] = i32(g); }",
          y);
    CHECK(y[6] == 0 && y[23] == 0);
    WORKS("func f(y: i32[24]) { for bind(global.x)(i: 0) for bind(group.x)(g: 2) for "
          "bind(local.y)(l: 2) y[i] = 5; }",
          y);
    CHECK(y[0] == 0);
    WORKS("func f(y: i32[24]) { for bind(global.x)(i: 0) for bind(local.x)(l: 0) y[i] = 5; }", y);
    CHECK(y[0] == 0);
    WORKS(
        "func f(y: i32[24]) { for bind(group.z)(g: 2) for bind(local.z)(a: 3) for bind(local.y)(b: "
        "2) for bind(local.x)(c: 2) y[g * 12 + a * 4 + b * 2 + c] = i32(a * 100 + b * 10 + c); }",
        y);
    CHECK(y[0] == 0 && y[11] == 211 && y[14] == 10 && y[23] == 211);
    /* what stands under a condition is not computed to find the range */
    WORKS("kernel func f(y: i32[24], z: index) { let n = z - z; if (n > 0) { let m = 8 / n; for "
          "bind(global.x)(i: 24) y[i] = i32(m); } else for (k: n) { let m = 8 / n; for "
          "bind(global.x)(i: 24) y[i] = i32(m); } }",
          y, &zero);
    CHECK(y[0] == 0 && y[23] == 211);
    /* private memory and names are each item's own, also across a barrier */
    WORKS("func f(x: i32[24], y: i32[24]) { for bind(group.x)(g: 3) for bind(local.x)(l: 8) {"
          "  alloc s: i32[8] scope(shared); alloc p: i32[2] scope(local); let v = x[g * 8 + l];"
          "  p[0] = v * 10; s[l] = v; barrier(shared); p[1] = s[7 - l]; y[g * 8 + l] = p[0] + "
          "p[1]; } }",
          x, y);
    for (k = 0; k < 24; k++) CHECK(y[k] == k * 10 + (k / 8) * 8 + 7 - k % 8);
    /* shared memory above the loop over the items is the same */
    WORKS("func f(x: i32[24], y: i32[24]) { for bind(group.x)(g: 3) { alloc s: i32[8] "
          "scope(shared); for bind(local.x)(l: 8) s[l] = x[g * 8 + l];"
          "  barrier(shared); for bind(local.x)(l: 8) y[g * 8 + l] = s[7 - l]; } }",
          x, y);
    CHECK(y[0] == 7 && y[23] == 16);
    /* a reduction in phases: barriers in a loop and in a condition that all items share */
    WORKS("func f(x: i32[24], y: i32[24]) { for bind(group.x)(g: 3) for bind(local.x)(l: 8) { "
          "alloc s: i32[8] scope(shared); s[l] = x[g * 8 + l];"
          "  for (k: 3) { barrier(shared); if (l < (4 >> k)) s[l] = s[l] + s[l + (4 >> k)]; }"
          "  if (g < 2) { barrier(shared); y[g * 8 + l] = s[0]; } } }",
          x, y);
    CHECK(y[0] == 28 && y[7] == 28 && y[8] == 92);
    /* memory of the host between the items of a group */
    WORKS("func f(x: i32[24], y: i32[24]) { for bind(group.x)(g: 3) for bind(local.x)(l: 8) { y[g "
          "* 8 + l] = x[g * 8 + l]; barrier(global); let v = y[g * 8 + 7 - l]; barrier(global); "
          "y[g * 8 + l] = v; } }",
          x, y);
    CHECK(y[0] == 7 && y[23] == 16);
    /* nested in attributes; sizes from a let before the items */
    WORKS("func f(y: i32[24]) { for bind(group.x)(g: 3) { let n = 4 * 2; attr(note = 1) for "
          "bind(local.x)(l: n) y[g * n + l] = i32(l); } }",
          y);
    CHECK(y[0] == 0 && y[15] == 7);
    WORKS("func f(y: i32[24]) { for bind(group.x)(g: 0) for bind(local.x)(l: 8) y[0] = 99; }", y);
    CHECK(y[0] == 0);
}

static void work_items_in_blocks(void)
{
    int32_t x[16], y[16];
    int     k;
    for (k = 0; k < 16; k++) x[k] = k;
    WORKS("func f(x: i32[16], y: i32[16]) { for bind(group.x)(g: 2) for bind(local.x)(l: 8) block "
          "b(v: spatial(16) = g * 8 + l) {"
          "  alloc s: i32[8] scope(shared); alloc p: i32[1] scope(local); match own: i32[1] = y[v "
          ": 1];"
          "  init { p[0] = 5; barrier(shared); } s[v % 8] = x[v]; barrier(shared); own[0] = s[7 - "
          "v % 8] + p[0]; } }",
          x, y);
    for (k = 0; k < 16; k++) CHECK(y[k] == (k / 8) * 8 + 7 - k % 8 + 5);
    /* what makes a block collective is its shared memory, not memory of any kind */
    FAILS(BARRIER_DIVERGENT,
          "func f(x: i32[16], y: i32[16]) { for bind(local.x)(l: 8) if (l < 4) block b(v: "
          "spatial(16) = l) { alloc s: i32[8] scope(shared); y[v] = 0; } }",
          x, y);
    WORKS("func f(x: i32[16], y: i32[16]) { for bind(local.x)(l: 8) if (l < 4) block b(v: "
          "spatial(16) = l) { alloc s: i32[8] scope(local); y[v] = 0; } }",
          x, y);
}

static void divergence(void)
{
    int32_t x[24] = { 0 }, y[24];
    FAILS(BARRIER_DIVERGENT,
          "func f(x: i32[24], y: i32[24]) { for bind(group.x)(g: 3) for bind(local.x)(l: 8) { if "
          "(l < 4) barrier(shared); y[g * 8 + l] = 0; } }",
          x, y);
    FAILS(BARRIER_DIVERGENT,
          "func f(x: i32[24], y: i32[24]) { for bind(local.x)(l: 8) for (k: l) barrier(shared); }",
          x, y);
    FAILS(BARRIER_DIVERGENT,
          "func f(x: i32[24], y: i32[24]) { for bind(local.x)(l: 8) for (k: l .. l + 1) "
          "barrier(shared); }",
          x, y);
    FAILS(BARRIER_DIVERGENT,
          "func f(x: i32[24], y: i32[24]) { for bind(local.x)(l: 8) if (l < 4) { alloc s: i32[8] "
          "scope(shared); s[l] = 0; } }",
          x, y);
    FAILS(BARRIER_DIVERGENT,
          "func f(x: i32[24], y: i32[24]) { for bind(local.x)(l: 8) for parallel (k: 2) "
          "barrier(global); }",
          x, y);
    FAILS(BARRIER_DIVERGENT,
          "func f(x: i32[24], y: i32[24]) { for bind(local.x)(l: 1) for parallel (k: 2) "
          "barrier(global); }",
          x, y);
    FAILS(BARRIER_DIVERGENT,
          "func f(x: i32[24], y: i32[24]) { for parallel (k: 2) barrier(global); }", x, y);
    /* the barrier is a no-op here */
    WORKS("func f(x: i32[24], y: i32[24]) { y[0] = 1; barrier(global); x[0] = y[0]; }", x, y);
    FAILS(BARRIER_DIVERGENT,
          "func f(x: i32[24], y: i32[24]) { for bind(local.x)(l: 8) block b(v: spatial(8) = l) "
          "where (v < 3) { barrier(shared); } }",
          x, y);
    FAILS(BARRIER_DIVERGENT,
          "func f(x: i32[24], y: i32[24]) { for bind(local.x)(l: 8) block b(v: reduce(8) = l) { "
          "init barrier(shared); y[0] = 0; } }",
          x, y);
}

static void launch_shapes(void)
{
    int32_t y[24];
    FAILS(BAD_STRUCTURE,
          "func f(y: i32[24]) { for bind(local.x)(l: 5) for bind(global.x)(i: 24) y[i] = 0; }", y);
    FAILS(BAD_STRUCTURE,
          "func f(y: i32[24]) { for bind(group.x)(g: 2) for bind(local.x)(l: 3) for "
          "bind(global.x)(i: 0) y[i] = 0; }",
          y);
    FAILS(BAD_STRUCTURE,
          "func f(y: i32[24]) { for bind(group.x)(g: 0) for bind(local.x)(l: 3) for "
          "bind(global.x)(i: 24) y[i] = 0; }",
          y);
    FAILS(BAD_STRUCTURE,
          "func f(y: i32[24]) { for bind(group.x)(g: 2) { for bind(local.x)(l: 5) y[l] = 0; for "
          "bind(local.x)(k: 6) y[k] = 0; } }",
          y);
    FAILS(BAD_STRUCTURE,
          "func f(y: i32[24]) { for bind(group.x)(g: 4) for bind(local.x)(l: g + 1) y[l] = 0; }",
          y);
    FAILS(STEP_LIMIT,
          "func f(y: i32[24]) { for bind(group.x)(g: 4611686018427387904) for bind(local.x)(l: 64) "
          "y[0] = 0; }",
          y);
    FAILS(STEP_LIMIT,
          "func f(y: i32[24]) { for bind(global.y)(g: 70000) for bind(global.x)(l: 70000) y[0] = "
          "0; }",
          y);
}

/* ------------------------------------------------------------------ races */

static void races(void)
{
    int32_t x[24] = { 0 }, y[24];
    FAILS(DATA_RACE,
          "func f(x: i32[24], y: i32[24]) { for bind(group.x)(g: 3) for bind(local.x)(l: 8) y[l] = "
          "0; }",
          x, y);
    SAYS("work-item (0, 0, 0) of group (0, 0, 0)");
    SAYS("work-item (0, 0, 0) of group (1, 0, 0)");
    SAYS("'y'");
    FAILS(DATA_RACE, "func f(x: i32[24], y: i32[24]) { for bind(local.x)(l: 8) y[0] = i32(l); }", x,
          y);
    FAILS(DATA_RACE,
          "func f(x: i32[24], y: i32[24]) { for bind(local.x)(l: 8) y[l] = x[0] + y[7 - l]; }", x,
          y);
    /* read first, written later by another: the reader of the first phase is remembered however
       many there were */
    FAILS(DATA_RACE,
          "func f(x: i32[24], y: i32[24]) { for bind(local.x)(l: 8) { y[l + 8] = y[0]; if (l == 3) "
          "y[0] = 1; } }",
          x, y);
    FAILS(DATA_RACE,
          "func f(x: i32[24], y: i32[24]) { for bind(local.x)(l: 8) { if (l == 3) y[8] = y[0]; if "
          "(l == 5) y[0] = 1; } }",
          x, y);
    FAILS(DATA_RACE,
          "func f(x: i32[24], y: i32[24]) { for bind(group.x)(g: 3) { if (g == 0) y[8] = y[0]; if "
          "(g == 2) y[0] = 1; } }",
          x, y);
    FAILS(DATA_RACE,
          "func f(x: i32[24], y: i32[24]) { for bind(group.x)(g: 3) for bind(local.x)(l: 2) { if "
          "(g == 0) y[8 + l] = y[0]; if (g == 1) y[10 + l] = y[0]; barrier(global);"
          " if (g == 1) y[12 + l] = y[0]; barrier(global); if (g == 1 && l == 1) y[0] = 1; } }",
          x, y);
    /* the wrong barrier orders nothing here */
    FAILS(DATA_RACE,
          "func f(x: i32[24], y: i32[24]) { for bind(local.x)(l: 8) { alloc s: i32[8] "
          "scope(shared); s[l] = 0; barrier(global); y[l] = s[7 - l]; } }",
          x, y);
    FAILS(DATA_RACE,
          "func f(x: i32[24], y: i32[24]) { for bind(local.x)(l: 8) { y[l] = 0; barrier(shared); "
          "x[l] = y[7 - l]; } }",
          x, y);
    /* between groups nothing orders, not even a barrier */
    FAILS(DATA_RACE,
          "func f(x: i32[24], y: i32[24]) { for bind(group.x)(g: 2) for bind(local.x)(l: 2) { if "
          "(g == 0) y[l] = 1; barrier(global); if (g == 1) x[l] = y[l]; } }",
          x, y);
    /* vectors and aliases touch each of their cells */
    FAILS(DATA_RACE,
          "func f(x: i32[24], y: i32[24]) { for bind(global.x)(i: 5) y[ramp(i * 3, 1, 4)] = "
          "broadcast(i32(0), 4); }",
          x, y);
    FAILS(DATA_RACE,
          "func f(x: i32[24], y: i32[24]) { decl b: u8[96] data(y); for bind(global.x)(i: 2) b[i * "
          "3 + 1] = 0; for bind(global.x)(j: 2) if (j == 0) y[0] = 1; else b[3] = 0; }",
          x, y);
    WORKS("func f(x: i32[24], y: i32[24]) { decl b: u8[96] data(y); for bind(global.x)(i: 4) b[i] "
          "= u8(i); for bind(global.x)(i: 4) b[3 - i] = 0; }",
          x, y);
    /* one item may do what it likes with its cell, many may read one, and phases order */
    WORKS("func f(x: i32[24], y: i32[24]) { for bind(local.x)(l: 8) { y[l] = x[0]; y[l] = y[l] + "
          "x[l]; } }",
          x, y);
    WORKS(
        "func f(x: i32[24], y: i32[24]) { for bind(local.x)(l: 8) { y[l] = x[l]; barrier(global); "
        "if (l == 0) for (k: 8) y[k] = y[k] + 1; barrier(global); x[l] = y[7 - l]; } }",
        x, y);
    /* launches are ordered, and so is what is allocated anew in each group */
    WORKS("func f(x: i32[24], y: i32[24]) { for bind(global.x)(i: 8) y[i] = 1; for "
          "bind(global.x)(j: 8) x[j] = y[7 - j]; }",
          x, y);
    WORKS("func f(x: i32[24], y: i32[24]) { for (t: 3) for bind(global.x)(i: 8) y[i] = i32(t); }",
          x, y);
    WORKS("func f(x: i32[24], y: i32[24]) { for bind(global.x)(i: 8) { alloc t: i32[1]; t[0] = "
          "x[i]; y[i] = t[0]; } }",
          x, y);
}

static void parallel_loops(void)
{
    int32_t x[24] = { 0 }, y[24];
    FAILS(DATA_RACE, "func f(x: i32[24], y: i32[24]) { for parallel (i: 8) y[i / 2] = 0; }", x, y);
    SAYS("iteration 0");
    SAYS("iteration 1");
    FAILS(DATA_RACE, "func f(x: i32[24], y: i32[24]) { for parallel (i: 2, j: 8) y[j] = 0; }", x,
          y);
    WORKS("func f(x: i32[24], y: i32[24]) { y[0] = 0; for parallel (i: 1, j: 1) y[0] = 3; for "
          "parallel (i: 0) y[0] = 4; for parallel (i: 5 .. 3) y[0] = 4; }",
          x, y);
    CHECK(y[0] == 3);
    FAILS(DATA_RACE,
          "func f(x: i32[24], y: i32[24]) { for parallel (i: 2) { y[i] = 0; for parallel (j: 8) "
          "y[i * 8 + 2] = i32(j); } }",
          x, y);
    FAILS(DATA_RACE,
          "func f(x: i32[24], y: i32[24]) { for parallel (i: 2) { x[i] = 0; for parallel (j: 8) "
          "y[j] = i32(j); } }",
          x, y);
    FAILS(DATA_RACE,
          "func f(x: i32[24], y: i32[24]) { alloc t: i32[1]; for parallel (i: 8) { t[0] = x[i]; "
          "y[i] = t[0]; } }",
          x, y);
    FAILS(DATA_RACE,
          "func f(x: i32[24], y: i32[24]) { for bind(global.x)(g: 2) for parallel (i: 4) y[g * 8] "
          "= 0; }",
          x, y);
    FAILS(
        DATA_RACE,
        "func f(x: i32[24], y: i32[24]) { for parallel (i: 4) for bind(global.x)(g: 2) y[g] = 0; }",
        x, y);
    WORKS("func f(x: i32[24], y: i32[24]) { for parallel (i: 8) { alloc t: i32[1]; t[0] = x[i]; "
          "y[i] = t[0]; } }",
          x, y);
    WORKS("func f(x: i32[24], y: i32[24]) { for parallel (i: 3) { for parallel (j: 8) y[i * 8 + j] "
          "= 1; for parallel (k: 8) x[i * 8 + k] = y[i * 8 + 7 - k]; } }",
          x, y);
    WORKS("func f(x: i32[24], y: i32[24]) { for parallel (i: 3) { alloc t: i32[8]; for parallel "
          "(j: 8) t[j] = 1; for parallel (k: 8) y[i * 8 + k] = t[7 - k]; } }",
          x, y);
    WORKS("func f(x: i32[24], y: i32[24]) { for parallel (i: 3) for bind(group.x)(g: 2) for "
          "bind(local.x)(l: 4) { alloc s: i32[4] scope(shared); s[l] = 1; barrier(shared); y[i * 8 "
          "+ g * 4 + l] = s[3 - l]; } }",
          x, y);
    CHECK(y[23] == 1);
}

/* ------------------------------------------------------------------ what is undefined */

static void undefined(void)
{
    float x[4] = { 1, 2, 3, 4 }, y[4] = { 5, 6, 7, 8 };
    FAILS(UNDEF_USED, "func f(x: f32[4], y: f32[4]) { alloc t: f32[4]; y[2] = t[1]; }", x, y);
    SAYS("'y'");
    SAYS("element 2");
    CHECK(y[0] == 5 && y[2] == 7); /* a failed run changes nothing */
    FAILS(UNDEF_USED, "func f(x: f32[4], y: f32[4]) { alloc t: f32[4]; y[0] = t[1] * 0 + 1; }", x,
          y);
    FAILS(UNDEF_USED, "func f(x: f32[4], y: f32[4]) { alloc t: f32[4]; if (t[0] > 0) y[0] = 1; }",
          x, y);
    FAILS(UNDEF_USED, "func f(x: f32[4], y: f32[4]) { alloc t: i32[4]; y[index(t[0])] = 1; }", x,
          y);
    FAILS(UNDEF_USED, "func f(x: f32[4], y: f32[4]) { alloc t: i32[4]; y[0] = x[index(t[0])]; }", x,
          y);
    FAILS(UNDEF_USED,
          "func f(x: f32[4], y: f32[4]) { alloc t: i32[4]; for (i: index(t[0])) y[0] = 1; }", x, y);
    FAILS(UNDEF_USED, "func f(x: f32[4], y: f32[4]) { y[0] = undef(f32); }", x, y);
    FAILS(UNDEF_USED,
          "func f(x: f32[4], y: f32[4]) { alloc t: f32[4]; y[0] = select(t[0] > 0, 1.0f, 1.0f); }",
          x, y);
    FAILS(UNDEF_USED,
          "func f(x: f32[4], y: f32[4]) { alloc t: f32[4]; if (t[0] > 0 && x[0] > 0) y[0] = 1; }",
          x, y);
    FAILS(UNDEF_USED,
          "func f(x: f32[4], y: f32[4]) { alloc t: f32[4]; assert(t[0] == t[0], \"x\"); }", x, y);
    /* part of a vector, part of a scalar that another type sees */
    FAILS(UNDEF_USED,
          "func f(x: f32[4], y: f32[4]) { alloc t: f32[4]; t[0] = 1; t[1] = 1; t[3] = 1; y[ramp(0, "
          "1, 4)] = t[ramp(0, 1, 4)]; }",
          x, y);
    SAYS("element 2");
    FAILS(UNDEF_USED,
          "func f(x: f32[4], y: f32[4]) { alloc t: f32[1]; decl h: u16[2] data(t); h[0] = 0; y[0] "
          "= t[0]; }",
          x, y);
    WORKS("func f(x: f32[4], y: f32[4]) { alloc t: f32[1]; decl h: u16[2] data(t); h[0] = 0; h[1] "
          "= 0; y[0] = t[0]; }",
          x, y);
    FAILS(UNDEF_USED,
          "func f(x: f32[4], y: f32[4]) { alloc t: i32[4]; alloc u: i32[4]; u[ramp(0, 1, 4)] = "
          "ramp(t[0], 1, 4); y[0] = f32(u[0]); }",
          x, y);
    FAILS(UNDEF_USED,
          "func f(x: f32[4], y: f32[4]) { alloc t: f32[4]; t[1] = 1; y[ramp(0, 1, 4)] = let(v = "
          "t[ramp(0, 1, 4)], v + 1); }",
          x, y);
    /* copied, dropped, or overwritten it does no harm */
    WORKS("func f(x: f32[4], y: f32[4]) { alloc t: u16[4]; alloc b: bool[1]; t[0] = 0; t[1] = "
          "0x3f80; let v = as(f32x2, t[ramp(0, 1, 4)]); y[0] = lane(v, 0); t[2] = 1;"
          " b[0] = x[0] > 0 && t[3] > 0; b[0] = x[0] < 0 && t[3] > 0; if (b[0]) y[0] = 2; }",
          x, y);
    FAILS(UNDEF_USED,
          "func f(x: f32[4], y: f32[4]) { alloc t: u16[4]; t[0] = 0; t[1] = 0x3f80; t[2] = 0; let "
          "v = as(f32x2, t[ramp(0, 1, 4)]); y[0] = lane(v, 1); }",
          x, y);
    FAILS(UNDEF_USED,
          "func f(x: f32[4], y: f32[4]) { alloc t: u16[4]; alloc b: bool[1]; b[0] = x[0] > 0 && "
          "t[3] > 0; if (b[0]) y[0] = 2; }",
          x, y);
    FAILS(UNDEF_USED,
          "func f(x: f32[4], y: f32[4]) { alloc t: i32[4]; alloc u: f32[index(t[1])]; y[0] = 2; }",
          x, y);
    WORKS("func f(x: f32[4], y: f32[4]) { alloc t: f32[4]; alloc u: f32[4]; for (i: 4) u[i] = t[i] "
          "+ 1; u[1] = 3; y[0] = u[1]; }",
          x, y);
    CHECK(y[0] == 3);
    WORKS("func f(x: f32[4], y: f32[4]) { alloc t: f32[4]; y[0] = select(x[0] > 0, 4.0f, t[0]); "
          "y[1] = if_then_else(x[0] > 0, 6.0f, undef(f32)); }",
          x, y);
    CHECK(y[0] == 4 && y[1] == 6);
    WORKS("func f(x: f32[4], y: f32[4]) { alloc t: f32[4]; t[0] = 1; t[1] = 1; y[0] = "
          "lane(t[ramp(0, 1, 4)], 1); y[1] = lane(shuffle(t[ramp(0, 1, 4)], [3, 0]), 1); }",
          x, y);
    /* an undefined divisor divides nothing */
    WORKS("func f(x: f32[4], y: f32[4]) { alloc t: i32[4]; alloc u: i32[4]; u[0] = 1 / t[0]; }", x,
          y);
}

/* ------------------------------------------------------------------ checks, limits, calls */

static void bounds(void)
{
    float x[12] = { 0 }, y[12];
    FAILS(OUT_OF_BOUNDS,
          "func f(x: f32[3, 4], y: f32[3, 4]) {\n  for (i: 3, j: 4)\n    y[i, j] = x[i, j + 1];\n}",
          x, y);
    SAYS("'x' is read at [0, 4], outside of its shape [3, 4]");
    CHECK(irl_diag_of(cx)->line == 3);
    FAILS(OUT_OF_BOUNDS,
          "func f(x: f32[3, 4], y: f32[3, 4]) { for (i: 3, j: 4) y[i - 1, j] = x[i, j]; }", x, y);
    SAYS("'y' is written at [-1, 0], outside of its shape [3, 4]");
    FAILS(OUT_OF_BOUNDS, "func f(x: f32[3, 4], y: f32[3, 4]) { alloc t: f32[0]; t[0] = 1; }", x, y);
    FAILS(OUT_OF_BOUNDS,
          "func f(x: f32[3, 4], y: f32[3, 4]) { alloc t: f32[2147483648, 0] strides(2147483648, "
          "1); t[4, 0] = 1; }",
          x, y);
    FAILS(OUT_OF_BOUNDS, "func f(x: f32[3, 4], y: f32[3, 4]) { y[9223372036854775807, 3] = 1; }", x,
          y);
}

static void checks(void)
{
    float x[4] = { 1, 2, 3, 4 }, y[4];
    WORKS("func f(x: f32[4], y: f32[4]) { assume(x[0] == 1); assert(x[1] == 2, \"second\"); y[0] = "
          "0; }",
          x, y);
    FAILS(ASSERTION, "func f(x: f32[4], y: f32[4]) { assume(x[0] == 2); }", x, y);
    FAILS(ASSERTION, "func f(x: f32[4], y: f32[4]) { for (i: 4) assert(x[i] < 3, \"too large\"); }",
          x, y);
    SAYS("too large");
    FAILS(UNSUPPORTED, "func f(x: f32[4], y: f32[4]) { y[0] = extern(f32, sinpi, x[0]); }", x, y);
    FAILS(UNSUPPORTED,
          "func f(x: f32[4], y: f32[4]) { y[0] = intrinsic(f32, no_such_thing, x[0]); }", x, y);
    FAILS(BAD_VALUE, "func f(x: f32[4], y: f32[4]) { y[0] = f32(i8(x[0] * 1000)); }", x, y);
    FAILS(BAD_VALUE, "func f(x: f32[4], y: f32[4]) { y[0] = f32(i32(1) << i32(x[3] * 8)); }", x, y);
    FAILS(OVERFLOW,
          "func f(x: f32[4], y: f32[4]) { for (i: 4) y[(i + 9223372036854775806) % 4] = 0; }", x,
          y);
    FAILS(DIVISION_BY_ZERO, "func f(x: f32[4], y: f32[4]) { for (i: 4) y[4 % i] = 0; }", x, y);
    FAILS(OVERFLOW,
          "func f(x: f32[4], y: f32[4]) { for (i: 9223372036854775806 .. 9223372036854775807, j: i "
          ".. i + 4) y[0] = 0; }",
          x, y);
    WORKS("func f(x: f32[4], y: f32[4]) { evaluate x[3]; attr(unroll = 4) y[0] = 1; }", x, y);
}

static void sizes(void)
{
    float   y[4] = { 0 };
    int64_t n = INT64_C(1) << 40;
    FAILS(TOO_LARGE, "func f(n: index, y: f32[4]) { alloc t: f32[n]; y[0] = 0; }", &n, y);
    FAILS(OVERFLOW, "func f(n: index, y: f32[4]) { alloc t: f32[n, n]; y[0] = 0; }", &n, y);
    FAILS(OVERFLOW, "func f(n: index, y: f32[4]) { alloc t: f32[n] strides(n); y[0] = 0; }", &n, y);
    FAILS(BAD_ARGUMENT, "func f(n: index, y: f32[4]) { alloc t: f32[0 - n]; y[0] = 0; }", &n, y);
}

/* As deep and as wide as an expression gets: the stack of lanes holds it. */
static void deep_and_wide(void)
{
    int32_t         x[64], y[64];
    const irl_expr *e, *all, *extent, *ramp;
    irl_param_desc  params[2];
    const irl_stmt *store;
    int             k;
    memset(params, 0, sizeof params);
    for (k = 0; k < 64; k++) x[k] = k;
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(NULL);
    extent = irl_expr_index(cx, 64);
    ramp = irl_expr_ramp(cx, irl_expr_index(cx, 0), irl_expr_index(cx, 1), 64);
    params[0].buffer =
        irl_buffer_new(cx, "x", irl_type_of(IRL_I32, 1), IRL_SCOPE_GLOBAL, 1, &extent);
    params[1].buffer =
        irl_buffer_new(cx, "y", irl_type_of(IRL_I32, 1), IRL_SCOPE_GLOBAL, 1, &extent);
    e = all = irl_expr_load(cx, params[0].buffer, 1, &ramp);
    for (k = 0; k < IRL_MAX_DEPTH - 10; k++) e = irl_expr_op2(cx, IRL_OP_ADD, all, e);
    store = irl_stmt_store(cx, params[1].buffer, e, 1, &ramp);
    CHECK(irl_func_interpret(irl_func_new(cx, "f", 2, params, store), IRL_ARGS(x, y)));
    CHECK_OK(cx);
    for (k = 0; k < 64; k++) CHECK(y[k] == k * (IRL_MAX_DEPTH - 9));
}

/* Made by builders, which can make what no text says. */
static void too_many_lanes(void)
{
    int32_t           y[1] = { 0 };
    const void       *data[1];
    irl__eval_run     one_run;
    irl_param_desc    param;
    const irl_expr   *zero, *one, *wide;
    const irl_stmt   *body[2];
    memset(&one_run, 0, sizeof one_run);
    memset(&param, 0, sizeof param);
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(NULL);
    zero = irl_expr_index(cx, 0);
    one = irl_expr_index(cx, 1);
    param.buffer = irl_buffer_new(cx, "y", irl_type_of(IRL_I32, 1), IRL_SCOPE_GLOBAL, 1, &one);
    wide = irl_expr_reinterpret(cx, irl_type_of(IRL_U8, 256),
                                irl_expr_broadcast(cx, irl_expr_int(cx, irl_type_of(IRL_I32, 1), 3),
                                                   64));
    body[0] =
        irl_stmt_store(cx, param.buffer, irl_expr_int(cx, irl_type_of(IRL_I32, 1), 5), 1, &zero);
    body[1] = irl_stmt_evaluate(cx, wide);
    data[0] = y;
    one_run.count = 1;
    one_run.data = data;
    one_run.f = irl_func_new(cx, "f", 1, &param, body[0]);
    CHECK(irl__interpret(cx, &one_run) && y[0] == 5);
    one_run.f = irl_func_new(cx, "f", 1, &param, irl_stmt_seq(cx, 2, body));
    CHECK(!irl_ok(cx) || !irl__interpret(cx, &one_run));
    CHECK_CODE(cx, IRL_ERROR_BAD_TYPE);
}

static void step_limit(void)
{
    static const char *const texts[] = {
        "func f(y: i32[4]) { for (i: 9223372036854775807) { } }",
        "func f(y: i32[4]) { for parallel (i: 4611686018427387904, j: 2) { } }",
        "func f(y: i32[4]) { for bind(global.x)(i: 900) for (k: 2) { } }",
        "func f(y: i32[4]) { for (i: 500) y[i % 4] = 1; }",
    };
    int32_t     y[4] = { 7, 7, 7, 7 };
    const void *data[1];
    irl__eval_run run_once;
    size_t      k;
    for (k = 0; k < sizeof texts / sizeof *texts; k++) {
        irl_ctx_destroy(cx);
        cx = irl_ctx_create(NULL);
        memset(&run_once, 0, sizeof run_once);
        data[0] = y;
        run_once.f = parse(texts[k]);
        run_once.count = 1;
        run_once.data = data;
        run_once.step_limit = 1000;
        CHECK(!irl__interpret(cx, &run_once));
        CHECK_CODE(cx, IRL_ERROR_STEP_LIMIT);
    }
    CHECK(y[0] == 7);
}

/* ------------------------------------------------------------------ arguments */

static void arguments(void)
{
    float      x[4] = { 1, 2, 3, 4 }, y[4];
    int64_t    n = 4;
    irl_tensor t[3];
    irl_func  *f;
    FAILS(ARGUMENT_MISMATCH, "func f(x: f32[4], y: f32[4]) { }", x);
    FAILS(ARGUMENT_MISMATCH, "func f(x: f32[4], y: f32[4]) { }", x, y, x);
    CHECK(!RUN_POINTERS("func f(x: f32[4], y: f32[4]) { }", x, NULL));
    CHECK_CODE(cx, IRL_ERROR_ARGUMENT_MISMATCH);
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(NULL);
    f = parse("func f(n: index, x: f32[n], y: f32[n]) { for (i: n) y[i] = x[i] + 1; }");
    memset(t, 0, sizeof t);
    t[0].data = &n, t[0].type = irl_type_of(IRL_INDEX, 1), t[0].bytes = sizeof n;
    t[1].data = x, t[1].type = irl_type_of(IRL_F32, 1), t[1].shape.rank = 1,
    t[1].shape.extent[0] = 4, t[1].bytes = sizeof x;
    t[2] = t[1], t[2].data = y;
    CHECK(irl_func_interpret_tensors(f, 3, t) && y[3] == 5);
#define REFUSED(change, back)                          \
    do {                                               \
        irl_mark m = irl_ctx_mark(cx);                 \
        change;                                        \
        CHECK(!irl_func_interpret_tensors(f, 3, t));        \
        CHECK_CODE(cx, IRL_ERROR_ARGUMENT_MISMATCH);       \
        irl_ctx_rewind(cx, m);                             \
        back;                                          \
    } while (0)
    REFUSED(t[1].type.scalar = IRL_I32, t[1].type.scalar = IRL_F32);
    REFUSED(t[1].type.lanes = 4, t[1].type.lanes = 1);
    REFUSED(t[1].shape.rank = 2, t[1].shape.rank = 1);
    REFUSED(t[2].shape.extent[0] = 5, t[2].shape.extent[0] = 4);
    REFUSED(t[2].bytes = 15, t[2].bytes = 16);
    REFUSED(t[0].bytes = 7, t[0].bytes = 8);
    REFUSED(t[0].type.scalar = IRL_I64, t[0].type.scalar = IRL_INDEX);
    REFUSED(t[0].shape.rank = 1, t[0].shape.rank = 0);
    REFUSED(t[2].data = NULL, t[2].data = y);
#undef REFUSED
    CHECK(irl_func_interpret_tensors(f, 3, t));
    CHECK(!irl_func_interpret_tensors(f, 2, t));
    CHECK_CODE(cx, IRL_ERROR_ARGUMENT_MISMATCH);
    CHECK(!irl_func_interpret_tensors(f, 3, t)); /* the context has failed */
    CHECK(!irl_func_interpret(NULL, IRL_ARGS(x)) && !irl_module_interpret(NULL, IRL_ARGS(x)));
}

/* ------------------------------------------------------------------ memory */

static const char *const busy_text =
    "func f(x: f32[8, 8], y: f32[2, 8, 4] logical([8, 8], (i, j) -> (i / 4, j, i % 4))) {"
    "  alloc t: f32[8, 8];"
    "  for parallel (i: 8, j: 8) { alloc v: f32x4[2]; v[1] = broadcast(x[i, j], 4); t[i, j] = "
    "lane(v[1], 2); }"
    "  for bind(group.x)(g: 8) for bind(local.x)(l: 8) { alloc s: f32[8] scope(shared); let w = "
    "broadcast(t[g, l], 2); s[l] = lane(w, 1); barrier(shared);"
    "    y[g / 4, 7 - l, g % 4] = s[l]; } }";

static int busy_result(const float *x, const float *y)
{
    int i, j, ok = 1;
    for (i = 0; i < 8; i++)
        for (j = 0; j < 8; j++) ok &= y[i * 8 + 7 - j] == x[i * 8 + j];
    return ok;
}

/* A second run needs nothing that the first did not, and a run leaves nothing in the arena. */
static void nothing_stays(void)
{
    float      x[64], y[64] = { 0 };
    irl_func  *f;
    irl_mark   before, after;
    irl_memory first;
    int        k;
    for (k = 0; k < 64; k++) x[k] = (float)k;
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(NULL);
    f = parse(busy_text);
    CHECK(irl_func_interpret(f, IRL_ARGS(x, y)) && busy_result(x, y));
    CHECK_OK(cx);
    first = irl_ctx_memory(cx);
    before = irl_ctx_mark(cx);
    for (k = 0; k < 20; k++) CHECK(irl_func_interpret(f, IRL_ARGS(x, y)));
    after = irl_ctx_mark(cx);
    CHECK(irl_ctx_memory(cx).in_use == first.in_use);
    CHECK(before.point == after.point); /* nothing was made in between */
}

typedef struct allocator_state {
    long countdown; /* how many allocations still succeed; negative: all */
    int  once;
    long live;
} allocator_state;

static void *limited_allocate(void *user, size_t bytes)
{
    allocator_state *a = (allocator_state *)user;
    void            *memory;
    if (a->countdown == 0) {
        if (a->once) a->countdown = -1;
        return NULL;
    }
    if (a->countdown > 0) a->countdown--;
    memory = malloc(bytes);
    a->live += memory != NULL;
    return memory;
}

static void limited_release(void *user, void *memory, size_t bytes)
{
    (void)bytes;
    ((allocator_state *)user)->live--;
    free(memory);
}

/* Large enough that the scratch arena needs several chunks. */
static void failing_allocations(void)
{
    static const char text[] =
        "func f(x: f32[64, 64], y: f32[64, 64]) { for bind(group.x)(g: 64) for bind(local.x)(l: "
        "64) { alloc s: f32[64] scope(shared); alloc p: f32[200] scope(local);"
        " p[3] = x[g, l]; s[l] = p[3]; barrier(shared); y[g, l] = s[63 - l]; } }";
    static float    x[4096], y[4096];
    allocator_state state;
    irl_ctx_desc        desc;
    int             once, n, succeeded;
    for (once = 0; once < 2; once++) {
        for (n = 0, succeeded = 0; n < 100 && !succeeded; n++) {
            irl_func *f;
            memset(&desc, 0, sizeof desc);
            memset(&state, 0, sizeof state);
            state.countdown = -1;
            state.once = once;
            desc.allocator.allocate = limited_allocate;
            desc.allocator.release = limited_release;
            desc.allocator.user = &state;
            irl_ctx_destroy(cx);
            cx = irl_ctx_create(&desc);
            f = parse(text);
            state.countdown = n;
            succeeded = irl_func_interpret(f, IRL_ARGS(x, y));
            if (!succeeded) CHECK_CODE(cx, IRL_ERROR_OUT_OF_MEMORY);
            state.countdown = -1;
            irl_ctx_destroy(cx);
            cx = NULL;
            CHECK(state.live == 0);
        }
        CHECK(succeeded && n > 2);
    }
}

/* ------------------------------------------------------------------ the sizes of arguments */

/* Every type, by pointers to what has so many bytes: a number, or who knows. */
static void sizes_of_every_type(void)
{
    static const unsigned sizes[] = { 0, 1, 2, 3, 4, 8, 12, 16, 24, 32, 48, 96 };
    int                   k, lanes, number, refused = 0, taken = 0;
    size_t                j;
    for (k = 0; k < (int)IRL__SCALAR_COUNT; k++)
        for (lanes = 1; lanes <= 4; lanes += 3)
            for (j = 0; j < sizeof sizes / sizeof sizes[0]; j++)
                for (number = 0; number < 2; number++) {
                    static const int64_t data[64] = { 0 };
                    char                 text[200];
                    irl_arguments        a = IRL_POINTERS(data);
                    irl_type             type = irl_type_of((irl_scalar)k, lanes);
                    size_t bytes = irl__type_bytes(irl_type_of((irl_scalar)k, 1)), s = sizes[j],
                           whole = bytes * (size_t)lanes;
                    int    fits = s == 0 || s == bytes ||
                               (!number && (s == whole || s == 3 * whole || s == 6 * whole));
                    if (k == IRL_INDEX) continue; /* no buffer holds them */
                    irl_ctx_destroy(cx);
                    cx = irl_ctx_create(NULL);
                    sprintf(text, "func f(x: %s[2, 3]) { }", irl_type_text(cx, type));
                    a.size[0] = s;
                    a.is_number[0] = (unsigned char)number;
                    if (!CHECK(irl_func_interpret(parse(text), a) == fits))
                        printf("%s: %d bytes, %d\n%s\n", text, (int)s, number, irl_diag_text(cx));
                    if (!fits) CHECK_CODE(cx, IRL_ERROR_ARGUMENT_MISMATCH);
                    refused += !fits, taken += fits;
                }
    CHECK(refused > 100 && taken > 100);
}

static void sizes_of_arguments(void)
{
    static const char twice[] = "func f(n: index, x: f32[n], y: f32[n]) { for (i: n) y[i] = x[i]; "
                                "}",
                      lanes[] = "func f(x: f32x4[2]) { x[0] = x[1]; }",
                      rows[] = "func f(n: index, x: f32[4, n]) { for (i: n) x[0, i] = 7.0f; }";
    typedef struct four {
        float x, y, z, w;
    } four;
    float       x[4] = { 1, 2, 3, 4 }, y[4] = { 0 }, pairs[4][2] = { { 0 } }, flat[8] = { 0 };
    double      d[8] = { 0 };
    four        v[2] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } };
    const float c[4] = { 0 };
    int64_t     n = 4, two = 2;
    int32_t     narrow = 4;
    irl_tensor  t;
    irl_func   *f;
    WORKS(twice, &n, x, y);
    WORKS(twice, &n, c, &y[0]);
    WORKS(twice, &n, &x, &y); /* arrays of four, by their address */
    FAILS(ARGUMENT_MISMATCH, twice, &n, d, y);
#if defined(__GNUC__) && !defined(__TINYC__) /* others cannot tell a number from a struct */
    SAYS("argument 1, for x, points to numbers of 8 bytes; f32 needs 4");
#endif
    FAILS(ARGUMENT_MISMATCH, twice, &n, x, d);
    FAILS(ARGUMENT_MISMATCH, twice, &narrow, x, y);
#if defined(__GNUC__) && !defined(__TINYC__)
    SAYS("argument 0, for n, points to numbers of 4 bytes; index needs 8");
#endif
    CHECK(RUN_POINTERS(twice, &n, (void *)x, (void *)y));
    WORKS(lanes, v);
    WORKS(lanes, flat);
    FAILS(ARGUMENT_MISMATCH, lanes, d);
    WORKS(rows, &two, pairs);
    WORKS(rows, &two, flat);
#if defined(__GNUC__) && !defined(__TINYC__)
    FAILS(ARGUMENT_MISMATCH, rows, &two, d); /* as large as a row of two */
#endif
    n = 3;
    FAILS(ARGUMENT_MISMATCH, rows, &n, pairs); /* rows of two, where three are wanted */
    /* what a shape is read from */
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(NULL);
    f = parse(twice);
    CHECK(!irl_func_param_tensor(f, 1, IRL_ARGS(&narrow, x, y), &t));
    CHECK_CODE(cx, IRL_ERROR_ARGUMENT_MISMATCH);
}

int main(void)
{
    sizes_of_every_type();
    sizes_of_arguments();
    plain_loops();
    choice_and_names();
    laziness();
    scalar_parameters();
    every_type_in_memory();
    blocks();
    match_buffers();
    vectors();
    aliases();
    aliases_of_symbolic_size();
    separators();
    layouts();
    stages();
    lowered_module();
    modules();
    work_items();
    work_items_in_blocks();
    divergence();
    launch_shapes();
    races();
    parallel_loops();
    undefined();
    bounds();
    checks();
    sizes();
    deep_and_wide();
    too_many_lanes();
    step_limit();
    arguments();
    nothing_stays();
    failing_allocations();
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
