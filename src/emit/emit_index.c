/* emit_index.c - how wide index arithmetic is.

   needs     the ranges of the variables in scope; emit_expr.c, to which each operator goes back
   promises  an index is computed as unsigned 32 bits where it and everything on the way to it is proved to fit, else as
             signed 32 bits, else as 64; nothing wraps. A part that fits a narrower type is computed there and widened. */
#include "emit.h"

static void irl__index_widen(irl__interval *hull, irl__interval r)
{
    if (r.lo < hull->lo) hull->lo = r.lo;
    if (r.hi > hull->hi) hull->hi = r.hi;
}

/* The hull of every index computed on the way to x; conditions, casts and loads begin arithmetic of their own. */
static void irl__index_hull(irl__emit *e, const irl_expr *x, irl__interval *hull)
{
    uint32_t k, first = x->op == IRL_OP_SELECT || x->op == IRL_OP_IF_THEN_ELSE ? 1 : 0;
    irl__index_widen(hull, irl__range_of(e->ranges, x));
    if (x->op == IRL_OP_LET) first = 2;
    if (x->op == IRL_OP_LOAD || x->op == IRL_OP_CALL_EXTERN || x->op == IRL_OP_CALL_INTRINSIC) return;
    for (k = first; k < x->count; k++)
        if (irl__type_is_index(x->a[k]->type) && (k == 0 || x->op != IRL_OP_LANE)) irl__index_hull(e, x->a[k], hull);
}

irl__width irl__emit_width_of(irl__interval r)
{
    if (r.lo >= 0 && r.hi <= (int64_t)UINT32_MAX) return IRL__WIDTH_UINT;
    if (r.lo >= INT32_MIN && r.hi <= INT32_MAX) return IRL__WIDTH_INT;
    return IRL__WIDTH_LONG;
}

irl__width irl__emit_width(irl__emit *e, const irl_expr *x, const irl_expr *y)
{
    irl__interval hull = irl__range_of(e->ranges, x);
    irl__index_hull(e, x, &hull);
    if (y) irl__index_hull(e, y, &hull);
    return irl__emit_width_of(hull);
}

void irl__emit_assume(irl__emit *e, const irl_expr *condition, int holds)
{
    if (condition->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)) return;
    if (!holds) condition = irl_op1(e->cx, IRL_OP_NOT, condition);
    if (condition) irl__fact(e->ranges, condition);
}

/* Prints `(int)`; what follows binds as tightly as a cast's operand. */
static int irl__index_cast(irl__emit *e, irl__width width, int precedence)
{
    int opened = irl__emit_open(e, IRL__PREC_UNARY, precedence);
    irl__textf(&e->text, "(%s)", e->language->index_types[width]);
    return opened;
}

/* A value of a type of its own (a cast's operand), made an index. */
static void irl__index_of_value(irl__emit *e, const irl_expr *value, irl__width width, int precedence)
{
    int opened;
    if (strcmp(e->language->types[value->type.scalar], e->language->index_types[width]) == 0) {
        irl__emit_expr(e, value, precedence);
        return;
    }
    opened = irl__index_cast(e, width, precedence);
    irl__emit_expr(e, value, IRL__PREC_UNARY);
    irl__emit_close(e, opened);
}

static void irl__index_named(irl__emit *e, const irl__emit_symbol *symbol, irl__width width, int precedence)
{
    int opened = symbol->width == width ? 0 : irl__index_cast(e, width, precedence);
    irl__text_puts(&e->text, symbol->name);
    irl__emit_close(e, opened);
}

void irl__emit_index(irl__emit *e, const irl_expr *x, irl__width width, int precedence)
{
    irl__width              outer = e->width, own = width;
    const irl__emit_symbol *symbol;
    int                     opened = 0;
    if (x->op == IRL_OP_INT) {
        irl__emit_int(e, x->u.i, width == IRL__WIDTH_UINT, width == IRL__WIDTH_LONG ? 64 : 32, e->language->index_suffixes[width], precedence);
        return;
    }
    symbol = irl__emit_find(e, x);
    if (symbol && x->type.lanes == 1) {
        irl__index_named(e, symbol, width, precedence);
        return;
    }
    if (x->op == IRL_OP_CAST && x->type.lanes == 1) {
        irl__index_of_value(e, x->a[0], width, precedence);
        return;
    }
    if (width != IRL__WIDTH_UINT && x->type.lanes == 1) own = irl__emit_width(e, x, NULL);
    if (own < width) {
        opened = irl__index_cast(e, width, precedence);
        precedence = IRL__PREC_UNARY;
    } else own = width;
    e->width = own;
    irl__emit_operator(e, x, precedence);
    e->width = outer;
    if (own < width) irl__emit_close(e, opened);
}
