/* show_text.c - a picture of a layout in characters: ASCII, or with the colours of a terminal.

   needs     picture.c
   promises  without colours plain ASCII, as far as names are; the same marks in both */
#include "show.h"

/* Colours of the 256 that terminals number: a row for each hue, from the first shade to the
   last. */
static const uint8_t irl__ansi[IRL__HUES][IRL__SHADES] = {
    { 195, 153, 117, 111, 75 },  { 230, 229, 222, 221, 215 }, { 194, 157, 120, 114, 78 },
    { 225, 219, 183, 177, 141 }, { 159, 123, 87, 80, 44 },    { 224, 223, 217, 216, 210 },
    { 255, 252, 249, 246, 245 }, { 191, 190, 155, 149, 148 }
};

static const char *const irl__ansi_end = "\033[0m";

/* How a cell begins in colour; 0: as all else. */
static int irl__show_ansi(irl__text *t, const irl__picture *p, const irl__cell *cell)
{
    int hue, shade;
    if (p->how.form != IRL_PICTURE_COLOUR || cell->kind == IRL__CELL_NONE) return 0;
    if (cell->kind == IRL__CELL_SHARED || cell->kind == IRL__CELL_OUTSIDE)
        return irl__text_puts(t, "\033[97;41m"), 1;
    if (cell->kind == IRL__CELL_PADDING || cell->kind == IRL__CELL_UNKNOWN)
        return irl__text_puts(t, "\033[2m"), 1;
    irl__picture_colour(p, cell, &hue, &shade);
    irl__textf(t, "\033[30;48;5;%dm", (int)irl__ansi[hue][shade]);
    return 1;
}

static void irl__show_repeat(irl__text *t, char c, int count)
{
    for (; count > 0; count--) irl__text_putc(t, c);
}

static void irl__show_right(irl__text *t, const char *text, int width)
{
    irl__show_repeat(t, ' ', width - (int)strlen(text));
    irl__text_puts(t, text);
}

/* ------------------------------------------------------------------ cells */

/* A mark for those who see no colours, and are not shown hatching. */
static int irl__show_is_marked(const irl__cell *cell)
{
    return cell->kind == IRL__CELL_SHARED || cell->kind == IRL__CELL_OUTSIDE;
}

/* Characters of each of `run` cells that hold a label of n together. */
static int irl__show_of_run(int n, int run) { return (n + run) / run - 1; }

static int irl__show_cell_width(const irl__panel *panel)
{
    const int rows = irl__shown_count(&panel->rows), columns = irl__shown_count(&panel->columns);
    int       k, width = 1, n;
    for (k = 0; k < rows * columns; k++) {
        n = (int)strlen(panel->cells[k].label) + irl__show_is_marked(&panel->cells[k]);
        if (panel->cells[k].run > 1) n = irl__show_of_run(n, panel->cells[k].run);
        if (n > width) width = n;
    }
    for (k = 0; k < columns; k++) {
        n = (int)strlen(panel->column_label[k]);
        if (n > width) width = n;
    }
    return width;
}

static void irl__show_cell(irl__text *t, const irl__picture *p, const irl__cell *cell, int width)
{
    const int coloured = irl__show_ansi(t, p, cell);
    if (cell->kind == IRL__CELL_PADDING) irl__show_repeat(t, '/', width);
    else if (cell->run > 1) { /* in the middle of a line over its cells */
        const int rest = width - (int)strlen(cell->label) - irl__show_is_marked(cell);
        irl__show_repeat(t, '-', rest / 2);
        if (irl__show_is_marked(cell)) irl__text_putc(t, '!');
        irl__text_puts(t, cell->label);
        irl__show_repeat(t, '-', rest - rest / 2);
    } else {
        const int marked = irl__show_is_marked(cell);
        irl__show_repeat(t, ' ', width - marked - (int)strlen(cell->label));
        if (marked) irl__text_putc(t, '!');
        irl__text_puts(t, cell->label);
    }
    if (coloured) irl__text_puts(t, irl__ansi_end);
}

/* What stands before column c, between two cells of frames that differ a bar. */
static void irl__show_between(irl__text *t, const irl__picture *p, const irl__panel *panel, int r,
                              int c)
{
    if (c == panel->columns.head && !irl__shown_is_whole(&panel->columns))
        irl__text_puts(t, " ...");
    int64_t before = r >= 0 && c > 0 ? irl__picture_frame(p, irl__panel_cell(panel, r, c - 1)) : -1;
    int64_t after = r >= 0 ? irl__picture_frame(p, irl__panel_cell(panel, r, c)) : -1;
    irl__text_putc(t, c > 0 && before != after ? '|' : ' ');
    if (irl__panel_column_gap(panel, c)) irl__text_putc(t, ' ');
}

/* ------------------------------------------------------------------ a grid */

static int irl__show_margin(const irl__panel *panel)
{
    int k, width = (int)strlen(panel->row_title), n;
    for (k = 0; k < irl__shown_count(&panel->rows); k++) {
        n = (int)strlen(panel->row_label[k]);
        if (n > width) width = n;
    }
    return width < 3 ? 3 : width;
}

static void irl__show_grid(irl__text *t, const irl__picture *p, const irl__panel *panel)
{
    const int margin = irl__show_margin(panel), width = irl__show_cell_width(panel);
    irl__textf(t, "\n%s\n", panel->title);
    if (panel->column_title[0] || panel->row_title[0]) {
        irl__show_right(t, panel->row_title, margin);
        irl__textf(t, panel->row_title[0] ? " \\ %s\n" : "   %s\n", panel->column_title);
    }
    irl__show_repeat(t, ' ', margin + 1);
    for (int c = 0; c < irl__shown_count(&panel->columns); c++) {
        irl__show_between(t, p, panel, -1, c);
        irl__show_right(t, panel->column_label[c], width);
    }
    irl__text_putc(t, '\n');
    for (int r = 0; r < irl__shown_count(&panel->rows); r++) {
        if (r == panel->rows.head) {
            irl__show_right(t, "...", margin);
            irl__text_putc(t, '\n');
        } else if (irl__panel_row_gap(panel, r)) irl__text_putc(t, '\n');
        irl__show_right(t, panel->row_label[r], margin);
        irl__text_putc(t, ' ');
        for (int c = 0; c < irl__shown_count(&panel->columns); c++) {
            const irl__cell *cell = irl__panel_cell(panel, r, c);
            const int        run = cell->run > 1 ? cell->run : 1;
            if (cell->kind == IRL__CELL_NONE) break;
            irl__show_between(t, p, panel, r, c);
            irl__show_cell(t, p, cell, run * (width + 1) - 1);
            c += run - 1;
        }
        irl__text_putc(t, '\n');
    }
}

void irl__picture_text(irl__text *t, const irl__picture *p)
{
    const char *lines[IRL__LEGEND_LINES];
    int         count = irl__picture_legend(p, lines), k;
    irl__textf(t, "%s\n%s\n", p->title, p->says);
    if (p->has_points) irl__show_grid(t, p, &p->points);
    if (p->has_memory) irl__show_grid(t, p, &p->memory);
    if (count) irl__text_putc(t, '\n');
    for (k = 0; k < count; k++) irl__textf(t, "%s\n", lines[k]);
    if (p->field_count) irl__text_putc(t, '\n');
    for (k = 0; k < p->field_count; k++) irl__textf(t, "%s\n", p->fields[k]);
}
