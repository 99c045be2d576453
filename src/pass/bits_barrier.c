/* bits_barrier.c - two accesses of bytes of bits, by two work-items of a group: is there a barrier
   between them in every run?

   requires  the table of accesses
   promises  NO if a barrier in the path of both orders all iterations that meet (fence.c)
   cost      without a barrier, that of irl__loop_carries_between; else two more questions for each
             serial loop around both

   Each work-item runs a serial loop of the kernel around the work-items' loops at a different
   speed: two of them may be in different iterations, unless the loop contains a barrier. */
#include "legalize_bits.h"

typedef struct irl__bitbuf_fence {
    irl__accesses     *t;
    const irl__around *loop;
    irl__meeting      *m;
} irl__bitbuf_fence;

static irl_answer irl__bitbuf_fence_ask(irl__fence *q)
{
    const irl__bitbuf_fence *f = (const irl__bitbuf_fence *)q->user;
    return irl__loop_carries_inside(f->t, f->loop, q->a, q->b, q->count, q->loops, q->relation,
                                    f->m);
}

/* Is it in loops that one work-item does, or that are local, alone? */
static int irl__fence_is_item(const irl__around *loop, const irl__access *a)
{
    const irl__around *n = a->around;
    for (; n && n != loop; n = n->outer) {
        if (n->kind == IRL__AROUND_LOOP && irl__stmt_is_parallel(n->stmt) &&
            !irl__stmt_is_items(n->stmt))
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
    int        at = -1, is_own = 0;
    if (!p) return IRL_UNKNOWN;
    for (int k = 0; k < irl__pair_loop_count(p); k++) {
        relation[k] = irl__fence_relation(loop, irl__pair_loop(p, k), &is_own);
        if (irl__pair_loop(p, k)->stmt == loop->stmt) at = k;
    }
    if (at < 0 || !is_own) return IRL_NO;
    relation[at] = IRL__BEFORE;
    irl_answer answer = irl__pair_meets(p, relation, m);
    if (answer != IRL_NO) return answer;
    relation[at] = IRL__AFTER;
    return irl__pair_meets(p, relation, m);
}

irl_answer irl__bitbuf_meets(irl__accesses *t, const irl__around *loop, const irl__access *a,
                             const irl__access *b, irl__meeting *m)
{
    const irl_stmt   *s = loop->stmt;
    irl__fence        q;
    irl_answer        outside = s->u.loop.kind == IRL_BOUND
                                    ? irl__fence_outside(t, loop, a, b, m) : IRL_NO;
    if (outside != IRL_NO) return outside;
    if (!irl__stmt_is_items(s) || !irl__stmt_holds(s, 1u << IRL__BARRIER) ||
        !irl__fence_is_item(loop, a) || !irl__fence_is_item(loop, b))
        return irl__loop_carries_between(t, loop, a, b, m);
    irl__bitbuf_fence f = { t, loop, m };
    q.a = a;
    q.b = b;
    q.scope = irl__fence_scope(a);
    q.is_certain = 0;
    q.ask = irl__bitbuf_fence_ask;
    q.user = &f;
    return irl__fence_each(&q, s->u.loop.body);
}
