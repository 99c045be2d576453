/* order.c - the ends of ranges, as expressions; is a sum never negative?

   needs     sums, ranges, facts; what was bound to an extent
   promises  no value is beyond the end that is returned, whatever the parameters are; NULL if none
             is known; yes only if it is so for all values that the analyzer admits. A sum is
             divided into parts, never searched; a divisor d is a number or has names:
               undivided   m/d + r >= 0 is m + d*r >= 0, and r - m/d >= 0 is d*r - m + d - 1 >= 0
               factored    f*(a + b) >= 0 where f >= 0 and a + b >= 0
               unrounded   d*(m/d) is between m - d + 1 and m
               to an end   a factor gives way to the end of its range that makes the sum smallest

   Both are one file because each needs the other: the end of a product depends on the signs of its
   factors, and signs on ends. */
#include "engine.h"

/* ------------------------------------------------------------------ ends */

int irl__expr_moves(irl__analyzer *an, const irl_expr *e)
{
    if (e->op == IRL_OP_VAR) {
        const irl__known *known = irl__known_find(an, e);
        return known && known->since >= an->fixed && (known->first || known->is_iterator);
    }
    for (uint32_t k = 0; k < e->count; k++)
        if (irl__expr_moves(an, e->a[k])) return 1;
    return 0;
}

/* The end of its symbolic range; NULL: none is known, or it reads memory, which may change. */
static const irl_expr *irl__known_end(const irl__known *known, int sign, int memory_stays)
{
    const irl_expr *end = known ? (sign > 0 ? known->last : known->first) : NULL;
    return end && (memory_stays || !(end->flags & IRL__HAS_MEMORY)) ? end : NULL;
}

enum { IRL__BOUND_MODS = 4 }; /* within each other, of which both ends are looked at */

/* m % c: between the remainders of m's ends, where these have one quotient; else its largest value
   is c - 1 at most, or that of m where m starts at 0 and does not get there. */
static const irl_expr *irl__bound_of_mod(irl__analyzer *an, const irl_expr *e, int sign, int depth)
{
    const irl_expr *c = e->a[1], *zero = irl_expr_int(an->cx, e->type, 0), *last = NULL;
    const int       truncates = e->op == IRL_OP_TRUNCMOD && irl__range_of(an, e->a[0]).lo < 0;
    if (irl__range_of(an, c).lo < 1) return NULL;
    const irl_expr *first = irl__bound_of(an, e->a[0], -1, depth);
    const irl_expr *most = irl__make2(an, IRL_OP_SUB, c, irl_expr_int(an->cx, e->type, 1));
    if (first && !truncates && (sign > 0 || depth < IRL__BOUND_MODS))
        last = irl__bound_of(an, e->a[0], 1, depth);
    const irl_expr *q = last ? irl__make2(an, IRL_OP_FLOORDIV, first, c) : NULL,
                   *p = q ? irl__make2(an, IRL_OP_FLOORDIV, last, c) : NULL;
    q = p ? irl__simplify_node(an, q) : NULL;
    p = q ? irl__simplify_node(an, p) : NULL;
    q = p ? irl__make2(an, IRL_OP_SUB, q, p) : NULL;
    if (q && irl__bound_nonnegative(an, q))
        return irl__make2(an, IRL_OP_FLOORMOD, sign > 0 ? last : first, c);
    if (sign < 0) return truncates ? irl__make2(an, IRL_OP_SUB, zero, most) : zero;
    return last && irl__is_int(first, 0) ? irl__make2(an, IRL_OP_MIN, last, most) : most;
}

int irl__bound_nonnegative(irl__analyzer *an, const irl_expr *e)
{
    if (irl__range_of(an, e).lo >= 0) return 1;
    irl__sum s = irl__sum_begin(an, e->type);
    int      ok = irl__sum_add_done(an, &s, e, 1) && irl__sum_nonnegative(an, &s);
    irl__sum_end(an, &s);
    return ok;
}

/* Of two arms, or of the lesser or the larger of two. */
static const irl_expr *irl__bound_of_either(irl__analyzer *an, const irl_expr *e, int sign,
                                            int depth)
{
    const int       is_choice = e->count == 3;
    const irl_expr *x[3] = { e->a[0], irl__bound_of(an, e->a[is_choice], sign, depth), NULL };
    x[2] = x[1] ? irl__bound_of(an, e->a[1 + is_choice], sign, depth) : NULL;
    if (!x[2]) return NULL;
    if (is_choice && !irl__expr_moves(an, e->a[0])) return irl__make_with(an, e, x);
    return irl__make2(an, !is_choice ? (irl_op)e->op : sign < 0 ? IRL_OP_MIN : IRL_OP_MAX, x[1],
                      x[2]);
}

/* a*b for factors that are not negative, or of which one is the same everywhere and has one sign.
   The product of two lower bounds that may be negative would be no lower bound: then it is 0, which
   irl__reach does not take for reached. */
static const irl_expr *irl__bound_of_product(irl__analyzer *an, const irl_expr *e, int sign,
                                             int depth)
{
    const int           moving = irl__expr_moves(an, e->a[0]) ? 0 : 1;
    const irl__interval by = irl__expr_moves(an, e->a[1 - moving])
                                 ? irl__interval_any()
                                 : irl__range_of(an, e->a[1 - moving]);
    if (by.hi <= 0) sign = -sign;
    const irl_expr *a = irl__bound_of(an, e->a[0], sign, depth),
                   *b = irl__bound_of(an, e->a[1], sign, depth);
    if (!a || !b) return NULL;
    if (by.hi > 0 && irl__bound_nonnegative(an, e->a[0]) && irl__bound_nonnegative(an, e->a[1])) {
        if (sign < 0 && (!irl__bound_nonnegative(an, a) || !irl__bound_nonnegative(an, b)))
            return irl_expr_int(an->cx, e->type, 0);
    } else if (by.lo < 0 && by.hi > 0) return NULL;
    return irl__make2(an, IRL_OP_MUL, a, b);
}

static const irl_expr *irl__bound_of_sum(irl__analyzer *an, const irl_expr *e, int sign, int depth)
{
    irl__sum        s = irl__sum_begin(an, e->type);
    const irl_expr *out = NULL;
    int             ok = irl__sum_add_done(an, &s, e, 1);
    irl__sum_compact(an, &s);
    irl__sum r = irl__sum_begin(an, e->type);
    r.constant = s.constant;
    for (int k = 0; ok && k < s.count; k++) {
        irl__term       t = an->terms[s.first + k];
        const irl_expr *b = irl__bound_of(an, t.atom, t.coef > 0 ? sign : -sign, depth);
        b = irl__simplify_node(an, b);
        ok = b && irl__sum_add_done(an, &r, b, t.coef);
    }
    irl__sum_compact(an, &r);
    if (ok) out = irl__sum_emit_terms(an, &r);
    irl__sum_end(an, &s);
    return out;
}

const irl_expr *irl__bound_of(irl__analyzer *an, const irl_expr *e, int sign, int depth)
{
    const irl__known *known;
    const irl_expr   *a;
    irl__interval     d;
    if (depth > 32) return NULL;
    if (!irl__expr_moves(an, e)) return e; /* made of parameters and constants */
    switch (e->op) {
    case IRL_OP_VAR:
        known = irl__known_find(an, e);
        a = irl__known_end(known, sign, an->memory_stays);
        if (a) return a;
        if (known && known->is_iterator)
            return irl_expr_int(an->cx, e->type, sign > 0 ? known->range.hi : known->range.lo);
        return NULL;
    case IRL_OP_FLOORDIV:
    case IRL_OP_TRUNCDIV:
        d = irl__range_of(an, e->a[1]);
        a = (d.lo >= 1 || d.hi <= -1) && !irl__expr_moves(an, e->a[1])
                ? irl__bound_of(an, e->a[0], d.lo >= 1 ? sign : -sign, depth + 1)
                : NULL;
        return a ? irl__make2(an, (irl_op)e->op, a, e->a[1]) : NULL;
    case IRL_OP_FLOORMOD:
    case IRL_OP_TRUNCMOD:
        return irl__expr_moves(an, e->a[1]) ? NULL : irl__bound_of_mod(an, e, sign, depth + 1);
    case IRL_OP_MIN:
    case IRL_OP_MAX:
    case IRL_OP_SELECT:
    case IRL_OP_IF_THEN_ELSE: return irl__bound_of_either(an, e, sign, depth + 1);
    case IRL_OP_MUL:
        if (e->a[0]->op != IRL_OP_INT && e->a[1]->op != IRL_OP_INT)
            return irl__bound_of_product(an, e, sign, depth + 1);
        return irl__bound_of_sum(an, e, sign, depth + 1);
    case IRL_OP_ADD:
    case IRL_OP_SUB:
    case IRL_OP_NEG: return irl__bound_of_sum(an, e, sign, depth + 1);
    default: return NULL;
    }
}

/* ------------------------------------------------------------------ signs */

/* The largest (sign 1) or least value of one factor, where that is not a number: its symbolic
   bound, or the end of what a remainder can be. */
static const irl_expr *irl__sign_end_of_factor(irl__analyzer *an, const irl_expr *f, int sign)
{
    const int       stays = an->memory_stays;
    const irl_expr *bound = irl__known_end(irl__known_find(an, f), sign, 0);
    an->memory_stays = 0; /* a proof holds for longer */
    if (irl__type_is_index(f->type) && f->op == IRL_OP_FLOORDIV && irl__expr_moves(an, f))
        bound = irl__simplify_node(an, irl__bound_of(an, f, sign, 0));
    if (irl__type_is_index(f->type) && f->op == IRL_OP_FLOORMOD && f->a[1]->op == IRL_OP_INT &&
        sign > 0 && irl__range_of(an, f->a[0]).lo >= 0)
        /* m % c <= m for m >= 0 */
        bound = irl__simplify_node(an, irl__bound_of(an, f->a[0], sign, 0));
    if (irl__type_is_index(f->type) && f->op == IRL_OP_FLOORMOD && f->a[1]->op != IRL_OP_INT &&
        sign > 0 && irl__range_of(an, f->a[1]).lo >= 1)
        bound = irl__make2(an, IRL_OP_SUB, f->a[1], irl_expr_int(an->cx, f->type, 1));
    an->memory_stays = stays;
    return bound && bound->op != IRL_OP_INT ? bound : NULL;
}

/* Where a factor of this term has a symbolic bound that makes the term smallest: the term with that
   bound in its place. */
static const irl_expr *irl__sign_end_of_term(irl__analyzer *an, irl__term t)
{
    const irl_expr *e = t.atom;
    for (;; e = e->a[0]) {
        const irl_expr *f = e->op == IRL_OP_MUL ? e->a[1] : e, *others,
                       *bound = irl__sign_end_of_factor(an, f, t.coef < 0 ? 1 : -1);
        if (bound && irl__product_quotient(an, t.atom, f, &others)) {
            if (!others) return bound;
            if (irl__range_of(an, others).lo >= 0) return irl__make2(an, IRL_OP_MUL, bound, others);
        }
        if (e->op != IRL_OP_MUL) return NULL;
    }
}

/* Replaces one variable by the end of its symbolic range that makes s smallest. */
static int irl__sign_to_end(irl__analyzer *an, irl__sum *s)
{
    for (int k = s->count - 1; k >= 0; k--) {
        irl__term       t = an->terms[s->first + k];
        const irl_expr *bound = irl__sign_end_of_term(an, t);
        if (!bound) continue;
        an->terms[s->first + k].coef = 0;
        irl__sum_compact(an, s);
        return irl__sum_add_done(an, s, bound, t.coef) && (irl__sum_compact(an, s), 1);
    }
    return 0;
}

/* A divisor that is at least 1, and no 1: a number, or of index arithmetic, since what is
   multiplied by names is computed and must not wrap. */
static int irl__sign_divides(irl__analyzer *an, const irl_expr *d)
{
    if (d->op == IRL_OP_INT) return d->u.i > 1;
    return irl__type_is_index(d->type) && irl__range_of(an, d).lo >= 1;
}

/* u += d * (s without its term `at`). */
static int irl__sign_add_times(irl__analyzer *an, irl__sum *u, const irl__sum *s, int at,
                               const irl_expr *d)
{
    int64_t         c;
    if (d->op == IRL_OP_INT)
        return irl__mul64(s->constant, d->u.i, &c) && irl__add64(u->constant, c, &u->constant) &&
               irl__sum_add_others(an, u, s, at, d->u.i);
    irl__sum r = irl__sum_begin(an, s->type);
    r.constant = s->constant;
    const irl_expr *rest = irl__sum_add_others(an, &r, s, at, 1) ? irl__sum_emit(an, &r) : NULL;
    irl__sum_end(an, &r);
    rest = rest ? irl__make2(an, IRL_OP_MUL, rest, d) : NULL;
    return rest && irl__sum_add_done(an, u, rest, 1);
}

/* m/d + r >= 0 is m + d*r >= 0, and r - m/d >= 0 is d*r - m + d - 1 >= 0: what m and r share
   cancels. True after the change. */
static int irl__sign_undivided(irl__analyzer *an, irl__sum *s)
{
    for (int k = 0; k < s->count; k++) {
        irl__term t = an->terms[s->first + k];
        if (t.atom->op != IRL_OP_FLOORDIV || (t.coef != 1 && t.coef != -1) ||
            !irl__sign_divides(an, t.atom->a[1]))
            continue;
        irl__sum u = irl__sum_begin(an, s->type);
        u.constant = t.coef > 0 ? 0 : -1;
        if (irl__sign_add_times(an, &u, s, k, t.atom->a[1]) &&
            irl__sum_add_done(an, &u, t.atom->a[0], t.coef) &&
            (t.coef > 0 || irl__sum_add_done(an, &u, t.atom->a[1], 1))) {
            irl__sum_replace(an, s, &u);
            return 1;
        }
        irl__sum_end(an, &u);
    }
    return 0;
}

/* The term c*q*(m/d) of s, where c is d times a number, and q >= 0 or NULL for 1, by what is never
   larger: c*q is d*by. False if that overflows: then s is as before. */
static int irl__sign_exchange(irl__analyzer *an, irl__sum *s, int at, const irl_expr *division,
                              irl__monomial by)
{
    const irl_expr *m = division->a[0], *d = division->a[1];
    irl__sum        u = irl__sum_begin(an, s->type);
    int             ok;
    u.constant = s->constant;
    if (by.e) {
        if (by.c > 0)
            m = irl__make2(an, IRL_OP_ADD, irl__make2(an, IRL_OP_SUB, m, d),
                           irl_expr_int(an->cx, d->type, 1));
        m = irl__make2(an, IRL_OP_MUL, m, by.e);
        ok = m && irl__sum_add_done(an, &u, m, by.c);
    } else {
        ok = irl__sum_add_done(an, &u, m, by.c);
        if (ok && by.c > 0) /* by*(m - d + 1) */
            ok = irl__sum_add_done(an, &u, d, -by.c) &&
                 irl__add64(u.constant, by.c, &u.constant);
    }
    ok = ok && irl__sum_add_others(an, &u, s, at, 1);
    if (ok) irl__sum_replace(an, s, &u);
    else irl__sum_end(an, &u);
    return ok;
}

/* d*(m/d)*q for q >= 0 lies between (m - d + 1)*q and m*q: the end that makes s smaller takes its
   place. */
static int irl__sign_unrounded(irl__analyzer *an, irl__sum *s)
{
    irl__monomial   scale, d;
    const irl_expr *e;
    for (int k = 0; k < s->count; k++) {
        irl__term t = an->terms[s->first + k];
        for (e = t.atom; ; e = e->a[0]) {
            const irl_expr *f = e->op == IRL_OP_MUL ? e->a[1] : e;
            scale.c = t.coef;
            if (f->op == IRL_OP_FLOORDIV && irl__sign_divides(an, f->a[1]) &&
                irl__monomial_of(an, f->a[1], &d) &&
                irl__product_quotient(an, t.atom, f, &scale.e) &&
                irl__monomial_divide(an, scale, d, &scale) && scale.c != 0 &&
                (!scale.e || irl__range_of(an, scale.e).lo >= 0) &&
                irl__sign_exchange(an, s, k, f, scale))
                return 1;
            if (e->op != IRL_OP_MUL) break;
        }
    }
    return 0;
}

/* f*a + f*b with f >= 0 is f*(a + b): the sign of the factor in brackets decides. Condition: index
   arithmetic. */
static int irl__sign_factored(irl__analyzer *an, const irl__sum *s)
{
    const irl_expr *e;
    int             ok = 0;
    if (!irl__type_is_index(s->type) || s->count < 2 || s->constant != 0 ||
        !(e = irl__sum_emit(an, s)) || e->op != IRL_OP_MUL || e->a[1]->op == IRL_OP_INT)
        return 0;
    if (irl__range_of(an, e->a[1]).lo < 0) return 0;
    irl__sum u = irl__sum_begin(an, s->type);
    ok = irl__sum_add_done(an, &u, e->a[0], 1) &&
         (irl__sum_compact(an, &u), irl__sum_range_known(an, &u).lo >= 0);
    irl__sum_end(an, &u);
    return ok;
}

/* Is s, in which a quotient stands, not negative where a variable is at its end, which has that
   quotient too: i < m/d*d? What irl__sign_unrounded puts in its place would not cancel. */
static int irl__sign_at_end(irl__analyzer *an, const irl__sum *s)
{
    int      k, ok = 0;
    for (k = 0; k < s->count && an->terms[s->first + k].atom->op != IRL_OP_FLOORDIV; k++) {}
    if (!an->symbolic || k == s->count) return 0;
    irl__sum u = irl__sum_begin(an, s->type);
    u.constant = s->constant;
    ok = irl__sum_add_others(an, &u, s, -1, 1) && irl__sign_to_end(an, &u) &&
         irl__sum_range_known(an, &u).lo >= 0;
    irl__sum_end(an, &u);
    return ok;
}

enum { IRL__SIGN_FACTS = 64 }; /* that are tried for one sign */

/* Is s a fact, key >= lo, of those that were stated last, plus a rest that is at least -lo? */
static int irl__sign_by_fact(irl__analyzer *an, const irl__sum *s)
{
    int ok = 0, oldest = an->undo_count > IRL__SIGN_FACTS ? an->undo_count - IRL__SIGN_FACTS : 0;
    for (int k = an->undo_count - 1; !ok && k >= oldest; k--) {
        const irl_expr *key = an->undo[k].key;
        if (!key || (key->op != IRL_OP_ADD && key->op != IRL_OP_SUB) ||
            !irl_type_equal(key->type, s->type))
            continue;
        const irl__known *known = irl__known_find(an, key);
        if (!known || known->range.lo == INT64_MIN) continue;
        irl__sum rest = irl__sum_begin(an, s->type);
        rest.constant = s->constant;
        ok = irl__sum_add_others(an, &rest, s, -1, 1) && irl__sum_add_done(an, &rest, key, -1) &&
             irl__add64(rest.constant, known->range.lo, &rest.constant) &&
             (irl__sum_compact(an, &rest), irl__sum_range(an, &rest).lo >= 0);
        irl__sum_end(an, &rest);
    }
    return ok;
}

/* A minimum that is subtracted, or a maximum that is added, is replaced by either of its parts:
   s only gets smaller. Other minimums and maximums must be replaced by both. Not one inside of
   another: that would multiply the steps. */
static int irl__sign_of_parts(irl__analyzer *an, const irl__sum *s)
{
    int yes = 0;
    if (an->choices) return 0;
    an->choices++;
    for (int at = 0; !yes && at < s->count; at++) {
        const irl__term m = an->terms[s->first + at];
        if (m.atom->op != IRL_OP_MIN && m.atom->op != IRL_OP_MAX) continue;
        const int one_is_enough = (m.atom->op == IRL_OP_MIN) == (m.coef < 0);
        for (int part = 0; part < 2; part++) {
            irl__sum t = irl__sum_begin(an, s->type);
            t.constant = s->constant;
            yes = irl__sum_add_others(an, &t, s, at, 1) &&
                  irl__sum_add_done(an, &t, m.atom->a[part], m.coef) &&
                  irl__sum_nonnegative(an, &t);
            irl__sum_end(an, &t);
            if (yes == one_is_enough) break;
        }
    }
    an->choices--;
    return yes;
}

int irl__sum_nonnegative(irl__analyzer *an, irl__sum *s)
{
    irl__sum_compact(an, s);
    for (int steps = 0; steps < 12; steps++) {
        if (irl__sum_range_known(an, s).lo >= 0) return 1;
        if (s->count > 1 && irl__sign_undivided(an, s))
            continue;
        if (irl__sign_factored(an, s) || (s->count > 1 && irl__sign_at_end(an, s)) ||
            (s->count > 1 && (irl__sign_by_fact(an, s) || irl__sign_of_parts(an, s))))
            return 1;
        if (s->count > 1 && irl__sign_unrounded(an, s))
            continue;
        if (!an->symbolic || !irl__sign_to_end(an, s)) return 0;
    }
    return 0;
}

int irl__sum_reaches(irl__analyzer *an, const irl__sum *s, int sign, int64_t least)
{
    irl__sum t = irl__sum_begin(an, s->type);
    int      yes = irl__sum_add_sum(an, &t, s, sign) &&
              irl__sub64(t.constant, least, &t.constant) && irl__sum_nonnegative(an, &t);
    irl__sum_end(an, &t);
    return yes;
}
