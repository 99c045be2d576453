/* runtime.c - devices: finding, opening and closing one; and the names of the statuses of OpenCL.

   needs     the OpenCL loader
   promises  a missing device is a diagnostic like any other */
#include "runtime.h"

/* ------------------------------------------------------------------ statuses */

typedef struct irl__runtime_status {
    cl_int      status;
    const char *name;
} irl__runtime_status;

static const irl__runtime_status irl__runtime_statuses[] = {
    { -1, "CL_DEVICE_NOT_FOUND" },
    { -2, "CL_DEVICE_NOT_AVAILABLE" },
    { -3, "CL_COMPILER_NOT_AVAILABLE" },
    { -4, "CL_MEM_OBJECT_ALLOCATION_FAILURE" },
    { -5, "CL_OUT_OF_RESOURCES" },
    { -6, "CL_OUT_OF_HOST_MEMORY" },
    { -7, "CL_PROFILING_INFO_NOT_AVAILABLE" },
    { -8, "CL_MEM_COPY_OVERLAP" },
    { -9, "CL_IMAGE_FORMAT_MISMATCH" },
    { -10, "CL_IMAGE_FORMAT_NOT_SUPPORTED" },
    { -11, "CL_BUILD_PROGRAM_FAILURE" },
    { -12, "CL_MAP_FAILURE" },
    { -13, "CL_MISALIGNED_SUB_BUFFER_OFFSET" },
    { -14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST" },
    { -15, "CL_COMPILE_PROGRAM_FAILURE" },
    { -16, "CL_LINKER_NOT_AVAILABLE" },
    { -17, "CL_LINK_PROGRAM_FAILURE" },
    { -18, "CL_DEVICE_PARTITION_FAILED" },
    { -19, "CL_KERNEL_ARG_INFO_NOT_AVAILABLE" },
    { -30, "CL_INVALID_VALUE" },
    { -31, "CL_INVALID_DEVICE_TYPE" },
    { -32, "CL_INVALID_PLATFORM" },
    { -33, "CL_INVALID_DEVICE" },
    { -34, "CL_INVALID_CONTEXT" },
    { -35, "CL_INVALID_QUEUE_PROPERTIES" },
    { -36, "CL_INVALID_COMMAND_QUEUE" },
    { -37, "CL_INVALID_HOST_PTR" },
    { -38, "CL_INVALID_MEM_OBJECT" },
    { -39, "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR" },
    { -40, "CL_INVALID_IMAGE_SIZE" },
    { -41, "CL_INVALID_SAMPLER" },
    { -42, "CL_INVALID_BINARY" },
    { -43, "CL_INVALID_BUILD_OPTIONS" },
    { -44, "CL_INVALID_PROGRAM" },
    { -45, "CL_INVALID_PROGRAM_EXECUTABLE" },
    { -46, "CL_INVALID_KERNEL_NAME" },
    { -47, "CL_INVALID_KERNEL_DEFINITION" },
    { -48, "CL_INVALID_KERNEL" },
    { -49, "CL_INVALID_ARG_INDEX" },
    { -50, "CL_INVALID_ARG_VALUE" },
    { -51, "CL_INVALID_ARG_SIZE" },
    { -52, "CL_INVALID_KERNEL_ARGS" },
    { -53, "CL_INVALID_WORK_DIMENSION" },
    { -54, "CL_INVALID_WORK_GROUP_SIZE" },
    { -55, "CL_INVALID_WORK_ITEM_SIZE" },
    { -56, "CL_INVALID_GLOBAL_OFFSET" },
    { -57, "CL_INVALID_EVENT_WAIT_LIST" },
    { -58, "CL_INVALID_EVENT" },
    { -59, "CL_INVALID_OPERATION" },
    { -60, "CL_INVALID_GL_OBJECT" },
    { -61, "CL_INVALID_BUFFER_SIZE" },
    { -62, "CL_INVALID_MIP_LEVEL" },
    { -63, "CL_INVALID_GLOBAL_WORK_SIZE" },
    { -64, "CL_INVALID_PROPERTY" },
    { -65, "CL_INVALID_IMAGE_DESCRIPTOR" },
    { -66, "CL_INVALID_COMPILER_OPTIONS" },
    { -67, "CL_INVALID_LINKER_OPTIONS" },
    { -68, "CL_INVALID_DEVICE_PARTITION_COUNT" },
    { -1001, "CL_PLATFORM_NOT_FOUND_KHR" },
};

static const char *irl__runtime_status_name(cl_int status)
{
    for (size_t k = 0; k < IRL__COUNTOF(irl__runtime_statuses); k++)
        if (irl__runtime_statuses[k].status == status) return irl__runtime_statuses[k].name;
    return "an unknown status";
}

int irl__runtime_ok(irl_ctx *cx, cl_int status, const char *call)
{
    if (status == CL_SUCCESS) return 1;
    return IRL__FAIL(cx, IRL_ERROR_DEVICE_ERROR, "%s returned %s (%d)", call,
                     irl__runtime_status_name(status), (int)status);
}

int irl__runtime_ask(irl_ocl *cl, cl_device_info what, size_t bytes, void *out)
{
    return irl__runtime_ok(cl->cx, clGetDeviceInfo(cl->device, what, bytes, out, NULL),
                           "clGetDeviceInfo");
}

int irl__runtime_ask_memory(irl_ocl *cl, cl_mem memory, cl_mem_info what, size_t bytes, void *out)
{
    return irl__runtime_ok(cl->cx, clGetMemObjectInfo(memory, what, bytes, out, NULL),
                           "clGetMemObjectInfo");
}

int irl__runtime_ask_queue(irl_ocl *cl, cl_command_queue queue, cl_command_queue_info what,
                           size_t bytes, void *out)
{
    return irl__runtime_ok(cl->cx, clGetCommandQueueInfo(queue, what, bytes, out, NULL),
                           "clGetCommandQueueInfo");
}

int irl__runtime_write(irl_ocl *cl, cl_mem memory, size_t bytes, const void *from)
{
    return irl__runtime_ok(
        cl->cx, clEnqueueWriteBuffer(cl->queue, memory, CL_TRUE, 0, bytes, from, 0, NULL, NULL),
        "clEnqueueWriteBuffer");
}

int irl__runtime_read(irl_ocl *cl, cl_mem memory, size_t bytes, void *to)
{
    return irl__runtime_ok(
        cl->cx, clEnqueueReadBuffer(cl->queue, memory, CL_TRUE, 0, bytes, to, 0, NULL, NULL),
        "clEnqueueReadBuffer");
}

int irl__runtime_takes(const irl_ocl *cl, const irl_module *m)
{
    if (!m) return 0;
    return m->cx == cl->cx ||
           IRL__FAIL(cl->cx, IRL_ERROR_BAD_ARGUMENT, "module '%s' is of another irl_ctx than the "
                     "device", m->name ? m->name : "");
}

char *irl__runtime_copy(irl_ctx *cx, const char *text, size_t bytes)
{
    char *copy = (char *)irl__raw_alloc(cx, bytes);
    if (copy) memcpy(copy, text, bytes);
    return copy;
}

/* ------------------------------------------------------------------ finding a device */

enum { IRL__RUNTIME_MOST = 32, IRL__RUNTIME_NAME = 256 };

/* Whether a part is in a name, or none is asked for. */
static int irl__runtime_contains(const char *name, const char *part)
{
    return !part || strstr(name, part) != NULL;
}

/* The name of a device that can be used; 0: it cannot. */
static int irl__runtime_device_name(cl_device_id device, char name[IRL__RUNTIME_NAME])
{
    cl_bool available = CL_FALSE, compiler = CL_FALSE;
    memset(name, 0, IRL__RUNTIME_NAME);
    clGetDeviceInfo(device, CL_DEVICE_AVAILABLE, sizeof available, &available, NULL);
    clGetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof compiler, &compiler, NULL);
    return available && compiler &&
           clGetDeviceInfo(device, CL_DEVICE_NAME, IRL__RUNTIME_NAME - 1, name, NULL) ==
               CL_SUCCESS;
}

/* The device number `index` of those that match. */
static int irl__runtime_find(irl_ctx *cx, const irl_ocl_desc *desc, cl_platform_id *platform,
                             cl_device_id *device)
{
    cl_platform_id platforms[IRL__RUNTIME_MOST];
    cl_device_id   devices[IRL__RUNTIME_MOST];
    cl_uint        platform_count = 0, device_count, p, d, found = 0;
    char           there[256]; /* "'device' of 'platform', ..." */
    irl__text      t;
    int            left = desc->index;
    cl_int         status = clGetPlatformIDs(IRL__RUNTIME_MOST, platforms, &platform_count);
    if (status != CL_SUCCESS) platform_count = 0;
    irl__text_init_fixed(&t, there, sizeof there);
    for (p = 0; p < platform_count && p < IRL__RUNTIME_MOST; p++) {
        char of[IRL__RUNTIME_NAME] = "", name[IRL__RUNTIME_NAME];
        (void)clGetPlatformInfo(platforms[p], CL_PLATFORM_NAME, sizeof of - 1, of, NULL);
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, IRL__RUNTIME_MOST, devices,
                           &device_count) != CL_SUCCESS)
            continue;
        for (d = 0; d < device_count && d < IRL__RUNTIME_MOST; d++) {
            if (!irl__runtime_device_name(devices[d], name)) continue;
            irl__textf(&t, found++ ? ", '%s' of '%s'" : "'%s' of '%s'", name, of);
            if (!irl__runtime_contains(of, desc->platform) ||
                !irl__runtime_contains(name, desc->device) || left-- > 0)
                continue;
            *platform = platforms[p];
            *device = devices[d];
            return 1;
        }
    }
    if (platform_count == 0)
        return IRL__FAIL(cx, IRL_ERROR_NO_DEVICE, "there is no OpenCL platform (clGetPlatformIDs: "
                         "%s)", irl__runtime_status_name(status));
    return IRL__FAIL(cx, IRL_ERROR_NO_DEVICE, "no OpenCL device matches platform '%s', device "
                     "'%s', number %d ('' is any); there is %s",
                     desc->platform ? desc->platform : "", desc->device ? desc->device : "",
                     desc->index, found ? there : "none");
}

/* ------------------------------------------------ what a device says, and what belongs to it */

int irl__runtime_writes_volumes(irl_ocl *cl)
{
    irl__arena_mark mark = irl__scratch_begin(cl->cx);
    size_t          bytes = 0;
    char           *list = NULL;
    int             has = 0;
    if (clGetDeviceInfo(cl->device, CL_DEVICE_EXTENSIONS, 0, NULL, &bytes) == CL_SUCCESS)
        list = (char *)irl__scratch_alloc(cl->cx, bytes + 1, 1);
    if (list && clGetDeviceInfo(cl->device, CL_DEVICE_EXTENSIONS, bytes, list, NULL) == CL_SUCCESS)
        has = strstr(list, "cl_khr_3d_image_writes") != NULL;
    irl__scratch_end(cl->cx, mark);
    return has;
}

const irl_target *irl_ocl_target(const irl_ocl *cl)
{
    cl_device_type type = 0;
    cl_uint        floats = 0; /* of a vector; 0: it does not say */
    if (cl) {
        clGetDeviceInfo(cl->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
        clGetDeviceInfo(cl->device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, sizeof floats, &floats,
                        NULL);
    }
    if (cl && cl->pretended.is_gpu) type = CL_DEVICE_TYPE_GPU;
    if (type & CL_DEVICE_TYPE_GPU) {
        cl_device_local_mem_type shared = CL_LOCAL;
        char                     profile[32] = "";
        clGetDeviceInfo(cl->device, CL_DEVICE_LOCAL_MEM_TYPE, sizeof shared, &shared, NULL);
        clGetDeviceInfo(cl->device, CL_DEVICE_PROFILE, sizeof profile, profile, NULL);
        if (strcmp(profile, "EMBEDDED_PROFILE") == 0) return &irl_target_opencl12_embedded;
        return shared == CL_GLOBAL ? &irl_target_mali : &irl_target_opencl12_gpu;
    }
    return floats && floats <= 8 ? &irl_target_opencl12_avx2 : &irl_target_opencl12;
}

cl_mem irl__runtime_memory(irl_ocl *cl, size_t bytes)
{
    cl_int status;
    cl_mem memory =
        clCreateBuffer(cl->context, CL_MEM_READ_WRITE, bytes ? bytes : 1, NULL, &status);
    cl->made.buffers += status == CL_SUCCESS;
    if (status == CL_SUCCESS) return memory;
    IRL__FAIL(cl->cx, IRL_ERROR_DEVICE_ERROR, "the device cannot allocate a buffer of %l bytes: "
              "clCreateBuffer returned %s (%d)", (int64_t)bytes, irl__runtime_status_name(status),
              (int)status);
    return NULL;
}

irl_ocl_made irl_ocl_made_of(const irl_ocl *cl)
{
    irl_ocl_made none = { 0, 0, 0, 0 };
    return cl ? cl->made : none;
}

/* One user less; the last one closes the device. */
static void irl__runtime_leave(irl_ocl *cl)
{
    if (--cl->users > 0) return;
    for (int k = 0; k < IRL__RUNTIME_SPARE; k++)
        if (cl->spare[k]) clReleaseMemObject(cl->spare[k]);
    if (cl->queue) clReleaseCommandQueue(cl->queue);
    if (cl->context) clReleaseContext(cl->context);
    irl__raw_free(cl->cx, cl->binaries, cl->binaries_bytes);
    irl__raw_free(cl->cx, cl->options, cl->options_bytes);
    irl__raw_free(cl->cx, cl->name, cl->name_bytes);
    irl__raw_free(cl->cx, cl, sizeof *cl);
}

void irl_ocl_module_destroy(irl_ocl_module *b)
{
    irl_ocl *cl = b ? b->cl : NULL;
    if (!b) return;
    irl__runtime_forget(b);
    for (int k = 0; b->kernels && k < b->kernel_count; k++)
        if (b->kernels[k]) clReleaseKernel(b->kernels[k]);
    if (b->handle) clReleaseProgram(b->handle);
    irl__raw_free(cl->cx, b->kernels, (size_t)b->kernel_count * sizeof *b->kernels + 1);
    irl__raw_free(cl->cx, b->source, b->source_bytes);
    irl__raw_free(cl->cx, b, sizeof *b);
    irl__runtime_leave(cl);
}

/* ------------------------------------------------------------------ opening and closing */

static int irl__runtime_create(irl_ocl *cl, const irl_ocl_desc *desc)
{
    cl_context_properties properties[3];
    cl_platform_id        platform = NULL;
    cl_int                status;
    if (!irl__runtime_find(cl->cx, desc, &platform, &cl->device)) return 0;
    properties[0] = CL_CONTEXT_PLATFORM;
    properties[1] = (cl_context_properties)platform;
    properties[2] = 0;
    cl->context = clCreateContext(properties, 1, &cl->device, NULL, NULL, &status);
    if (!irl__runtime_ok(cl->cx, status, "clCreateContext")) return 0;
    cl->queue = clCreateCommandQueue(cl->context, cl->device,
                                     desc->profiling ? CL_QUEUE_PROFILING_ENABLE : 0, &status);
    return irl__runtime_ok(cl->cx, status, "clCreateCommandQueue");
}

/* A queue is of one context and one device; it may be out of order. */
static int irl__runtime_queue_ok(irl_ocl *cl, const irl_ocl_desc *desc)
{
    cl_command_queue_properties properties = 0;
    cl_context                  context = NULL;
    cl_device_id                device = NULL;
    if (!irl__runtime_ask_queue(cl, desc->queue, CL_QUEUE_CONTEXT, sizeof context, &context) ||
        !irl__runtime_ask_queue(cl, desc->queue, CL_QUEUE_DEVICE, sizeof device, &device) ||
        !irl__runtime_ask_queue(cl, desc->queue, CL_QUEUE_PROPERTIES, sizeof properties,
                                &properties))
        return 0;
    cl->is_unordered = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
    return (context == desc->context && device == desc->device_id) ||
           IRL__FAIL(cl->cx, IRL_ERROR_BAD_ARGUMENT, "the queue of irl_ocl_desc is of another %s",
                     context == desc->context ? "device" : "context");
}

/* The user's own objects, retained. */
static int irl__runtime_adopt(irl_ocl *cl, const irl_ocl_desc *desc)
{
    if (!desc->context || !desc->device_id || !desc->queue)
        return IRL__FAIL(cl->cx, IRL_ERROR_BAD_ARGUMENT, "irl_ocl_desc takes a context, a device "
                         "and a queue, all three or none");
    if (!irl__runtime_queue_ok(cl, desc)) return 0;
    if (!irl__runtime_ok(cl->cx, clRetainContext(desc->context), "clRetainContext")) return 0;
    cl->context = desc->context;
    if (!irl__runtime_ok(cl->cx, clRetainCommandQueue(desc->queue), "clRetainCommandQueue"))
        return 0;
    cl->queue = desc->queue;
    cl->device = desc->device_id;
    return 1;
}

static int irl__runtime_describe(irl_ocl *cl, const irl_ocl_desc *desc)
{
    static const char standard[] = "-cl-std=CL1.2 ";
    const char  *more = desc->build_options ? desc->build_options : "";
    char         name[IRL__RUNTIME_NAME] = "";
    if (!irl__runtime_ask(cl, CL_DEVICE_NAME, sizeof name - 1, name))
        return 0;
    if (!irl__runtime_ask(cl, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof cl->work_group,
                          &cl->work_group))
        return 0;
    cl->name_bytes = strlen(name) + 1;
    cl->name = irl__runtime_copy(cl->cx, name, cl->name_bytes);
    cl->options_bytes = sizeof standard + strlen(more);
    cl->options = (char *)irl__raw_alloc(cl->cx, cl->options_bytes);
    if (desc->binaries) {
        cl->binaries_bytes = strlen(desc->binaries) + 1;
        cl->binaries = irl__runtime_copy(cl->cx, desc->binaries, cl->binaries_bytes);
        if (!cl->binaries) return 0;
    }
    if (!cl->name || !cl->options) return 0;
    memcpy(cl->options, standard, sizeof standard - 1);
    memcpy(cl->options + sizeof standard - 1, more, strlen(more) + 1);
    return 1;
}

irl_ocl *irl_ocl_create(irl_ctx *cx, const irl_ocl_desc *desc)
{
    irl_ocl_desc defaults;
    irl_ocl     *cl;
    int          ok;
    if (!cx || !irl__ok(cx)) return NULL;
    memset(&defaults, 0, sizeof defaults);
    if (!desc) desc = &defaults;
    cl = (irl_ocl *)irl__raw_alloc(cx, sizeof *cl);
    if (!cl) return NULL;
    memset(cl, 0, sizeof *cl);
    cl->cx = cx;
    cl->users = 1;
    if (desc->context || desc->device_id || desc->queue) ok = irl__runtime_adopt(cl, desc);
    else ok = irl__runtime_create(cl, desc);
    if (ok && irl__runtime_describe(cl, desc)) return cl;
    irl_ocl_destroy(cl);
    return NULL;
}

void irl_ocl_destroy(irl_ocl *cl)
{
    if (!cl) return;
    for (int k = 0; k < IRL__RUNTIME_KEPT; k++) {
        irl_ocl_module_destroy(cl->kept[k]);
        cl->kept[k] = NULL;
    }
    irl__runtime_leave(cl);
}

const char *irl_ocl_device_name(const irl_ocl *cl) { return cl ? cl->name : ""; }
struct _cl_context       *irl_ocl_context(const irl_ocl *cl) { return cl ? cl->context : NULL; }
struct _cl_device_id     *irl_ocl_device(const irl_ocl *cl) { return cl ? cl->device : NULL; }
struct _cl_command_queue *irl_ocl_queue(const irl_ocl *cl) { return cl ? cl->queue : NULL; }
