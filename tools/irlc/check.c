/* check.c - `irlc check` and `irlc inverse`, for shapes of numbers and for shapes with names in
   them; `irlc simplify`. */
#include "irlc.h"

/* ------------------------------------------------------- how it is known, and what that took */

/* A power of two, so that the line says what block suffices and does not change with every
   version. */
static unsigned long kibibytes(size_t bytes)
{
    unsigned long n = 1;
    while (n < ((unsigned long)-1 >> 11) && n * 1024 < bytes) n *= 2;
    return n;
}

static void print_known(const char *method, size_t bytes)
{
    if (method && method[0])
        printf("known by %s, within %lu KiB of memory\n", method, kibibytes(bytes));
    else printf("not known, within %lu KiB of memory\n", kibibytes(bytes));
}

/* The library's object with one more member: a verdict is the same in every context, what it took
   is not. */
static void print_json(const char *object, size_t bytes)
{
    printf("%.*s, \"bytes\": %lu}\n", (int)strlen(object) - 1, object, (unsigned long)bytes);
}

/* ------------------------------------------------------------------ shapes with names */

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
    if (!add_free_names(args, &s->names, args->item[1]) ||
        (bound && !add_free_names(args, &s->names, bound)))
        return bad_input(args, "too many names, or one that is too long", NULL);
    status = read_extents(args, &s->names, args->item[1], &s->rank, s->extents);
    if (status == IRLC_YES && bound)
        status = read_extents(args, &s->names, bound, &s->bound_rank, s->bound);
    if (status != IRLC_YES) return status;
    s->map = irl_map_of_rank(
        args->cx, irl_map_parse_over(args->cx, args->item[0], "MAP", s->names.count, s->names.var),
        s->rank);
    if (!s->map) return failed(args);
    if (bound && s->bound_rank != irl_map_output_count(s->map))
        return bad_input(args, "the bound has not one extent for each output of the map; found",
                         bound);
    s->v = irl_map_check_extents_within(args->cx, s->map, s->rank, s->extents,
                                        bound ? s->bound : NULL);
    return irl_ok(args->cx) ? IRLC_YES : failed(args);
}

static irlc_status check_symbolic(const irlc_args *args)
{
    irlc_symbolic s;
    irlc_status   status = judge_symbolic(args, &s);
    const char   *text;
    if (status != IRLC_YES) return status;
    text = has(args, OPT_JSON) ? irl_symbolic_json(args->cx, s.map, s.rank, s.extents, &s.v)
                               : irl_symbolic_text(args->cx, &s.v);
    if (!irl_ok(args->cx)) return failed(args);
    if (has(args, OPT_JSON)) print_json(text, s.v.bytes);
    else puts(text), print_known(s.v.method, s.v.bytes);
    return (irlc_status)irl_code_outcome(s.v.code);
}

static irlc_status no_inverse(const irlc_args *args, irl_code code, const char *verdict)
{
    char text[1024];
    snprintf(text, sizeof text, "no inverse: the map is %s", verdict ? verdict : "");
    return refused(args, code, text);
}

static irlc_status inverse_symbolic(const irlc_args *args)
{
    irlc_symbolic s;
    irlc_status   status = judge_symbolic(args, &s);
    if (status != IRLC_YES) return status;
    if (s.v.code != IRL_OK) return no_inverse(args, s.v.code, irl_symbolic_text(args->cx, &s.v));
    if (has(args, OPT_JSON)) {
        puts(irl_symbolic_json(args->cx, s.map, s.rank, s.extents, &s.v));
        return IRLC_YES;
    }
    puts(irl_map_text(args->cx, s.v.inverse));
    if (s.v.kind == IRL_INJECTIVE)
        printf("padding where %s\n", irl_expr_text(args->cx, s.v.padding));
    return IRLC_YES;
}

/* ------------------------------------------------------- shapes of numbers, and the commands */

/* The verdict on the map and shape of the command line; IRLC_YES if there is one, whatever it
   says. */
static irlc_status judge(const irlc_args *args, const irl_map **map, irl_verdict *v)
{
    irl_shape    shape, bound;
    irl_check_options how;
    const char  *bound_text = value_of(args, OPT_BOUND, NULL);
    irlc_status  status = read_map_and_shape(args, map, &shape);
    if (status != IRLC_YES) return status;
    memset(&how, 0, sizeof how);
    if (bound_text) {
        if (!read_shape(bound_text, &bound))
            return bad_input(args, "a bound is a shape, written 2,5,7,16; found", bound_text);
        how.bound = &bound;
    }
    *v = irl_map_check_with(args->cx, *map, shape, &how);
    return irl_ok(args->cx) ? IRLC_YES : failed(args);
}

irlc_status command_check(const irlc_args *args)
{
    const irl_map *map;
    irl_verdict    v;
    irlc_status    status;
    const char    *text;
    if (is_symbolic(args->item[1]) || is_symbolic(value_of(args, OPT_BOUND, NULL)))
        return check_symbolic(args);
    status = judge(args, &map, &v);
    if (status != IRLC_YES) return status;
    text =
        has(args, OPT_JSON) ? irl_verdict_json(args->cx, map, &v) : irl_verdict_text(args->cx, &v);
    if (!text || !irl_ok(args->cx)) return failed(args);
    if (has(args, OPT_JSON)) print_json(text, v.bytes);
    else puts(text), print_known(v.method, v.bytes);
    return (irlc_status)irl_code_outcome(v.code);
}

irlc_status command_inverse(const irlc_args *args)
{
    const irl_map *map;
    irl_verdict    v;
    irlc_json      j = { args->cx, 0 };
    irlc_status    status;
    if (is_symbolic(args->item[1])) return inverse_symbolic(args);
    status = judge(args, &map, &v);
    if (status != IRLC_YES) return status;
    if (!v.inverse) /* IRL_OK: it has one, but none was found that is a formula */
        return no_inverse(args, v.code == IRL_OK ? IRL_ERROR_UNDECIDED : v.code,
                          irl_verdict_text(args->cx, &v));
    if (has(args, OPT_JSON)) {
        json_open(&j, '{');
        json_text(&j, "map", irl_map_text(args->cx, map));
        json_shape(&j, "shape", &v.shape);
        json_shape(&j, "physical", &v.physical);
        json_text(&j, "inverse", irl_map_text(args->cx, v.inverse));
        json_text(&j, "padding", v.padding ? irl_expr_text(args->cx, v.padding) : "false");
        json_int(&j, "pad_cells", v.pad_cells);
        json_end(&j);
        return IRLC_YES;
    }
    puts(irl_map_text(args->cx, v.inverse));
    if (v.pad_cells)
        printf("padding where %s\n",
               v.padding ? irl_expr_text(args->cx, v.padding) : "(not known)");
    return IRLC_YES;
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

/* ------------------------------------------------------------------ irlc simplify */

irlc_status command_simplify(const irlc_args *args)
{
    irlc_names      names;
    const irl_expr *e, *simple;
    irlc_json       j = { args->cx, 0 };
    int             k;
    names.count = 0;
    for (k = 1; k < args->count; k++)
        if (!read_range(args, &names, args->item[k]))
            return bad_input(args, "a range is written c=0..63; found", args->item[k]);
    if (!add_free_names(args, &names, args->item[0]))
        return bad_input(args, "too many names, or one that is too long", NULL);
    e = irl_expr_parse(args->cx, args->item[0], names.count, names.var);
    simple = irl_expr_simplify(args->cx, e, names.count, names.range);
    if (!simple) return failed(args);
    if (has(args, OPT_JSON)) {
        json_open(&j, '{');
        json_text(&j, "expression", irl_expr_text(args->cx, e));
        json_text(&j, "simplified", irl_expr_text(args->cx, simple));
        json_end(&j);
    } else puts(irl_expr_text(args->cx, simple));
    return IRLC_YES;
}
