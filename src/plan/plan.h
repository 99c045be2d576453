/* plan.h - what is chosen for a user before anything is lowered: an image for a tensor; where
   things that are alive at different times lie in one memory.

   texture.c   an image for a tensor
   greedy.c       offsets in one memory by greedy placing: of lives, in time and by size
   exact.c     the least memory for a few lives, proved
   arena.c     irl_plan_arena: the question, the lower bound, the best of the two above
   images.c    irl_plan_images: pools of images of two dimensions
   module.c    irl_plan: where the temporaries of a module's host lie
   hold.c      who holds the shared bytes while the host runs
   plan_text.c such a plan as text, as C, as JSON

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
/* ------------------------------------------------------------------ module.c */

/* A temporary of the host: what allocates it, and where it lies. */
typedef struct irl__planned {
    const irl_buffer  *buffer;
    irl_plan_temporary out;
    int                only_launched; /* nothing but launches touches it */
    int                holds;         /* hold.c: its bytes are its own now */
} irl__planned;
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
#endif

#endif
