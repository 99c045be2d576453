/* 01_layout.c - a layout is one line, and it means two things.

   IRL_LAYOUT makes a C function of the line. IRL_AT calls this function; it costs as much as index
   arithmetic by hand. IRL_LAYOUT also keeps the same line as a text, about which the library can
   prove something. So the line that runs is the line that is proved.

       cc -I. -I/usr/include/stb examples/01_layout.c -lm && ./a.out

   This example is the first that uses these names. C: IRL_AT, IRL_LAYOUT, IRL_SHAPE,
   irl_ctx_create, irl_ctx_destroy, irl_diag_text, irl_layout, irl_map_apply, irl_map_check,
   irl_map_parse, irl_map_text, irl_ok, irl_verdict_text. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>

/* A small display (SSD1306, 64 rows of 128 pixels). A byte holds 8 pixels, one below the other; a
   page is a row of 128 bytes. */
IRL_LAYOUT(ssd1306, (y, x), (y / 8, x, y % 8)); /* page, column, bit */

/* The activations of a network. In the program the channels are the last axis; in memory they are
   in slices of 4 channels. Each group in parentheses is one physical axis: the first group counts
   the rows of an image, the second its columns. */
IRL_LAYOUT(nchw4c, (n, h, w, c), (n, c / 4, h), (w, c % 4));

/* Prints whether a layout is right for a shape. The answer is exact, never a guess. */
static void show(irl_ctx *cx, const irl_map *map, irl_shape shape)
{
    irl_verdict v = irl_map_check(cx, map, shape);
    printf("%-50s  %s\n", irl_map_text(cx, map), irl_verdict_text(cx, &v));
}

int main(void)
{
    irl_ctx  *cx = irl_ctx_create(NULL); /* owns everything that is made below */
    irl_index at[5];
    irl_shape place;

    /* 1. In plain C, without the library: pixel (13, 5) is in page 1, column 5, bit 5. */
    IRL_AT(ssd1306, at, 13, 5);
    printf("pixel (13, 5) is page %d, column %d, bit %d\n", (int)at[0], (int)at[1], (int)at[2]);

    /* 2. The library computes the same from the same line. */
    if (irl_map_apply(cx, irl_layout(cx, &ssd1306), IRL_SHAPE(13, 5), &place))
        printf("the library says page %d, column %d, bit %d\n\n", (int)place.extent[0],
               (int)place.extent[1], (int)place.extent[2]);

    /* 3. Does every pixel have its own place? "bijective" means yes, and no cell is unused. */
    show(cx, irl_layout(cx, &ssd1306), IRL_SHAPE(64, 128));
    show(cx, irl_layout(cx, &nchw4c), IRL_SHAPE(1, 56, 56, 64));
    /* 58 channels do not fill the last slice of four. So the layout is injective (different
       elements have different cells), and the verdict counts the unused cells. */
    show(cx, irl_layout(cx, &nchw4c), IRL_SHAPE(1, 28, 28, 58));
    /* A mistake: the layout loses y % 8. The verdict shows two pixels that collide. */
    show(cx, irl_map_parse(cx, "(y, x) -> (y/8, x)"), IRL_SHAPE(64, 128));
    /* "..." makes a layout for any number of axes. */
    show(cx, irl_map_parse(cx, "(..., c) -> (..., c/4, c%4)"), IRL_SHAPE(2, 3, 5, 16));

    /* the context keeps the first failure, so one check at the end is enough */
    if (!irl_ok(cx)) fprintf(stderr, "%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return 0;
}
