/* test_typed_maps.c - maps with casts, choices, lets, divisions by what may be zero and names for
   extents: what is said of them is compared with the model of map_model.h, which shares no code
   with the library. For names, values from 1 on and large ones are put in; nothing may be said of
   values for which the map has no value somewhere, but for overflow of an index, which is outside
   of the question.

   build/split/tests/test_typed_maps x 7 takes another seed, v instead of x shows what was
   undecided. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/map/map.h"
#endif
#include "test.h"
#include "random64.h"
#include "map_model.h"
#include "hostile_maps.h"
#include "typed_maps.h"

static int verbose;

/* ------------------------------------------------------------------ numbers */

/* irl_map_apply gives what the model gives, or fails where that has no value. */
static int right_apply(irl_ctx *cx, const irl_map *m, const irl_shape *shape)
{
    irl_mark  mark = irl_ctx_mark(cx);
    irl_shape at, x, y;
    int       n, given;
    for (n = 0; n < 6 && volume(shape, FEW) > 0; n++) {
        random_point(shape, &at);
        given = irl_map_apply(cx, m, at, &x);
        if (given != (model_apply(m, &at, &y) == MODEL_OK) || given != irl_ok(cx) ||
            (given && !same(&x, &y)))
            return wrong("apply");
        irl_ctx_rewind(cx, mark);
    }
    return 1;
}

/* Packed by the interpreter, every point stands in its cell and every other cell holds the padding;
   unpacked, every point is back. */
static int right_packing(irl_ctx *cx, const irl_map *m, const irl_verdict *v)
{
    enum { MOST = 4096, PADDING = 77777 };
    static int32_t plain[FEW], packed[MOST], back[FEW];
    irl_pack_options    how;
    irl_func      *pack, *unpack;
    irl_shape      at, y;
    int64_t        cells = volume(&v->memory, MOST), points = volume(&v->shape, FEW), k;
    if (cells > MOST || points > FEW || points == 0) return 1;
    memset(&how, 0, sizeof how);
    how.element = irl_type_of(IRL_I32, 1);
    how.fill = 1;
    how.padding = PADDING;
    pack = irl_map_pack_func(cx, m, v->shape, &how);
    unpack = irl_map_unpack_func(cx, m, v->shape, &how);
    for (k = 0; k < points; k++) plain[k] = (int32_t)k, back[k] = -1;
    if (!pack || !unpack || !irl_func_interpret(pack, IRL_ARGS(plain, packed)) ||
        !irl_func_interpret(unpack, IRL_ARGS(packed, back)))
        return wrong("packing failed");
    if (memcmp(plain, back, (size_t)points * sizeof *plain) != 0) return wrong("unpacking");
    point_first(&v->shape, &at);
    for (k = 0; k < points; k++, (void)point_next(&v->shape, &at)) {
        int64_t cell = 0;
        int     a;
        if (model_apply(m, &at, &y) != MODEL_OK || !inside(&y, &v->memory)) return wrong("memory");
        for (a = 0; a < y.rank; a++) cell = cell * v->memory.extent[a] + y.extent[a];
        if (packed[cell] != plain[k]) return wrong("packing");
        packed[cell] = PADDING;
    }
    for (k = 0; k < cells; k++)
        if (packed[k] != PADDING) return wrong("the padding");
    return 1;
}

static int numbers[IRL_UNDEFINED + 1], packings;

/* Extents that are numbers have the answer of numbers. */
static int same_by_extents(typed_question *q, const irl_verdict *v)
{
    const irl_expr *extents[IRL_MAX_RANK];
    irl_verdict     s;
    int             k;
    for (k = 0; k < q->shape.rank; k++) extents[k] = irl_expr_index(q->cx, q->shape.extent[k]);
    s = irl_map_check(q->cx, q->map, irl_shape_of(q->shape.rank, extents));
    if (v->kind == IRL_UNDECIDED || s.kind == IRL_UNDECIDED) return 1; /* by how much was looked */
    return (s.kind == v->kind && s.code == v->code && same(&s.a, &v->a) &&
            strcmp(s.reason, v->reason) == 0 &&
            strcmp(irl_verdict_json(q->cx, q->map, &s), irl_verdict_json(q->cx, q->map, v)) == 0) ||
           wrong("by extents");
}

static void numbers_one(typed_question *q, int n)
{
    irl_check_options how;
    irl_verdict  v;
    irl_mark     mark = irl_ctx_mark(q->cx);
    memset(&how, 0, sizeof how);
    how.most_cells = 1 << 20;
    v = irl_map_check_with(q->cx, q->map, q->shape, &how);
    numbers[v.kind]++;
    if (!CHECK(right(q->cx, q->map, &v)) || (verbose && v.kind == IRL_UNDECIDED && irl_ok(q->cx)))
        show(q->cx, q->map, &q->shape, &v);
    if (!irl_ok(q->cx)) irl_ctx_rewind(q->cx, mark);
    mark = irl_ctx_mark(q->cx);
    if (!CHECK(right_apply(q->cx, q->map, &q->shape))) show(q->cx, q->map, &q->shape, &v);
    if (n % 4 == 0 &&
        !CHECK(right_everywhere(q->cx, q->map, &q->shape, hostile_point(q->rank))))
        show(q->cx, q->map, &q->shape, &v);
    if (n % 4 == 2 && !CHECK(same_by_extents(q, &v))) show(q->cx, q->map, &q->shape, &v);
    irl_ctx_rewind(q->cx, mark);
    if (n % 4 == 1 && (v.kind == IRL_BIJECTIVE || v.kind == IRL_INJECTIVE)) {
        packings++;
        if (!CHECK(right_packing(q->cx, q->map, &v))) show(q->cx, q->map, &q->shape, &v);
        irl_ctx_rewind(q->cx, mark);
    }
}

/* ------------------------------------------------------------------ names */

/* The values of one trial, as the model wants them. */
typedef struct named_values {
    int64_t     value[TYPED_NAMES];
    model_names names;
} named_values;

static void values_set(named_values *w, const typed_question *q)
{
    w->names = model_names_of(TYPED_NAMES, q->names, w->value, NULL);
}

/* False where it has no value there. */
static int value_of(const named_values *w, const irl_expr *e, int64_t *out)
{
    return model_index(&w->names, e, out) == MODEL_OK;
}

static model_status values_of(const named_values *w, const irl_shape *shape, irl_shape *out)
{
    model_status s = MODEL_OK;
    int          k;
    *out = *shape;
    out->named = NULL;
    for (k = 0; shape->named && k < shape->rank && s == MODEL_OK; k++)
        s = model_index(&w->names, shape->named[k], &out->extent[k]);
    return s;
}

/* The box of an answer, and how many of its cells are unused. */
static model_status box_of(const irl_verdict *s, const named_values *w, irl_verdict *v)
{
    model_status status = values_of(w, &s->minimum, &v->minimum);
    if (status == MODEL_OK) status = values_of(w, &s->physical, &v->physical);
    if (status == MODEL_OK) status = values_of(w, &s->memory, &v->memory);
    v->pad_cells = s->pad_cells;
    return status == MODEL_OK && s->pad_cells_named
               ? model_index(&w->names, s->pad_cells_named, &v->pad_cells)
               : status;
}

/* 1: the shape; 0: it has no value, or an extent is negative: nobody may ask; -1: an index
 * overflows. */
static int shape_of(const typed_question *q, const named_values *w, irl_shape *shape)
{
    int k;
    memset(shape, 0, sizeof *shape);
    shape->rank = q->rank;
    for (k = 0; k < q->rank; k++) {
        model_status s = model_index(&w->names, q->extents[k], &shape->extent[k]);
        if (s == MODEL_OVERFLOW) return -1;
        if (s != MODEL_OK || shape->extent[k] < 0) return 0;
    }
    return 1;
}

static int names_point(const typed_question *q, const irl_verdict *s, const named_values *w,
                       const irl_verdict *v, const irl_shape *at)
{
    irl_shape    y, x;
    model_status status = model_apply_in(q->map, at, &w->names, &y);
    int64_t      pad = 0;
    int          k;
    if (status == MODEL_OVERFLOW) return 1; /* outside of the question */
    if (status != MODEL_OK) return wrong("a claim where a point has no value");
    for (k = 0; k < y.rank; k++)
        if (y.extent[k] < v->minimum.extent[k] || y.extent[k] >= v->physical.extent[k] ||
            y.extent[k] >= v->memory.extent[k])
            return wrong("the box");
    if (model_apply_in(s->inverse, &y, &w->names, &x) != MODEL_OK || !same(&x, at))
        return wrong("the inverse");
    return (model_value_in(s->inverse, s->padding, y.extent, &w->names, &pad) == MODEL_OK &&
            !pad) ||
           wrong("the padding predicate is true of a cell that is used");
}

/* All that is said for the values w of a shape of few points. */
static int names_few(const typed_question *q, const irl_verdict *s, const named_values *w,
                     const irl_verdict *v)
{
    const truth *t = find_truth(q->map, &v->shape, &w->names);
    int64_t      cells = volume(&v->physical, INT64_MAX - 1), condition;
    if (t->undefined) return wrong("a claim where a point has no value");
    if (t->overflows || t->beyond) return 1;
    if (t->lossy) return wrong("points collide");
    if (t->negative) return wrong("an index is negative");
    if (s->box_reached && t->points &&
        (!same(&v->minimum, &t->minimum) || !same(&v->physical, &t->physical)))
        return wrong("the box is not reached");
    if (t->points && cells - t->points != v->pad_cells) return wrong("the number of unused cells");
    if (!right_padding(s->inverse, s->padding, &v->physical, v->pad_cells, &w->names, t)) return 0;
    if (s->kind == IRL_BIJECTIVE && v->pad_cells) return wrong("bijective");
    if (!s->condition || !t->points) return 1;
    if (!value_of(w, s->condition, &condition)) return wrong("the condition has no value");
    return (condition != 0) == (v->pad_cells == 0) || wrong("the condition");
}

/* 1: right for these values, or nothing is said of them. */
static int names_right(const typed_question *q, const irl_verdict *s, named_values *w,
                       int *compared)
{
    irl_verdict  v;
    irl_shape    at;
    int64_t      where = 1;
    model_status status;
    int          n, known;
    if (!s->inverse) return 1;
    status = s->where ? model_index(&w->names, s->where, &where) : MODEL_OK;
    if (status == MODEL_OVERFLOW) return 1; /* outside of the question */
    if (status != MODEL_OK) return wrong("`where` has no value");
    if (!where) return 1;
    memset(&v, 0, sizeof v);
    known = shape_of(q, w, &v.shape);
    if (known < 0) return 1;
    if (known == 0) { /* a divisor of 0, or a negative extent, which is no shape */
        for (n = 0; n < q->rank; n++) {
            status = model_index(&w->names, q->extents[n], &where);
            if (status != MODEL_OK && status != MODEL_OVERFLOW)
                return wrong("a claim about no shape");
        }
        return 1;
    }
    status = box_of(s, w, &v);
    if (status != MODEL_OK) return status == MODEL_OVERFLOW || wrong("the box has no value");
    for (n = 0; n < v.physical.rank; n++)
        if (v.physical.extent[n] < 0) return wrong("a negative extent");
    ++*compared;
    if (volume(&v.shape, FEW) == 0) return 1;
    if (volume(&v.shape, FEW) <= FEW) {
        if (!names_few(q, s, w, &v)) return 0;
        point_first(&v.shape, &at);
        do {
            if (!names_point(q, s, w, &v, &at)) return 0;
        } while (point_next(&v.shape, &at));
        return 1;
    }
    for (n = 0; n < 20; n++) {
        random_point(&v.shape, &at);
        if (!names_point(q, s, w, &v, &at)) return 0;
    }
    return 1;
}

/* The values that an answer names. */
static void values_named(const typed_question *q, const irl_verdict *s, named_values *w)
{
    int k, i;
    for (i = 0; i < TYPED_NAMES; i++) w->value[i] = 1;
    for (k = 0; k < s->parameter_count; k++)
        for (i = 0; i < TYPED_NAMES; i++)
            if (s->parameters[k] == q->names[i]) w->value[i] = s->values[k];
    values_set(w, q);
}

static int names_witness(const typed_question *q, const irl_verdict *s)
{
    named_values w;
    irl_shape    shape, x, y;
    model_status status;
    int          k;
    if (s->kind < IRL_LOSSY) return !s->values || wrong("values beside no witness");
    values_named(q, s, &w);
    for (k = 0; k < TYPED_NAMES; k++)
        if (w.value[k] < 1) return wrong("values below 1");
    if (shape_of(q, &w, &shape) <= 0 || !inside(&s->a, &shape)) return wrong("the witness's shape");
    status = model_apply_in(q->map, &s->a, &w.names, &x);
    if (s->kind == IRL_UNDEFINED) return right_gap(status, s->code, s->reason);
    if (status != MODEL_OK || !same(&x, &s->at)) return wrong("the witness's first point");
    if (s->kind == IRL_LOSSY)
        return (inside(&s->b, &shape) && !same(&s->a, &s->b) &&
                model_apply_in(q->map, &s->b, &w.names, &y) == MODEL_OK && same(&x, &y)) ||
               wrong("the witness's second point");
    for (k = 0; k < x.rank; k++)
        if (x.extent[k] < 0 || x.extent[k] == INT64_MAX) return 1;
    return wrong("the point out of range");
}

static int symbolic[IRL_UNDEFINED + 1], partly, compared;

static void show_names(const typed_question *q, const irl_verdict *s, const named_values *w)
{
    int k;
    printf("    %s: %s on", why ? why : "", irl_map_text(q->cx, q->map));
    for (k = 0; k < q->rank; k++) printf(" %s,", irl_expr_text(q->cx, q->extents[k]));
    printf("\n    %s\n", irl_verdict_text(q->cx, s));
    if (s->inverse)
        printf("    %s padding %s\n", irl_map_text(q->cx, s->inverse),
               irl_expr_text(q->cx, s->padding));
    if (w) printf("    at %.0f, %.0f\n", (double)w->value[0], (double)w->value[1]);
}

/* Two maps on names: a difference is one, and equal maps are equal. */
static int names_equal(typed_question *q)
{
    const irl_expr *moved[IRL_MAX_RANK];
    irl_difference  d;
    irl_verdict     s;
    named_values    w;
    irl_shape       x, y;
    irl_answer      answer;
    const irl_map  *other;
    model_status    first, second;
    int             k, outputs = q->map->output_count;
    if (irl_map_equal(q->cx, q->map, q->map, irl_shape_of(q->rank, q->extents), &d) == IRL_NO)
        return wrong("a map that differs from itself");
    for (k = 0; k < outputs; k++) moved[k] = q->map->outputs[k];
    k = random_below(outputs);
    moved[k] =
        irl_expr_op2(q->cx, IRL_OP_FLOORMOD, moved[k], irl_expr_index(q->cx, 5 + random_below(9)));
    other = irl_map_new(q->cx, q->rank, q->map->inputs, outputs, moved, 0, NULL);
    answer = irl_map_equal(q->cx, q->map, other, irl_shape_of(q->rank, q->extents), &d);
    memset(&s, 0, sizeof s);
    s.parameter_count = d.parameter_count;
    s.parameters = d.parameters;
    s.values = d.values;
    if (answer == IRL_NO) {
        values_named(q, &s, &w);
        return (model_apply_in(q->map, &d.point, &w.names, &x) == MODEL_OK &&
                model_apply_in(other, &d.point, &w.names, &y) == MODEL_OK && !same(&x, &y)) ||
               wrong("the difference");
    }
    if (answer != IRL_YES) return 1;
    for (k = 0; k < 8; k++) {
        irl_shape shape, at;
        w.value[0] = 1 + random_below(30);
        w.value[1] = 1 + random_below(30);
        values_set(&w, q);
        if (shape_of(q, &w, &shape) <= 0 || volume(&shape, FEW) == 0) continue;
        random_point(&shape, &at);
        first = model_apply_in(q->map, &at, &w.names, &x);
        second = model_apply_in(other, &at, &w.names, &y);
        if (first == MODEL_OVERFLOW || second == MODEL_OVERFLOW) continue;
        if (first != MODEL_OK || second != MODEL_OK || !same(&x, &y)) return wrong("equal");
    }
    return 1;
}

static void names_one(typed_question *q, int n)
{
    static const int64_t small[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 20, 33 },
                         large[] = { 100, 255, 256, 257, 1000, 4097, 65536, 1000003 };
    irl_verdict s = irl_map_check(q->cx, q->map, irl_shape_of(q->rank, q->extents));
    named_values w;
    int          k, many = s.kind == IRL_UNDECIDED && !s.inverse ? 0 : 24;
    symbolic[s.kind]++;
    partly += s.inverse && s.where;
    if (!CHECK_OK(q->cx)) show_names(q, &s, NULL);
    why = NULL;
    if (!CHECK(names_witness(q, &s)) || (verbose && s.kind == IRL_UNDECIDED))
        show_names(q, &s, NULL);
    /* where nothing is unused, it is bijective, and nothing else */
    if (!CHECK(!s.inverse || s.where || (s.kind != IRL_BIJECTIVE && s.kind != IRL_INJECTIVE) ||
               (s.pad_cells == 0) == (s.kind == IRL_BIJECTIVE)))
        show_names(q, &s, NULL);
    for (k = 0; k < many; k++) {
        w.value[0] = k < 9 ? 1 + k / 3 : k < 20 ? small[random_below(13)] : large[random_below(8)];
        w.value[1] = k < 9 ? 1 + k % 3 : k < 20 ? small[random_below(13)] : large[random_below(8)];
        values_set(&w, q);
        if (CHECK(names_right(q, &s, &w, &compared))) continue;
        show_names(q, &s, &w);
        break;
    }
    if (n % 8 == 0 && !CHECK(names_equal(q))) show_names(q, &s, NULL);
}

/* ------------------------------------------------------------------ generated */

static void test_generated(void)
{
    int n, total = TEST_TENTH(2500), refused = 0;
    for (n = 0; n < total; n++) {
        irl_ctx       *cx = irl_ctx_create(NULL);
        typed_question q = typed_make(cx);
        why = NULL;
        if (!q.map) {
            refused++;
            CHECK(!irl_ok(cx));
        } else if (q.is_symbolic) names_one(&q, n);
        else numbers_one(&q, n);
        irl_ctx_destroy(cx);
    }
    printf(
        "%d typed maps, %d refused. Numbers: %d bijective, %d injective, %d lossy, %d out of "
        "range, "
        "%d undefined, %d undecided, %d packed. Names: %d bijective, %d injective, %d lossy, "
        "%d out of range, %d undefined, %d undecided, %d for some values, compared at %d values\n",
        total, refused, numbers[IRL_BIJECTIVE], numbers[IRL_INJECTIVE], numbers[IRL_LOSSY],
        numbers[IRL_OUT_OF_RANGE], numbers[IRL_UNDEFINED], numbers[IRL_UNDECIDED], packings,
        symbolic[IRL_BIJECTIVE], symbolic[IRL_INJECTIVE], symbolic[IRL_LOSSY],
        symbolic[IRL_OUT_OF_RANGE], symbolic[IRL_UNDEFINED], symbolic[IRL_UNDECIDED], partly,
        compared);
    CHECK(refused < total / 50 && packings > total / 200 &&
          symbolic[IRL_UNDEFINED] > total / 200);
    CHECK(numbers[IRL_BIJECTIVE] > total / 50 && numbers[IRL_INJECTIVE] > total / 50 &&
          numbers[IRL_LOSSY] > total / 50 && numbers[IRL_UNDEFINED] > total / 100);
    CHECK(symbolic[IRL_INJECTIVE] >= total / 200 && symbolic[IRL_LOSSY] > total / 50 &&
          partly > total / 100);
}

/* ------------------------------------------------------------------ written */

typedef struct written_row {
    const char *map, *shape; /* numbers, or N and M */
    const char *says;        /* of the verdict, or of the diagnostic */
} written_row;

static const written_row rows[] = {
    /* casts are the language's: they wrap; a sum of u64 beside an index is cast to index */
    { "(i) -> (u64(i) + 1 + i)", "5", "injective into [10], 5 cells are unused" },
    { "(i, k) -> (u8(i) * 2 + k)", "300,2", "lossy: (0, 0) and (128, 0) both map to [0]" },
    { "(i, k) -> (u64(i) * 2 + k)", "300,2", "bijective onto [600]" },
    { "(i, k) -> (u64(i) * 2 + k)", "N,2", "undecided: " },
    { "(i) -> (u8(i))", "256", "bijective onto [256]" },
    { "(i) -> (u8(i))", "257", "lossy: (0) and (256) both map to [0]" },
    { "(i) -> (u8(i), i / 256)", "1000", "injective into [256, 4], 24 cells are unused" },
    { "(i) -> (i8(i))", "200", "out-of-range: (128) goes to [-128]" },
    { "(i) -> (u64(i) - 1)", "3", "undefined: overflow at index(u64(i) - 1)" },
    { "(i) -> (u32(i) - 1)", "3", "injective into [4294967296], 4294967293 cells are unused" },
    { "(i) -> (i, bool(i) ? 1 : 0)", "5", "injective into [5, 2], 5 cells are unused" },
    { "(i) -> (index(f32(i)))", "5", "a map computes with integers and bools alone; 'f32(i)'" },
    { "(i) -> (index(as(u32, i32(i))))", "5", "integers and bools alone; found 'as'" },
    /* a let that is not used must have a value */
    { "(i, j) -> (let(q = 10 / j, i), j)", "5,3",
      "undefined: division by zero at 10 / j: its operands are 10 and 0" },
    { "(i, j) -> (let(q = 10 / (j + 1), i), j)", "5,3", "bijective onto [5, 3]" },
    { "(i) -> (let(q = i * 4611686018427387904, i))", "5",
      "undefined: overflow at i * 4611686018427387904" },
    { "(i, j) -> (j > 0 ? let(q = 10 / j, i) : i, j)", "5,3", "bijective onto [5, 3]" },
    { "(i) -> (i == 1 ? let(v = i / 3, v * 2) : let(v = i / 3, v * 2), i)", "9",
      "injective into [5, 9]" },
    { "(i, j) -> (let(q = i / 4, q * 4 + i % 4), j)", "N,M", "bijective onto [N, M]" },
    /* values for which the map has none */
    { "(j) -> (j / (N / 4) * (N / 4) + j % (N / 4))", "N",
      "undefined: division by zero at j / (N / 4): its operands are 0 and 0 at (0), for N = 1; "
      "where N >= 4, bijective onto [N]" },
    { "(i) -> (i % 0 + i)", "N",
      "undefined: division by zero at i % 0: its operands are 0 and 0 at (0)" },
    { "(i) -> (i, i % (N / 3))", "N", "for N = 1; where N >= 3, injective into [N, N / 3]" },
    { "(i, j) -> (let(q = 10 / j, i), j)", "N,M", "undefined: division by zero at 10 / j: " },
    { "(i) -> (N >= 4 ? i % (N / 4) + i / (N / 4) * (N / 4) : i)", "N", "bijective onto [N]" },
    { "(i) -> (i)", "N / (M / 4)", "where M >= 4, bijective onto [N / (M / 4)]" },
    { "(i) -> (i * (1 << (N - 70)))", "N",
      "undefined: the distance of a shift is too large at 1 << " },
    { "(i) -> (index(10) * 9223372036854775807 + i)", "N", "undecided: it is not known for which" },
    /* every kind of undefined part is refused alike, and stands behind points that collide */
    { "(i) -> (u8(i) << u8(i))", "9", "lossy: (6) and (7) both map to [128], and the distance of a "
      "shift is too large at u8(i) << u8(i): its operands are 8 and 8 at (8), one of 9 points" },
    { "(i) -> (i << u8(i) * u8(16))", "5",
      "undefined: the distance of a shift is too large at i << " },
    { "(i) -> (i / 2, 4 / i)", "3", "undefined: division by zero at 4 / i" },
    { "(i) -> (i / 3, 9 / (i - 7))", "8",
      "lossy: (0) and (1) both map to [0, -2], and division by zero" },
    { "(i) -> (i / 3, 9 / (i - 7))", "7", "lossy: (0) and (1) both map to [0, -2]" },
    { "(i) -> (4 / i)", "N",
      "lossy for N = 5: (3) and (4) both map to [1], and division by zero at 4 / i: its operands "
      "are 4 and 0 at (0), for N = 1" },
    { "(i) -> (i + 9223372036854775807)", "1", "out-of-range: (0) goes to [9223372036854775807]" },
    { "(i, j) -> (j, i + 9223372036854775805)", "3,2",
      "out-of-range: (2, 0) goes to [0, 9223372036854775807]" },
    /* no extent of a box is negative, where an axis has no points */
    { "(i) -> (i * 2)", "N - 1",
      "injective into [max(N * 2 - 3, 0)], unused cells: max(N - 2, 1 - N)" },
    { "(i) -> (i)", "N - 3", "bijective onto [max(N - 3, 0)]" },
    { "(i, j) -> (i * M + j)", "N - 3,M", "bijective onto [max((N - 3) * M, 0)]" },
    { "(i, j) -> (i * 2, j)", "N - 1,4", "injective into [max(N * 2 - 3, 0), 4], unused" },
    { "(i) -> (i * 2)", "N", "injective into [N * 2 - 1], unused cells: N - 1" },
    /* a remainder has its whole modulus in memory, a name or a number */
    { "(i) -> (i % 20)", "16", "bijective onto [16], in memory [20]" },
    { "(i) -> (i % N, i / N)", "16", ", in memory [N, 15 / N + 1]" },
    { "(i, j) -> (i % (N + 1), j)", "N,M", "bijective onto [N, M], in memory [N + 1, M]" },
    /* as many points as cells: bijective, and nothing else */
    { "(i) -> (i % N, i / N)", "N", "bijective onto [N, 1]" },
};

static const char *written_answer(irl_ctx *cx, const written_row *row)
{
    const irl_expr *names[TYPED_NAMES], *extents[3];
    const irl_map  *map;
    irl_verdict     s;
    irl_verdict     v;
    irl_shape       shape;
    char            piece[32];
    const char     *p = row->shape, *end;
    int             k, rank = 0;
    for (k = 0; k < TYPED_NAMES; k++) names[k] = irl_expr_var(cx, k ? "M" : "N", typed_index());
    map = irl_map_parse_over(cx, row->map, NULL, TYPED_NAMES, names);
    memset(&shape, 0, sizeof shape);
    for (; *p; p = *end ? end + 1 : end) {
        end = p + strcspn(p, ",");
        snprintf(piece, sizeof piece, "%.*s", (int)(end - p), p);
        shape.extent[rank] = atoi(piece);
        extents[rank++] = irl_expr_parse(cx, piece, TYPED_NAMES, names);
    }
    shape.rank = rank;
    if (strpbrk(row->shape, "NM") || strpbrk(row->map, "NM")) {
        s = irl_map_check(cx, map, irl_shape_of(rank, extents));
        return irl_ok(cx) ? irl_verdict_text(cx, &s) : irl_diag_text(cx);
    }
    v = irl_map_check(cx, map, shape);
    return irl_ok(cx) ? irl_verdict_text(cx, &v) : irl_diag_text(cx);
}

static void test_written(void)
{
    size_t k;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        const char *text = written_answer(cx, &rows[k]);
        if (!CHECK(strstr(text, rows[k].says) != NULL))
            printf("    %s on %s: %s\n", rows[k].map, rows[k].shape, text);
        irl_ctx_destroy(cx);
    }
}

/* A nest that stores through an index that no verdict can be asked about lowers all the same. */
static void test_stores(void)
{
    static const char *const stores[] = { "y[(i + n) % 8] = 1.0;", "y[index(f32(i))] = 1.0;",
                                          "y[index(x[i])] = 1.0;", "y[i % 8] = 1.0;" };
    size_t k;
    for (k = 0; k < sizeof stores / sizeof stores[0]; k++) {
        irl_ctx *cx = irl_ctx_create(NULL);
        char     text[256];
        snprintf(
            text, sizeof text,
            "func f(n: index, x: i32[8], y: f32[8]) layout(y: (i) -> (i / 3, i %% 3), pad(0.0)) "
            "{ for (i: 8) %s }",
            stores[k]);
        CHECK(irl_func_lower(irl_func_parse(cx, text, IRL_TO_NUL, NULL), &irl_target_opencl12) !=
              NULL);
        CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "v") == 0) verbose = 1;
    if (argc > 2) random64_seed(argv[2]);
    test_written();
    test_stores();
    test_generated();
    return TEST_DONE();
}
