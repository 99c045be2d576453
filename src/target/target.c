/* target.c - the table of targets.

   needs     targets.h
   promises  constant data only */
#include "target.h"

static const irl_target irl__target_rows[] = {
#define IRL_TARGET(NAME, text, plain_rank, images, pointer_casts, widths, ramps, half, int64, buffer_bytes, work_group, local_bytes, image_extent, \
                   volume_extent, layers, line_texels, volume_writes, samplerless, doc)                                                                     \
    { text,         plain_rank,  images,       volume_writes, samplerless, pointer_casts, widths, ramps, half, int64, buffer_bytes, work_group, \
      local_bytes, image_extent, volume_extent, layers, line_texels, doc },
#include "targets.h"
};

const irl_target *irl_target_find(const char *name)
{
    size_t k;
    for (k = 0; name && k < IRL__COUNTOF(irl__target_rows); k++)
        if (strcmp(irl__target_rows[k].name, name) == 0) return &irl__target_rows[k];
    return NULL;
}

static void irl__target_vectors(irl__text *t, const irl_target *target)
{
    uint32_t lanes;
    irl__text_puts(t, "  vectors          ");
    if (target->widths == 1) irl__text_puts(t, "none");
    for (lanes = 2; lanes <= 16; lanes++)
        if (irl__target_has_width(target, lanes)) irl__textf(t, "%u ", (uint64_t)lanes);
    irl__text_puts(t, target->widths == 1 ? "\n" : "lanes\n");
}

const char *irl_target_text(irl_ctx *cx, const irl_target *target)
{
    static const char *const indices[] = { "one element", "one element, or lanes that lie one after the other", "any lanes" }, *const answers[] = { "no", "yes" };
    irl__text                t;
    if (!cx || !irl__ok(cx) || !target) return NULL;
    irl__text_init(&t, cx);
    irl__textf(&t, "%s: %s\n", target->name, target->doc);
    irl__target_vectors(&t, target);
    irl__textf(&t, "  an access        %s\n", indices[target->ramps]);
    irl__textf(&t, "  pointer casts    %s\n", target->pointer_casts ? "yes" : "no: one type of access for each memory of a kernel");
    irl__textf(&t, "  f16 arithmetic   %s\n  64-bit integers  %s\n", answers[target->half != 0], answers[target->int64 != 0]);
    if (target->buffer_bytes == INT64_MAX) irl__text_puts(&t, "  a buffer         any size\n");
    else irl__textf(&t, "  a buffer         %l bytes at most, which indices of 32 bits reach\n", target->buffer_bytes);
    irl__textf(&t, "  work-group       %d work-items\n  shared memory    %d bytes\n", target->work_group, target->local_bytes);
    if (target->images) irl__textf(&t, "  images           %d by %d texels\n", target->image_extent, target->image_extent);
    else irl__text_puts(&t, "  images           none\n");
    return irl__text_done(&t);
}

const char *irl_target_name(int k) { return k >= 0 && (size_t)k < IRL__COUNTOF(irl__target_rows) ? irl__target_rows[k].name : NULL; }

void irl__target_image_limits(const irl_target *t, irl__image image, int64_t most[IRL__TEXEL_AXES])
{
    most[0] = image == IRL__IMAGE_LINE ? t->line_texels : image == IRL__IMAGE_VOLUME ? t->volume_extent : t->image_extent;
    most[1] = image == IRL__IMAGE_LINE ? 1 : most[0];
    most[2] = image == IRL__IMAGE_VOLUME ? most[0] : image == IRL__IMAGE_ARRAY ? t->layers : 1;
}

int irl__target_has_width(const irl_target *t, uint32_t lanes)
{
    return lanes >= 1 && lanes <= 16 && (t->widths >> (lanes - 1)) & 1;
}

int irl__target_has_vector(const irl_target *t, uint32_t lanes) { return lanes == 1 || irl__target_has_width(t, lanes == 3 ? 4 : lanes); }

int irl__target_too_large(irl_ctx *cx, const irl_target *t, const irl_buffer *b, int64_t elements)
{
    return irl__fail(cx, IRL_ERROR_TARGET_LIMIT, b->loc, "'%s' has %l elements of %s; target '%s' has buffers of %l bytes, which its indices reach", b->name, elements,
                     irl__type_cstr(cx, b->type), t->name, t->buffer_bytes);
}
