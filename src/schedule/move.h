/* move.h - what compute_at and reverse_compute_at share: the unit that moves, the loop that it
   moves to, and what one iteration of it needs.

   needs     schedule.h */
#ifndef IRL__MOVE_H
#define IRL__MOVE_H

#include "schedule.h"

typedef struct irl__move_box {
    const irl_expr *lo[IRL_MAX_RANK], *extent[IRL_MAX_RANK]; /* extent NULL: the whole axis */
    const irl_expr *hi[IRL_MAX_RANK];
    int             rows; /* how many accesses made it */
} irl__move_box;

enum { IRL__MOVE_BUFFERS = 16 };

typedef struct irl__move {
    irl__flow_unit  u;
    const irl_stmt *last;  /* the block, or the innermost loop of the nest */
    irl__place      loop;  /* the loop that it goes to */
    const irl_stmt *to;
    int             level; /* of the innermost statement that holds both */
    int             first_child, loop_child; /* in it: of the block, of the loop */
    irl__accesses   t;
    irl__path       path; /* inside of the loop */
    /* of each coordinate, what one iteration takes; extent NULL: all */
    const irl_expr *lo[IRL__FLOW_MOST], *extent[IRL__FLOW_MOST];
    int             known[IRL__FLOW_MOST];
    int             is_back; /* of reverse_compute_at: the unit reads what the loop writes */
    const irl_expr *value[IRL__FLOW_MOST]; /* of each coordinate in its new place */
    /* of reverse_compute_at: the row by which each instance reads the one element behind which it
       runs, once, NULL: some may run more often; is_told: under the condition that this element is
       in the iteration's box */
    const irl__access *once;
    int             is_told;
    const irl_expr *where; /* of its condition what is the same wherever it runs, or NULL */
    int             buffer_count;
    const irl_buffer *buffers[IRL__MOVE_BUFFERS];
    irl__move_box   boxes[IRL__MOVE_BUFFERS];
    /* share.c: the work-items of a group do it together, which wait for one another because of
       shared or of global memory */
    int             shares, waits_shared, waits_global;
    int             group;    /* the level of the innermost loop around that is bound to a group */
    int             repeats;  /* loops inside of that are run several times */
    int             behind;   /* compute_at: so many statements follow it in its new place */
    int             follows;  /* it reads what others in the kernel write */
    const irl_expr *items[3]; /* how many there are along local.x, y, z; NULL: it is not bound */
} irl__move;

/* ---------------------------------------------------------------------------- share.c */

/* Which instance a work-item does in a step. */
typedef struct irl__share {
    int             told[IRL__FLOW_MOST]; /* coordinates whose instances are shared out */
    const irl_expr *index;                /* counts these instances */
    const irl_expr *step, *steps;         /* a loop; NULL: one step does all */
    const irl_expr *within;               /* NULL: always */
    const irl_expr *fresh[3];             /* loops to be bound to local.x, y, z */
    int             count;                /* of coordinates in terms of the index */
    const irl_expr *from[IRL__FLOW_MOST], *to[IRL__FLOW_MOST];
} irl__share;

/* Can the unit be shared by the kernel's work-items? Sets m->shares and what goes with it. NULL, or
   why not. */
IRL__FN const char *irl__share_begin(irl__move *m, int kernel);
/* Is it a loop of work-items that share? They stand around the place, and all run for one box. */
IRL__FN int irl__share_is_item(const irl__move *m, const irl_stmt *loop);
/* What stands for the loops over var, as many as extent. */
IRL__FN int irl__share_plan(irl__sched *s, const irl__move *m, const irl_expr *const *var,
                            const irl_expr *const *extent, irl__share *out);
IRL__FN const irl_stmt *irl__share_wrap(irl__sched *s, const irl__move *m, const irl__share *share,
                                        const irl_stmt *at);
/* The barriers, at most two; -1 on failure. */
IRL__FN int irl__share_waits(irl__sched *s, const irl__move *m, const irl_stmt **list);

/* ---------------------------------------------------------------------------- move.c */

/* The unit and the loop of a step's first two arguments. False with a diagnostic. */
IRL__FN int irl__move_read(irl__sched *s, irl__move *m);
IRL__FN int irl__move_buffer(irl__sched *s, irl__move *m, const irl_buffer *b);
/* One more access of a buffer, in the loop; then its extents, those that do not vary. */
IRL__FN int irl__move_box_add(irl__sched *s, irl__move *m, const irl__access *a,
                              irl__move_box *box);
IRL__FN int irl__move_box_close(irl__sched *s, irl__move *m, const irl_buffer *b,
                                irl__move_box *box);
/* Binds the loops and axes between the unit and an access of it. */
IRL__FN int irl__move_bind_inside(irl__analyzer *an, const irl__move *m, const irl__access *a);
/* An access of the unit, of which the loop touches that box: notes the coordinates that it
   takes. */
IRL__FN int irl__move_instances(irl__sched *s, irl__move *m, const irl__access *a,
                                const irl__move_box *box);
/* Would several work-items write one element? `is_inside`: what it writes is allocated in the
   loop. */
IRL__FN int irl__move_is_alone(irl__sched *s, irl__move *m, int is_inside);
/* The block, or the nest's store, in new loops over what one iteration takes. */
IRL__FN const irl_stmt *irl__move_nest_of(irl__sched *s, irl__move *m);
/* The sequence, of which statement `at` allocates b, with as much as the box. */
IRL__FN const irl_stmt *irl__move_smaller(irl__sched *s, const irl_stmt *seq, int at,
                                          const irl_buffer *b, const irl__move_box *box);

/* --------------------------------------------------------------------------- legal.c

   Do accesses keep their order behind the step? */

enum { IRL__LEGAL_MOST = IRL__FLOW_MOST + 2 * IRL_MAX_RANK };

typedef struct irl__legal_row {
    const irl__access *was; /* which row of the old function it was; NULL: not known */
    int                is_moved;
} irl__legal_row;

typedef struct irl__legal {
    irl__move           *m;
    irl__accesses        now;  /* of the new function */
    irl__legal_row      *rows; /* of each of its rows */
    irl__ptr_map         places;
    const irl__accesses *shown; /* of which a meeting shows rows */
    /* what is asked: order[k] of e[k] at a to f[k] at b; first what a caller has put there */
    int                  where;
    const irl_expr      *e[IRL__LEGAL_MOST], *f[IRL__LEGAL_MOST];
    uint8_t              order[IRL__LEGAL_MOST];
} irl__legal;

/* g: the function behind the step, in which the unit is `nest`; m->value are its coordinates there.
   In scratch memory; false: it is out. */
IRL__FN int irl__legal_begin(irl__sched *s, irl__move *m, const irl_func *g, const irl_stmt *nest,
                             irl__legal *q);
IRL__FN const irl__legal_row *irl__legal_row_of(const irl__legal *q, const irl__access *a);
/* Rows a and b of the new function, of which the unit has one, or both: do two instances touch one
   cell, and the one that came first does not now? Of a block both are not asked about. NO, or the
   meeting, of rows of q->shown. */
IRL__FN irl_answer irl__legal_changes(irl__legal *q, const irl__access *a, const irl__access *b,
                                      irl__meeting *m);
/* Does the instance of a block with init at which its reduce axes are all 0 stay the first of its
   point? */
IRL__FN int irl__legal_keeps_init(irl__legal *q);

#endif
