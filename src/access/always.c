/* always.c - do two iterations that meet for some values of the parameters meet for all values?

   needs     pair.c; an analyzer with the facts that are known at the loop in question
   promises  true only if the two iterations are reached, and meet, for all values of the parameters
             and of the outer loops, provided that the loop is reached
   cost      some simplifications for each loop and condition around the two accesses */
#include "access.h"

typedef struct irl__always {
    irl__accesses      *t;
    irl__analyzer      *an;
    const irl__around  *loop; /* from which on what stands around is to be proved */
    const irl__meeting *m;
    int                 count; /* of loops; what their variables are in the iteration */
    const irl_expr     *vars[IRL__FENCE_ENDS], *at[IRL__FENCE_ENDS];
} irl__always;

static const irl_expr *irl__always_at(irl__always *q, const irl_expr *e)
{
    e = irl__accesses_plain(q->t, e);
    return e ? irl__substitute(q->t->cx, e, q->count, q->vars, q->at) : NULL;
}

static int irl__always_holds(irl__always *q, const irl_expr *condition)
{
    return condition && !(condition->flags & IRL__HAS_MEMORY) && condition->type.lanes == 1 &&
           irl__prove(q->an, condition);
}

/* Is the access reached in its iteration? The variables of its loops get their values. */
static int irl__always_reached(irl__always *q, const irl__around *n, int copy)
{
    if (n != q->loop && !irl__always_reached(q, n->outer, copy)) return 0;
    if (n->kind == IRL__AROUND_LOOP) {
        irl_ctx        *cx = q->t->cx;
        const irl_expr *min = irl__always_at(q, n->stmt->u.loop.min);
        const irl_expr *extent = irl__always_at(q, n->stmt->u.loop.extent);
        const int64_t   value = irl__meeting_at(q->m, n->var, copy);
        if (!min || !extent || min->op != IRL_OP_INT || q->count == (int)IRL__FENCE_ENDS) return 0;
        q->vars[q->count] = n->var;
        q->at[q->count++] = irl_expr_index(cx, value < min->u.i ? min->u.i : value);
        return irl__always_holds(
            q, irl_expr_op2(cx, IRL_OP_LT, q->at[q->count - 1], irl__add(cx, min, extent)));
    }
    return n->kind != IRL__AROUND_GUARD || irl__always_holds(q, irl__always_at(q, n->value));
}

/* Where an access is in its memory, in its iteration: the indices, if `is_plain`, or the byte. */
static int irl__always_place(irl__always *q, const irl__access *a, int copy, int is_plain,
                             const irl_expr **place)
{
    q->count = 0;
    if (a->lanes != 1 || !irl__always_reached(q, a->around, copy)) return 0;
    if (!is_plain) return (place[0] = irl__always_at(q, irl__access_byte(q->t->cx, a))) != NULL;
    for (int k = 0; k < a->rank; k++)
        if (!(place[k] = irl__always_at(q, a->indices[k]))) return 0;
    return 1;
}

int irl__meeting_is_always(irl__accesses *t, irl__analyzer *an, const irl__around *loop,
                           const irl__meeting *m)
{
    irl_ctx        *cx = t->cx;
    const int       is_plain = irl__access_is_plain(m->a, m->b);
    const irl_expr *x[IRL_MAX_RANK], *y[IRL_MAX_RANK], *gap;
    irl__always     q;
    int64_t         lo, hi;
    q.t = t;
    q.an = an;
    q.loop = loop;
    q.m = m;
    if (!irl__always_place(&q, m->a, 0, is_plain, x) ||
        !irl__always_place(&q, m->b, 1, is_plain, y))
        return 0;
    for (int k = 0; k < (is_plain ? m->a->rank : 1); k++) {
        gap = irl__simplify(an, irl__sub(cx, x[k], y[k]));
        if (!gap || gap->flags & IRL__HAS_MEMORY) return 0;
        irl__range(an, gap, &lo, &hi);
        if (is_plain ? lo != 0 || hi != 0
                     : lo <= -(int64_t)irl__type_bytes(m->a->buffer->type) ||
                           hi >= (int64_t)irl__type_bytes(m->b->buffer->type))
            return 0;
    }
    return 1;
}
