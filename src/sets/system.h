/* system.h - conditions on the numbers of one or two iterations, and whether any numbers satisfy
   them.

   needs     arith; linear.h
   promises  nothing here knows a statement: what is known of an iteration is given as a list */
#ifndef IRL__SYSTEM_H
#define IRL__SYSTEM_H

#include "linear.h"
#include "sets.h"

enum {
    IRL__SYSTEM_DEGREE = 4,
    IRL__SYSTEM_ROWS = 256,
    IRL__SYSTEM_PENDING = 64,
    IRL__SYSTEM_KNOWN = 192,
    IRL__SYSTEM_ASKED = 96,
    IRL__SYSTEM_WORK = 1 << 14, /* expressions and conditions taken apart */
    IRL__SYSTEM_COPIES = 2
};

/* ------------------------------------------------------------------ poly.c: sums of products */

/* A variable, or a product of variables that is treated as one. */
typedef struct irl__column {
    int             degree, factor[IRL__SYSTEM_DEGREE]; /* of a product: columns, ascending */
    const irl_expr *of;     /* what it stands for; NULL: something in between */
    int             copy;   /* of the iteration */
    int64_t         shift;  /* `of` is the column's value and this */
    int64_t         lo, hi; /* INT64_MIN, INT64_MAX: no bound is known */
} irl__column;

typedef struct irl__poly_term {
    int     column;
    int64_t coef; /* not 0 */
} irl__poly_term;

/* By ascending columns. NULL, wherever one is expected, is what cannot be written as one. */
typedef struct irl__poly {
    int64_t         constant;
    int             count;
    irl__poly_term *terms;
} irl__poly;

/* One term as a sum. */
static inline irl__poly irl__poly_of(irl__poly_term *term)
{
    irl__poly p;
    p.constant = 0;
    p.count = 1;
    p.terms = term;
    return p;
}

typedef struct irl__system irl__system;

/* a * k + b * l; b may be NULL with l 0. */
IRL__FN const irl__poly *irl__poly_sum(irl__system *s, const irl__poly *a, int64_t k,
                                       const irl__poly *b, int64_t l);
IRL__FN const irl__poly *irl__poly_plus(irl__system *s, const irl__poly *a, int64_t constant);
IRL__FN const irl__poly *irl__poly_product(irl__system *s, const irl__poly *a, const irl__poly *b);
IRL__FN const irl__poly *irl__poly_constant(irl__system *s, int64_t value);
IRL__FN const irl__poly *irl__poly_column(irl__system *s, int column);
/* p with `value` in the place of a variable. */
IRL__FN const irl__poly *irl__poly_put_in(irl__system *s, const irl__poly *p, int column,
                                          const irl__poly *value);
/* p is c * whole + rest, with the constant of rest in 0 .. c - 1; c > 0. */
IRL__FN int irl__poly_divide(irl__system *s, const irl__poly *p, int64_t c, const irl__poly **whole,
                             const irl__poly **rest);
/* Between which numbers it lies, by the bounds of its columns. */
IRL__FN irl__interval irl__poly_range(const irl__system *s, const irl__poly *p);
/* Whether the variable stands in this column. */
IRL__FN int irl__column_has(const irl__system *s, int column, int variable);

/* ------------------------------------------------------------------ system.c: conditions to rows
 */

/* What must hold: a row, a condition of the text in one copy (or its contrary), both, or either. */
typedef enum irl__formula_kind {
    IRL__FORMULA_ROW,
    IRL__FORMULA_CONDITION,
    IRL__FORMULA_BOTH,
    IRL__FORMULA_EITHER
} irl__formula_kind;

typedef struct irl__formula {
    irl__formula_kind          kind;
    int                        is_equal;    /* ROW: p is 0; else at least 0 */
    int                        copy, truth; /* CONDITION */
    const irl__poly           *p;
    const irl_expr            *e;
    const struct irl__formula *a, *b;
} irl__formula;

typedef struct irl__system_row {
    const irl__poly *p;
    int              is_equal;
} irl__system_row;

/* The value of an expression in one copy; of e / by, or of e % by. */
typedef struct irl__system_known {
    const irl_expr  *e, *by; /* by NULL: of e */
    int              copy, is_rest;
    const irl__poly *value;
} irl__system_known;

/* What was asked for, as it was asked: e op f, each in its copy; f NULL: e is true. */
typedef struct irl__system_asked {
    irl_op          op;
    const irl_expr *e, *f;
    int             copy, other;
} irl__system_asked;

struct irl__system {
    irl_ctx            *cx;
    const irl_func     *f;     /* whose parameters are names; may be NULL */
    const irl__ptr_map *bound; /* the variables that no copy chooses: they have values somewhere */
    const irl__given   *given[IRL__SYSTEM_COPIES];
    int                 given_count[IRL__SYSTEM_COPIES];
    int                 copy_count;
    int                 column_count, row_count, pending_count, known_count, asked_count;
    int                 products; /* how many columns are products */
    int64_t             steps;  /* rows that may still be worked on */
    const char         *reason; /* why what fulfils the rows may be no answer; NULL: it is one */
    const char         *why;    /* irl__system_decide: why it is not known */
    int                 failed; /* memory is out */
    int                 lazy;   /* not 0: what is taken apart may have no value */
    int                 work, depth; /* of taking expressions apart */
    int                 asked_over;  /* more was asked than `asked` holds */
    int                 found_count; /* the variables that were evaluated, each once */
    /* tables, of which nothing is read past their counts: most systems are small, and clearing
       them would be a good part of a question */
    irl__column         columns[IRL__LINEAR_COLUMNS];
    irl__system_row     rows[IRL__SYSTEM_ROWS];
    const irl__formula *pending[IRL__SYSTEM_PENDING]; /* EITHERs that no row says yet */
    irl__system_known   known[IRL__SYSTEM_KNOWN];
    irl__system_asked   asked[IRL__SYSTEM_ASKED];
    int64_t             point[IRL__LINEAR_COLUMNS]; /* fulfils the rows */
    irl_value           found[IRL__LINEAR_COLUMNS];
};

/* Where to go back to, when an alternative has been looked at. */
typedef struct irl__system_mark {
    int         column_count, row_count, pending_count, known_count, asked_count, products;
    const char *reason;
} irl__system_mark;

/* The conditions of now, to go back to; rows and choices are put back as they were. */
typedef struct irl__system_saved {
    irl__system_mark     mark;
    irl__system_row     *rows;
    const irl__formula **pending;
    irl__arena_mark      scratch;
} irl__system_saved;
/* What is made between the two lives in a scratch scope of its own. False when memory
   is out; to be restored all the same. */
IRL__FN int  irl__system_save(irl__system *s, irl__system_saved *saved);
IRL__FN void irl__system_restore(irl__system *s, const irl__system_saved *saved);

/* No condition yet; `steps` bounds the work on one question. Scratch memory of the caller. */
IRL__FN void irl__system_begin(irl__system *s, irl_ctx *cx, const irl_func *f,
                               const irl__ptr_map *bound, int64_t steps);
/* Copy 0 or 1 (in this order) is an iteration of which this is known; the list stays as it is. */
IRL__FN void irl__system_enter(irl__system *s, int copy, const irl__given *given, int count);
/* e, in a copy, is true; compares to f, in another. */
IRL__FN void irl__system_require(irl__system *s, int copy, const irl_expr *e);
IRL__FN void irl__system_compare(irl__system *s, int copy, const irl_expr *e, irl_op op, int other,
                                 const irl_expr *f);
/* 0 <= e < end, in a copy. */
IRL__FN void irl__system_require_below(irl__system *s, int copy, const irl_expr *e,
                                       const irl_expr *end);
IRL__FN void irl__system_add(irl__system *s, const irl__formula *f);
/* p is 0 (is_equal), or at least 0; p NULL: nothing. Without room for it the system is larger. */
IRL__FN void irl__system_hold(irl__system *s, const irl__poly *p, int is_equal);
/* The value of an integer expression in a copy; NULL: none can be written. */
IRL__FN const irl__poly *irl__system_value(irl__system *s, const irl_expr *e, int copy);

/* ------------------------------------------------------------------ decide.c */

/* NO: no numbers fulfil all that was asked, proved. YES: some do, and what was asked was evaluated
   there: s->found has the values. UNKNOWN: s->why, a static text; steps that are left may be given
   to another question. */
IRL__FN irl_answer irl__system_decide(irl__system *s);

#endif
