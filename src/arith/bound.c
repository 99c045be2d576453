/* bound.c - ends of ranges as expressions.

   needs     sums; what was bound to an extent
   promises  no value lies beyond the end that is given, whatever the parameters are; NULL where
             none is known */
#include "engine.h"

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

const irl_expr *irl__bound_of(irl__analyzer *an, const irl_expr *e, int sign, int depth);

/* m % c: its largest value is c - 1 at most, or that of m where m starts at 0 and does not get
   there. */
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
static const irl_expr *irl__bound_of_product(irl__analyzer *an, const irl_expr *e, int sign,
                                             int depth)
{
    const irl_expr *a = irl__bound_of(an, e->a[0], sign, depth),
                   *b = irl__bound_of(an, e->a[1], sign, depth);
    if (!a || !b || !irl__bound_nonnegative(an, e->a[0]) || !irl__bound_nonnegative(an, e->a[1]))
        return NULL;
    if (sign < 0 && (irl__range_of(an, a).lo < 0 || irl__range_of(an, b).lo < 0))
        return irl_int(an->cx, e->type, 0);
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

const irl_expr *irl__bound_of(irl__analyzer *an, const irl_expr *e, int sign, int depth)
{
    const irl__known *known;
    const irl_expr   *a;
    if (depth > 32) return NULL;
    if (!irl__expr_moves(an, e)) return e; /* made of parameters and constants */
    switch (e->op) {
    case IRL_OP_VAR:
        known = irl__known_find(an, e);
        if (known && known->first) return sign > 0 ? known->last : known->first;
        if (known && known->bounded)
            return irl_int(an->cx, e->type, sign > 0 ? known->range.hi : known->range.lo);
        return NULL;
    case IRL_OP_FLOORDIV:
        a = irl__range_of(an, e->a[1]).lo >= 1 && !irl__expr_moves(an, e->a[1])
                ? irl__bound_of(an, e->a[0], sign, depth + 1)
                : NULL;
        return a ? irl__make2(an, IRL_OP_FLOORDIV, a, e->a[1]) : NULL;
    case IRL_OP_FLOORMOD:
        if (!irl__expr_moves(an, e)) return e;
        return irl__expr_moves(an, e->a[1]) ? NULL : irl__bound_of_mod(an, e, sign, depth + 1);
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

const irl_expr *irl__symbolic_bound(irl__analyzer *an, const irl_expr *e, int sign)
{
    const irl_expr *s = an && e ? irl__canonical(an, e) : NULL,
                   *b = s ? irl__bound_of(an, s, sign, 0) : NULL;
    return b ? irl__canonical(an, b) : NULL;
}
