/* 26_device_demo.c - the main job, end to end: NHWC in logical indices, stored NCHW4c, on a device.
   `make demo` runs it.

       cc -I. -I/usr/include/stb examples/26_device_demo.c -lm -lOpenCL && ./a.out

   For the activations of two real layers it prints the function before and after each stage, the
   verdict on the layout and the OpenCL source; runs the kernel on the first OpenCL device, runs the
   reference interpreter on the function as written, and compares every element; and it measures the
   kernel beside a plain copy. Without a device it runs in the interpreter.

   New: IRL_POINTERS, irl_func_set_padding, irl_ocl_device_name, irl_ocl_memory_create,
   irl_ocl_memory_destroy, irl_ocl_memory_upload, irl_ocl_module_create, irl_ocl_module_destroy,
   irl_ocl_module_time. */
#define IRLAYOUT_IMPLEMENTATION
#define IRLAYOUT_OCL_RUNTIME
#include "irlayout_ocl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

IRL_LAYOUT(nchw4c, (n, h, w, c), (n, c / 4, h, w, c % 4));

IRL_KERNEL(relu, (x: f32[1, H, W, C], y: f32[1, H, W, C]) {
    for (n: 1, h: H, w: W, c: C)
        y[n, h, w, c] = max(x[n, h, w, c], 0.0f);
});

/* What the machine can do at best: a copy of as many floats, four at a time. */
IRL_KERNEL(copy, (x: f32x4[M], y: f32x4[M]) {
    for (i: M)
        y[i] = x[i];
});

static void print_stage(void *user, const char *pass, const char *text)
{
    const char **before = (const char **)user;
    if (*before && strcmp(*before, text) == 0) printf("---- after %s: no change\n\n", pass);
    else printf("---- after %s\n%s\n", pass, text);
    *before = text;
}

/* Least time of 50 runs on memory of the device, as GB/s of what a kernel of `bytes` reads and
   writes. 0 on failure. */
static double measure(irl_ocl *cl, const irl_module *m, double bytes, const float *x,
                      const float *y)
{
    irl_ocl_module  *built = irl_ocl_module_create(cl, m);
    struct _cl_mem *a = irl_ocl_memory_create(cl, m, 0, IRL_ARGS(x, y)),
                   *b = irl_ocl_memory_create(cl, m, 1, IRL_ARGS(x, y));
    int64_t         ns = -1;
    if (built && a && b && irl_ocl_memory_upload(cl, m, 0, IRL_ARGS(x, y), a))
        ns = irl_ocl_module_time(built, IRL_POINTERS(a, b), 50);
    irl_ocl_memory_destroy(a);
    irl_ocl_memory_destroy(b);
    irl_ocl_module_destroy(built);
    return ns > 0 ? bytes / (double)ns : 0;
}

/* Runs the module on the device, if there is one, and the function as written in the interpreter.
   Counts what differs. */
static long compare(irl_ocl *cl, const irl_func *f, const irl_module *m, long N, const float *x,
                    float *y, float *expected)
{
    long i, differ = 0;
    if (!irl_func_interpret(f, IRL_ARGS(x, expected))) return -1;
    if (cl ? !irl_ocl_run(cl, m, IRL_ARGS(x, y)) : !irl_module_interpret(m, IRL_ARGS(x, y)))
        return -1;
    for (i = 0; i < N; i++) differ += y[i] != expected[i];
    return differ;
}

static int demo(irl_ctx *cx, irl_ocl *cl, int H, int W, int C)
{
    const irl_target *target = &irl_target_opencl12;
    const char       *text = NULL;
    irl_lower_options how = { 0 };
    long              N = (long)H * W * C, M = N / 4, i, differ = -1;
    double            bytes = 2.0 * (double)N * sizeof(float);
    float *x = (float *)calloc((size_t)N, sizeof *x), *y = (float *)calloc((size_t)N, sizeof *y);
    float            *expected = (float *)calloc((size_t)N, sizeof *expected);
    irl_verdict       v = irl_map_check(cx, irl_layout(cx, &nchw4c), IRL_SHAPE(1, H, W, C));
    irl_func         *f = irl_kernel_let(cx, &relu, IRL_LET(H, W, C)), *g;
    irl_module       *m;

    printf("======== 1x%dx%dx%d, NHWC to NCHW4c\n\n", H, W, C);
    printf("the layout: %s, proved by %s\n", irl_verdict_text(cx, &v), v.method);
    printf(
        "in memory c %% 4 takes four lanes, whatever the channels; what is not used holds 0\n\n");
    g = irl_func_set_padding(irl_func_set_layout(f, "y", irl_layout(cx, &nchw4c)), "y", 0);
    text = g ? irl_func_text(g) : "";
    printf("---- as written\n%s\n", text);
    how.after_pass = print_stage;
    how.user = &text;
    m = irl_func_lower_with(g, target, &how);
    if (m) printf("---- OpenCL\n%s\n", irl_ocl_source(m));

    for (i = 0; x && i < N; i++) x[i] = (float)(rand() % 257 - 128) / 16;
    if (x && y && expected && m) differ = compare(cl, f, m, N, x, y, expected);
    printf("run by %s; %ld of %ld elements differ from the function as written, interpreted\n",
           cl ? irl_ocl_device_name(cl) : "the interpreter", differ, N);
    if (cl && differ == 0) {
        printf("%5.1f GB/s read and written, and\n", measure(cl, m, bytes, x, y));
        printf("%5.1f GB/s by a plain copy\n\n",
               measure(cl, irl_func_lower(irl_kernel_let(cx, &copy, IRL_LET(M)), target), bytes, x,
                       y));
    }
    free(x);
    free(y);
    free(expected);
    return differ == 0;
}

int main(void)
{
    irl_ctx     *cx = irl_ctx_create(NULL);
    irl_ocl_desc desc;
    irl_mark     mark = irl_ctx_mark(cx);
    irl_ocl     *cl;
    int          right;
    memset(&desc, 0, sizeof desc); /* any device */
    desc.profiling = 1;            /* its queue takes times */
    cl = irl_ocl_create(cx, &desc);
    if (!cl) { /* not fatal: take the failure back and continue */
        printf("%s\nno OpenCL device: the interpreter runs the lowered module instead\n\n",
               irl_diag_text(cx));
        irl_ctx_rewind(cx, mark);
    }
    right = demo(cx, cl, 56, 56, 64) && demo(cx, cl, 224, 224, 3);
    if (!irl_ok(cx)) fprintf(stderr, "%s\n", irl_diag_text(cx));
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return right ? 0 : 1;
}
