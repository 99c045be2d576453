/* emit_ocl.c - programs and kernels in OpenCL C 1.2.

   requires  a lowered module: flattened bodies, bound loops for what runs in parallel
   promises  the source of all kernels, and for each its arguments and sizes. A kernel is launched
             with exactly its sizes, so nothing guards against more work-items. Texts of the user
             appear as identifiers or inside comments only.
   cost      linear in the module; a small kernel takes a few microseconds */
#include "ocl.h"
#include "../pass/pass.h"

/* ------------------------------------------------------------------ sizes */

/* The iterations along one dimension; unused ones are 1. */
static int irl__ocl_dimension(irl__emit *e, int d, int in_groups, irl_ocl_kernel *k)
{
    const irl__emit_unit *o = e->unit;
    const irl_expr *group = irl__emit_iterations(e, o->axes[IRL_GROUP_X + d].extent),
                   *local = irl__emit_iterations(e, o->axes[IRL_LOCAL_X + d].extent),
                   *global = irl__emit_iterations(e, o->axes[IRL_GLOBAL_X + d].extent),
                   *one = irl_expr_index(o->cx, 1);
    if (global || group || local) k->dimensions = d + 1;
    if (global) k->global[d] = global;
    else if (group && local)
        k->global[d] = irl__simplify_alone(o->cx, irl__mul(o->cx, group, local));
    else k->global[d] = group ? group : local ? local : one;
    k->local[d] = !in_groups ? NULL : local ? local : one;
    return k->global[d] != NULL && one != NULL && irl__ok(o->cx);
}

/* Groups as the notes on loops wish them, within the target's limit: per dimension the largest
   divisor. Without notes, or where a size is not known, the driver chooses. */
static int irl__ocl_propose_groups(irl__emit_unit *o, irl_ocl_kernel *k)
{
    int64_t size[3] = { 1, 1, 1 }, most = o->target->work_group;
    int     any = 0;
    for (int d = 0; d < k->dimensions; d++) {
        int64_t wish = o->axes[IRL_GLOBAL_X + d].group;
        if (k->global[d]->op != IRL_OP_INT) return 1;
        if (wish < 1 || k->global[d]->u.i < 1) continue;
        any = 1;
        size[d] = wish < most ? wish : most;
        while (k->global[d]->u.i % size[d]) size[d]--;
        most /= size[d];
    }
    for (int d = 0; any && d < 3; d++) {
        k->local[d] = irl_expr_index(o->cx, size[d]);
        if (!k->local[d]) return 0;
    }
    return 1;
}

static int irl__ocl_geometry(irl__emit *e, irl_ocl_kernel *k)
{
    irl__emit_unit *o = e->unit;
    int             in_groups = 0;
    int64_t   items = 1;
    for (int d = 0; d < 6; d++) in_groups |= o->axes[d].extent != NULL;
    k->dimensions = 1;
    for (int d = 0; d < 3; d++) {
        if (!irl__ocl_dimension(e, d, in_groups, k)) return 0;
        if (!k->local[d] || k->local[d]->op != IRL_OP_INT) continue;
        if (k->local[d]->u.i > o->target->work_group ||
            (items *= k->local[d]->u.i) > o->target->work_group)
            return irl__fail(o->cx, IRL_ERROR_TARGET_LIMIT, o->function->loc,
                             "a work-group of kernel '%s' has more than %d work-items",
                             o->function->name, o->target->work_group);
    }
    k->local_is_fixed = in_groups;
    return in_groups || irl__ocl_propose_groups(o, k);
}

/* ------------------------------------------------------------------ one kernel */

static int irl__ocl_argument(irl__emit *e, const irl__param *p, irl_ocl_argument *a)
{
    irl__emit_memory *m = irl__emit_memory_of(e->unit, p->var);
    a->name = irl__emit_take_name(e, p->name);
    if (!a->name || !irl__emit_bind(e, p->var, a->name)) return 0;
    a->is_buffer = p->buffer != NULL;
    a->type = p->buffer ? irl__buffer_memory_type(p->buffer) : p->var->type;
    a->scope = p->buffer ? p->buffer->scope : IRL_SCOPE_GLOBAL;
    if (!p->buffer) {
        if (a->type.lanes > 1 &&
            a->type.scalar == IRL_BOOL)
            return irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, p->loc,
                             "a kernel cannot have an argument of type %s",
                             irl__type_cstr(e->cx, a->type));
        /* Three lanes take four places, as OpenCL passes them. */
        const irl_type t = a->type;
        a->bytes = (size_t)irl__type_info(t)->bytes * (t.lanes == 3 ? 4 : t.lanes);
        /* A target without 64-bit integers takes indices as int; irl_ocl_run sees to it that they
           fit. */
        if (!irl__type_is_index(t) || t.lanes != 1 || e->unit->target->int64) return 1;
        a->bytes = 4;
        return irl__emit_short_index(e, p->var);
    }
    if (!irl__emit_param_ok(e, p)) return 0;
    a->access =
        (irl_ocl_access)((m->is_read ? IRL_OCL_READ : 0) | (m->is_written ? IRL_OCL_WRITE : 0));
    a->rank = p->buffer->rank;
    a->shape = p->buffer->shape;
    if (irl__scope_is_image(a->scope)) irl__ocl_image_argument(a, m);
    return a->name != NULL;
}

static void irl__ocl_signature(irl__emit *e, const irl_ocl_kernel *k)
{
    irl__emit_unit           *o = e->unit;
    const irl__emit_language *l = o->language;
    int                       fixed = k->local_is_fixed;
    /* 0: nothing is launched, but it must compile */
    for (int d = 0; fixed && d < 3; d++)
        fixed = k->local[d]->op == IRL_OP_INT && k->local[d]->u.i > 0;
    irl__text_puts(&e->text, l->kernel);
    if (fixed)
        irl__textf(&e->text, l->group, k->local[0]->u.i, k->local[1]->u.i, k->local[2]->u.i);
    irl__textf(&e->text, "void %s(", k->name);
    for (int j = 0; j < k->argument_count; j++) {
        const irl_ocl_argument *a = &k->arguments[j];
        const irl__emit_memory *m =
            (irl__emit_memory *)irl__ptr_map_get(&o->memory_of, k->function->params[j].var);
        if (j) irl__text_puts(&e->text, ", ");
        if (a->is_buffer && irl__scope_is_image(a->scope)) irl__ocl_image_parameter(e, m, a->name);
        else if (a->is_buffer) {
            irl__emit_pointee(e, m);
            irl__textf(&e->text, " *%s%s",
                       m->is_shared_by_arguments || a->scope == IRL_SCOPE_CONSTANT ? ""
                                                                                   : l->restricted,
                       a->name);
        } else {
            e->width = o->target->int64 ? IRL__WIDTH_LONG : IRL__WIDTH_INT;
            irl__emitf(e, "%t %s", irl__emit_held(a->type), a->name);
        }
    }
    irl__text_puts(&e->text, ")\n{\n");
}

static int irl__ocl_kernel_text(irl__emit *e, const irl_func *f, irl_ocl_kernel *k)
{
    irl__emit_unit   *o = e->unit;
    irl_ocl_argument *arguments = IRL__NEW(e->cx, irl_ocl_argument, f->param_count);
    if (!arguments) return 0;
    k->function = f;
    k->argument_count = f->param_count;
    k->buffer_bytes = o->target->buffer_bytes;
    k->arguments = arguments;
    for (int j = 0; j < f->param_count; j++)
        if (!irl__ocl_argument(e, &f->params[j], &arguments[j])) return 0;
    if (!irl__emit_facts(e, f) || !irl__ocl_geometry(e, k)) return 0;
    irl__textf(&e->text, "/* %s: ", k->name);
    irl__emit_comment_sizes(e, "global size ", k->dimensions, k->global);
    if (k->local[0])
        irl__emit_comment_sizes(e, k->local_is_fixed ? ", local size " : ", local size best ",
                               k->dimensions, k->local);
    for (int i = 0; i < k->argument_count; i++)
        irl__emit_comment_param(e, k->function, &k->function->params[i], k->arguments[i].name,
                                irl__emit_memory_of(e->unit, k->function->params[i].var));
    irl__text_puts(&e->text, " */\n");
    irl__ocl_signature(e, k);
    e->indent = 1;
    if (!irl__emit_shared_arrays(e)) return 0; /* in the kernel's outermost scope */
    irl__emit_stmt(e, f->body);
    irl__text_puts(&e->text, "}\n");
    return irl__ok(e->cx);
}

/* ------------------------------------------------------------------ the program */

static const char *irl__ocl_assemble(irl__emit *e)
{
    const irl__emit_unit     *o = e->unit;
    const irl__emit_language *l = o->language;
    irl__text                 t;
    irl__text_init(&t, e->cx);
    irl__text_puts(&t, "/* ");
    irl__emit_comment(&t, o->module->name ? o->module->name : "kernels");
    irl__textf(&t, ": %s, emitted by irlayout %s */\n", l->title, IRL_VERSION_STRING);
    const int has[] = { 1, o->uses_double, o->uses_half && l->halves, o->writes_volume };
    for (size_t k = 0; k < IRL__COUNTOF(has); k++)
        if (has[k] && l->heads[k]) irl__text_puts(&t, l->heads[k]);
    irl__text_putc(&t, '\n');
    if (irl__emit_prototypes(e, &t, 0)) irl__text_putc(&t, '\n');
    irl__emit_helpers(e, &t);
    irl__text_join(&t, &e->text);
    return irl__text_done(&t);
}

static int irl__ocl_kernels(irl__emit *e, const irl_module *m, irl_ocl_kernel *kernels)
{
    irl__emit_narrow_begin(e);
    if (!irl__emit_survey_host(e->unit) || !irl__emit_take_externs(e, 0)) return 0;
    for (int k = 0; k < m->kernel_count; k++) {
        kernels[k].name = irl__emit_take_name(e, m->kernels[k]->name);
        if (!kernels[k].name) return 0;
    }
    for (int k = 0; k < m->kernel_count; k++) {
        if (k) irl__text_putc(&e->text, '\n');
        irl__emit_func state;
        int            ok = irl__emit_func_begin(e, m->kernels[k], &state) &&
                 irl__ocl_kernel_text(e, m->kernels[k], &kernels[k]);
        irl__emit_func_end(e, &state);
        if (!ok) return 0;
    }
    return irl__ok(e->cx) && !e->text.failed;
}

const irl_ocl_program *irl__ocl_emit_in(const irl_module *m, irl__emit_language *language)
{
    irl_ocl_program *program;
    irl_ocl_kernel  *kernels;
    irl__emit        e;
    irl__emit_unit   o;
    const char      *types[IRL__SCALAR_COUNT];
    if (!m || !irl__ok(m->cx)) return NULL;
    program = IRL__NEW(m->cx, irl_ocl_program, 1);
    kernels = IRL__NEW(m->cx, irl_ocl_kernel, m->kernel_count);
    if (!program || !kernels) return NULL;
    if (!irl__emit_unit_begin(&o, m, "opencl12", language)) return NULL;
    if (o.target->halves) irl__ocl_with_halves(language, types);
    m = o.module;
    irl__arena_mark mark = irl__scratch_begin(m->cx);
    if (irl__emit_begin(&e, &o, "irl") && irl__ocl_kernels(&e, m, kernels))
        program->source = irl__ocl_assemble(&e);
    irl__scratch_end(m->cx, mark);
    program->kernel_count = m->kernel_count;
    program->kernels = kernels;
    return program->source ? program : NULL;
}

const irl_ocl_program *irl_ocl_emit(const irl_module *m)
{
    irl__emit_language language;
    irl__ocl_language(&language);
    return irl__ocl_emit_in(m, &language);
}

const char *irl_ocl_source(const irl_module *m)
{
    const irl_ocl_program *program = irl_ocl_emit(m);
    return program ? program->source : "";
}

/* ------------------------------------------------------------------ sizes, for hosts */

typedef struct irl__ocl_uses {
    const irl_ocl_program  *program;
    int                     count, is_launched;
    const irl_expr *const  *data;
    int                    *access;
} irl__ocl_uses;

static void irl__ocl_see_passed(void *user, int kernel, int k, const irl_expr *passed)
{
    const irl__ocl_uses *u = (const irl__ocl_uses *)user;
    for (int j = 0; j < u->count && (kernel >= 0 || !u->is_launched); j++)
        if (u->data[j] == passed)
            u->access[j] |= kernel < 0 ? (int)IRL_OCL_READ_WRITE
                                       : (int)u->program->kernels[kernel].arguments[k].access;
}

void irl__ocl_accesses(const irl_module *m, const irl_ocl_program *program, int count,
                       const irl_expr *const *data, int is_launched, int *access)
{
    irl__ocl_uses u;
    u.program = program;
    u.count = count;
    u.data = data;
    u.is_launched = is_launched;
    u.access = access;
    irl__see_launches(m, irl__ocl_see_passed, &u);
}

/* The kernel's index arguments, in their order. */
static irl__ocl_known irl__ocl_indices(const irl_ocl_kernel *kernel, const int64_t *indices)
{
    irl__ocl_known known;
    known.count = 0;
    for (int k = 0; indices && k < kernel->argument_count && known.count < IRL_MAX_ARGUMENTS; k++) {
        if (kernel->arguments[k].is_buffer || kernel->arguments[k].type.scalar != IRL_INDEX)
            continue;
        known.vars[known.count] = kernel->function->params[k].var;
        known.values[known.count] = indices[known.count];
        known.count++;
    }
    return known;
}

static int irl__ocl_size_of(irl_ctx *cx, const irl_ocl_kernel *kernel, const irl_expr *e,
                            const irl__ocl_known *known, int64_t *out)
{
    irl__fold_status status = irl__value_at(e, known->count, known->vars, known->values, out);
    if (status != IRL__FOLD_OK || *out < 0)
        return irl__fail(
            cx, status == IRL__FOLD_OVERFLOW ? IRL_ERROR_OVERFLOW : IRL_ERROR_ARGUMENT_MISMATCH,
            kernel->function->loc, "a size of kernel '%s' is not valid for these index arguments: "
                                   "%s",
            kernel->name, irl_expr_text(cx, e));
    return 1;
}

int irl__ocl_sizes(irl_ctx *cx, const irl_ocl_kernel *kernel, const irl__ocl_known *known,
                   size_t global[3], size_t local[3])
{
    int64_t value;
    for (int d = 0; d < 3; d++) {
        if (!irl__ocl_size_of(cx, kernel, kernel->global[d], known, &value)) return 0;
        if ((uint64_t)value > SIZE_MAX)
            return irl__fail(cx, IRL_ERROR_OVERFLOW, kernel->function->loc,
                             "kernel '%s' has %l work-items along one dimension", kernel->name,
                             value);
        global[d] = (size_t)value;
        local[d] = 0;
        if (!kernel->local[d]) continue;
        if (!irl__ocl_size_of(cx, kernel, kernel->local[d], known, &value)) return 0;
        local[d] = (size_t)value;
    }
    return 1;
}

int irl_ocl_kernel_sizes(irl_ctx *cx, const irl_ocl_kernel *kernel, const int64_t *indices,
                         size_t global[3], size_t local[3])
{
    if (!cx || !kernel) return 0;
    irl__ocl_known known = irl__ocl_indices(kernel, indices);
    return irl__ocl_sizes(cx, kernel, &known, global, local);
}

int irl__ocl_extents(irl_ctx *cx, const irl_ocl_kernel *kernel, int k, const irl__ocl_known *known,
                     int64_t *extent)
{
    for (int j = 0; j < kernel->arguments[k].rank; j++)
        if (!irl__ocl_size_of(cx, kernel, kernel->arguments[k].shape[j], known, &extent[j]))
            return 0;
    return 1;
}

/* Empty axes count as one element towards the limit: an extent of an empty buffer is no larger than
   others. */
int64_t irl__ocl_bytes(irl_ctx *cx, const irl_ocl_kernel *kernel, int k,
                       const irl__ocl_known *known)
{
    int64_t                 extent[IRL_MAX_RANK];
    int                     empty = 0;
    const irl_ocl_argument *a = &kernel->arguments[k];
    int64_t                 bytes = (int64_t)irl__type_bytes(a->type);
    if (!irl__ocl_extents(cx, kernel, k, known, extent)) return -1;
    for (int j = 0; j < a->rank; j++) {
        empty |= extent[j] == 0;
        if (!irl__mul64(bytes, extent[j] ? extent[j] : 1, &bytes) || bytes > kernel->buffer_bytes) {
            const int64_t most = kernel->buffer_bytes;
            irl__fail(cx, most == INT64_MAX ? IRL_ERROR_OVERFLOW : IRL_ERROR_TARGET_LIMIT,
                      kernel->function->loc,
                      "argument '%s' of kernel '%s' has more than %l bytes%s", a->name,
                      kernel->name, most,
                      most == INT64_MAX ? "" : ", the most that the indices of its target reach");
            return -1;
        }
    }
    if (kernel->function->params[k].buffer->bits) /* a product of bytes, so of no more bits */
        (void)irl__buffer_step_bytes(kernel->function->params[k].buffer,
                                     bytes / (int64_t)irl__type_bytes(a->type) *
                                         kernel->function->params[k].buffer->bits,
                                     &bytes);
    return empty ? 0 : bytes;
}

int64_t irl_ocl_kernel_bytes(irl_ctx *cx, const irl_ocl_kernel *kernel, int k,
                             const int64_t *indices)
{
    if (!cx || !kernel || k < 0 || k >= kernel->argument_count || !kernel->arguments[k].is_buffer)
        return -1;
    irl__ocl_known known = irl__ocl_indices(kernel, indices);
    return irl__ocl_bytes(cx, kernel, k, &known);
}
