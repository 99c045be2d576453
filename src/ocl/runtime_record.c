/* runtime_record.c - launches whose arguments are set: enqueued at once, or recorded to be enqueued
   many times.

   needs     runtime.c
   promises  a recorded launch keeps its kernels and its memory, until irl__runtime_record_end
             releases them; enqueueing allocates nothing and calls only the driver */
#include "runtime.h"

/* Room for one more in a list outside the arenas, which doubles. */
static int irl__record_grow(irl_ctx *cx, void **list, int count, int *room, size_t size)
{
    const size_t had = (size_t)*room * size;
    if (count < *room) return 1;
    if (*room > 1 << 20)
        return IRL__FAIL(cx, IRL_ERROR_TOO_LARGE, "the host function launches or allocates more "
                         "than %d times", *room);
    void *more = irl__raw_alloc(cx, had * 2 + 16 * size);
    if (!more) return 0;
    if (had) memcpy(more, *list, had);
    if (had) irl__raw_free(cx, *list, had);
    *list = more;
    *room = *room * 2 + 16;
    return 1;
}

int irl__runtime_record_launch(irl_ocl *cl, irl__runtime_record *r, const irl__runtime_launch *l)
{
    void *list = r->launches;
    if (!irl__record_grow(cl->cx, &list, r->count, &r->room, sizeof *l)) return 0;
    r->launches = (irl__runtime_launch *)list;
    if (!irl__runtime_ok(cl->cx, clRetainKernel(l->handle), "clRetainKernel")) return 0;
    r->launches[r->count++] = *l;
    return 1;
}

int irl__runtime_record_memory(irl_ocl *cl, irl__runtime_record *r, cl_mem memory)
{
    void *list = r->memories;
    if (!irl__record_grow(cl->cx, &list, r->memory_count, &r->memory_room, sizeof memory))
        return 0;
    r->memories = (cl_mem *)list;
    r->memories[r->memory_count++] = memory;
    return 1;
}

void irl__runtime_record_end(irl_ocl *cl, irl__runtime_record *r)
{
    for (int k = 0; k < r->count; k++) clReleaseKernel(r->launches[k].handle);
    for (int k = 0; k < r->memory_count; k++) irl__runtime_release(cl, r->memories[k]);
    if (r->room) irl__raw_free(cl->cx, r->launches, (size_t)r->room * sizeof *r->launches);
    if (r->memory_room)
        irl__raw_free(cl->cx, r->memories, (size_t)r->memory_room * sizeof *r->memories);
    memset(r, 0, sizeof *r);
}

/* What a kernel took on the device, once it has run. Releases the event. */
static int irl__record_time(irl_ocl *cl, cl_event event, uint64_t *nanoseconds)
{
    cl_ulong begin = 0, end = 0;
    const int ok =
        irl__runtime_ok(cl->cx, clWaitForEvents(1, &event), "clWaitForEvents") &&
        irl__runtime_ok(
            cl->cx,
            clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL),
            "clGetEventProfilingInfo") &&
        irl__runtime_ok(
            cl->cx,
            clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL),
            "clGetEventProfilingInfo");
    clReleaseEvent(event);
    *nanoseconds = end - begin;
    return ok;
}

int irl__runtime_enqueue(irl_ocl *cl, const irl__runtime_launch *l, uint64_t *nanoseconds)
{
    const cl_uint dimensions = (cl_uint)l->kernel->dimensions;
    cl_event      event = NULL, *made = nanoseconds ? &event : NULL;
    cl_int        status = clEnqueueNDRangeKernel(cl->queue, l->handle, dimensions, NULL, l->global,
                                                  l->local, 0, NULL, made);
    /* this kernel may take less than the device */
    if (!l->kernel->local_is_fixed &&
        (status == CL_INVALID_WORK_GROUP_SIZE || status == CL_INVALID_WORK_ITEM_SIZE))
        status = clEnqueueNDRangeKernel(cl->queue, l->handle, dimensions, NULL, l->global, NULL, 0,
                                        NULL, made);
    int ok = irl__runtime_ok(cl->cx, status, "clEnqueueNDRangeKernel");
    if (ok && cl->is_unordered)
        ok = irl__runtime_ok(cl->cx, clEnqueueBarrierWithWaitList(cl->queue, 0, NULL, NULL),
                             "clEnqueueBarrierWithWaitList");
    if (ok && nanoseconds) return irl__record_time(cl, event, nanoseconds);
    if (event) clReleaseEvent(event);
    return ok;
}
