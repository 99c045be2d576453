/* 29_quantized.c - weights are packed into blocks of Q4_0, multiplied by a vector in this form, and
   unpacked.

       cc -I. -I/usr/include/stb examples/29_quantized.c -lm && ./a.out

   A block has 18 bytes: a scale d of type f16, then 32 nibbles q (numbers of 4 bits). Element j is
   the low nibble of byte 2 + j, element 16 + j is its high nibble. A weight is d * (q - 8), so q =
   8 means 0. The scale d is the weight of greatest absolute value, divided by -8 (no block here is
   all zeros). Fields are views of the bytes, so no function shifts or masks. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>

enum { ROWS = 4, BLOCKS = 2 };

IRL_KERNEL(pack, (x: f32[4, 2, 2, 16], w: u8[4, 36]) {
    decl d: f16[4, 2] data(w) strides(288, 144) field bits(lsb);
    decl q: u4[4, 2, 2, 16] data(w) strides(288, 144, 4, 8) offset(16) field;
    for (r: 4, b: 2) {
        let most = max(t: 2, j: 16, x[r, b, t, j]);
        let least = min(t: 2, j: 16, x[r, b, t, j]);
        let scale = (most > -least ? most : least) / -8.0f;
        d[r, b] = f16(scale);
        for (t: 2, j: 16)
            q[r, b, t, j] = u8(min(15.0f, x[r, b, t, j] / scale + 8.5f));
    }
});

IRL_KERNEL(unpack, (w: u8[4, 36], y: f32[4, 2, 2, 16]) {
    decl d: f16[4, 2] data(w) strides(288, 144) field bits(lsb);
    decl q: u4[4, 2, 2, 16] data(w) strides(288, 144, 4, 8) offset(16) field;
    for (r: 4, b: 2, t: 2, j: 16)
        y[r, b, t, j] = f32(d[r, b]) * f32(i32(q[r, b, t, j]) - 8);
});

IRL_KERNEL(product, (w: u8[4, 36], v: f32[2, 2, 16], y: f32[4]) {
    decl d: f16[4, 2] data(w) strides(288, 144) field bits(lsb);
    decl q: u4[4, 2, 2, 16] data(w) strides(288, 144, 4, 8) offset(16) field;
    for (r: 4)
        y[r] = sum(b: 2, f32(d[r, b]) * sum(t: 2, j: 16, f32(i32(q[r, b, t, j]) - 8) * v[b, t, j]));
});

static float x[ROWS * BLOCKS * 32], back[ROWS * BLOCKS * 32], v[BLOCKS * 32], y[ROWS];

static irl_module *lowered(irl_ctx *cx, const irl_source_text *kernel)
{
    return irl_func_lower(irl_kernel(cx, kernel), &irl_target_c99);
}

int main(void)
{
    irl_ctx      *cx = irl_ctx_create(NULL);
    unsigned char w[ROWS * BLOCKS * 18];
    double        exact, error = 0;
    int           k, r, ok;
    for (k = 0; k < ROWS * BLOCKS * 32; k++) x[k] = (float)(k * 37 % 61 - 30) / 15.0f;
    for (k = 0; k < BLOCKS * 32; k++) v[k] = (float)(k % 5 - 2);
    ok = irl_module_interpret(lowered(cx, &pack), IRL_ARGS(x, w)) &&
         irl_module_interpret(lowered(cx, &unpack), IRL_ARGS(w, back)) &&
         irl_module_interpret(lowered(cx, &product), IRL_ARGS(w, v, y));
    printf("the first block:");
    for (k = 0; k < 18; k++) printf(" %02x", w[k]);
    for (k = 0; k < ROWS * BLOCKS * 32; k++) {
        double off = (double)(x[k] - back[k]);
        error = error < off ? off : error < -off ? -off : error;
    }
    printf("\nweights of -2 to 2 come back with an error of up to %.3f\n", error);
    for (r = 0; r < ROWS; r++) {
        for (exact = 0, k = 0; k < BLOCKS * 32; k++)
            exact += (double)(back[r * BLOCKS * 32 + k] * v[k]);
        printf("row %d: %.4f, from the unpacked ones %.4f\n", r, (double)y[r], exact);
    }
    if (!irl_ok(cx)) fprintf(stderr, "%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return !ok;
}
