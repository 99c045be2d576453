/* read.c - the parts of functions, statements and expressions, for passes, printers and emitters
   outside of the library.

   needs     fields.c, func.c
   promises  NULL, another kind of node, or a number past the end of a list gives NULL, "" or 0;
             nothing fails, allocates or copies */
#include "ir.h"

/* ------------------------------------------------------------------ expressions */

irl_op irl_expr_op(const irl_expr *e) { return e ? (irl_op)e->op : IRL_OP_NONE; }
int    irl_expr_arg_count(const irl_expr *e) { return e ? (int)e->count : 0; }

const irl_expr *irl_expr_arg(const irl_expr *e, int k)
{
    return e && k >= 0 && (uint32_t)k < e->count ? e->a[k] : NULL;
}

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

const irl_expr *irl_buffer_extent(const irl_buffer *b, int axis)
{
    return b && axis >= 0 && axis < b->rank ? b->shape[axis] : NULL;
}

const irl_expr *irl_buffer_stride(const irl_buffer *b, int axis)
{
    return b && b->strides && axis >= 0 && axis < b->rank ? b->strides[axis] : NULL;
}

const irl_expr *irl_buffer_offset(const irl_buffer *b) { return b ? b->offset : NULL; }
int             irl_buffer_alignment(const irl_buffer *b) { return b ? (int)b->alignment : 0; }
int             irl_buffer_separator_count(const irl_buffer *b)
{
    return b ? b->separator_count : 0;
}

int irl_buffer_separator(const irl_buffer *b, int k)
{
    return b && k >= 0 && k < b->separator_count ? b->separators[k] : 0;
}

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

const irl_stmt *irl_stmt_then(const irl_stmt *s)
{
    return irl_stmt_kind_of(s) == IRL_STMT_IF ? s->u.branch.then_ : NULL;
}

const irl_stmt *irl_stmt_else(const irl_stmt *s)
{
    return irl_stmt_kind_of(s) == IRL_STMT_IF ? s->u.branch.else_ : NULL;
}

irl_for_kind irl_stmt_for_kind(const irl_stmt *s)
{
    return irl_stmt_kind_of(s) == IRL_STMT_FOR ? s->u.loop.kind : IRL_SERIAL;
}

irl_axis irl_stmt_axis(const irl_stmt *s)
{
    return irl_stmt_for_kind(s) == IRL_BOUND ? s->u.loop.axis : IRL_GROUP_X;
}

const irl_expr *irl_stmt_min(const irl_stmt *s)
{
    return irl_stmt_kind_of(s) == IRL_STMT_FOR ? s->u.loop.min : NULL;
}

const irl_expr *irl_stmt_extent(const irl_stmt *s)
{
    return irl_stmt_kind_of(s) == IRL_STMT_FOR ? s->u.loop.extent : NULL;
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

const char *irl_stmt_message(const irl_stmt *s)
{
    const int has = irl_stmt_kind_of(s) == IRL_STMT_ASSERT && s->u.check.message;
    return has ? s->u.check.message : "";
}

irl_scope irl_stmt_scope(const irl_stmt *s)
{
    return irl_stmt_kind_of(s) == IRL_STMT_BARRIER ? s->u.barrier.scope : IRL_SCOPE_GLOBAL;
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

const irl_block_desc *irl_stmt_block_desc(const irl_stmt *s)
{
    return irl_stmt_kind_of(s) == IRL_STMT_BLOCK ? s->u.block : NULL;
}

int irl_stmt_place(irl_ctx *cx, const irl_stmt *s, irl_place *out)
{
    return irl__read_place(cx, s ? &s->loc : NULL, out);
}

uint32_t irl_stmt_id(const irl_stmt *s) { return s ? s->id : 0; }

/* ------------------------------------------------------------------ maps */

const irl_expr *irl_map_input(const irl_map *map, int k)
{
    return map && k >= 0 && k < map->input_count ? map->inputs[k] : NULL;
}

const irl_expr *irl_map_output(const irl_map *map, int k)
{
    return map && k >= 0 && k < map->output_count ? map->outputs[k] : NULL;
}

int irl_map_rest_input(const irl_map *map) { return map && map->variadic ? map->variadic_in : -1; }
int irl_map_rest_output(const irl_map *map)
{
    return map && map->variadic ? map->variadic_out : -1;
}

/* ------------------------------------------------------------------ functions and modules */

const char     *irl_func_name(const irl_func *f) { return f ? f->name : ""; }
irl_role        irl_func_role(const irl_func *f) { return f ? f->role : IRL_ROLE_PLAIN; }
const irl_stmt *irl_func_body(const irl_func *f) { return f ? f->body : NULL; }

static const irl__param *irl__read_param(const irl_func *f, int k)
{
    return f && k >= 0 && k < f->param_count ? &f->params[k] : NULL;
}

int irl_func_param_count(const irl_func *f) { return f ? f->param_count : 0; }

const char *irl_func_param_name(const irl_func *f, int k)
{
    const irl__param *p = irl__read_param(f, k);
    return p ? p->name : NULL;
}

const irl_expr *irl_func_param_scalar(const irl_func *f, int k)
{
    const irl__param *p = irl__read_param(f, k);
    return p && !p->buffer ? p->var : NULL;
}

const irl_buffer *irl_func_param_buffer(const irl_func *f, int k)
{
    const irl__param *p = irl__read_param(f, k);
    return p ? p->buffer : NULL;
}

int irl_func_param_is_buffer(const irl_func *f, int k)
{
    return irl_func_param_buffer(f, k) != NULL;
}

int irl_func_param_is_implicit(const irl_func *f, int k)
{
    const irl__param *p = irl__read_param(f, k);
    return p && p->is_implicit;
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

const irl_map *irl_func_param_map(const irl_func *f, int k)
{
    const irl__param *p = irl__read_param(f, k);
    return p ? p->map : NULL;
}

const irl_expr *irl_func_param_padding(const irl_func *f, int k)
{
    const irl__param *p = irl__read_param(f, k);
    return p ? p->padding : NULL;
}

static const irl__layout *irl__read_layout(const irl_func *f, int k)
{
    return f && k >= 0 && k < f->layout_count ? &f->layouts[k] : NULL;
}

int irl_func_layout_count(const irl_func *f) { return f ? f->layout_count : 0; }

const char *irl_func_layout_buffer(const irl_func *f, int k)
{
    const irl__layout *layout = irl__read_layout(f, k);
    return layout ? layout->buffer : "";
}

const irl_map *irl_func_layout_map(const irl_func *f, int k)
{
    const irl__layout *layout = irl__read_layout(f, k);
    return layout ? layout->map : NULL;
}

const irl_expr *irl_func_layout_padding(const irl_func *f, int k)
{
    const irl__layout *layout = irl__read_layout(f, k);
    return layout ? layout->padding : NULL;
}

int irl_func_layout_is_assumed(const irl_func *f, int k)
{
    const irl__layout *layout = irl__read_layout(f, k);
    return layout && layout->assume_injective;
}

int irl_func_attr_count(const irl_func *f) { return f ? f->annotation_count : 0; }

const irl_note *irl_func_attr(const irl_func *f, int k)
{
    return f && k >= 0 && k < f->annotation_count ? &f->annotations[k] : NULL;
}

const char     *irl_module_name(const irl_module *m) { return m ? m->name : ""; }
const char     *irl_module_target(const irl_module *m) { return m && m->target ? m->target : ""; }
const irl_func *irl_module_host(const irl_module *m) { return m ? m->host : NULL; }
int             irl_module_kernel_count(const irl_module *m) { return m ? m->kernel_count : 0; }

const irl_func *irl_module_kernel(const irl_module *m, int k)
{
    return m && k >= 0 && k < m->kernel_count ? m->kernels[k] : NULL;
}
