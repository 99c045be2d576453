/* 13_drop_in.c - the library in an existing project, with its allocator, constants and arrays.

       cc -I. -I/usr/include/stb examples/13_drop_in.c -lm && ./a.out

   A camera delivers lines of three channels, pixel by pixel. The filter that reads them needs eight
   pixels of one channel next to each other. The project has its own constants, indices of type
   size_t, and a pool from which all memory comes. The program checks the layout once, and asks how
   much memory the layout takes. The code that packs is plain C.

   This example is the first that uses these names. C: irl_layout_let, irl_offset,
   irl_shape_count. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ the project as it was */

enum { CHANNELS = 3, LANES = 8 };

typedef struct pool {
    size_t in_use, pieces;
} pool;

static void *pool_allocate(void *user, size_t bytes)
{
    pool *p = (pool *)user;
    p->in_use += bytes;
    p->pieces++;
    return malloc(bytes);
}

static void pool_release(void *user, void *memory, size_t bytes)
{
    ((pool *)user)->in_use -= bytes;
    free(memory);
}

/* ------------------------------------------------------------------ what is new */

/* the axes of memory: block of eight pixels, channel, pixel in the block */
IRL_LAYOUT(camera, (x, c), (x / LANES, c, x % LANES));

static void pack_line(const irl_shape *memory, size_t width, const unsigned char *line,
                      unsigned char *packed)
{
    size_t x, c;
    for (x = 0; x < width; x++)
        for (c = 0; c < CHANNELS; c++) {
            irl_index at[3];
            IRL_AT(camera, at, (irl_index)x, (irl_index)c);
            packed[irl_offset(memory, at)] = line[x * CHANNELS + c];
        }
}

/* Checks the layout for a width. The text of the layout contains the name LANES, which only C
   knows, so the call passes its value. */
static irl_verdict ask(irl_ctx *cx, size_t width)
{
    irl_verdict v =
        irl_map_check(cx, irl_layout_let(cx, &camera, IRL_LET(LANES)), IRL_SHAPE(width, CHANNELS));
    printf("%3u pixels: %s\n", (unsigned)width, irl_verdict_text(cx, &v));
    return v;
}

int main(void)
{
    const size_t   width = 20;
    pool           memory = { 0, 0 };
    irl_ctx_desc       desc;
    irl_ctx       *cx;
    irl_verdict    v;
    unsigned char  line[20 * CHANNELS], *packed = NULL;
    int64_t        bytes = 0;
    int            k;

    memset(&desc, 0, sizeof desc); /* zero is the default of every field */
    desc.allocator.allocate = pool_allocate;
    desc.allocator.release = pool_release;
    desc.allocator.user = &memory;
    cx = irl_ctx_create(&desc);
    v = ask(cx, 640);
    v = ask(cx, width);
    for (k = 0; k < (int)sizeof line; k++) line[k] = (unsigned char)k;
    /* every value has its own cell */
    if (v.kind == IRL_BIJECTIVE || v.kind == IRL_INJECTIVE) {
        bytes = irl_shape_count(v.memory);
        packed = (unsigned char *)calloc((size_t)bytes, 1);
    }
    if (packed) {
        pack_line(&v.memory, width, line, packed);
        printf("\nthe last block of %d bytes, a row for each channel\n", (int)bytes);
        for (k = (int)bytes - CHANNELS * LANES; k < (int)bytes; k++)
            printf("%3d%s", packed[k], k % LANES == LANES - 1 ? "\n" : " ");
    }

    if (!irl_ok(cx)) fprintf(stderr, "%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
    printf("\nthe pool gave %s, and has all of it back: %s\n", memory.pieces ? "memory" : "nothing",
           memory.in_use ? "no" : "yes");
    free(packed);
    return v.kind == IRL_INJECTIVE ? 0 : 1;
}
