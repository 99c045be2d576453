/* layout_shape.c - what a layout does to its buffer: whether it is right, the shape in memory,
   which cells are padding. This file handles shapes of numbers, layout_symbolic.c those with names.

   needs     the verdicts of src/map
   promises  a layout that loses data which a function writes is refused with the verdict's witness;
             one that cannot be decided is refused too, unless the user states that it is
             injective */
#include "layouts.h"

static const irl_named_value *irl__refused_values(irl_ctx *cx, int count,
                                                  const irl_expr *const *vars,
                                                  const int64_t *values)
{
    irl_named_value *list = IRL__NEW(cx, irl_named_value, count);
    for (int k = 0; list && k < count; k++) {
        list[k].name = vars[k]->u.name;
        list[k].value = values[k];
    }
    return list;
}

static int irl__refused_point(irl_ctx *cx, const irl_map *map, const irl_shape *at,
                              irl_witness_access *out)
{
    out->value_count = at->rank < map->input_count ? at->rank : map->input_count;
    out->values = irl__refused_values(cx, out->value_count, map->inputs, at->extent);
    return out->values != NULL;
}

int irl__refused_map(irl_ctx *cx, const irl_map *map, const irl_verdict *v, const irl_buffer *b)
{
    irl_witness *w = cx->refused ? &cx->refused->parts.witness : NULL;
    if (w && b) cx->refused->parts.buffer = b->name;
    if (!w || (v->kind != IRL_LOSSY && v->kind != IRL_OUT_OF_RANGE)) return irl__ok(cx);
    memset(w, 0, sizeof *w);
    w->buffer = b ? b->name : NULL;
    w->cell_rank = v->at.rank;
    w->cell = IRL__COPY(cx, int64_t, v->at.extent, v->at.rank);
    if (!(w->cell && irl__refused_point(cx, map, &v->a, &w->access[0]) &&
          (v->kind != IRL_LOSSY || irl__refused_point(cx, map, &v->b, &w->access[1]))))
        return 0;
    w->parameter_count = v->values ? v->parameter_count : 0;
    w->parameters = irl__refused_values(cx, w->parameter_count, v->parameters, v->values);
    return w->parameters != NULL;
}

/* ------------------------------------------------------------------ the physical shape */

int irl__layouts_constant_shape(const irl__layouts_state *state, irl_shape *out)
{
    memset(out, 0, sizeof *out);
    out->rank = state->from->rank;
    for (int k = 0; k < out->rank; k++) {
        const irl_expr *e = irl__simplify_alone(state->f->cx, state->from->shape[k]);
        if (!e || e->op != IRL_OP_INT) return 0;
        out->extent[k] = e->u.i;
    }
    return !irl__map_has_names(state->map);
}

int irl__layouts_unreached(irl__layouts_state *state, const irl_map *inverse,
                           const irl_expr *inside, const irl_expr *const *box)
{
    irl_ctx *cx = state->f->cx;
    int      rank = state->map->output_count;
    state->axes = IRL__NEW(cx, const irl_expr *, rank);
    if (!state->axes || !irl__inverse_axes(cx, rank, state->axes)) return 0;
    state->inverse = inverse;
    return irl__memory_unused(cx, rank, state->axes, box, state->shape, inverse, inside,
                              &state->unreached);
}

static int irl__layouts_pad_constant(irl__layouts_state *state, const irl_verdict *v,
                                     const irl_shape *box)
{
    irl_ctx        *cx = state->f->cx;
    const irl_expr *const *extents = irl__shape_extents(cx, box);
    if (v->pad_cells && (!v->inverse || !v->padding))
        return irl__fail(cx, IRL_ERROR_UNDECIDED, state->layout->loc,
                         "%l cells of the layout %s of '%s' are padding, and no formula says which",
                         v->pad_cells, irl_map_text(cx, state->map), state->from->name);
    return extents &&
           irl__layouts_unreached(state, v->inverse, v->pad_cells ? v->padding : NULL, extents);
}

int irl__layouts_unstated(irl__layouts_state *state, const irl_expr *count, const irl_map *inverse,
                          const irl_expr *inside, const irl_expr *const *box)
{
    irl_ctx        *cx = state->f->cx;
    int             rank = state->map->output_count;
    const irl_expr *axes[IRL_MAX_RANK], *spare = NULL;
    irl__text       t;
    count = irl__simplify_alone(cx, count);
    if (!count || irl__is_int(count, 0)) return irl__ok(cx);
    if (!state->how && irl__func_param_of(state->f, state->from->data) < 0)
        return 1; /* nobody sees its memory */
    if (!irl__inverse_axes(cx, rank, axes) ||
        !irl__memory_unused(cx, rank, axes, box, state->shape, inverse, inside, &spare))
        return 0;
    irl__text_init(&t, cx);
    irl__textf(&t, "%s of them", irl_expr_text(cx, count));
    if (spare)
        irl__textf(&t, ", where %s", irl_expr_text(cx, irl__simplify_alone(cx, spare)));
    state->unstated = irl__text_done(&t);
    return state->unstated != NULL;
}

/* Cells of memory that no point reaches, where nobody says what they hold. */
static int irl__layouts_unstated_constant(irl__layouts_state *state, const irl_verdict *v)
{
    irl_ctx        *cx = state->f->cx;
    int64_t         cells = irl_shape_count(v->memory), points = irl_shape_count(v->shape);
    if ((!state->is_written && !state->how) || state->layout->padding || cells <= points ||
        points < 0)
        return 1;
    if (v->kind != IRL_BIJECTIVE && v->kind != IRL_INJECTIVE) return 1;
    const irl_expr *const *box = irl__shape_extents(cx, &v->physical);
    if (!box) return 0;
    return irl__layouts_unstated(state, irl_expr_index(cx, cells - points), v->inverse,
                                 v->inverse && v->pad_cells ? v->padding : NULL, box);
}

/* Lanes that are the digits of one axis are a loop's; any others (y % 2 * 2 + x % 2) a store would
   reach one by one. */
static int irl__layouts_has_own_lanes(const irl__layouts_state *state)
{
    const irl_expr *lane =
        state->map->output_count ? state->map->outputs[state->map->output_count - 1] : NULL;
    if (lane && lane->op == IRL_OP_FLOORMOD) lane = lane->a[0];
    return irl__scope_is_image(state->from->scope) && state->from->type.lanes == 1 && lane &&
           lane->op != IRL_OP_VAR;
}

/* One question is asked once: functions often give their buffers the same line. */
static const irl_verdict *irl__layouts_ask(const irl__layouts_round *round,
                                           irl__layouts_state *state, const irl_shape *shape)
{
    for (const irl__layouts_state *other = round->states; other != state; other++)
        if (other->verdict && other->map == state->map &&
            other->verdict->shape.rank == shape->rank &&
            !memcmp(other->verdict->shape.extent, shape->extent,
                    (size_t)shape->rank * sizeof *shape->extent))
            return other->verdict;
    irl_verdict *v = IRL__SCRATCH(state->f->cx, irl_verdict, 1);
    if (v) *v = irl__check_text(state->f->cx, state->map, *shape);
    return v;
}

int irl__layouts_may_lose(const irl__layouts_state *state)
{
    return !state->is_written && irl__func_param_of(state->f, state->from->data) >= 0;
}

/* True where the layout is right for the constant shape; sets the physical shape. */
int irl__layouts_decide(const irl__layouts_round *round, irl__layouts_state *state,
                        const irl_shape *shape)
{
    irl_ctx *cx = state->f->cx;
    state->verdict = irl__layouts_ask(round, state, shape);
    if (!state->verdict) return 0;
    irl_verdict v = *state->verdict;
    if (irl__layouts_may_lose(state)) irl__verdict_permit_loss(&v);
    state->lossy_read = v.kind == IRL_LOSSY && irl__layouts_may_lose(state);
    if (!irl__ok(cx) || !(irl__verdict_is_right(&v) || state->lossy_read ||
                          (v.kind == IRL_UNDECIDED && state->layout->assume_injective))) {
        if (!irl__ok(cx) || !irl__refused_map(cx, state->map, &v, state->from)) return 0;
        return irl__fail(cx, v.code, state->layout->loc, "the layout %s of '%s' is %s",
                         irl_map_text(cx, state->map), state->from->name, irl_verdict_text(cx, &v));
    }
    if (!v.box_known && !irl_map_memory(cx, state->map, *shape, &v.memory)) return 0;
    irl_shape memory = v.memory;
    if (state->lossy_read) state->shared = irl_verdict_text(cx, &v) + sizeof "lossy: " - 1;
    state->shape = irl__shape_extents(cx, &memory);
    if (!state->shape) return 0;
    if (state->layout->padding && !state->lossy_read &&
        !irl__layouts_pad_constant(state, &v, &v.physical))
        return 0;
    if (!irl__layouts_unstated_constant(state, &v)) return 0;
    int rank = memory.rank;
    if (state->unreached || v.kind != IRL_BIJECTIVE || !v.inverse ||
        !(irl__layouts_has_own_lanes(state) || (state->how && state->how->nest)))
        return 1;
    for (int k = 0; k < rank; k++)
        if (v.physical.extent[k] != memory.extent[k]) return 1;
    state->axes = IRL__NEW(state->f->cx, const irl_expr *, rank);
    state->inverse = v.inverse;
    state->by_memory = 1;
    return state->axes && irl__inverse_axes(state->f->cx, rank, state->axes);
}

/* ------------------------------------------------------------------ the buffer in memory */

const irl_buffer *irl__layouts_buffer(irl__rewriter *r, const irl_buffer *b)
{
    irl__layouts_state *state = irl__layouts_of((const irl__layouts_round *)r->user, b);
    if (!state) return b;
    irl_buffer *to = (irl_buffer *)irl__ptr_map_get(&state->buffers, b);
    if (to) return to;
    to = irl__buffer_copy(r->cx, b);
    if (!to) return NULL;
    to->rank = state->map->output_count;
    to->shape = state->shape;
    to->strides = NULL; /* of a temporary: the layout says how it lies */
    to->offset = NULL;
    if (state->is_view) { /* of all memory now: no longer a field of it */
        to->is_field = 0;
        to->record = NULL;
    }
    to->separator_count = state->map->separator_count;
    to->separators = state->map->separators;
    return irl__ptr_map_put(r->cx, &state->buffers, b, to) ? to : NULL;
}
