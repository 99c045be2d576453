/* target.c - the table of targets.

   needs     targets.h
   promises  constant data only */
#include "target.h"

static const irl_target irl__target_rows[] = {
#define IRL_TARGET(NAME, text, pointer_casts, alignment, run_alignment, widths, ramps, int64, \
                   halves, buffer_bytes, work_group, local_bytes, vector_bytes, registers, \
                   cache_bytes, serial, texels, \
                   image_extent, volume_extent, layers, line_texels, samplerless, doc) \
    { text, pointer_casts, alignment, run_alignment, widths, ramps, int64, halves, buffer_bytes, \
     work_group, local_bytes, vector_bytes, registers, cache_bytes, serial, IRL__##texels, \
      image_extent, volume_extent, layers, line_texels, samplerless, doc },
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

static void irl__target_alignments(irl__text *t, const irl_target *target)
{
    if (target->widths == 1) irl__text_puts(t, "  alignment        an element's own size\n");
    else
        irl__textf(t,
                   "  alignment        a vector's own size, %u bytes at most; lanes one after the "
                   "other: %s\n",
                   (uint64_t)target->alignment,
                   target->run_alignment == 1 ? "that of one lane" : "the same");
}

static void irl__target_sizes(irl__text *t, const irl_target *target, const char *name,
                              irl__image image)
{
    int64_t most[IRL__TEXEL_AXES];
    irl__target_image_limits(target, image, most);
    irl__textf(t, "  %s", name);
    if (!most[0]) irl__text_puts(t, "none\n");
    else if (image == IRL__IMAGE_LINE) irl__textf(t, "%l texels\n", most[0]);
    else if (most[2] == 1) irl__textf(t, "%l by %l texels\n", most[0], most[1]);
    else irl__textf(t, "%l by %l by %l texels\n", most[0], most[1], most[2]);
}

static void irl__target_images(irl__text *t, const irl_target *target)
{
    int k;
    irl__text_puts(t, "  texels           ");
    for (k = 0; k < (int)IRL__SCALAR_COUNT; k++)
        if (irl__target_has_texel(target, (irl_scalar)k))
            irl__textf(t, "%s ", irl__type_info(irl_type_of((irl_scalar)k, 1))->text);
    irl__text_puts(t, target->texels ? "in fours\n" : "none\n");
    irl__target_sizes(t, target, "images           ", IRL__IMAGE_2D);
    if (!target->texels) return;
    irl__target_sizes(t, target, "arrays of them   ", IRL__IMAGE_ARRAY);
    irl__target_sizes(t, target, "volumes          ", IRL__IMAGE_VOLUME);
    irl__target_sizes(t, target, "over a buffer    ", IRL__IMAGE_LINE);
}

const char *irl_target_text(irl_ctx *cx, const irl_target *target)
{
    static const char *const indices[] = { "one element",
                                           "one element, or lanes that lie one after the other" },
                             *const answers[] = { "no", "yes" };
    irl__text                t;
    if (!cx || !irl__ok(cx) || !target) return "";
    irl__text_init(&t, cx);
    irl__textf(&t, "%s: %s\n", target->name, target->doc);
    irl__target_vectors(&t, target);
    irl__textf(&t, "  an access        %s\n", indices[target->ramps]);
    irl__textf(&t, "  pointer casts    %s\n",
               target->pointer_casts ? "yes"
                                     : "no: one type of access for each memory of a kernel");
    irl__target_alignments(&t, target);
    irl__textf(&t, "  f16 arithmetic   %s\n",
               target->halves ? "its own; functions, and all of bf16, in f32, rounded each time"
                              : "in f32, rounded each time, and so is bf16's");
    irl__textf(&t, "  64-bit integers  %s\n", answers[target->int64 != 0]);
    if (target->buffer_bytes == INT64_MAX) irl__text_puts(&t, "  a buffer         any size\n");
    else
        irl__textf(&t, "  a buffer         %l bytes at most, which indices of 32 bits reach\n",
                   target->buffer_bytes);
    irl__textf(&t, "  work-group       %d work-items\n  shared memory    %d bytes\n",
               target->work_group, target->local_bytes);
    irl__textf(&t, "  scheduled for    ");
    if (!target->registers) irl__text_puts(&t, "nothing: loops stay as they are\n");
    else
        irl__textf(&t, "%d registers of %d bytes, %d bytes of near memory\n", target->registers,
                   target->vector_bytes, target->cache_bytes);
    irl__target_images(&t, target);
    return irl__text_or_empty(irl__text_done(&t));
}

const char *irl_target_name(int k)
{
    return k >= 0 && (size_t)k < IRL__COUNTOF(irl__target_rows) ? irl__target_rows[k].name : NULL;
}

void irl__target_image_limits(const irl_target *t, irl__image image, int64_t most[IRL__TEXEL_AXES])
{
    most[0] = image == IRL__IMAGE_LINE     ? t->line_texels
              : image == IRL__IMAGE_VOLUME ? t->volume_extent
                                           : t->image_extent;
    most[1] = image == IRL__IMAGE_LINE ? 1 : most[0];
    most[2] = image == IRL__IMAGE_VOLUME ? most[0] : image == IRL__IMAGE_ARRAY ? t->layers : 1;
}

uint32_t irl__target_alignment(const irl_target *t, irl_type element, uint32_t index_lanes)
{
    uint32_t whole =
                 irl__type_alignment(irl__type_with_lanes(element, element.lanes * index_lanes)),
             least = (uint32_t)irl__type_info(element)->bytes;
    uint32_t most = index_lanes == 1 ? t->alignment : t->run_alignment;
    if (whole > most) whole = most;
    return whole > least ? whole : least;
}

int irl__target_has_texel(const irl_target *t, irl_scalar scalar)
{
    return (int)(t->texels >> scalar & 1);
}

int irl__target_has_width(const irl_target *t, uint32_t lanes)
{
    return lanes >= 1 && lanes <= 16 && (t->widths >> (lanes - 1)) & 1;
}

int irl__target_has_vector(const irl_target *t, uint32_t lanes)
{
    return lanes == 1 || irl__target_has_width(t, lanes == 3 ? 4 : lanes);
}

int irl__target_has_operator(const irl_target *t, const irl_expr *e)
{
    const irl__rule rule = irl__op_info((irl_op)e->op)->rule;
    const irl_type  type = e->count ? e->a[0]->type : e->type;
    if (rule == IRL__OWN || !irl__type_is_half(type)) return 1;
    if (!t->halves || type.scalar != IRL_F16) return 0;
    switch (e->op) { /* of these OpenCL's are the nearest; others may be a half or two off */
    case IRL_OP_DIV: case IRL_OP_SQRT:
    case IRL_OP_FLOOR: case IRL_OP_CEIL: case IRL_OP_TRUNC: case IRL_OP_RINT: return 1;
    default: return rule != IRL__SAME_FLOAT;
    }
}

int irl__target_too_large(irl_ctx *cx, const irl_target *t, const irl_buffer *b, int64_t elements)
{
    return irl__fail(
        cx, IRL_ERROR_TARGET_LIMIT, b->loc,
        "'%s' has %l elements of %s; target '%s' has buffers of %l bytes, which its indices reach",
        b->name, elements, irl__type_cstr(cx, b->type), t->name, t->buffer_bytes);
}
