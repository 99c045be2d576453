/* halves.c - computes operators on f16 and bf16 that the target lacks in f32, and rounds.

   requires  nothing; it runs after the passes that look for updates (y[i] = y[i] + x), and before
             those that print or take vectors apart
   maintains what is computed, bit for bit: an operator on halves is f32's, rounded, and that is
             what the function says afterwards
   breaks    nothing: no operator on halves that the target lacks is left (src/target/target.c says
             which it has)
   cost linear; an operator becomes up to three times as deep

   a * b + c of f16 becomes f16(f32(f16(f32(a) * f32(b))) + f32(c)): both roundings stay. Where
   f32's result is a half already, as max(a, b) and -a of halves are, it is used as it is. */
#include "pass.h"

/* Is f32's result of this operator on halves one of them? */
static int irl__halves_op_is_exact(irl_op op)
{
    return op == IRL_OP_NEG || op == IRL_OP_ABS || op == IRL_OP_MIN || op == IRL_OP_MAX ||
           op == IRL_OP_COPYSIGN || irl__op_is_whole(op);
}

/* Is e, of f32, the value of a half of that type, as this pass writes it? */
static int irl__halves_is_half(const irl_expr *e, irl_scalar half)
{
    if (e->op == IRL_OP_CAST) return e->a[0]->type.scalar == half;
    if (e->op == IRL_OP_BROADCAST) e = e->a[0];
    if (e->op == IRL_OP_FLOAT)
        return irl__round_float(irl_type_of(half, 1), e->u.f) == e->u.f;
    for (uint32_t k = 0; k < e->count; k++)
        if (!irl__halves_op_is_exact((irl_op)e->op) || !irl__halves_is_half(e->a[k], half))
            return 0;
    return e->count > 0;
}

/* A half, or lanes of them, as f32. */
static const irl_expr *irl__halves_wide(irl_ctx *cx, const irl_expr *e)
{
    irl_type wide = irl_type_of(IRL_F32, (int)e->type.lanes);
    if (e->op == IRL_OP_FLOAT) return irl_expr_float(cx, wide, e->u.f);
    if (e->op == IRL_OP_BROADCAST && e->a[0]->op == IRL_OP_FLOAT)
        return irl_expr_broadcast(cx, irl__halves_wide(cx, e->a[0]), (int)e->type.lanes);
    if (e->op == IRL_OP_CAST && irl_type_equal(e->a[0]->type, wide) &&
        irl__halves_is_half(e->a[0], (irl_scalar)e->type.scalar))
        return e->a[0];
    return irl_expr_cast(cx, wide, e);
}

static const irl_expr *irl__halves_expr(irl__rewriter *r, const irl_expr *e)
{
    const irl_target *target = *(const irl_target *const *)r->user;
    const irl_expr   *wide[3];
    e = irl__rewrite_expr_children(r, e);
    if (!e || irl__target_has_operator(target, e)) return e;
    for (uint32_t k = 0; k < e->count; k++) {
        wide[k] = irl__halves_wide(r->cx, e->a[k]);
        if (!wide[k]) return NULL;
    }
    return irl_expr_cast(r->cx, e->type,
                         irl__expr_op(r->cx, (irl_op)e->op, (int)e->count, wide, irl__nowhere()));
}

irl_func *irl__pass_halves(const irl_func *f, const irl_target *target)
{
    irl__rewriter r = irl__rewriter_make(f->cx, &target, irl__halves_expr, NULL);
    return irl__rewrite_func(&r, f);
}
