/* rewrite.c - walking and rewriting by functions of the user.

   needs     visit.c, which does the work; verify.c
   promises  a rewrite that changes nothing returns the same statement; a changed statement keeps
             places, ids and notes; a result of the user's functions is verified */
#include "ir.h"

/* ------------------------------------------------------------------ walking */

typedef struct irl__walk_state {
    const irl_walk *how;
    const irl_stmt *s; /* whose expressions are walked: they stand before the statements inside */
} irl__walk_state;

static int irl__walk_stmt(irl__visitor *v, const irl_stmt *s)
{
    irl__walk_state *q = (irl__walk_state *)v->user;
    q->s = s;
    return !q->how->stmt || q->how->stmt(q->how->user, s);
}

static void irl__walk_leave(irl__visitor *v, const irl_stmt *s)
{
    const irl__walk_state *q = (const irl__walk_state *)v->user;
    q->how->leave(q->how->user, s);
}

static int irl__walk_expr(irl__visitor *v, const irl_expr *e)
{
    const irl__walk_state *q = (const irl__walk_state *)v->user;
    return q->how->expr(q->how->user, e, q->s);
}

static void irl__walk_buffer(irl__visitor *v, const irl_buffer *b, const irl_stmt *s)
{
    const irl__walk_state *q = (const irl__walk_state *)v->user;
    (void)s; /* NULL of a load */
    q->how->buffer(q->how->user, b, q->s);
}

static irl__visitor irl__walk_by(irl__walk_state *q, const irl_walk *how)
{
    irl__visitor v = irl__visitor_make(q, how->expr ? irl__walk_expr : NULL, irl__walk_stmt);
    if (how->buffer) v.buffer = irl__walk_buffer;
    if (how->leave) v.leave = irl__walk_leave;
    return v;
}

void irl_expr_walk(const irl_expr *e, const irl_walk *how)
{
    irl__walk_state q = { how, NULL };
    if (!e || !how) return;
    irl__visitor v = irl__walk_by(&q, how);
    irl__visit_expr(&v, e);
}

void irl_stmt_walk(const irl_stmt *s, const irl_walk *how)
{
    irl__walk_state q = { how, NULL };
    if (!s || !how) return;
    irl__visitor v = irl__walk_by(&q, how);
    irl__visit_stmt(&v, s);
}

void irl_func_walk(const irl_func *f, const irl_walk *how)
{
    for (int k = 0; how && how->buffer && k < irl_func_param_count(f); k++)
        if (f->params[k].buffer) how->buffer(how->user, f->params[k].buffer, NULL);
    irl_stmt_walk(irl_func_body(f), how);
}

/* ------------------------------------------------------------------ rewriting */

typedef struct irl__remake {
    const irl_rewrite_options *how;
    irl__ptr_map               exprs;   /* since a hook for statements was called last */
    irl__ptr_map               buffers; /* each is asked about once */
} irl__remake;

/* What a user's function returned; nothing says why it returned nothing. */
static int irl__remake_gave(irl_ctx *cx, const void *found, const char *what)
{
    if (!irl__ok(cx)) return 0;
    return found || IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "the function that rewrites %s returned "
                              "NULL; to keep something, it must return it", what);
}

/* The variable that a let binds is no use of it, and is left alone. */
static const irl_expr *irl__remake_let(irl__rewriter *r, const irl_expr *e)
{
    const irl_expr *value = irl__rewrite_expr(r, e->a[1]);
    const irl_expr *body = value ? irl__rewrite_expr(r, e->a[2]) : NULL;
    if (!body || (value == e->a[1] && body == e->a[2])) return body ? e : NULL;
    return irl_expr_let(r->cx, e->a[0], value, body);
}

static const irl_expr *irl__remake_expr(irl__rewriter *r, const irl_expr *e)
{
    irl__remake    *q = (irl__remake *)r->user;
    const irl_expr *now = (const irl_expr *)irl__ptr_map_get(&q->exprs, e);
    if (now || (!q->how->expr && !q->how->buffer)) return now ? now : e;
    now = e->op == IRL_OP_LET ? irl__remake_let(r, e) : irl__rewrite_expr_children(r, e);
    if (!now) return NULL;
    if (q->how->expr) now = q->how->expr(q->how->user, r->cx, now);
    if (!irl__remake_gave(r->cx, now, "expressions")) return NULL;
    return irl__ptr_map_put(r->cx, &q->exprs, e, now) ? now : NULL;
}

static const irl_buffer *irl__remake_buffer(irl__rewriter *r, const irl_buffer *b)
{
    irl__remake      *q = (irl__remake *)r->user;
    const irl_buffer *now = (const irl_buffer *)irl__ptr_map_get(&q->buffers, b);
    if (now || !q->how->buffer) return now ? now : b;
    now = q->how->buffer(q->how->user, r->cx, b);
    if (!irl__remake_gave(r->cx, now, "buffers")) return NULL;
    return irl__ptr_map_put(r->cx, &q->buffers, b, now) ? now : NULL;
}

static const irl_stmt *irl__remake_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__remake *q = (irl__remake *)r->user;
    int          inside = !q->how->enter || q->how->enter(q->how->user, s);
    if (q->how->enter) memset(&q->exprs, 0, sizeof q->exprs);
    if (!inside) return s;
    const irl_stmt *now = irl__rewrite_stmt_children(r, s);
    if (!now || !q->how->stmt) return now;
    memset(&q->exprs, 0, sizeof q->exprs);
    now = q->how->stmt(q->how->user, r->cx, now);
    return irl__remake_gave(r->cx, now, "statements") ? now : NULL;
}

static irl__rewriter irl__remake_by(irl__remake *q, irl_ctx *cx, const irl_rewrite_options *how)
{
    irl__rewriter r = irl__rewriter_make(cx, q, irl__remake_expr, irl__remake_stmt);
    memset(q, 0, sizeof *q);
    q->how = how;
    r.buffer = irl__remake_buffer;
    return r;
}

const irl_expr *irl_expr_rewrite(irl_ctx *cx, const irl_expr *e, const irl_rewrite_options *how)
{
    irl__remake q;
    if (!cx || !e || !how || !irl__ok(cx)) return NULL;
    irl__rewriter   r = irl__remake_by(&q, cx, how);
    irl__arena_mark mark = irl__scratch_begin(cx);
    e = irl__rewrite_expr(&r, e);
    irl__scratch_end(cx, mark);
    return e;
}

const irl_stmt *irl_stmt_rewrite(irl_ctx *cx, const irl_stmt *s, const irl_rewrite_options *how)
{
    irl__remake q;
    if (!cx || !s || !how || !irl__ok(cx)) return NULL;
    irl__rewriter   r = irl__remake_by(&q, cx, how);
    irl__arena_mark mark = irl__scratch_begin(cx);
    s = irl__rewrite_stmt(&r, s);
    irl__scratch_end(cx, mark);
    return s;
}

/* The parameter over another buffer, which the user wrote the shape of where that was the old
   one's. */
static int irl__remake_param(irl__rewriter *r, irl__param *p)
{
    const irl_buffer *old = p->buffer, *now = old ? irl__remake_buffer(r, old) : NULL;
    if (!now || now == old) return !old || now;
    if (p->logical_shape == old->shape && p->logical_rank == old->rank) {
        p->logical_rank = now->rank;
        p->logical_shape = now->shape;
    }
    p->name = now->name;
    p->var = now->data;
    p->buffer = now;
    return 1;
}

static irl_func *irl__remake_func(irl__rewriter *r, const irl_func *f)
{
    irl_func *copy = irl__func_copy(r->cx, f);
    irl__param *params = IRL__COPY(r->cx, irl__param, f->params, f->param_count);
    if (!copy || !params) return NULL;
    for (int k = 0; k < f->param_count; k++)
        if (!irl__remake_param(r, &params[k])) return NULL;
    copy->params = params;
    copy->body = irl__rewrite_stmt(r, f->body);
    return copy->body ? copy : NULL;
}

irl_func *irl_func_rewrite_with(const irl_func *f, const irl_rewrite_options *how)
{
    irl__remake q;
    if (!f || !how || !irl__ok(f->cx) || !irl__verify(f)) return NULL;
    irl__rewriter   r = irl__remake_by(&q, f->cx, how);
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    irl_func       *now = irl__remake_func(&r, f);
    irl__scratch_end(f->cx, mark);
    return now && irl__verify(now) ? now : NULL;
}

irl_func *irl_func_rewrite(const irl_func *f, irl_rewrite_fn *expr, void *user)
{
    irl_rewrite_options how;
    memset(&how, 0, sizeof how);
    how.expr = expr;
    how.user = user;
    return irl_func_rewrite_with(f, &how);
}

/* ------------------------------------------------------------------ changed copies */

/* Variables, and what of their types takes their places. */
static int irl__remake_pairs(irl_ctx *cx, int count, const irl_expr *const *from,
                             const irl_expr *const *to)
{
    if (!cx || !irl__ok(cx)) return 0;
    if (count < 0 || (count && (!from || !to)))
        return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "there are no lists of %d variables and of "
                         "what replaces them", count);
    for (int k = 0; k < count; k++) {
        if (!from[k] || !to[k]) return 0;
        if (from[k]->op != IRL_OP_VAR || !irl_type_equal(from[k]->type, to[k]->type))
            return IRL__FAIL(cx, IRL_ERROR_TYPE_MISMATCH, "a variable can be replaced by an "
                             "expression of its type; found %s and %s",
                             irl__type_cstr(cx, from[k]->type), irl__type_cstr(cx, to[k]->type));
    }
    return 1;
}

const irl_expr *irl_expr_substitute(irl_ctx *cx, const irl_expr *e, int count,
                                    const irl_expr *const *from, const irl_expr *const *to)
{
    if (!e || !irl__remake_pairs(cx, count, from, to)) return NULL;
    return irl__substitute(cx, e, count, from, to);
}

const irl_stmt *irl_stmt_substitute(irl_ctx *cx, const irl_stmt *s, int count,
                                    const irl_expr *const *from, const irl_expr *const *to)
{
    if (!s || !irl__remake_pairs(cx, count, from, to)) return NULL;
    return irl__substitute_stmt(cx, s, count, from, to);
}

/* Child k of those that irl__rewrite_stmt_children meets, replaced. */
typedef struct irl__remake_child {
    const irl_stmt *child;
    int             left; /* children until the one that is replaced */
} irl__remake_child;

static const irl_stmt *irl__remake_child_of(irl__rewriter *r, const irl_stmt *s)
{
    irl__remake_child *q = (irl__remake_child *)r->user;
    return q->left-- == 0 ? q->child : s;
}

const irl_stmt *irl_stmt_set_child(irl_ctx *cx, const irl_stmt *s, int k, const irl_stmt *child)
{
    irl__remake_child q = { child, k };
    if (!cx || !s || !child || !irl__ok(cx)) return NULL;
    if (k < 0 || k >= irl_stmt_child_count(s)) {
        irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, s->loc, "it contains %d statements; there is no "
                                                      "number %d",
                  irl_stmt_child_count(s), k);
        return NULL;
    }
    irl__rewriter r = irl__rewriter_make(cx, &q, irl__rewrite_no_expr, irl__remake_child_of);
    return irl__rewrite_stmt_children(&r, s);
}

const irl_stmt *irl_stmt_set_origin(irl_ctx *cx, const irl_stmt *s, const irl_stmt *of)
{
    if (!cx || !s || !of || !irl__ok(cx)) return NULL;
    irl__block_data *b = NULL;
    irl_stmt *copy = s->kind == IRL__BLOCK ? irl__block_copy(cx, s, &b) : irl__stmt_copy(cx, s);
    if (!copy) return NULL;
    copy->loc = of->loc;
    if (copy->kind != of->kind) return copy;
    copy->id = of->id;
    /* it has notes of its own, or takes those of the other */
    if (b && !b->note_count) {
        b->notes = of->u.block->notes;
        b->note_count = of->u.block->note_count;
    }
    if (s->kind == IRL__FOR && !s->u.loop.annotation_count) {
        copy->u.loop.annotations = of->u.loop.annotations;
        copy->u.loop.annotation_count = of->u.loop.annotation_count;
    }
    return irl__stmt_finish(cx, copy);
}

irl_func *irl_func_set_body(const irl_func *f, const irl_stmt *body)
{
    return f && irl__ok(f->cx) ? irl__func_with_body(f, body) : NULL;
}
