/* c_layouts.h - lines of IRL_LAYOUT whose C functions are compared with their maps at every point.
   A program defines IRL_INDEX_TYPE before it includes this; the library beside it may be compiled
   for another. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "test.h"

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wtype-limits" /* lines that mean something else without a sign */
#pragma GCC diagnostic ignored "-Wsign-compare"
#endif

#define TILE 4

/* How a line's function is called with a point, and in which shape. */
typedef void c_call(irl_index *out, const irl_shape *at);
typedef struct c_line {
    const irl_source_text *line;
    c_call                *call;
    irl_shape              shape;
} c_line;

#define AT_(k) IRL__INDEX(p->extent[k])
#define LINE1(name, in, ...) \
    IRL_LAYOUT(name, in, __VA_ARGS__); \
    static void call_##name(irl_index *out, const irl_shape *p) { IRL_AT(name, out, AT_(0)); }
#define LINE2(name, in, ...) \
    IRL_LAYOUT(name, in, __VA_ARGS__); \
    static void call_##name(irl_index *out, const irl_shape *p) \
    { \
        IRL_AT(name, out, AT_(0), AT_(1)); \
    }
#define LINE4(name, in, ...) \
    IRL_LAYOUT(name, in, __VA_ARGS__); \
    static void call_##name(irl_index *out, const irl_shape *p) \
    { \
        IRL_AT(name, out, AT_(0), AT_(1), AT_(2), AT_(3)); \
    }

LINE1(as_is, (i), (i))
LINE2(ssd1306, (y, x), (y / 8, x, y % 8))
LINE2(image, (y, x), (y * 320 + x))
LINE2(swapped, (y, x), (x), (y))
LINE4(nchw4c, (n, h, w, c), (n, c / TILE, h), (w, c % TILE))
LINE4(oihw, (o, i, y, x), (o / 4 * 36 + i * 9 + y * 3 + x, o % 4))
LINE1(before, (i), ((i - 5) % 8))
LINE1(before_floor, (i), (irl_floormod(i - 5, 8)))
LINE1(before_div, (i), ((i - 5) / 8 + 1, i))
LINE1(before_div_floor, (i), (irl_floordiv(i - 5, 8) + 1, i))
LINE1(back, (i), (99 - i))
LINE1(back_and_forth, (i), (i - 60 + 60))
LINE1(twice_and_half, (i), (i * 300 / 300))
LINE1(guarded, (i), (i < 5 ? i : (i - 5) % 100 + 5))
LINE1(guarded_and, (i), (i > 4 && (i - 5) / 3 > 7 ? i : i))
LINE1(exclusive, (i), (i ^ (i >> 1)))
LINE1(shifted, (i), (i << 2 | i >> 5, i))
LINE1(masked, (i), (i & 15, i >> 4))
LINE1(inverted, (i), (~i + 200))
LINE1(negated, (i), (-i + 100))
LINE1(compared, (i), (i > 3 ? i : i))
LINE1(compared_below, (i), (i > -1 ? i : 99 - i))
LINE1(by_minus_one, (i), (i / -1 + 200))
LINE1(constant, (i), (i + 4000 * 8))
LINE1(constant_down, (i), (i + 7 + -7 / 2))
LINE1(constant_u, (i), (i - 5u + 5u))
LINE1(constant_hex, (i), (i % 0x10, i / 0x10))
LINE1(long_constant, (i), (i % 1000000000000, i))

static const c_line lines[] = {
    { &as_is, call_as_is, { 1, NULL, { 100 } } },
    { &as_is, call_as_is, { 1, NULL, { 200 } } },
    { &as_is, call_as_is, { 1, NULL, { 300 } } },
    { &ssd1306, call_ssd1306, { 2, NULL, { 64, 128 } } },
    { &image, call_image, { 2, NULL, { 100, 320 } } },
    { &image, call_image, { 2, NULL, { 240, 320 } } },
    { &image, call_image, { 2, NULL, { 0, 320 } } },
    { &swapped, call_swapped, { 2, NULL, { 9, 100 } } },
    { &nchw4c, call_nchw4c, { 4, NULL, { 2, 5, 7, 9 } } },
    { &oihw, call_oihw, { 4, NULL, { 16, 4, 3, 3 } } },
    { &before, call_before, { 1, NULL, { 8 } } },
    { &before_floor, call_before_floor, { 1, NULL, { 8 } } },
    { &before_div, call_before_div, { 1, NULL, { 50 } } },
    { &before_div_floor, call_before_div_floor, { 1, NULL, { 50 } } },
    { &back, call_back, { 1, NULL, { 100 } } },
    { &back_and_forth, call_back_and_forth, { 1, NULL, { 100 } } },
    { &twice_and_half, call_twice_and_half, { 1, NULL, { 100 } } },
    { &twice_and_half, call_twice_and_half, { 1, NULL, { 120 } } },
    { &guarded, call_guarded, { 1, NULL, { 90 } } },
    { &guarded_and, call_guarded_and, { 1, NULL, { 90 } } },
    { &exclusive, call_exclusive, { 1, NULL, { 64 } } },
    { &shifted, call_shifted, { 1, NULL, { 64 } } },
    { &masked, call_masked, { 1, NULL, { 64 } } },
    { &inverted, call_inverted, { 1, NULL, { 64 } } },
    { &negated, call_negated, { 1, NULL, { 100 } } },
    { &compared, call_compared, { 1, NULL, { 64 } } },
    { &compared_below, call_compared_below, { 1, NULL, { 64 } } },
    { &by_minus_one, call_by_minus_one, { 1, NULL, { 64 } } },
    { &constant, call_constant, { 1, NULL, { 64 } } },
    { &constant_down, call_constant_down, { 1, NULL, { 64 } } },
    { &constant_u, call_constant_u, { 1, NULL, { 64 } } },
    { &constant_hex, call_constant_hex, { 1, NULL, { 100 } } },
    { &long_constant, call_long_constant, { 1, NULL, { 100 } } },
};

static int c_next(const irl_shape *shape, irl_shape *at)
{
    int k;
    for (k = shape->rank - 1; k >= 0; k--) {
        if (++at->extent[k] < shape->extent[k]) return 1;
        at->extent[k] = 0;
    }
    return 0;
}

/* C computes at this point what the map says. */
static int c_agrees(irl_ctx *cx, const c_line *line, const irl_map *map, const irl_shape *at)
{
    irl_index out[IRL_MAX_RANK];
    irl_shape expected;
    int       k;
    for (k = 0; k < at->rank; k++) /* the point itself */
        if (IRL__INT64(IRL__INDEX(at->extent[k])) != at->extent[k]) return 0;
    line->call(out, at);
    if (!irl_map_apply(cx, map, *at, &expected)) return 0;
    for (k = 0; k < expected.rank; k++)
        if (IRL__INT64(out[k]) != expected.extent[k]) return 0;
    return 1;
}

/* How many lines differ, and at how many of their points the function was seen to. */
static void test_lines(int differences, int seen_differences)
{
    size_t k;
    int    differ = 0, seen = 0;
    for (k = 0; k < sizeof lines / sizeof lines[0]; k++) {
        irl_ctx       *cx = irl_ctx_create(NULL);
        const irl_map *map = irl_layout(cx, lines[k].line);
        irl_verdict    v = irl_map_check(cx, map, lines[k].shape);
        irl_shape      at;
        int            ok = CHECK_OK(cx);
        memset(&at, 0, sizeof at);
        at.rank = lines[k].shape.rank;
        if (v.kind == IRL_C_DIFFERS) {
            differ++;
            ok &= CHECK(v.reason[0] && strstr(irl_verdict_text(cx, &v), v.reason));
            ok &= CHECK(strstr(irl_verdict_json(cx, map, &v), "\"verdict\": \"c-differs\""));
            ok &=
                CHECK(!v.inverse && v.a.rank == at.rank && irl_map_inverse(cx, map, v.shape, NULL));
            if (sizeof(irl_index) < sizeof(int)) seen += !c_agrees(cx, &lines[k], map, &v.a);
        } else {
            ok &= CHECK(v.kind == IRL_BIJECTIVE || v.kind == IRL_INJECTIVE);
            do {
                if (irl_shape_count(v.shape)) ok &= CHECK(c_agrees(cx, &lines[k], map, &at));
            } while (ok && c_next(&v.shape, &at));
        }
        if (!ok || getenv("C_LAYOUTS_SHOWN"))
            printf("    %s: %s\n", lines[k].line->text, irl_verdict_text(cx, &v));
        irl_ctx_destroy(cx);
    }
    printf("%d lines, irl_index of %d bytes: %d differ in C, %d where it was looked at\n",
           (int)k, IRL__INDEX_KIND, differ, seen);
    CHECK(differ == differences && seen == seen_differences);
}
