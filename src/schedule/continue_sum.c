/* continue_sum.c - the primitive that lets each iteration of a loop continue the sum of the one
   before.

   needs     place.c, names.c; proofs about bounds
   promises  the same terms are added in the same order: floats are the same bit for bit

   continue_sum
   requires  a serial loop that holds two statements: a cell is set to a constant, and a loop
             updates it, whose range has one term more in each iteration, the last one, and one
             term or none in the first; the terms depend on neither the loop nor what it stores
   does      for (j: 8) { y[j] = 0; for (k: j + 1) y[j] += x[k]; }
             becomes
             for (j: 8) y[j] = (j > 0 ? y[j - 1] : 0) + x[j];
   refuses   other loops: a sum whose first term changes adds in another order
   cost      linear in the loop */
#include "schedule.h"

/* What the loop holds. */
typedef struct irl__continued {
    const irl_stmt *loop, *first, *inner, *store;
    irl__update     update;
} irl__continued;

static int irl__continued_find(irl__continued *q)
{
    const irl_stmt *body = q->loop->u.loop.body;
    if (q->loop->u.loop.kind != IRL_SERIAL || body->kind != IRL__SEQ || body->u.seq.count != 2)
        return 0;
    q->first = body->u.seq.stmts[0];
    q->inner = body->u.seq.stmts[1];
    q->store = q->inner->kind == IRL__FOR ? q->inner->u.loop.body : NULL;
    return q->first->kind == IRL__STORE && q->store && q->store->kind == IRL__STORE &&
           q->inner->u.loop.kind == IRL_SERIAL && irl__is_const(q->first->u.store.value) &&
           irl__store_is_at(q->first, q->store->u.store.buffer, q->store->u.store.indices) &&
           irl__store_update(q->store, &q->update) &&
           q->update.value == q->store->u.store.value && q->update.value->count == 2;
}

/* Do the terms and the bounds depend on neither the loop nor what it stores? */
static int irl__continued_is_same(irl__sched *s, const irl__continued *q, const irl_expr *term)
{
    const irl_buffer *b = q->store->u.store.buffer;
    const irl_expr   *var = q->loop->u.loop.var;
    irl__accesses     t;
    for (int k = 0; k < b->rank; k++)
        if (q->store->u.store.indices[k]->flags & IRL__HAS_MEMORY) return 0;
    if (irl__expr_uses_var(term, var) || irl__expr_uses_var(q->inner->u.loop.min, var) ||
        !irl__accesses_of(&t, s->f, q->loop))
        return 0;
    IRL__EACH_ROW(a, &t) {
        const irl_expr *memory = (const irl_expr *)irl__ptr_map_get(&t.behind, b->data);
        if (a->buffer != b && (a->kind == IRL__ACCESS_OPAQUE || a->memory == b->data ||
                               (memory && a->memory == memory)))
            return 0;
    }
    return !((q->inner->u.loop.min->flags | q->inner->u.loop.extent->flags) & IRL__HAS_MEMORY);
}

/* How many terms the first iteration has: 0 or 1, and one more in each that follows; -1: it is not
   known to be so. */
static int irl__continued_terms(irl__sched *s, const irl__place *p, const irl__continued *q)
{
    irl_ctx        *cx = s->cx;
    irl__analyzer  *an = irl__place_analyzer(s, p, p->count);
    const irl_expr *done = irl__sub(cx, q->loop->u.loop.var, q->loop->u.loop.min);
    for (int count = 0; an && done && count < 2; count++)
        if (irl__prove_equal(an, q->inner->u.loop.extent,
                             irl__add(cx, done, irl_expr_index(cx, count))))
            return count;
    return -1;
}

/* What an iteration stores: the cell of the one before, and the last term. */
static const irl_expr *irl__continued_value(irl_ctx *cx, const irl__continued *q, int count)
{
    const irl_expr *var = q->loop->u.loop.var, *min = q->loop->u.loop.min, *at[IRL_MAX_RANK];
    const irl_expr *before = irl__sub(cx, var, irl_expr_index(cx, 1)), *operands[2];
    const irl_expr *is_later = irl_expr_op2(cx, IRL_OP_GT, var, min);
    const irl_expr *last = irl__add(cx, q->inner->u.loop.min,
                                    irl__sub(cx, count ? var : before, min));
    const irl_expr *init = q->first->u.store.value;
    const irl_buffer *b = q->store->u.store.buffer;
    for (int k = 0; k < b->rank; k++) {
        at[k] = irl__substitute(cx, q->store->u.store.indices[k], 1, &var, &before);
        at[k] = irl__simplify_alone(cx, at[k]);
    }
    last = irl__simplify_alone(cx, last);
    if (!last) return NULL;
    const irl_expr *sum = irl__expr_load(cx, b, b->rank, at, q->store->loc);
    if (count) sum = irl_expr_op3(cx, IRL_OP_IF_THEN_ELSE, is_later, sum, init);
    operands[q->update.old] = sum;
    operands[!q->update.old] = irl__substitute(cx, q->update.value->a[!q->update.old], 1,
                                               &q->inner->u.loop.var, &last);
    sum = irl_expr_op2(cx, (irl_op)q->update.value->op, operands[0], operands[1]);
    return count ? sum : irl_expr_op3(cx, IRL_OP_IF_THEN_ELSE, is_later, sum, init);
}

int irl__do_continue_sum(irl__sched *s)
{
    irl__continued q;
    q.loop = irl__place_last(&s->p);
    if (!irl__continued_find(&q))
        return irl__refuse(s, "'%L' is not a serial loop in which a cell is set to a constant, and "
                           "then updated by one loop", q.loop);
    const int count = irl__continued_terms(s, &s->p, &q);
    if (!irl__ok(s->cx)) return 0;
    if (count < 0 || !irl__continued_is_same(s, &q, q.update.value->a[!q.update.old]))
        return irl__refuse(s, "as far as is known, an iteration of '%L' does not add the terms of "
                           "the one before and then one more, beginning with one term or none",
                           q.loop);
    const irl_expr *value = irl__continued_value(s->cx, &q, count);
    return irl__place_become(s, &s->p, s->p.count - 1,
                             irl__stmt_loop_of(s->cx, q.loop,
                                               irl__stmt_store_of(s->cx, q.store, value)));
}
