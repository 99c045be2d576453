/* experiment.h - one generated function, interpreted as it is and in other forms: all must give the
   same numbers.

   needs     generate.h, shrink.h, test.h; an experiment_run, which compares the forms that a test
             is about
   promises  what fails is shrunk to the least text that fails at the same stage with the same
             diagnostic */
#ifndef IRL_EXPERIMENT_H
#define IRL_EXPERIMENT_H

#include "generate.h"
#include "shrink.h"
#include "test.h"

typedef struct experiment experiment;

/* Who answers the calls of the functions at hand; zero: nobody. */
static gen_calls experiment_outside;

/* Runs the function of this text in every form; 0 at the first that is wrong, by
   experiment_fail. */
typedef int experiment_run(experiment *x, irl_ctx *cx, const char *text);

struct experiment {
    const gen_case *c;
    experiment_run *run;
    const void     *about;     /* the test's own */
    const char     *text;      /* as it is; the test's own too */
    gen_data        given, expected;
    uint64_t        seen;
    char            wrong[192]; /* the stage that is wrong; "" if none */
    char            why[160];
    irl_code        code;
};

static int experiment_fail(experiment *x, const char *stage, const char *detail)
{
    snprintf(x->wrong, sizeof x->wrong, "%s%s", stage, detail);
    return 0;
}

/* Reads the function and makes what it computes the expected numbers; NULL if that fails. */
static irl_func *experiment_begin(experiment *x, irl_ctx *cx, const char *text)
{
    irl_func *f = irl_func_parse(cx, text, strlen(text), "generated");
    if (!f) return experiment_fail(x, "parse", ""), (irl_func *)NULL;
    x->expected = gen_data_copy(&x->given);
    if (experiment_outside.begin) experiment_outside.begin();
    if (!irl_func_interpret(f, gen_arguments(&x->expected)))
        return experiment_fail(x, "as it is", ""), (irl_func *)NULL;
    if (experiment_outside.seen) x->seen = experiment_outside.seen();
    return f;
}

/* Runs one form of it, a function or a module, on the given data and compares. */
static int experiment_same(experiment *x, const irl_func *f, const irl_module *m, const char *stage,
                           const char *detail)
{
    gen_data data = gen_data_copy(&x->given);
    int      ok;
    if (experiment_outside.begin) experiment_outside.begin();
    ok = f ? irl_func_interpret(f, gen_arguments(&data))
             : m ? irl_module_interpret(m, gen_arguments(&data))
                 : 0;
    if (ok) ok = gen_data_equal(x->c, &x->expected, &data, 0, x->why, sizeof x->why);
    if (ok && experiment_outside.seen && x->seen != experiment_outside.seen()) {
        snprintf(x->why, sizeof x->why, "other calls");
        ok = 0;
    }
    gen_data_free(&data);
    return ok ? 1 : experiment_fail(x, stage, detail);
}

/* Fills x in; true if all is well. */
static int experiment_try(experiment *x, const gen_case *c, experiment_run *run, const void *about,
                          const char *text, int show)
{
    irl_ctx_desc desc;
    irl_ctx     *cx;
    int          ok;
    memset(&desc, 0, sizeof desc);
    desc.call_extern = experiment_outside.answer;
    cx = irl_ctx_create(&desc);
    memset(x, 0, sizeof *x);
    x->c = c;
    x->run = run;
    x->about = about;
    x->given = gen_data_new(c);
    ok = cx && run(x, cx, text);
    x->code = cx && irl_diag_of(cx) ? irl_diag_of(cx)->code : IRL_OK;
    if (!ok && show)
        printf("seed %lu, %s: %s\n%s", (unsigned long)c->seed, x->wrong, x->why, irl_diag_text(cx));
    gen_data_free(&x->given);
    gen_data_free(&x->expected);
    irl_ctx_destroy(cx);
    return ok;
}

static int experiment_fails_the_same(void *user, const char *text)
{
    const experiment *like = (const experiment *)user;
    experiment        x;
    return !experiment_try(&x, like->c, like->run, like->about, text, 0) &&
           strcmp(x.wrong, like->wrong) == 0 && x.code == like->code;
}

/* The check: a failure is shrunk and shown, up to `most` of them. */
static void experiment_check(const gen_case *c, experiment_run *run, const void *about, int most)
{
    experiment x, again;
    char      *small;
    if (CHECK(experiment_try(&x, c, run, about, c->text, 0)) || test_failed > most) return;
    small = shrink(c->text, experiment_fails_the_same, &x);
    experiment_try(&again, c, run, about, small, 1);
    printf("%s\n", small);
    free(small);
}

#endif
