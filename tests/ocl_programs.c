/* ocl_programs.c - the three programs with which the design began, line by line, and what each must
   say. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define IRLAYOUT_OCL_RUNTIME
#include "../irlayout_ocl.h"
#include "test.h"

/* -------------------------------------------------------- 1. a display: native C and a proof */

IRL_LAYOUT(ssd1306, (y, x), (y / 8, x, y % 8));            /* page, column, bit */

static void test_display(void)
{
    irl_index at[3];
    IRL_AT(ssd1306, at, 13, 5);

    irl_ctx *cx = irl_ctx_create(NULL);
    irl_verdict v = irl_map_check(cx, irl_layout(cx, &ssd1306), IRL_SHAPE(64, 128));
    CHECK(at[0] == 1 && at[1] == 5 && at[2] == 5);
    CHECK(strcmp(irl_verdict_text(cx, &v), "bijective onto [8, 128, 8]") == 0);
    irl_ctx_destroy(cx);
}

/* ----------------------------------------------- 2. a kernel, and a texture layout beside it */

/* Each group of the layout is one physical axis: (n, c/4, h) are the rows, (w, c%4) the columns. */
IRL_LAYOUT(nchw4c, (n, h, w, c), (n, c / 4, h), (w, c % 4));

IRL_KERNEL(relu, (x: f32[1, 56, 56, 64], y: f32[1, 56, 56, 64]) {
    for (n: 1, h: 56, w: 56, c: 64)
        y[n, h, w, c] = max(x[n, h, w, c], 0.0f);
});

static irl_module *lowered(irl_ctx *cx)
{
    irl_func   *f  = irl_kernel(cx, &relu);

    f = irl_func_set_layout(f, "x", irl_layout(cx, &nchw4c));
    f = irl_func_set_scope(f, "x", IRL_SCOPE_TEXTURE);
    return irl_func_lower(f, &irl_target_opencl12);
}

static void test_texture(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_module *m = lowered(cx);
    const char *source = irl_ocl_source(m);
    CHECK_OK(cx);
    if (CHECK(source[0])) {
        CHECK(strstr(source, "__read_only image2d_t x") != NULL);
        CHECK(strstr(source, "read_imagef(x, ") != NULL);
        CHECK(strstr(source,
                     "x: read, f32[1, 56, 56, 64] by (n, h, w, c) -> (n, c / 4, h, |, w, c % 4)") !=
              NULL);
    }
    irl_ctx_destroy(cx);
}

/* ---------------------------------------- 3. from logical arrays, checked by the interpreter */

enum { COUNT = 56 * 56 * 64 };
static float x_data[COUNT], y_data[COUNT], y_expected[COUNT];

static void test_run(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_module *m = lowered(cx);
    int         k, wrong = 0;
    for (k = 0; k < COUNT; k++) {
        x_data[k] = (float)(k * 7919 % 2003 - 1000);
        y_data[k] = y_expected[k] = -1.0f;
    }

    irl_ocl *cl = irl_ocl_create(cx, NULL);
    if (!cl) {
        TEST_NO_DEVICE(cx);
        irl_ctx_destroy(cx);
        return;
    }
    irl_ocl_run(cl, m, IRL_ARGS(x_data, y_data));
    irl_func_interpret(irl_kernel(cx, &relu), IRL_ARGS(x_data, y_expected));

    CHECK_OK(cx);
    for (k = 0; k < COUNT; k++)
        wrong +=
            y_data[k] != y_expected[k] || y_expected[k] != (x_data[k] > 0.0f ? x_data[k] : 0.0f);
    CHECK(wrong == 0);
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
}

int main(void)
{
    test_display();
    test_texture();
    test_run();
    return TEST_DONE();
}
