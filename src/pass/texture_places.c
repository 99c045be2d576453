/* texture_places.c - images as lower_textures needs them: which buffers can be images, their rows
   and columns, and the texel of an access.

   needs     texel.c
   promises  a buffer that no image can hold is a diagnostic; all views of an image have the same
             axes */
#include "textures.h"
#include "../plan/plan.h"

/* ----------------------------------------- buffers: the convention, and what no image can be */

/* All views of an image have its axes: a view of others would cut the rows elsewhere. */
static int irl__tex_same_view(irl__tex_state *state, const irl_buffer *b)
{
    const irl_buffer *owner = (const irl_buffer *)irl__ptr_map_get(&state->owners, b->data);
    if (!owner) return irl__ptr_map_put(state->cx, &state->owners, b->data, b);
    int same = owner->rank == b->rank && irl_type_equal(owner->type, b->type) &&
               owner->separator_count == b->separator_count && owner->texel == b->texel;
    for (int k = 0; same && k < b->rank; k++) same = owner->shape[k] == b->shape[k];
    for (int k = 0; same && k < b->separator_count; k++)
        same = owner->separators[k] == b->separators[k];
    return same ||
           irl__fail(state->cx, IRL_ERROR_BAD_ALIAS, b->loc, "'%s' is a view of the image '%s' "
                     "with other axes or elements", b->name, owner->name);
}

int irl__tex_separators(const irl_buffer *b, int *separators)
{
    int groups = irl__image_coordinates(irl__image_of(b));
    for (int k = 0; k < groups - 1; k++) separators[k] = irl__image_axes(b) - (groups - 1) + k;
    if (b->scope == IRL_SCOPE_TEXTURE_WEIGHT) separators[0] = 1;
    return groups - 1;
}

const irl_buffer *irl__tex_buffer(irl__rewriter *r, const irl_buffer *b)
{
    irl__tex_state *state = (irl__tex_state *)r->user;
    int             separators[IRL__TEXEL_AXES], lanes;
    if (!irl__tex_is(b)) return b;
    irl_buffer *to = (irl_buffer *)irl__ptr_map_get(&state->buffers, b);
    if (to) return to;
    irl__text      why;
    const irl_code code = irl__image_misfit(state->cx, b, &why);
    if (!(code == IRL_OK || irl__fail(state->cx, code, b->loc, "%s", irl__text_done(&why))) ||
        !irl__tex_same_view(state, b))
        return NULL;
    lanes = irl__texel_measure(b);
    if ((b->separator_count || irl__image_of(b) == IRL__IMAGE_LINE) && lanes == irl__texel_lanes(b))
        return irl__ptr_map_put(r->cx, &state->buffers, b, b) ? b : NULL;
    to = irl__buffer_copy(r->cx, b);
    if (!to) return NULL;
    if (lanes != irl__texel_lanes(b)) to->texel = lanes;
    if (!b->separator_count) {
        to->separator_count = irl__tex_separators(b, separators);
        to->separators = IRL__COPY(r->cx, int, separators, to->separator_count);
        if (!to->separators) return NULL;
    }
    return irl__ptr_map_put(r->cx, &state->buffers, b, to) &&
                   irl__ptr_map_put(r->cx, &state->buffers, to, to)
               ? to
               : NULL;
}

/* ------------------------------------------------------------------ where an access goes */

/* Row-major over axes [first, end), whose indices are scalars. */
static const irl_expr *irl__tex_digits(irl__tex_state *state, const irl_buffer *b, int first,
                                       int end, const irl_expr *const *indices)
{
    const irl_expr *sum = irl__row_major(state->cx, end - first, b->shape + first, indices + first);
    return irl__simplify(state->an, sum);
}

/* The column and the lane that the last axes tell. */
static int irl__tex_column(irl__tex_state *state, const irl_buffer *b, int first,
                           const irl_expr *const *indices, irl__tex_place *p)
{
    irl_ctx        *cx = state->cx;
    const irl_expr *last = indices[b->rank - 1], *lanes = irl_expr_index(cx, irl__texel_lanes(b));
    p->lane = NULL;
    if (irl__tex_by_element(b)) {
        p->at[0] = irl__tex_digits(state, b, first, b->rank, indices);
        return p->at[0] != NULL;
    }
    if (irl__image_is_flat(b)) {
        p->at[0] = irl__simplify(state->an, irl__floordiv(cx, last, lanes));
        p->lane = irl__simplify(state->an, irl__floormod(cx, last, lanes));
    } else {
        p->at[0] = irl__tex_digits(state, b, first, b->rank - 1, indices);
        p->lane = irl__simplify(state->an, last);
    }
    return p->at[0] && p->lane;
}

int irl__tex_place_of(irl__tex_state *state, const irl_buffer *b, const irl_expr *const *indices,
                      irl__tex_place *p)
{
    int first = 0, lanes = irl__texel_lanes(b);
    memset(p, 0, sizeof *p);
    for (int group = 0; group < b->separator_count; first = b->separators[group++]) {
        const irl_expr **at = &p->at[b->separator_count - group];
        *at = irl__tex_digits(state, b, first, b->separators[group], indices);
        if (!*at) return 0;
    }
    if (!irl__tex_column(state, b, first, indices, p)) return 0;
    return !p->lane || p->lane->op != IRL_OP_INT || (p->lane->u.i >= 0 && p->lane->u.i < lanes) ||
           IRL__FAIL(state->cx, IRL_ERROR_OUT_OF_BOUNDS, "lane %l of a texel of '%s', which has %d",
                     p->lane->u.i, b->name, lanes);
}

/* Scalar rows and columns first. */
int irl__tex_places(irl__tex_state *state, const irl_buffer *b, const irl_expr *const *indices,
                    uint32_t *count, irl__tex_place *places)
{
    const irl_expr *scalar[IRL_MAX_RANK];
    memcpy(scalar, indices, (size_t)b->rank * sizeof *scalar);
    *count = indices[b->rank - 1]->type.lanes;
    for (uint32_t k = 0; k < *count; k++) {
        const irl_expr *last = irl__lane(state->cx, indices[b->rank - 1], k);
        scalar[b->rank - 1] = *count == 1 ? last : irl__simplify(state->an, last);
        if (!scalar[b->rank - 1] || !irl__tex_place_of(state, b, scalar, &places[k])) return 0;
    }
    return 1;
}

int irl__tex_one_texel(const irl__tex_place *places, uint32_t count)
{
    for (uint32_t k = 1; k < count; k++)
        if (memcmp(places[k].at, places[0].at, sizeof places[0].at) != 0) return 0;
    return 1;
}
