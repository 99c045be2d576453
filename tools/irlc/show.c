/* show.c - `irlc show`: a picture of a layout, or of a function. */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200112L
#endif
#include "irlc.h"

#include <stdlib.h>
#if defined(_WIN32)
#include <io.h>
#define isatty _isatty
#else
#include <unistd.h>
#endif

/* Colours where a person looks: on a terminal, and not where that person asked for none. */
static int is_coloured(const irlc_args *args)
{
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return !has(args, OPT_OUT) && !(none && none[0]) &&
           !(terminal && strcmp(terminal, "dumb") == 0) && isatty(1);
}

static irlc_status read_form(const irlc_args *args, irl_picture_form *form)
{
    const char *when = value_of(args, OPT_COLOR, "auto");
    int         always = strcmp(when, "always") == 0;
    if (!always && strcmp(when, "auto") != 0 && strcmp(when, "never") != 0)
        return bad_word(args, "--color is auto, always or never; found", when);
    if (has(args, OPT_SVG)) *form = IRL_PICTURE_SVG;
    else if (always || (strcmp(when, "auto") == 0 && is_coloured(args)))
        *form = IRL_PICTURE_COLOUR;
    else *form = IRL_PICTURE_ASCII;
    return IRLC_YES;
}

static irlc_status read_side(const irlc_args *args, irl_picture_side *side)
{
    static const char *const names[] = { "both", "points", "memory" };
    const char              *text = value_of(args, OPT_SIDE, names[0]);
    for (int k = 0; k < 3; k++)
        if (strcmp(text, names[k]) == 0) return *side = (irl_picture_side)k, IRLC_YES;
    return bad_word(args, "--side is points, memory or both; found", text);
}

static int read_count(const char *text, int64_t *out)
{
    return read_int(&text, out) && !*text && *out > 0;
}

/* Bits that an element of --type takes in memory: of a scalar type, or of a width, u1 to u31 and i2
   to i31. */
static irlc_status read_bits(const irlc_args *args, int64_t *out)
{
    static const uint8_t bits[] = {
#define IRL_TYPE_ROW(name, text, kind, bits, ...) bits,
#include "../../src/ir/types.h"
    };
    const char *text = value_of(args, OPT_TYPE, "f32"), *p = text + 1;
    irl_type    type;
    if ((text[0] == 'u' || text[0] == 'i') && read_int(&p, out) && !*p && *out < 32 &&
        *out >= (text[0] == 'u' ? 1 : 2))
        return IRLC_YES;
    irlc_status status = read_type(args, &type);
    if (status == IRLC_YES) *out = bits[type.scalar];
    return status;
}

/* --frame N, or --line BYTES of elements of --type */
static irlc_status read_frame(const irlc_args *args, int64_t *frame)
{
    const char *frames = value_of(args, OPT_FRAME, NULL), *line = value_of(args, OPT_LINE, NULL);
    int64_t     bytes, bits = 0;
    irlc_status status = read_bits(args, &bits);
    if (status != IRLC_YES) return status;
    if (frames && line) return bad_input(args, "--frame and --line state two sizes: use "
                                               "one of them", line);
    if (frames && !read_count(frames, frame))
        return bad_input(args, "a number of elements; found", frames);
    if (!line) return IRLC_YES;
    if (!read_count(line, &bytes) || bytes > 65536)
        return bad_input(args, "a number of bytes, up to 65536; found", line);
    if (bytes * 8 % bits) return bad_input(args, "--line is not a multiple of --type", line);
    *frame = bytes * 8 / bits;
    return IRLC_YES;
}

static irlc_status read_cells(const irlc_args *args, irl_picture_options *how)
{
    const char *text = value_of(args, OPT_CELLS, NULL);
    irl_shape   cells;
    if (!text) return IRLC_YES;
    if (!read_shape(text, &cells) || cells.rank != 2 || cells.extent[0] < 1 ||
        cells.extent[0] > 256 || cells.extent[1] < 1 || cells.extent[1] > 256)
        return bad_input(args, "--cells is written 24x32, of at most 256; found", text);
    how->rows = (int)cells.extent[0];
    how->columns = (int)cells.extent[1];
    return IRLC_YES;
}


/* The access by which a buffer is written, else that by which it is read; -1: none. */
static int find_access(const irl_access_table *t, const char *buffer)
{
    int found = -1;
    for (int k = 0; t && k < t->count; k++) {
        const irl_access *a = &t->list[k];
        if (a->is_declared || !a->rank || !a->buffer || strcmp(a->buffer, buffer) != 0) continue;
        if (a->kind != IRL_ACCESS_READ) return k;
        if (found < 0) found = k;
    }
    return found;
}

static irlc_status show_access(const irlc_args *args, const irl_func *f, irl_picture_options how)
{
    const char             *buffer = value_of(args, OPT_ACCESS, ""), *near = NULL;
    const irl_access_table *t = irl_func_accesses(f);
    const int               k = find_access(t, buffer);
    int                     edits = 0;
    irl_shape      shape;
    for (int j = 0; k < 0 && t && j < t->count; j++)
        if (t->list[j].buffer) look_near(buffer, t->list[j].buffer, &near, &edits);
    if (k < 0) return bad_name(args, "the function accesses no such buffer", buffer, "", near);
    const irl_map *map = irl_func_access_map(f, k, &shape);
    how.is_access = 1;
    if (!how.walk) how.walk = 1;
    how.side = IRL_PICTURE_MEMORY;
    if (map) buffer = irl_map_picture_with(args->cx, map, shape, &how);
    if (!irl_ok(args->cx)) return failed(args);
    say("%s", buffer);
    return IRLC_YES;
}

/* --type of elements that take bits: their memory is drawn bit by bit, unless what is framed is
   said. */
static irlc_status read_bits_shown(const irlc_args *args, irl_bit_element *element,
                                   irl_picture_options *how)
{
    irl_type type;
    if (!has(args, OPT_TYPE) || has(args, OPT_LINE) || has(args, OPT_FRAME)) return IRLC_YES;
    return read_element(args, &type, element, &how->bits);
}

static irlc_status show_record(const irlc_args *args, const irl_picture_options *how)
{
    irlc_status        status;
    if (has(args, OPT_TYPE) || has(args, OPT_ACCESS) || has(args, OPT_LINE) ||
        has(args, OPT_FRAME) || has(args, OPT_SIDE) || how->walk)
        return bad_input(args, "for a record only --svg, --color, --cells and -o are allowed",
                         NULL);
    const irl_record *r = read_record(args, &status);
    if (status != IRLC_YES) return status;
    const char        *text = irl_record_picture(r, how);
    irl_record_verdict v = irl_record_check(r);
    if (!irl_ok(args->cx)) return failed(args);
    say("%s", text);
    return (irlc_status)irl_code_outcome(v.code);
}

static irlc_status show_function(const irlc_args *args, const irl_picture_options *how)
{
    irlc_program p;
    irlc_status  status = read_program(args, &p);
    if (status != IRLC_YES) return status;
    if (has(args, OPT_ACCESS)) return show_access(args, p.f, *how);
    const char *text = irl_func_picture_with(p.f, how);
    if (!irl_ok(args->cx)) return failed(args);
    say("%s", text);
    return IRLC_YES;
}

irlc_status command_show(const irlc_args *args)
{
    irl_picture_options how;
    irl_bit_element     element;
    irl_shape           shape;
    const irl_map      *map;
    memset(&how, 0, sizeof how);
    how.walk = has(args, OPT_ANIMATE) ? 2 : has(args, OPT_WALK);
    irlc_status status = read_form(args, &how.form);
    if (status == IRLC_YES) status = read_side(args, &how.side);
    if (status == IRLC_YES) status = read_bits_shown(args, &element, &how);
    if (status == IRLC_YES && !how.bits) status = read_frame(args, &how.frame);
    if (status == IRLC_YES) status = read_cells(args, &how);
    if (status == IRLC_YES && args->count == 2 && has(args, OPT_ACCESS))
        return bad_input(args, "--access is for functions", NULL);
    if (status == IRLC_YES && is_record_file(args)) return show_record(args, &how);
    if (status == IRLC_YES && args->count == 1) return show_function(args, &how);
    if (status == IRLC_YES) status = read_map_and_shape(args, &map, &shape);
    if (status != IRLC_YES) return status;
    const char *text = irl_map_picture_with(args->cx, map, shape, &how);
    irl_code code = how.bits ? irl_map_check_bits(args->cx, map, shape, how.bits).code
                             : irl_map_check(args->cx, map, shape).code;
    if (!irl_ok(args->cx)) return failed(args);
    say("%s", text);
    return (irlc_status)irl_code_outcome(code);
}
