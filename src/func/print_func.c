/* print_func.c - writing statements, functions and modules in the language of docs/grammar.md.

   needs     ../text/print_expr.c
   promises  parsing the text of a function gives an equal one: an operator that binds less than its
             place requires is in parentheses, a constant says its type if its place does not, a
             name that another thing in scope has gets _1, _2, ..., and a name that is no identifier
             is put into back quotes; time linear in the text */
#include "func.h"
#include "../text/print.h"

#define IRL__PRINT_LONG_LINE 100

static void irl__print_annotation(irl__printer *p, const irl__annotation *a)
{
    if (a->value) irl__printf(p, "(%n = %e)", a->key, a->value);
    else irl__printf(p, "(%n = %q)", a->key, a->text ? a->text : "");
}

/* -------------------------------------------------------- statements: each a line of its own */

static void irl__print_stmt_at(irl__printer *p, const irl_stmt *s, int indent);

/* How many of the statements are the fields of one record, all of them, of memory that has a name;
   0: none. */
static int irl__print_record_fields(const irl__printer *p, int count, const irl_stmt *const *stmts)
{
    const irl_buffer *first = stmts[0]->kind == IRL__DECL ? stmts[0]->u.alloc.buffer : NULL, *b;
    const irl_record *r = first ? first->record : NULL;
    if (!r || count < r->count || !irl__ptr_map_get(&p->names, first->data)) return 0;
    int outer = first->rank - r->fields[0].rank;
    for (int k = 0; k < r->count; k++) {
        b = stmts[k]->kind == IRL__DECL ? stmts[k]->u.alloc.buffer : NULL;
        if (!b || b->record != r || b->record_field != k || b->data != first->data ||
            b->rank - r->fields[k].rank != outer || !irl__record_is_view(b) ||
            !irl__exprs_equal(outer, b->shape, first->shape))
            return 0;
    }
    return r->count;
}

/* Whether the name that b got is the one that its record's text gives it. */
static int irl__print_is_record_name(irl__printer *p, const irl_buffer *b)
{
    const irl__print_name *n = (const irl__print_name *)irl__ptr_map_get(&p->names, b);
    const char            *name = irl__format(p->cx, "%s_%s", b->record->name,
                                              b->record->fields[b->record_field].name);
    if (name) name = irl__symbol_text(p->cx, name);
    return n && name && strcmp(n->text, name) == 0;
}

/* The fields of a record: as one, if their names are those that reading it would give them. */
static void irl__print_record_stmts(irl__printer *p, int count, const irl_stmt *const *stmts,
                                    int indent)
{
    int is_whole = 1;
    for (int k = 0; k < count; k++) {
        irl__print_declare_buffer(p, stmts[k]->u.alloc.buffer, 0);
        is_whole &= irl__print_is_record_name(p, stmts[k]->u.alloc.buffer);
    }
    if (is_whole) {
        /* The record of which b is the first field, and the end of the line. */
        const irl_buffer *b = stmts[0]->u.alloc.buffer;
        const irl_record *r = b->record;
        const int         outer = b->rank - r->fields[0].rank;
        irl__printf(p, "%irecord %n", indent, r->name);
        if (outer) irl__printf(p, "[%x]", outer, b->shape);
        irl__print_record_rest(p->t, r, p, b->data);
        irl__text_putc(p->t, '\n');
        return;
    }
    for (int k = 0; k < count; k++) {
        irl__printf(p, "%idecl ", indent);
        irl__print_named_buffer(p, stmts[k]->u.alloc.buffer, 1);
        irl__text_puts(p->t, ";\n");
    }
}

static void irl__print_stmts(irl__printer *p, const irl_stmt *s, int indent)
{
    if (s->kind != IRL__SEQ) {
        irl__print_stmt_at(p, s, indent);
        return;
    }
    for (int k = 0; k < s->u.seq.count; k++) {
        const int fields = irl__print_record_fields(p, s->u.seq.count - k, s->u.seq.stmts + k);
        if (fields) irl__print_record_stmts(p, fields, s->u.seq.stmts + k, indent);
        else irl__print_stmt_at(p, s->u.seq.stmts[k], indent);
        k += fields ? fields - 1 : 0;
    }
}

/* " {", the statements, and "}", which ends the line if nothing more comes. */
static void irl__print_braces(irl__printer *p, const irl_stmt *s, int indent)
{
    size_t mark = irl__print_open(p);
    irl__text_puts(p->t, "{\n");
    irl__print_stmts(p, s, indent + 1);
    irl__printf(p, "%i}", indent);
    irl__print_close(p, mark);
}

static int irl__print_needs_braces(const irl_stmt *s)
{
    return s->kind == IRL__SEQ || s->kind == IRL__LET || s->kind == IRL__ALLOC ||
           s->kind == IRL__DECL;
}

/* What belongs to the line before: in braces behind it, or on the next line. */
static void irl__print_body(irl__printer *p, const irl_stmt *s, int indent)
{
    size_t mark = irl__print_open(p);
    if (irl__print_needs_braces(s)) {
        irl__text_putc(p->t, ' ');
        irl__print_braces(p, s, indent);
        irl__text_putc(p->t, '\n');
    } else {
        irl__text_putc(p->t, '\n');
        irl__print_stmt_at(p, s, indent + 1);
    }
    irl__print_close(p, mark);
}

/* i: extent, i: lo .. hi, or, where no end can be read off, i: lo .. + extent. */
static void irl__print_range(irl__printer *p, const irl_stmt *s)
{
    const irl_expr *min = s->u.loop.min, *extent = s->u.loop.extent;
    int64_t         end;
    irl__printf(p, "%d: ", s->u.loop.var);
    if (irl__is_int(min, 0)) {
        irl__print_any(p, extent);
        return;
    }
    irl__printf(p, "%e .. ", min);
    if (min->op == IRL_OP_INT && extent->op == IRL_OP_INT &&
        irl__add64(min->u.i, extent->u.i, &end)) {
        if (!irl__print_const_name(p, extent, IRL__PLACE_NONE, 1)) irl__text_int(p->t, end);
    }
    else if (extent->op == IRL_OP_SUB && extent->a[1] == min &&
             !(min->op == IRL_OP_INT && extent->a[0]->op == IRL_OP_INT))
        irl__print_any(p, extent->a[0]);
    else irl__printf(p, "+ %e", extent);
}

/* How many are written as notes: a label is none. */
static int irl__print_note_count(const irl_stmt *s)
{
    return s->u.loop.annotation_count - (irl__stmt_label(s) != NULL);
}

/* Loops that stand in each other and differ in nothing but their ranges share one header. */
static int irl__print_joins(const irl_stmt *s)
{
    const irl_stmt *inner = s->u.loop.body;
    return inner->kind == IRL__FOR && s->u.loop.kind != IRL_BOUND &&
           inner->u.loop.kind == s->u.loop.kind && irl__print_note_count(s) == 0 &&
           !irl__stmt_label(inner);
}

static void irl__print_for(irl__printer *p, const irl_stmt *s, int indent)
{
    size_t mark = irl__print_open(p);
    if (irl__stmt_label(s)) irl__printf(p, "%n: ", irl__stmt_label(s));
    irl__textf(p->t, "for %s", irl_for_kind_text(s->u.loop.kind));
    if (s->u.loop.kind == IRL_BOUND) irl__textf(p->t, "(%s)", irl_axis_text(s->u.loop.axis));
    irl__text_puts(p->t, s->u.loop.kind == IRL_SERIAL ? "(" : " (");
    irl__print_range(p, s);
    for (; irl__print_joins(s); s = s->u.loop.body) {
        irl__text_puts(p->t, ", ");
        irl__print_range(p, s->u.loop.body);
    }
    irl__text_putc(p->t, ')');
    for (int k = 0; k < irl__print_note_count(s); k++) {
        irl__text_puts(p->t, " note");
        irl__print_annotation(p, &s->u.loop.annotations[k]);
    }
    irl__print_body(p, s->u.loop.body, indent);
    irl__print_close(p, mark);
}

/* With an else behind it, all but a plain line stands in braces, so that the else finds its if. */
static void irl__print_if(irl__printer *p, const irl_stmt *s, int indent)
{
    const irl_stmt *then_ = s->u.branch.then_, *else_ = s->u.branch.else_;
    int nests = then_->kind == IRL__IF || then_->kind == IRL__FOR || then_->kind == IRL__ATTR;
    irl__printf(p, "if (%e)", s->u.branch.condition);
    if (!else_) {
        irl__print_body(p, then_, indent);
        return;
    }
    if (nests || irl__print_needs_braces(then_)) {
        irl__text_putc(p->t, ' ');
        irl__print_braces(p, then_, indent);
        irl__text_putc(p->t, ' ');
    } else {
        irl__print_body(p, then_, indent);
        irl__printf(p, "%i", indent);
    }
    irl__text_puts(p->t, "else");
    if (else_->kind == IRL__IF) {
        irl__text_putc(p->t, ' ');
        irl__print_if(p, else_, indent);
    } else irl__print_body(p, else_, indent);
}

static void irl__print_region(irl__printer *p, const irl__region *r)
{
    irl__printf(p, "%b[", r->buffer);
    for (int k = 0; k < r->buffer->rank; k++) {
        irl__printf(p, k ? ", %e" : "%e", r->min[k]);
        if (!irl__is_int(r->extent[k], 1)) irl__printf(p, ": %e", r->extent[k]);
    }
    irl__text_putc(p->t, ']');
}

static void irl__print_regions(irl__printer *p, const char *word, int count,
                               const irl__region *regions, int indent)
{
    if (!count) return;
    irl__printf(p, "\n%i%s(", indent, word);
    for (int k = 0; k < count; k++) {
        if (k) irl__text_puts(p->t, ", ");
        irl__print_region(p, &regions[k]);
    }
    irl__text_putc(p->t, ')');
}

/* The clauses behind the axes, each on a line; returns whether there are any. */
static int irl__print_block_head(irl__printer *p, const irl__block_data *b, int indent)
{
    if (b->predicate) irl__printf(p, "\n%iwhere(%e)", indent + 1, b->predicate);
    irl__print_regions(p, "reads", b->read_count, b->reads, indent + 1);
    irl__print_regions(p, "writes", b->write_count, b->writes, indent + 1);
    for (int k = 0; k < b->note_count; k++) {
        irl__printf(p, "\n%inote", indent + 1);
        irl__print_annotation(p, &b->notes[k]);
    }
    return b->predicate || b->read_count || b->write_count || b->note_count;
}

static void irl__print_block_body(irl__printer *p, const irl__block_data *b, int indent)
{
    const irl_stmt *first =
        b->body->kind == IRL__SEQ && b->body->u.seq.count ? b->body->u.seq.stmts[0] : b->body;
    for (int k = 0; k < b->alloc_count; k++)
        irl__printf(p, "%ialloc %D;\n", indent, b->allocs[k]);
    for (int k = 0; k < b->match_count; k++) {
        irl__printf(p, "%imatch %D = ", indent, b->matches[k].buffer);
        irl__print_region(p, &b->matches[k].source);
        irl__text_puts(p->t, ";\n");
    }
    if (b->init) {
        irl__printf(p, "%iinit", indent);
        irl__print_body(p, b->init, indent);
    }
    if (first->kind == IRL__ALLOC) { /* not one of the block's own */
        irl__printf(p, "%i", indent);
        irl__print_braces(p, b->body, indent);
        irl__text_putc(p->t, '\n');
    } else irl__print_stmts(p, b->body, indent);
}

static void irl__print_block(irl__printer *p, const irl_stmt *s, int indent)
{
    const irl__block_data *b = s->u.block;
    size_t                 mark = irl__print_open(p);
    irl__printf(p, "block %n(", b->name);
    for (int k = 0; k < b->axis_count; k++) {
        const irl__axis *a = &b->axes[k];
        irl__printf(p, k ? ", %d: " : "%d: ", a->var);
        irl__printf(p, a->is_unstated ? "%e = %e" : a->is_reduction ? "reduce(%e) = %e"
                                                                    : "spatial(%e) = %e",
                    a->extent, a->binding);
    }
    irl__text_putc(p->t, ')');
    if (irl__print_block_head(p, b, indent)) irl__printf(p, "\n%i{\n", indent);
    else irl__text_puts(p->t, " {\n");
    irl__print_block_body(p, b, indent + 1);
    irl__printf(p, "%i}\n", indent);
    irl__print_close(p, mark);
}

static void irl__print_check(irl__printer *p, const irl_stmt *s)
{
    irl__printf(p, s->kind == IRL__ASSUME ? "assume(%e" : "assert(%e, %q", s->u.check.condition,
                s->u.check.message ? s->u.check.message : "");
    for (int k = 0; s->kind == IRL__ASSERT && k < s->u.check.value_count; k++)
        irl__printf(p, ", %e", s->u.check.values[k]);
    irl__text_puts(p->t, ");\n");
}

static void irl__print_stmt_at(irl__printer *p, const irl_stmt *s, int indent)
{
    irl__printf(p, "%i", indent);
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ:
        irl__print_braces(p, s, indent);
        irl__text_putc(p->t, '\n');
        break;
    case IRL__FOR: irl__print_for(p, s, indent); break;
    case IRL__BLOCK: irl__print_block(p, s, indent); break;
    case IRL__IF: irl__print_if(p, s, indent); break;
    case IRL__LET: irl__printf(p, "let %d = %e;\n", s->u.let.var, s->u.let.value); break;
    case IRL__STORE: {
        const irl_buffer *b = s->u.store.buffer;
        irl__printf(p, "%b[%x] = %c;\n", b, b->rank, s->u.store.indices, s->u.store.value);
    } break;
    case IRL__ALLOC:
    case IRL__DECL:
        irl__printf(p, s->kind == IRL__ALLOC ? "alloc %D;\n" : "decl %D;\n", s->u.alloc.buffer);
        break;
    case IRL__ASSUME:
    case IRL__ASSERT: irl__print_check(p, s); break;
    case IRL__BARRIER:
        irl__textf(p->t, "barrier(%s);\n", irl__scope_text(s->u.barrier.scope));
        break;
    case IRL__EVALUATE:
        irl__printf(p, "evaluate %e;\n", s->u.evaluate.value);
        break;
    case IRL__ATTR:
        irl__text_puts(p->t, "attr");
        irl__print_annotation(p, &s->u.attr.annotation);
        irl__print_body(p, s->u.attr.body, indent);
        break;
    case IRL__LAUNCH:
        irl__printf(p, "launch %n(%l);\n", s->u.launch.kernel, s->u.launch.count,
                    s->u.launch.args);
        break;
    case IRL__STMT_KIND_COUNT: break;
    }
}

/* ------------------------------------------------------------------ functions and modules */

/* The names of parameters are given before, because a shape may name one that stands behind it. */
static void irl__print_param(irl__printer *p, const irl__param *param)
{
    if (!param->buffer) {
        irl__printf(p, "%v: %t", param->var, param->var->type);
        if (param->is_implicit) irl__text_puts(p->t, " implicit");
        return;
    }
    irl__print_named_buffer(p, param->buffer, 0);
    if (!param->map && !param->padding && param->logical_rank == param->buffer->rank &&
        irl__exprs_equal(param->logical_rank, param->logical_shape, param->buffer->shape))
        return;
    irl__printf(p, " logical([%x]", param->logical_rank, param->logical_shape);
    if (param->map) irl__printf(p, ", %m", param->map);
    if (param->padding) irl__printf(p, ", pad(%c)", param->padding);
    irl__text_putc(p->t, ')');
}

static void irl__print_params_with(irl__printer *p, const irl_func *f, int indent, int one_per_line)
{
    irl__text_putc(p->t, '(');
    for (int k = 0; k < f->param_count; k++) {
        if (k) irl__text_putc(p->t, ',');
        if (one_per_line) irl__printf(p, "\n%i", indent + 1);
        else if (k) irl__text_putc(p->t, ' ');
        irl__print_param(p, &f->params[k]);
    }
    irl__text_putc(p->t, ')');
}

/* On one line, or each on its own where the line would get long. */
static void irl__print_params(irl__printer *p, const irl_func *f, int indent)
{
    size_t start = p->t->length;
    irl__print_params_with(p, f, indent, 0);
    if (f->param_count < 2 || p->t->failed || p->t->length - start < IRL__PRINT_LONG_LINE) return;
    p->t->length = start;
    irl__print_params_with(p, f, indent, 1);
}

static const irl_buffer *irl__print_param_named(const irl_func *f, const char *name)
{
    for (int k = 0; k < f->param_count; k++)
        if (f->params[k].buffer && strcmp(f->params[k].name, name) == 0) return f->params[k].buffer;
    return NULL;
}

static void irl__print_touched(irl__printer *p, int is_said, const char *word,
                               const irl_expr *count)
{
    if (is_said) irl__printf(p, count ? " %s(%e)" : " %s", word, count);
}

/* The names of its parameters are its own: nothing around has a name there. */
static void irl__print_extern(irl__text *t, irl_ctx *cx, const irl_extern_desc *x)
{
    irl__printer p;
    irl__printer_init(&p, t, cx);
    for (int k = 0; k < x->count; k++)
        irl__print_declare(&p, x->params[k].var, x->params[k].var->u.name, 0);
    irl__printf(&p, "extern %n(", x->name);
    for (int k = 0; k < x->count; k++) {
        const irl_extern_param *param = &x->params[k];
        irl__printf(&p, k ? ", %v: %t" : "%v: %t", param->var, param->var->type);
        irl__print_touched(&p, param->reads, "reads", param->read_count);
        irl__print_touched(&p, param->writes, "writes", param->write_count);
    }
    irl__printf(&p, "): %t", x->type);
    if (x->is_pure) irl__text_puts(t, " pure");
}

static void irl__print_func_attrs(irl__printer *p, const irl_func *f, int indent)
{
    int any = f->layout_count + f->annotation_count + f->extern_count;
    for (int k = 0; k < f->layout_count; k++) {
        const irl_buffer *b = irl__print_param_named(f, f->layouts[k].buffer);
        irl__printf(p, "\n%ilayout(", indent + 1);
        if (b) irl__print_buffer_name(p, b);
        else irl__print_symbol(p->t, f->layouts[k].buffer);
        irl__printf(p, ": %m", f->layouts[k].map);
        if (f->layouts[k].padding) irl__printf(p, ", pad(%e)", f->layouts[k].padding);
        if (f->layouts[k].pad) irl__printf(p, ", pad(%m)", f->layouts[k].pad);
        if (f->layouts[k].assume_injective) irl__text_puts(p->t, ", assume_injective");
        irl__text_putc(p->t, ')');
    }
    for (int k = 0; k < f->annotation_count; k++) {
        irl__printf(p, "\n%iattr", indent + 1);
        irl__print_annotation(p, &f->annotations[k]);
    }
    for (int k = 0; k < f->extern_count; k++) {
        irl__printf(p, "\n%i", indent + 1);
        irl__print_extern(p->t, p->cx, &f->externs[k].is);
    }
    irl__printf(p, any ? "\n%i" : " ", indent);
}

static void irl__print_func_with(irl__printer *p, const irl_func *f, int indent)
{
    static const char *const roles[] = { "", "host ", "kernel " };
    size_t       mark = irl__print_open(p);
    p->func = f;
    irl__printf(p, "%i%sfunc %n", indent, roles[f->role], f->name);
    for (int k = 0; k < f->param_count; k++) {
        if (f->params[k].buffer) irl__print_declare_buffer(p, f->params[k].buffer, 0);
        else irl__print_declare(p, f->params[k].var, f->params[k].var->u.name, 0);
    }
    irl__print_params(p, f, indent);
    irl__print_func_attrs(p, f, indent);
    irl__print_braces(p, f->body, indent);
    irl__text_putc(p->t, '\n');
    irl__print_close(p, mark);
}

/* ------------------------------------------------------------------ entries */

void irl__print_buffer(irl__text *t, const irl_buffer *b)
{
    irl__printer    p;
    irl__arena_mark mark = irl__print_begin(&p, t, t->cx);
    irl__printf(&p, "%D", b);
    irl__print_end(&p, mark);
}

void irl__print_func_at(irl__text *t, const irl_func *f, int indent)
{
    irl__printer    p;
    irl__arena_mark mark = irl__print_begin(&p, t, f->cx);
    irl__print_func_with(&p, f, indent);
    irl__print_end(&p, mark);
}

void irl__print_func(irl__text *t, const irl_func *f) { irl__print_func_at(t, f, 0); }

int irl__print_names(const irl_func *f, int count, const irl_expr *const *vars, const char **names)
{
    irl__text    t;
    irl__printer p;
    irl__text_init(&t, f->cx);
    irl__arena_mark mark = irl__print_begin(&p, &t, f->cx);
    irl__print_func_with(&p, f, 0);
    for (int k = 0; k < count; k++) {
        const irl__print_name *n = (const irl__print_name *)irl__ptr_map_get(&p.names, vars[k]);
        names[k] = n ? n->text : vars[k]->u.name;
    }
    irl__print_end(&p, mark);
    return irl__text_done(&t) != NULL;
}

const char *irl_func_text(const irl_func *f)
{
    irl__text t;
    if (!f) return "";
    irl__text_init(&t, f->cx);
    irl__print_func(&t, f);
    return irl__text_or_empty(irl__text_done(&t));
}

const char *irl_module_text(const irl_module *m)
{
    irl__text t;
    if (!m) return "";
    irl__text_init(&t, m->cx);
    irl__printer    p;
    irl__arena_mark mark = irl__print_begin(&p, &t, m->cx);
    irl__printf(&p, "module %n", m->name);
    if (m->target) irl__printf(&p, " target(%n)", m->target);
    irl__text_puts(&t, " {\n");
    if (m->host) irl__print_func_with(&p, m->host, 1);
    for (int k = 0; k < m->kernel_count; k++) {
        irl__text_putc(&t, '\n');
        irl__print_func_with(&p, m->kernels[k], 1);
    }
    irl__text_puts(&t, "}\n");
    irl__print_end(&p, mark);
    return irl__text_or_empty(irl__text_done(&t));
}
