/* auto.h - automatic schedules: the properties of a loop nest, the decisions about it, the text of
   steps.

   needs     schedule.h, target; pass.h, which declares the scheduler for the pipeline
   promises  a property of a nest is exact, or "not known" */
#ifndef IRL__AUTO_H
#define IRL__AUTO_H

#include "schedule.h"

#include "../pass/pass.h"
#include "../target/target.h"

/* ------------------------------------------------------------------ what a nest is */

enum {
    IRL__AUTO_LOOPS = 16,
    IRL__AUTO_ROWS = 16,
    IRL__AUTO_NESTED = 64, /* of an expression in expressions */
    IRL__AUTO_BORDER = 16, /* iterations at an end of a loop that are looked at one by one */
    IRL__AUTO_FAR = INT32_MAX /* a step that is no number, or differs */
};

typedef struct irl__auto irl__auto;

typedef struct irl__auto_loop {
    const irl_stmt *stmt;
    const char     *name;   /* of its variable, as a schedule writes it */
    int64_t         min, extent; /* 0: no number; of a symbolic one, as it is for sample values */
    int64_t         multiple; /* divides it: itself, of a symbolic one what is known to */
    int             is_symbolic; /* its extent is made of names, or of loops around the nest */
    int             is_reduce;
} irl__auto_loop;

/* An access: by how many elements of memory it goes on with each iteration of a loop. */
typedef struct irl__auto_row {
    const irl__access *access;
    int                is_write, is_guarded;
    int                is_held; /* an index is another one inside of its border: max(i - 1, 0) */
    int64_t            step[IRL__AUTO_LOOPS];
    int64_t            run[IRL__AUTO_LOOPS]; /* for how many iterations from the first */
    int                is_even[IRL__AUTO_LOOPS]; /* the last one is where that step leads to */
    int64_t            next[IRL__AUTO_LOOPS];    /* what is not even: by so much from run to run; */
    int                is_runs[IRL__AUTO_LOOPS]; /* the last one is where that leads to */
    int64_t            first;    /* the element at the first iteration of all loops, */
    int                is_first; /* if that is known */
    const irl_expr    *plain[IRL_MAX_RANK]; /* its indices, in terms of the loops: of groups, or
                                           where one work-item does all of it */
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
    int                    loop_count, row_count, around_count;
    irl__auto_loop         around[IRL__AUTO_LOOPS]; /* loops that hold more than the nest */
    int                    is_inside; /* one work-item does all of it */
    int                    is_moved;  /* its outermost loop was moved there, to be cut */
    irl__auto_loop         loops[IRL__AUTO_LOOPS];
    int                    written; /* the row of the store */
    int                    guard_count;
    const irl_expr        *guards[IRL__AUTO_ROWS]; /* of operands, in terms of the loops */
    int                    is_reduction;
    int                    is_conditional; /* its block has conditions */
    int                    is_free; /* its updates may run in any order */
    int                    is_scalar; /* lanes were tried, and are none that pay */
    irl__auto_row          rows[IRL__AUTO_ROWS]; /* the last: only so many as there are are set */
} irl__auto_nest;

/* Loops at numbers, those around the nest too, and names; of everything else an index has no
   value. */
typedef struct irl__auto_point {
    const irl__auto_nest *n;
    int                   moved; /* the loop that is not where the others are */
    int64_t               by;
    int                   is_end; /* the others are at their last iteration, not the first */
    int                   quarter; /* 1 to 3: all are so far; 0: they are not */
} irl__auto_point;
/* Has a loop an extent that is no number? */
IRL__FN int irl__auto_is_symbolic(const irl__auto_nest *n);

/* Does a guard depend on the loop? */
IRL__FN int irl__auto_is_guarded_by(const irl__auto_nest *n, int loop);
/* The modulus of a remainder that guards ask for, which differs from one iteration of the loop to
   the next, and (other >= 0) of that loop, as (w + 1 - 2 * s) % 3 == 0 does; 1: there is none. */
IRL__FN int64_t irl__auto_phase(const irl__auto_nest *n, int loop, int other);

/* The iterations [*lo, *hi) of a loop, as values of its variable, without those at either end for
   which a guard that depends on it fails, the other loops being at their first or last; none where
   these are many at both ends. */
IRL__FN void irl__auto_interior(const irl__auto_nest *n, int loop, int64_t *lo, int64_t *hi);
/* Do the guards hold in the first iterations of what is called the interior? Not where they ask for
   every second one. */
IRL__FN int irl__auto_is_steady(const irl__auto_nest *n, int loop);

/* A nest without loops. */
IRL__FN void irl__auto_nest_begin(irl__auto_nest *n, const irl__auto *a);
/* The nest whose outermost loop `top` is, a statement of the function as it is now. 0: it is none
   that a schedule is made for, and *why (a static text) says so; or a failure. */
IRL__FN int irl__auto_nest_of(irl__auto_nest *n, const irl__auto *a, const irl_stmt *top,
                              const char **why);

/* The statement of that id in the body, or at its top. */
IRL__FN const irl_stmt *irl__auto_top(const irl_func *f, uint32_t id);
/* ... as a nest; 0: it is none, or a failure. */
IRL__FN int irl__auto_nest_at(irl__auto_nest *n, const irl__auto *a, uint32_t id);
/* The axis that a loop is bound to; NULL: there is none, or it is bound to more than the loop. */
IRL__FN const irl__axis *irl__auto_axis(const irl__auto_nest *n, int loop);
/* Is each loop from 0 all of an axis, as transform_block_layout wants it? Not of k: 1 .. 8. */
IRL__FN int irl__auto_has_axes(const irl__auto_nest *n);

/* The lanes that vectors of the result have at most; 0, 1: none. On a target without vectors they
   are innermost loops of sums. */
IRL__FN int64_t irl__auto_most_lanes(const irl__auto_nest *n);
/* May vectors, or such loops, have so many lanes? */
IRL__FN int irl__auto_has_width(const irl__auto_nest *n, int64_t lanes);
/* Is loop k a whole number of times so long? */
IRL__FN int irl__auto_divides(const irl__auto_nest *n, int k, int64_t length);
/* Is it a function that compilers compute lane by lane? user is ignored (irl__expr_any). */
IRL__FN int irl__auto_is_function(const irl_expr *e, const void *user);
/* Is one in what the nest computes, and can it be one of vectors? */
IRL__FN int irl__auto_has_function(const irl__auto_nest *n);
/* Is the loop so short that its iterations may be written out? */
IRL__FN int irl__auto_is_written_out(const irl__auto_nest *n, int k);
/* One more loop, inside of those that are there; 0 as above. */
IRL__FN int irl__auto_add_loop(irl__auto_nest *n, const irl_stmt *s, const char **why);
/* Where the elements of `lanes` iterations of loop k lie, from the first of them (bits, of what has
   bits), if that is the same for the first of them, for the next, and at the last iterations of all
   loops. 0: it is not, or is not known, or a failure. */
IRL__FN int irl__auto_lanes_at(irl__auto_nest *n, irl__accesses *t, const irl__access *a, int k,
                               int lanes, int64_t *at);

/* By how much an index of the row goes on with each iteration of a loop, if that is always the
   same; 0: it is not, or is not known. */
IRL__FN int irl__auto_index_step(const irl__auto_nest *n, const irl__auto_row *row, int axis,
                                 int loop, int64_t *step);

/* Of an element of the result. */
IRL__FN int64_t irl__auto_bytes(const irl__auto_nest *n);
/* The product of the extents of the loops that reduce, or of the others; INT64_MAX: more. */
IRL__FN int64_t irl__auto_extents(const irl__auto_nest *n, int reduces);
/* Iterations of loops in s; `most` where there are more, or where they are not known. */
IRL__FN int64_t irl__auto_iterations(const irl_stmt *s, int64_t most);
/* How often what a row touches is read again: iterations of the loops of results that it does not
   depend on. */
IRL__FN int64_t irl__auto_reuse(const irl__auto_nest *n, const irl__auto_row *row);
/* Is an index of a row another one inside of its border? */
IRL__FN int irl__auto_is_held(const irl__auto_nest *n);
/* The loop that an index is, or that the axis of the block is bound to that it is: as it stands, or
   (is_near) but for a number that is added; -1: none. */
IRL__FN int irl__auto_loop_of(const irl__auto_nest *n, const irl_expr *index, int is_near);
/* ... of each index of an access, but for a number; -1: it is a number. 0: one is neither. */
IRL__FN int irl__auto_loops_near(const irl__auto_nest *n, const irl__access *a, int *loops);
/* Does no other row touch the memory at another place? */
IRL__FN int irl__auto_is_alone(const irl__auto_nest *n, const irl__auto_row *row);
/* Do all rows walk through memory from one element to the next, as if the loops were one? */
IRL__FN int irl__auto_is_flat(const irl__auto_nest *n);
/* Has some memory rows of its own, as images do? */
IRL__FN int irl__auto_has_rows(const irl__auto_nest *n);
/* Is the row the result, or its value before? */
IRL__FN int irl__auto_is_own(const irl__auto_nest *n, int row);
/* Is the row an image, and do iterations of the loop access the lanes of its texels? */
IRL__FN int irl__auto_is_lanes(const irl__auto_row *row, int loop);
/* The index of a row that is that loop; -1: none is it, or several depend on it. */
IRL__FN int irl__auto_index_of(const irl__auto_nest *n, const irl__auto_row *row, int loop);
/* The innermost loop that reduces; -1: none. */
IRL__FN int irl__auto_last_reduce(const irl__auto_nest *n);
/* The innermost loop that reduces and changes the row's cell; -1: none. */
IRL__FN int irl__auto_reduce_of(const irl__auto_nest *n, const irl__auto_row *row);
/* Do iterations of the loop that are less than `distance` apart read the same element? */
IRL__FN int irl__auto_is_shared(const irl__auto_nest *n, int loop, int64_t distance);
/* The loop along which a row goes on. */
IRL__FN int irl__auto_along(const irl__auto_nest *n, const irl__auto_row *row);

/* ------------------------------------------------------------------ what is decided */

/* How what is computed of each cell of a sum is stored, which is where the sum goes: by the indices
   of the sum. */
typedef struct irl__auto_end {
    const char *sum; /* the temporary; NULL: nothing is known */
    uint32_t    nest; /* which computes and stores it */
    int         is_turned; /* at other indices than the sum's: a sum goes there only if it is
                              flattened, for its tiles would be others */
    int         rank;
    int64_t     extent[IRL_MAX_RANK]; /* 0: its index is a number */
    int64_t     step[IRL_MAX_RANK], run[IRL_MAX_RANK];
    int         is_even[IRL_MAX_RANK];
} irl__auto_end;

struct irl__auto {
    irl_ctx          *cx;
    const irl_func   *f; /* as the steps so far have made it */
    const irl_target *target;
    irl__text         text;
    int               steps, deep; /* nests that came of the one at the top */
    uint32_t          around; /* the loop that holds the statements looked at; 0: the function */
    int               is_inside; /* one work-item runs all of that loop */
    int64_t           counts; /* columns that count, of the nest that was padded; 0: none was */
    irl__auto_end     end;
    int               is_rest;  /* the nest is what another leaves: it leaves none itself; */
    int               is_inner; /* or what is inside of a border */
    int               is_moved; /* its outermost loop was moved there */
    int64_t           all;      /* iterations of the nest that was cut first; 0: none was */
    int64_t           left;     /* iterations of nests that stay as they are, in all rows */
    int               has_bits; /* of elements: they lie in no cells of their own */
    char              why[160]; /* the last nest's steps were refused */
    int               is_asked; /* the text lists what was tried */
    int               is_once;   /* no nests are distributed after some were */
    irl__text        *tried; /* comments about tiles, while a nest is decided; NULL: nobody asks */
};

typedef enum irl__auto_copy {
    IRL__AUTO_DIRECT, /* an operand is read where it is */
    IRL__AUTO_PACKED, /* from a copy of it */
    IRL__AUTO_TURNED, /* from a copy of what a tile needs of it */
    IRL__AUTO_LINED   /* from a copy in which what a tile reads lies together */
} irl__auto_copy;

/* What is tried for a reduction, from the best on. */
typedef enum irl__auto_way {
    IRL__AUTO_VALUES,   /* functions of operands are computed before */
    IRL__AUTO_BORDERED, /* what is guarded is read from a copy with its border */
    IRL__AUTO_PARTIAL, /* partial results, where the order is free */
    IRL__AUTO_PADDED,  /* columns are padded */
    IRL__AUTO_PARTS,   /* a loop is cut */
    IRL__AUTO_STREAM,  /* sums in the cache, rows of memory that go past them */
    IRL__AUTO_SUMS,    /* a tile of sums in registers */
    IRL__AUTO_MEMORY,  /* a tile of sums in memory */
    /* where work-items run in step: */
    IRL__AUTO_COLLECTED, /* what would be collected from many lines is copied */
    IRL__AUTO_TREE,         /* work-items of a group add up parts */
    IRL__AUTO_GROUP_PADDED, /* a tile of a group, for which loops may be padded */
    IRL__AUTO_GROUP,        /* one that divides the loops */
    IRL__AUTO_WAYS
} irl__auto_way;

/* A loop, and the iterations, counted from its first, at which it is cut; or what of whole groups
   of so many is left. */
typedef struct irl__auto_border {
    int         loop, count;
    int64_t     at[2];
    int64_t     group; /* 0: it is cut at iterations */
    int         main, is_border; /* the part that is most of it; the others are its border */
    const char *reason;
} irl__auto_border;

/* What was decided of a nest. */
typedef struct irl__auto_plan {
    int            vector, row; /* loops; -1: none */
    int            along;       /* the loop along which what is turned goes on; -1: nothing is */
    int64_t        lanes, vectors, rows; /* of a tile: rows * vectors * lanes results */
    int64_t        stored; /* lanes that lie one after the other where the result is stored */
    int64_t        length;               /* of a tile, along that loop */
    int            strided; /* operands of which the lanes of a vector lie apart, but not far */
    int64_t        period[IRL__AUTO_LOOPS]; /* iterations that read the same; 0, 1: one */
    irl__auto_copy copy[IRL__AUTO_ROWS];
    int            last[IRL__AUTO_ROWS];  /* of a copy: the loop of its last index, */
    int64_t        panel[IRL__AUTO_ROWS]; /* and how much of it lies together; 0: all */
    const char    *made[IRL__AUTO_ROWS];  /* the copies' names */
    int            window; /* a loop that reduces, along which rows read what others do, or -1 */
    int64_t        phase;  /* rows ask with the window for a remainder by that; 1: they do not */
    int            asks;   /* rows ask for one, but with no window: each for itself */
    int            second; /* another, along which the iterations of a period do, or -1: */
    int            beside;  /* of this loop, */
    int64_t        count;  /* so many of them */
    int            is_short; /* a work-item takes all vectors of a row */
    int64_t        loads, cost, updates, registers; /* of a tile, while what else reduces stays */
    irl__auto_way  way;
    const char    *masked; /* a loop some of whose iterations add nothing; NULL: none is known */
    const char    *again;     /* the nest of that name remains, to be looked at anew; NULL: none */
    int64_t        counts;    /* columns that count of it, if it is padded */
    const char    *crop; /* of a padded nest: what copies these where a tile is done; NULL: none */
    irl__auto_border cut;
    const char    *parts[3];   /* of the loop that is cut: their names; NULL: none is */
    irl__text      text;
    int            steps;
    irl__text     *tried; /* as in irl__auto */
    int64_t        compared; /* tiles */
} irl__auto_plan;

/* Parts of a loop that is cut: outside of the tile, and in it. NULL: there is none. */
typedef struct irl__auto_cut {
    const char *outer, *inner, *lane;
    const char *run; /* of a loop that reduces: inside of outer, outside of the tile; */
    const char *window; /* or all of it, in the rows of the tile */
    int64_t     each;   /* iterations in one of outer's; 0: one */
} irl__auto_cut;

enum {
    IRL__AUTO_STEPS = 4000, /* of a schedule */
    IRL__AUTO_DEEP = 6,     /* cuts of parts of parts */
    IRL__AUTO_LEAST = 8,    /* items that a tile leaves */
    IRL__AUTO_PEELED = 64,  /* what may divide whole tiles of a symbolic loop; fewer iterations are
                               what tiles left of one, */
    IRL__AUTO_PEELED_AGAIN = 4, /* of which this may, where there is much to add up */
    IRL__AUTO_INNER = 32,   /* innermost loops of a nest that are asked whether they gather */
    IRL__AUTO_GROUP_LEAST = 1024, /* iterations that are worth a group of one work-item */
    IRL__AUTO_LAUNCH = 1 << 17, /* iterations beside which a launch costs little */
    IRL__AUTO_KERNELS = 1 << 14,  /* of sums in one kernel, which are worth several */
    IRL__AUTO_ALL_ROWS = 1 << 22, /* elements, at most, of what was allocated in each iteration */
    IRL__AUTO_ITEMS = 64,   /* that are enough where each takes all of a row */
    IRL__AUTO_REUSE = 8,    /* how often what is copied must be read again */
    IRL__AUTO_WORTH = 4,    /* one part in so many of the loads is worth a cut */
    IRL__AUTO_WAITING = 8,  /* sums at once: with fewer, updates wait for each other */
    IRL__AUTO_LEFT = 32,    /* one iteration in so many is little, where whole tiles leave it */
    IRL__AUTO_NEAR = 4,     /* iterations that share what they read */
    IRL__AUTO_SHARED = 8,   /* iterations that are written out: what they share is read once */
    IRL__AUTO_SHORT = 256,  /* updates of a tile, by vectors, that are short beside a work-item */
    IRL__AUTO_ROWS_MOST = 8, /* of memory that go past a sum at once */
    IRL__AUTO_STORES = 7,   /* updates of a sum for each store that it is parted into */
    /* a vector of a line is one of its own in each iteration; of what is the same in all lanes a
       line serves many: what their loads cost */
    IRL__AUTO_ONE = 4,
    IRL__AUTO_LINE = 3 * IRL__AUTO_ONE,
    IRL__AUTO_ASKS = 4 * IRL__AUTO_LINE, /* of a result that asks for a remainder: as much */
    IRL__AUTO_LINE_BYTES = 64,
    /* of a target without vectors: what an innermost loop computes, so that C compilers make
       vectors of it, and so many sums of that length at once stay in the nearest cache */
    IRL__AUTO_LOOP_BYTES = 4 * IRL__AUTO_LINE_BYTES,
    IRL__AUTO_LOOP_SUMS = 6,
    IRL__AUTO_TERMS = 32, /* of a sum that C compilers write out */
    IRL__AUTO_LOOP_LANES = 8, /* divides their length, */
    IRL__AUTO_LOOP_LEAST = 16, /* which is less only where all of a loop is */
    IRL__AUTO_CACHES = 32,     /* the cache behind the nearest one holds so many times as much */
    IRL__AUTO_FAR_BYTES = 1024 /* lines so far apart, or farther, share few sets of a cache */
};

/* ------------------------------------------------------------------ auto.c */

/* Does the plan to the function, if each of its steps is proved; else why, in a->why. */
IRL__FN int irl__auto_try(irl__auto *a, irl__auto_plan *p);
/* ... a plan of one step. */
IRL__FN int irl__auto_do(irl__auto *a, const char *reason, const char *format, ...);
/* The nest of the statements looked at that holds the block of that name; 0: none. */
IRL__FN uint32_t irl__auto_nest_named(const irl__auto *a, const char *name);
/* The loop of that name among them; NULL: none. */
IRL__FN const irl_stmt *irl__auto_loop_named(const irl__auto *a, const char *name);
/* A comment: the nest or loop of that name stays as it is, and why. */
IRL__FN void irl__auto_leave(irl__auto *a, const char *name, const char *why);
/* Function, steps, text and what is left as they were in *to; 0. */
IRL__FN int irl__auto_back(irl__auto *a, const irl__auto *to);
/* The statements that are looked at: of the function, or of the loop around them. */
IRL__FN const irl_stmt *irl__auto_body(const irl__auto *a);
/* Which of them is s, where they are a sequence? -1: none is. */
IRL__FN int irl__auto_at(const irl__auto *a, const irl_stmt *s);
/* Is there so much to compute? */
IRL__FN int irl__auto_has_iterations(const irl__auto_nest *n, int64_t least);
/* How many cells s allocates; 0: that is no number. */
IRL__FN int irl__auto_cells_of(const irl_stmt *s, int64_t *cells);
/* May the nest be decided about? In what a step has cut loops are marked as scheduled by that
   step. */
IRL__FN int irl__auto_may(const irl__auto *a, const irl_stmt *top);
/* The nest of that id is computed where the sum is stored that it reads cell by cell. Whether it
   was put there. */
IRL__FN int irl__auto_behind(irl__auto *a, uint32_t id);
/* One nest. Whether anything was done. */
IRL__FN int irl__auto_nest_do(irl__auto *a, uint32_t id);
/* Adds to the iterations of nests that stay as they are; at most INT64_MAX. */
IRL__FN void irl__auto_left_add(irl__auto *a, int64_t count);
/* A nest of a function whose elements lie in no cells of their own. */
IRL__FN void irl__auto_bits_do(irl__auto *a, uint32_t id);

/* ------------------------------------------------------------------ auto_list.c */

/* The nests of the statements that are looked at, one after the other. */
/* forward: the nest of a function may be a loop around a list of nests */
IRL__FN void irl__auto_list_do(irl__auto *a);
/* A sum, and the nest `next`, which reads its cells, and is to be computed where it is stored.
   Whether both was done. */
/* forward: sums that were flattened are copied from there */
IRL__FN int irl__auto_copied_do(irl__auto *a, uint32_t id, uint32_t next);
/* A store and the loops that update it, in a nest or before one, become a block, if that is one;
   each such nest directly inside of the loops of a nest. */
IRL__FN void irl__auto_compose_begun(irl__auto *a, uint32_t id);
IRL__FN void irl__auto_compose_inside(irl__auto *a, uint32_t id);
/* What irl__auto_apart made: the nests from number `at` of the list on. Whether one was decided. */
IRL__FN int irl__auto_aparts_do(irl__auto *a, int at, int made);

/* ------------------------------------------------------------------ auto_rows.c */

/* Does the access go on by one element with each iteration of the loop of that variable (1), or
   stay where it is (0)? -1: neither, or it is not laid out as the text says. */
/* For irl__stmt_any: a loop whose bounds are data, which its type alone bounds, or use the variable
   (NULL: none). Its iterations differ between the lanes of a vector. */
IRL__FN int irl__auto_is_of_data(const irl_stmt *s, const void *var);
/* forward: a list of nests asks it */
IRL__FN int irl__auto_walks(irl__auto *a, irl__accesses *t, const irl__access *at,
                            const irl_expr *var);

/* Each nest in these loops by itself; then those around whose iterations do not meet are
   work-items. Where there are few of these, or none, and the nests are large, each of the nests is
   launched instead; where nests would stay as they are, each of them is one for all rows. 0: it is
   no such loop, or nothing is decided: *why. */
/* forward: a nest that is none by itself may be a loop around several */
IRL__FN int irl__auto_rows_do(irl__auto *a, uint32_t id, const char **why);
/* Consecutive kernels of the same work-items that are parts of one nest become one kernel; not
   those that were kernels in the function that was given. */
/* forward: when all nests are decided */
IRL__FN void irl__auto_launches_do(irl__auto *a, const irl_func *given);
/* The first of these nests sums up rows of memory, and nests after it read the rows again: they
   become one nest, whose loops over the rows are work-items. Whether they did. */
/* forward: a list of nests asks it, and it decides the list inside of the rows */
IRL__FN int irl__auto_rows_join(irl__auto *a, const uint32_t *ids, int count);

/* ------------------------------------------------------------------ auto_list.c */

/* The loops from `top` on, up to IRL__AUTO_LOOPS, each of which holds the next alone and the last
   of them *list, several statements; how many. 0: they are scheduled, or too many, or none. */
IRL__FN int irl__auto_around_list(const irl_stmt *top, const irl_stmt **loops,
                                  const irl_stmt **list);
/* How many steps distribute in what is made so far. */
IRL__FN int irl__auto_distributes(irl__auto *a);
/* Loops around several statements become loops around each, as steps: of statements each of which
   writes one cell and one of which sums it up, or (is_any) of whatever they are. How many
   statements there are then, from number *at on of the list; 0: they are no such loops. */
IRL__FN int irl__auto_apart(irl__auto *a, uint32_t id, int is_any, int *at);

/* ------------------------------------------------------------------ auto_write.c */

/* base_suffix, and a number at its end if the function or a step has that name. Names are never
   NULL: when memory is out they are empty, and irl__auto_try says so. */
IRL__FN const char *irl__auto_name(irl__auto *a, const char *base, const char *suffix);
IRL__FN void irl__auto_plan_begin(irl__auto *a, irl__auto_plan *p);
/* A loop of the nest as a step names it: conv.i. */
IRL__FN const char *irl__auto_member(const irl__auto_nest *n, int k);
/* One more loop of a reorder, which the first begins; NULL: none. */
IRL__FN void irl__auto_put(irl__auto_plan *p, int *any, const char *name);
/* Ends that step, or another one with a list. */
IRL__FN void irl__auto_put_end(irl__auto_plan *p, const char *reason);
/* The loop `whole` in two, named after `base` with each of the two suffixes, as a step. */
IRL__FN void irl__auto_split_at(irl__auto *a, irl__auto_plan *p, const char *base,
                                const char *whole, int64_t length, const char *suffixes,
                                const char **outer, const char **inner, const char *reason);
/* Has a tile all iterations of the loop of its vectors? */
IRL__FN int irl__auto_is_whole(const irl__auto_nest *n, const irl__auto_plan *p);
/* One loop of that name of those of the list, the outermost first; one alone is that loop. */
IRL__FN const char *irl__auto_fused(irl__auto_plan *p, const char *name, const char *const *list,
                                    int count, const char *reason);
/* The dimensions of a launch are at most three: of more loops the outer ones become one. How many
   there are then. */
IRL__FN int irl__auto_dimensions(irl__auto *a, irl__auto_plan *p, const char *base,
                                 const char *suffix, const char **list, int count);
/* These loops as dimensions of the launch, the last one the first. */
IRL__FN void irl__auto_bind(irl__auto_plan *p, const char *const *list, int count,
                            const char *range, const char *reason);
/* Which loop is the outermost but so many: element by element, and in short sums, the
   one of vectors is the innermost, for memory is contiguous along it. */
IRL__FN int irl__auto_nth(const irl__auto_nest *n, const irl__auto_plan *p, int at);
/* How many elements loops that reduce, and those of `mask`, read of the row: as many as they have
   iterations, or fewer where iterations read the same ones. */
IRL__FN int64_t irl__auto_touched(const irl__auto_nest *n, int row, unsigned mask);
/* Do all terms of all vectors read more of the operand, which goes on with each vector, than the
   caches of a core hold? */
IRL__FN int irl__auto_is_beyond(const irl__auto_nest *n, int row, int vector);
/* One step, or several, with their reason. */
IRL__FN void irl__auto_step(irl__auto_plan *p, const char *reason, const char *format, ...);
/* Does the function say that its floats are rounded as it is written, or has the target no vectors?
   */
/* forward: so the order of the updates of a nest is free, or not */
IRL__FN int irl__auto_is_strict(const irl_func *f, const irl_target *target);
/* Does the function allow that a * b + c is rounded once, and is there such a sum? */
IRL__FN int irl__auto_may_contract(const irl__auto_nest *n, int is_guarded);
/* ... as a step, where it does. */
IRL__FN void irl__auto_contract(const irl__auto_nest *n, irl__auto_plan *p);
/* A step that cuts a loop in two, named after `base`: the iterations before `at`, and the others;
   or (group > 0) those in whole groups of so many, and the remainder. */
IRL__FN void irl__auto_cut_off(irl__auto *a, irl__auto_plan *p, const char *base, const char *loop,
                               const char **parts, int64_t at, int64_t group, const char *reason);
/* The loops that are cut, as steps; names of the parts in cuts[IRL__AUTO_LOOPS]. */
IRL__FN void irl__auto_cuts(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                            irl__auto_cut *cuts);
/* The outermost loop that reduces outside of the tile, the innermost that becomes work-items; NULL:
   none. */
IRL__FN const char *irl__auto_first_reduce(const irl__auto_nest *n, const irl__auto_cut *cuts);
IRL__FN const char *irl__auto_last_item(const irl__auto_nest *n, const irl__auto_plan *p,
                                        const irl__auto_cut *cuts);
/* Items outside, then what reduces, in its order, then the tile. */
IRL__FN void irl__auto_order(const irl__auto_nest *n, irl__auto_plan *p, const irl__auto_cut *cuts);
/* The loops of results become dimensions of the launch: the last one the first. More than three are
   one. Of a nest inside of a work-item none does. */
IRL__FN void irl__auto_items(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                             const irl__auto_cut *cuts, const char *range);
/* What stands in a tile: rows written out, vectors. `init` is the block that sets the sums, which
   has no loops that reduce; NULL: the block itself. */
IRL__FN void irl__auto_tile_marks(const irl__auto_nest *n, irl__auto_plan *p, const char *init,
                                  const irl__auto_cut *cuts);
/* Is the loop of the vectors, or of a tile's rows, no index of the result, as in y[2 * i]? */
IRL__FN int irl__auto_is_spread(const irl__auto_nest *n, const irl__auto_plan *p);
/* The copy from registers to memory: its loops are the axes of the result. */
IRL__FN void irl__auto_store_marks(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                                   const char *acc);

/* How a map of the block begins: (vi, vj) -> ( */
IRL__FN void irl__auto_axes(irl__text *t, const irl__auto_nest *n);
/* The map of a copy of what a block reads or writes: its indices, that of the loop p->last[row]
   last; panels of that come before what reduces. */
IRL__FN const char *irl__auto_copy_map(irl__auto *a, const irl__auto_nest *n,
                                       const irl__auto_plan *p, int row);

/* Is every index an axis of the block, each another one, so that a copy may have them in any
   order? Or (is_near) one plus a number, or a number less it. And is it made by a launch of its
   own, not by each work-item for itself? */
IRL__FN int irl__auto_may_pack(const irl__auto_nest *n, const irl__auto_row *row, int is_near);
/* Can a tile of the row be turned: does it go on along loop `along`, is loop k another index, and
   are all its indices loops? Loops that reduce inside of `along` would make the tile larger. */
IRL__FN int irl__auto_may_turn(const irl__auto_nest *n, const irl__auto_row *row, int k, int along,
                               int64_t lanes);
/* A step makes a copy of operand k; its form takes the names of the copy, nest, buffer and nest.
   Returns the first. */
IRL__FN const char *irl__auto_copy_of(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                                      int k, const char *suffix, const char *reason,
                                      const char *form);
/* Before a nest that reads it again and again, by the plan's way: a part of a reduction's value
   with functions, which depends on fewer axes, is computed; or operands that are guarded are copied
   with what the guard gives around them. 0: there is none such. */
IRL__FN int irl__auto_copies_before(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p);
/* Copies of operands, of which a block's are made for it alone. */
IRL__FN int irl__auto_copies(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p);
/* The tiles that are turned are loaded inside of that loop, by vectors. */
IRL__FN void irl__auto_turns(const irl__auto_nest *n, irl__auto_plan *p, const char *loop);

/* ------------------------------------------------------------------ auto_arrange.c */

/* Element by element, where no vector serves all of the nest: loops are cut where layouts
   divide them, and arranged for memory. 0: nothing is decided, or a failure. */
IRL__FN int irl__auto_arrange(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p);

/* ------------------------------------------------------------------ auto_sums.c */

/* Loops along which memory goes on, but for no whole vectors, and those around them that go on as
   they do, become one loop, as a step; 0: there are none such. */
IRL__FN int irl__auto_fuse(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p);
/* Loops of results of a sum, of which the innermost has no whole vectors, become one, and the sums
   go into memory that is contiguous along it, as steps; the name of the block that copies them from
   there. NULL: there are none such. */
IRL__FN const char *irl__auto_flatten(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p);

/* ------------------------------------------------------------------ auto_tile.c */

/* Lanes of a vector along loop k: the most that the target has, a register holds, and that divide
   the loop, or (not exact) that it has iterations for. */
IRL__FN int64_t irl__auto_lanes(const irl__auto_nest *n, int k, int is_exact);
/* The loop that becomes vectors: of those that need the fewest copies the one of most lanes. */
IRL__FN void irl__auto_choose_vector(const irl__auto_nest *n, irl__auto_plan *p);
/* Tiles that divide the loops (exact), fit into the registers and leave items enough: the one of
   the fewest loads for each result, of those the smallest. */
IRL__FN void irl__auto_choose_tile(const irl__auto_nest *n, irl__auto_plan *p, int is_exact);
/* What the loads of a tile cost, and its updates, each as much as a load. */
IRL__FN int64_t irl__auto_all_cost(const irl__auto_plan *p);
/* Operands whose lines are far apart, for a tile that is done sooner than they come, are to be
   copied. p: the plan whose copies they are; tile: that has the tile, p or another. */
IRL__FN void irl__auto_choose_lines(const irl__auto_nest *n, irl__auto_plan *p,
                                    const irl__auto_plan *tile);
/* Where two short loops reduce, and iterations of another read along the outer one what their
   neighbours do (x[h + r, v + s]): a tile of several of them, if that takes fewer loads. */
IRL__FN void irl__auto_choose_second(const irl__auto_nest *n, irl__auto_plan *p);

/* Are guards the same in all iterations of a loop, or do they hold as far as its interior says? */
IRL__FN int irl__auto_is_uniform(const irl__auto_nest *n, int loop);
/* The border of a guarded operand, where lanes of a vector are guarded each in its own way. */
IRL__FN int irl__auto_choose_border(const irl__auto *a, const irl__auto_nest *n,
                                    irl__auto_plan *p);
/* The remainder of the loop for more lanes than divide it. */
IRL__FN int irl__auto_choose_rest(const irl__auto_nest *n, irl__auto_plan *p);
/* A symbolic loop that is not proved to be a whole number of tiles: the iterations in whole tiles,
   and the remainder, are to be parts. */
IRL__FN int irl__auto_choose_peel(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p);
/* Loop k is cut at one place, or after whole groups; the first part is most of it. Returns 1. */
IRL__FN int irl__auto_cut_at(irl__auto_plan *p, int k, int64_t at, int64_t group,
                             const char *reason);
/* What whole tiles of a symbolic loop of results may be divided by; 1: it was peeled, or is short.
   */
IRL__FN int64_t irl__auto_peeled(const irl__auto_nest *n, const irl__auto_loop *loop);
/* Copies that serve all parts are made first; then the loop is the outermost, and cut. */
IRL__FN int irl__auto_parts(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p);

/* What more rows of a tile than divide the loop would leave of it; *with is the plan with that
   tile. */
IRL__FN int irl__auto_choose_rows(const irl__auto_nest *n, irl__auto_plan *p,
                                  irl__auto_plan *with);

/* Is the loop all of an axis, and wherever it stands in an index, that axis alone? */
IRL__FN int irl__auto_may_pad(irl__auto *a, const irl__auto_nest *n, int loop);
/* Columns that vectors do not divide are padded, which is a step. 0: they are not. */
IRL__FN int irl__auto_pad(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p);
/* Are they more than a vector, so that padded vectors serve better than partial results? */
IRL__FN int irl__auto_pads_vectors(irl__auto *a, const irl__auto_nest *n);

/* ------------------------------------------------------------------ auto_sums.c */

/* A wide tile of sums, each of which takes several rows of memory at once; 0: what is read is used
   twice, or no such tile is wider than registers. */
IRL__FN int irl__auto_stream(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p);

/* An innermost loop of a nest, by its number, that reads bytes in other places than one after the
   other, within a window that the target loads whole and picks from, becomes vectors: steps, or
   none. is_item: loops around the nest become dimensions of the launch. 0: there is no such loop,
   or a failure. */
IRL__FN int irl__auto_gather(irl__auto *a, const irl_stmt *top, int number, int is_item,
                             irl__auto_plan *p);

/* A sum whose terms the caches do not hold, of few results: partial sums of so many terms as they
   do; then these are added up. */
IRL__FN int irl__auto_blocks(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p);
/* Partial results of an item, by vectors, in registers; then they are put together. The block of
   the partial results has their axis first, then the spatial axes, then what reduces. */
IRL__FN int irl__auto_split(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p);

/* ------------------------------------------------------------------ auto_group.c */

enum { IRL__GROUP_RANK = 8 }; /* of operands that are looked at */

/* A tile of results that a group makes, and what comes through shared memory for it. */
typedef struct irl__group {
    const irl__auto_nest *n;
    int         cols, rows; /* loops of results, of local.x and local.y; -1: one work-item */
    /* Of a loop: work-items of a group; results of one; of these so many are neighbours, loaded at
       once; the most that may be so. */
    int64_t     items[IRL__AUTO_LOOPS], each[IRL__AUTO_LOOPS];
    int64_t     run[IRL__AUTO_LOOPS], most_run[IRL__AUTO_LOOPS];
    int         cut;        /* of the loops that reduce the one of which a tile has a part, */
    int64_t     most, chunk; /* so many iterations, and all of those inside of it; `most` in all */
    int64_t     extent[IRL__AUTO_LOOPS]; /* as they are padded */
    int         is_padded, may_pad[IRL__AUTO_LOOPS];
    int         has_many;   /* results: groups of less than a subgroup are not looked at */
    irl__text  *tried;      /* as in irl__auto */
    int64_t     compared;   /* tiles */
    int         is_known[IRL__AUTO_ROWS], may_share[IRL__AUTO_ROWS], is_shared[IRL__AUTO_ROWS];
    int         reduces[IRL__AUTO_ROWS]; /* it depends on a loop that reduces */
    int64_t     step[IRL__AUTO_ROWS][IRL__GROUP_RANK][IRL__AUTO_LOOPS]; /* of indices */
    int64_t     lines[IRL__AUTO_ROWS]; /* of global memory, for one access of a subgroup */
    int64_t     reduced[IRL__AUTO_ROWS][IRL__GROUP_RANK]; /* cells along an axis of what reduces, */
    int64_t     in_tile, in_all; /* and iterations of it, in a tile and in all */
    int         last[IRL__AUTO_ROWS];     /* of a tile the axis that is last in memory */
    int         pad_axis[IRL__AUTO_ROWS]; /* by number there, whose stride is longer, or -1, */
    int64_t     pad[IRL__AUTO_ROWS];      /* by so many elements */
    const char *made[IRL__AUTO_ROWS];     /* the tile's block */
    int64_t     bytes, cost;              /* of shared memory, without what pads */
} irl__group;

/* The tile of the least cost; 0: there is none. */
IRL__FN int irl__group_choose(irl__group *g, irl__auto *a, const irl__auto_nest *n, int may_pad);
/* irl__auto_choose_peel for groups. */
IRL__FN int irl__group_choose_peel(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p);
/* Operands that a group would collect from many lines, and that are read again and again, are to be
   packed along the columns. 0: there are none. */
IRL__FN int irl__group_packs(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p);

/* The tile as steps. */
IRL__FN int irl__group_write(irl__auto *a, irl__group *g, irl__auto_plan *p);

/* ------------------------------------------------------------------ auto_group_items.c */

/* Element by element, by groups of work-items that are neighbours in memory. */
IRL__FN int irl__gang_write(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p);

/* Few results, added up in any order: work-items of a group add up parts. 0: there are results
   enough, or too little to add up. */
IRL__FN int irl__tree_write(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p);

/* ------------------------------------------------------------------ auto_rows.c */

/* Nests that sum up rows and read them again become one, of which a group makes a row; how many of
   the list. */
/* forward: a list of nests asks it */
IRL__FN int irl__group_rows_join(irl__auto *a, const uint32_t *ids, int count);

#endif
