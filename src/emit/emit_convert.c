/* emit_convert.c - numbers that C has no arithmetic for, f16, bf16 and normalised ones, and casts
   of bits.

   needs     emit_memory.c, which may load them as floats; emit_helper.c's functions
   promises  casts round as the interpreter's do: once, to nearest, ties to even, from whatever
             type */
#include "emit.h"

/* ------------------------------------------------------------------ f16 and bf16 */

/* From these, float cannot hold every value: rounding to it first would round twice. A normalised
   number is computed in floats by its definition. */
static int irl__convert_rounds_twice(irl_type from, irl_type to)
{
    if (irl__type_is_normalised(to)) return 0;
    if (from.scalar == IRL_F64) return 1;
    /* f16: such integers are infinite */
    return to.scalar == IRL_BF16 && irl__type_info(from)->bits >= 32 && from.scalar != IRL_F32;
}

/* bf16 bits are the upper half of a float's */
static void irl__convert_bfloat_value(irl__emit *e, const irl_expr *a)
{
    irl_type bits = irl_type_of(IRL_U32, (int)a->type.lanes);
    int      precedence = IRL__PREC_UNARY, opened = 1;
    irl__emit_as(e, irl_type_of(IRL_F32, (int)a->type.lanes), bits);
    if (a->type.lanes > 1) {
        irl__emitf(e, e->language->convert, bits);
        precedence = IRL__PREC_ANY;
    } else opened = irl__emit_cast(e, e->language->types[IRL_U32], &precedence);
    irl__emit_operand(e, a, precedence);
    irl__emit_close(e, opened);
    irl__text_puts(&e->text, " << 16)");
}

static void irl__convert_odd(irl__emit *e, const irl_expr *a)
{
    irl_type   t = a->type;
    irl__width outer = e->width;
    if (irl__type_is_index(t)) {
        e->width = irl__emit_width(e, a, NULL);
        t = irl__emit_computed(e, t);
        if (irl__type_info(t)->bits < 32) /* which C has promoted */
            t.scalar = irl__type_info(t)->kind == IRL_KIND_UINT ? IRL_U32 : IRL_I32;
    }
    irl__emit_helper_call(e, IRL__HELP_ODD, "odd", t, 1, &a);
    e->width = outer;
}

/* a as a float (or floats) that rounds to type `to` as a itself does. */
static void irl__convert_as_float(irl__emit *e, const irl_expr *a, irl_type to)
{
    const int kind = irl__emit_storage_kind(e, a->type, 0);
    if (irl__emit_load_float(e, a, 1)) return;
    if (kind) {
        irl__emit_storage_helper(e, kind, a->type);
        irl__emit_call(e, "", 1, &a);
    } else if (a->type.scalar == IRL_BF16) irl__convert_bfloat_value(e, a);
    else if (irl__convert_rounds_twice(a->type, to)) irl__convert_odd(e, a);
    else {
        const irl_expr *cast = irl_expr_cast(e->cx, irl_type_of(IRL_F32, (int)a->type.lanes), a);
        if (cast) irl__emit_expr(e, cast, IRL__PREC_ANY);
    }
}

/* name(a as a float) */
static void irl__convert_call(irl__emit *e, const char *name, const irl_expr *x)
{
    irl__textf(&e->text, "%s(", name);
    irl__convert_as_float(e, x->a[0], x->type);
    irl__text_putc(&e->text, ')');
}

void irl__emit_storage_cast(irl__emit *e, const irl_expr *x, int precedence)
{
    const int kind = irl__emit_storage_kind(e, x->type, 1);
    int       opened;
    if (kind) {
        irl__emit_storage_helper(e, kind, x->type);
        irl__convert_call(e, "", x);
        return;
    }
    switch (x->type.scalar) {
    case IRL_F32: irl__convert_as_float(e, x->a[0], x->type); break;
    case IRL_BOOL:
        opened = irl__emit_open(e, IRL__PREC_EQUAL, precedence);
        irl__convert_as_float(e, x->a[0], x->type);
        irl__text_puts(&e->text, " != 0.0f");
        irl__emit_close(e, opened);
        break;
    default:
        if (x->type.lanes > 1) {
            irl__emitf(e, e->language->convert, x->type);
            irl__convert_as_float(e, x->a[0], x->type);
            irl__text_putc(&e->text, ')');
        } else {
            irl__textf(&e->text, e->language->call_casts ? "%s" : "(%s)",
                       irl__emit_scalar_type(e, x->type));
            irl__convert_call(e, "", x);
        }
        break;
    }
}

/* ------------------------------------------------------------------ bits */

void irl__emit_reinterpret(irl__emit *e, const irl_expr *x)
{
    if (x->type.lanes == x->a[0]->type.lanes &&
        strcmp(irl__emit_scalar_type(e, x->type), irl__emit_scalar_type(e, x->a[0]->type)) == 0) {
        irl__emit_call(e, "", 1, x->a);
        return;
    }
    irl__emit_as(e, x->type, x->a[0]->type);
    irl__emit_argument(e, x->a[0]);
    irl__text_putc(&e->text, ')');
}

void irl__emit_bits_constant(irl__emit *e, const irl_expr *x)
{
    int64_t norm = irl__type_is_normalised(x->type) ? irl__norm_from_double(x->type, x->u.f) : 0;
    if (irl__type_is_normalised(x->type)) {
        irl__textf(&e->text, norm < 0 ? "(%l)" : "%l", norm);
        return;
    }
    irl__text_puts(&e->text, "0x");
    irl__emit_hex(&e->text, irl__emit_float_bits(x->type, x->u.f), 4);
}
