/* test_arith.c - the simplifier: every rule of src/arith/rules.h by enumeration, and random
   expressions against their values. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/arith/engine.h"
#include "../src/map/map.h"
#endif
#include "test.h"
#include "random64.h"
#include "exact.h"

#include <time.h>

/* ------------------------------------------------------------------ the table of rules */

typedef struct rule_row {
    const char *name, *before, *after, *constants, *facts;
} rule_row;

static const rule_row rules[] = {
#define IRL_RULE(name, before, after, constants, facts) { #name, before, after, constants, facts },
#include "../src/arith/rules.h"
};

enum { RULE_VARS = 4, RULE_CONSTANTS = 6, RULE_NAMES = RULE_VARS + RULE_CONSTANTS };

static const char *const rule_names[RULE_NAMES] = {
    "x", "y", "z", "n", "a", "c", "d", "g", "k", "m"
};

typedef struct rule_world {
    irl_ctx        *cx;
    const irl_expr *names[RULE_NAMES], *given[RULE_NAMES]; /* given: constants for the last six */
} rule_world;

static const irl_expr *rule_read(rule_world *w, const char *text)
{
    const irl_expr *e = irl__parse_expr(w->cx, text, RULE_NAMES, w->names);
    return e ? irl__substitute(w->cx, e, RULE_NAMES, w->names, w->given) : NULL;
}

/* -1: it has no value there. */
static int64_t rule_value(const rule_world *w, const irl_expr *e, const int64_t *at, int *ok)
{
    int64_t v = 0;
    *ok = irl__value_at(e, RULE_VARS, w->names, at, &v) == IRL__FOLD_OK;
    return v;
}

static int uses(const char *text, char name)
{
    size_t k;
    for (k = 0; text[k]; k++)
        if (text[k] == name &&
            (k == 0 || !((text[k - 1] >= 'a' && text[k - 1] <= 'z') || text[k - 1] == '_')) &&
            !((text[k + 1] >= 'a' && text[k + 1] <= 'z') || text[k + 1] == '(' ||
              text[k + 1] == '_'))
            return 1;
    return 0;
}

/* Both sides became the same; terms may stand in another order. */
static int rule_meets(rule_world *w, const rule_row *row, irl__analyzer *an, const irl_expr *s,
                      const irl_expr *t)
{
    if (s == t || (s->size == t->size && irl__prove_equal(an, s, t))) return 1;
    printf("%s: %s became %s, and %s became %s\n", row->name,
           irl_expr_text(w->cx, rule_read(w, row->before)), irl_expr_text(w->cx, s),
           irl_expr_text(w->cx, rule_read(w, row->after)), irl_expr_text(w->cx, t));
    return 0;
}

/* Both sides at all points of a small box where the facts hold; and what the simplifier makes of
   them, where nothing comes near the ends of 64 bits. */
static int rule_holds(rule_world *w, const rule_row *row, irl__analyzer *an)
{
    const irl_expr *before = rule_read(w, row->before), *after = rule_read(w, row->after), *s, *t;
    const irl_expr *facts = row->facts[0] ? rule_read(w, row->facts) : NULL;
    int64_t         at[RULE_VARS];
    int             ok, used[RULE_VARS], k, compared = 0, mark = irl__facts_mark(an);
    if (!CHECK(before && after)) return 0;
    if (facts) irl__fact(an, facts);
    s = irl__simplify(an, before);
    t = irl__simplify(an, after);
    irl__facts_release(an, mark);
    if (!CHECK(s && t)) return 0;
    for (k = 0; k < RULE_VARS; k++)
        used[k] = uses(row->before, rule_names[k][0]) || uses(row->facts, rule_names[k][0]);
    for (at[0] = used[0] ? -9 : 0; at[0] <= (used[0] ? 12 : 0); at[0]++)
        for (at[1] = used[1] ? -7 : 0; at[1] <= (used[1] ? 8 : 0); at[1]++)
            for (at[2] = used[2] ? -4 : 0; at[2] <= (used[2] ? 4 : 0); at[2]++)
                for (at[3] = 1; at[3] <= (used[3] ? 5 : 1); at[3]++) {
                    int64_t x, y;
                    if (facts && (!rule_value(w, facts, at, &ok) || !ok)) continue;
                    x = rule_value(w, before, at, &ok);
                    if (!ok) continue;
                    compared++;
                    y = rule_value(w, after, at, &ok);
                    if (!ok || x != y) return 0;
                    y = rule_value(w, s, at, &ok);
                    if (!ok || x != y) {
                        printf("%s: %s became %s\n", row->name, irl_expr_text(w->cx, before),
                               irl_expr_text(w->cx, s));
                        return 0;
                    }
                }
    (void)compared; /* facts may leave none for some constants */
    return rule_meets(w, row, an, s, t);
}

/* One side at the ends of 64 bits: where it has a value, so has what the simplifier makes of it. */
static int rule_keeps(rule_world *w, const rule_row *row, irl__analyzer *an, const char *text)
{
    static const int64_t ends[] = { INT64_MIN, INT64_MIN + 1, INT64_MIN + 12, -(INT64_C(1) << 62),
                                    -7, -1, 0, 1, 9, INT64_C(1) << 32, (INT64_C(1) << 62) + 1,
                                    INT64_MAX / 3, INT64_MAX - 7, INT64_MAX - 1, INT64_MAX };
    enum { ENDS = sizeof ends / sizeof ends[0] };
    const irl_expr *e = rule_read(w, text), *r;
    const irl_expr *facts = row->facts[0] ? rule_read(w, row->facts) : NULL;
    int             k, n, many, mark = irl__facts_mark(an);
    const int       step = getenv("IRL_SLOW") ? 31 : 1; /* which meets every end of each variable */
    if (facts) irl__fact(an, facts);
    r = e ? irl__simplify(an, e) : NULL;
    irl__facts_release(an, mark);
    if (!CHECK(r != NULL)) return 0;
    for (n = 0, many = ENDS * ENDS * ENDS; r != e && n < many; n += step) {
        exact_world x;
        exact_value a, b;
        int         digits = n;
        x.count = RULE_VARS;
        for (k = 0; k < RULE_VARS - 1; k++, digits /= ENDS) {
            x.var[k] = w->names[k];
            x.value[k] = ends[digits % ENDS];
        }
        x.var[k] = w->names[k];
        x.value[k] = ends[ENDS - 1 - n % 8]; /* n is at least 1 */
        if (facts && (!exact_evaluate(&x, facts, &a) || !a.i)) continue;
        if (!exact_evaluate(&x, e, &a) || (exact_evaluate(&x, r, &b) && a.i == b.i)) continue;
        printf("%s: %s became %s: wrong for x = %lld, y = %lld, z = %lld, n = %lld\n", row->name,
               irl_expr_text(w->cx, e), irl_expr_text(w->cx, r), (long long)x.value[0],
               (long long)x.value[1], (long long)x.value[2], (long long)x.value[3]);
        return 0;
    }
    return 1;
}

/* Over the integers, whatever the variables are, both sides have one form. */
static int rule_is_canonical(rule_world *w, const rule_row *row, irl__analyzer *an)
{
    const irl_expr *s, *t;
    int             mark = irl__facts_mark(an);
    if (row->facts[0]) irl__fact(an, rule_read(w, row->facts));
    s = irl__canonical(an, rule_read(w, row->before));
    t = irl__canonical(an, rule_read(w, row->after));
    irl__facts_release(an, mark);
    return CHECK(s && t) && rule_meets(w, row, an, s, t);
}

/* Constants for one try, those of `constants` admitted. */
static int rule_constants(rule_world *w, const rule_row *row, int try_, int huge)
{
    static const int64_t values[] = { 2, 3, 4, 1, 5, 0, 6, -1, 7, -3, 8, 12 };
    static const int64_t ends[] = { 2,  INT64_MAX, 3, INT64_C(1) << 62, -INT64_MAX, INT64_MIN,
                                    -2, INT64_MAX / 2, 1, INT64_MAX - 1, 1 << 30, INT64_MIN / 3 };
    const irl_expr *condition;
    int64_t         v = 0;
    int             k;
    for (k = 0; k < RULE_NAMES; k++) w->given[k] = w->names[k];
    for (k = RULE_VARS; k < RULE_NAMES; k++)
        w->given[k] =
            irl_expr_index(w->cx, (huge ? ends : values)[(try_ * (k + 1) + random_below(12)) % 12]);
    if (!row->constants[0]) return 1;
    condition = rule_read(w, row->constants);
    return condition && irl__value_at(condition, 0, NULL, NULL, &v) == IRL__FOLD_OK && v != 0;
}

static void test_rules(void)
{
    size_t r;
    for (r = 0; r < sizeof rules / sizeof rules[0]; r++) {
        irl_ctx        *cx = irl_ctx_create(NULL);
        irl__arena_mark m = irl__scratch_begin(cx);
        irl__analyzer  *an = irl__analyzer_begin(cx), *wide = irl__analyzer_begin(cx);
        rule_world      w;
        int             k, try_, found = 0;
        w.cx = cx;
        for (k = 0; k < RULE_NAMES; k++)
            w.names[k] = irl_expr_var(cx, rule_names[k], irl_type_of(IRL_INDEX, 1));
        for (k = 0; k < 3; k++) irl__bind_range(an, w.names[k], -(1 << 18), 1 << 18);
        irl__bind_range(an, w.names[3], 1, 1 << 18);
        irl__bind_range(wide, w.names[3], 1, INT64_MAX);
        for (try_ = 0; try_ < 400 && found < 12; try_++) {
            if (rule_constants(&w, &rules[r], try_, 1)) {
                CHECK(rule_keeps(&w, &rules[r], wide, rules[r].before));
                CHECK(rule_keeps(&w, &rules[r], wide, rules[r].after));
            }
            if (!rule_constants(&w, &rules[r], try_, 0)) continue;
            found++;
            if (!CHECK(rule_keeps(&w, &rules[r], wide, rules[r].before)) ||
                !CHECK(rule_keeps(&w, &rules[r], wide, rules[r].after)) ||
                !CHECK(rule_is_canonical(&w, &rules[r], wide)) ||
                !CHECK(rule_holds(&w, &rules[r], an))) {
                printf("rule %s does not hold: %s -> %s\n", rules[r].name, rules[r].before,
                       rules[r].after);
                break;
            }
        }
        CHECK(found > 0);
        CHECK_OK(cx);
        irl__scratch_end(cx, m);
        irl_ctx_destroy(cx);
    }
    printf("%d rules\n", (int)(sizeof rules / sizeof rules[0]));
}

/* ------------------------------------------------------------------ random expressions */

enum { FUZZ_VARS = 3 };

typedef struct fuzz_world {
    irl_ctx        *cx;
    const irl_expr *vars[FUZZ_VARS];
    int64_t         lo[FUZZ_VARS], hi[FUZZ_VARS];
} fuzz_world;

static const irl_expr *fuzz_constant(fuzz_world *w)
{
    static const int small[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, -1, -2, -3, -4, 9, 10, 24 };
    return irl_expr_index(w->cx, small[random_below(18)]);
}

static const irl_expr *fuzz_bool(fuzz_world *w, int depth);

static const irl_expr *fuzz_index(fuzz_world *w, int depth)
{
    static const irl_op ops[] = { IRL_OP_ADD,      IRL_OP_SUB,    IRL_OP_MUL,    IRL_OP_FLOORDIV,
                                  IRL_OP_FLOORMOD, IRL_OP_MIN,    IRL_OP_MAX,    IRL_OP_TRUNCDIV,
                                  IRL_OP_TRUNCMOD, IRL_OP_BITAND, IRL_OP_BITXOR, IRL_OP_BITOR };
    const irl_expr *a, *b;
    int             pick = random_below(30);
    if (depth == 0 || pick < 3)
        return random_below(3) ? w->vars[random_below(FUZZ_VARS)] : fuzz_constant(w);
    a = fuzz_index(w, depth - 1);
    if (pick == 3) return irl_expr_op1(w->cx, IRL_OP_NEG, a);
    if (pick == 4) return irl_expr_op1(w->cx, IRL_OP_ABS, a);
    if (pick == 5) return irl_expr_op1(w->cx, IRL_OP_BITNOT, a);
    b = pick < 22 && random_below(3) ? fuzz_constant(w) : fuzz_index(w, depth - 1);
    if (pick == 6)
        return irl_expr_op3(w->cx, random_below(2) ? IRL_OP_SELECT : IRL_OP_IF_THEN_ELSE,
                            fuzz_bool(w, depth - 1), a, b);
    if (pick < 11) return irl_expr_op2(w->cx, IRL_OP_ADD, a, b);
    if (pick < 14) return irl_expr_op2(w->cx, IRL_OP_MUL, a, b);
    if (pick < 18) return irl_expr_op2(w->cx, IRL_OP_FLOORDIV, a, b);
    if (pick < 22) return irl_expr_op2(w->cx, IRL_OP_FLOORMOD, a, b);
    return irl_expr_op2(w->cx, ops[random_below(12)], a, b);
}

static const irl_expr *fuzz_bool(fuzz_world *w, int depth)
{
    static const irl_op compares[] = { IRL_OP_EQ, IRL_OP_NE, IRL_OP_LT,
                                       IRL_OP_LE, IRL_OP_GT, IRL_OP_GE };
    int                 pick = random_below(6);
    if (depth > 0 && pick == 0)
        return irl_expr_op2(w->cx, IRL_OP_AND, fuzz_bool(w, depth - 1), fuzz_bool(w, depth - 1));
    if (depth > 0 && pick == 1)
        return irl_expr_op2(w->cx, IRL_OP_OR, fuzz_bool(w, depth - 1), fuzz_bool(w, depth - 1));
    if (depth > 0 && pick == 2) return irl_expr_op1(w->cx, IRL_OP_NOT, fuzz_bool(w, depth - 1));
    return irl_expr_op2(w->cx, compares[random_below(6)], fuzz_index(w, depth > 0 ? depth - 1 : 0),
                        random_below(2) ? fuzz_constant(w)
                                        : fuzz_index(w, depth > 0 ? depth - 1 : 0));
}

/* e against what is claimed about it, at every point of the box where it has a value and the fact
   holds. */
static int fuzz_agrees(const fuzz_world *w, const irl_expr *e, const irl_expr *fact,
                       const irl_expr *r, irl__interval range, irl__residues residues)
{
    int64_t at[FUZZ_VARS], x, y;
    for (at[0] = w->lo[0]; at[0] <= w->hi[0]; at[0]++)
        for (at[1] = w->lo[1]; at[1] <= w->hi[1]; at[1]++)
            for (at[2] = w->lo[2]; at[2] <= w->hi[2]; at[2]++) {
                if (fact && (irl__value_at(fact, FUZZ_VARS, w->vars, at, &x) != IRL__FOLD_OK || !x))
                    continue;
                if (irl__value_at(e, FUZZ_VARS, w->vars, at, &x) != IRL__FOLD_OK) continue;
                if (irl__value_at(r, FUZZ_VARS, w->vars, at, &y) != IRL__FOLD_OK || x != y)
                    return 0;
                if (x < range.lo || x > range.hi) return 0;
                if (residues.coef ? (((x - residues.base) % residues.coef) != 0)
                                  : x != residues.base)
                    return 0;
            }
    return 1;
}

static void test_fuzz(void)
{
    int n, total = TEST_COUNT(20000), changed = 0, grown = 0;
    for (n = 0; n < total; n++) {
        irl_ctx        *cx = irl_ctx_create(NULL);
        irl__arena_mark m = irl__scratch_begin(cx);
        irl__analyzer  *an = irl__analyzer_begin(cx), *again;
        fuzz_world      w;
        const irl_expr *e, *r, *fact = NULL, *twice;
        irl__interval   range;
        irl__residues   residues = { 1, 0 };
        int             k;
        w.cx = cx;
        for (k = 0; k < FUZZ_VARS; k++) {
            static const char *const names[] = { "x", "y", "z" };
            w.vars[k] = irl_expr_var(cx, names[k], irl_type_of(IRL_INDEX, 1));
            w.lo[k] = random_below(3) ? 0 : -random_below(9);
            w.hi[k] = w.lo[k] + random_below(k == 0 ? 17 : 9);
            irl__bind_range(an, w.vars[k], w.lo[k], w.hi[k]);
        }
        e = random_below(4) ? fuzz_index(&w, 1 + random_below(4))
                            : fuzz_bool(&w, 1 + random_below(3));
        if (random_below(4) == 0) {
            fact = fuzz_bool(&w, 1);
            irl__fact(an, fact);
        }
        r = irl__simplify(an, e);
        range = irl__interval_of(an, e);
        if (e->type.scalar == IRL_INDEX) residues = irl__modular(an, e);
        if (!CHECK(r && irl_ok(cx) && fuzz_agrees(&w, e, fact, r, range, residues))) {
            printf("%d: %s with x in %d..%d, y in %d..%d, z in %d..%d, %s became %s in [%lld, "
                   "%lld], %lld*k + %lld\n%s\n",
                   n, irl_expr_text(cx, e), (int)w.lo[0], (int)w.hi[0], (int)w.lo[1], (int)w.hi[1],
                   (int)w.lo[2], (int)w.hi[2], fact ? irl_expr_text(cx, fact) : "true",
                   r ? irl_expr_text(cx, r) : "nothing", (long long)range.lo, (long long)range.hi,
                   (long long)residues.coef, (long long)residues.base, irl_diag_text(cx));
        } else if (!fact) {
            changed += r != e;
            again = irl__analyzer_begin(cx); /* nothing remembered: what is simple stays as it is */
            for (k = 0; k < FUZZ_VARS; k++) irl__bind_range(again, w.vars[k], w.lo[k], w.hi[k]);
            twice = irl__simplify(again, r);
            if (twice && twice->size > r->size) {
                grown++;
                printf("%s became %s, then %s\n", irl_expr_text(cx, e), irl_expr_text(cx, r),
                       irl_expr_text(cx, twice));
            }
        }
        irl__scratch_end(cx, m);
        irl_ctx_destroy(cx);
    }
    CHECK(grown <= (total + 9999) / 10000);
    printf("%d random expressions, %d rewritten, %d grew when simplified again\n", total, changed,
           grown);
}

/* Sums with a minimum or a maximum: what is written is read back and written the same, its terms in
   the same order. */
static void test_order(int total)
{
    static const char *const names[] = { "x", "y", "z" };
    int n, k, wrong = 0;
    for (n = 0; n < total; n++) {
        irl_ctx        *cx = irl_ctx_create(NULL);
        irl__arena_mark m = irl__scratch_begin(cx);
        fuzz_world      w;
        char            text[120];
        const irl_expr *e[3];
        snprintf(text, sizeof text, "%s(x + %d, %d) * %d + %s(%c - %d, %d) %c %d * z",
                 n & 1 ? "min" : "max", random_below(4), random_below(9), 1 + random_below(4),
                 n & 2 ? "min" : "max", 'x' + random_below(2), random_below(4), random_below(3),
                 "+-"[random_below(2)], random_below(3));
        w.cx = cx;
        for (k = 0; k < FUZZ_VARS; k++)
            w.vars[k] = irl_expr_var(cx, names[k], irl_type_of(IRL_INDEX, 1));
        e[0] = irl_expr_parse(cx, text, FUZZ_VARS, w.vars);
        for (k = 0; k < 2 && CHECK_OK(cx); k++) {
            irl__analyzer *an = irl__analyzer_begin(cx);
            irl__bind_range(an, w.vars[0], 0, 1 + n % 9);
            e[k + 1] = irl__simplify(an, e[k]);
        }
        if (k == 2 && e[1] != e[2] && wrong++ < 5)
            printf("%s became %s, then %s\n", text, irl_expr_text(cx, e[1]),
                   irl_expr_text(cx, e[2]));
        irl__scratch_end(cx, m);
        irl_ctx_destroy(cx);
    }
    printf("%d sums with a choice, %d written in two ways\n", total, wrong);
    CHECK(wrong == 0);
}

/* ------------------------------------------------------------------ digits of a number */

static const irl_expr *digits_radix(fuzz_world *w)
{
    return random_below(3) ? w->vars[1 + random_below(2)] : fuzz_constant(w);
}

static const irl_expr *digits_two(fuzz_world *w, irl_op o, const irl_expr *a, const irl_expr *b)
{
    return a && b ? irl_expr_op2(w->cx, o, a, b) : a ? a : b;
}

/* x/l % c * k + x/(l*c) % e * (k*c), where l, c, e and k are numbers or names of any sign, and some
   are left out. */
static const irl_expr *digits_sum(fuzz_world *w)
{
    const irl_expr *x = w->vars[0], *c = digits_radix(w), *low, *high,
                   *l = random_below(2) ? digits_radix(w) : NULL,
                   *e = random_below(2) ? digits_radix(w) : NULL,
                   *k = random_below(2) ? digits_radix(w) : NULL;
    if (random_below(3) == 0) x = irl_expr_op2(w->cx, IRL_OP_ADD, x, fuzz_constant(w));
    low = digits_two(w, IRL_OP_FLOORMOD, digits_two(w, IRL_OP_FLOORDIV, x, l), c);
    high = digits_two(w, IRL_OP_FLOORDIV, x, digits_two(w, IRL_OP_MUL, l, c));
    high = digits_two(w, IRL_OP_FLOORMOD, high, e);
    return irl_expr_op2(w->cx, random_below(8) ? IRL_OP_ADD : IRL_OP_SUB,
                        digits_two(w, IRL_OP_MUL, low, k),
                        digits_two(w, IRL_OP_MUL, high, digits_two(w, IRL_OP_MUL, c, k)));
}

/* Digits that are put together are as before, whatever the signs of the radices: x % n + x/n % m*n
   was x % (n*m) for negative m too. */
static void test_digits(void)
{
    static const char *const names[] = { "x", "y", "z" };
    int                      n, k, total = TEST_COUNT(4000), shorter = 0;
    for (n = 0; n < total; n++) {
        irl_ctx        *cx = irl_ctx_create(NULL);
        irl__arena_mark m = irl__scratch_begin(cx);
        irl__analyzer  *an = irl__analyzer_begin(cx);
        fuzz_world      w;
        const irl_expr *e, *r;
        irl__residues   residues = { 1, 0 };
        w.cx = cx;
        for (k = 0; k < FUZZ_VARS; k++) {
            w.vars[k] = irl_expr_var(cx, names[k], irl_type_of(IRL_INDEX, 1));
            w.lo[k] = random_below(2) ? k > 0 : -random_below(9);
            w.hi[k] = w.lo[k] + random_below(k == 0 ? 40 : 9);
            irl__bind_range(an, w.vars[k], w.lo[k], w.hi[k]);
        }
        e = digits_sum(&w);
        r = irl__simplify(an, e);
        if (!CHECK(r && fuzz_agrees(&w, e, NULL, r, irl__interval_of(an, e), residues)))
            printf("%d: %s with y in %d..%d, z in %d..%d became %s\n", n, irl_expr_text(cx, e),
                   (int)w.lo[1], (int)w.hi[1], (int)w.lo[2], (int)w.hi[2],
                   r ? irl_expr_text(cx, r) : irl_diag_text(cx));
        else shorter += r->size < e->size;
        irl__scratch_end(cx, m);
        irl_ctx_destroy(cx);
    }
    CHECK(shorter * 2 > total);
    printf("%d sums of digits, %d of them shorter\n", total, shorter);
}

/* ------------------------------------------------------------------ linear over bits */

static const irl_expr *spread_part(irl_ctx *cx, const irl_expr *const *vars, int depth)
{
    static const irl_op ops[] = { IRL_OP_BITOR,  IRL_OP_BITAND,   IRL_OP_BITXOR,  IRL_OP_ADD,
                                  IRL_OP_BITAND, IRL_OP_FLOORDIV, IRL_OP_FLOORMOD, IRL_OP_SHL,
                                  IRL_OP_SHR,    IRL_OP_MUL,      IRL_OP_SUB };
    static const int    masks[] = { 0x33, 0x55, 0x0f0f, 0xff, 7, 1, 6, 24, -8, -2, 0x111, 85 };
    const irl_expr     *a, *b;
    int                 k = random_below(11);
    if (depth == 0) return vars[random_below(2)];
    a = spread_part(cx, vars, depth - 1);
    switch (ops[k]) {
    case IRL_OP_BITAND: b = irl_expr_index(cx, masks[random_below(12)]); break;
    case IRL_OP_FLOORDIV:
    case IRL_OP_FLOORMOD: b = irl_expr_index(cx, 1 << random_below(4)); break;
    case IRL_OP_SHL:
    case IRL_OP_SHR: b = irl_expr_index(cx, random_below(6)); break;
    case IRL_OP_MUL: b = irl_expr_index(cx, 1 + random_below(40)); break;
    case IRL_OP_SUB:
        b = a;
        a = irl_expr_index(cx, (4 << random_below(8)) - 1);
        break;
    default: /* a number, another part, or the same one moved */
        b = random_below(4) == 0 ? irl_expr_index(cx, masks[random_below(8)])
            : random_below(2)
                ? spread_part(cx, vars, depth - 1)
                : irl_expr_op2(cx, IRL_OP_SHL, a, irl_expr_index(cx, 1 + random_below(4)));
    }
    if (k == 4 && random_below(3) == 0) b = spread_part(cx, vars, depth - 1);
    return irl_expr_op2(cx, ops[k], a, b);
}

/* What is read as linear over bits is so at every point. */
static void test_linear_bits(int total)
{
    int n, linear = 0;
    for (n = 0; n < total; n++) {
        irl_ctx        *cx = irl_ctx_create(NULL);
        const irl_expr *vars[2], *e;
        const int64_t   extents[2] = { 1 + random_below(33), 1 + random_below(9) };
        irl__bit_space  space;
        irl__bit_rows   rows;
        int64_t         at[2], value, x, told;
        int             k, ok = 1;
        for (k = 0; k < 2; k++)
            vars[k] = irl_expr_var(cx, k ? "y" : "x", irl_type_of(IRL_INDEX, 1));
        e = spread_part(cx, vars, 1 + random_below(4));
        CHECK(irl__bit_space_make(&space, 2, vars, extents));
        if (irl__bit_rows_of(&space, e, &rows)) {
            linear++;
            for (at[0] = 0; at[0] < extents[0]; at[0]++)
                for (at[1] = 0; at[1] < extents[1]; at[1]++) {
                    x = at[0] << space.first[0] | at[1] << space.first[1];
                    for (told = (int64_t)rows.constant, k = 0; k < 63; k++) {
                        uint64_t ones = rows.row[k] & (uint64_t)x;
                        for (; ones; ones &= ones - 1) told ^= INT64_C(1) << k;
                    }
                    if (irl__value_at(e, 2, vars, at, &value) == IRL__FOLD_OK) ok &= value == told;
                }
        }
        if (!CHECK(ok)) printf("%s is not linear over bits\n", irl_expr_text(cx, e));
        irl_ctx_destroy(cx);
    }
    CHECK(linear * 4 > total);
    printf("%d expressions of shifts and masks, %d of them linear over bits\n", total, linear);
}

/* ------------------------------------------------------------------ what a person would write */

typedef struct written {
    const char *given, *expected;
} written;

static void test_written(void)
{
    static const written rows[] = {
        { "((n*16 + c/4)*56 + h)*56*4 + w*4 + c%4", "n*200704 + c/4*12544 + h*224 + w*4 + c%4" },
        { "c/4*4 + c%4", "c" },
        { "i + 3 - 5", "i - 2" },
        { "3 - i", "3 - i" },
        { "(4*i + j)/4", "i + j/4" },
        { "i*4 + 8", "i*4 + 8" },
        { "i - i%4", "i - i%4" },
        { "c%32/4", "c/4%8" },
        { "0 - i - 1", "-i - 1" },
        { "(i + 5)/3", "(i + 5)/3" },
        { "(-i)/4 + (i + 3)/4", "0" },
        { "(-i - j)/7 + (i + j + 6)/7", "0" },
        { "c - 2*((-i)/5) - 2*((i + 4)/5)", "c" },
        { "3 - (-i - 1)%4", "i%4" },
        { "(n*h + i)*w + j", "(n*h + i)*w + j" },
        { "i < 10 && i >= 0", "i < 10 && i >= 0" },
        { "i + 2 <= n", "i + 1 < n" },
        { "10 > i", "i < 10" },
        /* a cast by way of a type that holds every value, and by way of others */
        { "u8(i64(i + 1))", "u8(i + 1)" },
        { "f32(i64(u8(i)))", "f32(u8(i))" },
        { "f32(f64(i32(i64(i))))", "f32(f64(i32(i)))" },
        { "i64(i16(i + 1))", "i64(i16(i + 1))" },
        { "f32(i8(i))", "f32(i8(i))" },
        { "f32(u16(i))", "f32(u16(i))" },
        { "f32(i32(i))", "f32(i32(i))" }, /* as it is written: shorter to convert */
    };
    static const char *const names[] = { "n", "h", "w", "c", "i", "j" };
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_expr *vars[6];
    size_t          k;
    irl_range       ranges[6];
    for (k = 0; k < 6; k++) {
        ranges[k].var = vars[k] = irl_expr_var(cx, names[k], irl_type_of(IRL_INDEX, 1));
        ranges[k].lo = INT16_MIN; /* products of three stay within 64 bits */
        ranges[k].hi = INT16_MAX;
    }
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const irl_expr *e =
            irl_expr_simplify(cx, irl__parse_expr(cx, rows[k].given, 6, vars), 6, ranges);
        const irl_expr *want = irl__parse_expr(cx, rows[k].expected, 6, vars);
        if (!CHECK(e && e == want))
            printf("%s became %s, not %s\n", rows[k].given, e ? irl_expr_text(cx, e) : "nothing",
                   rows[k].expected);
    }
    irl_ctx_destroy(cx);
}

/* -------------------------------------------------------- other types, limits, hostile input */

static void test_widths(void)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    irl__arena_mark m = irl__scratch_begin(cx);
    irl__analyzer  *an = irl__analyzer_begin(cx);
    irl_type i8 = irl_type_of(IRL_I8, 1), u64 = irl_type_of(IRL_U64, 1),
             f32 = irl_type_of(IRL_F32, 1);
    const irl_expr *x = irl_expr_var(cx, "x", i8), *y = irl_expr_var(cx, "y", i8),
                   *f = irl_expr_var(cx, "f", f32), *u = irl_expr_var(cx, "u", u64), *e;
    /* x + 100 wraps, so (x + 100)/2 is not x/2 + 50 */
    e = irl_expr_op2(cx, IRL_OP_FLOORDIV,
                     irl_expr_op2(cx, IRL_OP_ADD, x, irl_expr_int(cx, i8, 100)),
                     irl_expr_int(cx, i8, 2));
    CHECK(irl__simplify(an, e) == e);
    /* where it does not wrap, it is an integer like any other */
    irl__bind_range(an, y, 0, 20);
    e = irl_expr_op2(cx, IRL_OP_FLOORDIV, irl_expr_op2(cx, IRL_OP_MUL, y, irl_expr_int(cx, i8, 4)),
                     irl_expr_int(cx, i8, 4));
    CHECK(irl__simplify(an, e) == y);
    /* may hold, by wrapping */
    e = irl_expr_op2(cx, IRL_OP_LT, irl_expr_op2(cx, IRL_OP_ADD, x, irl_expr_int(cx, i8, 100)), x);
    CHECK(irl__simplify(an, e)->op != IRL_OP_INT);
    /* never, but u64 is left alone rather than misread */
    e = irl_expr_op2(cx, IRL_OP_LT, u, irl_expr_int(cx, u64, 0));
    CHECK(irl__simplify(an, e)->op != IRL_OP_INT || irl__is_int(irl__simplify(an, e), 0));
    /* floats keep their order and their zeros */
    e = irl_expr_op2(cx, IRL_OP_ADD, irl_expr_op2(cx, IRL_OP_ADD, f, irl_expr_float(cx, f32, 1.0)),
                     irl_expr_float(cx, f32, 2.0));
    CHECK(irl__simplify(an, e) == e);
    e = irl_expr_op2(cx, IRL_OP_ADD, f, irl_expr_float(cx, f32, 0.0));
    CHECK(irl__simplify(an, e) == e);
    e = irl_expr_op2(cx, IRL_OP_SUB, f, f);
    CHECK(irl__simplify(an, e) == e);
    e = irl_expr_op2(cx, IRL_OP_MUL, f, irl_expr_float(cx, f32, 1.0));
    CHECK(irl__simplify(an, e) == f);
    e = irl_expr_op2(cx, IRL_OP_ADD, irl_expr_float(cx, f32, 0.5), irl_expr_float(cx, f32, 0.25));
    CHECK(irl__simplify(an, e) == irl_expr_float(cx, f32, 0.75));
    CHECK_OK(cx);
    irl__scratch_end(cx, m);
    irl_ctx_destroy(cx);
}

static void test_limits(void)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    irl_type        index = irl_type_of(IRL_INDEX, 1);
    const irl_expr *x = irl_expr_var(cx, "x", index), *y = irl_expr_var(cx, "y", index), *e = x, *r;
    int             k;
    int64_t         lo, hi;
    irl__arena_mark m = irl__scratch_begin(cx);
    irl__analyzer  *an = irl__analyzer_begin(cx);
    /* constants that leave 64 bits: as written, no wraparound */
    e = irl_expr_op2(cx, IRL_OP_MUL, irl_expr_op2(cx, IRL_OP_MUL, x, irl_expr_index(cx, INT64_MAX)),
                     irl_expr_index(cx, 3));
    r = irl__simplify(an, e);
    CHECK(r && irl_ok(cx) && r == e);
    e = irl_expr_op2(cx, IRL_OP_SUB, irl_expr_index(cx, INT64_MIN),
                     irl_expr_op2(cx, IRL_OP_ADD, x, irl_expr_index(cx, 1)));
    CHECK(irl__simplify(an, e) != NULL && irl_ok(cx));
    e = irl_expr_op2(cx, IRL_OP_FLOORDIV,
                     irl_expr_op2(cx, IRL_OP_ADD, x, irl_expr_index(cx, INT64_MIN)),
                     irl_expr_index(cx, -1));
    CHECK(irl__simplify(an, e) != NULL && irl_ok(cx));
    e = irl_expr_op2(cx, IRL_OP_FLOORMOD, x,
                     irl_expr_index(cx, 0)); /* has no value, and is not given one */
    CHECK(irl__simplify(an, e) != NULL && irl_ok(cx));
    for (k = 0; k < 3; k++) { /* bounds at the end of the range */
        e = irl_expr_op2(cx, IRL_OP_LE, irl_expr_op2(cx, IRL_OP_ADD, x, y),
                         irl_expr_index(cx, INT64_MAX - k));
        CHECK(irl__simplify(an, e) != NULL && irl_ok(cx));
        e = irl_expr_op2(cx, IRL_OP_LE, irl_expr_op2(cx, IRL_OP_ADD, x, y),
                         irl_expr_index(cx, INT64_MIN + k));
        CHECK(irl__simplify(an, e) != NULL && irl_ok(cx));
        e = irl_expr_op2(cx, IRL_OP_LE,
                         irl_expr_op2(cx, IRL_OP_MUL, x, irl_expr_index(cx, INT64_MIN + k)), y);
        CHECK(irl__simplify(an, e) != NULL && irl_ok(cx));
    }
    /* a thousand terms, and products that would multiply out to millions */
    for (k = 0, e = x; k < 390; k++)
        e = irl_expr_op2(cx, IRL_OP_ADD, e,
                         irl_expr_op2(cx, IRL_OP_FLOORMOD, y, irl_expr_index(cx, k + 2)));
    CHECK(irl__simplify(an, e) != NULL && irl_ok(cx));
    for (k = 0, e = x; k < 12; k++)
        e = irl_expr_op2(cx, IRL_OP_MUL, e,
                         irl_expr_op2(cx, IRL_OP_ADD, irl_expr_op2(cx, IRL_OP_ADD, x, y),
                                      irl_expr_index(cx, k)));
    CHECK(irl__simplify(an, e) != NULL && irl_ok(cx));
    /* nested choices of nested choices: one visit each, not two to the depth */
    for (k = 0, e = x; k < 120; k++)
        e = irl_expr_op3(cx, IRL_OP_IF_THEN_ELSE,
                         irl_expr_op2(cx, IRL_OP_LT, x, irl_expr_index(cx, 1000 - k)), e,
                         irl_expr_op2(cx, IRL_OP_ADD, y, irl_expr_index(cx, k)));
    CHECK(irl__simplify(an, e) != NULL && irl_ok(cx));
    /* ranges saturate */
    irl__bind_range(an, x, INT64_MIN, INT64_MAX);
    irl__range(an, irl_expr_op2(cx, IRL_OP_MUL, x, x), &lo, &hi);
    CHECK(lo <= 0 && hi == INT64_MAX);
    CHECK_OK(cx);
    irl__scratch_end(cx, m);
    irl_ctx_destroy(cx);
}

/* A chain of conditions costs a few looks at each, and whatever is nested is given up after bounded
   work. */
static void test_chains(void)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    irl__arena_mark m = irl__scratch_begin(cx);
    irl__analyzer  *an = irl__analyzer_begin(cx);
    const irl_expr *x = irl_expr_var(cx, "x", irl_type_of(IRL_INDEX, 1)),
                   *y = irl_expr_var(cx, "y", irl_type_of(IRL_INDEX, 1)), *e, *r, *part;
    int64_t         at[2], before, after;
    clock_t         start = clock();
    int             k;
    irl__bind_range(an, x, 0, 1000);
    irl__bind_range(an, y, 0, 1000);
    /* x == y || 10 <= x && x < 12 && x > 3 || ... */
    for (k = 1, e = irl_expr_op2(cx, IRL_OP_EQ, x, y); k <= 60; k++) {
        part =
            irl_expr_op2(cx, IRL_OP_AND, irl_expr_op2(cx, IRL_OP_GE, x, irl_expr_index(cx, 10 * k)),
                         irl_expr_op2(cx, IRL_OP_LT, x, irl_expr_index(cx, 10 * k + 2)));
        e = irl_expr_op2(cx, IRL_OP_OR, e,
                         irl_expr_op2(cx, IRL_OP_AND, part,
                                      irl_expr_op2(cx, IRL_OP_GT, x, irl_expr_index(cx, 3))));
    }
    r = irl__simplify(an, e);
    CHECK(r && r->size == e->size - 60 * 4); /* each x > 3 is gone */
    for (at[1] = 0; r && at[1] < 3; at[1]++)
        for (at[0] = 0; at[0] <= 1000; at[0]++) {
            const irl_expr *vars[2];
            vars[0] = x, vars[1] = y;
            CHECK(irl__value_at(e, 2, vars, at, &before) == irl__value_at(r, 2, vars, at, &after) &&
                  before == after);
        }
    /* c0 || c1 && (c2 || c3 && (...)) */
    for (k = 0, e = irl_expr_op2(cx, IRL_OP_EQ, x, y); k < 150; k++) {
        part = irl_expr_op2(cx, k % 3 ? IRL_OP_LT : IRL_OP_EQ,
                            irl_expr_op2(cx, IRL_OP_FLOORMOD, x, irl_expr_index(cx, k + 2)),
                            irl_expr_op2(cx, IRL_OP_FLOORDIV, y, irl_expr_index(cx, k + 3)));
        e = irl_expr_op2(cx, k % 2 ? IRL_OP_AND : IRL_OP_OR, k % 4 < 2 ? part : e,
                         k % 4 < 2 ? e : part);
    }
    CHECK(irl__simplify(an, e) != NULL && irl_ok(cx));
    CHECK(clock() - start < 20 * CLOCKS_PER_SEC); /* it would be years */
    irl__scratch_end(cx, m);
    irl_ctx_destroy(cx);
}

static void test_symbolic(void)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    irl_type        index = irl_type_of(IRL_INDEX, 1);
    irl__arena_mark m = irl__scratch_begin(cx);
    irl__analyzer  *an = irl__analyzer_begin(cx);
    const irl_expr *i = irl_expr_var(cx, "i", index), *j = irl_expr_var(cx, "j", index),
                   *n = irl_expr_var(cx, "n", index), *w = irl_expr_var(cx, "w", index);
    const irl_expr *vars[4], *zero = irl_expr_index(cx, 0);
    int             k;
    static const char *const yes[] = {
        "i < n",        "i <= n",           "i + 1 <= n",       "j < w",    "i*w + j < n*w",
        "i*w + j >= 0", "(i*w + j)/w == i", "(i*w + j)%w == j", "i - n < 0"
    };
    static const char *const no[] = { "i + 1 < n", "j < n", "i*w + j + 1 < n*w", "n > 1" };
    vars[0] = i, vars[1] = j, vars[2] = n, vars[3] = w;
    irl__bind_range(an, n, 1, INT64_C(1) << 40);
    irl__bind_range(an, w, 1, INT64_C(1) << 20);
    irl__bind_extent(an, i, zero, n);
    irl__bind_extent(an, j, zero, w);
    for (k = 0; k < (int)(sizeof yes / sizeof yes[0]); k++)
        if (!CHECK(irl__prove(an, irl__parse_expr(cx, yes[k], 4, vars))))
            printf("not proved: %s\n", yes[k]);
    for (k = 0; k < (int)(sizeof no / sizeof no[0]); k++)
        CHECK(!irl__prove(an, irl__parse_expr(cx, no[k], 4, vars)));
    CHECK_OK(cx);
    irl__scratch_end(cx, m);
    irl_ctx_destroy(cx);
}

/* What is printed depends on the text alone: not on where a context lies, from which its hashes
   take their keys. */
static void test_same_in_every_context(void)
{
    static const char *const factors[] = { "x / 3",       "x / 5",   "x % y",   "y % 7",
                                           "~x",          "(x & y)", "(x | z)", "min(x, z)",
                                           "z / (y + 4)", "abs(z)" };
    enum { COUNT = sizeof factors / sizeof factors[0], CONTEXTS = 6 };
    irl_ctx *cx[CONTEXTS];
    int      c, i, k;
    for (c = 0; c < CONTEXTS; c++) cx[c] = irl_ctx_create(NULL);
    for (i = 0; i < COUNT; i++)
        for (k = 0; k < COUNT; k++) {
            char first[200] = "", text[200];
            snprintf(text, sizeof text, "%s * (%s) + 1", factors[i], factors[k]);
            for (c = 0; c < CONTEXTS; c++) {
                const irl_type  index = irl_type_of(IRL_INDEX, 1);
                const irl_expr *vars[3];
                const char     *got;
                vars[0] = irl_expr_var(cx[c], "x", index),
                vars[1] = irl_expr_var(cx[c], "y", index),
                vars[2] = irl_expr_var(cx[c], "z", index);
                got = irl_expr_text(
                    cx[c], irl_expr_simplify(cx[c], irl_expr_parse(cx[c], text, 3, vars), 0, NULL));
                if (c == 0) snprintf(first, sizeof first, "%s", got ? got : "");
                if (!CHECK(got && strcmp(got, first) == 0))
                    printf("%s became %s, and elsewhere %s\n", text, first,
                           got ? got : irl_diag_text(cx[c]));
            }
        }
    for (c = 0; c < CONTEXTS; c++) irl_ctx_destroy(cx[c]);
}

/* A fact whose unknowns cancel says nothing of them. Such a fact comes in only where the work is
   spent before it was seen to be constant; then i + 3 < i + 5 was once read as i <= 1, and a map on
   symbolic extents was called bijective that is not. */
static void test_cancelled_fact(void)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__analyzer  *an = irl__analyzer_begin(cx);
    const irl_expr *i = irl_expr_var(cx, "i", irl_type_of(IRL_INDEX, 1));
    irl__interval   r;
    irl__bind_range(an, i, 0, 15);
    an->running = 1;
    an->work = 0;
    CHECK(irl__fact(an, irl_expr_op2(cx, IRL_OP_LT, irl__add(cx, i, irl_expr_index(cx, 3)),
                                     irl__add(cx, i, irl_expr_index(cx, 5)))));
    r = irl__range_of(an, i);
    CHECK(r.lo == 0 && r.hi == 15);
    irl__scratch_end(cx, mark);
    irl_ctx_destroy(cx);
}

/* What is not an end of its range is inside of it, with names too. */
static void test_unequal(void)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__analyzer  *an = irl__analyzer_begin(cx);
    const irl_type  index = irl_type_of(IRL_INDEX, 1);
    const irl_expr *i = irl_expr_var(cx, "i", index), *n = irl_expr_var(cx, "n", index);
    const irl_expr *k = irl_expr_var(cx, "k", index), *one = irl_expr_index(cx, 1);
    const irl_expr *last = irl__sub(cx, n, one), *next = irl__add(cx, i, one);
    const irl_expr *is_last = irl_expr_op2(cx, IRL_OP_EQ, i, last);
    int             before;
    irl__bind_range(an, n, 0, INT64_C(1) << 40);
    irl__bind_extent(an, i, irl_expr_index(cx, 0), n);
    irl__bind_range(an, k, -3, 7);
    CHECK(!irl__prove(an, irl_expr_op2(cx, IRL_OP_LT, next, n)));
    CHECK(!irl__prove(an, irl_expr_op1(cx, IRL_OP_NOT, is_last)));
    before = irl__facts_mark(an);
    CHECK(irl__fact(an, irl_expr_op1(cx, IRL_OP_NOT, is_last)));
    CHECK(irl__prove(an, irl_expr_op2(cx, IRL_OP_LT, next, n)));
    irl__facts_release(an, before);
    CHECK(!irl__prove(an, irl_expr_op2(cx, IRL_OP_LT, next, n)));
    CHECK(irl__fact(an, irl_expr_op2(cx, IRL_OP_LT, next, n)));
    CHECK(irl__prove(an, irl_expr_op2(cx, IRL_OP_NE, i, last)));
    CHECK(!irl__prove(an, irl_expr_op2(cx, IRL_OP_NE, next, last)));
    CHECK(irl__fact(an, irl_expr_op2(cx, IRL_OP_NE, k, irl_expr_index(cx, -3))));
    CHECK(irl__range_of(an, k).lo == -2 && irl__range_of(an, k).hi == 7);
    CHECK(irl__fact(an, irl_expr_op2(cx, IRL_OP_NE, k, irl_expr_index(cx, 5))));
    CHECK(irl__range_of(an, k).lo == -2 && irl__range_of(an, k).hi == 7);
    CHECK_OK(cx);
    irl__scratch_end(cx, mark);
    irl_ctx_destroy(cx);
}

int main(void)
{
    test_cancelled_fact();
    test_unequal();
    test_rules();
    test_written();
    test_widths();
    test_limits();
    test_chains();
    test_symbolic();
    test_same_in_every_context();
    test_fuzz();
    test_order(TEST_COUNT(4000));
    test_digits();
    test_linear_bits(getenv("IRL_SOAK") ? 1000000 : TEST_COUNT(4000));
    return TEST_DONE();
}
