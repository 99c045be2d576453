/* 14_schedule.c - a schedule says in which order a function computes; the function says what.

       cc -I. -I/usr/include/stb examples/14_schedule.c -lm && ./a.out

   Each step of a schedule is proved or refused. A refusal shows two iterations and the cell that
   both touch. The steps that were applied can be printed as text, edited and applied again.

   This example is the first that uses these names. C: IRL_SCHEDULE, irl_schedule,
   irl_schedule_text. Kernels: block, init, reduce, spatial. Schedules: decompose_reduction,
   parallel, reorder, split, vectorize. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>

/* A sum of products. The order of k within one (i, j) matters; the rest may run in any order. */
IRL_KERNEL(product, (a: f32[32, 24], b: f32[24, 40], c: f32[32, 40]) {
    for (i: 32, j: 40, k: 24)
        block c(vi: spatial(32) = i, vj: spatial(40) = j, vk: reduce(24) = k) {
            init c[vi, vj] = 0.0f;
            c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vk, vj];
        }
});

/* Tiles of 8 columns: the 8 sums of a tile are computed together, as a vector. */
IRL_SCHEDULE(tiled, {
    (jo, ji) = split(c.j, 8);
    reorder(c.i, jo, c.k, ji);
    init = decompose_reduction(c, c.k);
    parallel(c.i);
    vectorize(ji);
});

/* The order in which floats are added is part of the function, so this schedule is refused. */
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

    irl_ctx_rewind(cx, mark); /* g no longer exists, f is unchanged */
    if (!irl_schedule(f, &too_far)) puts(irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return 0;
}
