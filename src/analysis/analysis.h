/* analysis.h - what follows from the accesses for blocks, kernels and memory, and what users ask.

   needs     access
   promises  an answer is right for every run, or it is "not known"; nothing here changes
             a function */
#ifndef IRL__ANALYSIS_H
#define IRL__ANALYSIS_H

#include "../access/access.h"

/* ------------------------------------------------------ how much memory there is: sizes.c */

/* a * b and a + b; NULL without a diagnostic where two numbers leave 63 bits. */
IRL__FN const irl_expr *irl__size_mul(irl_ctx *cx, const irl_expr *a, const irl_expr *b);
IRL__FN const irl_expr *irl__size_add(irl_ctx *cx, const irl_expr *a, const irl_expr *b);
typedef struct irl__size_group {
    int first, last; /* axes [first, last) */
} irl__size_group;
IRL__FN irl__size_group irl__size_group_of(const irl_buffer *b, int group);
/* The elements of a group of axes; NULL without a diagnostic where they leave 63 bits. */
IRL__FN const irl_expr *irl__size_extent(irl_ctx *cx, const irl_buffer *b, int group);
/* The elements from the data pointer to the end of a buffer none of whose axes is empty. */
IRL__FN const irl_expr *irl__size_reach(irl_ctx *cx, const irl_buffer *b);
/* The bytes of all groups. */
IRL__FN const irl_expr *irl__size_bytes(irl_ctx *cx, const irl_buffer *b);

/* ------------------------------------------------------------------ kinds of axes: kinds.c

   Instances of a block that differ in a SPATIAL axis touch no common cell that one of them writes.
   Those that differ in a REDUCE axis meet in cells that they update, y[v] = y[v] op e, or that init
   writes. Anything else makes an axis OPAQUE. Of these two, m says what meets, or why it is not
   known. */

typedef enum irl__axis_kind {
    IRL__KIND_SPATIAL,
    IRL__KIND_REDUCE,
    IRL__KIND_OPAQUE
} irl__axis_kind;

/* The kind of one axis of a block, whatever the text says. Scratch memory of the caller. */
IRL__FN irl__axis_kind irl__axis_kind_of(irl__accesses *t, const irl__around *block, int axis,
                                         irl__meeting *m);
/* Does the block touch what it writes only as y[v] = y[v] op e and init do? Then no axis is
   OPAQUE. */
IRL__FN int irl__block_only_reduces(irl__accesses *t, const irl__around *block);
/* The node of a block; NULL: nothing in it is accessed. infer_kinds.c */
IRL__FN const irl__around *irl__block_of(const irl__accesses *t, const irl_stmt *block);
/* f with the kinds that its text leaves out, or f itself: SPATIAL and REDUCE as above, init counted
   as run by each instance. Refused (UNSTATED_AXIS): OPAQUE, and REDUCE of a block with an init
   where it is not proved that two instances meet, for it says when init runs. infer_kinds.c */
IRL__FN const irl_func *irl__func_kinds(const irl_func *f);
/* What a user asks about a function: its table in scratch memory, all kinds stated. Not begun
   where f is NULL or something has failed. infer_kinds.c */
typedef struct irl__query {
    irl_ctx        *cx;
    irl__arena_mark mark;
    irl__accesses   t;
} irl__query;
IRL__FN int         irl__query_begin(irl__query *q, const irl_func *f);
/* Gives the scratch memory back: the answer, or NULL where something has failed. */
IRL__FN const void *irl__query_end(irl__query *q, const void *answer);
/* COMPLETE: all axes are spatial, the block reads nothing that it writes, and alone writes it.
   REDUCTION: spatial and reduce axes, and updates of what nothing but its init writes. */
typedef enum irl__block_kind {
    IRL__BLOCK_COMPLETE,
    IRL__BLOCK_REDUCTION,
    IRL__BLOCK_OPAQUE
} irl__block_kind;
/* `axes` are the kinds of its axes; why says what makes it opaque, a static text. */
IRL__FN irl__block_kind irl__block_kind_of(irl__accesses *t, const irl__around *block,
                                           const irl__axis_kind *axes, const char **why);
/* YES: two instances that differ in this axis write one cell. A `spatial` axis promises that none
   do. */
IRL__FN irl_answer irl__axis_collides(irl__accesses *t, const irl__around *block, int axis,
                                      irl__meeting *m);

/* ------------------------------------------------------------------ beside.c */

/* A store that every work-item of *axis does, because it stands beside the loops of the kernel that
   are bound to it; NULL: there is none. certain: one where no work-item is chosen by what is in
   memory. */
IRL__FN const irl_stmt *irl__store_beside(irl_ctx *cx, const irl_stmt *kernel, int certain,
                                          irl_axis *axis);

/* ------------------------------------------- may work-items do at once what was in order: kernel.c

   A kernel is an outermost bound loop: its work-items do all of it, and nothing orders two of them
   but barriers. Work-items differ in their place on an axis; what stands in no loop of an axis is
   done by all that there are of it. Answers, m and cost are as those of irl__loop_carries.

   `loop` is bound and was not: does a work-item touch a cell that another one writes, and did not
   before? Its own iterations are irl__loop_carries' (if it is the kernel: all iterations of it),
   and what irl__store_beside tells is not looked for. */
IRL__FN irl_answer irl__kernel_carries(irl__accesses *t, const irl__around *kernel,
                                       const irl__around *loop, irl__meeting *m);
/* `loop`, which is serial, stands in the kernel and stood around it: its iterations were in order
   for all work-items. Do two of them meet in two work-items? */
IRL__FN irl_answer irl__kernel_carries_over(irl__accesses *t, const irl__around *kernel,
                                            const irl__around *loop, irl__meeting *m);
/* May two work-items do two accesses of the kernel, of one element that either writes, with no
   barrier between? What only may be a barrier is one. Memory of scope local is each work-item's,
   wherever it is allocated. As irl__loop_races. */
IRL__FN irl_answer irl__kernel_races(irl__accesses *t, const irl__around *kernel,
                                     irl__meeting_test *is_race, void *user, irl__meeting *m);
/* ... that access and another one? What only may be a barrier is none. */
IRL__FN irl_answer irl__kernel_row_meets(irl__accesses *t, const irl__around *kernel, int row,
                                         irl__meeting *m);
/* Of memory that stands around the kernels in the table: may a work-item read what another one of
   its group wrote, a barrier between them? Not where a statement stores to one cell for two of them
   at once: that has a meaning only where each has the memory for itself. What is not known is true.
   Cost: that of irl__kernel_carries, for the accesses of the memory alone. */
IRL__FN int irl__kernel_exchanges(irl__accesses *t, const irl_expr *memory);

/* ------------------------------------------------------------------ liveness.c */

/* From when to when memory is touched. */
typedef struct irl__life {
    const irl_buffer  *buffer; /* that declares it */
    const irl_expr    *memory;
    int                is_parameter;
    const irl__around *node; /* that allocates it; NULL: a parameter's */
    irl__rows          rows; /* from the first that touches it to the last; first == end: none */
    const irl__around *loop; /* the innermost around all of these; NULL: none */
} irl__life;
/* Parameters, then allocations as they stand. A growing array in scratch memory of the caller. */
IRL__FN int irl__lives_of(irl__accesses *t, irl__life **list);
/* Of each the first and the last launch that touch it: `end` is behind the last. What the host
   itself does stands between two launches, and counts as both. A loop around a launch counts whole.
   Cost: linear in the table, and a step for each loop around a row. */
IRL__FN int irl__lives_launches(const irl__accesses *t, int count, const irl__life *list,
                                irl__rows *out);
/* How large it is, in names of parameters and of loops around its allocation; NULL: not known. */
IRL__FN const irl_expr *irl__life_bytes(irl__accesses *t, const irl__life *life);

/* ------------------------------------------------------------------ cost.c */

/* What rows of a table touch together, over a set of loops. */
typedef struct irl__cost_question {
    int              count; /* rows, of one memory and one type */
    const int       *rows;
    const uint8_t   *runs; /* per loop of the table; NULL: all do */
    int              value_count; /* of parameters, and of loops that stand still (else at start) */
    const irl_value *values;
    int64_t          line; /* bytes; 0: lines are not counted */
} irl__cost_question;

typedef struct irl__cost {
    irl_exactness iterations_are, cells_are, lines_are, texels_are;
    int64_t       iterations; /* of the first row */
    int64_t       cells, bytes, lines, texels;
    int           boxes, one_by_one, used_bits; /* how it was counted */
    const char   *reason;
} irl__cost;

/* The same of one row, where names have no values: expressions in them. formula.c */
typedef struct irl__tally {
    irl_exactness   iterations_are, cells_are;
    const irl_expr *iterations, *cells; /* NULL: UNKNOWN */
    const char     *reason;
} irl__tally;
IRL__FN int irl__tally_of(irl__accesses *t, const irl__cost_question *q, irl__tally *out);

/* Scratch memory of the caller is not used up. False when memory is out. */
IRL__FN int irl__cost_of(irl__accesses *t, const irl__cost_question *q, irl__cost *out);

#endif
