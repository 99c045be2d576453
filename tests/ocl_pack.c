/* ocl_pack.c - packing through a layout and unpacking on an OpenCL device: every cell, with the padding stated and left. */
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
    const irl_module *m = irl_lower(f, &irl_target_opencl12);
    return m && irl_ocl_run((irl_ocl *)user, m, arguments);
}

int main(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_ocl *cl = irl_ocl_open(cx, NULL);
    size_t   k;
    int      fill;
    (void)truth_nodes_of_map, (void)truth_witness, (void)truth_inverse, (void)truth_padding;
    if (!cl) {
        CHECK_CODE(cx, IRL_ERROR_NO_DEVICE);
        printf("no device\n%d passed, %d failed, 1 skipped\n", test_passed, test_failed);
        irl_ctx_destroy(cx);
        return test_failed != 0;
    }
    for (k = 0; k < sizeof pack_rows / sizeof pack_rows[0]; k++)
        for (fill = 0; fill < 2; fill++)
            if (!CHECK(pack_round_trip(cx, irl_map_parse(cx, pack_rows[k].map), pack_rows[k].shape, fill, run_on_device, cl)) || !CHECK_OK(cx))
                printf("%s, fill %d\n%s\n", pack_rows[k].map, fill, irl_diag_text(cx));
    for (k = 0; k < sizeof pack_symbolic_rows / sizeof pack_symbolic_rows[0]; k++) {
        static const int64_t values[2] = { 5, 3 };
        if (!CHECK(pack_symbolic_round_trip(cx, &pack_symbolic_rows[k], values, (int)k % 2, run_on_device, cl)) || !CHECK_OK(cx))
            printf("%s of %s\n%s\n", pack_symbolic_rows[k].map, pack_symbolic_rows[k].shape, irl_diag_text(cx));
    }
    irl_ocl_close(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
