/* monomial.c - products of a number and unknowns, c * e.

   needs     sum_expr.c, product.c
   promises  exact, or false */
#include "engine.h"

int irl__monomial_of(irl__analyzer *an, const irl_expr *e, irl__monomial *m)
{
    if (e->op == IRL_OP_INT) {
        m->c = e->u.i;
        m->e = NULL;
        return m->c != 0;
    }
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

const irl_expr *irl__monomial_expr(irl__analyzer *an, irl__monomial m, irl_type type)
{
    if (!m.e) return irl_expr_int(an->cx, type, m.c);
    return m.c == 1 ? m.e : irl__make2(an, IRL_OP_MUL, m.e, irl_expr_int(an->cx, type, m.c));
}

int irl__monomial_multiply(irl__analyzer *an, irl__monomial a, irl__monomial b, irl__monomial *out)
{
    if (!irl__mul64(a.c, b.c, &out->c)) return 0;
    out->e = a.e && b.e ? irl__product_of(an, a.e, b.e) : a.e ? a.e : b.e;
    return !(a.e || b.e) || out->e;
}

int irl__monomial_divide(irl__analyzer *an, irl__monomial a, irl__monomial b, irl__monomial *out)
{
    if (b.c == 0 || (b.c == -1 && a.c == INT64_MIN) || a.c % b.c != 0) return 0;
    out->c = a.c / b.c;
    out->e = a.e;
    if (!b.e) return 1;
    return a.e && irl__product_quotient(an, a.e, b.e, &out->e);
}

int irl__monomial_same(irl__monomial a, irl__monomial b) { return a.c == b.c && a.e == b.e; }

int irl__monomial_is_size(irl__analyzer *an, irl__monomial m, irl_type type)
{
    const irl_expr *e = m.e ? irl__monomial_expr(an, m, type) : NULL;
    return m.e ? e && irl__range_of(an, e).lo >= 0 : m.c >= 0;
}
