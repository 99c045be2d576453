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

static void fill(const irl_ocl *cl, experiment *x, uint64_t seed)
{
    (void)cl;
    x->c = memory_function(seed);
    x->target = &irl_target_opencl12;
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    int      count = getenv("IRL_SOAK") ? 2000 : TEST_COUNT(50);
    if (getenv("IRL_OCLGRIND")) count = getenv("IRL_SOAK") ? 2000 : 50;
    if (argc > 1) count = argc > 2 ? atoi(argv[2]) : 1;
    test_seeds((unsigned long)first, count);
    if (batch_seeds(first, count, BATCH, 1, fill)) batch_summary();
    return TEST_DONE();
}
