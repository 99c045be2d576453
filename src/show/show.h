/* show.h - pictures, as text and as SVG.

   panel.c        which cells of a grid are shown, and where
   holders.c      which points are in a cell, and how many
   marks.c        what colours and marks mean
   show_text.c    a picture in characters, with the colours of a terminal or without
   show_svg.c     the same as SVG; svg.c, what documents begin with
   show_bits.c    the bits of bytes, of a layout or a record: a grid with a cell for each
   picture.c      a layout: the grid of its points and that of its memory
   show_plan.c    the memory plan of a module over its launches
   nest.c         a function: its loops as nested boxes, with what they read and write

   needs     map; plan, for its sort; analysis, for functions
   promises  what a picture leaves out it says; a cell is drawn as the map was evaluated there; the
             same question gives the same text on every machine. Nothing else uses this room:
             IRLAYOUT_NO_PICTURES leaves it out */
#ifndef IRL__SHOW_H
#define IRL__SHOW_H

#include "../map/map.h"
#include "../plan/plan.h"

/* ------------------------------------------------------------------ panel.c */

/* What is shown of a long row of things: the first `head`, then, behind an ellipsis, the last
   `tail`. */
typedef struct irl__shown {
    int64_t extent, head;
    int     tail;
} irl__shown;

/* At most `most` of `extent`; a head that ends at a multiple of `step`, where that can be. */
IRL__FN irl__shown irl__shown_of(int64_t extent, int64_t most, int64_t step);
static inline int irl__shown_count(const irl__shown *c) { return (int)c->head + c->tail; }
static inline int irl__shown_is_whole(const irl__shown *c) { return c->head == c->extent; }
/* The number of thing k of those that are shown. */
static inline int64_t irl__shown_at(const irl__shown *c, int k)
{
    return k < c->head ? k : c->extent - (irl__shown_count(c) - k);
}

typedef enum irl__cell_kind {
    IRL__CELL_NONE,    /* there is no such cell: behind the end of the last row */
    IRL__CELL_PLAIN,   /* one point, one place */
    IRL__CELL_SHARED,  /* two points or more in one place */
    IRL__CELL_PADDING, /* of memory: no point lies there */
    IRL__CELL_OUTSIDE, /* a point with a negative index, or with none */
    IRL__CELL_UNKNOWN  /* of memory: too many points to look at */
} irl__cell_kind;

typedef struct irl__cell {
    irl__cell_kind kind;
    int64_t        place, point; /* numbers, row-major; -1: none */
    int64_t        points;       /* that share the place */
    const char    *label;
    int            run;          /* cells over which the label stands; 0: this one */
    int            hue;          /* 1 + its number; 0: by the place */
    int64_t        framed;       /* 1 + the number of a frame; 0: by the place */
    const char    *hint;         /* of SVG; NULL: by place and point */
} irl__cell;

/* A grid: axes [0, split) run down, axes [split, rank) across. One long axis is wrapped. */
typedef struct irl__panel {
    int         rank, split;
    int64_t     extent[IRL_MAX_RANK];
    int64_t     wrap; /* how many to a row; 0: not wrapped */
    irl__shown    rows, columns;
    irl__cell  *cells; /* those that are shown, row by row */
    const char *title, *row_title, *column_title;
    const char **row_label, **column_label;
} irl__panel;

/* Splits the axes so that at most `columns` cells stand across, if split is 0; then cuts. False
   where the cells have no number of 63 bits. */
IRL__FN int irl__panel_shape(irl__panel *p, int columns, int rows);
/* Coordinates of the cell in shown row r and column c; false: there is none. */
IRL__FN int irl__panel_point(const irl__panel *p, int r, int c, int64_t *at);
/* Whether another block of the inner axes begins before a row, or a column. */
IRL__FN int irl__panel_row_gap(const irl__panel *p, int r);
IRL__FN int irl__panel_column_gap(const irl__panel *p, int c);
/* The labels of rows and columns, and the cells, empty: in memory of the context. */
IRL__FN int irl__panel_fill(irl_ctx *cx, irl__panel *p);
/* "3,12": coordinates, without those of axes of extent 1. */
IRL__FN void irl__panel_label(irl__text *t, int count, const int64_t *extent, const int64_t *at);
static inline irl__cell *irl__panel_cell(const irl__panel *p, int r, int c)
{
    return &p->cells[r * irl__shown_count(&p->columns) + c];
}

/* ------------------------------------------------------------------ holders.c */

/* A place that is shown: how many points lie there, and the first of them; -1: not known. */
typedef struct irl__held {
    int64_t place, points, first;
} irl__held;

#define IRL__SHOW_POINTS (INT64_C(1) << 20) /* looked at for one picture */

typedef struct irl__holders {
    irl_ctx         *cx;
    const irl_map   *map;
    const irl_shape *shape, *memory;
    int64_t          points; /* of the shape; -1: more than 63 bits count */
    irl__program     program;
    int              count;
    irl__held       *spots; /* by place */
} irl__holders;

/* The flat number of a place in memory, row-major; -1: outside of it. */
IRL__FN int64_t irl__flat_place(const irl_shape *memory, const int64_t *at);
/* In scratch memory of the caller, as all that follows. False on failure. */
IRL__FN int irl__holders_begin(irl__holders *l, irl_ctx *cx, const irl_map *map,
                              const irl_shape *shape, const irl_shape *memory);
/* Where a point goes; false where it has no place. */
IRL__FN int irl__holders_apply(irl__holders *l, const int64_t *point, int64_t *at);
/* Who lies at these places: by looking at all points if they are few; else by the inverse; else
   the witness of a lossy map is all that is known. False on failure. */
IRL__FN int irl__holders_find_all(irl__holders *l, int count, const int64_t *places,
                               const irl_verdict *v);
IRL__FN const irl__held *irl__holders_of(const irl__holders *l, int64_t place);

/* ------------------------------------------------------------------ marks.c */

enum { IRL__SHOW_MOST = 256, /* cells across or down */ IRL__HUES = 8, IRL__SHADES = 5 };

typedef struct irl__picture {
    irl_ctx            *cx;
    const irl_map      *map;
    irl_shape           shape;
    irl_verdict         v;
    irl_picture_options how;
    int                 has_points, has_memory;
    irl__panel          points, memory;
    int                 of_bits;      /* the memory is drawn as its bits */
    const char         *title, *says; /* in front of all: the map, and the verdict */
    int                 is_bad;       /* what it says is no good news */
    int                 field_count;
    const char *const  *fields;       /* a line for each field of a record */
} irl__picture;

/* How a cell is coloured: elements of one unit, a word, a cache line or the innermost axis, have
   one hue, and shades in the order of memory. */
IRL__FN void irl__picture_colour(const irl__picture *p, const irl__cell *cell, int *hue,
                                 int *shade);
/* The frame that a cell is in; -1: none. */
static inline int64_t irl__picture_frame(const irl__picture *p, const irl__cell *c)
{
    if (c->framed) return c->framed - 1;
    return p->how.frame && c->place >= 0 ? c->place / p->how.frame : -1;
}

/* What the marks of a picture mean and what it leaves out, a sentence for each; at most
   IRL__LEGEND_LINES, each in memory of the context. How many. */
enum { IRL__LEGEND_LINES = 8 };
IRL__FN int irl__picture_legend(const irl__picture *p, const char **lines);

/* ------------------------------------------------------------------ show_bits.c */

/* The grid of so many bytes' bits into p->memory, each with the point of the layout that has it.
   `room`: characters of a row, of a text. False on failure. */
IRL__FN int irl__show_bits(irl__picture *p, int room);

/* --------------------------------------------------------------- show_text.c, show_svg.c */

IRL__FN void irl__picture_text(irl__text *t, const irl__picture *p);
IRL__FN void irl__picture_svg(irl__text *t, const irl__picture *p);

#endif
