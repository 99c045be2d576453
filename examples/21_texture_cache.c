/* 21_texture_cache.c - a schedule copies the input to a texture first: two kernels, two launches.

       cc -I. -I/usr/include/stb examples/21_texture_cache.c -lm -lOpenCL && ./a.out

   cache_read copies the tensor before the nest that reads it. The copy is an image: its last axis,
   of extent 4, is the texel, the axis before it counts the columns, and the others count the rows.
   Both nests are bound to work-items, so each becomes a kernel. First 32 groups of 32 work-items
   copy. Then 8 groups of 8 work-items add 1 to each number; each work-item computes 4 x 4 texels.

   This example is the first that uses these names. C: irl_ocl_create, irl_ocl_destroy,
   irl_ocl_emit, irl_ocl_kernel_sizes, irl_ocl_run. Schedules: cache_read. */
#define IRLAYOUT_IMPLEMENTATION
#define IRLAYOUT_OCL_RUNTIME
#include "irlayout_ocl.h"

#include <stdio.h>
#include <string.h>

IRL_KERNEL(addone, (X: f32[32, 32, 4], Y: f32[32, 32, 4]) {
    for (x: 32, y: 32, c: 4)
        Y[x, y, c] = X[x, y, c] + 1.0f;
});

IRL_SCHEDULE(through_texture, {
    Xt = cache_read(Y, X, texture);
    bind(Xt.ax0, group.x);
    bind(Xt.ax1, local.x);
    vectorize(Xt.ax2);

    (xo, xi) = split(Y.x, 4);
    (yo, yi) = split(Y.y, 4);
    reorder(xo, yo, xi, yi);
    bind(xo, group.x);
    bind(yo, local.x);
    vectorize(Y.c);
});

enum { COUNT = 32 * 32 * 4 };
static float x[COUNT], y[COUNT], expected[COUNT];

/* Prints the number of groups and work-items of each kernel. */
static void print_launches(irl_ctx *cx, const irl_module *m)
{
    const irl_ocl_program *p = irl_ocl_emit(m);
    size_t                 global[3], local[3];
    int                    k;
    for (k = 0; p && k < p->kernel_count; k++)
        if (irl_ocl_kernel_sizes(cx, &p->kernels[k], NULL, global, local))
            printf("%s: %d groups of %d\n", p->kernels[k].name, (int)(global[0] / local[0]),
                   (int)local[0]);
}

/* Runs on the first device. Without a device, or without images, the interpreter runs it. */
static int run(irl_ctx *cx, const irl_module *m)
{
    irl_mark mark = irl_ctx_mark(cx);
    irl_ocl *cl = irl_ocl_create(cx, NULL);
    int      done = cl && irl_ocl_run(cl, m, IRL_ARGS(x, y));
    irl_ocl_destroy(cl);
    if (done) return 1;
    fprintf(stderr, "the interpreter runs it: %s\n", irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
    return irl_module_interpret(m, IRL_ARGS(x, y));
}

int main(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_kernel(cx, &addone), *g = irl_schedule(f, &through_texture);
    irl_module *m = irl_func_lower(g, &irl_target_opencl12);
    int         k, same = 0;
    for (k = 0; k < COUNT; k++) x[k] = (float)(k % 31);
    if (m) {
        printf("%s\n%s\n%s\n", irl_func_text(f), irl_schedule_text(g), irl_func_text(g));
        print_launches(cx, m);
        same = irl_func_interpret(f, IRL_ARGS(x, expected)) && run(cx, m) &&
               memcmp(y, expected, sizeof y) == 0;
    }
    printf("the same numbers: %s\n", same ? "yes" : "NO");
    if (!irl_ok(cx)) fprintf(stderr, "%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return same ? 0 : 1;
}
