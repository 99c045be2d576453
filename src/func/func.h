/* func.h - prints and reads statements, functions and modules.

   needs     text
   promises  a printed text reads back as an equal function, at every stage */
#ifndef IRL__FUNC_H
#define IRL__FUNC_H

#include "../text/text.h"

/* ------------------------------------------------------------------ print_func.c */

/* x: f32[4, 4] scope(local) ... */
IRL__FN void irl__print_buffer(irl__text *t, const irl_buffer *b);
IRL__FN void irl__print_func(irl__text *t, const irl_func *f);
/* the same as a part of a larger text, so many steps to the right */
IRL__FN void irl__print_func_at(irl__text *t, const irl_func *f, int indent);
/* The names that the function's text has for these variables, those of a `let` in an expression
   left out. False: memory is out. */
IRL__FN int  irl__print_names(const irl_func *f, int count, const irl_expr *const *vars,
                              const char **names);

/* ------------------------------------------------------------------ parse_func.c */

struct irl__parser;
/* Reads a text and prints what it holds; "" or NULL where it holds something else. */
typedef const char *irl__print_again(irl_ctx *cx, const char *text, size_t length);
/* The text `value` of something that was read from `source`, with its const by name. It is `value`
   where that has changed since, or where the names do not read back as the same. */
IRL__FN const char *irl__text_named(irl_ctx *cx, const irl__source *source, const char *value,
                                    irl__print_again *again);
/* [host | kernel] func name (params) ... */
IRL__FN irl_func *irl__parse_named_func(struct irl__parser *p);

#endif
