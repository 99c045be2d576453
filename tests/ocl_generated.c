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

static void fill(const irl_ocl *cl, experiment *x, uint64_t seed)
{
    gen_options options;
    memset(&options, 0, sizeof options);
    options.for_device = 1;
    /* such a device runs other functions rather than fewer */
    options.narrow = !batch_has_double(cl);
    x->c = gen_function(seed, options);
    x->target = &irl_target_opencl12;
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    int      count = getenv("IRL_SOAK") ? 2000 : getenv("IRL_OCLGRIND") ? 300 : TEST_COUNT(70);
    if (argc > 1) count = argc > 2 ? atoi(argv[2]) : 1;
    test_seeds((unsigned long)first, count);
    if (!batch_seeds(first, count, BATCH, 1, fill)) return TEST_DONE();
    count = batch_summary();
    if (count >= 60)
        CHECK(batch_counts[BATCH_UNSUPPORTED] * 20 < count && batch_counts[BATCH_PARTIAL] == 0);
    return TEST_DONE();
}
