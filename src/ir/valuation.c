/* valuation.c - the value of a scalar expression; a part that its meaning does not need is not
   computed.

   needs     scalar.c
   promises  && and || evaluate their right side only if the left one does not decide, if_then_else
             one arm; a let is computed once. Recursion is bounded by the depth of expressions */
#include "ir.h"

/* The names of lets around what is computed. */
typedef struct irl__scalar_let {
    const irl_expr               *var;
    irl__scalar                   value;
    const struct irl__scalar_let *outer;
} irl__scalar_let;

static irl__fold_status irl__scalar_at(irl__valuation *v, const irl__scalar_let *lets,
                                      const irl_expr *e, irl__scalar *out);

static irl__fold_status irl__scalar_of_operator(irl__valuation *v, const irl__scalar_let *lets,
                                               const irl_expr *e, irl__scalar *out)
{
    irl__scalar      a[3];
    irl__fold_status status = IRL__FOLD_OK;
    if (e->count == 0 || e->count > 3) return IRL__FOLD_NO_RULE;
    memset(a, 0, sizeof a);
    for (uint32_t k = 0; k < e->count && status == IRL__FOLD_OK; k++)
        status = irl__scalar_at(v, lets, e->a[k], &a[k]);
    if (status != IRL__FOLD_OK) return status;
    status = irl__fold_op((irl_op)e->op, e->a[0]->type, e->type, a, out);
    if (status == IRL__FOLD_NO_RULE && v->function)
        status = v->function((irl_op)e->op, e->a[0]->type, a, out);
    if (status != IRL__FOLD_OK) {
        v->part = e;
        memcpy(v->operand, a, sizeof v->operand);
    }
    return status;
}

static irl__fold_status irl__scalar_of_let(irl__valuation *v, const irl__scalar_let *lets,
                                          const irl_expr *e, irl__scalar *out)
{
    irl__scalar_let  let = { e->a[0], { 0 }, lets };
    irl__fold_status status = irl__scalar_at(v, lets, e->a[1], &let.value);
    return status == IRL__FOLD_OK ? irl__scalar_at(v, &let, e->a[2], out) : status;
}

static irl__fold_status irl__scalar_at(irl__valuation *v, const irl__scalar_let *lets,
                                      const irl_expr *e, irl__scalar *out)
{
    irl__fold_status status;
    if (e->type.lanes != 1 || e->type.is_pointer ||
        (v->is_exact && e->type.scalar != IRL_BOOL && !irl__type_is_integer(e->type)))
        return IRL__FOLD_NO_RULE;
    switch (e->op) {
    case IRL_OP_INT: return out->i = e->u.i, IRL__FOLD_OK;
    case IRL_OP_FLOAT: return out->f = e->u.f, IRL__FOLD_OK;
    case IRL_OP_VAR:
        for (; lets; lets = lets->outer)
            if (lets->var == e) return *out = lets->value, IRL__FOLD_OK;
        return v->name(v->user, e, out) ? IRL__FOLD_OK : IRL__FOLD_NO_RULE;
    case IRL_OP_AND:
    case IRL_OP_OR:
        status = irl__scalar_at(v, lets, e->a[0], out);
        return status != IRL__FOLD_OK || (out->i != 0) == (e->op == IRL_OP_OR)
                   ? status
                   : irl__scalar_at(v, lets, e->a[1], out);
    case IRL_OP_IF_THEN_ELSE:
        status = irl__scalar_at(v, lets, e->a[0], out);
        return status == IRL__FOLD_OK ? irl__scalar_at(v, lets, e->a[out->i ? 1 : 2], out)
                                      : status;
    case IRL_OP_LET: return irl__scalar_of_let(v, lets, e, out);
    case IRL_OP_CALL_EXTERN:
    case IRL_OP_CALL_INTRINSIC:
        return v->call && v->call(v->user, e, out) ? IRL__FOLD_OK : IRL__FOLD_NO_RULE;
    default: return irl__scalar_of_operator(v, lets, e, out);
    }
}

irl__fold_status irl__scalar_of(irl__valuation *v, const irl_expr *e, irl__scalar *out)
{
    v->part = NULL;
    return irl__scalar_at(v, NULL, e, out);
}
