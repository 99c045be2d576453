/* show_svg.c - a picture of a layout as SVG: no script, no font and no file from elsewhere.

   needs     picture.c
   promises  well-formed XML; lengths in whole pixels; readable on white and on black. A tooltip
             shows the coordinates of a cell; without a mouse the marks show the same */
#include "svg.h"

enum {
    IRL__SVG_ROW = 22,     /* height of a cell, */
    IRL__SVG_TALL = 30,    /* where a walk goes by below labels, and to the right of them: */
    IRL__SVG_LANE = 16,
    IRL__SVG_GAP = 6,      /* between blocks */
    IRL__SVG_DOTS = 22,    /* where cells are left out */
    IRL__SVG_EDGE = 16,    /* around everything */
    IRL__SVG_BETWEEN = 44, /* panels side by side */
    IRL__SVG_WIDE = 1200,  /* panels side by side are not wider */
    IRL__SVG_MOST_SECONDS = 60, /* of an animated walk */
    IRL__SVG_ARROWS = 300  /* of a walk, that still can be told apart */
};

/* Of each hue the first shade and the last. */
static const uint8_t irl__svg_hues[IRL__HUES][2][3] = {
    { { 219, 234, 254 }, { 96, 165, 250 } },  { { 254, 243, 199 }, { 245, 180, 50 } },
    { { 220, 252, 231 }, { 74, 200, 120 } },  { { 240, 232, 255 }, { 167, 139, 250 } },
    { { 207, 250, 254 }, { 45, 190, 212 } },  { { 255, 237, 213 }, { 240, 150, 90 } },
    { { 241, 245, 249 }, { 148, 163, 184 } }, { { 236, 252, 203 }, { 163, 204, 50 } }
};

/* Where a panel stands, and how large its cells are. */
typedef struct irl__svg_panel {
    const irl__picture *p;
    const irl__panel   *panel;
    int                 x, y, cell, row; /* of the first cell; width and height of one */
    int                 left;
    int                 is_walked;
    int                 width, height; /* of all, labels too */
} irl__svg_panel;

/* ------------------------------------------------------------------ places of cells */

static int irl__svg_text_width(const char *text) { return 7 * (int)strlen(text); }

static int irl__svg_longest(int count, const char *const *labels)
{
    int k, width = 0;
    for (k = 0; k < count; k++)
        if (irl__svg_text_width(labels[k]) > width) width = irl__svg_text_width(labels[k]);
    return width;
}

/* What stands between the first `count` rows or columns, of which those from `head` on follow what
   is left out. */
static int irl__svg_gaps(const irl__panel *p, int count, int64_t head,
                         int gap(const irl__panel *p, int k))
{
    int k, sum = 0;
    for (k = 1; k <= count; k++) sum += k == head ? IRL__SVG_DOTS : gap(p, k) ? IRL__SVG_GAP : 0;
    return sum;
}

static int irl__svg_x(const irl__svg_panel *s, int c)
{
    const irl__panel *p = s->panel;
    return s->x + c * s->cell + irl__svg_gaps(p, c, p->columns.head, irl__panel_column_gap);
}

static int irl__svg_y(const irl__svg_panel *s, int r)
{
    const irl__panel *p = s->panel;
    return s->y + r * s->row + irl__svg_gaps(p, r, p->rows.head, irl__panel_row_gap);
}

static irl__svg_panel irl__svg_place(const irl__picture *p, const irl__panel *panel, int x, int y)
{
    const int      rows = irl__shown_count(&panel->rows);
    const int      columns = irl__shown_count(&panel->columns);
    irl__svg_panel s;
    int            k, margin = irl__svg_longest(rows, panel->row_label), title;
    s.p = p;
    s.panel = panel;
    s.left = x;
    s.is_walked = p->how.walk && (panel == &p->points || (!p->has_points && !p->of_bits));
    s.row = s.is_walked ? IRL__SVG_TALL : IRL__SVG_ROW;
    s.cell = irl__svg_longest(columns, panel->column_label);
    for (k = 0; k < rows * columns; k++) {
        const int run = panel->cells[k].run > 1 ? panel->cells[k].run : 1;
        const int each = (irl__svg_text_width(panel->cells[k].label) + run - 1) / run;
        if (each > s.cell) s.cell = each;
    }
    s.cell = s.cell + 8 < 28 ? 28 : s.cell + 8;
    if (s.is_walked) s.cell += IRL__SVG_LANE - 4;
    if (irl__svg_text_width(panel->row_title) > margin)
        margin = irl__svg_text_width(panel->row_title);
    s.x = x + margin + 10;
    s.y = y + 3 * IRL__SVG_ROW;
    s.width = (columns ? irl__svg_x(&s, columns - 1) + s.cell : s.x) - x;
    s.height = (rows ? irl__svg_y(&s, rows - 1) + s.row : s.y) - y;
    title = irl__svg_text_width(panel->title) + 7;
    if (s.x - x + irl__svg_text_width(panel->column_title) > title)
        title = s.x - x + irl__svg_text_width(panel->column_title);
    if (title > s.width) s.width = title;
    return s;
}

/* ------------------------------------------------------------------ cells */

static void irl__svg_coordinates(irl__text *t, const irl_shape *shape, int64_t number)
{
    int64_t at[IRL_MAX_RANK];
    irl__point_of(shape->rank, shape->extent, number, at);
    irl__text_numbers(t, "", shape->rank, at);
}

/* What is read where one points at a cell: (1, 5) lies at [0, 5, 1] */
static void irl__svg_hint(irl__text *t, const irl__picture *p, const irl__cell *cell)
{
    irl__text_puts(t, "<title>");
    if (cell->hint) {
        irl__svg_escape(t, cell->hint);
        irl__text_puts(t, "</title>");
        return;
    }
    if (cell->point >= 0) {
        irl__text_putc(t, '(');
        irl__svg_coordinates(t, &p->shape, cell->point);
        irl__text_puts(t, ") ");
    }
    if (cell->kind == IRL__CELL_PADDING) irl__text_puts(t, "padding ");
    if (cell->place >= 0) {
        irl__text_puts(t, "at [");
        irl__svg_coordinates(t, &p->v.memory, cell->place);
        irl__textf(t, "], place %l", cell->place);
    } else irl__text_puts(t, "has no place");
    if (cell->points > 1) irl__textf(t, ", with %l more", cell->points - 1);
    irl__text_puts(t, "</title>");
}

/* One of the two points of the witness, or their place. */
static int irl__svg_is_witness(const irl__svg_panel *s, const irl__cell *cell)
{
    const irl_verdict *v = &s->p->v;
    if (s->p->how.is_access || (s->p->of_bits && s->panel == &s->p->memory)) return 0;
    if (v->kind == IRL_OUT_OF_RANGE || v->kind == IRL_UNDEFINED)
        return cell->point == irl__flat_place(&s->p->shape, v->a.extent);
    if (v->kind != IRL_LOSSY || cell->place != irl__flat_place(&v->memory, v->at.extent)) return 0;
    return s->panel == &s->p->memory ||
           cell->point == irl__flat_place(&s->p->shape, v->a.extent) ||
           cell->point == irl__flat_place(&s->p->shape, v->b.extent);
}

static void irl__svg_cell(irl__text *t, const irl__svg_panel *s, int r, int c)
{
    const irl__cell *cell = irl__panel_cell(s->panel, r, c);
    const int        x = irl__svg_x(s, c), y = irl__svg_y(s, r);
    if (cell->kind == IRL__CELL_NONE) return;
    irl__textf(t, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" ", x, y, s->cell,
               s->row);
    if (cell->kind == IRL__CELL_PADDING) irl__text_puts(t, "class=\"irl-p\"");
    else if (cell->kind == IRL__CELL_UNKNOWN) irl__text_puts(t, "class=\"irl-u\"");
    else if (cell->kind == IRL__CELL_PLAIN) {
        irl__text_puts(t, "class=\"irl-k\" fill=\"");
        int hue, shade;
        irl__picture_colour(s->p, cell, &hue, &shade);
        irl__text_puts(t, "rgb(");
        for (int k = 0; k < 3; k++) {
            const int from = irl__svg_hues[hue][0][k], to = irl__svg_hues[hue][1][k];
            irl__textf(t, k ? ",%d" : "%d", from + (to - from) * shade / (IRL__SHADES - 1));
        }
        irl__text_putc(t, ')');
        irl__text_putc(t, '"');
    } else
        irl__textf(t, "class=\"%s\"", irl__svg_is_witness(s, cell) ? "irl-r" : "irl-q");
    irl__text_putc(t, '>');
    irl__svg_hint(t, s->p, cell);
    irl__text_puts(t, "</rect>");
    irl__text_putc(t, '\n');
}

static void irl__svg_cell_label(irl__text *t, const irl__svg_panel *s, int r, int c)
{
    const irl__cell *cell = irl__panel_cell(s->panel, r, c);
    const int        x = irl__svg_x(s, c), y = irl__svg_y(s, r);
    if (cell->kind == IRL__CELL_NONE || cell->kind == IRL__CELL_UNKNOWN || !cell->label[0])
        return;
    irl__svg_text(
        t,
        irl__svg_is_witness(s, cell) ? "irl-c irl-w"
        : s->is_walked               ? "irl-c irl-m"
                                     : "irl-c",
        x + ((cell->run > 1 ? cell->run : 1) * s->cell - (s->is_walked ? IRL__SVG_LANE : 0)) / 2,
        y + 15, cell->label);
}

/* ------------------------------------------------------------------ labels */

static void irl__svg_labels(irl__text *t, const irl__svg_panel *s)
{
    const irl__panel *panel = s->panel;
    const int rows = irl__shown_count(&panel->rows), columns = irl__shown_count(&panel->columns);
    irl__svg_text(t, "irl-h", s->left, s->y - 48, panel->title);
    irl__svg_text(t, "irl-a", s->x, s->y - 27, panel->column_title);
    irl__svg_text(t, "irl-a irl-e", s->x - 8, s->y - 9, panel->row_title);
    for (int k = 0; k < columns; k++) {
        irl__svg_text(t, "irl-l irl-n", irl__svg_x(s, k) + s->cell / 2, s->y - 9,
                      panel->column_label[k]);
        if (k == panel->columns.head)
            irl__svg_text(t, "irl-l irl-n", irl__svg_x(s, k) - IRL__SVG_DOTS / 2, s->y - 9,
                          "...");
    }
    for (int k = 0; k < rows; k++) {
        irl__svg_text(t, "irl-l irl-e", s->x - 8, irl__svg_y(s, k) + 15, panel->row_label[k]);
        if (k == panel->rows.head)
            irl__svg_text(t, "irl-l irl-e", s->x - 8, irl__svg_y(s, k) - 8, "...");
    }
}

/* ------------------------------------------------------------------ frames */

/* Whether the neighbour of a cell is in another frame, or is not shown beside it. */
static int irl__svg_ends(const irl__svg_panel *s, int r, int c, int down, int across)
{
    const irl__panel *panel = s->panel;
    const int         row = r + down, column = c + across;
    if (row < 0 || column < 0 || row >= irl__shown_count(&panel->rows) ||
        column >= irl__shown_count(&panel->columns))
        return 1;
    return irl__picture_frame(s->p, irl__panel_cell(panel, r, c)) !=
           irl__picture_frame(s->p, irl__panel_cell(panel, row, column));
}

static void irl__svg_frame(irl__text *t, const irl__svg_panel *s, int r, int c)
{
    const int x = irl__svg_x(s, c), y = irl__svg_y(s, r), w = s->cell, h = s->row;
    if (irl__picture_frame(s->p, irl__panel_cell(s->panel, r, c)) < 0) return;
    if (irl__svg_ends(s, r, c, -1, 0)) irl__textf(t, "M%d %dh%d", x, y, w);
    if (irl__svg_ends(s, r, c, 1, 0)) irl__textf(t, "M%d %dh%d", x, y + h, w);
    if (irl__svg_ends(s, r, c, 0, -1)) irl__textf(t, "M%d %dv%d", x, y, h);
    if (irl__svg_ends(s, r, c, 0, 1)) irl__textf(t, "M%d %dv%d", x + w, y, h);
}

/* ------------------------------------------------------------------ the witness, the walk */

/* The corner of the cell of point number n; false where it is not shown. */
static int irl__svg_find(const irl__svg_panel *s, int64_t n, int *x, int *y)
{
    for (int r = 0; r < irl__shown_count(&s->panel->rows); r++)
        for (int c = 0; c < irl__shown_count(&s->panel->columns); c++) {
            if (irl__panel_cell(s->panel, r, c)->point != n) continue;
            *x = irl__svg_x(s, c) + s->cell - 5;
            *y = irl__svg_y(s, r) + 5;
            return 1;
        }
    return 0;
}

/* The two points that share a place, joined by a bow. */
static void irl__svg_witness(irl__text *t, const irl__svg_panel *s)
{
    const irl_verdict *v = &s->p->v;
    int                ax, ay, bx, by;
    if (v->kind != IRL_LOSSY || s->p->how.is_access ||
        !irl__svg_find(s, irl__flat_place(&s->p->shape, v->a.extent), &ax, &ay) ||
        !irl__svg_find(s, irl__flat_place(&s->p->shape, v->b.extent), &bx, &by))
        return;
    int dx = (ax + bx) / 2 + (by - ay) / 3 + 14;
    int dy = (ay + by) / 2 - (bx - ax) / 3 - 6;
    irl__textf(t, "<path class=\"irl-i\" d=\"M%d %dQ%d %d %d %d\"/>", ax, ay, dx, dy, bx, by);
    irl__textf(t, "<path class=\"irl-j\" d=\"M%d %dQ%d %d %d %d\"/>", ax, ay, dx, dy, bx, by);
    irl__textf(t, "<circle class=\"irl-o\" cx=\"%d\" cy=\"%d\" r=\"4\"/>", ax, ay);
    irl__textf(t, "<circle class=\"irl-o\" cx=\"%d\" cy=\"%d\" r=\"4\"/>\n", bx, by);
}

/* What the cells are walked in the order of: points by place, memory by point. */
static int64_t irl__svg_step(const irl__svg_panel *s, const irl__cell *cell)
{
    if (cell->kind != IRL__CELL_PLAIN && cell->kind != IRL__CELL_SHARED) return -1;
    return s->panel == &s->p->points ? cell->place : cell->point;
}

static void irl__svg_centre(const irl__svg_panel *s, int cell, int *x, int *y)
{
    const int columns = irl__shown_count(&s->panel->columns);
    *x = irl__svg_x(s, cell % columns) + s->cell - IRL__SVG_LANE / 2;
    *y = irl__svg_y(s, cell / columns) + IRL__SVG_TALL - 7;
}

/* A dot that stays at each cell in turn, and begins again. */
static void irl__svg_dot(irl__text *t, const irl__svg_panel *s, int count, const int *order)
{
    const int seconds = count < 2 * IRL__SVG_MOST_SECONDS ? (count + 1) / 2 : IRL__SVG_MOST_SECONDS;
    int       axis, k, at[2];
    irl__text_puts(t, "<circle class=\"irl-o\" r=\"6\">");
    for (axis = 0; axis < 2; axis++) {
        irl__textf(t, "<animate attributeName=\"c%s\" dur=\"%ds\" calcMode=\"discrete\" "
                   "repeatCount=\"indefinite\" values=\"", axis ? "y" : "x", seconds);
        for (k = 0; k < count; k++) {
            irl__svg_centre(s, order[k], &at[0], &at[1]);
            irl__textf(t, k ? ";%d" : "%d", at[axis]);
        }
        irl__text_puts(t, "\"/>");
    }
    irl__text_puts(t, "</circle>\n");
}

/* A line from cell to cell, with arrows that stand in the middle of their pieces. */
static void irl__svg_line(irl__text *t, const irl__svg_panel *s, int count, const int *order)
{
    int x, y, bx, by;
    irl__text_puts(t, "<path class=\"irl-y\" d=\"");
    for (int k = 0; k < count; k++) {
        irl__svg_centre(s, order[k], &x, &y);
        irl__textf(t, k ? "L%d %d" : "M%d %d", x, y);
    }
    irl__text_puts(t, "\"/>\n");
    for (int k = 0; k + 1 < count && count <= IRL__SVG_ARROWS; k++) {
        irl__svg_centre(s, order[k], &x, &y);
        irl__svg_centre(s, order[k + 1], &bx, &by);
        irl__textf(t, "<path class=\"irl-z\" d=\"M%d %dL%d %d\"/>\n", x, y,
                   x + (bx - x) * 5 / 8, y + (by - y) * 5 / 8);
    }
    irl__svg_centre(s, order[0], &x, &y);
    irl__textf(t, "<circle class=\"irl-s\" cx=\"%d\" cy=\"%d\" r=\"4\"/>\n", x, y);
    if (s->p->how.walk > 1) irl__svg_dot(t, s, count, order);
}

/* Labels stand above lines. */
static void irl__svg_grid(irl__text *t, const irl__svg_panel *s)
{
    int c;
    irl__svg_labels(t, s);
    for (int r = 0; r < irl__shown_count(&s->panel->rows); r++)
        for (c = 0; c < irl__shown_count(&s->panel->columns); c++) irl__svg_cell(t, s, r, c);
    if (s->p->how.frame || s->p->of_bits) {
        irl__text_puts(t, "<path class=\"irl-f\" d=\"");
        for (int r = 0; r < irl__shown_count(&s->panel->rows); r++)
            for (int j = 0; j < irl__shown_count(&s->panel->columns); j++)
                irl__svg_frame(t, s, r, j);
        irl__text_puts(t, "\"/>\n");
    }
    if (s->is_walked) {
        /* Through the cells that are shown, in the order of the others. */
        const int count = irl__shown_count(&s->panel->rows) * irl__shown_count(&s->panel->columns);
        irl__arena_mark mark = irl__scratch_begin(t->cx);
        int            *order = (int *)irl__scratch_room(t->cx, (size_t)count + 1, sizeof *order);
        int64_t        *key = (int64_t *)irl__scratch_room(t->cx, (size_t)count + 1, sizeof *key);
        int             k, n = 0;
        for (k = 0; order && key && k < count; k++) {
            key[k] = irl__svg_step(s, &s->panel->cells[k]);
            if (key[k] >= 0) order[n++] = k;
        }
        if (n > 1 && irl__pool_sort(t->cx, n, order, key)) irl__svg_line(t, s, n, order);
        irl__scratch_end(t->cx, mark);
    }
    for (int r = 0; r < irl__shown_count(&s->panel->rows); r++)
        for (c = 0; c < irl__shown_count(&s->panel->columns); c++)
            irl__svg_cell_label(t, s, r, c);
    if (s->panel == &s->p->points) irl__svg_witness(t, s);
}

/* ------------------------------------------------------------------ all of it */

static int irl__svg_most(int a, int b) { return a > b ? a : b; }

void irl__picture_svg(irl__text *t, const irl__picture *p)
{
    const char    *lines[IRL__LEGEND_LINES], *title = p->title, *verdict = p->says;
    const int      marks = irl__picture_legend(p, lines), top = IRL__SVG_EDGE + 34;
    const int      count = marks + p->field_count;
    irl__svg_panel a;
    a = irl__svg_place(p, p->has_points ? &p->points : &p->memory, IRL__SVG_EDGE, top);
    int            width = a.width;
    int            height = a.height;
    irl__svg_panel b = a;
    if (p->has_points && p->has_memory) {
        b = irl__svg_place(p, &p->memory, IRL__SVG_EDGE + a.width + IRL__SVG_BETWEEN, top);
        width = a.width + IRL__SVG_BETWEEN + b.width;
        height = irl__svg_most(a.height, b.height);
        if (width > IRL__SVG_WIDE) {
            b = irl__svg_place(p, &p->memory, IRL__SVG_EDGE, top + a.height + 18);
            width = irl__svg_most(a.width, b.width);
            height = a.height + 18 + b.height;
        }
    }
    width = irl__svg_most(width, irl__svg_most(8 * (int)strlen(title),
                                               irl__svg_text_width(verdict)));
    for (int k = 0; k < count; k++)
        width = irl__svg_most(width, irl__svg_text_width(k < marks ? lines[k]
                                                                   : p->fields[k - marks]));
    irl__svg_open(t, width + 2 * IRL__SVG_EDGE,
                  top + height + 12 + 18 * count + IRL__SVG_EDGE, title);
    irl__svg_text(t, "irl-g", IRL__SVG_EDGE, IRL__SVG_EDGE + 12, title);
    irl__svg_text(t, p->is_bad ? "irl-v" : "irl-l", IRL__SVG_EDGE, IRL__SVG_EDGE + 31, verdict);
    irl__svg_grid(t, &a);
    if (p->has_points && p->has_memory) irl__svg_grid(t, &b);
    for (int k = 0; k < count; k++)
        irl__svg_text(t, "irl-l", IRL__SVG_EDGE, top + height + 22 + 18 * k,
                      k < marks ? lines[k] : p->fields[k - marks]);
    irl__svg_close(t);
}
