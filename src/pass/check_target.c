/* check_target.c - checks that the target supports a module, before anything is emitted.

   requires  split_host
   promises  a module that passes: no kernel reads and writes one image; images only if the target
             has them; and, if the semantic verifier is requested (of forms alone after a pass of
             the program): no image larger than the target promises or of texels that it lacks, no
             vector of a width without a type or in a form that the target lacks
             (src/target/vectors.c), no vector index that it does not support, no access that is not
             proved to begin where the target requires it, no 64-bit integers that it lacks, one
             access type for each memory if pointers may not be cast, no larger buffer or work-group
             and no more shared memory. Else a diagnostic at the place, with numbers
   cost      linear in the module */
#include "pass.h"

typedef struct irl__asks_memory {
    const irl_buffer *first;    /* that was declared: it states the alignment */
    int               is_owner; /* and is a parameter or an allocation */
    irl_type          access;   /* of the accesses so far; lanes 0: none */
    int               is_read, is_written;
} irl__asks_memory;

typedef struct irl__asks_state {
    irl_ctx          *cx;
    const irl_target *target;
    const irl_func   *f;
    irl__analyzer    *an;
    irl__ptr_map      memory; /* data variable -> irl__asks_memory */
    irl__memory_sizes sizes;
    int64_t           local[3];     /* work-items of a group, along each dimension; 0: not known */
    int64_t           shared_bytes; /* of all allocations of the kernel */
    irl__checked      checked;
    int               ok;
} irl__asks_state;

static irl__asks_memory *irl__asks_memory_of(irl__asks_state *state, const irl_expr *data)
{
    irl__asks_memory *m = (irl__asks_memory *)irl__ptr_map_get(&state->memory, data);
    if (m) return m;
    m = IRL__SCRATCH(state->cx, irl__asks_memory, 1);
    if (m && irl__ptr_map_put(state->cx, &state->memory, data, m)) return m;
    state->ok = 0;
    return NULL;
}

static int irl__asks_declared(irl__asks_state *state, const irl_buffer *b, int is_owner)
{
    irl__asks_memory *m = irl__asks_memory_of(state, b->data);
    if (!m) return 0;
    if (!m->first) {
        m->first = b;
        m->is_owner = is_owner;
    }
    return 1;
}

/* ------------------------------------------------------------------ images */

/* A texel of more than four lanes is 128 bits of u32. */
static int irl__asks_format(irl__asks_state *state, const irl_buffer *b)
{
    irl_scalar scalar = irl__texel_lanes(b) > 4 ? IRL_U32 : (irl_scalar)b->type.scalar;
    return irl__target_has_texel(state->target, scalar) ||
           irl__fail(state->cx, IRL_ERROR_IMAGE_FORMAT, b->loc,
                     "'%s' is an image of %s, which not every device of target '%s' has", b->name,
                     irl__type_info(b->type)->text, state->target->name);
}

static int irl__asks_image(irl__asks_state *state, const irl_buffer *b)
{
    int64_t extent[IRL_MAX_RANK], size[IRL__TEXEL_AXES], most[IRL__TEXEL_AXES];
    if (!irl__scope_is_image(b->scope)) return 1;
    if (!irl__target_has_image(state->cx, state->target, b)) return 0;
    irl__target_image_limits(state->target, irl__image_of(b), most);
    if (!most[0] || !most[2])
        return irl__fail(state->cx, IRL_ERROR_UNSUPPORTED, b->loc,
                         "'%s' is in scope %s, and target '%s' has no %s", b->name,
                         irl__scope_text(b->scope), state->target->name,
                         irl__image_text(irl__image_of(b)));
    if (state->checked == IRL__CHECK_ALL && !irl__asks_format(state, b)) return 0;
    for (int k = 0; k < b->rank; k++) {
        if (b->shape[k]->op != IRL_OP_INT) return 1;
        extent[k] = b->shape[k]->u.i;
    }
    if (state->checked != IRL__CHECK_ALL || !irl__image_size(b, extent, size)) return 1;
    for (int k = 0; k < IRL__TEXEL_AXES; k++)
        if (size[k] > most[k]) {
            irl__image image = irl__image_of(b);
            char       found[96], promised[96];
            irl__text  t;
            irl__text_init_fixed(&t, found, sizeof found);
            irl__image_size_text(&t, image, size);
            irl__text_init_fixed(&t, promised, sizeof promised);
            irl__image_size_text(&t, image, most);
            return irl__fail(state->cx, IRL_ERROR_IMAGE_LIMIT, b->loc,
                             "'%s' is an image of %s texels; target '%s' guarantees %s", b->name,
                             found, state->target->name, promised);
        }
    return 1;
}

static int irl__asks_texel(irl__asks_state *state, const irl_expr *e)
{
    irl__asks_memory *m = irl__asks_memory_of(state, e->a[0]);
    int               is_store = irl__texel_call_of(e) == IRL__TEXEL_STORE;
    if (!m) return 0;
    m->is_written |= is_store;
    m->is_read |= !is_store;
    return !m->is_read || !m->is_written ||
           irl__fail(state->cx, IRL_ERROR_IMAGE_READ_WRITE, state->cx->here,
                     "kernel '%s' reads and writes image '%s'", state->f->name, e->a[0]->u.name);
}

/* ------------------------------------------------------------------ vectors and types */

/* The largest power of two that every access at this index is proved to begin at a multiple of, in
   bytes. */
static uint32_t irl__asks_begins(irl__asks_state *state, const irl__asks_memory *m,
                                 const irl_buffer *b, const irl_expr *index)
{
    uint32_t            alignment = irl__buffer_alignment(m->first ? m->first : b, m->is_owner);
    const irl__residues at = irl__memory_begins(state->an, b, index);
    while (alignment > 1 && (at.coef % alignment || at.base % alignment)) alignment /= 2;
    return alignment;
}

static int irl__asks_aligned(irl__asks_state *state, const irl__asks_memory *m, const irl_buffer *b,
                             const irl_expr *index, irl_type value)
{
    uint32_t lanes = index ? index->type.lanes : 1,
             needs = irl__target_alignment(state->target, b->type, lanes), begins;
    if (b->rank > 1 || irl__scope_is_image(b->scope) || !irl__index_is_run(index)) return 1;
    begins = irl__asks_begins(state, m, b, index);
    return begins >= needs || irl__fail(state->cx, IRL_ERROR_ALIGNMENT, state->cx->here,
                                        "%s at %s of '%s' is proved to begin at a multiple of "
                                        "%u bytes; target '%s' requires a multiple of %u",
                                        irl__type_cstr(state->cx, value),
                                        index ? irl_expr_text(state->cx, index) : "0", b->name,
                                        (uint64_t)begins, state->target->name, (uint64_t)needs);
}

static int irl__asks_access(irl__asks_state *state, const irl_buffer *b, const irl_expr *index,
                            irl_type value)
{
    irl__asks_memory *m = irl__asks_memory_of(state, b->data);
    if (!m || !irl__asks_aligned(state, m, b, index, value)) return 0;
    if (!(irl__target_has_index(state->target, index) ||
          irl__fail(state->cx, IRL_ERROR_UNSUPPORTED, state->cx->here, "target '%s' reaches %s; "
                    "'%s' is accessed at %s", state->target->name,
                    state->target->ramps ? "consecutive lanes" : "one element at a time", b->name,
                    irl_expr_text(state->cx, index))))
        return 0;
    if (state->target->pointer_casts)
        return irl__memory_takes(&state->sizes, state->target, b, value.lanes) ||
               irl__fail(state->cx, IRL_ERROR_UNSUPPORTED, state->cx->here,
                         "'%s' is written and has elements of several sizes, so '%s' is accessed "
                         "by bytes, which must be a vector; found %s", b->data->u.name, b->name,
                         irl__type_cstr(state->cx, value));
    if (m->access.lanes == 0) m->access = value;
    if (m->access.scalar == value.scalar &&
        irl__target_has_run(state->target, m->access.lanes) &&
        irl__target_has_run(state->target, value.lanes))
        return 1;
    return irl_type_equal(m->access, value) ||
           irl__fail(state->cx, IRL_ERROR_UNSUPPORTED, state->cx->here, "target '%s' has one "
                     "access type for each memory; '%s' is accessed as %s and as %s",
                     state->target->name, b->name, irl__type_cstr(state->cx, m->access),
                     irl__type_cstr(state->cx, value));
}

/* ------------------------------------------------------------------ sizes of a group */

static int irl__asks_items(irl__asks_state *state, const irl_stmt *loop)
{
    const irl_expr *extent = loop->u.loop.extent;
    int64_t         items = 1;
    int             d = (int)loop->u.loop.axis - (int)IRL_LOCAL_X;
    if (d < 0 || d > 2 || extent->op != IRL_OP_INT) return 1;
    state->local[d] = extent->u.i;
    for (d = 0; d < 3; d++)
        if (state->local[d] > 0 && !irl__mul64(items, state->local[d], &items)) items = INT64_MAX;
    return items <= state->target->work_group ||
           irl__fail(state->cx, IRL_ERROR_TARGET_LIMIT, state->cx->here,
                     "a work-group of kernel '%s' has %l work-items; target '%s' allows %d",
                     state->f->name, items, state->target->name, state->target->work_group);
}

static int irl__asks_shared(irl__asks_state *state, const irl_buffer *b)
{
    int64_t bytes = (int64_t)irl__type_bytes(b->type);
    if (b->scope != IRL_SCOPE_SHARED) return 1;
    for (int k = 0; k < b->rank; k++) {
        if (b->shape[k]->op != IRL_OP_INT) return 1; /* the emitter refuses it */
        if (!irl__mul64(bytes, b->shape[k]->u.i, &bytes)) bytes = INT64_MAX;
    }
    if (!irl__add64(state->shared_bytes, bytes, &state->shared_bytes))
        state->shared_bytes = INT64_MAX;
    return state->shared_bytes <= state->target->local_bytes ||
           irl__fail(state->cx, IRL_ERROR_TARGET_LIMIT, b->loc, "kernel '%s' needs %l bytes of "
                     "shared memory; target '%s' has %d", state->f->name, state->shared_bytes,
                     state->target->name, state->target->local_bytes);
}

/* A buffer of a kernel that the target's indices reach, where its size is known. */
static int irl__asks_size(irl__asks_state *state, const irl_buffer *b)
{
    int64_t elements = 1, most = state->target->buffer_bytes / (int64_t)irl__type_bytes(b->type);
    for (int k = 0; k < b->rank; k++) {
        if (b->shape[k]->op != IRL_OP_INT) return 1;
        if (!irl__mul64(elements, b->shape[k]->u.i, &elements)) elements = INT64_MAX;
    }
    return elements <= most || irl__target_too_large(state->cx, state->target, b, elements);
}

/* ------------------------------------------------------------------ the walk */

static int irl__asks_expr(irl__visitor *v, const irl_expr *e)
{
    irl__asks_state *state = (irl__asks_state *)v->user;
    if (!state->ok) return 0;
    if (irl__texel_call_of(e) != IRL__TEXEL_NO_CALL && state->f->role == IRL__KERNEL)
        state->ok = irl__asks_texel(state, e);
    if (!state->checked || !state->ok) return state->ok;
    if (state->checked == IRL__CHECK_ALL)
        state->ok = irl__target_has_type(state->cx, state->target, e->type);
    if (state->ok && e->op == IRL_OP_LOAD && state->f->role == IRL__KERNEL)
        state->ok =
            irl__asks_access(state, e->u.buffer, e->count ? e->a[e->count - 1] : NULL, e->type);
    return state->ok;
}

static int irl__asks_stmt(irl__visitor *v, const irl_stmt *s)
{
    irl__asks_state *state = (irl__asks_state *)v->user;
    if (!state->ok) return 0;
    if (s->loc.source) state->cx->here = s->loc;
    if (state->checked && (s->kind == IRL__ALLOC || s->kind == IRL__DECL))
        state->ok = irl__asks_declared(state, s->u.alloc.buffer, s->kind == IRL__ALLOC);
    if (state->ok && s->kind == IRL__ALLOC) state->ok = irl__asks_image(state, s->u.alloc.buffer);
    if (state->ok && state->checked == IRL__CHECK_ALL && s->kind == IRL__ALLOC)
        state->ok = irl__asks_shared(state, s->u.alloc.buffer);
    if (state->checked == IRL__CHECK_ALL && irl__stmt_is_bound(s))
        state->ok = irl__asks_items(state, s);
    if (s->kind == IRL__STORE && state->checked && state->f->role == IRL__KERNEL)
        state->ok = irl__asks_access(
            state, s->u.store.buffer,
            s->u.store.buffer->rank ? s->u.store.indices[s->u.store.buffer->rank - 1] : NULL,
            s->u.store.value->type);
    return state->ok;
}

static int irl__asks_param(irl__asks_state *state, const irl_buffer *b)
{
    return irl__asks_image(state, b) && (!state->checked || irl__asks_declared(state, b, 1)) &&
           (state->checked != IRL__CHECK_ALL || irl__asks_size(state, b));
}

static int irl__asks_func(irl_ctx *cx, const irl_func *f, const irl_target *target,
                          irl__checked checked)
{
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__asks_state state;
    memset(&state, 0, sizeof state);
    state.cx = cx;
    state.target = target;
    state.f = f;
    state.checked = checked;
    state.ok = 1;
    if (checked && !(state.an = irl__analyzer_begin(cx))) state.ok = 0;
    if (checked) irl__memory_sizes_of(f, target, &state.sizes);
    for (int k = 0; state.ok && k < f->param_count; k++)
        if (f->params[k].buffer) state.ok = irl__asks_param(&state, f->params[k].buffer);
    irl__visitor v = irl__visitor_make(&state, irl__asks_expr, irl__asks_stmt);
    if (state.ok) irl__visit_stmt(&v, f->body);
    if (state.ok && checked) state.ok = irl__target_has_vectors_of(target, f);
    cx->here = irl__nowhere();
    irl__scratch_end(cx, mark);
    return state.ok && irl__ok(cx);
}

int irl_module_check(const irl_module *m, const irl_target *target)
{
    if (!m || !irl__ok(m->cx)) return 0;
    if (!target && !(target = irl_target_find_in(m->cx, m->target)))
        return irl__target_unknown(m->cx, irl__nowhere(), m->target) != NULL;
    /* Nothing is proved to leave its buffer. */
    if (!(irl__target_given(m->cx, target) && irl__verify_module(m) &&
          irl__check_target(m, target, IRL__CHECK_ALL)))
        return 0;
    for (int k = 0; k < m->kernel_count; k++)
        if (!irl__bounds_ok(m->kernels[k])) return 0;
    return irl__bounds_ok(m->host);
}

int irl__check_kernel(const irl_func *kernel, const irl_target *target, irl__checked checked)
{
    return irl__asks_func(kernel->cx, kernel, target, checked);
}

int irl__check_target(const irl_module *m, const irl_target *target, irl__checked checked)
{
    int ok = irl__asks_func(m->cx, m->host, target, checked);
    for (int k = 0; ok && k < m->kernel_count; k++)
        ok = irl__check_kernel(m->kernels[k], target, checked);
    return ok;
}
