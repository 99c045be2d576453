/* test_lanes.c - generated functions over images and vectors mean the same, lowered for every target, and what was lowered
   is legal there: the semantic verifier is asked for. For one target after every pass too, printed and read back.

   usage  test_lanes [FIRST [COUNT]]     seeds; each failing one is shrunk and printed */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#endif
#include "generate.h"
#include "generate_lanes.h"
#include "lanes_targets.h"
#include "shrink.h"
#include "test.h"

typedef struct experiment {
    const gen_case     *c;
    const lanes_target *target;
    gen_data            given, expected;
    char                wrong[64]; /* the stage that is wrong; "" if none */
    char                why[160];
    irl_code            code;
} experiment;

static int fail(experiment *x, const char *stage, const char *detail)
{
    snprintf(x->wrong, sizeof x->wrong, "%s%s", stage, detail);
    return 0;
}

static int same_numbers(experiment *x, const irl_func *f, const irl_module *m, const char *stage, const char *detail)
{
    gen_data data = gen_data_copy(&x->given);
    int      ok = f ? irl_interpret(f, gen_arguments(&data)) : m ? irl_interpret_module(m, gen_arguments(&data)) : 0;
    if (ok) ok = gen_data_equal(x->c, &x->expected, &data, 0, x->why, sizeof x->why);
    gen_data_free(&data);
    return ok ? 1 : fail(x, stage, detail);
}

static int pass_by_pass(experiment *x, irl_ctx *cx, irl_func *f)
{
    const char *pass;
    int         k;
    for (k = 0; (pass = irl_pass_name(k)) != NULL; k++) {
        const char *text;
        irl_func   *again;
        f = irl_run_pass(f, pass);
        if (!same_numbers(x, f, NULL, "after ", pass)) return 0;
        text = irl_func_text(f);
        again = text ? irl_parse_func(cx, text, strlen(text), "printed") : NULL;
        if (!again || !irl_func_equal(f, again)) return fail(x, "read back after ", pass);
    }
    return 1;
}

static int run_all(experiment *x, irl_ctx *cx, const char *text)
{
    irl_func    *f = irl_parse_func(cx, text, strlen(text), "generated");
    irl_lowering how;
    memset(&how, 0, sizeof how);
    how.verify = 1;
    if (!f) return fail(x, "parse", "");
    x->expected = gen_data_copy(&x->given);
    if (!irl_interpret(f, gen_arguments(&x->expected))) return fail(x, "as it is", "");
    if (x->target == lanes_targets && !pass_by_pass(x, cx, f)) return 0;
    return same_numbers(x, NULL, irl_lower_with(f, irl_target_find(x->target->name), &how), "module for ", x->target->name);
}

/* Fills x in; true if all is well. */
static int run_experiment(experiment *x, const gen_case *c, const lanes_target *target, const char *text, int show)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    int      ok;
    memset(x, 0, sizeof *x);
    x->c = c;
    x->target = target;
    x->given = gen_data_new(c);
    ok = cx && run_all(x, cx, text);
    x->code = cx && irl_diagnostic(cx) ? irl_diagnostic(cx)->code : IRL_OK;
    if (!ok && show) printf("seed %lu, %s: %s\n%s", (unsigned long)c->seed, x->wrong, x->why, irl_diag_text(cx));
    gen_data_free(&x->given);
    gen_data_free(&x->expected);
    irl_ctx_destroy(cx);
    return ok;
}

static int fails_the_same(void *user, const char *text)
{
    const experiment *like = (const experiment *)user;
    experiment        x;
    return !run_experiment(&x, like->c, like->target, text, 0) && strcmp(x.wrong, like->wrong) == 0 && x.code == like->code;
}

static void report(experiment *x)
{
    char *small = shrink(x->c->text, fails_the_same, x);
    experiment again;
    run_experiment(&again, x->c, x->target, small, 1);
    printf("%s\n", small);
    free(small);
}

static void generated(uint64_t first, int count)
{
    uint64_t seed;
    int      k;
    for (seed = first; seed < first + (uint64_t)count; seed++)
        for (k = 0; k < LANES_TARGETS; k++) {
            gen_case   c;
            experiment x;
            c = lanes_function_for(seed, &lanes_targets[k]);
            if (!CHECK(run_experiment(&x, &c, &lanes_targets[k], c.text, 0)) && test_failed <= 400) report(&x);
            gen_free(&c);
        }
}

int main(int argc, char **argv)
{
    if (argc > 1) generated(strtoul(argv[1], NULL, 10), argc > 2 ? atoi(argv[2]) : 1);
    else generated(1, getenv("IRL_SOAK") ? 2000 : TEST_COUNT(100));
    return TEST_DONE();
}
