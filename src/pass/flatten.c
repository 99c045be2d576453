/* flatten.c - reduces the axes of a buffer to those of its memory: one axis for each group of axes,
   1 for plain buffers.

   requires  layouts applied (their separators are on the buffers); no match buffers (lower_blocks
             removes them)
   maintains types, values, loops, ids; parameters keep their ABI buffer, and the body uses a flat
             declared alias
   breaks    nothing: a flat buffer is not changed, so the pass is idempotent
   cost      linear in the function
   source    TVM RFC 39, Buffer Physical Layout

   A group's index is the row-major offset of its axes, or the sum of index times stride; its extent
   is the largest such index plus one, 0 where an axis is empty. bool is stored as i8, with a
   visible cast at each access. */
#include "pass.h"

/* ---------------------------------------------------- arithmetic that folds what is constant */

static const irl_expr *irl__flatten_fits(irl_ctx *cx, const irl_expr *a, const char *sign,
                                         const irl_expr *b, const irl_expr *result)
{
    if (!result && a && b && irl__ok(cx))
        IRL__FAIL(cx, IRL_ERROR_OVERFLOW, "%l %s %l elements", a->u.i, sign, b->u.i);
    return result;
}

static const irl_expr *irl__flatten_mul(irl_ctx *cx, const irl_expr *a, const irl_expr *b)
{
    return irl__flatten_fits(cx, a, "*", b, irl__size_mul(cx, a, b));
}

static const irl_expr *irl__flatten_add(irl_ctx *cx, const irl_expr *a, const irl_expr *b)
{
    return irl__flatten_fits(cx, a, "+", b, irl__size_add(cx, a, b));
}

const irl_expr *irl__flatten_add_lanes(irl_ctx *cx, const irl_expr *scalar,
                                       const irl_expr *vector)
{
    if (!scalar || !vector) return NULL;
    if (vector->type.lanes == 1) return irl__flatten_add(cx, scalar, vector);
    if (irl__is_int(scalar, 0)) return vector;
    if (vector->op == IRL_OP_RAMP)
        return irl_expr_ramp(cx, irl__flatten_add(cx, scalar, vector->a[0]), vector->a[1],
                             (int)vector->type.lanes);
    return irl__add(cx, irl_expr_broadcast(cx, scalar, (int)vector->type.lanes), vector);
}

static const irl_expr *irl__flatten_scale(irl_ctx *cx, const irl_expr *index,
                                          const irl_expr *factor)
{
    if (!index || !factor || irl__is_int(factor, 1)) return index;
    if (index->type.lanes == 1) return irl__flatten_mul(cx, index, factor);
    if (index->op == IRL_OP_RAMP)
        return irl_expr_ramp(cx, irl__flatten_mul(cx, index->a[0], factor),
                             irl__flatten_mul(cx, index->a[1], factor), (int)index->type.lanes);
    return irl__mul(cx, index, irl_expr_broadcast(cx, factor, (int)index->type.lanes));
}

int irl__flatten_indices(irl_ctx *cx, const irl_buffer *b, const irl_expr *const *indices,
                         const irl_expr **out)
{
    for (int group = 0; group < irl__buffer_groups(b); group++) {
        irl__size_group g = irl__size_group_of(b, group);
        const irl_expr *offset = irl_expr_index(cx, 0);
        for (int k = g.first; k < g.last; k++) {
            if (!b->strides)
                offset = irl__flatten_add_lanes(cx, irl__flatten_mul(cx, offset, b->shape[k]),
                                                indices[k]);
            else
                offset = irl__flatten_add_lanes(cx, offset,
                                                irl__flatten_scale(cx, indices[k], b->strides[k]));
        }
        if (!b->strides)
            offset = irl__flatten_scale(cx, offset, irl_expr_index(cx, irl__buffer_step(b)));
        out[group] = b->offset ? irl__flatten_add_lanes(cx, b->offset, offset) : offset;
        if (!out[group]) return 0;
    }
    return 1;
}

/* The flat form: b itself where it is flat already. */
const irl_buffer *irl__flatten_buffer(irl_ctx *cx, const irl_buffer *b)
{
    const irl_expr *shape[IRL_MAX_RANK];
    int             separators[IRL_MAX_RANK];
    if (irl__buffer_is_flat(b) && b->type.scalar != IRL_BOOL) return b;
    if (b->offset && b->separator_count) {
        irl__fail(cx, IRL_ERROR_BAD_STRUCTURE, b->loc, "'%s' has an element offset and separators; "
                  "an offset needs plain memory", b->name);
        return NULL;
    }
    for (int group = 0; group < irl__buffer_groups(b); group++) {
        const irl_expr *extent = irl__size_extent(cx, b, group);
        if (!extent && irl__ok(cx))
            irl__fail(cx, IRL_ERROR_OVERFLOW, b->loc,
                      "the number of elements of '%s' does not fit 63 bits", b->name);
        shape[group] = extent;
        if (!shape[group]) return NULL;
        separators[group] = group + 1;
    }
    irl_buffer *flat = irl__buffer_copy(cx, b);
    if (!flat) return NULL;
    flat->rank = irl__buffer_groups(b);
    flat->shape = IRL__COPY(cx, const irl_expr *, shape, flat->rank);
    flat->separators = IRL__COPY(cx, int, separators, b->separator_count);
    flat->strides = NULL;
    flat->offset = NULL;
    if (flat->type.scalar == IRL_BOOL) flat->type.scalar = IRL_I8;
    return flat->shape && flat->separators ? flat : NULL;
}

/* ------------------------------------------------------------------ the pass */

typedef struct irl__flatten_state {
    const irl_func  *f;
    irl__ptr_map     buffers;  /* old buffer -> flat buffer */
    irl__ptr_map     data;     /* data variable of a bool allocation -> that of its i8 storage */
    const irl_stmt **aliases;  /* declarations for parameters */
} irl__flatten_state;

/* A parameter's memory is the caller's: its flat form is an alias, declared at the top of the
   body. */
static int irl__flatten_declare(irl__rewriter *r, irl_buffer *flat)
{
    irl__flatten_state *state = (irl__flatten_state *)r->user;
    flat->name = irl__format(r->cx, "%s_flat", flat->name);
    const irl_stmt *decl = flat->name ? irl_stmt_decl(r->cx, flat) : NULL;
    return decl && IRL__PUSH_SCRATCH(r->cx, state->aliases, decl);
}

static const irl_buffer *irl__flatten_hook_buffer(irl__rewriter *r, const irl_buffer *b)
{
    irl__flatten_state *state = (irl__flatten_state *)r->user;
    const irl_buffer   *flat = (const irl_buffer *)irl__ptr_map_get(&state->buffers, b);
    if (flat) return flat;
    flat = irl__flatten_buffer(r->cx, b);
    if (!flat) return NULL;
    int             param = irl__func_param_of(state->f, b->data);
    const irl_expr *data = (const irl_expr *)irl__ptr_map_get(&state->data, b->data);
    if (data && flat != b) {
        irl_buffer *moved = irl__buffer_copy(r->cx, flat);
        if (!moved) return NULL;
        moved->data = data;
        flat = moved;
    }
    if (flat != b && param >= 0 && state->f->params[param].buffer == b) {
        irl_buffer *alias = irl__buffer_copy(r->cx, flat);
        if (!alias || !irl__flatten_declare(r, alias)) return NULL;
        flat = alias;
    }
    return irl__ptr_map_put(r->cx, &state->buffers, b, flat) ? flat : NULL;
}

static const irl_buffer *irl__flatten_access(irl__rewriter *r, const irl_buffer *b,
                                             const irl_expr **indices)
{
    const irl_expr   *old[IRL_MAX_RANK];
    const irl_buffer *flat = irl__flatten_hook_buffer(r, b);
    if (!flat || flat == b) return flat;
    memcpy(old, indices, (size_t)b->rank * sizeof *old);
    return irl__flatten_indices(r->cx, b, old, indices) ? flat : NULL;
}

/* A bool allocation becomes one of i8, so its pointer needs the new type; its aliases follow. */
static const irl_stmt *irl__flatten_alloc(irl__rewriter *r, const irl_stmt *s)
{
    irl__flatten_state *state = (irl__flatten_state *)r->user;
    const irl_buffer   *b = s->u.alloc.buffer;
    if (b->type.scalar == IRL_BOOL) {
        irl_type        element = b->type;
        const irl_expr *data;
        element.scalar = IRL_I8;
        data = irl_expr_var(r->cx, b->data->u.name, irl_type_pointer(element, b->scope));
        if (!data || !irl__ptr_map_put(r->cx, &state->data, b->data, data)) return NULL;
    }
    return irl__rewrite_stmt_children(r, s);
}

/* Per group from the offset of the least to that of the largest index. */
static int irl__flatten_region(irl__rewriter *r, const irl_buffer *b, irl__region *region)
{
    const irl_expr *last[IRL_MAX_RANK], *low[IRL_MAX_RANK], *high[IRL_MAX_RANK],
        *one = irl_expr_index(r->cx, 1);
    const irl_buffer *to = irl__flatten_hook_buffer(r, b);
    if (!to || to == b) return to != NULL;
    for (int k = 0; k < b->rank; k++) {
        last[k] = irl__flatten_add(r->cx, irl__flatten_add(r->cx, region->min[k],
                                                           region->extent[k]),
                                   irl_expr_index(r->cx, -1));
        if (irl__is_int(region->extent[k], 1)) last[k] = region->min[k];
    }
    if (!irl__flatten_indices(r->cx, b, region->min, low) ||
        !irl__flatten_indices(r->cx, b, last, high))
        return 0;
    for (int k = 0; k < to->rank; k++)
        high[k] = high[k] == low[k]
                      ? one
                      : irl__flatten_add(r->cx, irl__sub(r->cx, high[k], low[k]), one);
    region->buffer = to;
    region->min = IRL__COPY(r->cx, const irl_expr *, low, to->rank);
    region->extent = IRL__COPY(r->cx, const irl_expr *, high, to->rank);
    return irl__ok(r->cx) && region->min && region->extent;
}

static const irl_stmt *irl__flatten_hook_stmt(irl__rewriter *r, const irl_stmt *s)
{
    if (s->kind == IRL__ALLOC) return irl__flatten_alloc(r, s);
    if (s->kind != IRL__BLOCK || !s->u.block->match_count) return irl__rewrite_stmt_children(r, s);
    irl__fail(r->cx, IRL_ERROR_BAD_STAGE, s->loc,
              "block '%s' has match buffers; flatten needs lower_blocks first", s->u.block->name);
    return NULL;
}

/* Declarations first, in the order of the parameters, then the body; one sequence. */
static const irl_stmt *irl__flatten_prepend(irl_ctx *cx, const irl__flatten_state *state,
                                            const irl_stmt *body)
{
    const irl_stmt **list = NULL;
    if (!stbds_arrlen(state->aliases)) return body;
    for (int p = 0; p < state->f->param_count; p++)
        for (int k = 0; k < (int)stbds_arrlen(state->aliases); k++)
            if (state->aliases[k]->u.alloc.buffer->data == state->f->params[p].var &&
                !IRL__PUSH_SCRATCH(cx, list, state->aliases[k]))
                return NULL;
    return irl__stmt_then(cx, irl__stmt_seq(cx, (int)stbds_arrlen(list), list), body);
}

irl_func *irl__pass_flatten(const irl_func *f)
{
    irl_ctx           *cx = f->cx;
    irl__arena_mark    mark = irl__scratch_begin(cx);
    irl__flatten_state state;
    irl__rewriter      r;
    irl_func          *result = NULL;
    memset(&state, 0, sizeof state);
    state.f = f;
    r = irl__rewriter_make(cx, &state, NULL, irl__flatten_hook_stmt);
    r.buffer = irl__flatten_hook_buffer;
    r.access = irl__flatten_access;
    r.region = irl__flatten_region;
    const irl_stmt *body = irl__rewrite_stmt(&r, f->body);
    if (body) body = irl__flatten_prepend(cx, &state, body);
    if (body) result = irl__func_with_body(f, body);
    irl__scratch_end(cx, mark);
    return result;
}
