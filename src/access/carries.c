/* carries.c - may the iterations of a loop run in another order, and may loops be exchanged?

   needs     pair.c, tiles.c, recover.c; the table of accesses
   promises  NO and YES are proved; YES shows a dependence by two iterations; an unknown answer says
             why. Every pair of accesses inside is examined, and so are calls, which may do
             anything, and barriers
   cost      nothing for a pair that needs no system; else one or two small systems, tens of
             microseconds. Bounded by IRL__CARRIES_STEPS over all pairs */
#include "access.h"

/* For a race, a look at a pair of one memory is some steps too: pairs may be very many. */
enum { IRL__CARRIES_STEPS = 400000, IRL__CARRIES_LOOK = 100 };

static const char irl__carries_steps[] = "too many steps";
static const char irl__carries_calls[] =
    "the loop contains a call, which may do anything, so calls must keep their order";
static const char irl__carries_waits[] = "the loop contains a barrier";

/* The pairs of accesses inside of a loop, one after the other. */
typedef struct irl__carries {
    irl__accesses     *t;
    const irl__around *loop; /* the outermost in question */
    int64_t            steps;
    irl__meeting_test *is_race; /* NULL: each meeting counts */
    void              *user;
    irl__meeting      *m, own; /* where the answer goes */
} irl__carries;

static void irl__carries_begin(irl__carries *c, irl__accesses *t, const irl__around *loop,
                               irl__meeting *m)
{
    c->t = t;
    c->loop = loop;
    c->steps = IRL__CARRIES_STEPS;
    c->is_race = NULL;
    c->m = m ? m : &c->own;
    memset(c->m, 0, sizeof *c->m);
    c->m->answer = IRL_NO;
}

/* ------------------------------------------------------------------ without a system */

/* Is its memory allocated inside of the loop, another one in each iteration? */
static int irl__carries_is_private(const irl__around *loop, const irl__access *a)
{
    const irl__around *memory = a->allocation;
    return memory && memory->depth > loop->depth && !irl__stmt_shares(loop->stmt, memory->buffer);
}

enum { IRL__CARRIES_LOOPS = 32, IRL__CARRIES_NODES = 64 };

/* The loops around both that begin at a number; -1: too many. */
static int irl__carries_ranges(const irl__access *a, const irl__access *b, const irl_expr **vars,
                               irl__given *ranges)
{
    const irl__around *n, *other = irl__around_next(b->around, IRL__AROUND_LOOP);
    int                count = 0;
    for (n = irl__around_next(a->around, IRL__AROUND_LOOP); n;
         n = irl__around_next(n->outer, IRL__AROUND_LOOP)) {
        const irl_stmt *loop = n->stmt;
        while (other && other->depth > n->depth)
            other = irl__around_next(other->outer, IRL__AROUND_LOOP);
        if (other != n || loop->u.loop.min->op != IRL_OP_INT) continue;
        if (count == IRL__CARRIES_LOOPS) return -1;
        vars[count] = n->var;
        ranges[count++] = irl__given_range(n->var, loop->u.loop.min, loop->u.loop.extent);
    }
    return count;
}

int irl__access_tells(irl__accesses *t, const irl__around *loop, const irl__access *a,
                      const irl__access *b)
{
    const irl_expr *vars[IRL__CARRIES_LOOPS], *e;
    irl__given      ranges[IRL__CARRIES_LOOPS];
    if (!irl__access_is_plain(a, b)) return 0;
    /* asked of most pairs: without it a convolution takes twice the time */
    if (irl__indices_tell(a->rank, a->indices, loop->var, b->indices, loop->var)) return 1;
    int count = irl__carries_ranges(a, b, vars, ranges);
    for (int k = 0; k < a->rank && count > 0; k++) {
        e = irl__accesses_plain(t, a->indices[k]);
        if (!e || e != irl__accesses_plain(t, b->indices[k]) || e->size > IRL__CARRIES_NODES ||
            e->type.lanes != 1 || !irl__expr_uses_var(e, loop->var) ||
            !irl__is_over(t, e, count, vars))
            continue;
        if (irl__recovers(t->cx, e, loop->var, count, ranges)) return 1;
    }
    return 0;
}

/* Whether the indices, the same for both, determine the loop's variable together, by a verdict on
   them as a map: rotations and XOR, of which a system knows nothing. */
static int irl__access_tells_together(irl__accesses *t, const irl__around *loop,
                                      const irl__access *a, const irl__access *b)
{
    const irl_expr *vars[IRL__CARRIES_LOOPS], *indices[IRL_MAX_RANK];
    irl__given      ranges[IRL__CARRIES_LOOPS];
    int count = irl__access_is_plain(a, b) ? irl__carries_ranges(a, b, vars, ranges) : 0;
    for (int k = 0; k < a->rank && count > 0; k++) {
        indices[k] = irl__accesses_plain(t, a->indices[k]);
        if (!indices[k] || indices[k] != irl__accesses_plain(t, b->indices[k])) return 0;
    }
    return count > 0 && irl__recovers_together(t->cx, a->rank, indices, loop->var, count, ranges);
}

/* Nothing can come of this pair for any loop. */
static int irl__carries_never(const irl__carries *c, const irl__access *a, const irl__access *b)
{
    if ((!irl__access_writes(a) && !irl__access_writes(b)) || a->is_declared ||
        b->is_declared || irl__access_is_apart(a, b))
        return 1;
    return irl__access_alias(c->t, a, b) == IRL_NO || irl__carries_is_private(c->loop, a);
}

/* ------------------------------------------------------------------ with one */

static int irl__carries_unknown(irl__carries *c, const irl__access *a, const irl__access *b,
                                const char *reason)
{
    irl__meeting *one = c->m;
    if (one->answer != IRL_NO) return 0;
    one->answer = IRL_UNKNOWN;
    one->a = a;
    one->b = b;
    one->reason = reason;
    return 0;
}

typedef struct irl__carries_question {
    const irl__access *a, *b;
    irl__pair         *pair;
    uint8_t           *relation;
    int                at; /* the loop in question, counted from the outermost around both */
} irl__carries_question;

/* False on failure. */
static int irl__carries_ask(irl__carries *c, const irl__access *a, const irl__access *b,
                            irl__carries_question *q)
{
    q->a = a;
    q->b = b;
    q->pair = irl__pair_begin(c->t, a, b, IRL__PAIR_STEPS);
    if (!q->pair) return 0;
    q->relation =
        (uint8_t *)irl__scratch_alloc(c->t->cx, (size_t)irl__pair_loop_count(q->pair) + 1, 1);
    if (!q->relation) return 0;
    /* All loops around the one in question are at one iteration. */
    int i, at = -1;
    for (i = 0; i < irl__pair_loop_count(q->pair); i++) {
        if (irl__pair_loop(q->pair, i) == c->loop) at = i;
        q->relation[i] = at < 0 ? IRL__SAME : IRL__ANY;
    }
    q->at = at;
    return q->at >= 0;
}

/* One question. True: YES. */
static int irl__carries_meets(irl__carries *c, const irl__carries_question *q)
{
    irl__meeting one;
    irl__pair_meets(q->pair, q->relation, &one);
    c->steps -= irl__pair_used(q->pair);
    if (c->is_race && one.answer == IRL_YES && !c->is_race(c->t, &one, c->user))
        one.answer = IRL_UNKNOWN;
    else if (one.answer == IRL_UNKNOWN && !(q->relation[q->at] & IRL__SAME) &&
             irl__access_tells_together(c->t, c->loop, q->a, q->b))
        return 0;
    /* YES ends the search, and UNKNOWN too where nobody asks for the witness. */
    if (one.answer == IRL_YES || (one.answer == IRL_UNKNOWN && c->m->answer == IRL_NO)) *c->m = one;
    return one.answer == IRL_YES || (c->m == &c->own && one.answer == IRL_UNKNOWN);
}

/* Does an iteration of a meet another one of b? True: YES. */
static int irl__carries_pair(irl__carries *c, const irl__access *a, const irl__access *b)
{
    irl__carries_question q;
    int                   found = 0;
    if (irl__is_int(c->loop->stmt->u.loop.extent, 1) || irl__carries_never(c, a, b)) return 0;
    if (c->is_race) c->steps -= IRL__CARRIES_LOOK;
    if (irl__access_tells(c->t, c->loop, a, b) || irl__access_is_apart_along(c->t, c->loop, a, b))
        return 0;
    if (c->steps <= 0) return irl__carries_unknown(c, a, b, irl__carries_steps);
    irl__arena_mark mark = irl__scratch_begin(c->t->cx);
    if (irl__carries_ask(c, a, b, &q)) {
        q.relation[q.at] = IRL__BEFORE;
        found = irl__carries_meets(c, &q);
        q.relation[q.at] = IRL__AFTER;
        if (!found && a != b) found = irl__carries_meets(c, &q);
    }
    irl__scratch_end(c->t->cx, mark);
    return found;
}

/* ------------------------------------------------------------------ what is no access */

/* f: the function whose prototypes are believed; NULL: none are. */
static int irl__carries_is_call(const irl_expr *e, const void *f)
{
    const irl__extern *x = irl__extern_called((const irl_func *)f, e);
    if (!(e->flags & IRL__HAS_MEMORY)) return -1;
    return irl__expr_is_call(e, NULL) && irl__texel_call_of(e) == IRL__TEXEL_NO_CALL &&
           !(x && irl__extern_is_confined(x));
}

int irl__stmt_calls(const irl_func *f, const irl_stmt *s)
{
    return irl__stmt_any(s, NULL, irl__carries_is_call, f);
}

/* A barrier in a loop that is bound, inside of the one in question, is of that loop's own
   work-items. */
static int irl__carries_see_barrier(irl__visitor *v, const irl_stmt *s)
{
    const char **reason = (const char **)v->user;
    if (s->kind == IRL__BARRIER) *reason = irl__carries_waits;
    return !*reason && !irl__stmt_is_bound(s);
}

/* Where nothing else is known against another order: is there a call or a barrier? */
static void irl__carries_effects(irl__carries *c)
{
    const irl_stmt *body = c->loop->stmt->u.loop.body;
    const char     *reason = NULL;
    irl__visitor    waits = irl__visitor_make(&reason, NULL, irl__carries_see_barrier);
    if (c->m->answer != IRL_NO) return;
    if (c->t->has_calls && irl__stmt_calls(c->t->f, body)) reason = irl__carries_calls;
    else if (irl__stmt_holds(body, 1 << IRL__BARRIER)) irl__visit_stmt(&waits, body);
    if (reason) irl__carries_unknown(c, NULL, NULL, reason);
}

int irl__meeting_is_wait(const irl__meeting *m)
{
    return m->answer == IRL_UNKNOWN && m->reason == irl__carries_waits;
}

static irl_answer irl__carries_done(irl__carries *c)
{
    if (!irl__ok(c->t->cx)) c->m->answer = IRL_UNKNOWN, c->m->reason = "memory is out";
    return c->m->answer;
}

/* ------------------------------------------------------------------ one loop */

static irl_answer irl__carries_all(irl__carries *c)
{
    irl__accesses     *t = c->t;
    const irl__around *loop = c->loop;
    int                k, j, found = 0;
    if (irl__is_int(loop->stmt->u.loop.extent, 1)) return IRL_NO;
    for (k = loop->first; k < loop->end && !found && irl__ok(t->cx); k++)
        for (j = k; j < loop->end && !found; j++)
            found = (c->is_race && --c->steps <= 0) ||
                    irl__carries_pair(c, &t->list[k], &t->list[j]);
    if (c->is_race && c->steps <= 0) irl__carries_unknown(c, NULL, NULL, irl__carries_steps);
    irl__carries_effects(c);
    return irl__carries_done(c);
}

irl_answer irl__loop_carries(irl__accesses *t, const irl__around *loop, irl__meeting *m)
{
    irl__carries c;
    irl__carries_begin(&c, t, loop, m);
    return irl__carries_all(&c);
}

irl_answer irl__loop_races(irl__accesses *t, const irl__around *loop, irl__meeting_test *is_race,
                           void *user, irl__meeting *m)
{
    irl__carries c;
    irl__carries_begin(&c, t, loop, m);
    c.is_race = is_race;
    c.user = user;
    return irl__carries_all(&c);
}

irl_answer irl__loop_carries_between(irl__accesses *t, const irl__around *loop,
                                     const irl__access *a, const irl__access *b, irl__meeting *m)
{
    irl__carries c;
    irl__carries_begin(&c, t, loop, m);
    irl__carries_pair(&c, a, b);
    return irl__carries_done(&c);
}

const irl__around *irl__loop_of(const irl__accesses *t, const irl_stmt *loop)
{
    return (const irl__around *)irl__ptr_map_get(&t->of_stmt, loop);
}

/* ------------------------------------------------------------------ loops that change places */

typedef struct irl__carries_order {
    int                count;
    const irl__around *const *loops;
    const int         *order;
} irl__carries_order;

/* Iterations change places where the loop `first` is the outermost in which they differ, a before
   b, and of the new order `second`, a after b. */
static int irl__carries_swap(irl__carries *c, irl__carries_question *q, const irl__carries_order *o,
                             int first, int second, int sign)
{
    for (int k = 0; k < o->count; k++) q->relation[q->at + k] = k < first ? IRL__SAME : IRL__ANY;
    for (int k = 0; o->order[k] != second; k++) q->relation[q->at + o->order[k]] = IRL__SAME;
    q->relation[q->at + first] = sign > 0 ? IRL__BEFORE : IRL__AFTER;
    q->relation[q->at + second] = sign > 0 ? IRL__AFTER : IRL__BEFORE;
    return irl__carries_meets(c, q);
}

/* Whether `second`, an inner loop, comes to stand around `first`. */
static int irl__carries_moves_out(const irl__carries_order *o, int first, int second)
{
    for (int k = 0; k < o->count; k++) {
        if (o->order[k] == first) return 0;
        if (o->order[k] == second) return 1;
    }
    return 0;
}

/* Asks of each two loops that change places and that nothing else tells apart. q is NULL: are there
   such? */
static int irl__carries_swaps(irl__carries *c, irl__carries_question *q,
                              const irl__carries_order *o, const uint8_t *told)
{
    int found = 0;
    for (int first = 0; first < o->count && !found; first++)
        for (int second = first + 1; second < o->count && !found; second++) {
            if (!irl__carries_moves_out(o, first, second) ||
                (first < IRL__CARRIES_LOOPS && told[first]) ||
                (second < IRL__CARRIES_LOOPS && told[second]))
                continue;
            found = !q || irl__carries_swap(c, q, o, first, second, 1) ||
                    (q->a != q->b && irl__carries_swap(c, q, o, first, second, -1));
        }
    return found;
}

/* Does the access stand in all of the loops, with no other between them? */
static int irl__carries_is_in_all(const irl__carries_order *o, const irl__access *a)
{
    const irl__around *n = irl__around_next(a->around, IRL__AROUND_LOOP);
    int                k = o->count - 1;
    while (n && n != o->loops[k]) n = irl__around_next(n->outer, IRL__AROUND_LOOP);
    for (; n && k >= 0 && n == o->loops[k]; k--) n = irl__around_next(n->outer, IRL__AROUND_LOOP);
    return k < 0;
}

static int irl__carries_order_pair(irl__carries *c, const irl__carries_order *o,
                                   const irl__access *a, const irl__access *b)
{
    irl__carries_question q;
    uint8_t               told[IRL__CARRIES_LOOPS];
    int                   found = 0;
    if (irl__carries_never(c, a, b) || irl__accesses_commute(c->t, a, b)) return 0;
    /* Loops whose iterations touch different cells by the form of the indices alone. */
    for (int k = 0; k < o->count && k < IRL__CARRIES_LOOPS; k++)
        told[k] = (uint8_t)(irl__is_int(o->loops[k]->stmt->u.loop.extent, 1) ||
                            irl__access_tells(c->t, o->loops[k], a, b));
    const int in_all = irl__carries_is_in_all(o, a) && irl__carries_is_in_all(o, b);
    if (in_all && !irl__carries_swaps(c, NULL, o, told)) return 0;
    if (c->steps <= 0) return irl__carries_unknown(c, a, b, irl__carries_steps);
    irl__arena_mark mark = irl__scratch_begin(c->t->cx);
    if (irl__carries_ask(c, a, b, &q)) {
        if (!in_all) irl__carries_unknown(c, a, b, "not all of it is in the innermost loop");
        else found = irl__carries_swaps(c, &q, o, told);
    }
    irl__scratch_end(c->t->cx, mark);
    return found;
}

irl_answer irl__order_is_kept(irl__accesses *t, int count, const irl__around *const *loops,
                              const int *order, irl__meeting *m)
{
    irl__carries       c;
    irl__carries_order o;
    const irl__around *loop = loops[0];
    int                k, j, found = 0;
    o.count = count;
    o.loops = loops;
    o.order = order;
    irl__carries_begin(&c, t, loop, m);
    for (k = loop->first; k < loop->end && !found && irl__ok(t->cx); k++)
        for (j = k; j < loop->end && !found; j++)
            found = irl__carries_order_pair(&c, &o, &t->list[k], &t->list[j]);
    irl__carries_effects(&c);
    irl_answer changes = irl__carries_done(&c);
    return changes == IRL_YES ? IRL_NO : changes == IRL_NO ? IRL_YES : IRL_UNKNOWN;
}
