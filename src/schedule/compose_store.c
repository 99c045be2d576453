/* compose_store.c - lets and conditions in loops, as part of what is stored there.

   needs     place.c, the table of accesses, updates (commute.c)
   promises  every store writes what it wrote, in the order in which it did; a cell that was left as
             it is is written with what it held only where a store right before began it, or where
             it is a parameter's, is there in all iterations, and these run one by one
   cost      one table of accesses; each statement is rewritten once

   compose_store
   requires  a loop with lets, or conditions around stores, in it
   does      in all of the loop, from the inside out:
                 let a = e; y[i] = f(a);             y[i] = f(e);
                 if (c) y[i] = a; else y[i] = b;     y[i] = c ? a : b;
                 y[i] = a; if (c) y[i] = b;          y[i] = c ? b : a;
                 y[i] = a;                           y[i] = a;
                 for (k: 8) if (c) y[i] += e;        for (k: 8) y[i] += c ? e : 0;
             with, for 0, what the operator of the update leaves every cell as it is with. What is
             none of these stays
   refuses   where nothing changes, and says why: a let of a call, of a pointer, of what is written
             after it, or of a value that is too large to be repeated; a condition around more
             than one store, that reads what it guards, or around a cell that nothing began
   source    if-conversion (Allen, Kennedy, Porterfield, Warren: Conversion of control dependence to
             data dependence, 1983) */
#include "schedule.h"

enum { IRL__COMPOSED_SIZE = 256 }; /* of a value that is put where its name stands, in nodes */

typedef struct irl__composed {
    irl__sched   *s;
    irl_ctx      *cx;
    irl__accesses t;     /* of the function before the step */
    int           done;
    const char   *why;   /* the first thing that stays does so; NULL: there is nothing */
    irl_loc       where;
} irl__composed;

/* forward: statements nest */
static const irl_stmt *irl__composed_stmt(irl__composed *q, const irl_stmt *s,
                                          const irl_stmt *begun);

static int irl__composed_stays(irl__composed *q, const irl_stmt *s, const char *why)
{
    if (q->why) return 0;
    q->why = why;
    q->where = s->loc;
    return 0;
}

/* ------------------------------------------------------------------ what may move */

/* The same value wherever it is computed, while memory holds what it does. */
static int irl__composed_is_value(const irl_expr *e)
{
    return !e->type.is_pointer && !(e->flags & (IRL__HAS_UNDEF | IRL__HAS_LANES)) &&
           !irl__expr_any(e, irl__expr_is_call, NULL);
}

typedef struct irl__composed_memory {
    const irl__composed *q;
    const irl_expr      *memory;
} irl__composed_memory;

static const irl_expr *irl__composed_behind(const irl__composed *q, const irl_expr *data)
{
    const irl_expr *behind = (const irl_expr *)irl__ptr_map_get(&q->t.behind, data);
    return behind ? behind : data;
}

static int irl__composed_loads(const irl_expr *e, const void *user)
{
    const irl__composed_memory *m = (const irl__composed_memory *)user;
    return e->op == IRL_OP_LOAD && irl__composed_behind(m->q, e->u.buffer->data) == m->memory;
}

/* Is it the same whether the store ran or not? */
static int irl__composed_is_apart(const irl__composed *q, const irl_expr *e, const irl_stmt *store)
{
    irl__composed_memory m = { q, irl__composed_behind(q, store->u.store.buffer->data) };
    return irl__composed_is_value(e) && !irl__expr_any(e, irl__composed_loads, &m);
}

/* Is what a let reads the same behind it, to the end of its sequence? What earlier lets read, which
   stand in it now, is: that was asked of them. */
static int irl__composed_is_stable(irl__composed *q, const irl_stmt *let)
{
    if (!(let->u.let.value->flags & IRL__HAS_MEMORY)) return 1;
    const irl__around *node = (const irl__around *)irl__ptr_map_get(&q->t.of_var, let->u.let.var);
    return node && irl__accesses_is_stable(&q->t, node->first, node->end, let->u.let.value);
}

/* May the value stand where the name does, in what follows? is_waited: that waits, or launches. */
static int irl__composed_may_put(irl__composed *q, const irl_stmt *let, int is_waited)
{
    const irl_expr *value = let->u.let.value;
    if (!irl__composed_is_value(value))
        return irl__composed_stays(q, let, "a let of a pointer, a call or vectors");
    if (value->size > IRL__COMPOSED_SIZE)
        return irl__composed_stays(q, let, "the value of a let is too large to be repeated");
    if ((value->flags & IRL__HAS_MEMORY) && is_waited)
        return irl__composed_stays(q, let, "after a let that reads memory, others may write that "
                                           "memory");
    return irl__composed_is_stable(q, let) ||
           irl__composed_stays(q, let, "memory that a let reads is written after the let");
}

/* ------------------------------------------------------------------ conditions */

static const irl_stmt *irl__composed_store(irl__composed *q, const irl_stmt *store,
                                           const irl_expr *value)
{
    q->done += value != NULL;
    return value ? irl__stmt_store_of(q->cx, store, value) : NULL;
}

/* The store of what `then_` stores under the condition, else of what `else_` does. */
static const irl_stmt *irl__composed_choice(irl__composed *q, const irl_expr *condition,
                                            const irl_stmt *then_, const irl_stmt *else_)
{
    return irl__composed_store(q, then_, irl_expr_op3(q->cx, IRL_OP_IF_THEN_ELSE, condition,
                                                      then_->u.store.value, else_->u.store.value));
}

/* What the operator leaves a cell as it is with, that `begun` began: of floats -0, since 0 makes 0
   of -0; of min, max, & and | what the cell began with, which is in it. NULL: there is none. */
static const irl_expr *irl__composed_neutral(irl__composed *q, const irl__update *u,
                                             const irl_expr *begun)
{
    const irl_type type = u->value->a[1 - u->old]->type;
    switch (u->op) {
    case IRL_OP_SUB:
    case IRL_OP_BITXOR: return u->old == 0 ? irl__number(q->cx, type, 0) : NULL;
    case IRL_OP_MUL: return irl__number(q->cx, type, 1);
    case IRL_OP_ADD:
        return irl__number(q->cx, type, irl__type_is_real(type) ? -0.0 : 0.0);
    case IRL_OP_MIN: case IRL_OP_MAX: case IRL_OP_BITAND: case IRL_OP_BITOR:
        return begun && irl__is_const(begun) && irl_type_equal(begun->type, type) ? begun : NULL;
    default: return NULL;
    }
}

/* The update of what `begun` stored (NULL: another one did), of nothing where the
   condition does not hold. */
static const irl_stmt *irl__composed_update(irl__composed *q, const irl_expr *condition,
                                            const irl_stmt *store, const irl_stmt *begun)
{
    const irl_expr *a[2], *neutral, *added, *value = store->u.store.value;
    irl__update     u;
    if (!irl__store_update(store, &u) || u.value->count != 2 ||
        (neutral = irl__composed_neutral(q, &u, begun ? begun->u.store.value : NULL)) == NULL)
        return NULL;
    added = u.value->a[1 - u.old];
    if (added->op == IRL_OP_IF_THEN_ELSE && added->a[2] == neutral) {
        condition = irl__and(q->cx, condition, added->a[0]);
        added = added->a[1];
    }
    if (!condition) return NULL;
    a[u.old] = u.value->a[u.old];
    a[1 - u.old] = irl_expr_op3(q->cx, IRL_OP_IF_THEN_ELSE, condition, added, neutral);
    added = a[1 - u.old] ? irl__expr_with(q->cx, u.value, a) : NULL;
    if (added && u.value != value) added = irl__expr_with(q->cx, value, &added);
    return irl__composed_store(q, store, added);
}

/* A condition around loops goes into them: it must be the same there, and bounds must be defined
   where it does not hold. */
static int irl__composed_may_enter(const irl_stmt *loop)
{
    const irl_expr *min = loop->u.loop.min, *extent = loop->u.loop.extent;
    return (loop->u.loop.kind == IRL_SERIAL || loop->u.loop.kind == IRL_PARALLEL) &&
           (min->op == IRL_OP_INT || min->op == IRL_OP_VAR) &&
           (extent->op == IRL_OP_INT || extent->op == IRL_OP_VAR);
}

/* s under the condition, which becomes part of its store; NULL: it is none of these. */
static const irl_stmt *irl__composed_under(irl__composed *q, const irl_expr *condition,
                                           const irl_stmt *s, const irl_stmt *begun)
{
    if (s->kind == IRL__STORE)
        return (!begun || irl__stmt_same_cell(s, begun)) && irl__composed_is_apart(q, condition, s)
                   ? irl__composed_update(q, condition, s, begun) : NULL;
    if (s->kind != IRL__FOR || !irl__composed_may_enter(s)) return NULL;
    return irl__stmt_loop_of(q->cx, s, irl__composed_under(q, condition, s->u.loop.body, begun));
}

/* Is what is updated under the condition an element of a parameter wherever that is asked, in loops
   that run one by one? */
static int irl__composed_is_there(irl__composed *q, const irl_stmt *s)
{
    irl__place p;
    int64_t    lo, hi;
    if (!irl__place_of_stmt(q->s->f->body, s, &p)) return 0;
    irl__analyzer *an = irl__place_analyzer(q->s, &p, p.count - 1);
    for (int k = 0; k < p.count; k++)
        if (irl__stmt_is_parallel(p.at[k])) return 0;
    while (an && (s->kind == IRL__FOR || (s->kind == IRL__IF && !s->u.branch.else_))) {
        if (s->kind == IRL__FOR && (irl__stmt_is_parallel(s) || !irl__bind_loop(an, s))) return 0;
        s = s->kind == IRL__FOR ? s->u.loop.body : s->u.branch.then_;
    }
    if (!an || s->kind != IRL__STORE || s->u.store.buffer->bits ||
        irl__func_param_of(q->s->f, s->u.store.buffer->data) < 0)
        return 0;
    for (int k = 0; k < s->u.store.buffer->rank; k++) {
        const irl_expr *index = s->u.store.indices[k], *shape = s->u.store.buffer->shape[k];
        if (index->flags & (IRL__HAS_MEMORY | IRL__HAS_LANES)) return 0;
        irl__range(an, index, &lo, &hi);
        if (shape->op != IRL_OP_INT || lo < 0 || hi >= shape->u.i) return 0;
    }
    return 1;
}

static const irl_stmt *irl__composed_if(irl__composed *q, const irl_stmt *s, const irl_stmt *begun)
{
    const irl_expr *condition = s->u.branch.condition;
    const irl_stmt *then_ = irl__composed_stmt(q, s->u.branch.then_, begun), *made = NULL;
    const irl_stmt *else_ = s->u.branch.else_ && then_
                                ? irl__composed_stmt(q, s->u.branch.else_, begun) : NULL;
    if (!then_ || (s->u.branch.else_ && !else_)) return NULL;
    if (irl__composed_is_value(condition)) {
        if (else_ && irl__stmt_same_cell(then_, else_))
            return irl__composed_choice(q, condition, then_, else_);
        if (!else_ && (begun || irl__composed_is_there(q, s)))
            made = irl__composed_under(q, condition, then_, begun);
    }
    if (made || !irl__ok(q->cx)) return made;
    irl__composed_stays(q, s, "a condition may only be around one store, to a cell that is also "
                              "stored directly before, or is a parameter's and in bounds");
    if (then_ == s->u.branch.then_ && else_ == s->u.branch.else_) return s;
    irl_stmt *kept = irl__stmt_copy(q->cx, s);
    if (!kept) return NULL;
    kept->u.branch.then_ = then_;
    kept->u.branch.else_ = else_;
    return irl__stmt_finish(q->cx, kept);
}

/* ------------------------------------------------------------------ statements */

/* y[i] = a; if (c) y[i] = b; as one store; NULL: these are not. */
static const irl_stmt *irl__composed_two(irl__composed *q, const irl_stmt *first, const irl_stmt *s)
{
    const irl_stmt *then_ = s->kind == IRL__IF && !s->u.branch.else_ ? s->u.branch.then_ : NULL;
    if (!then_ || !irl__stmt_same_cell(first, then_) ||
        !irl__composed_is_apart(q, s->u.branch.condition, first) ||
        !irl__composed_is_apart(q, then_->u.store.value, first))
        return NULL;
    return irl__composed_choice(q, s->u.branch.condition, then_, first);
}

/* The statements of a sequence, and the lets in front of what was not looked at, which is to have
   their values. */
typedef struct irl__composed_list {
    int              all, count;
    int              waits; /* behind the last statement that waits or launches */
    const irl_stmt **stmts;
    const irl_expr **from, **to;
} irl__composed_list;

/* The values of the lets, in statement k alone: each is rewritten once. Behind a declaration, whose
   buffer may become another one, in all at once. */
static int irl__composed_values(irl__composed *q, irl__composed_list *l, int k)
{
    const irl_stmt *at = l->stmts[k];
    const int       is_new = at->kind == IRL__ALLOC || at->kind == IRL__DECL;
    if (!l->count) return 1;
    if (is_new) at = irl__stmt_seq(q->cx, l->all - k, l->stmts + k);
    if (at) at = irl__substitute_stmt(q->cx, at, l->count, l->from, l->to);
    if (!at) return 0;
    if (!is_new) l->stmts[k] = at;
    else {
        memcpy(l->stmts + k, at->u.seq.stmts, (size_t)(l->all - k) * sizeof *l->stmts);
        l->count = 0;
    }
    return 1;
}

static const irl_stmt *irl__composed_seq(irl__composed *q, const irl_stmt *s, const irl_stmt *begun)
{
    irl__composed_list l;
    int                count = 0;
    const size_t       all = (size_t)s->u.seq.count;
    l.all = l.waits = s->u.seq.count;
    l.count = 0;
    while (l.waits &&
           !irl__stmt_holds(s->u.seq.stmts[l.waits - 1], 1u << IRL__BARRIER | 1u << IRL__LAUNCH))
        l.waits--;
    l.stmts = IRL__COPY(q->cx, const irl_stmt *, s->u.seq.stmts, all);
    l.from = IRL__SCRATCH(q->cx, const irl_expr *, all + 1);
    l.to = IRL__SCRATCH(q->cx, const irl_expr *, all + 1);
    if (!(l.from && l.to && (l.stmts || !all))) return NULL;
    const irl_stmt **list = l.stmts;
    for (int k = 0; k < l.all; k++) {
        if (!irl__composed_values(q, &l, k)) return NULL;
        if (list[k]->kind == IRL__LET && irl__composed_may_put(q, list[k], k + 1 < l.waits)) {
            l.from[l.count] = list[k]->u.let.var;
            l.to[l.count++] = list[k]->u.let.value;
            q->done++;
            continue;
        }
        const irl_stmt *two = count ? irl__composed_two(q, list[count - 1], list[k]) : NULL;
        if (two) list[count - 1] = two;
        else {
            list[count] = irl__composed_stmt(q, list[k], count ? list[count - 1] : begun);
            if (!list[count++]) return NULL;
        }
        if (!irl__ok(q->cx)) return NULL;
    }
    return irl__stmt_seq(q->cx, count, list);
}

/* The statement as it is then, behind `begun` (NULL: it is not known behind what). */
static const irl_stmt *irl__composed_stmt(irl__composed *q, const irl_stmt *s,
                                          const irl_stmt *begun)
{
    if (begun && begun->kind != IRL__STORE) begun = NULL;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ: return irl__composed_seq(q, s, begun);
    case IRL__FOR: {
        const irl_stmt *body = irl__composed_stmt(q, s->u.loop.body, begun);
        return body == s->u.loop.body ? s : irl__stmt_loop_of(q->cx, s, body);
    }
    case IRL__IF: return irl__composed_if(q, s, begun);
    default: return s;
    }
}

int irl__do_compose_store(irl__sched *s)
{
    irl__composed q;
    memset(&q, 0, sizeof q);
    q.s = s;
    q.cx = s->cx;
    if (!irl__accesses_of(&q.t, s->f, NULL)) return 0;
    const irl_stmt *loop = irl__place_last(&s->p);
    const irl_stmt *now = loop->kind == IRL__FOR ? irl__composed_stmt(&q, loop, NULL) : loop;
    if (!now) return 0;
    if (!q.done)
        return irl__refuse(s, "nothing in '%L' can become part of a store%s%s", loop,
                           q.why ? ": " : "", q.why ? q.why : ", there is no let and no condition");
    return irl__sched_put(s, now);
}
