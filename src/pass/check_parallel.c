/* check_parallel.c - checks that what runs at the same time may do so: shared memory has a group,
   not every work-item does a store that all see, and neither iterations of parallel and vectorized
   loops nor work-items of a kernel meet.

   requires  a function that the structural verifier accepts
   promises  a function that passes allocates shared memory only in loops bound to a group in which
             all work-items are local. No store is next to the loops bound to an axis, unless memory
             decides which work-item does it, and no barrier is where only some work-items may reach
             it. No two iterations of a parallel or vectorized loop, and no two work-items of a
             kernel without a barrier between them, are proved to meet in a cell that one of them
             writes: else a diagnostic with the two. A loop for which neither is proved passes: the
             interpreter reports its races
   cost      a walk for functions without such loops; that of irl__loop_carries for each parallel
             loop, of irl__kernel_carries for each kernel

   A meeting counts if it contains no parameter, or is proved for all values of the parameters. If
   what is around a loop is not known, because it reads memory, the question is asked for the loop
   alone. */
#include "pass.h"

typedef struct irl__apart_state {
    irl_ctx        *cx;
    const irl_func *f;
    irl__accesses   t;
    irl__path       path;
} irl__apart_state;

/* Does the path lead to n, and may something run there? 0: not, or failure. */
static int irl__apart_reaches(irl__apart_state *state, const irl__around *n)
{
    return irl__path_to(&state->path, n) && !irl__path_is_dead(&state->path);
}

/* ------------------------------------------------------------------ shared memory */

static int irl__apart_shared(irl__apart_state *state, const irl__around *n)
{
    irl_ctx          *cx = state->cx;
    const irl_buffer *b = n->buffer;
    const irl_stmt   *launch = NULL, *around = NULL; /* the outermost bound, the innermost other */
    int               in_group = 0;
    if (b->scope != IRL_SCOPE_SHARED || !irl__around_allocates(n) ||
        !irl__apart_reaches(state, n->outer))
        return irl__ok(cx);
    for (const irl__around *l = n->loop; l; l = irl__around_next(l->outer, IRL__AROUND_LOOP)) {
        if (irl__stmt_is_bound(l->stmt)) launch = l->stmt;
        else if (!around && irl__stmt_is_parallel(l->stmt)) around = l->stmt;
        in_group |= irl__stmt_is_bound(l->stmt) && l->stmt->u.loop.axis <= IRL_GROUP_Z;
    }
    if (!in_group)
        return irl__fail(cx, IRL_ERROR_SHARED_MEMORY, b->loc,
                         "'%s' is shared, but is not in a loop that is bound to a group", b->name);
    if (irl__stmt_holds(launch, IRL__HOLDS_GLOBAL))
        return irl__fail(cx, IRL_ERROR_SHARED_MEMORY, b->loc,
                         "'%s' is shared by work-items of a loop that is bound to global, and not "
                         "by those of a group alone", b->name);
    if (around)
        return irl__fail(cx, IRL_ERROR_SHARED_MEMORY, b->loc, "'%s' is shared, but is in a %s "
                         "loop, whose iterations are not work-items of a group", b->name,
                         irl_for_kind_text(around->u.loop.kind));
    return 1;
}

/* ------------------------------------------------------------------ iterations that meet */

/* The loop whose iterations are compared. */
typedef struct irl__apart_loop {
    irl__apart_state  *state;
    const irl__around *loop;
    int                is_alone; /* what stands around it is not in the table */
} irl__apart_loop;

/* Whether the two iterations are so by numbers alone, or for all values of what is not known. */
static int irl__apart_is_race(irl__accesses *t, const irl__meeting *m, void *user)
{
    const irl__apart_loop *q = (const irl__apart_loop *)user;
    int                    is_free = 0;
    for (int k = 0; k < m->count && !is_free; k++)
        is_free = q->is_alone ? !irl__access_is_of_loop(m->values[k].copy ? m->b : m->a,
                                                       m->values[k].var)
                              : irl__is_fixed(t, m->values[k].var);
    return !is_free || irl__meeting_is_always(t, q->state->path.an, q->loop, m);
}

static void irl__apart_text(irl__text *t, irl__accesses *table, const irl__around *compared,
                            const irl__meeting *m)
{
    const irl__around *n = irl__meeting_loop(compared, m);
    const int          is_both = irl__access_writes(m->a) && irl__access_writes(m->b);
    if (n) {
        const irl_stmt *loop = n->stmt;
        int64_t         p = irl__meeting_at(m, n->var, 0);
        int64_t         q = irl__meeting_at(m, n->var, 1);
        irl__textf(t, "iterations %l and %l of %s loop '%s' touch %s", p, q,
                   irl__stmt_is_bound(loop) ? "bound" : irl_for_kind_text(loop->u.loop.kind),
                   n->var->u.name, m->cell_of ? "" : "one cell");
        if (m->cell_of) {
            irl__textf(t, "'%s'", m->cell_of->name);
            irl__text_numbers(t, "[]", m->cell_rank, m->cell);
        }
        if (is_both) irl__text_puts(t, "; both write, in no fixed order");
        else
            irl__textf(t, "; %l writes and %l reads, in no fixed order",
                       irl__access_writes(m->a) ? p : q, irl__access_writes(m->a) ? q : p);
    } else
        irl__textf(t, "two work-items touch one cell: they %s it in no fixed order",
                   is_both ? "both write" : "write and read");
    irl__text_puts(t, ": ");
    irl__meeting_text(t, table, m);
}

static int irl__apart_report(irl__apart_state *state, irl__accesses *table,
                             const irl__around *compared, const irl__meeting *m)
{
    const irl__access *at = irl__access_writes(m->a) ? m->a : m->b;
    irl__text          t;
    irl__text_init(&t, state->cx);
    irl__apart_text(&t, table, compared, m);
    return irl__fail(state->cx, IRL_ERROR_DATA_RACE, at->place->loc, "%s", irl__text_done(&t));
}

/* False: a race, or failure. */
static int irl__apart_ask(irl__apart_state *state, irl__accesses *t, const irl__around *loop,
                          int is_alone, irl_answer *answer)
{
    irl__meeting    m;
    irl__apart_loop q = { state, loop, is_alone };
    *answer = irl__stmt_is_bound(loop->stmt)
                  ? irl__kernel_races(t, loop, irl__apart_is_race, &q, &m)
                  : irl__loop_races(t, loop, irl__apart_is_race, &q, &m);
    return *answer == IRL_YES ? irl__apart_report(state, t, loop, &m) : irl__ok(state->cx);
}

/* The loop in its function; then by itself. */
static int irl__apart_iterations(irl__apart_state *state, const irl__around *loop)
{
    irl__arena_mark mark = irl__scratch_begin(state->cx);
    irl__accesses   t;
    irl_func        alone = *state->f;
    irl_answer      answer;
    int             ok = irl__apart_ask(state, &state->t, loop, 0, &answer);
    alone.body = loop->stmt;
    if (ok && loop->depth > 0 && answer == IRL_UNKNOWN)
        ok = irl__accesses_of(&t, &alone, NULL) &&
             irl__apart_ask(state, &t, irl__loop_of(&t, loop->stmt), 1, &answer);
    irl__scratch_end(state->cx, mark);
    return ok;
}

/* ------------------------------------------------------------------ the loops */

/* No store of a kernel is done by every work-item of an axis. */
static int irl__apart_beside(irl__apart_state *state, const irl_stmt *kernel)
{
    irl_axis        axis;
    const irl_stmt *store = irl__store_beside(state->cx, kernel, 1, &axis);
    return !store ||
           irl__fail(state->cx, IRL_ERROR_DATA_RACE, store->loc, "'%s' is written outside the "
                     "loops bound to %s, so every work-item of that axis writes it, in no fixed "
                     "order", store->u.store.buffer->name, irl_axis_text(axis));
}

/* All work-items of a group wait at a barrier, or none. The path leads into the loop. */
static int irl__apart_waits(irl__apart_state *state, const irl_stmt *s)
{
    if (s->u.loop.kind != IRL_BOUND || s->u.loop.axis <= IRL_GROUP_Z) return 1;
    const irl_expr *decides = irl__fence_decided(state->cx, state->path.an, s);
    return !decides ||
           irl__fail(state->cx, IRL_ERROR_BARRIER_DIVERGENT, s->loc, "a barrier depends on %s, "
                     "which may differ between work-items of '%s': all of a group reach it, or "
                     "none", irl_expr_text(state->cx, decides), s->u.loop.var->u.name);
}

static int irl__apart_for(irl__apart_state *state, const irl__around *n)
{
    const irl_stmt    *s = n->stmt;
    const irl__around *outer = irl__around_bound(n->outer);
    if (!irl__stmt_is_parallel(s) || !irl__apart_reaches(state, n)) return irl__ok(state->cx);
    if (!irl__path_to(&state->path, n->outer)) return 0;
    if (s->u.loop.kind == IRL_BOUND && !outer && !irl__apart_beside(state, s)) return 0;
    if ((s->u.loop.kind != IRL_BOUND || !outer) && !irl__apart_iterations(state, n)) return 0;
    return irl__path_to(&state->path, n) && irl__apart_waits(state, s);
}

static int irl__apart_see(irl__visitor *v, const irl_stmt *s)
{
    irl__apart_state    *state = (irl__apart_state *)v->user;
    const irl_buffer    *own = s->kind == IRL__ALLOC ? s->u.alloc.buffer : NULL;
    const irl_buffer *const *allocs = s->kind == IRL__BLOCK ? s->u.block->allocs : &own;
    const int count = s->kind == IRL__BLOCK ? s->u.block->alloc_count : own != NULL;
    int       ok = irl__ok(state->cx);
    if (ok && s->kind == IRL__FOR) ok = irl__apart_for(state, irl__loop_of(&state->t, s));
    for (int k = 0; ok && k < count; k++)
        ok = irl__apart_shared(state, (const irl__around *)irl__ptr_map_get(&state->t.declared,
                                                                            allocs[k]));
    return ok;
}

irl_func *irl__pass_check_parallel(const irl_func *f)
{
    irl_ctx         *cx = f->cx;
    irl__apart_state state;
    if (!irl__stmt_holds(f->body, IRL__HOLDS_PARALLEL | IRL__HOLDS_VECTORIZED | IRL__HOLDS_BOUND |
                                      IRL__HOLDS_SHARED))
        return irl__func_copy(cx, f);
    memset(&state, 0, sizeof state);
    irl__arena_mark mark = irl__scratch_begin(cx);
    state.cx = cx;
    state.f = f;
    int ok = irl__accesses_of(&state.t, f, NULL) && irl__path_begin(&state.path, &state.t) &&
             (f->role != IRL__KERNEL || irl__apart_beside(&state, f->body));
    irl__visitor v = irl__visitor_make(&state, NULL, irl__apart_see);
    if (ok) irl__visit_stmt(&v, f->body);
    irl__scratch_end(cx, mark);
    return ok && irl__ok(cx) ? irl__func_copy(cx, f) : NULL;
}
