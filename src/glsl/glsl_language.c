/* glsl_language.c - the row of GLSL for the shared printers: its types, and the expressions and
   statements that only GLSL has.

   needs     the table scopes.h; the files above, one for each kind of expression
   promises  what it does not print itself, the shared printers do. Floats are not contracted: a
             stored value is precise by the declaration of its memory, and a value that decides
             something (a comparison, an integer made of a float) is computed by functions whose
             results are */
#include "glsl.h"

static const char *const irl__glsl_types[] = {
#define IRL_TYPE_ROW(name, text, kind, bits, bytes, ocl, c, glsl, glsl_vector) glsl,
#include "../ir/types.h"
};
static const char *const irl__glsl_vectors[] = {
#define IRL_TYPE_ROW(name, text, kind, bits, bytes, ocl, c, glsl, glsl_vector) glsl_vector,
#include "../ir/types.h"
};

static const char *const irl__glsl_index_types[] = { "uint", "int", "int" };
static const char *const irl__glsl_index_vectors[] = { "uvec", "ivec", "ivec" };
static const char *const irl__glsl_index_suffixes[] = { "u", "", "" };

static const char *const irl__glsl_spaces[] = { /* by irl_scope: of arrays in a kernel */
    "", "shared ", "", "", "", "", "", ""
};

#define IRL__GLSL_ITEM(name) name ".x", name ".y", name ".z"
static const char *const irl__glsl_items[] = { IRL__GLSL_ITEM("gl_WorkGroupID"),
                                               IRL__GLSL_ITEM("gl_LocalInvocationID"),
                                               IRL__GLSL_ITEM("gl_GlobalInvocationID") };

static const char *const irl__glsl_text_words[] = { "static", "", NULL };

/* GLSL has no others; of f64 few. */
#define IRL__GLSL_ANY (~0u)
#define IRL__GLSL_SINGLE (~(1u << IRL_F64))
static const irl__function_row irl__glsl_functions[] = {
    { IRL_OP_EXP, IRL__GLSL_SINGLE, "exp" },
    { IRL_OP_EXP2, IRL__GLSL_SINGLE, "exp2" },
    { IRL_OP_LOG, IRL__GLSL_SINGLE, "log" },
    { IRL_OP_LOG2, IRL__GLSL_SINGLE, "log2" },
    { IRL_OP_SQRT, IRL__GLSL_ANY, "sqrt" },
    { IRL_OP_RSQRT, IRL__GLSL_ANY, "inversesqrt" },
    { IRL_OP_SIN, IRL__GLSL_SINGLE, "sin" },
    { IRL_OP_COS, IRL__GLSL_SINGLE, "cos" },
    { IRL_OP_TAN, IRL__GLSL_SINGLE, "tan" },
    { IRL_OP_TANH, IRL__GLSL_SINGLE, "tanh" },
    { IRL_OP_FMA, IRL__GLSL_ANY, "fma" },
    { IRL_OP_FLOOR, IRL__GLSL_ANY, "floor" },
    { IRL_OP_CEIL, IRL__GLSL_ANY, "ceil" },
    { IRL_OP_TRUNC, IRL__GLSL_ANY, "trunc" },
    { IRL_OP_RINT, IRL__GLSL_ANY, "roundEven" },
    { IRL_OP_ABS, IRL__GLSL_ANY, "abs" },
    { IRL_OP_MIN, IRL__GLSL_ANY, "min" },
    { IRL_OP_MAX, IRL__GLSL_ANY, "max" },
    { IRL_OP_ACOS, IRL__GLSL_SINGLE, "acos" },
    { IRL_OP_ACOSH, IRL__GLSL_SINGLE, "acosh" },
    { IRL_OP_ASIN, IRL__GLSL_SINGLE, "asin" },
    { IRL_OP_ASINH, IRL__GLSL_SINGLE, "asinh" },
    { IRL_OP_ATAN, IRL__GLSL_SINGLE, "atan" },
    { IRL_OP_ATANH, IRL__GLSL_SINGLE, "atanh" },
    { IRL_OP_ATAN2, IRL__GLSL_SINGLE, "atan" },
    { IRL_OP_COSH, IRL__GLSL_SINGLE, "cosh" },
    { IRL_OP_SINH, IRL__GLSL_SINGLE, "sinh" },
    { IRL_OP_INT, 0, NULL }
};
#undef IRL__GLSL_ANY
#undef IRL__GLSL_SINGLE

/* ------------------------------------------------------------------ constants */

static int irl__glsl_special(irl__emit *e, irl_type type, double value)
{
    const uint64_t bits = irl__emit_float_bits(type, value);
    if (type.scalar != IRL_F64) return 0;
    irl__text_puts(&e->text, "packDouble2x32(uvec2(0x");
    irl__emit_hex(&e->text, bits & UINT32_MAX, 8);
    irl__text_puts(&e->text, "u, 0x");
    irl__emit_hex(&e->text, bits >> 32, 8);
    irl__text_puts(&e->text, "u))");
    return 1;
}

/* 1: a constant that is no literal of its own type. */
static int irl__glsl_constant(irl__emit *e, const irl_expr *x)
{
    if (x->op == IRL_OP_INT && x->type.scalar == IRL_BOOL) {
        irl__text_puts(&e->text, x->u.i ? "true" : "false");
        return 1;
    }
    if (x->op == IRL_OP_INT && irl__glsl_is_narrow(x->type)) {
        irl__textf(&e->text, "%s(%l)", irl__glsl_types[x->type.scalar], x->u.i);
        return 1;
    }
    if (x->op != IRL_OP_FLOAT || !irl__type_is_storage(x->type)) return 0;
    irl__textf(&e->text, "%s(", irl__glsl_types[x->type.scalar]);
    irl__emit_bits_constant(e, x);
    irl__text_putc(&e->text, ')');
    return 1;
}

/* ------------------------------------------------------------------ expressions */

/* Bools are no bits: and, or, exclusive or, and which is less. */
static int irl__glsl_bool_operator(irl__emit *e, const irl_expr *x, int precedence)
{
    const char *text = x->op == IRL_OP_BITAND   ? "&&"
                       : x->op == IRL_OP_BITOR  ? "||"
                       : x->op == IRL_OP_BITXOR ? "!="
                                                : NULL;
    int opened;
    if (text && x->type.scalar == IRL_BOOL) {
        opened = irl__emit_open(e, IRL__PREC_OR, precedence);
        irl__emitf(e, "%p %s %p", IRL__PREC_UNARY, x->a[0], text, IRL__PREC_UNARY, x->a[1]);
        irl__emit_close(e, opened);
        return 1;
    }
    if (irl__op_info((irl_op)x->op)->rule != IRL__COMPARE || x->a[0]->type.scalar != IRL_BOOL ||
        x->op == IRL_OP_EQ || x->op == IRL_OP_NE)
        return 0;
    opened = irl__emit_open(e, IRL__PREC_LESS, precedence);
    irl__emit_call(e, "uint", 1, &x->a[0]);
    irl__textf(&e->text, " %s ", irl__op_info((irl_op)x->op)->text);
    irl__emit_call(e, "uint", 1, &x->a[1]);
    irl__emit_close(e, opened);
    return 1;
}

/* Whether what x is made of is no part of a value that is stored. */
static int irl__glsl_decides(const irl_expr *x)
{
    if (x->count == 0 || !irl__glsl_is_computed(x->a[0]->type)) return 0;
    return irl__op_info((irl_op)x->op)->rule == IRL__COMPARE ||
           (irl__op_info((irl_op)x->op)->form == IRL_FORM_CALL && x->op != IRL_OP_LANE) ||
           ((x->op == IRL_OP_CAST || x->op == IRL_OP_REINTERPRET) &&
            !irl_type_equal(x->type, x->a[0]->type));
}

static int irl__glsl_scalar(irl__emit *e, const irl_expr *x, int precedence)
{
    if (irl__glsl_constant(e, x) || irl__glsl_bool_operator(e, x, precedence)) return 1;
    switch (x->op) {
    case IRL_OP_CALL_EXTERN: irl__glsl_refuse(e, "the function ", x->u.name); return 1;
    case IRL_OP_REINTERPRET: irl__glsl_reinterpret(e, x); return 1;
    case IRL_OP_LANE:
    case IRL_OP_CAST: return irl__emit_scalar(e, x, precedence);
    case IRL_OP_TRUNCDIV:
    case IRL_OP_TRUNCMOD:
    case IRL_OP_SELECT:
    case IRL_OP_IF_THEN_ELSE: return 0;
    default:
        if (irl__op_info((irl_op)x->op)->form != IRL_FORM_CALL)
            return irl__emit_scalar(e, x, precedence);
        irl__glsl_function(e, x);
        return 1;
    }
}

/* The parts of what decides are computed exactly by themselves. */
static int irl__glsl_expr(irl__emit *e, const irl_expr *x, int precedence)
{
    irl__glsl_shader *s = irl__glsl_of(e);
    int               decides = irl__glsl_decides(x), printed;
    if (s->left == x) { /* to the shared printer */
        s->left = NULL;
        return 0;
    }
    if (s->exact && irl__glsl_is_computed(x->type) &&
        (x->op == IRL_OP_ADD || x->op == IRL_OP_SUB || x->op == IRL_OP_MUL ||
         x->op == IRL_OP_DIV)) {
        irl__glsl_call(e, x->op, x);
        return 1;
    }
    s->exact += decides;
    printed = x->type.lanes > 1 ? irl__emit_vector(e, x, precedence)
                                : irl__glsl_scalar(e, x, precedence);
    if (!printed && decides) {
        s->left = x;
        irl__emit_operator(e, x, precedence);
        printed = 1;
    }
    s->exact -= decides;
    return printed;
}

/* ------------------------------------------------------------------ statements */

/* An index that is made of a float, which decides where something lies. */
static int irl__glsl_is_made_index(const irl_expr *x, const void *user)
{
    (void)user;
    return x->op == IRL_OP_CAST && irl__type_is_index(x->type) &&
           irl__glsl_is_computed(x->a[0]->type);
}

/* Groups are of one size: there may be more items along a global axis than iterations. */
static int irl__glsl_has_guard(irl__emit *e, const irl_stmt *s)
{
    const irl_expr *extent = s->u.loop.extent;
    if (s->u.loop.axis < IRL_GLOBAL_X) return 0;
    int size = irl__glsl_of(e)->kernel->local[(int)s->u.loop.axis % 3];
    return extent->op != IRL_OP_INT || extent->u.i % size != 0;
}

static void irl__glsl_bound_body(irl__emit *e, const irl_stmt *s)
{
    if (!irl__glsl_has_guard(e, s)) {
        irl__emit_stmt(e, s->u.loop.body);
        return;
    }
    irl__width width = irl__emit_width(e, s->u.loop.extent, NULL);
    irl__emitf(e, "\tif (");
    irl__emit_item(e, s->u.loop.axis, width);
    irl__text_puts(&e->text, " < ");
    irl__emit_index(e, s->u.loop.extent, width, IRL__PREC_SUM);
    irl__text_puts(&e->text, ") {\n");
    irl__glsl_of(e)->guards++;
    irl__emit_block(e, s->u.loop.body);
    irl__glsl_of(e)->guards--;
    irl__emitf(e, "\t}\n");
}

/* 1: refused */
static int irl__glsl_barrier(irl__emit *e, const irl_stmt *s)
{
    if (!irl__glsl_of(e)->guards) return 0;
    irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, s->loc,
              "a barrier is in a loop bound to global whose extent is not a multiple of its "
              "group, so not all work-items of a group would reach it; bind group and local");
    return 1;
}

static int irl__glsl_stmt(irl__emit *e, const irl_stmt *s)
{
    int *exact = &irl__glsl_of(e)->exact, outer = *exact;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__STORE:
    case IRL__LET:
        /* What memory or a variable takes is precise by its declaration. */
        *exact = !irl__glsl_is_computed(s->kind == IRL__LET ? s->u.let.var->type
                                                            : s->u.store.buffer->type) ||
                 irl__stmt_any(s, NULL, irl__glsl_is_made_index, NULL);
        if (s->kind == IRL__LET) irl__emit_let(e, s);
        else irl__emit_store(e, s);
        *exact = outer;
        return 1;
    case IRL__BARRIER: return irl__glsl_barrier(e, s);
    case IRL__FOR:
        if (s->u.loop.kind != IRL_BOUND) return 0;
        if (irl__emit_bound(e, s)) irl__glsl_bound_body(e, s);
        return 1;
    default: return 0;
    }
}

/* ------------------------------------------------------------------ the language */

void irl__glsl_language(irl__emit_language *l)
{
    memset(l, 0, sizeof *l);
    l->name = "GLSL";
    l->types = irl__glsl_types;
    l->index_types = irl__glsl_index_types;
    l->index_suffixes = irl__glsl_index_suffixes;
    l->long_suffix = "";
    l->unsigned_suffixes[0] = "u";
    l->unsigned_suffixes[1] = "";
    l->spaces = irl__glsl_spaces;
    l->words = irl__glsl_text_words;
    l->pointer_casts = -1;
    l->exact_types = 1;
    l->call_casts = 1;
    l->double_suffix = "lf";
    l->vectors = irl__glsl_vectors;
    l->index_vectors = irl__glsl_index_vectors;
    l->swizzle = ".";
    l->lanes = "xyzw";
    l->convert = "%t(";
    l->precise = "precise ";
    l->index_scalar = IRL_BOOL;
    l->states_formats = 1;
    l->items = irl__glsl_items;
    l->item_type = "uint";
    l->barriers[0] = "\tmemoryBarrierShared();\n\tbarrier();\n";
    l->barriers[1] = "\tmemoryBarrierBuffer();\n\tbarrier();\n";
    l->tongue = irl__words_of_glsl;
    l->functions = irl__glsl_functions;
    l->expr = irl__glsl_expr;
    l->special = irl__glsl_special;
    l->stmt = irl__glsl_stmt;
    l->vector = irl__glsl_vector;
    l->as = irl__glsl_as;
    l->helper = irl__glsl_helper;
    l->load_run = irl__glsl_load_run;
    l->store_run = irl__glsl_store_run;
    l->texel = irl__glsl_texel;
}
