/* emit_vector.c - vectors in OpenCL C: operators lane by lane, masks, conversions.

   needs     emit_memory.c, emit_image.c, emit_convert.c
   promises  what it does not print itself, the shared printers do. A vector of bools is a vector of
             signed integers, 0 or -1 in each lane, as comparisons give it; its width follows what
             it is used with. Signed integers wrap: they are added as unsigned ones */
#include "ocl.h"

static void irl__wide_unknown(irl__emit *e, const irl_expr *x)
{
    irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, e->cx->here, "OpenCL C has no form for %s of %s",
              irl__op_info((irl_op)x->op)->name, irl__type_cstr(e->cx, x->type));
}

static void irl__wide_arm(irl__emit *e, const irl_expr *a, int bits, int precedence)
{
    if (bits) irl__ocl_mask(e, a, bits, precedence);
    else irl__emit_operand(e, a, precedence);
}

static int irl__wide_bits(irl__emit *e, irl_type t)
{
    if (irl__type_is_index(t)) return e->width == IRL__WIDTH_LONG ? 64 : 32;
    return t.scalar == IRL_BOOL ? 32 : irl__type_info(t)->bits;
}

/* c ? a : b by one bool, select(b, a, c) lane by lane. bits: of arms that are masks, 0: they are
   none. */
static void irl__wide_choice(irl__emit *e, const irl_expr *x, int bits, int precedence)
{
    const int is_one = x->a[0]->type.lanes == 1;
    const int opened = is_one ? irl__emit_open(e, IRL__PREC_CHOICE, precedence) : 0;
    if (is_one) irl__emitf(e, "%o ? ", IRL__PREC_OR, x->a[0]);
    else irl__text_puts(&e->text, "select(");
    irl__wide_arm(e, x->a[is_one ? 1 : 2], bits, is_one ? IRL__PREC_OR : IRL__PREC_ANY);
    irl__text_puts(&e->text, is_one ? " : " : ", ");
    irl__wide_arm(e, x->a[is_one ? 2 : 1], bits, is_one ? IRL__PREC_CHOICE : IRL__PREC_ANY);
    if (!is_one) {
        irl__text_puts(&e->text, ", ");
        irl__ocl_mask(e, x->a[0], bits ? bits : irl__wide_bits(e, x->type), IRL__PREC_ANY);
        irl__text_putc(&e->text, ')');
    }
    irl__emit_close(e, opened);
}

/* ------------------------------------------------------------------ masks */

static const char *irl__wide_mask_type(int bits)
{
    return bits == 8 ? "char" : bits == 16 ? "short" : bits == 64 ? "long" : "int";
}

/* The width that a mask has by itself; 0: any that is asked for. */
static int irl__wide_mask_bits(irl__emit *e, const irl_expr *x)
{
    irl__width outer = e->width;
    if (x->op == IRL_OP_VAR || (e->temporaries && irl__emit_find(e, x))) return 32;
    if (x->op == IRL_OP_LOAD) return 8;
    if (irl__op_info((irl_op)x->op)->rule == IRL__COMPARE || x->op == IRL_OP_CAST) {
        if (irl__type_is_index(x->a[0]->type))
            e->width = irl__emit_width(e, x->a[0], x->count > 1 ? x->a[1] : NULL);
        /* Of what a comparison compares: what is held as bits as float. */
        const irl_type t = x->a[0]->type;
        int bits = irl__emit_is_bits(e->language, t) ? 32 : irl__wide_bits(e, t);
        e->width = outer;
        return bits;
    }
    if (x->op == IRL_OP_SHUFFLE || x->op == IRL_OP_CALL_EXTERN) return 32;
    return 0;
}

static void irl__wide_mask_pair(irl__emit *e, const irl_expr *x, const char *text, int bits,
                                int precedence)
{
    int opened = irl__emit_open(e, IRL__PREC_BITS, precedence);
    irl__ocl_mask(e, x->a[0], bits, IRL__PREC_UNARY);
    irl__text_puts(&e->text, text);
    irl__ocl_mask(e, x->a[1], bits, IRL__PREC_UNARY);
    irl__emit_close(e, opened);
}

static void irl__wide_compare(irl__emit *e, const irl_expr *x, int precedence)
{
    const irl__width outer = e->width;
    const int        is_bool = x->a[0]->type.scalar == IRL_BOOL;
    /* true is -1, the smaller one */
    const int        swaps = is_bool && x->op != IRL_OP_EQ && x->op != IRL_OP_NE;
    const int        opened = irl__emit_open(e, IRL__PREC_EQUAL, precedence);
    const irl_expr  *b = is_bool ? NULL : irl__emit_scalar_of(x->a[1]);
    if (irl__type_is_index(x->a[0]->type)) e->width = irl__emit_width(e, x->a[0], x->a[1]);
    irl__emitf(e, "%o %s %o", IRL__PREC_SUM, x->a[swaps], irl__op_info((irl_op)x->op)->text,
               IRL__PREC_SUM, b ? b : x->a[!swaps]);
    e->width = outer;
    irl__emit_close(e, opened);
}

/* Which lanes are not 0; f16 and bf16 by their value, as -0 is 0. */
static void irl__wide_truth(irl__emit *e, const irl_expr *a, int precedence)
{
    int opened = irl__emit_open(e, IRL__PREC_EQUAL, precedence);
    if (irl__emit_is_bits(e->language, a->type))
        a = irl_expr_cast(e->cx, irl_type_of(IRL_F32, (int)a->type.lanes), a);
    if (!a) return;
    irl__emitf(e, "%o != (%t)(0)", IRL__PREC_SUM, a, a->type);
    irl__emit_close(e, opened);
}

/* A mask in the width that it has by itself, or in `bits` where it has none. */
static void irl__wide_mask_as_is(irl__emit *e, const irl_expr *x, int bits, int precedence)
{
    int opened;
    switch (x->op) {
    case IRL_OP_AND:
    case IRL_OP_BITAND: irl__wide_mask_pair(e, x, " & ", bits, precedence); break;
    case IRL_OP_OR:
    case IRL_OP_BITOR: irl__wide_mask_pair(e, x, " | ", bits, precedence); break;
    case IRL_OP_BITXOR: irl__wide_mask_pair(e, x, " ^ ", bits, precedence); break;
    case IRL_OP_NOT:
        opened = irl__emit_open(e, IRL__PREC_UNARY, precedence);
        irl__text_putc(&e->text, '~');
        irl__ocl_mask(e, x->a[0], bits, IRL__PREC_UNARY);
        irl__emit_close(e, opened);
        break;
    case IRL_OP_BROADCAST:
        irl__emitf(e, "(%s%u)(%o ? -1 : 0)", irl__wide_mask_type(bits), (uint64_t)x->type.lanes,
                   IRL__PREC_OR, x->a[0]);
        break;
    case IRL_OP_SELECT:
    case IRL_OP_IF_THEN_ELSE: irl__wide_choice(e, x, bits, precedence); break;
    case IRL_OP_LET: irl__ocl_mask(e, x->a[2], bits, precedence); break;
    case IRL_OP_UNDEF:
        irl__emitf(e, "(%s%u)(0)", irl__wide_mask_type(bits), (uint64_t)x->type.lanes);
        break;
    case IRL_OP_CAST: irl__wide_truth(e, x->a[0], precedence); break;
    case IRL_OP_LOAD: irl__emit_load(e, x, precedence); break;
    case IRL_OP_SHUFFLE: irl__emit_shuffle(e, x); break;
    case IRL_OP_CALL_EXTERN: irl__emit_extern(e, x); break;
    default:
        if (irl__op_info((irl_op)x->op)->rule == IRL__COMPARE) irl__wide_compare(e, x, precedence);
        else irl__wide_unknown(e, x);
        break;
    }
}

void irl__ocl_mask(irl__emit *e, const irl_expr *x, int bits, int precedence)
{
    int own = irl__wide_mask_bits(e, x), converts = own && own != bits;
    const irl__emit_symbol *symbol =
        x->op == IRL_OP_VAR || e->temporaries ? irl__emit_find(e, x) : NULL;
    if (converts)
        irl__emitf(e, "convert_%s%u(", irl__wide_mask_type(bits), (uint64_t)x->type.lanes);
    if (symbol) irl__text_puts(&e->text, symbol->name);
    else irl__wide_mask_as_is(e, x, own ? own : bits, converts ? IRL__PREC_ANY : precedence);
    if (converts) irl__text_putc(&e->text, ')');
}

/* ------------------------------------------------------------------ operators */

/* Does x load private memory that never holds a NaN? */
static int irl__wide_is_number(const irl__emit *e, const irl_expr *x)
{
    const irl__emit_memory *m = x->op == IRL_OP_LOAD
                                    ? irl__emit_memory_of(e->unit, x->u.buffer->data) : NULL;
    return m && m->buffer == x->u.buffer && m->buffer->scope == IRL_SCOPE_LOCAL && !m->may_be_nan;
}

int irl__ocl_minmax(irl__emit *e, const irl_expr *x)
{
    const int       number = irl__wide_is_number(e, x->a[1]), is_max = x->op == IRL_OP_MAX;
    const irl_expr *args[2];
    if ((x->type.scalar != IRL_F32 && x->type.scalar != IRL_F64) ||
        (!number && !irl__wide_is_number(e, x->a[0])))
        return 0;
    args[0] = x->a[number];
    args[1] = x->a[1 - number];
    irl__emit_helper_call(e, is_max ? IRL__OCL_MAX : IRL__OCL_MIN, is_max ? "max" : "min", x->type,
                          2, args);
    return 1;
}

/* erf of lanes on a CPU, whose compiler has it for scalars. 0: it is none such. */
static int irl__wide_erf(irl__emit *e, const irl_expr *x)
{
    if (x->op != IRL_OP_ERF || x->type.scalar != IRL_F32 || e->unit->target->subgroup) return 0;
    irl__emit_helper_call(e, IRL_OP_ERF, "erf", x->type, 1, x->a);
    return 1;
}

/* ------------------------------------------------------------------ absolute values, any lanes */

/* Whether x may be the least number of a type that C does not promote. */
static int irl__wide_may_be_least(irl__emit *e, const irl_expr *x)
{
    int bits = irl__type_info(x->type)->bits;
    if (irl__type_is_index(x->type) || bits < 32) return 0;
    return irl__range_of(e->ranges, x).lo <= (bits == 64 ? INT64_MIN : INT32_MIN);
}

void irl__ocl_abs(irl__emit *e, const irl_expr *x, int precedence)
{
    irl__kind kind = irl__type_info(x->type)->kind;
    if (kind == IRL_KIND_UINT || (kind == IRL_KIND_INDEX && e->width == IRL__WIDTH_UINT))
        irl__emit_operand(e, x->a[0], precedence);
    else if (kind == IRL_KIND_FLOAT) irl__emit_function(e, x);
    else if (irl__wide_may_be_least(e, x->a[0]))
        irl__emit_helper_call(e, IRL__OCL_ABS, "abs", x->type, 1, x->a);
    else { /* abs() of OpenCL C is unsigned */
        int opened = irl__emit_open(e, IRL__PREC_UNARY, precedence);
        irl__emitf(e, x->type.lanes > 1 ? "as_%t(" : "(%t)", x->type);
        irl__emit_call(e, "abs", 1, x->a);
        if (x->type.lanes > 1) irl__text_putc(&e->text, ')');
        irl__emit_close(e, opened);
    }
}

/* ------------------------------------------------------------------ any expression with lanes */

int irl__ocl_vector(irl__emit *e, const irl_expr *x, int precedence)
{
    const irl__kind kind = irl__type_info(x->type)->kind;
    if (x->type.scalar == IRL_BOOL) {
        irl__ocl_mask(e, x, 32, precedence);
        return 1;
    }
    switch (x->op) {
    case IRL_OP_SELECT:
    case IRL_OP_IF_THEN_ELSE: irl__wide_choice(e, x, 0, precedence); return 1;
    case IRL_OP_CAST: {
        if (x->a[0]->type.scalar != IRL_BOOL || irl__emit_is_bits(e->language, x->type)) return 0;
        /* A number made of a mask: -1 is true. */
        const int is_float = irl__type_is_float(x->type);
        const int opened = irl__emit_open(e, IRL__PREC_UNARY, precedence);
        irl__emitf(e, is_float ? "convert_%t(-" : "as_%t(-", x->type);
        irl__ocl_mask(e, x->a[0], is_float ? 32 : irl__wide_bits(e, x->type), IRL__PREC_POSTFIX);
        irl__text_putc(&e->text, ')');
        irl__emit_close(e, opened);
        return 1;
    }
    case IRL_OP_MIN:
    case IRL_OP_MAX: {
        /* The second of fmin may be a scalar; that of min too, but Oclgrind 21 reads past it. */
        const irl_expr *b = irl__type_is_float(x->type) ? irl__emit_scalar_of(x->a[1]) : NULL;
        if (!irl__ocl_minmax(e, x))
            irl__emitf(e, "%s(%x, %x)", irl__emit_function_name(e, x), x->a[0], b ? b : x->a[1]);
        return 1;
    }
    case IRL_OP_ABS: irl__ocl_abs(e, x, precedence); return 1;
    case IRL_OP_ERF: return irl__wide_erf(e, x);
    case IRL_OP_ADD:
    case IRL_OP_SUB:
    case IRL_OP_MUL:
    case IRL_OP_NEG:
    case IRL_OP_SHL:
        /* as_int4(as_uint4(a) + as_uint4(b)) */
        if (kind == IRL_KIND_INT) {
            irl__emitf(e, x->op == IRL_OP_NEG ? "as_%t(-" : "as_%t(", x->type);
            for (uint32_t k = 0; k < x->count; k++) {
                const irl_expr *a = x->a[k];
                if (k) irl__emitf(e, " %s ", irl__op_info((irl_op)x->op)->text);
                irl__emitf(e, "as_%t(%x)", irl_type_of(irl__type_uint(a->type), (int)a->type.lanes),
                           a);
            }
            irl__text_putc(&e->text, ')');
        }
        return kind == IRL_KIND_INT;
    default: return 0;
    }
}
