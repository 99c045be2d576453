/* pack.c - a pair of functions made from a layout: into the memory that it describes, and back.

   needs     verdict.c, check_bits.c, the constructors of the ir
   promises  each cell of the packed box is written at most once, so every loop is parallel, except
             loops that write parts of bytes, of which lowering makes parallel what it can;
             unpack(pack(x)) == x, and proof.c prints why. Only for maps that are proved bijective
             or injective; if that is proved only for some values of the parameters, the functions
             assert these values

   Packing visits the cells and loads each from inverse(cell), so that memory is written in order;
   the cells that no point reaches get the stated padding in the same loop. If no formula of the
   inverse is known (a map that only enumeration could decide), the cells are filled first, and then
   the points are scattered. */
#include "map.h"

/* ------------------------------------------------------------------ what is to be packed */

irl__analyzer *irl__packing_analyzer(const irl__packing *p, int count, const irl_expr *const *vars,
                                     const irl_expr *const *extents)
{
    irl__analyzer *an =
        irl__analyzer_of_names(p->cx, p->parameter_count, p->parameters, p->where);
    int ok = 1;
    for (int k = 0; an && ok && k < count; k++)
        ok = extents[k]->op == IRL_OP_INT
                 ? irl__bind_range(an, vars[k], 0, extents[k]->u.i > 0 ? extents[k]->u.i - 1 : 0)
                 : irl__bind_extent(an, vars[k], irl_expr_index(p->cx, 0), extents[k]);
    return ok ? an : NULL;
}

/* The verdict's part of it. */
static int irl__packing_by(irl__packing *p, const irl_verdict *v)
{
    p->verdict = irl__ok(p->cx) ? irl_verdict_text(p->cx, v) : "";
    p->method = v->method[0] ? v->method : "mixed-radix decomposition";
    p->is_counted = !v->shape.named && !v->parameter_count;
    if (!irl__verdict_is_right(v) && !(v->where && v->inverse && v->padding))
        return irl__fail(p->cx, v->code ? v->code : IRL_ERROR_UNDECIDED, p->map->loc,
                         "nothing can be packed through the map: it is %s", p->verdict);
    p->points = v->shape;
    p->cells = v->memory;
    p->parameter_count = v->parameter_count;
    p->parameters = v->parameters;
    p->shape = irl__shape_extents(p->cx, &p->points);
    p->memory = irl__shape_extents(p->cx, &p->cells);
    /* Parameters are at least 1, and the verdict states more. */
    if (!p->shape || !p->memory) return 0;
    const irl_expr *where = v->where;
    for (int k = 0; k < p->parameter_count; k++)
        p->where =
            irl__and(p->cx, p->where,
                     irl_expr_op2(p->cx, IRL_OP_GE, p->parameters[k], irl_expr_index(p->cx, 1)));
    if (where) p->where = irl__and(p->cx, p->where, where);
    p->where = p->where ? irl__simplify_alone(p->cx, p->where) : NULL;
    if (!irl__ok(p->cx)) return 0;
    if (!v->inverse || !v->padding) return 1;
    p->inverse = v->inverse;
    p->axes = v->inverse->inputs;
    return irl__verdict_unused(p->cx, v, &p->spare);
}

int irl__packing_of(irl_ctx *cx, const irl_map *map, irl_shape shape, irl__packing *p)
{
    memset(p, 0, sizeof *p);
    p->cx = cx;
    p->map = irl__map_for_shape(cx, map, &shape);
    if (!p->map) return 0;
    irl_verdict v = irl__check_text(cx, p->map, shape);
    return irl__packing_by(p, &v);
}

/* ------------------------------------------------------------------ the functions */

typedef struct irl__pack_pair {
    irl__packing      p;
    const irl_buffer *plain, *packed;
    const irl_buffer *memory;  /* the parameter: packed itself, or the bytes that it is a view of */
    const irl_expr   *padding; /* a constant; NULL: unused cells stay as they are */
    irl_bit_element   bits;    /* its bits 0: elements fill their bytes */
} irl__pack_pair;

/* Elements in whose bits others have some: their unused cells are not to be filled. */
static int irl__pack_overlaps(const irl__pack_pair *pair)
{
    return pair->bits.stride < pair->bits.bits;
}

/* Bytes of memory in which elements do not lie side by side. */
static const irl_expr *irl__pack_bytes(irl__pack_pair *pair)
{
    irl__packing    *p = &pair->p;
    irl_ctx         *cx = p->cx;
    if (p->is_counted || irl__pack_overlaps(pair)) {
        irl_bit_verdict v = irl_map_check_bits(cx, p->map, p->points, &pair->bits);
        if (!irl__ok(cx)) return NULL;
        if (v.kind != IRL_BIJECTIVE && v.kind != IRL_INJECTIVE) {
            irl__fail(cx, v.code ? v.code : IRL_ERROR_UNDECIDED, p->map->loc,
                      "nothing can be packed as elements of %d bits every %l bits: %s",
                      pair->bits.bits, pair->bits.stride, irl_bit_verdict_text(cx, &v));
            return NULL;
        }
        if (v.bits >= 0) return irl_expr_index(cx, v.bits / 8);
    }
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__analyzer  *an = irl__packing_analyzer(p, 0, NULL, NULL);
    const irl_expr *bytes =
        an ? irl__bits_bytes(cx, an, &pair->bits, p->map->output_count, p->memory) : NULL;
    irl__scratch_end(cx, mark);
    return bytes;
}

/* The elements as a view of bytes, which has their offset and strides. */
static int irl__pack_view(irl__pack_pair *pair)
{
    irl_ctx        *cx = pair->p.cx;
    const int       rank = pair->p.map->output_count;
    const irl_expr *bytes = irl__pack_bytes(pair), *step = irl_expr_index(cx, pair->bits.stride),
                   *strides[IRL_MAX_RANK];
    if (!bytes) return 0;
    pair->memory = irl_buffer_new(cx, "packed", irl_type_of(IRL_U8, 1), IRL_SCOPE_GLOBAL, 1,
                                  &bytes);
    if (!pair->memory) return 0;
    for (int k = rank; k-- > 0; step = irl__mul(cx, step, pair->p.memory[k])) {
        if (!step) return 0;
        strides[k] = step = irl__simplify_alone(cx, step);
    }
    irl_buffer *view = irl__buffer_make(cx, "cells", pair->bits.type, IRL_SCOPE_GLOBAL, rank,
                                        pair->p.memory, pair->memory->data, irl__nowhere());
    if (!view) return 0;
    view->strides = IRL__COPY(cx, const irl_expr *, strides, rank);
    view->offset = pair->bits.offset ? irl_expr_index(cx, pair->bits.offset) : NULL;
    view->bits = pair->bits.bits;
    view->bit_order = pair->bits.order;
    view->norm = pair->bits.norm;
    pair->packed = view;
    return view->strides && irl__ok(cx);
}

/* The packed array: elements side by side are a buffer of bits. */
static int irl__pack_packed(irl__pack_pair *pair, irl_type element)
{
    irl_ctx    *cx = pair->p.cx;
    if (pair->bits.bits && (pair->bits.offset || pair->bits.stride != pair->bits.bits))
        return irl__pack_view(pair);
    irl_buffer *b =
        irl__buffer_make(cx, "packed", element, IRL_SCOPE_GLOBAL, pair->p.map->output_count,
                         pair->p.memory, NULL, irl__nowhere());
    if (!b) return 0;
    if (pair->bits.bits) {
        b->bits = pair->bits.bits;
        b->bit_order = pair->bits.order;
        b->norm = pair->bits.norm;
        b->data = irl_expr_var(cx, b->name, irl_type_pointer(irl__buffer_memory_type(b), b->scope));
    }
    pair->packed = pair->memory = b;
    return b->data != NULL;
}

/* The buffers of the packing that is in pair->p. */
static int irl__pack_begin(irl__pack_pair *pair, const irl_pack_options *how)
{
    irl_ctx       *cx = pair->p.cx;
    const irl_map *map = pair->p.map;
    irl_type       element = how && how->element.lanes ? how->element : irl_type_of(IRL_F32, 1);
    memset(&pair->bits, 0, sizeof pair->bits);
    if (how && how->bits) {
        if (!irl__bit_element_ok(cx, how->bits, &pair->bits, map->loc)) return 0;
        element = pair->bits.type;
    }
    pair->plain =
        irl_buffer_new(cx, "plain", element, IRL_SCOPE_GLOBAL, map->input_count, pair->p.shape);
    if (!pair->plain || !irl__pack_packed(pair, element)) return 0;
    pair->padding = how && how->fill ? irl__number(cx, element, how->padding) : NULL;
    if (!pair->padding && how && how->fill) return 0;
    const irl__packing *p = &pair->p;
    const int           is_signed = pair->bits.bits && irl__type_is_signed(pair->bits.type);
    if (!pair->padding || !pair->bits.bits) return 1;
    if (irl__pack_overlaps(pair) && (p->spare || !p->inverse))
        return irl__fail(p->cx, IRL_ERROR_BAD_ARGUMENT, p->map->loc,
                         "elements of %d bits every %l bits: unused cells share bits with "
                         "elements, and cannot be filled",
                         pair->bits.bits, pair->bits.stride);
    if (pair->padding->op != IRL_OP_INT || !irl__bitfield_is_narrow(pair->packed)) return 1;
    const int64_t last = INT64_MAX >> (63 - pair->bits.bits + is_signed);
    const int64_t first = is_signed ? -last - 1 : 0;
    if (pair->padding->u.i <= last && pair->padding->u.i >= first) return 1;
    return irl__fail(p->cx, IRL_ERROR_BAD_ARGUMENT, p->map->loc,
                     "the padding %l does not fit elements of %d bits: they are %l to %l",
                     pair->padding->u.i, pair->bits.bits, first, last);
}

/* for kind (v0: e0, v1: e1, ...) body */
static const irl_stmt *irl__pack_loops(irl_ctx *cx, irl_for_kind kind, int rank,
                                       const irl_expr *const *vars,
                                       const irl_expr *const *extents, const irl_stmt *body)
{
    while (rank-- > 0)
        body = irl_stmt_for(cx, kind, vars[rank], irl_expr_index(cx, 0), extents[rank], body);
    return body;
}

/* Of loops that store elements: two iterations of parallel ones must not write one byte, which
   lowering proves for others. */
static irl_for_kind irl__pack_kind(const irl__pack_pair *pair)
{
    return (pair->bits.bits | pair->bits.stride | pair->bits.offset) % 8 ? IRL_SERIAL
                                                                         : IRL_PARALLEL;
}

/* The parameters first; the body behind the condition under which it is right. */
static irl_func *irl__pack_func(const irl__pack_pair *pair, const char *name,
                                const irl_buffer *from, const irl_buffer *to,
                                const irl_stmt *body)
{
    const irl__packing *p = &pair->p;
    irl_param_desc      params[IRL_MAX_RANK + 2];
    const irl_stmt     *list[3];
    int                 count = 0, k;
    memset(params, 0, sizeof params);
    for (k = 0; k < p->parameter_count; k++) params[k].scalar = p->parameters[k];
    params[k].buffer = from;
    params[k + 1].buffer = to;
    if (p->where)
        list[count++] = irl_stmt_assert(p->cx, p->where, "the layout is right for these sizes");
    if (pair->memory != pair->packed) list[count++] = irl_stmt_decl(p->cx, pair->packed);
    list[count++] = body;
    if (count > 1) body = irl_stmt_seq(p->cx, count, list);
    return irl_func_new(p->cx, name, k + 2, params, body);
}

/* So many elements fill whole bytes; 1: the loop over `extent` of them is not cut by that. */
static int64_t irl__pack_group(const irl__pack_pair *pair, const irl_expr *extent)
{
    const int64_t step = pair->bits.stride, n = step % 8 ? 8 / irl__gcd64(8, step) : 1;
    return extent->op == IRL_OP_INT && extent->u.i > n && extent->u.i % n == 0 ? n : 1;
}

/* packed[axes] = unused ? padding : plain[inverse(axes)], at the cell `at`. */
static const irl_stmt *irl__pack_cell(irl_ctx *cx, const irl__pack_pair *pair,
                                      const irl_expr *const *at)
{
    const irl__packing *p = &pair->p;
    const int           rank = p->map->output_count, inputs = p->map->input_count;
    const irl_expr     *from[IRL_MAX_RANK], *spare = p->spare;
    for (int k = 0; k < inputs; k++)
        from[k] = irl__substitute(cx, p->inverse->outputs[k], rank, p->axes, at);
    if (spare && !pair->padding)
        spare = irl__simplify_alone(cx, irl_expr_op1(cx, IRL_OP_NOT, spare));
    if (spare) spare = irl__substitute(cx, spare, rank, p->axes, at);
    const irl_expr *value = irl_expr_load(cx, pair->plain, inputs, from);
    if (spare && pair->padding)
        value = irl_expr_op3(cx, IRL_OP_IF_THEN_ELSE, spare, pair->padding, value);
    const irl_stmt *store = irl_stmt_store(cx, pair->packed, value, rank, at);
    return spare && !pair->padding ? irl_stmt_if(cx, spare, store, NULL) : store;
}

/* Over the cells. Where a byte has parts of several, a loop over those that fill whole bytes is
   the innermost: the others are parallel then. */
static const irl_stmt *irl__pack_gather(irl_ctx *cx, const irl__pack_pair *pair)
{
    const irl__packing *p = &pair->p;
    const int           rank = p->map->output_count;
    const int64_t group = pair->bits.bits && rank ? irl__pack_group(pair, p->memory[rank - 1]) : 1;
    const irl_expr *vars[IRL_MAX_RANK + 1], *extents[IRL_MAX_RANK + 1], *at[IRL_MAX_RANK];
    int             k;
    if (group == 1)
        return irl__pack_loops(cx, irl__pack_kind(pair), rank, p->axes, p->memory,
                               irl__pack_cell(cx, pair, p->axes));
    for (k = 0; k < rank; k++) {
        at[k] = vars[k] = p->axes[k];
        extents[k] = p->memory[k];
    }
    vars[k] = irl_expr_var(cx, "k", irl__type_index());
    extents[k] = irl_expr_index(cx, group);
    extents[k - 1] = irl_expr_index(cx, p->memory[k - 1]->u.i / group);
    at[k - 1] = irl__add(cx, irl__mul(cx, vars[k - 1], extents[k]), vars[k]);
    return irl__pack_loops(cx, IRL_SERIAL, rank + 1, vars, extents, irl__pack_cell(cx, pair, at));
}

/* packed[...] = padding, over the cells; packed[map(i)] = plain[i], over the points. */
static const irl_stmt *irl__pack_scatter(irl_ctx *cx, const irl__pack_pair *pair)
{
    const irl__packing *p = &pair->p;
    const irl_map      *map = p->map;
    const irl_for_kind  kind = irl__pack_kind(pair);
    const irl_expr     *axes[IRL_MAX_RANK];
    const irl_stmt     *list[2];
    int                 count = 0;
    if (pair->padding) {
        if (!irl__inverse_axes(cx, map->output_count, axes)) return NULL;
        list[count++] = irl__pack_loops(cx, kind, map->output_count, axes, p->memory,
                                        irl_stmt_store(cx, pair->packed, pair->padding,
                                                       map->output_count, axes));
    }
    list[count++] = irl__pack_loops(
        cx, kind, map->input_count, map->inputs, p->shape,
        irl_stmt_store(cx, pair->packed,
                       irl_expr_load(cx, pair->plain, map->input_count, map->inputs),
                       map->output_count, map->outputs));
    return irl_stmt_seq(cx, count, list);
}

/* plain[i] = packed[map(i)], over the points. */
static irl_func *irl__unpack_make(irl__pack_pair *pair, const irl_pack_options *how)
{
    irl_ctx        *cx = pair->p.cx;
    const irl_map  *map = pair->p.map;
    if (!irl__pack_begin(pair, how)) return NULL;
    const irl_stmt *body = irl_stmt_store(
        cx, pair->plain, irl_expr_load(cx, pair->packed, map->output_count, map->outputs),
        map->input_count, map->inputs);
    body = irl__pack_loops(cx, IRL_PARALLEL, map->input_count, map->inputs, pair->p.shape, body);
    return irl__pack_func(pair, how && how->name ? how->name : "unpack", pair->memory, pair->plain,
                          body);
}

irl_func *irl_map_pack_func(irl_ctx *cx, const irl_map *map, irl_shape shape,
                            const irl_pack_options *how)
{
    irl__pack_pair pair;
    if (!irl__packing_of(cx, map, shape, &pair.p)) return NULL;
    if (!irl__pack_begin(&pair, how)) return NULL;
    const irl_stmt *body =
        pair.p.inverse ? irl__pack_gather(pair.p.cx, &pair) : irl__pack_scatter(pair.p.cx, &pair);
    return irl__pack_func(&pair, how && how->name ? how->name : "pack", pair.plain, pair.memory,
                          body);
}

irl_func *irl_map_unpack_func(irl_ctx *cx, const irl_map *map, irl_shape shape,
                              const irl_pack_options *how)
{
    irl__pack_pair pair;
    return irl__packing_of(cx, map, shape, &pair.p) ? irl__unpack_make(&pair, how) : NULL;
}
