/* diag.c - the one diagnostic of a context: code, what was found, where, a hint.

   needs     diags.h, the table; sources to point into; file.c
   promises  "out of memory" can be reported: nothing here has to allocate, and memory for a user's
             file that is shown is freed at once; the first failure stays until it is rewound */
#include "base.h"

typedef struct irl__diag_row {
    const char *slug;
    irl_outcome outcome;
    const char *remedy;
} irl__diag_row;

static const irl__diag_row irl__diag_rows[] = {
    { "ok", IRL_OUTCOME_YES, "" },
#define IRL_DIAGNOSTIC(name, slug, outcome, remedy) { slug, IRL_OUTCOME_##outcome, remedy },
#include "diags.h"
};

const char *irl_code_name(irl_code code)
{
    return (size_t)code < IRL__COUNTOF(irl__diag_rows) ? irl__diag_rows[code].slug : "unknown";
}

const char *irl_code_remedy(irl_code code)
{
    return (size_t)code < IRL__COUNTOF(irl__diag_rows) ? irl__diag_rows[code].remedy : "";
}

irl_outcome irl_code_outcome(irl_code code)
{
    return (size_t)code < IRL__COUNTOF(irl__diag_rows) ? irl__diag_rows[code].outcome
                                                       : IRL_OUTCOME_NONE;
}

/* ------------------------------------------------- finding a macro's text in the user's file */

/* White space and comments, which the preprocessor may have changed. */
static const char *irl__diag_skip(const char *p, const char *end)
{
    for (;;) {
        if (p < end &&
            (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r' || *p == '\v' || *p == '\f'))
            p++;
        else if (p + 1 < end && *p == '\\' && (p[1] == '\n' || p[1] == '\r')) p += 2;
        else if (p + 1 < end && p[0] == '/' && p[1] == '/') while (p < end && *p != '\n') p++;
        else if (p + 1 < end && p[0] == '/' && p[1] == '*') {
            p += 2;
            while (p + 1 < end && !(p[0] == '*' && p[1] == '/')) p++;
            p = p + 1 < end ? p + 2 : end;
        } else return p;
    }
}

/* Where the character text[offset] stands in the file, if the whole text matches from `start`; NULL
   if it does not, or the steps are used up. IRL_LAYOUT makes an arrow of the comma between inputs
   and outputs. */
static const char *irl__diag_match(const char *start, const char *end, const irl__source *s,
                                   uint32_t offset, size_t *steps)
{
    const char *t = s->text, *t_end = s->text + s->length, *p = start, *found = NULL;
    for (;;) {
        t = irl__diag_skip(t, t_end);
        p = irl__diag_skip(p, end);
        if (!found && t >= s->text + offset) found = p;
        if (t == t_end) return found;
        if (p == end || *steps == 0) return NULL;
        --*steps;
        if (*p == ',' && t + 1 < t_end && t[0] == '-' && t[1] == '>') t++;
        else if (*p != *t) return NULL;
        p++, t++;
    }
}

enum { IRL__DIAG_STEPS = 1 << 24 }; /* characters that are compared to find a text */

/* The match nearest to the line that the compiler gave: __LINE__ of a macro over several lines
   differs between them. */
static const char *irl__diag_find(const char *file, size_t length, const irl__source *s,
                                  uint32_t offset)
{
    const char *end = file + length, *p, *best = NULL,
               *first = irl__diag_skip(s->text, s->text + s->length);
    size_t steps = IRL__DIAG_STEPS;
    int    line = 1, best_distance = 0;
    if (first == s->text + s->length) return NULL;
    for (p = file; p < end; p++) {
        if (*p == *first &&
            (p == file || irl__diag_skip(p - 1, end) != p - 1 || p[-1] == '(' || p[-1] == ',')) {
            const char *found = irl__diag_match(p, end, s, offset, &steps);
            int         distance = line > s->line ? line - s->line : s->line - line;
            if (found && (!best || distance < best_distance)) {
                best = found;
                best_distance = distance;
            }
        }
        line += *p == '\n';
    }
    return best;
}

/* ------------------------------------------------------------------ rendering */

/* A place, and what it points into: the text itself, or the user's file, which is held until
   irl__diag_leave. */
typedef struct irl__diag_place {
    const char *file, *line_begin, *line_end, *at;
    int         line, column;
    irl__file   own;
} irl__diag_place;

/* The text of the file of a macro; NULL: none, or memory is out already. `holder` is cx, where a
   file may be opened, which that holds; NULL: only read_source is asked. */
static const char *irl__diag_file(const irl_ctx *cx, irl_ctx *holder, const irl__source *s,
                                  irl__diag_place *place, size_t *length)
{
    const char *text = NULL;
    if (cx->read_source) text = cx->read_source(cx->read_source_user, s->file, length);
    else if (holder && !cx->no_files && cx->diag.code != IRL_ERROR_OUT_OF_MEMORY) {
        place->own = irl__file_read(holder, s->file);
        text = place->own.text;
        *length = place->own.bytes;
    }
    if (text && *length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) /* a byte order mark */
        text += 3, *length -= 3;
    return text;
}

/* The line around place->at, by a binary search in the source's table of lines. */
static void irl__diag_find_line(const irl__source *s, irl__diag_place *place)
{
    const uint32_t offset = (uint32_t)(place->at - s->text);
    int            line = 0, end = s->line_count;
    while (end - line > 1) {
        const int middle = line + (end - line) / 2;
        if (s->lines[middle] <= offset) line = middle;
        else end = middle;
    }
    place->line += line;
    place->line_begin = s->text + s->lines[line];
    place->line_end = s->text + (end < s->line_count ? s->lines[end] - 1 : s->length);
}

/* The line around place->at in a text without such a table. */
static void irl__diag_scan_line(const char *text, const char *end, irl__diag_place *place)
{
    const char *p;
    place->line_begin = text;
    for (p = text; p < place->at; p++) {
        if (*p != '\n') continue;
        place->line++;
        place->line_begin = p + 1;
    }
    while (p < end && *p != '\n') p++;
    place->line_end = p;
}

static void irl__diag_locate(const irl_ctx *cx, irl_ctx *holder, irl_loc where,
                             irl__diag_place *place)
{
    const irl__source *s = where.source;
    const char *text = s->text, *end = s->text + s->length, *at = s->text + where.offset,
               *file_text = NULL;
    size_t length = 0;
    memset(place, 0, sizeof *place);
    place->file = s->file;
    place->line = s->line;
    if (s->is_macro && s->file) file_text = irl__diag_file(cx, holder, s, place, &length);
    if (file_text) {
        const char *found = irl__diag_find(file_text, length, s, where.offset);
        if (found) {
            text = file_text;
            end = file_text + length;
            at = found;
            place->line = 1;
        }
    }
    if (at > end) at = end;
    place->at = at;
    if (text == s->text && s->lines) irl__diag_find_line(s, place);
    else irl__diag_scan_line(text, end, place);
    if (place->line_end > at && place->line_end[-1] == '\r') place->line_end--;
    place->column = (int)(at - place->line_begin) + 1;
}

static void irl__diag_leave(irl_ctx *cx, irl__diag_place *place)
{
    irl__file_free(cx, &place->own);
}

void irl__loc_place(irl_ctx *cx, irl_loc where, const char **file, int *line, int *column)
{
    irl__diag_place place;
    irl__diag_locate(cx, cx, where, &place);
    *file = place.file ? place.file : "";
    *line = place.line;
    *column = place.column;
    irl__diag_leave(cx, &place);
}

static void irl__loc_write(const irl_ctx *cx, irl_ctx *holder, irl_loc where, char *text,
                           size_t capacity)
{
    irl__diag_place place;
    irl__text       t;
    irl__text_init_fixed(&t, text, capacity);
    if (!where.source) {
        irl__text_puts(&t, "an unknown place");
        return;
    }
    irl__diag_locate(cx, holder, where, &place);
    irl__textf(&t, "%d:%d", place.line, place.column);
    if (holder) irl__diag_leave(holder, &place);
}

void irl__loc_text(irl_ctx *cx, irl_loc where, char *text, size_t capacity)
{
    irl__loc_write(cx, cx, where, text, capacity);
}

void irl__loc_short(const irl_ctx *cx, irl_loc where, char *text, size_t capacity)
{
    irl__loc_write(cx, NULL, where, text, capacity);
}

/* The hint where the one of the code does not apply: for texts of maps and schedules, and for
   elements and fields of bits. NULL: the one of the code applies. */
static const char *irl__diag_of_text(const irl_ctx *cx)
{
    if (cx->reads_map && cx->diag.code == IRL_ERROR_SYNTAX)
        return "write a map as in (y, x) -> (y / 8, x, y % 8): the axes of a point, then its place "
               "in memory; docs/grammar.md, \"Maps\"";
    if (cx->reads_map && cx->diag.code == IRL_ERROR_UNKNOWN_NAME)
        return "use the names on the left of the map; for a constant of C, which IRL_LAYOUT cannot "
               "see, call irl_layout_let(cx, &layout, IRL_LET(N)); irl_map_parse_over takes a name "
               "that may have any value";
    if (cx->diag.code == IRL_ERROR_LOSSY_MAP && strstr(cx->diag.message, " have bit "))
        return "give the two elements different bits: elements of bits need strides of at least "
               "their width, and fields need offsets that keep them apart";
    if (!cx->step && !cx->reads_steps) return NULL;
    switch (cx->diag.code) {
    case IRL_ERROR_SYNTAX:
        return "write steps as in { (io, ii) = split(conv.i, 16); transform_layout(conv, x, "
               "(i, j) -> (j, i)); }; `irlc steps` lists all, each with an example";
    case IRL_ERROR_UNKNOWN_NAME:
        return cx->step ? "correct the name; loops, blocks and buffers have the names of the "
                          "printed function, results the names that earlier steps gave them"
                        : "use the names on the left side of a map on its right side too";
    default: return NULL;
    }
}

/* The hint: of a step that is refused, what that step requires. */
static void irl__diag_remedy(irl_ctx *cx)
{
    const char *of_text = irl__diag_of_text(cx);
    irl_diag   *d = &cx->diag;
    irl__text   t;
    irl__text_init_fixed(&t, d->remedy, sizeof d->remedy);
    if (d->code == IRL_ERROR_ILLEGAL_STEP && cx->step)
        irl__textf(&t, "%s requires %s", cx->step, cx->step_needs);
    else irl__text_puts(&t, of_text ? of_text : irl_code_remedy(d->code));
}

static void irl__diag_render(irl_ctx *cx, irl_loc where)
{
    irl_diag       *d = &cx->diag;
    irl__diag_place place;
    irl__text       t;
    irl__text_init_fixed(&t, d->text, sizeof d->text);
    if (where.source) {
        irl__diag_locate(cx, cx, where, &place);
        irl__text_init_fixed(&t, d->file, sizeof d->file);
        irl__text_puts(&t, place.file ? place.file : "text");
        d->line = place.line;
        d->column = place.column;
        irl__text_init_fixed(&t, d->text, sizeof d->text);
        irl__textf(&t, "%s:%d:%d: ", d->file, d->line, d->column);
    }
    irl__textf(&t, "error: %s [%s]\n", d->message, irl_code_name(d->code));
    if (where.source) {
        /* A long line (a macro's text is one line) is shown around the caret only. */
        const char *begin = place.line_begin, *end = place.line_end;
        if (place.at - begin > 100) begin = place.at - 60;
        if (end - begin > 160) end = begin + 160;
        irl__text_puts(&t, "    ");
        irl__text_append(&t, begin, (size_t)(end - begin));
        irl__text_puts(&t, "\n    ");
        for (const char *p = begin; p < place.at; p++) irl__text_putc(&t, *p == '\t' ? '\t' : ' ');
        irl__text_puts(&t, "^\n");
        irl__diag_leave(cx, &place);
    }
    irl__textf(&t, "  hint: %s", d->remedy);
}

int irl__hint(irl_ctx *cx, const char *format, ...)
{
    static const char label[] = "\n  hint: ";
    irl_diag *d = &cx->diag;
    char     *end = strstr(d->text, label);
    va_list   arguments;
    irl__text t;
    if (!end || d->code == IRL_ERROR_OUT_OF_MEMORY) return 0;
    irl__text_init_fixed(&t, d->remedy, sizeof d->remedy);
    va_start(arguments, format);
    irl__textv(&t, format, arguments);
    va_end(arguments);
    irl__text_init_fixed(&t, end, sizeof d->text - (size_t)(end - d->text));
    irl__textf(&t, "%s%s", label, d->remedy);
    return 0;
}

int irl__fail(irl_ctx *cx, irl_code code, irl_loc where, const char *format, ...)
{
    irl__text t;
    va_list   arguments;
    if (!cx || cx->diag.code != IRL_OK) return 0;
    if (!where.source) where = cx->here;
    memset(&cx->diag, 0, sizeof cx->diag);
    cx->diag.code = code;
    cx->failed_at = where;
    irl__text_init_fixed(&t, cx->diag.message, sizeof cx->diag.message);
    if (cx->pass) irl__textf(&t, "pass '%s': ", cx->pass);
    va_start(arguments, format);
    irl__textv(&t, format, arguments);
    va_end(arguments);
    irl__diag_remedy(cx);
    irl__diag_render(cx, where);
    return 0;
}

void irl__loc_prefix(irl__text *t, irl_ctx *cx, irl_loc where)
{
    irl__diag_place place;
    if (!where.source) return;
    irl__diag_locate(cx, cx, where, &place);
    irl__textf(t, "%s:%d:%d: ", place.file ? place.file : "text", place.line, place.column);
    irl__diag_leave(cx, &place);
}

int irl__fail_at(irl_ctx *cx, irl_loc where)
{
    if (cx->diag.code != IRL_OK && cx->diag.code != IRL_ERROR_OUT_OF_MEMORY && cx->diag.line == 0)
        irl__diag_render(cx, where);
    return 0;
}

int irl_ok(const irl_ctx *cx) { return cx && cx->diag.code == IRL_OK; }

const irl_diag *irl_diag_of(const irl_ctx *cx)
{
    return cx && cx->diag.code != IRL_OK ? &cx->diag : NULL;
}

const char *irl_diag_text(const irl_ctx *cx)
{
    if (!cx)
        return "error: no context: irl_ctx_create returned NULL (out of memory, or only one "
               "function of the allocator is set)";
    return cx->diag.code == IRL_OK ? "" : cx->diag.text;
}

int irl__no_list(irl_ctx *cx, const char *what, int count)
{
    return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT,
                     count < 0 ? "the number of %s is negative" : "there is no list of %s", what);
}

int irl_ctx_take_error(irl_ctx *cx, irl_diag *out)
{
    const int has_failed = cx && !irl__ok(cx);
    if (!has_failed) return 0;
    if (out) *out = cx->diag;
    memset(&cx->diag, 0, sizeof cx->diag);
    cx->here = irl__nowhere();
    return 1;
}
