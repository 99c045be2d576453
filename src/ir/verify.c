/* verify.c - the structural verifier: what must hold between all passes, at every stage.

   needs     verify_expr.c, verify_buffer.c
   promises  a function that passes has: every variable and buffer declared once, before its use and
             in scope; types that follow the operators' rules; one index for each axis, only the
             last a vector; valid separators, and one number of them for all views of one memory;
             views no larger than their memory where both sizes are constant, and of elements for
             which it is aligned; launches only in a host function, of kernels that are there, with
             arguments that fit. Else a diagnostic at the statement.
   cost      linear in the statements and the nodes of their expressions
   Bounds, races, termination and what a target can do are the semantic verifier's. */
#include "verify.h"

static int irl__verify_stmt(irl__verifier *v, const irl_stmt *s);

/* ------------------------------------------------------------------ statements */

static int irl__verify_scoped(irl__verifier *v, const irl_stmt *s)
{
    size_t mark = v->scope_count;
    return irl__verify_stmt(v, s) && irl__verify_close(v, mark, IRL__STATE_CLOSED);
}

static int irl__verify_annotations(irl__verifier *v, int count, const irl__annotation *a)
{
    for (int k = 0; k < count; k++) {
        if (!a[k].key)
            return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "an annotation has no key");
        if (a[k].value && !irl__verify_expr(v, a[k].value)) return 0;
    }
    return 1;
}

static int irl__verify_bound_axis(irl__verifier *v, const irl_stmt *s)
{
    if ((unsigned)s->u.loop.axis >= (unsigned)IRL__AXIS_COUNT)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "a loop is bound to an unknown axis");
    unsigned bit = 1u << s->u.loop.axis;
    if (v->f->role == IRL__HOST)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "a host function has no thread axes");
    if (v->axes & bit)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "two loops, one in the other, are "
                                "bound to %s", irl_axis_text(s->u.loop.axis));
    v->axes |= bit;
    return 1;
}

static int irl__verify_for(irl__verifier *v, const irl_stmt *s)
{
    unsigned axes = v->axes;
    size_t   mark = v->scope_count;
    if ((unsigned)s->u.loop.kind > (unsigned)IRL_BOUND)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "a loop has an unknown kind");
    if (!irl__verify_index(v, s->u.loop.min, "a loop's start") ||
        !irl__verify_index(v, s->u.loop.extent, "a loop's extent") ||
        !irl__verify_annotations(v, s->u.loop.annotation_count, s->u.loop.annotations) ||
        !irl__verify_new_var(v, s->u.loop.var) ||
        !irl__verify_index(v, s->u.loop.var, "a loop's variable"))
        return 0;
    if (s->u.loop.kind == IRL_BOUND && !irl__verify_bound_axis(v, s)) return 0;
    if (!irl__verify_stmt(v, s->u.loop.body)) return 0;
    v->axes = axes;
    return irl__verify_close(v, mark, IRL__STATE_CLOSED);
}

static int irl__verify_region(irl__verifier *v, const irl__region *r)
{
    if (!irl__verify_is_open(v, r->buffer->id))
        return irl__verify_undeclared(v, r->buffer->id, "buffer", r->buffer->name);
    if (r->buffer->rank && (!r->min || !r->extent))
        return IRL__VERIFY_FAIL(v, IRL_ERROR_RANK_MISMATCH, "a region of '%s' has no axes",
                                r->buffer->name);
    return irl__verify_index_list(v, r->buffer->rank, r->min, "the start of a region") &&
           irl__verify_index_list(v, r->buffer->rank, r->extent, "the extent of a region");
}

static int irl__verify_regions(irl__verifier *v, int count, const irl__region *r)
{
    for (int k = 0; k < count; k++)
        if (!irl__verify_region(v, &r[k])) return 0;
    return 1;
}

/* Extents and bindings stand outside the block: all of them before the first variable. */
static int irl__verify_axes(irl__verifier *v, const irl__block_data *b)
{
    for (int k = 0; k < b->axis_count; k++)
        if (!irl__verify_index(v, b->axes[k].extent, "the extent of an axis") ||
            !irl__verify_index(v, b->axes[k].binding, "the binding of an axis"))
            return 0;
        else if (b->axes[k].is_unstated && v->f->role != IRL__PLAIN)
            return IRL__VERIFY_FAIL(v, IRL_ERROR_UNSTATED_AXIS, "a function of a module states the "
                                    "kind of axis '%s' of block '%s'",
                                    b->axes[k].var ? b->axes[k].var->u.name : "", b->name);
    for (int k = 0; k < b->axis_count; k++)
        if (!irl__verify_new_var(v, b->axes[k].var) ||
            !irl__verify_index(v, b->axes[k].var, "an axis"))
            return 0;
    return 1;
}

/* A view of a part of another buffer, with memory of its own or that of the source. */
static int irl__verify_match(irl__verifier *v, const irl__match *m)
{
    const irl_buffer *b = m->buffer, *source = m->source.buffer;
    if (!irl__verify_region(v, &m->source)) return 0;
    if (!irl_type_equal(b->type, source->type) || b->scope != source->scope)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_TYPE_MISMATCH, "'%s' matches '%s', which has another "
                                "element type or scope", b->name, source->name);
    if (b->bits != source->bits || b->norm != source->norm ||
        (b->bits && b->bit_order != source->bit_order))
        return IRL__VERIFY_FAIL(
            v, IRL_ERROR_TYPE_MISMATCH, "'%s' matches '%s', whose elements take %d bits: a match "
            "has the same width and order of bits as its source", b->name, source->name,
            source->bits ? source->bits : (int)irl__type_bytes(source->type) * 8);
    if (b->data && irl__verify_is_open(v, b->data->id)) return irl__verify_alias(v, b);
    return irl__verify_owner(v, b) && irl__ptr_map_put(v->cx, &v->matches, b->data, b);
}

static int irl__verify_block_buffers(irl__verifier *v, const irl__block_data *b)
{
    for (int k = 0; k < b->alloc_count; k++)
        if (!irl__verify_owner(v, b->allocs[k])) return 0;
    for (int k = 0; k < b->match_count; k++)
        if (!irl__verify_match(v, &b->matches[k])) return 0;
    return 1;
}

static int irl__verify_block(irl__verifier *v, const irl__block_data *b)
{
    size_t mark = v->scope_count;
    if (!b || !b->name)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "a block has no name");
    if (!irl__verify_axes(v, b) || (b->predicate && !irl__verify_condition(v, b->predicate)) ||
        !irl__verify_regions(v, b->read_count, b->reads) ||
        !irl__verify_regions(v, b->write_count, b->writes) ||
        !irl__verify_annotations(v, b->note_count, b->notes) ||
        !irl__verify_block_buffers(v, b) || (b->init && !irl__verify_scoped(v, b->init)) ||
        !irl__verify_stmt(v, b->body))
        return 0;
    return irl__verify_close(v, mark, IRL__STATE_CLOSED);
}

static int irl__verify_store(irl__verifier *v, const irl_stmt *s)
{
    const irl_buffer *b = s->u.store.buffer;
    uint32_t          lanes;
    if (b->scope == IRL_SCOPE_CONSTANT)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "buffer '%s' is in constant memory, "
                                "which is only read", b->name);
    return irl__verify_indices(v, b, (uint32_t)b->rank, s->u.store.indices, &lanes) &&
           irl__verify_of_type(v, s->u.store.value,
                               irl__type_with_lanes(b->type, b->type.lanes * lanes),
                               "what is stored");
}

static int irl__verify_launch(irl__verifier *v, const irl_stmt *s)
{
    if (v->f->role != IRL__HOST)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "only a host function launches "
                                "kernels");
    for (int k = 0; k < s->u.launch.count; k++)
        if (!irl__verify_expr(v, s->u.launch.args[k])) return 0;
    if (!v->m) return 1;
    const char     *name = irl__namez(v->cx, s->u.launch.kernel);
    const irl_func *kernel = name ? (const irl_func *)irl__ptr_map_get(&v->kernels, name) : NULL;
    if (!kernel)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_UNDECLARED, "the module has no kernel '%s'",
                                s->u.launch.kernel);
    if (s->u.launch.count != kernel->param_count)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_ARGUMENT_MISMATCH, "kernel '%s' has %d parameters; "
                                "found %d arguments", kernel->name, kernel->param_count,
                                s->u.launch.count);
    for (int k = 0; k < s->u.launch.count; k++)
        if (!irl_type_equal(s->u.launch.args[k]->type, kernel->params[k].var->type))
            return IRL__VERIFY_FAIL(v, IRL_ERROR_TYPE_MISMATCH, "argument %d of kernel '%s' is %s; "
                                    "found %s", k, kernel->name,
                                    irl__type_cstr(v->cx, kernel->params[k].var->type),
                                    irl__type_cstr(v->cx, s->u.launch.args[k]->type));
    return 1;
}

static int irl__verify_stmt(irl__verifier *v, const irl_stmt *s)
{
    if (!s) return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "a statement is missing");
    v->loc = s->loc;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ: {
        size_t mark = v->scope_count;
        for (int k = 0; k < s->u.seq.count; k++)
            if (!irl__verify_stmt(v, s->u.seq.stmts[k])) return 0;
        return irl__verify_close(v, mark, IRL__STATE_CLOSED);
    }
    case IRL__FOR: return irl__verify_for(v, s);
    case IRL__BLOCK: return irl__verify_block(v, s->u.block);
    case IRL__IF:
        return irl__verify_condition(v, s->u.branch.condition) &&
               irl__verify_scoped(v, s->u.branch.then_) &&
               (!s->u.branch.else_ || irl__verify_scoped(v, s->u.branch.else_));
    case IRL__LET:
        return s->u.let.var
                   ? irl__verify_of_type(v, s->u.let.value, s->u.let.var->type, "what let binds") &&
                         irl__verify_new_var(v, s->u.let.var)
                   : IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "a let has no variable");
    case IRL__STORE: return irl__verify_store(v, s);
    case IRL__ALLOC:
        return irl__verify_owner(v, s->u.alloc.buffer);
    case IRL__DECL: return irl__verify_alias(v, s->u.alloc.buffer);
    case IRL__ASSUME:
    case IRL__ASSERT:
        if (!irl__verify_condition(v, s->u.check.condition)) return 0;
        for (int k = 0; k < s->u.check.value_count; k++)
            if (!irl__verify_expr(v, s->u.check.values[k])) return 0;
        return irl__stmt_message_ok(v->cx, s, v->loc);
    case IRL__BARRIER:
        if (v->f->role == IRL__HOST)
            return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "a host function has no barriers: "
                                    "launches run in order");
        return irl__barrier_ok(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, s->u.barrier.scope);
    case IRL__EVALUATE: return irl__verify_expr(v, s->u.evaluate.value);
    case IRL__ATTR:
        return irl__verify_annotations(v, 1, &s->u.attr.annotation) &&
               irl__verify_scoped(v, s->u.attr.body);
    case IRL__LAUNCH: return irl__verify_launch(v, s);
    case IRL__STMT_KIND_COUNT: break;
    }
    return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "a statement has the unknown kind %d",
                            (int)s->kind);
}

/* ------------------------------------------------------------------ functions and modules */

static int irl__verify_map(irl__verifier *v, const irl_map *m)
{
    size_t mark = v->scope_count;
    for (int k = 0; k < m->input_count; k++)
        if (!irl__verify_new_var(v, m->inputs[k]) ||
            !irl__verify_index(v, m->inputs[k], "an axis of a map"))
            return 0;
    return irl__verify_index_list(v, m->output_count, m->outputs, "an output of a map") &&
           irl__separators_valid(v->cx, m->output_count + (m->variadic ? 1 : 0), m->separator_count,
                                 m->separators, v->loc) &&
           irl__verify_close(v, mark, IRL__STATE_AGAIN);
}

static int irl__verify_padding(irl__verifier *v, const irl_expr *padding, const irl_buffer *b)
{
    if (!padding) return 1;
    if (padding->flags & (IRL__HAS_VAR | IRL__HAS_MEMORY))
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "padding holds a constant");
    return b ? irl__verify_of_type(v, padding, b->type, "what padding holds")
             : irl__verify_expr(v, padding);
}

static int irl__verify_param(irl__verifier *v, const irl__param *p)
{
    v->loc = p->loc;
    if (!p->buffer) {
        /* An implicit parameter has the value of an extent that is its name alone. */
        if (!p->is_implicit) return 1;
        if (!irl_type_equal(p->var->type, irl__type_index()))
            return IRL__VERIFY_FAIL(v, IRL_ERROR_TYPE_MISMATCH, "the implicit parameter '%s' must "
                                    "be of type index; found %s", p->name,
                                    irl__type_cstr(v->cx, p->var->type));
        for (int k = 0; k < v->f->param_count; k++)
            for (int axis = 0; axis < v->f->params[k].logical_rank; axis++)
                if (v->f->params[k].logical_shape[axis] == p->var) return 1;
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "the implicit parameter '%s' is the "
                                "extent of no parameter", p->name);
    }
    if (p->var != p->buffer->data)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "parameter '%s' is not the memory of "
                                "its buffer", p->name);
    if (!irl__verify_owner(v, p->buffer)) return 0;
    if (!irl__verify_index_list(v, p->logical_rank, p->logical_shape, "a logical extent") ||
        !irl__verify_padding(v, p->padding, p->buffer))
        return 0;
    if (!p->map) return 1;
    if (p->map->variadic || p->map->input_count != p->logical_rank ||
        p->map->output_count != p->buffer->rank)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_RANK_MISMATCH, "the map of parameter '%s' goes from "
                                "%d to %d axes; its shapes have %d and %d", p->name,
                                p->map->input_count, p->map->output_count, p->logical_rank,
                                p->buffer->rank);
    return irl__verify_map(v, p->map);
}

/* Scalars first: a shape may name one that stands behind it. */
static int irl__verify_params(irl__verifier *v)
{
    for (int k = 0; k < v->f->param_count; k++) {
        v->loc = v->f->params[k].loc;
        if (!v->f->params[k].buffer && !irl__verify_new_var(v, v->f->params[k].var)) return 0;
    }
    for (int k = 0; k < v->f->param_count; k++)
        if (!irl__verify_param(v, &v->f->params[k])) return 0;
    return 1;
}

static int irl__verify_layouts(irl__verifier *v)
{
    for (int k = 0; k < v->f->layout_count; k++) {
        const irl__layout *l = &v->f->layouts[k];
        v->loc = l->loc;
        if (!l->map || !l->buffer)
            return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "a layout has no map or no buffer");
        if (!irl__verify_map(v, l->map) || !irl__verify_padding(v, l->padding, NULL) ||
            (l->pad && !irl__verify_map(v, l->pad)))
            return 0;
    }
    return 1;
}

/* A layout is of one buffer, which a parameter or an allocation makes. */
static int irl__verify_layout_names(irl__verifier *v)
{
    for (int k = 0; k < v->f->layout_count; k++)
        if (!irl__func_buffer(v->f, v->f->layouts[k].loc, v->f->layouts[k].buffer)) return 0;
    return 1;
}

static int irl__verify_func(irl__verifier *v, const irl_func *f)
{
    v->f = f;
    v->loc = f->loc;
    v->axes = 0;
    v->epoch++;
    memset(&v->memory, 0, sizeof v->memory);
    memset(&v->pointers, 0, sizeof v->pointers);
    memset(&v->matches, 0, sizeof v->matches);
    if (!f->name || !f->body)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "a function has no name or no body");
    return irl__verify_externs(v) && irl__verify_params(v) && irl__verify_layouts(v) &&
           irl__verify_annotations(v, f->annotation_count, f->annotations) &&
           irl__verify_scoped(v, f->body) && irl__verify_layout_names(v) &&
           irl__verify_close(v, 0, IRL__STATE_CLOSED);
}

static int irl__verify_begin(irl__verifier *v, irl_ctx *cx, const irl_module *m)
{
    memset(v, 0, sizeof *v);
    v->cx = cx;
    v->m = m;
    v->pages = IRL__SCRATCH(cx, uint32_t *, cx->next_id / IRL__VERIFY_PAGE + 1);
    return v->pages != NULL;
}

int irl__verify(const irl_func *f)
{
    irl__verifier v;
    if (!f || !irl__ok(f->cx)) return 0;
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    int             ok = irl__verify_begin(&v, f->cx, NULL) && irl__verify_func(&v, f);
    irl__scratch_end(f->cx, mark);
    return ok;
}

static int irl__verify_kernel_names(irl__verifier *v)
{
    for (int k = 0; k < v->m->kernel_count; k++) {
        const irl_func *kernel = v->m->kernels[k];
        const char     *name = irl__namez(v->cx, kernel->name);
        if (!name) return 0;
        if (kernel->role != IRL__KERNEL)
            return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, kernel->loc,
                             "'%s' is not a kernel func", name);
        if (irl__ptr_map_get(&v->kernels, name))
            return irl__fail(v->cx, IRL_ERROR_DUPLICATE_NAME, kernel->loc,
                             "the module has two kernels '%s'", name);
        if (!irl__ptr_map_put(v->cx, &v->kernels, name, kernel)) return 0;
    }
    return 1;
}

int irl__verify_module(const irl_module *m)
{
    irl__verifier v;
    if (!m || !irl__ok(m->cx)) return 0;
    if (!m->host || m->host->role != IRL__HOST)
        return IRL__FAIL(m->cx, IRL_ERROR_BAD_STRUCTURE, "the module '%s' has no host func",
                         m->name ? m->name : "");
    irl__arena_mark mark = irl__scratch_begin(m->cx);
    int ok = irl__verify_begin(&v, m->cx, m) && irl__verify_kernel_names(&v) &&
             irl__verify_func(&v, m->host);
    for (int k = 0; ok && k < m->kernel_count; k++) ok = irl__verify_func(&v, m->kernels[k]);
    irl__scratch_end(m->cx, mark);
    return ok;
}
