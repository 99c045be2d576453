/* texture_cases.h - generated functions over images: tensors of four axes in layouts that
   irl_texture_candidates lists, in other kinds of images and with wider texels, in every loop
   order, read whole, shifted, by one lane, under a guard; written whole, padded, through a
   temporary. Seeds above TC_PLAIN_SEEDS have names for some extents; the others keep the functions
   that they had before there were any. */
#ifndef IRL_TEXTURE_CASES_H
#define IRL_TEXTURE_CASES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TC_AXES = 4, TC_BUFFERS = 3, TC_MOST = 8192, TC_PLAIN_SEEDS = 20000 };

/* Which image a buffer lies in: one of the candidates' layouts, or of another kind, its layout made
   here. A SQUARE's texels are two by two of two axes. */
typedef enum tc_kind {
    TC_CANDIDATE,
    TC_ARRAY,
    TC_VOLUME,
    TC_LINE,
    TC_WIDE,
    TC_SQUARE,
    TC_KINDS
} tc_kind;

typedef struct tc_case {
    unsigned    seed;
    int         extent[TC_AXES], channel;
    int         is_named[TC_AXES];    /* an extent is n0, n1, ..., an index parameter */
    const char *type;            /* of elements */
    int         in_image[TC_BUFFERS]; /* x, y, t */
    int         pick[TC_BUFFERS];     /* which candidate */
    int         kind[TC_BUFFERS];     /* tc_kind */
    int         lanes[TC_BUFFERS];    /* of a texel */
    int         is_padded;       /* y's padding is stated */
    char        text[2048];
} tc_case;

typedef struct tc_rng {
    unsigned long state;
} tc_rng;

static int tc_below(tc_rng *r, int n)
{
    r->state = (r->state * 1103515245ul + 12345ul) & 0x7ffffffful;
    return (int)((r->state >> 9) % (unsigned)n);
}

static const char *const tc_types[] = { "f32", "f16", "i32", "u8", "i16", "f32" };
static const char *const tc_names[TC_BUFFERS] = { "x", "y", "t" };

static void tc_add(char *text, size_t room, const char *more)
{
    size_t n = strlen(text);
    snprintf(text + n, room - n, "%s", more);
}

/* "[a0, 4 - a1, a2, 3]": the point, with one axis turned around or constant. */
static void tc_point(const tc_case *c, char *out, size_t room, int changed, const char *instead)
{
    char part[64];
    int  k;
    snprintf(out, room, "[");
    for (k = 0; k < TC_AXES; k++) {
        snprintf(part, sizeof part, "%s", k ? ", " : "");
        tc_add(out, room, part);
        snprintf(part, sizeof part, "a%d", k);
        tc_add(out, room, k == changed ? instead : part);
    }
    (void)c;
    tc_add(out, room, "]");
}

/* "4", or "n2" */
static const char *tc_extent(const tc_case *c, int k, char text[24])
{
    snprintf(text, 24, c->is_named[k] ? "n%d" : "%d", c->is_named[k] ? k : c->extent[k]);
    return text;
}

static void tc_loops(tc_case *c, tc_rng *r, int is_unrolled)
{
    int  order[TC_AXES], k, j, swap;
    char part[64], extent[24];
    for (k = 0; k < TC_AXES; k++) order[k] = k;
    for (k = TC_AXES - 1; k > 0; k--) {
        j = tc_below(r, k + 1);
        swap = order[k], order[k] = order[j], order[j] = swap;
    }
    tc_add(c->text, sizeof c->text, "    for (");
    for (k = 0; k < TC_AXES; k++) {
        snprintf(part, sizeof part, "%sa%d: %s", k ? ", " : "", order[k],
                 tc_extent(c, order[k], extent));
        tc_add(c->text, sizeof c->text, part);
    }
    tc_add(c->text, sizeof c->text, ")\n        ");
    (void)is_unrolled;
}

/* A value that reads `from`; arithmetic in f32 for f16. */
static void tc_value(tc_case *c, tc_rng *r, const char *from, char *out, size_t room)
{
    char read[160], at[128], instead[64], extent[24];
    int  how = tc_below(r, 6), axis = tc_below(r, TC_AXES), is_half = strcmp(c->type, "f16") == 0;
    snprintf(instead, sizeof instead, "a%d", axis);
    if (how == 1 && c->is_named[axis])
        snprintf(instead, sizeof instead, "n%d - 1 - a%d", axis, axis);
    else if (how == 1) snprintf(instead, sizeof instead, "%d - a%d", c->extent[axis] - 1, axis);
    if (how == 2) snprintf(instead, sizeof instead, "%d", tc_below(r, c->extent[axis]));
    if (how == 3)
        snprintf(instead, sizeof instead, "(a%d + 1) %% %s", axis, tc_extent(c, axis, extent));
    if (how == 4) snprintf(instead, sizeof instead, "a%d - 1", axis);
    tc_point(c, at, sizeof at, axis, instead);
    snprintf(read, sizeof read, is_half ? "f32(%s%s)" : "%s%s", from, at);
    if (how == 4)
        snprintf(out, room,
                 is_half ? "f16(if_then_else(a%d >= 1, %s, 3.0f))"
                         : "if_then_else(a%d >= 1, %s, 3)",
                 axis, read);
    else snprintf(out, room, is_half ? "f16(%s + 1.0f)" : "%s + 1", read);
}

static void tc_assign(tc_case *c, tc_rng *r, const char *to, const char *from)
{
    char value[256], at[128];
    tc_loops(c, r, 0);
    tc_point(c, at, sizeof at, -1, "");
    tc_value(c, r, from, value, sizeof value);
    tc_add(c->text, sizeof c->text, to);
    tc_add(c->text, sizeof c->text, at);
    tc_add(c->text, sizeof c->text, " = ");
    tc_add(c->text, sizeof c->text, value);
    tc_add(c->text, sizeof c->text, ";\n");
}

/* The n-th axis of an even extent, from 0; TC_AXES: there is none. */
static int tc_even_axis(const tc_case *c, int n)
{
    int k;
    for (k = 0; k < TC_AXES; k++)
        if (c->extent[k] % 2 == 0 && n-- == 0) return k;
    return TC_AXES;
}

/* Kinds and lanes, from numbers of their own. */
static void tc_choose_kinds(tc_case *c)
{
    tc_rng r;
    int    k, wide = strcmp(c->type, "u8") == 0 ? 16 : c->type[1] == '1' ? 8 : 4;
    r.state = c->seed * 40503ul + 11ul;
    for (k = 0; k < TC_BUFFERS; k++) {
        c->kind[k] = tc_below(&r, 2) ? TC_CANDIDATE : tc_below(&r, TC_KINDS);
        if (c->kind[k] == TC_SQUARE && tc_even_axis(c, 1) == TC_AXES) c->kind[k] = TC_CANDIDATE;
        c->lanes[k] =
            c->kind[k] == TC_SQUARE                                                         ? 4
            : c->kind[k] == TC_WIDE || (c->kind[k] != TC_CANDIDATE && tc_below(&r, 3) == 0) ? wide
                                                                                            : 4;
    }
}

/* "(a0, a1, a2, a3) -> (a1 / 2, a0), (a3, a2 / 2, a1 % 2 * 2 + a2 % 2)" */
static void tc_square_map(const tc_case *c, char *out, size_t room)
{
    int high = tc_even_axis(c, 0), low = tc_even_axis(c, 1), other[TC_AXES], n = 0, k;
    for (k = 0; k < TC_AXES; k++)
        if (k != high && k != low) other[n++] = k;
    snprintf(out, room,
             "(a0, a1, a2, a3) -> (a%d / 2, a%d), (a%d, a%d / 2, a%d %% 2 * 2 + a%d %% 2)", high,
             other[0], other[1], low, high, low);
}

/* A layout for an image that is no candidate's: "(a0, a1, a2, a3) -> (a1), (a3), (a0, a2 / 4, a2 %
   4)". */
static void tc_map(const tc_case *c, int k, char *out, size_t room)
{
    char part[64];
    int  axis[TC_AXES], n = 0, j, first = c->pick[k] % 3;
    if (c->kind[k] == TC_SQUARE) {
        tc_square_map(c, out, room);
        return;
    }
    for (j = 0; j < TC_AXES; j++)
        if (j != c->channel) axis[n++] = j;
    snprintf(out, room, "(a0, a1, a2, a3) -> (");
    for (j = 0; j < 3; j++) {
        const char *behind =
            c->kind[k] == TC_LINE || (c->kind[k] == TC_WIDE && j == 0) ? ", " : "), (";
        snprintf(part, sizeof part, "a%d%s", axis[(first + j) % 3], j < 2 ? behind : ", ");
        tc_add(out, room, part);
    }
    snprintf(part, sizeof part, "a%d / %d, a%d %% %d)", c->channel, c->lanes[k], c->channel,
             c->lanes[k]);
    tc_add(out, room, part);
}

static irl_scope tc_scope(const tc_case *c, int k, const irl_texture_candidate *of)
{
    if (c->kind[k] == TC_CANDIDATE &&
        (of->scope != IRL_SCOPE_TEXTURE || irl_map_separators(of->map, NULL, 0) > 1))
        return of->scope;
    if (c->kind[k] == TC_VOLUME) return IRL_SCOPE_TEXTURE_VOLUME;
    if (c->kind[k] == TC_LINE) return IRL_SCOPE_TEXTURE_BUFFER;
    return c->pick[k] % 3 ? IRL_SCOPE_TEXTURE : IRL_SCOPE_TEXTURE_WEIGHT;
}

static int tc_has_square(const tc_case *c)
{
    int k;
    for (k = 0; k < TC_BUFFERS; k++)
        if (c->in_image[k] && c->kind[k] == TC_SQUARE) return 1;
    return 0;
}

/* Names for extents, the channel's often, from numbers of their own; the sides of squares are even,
   and numbers. The parameters, "n0: index, ". */
static void tc_choose_names(tc_case *c, char *params, size_t room)
{
    tc_rng r;
    char   part[24];
    int    k;
    r.state = c->seed * 69069ul + 5ul;
    for (k = 0; k < 5; k++) (void)tc_below(&r, 2);
    for (k = 0; k < TC_AXES && c->seed > TC_PLAIN_SEEDS; k++) {
        c->is_named[k] = tc_below(&r, 4) < (k == c->channel ? 3 : 2);
        if (tc_has_square(c) && (k == tc_even_axis(c, 0) || k == tc_even_axis(c, 1)))
            c->is_named[k] = 0;
        if (!c->is_named[k]) continue;
        snprintf(part, sizeof part, "n%d: index, ", k);
        tc_add(params, room, part);
    }
}

static tc_case tc_make(unsigned seed)
{
    tc_case c;
    tc_rng  r;
    char    shape[128], params[128] = "", extent[TC_AXES][24];
    int     k, has_temporary;
    memset(&c, 0, sizeof c);
    r.state = seed * 2654435761ul + 7ul;
    for (k = 0; k < 5; k++) (void)tc_below(&r, 2);
    c.seed = seed;
    c.channel = tc_below(&r, TC_AXES);
    for (k = 0; k < TC_AXES; k++) c.extent[k] = 1 + tc_below(&r, 4);
    c.extent[c.channel] = tc_below(&r, 2) ? 4 * (1 + tc_below(&r, 4)) : 1 + tc_below(&r, 18);
    c.type = tc_types[tc_below(&r, 6)];
    has_temporary = tc_below(&r, 2);
    for (k = 0; k < TC_BUFFERS; k++) {
        c.in_image[k] = tc_below(&r, 4) != 0 && (k < 2 || has_temporary);
        c.pick[k] = tc_below(&r, 1000);
    }
    c.is_padded = tc_below(&r, 2);
    tc_choose_kinds(&c);
    tc_choose_names(&c, params, sizeof params);
    snprintf(shape, sizeof shape, "%s[%s, %s, %s, %s]", c.type, tc_extent(&c, 0, extent[0]),
             tc_extent(&c, 1, extent[1]), tc_extent(&c, 2, extent[2]), tc_extent(&c, 3, extent[3]));
    snprintf(c.text, sizeof c.text, "func f(%sx: %s, y: %s) {\n", params, shape, shape);
    if (has_temporary) {
        snprintf(c.text + strlen(c.text), sizeof c.text - strlen(c.text), "    alloc t: %s;\n",
                 shape);
        tc_assign(&c, &r, "t", "x");
        tc_assign(&c, &r, "y", "t");
    } else tc_assign(&c, &r, "y", "x");
    tc_add(c.text, sizeof c.text, "}\n");
    return c;
}

/* The function with the layouts and scopes of the case. */
static irl_func *tc_func(irl_ctx *cx, const tc_case *c, irl_func **plain)
{
    irl_func            *f = irl_func_parse(cx, c->text, strlen(c->text), "generated");
    irl_texture_options q;
    irl_texture_choice   t;
    int                  k;
    *plain = f;
    memset(&q, 0, sizeof q);
    q.shape = IRL_SHAPE(c->extent[0], c->extent[1], c->extent[2], c->extent[3]);
    q.has_channel = 1;
    q.channel = c->channel;
    t = irl_texture_candidates(cx, &q);
    for (k = 0; k < TC_BUFFERS && f && t.count; k++) {
        const irl_texture_candidate *of = &t.list[c->pick[k] % t.count];
        char                         map[160];
        if (!c->in_image[k]) continue;
        tc_map(c, k, map, sizeof map);
        f = irl_func_set_layout(f, tc_names[k],
                                c->kind[k] == TC_CANDIDATE ? of->map : irl_map_parse(cx, map));
        if (f && k == 1 && c->is_padded) f = irl_func_set_padding(f, "y", 5.0);
        if (f) f = irl_func_set_scope(f, tc_names[k], tc_scope(c, k, of));
    }
    return f;
}

typedef struct tc_data {
    irl_tensor    tensor;
    size_t        bytes;
    int           name_count;
    int64_t       names[TC_AXES];
    unsigned char x[TC_MOST], y[TC_MOST], expected[TC_MOST];
} tc_data;

static irl_arguments tc_arguments(tc_data *d, unsigned char *y)
{
    irl_arguments a;
    int           k;
    memset(&a, 0, sizeof a);
    for (k = 0; k < d->name_count; k++) a.data[a.count++] = &d->names[k];
    a.data[a.count++] = d->x;
    a.data[a.count++] = y;
    return a;
}

/* Small numbers in x, bytes that are no result in y. */
static int tc_fill(const tc_case *c, const irl_func *f, tc_data *d)
{
    tc_rng r;
    size_t at, step;
    int    k;
    d->name_count = 0;
    for (k = 0; k < TC_AXES; k++)
        if (c->is_named[k]) d->names[d->name_count++] = c->extent[k];
    if (!irl_func_param_tensor(f, d->name_count, tc_arguments(d, d->y), &d->tensor) ||
        d->tensor.bytes > TC_MOST)
        return 0;
    d->bytes = d->tensor.bytes;
    r.state = c->seed + 99;
    step = d->bytes / (size_t)(c->extent[0] * c->extent[1] * c->extent[2] * c->extent[3]);
    for (at = 0; at < d->bytes; at += step) {
        int      value = tc_below(&r, 100);
        float    f32 = (float)value;
        int32_t  i32 = value;
        /* 1 to 2 and above, in steps that a half has */
        uint16_t half = (uint16_t)(0x3c00 + 16 * value);
        int16_t  i16 = (int16_t)value;
        if (strcmp(c->type, "f32") == 0) memcpy(d->x + at, &f32, 4);
        else if (strcmp(c->type, "f16") == 0) memcpy(d->x + at, &half, 2);
        else if (strcmp(c->type, "i32") == 0) memcpy(d->x + at, &i32, 4);
        else if (strcmp(c->type, "i16") == 0) memcpy(d->x + at, &i16, 2);
        else d->x[at] = (unsigned char)value;
    }
    memset(d->y, 0x11, d->bytes);
    memset(d->expected, 0x11, d->bytes);
    return 1;
}

/* The first element that differs, -1: none. */
static int64_t tc_differs(const tc_data *d, const tc_case *c)
{
    int64_t count = (int64_t)c->extent[0] * c->extent[1] * c->extent[2] * c->extent[3];
    return irl_array_difference(d->tensor.type, count, d->expected, d->y, 0);
}

#endif
