/* c_func.c - one function in C: its parameters and their qualifiers.

   needs     the survey of the function (irl__emit_func_begin)
   promises  pointers are const if nothing is written through them, and restrict if something is and
             no launch passes one memory twice; a name that a body does not use is cast to void */
#include "c.h"

int irl__c_parameters(irl__emit *e, const irl_func *f)
{
    /* a graph's only kernel calls them as its node's function does */
    const irl_func *named = irl__c_program_of(e)->is_single ? e->unit->module->host : f;
    for (int j = 0; j < f->param_count; j++) {
        const irl__param *p = &f->params[j];
        const char       *name = irl__emit_take_name(e, named->params[j].name);
        if (!name || !irl__emit_bind(e, p->var, name)) return 0;
        if (p->buffer && !irl__target_has_image(e->cx, e->unit->target, p->buffer)) return 0;
        if (!p->buffer && p->var->type.lanes > 1)
            return irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, p->loc,
                             "parameter '%s' is a vector, and how C passes a vector depends on the "
                             "compiler's options: pass scalars, or a buffer", p->name);
    }
    return irl__c_index_params(e, f);
}

/* Something is written, and something else might be the same memory. */
static int irl__c_restricts(const irl_func *f, const unsigned char *written)
{
    int j, pointers = 0, any = 0;
    for (j = 0; j < f->param_count; j++) {
        pointers += f->params[j].buffer != NULL;
        any |= written[j] & IRL__C_WRITTEN;
    }
    return any && pointers > 1;
}

static void irl__c_parameter(irl__emit *e, irl__text *t, const irl__param *param, int is_written,
                             int restricts)
{
    const irl__emit_symbol *symbol = irl__emit_find(e, param->var);
    const irl__emit_memory *m = irl__emit_memory_of(e->unit, param->var);
    irl_type type = param->buffer ? irl__emit_held(irl__buffer_memory_type(param->buffer))
                                  : param->var->type;
    if (m && m->is_shared_by_arguments) restricts = 0;
    if (param->buffer) {
        irl__c_program_of(e)->uses_restrict |= restricts;
        irl__textf(t, "%s%s *%s", is_written ? "" : "const ", e->language->types[type.scalar],
                   restricts ? "IRL_RESTRICT " : "");
    } else irl__textf(t, "%s ", e->language->types[type.scalar]);
    irl__text_puts(t, symbol ? symbol->name : "");
}

/* "void f(const float *IRL_RESTRICT x, int64_t n)" */
static void irl__c_signature(irl__emit *e, irl__text *t, const irl_func *f, const char *name,
                             const unsigned char *written)
{
    irl__c_program *p = irl__c_program_of(e);
    int             j, restricts = irl__c_restricts(f, written),
                       has_scratch = p->in_host && !irl__is_int(p->scratch, 0);
    irl__textf(t, "%s %s(", p->in_host && p->returns ? "int" : "void", name);
    for (j = 0; j < f->param_count; j++) {
        if (j) irl__text_puts(t, ", ");
        irl__c_parameter(e, t, &f->params[j], written[j] & IRL__C_WRITTEN, restricts);
    }
    if (has_scratch) irl__textf(t, f->param_count ? ", void *%s" : "void *%s", p->scratch_name);
    else if (f->param_count == 0) irl__text_puts(t, "void");
    irl__text_putc(t, ')');
}

/* " (sin)", where C has taken the function's name. */
static void irl__c_said_name(irl__emit *e, const char *name)
{
    const char *own = e->unit->module->host->name;
    size_t      before = strlen(irl__c_program_of(e)->options->prefix);
    if (strlen(name) < before || strcmp(name + before, own) != 0)
        irl__emit_comment_name(&e->text, own);
}

static void irl__c_comment(irl__emit *e, const irl_func *f, const char *name,
                           const unsigned char *written)
{
    irl__c_program *p = irl__c_program_of(e);
    const irl__text before = e->text;
    e->text = p->header_text;
    irl__textf(&e->text, "/* %s", name);
    if (p->is_single || p->in_host) irl__c_said_name(e, name);
    if (irl__c_restricts(f, written)) irl__text_puts(&e->text, ": no two arrays overlap");
    if (p->in_host && p->returns)
        irl__text_puts(&e->text, "; 0, or the number of the first assertion that fails");
    for (int j = 0; j < f->param_count; j++) {
        const irl__emit_symbol *symbol = irl__emit_find(e, f->params[j].var);
        irl__emit_memory        m;
        memset(&m, 0, sizeof m);
        m.is_written = (written[j] & IRL__C_WRITTEN) != 0;
        m.is_read = !m.is_written || (written[j] & IRL__C_READ);
        if (symbol)
            irl__emit_comment_param(e, f, &f->params[j], symbol->name,
                                    p->in_host ? &m
                                               : irl__emit_memory_of(e->unit, f->params[j].var));
    }
    irl__text_puts(&e->text, " */\n");
    p->header_text = irl__emit_back(e, before);
}

void irl__c_function_text(irl__emit *e, const irl_func *f, const char *name,
                          const unsigned char *written, const irl__text *body, int is_public)
{
    irl__c_program *p = irl__c_program_of(e);
    if (is_public) {
        irl__c_comment(e, f, name, written);
        irl__c_signature(e, &p->header_text, f, name, written);
        irl__text_puts(&p->header_text, ";\n");
    } else irl__text_puts(&e->text, "static ");
    irl__c_signature(e, &e->text, f, name, written);
    irl__text_puts(&e->text, "\n{\n");
    irl__text_join(&e->text, body);
    for (int j = 0; j < f->param_count; j++) irl__emit_unused(e, body, f->params[j].var);
    if (p->in_host && p->returns) irl__text_puts(&e->text, "    return 0;\n");
    irl__text_puts(&e->text, "}\n\n");
}

irl__text irl__c_body(irl__emit *e, const irl_func *f, int (*before)(irl__emit *))
{
    const irl__text       outer = irl__emit_apart(e);
    const irl__emit_scope scope = irl__emit_scope_begin(e);
    e->indent = 1;
    if (!before || before(e)) irl__emit_stmt(e, f->body);
    irl__emit_scope_end(e, scope);
    return irl__emit_back(e, outer);
}

static int irl__c_kernel_text(irl__emit *e, irl__c_kernel *k, int is_public)
{
    const irl_func *f = k->function;
    if (!irl__c_parameters(e, f) || !irl__emit_facts(e, f)) return 0;
    for (int j = 0; j < (int)stbds_arrlen(e->unit->memories); j++) {
        irl__emit_memory *m = e->unit->memories[j];
        if (m->element.lanes == 1) continue;
        if (m->is_variable && irl__target_has_vector(e->unit->target, m->element.lanes)) continue;
        m->element.lanes = 1; /* pointers and arrays are of scalars */
        m->is_variable = 0;
    }
    for (int j = 0; j < f->param_count; j++) {
        const irl__emit_memory *m = irl__emit_memory_of(e->unit, f->params[j].var);
        k->written[j] = (unsigned char)(m && m->is_written ? IRL__C_WRITTEN : 0);
        if (m && m->is_read) k->written[j] |= IRL__C_READ;
    }
    const irl__text body = irl__c_body(e, f, NULL);
    if (irl__ok(e->cx)) irl__c_function_text(e, f, k->name, k->written, &body, is_public);
    return irl__ok(e->cx);
}

int irl__c_kernel_func(irl__emit *e, irl__c_kernel *k, int is_public)
{
    irl__emit_func state;
    int            ok = irl__emit_func_begin(e, k->function, &state);
    ok = ok && irl__c_kernel_text(e, k, is_public);
    irl__emit_func_end(e, &state);
    return ok;
}
