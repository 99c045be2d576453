/* boxes.h - a set of iterations as boxes, and the addresses that they touch.

   needs     lattice.c
   promises  an exact number, or one that is never less and says why */
#ifndef IRL__BOXES_H
#define IRL__BOXES_H

#include "sets.h"

/* ------------------------------------------------------------------ boxes.c

   Iterations, as boxes over which an address is a sum of multiples. Where ranges are triangles, or
   conditions, / and % cut them, there are several boxes: cut where a condition or a quotient
   changes, and value by value only where two variables stand in one condition. */

enum {
    IRL__BOX_COLUMNS = 24,
    IRL__BOX_NAMES = 24, /* ranges, and lets of expressions */
    IRL__BOX_ROWS = 32,
    IRL__BOX_DEPTH = 64,      /* of cuts in cuts */
    IRL__BOXES_MOST = 4096,   /* more are not made: what is counted then is an upper bound */
    IRL__BOXES_WORK = 1 << 20 /* nodes of expressions looked at */
};

typedef struct irl__boxes_question {
    irl_ctx               *cx;
    const irl__given      *given;
    int                    given_count;
    int                    value_count; /* of names, and of ranges that are held (else at first) */
    const irl_value       *values;
    const irl_buffer      *buffer; /* whose elements are touched; NULL: addresses are not asked */
    const irl_expr *const *indices;
    int                    rank;
    uint32_t               lanes; /* of the last index */
} irl__boxes_question;

typedef struct irl__boxes_answer {
    irl__lattice *list; /* addresses in elements: a growing array in scratch memory of the caller */
    int64_t       iterations;
    int           is_unknown;       /* how many there are depends on what is not known */
    int           cells_unknown;
    int           is_exact;         /* else at most so many iterations */
    int           cells_exact;      /* else the list holds more than what is touched */
    int           boxes, one_by_one; /* how many; how often a variable was taken value by value */
    const char   *reason;           /* why something is not exact or not known: a static text */
} irl__boxes_answer;

/* False when memory is out. */
IRL__FN int irl__boxes_of(const irl__boxes_question *q, irl__boxes_answer *out);

#endif
