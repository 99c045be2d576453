/* wide_exprs.h - expressions over indices whose ranges have every size, up to the ends of 64 bits,
   and points at which to look at them.

   needs     random64.h, exact.h, the parser and the analyzer of the library
   promises  a world is made of the next random numbers alone. Its variables have tiny ranges,
             ranges at the ends of 64 bits, one-sided ones or none, and one may have an extent over
             others. Expressions have every operator of integers, and rules of src/arith/rules.h
             among them */
#ifndef IRL_WIDE_EXPRS_H
#define IRL_WIDE_EXPRS_H

/* ------------------------------------------------------------------ numbers */

static const int64_t numbers[] = { 0,
                                   1,
                                   2,
                                   3,
                                   4,
                                   5,
                                   7,
                                   8,
                                   -1,
                                   -2,
                                   -3,
                                   6,
                                   9,
                                   10,
                                   12,
                                   16,
                                   24,
                                   -4,
                                   -8,
                                   63,
                                   64,
                                   65,
                                   100,
                                   127,
                                   128,
                                   255,
                                   256,
                                   -128,
                                   -129,
                                   32767,
                                   65535,
                                   65536,
                                   INT64_C(1) << 31,
                                   -(INT64_C(1) << 31),
                                   (INT64_C(1) << 31) - 1,
                                   (INT64_C(1) << 32) - 1,
                                   INT64_C(1) << 32,
                                   (INT64_C(1) << 32) + 1,
                                   INT64_C(1) << 40,
                                   INT64_C(1) << 53,
                                   INT64_C(1) << 61,
                                   INT64_C(1) << 62,
                                   (INT64_C(1) << 62) + 1,
                                   -(INT64_C(1) << 62),
                                   -(INT64_C(1) << 61) - 1,
                                   INT64_MAX / 2,
                                   INT64_MAX / 3,
                                   INT64_MAX / 5,
                                   INT64_MAX / 10 * 9,
                                   INT64_MAX - 4,
                                   INT64_MAX - 1,
                                   INT64_MAX,
                                   -INT64_MAX,
                                   INT64_MIN + 1,
                                   INT64_MIN + 3,
                                   INT64_MIN };
enum { NUMBERS = sizeof numbers / sizeof numbers[0], SMALL_NUMBERS = 21 };

static int64_t any_number(void)
{
    int64_t v = numbers[random_below(random_below(3) ? SMALL_NUMBERS : NUMBERS)];
    if (random_below(40) == 0) v = (int64_t)(random64() >> random_below(63));
    return v;
}

/* a + b, at the end that it goes beyond. */
static int64_t plus_within(int64_t a, int64_t b)
{
    if (b > 0 && a > INT64_MAX - b) return INT64_MAX;
    if (b < 0 && a < INT64_MIN - b) return INT64_MIN;
    return a + b;
}

/* ------------------------------------------------------------------ variables */

enum { VARS = 8, INDEX_VARS = 5 };

typedef struct var {
    const irl_expr *var, *first, *extent; /* first and extent: NULL, or what it is bound to */
    irl_type        type;
    int64_t         lo, hi;
    int             bound; /* the analyzer knows lo and hi */
} var;

typedef struct world {
    irl_ctx        *cx;
    irl__analyzer  *an;
    var             vars[VARS];
    const irl_expr *fact;
    int             typed; /* other integer types take part */
    const irl_expr *made[32]; /* expressions of indices to be used again */
    int             made_count;
    int64_t         pool[256];
    int             pool_count;
} world;

static irl_type index_type(void) { return irl_type_of(IRL_INDEX, 1); }

static void range_of_any_size(int64_t *lo, int64_t *hi, int *bound)
{
    int64_t a = any_number(), b = any_number();
    *bound = 1;
    switch (random_below(15)) {
    case 13: /* of 32 bits */
        *lo = INT32_MIN;
        *hi = INT32_MAX;
        return;
    case 14:
        *lo = 0;
        *hi = INT32_MAX >> random_below(6);
        return;
    case 0:
    case 1:
        *bound = 0;
        *lo = INT64_MIN;
        *hi = INT64_MAX;
        return;
    case 2:
        *lo = INT64_MIN;
        *hi = INT64_MAX;
        return;
    case 3:
        *lo = a;
        *hi = INT64_MAX;
        return;
    case 4:
        *lo = INT64_MIN;
        *hi = a;
        return;
    case 5:
        *lo = INT64_MAX - random_below(9);
        *hi = INT64_MAX;
        return;
    case 6:
        *lo = INT64_MIN;
        *hi = INT64_MIN + random_below(9);
        return;
    case 7:
        *lo = a < b ? a : b;
        *hi = a < b ? b : a;
        return;
    case 8:
        *lo = 0;
        *hi = INT64_C(1) << random_below(63);
        return;
    case 9:
        *hi = INT64_C(1) << random_below(62);
        *lo = -*hi;
        return;
    default:
        *lo = random_below(3) ? 0 : -random_below(20);
        *hi = plus_within(*lo, random_below(40));
        return;
    }
}

/* ------------------------------------------------------------------ expressions */

static const irl_expr *make_index(world *w, int depth);
static const irl_expr *make_typed(world *w, irl_scalar scalar, int depth);
static const irl_expr *make_bool(world *w, int depth);

static const irl_expr *number(world *w) { return irl_expr_index(w->cx, any_number()); }

typedef struct rule_row {
    const char *name, *before, *after, *constants, *facts;
} rule_row;

static const rule_row rules[] = {
#define IRL_RULE(name, before, after, constants, facts) { #name, before, after, constants, facts },
#include "../src/arith/rules.h"
};
enum { RULES = sizeof rules / sizeof rules[0], RULE_VARS = 4, RULE_NAMES = 10 };

static const char *const rule_names[RULE_NAMES] = {
    "x", "y", "z", "n", "a", "c", "d", "g", "k", "m"
};

/* One side of a rule with expressions for its letters; NULL where its constants do not hold. */
static const irl_expr *rule_instance(world *w, const rule_row *row, int after, int depth)
{
    const irl_expr *names[RULE_NAMES], *given[RULE_NAMES], *e, *holds;
    int64_t         v = 0;
    int             k;
    for (k = 0; k < RULE_NAMES; k++) names[k] = irl_expr_var(w->cx, rule_names[k], index_type());
    for (k = 0; k < RULE_VARS; k++)
        given[k] = depth > 0 && random_below(3) == 0 ? make_index(w, depth - 1)
                                                     : w->vars[random_below(INDEX_VARS)].var;
    for (; k < RULE_NAMES; k++) {
        v = any_number();
        if (random_below(3)) v = 1 + random_below(9);
        given[k] = irl_expr_index(w->cx, v);
    }
    if (row->constants[0]) {
        holds = irl__parse_expr(w->cx, row->constants, RULE_NAMES, names);
        holds = holds ? irl__substitute(w->cx, holds, RULE_NAMES, names, given) : NULL;
        if (!holds || irl__value_at(holds, 0, NULL, NULL, &v) != IRL__FOLD_OK || !v) return NULL;
    }
    e = irl__parse_expr(w->cx, after ? row->after : row->before, RULE_NAMES, names);
    return e ? irl__substitute(w->cx, e, RULE_NAMES, names, given) : NULL;
}

/* What may have no value for some d, and what d must be for it to have one. */
static const irl_expr *make_risky(world *w, const irl_expr *d, int depth, const irl_expr **guard)
{
    irl_ctx        *cx = w->cx;
    const irl_expr *a = make_index(w, depth - 1), *zero = irl_expr_index(cx, 0), *k;
    int64_t         c = 2 + random_below(random_below(2) ? 30 : 1 << 30);
    int             minus = random_below(2);
    switch (random_below(6)) {
    case 0:
        *guard = irl_expr_op2(cx, random_below(2) ? IRL_OP_NE : IRL_OP_GT, d, zero);
        return irl_expr_op2(cx, random_below(2) ? IRL_OP_FLOORDIV : IRL_OP_FLOORMOD, a, d);
    case 1:
        *guard = irl_expr_op2(cx, IRL_OP_AND, irl_expr_op2(cx, IRL_OP_GE, d, zero),
                              irl_expr_op2(cx, IRL_OP_LT, d, irl_expr_index(cx, 60)));
        return irl_expr_op2(cx, random_below(2) ? IRL_OP_SHL : IRL_OP_SHR, a, d);
    case 2:
        *guard = irl_expr_op2(cx, IRL_OP_LT, irl_expr_op1(cx, IRL_OP_ABS, d),
                              irl_expr_index(cx, INT64_MAX / c));
        return irl_expr_op2(cx, IRL_OP_MUL, d, irl_expr_index(cx, c));
    case 3:
        k = irl_expr_index(cx, minus ? INT64_MIN + c : INT64_MAX - c);
        *guard = irl_expr_op2(cx, minus ? IRL_OP_GT : IRL_OP_LT, d, k);
        return irl_expr_op2(cx, minus ? IRL_OP_SUB : IRL_OP_ADD, d, irl_expr_index(cx, c));
    case 4:
        *guard = irl_expr_op2(cx, IRL_OP_EQ, d, irl_expr_index(cx, any_number()));
        return irl_expr_op2(cx, random_below(2) ? IRL_OP_MUL : IRL_OP_ADD, d, a);
    default:
        *guard = irl_expr_op2(cx, IRL_OP_NE, d, irl_expr_index(cx, INT64_MIN));
        return irl_expr_op1(cx, random_below(2) ? IRL_OP_NEG : IRL_OP_ABS, d);
    }
}

static const irl_expr *make_guarded(world *w, int depth)
{
    const irl_expr *d = w->vars[random_below(INDEX_VARS)].var, *guard, *risky, *other;
    if (random_below(3) == 0) d = make_index(w, depth - 2);
    risky = make_risky(w, d, depth, &guard);
    other = random_below(2) ? make_index(w, depth - 1) : risky->a[random_below((int)risky->count)];
    if (random_below(8) == 0) guard = make_bool(w, depth - 1); /* a guard of something else */
    if (random_below(3)) return irl_expr_op3(w->cx, IRL_OP_IF_THEN_ELSE, guard, risky, other);
    return irl_expr_op3(w->cx, IRL_OP_IF_THEN_ELSE, irl_expr_op1(w->cx, IRL_OP_NOT, guard), other,
                        risky);
}

static const irl_expr *make_guarded_bool(world *w, int depth)
{
    const irl_expr *d = w->vars[random_below(INDEX_VARS)].var, *guard, *risky;
    irl_op          compare = (irl_op)(IRL_OP_EQ + random_below(6));
    if (random_below(3) == 0) d = make_index(w, depth - 2);
    risky = make_risky(w, d, depth, &guard);
    risky =
        irl_expr_op2(w->cx, compare, risky, random_below(2) ? number(w) : make_index(w, depth - 2));
    if (random_below(4) == 0)
        risky = irl_expr_op2(w->cx, IRL_OP_AND, risky, make_bool(w, depth - 2));
    if (random_below(2)) return irl_expr_op2(w->cx, IRL_OP_AND, guard, risky);
    return irl_expr_op2(w->cx, IRL_OP_OR, irl_expr_op1(w->cx, IRL_OP_NOT, guard), risky);
}

static const irl_expr *make_let(world *w, const irl_expr *(*body)(world *, int), int depth)
{
    const irl_expr *value = make_index(w, depth - 1), *v = irl_expr_var(w->cx, "t", index_type()),
                   *made;
    var             saved = w->vars[0];
    int             k;
    w->vars[0].var = v; /* in the body it stands for the first one */
    made = body(w, depth - 1);
    w->vars[0] = saved;
    for (k = 0; k < w->made_count; k++) /* it has no value outside */
        if (irl__expr_uses_var(w->made[k], v)) w->made[k--] = w->made[--w->made_count];
    return irl_expr_let(w->cx, v, value, made);
}

static const irl_expr *make_fresh(world *w, int depth)
{
    static const irl_op ops[] = { IRL_OP_MIN,      IRL_OP_MAX,    IRL_OP_TRUNCDIV,
                                  IRL_OP_TRUNCMOD, IRL_OP_BITAND, IRL_OP_BITXOR,
                                  IRL_OP_BITOR,    IRL_OP_SHL,    IRL_OP_SHR };
    const irl_expr     *a, *b;
    int                 pick = random_below(44);
    if (depth > 0 && pick > 40) return make_guarded(w, depth);
    if (depth <= 0 || pick < 3)
        return random_below(4) ? w->vars[random_below(INDEX_VARS)].var : number(w);
    if (pick < 7) {
        const rule_row *row = &rules[random_below(RULES)];
        a = rule_instance(w, row, random_below(2), depth - 1);
        if (a && a->type.scalar == IRL_INDEX) return a;
    }
    if (pick == 7) return make_let(w, make_index, depth);
    if (pick < 10 && w->typed) /* of other types by a cast */
        return irl_expr_cast(w->cx, index_type(),
                             make_typed(w, (irl_scalar)(IRL_I8 + random_below(8)), depth - 1));
    if (pick == 10 && w->typed)
        return irl_expr_cast(w->cx, index_type(),
                             irl_expr_cast(w->cx,
                                           irl_type_of(random_below(2) ? IRL_F32 : IRL_F64, 1),
                                           make_index(w, depth - 1)));
    a = make_index(w, depth - 1);
    if (pick == 11) return irl_expr_op1(w->cx, IRL_OP_NEG, a);
    if (pick == 12) return irl_expr_op1(w->cx, random_below(2) ? IRL_OP_ABS : IRL_OP_BITNOT, a);
    b = random_below(2) ? number(w) : make_index(w, depth - 1);
    if (pick < 15)
        return irl_expr_op3(w->cx, random_below(2) ? IRL_OP_SELECT : IRL_OP_IF_THEN_ELSE,
                            make_bool(w, depth - 1), a, b);
    if (pick < 20) return irl_expr_op2(w->cx, random_below(3) ? IRL_OP_ADD : IRL_OP_SUB, a, b);
    if (pick < 24) return irl_expr_op2(w->cx, IRL_OP_MUL, a, b);
    if (pick < 28) return irl_expr_op2(w->cx, IRL_OP_FLOORDIV, a, b);
    if (pick < 33) return irl_expr_op2(w->cx, IRL_OP_FLOORMOD, a, b);
    if (pick < 36) return irl_expr_op2(w->cx, IRL_OP_ADD, a, make_index(w, depth - 1));
    return irl_expr_op2(w->cx, ops[random_below((int)(sizeof ops / sizeof *ops))], a, b);
}

/* One that was made before, now and then: what stands in two places may be merged, or not. */
static const irl_expr *make_index(world *w, int depth)
{
    const irl_expr *e;
    if (w->made_count && random_below(7) == 0) return w->made[random_below(w->made_count)];
    e = make_fresh(w, depth);
    if (e && e->count && e->size < 12 && !(e->flags & IRL__HAS_LET))
        w->made[w->made_count < 32 ? w->made_count++ : random_below(32)] = e;
    return e;
}

static const irl_expr *make_typed(world *w, irl_scalar scalar, int depth)
{
    static const irl_op ops[] = { IRL_OP_ADD,      IRL_OP_SUB,    IRL_OP_MUL,    IRL_OP_FLOORDIV,
                                  IRL_OP_FLOORMOD, IRL_OP_MIN,    IRL_OP_MAX,    IRL_OP_TRUNCDIV,
                                  IRL_OP_TRUNCMOD, IRL_OP_BITAND, IRL_OP_BITXOR, IRL_OP_BITOR,
                                  IRL_OP_SHL,      IRL_OP_SHR };
    static const irl_op unary[] = { IRL_OP_NEG, IRL_OP_ABS, IRL_OP_BITNOT };
    irl_type            t = irl_type_of(scalar, 1);
    const irl_expr     *a, *b;
    int                 k = INDEX_VARS + random_below(VARS - INDEX_VARS), pick = random_below(10);
    if (pick == 0) return irl_expr_int(w->cx, t, any_number());
    if (depth <= 0 || pick < 3)
        return irl_expr_cast(
            w->cx, t, random_below(3) ? w->vars[k].var : w->vars[random_below(INDEX_VARS)].var);
    if (pick == 3) return irl_expr_cast(w->cx, t, make_index(w, depth - 1));
    a = make_typed(w, scalar, depth - 1);
    if (pick == 4)
        return irl_expr_op1(w->cx, unary[random_below((int)(sizeof unary / sizeof *unary))], a);
    b = random_below(2) ? irl_expr_int(w->cx, t, any_number()) : make_typed(w, scalar, depth - 1);
    if (pick == 5)
        return irl_expr_op3(w->cx, random_below(2) ? IRL_OP_SELECT : IRL_OP_IF_THEN_ELSE,
                            make_bool(w, depth - 1), a, b);
    return irl_expr_op2(w->cx, ops[random_below((int)(sizeof ops / sizeof *ops))], a, b);
}

static const irl_expr *make_bool(world *w, int depth)
{
    const irl_expr *a;
    irl_op          compare = (irl_op)(IRL_OP_EQ + random_below(6));
    int             pick = random_below(18), less = depth > 0 ? depth - 1 : 0;
    irl_scalar      scalar = (irl_scalar)(IRL_I8 + random_below(8));
    if (depth > 0 && pick < 2)
        return irl_expr_op2(w->cx, IRL_OP_AND, make_bool(w, less), make_bool(w, less));
    if (depth > 0 && pick < 4)
        return irl_expr_op2(w->cx, IRL_OP_OR, make_bool(w, less), make_bool(w, less));
    if (depth > 0 && pick == 4) return irl_expr_op1(w->cx, IRL_OP_NOT, make_bool(w, less));
    if (depth > 0 && pick == 5) return make_let(w, make_bool, depth);
    if (depth > 0 && pick > 15) return make_guarded_bool(w, depth);
    if (depth > 0 && pick < 8) {
        a = rule_instance(w, &rules[random_below(RULES)], random_below(2), less);
        if (a && a->type.scalar == IRL_BOOL) return a;
    }
    if (pick == 8 && w->typed)
        return irl_expr_op2(w->cx, compare, make_typed(w, scalar, less),
                            make_typed(w, scalar, less));
    a = make_index(w, less);
    return irl_expr_op2(w->cx, compare, a, random_below(2) ? number(w) : make_index(w, less));
}

/* ------------------------------------------------------------------ points */

static void pool_put(world *w, int64_t v)
{
    if (w->pool_count < 256) w->pool[w->pool_count++] = v;
}

/* Where an expression with this constant changes its mind, or leaves 64 bits. */
static void pool_constant(world *w, int64_t c)
{
    int64_t d;
    for (d = -1; d <= 1; d++) {
        pool_put(w, plus_within(c, d));
        if (c != 0 && c != -1) {
            pool_put(w, plus_within(INT64_MAX / c, d));
            pool_put(w, plus_within(INT64_MIN / c, d));
        }
        pool_put(w, plus_within(c > 0 ? INT64_MAX - c : INT64_MIN - c, d));
    }
}

static void pool_expr(world *w, const irl_expr *e)
{
    uint32_t k;
    if (e->op == IRL_OP_INT) pool_constant(w, e->u.i);
    for (k = 0; k < e->count; k++) pool_expr(w, e->a[k]);
}

static int64_t value_within(world *w, int64_t lo, int64_t hi)
{
    int64_t v, near_ = random_below(12);
    switch (random_below(8)) {
    case 0: return plus_within(lo, near_) < hi ? plus_within(lo, near_ / 3) : hi;
    case 1: return plus_within(hi, -near_) > lo ? plus_within(hi, -near_ / 3) : lo;
    case 2: v = near_ - 6; break;
    case 3: v = numbers[random_below(NUMBERS)]; break;
    case 4: v = (int64_t)(random64() >> random_below(64)); break;
    case 5: v = -(int64_t)(random64() >> (1 + random_below(63))); break;
    default: v = w->pool_count ? w->pool[random_below(w->pool_count)] : near_; break;
    }
    if (v >= lo && v <= hi) return v;
    if (hi > lo && (uint64_t)hi - (uint64_t)lo < UINT64_MAX)
        return (int64_t)((uint64_t)lo + random64() % ((uint64_t)hi - (uint64_t)lo + 1));
    return lo;
}

/* A value for every variable; false where an extent leaves none, or the fact does not hold. */
static int make_point(world *w, exact_world *x)
{
    exact_value a, b;
    int         k;
    x->count = 0;
    for (k = 0; k < VARS; k++) {
        var    *v = &w->vars[k];
        int64_t lo = v->lo, hi = v->hi;
        if (v->first) { /* min and extent have values, and the last index is one */
            if (!exact_evaluate(x, v->first, &a) || !exact_evaluate(x, v->extent, &b) || b.i <= 0)
                return 0;
            if (a.i > INT64_MAX - (b.i - 1) && a.i > 0) return 0;
            lo = a.i;
            hi = a.i + (b.i - 1);
        }
        x->var[k] = v->var;
        x->value[k] = exact_wrapped(v->type, (uint64_t)value_within(w, lo, hi));
        x->count = k + 1;
    }
    return !w->fact || (exact_evaluate(x, w->fact, &a) && a.i);
}

/* ------------------------------------------------------------------ a world */

static const irl_scalar world_scalars[] = { IRL_I8,  IRL_I32, IRL_I64, IRL_U8,
                                            IRL_U32, IRL_U64, IRL_I16, IRL_U16 };

/* Number n of a sequence starts from a state of its own, so that it can be run again alone. */
static void random64_number(unsigned long sequence, int n)
{
    char state[64];
    random64_state = UINT64_C(0x9e3779b97f4a7c15);
    sprintf(state, "%llu", (unsigned long long)sequence * 1000003u + (unsigned long long)n);
    random64_seed(state);
}

static void world_vars(world *w, int symbolic)
{
    static const char *const names[VARS] = { "x", "y", "z", "n", "i", "h", "u", "q" };
    int                      k;
    for (k = 0; k < VARS; k++) {
        var *v = &w->vars[k];
        memset(v, 0, sizeof *v);
        v->type = k < INDEX_VARS ? index_type() : irl_type_of(world_scalars[random_below(8)], 1);
        v->var = irl_expr_var(w->cx, names[k], v->type);
        range_of_any_size(&v->lo, &v->hi, &v->bound);
        if (k == 3 && random_below(2)) { /* n is often a size */
            v->lo = random_below(2);
            v->hi = random_below(2) ? INT64_MAX : INT64_C(1) << random_below(62);
            v->bound = 1;
        }
        if (k >= INDEX_VARS) {
            v->lo = INT64_MIN;
            v->hi = INT64_MAX;
            v->bound = 0;
        }
        if (v->bound && !(symbolic && k == 4)) irl__bind_range(w->an, v->var, v->lo, v->hi);
    }
    if (!symbolic) return;
    w->vars[4].first = random_below(2) ? irl_expr_index(w->cx, 0) : make_index(w, 0);
    w->vars[4].extent = random_below(2) ? w->vars[3].var : make_index(w, 1);
    if (irl__expr_uses_var(w->vars[4].first, w->vars[4].var))
        w->vars[4].first = irl_expr_index(w->cx, 0);
    if (irl__expr_uses_var(w->vars[4].extent, w->vars[4].var)) w->vars[4].extent = w->vars[3].var;
    irl__bind_extent(w->an, w->vars[4].var, w->vars[4].first, w->vars[4].extent);
}

#endif
