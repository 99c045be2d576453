/* test_auto_shares.c - automatic schedules decide at least as much of generated functions as is
   recorded here. The functions are the same in each run; a number in the table is raised when
   schedules get better, and a lower count means that some functions lost a step that they had.

   test_auto_shares [show]: prints the counts */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "test.h"
#include "random64.h"
#include "generate_named.h"
#include "generate_stores.h"

enum { FUNCTIONS = 100 };

static const char *named_text(void)
{
    static named_case c;
    named_make(&c);
    return c.text;
}

static const char *stores_text(void)
{
    static stores q;
    if (random_below(4)) draw_stores(&q);
    else draw_scatters(&q);
    return q.text;
}

typedef struct share {
    const char *target;
    const char *(*text)(void);
    const char *step;
    int         scheduled, with_step; /* functions with any step, and with that one */
} share;

static const share recorded[] = {
    { "opencl12", named_text, "vectorize(", 91, 87 },
    { "opencl12", stores_text, "vectorize(", 73, 56 },
    { "opencl12-gpu", named_text, "bind(", 69, 30 },
    { "opencl12-gpu", stores_text, "bind(", 82, 67 },
    { "c99", named_text, "vectorize(", 52, 35 },
    { "c99", stores_text, "vectorize(", 49, 15 },
    { "c-gnu-avx2", named_text, "vectorize(", 91, 86 },
    { "c-gnu-avx2", stores_text, "vectorize(", 73, 56 },
};

static void one_share(const share *least, int is_shown)
{
    int scheduled = 0, with_step = 0;
    random64_state = 20261130;
    for (int k = 0; k < FUNCTIONS; k++) {
        irl_ctx        *cx = irl_ctx_create(NULL);
        const irl_func *f = irl_func_parse(cx, least->text(), IRL_TO_NUL, NULL);
        const char     *made = irl_schedule_auto(f, irl_target_find(least->target));
        scheduled += strchr(made, ';') != NULL;
        with_step += strstr(made, least->step) != NULL;
        irl_ctx_destroy(cx);
    }
    if (!CHECK(scheduled >= least->scheduled && with_step >= least->with_step) || is_shown)
        printf("%s: %d scheduled, %d with %s..), where %d and %d are recorded\n", least->target,
               scheduled, with_step, least->step, least->scheduled, least->with_step);
}

int main(int argc, char **argv)
{
    for (size_t k = 0; k < sizeof recorded / sizeof *recorded; k++)
        one_share(&recorded[k], argc > 1 && strcmp(argv[1], "show") == 0);
    return test_done();
}
