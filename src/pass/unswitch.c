/* unswitch.c - a choice that is the same for all iterations of an unrolled loop is made once,
   around it.

   requires  vectorize, which turns a bound on lanes into a bound on whole vectors
   maintains what is computed; the arms stay lazy
   breaks    nothing
   cost      linear in the statements; a loop that is taken apart is written twice
   source    opencl-facts: a tile with the choice in each of its stores is 20 % slower than two
             tiles

   for unrolled (t: 8) b[...] = if_then_else(c, x, y), where c does not name t and reads no memory,
   becomes if (c) for unrolled (t: 8) b[...] = x; else for unrolled (t: 8) b[...] = y. */
#include "pass.h"

/* The same loop, of a variable of its own, around a store of one arm. */
static const irl_stmt *irl__unswitch_arm(irl_ctx *cx, const irl_stmt *loop, int arm)
{
    const irl_stmt *store = loop->u.loop.body;
    const irl_expr *from = loop->u.loop.var, *to = irl_expr_var(cx, from->u.name, from->type);
    irl_stmt       *copy = irl__stmt_copy(cx, loop);
    if (!copy || !to) return NULL;
    store = irl__stmt_store(cx, store->u.store.buffer, store->u.store.value->a[arm],
                            store->u.store.buffer->rank, store->u.store.indices, store->loc);
    copy->u.loop.var = to;
    copy->u.loop.body = store ? irl__substitute_stmt(cx, store, 1, &from, &to) : NULL;
    return copy->u.loop.body ? irl__stmt_finish(cx, copy) : NULL;
}

static const irl_stmt *irl__unswitch_stmt(irl__rewriter *r, const irl_stmt *s)
{
    const irl_stmt *store = s->kind == IRL__FOR ? s->u.loop.body : NULL;
    const irl_expr *value, *condition;
    if (s->kind == IRL__STORE) return s;
    if (!store || s->u.loop.kind != IRL_UNROLLED || store->kind != IRL__STORE)
        return irl__rewrite_stmt_children(r, s);
    value = store->u.store.value;
    condition = value->op == IRL_OP_IF_THEN_ELSE ? value->a[0] : NULL;
    if (!condition || (condition->flags & IRL__HAS_MEMORY) ||
        irl__expr_uses_var(condition, s->u.loop.var))
        return s;
    return irl_stmt_if(r->cx, condition, irl__unswitch_arm(r->cx, s, 1),
                       irl__unswitch_arm(r->cx, s, 2));
}

/* Expressions that the default rewriting meets hold no statements. */
static const irl_expr *irl__unswitch_keep(irl__rewriter *r, const irl_expr *e)
{
    (void)r;
    return e;
}

irl_func *irl__pass_unswitch(const irl_func *f)
{
    irl__rewriter r = irl__rewriter_make(f->cx, NULL, irl__unswitch_keep, irl__unswitch_stmt);
    return irl__rewrite_func(&r, f);
}
