/* read.c - the parts of functions, statements and expressions, for passes, printers and emitters
   outside of the library.

   needs     fields.c, func.c
   promises  NULL, another kind of node, or a number past the end of a list gives NULL, "" or 0;
             nothing fails, allocates or copies */
#include "ir.h"

/* ------------------------------------------------------------------ expressions */

irl_op irl_expr_op(const irl_expr *e) { return e ? (irl_op)e->op : IRL_OP_NONE; }
int    irl_expr_arg_count(const irl_expr *e) { return e ? (int)e->count : 0; }

/* element k of a list; none: there is no such one */
#define IRL__READ_AT(result, name, of, count, value, none) \
    result name(const of *x, int k) { return x && k >= 0 && k < (int)x->count ? (value) : (none); }
IRL__READ_AT(const irl_expr *, irl_expr_arg, irl_expr, count, x->a[k], NULL)

int64_t irl_expr_int_value(const irl_expr *e)
{
    return irl_expr_op(e) == IRL_OP_INT ? e->u.i : 0;
}

double irl_expr_float_value(const irl_expr *e)
{
    return irl_expr_op(e) == IRL_OP_FLOAT ? e->u.f : 0;
}

const char *irl_expr_name(const irl_expr *e)
{
    const irl_op op = irl_expr_op(e);
    return op == IRL_OP_VAR || op == IRL_OP_CALL_EXTERN || op == IRL_OP_CALL_INTRINSIC ? e->u.name
                                                                                      : "";
}

const irl_buffer *irl_expr_buffer(const irl_expr *e)
{
    return irl_expr_op(e) == IRL_OP_LOAD ? e->u.buffer : NULL;
}

int irl_expr_pick(const irl_expr *e, int k)
{
    return irl_expr_op(e) == IRL_OP_SHUFFLE && k >= 0 && (uint32_t)k < e->type.lanes ? e->u.picks[k]
                                                                                     : 0;
}

/* ------------------------------------------------------------------ buffers */

static int irl__read_place(irl_ctx *cx, const irl_loc *where, irl_place *out)
{
    if (!out) return 0;
    out->file = "";
    out->line = out->column = 0;
    if (!cx || !where || !where->source) return 0;
    irl__loc_place(cx, *where, &out->file, &out->line, &out->column);
    return 1;
}

const char *irl_buffer_name(const irl_buffer *b) { return b ? b->name : ""; }
irl_type    irl_buffer_type(const irl_buffer *b) { return b ? b->type : irl_type_of(IRL_BOOL, 1); }
int irl_buffer_bits(const irl_buffer *b, irl_bit_element *out)
{
    if (out) memset(out, 0, sizeof *out);
    if (!b || !b->bits) return 0;
    if (out) {
        out->type = b->type;
        out->bits = b->bits;
        out->order = b->bit_order;
        out->norm = b->norm;
    }
    return 1;
}
irl_scope   irl_buffer_scope(const irl_buffer *b) { return b ? b->scope : IRL_SCOPE_GLOBAL; }
int         irl_buffer_rank(const irl_buffer *b) { return b ? b->rank : 0; }

IRL__READ_AT(const irl_expr *, irl_buffer_extent, irl_buffer, rank, x->shape[k], NULL)
IRL__READ_AT(const irl_expr *, irl_buffer_stride, irl_buffer, rank,
             x->strides ? x->strides[k] : NULL, NULL)

const irl_expr *irl_buffer_offset(const irl_buffer *b) { return b ? b->offset : NULL; }
int             irl_buffer_alignment(const irl_buffer *b) { return b ? (int)b->alignment : 0; }
int             irl_buffer_separator_count(const irl_buffer *b)
{
    return b ? b->separator_count : 0;
}
IRL__READ_AT(int, irl_buffer_separator, irl_buffer, separator_count, x->separators[k], 0)

int irl_buffer_texel(const irl_buffer *b) { return b ? b->texel : 0; }

int irl_buffer_place(irl_ctx *cx, const irl_buffer *b, irl_place *out)
{
    return irl__read_place(cx, b ? &b->loc : NULL, out);
}

/* ------------------------------------------------------------------ statements */

irl_stmt_kind irl_stmt_kind_of(const irl_stmt *s)
{
    return s ? (irl_stmt_kind)s->kind : IRL_STMT_NONE;
}

int irl_stmt_child_count(const irl_stmt *s)
{
    int count = 0;
    if (irl_stmt_kind_of(s) == IRL_STMT_SEQ) return s->u.seq.count;
    while (s && irl__stmt_part(s, count)) count++;
    return count;
}

const irl_stmt *irl_stmt_child(const irl_stmt *s, int k)
{
    return s && k >= 0 ? irl__stmt_part(s, k) : NULL;
}

const irl_stmt *irl_stmt_body(const irl_stmt *s)
{
    switch (irl_stmt_kind_of(s)) {
    case IRL_STMT_FOR: return s->u.loop.body;
    case IRL_STMT_BLOCK: return s->u.block->body;
    case IRL_STMT_ATTR: return s->u.attr.body;
    default: return NULL;
    }
}

/* what statements of one kind have */
#define IRL__READ_STMT(result, name, kind, value, none) \
    result name(const irl_stmt *s) { return irl_stmt_kind_of(s) == (kind) ? (value) : (none); }
IRL__READ_STMT(const irl_stmt *, irl_stmt_then, IRL_STMT_IF, s->u.branch.then_, NULL)
IRL__READ_STMT(const irl_stmt *, irl_stmt_else, IRL_STMT_IF, s->u.branch.else_, NULL)
IRL__READ_STMT(irl_for_kind, irl_stmt_for_kind, IRL_STMT_FOR, s->u.loop.kind, IRL_SERIAL)
IRL__READ_STMT(const irl_expr *, irl_stmt_min, IRL_STMT_FOR, s->u.loop.min, NULL)
IRL__READ_STMT(const irl_expr *, irl_stmt_extent, IRL_STMT_FOR, s->u.loop.extent, NULL)
IRL__READ_STMT(const irl_block_desc *, irl_stmt_block_desc, IRL_STMT_BLOCK, s->u.block, NULL)
IRL__READ_STMT(irl_scope, irl_stmt_scope, IRL_STMT_BARRIER, s->u.barrier.scope, IRL_SCOPE_GLOBAL)
IRL__READ_STMT(const char *, irl_stmt_message, IRL_STMT_ASSERT,
               irl__text_or_empty(s->u.check.message), "")

irl_axis irl_stmt_axis(const irl_stmt *s)
{
    return irl_stmt_for_kind(s) == IRL_BOUND ? s->u.loop.axis : IRL_GROUP_X;
}

const irl_expr *irl_stmt_var(const irl_stmt *s)
{
    const irl_stmt_kind kind = irl_stmt_kind_of(s);
    return kind == IRL_STMT_FOR ? s->u.loop.var : kind == IRL_STMT_LET ? s->u.let.var : NULL;
}

const irl_expr *irl_stmt_value(const irl_stmt *s)
{
    switch (irl_stmt_kind_of(s)) {
    case IRL_STMT_LET: return s->u.let.value;
    case IRL_STMT_STORE: return s->u.store.value;
    case IRL_STMT_EVALUATE: return s->u.evaluate.value;
    default: return NULL;
    }
}

const irl_expr *irl_stmt_condition(const irl_stmt *s)
{
    switch (irl_stmt_kind_of(s)) {
    case IRL_STMT_IF: return s->u.branch.condition;
    case IRL_STMT_ASSUME:
    case IRL_STMT_ASSERT: return s->u.check.condition;
    default: return NULL;
    }
}

const irl_buffer *irl_stmt_buffer(const irl_stmt *s)
{
    switch (irl_stmt_kind_of(s)) {
    case IRL_STMT_STORE: return s->u.store.buffer;
    case IRL_STMT_ALLOC:
    case IRL_STMT_DECL: return s->u.alloc.buffer;
    default: return NULL;
    }
}

static const irl_expr *const *irl__read_args(const irl_stmt *s, int *count)
{
    *count = 0;
    switch (irl_stmt_kind_of(s)) {
    case IRL_STMT_STORE: *count = s->u.store.buffer->rank; return s->u.store.indices;
    case IRL_STMT_LAUNCH: *count = s->u.launch.count; return s->u.launch.args;
    case IRL_STMT_ASSERT: *count = s->u.check.value_count; return s->u.check.values;
    default: return NULL;
    }
}

int irl_stmt_arg_count(const irl_stmt *s)
{
    int count;
    irl__read_args(s, &count);
    return count;
}

const irl_expr *irl_stmt_arg(const irl_stmt *s, int k)
{
    int                    count;
    const irl_expr *const *args = irl__read_args(s, &count);
    return k >= 0 && k < count ? args[k] : NULL;
}

const char *irl_stmt_name(const irl_stmt *s)
{
    const irl_stmt_kind kind = irl_stmt_kind_of(s);
    return kind == IRL_STMT_BLOCK    ? s->u.block->name
           : kind == IRL_STMT_LAUNCH ? s->u.launch.kernel
                                     : "";
}

static const irl_note *irl__read_notes(const irl_stmt *s, int *count)
{
    *count = 0;
    switch (irl_stmt_kind_of(s)) {
    case IRL_STMT_FOR: *count = s->u.loop.annotation_count; return s->u.loop.annotations;
    case IRL_STMT_BLOCK: *count = s->u.block->note_count; return s->u.block->notes;
    case IRL_STMT_ATTR: *count = 1; return &s->u.attr.annotation;
    default: return NULL;
    }
}

int irl_stmt_note_count(const irl_stmt *s)
{
    int count;
    irl__read_notes(s, &count);
    return count;
}

const irl_note *irl_stmt_note(const irl_stmt *s, int k)
{
    int             count;
    const irl_note *notes = irl__read_notes(s, &count);
    return k >= 0 && k < count ? &notes[k] : NULL;
}

int irl_stmt_place(irl_ctx *cx, const irl_stmt *s, irl_place *out)
{
    return irl__read_place(cx, s ? &s->loc : NULL, out);
}

uint32_t irl_stmt_id(const irl_stmt *s) { return s ? s->id : 0; }

/* ------------------------------------------------------------------ maps */

IRL__READ_AT(const irl_expr *, irl_map_input, irl_map, input_count, x->inputs[k], NULL)
IRL__READ_AT(const irl_expr *, irl_map_output, irl_map, output_count, x->outputs[k], NULL)

int irl_map_rest_input(const irl_map *map) { return map && map->variadic ? map->variadic_in : -1; }
int irl_map_rest_output(const irl_map *map)
{
    return map && map->variadic ? map->variadic_out : -1;
}

/* ------------------------------------------------------------------ functions and modules */

const char     *irl_func_name(const irl_func *f) { return f ? f->name : ""; }
irl_role        irl_func_role(const irl_func *f) { return f ? f->role : IRL_ROLE_PLAIN; }
const irl_stmt *irl_func_body(const irl_func *f) { return f ? f->body : NULL; }

int irl_func_param_count(const irl_func *f) { return f ? f->param_count : 0; }

#define IRL__READ_PARAM(result, name, value, none) \
    IRL__READ_AT(result, name, irl_func, param_count, x->params[k].value, none)
IRL__READ_PARAM(const char *, irl_func_param_name, name, NULL)
IRL__READ_PARAM(const irl_expr *, irl_func_param_scalar, buffer ? NULL : x->params[k].var, NULL)
IRL__READ_PARAM(const irl_buffer *, irl_func_param_buffer, buffer, NULL)
IRL__READ_PARAM(int, irl_func_param_is_implicit, is_implicit, 0)
IRL__READ_PARAM(const irl_map *, irl_func_param_map, map, NULL)
IRL__READ_PARAM(const irl_expr *, irl_func_param_padding, padding, NULL)

int irl_func_param_is_buffer(const irl_func *f, int k)
{
    return irl_func_param_buffer(f, k) != NULL;
}

int irl_func_param_logical_rank(const irl_func *f, int k)
{
    return irl_func_param_is_buffer(f, k) ? f->params[k].logical_rank : 0;
}

const irl_expr *irl_func_param_logical_extent(const irl_func *f, int k, int axis)
{
    return axis >= 0 && axis < irl_func_param_logical_rank(f, k) ? f->params[k].logical_shape[axis]
                                                                 : NULL;
}

int irl_func_layout_count(const irl_func *f) { return f ? f->layout_count : 0; }

#define IRL__READ_LAYOUT(result, name, value, none) \
    IRL__READ_AT(result, name, irl_func, layout_count, x->layouts[k].value, none)
IRL__READ_LAYOUT(const char *, irl_func_layout_buffer, buffer, "")
IRL__READ_LAYOUT(const irl_map *, irl_func_layout_map, map, NULL)
IRL__READ_LAYOUT(const irl_expr *, irl_func_layout_padding, padding, NULL)
IRL__READ_LAYOUT(int, irl_func_layout_is_assumed, assume_injective, 0)

int irl_func_attr_count(const irl_func *f) { return f ? f->annotation_count : 0; }

IRL__READ_AT(const irl_extern_desc *, irl_func_extern, irl_func, extern_count, &x->externs[k].is,
             NULL)
IRL__READ_AT(const irl_record_field *, irl_record_field_at, irl_record, count, &x->fields[k], NULL)
IRL__READ_AT(const irl_note *, irl_func_attr, irl_func, annotation_count, &x->annotations[k], NULL)

const char     *irl_module_name(const irl_module *m) { return m ? m->name : ""; }
const char     *irl_module_target(const irl_module *m) { return m && m->target ? m->target : ""; }
const irl_func *irl_module_host(const irl_module *m) { return m ? m->host : NULL; }
int             irl_module_kernel_count(const irl_module *m) { return m ? m->kernel_count : 0; }

IRL__READ_AT(const irl_func *, irl_module_kernel, irl_module, kernel_count, x->kernels[k], NULL)
