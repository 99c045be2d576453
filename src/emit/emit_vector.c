/* emit_vector.c - vectors of languages that have names for them, OpenCL C and GLSL: made of scalars
   and of other vectors, lanes of them.

   needs     a language's row: the names of lanes and of conversions; what it does by itself, with
             bools above all, by its hooks
   promises  each operand is printed once */
#include "emit.h"

int irl__emit_scalar(irl__emit *e, const irl_expr *x, int precedence)
{
    switch (x->op) {
    case IRL_OP_LOAD: irl__emit_load(e, x, precedence); return 1;
    case IRL_OP_REINTERPRET: irl__emit_reinterpret(e, x); return 1;
    case IRL_OP_LANE: irl__emit_lane(e, x, precedence); return 1;
    case IRL_OP_CALL_EXTERN: irl__emit_extern(e, x); return 1;
    case IRL_OP_CALL_INTRINSIC: irl__emit_texel(e, x); return 1;
    case IRL_OP_FLOAT:
        if (irl__emit_is_bits(e->language, x->type)) irl__emit_bits_constant(e, x);
        else irl__emit_float(e, x->type, x->u.f, precedence);
        return 1;
    case IRL_OP_UNDEF: irl__emit_operand(e, irl__zero(e->cx, x->type), precedence); return 1;
    case IRL_OP_CAST:
        if (!(irl__emit_is_bits(e->language, x->type) ||
              irl__emit_is_bits(e->language, x->a[0]->type)))
            return 0;
        irl__emit_storage_cast(e, x, precedence);
        return 1;
    default: return 0;
    }
}

/* vec4(a, b), (float4)(a, b). A mask has -1 where a bool is true. */
static void irl__vector_of_parts(irl__emit *e, const irl_expr *x)
{
    irl__emitf(e, e->language->call_casts ? "%t(" : "(%t)(", x->type);
    for (uint32_t k = 0; k < x->count; k++) {
        const irl_expr *a = x->a[k];
        const int       is_bit = e->language->mask && a->type.scalar == IRL_BOOL &&
                           a->type.lanes == 1;
        irl__emitf(e, k ? ", %s%o" : "%s%o", is_bit ? "-" : "",
                   is_bit ? IRL__PREC_POSTFIX : IRL__PREC_ANY, a);
    }
    irl__text_putc(&e->text, ')');
}

void irl__emit_shuffle(irl__emit *e, const irl_expr *x)
{
    if (x->count != 1 || x->a[0]->type.lanes == 1) {
        irl__vector_of_parts(e, x);
        return;
    }
    irl__emitf(e, "%o%s", IRL__PREC_POSTFIX, x->a[0], e->language->swizzle);
    for (uint32_t k = 0; k < x->type.lanes; k++)
        irl__text_putc(&e->text, e->language->lanes[x->u.picks[k]]);
}

void irl__emit_lane(irl__emit *e, const irl_expr *x, int precedence)
{
    const irl__emit_language *l = e->language;
    const irl_expr           *v = x->a[0], *k = x->a[1];
    const irl__width          outer = e->width;
    const int                 is_mask = l->mask && v->type.scalar == IRL_BOOL;
    const irl__emit_symbol   *symbol = irl__type_is_index(v->type) ? irl__emit_find(e, v) : NULL;
    if (v->type.lanes == 1) {
        irl__emit_operand(e, v, precedence);
        return;
    }
    int opened = is_mask ? irl__emit_open(e, IRL__PREC_EQUAL, precedence) : 0;
    if (symbol && symbol->width != outer && l->exact_types)
        opened = irl__emit_cast(e, l->index_types[outer], &precedence);
    if (symbol && (l->exact_types || k->op != IRL_OP_INT)) e->width = symbol->width;
    if (k->op == IRL_OP_INT)
        irl__emitf(e, "%o%s%c", IRL__PREC_POSTFIX, v, l->swizzle, l->lanes[k->u.i]);
    else {
        /* v is a variable */
        k = irl__emit_lane_number(e, k, v->type.lanes);
        if (l->pointer_casts > 0)
            irl__emitf(e, "((const %s *)&%o)[%e]",
                       is_mask ? l->mask : irl__emit_scalar_type(e, v->type), IRL__PREC_POSTFIX, v,
                       k);
        else irl__emitf(e, "%o[%e]", IRL__PREC_POSTFIX, v, k);
    }
    if (is_mask) irl__text_puts(&e->text, " != 0");
    irl__emit_close(e, opened);
    e->width = outer;
}

static void irl__vector_cast(irl__emit *e, const irl_expr *x, int precedence)
{
    const irl__emit_language *l = e->language;
    const irl_expr           *a = x->a[0];
    const irl__width          outer = e->width;
    const char               *to = irl__emit_scalar_type(e, x->type);
    if (irl__type_is_index(a->type)) e->width = irl__emit_width(e, a, NULL);
    if (!l->exact_types && strcmp(to, irl__emit_scalar_type(e, a->type)) == 0)
        irl__emit_operand(e, a, precedence);
    else {
        const irl__width own = e->width;
        e->width = outer;
        irl__emitf(e, l->convert, x->type);
        e->width = own;
        irl__emitf(e, "%x)", a);
    }
    e->width = outer;
}

/* A variable of indices is declared in the width that it needs. */
static int irl__vector_named_index(irl__emit *e, const irl_expr *x)
{
    const irl__emit_symbol *symbol = irl__emit_find(e, x);
    if (!symbol) return 0;
    if (symbol->width != e->width) irl__emitf(e, e->language->convert, x->type);
    irl__emitf(e, symbol->width != e->width ? "%s)" : "%s", symbol->name);
    return 1;
}

int irl__emit_vector(irl__emit *e, const irl_expr *x, int precedence)
{
    if (irl__type_is_index(x->type) && irl__vector_named_index(e, x)) return 1;
    if (e->language->vector(e, x, precedence)) return 1;
    switch (x->op) {
    case IRL_OP_BROADCAST: irl__vector_of_parts(e, x); return 1;
    case IRL_OP_SHUFFLE: irl__emit_shuffle(e, x); return 1;
    case IRL_OP_CAST:
        if (!irl__emit_scalar(e, x, precedence)) irl__vector_cast(e, x, precedence);
        return 1;
    default: return irl__emit_scalar(e, x, precedence);
    }
}
