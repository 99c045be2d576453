/* split_host.c - one function becomes a host function and kernels, one for each statement at the
   top that computes. This file makes the host's control flow, split_kernel.c one kernel.

   requires  flatten; parallel loops are marked
   maintains what is computed: launches run one after the other, in the order of the statements
   breaks    parallel outer loops: they become the global range. Allocations inside a kernel become
             private
   cost      linear in the function, plus parameters times kernels

   The host keeps the parameters, allocates the temporaries between kernels, and launches. A kernel
   takes the parameters and temporaries that it uses, declares its flat aliases itself, and repeats
   the scalar lets that it needs.

   Work-items of different statements are ordered only from launch to launch. So host functions
   contain control flow: sequences, conditions that they can compute, and loops around bound loops;
   anything else is one kernel, which may hold only one nest of bound loops. A scalar read from
   memory is kept in a temporary of one element, which all kernels can read (split_scalars.c). */
#include "split.h"

/* ------------------------------------------------------- what the host does with a statement */

typedef enum irl__split_class {
    IRL__TO_HOST,
    IRL__TO_LETS,
    IRL__TO_DECLS,
    IRL__TO_ALLOCS,
    IRL__TO_INNER,
    IRL__TO_MEASURE,
    IRL__TO_HANDLE,
    IRL__TO_WALK,
    IRL__TO_KERNEL
} irl__split_class;

/* Parallel loops directly around bound ones of the same range for all of their iterations: one
   launch does it all. */
static int irl__split_is_one_launch(const irl_stmt *s)
{
    const irl_stmt *inside = s, *loop;
    while (inside->kind == IRL__FOR && inside->u.loop.kind == IRL_PARALLEL)
        inside = inside->u.loop.body;
    if (!irl__stmt_is_bound(inside)) return 0;
    for (; irl__stmt_is_bound(inside); inside = inside->u.loop.body)
        for (loop = s; loop->u.loop.kind == IRL_PARALLEL; loop = loop->u.loop.body)
            if (irl__expr_uses_var(inside->u.loop.extent, loop->u.loop.var)) return 0;
    return 1;
}

/* A loop around bound loops: its iterations are ordered, so each launches. But where parallel loops
   stand directly around them there is nothing to order. So is one in which an image is allocated: a
   kernel writes it, and another one reads it; and one with a call that returns a pointer, which the
   host makes. */
static int irl__split_is_host_loop(const irl__split_state *state, const irl_stmt *s)
{
    if (s->u.loop.kind == IRL_BOUND ||
        !irl__stmt_holds(s, IRL__HOLDS_BOUND | IRL__HOLDS_IMAGE | IRL__HOLDS_HANDLE) ||
        irl__split_is_one_launch(s))
        return 0;
    return irl__split_is_known(state, s->u.loop.min) &&
           irl__split_is_known(state, s->u.loop.extent);
}

static int irl__split_gains(const irl_stmt *s)
{
    return irl__stmt_holds(s, IRL__HOLDS_BOUND | IRL__HOLDS_PARALLEL | IRL__HOLDS_IMAGE |
                                  IRL__HOLDS_HANDLE);
}

static irl__split_class irl__split_classify(const irl__split_state *state, const irl_stmt *s)
{
    irl_scope scope;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__DECL: return IRL__TO_DECLS;
    case IRL__ALLOC:
        scope = s->u.alloc.buffer->scope;
        return scope == IRL_SCOPE_SHARED || scope == IRL_SCOPE_LOCAL ? IRL__TO_INNER
                                                                     : IRL__TO_ALLOCS;
    case IRL__LET:
        if (irl__stmt_is_handle(s)) return IRL__TO_HANDLE;
        return s->u.let.value->flags & IRL__HAS_MEMORY ? IRL__TO_MEASURE : IRL__TO_LETS;
    case IRL__ASSUME:
    case IRL__ASSERT:
        return irl__split_is_known(state, s->u.check.condition) ? IRL__TO_HOST : IRL__TO_KERNEL;
    case IRL__SEQ: return IRL__TO_WALK;
    case IRL__ATTR: return irl__split_gains(s) ? IRL__TO_WALK : IRL__TO_KERNEL;
    case IRL__IF:
        return irl__split_gains(s) && irl__split_is_known(state, s->u.branch.condition)
                   ? IRL__TO_WALK
                   : IRL__TO_KERNEL;
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
    for (int k = 0; k < seq->u.seq.count; k++) {
        const irl_stmt *s = seq->u.seq.stmts[k];
        int declares = s->kind == IRL__LET || s->kind == IRL__ALLOC || s->kind == IRL__DECL ||
                       s->kind == IRL__ASSUME;
        if (declares) continue;
        if (found)
            return irl__fail(state->cx, IRL_ERROR_UNSUPPORTED, s->loc,
                             "this statement is next to another one in a kernel with bound loops, "
                             "and nothing orders the two");
        found = s;
    }
    return !found || irl__split_launches(state, found);
}

/* May s be a kernel? Work-items run all of it, so what is outside of its bound loops must not
   compute. */
static int irl__split_launches(irl__split_state *state, const irl_stmt *s)
{
    if (!irl__stmt_holds(s, IRL__HOLDS_BOUND)) return 1;
    if (irl__stmt_is_bound(s)) return 1;
    if (s->kind == IRL__SEQ) return irl__split_launches_once(state, s);
    const irl_stmt *part;
    for (int k = 0; (part = irl__stmt_part(s, k)) != NULL; k++) {
        if (s->kind == IRL__BLOCK || !irl__stmt_holds(part, IRL__HOLDS_BOUND))
            return irl__fail(state->cx, IRL_ERROR_UNSUPPORTED, s->loc,
                             "bound loops are inside a statement that a host function cannot run");
        if (!irl__split_launches(state, part)) return 0;
    }
    return 1;
}

/* ------------------------------------------------------------------ walking */

static int irl__split_list(irl__split_state *state, const irl_stmt *s);

/* Do work-items of the kernel that s becomes exchange values by this memory? s need not be a part
   of the function any more: memory before it has been moved. */
static int irl__split_exchanges(irl__split_state *state, const irl_stmt *s, const irl_expr *data)
{
    irl__arena_mark mark = irl__scratch_begin(state->cx);
    irl__accesses   t;
    const irl_func *f = irl__stmt_holds(s, 1u << IRL__BARRIER)
                            ? irl__func_with_body(state->f, s) : NULL;
    const int found = f && irl__accesses_of(&t, f, NULL) && irl__kernel_exchanges(&t, data);
    irl__scratch_end(state->cx, mark);
    return found;
}

/* Private memory that more than one kernel uses, or a kernel that runs again and again, or by which
   work-items exchange values, is a temporary of the host. */
static int irl__split_outlives(irl__split_state *state, const irl_stmt *seq, int at)
{
    const irl_expr *data = seq->u.seq.stmts[at]->u.alloc.buffer->data;
    const irl_stmt *user = NULL;
    int             users = 0;
    for (int k = at + 1; k < seq->u.seq.count; k++) {
        const irl_stmt *s = seq->u.seq.stmts[k];
        if (s->kind == IRL__DECL || !irl__stmt_names(s, data, NULL)) continue;
        users += irl__split_classify(state, s) == IRL__TO_WALK ? 2 : 1;
        user = s;
    }
    return users > 1 || (user && irl__split_exchanges(state, user, data));
}

/* A let in a temporary's shape stands in the kernels' parameters, so they get its value rather than
   compute it. */
static int irl__split_pass_lets(irl__split_state *state, const irl_expr *extent)
{
    for (int k = 0; k < (int)stbds_arrlen(state->lets); k++) {
        const irl_expr *var = state->lets[k]->u.let.var;
        if (!irl__split_is_passed(state, var) && irl__expr_uses_var(extent, var) &&
            !IRL__PUSH_SCRATCH(state->cx, state->indices, var))
            return 0;
    }
    return 1;
}

/* A shape that kernels get in their parameters. */
static int irl__split_pass_shape(irl__split_state *state, const irl_buffer *b)
{
    for (int k = 0; k < b->rank; k++) {
        if (!irl__split_is_known(state, b->shape[k]))
            return irl__fail(state->cx, IRL_ERROR_UNSUPPORTED, b->loc, "'%s' has a shape that is "
                             "read from memory, which the host does not know", b->name);
        if (!irl__split_pass_lets(state, b->shape[k])) return 0;
    }
    return 1;
}

/* let h = extern(ptr(f32, global), ...): the host makes the call, and has the pointer. Kernels take
   the memory behind it as they take a temporary, as large as the first view of it that is declared
   behind (irl__split_decl). */
static int irl__split_handle(irl__split_state *state, const irl_stmt *s)
{
    const irl_expr *call = s->u.let.value;
    for (uint32_t k = 0; k < call->count; k++)
        if (!call->a[k]->type.is_pointer && !irl__split_is_known(state, call->a[k]))
            return irl__fail(state->cx, IRL_ERROR_UNSUPPORTED, s->loc,
                             "'%s' is called with %s, which the host does not know", call->u.name,
                             irl_expr_text(state->cx, call->a[k]));
    return IRL__PUSH_SCRATCH(state->cx, state->handles, s->u.let.var) &&
           IRL__PUSH_SCRATCH(state->cx, state->host, s);
}

/* The first view of a pointer that a call returned says how much memory there is. */
static int irl__split_decl(irl__split_state *state, const irl_stmt *s)
{
    const irl_buffer *b = s->u.alloc.buffer;
    irl_buffer       *memory;
    int               k;
    for (k = (int)stbds_arrlen(state->handles); k-- > 0 && state->handles[k] != b->data;) continue;
    for (int j = (int)stbds_arrlen(state->allocs); k >= 0 && j-- > 0;)
        if (state->allocs[j]->u.alloc.buffer->data == b->data) k = -1; /* it was said before */
    if (k >= 0) {
        memory = irl__split_pass_shape(state, b) ? irl__buffer_copy(state->cx, b) : NULL;
        irl_stmt *copy = irl__stmt_copy(state->cx, s);
        if (!memory || !copy) return 0;
        memory->name = b->data->u.name;
        copy->u.alloc.buffer = memory;
        if (!IRL__PUSH_SCRATCH(state->cx, state->allocs, (const irl_stmt *)copy)) return 0;
    }
    return IRL__PUSH_SCRATCH(state->cx, state->decls, s);
}

/* The host's form of a statement and all inside it; NULL on failure. What it declares stays in the
   lists: nothing behind uses it. */
static const irl_stmt *irl__split_walk_body(irl__split_state *state, const irl_stmt *s)
{
    const irl_stmt **outer = state->host, *body = NULL;
    int              facts = state->fact_count;
    state->host = NULL;
    if (irl__split_list(state, s))
        body = irl__stmt_seq(state->cx, (int)stbds_arrlen(state->host), state->host);
    state->host = outer;
    state->fact_count = facts;
    return body;
}

static int irl__split_add_fact(irl__split_state *state, const irl_expr *condition)
{
    if (!condition) return 0;
    if (state->fact_count < (int)stbds_arrlen(state->facts))
        state->facts[state->fact_count] = condition;
    else if (!IRL__PUSH_SCRATCH(state->cx, state->facts, condition)) return 0;
    state->fact_count++;
    return 1;
}

/* A kernel that is launched in a loop knows where the loop's variable is. */
static const irl_stmt *irl__split_walk_loop(irl__split_state *state, const irl_stmt *s)
{
    irl_ctx *cx = state->cx;
    const irl_expr *var = s->u.loop.var, *min = s->u.loop.min,
                   *end = irl__simplify_alone(cx, irl__add(cx, min, s->u.loop.extent));
    int facts = state->fact_count;
    if (!end || !IRL__PUSH_SCRATCH(cx, state->indices, var)) return NULL;
    if (!irl__split_add_fact(state, irl_expr_op2(cx, IRL_OP_GE, var, min)) ||
        !irl__split_add_fact(state, irl_expr_op2(cx, IRL_OP_LT, var, end)))
        return NULL;
    const irl_stmt *body = irl__split_walk_body(state, s->u.loop.body);
    state->fact_count = facts;
    return irl__stmt_loop_as(cx, s, IRL_SERIAL, s->u.loop.axis, body);
}

static const irl_stmt *irl__split_hook(irl__rewriter *r, const irl_stmt *s)
{
    return irl__split_walk_body((irl__split_state *)r->user, s);
}

/* What the host has checked, or was told, holds for the kernels that it launches from here on. */
static int irl__split_fact(irl__split_state *state, const irl_stmt *s)
{
    const irl_expr *condition =
        s->kind == IRL__ASSUME || s->kind == IRL__ASSERT ? s->u.check.condition : NULL;
    if (!condition || (condition->flags & (IRL__HAS_MEMORY | IRL__HAS_LET))) return 1;
    return irl__split_add_fact(state, condition);
}

static int irl__split_statement(irl__split_state *state, const irl_stmt *s)
{
    switch (irl__split_classify(state, s)) {
    case IRL__TO_HOST:
        return irl__split_fact(state, s) && IRL__PUSH_SCRATCH(state->cx, state->host, s);
    /* The host computes what it can: other lets wait in state->lets for their kernels. */
    case IRL__TO_LETS:
        if (!IRL__PUSH_SCRATCH(state->cx, state->lets, s)) return 0;
        if (irl__split_is_known(state, s->u.let.value))
            return IRL__PUSH_SCRATCH(state->cx, state->host, s);
        return IRL__PUSH_SCRATCH(state->cx, state->measured, s->u.let.var);
    case IRL__TO_DECLS: return irl__split_decl(state, s);
    case IRL__TO_HANDLE: return irl__split_handle(state, s);
    case IRL__TO_ALLOCS:
        return irl__split_pass_shape(state, s->u.alloc.buffer) &&
               IRL__PUSH_SCRATCH(state->cx, state->allocs, s) &&
               IRL__PUSH_SCRATCH(state->cx, state->host, s);
    case IRL__TO_INNER: return IRL__PUSH_SCRATCH(state->cx, state->inner, s);
    case IRL__TO_MEASURE: return irl__split_scalar(state, s);
    case IRL__TO_WALK: {
        irl__rewriter r =
            irl__rewriter_make(state->cx, state, irl__rewrite_no_expr, irl__split_hook);
        s = s->kind == IRL__SEQ   ? irl__split_walk_body(state, s)
            : s->kind == IRL__FOR ? irl__split_walk_loop(state, s)
                                  : irl__rewrite_stmt_children(&r, s);
        return s && IRL__PUSH_SCRATCH(state->cx, state->host, s);
    }
    case IRL__TO_KERNEL:
        if (irl__stmt_holds(s, IRL__HOLDS_HANDLE))
            return irl__fail(state->cx, IRL_ERROR_UNSUPPORTED, s->loc,
                             "a call in this statement returns a pointer, so the host function "
                             "must run it; but a host function cannot run this statement");
        if (!irl__split_launches(state, s)) return 0;
        s = irl__split_heads(state, s);
        return s && irl__split_kernel(state, s);
    }
    return 0;
}

static int irl__split_list(irl__split_state *state, const irl_stmt *s)
{
    if (s->kind != IRL__SEQ) return irl__split_statement(state, s);
    for (int k = 0; k < s->u.seq.count; k++) {
        if (irl__split_classify(state, s->u.seq.stmts[k]) == IRL__TO_INNER) {
            if (irl__split_outlives(state, s, k))
                s = irl__stmt_moved(state->f, s, s->u.seq.stmts[k]->u.alloc.buffer->data);
            if (!s) return 0;
        }
        if (!irl__split_statement(state, s->u.seq.stmts[k])) return 0;
    }
    return 1;
}

irl_module *irl__pass_split_host(const irl_func *f, const irl_target *target)
{
    irl_ctx         *cx = f->cx;
    irl__arena_mark  mark = irl__scratch_begin(cx);
    irl__split_state state;
    irl_module      *m = IRL__NEW(cx, irl_module, 1);
    irl_func        *host = irl__func_copy(cx, f);
    memset(&state, 0, sizeof state);
    state.cx = cx;
    state.f = f;
    state.target = target;
    int ok = m && host && irl__split_list(&state, f->body);
    if (ok) {
        /* The only kernel has the name of the function. */
        if (stbds_arrlen(state.kernels) == 1)
            state.kernel->name = state.launch->u.launch.kernel = state.f->name;
        host->role = IRL__HOST;
        host->body = irl__stmt_seq(cx, (int)stbds_arrlen(state.host), state.host);
        m->cx = cx;
        m->name = f->name;
        m->target = target->name;
        m->host = host;
        m->kernel_count = (int)stbds_arrlen(state.kernels);
        m->kernels = IRL__COPY(cx, const irl_func *, state.kernels, m->kernel_count);
        ok = host->body && m->kernels && irl__externs_keep(host, f);
    }
    irl__scratch_end(cx, mark);
    return ok ? m : NULL;
}
