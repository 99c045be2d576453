/* kernel.c - may the work-items of a launch do at the same time what the launch did in order?

   needs     pair.c, carries.c; fence.c for barriers between two accesses; the table of accesses
   promises  as carries.c: NO is proved, YES is two iterations, of two work-items, that meet in one
             cell with no barrier between
   cost      that of carries.c for each pair of accesses of one memory, times the axes of the kernel

   Memory that a launch allocates has a copy for each work-item (shared memory: for each group) once
   the launch is a part of a kernel. A value is then lost if one work-item writes it and another one
   reads it; this is asked as a question whether the two meet. */
#include "analysis.h"

/* For a race, a look at a pair of one memory is some steps too: pairs may be very many. */
enum { IRL__KERNEL_STEPS = 400000, IRL__KERNEL_LOOK = 100 };

static const char irl__kernel_steps[] = "too many steps";

typedef struct irl__kernel {
    irl__accesses     *t;
    const irl__around *kernel, *loop;   /* NULL: the question is irl__kernel_row_meets' */
    const irl_stmt    *on[IRL__AXIS_COUNT]; /* a loop on the axis; NULL: it has one work-item */
    int                is_moved; /* the question is irl__kernel_carries_over's */
    int                waits;    /* a barrier stands in the kernel */
    int64_t            steps;
    irl__meeting_test *is_race; /* the question is irl__kernel_races' */
    void              *user;
    irl__meeting      *m, own;
} irl__kernel;

/* ------------------------------------------------------------------ where work-items differ */

static int irl__kernel_see(irl__visitor *v, const irl_stmt *s)
{
    irl__kernel *q = (irl__kernel *)v->user;
    if (s->kind == IRL__BARRIER) q->waits = 1;
    if (irl__stmt_is_bound(s) && !irl__is_int(s->u.loop.extent, 1))
        q->on[s->u.loop.axis] = s;
    return 1;
}

static void irl__kernel_begin(irl__kernel *q, irl__accesses *t, const irl__around *kernel,
                              const irl__around *loop, int is_moved, irl__meeting *m)
{
    irl__visitor v = irl__visitor_make(q, NULL, irl__kernel_see);
    memset(q, 0, sizeof *q);
    q->t = t;
    q->kernel = kernel;
    q->loop = loop;
    q->is_moved = is_moved;
    q->steps = IRL__KERNEL_STEPS;
    q->m = m ? m : &q->own;
    memset(q->m, 0, sizeof *q->m);
    q->m->answer = IRL_NO;
    irl__visit_stmt(&v, kernel->stmt);
}

static int irl__kernel_is_bound(const irl__around *n)
{
    return n->kind == IRL__AROUND_LOOP && n->stmt->u.loop.kind == IRL_BOUND;
}

/* The loop around an access, in the kernel, that gives it a place on the axis; NULL: none does. */
static const irl__around *irl__kernel_place(const irl__kernel *q, const irl__access *a, int axis)
{
    const irl__around *n = a->around;
    for (; n; n = n->outer) {
        if (irl__kernel_is_bound(n) && (int)n->stmt->u.loop.axis == axis) return n;
        if (n == q->kernel) break;
    }
    return NULL;
}

/* The launch that an access was in before the kernel was one; NULL: it stood beside. */
static const irl__around *irl__kernel_launch(const irl__kernel *q, const irl__access *a)
{
    const irl__around *n = a->around, *launch = NULL;
    for (; n != q->kernel; n = n->outer)
        if (irl__kernel_is_bound(n)) launch = n;
    return launch;
}

static const irl_expr *irl__kernel_number(const irl__kernel *q, const irl__around *place)
{
    const irl_expr *min = place->stmt->u.loop.min;
    return irl__is_int(min, 0) ? place->var : irl__sub(q->t->cx, place->var, min);
}

/* ------------------------------------------------------------------ which pairs are asked */

typedef struct irl__kernel_pair {
    const irl__access *a, *b;
    int                is_own; /* of memory that each work-item (or group) has for itself */
    int                groups; /* ... each group has */
    const irl__around *launch; /* they were both in this one, which ran again and again */
} irl__kernel_pair;

/* May the pair come to meet by what has changed? */
static int irl__kernel_is_asked(const irl__kernel *q, irl__kernel_pair *p)
{
    if ((!irl__access_writes(p->a) && !irl__access_writes(p->b)) || p->a->is_declared ||
        p->b->is_declared || irl__access_is_apart(p->a, p->b) ||
        irl__access_alias(q->t, p->a, p->b) == IRL_NO)
        return 0;
    const irl__around *memory = p->a->allocation;
    p->launch = NULL;
    p->is_own = memory && memory->depth > q->kernel->depth;
    p->groups = p->is_own && memory->buffer->scope == IRL_SCOPE_SHARED;
    if (q->is_race && p->a->memory->type.scope == IRL_SCOPE_LOCAL) return 0;
    if (!q->loop) return !p->is_own || p->groups;
    if (q->is_moved)
        return irl__access_under(p->a, q->loop) && irl__access_under(p->b, q->loop) &&
               !(p->is_own && memory->depth > q->loop->depth);
    if (q->loop != q->kernel) {
        if (p->is_own && memory->depth > q->loop->depth) return 0; /* it was an iteration's */
        return irl__access_under(p->a, q->loop) || irl__access_under(p->b, q->loop);
    }
    const irl__around *launch = irl__kernel_launch(q, p->a);
    if (!launch || launch != irl__kernel_launch(q, p->b)) return 1;
    p->launch = launch;
    return launch->loop_count > q->kernel->loop_count + 1 &&
           !(p->is_own && memory->depth > launch->depth);
}

/* Is their place on the axis the same wherever they meet, by one look at their indices? */
static int irl__kernel_is_told(const irl__kernel *q, const irl__kernel_pair *p,
                               const irl__around *x, const irl__around *y)
{
    if (x == y && irl__access_tells(q->t, x, p->a, p->b)) return 1;
    return x->stmt->u.loop.min == y->stmt->u.loop.min && irl__access_is_plain(p->a, p->b) &&
           irl__indices_tell(p->a->rank, p->a->indices, x->var, p->b->indices, y->var);
}

/* May the pair be of two work-items, at two places on the axis, by one look at the accesses? */
static int irl__kernel_is_of_two(const irl__kernel *q, const irl__kernel_pair *p, int axis)
{
    const irl__around *x = irl__kernel_place(q, p->a, axis), *y = irl__kernel_place(q, p->b, axis);
    if (p->is_own && (!p->groups || axis <= IRL_GROUP_Z) && /* each has its copy */
        (!x || (p->b->kind != IRL__ACCESS_READ && p->b->kind != IRL__ACCESS_OPAQUE)))
        return 0;
    return !x || !y || !irl__kernel_is_told(q, p, x, y);
}

/* May two work-items, of which the axis is one place or another, be those that the pair is of? */
static int irl__kernel_differs(const irl__kernel *q, const irl__kernel_pair *p, int axis)
{
    if (!q->on[axis]) return 0;
    if (q->is_race &&
        (q->on[axis]->u.loop.extent->op != IRL_OP_INT || q->on[axis]->u.loop.extent->u.i <= 1) &&
        !(irl__kernel_place(q, p->a, axis) && irl__kernel_place(q, p->b, axis)))
        return 0;
    if (!q->loop) return !(p->groups && axis <= IRL_GROUP_Z) && irl__kernel_is_of_two(q, p, axis);
    if (axis == (int)q->kernel->stmt->u.loop.axis && q->loop == q->kernel) return 0;
    if (!q->is_moved && q->loop != q->kernel && axis != (int)q->loop->stmt->u.loop.axis) return 0;
    return irl__kernel_is_of_two(q, p, axis);
}

/* ------------------------------------------------------------------ a question */

/* Axes are compared, and iterations of loops with a barrier. */
enum { IRL__KERNEL_COMPARED = (int)IRL__AXIS_COUNT + 1 + (int)IRL__FENCE_ENDS };

typedef struct irl__kernel_question {
    irl__pair      *pair;
    uint8_t        *relation;
    int             count; /* of what is compared */
    const irl_expr *at[2][IRL__KERNEL_COMPARED];
    uint8_t         order[IRL__KERNEL_COMPARED];
} irl__kernel_question;

/* Another place on the axis; on the others, where a barrier may not have been between, the same:
   else they met before. False on failure. */
static int irl__kernel_places(const irl__kernel *q, const irl__kernel_pair *p, int axis,
                              irl__kernel_question *o)
{
    o->count = 0;
    for (int k = 0; k < (int)IRL__AXIS_COUNT; k++) {
        const irl__around *x = irl__kernel_place(q, p->a, k), *y = irl__kernel_place(q, p->b, k);
        const int          is_any = q->waits || q->is_moved || !q->loop || q->loop == q->kernel;
        if (!x || !y || (k != axis && is_any)) continue;
        o->at[0][o->count] = irl__kernel_number(q, x);
        o->at[1][o->count] = irl__kernel_number(q, y);
        if (!o->at[0][o->count] || !o->at[1][o->count]) return 0;
        o->order[o->count++] = k == axis ? IRL__BEFORE | IRL__AFTER : IRL__SAME;
    }
    return 1;
}

/* One iteration of what stands around the kernel, and of a kernel that is the loop itself. */
static void irl__kernel_relation(const irl__kernel *q, const irl__kernel_question *o)
{
    for (int k = 0; k < irl__pair_loop_count(o->pair); k++) {
        const irl__around *n = irl__pair_loop(o->pair, k);
        const int          is_around = n->depth < q->kernel->depth;
        o->relation[k] = is_around || (n == q->kernel && q->loop == n) ? IRL__SAME : IRL__ANY;
        if (q->is_moved && n == q->loop) o->relation[k] = IRL__BEFORE | IRL__AFTER;
    }
}

/* True: YES, which ends the search; where nobody wants to see it, UNKNOWN does too. */
static int irl__kernel_ask(irl__kernel *q, const irl__kernel_question *o)
{
    irl__meeting one;
    irl__pair_meets_where(o->pair, o->relation, o->count, o->at[0], o->at[1], o->order, &one);
    q->steps -= irl__pair_used(o->pair);
    if (q->is_race && one.answer == IRL_YES && !q->is_race(q->t, &one, q->user))
        one.answer = IRL_UNKNOWN;
    if (one.answer == IRL_YES || (one.answer == IRL_UNKNOWN && q->m->answer == IRL_NO))
        *q->m = one;
    return one.answer == IRL_YES || (q->m == &q->own && one.answer == IRL_UNKNOWN);
}

/* ... in one of the ways in which no barrier stands between. */
typedef struct irl__kernel_way {
    irl__kernel          *q;
    irl__kernel_question *o;
} irl__kernel_way;

/* What the first access is compared with at the second one; false on failure. */
static int irl__kernel_compare(irl__kernel_question *o, const irl_expr *a, const irl_expr *b)
{
    o->at[0][o->count] = a;
    o->at[1][o->count] = b;
    o->order[o->count++] = IRL__SAME;
    return a && b;
}

/* The iterations with no barrier between them. False: they are not known, or failure. */
static int irl__kernel_put_way(const irl__fence *f, irl__kernel_question *o)
{
    irl_ctx *cx = ((const irl__kernel_way *)f->user)->q->t->cx;
    int      k, known = 1;
    if (f->is_next) {
        const irl_expr *var = f->loops[f->count - 1]->u.loop.var;
        const irl_expr *next = irl__add(cx, var, irl_expr_index(cx, 1));
        const int       is_before = f->relation[f->count - 1] == IRL__BEFORE;
        if (!irl__kernel_compare(o, is_before ? next : var, is_before ? var : next)) return 0;
    }
    for (k = 0; k < f->end_count; k++) {
        const irl__fence_edge *end = &f->ends[k];
        const irl_expr        *var = end->loop->u.loop.var, *at = end->loop->u.loop.min;
        known &= at->op == IRL_OP_INT && end->loop->u.loop.extent->op == IRL_OP_INT;
        if (at->op != IRL_OP_INT || end->loop->u.loop.extent->op != IRL_OP_INT) continue;
        if (end->is_last)
            at = irl__add(cx, at, irl_expr_index(cx, end->loop->u.loop.extent->u.i - 1));
        if (!irl__kernel_compare(o, end->copy ? at : var, end->copy ? var : at)) return 0;
    }
    return known || !f->is_certain;
}

static irl_answer irl__kernel_ask_way(irl__fence *f)
{
    const irl__kernel_way *way = (const irl__kernel_way *)f->user;
    irl__pair             *pair = way->o->pair;
    uint8_t                kept[IRL_MAX_DEPTH];
    const int              count = irl__pair_loop_count(pair), compared = way->o->count;
    int                    k, j, found = 1;
    memcpy(kept, way->o->relation, (size_t)count);
    for (k = 0; k < count; k++) {
        for (j = 0; j < f->count && f->loops[j] != irl__pair_loop(pair, k)->stmt; j++) {}
        if (j < f->count) way->o->relation[k] &= f->relation[j];
        found &= way->o->relation[k] != 0;
    }
    found = found && irl__kernel_put_way(f, way->o) && irl__kernel_ask(way->q, way->o);
    way->o->count = compared;
    memcpy(way->o->relation, kept, (size_t)count);
    return found ? IRL_YES : IRL_NO;
}

/* A barrier orders work-items of a group, but gives none what another one has for itself. */
static int irl__kernel_ask_past(irl__kernel *q, const irl__kernel_pair *p, int axis,
                                irl__kernel_question *o)
{
    irl__kernel_way way;
    irl__fence      f;
    if (axis < IRL_LOCAL_X || axis > IRL_LOCAL_Z || !q->waits || (p->is_own && !p->groups))
        return irl__kernel_ask(q, o);
    way.q = q;
    way.o = o;
    f.a = p->a;
    f.b = p->b;
    f.scope = irl__fence_scope(p->a);
    f.is_certain = q->is_race != NULL;
    f.ask = irl__kernel_ask_way;
    f.user = &way;
    return irl__fence_each(&f, q->kernel->stmt) != IRL_NO;
}

/* Iterations of the launch's loops that were in order: the outermost in which they differ. */
static int irl__kernel_ask_launch(irl__kernel *q, const irl__kernel_pair *p, int axis,
                                  irl__kernel_question *o)
{
    int k, found = 0;
    for (k = 0; k < irl__pair_loop_count(o->pair) && !found; k++) {
        const irl__around *n = irl__pair_loop(o->pair, k);
        if (n->depth <= q->kernel->depth) continue;
        if (n == p->launch) break;
        o->relation[k] = IRL__BEFORE | IRL__AFTER;
        found = irl__kernel_ask_past(q, p, axis, o);
        o->relation[k] = IRL__SAME;
    }
    return found;
}

static int irl__kernel_ask_axis(irl__kernel *q, const irl__kernel_pair *p, int axis,
                                irl__kernel_question *o)
{
    if (q->steps <= 0) {
        if (q->m->answer == IRL_NO) {
            q->m->answer = IRL_UNKNOWN;
            q->m->a = p->a;
            q->m->b = p->b;
            q->m->reason = irl__kernel_steps;
        }
        return 1;
    }
    if (!irl__kernel_places(q, p, axis, o)) return 1;
    irl__kernel_relation(q, o);
    return p->launch ? irl__kernel_ask_launch(q, p, axis, o) : irl__kernel_ask_past(q, p, axis, o);
}

static int irl__kernel_question_begin(irl__kernel *q, const irl__kernel_pair *p,
                                      irl__kernel_question *o)
{
    if (o->pair) return 1;
    o->pair = irl__pair_begin(q->t, p->a, p->b, IRL__PAIR_STEPS);
    if (!o->pair) return 0;
    o->relation =
        (uint8_t *)irl__scratch_alloc(q->t->cx, (size_t)irl__pair_loop_count(o->pair) + 1, 1);
    return o->relation != NULL;
}

/* True: that ends the search. */
static int irl__kernel_ask_pair(irl__kernel *q, const irl__access *a, const irl__access *b)
{
    irl__arena_mark      mark = irl__scratch_begin(q->t->cx);
    irl__kernel_pair     p;
    irl__kernel_question o;
    int                  k, found = 0;
    memset(&o, 0, sizeof o);
    p.a = a->kind == IRL__ACCESS_READ ? b : a; /* a writes, where one of them reads */
    p.b = p.a == a ? b : a;
    if (irl__kernel_is_asked(q, &p)) {
        if (q->is_race) q->steps -= IRL__KERNEL_LOOK;
        for (k = 0; k < (int)IRL__AXIS_COUNT && !found; k++)
            found = irl__kernel_differs(q, &p, k) &&
                    (!irl__kernel_question_begin(q, &p, &o) || irl__kernel_ask_axis(q, &p, k, &o));
    }
    irl__scratch_end(q->t->cx, mark);
    return found;
}

static irl_answer irl__kernel_ask_all(irl__kernel *q)
{
    irl__accesses *t = q->t;
    int            k, j, found = 0;
    for (k = q->kernel->first; k < q->kernel->end && !found && irl__ok(t->cx); k++)
        for (j = k; j < q->kernel->end && !found; j++)
            found = (q->is_race && --q->steps <= 0) ||
                    irl__kernel_ask_pair(q, &t->list[k], &t->list[j]);
    if (q->is_race && q->steps <= 0 && q->m->answer == IRL_NO)
        q->m->answer = IRL_UNKNOWN, q->m->reason = irl__kernel_steps;
    if (!irl__ok(t->cx)) q->m->answer = IRL_UNKNOWN, q->m->reason = "memory is out";
    return q->m->answer;
}

irl_answer irl__kernel_carries(irl__accesses *t, const irl__around *kernel,
                               const irl__around *loop, irl__meeting *m)
{
    irl__kernel q;
    irl__kernel_begin(&q, t, kernel, loop, 0, m);
    return irl__kernel_ask_all(&q);
}

irl_answer irl__kernel_carries_over(irl__accesses *t, const irl__around *kernel,
                                    const irl__around *loop, irl__meeting *m)
{
    irl__kernel q;
    irl__kernel_begin(&q, t, kernel, loop, 1, m);
    return irl__kernel_ask_all(&q);
}

irl_answer irl__kernel_races(irl__accesses *t, const irl__around *kernel,
                             irl__meeting_test *is_race, void *user, irl__meeting *m)
{
    irl__kernel q;
    irl__kernel_begin(&q, t, kernel, NULL, 0, m);
    q.is_race = is_race;
    q.user = user;
    return irl__kernel_ask_all(&q);
}

irl_answer irl__kernel_row_meets(irl__accesses *t, const irl__around *kernel, int row,
                                 irl__meeting *m)
{
    irl__kernel q;
    int         k, found = 0;
    irl__kernel_begin(&q, t, kernel, NULL, 0, m);
    for (k = kernel->first; k < kernel->end && !found && irl__ok(t->cx); k++)
        found = irl__kernel_ask_pair(&q, &t->list[row], &t->list[k]);
    return irl__ok(t->cx) ? q.m->answer : IRL_UNKNOWN;
}

/* ------------------------------------------------------------------ memory around the kernel */

/* What two work-items of one group do, of which the axis is one place or another. */
static irl_answer irl__kernel_meets(irl__kernel *q, const irl__kernel_pair *p, int axis,
                                    uint8_t inside, irl__kernel_question *o)
{
    if (!irl__kernel_question_begin(q, p, o) || !irl__kernel_places(q, p, axis, o))
        return IRL_UNKNOWN;
    irl__kernel_relation(q, o);
    for (int k = 0; k < irl__pair_loop_count(o->pair); k++)
        if (!irl__kernel_is_bound(irl__pair_loop(o->pair, k))) o->relation[k] &= inside;
    return irl__pair_meets_where(o->pair, o->relation, o->count, o->at[0], o->at[1], o->order,
                                 NULL);
}

/* Does a statement store to one cell for two work-items, with no barrier between: in the same
   iterations of what is no loop of an axis? */
static int irl__kernel_is_stored_twice(irl__kernel *q, const irl__kernel_pair *p, int axis,
                                       irl__kernel_question *o)
{
    const irl__around *x = irl__kernel_place(q, p->a, axis);
    if (p->a != p->b) return 0;
    return !x || (!irl__kernel_is_told(q, p, x, x) &&
                  irl__kernel_meets(q, p, axis, IRL__SAME, o) == IRL_YES);
}

static int irl__kernel_is_read_elsewhere(irl__kernel *q, const irl__kernel_pair *p, int axis,
                                         irl__kernel_question *o)
{
    return irl__kernel_is_of_two(q, p, axis) &&
           irl__kernel_meets(q, p, axis, IRL__ANY, o) != IRL_NO;
}

typedef int irl__kernel_test(irl__kernel *q, const irl__kernel_pair *p, int axis,
                             irl__kernel_question *o);

/* Is it so on a local axis, for accesses of the memory of which the first writes? */
static int irl__kernel_finds(irl__kernel *q, irl__kernel_pair *p, irl__kernel_test *test)
{
    irl__arena_mark      mark = irl__scratch_begin(q->t->cx);
    irl__kernel_question o;
    int                  k, found = 0;
    memset(&o, 0, sizeof o);
    for (k = IRL_LOCAL_X; k <= (int)IRL_LOCAL_Z && !found; k++)
        found = q->on[k] && test(q, p, k, &o);
    irl__scratch_end(q->t->cx, mark);
    return found;
}

static int irl__kernel_finds_any(irl__kernel *q, const irl_expr *memory, irl__kernel_test *test)
{
    irl__accesses   *t = q->t;
    irl__kernel_pair p;
    int              k, j, found = 0;
    memset(&p, 0, sizeof p);
    p.is_own = 1;
    for (k = q->kernel->first; k < q->kernel->end && !found; k++)
        for (j = q->kernel->first; j < q->kernel->end && !found; j++) {
            p.a = &t->list[k];
            p.b = &t->list[j];
            found = irl__access_writes(p.a) && p.a->memory == memory && p.b->memory == memory &&
                    !p.a->is_declared && !p.b->is_declared && irl__kernel_finds(q, &p, test);
        }
    return found;
}

int irl__kernel_exchanges(irl__accesses *t, const irl_expr *memory)
{
    irl__kernel q;
    int         k, found = 0;
    for (k = 0; k < (int)stbds_arrlen(t->loops) && !found; k++) {
        const irl__around *n = t->loops[k]->outer;
        while (n && !irl__kernel_is_bound(n)) n = n->outer;
        if (!(irl__kernel_is_bound(t->loops[k]) && !n)) continue;
        irl__kernel_begin(&q, t, t->loops[k], NULL, 0, NULL);
        found = q.waits && !irl__kernel_finds_any(&q, memory, irl__kernel_is_stored_twice) &&
                irl__kernel_finds_any(&q, memory, irl__kernel_is_read_elsewhere);
    }
    return found;
}
