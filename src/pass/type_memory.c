/* type_memory.c - memory is accessed in the types that its target allows: through typed views,
   which are declared where the memory is.

   requires  flatten and vectorize: one index for each access
   maintains what is computed: a value is never read again after something was stored
   breaks    accesses that the target lacks. type_elements: if elements have no type, a view of
             shorter ones replaces them. type_memory: every access to a memory is one element of one
             type, its unit; serial code whose runs may begin at any scalar keeps them. Where
             pointers may be cast that is done only for parameters that are accessed by vectors of
             one type, all of them proved to begin where such a vector may, and for private arrays
             that are, which become arrays of vectors; others keep their runs, which may begin at
             any lane
   cost      linear in the accesses, times the widths of the target

   WHEN A VIEW IS SAFE. A view is a declared alias: other elements over the same bytes. These are
   all the rules:
     size       the view ends where its buffer ends: floor(bytes / unit) elements. verify.c checks
                that no view is larger
     place      an access of n bytes at byte p becomes accesses of the unit's u bytes only if u
                divides n and p, for all values of the index. So it touches the same bytes, all of
                them, and none beyond
     part       a load of fewer bytes than a unit takes them out of one: only where the unit is
                known to lie within the buffer and nothing in the function writes that memory, or it
                is private. A store of fewer bytes is never widened
     type       the same scalar type keeps its values. Other types of any size go through as(),
                which keeps the bits in the machine's order, as memory does. bool is no bits of
                another type: such memory keeps its accesses
     alignment  an element of 2, 4, 8 or 16 scalars begins at a multiple of its size from the
                start of its memory. So the start must be as aligned as the widest element of any
                view: 128 bytes where nothing is stated, which OpenCL promises; what align() states;
                for memory that a call returns, its pointer's type. verify.c checks it
     lifetime   the view is declared right after its buffer and is used where that was used; it has
                no memory of its own. A private array that is accessed by vectors alone is no
                view: the array of vectors replaces it */
#include "pass.h"

typedef struct irl__typed_access {
    const irl_buffer *buffer;
    irl__residues     place; /* of the first byte */
    uint32_t          lanes; /* scalars that lie one after the other */
    int               is_store;
} irl__typed_access;

typedef struct irl__typed_memory {
    irl_type           pointee;
    irl__typed_access *accesses;
    irl_type           unit;       /* lanes 0: accesses stay as they are */
    uint32_t           alignment;  /* of its start */
    int                may_widen;  /* a load may take its part of a unit */
    int                is_mixed;   /* accesses of several types, or such as a vector is not */
} irl__typed_memory;

typedef enum irl__typed_way {
    IRL__TYPED_ELEMENTS, /* views for buffers whose elements have no type */
    IRL__TYPED_UNITS,    /* one unit for each memory */
    IRL__TYPED_VECTORS   /* that, where each access is one unit already */
} irl__typed_way;

typedef struct irl__typed_state {
    irl_ctx          *cx;
    const irl_target *target;
    irl__analyzer    *an;
    irl__ptr_map      memory;   /* data variable -> irl__typed_memory */
    /* buffer -> the buffer that is accessed in its place, perhaps itself */
    irl__ptr_map views;
    irl__ptr_map firsts;   /* data variable -> the buffer that states its alignment */
    /* data variable -> the same, where it is a parameter or an allocation */
    irl__ptr_map             owners;
    irl__typed_memory      **list;     /* the memories, in the order they were seen */
    const irl_buffer       **buffers;  /* that are accessed */
    const irl__memory_sizes *sizes; /* for ELEMENTS */
    irl__typed_way           way;
    int                      has_views;
    int                      is_failed;
} irl__typed_state;

/* ------------------------------------------------------------------ what an access is */

static const irl_expr *irl__typed_lane(irl__typed_state *state, const irl_expr *e, uint32_t k)
{
    return irl__simplify(state->an, irl__lane(state->cx, e, k));
}

static int64_t irl__typed_scalar_bytes(irl_type t) { return (int64_t)irl__type_info(t)->bytes; }

irl__residues irl__memory_begins(irl__analyzer *an, const irl_buffer *b, const irl_expr *index)
{
    const int64_t each = (int64_t)irl__type_bytes(b->type);
    irl__residues at = { 0, 0 };
    if (index && irl__index_is_run(index))
        at = irl__modular(an, index->type.lanes == 1 ? index : index->a[0]);
    else if (index) at.coef = 1;
    if (!irl__mul64(at.coef, each, &at.coef) || !irl__mul64(at.base, each, &at.base)) {
        at.coef = each;
        at.base = 0;
    }
    return at;
}

/* Where it starts and how long it is. Lanes that do not lie together are accesses of one element
   each. */
static irl__typed_access irl__typed_access_of(irl__typed_state *state, const irl_buffer *b,
                                              const irl_expr *index, int is_store)
{
    irl__typed_access a;
    a.buffer = b;
    a.is_store = is_store;
    a.lanes = b->type.lanes * (index && irl__index_is_run(index) ? index->type.lanes : 1);
    a.place = irl__memory_begins(state->an, b, index);
    return a;
}

typedef enum irl__typed_fit { IRL__FIT_NOT, IRL__FIT_WHOLE, IRL__FIT_PART } irl__typed_fit;

/* Whole units of u bytes end with the buffer. */
static int irl__typed_ends(irl__typed_state *state, const irl_buffer *b, int64_t u)
{
    int64_t each = (int64_t)irl__type_bytes(b->type), bytes;
    if (each % u == 0) return 1;
    if (b->rank == 0) return 0;
    irl__residues extent = irl__modular(state->an, b->shape[0]);
    return irl__mul64(extent.coef, each, &bytes) && bytes % u == 0 &&
           irl__mul64(extent.base, each, &bytes) && bytes % u == 0;
}

/* How an access is made of units: the rules at the head of this file. */
static irl__typed_fit irl__typed_fits(irl__typed_state *state, const irl__typed_memory *m,
                                      const irl__typed_access *a, irl_type unit)
{
    int64_t s = irl__typed_scalar_bytes(a->buffer->type), u = (int64_t)irl__type_bytes(unit),
            n = s * (int64_t)a->lanes, first = a->place.base;
    if ((u % s != 0 && s % u != 0) || a->place.coef % u != 0) return IRL__FIT_NOT;
    if (n % u == 0 && first % u == 0) return IRL__FIT_WHOLE;
    if (a->is_store || !m->may_widen || u % s != 0 || first % u + n > u || first < 0)
        return IRL__FIT_NOT;
    return irl__typed_ends(state, a->buffer, u) ? IRL__FIT_PART : IRL__FIT_NOT;
}

/* ------------------------------------------------------------------ one unit for each memory */

static void irl__typed_first_seen(irl__typed_state *state, const irl_buffer *b, int is_owner)
{
    if (is_owner && !irl__ptr_map_put(state->cx, &state->owners, b->data, b)) state->is_failed = 1;
    if (!irl__ptr_map_get(&state->firsts, b->data) &&
        !irl__ptr_map_put(state->cx, &state->firsts, b->data, b))
        state->is_failed = 1;
}

static irl__typed_memory *irl__typed_memory_of(irl__typed_state *state, const irl_buffer *b)
{
    irl__typed_memory *m = (irl__typed_memory *)irl__ptr_map_get(&state->memory, b->data);
    if (m) return m;
    m = IRL__SCRATCH(state->cx, irl__typed_memory, 1);
    if (!m || !irl__ptr_map_put(state->cx, &state->memory, b->data, m) ||
        !IRL__PUSH_SCRATCH(state->cx, state->list, m))
        return NULL;
    m->pointee = irl_type_of((irl_scalar)b->data->type.scalar, (int)b->data->type.lanes);
    m->may_widen = 1;
    const irl_buffer *first = (const irl_buffer *)irl__ptr_map_get(&state->firsts, b->data);
    m->alignment =
        irl__buffer_alignment(first ? first : b, irl__ptr_map_get(&state->owners, b->data) != NULL);
    return m;
}

/* An allocation of a work-item's own, seen by its name: it may become another one. */
static int irl__typed_is_private(const irl__typed_state *state, const irl_buffer *b)
{
    return state->way == IRL__TYPED_VECTORS && b->scope == IRL_SCOPE_LOCAL &&
           irl__ptr_map_get(&state->owners, b->data) == (const void *)b;
}

/* Whether an access is a vector of the memory's one type, or of the first, and begins where such a
   vector may. */
static int irl__typed_is_vector(irl__typed_state *state, irl__typed_memory *m, const irl_buffer *b,
                                const irl_expr *index)
{
    uint32_t lanes = index ? index->type.lanes : 1, needs;
    irl_type unit = irl__type_with_lanes(b->type, b->type.lanes * lanes);
    if (m->unit.lanes && !irl_type_equal(m->unit, unit)) return 0;
    if (b->scope != IRL_SCOPE_GLOBAL && b->scope != IRL_SCOPE_CONSTANT &&
        !irl__typed_is_private(state, b))
        return 0;
    if (unit.lanes == 1 || unit.lanes == 3 || unit.scalar == IRL_BOOL ||
        irl__type_is_storage(unit) || !irl__target_has_width(state->target, unit.lanes))
        return 0;
    if (b->rank > 1 || !irl__buffer_is_flat(b) || !irl__index_is_run(index)) return 0;
    needs = irl__target_alignment(state->target, unit, 1);
    m->unit = unit;
    if (needs > m->alignment) return 0;
    if (!index || lanes == 1) return 1;
    const irl__residues first = irl__memory_begins(state->an, b, index);
    const int64_t       bytes = (int64_t)irl__type_bytes(unit);
    return first.coef % bytes == 0 && first.base % bytes == 0;
}

static void irl__typed_see(irl__typed_state *state, const irl_buffer *b, const irl_expr *index,
                            int is_store)
{
    irl__typed_memory *m = irl__typed_memory_of(state, b);
    int                ok = m != NULL;
    if (ok && state->way == IRL__TYPED_VECTORS) {
        if (m->is_mixed) return;
        m->is_mixed = !irl__typed_is_vector(state, m, b, index);
    } else if (ok) {
        irl__typed_access a = irl__typed_access_of(state, b, index, is_store);
        if (is_store && b->scope != IRL_SCOPE_LOCAL) m->may_widen = 0;
        ok = IRL__PUSH_SCRATCH(state->cx, m->accesses, a);
    }
    if (ok && !irl__ptr_map_get(&state->views, b))
        ok = irl__ptr_map_put(state->cx, &state->views, b, b) &&
             IRL__PUSH_SCRATCH(state->cx, state->buffers, b);
    if (!ok) state->is_failed = 1;
}

/* A pointer that is handed on: what is behind it stays as it is. */
static void irl__typed_see_pointer(irl__typed_state *state, const irl_expr *var)
{
    const irl_buffer  *b = (const irl_buffer *)irl__ptr_map_get(&state->owners, var);
    irl__typed_memory *m = b ? irl__typed_memory_of(state, b) : NULL;
    if (m) m->is_mixed = 1;
    else if (b) state->is_failed = 1;
}

static int irl__typed_see_expr(irl__visitor *v, const irl_expr *e)
{
    irl__typed_state *state = (irl__typed_state *)v->user;
    if (e->op == IRL_OP_VAR && state->way == IRL__TYPED_VECTORS) irl__typed_see_pointer(state, e);
    if (e->op == IRL_OP_LOAD)
        irl__typed_see(state, e->u.buffer, e->count ? e->a[e->count - 1] : NULL, 0);
    return (e->flags & IRL__HAS_MEMORY) != 0;
}

static int irl__typed_see_stmt(irl__visitor *v, const irl_stmt *s)
{
    const irl_buffer *b = s->kind == IRL__STORE ? s->u.store.buffer : NULL;
    if (s->kind == IRL__ALLOC || s->kind == IRL__DECL)
        irl__typed_first_seen((irl__typed_state *)v->user, s->u.alloc.buffer,
                              s->kind == IRL__ALLOC);
    /* a private array that has another name stays what that name sees */
    if (s->kind == IRL__DECL && s->u.alloc.buffer->scope == IRL_SCOPE_LOCAL &&
        ((irl__typed_state *)v->user)->way == IRL__TYPED_VECTORS)
        irl__typed_see_pointer((irl__typed_state *)v->user, s->u.alloc.buffer->data);
    if (b)
        irl__typed_see((irl__typed_state *)v->user, b,
                        b->rank ? s->u.store.indices[b->rank - 1] : NULL, 1);
    return 1;
}

/* The scalar that a unit is made of: the memory's own where no access is of a smaller one. BOOL: it
   stays as it is. */
static irl_scalar irl__typed_scalar(const irl__typed_memory *m)
{
    irl_type t = m->accesses[0].buffer->type;
    int      mixed = 0;
    for (int k = 0; k < (int)stbds_arrlen(m->accesses); k++) {
        irl_type own = m->accesses[k].buffer->type;
        if (m->accesses[k].buffer->rank > 1 || !irl__buffer_is_flat(m->accesses[k].buffer))
            return IRL_BOOL;
        mixed |= own.scalar != t.scalar && (own.scalar == IRL_BOOL || t.scalar == IRL_BOOL);
        if (irl__typed_scalar_bytes(own) < irl__typed_scalar_bytes(t) ||
            (own.scalar == m->pointee.scalar &&
             irl__typed_scalar_bytes(own) == irl__typed_scalar_bytes(t)))
            t = own;
    }
    return mixed ? IRL_BOOL : (irl_scalar)t.scalar;
}

static int irl__typed_all_fit(irl__typed_state *state, const irl__typed_memory *m, irl_type unit)
{
    int wholes = 0;
    for (int k = 0; k < (int)stbds_arrlen(m->accesses); k++) {
        irl__typed_fit fit = irl__typed_fits(state, m, &m->accesses[k], unit);
        if (fit == IRL__FIT_NOT) return 0;
        wholes += fit == IRL__FIT_WHOLE;
    }
    return wholes > 0;
}

/* Whether all accesses are of the memory's own scalar, and the target has each as it is. */
static int irl__typed_are_runs(const irl__typed_state *state, const irl__typed_memory *m)
{
    for (int k = 0; k < (int)stbds_arrlen(m->accesses); k++)
        if (m->accesses[k].buffer->type.scalar != m->pointee.scalar ||
            !irl__target_has_run(state->target, m->accesses[k].lanes))
            return 0;
    return 1;
}

/* The widest unit that all accesses are made of. */
static void irl__typed_choose(irl__typed_state *state, irl__typed_memory *m)
{
    static const int widths[] = { 16, 8, 4, 3, 2, 1 };
    irl_scalar   scalar = irl__typed_scalar(m);
    if (irl__typed_are_runs(state, m)) return;
    for (size_t k = 0; k < IRL__COUNTOF(widths) && scalar != IRL_BOOL; k++) {
        irl_type unit = irl_type_of(scalar, widths[k]);
        if (widths[k] != 1 && (!irl__target_has_width(state->target, (uint32_t)widths[k]) ||
                               irl__target_alignment(state->target, unit, 1) > m->alignment))
            continue;
        if (!irl__typed_all_fit(state, m, unit)) continue;
        m->unit = unit;
        return;
    }
}

/* What buffer b is accessed as; lanes 0: as it is. */
static irl_type irl__typed_unit(const irl__typed_state *state, const irl_buffer *b)
{
    const irl__typed_memory *m =
        (const irl__typed_memory *)irl__ptr_map_get(&state->memory, b->data);
    irl_type unit = b->type;
    uint32_t w;
    if (state->way == IRL__TYPED_UNITS) return m->unit;
    unit.lanes = 0;
    if (state->way == IRL__TYPED_VECTORS) return m && !m->is_mixed ? m->unit : unit;
    if (irl__memory_takes(state->sizes, state->target, b, b->type.lanes) || b->rank > 1 ||
        !irl__buffer_is_flat(b))
        return unit;
    for (w = 16; w > 1 && (b->type.lanes % w ||
                           !irl__memory_takes(state->sizes, state->target, b, w)); w /= 2) {
    }
    return irl__type_with_lanes(b->type, w);
}

/* ------------------------------------------------------------------ views */

/* e * each / unit, rounded down. */
static const irl_expr *irl__typed_scaled(irl__typed_state *state, const irl_expr *e, int64_t each,
                                         int64_t unit)
{
    irl_ctx *cx = state->cx;
    if (each % unit == 0) e = irl__mul(cx, e, irl_expr_index(cx, each / unit));
    else if (unit % each == 0) e = irl__floordiv(cx, e, irl_expr_index(cx, unit / each));
    else
        e = irl__floordiv(cx, irl__mul(cx, e, irl_expr_index(cx, each)), irl_expr_index(cx, unit));
    return irl__simplify(state->an, e);
}

/* As many units as lie within b. */
static const irl_buffer *irl__typed_view(irl__typed_state *state, const irl_buffer *b,
                                         irl_type unit)
{
    irl_ctx        *cx = state->cx;
    int64_t         each = (int64_t)irl__type_bytes(b->type), u = (int64_t)irl__type_bytes(unit);
    const irl_expr *count = b->rank ? b->shape[0] : irl_expr_index(cx, 1);
    static const char flat[] = "_flat";
    size_t            length = strlen(b->name), end = strlen(flat);
    irl__text         t;
    irl__text_init(&t, state->cx);
    if (length > end && strcmp(b->name + length - end, flat) == 0) length -= end;
    irl__text_append(&t, b->name, length);
    irl__textf(&t, "_%s", irl__type_cstr(state->cx, unit));
    const char *name = irl__text_done(&t);
    count = irl__typed_scaled(state, count, each, u);
    return name && count ? irl__buffer_make(cx, name, unit, b->scope, 1, &count,
                                            irl__typed_is_private(state, b) ? NULL : b->data,
                                            b->loc)
                         : NULL;
}

static int irl__typed_make_views(irl__typed_state *state)
{
    for (int k = 0; state->way == IRL__TYPED_UNITS && k < (int)stbds_arrlen(state->list); k++)
        irl__typed_choose(state, state->list[k]);
    for (int k = 0; k < (int)stbds_arrlen(state->buffers); k++) {
        const irl_buffer *b = state->buffers[k], *view;
        irl_type          unit = irl__typed_unit(state, b);
        if (unit.lanes == 0 || irl_type_equal(unit, b->type)) continue;
        state->has_views = 1;
        view = irl__typed_view(state, b, unit);
        if (!view || !irl__ptr_map_put(state->cx, &state->views, b, view)) return 0;
    }
    return irl__ok(state->cx);
}

/* ------------------------------------------------------------------ loads */

/* An access made of units: the first of them, and what they are. */
typedef struct irl__typed_units {
    const irl_buffer *view;
    const irl_expr   *first;  /* index of the first unit */
    irl_type          own;    /* the scalar type of the access */
    uint32_t          lanes;  /* of the access, in scalars */
    uint32_t          count;  /* of units */
    uint32_t          each;   /* scalars in a unit; 0: a scalar is several units */
    uint32_t          skip;   /* scalars of the unit in front of the access, for a part */
} irl__typed_units;

/* The units of an access to b that starts at element `start` (NULL: 0) and has so many elements.
   False on failure. */
static int irl__typed_units_of(irl__typed_state *state, const irl_buffer *b,
                               const irl__typed_access *a, const irl_expr *start,
                               irl__typed_units *out)
{
    const irl__typed_memory *m =
        (const irl__typed_memory *)irl__ptr_map_get(&state->memory, b->data);
    irl_type unit = irl__typed_unit(state, b);
    int64_t s = irl__typed_scalar_bytes(b->type), u = (int64_t)irl__type_bytes(unit),
            n = s * (int64_t)a->lanes;
    memset(out, 0, sizeof *out);
    out->view = (const irl_buffer *)irl__ptr_map_get(&state->views, b);
    out->own = irl__type_with_lanes(b->type, 1);
    out->lanes = a->lanes;
    out->each = u % s == 0 ? (uint32_t)(u / s) : 0;
    out->first = start ? irl__typed_scaled(state, start, (int64_t)b->type.lanes * s, u)
                       : irl_expr_index(state->cx, 0);
    if (irl__typed_fits(state, m, a, unit) == IRL__FIT_WHOLE) out->count = (uint32_t)(n / u);
    else {
        out->count = 1;
        out->skip = (uint32_t)(a->place.base % u / s);
    }
    return out->first != NULL;
}

static const irl_expr *irl__typed_unit_index(irl__typed_state *state, const irl__typed_units *n,
                                             uint32_t k)
{
    return k ? irl__simplify(state->an,
                             irl__add(state->cx, n->first, irl_expr_index(state->cx, (int64_t)k)))
             : n->first;
}

static const irl_expr *irl__typed_load_unit(irl__typed_state *state, const irl__typed_units *n,
                                            uint32_t k)
{
    const irl_expr *index = irl__typed_unit_index(state, n, k);
    return irl__expr_load(state->cx, n->view, 1, &index, irl__nowhere());
}

/* One scalar of several units. */
static const irl_expr *irl__typed_load_scalar(irl__typed_state *state, const irl__typed_units *n,
                                              uint32_t k)
{
    const irl_expr *parts[IRL_MAX_LANES];
    uint32_t        each = n->count / n->lanes;
    for (uint32_t j = 0; j < each; j++) parts[j] = irl__typed_load_unit(state, n, k * each + j);
    parts[0] = irl__lanes_join(state->cx, each, parts);
    return irl_expr_reinterpret(state->cx, n->own, parts[0]);
}

static const irl_expr *irl__typed_load_units(irl__typed_state *state, const irl__typed_units *n)
{
    const irl_expr *parts[IRL_MAX_LANES];
    uint32_t        count = n->each ? n->count : n->lanes;
    for (uint32_t k = 0; k < count; k++) {
        parts[k] =
            n->each ? irl__typed_load_unit(state, n, k) : irl__typed_load_scalar(state, n, k);
        if (parts[k] && n->each)
            parts[k] =
                irl_expr_reinterpret(state->cx, irl__type_with_lanes(n->own, n->each), parts[k]);
        if (!parts[k]) return NULL;
    }
    return irl__lanes_cut(state->cx, irl__lanes_join(state->cx, count, parts), n->skip, n->lanes);
}

/* An index that reads memory is computed once. */
static const irl_expr *irl__typed_load_run(irl__typed_state *state, const irl_buffer *b,
                                           const irl__typed_access *a, const irl_expr *start)
{
    irl__typed_units n;
    if (!irl__typed_units_of(state, b, a, start, &n)) return NULL;
    if (n.count == 1 || !(n.first->flags & IRL__HAS_MEMORY))
        return irl__typed_load_units(state, &n);
    const irl_expr *index = n.first;
    n.first = irl_expr_var(state->cx, "at", irl__type_index());
    const irl_expr *body = n.first ? irl__typed_load_units(state, &n) : NULL;
    return irl_expr_let(state->cx, n.first, index, body);
}

static const irl_expr *irl__typed_expr(irl__rewriter *r, const irl_expr *e)
{
    irl__typed_state *state = (irl__typed_state *)r->user;
    const irl_expr   *index = NULL;
    if (!(e->flags & IRL__HAS_MEMORY)) return e;
    if (e->op != IRL_OP_LOAD || irl__typed_unit(state, e->u.buffer).lanes == 0)
        return irl__rewrite_expr_children(r, e);
    if (e->count) index = irl__rewrite_expr(r, e->a[0]);
    if (e->count && !index) return NULL;
    const irl_buffer *b = e->u.buffer;
    const irl_expr   *old = e->count ? e->a[0] : NULL;
    irl__typed_access a = irl__typed_access_of(state, b, old, 0);
    const irl_expr   *parts[IRL_MAX_LANES];
    if (!index) return irl__typed_load_run(state, b, &a, NULL);
    if (irl__index_is_run(old))
        return irl__typed_load_run(state, b, &a, index->type.lanes == 1 ? index : index->a[0]);
    for (uint32_t k = 0; k < index->type.lanes; k++)
        parts[k] = irl__typed_load_run(state, b, &a, irl__typed_lane(state, index, k));
    return irl__lanes_join(state->cx, index->type.lanes, parts);
}

/* ------------------------------------------------------------------ stores */

/* Unit k of a value. */
static const irl_expr *irl__typed_value(irl__typed_state *state, const irl__typed_units *n,
                                        const irl_expr *value, uint32_t k)
{
    irl_ctx *cx = state->cx;
    irl_type unit = n->view->type;
    if (n->each)
        return irl_expr_reinterpret(cx, unit, irl__lanes_cut(cx, value, k * n->each, n->each));
    uint32_t per = n->count / n->lanes; /* units in a scalar */
    value = irl__lanes_cut(cx, value, k / per, 1);
    value = irl_expr_reinterpret(cx, irl__type_with_lanes(unit, unit.lanes * per), value);
    return irl__lanes_cut(cx, value, k % per * unit.lanes, unit.lanes);
}

/* The value e in a variable of its own, in front of the stores. */
static const irl_expr *irl__typed_bound(irl__typed_state *state, const irl_expr *e,
                                        const char *name, const irl_stmt ***list)
{
    return irl__stmt_named(state->cx, name, e,
                           e && (e->count == 0 ||
                                 (e->op == IRL_OP_BROADCAST && e->a[0]->count == 0) ||
                                 (irl__type_is_index(e->type) && !(e->flags & IRL__HAS_MEMORY))),
                           list);
}

static int irl__typed_store_units(irl__typed_state *state, const irl_stmt *s,
                                  const irl__typed_units *n, const irl_expr *value,
                                  const irl_stmt ***list)
{
    for (uint32_t k = 0; k < n->count; k++) {
        const irl_expr *part = irl__typed_value(state, n, value, k),
                       *index = irl__typed_unit_index(state, n, k);
        const irl_stmt *store = irl__stmt_store(state->cx, n->view, part, 1, &index, s->loc);
        if (!store || !IRL__PUSH_SCRATCH(state->cx, *list, store)) return 0;
    }
    return 1;
}

/* Value and index are computed before anything is stored. */
static const irl_stmt *irl__typed_store(irl__typed_state *state, const irl_stmt *s,
                                        const irl_expr *old, const irl_expr *index,
                                        const irl_expr *value)
{
    const irl_buffer *b = s->u.store.buffer;
    irl__typed_access a = irl__typed_access_of(state, b, old, 1);
    const irl_stmt  **list = NULL;
    irl__typed_units  n;
    int               is_run = irl__index_is_run(old);
    uint32_t          count = is_run ? 1 : index->type.lanes;
    if (is_run) index = !index || index->type.lanes == 1 ? index : index->a[0];
    if (!irl__typed_units_of(state, b, &a, is_run ? index : NULL, &n)) return NULL;
    if (n.count * count > 1) {
        value = irl__typed_bound(state, value, "value", &list);
        if (index) index = irl__typed_bound(state, index, "at", &list);
        if (!value || (old && !index)) return NULL;
    }
    for (uint32_t k = 0; k < count; k++) {
        const irl_expr *start = is_run ? index : irl__typed_lane(state, index, k);
        if ((index && !start) || !irl__typed_units_of(state, b, &a, start, &n)) return NULL;
        if (!irl__typed_store_units(state, s, &n,
                                    irl__lanes_cut(state->cx, value, k * n.lanes, n.lanes), &list))
            return NULL;
    }
    return stbds_arrlen(list) == 1 ? list[0]
                                   : irl__stmt_seq(state->cx, (int)stbds_arrlen(list), list);
}

/* ------------------------------------------------------------------ statements */

static const irl_stmt *irl__typed_declared(irl__typed_state *state, const irl_stmt *s)
{
    const irl_buffer *b = s->u.alloc.buffer,
                     *view = (const irl_buffer *)irl__ptr_map_get(&state->views, b);
    const irl_stmt *both[2];
    if (!view || view == b) return s;
    if (view->data != b->data) return irl_stmt_alloc(state->cx, view);
    both[0] = s;
    both[1] = irl_stmt_decl(state->cx, view);
    if (s->kind == IRL__DECL) return both[1]; /* nothing else names it */
    return irl__stmt_seq(state->cx, 2, both);
}

static const irl_stmt *irl__typed_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__typed_state *state = (irl__typed_state *)r->user;
    const irl_buffer *b = s->kind == IRL__STORE ? s->u.store.buffer : NULL;
    const irl_expr   *old, *index = NULL, *value;
    if (s->kind == IRL__ALLOC || s->kind == IRL__DECL) return irl__typed_declared(state, s);
    if (s->kind == IRL__FOR) return irl__rewrite_known(r, state->an, s);
    if (!b || irl__typed_unit(state, b).lanes == 0) return irl__rewrite_stmt_children(r, s);
    old = b->rank ? s->u.store.indices[0] : NULL;
    if (old) index = irl__rewrite_expr(r, old);
    value = irl__rewrite_expr(r, s->u.store.value);
    return value && (index || !old) ? irl__typed_store(state, s, old, index, value) : NULL;
}

/* Views of parameters stand in front of everything. */
static const irl_stmt *irl__typed_body(irl__typed_state *state, const irl_func *f, irl__rewriter *r)
{
    const irl_stmt **list = NULL, *body = irl__rewrite_stmt(r, f->body);
    for (int k = 0; body && k < f->param_count; k++) {
        const irl_buffer *b = f->params[k].buffer,
                         *view = b ? (const irl_buffer *)irl__ptr_map_get(&state->views, b) : NULL;
        const irl_stmt *decl = view && view != b ? irl_stmt_decl(state->cx, view) : NULL;
        if (view && view != b && (!decl || !IRL__PUSH(state->cx, list, decl))) return NULL;
    }
    if (!body || !list) return body;
    return irl__stmt_then(state->cx, irl__stmt_seq(state->cx, (int)stbds_arrlen(list), list),
                          body);
}

static irl_func *irl__typed_run(const irl_func *f, const irl_target *target, irl__typed_way way,
                                const irl__memory_sizes *sizes)
{
    irl_ctx         *cx = f->cx;
    irl__arena_mark  mark = irl__scratch_begin(cx);
    irl__typed_state state;
    const irl_stmt  *body = NULL;
    memset(&state, 0, sizeof state);
    state.cx = cx;
    state.target = target;
    state.way = way;
    state.sizes = sizes;
    state.an = irl__analyzer_begin(cx);
    irl__visitor v = { &state, irl__typed_see_expr, irl__typed_see_stmt, NULL, NULL };
    for (int k = 0; k < f->param_count; k++)
        if (f->params[k].buffer) irl__typed_first_seen(&state, f->params[k].buffer, 1);
    if (state.an) irl__visit_stmt(&v, f->body);
    irl__rewriter r = irl__rewriter_make(cx, &state, irl__typed_expr, irl__typed_stmt);
    if (state.an && !state.is_failed && irl__typed_make_views(&state))
        body =
            way == IRL__TYPED_UNITS || state.has_views ? irl__typed_body(&state, f, &r) : f->body;
    irl__scratch_end(cx, mark);
    return irl__func_with_body(f, body);
}

/* ------------------------------------------------------------------ sizes of elements */

typedef struct irl__sizes_walk {
    irl_ctx           *cx;
    const irl_target  *target;
    irl__memory_sizes *out;
} irl__sizes_walk;

static int irl__sizes_differ(const irl_buffer *owner, const irl_buffer *b)
{
    int64_t own = irl__typed_scalar_bytes(owner->type), other = irl__typed_scalar_bytes(b->type);
    return own != other && own != 1 && other != 1;
}

/* Most functions have no such memory, and nothing else need be looked at. */
static void irl__sizes_see(irl__visitor *v, const irl_buffer *b, const irl_stmt *s)
{
    irl__sizes_walk   *walk = (irl__sizes_walk *)v->user;
    irl__memory_sizes *out = walk->out;
    const irl_buffer  *owner = (const irl_buffer *)irl__ptr_map_get(&out->owners, b->data);
    (void)s;
    out->has_untyped |= !irl__target_has_vector(walk->target, b->type.lanes);
    if (!owner) (void)irl__ptr_map_put(walk->cx, &out->owners, b->data, b);
    else if (owner != b && !out->is_mixed) out->is_mixed = irl__sizes_differ(owner, b);
}

void irl__memory_sizes_of(const irl_func *f, const irl_target *target, irl__memory_sizes *out)
{
    irl__sizes_walk walk = { f->cx, target, out };
    irl__visitor    v = irl__visitor_make(&walk, NULL, NULL);
    memset(out, 0, sizeof *out);
    v.buffer = irl__sizes_see;
    for (int k = 0; k < f->param_count; k++)
        if (f->params[k].buffer)
            (void)irl__ptr_map_put(f->cx, &out->owners, f->params[k].var, f->params[k].buffer);
    irl__visit_stmt(&v, f->body);
    out->body = f->body;
}

int irl__memory_takes(const irl__memory_sizes *sizes, const irl_target *target,
                      const irl_buffer *b, uint32_t lanes)
{
    const irl_buffer *owner =
        sizes->is_mixed && target->pointer_casts
            ? (const irl_buffer *)irl__ptr_map_get(&sizes->owners, b->data)
            : NULL;
    if (!irl__target_has_vector(target, lanes)) return 0;
    return lanes == 1 || !owner || !irl__sizes_differ(owner, b) ||
           !irl__stmt_any(sizes->body, irl__stmt_is_store, NULL, b->data) ||
           irl__target_has_width(target, lanes * (uint32_t)irl__typed_scalar_bytes(b->type));
}

irl_func *irl__type_elements(const irl_func *f, const irl_target *target,
                             const irl__memory_sizes *sizes)
{
    return sizes->has_untyped || sizes->is_mixed
               ? irl__typed_run(f, target, IRL__TYPED_ELEMENTS, sizes)
               : irl__func_with_body(f, f->body);
}

irl_func *irl__type_memory(const irl_func *f, const irl_target *target)
{
    /* it has no vectors */
    if (target->pointer_casts && target->widths == 1) return irl__func_with_body(f, f->body);
    return irl__typed_run(f, target, target->pointer_casts ? IRL__TYPED_VECTORS : IRL__TYPED_UNITS,
                          NULL);
}
