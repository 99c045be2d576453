/* solve.h - what the files of the solver share: equations, and what is known by them.

   needs     engine.h
   promises  nothing but solve*.c reads this file */
#ifndef IRL__SOLVE_H
#define IRL__SOLVE_H

#include "engine.h"

/* ------------------------------------------------------------------ solve_known.c */

/* The equation with this left side; NULL if there is none. */
IRL__FN irl__equation *irl__solve_find(const irl__solution *s, const irl_expr *what);
/* Adds an equation, simplified, or whose sides are simplified already. True if it was new; false
   for operands that are NULL. */
IRL__FN int irl__solve_learn(irl__solution *s, const irl_expr *what, const irl_expr *value);
IRL__FN int irl__solve_append(irl__solution *s, const irl_expr *what, const irl_expr *value);

/* e in terms of the given values, NULL if it does not follow directly. */
IRL__FN const irl_expr *irl__solve_value(irl__solution *s, const irl_expr *e);
/* e as terms that are not known, which stay on the stack as *u with constant 0, and a known
   rest. */
IRL__FN int irl__solve_parts(irl__solution *s, const irl_expr *e, irl__sum *u,
                             const irl_expr **known);
/* The same, where what is known modulo m is known, if m is a number. */
IRL__FN int irl__solve_parts_modulo(irl__solution *s, const irl_expr *e, const irl_expr *m,
                                    irl__sum *u, const irl_expr **known);

/* Values: a*k + b*l + c, b NULL for none; (a + c) op d, d > 0 a constant. */
IRL__FN const irl_expr *irl__solve_linear(irl__analyzer *an, const irl_expr *a, int64_t k,
                                          const irl_expr *b, int64_t l, int64_t c);
IRL__FN const irl_expr *irl__solve_shifted(irl__analyzer *an, irl_op op, const irl_expr *a,
                                           int64_t c, int64_t d);
/* a*d + b, a op d; d is a number or made of parameters. */
IRL__FN const irl_expr *irl__solve_scaled(irl__analyzer *an, const irl_expr *a, const irl_expr *d,
                                          const irl_expr *b);
IRL__FN const irl_expr *irl__solve_divided(irl__analyzer *an, irl_op op, const irl_expr *a,
                                           const irl_expr *d);
/* How many numbers are in r; false if that is not known. */
IRL__FN int irl__solve_width(irl__interval r, int64_t *width);
/* 0 <= e < limit always. */
IRL__FN int irl__solve_within(irl__analyzer *an, const irl_expr *e, const irl_expr *limit);

/* ------------------------------------------ one equation each; true if something was learned */

/* solve_sum.c: equation number `at`, whose left side is a sum, or an atom that is known by now. */
IRL__FN int irl__solve_sum(irl__solution *s, int at);
/* Of k*(m/e) + r the multiple by e, where m % e = W is known: k*m + e*r = e*(k*(m/e) + r) + k*W,
   the last term being *shift. NULL if there is no such term, or fewer terms than `least`. What is
   said of the sum is then said without the division. */
IRL__FN const irl_expr *irl__solve_undivided(irl__solution *s, const irl_expr *sum, int least,
                                             int64_t *e, const irl_expr **shift);

/* solve_divmod.c: m % e = V or m / e = V; e > 0 is a number or made of parameters. */
IRL__FN int irl__solve_divmod(irl__solution *s, irl__equation *q);

#endif
