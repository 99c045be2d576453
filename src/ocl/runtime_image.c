/* runtime_image.c - images of the device: made, filled, read back.

   needs     runtime.c, runtime_probe.c
   promises  the size is compared with the device's limits, the format with its list and with what one texel shows, before
             anything is made: a driver's own error codes for these differ, and some formats that are listed do not work.
             Rows lie in host memory one after the other, without gaps */
#include "runtime.h"

/* ------------------------------------------------------------------ formats */

static const irl__runtime_format irl__image_formats[] = {
    { IRL_F32, IRL_F32, CL_FLOAT, 'f' },         { IRL_F16, IRL_F16, CL_HALF_FLOAT, 'f' },    { IRL_BF16, IRL_U16, CL_UNSIGNED_INT16, 'u' },
    { IRL_I8, IRL_I8, CL_SIGNED_INT8, 'i' },     { IRL_I16, IRL_I16, CL_SIGNED_INT16, 'i' },  { IRL_I32, IRL_I32, CL_SIGNED_INT32, 'i' },
    { IRL_U8, IRL_U8, CL_UNSIGNED_INT8, 'u' },   { IRL_U16, IRL_U16, CL_UNSIGNED_INT16, 'u' }, { IRL_U32, IRL_U32, CL_UNSIGNED_INT32, 'u' },
    { IRL_UNORM8, IRL_UNORM8, CL_UNORM_INT8, 'f' }, { IRL_SNORM8, IRL_SNORM8, CL_SNORM_INT8, 'f' }, { IRL_UNORM16, IRL_UNORM16, CL_UNORM_INT16, 'f' },
    { IRL_SNORM16, IRL_SNORM16, CL_SNORM_INT16, 'f' },
};

int irl__runtime_format_of(irl_scalar scalar)
{
    size_t k;
    for (k = 0; k < IRL__COUNTOF(irl__image_formats); k++)
        if (irl__image_formats[k].scalar == scalar) return (int)k;
    return -1;
}

const irl__runtime_format *irl__runtime_format_at(int k) { return &irl__image_formats[k]; }

/* The number of the format of a buffer's texels; more lanes than four are 128 bits, held in four uints. */
static int irl__image_format(irl_ocl *cl, const irl_buffer *b)
{
    int k = irl__runtime_format_of(irl__texel_lanes(b) == IRL__TEXEL_LANES ? (irl_scalar)b->type.scalar : IRL_U32);
    if (k < 0) irl__fail(cl->cx, IRL_ERROR_IMAGE_FORMAT, b->loc, "images have no format for the %s of '%s'", irl__type_cstr(cl->cx, b->type), b->name);
    return k;
}

/* ------------------------------------------------------------------ kinds */

typedef struct irl__image_kind {
    cl_mem_object_type type;
    cl_device_info     most[IRL__TEXEL_AXES]; /* the device's limit of columns, rows, layers; 0: none */
} irl__image_kind;

static const irl__image_kind irl__image_kinds[] = { /* by irl__image */
    { CL_MEM_OBJECT_BUFFER, { 0, 0, 0 } },
    { CL_MEM_OBJECT_IMAGE1D_BUFFER, { CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, 0, 0 } },
    { CL_MEM_OBJECT_IMAGE2D, { CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_DEVICE_IMAGE2D_MAX_HEIGHT, 0 } },
    { CL_MEM_OBJECT_IMAGE2D_ARRAY, { CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_DEVICE_IMAGE2D_MAX_HEIGHT, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE } },
    { CL_MEM_OBJECT_IMAGE3D, { CL_DEVICE_IMAGE3D_MAX_WIDTH, CL_DEVICE_IMAGE3D_MAX_HEIGHT, CL_DEVICE_IMAGE3D_MAX_DEPTH } },
};

cl_mem_object_type irl__runtime_image_type(irl__image image) { return irl__image_kinds[image].type; }
cl_mem_object_type irl__runtime_memory_type(const irl_buffer *b) { return irl__image_kinds[irl__image_of(b)].type; }

/* ------------------------------------------------------------------ what the device has */

int irl__runtime_is_listed(irl_ocl *cl, irl__image image, const cl_image_format *format)
{
    irl__arena_mark    mark = irl__scratch_begin(cl->cx);
    cl_mem_object_type type = irl__image_kinds[image].type;
    cl_uint            count = 0, k;
    cl_image_format   *list = NULL;
    int                found = 0, ok = irl__runtime_ok(cl->cx, clGetSupportedImageFormats(cl->context, CL_MEM_READ_WRITE, type, 0, NULL, &count),
                                                       "clGetSupportedImageFormats");
    if (ok) list = (cl_image_format *)irl__scratch_alloc(cl->cx, (size_t)count + 1, sizeof *list);
    if (list && count)
        ok = irl__runtime_ok(cl->cx, clGetSupportedImageFormats(cl->context, CL_MEM_READ_WRITE, type, count, list, NULL), "clGetSupportedImageFormats");
    for (k = 0; ok && list && k < count; k++)
        found |= list[k].image_channel_order == format->image_channel_order && list[k].image_channel_data_type == format->image_channel_data_type;
    irl__scratch_end(cl->cx, mark);
    return ok && list && found;
}

/* Whether the device lists the format for images of this kind, and a texel goes there and back: asked once. */
static int irl__image_works(irl_ocl *cl, const irl_buffer *b, int k)
{
    irl__image      image = irl__image_of(b);
    cl_image_format format;
    char            found[128];
    if (cl->proved_formats[image] >> k & 1) return 1;
    format.image_channel_order = CL_RGBA;
    format.image_channel_data_type = irl__image_formats[k].channel;
    if (!irl__runtime_is_listed(cl, image, &format))
        return irl__fail(cl->cx, IRL_ERROR_IMAGE_FORMAT, b->loc, "the device has no RGBA images of %s as %s, which '%s' needs",
                         irl__type_cstr(cl->cx, irl_type_of(irl__image_formats[k].stored, 1)), irl__image_text(image), b->name);
    switch (irl__runtime_probe(cl, image, CL_RGBA, k, found, sizeof found)) {
    case IRL__PROBE_RIGHT: cl->proved_formats[image] |= 1u << k; return 1;
    case IRL__PROBE_WRONG:
        return irl__fail(cl->cx, IRL_ERROR_IMAGE_FORMAT, b->loc, "the device lists RGBA images of %s as %s, which '%s' needs, but they do not work: %s",
                         irl__type_cstr(cl->cx, irl_type_of(irl__image_formats[k].stored, 1)), irl__image_text(image), b->name, found);
    default: return 0;
    }
}

/* The device's limits along the image's dimensions; 1 for those that it has not. */
static int irl__image_limits(irl_ocl *cl, irl__image image, int64_t most[IRL__TEXEL_AXES])
{
    int    k;
    size_t limit;
    for (k = 0; k < IRL__TEXEL_AXES; k++) {
        most[k] = 1;
        limit = 0;
        if (!irl__image_kinds[image].most[k]) continue;
        if (!irl__runtime_ok(cl->cx, clGetDeviceInfo(cl->device, irl__image_kinds[image].most[k], sizeof limit, &limit, NULL), "clGetDeviceInfo")) return 0;
        most[k] = limit > (size_t)INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)limit;
    }
    return 1;
}

static int irl__image_fits(irl_ocl *cl, const irl_buffer *b, const int64_t *size)
{
    irl__image image = irl__image_of(b);
    int64_t    most[IRL__TEXEL_AXES];
    cl_bool    has_images = CL_FALSE;
    char       found[96], allowed[96];
    irl__text  t;
    if (!irl__runtime_ok(cl->cx, clGetDeviceInfo(cl->device, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images, NULL), "clGetDeviceInfo")) return 0;
    if (!has_images) return irl__fail(cl->cx, IRL_ERROR_UNSUPPORTED, b->loc, "the device has no images, and '%s' is in scope %s", b->name, irl__scope_text(b->scope));
    if (!irl__image_limits(cl, image, most)) return 0;
    if (!size || (size[0] <= most[0] && size[1] <= most[1] && size[2] <= most[2])) return 1;
    irl__text_init_fixed(&t, found, sizeof found);
    irl__image_size_text(&t, image, size);
    irl__text_init_fixed(&t, allowed, sizeof allowed);
    irl__image_size_text(&t, image, most);
    return irl__fail(cl->cx, IRL_ERROR_IMAGE_LIMIT, b->loc, "'%s' is an image of %s texels; the device's have at most %s", b->name, found, allowed);
}

int irl__runtime_image_ok(irl_ocl *cl, const irl_buffer *b, const int64_t *size)
{
    int k = irl__image_fits(cl, b, size) ? irl__image_format(cl, b) : -1;
    return k >= 0 && irl__image_works(cl, b, k);
}

/* ------------------------------------------------------------------ images */

/* The buffer below an image goes when the image does. */
static void CL_CALLBACK irl__image_release(cl_mem image, void *buffer)
{
    (void)image;
    clReleaseMemObject((cl_mem)buffer);
}

static cl_mem irl__image_create(irl_ocl *cl, const cl_image_format *format, const cl_image_desc *desc)
{
    cl_int status;
    cl_mem memory = clCreateImage(cl->context, CL_MEM_READ_WRITE, format, desc, NULL, &status);
    return irl__runtime_ok(cl->cx, status, "clCreateImage") ? memory : NULL;
}

/* Whether the image holds its buffer: most implementations count it as a user, the standard does not say. */
static int irl__image_holds(cl_mem buffer)
{
    cl_uint users = 1;
    return clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof users, &users, NULL) == CL_SUCCESS && users > 1;
}

/* The buffer goes with the image. Where the image holds it, that is enough: PoCL calls no destructor for such an image. */
static cl_mem irl__image_over_buffer(irl_ocl *cl, const cl_image_format *format, cl_image_desc *desc, size_t texel_bytes)
{
    cl_mem image;
    int    holds;
    desc->buffer = irl__runtime_memory(cl, desc->image_width * texel_bytes);
    if (!desc->buffer) return NULL;
    image = irl__image_create(cl, format, desc);
    holds = image && irl__image_holds(desc->buffer);
    if (image && !holds &&
        irl__runtime_ok(cl->cx, clSetMemObjectDestructorCallback(image, irl__image_release, desc->buffer), "clSetMemObjectDestructorCallback"))
        return image;
    clReleaseMemObject(desc->buffer);
    if (image && !holds) clReleaseMemObject(image);
    return holds ? image : NULL;
}

cl_mem irl__runtime_image_make(irl_ocl *cl, irl__image image, const cl_image_format *format, size_t texel_bytes, const int64_t *size)
{
    cl_image_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.image_type = irl__image_kinds[image].type;
    desc.image_width = size[0] ? (size_t)size[0] : 1; /* not every OpenCL makes images of nothing */
    desc.image_height = image == IRL__IMAGE_LINE ? 0 : size[1] ? (size_t)size[1] : 1;
    if (image == IRL__IMAGE_VOLUME) desc.image_depth = size[2] ? (size_t)size[2] : 1;
    if (image == IRL__IMAGE_ARRAY) desc.image_array_size = size[2] ? (size_t)size[2] : 1;
    return image == IRL__IMAGE_LINE ? irl__image_over_buffer(cl, format, &desc, texel_bytes) : irl__image_create(cl, format, &desc);
}

cl_mem irl__runtime_image(irl_ocl *cl, const irl_buffer *b, const int64_t *size)
{
    cl_image_format format;
    if (!irl__runtime_image_ok(cl, b, size)) return NULL;
    format.image_channel_order = CL_RGBA;
    format.image_channel_data_type = irl__image_formats[irl__image_format(cl, b)].channel;
    return irl__runtime_image_make(cl, irl__image_of(b), &format, irl__type_bytes(irl__texel_type(b)), size);
}

/* ------------------------------------------------------------------ to the device and back */

static void irl__image_region(const int64_t *size, size_t origin[3], size_t region[3])
{
    int k;
    for (k = 0; k < 3; k++) {
        origin[k] = 0;
        region[k] = (size_t)size[k];
    }
}

int irl__runtime_image_write(irl_ocl *cl, cl_mem memory, const int64_t *size, const void *from)
{
    size_t origin[3], region[3];
    irl__image_region(size, origin, region);
    return irl__runtime_ok(cl->cx, clEnqueueWriteImage(cl->queue, memory, CL_TRUE, origin, region, 0, 0, from, 0, NULL, NULL), "clEnqueueWriteImage");
}

int irl__runtime_image_read(irl_ocl *cl, cl_mem memory, const int64_t *size, void *to)
{
    size_t origin[3], region[3];
    irl__image_region(size, origin, region);
    return irl__runtime_ok(cl->cx, clEnqueueReadImage(cl->queue, memory, CL_TRUE, origin, region, 0, 0, to, 0, NULL, NULL), "clEnqueueReadImage");
}
