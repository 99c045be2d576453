/* cut.h - one loop as several: what passes and the primitives of a schedule share; cut.c.

   needs     ir, analysis */
#ifndef IRL__CUT_H
#define IRL__CUT_H

#include "../analysis/analysis.h"

enum {
    IRL__LOOP_CUT_MOST = 16,
    IRL__LINES_BYTES = 128, /* two cache lines, fetched together: what an item writes in a row */
    IRL__LINES_ITEMS = 512  /* work-items that must be left when one takes several rows */
};

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

#endif
