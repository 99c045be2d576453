/* simplify_func.c - simplifies every expression of a function, with what its loops and conditions
   imply.

   requires  nothing
   maintains everything that the function computes; ids and locations of statements that stay
   breaks    loops of one iteration and branches that are decided: they are removed
   cost      linear in the function, times what irl__simplify costs on an expression */
#include "pass.h"

typedef struct irl__tidy_state {
    irl_ctx       *cx;
    irl__analyzer *an;
    /* of variables that are replaced: of loops of one iteration, of lets of constants */
    irl__ptr_map values;
    irl__ptr_map shapes; /* variables in the shapes of buffers: they stay, as buffers do */
    const irl_stmt *body;
    int          is_failed;
} irl__tidy_state;

static const irl_expr *irl__tidy_substitute(irl__rewriter *r, const irl_expr *e)
{
    if (!(e->flags & IRL__HAS_VAR)) return e;
    if (e->op != IRL_OP_VAR) return irl__rewrite_expr_children(r, e);
    const irl_expr *value = (const irl_expr *)irl__ptr_map_get((const irl__ptr_map *)r->user, e);
    return value ? value : e;
}

static int irl__tidy_mentions(const irl__ptr_map *values, const irl_expr *e)
{
    if (!(e->flags & IRL__HAS_VAR)) return 0;
    if (e->op == IRL_OP_VAR) return irl__ptr_map_get(values, e) != NULL;
    for (uint32_t k = 0; k < e->count; k++)
        if (irl__tidy_mentions(values, e->a[k])) return 1;
    return 0;
}

/* The analyzer knows what integer variables are replaced by, so little is left to be
   substituted. */
static const irl_expr *irl__tidy_hook_expr(irl__rewriter *r, const irl_expr *e)
{
    irl__tidy_state *state = (irl__tidy_state *)r->user;
    irl__rewriter    substitution;
    if (e->op == IRL_OP_INT || e->op == IRL_OP_FLOAT) return e;
    e = irl__simplify(state->an, e);
    if (!e || !state->values.count || !irl__tidy_mentions(&state->values, e)) return e;
    substitution = irl__rewriter_make(r->cx, &state->values, irl__tidy_substitute, NULL);
    return irl__simplify(state->an, irl__rewrite_expr(&substitution, e));
}

/* ------------------------------------------------------------------ what is known */

static int irl__tidy_passes_on(const irl_expr *e, const void *data)
{
    return e == data ? 1 : e->flags & (IRL__HAS_VAR | IRL__HAS_MEMORY) ? 0 : -1;
}

/* Does it call, or load from what the function stores to, or passes on? */
static int irl__tidy_changes(const irl_expr *e, const void *state)
{
    if (!(e->flags & IRL__HAS_MEMORY)) return -1;
    return irl__expr_is_call(e, NULL) ||
           (e->op == IRL_OP_LOAD &&
            irl__stmt_any(((const irl__tidy_state *)state)->body, irl__stmt_is_store,
                          irl__tidy_passes_on, e->u.buffer->data));
}

/* A condition holds for as long as what it reads stays what it is: nothing that the function
   writes. Its parts by themselves. */
static int irl__tidy_fact(irl__tidy_state *state, const irl_expr *condition)
{
    if (!condition) return 0;
    if (condition->op == IRL_OP_AND)
        return irl__tidy_fact(state, condition->a[0]) && irl__tidy_fact(state, condition->a[1]);
    if (condition->op == IRL_OP_NOT && condition->a[0]->op == IRL_OP_OR)
        return irl__tidy_fact(state, irl_expr_op1(state->cx, IRL_OP_NOT, condition->a[0]->a[0])) &&
               irl__tidy_fact(state, irl_expr_op1(state->cx, IRL_OP_NOT, condition->a[0]->a[1]));
    return irl__expr_any(condition, irl__tidy_changes, state) || irl__fact(state->an, condition);
}

static int irl__tidy_may_replace(const irl__tidy_state *state, const irl_expr *var)
{
    return !irl__ptr_map_get(&state->shapes, var);
}

static int irl__tidy_replace(irl__rewriter *r, const irl_expr *var, const irl_expr *value)
{
    irl__tidy_state *state = (irl__tidy_state *)r->user;
    return irl__bind_value(state->an, var, value) &&
           irl__ptr_map_put(r->cx, &state->values, var, value);
}

/* v op c as bounds of v: [lo, hi). False for any other condition. */
static int irl__tidy_bounds(const irl_expr *condition, const irl_expr *var, int64_t *lo,
                            int64_t *hi)
{
    if (condition->count != 2 || condition->a[0] != var || condition->a[1]->op != IRL_OP_INT)
        return 0;
    int64_t c = condition->a[1]->u.i;
    if (c == INT64_MIN || c == INT64_MAX) return 0;
    switch (condition->op) {
    case IRL_OP_GE: return *lo = c, 1;
    case IRL_OP_GT: return *lo = c + 1, 1;
    case IRL_OP_LT: return *hi = c, 1;
    case IRL_OP_LE: return *hi = c + 1, 1;
    case IRL_OP_EQ: return *lo = c, *hi = c + 1, 1;
    default: return 0;
    }
}

/* for (v: lo .. hi) if (v >= c) s is for (v: c .. hi) s. Takes what it can from the front of the
   body; s itself if nothing. */
static const irl_stmt *irl__tidy_narrow(irl__rewriter *r, const irl_stmt *s)
{
    const irl_stmt *body = s->u.loop.body;
    int64_t         lo, hi, new_lo;
    if (s->u.loop.min->op != IRL_OP_INT || s->u.loop.extent->op != IRL_OP_INT ||
        s->u.loop.kind == IRL_BOUND || body->kind != IRL__IF || body->u.branch.else_ ||
        !irl__add64(s->u.loop.min->u.i, s->u.loop.extent->u.i, &hi))
        return s;
    lo = new_lo = s->u.loop.min->u.i;
    int64_t new_hi = hi;
    if (!irl__tidy_bounds(body->u.branch.condition, s->u.loop.var, &new_lo, &new_hi)) return s;
    if (new_lo < lo) new_lo = lo;
    if (new_hi > hi) new_hi = hi;
    return irl__stmt_loop_over(
        r->cx, s, s->u.loop.var, irl_expr_index(r->cx, new_lo),
        irl_expr_index(r->cx, new_hi > new_lo ? new_hi - new_lo : 0), body->u.branch.then_);
}

/* Memory that stands around the loops of work-items and is not shared: each has it for itself. */
static int irl__tidy_is_private(const irl_stmt *s, const void *user)
{
    (void)user;
    if (irl__stmt_is_bound(s) && s->u.loop.axis > IRL_GROUP_Z) return -1;
    return s->kind == IRL__ALLOC && s->u.alloc.buffer->scope != IRL_SCOPE_SHARED;
}

/* A group's loop around shared memory and a barrier, or around memory that each of its work-items
   has: without it statements that the group runs would become launches, between which that memory
   is the host's. */
static int irl__tidy_is_group(const irl_stmt *s)
{
    if (s->u.loop.kind != IRL_BOUND || s->u.loop.axis > IRL_GROUP_Z) return 0;
    if (irl__stmt_holds(s->u.loop.body, IRL__HOLDS_SHARED) &&
        irl__stmt_holds(s->u.loop.body, 1u << IRL__BARRIER))
        return 1;
    return irl__stmt_holds(s->u.loop.body, IRL__HOLDS_BOUND) &&
           irl__stmt_any(s->u.loop.body, irl__tidy_is_private, NULL, NULL);
}

static const irl_stmt *irl__tidy_loop_open(irl__rewriter *r, const irl_stmt *given)
{
    irl__tidy_state *state = (irl__tidy_state *)r->user;
    const irl_stmt  *s = irl__tidy_narrow(r, given);
    const irl_expr *min = s ? irl__rewrite_expr(r, s->u.loop.min) : NULL,
                   *extent = s ? irl__rewrite_expr(r, s->u.loop.extent) : NULL;
    if (!min || !extent) return NULL;
    if (extent->op == IRL_OP_INT && extent->u.i <= 0 && s->u.loop.kind != IRL_BOUND)
        return irl__stmt_empty(r->cx);
    /* The one iteration of a loop. That the nest is scheduled, a loop inside says then. */
    if (irl__is_int(extent, 1) && s->u.loop.annotation_count == irl__stmt_is_scheduled(s) &&
        !(min->flags & IRL__HAS_MEMORY) && irl__tidy_may_replace(state, s->u.loop.var) &&
        !irl__tidy_is_group(s)) {
        const irl_stmt *body = irl__tidy_replace(r, s->u.loop.var, min)
                                   ? irl__rewrite_stmt(r, s->u.loop.body)
                                   : NULL;
        return body && body->kind == IRL__FOR && irl__stmt_is_scheduled(s)
                   ? irl__stmt_set_scheduled(r->cx, body, 1)
                   : body;
    }
    if (!irl__bind_extent(state->an, s->u.loop.var, min, extent)) return NULL;
    const irl_stmt *body = irl__rewrite_stmt(r, s->u.loop.body);
    if (!body) return NULL;
    if (irl__stmt_is_empty(body) && s->u.loop.kind != IRL_BOUND &&
        !((min->flags | extent->flags) & IRL__HAS_MEMORY))
        return body;
    if (body == s->u.loop.body && min == s->u.loop.min && extent == s->u.loop.extent) return s;
    return irl__stmt_loop_over(r->cx, s, s->u.loop.var, min, extent, body);
}

static const irl_stmt *irl__tidy_loop(irl__rewriter *r, const irl_stmt *s)
{
    irl__tidy_state *state = (irl__tidy_state *)r->user;
    int              mark = irl__bindings_mark(state->an), facts = irl__facts_mark(state->an);
    const irl_stmt  *result = irl__tidy_loop_open(r, s);
    irl__facts_release(state->an, facts);
    irl__bindings_release(state->an, mark);
    return result;
}

static const irl_stmt *irl__tidy_arm(irl__rewriter *r, const irl_expr *condition,
                                     const irl_stmt *arm)
{
    irl__tidy_state *state = (irl__tidy_state *)r->user;
    int              mark = irl__facts_mark(state->an);
    if (!irl__tidy_fact(state, condition)) return NULL;
    const irl_stmt *result = irl__rewrite_stmt(r, arm);
    irl__facts_release(state->an, mark);
    return result;
}

static const irl_stmt *irl__tidy_branch(irl__rewriter *r, const irl_stmt *s)
{
    const irl_expr *condition = irl__rewrite_expr(r, s->u.branch.condition);
    const irl_stmt *then_, *else_ = NULL;
    if (!condition) return NULL;
    if (irl__is_int(condition, 1)) return irl__rewrite_stmt(r, s->u.branch.then_);
    if (irl__is_int(condition, 0))
        return s->u.branch.else_ ? irl__rewrite_stmt(r, s->u.branch.else_) : irl__stmt_empty(r->cx);
    then_ = irl__tidy_arm(r, condition, s->u.branch.then_);
    if (then_ && s->u.branch.else_) {
        else_ = irl__tidy_arm(r, irl_expr_op1(r->cx, IRL_OP_NOT, condition), s->u.branch.else_);
        if (!else_) return NULL;
    }
    if (then_ && irl__stmt_is_empty(then_) && (!else_ || irl__stmt_is_empty(else_)) &&
        !(condition->flags & IRL__HAS_MEMORY))
        return then_;
    return irl_stmt_if(r->cx, condition, then_, else_);
}

/* What is assumed or asserted holds for the rest of its sequence; an assertion that is proved
   goes. */
static const irl_stmt *irl__tidy_check(irl__rewriter *r, const irl_stmt *s)
{
    irl__tidy_state *state = (irl__tidy_state *)r->user;
    s = irl__rewrite_stmt_children(r, s);
    if (s && irl__is_int(s->u.check.condition, 1)) return irl__stmt_empty(r->cx);
    return s && irl__tidy_fact(state, s->u.check.condition) ? s : NULL;
}

static const irl_stmt *irl__tidy_hook_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__tidy_state *state = (irl__tidy_state *)r->user;
    const irl_stmt  *result;
    int              mark;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__FOR: return irl__tidy_loop(r, s);
    case IRL__IF: return irl__tidy_branch(r, s);
    case IRL__LET: {
        /* A let of a constant or of another variable: its value goes where it is used. */
        const irl_expr *value = irl__rewrite_expr(r, s->u.let.value);
        if (!value) return NULL;
        if ((irl__is_const(value) || value->op == IRL_OP_VAR) &&
            irl__tidy_may_replace(state, s->u.let.var))
            return irl__tidy_replace(r, s->u.let.var, value) ? irl__stmt_empty(r->cx) : NULL;
        if (irl__type_is_index(value->type) && value->type.lanes == 1 &&
            !irl__bind_value(state->an, s->u.let.var, value))
            return NULL;
        return value == s->u.let.value ? s : irl_stmt_let(r->cx, s->u.let.var, value);
    }
    case IRL__ASSUME:
    case IRL__ASSERT: return irl__tidy_check(r, s);
    case IRL__SEQ:
        mark = irl__facts_mark(state->an);
        result = irl__rewrite_stmt_children(r, s);
        irl__facts_release(state->an, mark);
        return result;
    default: return irl__rewrite_stmt_children(r, s);
    }
}

/* ------------------------------------------------------------------ what stays */

static int irl__tidy_see_shape(irl__visitor *v, const irl_expr *e)
{
    irl__tidy_state *state = (irl__tidy_state *)v->user;
    if (e->op == IRL_OP_VAR && !irl__ptr_map_put(state->cx, &state->shapes, e, e))
        state->is_failed = 1;
    return (e->flags & IRL__HAS_VAR) != 0;
}

static void irl__tidy_see_buffer(irl__visitor *v, const irl_buffer *b, const irl_stmt *s)
{
    (void)s;
    irl__visitor shape = irl__visitor_make(v->user, irl__tidy_see_shape, NULL);
    irl__visit_shape(&shape, b);
}

/* Variables in terms of which buffers are declared. */
static int irl__tidy_collect_shapes(irl__tidy_state *state, const irl_stmt *body)
{
    irl__visitor v = irl__visitor_make(state, NULL, NULL);
    v.buffer = irl__tidy_see_buffer;
    irl__visit_stmt(&v, body);
    return !state->is_failed;
}

irl_func *irl__pass_simplify(const irl_func *f)
{
    irl_ctx        *cx = f->cx;
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__tidy_state state;
    const irl_stmt *body = NULL;
    memset(&state, 0, sizeof state);
    state.cx = cx;
    state.body = f->body;
    state.an = irl__analyzer_begin(cx);
    irl__rewriter r = irl__rewriter_make(cx, &state, irl__tidy_hook_expr, irl__tidy_hook_stmt);
    if (state.an && irl__bind_param_sizes(state.an, f) &&
        irl__tidy_collect_shapes(&state, f->body))
        body = irl__rewrite_stmt(&r, f->body);
    irl__scratch_end(cx, mark);
    return irl__func_with_body(f, body);
}
