/* sum_read.c - expressions read as sums.

   needs     sum.c, product.c; sum_emit.c for parts that become atoms
   promises  the sum equals the expression. A product of two short sums is multiplied out; a
             constant beside a dividend is brought into one cell of the divisor, so that (x + 5)/2
             and (x - 3)/2 meet */
#include "engine.h"

enum { IRL__EXPAND_LIMIT = 16 }; /* terms of a product that is multiplied out */

static int irl__sum_is_linear(irl_op op)
{
    return op == IRL_OP_INT || op == IRL_OP_ADD || op == IRL_OP_SUB || op == IRL_OP_NEG ||
           op == IRL_OP_MUL;
}

/* s += scale * a * b, multiplied out. a and b lie below s on the stack. */
static int irl__sum_add_expanded(irl__analyzer *an, irl__sum *s, const irl__sum *a,
                                 const irl__sum *b, int64_t scale)
{
    int     i, k;
    int64_t c;
    if (!irl__mul64(a->constant, b->constant, &c) || !irl__mul64(c, scale, &c) ||
        !irl__add64(s->constant, c, &s->constant))
        return 0;
    for (i = -1; i < a->count; i++)
        for (k = -1; k < b->count; k++) {
            const irl_expr *x = i < 0 ? NULL : an->terms[a->first + i].atom,
                           *y = k < 0 ? NULL : an->terms[b->first + k].atom;
            const irl_expr *atom = x && y ? irl__product_of(an, x, y) : x ? x : y;
            if (!x && !y) continue;
            if (!atom ||
                !irl__mul64(i < 0 ? a->constant : an->terms[a->first + i].coef,
                            k < 0 ? b->constant : an->terms[b->first + k].coef, &c) ||
                !irl__mul64(c, scale, &c))
                return 0;
            if (!irl__sum_add_term(an, s, atom, c)) return 0;
        }
    return 1;
}

static int irl__sum_is_min_by_max(const irl_expr *x, const irl_expr *y)
{
    if (!(x->op == IRL_OP_MIN && y->op == IRL_OP_MAX) &&
        !(x->op == IRL_OP_MAX && y->op == IRL_OP_MIN))
        return 0;
    return (x->a[0] == y->a[0] && x->a[1] == y->a[1]) || (x->a[0] == y->a[1] && x->a[1] == y->a[0]);
}

/* s += scale * x * y, where neither is a constant. The parts stand above s while they are made, so
   the result is built above them and moved down. */
static int irl__sum_add_product(irl__analyzer *an, irl__sum *s, const irl_expr *x,
                                const irl_expr *y, int64_t scale, int done)
{
    irl__sum a, b, r;
    int      k, ok, first;
    if (irl__sum_is_min_by_max(x, y)) { /* min(a, b)*max(a, b) = a*b */
        y = x->a[1];
        x = x->a[0];
    }
    a = irl__sum_begin(an, s->type);
    ok = done ? irl__sum_add_done(an, &a, x, 1) : irl__sum_add(an, &a, x, 1);
    irl__sum_compact(an, &a);
    b = irl__sum_begin(an, s->type);
    ok = ok && (done ? irl__sum_add_done(an, &b, y, 1) : irl__sum_add(an, &b, y, 1));
    irl__sum_compact(an, &b);
    r = irl__sum_begin(an, s->type);
    if (ok) {
        if (a.count == 0)
            ok = irl__mul64(scale, a.constant, &scale) && irl__sum_add_sum(an, &r, &b, scale);
        else if (b.count == 0)
            ok = irl__mul64(scale, b.constant, &scale) && irl__sum_add_sum(an, &r, &a, scale);
        else if ((a.count + 1) * (b.count + 1) <= IRL__EXPAND_LIMIT)
            ok = irl__sum_add_expanded(an, &r, &a, &b, scale);
        else {
            const irl_expr *ea = irl__sum_emit(an, &a), *eb = irl__sum_emit(an, &b), *e = NULL;
            if (ea && eb) e = irl__product_of(an, ea, eb);
            ok = e && irl__sum_add_term(an, &r, e, scale);
        }
    }
    ok = ok && irl__add64(s->constant, r.constant, &s->constant);
    first = r.first;
    an->term_count = a.first; /* the terms of r stay readable above */
    for (k = 0; ok && k < r.count; k++) {
        irl__term t = an->terms[first + k];
        ok = irl__sum_add_term(an, s, t.atom, t.coef);
    }
    return ok;
}

/* (r + k)/c with k outside [0, c) is (r + k%c)/c + k/c: so that (x + 5)/2 and (x - 3)/2 meet.
   Emitting moves k back in. */
static int irl__sum_add_division(irl__analyzer *an, irl__sum *s, const irl_expr *e, int64_t scale)
{
    const irl_expr *a = e->a[0], *atom;
    irl__sum        r;
    int64_t         c, k, q, m;
    int             ok;
    if (e->a[1]->op != IRL_OP_INT || (a->op != IRL_OP_ADD && a->op != IRL_OP_SUB) ||
        a->a[1]->op != IRL_OP_INT || !irl__is_exact(an, a))
        return irl__sum_add_term(an, s, e, scale);
    c = e->a[1]->u.i;
    k = a->a[1]->u.i;
    if (a->op == IRL_OP_SUB && !irl__sub64(0, k, &k)) return irl__sum_add_term(an, s, e, scale);
    if (c <= 0 || (k >= 0 && k < c) || !irl__floordiv64(k, c, &q) || !irl__floormod64(k, c, &m))
        return irl__sum_add_term(an, s, e, scale);
    r = irl__sum_begin(an, e->type);
    ok = irl__sum_add_done(an, &r, a->a[0], 1) && irl__add64(r.constant, m, &r.constant);
    atom = ok ? irl__sum_emit(an, &r) : NULL;
    irl__sum_end(an, &r);
    atom = atom ? irl__make2(an, IRL_OP_FLOORDIV, atom, e->a[1]) : NULL;
    if (!atom && irl__ok(an->cx) && !an->too_big) return irl__sum_add_term(an, s, e, scale);
    return atom && irl__mul64(q, scale, &q) && irl__add64(s->constant, q, &s->constant) &&
           irl__sum_add_term(an, s, atom, scale);
}

/* A product of atoms, as the rules write it, in order: a term of a sum as it stands. */
static int irl__sum_is_product(const irl_expr *e)
{
    const irl_expr *before;
    for (; e->op == IRL_OP_MUL; e = e->a[0]) {
        before = e->a[0]->op == IRL_OP_MUL ? e->a[0]->a[1] : e->a[0];
        if (irl__sum_is_linear((irl_op)e->a[1]->op)) return 0;
        if (irl__factor_compare(e->a[1], before) < 0) return 0;
    }
    return !irl__sum_is_linear((irl_op)e->op);
}

static int irl__sum_add_either(irl__analyzer *an, irl__sum *s, const irl_expr *e, int64_t scale,
                               int done)
{
    int64_t c;
    switch (e->op) {
    case IRL_OP_INT:
        return irl__mul64(e->u.i, scale, &c) && irl__add64(s->constant, c, &s->constant);
    case IRL_OP_ADD:
        return irl__sum_add_either(an, s, e->a[0], scale, done) &&
               irl__sum_add_either(an, s, e->a[1], scale, done);
    case IRL_OP_SUB:
        if (scale == INT64_MIN) return 0;
        return irl__sum_add_either(an, s, e->a[0], scale, done) &&
               irl__sum_add_either(an, s, e->a[1], -scale, done);
    case IRL_OP_NEG: return scale != INT64_MIN && irl__sum_add_either(an, s, e->a[0], -scale, done);
    case IRL_OP_MUL:
        if (e->a[1]->op == IRL_OP_INT)
            return irl__mul64(scale, e->a[1]->u.i, &c) &&
                   irl__sum_add_either(an, s, e->a[0], c, done);
        if (e->a[0]->op == IRL_OP_INT)
            return irl__mul64(scale, e->a[0]->u.i, &c) &&
                   irl__sum_add_either(an, s, e->a[1], c, done);
        if (done && irl__sum_is_product(e)) return irl__sum_add_term(an, s, e, scale);
        return irl__sum_add_product(an, s, e->a[0], e->a[1], scale, done);
    case IRL_OP_FLOORDIV: return irl__sum_add_division(an, s, e, scale);
    default: return irl__sum_add_term(an, s, e, scale);
    }
}

int irl__sum_add_done(irl__analyzer *an, irl__sum *s, const irl_expr *e, int64_t scale)
{
    if (irl__sum_is_linear((irl_op)e->op) && !irl__type_is_index(e->type) && !irl__is_exact(an, e))
        return irl__sum_add_term(an, s, e, scale);
    return irl__sum_add_either(an, s, e, scale, 1);
}

/* A product of variables is one term, however long. -1: it is no such product. */
static int irl__sum_add_variables(irl__analyzer *an, irl__sum *s, const irl_expr *e, int64_t scale)
{
    const irl_expr *f[IRL__FACTOR_LIMIT];
    int             k, n = 0;
    if (!irl__product_factors(e, f, &n)) return -1;
    for (k = 0; k < n; k++)
        if (f[k]->op != IRL_OP_VAR || irl__simplify_node(an, f[k]) != f[k]) return -1;
    e = irl__product_ordered(an, f, n);
    return e && irl__sum_add_term(an, s, e, scale);
}

/* Index arithmetic is read as one sum, whatever its nesting; other types node by node, because each
   may wrap. */
int irl__sum_add(irl__analyzer *an, irl__sum *s, const irl_expr *e, int64_t scale)
{
    int64_t         c;
    const irl_expr *r;
    int             ok;
    if (irl__type_is_index(e->type) && e->type.lanes == 1) {
        switch (e->op) {
        case IRL_OP_INT:
            return irl__mul64(e->u.i, scale, &c) && irl__add64(s->constant, c, &s->constant);
        case IRL_OP_ADD:
            return irl__sum_add(an, s, e->a[0], scale) && irl__sum_add(an, s, e->a[1], scale);
        case IRL_OP_SUB:
            return scale != INT64_MIN && irl__sum_add(an, s, e->a[0], scale) &&
                   irl__sum_add(an, s, e->a[1], -scale);
        case IRL_OP_NEG: return scale != INT64_MIN && irl__sum_add(an, s, e->a[0], -scale);
        case IRL_OP_MUL:
            if (e->a[1]->op == IRL_OP_INT)
                return irl__mul64(scale, e->a[1]->u.i, &c) && irl__sum_add(an, s, e->a[0], c);
            if (e->a[0]->op == IRL_OP_INT)
                return irl__mul64(scale, e->a[0]->u.i, &c) && irl__sum_add(an, s, e->a[1], c);
            ok = irl__sum_add_variables(an, s, e, scale);
            return ok < 0 ? irl__sum_add_product(an, s, e->a[0], e->a[1], scale, 0) : ok;
        default: break;
        }
    }
    r = irl__simplify_node(an, e);
    return r && irl__sum_add_done(an, s, r, scale);
}
