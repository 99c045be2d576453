/* legalize.c - legalizes unsupported vector operations: those that the target lacks become those
   that it has.

   requires  flatten and vectorize: one index for each access
   maintains what is computed: a value is never read again after something was stored
   breaks    vectors of widths for which the target has no type: they become parts of a type that it
             has, or scalars. Accesses whose lanes are not adjacent, if the target supports only
             runs: one access for each lane. Then type_memory.c, for a kernel: views of the vectors
             that all accesses to a memory are, or may be made of
   cost      linear in the result, which has at most as many statements as there were lanes

   The pass reads the target's row in targets.h and never its name. */
#include "pass.h"

/* A variable of a width that has no type: its pieces. */
typedef struct irl__legal_pieces {
    uint32_t        width;
    const irl_expr *var[IRL_MAX_LANES];
} irl__legal_pieces;

/* Some lanes of a value. */
typedef struct irl__legal_part {
    const irl_expr *of;
    uint32_t        first, lanes;
} irl__legal_part;

typedef struct irl__legalizer {
    irl_ctx          *cx;
    const irl_target *target;
    irl__rewriter    *rewriter;
    irl__memory_sizes sizes;
    irl__ptr_map      pieces; /* variable -> irl__legal_pieces */
} irl__legalizer;

static const irl_expr *irl__legal_whole(irl__legalizer *l, const irl_expr *e);
static const irl_expr *irl__legal_piece(irl__legalizer *l, const irl_expr *e, uint32_t first,
                                        uint32_t n);

static int irl__legal_has(const irl__legalizer *l, uint32_t lanes)
{
    return irl__target_has_vector(l->target, lanes);
}

static const irl_expr *irl__legal_refuse(irl__legalizer *l, const irl_expr *e)
{
    uint32_t lanes = e->type.lanes;
    for (uint32_t k = 0; k < e->count && irl__legal_has(l, lanes); k++) lanes = e->a[k]->type.lanes;
    irl__fail(l->cx, IRL_ERROR_UNSUPPORTED, l->cx->here, "target '%s' has no vectors of %u lanes, "
              "and %s of %s cannot be split", l->target->name, (uint64_t)lanes,
              irl__op_info((irl_op)e->op)->name, irl__type_cstr(l->cx, e->type));
    return NULL;
}

/* ------------------------------------------------------------------ accesses */

/* Whether so many elements of b are one access. */
static int irl__legal_reaches(irl__legalizer *l, const irl_buffer *b, uint32_t elements)
{
    return irl__memory_takes(&l->sizes, l->target, b, b->type.lanes * elements);
}

/* The most elements that an access at this index is made of at once; 1: each by itself. */
static uint32_t irl__legal_run(irl__legalizer *l, const irl_buffer *b, const irl_expr *index)
{
    uint32_t each = irl__index_is_run(index) ? index->type.lanes : 1;
    while (each > 1 && (index->type.lanes % each || !irl__legal_reaches(l, b, each))) each--;
    return each;
}

/* Whether the lanes of an index can be reached at once. */
static int irl__legal_at_once(irl__legalizer *l, const irl_buffer *b, const irl_expr *index)
{
    return irl__legal_reaches(l, b, index->type.lanes) && irl__index_is_run(index);
}

/* Elements [first, first + n) of an access at `index`, which may be numbers by now. */
static const irl_expr *irl__legal_index(irl__legalizer *l, const irl_expr *index, uint32_t first,
                                        uint32_t n)
{
    const irl_expr *e = irl__legal_piece(l, index, first, n);
    return !e || n > 1 || index->op == IRL_OP_RAMP || (e->flags & (IRL__HAS_LANES | IRL__HAS_LET))
               ? e
               : irl__simplify_alone(l->cx, e);
}

/* The load e with another last index. */
static const irl_expr *irl__legal_load_at(irl__legalizer *l, const irl_expr *e,
                                          const irl_expr *index)
{
    const irl_expr *list[IRL_MAX_RANK];
    uint32_t        k;
    for (k = 0; k + 1 < e->count; k++) {
        list[k] = irl__legal_whole(l, e->a[k]);
        if (!list[k]) return NULL;
    }
    list[k] = index;
    return index ? irl__expr_load(l->cx, e->u.buffer, (int)e->count, list, irl__nowhere()) : NULL;
}

/* A load whose value has a type. */
static const irl_expr *irl__legal_load(irl__legalizer *l, const irl_expr *e)
{
    const irl_expr *parts[IRL_MAX_LANES], *last;
    if (e->count == 0) return e;
    last = e->a[e->count - 1];
    if (irl__legal_at_once(l, e->u.buffer, last))
        return irl__legal_load_at(l, e, irl__legal_whole(l, last));
    uint32_t each = irl__legal_run(l, e->u.buffer, last);
    for (uint32_t k = 0; k < last->type.lanes / each; k++)
        parts[k] = irl__legal_load_at(l, e, irl__legal_index(l, last, k * each, each));
    return irl__lanes_join(l->cx, last->type.lanes / each, parts);
}

/* A part of a load: its index's part, where elements are not cut. A memory whose one type of access
   is this load's is read whole. */
static const irl_expr *irl__legal_load_piece(irl__legalizer *l, const irl_expr *e, uint32_t first,
                                             uint32_t n)
{
    uint32_t        each = e->u.buffer->type.lanes;
    const irl_expr *parts[IRL_MAX_LANES], *last = e->a[e->count - 1], *whole;
    if (!l->target->pointer_casts && last->type.lanes > 1 &&
        irl__legal_at_once(l, e->u.buffer, last))
        return irl__lanes_cut(l->cx, irl__legal_load(l, e), first, n);
    if (first % each == 0 && n % each == 0) {
        whole = irl__legal_load_at(l, e, irl__legal_index(l, last, first / each, n / each));
        return whole ? irl__legal_load(l, whole) : NULL;
    }
    if (!irl__legal_has(l, each)) return irl__legal_refuse(l, e);
    for (uint32_t k = 0; k < n; k++) {
        whole = irl__legal_load_at(l, e, irl__legal_index(l, last, (first + k) / each, 1));
        parts[k] = irl__lanes_cut(l->cx, whole, (first + k) % each, 1);
    }
    return irl__lanes_join(l->cx, n, parts);
}

/* ------------------------------------------------------------------ parts of values */

/* Picks that follow each other: the operands that hold them, whole or in part. 0 parts: they do
   not. */
static uint32_t irl__legal_consecutive(const irl_expr *shuffle, uint32_t first, uint32_t n,
                                       irl__legal_part *parts)
{
    uint32_t pick = (uint32_t)shuffle->u.picks[first], count = 0;
    for (uint32_t k = 1; k < n; k++)
        if ((uint32_t)shuffle->u.picks[first + k] != pick + k) return 0;
    for (uint32_t j = 0; j < shuffle->count && n; j++) {
        uint32_t lanes = shuffle->a[j]->type.lanes, take;
        if (pick < lanes) {
            take = lanes - pick < n ? lanes - pick : n;
            parts[count].of = shuffle->a[j];
            parts[count].first = pick;
            parts[count++].lanes = take;
            n -= take;
            pick += take;
        }
        pick -= lanes;
    }
    return count;
}

static const irl_expr *irl__legal_picked(irl__legalizer *l, const irl_expr *shuffle, uint32_t first,
                                         uint32_t n)
{
    const irl_expr *parts[IRL_MAX_LANES];
    irl__legal_part part[IRL_MAX_LANES];
    uint32_t        k, count = irl__legal_consecutive(shuffle, first, n, part);
    for (k = 0; k < count && irl__legal_has(l, part[k].lanes); k++)
        parts[k] = irl__legal_piece(l, part[k].of, part[k].first, part[k].lanes);
    if (count && k == count) return irl__lanes_join(l->cx, count, parts);
    for (k = 0; k < n; k++) {
        uint32_t        lane = first + k;
        const irl_expr *from = irl__lane_operand(shuffle, &lane);
        parts[k] = irl__legal_piece(l, from, lane, 1);
    }
    return irl__lanes_join(l->cx, n, parts);
}

static const irl_expr *irl__legal_var(irl__legalizer *l, const irl_expr *e, uint32_t first,
                                      uint32_t n)
{
    const irl__legal_pieces *p = (const irl__legal_pieces *)irl__ptr_map_get(&l->pieces, e);
    const irl_expr          *parts[IRL_MAX_LANES];
    if (!p)
        return irl__legal_has(l, e->type.lanes) ? irl__lanes_cut(l->cx, e, first, n)
                                                : irl__legal_refuse(l, e);
    if (first / p->width == (first + n - 1) / p->width)
        return irl__lanes_cut(l->cx, p->var[first / p->width], first % p->width, n);
    for (uint32_t k = 0; k < n; k++)
        parts[k] = irl__lanes_cut(l->cx, p->var[(first + k) / p->width], (first + k) % p->width, 1);
    return irl__lanes_join(l->cx, n, parts);
}

/* Operators that work lane by lane; a scalar operand (a condition) serves all lanes. */
static const irl_expr *irl__legal_lanewise(irl__legalizer *l, const irl_expr *e, uint32_t first,
                                           uint32_t n)
{
    const irl_expr *operand[3];
    for (uint32_t k = 0; k < e->count; k++) {
        operand[k] = e->a[k]->type.lanes == 1 ? irl__legal_whole(l, e->a[k])
                                              : irl__legal_piece(l, e->a[k], first, n);
        if (!operand[k]) return NULL;
    }
    return irl__expr_of_lanes(l->cx, e, n, operand);
}

static const irl_expr *irl__legal_let(irl__legalizer *l, const irl_expr *e, uint32_t first,
                                      uint32_t n)
{
    if (!irl__legal_has(l, e->a[0]->type.lanes)) {
        const irl_expr *body = irl__substitute(l->cx, e->a[2], 1, &e->a[0], &e->a[1]);
        return body ? irl__legal_piece(l, body, first, n) : NULL;
    }
    return irl_expr_let(l->cx, e->a[0], irl__legal_whole(l, e->a[1]),
                        irl__legal_piece(l, e->a[2], first, n));
}

/* A target without a device has no vectors, but its language takes the bits of a few scalars
   together, and of a scalar apart, in memory: as(t, shuffle(...)), lane(as(t, scalar), k). */
static int irl__legal_has_bits(const irl__legalizer *l, uint32_t lanes)
{
    return irl__legal_has(l, lanes) || l->target->serial;
}

/* Lane k of as(t, a): of a part of one lane of a, or of several lanes. */
static const irl_expr *irl__legal_bits_lane(irl__legalizer *l, const irl_expr *e, uint32_t k)
{
    const irl_expr *a = e->a[0], *parts[IRL_MAX_LANES];
    uint32_t to = (uint32_t)irl__type_info(e->type)->bytes,
             from = (uint32_t)irl__type_info(a->type)->bytes, each, j;
    if (to >= from) {
        each = to / from;
        if (!irl__legal_has_bits(l, each)) return irl__legal_refuse(l, e);
        if (irl__legal_has(l, each)) parts[0] = irl__legal_piece(l, a, k * each, each);
        else {
            for (j = 0; j < each; j++) parts[j] = irl__legal_piece(l, a, k * each + j, 1);
            parts[0] = irl__lanes_join(l->cx, each, parts);
        }
        return irl_expr_reinterpret(l->cx, irl__type_with_lanes(e->type, 1), parts[0]);
    }
    each = from / to;
    if (!irl__legal_has_bits(l, each)) return irl__legal_refuse(l, e);
    return irl__lanes_cut(l->cx,
                          irl_expr_reinterpret(l->cx, irl__type_with_lanes(e->type, each),
                                               irl__legal_piece(l, a, k / each, 1)),
                          k % each, 1);
}

/* A part of as(t, a), whose lanes are of other sizes: the bits of that part, at once or lane by
   lane. */
static const irl_expr *irl__legal_bits(irl__legalizer *l, const irl_expr *e, uint32_t first,
                                       uint32_t n)
{
    const irl_expr *a = e->a[0], *parts[IRL_MAX_LANES];
    uint32_t to = (uint32_t)irl__type_info(e->type)->bytes,
             from = (uint32_t)irl__type_info(a->type)->bytes, k;
    if (first * to % from == 0 && n * to % from == 0 && irl__legal_has(l, n * to / from))
        return irl_expr_reinterpret(l->cx, irl__type_with_lanes(e->type, n),
                                    irl__legal_piece(l, a, first * to / from, n * to / from));
    for (k = 0; k < n; k++) parts[k] = irl__legal_bits_lane(l, e, first + k);
    return irl__lanes_join(l->cx, n, parts);
}

/* Lanes [first, first + n) of e; the target has vectors of n. */
static const irl_expr *irl__legal_piece(irl__legalizer *l, const irl_expr *e, uint32_t first,
                                        uint32_t n)
{
    if (!e || (n == e->type.lanes && irl__legal_has(l, n)))
        return e ? irl__legal_whole(l, e) : NULL;
    switch (e->op) {
    case IRL_OP_VAR: return irl__legal_var(l, e, first, n);
    case IRL_OP_RAMP: {
        const irl_expr *stride = irl__legal_whole(l, e->a[1]), *base = irl__legal_whole(l, e->a[0]);
        if (!base || !stride) return NULL;
        base = irl__simplify_alone(
            l->cx,
            irl__add(l->cx, base,
                     irl__mul(l->cx, stride, irl_expr_int(l->cx, stride->type, (int64_t)first))));
        return n == 1 ? base : irl_expr_ramp(l->cx, base, stride, (int)n);
    }
    case IRL_OP_BROADCAST: {
        const irl_expr *a = e->a[0], *parts[IRL_MAX_LANES];
        uint32_t        m = a->type.lanes;
        if (m == 1) return irl_expr_broadcast(l->cx, irl__legal_whole(l, a), (int)n);
        if (first % m + n <= m) return irl__legal_piece(l, a, first % m, n);
        for (uint32_t k = 0; k < n; k++) parts[k] = irl__legal_piece(l, a, (first + k) % m, 1);
        return irl__lanes_join(l->cx, n, parts);
    }
    case IRL_OP_UNDEF: return irl_expr_undef(l->cx, irl__type_with_lanes(e->type, n));
    case IRL_OP_LOAD:
        if (e->count > 0) return irl__legal_load_piece(l, e, first, n);
        break;
    case IRL_OP_SHUFFLE: return irl__legal_picked(l, e, first, n);
    case IRL_OP_LET: return irl__legal_let(l, e, first, n);
    case IRL_OP_SELECT:
    case IRL_OP_IF_THEN_ELSE:
    case IRL_OP_CAST: return irl__legal_lanewise(l, e, first, n);
    case IRL_OP_REINTERPRET:
        return e->a[0]->type.lanes == e->type.lanes ? irl__legal_lanewise(l, e, first, n)
                                                    : irl__legal_bits(l, e, first, n);
    default:
        if (irl__op_info((irl_op)e->op)->rule != IRL__OWN)
            return irl__legal_lanewise(l, e, first, n);
        break;
    }
    return irl__legal_has(l, e->type.lanes)
               ? irl__lanes_cut(l->cx, irl__legal_whole(l, e), first, n)
               : irl__legal_refuse(l, e);
}

/* ------------------------------------------------------------------ whole values */

/* lane(v, k) of a v that has no type, by a number that is known or by a choice among all lanes. */
static const irl_expr *irl__legal_lane(irl__legalizer *l, const irl_expr *e)
{
    const irl_expr *v = e->a[0], *k = irl__legal_whole(l, e->a[1]), *chosen;
    if (!k) return NULL;
    if (k->op == IRL_OP_INT) {
        if (k->u.i >= 0 && k->u.i < (int64_t)v->type.lanes)
            return irl__legal_piece(l, v, (uint32_t)k->u.i, 1);
        irl__fail(l->cx, IRL_ERROR_OUT_OF_BOUNDS, l->cx->here, "lane %l of a value of %u lanes",
                  k->u.i, (uint64_t)v->type.lanes);
        return NULL;
    }
    chosen = irl__legal_piece(l, v, v->type.lanes - 1, 1);
    for (uint32_t j = v->type.lanes - 1; chosen && j-- > 0;)
        chosen = irl_expr_op3(l->cx, IRL_OP_SELECT,
                              irl_expr_op2(l->cx, IRL_OP_EQ, k,
                                           irl_expr_int(l->cx, k->type, (int64_t)j)),
                              irl__legal_piece(l, v, j, 1), chosen);
    return chosen;
}

static int irl__legal_operands(const irl__legalizer *l, const irl_expr *e)
{
    for (uint32_t k = 0; k < e->count; k++)
        if (!irl__legal_has(l, e->a[k]->type.lanes)) return 0;
    return 1;
}

/* A value whose own type the target has. */
static const irl_expr *irl__legal_whole(irl__legalizer *l, const irl_expr *e)
{
    if (!e || !irl__ok(l->cx)) return NULL;
    if (!irl__legal_has(l, e->type.lanes)) return irl__legal_refuse(l, e);
    if (e->count == 0 || !(e->flags & IRL__HAS_LANES)) return e;
    if (e->op == IRL_OP_LOAD) return irl__legal_load(l, e);
    if (e->op == IRL_OP_LET && !irl__legal_has(l, e->a[0]->type.lanes))
        return irl__legal_let(l, e, 0, e->type.lanes);
    if (irl__legal_operands(l, e)) return irl__rewrite_expr_children(l->rewriter, e);
    if (e->op == IRL_OP_LANE) return irl__legal_lane(l, e);
    if (e->op == IRL_OP_SHUFFLE) return irl__legal_picked(l, e, 0, e->type.lanes);
    if (e->op == IRL_OP_REINTERPRET) return irl__legal_bits(l, e, 0, e->type.lanes);
    return irl__legal_refuse(l, e);
}

static const irl_expr *irl__legal_hook_expr(irl__rewriter *r, const irl_expr *e)
{
    return irl__legal_whole((irl__legalizer *)r->user, e);
}

/* ------------------------------------------------------------------ statements */

/* A value that reads memory, bound to a variable in front of the stores; others as they are. */
static const irl_expr *irl__legal_bound(irl__legalizer *l, const irl_expr *value, const char *name,
                                        const irl_stmt ***lets)
{
    return irl__stmt_named(l->cx, name, value, value && !(value->flags & IRL__HAS_MEMORY), lets);
}

/* Whether a value is computed as a vector, not put together of its lanes. */
static int irl__legal_is_vector(irl__legalizer *l, const irl_expr *e)
{
    if (!irl__legal_has(l, e->type.lanes)) return 0;
    switch (e->op) {
    case IRL_OP_RAMP:
    case IRL_OP_BROADCAST:
    case IRL_OP_SHUFFLE: return 0;
    case IRL_OP_LOAD: return e->count > 0 && irl__legal_at_once(l, e->u.buffer, e->a[e->count - 1]);
    case IRL_OP_CAST: return irl__legal_is_vector(l, e->a[0]);
    default: return 1;
    }
}

/* A store in parts of `each` lanes of the index. What it stores, and where, is computed before any
   part is stored. */
static const irl_stmt *irl__legal_store_parts(irl__legalizer *l, const irl_stmt *s, uint32_t each)
{
    const irl_buffer *b = s->u.store.buffer;
    const irl_expr   *at[IRL_MAX_RANK], *part, *value = s->u.store.value;
    const irl_stmt  **list = NULL, *stores[IRL_MAX_LANES];
    uint32_t lanes = each * b->type.lanes,
             count = s->u.store.indices[b->rank - 1]->type.lanes / each, k;
    int last = b->rank - 1;
    for (int axis = 0; axis < last; axis++) {
        at[axis] = irl__legal_bound(l, irl__legal_whole(l, s->u.store.indices[axis]), "at", &list);
        if (!at[axis]) return NULL;
    }
    /* lanes that go to several places: one value, taken apart */
    if (count > 1 && l->target->pointer_casts && irl__legal_is_vector(l, value))
        value = irl__legal_bound(l, irl__legal_whole(l, value), "lanes", &list);
    if (!value) return NULL;
    for (k = 0; k < count; k++) {
        part = irl__legal_bound(l, irl__legal_piece(l, value, k * lanes, lanes), "part", &list);
        at[last] = irl__legal_bound(
            l, irl__legal_index(l, s->u.store.indices[last], k * each, each), "at", &list);
        stores[k] = irl__stmt_store(l->cx, b, part, b->rank, at, s->loc);
        if (!stores[k]) return NULL;
    }
    for (k = 0; k < count; k++)
        if (!IRL__PUSH_SCRATCH(l->cx, list, stores[k])) return NULL;
    return irl__stmt_seq(l->cx, (int)stbds_arrlen(list), list);
}

static const irl_stmt *irl__legal_hook_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__legalizer *l = (irl__legalizer *)r->user;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__STORE: {
        const irl_buffer *b = s->u.store.buffer;
        const irl_expr   *index = b->rank ? s->u.store.indices[b->rank - 1] : NULL;
        if (!index || irl__legal_at_once(l, b, index)) return irl__rewrite_stmt_children(r, s);
        if (!irl__legal_has(l, b->type.lanes))
            return irl__legal_refuse(l, s->u.store.value), (const irl_stmt *)NULL;
        return irl__legal_store_parts(l, s, irl__legal_run(l, b, index));
    }
    case IRL__LET: {
        /* A vector that has no type here: a let for each piece. */
        if (irl__legal_has(l, s->u.let.var->type.lanes)) return irl__rewrite_stmt_children(r, s);
        const irl_expr    *var = s->u.let.var, *part;
        irl__legal_pieces *p = IRL__SCRATCH(l->cx, irl__legal_pieces, 1);
        const irl_stmt    *list[IRL_MAX_LANES];
        if (!p) return NULL;
        /* The widest piece that so many lanes can be cut into. */
        const uint32_t lanes = var->type.lanes;
        uint32_t       width = 16;
        while (width > 1 &&
               (width >= lanes || lanes % width || !irl__target_has_width(l->target, width)))
            width /= 2;
        p->width = width;
        uint32_t count = var->type.lanes / p->width;
        for (uint32_t k = 0; k < count; k++) {
            part = irl__legal_piece(l, s->u.let.value, k * p->width, p->width);
            p->var[k] = part ? irl_expr_var(l->cx, var->u.name, part->type) : NULL;
            list[k] = irl_stmt_let(l->cx, p->var[k], part);
            if (!list[k]) return NULL;
        }
        return irl__ptr_map_put(l->cx, &l->pieces, var, p) ? irl__stmt_seq(l->cx, (int)count, list)
                                                           : NULL;
    }
    default: return irl__rewrite_stmt_children(r, s);
    }
}

static void irl__legal_see_buffer(irl__visitor *v, const irl_buffer *b, const irl_stmt *s)
{
    irl__legalizer *l = (irl__legalizer *)v->user;
    (void)s;
    (void)irl__target_has_image(l->cx, l->target, b);
}

/* Said of the buffer, before it is said of the vectors that its texels are. */
static int irl__legal_has_images(irl__legalizer *l, const irl_func *f)
{
    irl__visitor v = irl__visitor_make(l, NULL, NULL);
    if (l->target->texels) return 1;
    for (int k = 0; k < f->param_count; k++)
        if (f->params[k].buffer && !irl__target_has_image(l->cx, l->target, f->params[k].buffer))
            return 0;
    v.buffer = irl__legal_see_buffer;
    irl__visit_stmt(&v, f->body);
    return irl__ok(l->cx);
}

irl_func *irl__legalize(const irl_func *f, const irl_target *target)
{
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    irl__legalizer  l;
    irl__rewriter   r = irl__rewriter_make(f->cx, &l, irl__legal_hook_expr, irl__legal_hook_stmt);
    memset(&l, 0, sizeof l);
    l.cx = f->cx;
    l.target = target;
    l.rewriter = &r;
    irl__memory_sizes_of(f, target, &l.sizes);
    f = irl__type_elements(f, target, &l.sizes);
    irl_func *now = f && irl__legal_has_images(&l, f) ? irl__rewrite_func(&r, f) : NULL;
    irl__scratch_end(l.cx, mark);
    return now;
}

irl_func *irl__legalize_kernel(const irl_func *kernel, const irl_target *target)
{
    irl_func *f = irl__type_memory(kernel, target);
    return f && !target->pointer_casts ? irl__legalize(f, target) : f;
}
