/* analysis.h - what statements do: which memory they touch, where, when, and what follows from it.

   needs     arith, map
   promises  an answer is right for every run, or it is "not known"; nothing here changes
             a function */
#ifndef IRL__ANALYSIS_H
#define IRL__ANALYSIS_H

#include "../map/map.h"

/* ------------------------------------------------------------------ the access table: accesses.c

   Every access of a statement, in the order in which the interpreter makes them, and what stands
   around each. Of

       func f(n: index, k: i32[n], y: f32[8, n]) {
           assume(n <= 64);
           for (i: 8) {
               let c = 7 - i;
               for (j: n)
                   if (j > 0)
                       y[c, j] = y[c, j] + (k[j] > 0 ? y[i, index(k[j])] : 0.0);
           }
       }

   the table is

       0  READ    y[c, j]              row 4's old value
       1  READ    k[j]                 the choice's condition
       2  READ    k[j]                 in the index of row 3; where k[j] > 0
       3  READ    y[i, index(k[j])]    where k[j] > 0
       4  UPDATE  y[c, j]

   and around each of them stands, from the inside out (irl__around: one node each, shared by all
   that it stands around),

       GUARD k[j] > 0 (rows 2 and 3), GUARD j > 0, LOOP j, LET c = 7 - i, LOOP i, CHECK n <= 64

   A node is true, or bound, for everything inside: conditions of branches come with their sign,
   what is assumed or asserted holds to the end of its sequence, as lets do. Loads are rows wherever
   they stand: in indices, conditions, bounds of loops, lets, shapes, bindings of axes, starts of
   matched regions; those in the declared regions of a block are rows too (is_declared), although
   nothing is read there when it runs. A call that is handed a pointer is a row for each pointer: it
   may do anything to that memory.

   Indices are as they stand: in terms of lets and of the axes of blocks. irl__accesses_plain puts
   in what these are bound to. */

typedef enum irl__access_kind {
    IRL__ACCESS_READ,
    IRL__ACCESS_WRITE,
    IRL__ACCESS_UPDATE, /* a store whose value is computed from what the same element held */
    IRL__ACCESS_OPAQUE  /* the memory is handed to a call or a launch: any part of it may be read or
                           written, or none */
} irl__access_kind;

typedef enum irl__around_kind {
    IRL__AROUND_LOOP,  /* var; stmt has its start, extent, kind, thread axis */
    IRL__AROUND_BLOCK, /* stmt; what follows inside are its axes, its predicate, its memory */
    IRL__AROUND_AXIS,  /* of a block: var, bound to `value`; `axis` */
    IRL__AROUND_GUARD, /* reached only where `value` is true; of several lanes: where any is */
    IRL__AROUND_CHECK, /* `value` is assumed or asserted before; stmt */
    IRL__AROUND_LET,   /* var is `value`; stmt is NULL where it is an expression's */
    IRL__AROUND_MEMORY /* buffer is allocated (stmt is an alloc, or the block), declared as a view,
                          or matched (`match`) */
} irl__around_kind;

typedef struct irl__around irl__around;
struct irl__around {
    const irl__around *outer; /* what stands around this; NULL: the function alone */
    irl__around_kind   kind;
    int                depth;      /* how many stand around it */
    int                loop_count; /* how many loops do, itself counted */
    int first, end; /* LOOP and BLOCK: the rows inside are first .. end - 1 of the table */
    int number;     /* LET and AXIS: in the order of the walk */
    const irl_stmt   *stmt;
    const irl_expr   *var, *value;
    const irl__axis  *axis;
    const irl_buffer *buffer;
    const irl__match *match;
    const irl_expr   *plain; /* irl__accesses_plain of value, when it has been asked for */
};

typedef struct irl__access {
    uint8_t  kind;        /* irl__access_kind */
    uint8_t  is_declared; /* stands in reads(...) or writes(...) of a block, and is not executed */
    uint8_t  is_texel;    /* of an image by whole texels: indices are column, row, layer */
    int      rank;        /* how many indices; 0 where OPAQUE */
    uint32_t lanes;       /* of the last index */
    int of_pair; /* UPDATE: the row of the first load of that element; READ: that of the store it is
                    for; -1 */
    const irl_buffer *buffer; /* as it is named; of calls the one that declared the memory, NULL: a
                                 bare pointer */
    const irl_expr *memory; /* the pointer to the memory behind it: of parameter or allocation where
                               that is known */
    const irl_expr *const *indices;
    const irl_expr        *expr;  /* the load or the call; NULL: the store at `place` */
    const irl_stmt        *place; /* the statement that it belongs to, and where that was written */
    const irl__around     *around; /* the innermost; NULL: none */
} irl__access;

typedef struct irl__accesses {
    irl_ctx        *cx;
    const irl_func *f;
    irl__access    *list; /* `count` rows */
    int             count;
    irl__around   **named;       /* all LET and AXIS nodes, in order */
    int             plain_count; /* of them, whose `plain` is known */
    irl__ptr_map    of_var;      /* variable -> its LET or AXIS */
    irl__ptr_map    behind; /* pointer of a let or of a match buffer -> the pointer behind it */
    irl__ptr_map    owner;  /* pointer -> the buffer that declared it first */
} irl__accesses;

/* The table of s, a statement of f: NULL is the whole body. Scratch memory of the caller. False on
 * failure. Cost: linear in f. */
IRL__FN int irl__accesses_of(irl__accesses *t, const irl_func *f, const irl_stmt *s);

/* e, which stands in the table's function, in terms of loops' variables and parameters: lets and
   axes replaced by their values. What reads memory stays a variable (it was read when it was
   bound), and so does what would become too large. NULL on failure. */
IRL__FN const irl_expr *irl__accesses_plain(irl__accesses *t, const irl_expr *e);

/* The loops around an access, outermost first; loops has room for irl__access_loop_count. */
static inline int irl__access_loop_count(const irl__access *a)
{
    return a->around ? a->around->loop_count : 0;
}
IRL__FN void               irl__access_loops(const irl__access *a, const irl__around **loops);
/* The next node of that kind from n (included) outwards; NULL: there is none. */
IRL__FN const irl__around *irl__around_next(const irl__around *n, irl__around_kind kind);

#endif
