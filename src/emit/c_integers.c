/* c_integers.c - C that computes only integers and bools, as in the code of a layout.

   needs     emit_helper.c
   promises  no floats, no vectors, no memory: c_language.c adds them */
#include "c.h"

/* --------------------------------------------------- tables, by irl_scalar and by irl__width */

static const char *const irl__c_types[] = {
#define IRL_TYPE_ROW(name, text, kind, bits, bytes, ocl, c, ...) c,
#include "../ir/types.h"
};
static const char *const irl__c_index_types[] = { "uint32_t", "int32_t", "int64_t" };
static const char *const irl__c_index_suffixes[] = { "u", "", "" };
/* by irl_scope; what is constant is never written */
static const char *const irl__c_spaces[] = { "", "", "", "const ", "", "", "", "" };
static const char *const irl__c_text_words[] = {
    "char",     "int8_t",         "short",   "int16_t",        "int",   "int32_t",
    "long",     "int64_t",        "uchar",   "uint8_t",        "ushort", "uint16_t",
    "uint",     "uint32_t",       "ulong",   "uint64_t",
    "as_float", "irl_u32_as_f32", "as_uint", "irl_f32_as_u32", NULL
};

/* ------------------------------------------------------------------ expressions */

void irl__c_call(irl__emit *e, int kind, const char *name, const irl_expr *x)
{
    irl__emit_helper_call(e, kind, name, irl__emit_computed(e, x->type), x->count, x->a);
}

/* (uint16_t)(int32_t)x of an int8_t: tcc 0.9.27 takes (uint16_t)x for a number below 0. */
static void irl__c_widened(irl__emit *e, const irl_expr *x, int precedence)
{
    int opened = irl__emit_cast(e, irl__c_types[IRL_U16], &precedence);
    irl__emitf(e, "(%s)%p", irl__c_types[IRL_I32], precedence, x->a[0]);
    irl__emit_close(e, opened);
}

int irl__c_integer(irl__emit *e, const irl_expr *x, int precedence)
{
    switch (x->op) {
    case IRL_OP_CAST:
        if (x->type.scalar != IRL_U16 || x->a[0]->type.scalar != IRL_I8) return 0;
        irl__c_widened(e, x, precedence);
        return 1;
    case IRL_OP_MIN: irl__c_call(e, IRL_OP_MIN, "min", x); return 1;
    case IRL_OP_MAX: irl__c_call(e, IRL_OP_MAX, "max", x); return 1;
    case IRL_OP_ABS:
        if (irl__type_info(irl__emit_computed(e, x->type))->kind == IRL_KIND_UINT)
            irl__emit_operand(e, x->a[0], precedence);
        else irl__c_call(e, IRL_OP_ABS, "abs", x);
        return 1;
    default: return 0;
    }
}

/* ------------------------------------------------------------------ helpers */

static const irl__helper_row irl__c_integer_rows[] = {
    /* with casts: what is narrower than int was promoted */
    { IRL_OP_TRUNCDIV, 0, 0,
      "static $ irl_truncdiv_$($ a, $ b)\n{\n    return b == -1 ? ($)(0u - (#)a) : ($)(a / b);\n"
      "}\n\n" },
    { IRL_OP_FLOORDIV, 0, 0,
      "static $ irl_floordiv_$($ a, $ b)\n{\n    if (b == -1) return ($)(0u - (#)a);\n"
      "    return ($)(a / b - (a % b != 0 && (a < 0) != (b < 0)));\n}\n\n" },
    { IRL_OP_FLOORMOD, 0, 0,
      "static $ irl_floormod_$($ a, $ b)\n{\n    const $ r = ($)(b == -1 ? 0 : a % b);\n"
      "    return ($)(r != 0 && (r < 0) != (b < 0) ? r + b : r);\n}\n\n" },
    { IRL_OP_MIN, 0, 0, "static $ irl_min_$($ a, $ b)\n{\n    return a < b ? a : b;\n}\n\n" },
    { IRL_OP_MAX, 0, 0, "static $ irl_max_$($ a, $ b)\n{\n    return a > b ? a : b;\n}\n\n" },
    { IRL_OP_ABS, 0, 0,
      "/* of the least number, that number */\n"
      "static $ irl_abs_$($ x)\n{\n    return x < 0 ? ($)(0u - (#)x) : x;\n}\n\n" },
    { 0, 0, 0, NULL }
};

int irl__c_integer_helper(irl__emit *e, irl__text *t, irl__emit_helper helper)
{
    return irl__emit_helper_row(e, t, irl__c_integer_rows, helper);
}

/* ------------------------------------------------------------------ the language */

void irl__c_integers(irl__emit_language *l)
{
    memset(l, 0, sizeof *l);
    l->name = "C";
    l->types = irl__c_types;
    l->index_types = irl__c_index_types;
    l->index_suffixes = irl__c_index_suffixes;
    l->long_suffix = "ll";
    l->unsigned_suffixes[0] = "u";
    l->unsigned_suffixes[1] = "ull";
    l->external = "extern ";
    l->spaces = irl__c_spaces;
    l->words = irl__c_text_words;
    l->promotes = 1;
    l->divides_signed = 1;
    l->double_suffix = "";
    l->index_scalar = IRL_BOOL;
    l->tongue = irl__words_of_c;
    l->float_suffix = "f";
    l->expr = irl__c_integer;
    l->helper = irl__c_integer_helper;
}
