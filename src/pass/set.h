/* set.h - the layouts and scopes of buffers, as the user sets them, and the questions of later
   passes about them.

   needs     text */
#ifndef IRL__SET_H
#define IRL__SET_H

#include "../func/func.h"

/* set_layout.c: attr(shared_cells = "x: ..."): x is only read, and points share its cells;
   attr(unstated_padding = "y: ..."): y is written, and nothing says what its unused cells hold.
   With "x" alone its user says that this is meant. The attribute's text for that buffer; NULL:
   there is none. */
#define IRL__ATTR_SHARED "shared_cells"
#define IRL__ATTR_PADDING "unstated_padding"
IRL__FN const char *irl__func_said(const irl_func *f, const char *key, const char *buffer);

/* wraps.c: warnings of narrow integers that wrap where C would promote them. */
#define IRL__ATTR_WRAPS "wraps"
IRL__FN void irl__func_warn_wraps(irl__text *t, const irl_func *f);

/* set_scope.c: images become arrays, and separators go; what a group shares becomes private. */
IRL__FN irl_func *irl__pass_images_to_arrays(const irl_func *f);
IRL__FN irl_func *irl__pass_shared_to_local(const irl_func *f);
/* irl_func_set_scope of that buffer, which others may share the name with; *moved (may be NULL):
   what it becomes. NULL fails. */
IRL__FN irl_func *irl__func_set_scope(const irl_func *f, const irl_buffer *b, irl_scope scope,
                                      const irl_buffer **moved);
/* s with its allocations in global memory made private, or, where `only` is not NULL, with that one
   made global. A call whose prototype wants memory of the other scope is refused. */
IRL__FN const irl_stmt *irl__stmt_moved(const irl_func *f, const irl_stmt *s,
                                        const irl_expr *only);

#endif
