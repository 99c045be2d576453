/* irlc.c - irlayout on the command line, for build scripts and newcomers: one file, over the public API alone.

   Results go to stdout and nothing else does; diagnostics go to stderr. Exit status: 0 yes, 1 no, 2 bad input, 3 undecided.
   Built with -DIRLC_NO_OPENCL it needs no OpenCL; `run` then interprets only.

   READING ORDER  the tables of options and commands at the end; what all commands do alike; the commands */
#define IRLAYOUT_IMPLEMENTATION
#ifndef IRLC_NO_OPENCL
#define IRLAYOUT_OCL_RUNTIME
#endif
#include "irlayout_ocl.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum irlc_status { IRLC_YES = 0, IRLC_NO = 1, IRLC_BAD_INPUT = 2, IRLC_UNDECIDED = 3 } irlc_status;

typedef enum irlc_option {
    OPT_BOUND, OPT_LAYOUT, OPT_ASSUME, OPT_SCOPE, OPT_PADDING, OPT_TARGET, OPT_EMIT, OPT_AFTER, OPT_TRACE, OPT_INTERPRET, OPT_DEVICE,
    OPT_CHECK, OPT_SEED, OPT_SET, OPT_ULP, OPT_CHANNEL, OPT_LIMIT, OPT_TYPE, OPT_PAD, OPT_PROOF, OPT_JSON, OPT_HELP, OPT_COUNT
} irlc_option;

/* One option as it was given. */
typedef struct irlc_given {
    irlc_option option;
    const char *value; /* NULL for a flag */
} irlc_given;

enum { IRLC_MOST = 64 };

typedef struct irlc_args {
    irl_ctx    *cx;
    const char *command;
    int         count, given_count;
    const char *item[IRLC_MOST]; /* what is not an option */
    irlc_given  given[IRLC_MOST];
} irlc_args;

/* ------------------------------------------------------------------ saying no */

/* A message of our own; the library's come through failed(). */
static irlc_status bad_input(const irlc_args *args, const char *what, const char *which)
{
    fprintf(stderr, "irlc %s: %s%s%s\n", args->command, what, which ? ": " : "", which ? which : "");
    return IRLC_BAD_INPUT;
}

/* What the library's failures mean for a script. Any other is bad input. */
static irlc_status status_of(irl_code code)
{
    static const struct { irl_code code; irlc_status status; } rows[] = {
        { IRL_ERROR_LOSSY_MAP, IRLC_NO },    { IRL_ERROR_MAP_OUT_OF_RANGE, IRLC_NO }, { IRL_ERROR_OUT_OF_BOUNDS, IRLC_NO },
        { IRL_ERROR_DATA_RACE, IRLC_NO },    { IRL_ERROR_BARRIER_DIVERGENT, IRLC_NO }, { IRL_ERROR_ASSERTION, IRLC_NO },
        { IRL_ERROR_UNDEF_USED, IRLC_NO },   { IRL_ERROR_UNDECIDED, IRLC_UNDECIDED },  { IRL_ERROR_STEP_LIMIT, IRLC_UNDECIDED },
    };
    size_t k;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++)
        if (rows[k].code == code) return rows[k].status;
    return IRLC_BAD_INPUT;
}

static irlc_status failed(const irlc_args *args)
{
    const irl_diag *d = irl_diagnostic(args->cx);
    fprintf(stderr, "%s\n", d ? irl_diag_text(args->cx) : "irlc: failed without a diagnostic");
    return d ? status_of(d->code) : IRLC_BAD_INPUT;
}

/* ------------------------------------------------------------------ what was given */

/* The value of the last such option, `otherwise` if there is none. */
static const char *value_of(const irlc_args *args, irlc_option option, const char *otherwise)
{
    int k;
    for (k = args->given_count; k-- > 0;)
        if (args->given[k].option == option) return args->given[k].value;
    return otherwise;
}

static int has(const irlc_args *args, irlc_option option)
{
    int k;
    for (k = 0; k < args->given_count; k++)
        if (args->given[k].option == option) return 1;
    return 0;
}

/* A decimal number at *text, which moves behind it. */
static int read_int(const char **text, int64_t *out)
{
    char     *end;
    long long value;
    errno = 0;
    value = strtoll(*text, &end, 10);
    if (end == *text || errno) return 0;
    *text = end;
    *out = (int64_t)value;
    return 1;
}

static const char *skip_any(const char *p, const char *which)
{
    while (*p && strchr(which, *p)) p++;
    return p;
}

/* "2,5,7,16" or "2x5x7x16", in brackets or not; a shape of no axes is "[]". */
static int read_shape(const char *text, irl_shape *out)
{
    const char *p = skip_any(text, " [(");
    memset(out, 0, sizeof *out);
    if (*skip_any(p, " ])") == '\0') return p != text;
    for (;;) {
        if (out->rank == IRL_MAX_RANK || !read_int(&p, &out->extent[out->rank++])) return 0;
        p = skip_any(p, " ");
        if (*p != ',' && *p != 'x') break;
        p = skip_any(p + 1, " ");
    }
    return *skip_any(p, " ])") == '\0';
}

/* "name=rest": copies the name, returns the rest; NULL if there is no '=' or the name is too long. */
static const char *split_name(const char *text, char *name, size_t capacity)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || (size_t)(equals - text) >= capacity) return NULL;
    memcpy(name, text, (size_t)(equals - text));
    name[equals - text] = '\0';
    return equals + 1;
}

/* The map and the shape that most commands start with. */
static irlc_status read_map_and_shape(const irlc_args *args, const irl_map **map, irl_shape *shape)
{
    if (!read_shape(args->item[1], shape)) return bad_input(args, "a shape is written 2,5,7,16; found", args->item[1]);
    *map = irl_map_parse(args->cx, args->item[0]);
    return *map ? IRLC_YES : failed(args);
}

/* --type */
static irlc_status read_type(const irlc_args *args, irl_type *out)
{
    const char *type = value_of(args, OPT_TYPE, "f32");
    int         k;
    for (k = 0; k < IRL__SCALAR_COUNT; k++) {
        *out = irl_type_of((irl_scalar)k, 1);
        if (strcmp(irl_type_text(args->cx, *out), type) == 0) return IRLC_YES;
    }
    return bad_input(args, "there is no such element type", type);
}

/* --type of a texture: with lanes, so many to a texel. */
static irlc_status read_texel_type(const irlc_args *args, irl_type *out)
{
    static const int lanes[] = { 4, 8, 16 };
    const char      *type = value_of(args, OPT_TYPE, "f32");
    int              k, j;
    for (k = 0; k < IRL__SCALAR_COUNT; k++)
        for (j = 0; j < 3; j++) {
            *out = irl_type_of((irl_scalar)k, lanes[j]);
            if (strcmp(irl_type_text(args->cx, *out), type) == 0) return IRLC_YES;
        }
    return read_type(args, out);
}

/* --emit: 1 if it is OpenCL. */
static irlc_status read_emit(const irlc_args *args, int *is_opencl)
{
    const char *emit = value_of(args, OPT_EMIT, "ir");
    *is_opencl = strcmp(emit, "opencl") == 0;
    return *is_opencl || strcmp(emit, "ir") == 0 ? IRLC_YES : bad_input(args, "--emit is ir or opencl; found", emit);
}

/* ------------------------------------------------------------------ JSON */

/* Commas go before every member but the first. */
typedef struct irlc_json {
    int is_member;
} irlc_json;

static void json_string(const char *s)
{
    if (!s) {
        fputs("null", stdout);
        return;
    }
    putchar('"');
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\') printf("\\%c", c);
        else if (c == '\n') fputs("\\n", stdout);
        else if (c < 32) printf("\\u%04x", c);
        else putchar(c);
    }
    putchar('"');
}

static void json_next(irlc_json *j)
{
    if (j->is_member) fputs(", ", stdout);
    j->is_member = 1;
}

static void json_open(irlc_json *j, char bracket)
{
    putchar(bracket);
    j->is_member = 0;
}

static void json_close(irlc_json *j, char bracket)
{
    putchar(bracket);
    j->is_member = 1;
}

static void json_key(irlc_json *j, const char *key)
{
    json_next(j);
    printf("\"%s\": ", key);
}

static void json_text(irlc_json *j, const char *key, const char *value)
{
    json_key(j, key);
    json_string(value);
}

static void json_int(irlc_json *j, const char *key, int64_t value)
{
    json_key(j, key);
    printf("%lld", (long long)value);
}

static void print_shape(const irl_shape *s)
{
    int k;
    putchar('[');
    for (k = 0; k < s->rank; k++) printf(k ? ", %lld" : "%lld", (long long)s->extent[k]);
    putchar(']');
}

/* null where there is none. */
static void json_shape(irlc_json *j, const char *key, const irl_shape *s)
{
    json_key(j, key);
    if (s) print_shape(s);
    else fputs("null", stdout);
}

static void print_line(const char *title, const irl_shape *s)
{
    printf("%-10s ", title);
    print_shape(s);
    putchar('\n');
}

/* ------------------------------------------------------------------ irlc map */

/* The groups between separators, each flattened row-major: extents, or the place of a point. 0 if something overflows. */
static int flatten(const irl_map *map, const irl_shape *physical, const irl_shape *point, irl_shape *out)
{
    int separators[IRL_MAX_RANK], count = irl_map_separators(map, separators, IRL_MAX_RANK), k, next = 0;
    memset(out, 0, sizeof *out);
    for (k = 0; k < physical->rank; k++) {
        int64_t extent = physical->extent[k], *total;
        if (k == 0 || (next < count && separators[next] == k)) {
            next += k != 0;
            out->extent[out->rank++] = point ? 0 : 1;
        }
        total = &out->extent[out->rank - 1];
        if (extent < 0 || (extent && *total > INT64_MAX / extent - (point != NULL))) return 0;
        if (point && (point->extent[k] < 0 || point->extent[k] >= extent)) return 0;
        *total = *total * extent + (point ? point->extent[k] : 0);
    }
    return 1;
}

static irlc_status command_map(const irlc_args *args)
{
    irl_shape      shape, physical, minimum, point, at, memory, place, separators;
    const irl_map *map;
    irlc_json      j = { 0 };
    irlc_status    status = read_map_and_shape(args, &map, &shape);
    int            has_point = args->count > 2, list[IRL_MAX_RANK], is_flat, is_placed, k;
    if (status != IRLC_YES) return status;
    if (has_point && !read_shape(args->item[2], &point)) return bad_input(args, "a point is written 0,3,1,15; found", args->item[2]);
    for (k = 0; has_point && k < shape.rank && k < point.rank; k++)
        if (point.extent[k] < 0 || point.extent[k] >= shape.extent[k]) return bad_input(args, "the point is not in the shape", args->item[2]);
    map = irl_map_of_rank(args->cx, map, shape.rank);
    if (!map || !irl_map_shape(args->cx, map, shape, &physical, &minimum)) return failed(args);
    if (has_point && !irl_map_apply(args->cx, map, point, &at)) return failed(args);
    is_flat = flatten(map, &physical, NULL, &memory);
    is_placed = has_point && is_flat && flatten(map, &physical, &at, &place);
    memset(&separators, 0, sizeof separators);
    separators.rank = irl_map_separators(map, list, IRL_MAX_RANK);
    for (k = 0; k < separators.rank; k++) separators.extent[k] = list[k];

    if (has(args, OPT_JSON)) {
        json_open(&j, '{');
        json_text(&j, "map", irl_map_text(args->cx, map));
        json_shape(&j, "shape", &shape);
        json_shape(&j, "min", &minimum);
        json_shape(&j, "physical", &physical);
        json_shape(&j, "separators", &separators);
        json_shape(&j, "memory", is_flat ? &memory : NULL);
        json_shape(&j, "point", has_point ? &point : NULL);
        json_shape(&j, "at", has_point ? &at : NULL);
        json_shape(&j, "place", is_placed ? &place : NULL);
        json_close(&j, '}');
        putchar('\n');
        return IRLC_YES;
    }
    print_line("physical", &physical);
    for (k = 0; k < minimum.rank && minimum.extent[k] == 0; k++) continue;
    if (k < minimum.rank) print_line("minimum", &minimum);
    if (separators.rank) print_line("separators", &separators);
    if (is_flat) print_line("memory", &memory);
    if (has_point) print_line("point", &point);
    if (has_point) print_line("goes to", &at);
    if (is_placed) print_line("in memory", &place);
    return IRLC_YES;
}

/* ------------------------------------------------------------------ irlc texture */

/* --channel, --limit and --type. */
static irlc_status read_texture_question(const irlc_args *args, irl_texture_question *q)
{
    const char *channel = value_of(args, OPT_CHANNEL, NULL), *limit = value_of(args, OPT_LIMIT, NULL), *p;
    irl_shape   sides;
    int64_t     axis;
    memset(q, 0, sizeof *q);
    if (!read_shape(args->item[0], &q->shape)) return bad_input(args, "a shape is written 1x64x56x56; found", args->item[0]);
    q->channel = -1;
    if ((p = channel) != NULL) {
        if (!read_int(&p, &axis) || *p || axis < 0 || axis >= q->shape.rank) return bad_input(args, "--channel is one of the shape's axes, from 0; found", channel);
        q->channel = (int)axis;
    }
    if (limit) {
        if (!read_shape(limit, &sides) || sides.rank < 1 || sides.rank > 2) return bad_input(args, "a limit is written 8192x8192; found", limit);
        q->max_width = sides.extent[0];
        q->max_height = sides.extent[sides.rank - 1];
        if (q->max_width < 1 || q->max_height < 1) return bad_input(args, "a limit is at least 1x1; found", limit);
    }
    return read_texel_type(args, &q->element);
}

static void json_candidate(const irlc_args *args, irlc_json *j, const irl_texture_candidate *c)
{
    json_next(j);
    json_open(j, '{');
    json_text(j, "name", c->name);
    json_text(j, "map", irl_map_text(args->cx, c->map));
    json_int(j, "width", c->width);
    json_int(j, "height", c->height);
    json_int(j, "waste", c->waste);
    json_key(j, "fits");
    fputs(c->fits ? "true" : "false", stdout);
    json_text(j, "reason", c->fits ? NULL : c->reason);
    json_close(j, '}');
}

static void json_textures(const irlc_args *args, const irl_texture_choice *t)
{
    irlc_json j = { 0 };
    irl_shape limit;
    int       k;
    memset(&limit, 0, sizeof limit);
    limit.rank = 2;
    limit.extent[0] = t->question.max_width;
    limit.extent[1] = t->question.max_height;
    json_open(&j, '{');
    json_shape(&j, "shape", &t->question.shape);
    json_shape(&j, "limit", &limit);
    json_key(&j, "candidates");
    json_open(&j, '[');
    for (k = 0; k < t->count; k++) json_candidate(args, &j, &t->list[k]);
    json_close(&j, ']');
    json_text(&j, "chosen", t->chosen < 0 ? NULL : t->list[t->chosen].name);
    json_close(&j, '}');
    putchar('\n');
}

static irlc_status command_texture(const irlc_args *args)
{
    irl_texture_question q;
    irl_texture_choice   t;
    irlc_status          status = read_texture_question(args, &q);
    int                  k;
    if (status != IRLC_YES) return status;
    t = irl_texture_candidates(args->cx, &q);
    if (!irl_ok(args->cx)) return failed(args);
    if (has(args, OPT_JSON)) json_textures(args, &t);
    for (k = 0; !has(args, OPT_JSON) && k < t.count; k++) {
        const irl_texture_candidate *c = &t.list[k];
        printf("%c %-24s %8lld x %-8lld waste %-10lld %s%s\n", k == t.chosen ? '*' : ' ', c->name, (long long)c->width, (long long)c->height,
               (long long)c->waste, c->fits ? "fits" : "no: ", c->reason);
    }
    if (!has(args, OPT_JSON) && t.chosen >= 0) printf("chosen     %s\nmap        %s\n", t.list[t.chosen].name, irl_map_text(args->cx, t.list[t.chosen].map));
    return t.chosen >= 0 ? IRLC_YES : IRLC_NO;
}

/* ------------------------------------------------------------------ irlc target */

static irlc_status command_target(const irlc_args *args)
{
    int k;
    if (args->count == 1 && !irl_target_find(args->item[0])) return bad_input(args, "no such target (irlc target lists them)", args->item[0]);
    for (k = 0; irl_target_name(k); k++) {
        const char *text = irl_target_text(args->cx, irl_target_find(irl_target_name(k)));
        if (text && (args->count == 0 || strcmp(irl_target_name(k), args->item[0]) == 0)) fputs(text, stdout);
    }
    return irl_ok(args->cx) ? IRLC_YES : failed(args);
}

/* ------------------------------------------------------------------ names in expressions and shapes */

typedef struct irlc_names {
    int             count;
    char            name[IRLC_MOST][64];
    const irl_expr *var[IRLC_MOST];
    irl_range       range[IRLC_MOST];
} irlc_names;

static int find_name(const irlc_names *names, const char *text, size_t length)
{
    int k;
    for (k = 0; k < names->count; k++)
        if (strlen(names->name[k]) == length && memcmp(names->name[k], text, length) == 0) return k;
    return -1;
}

static int add_name(const irlc_args *args, irlc_names *names, const char *text, size_t length, int64_t lo, int64_t hi)
{
    int n = names->count;
    if (n == IRLC_MOST || length >= sizeof names->name[0]) return 0;
    memcpy(names->name[n], text, length);
    names->name[n][length] = '\0';
    names->var[n] = irl_var(args->cx, names->name[n], irl_type_of(IRL_INDEX, 1));
    names->range[n].var = names->var[n];
    names->range[n].lo = lo;
    names->range[n].hi = hi;
    names->count++;
    return names->var[n] != NULL;
}

/* name=lo..hi, name=value, or name */
static int read_range(const irlc_args *args, irlc_names *names, const char *text)
{
    size_t      length = strcspn(text, "=");
    const char *p = text + length + (text[length] == '=');
    int64_t     lo = INT64_MIN, hi = INT64_MAX;
    if (text[length] == '=') {
        if (!read_int(&p, &lo)) return 0;
        hi = lo;
        if (strncmp(p, "..", 2) == 0) {
            p += 2;
            if (!read_int(&p, &hi)) return 0;
        }
        if (*p) return 0;
    }
    return length && add_name(args, names, text, length, lo, hi);
}

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* Names in the expression that no range was given for may be anything. A name before '(' is a function. */
static int add_free_names(const irlc_args *args, irlc_names *names, const char *p)
{
    while (*p) {
        const char *start = p;
        size_t      length;
        if (!is_letter(*p) && !is_digit(*p)) {
            p++;
            continue;
        }
        while (is_letter(*p) || is_digit(*p)) p++;
        length = (size_t)(p - start);
        if (is_digit(*start) || *skip_any(p, " \t\n") == '(' || find_name(names, start, length) >= 0) continue;
        if ((length == 4 && memcmp(start, "true", 4) == 0) || (length == 5 && memcmp(start, "false", 5) == 0)) continue;
        if (!add_name(args, names, start, length, INT64_MIN, INT64_MAX)) return 0;
    }
    return 1;
}

/* Whether a shape has names in it: N, 4*N. */
static int is_symbolic(const char *p)
{
    if (!p) return 0;
    while (*p && !is_letter(*p)) {
        while (is_digit(*p)) { /* 2x5x7 has none */
            p++;
            while (is_digit(*p) || (*p == 'x' && is_digit(p[1]))) p++;
        }
        if (*p && !is_letter(*p)) p++;
    }
    return *p != '\0';
}

/* "[N, 4*N]": the expressions between the commas. */
static irlc_status read_extents(const irlc_args *args, const irlc_names *names, const char *text, int *count, const irl_expr **extents)
{
    char        piece[256];
    const char *p = skip_any(text, " ["), *end = p + strlen(p);
    int         depth = 0;
    size_t      n = 0;
    while (end > p && (end[-1] == ']' || end[-1] == ' ')) end--;
    for (*count = 0;; p++) {
        int ends = p == end || (*p == ',' && depth == 0);
        if (!ends && n + 1 == sizeof piece) return bad_input(args, "an extent is too long", text);
        if (!ends) {
            depth += (*p == '(') - (*p == ')');
            piece[n++] = *p;
            continue;
        }
        piece[n] = '\0';
        n = 0;
        if (*count == IRL_MAX_RANK) return bad_input(args, "a shape of too many axes", text);
        extents[*count] = irl_parse_expr(args->cx, piece, names->count, names->var);
        if (!extents[(*count)++]) return failed(args);
        if (p == end) return IRLC_YES;
    }
}

/* The map, its shape and the bound, with names for extents. */
typedef struct irlc_symbolic {
    irlc_names      names;
    const irl_map  *map;
    int             rank, bound_rank;
    const irl_expr *extents[IRL_MAX_RANK], *bound[IRL_MAX_RANK];
    irl_symbolic    v;
} irlc_symbolic;

static irlc_status judge_symbolic(const irlc_args *args, irlc_symbolic *s)
{
    const char *bound = value_of(args, OPT_BOUND, NULL);
    irlc_status status;
    s->names.count = 0;
    if (!add_free_names(args, &s->names, args->item[1]) || (bound && !add_free_names(args, &s->names, bound)))
        return bad_input(args, "too many names, or one that is too long", NULL);
    status = read_extents(args, &s->names, args->item[1], &s->rank, s->extents);
    if (status == IRLC_YES && bound) status = read_extents(args, &s->names, bound, &s->bound_rank, s->bound);
    if (status != IRLC_YES) return status;
    s->map = irl_map_of_rank(args->cx, irl_map_parse_with(args->cx, args->item[0], s->names.count, s->names.var), s->rank);
    if (!s->map) return failed(args);
    if (bound && s->bound_rank != irl_map_outputs(s->map)) return bad_input(args, "the bound has not one extent for each output of the map; found", bound);
    s->v = irl_check_extents_within(args->cx, s->map, s->rank, s->extents, bound ? s->bound : NULL);
    return irl_ok(args->cx) ? IRLC_YES : failed(args);
}

static irlc_status status_of_symbolic(const irl_symbolic *v)
{
    if (v->kind == IRL_UNDECIDED) return IRLC_UNDECIDED;
    return v->kind == IRL_BIJECTIVE || v->kind == IRL_INJECTIVE ? IRLC_YES : IRLC_NO;
}

static irlc_status check_symbolic(const irlc_args *args)
{
    irlc_symbolic s;
    irlc_status   status = judge_symbolic(args, &s);
    const char   *text;
    if (status != IRLC_YES) return status;
    text = has(args, OPT_JSON) ? irl_symbolic_json(args->cx, s.map, s.rank, s.extents, &s.v) : irl_symbolic_text(args->cx, &s.v);
    if (!irl_ok(args->cx)) return failed(args);
    puts(text);
    if (!has(args, OPT_JSON) && s.v.method[0]) printf("known by %s\n", s.v.method);
    return status_of_symbolic(&s.v);
}

static irlc_status inverse_symbolic(const irlc_args *args)
{
    irlc_symbolic s;
    irlc_status   status = judge_symbolic(args, &s);
    if (status != IRLC_YES) return status;
    status = status_of_symbolic(&s.v);
    if (status != IRLC_YES) {
        fprintf(stderr, "no inverse: the map is %s\n", irl_symbolic_text(args->cx, &s.v));
        return status;
    }
    if (has(args, OPT_JSON)) {
        puts(irl_symbolic_json(args->cx, s.map, s.rank, s.extents, &s.v));
        return IRLC_YES;
    }
    puts(irl_map_text(args->cx, s.v.inverse));
    if (s.v.kind == IRL_INJECTIVE) printf("padding where %s\n", irl_expr_text(args->cx, s.v.padding));
    return IRLC_YES;
}

/* ------------------------------------------------------------------ irlc check, irlc inverse */

static irlc_status status_of_verdict(const irl_verdict *v)
{
    switch (v->kind) {
    case IRL_BIJECTIVE: case IRL_INJECTIVE: return IRLC_YES;
    case IRL_LOSSY: case IRL_OUT_OF_RANGE: return IRLC_NO;
    default: return IRLC_UNDECIDED;
    }
}

/* The verdict on the map and shape of the command line; IRLC_YES if there is one, whatever it says. */
static irlc_status judge(const irlc_args *args, const irl_map **map, irl_verdict *v)
{
    irl_shape    shape, bound;
    irl_checking how;
    const char  *bound_text = value_of(args, OPT_BOUND, NULL);
    irlc_status  status = read_map_and_shape(args, map, &shape);
    if (status != IRLC_YES) return status;
    memset(&how, 0, sizeof how);
    if (bound_text) {
        if (!read_shape(bound_text, &bound)) return bad_input(args, "a bound is a shape, written 2,5,7,16; found", bound_text);
        how.bound = &bound;
    }
    *v = irl_check_with(args->cx, *map, shape, &how);
    return irl_ok(args->cx) ? IRLC_YES : failed(args);
}

static irlc_status command_check(const irlc_args *args)
{
    const irl_map *map;
    irl_verdict    v;
    irlc_status    status;
    const char    *text;
    if (is_symbolic(args->item[1]) || is_symbolic(value_of(args, OPT_BOUND, NULL))) return check_symbolic(args);
    status = judge(args, &map, &v);
    if (status != IRLC_YES) return status;
    text = has(args, OPT_JSON) ? irl_verdict_json(args->cx, map, &v) : irl_verdict_text(args->cx, &v);
    if (!text || !irl_ok(args->cx)) return failed(args);
    puts(text);
    if (!has(args, OPT_JSON) && v.method && v.method[0]) printf("known by %s\n", v.method);
    return status_of_verdict(&v);
}

static irlc_status command_inverse(const irlc_args *args)
{
    const irl_map *map;
    irl_verdict    v;
    irlc_json      j = { 0 };
    irlc_status    status;
    if (is_symbolic(args->item[1])) return inverse_symbolic(args);
    status = judge(args, &map, &v);
    if (status != IRLC_YES) return status;
    if (!v.inverse) {
        status = status_of_verdict(&v);
        fprintf(stderr, "no inverse: the map is %s\n", irl_verdict_text(args->cx, &v));
        return status == IRLC_YES ? IRLC_UNDECIDED : status; /* it has one, but none was found that is a formula */
    }
    if (has(args, OPT_JSON)) {
        json_open(&j, '{');
        json_text(&j, "map", irl_map_text(args->cx, map));
        json_shape(&j, "shape", &v.shape);
        json_shape(&j, "physical", &v.physical);
        json_text(&j, "inverse", irl_map_text(args->cx, v.inverse));
        json_text(&j, "padding", v.padding ? irl_expr_text(args->cx, v.padding) : "false");
        json_int(&j, "pad_cells", v.pad_cells);
        json_close(&j, '}');
        putchar('\n');
        return IRLC_YES;
    }
    puts(irl_map_text(args->cx, v.inverse));
    if (v.pad_cells) printf("padding where %s\n", v.padding ? irl_expr_text(args->cx, v.padding) : "(not known)");
    return IRLC_YES;
}

/* ------------------------------------------------------------------ irlc simplify */

static irlc_status command_simplify(const irlc_args *args)
{
    irlc_names      names;
    const irl_expr *e, *simple;
    irlc_json       j = { 0 };
    int             k;
    names.count = 0;
    for (k = 1; k < args->count; k++)
        if (!read_range(args, &names, args->item[k])) return bad_input(args, "a range is written c=0..63; found", args->item[k]);
    if (!add_free_names(args, &names, args->item[0])) return bad_input(args, "too many names, or one that is too long", NULL);
    e = irl_parse_expr(args->cx, args->item[0], names.count, names.var);
    simple = irl_simplify(args->cx, e, names.count, names.range);
    if (!simple) return failed(args);
    if (has(args, OPT_JSON)) {
        json_open(&j, '{');
        json_text(&j, "expression", irl_expr_text(args->cx, e));
        json_text(&j, "simplified", irl_expr_text(args->cx, simple));
        json_close(&j, '}');
        putchar('\n');
    } else puts(irl_expr_text(args->cx, simple));
    return IRLC_YES;
}

/* ------------------------------------------------------------------ reading a program */

/* A function to be lowered, or a module that is lowered already. */
typedef struct irlc_program {
    const irl_func   *f;      /* as written, its layouts not yet applied; of a module, its host function */
    const irl_module *module; /* NULL until it is lowered */
    int               is_module;
} irlc_program;

/* The whole file, "-" being the standard input, with a '\0' behind; NULL if it cannot be read. */
static char *read_file(const char *path, size_t *length)
{
    FILE  *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    char  *text = NULL, *grown;
    size_t capacity = 0, n = 1;
    int    broken; /* a folder opens, but cannot be read */
    *length = 0;
    while (in && n > 0) {
        if (*length + 1 >= capacity) {
            capacity = capacity ? capacity * 2 : 65536;
            grown = (char *)realloc(text, capacity);
            if (!grown) break;
            text = grown;
        }
        n = fread(text + *length, 1, capacity - *length - 1, in);
        *length += n;
    }
    broken = !in || n > 0 || ferror(in);
    if (in && in != stdin) fclose(in);
    if (broken) {
        free(text);
        return NULL;
    }
    text[*length] = '\0';
    return text;
}

/* Does the text start with the word `module`, white space and comments aside? */
static int starts_with_module(const char *p)
{
    for (;;) {
        p = skip_any(p, " \t\r\n");
        if (p[0] == '/' && p[1] == '/') p += strcspn(p, "\n");
        else if (p[0] == '/' && p[1] == '*') p = strstr(p, "*/") ? strstr(p, "*/") + 2 : p + strlen(p);
        else return strncmp(p, "module", 6) == 0 && !is_letter(p[6]) && !is_digit(p[6]);
    }
}

static const char *const scope_names[] = {
#define IRL_SCOPE_ROW(name, text, ocl, dimensions, doc) text,
#include "../src/ir/scopes.h"
};

/* One BUF=... option applied to f; NULL with IRLC_BAD_INPUT said, or with the library's diagnostic. */
static const irl_func *apply_option(const irlc_args *args, const irl_func *f, const irlc_given *given, irlc_status *status)
{
    char        name[256];
    const char *rest = split_name(given->value, name, sizeof name);
    int         scope;
    char       *end;
    double      value;
    if (!rest) {
        *status = bad_input(args, "the option wants BUF=...; found", given->value);
        return NULL;
    }
    if (given->option == OPT_LAYOUT) return irl_set_layout(f, name, irl_map_parse(args->cx, rest));
    if (given->option == OPT_ASSUME) return irl_assume_layout(f, name, irl_map_parse(args->cx, rest));
    if (given->option == OPT_SCOPE) {
        scope = irl_scope_find(rest);
        if (scope >= 0) return irl_set_scope(f, name, (irl_scope)scope);
        *status = bad_input(args, "there is no such scope", rest);
        for (scope = 0; scope < IRL__SCOPE_COUNT; scope++) fprintf(stderr, "    %s\n", scope_names[scope]);
        return NULL;
    }
    value = strtod(rest, &end);
    if (end != rest && *end == '\0') return irl_set_padding(f, name, value);
    *status = bad_input(args, "padding is a number; found", rest);
    return NULL;
}

/* Layouts in the order given, then scopes, then paddings, which belong to the layouts. */
static irlc_status apply_options(const irlc_args *args, const irl_func **f)
{
    static const irlc_option order[][2] = { { OPT_LAYOUT, OPT_ASSUME }, { OPT_SCOPE, OPT_SCOPE }, { OPT_PADDING, OPT_PADDING } };
    irlc_status              status = IRLC_YES;
    size_t                   round;
    int                      k;
    for (round = 0; round < sizeof order / sizeof order[0]; round++)
        for (k = 0; k < args->given_count; k++) {
            irlc_option option = args->given[k].option;
            if (option != order[round][0] && option != order[round][1]) continue;
            *f = apply_option(args, *f, &args->given[k], &status);
            if (!*f) return status != IRLC_YES ? status : failed(args);
        }
    return IRLC_YES;
}

static irlc_status read_program(const irlc_args *args, irlc_program *p)
{
    size_t      length;
    const char *path = args->item[0];
    char       *text = read_file(path, &length);
    memset(p, 0, sizeof *p);
    if (!text) return bad_input(args, "cannot read the file", path);
    p->is_module = starts_with_module(text);
    if (p->is_module) {
        p->module = irl_parse_module(args->cx, text, length, path);
        p->f = irl_module_host(p->module);
    } else p->f = irl_parse_func(args->cx, text, length, path);
    free(text); /* the context keeps a copy */
    if (!irl_ok(args->cx) || !p->f) return failed(args);
    if (!p->is_module) return apply_options(args, &p->f);
    if (has(args, OPT_LAYOUT) || has(args, OPT_ASSUME) || has(args, OPT_SCOPE) || has(args, OPT_PADDING) || has(args, OPT_AFTER))
        return bad_input(args, "the file holds a module, which is lowered already: layouts, scopes and passes need a function", path);
    return IRLC_YES;
}

static const irl_target *find_target(const irlc_args *args, irlc_status *status)
{
    const char       *name = value_of(args, OPT_TARGET, "opencl12");
    const irl_target *target = irl_target_find(name);
    int               k;
    if (target) return target;
    *status = bad_input(args, "there is no such target", name);
    for (k = 0; irl_target_name(k); k++) fprintf(stderr, "    %s\n", irl_target_name(k));
    return NULL;
}

/* Runs the passes up to and with the one named. */
static irlc_status run_passes(const irlc_args *args, const char *last, const irl_func **f)
{
    int k, j;
    for (k = 0; irl_pass_name(k) && strcmp(irl_pass_name(k), last) != 0; k++) continue;
    if (!irl_pass_name(k)) {
        bad_input(args, "there is no such pass", last);
        for (k = 0; irl_pass_name(k); k++) fprintf(stderr, "    %s\n", irl_pass_name(k));
        return IRLC_BAD_INPUT;
    }
    for (j = 0; j <= k && *f; j++) *f = irl_run_pass(*f, irl_pass_name(j));
    return *f ? IRLC_YES : failed(args);
}

/* ------------------------------------------------------------------ irlc lower */

static void trace(void *user, const char *pass, const char *text)
{
    (void)user;
    fprintf(stderr, "// after %s\n%s\n", pass, text);
}

static irlc_status lower(const irlc_args *args, irlc_program *p)
{
    irlc_status       status = IRLC_YES;
    const irl_target *target = find_target(args, &status);
    irl_lowering      how = { NULL, NULL, 0, 0 };
    if (!target) return status;
    if (p->is_module) return IRLC_YES;
    if (has(args, OPT_TRACE)) {
        trace(NULL, "reading", irl_func_text(p->f));
        how.after_pass = trace;
    }
    p->module = irl_lower_with(p->f, target, &how);
    return p->module ? IRLC_YES : failed(args);
}

static void json_sizes(irlc_json *j, const char *key, int dimensions, const size_t *sizes, int known)
{
    int k;
    json_key(j, key);
    if (!known) {
        fputs("null", stdout);
        return;
    }
    putchar('[');
    for (k = 0; k < dimensions; k++) printf(k ? ", %lu" : "%lu", (unsigned long)sizes[k]);
    putchar(']');
}

/* Sizes are null where they depend on index arguments, local ones also where the driver may choose. */
static void json_kernel(const irlc_args *args, irlc_json *j, const irl_ocl_kernel *kernel)
{
    static const char *const access[] = { "unused", "read", "write", "read_write" };
    size_t                   global[3] = { 0, 0, 0 }, local[3] = { 0, 0, 0 };
    irl_mark                 mark = irl_mark_now(args->cx);
    int                      known = irl_ocl_sizes(args->cx, kernel, NULL, global, local), k;
    if (!irl_ok(args->cx)) irl_rewind(args->cx, mark);
    json_next(j);
    json_open(j, '{');
    json_text(j, "name", kernel->name);
    json_sizes(j, "global", kernel->dimensions, global, known);
    json_sizes(j, "local", kernel->dimensions, local, known && local[0]);
    json_key(j, "arguments");
    json_open(j, '[');
    for (k = 0; k < kernel->argument_count; k++) {
        const irl_ocl_argument *a = &kernel->arguments[k];
        json_next(j);
        json_open(j, '{');
        json_text(j, "name", a->name);
        json_text(j, "type", irl_type_text(args->cx, a->type));
        json_text(j, "kind", a->is_buffer ? "buffer" : "scalar");
        json_text(j, "access", access[a->access]);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
}

static irlc_status json_lowered(const irlc_args *args, const irlc_program *p, int is_opencl)
{
    const irl_ocl_program *program = is_opencl ? irl_ocl_emit(p->module) : NULL;
    irlc_json              j = { 0 };
    int                    k;
    if (!irl_ok(args->cx)) return failed(args);
    json_open(&j, '{');
    json_text(&j, "target", value_of(args, OPT_TARGET, "opencl12"));
    json_text(&j, "ir", irl_module_text(p->module));
    json_text(&j, "opencl", program ? program->source : NULL);
    json_key(&j, "kernels");
    json_open(&j, '[');
    for (k = 0; program && k < program->kernel_count; k++) json_kernel(args, &j, &program->kernels[k]);
    json_close(&j, ']');
    json_close(&j, '}');
    putchar('\n');
    return IRLC_YES;
}

static irlc_status print_stage(const irlc_args *args, const irl_func *f)
{
    irlc_json   j = { 0 };
    const char *pass = value_of(args, OPT_AFTER, NULL);
    irlc_status status = run_passes(args, pass, &f);
    if (status != IRLC_YES) return status;
    if (!has(args, OPT_JSON)) {
        fputs(irl_func_text(f), stdout);
        return IRLC_YES;
    }
    json_open(&j, '{');
    json_text(&j, "after", pass);
    json_text(&j, "ir", irl_func_text(f));
    json_close(&j, '}');
    putchar('\n');
    return IRLC_YES;
}

static irlc_status command_lower(const irlc_args *args)
{
    irlc_program p;
    const char  *text;
    int          is_opencl;
    irlc_status  status = read_emit(args, &is_opencl);
    if (status == IRLC_YES) status = read_program(args, &p);
    if (status != IRLC_YES) return status;
    if (has(args, OPT_AFTER)) return print_stage(args, p.f);
    status = lower(args, &p);
    if (status != IRLC_YES) return status;
    if (has(args, OPT_JSON)) return json_lowered(args, &p, is_opencl);
    text = is_opencl ? irl_ocl_source(p.module) : irl_module_text(p.module);
    if (!text) return failed(args);
    fputs(text, stdout);
    return IRLC_YES;
}

/* ------------------------------------------------------------------ irlc pack */

static irlc_status read_packing(const irlc_args *args, irl_packing *how)
{
    const char *pad = value_of(args, OPT_PAD, NULL);
    char       *end;
    memset(how, 0, sizeof *how);
    if (pad) {
        how->fill = 1;
        how->padding = strtod(pad, &end);
        if (end == pad || *end) return bad_input(args, "padding is a number; found", pad);
    }
    return read_type(args, &how->element);
}

/* The function itself, or its OpenCL source; NULL with the library's diagnostic. */
static const char *packing_text(const irl_func *f, const irl_target *target, int is_opencl)
{
    return is_opencl ? irl_ocl_source(irl_lower(f, target)) : irl_func_text(f);
}

static irlc_status command_pack(const irlc_args *args)
{
    const irl_map    *map;
    irl_shape         shape;
    irl_packing       how;
    irlc_json         j = { 0 };
    const char       *pack, *unpack, *proof;
    int               is_opencl = 0;
    irlc_status       status = read_map_and_shape(args, &map, &shape);
    const irl_target *target = find_target(args, &status);
    if (status == IRLC_YES) status = read_packing(args, &how);
    if (status == IRLC_YES) status = read_emit(args, &is_opencl);
    if (status != IRLC_YES) return status;
    pack = packing_text(irl_pack_func(args->cx, map, shape, &how), target, is_opencl);
    unpack = packing_text(irl_unpack_func(args->cx, map, shape, &how), target, is_opencl);
    proof = has(args, OPT_PROOF) ? irl_roundtrip_proof(args->cx, map, shape) : NULL;
    if (!irl_ok(args->cx)) return failed(args);
    if (has(args, OPT_JSON)) {
        json_open(&j, '{');
        json_text(&j, "map", irl_map_text(args->cx, map));
        json_shape(&j, "shape", &shape);
        json_text(&j, "pack", pack);
        json_text(&j, "unpack", unpack);
        json_text(&j, "proof", proof);
        json_close(&j, '}');
        putchar('\n');
    } else if (proof) fputs(proof, stdout);
    else printf("%s\n%s", pack, unpack);
    return IRLC_YES;
}

/* ------------------------------------------------------------------ irlc run: data */

/* The arguments of one run. */
typedef struct irlc_data {
    int           count;
    irl_tensor    tensor[IRL_MAX_ARGUMENTS];
    irl_arguments arguments;
} irlc_data;

static int64_t elements_of(const irl_tensor *t)
{
    int64_t n = 1;
    int     k;
    for (k = 0; k < t->shape.rank; k++) n *= t->shape.extent[k];
    return n;
}

static void free_data(irlc_data *d)
{
    while (d->count > 0) free(d->tensor[--d->count].data);
}

/* Data for run A or B alike: the same bytes in memory of its own. */
static int copy_data(const irlc_data *from, irlc_data *to)
{
    *to = *from;
    for (to->count = 0; to->count < from->count; to->count++) {
        irl_tensor *t = &to->tensor[to->count];
        t->data = malloc(t->bytes ? t->bytes : 1);
        if (!t->data) {
            free_data(to);
            return 0;
        }
        memcpy(t->data, from->tensor[to->count].data, t->bytes);
        to->arguments.data[to->count] = t->data;
    }
    return 1;
}

static uint32_t next_random(uint64_t *state) /* xorshift64* */
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)((*state * UINT64_C(0x2545f4914f6cdd1d)) >> 32);
}

/* Numbers of a size at which sums of many stay exact in f32: k/16 in -8..8 for floats, 0..15 for integers. */
static void fill(irl_tensor *t, uint64_t *state)
{
    unsigned char *p = (unsigned char *)t->data;
    size_t         size = t->bytes / ((size_t)elements_of(t) ? (size_t)elements_of(t) * t->type.lanes : 1), at;
    for (at = 0; size && at + size <= t->bytes; at += size) {
        uint32_t r = next_random(state);
        double   number = ((double)(r % 257) - 128) / 16;
        float    single = (float)number;
        uint64_t integer = t->type.scalar == IRL_BOOL ? r & 1 : r & 15;
        uint8_t  u8 = (uint8_t)integer;
        uint16_t u16 = (uint16_t)integer;
        uint32_t u32 = (uint32_t)integer;
        if (t->type.scalar == IRL_F16) u16 = (uint16_t)((r & 0x8000) | (13 + (r >> 16 & 3)) << 10 | (r & 0x3ff)); /* 1/4 .. 4 */
        if (t->type.scalar >= IRL_UNORM8) u8 = (uint8_t)r, u16 = (uint16_t)r; /* any fraction */
        if (t->type.scalar == IRL_BF16) u16 = (uint16_t)((r & 0x8000) | (125 + (r >> 16 & 3)) << 7 | (r & 0x7f));
        if (t->type.scalar == IRL_F32) memcpy(p + at, &single, size);
        else if (t->type.scalar == IRL_F64) memcpy(p + at, &number, size);
        else if (size == 1) p[at] = u8;
        else if (size == 2) memcpy(p + at, &u16, size);
        else if (size == 4) memcpy(p + at, &u32, size);
        else memcpy(p + at, &integer, size);
    }
}

/* --set NAME=VALUE; false if it was not given. */
static int set_value(const irlc_args *args, const char *name, const char **text)
{
    char found[256];
    int  k;
    for (k = args->given_count; k-- > 0;) {
        if (args->given[k].option != OPT_SET) continue;
        *text = split_name(args->given[k].value, found, sizeof found);
        if (*text && strcmp(found, name) == 0) return 1;
    }
    return 0;
}

/* Scalars that were set hold their value. An index must be set: shapes depend on it. */
static irlc_status fill_scalar(const irlc_args *args, const char *name, irl_tensor *t)
{
    const char *text;
    int64_t     integer = 0;
    double      number;
    float       single;
    char       *end;
    if (!set_value(args, name, &text))
        return t->type.scalar == IRL_INDEX ? bad_input(args, "an index parameter wants a value, --set NAME=VALUE", name) : IRLC_YES;
    number = strtod(text, &end);
    if (end == text || *end) return bad_input(args, "--set wants a number; found", text);
    if (t->type.lanes != 1 || t->type.scalar == IRL_F16 || t->type.scalar == IRL_BF16 || t->type.scalar >= IRL_UNORM8)
        return bad_input(args, "a parameter of this type cannot be set", name);
    single = (float)number;
    if (t->type.scalar == IRL_F32) memcpy(t->data, &single, sizeof single);
    else if (t->type.scalar == IRL_F64) memcpy(t->data, &number, sizeof number);
    else {
        if (!read_int(&text, &integer) || *text) return bad_input(args, "--set wants an integer here", name);
        if (t->bytes == 1) *(int8_t *)t->data = (int8_t)integer;
        else if (t->bytes == 2) *(int16_t *)t->data = (int16_t)integer;
        else if (t->bytes == 4) *(int32_t *)t->data = (int32_t)integer;
        else memcpy(t->data, &integer, sizeof integer);
    }
    return IRLC_YES;
}

static irlc_status make_argument(const irlc_args *args, const irl_func *f, irlc_data *d, int k, uint64_t *state)
{
    irl_tensor *t = &d->tensor[k];
    if (!irl_param_tensor(f, k, d->arguments, t)) return failed(args);
    t->data = calloc(t->bytes ? t->bytes : 1, 1);
    if (!t->data) return bad_input(args, "no memory for the argument", irl_param_name(f, k));
    d->arguments.data[k] = t->data;
    fill(t, state);
    return IRLC_YES;
}

/* Scalars first: shapes depend on them. On failure the data made so far is freed. */
static irlc_status make_data(const irlc_args *args, const irl_func *f, irlc_data *d)
{
    const char *seed_text = value_of(args, OPT_SEED, "1");
    uint64_t    state;
    int64_t     seed;
    irlc_status status = IRLC_YES;
    int         round, k;
    memset(d, 0, sizeof *d);
    if (!read_int(&seed_text, &seed) || *seed_text) return bad_input(args, "--seed wants an integer", NULL);
    state = (uint64_t)seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    d->count = d->arguments.count = irl_param_count(f);
    if (d->count > IRL_MAX_ARGUMENTS) return bad_input(args, "the function has too many parameters", NULL);
    for (round = 0; round < 2; round++)
        for (k = 0; k < d->count && status == IRLC_YES; k++) {
            int is_scalar = !irl_param_is_buffer(f, k);
            if (is_scalar != (round == 0)) continue;
            status = make_argument(args, f, d, k, &state);
            if (status == IRLC_YES && is_scalar) status = fill_scalar(args, irl_param_name(f, k), &d->tensor[k]);
        }
    if (status != IRLC_YES) free_data(d);
    return status;
}

/* ------------------------------------------------------------------ irlc run: results */

/* The value of a half or bfloat, for printing. */
static double small_float(uint16_t bits, int mantissa_bits, int bias)
{
    int    exponent = bits >> mantissa_bits & ((1 << (15 - mantissa_bits)) - 1), mantissa = bits & ((1 << mantissa_bits) - 1), k;
    double value = (double)mantissa / (double)(1 << mantissa_bits) + (exponent ? 1 : 0);
    if (exponent == (1 << (15 - mantissa_bits)) - 1) value = mantissa ? NAN : INFINITY;
    else {
        for (k = exponent ? exponent : 1; k < bias; k++) value /= 2;
        for (k = bias; k < exponent; k++) value *= 2;
    }
    return bits >> 15 ? -value : value;
}

/* One scalar as a text that JSON can hold too, except NaN and infinities. */
static void scalar_text(irl_type type, const unsigned char *p, char out[40])
{
    float    f;
    double   d;
    int64_t  i = 0;
    uint16_t u16;
    switch (type.scalar) {
    case IRL_F32: memcpy(&f, p, 4); sprintf(out, "%.9g", (double)f); return;
    case IRL_F64: memcpy(&d, p, 8); sprintf(out, "%.17g", d); return;
    case IRL_F16: memcpy(&u16, p, 2); sprintf(out, "%.6g", small_float(u16, 10, 15)); return;
    case IRL_BF16: memcpy(&u16, p, 2); sprintf(out, "%.6g", small_float(u16, 7, 127)); return;
    case IRL_UNORM8: sprintf(out, "%.6g", *p / 255.0); return;
    case IRL_SNORM8: i = *(const int8_t *)p; sprintf(out, "%.6g", i < -127 ? -1.0 : (double)i / 127.0); return;
    case IRL_UNORM16: memcpy(&u16, p, 2); sprintf(out, "%.6g", u16 / 65535.0); return;
    case IRL_SNORM16: { int16_t v; memcpy(&v, p, 2); sprintf(out, "%.6g", v < -32767 ? -1.0 : v / 32767.0); return; }
    case IRL_I8: i = *(const int8_t *)p; break;
    case IRL_I16: { int16_t v; memcpy(&v, p, 2); i = v; break; }
    case IRL_I32: { int32_t v; memcpy(&v, p, 4); i = v; break; }
    case IRL_BOOL: case IRL_U8: i = *p; break;
    case IRL_U16: memcpy(&u16, p, 2); i = u16; break;
    case IRL_U32: { uint32_t v; memcpy(&v, p, 4); i = v; break; }
    default: memcpy(&i, p, 8); break;
    }
    if (type.scalar == IRL_U64) sprintf(out, "%llu", (unsigned long long)(uint64_t)i);
    else sprintf(out, "%lld", (long long)i);
}

/* A checksum of the bytes (FNV-1a): the same results, the same checksum, on machines of one byte order. */
static uint64_t checksum(const irl_tensor *t)
{
    const unsigned char *p = (const unsigned char *)t->data;
    uint64_t             hash = UINT64_C(0xcbf29ce484222325);
    size_t               k;
    for (k = 0; k < t->bytes; k++) hash = (hash ^ p[k]) * UINT64_C(0x100000001b3);
    return hash;
}

/* The first elements, lane by lane. */
static void print_first(const irl_tensor *t, const char *separator)
{
    char    text[40];
    int64_t n = elements_of(t) * t->type.lanes, k;
    size_t  size = n ? t->bytes / (size_t)n : 0;
    for (k = 0; k < n && k < 8; k++) {
        scalar_text(t->type, (const unsigned char *)t->data + (size_t)k * size, text);
        if (k) fputs(separator, stdout);
        if (separator[0] == ',' && !is_digit(text[0]) && !is_digit(text[1])) json_string(text); /* nan, inf: JSON has no such numbers */
        else fputs(text, stdout);
    }
    if (n > 8 && separator[0] == ' ') fputs(" ...", stdout);
}

/* What a run left in the arguments that it changed. */
static void print_results(const irlc_args *args, const irl_func *f, const irlc_data *before, const irlc_data *after)
{
    irlc_json j = { 0 };
    int       k, is_json = has(args, OPT_JSON);
    char      hash[24];
    if (is_json) json_open(&j, '[');
    for (k = 0; k < after->count; k++) {
        const irl_tensor *t = &after->tensor[k];
        if (!irl_param_is_buffer(f, k) || memcmp(before->tensor[k].data, t->data, t->bytes) == 0) continue;
        sprintf(hash, "%08lx%08lx", (unsigned long)(checksum(t) >> 32), (unsigned long)(checksum(t) & 0xffffffff));
        if (is_json) {
            json_next(&j);
            json_open(&j, '{');
            json_text(&j, "name", irl_param_name(f, k));
            json_text(&j, "type", irl_type_text(args->cx, t->type));
            json_shape(&j, "shape", &t->shape);
            json_text(&j, "checksum", hash);
            json_key(&j, "first");
            putchar('[');
            print_first(t, ", ");
            putchar(']');
            json_close(&j, '}');
        } else {
            printf("%s: %s", irl_param_name(f, k), irl_type_text(args->cx, t->type));
            print_shape(&t->shape);
            printf("  checksum %s\n    ", hash);
            print_first(t, " ");
            putchar('\n');
        }
    }
    if (is_json) puts("]");
}

/* The coordinates of element number n. */
static irl_shape point_of(const irl_shape *shape, int64_t n)
{
    irl_shape at = *shape;
    int       k;
    for (k = shape->rank; k-- > 0;) {
        at.extent[k] = n % shape->extent[k];
        n /= shape->extent[k];
    }
    return at;
}

/* Compares all buffers; says where the first difference is. */
static irlc_status compare_results(const irlc_args *args, const irl_func *f, const irlc_data *device, const irlc_data *reference)
{
    const char *ulp_text = value_of(args, OPT_ULP, NULL);
    int64_t     ulp = irl_tolerance(f), total = 0, n = -1;
    irlc_json   j = { 0 };
    char        a[40], b[40];
    int         k, found = -1;
    irl_shape   at;
    if (ulp_text && (!read_int(&ulp_text, &ulp) || *ulp_text || ulp < 0 || ulp > 1000000)) return bad_input(args, "--ulp wants a small number", NULL);
    for (k = 0; k < device->count && found < 0; k++) {
        const irl_tensor *t = &device->tensor[k];
        total += elements_of(t);
        n = irl_first_difference(t->type, elements_of(t), t->data, reference->tensor[k].data, (int)ulp);
        if (n >= 0) found = k;
    }
    if (found >= 0) {
        const irl_tensor *t = &device->tensor[found];
        size_t            offset = t->bytes / (size_t)elements_of(t) * (size_t)n;
        at = point_of(&t->shape, n);
        scalar_text(t->type, (const unsigned char *)t->data + offset, a);
        scalar_text(t->type, (const unsigned char *)reference->tensor[found].data + offset, b);
    }
    if (has(args, OPT_JSON)) {
        json_open(&j, '{');
        json_text(&j, "result", found < 0 ? "same" : "different");
        json_int(&j, "elements", total);
        json_int(&j, "ulp", ulp);
        json_text(&j, "buffer", found < 0 ? NULL : irl_param_name(f, found));
        json_shape(&j, "at", found < 0 ? NULL : &at);
        json_text(&j, "device", found < 0 ? NULL : a);
        json_text(&j, "interpreter", found < 0 ? NULL : b);
        json_close(&j, '}');
        putchar('\n');
    } else if (found < 0) printf("same: %lld elements, on the device and in the interpreter\n", (long long)total);
    else {
        printf("different: %s", irl_param_name(f, found));
        print_shape(&at);
        printf(" is %s on the device and %s in the interpreter\n", a, b);
    }
    return found < 0 ? IRLC_YES : IRLC_NO;
}

/* ------------------------------------------------------------------ irlc run */

#ifdef IRLC_NO_OPENCL
static irlc_status run_on_device(const irlc_args *args, const irl_module *m, const irlc_data *data)
{
    (void)m;
    (void)data;
    return bad_input(args, "this irlc was built without OpenCL; use --interpret", NULL);
}
#else
static irlc_status run_on_device(const irlc_args *args, const irl_module *m, const irlc_data *data)
{
    irl_ocl *cl = irl_ocl_open(args->cx, NULL);
    int      ok = cl && irl_ocl_run_tensors(cl, m, data->count, data->tensor);
    irl_ocl_close(cl);
    return ok ? IRLC_YES : failed(args);
}
#endif

/* Without --after: the function as written; it is what every stage is compared with. */
static irlc_status interpret(const irlc_args *args, const irl_func *reference, const irlc_program *p, const irlc_data *data)
{
    int ok = p->is_module ? irl_interpret_module(p->module, data->arguments)
                          : irl_interpret_tensors(reference, data->count, data->tensor);
    return ok ? IRLC_YES : failed(args);
}

/* The function that the interpreter runs. A lossy layout is legal on what is only read; its caller hands over physical
   memory, and the function as written would want other data: then it is the one with its layouts applied. */
static irlc_status choose_reference(const irlc_args *args, const irlc_program *p, const irlc_data *data, const irl_func **reference)
{
    irl_tensor t;
    int        k;
    *reference = p->f;
    if (has(args, OPT_AFTER)) return run_passes(args, value_of(args, OPT_AFTER, NULL), reference);
    for (k = 0; k < data->count; k++) {
        if (!irl_param_tensor(p->f, k, data->arguments, &t)) return failed(args);
        if (memcmp(&t.shape, &data->tensor[k].shape, sizeof t.shape) != 0) return run_passes(args, "apply_layouts", reference);
    }
    return IRLC_YES;
}

static irlc_status run_data(const irlc_args *args, const irl_func *reference, const irlc_program *p, irlc_data *before)
{
    irlc_data   after, device;
    irlc_status status = IRLC_YES;
    int         on_device = has(args, OPT_DEVICE), both = has(args, OPT_CHECK);
    if (!copy_data(before, &after)) return bad_input(args, "no memory for the arguments", NULL);
    if (!copy_data(before, &device)) {
        free_data(&after);
        return bad_input(args, "no memory for the arguments", NULL);
    }
    if (both || !on_device) status = interpret(args, reference, p, &after);
    if (status == IRLC_YES && (both || on_device)) status = run_on_device(args, p->module, &device);
    if (status == IRLC_YES) {
        if (both) status = compare_results(args, p->f, &device, &after);
        else print_results(args, p->f, before, on_device ? &device : &after);
    }
    free_data(&after);
    free_data(&device);
    return status;
}

static irlc_status command_run(const irlc_args *args)
{
    irlc_program    p;
    irlc_data       data;
    const irl_func *reference;
    irlc_status     status;
    if (has(args, OPT_INTERPRET) + has(args, OPT_DEVICE) + has(args, OPT_CHECK) > 1) return bad_input(args, "choose one of --interpret, --device, --check", NULL);
    if (has(args, OPT_AFTER) && has(args, OPT_DEVICE)) return bad_input(args, "--after shows a stage in the interpreter; a device runs the last", NULL);
    status = read_program(args, &p);
    if (status == IRLC_YES) status = lower(args, &p);
    if (status == IRLC_YES) status = make_data(args, irl_module_host(p.module), &data);
    if (status != IRLC_YES) return status;
    status = choose_reference(args, &p, &data, &reference);
    if (status == IRLC_YES) status = run_data(args, reference, &p, &data);
    free_data(&data);
    return status;
}

/* ------------------------------------------------------------------ the tables */

typedef struct irlc_option_row {
    const char *name, *value; /* value NULL: a flag */
    const char *help;
} irlc_option_row;

static const irlc_option_row option_rows[OPT_COUNT] = { /* in the order of irlc_option */
    { "bound", "SHAPE", "indices at or beyond it are out of range" },
    { "layout", "BUF=MAP", "how a parameter or allocation lies in memory; several are applied in order" },
    { "assume", "BUF=MAP", "the same, and you vouch for a map that cannot be decided" },
    { "scope", "BUF=SCOPE", "which memory: global, shared, local, constant, texture, texture:weight, texture:volume, texture:buffer" },
    { "padding", "BUF=VALUE", "what the unused cells of a layout hold" },
    { "target", "NAME", "opencl12 (default), opencl12-embedded, strict, scalar" },
    { "emit", "FORM", "ir (default) or opencl" },
    { "after", "PASS", "stop after this pass: apply_layouts, ..., simplify" },
    { "trace", NULL, "print the text after every pass on stderr" },
    { "interpret", NULL, "run in the reference interpreter (default): the function as written, or after --after PASS" },
    { "device", NULL, "run the lowered module on the first OpenCL device" },
    { "check", NULL, "run both and compare" },
    { "seed", "N", "of the random input (1)" },
    { "set", "NAME=VALUE", "the value of a scalar parameter; an index parameter must have one" },
    { "ulp", "N", "how far floats may differ (0, or 16 where the function divides or calls functions)" },
    { "channel", "AXIS", "the axis of which a texel holds 4, from 0 (default: 1 of four axes, else the last)" },
    { "limit", "WxH", "the largest image of the device, in texels (8192x8192)" },
    { "type", "TYPE", "of an element (f32)" },
    { "pad", "VALUE", "what packing writes into the unused cells; without it they keep what they held" },
    { "proof", NULL, "print why unpacking gives back what was packed, step by step" },
    { "json", NULL, "print JSON" },
    { "help", NULL, "print this" },
};

#define BIT(option) (1u << (option))
#define ALWAYS (BIT(OPT_JSON) | BIT(OPT_HELP))
#define LOWERING (BIT(OPT_LAYOUT) | BIT(OPT_ASSUME) | BIT(OPT_SCOPE) | BIT(OPT_PADDING) | BIT(OPT_TARGET) | BIT(OPT_AFTER) | BIT(OPT_TRACE))

typedef struct irlc_command {
    const char *name, *arguments;
    int         least, most; /* arguments that are not options */
    unsigned    options;
    irlc_status (*run)(const irlc_args *args);
    const char *help;
} irlc_command;

static const irlc_command commands[] = {
    { "map", "MAP SHAPE [POINT]", 2, 3, ALWAYS, command_map,
      "where points go: the physical shape, and the place of a point" },
    { "check", "MAP SHAPE", 2, 2, ALWAYS | BIT(OPT_BOUND), command_check,
      "is the layout right: bijective, injective, lossy, out-of-range (with a witness), undecided; a shape may have names: N,4*N" },
    { "inverse", "MAP SHAPE", 2, 2, ALWAYS, command_inverse,
      "the way back, and which cells are padding" },
    { "pack", "MAP SHAPE", 2, 2, ALWAYS | BIT(OPT_PAD) | BIT(OPT_TYPE) | BIT(OPT_TARGET) | BIT(OPT_EMIT) | BIT(OPT_PROOF), command_pack,
      "the functions that pack an array through the layout and unpack it, or the proof of the round trip" },
    { "simplify", "EXPR [NAME=LO..HI]...", 1, IRLC_MOST, ALWAYS, command_simplify,
      "an index expression, shorter, and equal wherever the names are in their ranges" },
    { "texture", "SHAPE", 1, 1, ALWAYS | BIT(OPT_CHANNEL) | BIT(OPT_LIMIT) | BIT(OPT_TYPE), command_texture,
      "how a tensor can lie in an image: the known conventions, layouts searched for it, and the best that fits" },
    { "target", "[NAME]", 0, 1, BIT(OPT_HELP), command_target,
      "what a target can do: vectors, accesses, types, sizes" },
    { "lower", "FILE.irl", 1, 1, ALWAYS | LOWERING | BIT(OPT_EMIT), command_lower,
      "a function lowered for a target: the module, its OpenCL source, or one stage" },
    { "run", "FILE.irl", 1, 1, ALWAYS | LOWERING | BIT(OPT_INTERPRET) | BIT(OPT_DEVICE) | BIT(OPT_CHECK) | BIT(OPT_SEED) | BIT(OPT_SET) | BIT(OPT_ULP),
      command_run, "a function on random input: interpreted, on a device, or both and compared" },
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void help_of(FILE *out, const irlc_command *c)
{
    int k;
    fprintf(out, "irlc %s %s [OPTION]...\n  %s\n", c->name, c->arguments, c->help);
    for (k = 0; k < OPT_COUNT; k++)
        if (c->options & BIT(k))
            fprintf(out, "    --%s%s%-*s %s\n", option_rows[k].name, option_rows[k].value ? " " : "",
                    22 - (int)strlen(option_rows[k].name) - (option_rows[k].value != NULL), option_rows[k].value ? option_rows[k].value : "",
                    option_rows[k].help);
}

static void help(FILE *out)
{
    int k;
    fputs("irlc: layouts stated as index maps, proved, lowered, emitted\n\n", out);
    for (k = 0; k < COMMAND_COUNT; k++) fprintf(out, "    irlc %-9s %-22s %s\n", commands[k].name, commands[k].arguments, commands[k].help);
    fputs("\nA map is written '(n, h, w, c) -> (n, c/4, h, |, w, c%4)', a shape or a point 2,5,7,16, a file '-' for standard input.\n"
          "Exit status: 0 yes, 1 no, 2 bad input, 3 undecided. `irlc COMMAND --help` lists a command's options.\n", out);
}

/* ------------------------------------------------------------------ reading the command line */

/* --name=value, --name value or --name, as the table says. Moves *k past a value of its own. */
static irlc_status read_option(irlc_args *args, const irlc_command *c, char **argv, int argc, int *k)
{
    const char *name = argv[*k] + 2;
    size_t      length = strcspn(name, "=");
    irlc_given *given = &args->given[args->given_count];
    int         o;
    for (o = 0; o < OPT_COUNT; o++)
        if (strlen(option_rows[o].name) == length && strncmp(option_rows[o].name, name, length) == 0 && (c->options & BIT(o))) break;
    if (o == OPT_COUNT) return bad_input(args, "there is no such option here (--help lists them)", argv[*k]);
    if (args->given_count == IRLC_MOST) return bad_input(args, "too many options", NULL);
    given->option = (irlc_option)o;
    given->value = name[length] == '=' ? name + length + 1 : NULL;
    if (!option_rows[o].value && given->value) return bad_input(args, "the option takes no value", argv[*k]);
    if (option_rows[o].value && !given->value) {
        if (*k + 1 >= argc) return bad_input(args, "the option wants a value", argv[*k]);
        given->value = argv[++*k];
    }
    args->given_count++;
    return IRLC_YES;
}

static irlc_status read_arguments(irlc_args *args, const irlc_command *c, char **argv, int argc)
{
    irlc_status status = IRLC_YES;
    int         k, options_ended = 0;
    for (k = 2; k < argc && status == IRLC_YES; k++) {
        if (!options_ended && strcmp(argv[k], "--") == 0) options_ended = 1;
        else if (!options_ended && strncmp(argv[k], "--", 2) == 0) status = read_option(args, c, argv, argc, &k);
        else if (args->count == IRLC_MOST) status = bad_input(args, "too many arguments", NULL);
        else args->item[args->count++] = argv[k];
    }
    if (status != IRLC_YES || has(args, OPT_HELP)) return status;
    if (args->count >= c->least && args->count <= c->most) return IRLC_YES;
    fprintf(stderr, "usage: irlc %s %s [OPTION]...   (irlc %s --help)\n", c->name, c->arguments, c->name);
    return IRLC_BAD_INPUT;
}

static irlc_status run_command(const irlc_command *c, char **argv, int argc)
{
    irlc_args   args;
    irlc_status status;
    memset(&args, 0, sizeof args);
    args.command = c->name;
    status = read_arguments(&args, c, argv, argc);
    if (status != IRLC_YES) return status;
    if (has(&args, OPT_HELP)) {
        help_of(stdout, c);
        return IRLC_YES;
    }
    args.cx = irl_ctx_create(NULL);
    if (!args.cx) return bad_input(&args, "out of memory", NULL);
    status = c->run(&args);
    irl_ctx_destroy(args.cx);
    return status;
}

int main(int argc, char **argv)
{
    int k;
    for (k = 0; argc > 1 && k < COMMAND_COUNT; k++)
        if (strcmp(argv[1], commands[k].name) == 0) return (int)run_command(&commands[k], argv, argc);
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        puts("irlc " IRL_VERSION_STRING);
        return IRLC_YES;
    }
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0)) {
        help(stdout);
        return IRLC_YES;
    }
    if (argc > 1) fprintf(stderr, "irlc: there is no command '%s'\n", argv[1]);
    help(stderr);
    return IRLC_BAD_INPUT;
}
