/* c_mask.c - choices between vectors, and their signs, as gcc and clang have them: target c-gnu.

   needs     the types of c_vector.c
   promises  a condition of lanes is a vector of integers as wide as the values, 0 or -1, by the
             compilers' comparisons; a choice takes the bits of either value by it, whatever they
             are; a condition that all lanes share is C's own choice */
#include "c.h"

/* ------------------------------------------------------------------ which there are */

/* Of a number that the compilers have; 0: it is none. */
static int irl__c_mask_bits(irl_type t)
{
    const irl__kind kind = irl__type_info(t)->kind;
    return !t.is_pointer && !irl__type_is_index(t) &&
                   (kind == IRL_KIND_INT || kind == IRL_KIND_UINT || t.scalar == IRL_F32 ||
                    t.scalar == IRL_F64)
               ? irl__type_info(t)->bits : 0;
}

/* Numbers that the compilers compare as the interpreter does. */
static int irl__c_mask_compares(const irl_expr *c)
{
    return irl__op_info((irl_op)c->op)->rule == IRL__COMPARE &&
           (irl__type_is_index(c->a[0]->type) || irl__c_mask_bits(c->a[0]->type) > 0);
}

/* Comparisons, what is the same in all lanes, and what joins these. */
static int irl__c_mask_has(const irl_expr *c)
{
    switch (c->op) {
    case IRL_OP_AND:
    case IRL_OP_OR:
    case IRL_OP_BITAND:
    case IRL_OP_BITOR:
    case IRL_OP_BITXOR: return irl__c_mask_has(c->a[0]) && irl__c_mask_has(c->a[1]);
    case IRL_OP_NOT: return irl__c_mask_has(c->a[0]);
    case IRL_OP_BROADCAST: return 1;
    default: return irl__c_mask_compares(c);
    }
}

int irl__c_mask_is_own(const irl_expr *x)
{
    if (x->type.lanes == 1 || !irl__c_mask_bits(x->type)) return 0;
    if (x->op == IRL_OP_ABS) return irl__type_is_float(x->type);
    if (x->op == IRL_OP_IF_THEN_ELSE && x->a[0]->type.lanes == 1) return 1;
    return x->op == IRL_OP_SELECT && (x->a[0]->type.lanes == 1 || irl__c_mask_has(x->a[0]));
}

/* ------------------------------------------------------------------ masks */

/* By how much lane k is more than the first; -1: that is no such number. */
static int64_t irl__c_mask_step(irl_ctx *cx, const irl_expr *x, uint32_t k)
{
    const irl_expr *first = irl__lane(cx, x, 0), *lane = irl__lane(cx, x, k);
    int64_t         from = 0, at = 0;
    if (!first || !lane || irl__expr_base(first, &from) != irl__expr_base(lane, &at)) return -1;
    return at >= from && at - from <= INT16_MAX ? at - from : -1;
}

/* An index in each lane: one that all share, or the first lane's and a vector of numbers. */
static void irl__c_mask_index(irl__emit *e, const irl_expr *x)
{
    const uint32_t lanes = x->type.lanes, count = x->op == IRL_OP_BROADCAST ? 1 : lanes;
    for (uint32_t k = 0; k < count; k++)
        if (irl__c_mask_step(e->cx, x, k) < 0) {
            irl__c_vector(e, x, IRL__PREC_UNARY);
            return;
        }
    irl__emitf(e, "((%t){ ", x->type);
    for (uint32_t k = 0; k < count; k++)
        irl__textf(&e->text, k ? ", %l" : "%l", irl__c_mask_step(e->cx, x, k));
    irl__text_puts(&e->text, " } + ");
    /* which may be narrower than what C computes in */
    if (e->language->index_scalar != IRL_BOOL)
        irl__textf(&e->text, "(%s)", e->language->types[e->language->index_scalar]);
    irl__emit_operand(e, irl__lane(e->cx, x, 0), IRL__PREC_UNARY);
    irl__text_putc(&e->text, ')');
}

/* A comparison, as wide as `type`. */
static void irl__c_mask_comparison(irl__emit *e, const irl_expr *c, irl_type type)
{
    const irl__width outer = e->width;
    const int        is_index = irl__type_is_index(c->a[0]->type);
    int              bits = irl__c_mask_bits(c->a[0]->type);
    if (is_index) {
        e->width = irl__emit_width(e, c->a[0], c->a[1]);
        bits = irl__type_info(irl__c_vector_held(e, c->a[0]->type))->bits;
    }
    const int is_wide = bits == irl__type_info(type)->bits;
    if (is_wide) irl__emitf(e, "(%t)(", type);
    else irl__text_puts(&e->text, "__builtin_convertvector(");
    for (int k = 0; k < 2; k++) {
        if (k) irl__textf(&e->text, " %s ", irl__op_info((irl_op)c->op)->text);
        if (is_index) irl__c_mask_index(e, c->a[k]);
        else irl__emit_operand(e, c->a[k], IRL__PREC_UNARY);
    }
    if (!is_wide) irl__emitf(e, ", %t", type);
    irl__text_putc(&e->text, ')');
    e->width = outer;
}

/* A condition of lanes as a vector of 0 and -1. */
static void irl__c_mask_of(irl__emit *e, const irl_expr *c, irl_type type)
{
    if (irl__c_mask_compares(c)) {
        irl__c_mask_comparison(e, c, type);
        return;
    }
    irl__text_putc(&e->text, '(');
    if (c->op == IRL_OP_BROADCAST) {
        irl__emitf(e, "(%t){ 0 } - (%s)%o", type, e->language->types[type.scalar],
                   IRL__PREC_UNARY, c->a[0]);
    } else if (c->op == IRL_OP_NOT) {
        irl__text_putc(&e->text, '~');
        irl__c_mask_of(e, c->a[0], type);
    } else {
        irl__c_mask_of(e, c->a[0], type);
        irl__text_puts(&e->text, c->op == IRL_OP_BITXOR                             ? " ^ "
                                 : c->op == IRL_OP_OR || c->op == IRL_OP_BITOR ? " | "
                                                                                : " & ");
        irl__c_mask_of(e, c->a[1], type);
    }
    irl__text_putc(&e->text, ')');
}

/* ------------------------------------------------------------------ choices */

void irl__c_mask(irl__emit *e, const irl_expr *x)
{
    const irl_type type = irl__emit_mask_type(x->type);
    irl__emit_need(e, IRL__C_VECTOR, type);
    if (x->op == IRL_OP_ABS) {
        irl__emitf(e, "((%t)((%t)%o & %s))", x->type, type, IRL__PREC_UNARY, x->a[0],
                   type.scalar == IRL_I64 ? "0x7fffffffffffffff" : "0x7fffffff");
    } else if (x->a[0]->type.lanes == 1) {
        /* whose types may differ in how they lie in memory */
        irl_type to = x->type; /* tcc warns of a const struct that is passed on the stack */
        irl__emitf(e, "(%o ? (%t)%o : (%t)%o)", IRL__PREC_OR, x->a[0], to, IRL__PREC_UNARY, x->a[1],
                   to, IRL__PREC_UNARY, x->a[2]);
    } else {
        irl__emit_need(e, IRL__C_VECTOR, x->type);
        irl__emit_need(e, IRL__C_SELECT, x->type);
        irl__emit_vector_name(e, &e->text, "select_", x->type);
        irl__text_puts(&e->text, "(");
        irl__c_mask_of(e, x->a[0], type);
        /* braces would not keep commas together for the macro */
        irl__emitf(e, ", (%e), (%e))", x->a[1], x->a[2]);
    }
}
