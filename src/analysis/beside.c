/* beside.c - stores next to the loops that are bound to an axis: every work-item of that axis
   executes them.

   needs     only the statements of one kernel, which is an outermost bound loop
   promises  finds the first store to memory that all work-items see, outside of the loops of an
             axis with more than one work-item, while the sequence around the store contains such a
             loop. An index, a condition or a bound that is read from memory may nevertheless
             restrict the store to one work-item: such stores count only if the question is whether
             there may be one
   cost      linear in the kernel for each sequence in it, times the axes */
#include "analysis.h"

typedef struct irl__beside {
    irl_ctx        *cx;
    irl_axis        axis;
    unsigned        axes;      /* that loops of the kernel are bound to */
    int             certain;   /* stores that may be a work-item's own do not count */
    irl__ptr_map    read;      /* lets that depend on memory */
    irl__ptr_map    own;       /* memory that is allocated in the kernel: each work-item's own */
    int             uses_axis; /* a loop of it, of one iteration only where that may change */
    const irl_stmt *store;     /* outside of such a loop */
    const irl_stmt *found;
} irl__beside;

/* Work-items may see different values of e. */
static int irl__beside_differs(irl__beside *q, const irl_expr *e)
{
    if (!e) return 0;
    if (e->flags & IRL__HAS_MEMORY) return 1;
    if (e->op == IRL_OP_VAR) return irl__ptr_map_get(&q->read, e) != NULL;
    for (uint32_t k = 0; (e->flags & IRL__HAS_VAR) && k < e->count; k++)
        if (irl__beside_differs(q, e->a[k])) return 1;
    return 0;
}

/* Whether a work-item reaches what is in s may depend on what it has in memory. */
static int irl__beside_chooses(irl__beside *q, const irl_stmt *s)
{
    int k;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__IF: return irl__beside_differs(q, s->u.branch.condition);
    case IRL__FOR:
        return irl__beside_differs(q, s->u.loop.min) || irl__beside_differs(q, s->u.loop.extent);
    case IRL__BLOCK:
        for (k = 0; k < s->u.block->axis_count; k++)
            if (irl__beside_differs(q, s->u.block->axes[k].binding)) return 1;
        return irl__beside_differs(q, s->u.block->predicate);
    default: return 0;
    }
}

static int irl__beside_is_common(irl__beside *q, const irl_stmt *s)
{
    const irl_buffer *b = s->u.store.buffer;
    const int         is_private = b->scope == IRL_SCOPE_LOCAL || b->scope == IRL_SCOPE_SHARED;
    /* in a kernel that is lowered such memory is own, wherever it is declared; shared memory is the
       group's, all of whose work-items would store to it */
    if (q->certain && is_private) return 0;
    if (irl__ptr_map_get(&q->own, b->data) &&
        !(!q->certain && b->scope == IRL_SCOPE_SHARED && q->axis > IRL_GROUP_Z))
        return 0;
    for (int k = 0; q->certain && k < b->rank; k++)
        if (irl__beside_differs(q, s->u.store.indices[k])) return 0;
    return 1;
}

static int irl__beside_see_stmt(irl__visitor *v, const irl_stmt *s)
{
    irl__beside *q = (irl__beside *)v->user;
    if (irl__stmt_is_bound(s) && s->u.loop.axis == q->axis) {
        const irl_expr *extent = s->u.loop.extent;
        q->uses_axis |= !q->certain || extent->op != IRL_OP_INT || extent->u.i > 1;
        return 0;
    }
    if (q->certain && irl__beside_chooses(q, s)) return 0;
    if (s->kind == IRL__STORE && !q->store && irl__beside_is_common(q, s)) q->store = s;
    return 1;
}

/* In a sequence, does one statement use the axis, and another store for all to see? */
static int irl__beside_see_seq(irl__visitor *v, const irl_stmt *s)
{
    irl__beside *q = (irl__beside *)v->user;
    irl__visitor w = irl__visitor_make(q, NULL, irl__beside_see_stmt);
    int          k, uses = 0;
    if (s->kind != IRL__SEQ) return !q->certain || !irl__beside_chooses(q, s);
    q->store = NULL;
    for (k = 0; k < s->u.seq.count; k++) {
        q->uses_axis = 0;
        irl__visit_stmt(&w, s->u.seq.stmts[k]);
        uses |= q->uses_axis;
    }
    if (uses && q->store && !q->found) q->found = q->store;
    return 1;
}

/* What the kernel has: lets that depend on memory, memory, axes. */
static int irl__beside_see_kernel(irl__visitor *v, const irl_stmt *s)
{
    irl__beside *q = (irl__beside *)v->user;
    if (s->kind == IRL__LET && irl__beside_differs(q, s->u.let.value))
        (void)irl__ptr_map_put(q->cx, &q->read, s->u.let.var, s);
    if (irl__stmt_is_bound(s)) q->axes |= 1u << s->u.loop.axis;
    if (s->kind == IRL__ALLOC)
        (void)irl__ptr_map_put(q->cx, &q->own, s->u.alloc.buffer->data, s);
    for (int k = 0; s->kind == IRL__BLOCK && k < s->u.block->alloc_count; k++)
        (void)irl__ptr_map_put(q->cx, &q->own, s->u.block->allocs[k]->data, s);
    return 1;
}

const irl_stmt *irl__store_beside(irl_ctx *cx, const irl_stmt *kernel, int certain, irl_axis *axis)
{
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__beside     q;
    memset(&q, 0, sizeof q);
    q.cx = cx;
    q.certain = certain;
    irl__visitor v = irl__visitor_make(&q, NULL, irl__beside_see_kernel);
    irl__visit_stmt(&v, kernel);
    v = irl__visitor_make(&q, NULL, irl__beside_see_seq);
    for (int k = 0; k < (int)IRL__AXIS_COUNT && !q.found; k++) {
        if (!(q.axes >> k & 1)) continue;
        q.axis = (irl_axis)k;
        irl__visit_stmt(&v, kernel);
    }
    *axis = q.axis;
    irl__scratch_end(cx, mark);
    return q.found;
}
