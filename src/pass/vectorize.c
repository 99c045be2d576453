/* vectorize.c - a vectorized loop becomes statements on vectors: its variable becomes lanes.

   requires  flatten and simplify: one index per access, in its plainest form
   maintains what is computed; loops that cannot be vectorized stay, as serial loops
   breaks    the loops that it replaces, and their ids
   cost      linear in the loop's body, plus two simplifications per index
   source    seed 4 (index lanes times element lanes); seed 2, T0 (the length-4 channel loop of a texture)

   The iterations of a vectorized loop are independent, so doing each statement for all of them at once is the same. An
   index e of an access becomes ramp(e at the start, stride, lanes) where e grows by a constant stride; strides other than 0
   and 1 would be gathers, and such loops stay serial. */
#include "pass.h"

enum { IRL__VECTOR_MOST = 16 }; /* lanes */

typedef struct irl__vector_state {
    irl_ctx        *cx;
    irl__analyzer  *an;
    const irl_expr *var, *min; /* of the loop being vectorized */
    int             lanes;
    irl__ptr_map    lets;      /* scalar let variable -> its vector */
    const irl_expr *index, *ramp; /* the last index that became a ramp: the next access is often alike */
    int             is_refused; /* this loop must stay serial: not a failure */
} irl__vector_state;

static const irl_expr *irl__vector_refuse(irl__vector_state *state)
{
    state->is_refused = 1;
    return NULL;
}

static const irl_expr *irl__vector_expr(irl__vector_state *state, const irl_expr *e);

/* ------------------------------------------------------------------ indices */

static const irl_expr *irl__vector_at(irl__vector_state *state, const irl_expr *e, const irl_expr *value)
{
    const irl_expr *moved = irl__substitute(state->cx, e, 1, &state->var, &value);
    return moved ? irl__simplify(state->an, moved) : NULL;
}

/* The variable alone, or a sum with it: what a flat index that follows the loop looks like when it is simplified. */
static int irl__vector_is_step(const irl__vector_state *state, const irl_expr *e)
{
    while (e->op == IRL_OP_ADD) {
        int left = irl__expr_uses_var(e->a[0], state->var);
        if (left && irl__expr_uses_var(e->a[1], state->var)) return 0;
        e = e->a[left ? 0 : 1];
    }
    return e == state->var;
}

/* A step (see above) where the variable is 0. */
static const irl_expr *irl__vector_without(irl__vector_state *state, const irl_expr *e)
{
    int left;
    if (e == state->var) return irl_idx(state->cx, 0);
    left = irl__expr_uses_var(e->a[0], state->var);
    if (e->a[left ? 0 : 1] == state->var) return e->a[left ? 1 : 0];
    if (left) return irl__add(state->cx, irl__vector_without(state, e->a[0]), e->a[1]);
    return irl__add(state->cx, e->a[0], irl__vector_without(state, e->a[1]));
}

/* 1: the index grows by 1 with the variable; 0: by anything else; -1: failed. */
static int irl__vector_follows(irl__vector_state *state, const irl_expr *e)
{
    const irl_expr *next, *stride;
    if (irl__vector_is_step(state, e)) return 1;
    next = irl__vector_at(state, e, irl__add(state->cx, state->var, irl_idx(state->cx, 1)));
    stride = next ? irl__simplify(state->an, irl__sub(state->cx, next, e)) : NULL;
    return stride ? irl__is_int(stride, 1) : -1;
}

/* A scalar where the index does not depend on the loop, a ramp of stride 1 where it follows it; anything else is refused. */
static const irl_expr *irl__vector_index(irl__vector_state *state, const irl_expr *e)
{
    const irl_expr *start;
    int             follows;
    if (e->type.lanes != 1) return irl__vector_refuse(state);
    if (e == state->index) return state->ramp;
    if (!irl__expr_uses_var(e, state->var)) return e;
    if (e->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)) return irl__vector_refuse(state);
    follows = irl__vector_follows(state, e);
    if (follows != 1) return follows ? NULL : irl__vector_refuse(state);
    start = irl__is_int(state->min, 0) && irl__vector_is_step(state, e) ? irl__vector_without(state, e) : irl__vector_at(state, e, state->min);
    state->ramp = irl_ramp(state->cx, start, irl_idx(state->cx, 1), state->lanes);
    state->index = state->ramp ? e : NULL;
    return state->ramp;
}

static int irl__vector_indices(irl__vector_state *state, int rank, const irl_expr *const *old, const irl_expr **out)
{
    int k;
    for (k = 0; k < rank; k++) {
        out[k] = irl__vector_index(state, old[k]);
        if (!out[k]) return 0;
        if (out[k]->type.lanes != 1 && k != rank - 1) return irl__vector_refuse(state) != NULL;
    }
    return 1;
}

/* ------------------------------------------------------------------ values */

/* e in lane k. */
static const irl_expr *irl__vector_lane(irl__vector_state *state, const irl_expr *e, int k)
{
    const irl_expr *at = irl__add(state->cx, state->min, irl_idx(state->cx, k));
    return at ? irl__vector_at(state, e, at) : NULL;
}

/* How many of the scalars load one element after the other. */
static int irl__vector_run(irl__vector_state *state, int count, const irl_expr *const *lane)
{
    const irl_expr *next;
    int             n;
    if (lane[0]->op != IRL_OP_LOAD || lane[0]->count != 1 || lane[0]->a[0]->flags & IRL__HAS_MEMORY) return 1;
    for (n = 1; n < count; n++) {
        if (lane[n]->op != IRL_OP_LOAD || lane[n]->u.buffer != lane[0]->u.buffer) break;
        next = irl__simplify(state->an, irl__add(state->cx, lane[0]->a[0], irl_idx(state->cx, n)));
        if (next != lane[n]->a[0]) break;
    }
    return n < 4 ? n : n < 8 ? 4 : 8;
}

/* Joins runs of loads to vector loads, in place; how many vectors and scalars are left. */
static int irl__vector_join(irl__vector_state *state, int count, const irl_expr **lane)
{
    const irl_expr *ramp;
    int             k, n, to = 0;
    for (k = 0; k < count; k += n) {
        n = irl__vector_run(state, count - k, lane + k);
        ramp = n == 1 ? NULL : irl_ramp(state->cx, lane[k]->a[0], irl_idx(state->cx, 1), n);
        lane[to++] = n == 1 ? lane[k] : irl__expr_load(state->cx, lane[k]->u.buffer, 1, &ramp, irl__nowhere());
    }
    return to;
}

/* What no vector operation computes, lane by lane: loads with gaps, and choices that differ between lanes. A choice whose
   condition is `denied` takes its other arm; NULL denies nothing. */
static const irl_expr *irl__vector_lanes_of(irl__vector_state *state, const irl_expr *e, const irl_expr *denied)
{
    const irl_expr *lane[IRL__VECTOR_MOST];
    int             picks[IRL__VECTOR_MOST], k;
    if (!irl__ok(state->cx)) return NULL;
    if (state->lets.count || (e->flags & IRL__HAS_LET)) return irl__vector_refuse(state);
    for (k = 0; k < state->lanes; k++) {
        int is_denied = denied && irl__vector_lane(state, e->a[0], k) == denied;
        lane[k] = irl__vector_lane(state, is_denied ? e->a[2] : e, k);
        if (!lane[k]) return NULL;
        picks[k] = k;
    }
    return irl_shuffle(state->cx, irl__vector_join(state, state->lanes, lane), lane, state->lanes, picks);
}

static const irl_expr *irl__vector_load(irl__vector_state *state, const irl_expr *e)
{
    const irl_expr *index[IRL_MAX_RANK];
    if (e->type.lanes != 1) return irl__vector_refuse(state);
    if (!irl__vector_indices(state, (int)e->count, e->a, index)) return irl__vector_lanes_of(state, e, NULL);
    return irl__expr_load(state->cx, e->u.buffer, (int)e->count, index, irl__nowhere());
}

static const irl_expr *irl__vector_widen(irl__vector_state *state, const irl_expr *e)
{
    return e && e->type.lanes == 1 ? irl_broadcast(state->cx, e, state->lanes) : e;
}

/* Operators of the table work lane by lane; if one operand became a vector, all must. */
static const irl_expr *irl__vector_operator(irl__vector_state *state, const irl_expr *e)
{
    const irl_expr *operand[3];
    uint32_t        k;
    int             any = 0;
    if (e->count > IRL__COUNTOF(operand)) return irl__vector_refuse(state);
    for (k = 0; k < e->count; k++) {
        operand[k] = irl__vector_expr(state, e->a[k]);
        if (!operand[k]) return NULL;
        any |= operand[k]->type.lanes != 1;
    }
    if (!any) return irl__expr_with(state->cx, e, operand);
    for (k = 0; k < e->count; k++) operand[k] = irl__vector_widen(state, operand[k]);
    if (e->op == IRL_OP_CAST)
        return irl_cast(state->cx, irl__type_with_lanes(e->type, (uint32_t)state->lanes), operand[0]);
    return irl__expr_op(state->cx, (irl_op)e->op, (int)e->count, operand, irl__nowhere());
}

/* i + step < n, where the last lane decides for all that it holds. */
static int irl__vector_is_bound(const irl__vector_state *state, const irl_expr *condition)
{
    if (condition->op != IRL_OP_LT && condition->op != IRL_OP_LE) return 0;
    if (condition->flags & (IRL__HAS_MEMORY | IRL__HAS_LET) || irl__expr_uses_var(condition->a[1], state->var)) return 0;
    return irl__type_is_index(condition->a[0]->type) && irl__vector_is_step(state, condition->a[0]);
}

/* A choice that differs between lanes. Where it is a bound that whole vectors keep, as in front of padding, those are one
   vector; the others go lane by lane. */
static const irl_expr *irl__vector_ragged(irl__vector_state *state, const irl_expr *e)
{
    const irl_expr *whole = NULL, *vector, *lanes;
    if (irl__vector_is_bound(state, e->a[0])) whole = irl__vector_lane(state, e->a[0], state->lanes - 1);
    if (!whole || whole->op == IRL_OP_INT) return irl__vector_lanes_of(state, e, NULL);
    vector = irl__vector_widen(state, irl__vector_expr(state, e->a[1]));
    lanes = vector ? irl__vector_lanes_of(state, e, whole) : NULL;
    return lanes ? irl_op3(state->cx, IRL_OP_IF_THEN_ELSE, whole, vector, lanes) : NULL;
}

/* One arm is evaluated for all lanes only where the condition is the same for all. */
static const irl_expr *irl__vector_choice(irl__vector_state *state, const irl_expr *e)
{
    const irl_expr *condition = irl__vector_expr(state, e->a[0]), *then_, *else_;
    if (!condition || condition->type.lanes != 1) return irl__vector_ragged(state, e);
    then_ = irl__vector_expr(state, e->a[1]);
    else_ = irl__vector_expr(state, e->a[2]);
    if (then_ && else_ && then_->type.lanes != else_->type.lanes) {
        then_ = irl__vector_widen(state, then_);
        else_ = irl__vector_widen(state, else_);
    }
    return irl_op3(state->cx, IRL_OP_IF_THEN_ELSE, condition, then_, else_);
}

static const irl_expr *irl__vector_expr(irl__vector_state *state, const irl_expr *e)
{
    const irl__op_row *row = irl__op_info((irl_op)e->op);
    const irl_expr    *let = e->op == IRL_OP_VAR ? (const irl_expr *)irl__ptr_map_get(&state->lets, e) : NULL;
    if (e->type.lanes != 1 || e->type.is_pointer) return irl__vector_refuse(state);
    if (e == state->var) return irl_ramp(state->cx, state->min, irl_idx(state->cx, 1), state->lanes);
    if (let) return let;
    if (e->count == 0 || (state->lets.count == 0 && !irl__expr_uses_var(e, state->var))) return e;
    if (e->op == IRL_OP_LOAD) return irl__vector_load(state, e);
    if (e->op == IRL_OP_IF_THEN_ELSE) return irl__vector_choice(state, e);
    if (e->op == IRL_OP_AND || e->op == IRL_OP_OR) return irl__vector_refuse(state); /* lazy: no lanes */
    if (row->rule != IRL__OWN || e->op == IRL_OP_SELECT || e->op == IRL_OP_CAST) return irl__vector_operator(state, e);
    return irl__vector_refuse(state);
}

/* ------------------------------------------------------------------ statements */

static int irl__vector_is_uniform(const irl__vector_state *state, const irl_expr *e)
{
    return !irl__expr_uses_var(e, state->var) && !(e->flags & IRL__HAS_MEMORY) && state->lets.count == 0;
}

static const irl_stmt *irl__vector_store(irl__vector_state *state, const irl_stmt *s)
{
    const irl_buffer *b = s->u.store.buffer;
    const irl_expr   *index[IRL_MAX_RANK], *value;
    if (b->rank == 0 || !irl__vector_indices(state, b->rank, s->u.store.indices, index)) return irl__vector_refuse(state), (const irl_stmt *)NULL;
    if (index[b->rank - 1]->type.lanes == 1) return irl__vector_refuse(state), (const irl_stmt *)NULL; /* all lanes to one cell */
    value = irl__vector_widen(state, irl__vector_expr(state, s->u.store.value));
    return value ? irl__stmt_store(state->cx, b, value, b->rank, index, s->loc) : NULL;
}

static const irl_stmt *irl__vector_let(irl__vector_state *state, const irl_stmt *s)
{
    const irl_expr *value = irl__vector_expr(state, s->u.let.value), *var;
    if (!value) return NULL;
    if (value->type.lanes == 1) return irl_let_stmt(state->cx, s->u.let.var, value);
    var = irl_var(state->cx, s->u.let.var->u.name, value->type);
    if (!var || !irl__ptr_map_put(state->cx, &state->lets, s->u.let.var, var)) return NULL;
    return irl_let_stmt(state->cx, var, value);
}

static const irl_stmt *irl__vector_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__vector_state *state = (irl__vector_state *)r->user;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__STORE: return irl__vector_store(state, s);
    case IRL__LET: return irl__vector_let(state, s);
    case IRL__SEQ: return irl__rewrite_stmt_children(r, s);
    case IRL__FOR:
        if ((s->u.loop.kind == IRL_SERIAL || s->u.loop.kind == IRL_UNROLLED) && irl__vector_is_uniform(state, s->u.loop.min) &&
            irl__vector_is_uniform(state, s->u.loop.extent))
            return irl__rewrite_stmt_children(r, s);
        break;
    case IRL__IF:
        if (irl__vector_is_uniform(state, s->u.branch.condition)) return irl__rewrite_stmt_children(r, s);
        break;
    default: break;
    }
    state->is_refused = 1;
    return NULL;
}

/* Expressions that the default rewriting meets (loop bounds, uniform conditions) are scalars and stay. */
static const irl_expr *irl__vector_keep(irl__rewriter *r, const irl_expr *e)
{
    (void)r;
    return e;
}

/* ------------------------------------------------------------------ the pass */

static int irl__vector_lanes(const irl_stmt *loop)
{
    static const int widths[] = { 2, 3, 4, 8, 16 };
    size_t           k;
    for (k = 0; k < IRL__COUNTOF(widths); k++)
        if (irl__is_int(loop->u.loop.extent, widths[k])) return widths[k];
    return 0;
}

static const irl_stmt *irl__vector_serial(irl_ctx *cx, const irl_stmt *loop)
{
    irl_stmt *copy = irl__stmt_copy(cx, loop);
    if (copy) copy->u.loop.kind = IRL_SERIAL;
    return copy;
}

const irl_stmt *irl__vectorize_one(irl_ctx *cx, irl__analyzer *an, const irl_stmt *loop)
{
    irl__vector_state state;
    irl__rewriter     inside;
    memset(&state, 0, sizeof state);
    memset(&inside, 0, sizeof inside);
    state.cx = cx;
    state.an = an;
    state.var = loop->u.loop.var;
    state.min = loop->u.loop.min;
    state.lanes = irl__vector_lanes(loop);
    inside.cx = cx;
    inside.user = &state;
    inside.stmt = irl__vector_stmt;
    inside.expr = irl__vector_keep;
    return state.lanes ? irl__rewrite_stmt(&inside, loop->u.loop.body) : NULL;
}

static const irl_stmt *irl__vectorize_loop(irl__rewriter *r, const irl_stmt *loop)
{
    const irl_stmt *body = irl__vectorize_one(r->cx, ((irl__vector_state *)r->user)->an, loop);
    if (body || !irl__ok(r->cx)) return body;
    return irl__vector_serial(r->cx, loop);
}

static const irl_stmt *irl__vectorize_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__vector_state *state = (irl__vector_state *)r->user;
    int                mark = irl__bindings_mark(state->an);
    if (s->kind != IRL__FOR) return irl__rewrite_stmt_children(r, s);
    if (!irl__bind_extent(state->an, s->u.loop.var, s->u.loop.min, s->u.loop.extent)) return NULL;
    s = irl__rewrite_stmt_children(r, s);
    if (s && s->u.loop.kind == IRL_VECTORIZED) s = irl__vectorize_loop(r, s);
    irl__bindings_release(state->an, mark);
    return s;
}

irl_func *irl__pass_vectorize(const irl_func *f)
{
    irl_ctx          *cx = f->cx;
    irl__arena_mark   mark = irl__scratch_begin(cx);
    irl__vector_state state;
    irl__rewriter     r;
    const irl_stmt   *body = NULL;
    memset(&state, 0, sizeof state);
    memset(&r, 0, sizeof r);
    state.an = irl__analyzer_begin(cx);
    r.cx = cx;
    r.user = &state;
    r.stmt = irl__vectorize_stmt;
    r.expr = irl__vector_keep;
    if (state.an) body = irl__rewrite_stmt(&r, f->body);
    irl__scratch_end(cx, mark);
    return irl__func_with_body(f, body);
}
