/* glsl_image.c - images in GLSL: what a kernel reads is a texture, which goes through the texture
   unit's cache by texelFetch; what it writes is a storage image, writeonly, in a stated format.

   needs     texture-lowered bodies: images appear in the intrinsics of texel.c alone
   promises  a read that is not proved in range is clamped, since a fetch beside the image is
             undefined; no sampler is asked for. A half or a normalised number is handed over as the
             float that it is, and written as one, which no rounding of a device's changes */
#include "glsl.h"

/* How a texel of a scalar type is handed over: as <kind>vec4. */
typedef struct irl__glsl_texel_row {
    irl_scalar  scalar;
    const char *kind, *format;
} irl__glsl_texel_row;

static const irl__glsl_texel_row irl__glsl_texels[] = {
    { IRL_F32, "", "rgba32f" },   { IRL_F16, "", "rgba16f" },    { IRL_BF16, "u", "rgba16ui" },
    { IRL_I8, "i", "rgba8i" },    { IRL_I16, "i", "rgba16i" },   { IRL_I32, "i", "rgba32i" },
    { IRL_U8, "u", "rgba8ui" },   { IRL_U16, "u", "rgba16ui" },  { IRL_U32, "u", "rgba32ui" },
    { IRL_UNORM8, "", "rgba8" },  { IRL_SNORM8, "", "rgba8_snorm" },
};

/* By irl__image: of what is read, of what is written, of coordinates. */
static const char *const irl__glsl_textures[] = { "", "textureBuffer", "texture2D",
                                                  "texture2DArray", "texture3D" };
static const char *const irl__glsl_images[] = { "", "imageBuffer", "image2D", "image2DArray",
                                                "image3D" };
static const char *const irl__glsl_places[] = { "", "int", "ivec2", "ivec3", "ivec3" };

static const irl__glsl_texel_row *irl__glsl_texel_row_of(irl__emit *e, irl_type t)
{
    for (size_t k = 0; t.lanes == IRL__TEXEL_LANES && k < IRL__COUNTOF(irl__glsl_texels); k++)
        if ((uint8_t)irl__glsl_texels[k].scalar == t.scalar) return &irl__glsl_texels[k];
    irl__fail(e->cx, IRL_ERROR_IMAGE_FORMAT, e->cx->here, "an image of %s has no format in GLSL",
              irl__type_cstr(e->cx, t));
    return NULL;
}

void irl__glsl_image_declare(irl__emit *e, const irl__emit_memory *m, int binding, const char *name)
{
    const irl__glsl_texel_row *row = irl__glsl_texel_row_of(e, irl__texel_type(m->buffer));
    irl__image                 image = irl__image_of(m->buffer);
    if (!row) return;
    irl__textf(&e->text, "layout(set = 0, binding = %d", binding);
    if (m->is_written)
        irl__textf(&e->text, ", %s) uniform %swriteonly %s%s", row->format,
                   m->is_shared_by_arguments ? "" : "restrict ", row->kind,
                   irl__glsl_images[image]);
    else irl__textf(&e->text, ") uniform %s%s", row->kind, irl__glsl_textures[image]);
    irl__textf(&e->text, " %s;\n", name);
    irl__glsl_of(e)->has_texels |= !m->is_written;
}

/* ------------------------------------------------------------------ places */

/* "x, ivec2(column, row)" */
static void irl__glsl_texel_place(irl__emit *e, const irl_expr *x, int is_inside)
{
    const irl__emit_symbol *symbol = irl__emit_find(e, x->a[0]);
    irl__image              image = irl__texel_image_of(x);
    const char             *place = irl__glsl_places[image], *name = symbol ? symbol->name : "";
    if (!symbol)
        irl__fail(e->cx, IRL_ERROR_UNDECLARED, e->cx->here,
                  "image '%s' is not an argument of this kernel", x->a[0]->u.name);
    irl__textf(&e->text, is_inside ? "%s, %s(" : "%s, clamp(%s(", name, place);
    for (int k = 1; k <= irl__image_coordinates(image); k++) {
        if (k > 1) irl__text_puts(&e->text, ", ");
        irl__emit_place(e, x->a[k], IRL__PREC_ANY);
    }
    if (!is_inside)
        irl__textf(&e->text, "), %s(0), textureSize(%s%s) - 1", place, name,
                   image == IRL__IMAGE_LINE ? "" : ", 0");
    irl__text_putc(&e->text, ')');
}

/* ------------------------------------------------------------------ reads */

static void irl__glsl_fetch(irl__emit *e, const irl_expr *x)
{
    irl__text_puts(&e->text, "texelFetch(");
    irl__glsl_texel_place(e, x, irl__emit_texel_is_inside(e, x));
    irl__text_puts(&e->text, irl__texel_image_of(x) == IRL__IMAGE_LINE ? ")" : ", 0)");
}

int irl__glsl_float_texel(irl__emit *e, const irl_expr *x, int print)
{
    if (!(x->type.scalar == IRL_F16 || irl__type_is_normalised(x->type)) ||
        irl__texel_call_of(x) != IRL__TEXEL_LOAD || x->type.lanes != IRL__TEXEL_LANES ||
        (e->temporaries && irl__emit_find(e, x)))
        return 0;
    if (print) irl__glsl_fetch(e, x);
    return 1;
}

void irl__glsl_texel(irl__emit *e, const irl_expr *x)
{
    if (irl__texel_call_of(x) != IRL__TEXEL_LOAD) {
        irl__glsl_refuse(e, "as a value, the intrinsic ", x->u.name);
        return;
    }
    if (!irl__glsl_texel_row_of(e, x->type)) return;
    int is_narrow = irl__type_info(x->type)->bits < 32;
    if (x->type.scalar == IRL_F16) {
        irl__glsl_need(e, IRL__HELP_FLOAT_TO_HALF, x->type);
        irl__textf(&e->text, "%s_float_to_half4(", e->prefix);
    } else if (irl__type_is_normalised(x->type)) {
        irl__glsl_need(e, IRL__HELP_FLOAT_TO_NORM, x->type);
        irl__emit_norm_name(e, &e->text, IRL__HELP_FLOAT_TO_NORM, x->type);
        irl__text_putc(&e->text, '(');
    } else if (is_narrow) {
        irl__emitf(e, "%t(", x->type);
    }
    irl__glsl_fetch(e, x);
    if (is_narrow) irl__text_putc(&e->text, ')');
}

/* ------------------------------------------------------------------ writes */

/* The value as a store takes it. */
static void irl__glsl_texel_value(irl__emit *e, const irl__glsl_texel_row *row,
                                  const irl_expr *value)
{
    if (value->type.scalar == IRL_F16) {
        irl__glsl_need(e, IRL__HELP_HALF_TO_FLOAT, value->type);
        irl__textf(&e->text, "%s_half_to_float4", e->prefix);
        irl__emit_call(e, "", 1, &value);
    } else if (irl__type_is_normalised(value->type)) {
        irl__glsl_need(e, IRL__HELP_NORM_TO_FLOAT, value->type);
        irl__emit_norm_name(e, &e->text, IRL__HELP_NORM_TO_FLOAT, value->type);
        irl__emit_call(e, "", 1, &value);
    } else if (irl__type_info(value->type)->bits < 32) {
        irl__textf(&e->text, "%svec4", row->kind);
        irl__emit_call(e, "", 1, &value);
    } else irl__emit_expr(e, value, IRL__PREC_CHOICE);
}

void irl__glsl_image_store(irl__emit *e, const irl_stmt *s)
{
    const irl_expr            *x = s->u.evaluate.value, *value = x->a[x->count - 1];
    irl__emit_scope            scope = irl__emit_scope_begin(e);
    const irl__glsl_texel_row *row = irl__glsl_texel_row_of(e, x->type);
    if (!row) return;
    for (uint32_t k = 1; k < x->count; k++) irl__emit_prepare(e, x->a[k]);
    irl__emit_line(e);
    irl__text_puts(&e->text, "imageStore(");
    irl__glsl_texel_place(e, x, 1);
    irl__text_puts(&e->text, ", ");
    irl__glsl_texel_value(e, row, value);
    irl__text_puts(&e->text, ");\n");
    irl__emit_forget(e, scope, NULL);
}
