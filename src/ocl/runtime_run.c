/* runtime_run.c - runs modules: the host function is interpreted, its launches go to the device.

   needs     runtime_build.c, runtime_pack.c
   promises  a device computes what the reference interpreter computes; the caller's arrays change
             only if everything succeeded, except for a failure while they are written back */
#include "runtime.h"

/* A host function that runs on a device, and its names. */
typedef struct irl__run_state {
    irl__host                host;
    irl_ocl_module          *b;
    irl_ctx                 *cx;
    int                      next_kernel; /* likely to be launched next */
    struct irl__run_adopted *adopted; /* memory that calls returned */
    irl__runtime_record     *record;  /* launches go there; NULL: to the queue */
} irl__run_state;

/* What a call returned, and the device's memory for it. */
typedef struct irl__run_adopted {
    cl_mem                   memory;
    irl_extern_value         from;
    int                      is_written; /* by a kernel: it goes back */
    struct irl__run_adopted *next;
} irl__run_adopted;

/* What a data pointer of the host stands for. */
static cl_mem irl__run_memory_of(const irl__host_name *name)
{
    return name ? (cl_mem)name->memory : NULL;
}

/* Scalar k of f, or the memory of buffer k: a cl_mem, which no IRL_ARGS takes. */
static int irl__run_bind_param(irl__run_state *r, const irl_func *f, int k,
                               const irl__passed *passed)
{
    const irl__param *p = &f->params[k];
    const void       *argument = passed->data[k];
    if (p->buffer && passed->size && passed->size[k])
        return irl__fail(r->cx, IRL_ERROR_ARGUMENT_MISMATCH, p->loc,
                         "argument %d, for %s, is an array; pass a cl_mem by IRL_POINTERS",
                         k, p->name);
    if (!p->buffer && !irl__argument_sized(f, passed, k)) return 0;
    if (!argument)
        return irl__fail(r->cx, IRL_ERROR_ARGUMENT_MISMATCH, p->loc,
                         "the argument for '%s' is NULL", p->name);
    irl__host_name *name = irl__host_add(&r->host, p->var);
    if (!name) return 0;
    if (p->buffer) memcpy(&name->memory, &argument, sizeof name->memory);
    else {
        name->data = argument;
        name->value = irl__load_scalar(irl__type_with_lanes(p->var->type, 1), argument);
    }
    return 1;
}

/* A module that is there; where it is not, lowering failed, and said so, or was not asked for. */
static int irl__run_has_module(const irl_ocl *cl, const irl_module *m)
{
    if (!cl || !irl__ok(cl->cx)) return 0;
    return m ? irl__runtime_takes(cl, m)
             : IRL__FAIL(cl->cx, IRL_ERROR_BAD_ARGUMENT, "the module is NULL");
}

static int irl__run_count_ok(const irl_module *m, int count)
{
    return irl__module_has_host(m) && irl__arguments_counted(m->host, count);
}

/* ------------------------------------------------------------------ launching */

/* An index where the target has no 64-bit integers: as a cl_int, if it is one. */
static int irl__run_narrow(irl__run_state *r, const irl_ocl_argument *a, unsigned char *bytes)
{
    int64_t value;
    memcpy(&value, bytes, sizeof value);
    if (value < INT32_MIN || value > INT32_MAX)
        return IRL__FAIL(r->cx, IRL_ERROR_ARGUMENT_MISMATCH, "index argument '%s' is %l, which "
                         "does not fit 32 bits; the kernel takes no wider indices", a->name, value);
    cl_int narrow = (cl_int)value;
    memcpy(bytes, &narrow, sizeof narrow);
    return 1;
}

/* Whether memory is what argument k takes, and large enough: where its extents are known for these
   index arguments, and it is compact. */
static int irl__run_memory_ok(irl__run_state *r, const irl_ocl_kernel *info, int k, cl_mem memory,
                              const irl__ocl_known *known)
{
    const irl_buffer *b = info->function->params[k].buffer;
    /* -1: more than the kernel can address */
    int64_t extent[IRL_MAX_RANK], size[IRL__TEXEL_AXES],
        bytes = irl__ocl_bytes(r->cx, info, k, known);
    char      what[160];
    irl__text t;
    if (bytes < 0 || !irl__ocl_extents(r->cx, info, k, known, extent)) return 0;
    irl__text_init_fixed(&t, what, sizeof what);
    irl__textf(&t, "'%s' of kernel '%s'", info->arguments[k].name, info->name);
    return irl__runtime_memory_ok(
        r->b->cl, b, r->cx->here, what, memory, b->strides ? 0 : bytes,
        irl__runtime_is_image(b) && irl__image_size(b, extent, size) ? size : NULL);
}

static int irl__run_set_argument(irl__run_state *r, const irl_ocl_kernel *info, cl_kernel kernel,
                                 int k, const irl_expr *e, const irl__ocl_known *known)
{
    const irl_ocl_argument *a = &info->arguments[k];
    if (!a->is_buffer) {
        /* Its bytes as OpenCL takes them. */
        unsigned char         bytes[IRL_MAX_LANES * 8];
        const irl__host_name *name = irl__host_find(&r->host, e);
        irl__scalar           value;
        memset(bytes, 0, sizeof bytes);
        if (name && name->data) memcpy(bytes, name->data, irl__type_bytes(a->type));
        else if (!irl__host_scalar(&r->host, e, &value)) return 0;
        else irl__store_scalar(a->type, bytes, value);
        if (irl__type_is_index(a->type) && a->bytes == 4 && !irl__run_narrow(r, a, bytes)) return 0;
        return irl__runtime_ok(r->cx, clSetKernelArg(kernel, (cl_uint)k, a->bytes, bytes),
                               "clSetKernelArg");
    }
    cl_mem memory = irl__run_memory_of(irl__host_find(&r->host, e));
    if (!memory)
        return irl__fail(r->cx, IRL_ERROR_ARGUMENT_MISMATCH, r->cx->here,
                         "kernel '%s' has no memory for '%s'", info->name, a->name);
    if (!irl__run_memory_ok(r, info, k, memory, known)) return 0;
    if (!a->image && irl__scope_is_image(a->scope) && /* the buffer below an image */
        !irl__runtime_ask_memory(r->b->cl, memory, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof memory,
                                 &memory))
        return 0;
    return irl__runtime_ok(r->cx, clSetKernelArg(kernel, (cl_uint)k, sizeof memory, &memory),
                           "clSetKernelArg");
}

/* One image as two arguments, of which the kernel writes one: OpenCL 1.2 leaves open what the other
   reads. */
static int irl__run_images_differ(irl__run_state *r, const irl_ocl_kernel *info, int count,
                                  const irl_expr *const *args)
{
    int j;
    for (int k = 0; k < count; k++)
        for (j = 0; irl__scope_is_image(info->arguments[k].scope) &&
                    (info->arguments[k].access & IRL_OCL_WRITE) && j < count;
             j++) {
            cl_mem a = irl__run_memory_of(irl__host_find(&r->host, args[k]));
            if (j == k || !info->arguments[j].is_buffer || !a ||
                info->arguments[j].access == IRL_OCL_UNUSED ||
                irl__run_memory_of(irl__host_find(&r->host, args[j])) != a)
                continue;
            return irl__fail(r->cx, IRL_ERROR_IMAGE_READ_WRITE, r->cx->here,
                             "kernel '%s' writes image '%s', which is its argument '%s' too",
                             info->name, info->arguments[k].name, info->arguments[j].name);
        }
    return 1;
}

/* A work-group of about 64 work-items, along x first: small ones cost an order of magnitude on a
   CPU, and waste a GPU. */
static void irl__run_choose_local(const irl_ocl *cl, const size_t global[3], size_t local[3])
{
    size_t most = cl->work_group < 64 ? cl->work_group : 64;
    for (int d = 0; d < 3; d++) {
        const size_t n = global[d];
        size_t       j = most < n ? most : n;
        while (j > 1 && n % j) j--;
        local[d] = j ? j : 1;
        most /= local[d];
    }
}

/* The memory of the host that a launch writes. */
static const char *irl__run_writes(const irl_ocl_kernel *info, const irl_expr *const *args)
{
    for (int k = 0; k < info->argument_count; k++)
        if (info->arguments[k].is_buffer && (info->arguments[k].access & IRL_OCL_WRITE))
            return args[k]->u.name;
    return "";
}

static int irl__run_enqueue(irl__run_state *r, irl__runtime_launch *l, const irl__ocl_known *known)
{
    irl_ocl *cl = r->b->cl;
    uint64_t took = 0;
    if (!irl__ocl_sizes(r->cx, l->kernel, known, l->global, l->local)) return 0;
    for (int d = 0; d < 3; d++)
        if (l->global[d] == 0) return 1; /* nothing to do; not every OpenCL takes 0 */
    if (!l->local[0] || (!l->kernel->local_is_fixed &&
                         l->local[0] * l->local[1] * l->local[2] > cl->work_group))
        irl__run_choose_local(cl, l->global, l->local);
    if (r->record) return irl__runtime_record_launch(cl, r->record, l);
    int ok = irl__runtime_enqueue(cl, l, r->b->is_timed ? &took : NULL);
    r->b->nanoseconds += took;
    return ok;
}

/* The module's kernel; for a record, which keeps arguments, a new one. NULL on failure. */
static cl_kernel irl__run_handle(irl__run_state *r, int number)
{
    cl_int status;
    if (!r->record) return r->b->kernels[number];
    cl_kernel handle = clCreateKernel(r->b->handle, r->b->program->kernels[number].name, &status);
    return irl__runtime_ok(r->cx, status, "clCreateKernel") ? handle : NULL;
}

static int irl__run_poison(irl__run_state *r, int count, const irl_expr *const *args)
{
    if (!r->b->cl->pretended.poisons || r->record) return 1;
    cl_mem *memory = IRL__SCRATCH(r->cx, cl_mem, count + 1);
    for (int k = 0; memory && k < count; k++)
        if (args[k]->type.is_pointer)
            memory[k] = irl__run_memory_of(irl__host_find(&r->host, args[k]));
    return memory && irl__runtime_poison(r->b, count, args, memory);
}

/* A kernel with the arguments that the expressions in `args` stand for. */
static int irl__run_kernel(irl__run_state *r, int number, int count, const irl_expr *const *args)
{
    const irl_ocl_kernel *info = &r->b->program->kernels[number];
    irl__ocl_known        known;
    irl__runtime_launch   l;
    int                   k, ok;
    known.count = 0;
    if (count != info->argument_count)
        return irl__fail(r->cx, IRL_ERROR_ARGUMENT_MISMATCH, r->cx->here,
                         "kernel '%s' takes %d arguments; found %d", info->name,
                         info->argument_count, count);
    for (k = 0; k < count; k++) {
        irl_type t = info->arguments[k].type;
        if (info->arguments[k].is_buffer || !irl__type_is_integer(t) || t.lanes != 1 ||
            known.count == IRL_MAX_ARGUMENTS)
            continue;
        known.vars[known.count] = info->function->params[k].var;
        if (!irl__host_number(&r->host, args[k], &known.values[known.count++])) return 0;
    }
    memset(&l, 0, sizeof l);
    l.kernel = info;
    l.writes = irl__run_writes(info, args);
    l.handle = irl__run_handle(r, number);
    for (ok = l.handle != NULL, k = 0; ok && k < count; k++)
        ok = irl__run_set_argument(r, info, l.handle, k, args[k], &known);
    ok = ok && irl__run_images_differ(r, info, count, args) && irl__run_poison(r, count, args) &&
         irl__run_enqueue(r, &l, &known);
    if (r->record && l.handle) clReleaseKernel(l.handle);
    return ok;
}

static int irl__run_launch(void *user, const irl_stmt *s)
{
    irl__run_state *r = (irl__run_state *)user;
    int             k = irl__launch_kernel(r->b->module, s, &r->next_kernel);
    if (k >= 0) return irl__run_kernel(r, k, s->u.launch.count, s->u.launch.args);
    return irl__fail(r->cx, IRL_ERROR_UNKNOWN_NAME, s->loc, "there is no kernel '%s'",
                     s->u.launch.kernel);
}

/* ------------------------------------------------------------------ the host function's device */

static void *irl__run_allocate(void *user, const irl_buffer *b)
{
    irl__run_state *r = (irl__run_state *)user;
    int64_t         elements = 1, extent[IRL_MAX_RANK], size[IRL__TEXEL_AXES];
    for (int k = 0; k < b->rank; k++) {
        if (!irl__host_number(&r->host, b->shape[k], &extent[k])) return NULL;
        if (extent[k] < 0 || !irl__mul64(elements, extent[k], &elements) ||
            (uint64_t)elements > SIZE_MAX / 2 / irl__type_bytes(b->type)) {
            irl__fail(r->cx, IRL_ERROR_OVERFLOW, b->loc,
                      "'%s' cannot be allocated: its size is not valid", b->name);
            return NULL;
        }
    }
    if (!irl__runtime_is_image(b))
        return irl__runtime_memory_for(r->b, b, (size_t)elements * irl__type_bytes(b->type));
    if (irl__image_size(b, extent, size)) return irl__runtime_image_for(r->b, b, size);
    irl__fail(r->cx, IRL_ERROR_BAD_STAGE, b->loc,
              "image '%s' has no rows and columns: it needs a separator", b->name);
    return NULL;
}

static void *irl__run_adopt(void *user, const irl_expr *var, const irl_extern_value *from)
{
    irl__run_state   *r = (irl__run_state *)user;
    irl__run_adopted *a = IRL__SCRATCH(r->cx, irl__run_adopted, 1);
    int               access = 0;
    if (!a) return NULL;
    a->memory = irl__runtime_memory(r->b->cl, from->bytes);
    if (!a->memory) return NULL;
    if (!irl__runtime_write(r->b->cl, a->memory, from->bytes, from->pointer)) {
        clReleaseMemObject(a->memory);
        return NULL;
    }
    a->from = *from;
    irl__ocl_accesses(r->b->module, r->b->program, 1, &var, 1, &access);
    a->is_written = (access & (int)IRL_OCL_WRITE) != 0;
    a->next = r->adopted;
    r->adopted = a;
    return a->memory;
}

/* Kernels that use it keep it. What a call returned goes back to where it was. */
static void irl__run_release(void *user, void *memory)
{
    irl__run_state   *r = (irl__run_state *)user;
    irl__run_adopted *a = r->adopted;
    if (r->record && irl__runtime_record_memory(r->b->cl, r->record, (cl_mem)memory)) return;
    if (a && (void *)a->memory == memory) { /* the last one that was taken goes first */
        r->adopted = a->next;
        if (a->is_written)
            (void)irl__runtime_read(r->b->cl, a->memory, a->from.bytes, a->from.pointer);
    }
    irl__runtime_release(r->b->cl, (cl_mem)memory);
}

static const irl__host_device irl__run_device = { irl__run_allocate, irl__run_adopt,
                                                  irl__run_release, irl__run_launch };

static void irl__run_begin(irl__run_state *r, irl_ocl_module *b)
{
    memset(r, 0, sizeof *r);
    r->b = b;
    r->cx = r->host.cx = b->cl->cx;
    r->host.device = &irl__run_device;
    r->host.user = r;
}

/* ----------------------------------------------------------- public: on memory of the device */

/* Kernels rely on that what they are given has no negative extent, and none beyond all memory. */
static int irl__run_extents_ok(irl__run_state *r)
{
    const irl_func *host = r->b->module->host;
    int64_t         extent;
    int             k;
    for (int j = 0; j < host->param_count; j++)
        for (k = 0; host->params[j].buffer && k < host->params[j].logical_rank; k++) {
            if (!irl__host_number(&r->host, host->params[j].logical_shape[k], &extent)) return 0;
            if (extent < 0 || extent > IRL__MOST_EXTENT)
                return irl__fail(r->cx, IRL_ERROR_ARGUMENT_MISMATCH, host->params[j].loc,
                                 "axis %d of '%s' would have %l elements", k, host->params[j].name,
                                 extent);
        }
    return 1;
}

/* What launches do to each parameter of the host: bits of irl_ocl_access. In scratch memory of the
   caller's; NULL on failure. */
static const int *irl__run_find_uses(const irl_ocl_module *b)
{
    const irl_func *host = b->module->host;
    const size_t    most = (size_t)host->param_count + 1;
    int *access = IRL__SCRATCH(b->cl->cx, int, most);
    const irl_expr **vars = IRL__SCRATCH(b->cl->cx, const irl_expr *, most);
    if (!access || !vars) return NULL;
    for (int k = 0; k < host->param_count; k++) vars[k] = host->params[k].var;
    irl__ocl_accesses(b->module, b->program, host->param_count, vars, 0, access);
    return access;
}

/* Kernels take buffers restrict: what is written may not be seen through another one. Of images see
   irl__run_images_differ. */
static int irl__run_apart(irl__run_state *r, int count, const irl__param *params,
                          const int *access)
{
    int a, b, apart = 1;
    for (a = 0; a < count; a++)
        for (b = a + 1; b < count; b++) {
            if (!params[a].buffer || !params[b].buffer || !access[a] || !access[b] ||
                !((access[a] | access[b]) & (int)IRL_OCL_WRITE) ||
                irl__runtime_is_image(params[a].buffer) || irl__runtime_is_image(params[b].buffer))
                continue;
            if (!irl__runtime_apart(
                    r->b->cl, irl__run_memory_of(irl__host_find(&r->host, params[a].var)),
                    irl__run_memory_of(irl__host_find(&r->host, params[b].var)), &apart))
                return 0;
            if (!apart)
                return irl__fail(r->cx, IRL_ERROR_ARGUMENT_MISMATCH, params[b].loc,
                                 "%s and %s overlap, and %s is written", params[a].name,
                                 params[b].name,
                                 params[access[a] & (int)IRL_OCL_WRITE ? a : b].name);
        }
    return 1;
}

int irl__runtime_execute(irl_ocl_module *b, const irl__passed *passed, irl__runtime_record *record)
{
    irl__run_state r;
    int            k, ok;
    if (!irl__ok(b->cl->cx) || !irl__run_count_ok(b->module, passed->count)) return 0;
    irl__run_begin(&r, b);
    r.record = record;
    irl__arena_mark mark = irl__scratch_begin(r.cx);
    for (ok = 1, k = 0; ok && k < passed->count; k++)
        ok = irl__run_bind_param(&r, b->module->host, k, passed);
    const int *access = irl__run_find_uses(b);
    ok = ok && access && irl__run_extents_ok(&r) &&
         irl__run_apart(&r, passed->count, b->module->host->params, access) &&
         irl__runtime_plan_for(b, &r.host) && irl__host_run(&r.host, b->module->host->body);
    irl__scratch_end(r.cx, mark);
    return ok;
}

int irl_ocl_module_execute(irl_ocl_module *b, irl_arguments arguments)
{
    irl__passed passed;
    return b && irl__ok(b->cl->cx) && irl__passed_take(b->cl->cx, &arguments, &passed) &&
           irl__runtime_execute(b, &passed, NULL);
}

int irl_ocl_module_launch(irl_ocl_module *b, int kernel, irl_arguments arguments)
{
    irl__run_state  r;
    irl__passed     passed;
    const irl_expr *vars[IRL_MAX_ARGUMENTS];
    int             access[IRL_MAX_ARGUMENTS], k, ok = 1;
    if (!b || !irl__ok(b->cl->cx)) return 0;
    if (kernel < 0 || kernel >= b->kernel_count)
        return IRL__FAIL(b->cl->cx, IRL_ERROR_BAD_ARGUMENT, "the program has %d kernels; there is "
                         "no number %d", b->kernel_count, kernel);
    const irl_ocl_kernel *info = &b->program->kernels[kernel];
    if (!irl__passed_take(b->cl->cx, &arguments, &passed)) return 0;
    if (arguments.count != info->argument_count)
        return IRL__FAIL(b->cl->cx, IRL_ERROR_ARGUMENT_MISMATCH, "kernel '%s' takes %d arguments; "
                         "found %d", info->name, info->argument_count, arguments.count);
    irl__run_begin(&r, b);
    irl__arena_mark mark = irl__scratch_begin(r.cx);
    for (k = 0; ok && k < arguments.count; k++) {
        vars[k] = info->function->params[k].var;
        access[k] = (int)info->arguments[k].access;
        ok = irl__run_bind_param(&r, info->function, k, &passed);
    }
    ok = ok && irl__run_apart(&r, arguments.count, info->function->params, access) &&
         irl__run_kernel(&r, kernel, arguments.count, vars);
    irl__scratch_end(r.cx, mark);
    return ok;
}

int irl_ocl_finish(irl_ocl *cl)
{
    return cl && irl__ok(cl->cx) && irl__runtime_ok(cl->cx, clFinish(cl->queue), "clFinish");
}

int irl__runtime_takes_times(irl_ocl *cl, int repeats)
{
    cl_command_queue_properties properties = 0;
    if (!irl__ok(cl->cx)) return 0;
    if (repeats < 1)
        return IRL__FAIL(cl->cx, IRL_ERROR_BAD_ARGUMENT, "the number of runs to time must be 1 or "
                         "more; found %d", repeats);
    if (!irl__runtime_ask_queue(cl, cl->queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties))
        return 0;
    return (properties & CL_QUEUE_PROFILING_ENABLE) != 0 ||
           IRL__FAIL(cl->cx, IRL_ERROR_BAD_ARGUMENT, "the device's queue does not measure times: "
                     "irl_ocl_desc.profiling was 0 when it was opened");
}

int64_t irl_ocl_module_time(irl_ocl_module *b, irl_arguments arguments, int repeats)
{
    int64_t least = -1;
    int     k, ok = b != NULL && irl__runtime_takes_times(b->cl, repeats);
    if (ok) b->is_timed = 1;
    for (k = 0; ok && k < repeats; k++) {
        b->nanoseconds = 0;
        ok = irl_ocl_module_execute(b, arguments) && irl_ocl_finish(b->cl);
        if (ok && (least < 0 || (int64_t)b->nanoseconds < least)) least = (int64_t)b->nanoseconds;
    }
    if (b) b->is_timed = 0;
    return ok ? least : -1;
}

/* ------------------------------------------------------------- public: memory for parameters */

static int irl__run_param(irl_ocl *cl, const irl_module *m, int k, const irl_arguments *arguments,
                          irl__passed *passed, irl__runtime_param *p)
{
    if (!irl__run_has_module(cl, m) || !irl__passed_take(cl->cx, arguments, passed)) return 0;
    if (!m->host || k < 0 || k >= m->host->param_count || !m->host->params[k].buffer)
        return IRL__FAIL(cl->cx, IRL_ERROR_BAD_ARGUMENT, "parameter %d of the module is not a "
                         "buffer", k);
    return irl__scalars_sized(m->host, passed) &&
           irl__runtime_param_make(m->host, k, passed, p);
}

/* The array and the memory that are copied from one to the other. */
static int irl__run_both_ok(irl_ocl *cl, const irl_module *m, const irl__runtime_param *p, int k,
                            const irl__passed *arguments, cl_mem memory)
{
    char      what[96];
    irl__text t;
    if (k >= arguments->count || !arguments->data[k])
        return irl__fail(cl->cx, IRL_ERROR_ARGUMENT_MISMATCH, p->param->loc,
                         "the array for '%s', argument %d, is NULL", p->param->name, k);
    if (!irl__argument_sized(m->host, arguments, k)) return 0;
    irl__text_init_fixed(&t, what, sizeof what);
    irl__textf(&t, "'%s'", p->param->name);
    return irl__runtime_memory_ok(cl, p->param->buffer, p->param->loc, what, memory,
                                  (int64_t)irl__runtime_param_bytes(p),
                                  irl__runtime_is_image(p->param->buffer) ? p->image : NULL);
}

struct _cl_mem *irl_ocl_memory_create(irl_ocl *cl, const irl_module *m, int k,
                                      irl_arguments arguments)
{
    irl__runtime_param p;
    irl__passed        passed;
    return irl__run_param(cl, m, k, &arguments, &passed, &p) ? irl__runtime_param_memory(cl, &p)
                                                             : NULL;
}

int irl_ocl_memory_upload(irl_ocl *cl, const irl_module *m, int k, irl_arguments arguments,
                          struct _cl_mem *memory)
{
    irl__runtime_param p;
    irl__passed        passed;
    return irl__run_param(cl, m, k, &arguments, &passed, &p) &&
           irl__run_both_ok(cl, m, &p, k, &passed, memory) &&
           irl__runtime_upload(cl, &p, arguments.data[k], memory);
}

int irl_ocl_memory_download(irl_ocl *cl, const irl_module *m, int k, irl_arguments arguments,
                            struct _cl_mem *memory)
{
    irl__runtime_param p;
    irl__passed        passed;
    void              *data;
    if (!irl__run_param(cl, m, k, &arguments, &passed, &p) ||
        !irl__run_both_ok(cl, m, &p, k, &passed, memory))
        return 0;
    memcpy(&data, &arguments.data[k], sizeof data);
    return irl__runtime_download(cl, &p, data, memory);
}

void irl_ocl_memory_destroy(struct _cl_mem *memory)
{
    if (memory) clReleaseMemObject(memory);
}

/* ------------------------------------------------------------------ public: on logical arrays */

/* The program among those that were built before, or a new one in the place of the oldest. */
static irl_ocl_module *irl__run_built(irl_ocl *cl, const irl_module *m)
{
    const irl_ocl_program *program = irl_ocl_emit(m);
    irl_ocl_module        *b;
    if (!program) return NULL;
    for (int k = 0; k < IRL__RUNTIME_KEPT; k++) {
        b = cl->kept[k];
        if (!b || strcmp(b->source, program->source) != 0) continue;
        b->module = m;
        b->program = program;
        return b;
    }
    b = irl__runtime_build(cl, m, program);
    if (!b) return NULL;
    irl_ocl_module_destroy(cl->kept[cl->next_kept]);
    cl->kept[cl->next_kept] = b;
    cl->next_kept = (cl->next_kept + 1) % IRL__RUNTIME_KEPT;
    return b;
}

static int irl__run_upload_all(irl_ocl_module *b, const irl__passed *logical,
                               irl__runtime_param *params, const void **device)
{
    const irl_func *host = b->module->host;
    for (int k = 0; k < host->param_count; k++) {
        if (!logical->data[k])
            return irl__fail(host->cx, IRL_ERROR_ARGUMENT_MISMATCH, host->params[k].loc,
                             "the argument for '%s' is NULL", host->params[k].name);
        if (!host->params[k].buffer) continue;
        if (!irl__runtime_param_make(host, k, logical, &params[k])) return 0;
        cl_mem memory = irl__runtime_param_memory(b->cl, &params[k]);
        if (!memory) return 0;
        device[k] = memory;
        if (!irl__runtime_upload(b->cl, &params[k], logical->data[k], memory)) return 0;
    }
    return 1;
}

static int irl__run_download_all(irl_ocl_module *b, const irl__passed *logical,
                                 const irl__runtime_param *params, const void *const *device)
{
    const irl_func *host = b->module->host;
    const int      *access = irl__run_find_uses(b);
    for (int k = 0; access && k < host->param_count; k++) {
        void  *data;
        cl_mem memory;
        if (!host->params[k].buffer || !(access[k] & (int)IRL_OCL_WRITE)) continue;
        memcpy(&data, &logical->data[k], sizeof data);
        memcpy(&memory, &device[k], sizeof memory);
        if (!irl__runtime_download(b->cl, &params[k], data, memory)) return 0;
    }
    return access != NULL;
}

static int irl__run_logical(irl_ocl_module *b, const irl__passed *logical)
{
    const irl_func *host = b->module->host;
    irl__runtime_param *params = IRL__SCRATCH(host->cx, irl__runtime_param, host->param_count + 1);
    const void        **data = IRL__SCRATCH(host->cx, const void *, host->param_count + 1);
    irl__passed device = *logical;
    int         ok;
    if (!params || !data) return 0;
    for (int k = 0; k < host->param_count; k++)
        if (!host->params[k].buffer) data[k] = logical->data[k];
    device.data = data;
    device.size = NULL; /* those of scalars have been looked at */
    ok = irl__run_upload_all(b, logical, params, data) && irl__runtime_execute(b, &device, NULL) &&
         irl_ocl_finish(b->cl) && irl__run_download_all(b, logical, params, data);
    clFinish(b->cl->queue); /* nothing of ours runs on when the memory goes */
    for (int k = 0; k < host->param_count; k++) {
        cl_mem memory;
        memcpy(&memory, &data[k], sizeof memory);
        if (host->params[k].buffer && memory)
            irl__runtime_spare(b->cl, memory, irl__image_of(host->params[k].buffer));
    }
    return ok;
}

static int irl__run_passed(irl_ocl *cl, const irl_module *m, const irl__passed *passed)
{
    if (!irl__run_count_ok(m, passed->count) || !irl__arguments_sized(m->host, passed)) return 0;
    irl_ocl_module *b = irl__run_built(cl, m);
    if (!b) return 0;
    irl__arena_mark mark = irl__scratch_begin(cl->cx);
    int             ok = irl__run_logical(b, passed);
    irl__scratch_end(cl->cx, mark);
    irl__runtime_forget(b); /* the module may go before the program that is kept */
    return ok;
}

int irl_ocl_run(irl_ocl *cl, const irl_module *m, irl_arguments arguments)
{
    irl__passed passed;
    return irl__run_has_module(cl, m) && irl__passed_take(cl->cx, &arguments, &passed) &&
           irl__run_passed(cl, m, &passed);
}

/* -------------------------------------------------- public: on arguments that can be checked */

int irl_ocl_run_tensors(irl_ocl *cl, const irl_module *m, int count, const irl_tensor *tensors)
{
    irl__passed passed;
    int         ok;
    if (!irl__run_has_module(cl, m) || !irl__module_has_host(m)) return 0;
    irl__arena_mark mark = irl__scratch_begin(cl->cx);
    ok = irl__check_tensors(m->host, m, count, tensors, &passed) &&
         irl__run_passed(cl, m, &passed);
    irl__scratch_end(cl->cx, mark);
    return ok;
}
