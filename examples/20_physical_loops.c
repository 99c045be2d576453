/* 20_physical_loops.c - a layout, and loops in the order of the cells in memory.

       cc -I. -I/usr/include/stb examples/20_physical_loops.c -lm && ./a.out

   transform_layout changes how a buffer is laid out in memory: every access to it uses the map. If
   the step names loops as results, the nest that stores the buffer gets new loops: one for each
   axis of memory, in the order of memory. The inverse of the map computes the old indices from
   these loops. Callers pass the same arrays as before. (This follows TVM's RFC 39, "Buffer Physical
   Layout".)

   This example is the first that uses these names. Schedules: transform_layout. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>

IRL_KERNEL(copy, (A: f32[16, 64, 128], B: f32[16, 64, 128]) {
    for (i: 16, j: 64, k: 128)
        B[i, j, k] = 2.0f * A[i, j, k];
});

/* B is stored by new loops. A is only read, so only its accesses change. */
IRL_SCHEDULE(copy_in_order, {
    (io, jk, ii) = transform_layout(B, B, (i, j, k) -> (i / 4, 128 * j + k, i % 4));
    reorder(io, ii, jk);
    transform_layout(B, A, (i, j, k) -> (i * 64 + j, k / 4, k % 4));
});

IRL_KERNEL(matmul, (A: f32[64, 48], B: f32[48, 32], C: f32[64, 32]) {
    C: for (i: 64, j: 32)
        C[i, j] = sum(k: 48, A[i, k] * B[k, j]);
});

/* B and C get panels of 8 columns, as in fast matrix products. So each iteration of k reads 8
   neighbouring elements of B and adds to 8 neighbouring elements of C. */
IRL_SCHEDULE(matmul_in_order, {
    transform_layout(C, B, (k, j) -> (j / 8, k, j % 8));
    transform_layout(C, C, (i, j) -> (j / 8, i, j % 8));
    (jo, ji) = split(C.j, 8);
    reorder(jo, C.i, C.k, ji);
});

static float a[16 * 64 * 128], b[16 * 64 * 128], expected[16 * 64 * 128], found[16 * 64 * 128];

/* Prints the function, the schedule and the function after it. Returns 1 if both functions compute
   the same numbers. */
static int show(irl_ctx *cx, const irl_source_text *kernel, const irl_source_text *steps,
                int is_matmul)
{
    irl_func *f = irl_kernel(cx, kernel), *g = irl_schedule(f, steps);
    size_t    k;
    int       same;
    if (!irl_ok(cx)) return 0;
    printf("%s\n%s\n%s\n", irl_func_text(f), irl_schedule_text(g), irl_func_text(g));
    same = is_matmul ? irl_func_interpret(f, IRL_ARGS(a, b, expected)) &&
                           irl_func_interpret(g, IRL_ARGS(a, b, found))
                     : irl_func_interpret(f, IRL_ARGS(a, expected)) &&
                           irl_func_interpret(g, IRL_ARGS(a, found));
    for (k = 0; k < sizeof found / sizeof *found; k++) same &= found[k] == expected[k];
    printf("the same numbers: %s\n\n", same ? "yes" : "NO");
    return same;
}

int main(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    size_t   k;
    int      right;
    for (k = 0; k < sizeof a / sizeof *a; k++) a[k] = (float)(k % 31), b[k] = (float)(k % 17);
    right = show(cx, &copy, &copy_in_order, 0) && show(cx, &matmul, &matmul_in_order, 1);
    if (!irl_ok(cx)) fprintf(stderr, "%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return right ? 0 : 1;
}
