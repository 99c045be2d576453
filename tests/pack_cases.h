/* pack_cases.h - packing and unpacking by any executor, against the cells that the map itself names. */
#ifndef IRL_PACK_CASES_H
#define IRL_PACK_CASES_H

typedef struct pack_row {
    const char *map;
    irl_shape   shape;
} pack_row;

static const pack_row pack_rows[] = {
    { "(n, h, w, c) -> (n, c/4, h, w, c%4)", { 4, { 2, 3, 5, 8 } } },
    { "(n, h, w, c) -> (n, c/4, h, w, c%4)", { 4, { 1, 5, 7, 6 } } },
    { "(n, h, w, c) -> (n, c/4, h, |, w, c%4)", { 4, { 1, 4, 4, 3 } } }, /* three channels, four lanes */
    { "(o, i, y, x) -> (((((o/16)*2 + i/16)*3 + y)*3 + x)*256 + (i%16)/4*64 + (o%16)*4 + i%4)", { 4, { 16, 32, 3, 3 } } },
    { "(y, x) -> (y/8*16 + x, y%8)", { 2, { 16, 16 } } },
    { "(m, k) -> ((m*2 + k/32)*18 + 2 + k%16, k%32/16)", { 2, { 3, 64 } } }, /* the scales' bytes are unused */
    { "(y, x) -> (y, x ^ y)", { 2, { 8, 8 } } },
    { "(p, y, x) -> (y, p*8 + select(p%2 == 0, x, 7 - x))", { 3, { 3, 4, 8 } } },
    { "(x) -> (15 - x)", { 1, { 16 } } },
    { "(x) -> ((x + 5)%24)", { 1, { 24 } } },
    { "(i) -> (i*4 + 9)", { 1, { 7 } } }, /* starts behind the first cell, and has gaps */
    { "(i, j) -> (i/4, j/4, i%4, j%4)", { 2, { 7, 9 } } },
    { "(i) -> (i, i%3, 5)", { 1, { 10 } } },
    { "(y, x) -> ((x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2 | (x & 4) << 2 | (y & 4) << 3)", { 2, { 8, 8 } } },
    { "(i) -> (i*i)", { 1, { 9 } } }, /* only a table */
    { "(i, j) -> (i*i*3 + j)", { 2, { 120, 3 } } }, /* no formula: filled and scattered */
    { "() -> ()", { 0, { 0 } } },
    { "(i, j) -> (j, i)", { 2, { 0, 5 } } },
};

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

/* What must lie in memory: `rest` in every cell that no point reaches. False if a point falls outside. */
static int pack_expected(const irl_map *m, const irl_shape *shape, const irl_shape *box, const int32_t *plain, int32_t rest, int32_t *out)
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

static int pack_two(pack_run *run, void *user, const irl_func *f, const int32_t *from, int32_t *to)
{
    irl_arguments a;
    memset(&a, 0, sizeof a);
    a.count = 2;
    a.data[0] = from;
    a.data[1] = to;
    return run(user, f, a);
}

/* Packs, compares every cell, unpacks, compares, and packs again. `fill`: the padding is stated. */
static int pack_round_trip(irl_ctx *cx, const irl_map *m, irl_shape shape, int fill, pack_run *run, void *user)
{
    irl_packing   how;
    irl_func     *pack, *unpack;
    irl_tensor    packed_t;
    irl_arguments none;
    int32_t      *plain, *back, *packed, *expected;
    int64_t       k, n = pack_elements(&shape), cells;
    int           ok;
    memset(&how, 0, sizeof how);
    memset(&none, 0, sizeof none);
    how.element = irl_type_of(IRL_I32, 1);
    how.fill = fill;
    how.padding = -7;
    pack = irl_pack_func(cx, m, shape, &how);
    unpack = irl_unpack_func(cx, m, shape, &how);
    m = irl_map_of_rank(cx, m, shape.rank);
    if (!pack || !unpack || !m || !irl_param_tensor(pack, 1, none, &packed_t)) return 0;
    cells = pack_elements(&packed_t.shape);
    plain = (int32_t *)calloc((size_t)n + 1, sizeof *plain);
    back = (int32_t *)calloc((size_t)n + 1, sizeof *back);
    packed = (int32_t *)calloc((size_t)cells + 1, sizeof *packed);
    expected = (int32_t *)calloc((size_t)cells + 1, sizeof *expected);
    for (k = 0; k < n; k++) plain[k] = 1000 + (int32_t)k;
    for (k = 0; k < cells; k++) packed[k] = 555;
    ok = pack_expected(m, &shape, &packed_t.shape, plain, fill ? -7 : 555, expected) && pack_two(run, user, pack, plain, packed) &&
         memcmp(packed, expected, (size_t)cells * sizeof *packed) == 0;
    for (k = 0; k < cells && !fill; k++) /* padding is never read */
        if (packed[k] == 555) packed[k] = 777;
    ok = ok && pack_two(run, user, unpack, packed, back) && memcmp(plain, back, (size_t)n * sizeof *plain) == 0;
    for (k = 0; k < cells; k++) packed[k] = 555;
    ok = ok && pack_two(run, user, pack, back, packed) && memcmp(packed, expected, (size_t)cells * sizeof *packed) == 0;
    free(plain);
    free(back);
    free(packed);
    free(expected);
    return ok;
}

#endif
