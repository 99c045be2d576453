/* product.c - products of unknowns, n*h*w: atoms of sums with their factors in a fixed order, so
   that equal products meet.

   needs     the analyzer's building
   promises  the order depends on the form and age of the factors alone: it is the same in every
             run */
#include "engine.h"

int irl__product_factors(const irl_expr *e, const irl_expr **out, int *count)
{
    if (e->op == IRL_OP_MUL && e->a[0]->op != IRL_OP_INT && e->a[1]->op != IRL_OP_INT)
        return irl__product_factors(e->a[0], out, count) &&
               irl__product_factors(e->a[1], out, count);
    if (*count == IRL__FACTOR_LIMIT) return 0;
    out[(*count)++] = e;
    return 1;
}

/* What a node holds beside its operands, as a number that is the same in every run (no address, no
   hash). */
static int64_t irl__product_factor_own(const irl_expr *e)
{
    int64_t own;
    switch (e->op) {
    case IRL_OP_VAR: return e->id;
    case IRL_OP_LOAD: return e->u.buffer->id;
    case IRL_OP_INT: return e->u.i;
    case IRL_OP_FLOAT: return memcpy(&own, &e->u.f, sizeof own), own;
    default: return 0;
    }
}

static int irl__product_order(int64_t a, int64_t b) { return a < b ? -1 : a > b; }

/* Any fixed order will do if it is the same in every run; variables by age and before the rest
   reads best. Equal operands are one object, so that one path is walked, no deeper than the
   expressions. */
int irl__factor_compare(const irl_expr *a, const irl_expr *b)
{
    int order = irl__product_order(b->op == IRL_OP_VAR, a->op == IRL_OP_VAR);
    if (!order) order = irl__product_order(a->op, b->op);
    if (!order) order = irl__product_order(a->type.scalar, b->type.scalar);
    if (!order) order = irl__product_order(a->count, b->count);
    if (!order) order = irl__product_order(irl__product_factor_own(a), irl__product_factor_own(b));
    if (!order && (a->op == IRL_OP_CALL_EXTERN || a->op == IRL_OP_CALL_INTRINSIC))
        order = strcmp(a->u.name, b->u.name);
    if (order) return order;
    for (uint32_t k = 0; k < a->count; k++)
        if (a->a[k] != b->a[k]) return irl__factor_compare(a->a[k], b->a[k]);
    return 0;
}

const irl_expr *irl__product_make(irl__analyzer *an, const irl_expr *const *factors, int count)
{
    const irl_expr *e = factors[0];
    for (int k = 1; k < count && e; k++) e = irl__make2(an, IRL_OP_MUL, e, factors[k]);
    return e;
}

const irl_expr *irl__product_ordered(irl__analyzer *an, const irl_expr **f, int n)
{
    int k;
    for (int i = 1; i < n; i++) {
        const irl_expr *x = f[i];
        for (k = i; k > 0 && irl__factor_compare(x, f[k - 1]) < 0; k--) f[k] = f[k - 1];
        f[k] = x;
    }
    return irl__product_make(an, f, n);
}

const irl_expr *irl__product_of(irl__analyzer *an, const irl_expr *a, const irl_expr *b)
{
    const irl_expr *f[IRL__FACTOR_LIMIT];
    int             n = 0;
    if (!irl__product_factors(a, f, &n) || !irl__product_factors(b, f, &n))
        return irl__make2(an, IRL_OP_MUL, a, b);
    return irl__product_ordered(an, f, n);
}

/* The factors of a left-nested product, outermost first; what lies deeper than there is room for
   counts as one. */
static int irl__product_peel(const irl_expr *e, const irl_expr **f)
{
    int n = 0;
    for (; e->op == IRL_OP_MUL && n < IRL__FACTOR_LIMIT - 1; e = e->a[0]) f[n++] = e->a[1];
    f[n++] = e;
    return n;
}

int irl__product_quotient(irl__analyzer *an, const irl_expr *atom, const irl_expr *by,
                          const irl_expr **quotient)
{
    const irl_expr *f[IRL__FACTOR_LIMIT], *g[IRL__FACTOR_LIMIT];
    int             nf = irl__product_peel(atom, f), ng = irl__product_peel(by, g), i, k;
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
