/* ocl_lanes.c - generated functions over images and vectors, lowered for each target description,
   give the same numbers on an OpenCL device as in the interpreter; and what was lowered is legal
   for its target: the semantic verifier is asked for.

   Seeds up to 10000 have plain elements, those above it normalised ones too (lanes_targets.h);
   without arguments some of both run.

   usage  ocl_lanes [FIRST [COUNT]]     seeds; each failing one is shrunk and printed */
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
#include "generate_lanes.h"
#include "lanes_targets.h"
#include "shrink.h"
#include "test.h"
#include "ocl_batch.h"

enum { SEEDS = 5 };

/* The seed's function for each target. */
static void fill(const irl_ocl *cl, experiment *x, uint64_t seed)
{
    int k;
    (void)cl;
    for (k = 0; k < LANES_TARGETS; k++) {
        x[k].c = lanes_function_for(seed, &lanes_targets[k]);
        x[k].target = irl_target_find(lanes_targets[k].name);
        /* not every device of a target has all normalised texels */
        x[k].verify = seed <= LANES_PLAIN_SEEDS;
        x[k].is_lanes = 1;
    }
}

/* Most of the functions must have run: few are without a form, and of those with normalised
   elements at least half have formats that every device has. */
static void check_counts(int plain)
{
    int count = batch_summary();
    if (count < 60) return;
    CHECK(batch_counts[BATCH_UNSUPPORTED] * 20 < count && batch_counts[BATCH_PARTIAL] == 0 &&
          batch_counts[BATCH_DOUBLE] * 10 < count && batch_counts[BATCH_WIDE] * 50 < count);
    CHECK(plain ? batch_counts[BATCH_FORMAT] == 0 : batch_counts[BATCH_FORMAT] * 2 < count);
}

int main(int argc, char **argv)
{
    /* whole programs of SEEDS, so that a run with fewer seeds needs no kernel that one with more
       has not */
    int count = getenv("IRL_SOAK")       ? 2000
                : getenv("IRL_OCLGRIND") ? 60
                : getenv("IRL_SLOW")     ? SEEDS
                                         : 2 * SEEDS;
    if (argc > 1) {
        uint64_t first = strtoul(argv[1], NULL, 10);
        count = argc > 2 ? atoi(argv[2]) : 1;
        test_seeds((unsigned long)first, count);
        if (batch_seeds(first, count, SEEDS, LANES_TARGETS, fill))
            check_counts(first <= LANES_PLAIN_SEEDS);
        return TEST_DONE();
    }
    lanes_seeds(count, count / 2);
    if (!batch_seeds(1, count, SEEDS, LANES_TARGETS, fill)) return TEST_DONE();
    check_counts(1);
    memset(batch_counts, 0, sizeof batch_counts);
    batch_seeds(LANES_PLAIN_SEEDS + 1, count / 2, SEEDS, LANES_TARGETS, fill);
    check_counts(0);
    return TEST_DONE();
}
