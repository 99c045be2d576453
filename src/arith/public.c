/* public.c - the public functions of the simplifier.

   needs     simplify.c, the parser
   promises  what simplify.c promises; an empty range is refused, because anything could be proved
             from it */
#include "arith.h"

const irl_expr *irl_expr_parse(irl_ctx *cx, const char *text, int count,
                               const irl_expr *const *vars)
{
    if (!cx || !text || !irl__ok(cx)) return NULL;
    return irl__parse_expr(cx, text, count, vars);
}

static int irl__public_bind(irl_ctx *cx, irl__analyzer *an, int count, const irl_range *ranges)
{
    if (!irl__is_list(cx, "ranges", count, ranges)) return 0;
    for (int k = 0; an && k < count; k++) {
        const irl_range *r = &ranges[k];
        if (!r->var || r->var->op != IRL_OP_VAR)
            return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "range %d is not for a variable", k);
        if (r->lo > r->hi)
            return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "the range of '%s' is empty: %l..%l",
                             r->var->u.name, r->lo, r->hi);
        if (!irl__bind_range(an, r->var, r->lo, r->hi)) return 0;
    }
    return an != NULL;
}

/* False, with a diagnostic, where a part that is always evaluated has no value for any of the
   values: it divides by what is 0, or shifts by what is no distance. */
static int irl__public_has_value(irl_ctx *cx, irl__analyzer *an, const irl_expr *e)
{
    for (uint32_t k = e->op == IRL_OP_LET; k < (irl__expr_is_lazy(e) ? 1 : e->count); k++)
        if (!irl__public_has_value(cx, an, e->a[k])) return 0;
    if (e->count != 2 || e->type.lanes != 1 || !irl__type_is_integer(e->type)) return 1;
    irl__interval b = irl__interval_of(an, e->a[1]);
    switch (e->op) {
    case IRL_OP_FLOORDIV: case IRL_OP_FLOORMOD: case IRL_OP_TRUNCDIV: case IRL_OP_TRUNCMOD:
        return b.lo != 0 || b.hi != 0 ||
               IRL__FAIL(cx, IRL_ERROR_DIVISION_BY_ZERO, "'%s' divides by 0", irl_expr_text(cx, e));
    case IRL_OP_SHL: case IRL_OP_SHR:
        return (b.hi >= 0 && b.lo < irl__type_info(e->type)->bits) ||
               IRL__FAIL(cx, IRL_ERROR_BAD_VALUE, "'%s' shifts by a distance that is negative or "
                         "too large for its type", irl_expr_text(cx, e));
    default: return irl__ok(cx);
    }
}

const irl_expr *irl_expr_simplify(irl_ctx *cx, const irl_expr *e, int count,
                                  const irl_range *ranges)
{
    if (!cx || !e || !irl__ok(cx)) return NULL;
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__analyzer  *an = irl__analyzer_begin(cx);
    e = irl__public_bind(cx, an, count, ranges) && irl__public_has_value(cx, an, e)
            ? irl__simplify(an, e)
            : NULL;
    irl__scratch_end(cx, mark);
    return e;
}
