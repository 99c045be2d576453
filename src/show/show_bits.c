/* show_bits.c - the bits of bytes as a grid: of a layout whose elements take bits, of a record.

   needs     holders.c, panel.c, the verdict of a layout; span.c
   promises  a cell for each bit, bytes from left to right and from the top down, in the order of
             bits of the layout; of a record bit 7 is first. A label is above the bits of one
             element in a byte
   cost      for a layout, that of irl__holders_find_all; for a record, linear in its bits */
#include "show.h"

enum { IRL__BITS_ROWS = 24, IRL__BITS_ACROSS = 4, /* bytes of a row */ IRL__BITS_LABEL = 7 };

/* What has a bit. */
typedef struct irl__bitgrid_owner {
    int64_t element, count; /* the first, and how many; -1: not known */
    int     field;          /* of a record */
} irl__bitgrid_owner;

typedef struct irl__bitgrid {
    irl__picture       *p;
    int64_t             bytes;
    int                 across, is_msb; /* bytes of a row; bit 7 stands first */
    irl_bit_element     e;              /* of a layout, with its stride */
    irl__holders        holders;
    const irl_record   *record;        /* NULL: of a layout */
    irl__bitgrid_owner *owners;         /* of a record: for each of its first bits */
    int64_t             owned;          /* so many */
} irl__bitgrid;

/* ------------------------------------------------------------------ the grid */

/* Which bit a cell is, counted from the least significant one of byte 0; -1: there is none. */
static int64_t irl__bitgrid_of_cell(const irl__bitgrid *g, int r, int c)
{
    int64_t at[IRL_MAX_RANK], byte;
    irl__panel_point(&g->p->memory, r, c, at);
    byte = at[0] * g->across + at[1];
    return byte < g->bytes ? 8 * byte + (g->is_msb ? 7 - at[2] : at[2]) : -1;
}

/* So many bytes to a row as a label of so many characters over `run` bits lets stand there. */
static int irl__bitgrid_across(const irl__picture *p, int label, int run, int room)
{
    const int width = (label + run) / run;
    int       across = IRL__BITS_ACROSS;
    if (p->how.columns) return p->how.columns < 16 ? 1 : p->how.columns / 8;
    if (p->how.form != IRL_PICTURE_SVG)
        while (across > 1 && 8 * across * width > room) across /= 2;
    return across;
}

static int irl__bitgrid_shape(irl__bitgrid *g)
{
    irl__picture *p = g->p;
    irl__panel   *m = &p->memory;
    const int     rows = p->how.rows ? p->how.rows : IRL__BITS_ROWS;
    memset(m, 0, sizeof *m);
    m->rank = 3;
    m->split = 1;
    m->extent[0] = g->bytes / g->across + (g->bytes % g->across != 0);
    m->extent[1] = g->across;
    m->extent[2] = 8;
    return irl__panel_shape(m, p->how.columns ? p->how.columns : 8 * g->across, rows) &&
           irl__panel_fill(p->cx, m);
}

static const char *irl__bitgrid_number(irl_ctx *cx, const char *before, int64_t number)
{
    return irl__format(cx, "%s%l", before, number);
}

static int irl__bitgrid_labels(irl__bitgrid *g, const char *title)
{
    irl__panel *m = &g->p->memory;
    int         k, ok = 1;
    m->title = title;
    m->row_title = "byte";
    m->column_title = "bit";
    for (k = 0; ok && k < irl__shown_count(&m->rows); k++) {
        m->row_label[k] =
            irl__bitgrid_number(g->p->cx, "", irl__shown_at(&m->rows, k) * g->across);
        ok = m->row_label[k] != NULL;
    }
    for (k = 0; ok && k < irl__shown_count(&m->columns); k++) {
        const int64_t bit = irl__shown_at(&m->columns, k) % 8;
        m->column_label[k] = irl__bitgrid_number(g->p->cx, "", g->is_msb ? 7 - bit : bit);
        ok = m->column_label[k] != NULL;
    }
    return ok;
}

/* ------------------------------------------------------------------ what has a bit */

/* The elements of a layout that may have it: numbers first to *last. */
static int64_t irl__bitgrid_elements(const irl__bitgrid *g, int64_t bit, int64_t *last)
{
    const int64_t p = (g->e.order == IRL_BITS_MSB ? bit / 8 * 8 + 7 - bit % 8 : bit) - g->e.offset;
    const int64_t cells = irl_shape_count(g->p->v.memory);
    *last = p < 0 ? -1 : p / g->e.stride;
    if (*last >= cells) *last = cells - 1;
    return p < g->e.bits ? 0 : (p - g->e.bits) / g->e.stride + 1;
}

static irl__bitgrid_owner irl__bitgrid_holder(const irl__bitgrid *g, int64_t bit)
{
    irl__bitgrid_owner o;
    int64_t            last;
    memset(&o, 0, sizeof o);
    if (g->record) {
        if (bit < g->owned) return g->owners[bit];
        o.count = -1;
        return o;
    }
    for (int64_t n = irl__bitgrid_elements(g, bit, &last); n <= last; n++) {
        const irl__held *held = irl__holders_of(&g->holders, n);
        if (!held || held->points < 0) {
            o.count = -1;
            return o;
        }
        if (!o.count) o.element = n;
        o.count += held->points;
    }
    return o;
}

/* Whether two bits are of the same. */
static int irl__bitgrid_is_same(const irl__cell *a, const irl__cell *b)
{
    return a->kind == b->kind && a->place == b->place && a->points == b->points &&
           a->hue == b->hue && a->framed == b->framed;
}

/* ------------------------------------------------------------------ cells */

static void irl__bitgrid_put_label(const irl__bitgrid *g, irl__text *t,
                                   const irl__bitgrid_owner *o)
{
    const irl__picture *p = g->p;
    int64_t             point[IRL_MAX_RANK];
    irl__span           span;
    if (g->record) {
        irl__record_span(&g->record->fields[o->field], &span);
        irl__span_text(t, &span, g->record->fields[o->field].name, 0, 0, o->element);
        return;
    }
    irl__point_of(p->shape.rank, p->shape.extent,
                  irl__holders_of(&g->holders, o->element)->first, point);
    irl__panel_label(t, p->shape.rank, p->shape.extent, point);
}

static int irl__bitgrid_cell(irl__bitgrid *g, int r, int c)
{
    const int64_t bit = irl__bitgrid_of_cell(g, r, c);
    irl__cell    *cell = irl__panel_cell(&g->p->memory, r, c);
    cell->label = "";
    cell->place = cell->point = -1;
    if (bit < 0) return 1;
    irl__bitgrid_owner o = irl__bitgrid_holder(g, bit);
    cell->kind = o.count < 0    ? IRL__CELL_UNKNOWN
                 : o.count == 0 ? IRL__CELL_PADDING
                 : o.count == 1 ? IRL__CELL_PLAIN
                                : IRL__CELL_SHARED;
    cell->framed = 1 + bit / 8;
    cell->points = o.count;
    if (o.count > 0) {
        cell->place = o.element;
        cell->hue = 1 + (int)((g->record ? o.field : o.element) % IRL__HUES);
    }
    if (o.count < 0) cell->label = "?";
    if (g->p->how.form == IRL_PICTURE_SVG && o.count >= 0) {
        irl__text t;
        irl__text_init(&t, g->p->cx);
        irl__textf(&t, "bit %l of byte %l", bit % 8, bit / 8);
        irl__text_puts(&t, o.count ? ": " : ": unused");
        if (o.count > 0) irl__bitgrid_put_label(g, &t, &o);
        if (o.count > 1) irl__textf(&t, " and %l more", o.count - 1);
        cell->hint = irl__text_done(&t);
    }
    return irl__ok(g->p->cx);
}

/* Labels of the runs of a row, which end where a byte does, or what is shown of it. */
static int irl__bitgrid_row(irl__bitgrid *g, int r)
{
    const irl__panel *m = &g->p->memory;
    const int         columns = irl__shown_count(&m->columns);
    int               run;
    for (int c = 0; c < columns; c += run) {
        irl__cell    *cell = irl__panel_cell(m, r, c);
        const int64_t bit = irl__bitgrid_of_cell(g, r, c);
        for (run = 1; c + run < columns && c + run != m->columns.head; run++)
            if (!irl__bitgrid_is_same(cell, irl__panel_cell(m, r, c + run))) break;
        if (bit < 0 || cell->kind == IRL__CELL_PADDING || cell->kind == IRL__CELL_UNKNOWN) continue;
        irl__bitgrid_owner o = irl__bitgrid_holder(g, bit);
        cell->run = run;
        /* What stands over a run of bits; of a text no more than its cells hold. */
        const size_t most = (size_t)(run * (IRL__BITS_LABEL + 1) - 2);
        irl__text    t;
        irl__text_init(&t, g->p->cx);
        irl__bitgrid_put_label(g, &t, &o);
        if (o.count > 1) irl__textf(&t, "+%l", o.count - 1);
        if (!t.failed && g->p->how.form != IRL_PICTURE_SVG && t.length > most) {
            t.length = most - 1;
            irl__text_putc(&t, '~');
        }
        cell->label = irl__text_done(&t);
        if (!cell->label) return 0;
    }
    return 1;
}

static int irl__bitgrid_cells(irl__bitgrid *g)
{
    const irl__panel *m = &g->p->memory;
    int               r, c, ok = 1;
    for (r = 0; ok && r < irl__shown_count(&m->rows); r++) {
        for (c = 0; ok && c < irl__shown_count(&m->columns); c++) ok = irl__bitgrid_cell(g, r, c);
        ok = ok && irl__bitgrid_row(g, r);
    }
    return ok;
}

/* ------------------------------------------------------------------ a layout */

/* The elements that are shown, and who lies there. */
static int irl__bitgrid_hold(irl__bitgrid *g)
{
    const irl__panel *m = &g->p->memory;
    const int         cells = irl__shown_count(&m->rows) * irl__shown_count(&m->columns);
    const int64_t     each = g->e.bits / g->e.stride + 2;
    int64_t *places = (int64_t *)irl__scratch_room(g->p->cx, (size_t)(cells * each) + 1,
                                                   sizeof *places);
    int64_t n, last;
    int     r, c, count = 0;
    if (!places || !irl__holders_begin(&g->holders, g->p->cx, g->p->map, &g->p->shape,
                                       &g->p->v.memory))
        return 0;
    for (r = 0; r < irl__shown_count(&m->rows); r++)
        for (c = 0; c < irl__shown_count(&m->columns); c++) {
            const int64_t bit = irl__bitgrid_of_cell(g, r, c);
            if (bit < 0) continue;
            for (n = irl__bitgrid_elements(g, bit, &last); n <= last; n++) places[count++] = n;
        }
    return irl__holders_find_all(&g->holders, count, places, &g->p->v);
}

static int irl__bitgrid_size(irl__bitgrid *g)
{
    const int64_t cells = irl_shape_count(g->p->v.memory);
    int64_t       end = 0;
    if (cells > 0 &&
        (!irl__mul64(cells - 1, g->e.stride, &end) || !irl__add64(end, g->e.offset, &end) ||
         !irl__add64(end, g->e.bits + 7, &end)))
        return irl__fail(g->p->cx, IRL_ERROR_TOO_LARGE, g->p->map->loc,
                         "a picture of 2^63 bits or more");
    g->bytes = end / 8;
    return 1;
}

int irl__show_bits(irl__picture *p, int room)
{
    const int64_t *extent = p->shape.extent;
    irl__bitgrid   g;
    int64_t        label = 0, n;
    memset(&g, 0, sizeof g);
    g.p = p;
    if (!irl__bit_element_ok(p->cx, p->how.bits, &g.e, p->map->loc) || !irl__bitgrid_size(&g))
        return 0;
    for (int k = 0; k < p->shape.rank; k++)
        for (n = extent[k] - 1, label += extent[k] > 1; extent[k] > 1 && n > 0; n /= 10) label++;
    int whole = 8 % g.e.bits == 0 && g.e.stride % g.e.bits == 0 && g.e.offset % g.e.bits == 0;
    g.across = irl__bitgrid_across(p, (int)label, whole ? g.e.bits : 1, room);
    g.is_msb = g.e.order == IRL_BITS_MSB;
    return irl__bitgrid_shape(&g) && irl__bitgrid_hold(&g) && irl__bitgrid_cells(&g) &&
           irl__bitgrid_labels(&g, irl__bitgrid_number(p->cx, "bits of memory, bytes: ", g.bytes));
}

/* ------------------------------------------------------------------ a record */

/* Of the first 2^20 bits. */
static int irl__bitgrid_own(irl__bitgrid *g)
{
    const irl_record *r = g->record;
    g->owned = 8 * g->bytes < INT64_C(1) << 20 ? 8 * g->bytes : INT64_C(1) << 20;
    g->owners = IRL__SCRATCH(r->cx, irl__bitgrid_owner, g->owned + 1);
    for (int f = 0; g->owners && f < r->count; f++) {
        irl__span span;
        int64_t   at;
        irl__record_span(&r->fields[f], &span);
        for (int64_t n = 0; (at = irl__span_at(&span, n)) >= 0; n++)
            for (int k = 0; k < span.width; k++) {
                int64_t bit = irl__span_bit(&span, at + k);
                if (bit >= g->owned ||
                    (g->owners[bit].count &&
                     irl__record_excludes(r->fields, g->owners[bit].field, f)))
                    continue; /* of alternatives the first is drawn */
                if (!g->owners[bit].count++) {
                    g->owners[bit].field = f;
                    g->owners[bit].element = n;
                }
            }
    }
    return g->owners != NULL;
}

/* "q[2, 16]: u4 offset(16)" */
static const char *irl__bitgrid_field(const irl_record *r, int f)
{
    const irl_record_field *field = &r->fields[f];
    const irl_bit_element   e = irl__record_field_element(field);
    irl__text               t;
    irl__text_init(&t, r->cx);
    irl__text_puts(&t, field->name);
    if (field->rank) irl__text_numbers(&t, "[]", field->rank, field->extent);
    irl__textf(&t, ": %s", irl_bit_element_text(r->cx, &e));
    if (field->rank) {
        irl__text_puts(&t, " strides");
        irl__text_numbers(&t, "()", field->rank, field->stride);
    }
    irl__print_record_when(&t, r, f);
    return irl__text_done(&t);
}

static int irl__bitgrid_record(irl__picture *p, irl__bitgrid *g)
{
    const irl_record        *r = g->record;
    const irl_record_verdict v = irl_record_check(r);
    const char             **fields;
    irl__text                t;
    if (!irl__ok(r->cx)) return 0;
    irl__text_init(&t, r->cx);
    irl__textf(&t, "record %s, bytes: %l", r->name, r->bytes);
    p->title = irl__text_done(&t);
    p->says = irl_record_verdict_text(r, &v);
    p->is_bad = v.code != IRL_OK;
    fields = IRL__NEW(r->cx, const char *, r->count + 1);
    for (int k = 0; fields && k < r->count; k++)
        if (!(fields[k] = irl__bitgrid_field(r, k))) return 0;
    p->fields = fields;
    p->field_count = r->count;
    g->bytes = r->bytes;
    g->is_msb = 1;
    g->across = p->how.columns >= 16 ? p->how.columns / 8 : 1;
    return fields && p->title && irl__bitgrid_shape(g) && irl__bitgrid_own(g) &&
           irl__bitgrid_cells(g) && irl__bitgrid_labels(g, "bits, which field has each");
}

const char *irl_record_picture(const irl_record *record, const irl_picture_options *how)
{
    irl__picture p;
    irl__bitgrid g;
    irl__text    t;
    if (!record || !irl__ok(record->cx)) return "";
    memset(&p, 0, sizeof p);
    memset(&g, 0, sizeof g);
    p.cx = record->cx;
    if (how) p.how = *how;
    p.how.walk = p.how.is_access = 0;
    p.how.frame = 0;
    p.how.bits = NULL;
    p.has_memory = p.of_bits = 1;
    g.p = &p;
    g.record = record;
    if (p.how.columns < 0 || p.how.columns > IRL__SHOW_MOST || p.how.rows < 0 ||
        p.how.rows > IRL__SHOW_MOST) {
        irl__fail(p.cx, IRL_ERROR_BAD_ARGUMENT, record->loc,
                  "a picture has 1 to %d rows and columns", (int)IRL__SHOW_MOST);
        return "";
    }
    irl__arena_mark mark = irl__scratch_begin(p.cx);
    int             ok = irl__bitgrid_record(&p, &g);
    irl__scratch_end(p.cx, mark);
    if (!ok || !irl__ok(p.cx)) return "";
    irl__text_init(&t, p.cx);
    if (p.how.form == IRL_PICTURE_SVG) irl__picture_svg(&t, &p);
    else irl__picture_text(&t, &p);
    return irl__text_or_empty(irl__text_done(&t));
}
