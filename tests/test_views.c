/* test_views.c - views of memory: what the verifier takes for one, what each target makes of them,
   and that all of it computes the same: written by hand, and generated. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "test.h"
#include "view_cases.h"

static irl_func *parse(irl_ctx *cx, const char *text)
{
    return irl_func_parse(cx, text, strlen(text), "test");
}

#include "view_layouts.h"

/* ------------------------------------------------------------------ running on every target */

/* The module for a target, checked by all of check_target, computes what f does. IRL_OK, or the
   code of the refusal. */
static irl_code run_on(irl_ctx *cx, const irl_func *f, const char *target, int *same,
                       const char **text)
{
    static unsigned char x[BYTES], y[BYTES], given_x[BYTES], given_y[BYTES];
    irl_lower_options         how;
    const irl_module    *m;
    memset(&how, 0, sizeof how);
    how.verify = 1;
    m = irl_func_lower_with(f, irl_target_find(target), &how);
    *text = m ? irl_module_text(m) : "";
    *same = 0;
    if (!m) return irl_diag_of(cx) ? irl_diag_of(cx)->code : IRL_OK;
    fill(x, 1), fill(y, 2);
    fill(given_x, 1), fill(given_y, 2);
    *same = irl_func_interpret(f, IRL_POINTERS(given_x, given_y)) &&
            irl_module_interpret(m, IRL_POINTERS(x, y)) && memcmp(x, given_x, BYTES) == 0 &&
            memcmp(y, given_y, BYTES) == 0;
    return IRL_OK;
}

/* ------------------------------------------------------------------ by hand */

static void test_programs(void)
{
    size_t k, t;
    for (k = 0; k < sizeof programs / sizeof *programs; k++)
        for (t = 0; t < sizeof targets / sizeof *targets; t++) {
            irl_ctx        *cx = irl_ctx_create(NULL);
            const irl_func *f = parse(cx, programs[k].text);
            const char     *text = "";
            int             same = 0, refuses = programs[k].needs_lanes == 1 && t == 2, ok;
            irl_code code = f ? run_on(cx, f, targets[t], &same, &text) : irl_diag_of(cx)->code;
            ok = refuses ? code == IRL_ERROR_UNSUPPORTED : code == IRL_OK && same;
            if (t == 1 && programs[k].needs_lanes != -1)
                ok = ok && strstr(text, programs[k].strict) != NULL;
            if (!CHECK(ok))
                printf("%s, target %s; wanted %s\n%s%s", programs[k].text, targets[t],
                       programs[k].strict, text, irl_diag_text(cx));
            irl_ctx_destroy(cx);
        }
}

/* ------------------------------------------------------------------ what is a view */

static void refuses(const char *text, irl_code code, int line, const char *part)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_func *f = parse(cx, text);
    const irl_diag *d;
    CHECK(!f || !irl_func_lower(f, &irl_target_opencl12));
    CHECK_CODE(cx, code);
    d = irl_diag_of(cx);
    if (!CHECK(d && d->line == line && strstr(d->message, part)))
        printf("  wanted: line %d, %s\n%s\n", line, part, irl_diag_text(cx));
    irl_ctx_destroy(cx);
}

static void accepts(const char *text)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    CHECK(parse(cx, text) != NULL); /* and verified */
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* The rules of irl_buffer_alias, each on both of its sides. */
static void test_rules(void)
{
    /* size */
    refuses("func f(x: f32[30]) {\n decl v: f32x4[8] data(x); v[0] = broadcast(0.0f, 4); }",
            IRL_ERROR_BAD_ALIAS, 2, "takes 128 bytes and its memory, 'x', has 120");
    accepts("func f(x: f32[30]) { decl v: f32x4[7] data(x); v[0] = broadcast(0.0f, 4); }");
    /* alignment: unstated it is enough for all */
    accepts("func f(x: f32[32]) { decl v: f32x16[2] data(x); v[1] = broadcast(0.0f, 16); }");
    accepts("func f(x: f64[32]) { decl v: f64x16[2] data(x); v[1] = broadcast(f64(0), 16); }");
    refuses(
        "func f(x: f32[32] align(8)) {\n decl v: f32x4[8] data(x); v[0] = broadcast(0.0f, 4); }",
        IRL_ERROR_BAD_ALIAS, 2,
        "of f32x4, which must start at a multiple of 16 bytes; its memory, 'x', starts at a "
        "multiple of 8");
    accepts(
        "func f(x: f32[32] align(16)) { decl v: f32x4[8] data(x); v[0] = broadcast(0.0f, 4); }");
    accepts(
        "func f(x: f32[32] align(8)) { decl v: f32x2[16] data(x); v[0] = broadcast(0.0f, 2); }");
    /* three lanes lie at any scalar */
    accepts(
        "func f(x: f32[32] align(8)) { decl v: f32x3[10] data(x); v[0] = broadcast(0.0f, 3); }");
    /* its own elements say more */
    accepts(
        "func f(x: f32x4[8] align(8)) { decl v: f32x4[8] data(x); v[0] = broadcast(0.0f, 4); }");
    refuses("func f(x: f32[32] align(16)) {\n decl v: f32[32] align(32) data(x); v[0] = 0.0f; }",
            IRL_ERROR_BAD_ALIAS, 2, "at a multiple of 32 bytes");
    /* memory behind a call's pointer: what that points to, or what its first view states */
    refuses("func f() {\n let p = extern(ptr(f32, global), g);\n decl v: f32x4[8] data(p); v[0] = "
            "broadcast(0.0f, 4); }",
            IRL_ERROR_BAD_ALIAS, 3, "starts at a multiple of 4");
    accepts("func f() { let p = extern(ptr(f32, global), g); decl v: f32x4[8] align(16) data(p); "
            "v[0] = broadcast(0.0f, 4); }");
    accepts("func f() { let p = extern(ptr(f32x4, global), g); decl v: f32x4[8] data(p); v[0] = "
            "broadcast(0.0f, 4); }");
    /* scope, separators, declaration */
    refuses("func f(x: f32[32]) {\n decl v: f32[32] scope(shared) data(x); v[0] = 0.0f; }",
            IRL_ERROR_TYPE_MISMATCH, 2, "scope");
    refuses("func f(x: f32[4, 8]) {\n decl v: f32[4, 8] sep(1) data(x); v[0, 0] = 0.0f; }",
            IRL_ERROR_BAD_SEPARATORS, 2, "separators");
    refuses("func f(x: f32[32]) {\n v[0] = 0.0f; decl v: f32[32] data(x); }",
            IRL_ERROR_UNKNOWN_NAME, 2, "'v'");
}

/* Stated alignment bounds what a target makes of it. */
static void test_bounded(void)
{
    static const char text[] = "func f(x: f32[96] align(8), y: f32[96]) { for (i: 24) y[ramp(i * "
                               "4, 1, 4)] = x[ramp(i * 4, 1, 4)]; }";
    irl_ctx          *cx = irl_ctx_create(NULL);
    const char       *module = "";
    int               same = 0;
    CHECK(run_on(cx, parse(cx, text), "strict", &same, &module) == IRL_OK && same &&
          strstr(module, "decl x_f32x2: f32x2[48] data(x)") && strstr(module, "y_f32x4[i]"));
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ generated */

/* Too little memory is a diagnostic, wherever it runs out. */
static void test_memory(void)
{
    static const int cases[] = { 4, 8, 14, 26 };
    static const char *const on[] = { "strict", "scalar" };
    char            *block = (char *)malloc(1 << 20);
    size_t           bytes, k;
    for (k = 0; block && k < sizeof cases / sizeof *cases * 2; k++) {
        const char *text = programs[cases[k / 2]].text;
        int         done = 0;
        for (bytes = 2048; bytes < (1 << 20) && !done; bytes += getenv("IRL_SLOW") ? 4000 : 1000) {
            irl_ctx_desc  desc;
            irl_ctx  *cx;
            irl_func *f;
            memset(&desc, 0, sizeof desc);
            desc.block = block;
            desc.block_bytes = bytes;
            cx = irl_ctx_create(&desc);
            f = cx ? parse(cx, text) : NULL;
            done = f && irl_func_lower(f, irl_target_find(on[k % 2])) && irl_ok(cx);
            if (cx && !done)
                CHECK(irl_diag_of(cx) && (irl_diag_of(cx)->code == IRL_ERROR_OUT_OF_MEMORY ||
                                          irl_diag_of(cx)->code == IRL_ERROR_UNSUPPORTED));
            irl_ctx_destroy(cx);
        }
        CHECK(done || k % 2);
    }
    free(block);
}

static void test_generated(unsigned long first, int count)
{
    unsigned long seed;
    int           refused = 0;
    test_seeds(first, count);
    for (seed = first; seed < first + (unsigned long)count; seed++) {
        const char *target = targets[seed % 3], *text = "";
        generator   g;
        irl_ctx    *cx = irl_ctx_create(NULL);
        irl_func   *f;
        int         same = 0, refusal;
        irl_code    code;
        generate(&g, seed);
        f = parse(cx, g.text);
        code = f ? run_on(cx, f, target, &same, &text) : IRL_ERROR_BAD_ARGUMENT;
        /* a number is taken apart */
        refusal = code == IRL_ERROR_UNSUPPORTED && strcmp(target, "scalar") == 0;
        refused += refusal;
        if (!CHECK(refusal || (code == IRL_OK && same)) && test_failed < 4)
            printf("seed %lu, target %s\n%s%s%s", seed, target, g.text, irl_diag_text(cx), text);
        irl_ctx_destroy(cx);
    }
    if (count > 10)
        printf("%d of %d generated functions have no form on their target\n", refused, count);
}

/* ------------------------------------------------------------------ extents below 0 */

/* Memory of extents made of n and m, at the top, in a loop or a branch, with a layout or without:
   for small and negative values the module ends where the function ends. */
static void test_negative(void)
{
    static const char *const extents[] = { "n", "m", "n - 1", "m + 2", "3", "-n", "n * m" };
    static const char *const places[] = { "%s%s y[0] = 1;",
                                          "for (k: 2) { %s%s y[k] = 1; }",
                                          "for (k: n) { %s%s y[0] = 1; }",
                                          "if (m > 0) { %s%s y[0] = 1; }",
                                          "if (y[1] > 0) { %s%s y[0] = 1; }" };
    static const char *const maps[] = { "", "", " layout(t: (a) -> (a / 4, a % 4))",
                                        " layout(t: (a, b) -> (b, a))" };
    int total = TEST_COUNT(150), refused = 0, ran = 0, fields, k;
    for (k = 0; k < total; k++) {
        const char *a = extents[TEST_RANDOM(7)], *b = extents[TEST_RANDOM(7)];
        const char *map = maps[TEST_RANDOM(4)];
        char        text[512], alloc[64], use[128], body[256];
        int         rank = strstr(map, "(a)") ? 1 : 2;
        int64_t     n, m;
        irl_ctx    *cx = irl_ctx_create(NULL);
        irl_mark    mark;
        irl_func   *f;
        irl_module *module;
        if (rank == 1) {
            sprintf(alloc, "alloc t: i64[%s]; ", a);
            sprintf(use, "for (i: %s) t[i] = 5;", a);
        } else {
            sprintf(alloc, "alloc t: i64[%s, %s]; ", a, b);
            sprintf(use, "for (i: %s, j: %s) t[i, j] = 5;", a, b);
        }
        sprintf(body, places[TEST_RANDOM(5)], alloc, use);
        if (k == 0) { /* of n < 1 alone */
            sprintf(body, places[1], "alloc t: i64[-n, m + 2]; ",
                    "for (i: -n, j: m + 2) t[i, j] = 5;");
            map = maps[3];
        }
        sprintf(text, "func f(n: index, m: index, y: i64[4])%s { %s }", map, body);
        f = parse(cx, text);
        module = irl_func_lower(f, k % 2 ? &irl_target_opencl12 : &irl_target_c99);
        fields = CHECK_OK(cx) && module;
        mark = irl_ctx_mark(cx);
        for (n = -2; fields && n <= 2; n++)
            for (m = -2; m <= 2; m++) {
                int64_t expected[4] = { 7, 7, 7, 7 }, given[4] = { 7, 7, 7, 7 };
                int     runs = irl_func_interpret(f, IRL_ARGS(&n, &m, expected));
                irl_ctx_rewind(cx, mark);
                fields &= CHECK(irl_module_interpret(module, IRL_ARGS(&n, &m, given)) == runs);
                fields &= CHECK(!runs || memcmp(expected, given, sizeof given) == 0);
                irl_ctx_rewind(cx, mark);
                ran += runs, refused += !runs;
            }
        if (!fields && test_failed < 8) printf("%s\n%s\n%s", text, irl_diag_text(cx),
                                               module ? irl_module_text(module) : "");
        irl_ctx_destroy(cx);
    }
    printf("%d runs with small extents, %d where one is negative\n", ran, refused);
    CHECK(ran > total * 5 && refused > total * 5);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        test_generated(strtoul(argv[1], NULL, 10), argc > 2 ? atoi(argv[2]) : 1);
        return TEST_DONE();
    }
    test_generated(1, TEST_COUNT(600));
    test_view_layouts();
    test_view_layouts_memory();
    test_negative();
    test_rules();
    test_memory();
    test_bounded();
    test_programs();
    return TEST_DONE();
}
