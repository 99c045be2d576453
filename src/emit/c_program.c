/* c_program.c - a module as one text in C.

   requires  a module that was lowered for a target without work-items, vectors and images: c99
   promises  the text compiles as C99 and as C++11 with no warning, alone, and depends on nothing
             but the headers that it names; its own helpers begin with irl_ and the function's name,
             so that several such texts go into one program. Names of the user are in it only as
             identifiers and in comments
   cost      linear in the module */
#include "../pass/pass.h"
#include "c.h"

/* ------------------------------------------------------------------ what stands at its top */

/* IEEE arithmetic in the types as they are written: no compiler may fuse a product and a sum that
   the program has not. gcc warns of the standard's pragma, and does so without being asked in its
   own dialect of C only. */
static const char irl__c_float_text[] =
    "#if defined(__FAST_MATH__) || \\\n"
    "    (defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16)\n"
    "#error \"floats must be computed as IEEE 754 says, each operation in its own type\"\n"
    "#endif\n"
    "#if defined(__clang__)\n"
    "#pragma STDC FP_CONTRACT OFF\n"
    "#elif defined(__GNUC__) && !defined(__TINYC__)\n"
    "#pragma GCC push_options\n"
    "#pragma GCC optimize(\"fp-contract=off\")\n"
    "#endif\n\n";
static const char irl__c_float_end[] =
    "\n#if defined(__GNUC__) && !defined(__clang__) && !defined(__TINYC__)\n"
    "#pragma GCC pop_options\n"
    "#endif\n";
static const char irl__c_parallel[] = "#ifdef _OPENMP\n#pragma omp parallel for\n#endif\n";
static const char irl__c_restrict_text[] = "#ifndef IRL_RESTRICT\n"
                                           "#ifdef __cplusplus\n"
                                           "#define IRL_RESTRICT __restrict\n"
                                           "#else\n"
                                           "#define IRL_RESTRICT restrict\n"
                                           "#endif\n"
                                           "#endif\n\n";

/* extern float f(float, float *); of what is declared by its prototype, and else by its first
   call. */
static void irl__c_prototypes(irl__emit *e, irl__text *t)
{
    const irl__c_program *p = irl__c_program_of(e);
    int                   k, declared = irl__emit_prototypes(e, t, 1);
    for (k = 0; k < (int)stbds_arrlen(p->externs); k++) {
        const irl_expr *call = p->externs[k];
        irl__text_puts(t, "extern ");
        irl__emit_declared_type(e, t, call->type, 0);
        irl__textf(t, call->type.is_pointer ? "%s(" : " %s(", call->u.name);
        for (uint32_t j = 0; j < call->count; j++) {
            if (j) irl__text_puts(t, ", ");
            irl__emit_declared_type(e, t, call->a[j]->type, 0);
        }
        irl__text_puts(t, call->count ? ");\n" : "void);\n");
    }
    if (k + declared) irl__text_putc(t, '\n');
}

static const char irl__c_open_text[] = "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";

/* What the functions need and their callers do not. */
static void irl__c_own_headers(const irl__c_program *p, irl__text *t)
{
    if (p->uses_math) irl__text_puts(t, "#include <math.h>\n");
    if (p->uses_fma || p->uses_f16c) irl__c_vector_header(t, p->uses_fma, p->uses_f16c);
}

static void irl__c_top(irl__emit *e, irl__text *t)
{
    const irl__c_program *p = irl__c_program_of(e);
    int                   is_header = p->options->is_header || p->part == IRL__C_HEADER;
    irl__textf(t, "/* %s: C99, emitted by irlayout " IRL_VERSION_STRING, p->host);
    if (is_header && p->part == IRL__C_ALL)
        irl__textf(t, "; #define %s_IMPLEMENTATION in one file that includes it", p->guard);
    irl__text_puts(t, " */\n");
    if (is_header) irl__textf(t, "#ifndef %s_H\n#define %s_H\n", p->guard, p->guard);
    irl__text_puts(t, "#include <stdint.h>\n");
    if (p->uses_size) irl__text_puts(t, "#include <stddef.h>\n");
    if (!is_header) irl__c_own_headers(p, t);
    irl__text_putc(t, '\n');
    if (p->uses_restrict) irl__text_puts(t, irl__c_restrict_text);
    if (p->options->is_checked) irl__c_host_types_text(t);
    /* An array of -1 elements does not compile: the sizes of floats are checked. */
    if (p->uses_single || p->uses_double)
        irl__textf(
            t,
            "/* does not compile if floats have other sizes than this code was emitted for */\n"
            "typedef char %s_types_fit[%s%s%s ? 1 : -1];\n\n",
            p->host, p->uses_single ? "sizeof(float) == 4" : "",
            p->uses_single && p->uses_double ? " && " : "",
            p->uses_double ? "sizeof(double) == 8" : "");
    irl__text_puts(t, irl__c_open_text);
    irl__text_join(t, &p->header_text);
    irl__text_puts(t, is_header ? "\n#ifdef __cplusplus\n}\n#endif\n#endif\n" : "\n");
    if (!is_header || p->part == IRL__C_HEADER) return;
    irl__textf(t, "\n#ifdef %s_IMPLEMENTATION\n#ifndef %s_IMPLEMENTED\n#define %s_IMPLEMENTED\n",
               p->guard, p->guard, p->guard); /* once, included twice or more */
    irl__c_own_headers(p, t);
    irl__text_puts(t, irl__c_open_text);
}

/* The top of a source that has a header of its own. */
static void irl__c_top_of_source(irl__emit *e, irl__text *t)
{
    const irl__c_program *p = irl__c_program_of(e);
    irl__textf(t, "/* %s: C99, emitted by irlayout " IRL_VERSION_STRING " */\n#include \"",
               p->host);
    for (const char *c = p->options->header_name; *c; c++)
        irl__text_putc(t, *c < ' ' || strchr("\"\\", *c) ? '_' : *c);
    irl__text_puts(t, "\"\n");
    irl__c_own_headers(p, t);
    irl__textf(t, "\n%s", irl__c_open_text);
}

/* The name of the function or the macro that a text begins with, up to its parenthesis. */
static const char *irl__c_helper_name(irl__emit *e, irl__emit_helper helper, const irl__text *t)
{
    const char *begins = helper.kind >= IRL__C_FMA ? "#define " : "static ";
    const char *end = t->data ? strstr(t->data, begins) : NULL, *start;
    irl__text   name;
    if (!end) return NULL;
    while (*end && *end != '(') end++;
    for (start = end; start > t->data && irl__in_identifier(start[-1]);) start--;
    irl__text_init(&name, e->cx);
    irl__text_append(&name, start, (size_t)(end - start));
    return irl__text_done(&name);
}

/* The helpers that the functions, or other helpers, still use: what used one may have gone with a
   constant that nothing used. */
static int irl__c_helpers(irl__emit *e, irl__text *out)
{
    ptrdiff_t k = stbds_arrlen(e->helpers);
    while (k-- > 0) {
        const irl__emit_helper helper = e->helpers[k];
        irl__text              one;
        irl__text_init(&one, e->cx);
        irl__emit_helper_text(e, &one, helper);
        if (helper.kind == IRL__C_VECTOR) {
            if (!irl__c_vector_is_used(e, helper.type)) continue;
        } else {
            const char *name = irl__c_helper_name(e, helper, &one);
            if (!name) return 0;
            if (!irl__emit_mentions(&e->text, 0, name) && !irl__emit_mentions(out, 0, name))
                continue;
        }
        irl__text_join(&one, out);
        *out = one;
    }
    return irl__ok(e->cx);
}

static const char *irl__c_assemble(irl__emit *e)
{
    const irl__c_program *p = irl__c_program_of(e);
    irl__text             t, helpers;
    const size_t          length = e->text.length;
    irl__text_init(&helpers, e->cx);
    if (!irl__c_order_helpers(e) || !irl__c_helpers(e, &helpers)) return NULL;
    irl__text_init(&t, e->cx);
    if (p->part == IRL__C_SOURCE) irl__c_top_of_source(e, &t);
    else irl__c_top(e, &t);
    if (p->part == IRL__C_HEADER) return irl__text_done(&t);
    irl__c_prototypes(e, &t);
    if (p->uses_float) irl__text_puts(&t, irl__c_float_text);
    irl__text_join(&t, &helpers);
    /* one empty line at the end */
    if (length && e->text.data[length - 1] == '\n') e->text.length--;
    irl__text_join(&t, &e->text);
    if (p->uses_float) irl__text_puts(&t, irl__c_float_end);
    irl__text_puts(&t, "\n#ifdef __cplusplus\n}\n#endif\n");
    if (p->options->is_header && p->part == IRL__C_ALL) irl__text_puts(&t, "#endif\n#endif\n");
    return irl__text_done(&t);
}

/* ------------------------------------------------------------------ its functions */

/* A name for the file: with the prefix, and an identifier. The host's name, and what begins with
   it, is changed where the options have another. */
static const char *irl__c_file_name(irl__emit *e, const char *name)
{
    const irl_c_options *how = irl__c_program_of(e)->options;
    const char          *own = e->unit->module->host->name;
    const int            is_own = how->name && strncmp(name, own, strlen(own)) == 0;
    const char *wish = irl__format(e->cx, "%s%s%s", how->prefix, is_own ? how->name : "",
                                   is_own ? name + strlen(own) : name);
    return wish ? irl__emit_take_name(e, wish) : NULL;
}

static int irl__c_names(irl__emit *e, const irl_module *m)
{
    irl__c_program *p = irl__c_program_of(e);
    irl__emit_scope scope = irl__emit_scope_begin(e);
    /* the checked form calls it among names of its own */
    if (p->options->is_checked && !irl__c_checked_names(e)) return 0;
    p->host = irl__c_file_name(e, m->host->name);
    irl__emit_scope_end(e, scope);
    char *guard = p->host ? (char *)irl__scratch_alloc(e->cx, strlen(p->host) + 1, 1) : NULL;
    for (size_t k = 0; guard && p->host[k]; k++)
        guard[k] = (char)(p->host[k] - (p->host[k] >= 'a' && p->host[k] <= 'z' ? 32 : 0));
    p->guard = guard;
    if (!guard || !irl__emit_take_name(e, p->host) || !irl__emit_take_externs(e, 1)) return 0;
    e->prefix = irl__format(e->cx, "irl_%s", p->host);
    irl__emit_take_of(e, p->host, "scratch_bytes");
    if (!irl__emit_take_of(e, p->host, "checked")) return 0;
    for (int k = 0; k < m->kernel_count; k++) {
        p->kernels[k].function = m->kernels[k];
        p->kernels[k].name =
            p->is_single ? p->host : irl__c_file_name(e, m->kernels[k]->name);
        p->kernels[k].written = (unsigned char *)irl__scratch_alloc(
            e->cx, (size_t)m->kernels[k]->param_count, 1);
        if (!p->kernels[k].name || !p->kernels[k].written) return 0;
    }
    return e->prefix != NULL;
}

static int irl__c_functions_of(irl__emit *e, const irl_module *m)
{
    irl__c_program *p = irl__c_program_of(e);
    int             k, runs; /* shifts in steps: no launch gives one memory twice */
    irl__text_init(&p->header_text, e->cx);
    if (!irl__emit_survey_host(e->unit) || !irl__c_names(e, m)) return 0;
    runs = p->index.is_compact && !p->options->openmp && !stbds_arrlen(e->unit->repeating);
    for (k = 0; runs && k < m->kernel_count; k++) {
        p->kernels[k].function = irl__run_shifts(p->kernels[k].function);
        if (!p->kernels[k].function) return 0;
    }
    for (k = 0; k < m->kernel_count; k++)
        if (!irl__c_kernel_func(e, &p->kernels[k], p->is_single)) return 0;
    if (!p->is_single && !irl__c_host(e, m->host)) return 0;
    if (p->options->is_checked && !irl__c_checked(e, m->host)) return 0;
    if (p->language.place)
        p->uses_size |= irl__emit_mentions(&e->text, 0, p->language.place);
    return irl__ok(e->cx) && !e->text.failed;
}

/* ------------------------------------------------------------------ in public */

/* 0 with a diagnostic: options that do not go together. */
static int irl__c_options_ok(irl_ctx *cx, const irl_c_options *how)
{
    if (how->is_header && how->header_name)
        return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "choose one header, or a header and a source, "
                         "not both");
    if (how->is_checked && how->index != IRL_BOOL)
        return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "checks of arguments are computed in 64 bits: "
                         "is_checked allows no index type");
    if (how->index == IRL_BOOL || irl__type_is_integer(irl_type_of(how->index, 1))) return 1;
    return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "an index type is an integer type: u8 to u64, i8 "
                     "to i64");
}

static const char *irl__c_text(const irl_module *m, const irl_c_options *how, irl__c_form part)
{
    irl__emit      e;
    irl__emit_unit o;
    irl__c_program p;
    const char    *source = NULL;
    if (!irl__module_has_host(m)) return NULL;
    memset(&p, 0, sizeof p);
    p.part = part;
    irl__c_language(&p.language);
    if (how->openmp) p.language.parallel = irl__c_parallel;
    if (how->index != IRL_BOOL) {
        irl__c_index_begin(&p.index, &p.language, how->index);
        p.language.index_form = irl__c_index_form;
    }
    if (!irl__emit_unit_begin(&o, m, "c99", &p.language)) return NULL;
    if (o.target->vector_bytes && how->index == IRL_BOOL) p.language.place = "size_t";
    if (!o.target->serial) {
        IRL__FAIL(m->cx, IRL_ERROR_UNSUPPORTED, "the module was lowered for target '%s', which has "
                  "work-items; C has loops: lower for c99", o.target->name);
        return NULL;
    }
    m = o.module;
    p.options = how;
    p.is_single = irl__c_is_single(m);
    p.kernel_count = m->kernel_count;
    p.math_helper = irl__c_math_helper;
    o.user = &p;
    irl__arena_mark mark = irl__scratch_begin(m->cx);
    p.kernels = IRL__SCRATCH(m->cx, irl__c_kernel, m->kernel_count);
    if (p.kernels && irl__emit_begin(&e, &o, "irl")) {
        e.moves_pointers = p.index.is_compact;
        if (irl__c_functions_of(&e, m)) source = irl__c_assemble(&e);
    }
    irl__scratch_end(m->cx, mark);
    return irl__ok(m->cx) ? source : NULL;
}

static const char *irl__c_part_of(const irl_module *m, const irl_c_options *options, int is_header)
{
    irl_c_options how;
    if (!m || !irl__ok(m->cx)) return NULL;
    memset(&how, 0, sizeof how);
    if (options) how = *options;
    if (!how.prefix) how.prefix = "";
    if (!irl__c_options_ok(m->cx, &how)) return NULL;
    return irl__c_text(m, &how,
                       is_header ? IRL__C_HEADER : how.header_name ? IRL__C_SOURCE : IRL__C_ALL);
}

const char *irl_c_source_with(const irl_module *m, const irl_c_options *options)
{
    return irl__text_or_empty(irl__c_part_of(m, options, 0));
}

const char *irl_c_header(const irl_module *m, const irl_c_options *options)
{
    return irl__text_or_empty(irl__c_part_of(m, options, 1));
}

const char *irl_c_source(const irl_module *m) { return irl_c_source_with(m, NULL); }
