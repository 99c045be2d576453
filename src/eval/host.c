/* host.c - executes the statements of a host function: the meaning of a sequence, a loop, a branch
   and a check is defined here once, for the interpreter, for a device's runtime and for checks of
   arguments.

   needs     valuation.c, packed.c, calls.c
   promises  each walker has its values and memory (irl__walker). irl__host is the walker for most
             uses: names with values, and a device that allocates and launches. What a sequence or
             one iteration of a loop declares ends with it, memory too, on every path */
#include "eval.h"
#include "../pass/pass.h"

/* ------------------------------------------------------------------ walking */

int irl__walker_range(irl_ctx *cx, int64_t begin, int64_t extent, int64_t *end)
{
    if (extent < 0) extent = 0;
    return irl__add64(begin, extent, end) ||
           IRL__FAIL(cx, IRL_ERROR_OVERFLOW, "a loop from %l for %l steps does not fit 63 bits",
                     begin, extent);
}

int irl__walker_stmt(const irl__walker *w, void *user, const irl_stmt *s)
{
    int k;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ:
        for (k = 0; k < s->u.seq.count; k++)
            if (!w->stmt(user, s->u.seq.stmts[k])) return 0;
        return 1;
    case IRL__FOR: {
        int64_t begin, end;
        if (!w->range(user, s, &begin, &end)) return 0;
        for (int64_t i = begin; i < end; i++)
            if (!w->bind(user, s->u.loop.var, i) || !w->turn(user, s->u.loop.body)) return 0;
        return 1;
    }
    case IRL__IF: {
        int64_t condition;
        if (!w->number(user, s->u.branch.condition, "a condition", &condition)) return 0;
        const irl_stmt *arm = condition ? s->u.branch.then_ : s->u.branch.else_;
        return !arm || w->stmt(user, arm);
    }
    case IRL__ATTR: return w->stmt(user, s->u.attr.body);
    case IRL__ASSUME:
    case IRL__ASSERT: {
        int64_t   condition, values[IRL_MAX_MESSAGE_VALUES];
        char      message[256];
        irl__text t;
        if (!w->number(user, s->u.check.condition, "a condition", &condition)) return 0;
        if (condition) return 1;
        if (s->kind == IRL__ASSUME) return w->refuse(user, "an assumption is false");
        for (int j = 0; j < s->u.check.value_count; j++)
            if (!w->number(user, s->u.check.values[j], "a value of a message", &values[j]))
                return 0;
        irl__text_init_fixed(&t, message, sizeof message);
        irl__stmt_message(&t, s, values);
        return w->refuse(user, s->u.check.value_count ? message : s->u.check.message);
    }
    default: return w->other(user, s);
    }
}

/* ------------------------------------------------------------------ names */

const irl__host_name *irl__host_find(const irl__host *h, const irl_expr *var)
{
    ptrdiff_t k = h->count;
    while (k-- > 0)
        if (h->names[k].var == var) return &h->names[k];
    return NULL;
}

irl__host_name *irl__host_add(irl__host *h, const irl_expr *var)
{
    irl__host_name n;
    memset(&n, 0, sizeof n);
    n.var = var;
    if (h->count < stbds_arrlen(h->names)) h->names[h->count] = n;
    else if (!IRL__PUSH_SCRATCH(h->cx, h->names, n)) return NULL;
    return &h->names[h->count++];
}

void irl__host_forget(irl__host *h, ptrdiff_t count)
{
    while (h->count > count) {
        const irl__host_name *n = &h->names[--h->count];
        if (n->is_own) h->device->release(h->user, n->memory);
    }
}

/* ------------------------------------------------------------------ values */

static int irl__host_named(const void *user, const irl_expr *var, irl__scalar *out)
{
    const irl__host_name *name = irl__host_find((const irl__host *)user, var);
    if (name) *out = name->value;
    return name != NULL;
}

static int irl__host_called(const void *user, const irl_expr *call, irl__scalar *out)
{
    const irl__host *h = (const irl__host *)user;
    return h->handed && irl__packed_field_of(call) != IRL__PACKED_COUNT_OF &&
           irl__packed_read(h->cx, h->handed, call, out);
}

static irl_code irl__host_code(irl__fold_status status)
{
    switch (status) {
    case IRL__FOLD_OVERFLOW: return IRL_ERROR_OVERFLOW;
    case IRL__FOLD_ZERO_DIVISION: return IRL_ERROR_DIVISION_BY_ZERO;
    default: return IRL_ERROR_UNSUPPORTED;
    }
}

int irl__host_scalar(irl__host *h, const irl_expr *e, irl__scalar *out)
{
    irl__valuation v;
    memset(&v, 0, sizeof v);
    v.name = irl__host_named;
    v.call = irl__host_called;
    v.function = irl__fold_scalar;
    v.user = h;
    irl__fold_status status = irl__scalar_of(&v, e, out);
    return status == IRL__FOLD_OK ||
           IRL__FAIL(h->cx, irl__host_code(status), "the host cannot compute %s",
                     irl_expr_text(h->cx, e));
}

int irl__host_number(irl__host *h, const irl_expr *e, int64_t *out)
{
    irl__scalar value;
    if (!irl__host_scalar(h, e, &value)) return 0;
    *out = value.i;
    return 1;
}

/* ------------------------------------------------------------------ a host of names */

static int irl__host_refuse(void *user, const char *message)
{
    const irl__host *h = (const irl__host *)user;
    return IRL__FAIL(h->cx, h->handed ? IRL_ERROR_ARGUMENT_MISMATCH : IRL_ERROR_ASSERTION, "%s",
                     message);
}

static int irl__host_range(void *user, const irl_stmt *s, int64_t *begin, int64_t *end)
{
    irl__host *h = (irl__host *)user;
    int64_t    extent;
    return irl__host_number(h, s->u.loop.min, begin) &&
           irl__host_number(h, s->u.loop.extent, &extent) &&
           irl__walker_range(h->cx, *begin, extent, end);
}

static int irl__host_walk_number(void *user, const irl_expr *e, const char *what, int64_t *out)
{
    (void)what;
    return irl__host_number((irl__host *)user, e, out);
}

static int irl__host_bind(void *user, const irl_expr *var, int64_t value)
{
    irl__host_name *n = irl__host_add((irl__host *)user, var);
    if (n) n->value.i = value;
    return n != NULL;
}

/* Memory of the device that goes with its scope; NULL: it could not be had. */
static int irl__host_own(irl__host *h, const irl_expr *data, void *memory)
{
    irl__host_name *n = memory ? irl__host_add(h, data) : NULL;
    if (!n) {
        if (memory) h->device->release(h->user, memory);
        return 0;
    }
    n->memory = memory;
    n->is_own = 1;
    return 1;
}

/* An argument of a call that the host makes: a scalar; its memory is a device's. */
static int irl__host_argument(irl__host *h, const irl_expr *call, uint32_t k,
                              irl_extern_value *out)
{
    irl__scalar value;
    if (call->a[k]->type.is_pointer)
        return IRL__FAIL(h->cx, IRL_ERROR_UNSUPPORTED, "'%s' is called with memory, which is on a "
                         "device", call->u.name);
    if (!irl__host_scalar(h, call->a[k], &value)) return 0;
    irl__extern_argument(call->a[k]->type, value, out);
    return 1;
}

static int irl__host_other(void *user, const irl_stmt *s)
{
    irl__host *h = (irl__host *)user;
    if (irl__stmt_is_handle(s) && h->device) {
        /* let h = extern(ptr(f32, global), ...): the device has the memory until the scope ends. */
        const irl_expr   *call = s->u.let.value;
        irl_extern_value *arguments = IRL__SCRATCH(h->cx, irl_extern_value, call->count);
        irl_extern_value result;
        if (!arguments) return 0;
        for (uint32_t k = 0; k < call->count; k++)
            if (!irl__host_argument(h, call, k, &arguments[k])) return 0;
        return irl__extern_call(h->cx, call, arguments, &result) &&
               irl__host_own(h, s->u.let.var, h->device->adopt(h->user, s->u.let.var, &result));
    }
    if (s->kind == IRL__LET) {
        irl__scalar     value;
        irl__host_name *n =
            irl__host_scalar(h, s->u.let.value, &value) ? irl__host_add(h, s->u.let.var) : NULL;
        if (n) n->value = value;
        return n != NULL;
    }
    if (s->kind == IRL__DECL) return 1;
    if (s->kind == IRL__ALLOC && h->device)
        return irl__host_own(h, s->u.alloc.buffer->data,
                             h->device->allocate(h->user, s->u.alloc.buffer));
    if (s->kind == IRL__LAUNCH && h->device) return h->device->launch(h->user, s);
    return irl__fail(h->cx, IRL_ERROR_BAD_STRUCTURE, s->loc,
                     "a host function allocates and launches; this statement computes");
}

static int irl__host_stmt(void *user, const irl_stmt *s);

/* The loop's variable was bound just before: it goes with what the body declares. */
static int irl__host_turn(void *user, const irl_stmt *body)
{
    irl__host *h = (irl__host *)user;
    ptrdiff_t  count = h->count - 1;
    int        ok = irl__host_stmt(user, body);
    irl__host_forget(h, count);
    return ok;
}

static const irl__walker irl__host_walk = { irl__host_stmt,  irl__host_turn, irl__host_walk_number,
                                          irl__host_range, irl__host_bind, irl__host_refuse,
                                          irl__host_other };

static int irl__host_stmt(void *user, const irl_stmt *s)
{
    irl__host *h = (irl__host *)user;
    ptrdiff_t  count = h->count;
    if (s->loc.source) h->cx->here = s->loc;
    if (s->kind == IRL__ASSUME) return 1; /* the caller's word, which may be of memory */
    int ok = irl__walker_stmt(&irl__host_walk, user, s);
    if (s->kind == IRL__SEQ) irl__host_forget(h, count);
    return ok;
}

int irl__host_run(irl__host *h, const irl_stmt *body)
{
    ptrdiff_t count = h->count;
    irl_loc   outer = h->cx->here;
    int       ok = irl__host_stmt(h, body);
    irl__host_forget(h, count);
    h->cx->here = outer;
    return ok;
}

/* ------------------------------------------------------------------ checks of arguments */

static int irl__host_check(const irl_func *checks, const irl__handed *handed)
{
    irl__host h;
    if (!checks) return 0;
    memset(&h, 0, sizeof h);
    h.cx = checks->cx;
    h.handed = handed;
    irl__arena_mark mark = irl__scratch_begin(h.cx);
    int             ok = irl__host_run(&h, checks->body);
    irl__scratch_end(h.cx, mark);
    return ok && irl__ok(h.cx);
}

int irl_module_check_arguments(const irl_module *m, int count, const irl_packed *arguments)
{
    irl__handed handed;
    memset(&handed, 0, sizeof handed);
    handed.count = arguments ? count : 0;
    handed.packed = arguments;
    return m && irl__ok(m->cx) && irl__host_check(irl_module_host_checks(m), &handed);
}

/* Where the value of an implicit parameter stands: the extent that it names. */
static const int64_t *irl__host_implicit(const irl_func *f, const irl_expr *var,
                                         const irl_tensor *tensors)
{
    for (int k = 0; k < f->param_count; k++)
        for (int axis = 0; axis < f->params[k].logical_rank; axis++)
            if (f->params[k].logical_shape[axis] == var)
                return &tensors[irl__func_argument(f, k)].shape.extent[axis];
    return NULL; /* the verifier has seen one */
}

int irl__check_tensors(const irl_func *f, const irl_module *m, int count,
                       const irl_tensor *tensors, irl__passed *out)
{
    static const char nothing = 0; /* an array without elements may be NULL */
    irl__handed  handed;
    const void **data;
    memset(&handed, 0, sizeof handed);
    handed.count = tensors ? count : 0;
    handed.tensors = tensors;
    if (!irl__ok(f->cx)) return 0;
    for (int k = 0; k < handed.count; k++)
        if (tensors[k].shape.named)
            return irl__fail(f->cx, IRL_ERROR_BAD_ARGUMENT, f->loc,
                             "the extents of argument %d of '%s' are expressions; those of an "
                             "array must be numbers",
                             k, f->name);
    irl_mark mark = irl_ctx_mark(f->cx);
    if (!irl__host_check(irl__host_checks_of(f, m, 1), &handed)) return 0;
    irl_ctx_rewind(f->cx, mark); /* the checks are made for one call */
    data = IRL__SCRATCH(f->cx, const void *, f->param_count + 1);
    if (!data) return 0;
    memset(out, 0, sizeof *out);
    out->count = f->param_count;
    out->data = data;
    for (int k = 0; k < f->param_count; k++) {
        const irl__param *p = &f->params[k];
        const irl_tensor *t = p->is_implicit ? NULL : tensors + irl__func_argument(f, k);
        irl_type          wanted = p->buffer ? p->buffer->type : p->var->type;
        if (!t) {
            data[k] = irl__host_implicit(f, p->var, tensors);
            continue;
        }
        if (!irl_type_equal(wanted, t->type)) /* as i64 and index, which have one code */
            return irl__fail(f->cx, IRL_ERROR_ARGUMENT_MISMATCH, p->loc,
                             "the argument for '%s' must be of type %s; found %s", p->name,
                             irl__type_cstr(f->cx, wanted), irl__type_cstr(f->cx, t->type));
        data[k] = t->data ? irl__tensor_data(t) : &nothing;
    }
    return 1;
}
