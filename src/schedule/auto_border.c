/* auto_border.c - the borders of a nest: where operands are guarded, or their indices are
   clamped, wrap around or are chosen, and what the indices are inside of that.

   needs     auto_point.c, accesses
   promises  nothing is decided but where most iterations are: steps prove what follows from it
   cost      linear in the nest's accesses, times its loops; the ends of loops are looked at one by
             one up to IRL__AUTO_BORDER */
#include "auto.h"

/* ------------------------------------------------------------------ inside of the border */

/* Does it go by names and numbers alone, and is it more than 0? */
static int irl__auto_is_length(const irl__auto_nest *n, const irl_expr *e)
{
    int64_t value;
    return irl__auto_sampled(n->f, e, &value) && value > 0;
}

/* Which operand of e is clamped by the other one, which is a number, or goes by names and
   numbers alone; -1: it is no such. */
static int irl__auto_clamped(const irl__auto_nest *n, const irl_expr *e, int has_names)
{
    int64_t value;
    if ((e->op != IRL_OP_MAX && e->op != IRL_OP_MIN) || e->type.lanes != 1 ||
        !(e->flags & IRL__HAS_VAR) || e->flags & IRL__HAS_MEMORY)
        return -1;
    for (int k = 2; k-- > 0;)
        if (e->a[k]->op == IRL_OP_INT || (has_names && irl__auto_sampled(n->f, e->a[k], &value)))
            return !k;
    return -1;
}

/* The value of e in the middle of the loops, if that is the one of most iterations: of a half of
   each loop, one of them no short one. Element by element it is longer, for what is left at its
   border has no vectors. */
static int irl__auto_mostly(const irl__auto_nest *n, const irl_expr *e, int64_t *out)
{
    const int64_t   least = n->is_reduction ? IRL__AUTO_BORDER : 4 * IRL__AUTO_ITEMS;
    irl__auto_point p = irl__auto_point_at(n, 0, 0);
    int64_t         other;
    int             k = e ? n->loop_count : 0;
    while (k-- > 0 && (n->loops[k].extent < least ||
                       !irl__expr_uses_var(e, n->loops[k].stmt->u.loop.var))) {}
    p.quarter = 2;
    if (k < 0 || e->type.lanes != 1 || !irl__auto_value(&p, e, out)) return 0;
    for (p.quarter = 1; p.quarter < 4; p.quarter += 2)
        if (!irl__auto_value(&p, e, &other) || other != *out) return 0;
    return 1;
}

/* An index inside of its border: max(e, 0) is e there, (i + 1) % 8 is i + 1, and i > 0 ? i - 1 : 0
   is i - 1. */
typedef struct irl__auto_within {
    irl__auto_nest *n;
    int             is_wrapped; /* look at %, choices and names, too */
    int             notes;      /* what holds inside becomes the nest's guards */
} irl__auto_within;

static int irl__auto_guard(irl__auto_nest *n, const irl_expr *e)
{
    int k;
    for (k = 0; k < n->guard_count && n->guards[k] != e; k++) {}
    if (k == n->guard_count && k < IRL__AUTO_ROWS && e) n->guards[n->guard_count++] = e;
    return e != NULL;
}

/* e, and what holds where the index is that. */
static const irl_expr *irl__auto_within_if(irl__rewriter *r, const irl_expr *e,
                                          const irl_expr *holds, const irl_expr *also)
{
    const irl__auto_within *q = (const irl__auto_within *)r->user;
    if (!e || !holds || !also) return NULL;
    if (q->notes && (!irl__auto_guard(q->n, holds) || !irl__auto_guard(q->n, also))) return NULL;
    return irl__rewrite_expr(r, e);
}

/* e % length, which has wrapped around as often in most iterations. */
static const irl_expr *irl__auto_unwrapped(irl__rewriter *r, const irl_expr *e, int64_t round)
{
    const irl_expr *length = e->a[1];
    const irl_expr *least = irl__mul(r->cx, irl_expr_int(r->cx, e->type, round), length);
    return irl__auto_within_if(r, irl__sub(r->cx, e->a[0], least),
                               irl_expr_op2(r->cx, IRL_OP_GE, e->a[0], least),
                               irl_expr_op2(r->cx, IRL_OP_LT, e->a[0],
                                            irl__add(r->cx, least, length)));
}

static const irl_expr *irl__auto_within_of(irl__rewriter *r, const irl_expr *e)
{
    const irl__auto_within *q = (const irl__auto_within *)r->user;
    const int               clamped = irl__auto_clamped(q->n, e, q->is_wrapped);
    const irl_expr         *holds;
    int64_t                 now;
    if (clamped >= 0) {
        const irl_op op = e->op == IRL_OP_MAX ? IRL_OP_GE : IRL_OP_LE;
        holds = irl_expr_op2(r->cx, op, e->a[clamped], e->a[!clamped]);
        return irl__auto_within_if(r, e->a[clamped], holds, holds);
    }
    if (q->is_wrapped && (e->op == IRL_OP_SELECT || e->op == IRL_OP_IF_THEN_ELSE) &&
        irl__auto_mostly(q->n, e->a[0], &now)) {
        holds = now ? e->a[0] : irl_expr_op1(r->cx, IRL_OP_NOT, e->a[0]);
        return irl__auto_within_if(r, e->a[now ? 1 : 2], holds, holds);
    }
    if (q->is_wrapped && e->op == IRL_OP_FLOORMOD && irl__auto_is_length(q->n, e->a[1]) &&
        irl__auto_mostly(q->n, irl_expr_op2(r->cx, IRL_OP_FLOORDIV, e->a[0], e->a[1]), &now))
        return irl__auto_unwrapped(r, e, now);
    return irl__rewrite_expr_children(r, e);
}

const irl_expr *irl__auto_inside(irl__auto_nest *n, irl__accesses *t, const irl_expr *index,
                                 int is_wrapped, int notes)
{
    const irl_expr  *e = irl__accesses_plain(t, index);
    irl__auto_within q;
    irl__rewriter    r = irl__rewriter_make(t->cx, &q, irl__auto_within_of, NULL);
    q.n = n;
    q.is_wrapped = is_wrapped && !n->is_inside && !n->target->banks &&
                   !(n->is_reduction && irl__auto_is_symbolic(n)); /* rows of its tiles would ask */
    q.notes = notes;
    return e ? irl__rewrite_expr(&r, e) : NULL;
}

/* ------------------------------------------------------------------ where operands are guarded */

int irl__auto_guards(irl__auto_nest *n, irl__accesses *t, irl__auto_row *row)
{
    const irl__access *a = row->access;
    const irl_expr    *e;
    for (const irl__around *g = irl__around_next(a->around, IRL__AROUND_GUARD); g;
         g = irl__around_next(g->outer, IRL__AROUND_GUARD))
        if (!irl__auto_guard(n, irl__accesses_plain(t, g->value))) return 0;
    for (int k = 0; k < a->rank; k++) {
        if (!(e = irl__auto_inside(n, t, a->indices[k], 1, 1))) return 0;
        row->is_held |= e != irl__accesses_plain(t, a->indices[k]);
    }
    return 1;
}

/* Do the parts of the guard that depend on the moved loop hold there? What is not computed does. */
static int irl__auto_guard_holds(const irl__auto_point *p, const irl_expr *e)
{
    int64_t value;
    if (e->op == IRL_OP_AND)
        return irl__auto_guard_holds(p, e->a[0]) && irl__auto_guard_holds(p, e->a[1]);
    if (e->type.lanes != 1 || !irl__expr_uses_var(e, p->n->loops[p->moved].stmt->u.loop.var))
        return 1;
    return !irl__auto_value(p, e, &value) || value != 0;
}

static int irl__auto_is_inside(const irl__auto_nest *n, int loop, int64_t by)
{
    irl__auto_point p = irl__auto_point_at(n, loop, by);
    for (p.is_end = 0; p.is_end < 2; p.is_end++)
        for (int k = 0; k < n->guard_count; k++)
            if (!irl__auto_guard_holds(&p, n->guards[k])) return 0;
    return 1;
}

/* Between an iteration that is inside and one that is not, where it changes, if that is once: the
   last one that is as `inside` is, on its side. */
static int64_t irl__auto_turn(const irl__auto_nest *n, int loop, int64_t inside, int64_t outside)
{
    while (inside - outside > 1 || outside - inside > 1) {
        const int64_t at = outside + (inside - outside) / 2;
        if (irl__auto_is_inside(n, loop, at)) inside = at;
        else outside = at;
    }
    return inside;
}

void irl__auto_interior(const irl__auto_nest *n, int loop, int64_t *lo, int64_t *hi)
{
    const int64_t min = n->loops[loop].stmt->u.loop.min->u.i, extent = n->loops[loop].extent;
    int64_t       first = 0, last = extent;
    while (first < IRL__AUTO_BORDER && first < extent && !irl__auto_is_inside(n, loop, first))
        first++;
    while (extent - last < IRL__AUTO_BORDER && last > first &&
           !irl__auto_is_inside(n, loop, last - 1))
        last--;
    if (first == IRL__AUTO_BORDER && !irl__auto_is_inside(n, loop, first))
        first = last == extent && irl__auto_is_inside(n, loop, extent - 1)
                    ? irl__auto_turn(n, loop, extent - 1, first) : last; /* it is no border */
    else if (extent - last == IRL__AUTO_BORDER && !irl__auto_is_inside(n, loop, last - 1)) {
        if (first == 0) last = irl__auto_turn(n, loop, 0, last - 1) + 1;
        else first = last;
    }
    *lo = min + first;
    *hi = min + last;
}

int irl__auto_is_steady(const irl__auto_nest *n, int loop)
{
    const int64_t min = n->loops[loop].stmt->u.loop.min->u.i;
    int64_t       lo, hi, by;
    irl__auto_interior(n, loop, &lo, &hi);
    int64_t end = hi - lo < IRL__AUTO_BORDER ? hi : lo + IRL__AUTO_BORDER;
    for (by = lo; by < end && irl__auto_is_inside(n, loop, by - min); by++) {}
    return by == end;
}

/* Does it hold nowhere, by five iterations of some loop, the others being at their ends? */
static int irl__auto_fails(const irl__auto_nest *n, const irl_expr *e)
{
    irl__auto_point p = irl__auto_point_at(n, 0, 0);
    int             holds;
    for (p.moved = 0; p.moved < n->loop_count; p.moved++) {
        if (!irl__expr_uses_var(e, n->loops[p.moved].stmt->u.loop.var)) continue;
        for (int k = holds = 0; k < 10 && !holds; k++) {
            p.is_end = k & 1;
            p.by = (n->loops[p.moved].extent - 1) * (k / 2) / 4;
            holds = irl__auto_guard_holds(&p, e);
        }
        if (!holds) return 1;
    }
    return 0;
}

void irl__auto_drop_negated(irl__auto_nest *n)
{
    const irl_expr *kept[IRL__AUTO_ROWS];
    int             k, j, count = 0;
    for (k = 0; k < n->guard_count; k++) {
        const irl_expr *e = n->guards[k];
        const int       is_not = e->op == IRL_OP_NOT;
        for (j = 0; j < n->guard_count; j++)
            if (is_not ? n->guards[j] == e->a[0]
                       : n->guards[j]->op == IRL_OP_NOT && n->guards[j]->a[0] == e)
                break;
        if (j == n->guard_count || (!is_not && !irl__auto_fails(n, e))) kept[count++] = e;
    }
    memcpy(n->guards, kept, sizeof *kept * (size_t)count);
    n->guard_count = count;
}

int irl__auto_is_held(const irl__auto_nest *n)
{
    int k = n->row_count;
    while (k-- > 0 && !n->rows[k].is_held) {}
    return k >= 0;
}

/* ------------------------------------------------------------------ phases of a modulus */

/* Of (w + 1 - 2 * s) % 2 == 0 the iterations of a loop by which the remainder comes again. */
typedef struct irl__auto_phases {
    const irl__auto_nest *n;
    int                   loop;
    int64_t               count;
} irl__auto_phases;

static int irl__auto_see_phases(irl__visitor *v, const irl_expr *e)
{
    irl__auto_phases *q = (irl__auto_phases *)v->user;
    irl__auto_point   p = irl__auto_point_at(q->n, q->loop, 0);
    int64_t           first, step;
    if (e->op != IRL_OP_FLOORMOD || e->a[1]->op != IRL_OP_INT || e->a[1]->u.i < 2 ||
        !irl__expr_uses_var(e->a[0], q->n->loops[q->loop].stmt->u.loop.var) ||
        !irl__auto_value(&p, e->a[0], &first))
        return 1;
    p.by = 1;
    if (!irl__auto_value(&p, e->a[0], &step) || !irl__sub64(step, first, &step) || step == 0)
        return 1;
    const int64_t count = e->a[1]->u.i / irl__gcd64(step, e->a[1]->u.i);
    if (!irl__mul64(q->count, count / irl__gcd64(q->count, count), &q->count)) q->count = INT64_MAX;
    return 1;
}

int64_t irl__auto_phases_of(const irl__auto_nest *n, int loop)
{
    irl__auto_phases q;
    irl__visitor     v = irl__visitor_make(&q, irl__auto_see_phases, NULL);
    q.n = n;
    q.loop = loop;
    q.count = 1;
    for (int k = 0; k < n->guard_count; k++) irl__visit_expr(&v, n->guards[k]);
    return q.count;
}
