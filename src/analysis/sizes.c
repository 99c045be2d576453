/* sizes.c - how much memory a buffer needs, as an expression.

   needs     arith
   promises  a number if the shape is numbers; NULL without a diagnostic if it leaves 63 bits.
             Expressions are simplified when they are made, because they are printed later

   The extent of a group of axes is the largest index that they reach, plus one: their product, or
   the sum of index times stride; 0 where an axis is empty. */
#include "analysis.h"

const irl_expr *irl__size_mul(irl_ctx *cx, const irl_expr *a, const irl_expr *b)
{
    int64_t product;
    if (!a || !b) return NULL;
    if (irl__is_int(a, 1)) return b;
    if (irl__is_int(b, 1)) return a;
    if (a->op != IRL_OP_INT || b->op != IRL_OP_INT) return irl__mul(cx, a, b);
    return irl__mul64(a->u.i, b->u.i, &product) ? irl_expr_index(cx, product) : NULL;
}

const irl_expr *irl__size_add(irl_ctx *cx, const irl_expr *a, const irl_expr *b)
{
    int64_t sum;
    if (!a || !b) return NULL;
    if (irl__is_int(a, 0)) return b;
    if (irl__is_int(b, 0)) return a;
    if (a->op != IRL_OP_INT || b->op != IRL_OP_INT) return irl__add(cx, a, b);
    return irl__add64(a->u.i, b->u.i, &sum) ? irl_expr_index(cx, sum) : NULL;
}

irl__size_group irl__size_group_of(const irl_buffer *b, int group)
{
    irl__size_group g;
    g.first = group == 0 ? 0 : b->separators[group - 1];
    g.last = group == b->separator_count ? b->rank : b->separators[group];
    return g;
}

/* A strided or shifted extent, which is 0 where one of the axes is: times min(axis, 1), unless it
   is 0 then by itself. */
static const irl_expr *irl__size_or_empty(irl_ctx *cx, const irl_buffer *b, irl__size_group g,
                                          const irl_expr *extent)
{
    const irl_expr *zero = irl_expr_index(cx, 0), *at_zero, *whole = extent;
    for (int k = g.first; whole && k < g.last; k++) {
        const irl_expr *axis = b->shape[k];
        if (irl__is_int(axis, 0)) return zero;
        if (axis->op == IRL_OP_INT) continue;
        at_zero = axis->op == IRL_OP_VAR
                      ? irl__simplify_alone(cx, irl__substitute(cx, extent, 1, &axis, &zero))
                      : NULL;
        if (!at_zero || !irl__is_int(at_zero, 0))
            whole = irl__mul(cx, irl_expr_op2(cx, IRL_OP_MIN, axis, irl_expr_index(cx, 1)), whole);
    }
    return whole;
}

/* Row-major product, or the largest strided offset plus one, of a group none of whose axes is
   empty. */
static const irl_expr *irl__size_reach_of(irl_ctx *cx, const irl_buffer *b, int group)
{
    irl__size_group g = irl__size_group_of(b, group);
    const irl_expr *extent = irl_expr_index(cx, irl__buffer_step(b)),
                   *minus_one = irl_expr_index(cx, -1);
    for (int k = g.first; k < g.last; k++) {
        if (!b->strides) extent = irl__size_mul(cx, extent, b->shape[k]);
        else
            extent = irl__size_add(
                cx, irl__size_mul(cx, irl__size_add(cx, b->shape[k], minus_one), b->strides[k]),
                extent);
    }
    return b->offset ? irl__size_add(cx, extent, b->offset) : extent;
}

const irl_expr *irl__size_reach(irl_ctx *cx, const irl_buffer *b)
{
    const irl_expr *product = irl_expr_index(cx, 1);
    for (int group = 0; group < irl__buffer_groups(b); group++)
        product = irl__size_mul(cx, product, irl__size_reach_of(cx, b, group));
    return product;
}

const irl_expr *irl__size_extent(irl_ctx *cx, const irl_buffer *b, int group)
{
    const irl_expr *extent = irl__size_reach_of(cx, b, group);
    if (extent && extent->op != IRL_OP_INT) extent = irl__simplify_size(cx, extent, b);
    if (!extent || (!b->strides && !b->offset)) return extent;
    return irl__size_or_empty(cx, b, irl__size_group_of(b, group), extent);
}

const irl_expr *irl__size_bytes(irl_ctx *cx, const irl_buffer *b)
{
    const irl_expr *bytes = irl_expr_index(cx, b->bits ? 1 : (int64_t)irl__type_bytes(b->type));
    for (int group = 0; group < irl__buffer_groups(b); group++)
        bytes = irl__size_mul(cx, irl__size_extent(cx, b, group), bytes);
    if (b->bits) /* they are bits */
        bytes = irl_expr_op2(cx, IRL_OP_FLOORDIV,
                             irl__size_add(cx, bytes, irl_expr_index(cx, 7)),
                             irl_expr_index(cx, 8));
    return bytes && bytes->op != IRL_OP_INT ? irl__simplify_size(cx, bytes, b) : bytes;
}
