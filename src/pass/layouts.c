/* layouts.c - applies layouts: every access of a buffer goes through its map.

   requires  no matched part of a buffer that has a layout; of a view of another shape or type, that
             the layout keeps each of its elements together (layout_views.c)
   promises  the numbers that the function computes do not change; loops, blocks and ids stay,
             except for a nest that runs over memory. Parameters get an ABI shape besides their
             logical shape, and the map between them
   cost      linear in the function, plus a verdict per layout; once more if a buffer has a second
             layout

   A layout is applied only if it is proved injective for the buffer's shape, or the caller states
   that it is. The one exception is a parameter that is never written: there a many-to-one map is
   legal, and the caller passes the physical memory itself; an attribute records this, unless the
   function states it. If a proof holds only for some of the values that names can have, the
   function asserts these values: for a parameter first of all, for a temporary before its
   allocation. */
#include "layouts.h"

/* ------------------------------------------------------------------ which buffers */

static int irl__layouts_same_view(const irl_buffer *a, const irl_buffer *b)
{
    if (a->data != b->data || !irl_type_equal(a->type, b->type) || a->rank != b->rank ||
        !a->strides != !b->strides || a->offset != b->offset)
        return 0;
    for (int k = 0; k < a->rank; k++)
        if (a->shape[k] != b->shape[k] || (a->strides && a->strides[k] != b->strides[k])) return 0;
    return 1;
}

static int irl__layouts_has_view(const irl__layouts_round *round, const irl_buffer *b)
{
    ptrdiff_t k = stbds_arrlen(round->views);
    while (k > 0 && round->views[k - 1] != b) k--;
    return k > 0;
}

static void irl__layouts_see_buffer(irl__visitor *v, const irl_buffer *b, const irl_stmt *s)
{
    irl__layouts_round *round = (irl__layouts_round *)v->user;
    irl__layouts_state *state = irl__layouts_of(round, b);
    if (!state) return;
    if (!irl__layouts_same_view(b, state->from) && !irl__layouts_has_view(round, b))
        (void)IRL__PUSH(round->f->cx, round->views, b);
    if (s && s->kind == IRL__STORE) state->is_written = 1, state->stores++;
}

static int irl__layouts_see_pointer(irl__visitor *v, const irl_expr *e)
{
    irl__layouts_state *state =
        e->type.is_pointer
            ? (irl__layouts_state *)irl__ptr_map_get(&((irl__layouts_round *)v->user)->of_data, e)
            : NULL;
    if (state) state->escapes = 1;
    return 1;
}

/* ------------------------------------------------------------------ rewriting */

/* assert(guard, "the layout of 'x' is right for these sizes") */
static const irl_stmt *irl__layouts_guard(const irl__layouts_state *state)
{
    irl_ctx *cx = state->f->cx;
    return irl_stmt_assert(cx, state->guard,
                           irl__format(cx, "the layout of '%s' is right for these sizes",
                                       state->from->name));
}

/* A temporary is filled as soon as it exists; what its layout asks of sizes stands before. */
static const irl_stmt *irl__layouts_alloc(irl__rewriter *r, irl__layouts_state *state,
                                          const irl_stmt *s)
{
    const irl_stmt *list[3];
    int             n = 0;
    if (state->guard) list[n++] = irl__layouts_guard(state);
    s = irl__rewrite_stmt_children(r, s);
    list[n++] = s;
    if (s && state->unreached && !state->whole.nest)
        list[n++] = irl__layouts_fill(state, s->u.alloc.buffer, 1);
    return n == 1 ? s : irl__stmt_seq(r->cx, n, list);
}

/* The layout of a buffer that is accessed by the lanes of a vector; NULL: it has none, or one
   element is accessed. */
static const irl__layouts_state *irl__layouts_of_lanes(const irl__rewriter *r, const irl_buffer *b,
                                                       const irl_expr *const *indices)
{
    return b->rank && indices[b->rank - 1]->type.lanes > 1
               ? irl__layouts_of((const irl__layouts_round *)r->user, b)
               : NULL;
}

static const irl_buffer *irl__layouts_access(irl__rewriter *r, const irl_buffer *b,
                                             const irl_expr **indices)
{
    const irl__layouts_state *state = irl__layouts_of((const irl__layouts_round *)r->user, b);
    const irl_expr           *old[IRL_MAX_RANK];
    if (!state) return b;
    memcpy(old, indices, (size_t)b->rank * sizeof *old);
    /* the nest over the physical box accesses its own element, whose cell is known */
    if (state->own && irl__exprs_equal(b->rank, old, state->own))
        memcpy(indices, state->axes, (size_t)state->map->output_count * sizeof *indices);
    else {
        if (!irl__map_substitute(r->cx, state->map, old, indices)) return NULL;
        for (int k = 0; state->how && k < state->map->output_count; k++)
            if (!(indices[k] = irl__simplify_alone(r->cx, indices[k]))) return NULL;
    }
    return irl__layouts_buffer(r, b);
}

static const irl_expr *irl__layouts_expr(irl__rewriter *r, const irl_expr *e)
{
    const irl_expr *indices[IRL_MAX_RANK];
    if (!(e->flags & IRL__HAS_MEMORY)) return e;
    const irl__layouts_state *state =
        e->op == IRL_OP_LOAD ? irl__layouts_of_lanes(r, e->u.buffer, e->a) : NULL;
    if (!state) return irl__rewrite_expr_children(r, e);
    const irl_buffer *to = irl__layouts_buffer(r, e->u.buffer);
    return to && irl__rewrite_exprs(r, (int)e->count, e->a, indices)
               ? irl__layouts_load(r->cx, state->map, to, (int)e->count, indices)
               : NULL;
}

static const irl_stmt *irl__layouts_store(irl__rewriter *r, const irl_stmt *s)
{
    const irl_buffer         *b = s->u.store.buffer, *to;
    const irl__layouts_state *state = irl__layouts_of_lanes(r, b, s->u.store.indices);
    const irl_expr           *indices[IRL_MAX_RANK], *value;
    if (!state) return irl__rewrite_stmt_children(r, s);
    value = irl__rewrite_expr(r, s->u.store.value);
    to = irl__layouts_buffer(r, b);
    return value && to && irl__rewrite_exprs(r, b->rank, s->u.store.indices, indices)
               ? irl__layouts_store_lanes(r->cx, state->map, to, value, b->rank, indices, s->loc)
               : NULL;
}

/* A region's image along one axis: the least and the largest index where the ranges of the old axes
   tell, else the whole axis. */
static int irl__layouts_region_axis(irl__layouts_state *state, irl__analyzer *an,
                                    const irl__region *from, int axis, const irl_expr **min,
                                    const irl_expr **extent)
{
    irl_ctx        *cx = state->f->cx;
    const irl_expr *output = state->map->outputs[axis], *end;
    int             points = 1;
    for (int k = 0; k < state->from->rank; k++) {
        if (output == state->map->inputs[k]) {
            *min = from->min[k];
            *extent = from->extent[k];
            return 1;
        }
        points &=
            irl__is_int(from->extent[k], 1) || !irl__expr_uses_var(output, state->map->inputs[k]);
    }
    *extent = irl_expr_index(cx, 1);
    if (points) {
        *min = irl__substitute(cx, output, state->from->rank, state->map->inputs, from->min);
        return *min && *extent;
    }
    *min = irl__symbolic_bound_over(an, output, -1, state->map->inputs[0]);
    end = irl__symbolic_bound_over(an, output, 1, state->map->inputs[0]);
    if (*min && end) *extent = irl__simplify(an, irl__add(cx, irl__sub(cx, end, *min), *extent));
    else {
        *min = irl_expr_index(cx, 0);
        *extent = state->shape[axis];
    }
    return *min && *extent && irl__ok(cx);
}

static int irl__layouts_region(irl__rewriter *r, const irl_buffer *b, irl__region *region)
{
    const irl__layouts_round *round = (const irl__layouts_round *)r->user;
    irl__layouts_state       *state = irl__layouts_of(round, b);
    const irl_buffer         *to = irl__layouts_buffer(r, b);
    const irl_expr           *min[IRL_MAX_RANK], *extent[IRL_MAX_RANK];
    int                       rank = state ? state->map->output_count : 0;
    if (!state || !to) return to != NULL;
    irl__arena_mark mark = irl__scratch_begin(r->cx);
    irl__analyzer  *an = irl__analyzer_begin(r->cx);
    int ok = an && irl__path_params(an, round->f) && irl__bind_block(an, round->block);
    for (int k = 0; ok && k < b->rank; k++)
        ok = irl__bind_extent(an, state->map->inputs[k], region->min[k], region->extent[k]);
    for (int k = 0; ok && k < rank; k++)
        ok = irl__layouts_region_axis(state, an, region, k, &min[k], &extent[k]);
    irl__scratch_end(r->cx, mark);
    if (!ok) return 0;
    region->buffer = to;
    region->min = IRL__COPY(r->cx, const irl_expr *, min, rank);
    region->extent = IRL__COPY(r->cx, const irl_expr *, extent, rank);
    return region->min && region->extent;
}

/* A temporary of a block is filled where the block's body begins; what its layout asks of sizes
   stands there too. */
static int irl__layouts_fill_block(irl__rewriter *r, const irl__block_data *old, irl__block_data *b)
{
    const irl_stmt *list[2];
    for (int k = 0; b->body && k < b->alloc_count; k++) {
        irl__layouts_state *state =
            irl__layouts_of((const irl__layouts_round *)r->user, old->allocs[k]);
        for (int j = 0; state && b->body && j < 2; j++) {
            if (!(j ? state->unreached : state->guard)) continue;
            /* an init may have stored data */
            list[0] = j ? irl__layouts_fill(state, b->allocs[k], !b->init)
                        : irl__layouts_guard(state);
            list[1] = b->body;
            b->body = irl__stmt_seq(r->cx, 2, list);
        }
    }
    return b->body != NULL;
}

static const irl_stmt *irl__layouts_block(irl__rewriter *r, const irl_stmt *s)
{
    irl__block_data *b;
    ((irl__layouts_round *)r->user)->block = s->u.block;
    irl_stmt *copy = irl__block_copy(r->cx, irl__rewrite_stmt_children(r, s), &b);
    return copy && irl__layouts_fill_block(r, s->u.block, b) ? irl__stmt_finish(r->cx, copy) : NULL;
}

static const irl_stmt *irl__layouts_stmt(irl__rewriter *r, const irl_stmt *s)
{
    const irl__layouts_round *round = (const irl__layouts_round *)r->user;
    irl__layouts_state       *state, *whole;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__STORE: return irl__layouts_store(r, s);
    case IRL__ALLOC:
        state = irl__layouts_of(round, s->u.alloc.buffer);
        return state ? irl__layouts_alloc(r, state, s) : irl__rewrite_stmt_children(r, s);
    case IRL__FOR:
        whole = (irl__layouts_state *)irl__ptr_map_get(&round->of_nest, s);
        return whole ? irl__layouts_whole(r, whole) : irl__rewrite_stmt_children(r, s);
    case IRL__BLOCK: return irl__layouts_block(r, s);
    default: return irl__rewrite_stmt_children(r, s);
    }
}

/* ------------------------------------------------------------------ parameters */

/* The composed map from the user's shape to what lies in memory; a lossy read has none, its caller
   hands over memory. */
static int irl__layouts_param(irl__layouts_state *state, irl__rewriter *r, irl__param *p)
{
    irl_ctx *cx = state->f->cx;
    p->buffer = irl__layouts_buffer(r, p->buffer);
    if (!p->buffer) return 0;
    if (state->lossy_read) {
        p->map = NULL;
        p->logical_rank = p->buffer->rank;
        p->logical_shape = p->buffer->shape;
        return 1;
    }
    p->map = p->map ? irl_map_compose(cx, state->map, p->map) : state->map;
    if (state->layout->padding && !state->layout->pad && !(state->how && state->how->any))
        p->padding = state->layout->padding;
    return p->map != NULL;
}

/* What the layouts of parameters ask of sizes, before all else. */
static const irl_stmt *irl__layouts_guards(irl__layouts_round *round, const irl_stmt *body)
{
    for (int k = round->count; body && k-- > 0;)
        if (round->states[k].guard &&
            irl__func_param_of(round->f, round->states[k].from->data) >= 0)
            body = irl__stmt_then(round->f->cx, irl__layouts_guard(&round->states[k]), body);
    return body;
}

/* attr(shared_cells = "x: (0, 0) and (0, 1) both map to [0, 0]"), for whoever reads the function:
   irl_func_warnings. */
static irl_func *irl__layouts_say(irl_func *f, const irl__layouts_state *state, const char *key,
                                  const char *what)
{
    if (!f || !what || irl__func_said(f, key, state->from->name)) return f;
    const char *text = irl__format(f->cx, "%s: %s", state->from->name, what);
    return text ? irl_func_set_attr(f, irl__note_of(key, text)) : NULL;
}

static irl_func *irl__layouts_rewrite(irl__layouts_round *round)
{
    irl_ctx            *cx = round->f->cx;
    irl__layouts_state *state;
    irl_func           *f = irl__func_copy(cx, round->f);
    irl__param *params =
        IRL__COPY(cx, irl__param, f ? f->params : NULL, f ? f->param_count : 0);
    irl__rewriter r = irl__rewriter_make(cx, round, irl__layouts_expr, irl__layouts_stmt);
    r.buffer = irl__layouts_buffer;
    r.access = irl__layouts_access;
    r.region = irl__layouts_region;
    if (!f || !params) return NULL;
    for (int k = 0; k < f->param_count; k++) {
        state = params[k].buffer ? irl__layouts_of(round, params[k].buffer) : NULL;
        if (state && !irl__layouts_param(state, &r, &params[k])) return NULL;
    }
    f->params = params;
    f->body = irl__rewrite_stmt(&r, f->body);
    for (int k = 0; f->body && k < f->param_count; k++) {
        state = params[k].buffer ? irl__layouts_of(round, params[k].buffer) : NULL;
        if (state && state->unreached && state->is_written && !state->whole.nest)
            /* after everything else: what the caller's memory held there does not count */
            f->body = irl__stmt_then(cx, f->body, irl__layouts_fill(state, params[k].buffer, 0));
    }
    if (f->body) f->body = irl__layouts_guards(round, f->body);
    if (!f->body) f = NULL;
    for (int k = 0; k < round->count; k++) {
        state = &round->states[k];
        f = irl__layouts_say(f, state, IRL__ATTR_SHARED, state->lossy_read ? state->shared : NULL);
        f = irl__layouts_say(f, state, IRL__ATTR_PADDING, state->how ? NULL : state->unstated);
    }
    return f;
}

/* ------------------------------------------------------------------ rounds */

/* A layout of another rank: whose axes are meant is said, for after an earlier layout they are no
   longer those of the text. */
static int irl__layouts_rank_fits(irl__layouts_round *round, const irl__layout *layout,
                                  const irl_buffer *b)
{
    irl_ctx       *cx = round->f->cx;
    const irl_map *map = layout->map;
    char           shape[128];
    irl__text      t;
    int            k, earlier = 0;
    if (map->variadic ? b->rank >= map->input_count : b->rank == map->input_count) return 1;
    for (k = 0; &round->first[k] < layout; k++)
        earlier |= strcmp(round->first[k].buffer, layout->buffer) == 0;
    irl__text_init_fixed(&t, shape, sizeof shape);
    for (k = 0; k < b->rank; k++) irl__textf(&t, k ? ", %s" : "%s", irl_expr_text(cx, b->shape[k]));
    return irl__fail(cx, IRL_ERROR_RANK_MISMATCH, layout->loc,
                     "this layout of '%s' takes %s%d axes; '%s' has %d%s: [%s]", layout->buffer,
                     map->variadic ? "at least " : "", map->input_count, layout->buffer, b->rank,
                     earlier ? " after its earlier layout" : "", shape);
}

/* Takes a layout into the round. 0: failed; -1: its buffer is in the round already. */
static int irl__layouts_take(irl__layouts_round *round, const irl__layout *layout)
{
    irl_ctx            *cx = round->f->cx;
    irl__layouts_state *state = &round->states[round->count];
    memset(state, 0, sizeof *state);
    state->f = round->f;
    state->how = round->how;
    state->layout = layout;
    state->from = layout->data ? irl__func_memory(round->f, layout->data)
                               : irl__func_buffer(round->f, layout->loc, layout->buffer);
    if (!state->from) return 0;
    if (irl__layouts_of(round, state->from)) return -1;
    if (layout->map->input_count == 0 && !layout->map->variadic && layout->map->output_count == 0)
        return 1;
    if ((state->from->strides || state->from->offset) &&
        irl__func_param_of(round->f, state->from->data) >= 0)
        return irl__fail(cx, IRL_ERROR_UNSUPPORTED, layout->loc, "'%s' has strides or an offset, "
                         "which already state its layout in the caller's memory; only those of a "
                         "temporary can be replaced", state->from->name);
    if (!irl__layouts_rank_fits(round, layout, state->from)) return 0;
    if (layout->pad) {
        irl__layout *computed = IRL__COPY(cx, irl__layout, layout, 1);
        if (!computed) return 0;
        computed->padding = irl_expr_cast(cx, state->from->type, layout->pad->outputs[0]);
        state->layout = computed;
    }
    state->map = irl__map_of_rank(cx, layout->map, state->from->rank);
    if (!state->map ||
        !irl__separators_valid(cx, state->map->output_count, state->map->separator_count,
                               state->map->separators, layout->loc))
        return 0;
    round->count++;
    return irl__ptr_map_put(cx, &round->of_data, state->from->data, state);
}

/* Every work-item of a group would store the padding of memory that they share, in no order. */
static int irl__layouts_may_pad(const irl__layouts_state *state)
{
    if (!state->unreached || state->from->scope != IRL_SCOPE_SHARED) return 1;
    return irl__fail(state->f->cx, IRL_ERROR_UNSUPPORTED, state->layout->loc, "'%s' is shared by a "
                     "group, whose work-items would all store its padding; leave out pad (in a "
                     "step: pad = \"any\"), or store it in the function", state->from->name);
}

/* Padding that is computed is written by the function, and has a value in each cell of memory. */
static int irl__layouts_may_compute_pad(const irl__layouts_state *state)
{
    irl_ctx       *cx = state->f->cx;
    const irl_map *pad = state->layout->pad;
    const int      rank = state->map->output_count;
    if (!pad) return 1;
    if (pad->variadic || pad->input_count != rank || pad->output_count != 1)
        return irl__fail(cx, IRL_ERROR_RANK_MISMATCH, pad->loc, "the padding of '%s', which has %d "
                         "axes in memory, is a map of %d inputs to one value", state->from->name,
                         rank, rank);
    if (!state->is_written && irl__func_param_of(state->f, state->from->data) >= 0)
        return irl__fail(cx, IRL_ERROR_UNSUPPORTED, pad->loc, "'%s' is only read: its caller fills "
                         "the padding, with one constant", state->from->name);
    irl__analyzer *an = irl__analyzer_begin(cx);
    for (int k = 0; an && k < rank; k++)
        if (!irl__bind_extent(an, pad->inputs[k], irl_expr_index(cx, 0), state->shape[k]))
            return 0;
    const irl_expr *part = an ? irl__undefined_part(an, state->layout->padding) : NULL;
    return irl__ok(cx) &&
           (!part || irl__fail(cx, IRL_ERROR_UNSUPPORTED, pad->loc, "the padding of '%s' is not "
                               "known to have a value in each of its cells: %s",
                               state->from->name, irl_expr_text(cx, part)));
}

/* What a step leaves over is stated. */
static int irl__layouts_is_stated(const irl__layouts_state *state)
{
    irl_ctx  *cx = state->f->cx;
    char      shape[160];
    irl__text t;
    if (state->lossy_read)
        return irl__fail(cx, IRL_ERROR_LOSSY_MAP, state->layout->loc, "the layout %s of '%s' is "
                         "lossy: %s", irl_map_text(cx, state->map), state->from->name,
                         state->shared);
    if (!state->unstated || state->how->any) return 1;
    irl__text_init_fixed(&t, shape, sizeof shape);
    for (int k = 0; k < state->map->output_count; k++)
        irl__textf(&t, k ? ", %s" : "%s", irl_expr_text(cx, state->shape[k]));
    return irl__fail(cx, IRL_ERROR_ILLEGAL_STEP, state->layout->loc, "'%s' becomes [%s], with "
                     "cells that no point reaches: %s. State what they hold: pad = 0, or pad = "
                     "\"any\" if it does not matter", state->from->name, shape, state->unstated);
}

/* The nest that was asked for stores the whole buffer. */
static int irl__layouts_goes_over_memory(const irl__layouts_state *state)
{
    const irl_stmt *s = state->whole.nest;
    while (s && s->kind == IRL__FOR && s->id != state->how->nest) s = s->u.loop.body;
    return (s && s->id == state->how->nest) ||
           irl__fail(state->f->cx, IRL_ERROR_ILLEGAL_STEP, state->layout->loc,
                     "new loops over all of '%s' in memory need loops at the top level of the "
                     "function around one store that is known to reach each element once, and an "
                     "inverse of the layout", state->from->name);
}

static irl_func *irl__layouts_run(irl__layouts_round *round)
{
    irl_shape shape;
    irl__visitor v = irl__visitor_make(round, irl__layouts_see_pointer, NULL);
    v.buffer = irl__layouts_see_buffer;
    irl__visit_stmt(&v, round->f->body);
    if (!irl__ok(round->f->cx)) return NULL;
    for (int k = 0; k < round->count; k++) {
        irl__layouts_state *state = &round->states[k];
        if (irl__layouts_constant_shape(state, &shape) ? !irl__layouts_decide(round, state, &shape)
                                                       : !irl__layouts_symbolic(state))
            return NULL;
        if (!irl__layouts_may_pad(state) || !irl__layouts_may_compute_pad(state) ||
            (round->how && !irl__layouts_is_stated(state)))
            return NULL;
        round->wholes |= state->unreached || state->by_memory;
    }
    for (ptrdiff_t k = 0; k < stbds_arrlen(round->views); k++)
        if (!irl__layouts_view(round, irl__layouts_of(round, round->views[k]), round->views[k]))
            return NULL;
    if (round->wholes && !irl__layouts_find_wholes(round, round->f->body)) return NULL;
    if (round->how && round->how->nest && !irl__layouts_goes_over_memory(&round->states[0]))
        return NULL;
    return irl__layouts_rewrite(round);
}

irl_func *irl__layouts_apply(const irl_func *f, const irl__layouts_how *how)
{
    irl_ctx           *cx = f->cx;
    irl__arena_mark    mark = irl__scratch_begin(cx);
    irl_func          *result = irl__func_copy(cx, f);
    irl__layouts_round round;
    int                k = 0, taken = 1;
    while (result && taken && k < f->layout_count) {
        memset(&round, 0, sizeof round);
        round.f = result;
        round.first = f->layouts;
        round.how = how;
        round.states = IRL__SCRATCH(cx, irl__layouts_state, f->layout_count - k);
        for (taken = round.states != NULL; taken > 0 && k<f->layout_count; k += taken> 0)
            taken = irl__layouts_take(&round, &f->layouts[k]);
        if (taken && round.count) result = irl__layouts_run(&round);
    }
    irl__scratch_end(cx, mark);
    if (!result || !irl__ok(cx)) return NULL;
    result->layout_count = 0;
    result->layouts = NULL;
    return result;
}
