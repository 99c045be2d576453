/* unswitch.c - a choice that is the same for all iterations of a loop is made once, around the
   loop.

   requires  vectorize, which turns a bound on lanes into a bound on whole vectors
   maintains what is computed; the arms stay lazy
   breaks    nothing
   cost      linear in the statements, and a proof for each part of a choice; a loop that is divided
             is copied, with the loops in it, and its other arm once for each loop around
   why       a tile with the choice in each of its stores is 20 % slower than two tiles

   for unrolled (t: 8) b[...] = if_then_else(c, x, y), where c does not name t and reads no memory,
   becomes if (c) for unrolled (t: 8) b[...] = x; else for unrolled (t: 8) b[...] = y. Of c && d,
   where d names t, c alone goes out, and of d && c only a c that is proved to have a value without
   d. A loop around such a tile whose body is that choice alone is taken apart in the same way, if
   it runs at least once. */
#include "pass.h"

/* ------------------------------------------------------------------ conditions */

/* What is known where a loop stands. */
typedef struct irl__unswitch {
    irl_ctx       *cx;
    irl__analyzer *an;
} irl__unswitch;

/* The parts of the condition of a loop: those that stay inside, and those that go out. */
typedef struct irl__unswitch_choice {
    const irl_expr *var;
    int             runs; /* the loop runs at least once, whatever the values are */
    const irl_expr *out, *in; /* NULL: there are none */
} irl__unswitch_choice;

/* A part that the first iteration looks at before all others has a value there; another one has
   one if it is proved to: what stands in front of it may be the reason why a sum of it fits. Parts
   that go out keep their order. */
static int irl__unswitch_may_go(irl__unswitch *u, const irl__unswitch_choice *c, const irl_expr *e)
{
    return !irl__expr_uses_var(e, c->var) &&
           ((c->runs && !c->in) || !irl__undefined_part(u->an, e));
}

static int irl__unswitch_part(irl__unswitch *u, const irl_expr *e, irl__unswitch_choice *c)
{
    if (e->op == IRL_OP_AND && e->type.lanes == 1)
        return irl__unswitch_part(u, e->a[0], c) && irl__unswitch_part(u, e->a[1], c);
    const irl_expr **part = irl__unswitch_may_go(u, c, e) ? &c->out : &c->in;
    *part = irl__and(u->cx, *part, e);
    return *part && (part == &c->in || irl__fact(u->an, e));
}

static int irl__unswitch_parts(irl__unswitch *u, const irl_stmt *loop, const irl_expr *condition,
                               irl__unswitch_choice *c)
{
    int mark = irl__facts_mark(u->an), ok;
    memset(c, 0, sizeof *c);
    c->var = loop->u.loop.var;
    c->runs = irl__stmt_loop_runs(loop);
    ok = irl__unswitch_part(u, condition, c);
    irl__facts_release(u->an, mark);
    return ok;
}

/* ------------------------------------------------------------------ a tile of stores */

/* The same loop, of a variable of its own, around a store of that value. */
static const irl_stmt *irl__unswitch_arm(irl_ctx *cx, const irl_stmt *loop, const irl_expr *value)
{
    return irl__stmt_loop_renewed(cx, loop,
                                  value ? irl__stmt_store_of(cx, loop->u.loop.body, value) : NULL);
}

/* ------------------------------------------------------------------ a loop around it */

/* Is something else declared there than loops, or a kernel begun? */
static int irl__unswitch_is_let(const irl_expr *e, const void *user)
{
    (void)user;
    return (e->flags & IRL__HAS_LET) != 0;
}

static int irl__unswitch_is_other(const irl_stmt *s, const void *user)
{
    (void)user;
    return s->kind != IRL__STORE && s->kind != IRL__IF && s->kind != IRL__SEQ &&
           (s->kind != IRL__FOR || irl__stmt_is_parallel(s));
}

/* Loops of variables of their own. */
static const irl_stmt *irl__unswitch_renew(irl__rewriter *r, const irl_stmt *s)
{
    if (s->kind == IRL__STORE) return s;
    s = irl__rewrite_stmt_children(r, s);
    return s && s->kind == IRL__FOR ? irl__stmt_loop_renewed(r->cx, s, s->u.loop.body) : s;
}

/* The loop around that body, nothing of which is that of another copy. */
static const irl_stmt *irl__unswitch_around(irl_ctx *cx, const irl_stmt *loop, const irl_stmt *body)
{
    irl__rewriter r = irl__rewriter_make(cx, NULL, irl__rewrite_no_expr, irl__unswitch_renew);
    return irl__rewrite_stmt(&r, irl__stmt_loop_of(cx, loop, body));
}

/* A loop around a tile whose body is a choice alone. Where a part stays, the other arm is written
   twice: not one that chooses itself, or of arms within arms each would double the text. */
static const irl_stmt *irl__unswitch_loop(irl__unswitch *u, const irl_stmt *s)
{
    irl_ctx             *cx = u->cx;
    const irl_stmt      *body = s->u.loop.body, *yes, *no;
    irl__unswitch_choice c;
    if (body->kind != IRL__IF || !body->u.branch.else_ || !irl__stmt_loop_runs(s) ||
        (body->u.branch.condition->flags & IRL__HAS_MEMORY) ||
        !irl__stmt_holds(s, IRL__HOLDS_UNROLLED) ||
        irl__stmt_any(s, irl__unswitch_is_other, irl__unswitch_is_let, NULL))
        return s;
    if (!irl__unswitch_parts(u, s, body->u.branch.condition, &c)) return NULL;
    no = body->u.branch.else_;
    if (!c.out || (c.in && irl__stmt_holds(no, 1u << IRL__IF))) return s;
    yes = c.in ? irl_stmt_if(cx, c.in, body->u.branch.then_, no) : body->u.branch.then_;
    return irl_stmt_if(cx, c.out, irl__unswitch_around(cx, s, yes),
                       irl__unswitch_around(cx, s, no));
}

/* ------------------------------------------------------------------ the pass */

static const irl_stmt *irl__unswitch_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__unswitch *u = (irl__unswitch *)r->user;
    if (s->kind == IRL__STORE) return s;
    if (s->kind != IRL__FOR) return irl__rewrite_known(r, u->an, s);
    if (s->u.loop.kind == IRL_UNROLLED && s->u.loop.body->kind == IRL__STORE) {
        irl_ctx             *cx = u->cx;
        const irl_expr      *value = s->u.loop.body->u.store.value, *yes;
        irl__unswitch_choice c;
        if (value->op != IRL_OP_IF_THEN_ELSE || (value->a[0]->flags & IRL__HAS_MEMORY) ||
            value->a[0]->type.lanes != 1)
            return s;
        if (!irl__unswitch_parts(u, s, value->a[0], &c)) return NULL;
        if (!c.out) return s;
        yes = c.in ? irl_expr_op3(cx, IRL_OP_IF_THEN_ELSE, c.in, value->a[1], value->a[2])
                   : value->a[1];
        return irl_stmt_if(cx, c.out, irl__unswitch_arm(cx, s, yes),
                           irl__unswitch_arm(cx, s, value->a[2]));
    }
    s = irl__rewrite_known(r, u->an, s);
    return s ? irl__unswitch_loop(u, s) : NULL;
}

irl_func *irl__pass_unswitch(const irl_func *f)
{
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    irl__unswitch   u;
    irl__rewriter   r = irl__rewriter_make(f->cx, &u, irl__rewrite_no_expr, irl__unswitch_stmt);
    const irl_stmt *body = NULL;
    u.cx = f->cx;
    u.an = irl__analyzer_begin(f->cx);
    if (u.an && irl__bind_param_sizes(u.an, f)) body = irl__rewrite_stmt(&r, f->body);
    irl__scratch_end(f->cx, mark);
    return irl__func_with_body(f, body);
}
