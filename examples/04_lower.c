/* 04_lower.c - from a kernel in logical indices and a layout to OpenCL C.

       cc -I. -I/usr/include/stb examples/04_lower.c -lm && ./a.out

   The kernel does not say how x is laid out; irl_func_set_layout says it. irl_func_lower rewrites
   every access, makes one index of several (flattens), and splits the function into a host function
   and its kernels. irl_ocl_source prints the kernels. To change the layout, change only its line.

   This example is the first that uses these names. C: irl_func_lower, irl_kernel,
   irl_module_text, irl_ocl_source. Kernels: max. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout_ocl.h"

#include <stdio.h>

IRL_LAYOUT(nchw4c, (n, h, w, c), (n, c / 4, h, w, c % 4));

IRL_KERNEL(relu, (x: f32[1, 56, 56, 64], y: f32[1, 56, 56, 64]) {
    for (n: 1, h: 56, w: 56, c: 64)
        y[n, h, w, c] = max(x[n, h, w, c], 0.0f);
});

int main(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_kernel(cx, &relu);
    irl_module *m;
    const char *source;

    /* this only records the layout; the pass apply_layouts applies it */
    f = irl_func_set_layout(f, "x", irl_layout(cx, &nchw4c));
    m = irl_func_lower(f, &irl_target_opencl12);
    source = irl_ocl_source(m);

    if (m) puts(irl_module_text(m)); /* the host function, and what each kernel computes */
    puts(irl_ok(cx) ? source : irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return source[0] ? 0 : 1;
}
