/* split_host.c - one function becomes a host function and kernels, one for each top-level statement that computes.

   requires  flatten; parallel loops are marked
   maintains what is computed: launches run one after the other, in the order of the statements
   breaks    parallel outer loops: they become the global range. Allocations inside a kernel become private
   cost      linear in the function, plus parameters times kernels
   source    DESIGN, semantics 10 (one function, many kernels) and 11 (bound loops)

   The host keeps the parameters, allocates what lives between kernels, and launches. A kernel takes the parameters and
   temporaries that it uses, declares its flat aliases itself, and repeats the scalar lets that it needs. */
#include "pass.h"

typedef struct irl__split_state {
    irl_ctx          *cx;
    const irl_func   *f;
    const irl_stmt  **decls;    /* top-level aliases, seen so far */
    const irl_stmt  **lets;     /* top-level scalar lets, seen so far */
    const irl_stmt  **allocs;   /* top-level allocations in global memory: temporaries of the host */
    const irl_stmt  **inner;    /* top-level allocations in shared or private memory: they go into their kernel */
    const irl_stmt  **host;     /* the host's statements */
    const irl_func  **kernels;
    int               kernel_total; /* how many there will be, for their names */
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

static void irl__split_visitor(irl__visitor *v, irl__split_use *use)
{
    memset(v, 0, sizeof *v);
    v->user = use;
    v->expr = irl__split_use_expr;
    v->buffer = irl__split_use_buffer;
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
    irl__split_visitor(&v, use);
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

static int irl__split_contains_bound(const irl_stmt *s);

static int irl__split_see_bound(irl__visitor *v, const irl_stmt *s)
{
    int *found = (int *)v->user;
    *found |= s->kind == IRL__FOR && s->u.loop.kind == IRL_BOUND;
    return !*found;
}

static int irl__split_contains_bound(const irl_stmt *s)
{
    irl__visitor v;
    int          found = 0;
    memset(&v, 0, sizeof v);
    v.user = &found;
    v.stmt = irl__split_see_bound;
    irl__visit_stmt(&v, s);
    return found;
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

static const irl_stmt *irl__split_bind(irl_ctx *cx, const irl_stmt *s)
{
    const irl_stmt *loops[IRL_MAX_RANK], *body = s;
    int             count = 0, k, axis = (int)IRL_GLOBAL_X;
    while (count < IRL_MAX_RANK && body->kind == IRL__FOR && body->u.loop.kind == IRL_PARALLEL) {
        loops[count++] = body;
        body = body->u.loop.body;
    }
    if (count == 0 || irl__split_contains_bound(s)) return s;
    for (k = count; body && k-- > 0;) body = irl__split_shift(cx, loops[k], body);
    for (k = count; body && k-- > 0; axis++) {
        if (axis == (int)IRL_GLOBAL_Z && k > 0) return irl__split_fuse(cx, k + 1, loops, body);
        body = irl__split_bind_one(cx, (irl_axis)axis, loops[k], body);
    }
    return body;
}

/* ------------------------------------------------------------------ allocations inside a kernel are private */

static const irl_buffer *irl__split_private_buffer(irl__rewriter *r, const irl_buffer *b)
{
    irl__ptr_map     *map = (irl__ptr_map *)r->user;
    const irl_buffer *known = (const irl_buffer *)irl__ptr_map_get(map, b);
    const irl_expr   *data = (const irl_expr *)irl__ptr_map_get(map, b->data);
    irl_buffer       *copy;
    if (known || !data) return known ? known : b;
    copy = irl__buffer_copy(r->cx, b);
    if (!copy) return NULL;
    copy->data = data;
    copy->scope = IRL_SCOPE_LOCAL;
    return irl__ptr_map_put(r->cx, map, b, copy) ? copy : NULL;
}

static const irl_stmt *irl__split_private_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__ptr_map *map = (irl__ptr_map *)r->user;
    if (s->kind == IRL__ALLOC && s->u.alloc.buffer->scope == IRL_SCOPE_GLOBAL) {
        const irl_buffer *b = s->u.alloc.buffer;
        const irl_expr   *data = irl_var(r->cx, b->data->u.name, irl_pointer_to(b->type, IRL_SCOPE_LOCAL));
        if (!data || !irl__ptr_map_put(r->cx, map, b->data, data)) return NULL;
    }
    return irl__rewrite_stmt_children(r, s);
}

static const irl_stmt *irl__split_private(irl_ctx *cx, const irl_stmt *s)
{
    irl__rewriter r;
    irl__ptr_map  map;
    memset(&r, 0, sizeof r);
    memset(&map, 0, sizeof map);
    r.cx = cx;
    r.user = &map;
    r.stmt = irl__split_private_stmt;
    r.buffer = irl__split_private_buffer;
    return irl__rewrite_stmt(&r, s);
}

/* ------------------------------------------------------------------ one kernel */

static const char *irl__split_name(irl__split_state *state)
{
    irl__text t;
    if (state->kernel_total == 1) return state->f->name;
    irl__text_init(&t, state->cx);
    irl__textf(&t, "%s_%d", state->f->name, (int)stbds_arrlen(state->kernels));
    return irl__text_done(&t);
}

/* Parameters in the function's order, then temporaries in the order of their allocation. */
static int irl__split_params(irl__split_state *state, const irl__split_use *use, irl_func *kernel, const irl_expr ***args)
{
    size_t           most = (size_t)state->f->param_count + (size_t)stbds_arrlen(state->allocs);
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
    for (k = 0; k < n; k++) list[k] = params[k].var;
    kernel->params = params;
    kernel->param_count = n;
    *args = list;
    return 1;
}

/* Lets first, then allocations and aliases, then the computation: each only if used. */
static const irl_stmt *irl__split_body(irl__split_state *state, const irl__split_use *use, const irl_stmt *computation)
{
    const irl_stmt **list = NULL;
    int              k, ok = 1;
    for (k = 0; ok && k < (int)stbds_arrlen(state->lets); k++)
        if (irl__ptr_map_get(&use->seen, state->lets[k]->u.let.var)) ok = IRL__PUSH_SCRATCH(state->cx, list, state->lets[k]);
    for (k = 0; ok && k < (int)stbds_arrlen(state->inner); k++)
        if (irl__ptr_map_get(&use->seen, state->inner[k]->u.alloc.buffer->data)) ok = IRL__PUSH_SCRATCH(state->cx, list, state->inner[k]);
    for (k = 0; ok && k < (int)stbds_arrlen(state->decls); k++)
        if (irl__ptr_map_get(&use->seen, state->decls[k]->u.alloc.buffer)) ok = IRL__PUSH_SCRATCH(state->cx, list, state->decls[k]);
    if (!ok || !IRL__PUSH_SCRATCH(state->cx, list, computation)) return NULL;
    return irl__stmt_seq(state->cx, (int)stbds_arrlen(list), list);
}

static int irl__split_kernel(irl__split_state *state, const irl_stmt *s)
{
    irl__split_use   use;
    irl_func        *kernel = (irl_func *)irl__alloc_array(state->cx, 1, sizeof *kernel);
    const irl_expr **args;
    irl_stmt        *launch = irl__stmt_new(state->cx, IRL__LAUNCH, s->loc);
    memset(&use, 0, sizeof use);
    use.cx = state->cx;
    s = irl__split_private(state->cx, irl__split_bind(state->cx, s));
    if (!kernel || !launch || !s) return 0;
    irl__split_collect(state, &use, s);
    kernel->cx = state->cx;
    kernel->name = irl__split_name(state);
    kernel->role = IRL__KERNEL;
    kernel->loc = s->loc;
    kernel->body = irl__split_body(state, &use, s);
    if (use.is_failed || !kernel->name || !kernel->body || !irl__split_params(state, &use, kernel, &args)) return 0;
    launch->u.launch.kernel = kernel->name;
    launch->u.launch.count = kernel->param_count;
    launch->u.launch.args = args;
    return IRL__PUSH_SCRATCH(state->cx, state->kernels, kernel) && IRL__PUSH_SCRATCH(state->cx, state->host, launch);
}

/* ------------------------------------------------------------------ the statements of the function, in order */

typedef enum irl__split_class { IRL__TO_HOST, IRL__TO_LETS, IRL__TO_DECLS, IRL__TO_ALLOCS, IRL__TO_INNER, IRL__TO_KERNEL } irl__split_class;

static irl__split_class irl__split_classify(const irl_stmt *s)
{
    switch ((irl__stmt_kind)s->kind) {
    case IRL__DECL: return IRL__TO_DECLS;
    case IRL__ALLOC: return s->u.alloc.buffer->scope == IRL_SCOPE_SHARED || s->u.alloc.buffer->scope == IRL_SCOPE_LOCAL ? IRL__TO_INNER : IRL__TO_ALLOCS;
    case IRL__LET: return s->u.let.value->flags & IRL__HAS_MEMORY ? IRL__TO_KERNEL : IRL__TO_LETS;
    case IRL__ASSUME:
    case IRL__ASSERT: return s->u.check.condition->flags & IRL__HAS_MEMORY ? IRL__TO_KERNEL : IRL__TO_HOST;
    default: return IRL__TO_KERNEL;
    }
}

static int irl__split_count_kernels(int count, const irl_stmt *const *stmts)
{
    int k, total = 0;
    for (k = 0; k < count; k++) {
        if (irl__split_classify(stmts[k]) != IRL__TO_KERNEL) continue;
        total++;
        if (stmts[k]->kind == IRL__LET) break;
    }
    return total;
}

static int irl__split_statements(irl__split_state *state, int count, const irl_stmt *const *stmts)
{
    int k, ok = 1;
    for (k = 0; ok && k < count; k++) {
        const irl_stmt *s = stmts[k];
        switch (irl__split_classify(s)) {
        case IRL__TO_HOST: ok = IRL__PUSH_SCRATCH(state->cx, state->host, s); break;
        case IRL__TO_LETS: ok = IRL__PUSH_SCRATCH(state->cx, state->lets, s) && IRL__PUSH_SCRATCH(state->cx, state->host, s); break;
        case IRL__TO_DECLS: ok = IRL__PUSH_SCRATCH(state->cx, state->decls, s); break;
        case IRL__TO_ALLOCS: ok = IRL__PUSH_SCRATCH(state->cx, state->allocs, s) && IRL__PUSH_SCRATCH(state->cx, state->host, s); break;
        case IRL__TO_INNER: ok = IRL__PUSH_SCRATCH(state->cx, state->inner, s); break;
        case IRL__TO_KERNEL:
            /* what a let reads at this place must be read once: it and all behind it are one kernel */
            if (s->kind == IRL__LET) return irl__split_kernel(state, irl__stmt_seq(state->cx, count - k, stmts + k));
            ok = irl__split_kernel(state, s);
            break;
        }
    }
    return ok;
}

irl_module *irl__pass_split_host(const irl_func *f, const irl_target *target)
{
    irl_ctx         *cx = f->cx;
    irl__arena_mark  mark = irl__scratch_begin(cx);
    irl__split_state state;
    irl_module      *m = (irl_module *)irl__alloc_array(cx, 1, sizeof *m);
    irl_func        *host = irl__func_copy(cx, f);
    int              is_seq = f->body->kind == IRL__SEQ, count = is_seq ? f->body->u.seq.count : 1, ok;
    const irl_stmt *const *stmts = is_seq ? f->body->u.seq.stmts : &f->body;
    memset(&state, 0, sizeof state);
    state.cx = cx;
    state.f = f;
    state.kernel_total = irl__split_count_kernels(count, stmts);
    ok = m && host && irl__split_statements(&state, count, stmts);
    if (ok) {
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
