/* ocl_generated.c - generated functions give the same numbers on an OpenCL device as in the
   interpreter.

   usage  ocl_generated [FIRST [COUNT]]     seeds; each failing one is shrunk and printed */
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
#include "shrink.h"
#include "test.h"
#include "ocl_batch.h"

enum { BATCH = 10 };

static void generated(irl_ocl *cl, irl_ctx *cx, uint64_t first, int count)
{
    static experiment x[BATCH];
    gen_options       options;
    int               done, k, n;
    memset(&options, 0, sizeof options);
    options.for_device = 1;
    /* such a device runs other functions rather than fewer */
    options.narrow = !batch_has_double(cl);
    test_seeds((unsigned long)first, count);
    for (done = 0; done < count; done += n) {
        n = count - done < BATCH ? count - done : BATCH;
        memset(x, 0, sizeof x);
        for (k = 0; k < n; k++) {
            x[k].c = gen_function(first + (uint64_t)(done + k), options);
            x[k].target = &irl_target_opencl12;
        }
        batch(cl, cx, n, 1, x);
    }
}

int main(int argc, char **argv)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_ocl *cl = batch_open(cx);
    int      count = getenv("IRL_SOAK") ? 2000 : getenv("IRL_OCLGRIND") ? 300 : TEST_COUNT(100);
    if (argc > 1) count = argc > 2 ? atoi(argv[2]) : 1;
    if (cl) {
        generated(cl, cx, argc > 1 ? strtoul(argv[1], NULL, 10) : 1, count);
        count = batch_summary();
        if (count >= 60)
            CHECK(batch_counts[BATCH_UNSUPPORTED] * 20 < count && batch_counts[BATCH_PARTIAL] == 0);
    } else {
        TEST_NO_DEVICE(cx);
    }
    irl_ocl_close(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
