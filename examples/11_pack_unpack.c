/* 11_pack_unpack.c - an array is packed into a layout and unpacked, with a proof.

       cc -I. -I/usr/include/stb examples/11_pack_unpack.c -lm && ./a.out

   Weights are packed once, on the host or on the device, and are unpacked when somebody wants to
   look at them. The library makes both functions from the line of the layout. Packing loads the
   value of each cell from inverse(cell), and stores the padding in cells without a point.
   Unpacking loads from layout(point). The proof shows that unpacking undoes packing: it substitutes
   the layout into its inverse and simplifies, step by step, until only the point is left.

   This example is the first that uses these names. C: irl_map_pack_func,
   irl_map_roundtrip_proof, irl_map_unpack_func. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout_ocl.h"

#include <stdio.h>
#include <string.h>

IRL_LAYOUT(oihw4o, (o, i, y, x), (o / 4, i, y, x, o % 4));

enum { O = 6, I = 2, Y = 1, X = 3, COUNT = O * I * Y * X, CELLS = 8 * I * Y * X };

int main(void)
{
    irl_ctx       *cx = irl_ctx_create(NULL);
    const irl_map *layout = irl_layout(cx, &oihw4o);
    irl_shape      shape = IRL_SHAPE(O, I, Y, X);
    irl_pack_options    how;
    irl_func      *pack, *unpack;
    const char    *source, *proof;
    float          plain[COUNT], packed[CELLS], back[COUNT];
    int            k, same, ok;

    memset(&how, 0, sizeof how); /* f32 */
    how.fill = 1;                /* cells that no weight reaches get 0 */
    pack = irl_map_pack_func(cx, layout, shape, &how);
    unpack = irl_map_unpack_func(cx, layout, shape, &how);
    if (pack && unpack) printf("%s\n%s\n", irl_func_text(pack), irl_func_text(unpack));

    for (k = 0; k < COUNT; k++) plain[k] = (float)k;
    memset(back, 0, sizeof back);
    same = irl_func_interpret(pack, IRL_ARGS(plain, packed)) &&
           irl_func_interpret(unpack, IRL_ARGS(packed, back)) &&
           memcmp(plain, back, sizeof plain) == 0;
    printf("packed and unpacked: %s\n\n", same ? "the same" : "NOT the same");

    proof = irl_map_roundtrip_proof(cx, layout, shape);
    puts(proof);
    source = irl_ocl_source(irl_func_lower(pack, &irl_target_opencl12));
    puts(source);
    ok = irl_ok(cx);
    if (!ok) fprintf(stderr, "%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return same && ok ? 0 : 1;
}
