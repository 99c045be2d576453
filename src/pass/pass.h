/* pass.h - the passes: each takes a function and returns a new one; the head of its file states
   what it requires, maintains and breaks. pipeline.c lists them in order. NULL means failure, with
   the diagnostic in the context.

   needs     text, target, arith, map, plan, analysis */
#ifndef IRL__PASS_H
#define IRL__PASS_H

#include "../text/text.h"
#include "../target/target.h"
#include "../arith/arith.h"
#include "../analysis/analysis.h"
#include "cut.h"
#include "layouts.h"
#include "set.h"

/* check_parallel.c: shared memory is a group's, and the iterations of parallel and vectorized loops
   are not proved to meet; else a diagnostic. */
IRL__FN irl_func *irl__pass_check_parallel(const irl_func *f);
IRL__FN irl_func *irl__pass_fit_views(const irl_func *f);     /* fit_views.c */
IRL__FN irl_func *irl__pass_check_bounds(const irl_func *f);  /* check_bounds.c */
IRL__FN irl_func *irl__pass_check_blocks(const irl_func *f);  /* check_blocks.c */
IRL__FN irl_func *irl__pass_prove_bounds(const irl_func *f);  /* check_bounds.c */
IRL__FN irl_func *irl__pass_guard_bounds(const irl_func *f);  /* guard_bounds.c */
IRL__FN irl_func *irl__pass_apply_layouts(const irl_func *f); /* apply_layouts.c */
IRL__FN irl_func *irl__pass_lower_blocks(const irl_func *f);  /* lower_blocks.c */
/* legalize_bits.c */
IRL__FN irl_func *irl__pass_legalize_bits(const irl_func *f, const irl_target *target);
IRL__FN irl_func *irl__pass_lower_textures(const irl_func *f); /* lower_textures.c */
/* texture_places.c: where the convention of its scope cuts the axes of an image; how often */
IRL__FN int irl__tex_separators(const irl_buffer *b, int *separators);
IRL__FN irl_func *irl__pass_flatten(const irl_func *f);       /* flatten.c */
IRL__FN irl_func *irl__pass_simplify(const irl_func *f);      /* simplify_func.c */
IRL__FN irl_func *irl__pass_vectorize(const irl_func *f);     /* vectorize.c */
IRL__FN irl_func *irl__pass_private_extents(const irl_func *f); /* private_extents.c */
/* hoist_shared.c */
IRL__FN irl_func *irl__pass_hoist_shared(const irl_func *f, const irl_target *target);
IRL__FN irl_func *irl__pass_unroll(const irl_func *f);        /* unroll.c */
/* Is a MEMORY node a flat array of a work-item's own, seen by its name alone? unroll.c */
IRL__FN int       irl__unroll_is_array(const irl__accesses *t, const irl__around *n);
IRL__FN irl_func *irl__pass_registers(const irl_func *f);     /* registers.c */
IRL__FN irl_func *irl__pass_accumulate(const irl_func *f);    /* accumulate.c */
/* compute_once.c */
IRL__FN irl_func *irl__pass_compute_once(const irl_func *f, const irl_target *target);
/* run_shifts.c: a kernel in which what is shifted by more in each iteration is kept, shifted. No
   two of its parameters may be one memory. */
IRL__FN irl_func *irl__run_shifts(const irl_func *f);
IRL__FN irl_func *irl__pass_share_arrays(const irl_func *f);  /* share_arrays.c */
/* scalar + vector: a ramp moves its base, anything else is broadcast. flatten.c */
IRL__FN const irl_expr *irl__flatten_add_lanes(irl_ctx *cx, const irl_expr *scalar,
                                               const irl_expr *vector);
IRL__FN irl_func *irl__pass_unswitch(const irl_func *f);      /* unswitch.c */
IRL__FN irl_func *irl__pass_serialize(const irl_func *kernel); /* serialize.c */
/* phases.c: the body of a group, cut at its barriers into loops over the items; by axis the
   variable of its place and its extent, NULL where it is not bound. */
IRL__FN const irl_stmt *irl__phases_group(const irl_func *kernel, const irl_expr *const *place,
                                          const irl_expr *const *extent);
/* A bound loop as a let of its place around its body, which is rewritten, as all else. */
IRL__FN const irl_stmt *irl__phases_as_place(irl__rewriter *r, const irl_stmt *s,
                                             const irl_expr *const *place);
/* halves.c: operators on halves that the target has not become those of f32, rounded. */
IRL__FN irl_func *irl__pass_halves(const irl_func *f, const irl_target *target);
/* split_host.c */
IRL__FN irl_module *irl__pass_split_host(const irl_func *f, const irl_target *target);
/* legalize.c: vectors and accesses that the target has, in the place of those that it has not. */
IRL__FN irl_func *irl__legalize(const irl_func *f, const irl_target *target);
/* ... and views of its memory, which type_memory makes. */
IRL__FN irl_func *irl__legalize_kernel(const irl_func *kernel, const irl_target *target);
/* lanes_gather.c: a gather of bytes as loads of their window and shuffles, for a target that has
   picks; NULL: it is none, or there is a diagnostic. */
IRL__FN const irl_expr *irl__lanes_gather(const irl_func *kernel, const irl_target *target,
                                          const irl_expr *e);
/* lanes_narrow.c: a cast of unsigned lanes that are computed in lanes of their width or the
   result's; e itself where there is nothing to gain, NULL with a diagnostic. */
IRL__FN const irl_expr *irl__lanes_narrow(irl_ctx *cx, const irl_target *target,
                                          const irl_expr *e);
/* legalize_lanes.c: vectors put together and taken apart as the target does it. */
IRL__FN irl_func *irl__legalize_lanes(const irl_func *kernel, const irl_target *target);
/* A module from anywhere, whose kernels have passed these stages or not, with vectors in forms that
   the target has: m itself where they are; NULL on failure. The host is left as it is. */
IRL__FN const irl_module *irl__legal_module(const irl_module *m, const irl_target *target);
/* What a function's accesses ask of a memory, for all memory: type_memory.c. */
typedef struct irl__memory_sizes {
    irl__ptr_map owners;   /* data variable -> the parameter or allocation */
    const irl_stmt *body;
    int          is_mixed; /* some memory has elements of several sizes */
    int          has_untyped; /* some elements have no type on the target */
} irl__memory_sizes;
IRL__FN void irl__memory_sizes_of(const irl_func *f, const irl_target *target,
                                  irl__memory_sizes *out);
/* Whether so many lanes of b's type are one access: where pointers may be cast, memory that is
   written and has elements of several sizes is accessed by bytes but for its own, and these are a
   vector too. */
IRL__FN int irl__memory_takes(const irl__memory_sizes *sizes, const irl_target *target,
                              const irl_buffer *b, uint32_t lanes);
/* Where an access begins, in bytes: one of its elements if they do not lie together. */
IRL__FN irl__residues irl__memory_begins(irl__analyzer *an, const irl_buffer *b,
                                         const irl_expr *index);
/* type_memory.c: views of shorter elements where elements have no type; views of one unit for each
   memory, where pointers may not be cast, else where all accesses are vectors of one type that are
   proved aligned. */
IRL__FN irl_func *irl__type_elements(const irl_func *f, const irl_target *target,
                                     const irl__memory_sizes *sizes);
IRL__FN irl_func *irl__type_memory(const irl_func *f, const irl_target *target);
/* check_target.c: a module is what its target can do. */
typedef enum irl__checked {
    IRL__CHECK_IMAGES, /* what no device of the kind could do */
    IRL__CHECK_FORMS,  /* and the forms of vectors and accesses, which lowering makes */
    IRL__CHECK_ALL     /* and what the target promises: types, sizes, the texels of images */
} irl__checked;
IRL__FN int irl__check_target(const irl_module *m, const irl_target *target, irl__checked checked);
/* The same of a kernel alone. */
IRL__FN int irl__check_kernel(const irl_func *kernel, const irl_target *target,
                              irl__checked checked);

/* in_place.c */
IRL__FN irl_module *irl__pass_in_place(const irl_module *m);

/* parallel_all.c: the function in which the outer loops of nests that no step has changed are
   parallel, if their iterations are independent, on every target. */
IRL__FN irl_func *irl__pass_parallel(const irl_func *f, const irl_target *target);

/* The one function of a room below: the automatic scheduler (schedule/auto.c). It returns a copy of
   f after the schedule that irl_schedule_auto makes. f has passed the structural verifier. */
#ifdef IRLAYOUT_NO_AUTO
#define irl__pass_schedule irl__pass_parallel
#else
/* hook: the pipeline has a row for it */
IRL__FN irl_func *irl__pass_schedule(const irl_func *f, const irl_target *target);
#endif

/* pipeline.c */
/* The number of the pass of that name, irl_pass_name(k); -1: there is none. */
IRL__FN int irl__pass_number(const char *name);
/* Pass k on what there is: a function, or the module that it has become. */
IRL__FN int irl__pass_step(int k, const irl_func **f, irl_module **m, const irl_target *target,
                           irl__checked checked);
/* the pass by which a schedule is made: what it gives may be given up again */
#define IRL__PASS_SCHEDULE "schedule"

/* user_pass.c */
enum { IRL__USER_NAME = 64 }; /* most bytes of a name */
/* Of each pass of the program's the number of the pass in front of which it runs; 0 with a
   diagnostic. */
IRL__FN int irl__user_places(irl_ctx *cx, const irl_lower_options *how, int *place);
/* Runs one on what there is. *changed becomes 1 where it gave back another function. */
IRL__FN int irl__user_run(const irl_pass_desc *pass, const irl_func **f, irl_module **m,
                          const irl_target *target, int place, int *changed);

/* lower_blocks.c: the blocks stay; accesses of match buffers become accesses of what they match. */
IRL__FN irl_func *irl__resolve_matches(const irl_func *f);

/* vectorize.c: a loop of 2 to 16 iterations, as statements on vectors; NULL where it must stay (no
   failure) or on failure. Work-items run `around` at the same time; NULL: there are none. */
IRL__FN const irl_stmt *irl__vectorize_one(irl_ctx *cx, irl__analyzer *an, const irl_stmt *around,
                                           const irl_stmt *loop);

/* flatten.c: the flat buffer of b, and the flat indices of an access; shared with tests of recorded
   answers. */
IRL__FN const irl_buffer *irl__flatten_buffer(irl_ctx *cx, const irl_buffer *b);
IRL__FN int irl__flatten_indices(irl_ctx *cx, const irl_buffer *b, const irl_expr *const *indices,
                                 const irl_expr **out);

/* host_checks.c: what a host, or a function alone (m NULL), asks of its arguments; is_logical: of
   irl_tensors. */
IRL__FN irl_func *irl__host_checks_of(const irl_func *host, const irl_module *m, int is_logical);

/* check_bounds.c */
/* What is not proved to lie inside, if nothing is outside: else OUT_OF_BOUNDS. Scratch memory of
   the caller. */
IRL__FN int irl__bounds_analyzed(const irl_func *f, irl__accesses *t, irl__bounds *b);
/* Says of the function that an access is not proved to lie in its buffer. NULL gives NULL. */
IRL__FN irl_func *irl__bounds_unproved(irl_func *f, const char *text);
/* Nothing in f is outside: else OUT_OF_BOUNDS. */
IRL__FN int irl__bounds_ok(const irl_func *f);

#endif
