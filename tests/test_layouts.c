/* test_layouts.c - the layouts that people use, with their real sizes: networks, attention caches, quantized blocks, cameras,
   GPU tilings, displays. Every verdict must come without looking at the points, and a small instance of each is compared with
   the truth. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/map/map.h"
#endif
#include "test.h"
#include "map_truth.h"

typedef struct layout_row {
    const char      *name, *map;
    irl_shape        shape;
    irl_verdict_kind kind;
    long             pad_cells; /* -1: not stated */
    int              looked_at; /* the points may be looked at: the map is lossy */
} layout_row;

static const layout_row rows[] = {
    /* networks */
    { "NCHW4c", "(n, h, w, c) -> (n, c/4, h, w, c%4)", { 4, { 1, 56, 56, 64 } }, IRL_BIJECTIVE, 0, 0 },
    { "NCHW4c of a stem", "(n, h, w, c) -> (n, c/4, h, w, c%4)", { 4, { 1, 224, 224, 3 } }, IRL_BIJECTIVE, 0, 0 },
    { "NCHW4c, 58 channels", "(n, h, w, c) -> (n, c/4, h, w, c%4)", { 4, { 1, 28, 28, 58 } }, IRL_INJECTIVE, 28 * 28 * 2, 0 },
    { "NCHW4c in one piece", "(n, h, w, c) -> ((((n*16 + c/4)*56 + h)*56 + w)*4 + c%4)", { 4, { 2, 56, 56, 64 } }, IRL_BIJECTIVE, 0, 0 },
    { "OIHW4o", "(o, i, y, x) -> ((((o/4*3 + i)*7 + y)*7 + x)*4 + o%4)", { 4, { 64, 3, 7, 7 } }, IRL_BIJECTIVE, 0, 0 },
    { "OIhw4i16o4i", "(o, i, y, x) -> (((((o/16)*4 + i/16)*3 + y)*3 + x)*256 + (i%16)/4*64 + (o%16)*4 + i%4)", { 4, { 128, 64, 3, 3 } }, IRL_BIJECTIVE, 0, 0 },
    { "MNN image", "(n, h, w, c) -> (n*28 + h, (c/4)*28 + w, c%4)", { 4, { 1, 28, 28, 192 } }, IRL_BIJECTIVE, 0, 0 },
    { "MNN filter", "(o, i, y, x) -> ((o/4)*9 + y*3 + x, i, o%4)", { 4, { 64, 64, 3, 3 } }, IRL_BIJECTIVE, 0, 0 },
    { "MNN 1x1 filter", "(o, i) -> (o, i/4, i%4)", { 2, { 1000, 1280 } }, IRL_BIJECTIVE, 0, 0 },
    { "TFLite texture", "(b, h, w, c) -> (h*48 + c/4, w*2 + b, c%4)", { 4, { 2, 28, 28, 192 } }, IRL_BIJECTIVE, 0, 0 },
    { "TFLite array", "(b, h, w, c) -> (c/4, h, w*2 + b, c%4)", { 4, { 2, 28, 28, 192 } }, IRL_BIJECTIVE, 0, 0 },
    { "TFLite image buffer", "(b, h, w, c) -> (((c/4*28 + h)*28 + w)*2 + b, c%4)", { 4, { 2, 28, 28, 192 } }, IRL_BIJECTIVE, 0, 0 },
    { "texture of rows", "(n, h, w, c) -> ((n*16 + c/4)*56 + h, w, c%4)", { 4, { 1, 56, 56, 64 } }, IRL_BIJECTIVE, 0, 0 },
    { "texture over the limit, 4 x 4 slices", "(h, w, c) -> (c/16*1120 + h, c/4%4*1120 + w, c%4)", { 3, { 1120, 1120, 64 } }, IRL_BIJECTIVE, 0, 0 },
    /* attention caches */
    { "vLLM keys", "(b, h, d, t) -> ((((b*8 + h)*16 + d/8)*16 + t)*8 + d%8)", { 4, { 1000, 8, 128, 16 } }, IRL_BIJECTIVE, 0, 0 },
    { "vLLM values", "(b, h, d, t) -> (((b*8 + h)*128 + d)*16 + t)", { 4, { 1000, 8, 128, 16 } }, IRL_BIJECTIVE, 0, 0 },
    { "FlashInfer NHD from HND", "(p, h, t, d) -> (p, t, h, d)", { 4, { 1000, 8, 16, 128 } }, IRL_BIJECTIVE, 0, 0 },
    /* quantized blocks: byte and nibble */
    { "Q4_0 blocks", "(m, k) -> ((m*128 + k/32)*18 + 2 + k%16, k%32/16)", { 2, { 4096, 4096 } }, IRL_INJECTIVE, -1, 0 },
    { "Q4_0 quants apart", "(m, k) -> ((m*4096 + k)/2, k%2)", { 2, { 11008, 4096 } }, IRL_BIJECTIVE, 0, 0 },
    { "Q4_0 transposed", "(m, k) -> (k/4*2112 + m, k%4)", { 2, { 2112, 2816 } }, IRL_BIJECTIVE, 0, 0 },
    { "odd vocabulary", "(m, k) -> (k/4*49159 + m, k%4)", { 2, { 49159, 2048 } }, IRL_BIJECTIVE, 0, 0 },
    /* cameras */
    { "NV12 luma", "(y, x) -> (y*2048 + x)", { 2, { 1080, 1920 } }, IRL_INJECTIVE, 128 * 1079, 0 },
    { "NV12 chroma", "(y, x) -> (2048*1080 + y/2*2048 + x/2*2)", { 2, { 1080, 1920 } }, IRL_LOSSY, -1, 1 },
    { "Bayer planes", "(y, x) -> (y%2*2 + x%2, y/2*1920 + x/2)", { 2, { 2160, 3840 } }, IRL_BIJECTIVE, 0, 0 },
    { "RAW10 high bytes", "(y, x) -> (y*4800 + x/4*5 + x%4)", { 2, { 2160, 3840 } }, IRL_INJECTIVE, -1, 0 },
    { "RAW10 low bits", "(y, x) -> (y*4800 + x/4*5 + 4, 2*(x%4))", { 2, { 2160, 3840 } }, IRL_INJECTIVE, -1, 0 },
    /* GPU and display tilings */
    { "VC4 tiles",
      "(y, x) -> ((y/32*40 + select(y/32%2 == 0, x/32, 39 - x/32))*1024"
      " + (select(y/32%2 == 0, x/16%2, 1 - x/16%2)*2 + (x/16%2 ^ y/16%2))*256 + (y/4%4*4 + x/4%4)*16 + y%4*4 + x%4)",
      { 2, { 736, 1280 } }, IRL_BIJECTIVE, 0, 0 },
    { "Morton",
      "(y, x) -> ((x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2 | (x & 4) << 2 | (y & 4) << 3 | (x & 8) << 3 | (y & 8) << 4)",
      { 2, { 16, 16 } }, IRL_BIJECTIVE, 0, 0 },
    { "XOR swizzle", "(y, x) -> (y*8 + (x ^ y))", { 2, { 8, 8 } }, IRL_BIJECTIVE, 0, 0 },
    { "XOR swizzle of 128 byte rows", "(y, x) -> (y*64 + (x/8 ^ y%8)*8 + x%8)", { 2, { 64, 64 } }, IRL_BIJECTIVE, 0, 0 },
    { "XOR modulo 6", "(y, x) -> (y, (x ^ y)%6)", { 2, { 6, 6 } }, IRL_LOSSY, -1, 1 },
    { "XLA tiles", "(i, j) -> ((i/2*3 + j/2)*4 + i%2*2 + j%2)", { 2, { 3, 5 } }, IRL_INJECTIVE, -1, 0 },
    { "CUTLASS skew", "(m, k) -> (m, (k + m)%32)", { 2, { 128, 32 } }, IRL_BIJECTIVE, 0, 0 },
    /* firmware */
    { "SSD1306", "(y, x) -> (y/8*128 + x, y%8)", { 2, { 64, 128 } }, IRL_BIJECTIVE, 0, 0 },
    { "rows of bits, first bit highest", "(y, x) -> (y*16 + x/8, 7 - x%8)", { 2, { 64, 128 } }, IRL_BIJECTIVE, 0, 0 },
    { "HUB75", "(b, y, x, c) -> ((b*16 + y%16)*64 + x, 3*(y/16) + c)", { 4, { 6, 32, 64, 3 } }, IRL_BIJECTIVE, 0, 0 },
    { "serpentine panels", "(p, y, x) -> (y, p*64 + select(p%2 == 0, x, 63 - x))", { 3, { 4, 32, 64 } }, IRL_BIJECTIVE, 0, 0 },
    { "ring of 4 rows, over 10", "(y, x) -> (y%4, x)", { 2, { 10, 64 } }, IRL_LOSSY, -1, 1 },
    { "ring of 4 rows, a window", "(y, x) -> ((y + 7)%4, x)", { 2, { 4, 64 } }, IRL_BIJECTIVE, 0, 0 },
    { "lines of DMA", "(n, c, h, w) -> (n, h, w, c)", { 4, { 1, 64, 112, 112 } }, IRL_BIJECTIVE, 0, 0 },
};

/* The same map on at most 12 points per axis, against the truth. */
static void small_instance(const layout_row *row)
{
    irl_ctx       *cx = irl_ctx_create(NULL);
    const irl_map *m = irl_map_parse(cx, row->map);
    irl_shape      shape = row->shape;
    irl_verdict    v;
    int64_t        cells = 1;
    int            k, ok = 1;
    for (k = 0; k < shape.rank; k++)
        if (shape.extent[k] > 12) shape.extent[k] = 12 - k;
    v = irl_check(cx, m, shape);
    ok &= CHECK_OK(cx) & CHECK(v.kind != IRL_UNDECIDED);
    for (k = 0; k < v.physical.rank; k++) cells *= v.physical.extent[k];
    if (v.kind == IRL_LOSSY) ok &= CHECK(truth_witness(m, &v));
    if (v.inverse && cells < 3000000) ok &= CHECK(truth_inverse(m, &v)) & CHECK(truth_padding(m, &v));
    if (!ok) printf("%s, small: %s\n", row->name, irl_verdict_text(cx, &v));
    irl_ctx_destroy(cx);
}

static void real_size(const layout_row *row)
{
    irl_ctx       *cx = irl_ctx_create(NULL);
    const irl_map *m = irl_map_parse(cx, row->map);
    irl_verdict    v = irl_check(cx, m, row->shape);
    int            ok = CHECK_OK(cx) & CHECK(v.kind == row->kind);
    ok &= CHECK(row->looked_at || (strcmp(v.method, "enumeration") != 0 && strcmp(v.method, "table") != 0));
    if (row->pad_cells >= 0) ok &= CHECK(v.pad_cells == row->pad_cells);
    if (v.kind == IRL_LOSSY) ok &= CHECK(truth_witness(m, &v));
    if (v.kind == IRL_BIJECTIVE || v.kind == IRL_INJECTIVE) ok &= CHECK(v.inverse != NULL);
    if (!ok) printf("%s: %s [%s]\n%s", row->name, irl_verdict_text(cx, &v), v.method, irl_diag_text(cx));
    if (getenv("IRL_SHOW")) {
        printf("%s: %s [%s]\n", row->name, irl_verdict_text(cx, &v), v.method);
        if (v.inverse) printf("    %s   padding %s\n", irl_map_text(cx, v.inverse), irl_expr_text(cx, v.padding));
    }
    irl_ctx_destroy(cx);
}

int main(void)
{
    size_t k;
    (void)truth_nodes_of_map;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        real_size(&rows[k]);
        small_instance(&rows[k]);
    }
    printf("%d layouts\n", (int)(sizeof rows / sizeof rows[0]));
    return TEST_DONE();
}
