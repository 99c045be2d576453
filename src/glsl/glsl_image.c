/* glsl_image.c - images in GLSL: what a kernel reads is a texture, which goes through the texture
   unit's cache by texelFetch; what it writes is a storage image, writeonly, in a stated format.

   needs     ../emit/emit_image.c, which asks where a texel is
   promises  a read that is not proved in range is clamped, because a fetch outside of the image is
             undefined; no sampler is needed. A half or a normalised number is written as a float,
             which no device rounds */
#include "glsl.h"

/* By irl__image: of what is read, of what is written, of coordinates. */
static const char *const irl__glsl_textures[] = { "", "textureBuffer", "texture2D",
                                                  "texture2DArray", "texture3D" };
static const char *const irl__glsl_images[] = { "", "imageBuffer", "image2D", "image2DArray",
                                                "image3D" };
static const char *const irl__glsl_places[] = { "", "int", "ivec2", "ivec3", "ivec3" };

void irl__glsl_image_declare(irl__emit *e, const irl__emit_memory *m, int binding, const char *name)
{
    const irl__texel_format *row = irl__emit_texel_format(e, irl__texel_type(m->buffer));
    irl__image            image = irl__image_of(m->buffer);
    if (!row) return;
    const char *kind = row->device == IRL_F32 ? "" : row->device == IRL_I32 ? "i" : "u";
    irl__textf(&e->text, "layout(set = 0, binding = %d", binding);
    if (m->is_written)
        irl__textf(&e->text, ", %s) uniform %swriteonly %s%s", row->glsl,
                   m->is_shared_by_arguments ? "" : "restrict ", kind, irl__glsl_images[image]);
    else irl__textf(&e->text, ") uniform %s%s", kind, irl__glsl_textures[image]);
    irl__textf(&e->text, " %s;\n", name);
    irl__glsl_of(e)->has_texels |= !m->is_written;
}

/* "texelFetch(x, ivec2(column, row), 0)"; "imageStore(x, ivec2(column, row)", before the value. */
void irl__glsl_texel(irl__emit *e, const irl_expr *x, irl_scalar device)
{
    const irl__image image = irl__texel_image_of(x);
    const int        is_load = irl__texel_call_of(x) == IRL__TEXEL_LOAD,
              is_inside = !is_load || irl__emit_texel_is_inside(e, x);
    const char *place = irl__glsl_places[image], *name = irl__emit_image_name(e, x),
               *level = image == IRL__IMAGE_LINE ? "" : ", 0";
    (void)device;
    irl__textf(&e->text, "%s(%s, %s%s(", is_load ? "texelFetch" : "imageStore", name,
               is_inside ? "" : "clamp(", place);
    irl__emit_coordinates(e, x);
    if (!is_inside)
        irl__textf(&e->text, "), %s(0), textureSize(%s%s) - 1", place, name, level);
    irl__textf(&e->text, is_load ? ")%s)" : ")", level);
}
