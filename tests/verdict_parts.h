/* verdict_parts.h - a verdict's box and counts as expressions, of numbers and with names alike. */
#ifndef IRL_TEST_VERDICT_PARTS_H
#define IRL_TEST_VERDICT_PARTS_H

#include "../irlayout.h"

/* How many cells of the box no point reaches. */
static inline const irl_expr *unused_cells(irl_ctx *cx, const irl_verdict *v)
{
    return v->pad_cells_named ? v->pad_cells_named : irl_expr_index(cx, v->pad_cells);
}

/* An extent of a shape. */
static inline const irl_expr *extent_of(irl_ctx *cx, const irl_shape *s, int k)
{
    return s->named ? s->named[k] : irl_expr_index(cx, s->extent[k]);
}

#endif
