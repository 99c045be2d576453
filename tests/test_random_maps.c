/* test_random_maps.c - random index maps against the truth found by looking at every point; a failure is made smaller before
   it is shown. Counts what has no symbolic inverse, by the kinds of steps that made the map. */
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

/* ------------------------------------------------------------------ maps as recipes: a shape and steps, so that they shrink */

typedef enum step_kind {
    SPLIT, FUSE, PERMUTE, OFFSET, ROTATE, REVERSE, STRIDE, SKEW, DROP, CENSUS_KINDS,
    DUPLICATE = CENSUS_KINDS, CONSTANT, XOR, MORTON, SERPENTINE, GAP, CLAMP, MULTIPLY, RATIO, MINMAX, STEP_KINDS
} step_kind;

static const char *const step_names[STEP_KINDS] = { "split", "fuse", "permute", "offset", "rotate", "reverse", "stride", "skew", "drop",
                                                    "duplicate", "constant", "xor", "morton", "serpentine", "gap", "clamp", "multiply", "ratio", "minmax" };

typedef struct step {
    int kind, at, other, value;
} step;

enum { MOST_STEPS = 6, MOST_AXES = 6, MOST_OUTPUTS = 12 };

typedef struct recipe {
    irl_shape shape;
    int       count;
    step      steps[MOST_STEPS];
} recipe;

typedef struct axis_now {
    const irl_expr *e;
    int64_t         extent; /* values are below it */
} axis_now;

static irl_ctx *cx;

static const irl_expr *num(int64_t v) { return irl_idx(cx, v); }
static const irl_expr *op(irl_op o, const irl_expr *a, const irl_expr *b) { return irl_op2(cx, o, a, b); }

static int64_t gcd(int64_t a, int64_t b) { return b ? gcd(b, a % b) : a; }

static int is_power(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

/* Applies one step to the outputs; returns the new number of them. A step that does not fit changes nothing. */
static int apply_step(const step *s, axis_now *a, int n)
{
    int      k, i = n ? s->at % n : 0, j = n ? s->other % n : 0;
    int64_t  v = s->value, e = n ? a[i].extent : 0;
    axis_now t;
    if (n == 0) return 0;
    switch (s->kind) {
    case SPLIT:
        if (n == MOST_OUTPUTS) break;
        v = v % 8 + 1;
        for (k = n; k > i + 1; k--) a[k] = a[k - 1];
        a[i + 1].e = op(IRL_OP_FLOORMOD, a[i].e, num(v));
        a[i + 1].extent = e < v ? e : v;
        a[i].e = op(IRL_OP_FLOORDIV, a[i].e, num(v));
        a[i].extent = (e + v - 1) / v;
        return n + 1;
    case FUSE:
        if (i == j || a[i].extent * a[j].extent > 4000) break;
        v = a[j].extent + (v % 5 == 0 ? 1 : 0);
        a[i].e = op(IRL_OP_ADD, op(IRL_OP_MUL, a[i].e, num(v)), a[j].e);
        a[i].extent = (e - 1) * v + a[j].extent;
        for (k = j; k + 1 < n; k++) a[k] = a[k + 1];
        return n - 1;
    case PERMUTE: t = a[i], a[i] = a[j], a[j] = t; break;
    case OFFSET: a[i].e = op(IRL_OP_ADD, a[i].e, num(v % 7 + 1)), a[i].extent += v % 7 + 1; break;
    case ROTATE: a[i].e = op(IRL_OP_FLOORMOD, op(IRL_OP_ADD, a[i].e, num(v)), num(e)); break;
    case REVERSE: a[i].e = op(IRL_OP_SUB, num(e - 1), a[i].e); break;
    case STRIDE: v = v % 3 + 2, a[i].e = op(IRL_OP_MUL, a[i].e, num(v)), a[i].extent = (e - 1) * v + 1; break;
    case SKEW:
        if (i == j) break;
        a[i].e = op(IRL_OP_FLOORMOD, op(IRL_OP_ADD, a[i].e, v % 2 ? a[j].e : op(IRL_OP_MUL, a[j].e, num(v % 4 + 1))), num(e));
        break;
    case DROP:
        for (k = i; k + 1 < n; k++) a[k] = a[k + 1];
        return n > 1 ? n - 1 : 1;
    case DUPLICATE:
        if (n == MOST_OUTPUTS) break;
        a[n] = a[i];
        return n + 1;
    case CONSTANT:
        if (n == MOST_OUTPUTS) break;
        a[n].e = num(v % 4);
        a[n].extent = v % 4 + 1;
        return n + 1;
    case XOR:
        if (i == j || !is_power(e)) break;
        a[i].e = op(IRL_OP_BITXOR, a[i].e, op(IRL_OP_FLOORMOD, v % 2 ? a[j].e : op(IRL_OP_FLOORDIV, a[j].e, num(2)), num(e)));
        break;
    case MORTON:
        if (i == j || !is_power(e) || a[j].extent != e || e > 16) break;
        {
            const irl_expr *z = NULL;
            int64_t         bit;
            for (bit = 1, k = 0; bit < e; bit *= 2, k++) {
                const irl_expr *x = op(IRL_OP_SHL, op(IRL_OP_BITAND, op(IRL_OP_SHR, a[i].e, num(k)), num(1)), num(2 * k + 1));
                const irl_expr *y = op(IRL_OP_SHL, op(IRL_OP_BITAND, op(IRL_OP_SHR, a[j].e, num(k)), num(1)), num(2 * k));
                z = z ? op(IRL_OP_BITOR, z, op(IRL_OP_BITOR, x, y)) : op(IRL_OP_BITOR, x, y);
            }
            if (!z) break;
            a[i].e = z;
            a[i].extent = e * e;
        }
        for (k = j; k + 1 < n; k++) a[k] = a[k + 1];
        return n - 1;
    case SERPENTINE:
        if (i == j) break;
        a[i].e = irl_op3(cx, v % 2 ? IRL_OP_SELECT : IRL_OP_IF_THEN_ELSE, op(IRL_OP_EQ, op(IRL_OP_FLOORMOD, a[j].e, num(2)), num(0)), a[i].e,
                         op(IRL_OP_SUB, num(e - 1), a[i].e));
        break;
    case GAP: /* what is beyond v moves up */
        v = e > 1 ? v % e : 0;
        a[i].e = irl_op3(cx, IRL_OP_SELECT, op(IRL_OP_LT, a[i].e, num(v)), a[i].e, op(IRL_OP_ADD, a[i].e, num(3)));
        a[i].extent = e + 3;
        break;
    case CLAMP: a[i].e = op(v % 2 ? IRL_OP_MIN : IRL_OP_MAX, a[i].e, num(v % 3 == 0 ? e : e / 2)), a[i].extent = e + 1; break;
    case MULTIPLY:
        v = v % 9 + 2;
        if (gcd(v, e) == 1) a[i].e = op(IRL_OP_FLOORMOD, op(IRL_OP_MUL, a[i].e, num(v)), num(e));
        break;
    case RATIO: a[i].e = op(IRL_OP_FLOORDIV, op(IRL_OP_MUL, a[i].e, num(3)), num(2)), a[i].extent = (e - 1) * 3 / 2 + 1; break;
    case MINMAX:
        if (i == j) break;
        t = a[i];
        a[i].e = op(IRL_OP_MIN, a[i].e, a[j].e);
        a[j].e = op(IRL_OP_MAX, t.e, a[j].e);
        a[i].extent = a[j].extent = e > a[j].extent ? e : a[j].extent;
        break;
    default: break;
    }
    return n;
}

static const irl_map *build(const recipe *r)
{
    static const char *const names[MOST_AXES] = { "i", "j", "k", "l", "m", "n" };
    const irl_expr *in[MOST_AXES], *out[MOST_OUTPUTS];
    axis_now        now[MOST_OUTPUTS + 1];
    int             k, n = r->shape.rank;
    for (k = 0; k < n; k++) {
        now[k].e = in[k] = irl_var(cx, names[k], irl_type_of(IRL_INDEX, 1));
        now[k].extent = r->shape.extent[k];
    }
    for (k = 0; k < r->count; k++) n = apply_step(&r->steps[k], now, n);
    for (k = 0; k < n; k++) out[k] = now[k].e;
    return irl__map_make(cx, r->shape.rank, in, n, out, 0, NULL, irl__nowhere());
}

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
            if (t.points == 0 || y.extent[k] < t.minimum.extent[k]) t.minimum.extent[k] = y.extent[k];
            if (t.points == 0 || y.extent[k] >= t.physical.extent[k]) t.physical.extent[k] = y.extent[k] + 1;
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
        for (k = 0, number = 0; k < y.rank; k++) number = number * (t.physical.extent[k] - t.minimum.extent[k]) + y.extent[k] - t.minimum.extent[k];
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
    v = irl_check(cx, m, r->shape);
    if (!irl_ok(cx)) return *why = "a diagnostic", WRONG;
    if (v.kind == IRL_UNDECIDED) return UNDECIDED;
    if (v.kind != t.kind) return *why = "the verdict", WRONG;
    if (!truth_same(&v.minimum, &t.minimum) || !truth_same(&v.physical, &t.physical)) return *why = "the box", WRONG;
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
    v = irl_check(cx, m, r->shape);
    printf(": %s [%s]\n%s", irl_verdict_text(cx, &v), v.method, irl_diag_text(cx));
    if (v.inverse) printf("    inverse %s padding %s\n", irl_map_text(cx, v.inverse), irl_expr_text(cx, v.padding));
    irl_ctx_destroy(cx);
}

/* A smaller recipe with the same outcome: steps left out, extents and numbers made smaller, as long as that goes on. */
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
            c.shape.extent[k] = c.shape.extent[k] > 8 ? c.shape.extent[k] / 2 : c.shape.extent[k] - 1;
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

static recipe invent(int kinds)
{
    static const int extents[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 17, 24, 32 };
    recipe  r;
    int64_t points = 1;
    int     k;
    memset(&r, 0, sizeof r);
    r.shape.rank = 1 + random_below(random_below(4) ? 3 : MOST_AXES);
    for (k = 0; k < r.shape.rank; k++) {
        r.shape.extent[k] = extents[random_below(16)];
        if (points * r.shape.extent[k] > 700) r.shape.extent[k] = 1 + random_below(2);
        points *= r.shape.extent[k];
    }
    r.count = 1 + random_below(MOST_STEPS - 1);
    for (k = 0; k < r.count; k++) {
        r.steps[k].kind = random_below(kinds);
        if (r.steps[k].kind == DROP && random_below(3)) r.steps[k].kind = SPLIT;
        r.steps[k].at = random_below(12);
        r.steps[k].other = random_below(12);
        r.steps[k].value = random_below(64);
    }
    return r;
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
        if ((o == WRONG && shown++ < 10) || (verbose && (o == UNDECIDED || o == RIGHT_NO_INVERSE || o == RIGHT_TABLE) && shown++ < 40)) {
            shrink(&r, o);
            judge_fresh(&r, &why);
            printf("%s: %s\n", o == WRONG ? "wrong" : o == UNDECIDED ? "undecided" : "no symbolic inverse", why);
            show(&r);
        }
    }
    missed = counts[UNDECIDED] + counts[RIGHT_NO_INVERSE] + counts[RIGHT_TABLE];
    printf("%s: %d maps, %d skipped, %d wrong, %d undecided, %d tables, %d without an inverse\n", title, total, counts[SKIPPED], counts[WRONG],
           counts[UNDECIDED], counts[RIGHT_TABLE], counts[RIGHT_NO_INVERSE]);
    for (k = 0; k < kinds; k++) {
        int all = 0, bad = by_kind[k][UNDECIDED] + by_kind[k][RIGHT_NO_INVERSE] + by_kind[k][RIGHT_TABLE], i;
        for (i = RIGHT; i <= WRONG; i++) all += by_kind[k][i];
        printf("    %-10s %6d maps, %d undecided, %d tables, %d without an inverse: %.2f %%\n", step_names[k], all, by_kind[k][UNDECIDED],
               by_kind[k][RIGHT_TABLE], by_kind[k][RIGHT_NO_INVERSE], all ? 100.0 * bad / all : 0.0);
        if (k < CENSUS_KINDS && kinds == CENSUS_KINDS) CHECK(bad * 100 <= all);
    }
    (void)missed;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "v") == 0) verbose = 1;
    if (argc > 2) random64_state ^= (uint64_t)strtoull(argv[2], NULL, 10) * UINT64_C(0x9e3779b97f4a7c15);
    run("steps of the census", CENSUS_KINDS, TEST_COUNT(2000));
    run("all steps", STEP_KINDS, TEST_COUNT(2000));
    return TEST_DONE();
}
