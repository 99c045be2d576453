/* run_shifts.c - keeps a number that is shifted by more in each iteration of a loop in a variable,
   which is shifted once per iteration.

   requires  a kernel, lowered; for machines that shift a bit at a time. No stage of the pipeline:
             the emitter of C asks for it where code is to be small
   maintains what is computed: x >> s, where x is an unsigned number that the loop does not change,
             and s grows by one number c with the loop's variable, becomes a variable: it has that
             value before the loop, and is shifted by c after each iteration. x >> s is computed in
             the first iteration in any case: it is under no condition, and the loop runs
   breaks    nothing
   cost      linear in the loops, for each of at most four such numbers of a loop */
#include "pass.h"

enum { IRL__MOVED_MOST = 4 };

typedef struct irl__moved_found {
    const irl_expr   *shift; /* x >> s */
    int64_t           by;    /* c */
    const irl_buffer *held;
} irl__moved_found;

typedef struct irl__moved_state {
    irl_ctx         *cx;
    irl__analyzer   *an;
    const irl_stmt  *loop;
    irl__moved_found found[IRL__MOVED_MOST];
    int              count;
} irl__moved_state;

/* ------------------------------------------------------------------ what the loop changes */

/* Does s change what e reads, or one of its variables? */
static int irl__moved_changes(const irl_stmt *s, const void *user)
{
    const irl_expr *e = (const irl_expr *)user;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__STORE: return irl__expr_reads(e, s->u.store.buffer->data);
    case IRL__ALLOC:
    case IRL__DECL: return irl__expr_reads(e, s->u.alloc.buffer->data);
    case IRL__LET: return irl__expr_uses_var(e, s->u.let.var);
    case IRL__FOR: return irl__expr_uses_var(e, s->u.loop.var);
    default: return 0;
    }
}

/* ------------------------------------------------------------------ what is kept */

/* Bits of the smallest type without sign that holds x. */
static irl_scalar irl__moved_type(irl__moved_state *q, const irl_expr *x)
{
    const int64_t hi = irl__range_of(q->an, x).hi;
    return hi <= UINT8_MAX ? IRL_U8 : hi <= UINT16_MAX ? IRL_U16 : IRL_U32;
}

/* By how much the shift grows with the loop's variable; 0: by no number that may be kept so. */
static int64_t irl__moved_step(irl__moved_state *q, const irl_expr *e)
{
    const irl_expr *by = e->a[1];
    if (by->op != IRL_OP_CAST || !irl__type_is_index(by->a[0]->type) ||
        (by->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)) || irl__range_of(q->an, by->a[0]).lo < 0 ||
        irl__range_of(q->an, by->a[0]).hi >= irl__type_info(e->type)->bits)
        return 0;
    int64_t step = irl__step_number(q->an, by->a[0], q->loop->u.loop.var);
    return step > 0 && step < 8 ? step : 0;
}

static irl__moved_found *irl__moved_of(irl__moved_state *q, const irl_expr *e)
{
    for (int k = 0; k < q->count; k++)
        if (q->found[k].shift == e) return &q->found[k];
    return NULL;
}

static int irl__moved_see_expr(irl__visitor *v, const irl_expr *e)
{
    irl__moved_state *q = (irl__moved_state *)v->user;
    if (e->op == IRL_OP_LET) return 0;
    if (irl__expr_is_lazy(e)) {
        irl__visit_expr(v, e->a[0]);
        return 0;
    }
    if (q->count == IRL__MOVED_MOST || irl__moved_of(q, e)) return 1;
    const irl_expr *x = e->count ? e->a[0] : NULL;
    if (!(e->op == IRL_OP_SHR && e->type.lanes == 1 && irl__type_is_integer(e->type) &&
          irl__range_of(q->an, x).lo >= 0 && irl__range_of(q->an, x).hi <= UINT32_MAX &&
          x->op != IRL_OP_INT) ||
        x->flags & IRL__HAS_LET || irl__expr_uses_var(x, q->loop->u.loop.var) ||
        !irl__moved_step(q, e) ||
        irl__stmt_any(q->loop->u.loop.body, irl__moved_changes, irl__expr_is_call, e))
        return 1;
    q->found[q->count].shift = e;
    q->found[q->count++].by = irl__moved_step(q, e);
    return 0;
}

/* What is done in each iteration: no branches, and loops that run. */
static int irl__moved_see_stmt(irl__visitor *v, const irl_stmt *s)
{
    (void)v;
    if (s->kind == IRL__FOR) return irl__stmt_loop_runs(s);
    return s->kind == IRL__SEQ || s->kind == IRL__STORE || s->kind == IRL__LET;
}

/* ------------------------------------------------------------------ the loop again */

static const irl_expr *irl__moved_held(irl_ctx *cx, const irl__moved_found *found)
{
    return irl__expr_load(cx, found->held, 0, NULL, irl__nowhere());
}

static const irl_expr *irl__moved_replace(irl__rewriter *r, const irl_expr *e)
{
    irl__moved_found *found = irl__moved_of((irl__moved_state *)r->user, e);
    return found ? irl_expr_cast(r->cx, e->type, irl__moved_held(r->cx, found))
                 : irl__rewrite_expr_children(r, e);
}

static const irl_stmt *irl__moved_loop(irl__moved_state *q)
{
    irl_ctx         *cx = q->cx;
    const irl_stmt **before = NULL, **body = NULL;
    const irl_expr  *var = q->loop->u.loop.var, *first;
    irl__rewriter    r = irl__rewriter_make(cx, q, irl__moved_replace, NULL);
    for (int k = 0; k < q->count; k++) {
        irl__moved_found *f = &q->found[k];
        const irl_type    type = irl_type_of(irl__moved_type(q, f->shift->a[0]), 1);
        f->held = irl__buffer_make(cx, "shifted", type, IRL_SCOPE_LOCAL, 0, NULL, NULL,
                                   q->loop->loc);
        first = irl__substitute(cx, f->shift, 1, &var, &q->loop->u.loop.min);
        first = first ? irl__simplify(q->an, irl_expr_cast(cx, type, first)) : NULL;
        if (!f->held || !first || !IRL__PUSH(cx, before, irl_stmt_alloc(cx, f->held)) ||
            !IRL__PUSH(cx, before, irl__stmt_store(cx, f->held, first, 0, NULL, q->loop->loc)))
            return NULL;
    }
    if (!IRL__PUSH(cx, body, irl__rewrite_stmt(&r, q->loop->u.loop.body))) return NULL;
    for (int k = 0; k < q->count; k++) {
        const irl_expr *now = irl__moved_held(cx, &q->found[k]);
        if (now)
            now = irl_expr_op2(cx, IRL_OP_SHR, now, irl_expr_int(cx, now->type, q->found[k].by));
        if (!IRL__PUSH(cx, body, irl__stmt_store(cx, q->found[k].held, now, 0, NULL,
                                                 q->loop->loc)))
            return NULL;
    }
    const irl_stmt *loop = irl__stmt_loop_as(cx, q->loop, IRL_SERIAL, q->loop->u.loop.axis,
                                             irl__stmt_seq(cx, (int)stbds_arrlen(body), body));
    return IRL__PUSH(cx, before, loop) ? irl__stmt_seq(cx, (int)stbds_arrlen(before), before)
                                       : NULL;
}

static const irl_stmt *irl__moved_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__analyzer   *an = (irl__analyzer *)r->user;
    irl__moved_state q;
    irl__visitor     v = irl__visitor_make(&q, irl__moved_see_expr, irl__moved_see_stmt);
    if (s->kind != IRL__FOR) return irl__rewrite_stmt_children(r, s);
    int mark = irl__bindings_mark(an);
    if (!irl__bind_loop(an, s)) return NULL;
    const irl_stmt *out = irl__rewrite_stmt_children(r, s);
    memset(&q, 0, sizeof q);
    q.cx = r->cx;
    q.an = an;
    q.loop = out;
    if (out && out->kind == IRL__FOR && out->u.loop.extent->op == IRL_OP_INT &&
        out->u.loop.extent->u.i > 1 && out->u.loop.min->op == IRL_OP_INT &&
        out->u.loop.kind != IRL_BOUND)
        irl__visit_stmt(&v, out->u.loop.body);
    if (q.count && irl__ok(r->cx)) out = irl__moved_loop(&q);
    irl__bindings_release(an, mark);
    return out;
}

irl_func *irl__run_shifts(const irl_func *f)
{
    irl_ctx        *cx = f->cx;
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__analyzer  *an = irl__analyzer_begin(cx);
    irl__rewriter   r = irl__rewriter_make(cx, an, NULL, irl__moved_stmt);
    const irl_stmt *body =
        an && irl__bind_param_sizes(an, f) ? irl__rewrite_stmt(&r, f->body) : NULL;
    irl__scratch_end(cx, mark);
    return body && irl__ok(cx) ? irl__func_with_body(f, body) : NULL;
}
