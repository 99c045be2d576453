/* layouts.h - applies layouts: every access of a buffer goes through its map. The step
   transform_layout does it at once, the pass apply_layouts for layouts that irl_func_set_layout
   recorded.

   needs     text, analysis, set.h */
#ifndef IRL__LAYOUTS_H
#define IRL__LAYOUTS_H

#include "../analysis/analysis.h"
#include "../text/text.h"
#include "set.h"

/* Of the step that is done, which may be refused: irl_ctx.refused. */
typedef struct irl__refused {
    irl_step_refusal     parts;  /* what of them is known */
    const irl_stmt *loop;   /* that it is about; NULL: none is known */
    const char     *around; /* the block or nest by which that was named */
    char            said[200]; /* the names that there are, or the first of them */
} irl__refused;

/* whole_store.c: the nest `s` if its one store to b defines every element once and nothing else
   lasts. */
typedef struct irl__whole_store {
    const irl_stmt        *nest, *body; /* the whole of it, and what stands inside its loops */
    const irl_stmt        *block;       /* between the two; NULL: none */
    const irl_expr *const *indices;     /* of the store */
    /* new variables for the axes of the buffer; values are over them */
    const irl_expr        *axes[IRL_MAX_RANK];
    /* of each axis in the order of the loops: 0 is the outermost */
    int                    place[IRL_MAX_RANK];
    int                    count;               /* of loops */
    const irl_expr        *vars[IRL_MAX_RANK];  /* of the loops, or of the block's axes */
    const irl_expr        *loops[IRL_MAX_RANK]; /* of the loops */
    /* what both are where the element at `axes` is stored */
    const irl_expr        *values[IRL_MAX_RANK];
    int                    is_parallel;         /* all loops are */
} irl__whole_store;
/* False if it is not, or on failure. */
IRL__FN int irl__whole_store_find(irl_ctx *cx, const irl_stmt *s, const irl_buffer *b,
                                  irl__whole_store *out);
/* A sequence of lets and one store, as the store alone; any other statement as it is. */
IRL__FN const irl_stmt *irl__stmt_without_lets(irl_ctx *cx, const irl_stmt *s);

/* ------------------------------------------------------------------ layouts.c */

/* What the step transform_layout asks beyond the pass; NULL: nothing. */
typedef struct irl__layouts_how {
    /* the nest around this block, or of which this is the innermost loop, goes over memory; 0:
       none does */
    uint32_t           nest;
    const char *const *names; /* of its new loops, in the order of the map; NULL: made */
    const irl_stmt   **loops; /* they */
    int                any;   /* what unused cells hold is said not to matter */
} irl__layouts_how;

/* The function with its layouts applied; none is left. Memory that is matched has none. */
IRL__FN irl_func *irl__layouts_apply(const irl_func *f, const irl__layouts_how *how);

/* One layout on its way. */
typedef struct irl__layouts_state {
    const irl_func    *f;
    const irl__layouts_how *how; /* NULL: nothing is asked */
    const irl__layout *layout; /* with `pad` its padding is over the inputs of `pad`, the axes */
    const irl_buffer  *from;    /* of this data, shape and type are all the buffers that change */
    const irl_map     *map;     /* of the buffer's rank */
    const irl_verdict *verdict; /* for a shape of numbers */
    const irl_expr *const *shape; /* physical */
    /* what the function asserts before the buffer is used; NULL: nothing */
    const irl_expr    *guard;
    irl__ptr_map       buffers; /* old buffer -> new buffer */
    int                is_written;
    int                lossy_read; /* a many-to-one map of what is never written */
    const char        *shared;     /* of that: which points share which cell */
    /* of a parameter that is written: cells of which nobody says what they hold; NULL: none */
    const char        *unstated;
    const irl_expr   **axes;      /* of the physical shape; `unreached` is over them */
    /* true for the cells that get the stated padding; NULL: none do */
    const irl_expr    *unreached;
    const irl_map     *inverse;   /* with `unreached`; may be NULL */
    /* memory is full of points, and its nest goes over it, by the inverse: an image whose lanes are
       no loop's, or where it is asked */
    int                by_memory;
    int                stores;    /* to this memory, in the text of the function */
    int                escapes;   /* its pointer is passed on */
    /* the nest that stores the padding too; nest NULL: there is none, loops of their own do */
    irl__whole_store   whole;
    const irl_expr   **own;       /* while the nest is rewritten: the indices of its own element */
    int                is_view;   /* `from` is a view of another shape or type: `map` is of it */
} irl__layouts_state;

/* Layouts of different memories, applied together. */
typedef struct irl__layouts_round {
    const irl_func     *f;
    const irl__layouts_how *how;
    const irl__layout  *first;   /* of the function's list, which the round takes from in order */
    irl__layouts_state *states;
    int                 count;
    int                 wholes;  /* some nests may go over the physical box */
    irl__ptr_map        of_data; /* data variable -> irl__layouts_state */
    irl__ptr_map        of_view; /* view of another shape or type -> its own irl__layouts_state */
    const irl_buffer  **views;   /* these views */
    irl__ptr_map        of_nest; /* statement -> irl__layouts_state whose `whole` it is */
    const irl__block_data *block; /* whose regions are rewritten */
} irl__layouts_round;

static inline irl__layouts_state *irl__layouts_of(const irl__layouts_round *round,
                                                  const irl_buffer *b)
{
    irl__layouts_state *own = (irl__layouts_state *)irl__ptr_map_get(&round->of_view, b);
    return own ? own : (irl__layouts_state *)irl__ptr_map_get(&round->of_data, b->data);
}

/* ------------------------------------------------------------------ layout_lanes.c */

/* An access whose last index has several lanes, through the map; `to` is the new buffer. */
IRL__FN const irl_expr *irl__layouts_load(irl_ctx *cx, const irl_map *map, const irl_buffer *to,
                                          int rank, const irl_expr *const *indices);
IRL__FN const irl_stmt *irl__layouts_store_lanes(irl_ctx *cx, const irl_map *map,
                                                 const irl_buffer *to, const irl_expr *value,
                                                 int rank, const irl_expr *const *indices,
                                                 irl_loc loc);

/* ------------------------------------------------------------------ layout_shape.c */

/* The witness of a verdict: the points, and the index that they have, of a buffer if one is given.
   Outside of a step nothing is kept. False when memory is out. */
IRL__FN int irl__refused_map(irl_ctx *cx, const irl_map *map, const irl_verdict *v,
                             const irl_buffer *b);

/* False if the shape has names in it, or the map. */
IRL__FN int irl__layouts_constant_shape(const irl__layouts_state *state, irl_shape *out);
/* A buffer that the caller hands over and that is only read: its layout may be lossy. */
IRL__FN int irl__layouts_may_lose(const irl__layouts_state *state);
/* Sets the physical shape and what is padding, by the verdict for this shape, which layouts of one
   line for one shape share. False with the diagnostic that says why the layout is refused. */
IRL__FN int irl__layouts_decide(const irl__layouts_round *round, irl__layouts_state *state,
                                const irl_shape *shape);
/* Which cells hold padding. `box` may differ from the physical shape where an axis has its whole
   modulus; `inside`, over the inverse's inputs, is NULL where the box is full. */
IRL__FN int irl__layouts_unreached(irl__layouts_state *state, const irl_map *inverse,
                                   const irl_expr *inside, const irl_expr *const *box);
/* Sets state->unstated where no padding is stated for cells that no point reaches: `count` of them
   (a number or an expression), those of memory beyond `box`, and those that `inside` names over the
   inverse's inputs. False on failure. */
IRL__FN int irl__layouts_unstated(irl__layouts_state *state, const irl_expr *count,
                                  const irl_map *inverse, const irl_expr *inside,
                                  const irl_expr *const *box);
/* The buffer as it lies in memory; b itself if it has no layout. The hook of the rewriter, whose
   user is the round. */
IRL__FN const irl_buffer *irl__layouts_buffer(irl__rewriter *r, const irl_buffer *b);

/* ------------------------------------------------------------------ layout_symbolic.c */

/* The same for all values of the names; sets the guard too. */
IRL__FN int irl__layouts_symbolic(irl__layouts_state *state);

/* ------------------------------------------------------------------ layout_views.c */

/* Makes the state of a view of memory whose layout is decided. False with the diagnostic that says
   which element of the view falls apart. */
IRL__FN int irl__layouts_view(irl__layouts_round *round, const irl__layouts_state *memory,
                              const irl_buffer *view);

/* ------------------------------------------------------------------ layout_padding.c */

/* Loops that store the padding where no point lies; is_first: nothing is in the buffer yet. */
IRL__FN const irl_stmt *irl__layouts_fill(irl__layouts_state *state, const irl_buffer *b,
                                          int is_first);
/* The nests that define a whole buffer, among the statements that are always reached. */
IRL__FN int irl__layouts_find_wholes(irl__layouts_round *round, const irl_stmt *s);
/* Such a nest over the physical box: for (axes) b[axes] = if_then_else(reached, value at the
   inverse of the axes, padding). */
IRL__FN const irl_stmt *irl__layouts_whole(irl__rewriter *r, irl__layouts_state *state);

#endif
