/* apply_layouts.c - every access of a buffer goes through its layout.

   requires  the attribute layout_transform_map names parameters or allocations of the function
   maintains loops, blocks, ids; the numbers that the function computes
   breaks    the attribute: it is removed, so a second run changes nothing. Parameters get an ABI shape beside their logical
             shape, and the map between
   cost      linear in the function, plus a verdict per layout; once more where a buffer gets another layout on top
   source    seed 1, "ApplyBufferTransforms" and the layout_transform_map

   A layout is applied only if it is proved injective for the buffer's shape, or the caller vouches for it. The one
   exception is a parameter that is never written: there a many-to-one map is legal, and the caller hands over the
   physical memory itself (DESIGN, semantics 6). */
#include "pass.h"

/* One layout on its way. */
typedef struct irl__layouts_state {
    const irl_func    *f;
    const irl__layout *layout;
    const irl_buffer  *from;    /* of this data, shape and type are all the buffers that change */
    const irl_map     *map;     /* of the buffer's rank */
    const irl_expr   **shape;   /* physical */
    irl__ptr_map       buffers; /* old buffer -> new buffer */
    int                is_written;
    int                lossy_read; /* a many-to-one map of what is never written */
    const irl_expr   **axes;      /* of the physical shape; `unreached` is over them */
    const irl_expr    *unreached; /* true for the cells that get the stated padding; NULL: none do */
    const irl_map     *inverse;   /* with `unreached`; may be NULL */
    int                stores;    /* to this memory, in the text of the function */
    int                escapes;   /* its pointer is passed on */
    irl__whole_store   whole;     /* the nest that stores the padding too; nest NULL: there is none, loops of their own do */
    const irl_expr   **own;       /* while the nest is rewritten: the indices of its own element */
    const irl_buffer  *other;   /* an alias of another shape or type, or a match buffer */
} irl__layouts_state;

/* Layouts of different memories, applied together. */
typedef struct irl__layouts_round {
    const irl_func     *f;
    irl__layouts_state *states;
    int                 count;
    int                 fills;   /* some cells get a stated padding */
    irl__ptr_map        of_data; /* data variable -> irl__layouts_state */
    irl__ptr_map        of_nest; /* statement -> irl__layouts_state whose `whole` it is */
} irl__layouts_round;

static irl__layouts_state *irl__layouts_of(const irl__layouts_round *round, const irl_buffer *b)
{
    return (irl__layouts_state *)irl__ptr_map_get(&round->of_data, b->data);
}

/* ------------------------------------------------------------------ which buffers */

static int irl__layouts_same_view(const irl_buffer *a, const irl_buffer *b)
{
    int k;
    if (a->data != b->data || !irl_type_equal(a->type, b->type) || a->rank != b->rank || a->strides != b->strides ||
        a->offset != b->offset)
        return 0;
    for (k = 0; k < a->rank; k++)
        if (a->shape[k] != b->shape[k]) return 0;
    return 1;
}

static void irl__layouts_see_buffer(irl__visitor *v, const irl_buffer *b, const irl_stmt *s)
{
    const irl__layouts_round *round = (const irl__layouts_round *)v->user;
    irl__layouts_state       *state = irl__layouts_of(round, b);
    int                       k;
    if (state) {
        if (!irl__layouts_same_view(b, state->from)) state->other = b;
        if (s && s->kind == IRL__STORE) state->is_written = 1, state->stores++;
    }
    for (k = 0; s && s->kind == IRL__BLOCK && k < s->u.block->match_count; k++) {
        const irl__match *match = &s->u.block->matches[k];
        state = irl__layouts_of(round, match->source.buffer);
        if (state) state->other = match->buffer;
    }
}

static int irl__layouts_see_pointer(irl__visitor *v, const irl_expr *e)
{
    irl__layouts_state *state = e->type.is_pointer ? (irl__layouts_state *)irl__ptr_map_get(&((irl__layouts_round *)v->user)->of_data, e) : NULL;
    if (state) state->escapes = 1;
    return 1;
}

static int irl__layouts_survey(irl__layouts_round *round)
{
    irl__visitor v;
    int          k;
    memset(&v, 0, sizeof v);
    v.user = round;
    v.buffer = irl__layouts_see_buffer;
    v.expr = irl__layouts_see_pointer;
    irl__visit_stmt(&v, round->f->body);
    for (k = 0; k < round->count; k++) {
        const irl__layouts_state *state = &round->states[k];
        if (state->other)
            return irl__fail(round->f->cx, IRL_ERROR_BAD_ALIAS, state->layout->loc,
                             "'%s' cannot get a layout: its memory is also seen as '%s', of another shape or type, which the layout would change",
                             state->from->name, state->other->name);
    }
    return 1;
}

/* ------------------------------------------------------------------ the physical shape, constant or symbolic */

static int irl__layouts_constant_shape(const irl_buffer *b, irl_shape *out)
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

/* True where the layout is right for the constant shape; sets the physical shape. */
static int irl__layouts_decide(irl__layouts_state *state, const irl_shape *shape)
{
    irl_ctx    *cx = state->f->cx;
    irl_verdict v = irl_check(cx, state->map, *shape);
    irl_shape   memory;
    int         is_parameter = irl__func_param_of(state->f, state->from->data) >= 0;
    state->lossy_read = v.kind == IRL_LOSSY && is_parameter && !state->is_written;
    if (v.kind == IRL_OUT_OF_RANGE || (v.kind == IRL_LOSSY && !state->lossy_read)) return irl__layouts_refuse(state, &v);
    if (v.kind == IRL_UNDECIDED && (!state->layout->assume_injective || !irl__ok(cx))) return irl__layouts_refuse(state, &v);
    if (v.kind == IRL_UNDECIDED || v.kind == IRL_LOSSY)
        if (!irl_map_shape(cx, state->map, *shape, &v.physical, &v.minimum)) return 0;
    memory = v.physical;
    irl__memory_box(state->map, &memory); /* a symbolic shape gets the same: irl__layouts_largest */
    state->shape = irl__layouts_indices(cx, &memory);
    if (!state->shape) return 0;
    return !state->layout->padding || state->lossy_read || irl__layouts_pad_constant(state, &v, &v.physical);
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

static int irl__layouts_symbolic(irl__layouts_state *state)
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

/* ------------------------------------------------------------------ rewriting */

static const irl_buffer *irl__layouts_buffer(irl__rewriter *r, const irl_buffer *b);

/* The last axis that a condition uses; -1 for none. */
static int irl__layouts_last_axis(const irl_expr *condition, int rank, const irl_expr *const *axes)
{
    while (rank-- > 0)
        if (irl__expr_uses_var(condition, axes[rank])) return rank;
    return -1;
}

/* Puts each part of a conjunction where its last axis is known: there it bounds that axis's loop. */
static int irl__layouts_place(irl_ctx *cx, const irl_expr *condition, int rank, const irl_expr *const *axes, const irl_expr **guards)
{
    int k;
    if (condition->op == IRL_OP_AND)
        return irl__layouts_place(cx, condition->a[0], rank, axes, guards) && irl__layouts_place(cx, condition->a[1], rank, axes, guards);
    k = irl__layouts_last_axis(condition, rank, axes);
    if (k < 0) k = rank - 1;
    guards[k] = irl__and(cx, guards[k], condition);
    return guards[k] != NULL;
}

/* for (axis0: ..., axis1: ...) if (unreached) b[axis0, axis1] = padding: what the layout leaves over holds what was stated.
   Before anything is in it, an image is filled by whole texels: without the condition, where that is about lanes. */
static const irl_stmt *irl__layouts_fill(irl__layouts_state *state, const irl_buffer *b, int is_first)
{
    irl_ctx        *cx = state->f->cx;
    const irl_expr *axes[IRL_MAX_RANK], *guards[IRL_MAX_RANK], *unreached;
    const irl_stmt *fill;
    int             k;
    memset(guards, 0, sizeof guards);
    for (k = 0; k < b->rank; k++) axes[k] = irl_var(cx, state->axes[k]->u.name, irl__type_index());
    unreached = irl__substitute(cx, state->unreached, b->rank, state->axes, axes);
    if (!unreached || !irl__layouts_place(cx, unreached, b->rank, axes, guards)) return NULL;
    if (is_first && irl__scope_is_image(b->scope) && b->rank && guards[b->rank - 1]) memset(guards, 0, sizeof guards);
    fill = irl__stmt_store(cx, b, state->layout->padding, b->rank, axes, state->layout->loc);
    for (k = b->rank; fill && k-- > 0;) {
        if (guards[k]) fill = irl_if(cx, guards[k], fill, NULL);
        fill = irl_for(cx, IRL_SERIAL, axes[k], irl_idx(cx, 0), b->shape[k], fill);
    }
    return fill;
}

/* A temporary is filled as soon as it exists. */
static const irl_stmt *irl__layouts_seq(irl__rewriter *r, const irl_stmt *s)
{
    const irl__layouts_round *round = (const irl__layouts_round *)r->user;
    irl__layouts_state       *state;
    const irl_stmt          **list = (const irl_stmt **)irl__alloc_array(r->cx, (size_t)s->u.seq.count + (size_t)round->count, sizeof *list);
    int                       k, n = 0;
    if (!list) return NULL;
    for (k = 0; k < s->u.seq.count; k++) {
        const irl_stmt *old = s->u.seq.stmts[k];
        list[n] = irl__rewrite_stmt(r, old);
        if (!list[n]) return NULL;
        n++;
        state = old->kind == IRL__ALLOC ? irl__layouts_of(round, old->u.alloc.buffer) : NULL;
        if (!state || !state->unreached || state->whole.nest) continue;
        list[n] = irl__layouts_fill(state, list[n - 1]->u.alloc.buffer, 1);
        if (!list[n]) return NULL;
        n++;
    }
    return irl__stmt_seq(r->cx, n, list);
}

static const irl_buffer *irl__layouts_buffer(irl__rewriter *r, const irl_buffer *b)
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

/* The nest over the physical box accesses its own element, whose cell is known. */
static int irl__layouts_is_own_element(const irl__layouts_state *state, const irl_expr *const *indices)
{
    int k;
    for (k = 0; state->own && k < state->from->rank; k++)
        if (indices[k] != state->own[k]) return 0;
    return state->own != NULL;
}

static int irl__layouts_through(irl__rewriter *r, const irl__layouts_state *state, const irl_expr *const *old, const irl_expr **out)
{
    const irl_expr *indices[IRL_MAX_RANK];
    int             k;
    if (irl__layouts_is_own_element(state, old)) {
        memcpy(out, state->axes, (size_t)state->map->output_count * sizeof *out);
        return 1;
    }
    for (k = 0; k < state->from->rank; k++) {
        indices[k] = irl__rewrite_expr(r, old[k]);
        if (!indices[k]) return 0;
        if (indices[k]->type.lanes != 1)
            return irl__fail(r->cx, IRL_ERROR_UNSUPPORTED, irl__nowhere(), "'%s' is accessed by a vector; apply layouts before vectorizing",
                             state->from->name);
    }
    return irl__map_substitute(r->cx, state->map, indices, out);
}

static const irl_expr *irl__layouts_expr(irl__rewriter *r, const irl_expr *e)
{
    const irl__layouts_state *state;
    const irl_expr           *out[IRL_MAX_RANK];
    const irl_buffer         *to;
    if (!(e->flags & IRL__HAS_MEMORY)) return e;
    state = e->op == IRL_OP_LOAD ? irl__layouts_of((const irl__layouts_round *)r->user, e->u.buffer) : NULL;
    if (!state) return irl__rewrite_expr_children(r, e);
    to = irl__layouts_buffer(r, e->u.buffer);
    if (!to || !irl__layouts_through(r, state, e->a, out)) return NULL;
    return irl__expr_load(r->cx, to, to->rank, out, irl__nowhere());
}

static const irl_stmt *irl__layouts_store(irl__rewriter *r, const irl__layouts_state *state, const irl_stmt *s)
{
    const irl_expr   *out[IRL_MAX_RANK], *value = irl__rewrite_expr(r, s->u.store.value);
    const irl_buffer *to = irl__layouts_buffer(r, s->u.store.buffer);
    if (!value || !to || !irl__layouts_through(r, state, s->u.store.indices, out)) return NULL;
    return irl__stmt_store(r->cx, to, value, to->rank, out, s->loc);
}

/* A region's image: exact on axes that single points or whole variables decide, the whole axis otherwise. */
static int irl__layouts_region_axis(irl__layouts_state *state, const irl__region *from, int axis, const irl_expr **min, const irl_expr **extent)
{
    irl_ctx        *cx = state->f->cx;
    const irl_expr *output = state->map->outputs[axis];
    int             k, points = 1;
    for (k = 0; k < from->buffer->rank; k++) {
        if (output == state->map->inputs[k]) {
            *min = from->min[k];
            *extent = from->extent[k];
            return 1;
        }
        points &= irl__is_int(from->extent[k], 1) || !irl__expr_uses_var(output, state->map->inputs[k]);
    }
    *min = points ? irl__substitute(cx, output, from->buffer->rank, state->map->inputs, from->min) : irl_idx(cx, 0);
    *extent = points ? irl_idx(cx, 1) : state->shape[axis];
    return *min && *extent;
}

static int irl__layouts_region(irl__rewriter *r, irl__region *region)
{
    irl__layouts_state *state = irl__layouts_of((const irl__layouts_round *)r->user, region->buffer);
    const irl_expr     *min[IRL_MAX_RANK], *extent[IRL_MAX_RANK];
    int                 k, rank = state ? state->map->output_count : 0;
    if (!state) return 1;
    for (k = 0; k < rank; k++)
        if (!irl__layouts_region_axis(state, region, k, &min[k], &extent[k])) return 0;
    region->buffer = irl__layouts_buffer(r, region->buffer);
    region->min = (const irl_expr *const *)irl__copy(r->cx, min, (size_t)rank, sizeof *min);
    region->extent = (const irl_expr *const *)irl__copy(r->cx, extent, (size_t)rank, sizeof *extent);
    return region->buffer && region->min && region->extent;
}

static const irl__region *irl__layouts_regions(irl__rewriter *r, int count, const irl__region *regions)
{
    irl__region *list = (irl__region *)irl__copy(r->cx, regions, (size_t)count, sizeof *list);
    int          k;
    for (k = 0; list && k < count; k++)
        if (!irl__layouts_region(r, &list[k])) return NULL;
    return list;
}

/* A temporary of a block is filled where the block's body begins. */
static int irl__layouts_fill_block(irl__rewriter *r, const irl__block_data *old, irl__block_data *b)
{
    irl__layouts_state *state;
    const irl_stmt     *list[2];
    int                 k;
    for (k = 0; k < b->alloc_count; k++) {
        state = irl__layouts_of((const irl__layouts_round *)r->user, old->allocs[k]);
        if (!state || !state->unreached) continue;
        list[0] = irl__layouts_fill(state, b->allocs[k], 1);
        list[1] = b->body;
        if (b->init)
            return irl__fail(r->cx, IRL_ERROR_UNSUPPORTED, irl__nowhere(), "block '%s' has an init, so its temporary '%s' cannot be padded",
                             b->name, state->from->name);
        b->body = irl__stmt_seq(r->cx, 2, list);
        if (!b->body) return 0;
    }
    return 1;
}

/* Regions follow a rule of their own: they are left out while the children are rewritten, and put back. */
static const irl_stmt *irl__layouts_block(irl__rewriter *r, const irl_stmt *s)
{
    irl_stmt        *copy = irl__stmt_copy(r->cx, s);
    irl__block_data *b = (irl__block_data *)irl__copy(r->cx, s->u.block, 1, sizeof *b);
    const irl_stmt  *done;
    if (!copy || !b) return NULL;
    b->read_count = b->write_count = 0;
    copy->u.block = b;
    done = irl__rewrite_stmt_children(r, copy);
    if (!done) return NULL;
    copy = irl__stmt_copy(r->cx, done);
    b = (irl__block_data *)irl__copy(r->cx, done->u.block, 1, sizeof *b);
    if (!copy || !b) return NULL;
    b->read_count = s->u.block->read_count;
    b->write_count = s->u.block->write_count;
    b->reads = irl__layouts_regions(r, b->read_count, s->u.block->reads);
    b->writes = irl__layouts_regions(r, b->write_count, s->u.block->writes);
    copy->u.block = b;
    return b->reads && b->writes && irl__layouts_fill_block(r, s->u.block, b) ? copy : NULL;
}

/* ------------------------------------------------------------------ padding in the same store */

enum { IRL__LAYOUTS_NODES = 64 }; /* of an output of an inverse that is worth computing in the nest */

static int irl__layouts_may_be_whole(const irl__layouts_state *state)
{
    int k;
    if (!state->unreached || !state->inverse || state->stores != 1 || state->escapes) return 0;
    for (k = 0; k < state->inverse->output_count; k++)
        if (state->inverse->outputs[k]->size > IRL__LAYOUTS_NODES) return 0;
    return 1;
}

/* The nests that define a whole buffer, among the statements that are always reached. */
static int irl__layouts_find_wholes(irl__layouts_round *round, const irl_stmt *s)
{
    irl_ctx        *cx = round->f->cx;
    const irl_stmt *inner = s;
    int             k;
    if (s->kind == IRL__SEQ) {
        for (k = 0; k < s->u.seq.count; k++)
            if (!irl__layouts_find_wholes(round, s->u.seq.stmts[k])) return 0;
        return 1;
    }
    if (s->kind != IRL__FOR) return 1;
    while (inner->kind == IRL__FOR) inner = inner->u.loop.body;
    if (inner->kind == IRL__BLOCK) inner = inner->u.block->body;
    for (k = inner->kind == IRL__SEQ ? inner->u.seq.count : 1; k-- > 0;) {
        const irl_stmt     *store = inner->kind == IRL__SEQ ? inner->u.seq.stmts[k] : inner;
        irl__layouts_state *state = store->kind == IRL__STORE ? irl__layouts_of(round, store->u.store.buffer) : NULL;
        if (!state || !irl__layouts_may_be_whole(state) || !irl__whole_store_find(cx, s, state->from, &state->whole)) continue;
        return irl__ptr_map_put(cx, &round->of_nest, s, state);
    }
    return irl__ok(cx);
}

/* The name of a physical axis: of the variable that it is, or c_outer, c_inner where it is a digit of one. */
static const char *irl__layouts_axis_name(const irl__layouts_state *state, int axis)
{
    const irl_expr *e = state->map->outputs[axis];
    int             is_digit = (e->op == IRL_OP_FLOORDIV || e->op == IRL_OP_FLOORMOD) && e->a[0]->op == IRL_OP_VAR, k;
    irl__text       name;
    for (k = 0; k < state->map->input_count; k++) {
        if (e == state->map->inputs[k]) return state->whole.axes[k]->u.name;
        if (!is_digit || e->a[0] != state->map->inputs[k]) continue;
        irl__text_init(&name, state->f->cx);
        irl__textf(&name, "%s_%s", state->whole.axes[k]->u.name, e->op == IRL_OP_FLOORDIV ? "outer" : "inner");
        return irl__text_done(&name);
    }
    return state->axes[axis]->u.name;
}

/* The nest keeps its order: an axis goes where the first variable goes that it is made of. */
static int irl__layouts_axis_place(const irl__layouts_state *state, int axis)
{
    int k, place = IRL_MAX_RANK;
    for (k = 0; k < state->map->input_count; k++)
        if (irl__expr_uses_var(state->map->outputs[axis], state->map->inputs[k]) && state->whole.place[k] < place) place = state->whole.place[k];
    return place;
}

/* axes[k] and their loops: new variables; `order` from the outermost loop to the innermost. */
static int irl__layouts_whole_axes(irl__layouts_state *state, int *order)
{
    irl_ctx         *cx = state->f->cx;
    int              rank = state->map->output_count, k, at;
    const irl_expr **axes = (const irl_expr **)irl__alloc_array(cx, (size_t)rank, sizeof *axes);
    if (!axes) return 0;
    for (k = 0; k < rank; k++) {
        axes[k] = irl_var(cx, irl__layouts_axis_name(state, k), irl__type_index());
        if (!axes[k]) return 0;
        for (at = k; at > 0 && irl__layouts_axis_place(state, order[at - 1]) > irl__layouts_axis_place(state, k); at--) order[at] = order[at - 1];
        order[at] = k;
    }
    state->unreached = irl__substitute(cx, state->unreached, rank, state->axes, axes);
    state->axes = axes;
    return state->unreached != NULL;
}

/* The body where it stores the element that lies at `axes`. */
static const irl_stmt *irl__layouts_whole_inside(irl__rewriter *r, irl__layouts_state *state)
{
    const irl__whole_store *w = &state->whole;
    const irl_expr         *point[IRL_MAX_RANK], *values[IRL_MAX_RANK];
    const irl_stmt         *body;
    int                     k, rank = state->from->rank;
    for (k = 0; k < rank; k++) point[k] = irl__substitute(r->cx, state->inverse->outputs[k], state->map->output_count, state->inverse->inputs, state->axes);
    for (k = 0; k < w->count; k++) values[k] = irl__substitute(r->cx, w->values[k], rank, w->axes, point);
    state->own = (const irl_expr **)irl__alloc_array(r->cx, (size_t)rank, sizeof *state->own);
    for (k = 0; state->own && k < rank; k++) state->own[k] = irl__substitute(r->cx, w->indices[k], w->count, w->vars, values);
    if (!irl__ok(r->cx)) return NULL;
    body = irl__substitute_stmt(r->cx, w->body, w->count, w->vars, values);
    if (body && w->block) body = irl__substitute_stmt(r->cx, body, w->count, w->loops, values);
    body = body ? irl__rewrite_stmt(r, body) : NULL;
    state->own = NULL;
    return body;
}

/* The body for the cell at `axes`, or the padding. A body that is the store alone becomes one store of either. */
static const irl_stmt *irl__layouts_whole_body(irl__rewriter *r, irl__layouts_state *state)
{
    const irl_expr   *reached = irl__simplify_alone(r->cx, irl_op1(r->cx, IRL_OP_NOT, state->unreached));
    const irl_buffer *to = irl__layouts_buffer(r, state->from);
    const irl_stmt   *body = reached && to ? irl__layouts_whole_inside(r, state) : NULL, *padding;
    if (!body) return NULL;
    if (body->kind == IRL__STORE)
        return irl__stmt_store(r->cx, to, irl_op3(r->cx, IRL_OP_IF_THEN_ELSE, reached, body->u.store.value, state->layout->padding), to->rank,
                               state->axes, body->loc);
    padding = irl__stmt_store(r->cx, to, state->layout->padding, to->rank, state->axes, state->layout->loc);
    return irl_if(r->cx, reached, body, padding);
}

static const irl_expr *const *irl__layouts_fresh(irl_ctx *cx, int count, const irl_expr *const *like)
{
    const irl_expr **list = (const irl_expr **)irl__alloc_array(cx, (size_t)count, sizeof *list);
    int              k;
    for (k = 0; list && k < count; k++) {
        list[k] = irl_var(cx, like[k]->u.name, like[k]->type);
        if (!list[k]) return NULL;
    }
    return list;
}

/* The block over the physical box. It may read all of what it read a part of: an unreached cell has no point to go by. */
static const irl_stmt *irl__layouts_whole_block(irl__rewriter *r, const irl__layouts_state *state, const irl_stmt *body,
                                                const irl_expr *const *loops)
{
    irl_ctx         *cx = r->cx;
    const irl_stmt  *old = state->whole.block;
    irl_stmt        *copy = irl__stmt_copy(cx, old);
    irl__block_data *b = (irl__block_data *)irl__copy(cx, old->u.block, 1, sizeof *b);
    int              rank = state->map->output_count, k, j;
    irl__axis       *axes = (irl__axis *)irl__alloc_array(cx, (size_t)rank, sizeof *axes);
    irl__region     *reads = (irl__region *)irl__copy(cx, old->u.block->reads, (size_t)old->u.block->read_count, sizeof *reads);
    irl__region     *writes = (irl__region *)irl__copy(cx, old->u.block->writes, (size_t)old->u.block->write_count, sizeof *writes);
    if (!copy || !b || !axes || !reads || !writes) return NULL;
    for (k = 0; k < rank; k++) {
        axes[k].var = state->axes[k];
        axes[k].extent = state->shape[k];
        axes[k].binding = loops[k];
    }
    for (j = 0; j < b->read_count + b->write_count; j++) {
        irl__region     *region = j < b->read_count ? &reads[j] : &writes[j - b->read_count];
        const irl_expr **min;
        region->buffer = irl__layouts_buffer(r, region->buffer);
        if (!region->buffer) return NULL;
        min = (const irl_expr **)irl__alloc_array(cx, (size_t)region->buffer->rank, sizeof *min);
        for (k = 0; min && k < region->buffer->rank; k++) min[k] = irl_idx(cx, 0);
        if (!min) return NULL;
        region->min = min;
        region->extent = region->buffer->shape;
    }
    b->axis_count = rank;
    b->axes = axes;
    b->reads = reads;
    b->writes = writes;
    b->body = body;
    copy->u.block = b;
    return irl__stmt_finish(cx, copy);
}

/* for (axes) b[axes] = if_then_else(reached, value at the inverse of the axes, padding). */
static const irl_stmt *irl__layouts_whole(irl__rewriter *r, irl__layouts_state *state)
{
    irl_for_kind           kind = state->whole.is_parallel ? IRL_PARALLEL : IRL_SERIAL;
    int                    order[IRL_MAX_RANK], rank = state->map->output_count, k;
    const irl_expr *const *loops;
    const irl_stmt        *s;
    if (!irl__layouts_whole_axes(state, order)) return NULL;
    s = irl__layouts_whole_body(r, state);
    loops = state->axes;
    if (s && state->whole.block) {
        loops = irl__layouts_fresh(r->cx, rank, state->axes);
        s = loops ? irl__layouts_whole_block(r, state, s, loops) : NULL;
    }
    for (k = rank; s && k-- > 0;) s = irl_for(r->cx, kind, loops[order[k]], irl_idx(r->cx, 0), state->shape[order[k]], s);
    return s;
}

static const irl_stmt *irl__layouts_stmt(irl__rewriter *r, const irl_stmt *s)
{
    const irl__layouts_state *state;
    irl__layouts_state       *whole;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__STORE:
        state = irl__layouts_of((const irl__layouts_round *)r->user, s->u.store.buffer);
        return state ? irl__layouts_store(r, state, s) : irl__rewrite_stmt_children(r, s);
    case IRL__FOR:
        whole = (irl__layouts_state *)irl__ptr_map_get(&((const irl__layouts_round *)r->user)->of_nest, s);
        return whole ? irl__layouts_whole(r, whole) : irl__rewrite_stmt_children(r, s);
    case IRL__BLOCK: return irl__layouts_block(r, s);
    case IRL__SEQ: return ((const irl__layouts_round *)r->user)->fills ? irl__layouts_seq(r, s) : irl__rewrite_stmt_children(r, s);
    default: return irl__rewrite_stmt_children(r, s);
    }
}

/* ------------------------------------------------------------------ parameters */

/* The composed map from the user's shape to what lies in memory; a lossy read has none, its caller hands over memory. */
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
    if (state->layout->padding) p->padding = state->layout->padding;
    return p->map != NULL;
}

/* A parameter that is written gets its padding after everything else: what the caller's memory held there does not count. */
static const irl_stmt *irl__layouts_fill_last(irl__layouts_state *state, const irl_stmt *body, const irl_buffer *b)
{
    irl_ctx         *cx = state->f->cx;
    int              is_seq = body->kind == IRL__SEQ, count = is_seq ? body->u.seq.count : 1;
    const irl_stmt **list = (const irl_stmt **)irl__alloc_array(cx, (size_t)count + 1, sizeof *list);
    if (!list) return NULL;
    memcpy(list, is_seq ? body->u.seq.stmts : &body, (size_t)count * sizeof *list);
    list[count] = irl__layouts_fill(state, b, 0);
    return irl__stmt_seq(cx, count + 1, list);
}

static irl_func *irl__layouts_rewrite(irl__layouts_round *round)
{
    irl_ctx            *cx = round->f->cx;
    irl__layouts_state *state;
    irl__rewriter       r;
    irl_func           *f = irl__func_copy(cx, round->f);
    irl__param         *params = (irl__param *)irl__copy(cx, f ? f->params : NULL, f ? (size_t)f->param_count : 0, sizeof *params);
    int                 k;
    memset(&r, 0, sizeof r);
    r.cx = cx;
    r.user = round;
    r.expr = irl__layouts_expr;
    r.stmt = irl__layouts_stmt;
    r.buffer = irl__layouts_buffer;
    if (!f || !params) return NULL;
    for (k = 0; k < f->param_count; k++) {
        state = params[k].buffer ? irl__layouts_of(round, params[k].buffer) : NULL;
        if (state && !irl__layouts_param(state, &r, &params[k])) return NULL;
    }
    f->params = params;
    f->body = irl__rewrite_stmt(&r, f->body);
    for (k = 0; f->body && k < f->param_count; k++) {
        state = params[k].buffer ? irl__layouts_of(round, params[k].buffer) : NULL;
        if (state && state->unreached && state->is_written && !state->whole.nest) f->body = irl__layouts_fill_last(state, f->body, params[k].buffer);
    }
    return f->body ? f : NULL;
}

/* ------------------------------------------------------------------ rounds */

/* Takes a layout into the round. 0: failed; -1: its buffer is in the round already. */
static int irl__layouts_take(irl__layouts_round *round, const irl__layout *layout)
{
    irl_ctx            *cx = round->f->cx;
    irl__layouts_state *state = &round->states[round->count];
    memset(state, 0, sizeof *state);
    state->f = round->f;
    state->layout = layout;
    state->from = irl__func_find_buffer(round->f, layout->buffer);
    if (!state->from)
        return irl__fail(cx, IRL_ERROR_UNKNOWN_NAME, layout->loc, "a layout is set for '%s', which is neither a parameter nor an allocation of '%s'",
                         layout->buffer, round->f->name);
    if (irl__layouts_of(round, state->from)) return -1;
    if (layout->map->input_count == 0 && !layout->map->variadic && layout->map->output_count == 0) return 1;
    if (state->from->strides || state->from->offset)
        return irl__fail(cx, IRL_ERROR_UNSUPPORTED, layout->loc, "'%s' has strides or an offset, which say already how it lies in memory", state->from->name);
    state->map = irl__map_of_rank(cx, layout->map, state->from->rank);
    if (!state->map || !irl__separators_valid(cx, state->map->output_count, state->map->separator_count, state->map->separators, layout->loc)) return 0;
    round->count++;
    return irl__ptr_map_put(cx, &round->of_data, state->from->data, state);
}

static irl_func *irl__layouts_run(irl__layouts_round *round)
{
    irl_shape shape;
    int       k;
    if (!irl__layouts_survey(round)) return NULL;
    for (k = 0; k < round->count; k++) {
        irl__layouts_state *state = &round->states[k];
        if (irl__layouts_constant_shape(state->from, &shape) ? !irl__layouts_decide(state, &shape) : !irl__layouts_symbolic(state)) return NULL;
        round->fills |= state->unreached != NULL;
    }
    if (round->fills && !irl__layouts_find_wholes(round, round->f->body)) return NULL;
    return irl__layouts_rewrite(round);
}

irl_func *irl__pass_apply_layouts(const irl_func *f)
{
    irl_ctx           *cx = f->cx;
    irl__arena_mark    mark = irl__scratch_begin(cx);
    irl_func          *result = irl__func_copy(cx, f);
    irl__layouts_round round;
    int                k = 0, taken = 1;
    while (result && taken && k < f->layout_count) {
        memset(&round, 0, sizeof round);
        round.f = result;
        round.states = (irl__layouts_state *)irl__scratch_alloc(cx, (size_t)(f->layout_count - k), sizeof *round.states);
        for (taken = round.states != NULL; taken > 0 && k < f->layout_count; k += taken > 0) taken = irl__layouts_take(&round, &f->layouts[k]);
        if (taken && round.count) result = irl__layouts_run(&round);
    }
    irl__scratch_end(cx, mark);
    if (!result || !irl__ok(cx)) return NULL;
    result->layout_count = 0;
    result->layouts = NULL;
    return result;
}

/* ------------------------------------------------------------------ the attribute, as the user sets it */

static const irl_buffer *irl__layouts_named(const irl_func *f, const char *buffer)
{
    const irl_buffer *b = irl__func_find_buffer(f, buffer);
    if (!b) irl__fail(f->cx, IRL_ERROR_UNKNOWN_NAME, f->loc, "'%s' is neither a parameter nor an allocation of '%s'", buffer ? buffer : "", f->name);
    return b;
}

static irl_func *irl__layouts_set(const irl_func *f, const char *buffer, const irl_map *map, int assume_injective)
{
    irl__layout *list;
    irl_func    *copy;
    if (!f || !map || !irl__ok(f->cx) || !irl__layouts_named(f, buffer)) return NULL;
    if (map->cx != f->cx) {
        irl__fail(f->cx, IRL_ERROR_BAD_ARGUMENT, irl__nowhere(), "the layout of '%s' was made in another context", buffer);
        return NULL;
    }
    list = (irl__layout *)irl__alloc_array(f->cx, (size_t)f->layout_count + 1, sizeof *list);
    copy = irl__func_copy(f->cx, f);
    if (!list || !copy) return NULL;
    if (f->layout_count) memcpy(list, f->layouts, (size_t)f->layout_count * sizeof *list);
    list[f->layout_count].buffer = irl__namez(f->cx, buffer);
    list[f->layout_count].map = map;
    list[f->layout_count].assume_injective = assume_injective;
    list[f->layout_count].loc = map->loc;
    copy->layouts = list;
    copy->layout_count = f->layout_count + 1;
    return list[f->layout_count].buffer ? copy : NULL;
}

irl_func *irl_set_layout(const irl_func *f, const char *buffer, const irl_map *map) { return irl__layouts_set(f, buffer, map, 0); }
irl_func *irl_assume_layout(const irl_func *f, const char *buffer, const irl_map *map) { return irl__layouts_set(f, buffer, map, 1); }

irl_func *irl_set_padding(const irl_func *f, const char *buffer, double value)
{
    const irl_buffer *b;
    irl__layout      *list;
    irl_func         *copy;
    int               k;
    if (!f || !irl__ok(f->cx)) return NULL;
    b = irl__layouts_named(f, buffer);
    if (!b) return NULL;
    for (k = f->layout_count - 1; k >= 0 && strcmp(f->layouts[k].buffer, buffer) != 0; k--) {}
    if (k < 0) {
        irl__fail(f->cx, IRL_ERROR_BAD_ARGUMENT, b->loc, "'%s' has no layout whose padding could be set: irl_set_layout comes first", buffer);
        return NULL;
    }
    copy = irl__func_copy(f->cx, f);
    list = (irl__layout *)irl__copy(f->cx, f->layouts, (size_t)f->layout_count, sizeof *list);
    if (!copy || !list) return NULL;
    list[k].padding = irl__number(f->cx, b->type, value);
    copy->layouts = list;
    return list[k].padding ? copy : NULL;
}
