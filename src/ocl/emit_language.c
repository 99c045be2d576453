/* emit_language.c - the row of OpenCL C for the shared printers: its types, and the expressions and
   statements that only OpenCL C has.

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

void irl__ocl_language(irl__emit_language *l)
{
    memset(l, 0, sizeof *l);
    l->name = "OpenCL C";
    l->types = irl__ocl_types;
    l->index_types = irl__ocl_index_types;
    l->index_suffixes = irl__ocl_index_suffixes;
    l->long_suffix = "L";
    l->unsigned_types[0] = "uint";
    l->unsigned_types[1] = "ulong";
    l->unsigned_suffixes[0] = "u";
    l->unsigned_suffixes[1] = "ul";
    l->spaces = irl__ocl_spaces;
    l->half = "half";
    l->pointer_casts = 1;
    l->divides_signed = 1;
    l->widens = 1;
    l->double_suffix = "";
    l->mask = "int";
    l->swizzle = ".s";
    l->lanes = "0123456789abcdef";
    l->convert = "convert_%t(";
    l->index_scalar = IRL_BOOL;
    l->rounds_texels = 1;
    l->unrolls = 1;
    l->aligned = " __attribute__((aligned(%u)))";
    l->tongue = irl__words_of_opencl;
    l->expr = irl__ocl_expr;
    l->special = irl__ocl_special;
    l->stmt = irl__ocl_stmt;
    l->item = irl__ocl_item;
    l->vector = irl__ocl_vector;
    l->as = irl__ocl_as;
    l->helper = irl__ocl_helper;
    l->load_run = irl__ocl_load_run;
    l->store_run = irl__ocl_store_run;
    l->texel = irl__ocl_texel;
    l->load_half = irl__ocl_load_half;
    l->store_half = irl__ocl_store_half;
}

void irl__ocl_with_halves(irl__emit_language *l, const char **types)
{
    memcpy(types, irl__ocl_types, sizeof irl__ocl_types);
    types[IRL_F16] = "half";
    l->types = types;
    l->half = NULL;
    l->halves = 1;
}
