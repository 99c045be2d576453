/* ocl_auto_groups.c - schedules for groups of work-items on an OpenCL device: what they compute is
   what the interpreter computes of the same module (test_auto_groups compares that with the text as
   it was written). Under Oclgrind no work-items race. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define IRLAYOUT_OCL_RUNTIME
#include "../irlayout_ocl.h"
#include "test.h"
#include "group_cases.h"
#include "meaning.h"

#include <math.h>

/* Functions of floats and quotients are rounded otherwise by devices. */
static int is_near(const meaning_data *a, const meaning_data *b)
{
    int    k;
    size_t at;
    for (k = 0; k < a->arguments.count; k++)
        for (at = 0; at + sizeof(float) <= a->size[k]; at += sizeof(float)) {
            float x, y;
            memcpy(&x, (const char *)a->bytes[k] + at, sizeof x);
            memcpy(&y, (const char *)b->bytes[k] + at, sizeof y);
            if (!(fabs((double)x - (double)y) <= 1e-5 * (1 + fabs((double)x)))) return 0;
        }
    return 1;
}

static void one_case(irl_ocl *cl, irl_ctx *cx, const group_case *c, int device)
{
    irl_mark         mark = irl_ctx_mark(cx);
    irl_func        *f = irl_func_parse(cx, c->text, IRL_TO_NUL, "case");
    irl_module      *m = irl_func_lower(f, group_device(cx, device));
    meaning          values;
    meaning_data     expected, found;
    memset(&values, 0, sizeof values);
    values.n = 9;
    if (CHECK(m && meaning_arguments(f, &values, &expected) &&
              meaning_arguments(f, &values, &found))) {
        CHECK(irl_module_interpret(m, expected.arguments));
        if (!CHECK(irl_ocl_run(cl, m, found.arguments) &&
                   (meaning_same(&expected, &found) ||
                    (strstr(c->text, " / ") && is_near(&expected, &found)))))
            printf("device %d: %s\n%s%s", device, irl_diag_text(cx), c->text, irl_module_text(m));
        meaning_free(&expected);
        meaning_free(&found);
    } else printf("%s%s\n", c->text, irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
}

int main(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_ocl *cl = irl_ocl_create(cx, NULL);
    int      k, device, is_all = getenv("IRL_OCLGRIND") || getenv("IRL_SOAK");
    if (cl) { /* PoCL compiles each for a tenth of a second: every second one */
        for (k = 0; k < GROUP_CASES; k++)
            for (device = is_all ? 0 : 1; device < 2 && (is_all || k % 2 == 0); device++)
                one_case(cl, cx, &group_cases[k], device);
    } else {
        TEST_NO_DEVICE(cx);
    }
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
