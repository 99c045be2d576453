/* workloads.h - the tensors and pictures that ocl_workloads.c packs and unpacks, and plain C that
   says where everything goes: the formula of each project's documentation, a column, a row, a layer
   and a lane for every element. */
#ifndef IRL_WORKLOADS_H
#define IRL_WORKLOADS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ------------------------------------------------------------ plain C: where an element lies */

enum { AXES = 5 };

typedef struct place {
    /* of a texel; a buffer has one row, and only arrays and volumes have layers */
    long column, row, layer;
    int  lane;
} place;

/* Extents e and point p in the order of the layout's own axes: n c h w, n c d h w, o i kh kw,
   ... */
typedef place place_fn(const long *e, const long *p);

static long slices(long c) { return (c + 3) / 4; }

static place in_layer(long column, long row, long layer, long lane)
{
    place q;
    q.column = column;
    q.row = row;
    q.layer = layer;
    q.lane = (int)lane;
    return q;
}

static place at(long column, long row, long lane) { return in_layer(column, row, 0, lane); }

static place nchw4c(const long *e, const long *p)
{
    return at(((p[0] * slices(e[1]) + p[1] / 4) * e[2] + p[2]) * e[3] + p[3], 0, p[1] % 4);
}
static place oihw4o(const long *e, const long *p)
{
    return at(((p[0] / 4 * e[1] + p[1]) * e[2] + p[2]) * e[3] + p[3], 0, p[0] % 4);
}
static place onednn_4i16o4i(const long *e, const long *p)
{
    long block = ((p[0] / 16 * (e[1] / 16) + p[1] / 16) * e[2] + p[2]) * e[3] + p[3];
    return at((block * 4 + p[1] % 16 / 4) * 16 + p[0] % 16, 0, p[1] % 4);
}
static place mnn_image(const long *e, const long *p)
{
    return at(p[1] / 4 * e[3] + p[3], p[0] * e[2] + p[2], p[1] % 4);
}
static place mnn_filter(const long *e, const long *p)
{
    return at(p[1], (p[0] / 4 * e[2] + p[2]) * e[3] + p[3], p[0] % 4);
}
static place mnn_filter_1x1(const long *e, const long *p)
{
    return (void)e, at(p[1] / 4, p[0], p[1] % 4);
}
static place tflite_2d(const long *e, const long *p)
{
    return at(p[3] * e[0] + p[0], p[2] * slices(e[1]) + p[1] / 4, p[1] % 4);
}
static place tflite_buffer(const long *e, const long *p)
{
    return at(((p[1] / 4 * e[2] + p[2]) * e[3] + p[3]) * e[0] + p[0], 0, p[1] % 4);
}
static place tflite_layers(const long *e, const long *p)
{
    return in_layer(p[3] * e[0] + p[0], p[2], p[1] / 4, p[1] % 4);
}
static place tflite_depth(const long *e, const long *p)
{
    return in_layer(p[4] * e[0] + p[0], p[3], p[2] * slices(e[1]) + p[1] / 4, p[1] % 4);
}
static place tvm_texture(const long *e, const long *p)
{
    return at(p[3], (p[0] * slices(e[1]) + p[1] / 4) * e[2] + p[2], p[1] % 4);
}
/* 1x64x1120x1120 in 4480x4480: sixteen slices as four by four */
static place four_by_four(const long *e, const long *p)
{
    return at(p[1] / 4 % 4 * e[3] + p[3], (p[0] * (e[1] / 16) + p[1] / 16) * e[2] + p[2], p[1] % 4);
}

/* vLLM's keys and values, eight halves to a texel of 128 bits: block, head, d, token. */
static place vllm_keys(const long *e, const long *p)
{
    return at(((p[0] * e[1] + p[1]) * (e[2] / 8) + p[2] / 8) * e[3] + p[3], 0, p[2] % 8);
}
static place vllm_values(const long *e, const long *p)
{
    return at(((p[0] * e[1] + p[1]) * e[2] + p[2]) * (e[3] / 8) + p[3] / 8, 0, p[3] % 8);
}
/* A camera's planes: four pixels, or two pairs of U and V, to a texel; an RGGB square as one texel,
   or as four planes. */
static place four_pixels(const long *e, const long *p)
{
    return (void)e, at(p[1] / 4, p[0], p[1] % 4);
}
static place two_chromas(const long *e, const long *p)
{
    return (void)e, at(p[1] / 2, p[0], p[1] % 2 * 2 + p[2]);
}
static place rggb_texel(const long *e, const long *p)
{
    return (void)e, at(p[1] / 2, p[0] / 2, p[0] % 2 * 2 + p[1] % 2);
}
static place rggb_planes(const long *e, const long *p)
{
    return (void)e, in_layer(p[1] / 8, p[0] / 2, p[0] % 2 * 2 + p[1] % 2, p[1] / 2 % 4);
}

typedef enum kind {
    ACTIVATION,
    DEEP,
    FILTER,
    FILTER_16,
    FILTER_1X1,
    LARGE,
    KV_CACHE,
    LUMA,
    CHROMA,
    BAYER
} kind;
static const char *const element_of[] = { "f32", "f32", "f32", "f32", "f32",
                                          "f32", "f16", "u8",  "u8",  "u16" };

typedef struct layout {
    const char *name, *map;
    irl_scope   scope;
    kind        of;
    place_fn   *place;
    int         lanes; /* of a texel */
} layout;

static const layout layouts[] = {
    { "NCHW4c", "(n, c, h, w) -> (n, c / 4, h, w, c % 4)", IRL_SCOPE_GLOBAL, ACTIVATION, nchw4c,
      4 },
    { "MNN, Paddle image", "(n, c, h, w) -> (n, h), (c / 4, w, c % 4)", IRL_SCOPE_TEXTURE,
      ACTIVATION, mnn_image, 4 },
    { "TFLite texture 2d", "(n, c, h, w) -> (h, c / 4), (w, n, c % 4)", IRL_SCOPE_TEXTURE,
      ACTIVATION, tflite_2d, 4 },
    { "TFLite image buffer", "(n, c, h, w) -> (c / 4, h, w, n, c % 4)", IRL_SCOPE_GLOBAL,
      ACTIVATION, tflite_buffer, 4 },
    { "TFLite image buffer, as an image", "(n, c, h, w) -> (c / 4, h, w, n, c % 4)",
      IRL_SCOPE_TEXTURE_BUFFER, ACTIVATION, tflite_buffer, 4 },
    { "TFLite texture array", "(n, c, h, w) -> (c / 4), (h), (w, n, c % 4)", IRL_SCOPE_TEXTURE,
      ACTIVATION, tflite_layers, 4 },
    { "TFLite texture 3d", "(n, c, h, w) -> (c / 4), (h), (w, n, c % 4)", IRL_SCOPE_TEXTURE_VOLUME,
      ACTIVATION, tflite_layers, 4 },
    { "TFLite texture array, with depth", "(n, c, z, h, w) -> (z, c / 4), (h), (w, n, c % 4)",
      IRL_SCOPE_TEXTURE, DEEP, tflite_depth, 4 },
    { "TFLite texture 3d, with depth", "(n, c, z, h, w) -> (z, c / 4), (h), (w, n, c % 4)",
      IRL_SCOPE_TEXTURE_VOLUME, DEEP, tflite_depth, 4 },
    { "TVM texture", "(n, c, h, w) -> (n, c / 4, h), (w, c % 4)", IRL_SCOPE_TEXTURE, ACTIVATION,
      tvm_texture, 4 },
    { "OIHW4o", "(o, i, y, x) -> (o / 4, i, y, x, o % 4)", IRL_SCOPE_GLOBAL, FILTER, oihw4o, 4 },
    { "MNN filter", "(o, i, y, x) -> (o / 4, y, x), (i, o % 4)", IRL_SCOPE_TEXTURE_WEIGHT, FILTER,
      mnn_filter, 4 },
    { "oneDNN 4i16o4i", "(o, i, y, x) -> (o / 16, i / 16, y, x, i % 16 / 4, o % 16, i % 4)",
      IRL_SCOPE_GLOBAL, FILTER_16, onednn_4i16o4i, 4 },
    { "MNN filter 1x1", "(o, i, y, x) -> (o, y, x), (i / 4, i % 4)", IRL_SCOPE_TEXTURE_WEIGHT,
      FILTER_1X1, mnn_filter_1x1, 4 },
    { "four by four slices", "(n, c, h, w) -> (n, c / 16, h), (c / 4 % 4, w, c % 4)",
      IRL_SCOPE_TEXTURE, LARGE, four_by_four, 4 },
    { "vLLM keys", "(b, h, d, t) -> (b, h, d / 8, t, d % 8)", IRL_SCOPE_TEXTURE_BUFFER, KV_CACHE,
      vllm_keys, 8 },
    { "vLLM values", "(b, h, d, t) -> (b, h, d, t / 8, t % 8)", IRL_SCOPE_TEXTURE_BUFFER, KV_CACHE,
      vllm_values, 8 },
    { "NV12 luma, four pixels", "(y, x) -> (y), (x / 4, x % 4)", IRL_SCOPE_TEXTURE, LUMA,
      four_pixels, 4 },
    { "NV12 chroma, two pairs", "(y, x, uv) -> (y), (x / 2, x % 2 * 2 + uv)", IRL_SCOPE_TEXTURE,
      CHROMA, two_chromas, 4 },
    { "Bayer, a square to a texel", "(y, x) -> (y / 2), (x / 2, y % 2 * 2 + x % 2)",
      IRL_SCOPE_TEXTURE, BAYER, rggb_texel, 4 },
    { "Bayer, four planes", "(y, x) -> (y % 2 * 2 + x % 2), (y / 2), (x / 8, x / 2 % 4)",
      IRL_SCOPE_TEXTURE, BAYER, rggb_planes, 4 },
};

typedef struct workload {
    const char *name;
    kind        of;
    long        extent[AXES]; /* 0: no such axis */
    int         is_first; /* run in every test, the others in `make soak` */
} workload;

static const workload workloads[] = {
    { "the stem's input, three channels", ACTIVATION, { 1, 3, 224, 224 }, 1 },
    { "two of a batch", ACTIVATION, { 2, 24, 56, 56 }, 1 },
    { "ShuffleNetV2, 58 channels", ACTIVATION, { 1, 58, 28, 28 }, 1 },
    { "MobileNetV2, depthwise", ACTIVATION, { 1, 144, 56, 56 }, 1 },
    { "the classes, one by one", ACTIVATION, { 1, 1000, 1, 1 }, 1 },
    { "MobileNetV2", ACTIVATION, { 1, 32, 112, 112 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 16, 112, 112 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 96, 112, 112 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 24, 56, 56 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 32, 28, 28 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 192, 28, 28 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 64, 14, 14 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 384, 14, 14 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 576, 14, 14 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 160, 7, 7 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 960, 7, 7 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 320, 7, 7 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 1280, 7, 7 }, 0 },
    { "ResNet50", ACTIVATION, { 1, 64, 112, 112 }, 0 },
    { "ResNet50", ACTIVATION, { 1, 64, 56, 56 }, 0 },
    { "ResNet50", ACTIVATION, { 1, 256, 56, 56 }, 0 },
    { "ResNet50", ACTIVATION, { 1, 128, 28, 28 }, 0 },
    { "ResNet50", ACTIVATION, { 1, 512, 28, 28 }, 0 },
    { "ResNet50", ACTIVATION, { 1, 256, 14, 14 }, 0 },
    { "ResNet50", ACTIVATION, { 1, 1024, 14, 14 }, 0 },
    { "ResNet50", ACTIVATION, { 1, 512, 7, 7 }, 0 },
    { "ResNet50", ACTIVATION, { 1, 2048, 7, 7 }, 0 },
    { "ShuffleNetV2", ACTIVATION, { 1, 116, 28, 28 }, 0 },
    { "ShuffleNetV2", ACTIVATION, { 1, 122, 28, 28 }, 0 },
    { "ShuffleNetV2", ACTIVATION, { 1, 232, 14, 14 }, 0 },
    { "the stem's filter", FILTER, { 32, 3, 3, 3 }, 1 },
    { "ShuffleNetV2, 58 outputs", FILTER, { 58, 24, 1, 1 }, 1 },
    { "ResNet50's stem", FILTER, { 64, 3, 7, 7 }, 0 },
    { "a depthwise filter", FILTER, { 144, 1, 3, 3 }, 1 },
    { "ResNet50", FILTER, { 64, 64, 3, 3 }, 1 },
    { "ResNet50", FILTER, { 128, 128, 3, 3 }, 0 },
    { "ResNet50", FILTER, { 256, 256, 3, 3 }, 0 },
    { "ResNet50", FILTER_16, { 64, 64, 3, 3 }, 1 },
    { "ResNet50", FILTER_16, { 256, 128, 3, 3 }, 0 },
    { "MobileNetV2", FILTER_1X1, { 96, 24, 1, 1 }, 1 },
    { "MobileNetV2", FILTER_1X1, { 1280, 320, 1, 1 }, 0 },
    { "ResNet50", FILTER_1X1, { 512, 256, 1, 1 }, 0 },
    { "over the limit of the conventions", LARGE, { 1, 64, 1120, 1120 }, 0 },
    { "the same, small", LARGE, { 1, 64, 14, 14 }, 1 },
    { "frames of a video", DEEP, { 2, 10, 3, 14, 14 }, 1 },
    { "frames of a video", DEEP, { 1, 64, 8, 56, 56 }, 0 },
    { "Llama 3 8B, two blocks of 16 tokens", KV_CACHE, { 2, 8, 128, 16 }, 1 },
    { "Llama 3 8B, 256 blocks", KV_CACHE, { 256, 8, 128, 16 }, 0 },
    { "a camera's luma", LUMA, { 120, 160 }, 1 },
    { "a camera's luma", LUMA, { 1080, 1920 }, 0 },
    { "a camera's chroma", CHROMA, { 60, 80, 2 }, 1 },
    { "a camera's chroma", CHROMA, { 540, 960, 2 }, 0 },
    { "a raw sensor", BAYER, { 48, 64 }, 1 },
    { "a raw sensor", BAYER, { 2160, 3840 }, 0 },
};

/* ------------------------------------------------------------------ plain C: from numbers to other
   numbers, into an image

   Where packing is more than a place: bits put together, a camera's picture for a network. The
   texts say the sizes. */

/* ggml's Q4_0, transposed for image1d_buffer_t: four nibbles of a row in 16 bits, the rows side by
   side. */
#define Q4_PACK(M, K, K4) \
    "func f(q: u8[" #M ", " #K "], u: u16[" #K4 ", " #M "]) { for (k: " #K4 ", m: " #M ")" \
    " u[k, m] = u16(q[m, 4 * k]) | u16(q[m, 4 * k + 1]) << 4 | u16(q[m, 4 * k + 2]) << 8 | " \
    "u16(q[m, 4 * k + 3]) << 12; }"
#define Q4_UNPACK(M, K, K4) \
    "func f(u: u16[" #K4 ", " #M "], q: u8[" #M ", " #K "]) { for (m: " #M ", k: " #K ") " \
    "q[m, k] = " \
    "u8(u[k / 4, m] >> u16(k % 4 * 4) & 15); }"

static unsigned char nibble_at(long k) { return (unsigned char)((k * 7 + k / 31) % 16); }

static void q4_units(const unsigned char *q, unsigned char *packed, long rows, long k_extent)
{
    uint16_t *unit = (uint16_t *)(void *)packed;
    long      pitch = slices(rows) * 4, m, k, j;
    for (k = 0; k < k_extent / 4; k++)
        for (m = 0; m < pitch; m++) {
            unsigned v = 0;
            for (j = 0; j < 4 && m < rows; j++) v |= (unsigned)q[m * k_extent + 4 * k + j] << 4 * j;
            unit[k * pitch + m] = (uint16_t)(m < rows ? v : 7u);
        }
}
static void q4_gemma(const unsigned char *q, unsigned char *packed)
{
    q4_units(q, packed, 2816, 2112);
}
static void q4_odd(const unsigned char *q, unsigned char *packed)
{
    q4_units(q, packed, 4099, 256);
}

/* Rows of RAW10 (five bytes for four pixels: the high bits of each, then all low bits) as RGGB
   squares. */
static const char raw10_pack[] =
    "func f(x: u8[2160, 4800], y: u16[2160, 3840]) { for (r: 2160, c: 3840)"
    " y[r, c] = u16(x[r, c / 4 * 5 + c % 4]) << 2 | u16(x[r, c / 4 * 5 + 4] >> u8(c % 4 * 2) & 3); "
    "}";
static const char raw10_unpack[] =
    "func f(y: u16[2160, 3840], x: u8[2160, 4800]) {"
    " for (r: 2160, g: 960, b: 4) x[r, g * 5 + b] = u8(y[r, g * 4 + b] >> 2);"
    " for (r: 2160, g: 960) x[r, g * 5 + 4] = u8(y[r, g * 4] & 3 | (y[r, g * 4 + 1] & 3) << 2 |"
    " (y[r, g * 4 + 2] & 3) << 4 | (y[r, g * 4 + 3] & 3) << 6); }";

static unsigned char byte_at(long k) { return (unsigned char)((k * 37 + k / 251) % 256); }

static void raw10(const unsigned char *x, unsigned char *packed)
{
    uint16_t *y = (uint16_t *)(void *)packed;
    long      r, c;
    for (r = 0; r < 2160; r++)
        for (c = 0; c < 3840; c++) {
            const unsigned char *group = x + r * 4800 + c / 4 * 5;
            y[((r / 2) * 1920 + c / 2) * 4 + r % 2 * 2 + c % 2] =
                (uint16_t)(group[c % 4] << 2 | (group[4] >> (c % 4 * 2) & 3));
        }
}

/* NV12 (luma, then U and V side by side at half the size; rows of 2048) as 1x3x224x224: the nearest
   pixel, BT.601 in whole numbers. Four pixels share a U and a V: a map that is no layout, and is
   read all the same. */
static const char nv12_rgb[] =
    "func f(x: u8[1620, 2048], y: f32[1, 3, 224, 224]) {\n"
    "    for (h: 224, w: 224, c: 3) {\n"
    "        let l = (i32(x[h * 135 / 28, w * 60 / 7]) - 16) * 298 + 128;\n"
    "        let u = i32(x[1080 + h * 135 / 56, w * 30 / 7 * 2]) - 128;\n"
    "        let v = i32(x[1080 + h * 135 / 56, w * 30 / 7 * 2 + 1]) - 128;\n"
    "        let rgb = l + select(c == 0, v * 409, select(c == 1, u * -100 - v * 208, u * 516));\n"
    "        y[0, c, h, w] = f32(min(max(rgb >> 8, 0), 255));\n"
    "    }\n}\n";

static float nv12_pixel(const unsigned char *x, long h, long w, int c)
{
    long y = h * 1080 / 224, column = w * 1920 / 224, rgb;
    int l = x[y * 2048 + column], u = x[(1080 + y / 2) * 2048 + column / 2 * 2] - 128,
        v = x[(1080 + y / 2) * 2048 + column / 2 * 2 + 1] - 128;
    rgb = (l - 16) * 298 + (c == 0 ? 409 * v : c == 1 ? -100 * u - 208 * v : 516 * u) + 128;
    return (float)(rgb < 0 ? 0 : rgb / 256 > 255 ? 255 : rgb / 256);
}

static void nv12(const unsigned char *x, unsigned char *packed)
{
    float *y = (float *)(void *)packed;
    long   h, w;
    int    c;
    for (h = 0; h < 224; h++)
        for (w = 0; w < 224; w++)
            for (c = 0; c < 4; c++)
                y[(h * 224 + w) * 4 + c] = c < 3 ? nv12_pixel(x, h, w, c) : -7.0f;
}

typedef struct conversion {
    const char   *name, *pack, *unpack; /* unpack NULL: one way only */
    const char   *from_map, *map;       /* of the two buffers; from_map NULL: as it is */
    irl_scope     from_scope, scope;
    const char   *element;              /* of the packed image */
    long          bytes, columns, rows; /* of what is packed; of the image */
    unsigned char (*value)(long k);
    void (*convert)(const unsigned char *from, unsigned char *packed);
} conversion;

static const conversion conversions[] = {
    { "Q4_0 of gemma-4, 2816x2112", Q4_PACK(2816, 2112, 528), Q4_UNPACK(2816, 2112, 528), NULL,
      "(k, m) -> (k, m / 4, m % 4)", IRL_SCOPE_GLOBAL, IRL_SCOPE_TEXTURE_BUFFER, "u16", 2816 * 2112,
      528 * 704, 1, nibble_at, q4_gemma },
    { "Q4_0, rows that are no multiple of 4", Q4_PACK(4099, 256, 64), Q4_UNPACK(4099, 256, 64),
      NULL, "(k, m) -> (k, m / 4, m % 4)", IRL_SCOPE_GLOBAL, IRL_SCOPE_TEXTURE_BUFFER, "u16",
      4099 * 256, 64 * 1025, 1, nibble_at, q4_odd },
    { "RAW10 to Bayer squares", raw10_pack, raw10_unpack, NULL,
      "(y, x) -> (y / 2), (x / 2, y % 2 * 2 + x % 2)", IRL_SCOPE_GLOBAL, IRL_SCOPE_TEXTURE, "u16",
      2160 * 4800, 1920, 1080, byte_at, raw10 },
    { "NV12 to RGB in NCHW4c", nv12_rgb, NULL, NULL, "(n, c, h, w) -> (n, c / 4, h, w, c % 4)",
      IRL_SCOPE_GLOBAL, IRL_SCOPE_GLOBAL, "f32", 1620 * 2048, 224 * 224, 1, byte_at, nv12 },
    { "NV12 in an image to RGB in an image", nv12_rgb, NULL, "(y, x) -> (y), (x / 4, x % 4)",
      "(n, c, h, w) -> (n, c / 4, h), (w, c % 4)", IRL_SCOPE_TEXTURE, IRL_SCOPE_TEXTURE, "f32",
      1620 * 2048, 224, 224, byte_at, nv12 },
};

#endif
