/* runtime_image.c - images of the device: their formats and kinds; making, filling and reading
   them.

   needs     runtime.c
   promises  rows are in host memory one after the other, without gaps; the buffer below an image is
             released with the image */
#include "runtime.h"

/* ------------------------------------------------------------------ formats */

static const irl__runtime_format irl__image_formats[] = {
    { IRL_F32, IRL_F32, CL_FLOAT, 'f' },
    { IRL_F16, IRL_F16, CL_HALF_FLOAT, 'f' },
    { IRL_BF16, IRL_U16, CL_UNSIGNED_INT16, 'u' },
    { IRL_I8, IRL_I8, CL_SIGNED_INT8, 'i' },
    { IRL_I16, IRL_I16, CL_SIGNED_INT16, 'i' },
    { IRL_I32, IRL_I32, CL_SIGNED_INT32, 'i' },
    { IRL_U8, IRL_U8, CL_UNSIGNED_INT8, 'u' },
    { IRL_U16, IRL_U16, CL_UNSIGNED_INT16, 'u' },
    { IRL_U32, IRL_U32, CL_UNSIGNED_INT32, 'u' },
    { IRL_UNORM8, IRL_UNORM8, CL_UNORM_INT8, 'f' },
    { IRL_SNORM8, IRL_SNORM8, CL_SNORM_INT8, 'f' },
    { IRL_UNORM16, IRL_UNORM16, CL_UNORM_INT16, 'f' },
    { IRL_SNORM16, IRL_SNORM16, CL_SNORM_INT16, 'f' },
};

int irl__runtime_format_of(irl_scalar scalar)
{
    for (size_t k = 0; k < IRL__COUNTOF(irl__image_formats); k++)
        if (irl__image_formats[k].scalar == scalar) return (int)k;
    return -1;
}

const irl__runtime_format *irl__runtime_format_at(int k) { return &irl__image_formats[k]; }

/* ------------------------------------------------------------------ kinds */

typedef struct irl__image_kind {
    cl_mem_object_type type;
    /* the device's limit of columns, rows, layers; 0: none */
    cl_device_info most[IRL__TEXEL_AXES];
} irl__image_kind;

static const irl__image_kind irl__image_kinds[] = {
    /* by irl__image */
    { CL_MEM_OBJECT_BUFFER, { 0, 0, 0 } },
    { CL_MEM_OBJECT_IMAGE1D_BUFFER, { CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, 0, 0 } },
    { CL_MEM_OBJECT_IMAGE2D, { CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_DEVICE_IMAGE2D_MAX_HEIGHT, 0 } },
    { CL_MEM_OBJECT_IMAGE2D_ARRAY,
      { CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_DEVICE_IMAGE2D_MAX_HEIGHT,
        CL_DEVICE_IMAGE_MAX_ARRAY_SIZE } },
    { CL_MEM_OBJECT_IMAGE3D,
      { CL_DEVICE_IMAGE3D_MAX_WIDTH, CL_DEVICE_IMAGE3D_MAX_HEIGHT, CL_DEVICE_IMAGE3D_MAX_DEPTH } },
};

cl_device_info irl__runtime_image_limit(irl__image image, int axis)
{
    return irl__image_kinds[image].most[axis];
}
cl_mem_object_type irl__runtime_memory_type(const irl_buffer *b)
{
    return irl__image_kinds[irl__image_of(b)].type;
}

int irl__runtime_is_listed(irl_ocl *cl, irl__image image, const cl_image_format *format)
{
    irl__arena_mark    mark = irl__scratch_begin(cl->cx);
    cl_mem_object_type type = irl__image_kinds[image].type;
    cl_uint            count = 0, k;
    cl_image_format   *list = NULL;
    int found = 0, ok = irl__runtime_ok(cl->cx,
                                        clGetSupportedImageFormats(cl->context, CL_MEM_READ_WRITE,
                                                                   type, 0, NULL, &count),
                                        "clGetSupportedImageFormats");
    if (ok) list = IRL__SCRATCH(cl->cx, cl_image_format, count + 1);
    if (list && count)
        ok = irl__runtime_ok(
            cl->cx,
            clGetSupportedImageFormats(cl->context, CL_MEM_READ_WRITE, type, count, list, NULL),
            "clGetSupportedImageFormats");
    for (k = 0; ok && list && k < count; k++)
        found |= list[k].image_channel_order == format->image_channel_order &&
                 list[k].image_channel_data_type == format->image_channel_data_type;
    irl__scratch_end(cl->cx, mark);
    return ok && list && found;
}

/* ------------------------------------------------------------------ images */

/* The buffer below an image goes when the image does. */
static void CL_CALLBACK irl__image_release(cl_mem image, void *buffer)
{
    (void)image;
    clReleaseMemObject((cl_mem)buffer);
}

static cl_mem irl__image_create(irl_ocl *cl, const cl_image_format *format,
                                const cl_image_desc *desc)
{
    cl_int status;
    cl_mem memory = clCreateImage(cl->context, CL_MEM_READ_WRITE, format, desc, NULL, &status);
    return irl__runtime_ok(cl->cx, status, "clCreateImage") ? memory : NULL;
}

/* Whether the image holds its buffer: most implementations count it as a user, the standard does
   not say. */
static int irl__image_holds(cl_mem buffer)
{
    cl_uint users = 1;
    return clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof users, &users, NULL) ==
               CL_SUCCESS &&
           users > 1;
}

/* The buffer goes with the image. Where the image holds it, that is enough: PoCL calls no
   destructor for such an image. */
static cl_mem irl__image_over_buffer(irl_ocl *cl, const cl_image_format *format,
                                     cl_image_desc *desc, size_t texel_bytes)
{
    desc->buffer = irl__runtime_memory(cl, desc->image_width * texel_bytes);
    if (!desc->buffer) return NULL;
    cl_mem image = irl__image_create(cl, format, desc);
    int    holds = image && irl__image_holds(desc->buffer);
    if (image && !holds &&
        irl__runtime_ok(cl->cx,
                        clSetMemObjectDestructorCallback(image, irl__image_release, desc->buffer),
                        "clSetMemObjectDestructorCallback"))
        return image;
    clReleaseMemObject(desc->buffer);
    if (image && !holds) clReleaseMemObject(image);
    return holds ? image : NULL;
}

void irl__runtime_release(irl_ocl *cl, cl_mem memory)
{
    cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
    if (clGetMemObjectInfo(memory, CL_MEM_TYPE, sizeof type, &type, NULL) != CL_SUCCESS ||
        type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        irl__runtime_ok(cl->cx, clFinish(cl->queue), "clFinish");
    clReleaseMemObject(memory);
}

cl_mem irl__runtime_image_make(irl_ocl *cl, irl__image image, const cl_image_format *format,
                               size_t texel_bytes, const int64_t *size)
{
    cl_image_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.image_type = irl__image_kinds[image].type;
    desc.image_width = size[0] ? (size_t)size[0] : 1; /* not every OpenCL makes images of nothing */
    desc.image_height = image == IRL__IMAGE_LINE ? 0 : size[1] ? (size_t)size[1] : 1;
    if (image == IRL__IMAGE_VOLUME) desc.image_depth = size[2] ? (size_t)size[2] : 1;
    if (image == IRL__IMAGE_ARRAY) desc.image_array_size = size[2] ? (size_t)size[2] : 1;
    return image == IRL__IMAGE_LINE ? irl__image_over_buffer(cl, format, &desc, texel_bytes)
                                    : irl__image_create(cl, format, &desc);
}

void irl__runtime_spare(irl_ocl *cl, cl_mem memory, irl__image image)
{
    if (image > IRL__IMAGE_LINE && !cl->is_unordered) {
        const cl_mem oldest = cl->spare[cl->next_spare];
        cl->spare[cl->next_spare] = memory;
        cl->next_spare = (cl->next_spare + 1) % IRL__RUNTIME_SPARE;
        memory = oldest;
    }
    if (memory) clReleaseMemObject(memory);
}

/* Has the image that size? */
static int irl__image_has_size(cl_mem memory, irl__image image, const int64_t *size)
{
    static const cl_image_info sizes[] = { CL_IMAGE_WIDTH, CL_IMAGE_HEIGHT, CL_IMAGE_DEPTH };
    for (int k = 0; k < irl__image_coordinates(image); k++) {
        size_t               found = 0;
        const cl_image_info what = k == 2 && image == IRL__IMAGE_ARRAY ? CL_IMAGE_ARRAY_SIZE
                                                                       : sizes[k];
        if (clGetImageInfo(memory, what, sizeof found, &found, NULL) != CL_SUCCESS ||
            found != (size_t)size[k])
            return 0;
    }
    return 1;
}

cl_mem irl__runtime_spare_take(irl_ocl *cl, irl__image image, const cl_image_format *format,
                               const int64_t *size)
{
    for (int k = 0; k < IRL__RUNTIME_SPARE; k++) {
        const cl_mem       memory = cl->spare[k];
        cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
        cl_image_format    found;
        if (!memory ||
            clGetMemObjectInfo(memory, CL_MEM_TYPE, sizeof type, &type, NULL) != CL_SUCCESS ||
            type != irl__image_kinds[image].type ||
            clGetImageInfo(memory, CL_IMAGE_FORMAT, sizeof found, &found, NULL) != CL_SUCCESS ||
            found.image_channel_order != format->image_channel_order ||
            found.image_channel_data_type != format->image_channel_data_type ||
            !irl__image_has_size(memory, image, size))
            continue;
        cl->spare[k] = NULL;
        return memory;
    }
    return NULL;
}

/* ------------------------------------------------------------------ to the device and back */

static void irl__image_region(const int64_t *size, size_t origin[3], size_t region[3])
{
    for (int k = 0; k < 3; k++) {
        origin[k] = 0;
        region[k] = (size_t)size[k];
    }
}

int irl__runtime_image_write(irl_ocl *cl, cl_mem memory, const int64_t *size, const void *from)
{
    size_t origin[3], region[3];
    irl__image_region(size, origin, region);
    return irl__runtime_ok(
        cl->cx,
        clEnqueueWriteImage(cl->queue, memory, CL_TRUE, origin, region, 0, 0, from, 0, NULL, NULL),
        "clEnqueueWriteImage");
}

int irl__runtime_image_read(irl_ocl *cl, cl_mem memory, const int64_t *size, void *to)
{
    size_t origin[3], region[3];
    irl__image_region(size, origin, region);
    return irl__runtime_ok(
        cl->cx,
        clEnqueueReadImage(cl->queue, memory, CL_TRUE, origin, region, 0, 0, to, 0, NULL, NULL),
        "clEnqueueReadImage");
}
