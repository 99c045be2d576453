/* text.h - prints and reads expressions, index maps and records. Statements and functions are in
   the folder func.

   needs     ir
   promises  a printed text reads back as the same thing, at every stage; nothing here needs a
             locale */
#ifndef IRL__TEXT_H
#define IRL__TEXT_H

#include "../ir/ir.h"

/* ------------------------------------------------------------------ print_expr.c */

IRL__FN void irl__print_expr(irl__text *t, const irl_expr *e);
IRL__FN void irl__print_map(irl__text *t, const irl_map *m);
/* e computed in another type of integers: what sums, products, shifts and the like are made of is
   cast. */
IRL__FN const irl_expr *irl__widened(irl_ctx *cx, const irl_expr *e, irl_type to);
/* An expression of integers below 64 bits, computed in 32 bits, or in 64: i32(a[i]) * i32(b[i]). */
IRL__FN const char *irl__widened_text(irl_ctx *cx, const irl_expr *e);
/* irl__fold_fail of this operator; of a shift by too much it says how the operand is widened. */
IRL__FN int irl__operator_fail(irl_ctx *cx, irl_loc loc, const irl_expr *e,
                               irl__fold_status status);
/* print_record.c: " when(mode == 3)", if field k depends on another one. */
IRL__FN void irl__print_record_when(irl__text *t, const irl_record *r, int k);
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

/* ------------------------------------------------------------------ parse_call.c */

IRL__FN const irl_expr *irl__parse_expr(irl_ctx *cx, const char *text, int var_count,
                                        const irl_expr *const *vars);

/* ------------------------------------------------------------------ parse_map.c */

/* False, with a diagnostic that shows the part, for what cannot stand in a map (irl__map_misfit).
 */
IRL__FN int irl__map_fits(irl_ctx *cx, const irl_expr *output, irl_loc loc);

#endif
