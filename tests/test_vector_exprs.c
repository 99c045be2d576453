/* test_vector_exprs.c - generated vectors of every width from 2 to 64 and every type mean the same,
   lowered for every target, and what was lowered is legal there: the semantic verifier is asked
   for, and the module read back is the same.

   usage  test_vector_exprs [FIRST [COUNT]]     seeds; each failing one is shrunk and printed */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#endif
#include "experiment.h"
#include "generate_vectors.h"

typedef struct target_row {
    const char *name;
    int         narrow; /* it has no 64-bit integers */
} target_row;

static const target_row rows[] = { { "opencl12", 0 }, { "opencl12-embedded", 1 }, { "strict", 0 },
                                   { "scalar", 0 },   { "c99", 0 }, { "glsl", 1 } };
enum { ROWS = 6 };

static int refused;

/* For the target that the experiment is about. */
static int run_one(experiment *x, irl_ctx *cx, const char *text)
{
    const target_row *row = (const target_row *)x->about;
    irl_func         *f = experiment_begin(x, cx, text);
    irl_module       *m, *again;
    irl_lower_options      how;
    const char       *printed;
    memset(&how, 0, sizeof how);
    how.verify = 1;
    if (!f) return 0;
    m = irl_func_lower_with(f, irl_target_find(row->name), &how);
    /* a target without vectors takes no bits of several numbers together: nothing else is
       refused */
    if (!m && strcmp(row->name, "scalar") == 0 && strstr(text, "as(") && irl_diag_of(cx) &&
        irl_diag_of(cx)->code == IRL_ERROR_UNSUPPORTED) {
        refused++;
        return 1;
    }
    if (!experiment_same(x, NULL, m, "module for ", row->name)) return 0;
    printed = irl_module_text(m);
    again = irl_module_parse(cx, printed, strlen(printed), "printed");
    return (again && strcmp(irl_module_text(again), printed) == 0) ||
           experiment_fail(x, "read back for ", row->name);
}

static void generated(uint64_t first, int count)
{
    uint64_t seed;
    int      k;
    for (seed = first; seed < first + (uint64_t)count; seed++)
        for (k = 0; k < ROWS; k++) {
            gen_options options;
            gen_case    c;
            memset(&options, 0, sizeof options);
            options.narrow = rows[k].narrow;
            c = gen_vector_function(seed, options);
            experiment_check(&c, run_one, &rows[k], 5);
            gen_free(&c);
        }
}

int main(int argc, char **argv)
{
    int count = getenv("IRL_SOAK") ? 4000 : TEST_COUNT(600);
    if (argc > 1) {
        count = argc > 2 ? atoi(argv[2]) : 1;
        generated(strtoul(argv[1], NULL, 10), count);
    } else {
        printf("seeds 1 to %d\n", count);
        generated(1, count);
    }
    printf("%d refused: bits of several numbers, on a target without vectors\n", refused);
    CHECK(count < 10 || refused * 4 < count);
    return TEST_DONE();
}
