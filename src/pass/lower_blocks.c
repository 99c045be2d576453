/* lower_blocks.c - blocks become plain statements.

   requires  nothing; layouts may or may not be applied
   maintains loops and their ids, buffers, numbers
   breaks    blocks: none is left. Their axes become their bindings, predicates and init become conditions, their
             allocations become statements, match buffers become accesses of the matched region
   cost      linear
   Match buffers alone go when a layout is applied, which says where an element of the whole buffer lies: irl__resolve_matches.
   source    seed 1 (FlattenBuffer on TensorIR), seed 5 (allocation of intermediate buffers) */
#include "pass.h"

typedef struct irl__blocks_state {
    irl__ptr_map matches; /* match buffer -> irl__match, its regions already rewritten */
    irl__ptr_map axes;    /* axis variable -> its binding, already rewritten */
} irl__blocks_state;

/* Index k of the source: its region's start, plus the view's index where the axis is not dropped. A view may drop leading
   axes of extent 1, as its rank is smaller. */
static int irl__blocks_match_indices(irl_ctx *cx, const irl__match *m, const irl_expr *const *view, const irl_expr **out)
{
    int dropped = m->source.buffer->rank - m->buffer->rank, k;
    for (k = 0; k < m->source.buffer->rank; k++) {
        const irl_expr *start = m->source.min[k], *index = k < dropped ? NULL : view[k - dropped];
        if (!index) out[k] = start;
        else if (irl__is_int(start, 0)) out[k] = index;
        else if (index->type.lanes == 1) out[k] = irl__is_int(index, 0) ? start : irl__add(cx, start, index);
        else out[k] = irl__add(cx, irl_broadcast(cx, start, (int)index->type.lanes), index);
        if (!out[k]) return 0;
    }
    return 1;
}

static const irl_expr *irl__blocks_expr(irl__rewriter *r, const irl_expr *e)
{
    irl__blocks_state *state = (irl__blocks_state *)r->user;
    const irl_expr    *view[IRL_MAX_RANK], *source[IRL_MAX_RANK];
    const irl__match  *m;
    uint32_t           k;
    if (state->axes.count + state->matches.count == 0) return e;
    if (e->op == IRL_OP_VAR) {
        const irl_expr *binding = (const irl_expr *)irl__ptr_map_get(&state->axes, e);
        return binding ? binding : e;
    }
    if (e->op != IRL_OP_LOAD) return irl__rewrite_expr_children(r, e);
    m = (const irl__match *)irl__ptr_map_get(&state->matches, e->u.buffer);
    if (!m) return irl__rewrite_expr_children(r, e);
    for (k = 0; k < e->count; k++) {
        view[k] = irl__rewrite_expr(r, e->a[k]);
        if (!view[k]) return NULL;
    }
    if (!irl__blocks_match_indices(r->cx, m, view, source)) return NULL;
    return irl__expr_load(r->cx, m->source.buffer, m->source.buffer->rank, source, irl__nowhere());
}

static const irl_stmt *irl__blocks_store(irl__rewriter *r, const irl_stmt *s)
{
    irl__blocks_state *state = (irl__blocks_state *)r->user;
    const irl__match  *m = (const irl__match *)irl__ptr_map_get(&state->matches, s->u.store.buffer);
    const irl_expr    *view[IRL_MAX_RANK], *source[IRL_MAX_RANK], *value;
    int                k;
    if (!m) return irl__rewrite_stmt_children(r, s);
    value = irl__rewrite_expr(r, s->u.store.value);
    for (k = 0; k < s->u.store.buffer->rank; k++) {
        view[k] = irl__rewrite_expr(r, s->u.store.indices[k]);
        if (!view[k]) return NULL;
    }
    if (!value || !irl__blocks_match_indices(r->cx, m, view, source)) return NULL;
    return irl__stmt_store(r->cx, m->source.buffer, value, m->source.buffer->rank, source, s->loc);
}

/* A view must have the element type of its source and be compact in its own right; a match of a match goes to the first. */
static int irl__blocks_bind_match(irl__rewriter *r, const irl__match *match)
{
    irl__blocks_state *state = (irl__blocks_state *)r->user;
    irl__match        *m = (irl__match *)irl__copy(r->cx, match, 1, sizeof *m);
    const irl__match  *outer = (const irl__match *)irl__ptr_map_get(&state->matches, match->source.buffer);
    const irl_expr   **min;
    int                rank = match->source.buffer->rank, k;
    if (!m) return 0;
    if (!irl_type_equal(m->buffer->type, m->source.buffer->type) || m->buffer->rank > rank || m->buffer->strides || m->buffer->offset)
        return irl__fail(r->cx, IRL_ERROR_UNSUPPORTED, m->buffer->loc,
                         "match buffer '%s' must view '%s' with its element type, no more axes, and neither strides nor offset",
                         m->buffer->name, m->source.buffer->name);
    min = (const irl_expr **)irl__copy(r->cx, m->source.min, (size_t)rank, sizeof *min);
    if (!min) return 0;
    for (k = 0; k < rank; k++) {
        min[k] = irl__rewrite_expr(r, min[k]);
        if (!min[k]) return 0;
    }
    m->source.min = min;
    if (outer) {
        const irl_expr **through = (const irl_expr **)irl__alloc_array(r->cx, IRL_MAX_RANK, sizeof *through);
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
    int                k;
    for (k = 0; k < b->axis_count; k++) {
        const irl_expr *binding = (const irl_expr *)irl__ptr_map_get(&state->axes, b->axes[k].var);
        if (!b->axes[k].is_reduction || irl__is_int(binding, 0)) continue;
        first = irl__and(r->cx, first, irl_op2(r->cx, IRL_OP_EQ, binding, irl_idx(r->cx, 0)));
        if (!first) return NULL;
    }
    return first && init ? irl_if(r->cx, first, init, NULL) : init;
}

static const irl_stmt *irl__blocks_block(irl__rewriter *r, const irl_stmt *s)
{
    irl__blocks_state     *state = (irl__blocks_state *)r->user;
    const irl__block_data *b = s->u.block;
    const irl_stmt       **list = (const irl_stmt **)irl__alloc_array(r->cx, (size_t)b->alloc_count + 2, sizeof *list);
    const irl_stmt        *body;
    const irl_expr        *predicate;
    int                    k, n = 0;
    if (!list) return NULL;
    for (k = 0; k < b->axis_count; k++) {
        const irl_expr *binding = irl__rewrite_expr(r, b->axes[k].binding);
        if (!binding || !irl__ptr_map_put(r->cx, &state->axes, b->axes[k].var, binding)) return NULL;
    }
    for (k = 0; k < b->match_count; k++)
        if (!irl__blocks_bind_match(r, &b->matches[k])) return NULL;
    for (k = 0; k < b->alloc_count; k++) {
        list[n] = irl_alloc_stmt(r->cx, b->allocs[k]);
        if (!list[n++]) return NULL;
    }
    if (b->init) {
        list[n] = irl__blocks_init(r, b);
        if (!list[n++]) return NULL;
    }
    list[n] = irl__rewrite_stmt(r, b->body);
    if (!list[n++]) return NULL;
    body = irl__stmt_seq(r->cx, n, list);
    predicate = b->predicate ? irl__rewrite_expr(r, b->predicate) : NULL;
    if (b->predicate && !predicate) return NULL;
    return predicate ? irl_if(r->cx, predicate, body, NULL) : body;
}

/* ------------------------------------------------------------------ match buffers alone */

/* A part of a match buffer is a part of what it matches. */
static int irl__blocks_region(irl__rewriter *r, const irl__match *m, irl__region *region)
{
    const irl_expr **min = (const irl_expr **)irl__alloc_array(r->cx, IRL_MAX_RANK, sizeof *min);
    const irl_expr **extent = (const irl_expr **)irl__alloc_array(r->cx, IRL_MAX_RANK, sizeof *extent);
    int              dropped = m->source.buffer->rank - m->buffer->rank, k;
    if (!min || !extent || !irl__blocks_match_indices(r->cx, m, region->min, min)) return 0;
    for (k = 0; k < m->source.buffer->rank; k++) {
        extent[k] = k < dropped ? irl_idx(r->cx, 1) : region->extent[k - dropped];
        if (!extent[k]) return 0;
    }
    region->buffer = m->source.buffer;
    region->min = min;
    region->extent = extent;
    return 1;
}

static const irl__region *irl__blocks_regions(irl__rewriter *r, int count, const irl__region *list)
{
    irl__blocks_state *state = (irl__blocks_state *)r->user;
    irl__region       *copy = (irl__region *)irl__copy(r->cx, list, (size_t)count, sizeof *copy);
    int                k;
    for (k = 0; copy && k < count; k++) {
        const irl__match *m = (const irl__match *)irl__ptr_map_get(&state->matches, copy[k].buffer);
        if (m && !irl__blocks_region(r, m, &copy[k])) return NULL;
    }
    return copy;
}

static const irl_stmt *irl__blocks_unmatched(irl__rewriter *r, const irl_stmt *s)
{
    irl__block_data *b;
    irl_stmt        *copy;
    int              k;
    if (s->kind == IRL__STORE) return irl__blocks_store(r, s);
    if (s->kind != IRL__BLOCK) return irl__rewrite_stmt_children(r, s);
    copy = irl__stmt_copy(r->cx, s);
    b = (irl__block_data *)irl__copy(r->cx, s->u.block, 1, sizeof *b);
    if (!copy || !b) return NULL;
    for (k = 0; k < b->match_count; k++)
        if (!irl__blocks_bind_match(r, &b->matches[k])) return NULL;
    b->match_count = 0;
    b->reads = irl__blocks_regions(r, b->read_count, b->reads);
    b->writes = irl__blocks_regions(r, b->write_count, b->writes);
    copy->u.block = b;
    return b->reads && b->writes ? irl__rewrite_stmt_children(r, copy) : NULL;
}

/* ------------------------------------------------------------------ the pass */

static const irl_stmt *irl__blocks_stmt(irl__rewriter *r, const irl_stmt *s)
{
    if (s->kind == IRL__BLOCK) return irl__blocks_block(r, s);
    if (s->kind == IRL__STORE) return irl__blocks_store(r, s);
    return irl__rewrite_stmt_children(r, s);
}

static irl_func *irl__blocks_run(const irl_func *f, const irl_stmt *(*stmt)(irl__rewriter *r, const irl_stmt *s))
{
    irl__blocks_state state;
    irl__rewriter     r = irl__rewriter_make(f->cx, &state, irl__blocks_expr, stmt);
    memset(&state, 0, sizeof state);
    return irl__rewrite_func(&r, f);
}

irl_func *irl__pass_lower_blocks(const irl_func *f) { return irl__blocks_run(f, irl__blocks_stmt); }
irl_func *irl__resolve_matches(const irl_func *f) { return irl__blocks_run(f, irl__blocks_unmatched); }
