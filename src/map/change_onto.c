/* change_onto.c - a step for one output of which only the set of values matters: a sum that takes
   every value of a range.

   needs     change_sum.c; numbers
   promises  for all values of the other variables the sum takes the values of the new one, and no
             others; the old variables' values are a point that takes it

   In s1*v1 + s2*v2 + ... each stride is at most one more than what the smaller ones reach. */
#include "change.h"

/* Own terms by their strides, all positive numbers; how many. */
static int irl__onto_sort(const irl__uses *u, int at, const irl__change_sum *s, int *order)
{
    uint64_t own = irl__change_sum_own(u, at, s);
    int      i, n = 0;
    for (int k = 0; k < s->count; k++) {
        if (!(own >> k & 1) || s->term[k].coef->op != IRL_OP_INT || s->term[k].coef->u.i < 1)
            continue;
        for (i = n++; i > 0 && s->term[order[i - 1]].coef->u.i > s->term[k].coef->u.i; i--)
            order[i] = order[i - 1];
        order[i] = k;
    }
    return n;
}

/* How far the first n of them reach, without a gap; 0: there is one. */
static int64_t irl__onto_reach(const irl__uses *u, const irl__change_sum *s, const int *order,
                               int n)
{
    int64_t reach = 1, beyond;
    for (int k = 0; k < n; k++) {
        const irl__change_term *t = &s->term[order[k]];
        int64_t                 last = u->c->vars[u->alive[t->alive]].extent->u.i - 1;
        if (t->coef->u.i > reach) return 0;
        if (!irl__mul64(t->coef->u.i, last, &beyond) || !irl__add64(reach, beyond, &reach))
            return 0;
    }
    return reach;
}

/* The largest of each, from the top, that leaves nothing below 0. */
static void irl__onto_values(irl__uses *u, const irl__change_sum *s, const int *order, int n,
                             const irl_expr *t)
{
    irl__change *c = u->c;
    for (int k = n - 1; k >= 0; k--) {
        const irl__change_term *term = &s->term[order[k]];
        const irl_expr         *extent = c->vars[u->alive[term->alive]].extent;
        const irl_expr         *v = irl__change_op(c, IRL_OP_FLOORDIV, t, term->coef);
        v = irl__change_op(c, IRL_OP_MIN, v, irl__change_sub(c, extent, c->one));
        c->failed |= !v;
        irl__change_replace(c, u->alive[term->alive], v, 0);
        t = irl__change_op(c, IRL_OP_SUB, t, irl__change_op(c, IRL_OP_MUL, v, term->coef));
    }
}

static int irl__onto_dense(irl__uses *u, int at)
{
    irl__change    *c = u->c;
    irl__change_sum s;
    int             order[IRL__CHANGE_TERMS], n, k;
    uint64_t        own = 0;
    if (!u->list[at].is_sum || !u->list[at].in_other) return 0;
    if (!irl__change_sum_of(u, u->list[at].e, &s)) return 0;
    n = irl__onto_sort(u, at, &s, order);
    int64_t         reach = n > 1 ? irl__onto_reach(u, &s, order, n) : 0;
    const irl_expr *t = reach ? irl__change_new(c, irl_expr_index(c->cx, reach)) : NULL;
    if (!t) return 0;
    for (k = 0; k < n; k++) own |= UINT64_C(1) << order[k];
    irl__onto_values(u, &s, order, n, t);
    const irl_expr *e = irl__change_sum_part(u, &s, ~own, 1);
    u->list[at].now = e == c->zero ? t : irl__change_op(c, IRL_OP_ADD, t, e);
    c->failed |= !u->list[at].now;
    return 1;
}

int irl__change_onto(irl__uses *u)
{
    if (u->c->named) return 0;
    for (int at = 0; at < u->count && irl__ok(u->c->cx); at++)
        if (irl__onto_dense(u, at)) return 1;
    return 0;
}
