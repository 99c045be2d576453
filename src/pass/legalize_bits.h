/* legalize_bits.h - inside of the pass legalize_bits.

   needs     pass.h */
#ifndef IRL__LEGALIZE_BITS_H
#define IRL__LEGALIZE_BITS_H

#include "pass.h"

/* Where an element lies. */
typedef struct irl__bitbuf_place {
    const irl_buffer *of;
    const irl_expr *at;          /* its first bit, from the start of the memory */
    const irl_expr *byte, *bit;  /* the byte of that, and which bit of it */
    int             least, most; /* the least and the largest that `bit` can be */
    int             bits;        /* that it has */
    int             count;       /* bytes that it may be in: up to 9 */
    irl_type        type;        /* in which they are one number */
    uint64_t        mask;        /* of a value */
} irl__bitbuf_place;

typedef struct irl__bitbuf_state {
    irl_ctx         *cx;
    const irl_func  *f;
    irl__analyzer   *an;       /* knows the loops around */
    irl__ptr_map     buffers;  /* bit buffer -> its bytes */
    irl__ptr_map     memories; /* data variable -> a bit buffer of that memory */
    const irl_stmt **aliases;  /* declarations of the bytes of parameters */
    int              loops;    /* around what is looked at */
    int              is_small; /* the target has no vectors: the elements of a byte in a loop */
    irl__ptr_map     touches;  /* load or store of a byte -> irl__bitbuf_touch */
    int              has_parts; /* one of them is a store of a part */
} irl__bitbuf_state;

/* "NAME_bytes": a name for what is made of a buffer. */
IRL__FN const char *irl__bitbuf_name(irl_ctx *cx, const char *name, const char *what);
/* A byte that is loaded or stored for the sake of an element. */
typedef struct irl__bitbuf_touch {
    irl__bitbuf_place place;
    int               k;   /* which byte of the element's */
    uint64_t          own; /* the bits of the byte that are meant; 0: those that `place` says */
    int               is_part; /* a store that reads the byte and changes these alone */
} irl__bitbuf_touch;

/* The bytes of a bit buffer, declared where it is, or at the top. NULL on failure. */
IRL__FN const irl_buffer *irl__bitbuf_bytes_of(irl__bitbuf_state *state, const irl_buffer *b);
IRL__FN int irl__bitbuf_place_of(irl__bitbuf_state *state, const irl_buffer *b,
                               const irl_expr *const *indices, irl__bitbuf_place *out);
/* Keeps that a load or a store is of the k-th byte of that element; own and is_part: see there. 0
   on failure. */
IRL__FN int irl__bitbuf_touched(irl__bitbuf_state *state, const void *access,
                                const irl__bitbuf_place *p, int k, uint64_t own, int is_part);
/* Does e call anything, or load from that memory? For irl__expr_any. */
IRL__FN int irl__bitbuf_reads(const irl_expr *e, const void *data);
/* Is s a store of bits, one element, of which neither the value nor the place depends on the memory
   that it writes? */
IRL__FN int irl__bitbuf_is_plain(const irl_stmt *s);
/* The bits of a value that is stored into b, as a number of that type: all others are 0. */
IRL__FN const irl_expr *irl__bitbuf_of_value(irl__bitbuf_state *state, const irl_buffer *b,
                                           irl_type type, const irl_expr *value);

/* bits_whole.c: a nest that stores all elements of each byte, as one that stores bytes; s itself
   where it is none. NULL on failure. */
IRL__FN const irl_stmt *irl__bitbuf_whole(irl__bitbuf_state *state, const irl_stmt *s);
/* The byte `now`, a u8, moved on by the width of an element of b, and `value` at its end: after all
   elements of a byte each is in its place, and what `now` was at first is gone. */
IRL__FN const irl_expr *irl__bitbuf_next(irl__bitbuf_state *state, const irl_buffer *b,
                                         const irl_expr *now, const irl_expr *value);
/* bits_loop.c: a loop over the elements of a byte among other statements, which stores the byte
   behind it; s itself where it is none. NULL on failure. */
IRL__FN const irl_stmt *irl__bitbuf_in_loop(irl__bitbuf_state *state, const irl_stmt *s);
/* bits_parallel.c: whether bytes that are written in part are written by one of those that run at
   once; else a diagnostic with two iterations. */
IRL__FN int irl__bitbuf_check_parallel(irl__bitbuf_state *state, const irl_func *f);

#endif
