/* change_solve.c - computes the remaining variables from the values of the outputs.

   needs     change_sum.c
   promises  an output gives the variables in it that are not known yet, if the known ones are
             given; so the outputs give all of them. Anything more that an output states is a check

     sum       s1*u1 + s2*u2 + ... + o, strides over what is smaller       digits of y - o
     window    the same % m, reaching no more than m                       digits of (y - o) % m
     quotient  the same / m, no stride below m                             digits of m*y + m - 1 - o
     rotated   (c*u + o) % m, c*d = 1 modulo m, u < m                      u = d*(y - o) % m
     flipped   p ^ o                                                       p = y ^ o
     chosen    select(o, p, q) over one variable                           by o, from p or q; or by
               y, where p and q have no value in common
     halves    p / c and p % c; min(p, q) and max(p, q)                    p; p + q
     known     o                                                           nothing: y == o

   A term of a sum that is no variable is taken as one, over the range of its values; then it is
   what is to be solved. */
#include "change.h"

enum { IRL__SOLVING_DEPTH = 16, IRL__SOLVING_CUTS = 3, IRL__SOLVING_VALUES = 8,
       IRL__SOLVING_HALVES = 32 };

typedef struct irl__solving {
    irl__uses      *u;
    int             depth; /* of sums in each other */
    int             at;    /* the output at hand */
    int             is_asked_again; /* every output was asked once */
    irl__holds      known;
    const irl_expr *const *cells, *const *box;
    /* quotients and remainders that do not say enough alone, and what they are */
    int             half_count;
    const irl_expr *half[IRL__SOLVING_HALVES], *half_value[IRL__SOLVING_HALVES];
} irl__solving;

/* What was known. */
typedef struct irl__solving_mark {
    irl__holds known;
    int        count, alive_count, solved_count, check_count, half_count;
} irl__solving_mark;

static irl__solving_mark irl__solving_at(const irl__solving *s)
{
    const irl__change *c = s->u->c;
    irl__solving_mark  m;
    m.known = s->known;
    m.count = c->count;
    m.alive_count = s->u->alive_count;
    m.solved_count = c->solved_count;
    m.check_count = c->check_count;
    m.half_count = s->half_count;
    return m;
}

static void irl__solving_back_to(irl__solving *s, const irl__solving_mark *m)
{
    irl__change *c = s->u->c;
    s->known = m->known;
    c->count = m->count;
    s->u->alive_count = m->alive_count;
    c->solved_count = m->solved_count;
    c->check_count = m->check_count;
    s->half_count = m->half_count;
}

/* ------------------------------------------------------------------ what is known */

/* Unknown variables in e: how many, one of them. */
static int irl__solving_unknown(const irl__solving *s, const irl_expr *e, int *one)
{
    const irl__holds holds = irl__uses_of(s->u, e);
    int              n = 0;
    for (int k = 0; k < s->u->alive_count; k++) {
        if (!irl__holds_one(&holds, k) || irl__holds_one(&s->known, k)) continue;
        *one = k;
        n++;
    }
    return n;
}

static void irl__solving_learn(irl__solving *s, int alive, const irl_expr *value, int checked)
{
    irl__change     *c = s->u->c;
    irl__change_var *v = &c->vars[s->u->alive[alive]];
    v->value = value;
    v->checked = (unsigned char)(checked != 0);
    c->solved[c->solved_count++] = s->u->alive[alive];
    irl__holds_put(&s->known, alive);
}

/* Terms of a sum that were no variables, and what they are: the least of their values, and a
   variable in their place. */
typedef struct irl__named_terms {
    int             count;
    const irl_expr *atom[IRL__CHANGE_TERMS], *value[IRL__CHANGE_TERMS];
} irl__named_terms;

/* A variable in place of what term k is multiplied by; false where its range is not known. */
static int irl__solving_name(irl__solving *s, irl__change_sum *sum, int k, irl__named_terms *named)
{
    irl__change        *c = s->u->c;
    irl__change_term   *t = &sum->term[k];
    const irl__interval r = irl__interval_of(c->an, t->atom);
    if (r.lo == INT64_MIN || s->u->alive_count == IRL__CHANGE_ALIVE) return 0;
    const irl_expr *least = irl_expr_index(c->cx, r.lo), *last = irl_expr_index(c->cx, r.hi);
    if (r.hi == INT64_MAX) last = irl__symbolic_bound(c->an, t->atom, 1);
    const irl_expr *extent = irl__change_add(c, irl__change_sub(c, last, least), c->one),
                   *var = irl__change_new(c, extent);
    sum->base = irl__change_add(c, sum->base, irl__change_mul(c, least, t->coef));
    named->atom[named->count] = t->atom;
    named->value[named->count] = r.lo ? irl__change_op(c, IRL_OP_ADD, var, least) : var;
    if (!sum->base || !named->value[named->count++]) return 0;
    t->atom = var;
    t->alive = s->u->alive_count++;
    s->u->alive[t->alive] = c->count - 1;
    return 1;
}

/* The terms that are not known, by a bit each, as variables; 0 where there are none, or the range
   of one is not known. */
static uint64_t irl__solving_terms(irl__solving *s, irl__change_sum *sum, irl__named_terms *named)
{
    uint64_t which = 0;
    int      one;
    named->count = 0;
    for (int k = 0; k < sum->count; k++) {
        if (!irl__solving_unknown(s, sum->term[k].atom, &one)) continue;
        if (sum->term[k].alive < 0 && !irl__solving_name(s, sum, k, named)) return 0;
        which |= UINT64_C(1) << k;
    }
    return which;
}

/* ------------------------------------------------------------------ sums */

/* The digits of `of`: 1 learned, 0 failed. in_box: no value of it lies outside of the digits.
   check: what the cell keeps besides, in place of the sum's rest; NULL: nothing. */
static int irl__solving_digits(irl__solving *s, const irl__change_sum *sum,
                               const irl__change_digits *d, const irl_expr *of, int in_box,
                               const irl_expr *check)
{
    irl__change    *c = s->u->c;
    const irl_expr *value[IRL__CHANGE_TERMS], *rest;
    int             k, top = d->count - 1;
    if (!of || !irl__change_digits_values(s->u, sum, d, of, value, &rest)) return 0;
    for (k = top; k >= 0; k--) {
        int gap = k < top ? d->digit[k].gap || d->digit[k + 1].gap : !in_box;
        irl__solving_learn(s, sum->term[d->digit[k].term].alive, value[k], gap || check);
    }
    if (check) return irl__change_check(c, check);
    return !rest || irl__change_check(c, irl__change_op(c, IRL_OP_EQ, rest, c->zero));
}

/* y less what is known of the sum and what its digits begin with. */
static const irl_expr *irl__solving_rest(irl__solving *s, const irl__change_sum *sum,
                                         uint64_t which, const irl_expr *least, const irl_expr *y)
{
    irl__change_sum known = *sum;
    known.base = irl__change_add(s->u->c, sum->base, least);
    const irl_expr *e = known.base ? irl__change_sum_part(s->u, &known, ~which, 1) : NULL;
    if (!e || e == s->u->c->zero) return e ? y : NULL;
    return irl__change_op(s->u->c, IRL_OP_SUB, y, e);
}

/* (c*u + o) % m, the only unknown is u: with g = gcd(c, m), u is known modulo m/g, and y - o is a
   multiple of g. */
static int irl__solving_rotated(irl__solving *s, const irl__change_sum *sum, uint64_t which,
                                const irl_expr *m, const irl_expr *y)
{
    irl__change *c = s->u->c;
    int          k;
    for (k = 0; !(which >> k & 1); k++) continue;
    if (which >> k != 1 || sum->term[k].coef->op != IRL_OP_INT || m->op != IRL_OP_INT) return -1;
    const irl__change_var *v = &c->vars[s->u->alive[sum->term[k].alive]];
    int64_t                g = irl__gcd64(sum->term[k].coef->u.i, m->u.i);
    int64_t                n = m->u.i / g;
    int64_t                d = n > 1 ? irl__reciprocal64(sum->term[k].coef->u.i / g, n) : 0;
    if (d == 0 || !irl__change_le(c, v->extent, irl_expr_index(c->cx, n))) return -1;
    const irl_expr *of = irl__solving_rest(s, sum, which, c->zero, y);
    of = irl__change_op(c, IRL_OP_FLOORMOD, of, m);
    if (of && g > 1) {
        const irl_expr *least = irl__change_op(c, IRL_OP_FLOORMOD, of, irl_expr_index(c->cx, g));
        least = irl__change_op(c, IRL_OP_EQ, least, c->zero);
        if (!irl__change_check(c, least)) return 0;
        of = irl__change_op(c, IRL_OP_FLOORDIV, of, irl_expr_index(c->cx, g));
    }
    if (of && d != 1) of = irl__change_times(c, of, d, n);
    irl__solving_learn(s, sum->term[k].alive, of, 1); /* NULL: by no formula */
    return 1;
}

/* ------------------------------------------------------------------ one output */

static int irl__solving_part(irl__solving *s, const irl_expr *e, const irl_expr *y);
static int irl__solving_all(irl__solving *s, int count, const irl_expr *const *e,
                            const irl_expr *const *y);

/* The values of e where the condition of a choice takes this arm. */
static irl__interval irl__solving_arm(irl__change *c, const irl_expr *choice, int arm,
                                      const irl_expr *e)
{
    const irl_expr *condition = choice->a[0];
    irl__interval   r = { INT64_MIN, INT64_MAX };
    int             mark = irl__facts_mark(c->an);
    if (arm == 2) condition = irl_expr_op1(c->cx, IRL_OP_NOT, condition);
    if (condition && irl__fact(c->an, condition)) r = irl__range_of(c->an, e);
    irl__facts_release(c->an, mark);
    return r;
}

/* Which arm was taken: its condition, which is known, or by y, where the arms have no value in
   common. NULL: that is not known. */
static const irl_expr *irl__solving_condition(irl__solving *s, const irl_expr *e, const irl_expr *y)
{
    irl__change *c = s->u->c;
    int          one;
    if (!irl__solving_unknown(s, e->a[0], &one)) return e->a[0];
    irl__interval a = irl__solving_arm(c, e, 1, e->a[1]), b = irl__solving_arm(c, e, 2, e->a[2]);
    if (a.hi < b.lo) return irl__change_op(c, IRL_OP_LT, y, irl_expr_index(c->cx, b.lo));
    if (b.hi < a.lo) return irl__change_op(c, IRL_OP_GE, y, irl_expr_index(c->cx, a.lo));
    return NULL;
}

/* select(o, p, q) over one unknown variable: what p and q say of it, by o. */
static int irl__solving_choice(irl__solving *s, const irl_expr *e, const irl_expr *y)
{
    irl__change    *c = s->u->c;
    const irl_expr *value[3];
    int             k, one, arm, ok = 1;
    if (irl__solving_unknown(s, e, &one) != 1) return -1;
    const irl__solving_mark mark = irl__solving_at(s);
    irl__change_var        *v = &c->vars[s->u->alive[one]];
    if (!(value[0] = irl__solving_condition(s, e, y))) return irl__ok(c->cx) ? -1 : 0;
    for (arm = 1; ok > 0 && arm <= 2; arm++) {
        if (irl__solving_unknown(s, e->a[arm], &k)) ok = irl__solving_part(s, e->a[arm], y);
        else { /* the condition may leave one value */
            const irl__interval r = irl__solving_arm(c, e, arm, v->var);
            v->value = irl_expr_index(c->cx, r.lo);
            ok = r.lo == r.hi ? 1 : -1;
        }
        value[arm] = v->value;
        for (k = c->count - 1; ok > 0 && k >= mark.count; k--) { /* those that stood for terms */
            const irl__change_var *t = &c->vars[k];
            if (t->value) value[arm] = irl__substitute(c->cx, value[arm], 1, &t->var, &t->value);
        }
        irl__solving_back_to(s, &mark);
        v->value = NULL;
    }
    if (ok <= 0) return ok;
    value[0] = irl__expr_op(c->cx, IRL_OP_SELECT, 3, value, irl__nowhere());
    if (!value[0]) return 0;
    irl__solving_learn(s, one, value[0], 1);
    return irl__change_check(c, irl__change_op(c, IRL_OP_EQ, e, y));
}

/* A sum with names, none of it below 0, cut by one of its strides: what is divided by it, and the
   rest. */
static int irl__solving_cut(irl__solving *s, const irl__change_sum *sum, uint64_t which,
                            const irl_expr *y)
{
    irl__change    *c = s->u->c;
    const irl_expr *whole = irl__change_sum_part(s->u, sum, which, 0), *part[2], *value[2];
    const irl_expr *of = irl__solving_rest(s, sum, which, c->zero, y);
    if (!whole || !of) return 0;
    for (int k = 0; k < sum->count && s->depth < IRL__SOLVING_CUTS; k++) {
        const irl_expr *by = sum->term[k].coef;
        if (!(which >> k & 1) || by->op == IRL_OP_INT || irl__interval_of(c->an, by).lo < 1)
            continue;
        for (int high = 0; high < 2; high++) {
            const irl_op op = high ? IRL_OP_FLOORDIV : IRL_OP_FLOORMOD;
            part[high] = irl__change_op(c, op, whole, by);
            part[high] = part[high] ? irl__simplify(c->an, part[high]) : NULL;
            value[high] = irl__change_op(c, op, of, by);
            if (!part[high] || !value[high]) return 0;
        }
        const irl__solving_mark mark = irl__solving_at(s);
        s->depth++;
        const int ok = irl__solving_all(s, 2, part, value);
        s->depth--;
        if (ok >= 0) return ok;
        irl__solving_back_to(s, &mark);
    }
    return -1;
}

/* Each stride is at least the one below times its extent. Then a number below the least stride can
   be added without a change of any digit. In 7*u + 3*v with v < 3 it cannot: 6 + 1 is 7. */
static int irl__solving_has_room(irl__solving *s, const irl__change_sum *sum,
                                 const irl__change_digits *d)
{
    irl__change *c = s->u->c;
    for (int k = 1; k < d->count; k++) {
        const irl__change_digit *below = &d->digit[k - 1];
        const irl_expr *extent = c->vars[s->u->alive[sum->term[below->term].alive]].extent,
                       *room = irl__change_mul(c, below->stride, extent);
        if (!room || (!irl__change_le(c, room, d->digit[k].stride) &&
                      !irl__change_same(c, room, d->digit[k].stride) &&
                      !irl__change_quotient(c, d->digit[k].stride, room)))
            return 0;
    }
    return 1;
}

/* e == y for a sum, or the quotient or remainder of one: 1 its variables are known now, 0 failed,
   -1 not. */
static int irl__solving_sum(irl__solving *s, const irl_expr *e, const irl_expr *y,
                            irl__change_sum *sum, uint64_t which)
{
    irl__change       *c = s->u->c;
    const int          is_quotient = e->op == IRL_OP_FLOORDIV;
    const irl_expr    *m = is_quotient || e->op == IRL_OP_FLOORMOD ? e->a[1] : NULL, *of = y,
                   *check = NULL;
    irl__change_digits d;
    const int          have = irl__change_digits_of(s->u, sum, which, &d);
    if (is_quotient) {
        /* every stride is at least m: the sum is at most m*y + m - 1, and what it lacks is below
           the least stride */
        if (!have || !irl__change_le(c, m, d.digit[0].stride) || !irl__solving_has_room(s, sum, &d))
            return -1;
        of = irl__change_op(c, IRL_OP_ADD, irl__change_op(c, IRL_OP_MUL, y, m),
                            irl__change_sub(c, m, c->one));
    } else if (!have || (m && !irl__change_le(c, d.reach, m) && !irl__change_same(c, d.room, m))) {
        const int ok = m ? irl__solving_rotated(s, sum, which, m, y)
                         : irl__solving_cut(s, sum, which, y);
        return ok > 0 && m && y != s->cells[s->at]
                   ? irl__change_check(c, irl__change_op(c, IRL_OP_EQ, e, y))
                   : ok;
    }
    of = irl__solving_rest(s, sum, which, d.least, of);
    if (m && !is_quotient) of = irl__change_op(c, IRL_OP_FLOORMOD, of, m);
    if (is_quotient || (m && y != s->cells[s->at])) check = irl__change_op(c, IRL_OP_EQ, e, y);
    return irl__solving_digits(s, sum, &d, of,
                               (m || of == s->cells[s->at]) &&
                                   irl__change_same(c, d.reach, m ? m : s->box[s->at]),
                               check);
}

/* The one term that is not known; -1: there are several, or it is a variable. */
static int irl__solving_only(const irl__solving *s, const irl__change_sum *sum)
{
    int one, only = -1;
    for (int k = 0; k < sum->count; k++) {
        if (!irl__solving_unknown(s, sum->term[k].atom, &one)) continue;
        if (only >= 0 || sum->term[k].alive >= 0) return -1;
        only = k;
    }
    return only;
}

/* What it is where the sum is y, or, where it is added or subtracted once, the sum's remainder by
   m. NULL: y does not say it. */
static const irl_expr *irl__solving_only_value(irl__solving *s, const irl__change_sum *sum, int k,
                                               const irl_expr *m, const irl_expr *y)
{
    irl__change            *c = s->u->c;
    const irl__change_term *t = &sum->term[k];
    const irl__interval     r = irl__interval_of(c->an, t->atom);
    const irl_expr         *least = NULL, *of;
    int64_t                 n;
    if (t->coef->op != IRL_OP_INT || (m && t->coef->u.i != 1 && t->coef->u.i != -1)) return NULL;
    if (m && (m->op != IRL_OP_INT || !irl__sub64(r.hi, r.lo, &n) || n >= m->u.i)) return NULL;
    of = irl__solving_rest(s, sum, UINT64_C(1) << k, c->zero, y);
    const irl_expr *stride = t->coef;
    if (t->coef->u.i < 0) {
        of = irl__change_op(c, IRL_OP_SUB, c->zero, of);
        stride = irl__change_sub(c, c->zero, stride);
    }
    if (stride && stride != c->one) {
        const irl_expr *rest = irl__change_op(c, IRL_OP_FLOORMOD, of, stride);
        if (!irl__change_check(c, irl__change_op(c, IRL_OP_EQ, rest, c->zero))) return NULL;
        of = irl__change_op(c, IRL_OP_FLOORDIV, of, stride);
    }
    if (!m) return stride && of && c->named ? irl__simplify(c->an, of) : stride ? of : NULL;
    if (r.lo) of = irl__change_op(c, IRL_OP_SUB, of, least = irl_expr_index(c->cx, r.lo));
    of = irl__change_op(c, IRL_OP_FLOORMOD, of, m);
    return least ? irl__change_op(c, IRL_OP_ADD, of, least) : of;
}

/* f + c*(m / d) == y where m % d == w is known: f*d + c*m == y*d + c*w. */
static int irl__solving_undivided(irl__solving *s, const irl_expr *e, const irl_expr *y,
                                  const irl__change_sum *sum)
{
    irl__change *c = s->u->c;
    for (int k = 0; k < sum->count; k++)
        for (int j = 0; j < s->half_count; j++) {
            const irl_expr *q = sum->term[k].atom, *r = s->half[j], *by = sum->term[k].coef;
            if (q->op != IRL_OP_FLOORDIV || r->op != IRL_OP_FLOORMOD || q->a[0] != r->a[0] ||
                q->a[1] != r->a[1])
                continue;
            const irl_expr *f = irl__change_sum_part(s->u, sum, ~(UINT64_C(1) << k), 1);
            f = irl__change_op(c, IRL_OP_ADD, irl__change_op(c, IRL_OP_MUL, f, q->a[1]),
                               irl__change_op(c, IRL_OP_MUL, q->a[0], by));
            const irl_expr *value = irl__change_op(c, IRL_OP_MUL, y, q->a[1]);
            value = irl__change_op(c, IRL_OP_ADD, value,
                                   irl__change_op(c, IRL_OP_MUL, s->half_value[j], by));
            if (!f || !value) return 0;
            s->depth++;
            const int ok = irl__solving_part(s, f, value);
            s->depth--;
            return ok > 0 ? irl__change_check(c, irl__change_op(c, IRL_OP_EQ, e, y)) : ok;
        }
    return -1;
}

/* The same, and then the terms of the sum that are no variables. */
static int irl__solving_named(irl__solving *s, const irl_expr *e, const irl_expr *y)
{
    irl__change            *c = s->u->c;
    const int               is_sum = e->op != IRL_OP_FLOORDIV && e->op != IRL_OP_FLOORMOD;
    const irl__solving_mark mark = irl__solving_at(s);
    irl__change_sum         sum;
    irl__named_terms        named;
    if (!is_sum && (irl__uses_moves(s->u, e->a[1]) || irl__interval_of(c->an, e->a[1]).lo < 1))
        return -1;
    if (s->is_asked_again && e->size > IRL__CHANGE_NODES) return -1;
    if (s->depth == IRL__SOLVING_DEPTH || !irl__change_sum_of(s->u, is_sum ? e : e->a[0], &sum))
        return -1;
    if (is_sum && sum.count == 1 && sum.term[0].atom == e && sum.term[0].alive < 0) return -1;
    int k = irl__solving_only(s, &sum);
    if (k >= 0 && e->op != IRL_OP_FLOORDIV) {
        const int       checks = c->check_count;
        const irl_expr *of = irl__solving_only_value(s, &sum, k, is_sum ? NULL : e->a[1], y);
        if (of) {
            if (!is_sum && !irl__change_check(c, irl__change_op(c, IRL_OP_EQ, e, y))) return 0;
            s->depth++;
            const int ok = irl__solving_part(s, sum.term[k].atom, of);
            s->depth--;
            if (ok < 0) c->check_count = checks;
            return ok;
        }
    }
    int ok = is_sum && s->is_asked_again ? irl__solving_undivided(s, e, y, &sum) : -1;
    if (ok >= 0) return ok;
    uint64_t which = irl__solving_terms(s, &sum, &named);
    ok = which ? irl__solving_sum(s, e, y, &sum, which) : -1;
    s->depth++;
    if (ok > 0) ok = irl__solving_all(s, named.count, named.atom, named.value);
    s->depth--;
    if (ok < 0) irl__solving_back_to(s, &mark);
    return ok;
}

static int irl__solving_by_form(irl__solving *s, const irl_expr *e, const irl_expr *y)
{
    switch (e->op) {
    case IRL_OP_BITXOR: {
        int one;
        for (int side = 0; side < 2; side++)
            if (!irl__solving_unknown(s, e->a[1 - side], &one))
                return irl__solving_part(s, e->a[side],
                                         irl__change_op(s->u->c, IRL_OP_BITXOR, y, e->a[1 - side]));
        return -1;
    }
    case IRL_OP_SELECT:
    case IRL_OP_IF_THEN_ELSE: return irl__solving_choice(s, e, y);
    case IRL_OP_VAR:
    case IRL_OP_ADD:
    case IRL_OP_SUB:
    case IRL_OP_NEG:
    case IRL_OP_MUL:
    case IRL_OP_FLOORDIV:
    case IRL_OP_FLOORMOD: return irl__solving_named(s, e, y);
    default: return -1;
    }
}

/* The variable's value by y, from all values of e, which holds no other; NULL: they are many, or
   not all different. */
static const irl_expr *irl__solving_looked_at(irl__solving *s, const irl_expr *e, int alive,
                                              const irl_expr *y)
{
    irl__change           *c = s->u->c;
    const irl__change_var *v = &c->vars[s->u->alive[alive]];
    const int64_t          n = v->extent->op == IRL_OP_INT ? v->extent->u.i : 0;
    int64_t                value[IRL__SOLVING_VALUES];
    const irl_expr        *back = NULL;
    if (n < 1 || n > IRL__SOLVING_VALUES || n * e->size > c->looks) return NULL;
    for (int64_t x = 0; x < n; x++) {
        if (!irl__work(c->cx, (int64_t)e->size * 4) ||
            irl__value_at(e, 1, &v->var, &x, &value[x]) != IRL__FOLD_OK)
            return NULL;
        for (int64_t k = 0; k < x; k++)
            if (value[k] == value[x]) return NULL;
    }
    for (int64_t x = n - 1; x >= 0 && (back || x == n - 1); x--) {
        const irl_expr *is = irl_expr_index(c->cx, x),
                       *at = irl__change_op(c, IRL_OP_EQ, y, irl_expr_index(c->cx, value[x]));
        back = back && at ? irl_expr_op3(c->cx, IRL_OP_SELECT, at, is, back) : back ? NULL : is;
    }
    return back;
}

/* q is m / c, and r is m % c; m may be a quotient by a number itself. */
static int irl__solving_is_quotient(const irl_expr *q, const irl_expr *r)
{
    const irl_expr *m = r->a[0];
    int64_t         by;
    if (m == q->a[0]) return q->a[1] == r->a[1];
    return m->op == IRL_OP_FLOORDIV && m->a[0] == q->a[0] && irl__number_two(m->a[1], r->a[1]) &&
           r->a[1]->u.i > 1 && irl__mul64(m->a[1]->u.i, r->a[1]->u.i, &by) &&
           irl__is_int(q->a[1], by);
}

/* What a == x and b == y say together: m / c and m % c give m, the lesser and the larger of two
   their sum. Its value; NULL: nothing. */
static const irl_expr *irl__solving_together(irl__change *c, const irl_expr *a, const irl_expr *x,
                                             const irl_expr *b, const irl_expr *y,
                                             const irl_expr **what)
{
    if (a->op == IRL_OP_FLOORMOD && b->op == IRL_OP_FLOORDIV)
        return irl__solving_together(c, b, y, a, x, what);
    if (a->op == IRL_OP_FLOORDIV && b->op == IRL_OP_FLOORMOD && irl__solving_is_quotient(a, b)) {
        *what = b->a[0];
        return irl__change_op(c, IRL_OP_ADD, irl__change_op(c, IRL_OP_MUL, x, b->a[1]), y);
    }
    if (!(a->op == IRL_OP_MIN && b->op == IRL_OP_MAX) &&
        !(a->op == IRL_OP_MAX && b->op == IRL_OP_MIN))
        return NULL;
    const int turned = a->a[0] != b->a[0];
    if (a->a[0] != b->a[turned] || a->a[1] != b->a[1 - turned]) return NULL;
    *what = irl__change_op(c, IRL_OP_ADD, a->a[0], a->a[1]);
    return *what ? irl__change_op(c, IRL_OP_ADD, x, y) : NULL;
}

/* e == y does not say enough alone: it is kept, or solved with another one. Alone all are asked
   first. */
static int irl__solving_half(irl__solving *s, const irl_expr *e, const irl_expr *y)
{
    irl__change    *c = s->u->c;
    const irl_expr *what, *value = NULL;
    int             at = 0;
    if ((e->op != IRL_OP_FLOORDIV && e->op != IRL_OP_FLOORMOD && e->op != IRL_OP_MIN &&
         e->op != IRL_OP_MAX) || s->depth == IRL__SOLVING_DEPTH)
        return -1;
    for (int k = 0; s->is_asked_again && k < s->half_count && !value && irl__ok(c->cx); k++)
        value = irl__solving_together(c, e, y, s->half[k], s->half_value[k], &what);
    if (value) {
        s->depth++;
        const int ok = irl__solving_part(s, what, value);
        s->depth--;
        return ok > 0 ? irl__change_check(c, irl__change_op(c, IRL_OP_EQ, e, y)) : ok;
    }
    while (at < s->half_count && s->half[at] != e) at++;
    /* a value that is kept stays: in an arm of a choice, y holds there alone */
    if (at == s->half_count && at < IRL__SOLVING_HALVES) {
        s->half[at] = e;
        s->half_value[at] = y;
        s->half_count++;
    }
    return irl__ok(c->cx) ? -1 : 0;
}

/* e == y, where e has unknown variables. 1 they are known now, 0 failed, -1 not. */
static int irl__solving_part(irl__solving *s, const irl_expr *e, const irl_expr *y)
{
    int ok = y ? irl__solving_by_form(s, e, y) : 0;
    if (ok < 0) ok = irl__solving_half(s, e, y);
    /* One unknown variable, for which e maps one to one onto the same values, or onto more. */
    if (ok >= 0) return ok;
    irl__change    *c = s->u->c;
    const irl_expr *back, *extent, *wanted = NULL;
    int             one;
    if (irl__solving_unknown(s, e, &one) != 1) return -1;
    extent = c->vars[s->u->alive[one]].extent;
    int found = irl__change_back(s->u, e, one, extent, y, &back, &wanted);
    if (!found && wanted) found = irl__change_back(s->u, e, one, wanted, y, &back, &wanted);
    if (!found && !(back = irl__solving_looked_at(s, e, one, y))) return irl__ok(c->cx) ? -1 : 0;
    irl__solving_learn(s, one, back, 1);
    return irl__change_check(c, irl__change_op(c, IRL_OP_EQ, e, y));
}

/* e == y, which is known. An index that is the same for all points is the last of its axis. */
static int irl__solving_check(irl__solving *s, const irl_expr *e, const irl_expr *y)
{
    irl__change *c = s->u->c;
    const int    is_last = c->named && s->depth == 0 && !irl__uses_moves(s->u, e);
    return irl__change_check(c, is_last ? irl__change_op(c, IRL_OP_GE, y, e)
                                        : irl__change_op(c, IRL_OP_EQ, e, y));
}

/* e[k] == y[k] for all k. One whose variables became known by others is a check; the others are
   asked again, in both directions. */
static int irl__solving_all(irl__solving *s, int count, const irl_expr *const *e,
                            const irl_expr *const *y)
{
    unsigned char done[IRL__CHANGE_TERMS];
    int           left = count, before = left + 1, up = 1, one;
    memset(done, 0, sizeof done);
    for (int pass = 0; left && (left < before || (pass < 2 && s->depth == 0)); pass++, up = !up) {
        before = left;
        for (int i = 0; i < count; i++) {
            const int k = up ? i : count - 1 - i;
            if (done[k]) continue;
            if (s->depth == 0) s->at = k, s->is_asked_again = pass > 0;
            int ok = irl__solving_unknown(s, e[k], &one) ? irl__solving_part(s, e[k], y[k])
                                                         : irl__solving_check(s, e[k], y[k]);
            if (ok == 0) return 0;
            done[k] = ok > 0;
            left -= ok > 0;
        }
    }
    return left ? -1 : 1;
}

int irl__change_solve(irl__change *c, const irl_expr *const *cells, const irl_expr *const *box)
{
    irl__arena_mark mark = irl__scratch_begin(c->cx);
    irl__uses       u;
    irl__solving    s;
    int             k, ok = irl__uses_make(&u, c);
    memset(&s, 0, sizeof s);
    s.u = &u;
    s.cells = cells;
    s.box = box;
    if (ok > 0) ok = irl__solving_all(&s, c->output_count, c->outputs, cells);
    for (k = 0; ok > 0 && k < u.alive_count; k++) { /* the others are in no output */
        if (irl__holds_one(&s.known, k)) continue;
        if (!irl__change_same(c, c->vars[u.alive[k]].extent, c->one)) ok = -1;
        else irl__solving_learn(&s, k, c->zero, 0);
    }
    for (k = 0; k < u.alive_count; k++)
        if (!irl__holds_one(&s.known, k)) c->vars[u.alive[k]].value = NULL;
    irl__scratch_end(c->cx, mark);
    return irl__ok(c->cx) ? (ok ? ok : -1) : 0;
}
