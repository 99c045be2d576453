/* cut.c - one loop as several: the old variable as an expression of the new ones, and the extents
   of these. The primitive split and the passes cut loops only by this file.

   needs     arith for extents
   promises  the new loops reach every value of the old variable once, in its order if the first is
             the outermost; beyond its extent only if the cut is not exact
   cost      linear in the factors */
#include "cut.h"

const char *irl__loop_cut_name(irl_ctx *cx, const irl_expr *var, const char *part)
{
    return irl__format(cx, "%s_%s", var->u.name, part);
}

const irl_expr *irl__loop_cut_rest(irl_ctx *cx, irl__loop_cut *c, const irl_expr *extent)
{
    const irl_expr *product = irl_expr_index(cx, c->product), *left;
    if (extent->op == IRL_OP_INT) {
        int64_t e = extent->u.i > 0 ? extent->u.i : 0;
        c->is_exact = e % c->product == 0;
        return irl_expr_index(cx, e / c->product + !c->is_exact);
    }
    left = irl__simplify_alone(cx, irl__floormod(cx, extent, product));
    c->is_exact = left && irl__is_int(left, 0);
    if (!c->is_exact) /* rounded up; the extent itself is no number near the end of 63 bits */
        extent = irl__add(cx, extent, irl_expr_index(cx, c->product - 1));
    return irl__simplify_alone(cx, irl__floordiv(cx, extent, product));
}

const irl_expr *irl__loop_cut_value(irl_ctx *cx, const irl__loop_cut *c)
{
    const irl_expr *value = c->var[0];
    for (int k = 1; k < c->count; k++) {
        if (!irl__is_int(c->extent[k], 1)) value = irl__mul(cx, value, c->extent[k]);
        value = irl__add(cx, value, c->var[k]);
    }
    return value;
}

int irl__loop_cut_in_two(irl_ctx *cx, const irl_stmt *loop, int64_t factor, irl__loop_cut *c)
{
    static const    char *const parts[] = { "outer", "inner" };
    const irl_expr *var = loop->u.loop.var;
    memset(c, 0, sizeof *c);
    c->count = 2;
    c->product = c->factor[1] = factor;
    for (int k = 0; k < 2; k++) {
        const char *name = irl__loop_cut_name(cx, var, parts[k]);
        c->var[k] = irl_expr_var(cx, name, var->type);
        c->extent[k] = k ? irl_expr_index(cx, factor)
                         : irl__loop_cut_rest(cx, c, loop->u.loop.extent);
        if (!c->var[k] || !c->extent[k]) return 0;
    }
    return 1;
}
