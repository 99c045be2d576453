/* compute_once.c - a costly value that does not change in a loop is computed once, before the loop;
   one that two loops compute for each element is stored by the first, where it may be.

   requires  registers and serialize before it: variables and loops are what they will be
   maintains what is computed
   breaks    nothing
   cost      linear in the statements, times the loops around them; a table of accesses

       for (j: n) y[j] = x[j] * rsqrt(v + 1.0);

   becomes { let value = rsqrt(v + 1.0); for (j: n) y[j] = x[j] * value; }. Costly are functions of
   floats, and divisions. A compiler of C does not move them: they may set errno, or read what the
   loop stores. And of

       for (j: n) sum = sum + exp(x[j]);
       for (j: n) y[j] = exp(x[j]) / sum;

   the first loop also stores exp(x[j]) in y[j], and the second one reads it there. */
#include "pass.h"

/* What is known of an expression in the loop in question. */
enum { IRL__ONCE_KNOWN = 1, IRL__ONCE_VARIES = 2, IRL__ONCE_COSTLY = 4, IRL__ONCE_KINDS = 8 };
static const char irl__once_kinds[IRL__ONCE_KINDS] = "";
/* What comes after these is not always evaluated, or reads what others wrote. */
enum { IRL__ONCE_STOPS = 1 << IRL__BARRIER | 1 << IRL__ASSERT | 1 << IRL__EVALUATE };

typedef struct irl__once {
    irl_ctx         *cx;
    irl__accesses    t;
    irl__ptr_map     nodes;      /* loop -> its irl__around */
    irl__ptr_map     declared;   /* variables and buffers declared in the loop in question */
    irl__ptr_map     kinds;      /* expression -> its place in irl__once_kinds */
    irl__ptr_map     seen;       /* expression that every iteration evaluates -> itself */
    irl__ptr_map     to;         /* expression -> what is in its place */
    const irl_expr **values;     /* costly, evaluated by every iteration, the same in all */
    const irl_expr **functions;  /* transcendental, evaluated by every iteration */
    int              first, end; /* rows of the loop in question */
    int              is_failed;
} irl__once;

static int irl__once_is_costly(const irl_expr *e, const void *user)
{
    const irl_op op = (irl_op)e->op;
    (void)user;
    return irl__op_is_transcendental(op) || op == IRL_OP_SQRT || op == IRL_OP_RSQRT ||
           op == IRL_OP_DIV ||
           ((op == IRL_OP_FLOORDIV || op == IRL_OP_FLOORMOD || op == IRL_OP_TRUNCDIV ||
             op == IRL_OP_TRUNCMOD) && e->a[1]->op != IRL_OP_INT);
}

static void irl__once_put(irl__once *o, irl__ptr_map *map, const void *key, const void *value)
{
    if (!key || !value || !irl__ptr_map_put(o->cx, map, key, value)) o->is_failed = 1;
}

/* ------------------------------------------------------------------ what varies in a loop */

static int irl__once_declares(irl__visitor *v, const irl_stmt *s)
{
    irl__once  *o = (irl__once *)v->user;
    const void *made = s->kind == IRL__FOR   ? (const void *)s->u.loop.var
                       : s->kind == IRL__LET ? (const void *)s->u.let.var
                       : s->kind == IRL__ALLOC || s->kind == IRL__DECL
                           ? (const void *)s->u.alloc.buffer
                           : NULL;
    if (made) irl__once_put(o, &o->declared, made, made);
    return 1;
}

/* What is known of e: does it vary, is something in it costly? */
static int irl__once_kind(irl__once *o, const irl_expr *e)
{
    const char *known = (const char *)irl__ptr_map_get(&o->kinds, e);
    if (known) return (int)(known - irl__once_kinds);
    int kind = IRL__ONCE_KNOWN;
    for (uint32_t k = 0; k < e->count; k++) kind |= irl__once_kind(o, e->a[k]);
    if (irl__once_is_costly(e, NULL)) kind |= IRL__ONCE_COSTLY;
    if (e->op == IRL_OP_CALL_EXTERN || e->op == IRL_OP_CALL_INTRINSIC || e->op == IRL_OP_LET ||
        (e->op == IRL_OP_VAR && irl__ptr_map_get(&o->declared, e)) ||
        (e->op == IRL_OP_LOAD && !(kind & IRL__ONCE_VARIES) && /* the rest looks at all rows */
         (irl__ptr_map_get(&o->declared, e->u.buffer) ||
          !irl__accesses_is_stable(&o->t, o->first, o->end, e))))
        kind |= IRL__ONCE_VARIES;
    irl__once_put(o, &o->kinds, e, &irl__once_kinds[kind]);
    return kind;
}

/* Adds the largest costly values in e that do not vary. What is not always evaluated is left out:
   it may have no value. */
static void irl__once_see(irl__once *o, const irl_expr *e)
{
    if (o->is_failed || irl__ptr_map_get(&o->seen, e)) return;
    irl__once_put(o, &o->seen, e, e);
    if (irl__op_is_transcendental((irl_op)e->op) && !IRL__PUSH_SCRATCH(o->cx, o->functions, e))
        o->is_failed = 1;
    const int kind = irl__once_kind(o, e);
    if (!(kind & IRL__ONCE_COSTLY)) return;
    if (!(kind & IRL__ONCE_VARIES)) {
        if (!IRL__PUSH_SCRATCH(o->cx, o->values, e)) o->is_failed = 1;
        return;
    }
    const int is_lazy = e->op == IRL_OP_IF_THEN_ELSE || e->op == IRL_OP_AND || e->op == IRL_OP_OR;
    if (e->op == IRL_OP_LET) irl__once_see(o, e->a[1]); /* the rest is in terms of its variable */
    else
        for (uint32_t k = 0; k < (is_lazy ? 1 : e->count); k++) irl__once_see(o, e->a[k]);
}

/* The same of the expressions that s evaluates whenever it runs. */
static void irl__once_see_stmt(irl__once *o, const irl_stmt *s)
{
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ:
        for (int k = 0; k < s->u.seq.count && !irl__stmt_holds(s->u.seq.stmts[k], IRL__ONCE_STOPS);
             k++)
            irl__once_see_stmt(o, s->u.seq.stmts[k]);
        return;
    case IRL__FOR:
        irl__once_see(o, s->u.loop.min);
        irl__once_see(o, s->u.loop.extent);
        if (irl__stmt_loop_runs(s)) irl__once_see_stmt(o, s->u.loop.body);
        return;
    case IRL__IF: irl__once_see(o, s->u.branch.condition); return;
    case IRL__LET: irl__once_see(o, s->u.let.value); return;
    case IRL__STORE:
        irl__once_see(o, s->u.store.value);
        for (int k = 0; k < s->u.store.buffer->rank; k++) irl__once_see(o, s->u.store.indices[k]);
        return;
    default: return;
    }
}

/* Looks at a loop, of those rows of the table: sets `declared`, `values` and `functions`. */
static int irl__once_look(irl__once *o, int first, int end, const irl_stmt *loop)
{
    irl__visitor v = irl__visitor_make(o, NULL, irl__once_declares);
    memset(&o->declared, 0, sizeof o->declared);
    memset(&o->kinds, 0, sizeof o->kinds);
    memset(&o->seen, 0, sizeof o->seen);
    memset(&o->to, 0, sizeof o->to);
    o->values = o->functions = NULL;
    o->first = first;
    o->end = end;
    irl__visit_stmt(&v, loop);
    irl__once_see_stmt(o, loop->u.loop.body);
    return !o->is_failed;
}

/* ------------------------------------------------------------------ with other values */

static const irl_expr *irl__once_expr(irl__rewriter *r, const irl_expr *e)
{
    const irl_expr *to = (const irl_expr *)irl__ptr_map_get(&((irl__once *)r->user)->to, e);
    return to ? to : irl__rewrite_expr_children(r, e);
}

/* A let that was moved is left out. */
static const irl_stmt *irl__once_stmt(irl__rewriter *r, const irl_stmt *s)
{
    const irl__once *o = (const irl__once *)r->user;
    return s->kind == IRL__LET && irl__ptr_map_get(&o->to, s->u.let.value) == s->u.let.var
               ? irl__stmt_seq(r->cx, 0, NULL)
               : irl__rewrite_stmt_children(r, s);
}

/* A statement in which each key of `to` is replaced. */
static const irl_stmt *irl__once_replaced(irl__once *o, const irl_stmt *s)
{
    irl__rewriter r = irl__rewriter_make(o->cx, o, irl__once_expr, irl__once_stmt);
    return irl__rewrite_stmt(&r, s);
}

/* A let of a value that moves keeps its variable. */
static int irl__once_named(irl__visitor *v, const irl_stmt *s)
{
    irl__once *o = (irl__once *)v->user;
    for (int k = 0; s->kind == IRL__LET && k < (int)stbds_arrlen(o->values); k++)
        if (o->values[k] == s->u.let.value && !irl__ptr_map_get(&o->to, s->u.let.value))
            irl__once_put(o, &o->to, s->u.let.value, s->u.let.var);
    return 1;
}

static const irl_expr *irl__once_variable(irl__once *o, const irl_expr *value)
{
    const irl_expr *var = (const irl_expr *)irl__ptr_map_get(&o->to, value);
    if (var) return var;
    var = irl_expr_var(o->cx, "value", value->type);
    irl__once_put(o, &o->to, value, var);
    return var;
}

/* ------------------------------------------------------------------ before the loop */

/* The loop, after lets of the values that do not vary in it. */
static const irl_stmt *irl__once_before(irl__once *o, const irl_stmt *loop)
{
    irl_ctx         *cx = o->cx;
    irl__visitor     v = irl__visitor_make(o, NULL, irl__once_named);
    const irl_stmt **list = NULL;
    irl__visit_stmt(&v, loop);
    for (int k = 0; k < (int)stbds_arrlen(o->values); k++) {
        const irl_expr *value = o->values[k], *var = irl__once_variable(o, value);
        if (!irl__stmt_loop_runs(loop))
            value = irl_expr_op3(
                cx, IRL_OP_IF_THEN_ELSE,
                irl_expr_op2(cx, IRL_OP_GT, loop->u.loop.extent, irl_expr_index(cx, 0)), value,
                irl__zero(cx, value->type));
        if (!IRL__PUSH(cx, list, irl_stmt_let(cx, var, value))) return NULL;
    }
    const irl_stmt *body = irl__once_replaced(o, loop->u.loop.body);
    const irl_stmt *now =
        body ? irl__stmt_loop_as(cx, loop, (irl_for_kind)loop->u.loop.kind, loop->u.loop.axis, body)
             : NULL;
    return IRL__PUSH(cx, list, now) ? irl__stmt_seq(cx, (int)stbds_arrlen(list), list) : NULL;
}

static const irl_stmt *irl__once_loops(irl__rewriter *r, const irl_stmt *s)
{
    irl__once *o = (irl__once *)r->user;
    if (!irl__stmt_holds(s, IRL__HOLDS_LOOP << IRL_SERIAL | IRL__HOLDS_UNROLLED)) return s;
    const irl_stmt    *now = irl__rewrite_stmt_children(r, s);
    const irl__around *node = (const irl__around *)irl__ptr_map_get(&o->nodes, s);
    if (!now || !node || irl__stmt_is_parallel(s) || irl__stmt_holds(s, 1 << IRL__BARRIER))
        return now;
    if (!irl__once_look(o, node->first, node->end, now)) return NULL;
    return o->values ? irl__once_before(o, now) : now;
}

/* ------------------------------------------------------------------ two loops */

/* A value that loop `first` computes, and then loop `second`, which stores something. */
typedef struct irl__once_pair {
    irl__once             *o;
    const irl_expr        *any;  /* stands for the variable of each loop */
    irl__ptr_map           last; /* function of `any` -> the last statement that computes it */
    const irl_stmt *const *from; /* the first loop, in its sequence */
    const irl_stmt        *second, *store;
    int                    begin, end;  /* the rows of both and of what is between them */
    const irl_expr        *value, *at;  /* in the first loop: what it computes, where it goes */
    const irl_expr        *again;       /* the value in the second loop */
} irl__once_pair;

static const irl_expr *irl__once_in_first(const irl__once_pair *p, const irl_expr *e)
{
    return irl__substitute(p->o->cx, e, 1, &p->second->u.loop.var, &(*p->from)->u.loop.var);
}

/* Is e a function that an earlier loop computes of the same arguments? Sets the pair's value. */
static int irl__once_is_again(const irl_expr *e, const void *user)
{
    irl__once_pair *p = *(irl__once_pair *const *)user;
    irl__once      *o = p->o;
    if (e->op == IRL_OP_LET) return -1;
    if (!irl__op_is_transcendental((irl_op)e->op) ||
        !irl_type_equal(e->type, p->store->u.store.buffer->type))
        return 0;
    const irl_stmt *second = p->second;
    const irl_expr *key = irl__substitute(o->cx, e, 1, &second->u.loop.var, &p->any);
    p->from = key ? (const irl_stmt *const *)irl__ptr_map_get(&p->last, key) : NULL;
    if (!p->from || (*p->from)->u.loop.min != second->u.loop.min ||
        (*p->from)->u.loop.extent != second->u.loop.extent)
        return 0;
    p->begin = ((const irl__around *)irl__ptr_map_get(&o->nodes, *p->from))->first;
    if (!irl__accesses_is_stable(&o->t, p->begin, p->end, e)) return 0;
    p->value = irl__once_in_first(p, e);
    p->again = e;
    return p->value != NULL;
}

static int irl__once_is_declared(const irl_expr *e, const void *user)
{
    return e->op == IRL_OP_VAR && irl__ptr_map_get((const irl__ptr_map *)user, e) != NULL;
}

/* Does each iteration of the second loop store in a cell of its own, which nothing touches from the
   first loop on, and which the first loop can name? `from` is after the first loop. */
static int irl__once_is_own(irl__once_pair *p, const irl_stmt *seq, int from, int to)
{
    irl__once         *o = p->o;
    const irl_stmt    *store = p->store;
    const irl_buffer  *b = store->u.store.buffer;
    irl__visitor       v = irl__visitor_make(o, NULL, irl__once_declares);
    int                rows = 0;
    irl__recover_range range;
    range.var = p->second->u.loop.var;
    range.min = p->second->u.loop.min;
    range.extent = p->second->u.loop.extent;
    if (b->rank != 1 || b->scope == IRL_SCOPE_CONSTANT || irl__type_is_storage(b->type) ||
        store->u.store.value->type.lanes != 1 ||
        (store->u.store.indices[0]->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)) ||
        !irl__recovers(o->cx, store->u.store.indices[0], range.var, 1, &range))
        return 0;
    for (int row = p->begin; row < p->end; row++) rows += o->t.list[row].memory == b->data;
    p->at = irl__once_in_first(p, store->u.store.indices[0]);
    memset(&o->declared, 0, sizeof o->declared);
    for (int k = from; k <= to; k++) irl__visit_stmt(&v, irl__stmt_at(seq, k));
    return rows == 1 && p->at && !irl__ptr_map_get(&o->declared, b) &&
           !irl__expr_any(p->at, irl__once_is_declared, &o->declared);
}

/* Does the loop, statement `to` of the sequence, compute again what an earlier one computed, and
   may that be stored? */
static int irl__once_pair_of(irl__once_pair *p, const irl_stmt *seq, int to)
{
    const irl_stmt *body = seq->u.seq.stmts[to]->u.loop.body;
    p->second = seq->u.seq.stmts[to];
    for (int k = 0; k < irl__stmt_count(body); k++) {
        p->store = irl__stmt_at(body, k);
        if (p->store->kind == IRL__STORE &&
            irl__expr_any(p->store->u.store.value, irl__once_is_again, &p) &&
            irl__once_is_own(p, seq, (int)(p->from - seq->u.seq.stmts) + 1, to))
            return 1;
    }
    return 0;
}

/* Adds the functions that each iteration of the loop computes. */
static int irl__once_add_loop(irl__once_pair *p, const irl__around *n, const irl_stmt *const *loop)
{
    irl__once *o = p->o;
    if (!irl__once_look(o, n->first, n->end, *loop)) return 0;
    for (int k = 0; k < (int)stbds_arrlen(o->functions); k++)
        irl__once_put(o, &p->last,
                      irl__substitute(o->cx, o->functions[k], 1, &(*loop)->u.loop.var, &p->any),
                      loop);
    return !o->is_failed;
}

/* The loop in which the variable has that value, which is stored (at: there) if that is asked for,
   and `e` is the variable. */
static const irl_stmt *irl__once_with(irl__once *o, const irl_stmt *loop, const irl_expr *e,
                                      const irl_expr *value, const irl_buffer *b,
                                      const irl_expr *at)
{
    const irl_stmt *list[3];
    int             count = 0;
    const irl_expr *var = irl_expr_var(o->cx, "value", e->type);
    memset(&o->to, 0, sizeof o->to);
    irl__once_put(o, &o->to, e, var);
    list[count++] = irl_stmt_let(o->cx, var, value);
    if (at) list[count++] = irl__stmt_store(o->cx, b, var, 1, &at, loop->loc);
    list[count++] = irl__once_replaced(o, loop->u.loop.body);
    return irl__stmt_loop_as(o->cx, loop, (irl_for_kind)loop->u.loop.kind, loop->u.loop.axis,
                             irl__stmt_seq(o->cx, count, list));
}

/* A sequence in which what a loop computes again is read from where it was stored. */
static const irl_stmt *irl__once_pairs(irl__rewriter *r, const irl_stmt *s)
{
    irl__once     *o = (irl__once *)r->user;
    irl__once_pair p;
    if (!irl__stmt_holds(s, IRL__HOLDS_LOOP << IRL_SERIAL)) return s;
    if (s->kind != IRL__SEQ) return irl__rewrite_stmt_children(r, s);
    memset(&p, 0, sizeof p);
    p.o = o;
    p.any = irl_expr_var(o->cx, "any", irl__type_index());
    for (int to = 0; p.any && to < s->u.seq.count; to++) {
        const irl_stmt    *loop = s->u.seq.stmts[to];
        const irl__around *n = (const irl__around *)irl__ptr_map_get(&o->nodes, loop);
        if (irl__stmt_holds(loop, IRL__ONCE_STOPS)) memset(&p.last, 0, sizeof p.last);
        else if (loop->kind == IRL__FOR && n && !irl__stmt_is_parallel(loop)) {
            p.end = n->end;
            if (irl__once_pair_of(&p, s, to)) {
                const irl_buffer *b = p.store->u.store.buffer;
                const irl_stmt  **list = (const irl_stmt **)irl__copy(
                    o->cx, s->u.seq.stmts, (size_t)s->u.seq.count, sizeof *list);
                if (!list) return NULL;
                list[p.from - s->u.seq.stmts] =
                    irl__once_with(o, *p.from, p.value, p.value, b, p.at);
                list[to] = irl__once_with(
                    o, loop, p.again,
                    irl__expr_load(o->cx, b, 1, p.store->u.store.indices, irl__nowhere()), b,
                    NULL);
                return irl__stmt_seq(o->cx, s->u.seq.count, list);
            }
            if (!irl__once_add_loop(&p, n, &s->u.seq.stmts[to])) return NULL;
        }
    }
    return irl__rewrite_stmt_children(r, s);
}

/* ------------------------------------------------------------------ the function */

static int irl__once_has_costly(irl__visitor *v, const irl_expr *e)
{
    *(int *)v->user |= irl__once_is_costly(e, NULL);
    return !*(int *)v->user;
}

static irl_func *irl__once_rewritten(irl__once *o, const irl_func *f,
                                     const irl_stmt *(*stmt)(irl__rewriter *r, const irl_stmt *s))
{
    irl__rewriter r = irl__rewriter_make(f->cx, o, irl__rewrite_no_expr, stmt);
    memset(o, 0, sizeof *o);
    o->cx = f->cx;
    if (!irl__accesses_of(&o->t, f, NULL)) return NULL;
    for (int k = 0; k < (int)stbds_arrlen(o->t.loops); k++)
        irl__once_put(o, &o->nodes, o->t.loops[k]->stmt, o->t.loops[k]);
    /* a pointer that is a variable may be to anything */
    const irl_stmt *body = o->t.behind.count ? f->body : irl__rewrite_stmt(&r, f->body);
    return o->is_failed ? NULL : irl__func_with_body(f, body);
}

irl_func *irl__pass_compute_once(const irl_func *f, const irl_target *target)
{
    int          has_costly = 0;
    irl__visitor v = irl__visitor_make(&has_costly, irl__once_has_costly, NULL);
    if (irl__stmt_holds(f->body, IRL__HOLDS_LOOP << IRL_SERIAL | IRL__HOLDS_UNROLLED))
        irl__visit_stmt(&v, f->body);
    if (!has_costly) return irl__func_with_body(f, f->body);
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    irl__once       o;
    irl_func       *now = irl__func_with_body(f, f->body);
    /* a device computes faster than it reads */
    if (now && target->serial) now = irl__once_rewritten(&o, now, irl__once_pairs);
    if (now) now = irl__once_rewritten(&o, now, irl__once_loops);
    irl__scratch_end(f->cx, mark);
    return now;
}
