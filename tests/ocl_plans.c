/* ocl_plans.c - modules whose temporaries share memory, on a device: what loses its bytes is filled
   with other numbers, and the results are the interpreter's with memory for each. The memory is
   kept from run to run.

   usage  ocl_plans [FIRST [COUNT]]     seeds */
#define IRLAYOUT_OCL_RUNTIME
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/ocl/runtime.h"
#endif
#include "generate_temporaries.h"
#include "ocl_device.h"
#include "test.h"

static int shared;

static void check_seed(irl_ocl *cl, irl_ctx *cx, unsigned long seed)
{
    static gt_case c;
    irl_mark       mark = irl_ctx_mark(cx);
    int32_t        x[GT_INPUT], expected[GT_OUTPUT], found[GT_OUTPUT];
    irl_func      *f;
    irl_module    *m;
    int64_t        n;
    int            k;
    gt_generate(&c, seed, 2 + (int)(seed % 17));
    gt_input(&c, x);
    n = c.n;
    memset(expected, 0, sizeof expected);
    memset(found, 0, sizeof found);
    f = irl_func_parse(cx, c.text, IRL_TO_NUL, "generated");
    m = f && irl_func_interpret(f, IRL_POINTERS(&n, x, expected))
            ? irl_func_lower(f, &irl_target_opencl12)
            : NULL;
    if (!CHECK(m && irl_ocl_run(cl, m, IRL_POINTERS(&n, x, found)) &&
               memcmp(expected, found, sizeof found) == 0))
        printf("seed %lu: %s\n%s\n", seed, irl_diag_text(cx), test_failed < 3 ? c.text : "");
    if (m && irl_ok(cx)) {
        const irl_module_plan *p = irl_plan(m);
        for (k = 0; p && k < p->pool_count; k++) shared += p->pools[k].bytes < p->pools[k].separate;
    }
    irl_ctx_rewind(cx, mark);
}

/* A built module, run with other values in between: planned again, and the same memory where the
   values are the same. */
static void check_runs(irl_ocl *cl, irl_ctx *cx)
{
    static const char text[] =
        "func f(n: index, x: i32[n], y: i32[n]) {\n    alloc a: i32[n];\n    alloc b: i32[n * 3];\n"
        "    alloc c: i32[n];\n    alloc d: i32[5];\n"
        "    for bind(global.x) (i: n) a[i] = x[n - 1 - i] + 1;\n"
        "    for bind(global.x) (i: n * 3) b[i] = a[i / 3] * 2;\n"
        "    for bind(global.x) (i: n) c[i] = b[n * 3 - 1 - i * 3] + 5;\n"
        "    for bind(global.x) (i: 5) d[i] = c[0] + i32(i);\n"
        "    for bind(global.x) (i: n) y[i] = c[n - 1 - i] + d[2];\n}\n";
    static const int64_t sizes[] = { 40, 40, 1000, 40, 1 };
    irl_func       *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    irl_ocl_module *b = irl_ocl_module_create(cl, irl_func_lower(f, &irl_target_opencl12));
    static int32_t  x[1000], y[1000];
    cl_mem          kept = NULL;
    int             k, j, wrong = 0;
    for (k = 0; k < 1000; k++) x[k] = k;
    for (k = 0; CHECK_OK(cx) && k < 5; k++) {
        int64_t       n = sizes[k];
        irl_arguments a = IRL_POINTERS(&n, x, y), device = a;
        const irl_module *m = b->module;
        device.data[1] = irl_ocl_memory_create(cl, m, 1, a);
        device.data[2] = irl_ocl_memory_create(cl, m, 2, a);
        CHECK(irl_ocl_memory_upload(cl, m, 1, a, (cl_mem)(uintptr_t)device.data[1]));
        CHECK(irl_ocl_module_execute(b, device));
        CHECK(irl_ocl_memory_download(cl, m, 2, a, (cl_mem)(uintptr_t)device.data[2]));
        for (j = 0; j < n; j++)
            wrong += y[j] != (x[n - 1 - j] + 1) * 2 + 5 + 9;
        if (k == 1) CHECK(kept == b->plan.pools[0].memory);
        kept = b->plan.pools[0].memory;
        CHECK(kept && b->plan.pool_count == 1 && b->plan.count == 4);
        irl_ocl_memory_destroy((cl_mem)(uintptr_t)device.data[1]);
        irl_ocl_memory_destroy((cl_mem)(uintptr_t)device.data[2]);
    }
    CHECK(wrong == 0);
    irl_ocl_module_destroy(b);
}

/* An image that another one's memory became was filled with other numbers: it shows where no texel
   of its own lies. */
static void check_poisoned(irl_ocl *cl, const irl__runtime_pool *pool)
{
    static float texels[8 * 8 * 4];
    int          k, found = 0;
    CHECK(pool->size[0] * pool->size[1] == 64 &&
          irl__runtime_image_read(cl, pool->memory, pool->size, texels));
    for (k = 0; k < 64 * 4; k++) found += texels[k] == 12345.0f;
    CHECK(found == 2 * 8 * 4); /* c is 6 texels wide, and 8 high */
}

/* Images that are never alive together are one image, which is kept: 20 runs make no more. */
static void check_images(irl_ocl *cl, irl_ctx *cx)
{
    static const char text[] =
        "func f(x: f32[8, 8, 4], y: f32[8, 8, 4]) {\n    alloc a: f32[8, 8, 4] scope(texture);\n"
        "    alloc b: f32[4, 16, 4] scope(texture);\n    alloc c: f32[8, 6, 4] scope(texture);\n"
        "    for (i: 8, j: 8, k: 4) a[i, j, k] = x[i, 7 - j, k] * 2.0;\n"
        "    for (i: 4, j: 16, k: 4) b[i, j, k] = a[i, j % 8, k] + 1.0;\n"
        "    for (i: 8, j: 6, k: 4) c[i, j, k] = b[i / 2, j, k] + 1.0;\n"
        "    for (i: 8, j: 8, k: 4) y[i, j, k] = c[i, j % 6, k] + c[7 - i, j % 6, k];\n}\n";
    irl_func         *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    const irl_module *m = irl_func_lower(f, &irl_target_opencl12);
    irl_ocl_module   *b = irl_ocl_module_create(cl, m);
    static float      x[256], y[256], expected[256];
    irl_arguments     a = IRL_POINTERS(x, y), device = a;
    irl_ocl_made      made, again;
    int               k;
    if (b == NULL && irl_diag_of(cx) && irl_diag_of(cx)->code == IRL_ERROR_UNSUPPORTED) {
        TEST_SKIP("the device has no images");
        return;
    }
    for (k = 0; k < 256; k++) x[k] = (float)(k % 37);
    CHECK(irl_func_interpret(f, IRL_POINTERS(x, expected)) &&
          irl_module_interpret(m, IRL_POINTERS(x, y)) && memcmp(y, expected, sizeof y) == 0);
    device.data[0] = irl_ocl_memory_create(cl, m, 0, a);
    device.data[1] = irl_ocl_memory_create(cl, m, 1, a);
    CHECK(irl_ocl_memory_upload(cl, m, 0, a, (cl_mem)(uintptr_t)device.data[0]));
    CHECK(irl_ocl_module_execute(b, device));
    made = irl_ocl_made_of(cl);
    for (k = 0; k < 20; k++) CHECK(irl_ocl_module_execute(b, device));
    again = irl_ocl_made_of(cl);
    CHECK(again.images == made.images && again.buffers == made.buffers);
    CHECK(b->plan.pool_count == 2 && b->plan.count == 3);
    for (k = 0; k < 3 && strcmp(b->plan.list[k].buffer->name, "c") != 0; k++) {}
    if (CHECK(k < 3 && b->plan.list[k].out.pool == 0)) check_poisoned(cl, &b->plan.pools[0]);
    memset(y, 0, sizeof y);
    CHECK(irl_ocl_memory_download(cl, m, 1, a, (cl_mem)(uintptr_t)device.data[1]));
    CHECK(memcmp(y, expected, sizeof y) == 0);
    irl_ocl_memory_destroy((cl_mem)(uintptr_t)device.data[0]);
    irl_ocl_memory_destroy((cl_mem)(uintptr_t)device.data[1]);
    irl_ocl_module_destroy(b);
    CHECK_OK(cx);
}

int main(int argc, char **argv)
{
    irl_ctx      *cx = irl_ctx_create(NULL);
    irl_ocl      *cl = device_open(cx);
    unsigned long seed, first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    int           n = argc > 2 ? atoi(argv[2]) : argc > 1 ? 1 : TEST_COUNT(25);
    if (!cl) TEST_NO_DEVICE(cx);
    test_seeds(first, n);
    if (cl) cl->pretended.poisons = 1;
    for (seed = first; cl && seed < first + (unsigned long)n; seed++) check_seed(cl, cx, seed);
    if (cl && argc < 2) check_runs(cl, cx);
    if (cl && argc < 2) check_images(cl, cx);
    printf("%d pools are shared\n", shared);
    CHECK(!cl || n < 20 || shared > n / 4);
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
