/* parse_forms.c - the reductions that are more than an accumulation: mean, any, all, count, argmax
   and argmin.

   needs     parse_expr.c, parse_range.c; arith, for the ranges of indices
   promises  mean is sum(...) / count; any and all are the max and min of 0 and 1, compared with 0;
             count is their sum; argmax and argmin are two variables, an index and its value, which
             change where a value is greater (less), so of equal values the first stays; an index
             is held as i32 if it is proved to fit, so that targets without i64 have it, and vectors
             of it have as many lanes as those of f32 */
#include "parse_func.h"
#include "../arith/arith.h"

/* ------------------------------------------------------------------ what holds an index */

/* The outermost first: a range may depend on those around it. */
static int irl__reduce_bind_loops(irl__parser *p, irl__analyzer *an, const irl__loops_around *l)
{
    if (!l) return 1;
    int ok = irl__reduce_bind_loops(p, an, l->outer);
    for (size_t at = l->base; ok && at < l->end; at += 3)
        ok = irl__bind_extent(an, p->exprs[at], p->exprs[at + 1], p->exprs[at + 2]);
    return ok;
}

/* What is known of the values of the reduction: by the loops and the statements before it. */
static irl__analyzer *irl__reduce_known(irl__parser *p, const irl__reduction *r)
{
    irl__analyzer *an = irl__analyzer_begin(p->cx);
    int            ok = an && irl__bind_param_sizes(an, p->func->f) &&
                        irl__reduce_bind_loops(p, an, p->func->loops);
    for (size_t k = 0; ok && k < p->func->stmt_count; k++)
        ok = irl__learn_behind(an, p->func->stmts[k]);
    for (const irl_expr *const *range = r->ranges; ok && range < r->ranges + 3 * r->count;
         range += 3)
        ok = irl__bind_extent(an, range[0], range[1], range[2]);
    return ok ? an : NULL;
}

static int irl__reduce_fits(irl__analyzer *an, const irl_expr *e)
{
    irl__interval v = irl__interval_of(an, e);
    return e && v.lo >= INT32_MIN && v.hi <= INT32_MAX;
}

static int irl__reduce_is_narrow(irl__analyzer *an, irl_ctx *cx, const irl__reduction *r,
                                 const irl_expr *e, const irl_expr *first)
{
    const irl_expr *zero = irl_expr_index(cx, 0);
    if (first) return irl__reduce_fits(an, first) && irl__reduce_fits(an, e);
    for (int k = 0; e && k < r->count; k++) {
        const irl_expr *extent = r->ranges[3 * k + 2];
        if (r->what->op == IRL_OP_ADD) { /* no part of the sum is larger than so many of e */
            extent = irl_expr_broadcast(cx, irl_expr_op2(cx, IRL_OP_MAX, extent, zero),
                                        (int)e->type.lanes);
            e = irl_expr_op2(cx, IRL_OP_MUL, e, extent);
        } else if (r->what->op == IRL_OP_MUL || /* and of no values, the end of its type */
                   !irl__prove(an, irl_expr_op2(cx, IRL_OP_GT, extent, zero)))
            return 0;
    }
    return irl__reduce_fits(an, e);
}

irl_type irl__reduce_held(irl__parser *p, const irl__reduction *r, const irl_expr *e,
                          const irl_expr *first)
{
    irl__arena_mark mark = irl__scratch_begin(p->cx);
    irl__analyzer  *an = e ? irl__reduce_known(p, r) : NULL;
    const int       is_narrow = an && irl__reduce_is_narrow(an, p->cx, r, e, first);
    irl__scratch_end(p->cx, mark);
    return irl_type_of(is_narrow ? IRL_I32 : IRL_I64, e ? (int)e->type.lanes : 1);
}

/* ------------------------------------------------------------------ picks */

const irl_stmt *irl__reduce_pick_store(irl__parser *p, const irl__reduction *r,
                                              const irl__reduce_cell *c, const irl_expr *value,
                                              const irl_expr *index)
{
    index = index->op == IRL_OP_INT ? irl_expr_int(p->cx, r->index_type, index->u.i)
                                    : irl_expr_cast(p->cx, r->index_type, index);
    const irl_stmt *s = irl__stmt_store(p->cx, r->best, value, c->rank, c->indices, r->loc);
    return irl__stmt_pair(p->cx, s, irl__stmt_store(p->cx, c->buffer, index, c->rank, c->indices,
                                                    r->loc));
}

const irl_stmt *irl__reduce_pick_update(irl__parser *p, const irl__reduction *r,
                                        const irl__reduce_cell *c)
{
    const irl_op    op = r->what->op == IRL_OP_MAX ? IRL_OP_GT : IRL_OP_LT;
    const irl_expr *value = r->value;
    if (value->op != IRL_OP_LOAD) value = irl_expr_var(p->cx, "value", r->type);
    const irl_expr *best = irl__expr_load(p->cx, r->best, c->rank, c->indices, r->loc);
    const irl_stmt *s = irl_stmt_if(p->cx, irl_expr_op2(p->cx, op, value, best),
                                    irl__reduce_pick_store(p, r, c, value, r->picked), NULL);
    return value == r->value ? s : irl__stmt_pair(p->cx, irl_stmt_let(p->cx, value, r->value), s);
}

/* What counts: the integers of 32 and 64 bits that the place holds, else index. */
static irl_type irl__reduce_index_type(irl_type hint)
{
    const int is_integer = hint.lanes == 1 && !hint.is_pointer && irl__type_is_integer(hint);
    return is_integer && irl__type_info(hint)->bits >= 32 ? hint : irl__type_index();
}

int irl__reduce_picked(irl__parser *p, irl__reduction *r, const irl__symbol *range, irl_type hint)
{
    if (r->count != 1) {
        irl__fail(p->cx, IRL_ERROR_UNSUPPORTED, r->loc, "%s takes one range; found %d",
                  r->what->text, r->count);
        return irl__hint(p->cx, "write one range over all, %s(k: n * m, x[k / m, k %% m])",
                         r->what->text);
    }
    r->index_type = irl__reduce_index_type(hint);
    r->picked = range->binding.var;
    r->first = irl__substitute(p->cx, r->picked, 1, r->ranges, r->ranges + 1);
    if (r->first) r->first = irl__simplify_alone(p->cx, r->first);
    if (r->first && r->index_type.scalar == IRL_INDEX) {
        r->is_of_index = 1;
        r->index_type = irl__reduce_held(p, r, r->picked, r->first);
    }
    return r->first != NULL;
}

/* ------------------------------------------------------------------ conditions */

const irl_expr *irl__reduce_condition(irl__parser *p, irl__reduction *r, irl_type type,
                                      irl_type hint)
{
    const irl_expr *e = irl__parse_condition(p);
    if (!e) return NULL;
    if (type.lanes && (r->what->form == IRL__REDUCED_TRUTH || type.lanes > 1)) {
        irl__fail(p->cx, IRL_ERROR_TYPE_MISMATCH, r->loc, "%s gives %s; found the type %s",
                  r->what->text,
                  r->what->form == IRL__REDUCED_TRUTH ? "a bool, and has no other type"
                                                      : "one number", irl__type_cstr(p->cx, type));
        return NULL;
    }
    if (r->what->form == IRL__REDUCED_TRUTH) type = irl_type_of(IRL_I32, 1);
    else if (!type.lanes) type = irl__reduce_index_type(hint);
    if (type.scalar == IRL_INDEX) {
        r->is_of_index = 1;
        type = irl__reduce_held(p, r, irl_expr_index(p->cx, 1), NULL);
    }
    return irl_expr_cast(p->cx, type, e);
}

/* ------------------------------------------------------------------ types and results */

int irl__reduce_computes(irl__parser *p, const irl__reduction *r, uint32_t offset)
{
    const int   is_mean = r->what->form == IRL__REDUCED_MEAN;
    const char *word = r->what->text, *type = irl__type_cstr(p->cx, r->type);
    if (r->what->form == IRL__REDUCED_PICK && r->type.lanes != 1)
        return IRL__FAIL_AT(p, IRL_ERROR_TYPE_MISMATCH, offset, "%s compares numbers; found %s",
                            word, type);
    if (irl__type_is_float(r->type) || (irl__type_is_integer(r->type) && !is_mean)) return 1;
    irl__fail(p->cx, IRL_ERROR_TYPE_MISMATCH, irl__loc_at(p, offset), "%s %s; found %s", word,
              is_mean                                ? "divides floats"
              : r->what->form == IRL__REDUCED_PICK ? "compares integers and floats"
                                                     : "accumulates integers and floats", type);
    return irl__hint(p->cx, "state the type, as in %s(f32: k: 64, e)", word);
}

/* The number of values as a float; a negative extent has none, and a name is taken as not
   negative. */
static const irl_expr *irl__reduce_count(irl__parser *p, const irl__reduction *r)
{
    const irl_expr *count = NULL;
    for (int k = 0; k < r->count; k++) {
        const irl_expr *extent = r->ranges[3 * k + 2];
        for (int j = 0; j < k; j++)
            if (irl__expr_uses_var(extent, r->ranges[3 * j])) {
                irl__fail(p->cx, IRL_ERROR_UNSUPPORTED, r->loc,
                          "a range of this mean depends on another one");
                irl__hint(p->cx, "divide the sum by the number of values: sum(...) / "
                                 "f32(count(..., true))");
                return NULL;
            }
        if (extent->op != IRL_OP_INT && extent->op != IRL_OP_VAR)
            extent = irl_expr_op2(p->cx, IRL_OP_MAX, extent, irl_expr_index(p->cx, 0));
        count = count ? irl__mul(p->cx, count, extent) : extent;
    }
    count = count ? irl__simplify_alone(p->cx, count) : NULL;
    if (!count) return NULL;
    const irl_type type = irl__type_with_lanes(r->type, 1);
    count = count->op == IRL_OP_INT ? irl__number(p->cx, type, (double)count->u.i)
                                    : irl_expr_cast(p->cx, type, count);
    return irl_expr_broadcast(p->cx, count, (int)r->type.lanes);
}

const irl_expr *irl__reduce_result(irl__parser *p, const irl__reduction *r, const irl_expr *made)
{
    const irl_expr *count;
    switch (r->what->form) {
    case IRL__REDUCED_TRUTH:
        return irl_expr_op2(p->cx, IRL_OP_GT, made, irl_expr_int(p->cx, r->type, 0));
    case IRL__REDUCED_MEAN:
        count = irl__reduce_count(p, r);
        return count ? irl_expr_op2(p->cx, IRL_OP_DIV, made, count) : NULL;
    default:
        return r->is_of_index ? irl_expr_cast(p->cx, irl__type_with_lanes(irl__type_index(),
                                                                          made->type.lanes), made)
                              : made;
    }
}
