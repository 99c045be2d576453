/* picture.c - a layout as two grids: its points, and the memory that contains them.

   needs     a verdict, holders.c, panel.c
   promises  every cell that is shown was evaluated
   cost      that of the verdict, and of irl__holders_find_all */
#include "show.h"

enum {
    IRL__SHOW_COLUMNS = 32,
    IRL__SHOW_ROWS = 24,
    IRL__SHOW_WIDTH = 78, /* characters, of a text */
    IRL__SHOW_MARGIN = 10 /* of these, labels of rows */
};

/* ------------------------------------------------------------------ widths, for texts */

static int irl__show_digits(int64_t n)
{
    int digits = 1;
    for (; n >= 10; n /= 10) digits++;
    return digits;
}

/* The longest irl__panel_label of these axes. */
static int irl__show_label_width(int count, const int64_t *extent)
{
    int k, width = 0;
    for (k = 0; k < count; k++)
        if (extent[k] > 1) width += irl__show_digits(extent[k] - 1) + (width > 0);
    return width > 0 ? width : 1;
}

/* How many columns of cells of this width a grid has. */
static int irl__show_columns(const irl__picture *p, int width)
{
    if (p->how.columns) return p->how.columns;
    if (p->how.form == IRL_PICTURE_SVG) return IRL__SHOW_COLUMNS;
    int fit = (IRL__SHOW_WIDTH - IRL__SHOW_MARGIN) / (width + 1);
    return fit > IRL__SHOW_COLUMNS ? IRL__SHOW_COLUMNS : fit < 4 ? 4 : fit >= 16 ? 16 : fit;
}

/* ------------------------------------------------------------------ groups: rows, columns */

/* The axes of memory between separators: where group g begins; the rank behind the last. */
static int irl__show_group(const irl_map *map, int g)
{
    if (g == 0) return 0;
    return g <= map->separator_count ? map->separators[g - 1] : map->output_count;
}

/* The extents of the groups, or the place of a cell in them. */
static void irl__show_flatten(const irl__picture *p, const int64_t *at, int64_t *out)
{
    for (int g = 0; g <= p->map->separator_count; g++) {
        out[g] = at ? 0 : 1;
        for (int k = irl__show_group(p->map, g); k < irl__show_group(p->map, g + 1); k++)
            out[g] = out[g] * p->v.memory.extent[k] + (at ? at[k] : 0);
    }
}

/* ------------------------------------------------------------------ the points */

static const char *irl__show_coordinates(irl__picture *p, int count, const int64_t *at)
{
    irl__text t;
    irl__text_init(&t, p->cx);
    for (int k = 0; k < count; k++) irl__textf(&t, k ? ",%l" : "%l", at[k]);
    return irl__text_done(&t);
}

/* A point is numbered by its place: in memory, or in the rows and columns of an image. */
static const char *irl__show_place_label(irl__picture *p, const int64_t *at)
{
    int64_t group[IRL_MAX_RANK];
    irl__show_flatten(p, at, group);
    return irl__show_coordinates(p, p->map->separator_count + 1, group);
}

static int irl__show_point(irl__picture *p, irl__holders *l, int r, int c)
{
    irl__cell *cell = irl__panel_cell(&p->points, r, c);
    int64_t    point[IRL_MAX_RANK], at[IRL_MAX_RANK];
    cell->place = cell->point = -1;
    cell->label = "";
    if (!irl__panel_point(&p->points, r, c, point)) return 1;
    cell->kind = IRL__CELL_OUTSIDE;
    cell->point = irl__flat_place(&p->shape, point);
    cell->label = "?";
    if (!irl__holders_apply(l, point, at)) return 1;
    if (p->v.box_known) cell->place = irl__flat_place(&p->v.memory, at);
    if (cell->place >= 0) cell->kind = IRL__CELL_PLAIN;
    if (p->of_bits && cell->place >= 0) cell->hue = 1 + (int)(cell->place % IRL__HUES);
    cell->label = cell->place >= 0 ? irl__show_place_label(p, at)
                                   : irl__show_coordinates(p, p->map->output_count, at);
    return cell->label != NULL;
}

static void irl__show_memory_place(irl__picture *p, int r, int c)
{
    irl__cell *cell = irl__panel_cell(&p->memory, r, c);
    int64_t    at[IRL_MAX_RANK];
    cell->place = cell->point = -1;
    cell->label = "";
    if (!irl__panel_point(&p->memory, r, c, at)) return;
    cell->kind = IRL__CELL_UNKNOWN;
    cell->place = irl__flat_place(&p->v.memory, at);
    cell->label = "?";
}

/* ------------------------------------------------------------------ who lies where */

static int irl__show_holder(irl__picture *p, const irl__holders *l, irl__cell *cell)
{
    const irl__held *spot = cell->place >= 0 ? irl__holders_of(l, cell->place) : NULL;
    int64_t          point[IRL_MAX_RANK];
    irl__text        t;
    if (!spot || spot->points < 0) return 1;
    cell->points = spot->points;
    cell->point = spot->first;
    cell->label = "";
    cell->kind = spot->points == 0 ? IRL__CELL_PADDING
                 : spot->points > 1 && !p->how.is_access ? IRL__CELL_SHARED
                                                         : IRL__CELL_PLAIN;
    if (!spot->points) return 1;
    irl__text_init(&t, p->cx);
    irl__point_of(p->shape.rank, p->shape.extent, spot->first, point);
    irl__panel_label(&t, p->shape.rank, p->shape.extent, point);
    if (spot->points > 1) irl__textf(&t, "+%l", spot->points - 1);
    cell->label = irl__text_done(&t);
    return cell->label != NULL;
}

static int irl__show_holders(irl__picture *p, irl__holders *l)
{
    const int here = irl__shown_count(&p->points.rows) * irl__shown_count(&p->points.columns);
    const int there = irl__shown_count(&p->memory.rows) * irl__shown_count(&p->memory.columns);
    int64_t  *places = (int64_t *)irl__scratch_room(p->cx, (size_t)(here + there) + 1,
                                                    sizeof *places);
    if (!places) return 0;
    for (int k = 0; k < here; k++) places[k] = p->points.cells[k].place;
    for (int k = 0; k < there; k++) places[here + k] = p->memory.cells[k].place;
    if (!irl__holders_find_all(l, here + there, places, &p->v)) return 0;
    /* Cells of points: is another one there too? */
    const int count = irl__shown_count(&p->points.rows) * irl__shown_count(&p->points.columns);
    for (int k = 0; k < count; k++) {
        irl__cell       *cell = &p->points.cells[k];
        const irl__held *spot = cell->place >= 0 ? irl__holders_of(l, cell->place) : NULL;
        cell->points = spot ? spot->points : 0;
        if (spot && spot->points > 1 && !p->how.is_access) cell->kind = IRL__CELL_SHARED;
    }
    for (int k = 0; k < there; k++)
        if (!irl__show_holder(p, l, &p->memory.cells[k])) return 0;
    return 1;
}

/* ------------------------------------------------------------------ titles and legends */

static const char *irl__show_axes(irl__picture *p, const irl__panel *panel, int from, int to,
                                  const irl_expr *const *names)
{
    irl__text t;
    int       k, n = 0;
    irl__text_init(&t, p->cx);
    for (k = from; k < to; k++) {
        if (panel->extent[k] == 1) continue;
        irl__textf(&t, n++ ? ", %s" : "%s", irl_expr_text(p->cx, names[k]));
    }
    return irl__text_done(&t);
}

static const char *irl__show_memory_title(irl__picture *p)
{
    int64_t   group[IRL_MAX_RANK];
    irl__text t;
    int       k;
    irl__show_flatten(p, NULL, group);
    irl__text_init(&t, p->cx);
    irl__text_puts(&t, p->map->separator_count == 1 ? "image of" : "memory of");
    for (k = 0; k <= p->map->separator_count; k++) irl__textf(&t, k ? " x %l" : " %l", group[k]);
    if (p->how.is_access) {
        irl__text_puts(&t, " elements, by the first iteration that touches each");
        return irl__text_done(&t);
    }
    irl__text_puts(&t, p->map->separator_count ? ", the point in each"
                                               : " cells, the point in each");
    return irl__text_done(&t);
}

/* ------------------------------------------------------------------ all of it */

static int irl__show_panels(irl__picture *p)
{
    int64_t group[IRL_MAX_RANK];
    int     width = 1, rows = p->how.rows ? p->how.rows : IRL__SHOW_ROWS;
    if (p->v.box_known) {
        irl__show_flatten(p, NULL, group);
        width = irl__show_label_width(p->map->separator_count + 1, group);
    }
    p->points.rank = p->shape.rank;
    memcpy(p->points.extent, p->shape.extent, sizeof p->points.extent);
    if (!irl__panel_shape(&p->points, irl__show_columns(p, width), rows)) return 0;
    if (p->of_bits) return 1;
    p->memory.rank = p->v.box_known ? p->v.memory.rank : 0;
    memcpy(p->memory.extent, p->v.memory.extent, sizeof p->memory.extent);
    if (p->map->separator_count)
        p->memory.split = p->map->separators[p->map->separator_count - 1];
    width = irl__show_label_width(p->shape.rank, p->shape.extent);
    return !p->v.box_known || irl__panel_shape(&p->memory, irl__show_columns(p, width), rows);
}

static int irl__show_cells(irl__picture *p)
{
    irl__arena_mark mark = irl__scratch_begin(p->cx);
    irl__holders    l;
    int             c, ok;
    ok = irl__panel_fill(p->cx, &p->points) && irl__panel_fill(p->cx, &p->memory) &&
         irl__holders_begin(&l, p->cx, p->map, &p->shape, &p->v.memory);
    for (int r = 0; ok && r < irl__shown_count(&p->points.rows); r++)
        for (c = 0; ok && c < irl__shown_count(&p->points.columns); c++)
            ok = irl__show_point(p, &l, r, c);
    for (int r = 0; ok && p->has_memory && r < irl__shown_count(&p->memory.rows); r++)
        for (c = 0; c < irl__shown_count(&p->memory.columns); c++)
            irl__show_memory_place(p, r, c);
    if (ok && p->has_memory) ok = irl__show_holders(p, &l);
    if (ok && p->has_memory && p->of_bits)
        ok = irl__show_bits(p, IRL__SHOW_WIDTH - IRL__SHOW_MARGIN);
    irl__scratch_end(p->cx, mark);
    if (!ok) return 0;
    irl__panel *a = &p->points, *b = &p->memory;
    a->title = p->map->separator_count == 1 ? "points, by row and column of the image"
                                            : "points, by place in memory";
    a->row_title = irl__show_axes(p, a, 0, a->split, p->map->inputs);
    a->column_title = irl__show_axes(p, a, a->split, a->rank, p->map->inputs);
    if (!p->has_memory || p->of_bits) return a->row_title && a->column_title;
    b->title = irl__show_memory_title(p);
    b->row_title = irl__show_axes(p, b, 0, b->split, p->map->outputs);
    b->column_title = irl__show_axes(p, b, b->split, b->rank, p->map->outputs);
    return a->row_title && a->column_title && b->title && b->row_title && b->column_title;
}

/* What the picture says is of the bits. */
static int irl__picture_verdict_of_bits(irl__picture *p)
{
    const irl_bit_verdict v = irl_map_check_bits(p->cx, p->map, p->shape, p->how.bits);
    irl__text             t;
    if (!irl__ok(p->cx)) return 0;
    if (p->how.is_access)
        return irl__fail(p->cx, IRL_ERROR_BAD_ARGUMENT, p->map->loc,
                         "a picture of an access has elements, not bits");
    irl__text_init(&t, p->cx);
    irl__textf(&t, "%s as %s", irl_map_text(p->cx, p->map),
               irl_bit_element_text(p->cx, p->how.bits));
    p->title = irl__text_or_empty(irl__text_done(&t));
    p->says = irl_bit_verdict_text(p->cx, &v);
    p->is_bad = v.code != IRL_OK;
    return irl__ok(p->cx);
}

/* What cannot be drawn is refused before any of it is. */
static int irl__picture_make(irl__picture *p, irl_ctx *cx, const irl_map *map, irl_shape shape,
                             const irl_picture_options *how)
{
    memset(p, 0, sizeof *p);
    p->cx = cx;
    if (how) p->how = *how;
    if (!map || !irl__shape_is_counted(cx, &shape, IRL__AS_SHAPE, "irl_map_picture", map->loc))
        return 0;
    if (p->how.columns < 0 || p->how.columns > IRL__SHOW_MOST || p->how.rows < 0 ||
        p->how.rows > IRL__SHOW_MOST || p->how.frame < 0)
        return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, map->loc,
                         "a picture has 1 to %d rows and columns, and frames of 1 element or more",
                         (int)IRL__SHOW_MOST);
    p->map = irl__map_for_shape(cx, map, &shape);
    p->shape = shape;
    if (!p->map) return 0;
    p->v = irl_map_check(cx, p->map, shape);
    if (!irl__ok(cx)) return 0;
    p->of_bits = p->how.bits != NULL;
    p->title = irl_map_text(cx, p->map);
    p->says = p->how.is_access ? "from the iterations of the loops to the element that each touches"
                               : irl_verdict_text(cx, &p->v);
    p->is_bad = p->v.code != IRL_OK && !p->how.is_access;
    if (p->of_bits && !irl__picture_verdict_of_bits(p)) return 0;
    if (irl_shape_count(p->v.memory) < 0) p->v.box_known = 0;
    p->has_points = p->how.side != IRL_PICTURE_MEMORY || !p->v.box_known;
    p->has_memory = p->v.box_known; /* looked at for points that share a place too */
    if (!irl__show_panels(p))
        return irl__fail(cx, IRL_ERROR_TOO_LARGE, map->loc,
                         "a picture of more than 2^63 points");
    if (!irl__show_cells(p)) return 0;
    p->has_memory = p->has_memory && p->how.side != IRL_PICTURE_POINTS;
    return 1;
}

const char *irl_map_picture_with(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                 const irl_picture_options *how)
{
    irl__picture p;
    irl__text    t;
    if (!cx || !irl__ok(cx) || !map) return "";
    if (!irl__picture_make(&p, cx, map, shape, how)) return "";
    irl__text_init(&t, cx);
    if (p.how.form == IRL_PICTURE_SVG) irl__picture_svg(&t, &p);
    else irl__picture_text(&t, &p);
    return irl__text_or_empty(irl__text_done(&t));
}

const char *irl_map_picture(irl_ctx *cx, const irl_map *map, irl_shape shape)
{
    return irl_map_picture_with(cx, map, shape, NULL);
}
