/* execute.c - what a statement does.

   needs     host.c, evaluate.c, views.c, items.c, launch.c
   promises  statements see one set of work-items, outside of launches a set of one. What must be
             the same for all of them is checked; memory that a loop's body allocates is freed after
             each iteration */
#include "eval.h"

static void irl__execute_bind(irl__interpreter *in, const irl_expr *var, int64_t value)
{
    irl__eval_binding *b = irl__eval_bound(in, var->id);
    b->undef = 0;
    b->u.scalar.i = value;
}

/* ------------------------------------------------------------------ loops */

/* A turn of a loop: what it declares is given back. */
static int irl__execute_turn(void *user, const irl_stmt *body)
{
    irl__interpreter *in = (irl__interpreter *)user;
    irl__arena_mark   mark = irl__scratch_begin(in->cx);
    int               ok = irl__eval_step(in) && irl__execute(in, body);
    irl__scratch_end(in->cx, mark);
    return ok;
}

/* A loop's variable, for all items of the set. */
static int irl__execute_bind_all(void *user, const irl_expr *var, int64_t value)
{
    irl__interpreter *in = (irl__interpreter *)user;
    for (uint32_t k = 0; k < in->set_count; k++) {
        irl__items_select(in, k);
        irl__execute_bind(in, var, value);
    }
    irl__items_select(in, 0);
    return 1;
}

/* ------------------------------------------------------------------ names */

/* let h = extern(ptr(f32, global), ...): the name stands for memory that is there. */
static int irl__execute_handle(irl__interpreter *in, const irl_stmt *s)
{
    irl_extern_value  result;
    irl__eval_memory *memory = NULL;
    int               is_exact;
    if (!irl__stmt_is_handle(s))
        return IRL__FAIL(in->cx, IRL_ERROR_UNSUPPORTED, "the value of pointer '%s' must be what a "
                         "call returns", s->u.let.var->u.name);
    if (irl__eval_call(in, s->u.let.value, &result, &is_exact))
        memory = irl__eval_adopt(in, s->u.let.var, &result);
    irl__eval_bound(in, s->u.let.var->id)->u.memory = memory;
    return memory != NULL;
}

/* Lanes and their errors that live as long as a name; of a scalar, in `one`. */
static int irl__execute_lanes(irl__interpreter *in, irl_type type, irl__scalar one[2],
                              irl__eval_value *v)
{
    v->undef = 0;
    v->lane = type.lanes == 1 ? one : IRL__SCRATCH(in->cx, irl__scalar,
                                                   type.lanes * (in->error_at ? 2u : 1u));
    v->error = in->error_at && v->lane ? v->lane + type.lanes : NULL;
    return v->lane != NULL;
}

/* ------------------------------------------------------------------ memory */

static int irl__execute_store(irl__interpreter *in, const irl_stmt *s)
{
    const irl_buffer     *b = s->u.store.buffer;
    const irl__eval_view *view;
    irl__scalar          *top = in->top;
    irl__eval_value       value, places;
    uint32_t              count;
    if (!irl__eval_lanes(in, s->u.store.value->type, &value) ||
        !irl__eval_expr(in, s->u.store.value, &value))
        return 0;
    view = irl__eval_locate(in, b, s->u.store.indices, "written", &places, &count);
    for (uint32_t k = 0; view && k < count; k++)
        if (b->bits ? !irl__eval_write_bits(in, view, (uint64_t)places.lane[k].i, k, &value)
                    : !irl__eval_write(in, view->memory, b->type, (size_t)places.lane[k].i,
                                       k * b->type.lanes, &value))
            return 0;
    in->top = top;
    return view != NULL;
}

/* Shared memory is allocated once for the set, any other by each item for itself; a host's may lie
   where its plan says. */
static int irl__execute_alloc(irl__interpreter *in, const irl_buffer *b)
{
    irl__eval_memory *shared = NULL;
    if (!in->team_count && !irl__temporaries_allocate(in, b, &shared)) return 0;
    for (uint32_t k = 0; k < in->set_count; k++) {
        irl__items_select(in, k);
        irl__eval_view *view = irl__eval_declare(in, b, shared);
        if (!view) return 0;
        if (b->scope == IRL_SCOPE_SHARED) shared = view->memory;
    }
    return 1;
}

/* ------------------------------------------------------------------ blocks */

/* The domain of the axes holds where the predicate does. */
static int irl__execute_check_axes(irl__interpreter *in, const irl__block_data *b)
{
    for (uint32_t k = 0; k < in->set_count; k++) {
        irl__items_select(in, k);
        for (int axis = 0; axis < b->axis_count; axis++) {
            int64_t value = irl__eval_bound(in, b->axes[axis].var->id)->u.scalar.i, extent;
            if (!irl__eval_number(in, b->axes[axis].extent, "the extent of a block's axis",
                                  &extent))
                return 0;
            if (value < 0 || value >= extent)
                return IRL__FAIL(in->cx, IRL_ERROR_OUT_OF_BOUNDS, "axis '%s' of block '%s' is "
                                 "bound to %l, its extent is %l", b->axes[axis].var->u.name,
                                 b->name, value, extent);
        }
    }
    return 1;
}

/* Is this the first step of every reduction? */
static int irl__execute_is_first(irl__interpreter *in, const irl__block_data *b, int64_t *first)
{
    for (uint32_t k = 0; k < in->set_count; k++) {
        int64_t own = 1;
        irl__items_select(in, k);
        for (int axis = 0; axis < b->axis_count; axis++)
            if (b->axes[axis].is_reduction &&
                irl__eval_bound(in, b->axes[axis].var->id)->u.scalar.i != 0)
                own = 0;
        if (k == 0) *first = own;
        else if (own != *first)
            return IRL__FAIL(in->cx, IRL_ERROR_BARRIER_DIVERGENT, "work-items of a group run the "
                             "init of block '%s' at different times", b->name);
    }
    return 1;
}

static int irl__execute_block(irl__interpreter *in, const irl__block_data *b)
{
    int64_t holds = 1, first = 0;
    for (uint32_t k = 0; k < in->set_count; k++) {
        irl__items_select(in, k);
        for (int axis = 0; axis < b->axis_count; axis++) {
            int64_t value;
            if (!irl__eval_number(in, b->axes[axis].binding, "the binding of a block's axis",
                                  &value))
                return 0;
            irl__execute_bind(in, b->axes[axis].var, value);
        }
    }
    if (b->predicate && !irl__items_agree(in, b->predicate, "the predicate of a block", &holds))
        return 0;
    if (!holds) return 1;
    if (!irl__execute_check_axes(in, b)) return 0;
    int j;
    for (j = 0; j < b->alloc_count; j++)
        if (!irl__execute_alloc(in, b->allocs[j])) return 0;
    for (uint32_t k = 0; k < in->set_count; k++) {
        irl__items_select(in, k);
        for (j = 0; j < b->match_count; j++)
            if (!irl__eval_declare_match(in, &b->matches[j])) return 0;
    }
    if (b->init && !irl__execute_is_first(in, b, &first)) return 0;
    return (!first || irl__execute(in, b->init)) && irl__execute(in, b->body);
}

/* ------------------------------------------------------------------ kernels, called by the host */

static int irl__execute_pass(irl__interpreter *in, irl__eval_item *kernel_item, const irl__param *p,
                             const irl_expr *arg)
{
    irl__eval_binding *to = &kernel_item->env[in->slots[p->var->id - in->id_base]];
    irl__scalar        one[2];
    irl__eval_value    v;
    if (p->buffer) {
        to->u.memory = arg->op == IRL_OP_VAR && arg->type.is_pointer
                           ? irl__eval_bound(in, arg->id)->u.memory
                           : NULL;
        return to->u.memory ||
               IRL__FAIL(in->cx, IRL_ERROR_ARGUMENT_MISMATCH, "kernel argument '%s' must be the "
                         "data of a buffer", p->name);
    }
    if (!irl__execute_lanes(in, arg->type, one, &v) || !irl__eval_expr(in, arg, &v)) return 0;
    irl__eval_bind(in, to, arg->type, &v);
    return 1;
}

/* In an environment of its own: scalars first, then the buffers whose shapes they decide. */
static int irl__execute_call(irl__interpreter *in, const irl_func *kernel, const irl_stmt *s)
{
    irl__eval_item caller = *in->item, callee = caller;
    int            k, ok = irl__temporaries_touch(in, s);
    callee.env = irl__item_env(in);
    if (!callee.env) return 0;
    for (k = 0; ok && k < kernel->param_count; k++)
        ok = irl__execute_pass(in, &callee, &kernel->params[k], s->u.launch.args[k]);
    *in->item = callee;
    for (k = 0; ok && k < kernel->param_count; k++)
        if (kernel->params[k].buffer)
            ok = irl__eval_declare_alias(in, kernel->params[k].buffer) != NULL;
    ok = ok && irl__execute_func(in, kernel);
    *in->item = caller;
    return ok;
}

int irl__execute_func(irl__interpreter *in, const irl_func *f)
{
    const irl_func *outer = in->function;
    in->function = f;
    int ok = f->role == IRL__KERNEL ? irl__execute_launch(in, f->body) : irl__execute(in, f->body);
    in->function = outer;
    return ok;
}

/* ------------------------------------------------------------------ by kind */

static int irl__execute_other(void *user, const irl_stmt *s)
{
    irl__interpreter *in = (irl__interpreter *)user;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__BLOCK: return irl__execute_block(in, s->u.block);
    case IRL__LET: {
        irl_type        type = s->u.let.value->type;
        irl__scalar     one[2];
        irl__eval_value v;
        if (type.is_pointer) return irl__execute_handle(in, s);
        if (!irl__execute_lanes(in, type, one, &v) || !irl__eval_expr(in, s->u.let.value, &v))
            return 0;
        irl__eval_bind(in, irl__eval_bound(in, s->u.let.var->id), type, &v);
        return 1;
    }
    case IRL__STORE: return irl__execute_store(in, s);
    case IRL__ALLOC: return irl__execute_alloc(in, s->u.alloc.buffer);
    case IRL__DECL: {
        /* Memory in a pool has no value yet. */
        const irl_buffer     *b = s->u.alloc.buffer;
        const irl__eval_view *view = irl__eval_declare_alias(in, b);
        const size_t          each = irl__type_bytes(b->type);
        int64_t               from;
        if (view && in->function->annotation_count && irl__array_born_at(in->function, b, &from) &&
            view->extent[0] > from)
            irl__eval_mark(in, view->memory, (size_t)from * each,
                           (size_t)(view->extent[0] - from) * each, 1);
        return view != NULL;
    }
    case IRL__BARRIER: return irl__execute_barrier(in, s->u.barrier.scope);
    case IRL__EVALUATE: {
        irl__scalar    *top = in->top;
        irl__eval_value v;
        int             ok = irl__eval_lanes(in, s->u.evaluate.value->type, &v) &&
                 irl__eval_expr(in, s->u.evaluate.value, &v);
        in->top = top;
        return ok;
    }
    case IRL__LAUNCH: {
        int k = irl__launch_kernel(in->module, s, &in->next_kernel);
        if (k >= 0) return irl__execute_call(in, in->module->kernels[k], s);
        return IRL__FAIL(in->cx, IRL_ERROR_BAD_STRUCTURE, "a host function alone has no kernel "
                         "'%s': run its module", s->u.launch.kernel);
    }
    default: break;
    }
    return IRL__FAIL(in->cx, IRL_ERROR_BAD_STRUCTURE, "a statement of an unknown kind");
}

static int irl__execute_child(void *user, const irl_stmt *s)
{
    return irl__execute((irl__interpreter *)user, s);
}

static int irl__execute_number(void *user, const irl_expr *e, const char *what, int64_t *out)
{
    return irl__items_agree((irl__interpreter *)user, e, what, out);
}

static int irl__execute_range(void *user, const irl_stmt *loop, int64_t *begin, int64_t *end)
{
    return irl__items_range((irl__interpreter *)user, loop, begin, end);
}

static int irl__execute_refuse(void *user, const char *message)
{
    return IRL__FAIL(((irl__interpreter *)user)->cx, IRL_ERROR_ASSERTION, "%s", message);
}

static const irl__walker irl__execute_walk = { irl__execute_child,    irl__execute_turn,
                                             irl__execute_number,   irl__execute_range,
                                             irl__execute_bind_all, irl__execute_refuse,
                                             irl__execute_other };

static int irl__execute_kind(irl__interpreter *in, const irl_stmt *s)
{
    if (irl__stmt_is_bound(s)) {
        /* In a launch a bound loop says where the item is. Outside, it is a launch. */
        int64_t min;
        if (!in->launch) return irl__execute_launch(in, s);
        for (uint32_t k = 0; k < in->set_count; k++) {
            irl__items_select(in, k);
            if (!irl__eval_number(in, s->u.loop.min, "a loop's start", &min)) return 0;
            if (!irl__add64(min, in->item->at[s->u.loop.axis], &min))
                return IRL__FAIL(in->cx, IRL_ERROR_OVERFLOW, "a bound loop does not fit 63 bits");
            irl__execute_bind(in, s->u.loop.var, min);
        }
        return irl__execute(in, s->u.loop.body);
    }
    if (s->kind == IRL__FOR && irl__for_is_parallel(s->u.loop.kind))
        return irl__execute_parallel(in, s);
    return irl__walker_stmt(&irl__execute_walk, in, s);
}

/* What no barrier divides is run to its end by each item in turn. */
static int irl__execute_in_turn(irl__interpreter *in, const irl_stmt *s)
{
    irl__eval_item *set = in->set;
    uint32_t        count = in->set_count, k;
    int             ok = 1;
    in->set_count = 1;
    for (k = 0; ok && k < count; k++) {
        in->set = set + k;
        irl__items_select(in, 0);
        ok = irl__execute_kind(in, s);
    }
    in->set = set;
    in->set_count = count;
    irl__items_select(in, 0);
    return ok;
}

int irl__execute(irl__interpreter *in, const irl_stmt *s)
{
    irl_loc outer = in->cx->here;
    int     ok;
    if (s->loc.source) in->cx->here = s->loc;
    if (!irl__eval_step(in)) ok = 0;
    else if (in->set_count > 1 && !irl__launch_is_collective(s)) ok = irl__execute_in_turn(in, s);
    else ok = irl__execute_kind(in, s);
    in->cx->here = outer;
    return ok;
}
