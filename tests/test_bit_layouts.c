/* test_bit_layouts.c - layouts whose elements take bits: the verdict on each bit, against an array
   of single bits, on random maps, widths, orders, offsets and strides, and on shapes with names.

   usage  test_bit_layouts [FIRST]     another sequence of random maps */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define _GNU_SOURCE
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#include "../src/map/map.h"
#endif
#include "generate.h"
#include "test.h"
#include "random64.h"
#include "map_truth.h"
#include "random_maps.h"
#include "failing.h"
#include "c_batch.h"

/* ------------------------------------------------------------------ the array of single bits */

enum { MOST_BITS = 1 << 19 };
static unsigned char owners[MOST_BITS]; /* how many elements have a bit */

/* Bit i of the element in a cell, counted from the least significant one of byte 0. */
static int64_t model_bit(const irl_bit_element *e, int64_t cell, int i)
{
    const int64_t stride = e->stride ? e->stride : e->bits, p = e->offset + cell * stride + i;
    return e->order == IRL_BITS_MSB ? p - p % 8 + 7 - p % 8 : p;
}

typedef struct model {
    irl_verdict_kind kind;
    int64_t          bits, unused, first; /* first: -1 where there is none */
} model;

static int64_t cell_of(const irl_shape *to, const irl_shape *memory)
{
    int64_t cell = 0;
    int     k;
    for (k = 0; k < to->rank; k++) cell = cell * memory->extent[k] + to->extent[k];
    return cell;
}

/* 0: it lies outside; -1: it is too large. */
static int model_of(const irl_map *map, const irl_shape *shape, const irl_shape *memory,
                    const irl_bit_element *e, model *m)
{
    const int64_t stride = e->stride ? e->stride : e->bits;
    irl_shape     at, to;
    int64_t       cells = 1, b;
    int           k, lossy = 0;
    for (k = 0; k < memory->rank; k++) cells *= memory->extent[k];
    memset(m, 0, sizeof *m);
    m->bits = cells ? (e->offset + (cells - 1) * stride + e->bits + 7) / 8 * 8 : 0;
    if (m->bits > MOST_BITS) return -1;
    memset(owners, 0, (size_t)m->bits);
    memset(&at, 0, sizeof at);
    at.rank = shape->rank;
    if (!truth_empty(shape))
        do {
            if (!truth_apply(map, &at, &to)) return 0;
            for (k = 0; k < to.rank; k++)
                if (to.extent[k] < 0 || to.extent[k] >= memory->extent[k]) return 0;
            for (k = 0; k < e->bits; k++)
                lossy |= owners[model_bit(e, cell_of(&to, memory), k)]++ > 0;
        } while (truth_next(shape, &at));
    m->first = -1;
    for (b = m->bits; b-- > 0;)
        if (!owners[b]) m->first = b, m->unused++;
    m->kind = lossy ? IRL_LOSSY : m->unused ? IRL_INJECTIVE : IRL_BIJECTIVE;
    return 1;
}

/* The element of the point has the bit. */
static int has_bit(const irl_map *map, const irl_shape *shape, const irl_shape *memory,
                   const irl_bit_element *e, const irl_shape *at, int64_t bit)
{
    irl_shape to;
    int       k, found = 0;
    if (at->rank != shape->rank) return 0;
    for (k = 0; k < at->rank; k++)
        if (at->extent[k] < 0 || at->extent[k] >= shape->extent[k]) return 0;
    if (!truth_apply(map, at, &to)) return 0;
    for (k = 0; k < e->bits; k++) found |= model_bit(e, cell_of(&to, memory), k) == bit;
    return found;
}

/* ------------------------------------------------------------------ one question */

static int seen_kinds[8], overlaps, by_points, too_large;

static int agrees(const irl_map *map, irl_shape shape, const irl_bit_element *e)
{
    irl_bit_verdict v = irl_map_check_bits(cx, map, shape, e);
    irl_shape       memory;
    irl_mark        mark;
    model           m;
    int             known = 0;
    if (!CHECK_OK(cx)) return 0;
    mark = irl_ctx_mark(cx);
    if (irl_map_memory(cx, map, shape, &memory))
        known = model_of(map, &shape, &memory, e, &m);
    if (!irl_ok(cx)) irl_ctx_rewind(cx, mark);
    too_large += known < 0;
    if (known < 0) return 1;
    if (!known) return v.kind != IRL_BIJECTIVE && v.kind != IRL_INJECTIVE;
    seen_kinds[v.kind]++;
    by_points += v.kind == IRL_INJECTIVE && !v.map.inverse;
    if (v.kind != m.kind || v.code != (m.kind == IRL_LOSSY ? IRL_ERROR_LOSSY_MAP : IRL_OK))
        return 0;
    if (v.kind == IRL_LOSSY) {
        overlaps += v.map.kind != IRL_LOSSY;
        return !truth_same(&v.a, &v.b) && has_bit(map, &shape, &memory, e, &v.a, v.bit) &&
               has_bit(map, &shape, &memory, e, &v.b, v.bit);
    }
    return v.bits == m.bits && v.unused_bits == m.unused && v.first_unused == m.first;
}

static irl_bit_element some_element(void)
{
    irl_bit_element e;
    char            text[64];
    const int       bits = random_below(3)   ? 1 + random_below(31)
                                 : random_below(2) ? 1 + random_below(4)
                                                   : 32 + random_below(33);
    int             length;
    if (bits == 8 || bits == 16 || bits == 32 || bits == 64)
        length = sprintf(text, "u%d bits(lsb)", bits);
    else length = sprintf(text, "%c%d", bits > 1 && random_below(2) ? 'i' : 'u', bits);
    CHECK(irl_bit_element_parse(cx, text, &e) && e.bits == bits && length > 0);
    e.order = random_below(2) ? IRL_BITS_MSB : IRL_BITS_LSB;
    if (random_below(2)) e.offset = random_below(40);
    if (random_below(2)) e.stride = 1 + random_below(random_below(2) ? 40 : bits);
    return e;
}

static void random_layouts(int count)
{
    int k;
    for (k = 0; k < count; k++) {
        recipe         r;
        const irl_map *map;
        cx = irl_ctx_create(NULL);
        r = invent(STEP_KINDS);
        map = build(&r);
        if (map) {
            const irl_bit_element e = some_element();
            if (!CHECK(agrees(map, r.shape, &e)))
                printf("%s on [%d, ...], %s: %s\n", irl_map_text(cx, map), (int)r.shape.extent[0],
                       irl_bit_element_text(cx, &e), irl_diag_text(cx));
        }
        irl_ctx_destroy(cx);
    }
    printf("%d bijective, %d injective (%d without a formula), %d lossy, %d of them by their "
           "stride, %d too large for the model\n", seen_kinds[IRL_BIJECTIVE],
           seen_kinds[IRL_INJECTIVE], by_points, seen_kinds[IRL_LOSSY], overlaps, too_large);
    CHECK(seen_kinds[IRL_BIJECTIVE] && seen_kinds[IRL_INJECTIVE] && overlaps);
    CHECK(too_large * 20 < count && by_points > 0);
}

/* ------------------------------------------------------------------ by hand */

typedef struct hand_row {
    const char *map, *element;
    irl_shape   shape;
    const char *text;
} hand_row;

static const hand_row hand_rows[] = {
    { "(y, x) -> (y/8, x, y%8)", "u1", { 2, NULL, { 64, 128 } },
      "bijective: each of 8192 bits belongs to an element" },
    { "(y, x) -> (y, x)", "u3", { 2, NULL, { 3, 7 } },
      "injective: 1 of 64 bits is unused, the first is bit 7 of byte 7" },
    { "(y, x) -> (y, x)", "u3 bits(msb)", { 2, NULL, { 3, 7 } },
      "injective: 1 of 64 bits is unused, the first is bit 0 of byte 7" },
    /* glyphs of 13 columns in rows of 16 */
    { "(y, x) -> (y*16 + x)", "u1 bits(msb)", { 2, NULL, { 2, 13 } },
      "injective: 6 of 32 bits are unused, the first is bit 0 of byte 1" },
    { "(i) -> (i)", "u10 strides(16)", { 1, NULL, { 4 } },
      "injective: 24 of 64 bits are unused, the first is bit 2 of byte 1" },
    { "(i) -> (i)", "u10 offset(3) strides(16) bits(msb)", { 1, NULL, { 4 } },
      "injective: 24 of 64 bits are unused, the first is bit 5 of byte 0" },
    { "(i) -> (i)", "i12 strides(10)", { 1, NULL, { 4 } },
      "lossy: (0) and (1) have bit 2 of byte 1" },
    { "(i) -> (i*2)", "i12 strides(6)", { 1, NULL, { 4 } },
      "bijective: each of 48 bits belongs to an element" },
    { "(y, x) -> (y/2, x)", "u2", { 2, NULL, { 4, 4 } },
      "lossy: (0, 0) and (1, 0) have bit 0 of byte 0" },
    { "(i) -> (i - 1)", "u2", { 1, NULL, { 4 } }, "out-of-range: (0) goes to [-1]" },
    { "(i) -> (i)", "u2", { 1, NULL, { 0 } }, "bijective: each of 0 bits belongs to an element" },
    { "() -> ()", "u5", { 0, NULL, { 0 } },
      "injective: 3 of 8 bits are unused, the first is bit 5 of byte 0" },
    { "(c) -> (c/4, c%4)", "u3", { 1, NULL, { 3 } },
      "injective: 7 of 16 bits are unused, the first is bit 1 of byte 1" },
    /* too many to be looked at: counted all the same */
    { "(y, x) -> (y, x)", "u1", { 2, NULL, { INT64_C(1) << 30, (INT64_C(1) << 30) - 1 } },
      "bijective: each of 1152921503533105152 bits belongs to an element" },
    { "(y, x) -> (y, 2 * x)", "u4 strides(3)", { 2, NULL, { INT64_C(1) << 28, 1 << 28 } },
      "undecided: it is not known whether two elements have a bit in common" },
    { "(y, x) -> (y, 2 * x)", "u4 strides(3)", { 2, NULL, { INT64_C(1) << 28, 1 << 16 } },
      "lossy: (0, 65535) and (1, 0) have bit 5 of byte 49151" },
    { "(i) -> (i)", "u31", { 1, NULL, { INT64_MAX / 8 } },
      "undecided: the memory has 2^63 bits or more" }
};

static void by_hand(void)
{
    size_t k;
    for (k = 0; k < sizeof hand_rows / sizeof *hand_rows; k++) {
        const hand_row *r = &hand_rows[k];
        irl_bit_element e;
        irl_bit_verdict v;
        const char     *text, *json;
        const irl_map  *map;
        cx = irl_ctx_create(NULL);
        map = irl_map_parse(cx, r->map);
        CHECK(irl_bit_element_parse(cx, r->element, &e));
        v = irl_map_check_bits(cx, map, r->shape, &e);
        text = irl_bit_verdict_text(cx, &v);
        json = irl_bit_verdict_json(cx, map, &e, &v);
        if (!CHECK(strncmp(text, r->text, strlen(r->text)) == 0 && irl_ok(cx)))
            printf("%s as %s: %s\n", r->map, r->element, text);
        CHECK(strstr(json, irl_verdict_name(v.kind)) && strstr(json, "\"elements\": {"));
        CHECK(strstr(json, v.map.box_known ? "\"memory\": [" : "\"memory\": null"));
        CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
}

/* Injective, and no formula of the way back is known: every point is looked at. */
static void without_formula(void)
{
    static const char *const texts[] = { "(i) -> (i*i)", "(i) -> (i*i*i % 1201)",
                                         "(i) -> (i*i + 3*i)", "(i) -> (i*(i + 1)/2, 0)" };
    size_t k;
    int    n;
    for (k = 0; k < sizeof texts / sizeof *texts; k++)
        for (n = 0; n < 40; n++) {
            irl_bit_element e;
            cx = irl_ctx_create(NULL);
            e = some_element();
            if (!CHECK(agrees(irl_map_parse(cx, texts[k]), IRL_SHAPE(90 + n), &e)))
                printf("%s, %s\n", texts[k], irl_bit_element_text(cx, &e));
            irl_ctx_destroy(cx);
        }
}

/* The same words as the verdict on a record of one field that is the layout. */
static void as_records_say(void)
{
    int k;
    for (k = 0; k < 200; k++) {
        const int          bits = 1 + random_below(7), count = 1 + random_below(9);
        char               record[128], element[64];
        irl_bit_element    e;
        irl_bit_verdict    v;
        irl_record_verdict w;
        const irl_record  *r;
        const int          stride = 1 + random_below(12), offset = random_below(10);
        const int          bytes = (offset + (count - 1) * stride + bits + 7) / 8;
        const char        *order = random_below(2) ? "lsb" : "msb", *mine, *theirs;
        cx = irl_ctx_create(NULL);
        sprintf(element, "u%d bits(%s) offset(%d) strides(%d)", bits, order, offset, stride);
        sprintf(record, "record r bytes(%d) bits(%s) { e: u%d[%d] strides(%d) offset(%d); }",
                bytes, order, bits, count, stride, offset);
        r = irl_record_parse(cx, record, IRL_TO_NUL, NULL);
        w = irl_record_check(r);
        CHECK(irl_bit_element_parse(cx, element, &e));
        v = irl_map_check_bits(cx, irl_map_identity(cx, 1), IRL_SHAPE(count), &e);
        mine = irl_bit_verdict_text(cx, &v);
        theirs = irl_record_verdict_text(r, &w);
        CHECK(v.kind == w.kind);
        if (w.kind == IRL_INJECTIVE && !CHECK(strcmp(mine, theirs) == 0))
            printf("%s: %s, %s\n", record, mine, theirs);
        CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
}

/* ------------------------------------------------------------------ names */

typedef struct named_row {
    const char *map, *extents[2];
} named_row;

static const named_row named_rows[] = {
    { "(y, x) -> (y, x)", { "N", "M" } },
    { "(y, x) -> (y/8, x, y%8)", { "N", "M" } },
    { "(y, x) -> (y/8, x, y%8)", { "8*N", "M" } },
    { "(y, x) -> (y*2, x)", { "N", "3" } },
    { "(y, x) -> (x, N - 1 - y)", { "N", "M" } },
    { "(y, x) -> (y, x/4, x%4)", { "5", "N" } },
    { "(y, x) -> (y*(M + 3) + x)", { "N", "M" } },
    { "(y, x) -> (y/2, x)", { "N", "M" } },
    { "(y, x) -> (x, y)", { "4*N", "2*M" } },
};

static int64_t value_of(const irl_expr *e, const irl_expr *const *names, const int64_t *values)
{
    int64_t out = -1;
    CHECK(irl__value_at(e, 2, names, values, &out) == IRL__FOLD_OK);
    return out;
}

/* For values of the names: what the formulas say is what the model counts. */
static void check_values(const irl_map *map, const irl_expr *const *extents,
                         const irl_expr *const *names, const irl_bit_element *e,
                         const irl_bit_verdict *v)
{
    int64_t values[2];
    for (values[0] = 1; values[0] < 10; values[0]++)
        for (values[1] = 1; values[1] < 7; values[1]++) {
            const irl_expr *given[2], *out[IRL_MAX_RANK];
            const irl_map  *there;
            irl_shape       shape, memory;
            model           m;
            int             k;
            memset(&shape, 0, sizeof shape);
            shape.rank = 2;
            for (k = 0; k < 2; k++) given[k] = irl_expr_index(cx, values[k]);
            for (k = 0; k < 2; k++) shape.extent[k] = value_of(extents[k], names, values);
            for (k = 0; k < map->output_count; k++)
                out[k] = irl__substitute(cx, map->outputs[k], 2, names, given);
            there = irl__map_make(cx, 2, map->inputs, map->output_count, out, 0, NULL,
                                  irl__nowhere());
            if (!CHECK(irl_map_memory(cx, there, shape, &memory) &&
                       model_of(there, &shape, &memory, e, &m)))
                continue;
            CHECK(m.kind != IRL_LOSSY);
            CHECK(v->kind == IRL_INJECTIVE || m.unused == 0);
            CHECK(value_of(v->bits_named, names, values) == m.bits);
            CHECK(value_of(v->unused_named, names, values) == m.unused);
            if (v->condition)
                CHECK(value_of(v->condition, names, values) == (m.unused == 0));
        }
}

/* The witness of a verdict that is lossy, for its values. */
static void check_lossy(const irl_map *map, const irl_expr *const *extents,
                        const irl_expr *const *names, const irl_bit_element *e,
                        const irl_bit_verdict *v)
{
    const irl_expr *given[2], *out[IRL_MAX_RANK];
    int64_t         values[2] = { 1, 1 };
    const irl_map  *there;
    irl_shape       shape, memory;
    int             k, j;
    memset(&shape, 0, sizeof shape);
    shape.rank = 2;
    if (!CHECK(v->values || !v->map.parameter_count)) return;
    for (k = 0; k < v->map.parameter_count; k++)
        for (j = 0; j < 2; j++)
            if (v->map.parameters[k] == names[j]) values[j] = v->values[k];
    for (k = 0; k < 2; k++) given[k] = irl_expr_index(cx, values[k]);
    for (k = 0; k < 2; k++) shape.extent[k] = value_of(extents[k], names, values);
    for (k = 0; k < map->output_count; k++)
        out[k] = irl__substitute(cx, map->outputs[k], 2, names, given);
    there = irl__map_make(cx, 2, map->inputs, map->output_count, out, 0, NULL, irl__nowhere());
    CHECK(!truth_same(&v->a, &v->b));
    if (!CHECK(irl_map_memory(cx, there, shape, &memory)) || v->bit < 0) return;
    CHECK(has_bit(there, &shape, &memory, e, &v->a, v->bit));
    CHECK(has_bit(there, &shape, &memory, e, &v->b, v->bit));
}

static void with_names(void)
{
    static const char *const elements[] = { "u1", "u3", "i7 bits(msb)", "u16 bits(msb)",
                                            "u10 strides(16) offset(4)", "u4 strides(5)",
                                            "u5 strides(3)", "u31 strides(2) bits(msb)" };
    size_t k, j;
    int    right = 0, lossy = 0, open = 0;
    for (k = 0; k < sizeof named_rows / sizeof *named_rows; k++)
        for (j = 0; j < sizeof elements / sizeof *elements; j++) {
            const irl_expr *names[2], *extents[2];
            const irl_map  *map;
            irl_bit_element e;
            irl_bit_verdict v;
            int             d;
            cx = irl_ctx_create(NULL);
            names[0] = irl_expr_var(cx, "N", irl_type_of(IRL_INDEX, 1));
            names[1] = irl_expr_var(cx, "M", irl_type_of(IRL_INDEX, 1));
            map = irl_map_parse_over(cx, named_rows[k].map, "MAP", 2, names);
            for (d = 0; d < 2; d++)
                extents[d] = irl_expr_parse(cx, named_rows[k].extents[d], 2, names);
            CHECK(irl_bit_element_parse(cx, elements[j], &e));
            v = irl_map_check_bits(cx, map, irl_shape_of(2, extents), &e);
            if (v.kind == IRL_BIJECTIVE || v.kind == IRL_INJECTIVE) {
                right++;
                check_values(map, extents, names, &e, &v);
            } else if (v.kind == IRL_LOSSY) {
                lossy++;
                check_lossy(map, extents, names, &e, &v);
            } else {
                open++;
                printf("%s as %s: %s\n", named_rows[k].map, elements[j],
                       irl_bit_verdict_text(cx, &v));
            }
            CHECK(irl_bit_verdict_text(cx, &v)[0] && irl_bit_verdict_json(cx, map, &e, &v)[0]);
            if (!CHECK_OK(cx)) printf("%s as %s\n", named_rows[k].map, elements[j]);
            irl_ctx_destroy(cx);
        }
    printf("with names: %d right, %d lossy, %d undecided\n", right, lossy, open);
    CHECK(right > 40 && lossy > 10 && open <= 2);
}

/* ------------------------------------------------------------------ what is refused */

/* Where a bound of work ends the question, the reason says so. */
static void ended(void)
{
    irl_ctx_desc    desc;
    irl_bit_element e;
    irl_bit_verdict v;
    memset(&desc, 0, sizeof desc);
    desc.most_work = 2000;
    cx = irl_ctx_create(&desc);
    CHECK(irl_bit_element_parse(cx, "u3 strides(2)", &e));
    v = irl_map_check_bits(cx, irl_map_parse(cx, "(i) -> (i*i*i % 100003)"), IRL_SHAPE(90000), &e);
    if (!CHECK(v.kind == IRL_UNDECIDED &&
               strstr(v.reason, "deciding it takes more than 2000 steps") &&
               strstr(irl_bit_verdict_text(cx, &v), "more than 2000 steps")))
        puts(irl_bit_verdict_text(cx, &v));
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

static void refused(void)
{
    static const char *const texts[] = { "u0",    "u65",   "i65",  "snorm1", "i1 bits(lsb",
                                         "u3 x",  "",      "u3[4]", "u3 strides(0)",
                                         "u3 strides(1, 2)", "u3 offset(0 - 1)", "index", "f32x4",
                                         "u3 strides(n)", "u3;" };
    irl_bit_element e;
    size_t          k;
    for (k = 0; k < sizeof texts / sizeof *texts; k++) {
        cx = irl_ctx_create(NULL);
        if (!CHECK(!irl_bit_element_parse(cx, texts[k], &e) && !irl_ok(cx)))
            printf("'%s' is taken\n", texts[k]);
        irl_ctx_destroy(cx);
    }
    cx = irl_ctx_create(NULL);
    memset(&e, 0, sizeof e);
    CHECK(irl_map_check_bits(cx, irl_map_identity(cx, 1), IRL_SHAPE(4), &e).code ==
          IRL_ERROR_BAD_TYPE);
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(NULL);
    CHECK(irl_map_check_bits(cx, irl_map_identity(cx, 1), IRL_SHAPE(4), NULL).code ==
          IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(NULL);
    CHECK(!irl_bit_element_parse(cx, "u3 strides(2000000000000)", &e));
    CHECK(strstr(irl_diag_text(cx), "an offset is 0 to 1099511627776, a stride 1 to 10995"));
    irl_ctx_destroy(cx);
    ended();
    CHECK(irl_map_check_bits(NULL, NULL, IRL_SHAPE(4), NULL).kind == IRL_UNDECIDED);
    CHECK(irl_bit_verdict_text(NULL, NULL)[0] == 0 && !irl_bit_element_parse(NULL, "u3", &e));
}

/* ------------------------------------------------------------------ packing */

static int packs_made, packs_filled, packs_lowered, packs_views, packs_parallel;

static int bytes_of(const irl_bit_element *e)
{
    return e->bits <= 8 ? 1 : e->bits <= 16 ? 2 : e->bits <= 32 ? 4 : 8;
}

/* The bits of an element, as the model has them; bytes of the array of single bits. */
static void model_set(unsigned char *m, const irl_bit_element *e, int64_t cell, uint64_t value)
{
    int k;
    for (k = 0; k < e->bits; k++) {
        const int64_t  bit = model_bit(e, cell, k);
        const int      from = e->order == IRL_BITS_MSB ? e->bits - 1 - k : k;
        const unsigned one = (unsigned)(value >> from & 1);
        m[bit / 8] = (unsigned char)((m[bit / 8] & ~(1u << bit % 8)) | one << bit % 8);
    }
}

static uint64_t plain_at(const irl_bit_element *e, const unsigned char *plain, int64_t n)
{
    uint8_t  u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    if (bytes_of(e) == 8) return memcpy(&u64, plain + 8 * n, 8), u64;
    if (bytes_of(e) == 1) return memcpy(&u8, plain + n, 1), u8;
    if (bytes_of(e) == 2) return memcpy(&u16, plain + 2 * n, 2), u16;
    return memcpy(&u32, plain + 4 * n, 4), u32;
}

/* With the sign of an element above its bits. */
static void plain_keep(const irl_bit_element *e, unsigned char *plain, int64_t n)
{
    const uint64_t mask = UINT64_MAX >> (64 - e->bits);
    const int      is_signed = irl_bit_element_text(cx, e)[0] == 'i';
    uint64_t       u64 = plain_at(e, plain, n) & mask;
    uint8_t        u8;
    uint16_t       u16;
    uint32_t       u32;
    if (is_signed && u64 >> (e->bits - 1)) u64 |= ~mask;
    u8 = (uint8_t)u64;
    u16 = (uint16_t)u64;
    u32 = (uint32_t)u64;
    memcpy(plain + n * bytes_of(e), bytes_of(e) == 1   ? (const void *)&u8
                                    : bytes_of(e) == 2 ? (const void *)&u16
                                    : bytes_of(e) == 4 ? (const void *)&u32
                                                       : (const void *)&u64,
           (size_t)bytes_of(e));
}

/* Runs the function, and lowered by each of two targets; the same in `to` each time. */
static int packs_run(const irl_func *f, const void *from, unsigned char *to, size_t bytes)
{
    static unsigned char first[MOST_BITS], then[MOST_BITS];
    int k, ok;
    memcpy(first, to, bytes);
    ok = CHECK(irl_func_interpret(f, IRL_POINTERS(from, to)));
    for (k = 0; ok && k < 2; k++) {
        const irl_module *m = irl_func_lower(f, irl_target_find(k ? "c99" : "opencl12"));
        memcpy(then, first, bytes);
        ok = CHECK(m != NULL) && CHECK(irl_module_interpret(m, IRL_POINTERS(from, then))) &&
             CHECK(memcmp(then, to, bytes) == 0);
        packs_lowered += ok;
    }
    return ok;
}

/* Of a layout that is right: every bit of the memory, then the array as it was. */
static int packs_as_model(const irl_map *map, irl_shape shape, const irl_bit_element *e,
                          const irl_bit_verdict *v, const irl_pack_options *how)
{
    static unsigned char plain[MOST_BITS], back[MOST_BITS], m[MOST_BITS / 8 + 1], w[MOST_BITS / 8];
    const irl_func *pack = irl_map_pack_func(cx, map, shape, how),
                   *unpack = irl_map_unpack_func(cx, map, shape, how);
    const size_t bytes = (size_t)(v->bits / 8);
    irl_shape    at, to;
    int64_t      n = 0, cells = 1, k;
    if (!CHECK_OK(cx) || !CHECK(pack && unpack)) return 0;
    packs_made++;
    packs_filled += how->fill;
    packs_views += strstr(irl_func_text(pack), "decl cells") != NULL;
    packs_parallel += strstr(irl_func_text(pack), "k: ") != NULL;
    for (k = 0; k < v->map.memory.rank; k++) cells *= v->map.memory.extent[k];
    for (k = 0; k < (int64_t)bytes; k++) m[k] = w[k] = (unsigned char)random64();
    for (k = 0; how->fill && k < cells; k++) model_set(w, e, k, (uint64_t)(int)how->padding);
    memset(&at, 0, sizeof at);
    at.rank = shape.rank;
    if (!truth_empty(&shape))
        do {
            uint64_t value = random64();
            memcpy(plain + n * bytes_of(e), &value, (size_t)bytes_of(e));
            CHECK(truth_apply(map, &at, &to));
            model_set(w, e, cell_of(&to, &v->map.memory), plain_at(e, plain, n));
            n++;
        } while (truth_next(&shape, &at));
    memset(back, 0xa5, (size_t)(n * bytes_of(e)));
    if (!packs_run(pack, plain, m, bytes) || !CHECK(memcmp(m, w, bytes) == 0) ||
        !packs_run(unpack, m, back, (size_t)(n * bytes_of(e))))
        return 0;
    for (k = 0; k < n; k++) plain_keep(e, plain, k);
    return CHECK(memcmp(plain, back, (size_t)(n * bytes_of(e))) == 0);
}

static int packs(const irl_map *map, irl_shape shape, const irl_bit_element *e)
{
    irl_bit_verdict  v = irl_map_check_bits(cx, map, shape, e);
    irl_pack_options how;
    irl_mark         mark = irl_ctx_mark(cx);
    int              ok;
    memset(&how, 0, sizeof how);
    how.bits = e;
    if (v.kind != IRL_BIJECTIVE && v.kind != IRL_INJECTIVE) {
        ok = CHECK(!irl_map_pack_func(cx, map, shape, &how)) && CHECK_CODE(cx, v.code);
        irl_ctx_rewind(cx, mark);
        return ok;
    }
    if (v.bits > MOST_BITS / 8) return 1;
    how.padding = irl_bit_element_text(cx, e)[0] == 'i' ? -2 : 1;
    ok = packs_as_model(map, shape, e, &v, &how);
    how.fill = 1;
    if (!ok || !e->stride || e->stride >= e->bits)
        return ok && packs_as_model(map, shape, e, &v, &how);
    if (v.map.pad_cells == 0) return 1;
    ok = CHECK(!irl_map_pack_func(cx, map, shape, &how)) &&
         CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_rewind(cx, mark);
    return ok;
}

typedef struct pack_text {
    const char *map, *element;
    irl_shape   shape;
    const char *text; /* that the function has */
} pack_text;

static const pack_text pack_texts[] = {
    { "(c, x) -> (c/4, x, c%4)", "u4", { 2, NULL, { 6, 5 } },
      "func pack(plain: u8[6, 5], packed: u4[2, 5, 4]) {\n"
      "    for (axis0: 2, axis1: 5, axis2: 2, k: 2)" },
    { "(i) -> (i)", "u10", { 1, NULL, { 64 } }, "for (axis0: 16, k: 4)" },
    { "(i) -> (i)", "u16 bits(msb)", { 1, NULL, { 64 } }, "packed: u16[64] bits(msb)) {\n"
      "    for parallel (axis0: 64)" },
    { "(i) -> (i)", "u10 offset(4) strides(16)", { 1, NULL, { 6 } },
      "(plain: u16[6], packed: u8[12]) {\n"
      "    decl cells: u10[6] data(packed) strides(16) offset(4);\n    for (axis0: 6)" },
    { "(y, x) -> (x, y)", "i12 bits(msb) strides(20)", { 2, NULL, { 3, 5 } },
      "decl cells: i12[5, 3] data(packed) strides(60, 20) bits(msb);" },
    { "() -> ()", "u5 offset(6)", { 0, NULL, { 0 } }, "decl cells: u5[] data(packed)" },
    { "(i) -> (2 * i)", "u10 strides(8)", { 1, NULL, { 64 } }, "packed: u8[128]" },
    { "(i) -> (i)", "f16 bits(msb) offset(8)", { 1, NULL, { 9 } }, "plain: f16[9]" },
    { "(i) -> (i*i)", "u31", { 1, NULL, { 9 } }, "u31[65]" },
    { "(i, j) -> (i*i*3 + j)", "u3 offset(1)", { 2, NULL, { 120, 3 } }, "for (i: 120, j: 3)" },
    { "(i, j) -> (j, i)", "u3 offset(1)", { 2, NULL, { 0, 5 } }, "packed: u8[0]" },
};

/* Of names: as the layout of numbers, for values. */
static void packs_named(void)
{
    static const char *const texts[] = { "u10 offset(4) strides(16)", "u3", "i5 strides(7)" };
    unsigned char plain[64], back[64], m[128], w[128];
    size_t        k;
    for (k = 0; k < sizeof texts / sizeof *texts; k++) {
        const irl_expr  *n;
        const irl_func  *pack, *unpack;
        irl_bit_element  e;
        irl_pack_options how;
        int64_t          count, i;
        cx = irl_ctx_create(NULL);
        n = irl_expr_var(cx, "N", irl_type_of(IRL_INDEX, 1));
        memset(&how, 0, sizeof how);
        CHECK(irl_bit_element_parse(cx, texts[k], &e));
        how.bits = &e;
        pack = irl_map_pack_func(cx, irl_map_parse(cx, "(i) -> (i/4, i%4)"), irl_shape_of(1, &n),
                                 &how);
        unpack = irl_map_unpack_func(cx, irl_map_parse(cx, "(i) -> (i/4, i%4)"),
                                     irl_shape_of(1, &n), &how);
        if (!CHECK_OK(cx)) puts(irl_diag_text(cx));
        for (count = 1; count < 20; count++) {
            for (i = 0; i < 64; i++) plain[i] = (unsigned char)random64();
            for (i = 0; i < 128; i++) m[i] = w[i] = (unsigned char)random64();
            for (i = 0; i < count; i++) model_set(w, &e, i, plain_at(&e, plain, i));
            CHECK(irl_func_interpret(pack, IRL_POINTERS(&count, plain, m)));
            CHECK(memcmp(m, w, sizeof m) == 0);
            CHECK(irl_func_interpret(unpack, IRL_POINTERS(&count, m, back)));
            for (i = 0; i < count; i++) plain_keep(&e, plain, i);
            CHECK(memcmp(plain, back, (size_t)(count * bytes_of(&e))) == 0);
        }
        CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
}

static void packing(int count)
{
    static const struct { const char *element; double padding; int fits; } paddings[] = {
        { "u4", 15, 1 }, { "u4", 16, 0 }, { "u4", -1, 0 }, { "i4", -8, 1 }, { "i4", -9, 0 },
        { "i4", 7, 1 }, { "i4", 8, 0 }, { "u31", 2147483647.0, 1 }, { "u31", 2147483648.0, 0 },
        { "u32 bits(msb)", 4294967295.0, 1 }, { "f16 bits(lsb)", 0.5, 1 },
        { "u63", 1, 1 }, { "u63", -1, 0 }, { "i63", -1, 1 }
    };
    irl_pack_options how;
    irl_bit_element  e;
    int              k;
    memset(&how, 0, sizeof how);
    for (k = 0; k < (int)(sizeof pack_texts / sizeof *pack_texts); k++) {
        const pack_text *r = &pack_texts[k];
        const irl_map   *map;
        cx = irl_ctx_create(NULL);
        map = irl_map_parse(cx, r->map);
        how.bits = &e;
        CHECK(irl_bit_element_parse(cx, r->element, &e));
        if (!CHECK(strstr(irl_func_text(irl_map_pack_func(cx, map, r->shape, &how)), r->text)))
            puts(irl_func_text(irl_map_pack_func(cx, map, r->shape, &how)));
        if (e.type.scalar != IRL_F16 && !packs(map, r->shape, &e)) puts(r->map);
        CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
    for (k = 0; k < (int)(sizeof paddings / sizeof *paddings); k++) {
        cx = irl_ctx_create(NULL);
        CHECK(irl_bit_element_parse(cx, paddings[k].element, &e));
        how.fill = 1;
        how.padding = paddings[k].padding;
        CHECK((irl_map_pack_func(cx, irl_map_identity(cx, 1), IRL_SHAPE(5), &how) != NULL) ==
              paddings[k].fits);
        CHECK(irl_ok(cx) || irl_diag_of(cx)->code == IRL_ERROR_BAD_ARGUMENT);
        irl_ctx_destroy(cx);
    }
    packs_named();
    for (k = 0; k < count; k++) {
        recipe         r;
        const irl_map *map;
        cx = irl_ctx_create(NULL);
        r = invent(STEP_KINDS);
        map = build(&r);
        e = some_element();
        if (map && !packs(map, r.shape, &e))
            printf("%s on [%d, ...], %s: %s\n", irl_map_text(cx, map), (int)r.shape.extent[0],
                   irl_bit_element_text(cx, &e), irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
    printf("packed: %d pairs of functions, %d with a padding, %d over views, %d by groups of whole "
           "bytes, %d runs of lowered ones\n", packs_made, packs_filled, packs_views,
           packs_parallel, packs_lowered);
    CHECK(packs_made * 2 > count && packs_views * 4 > packs_made && packs_parallel > 0);
}

/* ------------------------------------------------------------------ as C */

/* The model in C: bits one by one; `places` are the first bits of elements. */
static const char c_model[] =
    "static int bit_of(long long p, int msb) { return (int)(msb ? 7 - p % 8 : p % 8); }\n"
    "static uint64_t model_get(const uint8_t *m, long long p, int bits, int msb)\n{\n"
    "    uint64_t v = 0;\n    for (int i = 0; i < bits; i++, p++)\n"
    "        v |= (uint64_t)(m[p / 8] >> bit_of(p, msb) & 1) << (msb ? bits - 1 - i : i);\n"
    "    return v;\n}\n"
    "static void model_set(uint8_t *m, long long p, int bits, int msb, uint64_t v)\n{\n"
    "    for (int i = 0; i < bits; i++, p++) {\n"
    "        m[p / 8] = (uint8_t)(m[p / 8] & ~(1 << bit_of(p, msb)));\n"
    "        if (v >> (msb ? bits - 1 - i : i) & 1)\n"
    "            m[p / 8] = (uint8_t)(m[p / 8] | 1 << bit_of(p, msb));\n    }\n}\n"
    "static uint64_t seed = 1;\n"
    "static uint64_t any(void)\n{\n"
    "    seed = seed * 6364136223846793005u + 1442695040888963407u;\n"
    "    return seed >> 29 ^ seed << 9;\n}\n";

static int written, with_set, crossing, by_shifts;

static const char *c_type_of(const irl_bit_element *e)
{
    static const char *const names[2][4] = { { "uint8_t", "uint16_t", "uint32_t", "uint64_t" },
                                             { "int8_t", "int16_t", "int32_t", "int64_t" } };
    const int k = e->bits <= 8 ? 0 : e->bits <= 16 ? 1 : e->bits <= 32 ? 2 : 3;
    return names[e->type.scalar == IRL_I8 || e->type.scalar == IRL_I16 ||
                 e->type.scalar == IRL_I32 || e->type.scalar == IRL_I64][k];
}

/* All points in order: what is read is what the model reads, what is set changes the element's bits
   alone; packed and unpacked. */
static void put_calls(c_text *t, const irl_shape *shape, const irl_bit_element *e, int number,
                      const char *source)
{
    const int sets = strstr(source, "_set(") != NULL, packs = strstr(source, "_pack(") != NULL;
    const int msb = e->order == IRL_BITS_MSB, n = number;
    const char *type = c_type_of(e);
    int         k;
    c_put(t, "RUN run_%d(void)\n{\n"
             "    static uint8_t m[m%d_bytes + 9], w[m%d_bytes + 9];\n    int k = 0;\n"
             "    for (k = 0; k < (int)sizeof m; k++) m[k] = w[k] = (uint8_t)any();\n"
             "    k = 0;\n", n, n, n);
    for (k = 0; k < shape->rank; k++)
        c_put(t, "    for (int i%d = 0; i%d < %d; i%d++)\n", k, k, (int)shape->extent[k], k);
    c_put(t, "    {\n        const %s x = m%d_get(m", type, n);
    for (k = 0; k < shape->rank; k++) c_put(t, ", (INDEX_%d)i%d", n, k);
    c_put(t, ");\n        const uint64_t v = model_get(m, place_%d[k], %d, %d);\n"
             "        if (((uint64_t)x & %lluu) != v || (uint64_t)x != (%s)) "
             "c_wrong(%d, \"get\", k, v, (uint64_t)x);\n",
          n, e->bits, msb, (unsigned long long)(UINT64_MAX >> (64 - e->bits)),
          type[0] == 'u' ? "v" : "0u + (v ^ SIGN) - SIGN", n);
    if (sets) {
        c_put(t, "        const uint64_t y = any();\n        m%d_set(m", n);
        for (k = 0; k < shape->rank; k++) c_put(t, ", (INDEX_%d)i%d", n, k);
        c_put(t, ", (%s)y);\n        model_set(w, place_%d[k], %d, %d, y);\n"
                 "        if (memcmp(m, w, sizeof m) != 0) c_wrong(%d, \"set\", k, 0, 1);\n",
              type, n, e->bits, msb, n);
    }
    c_put(t, "        k++;\n    }\n");
    if (packs)
        c_put(t, "    {\n        static %s a[m%d_points + 1], b[m%d_points + 1];\n"
                 "        m%d_unpack(m, a);\n        m%d_pack(a, m);\n"
                 "        if (memcmp(m, w, sizeof m) != 0) c_wrong(%d, \"pack\", 0, 0, 1);\n"
                 "        for (k = 0; k < (int)m%d_points; k++) {\n            a[k] = (%s)any();\n"
                 "            model_set(w, place_%d[k], %d, %d, (uint64_t)a[k]);\n        }\n"
                 "        m%d_pack(a, m);\n        m%d_unpack(m, b);\n"
                 "        if (memcmp(m, w, sizeof m) != 0) c_wrong(%d, \"pack\", 1, 0, 1);\n"
                 "        for (k = 0; k < (int)m%d_points; k++)\n"
                 "            if (((uint64_t)a[k] ^ (uint64_t)b[k]) & %lluu) "
                 "c_wrong(%d, \"unpack\", k, 0, 1);\n    }\n",
              type, n, n, n, n, n, n, type, n, e->bits, msb, n, n, n, n,
              (unsigned long long)(UINT64_MAX >> (64 - e->bits)), n);
    c_put(t, "    (void)m%d_place;\n", n); /* clang warns of functions that nothing calls */
    if (strstr(source, "_point(")) c_put(t, "    (void)m%d_point;\n", n);
    c_put(t, "    (void)w; (void)k;\n}\n#undef SIGN\n\n");
}

/* 1: it is in the program. */
static int add(c_text *t, const irl_map *map, irl_shape shape, const irl_bit_element *e,
               irl_scalar index, int number)
{
    const int64_t        stride = e->stride ? e->stride : e->bits;
    irl_c_layout_options how;
    irl_shape            memory, at, to;
    irl_mark             mark = irl_ctx_mark(cx);
    const char          *source, *type;
    char                 name[32];
    int64_t              p;
    memset(&how, 0, sizeof how);
    snprintf(name, sizeof name, "m%d", number);
    how.name = name;
    how.index = index;
    how.bits = e;
    source = irl_c_layout_source(cx, map, shape, &how);
    if (!source[0]) {
        const irl_code code = irl_diag_of(cx) ? irl_diag_of(cx)->code : IRL_OK;
        if (!CHECK(code == IRL_ERROR_INDEX_WIDTH || code == IRL_ERROR_MAP_OUT_OF_RANGE))
            printf("%s\n", irl_diag_text(cx));
        irl_ctx_rewind(cx, mark);
        return 0;
    }
    if (!strstr(source, "_get(") || !CHECK(irl_map_memory(cx, map, shape, &memory))) return 0;
    snprintf(name, sizeof name, "int32_t m%d_place(", number);
    type = index == IRL_U16 ? "uint16_t" : strstr(source, name) ? "int32_t" : "uint32_t";
    if (type[0] == 'i' && strstr(source, name)[-1] == 'u') type = "uint32_t";
    c_put(t, "%s\ntypedef %s INDEX_%d;\n#define SIGN ((uint64_t)1 << %d)\n", source, type,
          number, e->bits - 1);
    c_put(t, "static const int place_%d[] = {", number);
    memset(&at, 0, sizeof at);
    at.rank = shape.rank;
    do {
        CHECK(truth_apply(map, &at, &to));
        p = e->offset + cell_of(&to, &memory) * stride;
        crossing += p / 8 != (p + e->bits - 1) / 8;
        c_put(t, "%d,", (int)p);
    } while (truth_next(&shape, &at));
    c_put(t, "};\n");
    put_calls(t, &shape, e, number, source);
    written++;
    with_set += strstr(source, "_set(") != NULL;
    by_shifts += strstr(source, " at = ") == NULL;
    return 1;
}

static void run_c(c_text *t, int count)
{
    int numbers[64], k;
    for (k = 0; k < count; k++) numbers[k] = k;
    if (count) {
        c_put_main(t, count, numbers);
        c_run_all(t, c_compilers, C_COMPILERS);
    }
    free(t->data);
    memset(t, 0, sizeof *t);
}

typedef struct c_row {
    const char *map, *element;
    irl_shape   shape;
} c_row;

static const c_row c_rows[] = {
    { "(y, x) -> (y/8, x, y%8)", "u1", { 2, NULL, { 16, 24 } } },
    { "(y, x) -> (y*16 + x)", "u1 bits(msb)", { 2, NULL, { 5, 13 } } }, /* rows are padded */
    { "(y, x) -> (y*16 + x)", "u1", { 2, NULL, { 5, 13 } } },
    { "(y, x) -> (y, x)", "u3", { 2, NULL, { 5, 7 } } },
    { "(y, x) -> (y, x)", "u3 bits(msb)", { 2, NULL, { 5, 7 } } },
    { "(y, x) -> (x, y)", "i3 bits(msb) offset(5)", { 2, NULL, { 5, 7 } } },
    { "(y, x) -> (y, x)", "u12 bits(msb)", { 2, NULL, { 3, 5 } } },
    { "(y, x) -> (y, x)", "i31 offset(1)", { 2, NULL, { 3, 5 } } },
    { "(y, x) -> (y, x)", "u32 bits(msb) offset(3)", { 2, NULL, { 3, 5 } } },
    { "(y, x) -> (y, x)", "u10 strides(16) offset(6)", { 2, NULL, { 3, 5 } } },
    { "(y, x) -> (y, 3 - x)", "i2", { 2, NULL, { 3, 4 } } },
    { "(p, bit, value) -> (p, bit, value)", "u4", { 3, NULL, { 2, 3, 4 } } },
    { "(memory, word) -> (memory/2, word)", "u4", { 2, NULL, { 4, 4 } } }, /* lossy: read alone */
    { "(i) -> (i)", "u5 strides(3)", { 1, NULL, { 9 } } },
    { "() -> ()", "u5 offset(6)", { 0, NULL, { 0 } } },
    { "(i) -> (i*i)", "u3", { 1, NULL, { 70 } } },
    { "(i) -> (i)", "u7", { 1, NULL, { 1 } } },
};

static void as_c(int count)
{
    static const irl_scalar indices[] = { IRL_BOOL, IRL_U16 };
    c_text                  t = { NULL, 0, 0 };
    int                     n = 0, k, rows = (int)(sizeof c_rows / sizeof *c_rows);
    for (k = 0; k < 2 * rows + count; k++) {
        irl_bit_element e;
        recipe          r;
        const irl_map  *map;
        cx = irl_ctx_create(NULL);
        if (n == 0 && !t.data) c_put(&t, "%s%s", c_prologue, c_model);
        if (k < 2 * rows) {
            map = irl_map_parse(cx, c_rows[k / 2].map);
            r.shape = c_rows[k / 2].shape;
            CHECK(irl_bit_element_parse(cx, c_rows[k / 2].element, &e));
        } else {
            r = invent(STEP_KINDS);
            map = build(&r);
            e = some_element();
        }
        if (map && add(&t, map, r.shape, &e, indices[k % 2], n)) n++;
        else if (!CHECK(k >= 2 * rows)) printf("%s\n", c_rows[k / 2].map);
        irl_ctx_destroy(cx);
        if (n < 40 && k + 1 < 2 * rows + count) continue;
        run_c(&t, n);
        n = 0;
    }
    printf("as C: %d layouts, %d with a way in, %d by byte and bit of their own, %d elements cross "
           "bytes\n", written, with_set, by_shifts, crossing);
    CHECK(with_set * 3 > written && by_shifts * 10 > written && crossing > 100);
}

static int ask_bits(irl_ctx *c, int which)
{
    static const char *const maps[] = { "(y, x) -> (y, 2 * x)", "(y, x) -> (y, x*x)",
                                        "(y, x) -> (N - y, x)" };
    const irl_expr *names[] = { irl_expr_var(c, "N", irl_type_of(IRL_INDEX, 1)),
                                irl_expr_index(c, 9) };
    const irl_map  *map = irl_map_parse_over(c, maps[which % 3], "MAP", 1, names);
    irl_bit_element e;
    irl_bit_verdict v;
    if (!irl_bit_element_parse(c, which < 3 ? "u3 strides(5)" : "u3 strides(2)", &e)) return 0;
    v = irl_map_check_bits(c, map, which % 3 < 2 ? IRL_SHAPE(8, 9) : irl_shape_of(2, names), &e);
    if (which % 3 < 2 && irl_ok(c)) {
        irl_c_layout_options how;
        irl_pack_options     pack;
        memset(&how, 0, sizeof how);
        memset(&pack, 0, sizeof pack);
        how.bits = pack.bits = &e;
        if (!irl_c_layout_source(c, map, IRL_SHAPE(8, 9), &how)[0]) return 0;
        if (e.stride == 5 && !irl_map_pack_func(c, map, IRL_SHAPE(8, 9), &pack)) return 0;
    }
    return v.code != IRL_ERROR_OUT_OF_MEMORY && irl_bit_verdict_text(c, &v)[0] &&
           irl_bit_verdict_json(c, map, &e, &v)[0];
}

int main(int argc, char **argv)
{
    int which;
    if (argc > 1) random64_seed(argv[1]);
    by_hand();
    without_formula();
    as_records_say();
    with_names();
    refused();
    for (which = 0; which < 6; which++) failing_each(ask_bits, which, which & 1);
    packing(getenv("IRL_SOAK") ? 20000 : TEST_COUNT(160));
    as_c(getenv("IRL_SOAK") ? 20000 : TEST_COUNT(80));
    random_layouts(getenv("IRL_SOAK") ? 100000 : TEST_TENTH(4000));
    c_folder_end();
    return TEST_DONE();
}
