/* texel.c - images: their kinds, their texels, and the intrinsics that access them by whole texels.

     intrinsic(f32x4, texture2d_load, x, column, row)           the texel
     intrinsic(f32x4, texture2d_store, x, column, row, value)   writes it, and is the value
     texture1d_... takes a column; texture2d_array_... and texture3d_... take column, row and layer

   needs     expr.c
   promises  what is built here, and what the verifier lets pass, names an image by its data
             pointer, a texel by scalars of type index, one for each dimension, and has the lanes of
             the image's texel: four of its elements' scalar, or as many as 128 bits hold. The
             pointer's buffer has one separator less than dimensions; its last group of axes is
             columns, whose last axis is the texel */
#include "ir.h"

typedef struct irl__texel_row {
    int         coordinates;
    const char *text;
    const char *call[3]; /* by irl__texel_call */
} irl__texel_row;

static const irl__texel_row irl__texel_rows[] = { /* by irl__image */
    { 0, "", { "", "", "" } },
    { 1, "image1d_buffer_t", { "", "texture1d_load", "texture1d_store" } },
    { 2, "image2d_t", { "", "texture2d_load", "texture2d_store" } },
    { 3, "image2d_array_t", { "", "texture2d_array_load", "texture2d_array_store" } },
    { 3, "image3d_t", { "", "texture3d_load", "texture3d_store" } },
};

int         irl__image_coordinates(irl__image image) { return irl__texel_rows[image].coordinates; }
const char *irl__image_text(irl__image image) { return irl__texel_rows[image].text; }

irl__image irl__image_with(irl_scope scope, int separator_count)
{
    irl__image image = irl__scope_image(scope);
    return image == IRL__IMAGE_2D && separator_count == 2 ? IRL__IMAGE_ARRAY : image;
}

irl__image irl__image_of(const irl_buffer *b)
{
    return irl__image_with(b->scope, b->separator_count);
}

int irl__image_size(const irl_buffer *b, const int64_t *extent, int64_t size[IRL__TEXEL_AXES])
{
    int k, group = 0;
    for (k = 0; k < IRL__TEXEL_AXES; k++) size[k] = 1;
    if (!irl__scope_is_image(b->scope) ||
        b->separator_count != irl__image_coordinates(irl__image_of(b)) - 1)
        return 0;
    for (k = 0; k < b->rank; k++) {
        if (group < b->separator_count && k == b->separators[group]) group++;
        int64_t *side = &size[b->separator_count - group];
        if (!irl__mul64(*side, extent[k], side)) return 0;
    }
    if (!irl__mul64(size[0], (int64_t)b->type.lanes, &size[0])) return 0;
    size[0] /= irl__texel_lanes(b);
    return 1;
}

void irl__image_size_text(irl__text *t, irl__image image, const int64_t *size)
{
    int k;
    for (k = 0; k < irl__image_coordinates(image); k++) irl__textf(t, k ? " by %l" : "%l", size[k]);
}

/* ------------------------------------------------------------------ texels */

int irl__texel_lanes(const irl_buffer *b)
{
    if (b->type.lanes != 1) return (int)b->type.lanes;
    return b->texel ? b->texel : IRL__TEXEL_LANES;
}

/* As flattening leaves it: one axis for each dimension, the last of columns and lanes together. */
int irl__image_is_flat(const irl_buffer *b)
{
    int lanes = irl__texel_lanes(b);
    return b->rank == irl__image_coordinates(irl__image_of(b)) &&
           b->rank == b->separator_count + 1 && b->type.lanes == 1 &&
           b->shape[b->rank - 1]->op == IRL_OP_INT && b->shape[b->rank - 1]->u.i != lanes &&
           b->shape[b->rank - 1]->u.i % lanes == 0;
}

int irl__texel_measure(const irl_buffer *b)
{
    const irl_expr *inner = b->rank ? b->shape[b->rank - 1] : NULL;
    int64_t         extent = inner && inner->op == IRL_OP_INT ? inner->u.i : 0;
    if (b->type.lanes != 1)
        return irl__texel_lanes_ok(b->type, (int)b->type.lanes) ? (int)b->type.lanes : 0;
    if (irl__image_is_flat(b)) return irl__texel_lanes(b);
    if (b->texel && extent != b->texel) return 0;
    return extent > 0 && extent <= IRL_MAX_LANES && irl__texel_lanes_ok(b->type, (int)extent)
               ? (int)extent
               : 0;
}

irl_type irl__texel_type(const irl_buffer *b)
{
    return irl__type_with_lanes(irl_type_of((irl_scalar)b->type.scalar, 1),
                                (uint32_t)irl__texel_lanes(b));
}

int irl__texel_has_format(irl_type element)
{
    return !element.is_pointer && element.scalar != IRL_BOOL && element.scalar != IRL_INDEX &&
           irl__type_info(element)->bits <= 32;
}

int irl__texel_wide(irl_type element)
{
    return irl__texel_has_format(element) ? IRL__TEXEL_BITS / irl__type_info(element)->bits : 0;
}

int irl__texel_lanes_ok(irl_type element, int lanes)
{
    return irl__texel_has_format(element) &&
           (lanes == IRL__TEXEL_LANES || lanes == irl__texel_wide(element));
}

/* ------------------------------------------------------------------ calls */

static irl__texel_call irl__texel_find(const irl_expr *e, irl__image *image)
{
    for (size_t k = 1; e->op == IRL_OP_CALL_INTRINSIC && k < IRL__COUNTOF(irl__texel_rows); k++)
        for (int call = IRL__TEXEL_LOAD; call <= IRL__TEXEL_STORE; call++) {
            if (strcmp(e->u.name, irl__texel_rows[k].call[call]) != 0) continue;
            *image = (irl__image)k;
            return (irl__texel_call)call;
        }
    *image = IRL__IMAGE_NONE;
    return IRL__TEXEL_NO_CALL;
}

irl__texel_call irl__texel_call_of(const irl_expr *e)
{
    irl__image image;
    return e->op == IRL_OP_CALL_INTRINSIC ? irl__texel_find(e, &image) : IRL__TEXEL_NO_CALL;
}

irl__image irl__texel_image_of(const irl_expr *e)
{
    irl__image image;
    (void)irl__texel_find(e, &image);
    return image;
}

/* A call on the image b at coordinates `at`; `value` NULL for a load. */
static const irl_expr *irl__texel_make(irl_ctx *cx, const irl_buffer *b, const irl_expr *const *at,
                                       const irl_expr *value)
{
    irl__image      image = irl__image_of(b);
    const irl_expr *args[IRL__TEXEL_AXES + 2];
    int             k, n = irl__image_coordinates(image);
    args[0] = b->data;
    for (k = 0; k < n; k++) args[k + 1] = at[k];
    args[n + 1] = value;
    return irl__expr_call(cx, IRL_OP_CALL_INTRINSIC, irl__texel_type(b),
                          irl__texel_rows[image].call[value ? IRL__TEXEL_STORE : IRL__TEXEL_LOAD],
                          n + (value ? 2 : 1), args);
}

const irl_expr *irl__texel_load(irl_ctx *cx, const irl_buffer *b, const irl_expr *const *at)
{
    return irl__texel_make(cx, b, at, NULL);
}

const irl_stmt *irl__texel_store(irl_ctx *cx, const irl_buffer *b, const irl_expr *const *at,
                                 const irl_expr *value, irl_loc loc)
{
    irl_stmt *s = irl__stmt_new(cx, IRL__EVALUATE, loc);
    if (!s || !value) return NULL;
    s->u.evaluate.value = irl__texel_make(cx, b, at, value);
    return s->u.evaluate.value ? irl__stmt_finish(cx, s) : NULL;
}

/* ------------------------------------------------------------------ the verifier's questions */

/* The scope's images, and the separators of the buffer if it is known, are of the call's kind. */
static int irl__texel_fits_image(const irl_expr *e, const irl_buffer *owner, irl__image image)
{
    irl_scope scope = (irl_scope)e->a[0]->type.scope;
    if (e->a[0]->op != IRL_OP_VAR || !e->a[0]->type.is_pointer || !irl__scope_is_image(scope))
        return 0;
    if (owner) return irl__image_of(owner) == image;
    return irl__image_with(scope, 1) == image || irl__image_with(scope, 2) == image;
}

/* The texel's type, where the call may have it. */
static int irl__texel_fits_type(const irl_expr *e, const irl_buffer *owner)
{
    irl_type element = irl_type_of((irl_scalar)e->a[0]->type.scalar, 1);
    if (owner) return irl_type_equal(e->type, irl__texel_type(owner));
    return irl_type_equal(irl__type_with_lanes(e->type, 1), element) &&
           irl__texel_lanes_ok(element, (int)e->type.lanes);
}

int irl__texel_verify(irl_ctx *cx, const irl_expr *e, const irl_buffer *owner, irl_loc where)
{
    irl__image      image;
    irl__texel_call call = irl__texel_find(e, &image);
    const char     *name = e->u.name, *wanted;
    uint32_t coordinates = (uint32_t)irl__image_coordinates(image),
             count = coordinates + (call == IRL__TEXEL_LOAD ? 1 : 2), k;
    if (call == IRL__TEXEL_NO_CALL) return 1;
    if (e->count != count)
        return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, where, "%s takes %u arguments; found %u", name,
                         (uint64_t)count, (uint64_t)e->count);
    if (!irl__texel_fits_image(e, owner, image))
        return irl__fail(cx, IRL_ERROR_TYPE_MISMATCH, where,
                         "%s takes a buffer first whose scope and separators make it an %s, as in "
                         "scope texture; found %s",
                         name, irl__image_text(image),
                         owner && irl__scope_is_image(owner->scope)
                             ? irl__image_text(irl__image_of(owner))
                             : irl__type_cstr(cx, e->a[0]->type));
    for (k = 1; k <= coordinates; k++)
        if (!irl_type_equal(e->a[k]->type, irl__type_index()))
            return irl__fail(cx, IRL_ERROR_TYPE_MISMATCH, where,
                             "%s takes %u coordinates of type index; found %s", name,
                             (uint64_t)coordinates, irl__type_cstr(cx, e->a[k]->type));
    int fits = irl__texel_fits_type(e, owner);
    if (fits && (call == IRL__TEXEL_LOAD || irl_type_equal(e->type, e->a[count - 1]->type)))
        return 1;
    wanted = fits ? irl__type_cstr(cx, e->type)
                  : irl__type_cstr(cx, owner ? irl__texel_type(owner)
                                             : irl_type_of((irl_scalar)e->a[0]->type.scalar,
                                                           IRL__TEXEL_LANES));
    return irl__fail(cx, IRL_ERROR_TYPE_MISMATCH, where, "a texel of '%s' is %s; found %s",
                     e->a[0]->u.name, wanted,
                     irl__type_cstr(cx, fits ? e->a[count - 1]->type : e->type));
}
