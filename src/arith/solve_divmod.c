/* solve_divmod.c - equations whose left side is a remainder or a quotient.

   needs     solve_known.c, solve_sum.c
   promises  what solve.c promises; e is a number or made of parameters, e >= 1; c, d and f are
             numbers, where that is so of e

     quotient known   m % e = V, m / e known                      m = e*(m/e) + V
     rest known       m / e = V, m % e known                      m = e*V + m%e
     window           (u + k) % e = V, lo <= u < lo + e           u = (V - k - lo)%e + lo
     congruence       (u + k) % e = V                             u % e = (V - k) % e
     reciprocal       u % e = V, c*d = 1 modulo e                 (d*u) % e = d*V % e
     adjacent         m % e = V, (m / e + j) % f = W              (m + j*e) % (e*f) = e*W + V
     long stride      (c*a + w + k) / e = V, range of w < c - e   a = (e*V - k + e - 1 - least w) /
                      c */
#include "solve.h"

/* m % e = V and (m / e + j) % f = W: together m' % (e*f) = e*W + V, m' = m + j*e. */
static int irl__solve_adjacent(irl__solution *s, const irl__equation *q)
{
    irl__analyzer  *an = s->an;
    const irl_expr *e = q->what->a[1], *both, *v;
    int             k, learned = 0, count = s->count;
    for (k = 0; k < count; k++) {
        irl__equation w = s->equations[k];
        if (w.what->op != IRL_OP_FLOORMOD || w.what == q->what) continue;
        both = irl__solve_scaled(an, w.what, e, q->what);
        v = both && both->op == IRL_OP_FLOORMOD ? irl__solve_scaled(an, w.value, e, q->value)
                                                : NULL;
        if (v) learned |= irl__solve_learn(s, both, v);
    }
    return learned;
}

/* The coefficients of u times f modulo e, each by the residue nearest to 0, as an expression; NULL
   if nothing changes. */
static const irl_expr *irl__solve_times(irl__analyzer *an, const irl__sum *u, int64_t f, int64_t e,
                                        int64_t *width, int64_t *lo)
{
    irl__sum        s = irl__sum_begin(an, u->type);
    const irl_expr *what = NULL;
    int             k, ok = 1;
    for (k = 0; ok && k < u->count; k++) {
        int64_t c;
        ok = irl__mul64(an->terms[u->first + k].coef, f, &c) && irl__floormod64(c, e, &c);
        if (ok && c > e / 2) c -= e;
        ok = ok && irl__sum_add_term(an, &s, an->terms[u->first + k].atom, c);
    }
    irl__sum_compact(an, &s);
    if (ok && s.count) {
        irl__interval r = irl__sum_range(an, &s);
        *lo = r.lo;
        if (!irl__solve_width(r, width)) *width = INT64_MAX;
        what = irl__sum_emit(an, &s);
    }
    irl__sum_end(an, &s);
    return what;
}

/* u % e = v % e, u wider than e: times a number that has a reciprocal it may fit the window, or
   lose its coefficient. */
static int irl__solve_congruence(irl__solution *s, irl__equation *q, const irl__sum *u,
                                 const irl_expr *v, int had_known)
{
    irl__analyzer *an = s->an;
    int64_t        e = q->what->a[1]->u.i, f, width = 0, lo = 0;
    int            k, learned = 0;
    for (k = 0; k < u->count; k++) {
        f = irl__reciprocal64(an->terms[u->first + k].coef, e);
        if (f == 0) continue;
        const irl_expr *what = irl__solve_times(an, u, f, e, &width, &lo);
        const irl_expr *value = what ? irl__solve_linear(an, v, f, NULL, 0, 0) : NULL;
        if (!value) continue;
        if (width <= e && lo != INT64_MIN) {
            value = irl__solve_shifted(an, IRL_OP_FLOORMOD, value, -lo, e);
            if (value) value = irl__solve_linear(an, value, 1, NULL, 0, lo);
            q->done = value != NULL;
            return value ? irl__solve_learn(s, what, value) : 0;
        }
        if (u->count == 1 && (an->terms[u->first].coef != 1 || had_known)) {
            value = irl__solve_shifted(an, IRL_OP_FLOORMOD, value, 0, e);
            if (value)
                learned |= irl__solve_learn(s, irl__make2(an, IRL_OP_FLOORMOD, what, q->what->a[1]),
                                            value);
        }
    }
    return learned;
}

/* The least value of u, if all of u lies less than e above it; NULL if that is not known. */
static const irl_expr *irl__solve_window(irl__analyzer *an, const irl__sum *u,
                                         const irl_expr *what, const irl_expr *e)
{
    int64_t width;
    if (e->op == IRL_OP_INT) {
        irl__interval r = irl__sum_range(an, u);
        return irl__solve_width(r, &width) && width <= e->u.i ? irl_expr_int(an->cx, u->type, r.lo)
                                                              : NULL;
    }
    const irl_expr *least = irl__symbolic_bound(an, what, -1);
    return least && irl__solve_within(
                        an, irl__simplify_node(an, irl__make2(an, IRL_OP_SUB, what, least)), e)
               ? least
               : NULL;
}

/* m % e = V */
static int irl__solve_floormod(irl__solution *s, irl__equation *q)
{
    irl__analyzer  *an = s->an;
    const irl_expr *m = q->what->a[0], *e = q->what->a[1], *known, *v, *what, *least;
    irl__sum        u;
    int64_t         d;
    int             learned = 0;
    if (irl__solve_parts_modulo(s, m, e, &u, &known) && u.count > 0) {
        v = irl__solve_linear(an, q->value, 1, known, -1, 0);
        what = irl__sum_emit(an, &u);
        least = v && what ? irl__solve_window(an, &u, what, e) : NULL;
        if (least) { /* u = (V - known - least) % e + least */
            v = irl__solve_linear(an, v, 1, least, -1, 0);
            if (v) v = irl__solve_divided(an, IRL_OP_FLOORMOD, v, e);
            if (v) v = irl__solve_linear(an, v, 1, least, 1, 0);
            if (v) learned = irl__solve_learn(s, what, v);
            q->done = 1;
        } else if (v && what) {
            if (e->op == IRL_OP_INT)
                learned = irl__solve_congruence(s, q, &u, v, !irl__is_int(known, 0));
            if (!learned && !q->done && !irl__is_int(known, 0)) { /* u % e = (V - known) % e */
                what = irl__solve_divided(an, IRL_OP_FLOORMOD, what, e);
                v = irl__solve_divided(an, IRL_OP_FLOORMOD, v, e);
                if (what && v) learned = irl__solve_learn(s, what, v);
            }
        }
    }
    irl__sum_end(an, &u);
    if (learned || q->done) return learned;
    what = irl__solve_undivided(s, m, 1, &d, &known);
    e = what ? irl__solve_linear(an, e, d, NULL, 0, 0) : NULL;
    if (e) { /* d*(m % e) = (d*m) % (d*e) */
        v = irl__solve_linear(an, q->value, d, known, 1, 0);
        v = v ? irl__solve_divided(an, IRL_OP_FLOORMOD, v, e) : NULL;
        what = irl__solve_divided(an, IRL_OP_FLOORMOD, what, e);
        if (v && what) learned = irl__solve_learn(s, what, v);
    }
    return learned ? learned : irl__solve_adjacent(s, q);
}

/* m / e = V, e a number: the rule "long stride". */
static int irl__solve_floordiv(irl__solution *s, irl__equation *q)
{
    irl__analyzer  *an = s->an;
    const irl_expr *m = q->what->a[0], *known, *v, *atom;
    int64_t         e = q->what->a[1]->u.i, width, c, shift;
    irl__sum        u, w;
    int             learned = 0;
    if (irl__solve_parts(s, m, &u, &known) && u.count > 0) {
        irl__sum_sort(an, &u);
        c = an->terms[u.first].coef;
        atom = an->terms[u.first].atom;
        w = u;
        w.first++;
        w.count--;
        irl__interval r = irl__sum_range(an, &w);
        if (c < 0) r = irl__interval_scale(r, -1);
        if (irl__solve_width(r, &width) && irl__add64(width, e - 1, &width) &&
            width <= (c < 0 ? -c : c) && irl__sub64(e - 1, r.lo, &shift)) {
            /* c > 0: a = (e*V - known + e - 1 - least w) / c.  c < 0, over -a: e*V <= m < e*V + e
               becomes -e*V - e + 1 <= -m <= -e*V, so a' = (-e*V + known - least w') / -c, where w'
               = -w */
            if (c > 0) v = irl__solve_linear(an, q->value, e, known, -1, shift);
            else
                v = irl__sub64(0, r.lo, &shift)
                        ? irl__solve_linear(an, q->value, -e, known, 1, shift)
                        : NULL;
            v = v ? irl__solve_shifted(an, IRL_OP_FLOORDIV, v, 0, c < 0 ? -c : c) : NULL;
            if (v) {
                learned = irl__solve_learn(s, atom, v);
                q->done = learned && u.count == 1;
            }
        }
    }
    irl__sum_end(an, &u);
    return learned;
}

int irl__solve_divmod(irl__solution *s, irl__equation *q)
{
    const irl_expr *m = q->what->a[0], *e = q->what->a[1], *other;
    int             is_mod = q->what->op == IRL_OP_FLOORMOD, number = e->op == IRL_OP_INT;
    if (number ? e->u.i <= 0
               : irl__solve_value(s, e) != e || irl__range_of(s->an, e).lo < 1)
        return 0;
    other = irl__solve_divided(s->an, is_mod ? IRL_OP_FLOORDIV : IRL_OP_FLOORMOD, m, e);
    other = other ? irl__solve_value(s, other) : NULL;
    if (other) { /* m = e*(m/e) + m%e */
        q->done = 1;
        other = irl__solve_scaled(s->an, is_mod ? other : q->value, e, is_mod ? q->value : other);
        return other ? irl__solve_learn(s, m, other) : 0;
    }
    if (is_mod) return irl__solve_floormod(s, q);
    return number ? irl__solve_floordiv(s, q) : 0;
}
