/* ocl_views.c - views of memory on a device: for every target the bytes of the interpreter. */
#define IRLAYOUT_OCL_RUNTIME
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#include "test.h"
#include "view_cases.h"

/* 1: the same bytes; 0: not; -1: the target has no form of it. */
static int run_case(irl_ocl *cl, irl_ctx *cx, const char *text, const char *target)
{
    static unsigned char x[BYTES], y[BYTES], given_x[BYTES], given_y[BYTES];
    irl_func            *f = irl_func_parse(cx, text, strlen(text), "case");
    const irl_module    *m = f ? irl_func_lower(f, irl_target_find(target)) : NULL;
    const char          *source = irl_ocl_source(m);
    int                  ok;
    if (!source[0]) return irl_diag_of(cx)->code == IRL_ERROR_UNSUPPORTED ? -1 : 0;
    fill(x, 1), fill(y, 2);
    fill(given_x, 1), fill(given_y, 2);
    ok = irl_func_interpret(f, IRL_POINTERS(given_x, given_y)) &&
         irl_ocl_run(cl, m, IRL_POINTERS(x, y)) &&
         memcmp(x, given_x, BYTES) == 0 && memcmp(y, given_y, BYTES) == 0;
    if (!ok) printf("target %s\n%s\n%s\n%s", target, text, source, irl_diag_text(cx));
    return ok;
}

static int check_case(irl_ocl *cl, irl_ctx *cx, const char *text, const char *target,
                      int may_refuse)
{
    irl_mark mark = irl_ctx_mark(cx);
    int      result = run_case(cl, cx, text, target);
    if (!CHECK(result == 1 || (result == -1 && may_refuse)))
        printf("%s on %s: %s\n", text, target, irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
    return result;
}

static void test_generated(irl_ocl *cl, irl_ctx *cx, unsigned long first, int count)
{
    unsigned long seed;
    int           refused = 0;
    test_seeds(first, count);
    for (seed = first; seed < first + (unsigned long)count; seed++) {
        generator g;
        generate(&g, seed);
        /* wide pieces have no form in OpenCL C, numbers in parts none on scalar */
        refused += check_case(cl, cx, g.text, targets[seed % 3], 1) < 0;
    }
    printf("%d of %d generated functions have no form on their target\n", refused, count);
}

int main(int argc, char **argv)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_ocl *cl = irl_ocl_create(cx, NULL);
    size_t   k;
    if (!cl) {
        TEST_NO_DEVICE(cx);
        irl_ctx_destroy(cx);
        return TEST_DONE();
    }
    if (argc > 1) test_generated(cl, cx, strtoul(argv[1], NULL, 10), argc > 2 ? atoi(argv[2]) : 1);
    else {
        /* a half of each: device compilers are slow */
        for (k = 0; k < sizeof programs / sizeof *programs; k++)
            check_case(cl, cx, programs[k].text, targets[k % 2], 0);
        test_generated(cl, cx, 1, getenv("IRL_OCLGRIND") ? 6 : TEST_COUNT(20));
    }
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
