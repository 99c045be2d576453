/* names.c - names in expressions and in shapes. */
#include "irlc.h"

static int find_name(const irlc_names *names, const char *text, size_t length)
{
    int k;
    for (k = 0; k < names->count; k++)
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

/* Names in the expression that no range was given for may be anything. A name before '(' is a
   function. */
int add_free_names(const irlc_args *args, irlc_names *names, const char *p)
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
        if (is_digit(*start) || *skip_any(p, " \t\n") == '(' ||
            find_name(names, start, length) >= 0)
            continue;
        if ((length == 4 && memcmp(start, "true", 4) == 0) ||
            (length == 5 && memcmp(start, "false", 5) == 0))
            continue;
        if (!add_name(args, names, start, length, INT64_MIN, INT64_MAX)) return 0;
    }
    return 1;
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

/* A shape of numbers, or symbolic; `list` is where its expressions are then. */
static irlc_status read_named_shape(const irlc_args *args, irlc_names *names, const char *text,
                                    const char *what, const irl_expr **list, irl_shape *out)
{
    irlc_status status;
    int         rank;
    if (!has_names(text))
        return read_shape(text, out) ? IRLC_YES : bad_input(args, what, text);
    if (!add_free_names(args, names, text))
        return bad_input(args, "too many names, or one that is too long", NULL);
    status = read_extents(args, names, text, &rank, list);
    if (status == IRLC_YES) *out = irl_shape_of(rank, list);
    return status;
}

irlc_status read_question(const irlc_args *args, irlc_question *q, const char *bound)
{
    irlc_status status;
    q->names.count = 0;
    q->has_bound = bound != NULL;
    status = read_named_shape(args, &q->names, args->item[1],
                              "a shape is written 2,5,7,16; found", q->extents, &q->shape);
    if (status == IRLC_YES && bound)
        status = read_named_shape(args, &q->names, bound,
                                  "a bound is a shape, written 2,5,7,16; found", q->ends,
                                  &q->bound);
    if (status != IRLC_YES) return status;
    q->map = irl_map_parse_over(args->cx, args->item[0], "MAP", q->names.count, q->names.var);
    if (q->shape.named) q->map = irl_map_of_rank(args->cx, q->map, q->shape.rank);
    return q->map ? IRLC_YES : failed(args);
}
