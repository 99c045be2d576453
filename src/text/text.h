/* text.h - the language: what prints and reads expressions, maps, statements, functions, modules.

   needs     ir
   promises  what is printed reads back as the same, at every stage; nothing here needs a locale */
#ifndef IRL__TEXT_H
#define IRL__TEXT_H

#include "../ir/ir.h"

/* ------------------------------------------------------------------ print.c */

IRL__FN void irl__print_expr(irl__text *t, const irl_expr *e);
IRL__FN void irl__print_map(irl__text *t, const irl_map *m);
/* x: f32[4, 4] scope(local) ... */
IRL__FN void irl__print_buffer(irl__text *t, const irl_buffer *b);
IRL__FN void irl__print_func(irl__text *t, const irl_func *f);
/* the same as a part of a larger text, so many steps to the right */
IRL__FN void irl__print_func_at(irl__text *t, const irl_func *f, int indent);
/* The names that the function's text has for these variables, those of a `let` in an expression
   left out. False: memory is out. */
IRL__FN int  irl__print_names(const irl_func *f, int count, const irl_expr *const *vars,
                              const char **names);
IRL__FN void irl__print_module(irl__text *t, const irl_module *m);
/* The shortest decimal that reads back as the same value, or a form with the bits for NaN and
   infinities. */
IRL__FN void irl__print_float(irl__text *t, irl_type type, double value);

/* ------------------------------------------------------------------ decimal.c */

#define IRL__DECIMAL_DIGITS 17
/* The decimal numeral at the start of text[0..length) (digits, a point, an exponent; no sign; what
   follows is ignored), rounded once to `type`, ties to even. False if it is too large to be finite.
   Knows no locale. */
IRL__FN int irl__decimal_read(const char *text, size_t length, irl_type type, double *out);
/* The fewest digits d1 d2 ... that read back as |value| (finite): 0.d1d2... * 10^point. Returns how
   many. */
IRL__FN int irl__decimal_shortest(irl_type type, double value, char digits[IRL__DECIMAL_DIGITS + 1],
                                  int *point);

/* ------------------------------------------------------------------ lex.c, parse*.c */

IRL__FN const irl_expr *irl__parse_expr(irl_ctx *cx, const char *text, int var_count,
                                        const irl_expr *const *vars);

/* False, with a diagnostic that shows the part, for what cannot stand in a map (irl__map_misfit).
 */
IRL__FN int irl__map_fits(irl_ctx *cx, const irl_expr *output, irl_loc loc);

#endif
