/* parse_func.h - what the files that read functions share. Private to them.

   needs     func.h, ../text/parse.h
   promises  types and the forms that a reduction takes: a block with an init, or plain loops */
#ifndef IRL__PARSE_FUNC_H
#define IRL__PARSE_FUNC_H

#include "func.h"
#include "../text/parse.h"

/* Loops around what is being read: variable, start and extent of each on p->exprs. */
typedef struct irl__loops_around {
    size_t                          base, end;
    const struct irl__loops_around *outer; /* NULL: none, or a block stands between */
} irl__loops_around;

typedef struct irl__reduction {
    const irl__reduced    *what;
    irl_type               type;
    irl_loc                loc;
    int                    count; /* of ranges */
    const irl_expr *const *ranges; /* variable, start and extent of each */
    const irl_expr        *value;  /* what is accumulated */
    const irl_stmt        *inner;  /* a sequence that computes what the value uses; or NULL */
    const irl_expr        *load;   /* what stands for the reduction */
    int                    is_of_index; /* accumulated as irl__reduce_held says */
    const irl_buffer      *best;  /* of a pick: the value at the index that is in the cell; */
    const irl_expr        *picked, *first; /* the index, and the one of an empty range */
    irl_type               index_type;     /* of the cell, which memory holds */
    int                    is_guarded;  /* something in its statement stands around it */
    size_t                 base, end; /* of its statements on p->stmts */
    irl__symbol           *name;      /* of its block; NULL: none was made */
} irl__reduction;

/* Where a reduction accumulates. */
typedef struct irl__reduce_cell {
    const irl_buffer      *buffer;
    int                    rank;
    const irl_expr *const *indices;
    int                    is_own; /* a variable of the innermost iteration */
} irl__reduce_cell;

/* The axes of its block: those of loops around it, then its own. */
typedef struct irl__reduce_axes {
    int                    count;
    int                    spatial;
    const irl_expr *const *range[IRL_MAX_RANK]; /* variable, start and extent of each */
    const irl_expr        *from[IRL_MAX_RANK], *to[IRL_MAX_RANK];
} irl__reduce_axes;

/* What is known while a function is being read: p->func. */
typedef struct irl__func_being_read {
    const irl_func  *f;     /* with its parameters */
    const irl_stmt **stmts; /* a stack for lists that are being read */
    size_t           stmt_count, stmt_capacity;
    int              stmt_depth, is_in_block;

    const irl__loops_around *loops;
    const irl__reduction    *reduction; /* the one that was read last */
    irl__ptr_map             reductions; /* a variable -> the reduction that it is made for */
    int                      sums_into_image; /* a reduction is stored into an image */
    const char              *target; /* the name of what is computed; NULL: it has none */
    const char              *label;  /* of the nest that is being read, until a block takes it */
    int                      label_is_used; /* in the name of a block */
} irl__func_being_read;

/* ------------------------------------------------------------------ parse_buffer.c */

/* from its shape on; not declared yet */
IRL__FN irl_buffer *irl__parse_buffer(irl__parser *p, const irl__token *name,
                                      const irl_bit_element *element);
/* name: type[shape]... of a statement; not declared yet. New memory is declared, and may not be a
   view. */
IRL__FN irl_buffer *irl__parse_declared_buffer(irl__parser *p, irl__token *name);
IRL__FN irl_buffer *irl__parse_new_memory(irl__parser *p, irl__token *name);
IRL__FN int irl__parse_is_view(const irl_buffer *b);

/* ------------------------------------------------------------------ parse_extern.c */

/* A prototype, at "extern": those of the function that is read are in p->externs. One that is there
   already is read over. *list is an array in the context. */
IRL__FN int irl__parse_extern(irl__parser *p, irl__extern **list);

/* ------------------------------------------------------------------ parse_range.c */

/* name: extent, name: lo .. hi, name: lo .. hi : step, or name: lo .. + extent. Pushes variable,
   start and extent, and declares the name. */
IRL__FN int irl__parse_range(irl__parser *p, uint32_t *offset);

/* ------------------------------------------------------------------ parse_seq.c */

/* Is the current name a word that starts a line of its own, rather than a buffer that is stored
   to, or a label? */
IRL__FN int irl__parse_at_line(irl__parser *p, irl__word word);
/* "(" key = value ")" */
IRL__FN int irl__parse_annotation(irl__parser *p, irl__annotation *out);
/* at its word: one more of a function or a statement, whose value fits its key */
IRL__FN int irl__parse_annotation_of(irl__parser *p, int of_func, irl__annotation **list);
/* as many as there are */
IRL__FN int irl__parse_notes(irl__parser *p, irl__annotation **list);
/* Statements that are to be put before the one that is being read. What was pushed from `base` on
   is taken off, as one statement. */
IRL__FN int irl__push_stmt(irl__parser *p, const irl_stmt *s);
IRL__FN const irl_stmt *irl__pop_stmts(irl__parser *p, size_t base);
/* statements up to "}", which is read too */
IRL__FN const irl_stmt *irl__parse_list(irl__parser *p);
/* "{" statements "}", in the scope that is open */
IRL__FN const irl_stmt *irl__parse_braces(irl__parser *p);
/* s after what was pushed from `base` on, which is taken off */
IRL__FN const irl_stmt *irl__stmt_behind(irl__parser *p, size_t base, const irl_stmt *s);
/* a statement that belongs to another: in a scope of its own */
IRL__FN const irl_stmt *irl__parse_body(irl__parser *p);
/* s, if ";" follows */
IRL__FN const irl_stmt *irl__parse_semicolon(irl__parser *p, const irl_stmt *s);

/* ------------------------------------------------------------------ parse_forms.c */

/* Of a pick: the stores into its two cells, and what an iteration does to them. */
IRL__FN const irl_stmt *irl__reduce_pick_store(irl__parser *p, const irl__reduction *r,
                                               const irl__reduce_cell *c, const irl_expr *value,
                                               const irl_expr *index);
IRL__FN const irl_stmt *irl__reduce_pick_update(irl__parser *p, const irl__reduction *r,
                                                const irl__reduce_cell *c);
/* The type of the variable of a reduction of index e: i32 if all values are proved to fit, else
   i64. `first`: the index that a pick starts from, and e the one that it goes over; else NULL. */
IRL__FN irl_type irl__reduce_held(irl__parser *p, const irl__reduction *r, const irl_expr *e,
                                  const irl_expr *first);
/* The index that a pick gives, the name of whose range this is. */
IRL__FN int irl__reduce_picked(irl__parser *p, irl__reduction *r, const irl__symbol *range,
                               irl_type hint);
/* any, all, count: the condition that follows as 0 and 1, of the type that is stated. */
IRL__FN const irl_expr *irl__reduce_condition(irl__parser *p, irl__reduction *r, irl_type type,
                                              irl_type hint);
/* Is its value of a type that it can be of? */
IRL__FN int irl__reduce_computes(irl__parser *p, const irl__reduction *r, uint32_t offset);
/* Its value, made of what was accumulated. */
IRL__FN const irl_expr *irl__reduce_result(irl__parser *p, const irl__reduction *r,
                                           const irl_expr *made);

/* ------------------------------------------------------------------ parse_reduce.c */

/* sum(k: 64, e): what computes it is pushed by irl__push_stmt, and the result is a load. "(" has
   been read. */
IRL__FN irl__value irl__parse_reduction(irl__parser *p, const irl__reduced *what, irl_type hint,
                                        uint32_t offset);
/* The statement that accumulates in the cell itself, where all that is stored is the reduction
   whose statements were pushed from `base` on, and that is right; else NULL. */
IRL__FN const irl_stmt *irl__reduce_into(irl__parser *p, size_t base, const irl_buffer *b, int rank,
                                         const irl_expr *const *indices, const irl_expr *value);

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

/* ------------------------------------------------------------------ parse_expand.c */

/* The body of a function, with the variables of reductions expanded where that is right. */
IRL__FN const irl_stmt *irl__reduce_expand(irl__parser *p, const irl_stmt *body);

/* ------------------------------------------------------------------ parse_block.c, parse_stmt.c */

IRL__FN int irl__read_block(irl__parser *p, irl_stmt *s); /* what follows the word, into s */
IRL__FN const irl_stmt *irl__parse_stmt(irl__parser *p); /* forward: statements hold statements */

#endif
