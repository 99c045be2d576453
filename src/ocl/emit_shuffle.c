/* emit_shuffle.c - lanes in OpenCL C: one of a vector as a component, swizzles, vectors end to end.

   needs     emit_vector.c for vectors of bools
   promises  each operand is printed once */
#include "ocl.h"

void irl__ocl_type(irl__emit *e, irl_type type)
{
    irl__text_puts(&e->text, type.scalar == IRL_BOOL && type.lanes > 1
                                 ? "int"
                                 : irl__emit_scalar_type(e, type));
    if (type.lanes > 1) irl__text_uint(&e->text, type.lanes);
}

void irl__ocl_component(irl__emit *e, uint32_t k)
{
    irl__text_puts(&e->text, ".s");
    irl__text_putc(&e->text, "0123456789abcdef"[k & 15]);
}

/* ------------------------------------------------------------ taking apart, putting together */

void irl__ocl_lane(irl__emit *e, const irl_expr *x, int precedence)
{
    const irl_expr *v = x->a[0], *k = x->a[1];
    int             is_bool = v->type.scalar == IRL_BOOL, opened;
    irl__width      outer = e->width;
    const irl__emit_symbol *symbol;
    if (v->type.lanes == 1) {
        irl__emit_operand(e, v, precedence);
        return;
    }
    opened = is_bool ? irl__emit_open(e, IRL__PREC_EQUAL, precedence) : 0;
    if (k->op == IRL_OP_INT) {
        if (is_bool) irl__ocl_mask(e, v, 32, IRL__PREC_POSTFIX);
        else irl__emit_operand(e, v, IRL__PREC_POSTFIX);
        irl__ocl_component(e, (uint32_t)k->u.i);
    } else { /* v is a variable */
        if (irl__type_is_index(v->type) && (symbol = irl__emit_find(e, v)) != NULL)
            e->width = symbol->width;
        /* a mask is of ints */
        irl__textf(&e->text, "((const %s *)&", is_bool ? "int" : irl__emit_scalar_type(e, v->type));
        irl__emit_operand(e, v, IRL__PREC_POSTFIX);
        irl__text_puts(&e->text, ")[");
        k = irl__emit_lane_number(e, k, v->type.lanes);
        if (k) irl__emit_expr(e, k, IRL__PREC_ANY);
        irl__text_putc(&e->text, ']');
    }
    if (is_bool) irl__text_puts(&e->text, " != 0");
    irl__emit_close(e, opened);
    e->width = outer;
}

static void irl__lanes_shuffled(irl__emit *e, const irl_expr *v, int precedence)
{
    if (v->type.scalar == IRL_BOOL && v->type.lanes > 1) irl__ocl_mask(e, v, 32, precedence);
    else if (v->type.scalar == IRL_BOOL) {
        irl__text_putc(&e->text, '-');
        irl__emit_operand(e, v, IRL__PREC_POSTFIX);
    } else irl__emit_operand(e, v, precedence);
}

void irl__ocl_shuffle(irl__emit *e, const irl_expr *x)
{
    uint32_t k;
    if (x->count == 1 && x->a[0]->type.lanes > 1) { /* a swizzle */
        irl__lanes_shuffled(e, x->a[0], IRL__PREC_POSTFIX);
        irl__text_puts(&e->text, ".s");
        for (k = 0; k < x->type.lanes; k++)
            irl__text_putc(&e->text, "0123456789abcdef"[x->u.picks[k] & 15]);
        return;
    }
    irl__text_putc(&e->text, '(');
    irl__ocl_type(e, x->type);
    irl__text_puts(&e->text, ")(");
    for (k = 0; k < x->count; k++) {
        if (k) irl__text_puts(&e->text, ", ");
        irl__lanes_shuffled(e, x->a[k], IRL__PREC_ANY);
    }
    irl__text_putc(&e->text, ')');
}
