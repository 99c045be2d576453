/* emit_index.c - the width of index arithmetic.

   needs     the ranges of the variables in scope; emit_expr.c, which prints each operator
   promises  an index is computed as unsigned 32 bits if it and all intermediate results are proved
             to fit, else as signed 32 bits, else as 64; nothing wraps. A part that fits a narrower
             type is computed there and widened. For a target without 64-bit integers: what is
             proved to fit 32 bits, and the place of an access (no memory of such a target is
             larger), is computed there also where sums and products on the way do not fit: modulo
             2^32, as unsigned numbers, they give the same. What is divided or compared is proved to
             fit, or refused. */
#include "emit.h"

static void irl__index_widen(irl__interval *hull, irl__interval r)
{
    if (r.lo < hull->lo) hull->lo = r.lo;
    if (r.hi > hull->hi) hull->hi = r.hi;
}

/* The hull of every index computed on the way to x; conditions, casts and loads begin arithmetic of
   their own. */
static void irl__index_hull(irl__emit *e, const irl_expr *x, irl__interval *hull)
{
    uint32_t k, first = x->op == IRL_OP_SELECT || x->op == IRL_OP_IF_THEN_ELSE ? 1 : 0;
    irl__index_widen(hull, irl__range_of(e->ranges, x));
    if (x->op == IRL_OP_SHL || x->op == IRL_OP_SHR) { /* by 32 and more, of 64 bits alone */
        irl__interval distance = irl__range_of(e->ranges, x->a[1]);
        if (distance.hi >= 32) distance.lo = INT64_MIN;
        irl__index_widen(hull, distance);
    }
    if (x->op == IRL_OP_LET) first = 2;
    if (x->op == IRL_OP_LOAD || x->op == IRL_OP_CALL_EXTERN || x->op == IRL_OP_CALL_INTRINSIC)
        return;
    for (k = first; k < x->count; k++)
        if (irl__type_is_index(x->a[k]->type) && (k == 0 || x->op != IRL_OP_LANE))
            irl__index_hull(e, x->a[k], hull);
}

static irl__width irl__index_width_of(irl__interval r)
{
    if (r.lo >= 0 && r.hi <= (int64_t)UINT32_MAX) return IRL__WIDTH_UINT;
    if (r.lo >= INT32_MIN && r.hi <= INT32_MAX) return IRL__WIDTH_INT;
    return IRL__WIDTH_LONG;
}

/* The width for x, y and all that is computed on the way to them; y may be NULL. */
static irl__width irl__index_width(irl__emit *e, const irl_expr *x, const irl_expr *y)
{
    irl__interval hull = irl__range_of(e->ranges, x);
    irl__index_hull(e, x, &hull);
    if (y) irl__index_hull(e, y, &hull);
    return irl__index_width_of(hull);
}

static void irl__index_bound_text(irl__text *t, int64_t bound)
{
    if (bound == INT64_MIN || bound == INT64_MAX) irl__text_puts(t, "no known bound");
    else irl__text_int(t, bound);
}

static void irl__index_refuse(irl__emit *e, const irl_expr *x, irl__interval r)
{
    char      text[64];
    irl__text t;
    irl__text_init_fixed(&t, text, sizeof text);
    irl__index_bound_text(&t, r.lo);
    irl__text_puts(&t, " to ");
    irl__index_bound_text(&t, r.hi);
    irl__fail(
        e->cx, IRL_ERROR_INDEX_WIDTH, e->cx->here,
        "target '%s' has no 64-bit integers, and %s is not proved to fit 32 bits: it is from %s",
        e->unit->target->name, irl_expr_text(e->cx, x), text);
}

irl__width irl__emit_width_of(irl__emit *e, const irl_expr *x, irl__interval r)
{
    irl__width width = irl__index_width_of(r);
    if (width != IRL__WIDTH_LONG || !e->narrow) return width;
    e->narrow->refuse(e, x, r);
    return IRL__WIDTH_INT;
}

irl__width irl__emit_width(irl__emit *e, const irl_expr *x, const irl_expr *y)
{
    irl__width width = irl__index_width(e, x, y);
    if (width != IRL__WIDTH_LONG || !e->narrow) return width;
    irl__interval r = irl__range_of(e->ranges, x);
    if (x->type.lanes > 1) irl__index_hull(e, x, &r); /* lanes do not go around */
    width = irl__emit_width_of(e, x, r);
    if (!y) return width;
    irl__interval other = irl__range_of(e->ranges, y);
    if (y->type.lanes > 1) irl__index_hull(e, y, &other);
    irl__index_widen(&other, r);
    return irl__emit_width_of(e, y, other);
}

void irl__emit_assume(irl__emit *e, const irl_expr *condition, int holds)
{
    if (condition->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)) return;
    if (!holds) condition = irl_expr_op1(e->cx, IRL_OP_NOT, condition);
    if (condition) irl__fact(e->ranges, condition);
}

static int irl__index_cast(irl__emit *e, irl__width width, int *precedence)
{
    return irl__emit_cast(e, e->language->index_types[width], precedence);
}

/* A value of a type of its own (a cast's operand), made an index. */
static void irl__index_of_value(irl__emit *e, const irl_expr *value, irl__width width,
                                int precedence)
{
    if (strcmp(e->language->types[value->type.scalar], e->language->index_types[width]) == 0) {
        irl__emit_expr(e, value, precedence);
        return;
    }
    int opened = irl__index_cast(e, width, &precedence);
    irl__emit_expr(e, value, precedence);
    irl__emit_close(e, opened);
}

static void irl__index_named(irl__emit *e, const irl__emit_symbol *symbol, irl__width width,
                             int precedence)
{
    int is_one = e->language->index_types[symbol->width] == e->language->index_types[width],
        opened = is_one ? 0 : irl__index_cast(e, width, &precedence);
    irl__text_puts(&e->text, symbol->name);
    irl__emit_close(e, opened);
}

/* ------------------------------------------------------------------ modulo 2^32 */

/* Does the value depend on both operands as numbers? Of bits the low ones follow from the low ones
   of the operands. */
static int irl__index_needs_both(const irl_expr *x)
{
    switch (x->op) {
    case IRL_OP_BITAND:
    case IRL_OP_BITOR:
    case IRL_OP_BITXOR:
    case IRL_OP_SHL:
    case IRL_OP_SHR:
    case IRL_OP_LOAD: return 0;
    default:
        return x->count == 2 && irl__type_is_index(x->a[0]->type) &&
               irl__type_is_index(x->a[1]->type);
    }
}

/* A choice or an operator that is computed exactly, on operands that fit. */
static void irl__index_of_exact(irl__emit *e, const irl_expr *x, int precedence)
{
    irl__width outer = e->width;
    int        opened = irl__index_cast(e, IRL__WIDTH_UINT, &precedence);
    if (irl__index_needs_both(x)) e->width = irl__emit_width(e, x->a[0], x->a[1]);
    else
        e->width =
            irl__emit_width(e, x, x->count && irl__type_is_index(x->a[0]->type) ? x->a[0] : NULL);
    irl__emit_operator(e, x, precedence);
    e->width = outer;
    irl__emit_close(e, opened);
}

/* x modulo 2^32, a uint. */
static void irl__index_wrapped(irl__emit *e, const irl_expr *x, int precedence)
{
    const irl__emit_symbol *symbol = irl__emit_find(e, x);
    irl__width              own;
    if (!irl__ok(e->cx)) return;
    if (symbol) irl__index_named(e, symbol, IRL__WIDTH_UINT, precedence);
    else if (x->op == IRL_OP_INT) {
        irl__text_uint(&e->text, (uint64_t)x->u.i & UINT32_MAX);
        irl__text_puts(&e->text, e->language->index_suffixes[IRL__WIDTH_UINT]);
    } else if (x->op == IRL_OP_CAST && irl__type_is_integer(x->a[0]->type))
        irl__index_of_value(e, x->a[0], IRL__WIDTH_UINT, precedence);
    else if ((own = irl__index_width(e, x, NULL)) == IRL__WIDTH_UINT)
        irl__emit_index(e, x, own, precedence);
    else switch (x->op) {
        case IRL_OP_ADD:
        case IRL_OP_SUB:
        case IRL_OP_MUL: {
            const irl__op_row *row = irl__op_info((irl_op)x->op);
            int                opened = irl__emit_open(e, row->precedence, precedence);
            irl__index_wrapped(e, x->a[0], row->precedence);
            irl__textf(&e->text, " %s ", row->text);
            irl__index_wrapped(e, x->a[1], row->precedence + (x->op != IRL_OP_ADD));
            irl__emit_close(e, opened);
        } break;
        case IRL_OP_SELECT:
        case IRL_OP_IF_THEN_ELSE: {
            int opened = irl__emit_open(e, IRL__PREC_CHOICE, precedence), arm, mark;
            irl__emit_expr(e, x->a[0], IRL__PREC_OR);
            for (arm = 1; arm <= 2; arm++) {
                irl__text_puts(&e->text, arm == 1 ? " ? " : " : ");
                mark = irl__facts_mark(e->ranges);
                if (x->op == IRL_OP_IF_THEN_ELSE) irl__emit_assume(e, x->a[0], arm == 1);
                irl__index_wrapped(e, x->a[arm], arm == 1 ? IRL__PREC_OR : IRL__PREC_CHOICE);
                irl__facts_release(e->ranges, mark);
            }
            irl__emit_close(e, opened);
        } break;
        case IRL_OP_LET: irl__index_wrapped(e, x->a[2], precedence); break;
        default: irl__index_of_exact(e, x, precedence); break;
    }
}

/* A float that is the place itself is not negative; others would have to fit an int by
   themselves. */
void irl__emit_place(irl__emit *e, const irl_expr *x, int precedence)
{
    if (!e->narrow || x->type.lanes > 1 || irl__index_width(e, x, NULL) != IRL__WIDTH_LONG)
        irl__emit_expr(e, x, precedence);
    else if (x->op == IRL_OP_CAST && !irl__emit_find(e, x))
        irl__index_of_value(e, x->a[0], IRL__WIDTH_UINT, precedence);
    else irl__index_wrapped(e, x, precedence);
}

/* ------------------------------------------------------------------ any index */

/* A value that fits, on a way that does not. */
static void irl__index_around(irl__emit *e, const irl_expr *x, irl__width width, int precedence)
{
    int opened = width == IRL__WIDTH_UINT ? 0 : irl__index_cast(e, width, &precedence);
    irl__index_wrapped(e, x, precedence);
    irl__emit_close(e, opened);
}

int irl__emit_short_index(irl__emit *e, const irl_expr *var)
{
    irl__emit_symbol *symbol = irl__emit_find(e, var);
    if (symbol) symbol->width = IRL__WIDTH_INT;
    return symbol && irl__bind_range(e->ranges, var, INT32_MIN, INT32_MAX);
}

void irl__emit_narrow_begin(irl__emit *e)
{
    static const irl__emit_narrow narrow = { irl__index_around, irl__index_refuse };
    if (!e->unit->target->int64) e->narrow = &narrow;
}

void irl__emit_index(irl__emit *e, const irl_expr *x, irl__width width, int precedence)
{
    irl__width outer = e->width, own = width;
    int        opened = 0;
    if (e->language->index_form) x = e->language->index_form(e, x);
    if (!x) return;
    if (x->op == IRL_OP_INT) {
        irl__emit_int(e, x->u.i, width == IRL__WIDTH_UINT, width == IRL__WIDTH_LONG ? 64 : 32,
                      e->language->index_suffixes[width], precedence);
        return;
    }
    const irl__emit_symbol *symbol = irl__emit_find(e, x);
    if (symbol && x->type.lanes == 1) {
        irl__index_named(e, symbol, width, precedence);
        return;
    }
    if (x->op == IRL_OP_CAST && x->type.lanes == 1) {
        irl__index_of_value(e, x->a[0], width, precedence);
        return;
    }
    if (e->narrow && x->type.lanes == 1 && irl__index_width(e, x, NULL) == IRL__WIDTH_LONG) {
        e->narrow->index(e, x, width, precedence);
        return;
    }
    if (width != IRL__WIDTH_UINT && x->type.lanes == 1) own = irl__emit_width(e, x, NULL);
    if (e->language->index_types[own] == e->language->index_types[width]) own = width;
    if (own < width) {
        opened = irl__index_cast(e, width, &precedence);
    } else own = width;
    e->width = own;
    irl__emit_operator(e, x, precedence);
    e->width = outer;
    if (own < width) irl__emit_close(e, opened);
}
