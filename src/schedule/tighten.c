/* tighten.c - turns conditions of a nest into bounds of its loops, and bounds into conditions.

   needs     place.c, substitution
   promises  the same statements run in the same order: removed iterations only tested a condition

   tighten
   requires  a loop in which, through loops and conditions without else alone, conditions compare
             variables of these loops with numbers; the loops' bounds are numbers. Or, where none
             does: they, or the condition of a store that keeps its cell else, compare the variable
             of the loop with an index of loops around it and in it
   does      for (i: 8) if (i > 0 && i != 7 && x[i] > 0) s;    for (i: 1 .. 7) if (x[i] > 0) s;
             axes of blocks that count a loop's iterations count those that are left. Or
             for (k: 64, v: 8) if (k >= 8 * i + v) s;    for (k: 8 * i .. 64, v: 8) if (...) s;
             where the condition stays, and axes count what they counted
   refuses   where no condition bounds a loop; where no iteration would be left; loops that are
             bound or vectorized keep their bounds, for others count on them */
#include "schedule.h"

typedef struct irl__tight_loop {
    const irl_stmt *loop;
    int64_t         lo, hi; /* of what is left */
} irl__tight_loop;

typedef struct irl__tight {
    irl_ctx         *cx;
    irl__tight_loop *loops; /* scratch */
    int              taken; /* conditions */
} irl__tight;

static int64_t irl__tight_min(const irl_stmt *loop) { return loop->u.loop.min->u.i; }

static irl__tight_loop *irl__tight_of(const irl__tight *q, const irl_expr *var)
{
    for (size_t k = 0; k < stbds_arrlenu(q->loops); k++)
        if (q->loops[k].loop->u.loop.var == var) return &q->loops[k];
    return NULL;
}

/* ------------------------------------------------------------------ conditions */

/* lo <= variable < hi; false: that is no such bound. */
static int irl__tight_bound(irl__tight_loop *l, irl_op op, int64_t c)
{
    int64_t behind, lo = l->lo, hi = l->hi;
    if (!irl__add64(c, 1, &behind)) return 0;
    switch (op) {
    case IRL_OP_LT: hi = c; break;
    case IRL_OP_LE: hi = behind; break;
    case IRL_OP_GT: lo = behind; break;
    case IRL_OP_GE: lo = c; break;
    case IRL_OP_EQ: lo = c, hi = behind; break;
    case IRL_OP_NE:
        if (c > l->lo && c < l->hi - 1) return 0; /* it makes a hole */
        if (c == l->lo) lo = behind;
        else if (c == l->hi - 1) hi = c;
        break;
    default: return 0;
    }
    if (lo > l->lo) l->lo = lo < l->hi ? lo : l->hi; /* no iteration: lo == hi */
    if (hi < l->hi) l->hi = hi > l->lo ? hi : l->lo;
    return 1;
}

/* A comparison of a loop's variable, and a number that is added, with a number. */
static int irl__tight_takes(irl__tight *q, const irl_expr *e)
{
    irl_op  op = (irl_op)e->op;
    int64_t by = 0, c;
    if (e->count != 2 || e->a[0]->type.lanes != 1) return 0;
    const irl_expr *a = e->a[0];
    const irl_expr *b = e->a[1];
    if (a->op == IRL_OP_INT) {
        a = e->a[1];
        b = e->a[0];
        op = irl__op_mirrored(op);
    }
    if (b->op != IRL_OP_INT) return 0;
    irl__tight_loop *l = irl__tight_of(q, irl__expr_base(a, &by));
    if (!l || !irl__sub64(b->u.i, by, &c) || !irl__tight_bound(l, op, c)) return 0;
    q->taken++;
    return 1;
}

/* What is left of the condition; NULL: nothing, or a failure. */
static const irl_expr *irl__tight_rest(irl__tight *q, const irl_expr *e)
{
    if (e->op != IRL_OP_AND) return irl__tight_takes(q, e) ? NULL : e;
    const irl_expr *a = irl__tight_rest(q, e->a[0]);
    const irl_expr *b = irl__tight_rest(q, e->a[1]);
    if (!a || !b) return a ? a : b;
    return a == e->a[0] && b == e->a[1] ? e : irl_expr_op2(q->cx, IRL_OP_AND, a, b);
}

/* ------------------------------------------------------------------ what is in the loops */

/* The axis counts the loop's iterations from the first that is left; *was: what it was then, NULL:
   it stays. An init runs where reduce axes are 0, which no other iteration becomes. */
static int irl__tight_axis(const irl__tight *q, irl__axis *axis, int has_init, const irl_expr **was)
{
    int64_t          by = 0, gone;
    irl__tight_loop *l = irl__tight_of(q, irl__expr_base(axis->binding, &by));
    *was = NULL;
    if (!l || (l->lo == irl__tight_min(l->loop) && l->hi - l->lo == l->loop->u.loop.extent->u.i) ||
        by != -irl__tight_min(l->loop) || axis->extent != l->loop->u.loop.extent ||
        (axis->is_reduction && has_init && l->lo != irl__tight_min(l->loop)))
        return 1;
    const irl_expr *var = l->loop->u.loop.var;
    gone = l->lo - irl__tight_min(l->loop);
    *was = gone ? irl__add(q->cx, axis->var, irl_expr_index(q->cx, gone)) : axis->var;
    axis->extent = irl_expr_index(q->cx, l->hi - l->lo);
    axis->binding = l->lo ? irl__sub(q->cx, var, irl_expr_index(q->cx, l->lo)) : var;
    return *was && axis->extent && axis->binding;
}

static const irl_stmt *irl__tight_block(irl__rewriter *r, const irl_stmt *s)
{
    const irl__tight *q = (const irl__tight *)r->user;
    const int         count = s->kind == IRL__BLOCK ? s->u.block->axis_count : 0;
    const irl_expr   *from[IRL_MAX_RANK], *to[IRL_MAX_RANK];
    irl__block_data  *block;
    int               n = 0;
    if (s->kind != IRL__BLOCK) return s->kind == IRL__STORE ? s : irl__rewrite_stmt_children(r, s);
    if (count > IRL_MAX_RANK) return s;
    irl__axis *axes = IRL__COPY(r->cx, irl__axis, s->u.block->axes, count);
    if (count && !axes) return NULL;
    for (int k = 0; k < count; k++) {
        from[n] = axes[k].var;
        if (!irl__tight_axis(q, &axes[k], s->u.block->init != NULL, &to[n])) return NULL;
        n += to[n] != NULL;
    }
    if (!n) return s;
    irl_stmt *copy = irl__block_over(r->cx, s, n, from, to, &block);
    if (!copy) return NULL;
    block->axes = axes;
    block->axis_count = count;
    return irl__stmt_finish(r->cx, copy);
}

/* ------------------------------------------------------------------ the nest */

/* A loop whose bounds may change. */
static int irl__tight_may(const irl_stmt *s)
{
    return s->u.loop.kind != IRL_BOUND && s->u.loop.kind != IRL_VECTORIZED &&
           s->u.loop.min->op == IRL_OP_INT && irl__stmt_loop_runs(s) &&
           irl__tight_min(s) > INT64_MIN / 4 && irl__tight_min(s) < INT64_MAX / 4 &&
           s->u.loop.extent->u.i < INT64_MAX / 4;
}

/* The nest without the conditions that bound its loops; the recursion is as deep as it is. */
static const irl_stmt *irl__tight_nest(irl__tight *q, const irl_stmt *s)
{
    irl__rewriter   r = irl__rewriter_make(q->cx, q, irl__rewrite_no_expr, irl__tight_block);
    irl__tight_loop l;
    irl_stmt       *copy;
    const irl_stmt *body;
    const irl_expr *rest = NULL;
    size_t          at = stbds_arrlenu(q->loops);
    if (s->kind == IRL__IF && !s->u.branch.else_) {
        rest = irl__tight_rest(q, s->u.branch.condition);
        body = irl__ok(q->cx) ? irl__tight_nest(q, s->u.branch.then_) : NULL;
        copy = body && rest ? irl__stmt_copy(q->cx, s) : NULL;
        if (!copy) return rest ? NULL : body;
        copy->u.branch.condition = rest;
        copy->u.branch.then_ = body;
        return irl__stmt_finish(q->cx, copy);
    }
    if (s->kind != IRL__FOR) return irl__rewrite_stmt(&r, s); /* all conditions are known */
    if (irl__tight_may(s)) {
        l.loop = s;
        l.lo = irl__tight_min(s);
        l.hi = l.lo + s->u.loop.extent->u.i;
        if (!IRL__PUSH_SCRATCH(q->cx, q->loops, l)) return NULL;
    }
    body = irl__tight_nest(q, s->u.loop.body);
    if (!irl__tight_may(s)) return irl__stmt_loop_of(q->cx, s, body);
    return irl__stmt_loop_over(q->cx, s, s->u.loop.var, irl_expr_index(q->cx, q->loops[at].lo),
                               irl_expr_index(q->cx, q->loops[at].hi - q->loops[at].lo), body);
}

/* ------------------------------------------------------------------ bounds that are indices */

/* Bounds of the loop at[level] of a place, which goes on to what the loop does. */
typedef struct irl__hull {
    irl__sched     *s;
    irl__analyzer  *an;
    irl__place      p;
    int             level;
    const irl_expr *lo, *hi; /* NULL: no condition bounds it there */
} irl__hull;

/* *all, and the least (sign -1) or greatest value of e + by; nothing where that is not known, or
   may have no value. */
static void irl__hull_side(irl__hull *q, const irl_expr **all, const irl_expr *e, int sign, int by)
{
    irl_ctx *cx = q->s->cx;
    e = irl__symbolic_bound(q->an, irl__add(cx, e, irl_expr_index(cx, by)), sign);
    e = e ? irl__simplify(q->an, e) : NULL;
    if (!e || !irl__place_is_lasting(q->s, &q->p, q->level, e) || irl__undefined_part(q->an, e))
        return;
    *all = *all ? irl_expr_op2(cx, sign < 0 ? IRL_OP_MAX : IRL_OP_MIN, *all, e) : e;
}

/* a `op` b where a - b is the variable - rest, or rest - the variable. */
static void irl__hull_compare(irl__hull *q, const irl_expr *e)
{
    irl_ctx        *cx = q->s->cx;
    irl_op          op = (irl_op)e->op;
    const irl_expr *var = q->p.at[q->level]->u.loop.var;
    if (e->count != 2 || e->a[0]->type.lanes != 1 || !irl__type_is_index(e->a[0]->type)) return;
    const irl_expr *apart = irl__sub(cx, e->a[0], e->a[1]);
    const irl_expr *rest = irl__canonical(q->an, irl__sub(cx, var, apart));
    if (rest && irl__expr_uses_var(rest, var)) {
        rest = irl__canonical(q->an, irl__add(cx, var, apart));
        op = irl__op_mirrored(op);
    }
    if (!rest || irl__expr_uses_var(rest, var)) return;
    if (op == IRL_OP_GT || op == IRL_OP_GE || op == IRL_OP_EQ)
        irl__hull_side(q, &q->lo, rest, -1, op == IRL_OP_GT);
    if (op == IRL_OP_LT || op == IRL_OP_LE || op == IRL_OP_EQ)
        irl__hull_side(q, &q->hi, rest, 1, op != IRL_OP_LT);
}

/* Each part of a condition that stands at the end of the place. */
static void irl__hull_see(irl__hull *q, const irl_expr *e)
{
    for (int k = q->p.count; e && k-- > q->level;)
        if (q->p.at[k]->kind == IRL__BLOCK) e = irl__axes_bound(q->s->cx, q->p.at[k]->u.block, e);
    if (e && e->op != IRL_OP_AND) irl__hull_compare(q, e);
    for (int k = 0; e && e->op == IRL_OP_AND && k < 2; k++) irl__hull_see(q, e->a[k]);
}

/* What the loop does: the conditions in front of it all, and of a store that keeps its cell. */
static void irl__hull_down(irl__hull *q, int is_seen)
{
    const irl_stmt *s = irl__place_last(&q->p), *next = NULL;
    const irl_expr *where = NULL, *value;
    if (s->kind == IRL__FOR) next = s->u.loop.body;
    else if (s->kind == IRL__IF && !s->u.branch.else_) {
        where = s->u.branch.condition;
        next = s->u.branch.then_;
    } else if (s->kind == IRL__BLOCK && !s->u.block->init) next = s->u.block->body;
    else if (s->kind == IRL__STORE && (value = s->u.store.value)->op == IRL_OP_IF_THEN_ELSE &&
             irl__store_is_held(s, value->a[2]))
        where = value->a[0];
    if (where && is_seen) irl__hull_see(q, where);
    if (!next || q->p.count == IRL_MAX_DEPTH + 2) return;
    q->p.child[q->p.count] = 0;
    q->p.at[q->p.count++] = next;
    irl__hull_down(q, is_seen);
}

/* The loop between what conditions say; NULL: they say nothing, or a failure. */
static const irl_stmt *irl__hull_loop(irl__sched *s, const irl__place *p)
{
    irl__hull       q;
    const irl_stmt *loop = irl__place_last(p);
    const irl_expr *min = loop->u.loop.min;
    q.s = s;
    q.p = *p;
    q.level = p->count - 1;
    q.lo = q.hi = NULL;
    if (loop->u.loop.kind == IRL_BOUND || loop->u.loop.kind == IRL_VECTORIZED) return NULL;
    irl__hull_down(&q, 0);
    q.an = irl__flow_range_analyzer(s, &q.p, q.level);
    q.p.count = p->count;
    if (q.an) irl__hull_down(&q, 1);
    if (!q.lo && !q.hi) return NULL;
    const irl_expr *end = irl__add(s->cx, min, loop->u.loop.extent);
    if (q.lo) min = irl_expr_op2(s->cx, IRL_OP_MAX, min, q.lo);
    if (q.hi) end = irl_expr_op2(s->cx, IRL_OP_MIN, end, q.hi);
    const irl_expr *left = irl_expr_op2(s->cx, IRL_OP_MAX, irl__sub(s->cx, end, min),
                                        irl_expr_index(s->cx, 0));
    min = min ? irl__simplify(q.an, min) : NULL;
    left = left ? irl__simplify(q.an, left) : NULL;
    return left == loop->u.loop.extent
               ? NULL
               : irl__stmt_loop_over(s->cx, loop, loop->u.loop.var, min, left, loop->u.loop.body);
}

int irl__do_tighten(irl__sched *s)
{
    irl__tight q;
    memset(&q, 0, sizeof q);
    q.cx = s->cx;
    const irl_stmt *loop = irl__place_last(&s->p);
    const irl_stmt *now = irl__tight_nest(&q, loop);
    if (now && !q.taken) now = irl__hull_loop(s, &s->p);
    if (!now && !irl__ok(s->cx)) return 0;
    if (!now)
        return irl__refuse(s, "no condition in '%L' bounds one of its loops", loop);
    for (size_t k = 0; k < stbds_arrlenu(q.loops); k++)
        if (q.loops[k].lo >= q.loops[k].hi)
            return irl__refuse(s, "the conditions leave no iteration of '%L'", q.loops[k].loop);
    return irl__sched_put(s, now);
}

/* ------------------------------------------------------------------ widen

   requires  a loop in which, through loops, conditions and lists alone, a loop has bounds that
             depend on loops around it, and numbers between which these are always
   does      for (i: 8, k: i .. 8) s;    for (i: 8, k: 0 .. 8) if (k >= i) s;
   refuses   where no loop has such bounds; loops that are bound, vectorized or unrolled */

/* The first loop in s, the outermost first, whose bounds are no numbers; NULL: there is none. */
static const irl_stmt *irl__wide_next(const irl_stmt *top)
{
    irl__place p;
    IRL__EACH_STMT(s, &p, top) {
        if (s->kind == IRL__FOR &&
            (s->u.loop.kind == IRL_SERIAL || s->u.loop.kind == IRL_PARALLEL) &&
            (s->u.loop.min->op != IRL_OP_INT || s->u.loop.extent->op != IRL_OP_INT))
            return s;
        if (s->kind != IRL__FOR && s->kind != IRL__IF && s->kind != IRL__SEQ) irl__place_pass(&p);
    }
    return NULL;
}

/* That loop between numbers, with a condition; NULL: it has none, or a failure. */
static const irl_stmt *irl__wide_loop(irl__sched *s, const irl__place *p)
{
    const irl_stmt *loop = irl__place_last(p);
    const irl_expr *var = loop->u.loop.var, *where = NULL;
    int64_t         lo, hi, all, none;
    irl__analyzer  *an = irl__place_analyzer(s, p, p->count - 1);
    const irl_expr *end = irl__add(s->cx, loop->u.loop.min, loop->u.loop.extent);
    end = irl__simplify_alone(s->cx, end);
    if (!an || !end) return NULL;
    irl__range(an, loop->u.loop.min, &lo, &none);
    irl__range(an, end, &none, &hi);
    if (lo < -INT32_MAX || hi > INT32_MAX || hi <= lo || !irl__sub64(hi, lo, &all)) return NULL;
    if (loop->u.loop.min->op != IRL_OP_INT)
        where = irl_expr_op2(s->cx, IRL_OP_GE, var, loop->u.loop.min);
    if (end->op != IRL_OP_INT)
        where = irl__and(s->cx, where, irl_expr_op2(s->cx, IRL_OP_LT, var, end));
    return where ? irl__stmt_loop_over(s->cx, loop, var, irl_expr_index(s->cx, lo),
                                       irl_expr_index(s->cx, all),
                                       irl_stmt_if(s->cx, where, loop->u.loop.body, NULL))
                 : NULL;
}

int irl__do_widen(irl__sched *s)
{
    irl__place      p, in;
    const irl_stmt *next;
    int             count = 0;
    p = s->p;
    const uint32_t id = irl__place_last(&p)->id;
    for (; (next = irl__wide_next(irl__place_last(&p))) != NULL; count++) {
        if (!irl__place_of(s->f->body, next->id, &in)) return 0;
        const irl_stmt *now = irl__wide_loop(s, &in);
        if (!now)
            return irl__refuse(s, "as far as is known, the bounds of '%L' are not between two "
                               "constants", next);
        s->f = irl__place_put(s->f, &in, in.count - 1, now);
        if (!s->f || !irl__place_of(s->f->body, id == next->id ? now->id : id, &p)) return 0;
    }
    return count || irl__refuse(s, "the bounds of the loops in '%L' are numbers",
                                irl__place_last(&p));
}
