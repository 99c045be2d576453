/* vectorize.c - a vectorized loop becomes statements on vectors: its variable becomes lanes.

   requires  flatten and simplify: one index per access, in its plainest form
   maintains what is computed; loops that cannot be vectorized stay, as serial loops
   breaks    the loops that it replaces, and their ids
   cost      linear in the loop's body, plus two simplifications per index; a load of a choice costs
             a walk over what work-items run

   The iterations of a vectorized loop do not meet (check_parallel.c), so doing each statement for
   all of them at once is the same. An index e of an access becomes ramp(e at the start, 1, lanes)
   where e grows by 1; a load at another index takes its lanes one by one, joined if they are
   adjacent; a store at another index keeps the loop serial. Elements that are vectors are put one
   after the other into a longer one, which is computed with as a whole or not at all. Memory that
   each iteration allocates is widened: element e of lane k is at e * lanes + k; a store to it under
   a condition that differs between lanes stores select(condition, value, old value). A loop of
   another count than 2, 3, 4, 8 or 16 is cut into such loops: 12 are three of 4, 10 are 8 and 2. */
#include "pass.h"

enum { IRL__VECTOR_MOST = 16, IRL__VECTOR_INLINED = 8 }; /* lanes; lets of indices */
enum { IRL__VECTOR_BY_VAR = 1, IRL__VECTOR_BY_VALUE = 2 }; /* how lanes differ */

typedef struct irl__vector_state {
    irl_ctx        *cx;
    irl__analyzer  *an;
    const irl_stmt *around;    /* what work-items run at the same time; NULL: there are none */
    const irl_expr *var, *min; /* of the loop being vectorized */
    int             lanes;
    const irl_expr *stored;    /* a load of the cell that is being stored; NULL: none is */
    irl__ptr_map    lets;      /* scalar let variable -> its vector */
    /* buffer that each iteration has for itself -> the one of all lanes */
    irl__ptr_map wide;
    /* lets of indices, written out */
    const irl_expr *inlined[IRL__VECTOR_INLINED], *inlined_as[IRL__VECTOR_INLINED];
    int             inlined_count;
    /* the last index that became a ramp: the next access is often alike */
    const irl_expr *index, *ramp;
    int             differs;      /* found by irl__vector_differs */
    int             is_refused; /* this loop must stay serial: not a failure */
} irl__vector_state;

static const irl_expr *irl__vector_refuse(irl__vector_state *state)
{
    state->is_refused = 1;
    return NULL;
}

static const irl_expr *irl__vector_expr(irl__vector_state *state, const irl_expr *e);

/* ------------------------------------------------------------------ indices */

static const irl_expr *irl__vector_at(irl__vector_state *state, const irl_expr *e,
                                      const irl_expr *value)
{
    return irl__simplify(state->an, irl__substitute(state->cx, e, 1, &state->var, &value));
}

/* e with the lets of indices written out. */
static const irl_expr *irl__vector_resolved(irl__vector_state *state, const irl_expr *e)
{
    return state->inlined_count ? irl__substitute(state->cx, e, state->inlined_count,
                                                  state->inlined, state->inlined_as)
                                : e;
}

static int irl__vector_see_lane(irl__visitor *v, const irl_expr *e)
{
    irl__vector_state *state = (irl__vector_state *)v->user;
    if (e == state->var) state->differs |= IRL__VECTOR_BY_VAR;
    if (e->op == IRL_OP_VAR && irl__ptr_map_get(&state->lets, e))
        state->differs |= IRL__VECTOR_BY_VALUE;
    if (e->op == IRL_OP_LOAD && irl__ptr_map_get(&state->wide, e->u.buffer))
        state->differs |= IRL__VECTOR_BY_VALUE;
    return 1;
}

/* How e differs between the lanes: by the loop's variable, by a let or memory of an iteration. 0:
   it does not. */
static int irl__vector_differs(irl__vector_state *state, const irl_expr *e)
{
    if (state->lets.count == 0 && state->wide.count == 0)
        return irl__expr_uses_var(e, state->var) ? IRL__VECTOR_BY_VAR : 0;
    irl__visitor v = irl__visitor_make(state, irl__vector_see_lane, NULL);
    state->differs = 0;
    irl__visit_expr(&v, e);
    return state->differs;
}

/* A scalar where the index does not depend on the loop, a ramp of stride 1 where it follows it;
   anything else is refused. */
static const irl_expr *irl__vector_index(irl__vector_state *state, const irl_expr *e)
{
    int             differs = irl__vector_differs(state, e);
    if (e->type.lanes != 1) return irl__vector_refuse(state);
    if (e == state->index) return state->ramp;
    if (!differs) return e;
    if (e->flags & (IRL__HAS_MEMORY | IRL__HAS_LET) || differs & IRL__VECTOR_BY_VALUE)
        return irl__vector_refuse(state);
    if (irl__step_number(state->an, e, state->var) != 1)
        return irl__ok(state->cx) ? irl__vector_refuse(state) : NULL;
    const irl_expr *start = e->op == IRL_OP_ADD && e->a[1] == state->var &&
                                    irl__is_int(state->min, 0)
                                ? e->a[0]
                                : irl__vector_at(state, e, state->min);
    state->ramp = irl_expr_ramp(state->cx, start, irl_expr_index(state->cx, 1), state->lanes);
    state->index = state->ramp ? e : NULL;
    return state->ramp;
}

/* Element e of what each iteration has for itself: all lanes of it. The same element for all, or
   the loop stays serial. */
static const irl_expr *irl__vector_wide_index(irl__vector_state *state, const irl_expr *e)
{
    const irl_expr *start;
    if (e->type.lanes != 1 || irl__vector_differs(state, e)) return irl__vector_refuse(state);
    start =
        irl__simplify(state->an, irl__mul(state->cx, e, irl_expr_index(state->cx, state->lanes)));
    return irl_expr_ramp(state->cx, start, irl_expr_index(state->cx, 1), state->lanes);
}

static int irl__vector_indices(irl__vector_state *state, const irl_buffer *b,
                               const irl_expr *const *old, const irl_expr **out)
{
    int rank = b->rank;
    if (irl__ptr_map_get(&state->wide, b)) {
        out[0] = irl__vector_wide_index(state, old[0]);
        return out[0] != NULL;
    }
    for (int k = 0; k < rank; k++) {
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
    const irl_expr *at = irl__add(state->cx, state->min, irl_expr_index(state->cx, k));
    return at ? irl__vector_at(state, e, at) : NULL;
}

/* How many of the scalars load one element after the other. */
static int irl__vector_run(irl__vector_state *state, int count, const irl_expr *const *lane)
{
    const irl_expr *next;
    int             n;
    if (lane[0]->op != IRL_OP_LOAD || lane[0]->count != 1 || lane[0]->a[0]->flags & IRL__HAS_MEMORY)
        return 1;
    for (n = 1; n < count; n++) {
        if (lane[n]->op != IRL_OP_LOAD || lane[n]->u.buffer != lane[0]->u.buffer) break;
        next = irl__simplify(state->an,
                             irl__add(state->cx, lane[0]->a[0], irl_expr_index(state->cx, n)));
        if (next != lane[n]->a[0]) break;
    }
    return n < 4 ? n : n < 8 ? 4 : 8;
}

/* Joins runs of loads to vector loads, in place; how many vectors and scalars are left. */
static int irl__vector_join(irl__vector_state *state, int count, const irl_expr **lane)
{
    const irl_expr *ramp;
    int             n, to = 0;
    for (int k = 0; k < count; k += n) {
        n = irl__vector_run(state, count - k, lane + k);
        ramp = n == 1 ? NULL
                      : irl_expr_ramp(state->cx, lane[k]->a[0], irl_expr_index(state->cx, 1), n);
        lane[to++] = n == 1
                         ? lane[k]
                         : irl__expr_load(state->cx, lane[k]->u.buffer, 1, &ramp, irl__nowhere());
    }
    return to;
}

/* What no vector operation computes, lane by lane: loads with gaps, and choices that differ between
   lanes. A choice whose condition is `denied` takes its other arm; NULL denies nothing. */
static const irl_expr *irl__vector_lanes_of(irl__vector_state *state, const irl_expr *e,
                                            const irl_expr *denied)
{
    const irl_expr *lane[IRL__VECTOR_MOST];
    if (!irl__ok(state->cx)) return NULL;
    if (state->lets.count || state->wide.count || (e->flags & IRL__HAS_LET))
        return irl__vector_refuse(state);
    for (int k = 0; k < state->lanes; k++) {
        int is_denied = denied && irl__vector_lane(state, e->a[0], k) == denied;
        lane[k] = irl__vector_lane(state, is_denied ? e->a[2] : e, k);
        if (!lane[k]) return NULL;
    }
    return irl__lanes_join(state->cx, (uint32_t)irl__vector_join(state, state->lanes, lane), lane);
}

/* A load at an index that follows a let, or beside one: a vector of indices, a ramp where they have
   one stride. */
static const irl_expr *irl__vector_gather(irl__vector_state *state, const irl_expr *e)
{
    const irl_expr *stride = NULL, *index;
    if (e->count != 1) return irl__vector_refuse(state);
    if (irl__vector_differs(state, e->a[0]) == IRL__VECTOR_BY_VAR &&
        !(e->a[0]->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)))
        stride = irl__step_along(state->an, e->a[0], state->var);
    if (stride && stride->op == IRL_OP_INT)
        index = irl_expr_ramp(state->cx, irl__vector_at(state, e->a[0], state->min), stride,
                              state->lanes);
    else index = irl__vector_expr(state, e->a[0]);
    if (!index || index->type.lanes == 1) return irl__vector_refuse(state);
    return irl__expr_load(state->cx, e->u.buffer, 1, &index, irl__nowhere());
}

static const irl_expr *irl__vector_widen(irl__vector_state *state, const irl_expr *e)
{
    return e && e->type.lanes == 1 ? irl_expr_broadcast(state->cx, e, state->lanes) : e;
}

/* i + step < n, where the last lane decides for all that it holds. */
static int irl__vector_is_bound(const irl__vector_state *state, const irl_expr *condition)
{
    if (condition->op != IRL_OP_LT && condition->op != IRL_OP_LE) return 0;
    if (condition->flags & (IRL__HAS_MEMORY | IRL__HAS_LET) ||
        irl__expr_uses_var(condition->a[1], state->var))
        return 0;
    return irl__type_is_index(condition->a[0]->type) &&
           irl__step_number(state->an, condition->a[0], state->var) == 1;
}

/* A call, or a load that may leave its buffer, is not of one element of flat memory, or may meet a
   store of another work-item. */
static int irl__vector_may_leave(const irl_expr *e, const void *user)
{
    const irl__vector_state *state = (const irl__vector_state *)user;
    if (e->op != IRL_OP_LOAD) return e->op == IRL_OP_CALL_EXTERN || e->op == IRL_OP_CALL_INTRINSIC;
    if (e->count != 1 || e->u.buffer->rank != 1 || e->a[0]->type.lanes != 1) return 1;
    /* Does it load from memory that other work-items may be storing to? A cell that this iteration
       stores in any case is its own. */
    return (state->around && e != state->stored && e->u.buffer->scope != IRL_SCOPE_LOCAL &&
            !irl__ptr_map_get(&state->wide, e->u.buffer) &&
            irl__stmt_stores(state->around, e->u.buffer->data)) ||
           !irl__prove_within(state->an, e->a[0], e->u.buffer->shape[0]);
}

/* Has it a value, whether its condition holds or not? */
static int irl__vector_is_total(const irl__vector_state *state, const irl_expr *e)
{
    return !irl__expr_any(e, irl__vector_may_leave, state) && !irl__undefined_part(state->an, e);
}

/* Operators of the table work lane by lane; if one operand became a vector, all must. */
static const irl_expr *irl__vector_operator(irl__vector_state *state, const irl_expr *e)
{
    const irl_expr *operand[3];
    int             any = 0;
    if (e->count > IRL__COUNTOF(operand)) return irl__vector_refuse(state);
    for (uint32_t k = 0; k < e->count; k++) {
        operand[k] = irl__vector_expr(state, e->a[k]);
        if (!operand[k]) return NULL;
        any |= operand[k]->type.lanes != 1;
    }
    if (!any) return irl__expr_with(state->cx, e, operand);
    for (uint32_t k = 0; k < e->count; k++) operand[k] = irl__vector_widen(state, operand[k]);
    return irl__expr_of_lanes(state->cx, e, (uint32_t)state->lanes, operand);
}

/* && and || of lanes: each lane computes both sides, where both have a value. */
static const irl_expr *irl__vector_logic(irl__vector_state *state, const irl_expr *e)
{
    const irl_expr *side[2];
    for (int k = 0; k < 2; k++) {
        if (!irl__vector_is_total(state, e->a[k])) return irl__vector_refuse(state);
        side[k] = irl__vector_widen(state, irl__vector_expr(state, e->a[k]));
        if (!side[k]) return NULL;
    }
    return irl__expr_op(state->cx, e->op == IRL_OP_AND ? IRL_OP_BITAND : IRL_OP_BITOR, 2, side,
                        irl__nowhere());
}

/* Does each lane know its arm without asking? */
static int irl__vector_is_decided(irl__vector_state *state, const irl_expr *condition)
{
    const irl_expr *holds = NULL;
    for (int k = 0; k < state->lanes; k++) {
        holds = irl__vector_lane(state, condition, k);
        if (!holds || holds->op != IRL_OP_INT) return 0;
    }
    return 1;
}

/* Both arms for all lanes, of which each takes one; NULL: lanes may not compute both, know which
   they take, or no vector does. */
static const irl_expr *irl__vector_select(irl__vector_state *state, const irl_expr *e)
{
    const irl_expr *operand[3];
    if (irl__vector_is_decided(state, e->a[0])) return NULL;
    if (!irl__vector_is_total(state, e->a[1]) || !irl__vector_is_total(state, e->a[2])) return NULL;
    for (int k = 0; k < 3; k++) {
        operand[k] = irl__vector_widen(state, irl__vector_expr(state, e->a[k]));
        if (!operand[k]) return NULL;
    }
    return irl__expr_op(state->cx, IRL_OP_SELECT, 3, operand, irl__nowhere());
}

/* The parts of a condition that are the same in all lanes, and those that differ. A part that needs
   one before it to have a value stays behind it. */
static int irl__vector_parts(irl__vector_state *state, const irl_expr *e, const irl_expr **same,
                             const irl_expr **other)
{
    if (e->op == IRL_OP_AND)
        return irl__vector_parts(state, e->a[0], same, other) &&
               irl__vector_parts(state, e->a[1], same, other);
    const irl_expr **part = !irl__vector_differs(state, e) &&
                                    (!*other || irl__vector_is_total(state, e)) ? same : other;
    *part = irl__and(state->cx, *part, e);
    return *part != NULL;
}

/* A choice that differs between lanes by a part of its condition: where the other part, which they
   share, holds, that part decides. */
static const irl_expr *irl__vector_choice(irl__vector_state *state, const irl_expr *e)
{
    const irl_expr *same = NULL, *other = NULL, *arms[3];
    if (!irl__vector_parts(state, e->a[0], &same, &other)) return NULL;
    if (!same || !other) return irl__vector_select(state, e);
    arms[0] = other;
    arms[1] = e->a[1];
    arms[2] = e->a[2];
    arms[1] = irl__expr_op(state->cx, IRL_OP_IF_THEN_ELSE, 3, arms, irl__nowhere());
    arms[1] = arms[1] ? irl__vector_select(state, arms[1]) : NULL;
    arms[2] = arms[1] ? irl__vector_widen(state, irl__vector_expr(state, e->a[2])) : NULL;
    arms[0] = same;
    return arms[2] ? irl__expr_op(state->cx, IRL_OP_IF_THEN_ELSE, 3, arms, irl__nowhere()) : NULL;
}

/* A choice that differs between lanes. Where it is a bound that whole vectors keep, as in front of
   padding, those are one vector; the others go lane by lane. */
static const irl_expr *irl__vector_ragged(irl__vector_state *state, const irl_expr *e)
{
    const irl_expr *whole = NULL, *vector = irl__vector_choice(state, e), *lanes;
    if (vector || !irl__ok(state->cx)) return vector;
    if (irl__vector_is_bound(state, e->a[0]))
        whole = irl__vector_lane(state, e->a[0], state->lanes - 1);
    if (!whole || whole->op == IRL_OP_INT) return irl__vector_lanes_of(state, e, NULL);
    vector = irl__vector_widen(state, irl__vector_expr(state, e->a[1]));
    lanes = vector ? irl__vector_lanes_of(state, e, whole) : NULL;
    return irl_expr_op3(state->cx, IRL_OP_IF_THEN_ELSE, whole, vector, lanes);
}

/* Whether a let is written out, so that the indices that follow it are seen for what they are. */
static int irl__vector_is_written_out(const irl_expr *value)
{
    return irl__type_is_index(value->type) && value->type.lanes == 1 &&
           !(value->flags & (IRL__HAS_MEMORY | IRL__HAS_LET));
}

/* The vector that stands for a let's scalar from here on. */
static const irl_expr *irl__vector_let_var(irl__vector_state *state, const irl_expr *scalar,
                                           irl_type type)
{
    const irl_expr *var = irl_expr_var(state->cx, scalar->u.name, type);
    return var && irl__ptr_map_put(state->cx, &state->lets, scalar, var) ? var : NULL;
}

static const irl_expr *irl__vector_expr(irl__vector_state *state, const irl_expr *e)
{
    const irl__op_row *row = irl__op_info((irl_op)e->op);
    const irl_expr *let =
        e->op == IRL_OP_VAR ? (const irl_expr *)irl__ptr_map_get(&state->lets, e) : NULL;
    if (e->type.lanes != 1 || e->type.is_pointer) return irl__vector_refuse(state);
    if (e == state->var)
        return irl_expr_ramp(state->cx, state->min, irl_expr_index(state->cx, 1), state->lanes);
    if (let) return let;
    if (e->count == 0 || !irl__vector_differs(state, e)) return e;
    if (e->op == IRL_OP_LOAD) {
        const irl_buffer *wide = (const irl_buffer *)irl__ptr_map_get(&state->wide, e->u.buffer);
        const irl_expr   *index[IRL_MAX_RANK], *lanes;
        if (e->type.lanes != 1) return irl__vector_refuse(state);
        if (irl__vector_indices(state, e->u.buffer, e->a, index))
            return irl__expr_load(state->cx, wide ? wide : e->u.buffer, (int)e->count, index,
                                  irl__nowhere());
        lanes = wide ? NULL : irl__vector_lanes_of(state, e, NULL);
        return lanes || wide || !irl__ok(state->cx) ? lanes : irl__vector_gather(state, e);
    }
    if (e->op == IRL_OP_IF_THEN_ELSE) {
        /* One arm is evaluated for all lanes only where the condition is the same for all. */
        const irl_expr *condition = irl__vector_expr(state, e->a[0]), *then_, *else_;
        if (!condition || condition->type.lanes != 1) return irl__vector_ragged(state, e);
        then_ = irl__vector_expr(state, e->a[1]);
        else_ = irl__vector_expr(state, e->a[2]);
        if (then_ && else_ && then_->type.lanes != else_->type.lanes) {
            then_ = irl__vector_widen(state, then_);
            else_ = irl__vector_widen(state, else_);
        }
        return irl_expr_op3(state->cx, IRL_OP_IF_THEN_ELSE, condition, then_, else_);
    }
    if (e->op == IRL_OP_AND || e->op == IRL_OP_OR) return irl__vector_logic(state, e);
    if (e->op == IRL_OP_LET) {
        const irl_expr *var = e->a[0], *value = e->a[1], *body;
        if (irl__vector_is_written_out(value)) {
            body = irl__substitute(state->cx, e->a[2], 1, &var, &value);
            return body ? irl__vector_expr(state, body) : NULL;
        }
        value = irl__vector_expr(state, value);
        if (value && value->type.lanes != 1) var = irl__vector_let_var(state, var, value->type);
        body = value && var ? irl__vector_expr(state, e->a[2]) : NULL;
        return irl_expr_let(state->cx, var, value, body);
    }
    if (e->op == IRL_OP_SELECT && e->a[0]->op == IRL_OP_AND) {
        const irl_expr *choice = irl__vector_choice(state, e);
        if (choice || !irl__ok(state->cx)) return choice;
    }
    if (row->rule != IRL__OWN || e->op == IRL_OP_SELECT || e->op == IRL_OP_CAST)
        return irl__vector_operator(state, e);
    return irl__vector_refuse(state);
}

/* ------------------------------------------------------------------ statements */

static int irl__vector_is_uniform(irl__vector_state *state, const irl_expr *e)
{
    e = irl__vector_resolved(state, e);
    return e && !(e->flags & IRL__HAS_MEMORY) && !irl__vector_differs(state, e);
}

/* e, as many lanes as an element has, for all iterations: their lanes one after the other. */
static const irl_expr *irl__vector_elements(irl__vector_state *state, const irl_expr *e)
{
    const irl__op_row *row = irl__op_info((irl_op)e->op);
    const irl_expr    *operand[IRL_MAX_RANK];
    if (!irl__vector_differs(state, e)) {
        /* An element that is the same for all iterations; memory is read once. */
        if (!(e->flags & IRL__HAS_MEMORY)) return irl_expr_broadcast(state->cx, e, state->lanes);
        const irl_expr *var = irl_expr_var(state->cx, "same", e->type);
        return irl_expr_let(state->cx, var, e, irl_expr_broadcast(state->cx, var, state->lanes));
    }
    if (e->op == IRL_OP_LOAD) {
        if (irl__ptr_map_get(&state->wide, e->u.buffer)) return irl__vector_refuse(state);
        return irl__vector_indices(state, e->u.buffer, e->a, operand)
                   ? irl__expr_load(state->cx, e->u.buffer, (int)e->count, operand, irl__nowhere())
                   : NULL;
    }
    if (e->count == 0 || e->count > 3 ||
        (row->rule == IRL__OWN && e->op != IRL_OP_SELECT && e->op != IRL_OP_CAST))
        return irl__vector_refuse(state);
    for (uint32_t k = 0; k < e->count; k++) {
        if (e->a[k]->type.lanes != e->type.lanes) return irl__vector_refuse(state);
        operand[k] = irl__vector_elements(state, e->a[k]);
        if (!operand[k]) return NULL;
    }
    return irl__expr_of_lanes(state->cx, e, e->type.lanes * (uint32_t)state->lanes, operand);
}

/* The value of a store: a scalar for each lane, or the lanes of an element. */
static const irl_expr *irl__vector_stored(irl__vector_state *state, const irl_buffer *b,
                                          const irl_expr *value)
{
    if (b->type.lanes == 1) return irl__vector_widen(state, irl__vector_expr(state, value));
    if (value->type.lanes != b->type.lanes) return irl__vector_refuse(state);
    return irl__vector_elements(state, value);
}

static const irl_stmt *irl__vector_store(irl__vector_state *state, const irl_stmt *s)
{
    const irl_buffer *b = s->u.store.buffer,
                     *wide = (const irl_buffer *)irl__ptr_map_get(&state->wide, b);
    const irl_expr *old[IRL_MAX_RANK], *index[IRL_MAX_RANK],
        *value = irl__vector_resolved(state, s->u.store.value);
    for (int k = 0; k < b->rank; k++) {
        old[k] = irl__vector_resolved(state, s->u.store.indices[k]);
        if (!old[k]) return NULL;
    }
    if (b->rank == 0 || b->type.lanes * (uint32_t)state->lanes > IRL_MAX_LANES ||
        !irl__vector_indices(state, b, old, index))
        return irl__vector_refuse(state), (const irl_stmt *)NULL;
    /* all lanes to one cell */
    if (index[b->rank - 1]->type.lanes == 1)
        return irl__vector_refuse(state), (const irl_stmt *)NULL;
    state->stored = irl__expr_load(state->cx, b, b->rank, old, irl__nowhere());
    value = value && state->stored ? irl__vector_stored(state, b, value) : NULL;
    state->stored = NULL;
    return irl__stmt_store(state->cx, wide ? wide : b, value, b->rank, index, s->loc);
}

/* Memory of an iteration: that of all lanes, one after the other. */
static const irl_stmt *irl__vector_alloc(irl__vector_state *state, const irl_stmt *s)
{
    const irl_buffer *b = s->u.alloc.buffer;
    const irl_expr   *extent;
    irl_buffer       *wide;
    if (b->rank != 1 || b->type.lanes != 1 || b->separator_count ||
        (b->scope != IRL_SCOPE_LOCAL && b->scope != IRL_SCOPE_GLOBAL) ||
        !irl__vector_is_uniform(state, b->shape[0]))
        return irl__vector_refuse(state), (const irl_stmt *)NULL;
    extent = irl__simplify(state->an, irl__mul(state->cx, b->shape[0],
                                               irl_expr_index(state->cx, state->lanes)));
    wide = extent
               ? irl__buffer_make(state->cx, b->name, b->type, b->scope, 1, &extent, NULL, b->loc)
               : NULL;
    return wide && irl__ptr_map_put(state->cx, &state->wide, b, wide)
               ? irl_stmt_alloc(state->cx, wide)
               : NULL;
}

/* Stores to memory of an iteration under a condition that differs between lanes, which `holds`
   names: where it is not as `when` says, a lane keeps what it has. NULL also where a lane may not
   compute what is not asked of it. */
static const irl_stmt *irl__vector_kept(irl__vector_state *state, const irl_stmt *s,
                                        const irl_expr *holds, int when)
{
    if (s->kind == IRL__SEQ) {
        const irl_stmt **parts = IRL__SCRATCH(state->cx, const irl_stmt *, s->u.seq.count + 1);
        for (int k = 0; parts && k < s->u.seq.count; k++)
            if (!(parts[k] = irl__vector_kept(state, s->u.seq.stmts[k], holds, when))) return NULL;
        return parts ? irl__stmt_seq(state->cx, s->u.seq.count, parts) : NULL;
    }
    if (s->kind != IRL__STORE || !irl__ptr_map_get(&state->wide, s->u.store.buffer))
        return irl__vector_refuse(state), (const irl_stmt *)NULL;
    const irl_buffer *b = s->u.store.buffer;
    const irl_expr   *value = irl__vector_resolved(state, s->u.store.value),
                   *old = irl__expr_load(state->cx, b, b->rank, s->u.store.indices, s->loc);
    if (!value || !old) return NULL;
    if (!irl__vector_is_total(state, value) || !irl__vector_is_total(state, old))
        return irl__vector_refuse(state), (const irl_stmt *)NULL;
    value = irl_expr_op3(state->cx, IRL_OP_SELECT, holds, when ? value : old, when ? old : value);
    s = irl__stmt_store(state->cx, b, value, b->rank, s->u.store.indices, s->loc);
    return s ? irl__vector_store(state, s) : NULL;
}

static const irl_stmt *irl__vector_if(irl__vector_state *state, const irl_stmt *s)
{
    const irl_expr *value = irl__vector_resolved(state, s->u.branch.condition),
                   *holds = irl_expr_var(state->cx, "holds", irl_type_of(IRL_BOOL, 1)), *wide;
    const irl_stmt *parts[3];
    int             count = 1;
    value = value && holds ? irl__vector_widen(state, irl__vector_expr(state, value)) : NULL;
    wide = value ? irl__vector_let_var(state, holds, value->type) : NULL;
    if (!wide || !(parts[0] = irl_stmt_let(state->cx, wide, value))) return NULL;
    for (int when = 1; when >= 0; when--) {
        const irl_stmt *arm = when ? s->u.branch.then_ : s->u.branch.else_;
        if (arm && !(parts[count++] = irl__vector_kept(state, arm, holds, when))) return NULL;
    }
    return irl__stmt_seq(state->cx, count, parts);
}

static const irl_stmt *irl__vector_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__vector_state *state = (irl__vector_state *)r->user;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__STORE: return irl__vector_store(state, s);
    case IRL__LET: {
        const irl_expr *value = irl__vector_resolved(state, s->u.let.value), *var;
        if (!value) return NULL;
        if (irl__vector_is_written_out(value) && state->inlined_count < IRL__VECTOR_INLINED) {
            state->inlined[state->inlined_count] = s->u.let.var;
            state->inlined_as[state->inlined_count++] = value;
            return irl__stmt_empty(state->cx);
        }
        value = irl__vector_expr(state, value);
        if (!value) return NULL;
        if (value->type.lanes == 1) return irl_stmt_let(state->cx, s->u.let.var, value);
        var = irl__vector_let_var(state, s->u.let.var, value->type);
        return irl_stmt_let(state->cx, var, value);
    }
    case IRL__ALLOC: return irl__vector_alloc(state, s);
    case IRL__SEQ: return irl__rewrite_stmt_children(r, s);
    case IRL__FOR:
        if (!irl__stmt_is_parallel(s) && irl__vector_is_uniform(state, s->u.loop.min) &&
            irl__vector_is_uniform(state, s->u.loop.extent))
            return irl__rewrite_known(r, state->an, s);
        break;
    case IRL__IF:
        return irl__vector_is_uniform(state, s->u.branch.condition)
                   ? irl__rewrite_stmt_children(r, s)
                   : irl__vector_if(state, s);
    default: break;
    }
    state->is_refused = 1;
    return NULL;
}

/* Expressions that the default rewriting meets (loop bounds, uniform conditions) are scalars and
   stay. */
static const irl_expr *irl__vector_keep(irl__rewriter *r, const irl_expr *e)
{
    return irl__vector_resolved((irl__vector_state *)r->user, e);
}

/* ------------------------------------------------------------------ the pass */

static const int irl__vector_widths[] = { 16, 8, 4, 3, 2 };

/* The lanes of a loop of one of the counts that are vectors; 0. */
static int irl__vector_lanes(const irl_stmt *loop)
{
    for (size_t k = 0; k < IRL__COUNTOF(irl__vector_widths); k++)
        if (irl__is_int(loop->u.loop.extent, irl__vector_widths[k])) return irl__vector_widths[k];
    return 0;
}

const irl_stmt *irl__vectorize_one(irl_ctx *cx, irl__analyzer *an, const irl_stmt *around,
                                   const irl_stmt *loop)
{
    irl__vector_state state;
    memset(&state, 0, sizeof state);
    state.cx = cx;
    state.an = an;
    state.around = around;
    state.var = loop->u.loop.var;
    state.min = loop->u.loop.min;
    state.lanes = irl__vector_lanes(loop);
    irl__rewriter inside = irl__rewriter_make(cx, &state, irl__vector_keep, irl__vector_stmt);
    return state.lanes ? irl__rewrite_stmt(&inside, loop->u.loop.body) : NULL;
}

/* ------------------------------------------------ other counts: loops of vectors, and a rest */

/* The width of the first vectors of a loop of `count`: one that leaves no rest, from 3 on; else, if
   there may be one, the widest. */
static int irl__vector_first_width(int64_t count, int may_rest)
{
    for (size_t k = 0; k < IRL__COUNTOF(irl__vector_widths); k++)
        if (count % irl__vector_widths[k] == 0 && (irl__vector_widths[k] > 2 || !may_rest))
            return irl__vector_widths[k];
    for (size_t k = 0; may_rest && k < IRL__COUNTOF(irl__vector_widths); k++)
        if (count >= irl__vector_widths[k]) return irl__vector_widths[k];
    return 0;
}

/* `times` vectors of `width` from `start` on. NULL where the body is none (no failure) or on
   failure. */
static const irl_stmt *irl__vector_part(const irl__vector_state *state, const irl_stmt *loop,
                                        const irl_expr *start, int64_t times, int width)
{
    irl_ctx        *cx = state->cx;
    irl__analyzer  *an = state->an;
    const irl_expr *var = loop->u.loop.var,
                   *outer = times > 1 ? irl_expr_var(cx, var->u.name, irl__type_index()) : NULL,
                   *lane, *at;
    int mark = irl__bindings_mark(an);
    lane = irl_expr_var(cx, "lane", irl__type_index());
    if (!lane || (outer && !irl__bind_range(an, outer, 0, times - 1))) return NULL;
    at = outer ? irl__simplify(an,
                               irl__add(cx, irl__mul(cx, outer, irl_expr_index(cx, width)), start))
               : start;
    if (!at || !irl__bind_extent(an, lane, at, irl_expr_index(cx, width))) return NULL;
    const irl_stmt *inner = irl__substitute_stmt(cx, loop->u.loop.body, 1, &var, &lane);
    inner = irl_stmt_for(cx, IRL_VECTORIZED, lane, at, irl_expr_index(cx, width), inner);
    inner = inner ? irl__vectorize_one(cx, an, state->around, inner) : NULL;
    irl__bindings_release(an, mark);
    return inner && outer ? irl_stmt_for(cx, IRL_SERIAL, outer, irl_expr_index(cx, 0),
                                         irl_expr_index(cx, times), inner)
                          : inner;
}

/* The one iteration that no vector holds. */
static const irl_stmt *irl__vector_last(irl_ctx *cx, const irl_stmt *loop, const irl_expr *at)
{
    const irl_expr *var = loop->u.loop.var;
    return at ? irl__substitute_stmt(cx, loop->u.loop.body, 1, &var, &at) : NULL;
}

/* A loop of any constant count as vectors. NULL as above. */
static const irl_stmt *irl__vectorize_count(const irl__vector_state *state, const irl_stmt *loop)
{
    irl_ctx        *cx = state->cx;
    const irl_stmt *parts[8]; /* widths fall, each count but the first below two of its width */
    const irl_expr *start = loop->u.loop.min;
    int64_t         count = loop->u.loop.extent->op == IRL_OP_INT ? loop->u.loop.extent->u.i : 0;
    /* a body that declares nothing may stand twice */
    const unsigned once = ~(1u << IRL__STORE | 1u << IRL__SEQ | 1u << IRL__IF);
    int            n = 0, width, may_rest = !irl__stmt_holds(loop->u.loop.body, once);
    while (count > 0 && n < (int)IRL__COUNTOF(parts)) {
        width = count == 1 ? 1 : irl__vector_first_width(count, may_rest);
        if (width == 0 || (width == 1 && n == 0)) return NULL;
        parts[n] = width == 1 ? irl__vector_last(cx, loop, start)
                              : irl__vector_part(state, loop, start, count / width, width);
        if (!parts[n++]) return NULL;
        start = irl__simplify(state->an,
                              irl__add(cx, start, irl_expr_index(cx, count - count % width)));
        count %= width;
    }
    return n && count == 0 ? n == 1 ? parts[0] : irl__stmt_seq(cx, n, parts) : NULL;
}

static const irl_stmt *irl__vectorize_loop(irl__rewriter *r, const irl_stmt *loop)
{
    const irl__vector_state *state = (const irl__vector_state *)r->user;
    const irl_stmt          *body =
        irl__vector_lanes(loop) ? irl__vectorize_one(r->cx, state->an, state->around, loop)
                                : irl__vectorize_count(state, loop);
    if (body || !irl__ok(r->cx)) return body;
    return irl__stmt_loop_as(r->cx, loop, IRL_SERIAL, loop->u.loop.axis, loop->u.loop.body);
}

static const irl_stmt *irl__vectorize_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__vector_state *state = (irl__vector_state *)r->user;
    int                mark = irl__bindings_mark(state->an);
    if (s->kind != IRL__FOR) return irl__rewrite_stmt_children(r, s);
    if (!irl__bind_loop(state->an, s)) return NULL;
    const irl_stmt *around = state->around;
    if (!around && irl__stmt_is_parallel(s) && s->u.loop.kind != IRL_VECTORIZED) state->around = s;
    s = irl__rewrite_stmt_children(r, s);
    state->around = around;
    if (s && s->u.loop.kind == IRL_VECTORIZED) s = irl__vectorize_loop(r, s);
    irl__bindings_release(state->an, mark);
    return s;
}

irl_func *irl__pass_vectorize(const irl_func *f)
{
    irl_ctx          *cx = f->cx;
    irl__arena_mark   mark = irl__scratch_begin(cx);
    irl__vector_state state;
    const irl_stmt   *body = NULL;
    memset(&state, 0, sizeof state);
    state.cx = cx;
    state.an = irl__analyzer_begin(cx);
    irl__rewriter r = irl__rewriter_make(cx, &state, irl__vector_keep, irl__vectorize_stmt);
    if (state.an) body = irl__rewrite_stmt(&r, f->body);
    irl__scratch_end(cx, mark);
    return irl__func_with_body(f, body);
}
