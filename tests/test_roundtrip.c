/* test_roundtrip.c - parse(print(f)) equals f, for generated functions at every stage of their
   lowering, and for modules; and a printer over the public functions writes the same texts. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "outside_printer.h" /* before it sees more than the public functions */
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#endif
#include "generate.h"
#include "shrink.h"
#include "test.h"

/* The first stage where the text does not come back, or NULL. */
static const char *func_comes_back(irl_ctx *cx, const irl_func *f, const char *stage)
{
    const char *text = irl_func_text(f), *again;
    irl_func   *g = irl_func_parse(cx, text, strlen(text), "printed");
    if (!g || !irl_func_equal(f, g) || !irl_func_equal(g, f)) return stage;
    if (!outside_prints(cx, f, NULL, text)) return stage;
    again = irl_func_text(g);
    return strcmp(text, again) == 0 ? NULL : stage;
}

static const char *module_comes_back(irl_ctx *cx, const irl_module *m)
{
    const char *text = irl_module_text(m), *again;
    irl_module *g = irl_module_parse(cx, text, strlen(text), "printed");
    if (!g || !irl_module_equal(m, g) || !irl_module_equal(g, m)) return "module";
    if (!outside_prints(cx, NULL, m, text)) return "module";
    again = irl_module_text(g);
    return strcmp(text, again) == 0 ? NULL : "module";
}

static const char *stages_come_back(irl_ctx *cx, const char *text)
{
    const irl_func *f = irl_func_parse(cx, text, strlen(text), "generated"), *logical = f;
    const char     *wrong = f ? func_comes_back(cx, f, "logical") : "parse";
    int             k;
    for (k = 0; !wrong && irl_pass_name(k); k++) {
        if (!TEST_PASS(k)) continue;
        f = irl_func_run_pass(f, irl_pass_name(k));
        wrong = f ? func_comes_back(cx, f, irl_pass_name(k)) : irl_pass_name(k);
    }
    return wrong ? wrong : module_comes_back(cx, irl_func_lower(logical, &irl_target_opencl12));
}

typedef struct looked_for {
    const char *stage;
    irl_code    code;
} looked_for;

static int fails_the_same(void *user, const char *text)
{
    const looked_for *l = (const looked_for *)user;
    irl_ctx          *cx = irl_ctx_create(NULL);
    const char       *wrong = cx ? stages_come_back(cx, text) : NULL;
    int same = wrong && strcmp(wrong, l->stage) == 0 &&
               (irl_ok(cx) ? IRL_OK : irl_diag_of(cx)->code) == l->code;
    irl_ctx_destroy(cx);
    return same;
}

static void report(uint64_t seed, const char *text, const char *stage, irl_ctx *cx)
{
    looked_for l;
    char      *small;
    l.stage = stage;
    l.code = irl_ok(cx) ? IRL_OK : irl_diag_of(cx)->code;
    printf("seed %lu: the text at stage '%s' does not come back\n%s", (unsigned long)seed, stage,
           irl_diag_text(cx));
    small = shrink(text, fails_the_same, &l);
    printf("%s", small);
    free(small);
}

static void check_case(const gen_case *c)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    const char *wrong = stages_come_back(cx, c->text);
    if (!CHECK(!wrong) && test_failed <= 5) report(c->seed, c->text, wrong, cx);
    irl_ctx_destroy(cx);
}

static void generated(uint64_t first, int count)
{
    test_seeds((unsigned long)first, count);
    gen_each(first, count, check_case);
}

/* Equality can say no: to another name, constant, type, kind of loop, index, shape; and yes to
   other names of what is bound. */
static void equality_can_fail(void)
{
    static const char *const texts[] = {
        "func f(x: f32[4], y: f32[4]) { for (i: 4) y[i] = x[i] + 1.0; }",
        "func g(x: f32[4], y: f32[4]) { for (i: 4) y[i] = x[i] + 1.0; }",
        "func f(x: f32[4], y: f32[4]) { for (i: 4) y[i] = x[i] + 2.0; }",
        "func f(x: f32[4], y: f32[4]) { for (i: 4) y[i] = x[i] - 1.0; }",
        "func f(x: f64[4], y: f64[4]) { for (i: 4) y[i] = x[i] + 1.0; }",
        "func f(x: f32[4], y: f32[4]) { for parallel (i: 4) y[i] = x[i] + 1.0; }",
        "func f(x: f32[4], y: f32[4]) { for (i: 4) y[i] = x[3 - i] + 1.0; }",
        "func f(x: f32[5], y: f32[4]) { for (i: 4) y[i] = x[i] + 1.0; }",
        "func f(x: f32[4], y: f32[4]) layout(x: (i) -> (3 - i)) { for (i: 4) y[i] = x[i] + 1.0; }",
    };
    static const char same[] = "func f(x: f32[4], z: f32[4]) { for (a: 4) z[a] = x[a] + 1.0; }";
    irl_ctx          *cx = irl_ctx_create(NULL);
    irl_func         *f[sizeof texts / sizeof *texts], *renamed;
    size_t            k, j;
    for (k = 0; k < sizeof texts / sizeof *texts; k++)
        f[k] = irl_func_parse(cx, texts[k], strlen(texts[k]), NULL);
    CHECK_OK(cx);
    for (k = 0; k < sizeof texts / sizeof *texts; k++)
        for (j = 0; j < sizeof texts / sizeof *texts; j++)
            CHECK(irl_func_equal(f[k], f[j]) == (k == j));
    renamed = irl_func_parse(cx, same, strlen(same), NULL);
    CHECK(renamed && irl_func_equal(f[0], renamed));
    irl_ctx_destroy(cx);
}

/* Kernels that get one memory under names of their own, which clash in the host, and view it. */
static void kernels_name_memory(void)
{
    static const char *const cases[][2] = {
        { "func f(a: i32[2, 8], b: i32[2, 8], y: i32[2, 2]) {"
          " y: for (i: 2, j: 2) y[i, j] = sum(k: 8, a[i, k] * b[j, k]); }",
          "{ vectorize(y.j); rfactor(y.k, 1); rfactor(y.k, 1); }" },
        { "func f(x: f32[14], y: f32[12], z: f32[10]) { alloc t: f32[12];"
          " for (i: 1 .. 13) t[i - 1] = x[i - 1] + x[i] + x[i + 1];"
          " for (i: 12) y[i] = t[i] * 0.5; for (i: 2 .. 12) z[i - 2] = t[i - 2] - t[i]; }",
          "{ vectorize(y.i); cache_read(y, t, global); }" },
        { "func f(a: f32[6, 8], y: f32[6], z: f32[6]) { for (i: 6) { y[i] = 1.5;"
          " for (k: 8) y[i] += a[i, k]; z[i] = y[i] * 2.0; } }", "{ }" },
    };
    size_t k;
    for (k = 0; k < sizeof cases / sizeof *cases; k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        irl_func   *f = irl_func_parse(cx, cases[k][0], IRL_TO_NUL, "names"),
                   *g = irl_schedule_parse(f, cases[k][1], IRL_TO_NUL, NULL);
        irl_module *m = g ? irl_func_lower(g, &irl_target_opencl12) : NULL;
        if (!CHECK(m && !module_comes_back(cx, m)))
            printf("%s\n%s\n%s", cases[k][0], irl_diag_text(cx), irl_module_text(m));
        irl_ctx_destroy(cx);
    }
}

int main(int argc, char **argv)
{
    kernels_name_memory();
    equality_can_fail();
    if (argc > 1) generated(strtoul(argv[1], NULL, 10), argc > 2 ? atoi(argv[2]) : 1);
    else generated(1, getenv("IRL_SOAK") ? 10000 : TEST_COUNT(1500));
    return TEST_DONE();
}
