/* solve_sum.c - equations whose left side is a sum.

   needs     solve_known.c; order.c for what lies within an extent
   promises  what solve.c promises; n is made of parameters

     single           c*a = V; n*a = V, n >= 1                    a = V / c;  a = V / n
     digits           g*a + r = V, lo <= r < lo + g               a = (V - lo)/g,  r = (V - lo)%g +
                      lo; n for g alike
     undivided        f(m / d) known, m % d = W                   f without the division: d*f and
                      d*(m / d) = m - W */
#include "solve.h"

/* Some of the terms of u, each coefficient divided by g. */
static const irl_expr *irl__solve_emit_part(irl__analyzer *an, const irl__sum *u, int first,
                                            int count, int64_t g)
{
    irl__sum        s = irl__sum_begin(an, u->type);
    const irl_expr *e = NULL;
    int             ok = 1;
    for (int k = first; ok && k < first + count; k++)
        ok = irl__sum_add_term(an, &s, an->terms[u->first + k].atom,
                               an->terms[u->first + k].coef / g);
    if (ok) e = irl__sum_emit(an, &s);
    irl__sum_end(an, &s);
    return e;
}

/* u = v with its terms by size, and both sides negated where the largest is negative. */
static int irl__solve_lead(irl__analyzer *an, irl__sum *u, const irl_expr **v)
{
    irl__sum_sort(an, u);
    if (an->terms[u->first].coef > 0) return 1;
    *v = irl__solve_linear(an, *v, -1, NULL, 0, 0);
    return *v && irl__sum_scale(an, u, -1);
}

/* u = v, two or more terms, the largest not negative: cut where the rest is narrower than the
   common divisor of what leads. */
static int irl__solve_digits(irl__solution *s, const irl__sum *u, const irl_expr *v)
{
    irl__analyzer *an = s->an;
    int64_t        g = 0, width;
    for (int p = 1; p < u->count; p++) {
        irl__sum        rest = *u;
        g = irl__gcd64(g, an->terms[u->first + p - 1].coef);
        rest.first += p;
        rest.count -= p;
        irl__interval r = irl__sum_range(an, &rest);
        if (!irl__solve_width(r, &width) || width > g || r.lo == INT64_MIN) continue;
        const irl_expr *high = irl__solve_shifted(an, IRL_OP_FLOORDIV, v, -r.lo, g);
        const irl_expr *low = irl__solve_shifted(an, IRL_OP_FLOORMOD, v, -r.lo, g);
        if (low) low = irl__solve_linear(an, low, 1, NULL, 0, r.lo);
        if (!high || !low) return 0;
        int learned = irl__solve_learn(s, irl__solve_emit_part(an, u, 0, p, g), high);
        learned |= irl__solve_learn(s, irl__solve_emit_part(an, u, p, u->count - p, 1), low);
        return learned;
    }
    return 0;
}

/* ------------------------------------------------------------------ radices that have names */

/* A product atom as what is unknown of it times a parameter; both NULL for 1. */
static int irl__solve_radix(irl__solution *s, const irl_expr *atom, const irl_expr **unknown,
                            const irl_expr **parameter)
{
    const irl_expr *e = atom;
    *unknown = *parameter = NULL;
    for (;; e = e->a[0]) {
        const irl_expr  *f = e->op == IRL_OP_MUL ? e->a[1] : e;
        const irl_expr **side = irl__solve_value(s, f) == f ? parameter : unknown;
        *side = *side ? irl__product_of(s->an, f, *side) : f;
        if (!*side) return 0;
        if (e->op != IRL_OP_MUL) return 1;
    }
}

/* What all terms with the same unknown part as term `at` are multiplied by: a polynomial in the
   parameters. */
static const irl_expr *irl__solve_radix_of(irl__solution *s, const irl__sum *u, int at)
{
    irl__analyzer  *an = s->an;
    const irl_expr *mine, *theirs, *parameter, *e = NULL;
    int ok = irl__solve_radix(s, an->terms[u->first + at].atom, &mine, &parameter) && mine,
        named = parameter != NULL;
    irl__sum r = irl__sum_begin(an, u->type);
    for (int k = 0; ok && k < u->count; k++) {
        irl__term t = an->terms[u->first + k];
        ok = irl__solve_radix(s, t.atom, &theirs, &parameter);
        if (!ok || theirs != mine) continue;
        named |= parameter != NULL;
        if (parameter) ok = irl__sum_add_done(an, &r, parameter, t.coef);
        else ok = irl__add64(r.constant, t.coef, &r.constant);
    }
    if (ok && named) e = irl__sum_emit(an, &r);
    irl__sum_end(an, &r);
    return e;
}

/* Something is divided by the radix: the rest was not below it. */
static int irl__solve_is_divided(const irl_expr *e, const irl_expr *radix)
{
    if (e->op == IRL_OP_FLOORDIV && e->a[1] == radix) return 1;
    for (uint32_t k = 0; k < e->count; k++)
        if (irl__solve_is_divided(e->a[k], radix)) return 1;
    return 0;
}

/* whole = v, nothing of it below 0: what is divided by the radix without rest leads, the rest lies
   in [0, radix). */
static int irl__solve_cut(irl__solution *s, const irl_expr *whole, const irl_expr *v,
                          const irl_expr *radix)
{
    irl__analyzer  *an = s->an;
    const irl_expr *low = irl__simplify_node(an, irl__make2(an, IRL_OP_FLOORMOD, whole, radix));
    const irl_expr *high =
        low ? irl__simplify_node(an, irl__make2(an, IRL_OP_FLOORDIV, whole, radix)) : NULL;
    if (!high || irl__solve_is_divided(high, radix) || !irl__solve_within(an, low, radix)) return 0;
    int learned = irl__solve_learn(s, high, irl__make2(an, IRL_OP_FLOORDIV, v, radix));
    return learned | irl__solve_learn(s, low, irl__make2(an, IRL_OP_FLOORMOD, v, radix));
}

/* u = v, cut by the radix of one of its terms. The least value of u is made of parameters, so that
   u - least = v - least is known as well; where it is a number below 0, or i*n stands in it with a
   minus, only that has digits. */
static int irl__solve_symbolic_digits(irl__solution *s, const irl__sum *u, const irl_expr *v)
{
    irl__analyzer  *an = s->an;
    int             learned = 0;
    irl__sum        a = irl__sum_begin(an, u->type);
    const irl_expr *whole = irl__sum_add_sum(an, &a, u, 1) ? irl__sum_emit(an, &a) : NULL;
    irl__sum_end(an, &a);
    const irl_expr *least = whole ? irl__symbolic_bound(an, whole, -1) : NULL;
    if (least) {
        whole = irl__simplify_node(an, irl__make2(an, IRL_OP_SUB, whole, least));
        v = irl__simplify_node(an, irl__make2(an, IRL_OP_SUB, v, least));
    }
    for (int at = 0; whole && v && !learned && at < u->count; at++) {
        const irl_expr *radix = irl__solve_radix_of(s, u, at);
        if (radix && irl__range_of(an, radix).hi < 0)
            radix = irl__simplify_node(an, irl__make1(an, IRL_OP_NEG, radix));
        if (radix && irl__range_of(an, radix).lo >= 1) learned = irl__solve_cut(s, whole, v, radix);
    }
    return learned;
}

/* unknown * parameter = v, parameter >= 1. */
static int irl__solve_symbolic_factor(irl__solution *s, const irl_expr *atom, const irl_expr *v)
{
    const irl_expr *unknown, *parameter;
    if (atom->op != IRL_OP_MUL || !irl__solve_radix(s, atom, &unknown, &parameter) || !unknown ||
        !parameter)
        return 0;
    if (irl__range_of(s->an, parameter).lo < 1) return 0;
    return irl__solve_learn(s, unknown, irl__make2(s->an, IRL_OP_FLOORDIV, v, parameter));
}

/* ------------------------------------------------------------------ any sum */

const irl_expr *irl__solve_undivided(irl__solution *s, const irl_expr *sum, int least, int64_t *e,
                                     const irl_expr **shift)
{
    irl__analyzer  *an = s->an;
    irl__sum        u = irl__sum_begin(an, sum->type);
    const irl_expr *what = NULL;
    int             ok = irl__sum_add_done(an, &u, sum, 1);
    irl__sum_compact(an, &u);
    for (int k = 0; ok && !what && k < u.count; k++) {
        irl__term t = an->terms[u.first + k];
        if (t.atom->op != IRL_OP_FLOORDIV || t.atom->a[1]->op != IRL_OP_INT ||
            t.atom->a[1]->u.i <= 1 || u.count < least)
            continue;
        *e = t.atom->a[1]->u.i;
        const irl_expr *rest = irl__solve_shifted(an, IRL_OP_FLOORMOD, t.atom->a[0], 0, *e);
        rest = rest ? irl__solve_value(s, rest) : NULL;
        if (!rest) continue;
        irl__sum r = irl__sum_begin(an, sum->type);
        ok = irl__mul64(u.constant, *e, &r.constant) &&
             irl__sum_add_done(an, &r, t.atom->a[0], t.coef) &&
             irl__sum_add_others(an, &r, &u, k, *e);
        if (ok && irl__sum_merge(an, &r)) what = irl__sum_emit(an, &r);
        irl__sum_end(an, &r);
        *shift = what ? irl__solve_linear(an, rest, t.coef, NULL, 0, 0) : NULL;
        if (!*shift) what = NULL;
    }
    irl__sum_end(an, &u);
    return what;
}

int irl__solve_sum(irl__solution *s, int at)
{
    irl__equation   q = s->equations[at];
    irl__analyzer  *an = s->an;
    irl__sum        u;
    const irl_expr *known, *v, *atom;
    int64_t         c;
    int             learned = 0;
    if (q.what->op == IRL_OP_MUL && q.what->a[0]->op != IRL_OP_INT &&
        q.what->a[1]->op != IRL_OP_INT &&
        /* (as a term of a sum it is known: it is this) */
        irl__solve_symbolic_factor(s, q.what, q.value))
        return s->equations[at].done = 1;
    if (irl__solve_parts(s, q.what, &u, &known)) {
        v = irl__solve_linear(an, q.value, 1, known, -1, 0);
        if (v && u.count == 0) s->equations[at].done = 1;
        else if (v && u.count == 1) {
            atom = an->terms[u.first].atom;
            c = an->terms[u.first].coef;
            s->equations[at].done = 1;
            if (c < 0) {
                v = irl__solve_linear(an, v, -1, NULL, 0, 0);
                c = -c;
            }
            if (c > 1) v = irl__solve_shifted(an, IRL_OP_FLOORDIV, v, 0, c);
            if (v) learned = irl__solve_learn(s, atom, v);
            if (v) learned |= irl__solve_symbolic_factor(s, atom, v);
        } else if (v && irl__solve_lead(an, &u, &v)) {
            learned = irl__solve_digits(s, &u, v);
            if (!learned && an->symbolic) learned = irl__solve_symbolic_digits(s, &u, v);
            if (learned) s->equations[at].done = 1;
        }
    }
    irl__sum_end(an, &u);
    if (learned || s->equations[at].done) return learned;
    known = irl__solve_undivided(s, q.what, 2, &c, &atom);
    v = known ? irl__solve_linear(an, q.value, c, atom, 1, 0) : NULL;
    return v ? irl__solve_learn(s, known, v) : 0;
}
