/* linear.h - linear equations and inequalities over the integers.

   needs     base
   promises  nothing outside of src/sets reads this file, except tests */
#ifndef IRL__LINEAR_H
#define IRL__LINEAR_H

#include "../base/base.h"

enum { IRL__LINEAR_COLUMNS = 96, IRL__LINEAR_ROWS = 512 };

/* What is known of the integers that satisfy all rows. */
typedef enum irl__linear_answer {
    IRL__LINEAR_EMPTY,    /* there are none: proved */
    IRL__LINEAR_POINT,    /* some are known */
    IRL__LINEAR_STEPS,    /* not known: the steps ran out */
    IRL__LINEAR_OVERFLOW, /* not known: a number on the way would leave 64 bits */
    IRL__LINEAR_FAILED    /* memory is out */
} irl__linear_answer;

/* Rows of columns + 1 numbers: a coefficient for each variable, and a constant. Their sum is 0, or
 * at least 0. */
typedef struct irl__linear {
    irl_ctx  *cx;
    int       columns, count, capacity;
    int64_t  *numbers;
    uint8_t  *is_equal; /* per row */
    uint32_t *hash; /* per row: of its coefficients, once it is tidy; 0: it is not */
} irl__linear;

/* Without rows; in scratch memory of the caller, where its rows live too. */
IRL__FN void irl__linear_begin(irl__linear *l, irl_ctx *cx, int columns);
/* Another row, all zero; NULL when memory is out. It stays where it is until the next one is added.
 */
IRL__FN int64_t       *irl__linear_add(irl__linear *l, int is_equal);
static inline int64_t *irl__linear_row(const irl__linear *l, int k)
{
    return l->numbers + (ptrdiff_t)k * (l->columns + 1);
}
/* Are there integers that satisfy all rows? `point` has a place for each column and holds them
   after IRL__LINEAR_POINT, looked at once more in every row. *steps is how many rows may be worked
   on, and becomes what is left. */
IRL__FN irl__linear_answer irl__linear_solve(const irl__linear *l, int64_t *steps, int64_t *point);

#endif
