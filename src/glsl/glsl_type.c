/* glsl_type.c - the names of types in GLSL, and the bits of a value as another type.

   needs     the language's tables
   promises  f16, bf16 and normalised numbers are kept as the integers of their bits. Types of 8 and
             16 bits are those of GL_EXT_shader_explicit_arithmetic_types */
#include "glsl.h"

/* ------------------------------------------------------------------ names */

void irl__glsl_refuse(irl__emit *e, const char *what, const char *name)
{
    irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, e->cx->here, "%s%s has no form in GLSL", what, name);
}

int irl__glsl_is_computed(irl_type type)
{
    return !type.is_pointer && (type.scalar == IRL_F32 || type.scalar == IRL_F64);
}

int irl__glsl_is_narrow(irl_type type)
{
    return irl__type_is_integer(type) && !irl__type_is_index(type) &&
           irl__type_info(type)->bits < 32;
}

/* ------------------------------------------------------------------ bits */

static int irl__glsl_is_single(irl_type t) { return t.scalar == IRL_F32; }
static int irl__glsl_is_signed(irl_type t) { return irl__type_info(t)->kind == IRL_KIND_INT; }

/* Integers of one size keep their bits in a constructor. */
void irl__glsl_as(irl__emit *e, irl_type to, irl_type from)
{
    if (irl__glsl_is_single(to) == irl__glsl_is_single(from)) irl__emit_type(e, to);
    else if (irl__glsl_is_single(to))
        irl__text_puts(&e->text, irl__glsl_is_signed(from) ? "intBitsToFloat" : "uintBitsToFloat");
    else irl__text_puts(&e->text, irl__glsl_is_signed(to) ? "floatBitsToInt" : "floatBitsToUint");
    irl__text_putc(&e->text, '(');
}

/* One value as a uint: of 32 bits, four times 8, or twice 16. Counts the brackets to close; -1: it
   has no such form. */
static int irl__glsl_as_uint(irl__emit *e, irl_type from)
{
    irl_type bits = irl_type_of(irl__type_info(from)->bits == 8 ? IRL_U8 : IRL_U16,
                                (int)from.lanes);
    if (from.lanes == 1) {
        irl__glsl_as(e, irl_type_of(IRL_U32, 1), from);
        return 1;
    }
    irl__emitf(e, "pack32(%t(", bits);
    return 2;
}

static int irl__glsl_from_uint(irl__emit *e, irl_type to)
{
    if (to.lanes == 1) {
        irl__glsl_as(e, to, irl_type_of(IRL_U32, 1));
        return 1;
    }
    irl__emitf(e, to.lanes == 4 ? "%t(unpack8(" : "%t(unpack16(", to);
    return 2;
}

void irl__glsl_reinterpret(irl__emit *e, const irl_expr *x)
{
    const irl_expr *a = x->a[0];
    int             is_same = x->type.lanes == a->type.lanes, brackets;
    if (x->type.scalar == IRL_F64 || a->type.scalar == IRL_F64 || x->type.scalar == IRL_BOOL ||
        a->type.scalar == IRL_BOOL) {
        if (irl_type_equal(x->type, a->type)) irl__emit_reinterpret(e, x);
        else irl__glsl_refuse(e, "as() of ", irl__type_cstr(e->cx, a->type));
        return;
    }
    if (is_same) {
        irl__emit_reinterpret(e, x);
        return;
    }
    if (irl__type_bytes(x->type) != 4 || x->type.lanes == 3 || a->type.lanes == 3) {
        irl__glsl_refuse(e, "as() to a type with another number of lanes, or not of 32 bits, ",
                         irl__type_cstr(e->cx, x->type));
        return;
    }
    brackets = irl__glsl_from_uint(e, x->type);
    brackets += irl__glsl_as_uint(e, a->type);
    irl__emit_argument(e, a);
    while (brackets-- > 0) irl__text_putc(&e->text, ')');
}
