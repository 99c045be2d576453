/* ocl.h - what the files of the OpenCL emitter share.

   needs     emit, map (to evaluate sizes), target
   promises  programs in OpenCL C 1.2 for lowered modules

   READING ORDER  this file; emit_run.c, emit_image.c, emit_vector.c (what only
                  OpenCL C has: lanes, loads of several elements, images); emit_builtin.c (functions
                  that a program brings along); emit_language.c (what the shared printers ask);
                  emit_ocl.c (kernels and programs) */
#ifndef IRL__OCL_H
#define IRL__OCL_H

#include "../emit/emit.h"
#include "../map/map.h"
#include "../target/target.h"
#include "../../irlayout_ocl.h"

/* Helpers beyond the shared ones. */
enum {
    IRL__OCL_SAMPLER = IRL__HELP_COUNT,
    IRL__OCL_ABS,
    IRL__OCL_MIN, /* of a number and what may be a NaN */
    IRL__OCL_MAX,
    IRL__OCL_LOAD /* several elements at the place of any one */
};

/* ------------------------------------------------------------------ emit_run.c */

/* What emit_memory.c leaves to the language: loads and stores of several elements, or of elements
   of another size, by vload and vstore; f16 that is converted. */
IRL__FN void irl__ocl_load_run(irl__emit *e, const irl__memory_place *p);
IRL__FN void irl__ocl_store_run(irl__emit *e, const irl__memory_place *p, const irl_expr *value);
IRL__FN void irl__ocl_load_half(irl__emit *e, const irl_expr *x);
IRL__FN void irl__ocl_store_half(irl__emit *e, const irl_buffer *b, const irl_expr *index,
                                 const irl_expr *value);

/* ------------------------------------------------------------------ emit_image.c */

/* What a host must know to make the image of an argument. */
IRL__FN void irl__ocl_image_argument(irl_ocl_argument *a, const irl__emit_memory *m);
/* "__read_only image2d_t x" */
IRL__FN void irl__ocl_image_parameter(irl__emit *e, const irl__emit_memory *m, const char *name);
/* The texel of a load, or the start of a store. */
IRL__FN void irl__ocl_texel(irl__emit *e, const irl_expr *x, irl_scalar device);

/* ------------------------------------------------------------------ emit_vector.c */

IRL__FN void irl__ocl_abs(irl__emit *e, const irl_expr *x, int precedence);
/* The smaller or larger of a float and private memory that never holds a NaN: a comparison, where
   fmin and fmax are three instructions. 1: printed. */
IRL__FN int irl__ocl_minmax(irl__emit *e, const irl_expr *x);
/* Prints an expression with lanes, or one that takes a vector apart. */
IRL__FN int irl__ocl_vector(irl__emit *e, const irl_expr *x, int precedence);
/* Bools as a vector of signed integers of `bits`: 0 and -1. */
/* forward: stored and shuffled */
IRL__FN void irl__ocl_mask(irl__emit *e, const irl_expr *x, int bits, int precedence);

/* ------------------------------------------------------------------ emit_builtin.c */

/* 1: the text of a helper that is not the shared one. */
IRL__FN int irl__ocl_helper(irl__emit *e, irl__text *t, irl__emit_helper helper);

/* ------------------------------------------------------------------ emit_language.c */

/* What OpenCL C is, for the shared printers. Values of f16 and bf16 are held as their bits, in a
   ushort. */
IRL__FN void irl__ocl_language(irl__emit_language *l);
/* The same where f16 is a type of its own, cl_khr_fp16; types: IRL__SCALAR_COUNT of them. */
IRL__FN void irl__ocl_with_halves(irl__emit_language *l, const char **types);

/* ------------------------------------------------------------------ emit_ocl.c */

/* irl_ocl_emit, in OpenCL C or in a language with other rows. */
IRL__FN const irl_ocl_program *irl__ocl_emit_in(const irl_module *m, irl__emit_language *language);

/* What launches and calls of the host do to each memory, added to access[k]: bits of
   irl_ocl_access; is_launched: what launches do alone. */
IRL__FN void irl__ocl_accesses(const irl_module *m, const irl_ocl_program *program, int count,
                               const irl_expr *const *data, int is_launched, int *access);

/* What a launch knows: integer arguments of a kernel, and their values. */
typedef struct irl__ocl_known {
    int             count;
    const irl_expr *vars[IRL_MAX_ARGUMENTS];
    int64_t         values[IRL_MAX_ARGUMENTS];
} irl__ocl_known;

/* irl_ocl_kernel_sizes, the extents of buffer argument k, and irl_ocl_kernel_bytes, by what is
 * known. */
IRL__FN int irl__ocl_sizes(irl_ctx *cx, const irl_ocl_kernel *kernel, const irl__ocl_known *known,
                           size_t global[3], size_t local[3]);
IRL__FN int irl__ocl_extents(irl_ctx *cx, const irl_ocl_kernel *kernel, int k,
                             const irl__ocl_known *known, int64_t *extent);
IRL__FN int64_t irl__ocl_bytes(irl_ctx *cx, const irl_ocl_kernel *kernel, int k,
                               const irl__ocl_known *known);

#endif
