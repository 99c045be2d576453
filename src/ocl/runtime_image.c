/* runtime_image.c - images of the device: made, filled, read back.

   needs     runtime.c
   promises  the size is compared with the device's limits, and the format with its list, before anything is made: a driver's
             own error codes for these differ. Rows lie in host memory one after the other, without gaps */
#include "runtime.h"

typedef struct irl__image_format_row {
    irl_scalar      scalar;
    cl_channel_type channel;
} irl__image_format_row;

static const irl__image_format_row irl__image_formats[] = {
    { IRL_F32, CL_FLOAT },          { IRL_F16, CL_HALF_FLOAT },     { IRL_BF16, CL_UNSIGNED_INT16 }, { IRL_I8, CL_SIGNED_INT8 },
    { IRL_I16, CL_SIGNED_INT16 },   { IRL_I32, CL_SIGNED_INT32 },   { IRL_U8, CL_UNSIGNED_INT8 },    { IRL_U16, CL_UNSIGNED_INT16 },
    { IRL_U32, CL_UNSIGNED_INT32 },
};

static int irl__image_format(irl_ocl *cl, const irl_buffer *b, cl_image_format *format)
{
    size_t k;
    format->image_channel_order = CL_RGBA;
    for (k = 0; k < IRL__COUNTOF(irl__image_formats); k++) {
        format->image_channel_data_type = irl__image_formats[k].channel;
        if ((uint8_t)irl__image_formats[k].scalar == b->type.scalar) return 1;
    }
    return irl__fail(cl->cx, IRL_ERROR_IMAGE_FORMAT, b->loc, "images have no format for the %s of '%s'", irl__type_cstr(cl->cx, b->type), b->name);
}

/* Whether the device lists the format. */
static int irl__image_is_listed(irl_ocl *cl, const irl_buffer *b, const cl_image_format *format)
{
    irl__arena_mark  mark = irl__scratch_begin(cl->cx);
    cl_uint          count = 0, k;
    cl_image_format *list = NULL;
    int              found = 0, ok = irl__runtime_ok(cl->cx, clGetSupportedImageFormats(cl->context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count),
                                                     "clGetSupportedImageFormats");
    if (ok) list = (cl_image_format *)irl__scratch_alloc(cl->cx, (size_t)count + 1, sizeof *list);
    if (list && count)
        ok = irl__runtime_ok(cl->cx, clGetSupportedImageFormats(cl->context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, count, list, NULL),
                             "clGetSupportedImageFormats");
    for (k = 0; ok && list && k < count; k++)
        found |= list[k].image_channel_order == format->image_channel_order && list[k].image_channel_data_type == format->image_channel_data_type;
    irl__scratch_end(cl->cx, mark);
    if (!ok || !list) return 0;
    return found || irl__fail(cl->cx, IRL_ERROR_IMAGE_FORMAT, b->loc, "the device has no RGBA images of %s, which '%s' needs", irl__type_cstr(cl->cx, b->type), b->name);
}

static int irl__image_fits(irl_ocl *cl, const irl_buffer *b, int64_t columns, int64_t rows)
{
    cl_bool has_images = CL_FALSE;
    size_t  width = 0, height = 0;
    if (!irl__runtime_ok(cl->cx, clGetDeviceInfo(cl->device, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images, NULL), "clGetDeviceInfo")) return 0;
    if (!has_images) return irl__fail(cl->cx, IRL_ERROR_UNSUPPORTED, b->loc, "the device has no images, and '%s' is in scope %s", b->name, irl__scope_text(b->scope));
    if (!irl__runtime_ok(cl->cx, clGetDeviceInfo(cl->device, CL_DEVICE_IMAGE2D_MAX_WIDTH, sizeof width, &width, NULL), "clGetDeviceInfo") ||
        !irl__runtime_ok(cl->cx, clGetDeviceInfo(cl->device, CL_DEVICE_IMAGE2D_MAX_HEIGHT, sizeof height, &height, NULL), "clGetDeviceInfo"))
        return 0;
    if ((uint64_t)columns <= width && (uint64_t)rows <= height) return 1;
    return irl__fail(cl->cx, IRL_ERROR_IMAGE_LIMIT, b->loc, "'%s' is an image of %l by %l texels; the device's have at most %z by %z", b->name, columns, rows,
                     width, height);
}

cl_mem irl__runtime_image(irl_ocl *cl, const irl_buffer *b, int64_t columns, int64_t rows)
{
    cl_image_format format;
    cl_image_desc   desc;
    cl_int          status;
    cl_mem          memory;
    if (!irl__image_fits(cl, b, columns, rows) || !irl__image_format(cl, b, &format) || !irl__image_is_listed(cl, b, &format)) return NULL;
    memset(&desc, 0, sizeof desc);
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = columns ? (size_t)columns : 1; /* not every OpenCL makes images of nothing */
    desc.image_height = rows ? (size_t)rows : 1;
    memory = clCreateImage(cl->context, CL_MEM_READ_WRITE, &format, &desc, NULL, &status);
    return irl__runtime_ok(cl->cx, status, "clCreateImage") ? memory : NULL;
}

static void irl__image_region(int64_t columns, int64_t rows, size_t origin[3], size_t region[3])
{
    memset(origin, 0, 3 * sizeof *origin);
    region[0] = (size_t)columns;
    region[1] = (size_t)rows;
    region[2] = 1;
}

int irl__runtime_image_write(irl_ocl *cl, cl_mem memory, int64_t columns, int64_t rows, const void *from)
{
    size_t origin[3], region[3];
    irl__image_region(columns, rows, origin, region);
    return irl__runtime_ok(cl->cx, clEnqueueWriteImage(cl->queue, memory, CL_TRUE, origin, region, 0, 0, from, 0, NULL, NULL), "clEnqueueWriteImage");
}

int irl__runtime_image_read(irl_ocl *cl, cl_mem memory, int64_t columns, int64_t rows, void *to)
{
    size_t origin[3], region[3];
    irl__image_region(columns, rows, origin, region);
    return irl__runtime_ok(cl->cx, clEnqueueReadImage(cl->queue, memory, CL_TRUE, origin, region, 0, 0, to, 0, NULL, NULL), "clEnqueueReadImage");
}
