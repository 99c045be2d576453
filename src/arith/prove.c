/* prove.c - questions that are answered by simplifying, and facts that are given in any form.

   needs     simplify.c; facts.c, which keeps what is simplified
   promises  yes, and an end of a range, only if it holds for all values that the analyzer admits */
#include "engine.h"

/* ------------------------------------------------------------------ told */

int irl__bind_extent(irl__analyzer *an, const irl_expr *var, const irl_expr *min,
                     const irl_expr *extent)
{
    const irl_expr *end;
    int64_t         past;
    if (!an || !var || !min || !extent) return 0;
    if (min->op == IRL_OP_INT && extent->op == IRL_OP_INT &&
        irl__add64(min->u.i, extent->u.i, &past) && past > INT64_MIN)
        return irl__bind_range(an, var, min->u.i, past - 1) &&
               (irl__known_find(an, var)->is_iterator = 1);
    min = irl__canonical(an, min);
    end = irl__canonical(
        an, irl__sub(an->cx, irl__add(an->cx, min, extent), irl_expr_int(an->cx, var->type, 1)));
    if (!min || !end) return 0;
    irl__interval first = irl__range_of(an, min);
    irl__interval last = irl__range_of(an, end);
    if (!irl__bind_range(an, var, first.lo, last.hi)) return 0;
    irl__known *entry = irl__known_find(an, var);
    entry->is_iterator = 1;
    if (min->op == IRL_OP_INT && end->op == IRL_OP_INT) return 1;
    entry->first = min;
    entry->last = end;
    an->symbolic = 1;
    return 1;
}

int irl__bind_axes(irl__analyzer *an, int count, const irl_expr *const *vars,
                   const irl_expr *const *extents)
{
    for (int k = 0; an && k < count; k++)
        if (!irl__bind_extent(an, vars[k], irl_expr_index(an->cx, 0), extents[k])) return 0;
    return an != NULL;
}

irl__analyzer *irl__analyzer_of_names(irl_ctx *cx, int count, const irl_expr *const *names,
                                      const irl_expr *where)
{
    irl__analyzer *an = irl__analyzer_begin(cx);
    for (int k = 0; an && k < count; k++)
        if (!irl__bind_range(an, names[k], 1, INT64_MAX)) return NULL;
    return an && (!where || irl__fact(an, where)) ? an : NULL;
}

int irl__bind_loop(irl__analyzer *an, const irl_stmt *s)
{
    return s->kind != IRL__FOR ||
           irl__bind_extent(an, s->u.loop.var, s->u.loop.min, s->u.loop.extent);
}

/* What reads no memory holds for as long as the statements that it stands in front of. */
static int irl__known_learn(irl__analyzer *an, const irl_expr *condition)
{
    return condition && ((condition->flags & IRL__HAS_MEMORY) || irl__fact(an, condition));
}

int irl__learn_behind(irl__analyzer *an, const irl_stmt *s)
{
    if (s->kind == IRL__ASSUME || s->kind == IRL__ASSERT)
        return irl__known_learn(an, s->u.check.condition);
    return s->kind != IRL__LET || !irl__type_is_index(s->u.let.value->type) ||
           s->u.let.value->type.lanes != 1 ||
           irl__bind_value(an, s->u.let.var, s->u.let.value);
}

static const irl_stmt *irl__known_arm(irl__rewriter *r, irl__analyzer *an,
                                      const irl_expr *condition, const irl_stmt *s)
{
    const int mark = irl__facts_mark(an);
    s = irl__known_learn(an, condition) ? irl__rewrite_stmt(r, s) : NULL;
    irl__facts_release(an, mark);
    return s;
}

const irl_stmt *irl__rewrite_known(irl__rewriter *r, irl__analyzer *an, const irl_stmt *s)
{
    const int bindings = irl__bindings_mark(an), facts = irl__facts_mark(an);
    if (s->kind == IRL__IF) {
        const irl_expr *condition = irl__rewrite_expr(r, s->u.branch.condition);
        const irl_stmt *then_ = irl__known_arm(r, an, condition, s->u.branch.then_),
                       *else_ = s->u.branch.else_;
        if (then_ && else_) {
            else_ = irl__known_arm(r, an, irl_expr_op1(r->cx, IRL_OP_NOT, condition), else_);
            if (!else_) return NULL;
        }
        return condition == s->u.branch.condition && then_ == s->u.branch.then_ &&
                       else_ == s->u.branch.else_
                   ? s
                   : irl_stmt_if(r->cx, condition, then_, else_);
    }
    if (s->kind == IRL__ASSUME || s->kind == IRL__ASSERT || s->kind == IRL__LET)
        return irl__learn_behind(an, s) ? irl__rewrite_stmt_children(r, s) : NULL;
    s = irl__bind_loop(an, s) ? irl__rewrite_stmt_children(r, s) : NULL;
    irl__facts_release(an, facts);
    irl__bindings_release(an, bindings);
    return s;
}

int irl__bind_block(irl__analyzer *an, const irl__block_data *b)
{
    for (int k = 0; k < b->axis_count; k++)
        if (!irl__bind_extent(an, b->axes[k].var, irl_expr_index(an->cx, 0), b->axes[k].extent))
            return 0;
    return 1;
}

int irl__bind_value(irl__analyzer *an, const irl_expr *var, const irl_expr *value)
{
    if (!an || !var || !value) return 0;
    value = irl__canonical(an, value);
    return value && irl__bind_done(an, var, value);
}

int irl__fact(irl__analyzer *an, const irl_expr *condition)
{
    condition = an && condition ? irl__canonical(an, condition) : NULL;
    return condition && irl__fact_done(an, condition);
}

int irl__fact_for(irl__analyzer *an, const irl_expr *e, uint32_t k)
{
    const int holds = irl__expr_when(e, k);
    return holds < 0 ||
           irl__fact(an, holds ? e->a[0] : irl_expr_op1(an->cx, IRL_OP_NOT, e->a[0]));
}

/* ------------------------------------------------------------------ asked */

irl__interval irl__interval_of(irl__analyzer *an, const irl_expr *e)
{
    if (!an || !e) return irl__interval_any();
    const irl_expr *s = irl__canonical(an, e);
    return s ? irl__range_of(an, s) : irl__interval_any();
}

void irl__range(irl__analyzer *an, const irl_expr *e, int64_t *lo, int64_t *hi)
{
    irl__interval r = irl__interval_of(an, e);
    *lo = r.lo;
    *hi = r.hi;
}

int irl__prove(irl__analyzer *an, const irl_expr *condition)
{
    if (!an || !condition) return 0;
    if (an->contradiction) return 1;
    const irl_expr *s = irl__canonical(an, condition);
    return s && s->op == IRL_OP_INT && s->u.i != 0;
}

int irl__prove_within(irl__analyzer *an, const irl_expr *index, const irl_expr *extent)
{
    if (!an || !index || !extent) return 0;
    return irl__prove(an, irl_expr_op2(an->cx, IRL_OP_GE, index, irl_expr_index(an->cx, 0))) &&
           irl__prove(an, irl_expr_op2(an->cx, IRL_OP_LT, index, extent));
}

int irl__prove_equal(irl__analyzer *an, const irl_expr *a, const irl_expr *b)
{
    if (!an || !a || !b) return 0;
    if (a == b || irl__canonical(an, a) == irl__canonical(an, b)) return irl__ok(an->cx);
    return irl__prove(an, irl_expr_op2(an->cx, IRL_OP_EQ, a, b));
}

irl__residues irl__modular(irl__analyzer *an, const irl_expr *e)
{
    const irl_expr *s = an && e ? irl__canonical(an, e) : NULL;
    return s ? irl__modular_of(an, s) : irl__residues_any();
}

const irl_expr *irl__symbolic_bound(irl__analyzer *an, const irl_expr *e, int sign)
{
    const irl_expr *s = an && e ? irl__canonical(an, e) : NULL,
                   *b = s ? irl__bound_of(an, s, sign, 0) : NULL;
    return b ? irl__canonical(an, b) : NULL;
}
