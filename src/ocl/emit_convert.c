/* emit_convert.c - numbers in OpenCL C that it has no arithmetic for, f16, bf16 and normalised
   ones, and casts of bits.

   needs     emit_lanes.c, emit_memory.c and emit_image.c, which may load them as floats;
             emit_helper.c's functions
   promises  casts round as the interpreter's do: once, to nearest, ties to even, from whatever
             type */
#include "ocl.h"

/* ------------------------------------------------------------------ f16 and bf16 */

/* From these, float cannot hold every value: rounding to it first would round twice. A normalised
   number is computed in floats by its definition. */
static int irl__ocl_rounds_twice(irl_type from, irl_type to)
{
    if (irl__type_is_normalised(to)) return 0;
    if (from.scalar == IRL_F64) return 1;
    /* f16: such integers are infinite */
    return to.scalar == IRL_BF16 && irl__type_info(from)->bits >= 32 && from.scalar != IRL_F32;
}

static void irl__ocl_convert(irl__emit *e, const char *type, uint32_t lanes)
{
    if (lanes > 1) irl__textf(&e->text, "convert_%s%u(", type, (uint64_t)lanes);
    else irl__textf(&e->text, "(%s)(", type);
}

/* bf16 bits are the upper half of a float's */
static void irl__ocl_bfloat_value(irl__emit *e, const irl_expr *a)
{
    irl__text_puts(&e->text, "as_float");
    if (a->type.lanes > 1)
        irl__textf(&e->text, "%u(convert_uint%u(", (uint64_t)a->type.lanes,
                   (uint64_t)a->type.lanes);
    else irl__text_puts(&e->text, "((uint)");
    irl__emit_operand(e, a, a->type.lanes > 1 ? IRL__PREC_ANY : IRL__PREC_UNARY);
    irl__text_puts(&e->text, a->type.lanes > 1 ? ") << 16)" : " << 16)");
}

static void irl__ocl_odd(irl__emit *e, const irl_expr *a)
{
    irl_type   t = a->type;
    irl__width outer = e->width;
    if (irl__type_is_index(t)) {
        e->width = irl__emit_width(e, a, NULL);
        t.scalar = e->width == IRL__WIDTH_UINT  ? IRL_U32
                   : e->width == IRL__WIDTH_INT ? IRL_I32
                                                : IRL_I64;
    }
    irl__emit_need(e, IRL__OCL_ODD, t);
    irl__textf(&e->text, "irl_odd_%s", irl__type_info(t)->ocl);
    if (t.lanes > 1) irl__text_uint(&e->text, t.lanes);
    irl__emit_call(e, "", 1, &a);
    e->width = outer;
}

static void irl__ocl_norm_call(irl__emit *e, int kind, irl_type type, const irl_expr *a)
{
    irl__emit_need(e, kind, type);
    irl__ocl_norm_name(&e->text, kind, type);
    irl__emit_call(e, "", 1, &a);
}

/* a as a float (or floats) that rounds to type `to` as a itself does. */
static void irl__ocl_as_float(irl__emit *e, const irl_expr *a, irl_type to)
{
    const irl_expr *cast;
    if (irl__ocl_is_half_load(e, a)) irl__ocl_half_load(e, a);
    else if (irl__ocl_is_float_texel(e, a)) irl__ocl_float_texel(e, a);
    else if (irl__type_is_normalised(a->type))
        irl__ocl_norm_call(e, IRL__OCL_NORM_TO_FLOAT, a->type, a);
    else if (a->type.scalar == IRL_F16) {
        irl__emit_need(e, IRL__OCL_HALF_TO_FLOAT, irl_type_of(IRL_F16, 1));
        irl__emit_call(e, "irl_half_to_float", 1, &a);
    } else if (a->type.scalar == IRL_BF16) irl__ocl_bfloat_value(e, a);
    else if (irl__ocl_rounds_twice(a->type, to)) irl__ocl_odd(e, a);
    else {
        cast = irl_cast(e->cx, irl_type_of(IRL_F32, (int)a->type.lanes), a);
        if (cast) irl__emit_expr(e, cast, IRL__PREC_ANY);
    }
}

/* f16 without its own hardware type is converted lane by lane, unless a load or store does it. */
int irl__ocl_goes_by_lanes(irl__emit *e, const irl_expr *x)
{
    if (x->op != IRL_OP_CAST || x->type.lanes == 1) return 0;
    return x->type.scalar == IRL_F16 ||
           (x->a[0]->type.scalar == IRL_F16 && !irl__ocl_is_half_load(e, x->a[0]) &&
            !irl__ocl_is_float_texel(e, x->a[0]));
}

void irl__ocl_storage_cast(irl__emit *e, const irl_expr *x, int precedence)
{
    const irl_expr *a = x->a[0];
    int             opened;
    if (irl__ocl_goes_by_lanes(e, x)) {
        irl__ocl_lanes(e, x);
        return;
    }
    switch (x->type.scalar) {
    case IRL_F16:
        irl__emit_need(e, IRL__OCL_FLOAT_TO_HALF, irl_type_of(IRL_F16, 1));
        irl__text_puts(&e->text, "irl_float_to_half(");
        irl__ocl_as_float(e, a, x->type);
        irl__text_putc(&e->text, ')');
        break;
    case IRL_BF16:
        irl__emit_need(e, IRL__OCL_FLOAT_TO_BFLOAT, irl__type_with_lanes(x->type, x->type.lanes));
        irl__text_puts(&e->text, "irl_float_to_bfloat");
        if (x->type.lanes > 1) irl__text_uint(&e->text, x->type.lanes);
        irl__text_putc(&e->text, '(');
        irl__ocl_as_float(e, a, x->type);
        irl__text_putc(&e->text, ')');
        break;
    case IRL_UNORM8: case IRL_SNORM8: case IRL_UNORM16: case IRL_SNORM16:
        irl__emit_need(e, IRL__OCL_FLOAT_TO_NORM, x->type);
        irl__ocl_norm_name(&e->text, IRL__OCL_FLOAT_TO_NORM, x->type);
        irl__text_putc(&e->text, '(');
        irl__ocl_as_float(e, a, x->type);
        irl__text_putc(&e->text, ')');
        break;
    case IRL_F32: irl__ocl_as_float(e, a, x->type); break;
    case IRL_BOOL:
        opened = irl__emit_open(e, IRL__PREC_EQUAL, precedence);
        irl__ocl_as_float(e, a, x->type);
        irl__text_puts(&e->text, " != 0.0f");
        irl__emit_close(e, opened);
        break;
    default:
        irl__ocl_convert(e, irl__ocl_scalar_type(e, x->type), x->type.lanes);
        irl__ocl_as_float(e, a, x->type);
        irl__text_putc(&e->text, ')');
        break;
    }
}

/* -------------------------------------------------------- operators with a form of their own */

/* Whether x may be the least number of a type that C does not promote. */
static int irl__ocl_may_be_least(irl__emit *e, const irl_expr *x)
{
    int bits = irl__type_info(x->type)->bits;
    if (irl__type_is_index(x->type) || bits < 32) return 0;
    return irl__range_of(e->ranges, x).lo <= (bits == 64 ? INT64_MIN : INT32_MIN);
}

void irl__ocl_abs(irl__emit *e, const irl_expr *x, int precedence)
{
    irl__kind kind = irl__type_info(x->type)->kind;
    if (kind == IRL__UINT || (kind == IRL__INDEX && e->width == IRL__WIDTH_UINT))
        irl__emit_operand(e, x->a[0], precedence);
    else if (kind == IRL__FLOAT) irl__emit_call(e, "fabs", 1, x->a);
    else if (irl__ocl_may_be_least(e, x->a[0])) {
        irl__emit_need(e, IRL__OCL_ABS, x->type);
        irl__text_puts(&e->text, "irl_abs_");
        irl__ocl_type(e, x->type);
        irl__emit_call(e, "", 1, x->a);
    } else { /* abs() of OpenCL C is unsigned */
        int opened = irl__emit_open(e, IRL__PREC_UNARY, precedence);
        irl__text_puts(&e->text, x->type.lanes > 1 ? "as_" : "(");
        irl__ocl_type(e, x->type);
        irl__text_puts(&e->text, x->type.lanes > 1 ? "(" : ")");
        irl__emit_call(e, "abs", 1, x->a);
        if (x->type.lanes > 1) irl__text_putc(&e->text, ')');
        irl__emit_close(e, opened);
    }
}

void irl__ocl_reinterpret(irl__emit *e, const irl_expr *x)
{
    if (x->type.lanes == x->a[0]->type.lanes &&
        strcmp(irl__ocl_scalar_type(e, x->type), irl__ocl_scalar_type(e, x->a[0]->type)) == 0) {
        irl__emit_call(e, "", 1, x->a);
        return;
    }
    irl__text_puts(&e->text, "as_");
    irl__ocl_type(e, x->type);
    irl__emit_call(e, "", 1, x->a);
}

void irl__ocl_bits_constant(irl__emit *e, const irl_expr *x)
{
    int64_t  norm = irl__type_is_normalised(x->type) ? irl__norm_from_double(x->type, x->u.f) : -1;
    unsigned bits =
        x->type.scalar == IRL_F16 ? irl__half_from_double(x->u.f) : irl__bfloat_from_double(x->u.f);
    int      k;
    if (irl__type_is_normalised(x->type)) {
        irl__textf(&e->text, norm < 0 ? "(%l)" : "%l", norm);
        return;
    }
    irl__text_puts(&e->text, "0x");
    for (k = 12; k >= 0; k -= 4) irl__text_putc(&e->text, "0123456789abcdef"[(bits >> k) & 15]);
}
