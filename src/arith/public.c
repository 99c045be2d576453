/* public.c - the public face of the simplifier.

   needs     simplify.c, the parser
   promises  what simplify.c promises; ranges that are empty are refused, since of them anything
             could be proved */
#include "arith.h"

const irl_expr *irl_parse_expr(irl_ctx *cx, const char *text, int count,
                               const irl_expr *const *vars)
{
    if (!cx || !text || !irl__ok(cx)) return NULL;
    return irl__parse_expr(cx, text, count, vars);
}

static int irl__public_bind(irl_ctx *cx, irl__analyzer *an, int count, const irl_range *ranges)
{
    int k;
    for (k = 0; an && k < count; k++) {
        const irl_range *r = &ranges[k];
        if (!r->var || r->var->op != IRL_OP_VAR)
            return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, irl__nowhere(),
                             "range %d is not of a variable", k);
        if (r->lo > r->hi)
            return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, irl__nowhere(),
                             "the range of '%s' is empty: %l..%l", r->var->u.name, r->lo, r->hi);
        if (!irl__bind_range(an, r->var, r->lo, r->hi)) return 0;
    }
    return an != NULL;
}

const irl_expr *irl_simplify(irl_ctx *cx, const irl_expr *e, int count, const irl_range *ranges)
{
    irl__arena_mark mark;
    irl__analyzer  *an;
    if (!cx || !e || !irl__ok(cx)) return NULL;
    mark = irl__scratch_begin(cx);
    an = irl__analyzer_begin(cx);
    e = irl__public_bind(cx, an, count, ranges) ? irl__simplify(an, e) : NULL;
    irl__scratch_end(cx, mark);
    return e;
}
