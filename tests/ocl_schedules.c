/* ocl_schedules.c - generated functions behind schedules drawn at random give the same numbers on
   an OpenCL device as in the interpreter, where test_schedule_random compares them with the
   functions before. A step behind which the function could not be lowered is not taken. Each seed
   has a function of each form of draw_forms.h beside its own, every second one its own again with
   elements of bits. Behind contract or
   reassociate the device's results on rounded numbers lie within the errors of the function before
   and of the one behind (agreement.h).

   usage  ocl_schedules [FIRST [COUNT]]     seeds; each failing one is shrunk and printed
          IRL_CL_OPTIONS=""                 with the device compiler's optimizer */
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
#include "generate_narrow.h"
#include "shrink.h"
#include "test.h"
#define DEVICE_OPTIONS "-cl-opt-disable" /* most of the time would be the optimizer's */
#include "ocl_batch.h"
#include "agreement.h"
#include "draw_schedule.h"
#include "draw_forms.h"

/* Experiments: of an even seed its function and the forms, of an odd one the function with elements
   of bits too. The last form calls functions that no device has. */
enum { BATCH = 20, TAKEN = DRAW_FORMS - 1, EVEN = 1 + TAKEN, PAIR = 2 * EVEN + 1 };

static int           steps_done, steps_refused, steps_not_lowered, stepless;
static int           plain, narrow, of[TAKEN];
static int           judged, not_judged;
static irl_agreement agreement;

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

/* PoCL 3.1 runs the first work-item of a group that has one along x twice where a branch around a
   barrier is not taken (seeds 950169, 950386 and 3200828); Oclgrind is right. */
static int branches_around_barrier(const char *text)
{
    const char *at, *line, *end;
    for (at = strstr(text, "barrier("); at; at = strstr(at + 1, "barrier(")) {
        size_t depth = (size_t)-1, indent; /* lines around it begin further left than it does */
        for (end = at; end > text; end = line) {
            for (line = end; line > text && line[-1] != '\n'; line--) {}
            indent = strspn(line, " ");
            if (indent < depth && strncmp(line + indent, "if (", 4) == 0) return 1;
            if (indent < depth && line[indent] != '\n') depth = indent;
            if (line > text) line--;
        }
    }
    return 0;
}

/* Accesses are drawn for one size: a few functions are refused because of another. */
static int is_subject(const gen_case *c, int may_race)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = irl_func_parse(cx, c->text, IRL_TO_NUL, NULL);
    int       ok = f && !branches_around_barrier(c->text) && (!may_race || gen_runs(c, f)) &&
             irl_ocl_source(irl_func_lower(f, &irl_target_opencl12))[0] != '\0';
    irl_ctx_destroy(cx);
    return ok;
}

/* Steps for the case's function; has one of them changed what is rounded? */
static int schedule(gen_case *c, const draw_form *form)
{
    int k, n = 0, count, rounds = 0;
    draw_state = c->seed * 77 + 5;
    for (k = 0; k < 5; k++) (void)draw(2);
    count = 1 + draw(MOST_STEPS);
    for (k = 0; k < MOST_TRIES * count && n < count; k++) {
        char  step[220], *after;
        names in;
        read_names(c->text, &in);
        if (!draw_form_step(form, &in, step, sizeof step)) break;
        after = take_step(c->text, step);
        if (!after || branches_around_barrier(after)) {
            free(after);
            continue;
        }
        free(c->text);
        c->text = after;
        rounds |= strstr(step, "contract(") || strstr(step, "reassociate(");
        n++;
    }
    steps_done += n;
    stepless += n == 0;
    return rounds;
}

/* The device's results on numbers that are rounded, in the place of those of b, which has the
   errors of the same function. */
static int is_agreed(irl_ocl *cl, experiment *x, const irl_module *m, const irl_func *f,
                     const irl_func *g)
{
    const irl_arguments given = gen_arguments(&x->given);
    agreement_run       a, b, device;
    int                 k, ok = 1, runs;
    memset(&b, 0, sizeof b);
    memset(&device, 0, sizeof device);
    runs = agreement_make(&a, f, &given) && agreement_make(&b, f, &given) &&
           agreement_make(&device, f, &given) && agreement_go(&a, f, NULL) &&
           agreement_go(&b, g, NULL) && !a.undecided && !b.undecided;
    if (runs) ok = irl_ocl_run(cl, m, device.arguments);
    for (k = 0; runs && ok && k < b.count; k++) {
        void *data = b.tensor[k].data;
        b.tensor[k].data = device.tensor[k].data;
        device.tensor[k].data = data;
    }
    if (runs && ok) ok = agreement_compare(f, &a, &b, &agreement);
    judged += runs;
    not_judged += !runs;
    agreement_free(&a);
    agreement_free(&b);
    agreement_free(&device);
    return ok;
}

static int judge(irl_ocl *cl, experiment *x, const irl_module *m, const gen_data *found)
{
    irl_mark        mark = irl_ctx_mark(m->cx);
    const irl_func *f = irl_func_parse(m->cx, x->before, IRL_TO_NUL, "generated"),
                   *g = irl_func_parse(m->cx, x->c.text, IRL_TO_NUL, "scheduled");
    int             ok = f && g && narrow_equal(f, &x->c, &x->expected, found, x->why,
                                                sizeof x->why);
    if (ok && x->is_case && x->is_rounded && !is_agreed(cl, x, m, f, g)) {
        ok = 0;
        snprintf(x->why, sizeof x->why, "beyond the errors of both; before its steps\n%.110s",
                 x->before);
    }
    irl_ctx_rewind(m->cx, mark);
    return ok;
}

/* The case of a seed, of that form or narrow; 0: another one is wanted in its place. */
static int make_case(gen_case *c, uint64_t seed, const draw_form *form, int is_narrow,
                     gen_options options)
{
    *c = form ? form->make(seed) : gen_function(seed, options);
    if ((!is_narrow || gen_narrow(c)) && is_subject(c, form && form->may_race)) return 1;
    gen_free(c);
    return 0;
}

/* Number `n` of all experiments. */
static void fill(const irl_ocl *cl, experiment *x, uint64_t n)
{
    const int        at = (int)(n % PAIR), k = at < EVEN ? at : at - EVEN;
    const int        is_narrow = k > TAKEN;
    const draw_form *form = k && !is_narrow ? &draw_forms[k - 1] : NULL;
    uint64_t         seed = n / PAIR * 2 + (at >= EVEN);
    gen_options      options;
    memset(&options, 0, sizeof options);
    options.for_device = 1;
    options.narrow = !batch_has_double(cl);
    while (!make_case(&x->c, seed, form, is_narrow, options)) seed += 1000000007;
    x->before = copied(x->c.text);
    x->is_rounded = schedule(&x->c, form);
    x->judge = judge;
    x->target = &irl_target_opencl12;
    if (form) of[k - 1]++;
    else if (is_narrow) narrow++;
    else plain++;
}

/* How many experiments stand before those of a seed. */
static uint64_t experiments_before(uint64_t seed) { return seed / 2 * PAIR + seed % 2 * EVEN; }

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, from = experiments_before(first);
    int      count = getenv("IRL_SOAK") ? 20000 : getenv("IRL_OCLGRIND") ? 60 : TEST_COUNT(20);
    int      k;
    if (argc > 1) count = argc > 2 ? atoi(argv[2]) : 1;
    test_seeds((unsigned long)first, count);
    count = (int)(experiments_before(first + (uint64_t)count) - from);
    if (!batch_seeds(from, count, BATCH, 1, fill)) return TEST_DONE();
    count = batch_summary();
    printf("%d as they are, %d with elements of bits", plain, narrow);
    for (k = 0; k < TAKEN; k++) printf(", %d %s", of[k], draw_forms[k].name);
    puts("");
    printf("%d steps done (none for %d functions), %d refused, %d not taken because no device has "
           "what they ask for\n", steps_done, stepless, steps_refused, steps_not_lowered);
    printf("%d compared on rounded numbers, at most %.3f of the errors of both, %ld numbers, %ld "
           "without a bound; %d not compared\n", judged, agreement.worst, (long)agreement.numbers,
           (long)agreement.unbounded, not_judged);
    if (count >= 60) {
        CHECK(batch_counts[BATCH_UNSUPPORTED] * 20 < count && batch_counts[BATCH_PARTIAL] == 0);
        /* of the last form, nests of the same names, no order changes, so nothing is rounded */
        CHECK(judged * 10 > count - of[TAKEN - 1] && agreement.worst > 0.01 &&
              not_judged * 4 < judged);
    }
    return TEST_DONE();
}
