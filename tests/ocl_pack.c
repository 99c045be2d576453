/* ocl_pack.c - packing through a layout and unpacking on an OpenCL device: every cell, with the
   padding stated and left. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define IRLAYOUT_OCL_RUNTIME
#include "../irlayout_ocl.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/map/map.h"
#endif
#include "test.h"
#include "map_truth.h"
#include "pack_cases.h"

static int run_on_device(void *user, const irl_func *f, irl_arguments arguments)
{
    const irl_module *m = irl_func_lower(f, &irl_target_opencl12);
    return m && irl_ocl_run((irl_ocl *)user, m, arguments);
}

/* A target without 64-bit integers gets its sizes as ints, and none that is too large. */
static void narrow_sizes(irl_ctx *cx, irl_ocl *cl)
{
    static const char text[] =
        "func f(n: index, k: index, x: i32[n, 4], y: i32[n, 4]) { assume(n <= 1000 && k >= -9 && k "
        "< 9); for (i: n, j: 4)"
        " y[i, j] = if_then_else(i + k >= 0 && i + k < n, x[i + k, j], i32(k)); }";
    irl_func   *f = irl_func_parse(cx, text, sizeof text - 1, NULL);
    irl_module *m = irl_func_lower(f, &irl_target_opencl12_embedded);
    int32_t     x[28], y[28], expected[28];
    int64_t     n = 7, k, i;
    for (i = 0; i < 28; i++) x[i] = (int32_t)(i * 3 - 7);
    for (k = -2; k <= 2; k += 2) {
        memset(y, 0, sizeof y);
        CHECK(irl_func_interpret(f, IRL_ARGS(&n, &k, x, expected)) &&
              irl_ocl_run(cl, m, IRL_ARGS(&n, &k, x, y)) && memcmp(y, expected, sizeof y) == 0);
    }
    CHECK_OK(cx);
    k = INT64_C(1) << 40;
    CHECK(!irl_ocl_run(cl, m, IRL_ARGS(&n, &k, x, y)));
    CHECK(!irl_ok(cx));
}

int main(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_ocl *cl = irl_ocl_create(cx, NULL);
    size_t   k;
    int      fill;
    (void)truth_nodes_of_map, (void)truth_witness, (void)truth_inverse, (void)truth_padding;
    if (!cl) {
        TEST_NO_DEVICE(cx);
        irl_ctx_destroy(cx);
        return TEST_DONE();
    }
    for (k = 0; k < sizeof pack_rows / sizeof pack_rows[0]; k++)
        for (fill = 0; fill < 2; fill++)
            if (!CHECK(pack_round_trip(cx, irl_map_parse(cx, pack_rows[k].map), pack_rows[k].shape,
                                       fill, run_on_device, cl)) ||
                !CHECK_OK(cx))
                printf("%s, fill %d\n%s\n", pack_rows[k].map, fill, irl_diag_text(cx));
    for (k = 0; k < sizeof pack_symbolic_rows / sizeof pack_symbolic_rows[0]; k++) {
        static const int64_t values[2] = { 5, 3 };
        if (!CHECK(pack_symbolic_round_trip(cx, &pack_symbolic_rows[k], values, (int)k % 2,
                                            run_on_device, cl)) ||
            !CHECK_OK(cx))
            printf("%s of %s\n%s\n", pack_symbolic_rows[k].map, pack_symbolic_rows[k].shape,
                   irl_diag_text(cx));
    }
    narrow_sizes(cx, cl);
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
