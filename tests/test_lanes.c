/* test_lanes.c - generated functions over images and vectors mean the same, lowered for every
   target, and what was lowered is legal there: the semantic verifier is asked for. For one target
   after every pass too, printed and read back.

   usage  test_lanes [FIRST [COUNT]]     seeds; each failing one is shrunk and printed */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#endif
#include "experiment.h"
#include "generate_lanes.h"
#include "lanes_targets.h"

static int pass_by_pass(experiment *x, irl_ctx *cx, irl_func *f)
{
    const char *pass;
    int         k;
    for (k = 0; (pass = irl_pass_name(k)) != NULL; k++) {
        const char *text;
        irl_func   *again;
        if (!TEST_PASS(k)) continue;
        f = irl_func_run_pass(f, pass);
        if (!experiment_same(x, f, NULL, "after ", pass)) return 0;
        text = irl_func_text(f);
        again = irl_func_parse(cx, text, strlen(text), "printed");
        if (!again || !irl_func_equal(f, again))
            return experiment_fail(x, "read back after ", pass);
    }
    return 1;
}

/* For the target that the experiment is about. */
static int run_all(experiment *x, irl_ctx *cx, const char *text)
{
    const lanes_target *target = (const lanes_target *)x->about;
    irl_func           *f = experiment_begin(x, cx, text);
    irl_lower_options        how;
    memset(&how, 0, sizeof how);
    how.verify = !strstr(text, "norm"); /* not every device of a target has all such texels */
    if (!f) return 0;
    if (target == lanes_targets && !pass_by_pass(x, cx, f)) return 0;
    return experiment_same(x, NULL, irl_func_lower_with(f, irl_target_find(target->name), &how),
                           "module for ", target->name);
}

static void generated(uint64_t first, int count)
{
    uint64_t seed;
    int      k;
    for (seed = first; seed < first + (uint64_t)count; seed++)
        for (k = 0; k < LANES_TARGETS; k++) {
            gen_case c = lanes_function_for(seed, &lanes_targets[k]);
            experiment_check(&c, run_all, &lanes_targets[k], 400);
            gen_free(&c);
        }
}

int main(int argc, char **argv)
{
    int count = getenv("IRL_SOAK") ? 2000 : TEST_COUNT(100);
    if (argc > 1) {
        generated(strtoul(argv[1], NULL, 10), argc > 2 ? atoi(argv[2]) : 1);
        return TEST_DONE();
    }
    lanes_seeds(count, count / 2);
    generated(1, count);
    generated(LANES_PLAIN_SEEDS + 1, count / 2);
    return TEST_DONE();
}
