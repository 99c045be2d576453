/* lower_blocks.c - blocks become plain statements.

   requires  nothing; layouts may or may not be applied
   maintains loops and their ids, buffers, numbers
   breaks    labels and blocks: none is left. Axes become their bindings, predicates and init become
             conditions, their allocations become statements, match buffers become accesses of the
             matched region. A binding, a start of a region or a shape of a buffer that reads memory
             is read once, at its place, by a let
   cost      linear
   When a layout is applied, only match buffers are removed, because a layout is about the whole
   buffer: irl__resolve_matches. */
#include "pass.h"

typedef struct irl__blocks_state {
    irl__ptr_map matches; /* match buffer -> irl__match, its regions already rewritten */
    irl__ptr_map axes;    /* axis variable -> its binding, already rewritten */
    irl__ptr_map buffers; /* buffer whose shape reads memory -> the same with variables */
} irl__blocks_state;

/* Index k of the source: its region's start, plus the view's index where the axis is not dropped. A
   view may drop leading axes of extent 1, as its rank is smaller. */
static int irl__blocks_match_indices(irl_ctx *cx, const irl__match *m, const irl_expr *const *view,
                                     const irl_expr **out)
{
    int dropped = m->source.buffer->rank - m->buffer->rank;
    for (int k = 0; k < m->source.buffer->rank; k++) {
        const irl_expr *start = m->source.min[k], *index = k < dropped ? NULL : view[k - dropped];
        if (!index) out[k] = start;
        else if (irl__is_int(start, 0)) out[k] = index;
        else if (index->type.lanes == 1)
            out[k] = irl__is_int(index, 0) ? start : irl__add(cx, start, index);
        else out[k] = irl__add(cx, irl_expr_broadcast(cx, start, (int)index->type.lanes), index);
        if (!out[k]) return 0;
    }
    return 1;
}

static const irl_expr *irl__blocks_expr(irl__rewriter *r, const irl_expr *e)
{
    irl__blocks_state *state = (irl__blocks_state *)r->user;
    if (state->axes.count + state->matches.count + state->buffers.count == 0) return e;
    if (e->op != IRL_OP_VAR) return irl__rewrite_expr_children(r, e);
    const irl_expr *binding = (const irl_expr *)irl__ptr_map_get(&state->axes, e);
    return binding ? binding : e;
}

static const irl_buffer *irl__blocks_access(irl__rewriter *r, const irl_buffer *b,
                                            const irl_expr **indices)
{
    const irl__match *m =
        (const irl__match *)irl__ptr_map_get(&((irl__blocks_state *)r->user)->matches, b);
    const irl_expr *view[IRL_MAX_RANK];
    if (!m) return b;
    memcpy(view, indices, (size_t)b->rank * sizeof *view);
    return irl__blocks_match_indices(r->cx, m, view, indices) ? m->source.buffer : NULL;
}

/* A value that is fixed as the block begins: itself, or a let of it at the end of the list, where
   the block may change what it reads. */
static const irl_expr *irl__blocks_held(irl_ctx *cx, const irl_expr *var, const char *name,
                                        const irl_expr *value, const irl_stmt ***lets)
{
    if (!value || !(value->flags & IRL__HAS_MEMORY)) return value;
    if (!var) var = irl_expr_var(cx, name, value->type);
    const irl_stmt *let = irl_stmt_let(cx, var, value);
    return let && IRL__PUSH_SCRATCH(cx, *lets, let) ? var : NULL;
}

static const irl_buffer *irl__blocks_buffer(irl__rewriter *r, const irl_buffer *b)
{
    const irl_buffer *to =
        (const irl_buffer *)irl__ptr_map_get(&((irl__blocks_state *)r->user)->buffers, b);
    return to ? to : b;
}

/* Is it said by memory, or by names, which axes may be? */
static int irl__blocks_reads(int count, const irl_expr *const *list)
{
    for (int k = 0; list && k < count; k++)
        if (list[k] && list[k]->flags & (IRL__HAS_MEMORY | IRL__HAS_VAR)) return 1;
    return 0;
}

static int irl__blocks_is_measured(const irl_buffer *b)
{
    return irl__blocks_reads(b->rank, b->shape) || irl__blocks_reads(b->rank, b->strides) ||
           irl__blocks_reads(1, &b->offset);
}

static const irl_expr *const *irl__blocks_held_all(irl__rewriter *r, int count,
                                                   const irl_expr *const *list,
                                                   const irl_stmt ***lets)
{
    const irl_expr **held = IRL__COPY(r->cx, const irl_expr *, list, count);
    int              changed = 0;
    for (int k = 0; held && k < count; k++) {
        held[k] = irl__blocks_held(r->cx, NULL, "extent", irl__rewrite_expr(r, list[k]), lets);
        if (!held[k]) return NULL;
        changed |= held[k] != list[k];
    }
    return changed ? held : list;
}

/* A buffer is what its shape says where it is declared, whatever becomes of the memory that says
   it; axes are what they are bound to. */
static int irl__blocks_declare(irl__rewriter *r, const irl_buffer *b, const irl_stmt ***lets)
{
    irl__blocks_state *state = (irl__blocks_state *)r->user;
    if (!irl__blocks_is_measured(b)) return 1;
    irl_buffer *to = irl__buffer_copy(r->cx, b);
    if (!to) return 0;
    to->shape = irl__blocks_held_all(r, b->rank, b->shape, lets);
    if (b->strides) to->strides = irl__blocks_held_all(r, b->rank, b->strides, lets);
    if (b->offset)
        to->offset = irl__blocks_held(r->cx, NULL, "offset", irl__rewrite_expr(r, b->offset), lets);
    if (to->shape == b->shape && to->strides == b->strides && to->offset == b->offset) return 1;
    return to->shape && (to->strides || !b->strides) && (to->offset || !b->offset) &&
           irl__ptr_map_put(r->cx, &state->buffers, b, to);
}

/* A view must have the element type of its source and be compact in its own right; a match of a
   match goes to the first. */
static int irl__blocks_bind_match(irl__rewriter *r, const irl__match *match, const irl_stmt ***lets)
{
    irl__blocks_state *state = (irl__blocks_state *)r->user;
    irl__match        *m = IRL__COPY(r->cx, irl__match, match, 1);
    const irl__match *outer =
        (const irl__match *)irl__ptr_map_get(&state->matches, match->source.buffer);
    const irl_expr **min;
    int              rank = match->source.buffer->rank;
    if (!m) return 0;
    if (!irl_type_equal(m->buffer->type, m->source.buffer->type) || m->buffer->rank > rank ||
        m->buffer->strides || m->buffer->offset)
        return irl__fail(r->cx, IRL_ERROR_UNSUPPORTED, m->buffer->loc, "match buffer '%s' must "
                         "view '%s' with its element type, no more axes, and neither strides nor "
                         "offset", m->buffer->name, m->source.buffer->name);
    min = IRL__COPY(r->cx, const irl_expr *, m->source.min, rank);
    if (!min) return 0;
    for (int k = 0; k < rank; k++) {
        min[k] = irl__blocks_held(r->cx, NULL, "start", irl__rewrite_expr(r, min[k]), lets);
        if (!min[k]) return 0;
    }
    m->source.min = min;
    m->source.buffer = irl__blocks_buffer(r, m->source.buffer);
    if (outer) {
        const irl_expr **through = IRL__NEW(r->cx, const irl_expr *, IRL_MAX_RANK);
        if (!through || !irl__blocks_match_indices(r->cx, outer, min, through)) return 0;
        m->source.min = through;
        m->source.buffer = outer->source.buffer;
    }
    return irl__ptr_map_put(r->cx, &state->matches, m->buffer, m);
}

/* init runs in the first step of every reduction. */
static const irl_stmt *irl__blocks_init(irl__rewriter *r, const irl__block_data *b)
{
    irl__blocks_state *state = (irl__blocks_state *)r->user;
    const irl_expr    *first = NULL;
    const irl_stmt    *init = irl__rewrite_stmt(r, b->init);
    for (int k = 0; k < b->axis_count; k++) {
        const irl_expr *binding = (const irl_expr *)irl__ptr_map_get(&state->axes, b->axes[k].var);
        if (!binding) binding = b->axes[k].var; /* held */
        if (!b->axes[k].is_reduction || irl__is_int(binding, 0)) continue;
        first = irl__and(r->cx, first,
                         irl_expr_op2(r->cx, IRL_OP_EQ, binding, irl_expr_index(r->cx, 0)));
        if (!first) return NULL;
    }
    return first && init ? irl_stmt_if(r->cx, first, init, NULL) : init;
}

/* What runs where the predicate holds. */
static const irl_stmt *irl__blocks_inside(irl__rewriter *r, const irl__block_data *b)
{
    const irl_stmt **list = NULL, *part;
    for (int k = 0; k < b->match_count; k++)
        if (!irl__blocks_bind_match(r, &b->matches[k], &list)) return NULL;
    for (int k = 0; k < b->alloc_count; k++) {
        part = irl__blocks_declare(r, b->allocs[k], &list)
                   ? irl_stmt_alloc(r->cx, irl__blocks_buffer(r, b->allocs[k]))
                   : NULL;
        if (!part || !IRL__PUSH_SCRATCH(r->cx, list, part)) return NULL;
    }
    part = b->init ? irl__blocks_init(r, b) : NULL;
    if (b->init && (!part || !IRL__PUSH_SCRATCH(r->cx, list, part))) return NULL;
    part = irl__rewrite_stmt(r, b->body);
    return part && IRL__PUSH_SCRATCH(r->cx, list, part)
               ? irl__stmt_seq(r->cx, (int)stbds_arrlen(list), list)
               : NULL;
}

static const irl_stmt *irl__blocks_block(irl__rewriter *r, const irl_stmt *s)
{
    irl__blocks_state     *state = (irl__blocks_state *)r->user;
    const irl__block_data *b = s->u.block;
    const irl_stmt       **list = NULL, *inside;
    for (int k = 0; k < b->axis_count; k++) {
        const irl_expr *var = b->axes[k].var,
                       *binding = irl__blocks_held(r->cx, var, NULL,
                                                   irl__rewrite_expr(r, b->axes[k].binding), &list);
        if (!binding || (binding != var && !irl__ptr_map_put(r->cx, &state->axes, var, binding)))
            return NULL;
    }
    inside = irl__blocks_inside(r, b);
    const irl_expr *predicate = irl__rewrite_expr(r, b->predicate);
    if (!inside || (b->predicate && !predicate)) return NULL;
    if (predicate) inside = irl_stmt_if(r->cx, predicate, inside, NULL);
    if (!stbds_arrlen(list)) return inside;
    return inside && IRL__PUSH_SCRATCH(r->cx, list, inside)
               ? irl__stmt_seq(r->cx, (int)stbds_arrlen(list), list)
               : NULL;
}

/* ------------------------------------------------------------------ match buffers alone */

/* A part of a match buffer is a part of what it matches. */
static int irl__blocks_region(irl__rewriter *r, const irl_buffer *b, irl__region *region)
{
    const irl__match *m =
        (const irl__match *)irl__ptr_map_get(&((irl__blocks_state *)r->user)->matches, b);
    if (!m) return 1;
    const irl_expr **min = IRL__NEW(r->cx, const irl_expr *, IRL_MAX_RANK);
    const irl_expr **extent = IRL__NEW(r->cx, const irl_expr *, IRL_MAX_RANK);
    int dropped = m->source.buffer->rank - b->rank;
    if (!min || !extent || !irl__blocks_match_indices(r->cx, m, region->min, min)) return 0;
    for (int k = 0; k < m->source.buffer->rank; k++) {
        extent[k] = k < dropped ? irl_expr_index(r->cx, 1) : region->extent[k - dropped];
        if (!extent[k]) return 0;
    }
    region->buffer = m->source.buffer;
    region->min = min;
    region->extent = extent;
    return 1;
}

/* Does the statement store to what the let reads? Calls may. */
static int irl__blocks_changes(const irl_stmt *s, const void *let)
{
    return s->kind == IRL__EVALUATE ||
           (s->kind == IRL__STORE && irl__expr_reads(((const irl_stmt *)let)->u.let.value,
                                                     s->u.store.buffer->data));
}

/* The lets before the statement, with variables of its own. */
static const irl_stmt *irl__blocks_behind(irl_ctx *cx, const irl_stmt *s, int count,
                                          const irl_stmt *const *lets)
{
    const irl_stmt **list = IRL__NEW(cx, const irl_stmt *, count + 1);
    const irl_expr **from =
        IRL__NEW(cx, const irl_expr *, count), **to = IRL__NEW(cx, const irl_expr *, count);
    if (!list || !from || !to) return NULL;
    for (int k = 0; k < count; k++) {
        from[k] = lets[k]->u.let.var;
        to[k] = irl_expr_var(cx, from[k]->u.name, from[k]->type);
        list[k] = irl_stmt_let(cx, to[k], irl__substitute(cx, lets[k]->u.let.value, k, from, to));
        if (!list[k]) return NULL;
    }
    list[count] = irl__substitute_stmt(cx, s, count, from, to);
    return list[count] ? irl__stmt_seq(cx, count + 1, list) : NULL;
}

/* The block whose init and body know what the lets bind: both read it, and what is between them
   must not change it. */
static const irl_stmt *irl__blocks_with_lets(irl__rewriter *r, const irl_stmt *s, int count,
                                             const irl_stmt *const *lets)
{
    irl__block_data *b;
    irl_stmt        *copy = irl__block_copy(r->cx, s, &b);
    int              is_changed = 0;
    if (!copy) return NULL;
    for (int k = 0; b->init && k < count; k++)
        is_changed |= irl__stmt_any(b->init, irl__blocks_changes, NULL, lets[k]);
    if (is_changed) {
        irl__fail(r->cx, IRL_ERROR_UNSUPPORTED, s->loc, "block '%s' matches a region whose start "
                  "is read from memory that its init changes", b->name);
        return NULL;
    }
    if (b->init) b->init = irl__blocks_behind(r->cx, b->init, count, lets);
    b->body = irl__blocks_behind(r->cx, b->body, count, lets);
    return b->body && (b->init || !s->u.block->init) ? irl__stmt_finish(r->cx, copy) : NULL;
}

static const irl_stmt *irl__blocks_unmatched(irl__rewriter *r, const irl_stmt *s)
{
    irl__block_data *b;
    const irl_stmt **list = NULL;
    if (s->kind != IRL__BLOCK) return irl__rewrite_stmt_children(r, s);
    irl_stmt *copy = irl__block_copy(r->cx, s, &b);
    if (!copy) return NULL;
    for (int k = 0; k < b->match_count; k++)
        if (!irl__blocks_bind_match(r, &b->matches[k], &list)) return NULL;
    b->match_count = 0;
    if (!irl__stmt_finish(r->cx, copy)) return NULL;
    return stbds_arrlen(list) ? irl__blocks_with_lets(r, irl__rewrite_stmt_children(r, copy),
                                                      (int)stbds_arrlen(list), list)
                              : irl__rewrite_stmt_children(r, copy);
}

/* ------------------------------------------------------------------ the pass */

static const irl_stmt *irl__blocks_stmt(irl__rewriter *r, const irl_stmt *s)
{
    if (s->kind == IRL__FOR) {
        /* From here on nothing looks for loops by their labels. */
        const irl_stmt *now = irl__rewrite_stmt_children(r, s);
        if (!now || !irl__stmt_label(now)) return now;
        irl_stmt *copy = irl__stmt_copy(r->cx, now);
        if (!copy) return NULL;
        copy->u.loop.annotation_count--;
        return copy;
    }
    if (s->kind == IRL__BLOCK) return irl__blocks_block(r, s);
    if ((s->kind == IRL__ALLOC || s->kind == IRL__DECL) &&
        irl__blocks_is_measured(s->u.alloc.buffer)) {
        /* Lets for what it reads come before it. */
        const irl_stmt **list = NULL;
        return irl__blocks_declare(r, s->u.alloc.buffer, &list) &&
                       IRL__PUSH_SCRATCH(r->cx, list, irl__rewrite_stmt_children(r, s))
                   ? irl__stmt_seq(r->cx, (int)stbds_arrlen(list), list)
                   : NULL;
    }
    return irl__rewrite_stmt_children(r, s);
}

static irl_func *irl__blocks_run(const irl_func *f,
                                 const irl_stmt *(*stmt)(irl__rewriter *r, const irl_stmt *s))
{
    irl__blocks_state state;
    irl__rewriter     r = irl__rewriter_make(f->cx, &state, irl__blocks_expr, stmt);
    memset(&state, 0, sizeof state);
    r.buffer = irl__blocks_buffer;
    r.access = irl__blocks_access;
    r.region = irl__blocks_region;
    return irl__rewrite_func(&r, f);
}

irl_func *irl__pass_lower_blocks(const irl_func *f) { return irl__blocks_run(f, irl__blocks_stmt); }
irl_func *irl__resolve_matches(const irl_func *f)
{
    return irl__blocks_run(f, irl__blocks_unmatched);
}
