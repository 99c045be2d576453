/* glsl_vector.c - vectors in GLSL: operators lane by lane, comparisons by functions, swizzles.

   needs     glsl_type.c, glsl_helper.c; vectors in forms that the target has, of up to four lanes
   promises  a vector of bools is a bvec; integers wrap, as GLSL's do */
#include "glsl.h"

/* ------------------------------------------------------------------ functions */

/* f(a, b) in ints, for what is narrower. */
static void irl__glsl_through_ints(irl__emit *e, const char *name, const irl_expr *x)
{
    irl_type wide = irl_type_of(IRL_I32, (int)x->type.lanes);
    irl__emitf(e, "%t(%s(", x->type, name);
    for (uint32_t k = 0; k < x->count; k++) irl__emitf(e, k ? ", %t(%x)" : "%t(%x)", wide, x->a[k]);
    irl__text_puts(&e->text, "))");
}

void irl__glsl_function(irl__emit *e, const irl_expr *x)
{
    const irl__function_row *row = irl__emit_function_row(e, x);
    const int                is_least = x->op == IRL_OP_MIN || x->op == IRL_OP_MAX;
    if (x->op == IRL_OP_ABS && (irl__type_info(x->type)->kind == IRL_KIND_UINT ||
                                (irl__type_is_index(x->type) && e->width == IRL__WIDTH_UINT))) {
        irl__emit_operand(e, x->a[0], IRL__PREC_POSTFIX);
        return;
    }
    if ((is_least && irl__glsl_is_computed(x->type)) ||
        (x->type.scalar == IRL_F32 && (x->op == IRL_OP_POW || x->op >= IRL__OP_HIDEABLE) &&
         irl__glsl_has_helper(x->op, x->type)))
        irl__glsl_call(e, x->op, x);
    else if (!row)
        irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, e->cx->here, "GLSL has no %s of %s",
                  irl__op_info((irl_op)x->op)->name, irl__type_cstr(e->cx, x->type));
    else if (irl__glsl_is_narrow(x->type)) irl__glsl_through_ints(e, row->name, x);
    else irl__emit_function(e, x);
}

/* ------------------------------------------------------------------ bools */

static const char *irl__glsl_comparison(irl_op op)
{
    switch (op) {
    case IRL_OP_EQ: return "equal(";
    case IRL_OP_NE: return "notEqual(";
    case IRL_OP_LT: return "lessThan(";
    case IRL_OP_LE: return "lessThanEqual(";
    case IRL_OP_GT: return "greaterThan(";
    default: return "greaterThanEqual(";
    }
}

static void irl__glsl_compare(irl__emit *e, const irl_expr *x)
{
    const char      *name = irl__glsl_comparison((irl_op)x->op);
    const irl__width outer = e->width;
    const irl_type   bits = irl_type_of(IRL_U32, (int)x->a[0]->type.lanes);
    if (x->a[0]->type.scalar == IRL_BOOL && x->op != IRL_OP_EQ && x->op != IRL_OP_NE) {
        irl__emitf(e, "%s%t(%x), %t(%x))", name, bits, x->a[0], bits, x->a[1]);
        return;
    }
    if (irl__type_is_index(x->a[0]->type)) e->width = irl__emit_width(e, x->a[0], x->a[1]);
    irl__emitf(e, "%s%x, %x)", name, x->a[0], x->a[1]);
    e->width = outer;
}

/* bvec4(uvec4(a) & uvec4(b)): what GLSL has of integers alone. */
static void irl__glsl_of_bits(irl__emit *e, const irl_expr *x, const char *text)
{
    irl_type bits = irl_type_of(IRL_U32, (int)x->type.lanes);
    irl__emitf(e, "%t(%t(%x) %s %t(%x))", x->type, bits, x->a[0], text, bits, x->a[1]);
}

/* 1: printed */
static int irl__glsl_bools(irl__emit *e, const irl_expr *x)
{
    const irl_expr *a = x->count ? x->a[0] : NULL;
    switch (x->op) {
    case IRL_OP_AND:
    case IRL_OP_BITAND: irl__glsl_of_bits(e, x, "&"); return 1;
    case IRL_OP_OR:
    case IRL_OP_BITOR: irl__glsl_of_bits(e, x, "|"); return 1;
    case IRL_OP_BITXOR: irl__emit_call(e, "notEqual", 2, x->a); return 1;
    case IRL_OP_NOT: irl__emit_call(e, "not", 1, x->a); return 1;
    case IRL_OP_LOAD:
        irl__emitf(e, "%t(", x->type);
        irl__emit_load_held(e, x);
        irl__text_putc(&e->text, ')');
        return 1;
    case IRL_OP_CAST:
        if (!irl__type_is_storage(a->type)) return 0;
        irl__emitf(e, "%t(%x)", x->type,
                   irl_expr_cast(e->cx, irl_type_of(IRL_F32, (int)a->type.lanes), a));
        return 1;
    default:
        if (irl__op_info((irl_op)x->op)->rule != IRL__COMPARE) return 0;
        irl__glsl_compare(e, x);
        return 1;
    }
}

/* ------------------------------------------------------------------ vectors */

int irl__glsl_vector(irl__emit *e, const irl_expr *x, int precedence)
{
    if (x->type.scalar == IRL_BOOL && irl__glsl_bools(e, x)) return 1;
    switch (x->op) {
    case IRL_OP_SELECT:
    case IRL_OP_IF_THEN_ELSE:
        if (x->a[0]->type.lanes == 1) return 0;
        irl__emitf(e, "mix(%x, %x, %x)", x->a[2], x->a[1], x->a[0]);
        return 1;
    case IRL_OP_CAST:
        if (!irl__type_is_storage(x->type) && !irl__type_is_storage(x->a[0]->type)) return 0;
        irl__emit_storage_cast(e, x, precedence);
        return 1;
    case IRL_OP_CALL_EXTERN: irl__glsl_refuse(e, "the function ", x->u.name); return 1;
    case IRL_OP_REINTERPRET: irl__glsl_reinterpret(e, x); return 1;
    case IRL_OP_BROADCAST:
    case IRL_OP_SHUFFLE:
    case IRL_OP_LOAD:
    case IRL_OP_LET:
    case IRL_OP_UNDEF:
    case IRL_OP_TRUNCDIV:
    case IRL_OP_TRUNCMOD: return 0;
    default:
        if (irl__op_info((irl_op)x->op)->form != IRL_FORM_CALL) return 0;
        irl__glsl_function(e, x);
        return 1;
    }
}
