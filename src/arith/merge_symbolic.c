/* merge_symbolic.c - digits with a symbolic radix made one.

   needs     monomial.c
   promises  the same sum

     digits   k*l*(x/l % e) + k*l*e*(x/(l*e) [% f]) = k*l*(x/l [% (e*f)])    e > 0, or no l
     whole    k*(x % d) + k*d*(x/d) = k*x                                    d a sum, multiplied
              out                         */
#include "engine.h"

/* ------------------------------------------------------------------ merging */

/* A term as scale * ((source / lower) % extent): scale and lower and extent are monomials, extent 0
   for no modulo. */
typedef struct irl__symbolic_part {
    irl__monomial   scale, lower, extent;
    const irl_expr *source;
} irl__symbolic_part;

/* False if no factor of the term is a division or a remainder. */
static int irl__symbolic_part_of(irl__analyzer *an, irl__term t, irl__symbolic_part *p)
{
    const irl_expr *e = t.atom, *others = NULL, *inner = NULL;
    for (;; e = e->a[0]) {
        const irl_expr *f = e->op == IRL_OP_MUL ? e->a[1] : e;
        if (!inner && (f->op == IRL_OP_FLOORMOD || f->op == IRL_OP_FLOORDIV)) inner = f;
        else others = others ? irl__product_of(an, f, others) : f;
        if (e->op != IRL_OP_MUL) break;
    }
    if (!inner) return 0;
    p->scale.c = t.coef;
    p->scale.e = others;
    p->lower.c = 1;
    p->lower.e = NULL;
    p->extent.c = 0;
    p->extent.e = NULL;
    if (inner->op == IRL_OP_FLOORMOD) {
        if (!irl__monomial_of(an, inner->a[1], &p->extent)) return 0;
        inner = inner->a[0];
    }
    for (; inner->op == IRL_OP_FLOORDIV; inner = inner->a[0]) { /* (x/a)/b = x/(a*b), b > 0 */
        irl__monomial lower;
        if (!irl__monomial_of(an, inner->a[1], &lower) ||
            !irl__monomial_multiply(an, p->lower, lower, &lower))
            return 0;
        p->lower = lower;
        if (irl__range_of(an, inner->a[1]).lo <= 0) {
            inner = inner->a[0];
            break;
        }
    }
    p->source = inner;
    return 1;
}

/* The rule "merging" for two terms of s: 1 after the change, 0 if it does not apply, -1 on
   failure. */
static int irl__symbolic_merge(irl__analyzer *an, irl__sum *s, int low, int high)
{
    irl__symbolic_part p, q;
    irl__monomial      scale, lower, extent;
    const irl_expr    *e;
    if (!irl__symbolic_part_of(an, an->terms[s->first + low], &p) || p.extent.c == 0) return 0;
    if (!irl__symbolic_part_of(an, an->terms[s->first + high], &q) || q.source != p.source)
        return 0;
    if (!irl__monomial_multiply(an, p.scale, p.extent, &scale) ||
        !irl__monomial_same(scale, q.scale))
        return 0;
    if (!irl__monomial_multiply(an, p.lower, p.extent, &lower) ||
        !irl__monomial_same(lower, q.lower))
        return 0;
    e = irl__monomial_expr(an, p.extent, s->type);
    if (!e || ((p.lower.e || p.lower.c != 1) && irl__range_of(an, e).lo <= 0)) return 0;
    e = p.source;
    if (p.lower.e || p.lower.c != 1)
        e = irl__make2(an, IRL_OP_FLOORDIV, e, irl__monomial_expr(an, p.lower, s->type));
    if (q.extent.c) {
        if (!irl__monomial_multiply(an, p.extent, q.extent, &extent)) return 0;
        e = irl__make2(an, IRL_OP_FLOORMOD, e, irl__monomial_expr(an, extent, s->type));
    }
    if (e && p.scale.e) e = irl__make2(an, IRL_OP_MUL, irl__simplify_node(an, e), p.scale.e);
    e = irl__simplify_node(an, e);
    if (!e) return -1;
    an->terms[s->first + low].coef = an->terms[s->first + high].coef = 0;
    irl__sum_compact(an, s);
    return irl__sum_add_done(an, s, e, p.scale.c) ? 1 : -1;
}

/* k*(x % d) and the terms of k*d*(x/d), d a sum: together k*x. */
static int irl__symbolic_merge_sum(irl__analyzer *an, irl__sum *s, int low)
{
    irl__term       l = an->terms[s->first + low];
    const irl_expr *x, *e;
    irl__sum        t;
    int             i, k, ok;
    if (l.atom->op != IRL_OP_FLOORMOD ||
        (l.atom->a[1]->op != IRL_OP_ADD && l.atom->a[1]->op != IRL_OP_SUB))
        return 0;
    x = l.atom->a[0];
    e = irl__make2(an, IRL_OP_FLOORDIV, x, l.atom->a[1]);
    e = e ? irl__make2(an, IRL_OP_MUL, e, l.atom->a[1]) : NULL;
    if (!e) return -1;
    t = irl__sum_begin(an, s->type);
    ok = irl__sum_add_done(an, &t, e, l.coef) && t.constant == 0;
    for (i = 0; ok && i < t.count; i++) {
        for (k = 0; k < s->count && an->terms[s->first + k].atom != an->terms[t.first + i].atom;
             k++)
            continue;
        ok = k < s->count && an->terms[s->first + k].coef == an->terms[t.first + i].coef;
    }
    for (i = 0; ok && i < t.count; i++)
        for (k = 0; k < s->count; k++)
            if (an->terms[s->first + k].atom == an->terms[t.first + i].atom)
                an->terms[s->first + k].coef = 0;
    irl__sum_end(an, &t);
    if (!ok) return 0;
    an->terms[s->first + low].coef = 0;
    irl__sum_compact(an, s);
    return irl__sum_add_done(an, s, x, l.coef) ? 1 : -1;
}

int irl__is_symbolic_part(const irl_expr *atom)
{
    const irl_expr *e;
    if (atom->op == IRL_OP_FLOORMOD) return atom->a[1]->op != IRL_OP_INT;
    for (e = atom; e->op == IRL_OP_MUL; e = e->a[0])
        if (e->a[1]->op == IRL_OP_FLOORMOD || e->a[0]->op == IRL_OP_FLOORMOD ||
            e->a[1]->op == IRL_OP_FLOORDIV || e->a[0]->op == IRL_OP_FLOORDIV)
            return 1;
    return 0;
}

int irl__sum_merge_symbolic(irl__analyzer *an, irl__sum *s)
{
    int i, k, r;
    for (i = 0; i < s->count; i++) {
        r = irl__symbolic_merge_sum(an, s, i);
        for (k = 0; r == 0 && k < s->count; k++)
            if (k != i) r = irl__symbolic_merge(an, s, i, k);
        if (r) return r;
    }
    return 0;
}
