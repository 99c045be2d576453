/* 12_two_kernels.c - a function that becomes two kernels: one copies into an image, the other reads
   the image.

       cc -I. -I/usr/include/stb examples/12_two_kernels.c -lm && ./a.out

   The temporary is in scope texture, so it becomes an image, which the host function allocates for
   its two launches. Its shape [32, 32, 4] is 32 rows of 32 texels of 4 lanes. The loops say how the
   work is divided into work-items. The last loop runs over the four lanes of a texel, which are
   read and written together. The test program ocl_textures runs this module on a device.

   This example is the first that uses these names. C: irl_module_interpret. Kernels: alloc,
   bind, local, scope, texture, vectorized. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout_ocl.h"

#include <stdio.h>

IRL_KERNEL(addone, (X: f32[32, 32, 4], Y: f32[32, 32, 4]) {
    alloc Xt: f32[32, 32, 4] scope(texture);
    for bind(group.x) (x: 32)
        for bind(local.x) (y: 32)
            for vectorized (c: 4)
                Xt[x, y, c] = X[x, y, c];
    for bind(group.x) (xo: 8)
        for bind(local.x) (yo: 8)
            for (xi: 4, yi: 4)
                for vectorized (c: 4)
                    Y[xo * 4 + xi, yo * 4 + yi, c] = Xt[xo * 4 + xi, yo * 4 + yi, c] + 1.0f;
});

int main(void)
{
    irl_ctx      *cx = irl_ctx_create(NULL);
    irl_module   *m = irl_func_lower(irl_kernel(cx, &addone), &irl_target_opencl12);
    const char   *source = irl_ocl_source(m);
    static float  x[32 * 32 * 4], y[32 * 32 * 4];
    int           k, wrong = 0;

    for (k = 0; k < 32 * 32 * 4; k++) x[k] = (float)k;
    if (!irl_module_interpret(m, IRL_ARGS(x, y))) {
        puts(irl_diag_text(cx));
        irl_ctx_destroy(cx);
        return 1;
    }
    for (k = 0; k < 32 * 32 * 4; k++) wrong += y[k] != x[k] + 1.0f;
    puts(irl_module_text(m));
    puts(source);
    printf("in the interpreter %d of %d elements differ\n", wrong, k);
    irl_ctx_destroy(cx);
    return wrong != 0;
}
