/* lower_textures.c - accesses to images become loads and stores of whole texels.

   requires  layouts applied, no blocks; before flatten, while the innermost axis is still separate
   maintains what is computed; loops over the lanes of a texel become vectors
   breaks    loads and stores of texture buffers: none is left. Their buffers get the separators of
             their convention
   cost      linear in the function, times the lanes of a texel for a store that is built lane by
             lane

   An image of axes (layers), (rows), (columns, lane) is read and written by texels, the elements
   that differ in the last axis alone: four, or as many as 128 bits hold. A load extracts its lanes
   from a texel. A store must write all of them at once. If a loop over the lanes surrounds it, that
   loop becomes the innermost (each cell is still written by the same iterations in the same order,
   since a lane is one value of its variable) and is vectorized, or its values are computed one by
   one and combined. If a condition leaves out lanes, these must hold nothing: padding of the
   layout, or memory that nothing else writes. */
#include "textures.h"

/* ------------------------------------------------------------------ loads */

/* The lanes as numbers; false if one is not constant. */
static int irl__tex_constant_lanes(const irl__tex_place *places, uint32_t count, int *picks)
{
    for (uint32_t k = 0; k < count; k++) {
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

static const irl_expr *irl__tex_expr(irl__rewriter *r, const irl_expr *e)
{
    irl__tex_state *state = (irl__tex_state *)r->user;
    const irl_expr *indices[IRL_MAX_RANK];
    if (!(e->flags & IRL__HAS_MEMORY)) return e;
    if (e->op != IRL_OP_LOAD || !irl__tex_is(e->u.buffer)) {
        e = irl__rewrite_expr_children(r, e);
        /* Lanes of one texel that are joined one by one become picks of the texel. */
        if (!(e && e->op == IRL_OP_SHUFFLE)) return e;
        const irl_expr *texel = e->a[0]->op == IRL_OP_LANE ? e->a[0]->a[0] : NULL;
        int             picks[IRL_MAX_LANES];
        if (!texel || irl__texel_call_of(texel) == IRL__TEXEL_NO_CALL) return e;
        for (uint32_t k = 0; k < e->count; k++)
            if (e->a[k]->op != IRL_OP_LANE || e->a[k]->a[0] != texel ||
                e->a[k]->a[1]->op != IRL_OP_INT)
                return e;
        /* each operand is one lane */
        for (uint32_t k = 0; k < e->type.lanes; k++) picks[k] = (int)e->a[e->u.picks[k]]->a[1]->u.i;
        return irl_expr_shuffle(state->cx, 1, &texel, (int)e->type.lanes, picks);
    }
    const irl_buffer *b = irl__tex_buffer(r, e->u.buffer);
    return b && irl__rewrite_exprs(r, (int)e->count, e->a, indices)
               ? irl__tex_load(state, b, indices)
               : NULL;
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
    value = b && irl__rewrite_exprs(r, b->rank, s->u.store.indices, indices)
                ? irl__rewrite_expr(r, s->u.store.value)
                : NULL;
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

static int irl__tex_uses_of(irl_ctx *cx, const irl_stmt *loop, irl__tex_uses *uses)
{
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__accesses   t;
    int             ok = irl__accesses_in(&t, cx, loop->u.loop.body);
    memset(uses, 0, sizeof *uses);
    for (int k = 0; ok && k < t.count; k++) {
        const irl__access *a = &t.list[k];
        const int          is_store = a->kind != IRL__ACCESS_READ;
        if (a->kind == IRL__ACCESS_OPAQUE || a->is_texel) continue;
        uses->stores += is_store;
        const irl_buffer *b = a->buffer;
        if (irl__tex_is(b) && !irl__tex_by_element(b) && b->rank > 0 &&
            irl__expr_uses_var(a->indices[b->rank - 1], loop->u.loop.var)) {
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
    return irl_stmt_if(state->cx, irl__rewrite_expr(r, some), store, NULL);
}

/* A texel's values, computed one by one. */
static const irl_stmt *irl__tex_gathered(irl__rewriter *r, const irl__tex_nest *n,
                                         const irl__tex_place *p)
{
    irl__tex_state   *state = (irl__tex_state *)r->user;
    const irl_buffer *b = irl__tex_buffer(r, n->store->u.store.buffer);
    const irl_expr   *parts[IRL_MAX_LANES], *holds;
    if (!b) return NULL;
    for (int k = 0; k < n->lanes; k++) {
        holds = n->partial ? irl__tex_at_lane(state, n, n->partial, k) : NULL;
        parts[k] = irl__tex_at_lane(state, n, n->store->u.store.value, k);
        if (!parts[k] || (n->partial && !holds)) return NULL;
        if (holds && irl__is_int(holds, 0)) parts[k] = irl__tex_filler(state, b);
        else if (holds && !irl__is_int(holds, 1))
            parts[k] = irl_expr_op3(state->cx, IRL_OP_IF_THEN_ELSE, holds, parts[k],
                                    irl__tex_filler(state, b));
        parts[k] = irl__rewrite_expr(r, parts[k]);
        if (!parts[k]) return NULL;
    }
    return irl__tex_stored(r, n,
                           irl__texel_store(state->cx, b, p->at,
                                            irl__lanes_join(state->cx, (uint32_t)n->lanes, parts),
                                            n->store->loc));
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
        const irl_stmt *vector =
            loop ? irl__vectorize_one(cx, state->an, state->f->body, loop) : NULL;
        if (vector || !irl__ok(cx)) return irl__rewrite_stmt(r, vector);
        return irl__tex_gathered(r, n, &p);
    }
    if (irl__tex_leaves_padding(state, n) || irl__tex_skipped_lanes_are_undefined(state, n))
        return irl__tex_gathered(r, n, &p);
    if (irl__tex_is_filling(state, n)) {
        const irl_buffer *b = irl__tex_buffer(r, n->store->u.store.buffer);
        const irl_expr   *all = NULL;
        for (int k = 0; k < n->lanes; k++)
            all = irl__and(state->cx, all, irl__tex_at_lane(state, n, n->partial, k));
        all = irl__simplify(state->an, all);
        if (!b || !all) return NULL;
        if (irl__is_int(all, 0)) return irl__stmt_empty(state->cx);
        return irl_stmt_if(
            state->cx, all,
            irl__texel_store(state->cx, b, p.at,
                             irl_expr_broadcast(state->cx, n->store->u.store.value, n->lanes),
                             n->store->loc),
            NULL);
    }
    return irl__ok(cx) ? irl__tex_refuse_partial(state, n->store) : NULL;
}

/* A nest of one texel of b: its lane, in loops that run once. False on failure. */
static int irl__tex_nest_of_one(irl__tex_state *state, const irl_buffer *b, irl__tex_nest *n)
{
    memset(n, 0, sizeof *n);
    n->lanes = irl__texel_measure(b);
    n->lane = irl_expr_var(state->cx, "lane", irl__type_index());
    n->outer = irl_expr_index(state->cx, 0);
    n->outer_extent = irl_expr_index(state->cx, 1);
    return n->lane && n->outer && n->outer_extent &&
           irl__bind_range(state->an, n->lane, 0, n->lanes - 1);
}

/* A store of one lane by its number, where the other lanes hold nothing: a channel axis of extent
   1, for example. */
static const irl_stmt *irl__tex_single(irl__rewriter *r, const irl_stmt *s)
{
    irl__tex_state   *state = (irl__tex_state *)r->user;
    const irl_buffer *b = s->u.store.buffer;
    const irl_expr   *indices[IRL_MAX_RANK];
    irl__tex_nest     n;
    memcpy(indices, s->u.store.indices, (size_t)b->rank * sizeof *indices);
    if (!irl__tex_nest_of_one(state, b, &n)) return NULL;
    int64_t k = indices[b->rank - 1]->u.i; /* at the ends as a bound, which proves more */
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
    if (irl__stmt_is_empty(body)) return body;
    for (int k = n->count; body && k-- > 0;) {
        if (n->around[k]->kind == IRL__IF) {
            const irl_expr *guard = irl__rewrite_expr(r, n->guard[k]);
            if (n->guard[k]) body = irl_stmt_if(state->cx, guard, body, NULL);
            continue;
        }
        if (k == 0 && irl__is_int(n->outer_extent, 1)) continue;
        const irl_stmt *loop = n->around[k];
        body = irl__stmt_loop_over(state->cx, loop, k ? loop->u.loop.var : n->outer,
                                   loop->u.loop.min, k ? loop->u.loop.extent : n->outer_extent,
                                   body);
        if (loop->u.loop.kind == IRL_VECTORIZED && body) /* its lanes are used */
            body = irl__stmt_loop_as(state->cx, body, IRL_SERIAL, loop->u.loop.axis,
                                     body->u.loop.body);
    }
    return body;
}

/* ------------------------------------------------------------------ loops */

/* A loop of lets and stores, as one loop for each store. Each of them is done for all iterations
   before the next, as in a vectorized loop; what a let reads must not change on the way. NULL where
   the body is of another kind. */
static const irl_stmt *irl__tex_distribute(irl__tex_state *state, const irl_stmt *loop)
{
    irl_ctx        *cx = state->cx;
    const irl_stmt *body = loop->u.loop.body, **list = NULL;
    if (body->kind != IRL__SEQ) return NULL;
    for (int k = 0; k < body->u.seq.count; k++) {
        const irl_stmt *s = body->u.seq.stmts[k];
        if (s->kind != IRL__LET && s->kind != IRL__STORE) return NULL;
        for (int j = 0; s->kind == IRL__STORE && j < body->u.seq.count; j++) {
            const irl_stmt *let = body->u.seq.stmts[j];
            if (let->kind == IRL__LET &&
                irl__expr_reads(let->u.let.value, s->u.store.buffer->data))
                return NULL;
        }
    }
    for (int k = 0; k < body->u.seq.count; k++) {
        const irl_stmt *one = body->u.seq.stmts[k];
        if (one->kind != IRL__STORE) continue;
        for (int j = k; one && j-- > 0;) {
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
    if (!irl__tex_uses_of(r->cx, s, &uses) || !irl__bind_loop(state->an, s)) return NULL;
    if (!uses.store && !uses.has_load) return irl__rewrite_stmt_children(r, s);
    if (uses.store && s->u.loop.kind == IRL_BOUND)
        return irl__tex_refuse_partial(state, uses.store);
    if (uses.store && uses.stores == 1 && irl__tex_nest_find(state, s, &nest)) {
        const irl_stmt *body =
            irl__tex_nest_divide(state, &nest) ? irl__tex_nest_store(r, &nest) : NULL;
        return body ? irl__tex_nest_build(r, &nest, body) : NULL;
    }
    /* a texel's loads become one, unless a loop inside is the one over the lanes of a store */
    if (irl__is_int(s->u.loop.extent, uses.lanes) && irl__is_int(s->u.loop.min, 0) &&
        (uses.store || !uses.others) && irl__tex_may_vectorize(s, &uses)) {
        const irl_stmt *vector = irl__vectorize_one(state->cx, state->an, state->f->body, s);
        if (vector || !irl__ok(state->cx)) return irl__rewrite_stmt(r, vector);
    }
    if (uses.store && (s->u.loop.kind == IRL_PARALLEL || s->u.loop.kind == IRL_VECTORIZED)) {
        const irl_stmt *several = irl__tex_distribute(state, s);
        if (several || !irl__ok(state->cx)) return irl__rewrite_stmt(r, several);
    }
    if (uses.store) return irl__tex_refuse_partial(state, uses.store);
    return irl__rewrite_stmt_children(r, s);
}

/* ------------------------------------------------------------------ lanes side by side

   y[i, j, 0] = a; y[i, j, 1] = b; y[i, j, 2] = c; y[i, j, 3] = d; is one store of a texel. Lets may
   stand between the stores, and a loop over some of the lanes is written out first. */

typedef struct irl__tex_side {
    irl__tex_state   *state;
    const irl_buffer *b;
    const irl_expr   *indices[IRL_MAX_RANK]; /* of the texel */
    const irl_expr   *lanes[IRL_MAX_LANES];  /* its values; NULL: not stored yet */
    int               count;
} irl__tex_side;

/* Is it a store of one lane, of a value that can be computed later? */
static int irl__tex_side_is_store(const irl_stmt *s)
{
    const irl_buffer *b = s->kind == IRL__STORE ? s->u.store.buffer : NULL;
    return b && irl__tex_is(b) && !irl__tex_by_element(b) && b->rank > 0 &&
           irl__is_int(b->shape[b->rank - 1], irl__texel_measure(b)) &&
           s->u.store.indices[b->rank - 1]->type.lanes == 1 &&
           !irl__expr_reads(s->u.store.value, b->data) &&
           !irl__expr_any(s->u.store.value, irl__expr_is_call, NULL);
}

/* The store joins the others, or is the first; 0: it is of another texel, or stored already. */
static int irl__tex_side_take(irl__tex_side *t, const irl_stmt *s)
{
    const irl_buffer *b = s->u.store.buffer;
    const int         last = b->rank - 1;
    const irl_expr   *at = NULL;
    if (t->count && b != t->b) return 0;
    for (int k = 0; k <= last; k++) {
        at = irl__simplify(t->state->an, s->u.store.indices[k]);
        if (!at || (k < last && t->count && at != t->indices[k])) return 0;
        if (k < last) t->indices[k] = at;
    }
    if (!at || at->op != IRL_OP_INT || at->u.i < 0 || at->u.i >= irl__texel_measure(b) ||
        t->lanes[at->u.i])
        return 0;
    t->b = b;
    t->lanes[at->u.i] = s->u.store.value;
    t->count++;
    return 1;
}

/* The lanes from t->count on are padding, or memory that nothing else writes: they get what such
   lanes get. */
static int irl__tex_side_fill(irl__tex_side *t, irl_loc loc)
{
    irl__tex_state *state = t->state;
    irl_ctx        *cx = state->cx;
    irl__tex_nest   n;
    for (int k = 0; k < irl__texel_measure(t->b); k++)
        if ((t->lanes[k] != NULL) != (k < t->count)) return 0;
    if (!irl__tex_nest_of_one(state, t->b, &n)) return 0;
    n.partial = irl_expr_op2(cx, IRL_OP_LT, n.lane, irl_expr_index(cx, t->count));
    t->indices[t->b->rank - 1] = n.lane;
    n.store = irl__stmt_store(cx, t->b, t->lanes[0], t->b->rank, t->indices, loc);
    if (!n.store || !n.partial || !(irl__tex_leaves_padding(state, &n) ||
                                    irl__tex_skipped_lanes_are_undefined(state, &n)))
        return 0;
    for (int k = t->count; k < n.lanes; k++)
        if (!(t->lanes[k] = irl__tex_filler(state, t->b))) return 0;
    t->count = n.lanes;
    return 1;
}

/* The stores from list[from] on, as one at the place of the last; 0: they fill no texel. What is
   replaced becomes empty. */
static int irl__tex_side_join(irl__tex_state *state, const irl_stmt **list, int from, int count)
{
    irl_ctx      *cx = state->cx;
    irl__tex_side t;
    const irl_loc loc = list[from]->loc;
    int           last = from;
    const int     lanes = irl__texel_measure(list[from]->u.store.buffer);
    memset(&t, 0, sizeof t);
    t.state = state;
    for (int k = from; k < count && t.count < lanes; k++) {
        if (list[k]->kind == IRL__LET &&
            !irl__expr_reads(list[k]->u.let.value, list[from]->u.store.buffer->data))
            continue;
        if (!irl__tex_side_is_store(list[k]) || !irl__tex_side_take(&t, list[k])) break;
        last = k;
    }
    if (t.count < 2 || (t.count < lanes && !irl__tex_side_fill(&t, loc))) return 0;
    t.indices[t.b->rank - 1] =
        irl_expr_ramp(cx, irl_expr_index(cx, 0), irl_expr_index(cx, 1), lanes);
    const irl_expr *value = irl__lanes_join(cx, (uint32_t)lanes, t.lanes);
    if (!value) return 0;
    for (int k = from; k < last; k++)
        if (list[k]->kind == IRL__STORE) list[k] = irl__stmt_empty(cx);
    list[last] = irl__stmt_store(cx, t.b, value, t.b->rank, t.indices, loc);
    return list[last] != NULL;
}

/* How many iterations a loop over lanes of one store has, if these are at most `most`; 0: it is no
   such loop. */
static int irl__tex_side_iterations(const irl_stmt *s, int most)
{
    const irl_stmt *body = s->kind == IRL__FOR ? s->u.loop.body : NULL;
    if (!body || s->u.loop.kind == IRL_BOUND || s->u.loop.extent->op != IRL_OP_INT ||
        !irl__tex_side_is_store(body))
        return 0;
    const irl_buffer *b = body->u.store.buffer;
    return s->u.loop.extent->u.i >= 1 && s->u.loop.extent->u.i <= most &&
                   irl__expr_uses_var(body->u.store.indices[b->rank - 1], s->u.loop.var)
               ? (int)s->u.loop.extent->u.i
               : 0;
}

/* Pushes s, or the iterations of such a loop. */
static int irl__tex_side_push(irl_ctx *cx, const irl_stmt ***list, const irl_stmt *s, int most)
{
    const int n = irl__tex_side_iterations(s, most);
    for (int k = 0; k < n; k++) {
        const irl_expr *var = s->u.loop.var;
        const irl_expr *at = irl__add(cx, s->u.loop.min, irl_expr_index(cx, k));
        const irl_stmt *one = at ? irl__substitute_stmt(cx, s->u.loop.body, 1, &var, &at) : NULL;
        if (!one || !IRL__PUSH_SCRATCH(cx, *list, one)) return 0;
    }
    return n || IRL__PUSH_SCRATCH(cx, *list, s);
}

/* Joins what can be joined; *left: how many stores of one lane are left. How many texels come of
   it; -1 on failure. */
static int irl__tex_side_texels(irl__tex_state *state, const irl_stmt **list, int *left)
{
    const int count = (int)stbds_arrlen(list);
    int       made, joined = 0;
    *left = 0;
    for (int k = 0; k < count; k++) {
        if (!irl__tex_side_is_store(list[k])) continue;
        made = irl__tex_side_join(state, list, k, count);
        joined += made;
        *left += !made;
    }
    return irl__ok(state->cx) ? joined : -1;
}

/* ------------------------------------------------------------------ nests side by side

   Nests that follow each other and store different lanes of the same texels are one nest: so are
   those of a concatenation of 3 + 1 channels. */

/* Does s compute nothing but cells of b, which nothing in it reads? */
static int irl__tex_side_is_of(const irl_stmt *s, const irl_buffer *b)
{
    switch ((irl__stmt_kind)s->kind) {
    case IRL__FOR:
        return !irl__expr_reads(s->u.loop.extent, b->data) &&
               irl__tex_side_is_of(s->u.loop.body, b);
    case IRL__SEQ:
        for (int k = 0; k < s->u.seq.count; k++)
            if (!irl__tex_side_is_of(s->u.seq.stmts[k], b)) return 0;
        return 1;
    case IRL__LET:
        return !irl__expr_reads(s->u.let.value, b->data) &&
               !irl__expr_any(s->u.let.value, irl__expr_is_call, NULL);
    default: return irl__tex_side_is_store(s) && s->u.store.buffer == b;
    }
}

/* The image that a nest stores into; NULL: other things happen in it. */
static const irl_buffer *irl__tex_side_buffer(const irl_stmt *nest)
{
    const irl_stmt *s = nest;
    while (s->kind == IRL__FOR || (s->kind == IRL__SEQ && s->u.seq.count))
        s = s->kind == IRL__FOR ? s->u.loop.body : s->u.seq.stmts[s->u.seq.count - 1];
    return nest->kind == IRL__FOR && s->kind == IRL__STORE &&
                   irl__tex_side_is_of(nest, s->u.store.buffer)
               ? s->u.store.buffer
               : NULL;
}

/* The cells of two stores in one iteration: the same texel (2), never one cell (1), or unknown. */
static int irl__tex_side_compare(irl__tex_state *state, const irl_stmt *a, const irl_stmt *b)
{
    const int last = a->u.store.buffer->rank - 1;
    int       same = 1, apart = 0;
    for (int k = 0; k <= last; k++) {
        const irl_expr *x = irl__simplify(state->an, a->u.store.indices[k]);
        const irl_expr *y = irl__simplify(state->an, b->u.store.indices[k]);
        if (!x || !y) return 0;
        apart |= x != y && x->op == IRL_OP_INT && y->op == IRL_OP_INT;
        same &= k == last || x == y;
    }
    return same && apart ? 2 : apart;
}

/* May the bodies of nests, which are pushed onto *list, be done in one iteration? Stores of two
   nests are never one cell, and some are of one texel. */
static int irl__tex_side_may_fuse(irl__tex_state *state, int count, const irl_stmt *const *bodies,
                                  const irl_stmt ***list)
{
    int i, shared = 0, from;
    for (int k = 0; k < count; k++) {
        const irl_stmt *s = bodies[k];
        const int       is_seq = s->kind == IRL__SEQ, n = is_seq ? s->u.seq.count : 1;
        from = (int)stbds_arrlen(*list);
        for (int j = 0; j < n; j++) {
            const irl_stmt *one = is_seq ? s->u.seq.stmts[j] : s;
            if (!irl__tex_side_push(state->cx, list, one, IRL_MAX_LANES)) return 0;
        }
        for (int j = from; j < (int)stbds_arrlen(*list); j++)
            for (i = 0; i < from; i++) {
                const irl_stmt *a = (*list)[i], *b = (*list)[j];
                if (a->kind == IRL__LET || b->kind == IRL__LET) continue;
                int how = a->kind == IRL__STORE && b->kind == IRL__STORE
                              ? irl__tex_side_compare(state, a, b)
                              : 0;
                if (!how) return 0;
                shared |= how == 2;
            }
    }
    return shared;
}

/* The nests as one; NULL: no texels come of it, or a failure. */
static const irl_stmt *irl__tex_side_fuse(irl__tex_state *state, int count,
                                          const irl_stmt *const *nests)
{
    irl_ctx         *cx = state->cx;
    const irl_stmt **at = IRL__COPY(cx, const irl_stmt *, nests, count);
    const irl_stmt  *body = NULL, *around[IRL_MAX_RANK];
    int              depth = 0;
    while (at && !body && depth < IRL_MAX_RANK && at[0]->kind == IRL__FOR) {
        const irl_stmt *first = at[0];
        for (int k = 1; k < count; k++) {
            const irl_stmt *b = at[k];
            if (first->kind != IRL__FOR || b->kind != IRL__FOR ||
                first->u.loop.kind != b->u.loop.kind || first->u.loop.axis != b->u.loop.axis ||
                first->u.loop.min != b->u.loop.min || first->u.loop.extent != b->u.loop.extent)
                return NULL;
        }
        if (!irl__bind_loop(state->an, first)) return NULL;
        around[depth++] = first;
        at[0] = first->u.loop.body;
        for (int k = 1; k < count; k++) {
            const irl_expr *var = at[k]->u.loop.var;
            at[k] = irl__substitute_stmt(cx, at[k]->u.loop.body, 1, &var, &first->u.loop.var);
            if (!at[k]) return NULL;
        }
        /* The bodies as one that works on whole texels. */
        irl__arena_mark  mark = irl__scratch_begin(state->cx);
        const irl_stmt **list = NULL, *made = NULL;
        int              left = 1;
        if (irl__tex_side_may_fuse(state, count, at, &list) &&
            irl__tex_side_texels(state, list, &left) > 0 && !left)
            made = irl__stmt_seq(state->cx, (int)stbds_arrlen(list), list);
        irl__scratch_end(state->cx, mark);
        body = made;
    }
    while (body && depth-- > 0) {
        const irl_stmt *loop = around[depth];
        body = irl__stmt_loop_of(cx, loop, body);
    }
    return body;
}

/* s with runs of such nests fused. */
static const irl_stmt *irl__tex_side_nests(irl__tex_state *state, const irl_stmt *s)
{
    irl_ctx *cx = state->cx;
    const irl_stmt **list = IRL__NEW(cx, const irl_stmt *, s->u.seq.count);
    int j, n = 0;
    for (int k = 0; list && k < s->u.seq.count; k = j) {
        const irl_buffer *b = irl__tex_side_buffer(s->u.seq.stmts[k]);
        const irl_stmt   *fused = NULL;
        for (j = k + 1; b && j < s->u.seq.count && j < k + 8; j++)
            if (irl__tex_side_buffer(s->u.seq.stmts[j]) != b) break;
        if (b && j > k + 1) fused = irl__tex_side_fuse(state, j - k, s->u.seq.stmts + k);
        if (!irl__ok(cx)) return NULL;
        if (!fused) j = k + 1;
        list[n++] = fused ? fused : s->u.seq.stmts[k];
    }
    return list && n < s->u.seq.count ? irl__stmt_seq(cx, n, list) : list ? s : NULL;
}

static const irl_stmt *irl__tex_side_seq(irl__tex_state *state, const irl_stmt *s)
{
    irl_ctx         *cx = state->cx;
    const irl_stmt **list = NULL;
    int              k, left;
    s = irl__tex_side_nests(state, s);
    if (!s || s->kind != IRL__SEQ) return s;
    irl__arena_mark mark = irl__scratch_begin(cx);
    for (k = 0; k < s->u.seq.count; k++)
        if (!irl__tex_side_push(cx, &list, s->u.seq.stmts[k], 3)) break;
    int joined = k == s->u.seq.count ? irl__tex_side_texels(state, list, &left) : -1;
    if (joined > 0) s = irl__stmt_seq(cx, (int)stbds_arrlen(list), list);
    irl__scratch_end(cx, mark);
    return joined < 0 ? NULL : s;
}

static const irl_stmt *irl__tex_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__tex_state *state = (irl__tex_state *)r->user;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__STORE:
        if (!irl__tex_is(s->u.store.buffer)) break;
        return irl__tex_is_single(s) ? irl__tex_single(r, s) : irl__tex_store(r, s);
    case IRL__FOR: return irl__tex_loop(r, s);
    case IRL__SEQ:
        s = irl__tex_side_seq(state, s);
        return s && s->kind == IRL__SEQ ? irl__rewrite_stmt_children(r, s)
               : irl__rewrite_stmt(r, s);
    case IRL__IF: return irl__rewrite_known(r, state->an, s);
    default: break;
    }
    return irl__rewrite_stmt_children(r, s);
}

/* ------------------------------------------------------------------ the pass */

irl_func *irl__pass_lower_textures(const irl_func *f)
{
    irl_ctx       *cx = f->cx;
    irl__tex_state state;
    irl_func      *result = NULL;
    if (!irl__func_has_images(f) && !irl__stmt_holds(f->body, IRL__HOLDS_IMAGE))
        return irl__func_with_body(f, f->body);
    f = irl__pass_simplify(f); /* so that an index shows which variables it follows */
    if (!f) return NULL;
    irl__arena_mark mark = irl__scratch_begin(cx);
    memset(&state, 0, sizeof state);
    state.cx = cx;
    state.f = f;
    state.an = irl__analyzer_begin(cx);
    irl__rewriter r = irl__rewriter_make(cx, &state, irl__tex_expr, irl__tex_stmt);
    r.buffer = irl__tex_buffer;
    irl__tex_find_filled(&state);
    if (state.an) result = irl__rewrite_func(&r, f);
    irl__scratch_end(cx, mark);
    return result;
}
