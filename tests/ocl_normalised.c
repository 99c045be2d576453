/* ocl_normalised.c - small functions over normalised integers give the same numbers on an OpenCL
   device as in the interpreter, and the same bits where they look at them.

   usage  ocl_normalised [FIRST [COUNT]]     seeds; each failing one is shrunk and printed */
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
#include "generate_norm.h"
#include "shrink.h"
#include "test.h"
#include "ocl_batch.h"

enum { BATCH = 20 };

static void fill(const irl_ocl *cl, experiment *x, uint64_t seed)
{
    int has_image;
    (void)cl;
    x->c = norm_function(seed, 1, &has_image);
    x->target = &irl_target_opencl12;
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    int      count = getenv("IRL_SOAK") ? 2000 : TEST_COUNT(60);
    if (argc > 1) count = argc > 2 ? atoi(argv[2]) : 1;
    test_seeds((unsigned long)first, count);
    if (batch_seeds(first, count, BATCH, 1, fill)) batch_summary();
    return TEST_DONE();
}
