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

enum { SEEDS = 5, PART = 100 };

/* The seed's function for each target. */
static void fill(experiment *x, uint64_t seed)
{
    int k;
    for (k = 0; k < LANES_TARGETS; k++) {
        x[k].c = lanes_function_for(seed, &lanes_targets[k]);
        x[k].target = irl_target_find(lanes_targets[k].name);
        /* not every device of a target has all normalised texels */
        x[k].verify = seed <= LANES_PLAIN_SEEDS;
        x[k].is_lanes = 1;
    }
}

/* Devices keep what was built until they are closed, so each part of the seeds has a device of its
   own. */
static int generated(uint64_t first, int count)
{
    static experiment x[SEEDS * LANES_TARGETS];
    irl_ctx          *cx = irl_ctx_create(NULL);
    irl_ocl          *cl = batch_open(cx);
    int               done, k, n;
    if (!cl) {
        TEST_NO_DEVICE(cx);
    }
    for (done = 0; cl && done < count; done += n) {
        n = count - done < SEEDS ? count - done : SEEDS;
        memset(x, 0, sizeof x);
        for (k = 0; k < n; k++) fill(x + k * LANES_TARGETS, first + (uint64_t)(done + k));
        batch(cl, cx, n * LANES_TARGETS, LANES_TARGETS, x);
    }
    irl_ocl_close(cl);
    irl_ctx_destroy(cx);
    return cl != NULL;
}

static int generated_in_parts(uint64_t first, int count)
{
    int ran = 1;
    for (; ran && count > 0; first += PART, count -= PART)
        ran = generated(first, count < PART ? count : PART);
    return ran;
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
    int count = getenv("IRL_SOAK") ? 2000 : getenv("IRL_OCLGRIND") ? 60 : 20;
    if (count == 20 && getenv("IRL_SLOW")) count = 10;
    if (argc > 1) {
        uint64_t first = strtoul(argv[1], NULL, 10);
        count = argc > 2 ? atoi(argv[2]) : 1;
        test_seeds((unsigned long)first, count);
        if (generated_in_parts(first, count)) check_counts(first <= LANES_PLAIN_SEEDS);
        return TEST_DONE();
    }
    lanes_seeds(count, count / 2);
    if (!generated_in_parts(1, count)) return TEST_DONE();
    check_counts(1);
    memset(batch_counts, 0, sizeof batch_counts);
    generated_in_parts(LANES_PLAIN_SEEDS + 1, count / 2);
    check_counts(0);
    return TEST_DONE();
}
