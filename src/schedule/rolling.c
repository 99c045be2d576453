/* rolling.c - the primitive that keeps what one iteration of a loop has computed for the next ones.

   needs     flow.c, for the temporary and the accesses to it; the canonical form of indices
   promises  an iteration finds the numbers that it computed before: for each element that it takes
             from another iteration it is proved that both compute it equally, from operands that
             nothing writes in the loop */
#include "schedule.h"

/* ------------------------------------------------------------------ rolling_buffer

   requires  a block or a nest that alone writes a temporary, which a loop around both declares in
             its body, as compute_at leaves it; along one axis of the temporary what the next
             iteration computes is what this one does, further along by a number of elements
             (`shift`) or by what an index such as l / 2 grows (`start`)
   does      the temporary is allocated in front of the loop and is a ring along that axis: element
             x of iteration l is (x + l * shift) % extent, or (x + start(l)) % extent. Iterations
             after the first compute only what is new: `where(l == 0 || x >= extent - shift)`, or
             extent - (start(l) - start(l - 1)). Of a block the axes along which instances come to
             lie on one element are reduce axes now, and its init is a branch
   refuses   a loop whose iterations run at the same time; a temporary that is declared elsewhere,
             or that something else writes; operands that the loop writes, with two iterations;
             elements that are written again before the next iteration, as in a ring; windows that
             do not move, that move backwards, or that have nothing in common
   example   rolling_buffer(blur, row): of a stencil whose iteration `row` needs three rows of
             `blur`, two are there already */

typedef struct irl__roll {
    irl__flow_unit    u;
    const irl_stmt   *last;  /* the block, or the innermost loop of the nest */
    int               level; /* of the loop that it rolls along, in u.p */
    const irl_stmt   *to;    /* this loop */
    const irl_buffer *b;
    irl__flow_buffer  found;
    irl__path         path;  /* at the unit's write */
    const irl_expr   *const *indices; /* of all its accesses of b */
    const irl_expr   *plain[IRL_MAX_RANK]; /* these, in terms of loops */
    int               axis;  /* of b */
    const irl_stmt   *along; /* the unit's loop that counts that axis */
    int64_t           shift; /* from one iteration to the next; 0: no number, or not known yet */
    /* where the window of an iteration begins, if that is no multiple of its number; or NULL */
    const irl_expr *start;
} irl__roll;

/* Does the unit alone write a temporary that is read in the loop behind it, and nowhere else? Then
   it may well be computed there. */
static int irl__roll_has_readers(irl__sched *s, const irl__roll *q)
{
    const irl_expr *data = NULL;
    irl__accesses   t;
    int             is_written = 0, is_read = 0;
    if (!irl__accesses_of(&t, s->f, NULL)) return 0;
    for (int k = 0; k < t.count && !data; k++)
        if (irl__access_in(&t.list[k], q->last) && t.list[k].kind != IRL__ACCESS_READ &&
            t.list[k].buffer && !irl__place_declares(q->last, t.list[k].buffer))
            data = t.list[k].memory;
    if (!data || irl__func_param_of(s->f, data) >= 0) return 0;
    IRL__EACH_ROW(b, &t) {
        if (b->is_declared || b->memory != data) continue;
        if (irl__access_in(b, q->last)) is_written = 1;
        else if (b->kind == IRL__ACCESS_READ && irl__access_in(b, q->to)) is_read |= is_written;
        else return 0;
    }
    return is_read;
}

/* ": compute_at(b, y.i) first" where that may help, else nothing. */
static const char *irl__roll_first(irl__sched *s, const irl__roll *q)
{
    char loop[200];
    if (!irl__roll_has_readers(s, q)) return "";
    irl__arg_said(&s->args[1], loop, sizeof loop);
    return irl__reason(s->cx, ": %s", irl__refused_advice(
               s, irl__reason(s->cx, "compute_at(%s, %s) first", s->args[0].name, loop)));
}

/* The loop stands around the unit, in order, and nothing else than loops stands between. */
static int irl__roll_read_loop(irl__sched *s, irl__roll *q)
{
    irl__place loop;
    int        k;
    if (!irl__flow_unit_of(s, &q->u) || !irl__sched_loop(s, &s->args[1], &loop)) return 0;
    q->last = irl__place_last(&q->u.p);
    q->to = irl__place_last(&loop);
    q->level = k = irl__place_level(&q->u.p, q->to);
    if (q->to == q->last)
        return irl__refuse_at(s, s->args[1].loc, "the loop '%L' belongs to '%N' itself: only a "
                              "nest in a loop that also contains its readers can use a ring",
                              q->to);
    if (k >= q->u.p.count)
        return irl__refuse_at(s, s->args[1].loc, "the loop '%L' is not around '%N'%s", q->to,
                              irl__roll_first(s, q));
    if (irl__stmt_is_parallel(q->to))
        return irl__refuse_at(s, s->args[1].loc, "iterations of '%L' run at the same time: none "
                              "can use what another one has computed", q->to);
    for (k = q->level + 1; k < q->u.p.count; k++) {
        const irl_stmt *at = q->u.p.at[k];
        if (at->kind == IRL__SEQ || at->kind == IRL__ATTR || at == q->last) continue;
        if (at->kind != IRL__FOR)
            return irl__refuse(s, "something other than loops is around '%N' in '%L'", q->to);
    }
    for (k = q->level + 1; k < q->u.p.count; k++)
        for (int j = q->level; q->u.p.at[k]->kind == IRL__FOR && j < k; j++) {
            const irl_stmt *at = q->u.p.at[k], *outer = q->u.p.at[j];
            if (((at->u.loop.min->flags | at->u.loop.extent->flags) & IRL__HAS_MEMORY) ||
                (outer->kind == IRL__FOR && irl__stmt_bounds_use(at, outer->u.loop.var)))
                return irl__refuse(s, "the bounds of '%L' depend on '%s' or on memory", at,
                                   q->to->u.loop.var->u.name);
        }
    return 1;
}

/* The one temporary that the unit writes, and the indices, one for all its accesses. */
static int irl__roll_read_buffer(irl__sched *s, irl__roll *q, irl__accesses *t)
{
    IRL__EACH_ROW(a, t) {
        if (a->is_declared || !irl__access_in(a, q->last) || a->kind == IRL__ACCESS_READ ||
            (a->buffer && irl__place_declares(q->last, a->buffer)))
            continue;
        if (!irl__flow_is_told(s, a)) return 0;
        if (q->b && a->buffer != q->b)
            return irl__refuse(s, "'%s' writes %X too: only the temporary in the ring may be "
                               "written. %H", q->u.block ? q->u.block->name : s->args[0].name, a,
                               "Use rolling_buffer before decompose_reduction");
        q->b = a->buffer;
        q->indices = a->indices;
    }
    if (!q->b)
        return irl__refuse(s, "'%N' writes nothing");
    if (!irl__flow_temporary(s, &s->args[0], q->b, &q->found)) return 0;
    IRL__EACH_ROW(a, t) {
        if (!irl__flow_is_of(a, q->b)) continue;
        if (!irl__access_in(a, q->last) && irl__flow_is_write(a))
            return irl__refuse(s, "'%A' is written by another statement too: %H", a,
                               "rolling_buffer before decompose_reduction, or compose_reduction "
                               "first");
        for (int i = 0; i < a->rank; i++) {
            if (a->indices[i]->flags & IRL__HAS_LANES)
                return irl__refuse(s, "'%A' is touched by vectors: %H", a, "vectorize afterwards");
            if (irl__access_in(a, q->last) && a->indices[i] != q->indices[i])
                return irl__refuse(s, "'%N' touches '%B' at several elements at once", q->b);
        }
    }
    return 1;
}

/* It is declared in the loop's own body, with a shape that the loop does not change. */
static int irl__roll_read_scope(irl__sched *s, const irl__roll *q)
{
    const irl__place *p = &q->found.scope;
    const irl_stmt   *seq = irl__place_last(p);
    const char       *loop = q->to->u.loop.var->u.name;
    if (seq->kind != IRL__SEQ || p->count < 2 || p->at[p->count - 2] != q->to)
        return irl__refuse_at(s, s->args[1].loc, "'%B' is not allocated in the loop '%s' itself%s",
                              q->b, loop, irl__roll_first(s, q));
    for (int k = 0; k < q->b->rank; k++)
        for (int j = 0; j <= q->found.from; j++) {
            const irl_stmt *at = seq->u.seq.stmts[j];
            if (irl__expr_uses_var(q->b->shape[k], q->to->u.loop.var) ||
                (at->kind == IRL__LET && irl__expr_uses_var(q->b->shape[k], at->u.let.var)))
                return irl__refuse(s, "the shape of '%B' depends on '%s'", q->b, loop);
        }
    if (q->b->strides || q->b->offset || q->b->separator_count ||
        irl__scope_is_image(q->b->scope))
        return irl__refuse(s, "'%B' has strides, separators or is an image", q->b);
    for (int k = q->level + 1; q->b->scope == IRL_SCOPE_LOCAL && k < q->u.p.count; k++)
        if (irl__stmt_is_bound(q->u.p.at[k]))
            return irl__refuse(s, "each work-item has its own '%B', and may compute another part "
                               "in the next iteration", q->b);
    return 1;
}

/* ------------------------------------------------------------------ how the window moves */

static const irl_expr *irl__roll_start(irl_ctx *cx, const irl__roll *q, const irl_expr *at)
{
    return at ? irl__substitute(cx, q->start, 1, &q->to->u.loop.var, &at) : NULL;
}

/* How far the window moves from an iteration to the one after it. */
static const irl_expr *irl__roll_step(irl_ctx *cx, const irl__roll *q, const irl_expr *from)
{
    if (!q->start) return irl_expr_index(cx, q->shift);
    const irl_expr *next = irl__roll_start(cx, q, irl__add(cx, from, irl_expr_index(cx, 1)));
    const irl_expr *start = irl__roll_start(cx, q, from);
    return irl__sub(cx, next, start);
}

/* How far the window has moved since the first iteration. */
static const irl_expr *irl__roll_turns(irl_ctx *cx, const irl__roll *q)
{
    const irl_expr *var = q->to->u.loop.var, *min = q->to->u.loop.min, *first;
    if (!q->start)
        return irl__mul(cx, irl__is_int(min, 0) ? var : irl__sub(cx, var, min),
                        irl_expr_index(cx, q->shift));
    first = irl__roll_start(cx, q, min);
    return irl__sub(cx, q->start, first);
}

/* e with the loop's variable one more, and the counting loop's `back` less. */
static const irl_expr *irl__roll_next(irl__sched *s, const irl__roll *q, const irl_expr *e,
                                      const irl_expr *back)
{
    const irl_expr *from[2], *to[2];
    from[0] = q->to->u.loop.var;
    to[0] = irl__add(s->cx, from[0], irl_expr_index(s->cx, 1));
    from[1] = q->along->u.loop.var;
    to[1] = irl__sub(s->cx, from[1], back);
    return to[0] && to[1] ? irl__substitute(s->cx, e, 2, from, to) : NULL;
}

typedef struct irl__roll_search {
    irl__sched *s;
    irl__roll  *q;
} irl__roll_search;

/* An index that is the counting loop's variable and what only iterations of the other loop change:
   there the window begins. */
static const irl_expr *irl__roll_begins(irl__sched *s, const irl__roll *q, const irl_expr *e)
{
    const irl_expr *start = irl__canonical(q->path.an, irl__sub(s->cx, e, q->along->u.loop.var));
    if (!start || !irl__expr_uses_var(start, q->to->u.loop.var)) return NULL;
    for (int k = q->level + 1; k < q->u.p.count; k++)
        if (q->u.p.at[k]->kind == IRL__FOR && irl__expr_uses_var(start, q->u.p.at[k]->u.loop.var))
            return NULL;
    return start;
}

/* An index that grows with both loops: what the one does in a step the other does in `shift`. */
static int irl__roll_see(irl__visitor *v, const irl_expr *e)
{
    const irl__roll_search *w = (const irl__roll_search *)v->user;
    irl__roll              *q = w->q;
    if (q->shift || q->start) return 0;
    if (!irl__type_is_index(e->type) || (e->flags & (IRL__HAS_MEMORY | IRL__HAS_LANES)) ||
        !irl__expr_uses_var(e, q->to->u.loop.var) || !irl__expr_uses_var(e, q->along->u.loop.var))
        return 1;
    int64_t by_loop = irl__step_number(q->path.an, e, q->to->u.loop.var);
    int64_t by_along = irl__step_number(q->path.an, e, q->along->u.loop.var);
    if (by_loop == 0 && by_along == 1) q->start = irl__roll_begins(w->s, q, e);
    if (q->start) return 0;
    if (by_loop == 0 || by_along == 0 || by_loop == INT64_MIN || by_loop % by_along) return 1;
    q->shift = by_loop / by_along;
    return 0;
}

/* The unit in a form that can be compared: indices canonical, those of b along the axis `less`. */
typedef struct irl__roll_form {
    irl__roll      *q;
    const irl_expr *less; /* or NULL */
    /* the starts of two iterations, added to all indices so that these are first in each sum: terms
       keep the order in which they appear; or NULL */
    const irl_expr *front;
} irl__roll_form;

/* The indices of an access of b, along the axis `less`; false: there is nothing to take away, or
   failure. */
static int irl__roll_form_less(irl_ctx *cx, const irl__roll_form *w, const irl_buffer *b,
                               const irl_expr *const *old, const irl_expr **now)
{
    if (!w->less || b != w->q->b) return 0;
    memcpy(now, old, (size_t)b->rank * sizeof *now);
    now[w->q->axis] = irl__sub(cx, old[w->q->axis], w->less);
    return now[w->q->axis] != NULL;
}

static const irl_expr *irl__roll_form_expr(irl__rewriter *r, const irl_expr *e)
{
    const irl__roll_form *w = (const irl__roll_form *)r->user;
    const irl_expr       *at[IRL_MAX_RANK];
    if (e->op == IRL_OP_LOAD && irl__roll_form_less(r->cx, w, e->u.buffer, e->a, at))
        e = irl_expr_load(r->cx, e->u.buffer, (int)e->count, at);
    if (!e || (e->flags & IRL__HAS_MEMORY) || !irl__type_is_index(e->type) ||
        (e->flags & IRL__HAS_LANES))
        return irl__rewrite_expr_children(r, e);
    return irl__canonical(w->q->path.an, w->front ? irl__add(r->cx, w->front, e) : e);
}

static const irl_stmt *irl__roll_form_stmt(irl__rewriter *r, const irl_stmt *s)
{
    const irl_expr *at[IRL_MAX_RANK];
    if (s->kind == IRL__STORE &&
        irl__roll_form_less(r->cx, (const irl__roll_form *)r->user, s->u.store.buffer,
                            s->u.store.indices, at))
        s = irl__stmt_store(r->cx, s->u.store.buffer, s->u.store.value, s->u.store.buffer->rank,
                            at, s->loc);
    return irl__rewrite_stmt_children(r, s);
}

/* What the unit does in an instance: without the regions, which say it again. */
static const irl_stmt *irl__roll_instance(irl__sched *s, const irl__roll *q)
{
    irl__block_data *block;
    if (!q->u.block) return q->last->u.loop.body;
    irl_stmt *copy = irl__block_copy(s->cx, q->last, &block);
    if (!copy) return NULL;
    block->read_count = block->write_count = 0;
    return irl__stmt_finish(s->cx, copy);
}

/* Does iteration l + 1 do at x - shift what iteration l does at x, by as many elements less? */
static int irl__roll_is_alike(irl__sched *s, irl__roll *q)
{
    irl__roll_form  w;
    irl__rewriter   r = irl__rewriter_make(s->cx, &w, irl__roll_form_expr, irl__roll_form_stmt);
    const irl_stmt *here = irl__roll_instance(s, q), *next;
    const irl_expr *from[2], *to[2];
    const irl_expr *by = irl__roll_step(s->cx, q, q->to->u.loop.var);
    if (!by) return 0;
    from[0] = q->to->u.loop.var;
    from[1] = q->along->u.loop.var;
    to[0] = irl__roll_next(s, q, from[0], by);
    to[1] = irl__roll_next(s, q, from[1], by);
    if (!here || !to[0] || !to[1]) return 0;
    w.q = q;
    w.less = w.front = NULL;
    if (q->start) {
        w.front = irl__roll_start(s->cx, q, to[0]);
        w.front = irl__add(s->cx, q->start, w.front);
    }
    next = irl__substitute_stmt(s->cx, here, 2, from, to);
    next = irl__rewrite_stmt(&r, next);
    w.less = by;
    here = irl__rewrite_stmt(&r, here);
    irl_func *a = next && here ? irl__func_with_body(s->f, next) : NULL;
    irl_func *b = a ? irl__func_with_body(s->f, here) : NULL;
    return b && irl_func_equal(a, b);
}

/* Is the index of that axis the variable of that loop, and what neither it nor other loops of the
   unit change? */
static int irl__roll_counts(irl__sched *s, const irl__roll *q, int axis, const irl_stmt *loop)
{
    const irl_expr *rest = irl__canonical(q->path.an, irl__sub(s->cx, q->plain[axis],
                                                               loop->u.loop.var));
    if (!rest || (rest->flags & IRL__HAS_MEMORY)) return 0;
    for (int k = q->level; k < q->u.p.count; k++)
        if (q->u.p.at[k]->kind == IRL__FOR && irl__expr_uses_var(rest, q->u.p.at[k]->u.loop.var))
            return 0;
    return 1;
}

/* The axis along which the window moves, the loop that counts it, and how far it moves. */
static int irl__roll_find(irl__sched *s, irl__roll *q)
{
    const char *loop = q->to->u.loop.var->u.name;
    int         moves = 0;
    int64_t     seen = 0;
    for (int axis = 0; axis < q->b->rank; axis++)
        for (int k = q->level + 1; k < q->u.p.count; k++) {
            const irl_stmt *at = q->u.p.at[k];
            if (at->kind != IRL__FOR || !irl__expr_uses_var(q->plain[axis], at->u.loop.var) ||
                !irl__roll_counts(s, q, axis, at))
                continue;
            q->axis = axis;
            q->along = at;
            irl__roll_search w;
            irl__visitor     v = irl__visitor_make(&w, irl__roll_see, NULL);
            w.s = s;
            w.q = q;
            q->shift = 0;
            q->start = NULL;
            for (int j = 0; q->u.block && j < q->u.block->axis_count; j++)
                irl__visit_expr(&v, q->u.block->axes[j].binding);
            irl__visit_stmt(&v, q->last);
            if (!irl__ok(s->cx)) return 0;
            moves |= q->shift != 0 || q->start;
            if (q->shift) seen = q->shift;
            if ((q->shift > 0 || q->start) && irl__roll_is_alike(s, q)) return 1;
            if (!irl__ok(s->cx)) return 0;
        }
    if (!moves && !irl__stmt_names(q->u.p.at[q->level + 2], q->to->u.loop.var, NULL))
        return irl__refuse(s, "each iteration of '%s' computes the same '%B': %H", loop, q->b,
                           "compute_at an outer loop");
    if (moves && seen < 0)
        return irl__refuse(s, "each iteration of '%s' computes a part of '%B' that begins %l "
                           "elements before the part of the previous iteration; a ring needs parts "
                           "that move forwards", loop, q->b, -seen);
    return irl__refuse(s, "as far as is known, no element of '%B' that an iteration of '%s' "
                       "computes was computed by the iteration before: nothing can be kept", q->b,
                       loop);
}

/* Two iterations have something in common, and places in the ring are numbers of 63 bits. */
static int irl__roll_overlaps(irl__sched *s, irl__roll *q)
{
    const irl_stmt *along = q->along;
    irl_ctx        *cx = s->cx;
    if (q->start) {
        const irl_expr *by = irl__roll_step(cx, q, q->to->u.loop.var);
        if (!by || !irl__prove(q->path.an, irl_expr_op2(cx, IRL_OP_GE, by, irl_expr_index(cx, 0))))
            return irl__refuse(s, "as far as is known, '%s', where the part of an iteration of "
                               "'%L' begins, could be less in the next iteration; a ring needs "
                               "parts that move forwards", irl_expr_text(cx, q->start), q->to);
    }
    if (!q->start && along->u.loop.extent->op == IRL_OP_INT &&
        along->u.loop.extent->u.i <= q->shift)
        return irl__refuse(s, "iterations of '%L' have nothing in common: each computes %l "
                           "elements of '%B' along axis %d, and the next iteration begins %l "
                           "elements later", q->to, along->u.loop.extent->u.i, q->b, q->axis,
                           q->shift);
    const irl_expr *turns = irl__roll_turns(cx, q);
    const irl_expr *reach = irl__add(cx, turns, q->b->shape[q->axis]);
    if (!reach) return 0;
    return !irl__undefined_part(q->path.an, reach) || irl__refuse(s, "as far as is known, indices "
                                                                  "in the ring of '%B' could "
                                                                  "exceed 63 bits", q->b);
}

/* What another iteration finds was not overwritten: iterations of a loop in between, in which it is
   read too, write elements of their own. */
static int irl__roll_is_kept(irl__sched *s, const irl__roll *q, irl__accesses *t)
{
    const irl__flow_set w = irl__flow_set_of(t, IRL__ROWS_STORE, NULL, NULL, q->b);
    irl__meeting        m;
    for (int j = q->level + 1; j < q->u.p.count; j++) {
        const irl_stmt     *loop = q->u.p.at[j];
        const irl__flow_set r = irl__flow_set_of(t, IRL__ROWS_ALL, loop, q->last, q->b);
        if (loop->kind == IRL__FOR && irl__flow_next(&r, NULL) &&
            irl__flow_carries(t, &q->u.p, j, j + 1, &w, &w, &m) != IRL_NO)
            return irl__refuse_meeting(s, t, &m, "an element is written again before the next "
                                       "iteration takes it", NULL);
    }
    return 1;
}

/* What the unit reads is the same in all iterations of the loop. */
static int irl__roll_is_steady(irl__sched *s, const irl__roll *q, irl__accesses *t)
{
    const irl__flow_set writes = irl__flow_set_of(t, IRL__ROWS_WRITE, q->to, NULL, NULL);
    const irl__flow_set reads = irl__flow_set_of(t, IRL__ROWS_TAKE, q->last, NULL, NULL);
    irl__meeting        m;
    IRL__FLOW_PAIRS(w, r, writes, reads)
        if (w->memory != q->b->data && !(r->buffer && irl__place_declares(q->last, r->buffer)) &&
            irl__flow_meets(t, w, r, 0, &m) != IRL_NO)
            return irl__refuse_meeting(
                s, t, &m, "its operands are written in the loop", w->allocation
                    ? "use rolling_buffer before a step computes that in the loop" : NULL);
    return 1;
}

/* ------------------------------------------------------------------ the ring */

/* Indices of b, that along the axis as a place in the ring. */
static const irl_buffer *irl__roll_ring_access(irl__rewriter *r, const irl_buffer *b,
                                               const irl_expr **indices)
{
    const irl__roll *q = (const irl__roll *)r->user;
    const irl_expr **at = &indices[q->axis];
    if (b != q->b) return b;
    *at = irl__simplify_alone(r->cx, irl__add(r->cx, *at, irl__roll_turns(r->cx, q)));
    *at = irl__floormod(r->cx, *at, b->shape[q->axis]);
    return *at ? b : NULL;
}

/* Only what the iteration before has not computed: l == first || x >= begin + extent - shift. */
static const irl_expr *irl__roll_is_new(irl_ctx *cx, const irl__roll *q)
{
    const irl_stmt *along = q->along;
    const irl_expr *before = irl__sub(cx, q->to->u.loop.var, irl_expr_index(cx, 1));
    const irl_expr *known = irl__add(cx, along->u.loop.min, along->u.loop.extent), *by;
    by = before ? irl__roll_step(cx, q, before) : NULL;
    known = irl__sub(cx, known, by);
    known = irl__simplify_alone(cx, known);
    return irl_expr_op2(cx, IRL_OP_OR,
                        irl_expr_op2(cx, IRL_OP_EQ, q->to->u.loop.var, q->to->u.loop.min),
                        irl_expr_op2(cx, IRL_OP_GE, along->u.loop.var, known));
}

/* Elements of the ring are taken by one instance after the other: such axes are reduce axes, which
   an init would look at. It becomes a branch. */
static const irl_stmt *irl__roll_block(irl__rewriter *r, const irl__roll *q, const irl_stmt *now)
{
    irl__block_data *data;
    irl_stmt        *copy = irl__block_copy(r->cx, now, &data);
    irl__axis       *axes = copy ? irl__block_axes(r->cx, data, 0) : NULL;
    const irl_expr *first = NULL, *is_new = irl__roll_is_new(r->cx, q);
    if (!axes || !is_new) return NULL;
    for (int k = 0; k < data->axis_count; k++) {
        const irl_expr *binding = axes[k].binding;
        if (axes[k].is_reduction && !irl__is_int(axes[k].extent, 1)) {
            const irl_expr *at = irl_expr_op2(r->cx, IRL_OP_EQ, axes[k].var,
                                              irl_expr_index(r->cx, 0));
            first = irl__and(r->cx, first, at);
            if (!first) return NULL;
        }
        axes[k].is_reduction |= irl__expr_uses_var(binding, q->to->u.loop.var) ||
                                irl__expr_uses_var(binding, q->along->u.loop.var);
        if (axes[k].is_reduction) axes[k].is_unstated = 0;
    }
    data->predicate = irl__and(r->cx, data->predicate, is_new);
    const irl_stmt *init = data->init;
    if (init && first) init = irl_stmt_if(r->cx, first, init, NULL);
    if (data->init) data->body = irl__stmt_pair(r->cx, init, data->body);
    data->init = NULL;
    return data->predicate && data->body ? irl__stmt_finish(r->cx, copy) : NULL;
}

static const irl_stmt *irl__roll_ring_stmt(irl__rewriter *r, const irl_stmt *at)
{
    const irl__roll *q = (const irl__roll *)r->user;
    if (at->kind == IRL__ALLOC && at->u.alloc.buffer == q->b) return irl__stmt_empty(r->cx);
    const irl_stmt *now = irl__rewrite_stmt_children(r, at);
    if (!now || at != q->last) return now;
    if (q->u.block) return irl__roll_block(r, q, now);
    return irl__stmt_loop_of(r->cx, now, irl_stmt_if(r->cx, irl__roll_is_new(r->cx, q),
                                                     now->u.loop.body, NULL));
}

/* Work-items of a group that make one thing wait before they overwrite what others read, as they do
   behind it. */
static const irl_stmt *irl__roll_waits(irl__sched *s, const irl__roll *q, const irl_stmt *loop)
{
    const irl_stmt *seq = q->u.p.at[q->level + 1];
    int             at = q->u.p.child[q->level + 2], behind = 0;
    if (q->b->scope != IRL_SCOPE_SHARED) return loop;
    for (int k = 0; k < seq->u.seq.count; k++) {
        const irl_stmt *wait = seq->u.seq.stmts[k];
        if (wait->kind != IRL__BARRIER || wait->u.barrier.scope != IRL_SCOPE_SHARED) continue;
        if (k < at) return loop;
        behind = 1;
    }
    if (!behind) return loop;
    return irl__stmt_loop_of(s->cx, loop,
                             irl__stmt_pair(s->cx, irl_stmt_barrier(s->cx, IRL_SCOPE_SHARED),
                                            loop->u.loop.body));
}

int irl__do_rolling_buffer(irl__sched *s)
{
    irl__roll          q;
    irl__rewriter      r = irl__rewriter_make(s->cx, &q, NULL, irl__roll_ring_stmt);
    const irl_stmt    *pair[2], *both;
    irl_func          *f;
    irl__accesses     *t = &q.found.t;
    const irl__around *unit = NULL;
    memset(&q, 0, sizeof q);
    if (!irl__roll_read_loop(s, &q) || !irl__accesses_of(t, s->f, NULL) ||
        !irl__flow_keeps_calls(s, q.last) || !irl__roll_read_buffer(s, &q, t) ||
        !irl__roll_read_scope(s, &q))
        return 0;
    IRL__EACH_ROW(a, t)
        if (irl__flow_is_of(a, q.b) && irl__flow_is_write(a)) unit = a->around;
    if (!irl__path_begin(&q.path, t) || !irl__path_to(&q.path, unit)) return 0;
    for (int k = 0; k < q.b->rank; k++)
        if (!(q.plain[k] = irl__accesses_plain(t, q.indices[k]))) return 0;
    if (!irl__roll_is_steady(s, &q, t) || !irl__roll_find(s, &q) ||
        !irl__roll_overlaps(s, &q) || !irl__roll_is_kept(s, &q, t))
        return 0;
    r.access = irl__roll_ring_access;
    pair[0] = irl_stmt_alloc(s->cx, q.b);
    pair[1] = irl__rewrite_stmt_children(&r, q.to);
    if (pair[1]) pair[1] = irl__roll_waits(s, &q, pair[1]);
    f = pair[0] && pair[1]
            ? irl__copy_insert(s, &q.u.p, q.level, pair, 1, pair[1], NULL, NULL) : NULL;
    both = f ? irl__flow_regions(s, f, f->body, q.b) : NULL;
    return irl__sched_become(s, irl__func_with_body(f, both));
}
