/* test_texture.c - how tensors lie in images: the conventions' sizes, the searched layouts, and
   that every candidate's map is injective onto an image of just the size that was said. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "test.h"

static irl_texture_choice ask(irl_ctx *cx, irl_shape shape, int channel, int64_t limit)
{
    irl_texture_options q;
    memset(&q, 0, sizeof q);
    q.shape = shape;
    q.has_channel = channel != -1;
    q.channel = channel;
    q.max_width = q.max_height = limit;
    return irl_texture_candidates(cx, &q);
}

static const irl_texture_candidate *named(const irl_texture_choice *t, const char *name)
{
    int k;
    for (k = 0; k < t->count; k++)
        if (strcmp(t->list[k].name, name) == 0) return &t->list[k];
    return NULL;
}

static int is_size(const irl_texture_choice *t, const char *name, int64_t width, int64_t height)
{
    const irl_texture_candidate *c = named(t, name);
    return c && c->width == width && c->height == height;
}

/* The image that the map itself leads to: its last group is columns and lane, before it are rows,
   before them layers. */
static int map_agrees(irl_ctx *cx, const irl_texture_candidate *c, irl_shape shape)
{
    irl_verdict v = irl_map_check(cx, c->map, shape);
    int         separators[2], count = irl_map_separators(c->map, separators, 2), k, group;
    int64_t     side[3] = { 1, 1, 1 }, cells, points = 1; /* columns, rows, layers */
    if ((v.kind != IRL_BIJECTIVE && v.kind != IRL_INJECTIVE) || count > 2) return 0;
    if ((c->scope == IRL_SCOPE_TEXTURE_BUFFER && count != 0) ||
        (c->scope == IRL_SCOPE_TEXTURE_VOLUME && count != 2) ||
        (c->scope == IRL_SCOPE_TEXTURE && !count))
        return 0;
    for (k = 0; k < v.physical.rank - 1; k++) {
        for (group = 0; group < count && k >= separators[group]; group++) {}
        side[count - group] *= v.physical.extent[k];
    }
    for (k = 0; k < shape.rank; k++) points *= shape.extent[k];
    cells = c->width * c->height * c->layers * 4;
    /* a split that does not divide may leave the end of its last row unused: the image is never
       smaller than the map's box */
    return side[0] <= c->width && side[1] <= c->height && side[2] <= c->layers &&
           c->waste == cells - points;
}

static void all_agree(irl_ctx *cx, irl_shape shape, int channel)
{
    irl_texture_choice t = ask(cx, shape, channel, 64);
    int                k;
    CHECK(t.count > 0);
    for (k = 0; k < t.count; k++)
        if (!CHECK(map_agrees(cx, &t.list[k], shape)))
            printf("  %s: %s\n", t.list[k].name, irl_map_text(cx, t.list[k].map));
    CHECK_OK(cx);
}

/* The tensor that fits no convention: Paddle-Lite #5459. */
static void test_large(irl_ctx *cx)
{
    static const char *const fixed[] = { "texture", "texture:weight", "texture:nhwc",
                                         "mnn",     "paddle",         "tflite" };
    static const int64_t     limits[] = { 8192, 16384 };
    size_t                   k, j;
    for (j = 0; j < 2; j++) {
        irl_texture_choice t = ask(cx, IRL_SHAPE(1, 64, 1120, 1120), -1, limits[j]);
        for (k = 0; k < sizeof fixed / sizeof fixed[0]; k++) {
            const irl_texture_candidate *c = named(&t, fixed[k]);
            CHECK(c && !c->fits && strstr(c->reason, limits[j] == 8192 ? "8192" : "16384"));
        }
        CHECK(is_size(&t, "texture", 1120, 17920) && is_size(&t, "mnn", 17920, 1120) &&
              is_size(&t, "tflite", 1120, 17920));
        CHECK(is_size(&t, "texture:weight", 20070400, 1) &&
              is_size(&t, "texture:nhwc", 17920, 1120));
        CHECK(t.chosen >= 0 && t.list[t.chosen].width == 4480 && t.list[t.chosen].height == 4480 &&
              t.list[t.chosen].waste == 0);
        CHECK(t.chosen >= 0 && strcmp(t.list[t.chosen].name, "n,c/16,h|c/4%4,w") == 0);
    }
    CHECK_OK(cx);
}

static void test_choice(irl_ctx *cx)
{
    irl_texture_choice t = ask(cx, IRL_SHAPE(1, 64, 56, 56), -1, 0);
    CHECK(t.options.max_width == 8192 && t.options.channel == 1);
    CHECK(ask(cx, IRL_SHAPE(8, 9, 12), -1, 0).options.channel == 2 &&
          ask(cx, IRL_SHAPE(12, 8, 3, 3), 0, 0).options.channel == 0);
    CHECK(t.chosen >= 0 && strcmp(t.list[t.chosen].name, "texture") == 0 &&
          is_size(&t, "texture", 56, 896));
    t = ask(cx, IRL_SHAPE(64, 3, 3, 64), 0, 0); /* a filter: no names of activations */
    CHECK(is_size(&t, "mnn:filter", 3, 16 * 3 * 64) && !named(&t, "mnn") && !named(&t, "tflite"));
    CHECK(is_size(&t, "texture:weight", 3 * 3 * 64, 16));
    t = ask(cx, IRL_SHAPE(64), -1, 0);
    CHECK(is_size(&t, "texture", 16, 1));
    t = ask(cx, IRL_SHAPE(1, 62, 7, 7), -1, 0); /* two lanes of the last slice are unused */
    CHECK(named(&t, "texture") && named(&t, "texture")->waste == 2 * 49);
    t = ask(cx, IRL_SHAPE(1, 64, 100000, 100000), -1, 0);
    CHECK(t.count > 0 && t.chosen == -1);
    /* sizes beyond 63 bits are a reason, not a crash */
    t = ask(cx, IRL_SHAPE(INT64_MAX / 2, INT64_MAX / 2, 4), -1, 0);
    CHECK(t.count > 0 && t.chosen == -1 && named(&t, "texture")->height == -1);
    CHECK_OK(cx);
}

static void test_types(irl_ctx *cx)
{
    irl_texture_options q;
    irl_texture_choice   t;
    memset(&q, 0, sizeof q);
    q.shape = IRL_SHAPE(8, 8);
    q.has_channel = q.channel = 1;
    q.element = irl_type_of(IRL_F16, 1);
    t = irl_texture_candidates(cx, &q);
    CHECK(t.chosen >= 0);
    /* eight halves to a texel: 60 channels are 8 slices, 4 lanes of the last unused */
    q.shape = IRL_SHAPE(1, 60, 7, 5);
    q.element = irl_type_of(IRL_F16, 8);
    t = irl_texture_candidates(cx, &q);
    CHECK(is_size(&t, "texture", 5, 56) && named(&t, "texture")->waste == 4 * 35);
    CHECK(strcmp(irl_map_text(cx, named(&t, "texture")->map),
                 "(n, c, h, w) -> (n, c / 8, h, |, w, c % 8)") == 0);
    q.element = irl_type_of(IRL_F64, 1);
    t = irl_texture_candidates(cx, &q);
    CHECK(t.chosen == -1 && t.count > 0 && strstr(t.list[0].reason, "f64"));
    CHECK_CODE(cx, IRL_OK);
}

/* Where no image of two dimensions holds the tensor: over a buffer, then an array, then a volume;
   each within its own limit. */
static void test_other_kinds(irl_ctx *cx)
{
    irl_texture_options q;
    irl_texture_choice   t;
    memset(&q, 0, sizeof q);
    q.shape = IRL_SHAPE(65521, 4); /* a prime: no way to two sides */
    q.has_channel = q.channel = 1;
    t = irl_texture_candidates(cx, &q);
    CHECK(t.options.max_texels == 65536 && t.options.max_layers == 2048 &&
          t.options.max_volume == 2048);
    CHECK(t.chosen >= 0 && strcmp(t.list[t.chosen].name, "texture:buffer") == 0 &&
          t.list[t.chosen].scope == IRL_SCOPE_TEXTURE_BUFFER);
    CHECK(is_size(&t, "texture:buffer", 65521, 1) && named(&t, "texture:buffer")->layers == 1 &&
          named(&t, "texture:buffer")->waste == 0);
    CHECK(strcmp(irl_map_text(cx, named(&t, "texture:buffer")->map),
                 "(i0, c) -> (i0, c / 4, c % 4)") == 0);
    CHECK(!named(&t, "texture:array")); /* two axes make no layers */
    q.max_texels = 65520;
    t = irl_texture_candidates(cx, &q);
    CHECK(t.chosen == -1 && strcmp(named(&t, "texture:buffer")->reason,
                                   "width 65521 is over the limit of 65520") == 0);
    q.max_texels = 0;
    q.shape = IRL_SHAPE(1, 256, 1200, 1200); /* 92 million texels, more than 8192 x 8192 has */
    t = irl_texture_candidates(cx, &q);
    CHECK(t.chosen >= 0 && strcmp(t.list[t.chosen].name, "texture:array") == 0 &&
          t.list[t.chosen].scope == IRL_SCOPE_TEXTURE);
    CHECK(is_size(&t, "texture:array", 1200, 1200) && named(&t, "texture:array")->layers == 64);
    CHECK(strcmp(irl_map_text(cx, named(&t, "texture:array")->map),
                 "(n, c, h, w) -> (n, c / 4, |, h, |, w, c % 4)") == 0);
    q.max_texels = 134217728; /* PoCL's */
    t = irl_texture_candidates(cx, &q);
    CHECK(t.chosen >= 0 && strcmp(t.list[t.chosen].name, "texture:buffer") == 0 &&
          is_size(&t, "texture:buffer", 64 * 1200 * 1200, 1));
    q.max_texels = 0;
    q.max_layers = 63;
    t = irl_texture_candidates(cx, &q);
    CHECK(t.chosen >= 0 && strcmp(t.list[t.chosen].name, "texture:volume") == 0 &&
          t.list[t.chosen].scope == IRL_SCOPE_TEXTURE_VOLUME);
    CHECK(strcmp(named(&t, "texture:array")->reason, "layers 64 is over the limit of 63") == 0);
    q.max_volume = 1000;
    t = irl_texture_candidates(cx, &q);
    CHECK(t.chosen == -1);
    CHECK(strcmp(named(&t, "texture:volume")->reason,
                 "width 1200 is over the limit of 1000; height 1200 is over the limit of 1000") ==
          0);
    q.max_volume = 0; /* no volume is believed longer than images are */
    q.max_width = q.max_height = 512;
    CHECK(irl_texture_candidates(cx, &q).options.max_volume == 512);
    CHECK_OK(cx);
    q.max_layers = -1;
    CHECK(irl_texture_candidates(cx, &q).count == 0);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    CHECK(irl_diag_of(cx) && strstr(irl_diag_of(cx)->message, "-1 layers"));
}

static void refused(irl_shape shape, int channel, int64_t limit, irl_code code)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    CHECK(ask(cx, shape, channel, limit).count == 0);
    CHECK_CODE(cx, code);
    irl_ctx_destroy(cx);
}

/* Lanes that fill no texel. */
static void refused_lanes(void)
{
    irl_ctx             *cx = irl_ctx_create(NULL);
    irl_texture_options q;
    memset(&q, 0, sizeof q);
    q.shape = IRL_SHAPE(8, 8);
    q.has_channel = q.channel = 1;
    q.element = irl_type_of(IRL_F32, 8);
    CHECK(irl_texture_candidates(cx, &q).count == 0);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    CHECK(irl_diag_of(cx) &&
          strstr(irl_diag_of(cx)->message, "4 elements of f32, or 4; found 8"));
    irl_ctx_destroy(cx);
}

int main(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    test_large(cx);
    test_choice(cx);
    test_types(cx);
    all_agree(cx, IRL_SHAPE(2, 24, 5, 3), -1);
    all_agree(cx, IRL_SHAPE(2, 5, 3, 23), 3);
    all_agree(cx, IRL_SHAPE(30, 4, 3, 3), 0);
    all_agree(cx, IRL_SHAPE(17), 0);
    all_agree(cx, IRL_SHAPE(3, 40), 1);
    all_agree(cx, IRL_SHAPE(2, 1, 2, 9, 1, 2, 2), 3);
    all_agree(cx, IRL_SHAPE(5, 6, 7), 0);
    test_other_kinds(cx);
    irl_ctx_destroy(cx);
    refused(IRL_SHAPE(4, 0), -1, 0, IRL_ERROR_BAD_ARGUMENT);
    refused(IRL_SHAPE(4, 4), 2, 0, IRL_ERROR_BAD_ARGUMENT);
    refused(IRL_SHAPE(4, 4), 1, -1, IRL_ERROR_BAD_ARGUMENT);
    refused_lanes();
    return TEST_DONE();
}
