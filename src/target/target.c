/* target.c - the table of targets.

   needs     targets.h
   promises  constant data only */
#include "target.h"

static const irl_target irl__target_rows[] = {
#define IRL_TARGET(NAME, text, pointer_casts, alignment, run_alignment, widths, ramps, int64, \
                   halves, buffer_bytes, work_group, local_bytes, vector_bytes, registers, \
                   cache_bytes, serial, texels, \
                   image_extent, volume_extent, layers, line_texels, samplerless, \
                   image_tensors, subgroup, group_items, units, line_bytes, banks, doc) \
    { text, pointer_casts, alignment, run_alignment, widths, ramps, int64, halves, buffer_bytes, \
     work_group, local_bytes, vector_bytes, registers, cache_bytes, subgroup, group_items, \
     units, line_bytes, banks, serial, IRL__##texels, \
      image_extent, volume_extent, layers, line_texels, samplerless, image_tensors, doc },
#include "targets.h"
};

const irl_target *irl_target_find(const char *name)
{
    for (size_t k = 0; name && k < IRL__COUNTOF(irl__target_rows); k++)
        if (strcmp(irl__target_rows[k].name, name) == 0) return &irl__target_rows[k];
    return NULL;
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

int irl__target_has_run(const irl_target *t, uint32_t lanes)
{
    return t->serial && t->ramps && t->run_alignment == 1 && irl__target_has_width(t, lanes);
}

int irl__target_has_operator(const irl_target *t, const irl_expr *e)
{
    const irl__rule rule = irl__op_info((irl_op)e->op)->rule;
    const irl_type  type = e->count ? e->a[0]->type : e->type;
    if (rule == IRL__OWN || !irl__type_is_half(type)) return 1;
    if (!t || !t->halves || type.scalar != IRL_F16) return 0;
    /* of these OpenCL's are the nearest; others may be a half or two off */
    return rule != IRL__SAME_FLOAT || e->op == IRL_OP_DIV || e->op == IRL_OP_SQRT ||
           e->op == IRL_OP_COPYSIGN || irl__op_is_whole((irl_op)e->op);
}

int irl__target_has_image(irl_ctx *cx, const irl_target *t, const irl_buffer *b)
{
    return !irl__scope_is_image(b->scope) || t->texels ||
           irl__fail(cx, IRL_ERROR_UNSUPPORTED, b->loc,
                     "'%s' is in scope %s, and target '%s' has no images", b->name,
                     irl__scope_text(b->scope), t->name);
}

int irl__target_has_type(irl_ctx *cx, const irl_target *t, irl_type type)
{
    /* what a pointer points to may be seen by a view */
    if (t->int64 || type.is_pointer || (type.scalar != IRL_I64 && type.scalar != IRL_U64)) return 1;
    irl__fail(cx, IRL_ERROR_UNSUPPORTED, cx->here, "target '%s' has no 64-bit integers; found %s",
              t->name, irl__type_cstr(cx, type));
    return irl__hint(cx, "%s: argmax, argmin, count and sums of indices need no i64 where their "
                         "ranges are known to be small, by numbers or assume(n <= 1000)",
                     irl_code_remedy(IRL_ERROR_UNSUPPORTED));
}

int irl__target_too_large(irl_ctx *cx, const irl_target *t, const irl_buffer *b, int64_t elements)
{
    return irl__fail(
        cx, IRL_ERROR_TARGET_LIMIT, b->loc,
        "'%s' has %l elements of %s; target '%s' has buffers of %l bytes, the most that its "
        "indices reach", b->name, elements, irl__type_cstr(cx, b->type), t->name, t->buffer_bytes);
}
