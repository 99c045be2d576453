/* change_turn.c - parts that map the values of a variable one to one onto the same values.

   needs     change_sum.c
   promises  for all values of the other variables the part takes each value of 0 .. extent-1 once,
             and its inverse is the one that is noted

     rotated    (c*p + o) % E                     c*d = 1 modulo E        p = d*(t - o) % E
     reversed   E - 1 - p                                                 p = E - 1 - t
     flipped    p ^ o,  0 <= o < 2^k, 2^k | E                             p = t ^ o
     chosen     select(o, p, q)                                           select(o, p', q')
     swapped    p but for some values, which change places                likewise
     examined   any p of one variable of few values, none other in it     a choice, or no formula */
#include "change.h"

enum { IRL__TURN_LEVELS = 12, IRL__TURN_LOOK = 4096, IRL__TURN_CHAIN = 16, IRL__TURN_POINTS = 8 };

/* The question: which variable, of which extent. */
typedef struct irl__turn {
    irl__uses      *u;
    int             alive;
    const irl_expr *var, *extent;
    const irl_expr *wanted; /* an extent with which it may be so; NULL: none */
    int             no_formula;
} irl__turn;

static const irl_expr *irl__turn_back(irl__turn *q, const irl_expr *p, const irl_expr *t);

static int irl__turn_holds(const irl__turn *q, const irl_expr *e)
{
    return irl__uses_holds(q->u, e, q->alive);
}

/* ------------------------------------------------------------------ sums */

/* The one term that holds the variable; -1 if there are none or more. */
static int irl__turn_term(const irl__turn *q, const irl__change_sum *s)
{
    int k, found = -1;
    for (k = 0; k < s->count; k++) {
        if (!irl__turn_holds(q, s->term[k].atom)) continue;
        if (found >= 0) return -1;
        found = k;
    }
    return found;
}

/* d*(t - o) % E: d is 1, -1 or a number. */
static const irl_expr *irl__turn_rotated(irl__turn *q, const irl__change_sum *s, int at,
                                         const irl_expr *t)
{
    irl__change    *c = q->u->c;
    const irl_expr *others = irl__change_sum_part(q->u, s, ~(UINT64_C(1) << at), 1);
    const irl_expr *coef = s->term[at].coef, *v;
    if (irl__is_int(coef, -1)) v = irl__change_op(c, IRL_OP_SUB, others, t);
    else v = others == c->zero ? t : irl__change_op(c, IRL_OP_SUB, t, others);
    if (!irl__is_int(coef, 1) && !irl__is_int(coef, -1)) {
        if (coef->op != IRL_OP_INT || q->extent->op != IRL_OP_INT || q->extent->u.i < 2)
            return NULL;
        int64_t d = irl__reciprocal64(coef->u.i, q->extent->u.i);
        if (d == 0) return NULL;
        v = irl__change_op(c, IRL_OP_FLOORMOD, v, q->extent);
        return v ? irl__change_times(c, v, d, q->extent->u.i) : NULL;
    }
    return irl__change_op(c, IRL_OP_FLOORMOD, v, q->extent);
}

static const irl_expr *irl__turn_of_mod(irl__turn *q, const irl_expr *p, const irl_expr *t)
{
    irl__change    *c = q->u->c;
    irl__change_sum s;
    if (irl__uses_moves(q->u, p->a[1]) || irl__interval_of(c->an, p->a[1]).lo < 1) return NULL;
    if (!irl__change_same(c, p->a[1], q->extent)) {
        if (!q->wanted && (c->one_output ? irl__change_le(c, p->a[1], q->extent)
                                         : irl__change_le(c, q->extent, p->a[1])))
            q->wanted = p->a[1];
        return NULL;
    }
    if (!irl__change_sum_of(q->u, p->a[0], &s)) return NULL;
    int             at = irl__turn_term(q, &s);
    const irl_expr *v = at < 0 ? NULL : irl__turn_rotated(q, &s, at, t);
    return v ? irl__turn_back(q, s.term[at].atom, v) : NULL;
}

/* E - 1 - p, whatever it is written like. */
static const irl_expr *irl__turn_of_sum(irl__turn *q, const irl_expr *p, const irl_expr *t)
{
    irl__change    *c = q->u->c;
    irl__change_sum s;
    if (!irl__change_sum_of(q->u, p, &s) || s.count != 1) return NULL;
    if (irl__is_int(s.term[0].coef, 1) && s.base == c->zero)
        return s.term[0].atom == p ? NULL : irl__turn_back(q, s.term[0].atom, t);
    const irl_expr *last = irl__change_sub(c, q->extent, c->one);
    if (!irl__is_int(s.term[0].coef, -1) || !irl__change_same(c, s.base, last)) return NULL;
    return irl__turn_back(q, s.term[0].atom, irl__change_op(c, IRL_OP_SUB, last, t));
}

/* ------------------------------------------------------------------ exclusive or */

/* p ^ o: o stays below a power of two that divides the extent. */
static const irl_expr *irl__turn_of_xor(irl__turn *q, const irl_expr *p, const irl_expr *t)
{
    irl__change    *c = q->u->c;
    int             side = irl__turn_holds(q, p->a[0]) ? 0 : 1;
    const irl_expr *o = p->a[1 - side], *power;
    int64_t         k = 1;
    if (irl__turn_holds(q, o)) return NULL;
    irl__interval r = irl__interval_of(c->an, o);
    if (r.lo < 0 || r.hi >= INT64_C(1) << 61) return NULL;
    while (k <= r.hi) k *= 2;
    power = irl_expr_index(c->cx, k);
    if (!irl__change_quotient(c, q->extent, power)) {
        if (!q->wanted && !c->one_output)
            q->wanted = irl__change_mul(c, irl__change_ceil(c, q->extent, power), power);
        return NULL;
    }
    return irl__turn_back(q, p->a[side], irl__change_op(c, IRL_OP_BITXOR, t, o));
}

/* ------------------------------------------------------------------ choices */

static const irl_expr *irl__turn_select(irl__change *c, const irl_expr *condition,
                                        const irl_expr *a, const irl_expr *b)
{
    return condition && a && b ? irl_expr_op3(c->cx, IRL_OP_SELECT, condition, a, b) : NULL;
}

/* The values of `what` that are sent elsewhere: at from[k] it is to[k]. */
typedef struct irl__turn_points {
    int             count;
    const irl_expr *what, *from[IRL__TURN_POINTS], *to[IRL__TURN_POINTS];
} irl__turn_points;

/* what == k, or k == what: the side that holds the variable is what. 0: it is no such test. */
static const irl_expr *irl__turn_point(const irl__turn *q, const irl_expr *test,
                                       const irl_expr **what)
{
    if (test->op != IRL_OP_EQ && test->op != IRL_OP_NE) return NULL;
    int side = irl__turn_holds(q, test->a[0]) ? 0 : 1;
    if (irl__turn_holds(q, test->a[1 - side])) return NULL;
    *what = test->a[side];
    return test->a[1 - side];
}

/* select(what == from, to, select(...)); false where it is no such chain. */
static int irl__turn_collect(irl__turn *q, const irl_expr *p, irl__turn_points *l)
{
    const irl_expr *what;
    l->count = 0;
    l->what = NULL;
    while (p->op == IRL_OP_SELECT || p->op == IRL_OP_IF_THEN_ELSE) {
        const irl_expr *at = irl__turn_point(q, p->a[0], &what);
        int             then = p->a[0]->op == IRL_OP_EQ ? 1 : 2;
        if (!at || l->count == IRL__TURN_POINTS || (l->what && l->what != what)) break;
        if (irl__turn_holds(q, p->a[then])) return 0;
        l->what = what;
        l->from[l->count] = at;
        l->to[l->count++] = p->a[then];
        p = p->a[3 - then];
    }
    return l->count > 0 && p == l->what;
}

/* Every `from` is a value of the extent, and each is somebody's `to`. Of numbers they are different
   ones; of formulas only two that change places are understood, for they may be one. */
static int irl__turn_points_permute(irl__turn *q, const irl__turn_points *l)
{
    irl__change *c = q->u->c;
    int          i, k, numbers = 1;
    for (k = 0; k < l->count; k++) {
        const irl_expr *below = irl__change_op(c, IRL_OP_LT, l->from[k], q->extent);
        if (irl__interval_of(c->an, l->from[k]).lo < 0 || !below || !irl__prove(c->an, below))
            return 0;
        numbers &= l->from[k]->op == IRL_OP_INT;
        for (i = 0; i < l->count && !irl__change_same(c, l->from[k], l->to[i]);) i++;
        if (i == l->count) return 0;
    }
    for (k = 0; k < l->count && numbers; k++)
        for (i = 0; i < k; i++)
            if (l->from[i] == l->from[k]) return 0;
    return numbers || l->count == 2;
}

static const irl_expr *irl__turn_of_choice(irl__turn *q, const irl_expr *p, const irl_expr *t)
{
    if (irl__turn_holds(q, p->a[0])) {
        irl__change     *c = q->u->c;
        irl__turn_points l;
        const irl_expr  *v = t;
        if (!irl__turn_collect(q, p, &l) || !irl__turn_points_permute(q, &l)) return NULL;
        for (int k = l.count - 1; k >= 0; k--)
            v = irl__turn_select(c, irl__change_op(c, IRL_OP_EQ, t, l.to[k]), l.from[k], v);
        return v ? irl__turn_back(q, l.what, v) : NULL;
    }
    const irl_expr *a = irl__turn_back(q, p->a[1], t);
    const irl_expr *b = a ? irl__turn_back(q, p->a[2], t) : NULL;
    return irl__turn_select(q->u->c, p->a[0], a, b);
}

/* ------------------------------------------------------------------ looking */

/* Of few values, nothing else in it: every value is computed. */
static const irl_expr *irl__turn_looked_at(irl__turn *q, const irl_expr *p, const irl_expr *t)
{
    irl__change    *c = q->u->c;
    irl__holds      holds = irl__uses_of(q->u, p);
    const irl_expr *back = NULL;
    int16_t         from[IRL__TURN_LOOK];
    int64_t         n = q->extent->op == IRL_OP_INT ? q->extent->u.i : 0, v, x;
    holds.bits[q->alive >> 6] &= ~(UINT64_C(1) << (q->alive & 63));
    if (irl__holds_meet(&holds, &holds) || n < 1 || n > IRL__TURN_LOOK || n * p->size > c->looks)
        return NULL;
    c->looks -= n * p->size;
    for (int k = 0; k < (int)n; k++) from[k] = -1;
    for (x = 0; x < n; x++) {
        if (!irl__work(c->cx, (int64_t)p->size * 4)) return NULL;
        if (irl__value_at(p, 1, &q->var, &x, &v) != IRL__FOLD_OK) return NULL;
        if (v < 0 || v >= n || from[v] >= 0) return NULL;
        from[v] = (int16_t)x;
    }
    if (n > IRL__TURN_CHAIN) {
        q->no_formula = 1;
        return c->zero;
    }
    for (x = n - 1; x >= 0 && (back || x == n - 1); x--) {
        const irl_expr *is = irl_expr_index(c->cx, from[x]);
        back = back ? irl__turn_select(c, irl__change_op(c, IRL_OP_EQ, t, irl_expr_index(c->cx, x)),
                                       is, back)
                    : is;
    }
    return back;
}

/* ------------------------------------------------------------------ the step */

/* The variable's value where p == t; NULL where p is not known to be one to one. */
static const irl_expr *irl__turn_back(irl__turn *q, const irl_expr *p, const irl_expr *t)
{
    const irl_expr *back = NULL;
    if (!t || p == q->var) return t;
    switch (p->op) {
    case IRL_OP_FLOORMOD: back = irl__turn_of_mod(q, p, t); break;
    case IRL_OP_BITXOR: back = irl__turn_of_xor(q, p, t); break;
    case IRL_OP_SELECT:
    case IRL_OP_IF_THEN_ELSE: back = irl__turn_of_choice(q, p, t); break;
    case IRL_OP_ADD:
    case IRL_OP_SUB:
    case IRL_OP_NEG:
    case IRL_OP_MUL: back = irl__turn_of_sum(q, p, t); break;
    default: break;
    }
    return back || !irl__ok(q->u->c->cx) ? back : irl__turn_looked_at(q, p, t);
}

int irl__change_back(irl__uses *u, const irl_expr *p, int alive, const irl_expr *extent,
                     const irl_expr *t, const irl_expr **back, const irl_expr **wanted)
{
    irl__turn q;
    q.u = u;
    q.alive = alive;
    q.var = u->c->vars[u->alive[alive]].var;
    q.extent = extent;
    q.wanted = NULL;
    q.no_formula = 0;
    *back = irl__turn_back(&q, p, t);
    *wanted = q.wanted;
    if (!*back) return 0;
    if (q.no_formula) *back = NULL;
    return 1;
}

/* Part number `at` for variable number k: 1 done, 0 not, with another extent perhaps. */
static int irl__turn_try(irl__uses *u, int at, int k, const irl_expr *extent,
                         const irl_expr **wanted)
{
    irl__change    *c = u->c;
    const irl_expr *back, *old = c->vars[u->alive[k]].extent;
    if (!irl__change_back(u, u->list[at].e, k, extent, irl__change_next(c), &back, wanted))
        return 0;
    u->list[at].now = irl__change_new(c, extent);
    if (!u->list[at].now) return 0;
    irl__change_replace(c, u->alive[k], back, extent != old);
    return 1;
}

/* Whether another variable stands nowhere but in this part: it would be lost. */
static int irl__turn_loses(const irl__uses *u, int at, int k)
{
    for (int i = 0; i < u->alive_count; i++)
        if (i != k && irl__holds_one(&u->list[at].holds, i) && irl__uses_own(u, at, i)) return 1;
    return 0;
}

/* What was turned in this round, and all that stands in it. */
typedef struct irl__turned {
    irl__holds vars, within;
} irl__turned;

/* Part number `at` is looked at for variable number k; larger: with a larger extent. */
static int irl__turn_at(irl__uses *u, int at, int k, int larger, irl__turned *done)
{
    const irl_expr *extent = u->c->vars[u->alive[k]].extent, *wanted;
    if (!u->c->one_output && irl__turn_loses(u, at, k)) return 0;
    if (!irl__turn_try(u, at, k, extent, &wanted)) {
        /* of one output: the remainder takes all its values while the variable takes its first */
        if (u->c->one_output &&
            (!wanted || u->list[at].e->op != IRL_OP_FLOORMOD || u->list[at].e->a[1] != wanted))
            return 0;
        if (!larger || !wanted || !irl__turn_try(u, at, k, wanted, &wanted)) return 0;
    }
    irl__holds_put(&done->vars, k);
    irl__holds_join(&done->within, &u->list[at].holds);
    return 1;
}

/* The parts that all uses of the variable lead through, the nearest first. */
static int irl__turn_variable(irl__uses *u, int k, int larger, irl__turned *done)
{
    int at = u->part[k], level;
    if (at < 0 || irl__holds_one(&done->within, k)) return 0;
    for (level = 0; level < IRL__TURN_LEVELS && irl__ok(u->c->cx); level++) {
        at = u->list[at].above;
        if (at == u->count || !irl__type_is_index(u->list[at].e->type) ||
            irl__holds_meet(&u->list[at].holds, &done->vars))
            return 0;
        if (irl__turn_at(u, at, k, larger, done)) return 1;
    }
    return 0;
}

/* Parts that do not lie in each other are turned together. */
int irl__change_turn(irl__uses *u, int larger)
{
    irl__turned done;
    int         k, n = 0;
    memset(&done, 0, sizeof done);
    for (k = 0; k < u->alive_count; k++) n += irl__turn_variable(u, k, larger, &done);
    return n;
}
