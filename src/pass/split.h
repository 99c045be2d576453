/* split.h - what the three files of split_host share: what the host knows at a place, and one
   kernel.

   needs     pass.h */
#ifndef IRL__SPLIT_H
#define IRL__SPLIT_H

#include "pass.h"

typedef struct irl__split_state {
    irl_ctx          *cx;
    const irl_func   *f;
    const irl_target *target;
    const irl_stmt  **decls;    /* aliases, seen so far */
    const irl_stmt  **lets;     /* scalar lets, seen so far */
    /* what the host has assumed or asserted, and holds where it is now: the first fact_count */
    const irl_expr  **facts;
    int               fact_count;
    const irl_stmt  **allocs;   /* allocations in global memory: temporaries of the host */
    /* allocations in shared or private memory: they go into their kernel */
    const irl_stmt  **inner;
    /* variables of the host's loops, and lets in shapes: kernels get their values */
    const irl_expr  **indices;
    const irl_expr  **handles;  /* pointers that calls returned; the host has them */
    const irl_expr  **measured; /* variables that come from memory: the host does not know them */
    const irl_stmt  **host;     /* the statements of the host's current sequence */
    const irl_func  **kernels;
    irl_func         *kernel; /* the last kernel made, and its launch */
    irl_stmt         *launch;
} irl__split_state;

/* ------------------------------------------------------------------ split_kernel.c */

/* Does the host know the value of e? It computes scalars, of its parameters and of what it has
   computed before. NULL is known. */
IRL__FN int irl__split_is_known(const irl__split_state *state, const irl_expr *e);
/* Do kernels get the value of this variable of the host's? */
IRL__FN int irl__split_is_passed(const irl__split_state *state, const irl_expr *var);
/* Makes a kernel of s, and its launch, which goes to the host's statements. */
IRL__FN int irl__split_kernel(irl__split_state *state, const irl_stmt *s);

/* ------------------------------------------------------------------ split_scalars.c */

/* let v = (what memory holds): kept in a temporary, from which each kernel that uses v reads it. */
IRL__FN int irl__split_scalar(irl__split_state *state, const irl_stmt *let);
/* A statement that becomes a kernel, where what stands around its bound loops, and reads what they
   store, is kept before. NULL on failure. */
IRL__FN const irl_stmt *irl__split_heads(irl__split_state *state, const irl_stmt *s);

#endif
