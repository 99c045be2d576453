/* gather.c - gather: a loop that scatters what it stores becomes a loop over the cells of the
   store.

   needs     place.c, the table of accesses, substitution
   promises  each cell gets the same stores, in the same order

   gather
   requires  two loops, one in the other, in a nest around one store, perhaps under conditions; one
             index of the store is a sum of multiples of both variables and of what is the same in
             both loops; no other index uses them
   does      solves that index for the first loop's variable: the loop then runs over the values of
             the index, and a condition asks which of them the second loop's iteration stores to:
                 for (w: 64, s: 3)                     for (s: 3, w: 66)
                     y[w + s] += x[w] * t[s];              if (w + s - 2 >= 0 && w + s - 2 < 64)
                                                               y[w] += x[w + s - 2] * t[2 - s];
             Where the first loop is around the second, their places are exchanged. Of one cell the
             second variable is then determined by the first, so that its loop runs backwards where
             both grow along the index: each cell has its stores in the order in which it had them
   refuses   other statements in the nest, loops whose bounds use either variable, values that read
             other cells of the memory that is stored to
   cost      one table of accesses of the nest
   source    unimodular changes of loops (Banerjee: Loop Transformations for Restructuring
             Compilers, 1993); the transposed convolution, as libraries compute it */
#include "schedule.h"

typedef struct irl__gathered {
    irl_ctx        *cx;
    irl__sched     *s;
    int             count, in; /* loops from the outer of the two on; the other is loops[in] */
    const irl_stmt *loops[IRL__FLOW_MOST];
    const irl_stmt *cells, *terms;  /* the first and the second */
    const irl_stmt *body, *store;   /* of the innermost loop */
    int             axis;           /* the index that is solved */
    int64_t         by[2];          /* how far it goes with an iteration of either */
    const irl_expr *rest;           /* of it, without both */
    int64_t         lo, hi;         /* of what the new loop counts */
} irl__gathered;

/* ------------------------------------------------------------------ the nest */

static int irl__gathered_uses(const irl__gathered *q, const irl_expr *e)
{
    return irl__expr_uses_var(e, q->cells->u.loop.var) ||
           irl__expr_uses_var(e, q->terms->u.loop.var);
}

/* A loop of the nest that may stay, or is one of the two. */
static int irl__gathered_takes(irl__gathered *q, const irl_stmt *loop)
{
    const int is_one = loop == q->cells || loop == q->terms;
    if (q->count == IRL__FLOW_MOST)
        return irl__refuse(q->s, "the nest has more than %d loops", IRL__FLOW_MOST);
    if (loop->u.loop.kind != IRL_SERIAL && (is_one || loop->u.loop.kind != IRL_PARALLEL))
        return irl__refuse(q->s, "'%L' is no longer serial: gather first", loop);
    if (irl__gathered_uses(q, loop->u.loop.min) || irl__gathered_uses(q, loop->u.loop.extent))
        return irl__refuse(q->s, "the bounds of '%L' depend on the loops", loop);
    if (is_one && (loop->u.loop.min->op != IRL_OP_INT || !irl__stmt_loop_runs(loop)))
        return irl__refuse(q->s, "the bounds of '%L' are not constant", loop);
    q->loops[q->count++] = loop;
    return 1;
}

/* From the outer of the two loops to the store. */
static int irl__gathered_read(irl__gathered *q, const irl_stmt *outer)
{
    const irl_stmt *at = outer;
    for (; at->kind == IRL__FOR; at = at->u.loop.body) {
        if (at == q->cells || at == q->terms) q->in = q->count;
        if (!irl__gathered_takes(q, at)) return 0;
    }
    q->body = at;
    while (at->kind == IRL__IF && !at->u.branch.else_) at = at->u.branch.then_;
    if (at->kind == IRL__STORE) q->store = at;
    return q->store || irl__refuse(q->s, "'%L' contains more than loops around one store; only "
                                   "conditions may be around that store", outer);
}

/* The index that both variables are in, and what it is made of. */
static int irl__gathered_solve(irl__gathered *q, irl__analyzer *an)
{
    const irl_expr *var[2], *zero[2];
    var[0] = q->cells->u.loop.var;
    var[1] = q->terms->u.loop.var;
    zero[0] = zero[1] = irl_expr_index(q->cx, 0);
    q->axis = -1;
    for (int k = 0; k < q->store->u.store.buffer->rank; k++) {
        if (!irl__gathered_uses(q, q->store->u.store.indices[k])) continue;
        if (q->axis >= 0)
            return irl__refuse(q->s, "several indices of the store use '%s' or '%s'",
                               var[0]->u.name, var[1]->u.name);
        q->axis = k;
    }
    const irl_expr *index = q->axis < 0 ? NULL : q->store->u.store.indices[q->axis];
    for (int k = 0; k < 2 && index; k++) {
        if (!irl__type_is_index(index->type)) index = NULL;
        else q->by[k] = irl__step_number(an, index, var[k]);
        if (!q->by[k] || q->by[k] == INT64_MIN) index = NULL;
    }
    if (!index)
        return irl__refuse(q->s, "no index of the store is a sum of multiples of '%s' and '%s'",
                           var[0]->u.name, var[1]->u.name);
    q->rest = irl__substitute(q->cx, index, 2, var, zero);
    q->rest = irl__simplify(an, q->rest);
    for (int k = 1; q->rest && k < q->count; k++)
        if (irl__expr_uses_var(q->rest, q->loops[k]->u.loop.var))
            return irl__refuse(q->s, "the index %s also uses '%s'", irl_expr_text(q->cx, index),
                               q->loops[k]->u.loop.var->u.name);
    return q->rest != NULL;
}

/* The least and the largest multiple; adds to both. */
static int irl__gathered_span(irl__gathered *q, const irl_stmt *loop, int64_t by)
{
    int64_t first, more;
    return irl__mul64(loop->u.loop.min->u.i, by, &first) &&
           irl__mul64(loop->u.loop.extent->u.i - 1, by, &more) &&
           irl__add64(q->lo, first, &q->lo) && irl__add64(q->hi, first, &q->hi) &&
           irl__add64(by < 0 ? q->lo : q->hi, more, by < 0 ? &q->lo : &q->hi);
}

/* What the new loop counts: values of the index; where they are numbers those in the buffer, and
   all that are where these are less than twice as many. */
static int irl__gathered_range(irl__gathered *q)
{
    const irl_expr *extent = q->store->u.store.buffer->shape[q->axis];
    const int       is_whole = q->rest->op == IRL_OP_INT;
    int64_t         length;
    q->lo = q->hi = is_whole ? q->rest->u.i : 0;
    if (!irl__gathered_span(q, q->cells, q->by[0]) ||
        !irl__gathered_span(q, q->terms, q->by[1]) || !irl__sub64(q->hi, q->lo, &length) ||
        length >= INT32_MAX || q->lo < -INT32_MAX || q->hi > INT32_MAX)
        return irl__refuse(q->s, "the index takes too many values");
    if (is_whole && q->lo < 0) q->lo = 0;
    if (is_whole && extent->op == IRL_OP_INT) {
        const int is_most = extent->u.i / 2 < q->hi - q->lo + 1;
        if (is_most) q->lo = 0;
        if (is_most || q->hi >= extent->u.i) q->hi = extent->u.i - 1;
    }
    return q->lo <= q->hi || irl__refuse(q->s, "no iteration stores into '%B'",
                                         q->store->u.store.buffer);
}

/* Does the nest touch that memory at the store's cell alone? */
static int irl__gathered_is_alone(irl__gathered *q)
{
    irl__accesses      t;
    const irl__access *w = NULL, *a;
    if (!irl__accesses_of(&t, q->s->f, q->loops[0])) return 0;
    for (a = t.list; a < t.list + t.count && !w; a++)
        if (a->place == q->store && !a->expr) w = a;
    for (a = t.list; w && a < t.list + t.count; a++) {
        int k = a->buffer == w->buffer && a->rank == w->rank ? 0 : w->rank + 1;
        while (k < w->rank && a->indices[k] == w->indices[k]) k++;
        if (k != w->rank && (a->kind == IRL__ACCESS_OPAQUE || a->memory == w->memory))
            return irl__refuse(q->s, "in '%L', '%B' is also accessed at other indices than those "
                               "of the store", q->loops[0], w->buffer);
    }
    return w != NULL;
}

/* ------------------------------------------------------------------ the new nest */

/* The second variable, in terms of its new loop. */
static const irl_expr *irl__gathered_term(const irl__gathered *q, irl__analyzer *an)
{
    const irl_expr *var = q->terms->u.loop.var;
    const irl_expr *min = q->terms->u.loop.min;
    if (q->loops[0] != q->cells || (q->by[0] > 0) != (q->by[1] > 0)) return var;
    const irl_expr *last = irl_expr_index(q->cx, q->terms->u.loop.extent->u.i - 1);
    return irl__canonical(an, irl__sub(q->cx, irl__add(q->cx, irl__add(q->cx, min, min), last),
                                       var));
}

/* Of a rewriter: the index is the cell of the new loop, and the variables what they are there. */
typedef struct irl__gathered_now {
    irl__analyzer  *an;
    const irl_expr *from[3], *to[3]; /* the index, both variables */
} irl__gathered_now;

/* A sum that is a number more than the index: that much more than the cell; NULL: it is none. */
static const irl_expr *irl__gathered_near(irl_ctx *cx, const irl__gathered_now *now,
                                          const irl_expr *e)
{
    if ((e->op != IRL_OP_ADD && e->op != IRL_OP_SUB) || !irl__type_is_index(e->type) ||
        !irl__expr_uses_var(e, now->from[1]) || !irl__expr_uses_var(e, now->from[2]))
        return NULL;
    const irl_expr *more = irl__canonical(now->an, irl__sub(cx, e, now->from[0]));
    return more && more->op == IRL_OP_INT
               ? irl__canonical(now->an, irl__add(cx, now->to[0], more)) : NULL;
}

static const irl_expr *irl__gathered_put(irl__rewriter *r, const irl_expr *e)
{
    const irl__gathered_now *now = (const irl__gathered_now *)r->user;
    for (int k = 0; k < 3; k++)
        if (e == now->from[k]) return now->to[k];
    const irl_expr *moved = irl__gathered_near(r->cx, now, e);
    return moved || !irl__ok(r->cx) ? moved : irl__rewrite_expr_children(r, e);
}

/* The body, under the condition that the iteration stores to the cell. */
static const irl_stmt *irl__gathered_body(irl__gathered *q, irl__analyzer *an)
{
    irl_ctx          *cx = q->cx;
    const irl_expr   *min = q->cells->u.loop.min, *cell = q->cells->u.loop.var, *where = NULL;
    const int64_t     by = q->by[0] < 0 ? -q->by[0] : q->by[0];
    const int         is_whole = q->rest->op == IRL_OP_INT;
    irl__gathered_now now;
    irl__rewriter     r = irl__rewriter_make(cx, &now, irl__gathered_put, NULL);
    now.an = an;
    now.from[0] = q->store->u.store.indices[q->axis];
    now.from[1] = cell;
    now.from[2] = q->terms->u.loop.var;
    now.to[0] = is_whole ? cell : irl__add(cx, cell, q->rest);
    now.to[2] = irl__gathered_term(q, an);
    if (!now.to[0] || !now.to[2]) return NULL;
    const irl_expr *distance = irl__mul(cx, now.to[2], irl_expr_index(cx, q->by[1]));
    if (is_whole) distance = irl__add(cx, distance, q->rest);
    distance = q->by[0] < 0 ? irl__sub(cx, distance, cell) : irl__sub(cx, cell, distance);
    distance = irl__canonical(an, distance);
    const irl_expr *length = irl_expr_index(cx, by), *zero = irl_expr_index(cx, 0);
    if (by > 1) where = irl_expr_op2(cx, IRL_OP_EQ, irl__floormod(cx, distance, length), zero);
    now.to[1] = by > 1 ? irl__floordiv(cx, distance, length) : distance;
    where = irl__and(cx, where, irl_expr_op2(cx, IRL_OP_GE, now.to[1], min));
    const irl_expr *end = irl__canonical(an, irl__add(cx, min, q->cells->u.loop.extent));
    where = irl__and(cx, where, irl_expr_op2(cx, IRL_OP_LT, now.to[1], end));
    const irl_stmt *body = where ? irl__rewrite_stmt(&r, q->body) : NULL;
    return irl_stmt_if(cx, where, body, NULL);
}

/* The loops of the nest around the body, of the two the second outside. */
static const irl_stmt *irl__gathered_nest(irl__gathered *q, const irl_stmt *body)
{
    for (int k = q->count - 1; body && k >= 0; k--) {
        const irl_stmt *as = k == q->in ? q->cells : k == 0 ? q->terms : NULL;
        body = !as ? irl__stmt_loop_of(q->cx, q->loops[k], body)
                   : irl__stmt_loop_over(q->cx, q->loops[k], as->u.loop.var,
                                         k ? irl_expr_index(q->cx, q->lo) : as->u.loop.min,
                                         k ? irl_expr_index(q->cx, q->hi - q->lo + 1)
                                           : as->u.loop.extent, body);
    }
    return body;
}

int irl__do_gather(irl__sched *s)
{
    irl__gathered q;
    irl__place    terms;
    memset(&q, 0, sizeof q);
    q.cx = s->cx;
    q.s = s;
    if (!irl__sched_loop(s, &s->args[1], &terms)) return 0;
    q.cells = irl__place_last(&s->p);
    q.terms = irl__place_last(&terms);
    const int         is_out = irl__place_holds(q.cells, q.terms);
    const irl__place *outer = is_out ? &s->p : &terms;
    if (q.cells == q.terms || (!is_out && !irl__place_holds(q.terms, q.cells)))
        return irl__refuse(s, "the loops '%L' and '%L' are not nested", q.cells, q.terms);
    irl__analyzer *an = irl__place_analyzer(s, outer, outer->count - 1);
    if (!an || !irl__gathered_read(&q, is_out ? q.cells : q.terms) ||
        !irl__gathered_solve(&q, an) || !irl__gathered_range(&q) || !irl__gathered_is_alone(&q))
        return 0;
    const irl_stmt *body = irl__gathered_body(&q, an);
    const irl_stmt *nest = body ? irl__gathered_nest(&q, body) : NULL;
    return irl__place_become(s, outer, outer->count - 1, nest);
}
