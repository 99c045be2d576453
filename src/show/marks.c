/* marks.c - the meaning of colours and marks in a picture: the hue of a word, the legend below.

   needs     a picture whose cells are filled
   promises  the same place has the same colour in both grids; every mark that is drawn is
             explained, and what is left out is counted */
#include "show.h"

/* ------------------------------------------------------------------ colours */

void irl__picture_colour(const irl__picture *p, const irl__cell *cell, int *hue, int *shade)
{
    const irl_shape *m = &p->v.memory;
    const int64_t    place = cell->place;
    int64_t          at[IRL_MAX_RANK], unit = p->how.frame, number;
    int              k = m->rank;
    if (cell->hue) {
        *hue = (cell->hue - 1) % IRL__HUES;
        *shade = IRL__SHADES / 2;
        return;
    }
    while (k > 0 && m->extent[k - 1] == 1) k--;
    if (!unit) unit = k > 1 ? m->extent[k - 1] : (int64_t)IRL__HUES;
    number = place / unit;
    if (!p->how.frame && k > 1) {
        irl__point_of(m->rank, m->extent, place, at);
        for (number = 0, k--; k-- > 0;) number = number * 3 + at[k] % IRL__HUES;
    }
    *hue = (int)(number % IRL__HUES);
    *shade = (int)(unit > IRL__SHADES ? place % unit / ((unit + IRL__SHADES - 1) / IRL__SHADES)
                                      : place % unit);
}

/* ----------------------------------------------------------------- legend */

static int irl__show_holds(const irl__panel *panel, irl__cell_kind kind)
{
    const int count = irl__shown_count(&panel->rows) * irl__shown_count(&panel->columns);
    for (int k = 0; k < count; k++)
        if (panel->cells[k].kind == kind) return 1;
    return 0;
}

static void irl__show_legend(irl__picture const *p, const char **lines, int *count,
                           const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    lines[(*count)++] = irl__text_of(p->cx, format, arguments);
    va_end(arguments);
}

static void irl__show_legend_cut(const irl__picture *p, const irl__panel *panel, const char *what,
                               const char **lines, int *count)
{
    const irl__shown *r = &panel->rows, *c = &panel->columns;
    if (irl__shown_is_whole(r) && irl__shown_is_whole(c)) return;
    irl__show_legend(p, lines, count, "... of the %s %d of %l rows and %d of %l columns are shown",
                   what, irl__shown_count(r), r->extent, irl__shown_count(c), c->extent);
}

int irl__picture_legend(const irl__picture *p, const char **lines)
{
    const int   is_svg = p->how.form == IRL_PICTURE_SVG;
    const char *bad = is_svg ? "red:" : "!", *none = is_svg ? "hatched:" : "/";
    int         count = 0;
    if (p->has_points) irl__show_legend_cut(p, &p->points, "points", lines, &count);
    if (p->has_memory) irl__show_legend_cut(p, &p->memory, "memory", lines, &count);
    if ((p->has_points && irl__show_holds(&p->points, IRL__CELL_SHARED)) ||
        (p->has_memory && irl__show_holds(&p->memory, IRL__CELL_SHARED)))
        irl__show_legend(p, lines, &count, p->of_bits ? "%s several elements have this bit"
                                                      : "%s several points in this place",
                         bad);
    if (p->has_memory && irl__show_holds(&p->memory, IRL__CELL_PADDING))
        irl__show_legend(p, lines, &count,
                       p->how.is_access ? "%s no iteration touches this element"
                       : p->of_bits     ? "%s unused: no element has this bit"
                                        : "%s padding: no point in this cell",
                       none);
    if (p->has_points && irl__show_holds(&p->points, IRL__CELL_OUTSIDE))
        irl__show_legend(p, lines, &count, "%s the point has no place in memory", bad);
    if (p->has_memory && irl__show_holds(&p->memory, IRL__CELL_UNKNOWN))
        irl__show_legend(p, lines, &count, "%s not looked up: there are more than 2^20 points",
                       is_svg ? "dashed:" : "?");
    if (p->of_bits && p->has_memory)
        irl__show_legend(p, lines, &count, "framed: a byte; bit 0 is its least significant one");
    else if (p->how.frame)
        irl__show_legend(p, lines, &count, "framed: %l elements that are neighbours in memory",
                       p->how.frame);
    return count;
}
