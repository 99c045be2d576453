/* target.h - target descriptions as data.

   needs     base
   promises  passes ask the description, never the target's name */
#ifndef IRL__TARGET_H
#define IRL__TARGET_H

#include "../ir/ir.h"

struct irl_target {
    const char *name;
    int         plain_rank, images, volume_writes, samplerless, pointer_casts;
    uint32_t    widths;
    int         ramps, half, int64;
    int64_t     buffer_bytes;
    int         work_group, local_bytes;
    int         image_extent, volume_extent, layers, line_texels;
    const char *doc;
};

/* The most texels along each dimension of an image; 1 for those that it has not. */
IRL__FN void irl__target_image_limits(const irl_target *t, irl__image image, int64_t most[IRL__TEXEL_AXES]);
IRL__FN int irl__target_has_width(const irl_target *t, uint32_t lanes);
/* Whether a value of so many lanes has a type: three are held in four. */
IRL__FN int irl__target_has_vector(const irl_target *t, uint32_t lanes);

/* Refuses a buffer of so many elements: the target has no buffers of that size. */
IRL__FN int irl__target_too_large(irl_ctx *cx, const irl_target *t, const irl_buffer *b, int64_t elements);

#endif
