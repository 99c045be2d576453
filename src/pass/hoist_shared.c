/* hoist_shared.c - shared memory that is allocated in a loop becomes one array for all iterations.

   requires  a kernel, flat; extents of shared memory that are numbers (private_extents): an
             allocation with another extent stays, and the emitter reports it; share_arrays before
             it, which needs to know from when to when an array is used
   maintains what is computed: each iteration has new memory, so if another work-item may use an
             element of it in the next iteration, a barrier ends the iteration
   breaks    allocations of shared memory in loops that are not bound; NULL with a diagnostic if not
             all work-items of a group would reach such a barrier
   cost      nothing without such memory; else linear in the kernel, and if no barrier ends or
             begins the loop, irl__kernel_row_meets for each access of the memory

   A device allocates the arrays of a group once, however often their loop runs; if work-items are
   loops themselves (serialize), all have ended an iteration before the next one begins. */
#include "pass.h"

typedef struct irl__hoist_state {
    irl_ctx          *cx;
    const irl_stmt   *outer, *inner; /* the loops around, not bound: the first and the last */
    const irl_stmt  **allocs;        /* of what was taken out of them; the loop of each ... */
    const irl_expr  **loops;         /* ... by its variable */
    irl__ptr_map      waits;         /* variables of the loops that a barrier is to end */
    const irl_buffer *shared;        /* one that is the reason */
} irl__hoist_state;

/* ------------------------------------------------------------------ out of the loops */

static int irl__hoist_is_alloc(const irl_stmt *s)
{
    const irl_buffer *b = s->kind == IRL__ALLOC ? s->u.alloc.buffer : NULL;
    int               k;
    if (!b || b->scope != IRL_SCOPE_SHARED || b->strides || b->offset) return 0;
    for (k = 0; k < b->rank && b->shape[k]->op == IRL_OP_INT; k++) {}
    return k == b->rank;
}

/* The loop behind what was allocated in it. */
static const irl_stmt *irl__hoist_behind(irl__hoist_state *h, const irl_stmt *loop, int first)
{
    const irl_stmt **list = NULL;
    for (; first < (int)stbds_arrlen(h->allocs); first++)
        if (!IRL__PUSH_SCRATCH(h->cx, list, h->allocs[first])) return NULL;
    return IRL__PUSH_SCRATCH(h->cx, list, loop)
               ? irl__stmt_seq(h->cx, (int)stbds_arrlen(list), list)
               : NULL;
}

static const irl_stmt *irl__hoist_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__hoist_state *h = (irl__hoist_state *)r->user;
    const irl_stmt   *outer = h->outer, *inner = h->inner, *done;
    const int         first = (int)stbds_arrlen(h->allocs);
    if (!irl__stmt_holds(s, IRL__HOLDS_SHARED)) return s;
    if (outer && irl__hoist_is_alloc(s))
        return IRL__PUSH_SCRATCH(h->cx, h->allocs, s) &&
                       IRL__PUSH_SCRATCH(h->cx, h->loops, h->inner->u.loop.var)
                   ? irl__stmt_empty(h->cx)
                   : NULL;
    if (s->kind != IRL__FOR || s->u.loop.kind == IRL_BOUND) return irl__rewrite_stmt_children(r, s);
    if (!outer) h->outer = s;
    h->inner = s;
    done = irl__rewrite_stmt_children(r, s);
    h->outer = outer;
    h->inner = inner;
    return outer || !done ? done : irl__hoist_behind(h, done, first);
}

/* ------------------------------------------------------------------ where iterations meet */

/* Is it known, by barriers of the loop alone, that no access of one iteration is beside one of the
   next? */
static int irl__hoist_is_apart(const irl__accesses *t, const irl__around *loop,
                               const irl_expr *memory)
{
    int is_behind = 1, is_before = 1; /* a barrier behind each, or in front of each */
    for (int k = loop->first; k < loop->end && (is_behind || is_before); k++) {
        if (t->list[k].memory != memory) continue;
        is_behind &= irl__fence_beside(loop->stmt->u.loop.body, &t->list[k], 1, IRL_SCOPE_SHARED);
        is_before &= irl__fence_beside(loop->stmt->u.loop.body, &t->list[k], 0, IRL_SCOPE_SHARED);
    }
    return is_behind || is_before;
}

static int irl__hoist_find_waits(irl__hoist_state *h, const irl_func *f)
{
    irl__accesses t;
    if (!irl__accesses_of(&t, f, NULL)) return 0;
    for (int k = 0; k < (int)stbds_arrlen(h->allocs); k++) {
        const irl_buffer  *b = h->allocs[k]->u.alloc.buffer;
        int                j = (int)stbds_arrlen(t.loops) - 1;
        while (j >= 0 && t.loops[j]->var != h->loops[k]) j--;
        const irl__around *loop = j < 0 ? NULL : t.loops[j];
        if (!loop || irl__hoist_is_apart(&t, loop, b->data)) continue;
        /* The outermost bound loop around. */
        const irl__around *n = loop;
        const irl__around *kernel = NULL;
        for (; n; n = n->outer)
            if (n->kind == IRL__AROUND_LOOP && irl__stmt_is_bound(n->stmt)) kernel = n;
        int                i, found = 0;
        for (i = loop->first; i < loop->end && !found; i++)
            found = t.list[i].memory == b->data &&
                    (!kernel || irl__kernel_row_meets(&t, kernel, i, NULL) != IRL_NO);
        if (!found) continue;
        h->shared = b;
        if (!irl__ptr_map_put(h->cx, &h->waits, loop->var, b)) return 0;
    }
    return irl__ok(h->cx);
}

/* ------------------------------------------------------------------ the barriers */

static const irl_stmt *irl__hoist_wait(irl__rewriter *r, const irl_stmt *s)
{
    irl__hoist_state *h = (irl__hoist_state *)r->user;
    const irl_stmt   *done = irl__rewrite_stmt_children(r, s);
    if (!done || s->kind != IRL__FOR) return done;
    if (irl__ptr_map_get(&h->waits, s->u.loop.var)) {
        irl_ctx        *cx = r->cx;
        const irl_stmt *list[2];
        list[0] = done->u.loop.body;
        list[1] = irl_stmt_barrier(cx, IRL_SCOPE_SHARED);
        return irl__stmt_loop_of(cx, done, irl__stmt_seq(cx, 2, list));
    }
    if (done == s || s->u.loop.kind != IRL_BOUND || !irl__stmt_is_items(s)) return done;
    /* A loop of work-items: no new barrier is in it, or all work-items reach it. */
    const irl_expr *decides = irl__fence_decided(h->cx, NULL, done);
    if (!decides) return done;
    irl__fail(h->cx, IRL_ERROR_BARRIER_DIVERGENT, h->shared->loc,
              "'%s' is allocated in a loop, whose iterations have one array on this target, so a "
              "barrier is needed at its end: but %s may differ between work-items of '%s', and "
              "all of a group reach a barrier, or none. Allocate it outside of the loop, in parts "
              "that no two work-items use, or let all of them run the loop",
              h->shared->name, irl_expr_text(h->cx, decides), done->u.loop.var->u.name);
    return NULL;
}

irl_func *irl__pass_hoist_shared(const irl_func *f, const irl_target *target)
{
    irl_ctx         *cx = f->cx;
    irl__hoist_state h;
    if (target->serial || !irl__stmt_holds(f->body, IRL__HOLDS_SHARED))
        return irl__func_copy(cx, f);
    memset(&h, 0, sizeof h);
    h.cx = cx;
    irl__rewriter   out = irl__rewriter_make(cx, &h, irl__rewrite_no_expr, irl__hoist_stmt);
    irl__rewriter   wait = irl__rewriter_make(cx, &h, irl__rewrite_no_expr, irl__hoist_wait);
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl_func       *result = irl__func_with_body(f, irl__rewrite_stmt(&out, f->body));
    if (result && h.allocs && !irl__hoist_find_waits(&h, result)) result = NULL;
    if (result && h.waits.count)
        result = irl__func_with_body(result, irl__rewrite_stmt(&wait, result->body));
    irl__scratch_end(cx, mark);
    return result;
}
