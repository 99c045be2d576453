/* 31_struct_of_arrays.c - a layout turns an array of structs into a struct of arrays, or into
   something between the two.

       cc -I. -I/usr/include/stb examples/31_struct_of_arrays.c -lm && ./a.out

   A particle is x, y, z and a mass; in an array of structs, the four are next to each other. The
   function uses particle[i, k] and is written once. One layout moves k to the front. Another layout
   keeps eight particles together: one load gets eight x, and all values of a particle are within
   128 bytes.

   This example is the first that uses these names. C: irl_c_source. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>
#include <string.h>

IRL_KERNEL(weigh, (particle: f32[64, 4], sum: f32[3]) {
    for (k: 3) sum[k] = sum(i: 64, particle[i, k] * particle[i, 3]);
});

IRL_LAYOUT(structs, (i, k), (i, k));
IRL_LAYOUT(arrays, (i, k), (k, i));
IRL_LAYOUT(eights, (i, k), (i / 8, k, i % 8));

static float particle[64 * 4];

/* Prints the sums, and the accesses in the C code that computes them. */
static int show(irl_ctx *cx, const irl_source_text *layout, const char *name)
{
    irl_func   *f = irl_func_set_layout(irl_kernel(cx, &weigh), "particle", irl_layout(cx, layout));
    irl_module *m = irl_func_lower(f, &irl_target_c99);
    float       sum[3];
    const char *c, *end;
    if (!irl_module_interpret(m, IRL_ARGS(particle, sum))) return 0;
    printf("%-8s", name);
    for (c = irl_c_source(m); (c = strstr(c, "particle[")) != NULL; c = end) {
        end = strchr(c, ']') + 1;
        printf("  %.*s", (int)(end - c), c);
    }
    printf("\n          %g %g %g\n", (double)sum[0], (double)sum[1], (double)sum[2]);
    return 1;
}

int main(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    int      k, ok;
    for (k = 0; k < 64 * 4; k++) particle[k] = (float)(k % 7);
    ok = show(cx, &structs, "structs") && show(cx, &arrays, "arrays") &&
         show(cx, &eights, "eights");
    if (!irl_ok(cx)) fprintf(stderr, "%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return !ok;
}
