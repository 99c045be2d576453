/* 15_reduction.c - a convolution in one line, a schedule by hand, and an automatic one.

       cc -I. -I/usr/include/stb examples/15_reduction.c -lm && ./a.out

   The parser turns sum(ranges, value) into a block with an init. The order of the sum is free.
   Schedules name the block by its label, conv, and its loops conv.n, ..., conv.c.

   This example is the first that uses these names. C: irl_schedule_auto. Kernels: sum.
   Schedules: bind, cache_write, reverse_compute_at, unroll. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>

IRL_KERNEL(conv, (x: f32[1, 58, 58, 64], w: f32[3, 3, 64, 64], y: f32[1, 56, 56, 64]) {
    conv: for (n: 1, h: 56, v: 56, o: 64)
        y[n, h, v, o] = sum(kh: 3, kw: 3, c: 64, x[n, h + kh, v + kw, c] * w[kh, kw, c, o]);
});

IRL_SCHEDULE(tiled, {
    acc = cache_write(conv, y, local);
    (vo, vi) = split(conv.v, 7);
    (oo, oi) = split(conv.o, 16);
    reorder(conv.h, vo, oo, conv.kh, conv.kw, conv.c, vi, oi);
    reverse_compute_at(acc, oo);
    bind(conv.h, global.y); bind(vo, global.x);
    unroll(vi); vectorize(oi);
});

/* A sum inside a larger expression becomes a separate nest, row.sum. */
IRL_KERNEL(mean, (x: f32[64, 128], y: f32[64]) {
    row: for (i: 64) y[i] = sum(k: 128, x[i, k]) / 128.0f;
});

IRL_SCHEDULE(by_parts, { (ko, ki) = split(row.sum.k, 8); reorder(ki, ko); parallel(row.i); });

int main(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_kernel(cx, &conv);
    irl_func   *g = irl_schedule(f, &tiled);
    const char *made = irl_schedule_auto(f, &irl_target_opencl12);

    puts(irl_ok(cx) ? irl_func_text(f) : irl_diag_text(cx));
    puts(irl_ok(cx) ? irl_func_text(g) : "");
    puts(irl_ok(cx) ? made : "");

    g = irl_schedule(irl_kernel(cx, &mean), &by_parts);
    puts(irl_ok(cx) ? irl_func_text(g) : irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return 0;
}
