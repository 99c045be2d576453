/* 34_weights.c - weights that stay the same from run to run: what is made of them is made once.

       cc -I. -I/usr/include/stb examples/34_weights.c -lm && ./a.out

   The product below reads the rows of w. Its schedule copies w so that vectors of columns are
   contiguous. irl_module_prepare cuts the module in two: the first part makes the copy, the second
   part uses it in every run. Both are modules as any other, and are interpreted here.

   This example is the first that uses these names. C: irl_module_prepare. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>

IRL_KERNEL(product, (x: f32[8, 24], w: f32[32, 24], y: f32[8, 32]) {
    for (i: 8, j: 32)
        y[i, j] = sum(k: 24, x[i, k] * w[j, k]);
});

/* The first line of a module that states the host function. */
static void print_host(const irl_module *m)
{
    const irl_func *host = irl_module_host(m);
    printf("%s(", irl_func_name(host));
    for (int k = 0; k < irl_func_param_count(host); k++)
        printf("%s%s", k ? ", " : "", irl_func_param_name(host, k));
    printf("), kernels: %d\n", irl_module_kernel_count(m));
}

int main(void)
{
    static float x[8][24], w[32][24], y[8][32], packed[32 * 24];
    irl_ctx     *cx = irl_ctx_create(NULL);
    irl_module  *m = irl_func_lower(irl_kernel(cx, &product), &irl_target_opencl12);
    irl_prepared parts = irl_module_prepare(m, "w");
    if (!parts.prepare) {
        fputs(irl_diag_text(cx), stderr);
        return 1;
    }
    print_host(m);
    print_host(parts.prepare);
    print_host(parts.run);

    for (int j = 0; j < 32; j++)
        for (int k = 0; k < 24; k++) w[j][k] = (float)(j - k);
    irl_module_interpret(parts.prepare, IRL_ARGS(w, packed));
    for (int run = 1; run <= 3; run++) {
        for (int i = 0; i < 8; i++)
            for (int k = 0; k < 24; k++) x[i][k] = (float)(run * (i == k));
        irl_module_interpret(parts.run, IRL_ARGS(x, y, packed));
        printf("run %d: y[2, 5] = %g, w[5, 2] = %g\n", run, y[2][5], w[5][2]);
    }
    int ok = irl_ok(cx);
    irl_ctx_destroy(cx);
    return ok ? 0 : 1;
}
