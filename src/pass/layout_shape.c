/* layout_shape.c - what a layout makes of its buffer: whether it is right, the shape in memory, which cells are padding.

   needs     the verdicts of src/map
   promises  a layout that loses data which someone writes is refused with the verdict's witness, one that cannot be decided
             too, unless its user vouches for it */
#include "layouts.h"

/* ------------------------------------------------------------------ the physical shape, constant or symbolic */

int irl__layouts_constant_shape(const irl_buffer *b, irl_shape *out)
{
    int k;
    out->rank = b->rank;
    for (k = 0; k < b->rank; k++) {
        if (b->shape[k]->op != IRL_OP_INT) return 0;
        out->extent[k] = b->shape[k]->u.i;
    }
    return 1;
}

static const irl_expr **irl__layouts_indices(irl_ctx *cx, const irl_shape *shape)
{
    const irl_expr **list = (const irl_expr **)irl__alloc_array(cx, (size_t)shape->rank, sizeof *list);
    int              k;
    for (k = 0; list && k < shape->rank; k++) list[k] = irl_idx(cx, shape->extent[k]);
    return list && irl__ok(cx) ? list : NULL;
}

static int irl__layouts_refuse(irl__layouts_state *state, const irl_verdict *v)
{
    static const irl_code codes[] = { IRL_ERROR_UNDECIDED, IRL_OK, IRL_OK, IRL_ERROR_LOSSY_MAP, IRL_ERROR_MAP_OUT_OF_RANGE };
    irl_ctx              *cx = state->f->cx;
    const char           *text;
    if (!irl__ok(cx)) return 0;
    text = irl_verdict_text(cx, v);
    return irl__fail(cx, codes[v->kind], state->layout->loc, "the layout %s of '%s' is %s", irl_map_text(cx, state->map), state->from->name,
                     text ? text : "not proved");
}

/* Which cells hold padding. `box` may differ from the physical shape where an axis has its whole modulus; `inside`, over the
   inverse's inputs, is NULL where the box is full. */
static int irl__layouts_unreached(irl__layouts_state *state, const irl_map *inverse, const irl_expr *inside, const irl_expr *const *box)
{
    irl_ctx *cx = state->f->cx;
    int      rank = state->map->output_count;
    state->axes = (const irl_expr **)irl__alloc_array(cx, (size_t)rank, sizeof *state->axes);
    if (!state->axes || !irl__inverse_axes(cx, rank, state->axes)) return 0;
    state->inverse = inverse;
    return irl__memory_unused(cx, rank, state->axes, box, state->shape, inverse, inside, &state->unreached);
}

static int irl__layouts_pad_constant(irl__layouts_state *state, const irl_verdict *v, const irl_shape *box)
{
    irl_ctx               *cx = state->f->cx;
    const irl_expr *const *extents = irl__layouts_indices(cx, box);
    if (v->pad_cells && (!v->inverse || !v->padding))
        return irl__fail(cx, IRL_ERROR_UNDECIDED, state->layout->loc, "%l cells of the layout %s of '%s' are padding, and no formula says which",
                         v->pad_cells, irl_map_text(cx, state->map), state->from->name);
    return extents && irl__layouts_unreached(state, v->inverse, v->pad_cells ? v->padding : NULL, extents);
}

/* Lanes that are the digits of one axis are a loop's; any others (y % 2 * 2 + x % 2) a store would reach one by one. */
static int irl__layouts_has_own_lanes(const irl__layouts_state *state)
{
    const irl_expr *lane = state->map->output_count ? state->map->outputs[state->map->output_count - 1] : NULL;
    if (lane && lane->op == IRL_OP_FLOORMOD) lane = lane->a[0];
    return irl__scope_is_image(state->from->scope) && state->from->type.lanes == 1 && lane && lane->op != IRL_OP_VAR;
}

static int irl__layouts_by_texel(irl__layouts_state *state, const irl_verdict *v, const irl_shape *memory)
{
    int rank = memory->rank, k;
    if (state->unreached || v->kind != IRL_BIJECTIVE || !v->inverse || !irl__layouts_has_own_lanes(state)) return 1;
    for (k = 0; k < rank; k++)
        if (v->physical.extent[k] != memory->extent[k]) return 1;
    state->axes = (const irl_expr **)irl__alloc_array(state->f->cx, (size_t)rank, sizeof *state->axes);
    state->inverse = v->inverse;
    state->by_texel = 1;
    return state->axes && irl__inverse_axes(state->f->cx, rank, state->axes);
}

/* True where the layout is right for the constant shape; sets the physical shape. */
int irl__layouts_decide(irl__layouts_state *state, const irl_shape *shape)
{
    irl_ctx    *cx = state->f->cx;
    irl_verdict v = irl_check(cx, state->map, *shape);
    irl_shape   memory;
    int         is_parameter = irl__func_param_of(state->f, state->from->data) >= 0;
    state->lossy_read = v.kind == IRL_LOSSY && is_parameter && !state->is_written;
    if (v.kind == IRL_OUT_OF_RANGE || (v.kind == IRL_LOSSY && !state->lossy_read)) return irl__layouts_refuse(state, &v);
    if (v.kind == IRL_UNDECIDED && (!state->layout->assume_injective || !irl__ok(cx))) return irl__layouts_refuse(state, &v);
    if (v.kind == IRL_UNDECIDED || v.kind == IRL_LOSSY)
        if (!irl_map_memory(cx, state->map, *shape, &v.memory)) return 0;
    memory = v.memory; /* a symbolic shape gets the same: irl__layouts_largest */
    state->shape = irl__layouts_indices(cx, &memory);
    if (!state->shape) return 0;
    if (state->layout->padding && !state->lossy_read && !irl__layouts_pad_constant(state, &v, &v.physical)) return 0;
    return irl__layouts_by_texel(state, &v, &memory);
}

/* The largest value of a map's output, over inputs in [0, extent): exact for the forms below, NULL for any other. */
static const irl_expr *irl__layouts_largest(irl__layouts_state *state, const irl_expr *e)
{
    irl_ctx        *cx = state->f->cx;
    const irl_expr *a, *b;
    int             k;
    if (e->op == IRL_OP_INT) return e;
    for (k = 0; k < state->map->input_count; k++)
        if (state->map->inputs[k] == e) return irl__sub(cx, state->from->shape[k], irl_idx(cx, 1));
    if (e->count != 2 || e->a[1]->op != IRL_OP_INT || e->a[1]->u.i <= 0) {
        if (e->op != IRL_OP_ADD) return NULL;
        a = irl__layouts_largest(state, e->a[0]);
        b = irl__layouts_largest(state, e->a[1]);
        return a && b ? irl__add(cx, a, b) : NULL;
    }
    if (e->op == IRL_OP_FLOORMOD) return irl_idx(cx, e->a[1]->u.i - 1);
    a = irl__layouts_largest(state, e->a[0]);
    if (!a || (e->op != IRL_OP_FLOORDIV && e->op != IRL_OP_MUL && e->op != IRL_OP_ADD)) return NULL;
    return irl_op2(cx, (irl_op)e->op, a, e->a[1]);
}

/* Whatever the extents: an input that stands alone, or whose quotient and remainder by one constant both stand, is known
   from the outputs. */
static int irl__layouts_recovers(const irl_map *map, const irl_expr *input)
{
    int k, j;
    for (k = 0; k < map->output_count; k++) {
        const irl_expr *e = map->outputs[k];
        if (e == input) return 1;
        if (e->op != IRL_OP_FLOORDIV || e->a[0] != input || e->a[1]->op != IRL_OP_INT) continue;
        for (j = 0; j < map->output_count; j++) {
            const irl_expr *m = map->outputs[j];
            if (m->op == IRL_OP_FLOORMOD && m->a[0] == input && m->a[1] == e->a[1]) return 1;
        }
    }
    return 0;
}

/* The same for all values of the parameters. */
static int irl__layouts_pad_symbolic(irl__layouts_state *state)
{
    irl_ctx     *cx = state->f->cx;
    irl_symbolic v;
    if (!state->layout->padding || !state->is_written) return 1;
    v = irl_check_extents(cx, state->map, state->from->rank, state->from->shape);
    if (v.kind != IRL_BIJECTIVE && v.kind != IRL_INJECTIVE)
        return irl__ok(cx) && irl__fail(cx, IRL_ERROR_UNDECIDED, state->layout->loc, "which cells of the layout %s of '%s' are padding is not known: %s",
                                        irl_map_text(cx, state->map), state->from->name, irl_symbolic_text(cx, &v));
    return irl__layouts_unreached(state, v.inverse, irl__is_int(v.padding, 0) ? NULL : v.padding, v.physical);
}

int irl__layouts_symbolic(irl__layouts_state *state)
{
    irl_ctx         *cx = state->f->cx;
    const irl_expr **shape = (const irl_expr **)irl__alloc_array(cx, (size_t)state->map->output_count, sizeof *shape);
    int              k;
    if (!shape) return 0;
    for (k = 0; k < state->map->input_count && !state->layout->assume_injective; k++)
        if (!irl__layouts_recovers(state->map, state->map->inputs[k]))
            return irl__fail(cx, IRL_ERROR_UNDECIDED, state->layout->loc,
                             "the layout %s of '%s' is not proved injective for a symbolic shape: axis %d is not recovered from the outputs",
                             irl_map_text(cx, state->map), state->from->name, k);
    for (k = 0; k < state->map->output_count; k++) {
        const irl_expr *largest = irl__layouts_largest(state, state->map->outputs[k]);
        if (!largest)
            return irl__fail(cx, IRL_ERROR_UNDECIDED, state->layout->loc, "output %d of the layout %s of '%s' has no bound for a symbolic shape", k,
                             irl_map_text(cx, state->map), state->from->name);
        shape[k] = irl__simplify_alone(cx, irl__add(cx, largest, irl_idx(cx, 1)));
        if (!shape[k]) return 0;
    }
    state->shape = shape;
    return irl__layouts_pad_symbolic(state);
}

/* ------------------------------------------------------------------ the buffer in memory */

const irl_buffer *irl__layouts_buffer(irl__rewriter *r, const irl_buffer *b)
{
    irl__layouts_state *state = irl__layouts_of((const irl__layouts_round *)r->user, b);
    irl_buffer         *to;
    if (!state) return b;
    to = (irl_buffer *)irl__ptr_map_get(&state->buffers, b);
    if (to) return to;
    to = irl__buffer_copy(r->cx, b);
    if (!to) return NULL;
    to->rank = state->map->output_count;
    to->shape = state->shape;
    to->separator_count = state->map->separator_count;
    to->separators = state->map->separators;
    return irl__ptr_map_put(r->cx, &state->buffers, b, to) ? to : NULL;
}
