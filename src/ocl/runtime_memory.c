/* runtime_memory.c - memory of the temporaries that a module's host allocates: those that no launch
   uses at the same time share one buffer of the device, as the plan of the module says.

   needs     src/plan/module.c and hold.c; runtime.c, runtime_formats.c
   promises  it is made once for the values of the index parameters, and kept until the module is
             destroyed or run with other values. A temporary is a sub-buffer, whose offset the
             device allows; nothing is shared where a pool is larger than a buffer of the device may
             be. The memory of the plan is freed
   cost      the plan, for new values; else a search for each allocation */
#include "runtime.h"

void irl__runtime_forget(irl_ocl_module *b)
{
    irl__runtime_plan *p = &b->plan;
    irl_ctx           *cx = b->cl->cx;
    for (int k = 0; p->parts && k < p->count; k++)
        if (p->parts[k]) clReleaseMemObject(p->parts[k]); /* kernels in the queue keep it */
    for (int k = 0; p->pools && k < p->pool_count; k++)
        if (p->pools[k].memory)
            irl__runtime_spare(b->cl, p->pools[k].memory,
                               p->pools[k].size[0] ? IRL__IMAGE_2D : IRL__IMAGE_NONE);
    irl__raw_free(cx, p->list, (size_t)p->count * sizeof *p->list + 1);
    irl__raw_free(cx, p->parts, (size_t)p->count * sizeof *p->parts + 1);
    irl__raw_free(cx, p->pools, (size_t)p->pool_count * sizeof *p->pools + 1);
    irl__raw_free(cx, p->values, (size_t)p->value_count * sizeof *p->values + 1);
    memset(p, 0, sizeof *p);
}

/* ------------------------------------------------------------------ what it is planned for */

/* The integers among the parameters, which sizes are made of. */
static irl_value *irl__memory_values(const irl__host *h, const irl_func *host, int *count)
{
    irl_value *values = IRL__SCRATCH(h->cx, irl_value, host->param_count + 1);
    int k;
    for (k = 0, *count = 0; values && k < host->param_count; k++) {
        const irl__param     *p = &host->params[k];
        const irl__host_name *name = irl__host_find(h, p->var);
        if (p->buffer || !name || p->var->type.lanes != 1 || !irl__type_is_integer(p->var->type))
            continue;
        values[*count].var = p->var;
        values[(*count)++].value = name->value.i;
    }
    return values;
}

static int irl__memory_is_planned(const irl__runtime_plan *p, const irl_value *values, int count)
{
    if (!p->list || p->value_count != count) return 0;
    for (int k = 0; k < count; k++)
        if (p->values[k].var != values[k].var || p->values[k].value != values[k].value) return 0;
    return 1;
}

/* ------------------------------------------------------------------ the plan */

static void *irl__memory_room(irl_ctx *cx, int count, size_t bytes)
{
    const size_t all = (size_t)count * bytes + 1;
    void        *room = irl__raw_alloc(cx, all);
    if (room) memset(room, 0, all);
    return room;
}

/* Copies what outlives the plan; a pool that the device has no buffer for is none. */
static int irl__memory_keep(irl__runtime_plan *p, irl_ctx *cx, const irl_module_plan *plan,
                            const irl__planned *list, cl_ulong most)
{
    p->list = (irl__planned *)irl__memory_room(cx, plan->count, sizeof *p->list);
    if (!p->list) return 0;
    p->count = plan->count;
    p->parts = (cl_mem *)irl__memory_room(cx, plan->count, sizeof *p->parts);
    if (!p->parts) return 0;
    p->pools = (irl__runtime_pool *)irl__memory_room(cx, plan->pool_count, sizeof *p->pools);
    if (!p->pools) return 0;
    p->pool_count = plan->pool_count;
    p->launch_count = plan->launch_count;
    for (int k = 0; k < plan->pool_count; k++) {
        p->pools[k].bytes = plan->pools[k].bytes;
        p->pools[k].size[0] = plan->pools[k].width;
        p->pools[k].size[1] = plan->pools[k].height;
        p->pools[k].size[2] = 1;
    }
    for (int k = 0; k < plan->count; k++) {
        irl__planned *one = &p->list[k];
        *one = list[k];
        one->out.size = NULL; /* the context's, as the place: both go */
        one->out.place = NULL;
        if (one->out.pool >= 0 && !p->pools[one->out.pool].size[0] &&
            ((uint64_t)p->pools[one->out.pool].bytes > most ||
             (uint64_t)p->pools[one->out.pool].bytes > SIZE_MAX / 2))
            one->out.pool = -1;
    }
    return 1;
}

static int irl__memory_plan(irl_ocl_module *b, const irl_value *values, int count)
{
    irl__runtime_plan *p = &b->plan;
    irl_ctx           *cx = b->cl->cx;
    irl__planned      *list = NULL;
    irl_plan_options   how;
    cl_ulong           most = 0;
    irl__runtime_forget(b);
    memset(&how, 0, sizeof how);
    /* What the device asks of the offset of a part, and the most bytes of a buffer. */
    irl_ocl *cl = b->cl;
    cl_uint  bits = 0;
    if (!irl__runtime_ask(cl, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits) ||
        !irl__runtime_ask(cl, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most))
        return 0;
    for (how.align = 128; how.align < (int64_t)(bits / 8); how.align *= 2) {
    }
    how.values = values;
    how.value_count = count;
    p->values = (irl_value *)irl__memory_room(cx, count, sizeof *values);
    if (!p->values) return 0;
    p->value_count = count;
    if (count) memcpy(p->values, values, (size_t)count * sizeof *values);
    irl_mark               mark = irl_ctx_mark(cx);
    const irl_module_plan *plan = irl__plan_of(b->module, &how, &list);
    if (!plan || !irl__memory_keep(p, cx, plan, list, most)) {
        irl__runtime_forget(b);
        return 0;
    }
    irl_ctx_rewind(cx, mark);
    return 1;
}

int irl__runtime_plan_for(irl_ocl_module *b, const irl__host *h)
{
    int count;
    if (!irl__stmt_holds(b->module->host->body, 1u << IRL__ALLOC)) return 1;
    irl_value *values = irl__memory_values(h, b->module->host, &count);
    if (!values) return 0;
    if (!irl__memory_is_planned(&b->plan, values, count))
        return irl__memory_plan(b, values, count);
    for (int k = 0; k < b->plan.count; k++) b->plan.list[k].holds = 0;
    return 1;
}

/* ------------------------------------------------------------------ while it runs */

static cl_mem irl__memory_part(irl_ocl_module *b, const irl__planned *one)
{
    irl__runtime_pool *pool = &b->plan.pools[one->out.pool];
    cl_buffer_region   region;
    cl_mem             part;
    cl_int             status;
    if (!pool->memory) pool->memory = irl__runtime_memory(b->cl, (size_t)pool->bytes);
    if (!pool->memory) return NULL;
    region.origin = (size_t)one->out.offset;
    region.size = (size_t)one->out.bytes;
    part = clCreateSubBuffer(pool->memory, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                             &region, &status);
    return irl__runtime_ok(b->cl->cx, status, "clCreateSubBuffer") ? part : NULL;
}

static cl_mem irl__memory_retained(irl_ocl_module *b, cl_mem memory)
{
    return memory && irl__runtime_ok(b->cl->cx, clRetainMemObject(memory), "clRetainMemObject")
               ? memory
               : NULL;
}

cl_mem irl__runtime_memory_for(irl_ocl_module *b, const irl_buffer *of, size_t bytes)
{
    irl__runtime_plan *p = &b->plan;
    irl__planned      *one = irl__plan_find(p->list, p->count, of);
    if (!one || !one->out.bytes || (uint64_t)one->out.bytes != bytes)
        return irl__runtime_memory(b->cl, bytes);
    one->holds = 0;
    cl_mem *part = &p->parts[one - p->list];
    if (!*part) *part = irl__memory_part(b, one);
    return irl__memory_retained(b, *part);
}

cl_mem irl__runtime_image_for(irl_ocl_module *b, const irl_buffer *of, const int64_t *size)
{
    irl__runtime_plan *p = &b->plan;
    irl__planned      *one = irl__plan_find(p->list, p->count, of);
    irl__runtime_pool *pool = one ? &p->pools[one->out.pool] : NULL;
    int64_t            most[IRL__TEXEL_AXES];
    if (!irl__runtime_image_limits(b->cl, IRL__IMAGE_2D, most)) return NULL;
    /* Pools go by what the target promises: may the device's images be so large? */
    if (!pool || pool->size[0] < size[0] || pool->size[1] < size[1] || size[2] != 1 ||
        pool->size[0] > most[0] || pool->size[1] > most[1])
        return irl__runtime_image(b->cl, of, size);
    one->holds = 0;
    if (!pool->memory) pool->memory = irl__runtime_image(b->cl, of, pool->size);
    return irl__memory_retained(b, pool->memory);
}

static int irl__memory_lost(void *user, const irl__planned *one)
{
    static const    unsigned char poison = 0xa5;
    irl_ocl_module *b = (irl_ocl_module *)user;
    const cl_mem    part = b->plan.parts[one - b->plan.list];
    if (!part) {
        /* Texels that no test expects; those of normalised formats are 1. */
        const float color[4] = { 12345.0f, 12345.0f, 12345.0f, 12345.0f };
        /* integers: its bits */
        const size_t from[3] = { 0, 0, 0 };
        size_t       size[3];
        for (int k = 0; k < 3; k++) size[k] = (size_t)b->plan.pools[one->out.pool].size[k];
        return irl__runtime_ok(b->cl->cx,
                               clEnqueueFillImage(b->cl->queue, b->plan.pools[one->out.pool].memory,
                                                  color, from, size, 0, NULL, NULL),
                               "clEnqueueFillImage");
    }
    return irl__runtime_ok(b->cl->cx,
                           clEnqueueFillBuffer(b->cl->queue, part, &poison, 1, 0,
                                               (size_t)one->out.bytes, 0, NULL, NULL),
                           "clEnqueueFillBuffer");
}

int irl__runtime_poison_dead(irl_ocl_module *b, int launch)
{
    irl__runtime_plan *p = &b->plan;
    for (int k = 0; b->cl->pretended.poisons && k < p->count; k++) {
        const irl__planned *one = &p->list[k];
        if (one->out.last != launch || one->out.pool < 0 || !one->only_launched) continue;
        if ((p->parts[k] ||
             (p->pools[one->out.pool].size[0] && p->pools[one->out.pool].memory)) &&
            !irl__memory_lost(b, one))
            return 0;
    }
    return 1;
}

/* Is this the memory that a temporary has a part of? An image is all of it, so its name counts. */
static int irl__memory_is_of(const irl__runtime_plan *p, int k, const irl_expr *name,
                             cl_mem memory)
{
    const irl__planned *one = &p->list[k];
    if (p->parts[k]) return p->parts[k] == memory;
    return one->out.pool >= 0 && one->only_launched && one->buffer->data == name &&
           p->pools[one->out.pool].size[0] && p->pools[one->out.pool].memory == memory;
}

int irl__runtime_poison(irl_ocl_module *b, int count, const irl_expr *const *names,
                        const cl_mem *memory)
{
    irl__runtime_plan *p = &b->plan;
    irl__planned     **touched;
    int                k, j, n = 0;
    if (!p->count || !b->cl->pretended.poisons) return 1;
    touched = IRL__SCRATCH(b->cl->cx, irl__planned *, count + 1);
    if (!touched) return 0;
    for (k = 0; k < count; k++)
        for (j = 0; memory[k] && j < p->count; j++)
            if (irl__memory_is_of(p, j, names[k], memory[k]) &&
                (!n || touched[n - 1] != &p->list[j]))
                touched[n++] = &p->list[j];
    return irl__plan_hold(p->list, p->count, n, touched, irl__memory_lost, b);
}
