/* plan.h - choices that are made before anything is lowered: an image for a tensor; offsets in one
   memory for objects that are alive at different times.

   texture.c   an image for a tensor
   greedy.c       offsets in one memory by greedy placing: of lives, in time and by size
   exact.c     the least memory for a few lives, proved
   arena.c     irl_plan_arena: the question, the lower bound, the best of the two above
   images.c    irl_plan_images: pools of images of two dimensions
   image_misfit.c why an image cannot hold a buffer
   module.c    irl_plan: where the temporaries of a module's host are
   hold.c      which temporary holds shared bytes while the host runs
   plan_text.c such a plan as text, as C, as JSON
   arrays.c    the arrays that a kernel allocates, and which of them may share bytes
   arrays_text.c the same, for users

   needs     analysis; without functions (IRLAYOUT_MAPS_ONLY) arith */
#ifndef IRL__PLAN_H
#define IRL__PLAN_H

#ifdef IRLAYOUT_MAPS_ONLY
#include "../arith/arith.h"
#else
#include "../analysis/analysis.h"
#endif

/* ------------------------------------------------------------------ greedy.c */

/* Pairs of things that are alive together: of k, other[start[k] .. start[k + 1]). */
typedef struct irl__conflicts {
    int *start, *other; /* NULL: there are too many to write down */
} irl__conflicts;

/* What is to be placed: items of at least one byte, each with an alignment. */
typedef struct irl__pool {
    irl_ctx             *cx;
    int                  count;
    const irl_plan_item *items;
    int                 *by_first, *by_last; /* in order of birth, of death */
    irl__conflicts       conflicts;
    int64_t              lower;      /* the most alive at once */
    int64_t              steps_left;
    int64_t             *at, *best;  /* a placement being tried; the best so far */
    int64_t              best_bytes; /* what that needs */
    int                  is_placed;  /* there is one */
} irl__pool;

/* *out = at, moved up to a multiple of align; false beyond 63 bits. */
IRL__FN int irl__pool_up(int64_t at, int64_t align, int64_t *out);
/* Sorts `order` by key, the least first; equal keys stay as they are. */
IRL__FN int irl__pool_sort(irl_ctx *cx, int count, int *order, const int64_t *key);
/* The best placement that greedy placing finds, in f->best. False when memory is out. */
IRL__FN int irl__pool_greedy(irl__pool *f);

/* ------------------------------------------------------------------ exact.c */

enum { IRL__EXACT_MOST = 12 }; /* items: more are not searched */
/* Improves f->best until nothing is better; 1: proved. 0: the steps did not suffice. */
IRL__FN int irl__pool_exact(irl__pool *f);

#ifndef IRLAYOUT_MAPS_ONLY
/* ------------------------------------------------------ what an image can hold: image_misfit.c */

/* Axes besides that of a texel's lanes. */
IRL__FN int irl__image_axes(const irl_buffer *b);
/* Whether an image can hold a buffer of its scope, by the user's separators or the scope's
   convention: IRL_OK, or why not, in words. */
IRL__FN irl_code irl__image_misfit(irl_ctx *cx, const irl_buffer *b, irl__text *why);

/* ------------------------------------------------------------------ module.c */

/* A temporary of the host: what allocates it, and where it lies. */
typedef struct irl__planned {
    const irl_buffer  *buffer;
    irl_plan_temporary out;
    int                only_launched; /* nothing but launches touches it */
    int                holds;         /* hold.c: its bytes are its own now */
} irl__planned;
enum { IRL__PLAN_C_ALIGN = 16 }; /* of a temporary in emitted C */
/* irl_plan_with; *list, if wanted: the same with the buffers, an array in the context's arena. */
IRL__FN const irl_module_plan *irl__plan_of(const irl_module *m, const irl_plan_options *how,
                                            irl__planned **list);

/* ------------------------------------------------------------------ hold.c */

/* The row of b, if it lies in a pool and launches alone touch it: a host that runs may put it
   there. NULL: it has memory of its own. */
IRL__FN irl__planned *irl__plan_find(irl__planned *list, int count, const irl_buffer *b);
/* These bytes held something else: 1, or 0 with a diagnostic. */
typedef int irl__plan_lost(void *user, const irl__planned *one);
/* A launch is about to touch these; asks `lost` of each that takes its bytes from others. */
IRL__FN int irl__plan_hold(irl__planned *list, int list_count, int count,
                           irl__planned *const *touched, irl__plan_lost *lost, void *user);

/* ------------------------------------------------------------------ arrays.c */

/* An array of a work-item's or of a group's own. Statements are numbered as they stand. */
typedef struct irl__array {
    const irl_buffer  *buffer;
    const irl_stmt    *stmt;        /* that allocates it, or declares it in a pool; */
    const irl_stmt    *seq;         /* the sequence that this stands in; NULL: alone */
    struct irl__array *in;          /* the pool of one that share_arrays has placed; else NULL */
    const irl_buffer  *view;        /* share_arrays: what is made of it */
    int                node, born;  /* where it stands */
    int                first, last; /* statements that touch it; -1: none */
    int                may_share, is_read, is_pool, is_kept, is_declared;
    int                pool;        /* of irl__arrays.pools; -1: none */
    int64_t            from, bytes; /* where it lies, in bytes; how many, -1: no number */
} irl__array;
typedef struct irl__array_pool {
    irl_plan_pool   out;
    int             home;
    const irl_stmt *seq;  /* the sequence around all that lie in it */
    irl_buffer     *made; /* share_arrays */
} irl__array_pool;
typedef struct irl__arrays_node irl__arrays_node;
typedef struct irl__arrays_wait irl__arrays_wait;
typedef struct irl__arrays {
    irl_ctx          *cx;
    const irl_func   *f;
    irl__array      **list;  /* growing arrays in the caller's scratch memory */
    irl__array_pool  *pools;
    irl__arrays_node *nodes; /* statements that hold others */
    irl__arrays_wait *waits; /* barriers */
} irl__arrays;

/* Does f allocate arrays enough to ask? */
IRL__FN int irl__arrays_may_share(const irl_func *f);
/* What f allocates inside, and when it is touched. Scratch memory of the caller. */
IRL__FN int irl__arrays_of(irl__arrays *a, const irl_func *f);
/* Pools of what may share bytes, where that takes fewer. */
IRL__FN int irl__arrays_plan(irl__arrays *a);
/* The most bytes of `count` arrays of one scope that are alive at once; -1 on failure. */
IRL__FN int64_t irl__arrays_alive(const irl__arrays *a, int count, irl__array **list);
/* Is b a view that share_arrays has made in f: from which element of the pool on? Its elements are
   undefined once it is declared. */
IRL__FN int irl__array_born_at(const irl_func *f, const irl_buffer *b, int64_t *from);
#endif

#endif
