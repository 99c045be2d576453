/* 22_reindex_cache.c - a schedule copies what a block reads or writes, in a layout of its choice.

       cc -I. -I/usr/include/stb examples/22_reindex_cache.c -lm && ./a.out

   The copy is called a cache. The map of the step goes from the axes of the block to the axes of
   the cache. The copy contains exactly the elements that the block reads. So a shifted access
   copies no element that is not needed, and if the block gathers elements by computed indices, the
   copy gathers them. If a map puts two different elements into one cell, the step is refused, and
   the message shows both elements.

   This example is the first that uses these names. Schedules: reindex_cache_read,
   reindex_cache_write. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>
#include <string.h>

IRL_KERNEL(shift, (A: f32[129, 129], B: f32[128, 128]) {
    for (i: 128, j: 128)
        block B(vi: spatial(128) = i, vj: spatial(128) = j) {
            B[vi, vj] = A[vi + 1, vj + 1] * 2.0f;
        }
});

IRL_SCHEDULE(read_turned, { reindex_cache_read(B, A, global, (i, j) -> (j, i)); });
IRL_SCHEDULE(write_blocked, {
    reindex_cache_write(B, B, global, (i, j) -> (i / 4, j / 4, i % 4, j % 4));
});
IRL_SCHEDULE(lossy, { reindex_cache_read(B, A, global, (i, j) -> (i % 2, j)); });

/* A matrix product. The copy has only the axes of the block that its map uses. */
IRL_KERNEL(product, (A: f32[129, 129], F: i32[128], B: f32[128, 128]) {
    for (i: 128, j: 128, k: 128)
        block B(vi: spatial(128) = i, vj: spatial(128) = j, vk: reduce(128) = k) {
            init B[vi, vj] = 0.0f;
            B[vi, vj] = B[vi, vj] + f32(F[vi]) * A[vk, vj];
        }
});

IRL_SCHEDULE(columns, { reindex_cache_read(B, A, global, (i, j, k) -> (j, k)); });

/* Numbers in memory choose the rows, so the copy gathers rows. */
IRL_KERNEL(sparse, (A: f32[129, 129], F: i32[128], B: f32[128, 128]) {
    for (i: 128, j: 128)
        block B(vi: spatial(128) = i, vj: spatial(128) = j) {
            B[vi, vj] = A[index(F[vi]), vj] * 2.0f;
        }
});

IRL_SCHEDULE(gathered, {
    reindex_cache_read(B, A, global, (i, j) -> (i / 4, j / 4, i % 4, j % 4));
});

static float A[129 * 129], B[128 * 128], expected[128 * 128];
static int   F[128];

static int run(const irl_func *f, int gathers, float *out)
{
    return gathers ? irl_func_interpret(f, IRL_ARGS(A, F, out))
                   : irl_func_interpret(f, IRL_ARGS(A, out));
}

static int show(irl_ctx *cx, const irl_source_text *kernel, const irl_source_text *steps,
                int gathers)
{
    irl_func *f = irl_kernel(cx, kernel), *g = irl_schedule(f, steps);
    int       same;
    if (!g) return 0;
    printf("%s\n%s\n", irl_schedule_text(g), irl_func_text(g));
    same = run(f, gathers, expected) && run(g, gathers, B) && memcmp(B, expected, sizeof B) == 0;
    printf("the same numbers: %s\n\n", same ? "yes" : "NO");
    return same;
}

int main(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_mark mark;
    int      k, right;
    for (k = 0; k < 129 * 129; k++) A[k] = (float)(k % 31);
    for (k = 0; k < 128; k++) F[k] = k * 37 % 129;
    puts(irl_func_text(irl_kernel(cx, &shift)));
    right = show(cx, &shift, &read_turned, 0) && show(cx, &shift, &write_blocked, 0);
    mark = irl_ctx_mark(cx);
    if (right && !irl_schedule(irl_kernel(cx, &shift), &lossy)) puts(irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
    right = right && show(cx, &product, &columns, 1) && show(cx, &sparse, &gathered, 1) &&
            show(cx, &sparse, &write_blocked, 1);
    if (!irl_ok(cx)) fprintf(stderr, "%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return right ? 0 : 1;
}
