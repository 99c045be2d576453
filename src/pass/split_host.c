/* split_host.c - one function becomes a host function and kernels, one for each statement at the top that computes.

   requires  flatten; parallel loops are marked
   maintains what is computed: launches run one after the other, in the order of the statements
   breaks    parallel outer loops: they become the global range. Allocations inside a kernel become private
   cost      linear in the function, plus parameters times kernels
   source    DESIGN, semantics 10 (one function, many kernels) and 11 (bound loops)

   The host keeps the parameters, allocates what lives between kernels, and launches. A kernel takes the parameters and
   temporaries that it uses, declares its flat aliases itself, and repeats the scalar lets that it needs.

   Work-items of different statements are ordered only from launch to launch. So the host walks itself through sequences,
   conditions that it can compute, and loops around bound loops; what it cannot walk through is one kernel, which may hold
   only one nest of bound loops. A scalar read from memory is kept in a temporary of one element, where all kernels find it. */
#include "pass.h"

typedef struct irl__split_state {
    irl_ctx          *cx;
    const irl_func   *f;
    const irl_stmt  **decls;    /* aliases, seen so far */
    const irl_stmt  **lets;     /* scalar lets, seen so far */
    const irl_expr  **facts;    /* what the host has assumed or asserted, and holds where it is now: the first fact_count */
    int               fact_count;
    const irl_stmt  **allocs;   /* allocations in global memory: temporaries of the host */
    const irl_stmt  **inner;    /* allocations in shared or private memory: they go into their kernel */
    const irl_expr  **indices;  /* variables of the host's loops, and lets in shapes: kernels get their values */
    const irl_expr  **measured; /* variables that come from memory: the host does not know them */
    const irl_stmt  **host;     /* the statements of the host's current sequence */
    const irl_func  **kernels;
    irl_func         *kernel; /* the last kernel made, and its launch */
    irl_stmt         *launch;
} irl__split_state;

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
    if (!irl__ptr_map_put(use->cx, &use->seen, var, var) || !IRL__PUSH_SCRATCH(use->cx, use->vars, var)) use->is_failed = 1;
}

static int irl__split_use_expr(irl__visitor *v, const irl_expr *e)
{
    if (e->op == IRL_OP_VAR) irl__split_use_var((irl__split_use *)v->user, e);
    return (e->flags & (IRL__HAS_VAR | IRL__HAS_MEMORY)) != 0;
}

static void irl__split_use_buffer(irl__visitor *v, const irl_buffer *b, const irl_stmt *s)
{
    irl__split_use *use = (irl__split_use *)v->user;
    int             k;
    (void)s;
    irl__split_use_var(use, b->data);
    if (irl__ptr_map_get(&use->seen, b)) return;
    if (!irl__ptr_map_put(use->cx, &use->seen, b, b)) use->is_failed = 1;
    for (k = 0; k < b->rank; k++) irl__visit_expr(v, b->shape[k]);
    for (k = 0; b->strides && k < b->rank; k++) irl__visit_expr(v, b->strides[k]);
    irl__visit_expr(v, b->offset);
}

/* A parameter that is used needs the variables of its shapes and of its map. */
static void irl__split_use_param(irl__visitor *v, const irl__param *p)
{
    int k;
    if (!p->buffer) return;
    irl__split_use_buffer(v, p->buffer, NULL);
    for (k = 0; k < p->logical_rank; k++) irl__visit_expr(v, p->logical_shape[k]);
    for (k = 0; p->map && k < p->map->output_count; k++) irl__visit_expr(v, p->map->outputs[k]);
}

/* The closure: lets bring in what their values use, parameters what their shapes use. Backwards, as a let uses earlier ones. */
static void irl__split_collect(irl__split_state *state, irl__split_use *use, const irl_stmt *body)
{
    irl__visitor v;
    int          k;
    v = irl__visitor_make(use, irl__split_use_expr, NULL);
    v.buffer = irl__split_use_buffer;
    irl__visit_stmt(&v, body);
    for (k = 0; k < (int)stbds_arrlen(state->inner); k++)
        if (irl__ptr_map_get(&use->seen, state->inner[k]->u.alloc.buffer->data)) irl__visit_stmt(&v, state->inner[k]);
    for (k = 0; k < state->f->param_count; k++)
        if (irl__ptr_map_get(&use->seen, state->f->params[k].var)) irl__split_use_param(&v, &state->f->params[k]);
    for (k = 0; k < (int)stbds_arrlen(state->allocs); k++)
        if (irl__ptr_map_get(&use->seen, state->allocs[k]->u.alloc.buffer->data)) irl__visit_stmt(&v, state->allocs[k]);
    for (k = (int)stbds_arrlen(state->lets); k-- > 0;)
        if (irl__ptr_map_get(&use->seen, state->lets[k]->u.let.var)) irl__visit_expr(&v, state->lets[k]->u.let.value);
}

/* ------------------------------------------------------------------ parallel loops become the global range */

typedef struct irl__split_loops {
    int has_bound, has_parallel;
} irl__split_loops;

static int irl__split_see_loop(irl__visitor *v, const irl_stmt *s)
{
    irl__split_loops *found = (irl__split_loops *)v->user;
    if (s->kind != IRL__FOR) return 1;
    found->has_bound |= s->u.loop.kind == IRL_BOUND;
    found->has_parallel |= s->u.loop.kind == IRL_PARALLEL;
    return 1;
}

/* What loops a statement contains. */
static irl__split_loops irl__split_loops_in(const irl_stmt *s)
{
    irl__visitor     v;
    irl__split_loops found = { 0, 0 };
    v = irl__visitor_make(&found, NULL, irl__split_see_loop);
    irl__visit_stmt(&v, s);
    return found;
}

typedef struct irl__split_query {
    const irl__split_state *state;
    int                     is_unknown;
} irl__split_query;

static int irl__split_see_unknown(irl__visitor *v, const irl_expr *e)
{
    irl__split_query *query = (irl__split_query *)v->user;
    int               k;
    query->is_unknown |= e->type.lanes != 1 || e->op == IRL_OP_LOAD || e->op == IRL_OP_CALL_EXTERN || e->op == IRL_OP_CALL_INTRINSIC;
    for (k = 0; e->op == IRL_OP_VAR && k < (int)stbds_arrlen(query->state->measured); k++) query->is_unknown |= query->state->measured[k] == e;
    return !query->is_unknown;
}

/* Does the host know the value of e? It computes scalars, of its parameters and of what it has computed before. NULL is known. */
static int irl__split_is_known(const irl__split_state *state, const irl_expr *e)
{
    irl__split_query query;
    irl__visitor     v;
    query.state = state;
    query.is_unknown = 0;
    v = irl__visitor_make(&query, irl__split_see_unknown, NULL);
    irl__visit_expr(&v, e);
    return !query.is_unknown;
}

/* The loops beyond the innermost two share the axis z: each is a digit of its index. */
static const irl_stmt *irl__split_fuse(irl_ctx *cx, int count, const irl_stmt *const *loops, const irl_stmt *body)
{
    const irl_expr *fused = irl_var(cx, "outer", irl__type_index()), *rest = fused, *extent = irl_idx(cx, 1);
    const irl_stmt *list[IRL_MAX_RANK + 1];
    int             k;
    for (k = count; k-- > 0;) { /* the innermost is the fastest digit */
        const irl_expr *var = loops[k]->u.loop.var, *own = loops[k]->u.loop.extent;
        list[count - 1 - k] = irl_let_stmt(cx, var, k ? irl__floormod(cx, rest, own) : rest);
        rest = k ? irl__floordiv(cx, rest, own) : rest;
        extent = irl__mul(cx, own, extent);
    }
    list[count] = body;
    extent = irl__simplify_alone(cx, extent);
    return irl_for_bound(cx, IRL_GLOBAL_Z, fused, extent, irl__stmt_seq(cx, count + 1, list));
}

/* A loop that does not start at 0 is shifted: bound loops do. */
static const irl_stmt *irl__split_shift(irl_ctx *cx, const irl_stmt *loop, const irl_stmt *body)
{
    const irl_expr *var = loop->u.loop.var, *shifted;
    if (irl__is_int(loop->u.loop.min, 0)) return body;
    shifted = irl__simplify_alone(cx, irl__add(cx, loop->u.loop.min, var));
    return shifted ? irl__substitute_stmt(cx, body, 1, &var, &shifted) : NULL;
}

static const irl_stmt *irl__split_bind_one(irl_ctx *cx, irl_axis axis, const irl_stmt *loop, const irl_stmt *body)
{
    irl_stmt *copy = irl__stmt_copy(cx, loop);
    if (!copy || !body) return NULL;
    copy->u.loop.kind = IRL_BOUND;
    copy->u.loop.axis = axis;
    copy->u.loop.min = irl_idx(cx, 0);
    copy->u.loop.body = body;
    return irl__stmt_finish(cx, copy);
}

/* The range of a launch: known to the host, and none of its loops in terms of another. */
static int irl__split_may_bind(const irl__split_state *state, int count, const irl_stmt *const *outer, const irl_stmt *loop)
{
    int k;
    if (!irl__split_is_known(state, loop->u.loop.min) || !irl__split_is_known(state, loop->u.loop.extent)) return 0;
    for (k = 0; k < count; k++)
        if (irl__expr_uses_var(loop->u.loop.min, outer[k]->u.loop.var) || irl__expr_uses_var(loop->u.loop.extent, outer[k]->u.loop.var)) return 0;
    return 1;
}

static const irl_stmt *irl__split_bind(const irl__split_state *state, const irl_stmt *s)
{
    irl_ctx        *cx = state->cx;
    const irl_stmt *loops[IRL_MAX_RANK], *body = s;
    int             count = 0, k, axis = (int)IRL_GLOBAL_X;
    while (count < IRL_MAX_RANK && body->kind == IRL__FOR && body->u.loop.kind == IRL_PARALLEL && irl__split_may_bind(state, count, loops, body)) {
        loops[count++] = body;
        body = body->u.loop.body;
    }
    if (count == 0 || irl__split_loops_in(s).has_bound) return s;
    for (k = count; body && k-- > 0;) body = irl__split_shift(cx, loops[k], body);
    for (k = count; body && k-- > 0; axis++) {
        if (axis == (int)IRL_GLOBAL_Z && k > 0) return irl__split_fuse(cx, k + 1, loops, body);
        body = irl__split_bind_one(cx, (irl_axis)axis, loops[k], body);
    }
    return body;
}

/* ------------------------------------------------------------------ allocations that change their memory */

/* Inside a kernel all memory in scope global becomes private; `only`: this memory alone becomes global. */
typedef struct irl__split_move {
    const irl_expr *only;
    irl__ptr_map    map; /* data variables and buffers, old -> new */
} irl__split_move;

static const irl_buffer *irl__split_move_buffer(irl__rewriter *r, const irl_buffer *b)
{
    irl__split_move  *move = (irl__split_move *)r->user;
    const irl_buffer *known = (const irl_buffer *)irl__ptr_map_get(&move->map, b);
    const irl_expr   *data = (const irl_expr *)irl__ptr_map_get(&move->map, b->data);
    irl_buffer       *copy;
    if (known || !data) return known ? known : b;
    copy = irl__buffer_copy(r->cx, b);
    if (!copy) return NULL;
    copy->data = data;
    copy->scope = (irl_scope)data->type.scope;
    return irl__ptr_map_put(r->cx, &move->map, b, copy) ? copy : NULL;
}

static const irl_stmt *irl__split_move_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__split_move  *move = (irl__split_move *)r->user;
    const irl_buffer *b = s->kind == IRL__ALLOC ? s->u.alloc.buffer : NULL;
    if (b && (move->only ? b->data == move->only : b->scope == IRL_SCOPE_GLOBAL)) {
        const irl_expr *data = irl_var(r->cx, b->data->u.name, irl_pointer_to(b->type, move->only ? IRL_SCOPE_GLOBAL : IRL_SCOPE_LOCAL));
        if (!data || !irl__ptr_map_put(r->cx, &move->map, b->data, data)) return NULL;
    }
    return irl__rewrite_stmt_children(r, s);
}

static const irl_stmt *irl__split_moved(irl_ctx *cx, const irl_stmt *s, const irl_expr *only)
{
    irl__rewriter   r;
    irl__split_move move;
    memset(&move, 0, sizeof move);
    move.only = only;
    r = irl__rewriter_make(cx, &move, NULL, irl__split_move_stmt);
    r.buffer = irl__split_move_buffer;
    return irl__rewrite_stmt(&r, s);
}

/* ------------------------------------------------------------------ one kernel */

static const char *irl__split_name(irl__split_state *state)
{
    irl__text t;
    irl__text_init(&t, state->cx);
    irl__textf(&t, "%s_%d", state->f->name, (int)stbds_arrlen(state->kernels));
    return irl__text_done(&t);
}

/* Parameters in the function's order, then temporaries in the order of their allocation, then scalars that only the host knows. */
static int irl__split_params(irl__split_state *state, const irl__split_use *use, irl_func *kernel, const irl_expr ***args)
{
    size_t           most = (size_t)state->f->param_count + (size_t)stbds_arrlen(state->allocs) + (size_t)stbds_arrlen(state->indices);
    irl__param      *params = (irl__param *)irl__alloc_array(state->cx, most, sizeof *params);
    const irl_expr **list = (const irl_expr **)irl__alloc_array(state->cx, most, sizeof *list);
    int              k, n = 0;
    if (!params || !list) return 0;
    for (k = 0; k < state->f->param_count; k++)
        if (irl__ptr_map_get(&use->seen, state->f->params[k].var)) params[n++] = state->f->params[k];
    for (k = 0; k < (int)stbds_arrlen(state->allocs); k++) {
        const irl_buffer *b = state->allocs[k]->u.alloc.buffer;
        if (!irl__ptr_map_get(&use->seen, b->data)) continue;
        params[n].name = b->name;
        params[n].var = b->data;
        params[n].buffer = b;
        params[n].logical_rank = b->rank;
        params[n].logical_shape = b->shape;
        params[n++].loc = b->loc;
    }
    for (k = 0; k < (int)stbds_arrlen(state->indices); k++) {
        if (!irl__ptr_map_get(&use->seen, state->indices[k])) continue;
        params[n].name = state->indices[k]->u.name;
        params[n++].var = state->indices[k];
    }
    for (k = 0; k < n; k++) list[k] = params[k].var;
    kernel->params = params;
    kernel->param_count = n;
    *args = list;
    return 1;
}

static int irl__split_is_passed(const irl__split_state *state, const irl_expr *var)
{
    int k;
    for (k = 0; k < (int)stbds_arrlen(state->indices); k++)
        if (state->indices[k] == var) return 1;
    return 0;
}

/* Whether the kernel has all variables of e. */
static int irl__split_has_all(const irl__split_use *use, const irl_expr *e)
{
    uint32_t k;
    if (e->op == IRL_OP_VAR) return irl__ptr_map_get(&use->seen, e) != NULL;
    for (k = 0; k < e->count; k++)
        if (!irl__split_has_all(use, e->a[k])) return 0;
    return 1;
}

/* What the host knows of the kernel's arguments, part by part: there it bounds indices. */
static int irl__split_assume(irl__split_state *state, const irl__split_use *use, const irl_expr *fact, const irl_stmt ***list)
{
    const irl_stmt *s;
    if (fact->op == IRL_OP_AND) return irl__split_assume(state, use, fact->a[0], list) && irl__split_assume(state, use, fact->a[1], list);
    if (!irl__split_has_all(use, fact)) return 1;
    s = irl_assume(state->cx, fact);
    return s && IRL__PUSH_SCRATCH(state->cx, *list, s);
}

/* Lets first, then what is known of them, allocations and aliases, then the computation: each only if used. */
static const irl_stmt *irl__split_body(irl__split_state *state, const irl__split_use *use, const irl_stmt *computation)
{
    const irl_stmt **list = NULL;
    int              k, ok = 1;
    for (k = 0; ok && k < (int)stbds_arrlen(state->lets); k++)
        if (irl__ptr_map_get(&use->seen, state->lets[k]->u.let.var) && !irl__split_is_passed(state, state->lets[k]->u.let.var))
            ok = IRL__PUSH_SCRATCH(state->cx, list, state->lets[k]);
    for (k = 0; ok && k < state->fact_count; k++) ok = irl__split_assume(state, use, state->facts[k], &list);
    for (k = 0; ok && k < (int)stbds_arrlen(state->inner); k++)
        if (irl__ptr_map_get(&use->seen, state->inner[k]->u.alloc.buffer->data)) ok = IRL__PUSH_SCRATCH(state->cx, list, state->inner[k]);
    for (k = 0; ok && k < (int)stbds_arrlen(state->decls); k++)
        if (irl__ptr_map_get(&use->seen, state->decls[k]->u.alloc.buffer)) ok = IRL__PUSH_SCRATCH(state->cx, list, state->decls[k]);
    if (!ok || !IRL__PUSH_SCRATCH(state->cx, list, computation)) return NULL;
    return irl__stmt_seq(state->cx, (int)stbds_arrlen(list), list);
}

/* Of the function's attributes a kernel has those that say what its buffers hold. */
static int irl__split_notes(const irl__split_state *state, irl_func *kernel)
{
    const irl__annotation *from = state->f->annotations;
    irl__annotation       *list = (irl__annotation *)irl__alloc_array(state->cx, (size_t)state->f->annotation_count, sizeof *list);
    int                    k, j;
    for (k = 0; list && k < state->f->annotation_count; k++) {
        for (j = 0; j < kernel->param_count && irl__func_shared(state->f, kernel->params[j].name) != from[k].text; j++) continue;
        if (from[k].text && j < kernel->param_count) list[kernel->annotation_count++] = from[k];
    }
    kernel->annotations = list;
    return list != NULL;
}

static int irl__split_kernel(irl__split_state *state, const irl_stmt *s)
{
    irl__split_use   use;
    irl_func        *kernel = (irl_func *)irl__alloc_array(state->cx, 1, sizeof *kernel);
    const irl_expr **args;
    irl_stmt        *launch = irl__stmt_new(state->cx, IRL__LAUNCH, s->loc);
    memset(&use, 0, sizeof use);
    use.cx = state->cx;
    s = irl__split_moved(state->cx, irl__split_bind(state, s), NULL);
    if (!kernel || !launch || !s) return 0;
    irl__split_collect(state, &use, s);
    kernel->cx = state->cx;
    kernel->name = irl__split_name(state);
    kernel->role = IRL__KERNEL;
    kernel->loc = s->loc;
    kernel->body = irl__split_body(state, &use, s);
    if (use.is_failed || !kernel->name || !kernel->body || !irl__split_params(state, &use, kernel, &args) || !irl__split_notes(state, kernel)) return 0;
    launch->u.launch.kernel = kernel->name;
    launch->u.launch.count = kernel->param_count;
    launch->u.launch.args = args;
    state->kernel = kernel;
    state->launch = launch;
    return IRL__PUSH_SCRATCH(state->cx, state->kernels, kernel) && IRL__PUSH_SCRATCH(state->cx, state->host, launch);
}

/* ------------------------------------------------------------------ what the host does with a statement */

typedef enum irl__split_class {
    IRL__TO_HOST, IRL__TO_LETS, IRL__TO_DECLS, IRL__TO_ALLOCS, IRL__TO_INNER, IRL__TO_MEASURE, IRL__TO_WALK, IRL__TO_KERNEL
} irl__split_class;

/* A loop around bound loops: its iterations are ordered, so each launches. But where parallel loops stand directly around
   them there is nothing to order. */
static int irl__split_is_host_loop(const irl__split_state *state, const irl_stmt *s)
{
    const irl_stmt *inside = s;
    if (s->u.loop.kind == IRL_BOUND || !irl__split_loops_in(s).has_bound) return 0;
    while (inside->kind == IRL__FOR && inside->u.loop.kind == IRL_PARALLEL) inside = inside->u.loop.body;
    if (inside->kind == IRL__FOR && inside->u.loop.kind == IRL_BOUND) return 0;
    return irl__split_is_known(state, s->u.loop.min) && irl__split_is_known(state, s->u.loop.extent);
}

static int irl__split_gains(const irl_stmt *s)
{
    irl__split_loops loops = irl__split_loops_in(s);
    return loops.has_bound || loops.has_parallel;
}

static irl__split_class irl__split_classify(const irl__split_state *state, const irl_stmt *s)
{
    irl_scope scope;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__DECL: return IRL__TO_DECLS;
    case IRL__ALLOC:
        scope = s->u.alloc.buffer->scope;
        return scope == IRL_SCOPE_SHARED || scope == IRL_SCOPE_LOCAL ? IRL__TO_INNER : IRL__TO_ALLOCS;
    case IRL__LET: return s->u.let.value->flags & IRL__HAS_MEMORY ? IRL__TO_MEASURE : IRL__TO_LETS;
    case IRL__ASSUME:
    case IRL__ASSERT: return irl__split_is_known(state, s->u.check.condition) ? IRL__TO_HOST : IRL__TO_KERNEL;
    case IRL__SEQ: return IRL__TO_WALK;
    case IRL__ATTR: return irl__split_gains(s) ? IRL__TO_WALK : IRL__TO_KERNEL;
    case IRL__IF: return irl__split_gains(s) && irl__split_is_known(state, s->u.branch.condition) ? IRL__TO_WALK : IRL__TO_KERNEL;
    case IRL__FOR: return irl__split_is_host_loop(state, s) ? IRL__TO_WALK : IRL__TO_KERNEL;
    default: return IRL__TO_KERNEL;
    }
}

/* ------------------------------------------------------------------ kernels with bound loops */

static int irl__split_launches(irl__split_state *state, const irl_stmt *s);

/* One statement with bound loops, and beside it only what does nothing by itself. */
static int irl__split_launches_once(irl__split_state *state, const irl_stmt *seq)
{
    const irl_stmt *found = NULL;
    int             k;
    for (k = 0; k < seq->u.seq.count; k++) {
        const irl_stmt *s = seq->u.seq.stmts[k];
        int             declares = s->kind == IRL__LET || s->kind == IRL__ALLOC || s->kind == IRL__DECL || s->kind == IRL__ASSUME;
        if (declares) continue;
        if (found)
            return irl__fail(state->cx, IRL_ERROR_UNSUPPORTED, s->loc,
                             "this statement stands beside another one in a kernel with bound loops, and nothing orders the two");
        found = s;
    }
    return !found || irl__split_launches(state, found);
}

/* May s be a kernel? Work-items run all of it, so what is outside of its bound loops must not compute. */
static int irl__split_launches(irl__split_state *state, const irl_stmt *s)
{
    if (!irl__split_loops_in(s).has_bound) return 1;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__FOR: return s->u.loop.kind == IRL_BOUND || irl__split_launches(state, s->u.loop.body);
    case IRL__ATTR: return irl__split_launches(state, s->u.attr.body);
    case IRL__SEQ: return irl__split_launches_once(state, s);
    case IRL__IF:
        if (s->u.branch.else_ && irl__split_loops_in(s->u.branch.else_).has_bound != irl__split_loops_in(s->u.branch.then_).has_bound) break;
        return irl__split_launches(state, s->u.branch.then_) && (!s->u.branch.else_ || irl__split_launches(state, s->u.branch.else_));
    default: break;
    }
    return irl__fail(state->cx, IRL_ERROR_UNSUPPORTED, s->loc, "bound loops stand in a statement that the host cannot walk through");
}

/* ------------------------------------------------------------------ walking */

static int irl__split_list(irl__split_state *state, const irl_stmt *s);

static int irl__split_is_used(const irl_stmt *s, irl_ctx *cx, const irl_expr *data, int *failed)
{
    irl__split_use use;
    irl__visitor   v;
    memset(&use, 0, sizeof use);
    use.cx = cx;
    v = irl__visitor_make(&use, irl__split_use_expr, NULL);
    v.buffer = irl__split_use_buffer;
    irl__visit_stmt(&v, s);
    *failed |= use.is_failed;
    return irl__ptr_map_get(&use.seen, data) != NULL;
}

/* Private memory that more than one kernel uses, or a kernel that runs again and again, is a temporary of the host. */
static int irl__split_outlives(irl__split_state *state, const irl_stmt *seq, int at, int *outlives)
{
    const irl_expr *data = seq->u.seq.stmts[at]->u.alloc.buffer->data;
    int             k, users = 0, failed = 0;
    for (k = at + 1; k < seq->u.seq.count; k++) {
        const irl_stmt *s = seq->u.seq.stmts[k];
        if (s->kind == IRL__DECL || !irl__split_is_used(s, state->cx, data, &failed)) continue;
        users += irl__split_classify(state, s) == IRL__TO_WALK ? 2 : 1;
    }
    *outlives = users > 1;
    return !failed;
}

/* let v = (what memory holds): kept in a temporary, from which each kernel that uses v reads it. */
static int irl__split_measure(irl__split_state *state, const irl_stmt *s)
{
    irl_ctx          *cx = state->cx;
    const irl_expr   *zero = irl_idx(cx, 0), *one = irl_idx(cx, 1), *var = s->u.let.var, *load;
    irl_type          type = var->type;
    const irl_buffer *b;
    const irl_stmt   *alloc, *store, *let;
    if (type.scalar == IRL_BOOL) type.scalar = IRL_I8;
    if (type.scalar == IRL_INDEX) type.scalar = IRL_I64;
    b = irl__buffer_make(cx, var->u.name, type, IRL_SCOPE_GLOBAL, 1, &one, NULL, s->loc);
    if (!b) return 0;
    load = irl_cast(cx, var->type, irl__expr_load(cx, b, 1, &zero, s->loc));
    store = irl__stmt_store(cx, b, irl_cast(cx, type, s->u.let.value), 1, &zero, s->loc);
    alloc = irl_alloc_stmt(cx, b);
    let = irl_let_stmt(cx, var, load);
    return alloc && store && let && IRL__PUSH_SCRATCH(cx, state->allocs, alloc) && IRL__PUSH_SCRATCH(cx, state->host, alloc) &&
           irl__split_kernel(state, store) && IRL__PUSH_SCRATCH(cx, state->lets, let) && IRL__PUSH_SCRATCH(cx, state->measured, var);
}

/* The host computes what it can: others wait in state->lets for their kernels. */
static int irl__split_let(irl__split_state *state, const irl_stmt *s)
{
    if (!IRL__PUSH_SCRATCH(state->cx, state->lets, s)) return 0;
    if (irl__split_is_known(state, s->u.let.value)) return IRL__PUSH_SCRATCH(state->cx, state->host, s);
    return IRL__PUSH_SCRATCH(state->cx, state->measured, s->u.let.var);
}

/* A let in a temporary's shape stands in the kernels' parameters, so they get its value rather than compute it. */
static int irl__split_pass_lets(irl__split_state *state, const irl_expr *extent)
{
    int k;
    for (k = 0; k < (int)stbds_arrlen(state->lets); k++) {
        const irl_expr *var = state->lets[k]->u.let.var;
        if (!irl__split_is_passed(state, var) && irl__expr_uses_var(extent, var) && !IRL__PUSH_SCRATCH(state->cx, state->indices, var)) return 0;
    }
    return 1;
}

static int irl__split_alloc(irl__split_state *state, const irl_stmt *s)
{
    const irl_buffer *b = s->u.alloc.buffer;
    int               k;
    for (k = 0; k < b->rank; k++) {
        if (!irl__split_is_known(state, b->shape[k]))
            return irl__fail(state->cx, IRL_ERROR_UNSUPPORTED, b->loc, "'%s' has a shape that is read from memory, which the host does not know", b->name);
        if (!irl__split_pass_lets(state, b->shape[k])) return 0;
    }
    return IRL__PUSH_SCRATCH(state->cx, state->allocs, s) && IRL__PUSH_SCRATCH(state->cx, state->host, s);
}

/* The host's form of a statement and all inside it; NULL on failure. What it declares stays in the lists: nothing behind uses it. */
static const irl_stmt *irl__split_walk_body(irl__split_state *state, const irl_stmt *s)
{
    const irl_stmt **outer = state->host, *body = NULL;
    int              facts = state->fact_count;
    state->host = NULL;
    if (irl__split_list(state, s)) body = irl__stmt_seq(state->cx, (int)stbds_arrlen(state->host), state->host);
    state->host = outer;
    state->fact_count = facts;
    return body;
}

static int irl__split_add_fact(irl__split_state *state, const irl_expr *condition)
{
    if (!condition) return 0;
    if (state->fact_count < (int)stbds_arrlen(state->facts)) state->facts[state->fact_count] = condition;
    else if (!IRL__PUSH_SCRATCH(state->cx, state->facts, condition)) return 0;
    state->fact_count++;
    return 1;
}

/* A kernel that is launched in a loop knows where the loop's variable is. */
static int irl__split_walk_loop(irl__split_state *state, irl_stmt *copy)
{
    irl_ctx        *cx = state->cx;
    const irl_expr *var = copy->u.loop.var, *min = copy->u.loop.min, *end = irl__simplify_alone(cx, irl__add(cx, min, copy->u.loop.extent));
    int             facts = state->fact_count;
    if (!end || !IRL__PUSH_SCRATCH(cx, state->indices, var)) return 0;
    if (!irl__split_add_fact(state, irl_op2(cx, IRL_OP_GE, var, min)) || !irl__split_add_fact(state, irl_op2(cx, IRL_OP_LT, var, end))) return 0;
    copy->u.loop.kind = IRL_SERIAL;
    copy->u.loop.body = irl__split_walk_body(state, copy->u.loop.body);
    state->fact_count = facts;
    return copy->u.loop.body != NULL;
}

static int irl__split_walk_branch(irl__split_state *state, irl_stmt *copy)
{
    copy->u.branch.then_ = irl__split_walk_body(state, copy->u.branch.then_);
    if (!copy->u.branch.then_) return 0;
    if (copy->u.branch.else_) copy->u.branch.else_ = irl__split_walk_body(state, copy->u.branch.else_);
    return copy->u.branch.else_ || irl__ok(state->cx);
}

static int irl__split_walk(irl__split_state *state, const irl_stmt *s)
{
    irl_stmt       *copy = irl__stmt_copy(state->cx, s);
    const irl_stmt *done;
    int             ok = 1;
    if (!copy) return 0;
    if (s->kind == IRL__SEQ) done = irl__split_walk_body(state, s);
    else {
        if (s->kind == IRL__FOR) ok = irl__split_walk_loop(state, copy);
        else if (s->kind == IRL__IF) ok = irl__split_walk_branch(state, copy);
        else ok = (copy->u.attr.body = irl__split_walk_body(state, copy->u.attr.body)) != NULL;
        done = ok ? irl__stmt_finish(state->cx, copy) : NULL;
    }
    return done && IRL__PUSH_SCRATCH(state->cx, state->host, done);
}

/* What the host has checked, or was told, holds for the kernels that it launches from here on. */
static int irl__split_fact(irl__split_state *state, const irl_stmt *s)
{
    const irl_expr *condition = s->kind == IRL__ASSUME || s->kind == IRL__ASSERT ? s->u.check.condition : NULL;
    if (!condition || (condition->flags & (IRL__HAS_MEMORY | IRL__HAS_LET))) return 1;
    return irl__split_add_fact(state, condition);
}

static int irl__split_statement(irl__split_state *state, const irl_stmt *s)
{
    switch (irl__split_classify(state, s)) {
    case IRL__TO_HOST: return irl__split_fact(state, s) && IRL__PUSH_SCRATCH(state->cx, state->host, s);
    case IRL__TO_LETS: return irl__split_let(state, s);
    case IRL__TO_DECLS: return IRL__PUSH_SCRATCH(state->cx, state->decls, s);
    case IRL__TO_ALLOCS: return irl__split_alloc(state, s);
    case IRL__TO_INNER: return IRL__PUSH_SCRATCH(state->cx, state->inner, s);
    case IRL__TO_MEASURE: return irl__split_measure(state, s);
    case IRL__TO_WALK: return irl__split_walk(state, s);
    case IRL__TO_KERNEL: return irl__split_launches(state, s) && irl__split_kernel(state, s);
    }
    return 0;
}

static int irl__split_list(irl__split_state *state, const irl_stmt *s)
{
    int k, outlives;
    if (s->kind != IRL__SEQ) return irl__split_statement(state, s);
    for (k = 0; k < s->u.seq.count; k++) {
        if (irl__split_classify(state, s->u.seq.stmts[k]) == IRL__TO_INNER) {
            if (!irl__split_outlives(state, s, k, &outlives)) return 0;
            if (outlives) s = irl__split_moved(state->cx, s, s->u.seq.stmts[k]->u.alloc.buffer->data);
            if (!s) return 0;
        }
        if (!irl__split_statement(state, s->u.seq.stmts[k])) return 0;
    }
    return 1;
}

/* The only kernel has the name of the function. */
static void irl__split_rename_only(irl__split_state *state)
{
    if (stbds_arrlen(state->kernels) != 1) return;
    state->kernel->name = state->launch->u.launch.kernel = state->f->name;
}

irl_module *irl__pass_split_host(const irl_func *f, const irl_target *target)
{
    irl_ctx         *cx = f->cx;
    irl__arena_mark  mark = irl__scratch_begin(cx);
    irl__split_state state;
    irl_module      *m = (irl_module *)irl__alloc_array(cx, 1, sizeof *m);
    irl_func        *host = irl__func_copy(cx, f);
    int              ok;
    memset(&state, 0, sizeof state);
    state.cx = cx;
    state.f = f;
    ok = m && host && irl__split_list(&state, f->body);
    if (ok) {
        irl__split_rename_only(&state);
        host->role = IRL__HOST;
        host->body = irl__stmt_seq(cx, (int)stbds_arrlen(state.host), state.host);
        m->cx = cx;
        m->name = f->name;
        m->target = target->name;
        m->host = host;
        m->kernel_count = (int)stbds_arrlen(state.kernels);
        m->kernels = (const irl_func *const *)irl__copy(cx, state.kernels, (size_t)m->kernel_count, sizeof *state.kernels);
        m->origin = f;
        ok = host->body && m->kernels;
    }
    irl__scratch_end(cx, mark);
    return ok ? m : NULL;
}
