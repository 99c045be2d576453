/* ocl_lanes.c - generated functions over images and vectors, lowered for each target description, give the same numbers on
   an OpenCL device as in the interpreter; and what was lowered is legal for its target: the semantic verifier is asked for.

   usage  ocl_lanes [FIRST [COUNT]]     seeds; each failing one is shrunk and printed */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define IRLAYOUT_OCL_RUNTIME
#include "../irlayout_ocl.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#include "../src/target/target.h"
#endif
#include "generate.h"
#include "generate_lanes.h"
#include "lanes_targets.h"
#include "shrink.h"
#include "test.h"
#include "ocl_batch.h"

enum { SEEDS = 10 };

/* The seed's function for each target. */
static void fill(experiment *x, uint64_t seed)
{
    int k;
    for (k = 0; k < LANES_TARGETS; k++) {
        x[k].c = lanes_function_for(seed, &lanes_targets[k]);
        x[k].target = irl_target_find(lanes_targets[k].name);
        x[k].verify = 1;
    }
}

static void generated(irl_ocl *cl, irl_ctx *cx, uint64_t first, int count)
{
    static experiment x[SEEDS * LANES_TARGETS];
    int               done, k, n;
    for (done = 0; done < count; done += n) {
        n = count - done < SEEDS ? count - done : SEEDS;
        memset(x, 0, sizeof x);
        for (k = 0; k < n; k++) fill(x + k * LANES_TARGETS, first + (uint64_t)(done + k));
        batch(cl, cx, n * LANES_TARGETS, LANES_TARGETS, x);
    }
}

int main(int argc, char **argv)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_ocl *cl = batch_open(cx);
    int      count = getenv("IRL_SOAK") ? 2000 : getenv("IRL_OCLGRIND") ? 60 : TEST_COUNT(60);
    if (argc > 1) count = argc > 2 ? atoi(argv[2]) : 1;
    if (cl) {
        generated(cl, cx, argc > 1 ? strtoul(argv[1], NULL, 10) : 1, count);
        count = batch_summary();
        if (count >= 60) CHECK(batch_counts[BATCH_UNSUPPORTED] * 20 < count && batch_counts[BATCH_PARTIAL] == 0 && batch_counts[BATCH_DOUBLE] * 10 < count);
    } else {
        CHECK_CODE(cx, IRL_ERROR_NO_DEVICE);
        printf("skipped: %s\n", irl_diag_text(cx));
    }
    irl_ocl_close(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
