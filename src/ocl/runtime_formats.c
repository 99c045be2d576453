/* runtime_formats.c - checks image formats: which images a device says that it has, and which of
   them are accepted.

   needs     runtime_image.c, runtime_probe.c
   promises  the size is compared with the device's limits, the format with its list and with what
             one texel shows, before anything is made: a driver's own error codes for these differ,
             and some formats that are listed do not work */
#include "runtime.h"

/* The number of the format of a buffer's texels; more lanes than four are 128 bits, held in four
   uints. */
static int irl__formats_format(irl_ocl *cl, const irl_buffer *b)
{
    int k = irl__runtime_format_of(
        irl__texel_lanes(b) == IRL__TEXEL_LANES ? (irl_scalar)b->type.scalar : IRL_U32);
    if (k < 0)
        irl__fail(cl->cx, IRL_ERROR_IMAGE_FORMAT, b->loc,
                  "images have no format for the %s of '%s'", irl__type_cstr(cl->cx, b->type),
                  b->name);
    return k;
}

/* Whether the device lists the format for images of this kind, and a texel goes there and back:
   asked once. */
static int irl__formats_works(irl_ocl *cl, const irl_buffer *b, int k)
{
    irl__image      image = irl__image_of(b);
    cl_image_format format;
    char            found[128];
    if (cl->proved_formats[image] >> k & 1) return 1;
    format.image_channel_order = CL_RGBA;
    format.image_channel_data_type = irl__runtime_format_at(k)->channel;
    if ((cl->pretended.unlisted[image] >> k & 1) || !irl__runtime_is_listed(cl, image, &format))
        return irl__fail(cl->cx, IRL_ERROR_IMAGE_FORMAT, b->loc,
                         "the device has no RGBA images of %s as %s, which '%s' needs",
                         irl__type_cstr(cl->cx, irl_type_of(irl__runtime_format_at(k)->stored, 1)),
                         irl__image_text(image), b->name);
    switch (irl__runtime_probe(cl, image, CL_RGBA, k, found, sizeof found)) {
    case IRL__PROBE_RIGHT: cl->proved_formats[image] |= 1u << k; return 1;
    case IRL__PROBE_WRONG:
        return irl__fail(
            cl->cx, IRL_ERROR_IMAGE_FORMAT, b->loc,
            "the device lists RGBA images of %s as %s, which '%s' needs, but they do not work: %s",
            irl__type_cstr(cl->cx, irl_type_of(irl__runtime_format_at(k)->stored, 1)),
            irl__image_text(image), b->name, found);
    default: return 0;
    }
}

int irl__runtime_image_limits(irl_ocl *cl, irl__image image, int64_t most[IRL__TEXEL_AXES])
{
    size_t limit;
    for (int k = 0; k < IRL__TEXEL_AXES; k++) {
        most[k] = 1;
        limit = 0;
        if (!irl__runtime_image_limit(image, k)) continue;
        if (!irl__runtime_ask(cl, irl__runtime_image_limit(image, k), sizeof limit, &limit))
            return 0;
        most[k] = limit > (size_t)INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)limit;
        if (cl->pretended.side && most[k] > cl->pretended.side) most[k] = cl->pretended.side;
    }
    return 1;
}

static int irl__formats_fits(irl_ocl *cl, const irl_buffer *b, const int64_t *size)
{
    irl__image image = irl__image_of(b);
    int64_t    most[IRL__TEXEL_AXES];
    cl_bool    has_images = CL_FALSE;
    char       found[96], allowed[96];
    irl__text  t;
    if (!irl__runtime_ask(cl, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images))
        return 0;
    if (!has_images || cl->pretended.no_images)
        return irl__fail(cl->cx, IRL_ERROR_UNSUPPORTED, b->loc,
                         "the device has no images, and '%s' is in scope %s", b->name,
                         irl__scope_text(b->scope));
    if (!irl__runtime_image_limits(cl, image, most)) return 0;
    if (!size || (size[0] <= most[0] && size[1] <= most[1] && size[2] <= most[2])) return 1;
    irl__text_init_fixed(&t, found, sizeof found);
    irl__image_size_text(&t, image, size);
    irl__text_init_fixed(&t, allowed, sizeof allowed);
    irl__image_size_text(&t, image, most);
    return irl__fail(cl->cx, IRL_ERROR_IMAGE_LIMIT, b->loc,
                     "'%s' is an image of %s texels; images of the device have at "
                     "most %s", b->name, found,
                     allowed);
}

int irl__runtime_image_ok(irl_ocl *cl, const irl_buffer *b, const int64_t *size)
{
    int k = irl__formats_fits(cl, b, size) ? irl__formats_format(cl, b) : -1;
    return k >= 0 && irl__formats_works(cl, b, k);
}

cl_mem irl__runtime_image(irl_ocl *cl, const irl_buffer *b, const int64_t *size)
{
    cl_image_format format;
    cl_mem          memory;
    if (!irl__runtime_image_ok(cl, b, size)) return NULL;
    const irl__runtime_pretence *p = &cl->pretended;
    if ((p->texels && size[0] * size[1] > p->texels) || (p->columns && size[0] > p->columns)) {
        irl__runtime_ok(cl->cx, CL_MEM_OBJECT_ALLOCATION_FAILURE, "clCreateImage");
        return NULL;
    }
    format.image_channel_order = CL_RGBA;
    format.image_channel_data_type = irl__runtime_format_at(irl__formats_format(cl, b))->channel;
    memory = irl__runtime_spare_take(cl, irl__image_of(b), &format, size);
    if (memory) return memory;
    memory = irl__runtime_image_make(cl, irl__image_of(b), &format,
                                     irl__type_bytes(irl__texel_type(b)), size);
    cl->made.images += memory != NULL;
    return memory;
}
