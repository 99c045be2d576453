/* affine.c - by how much an expression grows along a variable.

   needs     simplify.c; irl__affine_read of sum_expr.c
   promises  exact; if an intermediate number leaves 64 bits, the answer is not known */
#include "engine.h"

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
