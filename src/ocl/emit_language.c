/* emit_language.c - what OpenCL C is to the shared printers: its types, and the
   expressions and statements that only it knows.

   needs     the tables types.h and ops.h; the files above, one for each kind of expression
   promises  what it does not print itself, the shared printers do */
#include "ocl.h"

/* --------------------------------------------------- tables, by irl_scalar and by irl__width */

static const char *const irl__ocl_types[] = {
#define IRL_TYPE_ROW(name, text, kind, bits, bytes, ocl, c) ocl,
#include "../ir/types.h"
};
static const char *const irl__ocl_index_types[] = { "uint", "int", "long" };
static const char *const irl__ocl_index_suffixes[] = { "u", "", "L" };

static const char *const irl__ocl_spaces[] = {
#define IRL_SCOPE_ROW(name, text, ocl, image) ocl,
#include "../ir/scopes.h"
};

/* ------------------------------------------------------------------ names */

static void irl__ocl_special(irl__emit *e, irl_type type, double value)
{
    int is_double = type.scalar == IRL_F64, is_half = type.scalar == IRL_F16;
    irl__textf(&e->text, "as_%s(%s0x", e->language->types[type.scalar], is_half ? "(ushort)" : "");
    irl__emit_hex(&e->text, irl__emit_float_bits(type, value), is_double ? 16 : is_half ? 4 : 8);
    irl__text_puts(&e->text, is_double ? "ul)" : is_half ? ")" : "u)");
}

/* ------------------------------------------------------------------ lanes and bits */

static void irl__ocl_as(irl__emit *e, irl_type to, irl_type from)
{
    (void)from;
    irl__emitf(e, "as_%t(", to);
}

/* ------------------------------------------------------ expressions that only OpenCL C knows */

/* 1: printed here */
static int irl__ocl_expr(irl__emit *e, const irl_expr *x, int precedence)
{
    if (x->type.lanes > 1) return irl__emit_vector(e, x, precedence);
    switch (x->op) {
    case IRL_OP_LANE: irl__emit_lane(e, x, precedence); return 1;
    case IRL_OP_CALL_INTRINSIC: irl__emit_texel(e, x); return 1;
    case IRL_OP_ABS: irl__ocl_abs(e, x, precedence); return 1;
    case IRL_OP_MIN:
    case IRL_OP_MAX: return irl__ocl_minmax(e, x) || irl__emit_scalar(e, x, precedence);
    default: return irl__emit_scalar(e, x, precedence);
    }
}

/* ------------------------------------------------------- statements that only OpenCL C knows */

static void irl__ocl_item(irl__emit *e, irl_axis axis, irl__width width)
{
    static const char *const functions[] = { "get_group_id", "get_local_id", "get_global_id" };
    irl__textf(&e->text, "(%s)%s(%d)", e->language->index_types[width], functions[(int)axis / 3],
               (int)axis % 3);
}

static int irl__ocl_stmt(irl__emit *e, const irl_stmt *s)
{
    switch ((irl__stmt_kind)s->kind) {
    case IRL__BARRIER:
        irl__emit_line(e);
        irl__textf(&e->text, "barrier(%s);\n",
                   s->u.barrier.scope == IRL_SCOPE_SHARED ? "CLK_LOCAL_MEM_FENCE"
                                                          : "CLK_GLOBAL_MEM_FENCE");
        return 1;
    case IRL__FOR:
        if (s->u.loop.kind != IRL_BOUND) return 0;
        if (irl__emit_item(e, s)) irl__emit_stmt(e, s->u.loop.body);
        return 1;
    default: return 0;
    }
}

/* ------------------------------------------------------------------ the language */

static const irl__emit_language irl__ocl_language_row = {
    "OpenCL C",
    irl__ocl_types,
    irl__ocl_index_types,
    irl__ocl_index_suffixes,
    "L",
    { "uint", "ulong" },
    { "u", "ul" },
    irl__ocl_spaces,
    NULL,   /* words */
    "half",
    0,      /* halves */
    1,      /* pointer_casts */
    0,      /* promotes */
    0,      /* exact_types */
    0,      /* call_casts */
    1,      /* divides_signed */
    1,      /* widens */
    "",     /* double_suffix */
    NULL,   /* vectors */
    NULL,   /* index_vectors */
    "int",  /* mask */
    ".s",   /* swizzle */
    "0123456789abcdef", /* lanes */
    "convert_%t(",
    NULL,   /* precise */
    0,      /* narrow_indices */
    IRL_BOOL, /* index_scalar */
    NULL,     /* index_form */
    0,      /* states_formats */
    1,      /* rounds_texels */
    1,      /* unrolls */
    NULL,   /* parallel */
    " __attribute__((aligned(%u)))",
    NULL,   /* place */
    irl__words_of_opencl,
    NULL,   /* float_suffix */
    irl__ocl_expr,
    irl__ocl_special,
    irl__ocl_stmt,
    irl__ocl_item,
    irl__ocl_vector,
    NULL, /* vector_type */
    irl__ocl_as,
    irl__ocl_helper,
    irl__ocl_load_run,
    irl__ocl_store_run,
    irl__ocl_texel,
    irl__ocl_load_half,
    irl__ocl_store_half,
    NULL, /* name_operands */
};

const irl__emit_language *irl__ocl_language(void) { return &irl__ocl_language_row; }

void irl__ocl_with_halves(irl__ocl_halves *own)
{
    memcpy(own->types, irl__ocl_types, sizeof own->types);
    own->types[IRL_F16] = "half";
    own->language = irl__ocl_language_row;
    own->language.types = own->types;
    own->language.half = NULL;
    own->language.halves = 1;
}
