/* 27_display.c - a display with one bit for each pixel: a function draws a circle pixel by pixel,
   and the emitted code stores whole bytes.

       cc -I. -I/usr/include/stb examples/27_display.c -lm && ./a.out

   A byte of an SSD1306 holds eight pixels, one below the other. Eight rows of pixels are a page, so
   the place of a pixel is a page (y / 8), a column (x) and a bit (y % 8). The function stores
   pixels of type u1, and the layout says where they are. Lowering turns the nest into one that
   writes each byte once. The emitted code is C for the firmware.

   This example is the first that uses these names. C: irl_c_source_with. Kernels: layout. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>
#include <string.h>

enum { H = 32, W = 64 };

IRL_KERNEL(circle, (d: u1[32, 64]) layout(d: (y, x) -> (y / 8, x, y % 8)) {
    for (y: 32, x: 64)
        d[y, x] = u8((x - 32) * (x - 32) + (y - 16) * (y - 16) < 196);
});

/* Prints the function of the emitted C, with indices of 16 bits, without the lines around it. */
static void print_c(const irl_module *m)
{
    irl_c_options how;
    const char   *c, *end;
    memset(&how, 0, sizeof how);
    how.index = IRL_U16;
    c = irl_c_source_with(m, &how);
    end = strstr(c, "\n}\n");
    c = strstr(c, "void circle(uint8_t *d)\n");
    if (c && end > c) printf("%.*s\n}\n\n", (int)(end - c), c);
}

int main(void)
{
    irl_ctx      *cx = irl_ctx_create(NULL);
    irl_module   *m = irl_func_lower(irl_kernel(cx, &circle), &irl_target_c99);
    unsigned char bits[H * W / 8]; /* the pixels, row by row, one bit each */
    int           y, x, ok;
    print_c(m);
    ok = irl_module_interpret(m, IRL_ARGS(bits));
    for (y = 0; ok && y < H; y += 2) { /* a line of text shows two rows of pixels */
        for (x = 0; x < W; x++) {
            int above = bits[(y * W + x) / 8] >> x % 8 & 1,
                below = bits[((y + 1) * W + x) / 8] >> x % 8 & 1;
            putchar(" '.:"[above + 2 * below]);
        }
        putchar('\n');
    }
    if (!irl_ok(cx)) fprintf(stderr, "%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return !ok;
}
