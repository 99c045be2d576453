/* test_overflow.c - what had a value keeps it: the simplifier against exact arithmetic, at the ends
   of 64 bits.

   Three properties, for expressions and for every rule of src/arith/rules.h, at points where the
   given expression has a value:
     equal     the simplified one has the same value
     defined   the simplified one has a value at all: no intermediate result leaves 64 bits, nothing
               divides by 0, no distance of a shift is too far
     narrow    what is proved to fit 32 bits on the way fits them afterwards
   Ranges are of every size: tiny ones, the ends of 64 bits, one-sided ones, none at all, extents
   over other variables, and facts.

   test_overflow [SEQUENCE [FIRST [COUNT]]] runs other expressions, or one of them again. */
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
#include "wide_exprs.h"

/* ------------------------------------------------------------------ the properties */

typedef enum outcome {
    OUT_HOLDS, OUT_DIFFERENT, OUT_UNDEFINED, OUT_CLAIM, OUT_WIDE, OUTCOMES
} outcome;

static const char *const outcome_names[OUTCOMES] = { "holds", "different", "undefined",
                                                     "a wrong claim",
                                             "beyond 32 bits" };

static int compared, points_undefined, rewritten, claimed, narrow, violations[OUTCOMES];

/* What the library makes of an expression, and says of it. */
typedef struct answer {
    const irl_expr *made, *canonical; /* for evaluation, and over the integers */
    int             total, fits; /* said to have a value everywhere, by ranges, or by all means */
    int             narrow; /* all of it proved to fit 32 bits */
    irl__interval   range;
} answer;

static int answer_to(world *w, const irl_expr *e, answer *a)
{
    a->made = irl__simplify(w->an, e);
    a->canonical = irl__canonical(w->an, e);
    a->total = irl__is_defined(w->an, e, NULL);
    a->fits = !(e->flags & IRL__HAS_LET) && !irl__undefined_part(w->an, e);
    a->narrow = a->total && irl__defined_reach(w->an, e, INT32_MAX) == INT32_MAX;
    a->range = irl__range_of(w->an, e);
    return a->made && a->canonical && irl_ok(w->cx);
}

/* At one point. Over the integers nothing overflows; the canonical form is compared where it has a
   value all the same. */
static outcome outcome_at(const irl_expr *e, const answer *r, exact_world *x)
{
    exact_value a, b;
    if (!exact_evaluate(x, e, &a)) {
        points_undefined++;
        return r->total || r->fits ? OUT_CLAIM : OUT_HOLDS;
    }
    compared++;
    x->is_wide = 0;
    if (!exact_evaluate(x, r->made, &b)) return OUT_UNDEFINED;
    if (r->narrow && x->is_wide) return OUT_WIDE;
    if (a.i != b.i) return OUT_DIFFERENT;
    if (exact_evaluate(x, r->canonical, &b) && a.i != b.i) return OUT_DIFFERENT;
    if (e->type.scalar != IRL_U64 && (a.i < r->range.lo || a.i > r->range.hi)) return OUT_CLAIM;
    return OUT_HOLDS;
}

static outcome fault_of(world *w, const irl_expr *e, const answer *r, int tries, exact_world *x)
{
    outcome kind = OUT_HOLDS;
    w->pool_count = 0;
    pool_expr(w, e);
    pool_expr(w, r->made);
    while (tries-- > 0 && kind == OUT_HOLDS)
        if (make_point(w, x)) kind = outcome_at(e, r, x);
    return kind;
}

/* ------------------------------------------------------------------ what fails, made small */

/* e with operand k replaced. */
static const irl_expr *with_operand(world *w, const irl_expr *e, uint32_t k, const irl_expr *by)
{
    const irl_expr *a[4];
    uint32_t        i;
    if (!by || e->count > 3) return NULL;
    for (i = 0; i < e->count; i++) a[i] = i == k ? by : e->a[i];
    return irl__expr_with(w->cx, e, a);
}

static int still_fails(world *w, const irl_expr *e, outcome kind, int tries)
{
    exact_world x;
    answer      r;
    return e && answer_to(w, e, &r) && fault_of(w, e, &r, tries, &x) == kind;
}

/* Candidates made from one node: its operands of the same type, its operands made smaller. */
typedef struct shrinking {
    world          *w;
    const irl_expr *whole, *best;
    outcome             kind;
    int             tries;
} shrinking;

static const irl_expr *replaced(world *w, const irl_expr *e, const irl_expr *what,
                                const irl_expr *by)
{
    uint32_t k;
    if (e == what) return by;
    for (k = 0; k < e->count; k++) {
        const irl_expr *n = replaced(w, e->a[k], what, by);
        if (n && n != e->a[k]) return with_operand(w, e, k, n);
    }
    return e;
}

static int shrink_node(shrinking *s, const irl_expr *e)
{
    uint32_t k;
    for (k = 0; k < e->count; k++) {
        const irl_expr *whole;
        if (e->op == IRL_OP_LET && k == 0) continue;
        if (irl_type_equal(e->a[k]->type, e->type)) {
            whole = replaced(s->w, s->whole, e, e->a[k]);
            if (whole && whole != s->whole && whole->size < s->whole->size &&
                still_fails(s->w, whole, s->kind, s->tries))
                return s->best = whole, 1;
        }
        if (e->a[k]->type.scalar == IRL_INDEX && e->a[k]->count) {
            int v;
            for (v = 0; v < 2; v++) {
                whole = replaced(s->w, s->whole, e->a[k],
                                 v ? irl_expr_index(s->w->cx, 1) : s->w->vars[0].var);
                if (whole && whole->size < s->whole->size &&
                    still_fails(s->w, whole, s->kind, s->tries))
                    return s->best = whole, 1;
            }
        }
    }
    for (k = 0; k < e->count; k++)
        if (!(e->op == IRL_OP_LET && k == 0) && shrink_node(s, e->a[k])) return 1;
    return 0;
}

static const irl_expr *smaller(world *w, const irl_expr *e, outcome kind, int tries)
{
    shrinking s;
    s.w = w;
    s.kind = kind;
    s.tries = tries;
    for (s.whole = e; s.whole->size < 200 && shrink_node(&s, s.whole); s.whole = s.best) continue;
    return s.whole;
}

static void show_point(const world *w, const irl_expr *e, const answer *r, const exact_world *x)
{
    int k;
    for (k = 0; k < VARS; k++) {
        const var *v = &w->vars[k];
        if (!irl__expr_uses_var(e, v->var) && !irl__expr_uses_var(r->made, v->var)) continue;
        printf("    %s = %lld", v->var->u.name, (long long)x->value[k]);
        if (v->first)
            printf(" from %s, extent %s", irl_expr_text(w->cx, v->first),
                   irl_expr_text(w->cx, v->extent));
        else if (v->bound) printf(" in %lld .. %lld", (long long)v->lo, (long long)v->hi);
        printf("\n");
    }
    if (w->fact) printf("    where %s\n", irl_expr_text(w->cx, w->fact));
}

static void show(world *w, int n, const irl_expr *e, outcome kind)
{
    exact_world x;
    answer      r;
    int         k;
    e = smaller(w, e, kind, 300);
    if (!answer_to(w, e, &r)) return;
    for (k = 0; k < 20 && fault_of(w, e, &r, 300, &x) != kind; k++) continue;
    printf("expression %d: %s: %s\n    became %s, over the integers %s, in [%lld, %lld]\n", n,
           outcome_names[kind], irl_expr_text(w->cx, e), irl_expr_text(w->cx, r.made),
           irl_expr_text(w->cx, r.canonical), (long long)r.range.lo, (long long)r.range.hi);
    if (r.total || r.fits) printf("    said to have a value everywhere\n");
    show_point(w, e, &r, &x);
}

/* ------------------------------------------------------------------ one expression */

static int check_one(unsigned long seed, int n)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    irl__arena_mark mark = irl__scratch_begin(cx);
    world           w;
    exact_world     x;
    const irl_expr *e;
    answer          r;
    outcome             kind = OUT_HOLDS;
    int             which;
    random64_number(seed, n);
    memset(&w, 0, sizeof w);
    w.cx = cx;
    w.an = irl__analyzer_begin(cx);
    w.typed = random_below(3) == 0;
    world_vars(&w, random_below(4) == 0);
    if (random_below(5) == 0) {
        w.fact = make_bool(&w, 1);
        if (w.fact && !irl__fact(w.an, w.fact)) w.fact = NULL;
        if (w.an->contradiction) w.fact = NULL;
    }
    which = random_below(8);
    if (which < 2) {
        e = rule_instance(&w, &rules[n % RULES], random_below(4) == 0, random_below(3));
    } else e = which < 4 ? make_bool(&w, 1 + random_below(3)) : make_index(&w, 1 + random_below(4));
    if (w.an->contradiction) e = NULL;
    if (e && CHECK(answer_to(&w, e, &r))) {
        rewritten += r.made != e;
        claimed += r.total || r.fits;
        narrow += r.narrow;
        kind = fault_of(&w, e, &r, 60, &x);
    }
    CHECK_OK(cx);
    if (kind != OUT_HOLDS && violations[OUT_HOLDS]++ < 40) show(&w, n, e, kind);
    violations[kind] += kind != OUT_HOLDS;
    irl__scratch_end(cx, mark);
    irl_ctx_destroy(cx);
    return kind == OUT_HOLDS;
}

/* Expressions that were wrong once, without ranges and with them. */
static void test_seen(void)
{
    static const char *const seen[] = {
        "x % 5 * 2 % 5", /* overflowed where x * 2 does */
        "(x % 7 + y % 7) % 7",
        "x % 7 * 3 / 7",
        "(x / 8 + 2) / 8",
        "x / -4", /* the least number has no negation */
        "x % -2",
        "x + 4 + y", /* in another order */
        "x + (1 + y)",
        "x + min(y - x, z)",
        "y / (x % -3) <= -8",
        "x - -9223372036854775807", /* the range began at its end */
        "~x - -9223372036854775807 - 1",
        "(u16(x) - 65534) / 12 < u16(z)",          /* the difference wraps */
        "u64(x) << 18446744073709551612 > u64(y)", /* a distance beyond 63 bits of its type */
        "x << if_then_else(index(-4) > 1, n, 7)",
        "index(f32(x))", /* a float may be no index */
        "index(f64(x)) < 24",
        "x * -9223372036854775807 / (y * -1 + n * -1) + (x * -9223372036854775807 - x) % (n * -1)",
        /* a digit of a number in a negative base is none */
        "x % (y * -8) / y",
        "x % (y * z) / y",
        "truncmod(x, if_then_else(y > 0, x % (y * -8) / y, x))",
        /* what one arm computes, believed in the other */
        "if_then_else(1 != x, if_then_else(x < 4611686018427387904, z, y) * 7 + 9, "
        "z - (z % 5 - 6))",
    };
    static const int64_t ends[][2] = { { INT64_MIN, INT64_MAX },
                                       { INT64_MIN, INT64_MIN + 8 },
                                       { INT64_MAX - 8, INT64_MAX },
                                       { -128, INT64_MAX },
                                       { 0, 100 } };
    size_t               k, range;
    for (k = 0; k < sizeof seen / sizeof seen[0]; k++)
        for (range = 0; range < sizeof ends / sizeof ends[0]; range++) {
            irl_ctx        *cx = irl_ctx_create(NULL);
            irl__arena_mark mark = irl__scratch_begin(cx);
            world           w;
            exact_world     x;
            answer          r;
            const irl_expr *e, *names[VARS];
            outcome             kind;
            int             v;
            memset(&w, 0, sizeof w);
            w.cx = cx;
            w.an = irl__analyzer_begin(cx);
            world_vars(&w, 0);
            for (v = 0; v < VARS; v++) {
                names[v] = w.vars[v].var;
                w.vars[v].lo = ends[(range + (size_t)v) % 5][0];
                w.vars[v].hi = ends[(range + (size_t)v) % 5][1];
                if (v < INDEX_VARS) irl__bind_range(w.an, names[v], w.vars[v].lo, w.vars[v].hi);
            }
            e = irl__parse_expr(cx, seen[k], VARS, names);
            if (CHECK(e && answer_to(&w, e, &r)) && 
                !CHECK((kind = fault_of(&w, e, &r, 2000, &x)) == 0))
                show(&w, (int)k, e, kind);
            CHECK_OK(cx);
            irl__scratch_end(cx, mark);
            irl_ctx_destroy(cx);
        }
}

static void test_outcomes(unsigned long seed, int first, int count)
{
    int n;
    for (n = first; n < first + count; n++) CHECK(check_one(seed, n));
    printf("%d expressions from %d of sequence %lu: %d rewritten, %d said to have a value "
           "everywhere, %d to fit 32 bits\n%d points, %d more without a value: %d different, %d "
           "undefined, %d wrong claims, %d beyond 32 bits\n",
           count, first, seed, rewritten, claimed, narrow, compared, points_undefined,
           violations[OUT_DIFFERENT], violations[OUT_UNDEFINED], violations[OUT_CLAIM],
           violations[OUT_WIDE]);
}

static void test_divisors(void)
{
    CHECK(irl__gcd64(INT64_MIN, 6) == 2 && irl__gcd64(-48, INT64_MIN) == 16);
    CHECK(irl__gcd64(INT64_MIN, INT64_MIN) == 1 && irl__gcd64(0, INT64_MIN) == 1);
    CHECK(irl__gcd64(0, 0) == 0 && irl__gcd64(INT64_MAX, INT64_MIN) == 1);
}

int main(int argc, char **argv)
{
    unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    int           first = argc > 2 ? atoi(argv[2]) : 0;
    if (argc == 1) test_seen();
    test_divisors();
    test_outcomes(seed, first, argc > 3 ? atoi(argv[3]) : TEST_COUNT(20000));
    return TEST_DONE();
}
