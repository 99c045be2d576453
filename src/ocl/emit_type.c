/* emit_type.c - what OpenCL C calls things: the types of values, functions of the user and of the
   helpers.

   needs     the table types.h, a target
   promises  a name printed is an identifier of OpenCL C; a vector that it, or the target, has no
             type for is refused */
#include "ocl.h"

const char *irl__ocl_scalar_type(const irl__emit *e, irl_type type)
{
    return irl__type_is_index(type) ? e->language->index_types[e->width]
                                    : irl__type_info(type)->ocl;
}

void irl__ocl_type(irl__emit *e, irl_type type)
{
    irl__text_puts(&e->text, type.scalar == IRL_BOOL && type.lanes > 1
                                 ? "int"
                                 : irl__ocl_scalar_type(e, type));
    if (type.lanes > 1) irl__text_uint(&e->text, type.lanes);
}

int irl__ocl_lanes_ok(irl__emit *e, uint32_t lanes)
{
    const irl_target *target = irl__ocl_of(e)->target;
    if (lanes == 1 || (lanes == 3 && irl__target_has_width(target, 4)) ||
        (lanes != 3 && irl__target_has_width(target, lanes)))
        return 1;
    return irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, e->cx->here,
                     "a vector of %u lanes has no type on target '%s'", (uint64_t)lanes,
                     target->name);
}

/* "irl_unorm8_to_float4", "irl_float_to_unorm8x4": the helper for a normalised type with its
   lanes. */
void irl__ocl_norm_name(irl__text *t, int kind, irl_type type)
{
    const char *name = irl__type_info(type)->text;
    irl__textf(t, kind == IRL__OCL_NORM_TO_FLOAT ? "irl_%s_to_float" : "irl_float_to_%s", name);
    if (type.lanes > 1)
        irl__textf(t, kind == IRL__OCL_NORM_TO_FLOAT ? "%u" : "x%u", (uint64_t)type.lanes);
}

/* What C itself would not take for the name of a function. */
static int irl__ocl_is_keyword(const char *name)
{
    static const char *const keywords[] = { "auto",     "break",    "case",    "const",  "continue",
                                            "default",  "do",       "else",    "enum",   "extern",
                                            "for",      "goto",     "if",      "inline", "register",
                                            "restrict", "return",   "signed",  "sizeof", "static",
                                            "struct",   "switch",   "typedef", "union",  "unsigned",
                                            "void",     "volatile", "while" };
    size_t k;
    for (k = 0; k < IRL__COUNTOF(keywords); k++)
        if (strcmp(keywords[k], name) == 0) return 1;
    return 0;
}

static int irl__ocl_is_identifier(const char *name)
{
    const char *p;
    for (p = name; *p; p++)
        if (!(*p == '_' || (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
              (p > name && *p >= '0' && *p <= '9')))
            return 0;
    return p > name && !irl__ocl_is_keyword(name);
}

void irl__ocl_call(irl__emit *e, const irl_expr *x)
{
    if (!irl__ocl_is_identifier(x->u.name))
        irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, e->cx->here,
                  "'%s' cannot be the name of a function in OpenCL C", x->u.name);
    else irl__emit_call(e, x->u.name, x->count, x->a);
}
