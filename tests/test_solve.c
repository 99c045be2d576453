/* test_solve.c - every rule by which src/arith/solve*.c go from values back to variables: a map
   that cannot be inverted without the rule, for many constants. It must be solved by digits, and
   what is found is looked at point by point and cell by cell. (Extents with names are in
   test_symbolic.c.) */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/map/map.h"
#endif
#include "test.h"
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
    { "tiles of tiles", "(i) -> (i/(C*D), i%(C*D)/D, i%D)", { "C*D*3 - 1" } },
    { "tiles in another order", "(i) -> (i%D, i/(C*D), i%(C*D)/D)", { "C*D*3" } },
};

static void with_constants(const char *text, int c, int d, char *out, size_t capacity)
{
    size_t n = 0;
    for (; *text && n + 4 < capacity; text++) {
        if (*text == 'C' || *text == 'D') n += (size_t)sprintf(out + n, "%d", *text == 'C' ? c : d);
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
        s.extent[s.rank] = irl_simplify(cx, irl_parse_expr(cx, text, 0, NULL), 0, NULL)->u.i;
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
    v = irl_check(cx, m, shape_of(cx, row, c, d));
    ok = CHECK_OK(cx);
    solved = v.kind == IRL_BIJECTIVE || v.kind == IRL_INJECTIVE;
    if (solved)
        ok &= CHECK(strcmp(v.method, "digits") == 0) && CHECK(v.inverse && truth_inverse(m, &v)) &&
              CHECK(truth_padding(m, &v));
    else ok &= CHECK(v.kind == IRL_LOSSY && truth_witness(m, &v));
    if (!ok)
        printf("%s: %s: %s [%s]\n%s", row->rule, text, irl_verdict_text(cx, &v), v.method,
               irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return solved;
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
    printf("%d rules, %d maps solved\n", (int)(sizeof rows / sizeof rows[0]), total);
    return TEST_DONE();
}
