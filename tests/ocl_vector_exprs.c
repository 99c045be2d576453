/* ocl_vector_exprs.c - generated vectors of every width from 2 to 64 and every type, lowered for
   each target description, give the same numbers on an OpenCL device as in the interpreter; and
   what was lowered is legal for its target.

   usage  ocl_vector_exprs [FIRST [COUNT]]     seeds; each failing one is shrunk and printed */
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
#include "generate_vectors.h"
#include "shrink.h"
#include "test.h"
#include "ocl_batch.h"

enum { SEEDS = 10, TARGETS = 4 };

static const char *const targets[TARGETS] = { "opencl12", "opencl12-embedded", "strict",
                                              "scalar" };

static void fill(const irl_ocl *cl, experiment *x, uint64_t seed)
{
    int k;
    (void)cl;
    for (k = 0; k < TARGETS; k++) {
        gen_options options;
        memset(&options, 0, sizeof options);
        options.narrow = seed % 8 != 0 || k == 1; /* one function of eight has types of 64 bits */
        x[k].c = gen_vector_function(seed, options);
        x[k].target = irl_target_find(targets[k]);
        x[k].verify = 1;
    }
}

int main(int argc, char **argv)
{
    int      few = getenv("IRL_SLOW") || getenv("IRL_OCLGRIND");
    int      count = getenv("IRL_SOAK") ? 600 : few ? 10 : 20;
    uint64_t first = 1;
    if (argc > 1) {
        first = strtoul(argv[1], NULL, 10);
        count = argc > 2 ? atoi(argv[2]) : 1;
    }
    test_seeds((unsigned long)first, count);
    if (!batch_seeds(first, count, SEEDS, TARGETS, fill)) return TEST_DONE();
    count = batch_summary();
    CHECK(count < 40 || (batch_counts[BATCH_UNSUPPORTED] * 8 < count &&
                         batch_counts[BATCH_PARTIAL] == 0 && batch_counts[BATCH_WIDE] == 0));
    return TEST_DONE();
}
