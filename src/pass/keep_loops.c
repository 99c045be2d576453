/* keep_loops.c - marks nests whose loops a person or a schedule has decided about, so that later
   passes do not change these loops.

   requires  nothing
   maintains everything; a note is added
   breaks    nothing
   cost      linear in the statements at the top: what a nest contains is known at once

   A nest is decided about if a schedule says so (note(scheduled = 1) on its outermost loop), or if
   a loop of it is bound, vectorized or unrolled, by a person or a schedule: passes make such loops
   only after this one. */
#include "pass.h"

static const irl_stmt *irl__keep_stmt(irl__rewriter *r, const irl_stmt *s)
{
    if (s->kind == IRL__STORE ||
        !irl__stmt_holds(s, IRL__HOLDS_BOUND | IRL__HOLDS_VECTORIZED | IRL__HOLDS_UNROLLED))
        return s;
    if (s->kind != IRL__FOR) return irl__rewrite_stmt_children(r, s);
    /* a bound loop is touched by no pass */
    return s->u.loop.kind == IRL_BOUND ? s : irl__stmt_set_scheduled(r->cx, s, 1);
}

irl_func *irl__pass_keep_loops(const irl_func *f)
{
    irl__rewriter r = irl__rewriter_make(f->cx, NULL, NULL, irl__keep_stmt);
    return irl__rewrite_func(&r, f);
}
