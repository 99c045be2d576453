/* layout_padding.c - stores the stated padding of a layout: by separate loops, or by the nest that
   stores the data.

   needs     layout_shape.c, whole_store.c
   promises  every cell without a point holds the padding, and no cell with a point is touched */
#include "layouts.h"
#include "cut.h"

/* ------------------------------------------------------------------ loops of their own */

/* The last axis that a condition uses; -1 for none. */
static int irl__layouts_last_axis(const irl_expr *condition, int rank, const irl_expr *const *axes)
{
    while (rank-- > 0)
        if (irl__expr_uses_var(condition, axes[rank])) return rank;
    return -1;
}

/* Puts each part of a conjunction where its last axis is known: there it bounds that axis's
   loop. */
static int irl__layouts_place(irl_ctx *cx, const irl_expr *condition, int rank,
                              const irl_expr *const *axes, const irl_expr **guards)
{
    if (condition->op == IRL_OP_AND)
        return irl__layouts_place(cx, condition->a[0], rank, axes, guards) &&
               irl__layouts_place(cx, condition->a[1], rank, axes, guards);
    int k = irl__layouts_last_axis(condition, rank, axes);
    if (k < 0) k = rank - 1;
    guards[k] = irl__and(cx, guards[k], condition);
    return guards[k] != NULL;
}

/* What the cell at these axes holds where no point lies in it. */
static const irl_expr *irl__layouts_padding(const irl__layouts_state *state,
                                            const irl_expr *const *axes)
{
    const irl_map *pad = state->layout->pad;
    return pad ? irl__substitute(state->f->cx, state->layout->padding, pad->input_count,
                                 pad->inputs, axes)
               : state->layout->padding;
}

/* for (axis0: ..., axis1: ...) if (unreached) b[axis0, axis1] = padding: what the layout leaves
   over holds what was stated. Before anything is in it, an image is filled by whole texels: without
   the condition, where that is about lanes. */
const irl_stmt *irl__layouts_fill(irl__layouts_state *state, const irl_buffer *b, int is_first)
{
    irl_ctx        *cx = state->f->cx;
    const irl_expr *axes[IRL_MAX_RANK], *guards[IRL_MAX_RANK], *unreached;
    memset(guards, 0, sizeof guards);
    for (int k = 0; k < b->rank; k++)
        axes[k] = irl_expr_var(cx, state->axes[k]->u.name, irl__type_index());
    unreached = irl__substitute(cx, state->unreached, b->rank, state->axes, axes);
    if (!unreached || !irl__layouts_place(cx, unreached, b->rank, axes, guards)) return NULL;
    if (is_first && irl__scope_is_image(b->scope) && b->rank && guards[b->rank - 1])
        memset(guards, 0, sizeof guards);
    const irl_stmt *fill = irl__stmt_store(cx, b, irl__layouts_padding(state, axes), b->rank, axes,
                                           state->layout->loc);
    for (int k = b->rank; fill && k-- > 0;) {
        if (guards[k]) fill = irl_stmt_if(cx, guards[k], fill, NULL);
        fill = irl_stmt_for(cx, IRL_SERIAL, axes[k], irl_expr_index(cx, 0), b->shape[k], fill);
    }
    return fill;
}

/* ------------------------------------------------------------------ padding in the same store */

/* of an output of an inverse that is worth computing in the nest */
enum {
    IRL__LAYOUTS_NODES = 64,
    IRL__LAYOUTS_CELLS = 16 /* at most so many cells of a row become a vector */
};

static int irl__layouts_may_be_whole(const irl__layouts_state *state)
{
    if ((!state->unreached && !state->by_memory) || !state->inverse || state->stores != 1 ||
        state->escapes)
        return 0;
    for (int k = 0; k < state->inverse->output_count; k++)
        if (state->inverse->outputs[k]->size > IRL__LAYOUTS_NODES) return 0;
    return 1;
}

int irl__layouts_find_wholes(irl__layouts_round *round, const irl_stmt *s)
{
    irl_ctx        *cx = round->f->cx;
    const irl_stmt *inner = s;
    if (s->kind == IRL__SEQ) {
        for (int k = 0; k < s->u.seq.count; k++)
            if (!irl__layouts_find_wholes(round, s->u.seq.stmts[k])) return 0;
        return 1;
    }
    if (s->kind != IRL__FOR) return 1;
    while (inner->kind == IRL__FOR) inner = inner->u.loop.body;
    if (inner->kind == IRL__BLOCK) inner = inner->u.block->body;
    for (int k = irl__stmt_count(inner); k-- > 0;) {
        const irl_stmt     *store = irl__stmt_at(inner, k);
        irl__layouts_state *state =
            store->kind == IRL__STORE ? irl__layouts_of(round, store->u.store.buffer) : NULL;
        if (!state || state->is_view || !irl__layouts_may_be_whole(state) ||
            !irl__whole_store_find(cx, s, state->from, &state->whole))
            continue;
        return irl__ptr_map_put(cx, &round->of_nest, s, state);
    }
    return irl__ok(cx);
}

/* The name of a physical axis: of the variable that it is, or c_outer, c_inner where it is a digit
   of one. */
static const char *irl__layouts_axis_name(const irl__layouts_state *state, int axis)
{
    const irl_expr *e = state->map->outputs[axis];
    const int is_digit =
        (e->op == IRL_OP_FLOORDIV || e->op == IRL_OP_FLOORMOD) && e->a[0]->op == IRL_OP_VAR;
    if (state->how && state->how->nest && state->how->names) return state->how->names[axis];
    for (int k = 0; k < state->map->input_count; k++) {
        if (e == state->map->inputs[k]) return state->whole.axes[k]->u.name;
        if (!is_digit || e->a[0] != state->map->inputs[k]) continue;
        return irl__format(state->f->cx, "%s_%s", state->whole.axes[k]->u.name,
                           e->op == IRL_OP_FLOORDIV ? "outer" : "inner");
    }
    return state->axes[axis]->u.name;
}

/* The nest keeps its order: an axis goes where the first variable goes that it is made of. */
static int irl__layouts_axis_place(const irl__layouts_state *state, int axis)
{
    int place = IRL_MAX_RANK;
    for (int k = 0; k < state->map->input_count; k++)
        if (irl__expr_uses_var(state->map->outputs[axis], state->map->inputs[k]) &&
            state->whole.place[k] < place)
            place = state->whole.place[k];
    return place;
}

/* Is it the nest whose loops a step makes anew? Theirs is the order of the axes. */
static int irl__layouts_is_asked(const irl__layouts_state *state)
{
    return state->how && state->how->nest;
}

/* axes[k] and their loops: new variables; `order` from the outermost loop to the innermost. */
static int irl__layouts_whole_axes(irl__layouts_state *state, int *order)
{
    irl_ctx         *cx = state->f->cx;
    int              rank = state->map->output_count, at;
    const irl_expr **axes = IRL__NEW(cx, const irl_expr *, rank);
    if (!axes) return 0;
    for (int k = 0; k < rank; k++) {
        axes[k] = irl_expr_var(cx, irl__layouts_axis_name(state, k), irl__type_index());
        if (!axes[k]) return 0;
        for (at = k; at > 0 && !irl__layouts_is_asked(state) &&
                     irl__layouts_axis_place(state, order[at - 1]) >
                         irl__layouts_axis_place(state, k);
             at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
    if (state->unreached)
        state->unreached = irl__substitute(cx, state->unreached, rank, state->axes, axes);
    state->axes = axes;
    return state->unreached || state->by_memory;
}

/* The body where it stores the element that lies at `axes`. */
static const irl_stmt *irl__layouts_whole_inside(irl__rewriter *r, irl__layouts_state *state)
{
    const irl__whole_store *w = &state->whole;
    const irl_expr         *point[IRL_MAX_RANK], *values[IRL_MAX_RANK];
    int                     rank = state->from->rank;
    for (int k = 0; k < rank; k++)
        point[k] = irl__substitute(r->cx, state->inverse->outputs[k], state->map->output_count,
                                   state->inverse->inputs, state->axes);
    for (int k = 0; k < w->count; k++)
        values[k] = irl__substitute(r->cx, w->values[k], rank, w->axes, point);
    state->own = IRL__NEW(r->cx, const irl_expr *, rank);
    for (int k = 0; state->own && k < rank; k++)
        state->own[k] = irl__substitute(r->cx, w->indices[k], w->count, w->vars, values);
    if (!irl__ok(r->cx)) return NULL;
    const irl_stmt *body = irl__substitute_stmt(r->cx, w->body, w->count, w->vars, values);
    if (body && w->block) body = irl__substitute_stmt(r->cx, body, w->count, w->loops, values);
    body = irl__rewrite_stmt(r, body);
    state->own = NULL;
    return body;
}

/* The body for the cell at `axes`, or the padding. A body that is the store alone becomes one store
   of either; behind lets too where it is an image's, whose lanes are stored together. */
static const irl_stmt *irl__layouts_whole_body(irl__rewriter *r, irl__layouts_state *state)
{
    const irl_expr *reached =
        state->unreached
            ? irl__simplify_alone(r->cx, irl_expr_op1(r->cx, IRL_OP_NOT, state->unreached))
            : NULL;
    const irl_buffer *to = irl__layouts_buffer(r, state->from);
    const irl_stmt *body = to && (reached || !state->unreached)
                               ? irl__layouts_whole_inside(r, state)
                               : NULL;
    if (!body || !state->unreached) return body;
    if (irl__scope_is_image(to->scope)) body = irl__stmt_without_lets(r->cx, body);
    const irl_expr *padding = irl__layouts_padding(state, state->axes);
    if (!body || !padding) return NULL;
    if (body->kind == IRL__STORE)
        return irl__stmt_store(r->cx, to,
                               irl_expr_op3(r->cx, IRL_OP_IF_THEN_ELSE, reached,
                                            body->u.store.value, padding),
                               to->rank, state->axes, body->loc);
    return irl_stmt_if(r->cx, reached, body,
                       irl__stmt_store(r->cx, to, padding, to->rank, state->axes,
                                       state->layout->loc));
}

static const irl_expr *const *irl__layouts_fresh(irl_ctx *cx, int count,
                                                 const irl_expr *const *like)
{
    const irl_expr **list = IRL__NEW(cx, const irl_expr *, count);
    for (int k = 0; list && k < count; k++) {
        list[k] = irl_expr_var(cx, like[k]->u.name, like[k]->type);
        if (!list[k]) return NULL;
    }
    return list;
}

/* The block over the physical box. It may read all of what it read a part of: an unreached cell has
   no point to go by. */
static const irl_stmt *irl__layouts_whole_block(irl__rewriter *r, const irl__layouts_state *state,
                                                const irl_stmt *body, const irl_expr *const *loops)
{
    irl_ctx         *cx = r->cx;
    const irl_stmt  *old = state->whole.block;
    irl__block_data *b;
    irl_stmt        *copy = irl__block_copy(cx, old, &b);
    int              rank = state->map->output_count;
    irl__axis       *axes = IRL__NEW(cx, irl__axis, rank);
    irl__region *reads = IRL__COPY(cx, irl__region, old->u.block->reads, old->u.block->read_count);
    irl__region *writes =
        IRL__COPY(cx, irl__region, old->u.block->writes, old->u.block->write_count);
    if (!copy || !axes || !reads || !writes) return NULL;
    for (int k = 0; k < rank; k++) {
        axes[k].var = state->axes[k];
        axes[k].extent = state->shape[k];
        axes[k].binding = loops[k];
    }
    for (int j = 0; j < b->read_count + b->write_count; j++) {
        irl__region     *region = j < b->read_count ? &reads[j] : &writes[j - b->read_count];
        const irl_expr **min;
        region->buffer = irl__layouts_buffer(r, region->buffer);
        if (!region->buffer) return NULL;
        min = IRL__NEW(cx, const irl_expr *, region->buffer->rank);
        for (int k = 0; min && k < region->buffer->rank; k++) min[k] = irl_expr_index(cx, 0);
        if (!min) return NULL;
        region->min = min;
        region->extent = region->buffer->shape;
    }
    b->axis_count = rank;
    b->axes = axes;
    b->reads = reads;
    b->writes = writes;
    b->body = body;
    return irl__stmt_finish(cx, copy);
}

/* The iterations of all axes but the last, as far as they are numbers; INT64_MAX: of one they are
   not. */
static int64_t irl__layouts_whole_items(const irl__layouts_state *state)
{
    int64_t items = 1;
    for (int k = 0; k < state->map->output_count - 1; k++)
        if (state->shape[k]->op != IRL_OP_INT || !irl__mul64(items, state->shape[k]->u.i, &items))
            return INT64_MAX;
    return items;
}

/* The few cells of the last axis are a vector, and as many of these in a row as fill two lines of
   memory, where the nest goes in another direction, are written one after the other: *cut is the
   axis before the last one then. s is the store. */
static const irl_stmt *irl__layouts_whole_lines(irl_ctx *cx, const irl__layouts_state *state,
                                                const int *order, const irl_expr *const *loops,
                                                irl__loop_cut *cut, const irl_stmt *s)
{
    const int       last = state->map->output_count - 1, before = last - 1;
    const int64_t   bytes = (int64_t)irl__type_bytes(s->u.store.buffer->type);
    const irl_expr *cells = state->shape[last], *lines = before < 0 ? NULL : state->shape[before];
    const int64_t   items = irl__layouts_whole_items(state);
    int64_t         factor;
    cut->count = 0;
    if (last < 1 || order[last] != last || cells->op != IRL_OP_INT || cells->u.i < 2 ||
        cells->u.i > IRL__LAYOUTS_CELLS)
        return NULL;
    s = irl_stmt_for(cx, IRL_VECTORIZED, loops[last], irl_expr_index(cx, 0), cells, s);
    factor = IRL__LINES_BYTES / (cells->u.i * bytes);
    while (factor > 1 && (lines->op != IRL_OP_INT || lines->u.i % factor ||
                          items / factor < IRL__LINES_ITEMS))
        factor--;
    if (!s || factor < 2 || order[before] == before) return s;
    const irl_stmt *loop = irl_stmt_for(cx, IRL_PARALLEL, loops[before], irl_expr_index(cx, 0),
                                        lines, s);
    if (!loop || !irl__loop_cut_in_two(cx, loop, factor, cut)) return NULL;
    const irl_expr *value = irl__loop_cut_value(cx, cut);
    s = value ? irl__substitute_stmt(cx, s, 1, &loops[before], &value) : NULL;
    return s ? irl_stmt_for(cx, IRL_UNROLLED, cut->var[1], irl_expr_index(cx, 0), cut->extent[1], s)
             : NULL;
}

const irl_stmt *irl__layouts_whole(irl__rewriter *r, irl__layouts_state *state)
{
    irl_for_kind    kind = state->whole.is_parallel ? IRL_PARALLEL : IRL_SERIAL;
    int             order[IRL_MAX_RANK], rank = state->map->output_count, k = rank;
    irl__loop_cut   cut;
    cut.count = 0;
    if (!irl__layouts_whole_axes(state, order)) return NULL;
    const irl_stmt *s = irl__layouts_whole_body(r, state);
    const irl_expr *const *loops = state->axes;
    if (s && state->whole.block) {
        loops = irl__layouts_fresh(r->cx, rank, state->axes);
        s = loops ? irl__layouts_whole_block(r, state, s, loops) : NULL;
    }
    if (s && kind == IRL_PARALLEL && s->kind == IRL__STORE && !irl__layouts_is_asked(state)) {
        const irl_stmt *lines = irl__layouts_whole_lines(r->cx, state, order, loops, &cut, s);
        if (lines) s = lines, k--;
    }
    while (s && k-- > 0) {
        const int is_cut = cut.count && order[k] == rank - 2;
        s = irl_stmt_for(r->cx, kind, is_cut ? cut.var[0] : loops[order[k]],
                         irl_expr_index(r->cx, 0), is_cut ? cut.extent[0] : state->shape[order[k]],
                         s);
        if (k == 0) {
            /* Loops of a nest that had a label have it too. */
            const char *label = irl__stmt_label(state->whole.nest);
            if (label) s = irl_stmt_set_note(r->cx, s, irl__note_of(IRL__NOTE_LABEL, label));
        }
        if (irl__layouts_is_asked(state)) state->how->loops[order[k]] = s;
    }
    return irl__ok(r->cx) ? s : NULL;
}
