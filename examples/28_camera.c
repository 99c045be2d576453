/* 28_camera.c - an image of a camera in RAW10 is converted into planes of floats.

       cc -I. -I/usr/include/stb examples/28_camera.c -lm && ./a.out

   Four pixels take five bytes: first a byte with the high eight bits of each pixel, then one byte
   with the low two bits of all four. Two fields describe this, with strides and an offset in bits.
   They are views of one memory, and the library checks that they have no bit in common. Each square
   of two by two pixels has a red, two green and a blue one; each place in the square becomes a
   plane of the result.

   This example is the first that uses these names. Kernels: data, decl, offset, strides. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>

IRL_KERNEL(planes, (raw: u8[4, 10], plane: f32[2, 2, 2, 4]) {
    decl high: u8[4, 2, 4] data(raw) strides(80, 40, 8) field bits(lsb);
    decl low: u2[4, 2, 4] data(raw) strides(80, 40, 2) offset(32) field;
    for (a: 2, b: 2, y: 2, x: 4)
        plane[a, b, y, x] = f32(i32(high[y * 2 + a, (x * 2 + b) / 4, (x * 2 + b) % 4]) * 4
                              + i32(low[y * 2 + a, (x * 2 + b) / 4, (x * 2 + b) % 4])) / 1023.0f;
});

/* A mistake: these two fields have a bit in common. The program prints the message. */
static const char meets[] = "func f(raw: u8[5]) {\n"
                            "    decl high: u8[4] data(raw) strides(8) field bits(lsb);\n"
                            "    decl low: u2[4] data(raw) strides(2) offset(31) field;\n"
                            "    low[0] = 1;\n"
                            "}\n";

int main(void)
{
    irl_ctx      *cx = irl_ctx_create(NULL);
    unsigned char raw[4 * 10];
    float         plane[2 * 2 * 2 * 4];
    int           y, x, k, ok;
    for (y = 0; y < 4; y++) { /* pixel (y, x) is 128 y + 16 x + 3 */
        for (k = 0; k < 10; k++) raw[y * 10 + k] = 0;
        for (x = 0; x < 8; x++) {
            int value = 128 * y + 16 * x + 3;
            raw[y * 10 + x / 4 * 5 + x % 4] = (unsigned char)(value >> 2);
            raw[y * 10 + x / 4 * 5 + 4] |= (unsigned char)((value & 3) << x % 4 * 2);
        }
    }
    ok = irl_module_interpret(irl_func_lower(irl_kernel(cx, &planes), &irl_target_c99),
                              IRL_ARGS(raw, plane));
    for (k = 0; ok && k < 32; k++)
        printf("%s%6.0f%s", k % 8 ? "" : k / 8 == 0 ? "red  " : k / 8 == 3 ? "blue " : "green",
               (double)plane[k] * 1023.0, k % 8 == 7 ? "\n" : "");
    if (!irl_ok(cx)) fprintf(stderr, "%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(NULL);
    ok &= !irl_func_lower(irl_func_parse(cx, meets, IRL_TO_NUL, "meets"), &irl_target_c99);
    printf("\n%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return !ok;
}
