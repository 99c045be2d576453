/* fence.c - for two accesses by two work-items of a group: in which iterations of the loops around
   both is no barrier between them? And which work-items reach a barrier?

   needs     fields.c for the parts of a statement; a statement that each work-item of the group
             runs from its beginning to its end
   promises  examines each case in which no barrier is known to be between the two. If one work-item
             reaches a barrier, all of its group do, which check_parallel ensures; so a statement
             after a barrier in a list of statements is after the barrier for all work-items
   cost      a walk of the statement for each loop that is around both

   In one iteration of a serial loop around both, a barrier between the accesses orders them. Across
   iterations, a barrier orders them if it is after the earlier or before the later access in the
   body of the loop. If each iteration of a loop passes a barrier, only two consecutive iterations
   have no barrier between them; and of such a loop around only one of the accesses, only the last
   iteration before the other access, or the first one after it. */
#include "access.h"

/* ------------------------------------------------------------------ the way to an access */

typedef struct irl__fence_count {
    const irl_stmt *place;
    int             times;
} irl__fence_count;

static int irl__fence_see(irl__visitor *v, const irl_stmt *s)
{
    irl__fence_count *q = (irl__fence_count *)v->user;
    q->times += s == q->place;
    return q->times < 2;
}

/* The statement directly in s in which the access is; NULL: it is s itself, or it is not known. */
static const irl_stmt *irl__fence_inner(const irl_stmt *s, const irl__access *a)
{
    const irl_stmt *part, *found = NULL;
    int             sum = 0;
    for (int k = 0; (part = irl__stmt_part(s, k)) != NULL; k++) {
        /* How often the access stands in the part: 2 is several times. */
        irl__fence_count q;
        irl__visitor     v = irl__visitor_make(&q, NULL, irl__fence_see);
        q.place = a->place;
        q.times = 0;
        irl__visit_stmt(&v, part);
        const int times = q.times;
        if (times) found = part;
        sum += times;
    }
    return sum == 1 ? found : NULL;
}

static int irl__fence_at(const irl_stmt *list, const irl_stmt *one)
{
    int k = 0;
    while (list->u.seq.stmts[k] != one) k++;
    return k;
}

/* ------------------------------------------------------------------ barriers that all pass */

/* Which barriers count. */
typedef struct irl__fence_which {
    irl_scope scope;
    int       may; /* those too that a condition or an empty loop may leave out */
} irl__fence_which;

static irl__fence_which irl__fence_which_of(irl_scope scope, int may)
{
    irl__fence_which which;
    which.scope = scope;
    which.may = may;
    return which;
}

/* Does each run of the statement pass a barrier (which.may: may it)? */
static int irl__fence_waits(const irl_stmt *s, irl__fence_which which)
{
    const irl_stmt *part;
    if (!irl__stmt_holds(s, 1u << IRL__BARRIER)) return 0;
    if (s->kind == IRL__BARRIER) return s->u.barrier.scope == which.scope;
    if (!which.may && s->kind != IRL__ATTR && s->kind != IRL__SEQ &&
        !(s->kind == IRL__FOR && irl__stmt_loop_runs(s)))
        return 0;
    for (int k = 0; (part = irl__stmt_part(s, k)) != NULL; k++)
        if (irl__fence_waits(part, which)) return 1;
    return 0;
}

/* Does one stand between two places of a list? */
static int irl__fence_between(const irl_stmt *list, int from, int to, irl__fence_which which)
{
    for (int k = from + 1; k < to; k++)
        if (irl__fence_waits(list->u.seq.stmts[k], which)) return 1;
    return 0;
}

static int irl__fence_guards(const irl_stmt *s, const irl__access *a, int behind,
                             irl__fence_which which)
{
    const irl_stmt *next;
    for (; (next = irl__fence_inner(s, a)) != NULL; s = next) {
        const int at = s->kind == IRL__SEQ ? irl__fence_at(s, next) : -1;
        if (at >= 0 && (behind ? irl__fence_between(s, at, s->u.seq.count, which)
                               : irl__fence_between(s, -1, at, which)))
            return 1;
    }
    return 0;
}

int irl__fence_beside(const irl_stmt *s, const irl__access *a, int behind, irl_scope scope)
{
    return irl__fence_guards(s, a, behind, irl__fence_which_of(scope, 0));
}

int irl__fence_stands(const irl_stmt *s, const irl__access *a, const irl__access *b,
                      const irl_stmt *over, int may)
{
    const irl__fence_which which = irl__fence_which_of(irl__fence_scope(b), may);
    const irl_stmt        *x = irl__fence_inner(s, a), *y = irl__fence_inner(s, b);
    for (; s != over && x && x == y; y = irl__fence_inner(s, b)) {
        s = x;
        x = irl__fence_inner(s, a);
    }
    if (s == over) /* after two iterations any barrier of the loop has been between */
        return (may && irl__fence_waits(s->u.loop.body, which)) ||
               irl__fence_guards(s, a, 1, which) || irl__fence_guards(s, b, 0, which);
    if (over || !x || !y) return may && s != a->place && s != b->place;
    if (s->kind != IRL__SEQ) return 0;
    const int i = irl__fence_at(s, x), j = irl__fence_at(s, y);
    return i < j && (irl__fence_between(s, i, j, which) || irl__fence_guards(x, a, 1, which) ||
                     irl__fence_guards(y, b, 0, which));
}

/* ------------------------------------------------------------------ the cases */

static irl__fence_which irl__fence_counted(const irl__fence *q)
{
    return irl__fence_which_of(q->scope, q->is_certain);
}

/* Loops in s around the access (a: copy 0, b: copy 1) each iteration of which passes a barrier: the
   last iteration is before the other access with none between, or the first one after it. */
static void irl__fence_end(irl__fence *q, const irl_stmt *s, int copy, int is_last)
{
    const irl__access *a = copy ? q->b : q->a;
    for (; s; s = irl__fence_inner(s, a))
        if (s->kind == IRL__FOR && s->u.loop.kind != IRL_BOUND &&
            q->end_count < IRL__FENCE_ENDS &&
            irl__fence_waits(s->u.loop.body, irl__fence_counted(q))) {
            irl__fence_edge *end = &q->ends[q->end_count++];
            end->loop = s;
            end->copy = copy;
            end->is_last = is_last;
        }
}

/* Asks where one access is in `first`, which is done before `then`, where the other one is. */
static irl_answer irl__fence_ask(irl__fence *q, const irl_stmt *first, int copy,
                                 const irl_stmt *then)
{
    q->end_count = 0;
    irl__fence_end(q, first, copy, 1);
    irl__fence_end(q, then, !copy, 0);
    return q->is_certain && q->end_count == IRL__FENCE_ENDS ? IRL_NO : q->ask(q);
}

/* Two iterations of a serial loop, that of a before that of b, or after. */
static irl_answer irl__fence_across(irl__fence *q, const irl_stmt *body, int is_before)
{
    const irl__access     *first = is_before ? q->a : q->b, *then = is_before ? q->b : q->a;
    const irl__fence_which which = irl__fence_counted(q);
    if (irl__fence_guards(body, first, 1, which) || irl__fence_guards(body, then, 0, which))
        return IRL_NO;
    q->relation[q->count - 1] = is_before ? IRL__BEFORE : IRL__AFTER;
    q->is_next = irl__fence_waits(body, which);
    irl_answer answer = irl__fence_ask(q, body, !is_before, body);
    q->is_next = 0;
    return answer;
}

static irl_answer irl__fence_loop(irl__fence *q, const irl_stmt *s)
{
    q->loops[q->count++] = s;
    irl_answer answer = irl__fence_across(q, s->u.loop.body, 1);
    if (answer == IRL_NO) answer = irl__fence_across(q, s->u.loop.body, 0);
    q->relation[q->count - 1] = IRL__SAME;
    return answer;
}

irl_answer irl__fence_each(irl__fence *q, const irl_stmt *s)
{
    irl_answer answer = IRL_NO;
    q->count = q->is_next = 0;
    while (answer == IRL_NO) {
        const irl_stmt *x = irl__fence_inner(s, q->a), *y = irl__fence_inner(s, q->b);
        /* They part in a list: x holds a, and y holds b. */
        if (s->kind == IRL__SEQ && x && y && x != y) {
            const int              i = irl__fence_at(s, x), j = irl__fence_at(s, y);
            const irl__fence_which which = irl__fence_counted(q);
            if (irl__fence_between(s, i < j ? i : j, i < j ? j : i, which) ||
                irl__fence_guards(i < j ? x : y, i < j ? q->a : q->b, 1, which) ||
                irl__fence_guards(i < j ? y : x, i < j ? q->b : q->a, 0, which))
                return IRL_NO;
            return i < j ? irl__fence_ask(q, x, 0, y) : irl__fence_ask(q, y, 1, x);
        }
        /* They part in s, which is no list, or it is not known where they are in it. */
        if (!x || x != y || q->count == IRL__FENCE_LOOPS) {
            if (q->is_certain && irl__fence_waits(s, irl__fence_counted(q))) return IRL_NO;
            q->end_count = 0;
            return q->ask(q);
        }
        if (s->kind == IRL__FOR && s->u.loop.kind != IRL_BOUND) answer = irl__fence_loop(q, s);
        s = x;
    }
    return answer;
}

/* ------------------------------------------------------------------ who comes to a barrier */

/* What a loop's iterations differ in, and a condition or bound by it around a barrier. */
typedef struct irl__fence_apart {
    irl_ctx        *cx;
    irl__analyzer  *an;
    irl__ptr_map    own;
    const irl_expr *found;
} irl__fence_apart;

static int irl__fence_is_own(const irl_expr *e, const void *user)
{
    return e->op == IRL_OP_VAR &&
           irl__ptr_map_get(&((const irl__fence_apart *)user)->own, e) != NULL;
}

static void irl__fence_own(irl__fence_apart *q, const irl_expr *var, const irl_expr *value)
{
    if (irl__expr_any(value, irl__fence_is_own, q))
        (void)irl__ptr_map_put(q->cx, &q->own, var, var);
}

static void irl__fence_see_decides(irl__fence_apart *q, const irl_expr *e)
{
    /* Where it is proved or refuted, all work-items go the same way. */
    if (e && !q->found && irl__expr_any(e, irl__fence_is_own, q) &&
        !(q->an && e->type.scalar == IRL_BOOL && !(e->flags & IRL__HAS_MEMORY) &&
          (irl__prove(q->an, e) || irl__prove(q->an, irl_expr_op1(q->cx, IRL_OP_NOT, e)))))
        q->found = e;
}

static int irl__fence_see_apart(irl__visitor *v, const irl_stmt *s)
{
    irl__fence_apart *q = (irl__fence_apart *)v->user;
    if (s->kind == IRL__LET) irl__fence_own(q, s->u.let.var, s->u.let.value);
    if (!irl__stmt_holds(s, 1u << IRL__BARRIER)) return 0;
    if (s->kind == IRL__IF) irl__fence_see_decides(q, s->u.branch.condition);
    if (s->kind == IRL__FOR) {
        irl__fence_see_decides(q, s->u.loop.min);
        irl__fence_see_decides(q, s->u.loop.extent);
    }
    if (s->kind != IRL__BLOCK) return !q->found;
    for (int k = 0; k < s->u.block->axis_count; k++)
        irl__fence_own(q, s->u.block->axes[k].var, s->u.block->axes[k].binding);
    irl__fence_see_decides(q, s->u.block->predicate);
    return !q->found;
}

const irl_expr *irl__fence_decided(irl_ctx *cx, irl__analyzer *an, const irl_stmt *loop)
{
    irl__arena_mark  mark = irl__scratch_begin(cx);
    irl__fence_apart q;
    irl__visitor     v = irl__visitor_make(&q, NULL, irl__fence_see_apart);
    memset(&q, 0, sizeof q);
    q.cx = cx;
    q.an = an;
    if (irl__stmt_holds(loop, 1u << IRL__BARRIER) && !irl__is_int(loop->u.loop.extent, 1) &&
        irl__ptr_map_put(cx, &q.own, loop->u.loop.var, loop))
        irl__visit_stmt(&v, loop->u.loop.body);
    irl__scratch_end(cx, mark);
    return q.found;
}

irl_scope irl__fence_scope(const irl__access *a)
{
    return a->buffer && a->buffer->scope == IRL_SCOPE_SHARED ? IRL_SCOPE_SHARED : IRL_SCOPE_GLOBAL;
}
