/* names.c - names in expressions and in shapes. */
#include "irlc.h"

static int find_name(const irlc_names *names, const char *text, size_t length)
{
    for (int k = 0; k < names->count; k++)
        if (strlen(names->name[k]) == length && memcmp(names->name[k], text, length) == 0) return k;
    return -1;
}

int add_name(const irlc_args *args, irlc_names *names, const char *text, size_t length, int64_t lo,
             int64_t hi)
{
    int n = names->count;
    if (n == IRLC_MOST || length >= sizeof names->name[0]) return 0;
    memcpy(names->name[n], text, length);
    names->name[n][length] = '\0';
    names->var[n] = irl_expr_var(args->cx, names->name[n], irl_type_of(IRL_INDEX, 1));
    names->range[n].var = names->var[n];
    names->range[n].lo = lo;
    names->range[n].hi = hi;
    names->count++;
    return names->var[n] != NULL;
}

/* Finds the next name in an expression from *p on, and moves *p past it; returns 0 if there is
   none. A name before '(' is a function. */
static size_t next_name(const char **p, const char **name)
{
    for (; **p;) {
        *name = *p;
        while (is_letter(**p) || is_digit(**p)) (*p)++;
        size_t length = (size_t)(*p - *name);
        if (!length) (*p)++;
        if (!length || is_digit(**name) || *skip_any(*p, " \t\n") == '(') continue;
        if ((length == 4 && memcmp(*name, "true", 4) == 0) ||
            (length == 5 && memcmp(*name, "false", 5) == 0))
            continue;
        return length;
    }
    return 0;
}

irlc_status check_declared(const irlc_args *args, const irlc_names *names, const char *text,
                           const char *remedy)
{
    const char *p = text, *name, *near = NULL;
    char        word[64], what[200];
    size_t      length;
    int         edits = 0;
    while ((length = next_name(&p, &name)) != 0) {
        if (find_name(names, name, length) >= 0) continue;
        snprintf(word, sizeof word, "%.*s", (int)length, name);
        for (int k = 0; k < names->count && length > 2; k++) /* any two letters are near */
            look_near(word, names->name[k], &near, &edits);
        snprintf(what, sizeof what, "'%s' is not declared; write %s=? for %s%s%s%s", word, word,
                 remedy, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
        return bad_input(args, what, NULL);
    }
    return IRLC_YES;
}

/* Whether a shape has names in it: N, 4*N. */
static int has_names(const char *p)
{
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
static irlc_status read_extents(const irlc_args *args, const irlc_names *names, const char *text,
                         int *count, const irl_expr **extents)
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
        extents[*count] = irl_expr_parse(args->cx, piece, names->count, names->var);
        if (!extents[(*count)++]) return failed(args);
        if (p == end) return IRLC_YES;
    }
}

/* A shape without the marks after the names that it declares, as in N=?; the marked names are
   declared, with values from `least` on. */
static irlc_status read_declared(const irlc_args *args, irlc_names *names, const char *text,
                                 int64_t least, char *out, size_t room)
{
    size_t n = 0, start = 0;
    for (; *text; text++) {
        if (n + 1 == room) return bad_input(args, "a shape is too long", NULL);
        if (text[0] != '=' || text[1] != '?') {
            if (!is_letter(*text) && !is_digit(*text)) start = n + 1;
            out[n++] = *text;
            continue;
        }
        text++;
        if (start == n || is_digit(out[start]))
            return bad_input(args, "=? needs a name before it; found", text - 1);
        if (find_name(names, out + start, n - start) < 0 &&
            !add_name(args, names, out + start, n - start, least, INT64_MAX))
            return bad_input(args, "too many names, or one that is too long", NULL);
    }
    out[n] = '\0';
    return check_declared(args, names, out, "a symbolic extent, or --let for a value");
}

/* The value of every name that --let gives one, in an expression. */
static const irl_expr *with_values(const irlc_args *args, const irlc_names *names,
                                   const irl_expr *e)
{
    for (int k = 0; e && k < names->count; k++) {
        const irl_range *r = &names->range[k];
        const irl_expr  *value = r->lo == r->hi ? irl_expr_index(args->cx, r->lo) : NULL;
        if (value) e = irl_expr_substitute(args->cx, e, 1, &r->var, &value);
    }
    return e;
}

const irl_expr *simple_of(const irlc_args *args, const irlc_names *names, const irl_expr *e)
{
    return irl_expr_simplify(args->cx, with_values(args, names, e), names->count, names->range);
}

/* The number of every expression if all are numbers; `is` the shape of these expressions. */
static irl_shape as_numbers(irl_shape is)
{
    for (int k = 0; k < is.rank; k++)
        if (irl_expr_op(is.named[k]) != IRL_OP_INT) return is;
    for (int k = 0; k < is.rank; k++) is.extent[k] = irl_expr_int_value(is.named[k]);
    is.named = NULL;
    return is;
}

irlc_status read_named_shape(const irlc_args *args, irlc_names *names, const char *text,
                             const char *what, int64_t least, const irl_expr **list,
                             irl_shape *out)
{
    char        plain[4096];
    int         rank;
    if (!has_names(text))
        return read_shape(text, out) ? IRLC_YES : bad_input(args, what, text);
    irlc_status status = read_declared(args, names, text, least, plain, sizeof plain);
    if (status == IRLC_YES) status = read_extents(args, names, plain, &rank, list);
    for (int k = 0; status == IRLC_YES && k < rank; k++) {
        const irl_expr *e = with_values(args, names, list[k]);
        if (e != list[k]) e = simple_of(args, names, e);
        list[k] = e;
        if (!e) status = failed(args);
    }
    if (status == IRLC_YES) *out = as_numbers(irl_shape_of(rank, list));
    return status;
}

/* --let N=4, --let N=? */
static irlc_status read_lets(const irlc_args *args, irlc_names *names)
{
    for (int k = 0; k < args->given_count; k++) {
        char        name[64];
        const char *let = args->given[k].value, *p;
        int64_t     lo = 1, hi = INT64_MAX;
        if (args->given[k].option != OPT_LET) continue;
        const char *value = split_name(let, name, sizeof name);
        for (p = name; value && *p; p++)
            if (!is_letter(*p) && (p == name || !is_digit(*p))) value = NULL;
        if (value && strcmp(value, "?") != 0) {
            if (!read_int(&value, &lo) || *value) value = NULL;
            hi = lo;
        }
        if (!value)
            return bad_input(args, "--let is N=4, the value of a name, or N=?, any value from 1 "
                                   "on; found", let);
        if (!add_name(args, names, name, strlen(name), lo, hi))
            return bad_input(args, "too many names, or one that is too long", NULL);
    }
    return IRLC_YES;
}

/* The map with the values that --let gives; `rank` axes for its "...". */
static const irl_map *map_with_values(const irlc_args *args, const irlc_names *names,
                                      const irl_map *map, int rank)
{
    const irl_expr *in[IRL_MAX_RANK], *out[IRL_MAX_RANK];
    int             separators[IRL_MAX_RANK], changes = 0;
    if (irl_map_rest_input(map) >= 0) map = irl_map_of_rank(args->cx, map, rank);
    if (!map) return NULL;
    int count = irl_map_separators(map, separators, IRL_MAX_RANK);
    for (int k = 0; k < irl_map_input_count(map); k++) in[k] = irl_map_input(map, k);
    for (int k = 0; k < irl_map_output_count(map); k++) {
        out[k] = with_values(args, names, irl_map_output(map, k));
        changes |= out[k] != irl_map_output(map, k);
    }
    return changes ? irl_map_new(args->cx, irl_map_input_count(map), in, irl_map_output_count(map),
                                 out, count, separators)
                   : map;
}

irlc_status read_question(const irlc_args *args, irlc_question *q, const char *bound)
{
    q->names.count = 0;
    q->has_bound = bound != NULL;
    irlc_status status = read_lets(args, &q->names);
    if (status == IRLC_YES)
        status = read_named_shape(args, &q->names, args->item[1], shape_form(args->item[1]), 1,
                                  q->extents, &q->shape);
    if (status == IRLC_YES && bound)
        status = read_named_shape(args, &q->names, bound,
                                  "a bound is a shape, written 2,5,7,16; found", 1, q->ends,
                                  &q->bound);
    if (status != IRLC_YES) return status;
    q->map = irl_map_parse_over(args->cx, args->item[0], "MAP", q->names.count, q->names.var);
    if (!q->map && irl_diag_of(args->cx)->code == IRL_ERROR_UNKNOWN_NAME)
        return failed_hint(args, "declare a name that is not an axis: --let NAME=4 gives its "
                                 "value, --let NAME=? means any value from 1 on");
    if (q->map && has(args, OPT_LET))
        q->map = map_with_values(args, &q->names, q->map, q->shape.rank);
    if (q->shape.named) q->map = irl_map_of_rank(args->cx, q->map, q->shape.rank);
    return q->map ? IRLC_YES : failed(args);
}

irlc_status read_map_and_shape(const irlc_args *args, const irl_map **map, irl_shape *shape)
{
    irlc_question q;
    irlc_status   status = read_question(args, &q, NULL);
    for (int k = 0; status == IRLC_YES && k < q.names.count; k++)
        if (q.names.range[k].lo != q.names.range[k].hi) {
            char what[320];
            snprintf(what, sizeof what,
                     "every extent is a number here: --let %s=4 gives the name its value; %s=? is "
                     "allowed in check, inverse, map and pack only; found", q.names.name[k],
                     q.names.name[k]);
            return bad_input(args, what, args->item[1]);
        }
    *map = q.map;
    *shape = q.shape;
    return status;
}
