/* affine.c - an expression as a sum of multiples, and by how much it grows along a variable.

   needs     simplify.c
   promises  the terms add up to the expression, exactly; where a number on the way leaves 64 bits
             the reading fails */
#include "engine.h"

int irl__affine_read(const irl__affine_reader *r, const irl_expr *e, int64_t scale,
                     const irl_expr *factor)
{
    int64_t product;
    int     k;
    const int is_sum = e->op == IRL_OP_ADD || e->op == IRL_OP_SUB || e->op == IRL_OP_NEG;
    if (e->op == IRL_OP_INT ||
        (r->is_fixed && (!is_sum || r->keeps_sums) && r->is_fixed(r->user, e)))
        return r->term(r->user, e, scale, factor, 1);
    switch (e->op) {
    case IRL_OP_ADD:
        return irl__affine_read(r, e->a[0], scale, factor) &&
               irl__affine_read(r, e->a[1], scale, factor);
    case IRL_OP_SUB:
        return scale > INT64_MIN && irl__affine_read(r, e->a[0], scale, factor) &&
               irl__affine_read(r, e->a[1], -scale, factor);
    case IRL_OP_NEG: return scale > INT64_MIN && irl__affine_read(r, e->a[0], -scale, factor);
    case IRL_OP_MUL:
        for (k = 1; k >= 0; k--)
            if (e->a[k]->op == IRL_OP_INT)
                return irl__mul64(scale, e->a[k]->u.i, &product) &&
                       irl__affine_read(r, e->a[1 - k], product, factor);
        for (k = 1; r->is_fixed && k >= 0; k--)
            if (r->is_fixed(r->user, e->a[k])) {
                factor = factor ? irl__mul(r->cx, factor, e->a[k]) : e->a[k];
                return factor && irl__affine_read(r, e->a[1 - k], scale, factor);
            }
        break;
    default: break;
    }
    return r->term(r->user, e, scale, factor, 0);
}

/* ------------------------------------------------------------------ along a variable */

typedef struct irl__affine_along {
    const irl_expr *var;
    int64_t         step;
} irl__affine_along;

static int irl__affine_is_without(const void *user, const irl_expr *e)
{
    return !irl__expr_uses_var(e, ((const irl__affine_along *)user)->var);
}

static int irl__affine_add_step(void *user, const irl_expr *e, int64_t scale,
                                const irl_expr *factor, int is_fixed)
{
    irl__affine_along *q = (irl__affine_along *)user;
    return is_fixed || (e == q->var && !factor && irl__add64(q->step, scale, &q->step));
}

const irl_expr *irl__step_along(irl__analyzer *an, const irl_expr *e, const irl_expr *var)
{
    irl_ctx           *cx = an->cx;
    irl__affine_along  q = { var, 0 };
    irl__affine_reader r = { cx, &q, irl__affine_is_without, irl__affine_add_step, 0 };
    if (irl__type_is_index(e->type) && irl__affine_read(&r, e, 1, NULL))
        return irl_expr_int(cx, e->type, q.step);
    const irl_expr *next = irl__add(cx, var, irl_expr_int(cx, var->type, 1));
    next = next ? irl__substitute(cx, e, 1, &var, &next) : NULL;
    return next ? irl__canonical(an, irl__sub(cx, next, e)) : NULL;
}

int64_t irl__step_number(irl__analyzer *an, const irl_expr *e, const irl_expr *var)
{
    const irl_expr *step = irl__step_along(an, e, var);
    return step && step->op == IRL_OP_INT ? step->u.i : 0;
}
