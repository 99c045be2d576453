/* test_phases.c - groups of work-items as loops: what is cut at its barriers computes what the
   group did. The interpreter runs both; test_c_generated.c runs generated ones as C. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "random64.h"
#include "test.h"

static irl_ctx *cx;

/* Each takes x: f32[64], y: f32[64] and n, which is 4. */
static const char *const cases[] = {
    /* shared memory */
    "for bind(group.x) (g: 16) { alloc t: f32[4] scope(shared); for bind(local.x) (i: 4) {"
    " t[i] = x[g * 4 + i]; barrier(shared); y[g * 4 + i] = t[3 - i] * 2.0f; } }",
    /* a private variable, and a private array, of each item across it */
    "for bind(group.x) (g: 16) { alloc t: f32[4] scope(shared); for bind(local.x) (i: 4) {"
    " alloc p: f32[1] scope(local); alloc q: f32[3] scope(local); p[0] = x[g * 4 + i];"
    " for (k: 3) q[k] = x[k * 4 + i]; t[i] = p[0]; barrier(shared);"
    " y[g * 4 + i] = t[(i + 1) % 4] + p[0] + q[i % 3]; } }",
    /* a let that memory made, and is overwritten before it is used */
    "for bind(group.x) (g: 16) { alloc t: f32[4] scope(shared); for bind(local.x) (i: 4) {"
    " y[g * 4 + i] = x[g * 4 + i]; let v = y[g * 4 + i]; let w = v > 0.0f;"
    " let at = index(x[i] * 0.01f); y[g * 4 + i] = 0.0f; t[i] = v; barrier(shared);"
    " if (w) y[g * 4 + i] = t[(i + 1) % 4] + v; else y[g * 4 + i] = f32(at) + v; } }",
    /* lets of lets, in two pieces behind */
    "for bind(group.x) (g: 16) { alloc t: f32[4] scope(shared); for bind(local.x) (i: 4) {"
    " let a = g * 4 + i; let b = a + n; let c = b - n; t[i] = x[c]; barrier(shared);"
    " let d = c + 0; y[d] = t[i ^ 1]; barrier(shared); t[i] = y[c]; barrier(shared);"
    " y[a] = t[3 - i] + f32(b); } }",
    /* a loop around barriers; a tree */
    "for bind(group.x) (g: 4) { alloc t: f32[16] scope(shared); for bind(local.x) (i: 16) {"
    " t[i] = x[g * 16 + i]; barrier(shared); for (k: 4) { if (i < (8 >> k))"
    " t[i] = t[i] + t[i + (8 >> k)]; barrier(shared); } y[g * 16 + i] = t[0]; } }",
    /* a loop whose end memory says, in which each item keeps a sum */
    "for bind(group.x) (g: 16) { alloc t: f32[4] scope(shared); for bind(local.x) (i: 4) {"
    " alloc s: f32[1] scope(local); s[0] = 0.0f; for (k: index(x[0] * 0.0f) + 3) {"
    " barrier(shared); t[i] = x[(g * 4 + i + k) % 64]; barrier(shared);"
    " s[0] = s[0] + t[(i + k) % 4]; } y[g * 4 + i] = s[0]; } }",
    /* a condition around a barrier */
    "for bind(group.x) (g: 16) { alloc t: f32[4] scope(shared); for bind(local.x) (i: 4) {"
    " y[g * 4 + i] = 1.0f; if (g % 2 == 0) { t[i] = x[g * 4 + i]; barrier(shared);"
    " y[g * 4 + i] = t[3 - i]; } else { t[i] = x[i]; barrier(shared); y[g * 4 + i] = t[i ^ 2];"
    " } } }",
    /* three dimensions */
    "for bind(group.x) (g: 4) { alloc t: f32[2, 2, 4] scope(shared); for bind(local.z) (c: 2)"
    " for bind(local.y) (b: 2) for bind(local.x) (a: 4) { alloc p: f32[2] scope(local);"
    " p[0] = x[g * 16 + c * 8 + b * 4 + a]; p[1] = p[0] * 0.5f; t[c, b, a] = p[0];"
    " barrier(shared); y[g * 16 + c * 8 + b * 4 + a] = t[1 - c, 1 - b, 3 - a] + p[1]; } }",
    /* two loops over the items, the group's own statements between them */
    "for bind(group.x) (g: 16) { alloc t: f32[4] scope(shared); for bind(local.x) (i: 4)"
    " t[i] = x[g * 4 + i]; barrier(shared); for bind(local.x) (j: 4) y[g * 4 + j] = t[3 - j]; }",
    /* global memory, seen behind a barrier */
    "for bind(group.x) (g: 16) for bind(local.x) (i: 4) { y[g * 4 + i] = x[g * 4 + i] + 1.0f;"
    " barrier(global); let v = y[g * 4 + (i + 1) % 4]; barrier(global); y[g * 4 + i] = v; }",
    /* a group of a size that has a name */
    "for bind(group.x) (g: 16) { alloc t: f32[4] scope(shared); for bind(local.x) (i: n) {"
    " t[i] = x[g * 4 + i]; barrier(shared); y[g * n + i] = t[n - 1 - i]; } }",
    /* memory of an item, seen as bytes behind a barrier */
    "for bind(group.x) (g: 16) for bind(local.x) (i: 4) { alloc p: f32[3] scope(local);"
    " decl b: u32[3] data(p); p[1] = x[g * 4 + i]; p[2] = 1.0f; barrier(global);"
    " y[g * 4 + i] = p[1] + f32(b[2]); }",
    /* nothing but a barrier */
    "barrier(global); for (i: 64) y[i] = x[i];",
};

static void fill(float *x)
{
    int k;
    for (k = 0; k < 64; k++) x[k] = (float)(random_below(200) - 100) / 4.0f;
}

static void test_cases(void)
{
    size_t   k;
    int64_t  n = 4;
    float    x[64], expected[64], found[64];
    char     text[2000];
    irl_mark mark = irl_ctx_mark(cx);
    for (k = 0; k < sizeof cases / sizeof *cases; k++) {
        irl_func   *f;
        irl_module *m;
        sprintf(text, "func f(n: index, x: f32[64], y: f32[64]) { assume(n == 4); %s }", cases[k]);
        f = irl_func_parse(cx, text, strlen(text), "case");
        fill(x);
        memset(expected, 0, sizeof expected);
        memset(found, 0, sizeof found);
        irl_func_interpret(f, IRL_ARGS(&n, x, expected));
        m = irl_func_lower(f, &irl_target_c99);
        irl_module_interpret(m, IRL_ARGS(&n, x, found));
        if (!CHECK(irl_ok(cx) && irl_c_source(m)[0]) ||
            !CHECK(memcmp(expected, found, sizeof found) == 0)) {
            const char *kernels = m ? irl_module_text(m) : "";
            printf("%s\n%s\n%s\n", text, kernels ? kernels : "", irl_diag_text(cx));
        } else CHECK(!strstr(irl_module_text(m), "barrier"));
        irl_ctx_rewind(cx, mark);
    }
}

static void refused(const char *body, irl_code code, const char *part)
{
    char        text[2000];
    irl_mark    mark = irl_ctx_mark(cx);
    sprintf(text, "func f(n: index, x: f32[64], y: f32[64]) { %s }", body);
    CHECK(!irl_func_lower(irl_func_parse(cx, text, strlen(text), "case"), &irl_target_c99));
    CHECK_CODE(cx, code);
    if (!CHECK(strstr(irl_diag_text(cx), part) != NULL)) printf("%s\n", irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
}

static void test_refused(void)
{
    refused("for bind(group.x) (g: 2) for bind(local.x) (i: n) { alloc p: f32[1] scope(local);"
            " p[0] = x[i]; barrier(global); y[i] = p[0]; }",
            IRL_ERROR_PRIVATE_EXTENT, "'p' is kept across a barrier for each work-item");
    refused("for bind(group.x) (g: 2) for bind(local.x) (i: 4) { alloc p: f32[n] scope(local);"
            " p[0] = x[i]; barrier(global); y[g * 4 + i] = p[0]; }",
            IRL_ERROR_PRIVATE_EXTENT, "its extent n is not a number");
}

int main(void)
{
    cx = irl_ctx_create(NULL);
    test_cases();
    test_refused();
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
