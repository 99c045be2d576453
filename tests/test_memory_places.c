/* test_memory_places.c - functions over memory in unusual places give the same numbers as they are,
   after every pass, and as modules for every target.

   usage  test_memory_places [FIRST [COUNT]]     seeds; each failing one is shrunk and printed */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#endif
#include "experiment.h"
#include "generate_memory.h"

static int refused, ran; /* modules */

/* What a target may refuse: images that it has not, a store of part of a texel. */
static int is_refusal(irl_code code)
{
    return code == IRL_ERROR_UNSUPPORTED || code == IRL_ERROR_PARTIAL_TEXEL ||
           code == IRL_ERROR_INDEX_WIDTH || code == IRL_ERROR_PRIVATE_EXTENT;
}

static int run_all(experiment *x, irl_ctx *cx, const char *text)
{
    const irl_func *f = experiment_begin(x, cx, text), *g = f;
    const char     *name;
    irl_mark        mark = irl_ctx_mark(cx);
    int             k;
    for (k = 0; g && (name = irl_pass_name(k)) != NULL; k++) {
        if (!TEST_PASS(k)) continue;
        g = irl_func_run_pass(g, name);
        if (!experiment_same(x, g, NULL, "after ", name)) return 0;
    }
    for (k = 0; f && (name = irl_target_name(k)) != NULL; k++) {
        const irl_module *m;
        irl_ctx_rewind(cx, mark);
        m = irl_func_lower(f, irl_target_find(name));
        if (irl_diag_of(cx) && is_refusal(irl_diag_of(cx)->code)) refused++;
        else if (!experiment_same(x, NULL, m, "module for ", name)) return 0;
        else ran++;
    }
    if (f && !irl_ok(cx)) irl_ctx_rewind(cx, mark);
    return f != NULL;
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1, seed;
    int      count = getenv("IRL_SOAK") ? 20000 : TEST_COUNT(600);
    if (argc > 1) count = argc > 2 ? atoi(argv[2]) : 1;
    test_seeds((unsigned long)first, count);
    for (seed = first; seed < first + (uint64_t)count; seed++) {
        gen_case c = memory_function(seed);
        experiment_check(&c, run_all, NULL, 5);
        gen_free(&c);
    }
    printf("%d modules ran, %d were refused\n", ran, refused);
    if (ran > 500) CHECK(refused * 8 < ran); /* images and barriers on targets that have none */
    return TEST_DONE();
}
