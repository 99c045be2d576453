/* boxes.h - the iterations that reach an access, as boxes.

   needs     the table of accesses; lattice.c
   promises  nothing outside of src/access and src/analysis reads this file */
#ifndef IRL__BOXES_H
#define IRL__BOXES_H

#include "access.h"

/* ------------------------------------------------------------------ boxes.c

   The iterations that reach an access, as boxes over which its address is a sum of multiples. Where
   loops are triangles, or guards, / and % cut them, there are several boxes: cut where a condition
   or a quotient changes, and value by value only where two variables stand in one condition. */

enum {
    IRL__BOX_COLUMNS = 24,
    IRL__BOX_NAMES = 24, /* loops, and lets of expressions */
    IRL__BOX_ROWS = 32,
    IRL__BOX_DEPTH = 64,      /* of cuts in cuts */
    IRL__BOXES_MOST = 4096,   /* more are not made: what is counted then is an upper bound */
    IRL__BOXES_WORK = 1 << 20 /* nodes of expressions looked at */
};

/* What is asked about an access. */
typedef struct irl__boxes_question {
    irl__accesses     *t;
    const irl__access *a;    /* NULL: the place `around` alone */
    const irl__around *around;
    const uint8_t     *runs; /* per loop of the table: it runs. NULL: all do */
    int                value_count; /* of parameters, and of loops that stand still (else at min) */
    const irl_value   *values;
} irl__boxes_question;

typedef struct irl__boxes_answer {
    irl__lattice *list; /* addresses in elements: a growing array in scratch memory of the caller */
    int64_t       iterations;
    int           is_unknown;       /* how many there are depends on what is not known */
    int           cells_unknown;
    int           is_exact;         /* else at most so many iterations */
    int           cells_exact;      /* else the list holds more than what is touched */
    int           lines_known;      /* the addresses are those of memory */
    int           boxes, one_by_one; /* how many; how often a variable was taken value by value */
    int64_t       width;            /* bytes of an element */
    const char   *reason;           /* why something is not exact or not known: a static text */
} irl__boxes_answer;

/* False when memory is out. */
IRL__FN int irl__boxes_of(const irl__boxes_question *q, irl__boxes_answer *out);

#endif
