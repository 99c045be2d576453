/* 14_schedule.c - when a function computes, said apart from what it computes.

       cc -I. -I/usr/include/stb examples/14_schedule.c -lm && ./a.out

   Each step of a schedule is proved or refused. A refusal shows two iterations and the cell in
   which they meet. What was done can be printed, edited and done again.

   New: IRL_SCHEDULE, irl_schedule, irl_schedule_text; in functions block, init, reduce, spatial;
   in schedules decompose_reduction, parallel, reorder, split, vectorize. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>

/* A sum of products; nothing here says in which order, but k of one (i, j). */
IRL_KERNEL(product, (a: f32[32, 24], b: f32[24, 40], c: f32[32, 40]) {
    for (i: 32, j: 40, k: 24)
        block c(vi: spatial(32) = i, vj: spatial(40) = j, vk: reduce(24) = k) {
            init c[vi, vj] = 0.0f;
            c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vk, vj];
        }
});

/* Tiles of 8 columns: the sums of a tile grow together, and the tile is a vector. */
IRL_SCHEDULE(tiled, {
    (jo, ji) = split(c.j, 8);
    reorder(c.i, jo, c.k, ji);
    init = decompose_reduction(c, c.k);
    parallel(c.i);
    vectorize(ji);
});

/* The order of a sum of floats is part of what the text says. */
IRL_SCHEDULE(too_far, {
    (ko, ki) = split(c.k, 4);
    reorder(ki, ko);
});

int main(void)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = irl_kernel(cx, &product);
    irl_mark  mark = irl_ctx_mark(cx);
    irl_func *g = irl_schedule(f, &tiled);

    puts(irl_ok(cx) ? irl_func_text(g) : irl_diag_text(cx));
    puts(irl_ok(cx) ? irl_schedule_text(g) : "");

    irl_ctx_rewind(cx, mark); /* g is gone, f is as it was */
    if (!irl_schedule(f, &too_far)) puts(irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return 0;
}
