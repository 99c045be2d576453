/* emit_type.c - the names of functions: those of the user and those of the helpers.

   needs     the language's tables
   promises  a name printed is an identifier of the language */
#include "emit.h"

void irl__emit_vector_name(const irl__emit *e, irl__text *t, const char *what, irl_type type)
{
    irl__textf(t, "%s_%s%sx%u", e->prefix, what, irl__type_info(type)->text, (uint64_t)type.lanes);
}

/* "irl_half_to_float4", "irl_unorm8_to_float4", "irl_float_to_unorm8x4" */
void irl__emit_storage_name(const irl__emit *e, irl__text *t, int kind, irl_type type)
{
    const int is_from = kind == IRL__HELP_FLOAT_TO_NORM;
    if (is_from || kind == IRL__HELP_NORM_TO_FLOAT)
        irl__textf(t, is_from ? "%s_float_to_%s" : "%s_%s_to_float", e->prefix,
                   irl__type_info(type)->text);
    else
        irl__textf(t, "%s_%s", e->prefix,
                   kind == IRL__HELP_HALF_TO_FLOAT   ? "half_to_float"
                   : kind == IRL__HELP_FLOAT_TO_HALF ? "float_to_half"
                                                     : "float_to_bfloat");
    if (type.lanes > 1) irl__textf(t, is_from ? "x%u" : "%u", (uint64_t)type.lanes);
}

int irl__emit_storage_kind(const irl__emit *e, irl_type type, int from_float)
{
    if (irl__type_is_normalised(type))
        return from_float ? IRL__HELP_FLOAT_TO_NORM : IRL__HELP_NORM_TO_FLOAT;
    if (!irl__emit_is_bits(e->language, type)) return 0;
    if (type.scalar == IRL_BF16) return from_float ? IRL__HELP_FLOAT_TO_BFLOAT : 0;
    return from_float ? IRL__HELP_FLOAT_TO_HALF : IRL__HELP_HALF_TO_FLOAT;
}

void irl__emit_storage_helper(irl__emit *e, int kind, irl_type type)
{
    irl__emit_need(e, kind, type);
    irl__emit_storage_name(e, &e->text, kind, type);
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
    for (size_t k = 0; k < IRL__COUNTOF(keywords); k++)
        if (strcmp(keywords[k], name) == 0) return 1;
    return 0;
}

static int irl__type_is_identifier(const char *name)
{
    return irl__has_identifier_form(name) && !irl__type_is_keyword(name);
}

static int irl__emit_extern_refuse(irl__emit *e, const char *name)
{
    return irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, e->cx->here,
                     "'%s' cannot be the name of a function in %s", name, e->language->name);
}

/* ------------------------------------------------------------------ prototypes */

/* "const float *", or "int64_t": what a prototype says of a parameter, or of what is returned. */
void irl__emit_declared_type(const irl__emit *e, irl__text *t, irl_type type, int is_read_only)
{
    const irl__emit_language *l = e->language;
    irl_type                  held = irl__emit_held(type);
    const char *name = irl__type_is_index(held) && e->narrow ? l->index_types[IRL__WIDTH_INT]
                                                             : l->types[held.scalar];
    if (!type.is_pointer) irl__text_puts(t, name);
    else
        irl__textf(t, "%s%s%s *", l->spaces[type.scope],
                   is_read_only && type.scope != IRL_SCOPE_CONSTANT ? "const " : "", name);
}

int irl__emit_extern_is_known(const irl__emit *e, const char *name, irl_type result)
{
    return e->language->float_suffix ? irl__extern_float_function(name, result) != NULL
                                     : irl__is_taken(e->language->tongue, name, strlen(name));
}

/* The prototypes that a module's functions have, each once. */
static const irl_extern_desc **irl__emit_declared_externs(irl__emit *e, int with_host)
{
    const irl_module       *m = e->unit->module;
    const irl_extern_desc **list = NULL;
    irl__ptr_map            seen;
    int                     j;
    memset(&seen, 0, sizeof seen);
    for (int k = with_host ? -1 : 0; k < m->kernel_count; k++) {
        const irl_func *f = k < 0 ? m->host : m->kernels[k];
        for (j = 0; f && j < f->extern_count; j++) {
            const irl_extern_desc *x = &f->externs[j].is;
            if (irl__ptr_map_get(&seen, x->name) ||
                irl__emit_extern_is_known(e, x->name, x->type))
                continue;
            if (!irl__ptr_map_put(e->cx, &seen, x->name, x) ||
                !IRL__PUSH_SCRATCH(e->cx, list, x))
                return list;
        }
    }
    return list;
}

int irl__emit_prototypes(irl__emit *e, irl__text *t, int with_host)
{
    const irl_extern_desc **list = irl__emit_declared_externs(e, with_host);
    int                     k, count = (int)stbds_arrlen(list);
    for (k = 0; k < count; k++) {
        /* extern float scale(const float *x, float *y, int64_t n); */
        const irl_extern_desc *x = list[k];
        irl__emit_scope        scope = irl__emit_scope_begin(e);
        irl__text_puts(t, e->language->external);
        irl__emit_declared_type(e, t, x->type, 0);
        irl__textf(t, x->type.is_pointer ? "%s(" : " %s(", x->name);
        for (int j = 0; j < x->count; j++) {
            const irl_extern_param *p = &x->params[j];
            const char             *name = irl__emit_take_name(e, p->var->u.name);
            if (j) irl__text_puts(t, ", ");
            irl__emit_declared_type(e, t, p->var->type, p->reads && !p->writes);
            irl__textf(t, p->var->type.is_pointer ? "%s" : " %s", name ? name : "");
        }
        irl__text_puts(t, x->count ? ");\n" : "void);\n");
        irl__emit_scope_end(e, scope);
    }
    return count;
}

int irl__emit_take_externs(irl__emit *e, int with_host)
{
    const irl_extern_desc **list = irl__emit_declared_externs(e, with_host);
    for (int k = 0; k < (int)stbds_arrlen(list); k++) {
        const char *name = list[k]->name;
        if (!irl__type_is_identifier(name)) return irl__emit_extern_refuse(e, name);
        if (irl__is_taken(e->language->tongue, name, strlen(name))) continue;
        const char *taken = irl__emit_take_name(e, name);
        if (!taken) return 0;
        if (strcmp(taken, name) != 0)
            return IRL__FAIL(e->cx, IRL_ERROR_UNSUPPORTED, "the external function '%s' has the "
                             "name of an emitted function", name);
    }
    return irl__ok(e->cx);
}

/* A prototype takes an index as it is, negative too. */
void irl__emit_extern(irl__emit *e, const irl_expr *x)
{
    if (!irl__type_is_identifier(x->u.name)) {
        irl__emit_extern_refuse(e, x->u.name);
        return;
    }
    irl__textf(&e->text, "%s%s(", x->u.name,
               x->type.scalar == IRL_F32 && e->language->float_suffix &&
                       irl__extern_float_function(x->u.name, x->type)
                   ? e->language->float_suffix
                   : "");
    for (uint32_t k = 0; k < x->count; k++) {
        if (k) irl__text_puts(&e->text, ", ");
        if (irl__type_is_index(x->a[k]->type) && e->language->promotes)
            irl__emit_index(e, x->a[k], IRL__WIDTH_LONG, IRL__PREC_ANY);
        else irl__emit_argument(e, x->a[k]);
    }
    irl__text_putc(&e->text, ')');
}
