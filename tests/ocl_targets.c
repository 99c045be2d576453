/* ocl_targets.c - what a target's row changes, on a device: the numbers of the interpreter, and
   sizes that are refused. */
#define IRLAYOUT_OCL_RUNTIME
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#include "target_cases.h"
#include "test.h"

enum { N = 7, M = 16, CELLS = N * M };

static irl_func *parse(irl_ctx *cx, const char *text)
{
    return irl_func_parse(cx, text, strlen(text), "test");
}

/* ------------------------------------------------------------------ indices of 32 bits */

/* The way to a place leaves 32 bits, the place does not: a[0] * 3 is 4500000000. */
static const char *const wraps[] = {
    "func f(n: index, a: i32[2], x: f32[n, 16], y: f32[n, 16]) { for (i: n, j: 16) y[i, j] = "
    "x[index(a[0]) * 3 + i - index(a[1]) * 3, j]; }",
    "func f(n: index, a: i32[2], x: f32[n, 16], y: f32[n, 16]) { for (i: n, j: 16) y[index(a[0]) * "
    "3 + i - index(a[1]) * 3, 15 - j] = x[n - 1 - i, j]; }",
    ("func f(n: index, a: i32[2], x: f32[n, 16], y: f32[n, 16]) { for (i: n) { let v = x[select(i "
     "> 2, index(a[0]) * 3, index(a[0]) * -3) + "
     "select(i > 2, index(a[1]) * -3, index(a[1]) * 3) + i, ramp(0, 1, 16)]; y[i, ramp(0, 1, 16)] "
     "= v; } }"),
    /* indices and counts that are known to be small are held in 32 bits */
    "func f(n: index, a: i32[2], x: f32[n, 16], y: f32[n, 16]) { for (i: n) { y[i, 0] = x[i, "
    "argmax(j: 16, x[i, j])]; y[i, 1] = f32(count(j: 16, x[i, j] > f32(a[0] % 21))); y[i, 2] = "
    "f32(argmin(j: 15 .. -1 : -1, x[i, j])) + f32(sum(j: i % 16, j * j)); } }",
};

static void run_wrap(irl_ctx *cx, irl_ocl *cl, const char *text)
{
    irl_func         *f = parse(cx, text);
    const irl_module *m = f ? irl_func_lower(f, &irl_target_opencl12_embedded) : NULL;
    const char       *source = irl_ocl_source(m);
    int32_t           a[2] = { 1500000000, 1500000000 };
    int64_t           n = N;
    float             x[CELLS], y[CELLS], expected[CELLS];
    int               k;
    for (k = 0; k < CELLS; k++) {
        x[k] = (float)(k * 3 % 50);
        y[k] = expected[k] = -1.0f;
    }
    if (!CHECK(source[0] && !strstr(source, "long") &&
               irl_func_interpret(f, IRL_ARGS(&n, a, x, expected)) &&
               irl_ocl_run(cl, m, IRL_ARGS(&n, a, x, y)) && memcmp(y, expected, sizeof y) == 0))
        printf("%s\n%s%s\n", text, irl_diag_text(cx), source);
}

/* A buffer that the indices would not reach is refused at its launch; the same kernel runs on a
   smaller one. */
static void run_too_large(irl_ctx *cx, irl_ocl *cl)
{
    irl_module *m = irl_func_lower(
        parse(cx, "func f(n: index, x: f32[n], y: f32[n]) { for (i: n) y[i] = x[i] + 1.0f; }"),
        &irl_target_opencl12_embedded);
    irl_ocl_module *b = irl_ocl_module_create(cl, m);
    int64_t        n = 64;
    irl_mark       mark = irl_ctx_mark(cx);
    struct _cl_mem *x = irl_ocl_memory_create(cl, m, 1, IRL_POINTERS(&n, NULL, NULL)),
                   *y = irl_ocl_memory_create(cl, m, 2, IRL_POINTERS(&n, NULL, NULL));
    CHECK(x && y && irl_ocl_module_execute(b, IRL_POINTERS(&n, x, y)) && irl_ocl_finish(cl));
    CHECK_OK(cx);
    n = INT64_C(1) << 29;
    CHECK(!irl_ocl_module_execute(b, IRL_POINTERS(&n, x, y)));
    CHECK_CODE(cx, IRL_ERROR_TARGET_LIMIT);
    CHECK(strstr(irl_diag_text(cx), "has more than 2147483647 bytes"));
    irl_ctx_rewind(cx, mark);
    n = -1;
    CHECK(!irl_ocl_module_execute(b, IRL_POINTERS(&n, x, y)));
    CHECK_CODE(cx, IRL_ERROR_ARGUMENT_MISMATCH);
    irl_ctx_rewind(cx, mark);
    irl_ocl_memory_destroy(x);
    irl_ocl_memory_destroy(y);
    irl_ocl_module_destroy(b);
}

/* ------------------------------------------------------------------ alignment */

static void run_aligned(irl_ctx *cx, irl_ocl *cl, const aligned_case *c, const char *target)
{
    irl_func   *f = parse(cx, c->text);
    irl_module *m = f ? irl_func_lower(f, irl_target_find(target)) : NULL;
    float       x[ALIGNED_CELLS], y[ALIGNED_CELLS], expected[ALIGNED_CELLS];
    int         k;
    for (k = 0; k < ALIGNED_CELLS; k++) {
        x[k] = (float)(k * 37 % 101);
        y[k] = expected[k] = -1.0f;
    }
    if (!CHECK(m && irl_func_interpret(f, IRL_ARGS(x, expected)) &&
               irl_ocl_run(cl, m, IRL_ARGS(x, y)) && memcmp(y, expected, sizeof y) == 0))
        printf("%s, target %s\n%s\n", c->text, target, irl_diag_text(cx));
}

int main(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_ocl *cl = irl_ocl_create(cx, NULL);
    size_t   k, t;
    if (!cl) {
        TEST_NO_DEVICE(cx);
        irl_ctx_destroy(cx);
        return TEST_DONE();
    }
    for (k = 0; k < sizeof wraps / sizeof wraps[0]; k++) run_wrap(cx, cl, wraps[k]);
    run_too_large(cx, cl);
    for (k = 0; k < sizeof aligned_cases / sizeof aligned_cases[0]; k++)
        for (t = 0; t < ALIGNED_TARGETS; t++)
            run_aligned(cx, cl, &aligned_cases[k], aligned_targets[t]);
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
