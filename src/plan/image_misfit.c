/* image_misfit.c - what an image can hold.

   needs     texel.c, and expressions as text
   promises  lowering can handle each buffer in the scope of an image that is accepted here; a
             refusal gives its reason in words */
#include "plan.h"

int irl__image_axes(const irl_buffer *b) { return b->rank - (b->type.lanes == 1); }

static irl_code irl__image_misfit_lanes(irl_ctx *cx, const irl_buffer *b, irl__text *why)
{
    const char *scope = irl__scope_text(b->scope),
               *type = irl__type_cstr(cx, irl__type_with_lanes(b->type, 1));
    int         wide = irl__texel_wide(b->type);
    irl__text   t;
    char        or_wide[64];
    irl__text_init_fixed(&t, or_wide, sizeof or_wide);
    if (wide != IRL__TEXEL_LANES && !b->texel) irl__textf(&t, ", or %d of %s", wide, type);
    if (b->type.lanes != 1)
        irl__textf(why, "'%s' in scope %s holds elements of %d lanes; a texel has %d%s", b->name,
                   scope, (int)b->type.lanes, IRL__TEXEL_LANES, or_wide);
    else
        irl__textf(why, "the innermost extent of '%s' in scope %s must be %d%s; found %s", b->name,
                   scope, irl__texel_lanes(b), or_wide,
                   b->rank ? irl_expr_text(cx, b->shape[b->rank - 1]) : "none");
    return IRL_ERROR_BAD_TEXEL;
}

/* One group of axes for each dimension, or enough axes for the scope's convention to make them. */
static irl_code irl__image_misfit_groups(const irl_buffer *b, irl__text *why)
{
    int         groups = irl__image_coordinates(irl__image_of(b)), axes = irl__image_axes(b);
    const char *scope = irl__scope_text(b->scope), *image = irl__image_text(irl__image_of(b));
    if (b->separator_count && b->separator_count != groups - 1)
        irl__textf(why, "'%s' has %d separators; an %s of scope %s has %d%s", b->name,
                   b->separator_count, image, scope, groups - 1,
                   irl__scope_image(b->scope) == IRL__IMAGE_2D ? ", and an array of them 2" : "");
    else if (!b->separator_count && axes < groups && !irl__image_is_flat(b) && groups > 1)
        irl__textf(why, "'%s' in scope %s has %d axes besides the texel; an %s has %d dimensions",
                   b->name, scope, axes, image, groups);
    else return IRL_OK;
    return IRL_ERROR_UNSUPPORTED_RANK;
}

irl_code irl__image_misfit(irl_ctx *cx, const irl_buffer *b, irl__text *why)
{
    const char *scope = irl__scope_text(b->scope);
    irl__text_init(why, cx);
    if (!irl__texel_has_format(b->type)) {
        irl__textf(why, "'%s' in scope %s holds %s, for which images have no format", b->name,
                   scope, irl__type_cstr(cx, b->type));
        return IRL_ERROR_IMAGE_FORMAT;
    }
    if (b->strides || b->offset) {
        irl__textf(why, "'%s' in scope %s has strides or an offset; an image has rows", b->name,
                   scope);
        return IRL_ERROR_UNSUPPORTED;
    }
    return b->separator_count > 2 || irl__texel_measure(b) ? irl__image_misfit_groups(b, why)
                                                           : irl__image_misfit_lanes(cx, b, why);
}
