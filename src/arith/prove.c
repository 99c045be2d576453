/* prove.c - questions that are answered by simplifying, and what is told in any form.

   needs     simplify.c; facts.c, which keeps what is simplified
   promises  yes, and an end of a range, only where it holds for all values that the analyzer
             admits */
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
    /* memory may change */
    if ((min->op == IRL_OP_INT && end->op == IRL_OP_INT) ||
        ((min->flags | end->flags) & IRL__HAS_MEMORY))
        return 1;
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
