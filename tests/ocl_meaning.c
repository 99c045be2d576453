/* ocl_meaning.c - what functions mean where nobody looks is the same on an OpenCL device. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define IRLAYOUT_OCL_RUNTIME
#include "../irlayout_ocl.h"
#include "test.h"
#include "meaning.h"
#include "meaning_cases.h"
#include "deep_cases.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static int on_device(void *user, const irl_module *m, irl_arguments arguments)
{
    return irl_ocl_run((irl_ocl *)user, m, arguments);
}

static void test_sizes(irl_ctx *cx, irl_ocl *cl, int count, const char *const *texts)
{
    static const int64_t sizes[] = { -3, 6, 0 };
    meaning              c;
    int                  k, n, m;
    memset(&c, 0, sizeof c);
    for (k = 0; k < count; k++)
        for (n = 0; n < COUNT(sizes); n++)
            for (m = 0; m < 2; m++) {
                c.text = texts[k];
                c.n = sizes[n];
                c.m = sizes[m];
                meaning_check(cx, &c, on_device, cl);
            }
}

static void test_cases(irl_ctx *cx, irl_ocl *cl, int count, const meaning *cases)
{
    int k;
    for (k = 0; k < count; k++) meaning_check(cx, &cases[k], on_device, cl);
}

/* Deep expressions compile, and give the same numbers. */
static void test_deep(irl_ctx *cx, irl_ocl *cl)
{
    int k;
    for (k = 0; k < COUNT(deep_cases); k++) {
        irl_mark     mark = irl_ctx_mark(cx);
        meaning      c;
        meaning_data expected, found;
        char        *text = deep_text(&deep_cases[k], 400);
        irl_func    *f = irl_func_parse(cx, text, strlen(text), "deep");
        memset(&c, 0, sizeof c);
        if (CHECK(f && meaning_arguments(f, &c, &expected) && meaning_arguments(f, &c, &found))) {
            CHECK(irl_func_interpret(f, expected.arguments));
            CHECK(irl_ocl_run(cl, irl_func_lower(f, &irl_target_opencl12), found.arguments));
            if (!CHECK(irl_ok(cx) && meaning_same(&expected, &found)))
                printf("deep case %d: %s\n", k, irl_diag_text(cx));
            meaning_free(&expected);
            meaning_free(&found);
        }
        free(text);
        irl_ctx_rewind(cx, mark);
    }
}

int main(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_ocl *cl = irl_ocl_create(cx, NULL);
    if (cl) {
        test_sizes(cx, cl, COUNT(empty_loops), empty_loops);
        test_sizes(cx, cl, COUNT(sized_loops), sized_loops);
        test_cases(cx, cl, COUNT(memory_cases), memory_cases);
        test_cases(cx, cl, COUNT(parallel_cases), parallel_cases);
        test_deep(cx, cl);
    } else {
        TEST_NO_DEVICE(cx);
    }
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
