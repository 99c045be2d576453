/* emit_survey.c - finds out what a kernel does with its memory, before anything is printed.

   needs     flattened bodies; images in the intrinsics of texel.c alone
   promises  of each memory: whether it is read and written, in elements of which types, by runs or
             one by one, and so what its pointer points to; of each axis its one extent. A kernel
             that reads and writes one image is refused */
#include "emit.h"
#include "../pass/set.h"

/* bool, bits of fractions and three lanes have no C type that lies in memory as the IR says. */
static int irl__usage_has_vector_type(const irl__emit_unit *o, irl_type t)
{
    return t.lanes != 3 && irl__target_has_width(o->target, t.lanes) && t.scalar != IRL_BOOL &&
           !irl__emit_is_bits(o->language, t);
}

static int irl__usage_add(irl__emit_unit *o, const irl_buffer *b)
{
    irl__emit_memory *m = IRL__SCRATCH(o->cx, irl__emit_memory, 1);
    const irl_type    own = irl__buffer_memory_type(b);
    if (!m) return 0;
    m->data = b->data;
    m->buffer = b;
    m->type = irl__type_with_lanes(own, 1);
    m->sequence = o->sequence;
    m->is_variable = b->scope == IRL_SCOPE_LOCAL && b->rank == 0 && b->type.scalar != IRL_BOOL &&
                     !irl__emit_is_bits(o->language, b->type);
    m->element = irl__type_with_lanes(
        own, m->is_variable || irl__usage_has_vector_type(o, own) ? own.lanes : 1);
    return irl__ptr_map_put(o->cx, &o->memory_of, b->data, m) &&
           IRL__PUSH_SCRATCH(o->cx, o->memories, m);
}

const irl__extern *irl__emit_extern_declared(const irl__emit_unit *o, const irl_expr *call)
{
    const irl__extern *x = irl__extern_called(o->function, call);
    return x ? x : irl__extern_called(o->module->host, call);
}

/* Something points into the memory, so it is an array. */
static void irl__usage_points(const irl__emit_unit *o, irl__emit_memory *m)
{
    m->is_variable = 0;
    m->may_be_nan = 1;
    if (!irl__usage_has_vector_type(o, irl__buffer_memory_type(m->buffer))) m->element.lanes = 1;
}

/* How an access uses the memory; `converted`: an f16 that a built-in function converts on the
   way. */
static int irl__usage_keep(irl__emit_unit *o, const irl_buffer *b, uint32_t index_lanes,
                           int is_store, int converted)
{
    irl__emit_memory *m = irl__emit_memory_of(o, b->data);
    if (!m)
        return irl__fail(o->cx, IRL_ERROR_UNDECLARED, o->cx->here,
                         "buffer '%s' is used where its memory is not declared", b->name);
    irl_type own = irl__buffer_memory_type(m->buffer);
    if (!m->is_accessed)
        m->is_stored_first =
            is_store && m->is_variable && m->sequence && m->sequence == o->sequence;
    m->is_accessed = 1;
    m->is_read |= !is_store;
    m->is_written |= is_store;
    if (m->is_variable && b != m->buffer) irl__usage_points(o, m);
    if (index_lanes != 1 || !irl_type_equal(b->type, m->element)) m->element.lanes = 1;
    if (irl__type_info(b->type)->bytes != irl__type_info(own)->bytes) m->has_other_size = 1;
    if (m->seen.lanes == 0) m->seen = b->type;
    m->has_scalars |= m->seen.scalar != b->type.scalar;
    m->has_runs |= index_lanes != 1 || m->seen.lanes != b->type.lanes;
    if (b->type.scalar == IRL_F16 && converted && o->language->half) m->has_values = 1;
    else if (own.scalar == IRL_F16 || b->type.scalar == IRL_F16) m->has_bits = 1;
    return 1;
}

static int irl__usage_image(irl__emit_unit *o, const irl_expr *x)
{
    irl__emit_memory *m = irl__emit_memory_of(o, x->a[0]);
    if (!m)
        return irl__fail(o->cx, IRL_ERROR_UNDECLARED, o->cx->here,
                         "image '%s' is used where its memory is not declared", x->a[0]->u.name);
    if (irl__texel_call_of(x) == IRL__TEXEL_STORE) m->is_written = 1;
    else m->is_read = 1;
    o->writes_volume |= m->is_written && irl__texel_image_of(x) == IRL__IMAGE_VOLUME;
    if (!m->is_written || !m->is_read) return 1;
    return irl__fail(o->cx, IRL_ERROR_IMAGE_READ_WRITE, o->cx->here,
                     "kernel '%s' reads and writes image '%s'", o->function->name, m->buffer->name);
}

/* A load, before what it loads by. */
static int irl__usage_load(irl__emit_unit *o, const irl_expr *x, int converted)
{
    uint32_t lanes = x->count ? x->a[x->count - 1]->type.lanes : 1;
    return irl__target_has_type(o->cx, o->target, x->type) &&
           irl__usage_keep(o, x->u.buffer, lanes, 0, converted);
}

/* Memory that a call gets. */
static void irl__usage_passed(irl__emit_unit *o, const irl_expr *pointer, int is_written)
{
    irl__emit_memory *m = irl__emit_memory_of(o, pointer);
    if (!m) return;
    m->is_read = m->has_bits = m->has_scalars = 1;
    m->is_written |= is_written;
    irl__usage_points(o, m);
    m->element.lanes = 1;
}

static void irl__usage_exprs(irl__visitor *v, uint32_t count, const irl_expr *const *list)
{
    for (uint32_t k = 0; k < count; k++) irl__visit_expr(v, list[k]);
}

static int irl__usage_see_expr(irl__visitor *v, const irl_expr *x)
{
    irl__emit_unit *o = (irl__emit_unit *)v->user;
    o->uses_double |= x->type.scalar == IRL_F64;
    o->uses_half |= x->type.scalar == IRL_F16;
    if (!irl__target_has_type(o->cx, o->target, x->type)) return 0;
    if (irl__texel_call_of(x) != IRL__TEXEL_NO_CALL) {
        if (irl__usage_image(o, x)) irl__usage_exprs(v, x->count - 1, x->a + 1);
        return 0;
    }
    if (x->op == IRL_OP_LOAD) return irl__usage_load(o, x, 0);
    if (x->op == IRL_OP_CAST && x->a[0]->op == IRL_OP_LOAD) {
        const irl_expr *load = x->a[0];
        if (irl__usage_load(o, load, load->type.scalar == IRL_F16))
            irl__usage_exprs(v, load->count, load->a);
        return 0;
    }
    if (x->op == IRL_OP_CALL_EXTERN) {
        const irl__extern *declared = irl__emit_extern_declared(o, x);
        for (uint32_t k = 0; k < x->count; k++) {
            if (x->a[k]->op == IRL_OP_VAR && x->a[k]->type.is_pointer)
                irl__usage_passed(o, x->a[k],
                                  !declared || !irl__extern_only_reads(declared, (int)k));
            else irl__visit_expr(v, x->a[k]);
        }
        return 0;
    }
    /* the function may do anything with it */
    if (x->op == IRL_OP_VAR && x->type.is_pointer) irl__usage_passed(o, x, 1);
    return 1;
}

/* Is x no NaN, if what is loaded of b is none? */
static int irl__usage_is_number(const irl_expr *x, const irl_buffer *b)
{
    switch (x->op) {
    case IRL_OP_FLOAT: return x->u.f == x->u.f;
    case IRL_OP_BROADCAST: return irl__usage_is_number(x->a[0], b);
    case IRL_OP_LOAD: return x->u.buffer == b;
    case IRL_OP_MIN: /* a NaN loses against a number */
    case IRL_OP_MAX: return irl__usage_is_number(x->a[0], b) || irl__usage_is_number(x->a[1], b);
    default: return 0;
    }
}

/* By induction over the stores: memory is a number where each of them stores one if memory was. */
static void irl__usage_nan(irl__emit_unit *o, const irl_buffer *b, const irl_expr *value)
{
    irl__emit_memory *m = irl__emit_memory_of(o, b->data);
    if (m && (b != m->buffer || !irl__usage_is_number(value, b))) m->may_be_nan = 1;
}

const irl_expr *irl__emit_without_lets(irl__emit_unit *o, const irl_expr *x)
{
    ptrdiff_t k = stbds_arrlen(o->lets);
    while (x && k-- > 0) {
        const irl_stmt *let = o->lets[k];
        if (irl__expr_uses_var(x, let->u.let.var))
            x = irl__substitute(o->cx, x, 1, &let->u.let.var, &let->u.let.value);
    }
    return x;
}

/* One axis has one extent, which a host computes: all items of the launch run every statement. */
static int irl__usage_axis(irl__emit_unit *o, const irl_stmt *s)
{
    irl__emit_axis *axis = &o->axes[s->u.loop.axis];
    const irl_expr *extent = irl__emit_without_lets(o, s->u.loop.extent);
    if (!extent) return 0;
    if (!irl__expr_is_of_params(extent, o->function))
        return irl__fail(o->cx, IRL_ERROR_BAD_STRUCTURE, s->loc,
                         "the extent of %s must be known before the launch",
                         irl_axis_text(s->u.loop.axis));
    if (axis->extent && axis->extent != extent)
        return irl__fail(
            o->cx, IRL_ERROR_UNSUPPORTED, s->loc,
            "two loops are bound to %s with different extents; a kernel has one size for each axis",
            irl_axis_text(s->u.loop.axis));
    axis->extent = extent;
    for (int k = 0; k < s->u.loop.annotation_count; k++) {
        const irl__annotation *note = &s->u.loop.annotations[k];
        if (strcmp(note->key, IRL__NOTE_GROUP) == 0 && note->value && note->value->op == IRL_OP_INT)
            axis->group = note->value->u.i;
    }
    unsigned bound = 0;
    for (int k = 0; k < (int)IRL__AXIS_COUNT; k++)
        bound |= (unsigned)(o->axes[k].extent != NULL) << k;
    return irl__axes_ok(o->cx, o->function->loc, bound);
}

/* A store, which counts after what it computes. */
static void irl__usage_store(irl__visitor *v, const irl_stmt *s)
{
    irl__emit_unit   *o = (irl__emit_unit *)v->user;
    const irl_buffer *b = s->u.store.buffer;
    const irl_expr   *value = s->u.store.value;
    irl__usage_nan(o, b, value);
    irl__usage_exprs(v, (uint32_t)b->rank, s->u.store.indices);
    irl__visit_expr(v, value);
    if (irl__ok(o->cx))
        irl__usage_keep(o, b, b->rank ? s->u.store.indices[b->rank - 1]->type.lanes : 1, 1,
                        value->op == IRL_OP_CAST);
}

static int irl__usage_see_stmt(irl__visitor *v, const irl_stmt *s)
{
    irl__emit_unit *o = (irl__emit_unit *)v->user;
    if (!irl__ok(o->cx)) return 0;
    if (s->loc.source) o->cx->here = s->loc;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ:
        for (int k = 0; k < s->u.seq.count; k++) {
            o->sequence = s;
            irl__visit_stmt(v, s->u.seq.stmts[k]);
        }
        break;
    case IRL__FOR:
        o->sequence = NULL; /* its body need not be one */
        return s->u.loop.kind != IRL_BOUND || irl__usage_axis(o, s);
    case IRL__IF: o->sequence = NULL; return 1;
    case IRL__LET:
        return !irl__type_is_index(s->u.let.var->type) || IRL__PUSH_SCRATCH(o->cx, o->lets, s);
    case IRL__STORE: irl__usage_store(v, s); break;
    case IRL__ALLOC: irl__usage_add(o, s->u.alloc.buffer); break;
    case IRL__EVALUATE: return 1;
    case IRL__ATTR: irl__visit_stmt(v, s->u.attr.body); break;
    case IRL__BLOCK:
    case IRL__DECL:
    case IRL__ASSUME:
    case IRL__ASSERT:
    case IRL__BARRIER:
    case IRL__LAUNCH:
    case IRL__STMT_KIND_COUNT: break;
    }
    return 0;
}

/* Whether a launch gives the memory of its argument k to another parameter too. */
static int irl__usage_repeats(const irl_stmt *launch, int k)
{
    const irl_expr *const *args = launch->u.launch.args;
    for (int j = 0; args[k]->type.is_pointer && j < launch->u.launch.count; j++)
        if (j != k && args[j] == args[k]) return 1;
    return 0;
}

static int irl__usage_see_launch(irl__visitor *v, const irl_stmt *s)
{
    irl__emit_unit *o = (irl__emit_unit *)v->user;
    for (int k = 0; s->kind == IRL__LAUNCH && k < s->u.launch.count; k++)
        if (irl__usage_repeats(s, k)) return IRL__PUSH_SCRATCH(o->cx, o->repeating, s);
    return 1;
}

int irl__emit_survey_host(irl__emit_unit *o)
{
    irl__visitor v = irl__visitor_make(o, NULL, irl__usage_see_launch);
    if (o->module->host) irl__visit_stmt(&v, o->module->host->body);
    return irl__ok(o->cx);
}

/* A parameter that a kernel sees by views of one type alone: its pointer is of that type, where
   pointers may be cast. */
static void irl__usage_retype(const irl__emit_unit *o, irl__emit_memory *m)
{
    irl_type own = irl__buffer_memory_type(m->buffer), seen = m->seen;
    if (seen.lanes == 0 || m->has_scalars || m->is_shared_by_arguments ||
        irl_type_equal(seen, own) || !o->language->pointer_casts)
        return;
    if (own.scalar == IRL_BOOL || seen.scalar == IRL_BOOL || irl__type_is_storage(own) ||
        irl__type_is_storage(seen))
        return;
    m->type = m->element = irl__type_with_lanes(seen, 1);
    m->has_other_size = 0;
    if (!m->has_runs && irl__usage_has_vector_type(o, seen) &&
        irl__target_alignment(o->target, seen, 1) <= irl__buffer_alignment(m->buffer, 1))
        m->element = seen;
}

/* Two arguments to which the host gives the same memory may not be `restrict`. */
static void irl__usage_shared(irl__emit_unit *o, const irl_func *kernel)
{
    const int      count = kernel->param_count;
    unsigned char *shared = (unsigned char *)irl__scratch_alloc(o->cx, (size_t)count, 1);
    for (int k = 0; shared && k < (int)stbds_arrlen(o->repeating); k++) {
        const irl_stmt *s = o->repeating[k];
        if (strcmp(s->u.launch.kernel, kernel->name) != 0) continue;
        for (int j = 0; j < s->u.launch.count && j < count; j++)
            shared[j] |= (unsigned char)irl__usage_repeats(s, j);
    }
    /* The kernel may say so itself: then its text is the same in every module. */
    for (int j = 0; shared && j < count; j++) {
        const irl__param *p = &kernel->params[j];
        irl__emit_memory *m = irl__emit_memory_of(o, p->var);
        if (m && (shared[j] || irl__func_said(kernel, IRL__ATTR_IN_PLACE, p->name)))
            m->is_shared_by_arguments = 1;
    }
}

int irl__emit_survey(irl__emit_unit *o, const irl_func *kernel)
{
    irl__visitor v = irl__visitor_make(o, irl__usage_see_expr, irl__usage_see_stmt);
    o->function = kernel;
    for (int k = 0; k < kernel->param_count; k++) {
        const irl__param *p = &kernel->params[k];
        if (p->buffer && !irl__usage_add(o, p->buffer)) return 0;
        o->uses_double |= p->var->type.scalar == IRL_F64;
        o->uses_half |= p->var->type.scalar == IRL_F16;
    }
    irl__visit_stmt(&v, kernel->body);
    irl__usage_shared(o, kernel);
    for (int k = 0; irl__ok(o->cx) && k < kernel->param_count; k++)
        if (kernel->params[k].buffer)
            irl__usage_retype(o, irl__emit_memory_of(o, kernel->params[k].var));
    return irl__ok(o->cx);
}
