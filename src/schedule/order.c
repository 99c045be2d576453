/* order.c - the primitives that change the order of iterations, or let them run at the same time.

   needs     place.c, names.c; src/analysis for what iterations touch
   promises  accesses to one cell, one of them writing it, keep their order; else two iterations and
             the cell are shown, or why it is not known */
#include "schedule.h"
#include "../pass/pass.h"

enum { IRL__ORDER_MOST = 64 };

/* ------------------------------------------------------------------ reorder

   requires  loops of one chain, each of which holds the next and nothing else
   does      they stand in the given order, in the places that they had; others of the chain stay
   refuses   another nest; bounds that depend on a loop that would stand inside; a barrier or a call
             in them; an order in which what touches one cell changes places
   source    dependence vectors stay lexicographically positive (Allen and Kennedy) */

typedef struct irl__order_chain {
    irl__place      p;     /* of the innermost of the given loops */
    int             first; /* the level of the outermost */
    int             count; /* of the loops in the chain, given or between them */
    const irl_stmt *loops[IRL__ORDER_MOST];
    int             order[IRL__ORDER_MOST]; /* which of them becomes the k-th */
} irl__order_chain;

static int irl__order_read(irl__sched *s, irl__order_chain *c)
{
    irl__place      p;
    const irl_stmt *given[IRL__ORDER_MOST];
    int             j, least = IRL_MAX_DEPTH + 1, next = 0;
    if (s->arg_count > IRL__ORDER_MOST)
        return irl__refuse(s, "more than %d loops", IRL__ORDER_MOST);
    c->p.count = 0;
    for (int k = 0; k < s->arg_count; k++) {
        if (!irl__sched_loop(s, &s->args[k], &p)) return 0;
        given[k] = irl__place_last(&p);
        for (j = 0; j < k; j++)
            if (given[j] == given[k])
                return irl__refuse_at(s, s->args[k].loc, "the loop '%L' is named twice", given[k]);
        if (p.count > c->p.count) c->p = p;
        if (p.count < least) least = p.count;
    }
    for (int k = 0; k < s->arg_count; k++)
        if (irl__place_level(&c->p, given[k]) == c->p.count)
            return irl__refuse_at(s, s->args[k].loc, "the loop '%L' is of another nest", given[k]);
    c->first = least - 1;
    c->count = c->p.count - c->first;
    if (c->count > IRL__ORDER_MOST)
        return irl__refuse(s, "more than %d loops", IRL__ORDER_MOST);
    for (int k = 0; k < c->count; k++) {
        const irl_stmt *loop = c->loops[k] = c->p.at[c->first + k];
        /* A store and loops behind it, as someone writes a reduction. */
        const int is_store = loop->kind == IRL__SEQ && loop->u.seq.count == 2 &&
                             loop->u.seq.stmts[0]->kind == IRL__STORE &&
                             loop->u.seq.stmts[1]->kind == IRL__FOR;
        c->order[k] = k;
        if (loop->kind != IRL__FOR)
            return irl__refuse(s,
                               is_store ? "%s: the body of '%L' is more than the next loop (%H)"
                                   : "%s: the body of '%L' is more than the next loop", "the loops "
                               "must be directly inside each other", c->loops[k - 1], "if it is a "
                               "store before the loops that reduce, use compose_reduction first");
        for (j = 0; j < s->arg_count && given[j] != loop; j++) {}
        if (j < s->arg_count) c->order[k] = -1; /* a place for one of them */
    }
    for (int k = 0; k < c->count; k++) {
        if (c->order[k] >= 0) continue;
        for (j = 0; c->loops[j] != given[next]; j++) {}
        c->order[k] = j;
        next++;
    }
    return 1;
}

/* Where bounds depend on another loop's variable, that loop stays outside. */
static int irl__order_bounds_hold(irl__sched *s, const irl__order_chain *c)
{
    for (int k = 0; k < c->count; k++)
        for (int j = k + 1; j < c->count; j++) {
            const irl_stmt *outer = c->loops[c->order[k]], *inner = c->loops[c->order[j]];
            if (irl__stmt_bounds_use(outer, inner->u.loop.var))
                return irl__refuse(s, "the bounds of '%L' depend on '%s', which would be inside it",
                                   outer, inner->u.loop.var->u.name);
        }
    return 1;
}

/* Do two updates of one sum or product of floats change places? */
static int irl__order_is_sum(const irl__meeting *m)
{
    irl_op op;
    const irl__access *u = !m->a || m->a->place != m->b->place ? NULL
                           : m->a->kind == IRL__ACCESS_UPDATE  ? m->a
                                                               : m->b;
    return u && irl__update_operator(u, &op) && irl__update_is_rounded(u->buffer->type) &&
           (op == IRL_OP_ADD || op == IRL_OP_MUL);
}

static int irl__order_is_legal(irl__sched *s, const irl__order_chain *c)
{
    irl__accesses      t;
    irl__meeting       m;
    const irl__around *loops[IRL__ORDER_MOST];
    int                from, to;
    if (irl__stmt_holds(c->loops[c->count - 1], 1u << IRL__BARRIER))
        return irl__refuse(s, "the loops contain a barrier");
    for (from = 0; from < c->count && c->order[from] == from; from++) {}
    for (to = c->count; to > from && c->order[to - 1] == to - 1; to--) {}
    if (from == to) return 1;
    if (!irl__accesses_of(&t, s->f, c->loops[from])) return 0;
    for (int k = from; k < to; k++) {
        loops[k - from] = irl__loop_of(&t, c->loops[k]);
        if (!loops[k - from]) return 1; /* it stands nowhere */
    }
    {
        int order[IRL__ORDER_MOST];
        for (int k = from; k < to; k++) order[k - from] = c->order[k] - from;
        if (irl__order_is_kept(&t, to - from, loops, order, &m) == IRL_YES) return 1;
    }
    if (!irl__ok(s->cx)) return 0;
    return irl__refuse_meeting(s, &t, &m, "the order would change what is computed",
                               irl__order_is_sum(&m) ? "reassociate first" : NULL);
}

/* A loop whose iterations run at the same time and that has moved may carry more now. */
static int irl__order_stays_parallel(irl__sched *s, const irl_func *f, const irl__order_chain *c)
{
    irl__place p;
    for (int k = 0; k < c->count; k++) {
        const irl_stmt *loop = c->loops[k];
        irl__accesses   t;
        irl__meeting    m;
        if (!irl__stmt_is_parallel(loop)) continue;
        if (!irl__place_of(f->body, loop->id, &p) ||
            !irl__accesses_of(&t, f, irl__place_last(&p)))
            return 0;
        const irl__around *around = irl__loop_of(&t, irl__place_last(&p));
        if (around && irl__loop_carries(&t, around, &m) != IRL_NO)
            return irl__refuse_meeting(s, &t, &m, "iterations of a loop that would run at the same "
                                       "time depend on each other", NULL);
    }
    return 1;
}

/* A serial loop that comes to stand in a kernel orders its work-items no more. */
static int irl__order_stays_launched(irl__sched *s, const irl_func *f, const irl__order_chain *c)
{
    irl__place    p;
    irl__accesses t;
    irl__meeting  m;
    int           was, kernel;
    int           k = irl__place_kernel(&c->p, c->first);
    for (was = 0; was < c->count && !irl__stmt_is_bound(c->loops[was]);) was++;
    for (kernel = 0; kernel < was && !irl__stmt_is_bound(c->loops[c->order[kernel]]);) kernel++;
    if (k < c->first || was == c->count || kernel == was) return 1;
    if (!irl__place_of(f->body, c->loops[c->order[kernel]]->id, &p) ||
        !irl__accesses_of(&t, f, irl__place_last(&p)))
        return 0;
    for (k = kernel + 1; k < c->count; k++) {
        const irl__around *around = irl__loop_of(&t, irl__place_last(&p)), *loop;
        irl__place         q;
        if (c->order[k] > was) continue;
        if (!irl__place_of(f->body, c->loops[c->order[k]]->id, &q)) return 0;
        loop = irl__loop_of(&t, irl__place_last(&q));
        if (around && loop && irl__kernel_carries_over(&t, around, loop, &m) != IRL_NO)
            return irl__refuse_meeting(s, &t, &m, "work-items of one kernel would do at the same "
                                       "time what must be in order", NULL);
    }
    return 1;
}

int irl__do_reorder(irl__sched *s)
{
    irl__order_chain c;
    if (!irl__order_read(s, &c) || !irl__order_bounds_hold(s, &c) || !irl__order_is_legal(s, &c))
        return 0;
    const irl_stmt *now = c.loops[c.count - 1]->u.loop.body;
    for (int k = c.count; k-- > 0;) now = irl__stmt_loop_of(s->cx, c.loops[c.order[k]], now);
    irl_func *f = irl__place_put(s->f, &c.p, c.first, now);
    return f && irl__order_stays_parallel(s, f, &c) &&
           irl__order_stays_launched(s, f, &c) && irl__sched_become(s, f);
}

/* ------------------------------------------------------------------ parallel, vectorize, bind

   requires  a serial or parallel loop, or a bound one that is a kernel of its own; parallel without
             a loop means all loops that allow it (parallel_all.c)
   does      its iterations may run in any order, or at the same time; as lanes; as work-items or
             groups
             A loop of reduce axes bound to local work-items becomes a sum of the group (rfactor.c)
             bind takes several loops at once: what each work-item of a kernel does is asked of the
             function in which all of them are bound
   refuses   iterations that touch one cell, one of them writing it, call or wait at a barrier;
             that have shared memory of their own, unless they become groups; of bind: an axis
             that has another extent, or is bound around the loop already; an extent that is not
             known before the launch; work-items that would do at once what is in order, no barrier
             between, read what another one has for itself, or store beside the loop to what all
             see; a condition or bound around bound loops that reads what they store */

/* Is the bound loop a kernel of its own, whose work-items neither wait nor have memory from outside
   of it for themselves? Then its iterations are those of a parallel loop. */
static int irl__order_is_plain_kernel(irl__sched *s, const irl__place *p)
{
    const irl_stmt *loop = irl__place_last(p);
    irl__accesses   t;
    for (int k = 0; k < p->count - 1; k++)
        if (irl__stmt_is_parallel(p->at[k])) return 0;
    if (irl__stmt_holds(loop->u.loop.body, 1u << IRL__BARRIER | 1u << IRL__EVALUATE |
                                               IRL__HOLDS_BOUND | IRL__HOLDS_SHARED) ||
        !irl__accesses_of(&t, s->f, loop))
        return 0;
    IRL__EACH_ROW(b, &t)
        if (b->kind == IRL__ACCESS_OPAQUE || !b->buffer ||
            ((b->buffer->scope == IRL_SCOPE_LOCAL || b->buffer->scope == IRL_SCOPE_SHARED) &&
             !irl__place_declares(loop, b->buffer)))
            return 0;
    return 1;
}

/* Memory from outside of the loop of which each iteration updates the same element, where the loop
   may run several times; NULL: there is none. That the code around it never runs, as the analysis
   may know, is no reason: lowering would have to know it, too. */
static const irl_buffer *irl__order_sum_of(irl__accesses *t, const irl__around *loop)
{
    const irl_stmt *at = loop->stmt;
    int             uses;
    if (at->u.loop.extent->op == IRL_OP_INT && at->u.loop.extent->u.i <= 1) return NULL;
    IRL__EACH_ROW(a, t) {
        if (a->is_declared || a->kind != IRL__ACCESS_UPDATE || !irl__access_in(a, at) ||
            irl__place_declares(at, a->buffer))
            continue;
        for (int j = uses = 0; j < a->rank; j++) {
            const irl_expr *e = irl__accesses_plain(t, a->indices[j]);
            uses |= !e || (e->flags & IRL__HAS_MEMORY) || irl__expr_uses_var(e, loop->var);
        }
        if (!uses) return a->buffer;
    }
    return NULL;
}

/* The update, as of a reduction, of the memory in which they meet; NULL: there is none. */
static const irl__access *irl__order_updated(const irl__accesses *t, const irl__meeting *m)
{
    for (int k = 0; m->a && k < t->count; k++)
        if (t->list[k].kind == IRL__ACCESS_UPDATE && t->list[k].memory == m->a->memory &&
            t->list[k].place->kind == IRL__STORE)
            return &t->list[k];
    return NULL;
}

/* Is there another loop around the store whose iterations do not depend on each other? */
static int irl__order_has_other(irl__sched *s, const irl_stmt *loop, const irl__place *store)
{
    irl__accesses t;
    irl__meeting  m;
    if (!irl__accesses_of(&t, s->f, NULL)) return 0;
    for (int k = 0; k < store->count; k++) {
        const irl_stmt *at = store->at[k];
        if (at == loop || at->kind != IRL__FOR || at->u.loop.kind == IRL_BOUND ||
            irl__is_int(at->u.loop.extent, 1))
            continue;
        const irl__around *node = irl__loop_of(&t, at);
        if (node && irl__loop_carries(&t, node, &m) == IRL_NO) return irl__ok(s->cx);
    }
    return 0;
}

/* Does a store of the same cell stand right before the loops of which the loop is one, that hold
   nothing but this? */
static int irl__order_composes(const irl_stmt *loop, const irl__place *store)
{
    const irl_stmt *update = irl__place_last(store), *init;
    int             k, is_in = 0;
    for (k = store->count - 2; k > 0 && store->at[k]->kind == IRL__FOR; k--)
        is_in |= store->at[k] == loop;
    if (!is_in || store->at[k]->kind != IRL__SEQ || !store->child[k + 1]) return 0;
    init = store->at[k]->u.seq.stmts[store->child[k + 1] - 1];
    return irl__store_is_at(init, update->u.store.buffer, update->u.store.indices);
}

/* What would help where iterations of the loop update one cell; NULL: not known. */
static const char *irl__order_help(irl__sched *s, const irl__accesses *t, const irl__meeting *m,
                                   const irl_stmt *loop, int is_local)
{
    const irl__access *u = irl__order_updated(t, m);
    const irl__around *block;
    irl__place         store;
    if (!u || !irl__place_of_stmt(s->f->body, u->place, &store)) return NULL;
    for (block = u->around; block && block->kind != IRL__AROUND_BLOCK;) block = block->outer;
    if (is_local && !block && irl__order_composes(loop, &store))
        return irl__update_commutes(t, u) ? "compose_reduction first"
                                          : "compose_reduction and reassociate first";
    if (!irl__order_has_other(s, loop, &store)) return NULL;
    return block && block->stmt->u.block->init
               ? "take a loop that does not reduce, or make partial sums: rfactor"
               : "take another loop";
}

static int irl__order_mark(irl__sched *s, irl_for_kind kind, irl_axis axis)
{
    irl__accesses t;
    irl__meeting  m;
    const irl_stmt *loop = irl__place_last(&s->p);
    if (loop->u.loop.kind == IRL_BOUND && !irl__order_is_plain_kernel(s, &s->p))
        return irl__refuse(s, "the loop '%L' is bound to %s already, and the kernel contains more "
                           "than it, or allocates memory", loop, irl_axis_text(loop->u.loop.axis));
    if (kind != IRL_UNROLLED && !(kind == IRL_BOUND && axis < IRL_LOCAL_X) &&
        irl__stmt_holds(loop->u.loop.body, IRL__HOLDS_SHARED))
        return irl__refuse(s, "each iteration of '%L' has its own shared memory, and work-items "
                           "would all use the same: %H", loop, "bind before compute_at");
    if ((kind == IRL_PARALLEL || kind == IRL_VECTORIZED) &&
        irl__stmt_holds(loop->u.loop.body, 1u << IRL__BARRIER))
        return irl__refuse(s, "the loop '%L' contains a barrier, and its iterations would not wait "
                           "for each other", loop);
    if (kind != IRL_UNROLLED && loop->u.loop.kind != IRL_PARALLEL) {
        const int is_group = kind == IRL_BOUND && axis <= IRL_GROUP_Z;
        if (!irl__accesses_of(&t, s->f, loop)) return 0;
        const irl__around *around = irl__loop_of(&t, loop);
        if (around && irl__loop_carries(&t, around, &m) != IRL_NO &&
            !(is_group && irl__meeting_is_wait(&m)))
            return irl__refuse_meeting(s, &t, &m, "its iterations depend on each other",
                                       irl__order_help(s, &t, &m, loop, kind == IRL_BOUND &&
                                                       axis >= IRL_LOCAL_X &&
                                                       axis < IRL_GLOBAL_X));
        const irl_buffer *sum = around ? irl__order_sum_of(&t, around) : NULL;
        if (sum)
            return irl__refuse(s, "its iterations would update one element of '%B', if they ran",
                               sum);
    }
    const irl_stmt *marked = irl__stmt_loop_as(s->cx, loop, kind, axis, loop->u.loop.body);
    return irl__sched_put(s, marked);
}

int irl__do_parallel(irl__sched *s)
{
    if (s->arg_count) return irl__order_mark(s, IRL_PARALLEL, IRL_GROUP_X);
    return (s->f = irl__pass_parallel(s->f, NULL)) != NULL;
}
int irl__do_vectorize(irl__sched *s)
{
    return irl__order_mark(s, IRL_VECTORIZED, IRL_GROUP_X);
}

/* requires a loop; does: its iterations are written out one after the other; refuses a bound one
   that is no kernel of its own */
int irl__do_unroll(irl__sched *s)
{
    return irl__order_mark(s, IRL_UNROLLED, IRL_GROUP_X);
}

/* Goes a loop of that extent (NULL: of none) on the axis with a bound loop of the same kernel? One
   axis has one extent; a dimension is bound as a whole, or to its groups and the places in them. */
static int irl__order_goes_with(const irl_stmt *bound, irl_axis axis, const irl_expr *extent)
{
    const irl_axis other = bound->u.loop.axis;
    return other == axis ? bound->u.loop.extent == extent
                         : (int)other % 3 != (int)axis % 3 ||
                               (other >= IRL_GLOBAL_X) == (axis >= IRL_GLOBAL_X);
}

/* A loop of the same kernel that does not. */
static const irl_stmt *irl__order_other_axis(const irl_stmt *at, irl_axis axis,
                                             const irl_expr *extent)
{
    const irl_stmt *other = NULL;
    irl__place      p;
    IRL__EACH_STMT(s, &p, at) {
        if (irl__stmt_is_bound(s) && !irl__order_goes_with(s, axis, extent)) other = s;
    }
    return other;
}

/* Work-items are counted before the launch: by no variable that is bound in the kernel, and by no
   let around it whose value is read from memory, which a kernel does. */
typedef struct irl__order_ranges {
    irl__ptr_map    bound;
    irl_ctx        *cx;
} irl__order_ranges;

static int irl__order_varies(const irl_expr *e, const void *user)
{
    const irl__order_ranges *q = (const irl__order_ranges *)user;
    return e->op == IRL_OP_LOAD || (e->op == IRL_OP_VAR && irl__ptr_map_get(&q->bound, e));
}

/* In the kernel at that level of the place. */
static const irl_stmt *irl__order_unknown_range(irl_ctx *cx, const irl__place *p, int level)
{
    irl__arena_mark   mark = irl__scratch_begin(cx);
    irl__order_ranges q;
    const irl_stmt   *found = NULL;
    irl__place        walk;
    memset(&q, 0, sizeof q);
    q.cx = cx;
    for (int k = 0; k < level; k++)
        if (p->at[k]->kind == IRL__SEQ) {
            const int count = p->child[k + 1];
            for (int j = 0; j < count; j++) {
                const irl_stmt *at = p->at[k]->u.seq.stmts[j];
                if (at->kind == IRL__LET && irl__expr_any(at->u.let.value, irl__order_varies, &q))
                    (void)irl__ptr_map_put(q.cx, &q.bound, at->u.let.var, at);
            }
        }
    IRL__EACH_STMT(s, &walk, p->at[level]) {
        if (irl__stmt_is_bound(s) && irl__expr_any(s->u.loop.extent, irl__order_varies, &q))
            found = s;
        if (found) irl__place_pass(&walk);
        if (s->kind == IRL__FOR) (void)irl__ptr_map_put(cx, &q.bound, s->u.loop.var, s);
        for (int k = 0; s->kind == IRL__BLOCK && k < s->u.block->axis_count; k++)
            (void)irl__ptr_map_put(cx, &q.bound, s->u.block->axes[k].var, s);
    }
    irl__scratch_end(cx, mark);
    return found;
}

/* Work-items of a group reach each barrier, all or none: may those of the loop part before one? */
static int irl__order_waits_together(irl__sched *s, const irl_stmt *loop)
{
    const irl_expr *decides = irl__fence_decided(s->cx, NULL, loop);
    return irl__ok(s->cx) &&
           (!decides || irl__refuse(s, "a barrier is reached only where %s, and not all work-items "
                                    "of '%L' would wait there", irl_expr_text(s->cx, decides),
                                    loop));
}

/* Loops that were kernels of their own become one: does each axis have one extent in it? */
static int irl__order_is_one_launch(irl__sched *s, const irl_stmt *kernel)
{
    const irl_stmt *first[IRL__AXIS_COUNT], *found = NULL, *other = NULL;
    irl__place      p;
    memset(first, 0, sizeof first);
    IRL__EACH_STMT(at, &p, kernel) {
        const int axis = irl__stmt_is_bound(at) ? (int)at->u.loop.axis : -1;
        for (int k = 0; axis >= 0 && k < (int)IRL__AXIS_COUNT; k++) {
            if (!first[k] || irl__order_goes_with(first[k], at->u.loop.axis, at->u.loop.extent))
                continue;
            found = at;
            other = first[k];
        }
        if (axis >= 0 && !first[axis]) first[axis] = at;
        if (found) irl__place_pass(&p);
    }
    return !found || irl__refuse(s, "in one kernel '%L' would be bound to %s and '%s' to %s, which "
                                 "cannot be combined", other, irl_axis_text(other->u.loop.axis),
                                 found->u.loop.var->u.name, irl_axis_text(found->u.loop.axis));
}

/* Did a step part inits from what updates cells of that buffer? */
static int irl__order_is_parted(irl__sched *s, const irl_stmt *kernel, const irl_buffer *b)
{
    const irl__sched_steps *at = s->f->steps;
    irl__accesses           t;
    while (at && strcmp(at->step->primitive->name, "decompose_reduction") != 0) at = at->before;
    if (!at || !irl__accesses_in(&t, s->cx, kernel)) return 0;
    IRL__EACH_ROW(r, &t)
        if (r->kind == IRL__ACCESS_UPDATE && r->memory == b->data) return 1;
    return 0;
}

/* Is a serial loop around the store, and nothing else in that loop? */
static int irl__order_is_nest(const irl_stmt *kernel, const irl_stmt *store)
{
    irl__place p;
    if (!irl__place_of_stmt(kernel, store, &p)) return 0;
    for (int k = p.count - 2; k > 0 && p.at[k]->kind != IRL__SEQ; k--)
        if (p.at[k]->kind == IRL__FOR && p.at[k]->u.loop.kind == IRL_SERIAL) return 1;
    return 0;
}

static int irl__order_is_beside_none(irl__sched *s, const irl_stmt *kernel)
{
    irl_axis          axis;
    const irl_stmt   *store = irl__store_beside(s->cx, kernel, 0, &axis);
    const irl_buffer *b = store ? store->u.store.buffer : NULL;
    const char       *advice = NULL;
    if (!b) return 1;
    if (irl__order_is_parted(s, kernel, b))
        advice = "for an init: bind before decompose_reduction, which then also binds the loops of "
                 "the init";
    else if (b->scope == IRL_SCOPE_SHARED)
        advice = "for a tile: bind before compute_at, which then divides the work among work-items";
    else if (irl__order_is_nest(kernel, store))
        advice = "for a nest: bind its loop in the same step, as in bind(a.i, local.x, b.i)";
    return irl__refuse(s, advice ? "every work-item of the axis would store to '%B', outside the "
                                   "loop (%H)"
                                 : "every work-item of the axis would store to '%B', outside the "
                                   "loop", b, advice);
}

/* The kernel around a sum of the group, after the step. */
static int irl__order_group_holds(irl__sched *s, uint32_t block)
{
    irl__place p;
    if (!irl__place_of(s->f->body, block, &p)) return 0;
    int k = irl__place_kernel(&p, p.count);
    return irl__order_is_one_launch(s, p.at[k]) && irl__order_is_beside_none(s, p.at[k]);
}

static int irl__order_only_declares(const irl_stmt *s)
{
    return (s->kind == IRL__LET && !(s->u.let.value->flags & IRL__HAS_MEMORY)) ||
           s->kind == IRL__ALLOC || s->kind == IRL__DECL || s->kind == IRL__ASSUME;
}

/* Does every work-item run the statement at that level of the place, which stands around the bound
   loop? Nothing would say which one computes what stands beside that. */
static int irl__order_computes_beside(const irl__place *p, int level)
{
    const irl_stmt *at = p->at[level];
    if (at->kind == IRL__IF)
        return at->u.branch.else_ && !(irl__stmt_holds(at->u.branch.else_, IRL__HOLDS_BOUND) &&
                                       irl__stmt_holds(at->u.branch.then_, IRL__HOLDS_BOUND));
    for (int k = 0; at->kind == IRL__SEQ && k < at->u.seq.count; k++)
        if (k != p->child[level + 1] && !irl__order_only_declares(at->u.seq.stmts[k])) return 1;
    return 0;
}

/* What reads memory before the body of the statement runs; NULL: nothing. */
static const irl_expr *irl__order_head(const irl_stmt *at)
{
    const irl_expr *list[2] = { NULL, NULL };
    if (at->kind == IRL__IF) list[0] = at->u.branch.condition;
    if (at->kind == IRL__BLOCK) list[0] = at->u.block->predicate;
    if (at->kind == IRL__FOR) {
        list[0] = at->u.loop.min;
        list[1] = at->u.loop.extent;
    }
    for (int k = 0; k < 2; k++)
        if (list[k] && list[k]->flags & IRL__HAS_MEMORY) return list[k];
    return NULL;
}

/* What reads memory around the bound loop at that level is evaluated in the kernel, by each
   work-item, but for what lowering keeps before it (split_scalars.c), outside of the kernel's
   loops. */
static int irl__order_branch_holds(irl__sched *s, const irl__place *p, int level)
{
    const irl_stmt *loop = p->at[level];
    const irl_expr *first = NULL;
    int             in_loop = 0;
    for (int k = 0; k < level; k++) {
        const irl_stmt *at = p->at[k];
        const irl_expr *head = irl__order_head(at);
        if (!first) first = head;
        if (in_loop && head && irl__expr_is_stored(head, loop))
            return irl__refuse(s, "each work-item evaluates %s in a loop of the kernel, where "
                               "other work-items may have stored before",
                               irl_expr_text(s->cx, head));
        if (first && irl__order_computes_beside(p, k))
            return irl__refuse(s, "each work-item evaluates the condition %s, which contains more "
                               "than the loop '%L'", irl_expr_text(s->cx, first), loop);
        in_loop |= at->kind == IRL__FOR && (first || at->u.loop.kind != IRL_SERIAL);
    }
    return 1;
}

/* After the step: the work-items of the kernel, which is the outermost bound loop around the place,
   do at the same time what was in order. */
static int irl__order_kernel_holds(irl__sched *s, uint32_t id)
{
    irl__place    p;
    irl__accesses t;
    irl__meeting  m;
    if (!irl__place_of(s->f->body, id, &p)) return 0;
    int k = irl__place_kernel(&p, p.count);
    if (!irl__order_is_one_launch(s, p.at[k]) || !irl__order_branch_holds(s, &p, k)) return 0;
    const irl_stmt *store = irl__order_unknown_range(s->cx, &p, k);
    if (store)
        return irl__refuse(s, "the extent of %s is not known before the launch: in the kernel, the "
                           "bounds of '%L' depend on a loop or on memory",
                           irl_axis_text(store->u.loop.axis), store);
    if (!irl__order_is_beside_none(s, p.at[k])) return 0;
    if (!irl__accesses_of(&t, s->f, p.at[k])) return 0;
    const irl__around *kernel = irl__loop_of(&t, p.at[k]);
    const irl__around *loop = irl__loop_of(&t, irl__place_last(&p));
    if (!kernel || !loop || irl__kernel_carries(&t, kernel, loop, &m) == IRL_NO) return 1;
    return irl__refuse_meeting(s, &t, &m, "work-items of one kernel would do at the same time what "
                               "must be in order",
                               s->arg_count > 2 && p.at[k] != irl__place_last(&p)
                                   ? "write barrier(global); between the loops of the group"
                                   : "bind a loop inside of both instead");
}

/* Is another loop of the kernel bound to an axis that does not go with this one? */
static int irl__order_may_have_axis(irl__sched *s, const irl__place *p, irl_axis axis)
{
    const irl_stmt *other = NULL, *loop = irl__place_last(p);
    for (int k = 0; k < p->count - 1 && !other; k++) {
        if (irl__stmt_is_bound(p->at[k]) && p->at[k]->u.loop.axis == axis)
            other = p->at[k]; /* of the same extent too: it would be bound twice */
        else if (irl__stmt_is_parallel(p->at[k])) /* the outermost such loop is the kernel */
            other = irl__order_other_axis(p->at[k], axis, loop->u.loop.extent);
    }
    if (!other) other = irl__order_other_axis(loop->u.loop.body, axis, NULL);
    return !other || irl__refuse(s, "%s cannot be combined with %s, to which the loop '%L' of the "
                                 "same kernel is bound%s", irl_axis_text(axis),
                                 irl_axis_text(other->u.loop.axis), other,
                                 other->u.loop.extent != loop->u.loop.extent
                                     ? ": the extents of the two loops differ"
                                     : "");
}

/* A loop that the step binds, and what is left of it: a sum of the group has its block. */
typedef struct irl__order_bound {
    uint32_t id;
    int      is_sum;
} irl__order_bound;

/* Binds the loop that is the step's first argument. */
static int irl__order_bind(irl__sched *s, irl_axis axis, irl__order_bound *out)
{
    if (!irl__sched_loop(s, &s->args[0], &s->p) || !irl__order_may_have_axis(s, &s->p, axis))
        return 0;
    const irl_stmt *loop = irl__place_last(&s->p), *block = loop;
    out->is_sum = axis >= IRL_LOCAL_X && axis < IRL_GLOBAL_X && irl__rfactor_is_of_sum(loop);
    while (out->is_sum && block->kind == IRL__FOR) block = block->u.loop.body;
    out->id = block->id;
    if (out->is_sum) return irl__rfactor_group(s, axis);
    return (axis <= IRL_GROUP_Z || irl__order_waits_together(s, loop)) &&
           irl__order_mark(s, IRL_BOUND, axis);
}

/* The loops are bound together: what is asked of the kernel is asked of what has them all. */
int irl__do_bind(irl__sched *s)
{
    irl__order_bound bound[IRL__ORDER_MOST];
    const int        count = s->arg_count - 1;
    irl_axis         axis;
    char             text[64];
    irl__text        t;
    irl__text_init_fixed(&t, text, sizeof text);
    irl__textf(&t, "%s%s%s", s->args[1].name, s->args[1].member ? "." : "",
               s->args[1].member ? s->args[1].member : "");
    if (!irl__axis_named(s->cx, IRL_ERROR_UNKNOWN_NAME, s->args[1].loc, text, &axis)) return 0;
    if (count > IRL__ORDER_MOST)
        return irl__refuse(s, "bind takes at most %d loops at once", IRL__ORDER_MOST);
    for (int k = 0; k < count; k++) {
        s->args = &s->step->args[k ? k + 1 : 0];
        s->arg_count = 1;
        if (!irl__order_bind(s, axis, &bound[k])) return 0;
    }
    s->args = s->step->args;
    s->arg_count = count + 1;
    for (int k = 0; k < count; k++)
        if (!(bound[k].is_sum ? irl__order_group_holds(s, bound[k].id)
                              : irl__order_kernel_holds(s, bound[k].id)))
            return 0;
    return 1;
}
