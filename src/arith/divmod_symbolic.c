/* divmod_symbolic.c - division by what is not a constant: extents that have names.

   needs     divmod.c for constants, monomial.c, order.c for the size of rests
   promises  what divmod.c promises. A divisor has a value only where it is not 0, so x*n / n is x
             there; rules that need its sign ask for it

     long division   (q*d + r)/d = q + r/d,  (q*d + r)%d = r%d,  where q is found term by term
     cell            0 <= r < d always               r/d = 0,  r%d = r;   the cells beside it alike
     common factor   (f*a)/(f*b) = a/b               (f*a)%(f*b) = f*(a%b)
     nested          (x/a)/b = x/(a*b)               b > 0
     digit           (x%(a*b))/a = (x/a)%b           a > 0, b > 0
     inner mod       (x%(a*b) + y)%a = (x + y)%a */
#include "engine.h"

/* ------------------------------------------------------------------ long division */

/* r -= c * part * d, *quotient += c * part; part NULL for 1. */
static int irl__symbolic_take(irl__analyzer *an, irl__sum *r, const irl__sum *d,
                              const irl_expr *part, int64_t c, const irl_expr **quotient)
{
    irl__sum        one = irl__sum_begin(an, r->type), copy;
    const irl_expr *whole, *taken;
    int             ok = part ? irl__sum_add_term(an, &one, part, c) : 1;
    if (!part) one.constant = c;
    whole = ok ? irl__sum_emit(an, &one) : NULL;
    irl__sum_end(an, &one);
    copy = irl__sum_begin(an, r->type); /* emitting puts terms in another order: d keeps its own */
    taken = whole && irl__sum_add_sum(an, &copy, d, 1) ? irl__sum_emit(an, &copy) : NULL;
    irl__sum_end(an, &copy);
    taken = taken ? irl__make2(an, IRL_OP_MUL, whole, taken) : NULL;
    if (!taken || !irl__sum_add_done(an, r, taken, -1)) return 0;
    irl__sum_compact(an, r);
    *quotient = *quotient ? irl__make2(an, IRL_OP_ADD, *quotient, whole) : whole;
    return *quotient != NULL;
}

enum { IRL__SYMBOLIC_STEPS = 8 };

/* s = q*d + r with q as large as the leading term of d finds; q and r are new sums above s and
   d. */
static int irl__symbolic_long(irl__analyzer *an, const irl__sum *s, const irl__sum *d, irl__sum *r,
                              const irl_expr **quotient)
{
    int             k, lead = 0, steps;
    const irl_expr *part;
    *quotient = NULL;
    for (k = 1; k < d->count; k++)
        if (an->terms[d->first + k].atom->size > an->terms[d->first + lead].atom->size) lead = k;
    *r = irl__sum_begin(an, s->type);
    if (!irl__sum_add_sum(an, r, s, 1)) return 0;
    for (steps = 0; steps < IRL__SYMBOLIC_STEPS; steps++) {
        irl__term by = an->terms[d->first + lead], t;
        for (k = 0; k < r->count; k++) {
            t = an->terms[r->first + k];
            if (t.coef != 0 && t.coef % by.coef == 0 &&
                irl__product_quotient(an, t.atom, by.atom, &part))
                break;
        }
        if (k == r->count) break;
        if (!irl__symbolic_take(an, r, d, part, an->terms[r->first + k].coef / by.coef, quotient))
            return 0;
    }
    return *quotient != NULL;
}

/* 0 <= r < d always. */
static int irl__symbolic_proper(irl__analyzer *an, const irl__sum *r, const irl__sum *d)
{
    irl__sum t = irl__sum_begin(an, r->type);
    int      ok = irl__sum_add_sum(an, &t, r, 1) && irl__sum_nonnegative(an, &t);
    irl__sum_end(an, &t);
    if (!ok) return 0;
    t = irl__sum_begin(an, r->type);
    ok = irl__sum_add_sum(an, &t, d, 1) && irl__sum_add_sum(an, &t, r, -1) &&
         irl__sub64(t.constant, 1, &t.constant) && irl__sum_nonnegative(an, &t);
    irl__sum_end(an, &t);
    return ok;
}

/* r - cell*d is proper for cell 1 or -1: r becomes that, and its quotient is larger by cell. r is
   the topmost sum. */
static int irl__symbolic_neighbour(irl__analyzer *an, irl__sum *r, const irl__sum *d, int *cell)
{
    irl__sum t;
    int      ok;
    for (*cell = -1; *cell <= 1; *cell += 2) {
        t = irl__sum_begin(an, r->type);
        ok = irl__sum_add_sum(an, &t, r, 1) && irl__sum_add_sum(an, &t, d, -*cell) &&
             (irl__sum_compact(an, &t), irl__symbolic_proper(an, &t, d));
        if (ok) {
            irl__sum_replace(an, r, &t);
            return 1;
        }
        irl__sum_end(an, &t);
    }
    return 0;
}

/* ------------------------------------------------------------------ common factors */

/* Divides every term of s and d by one unknown that all have as a factor; false if there is
   none. */
static int irl__symbolic_common(irl__analyzer *an, irl__sum *s, irl__sum *d,
                                const irl_expr **factor)
{
    const irl_expr *candidate, *rest;
    int             k;
    if (s->count == 0 || s->constant != 0 || d->constant != 0) return 0;
    for (candidate = an->terms[d->first].atom; ; candidate = candidate->a[0]) {
        const irl_expr *f = candidate->op == IRL_OP_MUL ? candidate->a[1] : candidate;
        for (k = 0;
             k < s->count && irl__product_quotient(an, an->terms[s->first + k].atom, f, &rest); k++)
            continue;
        if (k == s->count)
            for (k = 0;
                 k < d->count && irl__product_quotient(an, an->terms[d->first + k].atom, f, &rest);
                 k++)
                continue;
        else k = -1;
        if (k == d->count) {
            *factor = f;
            return 1;
        }
        if (candidate->op != IRL_OP_MUL) return 0;
    }
}

/* The sum with the factor taken out of each term, as an expression. */
static const irl_expr *irl__symbolic_without(irl__analyzer *an, const irl__sum *s,
                                             const irl_expr *factor)
{
    irl__sum        r = irl__sum_begin(an, s->type);
    const irl_expr *rest, *e = NULL;
    int             k, ok = 1;
    for (k = 0; ok && k < s->count; k++) {
        irl__term t = an->terms[s->first + k];
        ok = irl__product_quotient(an, t.atom, factor, &rest);
        if (ok && rest) ok = irl__sum_add_term(an, &r, rest, t.coef);
        else if (ok) ok = irl__add64(r.constant, t.coef, &r.constant);
    }
    if (ok) e = irl__sum_emit(an, &r);
    irl__sum_end(an, &r);
    return e;
}

/* (f*a)/(f*b) = a/b and (f*a)%(f*b) = f*(a%b); f*b is the divisor, so f is not 0. */
static const irl_expr *irl__symbolic_reduced(irl__analyzer *an, irl_op op, irl__sum *s, irl__sum *d,
                                             const irl_expr *factor)
{
    const irl_expr *a = irl__symbolic_without(an, s, factor),
                   *b = a ? irl__symbolic_without(an, d, factor) : NULL;
    a = b ? irl__simplify_node(an, irl__make2(an, op, a, b)) : NULL;
    if (!a || op == IRL_OP_FLOORDIV) return a;
    return irl__simplify_node(an, irl__make2(an, IRL_OP_MUL, a, factor));
}

static void irl__symbolic_shrink(irl__analyzer *an, irl__sum *s, int64_t c)
{
    int k;
    for (k = 0; k < s->count; k++) an->terms[s->first + k].coef /= c;
    s->constant /= c;
}

/* ------------------------------------------------------------- divisions within the dividend */

/* A dividend that is a division or a remainder itself: the rules "nested", "digit" and "inner mod".
   NULL if none applies. */
static const irl_expr *irl__symbolic_nested(irl__analyzer *an, irl_op op, const irl__sum *s,
                                            const irl__sum *d)
{
    irl__term       t;
    irl__monomial   m, by, rest;
    const irl_expr *divisor, *e;
    if (s->count != 1 || s->constant != 0 || an->terms[s->first].coef != 1) return NULL;
    t = an->terms[s->first];
    divisor = irl__sum_emit(an, d);
    if (!divisor || (t.atom->op != IRL_OP_FLOORDIV && t.atom->op != IRL_OP_FLOORMOD)) return NULL;
    if (t.atom->op == IRL_OP_FLOORDIV) {
        if (op != IRL_OP_FLOORDIV || irl__range_of(an, divisor).lo <= 0) return NULL;
        e = irl__make2(an, IRL_OP_MUL, t.atom->a[1], divisor);
        return irl__simplify_node(an, irl__make2(an, op, t.atom->a[0], e));
    }
    if (!irl__monomial_of(an, t.atom->a[1], &m) || !irl__monomial_of(an, divisor, &by) ||
        !irl__monomial_divide(an, m, by, &rest))
        return NULL;
    if (op == IRL_OP_FLOORMOD)
        return irl__simplify_node(an, irl__make2(an, op, t.atom->a[0], divisor));
    if (irl__range_of(an, divisor).lo <= 0) return NULL;
    e = irl__monomial_expr(an, rest, s->type); /* not 0, where the remainder has a value */
    if (!e || irl__range_of(an, e).lo < 0) return NULL;
    return irl__simplify_node(
        an, irl__make2(an, IRL_OP_FLOORMOD,
                       irl__make2(an, IRL_OP_FLOORDIV, t.atom->a[0], divisor), e));
}

/* Whether e is a multiple of the divisor: the same, or both one term each. */
static int irl__symbolic_is_multiple(irl__analyzer *an, const irl_expr *e, const irl_expr *divisor)
{
    irl__monomial m, by, rest;
    return e == divisor || (irl__monomial_of(an, e, &m) && irl__monomial_of(an, divisor, &by) &&
                            irl__monomial_divide(an, m, by, &rest));
}

/* (x%d + y) % d = (x + y) % d: NULL if there is no such term. */
static const irl_expr *irl__symbolic_drop_mods(irl__analyzer *an, const irl__sum *s,
                                               const irl__sum *d)
{
    const irl_expr *divisor = irl__sum_emit(an, d), *e = NULL;
    irl__sum        r;
    int             k, ok;
    if (!divisor || (s->count == 1 && s->constant == 0)) return NULL;
    for (k = 0; k < s->count; k++) {
        irl__term t = an->terms[s->first + k];
        if (t.atom->op != IRL_OP_FLOORMOD || !irl__symbolic_is_multiple(an, t.atom->a[1], divisor))
            continue;
        r = irl__sum_begin(an, s->type);
        r.constant = s->constant;
        ok = irl__sum_add_done(an, &r, t.atom->a[0], t.coef);
        ok = ok && irl__sum_add_others(an, &r, s, k, 1);
        e = ok && irl__sum_merge(an, &r) ? irl__sum_emit(an, &r) : NULL;
        irl__sum_end(an, &r);
        return e ? irl__simplify_node(an, irl__make2(an, IRL_OP_FLOORMOD, e, divisor)) : NULL;
    }
    return NULL;
}

/* ------------------------------------------------------------------ a sum by a sum */

/* The terms of a divisor in the order of their factors, so that equal divisors are one
   expression. */
static void irl__symbolic_order(irl__analyzer *an, const irl__sum *d)
{
    int i, k;
    for (i = 1; i < d->count; i++) {
        irl__term t = an->terms[d->first + i];
        for (k = i; k > 0 && irl__factor_compare(t.atom, an->terms[d->first + k - 1].atom) < 0; k--)
            an->terms[d->first + k] = an->terms[d->first + k - 1];
        an->terms[d->first + k] = t;
    }
}

/* By the rules "long division" and "cell", where no other applies. */
static const irl_expr *irl__symbolic_divide(irl__analyzer *an, irl_op op, const irl__sum *s,
                                            const irl__sum *d)
{
    irl__sum        r, t;
    const irl_expr *quotient, *rest, *divisor = irl__sum_emit(an, d);
    int             proper, cell;
    if (!divisor) return NULL;
    if (!irl__symbolic_long(an, s, d, &r, &quotient)) {
        if (an->too_big || !irl__ok(an->cx)) return NULL;
        an->term_count = d->first + d->count;
        r = irl__sum_begin(an, s->type);
        if (!irl__sum_add_sum(an, &r, s, 1)) return NULL;
        quotient = NULL;
    }
    irl__sum_compact(an, &r);
    proper = (r.count == 0 && r.constant == 0) || irl__symbolic_proper(an, &r, d);
    if (!proper && irl__symbolic_neighbour(an, &r, d, &cell)) {
        proper = 1;
        rest = irl_int(an->cx, s->type, cell);
        quotient = quotient ? irl__make2(an, IRL_OP_ADD, quotient, rest) : rest;
    }
    rest = irl__sum_emit(an, &r);
    if (!rest) return NULL;
    if (op == IRL_OP_FLOORMOD) return proper ? rest : irl__make2(an, op, rest, divisor);
    if (proper) return quotient ? irl__simplify_node(an, quotient) : irl_int(an->cx, s->type, 0);
    rest = irl__make2(an, op, rest, divisor);
    if (!quotient || !rest) return rest;
    t = irl__sum_begin(an, s->type);
    quotient = irl__sum_add_done(an, &t, quotient, 1) && irl__sum_add_done(an, &t, rest, 1)
                   ? irl__sum_emit(an, &t)
                   : NULL;
    irl__sum_end(an, &t);
    return quotient;
}

const irl_expr *irl__sum_divmod(irl__analyzer *an, irl_op op, irl__sum *s, irl__sum *d)
{
    const irl_expr *e, *factor;
    int64_t         c;
    irl__sum_compact(an, d);
    irl__symbolic_order(an, d);
    c = irl__sum_gcd(an, d, d->constant == INT64_MIN ? 1 : d->constant);
    c = irl__sum_gcd(an, s, s->constant == INT64_MIN ? 1 : irl__gcd64(c, s->constant));
    if (c > 1) { /* (c*a)/(c*b) = a/b, (c*a)%(c*b) = c*(a%b) */
        irl__symbolic_shrink(an, s, c);
        irl__symbolic_shrink(an, d, c);
        e = irl__sum_divmod(an, op, s, d);
        if (!e || op == IRL_OP_FLOORDIV) return e;
        return irl__simplify_node(an, irl__make2(an, IRL_OP_MUL, e, irl_int(an->cx, s->type, c)));
    }
    e = irl__symbolic_nested(an, op, s, d);
    if (e || an->too_big || !irl__ok(an->cx)) return e;
    if (irl__symbolic_common(an, s, d, &factor)) return irl__symbolic_reduced(an, op, s, d, factor);
    e = op == IRL_OP_FLOORMOD ? irl__symbolic_drop_mods(an, s, d) : NULL;
    if (e || an->too_big || !irl__ok(an->cx)) return e;
    return irl__symbolic_divide(an, op, s, d);
}
