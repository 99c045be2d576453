/* test_solve.c - every rule by which src/map/change_solve.c goes from values back to variables: a
   map that cannot be inverted without the rule, for many constants. It must be solved by
   mixed-radix decomposition, and what is found is looked at point by point and cell by cell.
   (Extents with names are in test_symbolic.c.) */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/map/map.h"
#endif
#include "test.h"
#include "random64.h"
#include "map_truth.h"

/* C and D stand for constants, in the map and in the extents. */
typedef struct solve_row {
    const char *rule, *map, *extents[3];
} solve_row;

static const solve_row rows[] = {
    { "known terms", "(i, j) -> (i, j + i*C + D)", { "D", "C" } },
    { "single", "(i) -> (i*C + D)", { "7" } },
    { "single, reversed", "(i) -> (C*6 - i*C)", { "7" } },
    { "digits", "(i, j) -> (i*C + j)", { "D", "C" } },
    { "digits, downwards", "(i, j) -> (i*C - j + C)", { "D", "C" } },
    { "digits of three", "(i, j, k) -> (i*(C*D) + j + k*D)", { "3", "D", "C" } },
    { "digits with a gap", "(i, j) -> (i*(C + 3) + j)", { "D", "C" } },
    { "quotient known", "(i) -> (i/C, i%C)", { "C*D + 1" } },
    { "quotient of a sum known", "(i) -> ((i + D)/C, (i + D)%C)", { "C*D + 2" } },
    { "window", "(i) -> ((i + D)%C)", { "C" } },
    { "window, narrow", "(i, j) -> ((i + j*C + D)%(C*2), j)", { "C", "2" } },
    { "congruence", "(i) -> ((i + D)%C, i/C)", { "C*D" } },
    { "reciprocal", "(i) -> (i*C%D)", { "D" } },
    { "undivided", "(i) -> (i/C + i, i%C)", { "C*D" } },
    { "adjacent", "(i) -> (i%C, (i/C + 1)%D)", { "C*D" } },
    { "rest known", "(i) -> (i%C, i/C*D)", { "C*D" } },
    { "long stride", "(i) -> (i*(C + 2)/C)", { "9" } },
    { "long stride, shifted", "(i) -> ((i*(C + 2) + D)/C)", { "9" } },
    { "exclusive or", "(x, y) -> (y, x ^ y)", { "8", "8" } },
    { "exclusive or of a constant", "(x) -> (x ^ C)", { "16" } },
    { "choice", "(p, x) -> (p, select(p%2 == 0, x, C - 1 - x))", { "D", "C" } },
    { "choice, lazily", "(p, x) -> (p, p%C == 0 ? x : (x + 1)%D)", { "6", "D" } },
    { "minimum, maximum", "(i, j) -> (min(i, j), max(i, j), i)", { "C", "D" } },
    { "arms apart", "(i) -> (select(i < C, i, i + D))", { "C + D" } },
    { "skew", "(i, j) -> (i, (i*D + j)%C)", { "5", "C" } },
    { "halves of what is no axis", "(i) -> (i*3/2/C, i*3/2%C)", { "C*D + 1" } },
    { "halves of a window", "(i) -> ((i*3 + D)%(C*7)/7, (i*3 + D)%(C*7)%7)", { "C*2" } },
    { "digits that a rest carries into", "(i, j) -> ((i*7 + j*3)/2, (i*7 + j*3)%2)", { "2", "3" } },
    { "the same below a stride", "(i, j) -> ((i*(C*2 + 1) + j*C)/2, (i*(C*2 + 1) + j*C)%2)",
      { "D", "3" } },
    { "a half in an arm of a choice",
      "(i) -> (i*3/2/3, i*3/2%3*8%3, select(i*3/2/3 < 1, i*3/2/3, i*3/2/3 + 3))", { "3" } },
    { "a term of a range", "(i, j) -> (i*(C + 2)/C + j*100)", { "9", "D" } },
    { "minimum, maximum alone", "(i, j) -> (min(i, j*C), max(i, j*C))", { "C", "D" } },
    { "arms of one value", "(i) -> (select(i < 1, i, i + D)*C)", { "C + D" } },
    { "mirrored within blocks", "(i) -> ((i & ~7 | 7 - (i & 7))*3/2)", { "C + D*8" } },
    { "few values", "(i, j) -> (i*(i + C), j)", { "4", "D" } },
    { "an axis of one index", "(i, j, k) -> (i, k)", { "D", "1", "C" } },
    { "tiles of tiles", "(i) -> (i/(C*D), i%(C*D)/D, i%D)", { "C*D*3 - 1" } },
    { "tiles in another order", "(i) -> (i%D, i/(C*D), i%(C*D)/D)", { "C*D*3" } },
};

static void with_constants(const char *text, int64_t c, int64_t d, char *out, size_t capacity)
{
    size_t n = 0;
    for (; *text && n + 24 < capacity; text++) {
        if (*text == 'C' || *text == 'D')
            n += (size_t)sprintf(out + n, "%lld", (long long)(*text == 'C' ? c : d));
        else out[n++] = *text;
    }
    out[n] = '\0';
}

static irl_shape shape_of(irl_ctx *cx, const solve_row *row, int c, int d)
{
    irl_shape s;
    char      text[64];
    memset(&s, 0, sizeof s);
    for (; s.rank < 3 && row->extents[s.rank]; s.rank++) {
        with_constants(row->extents[s.rank], c, d, text, sizeof text);
        s.extent[s.rank] = irl_expr_simplify(cx, irl_expr_parse(cx, text, 0, NULL), 0, NULL)->u.i;
    }
    return s;
}

/* 1 if it was solved. */
static int check_row(const solve_row *row, int c, int d)
{
    irl_ctx       *cx = irl_ctx_create(NULL);
    char           text[160];
    const irl_map *m;
    irl_verdict    v;
    int            ok, solved;
    with_constants(row->map, c, d, text, sizeof text);
    m = irl_map_parse(cx, text);
    v = irl_map_check(cx, m, shape_of(cx, row, c, d));
    ok = CHECK_OK(cx);
    solved = v.kind == IRL_BIJECTIVE || v.kind == IRL_INJECTIVE;
    if (solved)
        ok &= CHECK(strcmp(v.method, "mixed-radix decomposition") == 0) &&
              CHECK(v.inverse && truth_inverse(m, &v)) &&
              CHECK(truth_padding(m, &v));
    else ok &= CHECK(v.kind == IRL_LOSSY && truth_witness(m, &v));
    if (!ok)
        printf("%s: %s: %s [%s]\n%s", row->rule, text, irl_verdict_text(cx, &v), v.method,
               irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return solved;
}

/* ------------------------------------------------------------------ the ends of 64 bits */

/* Extents as numbers: 0 where one of them has none. */
static int far_shape(irl_ctx *cx, const solve_row *row, int64_t c, int64_t d, irl_shape *s)
{
    char            text[160];
    const irl_expr *e;
    memset(s, 0, sizeof *s);
    for (; s->rank < 3 && row->extents[s->rank]; s->rank++) {
        with_constants(row->extents[s->rank], c, d, text, sizeof text);
        e = irl_expr_simplify(cx, irl_expr_parse(cx, text, 0, NULL), 0, NULL);
        if (!e || e->op != IRL_OP_INT) return 0;
        s->extent[s->rank] = e->u.i;
    }
    return 1;
}

/* A number of 0 .. extent - 1, at the ends and in the middle more often. */
static int64_t far_number(int64_t extent)
{
    int64_t near = random_below(3);
    switch (random_below(4)) {
    case 0: return near < extent ? near : 0;
    case 1: return near < extent ? extent - 1 - near : 0;
    case 2: return near < extent / 2 ? extent / 2 + near : 0;
    default: return (int64_t)(random64() % (uint64_t)extent);
    }
}

static void far_point(const irl_shape *box, irl_shape *at)
{
    int k;
    *at = *box;
    for (k = 0; k < box->rank; k++) at->extent[k] = far_number(box->extent[k]);
}

static int far_inside(const irl_shape *box, const irl_shape *at)
{
    int k;
    for (k = 0; k < box->rank; k++)
        if (at->extent[k] < 0 || at->extent[k] >= box->extent[k]) return 0;
    return 1;
}

/* A point goes to its place, which is no padding, and comes back. */
static int far_comes_back(const irl_map *m, const irl_verdict *v)
{
    irl_shape at, y, x;
    int64_t   pad = 0;
    far_point(&v->shape, &at);
    return truth_apply(m, &at, &y) && far_inside(&v->physical, &y) &&
           truth_apply(v->inverse, &y, &x) && truth_same(&at, &x) &&
           (!v->padding || (irl__value_at(v->padding, m->output_count, v->inverse->inputs, y.extent,
                                          &pad) == IRL__FOLD_OK &&
                            pad == 0));
}

/* A cell is padding, or it is the place of the point that the inverse gives. */
static int far_is_told(const irl_map *m, const irl_verdict *v)
{
    irl_shape at, y, x;
    int64_t   pad = 0;
    far_point(&v->physical, &y);
    if (v->padding && irl__value_at(v->padding, m->output_count, v->inverse->inputs, y.extent,
                                    &pad) != IRL__FOLD_OK)
        return 0;
    return pad || (truth_apply(v->inverse, &y, &at) && far_inside(&v->shape, &at) &&
                   truth_apply(m, &at, &x) && truth_same(&x, &y));
}

static int far_is_right(const irl_map *m, const irl_verdict *v)
{
    irl_shape y;
    int       k;
    if (v->kind == IRL_LOSSY) return truth_witness(m, v);
    if (v->kind == IRL_UNDEFINED) return far_inside(&v->shape, &v->a) && !truth_apply(m, &v->a, &y);
    if (v->kind != IRL_BIJECTIVE && v->kind != IRL_INJECTIVE) return 1;
    if (truth_empty(&v->shape) || !v->inverse) return 1;
    for (k = 0; k < 40; k++)
        if (!far_comes_back(m, v) || !far_is_told(m, v)) return 0;
    return 1;
}

/* The rules with constants up to 2^63 - 1. What cannot be written (an extent that overflows) is
   refused with a diagnostic; what is answered is right at points and cells drawn at random. */
static void test_far(void)
{
    static const int64_t far_numbers[] = { 3,
                                           INT32_MAX,
                                           INT64_C(0x100000003),
                                           INT64_C(1) << 46,
                                           (INT64_C(1) << 48) - 1,
                                           INT64_C(1) << 61,
                                           (INT64_C(1) << 62) + 1,
                                           INT64_MAX / 6,
                                           INT64_MAX };
    const int            count = (int)(sizeof far_numbers / sizeof *far_numbers);
    int                  kinds[16] = { 0 }, refused = 0, pair, c, d;
    size_t               k;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++)
        for (pair = 0; pair < count * count; pair++) {
            irl_ctx       *cx = irl_ctx_create(NULL);
            char           text[256];
            const irl_map *m;
            irl_shape      shape;
            irl_verdict    v;
            c = pair / count, d = pair % count;
            with_constants(rows[k].map, far_numbers[c], far_numbers[d], text, sizeof text);
            m = irl_map_parse(cx, text);
            if (m && far_shape(cx, &rows[k], far_numbers[c], far_numbers[d], &shape)) {
                v = irl_map_check(cx, m, shape);
                if (irl_ok(cx)) kinds[v.kind]++;
                if (irl_ok(cx) && !CHECK(far_is_right(m, &v)))
                    printf("%s: %s: %s\n", rows[k].rule, text, irl_verdict_text(cx, &v));
            }
            refused += !irl_ok(cx);
            irl_ctx_destroy(cx);
        }
    printf("far: %d bijective, %d injective, %d lossy, %d undefined, %d undecided, %d refused\n",
           kinds[IRL_BIJECTIVE], kinds[IRL_INJECTIVE], kinds[IRL_LOSSY], kinds[IRL_UNDEFINED],
           kinds[IRL_UNDECIDED], refused);
    CHECK(kinds[IRL_BIJECTIVE] + kinds[IRL_INJECTIVE] >= 300 && kinds[IRL_UNDEFINED] >= 100);
}

int main(void)
{
    size_t k;
    int    c, d, total = 0;
    (void)truth_nodes_of_map;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        int solved = 0;
        for (c = 2; c < 10; c++)
            for (d = 1; d < 8; d++) solved += check_row(&rows[k], c, d);
        /* lossy for some */
        if (!CHECK(solved >= 20))
            printf("%s: solved for %d pairs of constants\n", rows[k].rule, solved);
        total += solved;
    }
    test_far();
    printf("%d rules, %d maps solved\n", (int)(sizeof rows / sizeof rows[0]), total);
    return TEST_DONE();
}
