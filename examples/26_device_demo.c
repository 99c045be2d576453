/* 26_device_demo.c - a whole example: a kernel in NHWC that stores NCHW4c runs on a device.
   `make demo` runs this program.

       cc -I. -I/usr/include/stb examples/26_device_demo.c -lm -lOpenCL && ./a.out

   For the activations of two real layers it prints the verdict on the layout and the OpenCL code.
   It runs the code on the first OpenCL device, compares every element with what the reference
   interpreter computes from the kernel as written, and compares its time with that of a plain copy.
   Without a device the interpreter runs the lowered module. 03_stages.c shows the stages between
   kernel and code.

   This example is the first that uses these names. C: IRL_POINTERS, irl_func_set_padding,
   irl_ocl_device_name, irl_ocl_memory_create, irl_ocl_memory_destroy, irl_ocl_memory_upload,
   irl_ocl_module_create, irl_ocl_module_destroy, irl_ocl_module_time. */
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

/* Copies the same number of floats, four at a time: the best speed that the machine can reach. */
IRL_KERNEL(copy, (x: f32x4[M], y: f32x4[M]) {
    for (i: M)
        y[i] = x[i];
});

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

/* Lowers, prints, runs, compares and times relu for an activation of H x W x C. */
static int demo(irl_ctx *cx, irl_ocl *cl, int H, int W, int C, const char *about)
{
    const irl_target *target = &irl_target_opencl12;
    const irl_map    *layout = irl_layout(cx, &nchw4c);
    long              N = (long)H * W * C, M = N / 4, stored = (long)H * W * ((C + 3) / 4 * 4), i;
    float *x = (float *)calloc((size_t)N, sizeof *x), *y = (float *)calloc((size_t)N, sizeof *y);
    float      *expected = (float *)calloc((size_t)N, sizeof *expected);
    irl_verdict v = irl_map_check(cx, layout, IRL_SHAPE(1, H, W, C));
    irl_func   *f = irl_kernel_let(cx, &relu, IRL_LET(H, W, C));
    irl_func   *g = irl_func_set_padding(irl_func_set_layout(f, "y", layout), "y", 0);
    irl_module *m = irl_func_lower(g, target);
    const char *source = m ? strstr(irl_ocl_source(m), "__kernel") : NULL;
    long        differ = -1;

    printf("== %dx%dx%d: %s\nLAYOUT %s,\n       proved by %s\n%s", H, W, C,
           about, irl_verdict_text(cx, &v), v.method, source ? source : "");

    for (i = 0; x && i < N; i++) x[i] = (float)(rand() % 257 - 128) / 16;
    if (x && y && expected && m) differ = compare(cl, f, m, N, x, y, expected);
    if (differ >= 0)
        printf("EQUAL  %ld of %ld elements differ from the kernel as written, interpreted\n",
               differ, N);
    if (cl && differ == 0) {
        irl_module *plain = irl_func_lower(irl_kernel_let(cx, &copy, IRL_LET(M)), target);
        double relu_speed = measure(cl, m, (double)(N + stored) * sizeof(float), x, y),
               copy_speed = measure(cl, plain, 8.0 * (double)M * sizeof(float), x, y);
        printf("FAST   %.1f GB/s read and written; a plain copy of x reaches %.1f GB/s\n",
               relu_speed, copy_speed);
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
    int          right, H = 56, W = 56, C = 64;
    memset(&desc, 0, sizeof desc); /* zero means any device */
    desc.profiling = 1;            /* its queue measures times */
    cl = irl_ocl_create(cx, &desc);
    if (!cl) irl_ctx_rewind(cx, mark); /* not fatal: remove the failure and continue */

    printf("KERNEL in n, h, w, c; the layout alone says where y is in memory: NCHW4c\n%s",
           irl_func_text(irl_func_set_layout(irl_kernel_let(cx, &relu, IRL_LET(H, W, C)), "y",
                                             irl_layout(cx, &nchw4c))));
    printf("DEVICE %s\n", cl ? irl_ocl_device_name(cl) : "none: the interpreter runs the module");
    right = demo(cx, cl, H, W, C,
                 "4 channels fill a float4, so every load and store is a float4") &&
            demo(cx, cl, 224, 224, 3,
                 "a pixel of x is 3 floats, so x is read float by float. c % 4\n"
                 "has 4 places, so one of each float4 of y has no channel: it is padding, kept 0");
    if (right)
        puts("\nNEXT   examples/01_layout.c, a first layout; examples/03_stages.c, each stage;\n"
             "       docs/tutorial.md, the language; docs/page/index.html, to try in a browser");
    if (!irl_ok(cx)) fprintf(stderr, "%s\n", irl_diag_text(cx));
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return right ? 0 : 1;
}
