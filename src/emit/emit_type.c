/* emit_type.c - what things are called: the types of values, functions of the user and of the
   helpers.

   needs     the language's tables
   promises  a name printed is an identifier of the language */
#include "emit.h"

const char *irl__emit_scalar_type(const irl__emit *e, irl_type type)
{
    return irl__type_is_index(type) ? e->language->index_types[e->width]
                                    : e->language->types[type.scalar];
}

irl_type irl__emit_held(irl_type type)
{
    return type.scalar == IRL_BOOL ? irl_type_of(IRL_U8, (int)type.lanes) : type;
}

void irl__emit_helper_name(irl__emit *e, const char *name)
{
    irl__textf(&e->text, "%s_%s", e->prefix, name);
}

/* "irl_unorm8_to_float4", "irl_float_to_unorm8x4": the helper for a normalised type with its
   lanes. */
void irl__emit_norm_name(const irl__emit *e, irl__text *t, int kind, irl_type type)
{
    const char *name = irl__type_info(type)->text;
    irl__textf(t, kind == IRL__HELP_NORM_TO_FLOAT ? "%s_%s_to_float" : "%s_float_to_%s", e->prefix,
               name);
    if (type.lanes > 1)
        irl__textf(t, kind == IRL__HELP_NORM_TO_FLOAT ? "%u" : "x%u", (uint64_t)type.lanes);
}

/* What C itself would not take for the name of a function. */
static int irl__type_is_keyword(const char *name)
{
    static const char *const keywords[] = {
        "auto",   "break",    "case",    "char",     "const",  "continue", "default", "do",
        "double", "else",     "enum",    "extern",   "float",  "for",      "goto",    "if",
        "inline", "int",      "long",    "register", "restrict", "return", "short",   "signed",
        "sizeof", "static",   "struct",  "switch",   "typedef", "union",   "unsigned", "void",
        "volatile", "while" };
    size_t k;
    for (k = 0; k < IRL__COUNTOF(keywords); k++)
        if (strcmp(keywords[k], name) == 0) return 1;
    return 0;
}

static int irl__type_is_identifier(const char *name)
{
    const char *p;
    for (p = name; *p; p++)
        if (!(*p == '_' || (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
              (p > name && *p >= '0' && *p <= '9')))
            return 0;
    return p > name && !irl__type_is_keyword(name);
}

/* A prototype takes an index as it is, negative too. */
void irl__emit_extern(irl__emit *e, const irl_expr *x)
{
    uint32_t k;
    if (!irl__type_is_identifier(x->u.name)) {
        irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, e->cx->here,
                  "'%s' cannot be the name of a function in %s", x->u.name, e->language->name);
        return;
    }
    irl__textf(&e->text, "%s(", x->u.name);
    for (k = 0; k < x->count; k++) {
        if (k) irl__text_puts(&e->text, ", ");
        if (irl__type_is_index(x->a[k]->type) && e->language->promotes)
            irl__emit_index(e, x->a[k], IRL__WIDTH_LONG, IRL__PREC_ANY);
        else irl__emit_argument(e, x->a[k]);
    }
    irl__text_putc(&e->text, ')');
}
