/* split_kernel.c - a statement becomes a kernel: the names that it uses become its parameters, its
   parallel loops the global range, its allocations private.

   requires  the same as split_host.c
   maintains what is computed
   breaks    parallel outer loops; a kernel repeats the scalar lets, the aliases and the facts that
             it needs
   cost      linear in the statement, plus the parameters and the host's temporaries, for each
             kernel */
#include "split.h"

enum { IRL__SPLIT_THREADS = 64 }; /* iterations that keep the threads of a CPU at work */

/* What one kernel uses. Variables in the order of first use. */
typedef struct irl__split_use {
    irl_ctx         *cx;
    irl__ptr_map     seen;
    const irl_expr **vars;
    int              is_failed;
} irl__split_use;

/* ------------------------------------------------------------------ what a statement uses */

static void irl__split_use_var(irl__split_use *use, const irl_expr *var)
{
    if (irl__ptr_map_get(&use->seen, var)) return;
    if (!irl__ptr_map_put(use->cx, &use->seen, var, var) ||
        !IRL__PUSH_SCRATCH(use->cx, use->vars, var))
        use->is_failed = 1;
}

static int irl__split_use_expr(irl__visitor *v, const irl_expr *e)
{
    if (e->op == IRL_OP_VAR) irl__split_use_var((irl__split_use *)v->user, e);
    return (e->flags & (IRL__HAS_VAR | IRL__HAS_MEMORY)) != 0;
}

static void irl__split_use_buffer(irl__visitor *v, const irl_buffer *b, const irl_stmt *s)
{
    irl__split_use *use = (irl__split_use *)v->user;
    (void)s;
    irl__split_use_var(use, b->data);
    if (irl__ptr_map_get(&use->seen, b)) return;
    if (!irl__ptr_map_put(use->cx, &use->seen, b, b)) use->is_failed = 1;
    irl__visit_shape(v, b);
}

/* A parameter that is used needs the variables of its shapes and of its map. */
static void irl__split_use_param(irl__visitor *v, const irl__param *p)
{
    if (!p->buffer) return;
    irl__split_use_buffer(v, p->buffer, NULL);
    for (int k = 0; k < p->logical_rank; k++) irl__visit_expr(v, p->logical_shape[k]);
    for (int k = 0; p->map && k < p->map->output_count; k++) irl__visit_expr(v, p->map->outputs[k]);
}

/* The closure: lets bring in what their values use, parameters what their shapes use. Backwards, as
   a let uses earlier ones. */
static void irl__split_collect(irl__split_state *state, irl__split_use *use, const irl_stmt *body)
{
    irl__visitor v = irl__visitor_make(use, irl__split_use_expr, NULL);
    v.buffer = irl__split_use_buffer;
    irl__visit_stmt(&v, body);
    for (int k = 0; k < (int)stbds_arrlen(state->inner); k++)
        if (irl__ptr_map_get(&use->seen, state->inner[k]->u.alloc.buffer->data))
            irl__visit_stmt(&v, state->inner[k]);
    for (int k = 0; k < state->f->param_count; k++)
        if (irl__ptr_map_get(&use->seen, state->f->params[k].var))
            irl__split_use_param(&v, &state->f->params[k]);
    for (int k = 0; k < (int)stbds_arrlen(state->allocs); k++)
        if (irl__ptr_map_get(&use->seen, state->allocs[k]->u.alloc.buffer->data))
            irl__visit_stmt(&v, state->allocs[k]);
    for (int k = (int)stbds_arrlen(state->lets); k-- > 0;)
        if (irl__ptr_map_get(&use->seen, state->lets[k]->u.let.var))
            irl__visit_expr(&v, state->lets[k]->u.let.value);
}

/* ---------------------------------------------------- parallel loops become the global range */

static int irl__split_is_unknown(const irl_expr *e, const void *user)
{
    const irl__split_state *state = (const irl__split_state *)user;
    for (int k = 0; e->op == IRL_OP_VAR && k < (int)stbds_arrlen(state->measured); k++)
        if (state->measured[k] == e) return 1;
    return e->type.lanes != 1 || e->op == IRL_OP_LOAD || e->op == IRL_OP_CALL_EXTERN ||
           e->op == IRL_OP_CALL_INTRINSIC;
}

int irl__split_is_known(const irl__split_state *state, const irl_expr *e)
{
    return !irl__expr_any(e, irl__split_is_unknown, state);
}

/* An analyzer with what the host knows where it launches; NULL when memory is out. */
static irl__analyzer *irl__split_known(const irl__split_state *state)
{
    irl__analyzer *an = irl__analyzer_begin(state->cx);
    for (int k = 0; an && k < state->fact_count; k++) (void)irl__fact(an, state->facts[k]);
    for (int k = 0; an && k < state->f->param_count; k++) {
        const irl__param *p = &state->f->params[k];
        for (int j = 0; p->buffer && j < p->logical_rank; j++)
            (void)irl__fact(an, irl_expr_op2(state->cx, IRL_OP_GE, p->logical_shape[j],
                                             irl_expr_index(state->cx, 0)));
    }
    return irl__ok(state->cx) ? an : NULL;
}

/* How many iterations the loops have together. A negative extent is none: of two of them the
   product would be positive. */
static const irl_expr *irl__split_iterations(const irl__split_state *state, int count,
                                             const irl_stmt *const *loops)
{
    irl_ctx        *cx = state->cx;
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__analyzer  *an = irl__split_known(state);
    const irl_expr *own[IRL_MAX_RANK], *product = an ? irl_expr_index(cx, 1) : NULL;
    int             is_open[IRL_MAX_RANK], open_count = 0;
    for (int k = 0; an && k < count; k++) {
        own[k] = loops[k]->u.loop.extent;
        is_open[k] = irl__interval_of(an, own[k]).lo < 0;
        open_count += is_open[k];
    }
    for (int k = count; product && k-- > 0;) {
        if (is_open[k] && open_count > 1)
            own[k] = irl_expr_op2(cx, IRL_OP_MAX, own[k], irl_expr_index(cx, 0));
        product = irl__mul(cx, own[k], product);
    }
    product = irl__simplify(an, product);
    irl__scratch_end(cx, mark);
    return product;
}

/* The loops beyond the innermost two share the axis z: each is a digit of its index. */
static const irl_stmt *irl__split_fuse(const irl__split_state *state, int count,
                                       const irl_stmt *const *loops, const irl_stmt *body)
{
    irl_ctx *cx = state->cx;
    const irl_expr *fused = irl_expr_var(cx, "outer", irl__type_index()), *rest = fused,
                   *extent = irl__split_iterations(state, count, loops);
    const irl_stmt *list[IRL_MAX_RANK + 1];
    for (int k = count; k-- > 0;) { /* the innermost is the fastest digit */
        const irl_expr *var = loops[k]->u.loop.var, *own = loops[k]->u.loop.extent;
        list[count - 1 - k] = irl_stmt_let(cx, var, k ? irl__floormod(cx, rest, own) : rest);
        rest = k ? irl__floordiv(cx, rest, own) : rest;
    }
    list[count] = body;
    return irl_stmt_for_bound(cx, IRL_GLOBAL_Z, fused, extent, irl__stmt_seq(cx, count + 1, list));
}

/* A loop that does not start at 0 is shifted: bound loops do. */
static const irl_stmt *irl__split_shift(irl_ctx *cx, const irl_stmt *loop, const irl_stmt *body)
{
    const irl_expr *var = loop->u.loop.var, *shifted;
    if (irl__is_int(loop->u.loop.min, 0)) return body;
    shifted = irl__simplify_alone(cx, irl__add(cx, loop->u.loop.min, var));
    return shifted ? irl__substitute_stmt(cx, body, 1, &var, &shifted) : NULL;
}

/* The range of a launch: known to the host, and none of its loops in terms of another. */
static int irl__split_may_bind(const irl__split_state *state, int count,
                               const irl_stmt *const *outer, const irl_stmt *loop)
{
    if (!irl__split_is_known(state, loop->u.loop.min) ||
        !irl__split_is_known(state, loop->u.loop.extent))
        return 0;
    for (int k = 0; k < count; k++)
        if (irl__stmt_bounds_use(loop, outer[k]->u.loop.var)) return 0;
    return 1;
}

static const irl_stmt *irl__split_bind(const irl__split_state *state, const irl_stmt *s)
{
    irl_ctx        *cx = state->cx;
    const irl_stmt *loops[IRL_MAX_RANK], *body = s;
    int             count = 0, axis = (int)IRL_GLOBAL_X;
    while (count < IRL_MAX_RANK && body->kind == IRL__FOR && body->u.loop.kind == IRL_PARALLEL &&
           irl__split_may_bind(state, count, loops, body)) {
        loops[count++] = body;
        body = body->u.loop.body;
    }
    if (count == 0 || irl__stmt_holds(s, IRL__HOLDS_BOUND)) return s;
    /* where work-items become loops again, those inside of three stay as they are, if the outermost
       is enough for all threads */
    if (state->target->serial && count > 3 && loops[0]->u.loop.extent->op == IRL_OP_INT &&
        loops[0]->u.loop.extent->u.i >= IRL__SPLIT_THREADS) {
        count = 3;
        body = loops[2]->u.loop.body;
    }
    for (int k = count; body && k-- > 0;) body = irl__split_shift(cx, loops[k], body);
    for (int k = count; body && k-- > 0; axis++) {
        if (axis == (int)IRL_GLOBAL_Z && k > 0) return irl__split_fuse(state, k + 1, loops, body);
        const irl_stmt *loop =
            irl__stmt_loop_over(cx, loops[k], loops[k]->u.loop.var, irl_expr_index(cx, 0),
                                loops[k]->u.loop.extent, body);
        body = irl__stmt_loop_as(cx, loop, IRL_BOUND, (irl_axis)axis, body);
    }
    return body;
}

/* ------------------------------------------------------------------ one kernel */

/* Parameters in the function's order, then temporaries in the order of their allocation, then
   scalars that only the host knows. */
static int irl__split_params(irl__split_state *state, const irl__split_use *use, irl_func *kernel,
                             const irl_expr ***args)
{
    size_t most = (size_t)state->f->param_count + (size_t)stbds_arrlen(state->allocs) +
                  (size_t)stbds_arrlen(state->indices);
    irl__param      *params = IRL__NEW(state->cx, irl__param, most);
    const irl_expr **list = IRL__NEW(state->cx, const irl_expr *, most);
    int              n = 0;
    if (!params || !list) return 0;
    for (int k = 0; k < state->f->param_count; k++)
        if (irl__ptr_map_get(&use->seen, state->f->params[k].var)) {
            params[n] = state->f->params[k];
            params[n++].is_implicit = 0; /* a launch hands it over */
        }
    for (int k = 0; k < (int)stbds_arrlen(state->allocs); k++) {
        const irl_buffer *b = state->allocs[k]->u.alloc.buffer;
        if (!irl__ptr_map_get(&use->seen, b->data)) continue;
        params[n].name = b->name;
        params[n].var = b->data;
        params[n].buffer = b;
        params[n].logical_rank = b->rank;
        params[n].logical_shape = b->shape;
        params[n++].loc = b->loc;
    }
    for (int k = 0; k < (int)stbds_arrlen(state->indices); k++) {
        if (!irl__ptr_map_get(&use->seen, state->indices[k])) continue;
        params[n].name = state->indices[k]->u.name;
        params[n++].var = state->indices[k];
    }
    for (int k = 0; k < n; k++) list[k] = params[k].var;
    kernel->params = params;
    kernel->param_count = n;
    *args = list;
    return 1;
}

int irl__split_is_passed(const irl__split_state *state, const irl_expr *var)
{
    for (int k = 0; k < (int)stbds_arrlen(state->indices); k++)
        if (state->indices[k] == var) return 1;
    return 0;
}

/* Whether the kernel has all variables of e. */
static int irl__split_has_all(const irl__split_use *use, const irl_expr *e)
{
    if (e->op == IRL_OP_VAR) return irl__ptr_map_get(&use->seen, e) != NULL;
    for (uint32_t k = 0; k < e->count; k++)
        if (!irl__split_has_all(use, e->a[k])) return 0;
    return 1;
}

/* What the host knows of the kernel's arguments, part by part: there it bounds indices. */
static int irl__split_assume(irl__split_state *state, const irl__split_use *use,
                             const irl_expr *fact, const irl_stmt ***list)
{
    if (fact->op == IRL_OP_AND)
        return irl__split_assume(state, use, fact->a[0], list) &&
               irl__split_assume(state, use, fact->a[1], list);
    if (!irl__split_has_all(use, fact)) return 1;
    const irl_stmt *s = irl_stmt_assume(state->cx, fact);
    return s && IRL__PUSH_SCRATCH(state->cx, *list, s);
}

/* Lets first, then what is known of them, allocations and aliases, then the computation: each only
   if used. */
static const irl_stmt *irl__split_body(irl__split_state *state, const irl__split_use *use,
                                       const irl_stmt *computation)
{
    const irl_stmt **list = NULL;
    int              ok = 1;
    for (int k = 0; ok && k < (int)stbds_arrlen(state->lets); k++)
        if (irl__ptr_map_get(&use->seen, state->lets[k]->u.let.var) &&
            !irl__split_is_passed(state, state->lets[k]->u.let.var))
            ok = IRL__PUSH_SCRATCH(state->cx, list, state->lets[k]);
    for (int k = 0; ok && k < state->fact_count; k++)
        ok = irl__split_assume(state, use, state->facts[k], &list);
    for (int k = 0; ok && k < (int)stbds_arrlen(state->inner); k++)
        if (irl__ptr_map_get(&use->seen, state->inner[k]->u.alloc.buffer->data))
            ok = IRL__PUSH_SCRATCH(state->cx, list, state->inner[k]);
    for (int k = 0; ok && k < (int)stbds_arrlen(state->decls); k++)
        if (irl__ptr_map_get(&use->seen, state->decls[k]->u.alloc.buffer))
            ok = IRL__PUSH_SCRATCH(state->cx, list, state->decls[k]);
    if (!ok || !IRL__PUSH_SCRATCH(state->cx, list, computation)) return NULL;
    return irl__stmt_seq(state->cx, (int)stbds_arrlen(list), list);
}

/* Of the function's attributes a kernel has those that say what its buffers hold. */
static int irl__split_notes(const irl__split_state *state, irl_func *kernel)
{
    const irl__annotation *from = state->f->annotations;
    irl__annotation *list = IRL__NEW(state->cx, irl__annotation, state->f->annotation_count);
    int j;
    for (int k = 0; list && k < state->f->annotation_count; k++) {
        for (j = 0;
             j < kernel->param_count &&
             irl__func_said(state->f, IRL__ATTR_SHARED, kernel->params[j].name) != from[k].text;
             j++)
            continue;
        if (from[k].text && j < kernel->param_count) list[kernel->annotation_count++] = from[k];
    }
    kernel->annotations = list;
    return list != NULL;
}

int irl__split_kernel(irl__split_state *state, const irl_stmt *s)
{
    irl__split_use   use;
    irl_func        *kernel = IRL__NEW(state->cx, irl_func, 1);
    const irl_expr **args;
    irl_stmt        *launch = irl__stmt_new(state->cx, IRL__LAUNCH, s->loc);
    memset(&use, 0, sizeof use);
    use.cx = state->cx;
    s = irl__stmt_moved(state->f, irl__split_bind(state, s), NULL);
    if (!kernel || !launch || !s) return 0;
    irl__split_collect(state, &use, s);
    kernel->cx = state->cx;
    kernel->name = irl__format(state->cx, "%s_%d", state->f->name,
                               (int)stbds_arrlen(state->kernels));
    kernel->role = IRL__KERNEL;
    kernel->loc = s->loc;
    kernel->body = irl__split_body(state, &use, s);
    if (use.is_failed || !kernel->name || !kernel->body ||
        !irl__externs_keep(kernel, state->f) ||
        !irl__split_params(state, &use, kernel, &args) || !irl__split_notes(state, kernel))
        return 0;
    launch->u.launch.kernel = kernel->name;
    launch->u.launch.count = kernel->param_count;
    launch->u.launch.args = args;
    state->kernel = kernel;
    state->launch = launch;
    return IRL__PUSH_SCRATCH(state->cx, state->kernels, kernel) &&
           IRL__PUSH_SCRATCH(state->cx, state->host, launch);
}
