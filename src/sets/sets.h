/* sets.h - questions about sets of integers: are they empty, how many are there, do sums of digits
   tell them apart?

   needs     arith; map, for the verdict on a few indices together
   promises  nothing here knows a statement; an answer is proved, or it is "not known"

   What is asked of conditions stands in system.h: a system takes expressions over ranges, values
   and conditions, makes rows of them (system.c, poly.c) and decides them (decide.c, linear.c). How
   many iterations there are, and which addresses they touch, stands in boxes.h. */
#ifndef IRL__SETS_H
#define IRL__SETS_H

#include "../map/map.h"

/* ------------------------------------------------------ what is known of an iteration

   A list, from the outside in: of for (i: n) if (i > 2) { let k = i / 2; ... } the range of i, the
   condition, the value of k. */

typedef enum irl__given_kind {
    IRL__GIVEN_RANGE,    /* var is value, or the next one, up to value + extent - 1 */
    IRL__GIVEN_VALUE,    /* var is value */
    IRL__GIVEN_CONDITION /* value is true */
} irl__given_kind;

typedef struct irl__given {
    irl__given_kind kind;
    uint8_t         is_own;     /* in a range, itself counted: two iterations have each their own */
    uint8_t         is_shared;  /* of two iterations: the first is given it too */
    uint8_t         is_still;   /* RANGE: it is held at one value */
    uint8_t         is_assumed; /* CONDITION: it leaves nothing out, for it always holds */
    const irl_expr *var, *value, *extent;
} irl__given;

static inline irl__given irl__given_range(const irl_expr *var, const irl_expr *first,
                                          const irl_expr *extent)
{
    irl__given g;
    memset(&g, 0, sizeof g);
    g.var = var;
    g.value = first;
    g.extent = extent;
    return g;
}

/* ------------------------------------------------------ what indices determine: recover.c */

/* What varies around an index is given as ranges. */

/* Is a sum of scale[k] * digit[k], 0 <= digit[k] < extent[k], different for different digits: is
   each scale larger than all that the smaller ones reach together? At most 32 of them; an extent
   below 0 is not known, which only the largest scale allows. */
IRL__FN int irl__digits_apart(int count, const int64_t *scale, const int64_t *extent);
/* Do equal indices x and y mean equal v and w, by one look: is v alone an index where y has w, or
   v / c one and v % c another? Not known is false. */
IRL__FN int irl__indices_tell(int rank, const irl_expr *const *x, const irl_expr *v,
                              const irl_expr *const *y, const irl_expr *w);
/* True only if any two iterations with the same value of e have the same value of v. Not known is
   false. */
IRL__FN int irl__recovers(irl_ctx *cx, const irl_expr *e, const irl_expr *v, int count,
                          const irl__given *ranges);
/* The same for the indices of an access together, where the ranges are numbers: dearer, and knows
   more. */
IRL__FN int irl__recovers_together(irl_ctx *cx, int rank, const irl_expr *const *indices,
                                   const irl_expr *v, int count, const irl__given *ranges);
/* Do different indices of a buffer mean different cells? Without strides they do; strides that are
   numbers may keep the axes apart. */
IRL__FN int irl__buffer_cells_apart(const irl_buffer *b);

/* ------------------------------------------------------ how many addresses: lattice.c */

enum {
    IRL__LATTICE_PARTS = 24,
    IRL__LATTICE_WORDS = 1 << 14, /* of a bitset: a million addresses */
    IRL__LATTICE_WORK = 1 << 20,  /* words written and lines followed for one count */
    IRL__LATTICE_LINE = 4096      /* bytes: the longest line */
};

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

#endif
