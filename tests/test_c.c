/* test_c.c - what is emitted as C, looked at as text: functions, temporaries, names, options, and
   what is refused. test_c_generated.c runs it. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "test.h"

static irl_ctx *cx;

static const irl_module *lowered(const char *text, const char *target)
{
    irl_func *f = irl_func_parse(cx, text, strlen(text), "test");
    return f ? irl_func_lower(f, irl_target_find(target)) : NULL;
}

static const char *source(const char *text, const irl_c_options *options)
{
    const char *s = irl_c_source_with(lowered(text, "c99"), options);
    if (!s[0]) printf("%s\n", irl_diag_text(cx));
    return s;
}

static int has(const char *text, const irl_c_options *options, const char *part)
{
    const char *s = source(text, options);
    int         ok = strstr(s, part) != NULL;
    if (!ok) printf("%s\nhas no\n%s\n", s, part);
    return ok;
}

/* Every line of it: this is what users read. */
static void test_whole(void)
{
    static const char text[] = "func relu(x: f32[1, 6, 8], y: f32[1, 6, 8])\n"
                               "    layout(x: (n, h, c) -> (n, c / 4, h, c % 4)) {\n"
                               "    for (n: 1, h: 6, c: 8) y[n, h, c] = max(x[n, h, c], 0.0f);\n"
                               "}\n";
    static const char expected[] =
        "/* relu: C99, emitted by irlayout " IRL_VERSION_STRING " */\n"
        "#include <stdint.h>\n"
        "\n"
        "#ifndef IRL_RESTRICT\n"
        "#ifdef __cplusplus\n"
        "#define IRL_RESTRICT __restrict\n"
        "#else\n"
        "#define IRL_RESTRICT restrict\n"
        "#endif\n"
        "#endif\n"
        "\n"
        "/* does not compile if floats have other sizes than this code was emitted for */\n"
        "typedef char relu_types_fit[sizeof(float) == 4 ? 1 : -1];\n"
        "\n"
        "#ifdef __cplusplus\n"
        "extern \"C\" {\n"
        "#endif\n"
        "\n"
        "/* relu: no two arrays overlap\n"
        "   x: read, f32[1, 6, 8] by (n, h, c) -> (n, c / 4, h, c % 4), in memory f32[1, 2, 6, 4]";
    const char *s = source(text, NULL);
    CHECK(strncmp(s, expected, sizeof expected - 1) == 0);
    CHECK(strstr(s, "void relu(const float *IRL_RESTRICT x, float *IRL_RESTRICT y)\n{\n"
                    "    for (uint32_t h = 0u; h < 6u; h++) {\n"));
    CHECK(strstr(s, "irl_relu_max_float(x[") != NULL);
    CHECK(!strstr(s, "math.h") && !strstr(s, "stddef.h") && !strstr(s, "malloc"));
    CHECK_OK(cx);
}

static void test_temporaries(void)
{
    static const char text[] = "func f(x: f32[6], y: f32[6]) {\n    alloc t: f32[6];\n"
                              "    for (i: 6) t[i] = x[i] + 1.0f;\n"
                              "    for (i: 6) y[i] = t[5 - i];\n}\n";
    static const char named[] = "func f(n: index, x: f32[n], y: f32[n]) {\n    alloc t: f32[n];\n"
                               "    for (i: n) t[i] = x[i] + 1.0f;\n"
                               "    for (i: n) y[i] = t[n - 1 - i];\n}\n";
    irl_c_options options;
    irl_mark      mark;
    memset(&options, 0, sizeof options);
    options.prefix = "ui_";
    options.is_header = 1;
    CHECK(has(text, NULL, "#define f_scratch_bytes 32\n"));
    CHECK(has(text, NULL, "float *const t = (float *)(void *)((unsigned char *)scratch);\n"
                          "    f_0(x, t);\n    f_1(y, t);\n"));
    CHECK(has(named, NULL, "size_t f_scratch_bytes(int64_t n);\n"));
    CHECK(has(named, NULL, "#include <stddef.h>\n"));
    CHECK(has("func f(n: index, x: f32[n], y: f32[n]) { let m = n * 2 + 1; alloc t: f32[m]; "
              "for (i: n) t[i * 2] = x[i]; for (i: n) y[i] = t[(n - 1 - i) * 2]; }",
              NULL, "size_t f_scratch_bytes(int64_t n);\n"));
    CHECK(has(text, &options, "void ui_f(const float *IRL_RESTRICT x, float *IRL_RESTRICT y, "
                              "void *scratch);\n"));
    CHECK(has(text, &options, "#ifndef UI_F_H\n#define UI_F_H\n"));
    CHECK(has(text, &options, "#ifdef UI_F_IMPLEMENTATION\n"));
    options.name = "g"; /* the function and the kernels that are named after it */
    CHECK(has(text, &options, "/* ui_g (f): no two arrays overlap\n"));
    CHECK(has(text, &options, "    ui_g_0(x, t);\n    ui_g_1(y, t);\n"));
    CHECK(!strstr(irl_c_source_with(lowered(text, "c99"), &options), "ui_f"));
    options.name = "int"; /* the prefix makes it a name; without one it is changed, and said */
    CHECK(has(text, &options, "void ui_int("));
    options.prefix = NULL;
    CHECK(has(text, &options, "/* v_int (f): no two arrays overlap\n"));
    options.name = NULL;
    options.prefix = "ui_";
    options.is_header = 0;
    options.static_bytes = 24;
    CHECK(has(text, &options, "    static float t[6];\n"));
    CHECK_OK(cx);
    mark = irl_ctx_mark(cx);
    options.static_bytes = 23;
    CHECK(!irl_c_source_with(lowered(text, "c99"), &options)[0]);
    CHECK_CODE(cx, IRL_ERROR_TARGET_LIMIT);
    CHECK(strstr(irl_diag_text(cx),
                 "'t' has 24 bytes; static memory for one is limited to 23") != NULL);
    irl_ctx_rewind(cx, mark);
    options.static_bytes = 1000;
    CHECK(!irl_c_source_with(lowered(named, "c99"), &options)[0]);
    CHECK_CODE(cx, IRL_ERROR_TARGET_LIMIT);
    irl_ctx_rewind(cx, mark);
}

/* A header and a source, which together are what one text is. */
static void test_pair(void)
{
    static const char text[] = "func f(n: index, x: f32[n], y: f64[n]) {\n    alloc t: f32[n];\n"
                               "    for (i: n) t[i] = sqrt(x[i]);\n"
                               "    for (i: n) y[i] = f64(t[n - 1 - i]);\n}\n";
    irl_c_options options;
    const char   *header, *code;
    irl_mark      mark;
    memset(&options, 0, sizeof options);
    options.header_name = "pair.h";
    header = irl_c_header(lowered(text, "c99"), &options);
    code = source(text, &options);
    CHECK(strstr(header, "#ifndef F_H\n#define F_H\n#include <stdint.h>\n#include <stddef.h>\n"));
    CHECK(strstr(header, "typedef char f_types_fit[sizeof(float) == 4 && sizeof(double) == 8 ? 1"));
    CHECK(strstr(header, "size_t f_scratch_bytes(int64_t n);\n"));
    CHECK(strstr(header, "double *IRL_RESTRICT y, void *scratch);\n"));
    CHECK(!strstr(header, "{\n    ") && !strstr(header, "math.h"));
    CHECK(strcmp(header + strlen(header) - 26, "#ifdef __cplusplus\n}\n#endif\n#endif\n" + 9) == 0);
    CHECK(strstr(code, "#include \"pair.h\"\n#include <math.h>\n"));
    CHECK(!strstr(code, "stdint.h") && !strstr(code, "define IRL_RESTRICT") &&
          !strstr(code, "void *scratch);"));
    CHECK_OK(cx);
    mark = irl_ctx_mark(cx);
    options.is_header = 1;
    CHECK(!irl_c_source_with(lowered(text, "c99"), &options)[0]);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_c_header(NULL, NULL)[0]);
}

/* The message of what is refused for an index type. */
static int too_narrow(const char *text, irl_scalar index, const char *part)
{
    irl_mark      mark = irl_ctx_mark(cx);
    irl_c_options options;
    int           ok;
    memset(&options, 0, sizeof options);
    options.index = index;
    ok = !irl_c_source_with(lowered(text, "c99"), &options)[0] && irl_diag_of(cx) &&
         irl_diag_of(cx)->code == IRL_ERROR_INDEX_WIDTH &&
         strstr(irl_diag_text(cx), part) != NULL;
    if (!ok) printf("%s\nnot: %s\n", irl_diag_text(cx), part);
    irl_ctx_rewind(cx, mark);
    return ok;
}

/* Indices of one type: proved to fit, or refused with values for which one does not. */
static void test_index(void)
{
    static const char page[] = "func f(x: u8[64, 128], y: u8[8, 128, 8]) { for (i: 64, j: 128) "
                               "y[i / 8, j, i % 8] = x[i, j]; }",
                      sized[] = "func f(n: index, x: u8[n], y: u8[n]) { assume(n <= 200); "
                                "for (i: n) y[i] = x[n - 1 - i]; }",
                      wide[] = "func f(n: index, x: u8[n], y: u8[n * 2]) { for (i: n) "
                               "y[i * 2 + 1] = x[i]; }",
                      below[] = "func f(x: u8[9], y: u8[9]) { for (i: 9) "
                                "y[i] = x[max(i - 3, 0)]; }",
                      floors[] = "func f(x: u8[9], y: u8[9]) { for (i: 9) "
                                 "y[i] = x[max((i - 4) / 3, 0)]; }",
                      loaded[] = "func f(x: u8[9], k: i32[9], y: u8[9]) { for (i: 9) "
                                 "y[i] = x[index(k[i])]; }";
    irl_c_options options;
    irl_mark      mark;
    memset(&options, 0, sizeof options);
    options.index = IRL_U16;
    CHECK(has(page, &options, "for (uint16_t "));
    CHECK(!strstr(source(page, &options), "uint32_t"));
    CHECK(!strstr(source(page, &options), "int64_t"));
    CHECK(has(sized, &options, "void f(uint16_t n, const uint8_t"));
    options.index = IRL_I16;
    CHECK(has(below, &options, "irl_f_max_int16_t((int16_t)(i - 3), 0)"));
    CHECK(has(floors, &options, "irl_f_floordiv_int16_t((int16_t)(i - 4), 3)"));
    options.index = IRL_I64;
    CHECK(has(wide, &options, "for (int64_t i = 0; i < n; i++)"));
    CHECK_OK(cx);
    CHECK(too_narrow(page, IRL_U8, "may be 8191 at i_o = 7, j = 127, i_i = 7, and"));
    CHECK(too_narrow(wide, IRL_U16, " at "));
    CHECK(too_narrow(below, IRL_U16, "i - 3 may be -3 at i = 0, and uint16_t holds 0 to 65535"));
    CHECK(too_narrow(loaded, IRL_U16, "is not proved to fit uint16_t"));
    mark = irl_ctx_mark(cx);
    options.is_checked = 1;
    CHECK(!irl_c_source_with(lowered(page, "c99"), &options)[0]);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_rewind(cx, mark);
    options.is_checked = 0;
    options.index = IRL_F32;
    CHECK(!irl_c_source_with(lowered(page, "c99"), &options)[0]);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_rewind(cx, mark);
}

/* Pointers that move with an outer loop, where indices have at most 32 bits: they stay in their
   memory, and no index is below 0 behind them. */
static void test_moved(void)
{
    static const char raw[] = "func f(x: u8[16, 5], y: u8[16, 4]) { for (g: 16, i: 4) "
                              "y[g, i] = x[g, i] + x[g, 4]; }",
                      from_1[] = "func f(x: u8[16, 5], y: u8[16, 4]) { for (g: 1 .. 16, i: 4) "
                                 "y[g, i] = x[g, i]; }",
                      ends[] = "func f(x: u8[63], y: u8[16, 4]) { for (g: 16, i: 3) "
                               "y[g, i] = x[g * 4 + i]; }",
                      steps[] = "func f(x: u8[16, 5], y: u8[16, 4]) { for (g: 16, i: 4) "
                                "y[g, i] = x[g, i] + x[i, 0]; }",
                      back[] = "func f(x: u8[16, 5], y: u8[16, 4]) { for (g: 16, i: 4) "
                               "y[g, i] = x[15 - g, i]; }",
                      before[] = "func f(x: u8[80], y: u8[16, 4]) { for (g: 16, i: 4) "
                                 "y[g, i] = x[max(g * 5 + i - 3, 0)]; }",
                      alone[] = "func f(x: u8[16, 5], y: u8[16]) { for (g: 16) y[g] = x[g, 0]; }";
    irl_c_options how;
    memset(&how, 0, sizeof how);
    CHECK(!strstr(source(raw, &how), "+= "));
    how.index = IRL_I64;
    CHECK(!strstr(source(raw, &how), "+= "));
    how.index = IRL_U16;
    CHECK(has(raw, &how, "const uint8_t *x_g = x;") && has(raw, &how, ", x_g += 5") &&
          has(raw, &how, "= (uint8_t)((unsigned)x_g[i] + x_g[4u]);"));
    CHECK(has(from_1, &how, ", x_g += 5") && !strstr(source(from_1, &how), "[g"));
    CHECK(has(ends, &how, "y_g[i] = x[g * 4u + i]"));
    CHECK(has(steps, &how, "(unsigned)x[g * 5u + i] + x[i * 5u]"));
    CHECK(!strstr(source(alone, &how), "+= "));
    how.index = IRL_I32;
    CHECK(has(back, &how, "y_g[i] = x["));
    CHECK(has(raw, &how, ", x_g += 5"));
    CHECK(!strstr(source(before, &how), "x_g"));
    how.openmp = 1;
    CHECK(!strstr(source(raw, &how), "+= "));
    CHECK_OK(cx);
}

/* What is shifted by more in each iteration is kept, shifted, where indices have at most 32 bits,
   the loop does not change it, and it is read in any case. */
static void test_shifted(void)
{
    static const char low[] = "func f(p: u8[16, 5], y: u8[16, 4]) { for (g: 16, x: 4) "
                              "y[g, x] = (p[g, 4] >> u8(x * 2)) % 4; }",
                      changed[] = "func f(p: u8[16, 5], y: u8[16, 4]) { for (g: 16, x: 4) "
                                  "{ y[g, x] = (p[g, 4] >> u8(x * 2)) % 4; p[g, 4] = u8(x); } }",
                      guarded[] = "func f(p: u8[16, 5], y: u8[16, 4]) { for (g: 16, x: 4) "
                                  "if (y[g, 0] > 7) y[g, x] = (p[g, 4] >> u8(x * 2)) % 4; }",
                      by_data[] = "func f(p: u8[16, 5], y: u8[16, 4]) { for (g: 16, x: 4) "
                                  "y[g, x] = (p[g, x] >> u8(x * 2)) % 4; }",
                      of_signed[] = "func f(p: i8[16, 5], y: i8[16, 4]) { for (g: 16, x: 4) "
                                    "y[g, x] = (p[g, 4] >> i8(x * 2)) % 4; }";
    irl_c_options how;
    memset(&how, 0, sizeof how);
    CHECK(!strstr(source(low, &how), "shifted"));
    how.index = IRL_U16;
    CHECK(has(low, &how, "uint8_t shifted = p_g[4u];") && has(low, &how, "shifted = (uint8_t)"));
    CHECK(!strstr(source(changed, &how), "shifted"));
    CHECK(!strstr(source(guarded, &how), "shifted"));
    CHECK(!strstr(source(by_data, &how), "shifted"));
    CHECK(!strstr(source(of_signed, &how), "shifted"));
    how.openmp = 1;
    CHECK(!strstr(source(low, &how), "shifted"));
    CHECK_OK(cx);
}

/* A small constant that is shifted has its type: C's int may have 16 bits. */
static void test_constants_shifted(void)
{
    CHECK(has("func f(y: u32[32]) { for (i: 32) y[i] = u32(1) << u32(i); }", NULL,
              "= (uint32_t)1u << "));
    CHECK(has("func f(y: i32[8]) { for (i: 8) y[i] = (1 << i32(i)) + (1000 >> i32(i)); }", NULL,
              "(int32_t)1000 >> "));
    CHECK(has("func f(y: i32[8]) { for (i: 8) y[i] = -1 << i32(i); }", NULL, "(uint32_t)"));
    /* an index of 64 bits, whose literals are ints; and what only 64 bits may be shifted by */
    CHECK(has("func f(y: i64[40]) { for (i: 40) y[i] = i64(1 << i); }", NULL, "= (int64_t)1 << "));
    CHECK(has("func f(y: i32[40]) { for (i: 40) y[i] = i32(64 >> i); }", NULL, "(int64_t)64 >> "));
    CHECK(has("func f(y: i32[8]) { for (i: 8) y[i] = i32(64 >> i); }", NULL, "(uint32_t)64u >> "));
    CHECK(too_narrow("func f(y: i32[40]) { for (i: 40) y[i] = i32((i + 1) >> i); }", IRL_U16,
                     "is not proved to shift by less than 16"));
    CHECK_OK(cx);
}

/* So has what is computed of literals alone, of which one is chosen. */
static void test_constants_chosen(void)
{
    static const char product[] = "func f(c: u8[8], y: i32[8]) { for (i: 8) "
                                  "y[i] = (c[i] > 3 ? i32(300) : i32(7)) * 200; }",
                      of_index[] = "func f(c: u8[8], y: i32[8]) { for (i: 8) "
                                   "y[i] = i32((c[i] > 3 ? 300 : 7) * 200); }",
                      without[] = "func f(c: u8[8], y: u32[8]) { for (i: 8) "
                                  "y[i] = ~(c[i] > 3 ? u32(300) : u32(7)); }";
    CHECK(has(product, NULL, "(int32_t)(c[i] > 3 ? 300 : 7) * 200"));
    CHECK(has(of_index, NULL, "(uint32_t)(c[i] > 3 ? 300u : 7u) * 200u"));
    CHECK(has(without, NULL, "~(uint32_t)(c[i] > 3 ? 300u : 7u)"));
    CHECK_OK(cx);
}

static void test_names(void)
{
    CHECK(has("func sin(int: f32[4], irl_x: f32[4]) { for (for_: 4) irl_x[for_] = int[for_]; }",
              NULL,
              "void v_sin(const float *IRL_RESTRICT v_int, float *IRL_RESTRICT v_irl_x)"));
    CHECK(has("func sin(int: f32[4], irl_x: f32[4]) { for (for_: 4) irl_x[for_] = int[for_]; }",
              NULL, "/* v_sin (sin): no two arrays overlap\n   v_int (int): read, f32[4]\n"));
    /* texts of the user's are neither code nor the end of a comment */
    CHECK(has("func f(n: index, x: f32[n]) { assert(n > 2, \"*/ exit(1); /* \\\\\"); "
              "for (i: n) x[i] = 1.0f; }",
              NULL, "return 1; /* * / exit(1); "));
    CHECK(has("func f(x: f32[4]) { for (i: 4) x[i] = extern(f32, h, x[i], 3); }", NULL,
              "extern float h(float, int64_t);\n"));
    CHECK(has("func f(n: index, x: f32[4]) { for (i: 4) x[i] = 1.0f; }", NULL, "    (void)n;\n"));
    CHECK(has("func f(n: index, x: f32[n]) { assert(n > 2, \"few\"); for (i: n) x[i] = 1.0f; }",
              NULL, "    if (!(n >= 3)) return 1; /* few */\n"));
    CHECK(has("func f(x: f32[4], y: i32[4]) { for (i: 4) y[i] = y[i] / i32(x[i]); }", NULL,
              "irl_f_floordiv_int32_t(y[i], (int32_t)x[i])"));
    CHECK(has("func f(x: f32[4]) { for (i: 4) x[i] = x[i] * x[i] + sqrt(x[i]); }", NULL,
              "#include <math.h>\n"));
    CHECK(has("func f(x: f32[4]) { for (i: 4) x[i] = x[i] * x[i] + 1.0f; }", NULL,
              "#pragma STDC FP_CONTRACT OFF\n"));
    CHECK_OK(cx);
}

/* What compilers would warn of: a bool seen through casts, an index of fewer bits than what it is
   computed of. */
static void test_warned_of(void)
{
    CHECK(has("func f(a: bool[8], y: u8[8]) { for (i: 8) y[i] = ~u8(a[i]); }", NULL,
              "~(uint8_t)((int8_t)(a[i]) != 0 ? 1 : 0)"));
    CHECK(has("func f(p: i32, a: bool[8], y: i32[8]) { for (i: 8) "
              "y[i] = select(i32(a[i]) < p, 1, 2); }",
              NULL, "(int32_t)((int8_t)(a[i]) != 0 ? 1 : 0) < p"));
    CHECK(has("func f(a: bool[8], y: i32[8]) { for (i: 8) y[i] = i32(a[i]) + 3; }", NULL,
              "(int32_t)((int8_t)(a[i]) != 0) + 3"));
    CHECK(has("func f(n: index, x: f32[n], y: f32[n]) { for (i: n) { let k = i % 2; "
              "y[i] = x[k] + x[(i + k) % n]; } }",
              NULL, "const uint32_t k = (uint32_t)(i % 2);"));
    /* bits in front of ?; private memory that only constants without use read */
    CHECK(has("func f(a: f32[8], y: f32[8]) { for (i: 8) "
              "y[i] = select((a[i] < 1.0f) | (a[7 - i] < 2.0f), a[i], 3.0f); }",
              NULL, "y[i] = ((a[i] < 1.0f) | (a[7u - i] < 2.0f)) ? "));
    CHECK(has("func f(a: f32[8], y: f32[8]) { for (i: 8) "
              "y[i] = select(a[i] < 1.0f && a[7 - i] < 2.0f, a[i], 3.0f); }",
              NULL, "y[i] = a[i] < 1.0f && a[7u - i] < 2.0f ? "));
    CHECK(!strstr(source("func f(a: f32[8], y: f32[8]) { for (i: 8) { alloc q: f32[1] "
                         "scope(local); alloc r: f32[1] scope(local); r[0] = a[i]; "
                         "q[0] = r[0] * a[7 - i]; let v = q[0] + 1.0f; y[i] = a[i]; } }",
                         NULL),
                  "float q"));
    CHECK(has("func f(a: f32[8], y: f32[8]) { for (i: 8) { alloc q: f32[2] scope(local); "
              "alloc r: f32[2] scope(local); r[0] = a[i]; for (j: 2) { if (j == 1) y[i] = q[0]; "
              "q[0] = r[0]; r[0] = a[i] + 1.0f; } } }",
              NULL, "float r = a[i];\n"));
    /* a sum over the iterations of two loops, of which there may be none, begins */
    CHECK(has("func f(x: f32[a, b], y: f32[n]) { for (i: n) "
              "y[i] = sum(p: a, q: b, x[p, q] * f32(i)); }",
              NULL, "        float y_local = 0.0f;\n        for (int64_t p = 0; p < a; p++) {\n"));
    CHECK_OK(cx);
}

/* Bits of truths, the right one of which calls: the left one is a number in so many words; nested
   60 deep they are printed in no more than their length. */
static void test_bits_of_truths(void)
{
    char   text[4096];
    size_t n = 0;
    int    k;
    CHECK(has("func f(x: f32[8], y: i32[8]) { for (i: 8) "
              "y[i] = i32((x[i] < 1.0f) | (max(x[i], x[7 - i]) < 2.0f)); }",
              NULL, "(int)(x[i] < 1.0f) | (irl_f_max_float(x[i], x[7u - i]) < 2.0f)"));
    n += (size_t)sprintf(text, "func f(x: f32[8], y: i32[8]) { for (i: 8) y[i] = i32(");
    for (k = 0; k < 60; k++) n += (size_t)sprintf(text + n, "(x[i] < %d.5f) | (", k);
    n += (size_t)sprintf(text + n, "sqrt(x[i]) < 1.0f");
    for (k = 0; k < 60; k++) text[n++] = ')';
    (void)sprintf(text + n, "); }");
    CHECK(has(text, NULL, "(int)(x[i] < 59.5f) | "));
    CHECK_OK(cx);
}

/* Bits of several scalars as one, and of one as several, in the order of memory. */
static void test_bits(void)
{
    static const char join[] = "func f(x: u8[8, 4], y: f32[8]) { for (i: 8) "
                               "y[i] = as(f32, x[i, ramp(0, 1, 4)]); }";
    static const char part[] = "func f(x: f32[8], y: i16[16]) { for (i: 8) "
                               "y[ramp(i * 2, 1, 2)] = as(i16x2, x[i]); }";
    CHECK(has(join, NULL, "irl_f_u32_as_f32(irl_f_u8_joined_u32("));
    CHECK(has(join, NULL, "union { uint32_t whole; uint8_t parts[4]; } u;\n    u.parts[0] = p0;"));
    CHECK(has(part, NULL, "(int16_t)(irl_f_u32_part_u16(irl_f_f32_as_u32("));
    CHECK(has(part, NULL, "u.whole = x;\n    return u.parts[k];"));
    CHECK_OK(cx);
}

/* Work-items are loops, images are arrays. */
static void test_items(void)
{
    CHECK(has("func f(x: f32[8, 4], y: f32[8, 4]) { for bind(group.x) (g: 8) for bind(local.x) "
              "(i: 4) y[g, i] = x[g, i] * 2.0f; }",
              NULL, "for (uint32_t g = 0u; g < 8u; g++) {\n        for (uint32_t i = 0u;"));
    /* a sum of its own for each item */
    CHECK(has("func f(x: f32[8, 4], y: f32[8, 4]) { for bind(group.x) (g: 8) { alloc s: f32[2] "
              "scope(local); for bind(local.x) (i: 4) s[i % 2] = x[g, i]; for bind(local.x) (j: 4) "
              "y[g, j] = s[j % 2]; } }",
              NULL, "for (uint32_t local_x = 0u; local_x < 4u; local_x++) {"));
    CHECK(has("func f(x: f32[8, 8, 4] scope(texture), y: f32[8, 8, 4]) { for (a: 8, b: 8, c: 4) "
              "y[a, b, c] = x[a, b, c]; }",
              NULL, "for (uint32_t"));
    CHECK_OK(cx);
}

/* OpenMP: in front of the outermost parallel loop, and not where items share private memory. */
static void test_openmp(void)
{
    static const char nest[] = "func f(n: index, x: f32[n, 8], y: f32[n, 8]) { for (i: n, j: 8) "
                               "y[i, j] = x[i, j] * 2.0f; }",
                      own[] = "func f(x: f32[8, 4], y: f32[8, 4]) { alloc s: f32[1] scope(local); "
                              "for bind(group.x) (g: 8) for bind(local.x) (i: 4) { s[0] = x[g, i]; "
                              "y[g, i] = s[0] + x[g, 3 - i]; } }",
                      group[] = "func f(x: f32[8, 4], y: f32[8, 4]) { for bind(group.x) (g: 8) { "
                                "alloc t: f32[4] scope(shared); for bind(local.x) (i: 4) { t[i] = "
                                "x[g, i]; barrier(shared); y[g, i] = t[3 - i]; } } }",
                      spread[] = "#ifdef _OPENMP\n#pragma omp parallel for\n#endif\n    for (";
    irl_c_options options;
    const char   *s;
    memset(&options, 0, sizeof options);
    CHECK(!strstr(source(nest, &options), "#pragma omp"));
    options.openmp = 1;
    s = strstr(source(nest, &options), spread);
    CHECK(s && !strstr(s + 20, "#pragma omp"));
    CHECK(has(group, &options, spread));
    CHECK(!strstr(source(own, &options), "#pragma omp") ||
          !strstr(source(own, &options), "float s["));
    CHECK_OK(cx);
}

/* A text for c-gnu-avx512 has these parts. */
static void vectors_have(const char *text, const char *const *parts)
{
    const char *s = irl_c_source(lowered(text, "c-gnu-avx512"));
    int         k, ok = s[0] != '\0';
    for (k = 0; ok && parts[k]; k++) ok = strstr(s, parts[k]) != NULL;
    if (!CHECK(ok)) printf("%s%s\nhas no\n%s\n", irl_diag_text(cx), s, k ? parts[k - 1] : "text");
}

/* Sums are variables of C's, memory is accessed by runs at any element beside single ones, and
   what each lane would repeat has a name. */
static void test_vectors(void)
{
    static const char sums[] =
        "func f(x: f32[64], w: f32[64, 16], y: f32[2, 16]) { for bind(group.x) (g: 2) "
        "{\n"
        "    alloc s: f32[16] scope(local);\n"
        "    for vectorized (o: 16) s[o] = 0.0f;\n"
        "    for (j: 63) for vectorized (o: 16) s[o] = fma(x[j + 1], w[j + 1, o], s[o]);\n"
        "    for vectorized (o: 16) y[g, o] = s[o]; } }",
                      least[] = "func f(x: f32[65], y: f32[64]) { for (i: 8) y[ramp(i * 8, 1, 8)] "
                                "= pow(x[ramp(i * 8 + 1, 1, 8)], broadcast(x[i], 8)); }",
                      mixed[] = "func f(x: f32[65], y: u32[64]) { decl b: u32[65] data(x); for (i: "
                                "8) y[ramp(i * 8, 1, 8)] = b[ramp(i * 8 + 1, 1, 8)] + "
                                "broadcast(u32(x[i]), 8); }";
    static const char choices[] =
        "func f(x: f32[64], y: f32[64]) { for (i: 4) y[ramp(i * 16, 1, 16)] = "
        "select(ramp(i * 16, 1, 16) < broadcast(40, 16) && x[ramp(i * 16, 1, 16)] != "
        "broadcast(0.0f, 16), abs(x[ramp(i * 16, 1, 16)]), broadcast(1.0f, 16)); }";
    static const char *const of_choices[] = {
        "irl_f_select_f32x16(((irl_f_i32x16)((irl_f_i32x16){ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, "
        "11, 12, 13, 14, 15 } < ((irl_f_i32x16){ 0 } + (40 - (int32_t)(i * 16u)))) & "
        "(irl_f_i32x16)(",
        " & 0x7fffffff))), (", NULL
    };
    static const char *const of_sums[] = {
        "irl_f_f32x16 s = ", "#include <stddef.h>\n", "#include <immintrin.h>\n",
        "= (irl_f_f32x16){ x[(size_t)j + 1],", "(w + j * 16u + 16u));",
        "s = irl_f_fma_f32x16(part, part_1, s);", "= s;\n", NULL
    };
    static const char *const of_least[] = { "part = (*(const irl_f_f32x8_at *)",
                                            "powf(part[0u], x[i])", NULL };
    static const char *const of_mixed[] = { "irl_f_f32_as_u32(x[(size_t)(i * 8u) + 1])", NULL };
    irl_c_options            options;
    vectors_have(choices, of_choices);
    vectors_have(sums, of_sums);
    vectors_have(least, of_least);
    vectors_have(mixed, of_mixed); /* memory of two types: by its own */
    memset(&options, 0, sizeof options);
    options.index = IRL_U16;
    CHECK(!strstr(irl_c_source_with(lowered(sums, "c-gnu-avx512"), &options), "size_t"));
    CHECK_OK(cx);
}

static void test_refused(void)
{
    irl_mark mark = irl_ctx_mark(cx);
    CHECK(!irl_c_source(lowered("func f(x: f32[8]) { for (i: 8) x[i] = 1.0f; }", "opencl12"))[0]);
    CHECK_CODE(cx, IRL_ERROR_UNSUPPORTED);
    CHECK(strstr(irl_diag_text(cx), "lower for c99") != NULL);
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_c_source(lowered("func f(x: f32[8]) { for (i: 8) x[i] = extern(f32, h, x[i]) + "
                                "extern(f32, h, 2); }",
                                "c99"))[0]);
    CHECK_CODE(cx, IRL_ERROR_TYPE_MISMATCH);
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_c_source(NULL)[0]);
}

int main(void)
{
    cx = irl_ctx_create(NULL);
    test_whole();
    test_temporaries();
    test_pair();
    test_index();
    test_moved();
    test_shifted();
    test_constants_shifted();
    test_constants_chosen();
    test_names();
    test_warned_of();
    test_bits_of_truths();
    test_bits();
    test_items();
    test_openmp();
    test_vectors();
    test_refused();
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
