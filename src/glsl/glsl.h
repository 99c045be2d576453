/* glsl.h - what the files of the GLSL emitter share.

   needs     emit, map (to evaluate sizes), target
   promises  compute shaders in GLSL 4.50 for Vulkan, one text for each kernel of a lowered module

   READING ORDER  this file; glsl_type.c (names of types, bits under another type); glsl_helper.c
                  (functions that a shader brings along); glsl_image.c; glsl_vector.c (bools,
                  functions);
                  glsl_run.c (elements that are no element of the array's own type);
                  glsl_language.c (what the shared printers ask); emit_glsl.c (shaders) */
#ifndef IRL__GLSL_H
#define IRL__GLSL_H

#include "../emit/emit.h"
#include "../map/map.h"

/* One shader on its way to text. */
typedef struct irl__glsl_shader {
    irl_glsl_kernel *kernel;
    /* in a value that no memory takes, which would be declared as precise: its sums and products
       are computed by functions whose results are */
    int exact;
    const irl_expr *left; /* to the shared printer */
    int guards;     /* around what is printed: not all items of a group run it */
    int has_texels; /* an image is read */
    int has_barrier;
} irl__glsl_shader;

static inline irl__glsl_shader *irl__glsl_of(irl__emit *e)
{
    return (irl__glsl_shader *)e->unit->user;
}

/* ------------------------------------------------------------------ glsl_type.c */

/* "uintBitsToFloat(" */
IRL__FN void irl__glsl_as(irl__emit *e, irl_type to, irl_type from);
/* as(T, x) between types of as many lanes or of others. */
IRL__FN void irl__glsl_reinterpret(irl__emit *e, const irl_expr *x);
/* Says that GLSL has nothing for it. */
IRL__FN void irl__glsl_refuse(irl__emit *e, const char *what, const char *name);
/* Whether GLSL computes with it: f32, f64. */
IRL__FN int  irl__glsl_is_computed(irl_type type);
/* Whether a value is narrower than an int. */
IRL__FN int  irl__glsl_is_narrow(irl_type type);

/* ------------------------------------------------------------------ glsl_helper.c */

/* irl_min_float4(a, b) */
IRL__FN void irl__glsl_call(irl__emit *e, int kind, const irl_expr *x);
IRL__FN int  irl__glsl_has_helper(int kind, irl_type type);
IRL__FN int  irl__glsl_helper(irl__emit *e, irl__text *t, irl__emit_helper helper);

/* ------------------------------------------------------------------ glsl_vector.c */

/* What only GLSL prints of an expression with lanes: 1, printed. */
IRL__FN int  irl__glsl_vector(irl__emit *e, const irl_expr *x, int precedence);
/* Of scalars and of vectors, a function of floats or integers by GLSL's name */
IRL__FN void irl__glsl_function(irl__emit *e, const irl_expr *x);

/* ------------------------------------------------------------------ glsl_run.c */

IRL__FN void irl__glsl_load_run(irl__emit *e, const irl__memory_place *p);
IRL__FN void irl__glsl_store_run(irl__emit *e, const irl__memory_place *p, const irl_expr *value);

/* ------------------------------------------------------------------ glsl_image.c */

/* "layout(set = 0, binding = 1, rgba32f) uniform restrict writeonly image2D x;" */
IRL__FN void irl__glsl_image_declare(irl__emit *e, const irl__emit_memory *m, int binding,
                                     const char *name);
/* The texel of a load, or the start of a store. */
IRL__FN void irl__glsl_texel(irl__emit *e, const irl_expr *x, irl_scalar device);

/* ------------------------------------------------------------------ glsl_language.c */

IRL__FN void irl__glsl_language(irl__emit_language *l);

#endif
