/* ocl_memory_places.c - functions over memory in unusual places give the same numbers on an OpenCL
   device as in the interpreter; under Oclgrind they race nowhere and stay in their memory.

   usage  ocl_memory_places [FIRST [COUNT]]     seeds; each failing one is shrunk and printed */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define IRLAYOUT_OCL_RUNTIME
#include "../irlayout_ocl.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#include "../src/target/target.h"
#include "../src/ocl/runtime.h"
#endif
#include "generate.h"
#include "generate_memory.h"
#include "shrink.h"
#include "test.h"
#include "ocl_batch.h"

enum { BATCH = 20 };

static void generated(irl_ocl *cl, irl_ctx *cx, uint64_t first, int count)
{
    static experiment x[BATCH];
    int               done, k, n;
    test_seeds((unsigned long)first, count);
    for (done = 0; done < count; done += n) {
        n = count - done < BATCH ? count - done : BATCH;
        memset(x, 0, sizeof x);
        for (k = 0; k < n; k++) {
            x[k].c = memory_function(first + (uint64_t)(done + k));
            x[k].target = &irl_target_opencl12;
        }
        batch(cl, cx, n, 1, x);
    }
}

int main(int argc, char **argv)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_ocl *cl = batch_open(cx);
    int      count = getenv("IRL_SOAK") ? 2000 : TEST_COUNT(50);
    if (getenv("IRL_OCLGRIND")) count = getenv("IRL_SOAK") ? 2000 : 50;
    if (argc > 1) count = argc > 2 ? atoi(argv[2]) : 1;
    if (cl) {
        generated(cl, cx, argc > 1 ? strtoul(argv[1], NULL, 10) : 1, count);
        batch_summary();
    } else {
        CHECK_CODE(cx, IRL_ERROR_NO_DEVICE);
        printf("skipped: %s\n", irl_diag_text(cx));
    }
    irl_ocl_close(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
