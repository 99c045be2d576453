/* test_random_maps.c - random index maps against the truth found by looking at every point; a
   failure is made smaller before it is shown. Counts what has no symbolic inverse, by the kinds of
   steps that made the map. */
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
#include "random_maps.h"

/* ------------------------------------------------------------------ the truth */

typedef struct truth {
    irl_verdict_kind kind;
    irl_shape        minimum, physical;
    int64_t          points, cells;
    int              ok; /* 0: too large to look at, or without a value somewhere */
} truth;

static truth find_truth(const irl_map *m, const irl_shape *shape)
{
    truth          t;
    irl_shape      at, y;
    unsigned char *hit;
    int            k, lossy = 0;
    int64_t        number, box = 1;
    memset(&t, 0, sizeof t);
    memset(&at, 0, sizeof at);
    at.rank = shape->rank;
    do { /* first the box */
        if (!truth_apply(m, &at, &y)) return t;
        for (k = 0; k < y.rank; k++) {
            if (t.points == 0 || y.extent[k] < t.minimum.extent[k])
                t.minimum.extent[k] = y.extent[k];
            if (t.points == 0 || y.extent[k] >= t.physical.extent[k])
                t.physical.extent[k] = y.extent[k] + 1;
        }
        t.points++;
    } while (truth_next(shape, &at));
    t.minimum.rank = t.physical.rank = m->output_count;
    for (k = 0, t.cells = 1; k < y.rank; k++) {
        box *= t.physical.extent[k] - t.minimum.extent[k];
        t.cells *= t.physical.extent[k];
        if (box > 400000 || box <= 0 || t.cells > 400000 || t.cells < -400000) return t;
    }
    hit = (unsigned char *)calloc((size_t)box, 1);
    do {
        truth_apply(m, &at, &y);
        for (k = 0, number = 0; k < y.rank; k++)
            number = number * (t.physical.extent[k] - t.minimum.extent[k]) + y.extent[k] -
                     t.minimum.extent[k];
        lossy |= hit[number];
        hit[number] = 1;
    } while (truth_next(shape, &at));
    free(hit);
    t.kind = lossy ? IRL_LOSSY : t.cells == t.points ? IRL_BIJECTIVE : IRL_INJECTIVE;
    for (k = 0; k < y.rank && !lossy; k++)
        if (t.minimum.extent[k] < 0) t.kind = IRL_OUT_OF_RANGE;
    t.ok = 1;
    return t;
}

/* ------------------------------------------------------------------ one recipe */

static int unlooked, grown; /* decided without a look at the points; maps that grow */

/* What grows is injective, also where a witness is found before that is asked. */
static int judge_growth(const irl_map *m, const irl_shape *shape, const truth *t)
{
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__check      c;
    int             ok;
    irl__check_clear(&c, cx, NULL);
    c.map = m;
    c.v.shape = *shape;
    ok = !irl__domain_begin(&c.on, cx, m, &c.v.shape, &c.budget) || irl__check_by_growth(&c) < 1;
    irl__scratch_end(cx, mark);
    grown += !ok;
    return irl_ok(cx) && (ok || t->kind != IRL_LOSSY);
}

/* What is found where no cells may be looked at is the truth too, or nothing. */
static int judge_unlooked(const irl_map *m, const irl_shape *shape, const truth *t)
{
    irl_check_options how;
    irl_verdict       v;
    if (!judge_growth(m, shape, t)) return 0;
    memset(&how, 0, sizeof how);
    how.most_cells = 1;
    v = irl_map_check_with(cx, m, *shape, &how);
    if (!irl_ok(cx)) return 0;
    if (v.kind == IRL_UNDECIDED) return 1;
    unlooked++;
    return v.kind == t->kind && truth_same(&v.physical, &t->physical) &&
           (v.kind == IRL_LOSSY || v.kind == IRL_OUT_OF_RANGE ||
            v.pad_cells == t->cells - t->points);
}

typedef enum outcome { SKIPPED, RIGHT, RIGHT_NO_INVERSE, RIGHT_TABLE, UNDECIDED, WRONG } outcome;

static outcome judge(const recipe *r, const char **why)
{
    const irl_map *m = build(r);
    truth          t;
    irl_verdict    v;
    *why = "";
    if (!m) return SKIPPED;
    t = find_truth(m, &r->shape);
    if (!t.ok) return SKIPPED;
    v = irl_map_check(cx, m, r->shape);
    if (!irl_ok(cx)) return *why = "a diagnostic", WRONG;
    if (v.kind == IRL_UNDECIDED) return UNDECIDED;
    if (v.kind != t.kind) return *why = "the verdict", WRONG;
    if (!truth_same(&v.minimum, &t.minimum) || !truth_same(&v.physical, &t.physical))
        return *why = "the box", WRONG;
    if (!judge_unlooked(m, &r->shape, &t)) return *why = "the verdict without a look", WRONG;
    if (v.kind == IRL_LOSSY) return truth_witness(m, &v) ? RIGHT : (*why = "the witness", WRONG);
    if (v.kind == IRL_OUT_OF_RANGE) return RIGHT;
    if (v.pad_cells != t.cells - t.points) return *why = "the number of unused cells", WRONG;
    if (!v.inverse) return RIGHT_NO_INVERSE;
    if (!truth_inverse(m, &v)) return *why = "the inverse", WRONG;
    if (!truth_padding(m, &v)) return *why = "the padding", WRONG;
    return strcmp(v.method, "table") == 0 ? RIGHT_TABLE : RIGHT;
}

static outcome judge_fresh(const recipe *r, const char **why)
{
    outcome o;
    cx = irl_ctx_create(NULL);
    o = judge(r, why);
    irl_ctx_destroy(cx);
    return o;
}

static void show(const recipe *r)
{
    const irl_map *m;
    irl_verdict    v;
    int            k;
    cx = irl_ctx_create(NULL);
    m = build(r);
    printf("    %s on", irl_map_text(cx, m));
    for (k = 0; k < r->shape.rank; k++) printf(" %d", (int)r->shape.extent[k]);
    v = irl_map_check(cx, m, r->shape);
    printf(": %s [%s]\n%s", irl_verdict_text(cx, &v), v.method, irl_diag_text(cx));
    if (v.inverse)
        printf("    inverse %s padding %s\n", irl_map_text(cx, v.inverse),
               irl_expr_text(cx, v.padding));
    irl_ctx_destroy(cx);
}

/* A smaller recipe with the same outcome: steps left out, extents and numbers made smaller, as long
   as that goes on. */
static void shrink(recipe *r, outcome wanted)
{
    const char *why;
    int         changed = 1, k;
    while (changed) {
        changed = 0;
        for (k = 0; k < r->count; k++) {
            recipe c = *r;
            memmove(&c.steps[k], &c.steps[k + 1], (size_t)(c.count - k - 1) * sizeof c.steps[0]);
            c.count--;
            if (judge_fresh(&c, &why) == wanted) *r = c, changed = 1;
        }
        for (k = 0; k < r->shape.rank; k++) {
            recipe c = *r;
            if (c.shape.extent[k] <= 1) continue;
            c.shape.extent[k] =
                c.shape.extent[k] > 8 ? c.shape.extent[k] / 2 : c.shape.extent[k] - 1;
            if (judge_fresh(&c, &why) == wanted) *r = c, changed = 1;
        }
        for (k = 0; k < r->count; k++) {
            recipe c = *r;
            if (c.steps[k].value <= 1) continue;
            c.steps[k].value = c.steps[k].value > 8 ? c.steps[k].value / 2 : c.steps[k].value - 1;
            if (judge_fresh(&c, &why) == wanted) *r = c, changed = 1;
        }
    }
}

static int verbose;

static void run(const char *title, int kinds, int total)
{
    int counts[WRONG + 1], by_kind[STEP_KINDS][WRONG + 1], n, k, shown = 0, missed;
    memset(counts, 0, sizeof counts);
    memset(by_kind, 0, sizeof by_kind);
    for (n = 0; n < total; n++) {
        recipe      r = invent(kinds);
        const char *why;
        outcome     o = judge_fresh(&r, &why);
        counts[o]++;
        for (k = 0; k < r.count; k++) by_kind[r.steps[k].kind][o]++;
        CHECK(o != WRONG);
        if ((o == WRONG && shown++ < 10) ||
            (verbose && (o == UNDECIDED || o == RIGHT_NO_INVERSE || o == RIGHT_TABLE) &&
             shown++ < 40)) {
            shrink(&r, o);
            judge_fresh(&r, &why);
            printf("%s: %s\n",
                   o == WRONG       ? "wrong"
                   : o == UNDECIDED ? "undecided"
                                    : "no symbolic inverse",
                   why);
            show(&r);
        }
    }
    missed = counts[UNDECIDED] + counts[RIGHT_NO_INVERSE] + counts[RIGHT_TABLE];
    printf("%s: %d maps, %d skipped, %d wrong, %d undecided, %d tables, %d without an inverse\n",
           title, total, counts[SKIPPED], counts[WRONG], counts[UNDECIDED], counts[RIGHT_TABLE],
           counts[RIGHT_NO_INVERSE]);
    for (k = 0; k < kinds; k++) {
        int all = 0,
            bad = by_kind[k][UNDECIDED] + by_kind[k][RIGHT_NO_INVERSE] + by_kind[k][RIGHT_TABLE], i;
        for (i = RIGHT; i <= WRONG; i++) all += by_kind[k][i];
        printf("    %-10s %6d maps, %d undecided, %d tables, %d without an inverse: %.2f %%\n",
               step_names[k], all, by_kind[k][UNDECIDED], by_kind[k][RIGHT_TABLE],
               by_kind[k][RIGHT_NO_INVERSE], all ? 100.0 * bad / all : 0.0);
        if (k < CENSUS_KINDS && kinds == CENSUS_KINDS) CHECK(bad * 100 <= all);
    }
    (void)missed;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "v") == 0) verbose = 1;
    if (argc > 2) random64_seed(argv[2]);
    run("steps of the census", CENSUS_KINDS, TEST_COUNT(2000));
    run("all steps", STEP_KINDS, getenv("IRL_SOAK") ? 100000 : TEST_COUNT(2000));
    printf("%d decided without a look at the points, %d grow\n", unlooked, grown);
    CHECK(grown > 0);
    return TEST_DONE();
}
