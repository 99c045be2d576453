/* target.h - target descriptions as data.

   needs     base
   promises  passes ask the description, never the target's name */
#ifndef IRL__TARGET_H
#define IRL__TARGET_H

#include "../ir/ir.h"

struct irl_target {
    const char *name;
    int         plain_rank, images, pointer_casts;
    uint32_t    widths;
    int         ramps, half, int64;
    int         work_group, local_bytes, image_extent;
    const char *doc;
};

/* Number of dimensions that memory of a scope has on this target. */
IRL__FN int irl__target_rank(const irl_target *t, irl_scope scope);
IRL__FN int irl__target_has_width(const irl_target *t, uint32_t lanes);
/* Whether a value of so many lanes has a type: three are held in four. */
IRL__FN int irl__target_has_vector(const irl_target *t, uint32_t lanes);

#endif
