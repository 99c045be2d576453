/* test_layouts.c - the layouts that people use, with their real sizes: networks, attention caches,
   quantized blocks, cameras, GPU tilings, displays. Every verdict must come without looking at the
   points, and a small instance of each is compared with the truth. */
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
    { "NCHW4c",
      "(n, h, w, c) -> (n, c/4, h, w, c%4)",
      { 4, NULL, { 1, 56, 56, 64 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "NCHW4c of a stem",
      "(n, h, w, c) -> (n, c/4, h, w, c%4)",
      { 4, NULL, { 1, 224, 224, 3 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "NCHW4c, 58 channels",
      "(n, h, w, c) -> (n, c/4, h, w, c%4)",
      { 4, NULL, { 1, 28, 28, 58 } },
      IRL_INJECTIVE,
      28 * 28 * 2,
      0 },
    { "NCHW4c in one piece",
      "(n, h, w, c) -> ((((n*16 + c/4)*56 + h)*56 + w)*4 + c%4)",
      { 4, NULL, { 2, 56, 56, 64 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "OIHW4o",
      "(o, i, y, x) -> ((((o/4*3 + i)*7 + y)*7 + x)*4 + o%4)",
      { 4, NULL, { 64, 3, 7, 7 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "OIhw4i16o4i",
      "(o, i, y, x) -> (((((o/16)*4 + i/16)*3 + y)*3 + x)*256 + (i%16)/4*64 + (o%16)*4 + i%4)",
      { 4, NULL, { 128, 64, 3, 3 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "ShuffleNetV2, 116 channels",
      "(n, h, w, c) -> (n, c/4, h, w, c%4)",
      { 4, NULL, { 1, 28, 28, 116 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "ShuffleNetV2, 122 channels",
      "(n, h, w, c) -> (n, c/4, h, w, c%4)",
      { 4, NULL, { 1, 28, 28, 122 } },
      IRL_INJECTIVE,
      28 * 28 * 2,
      0 },
    { "ShuffleNetV2, 232 channels",
      "(n, h, w, c) -> (n, c/4, h, w, c%4)",
      { 4, NULL, { 1, 14, 14, 232 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "OIHW4o of 58 outputs",
      "(o, i, y, x) -> ((((o/4*58 + i)*3 + y)*3 + x)*4 + o%4)",
      { 4, NULL, { 58, 58, 3, 3 } },
      IRL_INJECTIVE,
      -1,
      0 },
    { "MNN image",
      "(n, h, w, c) -> (n*28 + h, (c/4)*28 + w, c%4)",
      { 4, NULL, { 1, 28, 28, 192 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "MNN filter",
      "(o, i, y, x) -> ((o/4)*9 + y*3 + x, i, o%4)",
      { 4, NULL, { 64, 64, 3, 3 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "MNN 1x1 filter", "(o, i) -> (o, i/4, i%4)",
      { 2, NULL, { 1000, 1280 } }, IRL_BIJECTIVE, 0, 0 },
    { "TFLite texture",
      "(b, h, w, c) -> (h*48 + c/4, w*2 + b, c%4)",
      { 4, NULL, { 2, 28, 28, 192 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "TFLite array",
      "(b, h, w, c) -> (c/4, h, w*2 + b, c%4)",
      { 4, NULL, { 2, 28, 28, 192 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "TFLite of three dimensions",
      "(b, h, w, z, c) -> (z*8 + c/4, h, w*2 + b, c%4)",
      { 5, NULL, { 2, 28, 28, 5, 32 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "TFLite image buffer",
      "(b, h, w, c) -> (((c/4*28 + h)*28 + w)*2 + b, c%4)",
      { 4, NULL, { 2, 28, 28, 192 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "texture of rows",
      "(n, h, w, c) -> ((n*16 + c/4)*56 + h, w, c%4)",
      { 4, NULL, { 1, 56, 56, 64 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "texture over the limit, 4 x 4 slices",
      "(h, w, c) -> (c/16*1120 + h, c/4%4*1120 + w, c%4)",
      { 3, NULL, { 1120, 1120, 64 } },
      IRL_BIJECTIVE,
      0,
      0 },
    /* attention caches */
    { "vLLM keys",
      "(b, h, d, t) -> ((((b*8 + h)*16 + d/8)*16 + t)*8 + d%8)",
      { 4, NULL, { 1000, 8, 128, 16 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "vLLM values",
      "(b, h, d, t) -> (((b*8 + h)*128 + d)*16 + t)",
      { 4, NULL, { 1000, 8, 128, 16 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "FlashInfer HND",
      "(p, h, t, d) -> (((p*8 + h)*16 + t)*128 + d)",
      { 4, NULL, { 1000, 8, 16, 128 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "FlashInfer NHD",
      "(p, h, t, d) -> (((p*16 + t)*8 + h)*128 + d)",
      { 4, NULL, { 1000, 8, 16, 128 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "FlashInfer NHD from HND",
      "(p, h, t, d) -> (p, t, h, d)",
      { 4, NULL, { 1000, 8, 16, 128 } },
      IRL_BIJECTIVE,
      0,
      0 },
    /* quantized blocks: byte and nibble */
    { "Q4_0 blocks",
      "(m, k) -> ((m*128 + k/32)*18 + 2 + k%16, k%32/16)",
      { 2, NULL, { 4096, 4096 } },
      IRL_INJECTIVE,
      -1,
      0 },
    { "Q4_0 quants apart",
      "(m, k) -> ((m*4096 + k)/2, k%2)",
      { 2, NULL, { 11008, 4096 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "Q4_0 quants apart, 32000 rows",
      "(m, k) -> ((m*4096 + k)/2, k%2)",
      { 2, NULL, { 32000, 4096 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "Q4_0 scales apart, by block",
      "(m, b) -> (m*128 + b)",
      { 2, NULL, { 4096, 128 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "Q4_0 scales apart, by element",
      "(m, k) -> (m*128 + k/32)",
      { 2, NULL, { 4096, 4096 } },
      IRL_LOSSY,
      -1,
      1 },
    { "Q4_0 transposed, square",
      "(m, k) -> (k/4*4096 + m, k%4)",
      { 2, NULL, { 4096, 4096 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "Q4_0 transposed, 2816 rows",
      "(m, k) -> (k/4*2816 + m, k%4)",
      { 2, NULL, { 2816, 2112 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "Q4_0 transposed, rows no multiple of 4",
      "(m, k) -> (k/4*4098 + m, k%4)",
      { 2, NULL, { 4098, 4096 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "Q4_0 transposed",
      "(m, k) -> (k/4*2112 + m, k%4)",
      { 2, NULL, { 2112, 2816 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "odd vocabulary",
      "(m, k) -> (k/4*49159 + m, k%4)",
      { 2, NULL, { 49159, 2048 } },
      IRL_BIJECTIVE,
      0,
      0 },
    /* cameras */
    { "NV12 luma", "(y, x) -> (y*2048 + x)",
      { 2, NULL, { 1080, 1920 } }, IRL_INJECTIVE, 128 * 1079, 0 },
    { "NV12 chroma",
      "(y, x) -> (2048*1080 + y/2*2048 + x/2*2)",
      { 2, NULL, { 1080, 1920 } },
      IRL_LOSSY,
      -1,
      1 },
    { "NV12 luma, rows without gaps",
      "(y, x) -> (y*1920 + x)",
      { 2, NULL, { 1080, 1920 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "NV12 chroma of the other component",
      "(y, x) -> (2048*1080 + y/2*2048 + x/2*2 + 1)",
      { 2, NULL, { 1080, 1920 } },
      IRL_LOSSY,
      -1,
      1 },
    { "NV12 chroma, by sample",
      "(c, y, x) -> (2048*1080 + y*2048 + x*2 + c)",
      { 3, NULL, { 2, 540, 960 } },
      IRL_INJECTIVE,
      -1,
      0 },
    { "planes from pixels",
      "(n, h, w, c) -> (n, c, h, w)",
      { 4, NULL, { 1, 224, 224, 3 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "Bayer planes",
      "(y, x) -> (y%2*2 + x%2, y/2*1920 + x/2)",
      { 2, NULL, { 2160, 3840 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "RAW10 high bytes",
      "(y, x) -> (y*4800 + x/4*5 + x%4)",
      { 2, NULL, { 2160, 3840 } },
      IRL_INJECTIVE,
      -1,
      0 },
    { "RAW10 low bits",
      "(y, x) -> (y*4800 + x/4*5 + 4, 2*(x%4))",
      { 2, NULL, { 2160, 3840 } },
      IRL_INJECTIVE,
      -1,
      0 },
    /* GPU and display tilings */
    { "VC4 tiles",
      "(y, x) -> ((y/32*40 + select(y/32%2 == 0, x/32, 39 - x/32))*1024"
      " + (select(y/32%2 == 0, x/16%2, 1 - x/16%2)*2 + (x/16%2 ^ y/16%2))*256 + (y/4%4*4 + "
      "x/4%4)*16 + y%4*4 + x%4)",
      { 2, NULL, { 736, 1280 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "VC4 tiles of 720 rows", /* 40 x 23 tiles of 4 KiB; the last row of tiles is half full */
      "(y, x) -> ((y/32*40 + select(y/32%2 == 0, x/32, 39 - x/32))*1024"
      " + (select(y/32%2 == 0, x/16%2, 1 - x/16%2)*2 + (x/16%2 ^ y/16%2))*256 + (y/4%4*4 + "
      "x/4%4)*16 + y%4*4 + x%4)",
      { 2, NULL, { 720, 1280 } },
      IRL_INJECTIVE,
      16 * 1280,
      0 },
    { "Morton of 1024 by 1024",
      "(y, x) -> ((x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2 | (x & 4) << 2 | (y & 4) << "
      "3 | (x & 8) << 3 | (y & 8) << 4"
      " | (x & 16) << 4 | (y & 16) << 5 | (x & 32) << 5 | (y & 32) << 6 | (x & 64) << 6 | (y & 64) "
      "<< 7 | (x & 128) << 7 | (y & 128) << 8"
      " | (x & 256) << 8 | (y & 256) << 9 | (x & 512) << 9 | (y & 512) << 10)",
      { 2, NULL, { 1024, 1024 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "Morton",
      "(y, x) -> ((x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2 | (x & 4) << 2 | (y & 4) << "
      "3 | (x & 8) << 3 | (y & 8) << 4)",
      { 2, NULL, { 16, 16 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "XOR swizzle", "(y, x) -> (y*8 + (x ^ y))", { 2, NULL, { 8, 8 } }, IRL_BIJECTIVE, 0, 0 },
    { "XOR swizzle of 128 byte rows",
      "(y, x) -> (y*64 + (x/8 ^ y%8)*8 + x%8)",
      { 2, NULL, { 64, 64 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "XOR modulo 6", "(y, x) -> (y, (x ^ y)%6)", { 2, NULL, { 6, 6 } }, IRL_LOSSY, -1, 1 },
    /* and 3 behind the last */
    { "XLA tiles",
      "(i, j) -> ((i/2*3 + j/2)*4 + i%2*2 + j%2)",
      { 2, NULL, { 3, 5 } },
      IRL_INJECTIVE,
      6,
      0 },
    { "CUTLASS skew", "(m, k) -> (m, (k + m)%32)", { 2, NULL, { 128, 32 } }, IRL_BIJECTIVE, 0, 0 },
    /* firmware */
    { "SSD1306", "(y, x) -> (y/8*128 + x, y%8)", { 2, NULL, { 64, 128 } }, IRL_BIJECTIVE, 0, 0 },
    { "rows of bits, first bit highest",
      "(y, x) -> (y*16 + x/8, 7 - x%8)",
      { 2, NULL, { 64, 128 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "HUB75",
      "(b, y, x, c) -> ((b*16 + y%16)*64 + x, 3*(y/16) + c)",
      { 4, NULL, { 6, 32, 64, 3 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "serpentine panels",
      "(p, y, x) -> (y, p*64 + select(p%2 == 0, x, 63 - x))",
      { 3, NULL, { 4, 32, 64 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "ring of 4 rows, over 10", "(y, x) -> (y%4, x)", { 2, NULL, { 10, 64 } }, IRL_LOSSY, -1, 1 },
    { "ring of 4 rows, a window",
      "(y, x) -> ((y + 7)%4, x)",
      { 2, NULL, { 4, 64 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "DMA, bytes of lines to their place",
      "(n, c, h, w) -> (((n*112 + h)*112 + w)*64 + c)",
      { 4, NULL, { 1, 64, 112, 112 } },
      IRL_BIJECTIVE,
      0,
      0 },
    { "DMA, bursts of 64 bytes every 256",
      "(line, byte) -> (line*256 + byte)",
      { 2, NULL, { 112, 64 } },
      IRL_INJECTIVE,
      111 * 192,
      0 },
    { "DMA, bursts that overlap",
      "(line, byte) -> (line*32 + byte)",
      { 2, NULL, { 112, 64 } },
      IRL_LOSSY,
      -1,
      1 },
    { "DMA, a rectangle of a picture",
      "(y, x) -> ((y + 30)*320 + x + 100)",
      { 2, NULL, { 60, 80 } },
      IRL_INJECTIVE,
      -1,
      0 },
    { "lines of DMA",
      "(n, c, h, w) -> (n, h, w, c)",
      { 4, NULL, { 1, 64, 112, 112 } },
      IRL_BIJECTIVE,
      0,
      0 },
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
    v = irl_map_check(cx, m, shape);
    ok &= CHECK_OK(cx) & CHECK(v.kind != IRL_UNDECIDED);
    for (k = 0; k < v.physical.rank; k++) cells *= v.physical.extent[k];
    if (v.kind == IRL_LOSSY) ok &= CHECK(truth_witness(m, &v));
    if (v.inverse && cells < 3000000)
        ok &= CHECK(truth_inverse(m, &v)) & CHECK(truth_padding(m, &v));
    if (!ok) printf("%s, small: %s\n", row->name, irl_verdict_text(cx, &v));
    irl_ctx_destroy(cx);
}

static void real_size(const layout_row *row)
{
    irl_ctx       *cx = irl_ctx_create(NULL);
    const irl_map *m = irl_map_parse(cx, row->map);
    irl_verdict    v = irl_map_check(cx, m, row->shape);
    int            ok = CHECK_OK(cx) & CHECK(v.kind == row->kind);
    ok &= CHECK(row->looked_at ||
                (strcmp(v.method, "enumeration") != 0 && strcmp(v.method, "table") != 0));
    if (row->pad_cells >= 0) ok &= CHECK(v.pad_cells == row->pad_cells);
    if (v.kind == IRL_LOSSY) ok &= CHECK(truth_witness(m, &v));
    if (v.kind == IRL_BIJECTIVE || v.kind == IRL_INJECTIVE) ok &= CHECK(v.inverse != NULL);
    if (!ok)
        printf("%s: %s [%s]\n%s", row->name, irl_verdict_text(cx, &v), v.method, irl_diag_text(cx));
    if (getenv("IRL_SHOW")) {
        printf("%s: %s [%s]\n", row->name, irl_verdict_text(cx, &v), v.method);
        if (v.inverse)
            printf("    %s   padding %s\n", irl_map_text(cx, v.inverse),
                   irl_expr_text(cx, v.padding));
    }
    irl_ctx_destroy(cx);
}

/* Every layer of MobileNetV2 and ResNet50: channels and side of what lies between the
   convolutions. */
static void test_layers(void)
{
    static const int layers[][2] = {
        { 3, 224 },
        { 32, 112 },
        { 16, 112 },
        { 96, 112 },
        { 24, 56 },
        { 144, 56 },
        { 32, 28 },
        { 192, 28 },
        { 64, 14 },
        { 384, 14 },
        { 96, 14 },
        { 576, 14 },
        { 160, 7 },
        { 960, 7 },
        { 320, 7 },
        { 1280, 7 },
        { 1280, 1 },
        { 1000, 1 },
        /* ResNet50 */ { 64, 112 },
        { 64, 56 },
        { 256, 56 },
        { 128, 56 },
        { 128, 28 },
        { 512, 28 },
        { 256, 28 },
        { 256, 14 },
        { 1024, 14 },
        { 512, 14 },
        { 512, 7 },
        { 2048, 7 },
    };
    size_t k, t;
    for (k = 0; k < sizeof layers / sizeof layers[0]; k++)
        for (t = 0; t < 3; t++) {
            irl_ctx    *cx = irl_ctx_create(NULL);
            int         c = layers[k][0], side = layers[k][1], lanes = c < 4 ? c : 4;
            irl_verdict v;
            char        map[128];
            /* NCHW4c */
            if (t == 0)
                snprintf(map, sizeof map,
                         "(n, h, w, c) -> ((((n*%d + c/4)*%d + h)*%d + w)*%d + c%%4)", (c + 3) / 4,
                         side, side, lanes);
            /* MNN, Paddle */
            if (t == 1)
                snprintf(map, sizeof map, "(n, h, w, c) -> (n*%d + h, c/4*%d + w, c%%4)", side,
                         side);
            /* TVM */
            if (t == 2)
                snprintf(map, sizeof map, "(n, h, w, c) -> ((n*%d + c/4)*%d + h, w, c%%4)",
                         (c + 3) / 4, side);
            v = irl_map_check(cx, irl_map_parse(cx, map), IRL_SHAPE(1, side, side, c));
            if (!CHECK(v.kind == IRL_BIJECTIVE && v.inverse &&
                       (t == 0 || v.physical.extent[v.physical.rank - 1] == lanes)) ||
                !CHECK_OK(cx))
                printf("%d channels, side %d: %s: %s\n", c, side, map, irl_verdict_text(cx, &v));
            irl_ctx_destroy(cx);
        }
}

/* Four pixels share one chroma sample: read through that, and nothing else. And a write, by sample,
   is legal. */
static void test_chroma(void)
{
    static const char text[] = "func f(u: f32[1080, 1920], y: f32[1080, 1920]) { for (i: 1080, j: "
                               "1920) y[i, j] = u[i, j]; }";
    irl_ctx       *cx = irl_ctx_create(NULL);
    const irl_map *chroma = irl_map_parse(cx, "(y, x) -> (2048*1080 + y/2*2048 + x/2*2)");
    irl_func      *f = irl_func_parse(cx, text, strlen(text), NULL), *g, *again;
    irl_module    *m;
    irl_note       meant = { "shared_cells", NULL, "u" };
    const char    *note;
    g = irl_func_run_pass(irl_func_set_layout(f, "u", chroma), "apply_layouts");
    note = irl_func_warnings(g);
    CHECK(strstr(note,
                 "warning: 'u' is only read, and its layout maps different points to one cell: ") &&
          strstr(note, " both map to [2211840]"));
    CHECK(strstr(note, "must pass that memory, u: f32[") &&
          strstr(note, "attr(shared_cells = \"u\")"));
    CHECK(strstr(irl_func_text(g), "attr(shared_cells = \"u: (0, 0) and (") != NULL);
    again = irl_func_parse(cx, irl_func_text(g), strlen(irl_func_text(g)), NULL);
    CHECK(irl_func_equal(g, again) && strcmp(irl_func_warnings(again), note) == 0);
    m = irl_func_lower(irl_func_set_layout(f, "u", chroma), &irl_target_opencl12);
    CHECK(strcmp(irl_func_warnings(irl_module_host(m)), note) == 0);
    g = irl_func_run_pass(irl_func_set_attr(irl_func_set_layout(f, "u", chroma), meant),
                          "apply_layouts");
    CHECK(g && *irl_func_warnings(g) == '\0' && strstr(irl_func_text(g), "both map to [") == NULL);
    CHECK(*irl_func_warnings(f) == '\0' && *irl_func_warnings(NULL) == '\0');
    CHECK_OK(cx);
    CHECK(irl_func_run_pass(irl_func_set_layout(f, "y", chroma), "apply_layouts") == NULL);
    CHECK_CODE(cx, IRL_ERROR_LOSSY_MAP);
    CHECK(strstr(irl_diag_text(cx), "(0, 0) and (0, 1) both map") ||
          strstr(irl_diag_text(cx), "(0, 0) and (1, 0) both map"));
    irl_ctx_destroy(cx);
}

/* (x ^ y)%6 on 6 x 6: the points of the published witness collide, and so do the points of ours. */
static void test_swizzle(void)
{
    irl_ctx       *cx = irl_ctx_create(NULL);
    const irl_map *m = irl_map_parse(cx, "(x, y) -> (x, (x ^ y)%6)");
    irl_verdict    v = irl_map_check(cx, m, IRL_SHAPE(6, 6));
    irl_shape      a, b;
    CHECK(irl_map_apply(cx, m, IRL_SHAPE(2, 2), &a) && irl_map_apply(cx, m, IRL_SHAPE(2, 4), &b) &&
          truth_same(&a, &b));
    CHECK(v.kind == IRL_LOSSY && truth_witness(m, &v));
    irl_ctx_destroy(cx);
}

/* A ring of 4 rows is injective over every window of 4, wherever it begins: for one symbol, and so
   for all. */
static void test_ring(void)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_expr *s = irl_expr_var(cx, "s", irl_type_of(IRL_INDEX, 1)), *extents[2];
    irl_verdict     v;
    int             k;
    extents[0] = irl_expr_index(cx, 4);
    extents[1] = irl_expr_index(cx, 64);
    v = irl_map_check(cx, irl_map_parse_over(cx, "(y, x) -> ((y + s)%4, x)", NULL, 1, &s),
        irl_shape_of(2, extents));
    if (!CHECK(v.kind == IRL_BIJECTIVE)) printf("the ring: %s\n", v.reason);
    for (k = 0; k < 10; k++) {
        char text[64];
        snprintf(text, sizeof text, "(y, x) -> ((y + %d)%%4, x)", k);
        CHECK(irl_map_check(cx, irl_map_parse(cx, text), IRL_SHAPE(4, 64)).kind == IRL_BIJECTIVE);
        CHECK(irl_map_check(cx, irl_map_parse(cx, text), IRL_SHAPE(5, 64)).kind == IRL_LOSSY);
    }
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* Vouched for: the layout is noted, and what is known to be lossy is refused all the same. */
static void test_assumed(void)
{
    static const char text[] = "func f(y: f32[8]) { for (i: 8) y[i] = 1.0f; }";
    irl_ctx          *cx = irl_ctx_create(NULL);
    irl_func         *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    CHECK(irl_func_lower(irl_func_assume_layout(f, "y", irl_map_parse(cx, "(i) -> (i / 4, i % 4)")),
                         &irl_target_opencl12));
    CHECK(!irl_func_lower(irl_func_assume_layout(f, "y", irl_map_parse(cx, "(i) -> (i / 2)")),
                          &irl_target_opencl12));
    CHECK_CODE(cx, IRL_ERROR_LOSSY_MAP);
    irl_ctx_destroy(cx);
}

int main(void)
{
    size_t k;
    (void)truth_nodes_of_map;
    test_assumed();
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        real_size(&rows[k]);
        small_instance(&rows[k]);
    }
    test_layers();
    test_chroma();
    test_swizzle();
    test_ring();
    printf("%d layouts\n", (int)(sizeof rows / sizeof rows[0]));
    return TEST_DONE();
}
