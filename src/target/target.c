/* target.c - the table of targets.

   needs     targets.h
   promises  constant data only */
#include "target.h"

static const irl_target irl__target_rows[] = {
#define IRL_TARGET(NAME, text, plain_rank, images, pointer_casts, widths, ramps, half, int64, work_group, local_bytes, image_extent, doc) \
    { text, plain_rank, images, pointer_casts, widths, ramps, half, int64, work_group, local_bytes, image_extent, doc },
#include "targets.h"
};

const irl_target *irl_target_find(const char *name)
{
    size_t k;
    for (k = 0; name && k < IRL__COUNTOF(irl__target_rows); k++)
        if (strcmp(irl__target_rows[k].name, name) == 0) return &irl__target_rows[k];
    return NULL;
}

const char *irl_target_name(int k) { return k >= 0 && (size_t)k < IRL__COUNTOF(irl__target_rows) ? irl__target_rows[k].name : NULL; }

int irl__target_rank(const irl_target *t, irl_scope scope)
{
    int dimensions = irl__scope_dimensions(scope);
    return dimensions > 1 && t->images ? dimensions : t->plain_rank;
}

int irl__target_has_width(const irl_target *t, uint32_t lanes)
{
    return lanes >= 1 && lanes <= 16 && (t->widths >> (lanes - 1)) & 1;
}

int irl__target_has_vector(const irl_target *t, uint32_t lanes) { return lanes == 1 || irl__target_has_width(t, lanes == 3 ? 4 : lanes); }
