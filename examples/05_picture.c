/* 05_picture.c - see a layout, a function, and the order in which it touches memory.

       cc -I. -I/usr/include/stb examples/05_picture.c -lm && ./a.out

   A picture is a text: characters for a terminal, or SVG for a page (irl_picture_options.form).
   In SVG the cells of one word of memory have the same colour. Padding is hatched, and points that
   collide are marked. The library returns the text; the program prints it.

   This example is the first that uses these names. C: irl_func_access_map, irl_func_picture,
   irl_map_picture, irl_map_picture_with. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>
#include <string.h>

IRL_LAYOUT(words, (i), (i / 4, i % 4));
IRL_LAYOUT(forgotten, (y, x), (y / 2, x)); /* y % 2 is missing */

IRL_KERNEL(turn, (x: f32[4, 6], y: f32[6, 4]) {
    for (i: 4, j: 6)
        y[5 - j, i] = x[i, j];
});

int main(void)
{
    irl_ctx            *cx = irl_ctx_create(NULL);
    irl_func           *f = irl_kernel(cx, &turn);
    irl_picture_options how;
    const irl_map      *order;
    irl_shape           runs;

    puts(irl_map_picture(cx, irl_layout(cx, &words), IRL_SHAPE(10)));
    puts(irl_map_picture(cx, irl_layout(cx, &forgotten), IRL_SHAPE(4, 6)));
    puts(irl_func_picture(f));

    /* access 1 is the store; its map goes from the loop variables to the element that is written */
    order = irl_func_access_map(f, 1, &runs);
    memset(&how, 0, sizeof how);
    how.is_access = 1;
    how.side = IRL_PICTURE_MEMORY;
    puts(irl_map_picture_with(cx, order, runs, &how));

    puts(irl_ok(cx) ? "all of it was drawn" : irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return 0;
}
