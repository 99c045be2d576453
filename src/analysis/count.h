/* count.h - counting what a nest touches: sums of progressions, and nests as boxes of them.

   needs     the table of accesses
   promises  nothing outside of src/analysis reads this file, except tests */
#ifndef IRL__COUNT_H
#define IRL__COUNT_H

#include "analysis.h"

enum {
    IRL__LATTICE_PARTS = 24,
    IRL__LATTICE_WORDS = 1 << 14, /* of a bitset: a million addresses */
    IRL__LATTICE_WORK = 1 << 20,  /* words written and lines followed for one count */
    IRL__LATTICE_LINE = 4096      /* bytes: the longest line */
};

/* ------------------------------------------------------------------ lattice.c */

/* The addresses base + stride[0] * x0 + stride[1] * x1 + ..., 0 <= xk < count[k]; strides are at
   least 1 and ascend, counts are at least 2. */
typedef struct irl__lattice {
    int64_t base, last; /* the least and the largest */
    int     parts;
    int64_t stride[IRL__LATTICE_PARTS], count[IRL__LATTICE_PARTS];
} irl__lattice;

IRL__FN void irl__lattice_begin(irl__lattice *l, int64_t base);
/* Another sum; a stride of 0 or a count of 1 changes nothing. False: it leaves 64 bits, or there
   are too many. */
IRL__FN int  irl__lattice_add(irl__lattice *l, int64_t stride, int64_t count);

/* How many different addresses there are, and lines of memory that they touch. */
typedef struct irl__touched {
    int64_t cells, lines;
    int     is_exact, lines_exact; /* else at most so many */
    int     used_bits;             /* addresses were marked one by one */
} irl__touched;

/* Of the union of the lattices; each address is of `width` bytes, of lines of `line` bytes (0:
   lines are not counted; at most IRL__LATTICE_LINE). False when memory is out, or a number of bytes
   leaves 64 bits. */
IRL__FN int irl__lattices_count(irl_ctx *cx, irl__lattice *list, int count, int64_t width,
                                int64_t line, irl__touched *out);

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
