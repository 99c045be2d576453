/* verify.h - what the files of the verifier share; private to them. All that return int: 1, or 0
   with a diagnostic.

   needs     ir.h */
#ifndef IRL__VERIFY_H
#define IRL__VERIFY_H

#include "ir.h"

/* What is known of a variable or a buffer; 0 is nothing. */
typedef enum irl__verify_state {
    IRL__STATE_OPEN = 1,
    IRL__STATE_CLOSED = 2,
    IRL__STATE_AGAIN = 3 /* closed, and may be declared again: shared expressions, maps */
} irl__verify_state;

enum { IRL__VERIFY_PAGE = 256, IRL__VERIFY_GOOD = 8 }; /* powers of two */

typedef struct irl__verifier {
    irl_ctx          *cx;
    const irl_func   *f;
    const irl_module *m;       /* NULL: f alone */
    /* by id of a variable or buffer: 4 * epoch + irl__verify_state; a page is NULL while nothing is
       known */
    uint32_t        **pages;
    /* counts the functions of a module: what was known in another is nothing */
    uint32_t          epoch;
    irl__ptr_map      memory;  /* data variable -> the buffer that owns it, or saw it first */
    /* data variables that come from calls and arguments, not from a buffer */
    irl__ptr_map      pointers;
    irl__ptr_map      matches; /* data variable of a match buffer -> that buffer */
    irl__ptr_map      kernels; /* of m: interned name -> irl_func */
    irl__ptr_map      externs, own_externs; /* interned name -> irl__extern: of m, of f */
    const irl_buffer **fields; /* views that are fields, of any memory */
    uint32_t        **scope;   /* the places of what is in scope, in the order of declaration */
    size_t            scope_count, scope_capacity;
    unsigned          axes;    /* thread axes bound around the statement: bit k is irl_axis k */
    irl_loc           loc;     /* of the statement */
    /* expressions that were found right since a scope ended; NULL: none */
    const irl_expr   *good[IRL__VERIFY_GOOD];
} irl__verifier;

/* irl__fail at the statement */
#define IRL__VERIFY_FAIL(v, code, ...) irl__fail((v)->cx, (code), (v)->loc, __VA_ARGS__)

/* ----------------------------------------------- verify_expr.c: declarations and expressions */

/* A variable or buffer comes into scope; everything since the mark goes out of it, for good
   (CLOSED) or not. */
IRL__FN int irl__verify_new(irl__verifier *v, uint32_t id, const char *what, const char *name);
IRL__FN int irl__verify_new_var(irl__verifier *v, const irl_expr *var);
IRL__FN int irl__verify_close(irl__verifier *v, size_t mark, irl__verify_state state);
IRL__FN int irl__verify_is_open(const irl__verifier *v, uint32_t id);
IRL__FN int irl__verify_undeclared(irl__verifier *v, uint32_t id, const char *what,
                                   const char *name);
/* Whether it is well typed, and over what is in scope; `what` it is for the diagnostic. */
IRL__FN int irl__verify_expr(irl__verifier *v, const irl_expr *e);
IRL__FN int irl__verify_of_type(irl__verifier *v, const irl_expr *e, irl_type type,
                                const char *what);
IRL__FN int irl__verify_index(irl__verifier *v, const irl_expr *e, const char *what);
IRL__FN int irl__verify_index_list(irl__verifier *v, int count, const irl_expr *const *list,
                                   const char *what);
IRL__FN int irl__verify_condition(irl__verifier *v, const irl_expr *e);
/* One index for each axis, of which the last may be a vector. */
IRL__FN int irl__verify_indices(irl__verifier *v, const irl_buffer *b, uint32_t count,
                                const irl_expr *const *indices, uint32_t *lanes);

/* ------------------------------------------------------------------ verify_buffer.c */

/* A buffer with memory of its own: a parameter, an allocation, the view that match makes. Comes
   into scope. */
IRL__FN int irl__verify_owner(irl__verifier *v, const irl_buffer *b);
/* A view of memory that is in scope already. */
IRL__FN int irl__verify_alias(irl__verifier *v, const irl_buffer *b);
/* verify_field.c: a field of a memory has no bit twice, and none of another field's that is in
   scope. */
IRL__FN int irl__verify_field(irl__verifier *v, const irl_buffer *b);

/* ------------------------------------------------------------------ verify_extern.c */

/* The prototypes of v->f, before anything of it is in scope. */
IRL__FN int irl__verify_externs(irl__verifier *v);

#endif
