/* target.h - target descriptions as data.

   needs     ir, text
   promises  passes ask the description, never the target's name */
#ifndef IRL__TARGET_H
#define IRL__TARGET_H

#include "../ir/ir.h"

/* Types that images hold, a bit for each: what OpenCL 1.2 promises of RGBA; what SPIR-V has without
   extended formats. */
enum {
    IRL__NO_TEXELS = 0,
    IRL__PLAIN_TEXELS = 1 << IRL_F32 | 1 << IRL_F16 | 1 << IRL_BF16 | 1 << IRL_I8 | 1 << IRL_I16 |
                        1 << IRL_I32 | 1 << IRL_U8 | 1 << IRL_U16 | 1 << IRL_U32,
    IRL__OPENCL_TEXELS = IRL__PLAIN_TEXELS | 1 << IRL_UNORM8 | 1 << IRL_UNORM16,
    IRL__SPIRV_TEXELS = IRL__PLAIN_TEXELS | 1 << IRL_UNORM8 | 1 << IRL_SNORM8
};

/* target_check.c: the columns, in the order in which they are printed. */
typedef enum irl__tcolumn_kind {
    IRL__COLUMN_FLAG,   /* int: 0 or 1 */
    IRL__COLUMN_COUNT,  /* int */
    IRL__COLUMN_POWER,  /* uint32_t: a power of two */
    IRL__COLUMN_BYTES,  /* int64_t; INT64_MAX: any */
    IRL__COLUMN_WIDTHS, /* uint32_t: bit k, k + 1 lanes */
    IRL__COLUMN_TEXELS  /* uint32_t: bit k, the irl_scalar k */
} irl__tcolumn_kind;
typedef struct irl__tcolumn {
    const char      *name;
    irl__tcolumn_kind kind;
    size_t           at; /* in an irl_target */
    int64_t          least, most;
    const char      *meaning;
} irl__tcolumn;
enum { IRL__COLUMN_MOST = 32 };
IRL__FN const irl__tcolumn *irl__tcolumn_at(int k); /* NULL past the last */
IRL__FN int64_t irl__tcolumn_get(const irl_target *t, const irl__tcolumn *column);
IRL__FN void    irl__tcolumn_set(irl_target *t, const irl__tcolumn *column, int64_t value);

/* A target that the program made, in its context's list, newest first. */
typedef struct irl__target_node irl__target_node;
struct irl__target_node {
    const irl_target       *target;
    const irl__target_node *older;
};
/* Checks the columns, and keeps a copy; the one of that name that is there if it is equal. `at`:
   where each column's value stands, in the order of irl__tcolumn_at, or NULL. */
IRL__FN const irl_target *irl__target_keep(irl_ctx *cx, const irl_target *columns,
                                           const irl_loc *at, irl_loc where);
/* 1 if it is one of the library's, or was made in this context; else a diagnostic. */
IRL__FN int irl__target_given(irl_ctx *cx, const irl_target *target);
/* Says that there is no such target; NULL. */
IRL__FN const irl_target *irl__target_unknown(irl_ctx *cx, irl_loc where, const char *name);

/* The most texels along each dimension of an image; 1 for those that it has not. */
IRL__FN void irl__target_image_limits(const irl_target *t, irl__image image,
                                      int64_t most[IRL__TEXEL_AXES]);
/* The bytes that an access begins at a multiple of: one element, or so many one after the other. */
IRL__FN uint32_t irl__target_alignment(const irl_target *t, irl_type element, uint32_t index_lanes);
IRL__FN int irl__target_has_texel(const irl_target *t, irl_scalar scalar);
IRL__FN int irl__target_has_width(const irl_target *t, uint32_t lanes);
/* Whether a value of so many lanes has a type: three are held in four. */
IRL__FN int irl__target_has_vector(const irl_target *t, uint32_t lanes);
/* Whether so many scalars of a memory's own type, which lie one after the other at any of them, are
   one access although pointers are not cast: in serial code. */
IRL__FN int irl__target_has_run(const irl_target *t, uint32_t lanes);

/* Whether the target has the operator that e is: it has all but those on halves, of which it has
   f16's own where the row says so, for all that is rounded to the nearest. NULL: a host, which has
   none. */
IRL__FN int irl__target_has_operator(const irl_target *t, const irl_expr *e);

/* vectors.c: whether an access at this index is one access. */
IRL__FN int irl__target_has_index(const irl_target *t, const irl_expr *index);
/* Whether its language picks the lanes of two vectors of bytes in any order. */
IRL__FN int irl__target_has_picks(const irl_target *t);
/* Whether elements of that type which lie apart, but not far, are lanes of wide loads of all that
   lies between them (lanes_gather.c). */
IRL__FN int irl__target_gathers(const irl_target *t, irl_type type);
/* Whether e is such a shuffle. */
IRL__FN int irl__is_pick(const irl_expr *e);
/* The first part of e, perhaps e itself, that is in no form of the target's (vectors.c lists them);
   NULL: all of it is. */
IRL__FN const irl_expr *irl__target_lacks(const irl_target *t, const irl_expr *e);
/* The same of a function, with its place. */
IRL__FN const irl_expr *irl__target_lacks_of(const irl_target *t, const irl_func *f,
                                             irl_loc *where);
/* Refuses a function with vectors in no form of the target's. */
IRL__FN int irl__target_has_vectors_of(const irl_target *t, const irl_func *f);

/* Refuses an image where the target has none. */
IRL__FN int irl__target_has_image(irl_ctx *cx, const irl_target *t, const irl_buffer *b);
/* Refuses integers of 64 bits where the target has none. */
IRL__FN int irl__target_has_type(irl_ctx *cx, const irl_target *t, irl_type type);
/* Refuses a buffer of so many elements: the target has no buffers of that size. */
IRL__FN int irl__target_too_large(irl_ctx *cx, const irl_target *t, const irl_buffer *b,
                                  int64_t elements);

#endif
