/* check_parallel.c - what runs at the same time may do so: shared memory has a group, no store for
   all to see is done by every work-item alike, and iterations of parallel and vectorized loops, and
   of those bound to group or global, do not meet.

   requires  what the structural verifier asks
   promises  a function that passes allocates shared memory only in loops bound to a group, where
             all work-items are local. No store stands beside the loops bound to an axis, unless
             memory chooses who does it, and no barrier where only some work-items may come to it.
             Of the loops named above none has two iterations that are proved to meet in a cell
             which one of them writes: else a diagnostic with the two, and the cell; what a barrier
             may put in order, local loops, is the interpreter's. What is not proved either way
             passes: the interpreter reports it
   cost      a walk for functions whose loops say no kind; linear in the body of a parallel loop,
             plus some simplifications for each pair of accesses of one buffer, up to a number of
             pairs

   An iteration's accesses are looked at only where they are certain to happen: not in branches, nor
   in loops that may be empty, whose first and second iteration stand for all. Two accesses are
   compared where each index grows evenly with the loop's variable, and what is left of two of them
   differs by a number; other indices, as i / 2, for the first iterations alone. */
#include "pass.h"

#define IRL__APART_TRIED 256 /* iterations for which a partner is computed */
#define IRL__APART_FIRST 4   /* iterations that are compared with one another by themselves */
#define IRL__APART_MOST 32   /* accesses of a body that are compared */
#define IRL__APART_PAIRS 64  /* pairs of them */

typedef struct irl__apart_access {
    const irl_buffer      *buffer;
    const irl_expr *const *indices;
    int                    is_store;
    irl_loc                loc;
} irl__apart_access;

typedef struct irl__apart_state {
    irl_ctx           *cx;
    irl__analyzer     *an;
    const irl_stmt    *launch;   /* the outermost bound loop around; NULL: none */
    int                in_group; /* a loop around is bound to a group */
    const irl_stmt    *around;   /* the innermost parallel or vectorized loop around */
    const irl_stmt    *compared; /* the loop whose iterations are compared */
    /* of the loop whose iterations are compared */
    irl__apart_access  list[IRL__APART_MOST];
    int                count, has_store;
    irl__ptr_map       own;      /* memory and names that an iteration has for itself: not known */
    irl__ptr_map       values;   /* let or block axis -> its value */
    irl__ptr_map       stored;   /* buffers that it stores into and does not declare */
    irl__ptr_map       matters;  /* loops in it that access these */
    irl__ptr_map       steps;    /* index -> irl__apart_step */
} irl__apart_state;

/* By what an index grows from each iteration to the next. */
typedef struct irl__apart_step {
    int     is_number; /* the same for all */
    int64_t by;
} irl__apart_step;

/* ------------------------------------------------------------------ shared memory */

static int irl__apart_shared(irl__apart_state *state, const irl_buffer *b)
{
    irl_ctx *cx = state->cx;
    if (b->scope != IRL_SCOPE_SHARED) return 1;
    if (!state->in_group)
        return irl__fail(cx, IRL_ERROR_SHARED_MEMORY, b->loc,
                         "'%s' is shared, and stands in no loop that is bound to a group", b->name);
    if (irl__stmt_holds(state->launch, IRL__HOLDS_GLOBAL))
        return irl__fail(cx, IRL_ERROR_SHARED_MEMORY, b->loc,
                         "'%s' is shared by work-items of a loop that is bound to global, and not "
                         "by those of a group alone", b->name);
    if (state->around)
        return irl__fail(cx, IRL_ERROR_SHARED_MEMORY, b->loc,
                         "'%s' is shared, and stands in a %s loop, whose iterations are no "
                         "work-items of a group", b->name,
                         irl_for_kind_text(state->around->u.loop.kind));
    return 1;
}

/* ------------------------------------------------------------------ what an iteration accesses */

static int irl__apart_put(irl__apart_state *state, irl__ptr_map *map, const void *key,
                          const void *value)
{
    return irl__ptr_map_put(state->cx, map, key, value);
}

/* e without lets and axes of blocks; NULL: it is not known, or failure. */
static const irl_expr *irl__apart_resolved(irl__rewriter *r, const irl_expr *e)
{
    irl__apart_state *state = (irl__apart_state *)r->user;
    const irl_expr   *value;
    if (e->flags & (IRL__HAS_MEMORY | IRL__HAS_LET) || e->type.lanes != 1) return NULL;
    if (e->op != IRL_OP_VAR)
        return e->flags & IRL__HAS_VAR ? irl__rewrite_expr_children(r, e) : e;
    if (irl__ptr_map_get(&state->own, e)) return NULL;
    value = (const irl_expr *)irl__ptr_map_get(&state->values, e);
    return value ? value : e;
}

static const irl_expr *irl__apart_resolve(irl__apart_state *state, const irl_expr *e)
{
    irl__rewriter r = irl__rewriter_make(state->cx, state, irl__apart_resolved, NULL);
    return irl__apart_resolved(&r, e);
}

static int irl__apart_add(irl__apart_state *state, const irl_buffer *b,
                          const irl_expr *const *indices, int is_store, irl_loc loc)
{
    const irl_expr   *resolved[IRL_MAX_RANK];
    irl__apart_access a;
    int               k;
    if (b->scope == IRL_SCOPE_LOCAL && state->compared->u.loop.kind == IRL_BOUND) return 1;
    if (state->count == IRL__APART_MOST || !irl__ptr_map_get(&state->stored, b) ||
        irl__ptr_map_get(&state->own, b->data) || irl__ptr_map_get(&state->own, b))
        return 1;
    for (k = 0; k < b->rank; k++) {
        resolved[k] = irl__apart_resolve(state, indices[k]);
        if (!resolved[k]) return irl__ok(state->cx);
    }
    a.buffer = b;
    a.indices = (const irl_expr *const *)irl__copy(state->cx, resolved, (size_t)b->rank,
                                                   sizeof *resolved);
    a.is_store = is_store;
    a.loc = loc;
    state->list[state->count++] = a;
    state->has_store |= is_store;
    return a.indices != NULL;
}

/* The loads of e that are certain to happen. */
static int irl__apart_expr(irl__apart_state *state, const irl_expr *e, irl_loc loc)
{
    int      is_lazy = e->op == IRL_OP_IF_THEN_ELSE || e->op == IRL_OP_AND || e->op == IRL_OP_OR;
    uint32_t k;
    if (!(e->flags & IRL__HAS_MEMORY) || e->op == IRL_OP_LET) return 1;
    for (k = 0; k < (is_lazy ? 1 : e->count); k++)
        if (!irl__apart_expr(state, e->a[k], loc)) return 0;
    return e->op != IRL_OP_LOAD || irl__apart_add(state, e->u.buffer, e->a, 0, loc);
}

/* ------------------------------------------------------------------ which of them matter */

/* Only what is stored into can be met, so most loops need not be looked at. */
static int irl__apart_see_store(irl__visitor *v, const irl_stmt *s)
{
    irl__apart_state *state = (irl__apart_state *)v->user;
    const irl_buffer *b = s->kind == IRL__STORE ? s->u.store.buffer : NULL;
    if (b) (void)irl__apart_put(state, &state->stored, b, b);
    return 1;
}

/* Memory and views that the loop declares are its iteration's own. */
static int irl__apart_see_declared(irl__visitor *v, const irl_stmt *s)
{
    irl__apart_state *state = (irl__apart_state *)v->user;
    if (s->kind == IRL__ALLOC) (void)irl__apart_put(state, &state->own, s->u.alloc.buffer->data, s);
    if (s->kind == IRL__DECL) (void)irl__apart_put(state, &state->own, s->u.alloc.buffer, s);
    return 1;
}

static int irl__apart_is_met(const irl__apart_state *state, const irl_buffer *b)
{
    return irl__ptr_map_get(&state->stored, b) && !irl__ptr_map_get(&state->own, b) &&
           !irl__ptr_map_get(&state->own, b->data);
}

static int irl__apart_reads_met(const irl_expr *e, const void *user)
{
    if (!(e->flags & IRL__HAS_MEMORY)) return -1;
    return e->op == IRL_OP_LOAD && irl__apart_is_met((const irl__apart_state *)user, e->u.buffer);
}

/* Whether an expression or a store in s accesses what can be met; the loops that hold one are
   noted. */
static int irl__apart_matters(irl__apart_state *state, const irl_stmt *s)
{
    const irl_buffer *b;
    int               k, any = 0;
    if (!s) return 0;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ:
        for (k = 0; k < s->u.seq.count; k++) any |= irl__apart_matters(state, s->u.seq.stmts[k]);
        return any;
    case IRL__FOR:
        any = irl__apart_matters(state, s->u.loop.body);
        return any && irl__apart_put(state, &state->matters, s, s);
    case IRL__BLOCK: return irl__apart_matters(state, s->u.block->body);
    case IRL__ATTR: return irl__apart_matters(state, s->u.attr.body);
    case IRL__IF: return irl__expr_any(s->u.branch.condition, irl__apart_reads_met, state);
    case IRL__LET: return irl__expr_any(s->u.let.value, irl__apart_reads_met, state);
    case IRL__STORE:
        b = s->u.store.buffer;
        for (k = 0; k < b->rank && !any; k++)
            any = irl__expr_any(s->u.store.indices[k], irl__apart_reads_met, state);
        return any || irl__apart_is_met(state, b) ||
               irl__expr_any(s->u.store.value, irl__apart_reads_met, state);
    case IRL__EVALUATE: return irl__expr_any(s->u.evaluate.value, irl__apart_reads_met, state);
    default: return 0;
    }
}

/* Whether an iteration of `loop` may meet another one; what is known of it is begun. */
static int irl__apart_begin(irl__apart_state *state, const irl_stmt *loop)
{
    irl__visitor v = irl__visitor_make(state, NULL, irl__apart_see_store);
    state->compared = loop;
    state->count = state->has_store = 0;
    memset(&state->own, 0, sizeof state->own);
    memset(&state->values, 0, sizeof state->values);
    memset(&state->stored, 0, sizeof state->stored);
    memset(&state->matters, 0, sizeof state->matters);
    memset(&state->steps, 0, sizeof state->steps);
    irl__visit_stmt(&v, loop->u.loop.body);
    if (state->stored.count == 0) return 0;
    v = irl__visitor_make(state, NULL, irl__apart_see_declared);
    irl__visit_stmt(&v, loop->u.loop.body);
    return irl__apart_matters(state, loop->u.loop.body);
}

/* ------------------------------------------------------------------ the accesses */

static int irl__apart_collect(irl__apart_state *state, const irl_stmt *s);

/* An inner loop that is not empty, whatever the iteration: once or twice. */
static int irl__apart_inner(irl__apart_state *state, const irl_stmt *s)
{
    const irl_expr *min, *extent;
    int64_t         lo, hi, k;
    int             ok = 1;
    if (state->count == IRL__APART_MOST || !irl__ptr_map_get(&state->matters, s)) return 1;
    min = irl__apart_resolve(state, s->u.loop.min);
    extent = irl__apart_resolve(state, s->u.loop.extent);
    if (!min || !extent || irl__expr_uses_var(min, state->compared->u.loop.var) ||
        irl__expr_uses_var(extent, state->compared->u.loop.var))
        return irl__ok(state->cx);
    irl__range(state->an, extent, &lo, &hi);
    for (k = 0; ok && k < lo && k < 2; k++) {
        const irl_expr *at = irl__add(state->cx, min, irl_expr_index(state->cx, k));
        if (k > 0 || min->op != IRL_OP_INT) at = irl__simplify(state->an, at);
        ok = at && irl__apart_put(state, &state->values, s->u.loop.var, at) &&
             irl__apart_collect(state, s->u.loop.body);
    }
    return ok;
}

static int irl__apart_let(irl__apart_state *state, const irl_stmt *s)
{
    const irl_expr *value = irl__type_is_index(s->u.let.var->type)
                                ? irl__apart_resolve(state, s->u.let.value)
                                : NULL;
    if (!irl__ok(state->cx) || !irl__apart_expr(state, s->u.let.value, s->loc)) return 0;
    return value ? irl__apart_put(state, &state->values, s->u.let.var, value)
                 : irl__apart_put(state, &state->own, s->u.let.var, s);
}

static int irl__apart_block(irl__apart_state *state, const irl_stmt *s)
{
    const irl__block_data *b = s->u.block;
    int                    k, ok = 1;
    if (b->predicate) return 1;
    for (k = 0; ok && k < b->axis_count; k++) {
        const irl_expr *value = irl__apart_resolve(state, b->axes[k].binding);
        ok = value ? irl__apart_put(state, &state->values, b->axes[k].var, value)
                   : irl__apart_put(state, &state->own, b->axes[k].var, s);
    }
    for (k = 0; ok && k < b->alloc_count; k++)
        ok = irl__apart_put(state, &state->own, b->allocs[k]->data, s);
    for (k = 0; ok && k < b->match_count; k++)
        ok = irl__apart_put(state, &state->own, b->matches[k].buffer, s);
    return ok && irl__apart_collect(state, b->body);
}

static int irl__apart_collect(irl__apart_state *state, const irl_stmt *s)
{
    const irl_buffer *b;
    int               k;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ:
        for (k = 0; k < s->u.seq.count; k++)
            if (!irl__apart_collect(state, s->u.seq.stmts[k])) return 0;
        return 1;
    case IRL__FOR: return irl__apart_inner(state, s);
    case IRL__BLOCK: return irl__apart_block(state, s);
    case IRL__ATTR: return irl__apart_collect(state, s->u.attr.body);
    case IRL__IF: return irl__apart_expr(state, s->u.branch.condition, s->loc);
    case IRL__LET: return irl__apart_let(state, s);
    case IRL__ALLOC: return irl__apart_put(state, &state->own, s->u.alloc.buffer->data, s);
    case IRL__DECL: return irl__apart_put(state, &state->own, s->u.alloc.buffer, s);
    case IRL__STORE:
        b = s->u.store.buffer;
        if (!irl__apart_expr(state, s->u.store.value, s->loc)) return 0;
        for (k = 0; k < b->rank; k++)
            if (!irl__apart_expr(state, s->u.store.indices[k], s->loc)) return 0;
        return irl__apart_add(state, b, s->u.store.indices, 1, s->loc);
    case IRL__EVALUATE: return irl__apart_expr(state, s->u.evaluate.value, s->loc);
    default: return 1;
    }
}

/* ------------------------------------------------------------------ where two of them meet */

/* One axis of two accesses: a * p + d == b * q where iteration p of the one meets q of the
   other. */
typedef struct irl__apart_axis {
    int64_t a, b, d;
} irl__apart_axis;

static const irl_expr *irl__apart_at(irl__apart_state *state, const irl_expr *e, int64_t iteration)
{
    const irl_stmt *loop = state->compared;
    const irl_expr *at =
        irl__add(state->cx, loop->u.loop.min, irl_expr_index(state->cx, iteration));
    return irl__substitute(state->cx, e, 1, &loop->u.loop.var, &at);
}

static irl__apart_step irl__apart_find_step(irl__apart_state *state, const irl_expr *e)
{
    const irl_expr *var = state->compared->u.loop.var, *next;
    irl__apart_step step = { 1, 0 };
    if (!irl__expr_uses_var(e, var)) return step;
    next = irl__add(state->cx, var, irl_expr_index(state->cx, 1));
    next = irl__substitute(state->cx, e, 1, &var, &next);
    next = irl__simplify(state->an, irl__sub(state->cx, next, e));
    step.is_number = next && next->op == IRL_OP_INT;
    if (step.is_number) step.by = next->u.i;
    return step;
}

/* The same index stands in many accesses. 0: it does not grow by a number. */
static int irl__apart_step_of(irl__apart_state *state, const irl_expr *e, int64_t *out)
{
    irl__apart_step *step = (irl__apart_step *)irl__ptr_map_get(&state->steps, e);
    if (!step) {
        step = (irl__apart_step *)irl__scratch_alloc(state->cx, 1, sizeof *step);
        if (!step) return 0;
        *step = irl__apart_find_step(state, e);
        if (!irl__apart_put(state, &state->steps, e, step)) return 0;
    }
    *out = step->by;
    return step->is_number;
}

static int irl__apart_axis_of(irl__apart_state *state, const irl_expr *e, const irl_expr *f,
                              irl__apart_axis *out)
{
    const irl_expr *apart;
    if (!irl__apart_step_of(state, e, &out->a) || !irl__apart_step_of(state, f, &out->b)) return 0;
    out->d = 0;
    if (e == f) return 1;
    apart = out->a == out->b ? irl__simplify(state->an, irl__sub(state->cx, e, f)) : NULL;
    if (!apart || apart->op != IRL_OP_INT)
        apart = irl__simplify(state->an, irl__sub(state->cx, irl__apart_at(state, e, 0),
                                                  irl__apart_at(state, f, 0)));
    if (!apart || apart->op != IRL_OP_INT) return 0;
    out->d = apart->u.i;
    return 1;
}

/* Whether no two iterations are at one place of this axis: it tells them apart by itself. */
static int irl__apart_tells(const irl__apart_axis *axis)
{
    if (axis->a != axis->b) return 0;
    if (axis->a == 0) return axis->d != 0;
    return axis->d == 0 || (axis->d != INT64_MIN && axis->d % axis->a != 0);
}

/* The iteration that meets p by all axes; -1: none but p itself. */
static int64_t irl__apart_partner(int rank, const irl__apart_axis *axes, int64_t p)
{
    int64_t q = p == 0, left, right;
    int     k;
    for (k = 0; k < rank && axes[k].b == 0; k++) {}
    if (k < rank) {
        if (!irl__mul64(axes[k].a, p, &left) || !irl__add64(left, axes[k].d, &left)) return -1;
        if (left == INT64_MIN || left % axes[k].b) return -1;
        q = left / axes[k].b;
    }
    for (k = 0; q != p && k < rank; k++)
        if (!irl__mul64(axes[k].a, p, &left) || !irl__add64(left, axes[k].d, &left) ||
            !irl__mul64(axes[k].b, q, &right) || left != right)
            return -1;
    return q == p ? -1 : q;
}

static int irl__apart_has_iteration(irl__apart_state *state, int64_t k)
{
    const irl_expr *extent = state->compared->u.loop.extent;
    int64_t         lo, hi;
    if (k < 0) return 0;
    irl__range(state->an, extent, &lo, &hi);
    return k < lo;
}

static int irl__apart_report(irl__apart_state *state, const irl__apart_access *x,
                             const irl__apart_access *y, int64_t p, int64_t q)
{
    irl_ctx        *cx = state->cx;
    const irl_stmt *loop = state->compared;
    char            cell[120], how[64];
    irl__text       t, u;
    int             k;
    irl__text_init_fixed(&t, cell, sizeof cell);
    for (k = 0; k < x->buffer->rank; k++) {
        const irl_expr *at = irl__simplify(state->an, irl__apart_at(state, x->indices[k], p));
        irl__textf(&t, k ? ", %s" : "%s", at ? irl_expr_text(cx, at) : "");
    }
    irl__text_init_fixed(&u, how, sizeof how);
    if (y->is_store) irl__text_puts(&u, "both write");
    else irl__textf(&u, "%l writes and %l reads", p, q);
    return irl__fail(cx, IRL_ERROR_DATA_RACE, x->loc,
                     "iterations %l and %l of %s loop '%s' meet in '%s'[%s], which %s in no order",
                     p, q,
                     loop->u.loop.kind == IRL_BOUND ? "bound"
                                                    : irl_for_kind_text(loop->u.loop.kind),
                     loop->u.loop.var->u.name,
                     x->buffer->name, cell, how);
}

/* Whether iteration p of the one access is proved to be where q of the other is. */
static int irl__apart_meets(irl__apart_state *state, const irl__apart_access *x,
                            const irl__apart_access *y, int64_t p, int64_t q)
{
    const irl_expr *apart;
    int             k;
    for (k = 0; k < x->buffer->rank; k++) {
        apart = irl__sub(state->cx, irl__apart_at(state, x->indices[k], p),
                         irl__apart_at(state, y->indices[k], q));
        if (!apart || !irl__is_int(irl__simplify(state->an, apart), 0)) return 0;
    }
    return 1;
}

/* The first iterations, one by one. */
static int irl__apart_first(irl__apart_state *state, const irl__apart_access *x,
                            const irl__apart_access *y)
{
    int64_t p, q;
    for (p = 0; p < IRL__APART_FIRST; p++)
        for (q = 0; q < IRL__APART_FIRST; q++)
            if (p != q && irl__apart_has_iteration(state, p > q ? p : q) &&
                irl__apart_meets(state, x, y, p, q))
                return irl__apart_report(state, x, y, p, q);
    return irl__ok(state->cx);
}

/* True where no two iterations are proved to meet by these two accesses. */
static int irl__apart_pair(irl__apart_state *state, const irl__apart_access *x,
                           const irl__apart_access *y)
{
    irl__apart_axis axes[IRL_MAX_RANK];
    int64_t         p, q;
    int             k, rank = x->buffer->rank, known = 1;
    for (k = 0; k < rank; k++) /* what costs nothing first */
        if (x->indices[k] == y->indices[k] &&
            irl__apart_axis_of(state, x->indices[k], y->indices[k], &axes[k]) &&
            irl__apart_tells(&axes[k]))
            return 1;
    for (k = 0; k < rank; k++) {
        if (irl__apart_axis_of(state, x->indices[k], y->indices[k], &axes[k])) {
            if (irl__apart_tells(&axes[k])) return 1;
        } else if (!irl__ok(state->cx)) return 0;
        else known = 0;
    }
    if (!known) return irl__apart_first(state, x, y);
    for (p = 0; p < IRL__APART_TRIED && irl__apart_has_iteration(state, p); p++) {
        q = irl__apart_partner(rank, axes, p);
        if (irl__apart_has_iteration(state, q)) return irl__apart_report(state, x, y, p, q);
    }
    return 1;
}

static int irl__apart_pairs(irl__apart_state *state)
{
    int i, j, tried = 0;
    for (i = 0; state->has_store && i < state->count; i++)
        for (j = 0; state->list[i].is_store && j < state->count; j++) {
            const irl__apart_access *x = &state->list[i], *y = &state->list[j];
            if (x->buffer != y->buffer || (y->is_store && j < i)) continue;
            if (tried++ == IRL__APART_PAIRS) return 1;
            if (!irl__apart_pair(state, x, y)) return 0;
        }
    return 1;
}

/* The iterations of one loop, whatever stands around it. */
static int irl__apart_loop(irl__apart_state *state, const irl_stmt *loop)
{
    int mark = irl__bindings_mark(state->an), ok;
    if (!irl__apart_begin(state, loop)) return irl__ok(state->cx);
    ok = irl__bind_extent(state->an, loop->u.loop.var, loop->u.loop.min, loop->u.loop.extent) &&
         irl__apart_collect(state, loop->u.loop.body) && irl__apart_pairs(state);
    irl__bindings_release(state->an, mark);
    return ok;
}

/* ------------------------------------------------------------------ the walk */

static int irl__apart_stmt(irl__apart_state *state, const irl_stmt *s);

/* No store of a kernel is done by every work-item of an axis. */
static int irl__apart_beside(irl__apart_state *state, const irl_stmt *kernel)
{
    irl_axis        axis;
    const irl_stmt *store = irl__store_beside(state->cx, kernel, 1, &axis);
    return !store ||
           irl__fail(state->cx, IRL_ERROR_DATA_RACE, store->loc,
                     "'%s' is written beside the loops bound to %s, so that every work-item of "
                     "that axis writes it, in no order",
                     store->u.store.buffer->name, irl_axis_text(axis));
}

/* All work-items of a group wait at a barrier, or none. `an` knows the loop's range. */
static int irl__apart_waits(irl__apart_state *state, const irl_stmt *s)
{
    const irl_expr *decides;
    if (s->u.loop.kind != IRL_BOUND || s->u.loop.axis <= IRL_GROUP_Z) return 1;
    decides = irl__fence_decided(state->cx, state->an, s);
    return !decides ||
           irl__fail(state->cx, IRL_ERROR_BARRIER_DIVERGENT, s->loc,
                     "a barrier depends on %s, which may differ between work-items of '%s': all of "
                     "a group reach it, or none",
                     irl_expr_text(state->cx, decides), s->u.loop.var->u.name);
}

static int irl__apart_for(irl__apart_state *state, const irl_stmt *s)
{
    const irl_stmt *launch = state->launch, *around = state->around;
    int             in_group = state->in_group, mark, ok = 1;
    int64_t         lo, hi;
    irl__range(state->an, s->u.loop.extent, &lo, &hi);
    if (hi <= 0) return 1; /* nothing in it ever runs */
    if (s->u.loop.kind == IRL_BOUND) {
        if (!launch && !irl__apart_beside(state, s)) return 0;
        if (!launch) state->launch = s;
        if (!irl__stmt_is_items(s)) ok = irl__apart_loop(state, s);
        state->in_group |= s->u.loop.axis <= IRL_GROUP_Z;
    }
    if (irl__for_is_parallel(s->u.loop.kind)) {
        state->around = s;
        ok = irl__apart_loop(state, s);
    }
    mark = irl__bindings_mark(state->an);
    ok = ok && irl__bind_extent(state->an, s->u.loop.var, s->u.loop.min, s->u.loop.extent) &&
         irl__apart_waits(state, s) && irl__apart_stmt(state, s->u.loop.body);
    irl__bindings_release(state->an, mark);
    state->launch = launch;
    state->around = around;
    state->in_group = in_group;
    return ok;
}

static void irl__apart_know(irl__apart_state *state, const irl_expr *condition)
{
    if (condition && !(condition->flags & IRL__HAS_MEMORY)) (void)irl__fact(state->an, condition);
}

/* A branch that never runs may hold anything. */
static int irl__apart_branch(irl__apart_state *state, const irl_stmt *s)
{
    const irl_expr *condition = s->u.branch.condition;
    int             facts = irl__facts_mark(state->an), ok = 1, is_known;
    is_known = !(condition->flags & IRL__HAS_MEMORY);
    if (!is_known || !irl__prove(state->an, irl_expr_op1(state->cx, IRL_OP_NOT, condition))) {
        irl__apart_know(state, condition);
        ok = irl__apart_stmt(state, s->u.branch.then_);
        irl__facts_release(state->an, facts);
    }
    if (!ok || !s->u.branch.else_ || (is_known && irl__prove(state->an, condition))) return ok;
    irl__apart_know(state, irl_expr_op1(state->cx, IRL_OP_NOT, condition));
    ok = irl__apart_stmt(state, s->u.branch.else_);
    irl__facts_release(state->an, facts);
    return ok;
}

/* Its axes are within their extents, which check_blocks asks for. */
static int irl__apart_in_block(irl__apart_state *state, const irl_stmt *s)
{
    const irl__block_data *b = s->u.block;
    const irl_expr        *zero = irl_expr_index(state->cx, 0);
    int                    mark = irl__bindings_mark(state->an), facts, k, ok = 1;
    for (k = 0; k < b->alloc_count; k++)
        if (!irl__apart_shared(state, b->allocs[k])) return 0;
    for (k = 0; ok && k < b->axis_count; k++)
        ok = irl__bind_extent(state->an, b->axes[k].var, zero, b->axes[k].extent);
    facts = irl__facts_mark(state->an);
    if (b->predicate) irl__apart_know(state, b->predicate);
    ok = ok && irl__apart_stmt(state, b->init) && irl__apart_stmt(state, b->body);
    irl__facts_release(state->an, facts);
    irl__bindings_release(state->an, mark);
    return ok;
}

static int irl__apart_stmt(irl__apart_state *state, const irl_stmt *s)
{
    int k, ok = 1, facts = irl__facts_mark(state->an);
    if (!s) return 1;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ:
        for (k = 0; ok && k < s->u.seq.count; k++) {
            const irl_stmt *t = s->u.seq.stmts[k];
            ok = irl__apart_stmt(state, t);
            if (t->kind == IRL__ASSUME || t->kind == IRL__ASSERT)
                irl__apart_know(state, t->u.check.condition);
        }
        irl__facts_release(state->an, facts);
        return ok;
    case IRL__FOR: return irl__apart_for(state, s);
    case IRL__IF: return irl__apart_branch(state, s);
    case IRL__BLOCK: return irl__apart_in_block(state, s);
    case IRL__ATTR: return irl__apart_stmt(state, s->u.attr.body);
    case IRL__ALLOC: return irl__apart_shared(state, s->u.alloc.buffer);
    default: return 1;
    }
}

irl_func *irl__pass_check_parallel(const irl_func *f)
{
    irl_ctx         *cx = f->cx;
    irl__arena_mark  mark;
    irl__apart_state state;
    int              ok;
    if (!irl__stmt_holds(f->body, IRL__HOLDS_PARALLEL | IRL__HOLDS_VECTORIZED | IRL__HOLDS_BOUND |
                                      IRL__HOLDS_SHARED))
        return irl__func_copy(cx, f);
    memset(&state, 0, sizeof state);
    mark = irl__scratch_begin(cx);
    state.cx = cx;
    state.an = irl__analyzer_begin(cx);
    ok = state.an && (f->role != IRL__KERNEL || irl__apart_beside(&state, f->body)) &&
         irl__apart_stmt(&state, f->body);
    irl__scratch_end(cx, mark);
    return ok && irl__ok(cx) ? irl__func_copy(cx, f) : NULL;
}
