/* split_scalars.c - keeps scalars that are read from memory in temporaries, so that each kernel
   finds the earlier value.

   needs     split_kernel.c
   promises  conditions and bounds around the bound loops of a kernel are evaluated once, before its
             work-items store; otherwise each work-item would evaluate them */
#include "split.h"

/* let v = (what memory holds): kept in a temporary, from which each kernel that uses v reads it. */
int irl__split_scalar(irl__split_state *state, const irl_stmt *s)
{
    irl_ctx *cx = state->cx;
    const irl_expr *zero = irl_expr_index(cx, 0), *one = irl_expr_index(cx, 1), *var = s->u.let.var,
                   *load;
    irl_type          type = var->type;
    const irl_buffer *b;
    const irl_stmt   *store;
    if (type.scalar == IRL_BOOL) type.scalar = IRL_I8;
    if (type.scalar == IRL_INDEX) type.scalar = IRL_I64;
    b = irl__buffer_make(cx, var->u.name, type, IRL_SCOPE_GLOBAL, 1, &one, NULL, s->loc);
    if (!b) return 0;
    load = irl_expr_cast(cx, var->type, irl__expr_load(cx, b, 1, &zero, s->loc));
    store = irl__stmt_store(cx, b, irl_expr_cast(cx, type, s->u.let.value), 1, &zero, s->loc);
    const irl_stmt *alloc = irl_stmt_alloc(cx, b);
    const irl_stmt *let = irl_stmt_let(cx, var, load);
    return alloc && store && let && IRL__PUSH_SCRATCH(cx, state->allocs, alloc) &&
           IRL__PUSH_SCRATCH(cx, state->host, alloc) && irl__split_kernel(state, store) &&
           IRL__PUSH_SCRATCH(cx, state->lets, let) && IRL__PUSH_SCRATCH(cx, state->measured, var);
}

/* ------------------------------------------------------------------ around bound loops */

typedef struct irl__split_around {
    irl__split_state *state;
    const irl_stmt   *kernel;
    const irl_expr   *under;   /* the conditions around; NULL: there are none */
    int               in_loop; /* or behind a let: it has no value before the kernel */
} irl__split_around;

static const irl_expr *irl__split_head(const irl__split_around *q, const irl_expr *e)
{
    irl_ctx        *cx = q->state->cx;
    const irl_expr *value = e, *var;
    if (!irl__expr_is_stored(e, q->kernel)) return e;
    if (q->in_loop) {
        irl__fail(cx, IRL_ERROR_UNSUPPORTED, q->kernel->loc, "each work-item of a kernel evaluates "
                  "%s outside its bound loops, where other work-items may have stored before",
                  irl_expr_text(cx, e));
        return NULL;
    }
    if (q->under)
        value = irl_expr_op3(cx, IRL_OP_IF_THEN_ELSE, q->under, e, irl__zero(cx, e->type));
    var = irl_expr_var(cx, "held", e->type);
    const irl_stmt *let = irl_stmt_let(cx, var, value);
    return let && irl__split_scalar(q->state, let) ? var : NULL;
}

static const irl_stmt *irl__split_around_in(irl__split_around q, const irl_stmt *s);

static const irl_stmt *irl__split_around_if(const irl__split_around *q, const irl_stmt *s)
{
    irl__split_around in = *q;
    irl_ctx          *cx = q->state->cx;
    const irl_expr   *condition = irl__split_head(q, s->u.branch.condition);
    const irl_stmt   *then_, *else_ = s->u.branch.else_;
    if (!condition) return NULL;
    in.under = irl__and(cx, q->under, condition);
    then_ = in.under ? irl__split_around_in(in, s->u.branch.then_) : NULL;
    if (then_ && else_) {
        in.under = irl_expr_op1(cx, IRL_OP_NOT, condition);
        in.under = in.under ? irl__and(cx, q->under, in.under) : NULL;
        else_ = in.under ? irl__split_around_in(in, else_) : NULL;
        if (!else_) return NULL;
    }
    if (condition == s->u.branch.condition && then_ == s->u.branch.then_ &&
        else_ == s->u.branch.else_)
        return s;
    return irl_stmt_if(cx, condition, then_, else_);
}

static const irl_stmt *irl__split_around_in(irl__split_around q, const irl_stmt *s)
{
    if (!irl__stmt_holds(s, IRL__HOLDS_BOUND) || irl__stmt_is_bound(s)) return s;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__IF: return irl__split_around_if(&q, s);
    case IRL__FOR: {
        const irl_expr *min = irl__split_head(&q, s->u.loop.min),
                       *extent = min ? irl__split_head(&q, s->u.loop.extent) : NULL;
        q.in_loop = 1;
        return irl__stmt_loop_over(q.state->cx, s, s->u.loop.var, min, extent,
                                   extent ? irl__split_around_in(q, s->u.loop.body) : NULL);
    }
    case IRL__ATTR:
        return irl_stmt_set_child(q.state->cx, s, 0, irl__split_around_in(q, s->u.attr.body));
    case IRL__SEQ: {
        irl_ctx         *cx = q.state->cx;
        const irl_stmt **list = IRL__COPY(cx, const irl_stmt *, s->u.seq.stmts, s->u.seq.count);
        for (int k = 0; list && k < s->u.seq.count; k++) {
            q.in_loop |= list[k]->kind == IRL__LET;
            if (list[k]->kind == IRL__LET && !irl__split_head(&q, list[k]->u.let.value))
                return NULL;
            list[k] = irl__split_around_in(q, list[k]);
            if (!list[k]) return NULL;
        }
        return irl__stmt_seq(cx, s->u.seq.count, list);
    }
    default: return s; /* irl__split_launches has refused it */
    }
}

const irl_stmt *irl__split_heads(irl__split_state *state, const irl_stmt *s)
{
    irl__split_around q = { state, s, NULL, 0 };
    return irl__split_around_in(q, s);
}
