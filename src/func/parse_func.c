/* parse_func.c - reading functions, modules and kernels.

   needs     parse_buffer.c, parse_extern.c, parse_stmt.c; verify.c (parsing verifies)
   promises  a function, or a diagnostic at the token that is wrong, for any bytes; time linear in
             the text; the scratch arena is as before */
#include "parse_func.h"

/* ------------------------------------------------------------------ functions */

/* The pad(...) of a layout whose buffer is declared in the body: it is read after that. */
typedef struct irl__late_padding {
    int        layout; /* which one */
    irl__token token;
} irl__late_padding;

typedef struct irl__func_reader {
    irl_func          *f;
    irl__param        *params;
    irl__layout       *layouts;
    irl__annotation   *attrs;
    irl__extern       *externs;
    irl__late_padding *late;
} irl__func_reader;

/* Declares the scalar parameters first, because a shape may name one that stands behind it. The
   caller returns to the start. */
static int irl__parse_declare_scalars(irl__parser *p)
{
    irl__token      name;
    irl_bit_element e;
    while (p->token.kind == IRL__TOKEN_NAME) {
        name = p->token;
        irl__next(p);
        if (!irl__accept(p, ':') || p->token.kind != IRL__TOKEN_NAME ||
            !(p->token.symbol->is_type || irl__at_word(p, IRL__WORD_PTR) ||
              irl__bitfield_named(p->token.symbol->text, p->token.symbol->length, &e)))
            return 1;
        if (!irl__parse_element_type(p, &e)) return 0;
        if ((p->token.kind == ',' || p->token.kind == ')' || irl__at_word(p, IRL__WORD_IMPLICIT)) &&
            !irl__declare_var(p, &name, e.type))
            return 0;
        irl__parse_skip_param(p);
        if (!irl__accept(p, ',')) break;
    }
    return irl__ok(p->cx);
}

/* logical([shape], map, pad(constant)) */
static int irl__parse_logical(irl__parser *p, irl__param *param)
{
    size_t base = p->expr_count;
    irl__next(p);
    if (!irl__expect(p, '(', "'(' and the logical shape") ||
        !irl__parse_shape(p, &param->logical_rank))
        return 0;
    param->logical_shape = IRL__COPY(p->cx, const irl_expr *, p->exprs + base, param->logical_rank);
    p->expr_count = base;
    if (!param->logical_shape) return 0;
    while (irl__accept(p, ',')) {
        if (p->token.kind == '(' && !param->map) param->map = irl__parse_map(p);
        else if (irl__at_word(p, IRL__WORD_PAD) && !param->padding)
            param->padding = irl__parse_padding(p, param->buffer->type);
        else return irl__unexpected(p, "the map to the shape in memory, or pad(...)");
        if (!irl__ok(p->cx)) return 0;
    }
    return irl__expect(p, ')', "',' or ')' after the logical shape");
}

/* The extent at the token is a name and nothing more, of which nothing is known. */
static int irl__parse_at_free_extent(irl__parser *p)
{
    irl__token         name = p->token;
    const irl__symbol *s = name.symbol;
    if (name.kind != IRL__TOKEN_NAME || s->binding.kind != IRL__UNDECLARED ||
        (!name.is_quoted && (s->is_type || !irl__may_be_hidden(s))))
        return 0;
    irl__next(p);
    int is_alone = p->token.kind == ',' || p->token.kind == ']';
    irl__back_to(p, &name);
    return is_alone;
}

/* x: f32[n] or x: f32[2 * n], y: f32[n], where no parameter is n: an implicit one in front of x.
   The caller returns to the start of the shape. */
static int irl__parse_implicit(irl__parser *p, irl__func_reader *r)
{
    for (int depth = 0; p->token.kind != IRL__TOKEN_END; irl__next(p)) {
        if (p->token.kind == IRL__TOKEN_NAME &&
            p->token.symbol->binding.kind == IRL__UNDECLARED &&
            p->token.symbol->extent_of == p->func_count + 1) {
            irl__param param;
            memset(&param, 0, sizeof param);
            param.is_implicit = 1;
            param.loc = irl__here(p);
            param.var = irl__declare_var(p, &p->token, irl__type_index());
            if (!param.var) return 0;
            param.name = param.var->u.name;
            if (!IRL__PUSH(p->cx, r->params, param)) return 0;
        }
        if (p->token.kind == '[' || p->token.kind == '(') depth++;
        if (p->token.kind == ']' || p->token.kind == ')') depth--;
        if (depth == 0) break;
    }
    return irl__ok(p->cx);
}

static int irl__parse_param(irl__parser *p, irl__func_reader *r, irl__param *param)
{
    irl__token      name;
    irl_bit_element e;
    memset(param, 0, sizeof *param);
    param->loc = irl__here(p);
    if (!irl__expect_name(p, &name, "a parameter: name: type, or name: type[shape]") ||
        !irl__expect(p, ':', "':' and the parameter's type, as in x: f32[4, 4]") ||
        !irl__parse_element_type(p, &e))
        return 0;
    if (p->token.kind == '[') {
        irl__token first = p->token;
        if (!irl__parse_implicit(p, r)) return 0;
        irl__back_to(p, &first);
        irl_buffer *b = irl__parse_buffer(p, &name, &e);
        if (!b || !irl__declare_buffer(p, &name, b)) return 0;
        param->name = b->name;
        param->var = b->data;
        param->buffer = b;
        param->logical_rank = b->rank;
        param->logical_shape = b->shape;
        return irl__at_word(p, IRL__WORD_LOGICAL) ? irl__parse_logical(p, param) : 1;
    }
    if (e.bits)
        return irl__unexpected(p, "'[' and a shape: only elements of a buffer have bits(...)");
    param->is_implicit = irl__accept_word(p, IRL__WORD_IMPLICIT);
    if (p->token.kind != ',' && p->token.kind != ')')
        return irl__unexpected(p, "'[' and a shape, ',' and the next parameter, or ')'");
    param->var = name.symbol->binding.var; /* declared by irl__parse_declare_scalars */
    param->name = param->var->u.name;
    return 1;
}

static int irl__parse_params(irl__parser *p, irl__func_reader *r)
{
    irl__param param;
    if (!irl__expect(p, '(', "'(' and the parameters")) return 0;
    irl__token first = p->token;
    if (!irl__parse_declare_scalars(p)) return 0;
    irl__back_to(p, &first);
    /* Marks the names that are whole extents of some parameter. The caller returns to the start. */
    int depth = 0, shape = -1, is_start = 0; /* shape: how deep the innermost [ is */
    for (; depth >= 0 && p->token.kind != IRL__TOKEN_END; irl__next(p)) {
        if (is_start && irl__parse_at_free_extent(p))
            p->token.symbol->extent_of = p->func_count + 1;
        if (p->token.kind == '[' || p->token.kind == '(') depth++;
        if (p->token.kind == ']' || p->token.kind == ')') depth--, shape = -1;
        if (p->token.kind == '[') shape = depth;
        is_start = p->token.kind == '[' || (p->token.kind == ',' && depth == shape);
    }
    irl__back_to(p, &first);
    while (irl__another(p, ')', stbds_arrlen(r->params),
                        p->token.kind == '['
                            ? "',' and the next parameter, or ')'; all extents are in one pair of "
                              "brackets, f32[4, 4]"
                            : "',' and the next parameter, or ')'"))
        if (!irl__parse_param(p, r, &param) || !IRL__PUSH(p->cx, r->params, param)) return 0;
    return irl__ok(p->cx);
}

/* pad(...): a map, or a constant of the type of the buffer, which the body may declare. */
static int irl__parse_layout_padding(irl__parser *p, irl__func_reader *r, const irl__token *buffer,
                                     irl__layout *layout)
{
    irl__late_padding late = { (int)stbds_arrlen(r->layouts), p->token };
    irl__next(p);
    if (!irl__expect(p, '(', "'(' and the value that padding holds")) return 0;
    if (irl__is_at_map(p)) {
        layout->pad = irl__parse_map(p);
        return layout->pad && irl__expect(p, ')', "')' after the map that gives the value of "
                                                  "padding");
    }
    if (buffer->symbol->binding.kind == IRL__DECLARED_BUFFER) {
        irl__back_to(p, &late.token);
        layout->padding = irl__parse_padding(p, buffer->symbol->binding.buffer->type);
        return layout->padding != NULL;
    }
    irl__parse_skip_param(p);
    return irl__expect(p, ')', "')' after the value that padding holds") &&
           IRL__PUSH(p->cx, r->late, late);
}

/* After the body all buffers are known, and so are the types of what padding holds. */
static int irl__parse_late_padding(irl__parser *p, irl__func_reader *r)
{
    irl__token token = p->token;
    int        ok = 1;
    for (int k = 0; ok && k < (int)stbds_arrlen(r->late); k++) {
        irl__layout      *layout = &r->layouts[r->late[k].layout];
        const irl_buffer *b = irl__func_buffer(r->f, layout->loc, layout->buffer);
        irl__back_to(p, &r->late[k].token);
        layout->padding = b ? irl__parse_padding(p, b->type) : NULL;
        ok = layout->padding != NULL;
    }
    irl__back_to(p, &token);
    return ok;
}

/* layout(name: map, pad(constant or map), assume_injective) */
static int irl__parse_layout(irl__parser *p, irl__func_reader *r)
{
    irl__layout layout;
    int         has_pad = 0;
    memset(&layout, 0, sizeof layout);
    layout.loc = irl__here(p);
    irl__next(p);
    if (!irl__expect(p, '(', "'(' and the name of a buffer")) return 0;
    irl__token name = p->token;
    if (name.kind != IRL__TOKEN_NAME) return irl__unexpected(p, "the name of a buffer");
    layout.buffer = p->token.symbol->text;
    irl__next(p);
    if (!irl__expect(p, ':', "':' and a map")) return 0;
    layout.map = irl__parse_map(p);
    if (!layout.map) return 0;
    while (irl__accept(p, ',')) {
        if (irl__at_word(p, IRL__WORD_PAD) && !has_pad) {
            has_pad = 1;
            if (!irl__parse_layout_padding(p, r, &name, &layout)) return 0;
        } else if (irl__at_word(p, IRL__WORD_ASSUME_INJECTIVE)) {
            layout.assume_injective = 1;
            irl__next(p);
        } else return irl__unexpected(p, "pad(...) or assume_injective");
        if (!irl__ok(p->cx)) return 0;
    }
    return irl__expect(p, ')', "',' or ')' after the map") && IRL__PUSH(p->cx, r->layouts, layout);
}

static int irl__parse_func_attrs(irl__parser *p, irl__func_reader *r)
{
    while (p->token.kind == IRL__TOKEN_NAME) {
        if (irl__at_word(p, IRL__WORD_LAYOUT)) {
            if (!irl__parse_layout(p, r)) return 0;
        } else if (irl__at_word(p, IRL__WORD_ATTR)) {
            if (!irl__parse_annotation_of(p, 1, &r->attrs)) return 0;
        } else if (irl__at_word(p, IRL__WORD_EXTERN)) {
            if (!irl__parse_extern(p, &r->externs)) return 0;
        } else
            return irl__unexpected(p, "layout(...), attr(...), extern and a prototype, or '{' "
                                      "and the body");
    }
    return irl__ok(p->cx);
}

static irl__func_being_read *irl__func_being_read_new(irl_ctx *cx)
{
    irl__func_being_read *f = IRL__SCRATCH(cx, irl__func_being_read, 1);
    /* an empty list is no NULL */
    return f && irl__stack_grow(cx, &f->stmts, 0, &f->stmt_capacity, sizeof *f->stmts) ? f : NULL;
}

/* (params) attributes { body } */
static irl_func *irl__parse_signature(irl__parser *p, const char *name, irl__role role,
                                      uint32_t offset)
{
    irl__func_reader r;
    size_t           scope = irl__scope_open(p);
    memset(&r, 0, sizeof r);
    memset(&p->externs, 0, sizeof p->externs);
    p->func = irl__func_being_read_new(p->cx);
    if (!p->warnings.cx) irl__parse_warnings(p); /* else fn and const before it began to */
    r.f = IRL__NEW(p->cx, irl_func, 1);
    if (!r.f || !name || !p->func || !irl__parse_params(p, &r) || !irl__parse_func_attrs(p, &r))
        return NULL;
    r.f->cx = p->cx;
    r.f->name = name;
    r.f->role = role;
    r.f->loc = irl__loc_at(p, offset);
    IRL__TAKE_LIST(r.f->params, r.f->param_count, r.params);
    p->func->f = r.f;
    r.f->body = irl__parse_braces(p);
    if (role == IRL__PLAIN) r.f->body = irl__reduce_expand(p, r.f->body);
    if (r.f->body) r.f->body = irl__stmt_without_names(p->cx, r.f->body);
    IRL__TAKE_LIST(r.f->layouts, r.f->layout_count, r.layouts);
    IRL__TAKE_LIST(r.f->annotations, r.f->annotation_count, r.attrs);
    IRL__TAKE_LIST(r.f->externs, r.f->extern_count, r.externs);
    p->func_count++;
    if (r.f->body && !irl__parse_late_padding(p, &r)) return NULL;
    irl__scope_close(p, scope);
    if (!r.f->body) return NULL;
    r.f->warnings = irl__parse_warnings_done(p);
    return p->func->sums_into_image ? irl__func_image_sums(r.f, NULL) : r.f;
}

irl_func *irl__parse_named_func(irl__parser *p)
{
    irl__role role = IRL__PLAIN;
    if (irl__accept_word(p, IRL__WORD_HOST)) role = IRL__HOST;
    else if (irl__accept_word(p, IRL__WORD_KERNEL)) role = IRL__KERNEL;
    if (!irl__expect_word(p, IRL__WORD_FUNC, "func, host func or kernel func")) return NULL;
    uint32_t offset = p->token.offset;
    const char *name = irl__expect_symbol(p, "the name of the function");
    return irl__parse_signature(p, name, role, offset);
}

static int irl__parse_module_add(irl__parser *p, irl_module *m, const irl_func ***kernels,
                                 const irl_func *f)
{
    if (f->role == IRL__HOST) {
        if (m->host)
            return irl__fail(p->cx, IRL_ERROR_BAD_STRUCTURE, f->loc,
                             "a module has one host function; '%s' is one already", m->host->name);
        m->host = f;
        return 1;
    }
    if (f->role != IRL__KERNEL)
        return irl__fail(p->cx, IRL_ERROR_BAD_STRUCTURE, f->loc,
                         "a module holds a host func and kernel funcs; '%s' is neither", f->name);
    return IRL__PUSH(p->cx, *kernels, f);
}

static irl_module *irl__parse_named_module(irl__parser *p)
{
    irl_module      *m = IRL__NEW(p->cx, irl_module, 1);
    const irl_func **kernels = NULL;
    uint32_t         offset = p->token.offset;
    if (!m || !irl__parse_definitions(p) || !irl__expect_word(p, IRL__WORD_MODULE, "module"))
        return NULL;
    m->cx = p->cx;
    m->name = irl__expect_symbol(p, "the name of the module");
    if (m->name && irl__accept_word(p, IRL__WORD_TARGET)) {
        if (!irl__expect(p, '(', "'(' and the name of the target")) return NULL;
        m->target = irl__expect_symbol(p, "the name of the target");
        if (!m->target || !irl__expect(p, ')', "')' after the target")) return NULL;
    }
    if (!m->name || !irl__expect(p, '{', "'{' and functions")) return NULL;
    while (p->token.kind != '}') {
        irl_func *f = irl__parse_named_func(p);
        if (!f || !irl__parse_module_add(p, m, &kernels, f)) return NULL;
    }
    irl__next(p);
    IRL__TAKE_LIST(m->kernels, m->kernel_count, kernels);
    if (m->host) return m;
    IRL__FAIL_AT(p, IRL_ERROR_BAD_STRUCTURE, offset, "the module '%s' has no host func", m->name);
    return NULL;
}

/* ------------------------------------------------------------------ entries */

irl_func *irl_func_parse(irl_ctx *cx, const char *text, size_t length, const char *file)
{
    irl__parser p;
    if (!irl__parse_begin_code(&p, cx, text, length, file, 1, 0)) return NULL;
    irl_func *f = irl__parse_definitions(&p) ? irl__parse_named_func(&p) : NULL;
    return irl__parse_end(&p) && f && irl__verify(f) ? f : NULL;
}

irl_module *irl_module_parse(irl_ctx *cx, const char *text, size_t length, const char *file)
{
    irl__parser p;
    if (!irl__parse_begin_code(&p, cx, text, length, file, 1, 0)) return NULL;
    irl_module *m = irl__parse_named_module(&p);
    return irl__parse_end(&p) && m && irl__verify_module(m) ? m : NULL;
}

/* definitions NULL: there are none in another text; constants NULL: there are none. */
static irl_func *irl__parse_kernel(irl_ctx *cx, const irl_source_text *definitions,
                                   const irl_source_text *kernel, const irl_constants *constants)
{
    const irl_source_text *first = definitions ? definitions : kernel;
    irl__parser            p;
    irl_func              *f = NULL;
    if (!irl__parse_text_given(cx, kernel ? kernel->text : NULL)) return NULL;
    if (!kernel->name)
        return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "the kernel has no name"),
               (irl_func *)NULL;
    if (!irl__parse_begin_code(&p, cx, first->text, IRL_TO_NUL, first->file, first->line, 1))
        return NULL;
    int ok = (!constants || irl__parse_bind_constants(&p, constants)) &&
             irl__parse_definitions(&p);
    if (ok && definitions) {
        ok = p.token.kind == IRL__TOKEN_END ? irl__parse_go_on(&p, kernel)
                                            : irl__unexpected(&p, "fn, const, or the end");
        ok = ok && irl__parse_definitions(&p);
    }
    if (ok) f = irl__parse_signature(&p, irl__namez(cx, kernel->name), IRL__PLAIN, 0);
    return irl__parse_end(&p) && f && irl__verify(f) ? f : NULL;
}

irl_func *irl_kernel_let(irl_ctx *cx, const irl_source_text *kernel, irl_constants constants)
{
    return irl__parse_kernel(cx, NULL, kernel, &constants);
}

irl_func *irl_kernel_using(irl_ctx *cx, const irl_source_text *definitions,
                          const irl_source_text *kernel)
{
    return irl__parse_text_given(cx, definitions ? definitions->text : NULL)
               ? irl__parse_kernel(cx, definitions, kernel, NULL)
               : NULL;
}

irl_func *irl_kernel(irl_ctx *cx, const irl_source_text *kernel)
{
    return irl__parse_kernel(cx, NULL, kernel, NULL);
}

/* ------------------------------------------------------------------ const by name */

const char *irl__text_named(irl_ctx *cx, const irl__source *source, const char *value,
                            irl__print_again *again)
{
    irl__text   head;
    const char *named, *back = NULL;
    if (!irl__ok(cx) || !source || source->is_macro) return value;
    const irl_mark mark = irl_ctx_mark(cx);
    irl__text_init(&head, cx);
    cx->named = &head;
    named = again(cx, source->text, source->length);
    cx->named = NULL;
    const char *consts = irl__text_done(&head);
    if (named && *named && consts && *consts) named = irl__format(cx, "%s%s", consts, named);
    if (named && irl__ok(cx)) back = again(cx, named, IRL_TO_NUL);
    if (back && *back && strcmp(back, value) == 0) return named;
    if (cx->diag.code != IRL_ERROR_OUT_OF_MEMORY) irl_ctx_rewind(cx, mark);
    return value;
}

static const char *irl__func_again(irl_ctx *cx, const char *text, size_t length)
{
    return irl_func_text(irl_func_parse(cx, text, length, NULL));
}

const char *irl_func_text_named(const irl_func *f)
{
    return f ? irl__text_named(f->cx, f->loc.source, irl_func_text(f), irl__func_again) : "";
}
