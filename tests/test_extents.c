/* test_extents.c - random maps on random symbolic extents: what is said for all values is
   compared, for many values, with the truth found by looking at every point; and texts that are
   written down. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/map/map.h"
#endif
#include "test.h"
#include "verdict_parts.h"
#include "random64.h"
#include "map_truth.h"
#include "elsewhere.h"

enum { PARAMETERS = 3, MOST_INPUTS = 4, MOST_RESULTS = 10, MOST_STEPS = 5 };

static irl_ctx        *cx;
static const irl_expr *parameter[PARAMETERS];

/* ------------------------------------------------------------------ the truth for given values */

typedef struct extents_question {
    const irl_map  *map;
    int             rank;
    const irl_expr *extents[MOST_INPUTS];
} extents_question;

static const irl_expr *given(const irl_expr *e, const int64_t *values)
{
    const irl_expr *v[PARAMETERS];
    int             k;
    for (k = 0; k < PARAMETERS; k++) v[k] = irl_expr_index(cx, values[k]);
    return irl__substitute(cx, e, PARAMETERS, parameter, v);
}

static int64_t number(const irl_expr *e, const int64_t *values)
{
    int64_t out = -1000000;
    CHECK(irl__value_at(e, PARAMETERS, parameter, values, &out) == IRL__FOLD_OK);
    return out;
}

static const irl_map *map_given(const irl_map *m, const int64_t *values)
{
    const irl_expr *out[IRL_MAX_RANK];
    int             k;
    for (k = 0; k < m->output_count; k++) out[k] = given(m->outputs[k], values);
    return irl_map_new(cx, m->input_count, m->inputs, m->output_count, out, 0, NULL);
}

/* 1 if the answer is right for these values. */
static int right_at(const extents_question *q, const irl_verdict *s, const int64_t *values,
                    const char **why)
{
    irl_verdict    v, truth;
    const irl_map *m = map_given(q->map, values);
    int            k;
    memset(&v, 0, sizeof v);
    v.shape.rank = q->rank;
    for (k = 0; k < q->rank; k++) v.shape.extent[k] = number(q->extents[k], values);
    truth = irl_map_check(cx, m, v.shape); /* itself compared with the truth in test_random_maps */
    *why = "the verdict";
    if (truth.kind != IRL_BIJECTIVE && truth.kind != IRL_INJECTIVE) return 0;
    *why = "the box";
    v.minimum.rank = v.physical.rank = s->physical.rank;
    for (k = 0; k < s->physical.rank; k++) {
        v.minimum.extent[k] = number(extent_of(cx, &s->minimum, k), values);
        v.physical.extent[k] = number(extent_of(cx, &s->physical, k), values);
    }
    for (k = 0; k < s->physical.rank; k++)
        if (v.minimum.extent[k] > truth.minimum.extent[k] ||
            v.physical.extent[k] < truth.physical.extent[k])
            return 0;
    if (s->box_reached &&
        (!truth_same(&v.minimum, &truth.minimum) || !truth_same(&v.physical, &truth.physical)))
        return 0;
    v.inverse = map_given(s->inverse, values);
    v.padding = given(s->padding, values);
    v.pad_cells = number(unused_cells(cx, s), values);
    *why = "the inverse";
    if (!truth_inverse(m, &v)) return 0;
    *why = "the padding";
    if (!truth_padding(m, &v)) return 0;
    *why = "the condition";
    if (s->condition && (number(s->condition, values) != 0) != (v.pad_cells == 0)) return 0;
    *why = "bijective";
    return s->kind != IRL_BIJECTIVE || v.pad_cells == 0;
}

/* The witness is one: for the values that it names. */
static int witness_holds(const extents_question *q, const irl_verdict *s)
{
    int64_t     values[PARAMETERS] = { 1, 1, 1 };
    irl_verdict v;
    irl_shape   at;
    int         k, i;
    for (k = 0; k < s->parameter_count; k++)
        for (i = 0; i < PARAMETERS; i++)
            if (s->parameters[k] == parameter[i]) values[i] = s->values[k];
    memset(&v, 0, sizeof v);
    v.shape.rank = q->rank;
    for (k = 0; k < q->rank; k++) v.shape.extent[k] = number(q->extents[k], values);
    v.a = s->a, v.b = s->b, v.at = s->at;
    if (s->kind == IRL_LOSSY) return truth_witness(map_given(q->map, values), &v);
    if (!truth_apply(map_given(q->map, values), &v.a, &at) || !truth_same(&at, &v.at)) return 0;
    for (k = 0; k < at.rank; k++)
        if (at.extent[k] < 0) return 1;
    return 0;
}

static int small_enough(const extents_question *q, const int64_t *values)
{
    int64_t points = 1;
    int     k;
    for (k = 0; k < q->rank; k++) points *= number(q->extents[k], values);
    return points <= 3000;
}

/* ------------------------------------------------------------- random maps on random extents */

typedef struct axis_now {
    const irl_expr *e, *extent;
} axis_now;

static const irl_expr *num(int64_t v) { return irl_expr_index(cx, v); }
static const irl_expr *op(irl_op o, const irl_expr *a, const irl_expr *b)
{
    return irl_expr_op2(cx, o, a, b);
}

/* N, 4*N, N*M, N + 3, 12 */
static const irl_expr *invent_extent(void)
{
    static const int constants[] = { 1, 2, 3, 4, 5, 7, 8, 12, 16 };
    const irl_expr *p = parameter[random_below(PARAMETERS)];
    switch (random_below(6)) {
    case 0: case 1: return p;
    case 2: return op(IRL_OP_MUL, p, num(1 + random_below(8)));
    case 3: return op(IRL_OP_MUL, p, parameter[random_below(PARAMETERS)]);
    case 4: return op(IRL_OP_ADD, p, num(random_below(4)));
    default: return num(constants[random_below(9)]);
    }
}

enum { STEP_KINDS = 8 };

static const char *const step_names[STEP_KINDS] = { "split",  "fuse",    "permute", "offset",
                                                    "rotate", "reverse", "skew",    "stride" };
static unsigned          steps_made; /* of the map that was invented last: a bit for each kind */

static int invent_step(axis_now *a, int n)
{
    int             i = random_below(n), j = random_below(n), k, v = 1 + random_below(8), kind;
    const irl_expr *by = random_below(2) ? num(v) : parameter[random_below(PARAMETERS)],
                   *e = a[i].extent;
    axis_now        t;
    kind = random_below(8);
    if (kind == 7 && random_below(3)) kind = 8;
    steps_made |= 1u << (kind < 1 ? 0 : kind < 7 ? kind - 1 : kind == 7 ? 7 : 6);
    switch (kind) {
    case 0: case 1: /* split */
        if (n == MOST_RESULTS) break;
        for (k = n; k > i + 1; k--) a[k] = a[k - 1];
        a[i + 1].e = op(IRL_OP_FLOORMOD, a[i].e, by);
        a[i + 1].extent = by;
        a[i].e = op(IRL_OP_FLOORDIV, a[i].e, by);
        a[i].extent = op(IRL_OP_FLOORDIV, op(IRL_OP_ADD, e, op(IRL_OP_SUB, by, num(1))), by);
        return n + 1;
    case 2: /* fuse */
        if (i == j) break;
        a[i].e = op(IRL_OP_ADD, op(IRL_OP_MUL, a[i].e, random_below(8) ? a[j].extent : by), a[j].e);
        a[i].extent = op(IRL_OP_MUL, e, a[j].extent);
        for (k = j; k + 1 < n; k++) a[k] = a[k + 1];
        return n - 1;
    case 3: t = a[i], a[i] = a[j], a[j] = t; break;
    case 4: a[i].e = op(IRL_OP_ADD, a[i].e, by), a[i].extent = op(IRL_OP_ADD, e, by); break;
    case 5: a[i].e = op(IRL_OP_FLOORMOD, op(IRL_OP_ADD, a[i].e, by), e); break;
    case 6: a[i].e = op(IRL_OP_SUB, op(IRL_OP_SUB, e, num(1)), a[i].e); break;
    case 7: a[i].e = op(IRL_OP_MUL, a[i].e, by), a[i].extent = op(IRL_OP_MUL, e, by); break;
    default:
        if (i != j) a[i].e = op(IRL_OP_FLOORMOD, op(IRL_OP_ADD, a[i].e, a[j].e), e); /* skew */
        break;
    }
    return n;
}

static void invent(extents_question *q)
{
    static const char *const names[MOST_INPUTS] = { "i", "j", "k", "l" };
    const irl_expr          *in[MOST_INPUTS], *out[MOST_RESULTS];
    axis_now                 now[MOST_RESULTS + 1];
    int                      k, n, steps = 1 + random_below(MOST_STEPS);
    q->rank = n = 1 + random_below(3);
    for (k = 0; k < n; k++) {
        in[k] = now[k].e = irl_expr_var(cx, names[k], irl_type_of(IRL_INDEX, 1));
        q->extents[k] = now[k].extent = invent_extent();
    }
    for (k = 0, steps_made = 0; k < steps; k++) n = invent_step(now, n);
    for (k = 0; k < n; k++) out[k] = now[k].e;
    q->map = irl_map_new(cx, q->rank, in, n, out, 0, NULL);
}

/* by_step: all, and undecided ones */
static int counts[IRL_UNDEFINED + 1], by_step[STEP_KINDS][2], partly, compared, reached;

static void show(const extents_question *q, const irl_verdict *s, const char *why,
                 const int64_t *values)
{
    int k;
    printf("%s: %s on", why, irl_map_text(cx, q->map));
    for (k = 0; k < q->rank; k++) printf(" %s", irl_expr_text(cx, q->extents[k]));
    printf(": %s\n", irl_verdict_text(cx, s));
    if (values) printf("    at %d %d %d\n", (int)values[0], (int)values[1], (int)values[2]);
    if (s->inverse)
        printf("    %s padding %s\n", irl_map_text(cx, s->inverse), irl_expr_text(cx, s->padding));
}

/* -------------------------------------- the smallest question that is still answered wrongly */

static int still_wrong(const extents_question *q, const int64_t *values)
{
    const char  *why;
    irl_verdict s = irl_map_check(cx, q->map, irl_shape_of(q->rank, q->extents));
    return irl_ok(cx) && s.inverse && (!s.where || number(s.where, values)) &&
           !right_at(q, &s, values, &why);
}

/* e with one operator left out, for which one of its operands stands; *n says which of all ways.
   NULL: there are fewer. */
static const irl_expr *without_one(const irl_expr *e, int *n)
{
    int k;
    for (k = 0; k < (int)e->count; k++)
        if ((*n)-- == 0) return e->a[k];
    for (k = 0; k < (int)e->count && e->count == 2; k++) {
        const irl_expr *less = without_one(e->a[k], n);
        if (less) return op((irl_op)e->op, k == 0 ? less : e->a[0], k == 1 ? less : e->a[1]);
    }
    return NULL;
}

/* Output `at` replaced, or left out where e is NULL; true, and *q is that, if it is still answered
   wrongly. */
static int try_output(extents_question *q, int at, const irl_expr *e, const int64_t *values)
{
    extents_question less = *q;
    const irl_expr  *out[MOST_RESULTS];
    int              k, n = 0;
    for (k = 0; k < q->map->output_count; k++)
        if (k != at || e) out[n++] = k == at ? e : q->map->outputs[k];
    less.map = irl_map_new(cx, q->rank, q->map->inputs, n, out, 0, NULL);
    if (!less.map || !still_wrong(&less, values)) return 0;
    *q = less;
    return 1;
}

static int shrink_once(extents_question *q, const int64_t *values)
{
    int k, n, way;
    for (k = 0; k < q->rank; k++) {
        extents_question less = *q;
        less.extents[k] = num(1);
        if (q->extents[k]->op == IRL_OP_INT && q->extents[k]->u.i == 1) continue;
        if (still_wrong(&less, values)) return *q = less, 1;
    }
    for (k = 0; k < q->map->output_count; k++) {
        if (q->map->output_count > 1 && try_output(q, k, NULL, values)) return 1;
        for (n = 0;; n++) {
            const irl_expr *e = (way = n, without_one(q->map->outputs[k], &way));
            if (!e) break;
            if (e->size < q->map->outputs[k]->size && try_output(q, k, e, values)) return 1;
        }
    }
    return 0;
}

static void show_smallest(extents_question q, const int64_t *values)
{
    irl_verdict s;
    while (shrink_once(&q, values)) {}
    s = irl_map_check(cx, q.map, irl_shape_of(q.rank, q.extents));
    show(&q, &s, "the smallest that is wrong there", values);
}

static irl_verdict invent_and_check(extents_question *q)
{
    static const char *const names[PARAMETERS] = { "N", "M", "T" };
    int                      k;
    for (k = 0; k < PARAMETERS; k++)
        parameter[k] = irl_expr_var(cx, names[k], irl_type_of(IRL_INDEX, 1));
    invent(q);
    return irl_map_check(cx, q->map, irl_shape_of(q->rank, q->extents));
}

/* The answer in a context at another place, which has seen another question, is the same text.
   `state` is that of the random numbers before the map was invented. */
static void same_elsewhere(uint64_t state, const char *expected)
{
    uint64_t         after = random64_state;
    irl_ctx         *here = cx;
    const irl_expr  *own[PARAMETERS];
    extents_question q;
    irl_verdict      s;
    size_t           shift;
    const char      *text;
    memcpy(own, parameter, sizeof own);
    cx = elsewhere_context(&shift, (unsigned)(state >> 20));
    if (state & 2) (void)invent_and_check(&q);
    random64_state = state;
    s = invent_and_check(&q);
    text = irl_verdict_json(cx, q.map, &s);
    if (!CHECK(text && strcmp(text, expected) == 0))
        printf("here %s\nelsewhere %s\n", expected, text ? text : "");
    irl_ctx_destroy(cx);
    cx = here;
    memcpy(parameter, own, sizeof own);
    random64_state = after;
}

static void random_one(int verbose)
{
    extents_question q;
    irl_verdict       s;
    int64_t           values[PARAMETERS];
    uint64_t          state = random64_state;
    const char       *why = "";
    int               n, k;
    cx = irl_ctx_create(NULL);
    s = invent_and_check(&q);
    counts[s.kind]++;
    for (k = 0; k < STEP_KINDS; k++)
        if (steps_made >> k & 1) by_step[k][0]++, by_step[k][1] += s.kind == IRL_UNDECIDED;
    if ((s.kind == IRL_LOSSY || s.kind == IRL_OUT_OF_RANGE) && !CHECK(witness_holds(&q, &s)))
        show(&q, &s, "the witness", NULL);
    if (s.kind == IRL_UNDECIDED && verbose) show(&q, &s, "undecided", NULL);
    if (CHECK_OK(cx) && (state & 12) == 0)
        same_elsewhere(state, irl_verdict_json(cx, q.map, &s));
    partly += s.inverse && s.where;
    reached += s.kind != IRL_UNDECIDED && s.box_reached;
    for (n = 0; s.inverse && n < 12; n++) {
        for (k = 0; k < PARAMETERS; k++)
            values[k] = n < 4 ? 1 + (n >> k & 1) : 1 + random_below(n < 8 ? 5 : 14);
        if (!small_enough(&q, values) || (s.where && !number(s.where, values))) continue;
        compared++;
        if (!CHECK(right_at(&q, &s, values, &why))) {
            show(&q, &s, why, values);
            show_smallest(q, values);
            break;
        }
    }
    irl_ctx_destroy(cx);
}

static void test_invented(int verbose)
{
    int n, total = TEST_COUNT(600);
    for (n = 0; n < total; n++) random_one(verbose);
    printf("%d maps on symbolic extents: %d bijective, %d injective, %d lossy, %d out of range for "
           "some values, %d undecided; %d for some "
           "values, under a condition; %d boxes known to be reached; compared at %d values\n",
           total, counts[IRL_BIJECTIVE], counts[IRL_INJECTIVE], counts[IRL_LOSSY],
           counts[IRL_OUT_OF_RANGE], counts[IRL_UNDECIDED], partly, reached, compared);
    for (n = 0; n < STEP_KINDS; n++)
        printf("    %-8s %6d maps, %d undecided: %.1f %%\n", step_names[n], by_step[n][0],
               by_step[n][1], by_step[n][0] ? 100.0 * by_step[n][1] / by_step[n][0] : 0.0);
    CHECK(counts[IRL_UNDECIDED] * 10 <= total);
}

/* ------------------------------------------------------------------ written */

typedef struct written_row {
    /* bound: of the first output, the others are free; NULL: none */
    const char *map, *extents[3], *bound;
    const char *text, *inverse;
} written_row;

static void test_written(void)
{
    static const written_row rows[] = {
        { "(i) -> (i/4, i%4)",
          { "4*N" },
          NULL,
          "bijective onto [N, 4]",
          "(axis0, axis1) -> (axis0 * 4 + axis1)" },
        { "(i) -> (i/4, i%4)",
          { "N" },
          NULL,
          "injective into [(N + 3) / 4, min(N, 4)], unused cells: (N + 3) / 4 * min(N, 4) - N, "
          "none where min(N, 4) <= (N + 3) % 4 + 1, in memory [(N + 3) / 4, 4]",
          "(axis0, axis1) -> (axis0 * 4 + axis1)" },
        { "(i, j) -> (i*M + j)",
          { "N", "M" },
          NULL,
          "bijective onto [N * M]",
          "(axis0) -> (axis0 / M, axis0 % M)" },
        { "(i, j) -> (i/T, j/8, i%T, j%8)",
          { "T*N", "8*M" },
          NULL,
          "bijective onto [N, M, T, 8]",
          "(axis0, axis1, axis2, axis3) -> (T * axis0 + axis2, axis1 * 8 + axis3)" },
        { "(i) -> (N - 1 - i)", { "N" }, NULL, "bijective onto [N]", "(axis0) -> (N - axis0 - 1)" },
        { "(i) -> ((i + 3)%N)",
          { "N" },
          NULL,
          "bijective onto [N]",
          "(axis0) -> ((axis0 - 3) % N)" },
        /* a digit's range ends at 2^63 - 2: the fact about it once wrapped, and only one cell was
           left */
        { "(i) -> ((i + 3)%N/4, (i + 3)%N%4 + 2)",
          { "N" },
          NULL,
          "injective into [(N + 3) / 4, min(N + 2, 6)], unused cells: (N + 3) / 4 * min(N + 2, 6) "
          "- N",
          "(axis0, axis1) -> ((axis0 * 4 + (axis1 - 2) - 3) % N)" },
        { "(i) -> (i + 2)",
          { "N" },
          "N + 2",
          "injective into [N + 2], unused cells: 2",
          "(axis0) -> (axis0 - 2)" },
        { "(i) -> (i + 2)",
          { "N" },
          "10",
          "out-of-range for N = 10: (9) goes to [11]; where N < 9, injective into [N + 2], unused "
          "cells: 2",
          "(axis0) -> (axis0 - 2)" },
        { "(i) -> (i - 3)", { "N" }, NULL, "out-of-range for N = 1: (0) goes to [-3]", NULL },
        /* lossy before out of range */
        { "(i) -> (i/2 - 3)",
          { "N" },
          NULL,
          "lossy for N = 2: (0) and (1) both map to [-3], and out of range: (0) goes to [-3]",
          NULL },
        { "(i) -> ((i*5)%7)",
          { "N" },
          NULL,
          "lossy for N = 8: (0) and (7) both map to [0]; where N <= 7, injective into [min(N * 5 "
          "- 4, 7)], unused cells: "
          "min(N * 5 - 4, 7) - N, in memory [7]",
          "(axis0) -> (axis0 * 3 % 7)" },
        { "(i, j) -> ((i + j)%2, j)",
          { "N", "M" },
          NULL,
          "lossy for N = 3, M = 1: (0, 0) and (2, 0) both map to [0, 0]; where N <= 2, injective "
          "into [min(N + M - 1, 2), M], unused cells: min(M - 1, 2 - N) * M, in memory [2, M]",
          "(axis0, axis1) -> ((axis0 - axis1) % 2, axis1)" },
    };
    size_t k;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        static const char *const names[PARAMETERS] = { "N", "M", "T" };
        const irl_expr *extents[3], *bound[IRL_MAX_RANK];
        const irl_map  *map;
        irl_verdict     s;
        irl_shape       within;
        irl_check_options how;
        int             i, rank = 0;
        cx = irl_ctx_create(NULL);
        for (i = 0; i < PARAMETERS; i++)
            parameter[i] = irl_expr_var(cx, names[i], irl_type_of(IRL_INDEX, 1));
        for (; rank < 3 && rows[k].extents[rank]; rank++)
            extents[rank] = irl_expr_parse(cx, rows[k].extents[rank], PARAMETERS, parameter);
        map = irl_map_parse_over(cx, rows[k].map, NULL, PARAMETERS, parameter);
        for (i = 0; i < irl_map_output_count(map); i++)
            bound[i] = irl_expr_index(cx, INT64_C(1) << 60);
        if (rows[k].bound) bound[0] = irl_expr_parse(cx, rows[k].bound, PARAMETERS, parameter);
        memset(&how, 0, sizeof how);
        within = irl_shape_of(irl_map_output_count(map), bound);
        if (rows[k].bound) how.bound = &within;
        s = irl_map_check_with(cx, map, irl_shape_of(rank, extents), &how);
        if (!CHECK(strcmp(irl_verdict_text(cx, &s), rows[k].text) == 0))
            printf("%s: %s\n", rows[k].map, irl_verdict_text(cx, &s));
        CHECK(!rows[k].inverse == !s.inverse);
        if (s.inverse && !s.where) { /* and it is so */
            extents_question q;
            int64_t          values[PARAMETERS];
            const char      *why;
            q.map = map;
            q.rank = rank;
            for (i = 0; i < rank; i++) q.extents[i] = extents[i];
            for (values[0] = 1; values[0] < 10; values[0]++) {
                values[1] = values[0] % 3 + 1;
                values[2] = values[0] % 2 + 1;
                if (!CHECK(right_at(&q, &s, values, &why)))
                    printf("%s: %s at %d\n", rows[k].map, why, (int)values[0]);
            }
        }
        if (s.inverse && rows[k].inverse &&
            !CHECK(strcmp(irl_map_text(cx, s.inverse), rows[k].inverse) == 0))
            printf("    %s\n", irl_map_text(cx, s.inverse));
        CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
}

static void test_refused(void)
{
    const irl_expr *extents[1];
    irl_verdict     s;
    cx = irl_ctx_create(NULL);
    extents[0] = irl_expr_int(cx, irl_type_of(IRL_I32, 1), 4);
    s = irl_map_check(cx, irl_map_parse(cx, "(i) -> (i)"), irl_shape_of(1, extents));
    CHECK(s.kind == IRL_UNDECIDED && s.reason[0]);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ two maps, for all values */

typedef struct equal_row {
    const char *a, *b, *shape;
    irl_answer  answer;
} equal_row;

static const equal_row equal_rows[] = {
    { "(i) -> (i/4*4 + i%4)", "(i) -> (i)", "N", IRL_YES },
    { "(i, j) -> ((i*N + j)/N, (i*N + j)%N)", "(a, b) -> (a, b)", "M,N", IRL_YES },
    { "(i, j) -> (i*N + j)", "(i, j) -> (j + N*i)", "M,N", IRL_YES },
    { "(i) -> (N - 1 - (N - 1 - i))", "(i) -> (i)", "N", IRL_YES },
    { "(i) -> (i/4)", "(i) -> (i/5)", "N", IRL_NO },   /* the first four points agree */
    { "(i) -> (i%40)", "(i) -> (i)", "N", IRL_NO }, /* the first forty */
    { "(i, j) -> (i*N + j)", "(i, j) -> (i*M + j)", "M,N", IRL_NO },
    { "(i) -> (i%N)", "(i) -> (i%(N + 1))", "2*N", IRL_NO },
    { "(i) -> (i)", "(i) -> (i, i)", "N", IRL_NO },
    /* they differ beyond what is tried */
    { "(i) -> (i % 1000003)", "(i) -> (i)", "N", IRL_UNKNOWN },
};

static int64_t value_at(irl_ctx *cx_, const irl_difference *d, const irl_map *m, int output)
{
    const irl_expr *vars[IRL_MAX_RANK];
    int64_t         values[IRL_MAX_RANK], out = -1;
    int             k, n = 0;
    (void)cx_;
    for (k = 0; k < m->input_count; k++, n++)
        vars[n] = m->inputs[k], values[n] = d->point.extent[k];
    for (k = 0; k < d->parameter_count; k++, n++)
        vars[n] = d->parameters[k], values[n] = d->values[k];
    CHECK(irl__value_at(m->outputs[output], n, vars, values, &out) == IRL__FOLD_OK);
    return out;
}

/* A difference is one: the maps have other values there. */
static int differs_there(irl_ctx *cx_, const irl_difference *d, const irl_map *a, const irl_map *b)
{
    int k;
    if (d->point.rank < 0) return a->output_count != b->output_count;
    for (k = 0; k < a->output_count; k++)
        if (value_at(cx_, d, a, k) != value_at(cx_, d, b, k)) return 1;
    return 0;
}

static void test_equal(void)
{
    size_t k;
    for (k = 0; k < sizeof equal_rows / sizeof equal_rows[0]; k++) {
        const equal_row *row = &equal_rows[k];
        irl_ctx         *cx_ = irl_ctx_create(NULL);
        const irl_expr  *names[2], *extents[2];
        const irl_map   *a, *b;
        irl_difference   d;
        char             first[32];
        const char      *comma = strchr(row->shape, ',');
        irl_answer       answer;
        names[0] = irl_expr_var(cx_, "M", irl_type_of(IRL_INDEX, 1));
        names[1] = irl_expr_var(cx_, "N", irl_type_of(IRL_INDEX, 1));
        snprintf(first, sizeof first, "%.*s",
                 (int)(comma ? comma - row->shape : (long)strlen(row->shape)), row->shape);
        extents[0] = irl_expr_parse(cx_, first, 2, names);
        extents[1] = comma ? irl_expr_parse(cx_, comma + 1, 2, names) : NULL;
        a = irl_map_parse_over(cx_, row->a, NULL, 2, names);
        b = irl_map_parse_over(cx_, row->b, NULL, 2, names);
        answer = irl_map_equal(cx_, a, b, irl_shape_of(comma ? 2 : 1, extents), &d);
        if (!CHECK(answer == row->answer) ||
            !CHECK(answer != IRL_NO || differs_there(cx_, &d, a, b)))
            printf("%s and %s: %d\n", row->a, row->b, (int)answer);
        CHECK(irl_map_equal(cx_, a, b, irl_shape_of(comma ? 2 : 1, extents), NULL) == answer);
        CHECK_OK(cx_);
        irl_ctx_destroy(cx_);
    }
}

/* R(i) == A(B(i)), and it does not matter where one begins. */
static void test_compose_laws(void)
{
    irl_ctx        *cx_ = irl_ctx_create(NULL);
    const irl_expr *names[2], *extents[2];
    const irl_map  *split, *fuse, *turn, *id = irl_map_identity(cx_, 2), *left, *right;
    irl_answer      swapped;
    irl_difference  d;
    names[0] = extents[0] = irl_expr_var(cx_, "M", irl_type_of(IRL_INDEX, 1));
    names[1] = extents[1] = irl_expr_var(cx_, "N", irl_type_of(IRL_INDEX, 1));
    fuse = irl_map_parse_over(cx_, "(i, j) -> (i*N + j)", NULL, 2, names);
    split = irl_map_parse_over(cx_, "(k) -> (k/N, k%N)", NULL, 2, names);
    turn = irl_map_parse_over(cx_, "(i, j) -> (j, M - 1 - i)", NULL, 2, names);
    CHECK(irl_map_equal(cx_, irl_map_compose(cx_, split, fuse), id, irl_shape_of(2, extents),
          NULL) ==
          IRL_YES);
    CHECK(irl_map_equal(cx_, irl_map_compose(cx_, turn, id), turn, irl_shape_of(2, extents),
          NULL) ==
          IRL_YES);
    left = irl_map_compose(cx_, irl_map_compose(cx_, turn, split), fuse);
    right = irl_map_compose(cx_, turn, irl_map_compose(cx_, split, fuse));
    CHECK(irl_map_equal(cx_, left, right, irl_shape_of(2, extents), NULL) == IRL_YES);
    CHECK(irl_map_equal(cx_, left, turn, irl_shape_of(2, extents), NULL) == IRL_YES);
    /* half a turn */
    swapped = irl_map_equal(cx_, irl_map_compose(cx_, turn, turn), id, irl_shape_of(2, extents),
        &d);
    CHECK(swapped == IRL_NO && d.parameter_count == 2 && d.point.rank == 2);
    CHECK_OK(cx_);
    irl_ctx_destroy(cx_);
}

/* The numbers of a remainder's axis: what is reached, and what a buffer has. */
static void test_memory(void)
{
    irl_ctx        *cx_ = irl_ctx_create(NULL);
    const irl_map  *m = irl_map_parse(cx_, "(n, h, w, c) -> (n, c/4, h, |, w, c%4)");
    irl_verdict     v = irl_map_check(cx_, m, IRL_SHAPE(1, 4, 4, 3));
    const irl_expr *extents[4];
    irl_verdict     s;
    irl_shape       memory;
    CHECK(v.kind == IRL_BIJECTIVE && v.physical.extent[4] == 3 && v.memory.extent[4] == 4);
    CHECK(strcmp(irl_verdict_text(cx_, &v),
                 "bijective onto [1, 1, 4, 4, 3], in memory [1, 1, 4, 4, 4]") == 0);
    CHECK(irl_map_memory(cx_, m, IRL_SHAPE(1, 4, 4, 3), &memory) &&
          memcmp(&memory, &v.memory, sizeof(int64_t) * 5) == 0);
    v = irl_map_check(cx_, m, IRL_SHAPE(1, 4, 4, 7));
    CHECK(strcmp(irl_verdict_text(cx_, &v),
                 "injective into [1, 2, 4, 4, 4], 16 cells are unused") == 0);
    extents[0] = extents[1] = extents[2] = irl_expr_index(cx_, 4);
    extents[3] = irl_expr_var(cx_, "C", irl_type_of(IRL_INDEX, 1));
    s = irl_map_check(cx_, m, irl_shape_of(4, extents));
    CHECK(s.box_known && s.memory.extent[4] == 4 && s.physical.extent[4] < 0 &&
          s.physical.named[4] != s.memory.named[4]);
    CHECK(strstr(irl_verdict_text(cx_, &s), "min(C, 4)]") &&
          strstr(irl_verdict_text(cx_, &s), ", in memory [4, (C + 3) / 4, 4, 4, 4]"));
    CHECK_OK(cx_);
    irl_ctx_destroy(cx_);
}

int main(int argc, char **argv)
{
    if (argc > 2) random64_seed(argv[2]);
    test_invented(argc > 1 && strcmp(argv[1], "v") == 0);
    test_written();
    test_refused();
    test_equal();
    test_compose_laws();
    test_memory();
    return TEST_DONE();
}
