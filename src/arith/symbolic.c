/* symbolic.c - division by what is not a constant: extents that have names.

   needs     sum.c, compare.c for bounds
   promises  what divmod.c promises. A divisor has a value only where it is not 0, so x*n / n is x there; rules that need its
             sign ask for it

     long division   (q*d + r)/d = q + r/d,  (q*d + r)%d = r%d,  where q is found term by term
     cell            0 <= r < d always               r/d = 0,  r%d = r;   the cells beside it alike
     common factor   (f*a)/(f*b) = a/b               (f*a)%(f*b) = f*(a%b)
     nested          (x/a)/b = x/(a*b)               b > 0
     digit           (x%(a*b))/a = (x/a)%b           a > 0
     inner mod       (x%(a*b) + y)%a = (x + y)%a
     merging         k*l*(x/l % e) + k*l*e*(x/(l*e) [% f]) = k*l*(x/l [% (e*f)])    e > 0, or no l                           */
#include "engine.h"


/* ------------------------------------------------------------------ monomials: c * e, e NULL for 1 */

typedef struct irl__monomial {
    int64_t         c;
    const irl_expr *e;
} irl__monomial;

static int irl__monomial_of(irl__analyzer *an, const irl_expr *e, irl__monomial *m)
{
    irl__sum s = irl__sum_begin(an, e->type);
    int      ok = irl__sum_add_done(an, &s, e, 1);
    irl__sum_compact(an, &s);
    ok = ok && s.count <= 1 && (s.count == 0) == (s.constant != 0);
    if (ok) {
        m->c = s.count ? an->terms[s.first].coef : s.constant;
        m->e = s.count ? an->terms[s.first].atom : NULL;
    }
    irl__sum_end(an, &s);
    return ok;
}

static const irl_expr *irl__monomial_expr(irl__analyzer *an, irl__monomial m, irl_type type)
{
    if (!m.e) return irl_int(an->cx, type, m.c);
    return m.c == 1 ? m.e : irl__make2(an, IRL_OP_MUL, m.e, irl_int(an->cx, type, m.c));
}

static int irl__monomial_multiply(irl__analyzer *an, irl__monomial a, irl__monomial b, irl__monomial *out)
{
    if (!irl__mul64(a.c, b.c, &out->c)) return 0;
    out->e = a.e && b.e ? irl__sum_product_of(an, a.e, b.e) : a.e ? a.e : b.e;
    return !(a.e || b.e) || out->e;
}

/* One step of long division by d (one term, or a leading term and more): q*d is taken from s wherever a term of s has the
   leading term of d as a factor. */
static int irl__symbolic_quotient(irl__analyzer *an, const irl_expr *atom, const irl_expr *by, const irl_expr **quotient)
{
    const irl_expr *f[16], *g[16];
    int             nf = 0, ng = 0, i, k;
    const irl_expr *stack[2];
    /* factors of a product are left-nested: peel them */
    for (stack[0] = atom; stack[0]->op == IRL_OP_MUL && nf < 15; stack[0] = stack[0]->a[0]) f[nf++] = stack[0]->a[1];
    f[nf++] = stack[0];
    for (stack[1] = by; stack[1]->op == IRL_OP_MUL && ng < 15; stack[1] = stack[1]->a[0]) g[ng++] = stack[1]->a[1];
    g[ng++] = stack[1];
    for (i = 0; i < ng; i++) {
        for (k = 0; k < nf && f[k] != g[i]; k++) continue;
        if (k == nf) return 0;
        for (; k + 1 < nf; k++) f[k] = f[k + 1];
        nf--;
    }
    *quotient = NULL;
    for (i = nf - 1; i >= 0; i--) {
        *quotient = *quotient ? irl__make2(an, IRL_OP_MUL, *quotient, f[i]) : f[i];
        if (!*quotient) return 0;
    }
    return 1;
}

static int irl__monomial_divide(irl__analyzer *an, irl__monomial a, irl__monomial b, irl__monomial *out)
{
    if (b.c == 0 || a.c % b.c != 0 || (b.c == -1 && a.c == INT64_MIN)) return 0;
    out->c = a.c / b.c;
    out->e = a.e;
    if (!b.e) return 1;
    return a.e && irl__symbolic_quotient(an, a.e, b.e, &out->e);
}

/* s = q*d + r with q as large as the leading term of d finds; q and r are new sums above s and d. */
static int irl__symbolic_long(irl__analyzer *an, const irl__sum *s, const irl__sum *d, irl__sum *r, const irl_expr **quotient)
{
    int             k, lead = 0, steps, ok = 1;
    const irl_expr *part;
    *quotient = NULL;
    for (k = 1; k < d->count; k++)
        if (an->terms[d->first + k].atom->size > an->terms[d->first + lead].atom->size) lead = k;
    *r = irl__sum_begin(an, s->type);
    if (!irl__sum_add_sum(an, r, s, 1)) return 0;
    for (steps = 0; ok && steps < 8; steps++) {
        int64_t c, dc = an->terms[d->first + lead].coef;
        for (k = 0; k < r->count; k++) {
            irl__term t = an->terms[r->first + k];
            if (t.coef == 0 || t.coef % dc != 0) continue;
            if (!irl__symbolic_quotient(an, t.atom, an->terms[d->first + lead].atom, &part)) continue;
            c = t.coef / dc;
            { /* r -= c * part * d, and quotient += c * part */
                irl__sum        one = irl__sum_begin(an, s->type);
                const irl_expr *de, *whole;
                irl__sum        copy;
                one.constant = 0;
                ok = part ? irl__sum_add_term(an, &one, part, c) : 1;
                if (!part) one.constant = c;
                whole = ok ? irl__sum_emit(an, &one) : NULL;
                irl__sum_end(an, &one);
                copy = irl__sum_begin(an, s->type);
                ok = whole && irl__sum_add_sum(an, &copy, d, 1);
                de = ok ? irl__sum_emit(an, &copy) : NULL;
                irl__sum_end(an, &copy);
                if (!de) return 0;
                de = irl__make2(an, IRL_OP_MUL, whole, de);
                if (!de || !irl__sum_add_done(an, r, de, -1)) return 0;
                irl__sum_compact(an, r);
                *quotient = *quotient ? irl__make2(an, IRL_OP_ADD, *quotient, whole) : whole;
                if (!*quotient) return 0;
            }
            break;
        }
        if (k >= r->count) break;
    }
    return ok && *quotient != NULL;
}

/* 0 <= r < d always. */
static int irl__symbolic_proper(irl__analyzer *an, const irl__sum *r, const irl__sum *d)
{
    irl__sum t = irl__sum_begin(an, r->type);
    int      ok = irl__sum_add_sum(an, &t, r, 1) && irl__sum_nonnegative(an, &t);
    irl__sum_end(an, &t);
    if (!ok) return 0;
    t = irl__sum_begin(an, r->type);
    ok = irl__sum_add_sum(an, &t, d, 1) && irl__sum_add_sum(an, &t, r, -1) && irl__sub64(t.constant, 1, &t.constant) &&
         irl__sum_nonnegative(an, &t);
    irl__sum_end(an, &t);
    return ok;
}

/* r - cell*d is proper for cell 1 or -1: r becomes that, and its quotient is larger by cell. r is the topmost sum. */
static int irl__symbolic_neighbour(irl__analyzer *an, irl__sum *r, const irl__sum *d, int *cell)
{
    irl__sum t;
    int      k, ok;
    for (*cell = -1; *cell <= 1; *cell += 2) {
        t = irl__sum_begin(an, r->type);
        ok = irl__sum_add_sum(an, &t, r, 1) && irl__sum_add_sum(an, &t, d, -*cell) && (irl__sum_compact(an, &t), irl__symbolic_proper(an, &t, d));
        if (ok) {
            for (k = 0; k < t.count; k++) an->terms[r->first + k] = an->terms[t.first + k]; /* in its place */
            r->count = t.count;
            r->constant = t.constant;
            an->term_count = r->first + r->count;
            return 1;
        }
        irl__sum_end(an, &t);
    }
    return 0;
}

/* Divides every term of s and d by one unknown that all have as a factor; false if there is none. */
static int irl__symbolic_common(irl__analyzer *an, irl__sum *s, irl__sum *d, const irl_expr **factor)
{
    const irl_expr *candidate, *rest;
    int             k;
    if (s->count == 0 || s->constant != 0 || d->constant != 0) return 0;
    for (candidate = an->terms[d->first].atom; ; candidate = candidate->a[0]) {
        const irl_expr *f = candidate->op == IRL_OP_MUL ? candidate->a[1] : candidate;
        for (k = 0; k < s->count && irl__symbolic_quotient(an, an->terms[s->first + k].atom, f, &rest); k++) continue;
        if (k == s->count)
            for (k = 0; k < d->count && irl__symbolic_quotient(an, an->terms[d->first + k].atom, f, &rest); k++) continue;
        else k = -1;
        if (k == d->count) {
            *factor = f;
            return 1;
        }
        if (candidate->op != IRL_OP_MUL) return 0;
    }
}

/* The sum with the factor taken out of each term, as an expression. */
static const irl_expr *irl__symbolic_without(irl__analyzer *an, const irl__sum *s, const irl_expr *factor)
{
    irl__sum        r = irl__sum_begin(an, s->type);
    const irl_expr *rest, *e = NULL;
    int             k, ok = 1;
    for (k = 0; ok && k < s->count; k++) {
        irl__term t = an->terms[s->first + k];
        ok = irl__symbolic_quotient(an, t.atom, factor, &rest);
        if (ok && rest) ok = irl__sum_add_term(an, &r, rest, t.coef);
        else if (ok) ok = irl__add64(r.constant, t.coef, &r.constant);
    }
    if (ok) e = irl__sum_emit(an, &r);
    irl__sum_end(an, &r);
    return e;
}

/* (f*a)/(f*b) = a/b and (f*a)%(f*b) = f*(a%b); f*b is the divisor, so f is not 0. */
static const irl_expr *irl__symbolic_reduced(irl__analyzer *an, irl_op op, irl__sum *s, irl__sum *d, const irl_expr *factor)
{
    const irl_expr *a = irl__symbolic_without(an, s, factor), *b = a ? irl__symbolic_without(an, d, factor) : NULL;
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

/* A dividend that is a division or a remainder itself: the rules "nested", "digit" and "inner mod". NULL if none applies. */
static const irl_expr *irl__symbolic_nested(irl__analyzer *an, irl_op op, const irl__sum *s, const irl__sum *d)
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
    if (!irl__monomial_of(an, t.atom->a[1], &m) || !irl__monomial_of(an, divisor, &by) || !irl__monomial_divide(an, m, by, &rest)) return NULL;
    if (op == IRL_OP_FLOORMOD) return irl__simplify_node(an, irl__make2(an, op, t.atom->a[0], divisor));
    if (irl__range_of(an, divisor).lo <= 0) return NULL;
    e = irl__make2(an, IRL_OP_FLOORDIV, t.atom->a[0], divisor);
    return irl__simplify_node(an, irl__make2(an, IRL_OP_FLOORMOD, e, irl__monomial_expr(an, rest, s->type)));
}

/* Whether e is a multiple of the divisor: the same, or both one term each. */
static int irl__symbolic_is_multiple(irl__analyzer *an, const irl_expr *e, const irl_expr *divisor)
{
    irl__monomial m, by, rest;
    return e == divisor || (irl__monomial_of(an, e, &m) && irl__monomial_of(an, divisor, &by) && irl__monomial_divide(an, m, by, &rest));
}

/* (x%d + y) % d = (x + y) % d: NULL if there is no such term. */
static const irl_expr *irl__symbolic_drop_mods(irl__analyzer *an, const irl__sum *s, const irl__sum *d)
{
    const irl_expr *divisor = irl__sum_emit(an, d), *e = NULL;
    irl__sum        r;
    int             k, i, ok;
    if (!divisor || (s->count == 1 && s->constant == 0)) return NULL;
    for (k = 0; k < s->count; k++) {
        irl__term t = an->terms[s->first + k];
        if (t.atom->op != IRL_OP_FLOORMOD || !irl__symbolic_is_multiple(an, t.atom->a[1], divisor)) continue;
        r = irl__sum_begin(an, s->type);
        r.constant = s->constant;
        ok = irl__sum_add_done(an, &r, t.atom->a[0], t.coef);
        for (i = 0; ok && i < s->count; i++)
            if (i != k) ok = irl__sum_add_term(an, &r, an->terms[s->first + i].atom, an->terms[s->first + i].coef);
        e = ok && irl__sum_merge(an, &r) ? irl__sum_emit(an, &r) : NULL;
        irl__sum_end(an, &r);
        return e ? irl__simplify_node(an, irl__make2(an, IRL_OP_FLOORMOD, e, divisor)) : NULL;
    }
    return NULL;
}

/* The terms of a divisor in the order of their factors, so that equal divisors are one expression. */
static void irl__symbolic_order(irl__analyzer *an, const irl__sum *d)
{
    int i, k;
    for (i = 1; i < d->count; i++) {
        irl__term t = an->terms[d->first + i];
        for (k = i; k > 0 && irl__sum_factor_compare(t.atom, an->terms[d->first + k - 1].atom) < 0; k--) an->terms[d->first + k] = an->terms[d->first + k - 1];
        an->terms[d->first + k] = t;
    }
}

/* s / d or s % d for a divisor that is not a constant. */
const irl_expr *irl__sum_divmod_symbolic(irl__analyzer *an, irl_op op, irl__sum *s, irl__sum *d)
{
    irl__sum        r, t;
    const irl_expr *quotient = NULL, *rest = NULL, *divisor;
    int             proper, cell;
    int64_t         c;
    irl__sum_compact(an, d);
    irl__symbolic_order(an, d);
    c = irl__sum_gcd(an, d, d->constant == INT64_MIN ? 1 : d->constant);
    c = irl__sum_gcd(an, s, s->constant == INT64_MIN ? 1 : irl__gcd64(c, s->constant));
    if (c > 1) { /* (c*a)/(c*b) = a/b, (c*a)%(c*b) = c*(a%b) */
        irl__symbolic_shrink(an, s, c);
        irl__symbolic_shrink(an, d, c);
        rest = irl__sum_divmod_symbolic(an, op, s, d);
        if (!rest || op == IRL_OP_FLOORDIV) return rest;
        return irl__simplify_node(an, irl__make2(an, IRL_OP_MUL, rest, irl_int(an->cx, s->type, c)));
    }
    rest = irl__symbolic_nested(an, op, s, d);
    if (rest || an->too_big || !irl__ok(an->cx)) return rest;
    if (irl__symbolic_common(an, s, d, &divisor)) return irl__symbolic_reduced(an, op, s, d, divisor);
    if (op == IRL_OP_FLOORMOD) {
        rest = irl__symbolic_drop_mods(an, s, d);
        if (rest || an->too_big || !irl__ok(an->cx)) return rest;
    }
    divisor = irl__sum_emit(an, d);
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
    quotient = irl__sum_add_done(an, &t, quotient, 1) && irl__sum_add_done(an, &t, rest, 1) ? irl__sum_emit(an, &t) : NULL;
    irl__sum_end(an, &t);
    return quotient;
}

/* ------------------------------------------------------------------ merging */

/* A term as scale * ((source / lower) % extent): scale and lower and extent are monomials, extent 0 for no modulo. */
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
        else others = others ? irl__sum_product_of(an, f, others) : f;
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
        if (!irl__monomial_of(an, inner->a[1], &lower) || !irl__monomial_multiply(an, p->lower, lower, &lower)) return 0;
        p->lower = lower;
        if (irl__range_of(an, inner->a[1]).lo <= 0) {
            inner = inner->a[0];
            break;
        }
    }
    p->source = inner;
    return 1;
}

static int irl__monomial_same(irl__monomial a, irl__monomial b) { return a.c == b.c && a.e == b.e; }

/* The rule "merging" for two terms of s: 1 after the change, 0 if it does not apply, -1 on failure. */
static int irl__symbolic_merge(irl__analyzer *an, irl__sum *s, int low, int high)
{
    irl__symbolic_part p, q;
    irl__monomial      scale, lower, extent;
    const irl_expr    *e;
    if (!irl__symbolic_part_of(an, an->terms[s->first + low], &p) || p.extent.c == 0) return 0;
    if (!irl__symbolic_part_of(an, an->terms[s->first + high], &q) || q.source != p.source) return 0;
    if (!irl__monomial_multiply(an, p.scale, p.extent, &scale) || !irl__monomial_same(scale, q.scale)) return 0;
    if (!irl__monomial_multiply(an, p.lower, p.extent, &lower) || !irl__monomial_same(lower, q.lower)) return 0;
    e = irl__monomial_expr(an, p.extent, s->type);
    if (!e || ((p.lower.e || p.lower.c != 1) && irl__range_of(an, e).lo <= 0)) return 0;
    e = p.source;
    if (p.lower.e || p.lower.c != 1) e = irl__make2(an, IRL_OP_FLOORDIV, e, irl__monomial_expr(an, p.lower, s->type));
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
    if (l.atom->op != IRL_OP_FLOORMOD || (l.atom->a[1]->op != IRL_OP_ADD && l.atom->a[1]->op != IRL_OP_SUB)) return 0;
    x = l.atom->a[0];
    e = irl__make2(an, IRL_OP_FLOORDIV, x, l.atom->a[1]);
    e = e ? irl__make2(an, IRL_OP_MUL, e, l.atom->a[1]) : NULL;
    if (!e) return -1;
    t = irl__sum_begin(an, s->type);
    ok = irl__sum_add_done(an, &t, e, l.coef) && t.constant == 0;
    for (i = 0; ok && i < t.count; i++) {
        for (k = 0; k < s->count && an->terms[s->first + k].atom != an->terms[t.first + i].atom; k++) continue;
        ok = k < s->count && an->terms[s->first + k].coef == an->terms[t.first + i].coef;
    }
    for (i = 0; ok && i < t.count; i++)
        for (k = 0; k < s->count; k++)
            if (an->terms[s->first + k].atom == an->terms[t.first + i].atom) an->terms[s->first + k].coef = 0;
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
        if (e->a[1]->op == IRL_OP_FLOORMOD || e->a[0]->op == IRL_OP_FLOORMOD || e->a[1]->op == IRL_OP_FLOORDIV || e->a[0]->op == IRL_OP_FLOORDIV) return 1;
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

/* ------------------------------------------------------------------ ends of ranges as expressions */

static const irl_expr *irl__bound_of(irl__analyzer *an, const irl_expr *e, int sign, int depth);

/* m % c: its largest value is c - 1 at most, or that of m where m starts at 0 and does not get there. */
static const irl_expr *irl__bound_of_mod(irl__analyzer *an, const irl_expr *e, int sign, int depth)
{
    const irl_expr *first = irl__bound_of(an, e->a[0], -1, depth), *last, *most;
    if (irl__range_of(an, e->a[1]).lo < 1) return NULL;
    if (sign < 0) return irl_int(an->cx, e->type, 0);
    last = irl__bound_of(an, e->a[0], 1, depth);
    most = irl__make2(an, IRL_OP_SUB, e->a[1], irl_int(an->cx, e->type, 1));
    return last && first && irl__is_int(first, 0) ? irl__make2(an, IRL_OP_MIN, last, most) : most;
}

static int irl__bound_nonnegative(irl__analyzer *an, const irl_expr *e)
{
    irl__sum s;
    int      ok;
    if (irl__range_of(an, e).lo >= 0) return 1;
    s = irl__sum_begin(an, e->type);
    ok = irl__sum_add_done(an, &s, e, 1) && irl__sum_nonnegative(an, &s);
    irl__sum_end(an, &s);
    return ok;
}

/* a*b for factors that are not negative; two lower bounds below 0 would make a product above it. */
static const irl_expr *irl__bound_of_product(irl__analyzer *an, const irl_expr *e, int sign, int depth)
{
    const irl_expr *a = irl__bound_of(an, e->a[0], sign, depth), *b = irl__bound_of(an, e->a[1], sign, depth);
    if (!a || !b || !irl__bound_nonnegative(an, e->a[0]) || !irl__bound_nonnegative(an, e->a[1])) return NULL;
    if (sign < 0 && (irl__range_of(an, a).lo < 0 || irl__range_of(an, b).lo < 0)) return irl_int(an->cx, e->type, 0);
    return irl__make2(an, IRL_OP_MUL, a, b);
}

static const irl_expr *irl__bound_of_sum(irl__analyzer *an, const irl_expr *e, int sign, int depth)
{
    irl__sum        s = irl__sum_begin(an, e->type), r;
    const irl_expr *out = NULL;
    int             k, ok = irl__sum_add_done(an, &s, e, 1);
    irl__sum_compact(an, &s);
    r = irl__sum_begin(an, e->type);
    r.constant = s.constant;
    for (k = 0; ok && k < s.count; k++) {
        irl__term       t = an->terms[s.first + k];
        const irl_expr *b = irl__bound_of(an, t.atom, t.coef > 0 ? sign : -sign, depth);
        ok = b && irl__sum_add(an, &r, b, t.coef);
    }
    if (ok && irl__sum_merge(an, &r)) out = irl__sum_emit(an, &r);
    irl__sum_end(an, &s);
    return out;
}

static const irl_expr *irl__bound_of(irl__analyzer *an, const irl_expr *e, int sign, int depth)
{
    const irl__known *known;
    const irl_expr   *a;
    if (depth > 32) return NULL;
    if (!irl__expr_moves(an, e)) return e; /* made of parameters and constants */
    switch (e->op) {
    case IRL_OP_VAR:
        known = irl__known_find(an, e);
        if (known && known->first) return sign > 0 ? known->last : known->first;
        if (known && known->bounded) return irl_int(an->cx, e->type, sign > 0 ? known->range.hi : known->range.lo);
        return NULL;
    case IRL_OP_FLOORDIV:
        a = irl__range_of(an, e->a[1]).lo >= 1 && !irl__expr_moves(an, e->a[1]) ? irl__bound_of(an, e->a[0], sign, depth + 1) : NULL;
        return a ? irl__make2(an, IRL_OP_FLOORDIV, a, e->a[1]) : NULL;
    case IRL_OP_FLOORMOD:
        if (!irl__expr_moves(an, e)) return e;
        return irl__expr_moves(an, e->a[1]) ? NULL : irl__bound_of_mod(an, e, sign, depth + 1);
    case IRL_OP_MUL:
        if (e->a[0]->op != IRL_OP_INT && e->a[1]->op != IRL_OP_INT) return irl__bound_of_product(an, e, sign, depth + 1);
        return irl__bound_of_sum(an, e, sign, depth + 1);
    case IRL_OP_ADD: case IRL_OP_SUB: case IRL_OP_NEG: return irl__bound_of_sum(an, e, sign, depth + 1);
    default: return NULL;
    }
}

int irl__expr_moves(irl__analyzer *an, const irl_expr *e)
{
    uint32_t k;
    if (e->op == IRL_OP_VAR) {
        const irl__known *known = irl__known_find(an, e);
        return known && (known->first || known->bounded);
    }
    for (k = 0; k < e->count; k++)
        if (irl__expr_moves(an, e->a[k])) return 1;
    return 0;
}

const irl_expr *irl__symbolic_bound(irl__analyzer *an, const irl_expr *e, int sign)
{
    const irl_expr *s = an && e ? irl__simplify(an, e) : NULL, *b = s ? irl__bound_of(an, s, sign, 0) : NULL;
    return b ? irl__simplify(an, b) : NULL;
}

/* ------------------------------------------------------------------ ends that are reached */

enum { IRL__REACH_TERMS = 32 };

/* step * atom: atom stands for what moves, step for the rest; `last` is how far the atom goes from its least value. */
typedef struct irl__reach_term {
    const irl_expr *atom, *step, *last;
} irl__reach_term;

static int irl__reach(irl__analyzer *an, const irl_expr *e, int dense, int depth);

static int irl__reach_shares(irl__analyzer *an, const irl_expr *a, const irl_expr *b)
{
    uint32_t k;
    if (a->op == IRL_OP_VAR) return irl__expr_moves(an, a) && irl__expr_uses_var(b, a);
    for (k = 0; k < a->count; k++)
        if (irl__reach_shares(an, a->a[k], b)) return 1;
    return 0;
}

/* last - first of e; NULL where it is not known. */
static const irl_expr *irl__reach_length(irl__analyzer *an, const irl_expr *e)
{
    const irl_expr *first = irl__bound_of(an, e, -1, 0), *last = irl__bound_of(an, e, 1, 0);
    return first && last ? irl__simplify(an, irl__make2(an, IRL_OP_SUB, last, first)) : NULL;
}

/* A product as what moves in it and the rest: false if two factors move. */
static int irl__reach_factor(irl__analyzer *an, const irl_expr *e, irl__reach_term *t)
{
    const irl_expr *f;
    for (;; e = e->a[0]) {
        f = e->op == IRL_OP_MUL ? e->a[1] : e;
        if (!irl__expr_moves(an, f)) t->step = irl__make2(an, IRL_OP_MUL, t->step, f);
        else if (t->atom) return 0;
        else t->atom = f;
        if (!t->step) return 0;
        if (e->op != IRL_OP_MUL) return t->atom != NULL;
    }
}

/* The moving terms of a sum; their number, -1 if they are not understood. */
static int irl__reach_terms(irl__analyzer *an, const irl_expr *e, irl__reach_term *list)
{
    irl__sum s = irl__sum_begin(an, e->type);
    int      k, count = 0, ok = irl__sum_add_done(an, &s, e, 1);
    irl__sum_compact(an, &s);
    for (k = 0; ok && k < s.count; k++) {
        irl__term t = an->terms[s.first + k];
        if (!irl__expr_moves(an, t.atom)) continue;
        ok = count < IRL__REACH_TERMS && t.coef != INT64_MIN;
        if (!ok) break;
        list[count].atom = NULL;
        list[count].step = irl_int(an->cx, e->type, t.coef < 0 ? -t.coef : t.coef);
        ok = list[count].step && irl__reach_factor(an, t.atom, &list[count]);
        count++;
    }
    irl__sum_end(an, &s);
    return ok ? count : -1;
}

/* Whether steps of one follow upon what the others reach, so that no value is left out: each step is at most one more than all
   smaller ones reach together. */
static int irl__reach_follows(irl__analyzer *an, irl__reach_term *list, int count, irl_type type)
{
    const irl_expr *reach = irl_int(an->cx, type, 1);
    int             k, used;
    for (used = 0; used < count; used++) {
        for (k = used; k < count; k++)
            if (list[k].last && reach && irl__prove(an, irl__make2(an, IRL_OP_LE, list[k].step, reach))) break;
        if (k == count) return 0;
        reach = irl__make2(an, IRL_OP_ADD, reach, irl__make2(an, IRL_OP_MUL, list[k].step, list[k].last));
        reach = irl__simplify(an, reach);
        list[k] = list[used];
    }
    return 1;
}

static int irl__reach_of_sum(irl__analyzer *an, const irl_expr *e, int dense, int depth)
{
    irl__reach_term list[IRL__REACH_TERMS];
    int             i, k, count = irl__reach_terms(an, e, list);
    for (k = 0; k < count; k++) {
        for (i = 0; i < k; i++)
            if (irl__reach_shares(an, list[i].atom, list[k].atom)) return 0;
        if (list[k].atom == e || !irl__reach(an, list[k].atom, dense, depth)) return 0;
        if (irl__range_of(an, list[k].step).lo < 0) return 0;
        list[k].last = irl__reach_length(an, list[k].atom);
    }
    return count >= 0 && (!dense || irl__reach_follows(an, list, count, e->type));
}

/* Both ends are reached by iterators that each stand in one place; dense: and every value between them. */
static int irl__reach(irl__analyzer *an, const irl_expr *e, int dense, int depth)
{
    const irl_expr *first, *length;
    if (depth > 32) return 0;
    if (e->op == IRL_OP_VAR || !irl__expr_moves(an, e)) return 1;
    switch (e->op) {
    case IRL_OP_ADD: case IRL_OP_SUB: case IRL_OP_MUL: case IRL_OP_NEG: return irl__reach_of_sum(an, e, dense, depth + 1);
    case IRL_OP_FLOORDIV: return irl__range_of(an, e->a[1]).lo >= 1 && !irl__expr_moves(an, e->a[1]) && irl__reach(an, e->a[0], dense, depth + 1);
    case IRL_OP_FLOORMOD:
        if (irl__range_of(an, e->a[1]).lo < 1 || irl__expr_moves(an, e->a[1]) || !irl__reach(an, e->a[0], 1, depth + 1)) return 0;
        first = irl__bound_of(an, e->a[0], -1, depth + 1);
        if (first && irl__is_int(first, 0)) return 1; /* from 0 on to the end or to the divisor */
        length = irl__reach_length(an, e->a[0]);
        return length && irl__prove(an, irl__make2(an, IRL_OP_LT, irl__make2(an, IRL_OP_SUB, e->a[1], irl_int(an->cx, e->type, 2)), length));
    default: return 0;
    }
}

const irl_expr *irl__symbolic_end(irl__analyzer *an, const irl_expr *e, int sign)
{
    const irl_expr *b = irl__symbolic_bound(an, e, sign);
    e = b ? irl__simplify(an, e) : NULL;
    return e && irl__reach(an, e, 0, 0) ? b : NULL;
}
