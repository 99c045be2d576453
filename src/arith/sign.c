/* sign.c - is a sum never negative; is one expression never larger than another.

   needs     ranges, facts, bound.c for ends that are expressions
   promises  yes only where it is so for all values that the analyzer admits. The sum is taken
             apart, never searched:
               undivided   m/c + r >= 0 is m + c*r >= 0, and r - m/c >= 0 is c*r - m + c - 1 >= 0
               factored    f*(a + b) >= 0 where f >= 0 and a + b >= 0
               unrounded   c*(m/c) lies between m - c + 1 and m
               to an end   a factor gives way to the end of its range that makes the sum smallest */
#include "engine.h"

/* The product of the factors of e but one, and whether none of them can be negative. */
static const irl_expr *irl__sign_others(irl__analyzer *an, const irl_expr *e,
                                        const irl_expr *factor, int *nonnegative)
{
    const irl_expr *others = NULL;
    int             left = 1;
    *nonnegative = 1;
    for (;; e = e->a[0]) {
        const irl_expr *f = e->op == IRL_OP_MUL ? e->a[1] : e;
        if (f == factor && left) left = 0;
        else {
            *nonnegative &= irl__range_of(an, f).lo >= 0;
            others = others ? irl__make2(an, IRL_OP_MUL, f, others) : f;
            if (!others) return NULL;
        }
        if (e->op != IRL_OP_MUL) return others;
    }
}

/* The largest (sign 1) or least value of one factor, where that is not a number: its symbolic
   bound, or the end of what a remainder can be. */
static const irl_expr *irl__sign_end_of_factor(irl__analyzer *an, const irl_expr *f, int sign)
{
    const irl__known *known = irl__known_find(an, f);
    const irl_expr   *bound = known ? (sign > 0 ? known->last : known->first) : NULL;
    if (irl__type_is_index(f->type) && f->op == IRL_OP_FLOORDIV && irl__expr_moves(an, f))
        bound = irl__symbolic_bound(an, f, sign);
    if (irl__type_is_index(f->type) && f->op == IRL_OP_FLOORMOD && f->a[1]->op == IRL_OP_INT &&
        sign > 0 && irl__range_of(an, f->a[0]).lo >= 0)
        bound = irl__symbolic_bound(an, f->a[0], sign); /* m % c <= m for m >= 0 */
    if (irl__type_is_index(f->type) && f->op == IRL_OP_FLOORMOD && f->a[1]->op != IRL_OP_INT &&
        sign > 0 && irl__range_of(an, f->a[1]).lo >= 1)
        bound = irl__make2(an, IRL_OP_SUB, f->a[1], irl_int(an->cx, f->type, 1));
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
        int             nonnegative;
        if (bound) {
            if (t.atom->op != IRL_OP_MUL) return bound;
            others = irl__sign_others(an, t.atom, f, &nonnegative);
            if (others && nonnegative) return irl__make2(an, IRL_OP_MUL, bound, others);
        }
        if (e->op != IRL_OP_MUL) return NULL;
    }
}

/* Replaces one variable by the end of its symbolic range that makes s smallest. */
static int irl__sign_to_end(irl__analyzer *an, irl__sum *s)
{
    int k;
    for (k = s->count - 1; k >= 0; k--) {
        irl__term       t = an->terms[s->first + k];
        const irl_expr *bound = irl__sign_end_of_term(an, t);
        if (!bound) continue;
        an->terms[s->first + k].coef = 0;
        irl__sum_compact(an, s);
        return irl__sum_add_done(an, s, bound, t.coef) && (irl__sum_compact(an, s), 1);
    }
    return 0;
}

/* m/c + r >= 0 is m + c*r >= 0, and r - m/c >= 0 is c*r - m + c - 1 >= 0: what m and r share
   cancels. True after the change. */
static int irl__sign_undivided(irl__analyzer *an, irl__sum *s)
{
    int k, ok;
    for (k = 0; k < s->count; k++) {
        irl__term t = an->terms[s->first + k];
        int64_t   c;
        irl__sum  u;
        if (t.atom->op != IRL_OP_FLOORDIV || t.atom->a[1]->op != IRL_OP_INT ||
            t.atom->a[1]->u.i <= 1 || (t.coef != 1 && t.coef != -1))
            continue;
        c = t.atom->a[1]->u.i;
        u = irl__sum_begin(an, s->type);
        ok = irl__mul64(s->constant, c, &u.constant) &&
             (t.coef > 0 || irl__add64(u.constant, c - 1, &u.constant)) &&
             irl__sum_add_done(an, &u, t.atom->a[0], t.coef);
        if (!ok || !irl__sum_add_others(an, &u, s, k, c)) {
            irl__sum_end(an, &u);
            continue;
        }
        irl__sum_replace(an, s, &u);
        return 1;
    }
    return 0;
}

/* The same for a divisor n >= 1 that is not a number; condition: index arithmetic, for r*n is
   computed and must not wrap. */
static int irl__sign_undivided_symbolic(irl__analyzer *an, irl__sum *s)
{
    const irl_expr *rest, *n;
    int             k, ok;
    if (!irl__type_is_index(s->type)) return 0;
    for (k = 0; k < s->count; k++) {
        irl__term t = an->terms[s->first + k];
        irl__sum  u;
        if (t.atom->op != IRL_OP_FLOORDIV || t.atom->a[1]->op == IRL_OP_INT ||
            (t.coef != 1 && t.coef != -1))
            continue;
        n = t.atom->a[1];
        if (irl__range_of(an, n).lo < 1) continue;
        u = irl__sum_begin(an, s->type);
        u.constant = s->constant;
        rest = irl__sum_add_others(an, &u, s, k, 1) ? irl__sum_emit(an, &u) : NULL;
        irl__sum_end(an, &u);
        rest = rest ? irl__make2(an, IRL_OP_MUL, rest, n) : NULL;
        if (!rest) return 0;
        u = irl__sum_begin(an, s->type);
        u.constant = t.coef > 0 ? 0 : -1;
        ok = irl__sum_add_done(an, &u, rest, 1) && irl__sum_add_done(an, &u, t.atom->a[0], t.coef);
        if (ok && t.coef < 0) ok = irl__sum_add_done(an, &u, n, 1);
        if (ok) irl__sum_replace(an, s, &u);
        else irl__sum_end(an, &u);
        return ok;
    }
    return 0;
}

/* s with q*m - lost in the place of its term `at`; false if that overflows: then s is as before. */
static int irl__sign_exchange(irl__analyzer *an, irl__sum *s, int at, const irl_expr *m, int64_t q,
                              int64_t lost)
{
    irl__sum u = irl__sum_begin(an, s->type);
    int ok = irl__sub64(s->constant, lost, &u.constant) && irl__sum_add_done(an, &u, m, q) &&
             irl__sum_add_others(an, &u, s, at, 1);
    if (ok) irl__sum_replace(an, s, &u);
    else irl__sum_end(an, &u);
    return ok;
}

/* q*c*(m/c) lies between q*m - q*(c - 1) and q*m for q > 0: the end that makes s smaller takes its
   place. */
static int irl__sign_unrounded(irl__analyzer *an, irl__sum *s)
{
    int k;
    for (k = 0; k < s->count; k++) {
        irl__term t = an->terms[s->first + k];
        int64_t   c, q, lost;
        if (t.atom->op != IRL_OP_FLOORDIV || t.atom->a[1]->op != IRL_OP_INT ||
            t.atom->a[1]->u.i <= 1 || t.coef % t.atom->a[1]->u.i != 0)
            continue;
        c = t.atom->a[1]->u.i;
        q = t.coef / c;
        lost = q > 0 ? t.coef - q : 0; /* q*(c - 1) */
        if (q != 0 && irl__sign_exchange(an, s, k, t.atom->a[0], q, lost)) return 1;
    }
    return 0;
}

/* n*(m/n)*r for n >= 1 and r >= 0 lies between (m - n + 1)*r and m*r: as above. Condition: index
   arithmetic. */
static const irl_expr *irl__sign_unrounded_term(irl__analyzer *an, irl__term t)
{
    const irl_expr *e, *f, *n, *m, *others;
    int             nonnegative;
    if (t.atom->op != IRL_OP_MUL || !irl__type_is_index(t.atom->type)) return NULL;
    for (e = t.atom; ; e = e->a[0]) {
        f = e->op == IRL_OP_MUL ? e->a[1] : e;
        if (f->op == IRL_OP_FLOORDIV && f->a[1]->op == IRL_OP_VAR &&
            irl__range_of(an, f->a[1]).lo >= 1) {
            n = f->a[1];
            m = t.coef < 0 ? f->a[0]
                           : irl__make2(an, IRL_OP_ADD, irl__make2(an, IRL_OP_SUB, f->a[0], n),
                                        irl_int(an->cx, n->type, 1));
            others = irl__sign_others(an, t.atom, f, &nonnegative); /* with n in it */
            if (m && others == n) return m;
            /* NULL for n alone, n*n or what has no n */
            others = others ? irl__sign_others(an, others, n, &nonnegative) : NULL;
            if (m && others && nonnegative &&
                others->size + n->size + 1 + f->size + 1 == t.atom->size)
                return irl__make2(an, IRL_OP_MUL, m, others);
        }
        if (e->op != IRL_OP_MUL) return NULL;
    }
}

static int irl__sign_unrounded_symbolic(irl__analyzer *an, irl__sum *s)
{
    int k;
    for (k = 0; k < s->count; k++) {
        irl__term       t = an->terms[s->first + k];
        const irl_expr *bound = irl__sign_unrounded_term(an, t);
        if (bound && irl__sign_exchange(an, s, k, bound, t.coef, 0)) return 1;
    }
    return 0;
}

/* f*a + f*b with f >= 0 is f*(a + b): the sign of the factor in brackets decides. Condition: index
   arithmetic. */
static int irl__sign_factored(irl__analyzer *an, const irl__sum *s)
{
    const irl_expr *e;
    irl__sum        u;
    int             ok = 0;
    if (!irl__type_is_index(s->type) || s->count < 2 || s->constant != 0 ||
        !(e = irl__sum_emit(an, s)) || e->op != IRL_OP_MUL || e->a[1]->op == IRL_OP_INT)
        return 0;
    if (irl__range_of(an, e->a[1]).lo < 0) return 0;
    u = irl__sum_begin(an, s->type);
    ok = irl__sum_add_done(an, &u, e->a[0], 1) &&
         (irl__sum_compact(an, &u), irl__sum_range_known(an, &u).lo >= 0);
    irl__sum_end(an, &u);
    return ok;
}

int irl__sum_nonnegative(irl__analyzer *an, irl__sum *s)
{
    int steps;
    irl__sum_compact(an, s);
    for (steps = 0; steps < 12; steps++) {
        if (irl__sum_range_known(an, s).lo >= 0) return 1;
        if (s->count > 1 && (irl__sign_undivided(an, s) || irl__sign_undivided_symbolic(an, s)))
            continue;
        if (irl__sign_factored(an, s)) return 1;
        if (s->count > 1 && (irl__sign_unrounded(an, s) || irl__sign_unrounded_symbolic(an, s)))
            continue;
        if (!an->symbolic || !irl__sign_to_end(an, s)) return 0;
    }
    return 0;
}

/* ------------------------------------------------------------------ a <= b */

/* s = a - b + shift; true if it is always >= 0. */
static int irl__decide_difference(irl__analyzer *an, const irl_expr *a, const irl_expr *b,
                                  int64_t shift)
{
    irl__sum s = irl__sum_begin(an, a->type);
    int ok = irl__sum_add_done(an, &s, a, 1) && irl__sum_add_done(an, &s, b, -1) &&
             irl__sum_merge(an, &s) && irl__add64(s.constant, shift, &s.constant) &&
             irl__sum_nonnegative(an, &s);
    irl__sum_end(an, &s);
    return ok;
}

static int irl__decide_le_within(irl__analyzer *an, const irl_expr *a, const irl_expr *b,
                                 int depth);

/* a <= b where one of them is a minimum or maximum, by their parts. */
static int irl__decide_le_parts(irl__analyzer *an, const irl_expr *a, const irl_expr *b, int depth)
{
    int left, right;
    if (depth == 0) return 0;
    if (a->op == IRL_OP_MIN || a->op == IRL_OP_MAX) {
        left = irl__decide_le_within(an, a->a[0], b, depth - 1) > 0;
        right = irl__decide_le_within(an, a->a[1], b, depth - 1) > 0;
        if (a->op == IRL_OP_MIN ? left || right : left && right) return 1;
    }
    if (b->op == IRL_OP_MIN || b->op == IRL_OP_MAX) {
        left = irl__decide_le_within(an, a, b->a[0], depth - 1) > 0;
        right = irl__decide_le_within(an, a, b->a[1], depth - 1) > 0;
        if (b->op == IRL_OP_MAX ? left || right : left && right) return 1;
    }
    return 0;
}

static int irl__decide_le_within(irl__analyzer *an, const irl_expr *a, const irl_expr *b, int depth)
{
    irl__interval x = irl__range_of(an, a), y = irl__range_of(an, b);
    if (a == b || x.hi <= y.lo) return 1;
    if (x.lo > y.hi) return -1;
    if (irl__decide_difference(an, b, a, 0)) return 1;
    if (irl__decide_difference(an, a, b, -1)) return -1;
    return irl__decide_le_parts(an, a, b, depth);
}

int irl__decide_le(irl__analyzer *an, const irl_expr *a, const irl_expr *b)
{
    return irl__decide_le_within(an, a, b, 3);
}
