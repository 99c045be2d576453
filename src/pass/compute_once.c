/* compute_once.c - computes a costly value that does not change in a loop once, before the loop; if
   two loops compute a value for each element, the first one stores it if it can.

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

   the first loop also stores exp(x[j]) in y[j], and the second one reads it there; also where an
   iteration of the first one computes what several of the second do. */
#include "pass.h"

/* What is known of an expression in the loop in question. */
enum { IRL__ONCE_KNOWN = 1, IRL__ONCE_VARIES = 2, IRL__ONCE_COSTLY = 4, IRL__ONCE_KINDS = 8 };
static const char irl__once_kinds[IRL__ONCE_KINDS] = "";
/* What comes after these is not always evaluated, or reads what others wrote. */
enum { IRL__ONCE_STOPS = 1 << IRL__BARRIER | 1 << IRL__ASSERT | 1 << IRL__EVALUATE };

typedef struct irl__once {
    irl_ctx         *cx;
    irl__accesses    t;
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
    const uint32_t count = irl__expr_is_lazy(e) ? 1 : e->count;
    if (e->op == IRL_OP_LET) irl__once_see(o, e->a[1]); /* the rest is in terms of its variable */
    else
        for (uint32_t k = 0; k < count; k++) irl__once_see(o, e->a[k]);
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
    memset(&o->declared, 0, sizeof o->declared);
    memset(&o->kinds, 0, sizeof o->kinds);
    memset(&o->seen, 0, sizeof o->seen);
    memset(&o->to, 0, sizeof o->to);
    o->values = o->functions = NULL;
    o->first = first;
    o->end = end;
    if (!irl__stmt_declared(o->cx, loop, &o->declared)) return 0;
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
    const irl_stmt *now = irl__stmt_loop_of(cx, loop, irl__once_replaced(o, loop->u.loop.body));
    return IRL__PUSH(cx, list, now) ? irl__stmt_seq(cx, (int)stbds_arrlen(list), list) : NULL;
}

static const irl_stmt *irl__once_loops(irl__rewriter *r, const irl_stmt *s)
{
    irl__once *o = (irl__once *)r->user;
    if (!irl__stmt_holds(s, IRL__HOLDS_LOOP << IRL_SERIAL | IRL__HOLDS_UNROLLED)) return s;
    const irl_stmt    *now = irl__rewrite_stmt_children(r, s);
    const irl__around *node = s->kind == IRL__FOR ? irl__loop_of(&o->t, s) : NULL;
    if (!now || !node || irl__stmt_is_parallel(s) || irl__stmt_holds(s, 1 << IRL__BARRIER))
        return now;
    if (!irl__once_look(o, node->first, node->end, now)) return NULL;
    return o->values ? irl__once_before(o, now) : now;
}

/* ------------------------------------------------------------------ two loops */

enum { IRL__ONCE_EACH = 8 }; /* iterations of the second loop that one of the first computes */

/* A value that loop `first` computes, and then loop `second`, which stores something; or the values
   of several iterations of that. */
typedef struct irl__once_pair {
    irl__once             *o;
    irl__analyzer         *an;
    const irl_expr        *any;  /* stands for the variable of each loop */
    irl__ptr_map           last; /* function of `any` -> the last statement that computes it, */
    irl__ptr_map           made; /* and the function, as it stands there */
    const irl_stmt *const *from; /* the first loop, in its sequence */
    const irl_stmt        *second, *store;
    int                    begin, end;  /* the rows of both and of what is between them */
    int                    each;        /* such iterations */
    const irl_expr        *again;       /* the value in the second loop */
} irl__once_pair;

/* e, which stands in the second loop, in iteration any * each + number of it. */
static const irl_expr *irl__once_at(const irl__once_pair *p, const irl_expr *e, const irl_expr *any,
                                    int number)
{
    irl_ctx        *cx = p->o->cx;
    const irl_expr *at = irl__add(cx, irl__mul(cx, any, irl_expr_index(cx, p->each)),
                                  irl_expr_index(cx, number));
    if (p->each == 1) at = any;
    return at ? irl__substitute(cx, e, 1, &p->second->u.loop.var, &at) : NULL;
}

/* Has one iteration of the first loop the values of so many of the second, and is it over when that
   is? */
static int irl__once_is_each(const irl__once_pair *p, const irl_stmt *first)
{
    const irl_stmt *second = p->second;
    int64_t         all;
    if (first->u.loop.min != second->u.loop.min) return 0;
    if (p->each == 1) return first->u.loop.extent == second->u.loop.extent;
    return irl__is_int(second->u.loop.min, 0) && first->u.loop.extent->op == IRL_OP_INT &&
           irl__mul64(first->u.loop.extent->u.i, p->each, &all) &&
           irl__is_int(second->u.loop.extent, all);
}

/* Does an earlier loop compute e in one iteration for the next `each` of the second? Sets it. */
static int irl__once_is_in(irl__once_pair *p, const irl_expr *e)
{
    for (int k = 0; k < p->each; k++) {
        const irl_expr *key = irl__canonical(p->an, irl__once_at(p, e, p->any, k));
        const irl_stmt *const *from =
            key ? (const irl_stmt *const *)irl__ptr_map_get(&p->last, key) : NULL;
        if (!from || (k && from != p->from)) return 0;
        p->from = from;
    }
    return irl__once_is_each(p, *p->from);
}

/* Does the store go to one element of e's type, or to elements one after the other of its lanes? */
static int irl__once_fits(const irl_expr *e, const irl_stmt *store)
{
    const irl_buffer *b = store->u.store.buffer;
    const irl_expr   *at = b->rank == 1 ? store->u.store.indices[0] : NULL;
    if (!at || at->type.lanes == 1) return at && irl_type_equal(e->type, b->type);
    return at->op == IRL_OP_RAMP && irl__is_int(at->a[1], 1) &&
           irl_type_equal(e->type, irl__type_with_lanes(b->type, at->type.lanes));
}

/* Is e a function that an earlier loop computes of the same arguments? Sets the pair's value. */
static int irl__once_is_again(const irl_expr *e, const void *user)
{
    irl__once_pair *p = *(irl__once_pair *const *)user;
    irl__once      *o = p->o;
    if (e->op == IRL_OP_LET) return -1;
    if (!irl__op_is_transcendental((irl_op)e->op) || !irl__once_fits(e, p->store)) return 0;
    for (p->each = 1; p->each <= IRL__ONCE_EACH && !irl__once_is_in(p, e);) p->each *= 2;
    if (p->each > IRL__ONCE_EACH) return 0;
    p->begin = irl__loop_of(&o->t, *p->from)->first;
    if (!irl__accesses_is_stable(&o->t, p->begin, p->end, e)) return 0;
    p->again = e;
    return 1;
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
    const irl_expr    *cell = store->u.store.indices[0];
    const int          lanes = (int)cell->type.lanes;
    const irl_expr    *lane = irl_expr_var(o->cx, "lane", irl__type_index());
    int                rows = 0;
    irl__given         range[2];
    range[0] = irl__given_range(p->second->u.loop.var, p->second->u.loop.min,
                                p->second->u.loop.extent);
    range[1] = irl__given_range(lane, irl_expr_index(o->cx, 0), irl_expr_index(o->cx, lanes));
    if (lanes > 1) cell = irl__add(o->cx, cell->a[0], lane);
    if (!cell || b->scope == IRL_SCOPE_CONSTANT || irl__type_is_storage(b->type) ||
        (cell->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)) ||
        !irl__recovers(o->cx, cell, range[0].var, 1 + (lanes > 1), range))
        return 0;
    for (int row = p->begin; row < p->end; row++) rows += o->t.list[row].memory == b->data;
    memset(&o->declared, 0, sizeof o->declared);
    for (int k = from; k <= to; k++)
        if (!irl__stmt_declared(o->cx, irl__stmt_at(seq, k), &o->declared)) return 0;
    const irl_expr *at = irl__once_at(p, store->u.store.indices[0], p->any, 0);
    return rows == 1 && at && !irl__ptr_map_get(&o->declared, b) &&
           !irl__expr_any(at, irl__once_is_declared, &o->declared);
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
    for (int k = 0; k < (int)stbds_arrlen(o->functions); k++) {
        const irl_expr *e = irl__accesses_plain(&o->t, o->functions[k]);
        if (e) e = irl__substitute(o->cx, e, 1, &(*loop)->u.loop.var, &p->any);
        const irl_expr *key = e ? irl__canonical(p->an, e) : NULL;
        irl__once_put(o, &p->last, key, loop);
        irl__once_put(o, &p->made, key, o->functions[k]);
    }
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
    if (!loop || !e || !value) return NULL;
    const irl_expr *var = irl_expr_var(o->cx, "value", e->type);
    memset(&o->to, 0, sizeof o->to);
    irl__once_put(o, &o->to, e, var);
    list[count++] = irl_stmt_let(o->cx, var, value);
    if (at) list[count++] = irl__stmt_store(o->cx, b, var, 1, &at, loop->loc);
    list[count++] = irl__once_replaced(o, loop->u.loop.body);
    return irl__stmt_loop_of(o->cx, loop, irl__stmt_seq(o->cx, count, list));
}

/* The sequence, whose statement `to` is the second loop, where that reads what the first stored. */
static const irl_stmt *irl__once_joined(irl__once_pair *p, const irl_stmt *s, int to)
{
    irl__once        *o = p->o;
    const irl_buffer *b = p->store->u.store.buffer;
    const irl_stmt   *first = *p->from, *var = first;
    const irl_stmt  **list = IRL__COPY(o->cx, const irl_stmt *, s->u.seq.stmts, s->u.seq.count);
    for (int k = p->each; list && k-- > 0;) {
        const irl_expr *key = irl__canonical(p->an, irl__once_at(p, p->again, p->any, k));
        const irl_expr *e = key ? (const irl_expr *)irl__ptr_map_get(&p->made, key) : NULL;
        const irl_expr *at = irl__once_at(p, p->store->u.store.indices[0], var->u.loop.var, k);
        first = e && at ? irl__once_with(o, first, e, irl__accesses_plain(&o->t, e), b,
                                         irl__simplify_alone(o->cx, at)) : NULL;
    }
    if (!list) return NULL;
    list[p->from - s->u.seq.stmts] = first;
    list[to] = irl__once_with(
        o, s->u.seq.stmts[to], p->again,
        irl__expr_load(o->cx, b, 1, p->store->u.store.indices, irl__nowhere()), b, NULL);
    return first && list[to] ? irl__stmt_seq(o->cx, s->u.seq.count, list) : NULL;
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
    p.an = irl__analyzer_begin(o->cx);
    p.any = irl_expr_var(o->cx, "any", irl__type_index());
    for (int to = 0; p.an && p.any && to < s->u.seq.count; to++) {
        const irl_stmt    *loop = s->u.seq.stmts[to];
        const irl__around *n = loop->kind == IRL__FOR ? irl__loop_of(&o->t, loop) : NULL;
        if (irl__stmt_holds(loop, IRL__ONCE_STOPS)) memset(&p.last, 0, sizeof p.last);
        else if (n && !irl__stmt_is_parallel(loop)) {
            p.end = n->end;
            if (irl__once_pair_of(&p, s, to)) return irl__once_joined(&p, s, to);
            if (!irl__once_add_loop(&p, n, &s->u.seq.stmts[to])) return NULL;
        }
    }
    return irl__rewrite_stmt_children(r, s);
}

/* ------------------------------------------------------------------ the function */

static irl_func *irl__once_rewritten(irl__once *o, const irl_func *f,
                                     const irl_stmt *(*stmt)(irl__rewriter *r, const irl_stmt *s))
{
    irl__rewriter r = irl__rewriter_make(f->cx, o, irl__rewrite_no_expr, stmt);
    memset(o, 0, sizeof *o);
    o->cx = f->cx;
    if (!irl__accesses_of(&o->t, f, NULL)) return NULL;
    /* a pointer that is a variable may be to anything */
    const irl_stmt *body = o->t.behind.count ? f->body : irl__rewrite_stmt(&r, f->body);
    return o->is_failed ? NULL : irl__func_with_body(f, body);
}

irl_func *irl__pass_compute_once(const irl_func *f, const irl_target *target)
{
    if (!irl__stmt_holds(f->body, IRL__HOLDS_LOOP << IRL_SERIAL | IRL__HOLDS_UNROLLED) ||
        !irl__stmt_any(f->body, NULL, irl__once_is_costly, NULL))
        return irl__func_with_body(f, f->body);
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    irl__once       o;
    irl_func       *now = irl__func_with_body(f, f->body);
    /* a GPU computes faster than it reads */
    const int is_gpu = target->subgroup || !target->vector_bytes;
    if (now && (target->serial || !is_gpu)) now = irl__once_rewritten(&o, now, irl__once_pairs);
    if (now) now = irl__once_rewritten(&o, now, irl__once_loops);
    irl__scratch_end(f->cx, mark);
    return now;
}
