/* pack.c - a pair of functions made from a layout: into the memory that it describes, and back.

   needs     verdict.c, the constructors of the ir
   promises  each cell of the packed box is written at most once, so every loop is parallel; unpack(pack(x)) == x, and
             proof.c prints why. Only for maps that are proved bijective or injective

   Packing goes over the cells and fetches each from inverse(cell), so that memory is written in order; the cells that no
   point reaches get the stated padding in the same sweep. Where no formula of the inverse is known (a map that only
   enumeration could decide), the cells are filled first and the points scattered then. */
#include "map.h"

void irl__memory_box(const irl_map *map, irl_shape *physical)
{
    int k;
    for (k = 0; k < map->output_count; k++) {
        const irl_expr *e = map->outputs[k];
        if (e->op == IRL_OP_FLOORMOD && e->a[1]->op == IRL_OP_INT && physical->extent[k] < e->a[1]->u.i) physical->extent[k] = e->a[1]->u.i;
    }
}

int irl__memory_unused(irl_ctx *cx, int rank, const irl_expr *const *axes, const irl_expr *const *box, const irl_expr *const *memory,
                       const irl_map *inverse, const irl_expr *inside, const irl_expr **unused)
{
    const irl_expr *part;
    int             k;
    *unused = NULL;
    for (k = 0; k < rank; k++) {
        if (box[k] == memory[k]) continue;
        part = irl_op2(cx, IRL_OP_GE, axes[k], box[k]);
        *unused = *unused ? irl_op2(cx, IRL_OP_OR, *unused, part) : part;
    }
    if (inside) {
        part = irl__substitute(cx, inside, rank, inverse->inputs, axes);
        *unused = *unused ? irl_op2(cx, IRL_OP_OR, *unused, part) : part;
    }
    return irl__ok(cx);
}

/* ------------------------------------------------------------------ what is to be packed */

static int irl__packing_refuse(const irl__packing *p)
{
    static const irl_code codes[] = { IRL_ERROR_UNDECIDED, IRL_OK, IRL_OK, IRL_ERROR_LOSSY_MAP, IRL_ERROR_MAP_OUT_OF_RANGE };
    const char           *text = irl__ok(p->cx) ? irl_verdict_text(p->cx, &p->v) : "";
    return irl__fail(p->cx, codes[p->v.kind], p->map->loc, "nothing can be packed through the map: it is %s", text);
}

int irl__packing_of(irl_ctx *cx, const irl_map *map, irl_shape shape, irl__packing *p)
{
    const irl_expr *box[IRL_MAX_RANK], *memory[IRL_MAX_RANK];
    irl__arena_mark mark;
    irl__analyzer  *an;
    int             k;
    memset(p, 0, sizeof *p);
    p->cx = cx;
    p->map = irl__map_for_shape(cx, map, &shape);
    if (!p->map) return 0;
    p->v = irl_check(cx, p->map, shape);
    if (p->v.kind != IRL_BIJECTIVE && p->v.kind != IRL_INJECTIVE) return irl__packing_refuse(p);
    p->memory = p->v.physical;
    irl__memory_box(p->map, &p->memory);
    if (!p->v.inverse || !p->v.padding) return 1;
    p->axes = p->v.inverse->inputs;
    for (k = 0; k < p->memory.rank; k++) {
        box[k] = irl_idx(cx, p->v.physical.extent[k]);
        memory[k] = irl_idx(cx, p->memory.extent[k]);
    }
    if (!irl__memory_unused(cx, p->memory.rank, p->axes, box, memory, p->v.inverse, p->v.pad_cells ? p->v.padding : NULL, &p->unused)) return 0;
    if (!p->unused) return 1;
    mark = irl__scratch_begin(cx);
    an = irl__analyzer_begin(cx);
    for (k = 0; an && k < p->memory.rank; k++)
        if (!irl__bind_range(an, p->axes[k], 0, p->memory.extent[k] > 0 ? p->memory.extent[k] - 1 : 0)) an = NULL;
    p->unused = an ? irl__simplify(an, p->unused) : NULL;
    irl__scratch_end(cx, mark);
    return p->unused != NULL;
}

/* ------------------------------------------------------------------ the functions */

typedef struct irl__pack_pair {
    irl__packing      p;
    const irl_buffer *plain, *packed;
    const irl_expr   *padding; /* a constant; NULL: unused cells stay as they are */
} irl__pack_pair;

static const irl_buffer *irl__pack_buffer(irl_ctx *cx, const char *name, irl_type element, const irl_shape *shape)
{
    const irl_expr *extents[IRL_MAX_RANK];
    int             k;
    for (k = 0; k < shape->rank; k++) extents[k] = irl_idx(cx, shape->extent[k]);
    return irl_buffer_new(cx, name, element, IRL_SCOPE_GLOBAL, shape->rank, extents);
}

static int irl__pack_begin(irl_ctx *cx, const irl_map *map, irl_shape shape, const irl_packing *how, irl__pack_pair *pair)
{
    irl_type element = how && how->element.lanes ? how->element : irl_type_of(IRL_F32, 1);
    memset(pair, 0, sizeof *pair);
    if (!irl__packing_of(cx, map, shape, &pair->p)) return 0;
    pair->plain = irl__pack_buffer(cx, "plain", element, &shape);
    pair->packed = irl__pack_buffer(cx, "packed", element, &pair->p.memory);
    if (how && how->fill) {
        pair->padding = irl__number(cx, element, how->padding);
        if (!pair->padding) return 0;
    }
    return pair->plain && pair->packed;
}

/* for parallel (v0: e0, v1: e1, ...) body */
static const irl_stmt *irl__pack_loops(irl_ctx *cx, int rank, const irl_expr *const *vars, const irl_shape *extent, const irl_stmt *body)
{
    while (rank-- > 0) body = irl_for(cx, IRL_PARALLEL, vars[rank], irl_idx(cx, 0), irl_idx(cx, extent->extent[rank]), body);
    return body;
}

static irl_func *irl__pack_func(irl_ctx *cx, const char *name, const irl_buffer *from, const irl_buffer *to, const irl_stmt *body)
{
    irl_param_desc params[2];
    memset(params, 0, sizeof params);
    params[0].buffer = from;
    params[1].buffer = to;
    return irl_func_new(cx, name, 2, params, body);
}

/* packed[axes] = unused ? padding : plain[inverse(axes)], over the cells. */
static const irl_stmt *irl__pack_gather(irl_ctx *cx, const irl__pack_pair *pair)
{
    const irl__packing *p = &pair->p;
    const irl_expr     *value = irl_load(cx, pair->plain, p->v.shape.rank, p->v.inverse->outputs);
    const irl_stmt     *store;
    if (p->unused && pair->padding) value = irl_op3(cx, IRL_OP_IF_THEN_ELSE, p->unused, pair->padding, value);
    store = irl_store(cx, pair->packed, value, p->memory.rank, p->axes);
    if (p->unused && !pair->padding) store = irl_if(cx, irl__simplify_alone(cx, irl_op1(cx, IRL_OP_NOT, p->unused)), store, NULL);
    return irl__pack_loops(cx, p->memory.rank, p->axes, &p->memory, store);
}

/* packed[...] = padding, over the cells; packed[map(i)] = plain[i], over the points. */
static const irl_stmt *irl__pack_scatter(irl_ctx *cx, const irl__pack_pair *pair)
{
    const irl__packing *p = &pair->p;
    const irl_expr     *axes[IRL_MAX_RANK];
    const irl_stmt     *list[2];
    int                 count = 0;
    if (pair->padding) {
        if (!irl__inverse_axes(cx, p->memory.rank, axes)) return NULL;
        list[count++] = irl__pack_loops(cx, p->memory.rank, axes, &p->memory, irl_store(cx, pair->packed, pair->padding, p->memory.rank, axes));
    }
    list[count++] = irl__pack_loops(cx, p->v.shape.rank, p->map->inputs, &p->v.shape,
                                    irl_store(cx, pair->packed, irl_load(cx, pair->plain, p->v.shape.rank, p->map->inputs), p->memory.rank, p->map->outputs));
    return irl_seq(cx, count, list);
}

irl_func *irl_pack_func(irl_ctx *cx, const irl_map *map, irl_shape shape, const irl_packing *how)
{
    irl__pack_pair  pair;
    const irl_stmt *body;
    if (!irl__pack_begin(cx, map, shape, how, &pair)) return NULL;
    body = pair.p.axes ? irl__pack_gather(cx, &pair) : irl__pack_scatter(cx, &pair);
    return irl__pack_func(cx, how && how->name ? how->name : "pack", pair.plain, pair.packed, body);
}

irl_func *irl_unpack_func(irl_ctx *cx, const irl_map *map, irl_shape shape, const irl_packing *how)
{
    irl__pack_pair  pair;
    const irl_expr *value;
    const irl_stmt *body;
    if (!irl__pack_begin(cx, map, shape, how, &pair)) return NULL;
    value = irl_load(cx, pair.packed, pair.p.memory.rank, pair.p.map->outputs);
    body = irl_store(cx, pair.plain, value, shape.rank, pair.p.map->inputs);
    body = irl__pack_loops(cx, shape.rank, pair.p.map->inputs, &shape, body);
    return irl__pack_func(cx, how && how->name ? how->name : "unpack", pair.packed, pair.plain, body);
}
