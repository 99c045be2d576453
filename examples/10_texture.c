/* 10_texture.c - the function of 04_lower.c reads from an image.

       cc -I. -I/usr/include/stb examples/10_texture.c -lm && ./a.out

   The layout of an image has two groups of axes: (n, c/4, h) count the rows of the image, (w, c%4)
   the columns. The innermost axis, c%4, is the texel. The function does not change: the layout gets
   two groups, and the scope says which memory x is in. The width and the height of an image are
   limited, so a layout that fits one tensor may not fit another one. irl_texture_candidates lists
   the layouts for a shape. If a layout does not fit, the list gives the reason.

   This example is the first that uses these names. C: irl_func_set_scope,
   irl_texture_candidates. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout_ocl.h"

#include <stdio.h>
#include <string.h>

IRL_LAYOUT(nchw4c, (n, h, w, c), (n, c / 4, h), (w, c % 4));

IRL_KERNEL(relu, (x: f32[1, 56, 56, 64], y: f32[1, 56, 56, 64]) {
    for (n: 1, h: 56, w: 56, c: 64)
        y[n, h, w, c] = max(x[n, h, w, c], 0.0f);
});

/* Chooses an image for a tensor in NCHW. In the usual layouts it has too many rows for an image of
   8192 by 8192 texels. */
static void choose(irl_ctx *cx, irl_shape shape)
{
    irl_texture_options q;
    irl_texture_choice   c;
    int                  k;
    /* the defaults: f32, an image of 8192 x 8192 texels, and the channel is axis 1 of four */
    memset(&q, 0, sizeof q);
    q.shape = shape;
    c = irl_texture_candidates(cx, &q);
    for (k = 0; k < c.count; k++)
        if (k < 3 || k == c.chosen)
            printf("%c %-18s %6ld x %-9ld %s\n", k == c.chosen ? '*' : ' ', c.list[k].name,
                   (long)c.list[k].width, (long)c.list[k].height,
                   c.list[k].fits ? "fits" : c.list[k].reason);
    if (c.chosen >= 0) printf("%s\n\n", irl_map_text(cx, c.list[c.chosen].map));
}

int main(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_kernel(cx, &relu);
    const char *source;

    choose(cx, IRL_SHAPE(1, 64, 1120, 1120));

    f = irl_func_set_layout(f, "x", irl_layout(cx, &nchw4c));
    f = irl_func_set_scope(f, "x", IRL_SCOPE_TEXTURE);
    source = irl_ocl_source(irl_func_lower(f, &irl_target_opencl12));
    puts(irl_ok(cx) ? source : irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return source[0] ? 0 : 1;
}
