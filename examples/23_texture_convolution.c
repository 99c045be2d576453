/* 23_texture_convolution.c - a convolution whose tensors are images, NCHW4c and OIHW4o.

       cc -I. -I/usr/include/stb examples/23_texture_convolution.c -lm -lOpenCL && ./a.out

   The function says what is computed, the layouts say how tensors are laid out in memory, and the
   schedule says in which order. A kernel may either read or write an image, and only by whole
   texels. So the schedule computes sums in registers (cache_write, reverse_compute_at): four output
   channels of one point at a time. When they are complete, they are stored as one texel. */
#define IRLAYOUT_IMPLEMENTATION
#define IRLAYOUT_OCL_RUNTIME
#include "irlayout_ocl.h"

#include <stdio.h>
#include <string.h>

IRL_LAYOUT(nchw4c, (n, h, v, c), (n, c / 4, h), (v, c % 4));
IRL_LAYOUT(oihw4o, (kh, kv, c, o), (o / 4), (c, kh, kv, o % 4));

IRL_KERNEL(conv, (x: f32[1, 18, 18, 16], w: f32[3, 3, 16, 32], y: f32[1, 16, 16, 32]) {
    for (n: 1, h: 16, v: 16, o: 32)
        y[n, h, v, o] = sum(kh: 3, kv: 3, c: 16, x[n, h + kh, v + kv, c] * w[kh, kv, c, o]);
});

IRL_SCHEDULE(by_texels, {
    acc = cache_write(y, y, local);
    (oo, oi) = split(y.o, 4);
    (co, ci) = split(y.c, 4);
    reorder(oo, y.h, y.v, y.kh, y.kv, co, ci, oi);
    reverse_compute_at(acc, y.v);
    init = decompose_reduction(y, y.kh);
    bind(oo, global.z);
    bind(y.h, global.y);
    bind(y.v, global.x);
    unroll(ci);
    vectorize(init.oi);
    vectorize(oi);
    vectorize(acc.ax3);
});

enum { INPUT = 18 * 18 * 16, FILTER = 3 * 3 * 16 * 32, OUTPUT = 16 * 16 * 32 };
static float x[INPUT], w[FILTER], y[OUTPUT], expected[OUTPUT];

/* Runs on the first device. Without a device, or without images, the interpreter runs it. */
static int run(irl_ctx *cx, const irl_module *m)
{
    irl_mark mark = irl_ctx_mark(cx);
    irl_ocl *cl = irl_ocl_create(cx, NULL);
    int      done = cl && irl_ocl_run(cl, m, IRL_ARGS(x, w, y));
    irl_ocl_destroy(cl);
    if (done) return 1;
    fprintf(stderr, "the interpreter runs it: %s\n", irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
    return irl_module_interpret(m, IRL_ARGS(x, w, y));
}

int main(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_kernel(cx, &conv), *g = irl_schedule(f, &by_texels);
    irl_module *m;
    int         k, same = 0;
    if (g) printf("%s\n%s\n%s\n", irl_func_text(f), irl_schedule_text(g), irl_func_text(g));
    g = irl_func_set_layout(g, "x", irl_layout(cx, &nchw4c));
    g = irl_func_set_layout(g, "w", irl_layout(cx, &oihw4o));
    g = irl_func_set_layout(g, "y", irl_layout(cx, &nchw4c));
    g = irl_func_set_scope(g, "x", IRL_SCOPE_TEXTURE);
    g = irl_func_set_scope(g, "w", IRL_SCOPE_TEXTURE_WEIGHT);
    g = irl_func_set_scope(g, "y", IRL_SCOPE_TEXTURE);
    m = irl_func_lower(g, &irl_target_opencl12);
    for (k = 0; k < INPUT; k++) x[k] = (float)(k % 31 - 15);
    for (k = 0; k < FILTER; k++) w[k] = (float)(k % 17 - 8);
    if (m) {
        printf("%s\n", irl_ocl_source(m));
        same = irl_func_interpret(f, IRL_ARGS(x, w, expected)) && run(cx, m) &&
               memcmp(y, expected, sizeof y) == 0;
    }
    printf("the same numbers: %s\n", same ? "yes" : "NO");
    if (!irl_ok(cx)) fprintf(stderr, "%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return same ? 0 : 1;
}
