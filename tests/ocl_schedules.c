/* ocl_schedules.c - generated functions behind schedules drawn at random give the same numbers on
   an OpenCL device as in the interpreter, where test_schedule_random compares them with the
   functions before. A step behind which the function could not be lowered is not taken.

   usage  ocl_schedules [FIRST [COUNT]]     seeds; each failing one is shrunk and printed */
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
#include "shrink.h"
#include "test.h"
#include "ocl_batch.h"
#include "draw_schedule.h"

enum { BATCH = 20 };

static int steps_done, steps_refused, steps_not_lowered;

static char *copied(const char *text)
{
    char *copy = (char *)malloc(strlen(text) + 1);
    if (!copy) abort();
    return strcpy(copy, text);
}

/* The text of the function behind a step, freed by the caller; NULL: it is refused, or what is
   left has no form in OpenCL C. */
static char *take_step(const char *text, const char *step)
{
    irl_ctx          *cx = irl_ctx_create(NULL);
    const irl_func   *f = irl_func_parse(cx, text, IRL_TO_NUL, "generated"),
                     *g = irl_schedule_parse(f, step, IRL_TO_NUL, NULL);
    const irl_module *m = g ? irl_func_lower(g, &irl_target_opencl12) : NULL;
    char             *after = irl_ocl_source(m)[0] ? copied(irl_func_text(g)) : NULL;
    if (!g) steps_refused++;
    else if (!after) steps_not_lowered++;
    irl_ctx_destroy(cx);
    return after;
}

/* Accesses are drawn for one size: a few functions are refused because of another. */
static int is_lowered(const gen_case *c)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    int      ok = irl_func_lower(irl_func_parse(cx, c->text, IRL_TO_NUL, NULL),
                                 &irl_target_opencl12) != NULL;
    irl_ctx_destroy(cx);
    return ok;
}

static void schedule(gen_case *c)
{
    int k, n = 0, count;
    draw_state = c->seed * 77 + 5;
    for (k = 0; k < 5; k++) (void)draw(2);
    count = 1 + draw(MOST_STEPS);
    for (k = 0; k < MOST_TRIES * count && n < count; k++) {
        char  step[120], *after;
        names in;
        read_names(c->text, &in);
        if (!draw_step(&in, step, sizeof step)) return;
        after = take_step(c->text, step);
        if (!after) continue;
        free(c->text);
        c->text = after;
        n++;
    }
    steps_done += n;
}

static void fill(const irl_ocl *cl, experiment *x, uint64_t seed)
{
    gen_options options;
    memset(&options, 0, sizeof options);
    options.for_device = 1;
    options.narrow = !batch_has_double(cl);
    x->c = gen_function(seed, options);
    while (!is_lowered(&x->c)) { /* another one in its place */
        gen_free(&x->c);
        x->c = gen_function(seed += 1000000007, options);
    }
    schedule(&x->c);
    x->target = &irl_target_opencl12;
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    int      count = getenv("IRL_SOAK") ? 20000 : getenv("IRL_OCLGRIND") ? 200 : TEST_COUNT(60);
    if (argc > 1) count = argc > 2 ? atoi(argv[2]) : 1;
    test_seeds((unsigned long)first, count);
    if (!batch_seeds(first, count, BATCH, 1, fill)) return TEST_DONE();
    count = batch_summary();
    printf("%d steps done, %d refused, %d not taken because no device has what they ask for\n",
           steps_done, steps_refused, steps_not_lowered);
    if (count >= 60)
        CHECK(batch_counts[BATCH_UNSUPPORTED] * 20 < count && batch_counts[BATCH_PARTIAL] == 0);
    return TEST_DONE();
}
