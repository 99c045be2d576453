/* test_decide.c - what is decided of maps that are right by construction: with names in their
   shapes, and on shapes too large to look at. Every answer is compared with what is known of the
   map, and with all its points for small values of the names.

   test_decide [seed [show [which [count]]]]: show 1: what was undecided, 2: of what was broken;
   which 1: names, 2: large numbers */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/map/map.h"
#endif
#include "test.h"
#include "random64.h"
#include "named_truth.h"
#include "built_maps.h"
#include <time.h>

static int      verbose;
static irl_ctx *cx;

static named_question asked(const built_map *b)
{
    named_question q;
    q.cx = cx;
    q.map = b->map;
    q.rank = b->rank;
    q.names = BUILT_NAMES;
    q.extents = b->extents;
    q.name = b->name;
    q.most_points = 3000;
    return q;
}

/* ------------------------------------------------------------------ counting */

typedef struct tally {
    const char *what;
    int         maps, broken, by_kind[IRL_UNDEFINED + 1], by_step[BUILT_KINDS][2], undecided,
        broken_undecided, no_inverse, compared, idle;
    double slowest, total;
    char   slowest_text[1024];
} tally;

static void show_map(const built_map *b, const char *text, const char *method)
{
    int k;
    printf("    %s on ", irl_map_text(cx, b->map));
    for (k = 0; k < b->rank; k++) printf(k ? ",%s" : "%s", irl_expr_text(cx, b->extents[k]));
    printf("\n        %s [%s]\n", text, method);
}

static void count(tally *t, const built_map *b, irl_verdict_kind kind, int has_inverse,
                  double seconds)
{
    int k;
    t->maps++;
    t->total += seconds;
    if (seconds > t->slowest) {
        t->slowest = seconds;
        snprintf(t->slowest_text, sizeof t->slowest_text, "%s", irl_map_text(cx, b->map));
    }
    if (b->broken) {
        t->broken++;
        t->broken_undecided += kind == IRL_UNDECIDED;
        return;
    }
    t->by_kind[kind]++;
    t->undecided += kind == IRL_UNDECIDED;
    t->no_inverse += kind != IRL_UNDECIDED && !has_inverse;
    for (k = 0; k < BUILT_KINDS; k++)
        if (b->steps >> k & 1) t->by_step[k][0]++, t->by_step[k][1] += kind == IRL_UNDECIDED;
}

static void report(const tally *t)
{
    int k, intact = t->maps - t->broken;
    printf("%s: %d maps, %d of them broken; of the others %d bijective, %d injective, %d "
           "undecided: %.2f %%; %d without an inverse\n",
           t->what, t->maps, t->broken, t->by_kind[IRL_BIJECTIVE], t->by_kind[IRL_INJECTIVE],
           t->undecided, intact ? 100.0 * t->undecided / intact : 0, t->no_inverse);
    printf("    of the broken ones %d undecided: %.2f %%; compared at %d values; injective with no "
           "unused cell %d times\n",
           t->broken_undecided, t->broken ? 100.0 * t->broken_undecided / t->broken : 0,
           t->compared, t->idle);
    for (k = 0; k < BUILT_KINDS; k++)
        printf("    %-12s %6d maps, %5d undecided: %5.1f %%\n", built_names[k], t->by_step[k][0],
               t->by_step[k][1],
               t->by_step[k][0] ? 100.0 * t->by_step[k][1] / t->by_step[k][0] : 0.0);
    printf("    %.1f us each, the slowest %.1f ms: %s\n", t->maps ? 1e6 * t->total / t->maps : 0,
           1e3 * t->slowest, t->slowest_text);
}

static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* ------------------------------------------------------------------ with names */

static void named_one(tally *t)
{
    built_map      b;
    named_question q;
    irl_verdict    s;
    int64_t        values[BUILT_NAMES];
    const char    *why = "";
    double         start;
    int            n, k, ok;
    cx = irl_ctx_create(NULL);
    built_some_map(&b, cx, 0);
    start = now();
    q = asked(&b);
    s = irl_map_check(cx, b.map, irl_shape_of(b.rank, b.extents));
    count(t, &b, s.kind, s.inverse != NULL, now() - start);
    if (s.kind == IRL_INJECTIVE && s.pad_cells == 0) t->idle++;
    if (!CHECK_OK(cx) || !CHECK(b.broken || s.kind == IRL_BIJECTIVE || s.kind == IRL_INJECTIVE ||
                                s.kind == IRL_UNDECIDED))
        show_map(&b, irl_verdict_text(cx, &s), s.method);
    if (!CHECK(s.kind != IRL_LOSSY || named_witness_holds(&q, &s)))
        show_map(&b, irl_verdict_text(cx, &s), "witness");
    if (verbose && s.kind == IRL_UNDECIDED && b.broken == verbose - 1)
        show_map(&b, irl_verdict_text(cx, &s), b.broken ? "broken" : "");
    for (n = 0;
         n < 8 && (s.kind == IRL_BIJECTIVE || s.kind == IRL_INJECTIVE || (s.inverse && s.where));
         n++) {
        for (k = 0; k < BUILT_NAMES; k++)
            values[k] = n < 4 ? 1 + (n >> k & 1) : 1 + random_below(n < 6 ? 4 : 9);
        if (s.where && !named_number(&q, s.where, values)) continue;
        ok = named_right_at(&q, &s, values, &why);
        t->compared += ok > 0;
        if (!CHECK(ok)) {
            printf("%s at %d %d %d\n", why, (int)values[0], (int)values[1], (int)values[2]);
            show_map(&b, irl_verdict_text(cx, &s), s.method);
            if (s.inverse)
                printf("    %s padding %s\n", irl_map_text(cx, s.inverse),
                       s.padding ? irl_expr_text(cx, s.padding) : "-");
            break;
        }
    }
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ large numbers */

static int64_t random_index(int64_t n) { return (int64_t)((random64() >> 1) % (uint64_t)n); }

/* At random points: in the box, and back by the inverse. */
static int points_hold(const built_map *b, const irl_verdict *v)
{
    irl_shape at, y, x;
    int       n, k;
    memset(&at, 0, sizeof at);
    at.rank = b->rank;
    for (n = 0; n < 40; n++) {
        for (k = 0; k < b->rank; k++)
            at.extent[k] = n == 0   ? 0
                           : n == 1 ? v->shape.extent[k] - 1
                                    : random_index(v->shape.extent[k]);
        if (!truth_apply(b->map, &at, &y)) return 0;
        for (k = 0; k < y.rank; k++)
            if (y.extent[k] < v->minimum.extent[k] || y.extent[k] >= v->physical.extent[k])
                return 0;
        if (v->inverse && (!truth_apply(v->inverse, &y, &x) || !truth_same(&x, &at))) return 0;
        if (v->inverse && v->padding) {
            int64_t pad = 1;
            if (irl__value_at(v->padding, v->physical.rank, v->inverse->inputs, y.extent, &pad) !=
                    IRL__FOLD_OK ||
                pad)
                return 0;
        }
    }
    return 1;
}

static void large_one(tally *t)
{
    built_map   b;
    irl_shape   shape;
    irl_verdict v;
    double      start;
    int         k;
    cx = irl_ctx_create(NULL);
    built_some_map(&b, cx, 1);
    memset(&shape, 0, sizeof shape);
    shape.rank = b.rank;
    for (k = 0; k < b.rank; k++) shape.extent[k] = b.extents[k]->u.i;
    start = now();
    v = irl_map_check(cx, b.map, shape);
    count(t, &b, v.kind, v.inverse != NULL, now() - start);
    if (v.kind == IRL_INJECTIVE && v.pad_cells == 0) t->idle++;
    if (!CHECK_OK(cx) ||
        !CHECK(b.broken || v.kind == IRL_BIJECTIVE || v.kind == IRL_INJECTIVE ||
               v.kind == IRL_UNDECIDED) ||
        !CHECK(!b.full || v.kind == IRL_BIJECTIVE || v.kind == IRL_UNDECIDED))
        show_map(&b, irl_verdict_text(cx, &v), v.method);
    if (v.kind == IRL_LOSSY && !CHECK(truth_witness(b.map, &v)))
        show_map(&b, irl_verdict_text(cx, &v), "witness");
    if (verbose && v.kind == IRL_UNDECIDED && b.broken == verbose - 1)
        show_map(&b, irl_verdict_text(cx, &v), b.broken ? "broken" : "");
    if ((v.kind == IRL_BIJECTIVE || v.kind == IRL_INJECTIVE) && !CHECK(points_hold(&b, &v))) {
        show_map(&b, irl_verdict_text(cx, &v), v.method);
        if (v.inverse)
            printf("    %s padding %s\n", irl_map_text(cx, v.inverse),
                   v.padding ? irl_expr_text(cx, v.padding) : "-");
    }
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    tally named, large;
    int   n, total = TEST_COUNT(600), which = argc > 3 ? atoi(argv[3]) : 3;
    memset(&named, 0, sizeof named);
    memset(&large, 0, sizeof large);
    named.what = "with names";
    large.what = "large numbers";
    if (argc > 1) random64_seed(argv[1]);
    verbose = argc > 2 ? atoi(argv[2]) : 0;
    if (argc > 4) total = atoi(argv[4]);
    for (n = 0; n < total && (which & 1); n++) named_one(&named);
    if (which & 1) report(&named);
    for (n = 0; n < total && (which & 2); n++) large_one(&large);
    if (which & 2) report(&large);
    CHECK(named.undecided * 100 <= 3 * (named.maps - named.broken));
    CHECK(large.undecided * 100 <= 2 * (large.maps - large.broken));
    CHECK(named.idle == 0 && large.idle == 0);
    return TEST_DONE();
}
