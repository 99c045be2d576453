/* runtime_check.c - checks memory that a caller passes: its kind, size and format, before a driver
   uses it.

   needs     runtime_image.c
   promises  memory that is too small, or of another kind than a kernel or a copy needs, is a
             diagnostic with both numbers. Drivers check little of this, and some crash; nothing
             reports a kernel that runs past its memory */
#include "runtime.h"

/* How kernels read a channel type; those that are no integers are read as floats. */
static char irl__check_access(cl_channel_type channel)
{
    switch (channel) {
    case CL_SIGNED_INT8: case CL_SIGNED_INT16: case CL_SIGNED_INT32: return 'i';
    case CL_UNSIGNED_INT8: case CL_UNSIGNED_INT16: case CL_UNSIGNED_INT32: return 'u';
    default: return 'f';
    }
}

static const char *irl__check_access_text(char access)
{
    return access == 'i' ? "signed integers" : access == 'u' ? "unsigned integers" : "floats";
}

static int irl__check_format(irl_ocl *cl, const irl_buffer *b, irl_loc loc, const char *what,
                             cl_mem memory)
{
    int k = irl__runtime_format_of(
        irl__texel_lanes(b) == IRL__TEXEL_LANES ? (irl_scalar)b->type.scalar : IRL_U32);
    cl_image_format format;
    if (!irl__runtime_ok(cl->cx,
                         clGetImageInfo(memory, CL_IMAGE_FORMAT, sizeof format, &format, NULL),
                         "clGetImageInfo"))
        return 0;
    if (k < 0) return 1; /* said elsewhere */
    char wanted = irl__runtime_format_at(k)->access;
    char found = irl__check_access(format.image_channel_data_type);
    if (format.image_channel_order != CL_RGBA && format.image_channel_order != CL_BGRA &&
        format.image_channel_order != CL_ARGB)
        return irl__fail(cl->cx, IRL_ERROR_ARGUMENT_MISMATCH, loc,
                         "the image for %s must have four channels", what);
    return found == wanted ||
           irl__fail(cl->cx, IRL_ERROR_ARGUMENT_MISMATCH, loc,
                     "the image for %s must hold %s; found %s", what,
                     irl__check_access_text(wanted), irl__check_access_text(found));
}

/* The image's columns, rows and layers. */
static int irl__check_image_size(irl_ocl *cl, const irl_buffer *b, irl_loc loc, const char *what,
                                 cl_mem memory, const int64_t *size)
{
    irl__image    image = irl__image_of(b);
    cl_image_info sides[IRL__TEXEL_AXES] = { CL_IMAGE_WIDTH, CL_IMAGE_HEIGHT, CL_IMAGE_DEPTH };
    int64_t       found[IRL__TEXEL_AXES] = { 1, 1, 1 };
    char          has[96], wants[96];
    irl__text     t;
    int           k, fits = 1;
    if (image == IRL__IMAGE_ARRAY) sides[2] = CL_IMAGE_ARRAY_SIZE;
    for (k = 0; k < irl__image_coordinates(image); k++) {
        size_t side = 0;
        if (!irl__runtime_ok(cl->cx, clGetImageInfo(memory, sides[k], sizeof side, &side, NULL),
                             "clGetImageInfo"))
            return 0;
        found[k] = (int64_t)side;
        fits = fits && found[k] >= size[k];
    }
    if (fits) return 1;
    irl__text_init_fixed(&t, has, sizeof has);
    irl__image_size_text(&t, image, found);
    irl__text_init_fixed(&t, wants, sizeof wants);
    irl__image_size_text(&t, image, size);
    return irl__fail(cl->cx, IRL_ERROR_ARGUMENT_MISMATCH, loc,
                     "the image for %s must have %s texels; found %s", what, wants, has);
}

int irl__runtime_memory_ok(irl_ocl *cl, const irl_buffer *b, irl_loc loc, const char *what,
                           cl_mem memory, int64_t bytes, const int64_t *size)
{
    cl_mem_object_type found = CL_MEM_OBJECT_BUFFER, wanted = irl__runtime_memory_type(b);
    size_t             room = 0;
    if (!memory)
        return irl__fail(cl->cx, IRL_ERROR_ARGUMENT_MISMATCH, loc, "the memory for %s is NULL",
                         what);
    if (!irl__runtime_ask_memory(cl, memory, CL_MEM_TYPE, sizeof found, &found))
        return 0;
    if (found != wanted)
        return irl__fail(
            cl->cx, IRL_ERROR_ARGUMENT_MISMATCH, loc, "the memory for %s must be: %s", what,
            wanted == CL_MEM_OBJECT_BUFFER ? "a buffer" : irl__image_text(irl__image_of(b)));
    if (wanted != CL_MEM_OBJECT_BUFFER)
        return irl__check_format(cl, b, loc, what, memory) &&
               (!size || irl__check_image_size(cl, b, loc, what, memory, size));
    if (!irl__runtime_ask_memory(cl, memory, CL_MEM_SIZE, sizeof room, &room))
        return 0;
    return bytes <= 0 || (uint64_t)room >= (uint64_t)bytes ||
           irl__fail(cl->cx, IRL_ERROR_ARGUMENT_MISMATCH, loc,
                     "the memory for %s has %z bytes; it must have %l", what, room, bytes);
}

/* ------------------------------------------------------------------ memory that is shared */

/* The buffer that a memory is a part of, or itself, and where it lies there. */
static int irl__check_root(irl_ocl *cl, cl_mem memory, cl_mem *root, size_t *begin, size_t *end)
{
    size_t bytes = 0;
    *root = NULL;
    *begin = 0;
    if (!irl__runtime_ask_memory(cl, memory, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof *root, root) ||
        !irl__runtime_ask_memory(cl, memory, CL_MEM_OFFSET, sizeof *begin, begin) ||
        !irl__runtime_ask_memory(cl, memory, CL_MEM_SIZE, sizeof bytes, &bytes))
        return 0;
    if (!*root) *root = memory;
    *end = *begin + bytes;
    return 1;
}

int irl__runtime_apart(irl_ocl *cl, cl_mem a, cl_mem b, int *apart)
{
    cl_mem root_a, root_b;
    size_t begin_a, end_a, begin_b, end_b;
    if (!irl__check_root(cl, a, &root_a, &begin_a, &end_a) ||
        !irl__check_root(cl, b, &root_b, &begin_b, &end_b))
        return 0;
    *apart = root_a != root_b || end_a <= begin_b || end_b <= begin_a;
    return 1;
}
