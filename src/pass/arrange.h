/* arrange.h - one loop as several, and loops that may run in any order: functions that passes and
   the primitives of a schedule share.

   needs     ir, target */
#ifndef IRL__ARRANGE_H
#define IRL__ARRANGE_H

#include "../analysis/analysis.h"
#include "../target/target.h"

/* ------------------------------------------------------------------ cut.c: one loop as several */

enum { IRL__LOOP_CUT_MOST = 16 };

typedef struct irl__loop_cut {
    int             count; /* of the loops that come of it, the outermost first */
    int             open;  /* which of them has no factor */
    int64_t         factor[IRL__LOOP_CUT_MOST], product;
    const irl_expr *extent[IRL__LOOP_CUT_MOST], *var[IRL__LOOP_CUT_MOST];
    int             is_exact; /* the product divides the extent */
} irl__loop_cut;

/* The name of a part of a loop, var_part; NULL: memory is out. */
IRL__FN const char *irl__loop_cut_name(irl_ctx *cx, const irl_expr *var, const char *part);
/* The extent of the loop without a factor, ceil(extent / product); sets is_exact. */
IRL__FN const irl_expr *irl__loop_cut_rest(irl_ctx *cx, irl__loop_cut *c, const irl_expr *extent);
/* The old variable, counted from its first value: (i0*f1 + i1)*f2 + ... */
IRL__FN const irl_expr *irl__loop_cut_value(irl_ctx *cx, const irl__loop_cut *c);
/* i_outer and i_inner, which has that many iterations. 0: memory is out. */
IRL__FN int irl__loop_cut_in_two(irl_ctx *cx, const irl_stmt *loop, int64_t factor,
                                 irl__loop_cut *c);

/* ---------------------------- arrange.c: loops that may run in any order, arranged for memory */

enum {
    IRL__ARRANGE_GROUP =
        16, /* work-items of a group along the reads; as many as may be along the writes */
    IRL__ARRANGE_SMALL = 64 /* nodes of a body that may be repeated */
};

typedef enum irl__arrange_use { IRL__USE_VALUE, IRL__USE_LOAD, IRL__USE_STORE } irl__arrange_use;

/* One expression: how much it grows with the variable of each loop. */
typedef struct irl__arrange_row {
    irl__arrange_use use;
    int64_t          step[IRL_MAX_RANK];
} irl__arrange_row;

/* Loops, the outermost first, and what was decided of them. */
typedef struct irl__arrange {
    int                     count;
    int64_t                 extent[IRL_MAX_RANK]; /* 0: no number, or not from 0; then: fused */
    int                     into[IRL_MAX_RANK]; /* whose outer part the loop became; -1: it stays */
    int                     row_count;
    const irl__arrange_row *rows;
    int                     nodes;  /* of the body */
    int64_t                 vector; /* bytes of the widest vectorized loop's elements; 0: none */
    int64_t                 factor; /* of a tile of the loop `writes`; 0: there is none */
    int                     reads, writes; /* `reads` becomes the innermost outside of it */
} irl__arrange;

/* Does an innermost loop of that extent stay in a work-item, where the others leave so many? */
IRL__FN int irl__arrange_keeps(int64_t extent, int64_t others);
/* Decides; whether anything. From the last on, each loop goes into at most one other. */
IRL__FN int irl__arrange_decide(irl__arrange *s, const irl_target *target);

#endif
