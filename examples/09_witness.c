/* 09_witness.c - a layout that is refused comes with a witness: an example that proves it wrong.

       cc -I. -I/usr/include/stb examples/09_witness.c -lm && ./a.out

   If a buffer is written, its layout must send different points to different cells. If the layout
   does not, the verdict shows two points that collide, and a program that would write through this
   layout is refused. The library composes maps by substitution, so R(i) == A(B(i)) holds for every
   i. (Other libraries compute the strides of R by formulas, which are wrong for the pairs below.)

   This example is the first that uses these names. C: irl_ctx_mark, irl_ctx_rewind,
   irl_map_compose. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>
#include <string.h>

static void check(irl_ctx *cx, const char *what, const char *text, irl_shape shape)
{
    irl_verdict v = irl_map_check(cx, irl_map_parse(cx, text), shape);
    printf("%-22s %-36s %s\n", what, text, irl_verdict_text(cx, &v));
}

/* In camera images in the format NV12 four pixels share one colour sample. The library allows a
   program to read through such a layout, and refuses one that writes through it. */
static void read_and_write(irl_ctx *cx)
{
    const char *text = "func f(u: f32[8, 8], y: f32[8, 8]) { for (i: 8, j: 8) y[i, j] = u[i, j]; }";
    const irl_map *chroma = irl_map_parse(cx, "(y, x) -> (y/2, x/2)");
    irl_func      *f = irl_func_parse(cx, text, strlen(text), NULL), *g;
    irl_mark       mark = irl_ctx_mark(cx);
    g = irl_func_run_pass(irl_func_set_layout(f, "u", chroma), "apply_layouts");
    printf("\nreading through NV12's chroma layout: %s\n", g ? "accepted" : irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
    g = irl_func_run_pass(irl_func_set_layout(f, "y", chroma), "apply_layouts");
    printf("writing through it: %s\n\n", g ? "accepted" : irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
}

/* Composes two maps, prints the result, and checks it on every point. */
static int compose(irl_ctx *cx, const char *a_text, const char *b_text, int64_t extent)
{
    const irl_map *a = irl_map_parse(cx, a_text), *b = irl_map_parse(cx, b_text),
                  *r = irl_map_compose(cx, a, b);
    irl_shape      bi, abi, ri;
    int64_t        i;
    int            right = r != NULL;
    for (i = 0; right && i < extent; i++)
        right = irl_map_apply(cx, b, IRL_SHAPE(i), &bi) && irl_map_apply(cx, a, bi, &abi) &&
                irl_map_apply(cx, r, IRL_SHAPE(i), &ri) && ri.extent[0] == abi.extent[0];
    printf("A: %s\nB: %s\nR: %s\n   R(i) == A(B(i)) for all %d points: %s\n", a_text, b_text,
           r ? irl_map_text(cx, r) : irl_diag_text(cx), (int)extent, right ? "yes" : "NO");
    return right;
}

int main(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    int      right;
    check(cx, "an XOR swizzle", "(y, x) -> (y, x ^ y)", IRL_SHAPE(8, 8));
    check(cx, "the same, modulo 6", "(y, x) -> (y, (x ^ y) % 6)", IRL_SHAPE(6, 6));
    check(cx, "a ring of 4 rows", "(y, x) -> (y % 4, x)", IRL_SHAPE(10, 16));
    check(cx, "its live window", "(y, x) -> ((y + 7) % 4, x)", IRL_SHAPE(4, 16));
    check(cx, "off by one", "(y, x) -> (y - 1, x)", IRL_SHAPE(4, 16));
    read_and_write(cx);
    /* These are CuTe's (6,2):(1,7) o (3,2):(2,3) and (4,6,8):(2,3,5) o 6:3, written as maps. CuTe's
       C++ library composes both wrongly. */
    right = compose(cx, "(j) -> (j%6 + j/6*7)", "(i) -> (i%3*2 + i/3*3)", 6) &&
            compose(cx, "(j) -> (j%4*2 + j/4%6*3 + j/24*5)", "(i) -> (i*3)", 6);
    if (!irl_ok(cx)) fprintf(stderr, "%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return right ? 0 : 1;
}
