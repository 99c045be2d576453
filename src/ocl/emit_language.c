/* emit_language.c - the row of OpenCL C for the shared printers: its types, and the expressions and
   statements that only OpenCL C has.

   needs     the tables types.h and ops.h; the files above, one for each kind of expression
   promises  what it does not print itself, the shared printers do */
#include "ocl.h"

/* --------------------------------------------------- tables, by irl_scalar and by irl__width */

static const char *const irl__ocl_types[] = {
#define IRL_TYPE_ROW(name, text, kind, bits, bytes, ocl, ...) ocl,
#include "../ir/types.h"
};
static const char *const irl__ocl_index_types[] = { "uint", "int", "long" };
static const char *const irl__ocl_index_suffixes[] = { "u", "", "L" };

#define IRL__OCL_ITEM(name) name "(0)", name "(1)", name "(2)"
static const char *const irl__ocl_items[] = { IRL__OCL_ITEM("get_group_id"),
                                              IRL__OCL_ITEM("get_local_id"),
                                              IRL__OCL_ITEM("get_global_id") };

enum { IRL__OCL_FLOATS = 1 << IRL_F16 | 1 << IRL_BF16 | 1 << IRL_F32 | 1 << IRL_F64 };
static const irl__function_row irl__ocl_functions[] = {
    { IRL_OP_MIN, IRL__OCL_FLOATS, "fmin" },
    { IRL_OP_MAX, IRL__OCL_FLOATS, "fmax" },
    { IRL_OP_ABS, IRL__OCL_FLOATS, "fabs" },
    { IRL_OP_INT, 0, NULL }
};

static const char *const irl__ocl_spaces[] = {
#define IRL_SCOPE_ROW(name, text, ocl, image) ocl,
#include "../ir/scopes.h"
};

/* ------------------------------------------------------ expressions that only OpenCL C knows */

/* 1: printed here */
static int irl__ocl_expr(irl__emit *e, const irl_expr *x, int precedence)
{
    if (x->type.lanes > 1) return irl__emit_vector(e, x, precedence);
    switch (x->op) {
    case IRL_OP_ABS: irl__ocl_abs(e, x, precedence); return 1;
    case IRL_OP_MIN:
    case IRL_OP_MAX: return irl__ocl_minmax(e, x) || irl__emit_scalar(e, x, precedence);
    default: return irl__emit_scalar(e, x, precedence);
    }
}

/* ------------------------------------------------------------------ the language */

void irl__ocl_language(irl__emit_language *l)
{
    memset(l, 0, sizeof *l);
    l->name = "OpenCL C";
    l->title = "OpenCL C 1.2";
    l->heads[0] = "#pragma OPENCL FP_CONTRACT OFF\n";
    l->heads[1] = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
    l->heads[2] = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
    l->heads[3] = "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n";
    l->external = "extern ";
    l->kernel = "__kernel ";
    l->group = "__attribute__((reqd_work_group_size(%l, %l, %l)))\n";
    l->restricted = "restrict ";
    l->types = irl__ocl_types;
    l->index_types = irl__ocl_index_types;
    l->index_suffixes = irl__ocl_index_suffixes;
    l->long_suffix = "L";
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
    l->items = irl__ocl_items;
    l->item_type = "size_t";
    l->barriers[0] = "\tbarrier(CLK_LOCAL_MEM_FENCE);\n";
    l->barriers[1] = "\tbarrier(CLK_GLOBAL_MEM_FENCE);\n";
    l->as_format = "as_%t(";
    l->aligned = " __attribute__((aligned(%u)))";
    l->tongue = irl__words_of_opencl;
    l->functions = irl__ocl_functions;
    l->expr = irl__ocl_expr;
    l->vector = irl__ocl_vector;
    l->helper = irl__ocl_helper;
    l->load_run = irl__ocl_load_run;
    l->store_run = irl__ocl_store_run;
    l->texel = irl__ocl_texel;
    l->load_half = irl__ocl_load_half;
    l->store_half = irl__ocl_store_half;
}

void irl__ocl_with_halves(irl__emit_language *l, const char **types)
{
    memcpy(types, l->types, sizeof irl__ocl_types);
    types[IRL_F16] = "half";
    l->types = types;
    l->half = NULL;
    l->halves = 1;
}
