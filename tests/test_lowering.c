/* test_lowering.c - generated functions give the same numbers in the interpreter as they are, after every pass, as modules,
   and with optional passes left out; applying layouts, lowering blocks and flattening twice change nothing. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#endif
#include "generate.h"
#include "shrink.h"
#include "test.h"

typedef struct experiment {
    const gen_case *c;
    gen_data        given, expected;
    char            wrong[64]; /* the stage that is wrong; "" if none */
    char            why[160];
    irl_code        code;
} experiment;

static int fail(experiment *x, const char *stage, const char *detail)
{
    snprintf(x->wrong, sizeof x->wrong, "%s%s", stage, detail);
    return 0;
}

/* Runs one form of the function on the given data and compares. */
static int same_numbers(experiment *x, const irl_func *f, const irl_module *m, const char *stage, const char *detail)
{
    gen_data data = gen_data_copy(&x->given);
    int      ok = f ? irl_interpret(f, gen_arguments(&data)) : m ? irl_interpret_module(m, gen_arguments(&data)) : 0;
    if (ok) ok = gen_data_equal(x->c, &x->expected, &data, 0, x->why, sizeof x->why);
    gen_data_free(&data);
    return ok ? 1 : fail(x, stage, detail);
}

static int changes_nothing(const char *pass)
{
    return strcmp(pass, "apply_layouts") == 0 || strcmp(pass, "lower_blocks") == 0 || strcmp(pass, "flatten") == 0;
}

static int pass_by_pass(experiment *x, const irl_func *f)
{
    const char *pass;
    int         k;
    for (k = 0; (pass = irl_pass_name(k)) != NULL; k++) {
        f = irl_run_pass(f, pass);
        if (!same_numbers(x, f, NULL, "after ", pass)) return 0;
        if (changes_nothing(pass)) {
            irl_func *again = irl_run_pass(f, pass);
            if (!again || !irl_func_equal(f, again)) return fail(x, "twice ", pass);
        }
    }
    return 1;
}

static int as_module(experiment *x, const irl_func *f, uint32_t disable, const char *detail)
{
    irl_lowering how;
    irl_module  *m;
    memset(&how, 0, sizeof how);
    how.disable = disable;
    how.verify = 1;
    m = irl_lower_with(f, &irl_target_opencl12, &how);
    return same_numbers(x, NULL, m, "module", detail);
}

/* All ways of running the function of this text; which optional pass is left out goes by the seed. */
static int run_all(experiment *x, irl_ctx *cx, const char *text)
{
    irl_func *f = irl_parse_func(cx, text, strlen(text), "generated");
    int       passes = 0, one;
    while (irl_pass_name(passes)) passes++;
    one = (int)(x->c->seed % (uint64_t)passes);
    if (!f) return fail(x, "parse", "");
    x->expected = gen_data_copy(&x->given);
    if (!irl_interpret(f, gen_arguments(&x->expected))) return fail(x, "as it is", "");
    return pass_by_pass(x, f) && as_module(x, f, 0, "") && as_module(x, f, UINT32_C(1) << one, irl_pass_name(one)) &&
           as_module(x, f, ~UINT32_C(0), " without optional passes");
}

/* Fills x in; true if all is well. */
static int run_experiment(experiment *x, const gen_case *c, const char *text, int show)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    int      ok;
    memset(x, 0, sizeof *x);
    x->c = c;
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
    return !run_experiment(&x, like->c, text, 0) && strcmp(x.wrong, like->wrong) == 0 && x.code == like->code;
}

static void generated(uint64_t first, int count)
{
    gen_options options;
    uint64_t    seed;
    memset(&options, 0, sizeof options);
    for (seed = first; seed < first + (uint64_t)count; seed++) {
        gen_case   c = gen_function(seed, options);
        experiment x;
        if (!CHECK(run_experiment(&x, &c, c.text, test_failed < 5)) && test_failed <= 5) {
            char *small = shrink(c.text, fails_the_same, &x);
            printf("%s", small);
            free(small);
        }
        gen_free(&c);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1) generated(strtoul(argv[1], NULL, 10), argc > 2 ? atoi(argv[2]) : 1);
    else generated(1, getenv("IRL_SOAK") ? 10000 : TEST_COUNT(1500));
    return TEST_DONE();
}
