/* dma.h - a layout as a list of nested strided copies, and what controllers can hold of one.

   dma_sequence.c    a sequence of cells as few nests
   dma_grid.c        cells over several axes as few nests
   dma_groups.c      the cells of a layout: axes that add up
   dma_bits.c        elements that take bits: the bytes that are copied whole
   dma_controller.c  the rows of controllers; a row as a text
   dma_fit.c         a nest in a controller's fields
   dma.c             irl_dma_new: the question, the list
   dma_text.c        a list as text, C and JSON
   dma_named.c       a list with names: one nest of formulas

   A copy moves the cells of one nest: counts and strides, the innermost level first, in plain
   memory (row-major in the shape) and in the layout's memory. Cells are elements up to
   dma_groups.c, and bytes after dma_bits.c; from dma_fit.c on all is in bytes, and plain and
   memory have become source and target.

   needs     map.h
   promises  the copies of a list write each element once and read it from where the map says */
#ifndef IRL__DMA_H
#define IRL__DMA_H

#include "map.h"

enum {
    IRL__DMA_DEPTH = 64,         /* levels of a nest: each at least doubles its cells */
    IRL__DMA_EXACT = 256,        /* cells or runs whose best division is searched */
    IRL__DMA_MOST = 4096,        /* transfers, where the question does not say */
    IRL__DMA_NEST_COST = 1 << 16, /* beside one level: IRL__DMA_EXACT nests have fewer */
    IRL__DMA_CLASSES = 1024,     /* kinds of slices that one axis is cut into */
    IRL__DMA_TRIED = 1 << 14     /* elements of bits, where not all bytes are looked at */
};
#define IRL__DMA_CELLS (INT64_C(1) << 22) /* looked at together */
#define IRL__DMA_RUNS (INT64_C(1) << 20)  /* straight runs of cells: 81 bytes each */

/* Where a cell lies in both memories. */
typedef struct irl__dma_cell {
    int64_t plain, memory;
} irl__dma_cell;

typedef struct irl__dma_level {
    int64_t count;
    int64_t plain, memory; /* strides */
} irl__dma_level;

typedef struct irl__dma_copy {
    irl__dma_cell   first;
    int             level_count;
    irl__dma_level *levels; /* scratch memory */
} irl__dma_copy;

/* A list that grows; an stb_ds array in scratch memory. */
typedef struct irl__dma_copies {
    irl_ctx       *cx;
    int64_t        most;     /* more are not written down */
    int            too_many; /* there are more */
    irl__dma_copy *list;
} irl__dma_copies;

/* ------------------------------------------------------------------ dma_sequence.c */

/* Why cells are no nest: up to cell `at` they are copies of the first `block`; or they are, but
   `at` cells are no whole part of all. */
typedef struct irl__dma_break {
    int64_t block, at;
    int     is_rest;
} irl__dma_break;

/* Appends a copy of these levels. False when memory is out; one too many sets too_many. */
IRL__FN int irl__dma_push(irl__dma_copies *out, irl__dma_cell first, int level_count,
                          const irl__dma_level *levels);
/* No copies, of at most `most`; else as `like`. */
IRL__FN irl__dma_copies irl__dma_copies_begin(const irl__dma_copies *like, int64_t most);
/* Appends those of `more`. */
IRL__FN int irl__dma_append(irl__dma_copies *out, const irl__dma_copies *more);
/* Each with each of `by`: places added, levels behind each other. */
IRL__FN int irl__dma_multiply(irl__dma_copies *all, const irl__dma_copies *by);
/* The n cells, in this order, as one nest whose levels lie in each other as digits do: 1, and
   their levels, at most IRL__DMA_DEPTH; -1: they are none, and why; 0 the work is spent. */
IRL__FN int irl__dma_nest(irl_ctx *cx, int64_t n, const irl__dma_cell *cell, int *level_count,
                          irl__dma_level *levels, irl__dma_break *why);
/* Straight runs, of which the cells are made; of few cells each is one. */
IRL__FN int64_t irl__dma_run_count(int64_t n, const irl__dma_cell *cell);
/* Appends copies of all n cells, few of them: the fewest segments of cells in order that are
   nests where they are at most IRL__DMA_EXACT, or have as few straight runs; every second to
   fourth cell is tried too. False on failure: undecided of more than IRL__DMA_RUNS. */
IRL__FN int irl__dma_sequence(irl__dma_copies *out, int64_t n, const irl__dma_cell *cell);
/* Copies of the same levels become one with a level more, again by few nests. */
IRL__FN int irl__dma_join(irl__dma_copies *all);

/* ------------------------------------------------------------------ dma_grid.c */

/* Cells over axes; where they lie in the layout's memory stands in an array. */
typedef struct irl__dma_grid {
    int            rank;
    int64_t        extent[IRL_MAX_RANK];
    int64_t        stride[IRL_MAX_RANK]; /* in the array */
    int64_t        plain[IRL_MAX_RANK];  /* in plain memory */
    int64_t        first, plain_first;
    const int64_t *memory;
} irl__dma_grid;

/* Appends copies of all cells of the grid. False on failure. */
IRL__FN int irl__dma_divide(irl__dma_copies *out, const irl__dma_grid *g);

/* ------------------------------------------------------------------ dma_groups.c */

/* How elements that take bits lie. Element n of the plain array begins at bit n * width, that in
   cell c of the layout's memory at bit first + c * stride, both counted in one order of bits. Where
   the plain array has the other order than the memory, the memory is counted backwards: its bit q
   is -1 - q, so its byte b is -1 - b, and an element begins with the same bit on both sides. */
typedef struct irl__dma_bits {
    irl_bit_element element; /* of the memory, its stride not 0 */
    int64_t         width, first, stride;
    int64_t         points;  /* elements of the plain array */
    int64_t         end;     /* behind the last bit of the memory's last cell, counted forwards */
    int             backwards;
} irl__dma_bits;

/* One question in progress. */
typedef struct irl__dma_ask {
    irl_ctx               *cx;
    const irl_map         *map; /* of the shape's rank */
    const irl_dma_options *how;
    irl_dma_list          *list;
    irl__domain            on;
    int                    group[IRL_MAX_RANK];  /* of axes: the least axis that it adds up with */
    int64_t                linear[IRL_MAX_RANK]; /* the stride of an axis where all its terms are
                                                    its number times a constant */
    int                    is_linear[IRL_MAX_RANK];
    int64_t                stride[IRL_MAX_RANK]; /* of outputs in memory */
    int64_t                plain[IRL_MAX_RANK];  /* of axes in plain memory */
    int                    nest_only; /* what is no single nest is not divided: too_many */
    int                    by_bytes;  /* the cells of a grid are bytes of elements of bits */
    irl__dma_bits          bits;
    irl__dma_copies        all;
} irl__dma_ask;

/* Copies of all elements into q->all. */
IRL__FN int irl__dma_all_groups(irl__dma_ask *q);
/* Where the points of a box go that begins at 0, row-major: into memory. */
IRL__FN int irl__dma_places(irl__dma_ask *q, const int64_t *extent, int64_t *memory);
/* Copies of the cells of a grid, from 0 on in both memories. `extent` is the box of its points. */
IRL__FN int irl__dma_of_grid(irl__dma_ask *q, irl__dma_copies *out, irl__dma_grid *g,
                             const int64_t *extent, int64_t cells);
/* Copies of q->all that are alike become one; levels in order of their strides in plain memory. */
IRL__FN int irl__dma_join_all(irl__dma_ask *q);
/* "(0, 8)": point number k of a box. */
IRL__FN void irl__dma_point_text(irl__text *t, const irl__dma_ask *q, const int64_t *extent,
                                 int64_t k);

/* ------------------------------------------------------------------ dma_bits.c */

/* How the elements lie, of q->how; the map's memory is known. False on failure: they are no
   elements of bits, two have a bit in common, or 63 bits do not count theirs. */
IRL__FN int irl__dma_bits_begin(irl__dma_ask *q);
/* Copies of the bytes that hold all elements into q->all. False on failure: with the element that
   keeps a byte from being copied. */
IRL__FN int irl__dma_bits_copies(irl__dma_ask *q);

/* ------------------------------------------------------------------ dma_controller.c */

/* Whether the limits of a row can be compared with; else a diagnostic. `at`: where a text states
   the value of each key, or NULL. */
IRL__FN int irl__dma_controller_ok(irl_ctx *cx, const irl_dma_controller *c, const irl_loc *at);

/* ------------------------------------------------------------------ dma_fit.c */

/* A transfer in bytes on its way into a controller's fields. */
typedef struct irl__dma_work {
    int64_t       source, target;
    int64_t       source_wrap, target_wrap;
    int           level_count;
    irl_dma_level level[IRL__DMA_DEPTH + 1];
} irl__dma_work;

/* The transfers of `list`, in bytes of `beat`, in the fields of list->controller: into
   list->transfers. False with a diagnostic: a field does not hold what it must, or they are more
   than `most`. */
IRL__FN int irl__dma_fit(irl_ctx *cx, irl_dma_list *list, int64_t most, int split, int count,
                         irl__dma_work *work);

/* Whether level 0 of a controller can be this level. */
IRL__FN int irl__dma_may_run(const irl_dma_controller *c, int64_t beat,
                             const irl_dma_level *level);

/* ------------------------------------------------------------------ dma.c */

/* The bytes of an element (of bits: 0), and how many are moved at a time: of those that the
   controller has the most that make an element; the fewest where elements take bits. */
IRL__FN int irl__dma_beat(irl_ctx *cx, const irl_dma_options *how, int64_t *element,
                          int64_t *beat);

#endif
