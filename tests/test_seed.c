/* test_seed.c - worked examples of layouts, stage by stage, and what a layout may not do.

   Four examples show how a buffer gets to memory, with the indices of each stage (TVM RFC 39,
   Buffer Physical Layout). Others show flattening through declared aliases. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/text/text.h"
#endif
#include "test.h"

static irl_func *parse(irl_ctx *cx, const char *text)
{
    return irl_func_parse(cx, text, strlen(text), "seed");
}

/* Runs a pass and compares with the text; a second run must change nothing. Returns the result. */
static irl_func *stage(const irl_func *f, const char *pass, const char *expected)
{
    irl_func *after = irl_func_run_pass(f, pass), *again = irl_func_run_pass(after, pass),
             *wanted = f ? parse(f->cx, expected) : NULL;
    if (!CHECK(after && wanted && irl_func_equal(after, wanted)))
        printf("after %s:\n%s%s", pass, after ? irl_func_text(after) : "",
               f ? irl_diag_text(f->cx) : "");
    CHECK(again && irl_func_equal(after, again));
    return after;
}

/* ------------------------------------------------------------- layouts, stage by stage */

static void row_major(irl_ctx *cx)
{
    irl_func *f = parse(
        cx, "func f(y: f32[1]) { alloc x: f32[64, 128]; y[0] = x[10, 15]; x[20, 23] = 7.0; }");
    f = stage(f, "apply_layouts",
              "func f(y: f32[1]) { alloc x: f32[64, 128]; y[0] = x[10, 15]; x[20, 23] = 7.0; }");
    stage(f, "flatten", "func f(y: f32[1]) { alloc x: f32[8192]; y[0] = x[1295]; x[2583] = 7.0; }");
}

static void transposed(irl_ctx *cx)
{
    irl_func *f = parse(cx, "func f(y: f32[1]) layout(x: (i, j) -> (j, i)) { alloc x: f32[64, "
                            "128]; y[0] = x[10, 15]; x[20, 23] = 7.0; }");
    f = stage(f, "apply_layouts",
              "func f(y: f32[1]) { alloc x: f32[128, 64]; y[0] = x[15, 10]; x[23, 20] = 7.0; }");
    stage(f, "flatten", "func f(y: f32[1]) { alloc x: f32[8192]; y[0] = x[970]; x[1492] = 7.0; }");
}

static void nchw4c(irl_ctx *cx)
{
    irl_func *f = parse(cx, "func f(y: f32[1]) layout(x: (n, h, w, c) -> (n, c / 4, h, w, c % 4)) {"
                            " alloc x: f32[16, 64, 64, 128]; y[0] = x[11, 37, 23, 101]; }");
    f = irl_func_run_pass(f, "apply_layouts");
    f = stage(
        f, "simplify",
        "func f(y: f32[1]) { alloc x: f32[16, 32, 64, 64, 4]; y[0] = x[11, 25, 37, 23, 1]; }");
    stage(f, "flatten", "func f(y: f32[1]) { alloc x: f32[8388608]; y[0] = x[6186333]; }");
}

static void nchw4c_in_two_dimensions(irl_ctx *cx)
{
    irl_func *f =
        parse(cx, "func f(y: f32[1]) layout(x: (n, h, w, c) -> (n, c / 4, h, |, w, c % 4)) {"
                  " alloc x: f32[16, 64, 64, 128]; y[0] = x[11, 37, 23, 101]; }");
    f = irl_func_run_pass(f, "apply_layouts");
    f = stage(f, "simplify",
              "func f(y: f32[1]) { alloc x: f32[16, 32, 64, 64, 4] sep(3); y[0] = x[11, 25, 37, "
              "23, 1]; }");
    stage(f, "flatten",
          "func f(y: f32[1]) { alloc x: f32[32768, 256] sep(1); y[0] = x[24165, 93]; }");
}

/* The same on a parameter: it keeps its logical shape, its shape in memory and the map between, and
   the body uses an alias. */
static void on_a_parameter(irl_ctx *cx)
{
    irl_func *f = parse(cx, "func f(x: f32[16, 64, 64, 128], y: f32[1]) layout(x: (n, h, w, c) -> "
                            "(n, c / 4, h, |, w, c % 4)) {"
                            " y[0] = x[11, 37, 23, 101]; }");
    f = irl_func_run_pass(f, "apply_layouts");
    f = stage(f, "simplify",
              "func f(x: f32[16, 32, 64, 64, 4] sep(3) logical([16, 64, 64, 128], (n, h, w, c) -> "
              "(n, c / 4, h, |, w, c % 4)),"
              " y: f32[1]) { y[0] = x[11, 25, 37, 23, 1]; }");
    stage(f, "flatten",
          "func f(x: f32[16, 32, 64, 64, 4] sep(3) logical([16, 64, 64, 128], (n, h, w, c) -> (n, "
          "c / 4, h, |, w, c % 4)),"
          " y: f32[1]) { decl x_flat: f32[32768, 256] sep(1) data(x); y[0] = x_flat[24165, 93]; }");
}

/* Several transformations of one buffer are applied in order; the empty map is the identity; "..."
   stands for any axes. */
static void in_order(irl_ctx *cx)
{
    irl_func *f = parse(cx, "func f(x: f32[6, 8], y: f32[1]) layout(x: (i, j) -> (j, i)) layout(x: "
                            "(a, b) -> (a / 4, b, a % 4)) layout(x: () -> ())"
                            " { for (i: 6, j: 8) y[0] = x[i, j]; }");
    f = stage(f, "apply_layouts",
              "func f(x: f32[2, 6, 4] logical([6, 8], (i, j) -> (j / 4, i, j % 4)), y: f32[1])"
              " { for (i: 6, j: 8) y[0] = x[j / 4, i, j % 4]; }");
    CHECK(f && f->layout_count == 0);
    f = parse(cx, "func f(x: f32[2, 6, 8], y: f32[1]) layout(x: (..., c) -> (..., c / 4, c % 4)) { "
                  "for (i: 2, j: 6, k: 8) y[0] = x[i, j, k]; }");
    stage(f, "apply_layouts",
          "func f(x: f32[2, 6, 2, 4] logical([2, 6, 8], (i, j, c) -> (i, j, c / 4, c % 4)), y: "
          "f32[1])"
          " { for (i: 2, j: 6, k: 8) y[0] = x[i, j, k / 4, k % 4]; }");
}

/* -------------------------------------------------------------- declared aliases */

static void declared_aliases(irl_ctx *cx)
{
    irl_func *f = parse(
        cx,
        "func elemwise(A: f32[16, 16], C: f32[16, 16]) { for (i: 16, j: 16) C[i, j] = A[i, j]; }");
    stage(f, "flatten",
          "func elemwise(A: f32[16, 16], C: f32[16, 16]) { decl A_flat: f32[256] data(A); decl "
          "C_flat: f32[256] data(C);"
          " for (i: 16, j: 16) C_flat[i * 16 + j] = A_flat[i * 16 + j]; }");
}

/* ------------------------------------------------------------------ refusals */

static void refused(const char *text, irl_code code)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = parse(cx, text);
    /* f is NULL where the verifier refuses already */
    CHECK(irl_func_run_pass(f, "apply_layouts") == NULL);
    CHECK_CODE(cx, code);
    irl_ctx_destroy(cx);
}

static void refusals(void)
{
    refused("func f(x: f32[8], y: f32[8]) layout(y: (i) -> (i / 2)) { for (i: 8) y[i] = x[i]; }",
            IRL_ERROR_LOSSY_MAP);
    refused("func f(x: f32[8], y: f32[8]) layout(y: (i) -> (i % 4)) { for (i: 4) y[i] = x[i]; }",
            IRL_ERROR_LOSSY_MAP);
    refused("func f(y: f32[8]) layout(t: (i) -> (i / 2)) { alloc t: f32[8]; for (i: 8) t[i] = 1.0; "
            "for (i: 8) y[i] = t[i]; }",
            IRL_ERROR_LOSSY_MAP);
    refused("func f(x: f32[8], y: f32[8]) layout(x: (i) -> (i - 1)) { for (i: 8) y[i] = x[i]; }",
            IRL_ERROR_MAP_OUT_OF_RANGE);
    refused("func f(x: f32[8, 4], y: f32[8]) layout(x: (i, j) -> (j, i)) { decl v: f32x4[8] "
            "data(x); for (i: 8) y[i] = lane(v[i], 0); }",
            IRL_ERROR_BAD_ALIAS);
    refused("func f(x: f32[8], y: f32[8]) layout(x: (i) -> (7 - i)) { decl v: u64[4] data(x); for "
            "(i: 8) y[i] = f32(v[i / 2]); }",
            IRL_ERROR_BAD_ALIAS);
    refused("func f(x: f32[8], y: f32[8]) layout(x: (i) -> (7 - i))"
            " { for (i: 8) block b(v: spatial(8) = i) { match m: f32[1] strides(2) = x[v: 1]; y[v] "
            "= m[0]; } }",
            IRL_ERROR_UNSUPPORTED);
    refused("func f(x: f32[8], y: f32[8]) layout(z: (i) -> (7 - i)) { for (i: 8) y[i] = x[i]; }",
            IRL_ERROR_UNKNOWN_NAME);
    refused("func f(x: f32[8], y: f32[8]) layout(x: (i, j) -> (j, i)) { for (i: 8) y[i] = x[i]; }",
            IRL_ERROR_RANK_MISMATCH);
    refused("func f(n: index, x: f32[n], y: f32[n]) layout(y: (i) -> (i * i)) { for (i: n) y[i] = "
            "x[i]; }",
            IRL_ERROR_UNDECIDED);
}

/* A match buffer is a part of another buffer: with a layout its accesses go through to the whole,
   regions too, a match of a match too. */
static void matched(const char *layouts, const char *regions)
{
    static const char body[] = "{ for (i: 4, j: 4) block b(vi: spatial(4) = i, vj: spatial(4) = j) "
                               "reads(x[vi * 4: 4, vj * 4: 4]) writes(y[vi * 4: 4, vj * 4: 4]) {"
                               "  match s: f32[4, 4] = x[vi * 4: 4, vj * 4: 4]; match d: f32[4, 4] "
                               "= y[vi * 4: 4, vj * 4: 4];"
                               "  block c(vp: spatial(4) = vi) reads(s[vp, 0: 4]) writes(d[0: 4, "
                               "0: 4]) { match r: f32[4] = s[vp, 0: 4];"
                               "    for (p: 4, q: 4) d[p, q] = r[q] + f32(p); } } }";
    irl_ctx  *cx = irl_ctx_create(NULL);
    char      text[2048];
    irl_func *plain, *f, *g;
    float     x[256], expected[256], y[256], z[256];
    int       k;
    snprintf(text, sizeof text, "func f(x: f32[16, 16], y: f32[16, 16]) %s", body);
    plain = parse(cx, text);
    snprintf(text, sizeof text, "func f(x: f32[16, 16], y: f32[16, 16]) %s %s", layouts, body);
    f = parse(cx, text);
    g = irl_func_run_pass(f, "apply_layouts");
    for (k = 0; k < 256; k++) x[k] = (float)(k * 7 % 101), expected[k] = y[k] = z[k] = -1;
    CHECK(g && !strstr(irl_func_text(g), "match") && strstr(irl_func_text(g), regions));
    CHECK(irl_func_interpret(plain, IRL_ARGS(x, expected)) &&
          irl_func_interpret(g, IRL_ARGS(x, y)) && memcmp(y, expected, sizeof y) == 0);
    CHECK(irl_module_interpret(irl_func_lower(f, &irl_target_opencl12), IRL_ARGS(x, z)) &&
          memcmp(z, expected, sizeof z) == 0);
    CHECK(strstr(irl_func_text(f), "match s") != NULL); /* the old function is as it was */
    if (!irl_ok(cx)) printf("%s\n", irl_diag_text(cx));
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* Chroma of NV12: four pixels map to one cell. Legal where the buffer is only read; the caller
   hands over the memory itself. */
static void chroma(void)
{
    irl_ctx   *cx = irl_ctx_create(NULL);
    irl_func *f = parse(cx, "func f(uv: u8[4, 6], y: u8[4, 6]) layout(uv: (r, c) -> (r / 2, c / "
                            "2)) { for (r: 4, c: 6) y[r, c] = uv[r, c] + 1; }");
    static const unsigned char memory[6] = { 10, 20, 30, 40, 50, 60 };
    unsigned char              y[4][6];
    int                        r, c;
    f = irl_func_run_pass(f, "apply_layouts");
    CHECK(f && f->params[0].buffer->rank == 2 && irl__is_int(f->params[0].buffer->shape[0], 2) &&
          irl__is_int(f->params[0].buffer->shape[1], 3));
    memset(y, 0, sizeof y);
    CHECK(irl_func_interpret(f, IRL_ARGS(memory, y)));
    for (r = 0; r < 4; r++)
        for (c = 0; c < 6; c++) CHECK(y[r][c] == memory[r / 2 * 3 + c / 2] + 1);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* The caller may vouch for what is not decided. */
static void vouched_for(void)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = parse(cx, "func f(n: index, x: f32[n], y: f32[n]) layout(y: (i) -> (i * 3), "
                            "assume_injective) { for (i: n) y[i] = x[i]; }");
    CHECK(irl_func_run_pass(f, "apply_layouts") != NULL);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

int main(void)
{
    static void (*const examples[])(
        irl_ctx *) = { row_major,      transposed, nchw4c,          nchw4c_in_two_dimensions,
                       on_a_parameter, in_order,   declared_aliases };
    size_t k;
    for (k = 0; k < sizeof examples / sizeof *examples; k++) {
        irl_ctx *cx = irl_ctx_create(NULL);
        examples[k](cx);
        CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
    refusals();
    matched("layout(x: (i, j) -> (j, i))", "reads(x[vj * 4: 4, vi * 4: 4])");
    matched("layout(x: (i, j) -> (j, i))", "reads(x[vj * 4: 4, vi * 4 + vp])");
    matched("layout(y: (i, j) -> (i / 4, j / 4, i % 4, j % 4))",
            "writes(y[vi, vj, 0: 4, 0: 4])");
    matched("layout(y: (i, j) -> (15 - i, j), pad(0.0)) layout(x: (i, j) -> (i * 2 / 2, j))",
            "writes(y[12 - vi * 4: 4, vj * 4: 4])");
    chroma();
    vouched_for();
    return TEST_DONE();
}
