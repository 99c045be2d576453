/* panel.c - which cells of a grid are shown, and where.

   needs     only arithmetic
   promises  a cell has the coordinates that its row and its column say */
#include "show.h"

irl__shown irl__shown_of(int64_t extent, int64_t most, int64_t step)
{
    irl__shown c;
    c.extent = extent;
    c.head = extent;
    c.tail = 0;
    if (extent <= most) return c;
    c.tail = most > 1;
    c.head = most - c.tail;
    if (step > 1 && c.head > step) c.head -= c.head % step;
    return c;
}

/* ------------------------------------------------------------------ rows and columns */

static int irl__panel_count(const irl__panel *p, int from, int to, int64_t *count)
{
    *count = 1;
    for (int k = from; k < to; k++)
        if (p->extent[k] == 0) *count = 0;
    for (int k = from; k < to && *count; k++)
        if (!irl__mul64(*count, p->extent[k], count)) return 0;
    return 1;
}

/* How many axes [0, to) are longer than 1. */
static int irl__panel_long_axes(const irl__panel *p, int to)
{
    int k, n = 0;
    for (k = 0; k < to; k++) n += p->extent[k] > 1;
    return n;
}

/* The innermost axes go across for as long as they fit and a long one is left to go down. */
static void irl__panel_parts(irl__panel *p, int columns)
{
    int64_t across;
    int     k = p->rank;
    while (k > 0 && p->extent[k - 1] == 1) k--;
    p->split = k > 0 ? k - 1 : 0;
    while (p->split > 0 && irl__panel_long_axes(p, p->split - 1) > 0) {
        if (!irl__panel_count(p, p->split - 1, p->rank, &across) || across > columns) return;
        p->split--;
    }
}

/* The extent of the innermost axis among [from, to) that is longer than 1; 1: there is none. */
static int64_t irl__panel_inner(const irl__panel *p, int from, int to)
{
    for (int k = to; k > from; k--)
        if (p->extent[k - 1] > 1) return p->extent[k - 1];
    return 1;
}

int irl__panel_shape(irl__panel *p, int columns, int rows)
{
    int64_t all, down, across;
    if (!irl__panel_count(p, 0, p->rank, &all)) return 0;
    if (!p->split) irl__panel_parts(p, columns);
    irl__panel_count(p, 0, p->split, &down);
    irl__panel_count(p, p->split, p->rank, &across);
    if (irl__panel_long_axes(p, p->rank) == 1 && across > columns) {
        for (p->wrap = 1; p->wrap * 2 <= columns; p->wrap *= 2) {}
        down = across / p->wrap + (across % p->wrap != 0);
        across = p->wrap;
    }
    p->columns = irl__shown_of(across, columns,
                             p->wrap ? 1 : irl__panel_inner(p, p->split, p->rank));
    p->rows = irl__shown_of(down, rows, p->wrap ? 1 : irl__panel_inner(p, 0, p->split));
    return 1;
}

int irl__panel_point(const irl__panel *p, int r, int c, int64_t *at)
{
    const int64_t row = irl__shown_at(&p->rows, r), column = irl__shown_at(&p->columns, c);
    if (p->wrap) {
        int64_t all;
        irl__panel_count(p, 0, p->rank, &all);
        irl__point_of(p->rank, p->extent, row * p->wrap + column, at);
        return row * p->wrap + column < all;
    }
    irl__point_of(p->split, p->extent, row, at);
    irl__point_of(p->rank - p->split, p->extent + p->split, column, at + p->split);
    return 1;
}

int irl__panel_row_gap(const irl__panel *p, int r)
{
    const int64_t inner = irl__panel_inner(p, 0, p->split);
    return r > 0 && !p->wrap && inner > 1 && irl__shown_at(&p->rows, r) % inner == 0;
}

int irl__panel_column_gap(const irl__panel *p, int c)
{
    const int64_t inner = irl__panel_inner(p, p->split, p->rank);
    return c > 0 && !p->wrap && inner > 1 && irl__shown_at(&p->columns, c) % inner == 0;
}

/* ------------------------------------------------------------------ labels */

void irl__panel_label(irl__text *t, int count, const int64_t *extent, const int64_t *at)
{
    int k, n = 0;
    for (k = 0; k < count; k++) {
        if (extent[k] == 1 && at[k] == 0) continue;
        irl__textf(t, n++ ? ",%l" : "%l", at[k]);
    }
    if (!n && count) irl__text_putc(t, '0');
}

static const char *irl__panel_row_label(irl_ctx *cx, const irl__panel *p, int r)
{
    int64_t   at[IRL_MAX_RANK];
    irl__text t;
    irl__text_init(&t, cx);
    irl__panel_point(p, r, 0, at);
    if (p->wrap) irl__text_int(&t, irl__shown_at(&p->rows, r) * p->wrap);
    else irl__panel_label(&t, p->split, p->extent, at);
    return irl__text_done(&t);
}

static const char *irl__panel_column_label(irl_ctx *cx, const irl__panel *p, int c)
{
    int64_t   at[IRL_MAX_RANK];
    irl__text t;
    irl__text_init(&t, cx);
    irl__panel_point(p, 0, c, at);
    if (p->wrap) irl__textf(&t, "+%l", irl__shown_at(&p->columns, c));
    else irl__panel_label(&t, p->rank - p->split, p->extent + p->split, at + p->split);
    return irl__text_done(&t);
}

int irl__panel_fill(irl_ctx *cx, irl__panel *p)
{
    const int rows = irl__shown_count(&p->rows), columns = irl__shown_count(&p->columns);
    p->cells = IRL__NEW(cx, irl__cell, (size_t)(rows * columns) + 1);
    p->row_label = IRL__NEW(cx, const char *, rows + 1);
    p->column_label = IRL__NEW(cx, const char *, columns + 1);
    if (!p->cells || !p->row_label || !p->column_label) return 0;
    for (int k = 0; k < rows; k++)
        if (!(p->row_label[k] = irl__panel_row_label(cx, p, k))) return 0;
    for (int k = 0; k < columns; k++)
        if (!(p->column_label[k] = irl__panel_column_label(cx, p, k))) return 0;
    return 1;
}
