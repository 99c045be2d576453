/* auto.h - what a loop nest is, for whoever decides when it runs.

   needs     schedule.h, target
   promises  what is said of a nest is exact where it is said, or "not known" */
#ifndef IRL__AUTO_H
#define IRL__AUTO_H

#include "schedule.h"

#include "../target/target.h"

enum {
    IRL__AUTO_LOOPS = 16,
    IRL__AUTO_ROWS = 16,
    IRL__AUTO_FAR = INT32_MAX /* a step that is no number, or differs */
};

typedef struct irl__auto_loop {
    const irl_stmt *stmt;
    const char     *name;   /* of its variable, as a schedule writes it */
    int64_t         extent; /* 0: no number */
    int             is_reduce;
} irl__auto_loop;

/* An access: by how many elements of memory it goes on with each iteration of a loop. */
typedef struct irl__auto_row {
    const irl__access *access;
    int                is_write, is_guarded;
    int64_t            step[IRL__AUTO_LOOPS];
    int64_t            run[IRL__AUTO_LOOPS]; /* for how many iterations from the first */
} irl__auto_row;

/* Loops around one block or store, each of which holds the next and nothing else. */
typedef struct irl__auto_nest {
    irl_ctx               *cx;
    const irl_func        *f;
    const irl_target      *target;
    const char            *name; /* of the block or nest, as a schedule writes it */
    const irl_stmt        *last; /* the block, or the innermost loop */
    const irl__block_data *block; /* NULL: a store in loops */
    const irl_stmt        *store;
    int                    loop_count, row_count;
    irl__auto_loop         loops[IRL__AUTO_LOOPS];
    irl__auto_row          rows[IRL__AUTO_ROWS];
    int                    written; /* the row of the store */
    int                    guard_count;
    const irl_expr        *guards[IRL__AUTO_ROWS]; /* of operands, in terms of the loops */
    int                    is_reduction;
    int                    is_free; /* its updates may run in any order */
} irl__auto_nest;

/* A name as a schedule writes it; NULL: memory is out. */
IRL__FN const char *irl__auto_symbol(irl_ctx *cx, const char *name);
/* The iterations [*lo, *hi) of a loop, as values of its variable, without those at either end for
   which a guard that depends on it fails, the other loops being at their first or last. */
IRL__FN void irl__auto_interior(const irl__auto_nest *n, int loop, int64_t *lo, int64_t *hi);
/* The nest whose outermost loop `top` is, a statement of f. 0: it is none that a schedule is made
   for, and *why (a static text) says so; or a failure. */
IRL__FN int irl__auto_nest_of(irl__auto_nest *n, const irl_func *f, const irl_target *target,
                              const irl_stmt *top, const char **why);

#endif
