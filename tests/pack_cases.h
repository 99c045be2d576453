/* pack_cases.h - packing and unpacking by any executor, against the cells that the map itself
   names. */
#ifndef IRL_PACK_CASES_H
#define IRL_PACK_CASES_H

typedef struct pack_row {
    const char *map;
    irl_shape   shape;
} pack_row;

static const pack_row pack_rows[] = {
    { "(n, h, w, c) -> (n, c/4, h, w, c%4)", { 4, NULL, { 2, 3, 5, 8 } } },
    { "(n, h, w, c) -> (n, c/4, h, w, c%4)", { 4, NULL, { 1, 5, 7, 6 } } },
    /* three channels, four lanes */
    { "(n, h, w, c) -> (n, c/4, h, |, w, c%4)", { 4, NULL, { 1, 4, 4, 3 } } },
    { "(o, i, y, x) -> (((((o/16)*2 + i/16)*3 + y)*3 + x)*256 + (i%16)/4*64 + (o%16)*4 + i%4)",
      { 4, NULL, { 16, 32, 3, 3 } } },
    { "(y, x) -> (y/8*16 + x, y%8)", { 2, NULL, { 16, 16 } } },
    /* the scales' bytes are unused */
    { "(m, k) -> ((m*2 + k/32)*18 + 2 + k%16, k%32/16)", { 2, NULL, { 3, 64 } } },
    { "(y, x) -> (y, x ^ y)", { 2, NULL, { 8, 8 } } },
    { "(p, y, x) -> (y, p*8 + select(p%2 == 0, x, 7 - x))", { 3, NULL, { 3, 4, 8 } } },
    { "(x) -> (15 - x)", { 1, NULL, { 16 } } },
    { "(x) -> ((x + 5)%24)", { 1, NULL, { 24 } } },
    { "(i) -> (i*4 + 9)", { 1, NULL, { 7 } } }, /* starts behind the first cell, and has gaps */
    { "(i, j) -> (i/4, j/4, i%4, j%4)", { 2, NULL, { 7, 9 } } },
    { "(i) -> (i, i%3, 5)", { 1, NULL, { 10 } } },
    { "(y, x) -> ((x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2 | (x & 4) << 2 | (y & 4) << "
      "3)",
      { 2, NULL, { 8, 8 } } },
    { "(i) -> (i*i)", { 1, NULL, { 9 } } }, /* only a table */
    { "(i, j) -> (i*i*3 + j)", { 2, NULL, { 120, 3 } } }, /* no formula: filled and scattered */
    { "() -> ()", { 0, NULL, { 0 } } },
    { "(i, j) -> (j, i)", { 2, NULL, { 0, 5 } } },
};

/* With names in them: N and M are the parameters. */
typedef struct pack_symbolic_row {
    const char *map, *shape;
    const char *where; /* as the functions assert it */
    int64_t     most;  /* of both values in a test */
} pack_symbolic_row;

static const pack_symbolic_row pack_symbolic_rows[] = {
    { "(i) -> (i/4, i%4)", "N", "N >= 1", 9 },
    { "(i) -> (i/4, i%4)", "4*N", "N >= 1", 5 },
    { "(n, h, w, c) -> (n, c/4, h, w, c%4)", "1, M, 3, N", "N >= 1", 9 },
    { "(i, j) -> (j, i)", "N, M", "N >= 1", 5 },
    { "(i, j) -> (i*M + j)", "N, M", "N >= 1", 6 },
    { "(i, j) -> (i*8 + j)", "M, N", "N < 9", 8 },
    { "(i) -> (i + N - 4)", "N", "N >= 4", 9 },
    { "(i) -> (i*4 + 2)", "N", "N >= 1", 6 },
    { "(i) -> (N - 1 - i)", "N", "N >= 1", 7 },
    { "(i, j) -> (i/4, j/3, i%4, j%3)", "N, 2*M", "N >= 1", 6 },
};

/* The text with the digit of a value in the place of each name. */
static const char *pack_with_values(const char *text, const int64_t *values, char *out)
{
    char *p = out;
    for (; *text; text++)
        *p++ = *text == 'N'   ? (char)('0' + values[0])
               : *text == 'M' ? (char)('0' + values[1])
                              : *text;
    *p = '\0';
    return out;
}

/* The row's map and extents over N and M, and, if `values` is given, the same in numbers. */
typedef struct pack_symbolic {
    const irl_expr *name[2], *extents[8];
    const irl_map  *map, *map_there;
    int             rank;
    irl_shape       shape_there;
} pack_symbolic;

static int pack_symbolic_read(irl_ctx *cx, const pack_symbolic_row *row, const int64_t *values,
                              pack_symbolic *s)
{
    char        text[128], piece[32];
    const char *p, *end;
    memset(s, 0, sizeof *s);
    s->name[0] = irl_expr_var(cx, "N", irl_type_of(IRL_INDEX, 1));
    s->name[1] = irl_expr_var(cx, "M", irl_type_of(IRL_INDEX, 1));
    s->map = irl_map_parse_over(cx, row->map, NULL, 2, s->name);
    for (p = row->shape; *p; p = *end ? end + 1 : end) {
        const irl_expr *e;
        end = p + strcspn(p, ",");
        snprintf(piece, sizeof piece, "%.*s", (int)(end - p), p);
        s->extents[s->rank] = irl_expr_parse(cx, piece, 2, s->name);
        e = values ? irl_expr_simplify(
                         cx, irl_expr_parse(cx, pack_with_values(piece, values, text), 0, NULL), 0,
                         NULL)
                   : NULL;
        if (e) s->shape_there.extent[s->rank] = e->u.i;
        s->rank++;
    }
    s->shape_there.rank = s->rank;
    if (values) s->map_there = irl_map_parse(cx, pack_with_values(row->map, values, text));
    return irl_ok(cx);
}

/* Executes f on pointers; 0 if it failed. */
typedef int pack_run(void *user, const irl_func *f, irl_arguments arguments);

static int64_t pack_elements(const irl_shape *s)
{
    int64_t n = 1;
    int     k;
    for (k = 0; k < s->rank; k++) n *= s->extent[k];
    return n;
}

static int64_t pack_place(const irl_shape *box, const irl_shape *at)
{
    int64_t n = 0;
    int     k;
    for (k = 0; k < box->rank; k++) n = n * box->extent[k] + at->extent[k];
    return n;
}

/* What must lie in memory: `rest` in every cell that no point reaches. False if a point falls
   outside. */
static int pack_expected(const irl_map *m, const irl_shape *shape, const irl_shape *box,
                         const int32_t *plain, int32_t rest, int32_t *out)
{
    irl_shape at, y;
    int64_t   k, n = pack_elements(shape), cells = pack_elements(box), place;
    for (k = 0; k < cells; k++) out[k] = rest;
    memset(&at, 0, sizeof at);
    at.rank = shape->rank;
    for (k = 0; k < n; k++, truth_next(shape, &at)) {
        int i;
        if (!truth_apply(m, &at, &y) || y.rank != box->rank) return 0;
        for (i = 0; i < y.rank; i++)
            if (y.extent[i] < 0 || y.extent[i] >= box->extent[i]) return 0;
        place = pack_place(box, &y);
        out[place] = plain[k];
    }
    return 1;
}

/* The parameters, then the two arrays. */
static int pack_two(pack_run *run, void *user, const irl_func *f, int parameter_count,
                    const int64_t *parameters, const int32_t *from, int32_t *to)
{
    irl_arguments a;
    int           k;
    memset(&a, 0, sizeof a);
    for (k = 0; k < parameter_count; k++) a.data[k] = parameters + k;
    a.data[k++] = from;
    a.data[k++] = to;
    a.count = k;
    return run(user, f, a);
}

/* A pair of functions and what they are for: the map and the shape in numbers. */
typedef struct pack_pair {
    const irl_func *pack, *unpack;
    int             parameter_count;
    int64_t         parameters[2];
    const irl_map  *map;
    irl_shape       shape;
    int             fill; /* the padding is -7 */
} pack_pair;

/* Packs, compares every cell, unpacks, compares, and packs again. */
static int pack_pair_round_trip(const pack_pair *p, pack_run *run, void *user)
{
    irl_tensor    packed_t;
    irl_arguments known;
    int32_t      *plain, *back, *packed, *expected;
    int64_t       k, n = pack_elements(&p->shape), cells;
    int           ok, count = p->parameter_count;
    memset(&known, 0, sizeof known);
    for (k = 0; k < count; k++) known.data[k] = p->parameters + k;
    known.count = count + 2;
    if (!p->pack || !p->unpack || !p->map ||
        !irl_func_param_tensor(p->pack, count + 1, known, &packed_t))
        return 0;
    cells = pack_elements(&packed_t.shape);
    plain = (int32_t *)calloc((size_t)n + 1, sizeof *plain);
    back = (int32_t *)calloc((size_t)n + 1, sizeof *back);
    packed = (int32_t *)calloc((size_t)cells + 1, sizeof *packed);
    expected = (int32_t *)calloc((size_t)cells + 1, sizeof *expected);
    for (k = 0; k < n; k++) plain[k] = 1000 + (int32_t)k;
    for (k = 0; k < cells; k++) packed[k] = 555;
    ok = pack_expected(p->map, &p->shape, &packed_t.shape, plain, p->fill ? -7 : 555, expected) &&
         pack_two(run, user, p->pack, count, p->parameters, plain, packed) &&
         memcmp(packed, expected, (size_t)cells * sizeof *packed) == 0;
    for (k = 0; k < cells && !p->fill; k++) /* padding is never read */
        if (packed[k] == 555) packed[k] = 777;
    ok = ok && pack_two(run, user, p->unpack, count, p->parameters, packed, back) &&
         memcmp(plain, back, (size_t)n * sizeof *plain) == 0;
    for (k = 0; k < cells; k++) packed[k] = 555;
    ok = ok && pack_two(run, user, p->pack, count, p->parameters, back, packed) &&
         memcmp(packed, expected, (size_t)cells * sizeof *packed) == 0;
    free(plain);
    free(back);
    free(packed);
    free(expected);
    return ok;
}

static void pack_how(irl_pack_options *how, int fill)
{
    memset(how, 0, sizeof *how);
    how->element = irl_type_of(IRL_I32, 1);
    how->fill = fill;
    how->padding = -7;
}

static int pack_round_trip(irl_ctx *cx, const irl_map *m, irl_shape shape, int fill, pack_run *run,
                           void *user)
{
    irl_pack_options how;
    pack_pair   p;
    memset(&p, 0, sizeof p);
    pack_how(&how, fill);
    p.pack = irl_map_pack_func(cx, m, shape, &how);
    p.unpack = irl_map_unpack_func(cx, m, shape, &how);
    p.map = irl_map_of_rank(cx, m, shape.rank);
    p.shape = shape;
    p.fill = fill;
    return pack_pair_round_trip(&p, run, user);
}

/* The functions for all values, run for these: N and M. Their parameters come in the order in which
   they took them. */
static int pack_symbolic_round_trip(irl_ctx *cx, const pack_symbolic_row *row,
                                    const int64_t *values, int fill, pack_run *run, void *user)
{
    irl_pack_options   how;
    pack_pair     p;
    pack_symbolic s;
    int           k;
    memset(&p, 0, sizeof p);
    pack_how(&how, fill);
    if (!pack_symbolic_read(cx, row, values, &s)) return 0;
    p.pack = irl_map_pack_func(cx, s.map, irl_shape_of(s.rank, s.extents), &how);
    p.unpack = irl_map_unpack_func(cx, s.map, irl_shape_of(s.rank, s.extents), &how);
    p.map = s.map_there;
    p.shape = s.shape_there;
    p.fill = fill;
    if (!p.pack) return 0;
    p.parameter_count = irl_func_param_count(p.pack) - 2;
    for (k = 0; k < p.parameter_count; k++)
        p.parameters[k] = values[irl_func_param_name(p.pack, k)[0] == 'M'];
    return pack_pair_round_trip(&p, run, user);
}

#endif
