/* reduce.h - reductions on their way from text to statements: what their two files share.

   needs     parse.h
   promises  types and the forms that a reduction takes: a block with an init, or plain loops */
#ifndef IRL__REDUCE_H
#define IRL__REDUCE_H

#include "parse.h"

struct irl__reduction {
    irl_op                 op;
    irl_type               type;
    irl_loc                loc;
    int                    count; /* of ranges */
    const irl_expr *const *ranges; /* variable, start and extent of each */
    const irl_expr        *value;  /* what is accumulated */
    const irl_stmt        *inner;  /* a sequence that computes what the value uses; or NULL */
    const irl_expr        *load;   /* what stands for the reduction */
    int                    is_of_index; /* accumulated in i64 */
    int                    is_guarded;  /* something in its statement stands around it */
    size_t                 base, end; /* of its statements on p->stmts */
    irl__symbol           *name;      /* of its block; NULL: none was made */
};

/* Where a reduction accumulates. */
typedef struct irl__reduce_cell {
    const irl_buffer      *buffer;
    int                    rank;
    const irl_expr *const *indices;
    int                    is_own; /* a variable of the innermost iteration */
} irl__reduce_cell;

/* The axes of its block: those of loops around it, then its own. */
typedef struct irl__reduce_axes {
    int             count;
    int             spatial;
    const irl_expr *var[IRL_MAX_RANK], *min[IRL_MAX_RANK], *extent[IRL_MAX_RANK];
    const irl_expr *from[IRL_MAX_RANK], *to[IRL_MAX_RANK];
} irl__reduce_axes;

/* ------------------------------------------------------------------ parse_reduce.c */

/* A serial loop around s. */
IRL__FN const irl_stmt *irl__reduce_loop(irl__parser *p, irl_loc loc, const irl_expr *var,
                                         const irl_expr *min, const irl_expr *extent,
                                         const irl_stmt *s);
/* Whether it can be a block, and with which axes. */
IRL__FN int irl__reduce_axes_of(irl__parser *p, const irl__reduction *r, const irl__reduce_cell *c,
                                irl__reduce_axes *a);
IRL__FN const irl_stmt *irl__reduce_block(irl__parser *p, const irl__reduction *r,
                                          const irl__reduce_cell *c, irl__reduce_axes *a,
                                          const char *name);
/* The init, and the loops that update. */
IRL__FN const irl_stmt *irl__reduce_plain(irl__parser *p, const irl__reduction *r,
                                          const irl__reduce_cell *c);
/* Whether anything in it reads this memory. */
IRL__FN int irl__reduce_is_read(const irl__reduction *r, const irl_expr *data);

#endif
