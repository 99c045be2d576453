/* unswitch.c - a choice that is the same for all iterations of a loop is made once, around it.

   requires  vectorize, which turns a bound on lanes into a bound on whole vectors
   maintains what is computed; the arms stay lazy
   breaks    nothing
   cost      linear in the statements; a loop that is taken apart is written twice, with those in it
   source    opencl-facts: a tile with the choice in each of its stores is 20 % slower than two
             tiles; loop unswitching, as compilers have it

   for unrolled (t: 8) b[...] = if_then_else(c, x, y), where c does not name t and reads no memory,
   becomes if (c) for unrolled (t: 8) b[...] = x; else for unrolled (t: 8) b[...] = y. Of c && d,
   where d names t, c alone goes out. A loop around such a tile whose body is that choice alone is
   taken apart in the same way, if it runs at least once. */
#include "pass.h"

/* ------------------------------------------------------------------ conditions */

/* Sums and comparisons have a value wherever they stand; of others a condition in front may be the
   reason that they have one. */
static int irl__unswitch_is_partial(const irl_expr *e, const void *user)
{
    (void)user;
    switch (e->op) {
    case IRL_OP_VAR: case IRL_OP_INT: case IRL_OP_ADD: case IRL_OP_SUB: case IRL_OP_MUL:
    case IRL_OP_LT: case IRL_OP_LE: case IRL_OP_GT: case IRL_OP_GE: case IRL_OP_EQ: case IRL_OP_NE:
        return 0;
    default: return 1;
    }
}

/* The parts of a condition that stay inside of the loop, and those that do not name its variable
   and go out; NULL: there are none. */
static int irl__unswitch_parts(irl_ctx *cx, const irl_expr *e, const irl_expr *var,
                               const irl_expr **out, const irl_expr **in)
{
    const irl_expr **part = out;
    if (irl__expr_uses_var(e, var) || (*in && irl__expr_any(e, irl__unswitch_is_partial, NULL)))
        part = in;
    if (e->op == IRL_OP_AND && e->type.lanes == 1)
        return irl__unswitch_parts(cx, e->a[0], var, out, in) &&
               irl__unswitch_parts(cx, e->a[1], var, out, in);
    *part = *part ? irl_expr_op2(cx, IRL_OP_AND, *part, e) : e;
    return *part != NULL;
}

/* ------------------------------------------------------------------ a tile of stores */

/* The same loop, of a variable of its own, around a store of that value. */
static const irl_stmt *irl__unswitch_arm(irl_ctx *cx, const irl_stmt *loop, const irl_expr *value)
{
    const irl_stmt *store = loop->u.loop.body;
    const irl_expr *from = loop->u.loop.var, *to = irl_expr_var(cx, from->u.name, from->type);
    irl_stmt       *copy = irl__stmt_copy(cx, loop);
    if (!copy || !to || !value) return NULL;
    store = irl__stmt_store(cx, store->u.store.buffer, value, store->u.store.buffer->rank,
                            store->u.store.indices, store->loc);
    copy->u.loop.var = to;
    copy->u.loop.body = store ? irl__substitute_stmt(cx, store, 1, &from, &to) : NULL;
    return copy->u.loop.body ? irl__stmt_finish(cx, copy) : NULL;
}

/* Does the loop run at least once, whatever the values are? */
static int irl__unswitch_runs(const irl_stmt *loop)
{
    return loop->u.loop.extent->op == IRL_OP_INT && loop->u.loop.extent->u.i >= 1;
}

static const irl_stmt *irl__unswitch_tile(irl_ctx *cx, const irl_stmt *s)
{
    const irl_expr *value = s->u.loop.body->u.store.value, *out = NULL, *in = NULL, *yes;
    if (value->op != IRL_OP_IF_THEN_ELSE || (value->a[0]->flags & IRL__HAS_MEMORY) ||
        value->a[0]->type.lanes != 1)
        return s;
    if (!irl__unswitch_parts(cx, value->a[0], s->u.loop.var, &out, &in)) return NULL;
    if (!out || (irl__expr_any(out, irl__unswitch_is_partial, NULL) && !irl__unswitch_runs(s)))
        return s;
    yes = in ? irl_expr_op3(cx, IRL_OP_IF_THEN_ELSE, in, value->a[1], value->a[2]) : value->a[1];
    return irl_stmt_if(cx, out, irl__unswitch_arm(cx, s, yes),
                       irl__unswitch_arm(cx, s, value->a[2]));
}

/* ------------------------------------------------------------------ a loop around it */

/* Is something else declared there than loops, or a kernel begun? */
typedef struct irl__unswitch {
    int is_other;
} irl__unswitch;

static int irl__unswitch_see_let(irl__visitor *v, const irl_expr *e)
{
    ((irl__unswitch *)v->user)->is_other |= e->op == IRL_OP_LET;
    return (e->flags & IRL__HAS_LET) != 0;
}

static int irl__unswitch_see(irl__visitor *v, const irl_stmt *s)
{
    ((irl__unswitch *)v->user)->is_other |=
        s->kind != IRL__STORE && s->kind != IRL__IF && s->kind != IRL__SEQ &&
        (s->kind != IRL__FOR ||
         (s->u.loop.kind != IRL_SERIAL && s->u.loop.kind != IRL_UNROLLED));
    return 1;
}

/* Loops of variables of their own. */
static const irl_stmt *irl__unswitch_renew(irl__rewriter *r, const irl_stmt *s)
{
    const irl_expr *from, *to;
    irl_stmt       *copy;
    if (s->kind == IRL__STORE) return s;
    s = irl__rewrite_stmt_children(r, s);
    if (!s || s->kind != IRL__FOR) return s;
    from = s->u.loop.var;
    to = irl_expr_var(r->cx, from->u.name, from->type);
    copy = to ? irl__stmt_copy(r->cx, s) : NULL;
    if (!copy) return NULL;
    copy->u.loop.var = to;
    copy->u.loop.body = irl__substitute_stmt(r->cx, s->u.loop.body, 1, &from, &to);
    return copy->u.loop.body ? irl__stmt_finish(r->cx, copy) : NULL;
}

/* Expressions that the default rewriting meets hold no statements. */
static const irl_expr *irl__unswitch_keep(irl__rewriter *r, const irl_expr *e)
{
    (void)r;
    return e;
}

/* The loop around that body, nothing of which is that of another copy. */
static const irl_stmt *irl__unswitch_around(irl_ctx *cx, const irl_stmt *loop, const irl_stmt *body)
{
    irl__rewriter r = irl__rewriter_make(cx, NULL, irl__unswitch_keep, irl__unswitch_renew);
    irl_stmt     *copy = body ? irl__stmt_copy(cx, loop) : NULL;
    if (!copy) return NULL;
    copy->u.loop.body = body;
    return irl__stmt_finish(cx, copy) ? irl__rewrite_stmt(&r, copy) : NULL;
}

/* A loop around a tile whose body is a choice alone. */
static const irl_stmt *irl__unswitch_loop(irl_ctx *cx, const irl_stmt *s)
{
    const irl_stmt *body = s->u.loop.body, *yes, *no;
    const irl_expr *where, *out = NULL, *in = NULL;
    irl__unswitch   q;
    irl__visitor    v = irl__visitor_make(&q, irl__unswitch_see_let, irl__unswitch_see);
    if (body->kind != IRL__IF || !body->u.branch.else_ || !irl__unswitch_runs(s) ||
        !irl__stmt_holds(s, IRL__HOLDS_UNROLLED))
        return s;
    where = body->u.branch.condition;
    q.is_other = (where->flags & IRL__HAS_MEMORY) != 0;
    irl__visit_stmt(&v, s);
    if (q.is_other) return s;
    if (!irl__unswitch_parts(cx, where, s->u.loop.var, &out, &in)) return NULL;
    if (!out) return s;
    no = body->u.branch.else_;
    yes = in ? irl_stmt_if(cx, in, body->u.branch.then_, no) : body->u.branch.then_;
    return irl_stmt_if(cx, out, irl__unswitch_around(cx, s, yes), irl__unswitch_around(cx, s, no));
}

static const irl_stmt *irl__unswitch_stmt(irl__rewriter *r, const irl_stmt *s)
{
    if (s->kind == IRL__STORE) return s;
    if (s->kind == IRL__FOR && s->u.loop.kind == IRL_UNROLLED &&
        s->u.loop.body->kind == IRL__STORE)
        return irl__unswitch_tile(r->cx, s);
    s = irl__rewrite_stmt_children(r, s);
    return s && s->kind == IRL__FOR ? irl__unswitch_loop(r->cx, s) : s;
}

irl_func *irl__pass_unswitch(const irl_func *f)
{
    irl__rewriter r = irl__rewriter_make(f->cx, NULL, irl__unswitch_keep, irl__unswitch_stmt);
    return irl__rewrite_func(&r, f);
}
