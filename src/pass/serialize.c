/* serialize.c - work-items become the iterations of loops: a kernel for a machine that has none.

   requires  a kernel; its loops are bound, at most one of an axis on each way to a statement
   maintains what is computed: work-items that are not ordered run in any order
   breaks    bound loops, barriers
   cost      linear in the kernel

   If bound loops are nested with nothing but declarations between them, each becomes an ordinary
   loop. Otherwise every work-item runs the whole body: loops over the axes surround it, and a bound
   loop becomes a let of its index. A body with barriers is cut at them, by phases.c. Loops of
   groups and global items stay parallel, unless private memory, of which each item has its own, is
   allocated outside. */
#include "pass.h"

typedef struct irl__serial_state {
    irl_ctx        *cx;
    const irl_func *f;
    const irl_expr *place[IRL__AXIS_COUNT];  /* the variable that goes over an axis */
    const irl_expr *extent[IRL__AXIS_COUNT]; /* NULL: not bound */
    int             has_bound, waits, ok;
    irl__ptr_map    parallel; /* bound loops whose iterations share no private memory */
} irl__serial_state;

/* ------------------------------------------------------------------ what there is */

static int irl__serial_see_axis(irl__serial_state *state, const irl_stmt *s)
{
    const irl_expr **extent = &state->extent[s->u.loop.axis];
    state->has_bound = 1;
    if (*extent && *extent != s->u.loop.extent)
        return irl__fail(state->cx, IRL_ERROR_UNSUPPORTED, s->loc, "two loops are bound to %s with "
                         "different extents; a kernel has one size for each axis",
                         irl_axis_text(s->u.loop.axis));
    *extent = s->u.loop.extent;
    return 1;
}

static int irl__serial_see(irl__visitor *v, const irl_stmt *s)
{
    irl__serial_state *state = (irl__serial_state *)v->user;
    if (irl__stmt_is_bound(s) && !irl__serial_see_axis(state, s))
        state->ok = 0;
    state->waits |= s->kind == IRL__BARRIER;
    return state->ok;
}

static int irl__serial_axes_ok(irl__serial_state *state)
{
    unsigned bound = 0;
    for (int k = 0; k < (int)IRL__AXIS_COUNT; k++)
        bound |= (unsigned)(state->extent[k] != NULL) << k;
    return irl__axes_ok(state->cx, state->f->loc, bound);
}

/* ------------------------------------------------------------------ nests */

/* Whether the bound loops in s may be taken for the loops that they look like; `axes` are those
   that s stands in. Inside of one, what stands beside another would run once, not once for each
   item, and a serial loop would keep one private memory for all of them. */
static int irl__serial_is_nest(const irl_stmt *s, unsigned axes)
{
    const irl_stmt *part;
    int             n = 0;
    if (!irl__stmt_holds(s, IRL__HOLDS_BOUND)) return 1;
    if (irl__stmt_is_bound(s))
        return !(axes >> s->u.loop.axis & 1) &&
               irl__serial_is_nest(s->u.loop.body, axes | 1u << s->u.loop.axis);
    if ((s->kind == IRL__FOR && axes) || s->kind == IRL__BLOCK) return 0;
    for (int k = 0; (part = irl__stmt_part(s, k)) != NULL; k++) {
        n += s->kind == IRL__SEQ &&
             !(part->kind == IRL__LET || part->kind == IRL__ALLOC || part->kind == IRL__DECL ||
               part->kind == IRL__ASSUME || part->kind == IRL__ASSERT);
        if (!irl__serial_is_nest(part, axes)) return 0;
    }
    return n <= 1;
}

/* Which loops over groups or global items may stay parallel: around them no memory is allocated. */
static void irl__serial_find_parallel(irl__serial_state *state, const irl_stmt *s)
{
    const irl_stmt *part;
    for (int k = 0; s->kind == IRL__SEQ && k < s->u.seq.count; k++)
        if (s->u.seq.stmts[k]->kind == IRL__ALLOC) return;
    if (s->kind == IRL__FOR) {
        if (s->u.loop.kind != IRL_BOUND || irl__stmt_is_items(s)) return;
        if (!irl__ptr_map_put(state->cx, &state->parallel, s->u.loop.var, s)) state->ok = 0;
    }
    for (int k = 0; (part = irl__stmt_part(s, k)) != NULL; k++)
        irl__serial_find_parallel(state, part);
}

static const irl_stmt *irl__serial_as_loop(irl__rewriter *r, const irl_stmt *s)
{
    const irl_stmt *same = irl__rewrite_stmt_children(r, s);
    irl_for_kind    kind;
    if (!same || !irl__stmt_is_bound(same)) return same;
    kind = irl__ptr_map_get(&((irl__serial_state *)r->user)->parallel, same->u.loop.var)
               ? IRL_PARALLEL
               : IRL_SERIAL;
    return irl__stmt_loop_as(r->cx, same, kind, same->u.loop.axis, same->u.loop.body);
}

/* ------------------------------------------------------------------ loops around the body */

static const irl_stmt *irl__serial_as_place(irl__rewriter *r, const irl_stmt *s)
{
    return irl__phases_as_place(r, s, ((const irl__serial_state *)r->user)->place);
}

/* Is e made of what stands around the kernel's body? */
static int irl__serial_is_known(irl__serial_state *state, const irl_expr *e)
{
    if (e->flags & IRL__HAS_MEMORY) return 0;
    for (int j = 0; e->op == IRL_OP_VAR && j < state->f->param_count; j++)
        if (state->f->params[j].var == e) return 1;
    for (uint32_t k = 0; k < e->count; k++)
        if (!irl__serial_is_known(state, e->a[k])) return 0;
    return e->op != IRL_OP_VAR;
}

static const irl_stmt *irl__serial_around(irl__serial_state *state, const irl_stmt *body)
{
    /* those of the items in a group come first */
    static const int order[] = { IRL_LOCAL_X,  IRL_LOCAL_Y,  IRL_LOCAL_Z,
                                 IRL_GLOBAL_X, IRL_GLOBAL_Y, IRL_GLOBAL_Z,
                                 IRL_GROUP_X,  IRL_GROUP_Y,  IRL_GROUP_Z };
    for (size_t k = state->waits ? 3 : 0; body && k < IRL__COUNTOF(order); k++) {
        int a = order[k];
        if (!state->extent[a]) continue;
        if (!irl__serial_is_known(state, state->extent[a])) {
            irl__fail(state->cx, IRL_ERROR_BAD_STRUCTURE, state->f->loc, "the extent of %s must be "
                      "known before the launch", irl_axis_text((irl_axis)a));
            return NULL;
        }
        body = irl_stmt_for(state->cx, k < 3 ? IRL_SERIAL : IRL_PARALLEL, state->place[a],
                            irl_expr_index(state->cx, 0), state->extent[a], body);
    }
    return body;
}

static const irl_stmt *irl__serial_wrap(irl__serial_state *state)
{
    static const char *const names[] = { "group_x",  "group_y",  "group_z", "local_x", "local_y",
                                         "local_z", "global_x", "global_y", "global_z" };
    irl__rewriter r = irl__rewriter_make(state->cx, state, NULL, irl__serial_as_place);
    for (int a = 0; a < (int)IRL__AXIS_COUNT; a++)
        if (state->extent[a] &&
            !(state->place[a] = irl_expr_var(state->cx, names[a], irl__type_index())))
            return NULL;
    if (state->waits)
        return irl__serial_around(state,
                                  irl__phases_group(state->f, state->place, state->extent));
    return irl__serial_around(state, irl__rewrite_stmt(&r, state->f->body));
}

irl_func *irl__pass_serialize(const irl_func *kernel)
{
    irl__serial_state state;
    const irl_stmt   *body;
    memset(&state, 0, sizeof state);
    state.cx = kernel->cx;
    state.f = kernel;
    state.ok = 1;
    irl__visitor v = irl__visitor_make(&state, NULL, irl__serial_see);
    irl__visit_stmt(&v, kernel->body);
    if (!state.ok || !irl__serial_axes_ok(&state)) return NULL;
    if (!state.has_bound && !state.waits) return irl__func_with_body(kernel, kernel->body);
    irl__rewriter   r = irl__rewriter_make(state.cx, &state, NULL, irl__serial_as_loop);
    irl__arena_mark mark = irl__scratch_begin(state.cx);
    irl__serial_find_parallel(&state, kernel->body);
    if (!state.waits && irl__serial_is_nest(kernel->body, 0))
        body = irl__rewrite_stmt(&r, kernel->body);
    else body = irl__serial_wrap(&state);
    irl__scratch_end(state.cx, mark);
    return body && state.ok ? irl__func_with_body(kernel, body) : NULL;
}
