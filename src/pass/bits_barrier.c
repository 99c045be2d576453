/* bits_barrier.c - two accesses of bytes of bits, by two work-items of a group: is there a barrier
   between them in every run?

   requires  the table of accesses
   promises  NO where all iterations that meet are kept apart by a barrier that stands in the path
             of both. A barrier that a work-item reaches is reached by all of its group, which the
             interpreter sees to; so what stands behind one in a list of statements, for a work-item
             that does it, is behind it for all
   cost      where there is no barrier that of irl__loop_carries_between; else two more questions
             for each serial loop around both

   Where a loop inside of the work-items' is around both accesses, they are apart in one iteration
   if a barrier stands between them; across iterations if one stands behind the earlier or in front
   of the later one, in what the loop repeats. A serial loop of the kernel that stands around the
   work-items' is run by each of them in its own time: two may be in different iterations of it,
   unless a barrier stands there. */
#include "legalize_bits.h"

enum { IRL__FENCE_LOOPS = 16 };

typedef struct irl__bitbuf_fence {
    irl__accesses     *t;
    const irl__around *loop;
    const irl__access *a, *b;
    irl_scope          scope; /* of barriers that order their memory */
    irl__meeting      *m;
    int                count; /* serial loops around both, from outside; what is asked of each */
    const irl_stmt    *loops[IRL__FENCE_LOOPS];
    uint8_t            relation[IRL__FENCE_LOOPS];
} irl__bitbuf_fence;

/* ------------------------------------------------------------------ the way to an access */

static int irl__fence_see(irl__visitor *v, const irl_stmt *s)
{
    irl__bitbuf_fence *q = (irl__bitbuf_fence *)v->user;
    q->count += s == q->a->place;
    return 1;
}

/* How often a statement stands in s. */
static int irl__fence_times(const irl_stmt *s, const irl__access *a)
{
    irl__bitbuf_fence q;
    irl__visitor      v = irl__visitor_make(&q, NULL, irl__fence_see);
    q.a = a;
    q.count = 0;
    irl__visit_stmt(&v, s);
    return q.count;
}

/* In which statement of a list the access is; -1: in none, or in several. */
static int irl__fence_at(const irl_stmt *list, const irl__access *a)
{
    int k, at = -1;
    for (k = 0; k < list->u.seq.count; k++) {
        const int times = irl__fence_times(list->u.seq.stmts[k], a);
        if (times > 1 || (times && at >= 0)) return -1;
        if (times) at = k;
    }
    return at;
}

/* What stands in s on the way to the access; NULL: it is not known. */
static const irl_stmt *irl__fence_inner(const irl_stmt *s, const irl__access *a)
{
    int at;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ: at = irl__fence_at(s, a); return at < 0 ? NULL : s->u.seq.stmts[at];
    case IRL__FOR: return s->u.loop.body;
    case IRL__ATTR: return s->u.attr.body;
    case IRL__IF:
        at = irl__fence_times(s->u.branch.then_, a);
        if (s->u.branch.else_ && irl__fence_times(s->u.branch.else_, a))
            return at ? NULL : s->u.branch.else_;
        return at ? s->u.branch.then_ : NULL;
    default: return NULL;
    }
}

/* Does a barrier stand between two places of a list? */
static int irl__fence_between(const irl__bitbuf_fence *q, const irl_stmt *list, int from, int to)
{
    int k;
    for (k = from + 1; k < to; k++)
        if (list->u.seq.stmts[k]->kind == IRL__BARRIER &&
            list->u.seq.stmts[k]->u.barrier.scope == q->scope)
            return 1;
    return 0;
}

/* Does one stand in s behind the access, or in front of it, wherever the access is done? */
static int irl__fence_beside(const irl__bitbuf_fence *q, const irl_stmt *s, const irl__access *a,
                             int behind)
{
    for (; s && s != a->place; s = irl__fence_inner(s, a)) {
        const int at = s->kind == IRL__SEQ ? irl__fence_at(s, a) : -1;
        if (at >= 0 && (behind ? irl__fence_between(q, s, at, s->u.seq.count)
                               : irl__fence_between(q, s, -1, at)))
            return 1;
    }
    return 0;
}

/* ------------------------------------------------------------------ the question */

static irl_answer irl__fence_ask(irl__bitbuf_fence *q)
{
    return irl__loop_carries_inside(q->t, q->loop, q->a, q->b, q->count, q->loops, q->relation,
                                    q->m);
}

/* Two iterations of a serial loop, that of a before that of b, or behind. */
static irl_answer irl__fence_across(irl__bitbuf_fence *q, const irl_stmt *body, int is_before)
{
    const irl__access *first = is_before ? q->a : q->b, *then = is_before ? q->b : q->a;
    if (irl__fence_beside(q, body, first, 1) || irl__fence_beside(q, body, then, 0)) return IRL_NO;
    q->relation[q->count - 1] = is_before ? IRL__BEFORE : IRL__AFTER;
    return irl__fence_ask(q);
}

static irl_answer irl__fence_loop(irl__bitbuf_fence *q, const irl_stmt *s)
{
    irl_answer answer;
    q->loops[q->count++] = s;
    answer = irl__fence_across(q, s->u.loop.body, 1);
    if (answer == IRL_NO) answer = irl__fence_across(q, s->u.loop.body, 0);
    q->relation[q->count - 1] = IRL__SAME;
    return answer;
}

/* Down the way that both have, in one iteration of all loops that were passed. */
static irl_answer irl__fence_walk(irl__bitbuf_fence *q, const irl_stmt *s)
{
    irl_answer answer = IRL_NO;
    while (answer == IRL_NO) {
        const irl_stmt *x = irl__fence_inner(s, q->a), *y = irl__fence_inner(s, q->b);
        if (s->kind == IRL__SEQ && x && y && x != y) {
            const int i = irl__fence_at(s, q->a), j = irl__fence_at(s, q->b);
            if (irl__fence_between(q, s, i < j ? i : j, i < j ? j : i)) return IRL_NO;
        }
        if (!x || x != y || q->count == IRL__FENCE_LOOPS) return irl__fence_ask(q);
        if (s->kind == IRL__FOR && s->u.loop.kind != IRL_BOUND) answer = irl__fence_loop(q, s);
        s = x;
    }
    return answer;
}

/* Is it in loops that one work-item does, or that are local, alone? */
static int irl__fence_is_item(const irl__around *loop, const irl__access *a)
{
    const irl__around *n = a->around;
    for (; n && n != loop; n = n->outer) {
        const irl_stmt *s = n->kind == IRL__AROUND_LOOP ? n->stmt : NULL;
        if (!s || s->u.loop.kind == IRL_SERIAL || s->u.loop.kind == IRL_UNROLLED) continue;
        if (s->u.loop.kind != IRL_BOUND || s->u.loop.axis < IRL_LOCAL_X ||
            s->u.loop.axis > IRL_LOCAL_Z)
            return 0;
    }
    return n == loop;
}

/* How iterations of a loop around both that meet are apart, where two work-items of `loop` do them:
   a serial loop in a kernel, outside of `loop`, is run by each of them in its own time, unless a
   barrier stands in it. */
static uint8_t irl__fence_relation(const irl__around *loop, const irl__around *at, int *is_own)
{
    const irl__around *n;
    int                in_kernel = 0;
    for (n = at->outer; n; n = n->outer)
        in_kernel |= n->kind == IRL__AROUND_LOOP && n->stmt->u.loop.kind == IRL_BOUND;
    for (n = loop; n && n != at; n = n->outer) {}
    if (!n) return IRL__ANY; /* inside of the work-items' loop */
    if (!in_kernel || at->stmt->u.loop.kind == IRL_BOUND ||
        irl__stmt_holds(at->stmt, 1u << IRL__BARRIER))
        return IRL__SAME;
    *is_own = 1;
    return IRL__ANY;
}

/* Two work-items, in different iterations of serial loops of the kernel that stand around them. */
static irl_answer irl__fence_outside(irl__accesses *t, const irl__around *loop,
                                     const irl__access *a, const irl__access *b, irl__meeting *m)
{
    irl__pair *p = irl__pair_begin(t, a, b, IRL__PAIR_STEPS);
    uint8_t    relation[IRL_MAX_DEPTH];
    int        k, at = -1, is_own = 0;
    irl_answer answer;
    if (!p) return IRL_UNKNOWN;
    for (k = 0; k < irl__pair_loop_count(p); k++) {
        relation[k] = irl__fence_relation(loop, irl__pair_loop(p, k), &is_own);
        if (irl__pair_loop(p, k)->stmt == loop->stmt) at = k;
    }
    if (at < 0 || !is_own) return IRL_NO;
    relation[at] = IRL__BEFORE;
    answer = irl__pair_meets(p, relation, m);
    if (answer != IRL_NO) return answer;
    relation[at] = IRL__AFTER;
    return irl__pair_meets(p, relation, m);
}

irl_answer irl__bitbuf_meets(irl__accesses *t, const irl__around *loop, const irl__access *a,
                             const irl__access *b, irl__meeting *m)
{
    const irl_stmt   *s = loop->stmt;
    irl__bitbuf_fence q;
    irl_answer        outside = s->u.loop.kind == IRL_BOUND
                                    ? irl__fence_outside(t, loop, a, b, m) : IRL_NO;
    if (outside != IRL_NO) return outside;
    if (s->u.loop.kind != IRL_BOUND || s->u.loop.axis < IRL_LOCAL_X ||
        s->u.loop.axis > IRL_LOCAL_Z || !irl__stmt_holds(s, 1u << IRL__BARRIER) ||
        !irl__fence_is_item(loop, a) || !irl__fence_is_item(loop, b))
        return irl__loop_carries_between(t, loop, a, b, m);
    q.t = t;
    q.loop = loop;
    q.a = a;
    q.b = b;
    q.scope = a->buffer->scope == IRL_SCOPE_SHARED ? IRL_SCOPE_SHARED : IRL_SCOPE_GLOBAL;
    q.m = m;
    q.count = 0;
    return irl__fence_walk(&q, s->u.loop.body);
}
