/* ocl.h - what the files of the OpenCL emitter share.

   needs     emit, map (to evaluate sizes), target
   promises  programs in OpenCL C 1.2 for lowered modules

   READING ORDER  this file; emit_type.c (what things are called); emit_survey.c (what a kernel does
                  with its memory); emit_lanes.c, emit_memory.c, emit_image.c, emit_convert.c,
                  emit_vector.c (expressions, loads and stores); emit_helper.c (functions that a
                  program brings along); emit_language.c (what the shared printers ask); emit_ocl.c
                  (kernels and programs) */
#ifndef IRL__OCL_H
#define IRL__OCL_H

#include "../emit/emit.h"
#include "../map/map.h"
#include "../target/target.h"
#include "../../irlayout_ocl.h"

/* The memory behind a data variable, as a kernel sees it. */
typedef struct irl__ocl_memory {
    const irl_expr   *data;
    const irl_buffer *buffer;  /* the parameter or the allocation */
    /* what the C pointer points to; lanes 1 unless all accesses are whole vectors of this type */
    irl_type          element;
    /* the scalar that it points to: the buffer's, or that of all accesses to a parameter */
    irl_type          type;
    irl_type          seen;    /* of the elements accessed so far; lanes 0: none */
    /* accesses of several elements, or elements of several widths; of several scalars */
    int               has_runs, has_scalars;
    int               is_read, is_written;
    int               is_shared_by_arguments; /* another argument may be the same memory */
    /* f16: moved as bits; converted by vload_half and vstore_half */
    int               has_bits, has_values;
    int               has_other_size;         /* an alias of another element size is accessed */
    /* private, of one element, which nothing points to: a C variable */
    int               is_variable;
    int               is_accessed;            /* so far in the survey */
    /* a variable: by a statement of its own sequence, which declares it */
    int               is_stored_first;
    const irl_stmt   *sequence;               /* in which it is allocated */
} irl__ocl_memory;

/* Loops bound to one axis. */
typedef struct irl__ocl_axis {
    const irl_expr *extent; /* NULL: the axis is not used */
    /* of a global axis: the note says that so many iterations go well together; 0: no note */
    int64_t         group;
} irl__ocl_axis;

typedef struct irl__ocl {
    irl_ctx           *cx;
    const irl_module  *module;
    const irl_target  *target;
    const irl_func    *function; /* the kernel that is being emitted */
    irl__ptr_map       memory_of;
    irl__ocl_memory  **memories;
    irl__ptr_map       comments;    /* buffer -> what the comment above a kernel says of it */
    /* that is being surveyed; NULL in a loop or branch without one */
    const irl_stmt    *sequence;
    const irl_stmt   **repeating;   /* launches that give one memory to several parameters */
    const irl_stmt   **lets;        /* of indices, in the kernel so far: a loop's extent may use them */
    int                is_failed;
    irl__ocl_axis      axes[IRL__AXIS_COUNT];
    int                uses_double; /* somewhere in the program */
    int                writes_volume;
    int                has_lanes;   /* this kernel has vectors */
    int64_t            local_bytes; /* of shared memory in this kernel */
} irl__ocl;

static inline irl__ocl *irl__ocl_of(const irl__emit *e) { return (irl__ocl *)e->user; }

/* Helpers beyond the divisions. */
enum {
    IRL__OCL_HALF_TO_FLOAT = IRL__OP_COUNT,
    IRL__OCL_FLOAT_TO_HALF,
    IRL__OCL_FLOAT_TO_BFLOAT,
    IRL__OCL_ODD,
    IRL__OCL_SAMPLER,
    IRL__OCL_HALF_BITS,
    IRL__OCL_HALF_VALUES,
    IRL__OCL_NORM_TO_FLOAT,
    IRL__OCL_FLOAT_TO_NORM,
    IRL__OCL_ABS
};

/* ------------------------------------------------------------------ emit_type.c */

/* "float"; an index in the current width */
IRL__FN const char *irl__ocl_scalar_type(const irl__emit *e, irl_type type);
/* "float4": the C type of a value; a vector of bools is a mask of ints. */
IRL__FN void irl__ocl_type(irl__emit *e, irl_type type);
/* Refuses vectors that OpenCL C, or the target, has no type for. */
IRL__FN int irl__ocl_lanes_ok(irl__emit *e, uint32_t lanes);
/* The name of the helper between a normalised type and float. */
IRL__FN void irl__ocl_norm_name(irl__text *t, int kind, irl_type type);
/* A call of the user's own function. */
IRL__FN void irl__ocl_call(irl__emit *e, const irl_expr *x);

/* ------------------------------------------------------------------ emit_survey.c */

/* Finds the launches that repeat an argument; once, before the kernels. */
IRL__FN int  irl__ocl_survey_host(irl__ocl *o);
/* Finds all memory of a kernel and how it is used, and the loops that are bound. Before anything is
   printed. */
IRL__FN int  irl__ocl_survey(irl__ocl *o, const irl_func *kernel);
/* The memory behind a data variable; NULL if the kernel has none. */
static inline irl__ocl_memory *irl__ocl_find_memory(const irl__ocl *o, const irl_expr *data)
{
    return (irl__ocl_memory *)irl__ptr_map_get(&o->memory_of, data);
}

/* ------------------------------------------------------------------ emit_lanes.c */

IRL__FN void irl__ocl_lane(irl__emit *e, const irl_expr *x, int precedence);
IRL__FN void irl__ocl_shuffle(irl__emit *e, const irl_expr *x, int precedence);
/* A shorter form of an index, made while it is printed. An index with lanes or lets in it stays as
   it is: parts of it may have names by now, which are found by pointer, and the simplifier makes
   other nodes. */
IRL__FN const irl_expr *irl__ocl_shorter(irl__emit *e, const irl_expr *x);
/* Lane k of x as an expression of its own. */
IRL__FN const irl_expr *irl__ocl_lane_of(irl__emit *e, const irl_expr *x, uint32_t k);
/* ".s3" */
IRL__FN void irl__ocl_component(irl__emit *e, uint32_t k);
/* (float4)(a, b, c, d), lane by lane */
IRL__FN void irl__ocl_lanes(irl__emit *e, const irl_expr *x);
/* A shuffle that puts its operands end to end. */
IRL__FN int irl__ocl_is_concatenation(const irl_expr *x);

/* ------------------------------------------------------------------ emit_memory.c */

/* Whether this emitter has memory of the buffer's scope. */
IRL__FN int irl__ocl_memory_ok(irl__emit *e, const irl_buffer *b);
IRL__FN void irl__ocl_load(irl__emit *e, const irl_expr *x, int precedence);
IRL__FN void irl__ocl_store(irl__emit *e, const irl_stmt *s);
/* "__global const float", what a pointer to this memory points to. */
IRL__FN void irl__ocl_pointee(irl__emit *e, const irl__ocl_memory *m);
/* Whether the lanes of an index (NULL: 0) lie one after the other. */
IRL__FN int  irl__ocl_is_run(const irl_expr *index);
/* A load of f16 or a value stored to f16 that is converted by the built-in functions on the way. */
IRL__FN int irl__ocl_is_half_load(irl__emit *e, const irl_expr *x);
/* The value of an f16 load, as float. */
IRL__FN void irl__ocl_half_load(irl__emit *e, const irl_expr *x);

/* ------------------------------------------------------------------ emit_image.c */

/* What a host must know to make the image of an argument. */
IRL__FN void irl__ocl_image_argument(irl_ocl_argument *a, const irl__ocl_memory *m);
/* "__read_only image2d_t x" */
IRL__FN void irl__ocl_image_parameter(irl__emit *e, const irl__ocl_memory *m, const char *name);
/* An intrinsic that is a value: a texel. */
IRL__FN void irl__ocl_intrinsic(irl__emit *e, const irl_expr *x);
/* A texel of halves or normalised integers that the device itself hands over as floats, and these
   floats. */
IRL__FN int  irl__ocl_is_float_texel(irl__emit *e, const irl_expr *x);
IRL__FN void irl__ocl_float_texel(irl__emit *e, const irl_expr *x);
IRL__FN void irl__ocl_image_store(irl__emit *e, const irl_stmt *s);
/* The text of a helper; "" for those of others. */
IRL__FN const char *irl__ocl_image_helper(int kind);

/* ------------------------------------------------------------------ emit_convert.c */

/* A cast from or to f16, bf16 or a normalised type, with any lanes. */
IRL__FN void irl__ocl_storage_cast(irl__emit *e, const irl_expr *x, int precedence);
/* Whether a cast is printed lane by lane, so that what it casts must be a variable. */
IRL__FN int  irl__ocl_goes_by_lanes(irl__emit *e, const irl_expr *x);
IRL__FN void irl__ocl_abs(irl__emit *e, const irl_expr *x, int precedence);
IRL__FN void irl__ocl_reinterpret(irl__emit *e, const irl_expr *x);
/* A constant of such a type, as the bits that hold it. */
IRL__FN void irl__ocl_bits_constant(irl__emit *e, const irl_expr *x);

/* ------------------------------------------------------------------ emit_vector.c */

/* Prints an expression with lanes, or one that takes a vector apart. */
IRL__FN void irl__ocl_vector(irl__emit *e, const irl_expr *x, int precedence);
/* Bools as a vector of signed integers of `bits`: 0 and -1. */
/* forward: stored and shuffled */
IRL__FN void irl__ocl_mask(irl__emit *e, const irl_expr *x, int bits, int precedence);

/* ------------------------------------------------------------------ emit_helper.c */

/* The text of a helper. */
IRL__FN void irl__ocl_helper(irl__text *t, irl__emit_helper helper);

/* ------------------------------------------------------------------ emit_language.c */

/* What OpenCL C is, for the shared printers. Values of f16 and bf16 are held as their bits, in a
   ushort. */
IRL__FN const irl__emit_language *irl__ocl_language(void);
/* Declares the __local arrays of a kernel. */
IRL__FN void irl__ocl_shared_arrays(irl__emit *e);

/* ------------------------------------------------------------------ emit_ocl.c */

/* The extents of buffer argument k for the values of the kernel's index arguments. */
IRL__FN int irl__ocl_extents(irl_ctx *cx, const irl_ocl_kernel *kernel, int k,
                             const int64_t *indices, int64_t *extent);

#endif
