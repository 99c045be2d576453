/* test_shapes.c - a shape is of numbers or of expressions, and all that takes one takes either or
   refuses names: constants have the answer of their numbers, to the letter; values put in for
   names give what the answer with names says; what is no shape is refused, and so are names where
   numbers alone are taken. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/map/map.h"
#endif
#include "test.h"
#include "failing.h"
#include "map_truth.h"
#include "named_maps.h"

enum { FEW_POINTS = 4096 };

/* ------------------------------------------------------------------ constants are numbers */

/* A constant, as it stands or as the sum or product that a program has computed. */
static const irl_expr *constant(int64_t v)
{
    int64_t part = 1 + random_below(9);
    switch (random_below(3)) {
    case 0: return op(IRL_OP_ADD, num(v - part), num(part));
    case 1: return op(IRL_OP_FLOORDIV, num(v * part), num(part));
    default: return num(v);
    }
}

static irl_shape constants(const irl_shape *s, const irl_expr **list)
{
    int k;
    for (k = 0; k < s->rank; k++) list[k] = constant(s->extent[k]);
    return irl_shape_of(s->rank, list);
}

static int same_text(const char *a, const char *b)
{
    if (strcmp(a, b) == 0) return 1;
    printf("    %s\n    %s\n", a, b);
    return 0;
}

/* The map of `now` where its names have these values, and its shape there. */
static const irl_map *map_there(const irl_map *m, const int64_t *values)
{
    const irl_expr *out[IRL_MAX_RANK], *v[PARAMETERS];
    int             k;
    for (k = 0; k < PARAMETERS; k++) v[k] = num(values[k]);
    for (k = 0; k < m->output_count; k++)
        out[k] = irl__substitute(now.cx, m->outputs[k], PARAMETERS, now.parameters, v);
    return irl_map_new(now.cx, m->input_count, m->inputs, m->output_count, out, 0, NULL);
}

static irl_shape shape_there(const irl_shape *s, const int64_t *values)
{
    irl_shape out = *s;
    int       k;
    out.named = NULL;
    for (k = 0; s->named && k < s->rank; k++)
        CHECK(irl__value_at(s->named[k], PARAMETERS, now.parameters, values, &out.extent[k]) ==
              IRL__FOLD_OK);
    return out;
}

static void some_values(int64_t *values)
{
    int k;
    for (k = 0; k < PARAMETERS; k++) values[k] = 1 + random_below(5);
}

/* Whatever takes a shape says the same of both. */
static void one_of_constants(void)
{
    irl_ctx          *cx = irl_ctx_create(NULL);
    const irl_expr   *list[IRL_MAX_RANK], *ends[IRL_MAX_RANK], *starts[IRL_MAX_RANK], *a, *b;
    irl_check_options how, other;
    irl_verdict       v, w;
    irl_shape         shape, bound, first, same, within, box[2], least[2];
    const irl_map    *m, *i, *j;
    irl_difference    d, e;
    irl_mark          mark;
    int64_t           values[PARAMETERS];
    int               k, n;
    named_map_begin(cx);
    some_map();
    some_values(values);
    same = irl_shape_of(now.rank, now.extents);
    shape = shape_there(&same, values);
    m = map_there(now.map, values);
    if (random_below(8) == 0) shape.extent[0] = 0;
    if (!CHECK(m) || irl_shape_count(shape) > FEW_POINTS) {
        irl_ctx_destroy(cx);
        return;
    }
    same = constants(&shape, list);
    memset(&how, 0, sizeof how);
    memset(&bound, 0, sizeof bound);
    bound.rank = m->output_count;
    for (k = 0; k < bound.rank; k++) bound.extent[k] = random_below(60);
    within = constants(&bound, ends);
    other = how;
    if (random_below(2)) how.bound = &bound, other.bound = &within;
    mark = irl_ctx_mark(cx);
    v = irl_map_check_with(cx, m, shape, &how);
    w = irl_map_check_with(cx, m, same, &other);
    CHECK(same_text(irl_verdict_json(cx, m, &v), irl_verdict_json(cx, m, &w)));
    CHECK(same_text(irl_verdict_text(cx, &v), irl_verdict_text(cx, &w)));
    CHECK(!w.shape.named && !w.physical.named && !w.memory.named && v.code == w.code &&
          !w.parameter_count && !w.values && !w.pad_cells_named && v.box_reached == w.box_reached);
    CHECK_OK(cx);
    memset(&first, 0, sizeof first);
    first.rank = shape.rank;
    for (k = 0; k < first.rank; k++) first.extent[k] = random_below(5);
    for (k = 0; k < 3; k++) {
        for (n = 0; n < 2; n++) {
            irl_shape s = n ? same : shape, at = n ? constants(&first, starts) : first;
            memset(&box[n], 0, sizeof box[n]);
            memset(&least[n], 0, sizeof least[n]);
            if (k == 0) CHECK(irl_map_shape(cx, m, s, &box[n], &least[n]));
            if (k == 1) CHECK(irl_map_memory(cx, m, s, &box[n]));
            if (k == 2) CHECK(irl_map_ranges(cx, m, at, s, &box[n], &least[n]));
        }
        CHECK(!box[1].named && truth_same(&box[0], &box[1]) && truth_same(&least[0], &least[1]));
    }
    i = irl_map_fuse(cx, shape, 0, shape.rank);
    j = irl_map_fuse(cx, same, 0, shape.rank);
    CHECK(irl_map_equal(cx, i, j, shape, &d) == IRL_YES);
    CHECK(same_text(irl_map_text(cx, irl_map_strided(cx, shape)),
                    irl_map_text(cx, irl_map_strided(cx, same))));
    CHECK(irl_map_equal(cx, m, i, shape, &d) == irl_map_equal(cx, m, i, same, &e) &&
          d.point.rank == e.point.rank &&
          (d.point.rank < 0 || truth_same(&d.point, &e.point)) && !e.values);
    CHECK_OK(cx);
    i = irl_map_inverse(cx, m, shape, &a);
    irl_ctx_rewind(cx, mark);
    j = irl_map_inverse(cx, m, same, &b);
    CHECK(!i == !j);
    irl_ctx_rewind(cx, mark);
    v = irl_map_check(cx, m, shape);
    if (v.kind == IRL_BIJECTIVE || v.kind == IRL_INJECTIVE) {
        CHECK(same_text(irl_func_text(irl_map_pack_func(cx, m, shape, NULL)),
                        irl_func_text(irl_map_pack_func(cx, m, same, NULL))));
        CHECK(same_text(irl_func_text(irl_map_unpack_func(cx, m, shape, NULL)),
                        irl_func_text(irl_map_unpack_func(cx, m, same, NULL))));
        if (v.inverse)
            CHECK(same_text(irl_map_roundtrip_proof(cx, m, shape),
                            irl_map_roundtrip_proof(cx, m, same)));
        CHECK(same_text(irl_c_layout_source(cx, m, shape, NULL),
                        irl_c_layout_source(cx, m, same, NULL)) ||
              !irl_ok(cx));
    }
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ values for names */

static int compared, boxes, exact;

/* The box that was said with names holds that of the numbers. */
static void box_holds(const irl_shape *physical, const irl_shape *minimum, const irl_map *m,
                      irl_shape shape, const int64_t *values, int is_reached)
{
    irl_shape high = shape_there(physical, values), low = shape_there(minimum, values), hi, lo;
    int       k;
    if (irl_shape_count(shape) <= 0 || !CHECK(irl_map_shape(now.cx, m, shape, &hi, &lo))) return;
    for (k = 0; k < hi.rank; k++)
        CHECK(low.extent[k] <= lo.extent[k] && high.extent[k] >= hi.extent[k]);
    boxes++;
    exact += truth_same(&high, &hi) && truth_same(&low, &lo);
    if (is_reached) CHECK(truth_same(&high, &hi) && truth_same(&low, &lo));
}

/* What is said of a map with names, and what the numbers say where they have values. */
static void one_of_names(void)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    irl_verdict     v, n;
    irl_shape       shape, first, there, high, low, moved, begun;
    const irl_expr *starts[IRL_MAX_RANK];
    const irl_map  *m, *inverse, *fused;
    irl_mark        mark;
    int             k, round, has_box, has_range;
    named_map_begin(cx);
    some_map();
    shape = irl_shape_of(now.rank, now.extents);
    mark = irl_ctx_mark(cx);
    v = irl_map_check(cx, now.map, shape);
    CHECK_OK(cx);
    for (k = 0; k < now.rank; k++) starts[k] = now.parameters[random_below(PARAMETERS)];
    first = irl_shape_of(now.rank, starts);
    has_box = irl_map_shape(cx, now.map, shape, &high, &low);
    if (!has_box) CHECK_CODE(cx, IRL_ERROR_UNDECIDED);
    if (!has_box) irl_ctx_rewind(cx, mark); /* v is given back, but not the question */
    has_range = irl_map_ranges(cx, now.map, first, shape, &moved, &begun);
    if (!has_range) {
        irl_ctx_rewind(cx, mark);
        has_box = 0;
    }
    v = irl_map_check(cx, now.map, shape);
    inverse = v.kind == IRL_BIJECTIVE || v.kind == IRL_INJECTIVE
                  ? irl_map_inverse(cx, now.map, shape, NULL)
                  : NULL;
    if (v.inverse && inverse)
        CHECK(irl_map_equal(cx, inverse, v.inverse, v.physical, NULL) != IRL_NO);
    fused = irl_map_fuse(cx, shape, 0, now.rank);
    CHECK_OK(cx);
    for (round = 0; round < 6; round++) {
        int64_t        values[PARAMETERS];
        irl_difference d;
        some_values(values);
        there = shape_there(&shape, values);
        m = map_there(now.map, values);
        if (irl_shape_count(there) > FEW_POINTS) continue;
        compared++;
        n = irl_map_check(cx, m, there);
        if (v.kind == IRL_BIJECTIVE) CHECK(n.kind == IRL_BIJECTIVE);
        if (v.kind == IRL_INJECTIVE) CHECK(n.kind == IRL_BIJECTIVE || n.kind == IRL_INJECTIVE);
        if (has_box) box_holds(&high, &low, m, there, values, v.box_known && v.box_reached);
        if (has_range) {
            irl_shape at = shape_there(&first, values), hi, lo, last = shape_there(&moved, values);
            CHECK(irl_map_ranges(cx, m, at, there, &hi, &lo));
            for (k = 0; k < hi.rank && irl_shape_count(there) > 0; k++)
                CHECK(last.extent[k] >= hi.extent[k]);
        }
        if (inverse && irl_shape_count(there) > 0) {
            irl_verdict back;
            memset(&back, 0, sizeof back);
            back.shape = there;
            back.inverse = map_there(inverse, values);
            CHECK(truth_inverse(m, &back));
        }
        CHECK(irl_map_equal(cx, map_there(fused, values), irl_map_fuse(cx, there, 0, now.rank),
                            there, &d) == IRL_YES);
        CHECK_OK(cx);
    }
    irl_ctx_destroy(cx);
}

/* The witness of a difference, and of a verdict, stands beside the values. */
static void test_values(void)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_expr *n = irl_expr_var(cx, "N", irl_type_of(IRL_INDEX, 1));
    irl_shape       row = irl_shape_of(1, &n);
    const irl_map  *half = irl_map_parse(cx, "(i) -> (i/2)"), *whole = irl_map_identity(cx, 1);
    irl_verdict     v = irl_map_check(cx, half, row);
    irl_difference  d;
    CHECK(v.kind == IRL_LOSSY && v.parameter_count == 1 && v.parameters[0] == n && v.values &&
          v.values[0] == 2 && v.b.extent[0] == 1 && !v.where && !v.inverse);
    CHECK(v.shape.named && v.shape.named[0] == n && v.shape.extent[0] == -1);
    CHECK(irl_map_equal(cx, half, whole, row, &d) == IRL_NO && d.parameter_count == 1 &&
          d.values[0] == 2 && d.point.extent[0] == 1);
    CHECK(irl_map_equal(cx, half, half, row, &d) == IRL_YES && !d.values);
    v = irl_map_check(cx, whole, row);
    CHECK(v.kind == IRL_BIJECTIVE && v.pad_cells == 0 && v.pad_cells_named && !v.values &&
          v.box_known && v.box_reached);
    v = irl_map_check(cx, irl_map_parse(cx, "(i) -> (i/4, i%4)"), row);
    CHECK(v.kind == IRL_INJECTIVE && v.pad_cells == -1 && v.pad_cells_named && v.condition);
    CHECK(v.memory.extent[0] == -1 && v.memory.extent[1] == 4 && v.minimum.extent[0] == 0);
    CHECK(irl_shape_count(v.memory) == -1 && irl_shape_count(v.minimum) == 0);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* Names in the map alone: the shape is of numbers, and the answer is for all values. */
static void test_map_names(void)
{
    irl_ctx          *cx = irl_ctx_create(NULL);
    const irl_expr   *n = irl_expr_var(cx, "N", irl_type_of(IRL_INDEX, 1));
    const irl_map    *m = irl_map_parse_over(cx, "(i, j) -> (i*N + j)", NULL, 1, &n);
    irl_check_options how;
    irl_shape         bound = irl_shape_of(1, &n), memory, tile = IRL_SHAPE(3, 1);
    irl_verdict       v = irl_map_check(cx, m, IRL_SHAPE(3, 1));
    CHECK(v.kind == IRL_INJECTIVE && !v.shape.named && v.physical.named && v.parameter_count == 1);
    CHECK(irl_map_memory(cx, m, tile, &memory) && memory.named);
    CHECK(irl_func_text(irl_map_pack_func(cx, m, tile, NULL))[0]);
    memset(&how, 0, sizeof how);
    how.bound = &bound; /* a name in the bound alone */
    v = irl_map_check_with(cx, irl_map_identity(cx, 1), IRL_SHAPE(4), &how);
    CHECK(v.kind == IRL_OUT_OF_RANGE && v.values && v.values[0] < 4 && v.where);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* Inputs, axes and buffers that have a parameter's name: another variable all the same. */
static void test_one_name(void)
{
    static const char *const names[] = { "i", "axis0", "plain", "packed", "i0", "distance" };
    size_t                   k;
    for (k = 0; k < sizeof names / sizeof names[0]; k++) {
        irl_ctx        *cx = irl_ctx_create(NULL);
        const irl_expr *n = irl_expr_var(cx, names[k], irl_type_of(IRL_INDEX, 1));
        irl_shape       row = irl_shape_of(1, &n);
        const irl_map  *m = irl_map_parse(cx, "(i) -> (i/4, i%4)");
        irl_verdict     v = irl_map_check(cx, m, row);
        irl_func       *pack = irl_map_pack_func(cx, m, row, NULL), *again;
        const char     *text = irl_func_text(pack);
        float           plain[10], packed[12];
        int64_t         ten = 10;
        int             at;
        CHECK(v.kind == IRL_INJECTIVE && v.parameter_count == 1 && v.inverse);
        again = irl_func_parse(cx, text, strlen(text), NULL);
        CHECK(again && same_text(irl_func_text(again), text));
        for (at = 0; at < 10; at++) plain[at] = (float)at;
        for (at = 0; at < 12; at++) packed[at] = -1;
        CHECK(irl_func_interpret(pack, IRL_ARGS(&ten, plain, packed)));
        for (at = 0; at < 12; at++) CHECK(packed[at] == (at < 10 ? (float)at : -1.0f));
        CHECK(irl_map_roundtrip_proof(cx, m, row)[0]);
        if (!CHECK_OK(cx)) printf("    %s\n", names[k]);
        irl_ctx_destroy(cx);
    }
}

/* ------------------------------------------------------------------ what is refused */

enum { MAKERS = 12 };

/* Call number k of what takes a shape; 0 or NULL where it is refused. */
static int asks(irl_ctx *cx, int k, irl_shape s)
{
    const irl_map      *m = irl_map_parse(cx, "(i, j) -> (i, j)");
    irl_texture_options texture;
    irl_check_options   how;
    irl_verdict         v;
    irl_shape           out;
    memset(&texture, 0, sizeof texture);
    memset(&how, 0, sizeof how);
    how.bound = &s;
    texture.shape = s;
    switch (k) {
    case 0: v = irl_map_check(cx, m, s); return v.kind != IRL_UNDECIDED;
    case 1: v = irl_map_check_with(cx, m, IRL_SHAPE(2, 3), &how); return v.kind != IRL_UNDECIDED;
    case 2: return irl_map_shape(cx, m, s, &out, NULL);
    case 3: return irl_map_memory(cx, m, s, &out);
    case 4: return irl_map_ranges(cx, m, s, s, &out, NULL);
    case 5: return irl_map_inverse(cx, m, s, NULL) != NULL;
    case 6: return irl_map_equal(cx, m, m, s, NULL) == IRL_YES;
    case 7: return irl_map_fuse(cx, s, 0, 2) != NULL;
    case 8: return irl_map_pack_func(cx, m, s, NULL) != NULL;
    case 9: return irl_map_unpack_func(cx, m, s, NULL) != NULL;
    case 10: return irl_map_roundtrip_proof(cx, m, s)[0] != '\0';
    default: return irl_map_strided(cx, s) != NULL;
    }
}

/* What takes numbers alone. */
enum { COUNTERS = 6 };
static int counts_alone(irl_ctx *cx, int k, irl_shape s)
{
    const irl_map      *m = irl_map_parse(cx, "(i, j) -> (i, j)");
    irl_texture_options texture;
    irl_shape           out, strides = IRL_SHAPE(1, 2);
    memset(&texture, 0, sizeof texture);
    texture.shape = s;
    switch (k) {
    case 0: return irl_map_apply(cx, m, s, &out);
    case 1: return irl_map_divide(cx, 1, 0, s, strides) != NULL;
    case 2: return irl_map_product(cx, IRL_SHAPE(2, 3), IRL_SHAPE(1, 2), s, strides) != NULL;
    case 3: return irl_map_product(cx, s, strides, IRL_SHAPE(2, 3), IRL_SHAPE(1, 2)) != NULL;
    case 4: return irl_texture_candidates(cx, &texture).count > 0;
    default: return irl_c_layout_source(cx, m, s, NULL)[0] != '\0';
    }
}

static void refused(irl_ctx *cx, int asked, const char *says)
{
    CHECK(!asked);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    if (!CHECK(strstr(irl_diag_text(cx), says))) printf("    %s\n", irl_diag_text(cx));
}

/* An extent that is none, in the second place. */
static const irl_expr *no_extent(irl_ctx *cx, int which)
{
    const irl_expr *x = irl_expr_var(cx, "x", irl_type_of(IRL_I32, 1));
    switch (which) {
    case 0: return NULL;
    case 1: return x;
    case 2: return irl_expr_var(cx, "v", irl_type_of(IRL_INDEX, 4));
    case 3: return irl_expr_op2(cx, IRL_OP_LT, x, x);
    case 4: return irl_expr_float(cx, irl_type_of(IRL_F32, 1), 4);
    default: return irl_expr_index(cx, -3);
    }
}

static void test_refused(void)
{
    static const char *const why[] = { "is NULL", "is not an index", "is not an index",
                                       "is not an index", "is not an index",
                                       "is -3; it must not be negative" };
    static const int         ranks[] = { -1, -2147483647, 33, 2147483647 };
    int                      k, w, other;
    for (k = 0; k < MAKERS; k++) {
        for (w = 0; w < 6; w++)
            for (other = 0; other < 2; other++) {
                irl_ctx        *cx = irl_ctx_create(NULL);
                const irl_expr *list[2];
                list[0] = other ? irl_expr_index(cx, 5)
                                : irl_expr_var(cx, "N", irl_type_of(IRL_INDEX, 1));
                list[1] = no_extent(cx, w);
                /* a bound and a stride may be negative */
                if (w < 5 || (k != 1 && k != 11))
                    refused(cx, asks(cx, k, irl_shape_of(2, list)), why[w]);
                irl_ctx_destroy(cx);
            }
        for (w = 0; w < 5; w++) {
            irl_ctx        *cx = irl_ctx_create(NULL);
            const irl_expr *n = irl_expr_var(cx, "N", irl_type_of(IRL_INDEX, 1));
            irl_shape       s = w < 4 ? irl_shape_of(ranks[w], &n) : irl_shape_of(2, NULL);
            CHECK(!asks(cx, k, s) && !irl_ok(cx) && irl_shape_count(s) == -1);
            irl_ctx_destroy(cx);
        }
    }
    for (k = 0; k < COUNTERS; k++) {
        irl_ctx        *cx = irl_ctx_create(NULL);
        const irl_expr *list[2];
        irl_mark        mark;
        list[0] = irl_expr_index(cx, 2);
        list[1] = irl_expr_op2(cx, IRL_OP_ADD, list[0], irl_expr_index(cx, 1));
        CHECK(counts_alone(cx, k, irl_shape_of(2, list)));
        CHECK_OK(cx);
        mark = irl_ctx_mark(cx);
        list[1] = irl_expr_var(cx, "N", irl_type_of(IRL_INDEX, 1));
        refused(cx, counts_alone(cx, k, irl_shape_of(2, list)), ", which contains a name");
        CHECK(strstr(irl_diag_text(cx), "1 of the") && strstr(irl_diag_text(cx), "'N'"));
        irl_ctx_rewind(cx, mark);
        irl_ctx_destroy(cx);
    }
}

/* Extents over an input of the map; a tensor of names; a C header of a map with names. */
static void test_refused_more(void)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_expr *i = irl_expr_var(cx, "i", irl_type_of(IRL_INDEX, 1));
    const irl_expr *n = irl_expr_var(cx, "N", irl_type_of(IRL_INDEX, 1));
    const irl_map  *m = irl_map_new(cx, 1, &i, 1, &i, 0, NULL);
    irl_mark        mark = irl_ctx_mark(cx);
    irl_tensor      t;
    float           data[4] = { 0, 0, 0, 0 };
    irl_func       *f;
    irl_verdict     v = irl_map_check(cx, m, irl_shape_of(1, &i));
    refused(cx, v.kind != IRL_UNDECIDED, "an input of the map");
    CHECK(v.reason[0] && v.shape.rank == 0 && !v.physical.named && !v.parameter_count);
    irl_ctx_rewind(cx, mark);
    refused(cx,
            irl_c_layout_source(cx, irl_map_parse_over(cx, "(i) -> (i + N)", NULL, 1, &n),
                                IRL_SHAPE(4), NULL)[0] != '\0',
            "has other names in it");
    irl_ctx_rewind(cx, mark);
    f = irl_func_parse(cx, "func f(x: f32[4]) { x[0] = 1; }", 31, NULL);
    memset(&t, 0, sizeof t);
    t.data = data;
    t.type = irl_type_of(IRL_F32, 1);
    t.bytes = sizeof data;
    t.shape = irl_shape_of(1, &n);
    refused(cx, irl_func_interpret_tensors(f, 1, &t), "those of an array must be numbers");
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ memory */

static int ask_named(irl_ctx *cx, int which)
{
    const irl_expr *n = irl_expr_var(cx, "N", irl_type_of(IRL_INDEX, 1)), *list[2];
    irl_shape       s;
    (void)which;
    list[0] = n;
    list[1] = irl_expr_op2(cx, IRL_OP_MUL, n, irl_expr_index(cx, 2));
    s = irl_shape_of(2, list);
    return asks(cx, which, s) && irl_ok(cx);
}

static void test_memory(void)
{
    int k;
    for (k = 0; k < MAKERS; k++) {
        if (k == 1) continue; /* out of the bound for N = 1 */
        failing_each(ask_named, k, 0);
        failing_each(ask_named, k, 1);
    }
}

/* ------------------------------------------------------------------ counts */

static void test_count_of_points(void)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_expr *list[3];
    irl_shape       none;
    memset(&none, 0, sizeof none);
    CHECK(irl_shape_count(none) == 1 && irl_shape_count(irl_shape_of(0, NULL)) == 1);
    list[0] = irl_expr_index(cx, 3);
    list[1] = irl_expr_index(cx, 0);
    list[2] = irl_expr_var(cx, "N", irl_type_of(IRL_INDEX, 1));
    CHECK(irl_shape_count(irl_shape_of(1, list)) == 3);
    CHECK(irl_shape_count(irl_shape_of(2, list)) == 0);
    CHECK(irl_shape_count(irl_shape_of(3, list)) == -1);
    CHECK(irl_shape_count(irl_shape_of(-1, list)) == -1);
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    int k, total = TEST_COUNT(400);
    if (argc > 1) random64_seed(argv[1]);
    for (k = 0; k < total; k++) one_of_constants();
    for (k = 0; k < total; k++) one_of_names();
    printf("%d of constants, %d of names compared at %d values, %d of %d boxes the smallest\n",
           total, total, compared, exact, boxes);
    CHECK(compared > total && boxes > total / 2 && exact * 2 > boxes);
    test_values();
    test_map_names();
    test_one_name();
    test_refused();
    test_refused_more();
    test_memory();
    test_count_of_points();
    return TEST_DONE();
}
