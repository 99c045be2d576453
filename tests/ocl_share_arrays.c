/* ocl_share_arrays.c - generated kernels whose arrays lie in the same bytes, on a device: they give
   what the interpreter gives without sharing. Under Oclgrind they race nowhere.

   usage  ocl_share_arrays [FIRST [COUNT]]     seeds */
#define IRLAYOUT_OCL_RUNTIME
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#include "generate_arrays.h"
#include "test.h"

static int sharing, sharing_shared;

static void check_seed(irl_ocl *cl, irl_ctx *cx, unsigned long seed)
{
    static ga_case c;
    irl_mark       mark = irl_ctx_mark(cx);
    int32_t        x[GA_GROUPS * GA_CELLS], expected[GA_GROUPS * GA_ITEMS], y[GA_GROUPS * GA_ITEMS];
    irl_func      *f;
    irl_module    *m;
    const irl_array_plan *p;
    int                   k, shared = 0;
    ga_generate(&c, seed);
    ga_input(seed, x);
    memset(expected, 0, sizeof expected);
    memset(y, 0, sizeof y);
    f = irl_func_parse(cx, c.text, IRL_TO_NUL, "generated");
    m = f && irl_func_interpret(f, IRL_POINTERS(x, expected))
            ? irl_func_lower(f, &irl_target_opencl12)
            : NULL;
    if (!CHECK(m && irl_ocl_run(cl, m, IRL_POINTERS(x, y)) && !memcmp(y, expected, sizeof y)))
        printf("seed %lu: %s\n%s\n", seed, irl_diag_text(cx), test_failed < 3 ? c.text : "");
    p = m && irl_ok(cx) ? irl_func_plan_arrays(irl_module_kernel(m, 0)) : NULL;
    for (k = 0; p && k < p->pool_count; k++)
          shared |= p->pools[k].scope == IRL_SCOPE_SHARED ? 2 : 1;
    sharing += shared != 0;
    sharing_shared += shared >> 1;
    irl_ctx_rewind(cx, mark);
}

int main(int argc, char **argv)
{
    irl_ctx      *cx = irl_ctx_create(NULL);
    irl_ocl      *cl = irl_ocl_create(cx, NULL);
    unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1, seed;
    int n = argc > 2 ? atoi(argv[2]) : argc > 1 ? 1 : TEST_COUNT(getenv("IRL_OCLGRIND") ? 20 : 40);
    if (!cl) TEST_NO_DEVICE(cx);
    test_seeds(first, n);
    for (seed = first; cl && seed < first + (unsigned long)n; seed++) check_seed(cl, cx, seed);
    printf("%d kernels share, %d of them shared memory\n", sharing, sharing_shared);
    CHECK(!cl || n < 20 || (sharing > n / 3 && sharing_shared > 0));
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
