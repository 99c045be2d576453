/* 06_firmware.c - a layout on a microcontroller: no allocator, no 64-bit arithmetic, and a proof
   before the first pixel.

       cc -I. -I/usr/include/stb examples/06_firmware.c -lm && ./a.out

   Drawing needs only the function that IRL_LAYOUT makes. If you define IRL_NO_LIBC_ALLOCATOR,
   malloc is not linked. The self-test uses one block of memory from the caller, and says whether
   the block was large enough. (You can also run the self-test on your computer, as a build step.
   Then the firmware needs only the public part of the header.) This program uses layouts alone, so
   irlayout_map.h would do as well: it compiles in a quarter of the time.

   This example is the first that uses these names. C: irl_ctx_memory. */
#define IRL_NO_LIBC_ALLOCATOR
#define IRL_INDEX_TYPE int32_t /* on a Cortex-M a 64-bit division calls a function */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>

enum { HEIGHT = 64, WIDTH = 128 };

IRL_LAYOUT(ssd1306, (y, x), (y / 8, x, y % 8)); /* page, column, bit */

static uint8_t frame[HEIGHT / 8][WIDTH]; /* what is sent to the display, byte by byte */

static void set_pixel(int32_t y, int32_t x)
{
    irl_index at[3];
    IRL_AT(ssd1306, at, y, x);
    frame[at[0]][at[1]] = (uint8_t)(frame[at[0]][at[1]] | 1u << at[2]);
}

static int is_set(int32_t y, int32_t x)
{
    irl_index at[3];
    IRL_AT(ssd1306, at, y, x);
    return frame[at[0]][at[1]] >> at[2] & 1;
}

/* If the layout is wrong, the device reports it at power-on instead of showing garbage. */
static int self_test(void)
{
    static unsigned char block[64 * 1024];
    static irl_ctx_desc      desc; /* zero is the default of every field */
    irl_ctx             *cx;
    irl_verdict          v;
    desc.block = block;
    desc.block_bytes = sizeof block;
    cx = irl_ctx_create(&desc);
    v = irl_map_check(cx, irl_layout(cx, &ssd1306), IRL_SHAPE(HEIGHT, WIDTH));
    printf("self-test: %s\n", irl_ok(cx) ? irl_verdict_text(cx, &v) : irl_diag_text(cx));
    printf("a block of %u KiB was enough: %s\n\n", (unsigned)(sizeof block / 1024),
           irl_ctx_memory(cx).peak <= sizeof block ? "yes" : "no");
    irl_ctx_destroy(cx); /* frees nothing: the block belongs to the caller */
    return v.kind == IRL_BIJECTIVE;
}

int main(void)
{
    int32_t y, x;
    if (!self_test()) return 1;
    for (y = 0; y < HEIGHT; y++)
        for (x = 0; x < WIDTH; x++) {
            int32_t dy = y - 32, dx = x - 64, r = dy * dy + dx * dx;
            if (r > 22 * 22 && r < 26 * 26) set_pixel(y, x);
        }
    for (y = 0; y < HEIGHT; y += 4) { /* one character for 4 rows by 2 columns */
        for (x = 0; x < WIDTH; x += 2) putchar(is_set(y, x) ? '#' : '.');
        putchar('\n');
    }
    return 0;
}
