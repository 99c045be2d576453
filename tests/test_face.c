/* test_face.c - the small functions that tools and programs ask: scopes, parameters, comparison,
   simplification by hand. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "test.h"

#include <string.h>

static irl_func *parse(irl_ctx *cx, const char *text)
{
    return irl_func_parse(cx, text, strlen(text), NULL);
}
static int contains(const irl_func *f, const char *what)
{
    return f && strstr(irl_func_text(f), what) != NULL;
}
static irl_code code_of(const irl_ctx *cx)
{
    return irl_diag_of(cx) ? irl_diag_of(cx)->code : IRL_OK;
}

/* A failure is expected: its code, and the context as before. */
static int failed_with(irl_ctx *cx, irl_mark mark, const void *result, irl_code code)
{
    int right = !result && code_of(cx) == code;
    irl_ctx_rewind(cx, mark);
    return right;
}

static void test_scope(irl_ctx *cx)
{
    irl_func *f = parse(cx, "func f(x: f32[16], y: f32[16]) {\n"
                            "    alloc t: f32[16];\n"
                            "    decl v: f32x4[4] data(t);\n"
                            "    for (i: 16) t[i] = x[i];\n"
                            "    for (i: 16) y[i] = t[15 - i];\n"
                            "    evaluate lane(v[0], 0);\n"
                            "}"), *g;
    irl_mark  mark = irl_ctx_mark(cx);
    CHECK(f != NULL);
    g = irl_func_set_scope(f, "t", IRL_SCOPE_LOCAL);
    CHECK(contains(g, "alloc t: f32[16] scope(local)"));
    CHECK(!contains(f, "scope(local)")); /* the old function is as it was */
    CHECK(irl_func_run_pass(g, "flatten") !=
          NULL); /* the verifier accepts it: the alias moved along */
    CHECK(contains(irl_func_set_scope(f, "x", IRL_SCOPE_CONSTANT), "x: f32[16] scope(constant)"));
    CHECK(irl_func_equal(irl_func_set_scope(g, "t", IRL_SCOPE_GLOBAL), f));
    CHECK(irl_ok(cx));
    CHECK(failed_with(cx, mark, irl_func_set_scope(f, "x", IRL_SCOPE_SHARED),
                      IRL_ERROR_BAD_ARGUMENT));
    CHECK(failed_with(cx, mark, irl_func_set_scope(f, "y", IRL_SCOPE_CONSTANT),
                      IRL_ERROR_BAD_ARGUMENT));
    CHECK(failed_with(cx, mark, irl_func_set_scope(f, "t", IRL_SCOPE_CONSTANT),
                      IRL_ERROR_BAD_ARGUMENT));
    CHECK(failed_with(cx, mark, irl_func_set_scope(f, "t", (irl_scope)99), IRL_ERROR_BAD_ARGUMENT));
    CHECK(failed_with(cx, mark, irl_func_set_scope(f, "nobody", IRL_SCOPE_LOCAL),
                      IRL_ERROR_UNKNOWN_NAME));
    CHECK(failed_with(cx, mark, irl_func_set_scope(f, NULL, IRL_SCOPE_LOCAL),
                      IRL_ERROR_UNKNOWN_NAME));
    CHECK(irl_scope_find("texture:weight") == IRL_SCOPE_TEXTURE_WEIGHT &&
          irl_scope_find("global") == IRL_SCOPE_GLOBAL);
    CHECK(irl_scope_find("cellar") == -1 && irl_scope_find(NULL) == -1);
}

static void test_params(irl_ctx *cx)
{
    static const int64_t n = 5;
    irl_func     *f = parse(cx, "func f(n: index, a: f32, x: i8x4[n, 3], y: f64[]) { y[] = 1.0; }");
    irl_arguments args;
    irl_tensor    t;
    irl_mark      mark = irl_ctx_mark(cx);
    memset(&args, 0, sizeof args);
    CHECK(irl_func_param_count(f) == 4 && irl_func_param_count(NULL) == 0);
    CHECK(strcmp(irl_func_param_name(f, 2), "x") == 0 && irl_func_param_name(f, 4) == NULL &&
          irl_func_param_name(f, -1) == NULL);
    CHECK(!irl_func_param_is_buffer(f, 1) && irl_func_param_is_buffer(f, 3) &&
          !irl_func_param_is_buffer(f, 4));
    CHECK(irl_func_param_tensor(f, 1, args, &t) && t.shape.rank == 0 && t.bytes == 4 &&
          t.type.scalar == IRL_F32 && !t.data);
    CHECK(irl_func_param_tensor(f, 3, args, &t) && t.shape.rank == 0 && t.bytes == 8);
    /* n is not known */
    CHECK(failed_with(cx, mark, irl_func_param_tensor(f, 2, args, &t) ? f : NULL,
                      IRL_ERROR_ARGUMENT_MISMATCH));
    args.count = 1;
    args.data[0] = &n;
    CHECK(irl_func_param_tensor(f, 2, args, &t) && t.shape.rank == 2 && t.shape.extent[0] == 5 &&
          t.shape.extent[1] == 3 && t.bytes == 60);
    CHECK(failed_with(cx, mark, irl_func_param_tensor(f, 4, args, &t) ? f : NULL,
                      IRL_ERROR_BAD_ARGUMENT));
    f = parse(cx,
              "func g(n: index, x: f32[n, 4000000000000000000], y: f32[1]) { y[0] = x[0, 0]; }");
    CHECK(f && failed_with(cx, mark, irl_func_param_tensor(f, 1, args, &t) ? f : NULL,
                           IRL_ERROR_OVERFLOW));
    f = parse(cx, "func g(x: f32[4000000000, 4000000000], y: f32[1]) { y[0] = x[0, 0]; }");
    CHECK(failed_with(cx, mark, f, IRL_ERROR_OVERFLOW));
}

/* What lies in memory behind a parameter: after the layouts, with strides, of a scalar. */
static void test_param_memory(irl_ctx *cx)
{
    irl_func *f = parse(cx, "func f(n: index, x: f32[n, 10], y: f32[4, 4] strides(8, 1) offset(2)) "
                            "{ for (i: 4, j: 4) y[i, j] = x[0, i]; }");
    int64_t       n = 5;
    irl_arguments args;
    irl_tensor    t;
    irl_mark      mark;
    memset(&args, 0, sizeof args);
    args.count = 3;
    args.data[0] = &n;
    f = irl_func_run_pass(irl_func_set_layout(f, "x", irl_map_parse(cx, "(i, c) -> (c/4, i, c%4)")),
                          "apply_layouts");
    CHECK(irl_func_param_tensor(f, 1, args, &t) && t.shape.rank == 2 && t.bytes == 200);
    CHECK(irl_func_param_memory(f, 1, args, &t) && t.shape.rank == 3 && t.shape.extent[0] == 3 &&
          t.shape.extent[1] == 5 && t.shape.extent[2] == 4 && t.bytes == 240);
    CHECK(irl_func_param_memory(f, 2, args, &t) && t.shape.rank == 2 &&
          t.bytes == 4 * (2 + 3 * 8 + 3 + 1));
    CHECK(irl_func_param_memory(f, 0, args, &t) && t.shape.rank == 0 && t.bytes == 8);
    CHECK(irl_func_param_memory(parse(cx, "func g(x: f32[4] offset(3), y: f32[0] strides(2)) { }"),
                                0, args, &t) &&
          t.bytes == 28);
    CHECK(irl_func_param_memory(parse(cx, "func g(x: f32[4] offset(3), y: f32[0] strides(2)) { }"),
                                1, args, &t) &&
          t.bytes == 0);
    mark = irl_ctx_mark(cx);
    CHECK(failed_with(cx, mark, irl_func_param_memory(f, 3, args, &t) ? f : NULL,
                      IRL_ERROR_BAD_ARGUMENT));
    args.data[0] = NULL;
    CHECK(failed_with(cx, mark, irl_func_param_memory(f, 1, args, &t) ? f : NULL,
                      IRL_ERROR_ARGUMENT_MISMATCH));
}

/* -------------------------------------------- layouts of a program with constants of its own */

#define TILE 4
#define MACRO_ROWS (2 * TILE)
IRL_KERNEL(
    tiled, (x
            : f32[MACRO_ROWS, TILE], y
            : f32[ROWS]) {
        for (i : ROWS) y[i] = x[i, TILE - 1];
    });
IRL_KERNEL(
    many, (y
           : i32[1]) { y[0] = a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p; });

/* By the names that stand in the program, macros among them; as many as a convolution has, and
   more. */
static void test_lets(irl_ctx *cx)
{
    enum { ROWS = 8 };
    const irl_func *f = irl_kernel_let(cx, &tiled, IRL_LET(TILE, MACRO_ROWS, ROWS));
    int a = 1, b = 1, c = 1, d = 1, e = 1, g = 1, h = 1, i = 1, j = 1, k = 1, l = 1, m = 1, n = 1,
        o = 1;
    long            p = 1;
    int32_t         y = 0;
    irl_constants   wrong = IRL_LET(ROWS);
    irl_mark        mark;
    CHECK(f && contains(f, "x: f32[8, 4]") && contains(f, "x[i, 3]"));
    CHECK_OK(cx);
    {
        short           f = 1;
        const irl_func *sum =
            irl_kernel_let(cx, &many, IRL_LET(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p));
        CHECK(irl_func_interpret(sum, IRL_ARGS(&y)) && y == 16);
    }
    mark = irl_ctx_mark(cx);
    wrong.count = 2;
    CHECK(failed_with(cx, mark, irl_kernel_let(cx, &tiled, wrong), IRL_ERROR_BAD_ARGUMENT));
    wrong.names = NULL;
    CHECK(failed_with(cx, mark, irl_kernel_let(cx, &tiled, wrong), IRL_ERROR_BAD_ARGUMENT));
    wrong.count = 17;
    CHECK(failed_with(cx, mark, irl_kernel_let(cx, &tiled, wrong), IRL_ERROR_BAD_ARGUMENT));
}

typedef struct let_row {
    irl_constants given;
    const char   *refused; /* the entry that is no name; NULL: all are */
} let_row;

/* An entry is one name, with space and comments around it; nothing else is passed by it. */
static void test_let_entries(irl_ctx *cx)
{
    enum { ROWS = 8, MACRO_ROWS_HERE = 8 };
    struct {
        int ROWS, TILE_OF[2];
    } cfg = { 8, { 8, 8 } };
    const int    *at = &cfg.ROWS;
    const let_row rows[] = {
        { IRL_LET(TILE, ROWS, MACRO_ROWS), NULL },
        { IRL_LET(TILE /* columns */, MACRO_ROWS, ROWS), NULL },
        { IRL_LET(TILE, MACRO_ROWS, ROWS + 1), "'ROWS + 1'" },
        { IRL_LET(TILE, MACRO_ROWS, ROWS * 2), "'ROWS * 2'" },
        { IRL_LET(2 * ROWS, TILE, MACRO_ROWS), "'2 * ROWS'" },
        { IRL_LET((ROWS), TILE, MACRO_ROWS), "'(ROWS)'" },
        { IRL_LET(TILE, cfg.ROWS, MACRO_ROWS), "'cfg.ROWS'" },
        { IRL_LET(TILE, MACRO_ROWS, cfg.TILE_OF[0]), "'cfg.TILE_OF[0]'" },
        { IRL_LET(TILE, *at), "'*at'" },
        { IRL_LET(-ROWS, TILE), "'-ROWS'" },
        { IRL_LET(TILE, (int)sizeof(cfg), ROWS), "'(int)sizeof(cfg)'" },
        { IRL_LET(irl_floordiv(MACRO_ROWS_HERE, 2), TILE), "'irl_floordiv(MACRO_ROWS_HERE, 2)'" },
        { IRL_LET(ROWS > 4 ? TILE : 2), "'ROWS > 4 ? TILE : 2'" },
        { IRL_LET(8, TILE), "'8'" },
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        irl_mark  mark = irl_ctx_mark(cx);
        irl_func *f = irl_kernel_let(cx, &tiled, rows[k].given);
        if (!rows[k].refused) {
            CHECK(f && contains(f, "x: f32[8, 4]") && contains(f, "x[i, 3]"));
            continue;
        }
        CHECK(!f && code_of(cx) == IRL_ERROR_BAD_ARGUMENT &&
              strstr(irl_diag_of(cx)->message, rows[k].refused));
        irl_ctx_rewind(cx, mark);
    }
}

enum { LANES = 8, WIDTH = 20 };
IRL_LAYOUT(camera, (x, c), (x / LANES, c, x % LANES));
IRL_LAYOUT(wide, (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r),
           (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q * 2 + r));

static void test_constants(irl_ctx *cx)
{
    const size_t   width = WIDTH; /* what a program counts with */
    const irl_map *map = irl_layout_let(cx, &camera, IRL_LET(LANES));
    irl_verdict    v = irl_map_check(cx, map, IRL_SHAPE(width, 3));
    irl_mark       mark = irl_ctx_mark(cx);
    irl_index      at[3], far[17];
    irl_shape      place;
    int            x, c;
    CHECK(v.kind == IRL_INJECTIVE && v.pad_cells == 12 && irl_shape_count(v.memory) == 72);
    CHECK(map && strcmp(irl_map_text(cx, map), "(x, c) -> (x / 8, c, x % 8)") == 0);
    for (x = 0; x < WIDTH; x++)
        for (c = 0; c < 3; c++) {
            IRL_AT(camera, at, x, c);
            CHECK(irl_map_apply(cx, map, IRL_SHAPE(x, c), &place) &&
                  irl_offset(&v.memory, at) ==
                      (place.extent[0] * 3 + place.extent[1]) * 8 + place.extent[2]);
        }
    CHECK(failed_with(cx, mark, irl_layout(cx, &camera), IRL_ERROR_UNKNOWN_NAME));
    CHECK(failed_with(cx, mark, irl_layout_let(cx, NULL, IRL_LET(LANES)), IRL_ERROR_BAD_ARGUMENT));
    /* more inputs than a hand has fingers */
    IRL_AT(wide, far, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 1);
    CHECK(far[0] == 1 && far[15] == 16 && far[16] == 35 &&
          irl_map_input_count(irl_layout(cx, &wide)) == 18);
}

static void test_counts(void)
{
    irl_shape none;
    memset(&none, 0, sizeof none);
    CHECK(irl_shape_count(none) == 1 && irl_shape_count(IRL_SHAPE(3, 4, 5)) == 60 &&
          irl_shape_count(IRL_SHAPE(3, 0, 5)) == 0);
    /* nothing, whatever the others are */
    CHECK(irl_shape_count(IRL_SHAPE(INT64_MAX, INT64_MAX, 0)) == 0);
    CHECK(irl_shape_count(IRL_SHAPE(INT64_MAX, 2)) == -1 &&
          irl_shape_count(IRL_SHAPE(2, -1)) == -1 && irl_shape_count(IRL_SHAPE(0, -1)) == -1);
    none.rank = IRL_MAX_RANK + 1;
    CHECK(irl_shape_count(none) == -1);
}

static void test_difference(void)
{
    float    a[6] = { 1, 2, 3, 0, -1, 5 }, b[6] = { 1, 2, 3, 0, -1, 5 };
    int32_t  i[2] = { 7, 8 }, j[2] = { 7, 9 };
    irl_type f32 = irl_type_of(IRL_F32, 1), i32 = irl_type_of(IRL_I32, 1);
    CHECK(irl_array_difference(f32, 6, a, b, 0) == -1 &&
          irl_array_difference(f32, 0, a, b, 0) == -1);
    b[3] = -0.0f;
    CHECK(irl_array_difference(f32, 6, a, b, 0) == -1); /* zeros are alike */
    b[5] = 5.0000005f;                                  /* the next number */
    CHECK(irl_array_difference(f32, 6, a, b, 0) == 5 &&
          irl_array_difference(f32, 6, a, b, 1) == -1);
    /* elements of two lanes */
    CHECK(irl_array_difference(irl_type_of(IRL_F32, 2), 3, a, b, 0) == 2);
    CHECK(irl_array_difference(i32, 2, i, j, 100) == 1);
}

static void test_tolerance(irl_ctx *cx)
{
    CHECK(irl_func_tolerance(parse(cx, "func f(x: f32[4]) { for (i: 4) x[i] = fma(x[i], 2.0, "
                                  "floor(x[i])) - max(x[i], 0.0); }")) == 0);
    CHECK(irl_func_tolerance(parse(cx, "func f(x: f32[4]) { for (i: 4) x[i] = x[i] / 3.0; }")) ==
          16);
    CHECK(irl_func_tolerance(parse(
              cx, "func f(x: f32[4]) { for (i: 4) if (x[i] > 0.0) x[i] = 1.0 + exp(x[i]); }")) ==
          16);
    CHECK(irl_func_tolerance(parse(cx, "func f(x: i32[4]) { for (i: 4) x[i] = x[i] / 3 % 2; }")) ==
          0);
    CHECK(irl_ok(cx));
}

static int simplifies_to(irl_ctx *cx, const char *text, int64_t lo, int64_t hi,
                         const char *expected)
{
    const irl_expr *c = irl_expr_var(cx, "c", irl_type_of(IRL_INDEX, 1)), *e;
    irl_range       range;
    range.var = c;
    range.lo = lo;
    range.hi = hi;
    e = irl_expr_simplify(cx, irl_expr_parse(cx, text, 1, &c), 1, &range);
    return e && strcmp(irl_expr_text(cx, e), expected) == 0;
}

static void test_simplify(irl_ctx *cx)
{
    irl_mark mark = irl_ctx_mark(cx);
    CHECK(simplifies_to(cx, "c/4*4 + c%4", 0, 63, "c"));
    CHECK(simplifies_to(cx, "min(c, 99)", 0, 63, "c"));
    CHECK(simplifies_to(cx, "c < 64", 0, 63, "true"));
    CHECK(simplifies_to(cx, "min(c, 99)", INT64_MIN, INT64_MAX, "min(c, 99)"));
    CHECK(!simplifies_to(cx, "c", 5, 4, "c") && code_of(cx) == IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_rewind(cx, mark);
    CHECK(!simplifies_to(cx, "c + d", 0, 4, "c") && code_of(cx) == IRL_ERROR_UNKNOWN_NAME);
    irl_ctx_rewind(cx, mark);
    CHECK(irl_expr_simplify(cx, NULL, 0, NULL) == NULL &&
          irl_expr_parse(cx, NULL, 0, NULL) == NULL && irl_ok(cx));
}

static void test_names(irl_ctx *cx)
{
    int k;
    for (k = 0; irl_target_name(k); k++) CHECK(irl_target_find(irl_target_name(k)) != NULL);
    CHECK(k > 1 && irl_target_name(-1) == NULL);
    CHECK(strcmp(irl_type_text(cx, irl_type_of(IRL_U8, 16)), "u8x16") == 0);
    CHECK(strcmp(irl_type_text(cx, irl_type_pointer(irl_type_of(IRL_F32, 1), IRL_SCOPE_SHARED)),
                 "ptr(f32, shared)") == 0);
}

/* JSON is UTF-8 and has its own escapes; a name may be any bytes. */
static void test_json_text(irl_ctx *cx)
{
    static const char *const rows[][2] = {
        { "a\"b\\c", "\"a\\\"b\\\\c\"" },
        { "a\nb\tc", "\"a\\nb\\u0009c\"" },
        { "", "\"\"" },
        { "\xc3\xb6", "\"\xc3\xb6\"" },
        { "\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xe2\x82\xac\xf0\x9f\x98\x80\"" },
        { "\xff", "\"\\u00ff\"" },
        { "\xc3", "\"\\u00c3\"" },
        { "\xc3(", "\"\\u00c3(\"" },
        { "\xc0\x80", "\"\\u00c0\\u0080\"" },
        { "\xed\xa0\x80", "\"\\u00ed\\u00a0\\u0080\"" },
        { "\xe0\x80\x80", "\"\\u00e0\\u0080\\u0080\"" },
        { "\xf4\x90\x80\x80", "\"\\u00f4\\u0090\\u0080\\u0080\"" },
        { "\xf5\x80\x80\x80", "\"\\u00f5\\u0080\\u0080\\u0080\"" },
        { "\xe2\x82", "\"\\u00e2\\u0082\"" }
    };
    size_t k;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++)
        if (!CHECK(strcmp(irl_json_text(cx, rows[k][0]), rows[k][1]) == 0))
            printf("  row %d: %s\n", (int)k, irl_json_text(cx, rows[k][0]));
    CHECK(strcmp(irl_json_text(cx, NULL), "null") == 0 && !irl_json_text(NULL, "a")[0]);
}

/* Where a map's text is from is said; a layout of another context, or a padding without a layout,
   is refused. */
static void test_layout_arguments(irl_ctx *cx)
{
    irl_ctx       *other = irl_ctx_create(NULL);
    irl_func *f = parse(cx, "func f(x: f32[16]) layout(x: (i) -> (i)) { x[0] = 1; }"),
             *g = irl_func_run_pass(f, "apply_layouts");
    irl_mark       mark = irl_ctx_mark(cx);
    CHECK(irl_map_parse_over(cx, "(i) -> (i +)", "a/place", 0, NULL) == NULL &&
          strcmp(irl_diag_of(cx)->file, "a/place") == 0);
    CHECK(irl_diag_of(cx)->line == 1 && irl_diag_of(cx)->column == 12);
    irl_ctx_rewind(cx, mark);
    CHECK(irl_map_parse(cx, "(i) -> (") == NULL && strcmp(irl_diag_of(cx)->file, "text") == 0);
    irl_ctx_rewind(cx, mark);
    CHECK(failed_with(cx, mark, irl_func_set_layout(f, "x", irl_map_parse(other, "(i) -> (i)")),
                      IRL_ERROR_BAD_ARGUMENT));
    CHECK(failed_with(cx, mark, irl_func_set_layout(f, NULL, irl_map_parse(cx, "(i) -> (i)")),
                      IRL_ERROR_UNKNOWN_NAME));
    CHECK(irl_func_set_padding(f, "x", 0) && irl_ok(cx));
    CHECK(failed_with(cx, mark, irl_func_set_padding(g, "x", 0), IRL_ERROR_BAD_ARGUMENT));
    CHECK(failed_with(cx, mark, irl_func_set_padding(f, "z", 0), IRL_ERROR_UNKNOWN_NAME));
    CHECK(failed_with(cx, mark, irl_func_set_padding(f, NULL, 0), IRL_ERROR_UNKNOWN_NAME));
    irl_ctx_destroy(other);
}

/* An optional pass changes no number when it is left out; the others cannot be left out. */
static void test_optional_passes(irl_ctx *cx)
{
    static const char text[] =
        "func f(x: f32[6, 10], y: f32[6, 10]) layout(y: (i, j) -> (j/4, i, j%4), pad(0)) {\n"
        "    for (i: 6, j: 10) y[i, j] = x[i, 9 - j] * 2.0f;\n"
        "}";
    irl_func    *f = parse(cx, text);
    float        x[60], expected[60], y[60];
    irl_lower_options how;
    int          k, j, optional = 0;
    for (k = 0; k < 60; k++) x[k] = (float)k, y[k] = expected[k] = 0;
    CHECK(irl_func_interpret(f, IRL_ARGS(x, expected)) && expected[0] == 18);
    memset(&how, 0, sizeof how);
    CHECK(!*irl_pass_doc(-1) && !*irl_pass_doc(1000));
    CHECK(*irl_pass_replacement("parallelize") && !*irl_pass_replacement("flatten"));
    CHECK(!*irl_pass_replacement(NULL));
    for (k = 0; irl_pass_name(k); k++) {
        CHECK(*irl_pass_doc(k));
        optional += irl_pass_is_optional(k);
        how.disable = UINT64_C(1) << k;
        for (j = 0; j < 60; j++) y[j] = -1;
        CHECK(irl_module_interpret(irl_func_lower_with(f, irl_target_find("opencl12"), &how),
                                   IRL_ARGS(x, y)) &&
              memcmp(y, expected, sizeof y) == 0);
    }
    CHECK(optional == 9 && k == 34 && !irl_pass_is_optional(-1) && !irl_pass_is_optional(k));
    how.disable = ~UINT64_C(0);
    CHECK(irl_module_interpret(irl_func_lower_with(f, irl_target_find("opencl12"), &how),
                               IRL_ARGS(x, y)) &&
          memcmp(y, expected, sizeof y) == 0);
    CHECK(irl_ok(cx));
}

/* What irl_func_lower_with does, its passes do one after the other by their names, for every
 * target. */
static void test_stages(irl_ctx *cx)
{
    static const char text[] =
        "func f(n: index, x: f32[6, 10], y: f32[6, 10], z: f32[n]) attr(shared_cells = \"x\")\n"
        "    layout(y: (i, j) -> (j/4, i, j%4), pad(0)) {\n"
        "    for (i: 6, j: 10) y[i, j] = x[i, 9 - j] * 2.0f;\n"
        "    for (k: n) z[k] = y[k % 6, 3];\n"
        "}";
    irl_mark     mark = irl_ctx_mark(cx);
    irl_lower_options how;
    int          k, t;
    memset(&how, 0, sizeof how);
    for (t = 0; irl_target_name(t); t++) {
        const irl_target *target = irl_target_find(irl_target_name(t));
        irl_func         *f = parse(cx, text);
        irl_module       *m = NULL, *whole;
        how.bounds = (irl_bounds)(t % 2 * 2); /* WARN or GUARD */
        whole = irl_func_lower_with(f, target, &how);
        for (k = 0; irl_pass_name(k); k++) {
            const char *name = irl_pass_name(k);
            if (!irl_pass_runs(k, target, &how)) continue;
            switch (irl_pass_level_of(k)) {
            case IRL_PASS_FUNC: f = irl_func_run_pass_for(f, name, target); break;
            case IRL_PASS_SPLIT: m = irl_func_split_host(f, target); break;
            default: m = irl_module_run_pass(m, name); break;
            }
        }
        CHECK_OK(cx);
        CHECK(m && whole && irl_module_equal(m, whole));
        CHECK(failed_with(cx, mark, irl_func_run_pass(f, "split_host"), IRL_ERROR_BAD_STAGE));
        mark = irl_ctx_mark(cx);
    }
    CHECK(irl_pass_level_of(-1) == IRL_PASS_FUNC && !irl_pass_runs(0, NULL, NULL));
    CHECK(!irl_pass_runs(-1, &irl_target_opencl12, NULL));
    CHECK(
        failed_with(cx, mark, irl_func_run_pass(parse(cx, text), "lunch"), IRL_ERROR_BAD_ARGUMENT));
}

static void test_map_of_rank(irl_ctx *cx)
{
    const irl_map *map =
        irl_map_of_rank(cx, irl_map_parse(cx, "(..., c) -> (..., |, c/4, c%4)"), 3);
    irl_mark       mark = irl_ctx_mark(cx);
    int            separator = 0;
    CHECK(irl_map_input_count(map) == 3 && irl_map_output_count(map) == 4);
    CHECK(irl_map_separators(map, &separator, 1) == 1 && separator == 2);
    CHECK(irl_map_input_count(irl_map_of_rank(cx, irl_map_parse(cx, "() -> ()"), 5)) == 5);
    CHECK(irl_ok(cx) && irl_map_of_rank(cx, NULL, 3) == NULL);
    CHECK(failed_with(cx, mark, irl_map_of_rank(cx, irl_map_parse(cx, "(i) -> (i)"), 2),
                      IRL_ERROR_RANK_MISMATCH));
}

/* An axis that is a remainder has its whole modulus in memory, and the padding its value. */
static void test_whole_remainder(irl_ctx *cx)
{
    irl_func *f = parse(
        cx, "func f(x: f32[2, 3], y: f32[2, 3]) layout(y: (h, c) -> (h, c/4, c%4), pad(0.0)) {\n"
            "    for (h: 2, c: 3) y[h, c] = x[h, c];\n"
            "}");
    float     x[6] = { 1, 2, 3, 4, 5, 6 }, y[6] = { 0, 0, 0, 0, 0, 0 };
    irl_func *g = irl_func_run_pass(f, "apply_layouts");
    CHECK(contains(g, "y: f32[2, 1, 4] logical([2, 3]"));
    CHECK(irl_func_interpret(g, IRL_ARGS(x, y)) && memcmp(x, y, sizeof x) == 0);
    CHECK(irl_ok(cx));
}

int main(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    test_scope(cx);
    test_params(cx);
    test_param_memory(cx);
    test_constants(cx);
    test_lets(cx);
    test_let_entries(cx);
    test_counts();
    test_difference();
    test_tolerance(cx);
    test_simplify(cx);
    test_names(cx);
    test_stages(cx);
    test_map_of_rank(cx);
    test_whole_remainder(cx);
    test_json_text(cx);
    test_layout_arguments(cx);
    test_optional_passes(cx);
    CHECK(irl_ok(cx));
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
