/* lower_textures.c - accesses to images become loads and stores of whole texels.

   requires  layouts applied, no blocks; before flatten, where the innermost axis still stands alone
   maintains what is computed; loops over the lanes of a texel vanish into vectors
   breaks    loads and stores of texture buffers: none is left. Their buffers get the separators of
             their convention
   cost      linear in the function, times the lanes of a texel for a store that is built lane by
             lane

   An image of axes (layers), (rows), (columns, lane) is read and written by texels, the elements
   that differ in the last axis alone: four, or as many as 128 bits hold. A load takes its lanes out
   of a texel. A store must write all at once. Where a loop over the lanes surrounds it, that loop
   becomes the innermost (each cell is still written by the same iterations in the same order, since
   a lane is one value of its variable) and is vectorized, or its values are computed one by one and
   put together. Where a condition leaves out lanes, these must hold nothing: padding of the layout,
   or memory that nothing else writes. */
#include "textures.h"

/* ------------------------------------------------------------------ loads */

/* The lanes as numbers; false if one is not constant. */
static int irl__tex_constant_lanes(const irl__tex_place *places, uint32_t count, int *picks)
{
    uint32_t k;
    for (k = 0; k < count; k++) {
        if (!places[k].lane || places[k].lane->op != IRL_OP_INT) return 0;
        picks[k] = (int)places[k].lane->u.i;
    }
    return 1;
}

static const irl_expr *irl__tex_load_place(irl__tex_state *state, const irl_buffer *b,
                                           const irl__tex_place *p)
{
    const irl_expr *texel = irl__texel_load(state->cx, b, p->at);
    return p->lane ? irl_expr_op2(state->cx, IRL_OP_LANE, texel, p->lane) : texel;
}

static const irl_expr *irl__tex_load(irl__tex_state *state, const irl_buffer *b,
                                     const irl_expr *const *indices)
{
    irl__tex_place  places[IRL_MAX_LANES];
    const irl_expr *parts[IRL_MAX_LANES], *texel;
    int             picks[IRL_MAX_LANES];
    uint32_t        count, k, lanes = (uint32_t)irl__texel_lanes(b);
    if (!irl__tex_places(state, b, indices, &count, places)) return NULL;
    if (count == 1) return irl__tex_load_place(state, b, &places[0]);
    if (irl__tex_one_texel(places, count) && irl__tex_constant_lanes(places, count, picks)) {
        texel = irl__texel_load(state->cx, b, places[0].at);
        for (k = 0; k < count && picks[k] == (int)k; k++) {}
        if (count == lanes && k == count) return texel;
        return irl_expr_shuffle(state->cx, 1, &texel, (int)count, picks);
    }
    for (k = 0; k < count; k++) parts[k] = irl__tex_load_place(state, b, &places[k]);
    return irl__lanes_join(state->cx, count, parts);
}

/* Lanes of one texel, put together one by one: the texel, its lanes picked. */
static const irl_expr *irl__tex_picked(irl__tex_state *state, const irl_expr *e)
{
    const irl_expr *texel = e->a[0]->op == IRL_OP_LANE ? e->a[0]->a[0] : NULL;
    int             picks[IRL_MAX_LANES];
    uint32_t        k;
    if (!texel || irl__texel_call_of(texel) == IRL__TEXEL_NO_CALL) return e;
    for (k = 0; k < e->count; k++)
        if (e->a[k]->op != IRL_OP_LANE || e->a[k]->a[0] != texel || e->a[k]->a[1]->op != IRL_OP_INT)
            return e;
    /* each operand is one lane */
    for (k = 0; k < e->type.lanes; k++) picks[k] = (int)e->a[e->u.picks[k]]->a[1]->u.i;
    return irl_expr_shuffle(state->cx, 1, &texel, (int)e->type.lanes, picks);
}

static const irl_expr *irl__tex_expr(irl__rewriter *r, const irl_expr *e)
{
    irl__tex_state   *state = (irl__tex_state *)r->user;
    const irl_expr   *indices[IRL_MAX_RANK];
    const irl_buffer *b;
    uint32_t          k;
    if (!(e->flags & IRL__HAS_MEMORY)) return e;
    if (e->op != IRL_OP_LOAD || !irl__tex_is(e->u.buffer)) {
        e = irl__rewrite_expr_children(r, e);
        return e && e->op == IRL_OP_SHUFFLE ? irl__tex_picked(state, e) : e;
    }
    b = irl__tex_buffer(r, e->u.buffer);
    for (k = 0; b && k < e->count; k++) {
        indices[k] = irl__rewrite_expr(r, e->a[k]);
        if (!indices[k]) return NULL;
    }
    return b ? irl__tex_load(state, b, indices) : NULL;
}

/* ------------------------------------------------------------------ stores of whole texels */

static const irl_stmt *irl__tex_refuse_partial(irl__tex_state *state, const irl_stmt *s)
{
    irl_ctx          *cx = state->cx;
    const irl_buffer *b = s->u.store.buffer;
    if (irl__expr_reads(s->u.store.value, b->data))
        irl__fail(cx, IRL_ERROR_IMAGE_READ_WRITE, s->loc, "image '%s' is read where it is written",
                  b->name);
    else
        irl__fail(cx, IRL_ERROR_PARTIAL_TEXEL, s->loc,
                  "a store writes %s of the %d lanes of a texel of '%s': [..., %s]",
                  b->rank && s->u.store.indices[b->rank - 1]->type.lanes > 1 ? "some" : "one",
                  irl__texel_measure(b), b->name,
                  b->rank ? irl_expr_text(cx, s->u.store.indices[b->rank - 1]) : "");
    return NULL;
}

/* The value in the order of the lanes; NULL where the lanes are not those of one texel, each
   once. */
static const irl_expr *irl__tex_ordered(irl__tex_state *state, const irl_buffer *b,
                                        const irl_expr *value, const irl__tex_place *places,
                                        uint32_t count)
{
    int picks[IRL_MAX_LANES], order[IRL_MAX_LANES], k, lanes = irl__texel_lanes(b);
    if (count != (uint32_t)lanes || !irl__tex_one_texel(places, count) ||
        !irl__tex_constant_lanes(places, count, picks))
        return NULL;
    for (k = 0; k < lanes; k++) order[k] = -1;
    for (k = 0; k < lanes; k++) {
        if (order[picks[k]] >= 0) return NULL;
        order[picks[k]] = k;
    }
    for (k = 0; k < lanes && order[k] == k; k++) {}
    return k == lanes ? value : irl_expr_shuffle(state->cx, 1, &value, lanes, order);
}

/* A store whose index has all its lanes already. */
static const irl_stmt *irl__tex_store(irl__rewriter *r, const irl_stmt *s)
{
    irl__tex_state   *state = (irl__tex_state *)r->user;
    const irl_buffer *b = irl__tex_buffer(r, s->u.store.buffer);
    const irl_expr   *indices[IRL_MAX_RANK], *value;
    irl__tex_place    places[IRL_MAX_LANES];
    uint32_t          count;
    int               k;
    for (k = 0; b && k < b->rank; k++) {
        indices[k] = irl__rewrite_expr(r, s->u.store.indices[k]);
        if (!indices[k]) return NULL;
    }
    value = b ? irl__rewrite_expr(r, s->u.store.value) : NULL;
    if (!value || !irl__tex_places(state, b, indices, &count, places)) return NULL;
    if (!irl__tex_by_element(b)) value = irl__tex_ordered(state, b, value, places, count);
    else if (count != 1) value = NULL;
    if (value) return irl__texel_store(state->cx, b, places[0].at, value, s->loc);
    return irl__ok(state->cx) ? irl__tex_refuse_partial(state, s) : NULL;
}

/* --------------------------------------------- what a loop's variable is to the images in it */

typedef struct irl__tex_uses {
    const irl_stmt *store;    /* one whose lane follows the variable */
    int             has_load; /* a load whose lane follows it */
    int             stores;   /* of all kinds, inside */
    int             others;   /* stores into images whose lane does not follow it */
    int             lanes;    /* of the texels whose lanes follow it; -1: not all the same */
} irl__tex_uses;

static int irl__tex_follows(const irl_buffer *b, const irl_expr *const *indices,
                            const irl_expr *var)
{
    return irl__tex_is(b) && !irl__tex_by_element(b) && b->rank > 0 &&
           irl__expr_uses_var(indices[b->rank - 1], var);
}

static int irl__tex_uses_of(irl_ctx *cx, const irl_stmt *loop, irl__tex_uses *uses)
{
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__accesses   t;
    int             k, ok = irl__accesses_in(&t, cx, loop->u.loop.body);
    memset(uses, 0, sizeof *uses);
    for (k = 0; ok && k < t.count; k++) {
        const irl__access *a = &t.list[k];
        const int          is_store = a->kind != IRL__ACCESS_READ;
        if (a->kind == IRL__ACCESS_OPAQUE || a->is_texel) continue;
        uses->stores += is_store;
        if (irl__tex_follows(a->buffer, a->indices, loop->u.loop.var)) {
            const int lanes = irl__texel_measure(a->buffer);
            if (is_store) uses->store = a->place;
            else uses->has_load = 1;
            uses->lanes = uses->lanes && uses->lanes != lanes ? -1 : lanes;
        } else uses->others += is_store && irl__tex_is(a->buffer);
    }
    irl__scratch_end(cx, mark);
    return ok;
}

/* Doing each statement for all iterations at once is the same: said or proved by someone, or one
   store that reads nothing of what it writes. */
static int irl__tex_may_vectorize(const irl_stmt *loop, const irl__tex_uses *uses)
{
    const irl_stmt *s = loop->u.loop.body;
    if (loop->u.loop.kind == IRL_PARALLEL || loop->u.loop.kind == IRL_VECTORIZED) return 1;
    return loop->u.loop.kind != IRL_BOUND && uses->stores == 1 && s->kind == IRL__STORE &&
           !irl__expr_reads(s->u.store.value, s->u.store.buffer->data);
}

static int irl__tex_is_texel(const irl_stmt *loop, int lanes)
{
    return irl__is_int(loop->u.loop.extent, lanes) && irl__is_int(loop->u.loop.min, 0);
}

/* -------------------------------------------------------------- the texel that a nest stores */

/* The store, where some lane of the texel is written: without a lane its indices may lie outside of
   the image, in another row. */
static const irl_stmt *irl__tex_stored(irl__rewriter *r, const irl__tex_nest *n,
                                       const irl_stmt *store)
{
    irl__tex_state *state = (irl__tex_state *)r->user;
    const irl_expr *some = NULL;
    if (!n->partial || irl__tex_is_inside(state, n)) return store;
    some = irl__tex_some_lane(state, n);
    if (!some || irl__is_int(some, 1)) return some ? store : NULL;
    some = irl__rewrite_expr(r, some);
    return some && store ? irl_stmt_if(state->cx, some, store, NULL) : NULL;
}

/* A texel's values, computed one by one. */
static const irl_stmt *irl__tex_gathered(irl__rewriter *r, const irl__tex_nest *n,
                                         const irl__tex_place *p)
{
    irl__tex_state  *state = (irl__tex_state *)r->user;
    const irl_buffer *b = irl__tex_buffer(r, n->store->u.store.buffer);
    const irl_expr  *parts[IRL_MAX_LANES], *holds;
    int              k;
    if (!b) return NULL;
    for (k = 0; k < n->lanes; k++) {
        holds = n->partial ? irl__tex_at_lane(state, n, n->partial, k) : NULL;
        parts[k] = irl__tex_at_lane(state, n, n->store->u.store.value, k);
        if (!parts[k] || (n->partial && !holds)) return NULL;
        if (holds && irl__is_int(holds, 0)) parts[k] = irl__tex_filler(state, b);
        else if (holds && !irl__is_int(holds, 1))
            parts[k] = irl_expr_op3(state->cx, IRL_OP_IF_THEN_ELSE, holds, parts[k],
                                    irl__tex_filler(state, b));
        parts[k] = parts[k] ? irl__rewrite_expr(r, parts[k]) : NULL;
        if (!parts[k]) return NULL;
    }
    return irl__tex_stored(r, n,
                           irl__texel_store(state->cx, b, p->at,
                                            irl__lanes_join(state->cx, (uint32_t)n->lanes, parts),
                                            n->store->loc));
}

/* The filling of texels that are padding alone. */
static const irl_stmt *irl__tex_filled(irl__rewriter *r, const irl__tex_nest *n,
                                       const irl__tex_place *p)
{
    irl__tex_state   *state = (irl__tex_state *)r->user;
    const irl_buffer *b = irl__tex_buffer(r, n->store->u.store.buffer);
    const irl_expr   *all = NULL;
    int               k;
    for (k = 0; k < n->lanes; k++)
        all = irl__and(state->cx, all, irl__tex_at_lane(state, n, n->partial, k));
    all = all ? irl__simplify(state->an, all) : NULL;
    if (!b || !all) return NULL;
    if (irl__is_int(all, 0)) return irl__stmt_empty(state->cx);
    return irl_stmt_if(state->cx, all,
                       irl__texel_store(state->cx, b, p->at,
                                   irl_expr_broadcast(state->cx, n->store->u.store.value, n->lanes),
                                   n->store->loc),
                  NULL);
}

/* The store for all lanes, inside of the nest. NULL with a diagnostic where that cannot be. */
static const irl_stmt *irl__tex_nest_store(irl__rewriter *r, const irl__tex_nest *n)
{
    irl__tex_state *state = (irl__tex_state *)r->user;
    irl_ctx        *cx = state->cx;
    const irl_expr *data = n->store->u.store.buffer->data;
    irl__tex_place  p;
    if (irl__expr_reads(n->store->u.store.value, data) ||
        !irl__tex_nest_is_texel(r, n, &p))
        return irl__ok(cx) ? irl__tex_refuse_partial(state, n->store) : NULL;
    if (!n->partial) {
        const irl_stmt *loop = irl_stmt_for(cx, IRL_VECTORIZED, n->lane, irl_expr_index(cx, 0),
                                            irl_expr_index(cx, n->lanes), n->store);
        const irl_stmt *vector = loop ? irl__vectorize_one(cx, state->an, loop) : NULL;
        if (vector || !irl__ok(cx)) return vector ? irl__rewrite_stmt(r, vector) : NULL;
        return irl__tex_gathered(r, n, &p);
    }
    if (irl__tex_leaves_padding(state, n) || irl__tex_skipped_lanes_are_undefined(state, n))
        return irl__tex_gathered(r, n, &p);
    if (irl__tex_is_filling(state, n)) return irl__tex_filled(r, n, &p);
    return irl__ok(cx) ? irl__tex_refuse_partial(state, n->store) : NULL;
}

/* A store of one lane by its number, where the other lanes hold nothing: a channel axis of extent
   1, for example. */
static const irl_stmt *irl__tex_single(irl__rewriter *r, const irl_stmt *s)
{
    irl__tex_state   *state = (irl__tex_state *)r->user;
    const irl_buffer *b = s->u.store.buffer;
    const irl_expr   *indices[IRL_MAX_RANK];
    irl__tex_nest     n;
    int64_t           k;
    memset(&n, 0, sizeof n);
    memcpy(indices, s->u.store.indices, (size_t)b->rank * sizeof *indices);
    n.lanes = irl__texel_measure(b);
    n.lane = irl_expr_var(state->cx, "lane", irl__type_index());
    n.outer = irl_expr_index(state->cx, 0);
    n.outer_extent = irl_expr_index(state->cx, 1);
    if (!n.lane || !n.outer || !n.outer_extent ||
        !irl__bind_range(state->an, n.lane, 0, n.lanes - 1))
        return NULL;
    k = indices[b->rank - 1]->u.i; /* at the ends as a bound, which proves more */
    if (k == 0)
        n.partial = irl_expr_op2(state->cx, IRL_OP_LT, n.lane, irl_expr_index(state->cx, 1));
    else
        n.partial = irl_expr_op2(state->cx, k == n.lanes - 1 ? IRL_OP_GE : IRL_OP_EQ, n.lane,
                                 indices[b->rank - 1]);
    indices[b->rank - 1] = n.lane;
    n.store = irl__stmt_store(state->cx, b, s->u.store.value, b->rank, indices, s->loc);
    if (!n.store || !n.partial) return NULL;
    if (irl__tex_leaves_padding(state, &n) || irl__tex_skipped_lanes_are_undefined(state, &n) ||
        irl__tex_is_filling(state, &n))
        return irl__tex_nest_store(r, &n);
    return irl__ok(state->cx) ? irl__tex_refuse_partial(state, s) : NULL;
}

static int irl__tex_is_single(const irl_stmt *s)
{
    const irl_buffer *b = s->u.store.buffer;
    const irl_expr   *last = b->rank ? s->u.store.indices[b->rank - 1] : NULL;
    int               lanes = irl__texel_measure(b);
    return last && lanes && !irl__tex_by_element(b) && irl__is_int(b->shape[b->rank - 1], lanes) &&
           last->op == IRL_OP_INT && last->u.i >= 0 && last->u.i < lanes;
}

/* The nest again, without the lanes. */
static const irl_stmt *irl__tex_nest_build(irl__rewriter *r, const irl__tex_nest *n,
                                           const irl_stmt *body)
{
    irl__tex_state *state = (irl__tex_state *)r->user;
    int             k;
    if (body->kind == IRL__SEQ && body->u.seq.count == 0) return body;
    for (k = n->count; body && k-- > 0;) {
        irl_stmt *copy;
        if (n->around[k]->kind == IRL__IF) {
            const irl_expr *guard = n->guard[k] ? irl__rewrite_expr(r, n->guard[k]) : NULL;
            if (n->guard[k]) body = guard ? irl_stmt_if(state->cx, guard, body, NULL) : NULL;
            continue;
        }
        if (k == 0 && irl__is_int(n->outer_extent, 1)) continue;
        copy = irl__stmt_copy(state->cx, n->around[k]);
        if (!copy) return NULL;
        copy->u.loop.body = body;
        if (k == 0) {
            copy->u.loop.var = n->outer;
            copy->u.loop.extent = n->outer_extent;
        }
        /* its lanes are used */
        if (copy->u.loop.kind == IRL_VECTORIZED) copy->u.loop.kind = IRL_SERIAL;
        body = copy->u.loop.extent ? irl__stmt_finish(state->cx, copy) : NULL;
    }
    return body;
}

/* ------------------------------------------------------------------ loops */

/* A loop of lets and stores, as one loop for each store. Each of them is done for all iterations
   before the next, as in a vectorized loop; what a let reads must not change on the way. NULL where
   the body is of another kind. */
static const irl_stmt *irl__tex_distribute(irl__tex_state *state, const irl_stmt *loop)
{
    irl_ctx         *cx = state->cx;
    const irl_stmt  *body = loop->u.loop.body, **list = NULL;
    int              k, j;
    if (body->kind != IRL__SEQ) return NULL;
    for (k = 0; k < body->u.seq.count; k++) {
        const irl_stmt *s = body->u.seq.stmts[k];
        if (s->kind != IRL__LET && s->kind != IRL__STORE) return NULL;
        for (j = 0; s->kind == IRL__STORE && j < body->u.seq.count; j++) {
            const irl_stmt *let = body->u.seq.stmts[j];
            if (let->kind == IRL__LET &&
                irl__expr_reads(let->u.let.value, s->u.store.buffer->data))
                return NULL;
        }
    }
    for (k = 0; k < body->u.seq.count; k++) {
        const irl_stmt *one = body->u.seq.stmts[k];
        if (one->kind != IRL__STORE) continue;
        for (j = k; one && j-- > 0;) {
            const irl_stmt *let = body->u.seq.stmts[j];
            if (let->kind == IRL__LET)
                one = irl__substitute_stmt(cx, one, 1, &let->u.let.var, &let->u.let.value);
        }
        one = irl__stmt_loop_as(cx, loop, IRL_PARALLEL, loop->u.loop.axis, one);
        if (!one || !IRL__PUSH(cx, list, one)) return NULL;
    }
    return stbds_arrlen(list) > 1 ? irl__stmt_seq(cx, (int)stbds_arrlen(list), list) : NULL;
}

static const irl_stmt *irl__tex_loop(irl__rewriter *r, const irl_stmt *s)
{
    irl__tex_state *state = (irl__tex_state *)r->user;
    irl__tex_uses   uses;
    irl__tex_nest   nest;
    const irl_stmt *vector, *several;
    if (!irl__tex_uses_of(r->cx, s, &uses) ||
        !irl__bind_extent(state->an, s->u.loop.var, s->u.loop.min, s->u.loop.extent))
        return NULL;
    if (!uses.store && !uses.has_load) return irl__rewrite_stmt_children(r, s);
    if (uses.store && s->u.loop.kind == IRL_BOUND)
        return irl__tex_refuse_partial(state, uses.store);
    if (uses.store && uses.stores == 1 && irl__tex_nest_find(state, s, &nest)) {
        const irl_stmt *body =
            irl__tex_nest_divide(state, &nest) ? irl__tex_nest_store(r, &nest) : NULL;
        return body ? irl__tex_nest_build(r, &nest, body) : NULL;
    }
    /* a texel's loads become one, unless a loop inside is the one over the lanes of a store */
    if (irl__tex_is_texel(s, uses.lanes) && (uses.store || !uses.others) &&
        irl__tex_may_vectorize(s, &uses)) {
        vector = irl__vectorize_one(state->cx, state->an, s);
        if (vector || !irl__ok(state->cx)) return vector ? irl__rewrite_stmt(r, vector) : NULL;
    }
    if (uses.store && (s->u.loop.kind == IRL_PARALLEL || s->u.loop.kind == IRL_VECTORIZED)) {
        several = irl__tex_distribute(state, s);
        if (several || !irl__ok(state->cx)) return several ? irl__rewrite_stmt(r, several) : NULL;
    }
    if (uses.store) return irl__tex_refuse_partial(state, uses.store);
    return irl__rewrite_stmt_children(r, s);
}

static const irl_stmt *irl__tex_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__tex_state *state = (irl__tex_state *)r->user;
    const irl_stmt *result;
    int             mark;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__STORE:
        if (!irl__tex_is(s->u.store.buffer)) break;
        return irl__tex_is_single(s) ? irl__tex_single(r, s) : irl__tex_store(r, s);
    case IRL__FOR: return irl__tex_loop(r, s);
    case IRL__IF:
        if (s->u.branch.else_ || (s->u.branch.condition->flags & IRL__HAS_MEMORY)) break;
        mark = irl__facts_mark(state->an);
        result = (s->u.branch.condition->flags & IRL__HAS_MEMORY) ||
                         irl__fact(state->an, s->u.branch.condition)
                     ? irl__rewrite_stmt_children(r, s)
                     : NULL;
        irl__facts_release(state->an, mark);
        return result;
    default: break;
    }
    return irl__rewrite_stmt_children(r, s);
}

/* ------------------------------------------------------------------ the pass */

typedef struct irl__tex_search {
    int found;
} irl__tex_search;

static void irl__tex_see_buffer(irl__visitor *v, const irl_buffer *b, const irl_stmt *s)
{
    (void)s;
    ((irl__tex_search *)v->user)->found |= irl__tex_is(b);
}

static int irl__tex_any(const irl_func *f)
{
    irl__tex_search search;
    irl__visitor    v;
    int             k;
    search.found = 0;
    for (k = 0; k < f->param_count; k++)
        search.found |= f->params[k].buffer && irl__tex_is(f->params[k].buffer);
    v = irl__visitor_make(&search, NULL, NULL);
    v.buffer = irl__tex_see_buffer;
    if (irl__stmt_holds(f->body, IRL__HOLDS_IMAGE | IRL__HOLDS_MATCH | 1 << IRL__DECL))
        irl__visit_stmt(&v, f->body);
    return search.found;
}

static int irl__tex_params(irl__rewriter *r, irl_func *to)
{
    irl__param *params =
        (irl__param *)irl__copy(r->cx, to->params, (size_t)to->param_count, sizeof *params);
    int         k;
    for (k = 0; params && k < to->param_count; k++) {
        if (!params[k].buffer) continue;
        r->cx->here = params[k].loc;
        params[k].buffer = irl__tex_buffer(r, params[k].buffer);
        if (!params[k].buffer) return 0;
    }
    to->params = params;
    return params != NULL;
}

irl_func *irl__pass_lower_textures(const irl_func *f)
{
    irl_ctx        *cx = f->cx;
    irl__arena_mark mark;
    irl__tex_state  state;
    irl__rewriter   r;
    irl_func       *result = NULL;
    if (!irl__tex_any(f)) return irl__func_with_body(f, f->body);
    f = irl__pass_simplify(f); /* so that an index shows which variables it follows */
    if (!f) return NULL;
    mark = irl__scratch_begin(cx);
    memset(&state, 0, sizeof state);
    state.cx = cx;
    state.f = f;
    state.an = irl__analyzer_begin(cx);
    r = irl__rewriter_make(cx, &state, irl__tex_expr, irl__tex_stmt);
    r.buffer = irl__tex_buffer;
    irl__tex_find_filled(&state);
    if (state.an) result = irl__func_copy(cx, f);
    if (result && irl__tex_params(&r, result)) result->body = irl__rewrite_stmt(&r, f->body);
    else result = NULL;
    if (result && !result->body) result = NULL;
    irl__scratch_end(cx, mark);
    return result;
}
