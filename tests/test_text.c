/* test_text.c - the text form: what is printed reads back equal, exactly, and as a person would
   write it; hostile text is a diagnostic. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/text/text.h"
#endif
#include "failing.h"
#include "test.h"
#include "mutate.h"
#include "text_corpus.h"

#include <limits.h>
#include <locale.h>
#include <math.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static irl_func *parse(irl_ctx *cx, const char *text)
{
    return irl_func_parse(cx, text, strlen(text), NULL);
}

/* ------------------------------------------------------------------ round trips */

static void check_round_trip(irl_ctx *cx, const irl_func *f)
{
    irl_ctx    *other = irl_ctx_create(NULL);
    const char *text = irl_func_text(f);
    irl_func   *again = parse(cx, text), *elsewhere = parse(other, text);
    int ok = CHECK_OK(cx) & CHECK_OK(other) & CHECK(again != NULL) & CHECK(elsewhere != NULL);
    if (ok) {
        ok &= CHECK(irl_func_equal(f, again)) & CHECK(irl_func_equal(again, f)) &
              CHECK(irl_func_equal(f, elsewhere));
        ok &= CHECK(strcmp(irl_func_text(again), text) == 0);
        ok &= CHECK(irl__verify(again));
    }
    if (!ok) printf("---- printed:\n%s\n", text);
    irl_ctx_destroy(other);
}

static void test_functions(void)
{
    int k;
    for (k = 0; k < COUNT(text_functions); k++) {
        irl_ctx  *cx = irl_ctx_create(NULL);
        irl_func *f = parse(cx, text_functions[k]);
        if (CHECK_OK(cx) && CHECK(f != NULL) && CHECK(irl__verify(f)) && CHECK_OK(cx))
            check_round_trip(cx, f);
        irl_ctx_destroy(cx);
    }
}

static void test_modules(void)
{
    int k;
    for (k = 0; k < COUNT(text_modules); k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        irl_module *m = irl_module_parse(cx, text_modules[k], strlen(text_modules[k]), NULL),
                   *again;
        const char *text = irl_module_text(m);
        CHECK(m && text[0] && irl__verify_module(m));
        again = irl_module_parse(cx, text, strlen(text), NULL);
        CHECK_OK(cx);
        CHECK(again && irl_module_equal(m, again) && irl__verify_module(again) &&
              strcmp(irl_module_text(again), text) == 0);
        if (k)
            CHECK(!irl_module_equal(
                m, irl_module_parse(cx, text_modules[0], strlen(text_modules[0]), NULL)));
        irl_ctx_destroy(cx);
    }
}

/* All functions of the corpus are different, and a difference anywhere is one. */
static void test_unequal(void)
{
    static const char *const pairs[][2] = {
        { "func f(x: f32[4]) { x[0] = 1; }", "func g(x: f32[4]) { x[0] = 1; }" },
        { "func f(x: f32[4]) { x[0] = 1; }", "func f(x: f32[5]) { x[0] = 1; }" },
        { "func f(x: f32[4]) { x[0] = 1; }", "func f(x: f64[4]) { x[0] = 1; }" },
        { "func f(x: f32[4]) { x[0] = 1; }", "func f(x: f32[4]) { x[1] = 1; }" },
        { "func f(x: f32[4]) { x[0] = 0.0f; }", "func f(x: f32[4]) { x[0] = -0.0f; }" },
        { "func f(x: f32[4]) { x[0] = 1; }", "func f(x: f32[4]) { x[0] = 1; x[0] = 1; }" },
        { "func f(x: f32[4], y: f32[4]) { x[0] = y[0]; }",
          "func f(x: f32[4], y: f32[4]) { y[0] = x[0]; }" },
        { "func f(x: f32[4]) { for (i: 4, j: 4) x[i] = 1; }",
          "func f(x: f32[4]) { for (i: 4, j: 4) x[j] = 1; }" },
        { "func f(x: f32[4]) { for (i: 4) x[i] = 1; }",
          "func f(x: f32[4]) { for parallel (i: 4) x[i] = 1; }" },
        { "func f(x: f32[4]) { for (i: 4) x[i] = 1; }",
          "func f(x: f32[4]) { for (i: 4) note(a = 1) x[i] = 1; }" },
        { "func f(x: f32[4]) { for bind(local.x) (i: 4) x[i] = 1; }",
          "func f(x: f32[4]) { for bind(local.y) (i: 4) x[i] = 1; }" },
        { "func f(x: f32[4], N: index) { x[N + 1] = 1; }",
          "func f(x: f32[4], N: index) { x[1 + N] = 1; }" },
        { "func f(x: f32[4], N: index) { x[N] = 1; }", "func f(x: f32[4], N: i32) { x[N] = 1; }" },
        { "func f(x: f32[4]) { alloc y: f32[4]; x[0] = 1; }",
          "func f(x: f32[4]) { decl y: f32[4] data(x); x[0] = 1; }" },
        { "func f(x: f32[4]) { x[0] = extern(f32, a); }",
          "func f(x: f32[4]) { x[0] = extern(f32, b); }" },
        { "func f(x: f32[4]) { x[0] = extern(f32, a); }",
          "func f(x: f32[4]) { x[0] = intrinsic(f32, a); }" },
        { "func f(x: f32[4] align(4)) { }", "func f(x: f32[4] align(8)) { }" },
        { "func f(x: f32[4] scope(shared)) { }", "func f(x: f32[4]) { }" },
        { "func f(x: f32[4, 4] sep(1)) { }", "func f(x: f32[4, 4]) { }" },
        { "func f(x: f32[4, 4] strides(4, 1)) { }", "func f(x: f32[4, 4]) { }" },
        { "func f(x: f32[4]) layout(x: (i) -> (i)) { }", "func f(x: f32[4]) { }" },
        { "func f(x: f32[4]) layout(x: (i) -> (i)) { }",
          "func f(x: f32[4]) layout(x: (i) -> (i + 1)) { }" },
        { "func f(x: f32[4], y: f32[4]) layout(x: (i) -> (i)) { }",
          "func f(x: f32[4], y: f32[4]) layout(y: (i) -> (i)) { }" },
        { "func f(x: f32[4]) layout(x: (i) -> (i)) { }",
          "func f(x: f32[4]) layout(x: (i) -> (i), pad(0)) { }" },
        { "func f(x: f32[4] logical([4])) { }",
          "func f(x: f32[4] logical([2, 2], (i, j) -> (i * 2 + j))) { }" },
        { "func f() { assert(true, \"a\"); }", "func f() { assert(true, \"b\"); }" },
        { "func f() { barrier(shared); }", "func f() { barrier(global); }" },
        { "func f() { block a() { } }", "func f() { block b() { } }" },
        { "func f() { block a(i: spatial(4) = 0) { } }",
          "func f() { block a(i: reduce(4) = 0) { } }" },
        { "func f(x: i32x4[4]) { x[0] = shuffle(x[1], [0, 1, 2, 3]); }",
          "func f(x: i32x4[4]) { x[0] = shuffle(x[1], [0, 1, 3, 2]); }" }
    };
    irl_ctx *cx = irl_ctx_create(NULL);
    int      i, j;
    for (i = 0; i < COUNT(pairs); i++) {
        irl_func *a = parse(cx, pairs[i][0]), *b = parse(cx, pairs[i][1]);
        if (!CHECK_OK(cx)) break;
        if (!CHECK(!irl_func_equal(a, b) && !irl_func_equal(b, a) && irl_func_equal(a, a)))
            printf("  %s\n  %s\n", pairs[i][0], pairs[i][1]);
    }
    for (i = 0; i < COUNT(text_functions); i++)
        for (j = 0; j < i; j++)
            CHECK(!irl_func_equal(parse(cx, text_functions[i]), parse(cx, text_functions[j])));
    CHECK(irl_func_equal(parse(cx, "func f(x: f32[4]) { for (i: 4) x[i] = 1; }"),
                         parse(cx, "func f(y: f32[4]) { for (k: 4) y[k] = 1.0f; }")));
    CHECK(irl_func_equal(parse(cx, "func f(x: f32[4]) layout(x: (i) -> (i)) { }"),
                         parse(cx, "func f(y: f32[4]) layout(y: (j) -> (j)) { }")));
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ what is written */

/* An expression over i, j (index), a, b (i32), x, y (f32), h (f16), t (bool), v (f32x4); how it is
   printed, or NULL: as it is. */
static const char *const expressions[][2] = {
    { "1 + 2 * 3", "7" },
    { "i + 1", NULL },
    { "i + 0x10", "i + 16" },
    { "a + 1", NULL },
    { "x * 2", "x * 2.0f" },
    { "x * 0.5", "x * 0.5f" },
    { "i - (j - 1)", NULL },
    { "(i - j) - 1", "i - j - 1" },
    { "i - j - 1", NULL },
    { "(i + j) * 2", NULL },
    { "i + (j * 2)", "i + j * 2" },
    { "i / 4 % 4", NULL },
    { "i / (4 % j)", NULL },
    { "i * 4 / 4", NULL },
    { "-i + j", NULL },
    { "-(i + j)", NULL },
    { "-(-i)", NULL },
    { "--i", "-(-i)" },
    { "-5", NULL },
    { "-(5)", "-5" },
    { "-index(5)", NULL },
    { "i - -5", NULL },
    { "-0.5f", NULL },
    { "-(0.5f)", NULL },
    { "a << 2 + b", NULL },
    { "(a << 2) + b", NULL },
    { "a & b | a ^ b", NULL },
    { "(a | b) & a", NULL },
    { "~a & b", NULL },
    { "~(a & b)", NULL },
    { "i < j && t || !t", NULL },
    { "t && (t || t)", NULL },
    { "!(i < j)", NULL },
    { "(i < j) == t", "i < j == t" },
    { "i < 3 == (j < 3)", "i < 3 == j < 3" },
    { "t == (i < 3)", "t == i < 3" },
    { "f32(5)", "5.0f" },
    { "f32(index(5))", NULL },
    { "f32(i)", NULL },
    { "i32(5)", NULL },
    { "index(5)", "5" },
    { "u8(7) + 1", NULL },
    { "i32(2) * 3", NULL },
    { "index(2) * 3", NULL },
    { "i32(2) < 3", NULL },
    { "1 < 2", "true" },
    { "index(1) < 2", NULL },
    { "a + select(t, 1, 2)", "a + select(t, i32(1), 2)" },
    { "a + select(t, i32(1), 2)", NULL },
    { "select(t, 1, 2)", NULL },
    { "select(t, a, 2)", NULL },
    { "t ? a : 2", "if_then_else(t, a, 2)" },
    { "i ? 1 : 2", "if_then_else(i != 0, 1, 2)" },
    { "t ? x : t ? 1 : 2", "if_then_else(t, x, if_then_else(t, 1.0f, 2.0f))" },
    { "max(x, select(t, 1, 2))", "max(x, select(t, 1.0f, 2.0f))" },
    { "select(t, 1, 2) + x", "?" },
    { "v * 2", "v * broadcast(2.0f, 4)" },
    { "v + x", "v + broadcast(x, 4)" },
    { "f32(h) * x", NULL },
    { "f16(x)", NULL },
    { "f16(1.5)", NULL },
    { "f64(0.1)", NULL },
    { "f64(x) + 1", "f64(x) + f64(1.0)" },
    { "as(u32, x) >> 3", NULL },
    { "as(f32, u32(0x3f800000))", "1.0f" },
    { "as(f32, u32(0x7fc00000))", NULL },
    { "as(f32, u32(0xff800000))", NULL },
    { "as(f64, u64(0x7ff8000000000000))", NULL },
    { "ramp(i, 1, 4)", NULL },
    { "ramp(a, 1, 4)", NULL },
    { "ramp(0, 1, 4)", NULL },
    { "broadcast(a, 4)", NULL },
    { "shuffle(v, v, [0, 7])", NULL },
    { "lane(v, 2)", NULL },
    { "lane(v, i % 4)", NULL },
    { "undef(f32x4)", NULL },
    { "let(q = i + 1, q * q)", NULL },
    { "let(i = i, i + let(i = i + 1, i))", "let(i_1 = i, i_1 + let(i_2 = i_1 + 1, i_2))" },
    { "extern(f32, foo, i, 5, x)", NULL },
    { "extern(f32, foo)", NULL },
    { "intrinsic(i32x4, `b c`, a)", NULL },
    { "max(i, min(j, 3))", NULL },
    { "max(2, 3)", "3" },
    { "max(index(2), 3)", NULL },
    { "sqrt(2)", "sqrt(2.0f)" },
    { "fma(x, 2, 1)", "fma(x, 2.0f, 1.0f)" },
    { "irl_floordiv(i, 4)", "i / 4" },
    { "irl_floormod(i, 4)", "i % 4" },
    { "truncdiv(a, b)", NULL },
    { "i + a", "i + index(a)" },
    { "a < i", "index(a) < i" },
    { "7 / 2", "3" },
    { "-7 / 2", "-4" },
    { "-7 % 4", "1" },
    { "7 / 2.0", "3.5f" },
    { "u64(18446744073709551615)", NULL },
    { "i64(-9223372036854775808)", NULL },
    { "-9223372036854775808", NULL },
    { "1e10f", "10000000000.0f" },
    { "1e20f", NULL },
    { "1.25e-7f", NULL },
    { "0.1f", NULL },
    { "16777216.0f", NULL },
    { "3.4028235e38f", NULL },
    { "1e-45f", NULL },
    { "true", NULL },
    { "bool(1)", "true" },
    { "bool(a)", NULL },
    { "t & t ^ t", NULL },
    { "i /* comment */ + // more\n j", "i + j" },
    { "`i` + j", "i + j" },
    { "i32x4(5)", "broadcast(i32(5), 4)" },
    { "abs(-3)", "3" },
    { "abs(a)", NULL },
    { "pow(x, 2)", "pow(x, 2.0f)" },
    { "1 - 2 - 3", "-4" }
};

static int make_vars(irl_ctx *cx, const irl_expr **vars)
{
    int n = 0;
    vars[n++] = irl_expr_var(cx, "i", irl_type_of(IRL_INDEX, 1));
    vars[n++] = irl_expr_var(cx, "j", irl_type_of(IRL_INDEX, 1));
    vars[n++] = irl_expr_var(cx, "a", irl_type_of(IRL_I32, 1));
    vars[n++] = irl_expr_var(cx, "b", irl_type_of(IRL_I32, 1));
    vars[n++] = irl_expr_var(cx, "x", irl_type_of(IRL_F32, 1));
    vars[n++] = irl_expr_var(cx, "y", irl_type_of(IRL_F32, 1));
    vars[n++] = irl_expr_var(cx, "h", irl_type_of(IRL_F16, 1));
    vars[n++] = irl_expr_var(cx, "t", irl_type_of(IRL_BOOL, 1));
    vars[n++] = irl_expr_var(cx, "v", irl_type_of(IRL_F32, 4));
    return n;
}

static void test_expressions(void)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_expr *vars[16];
    int             n = make_vars(cx, vars), k;
    irl_mark        mark = irl_ctx_mark(cx);
    for (k = 0; k < COUNT(expressions); k++) {
        const char *text = expressions[k][0],
                   *wanted = expressions[k][1] ? expressions[k][1] : text, *printed;
        const irl_expr *e = irl__parse_expr(cx, text, n, vars), *again;
        if (strcmp(wanted, "?") == 0) { /* an untyped choice is an index: it does not fit */
            CHECK_CODE(cx, IRL_ERROR_TYPE_MISMATCH);
            irl_ctx_rewind(cx, mark);
            continue;
        }
        if (!CHECK_OK(cx)) {
            irl_ctx_rewind(cx, mark);
            continue;
        }
        printed = irl_expr_text(cx, e);
        if (!CHECK(strcmp(printed, wanted) == 0))
            printf("  %s: printed %s, wanted %s\n", text, printed, wanted);
        again = irl__parse_expr(cx, printed, n, vars);
        CHECK_OK(cx);
        if (e && again && !(e->flags & IRL__HAS_LET)) CHECK(e == again);
    }
    irl_ctx_destroy(cx);
}

static const char *const written[][2] = {
    { "func f(N:index,y:f32[N]){for(i:N){for(j:4){y[i]=1;}}}",
      "func f(N: index, y: f32[N]) {\n    for (i: N, j: 4)\n        y[i] = 1.0f;\n}\n" },
    { "func f(y: i32[4]) { for (i: 4) y[i] = y[i] + 1; for (i: 4) { let i = y[i]; y[0] = i; } }",
      "func f(y: i32[4]) {\n    for (i: 4)\n        y[i] = y[i] + 1;\n    for (i: 4) {\n        "
      "let i_1 = y[i];\n        y[0] = i_1;\n    }\n}\n" },
    { "func f(y: f32[4]) { let y_1 = 1; { let y = 2; let y_1 = y; evaluate y_1; } }",
      "func f(y: f32[4]) {\n    let y_1 = 1;\n    {\n        let y_2 = 2;\n        let y_1_1 = "
      "y_2;\n        evaluate y_1_1;\n    }\n}\n" },
    { "func f(x: f32[8]) layout(x: (i) -> (i / 4), (i % 4)) { if (x[0] < 0) x[0] = 0; else { x[1] "
      "= 1; } }",
      "func f(x: f32[8])\n    layout(x: (i) -> (i / 4, |, i % 4))\n{\n    if (x[0] < 0.0f)\n       "
      " x[0] = 0.0f;\n    else\n        x[1] = 1.0f;\n}\n" },
    { "func f(x: f32[8]) { for parallel (i: 2) for parallel (j: 4) for (k: 2) for bind(local.x) "
      "(l: 4) x[i] = 0; }",
      "func f(x: f32[8]) {\n    for parallel (i: 2, j: 4)\n        for (k: 2)\n            for "
      "bind(local.x) (l: 4)\n                x[i] = 0.0f;\n}\n" },
    { "func f() { }", "func f() {\n}\n" },
    { "func f(x: f32[8]) { for (i: 8) block b(v: spatial(8) = i) reads(x[v]) { x[v] = 1; } block "
      "c() { } }",
      "func f(x: f32[8]) {\n    for (i: 8)\n        block b(v: spatial(8) = i)\n            "
      "reads(x[v])\n        {\n            x[v] = 1.0f;\n        }\n"
      "    block c() {\n    }\n}\n" }
};

static void test_written(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    int      k;
    for (k = 0; k < COUNT(written); k++) {
        irl_func *f = parse(cx, written[k][0]);
        if (CHECK_OK(cx) && !CHECK(strcmp(irl_func_text(f), written[k][1]) == 0))
            printf("%s", irl_func_text(f));
    }
    irl_ctx_destroy(cx);
}

static void test_maps(void)
{
    static const char *const maps[][2] = {
        { "(n,h,w,c)->(n,c/4,h,|,w,c%4)", "(n, h, w, c) -> (n, c / 4, h, |, w, c % 4)" },
        { "(n, h, w, c) -> (n, c / 4, h), (w, c % 4)",
          "(n, h, w, c) -> (n, c / 4, h, |, w, c % 4)" },
        { "(i, j) -> (j, | i)", "(i, j) -> (j, |, i)" },
        { "(..., c) -> (..., c/4, c%4)", "(..., c) -> (..., c / 4, c % 4)" },
        { "(n, ..., c) -> (c, |, ..., |, n)", "(n, ..., c) -> (c, |, ..., |, n)" },
        { "(n, ...) -> (...), (n)", "(n, ...) -> (..., |, n)" },
        { "(...) -> (...)", "(...) -> (...)" },
        { "() -> ()", "() -> ()" },
        { "(i) -> (0, i, i)", "(i) -> (0, i, i)" },
        { "(i, j) -> (i ^ j, (i & 1) << 2 | j)", "(i, j) -> (i ^ j, (i & 1) << 2 | j)" },
        { "(i) -> (i % 2 ? 7 - i : i)", "(i) -> (if_then_else(i % 2 != 0, 7 - i, i))" },
        { "(i) -> (min(i, 3), max(2 * 3, i))", "(i) -> (min(i, 3), max(6, i))" }
    };
    irl_ctx *cx = irl_ctx_create(NULL);
    int      k;
    for (k = 0; k < COUNT(maps); k++) {
        const irl_map *m = irl_map_parse(cx, maps[k][0]), *again;
        if (!CHECK_OK(cx)) break;
        if (!CHECK(strcmp(irl_map_text(cx, m), maps[k][1]) == 0))
            printf("  %s\n", irl_map_text(cx, m));
        again = irl_map_parse(cx, irl_map_text(cx, m));
        CHECK_OK(cx);
        CHECK(irl__map_equal_text(m, again));
        CHECK(k == 0 || irl__map_equal_text(m, irl_map_parse(cx, maps[0][0])) == (k == 1));
    }
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ macros */

IRL_LAYOUT(nchw4c, (n, h, w, c), (n, c / 4, h), (w, c % 4));
IRL_LAYOUT(suffixed, (y, x), (y / 8u, x * 2L, irl_floormod(y - 1, 0x8)));
IRL_KERNEL(relu, (x: f32[N, 64], y: f32[N, 64]) {
    for (n: N, c: 64) /* stringified without its comments */
        y[n, c] = max(x[n, c] * SCALE, -N);
});

static void test_macros(void)
{
    const int  N = 7;
    const long SCALE = -3;
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f;
    CHECK(strcmp(irl_map_text(cx, irl_layout(cx, &nchw4c)),
                 "(n, h, w, c) -> (n, c / 4, h, |, w, c % 4)") == 0);
    CHECK(strcmp(irl_map_text(cx, irl_layout(cx, &suffixed)),
                 "(y, x) -> (y / 8, x * 2, (y - 1) % 8)") == 0);
    f = irl_kernel_let(cx, &relu, IRL_LET(N, SCALE));
    CHECK_OK(cx);
    CHECK(f && strcmp(irl_func_text(f),
                      "func relu(x: f32[7, 64], y: f32[7, 64]) {\n    for (n: 7, c: 64)\n"
                      "        y[n, c] = max(x[n, c] * -3.0f, -7.0f);\n}\n") == 0);
    CHECK(irl_kernel(cx, &relu) == NULL);
    CHECK_CODE(cx, IRL_ERROR_UNKNOWN_NAME);
    CHECK(irl_diag_of(cx) && strstr(irl_diag_of(cx)->file, "test_text.c") != NULL);
    irl_ctx_destroy(cx);
}

/* A file of one kernel, as the user wrote it: with a comment, over several lines. */
static const char kernel_file[] = "/* mine */\nIRL_KERNEL(relu,\n    (x: f32[N, 64], /* in */\n    "
                                  " y: f32[N, 64]) {\n    for (n: N, c: 64) // all\n"
                                  "        y[n, c] = max(x[n, c] * SCALE, -N);\n});\n";

static const char *read_kernel_file(void *user, const char *file, size_t *length)
{
    (void)file;
    *length = sizeof kernel_file - 1;
    return (const char *)user;
}

/* The caret stands in the user's own line, not in the text that the preprocessor made of it. */
static void test_user_lines(void)
{
    const int       N = 7;
    irl_ctx_desc        desc;
    irl_ctx        *cx;
    irl_source_text kernel = relu;
    char            copy[sizeof kernel_file];
    kernel.file = "user.c";
    kernel.line = 3;
    memcpy(copy, kernel_file, sizeof copy);
    memset(&desc, 0, sizeof desc);
    desc.read_source = read_kernel_file;
    desc.read_source_user = copy;
    cx = irl_ctx_create(&desc);
    CHECK(irl_kernel_let(cx, &kernel, IRL_LET(N)) == NULL);
    CHECK_CODE(cx, IRL_ERROR_UNKNOWN_NAME);
    CHECK(irl_diag_of(cx)->line == 6 && irl_diag_of(cx)->column == 33);
    CHECK(strstr(irl_diag_text(cx), "user.c:6:33: ") &&
          strstr(irl_diag_text(cx), "        y[n, c] = max(x[n, c] * SCALE, -N);\n"));
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ numbers, bit for bit */

static uint64_t random_bits(void)
{
    uint64_t r = 0;
    int      k;
    for (k = 0; k < 5; k++) r = r << 13 ^ test_random();
    return r;
}

static double random_float(irl_type type)
{
    uint64_t      bits = random_bits();
    unsigned char bytes[8];
    irl__scalar   s;
    irl_type      as_uint = irl_type_of(IRL_U64, 1);
    s.i = (int64_t)bits;
    memset(bytes, 0, sizeof bytes);
    if (irl__type_info(type)->bits == 32) as_uint = irl_type_of(IRL_U32, 1);
    if (irl__type_info(type)->bits == 16) as_uint = irl_type_of(IRL_U16, 1);
    if (TEST_RANDOM(4) == 0)
        return irl__round_float(type,
                                (double)TEST_RANDOM(1000000) / (double)(1 + TEST_RANDOM(1000)));
    irl__store_scalar(as_uint, bytes, s);
    return irl__load_scalar(type, bytes).f;
}

/* Every value of the 16-bit types, many of the others, reads back as it was printed, and no shorter
   decimal does. */
static void check_float(irl_ctx *cx, irl_type type, double value)
{
    const irl_expr *e = irl_expr_float(cx, type, value), *again;
    const char     *text = irl_expr_text(cx, e);
    again = irl__parse_expr(cx, text, 0, NULL);
    if (!CHECK(e && again == e))
        printf("  %.17g of %s was printed as %s\n%s\n", value, irl__type_cstr(cx, type), text,
               irl_diag_text(cx));
}

static void check_shortest(irl_type type, double value)
{
    char   digits[IRL__DECIMAL_DIGITS + 1], text[64];
    int    point, count, k;
    double back = -1;
    if (!(fabs(value) > 0) || fabs(value) > 1e300 * 1e8) return;
    count = irl__decimal_shortest(type, value, digits, &point);
    sprintf(text, "0.%se%d", digits, point);
    if (!CHECK(irl__decimal_read(text, strlen(text), type, &back) && back == fabs(value)))
        printf("  %s for %.17g, read %.17g\n", text, value, back);
    for (k = -1; count > 1 && k <= 1; k++) { /* neither neighbour with a digit less */
        char fewer[64];
        long long head = 0;
        int       i;
        for (i = 0; i < count - 1; i++) head = head * 10 + (digits[i] - '0');
        sprintf(fewer, "%llde%d", head + k, point - count + 1);
        back = -1;
        if (irl__decimal_read(fewer, strlen(fewer), type, &back) && !CHECK(back != fabs(value)))
            printf("  %s is shorter than %s\n", fewer, text);
    }
}

static void test_floats(void)
{
    static const irl_scalar wide[] = { IRL_F32, IRL_F64 };
    static const double special[] = { 0.0,
                                      -0.0,
                                      1.0,
                                      0.1,
                                      0.5,
                                      1.0 / 3,
                                      1e15,
                                      1e16,
                                      1e17,
                                      1e22,
                                      1e23,
                                      123456789012345678.0,
                                      5e-324,
                                      2.2250738585072014e-308,
                                      1.7976931348623157e308,
                                      1.17549435e-38,
                                      3.4028235e38,
                                      1e-45,
                                      9007199254740993.0,
                                      4503599627370496.5,
                                      8.5e-5,
                                      9.999e-5 };
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_mark mark = irl_ctx_mark(cx);
    int      k, t;
    for (t = 0; t < 2; t++) {
        irl_type type = irl_type_of(wide[t], 1);
        for (k = 0; k < COUNT(special); k++) {
            check_float(cx, type, special[k]);
            check_shortest(type, irl__round_float(type, special[k]));
        }
        for (k = 0; k < TEST_COUNT(20000); k++) {
            double value = random_float(type);
            check_float(cx, type, value);
            if (value - value == 0) check_shortest(type, value);
            irl_ctx_rewind(cx, mark);
        }
    }
    for (k = 0; k < 65536; k++) {
        check_float(cx, irl_type_of(IRL_F16, 1), irl__half_to_double((uint16_t)k));
        check_float(cx, irl_type_of(IRL_BF16, 1), irl__bfloat_to_double((uint16_t)k));
        irl_ctx_rewind(cx, mark);
    }
    irl_ctx_destroy(cx);
}

/* Decimals are read as the C library reads them, in both widths, rounded once. */
static void test_decimals(void)
{
    static const char *const hard[] = {
        "0.1",
        "1e23",
        "8.988465674311582e307",
        "2.2250738585072011e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "9007199254740992.5",
        "9007199254740993",
        "9007199254740993.0000000000000000000000000001",
        "0.500000029802322387695312500",
        "0.50000002980232238769531250000000000000000000000000000000000000001",
        "1.000000059604644775390625",
        "1.00000017881393432617187499",
        "1.00000017881393421514957253748434595763683319091796875001",
        "16777217",
        "16777219",
        "7.0064923216240853546186479164495e-46",
        "7.0064923216240853546186479164496e-46",
        "3.4028235677973366e38",
        "340282346638528859811704183484516925440"
    };
    char text[2048];
    int  k, i;
    for (k = 0; k < COUNT(hard) + TEST_COUNT(20000); k++) {
        double single, full, f, d;
        int    ok_single, ok_full;
        if (k < COUNT(hard)) strcpy(text, hard[k]);
        else {
            int n = 1 + TEST_RANDOM(k % 100 ? 25 : 900), point = TEST_RANDOM(n + 1), at = 0;
            for (i = 0; i < n; i++) {
                if (i == point) text[at++] = '.';
                text[at++] = (char)('0' + TEST_RANDOM(10));
            }
            sprintf(text + at, "e%d", TEST_RANDOM(k % 3 ? 60 : 700) - (k % 3 ? 30 : 350));
        }
        single = (double)strtof(text, NULL);
        full = strtod(text, NULL);
        f = d = -1;
        ok_single = irl__decimal_read(text, strlen(text), irl_type_of(IRL_F32, 1), &f);
        ok_full = irl__decimal_read(text, strlen(text), irl_type_of(IRL_F64, 1), &d);
        if (!CHECK(ok_single ? f == single : single - single != 0) ||
            !CHECK(ok_full ? d == full : full - full != 0))
            printf("  %s: %.17g for %.17g, %.17g for %.17g\n", text, f, single, d, full);
    }
}

static void test_locale(void)
{
    static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "nl_NL.UTF-8" };
    irl_ctx   *cx = irl_ctx_create(NULL);
    irl_expr const *e;
    int        k;
    for (k = 0; k < COUNT(names) && !setlocale(LC_ALL, names[k]); k++) {}
    e = irl__parse_expr(cx, "1234.5f", 0, NULL);
    CHECK(e && e->u.f == 1234.5);
    CHECK(e && strcmp(irl_expr_text(cx, e), "1234.5f") == 0);
    setlocale(LC_ALL, "C");
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ expressions at random */

static const irl_expr *random_expr(irl_ctx *cx, irl_type type, int depth,
                                   const irl_expr *const *vars, int var_count);

static irl_type random_type(void)
{
    irl_type t = irl_type_of((irl_scalar)TEST_RANDOM((int)IRL__SCALAR_COUNT), 1);
    return TEST_RANDOM(4) ? t : irl_type_of((irl_scalar)t.scalar, 4);
}

static const irl_expr *random_leaf(irl_ctx *cx, irl_type type, const irl_expr *const *vars,
                                   int var_count)
{
    const irl_expr *e;
    int             k = TEST_RANDOM(var_count), n;
    for (n = 0; n < var_count; n++)
        if (irl_type_equal(vars[(k + n) % var_count]->type, type) && TEST_RANDOM(3))
            return vars[(k + n) % var_count];
    if (type.lanes > 1)
        return TEST_RANDOM(8)
                   ? irl_expr_broadcast(
                         cx,
                         random_leaf(cx, irl_type_of((irl_scalar)type.scalar, 1), vars, var_count),
                         (int)type.lanes)
                   : irl_expr_undef(cx, type);
    if (TEST_RANDOM(20) == 0) return irl_expr_undef(cx, type);
    if (irl__type_is_real(type))
        return irl_expr_float(cx, type, random_float(type));
    e = irl_expr_int(cx, type, TEST_RANDOM(3) ? TEST_RANDOM(20) - 10 : (int64_t)random_bits());
    return e;
}

/* Any operator of the table whose result can be of this type. */
static const irl_expr *random_op(irl_ctx *cx, irl_type type, int depth, const irl_expr *const *vars,
                                 int n)
{
    irl_op             op = (irl_op)TEST_RANDOM((int)IRL__OP_COUNT);
    const irl__op_row *row = irl__op_info(op);
    irl_type           operand = type, scalar = irl_type_of((irl_scalar)type.scalar, 1);
    const irl_expr    *a[3];
    int                k, number = irl__type_is_integer(type) || irl__type_is_float(type);
    switch (row->rule) {
    case IRL__SAME_ARITH: if (!number) return NULL; break;
    case IRL__SAME_INT: if (!irl__type_is_integer(type)) return NULL; break;
    case IRL__SAME_FLOAT: if (!irl__type_is_float(type)) return NULL; break;
    case IRL__SAME_BITS:
        if (!irl__type_is_integer(type) && type.scalar != IRL_BOOL) return NULL;
        break;
    case IRL__RULE_BOOL: if (type.scalar != IRL_BOOL) return NULL; break;
    case IRL__COMPARE:
        if (type.scalar != IRL_BOOL) return NULL;
        do operand = random_type();
        while (irl__type_is_normalised(operand));
        operand.lanes = type.lanes;
        break;
    case IRL__OWN:
        if (op == IRL_OP_SELECT || op == IRL_OP_IF_THEN_ELSE) {
            a[0] = random_expr(
                cx,
                irl_type_of(IRL_BOOL, op == IRL_OP_SELECT && TEST_RANDOM(2) ? (int)type.lanes : 1),
                depth - 1, vars, n);
            a[1] = random_expr(cx, type, depth - 1, vars, n);
            a[2] = random_expr(cx, type, depth - 1, vars, n);
            return irl_expr_op3(cx, op, a[0], a[1], a[2]);
        }
        if (op == IRL_OP_CAST) {
            irl_type from = random_type();
            from.lanes = type.lanes;
            return irl_expr_cast(cx, type, random_expr(cx, from, depth - 1, vars, n));
        }
        if (op == IRL_OP_LANE && type.lanes == 1)
            return irl_expr_op2(
                cx, op,
                random_expr(cx, irl_type_of((irl_scalar)type.scalar, 4), depth - 1, vars, n),
                random_expr(cx, irl_type_of(TEST_RANDOM(2) ? IRL_INDEX : IRL_U8, 1), depth - 1,
                            vars, n));
        if (op == IRL_OP_RAMP && type.lanes > 1 && irl__type_is_integer(type))
            return irl_expr_ramp(cx, random_expr(cx, scalar, depth - 1, vars, n),
                                 random_expr(cx, scalar, depth - 1, vars, n), (int)type.lanes);
        if (op == IRL_OP_BROADCAST && type.lanes > 1)
            return irl_expr_broadcast(cx, random_expr(cx, scalar, depth - 1, vars, n),
                                      (int)type.lanes);
        if (op == IRL_OP_SHUFFLE) {
            int picks[4];
            a[0] = random_expr(cx, scalar, depth - 1, vars, n);
            a[1] = random_expr(cx, irl_type_of((irl_scalar)type.scalar, 4), depth - 1, vars, n);
            for (k = 0; k < 4; k++) picks[k] = TEST_RANDOM(5);
            return irl_expr_shuffle(cx, 2, a, (int)type.lanes, picks);
        }
        if (op == IRL_OP_REINTERPRET && (type.scalar == IRL_F32 || type.scalar == IRL_I32))
            return irl_expr_reinterpret(
                cx, type,
                random_expr(
                    cx, irl_type_of(type.scalar == IRL_F32 ? IRL_U32 : IRL_F32, (int)type.lanes),
                    depth - 1, vars, n));
        if (op == IRL_OP_CALL_EXTERN) {
            for (k = 0; k < 3; k++) a[k] = random_expr(cx, random_type(), depth - 1, vars, n);
            return irl_expr_extern(cx, type, "f", TEST_RANDOM(4), a);
        }
        return NULL;
    }
    for (k = 0; k < row->arity; k++) a[k] = random_expr(cx, operand, depth - 1, vars, n);
    return irl__expr_op(cx, op, row->arity, a, irl__nowhere());
}

static const irl_expr *random_expr(irl_ctx *cx, irl_type type, int depth,
                                   const irl_expr *const *vars, int var_count)
{
    int k;
    if (depth > 0 && TEST_RANDOM(8))
        for (k = 0; k < 40 && irl_ok(cx); k++) {
            const irl_expr *e = random_op(cx, type, depth, vars, var_count);
            if (e) return e;
        }
    return random_leaf(cx, type, vars, var_count);
}

/* Interning makes it exact: what is read back is the same object. */
static void test_random_expressions(void)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_expr *vars[16];
    int             n = make_vars(cx, vars), k, total = TEST_COUNT(20000);
    irl_mark        mark = irl_ctx_mark(cx);
    for (k = 0; k < total; k++) {
        const irl_expr *e = random_expr(cx, random_type(), 1 + TEST_RANDOM(5), vars, n);
        const char     *text = e ? irl_expr_text(cx, e) : NULL;
        const irl_expr *again = text ? irl__parse_expr(cx, text, n, vars) : NULL;
        if (!CHECK(irl_ok(cx) && e && e == again)) {
            printf("  %s\n  %s\n%s\n", text, again ? irl_expr_text(cx, again) : "(not read)",
                   irl_diag_text(cx));
            if (test_failed > 20) break;
        }
        irl_ctx_rewind(cx, mark);
    }
    irl_ctx_destroy(cx);
}

/* The same where the place gives the type: stored to a buffer of each type. */
static void test_random_stores(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_mark mark = irl_ctx_mark(cx);
    int      k, total = TEST_COUNT(4000);
    for (k = 0; k < total && test_failed < 20; k++) {
        const irl_expr   *vars[16], *shape, *zero;
        irl_param_desc    params[17];
        const irl_buffer *b;
        irl_type          type = random_type();
        irl_func         *f;
        int               n = make_vars(cx, vars), i;
        memset(params, 0, sizeof params);
        if (irl__type_is_index(type)) type = irl_type_of(IRL_I64, (int)type.lanes);
        shape = irl_expr_index(cx, 4);
        zero = irl_expr_index(cx, 0);
        b = irl_buffer_new(cx, TEST_RANDOM(2) ? "i" : "out", type, IRL_SCOPE_GLOBAL, 1, &shape);
        params[0].buffer = b;
        for (i = 0; i < n; i++) params[i + 1].scalar = vars[i];
        f = irl_func_new(
            cx, "f", n + 1, params,
            irl_stmt_store(cx, b, random_expr(cx, type, 1 + TEST_RANDOM(4), vars, n), 1, &zero));
        if (CHECK_OK(cx) && CHECK(f && irl__verify(f))) check_round_trip(cx, f);
        irl_ctx_rewind(cx, mark);
    }
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ names */

/* Built by calls, names may be anything and may repeat; what is printed tells them apart. */
static void test_names(void)
{
    static const char *const names[] = { "x",   "x",   "x_1", "if",       "true",        "",
                                         "a b", "`",   "\\",  "\n\t\x01", "caf\xc3\xa9", "1x",
                                         "for", "f32", "x",   "*/",       "\"",          "nan" };
    irl_ctx          *cx = irl_ctx_create(NULL);
    const irl_expr *vars[COUNT(names)],
        *sum = irl_expr_index(cx, 0), *shape = irl_expr_index(cx, 4), *zero = irl_expr_index(cx, 0);
    const irl_buffer *buffers[COUNT(names)];
    irl_param_desc    params[COUNT(names)];
    const irl_stmt   *body;
    irl_func         *f;
    int               k, depth;
    memset(params, 0, sizeof params);
    for (k = 0; k < COUNT(names); k++) {
        buffers[k] =
            irl_buffer_new(cx, names[k], irl_type_of(IRL_I64, 1), IRL_SCOPE_GLOBAL, 1, &shape);
        params[k].buffer = buffers[k];
        vars[k] = irl_expr_var(cx, names[k], irl_type_of(IRL_INDEX, 1));
        sum = irl_expr_op2(cx, IRL_OP_ADD, sum, vars[k]);
    }
    body =
        irl_stmt_store(cx, buffers[1], irl_expr_cast(cx, irl_type_of(IRL_I64, 1), sum), 1, &zero);
    for (k = 0; k < COUNT(names); k++) {
        body = irl_stmt_for(cx, IRL_SERIAL, vars[k], zero, shape, body);
        if (k % 4 == 0) {
            const irl_buffer *own =
                irl_buffer_new(cx, names[k], irl_type_of(IRL_F32, 1), IRL_SCOPE_GLOBAL, 1, &shape);
            const irl_stmt   *two[3];
            two[0] = irl_stmt_alloc(cx, own);
            two[1] = irl_stmt_decl(
                cx, irl_buffer_alias(cx, names[k], own, irl_type_of(IRL_I32, 1), 1, &shape));
            two[2] = body;
            body = irl_stmt_seq(cx, 3, two);
        }
    }
    f = irl_func_new(cx, "weird ` function \x7f", COUNT(names), params, body);
    if (CHECK_OK(cx) && CHECK(irl__verify(f))) check_round_trip(cx, f);
    /* one name, many times: the suffix is found at once */
    for (depth = 0, body = irl__stmt_empty(cx); depth < 5000; depth++) {
        const irl_expr *v = irl_expr_var(cx, "t", irl_type_of(IRL_INDEX, 1));
        const irl_stmt *let = irl_stmt_let(cx, v, shape);
        static const irl_stmt *all[5000];
        all[depth] = let;
        if (depth == 4999) body = irl_stmt_seq(cx, 5000, all);
    }
    f = irl_func_new(cx, "many", 0, NULL, body);
    if (CHECK_OK(cx) && CHECK(irl__verify(f))) check_round_trip(cx, f);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ depth and length */

static char *repeat(const char *head, const char *open, int count, const char *middle,
                    const char *close, const char *tail)
{
    size_t n = strlen(head) + strlen(middle) + strlen(tail) +
               (strlen(open) + strlen(close)) * (size_t)count + 1;
    char  *text = (char *)malloc(n), *p = text;
    int    k;
    p += sprintf(p, "%s", head);
    for (k = 0; k < count; k++) p += sprintf(p, "%s", open);
    p += sprintf(p, "%s", middle);
    for (k = 0; k < count; k++) p += sprintf(p, "%s", close);
    sprintf(p, "%s", tail);
    return text;
}

static void check_depth(const char *open, const char *middle, const char *close, int is_stmt)
{
    static const int counts[] = { 10, IRL_MAX_DEPTH / 2 - 4, IRL_MAX_DEPTH - 4,
                                  2 * IRL_MAX_DEPTH + 10, 100000 };
    int              k;
    for (k = 0; k < COUNT(counts); k++) {
        irl_ctx  *cx = irl_ctx_create(NULL);
        char *text = is_stmt ? repeat("func f(N: index, x: i32[4], t: bool) {", open, counts[k],
                                      middle, close, "}")
                             : repeat("func f(N: index, x: i32[4], t: bool) { x[0] = ", open,
                                      counts[k], middle, close, "; }");
        irl_func *f = parse(cx, text);
        if (k < 2) CHECK_OK(cx);
        if (k > 2) CHECK(f == NULL);
        if (f) check_round_trip(cx, f);
        else CHECK_CODE(cx, IRL_ERROR_TOO_DEEP);
        free(text);
        irl_ctx_destroy(cx);
    }
}

static void test_depth(void)
{
    check_depth("(", "1", ")", 0);
    check_depth("-(", "x[0]", ")", 0);
    check_depth("-", "x[0]", "", 0);
    check_depth("x[", "0", "]", 0);
    check_depth("1 - (", "x[0]", ")", 0);
    check_depth("x[0] - x[1] - ", "x[0]", "", 0);
    check_depth("max(1, ", "x[0]", ")", 0);
    check_depth("if_then_else(t, 1, ", "x[0]", ")", 0);
    check_depth("t ? 1 : ", "x[0]", "", 0);
    check_depth("let(a = 1, ", "x[0]", ")", 0);
    check_depth("let(a = let(b = 1, b), 1 + ", "x[0]", ")", 0);
    check_depth("i32(f32(", "x[0]", "))", 0);
    check_depth("for (i: 4) ", "x[0] = 1;", "", 1);
    check_depth("for (i: 4) { x[1] = 2; ", "x[0] = 1;", "}", 1);
    check_depth("{ let a = 1; ", "x[0] = 1;", "}", 1);
    check_depth("if (t) ", "x[0] = 1;", "", 1);
    check_depth("if (t) x[1] = 2; else ", "x[0] = 1;", "", 1);
    check_depth("attr(a = 1) ", "x[0] = 1;", "", 1);
    check_depth("block b() {", "x[0] = 1;", "}", 1);
    check_depth("block b() { init ", "x[0] = 1;", "}", 1);
}

/* Long, flat texts: sums in one expression nest to the left; statements do not nest. All in time
   linear in the text. */
static void test_length(void)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    char *text = repeat("func f(x: i32[4]) {",
                        "let a_long_name = 3; { alloc b: f32[4]; for (i: 4) b[i] = 0; }", 20000, "",
                        "", "}");
    CHECK(parse(cx, text) == NULL);
    CHECK_CODE(cx, IRL_ERROR_DUPLICATE_NAME);
    free(text);
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(NULL);
    text = repeat("func f(x: i32[4]) {", "{ let a = 3; for (i: 4) x[i] = x[a] + 1; } ", 20000, "",
                  "", "}");
    {
        irl_func *f = parse(cx, text);
        CHECK_OK(cx);
        if (CHECK(f && irl__verify(f))) check_round_trip(cx, f);
    }
    free(text);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ hostile text */

/* A diagnostic or a function; a function that is valid reads back as it was printed. */
static void test_mutations(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_mark mark = irl_ctx_mark(cx);
    int      k, total = TEST_COUNT(5000), functions = 0;
    char    *text = (char *)malloc(8192);
    if (getenv("IRL_SOAK")) total = 100000;
    for (k = 0; k < total && test_failed < 20; k++) {
        int         is_module = TEST_RANDOM(8) == 0, ok;
        const char *seed = is_module ? text_modules[TEST_RANDOM(COUNT(text_modules))]
                                     : text_functions[TEST_RANDOM(COUNT(text_functions))];
        size_t      length = strlen(seed);
        memcpy(text, seed, length);
        mutate(text, &length, 8192);
        if (is_module) {
            irl_module *m = irl_module_parse(cx, text, length, NULL);
            ok = (m != NULL) == irl_ok(cx);
            if (m) irl__verify_module(m);
        } else {
            irl_func *f = irl_func_parse(cx, text, length, NULL);
            ok = (f != NULL) == irl_ok(cx);
            if (f && irl__verify(f)) {
                functions++;
                check_round_trip(cx, f);
            } else if (f) irl_func_text(f);
        }
        if (!CHECK(ok)) printf("---- %.*s\n", (int)length, text);
        irl_ctx_rewind(cx, mark);
    }
    CHECK(functions > total / 20); /* not everything is refused at its first token */
    free(text);
    irl_ctx_destroy(cx);
}

static void test_bytes(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_mark mark = irl_ctx_mark(cx);
    char     text[64];
    int      k, total = TEST_COUNT(2000);
    size_t   cut, i;
    for (k = 0; k < total; k++) {
        size_t length = (size_t)TEST_RANDOM(64);
        for (i = 0; i < length; i++) text[i] = (char)TEST_RANDOM(256);
        CHECK(irl_func_parse(cx, text, length, NULL) == NULL && !irl_ok(cx));
        irl_ctx_rewind(cx, mark);
    }
    for (k = 0; k < COUNT(text_functions); k++) /* every prefix of a function is none */
        for (cut = 0; cut + 1 < strlen(text_functions[k]); cut++) {
            const char *rest = text_functions[k] + cut;
            while (*rest == '\n') rest++;
            if (!*rest) break;
            if (!CHECK(irl_func_parse(cx, text_functions[k], cut, NULL) == NULL))
                printf("  %.*s\n", (int)cut, text_functions[k]);
            CHECK(irl_diag_of(cx) && irl_diag_of(cx)->line > 0);
            irl_ctx_rewind(cx, mark);
        }
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ what padding holds */

/* A constant at an end of the type, its least or its greatest. */
static void put_end(irl__text *t, irl_type type, int is_least)
{
    const irl__type_row *info = irl__type_info(type);
    if (irl__type_is_real(type)) irl__text_puts(t, is_least ? "0.0" : "1.0");
    else if (info->kind == IRL_KIND_BOOL) irl__text_puts(t, is_least ? "false" : "true");
    else if (info->kind == IRL_KIND_UINT)
        irl__text_uint(t, is_least ? 0 : UINT64_MAX >> (64 - info->bits));
    else {
        const int64_t most = (int64_t)(UINT64_MAX >> (65 - info->bits));
        irl__text_int(t, is_least ? -most - 1 : most);
    }
}

/* Buffers of all types, each with a layout whose padding is a constant at an end of its type or a
   map over names that nothing else has: of the body, or parameters, which is the same. */
static const char *draw_paddings(irl_ctx *cx, int count, int in_body)
{
    irl__text params, layouts, body;
    irl__text_init(&params, cx);
    irl__text_init(&layouts, cx);
    irl__text_init(&body, cx);
    for (int k = 0; k < count; k++) {
        irl_type type = irl_type_of((irl_scalar)(k % (int)IRL__SCALAR_COUNT), 1);
        if (type.scalar == IRL_INDEX) type = irl_type_of(IRL_I64, 1); /* which memory holds */
        if (!in_body && k) irl__text_puts(&params, ", ");
        if (in_body) irl__text_puts(&body, "alloc ");
        irl__textf(in_body ? &body : &params, "b%d: %s[8]", k, irl__type_info(type)->text);
        if (in_body) irl__text_puts(&body, "; ");
        irl__textf(&layouts, " layout(b%d: (y%d) -> (y%d / 3, y%d %% 3), pad(", k, k, k, k);
        if (k / (int)IRL__SCALAR_COUNT % 3 == 2)
            irl__textf(&layouts, "(p%d, q%d, r%d, s%d, t%d, u%d, v%d, w%d) -> (p%d + 2 * w%d)", k,
                       k, k, k, k, k, k, k, k, k);
        else put_end(&layouts, type, k / (int)IRL__SCALAR_COUNT % 3);
        irl__text_puts(&layouts, "))");
    }
    irl__textf(&params, ")%s { %s}", irl__text_done(&layouts), irl__text_done(&body));
    irl__text_init(&layouts, cx);
    irl__textf(&layouts, "func f(%s", irl__text_done(&params));
    return irl__text_done(&layouts);
}

static void test_paddings(void)
{
    for (int count = 1; count < 200; count += count < 60 ? 1 : 20)
        for (int in_body = 0; in_body < 2; in_body++) {
            irl_ctx  *cx = irl_ctx_create(NULL);
            irl_func *f = parse(cx, draw_paddings(cx, count, in_body));
            if (CHECK_OK(cx) && CHECK(f && irl_func_layout_count(f) == count))
                check_round_trip(cx, f);
            irl_ctx_destroy(cx);
        }
}

/* ------------------------------------------------------------------ memory that runs out */

static const char *parse_and_print(irl_ctx *cx, const char *text)
{
    irl_func   *f = parse(cx, text), *again;
    const char *printed;
    if (!f || !irl__verify(f)) return NULL;
    printed = irl_func_text(f);
    again = parse(cx, printed);
    return again && irl_func_equal(f, again) ? printed : NULL;
}

static void test_out_of_memory(void)
{
    char *big = repeat("func f(x: i32[4]) {", "{ let a = 3; for (i: 4) x[i] = x[a] + 1; } ", 400,
                       "", "", "}");
    failing f;
    long    n, needed;
    irl_ctx_desc desc = failing_desc(&f, LONG_MAX, 0);
    irl_ctx *cx = irl_ctx_create(&desc);
    CHECK(parse_and_print(cx, big) != NULL);
    irl_ctx_destroy(cx);
    needed = LONG_MAX - f.left;
    CHECK(needed > 10);
    for (n = 1; n < needed; n++) {
        desc = failing_desc(&f, n, 0);
        cx = irl_ctx_create(&desc);
        if (!CHECK(cx != NULL)) continue;
        CHECK(parse_and_print(cx, big) == NULL);
        CHECK_CODE(cx, IRL_ERROR_OUT_OF_MEMORY);
        irl_ctx_destroy(cx);
    }
    free(big);
}

int main(void)
{
    test_functions();
    test_modules();
    test_unequal();
    test_expressions();
    test_written();
    test_maps();
    test_macros();
    test_user_lines();
    test_floats();
    test_decimals();
    test_locale();
    test_random_expressions();
    test_random_stores();
    test_names();
    test_depth();
    test_length();
    test_mutations();
    test_bytes();
    test_paddings();
    test_out_of_memory();
    return TEST_DONE();
}
