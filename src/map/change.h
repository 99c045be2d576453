/* change.h - what the files of the change of variables share.

   A map is hard to judge if it splits, fuses, permutes and mixes its axes. These operations are
   undone step by step: f(x) = g(d(x)) for new variables d, and d determines x. The remaining
   outputs are mostly plain.

     turn    a part p of the outputs, which alone holds v, and for fixed others goes one to one
             from 0 .. E-1 onto 0 .. E-1                         t for p,  v = p's inverse of t
     split   v only as v/c, v%c, v/(c*e), (v/c)%e ...            v = c*h + l
     fuse    c*u + v, v < c, which alone holds u and v           t for it, u = t/c, v = t%c
     solve   the value of an output gives the variables in it that are not yet known

   promises  a statement about g and all values of its variables holds for f: no step maps two
             points to one. If a step has values that no point has, the variable that it replaced is
             checked: a cell belongs to a point only if that variable is within its extent */
#ifndef IRL__CHANGE_H
#define IRL__CHANGE_H

#include "map.h"

enum {
    IRL__CHANGE_VARS = 192,
    IRL__CHANGE_ALIVE = 128,
    IRL__CHANGE_NODES = 8192,
    IRL__CHANGE_CHECKS = 128,
    IRL__CHANGE_LOOKS = 1 << 16
};

/* Values 0 .. extent-1, all of them, whatever the others are. */
typedef struct irl__change_var {
    const irl_expr *var, *extent;
    const irl_expr *value;    /* over later variables, or cells */
    /* replaced: it stands in no output any more; value NULL: no formula is known. checked: see
       above. unused: an input that does not stand in the one output that is asked about */
    unsigned char replaced, checked, spare;
} irl__change_var;

typedef struct irl__change {
    irl_ctx         *cx;
    irl__analyzer   *an;   /* knows every variable */
    irl__change_var *vars; /* the inputs first */
    int              input_count, count, capacity, output_count;
    int              exact;      /* only steps whose every value is some point's */
    int              one_output; /* of which all that matters are its values: a step may make one
                                    of points with one value */
    int             loose;       /* some step was not exact */
    int             named;       /* symbolic extents */
    int             failed;      /* a step was broken off: nothing is known */
    int64_t         looks;       /* parts that may still be evaluated */
    const irl_expr *zero, *one, *next;
    int             gone_count, solved_count, check_count;
    const irl_expr *outputs[IRL_MAX_RANK];      /* over variables that are not replaced */
    int             gone[IRL__CHANGE_VARS];     /* variables, as they were replaced */
    int             solved[IRL__CHANGE_ALIVE];  /* those left, as they were solved */
    const irl_expr *checks[IRL__CHANGE_CHECKS]; /* conditions that a point's cell keeps beside */
} irl__change;

/* ------------------------------------------------------------------ change_factor.c */

/* Masks as quotients and remainders, where their ones stand side by side. */
IRL__FN const irl_expr *irl__change_unmasked(irl_ctx *cx, const irl_expr *e);

/* ------------------------------------------------------------------ change_vars.c: extents */

/* Extents and strides, numbers or formulas of parameters, simplified. NULL where they leave 64 bits
   or memory is out. */
IRL__FN const irl_expr *irl__change_add(irl__change *c, const irl_expr *a, const irl_expr *b);
IRL__FN const irl_expr *irl__change_sub(irl__change *c, const irl_expr *a, const irl_expr *b);
IRL__FN const irl_expr *irl__change_mul(irl__change *c, const irl_expr *a, const irl_expr *b);
/* a / b where b divides a; NULL where that is not known. b >= 1. */
IRL__FN const irl_expr *irl__change_quotient(irl__change *c, const irl_expr *a, const irl_expr *b);
IRL__FN const irl_expr *irl__change_ceil(irl__change *c, const irl_expr *a, const irl_expr *b);
/* Both are numbers. */
IRL__FN int irl__number_two(const irl_expr *a, const irl_expr *b);
/* Known to be so. */
IRL__FN int irl__change_same(irl__change *c, const irl_expr *a, const irl_expr *b);
IRL__FN int irl__change_le(irl__change *c, const irl_expr *a, const irl_expr *b);
/* The value of number k is known by variables that are not replaced now; NULL: not by a formula. */
IRL__FN void irl__change_replace(irl__change *c, int k, const irl_expr *value, int checked);
/* t*d % m for 0 <= t < m, where nothing leaves 64 bits; NULL if that takes too many parts. */
IRL__FN const irl_expr *irl__change_times(irl__change *c, const irl_expr *t, int64_t d, int64_t m);
/* The same with a variable's value, not simplified; NULL passes through. */
IRL__FN const irl_expr *irl__change_op(irl__change *c, irl_op op, const irl_expr *a,
                                       const irl_expr *b);

/* Of a map on extents that the analyzer knows, which is the caller's; scratch memory of the caller.
   steps: with room for steps. Of one output alone the inputs that do not stand in it are left out.
   False if memory is out. */
IRL__FN int irl__change_begin(irl__change *c, irl__analyzer *an, const irl_map *map,
                              const irl_expr *const *outputs, int output_count,
                              const irl_expr *const *extents, int steps);
/* Adds a condition; false if there is no room. */
IRL__FN int irl__change_check(irl__change *c, const irl_expr *condition);
/* A new variable; NULL if there is no room. irl__change_next is the one that it will be, before
   its extent is known. */
IRL__FN const irl_expr *irl__change_next(irl__change *c);
IRL__FN const irl_expr *irl__change_new(irl__change *c, const irl_expr *extent);

/* ------------------------------------------------------------------ change_uses.c */

typedef struct irl__holds {
    uint64_t bits[IRL__CHANGE_ALIVE / 64];
} irl__holds;

/* A part of the outputs. */
typedef struct irl__use {
    const irl_expr *e, *now; /* now: what takes its place */
    irl__holds      holds;   /* the variables in it, by their number among those alive */
    int             above;   /* the next part that all ways from the outputs lead through */
    int             a[3];    /* its operands */
    int             is_sum, in_sum, in_other; /* what it is, and what it stands in */
} irl__use;

/* The parts of all outputs, operands first. */
typedef struct irl__uses {
    irl__change *c;
    irl__use    *list;
    int          count, capacity;
    irl__ptr_map at;                                    /* number of a part, plus one */
    int          alive_count, alive[IRL__CHANGE_ALIVE]; /* variables */
    int          part[IRL__CHANGE_ALIVE]; /* the part that is the variable; -1: none */
    int          made;                    /* steps taken */
} irl__uses;

/* 1; 0 failed; -1 more than there is room for, or of a kind that is not understood. */
IRL__FN int irl__uses_make(irl__uses *u, irl__change *c);
IRL__FN int irl__uses_find(const irl__uses *u, const irl_expr *e); /* -1: none */
/* The variables in e: a part, or made of parts. */
IRL__FN irl__holds irl__uses_of(const irl__uses *u, const irl_expr *e);
IRL__FN int irl__uses_holds(const irl__uses *u, const irl_expr *e, int alive);
IRL__FN int irl__uses_moves(const irl__uses *u, const irl_expr *e); /* some variable is in it */
/* The outputs with every part's `now` in its place. */
IRL__FN int       irl__uses_rebuild(irl__uses *u);
/* Every use of the variable leads through part `at`. */
IRL__FN int       irl__uses_own(const irl__uses *u, int at, int alive);
static inline int irl__holds_one(const irl__holds *h, int k)
{
    return (int)(h->bits[k >> 6] >> (k & 63) & 1);
}
static inline void irl__holds_put(irl__holds *h, int k)
{
    h->bits[k >> 6] |= UINT64_C(1) << (k & 63);
}
static inline void irl__holds_join(irl__holds *h, const irl__holds *more)
{
    for (int k = 0; k < IRL__CHANGE_ALIVE / 64; k++) h->bits[k] |= more->bits[k];
}
/* Some variable is in both. */
static inline int irl__holds_meet(const irl__holds *a, const irl__holds *b)
{
    uint64_t both = 0;
    for (int k = 0; k < IRL__CHANGE_ALIVE / 64; k++) both |= a->bits[k] & b->bits[k];
    return both != 0;
}

/* ------------------------------------------------------------------ change_sum.c */

/* coef * atom; the coefficient is made of parameters. */
typedef struct irl__change_term {
    const irl_expr *atom, *coef;
    int             alive; /* number of the variable that the atom is; -1: none */
} irl__change_term;

enum { IRL__CHANGE_TERMS = 64 };
typedef struct irl__change_sum {
    int              count;
    irl__change_term term[IRL__CHANGE_TERMS];
    const irl_expr  *base; /* made of parameters */
} irl__change_sum;

/* The number among those alive of the variable that e is; -1: it is none. */
IRL__FN int irl__change_variable(const irl__uses *u, const irl_expr *e);
/* e as a sum; false if it is too long. */
IRL__FN int irl__change_sum_of(irl__uses *u, const irl_expr *e, irl__change_sum *s);
/* Its terms that are variables of which every use leads through part `at`, and that are in no other
   term, by a bit each. */
IRL__FN uint64_t irl__change_sum_own(const irl__uses *u, int at, const irl__change_sum *s);
/* Nothing in it but numbers, beside the atoms. */
IRL__FN int irl__change_sum_counts(const irl__change_sum *s);
/* The sum of some of its terms, by a bit each, and its base. */
IRL__FN const irl_expr *irl__change_sum_part(irl__uses *u, const irl__change_sum *s, uint64_t which,
                                             int with_base);

/* Terms that are variables, as digits: by their strides, each at least what all smaller ones reach.
   Negative strides count from the variable's end. */
typedef struct irl__change_digit {
    int             term;     /* of the sum */
    const irl_expr *stride;   /* positive */
    int             negative; /* the term is -stride * v: its digit is extent - 1 - v */
    int             gap;      /* its stride is more than the smaller ones fill */
} irl__change_digit;
typedef struct irl__change_digits {
    int               count;
    irl__change_digit digit[IRL__CHANGE_TERMS]; /* the smallest first */
    const irl_expr   *reach; /* of all, plus one: they fill 0 .. reach-1, or less with gaps */
    const irl_expr   *room;  /* the largest stride times its extent: with gaps, more than reach */
    const irl_expr   *least; /* the least value of these terms: what negative ones take away */
    int               full;  /* no gaps */
} irl__change_digits;
IRL__FN int irl__change_digits_of(irl__uses *u, const irl__change_sum *s, uint64_t which,
                                  irl__change_digits *d);
/* Their values, from that of the digits' sum: value[k] of digit k; *rest: what must be 0, NULL if
   nothing is left. False if memory is out. */
IRL__FN int irl__change_digits_values(irl__uses *u, const irl__change_sum *s,
                                      const irl__change_digits *d, const irl_expr *sum,
                                      const irl_expr **value, const irl_expr **rest);

/* ------------------------------------------------------------------ the steps, by file

   The number of steps taken; parts have got their `now`. */
/* larger: the variable's extent may grow to what the part needs */
IRL__FN int irl__change_turn(irl__uses *u, int larger);
/* Whether p, for fixed others, goes one to one from 0 .. extent-1 onto itself, as variable number
   `alive` does; *back: its value where p is t, NULL if there is no formula. *wanted: an extent with
   which it may be so; NULL: none. */
IRL__FN int irl__change_back(irl__uses *u, const irl_expr *p, int alive, const irl_expr *extent,
                             const irl_expr *t, const irl_expr **back, const irl_expr **wanted);
/* in_sums: also of variables that stand in sums as they are */
IRL__FN int irl__change_split(irl__uses *u, int in_sums);
IRL__FN int irl__change_fuse(irl__uses *u);
IRL__FN int irl__change_offset(irl__uses *u); /* v + k within something that is no sum */
IRL__FN int irl__change_onto(irl__uses *u);   /* of one output alone */

/* ------------------------------------------------------------------ change_solve.c */

/* Every variable that is alive as a value over `cells`, one for each output, and variables that
   were solved before it. box: the extents of cells. 1 found, 0 failed, -1 not. */
IRL__FN int irl__change_solve(irl__change *c, const irl_expr *const *cells,
                              const irl_expr *const *box);

/* ------------------------------------------------------------------ change.c */

/* Takes steps until none is left. False if memory is out, or c->failed. */
IRL__FN int irl__change_run(irl__change *c);
/* After irl__change_solve: the inputs over cells, by what `cells` knows of them, and in c->checks
   the conditions under which a cell is a point's. 1; 0 failed; -1 no formula. */
IRL__FN int irl__change_inverse(irl__change *c, irl__analyzer *cells, const irl_expr **back);

/* After irl__change_solve, whatever it said: the values over cells of the variables that are known;
   NULL for the others. */
IRL__FN void irl__change_partly(irl__change *c);

/* ------------------------------------------------------------------ change_box.c */

/* The least (sign -1) or largest value of one output, and a point that takes it; sign 0: both, the
   least first, where that takes no steps. 1; 0 failed; -1 it is not known. */
IRL__FN int irl__change_ends(irl__domain *on, int output, int sign, int64_t *value, int64_t *at);
/* With names in the extents: a formula of parameters that no value lies beyond; *reached:
   some point takes it. NULL where none is known. */
IRL__FN const irl_expr *irl__change_bound(irl__analyzer *an, const irl_map *map,
                                          const irl_expr *const *extents, const irl_expr *e,
                                          int sign, int *reached);

#endif
