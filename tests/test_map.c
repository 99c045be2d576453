/* test_map.c - index maps through the public functions: apply, shape, ranges, compose, builders,
   inverse, equality, verdicts with bounds and a way to stop, JSON, diagnostics, and hostile
   input. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/map/map.h"
#endif
#include "test.h"
#include "random64.h"
#include "map_truth.h"

IRL_LAYOUT(ssd1306, (y, x), (y / 8, x, y % 8));
IRL_LAYOUT(nchw4c, (n, h, w, c), (n, c / 4, h), (w, c % 4));

static int same(irl_shape a, irl_shape b) { return truth_same(&a, &b); }

static irl_verdict check_text(irl_ctx *cx, const char *map, irl_shape shape)
{
    return irl_map_check(cx, irl_map_parse(cx, map), shape);
}

/* ------------------------------------------------------------------ points and shapes */

static void test_points(void)
{
    irl_ctx       *cx = irl_ctx_create(NULL);
    irl_shape      at, lo;
    const irl_map *m = irl_map_parse(cx, "(n, h, w, c) -> (n, c/4, h, w, c%4)"),
                  *any = irl_map_parse(cx, "(..., c) -> (..., c/4, c%4)");
    int            separators[4];
    CHECK(irl_map_apply(cx, m, IRL_SHAPE(1, 2, 3, 6), &at) && same(at, IRL_SHAPE(1, 1, 2, 3, 2)));
    CHECK(irl_map_apply(cx, any, IRL_SHAPE(7, 9, 6), &at) && same(at, IRL_SHAPE(7, 9, 1, 2)));
    CHECK(irl_map_apply(cx, any, IRL_SHAPE(6), &at) && same(at, IRL_SHAPE(1, 2)));
    CHECK(irl_map_shape(cx, m, IRL_SHAPE(2, 5, 7, 15), &at, &lo) &&
          same(at, IRL_SHAPE(2, 4, 5, 7, 4)) && same(lo, IRL_SHAPE(0, 0, 0, 0, 0)));
    m = irl_layout(cx, &nchw4c);
    CHECK(irl_map_input_count(m) == 4 && irl_map_output_count(m) == 5 &&
          irl_map_separators(m, separators, 4) == 1 && separators[0] == 3);
    m = irl_map_parse(cx, "(i) -> (15 - i, i + 2, (i + 9)/8, i*i)");
    CHECK(irl_map_shape(cx, m, IRL_SHAPE(16), &at, &lo) && same(at, IRL_SHAPE(16, 18, 4, 226)) &&
          same(lo, IRL_SHAPE(0, 2, 1, 0)));
    CHECK(irl_map_ranges(cx, m, IRL_SHAPE(4), IRL_SHAPE(2), &at, &lo) &&
          same(at, IRL_SHAPE(12, 8, 2, 26)) && same(lo, IRL_SHAPE(10, 6, 1, 16)));
    CHECK_OK(cx);
    CHECK(!irl_map_apply(cx, m, IRL_SHAPE(1, 2), &at));
    CHECK_CODE(cx, IRL_ERROR_RANK_MISMATCH);
    irl_ctx_destroy(cx);
}

static void test_identity(void)
{
    irl_ctx       *cx = irl_ctx_create(NULL);
    irl_shape      at;
    const irl_map *empty = irl_map_parse(cx, "() -> ()");
    irl_verdict    v = irl_map_check(cx, empty, IRL_SHAPE(3, 4));
    CHECK(v.kind == IRL_BIJECTIVE && same(v.physical, IRL_SHAPE(3, 4)));
    CHECK(irl_map_apply(cx, empty, IRL_SHAPE(5, 6), &at) && same(at, IRL_SHAPE(5, 6)));
    CHECK(irl_map_equal(cx, empty, irl_map_identity(cx, 2), IRL_SHAPE(9, 9), NULL) == IRL_YES);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ verdicts */

static void test_verdicts(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_verdict v = irl_map_check(cx, irl_layout(cx, &ssd1306), IRL_SHAPE(64, 128));
    CHECK(v.kind == IRL_BIJECTIVE &&
          strcmp(irl_verdict_text(cx, &v), "bijective onto [8, 128, 8]") == 0);
    v = check_text(cx, "(i) -> (i/4, i%4)", IRL_SHAPE(14));
    CHECK(v.kind == IRL_INJECTIVE && v.pad_cells == 2);
    v = check_text(cx, "(x, y) -> (x, (x ^ y)%6)", IRL_SHAPE(6, 6));
    CHECK(v.kind == IRL_LOSSY && same(v.a, IRL_SHAPE(2, 2)) && same(v.b, IRL_SHAPE(2, 4)) &&
          same(v.at, IRL_SHAPE(2, 0)));
    v = check_text(cx, "(i) -> (i - 3)", IRL_SHAPE(8));
    CHECK(v.kind == IRL_OUT_OF_RANGE && v.at.extent[0] < 0 && v.a.extent[0] - 3 == v.at.extent[0]);
    v = check_text(cx, "(i) -> (i/2 - 3)", IRL_SHAPE(8)); /* lossy before out of range */
    CHECK(v.kind == IRL_LOSSY);
    v = check_text(cx, "(i, j) -> (i, j)", IRL_SHAPE(0, 5));
    CHECK(v.kind == IRL_BIJECTIVE && same(v.physical, IRL_SHAPE(0, 0)));
    v = check_text(cx, "() -> (7)", IRL_SHAPE(1)); /* a map of no inputs is no map for one axis */
    CHECK(v.kind == IRL_UNDECIDED);
    CHECK_CODE(cx, IRL_ERROR_RANK_MISMATCH);
    irl_ctx_destroy(cx);
}

static int stop_at_once(void *user, int64_t done, int64_t total)
{
    (*(int *)user)++;
    (void)done, (void)total;
    return 0;
}

static int go_on(void *user, int64_t done, int64_t total)
{
    (*(int *)user)++;
    return done <= total;
}

static void test_how(void)
{
    irl_ctx      *cx = irl_ctx_create(NULL);
    irl_check_options  how;
    irl_shape     bound = IRL_SHAPE(4, 3);
    irl_verdict   v;
    const irl_map *m = irl_map_parse(cx, "(i) -> (i/4, i%4)"),
                  *hard = irl_map_parse(cx, "(i, j) -> (i*i*3 + j)");
    int           calls = 0;
    memset(&how, 0, sizeof how);
    how.bound = &bound;
    v = irl_map_check_with(cx, m, IRL_SHAPE(16), &how);
    CHECK(v.kind == IRL_OUT_OF_RANGE && v.at.extent[1] == 3 && v.a.extent[0] % 4 == 3);
    bound = IRL_SHAPE(4, 4);
    v = irl_map_check_with(cx, m, IRL_SHAPE(16), &how);
    CHECK(v.kind == IRL_BIJECTIVE);
    how.bound = NULL;
    how.progress = stop_at_once;
    how.user = &calls;
    v = irl_map_check_with(cx, hard, IRL_SHAPE(1000, 3), &how);
    CHECK(v.kind == IRL_UNDECIDED && calls == 1 && v.reason[0] && irl_ok(cx));
    how.progress = go_on;
    calls = 0;
    v = irl_map_check_with(cx, hard, IRL_SHAPE(1000, 3), &how);
    CHECK(v.kind == IRL_INJECTIVE && calls >= 1);
    how.most_cells = 1000;
    v = irl_map_check_with(cx, hard, IRL_SHAPE(1000, 3), &how);
    CHECK(v.kind == IRL_INJECTIVE && strcmp(v.method, "growth") == 0);
    v = irl_map_check_with(cx, irl_map_parse(cx, "(i, j) -> (i*(i + 1)/2*3 + j)"),
                           IRL_SHAPE(1000, 3), &how);
    CHECK(v.kind == IRL_UNDECIDED && v.reason[0] && v.box_known && irl_ok(cx));
    v = irl_map_check_with(cx, m, IRL_SHAPE(16), NULL);
    CHECK(v.kind == IRL_BIJECTIVE);
    CHECK_OK(cx);
    bound = IRL_SHAPE(4);
    how.bound = &bound;
    v = irl_map_check_with(cx, m, IRL_SHAPE(16), &how);
    CHECK_CODE(cx, IRL_ERROR_RANK_MISMATCH);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ inverses */

static void test_inverse(void)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_expr *padding = NULL;
    const irl_map *m =
        irl_map_inverse(cx, irl_layout(cx, &nchw4c), IRL_SHAPE(1, 56, 56, 64), &padding);
    CHECK(m &&
          strcmp(irl_map_text(cx, m),
                 "(axis0, axis1, axis2, axis3, axis4) -> (0, axis2, axis3, axis1 * 4 + axis4)") ==
              0);
    CHECK(padding && irl__is_int(padding, 0));
    m = irl_map_inverse(cx, irl_map_parse(cx, "(x) -> ((x + 1)%128)"), IRL_SHAPE(128), &padding);
    CHECK(m && strcmp(irl_map_text(cx, m), "(axis0) -> ((axis0 + 127) % 128)") == 0);
    m = irl_map_inverse(cx, irl_map_parse(cx, "(i) -> (i*4 + 1)"), IRL_SHAPE(5), &padding);
    CHECK(m && padding && strcmp(irl_expr_text(cx, padding), "axis0 % 4 != 1") == 0);
    CHECK_OK(cx);
    CHECK(!irl_map_inverse(cx, irl_map_parse(cx, "(i) -> (i/2)"), IRL_SHAPE(8), NULL));
    CHECK_CODE(cx, IRL_ERROR_LOSSY_MAP);
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(NULL);
    CHECK(!irl_map_inverse(cx, irl_map_parse(cx, "(i) -> (0 - i)"), IRL_SHAPE(8), NULL));
    CHECK_CODE(cx, IRL_ERROR_MAP_OUT_OF_RANGE);
    irl_ctx_destroy(cx);
}

/* The shape of an answer stays when the extents grow 2^10 times. */
static void test_scaled(void)
{
    static const struct { const char *map, *scaled; irl_shape shape;
    } rows[] = {
        { "(n, h, w, c) -> (n, c/4, h, w, c%4)",
          "(n, h, w, c) -> (n, c/4096, h, w, c%4096)",
          { 4, NULL, { 2, 8, 8, 64 } } },
        { "(i, j) -> (i*16 + j)", "(i, j) -> (i*16384 + j)", { 2, NULL, { 4, 13 } } },
        { "(i) -> (i/3, i%3/2, i%3%2)", "(i) -> (i/3072, i%3072/2048, i%3072%2048)",
          { 1, NULL, { 9 } } },
        { "(x) -> ((x + 5)%24)", "(x) -> ((x + 5120)%24576)", { 1, NULL, { 24 } } },
        { "(x, y) -> (x, y ^ x%8)", "(x, y) -> (x, y ^ x%8192)", { 2, NULL, { 16, 16 } } },
    };
    size_t   k;
    unsigned a, b;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        irl_shape   big = rows[k].shape;
        irl_verdict v = check_text(cx, rows[k].map, rows[k].shape), u;
        int         i;
        for (i = 0; i < big.rank; i++) big.extent[i] *= 1024;
        u = check_text(cx, rows[k].scaled, big);
        CHECK(v.kind != IRL_UNDECIDED && strcmp(v.method, "enumeration") != 0 &&
              u.kind != IRL_UNDECIDED && strcmp(u.method, "enumeration") != 0);
        if (!CHECK(v.inverse && u.inverse)) continue;
        a = truth_nodes_of_map(v.inverse) + v.padding->size;
        b = truth_nodes_of_map(u.inverse) + u.padding->size;
        CHECK(a == b);
        CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
}

/* ----------------------------------------------------------- builders, composition, equality */

/* m prints as the comment in irlayout.h says. */
static int reads(irl_ctx *cx, const irl_map *m, const char *text)
{
    return m && strcmp(irl_map_text(cx, m), text) == 0;
}

/* The examples of the manual, and what it says is refused. */
static void test_manual(void)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    const int       order[] = { 0, 2, 1 }, twice[] = { 0, 1, 1 };
    const int64_t tile[] = { 4, 1, 8 }, pad[] = { 0, 2 }, none[] = { 4, 0, 8 }, less[] = { 0, -1 };
    const irl_expr *n = irl_expr_var(cx, "N", irl_type_of(IRL_INDEX, 1));
    irl_verdict     v;
    irl_shape       at, lo;
    irl_mark        mark;
    int             k;
    CHECK(reads(cx, irl_map_permutation(cx, 3, order), "(i0, i1, i2) -> (i0, i2, i1)"));
    CHECK(reads(cx, irl_map_split(cx, 2, 1, 4), "(i0, i1) -> (i0, i1 / 4, i1 % 4)"));
    CHECK(
        reads(cx, irl_map_fuse(cx, IRL_SHAPE(2, 3, 5), 0, 2), "(i0, i1, i2) -> (i0 * 3 + i1, i2)"));
    CHECK(reads(cx, irl_map_tile(cx, 3, tile),
                "(i0, i1, i2) -> (i0 / 4, i1, i2 / 8, i0 % 4, i2 % 8)"));
    CHECK(reads(cx, irl_map_pad(cx, 2, pad), "(i0, i1) -> (i0, i1 + 2)"));
    CHECK(reads(cx, irl_map_strided(cx, IRL_SHAPE(12, 1)), "(i0, i1) -> (i0 * 12 + i1)"));
    CHECK(irl_map_ranges(cx, irl_map_parse(cx, "(i) -> (i/4, i%4)"), IRL_SHAPE(6), IRL_SHAPE(4),
                         &at, &lo));
    CHECK(same(lo, IRL_SHAPE(1, 0)) && same(at, IRL_SHAPE(3, 4)));
    v = irl_map_check(cx, irl_map_parse(cx, "(i) -> (i/4, i%4)"), irl_shape_of(1, &n));
    CHECK(v.kind ==
          IRL_INJECTIVE && strcmp(irl_expr_text(cx, v.physical.named[0]), "(N + 3) / 4") == 0);
    CHECK(strcmp(irl_expr_text(cx, v.physical.named[1]), "min(N, 4)") == 0 &&
          strcmp(irl_expr_text(cx, v.padding), "N <= axis0 * 4 + axis1") == 0);
    CHECK_OK(cx);
    mark = irl_ctx_mark(cx);
    for (k = 0; k < 13; k++) {
        const irl_map *m = NULL;
        switch (k) {
        case 0: m = irl_map_permutation(cx, 3, twice); break;
        case 1: m = irl_map_permutation(cx, 3, NULL); break;
        case 2: m = irl_map_split(cx, 2, 1, 0); break;
        case 3: m = irl_map_split(cx, 2, -1, 4); break;
        case 4: m = irl_map_fuse(cx, IRL_SHAPE(2, 3, 5), 2, 2); break;
        case 5: m = irl_map_fuse(cx, IRL_SHAPE(2, 3, 5), 0, 0); break;
        case 6: m = irl_map_fuse(cx, IRL_SHAPE(2, -3, 5), 0, 2); break;
        case 7: m = irl_map_tile(cx, 3, none); break;
        case 8: m = irl_map_tile(cx, 3, NULL); break;
        case 9: m = irl_map_pad(cx, 2, less); break;
        case 10: m = irl_map_pad(cx, 2, NULL); break;
        case 11: m = irl_map_new(cx, 1, &n, 1, NULL, 0, NULL); break;
        default: m = irl_map_new(cx, 1, NULL, 1, &n, 0, NULL); break;
        }
        CHECK(!m);
        if (!CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT)) printf("  case %d\n", k);
        irl_ctx_rewind(cx, mark);
    }
    CHECK(!irl_map_ranges(cx, irl_map_identity(cx, 2), IRL_SHAPE(1), IRL_SHAPE(2, 2), &at, &lo));
    CHECK_CODE(cx, IRL_ERROR_RANK_MISMATCH);
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_map_compose(cx, irl_map_identity(cx, 2), irl_map_identity(cx, 3)));
    CHECK_CODE(cx, IRL_ERROR_RANK_MISMATCH);
    irl_ctx_destroy(cx);
}

static void test_builders(void)
{
    irl_ctx      *cx = irl_ctx_create(NULL);
    const int     order[] = { 0, 3, 1, 2 };
    const int64_t tile[] = { 4, 1, 8 }, pad[] = { 0, 2 };
    irl_difference d;
    CHECK(irl_map_equal(cx, irl_map_permutation(cx, 4, order),
                        irl_map_parse(cx, "(n, h, w, c) -> (n, c, h, w)"), IRL_SHAPE(2, 3, 4, 5),
                        NULL) == IRL_YES);
    CHECK(irl_map_equal(cx, irl_map_split(cx, 2, 1, 4),
                        irl_map_parse(cx, "(i, j) -> (i, j/4, j%4)"), IRL_SHAPE(3, 10),
                        NULL) == IRL_YES);
    CHECK(irl_map_equal(cx, irl_map_fuse(cx, IRL_SHAPE(2, 3, 4, 5), 1, 2),
                        irl_map_parse(cx, "(n, h, w, c) -> (n, h*4 + w, c)"), IRL_SHAPE(2, 3, 4, 5),
                        NULL) == IRL_YES);
    CHECK(irl_map_equal(cx, irl_map_tile(cx, 3, tile),
                        irl_map_parse(cx, "(i, j, k) -> (i/4, j, k/8, i%4, k%8)"),
                        IRL_SHAPE(9, 2, 16), NULL) == IRL_YES);
    CHECK(irl_map_equal(cx, irl_map_pad(cx, 2, pad), irl_map_parse(cx, "(i, j) -> (i, j + 2)"),
                        IRL_SHAPE(9, 2), NULL) == IRL_YES);
    CHECK(irl_map_equal(cx, irl_map_strided(cx, IRL_SHAPE(12, 1)),
                        irl_map_parse(cx, "(i, j) -> (i*12 + j)"), IRL_SHAPE(9, 12),
                        NULL) == IRL_YES);
    CHECK(irl_map_equal(cx, irl_map_parse(cx, "(i) -> (i/4*4 + i%4)"), irl_map_identity(cx, 1),
                        IRL_SHAPE(1 << 20), NULL) == IRL_YES);
    CHECK(irl_map_equal(cx, irl_map_parse(cx, "(i) -> (i/4)"), irl_map_parse(cx, "(i) -> (i/5)"),
                        IRL_SHAPE(100), &d) == IRL_NO &&
          d.point.extent[0] / 4 != d.point.extent[0] / 5);
    CHECK(irl_map_equal(cx, irl_map_parse(cx, "(i) -> (i/4)"), irl_map_parse(cx, "(i) -> (i/5)"),
                        IRL_SHAPE(4), &d) == IRL_YES);
    CHECK(irl_map_equal(cx, irl_map_identity(cx, 1), irl_map_parse(cx, "(i) -> (i, i)"),
                        IRL_SHAPE(4), &d) == IRL_NO &&
          d.point.rank == -1);
    CHECK_OK(cx);
    CHECK(!irl_map_split(cx, 2, 2, 4));
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ divide and product */

enum { MODES_ROOM = 4096 };

/* Where each copy of the tile begins, from the definition: the least index that no earlier copy
   covers. The number of copies that fit into MODES_ROOM; owner[i] is the copy of index i, place[i]
   where in the tile it is (-1: none). */
static int modes_copies(const irl_shape *tile, const irl_shape *stride, int *begin, int *owner,
                        int *place)
{
    int64_t size = 1, t, offset, rest;
    int     k, count = 0, next = 0, i;
    for (k = 0; k < tile->rank; k++) size *= tile->extent[k];
    for (i = 0; i < MODES_ROOM; i++) owner[i] = place[i] = -1;
    for (;; next++) {
        while (next < MODES_ROOM && owner[next] >= 0) next++;
        if (next == MODES_ROOM) return count;
        for (t = 0; t < size; t++) {
            for (k = 0, offset = next, rest = t; k < tile->rank; k++) {
                offset += rest % tile->extent[k] * stride->extent[k];
                rest /= tile->extent[k];
            }
            if (offset >= MODES_ROOM) return count;
            if (owner[offset] >= 0) return -1; /* copies overlap: not such a tile */
            owner[offset] = count;
            place[offset] = (int)t;
        }
        begin[count++] = next;
    }
}

static void check_divide(irl_ctx *cx, irl_shape tile, irl_shape stride)
{
    static int     begin[MODES_ROOM], owner[MODES_ROOM], place[MODES_ROOM];
    const irl_map *m = irl_map_divide(cx, 3, 1, tile, stride);
    irl_shape      at;
    int copies = modes_copies(&tile, &stride, begin, owner, place), i, ok = copies > 0 && m != NULL;
    for (i = 0; ok && i < MODES_ROOM; i++) {
        if (owner[i] < 0 || owner[i] >= copies) continue; /* of a copy that reaches beyond */
        ok = irl_map_apply(cx, m, IRL_SHAPE(7, i, 8), &at) &&
             same(at, IRL_SHAPE(7, owner[i], place[i], 8));
    }
    if (!CHECK(ok))
        printf("divide by %ld:%ld ..: %s\n%s", (long)tile.extent[0], (long)stride.extent[0],
               m ? irl_map_text(cx, m) : "nothing", irl_diag_text(cx));
    if (m)
        CHECK(irl_map_check(cx, m, IRL_SHAPE(2, 97, 3)).kind == IRL_BIJECTIVE ||
              irl_map_check(cx, m, IRL_SHAPE(2, 97, 3)).kind == IRL_INJECTIVE);
}

static void check_product(irl_ctx *cx, irl_shape tile, irl_shape stride, irl_shape outer,
                          irl_shape outer_stride)
{
    static int     begin[MODES_ROOM], owner[MODES_ROOM], place[MODES_ROOM];
    const irl_map *m = irl_map_product(cx, tile, stride, outer, outer_stride);
    irl_shape      box = outer, at, y;
    int copies = modes_copies(&tile, &stride, begin, owner, place), k, ok = copies > 0 && m != NULL;
    for (k = 0; k < tile.rank; k++) box.extent[box.rank++] = tile.extent[k];
    memset(&at, 0, sizeof at);
    at.rank = box.rank;
    if (ok) do {
            int64_t copy = 0, index = 0;
            for (k = 0; k < outer.rank; k++) copy += at.extent[k] * outer_stride.extent[k];
            for (k = 0; k < tile.rank; k++) index += at.extent[outer.rank + k] * stride.extent[k];
            ok = copy < copies && irl_map_apply(cx, m, at, &y) && y.rank == 1 &&
                 y.extent[0] == index + begin[copy];
        } while (ok && truth_next(&box, &at));
    if (!CHECK(ok))
        printf("product of %ld:%ld ..: %s\n%s", (long)tile.extent[0], (long)stride.extent[0],
               m ? irl_map_text(cx, m) : "nothing", irl_diag_text(cx));
}

/* Modes that a tile may have, in any order. */
static void random_tile(irl_shape *tile, irl_shape *stride)
{
    int64_t end = 1;
    int     k, n = 1 + random_below(3);
    memset(tile, 0, sizeof *tile);
    memset(stride, 0, sizeof *stride);
    for (k = 0; k < n; k++) {
        int     at = random_below(tile->rank + 1), j;
        int64_t s = 1 + random_below(4), d = end * (1 + random_below(3));
        for (j = tile->rank; j > at; j--) {
            tile->extent[j] = tile->extent[j - 1];
            stride->extent[j] = stride->extent[j - 1];
        }
        tile->extent[at] = s;
        stride->extent[at] = d;
        tile->rank = ++stride->rank;
        if (s > 1) end = s * d;
    }
}

/* A box that is too small, as a wrong rule would derive it: no memory is touched, and nothing is
   decided. */
static void test_wrong_box(void)
{
    irl_ctx     *cx = irl_ctx_create(NULL);
    irl_check_options how;
    irl__check   c;
    int64_t      k;
    for (k = 1; k <= 200; k += 199) {
        memset(&c, 0, sizeof c);
        memset(&how, 0, sizeof how);
        c.cx = cx;
        c.map = irl_map_parse(cx, "(i) -> (i * 100)");
        c.how = &how;
        c.v.shape = IRL_SHAPE(10);
        c.v.minimum = IRL_SHAPE(0);
        c.v.physical = IRL_SHAPE(k);
        CHECK(irl__check_by_enumeration(&c) == -1 && strstr(c.v.reason, "outside of the box"));
        CHECK(c.v.kind == IRL_UNDECIDED);
    }
    c.v.physical = IRL_SHAPE(901);
    CHECK(irl__check_by_enumeration(&c) == 1 && c.v.kind == IRL_INJECTIVE);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

static void test_modes(void)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_shape tile, stride;
    int       n, total = TEST_COUNT(200);
    irl_mark  mark;
    CHECK(strcmp(irl_map_text(cx, irl_map_divide(cx, 1, 0, IRL_SHAPE(4), IRL_SHAPE(2))),
                 "(i0) -> (i0 / 8 * 2 + i0 % 2, i0 / 2 % 4)") == 0);
    CHECK(strcmp(irl_map_text(cx, irl_map_product(cx, IRL_SHAPE(2, 2), IRL_SHAPE(4, 1),
                                                  IRL_SHAPE(6), IRL_SHAPE(1))),
                 "(i0, i1, i2) -> (i0 / 2 * 8 + i1 * 4 + i0 % 2 * 2 + i2)") == 0);
    check_divide(cx, IRL_SHAPE(4), IRL_SHAPE(2));
    check_divide(cx, IRL_SHAPE(8), IRL_SHAPE(1)); /* as irl_map_split */
    check_divide(cx, IRL_SHAPE(1), IRL_SHAPE(0));
    check_product(cx, IRL_SHAPE(2, 2), IRL_SHAPE(4, 1), IRL_SHAPE(6), IRL_SHAPE(1));
    /* blocks of 2 x 5 */
    check_product(cx, IRL_SHAPE(2, 5), IRL_SHAPE(5, 1), IRL_SHAPE(3, 4), IRL_SHAPE(1, 3));
    { /* an array of tiles, each row-major, the tiles row-major too */
        const int64_t  factors[] = { 2, 5 };
        const irl_map *m = irl_map_compose(
            cx,
            irl_map_product(cx, IRL_SHAPE(2, 5), IRL_SHAPE(5, 1), IRL_SHAPE(3, 4), IRL_SHAPE(4, 1)),
            irl_map_tile(cx, 2, factors));
        CHECK(irl_map_check(cx, m, IRL_SHAPE(6, 20)).kind == IRL_BIJECTIVE);
        CHECK(irl_map_equal(cx, m, irl_map_parse(cx, "(i, j) -> ((i/2*4 + j/5)*10 + i%2*5 + j%5)"),
                            IRL_SHAPE(6, 20), NULL) == IRL_YES);
    }
    mark = irl_ctx_mark(cx);
    for (n = 0; n < total; n++) {
        random_tile(&tile, &stride);
        check_divide(cx, tile, stride);
        check_product(cx, tile, stride, IRL_SHAPE(3, 2),
                      random_below(2) ? IRL_SHAPE(1, 3) : IRL_SHAPE(2, 7));
        irl_ctx_rewind(cx, mark);
    }
    CHECK(irl_map_equal(cx, irl_map_divide(cx, 2, 1, IRL_SHAPE(4), IRL_SHAPE(1)),
                        irl_map_split(cx, 2, 1, 4), IRL_SHAPE(9, 1000), NULL) == IRL_YES);
    CHECK_OK(cx);
    CHECK(!irl_map_divide(cx, 1, 0, IRL_SHAPE(4, 3), IRL_SHAPE(1, 2))); /* 2 is no multiple of 4 */
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_map_divide(cx, 1, 1, IRL_SHAPE(4), IRL_SHAPE(1)) && !irl_ok(cx));
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_map_divide(cx, 1, 0, IRL_SHAPE(4), IRL_SHAPE(0)) && !irl_ok(cx));
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_map_divide(cx, 1, 0, IRL_SHAPE(0), IRL_SHAPE(1)) && !irl_ok(cx));
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_map_divide(cx, 1, 0, IRL_SHAPE(4, 4), IRL_SHAPE(1, INT64_C(1) << 62)));
    CHECK_CODE(cx, IRL_ERROR_OVERFLOW);
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_map_product(cx, IRL_SHAPE(4), IRL_SHAPE(1, 1), IRL_SHAPE(4), IRL_SHAPE(1)) &&
          !irl_ok(cx));
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_map_product(cx, IRL_SHAPE(4), IRL_SHAPE(1), IRL_SHAPE(4), IRL_SHAPE(-1)) &&
          !irl_ok(cx));
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ composition */

/* The three pairs of layouts, in CuTe's notation, whose composition is wrong there: shape:stride
   functions of one index. */
typedef struct cute_mode {
    int     rank;
    int64_t shape[3], stride[3];
} cute_mode;

/* The index function i -> sum of its digits in `shape`, the first fastest, times the strides; the
   last digit is open. */
static const irl_map *cute_map(irl_ctx *cx, const cute_mode *m)
{
    const irl_expr *i = irl_expr_var(cx, "i", irl_type_of(IRL_INDEX, 1)), *rest = i, *sum = NULL;
    int             k;
    for (k = 0; k < m->rank; k++) {
        const irl_expr *digit =
            k + 1 < m->rank ? irl__floormod(cx, rest, irl_expr_index(cx, m->shape[k])) : rest;
        const irl_expr *term = irl__mul(cx, digit, irl_expr_index(cx, m->stride[k]));
        sum = sum ? irl__add(cx, sum, term) : term;
        rest = irl__floordiv(cx, rest, irl_expr_index(cx, m->shape[k]));
    }
    return irl__map_make(cx, 1, &i, 1, &sum, 0, NULL, irl__nowhere());
}

/* R(i) == A(B(i)) for every i below size(B), read from the definitions and not from the maps. */
static int64_t cute_value(const cute_mode *m, int64_t i)
{
    int64_t sum = 0;
    int     k;
    for (k = 0; k < m->rank; k++) {
        sum += (k + 1 < m->rank ? i % m->shape[k] : i) * m->stride[k];
        i /= m->shape[k];
    }
    return sum;
}

static int cute_composes(irl_ctx *cx, const cute_mode *a, const cute_mode *b)
{
    const irl_map *r = irl_map_compose(cx, cute_map(cx, a), cute_map(cx, b));
    int64_t        i, size = 1;
    irl_shape      out;
    int            k;
    for (k = 0; k < b->rank; k++) size *= b->shape[k];
    for (i = 0; i < size; i++)
        if (!irl_map_apply(cx, r, IRL_SHAPE(i), &out) ||
            out.extent[0] != cute_value(a, cute_value(b, i)))
            return 0;
    return 1;
}

static void test_compose(void)
{
    static const cute_mode pairs[][2] = {
        { { 2, { 6, 2, 0 }, { 1, 7, 0 } }, { 2, { 3, 2, 0 }, { 2, 3, 0 } } },
        { { 3, { 4, 6, 8 }, { 2, 3, 5 } }, { 1, { 6, 0, 0 }, { 3, 0, 0 } } },
        { { 2, { 2, 3, 0 }, { 1, 2, 0 } }, { 2, { 2, 3, 0 }, { 3, 1, 0 } } },
    };
    irl_ctx *cx = irl_ctx_create(NULL);
    size_t   k;
    int      n, total = TEST_COUNT(1000), i;
    for (k = 0; k < sizeof pairs / sizeof pairs[0]; k++)
        CHECK(cute_composes(cx, &pairs[k][0], &pairs[k][1]));
    for (n = 0; n < total; n++) {
        cute_mode m[2];
        irl_mark  mark = irl_ctx_mark(cx);
        for (k = 0; k < 2; k++) {
            m[k].rank = 1 + random_below(3);
            for (i = 0; i < m[k].rank; i++) {
                m[k].shape[i] = 1 + random_below(7);
                m[k].stride[i] = random_below(13);
            }
        }
        CHECK(cute_composes(cx, &m[0], &m[1]));
        irl_ctx_rewind(cx, mark);
    }
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* ------------------------ more points than are looked at; masks and names beside / and % */

static void test_forms(void)
{
    static const struct {
        const char *map;
        irl_shape   shape;
        const char *verdict, *inverse;
    } rows[] = {
        { "(y, x) -> ((y & ~15)*3840 + (y & 15)*16 + (x & ~15)*16 + (x & 15))",
          { 2, NULL, { 2160, 3840 } }, "bijective onto [8294400]", NULL },
        { "(y, x) -> (y*3840 + (x & ~3) + 3 - (x & 3))", { 2, NULL, { 2160, 3840 } },
          "bijective onto [8294400]", NULL },
        { "(x) -> ((x & ~7) | (7 - (x & 7)))", { 1, NULL, { INT64_C(8000000000) } },
          "bijective onto [8000000000]", "(axis0) -> (axis0 / 8 * 8 - axis0 % 8 + 7)" },
        { "(x) -> ((x & ~112), x/16%8)", { 1, NULL, { INT64_C(1) << 40 } },
          "injective into [1099511627664, 8]", NULL },
        { "(x) -> ((x & ~7), x & 3)", { 1, NULL, { INT64_C(1) << 40 } },
          "lossy: (0) and (4) both map to [0, 0]", NULL },
        { "(i) -> (i*i)", { 1, NULL, { 1000000 } }, "injective into [999998000002]", NULL },
        { "(i, j) -> (i*i*3 + j)", { 2, NULL, { 1000000, 3 } }, "injective into [2999994000006]",
          NULL },
        { "(i, j) -> (i*i*3 + j)", { 2, NULL, { 1000000, 4 } },
          "lossy: (0, 3) and (1, 0) both map to [3]", NULL },
        { "(i, j) -> (1000000*1000000*1000000 - i*i*i, j*i + j)", { 2, NULL, { 1000000, 1 << 20 } },
          "injective", NULL },
        { "(y, x) -> (let(a = (x | x << 8) & 0xff00ff, let(b = (a | a << 4) & 0xf0f0f0f, "
          "let(c = (b | b << 2) & 0x33333333, (c | c << 1) & 0x55555555))) | "
          "let(d = (y | y << 8) & 0xff00ff, let(e = (d | d << 4) & 0xf0f0f0f, "
          "let(f = (e | e << 2) & 0x33333333, (f | f << 1) & 0x55555555))) << 1)",
          { 2, NULL, { 65536, 65536 } }, "bijective onto [4294967296]", NULL },
        { "(x) -> (x*0x1111 & 0x8421)", { 1, NULL, { 16 } }, "injective into [33826]",
          "(axis0) -> ((axis0 / 4096 & 8) + (axis0 / 256 & 4) + (axis0 / 16 & 2) + axis0 % 2)" },
        { "(x) -> (let(a = x/2, a*2 + x%2))", { 1, NULL, { INT64_C(1) << 40 } },
          "bijective onto [1099511627776]", "(axis0) -> (axis0)" },
        { "(x) -> (let(a = 7 - x, a)/4, (7 - x)%4)", { 1, NULL, { 8 } }, "bijective onto [2, 4]",
          "(axis0, axis1) -> (7 - axis0 * 4 - axis1)" }
    };
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_verdict v;
    char        chain[2048], *end = chain;
    size_t      k;
    for (k = 0; k < sizeof rows / sizeof *rows; k++) {
        const char *text;
        v = check_text(cx, rows[k].map, rows[k].shape);
        text = irl_verdict_text(cx, &v);
        if (!CHECK(strncmp(text, rows[k].verdict, strlen(rows[k].verdict)) == 0 &&
                   (!rows[k].inverse ||
                    (v.inverse && strcmp(irl_map_text(cx, v.inverse), rows[k].inverse) == 0))))
            printf("%s: %s, inverse %s\n", rows[k].map, text,
                   v.inverse ? irl_map_text(cx, v.inverse) : "unknown");
    }
    /* each name twice in the next value: 2^40 nodes where names are replaced */
    end += sprintf(end, "(x) -> (");
    for (k = 0; k < 40; k++)
        end += sprintf(end, k ? "let(a%d = (a%d*3 + a%d) %% 1021, " : "let(a%d = x, ", (int)k,
                       (int)k - 1, (int)k - 1);
    end += sprintf(end, "a39");
    for (k = 0; k < 41; k++) end += sprintf(end, ")");
    v = check_text(cx, chain, IRL_SHAPE(1000)); /* 4^39 x mod a prime */
    CHECK(v.kind == IRL_INJECTIVE || v.kind == IRL_BIJECTIVE);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ JSON */

static void test_json(void)
{
    irl_ctx       *cx = irl_ctx_create(NULL);
    const irl_map *m = irl_map_parse(cx, "(i) -> (i/4, i%4)");
    irl_verdict    v = irl_map_check(cx, m, IRL_SHAPE(14));
    CHECK(strcmp(irl_verdict_json(cx, m, &v),
                 "{\"map\": \"(i) -> (i / 4, i % 4)\", \"shape\": [14], \"min\": [0, 0], "
                 "\"physical\": [4, 4], \"memory\": [4, 4], \"verdict\": \"injective\", "
                 "\"method\": \"mixed-radix decomposition\", "
                 "\"inverse\": \"(axis0, axis1) -> (axis0 * 4 + axis1)\", "
                 "\"padding\": \"axis0 * 4 + axis1 >= 14\", "
                 "\"pad_cells\": 2, \"witness\": null, \"reason\": null}") == 0);
    m = irl_map_parse(cx, "(i) -> (i/4)");
    v = irl_map_check(cx, m, IRL_SHAPE(14));
    CHECK(strcmp(irl_verdict_json(cx, m, &v),
                 "{\"map\": \"(i) -> (i / 4)\", \"shape\": [14], \"min\": [0], \"physical\": [4], "
                 "\"memory\": [4], \"verdict\": \"lossy\", "
                 "\"method\": \"enumeration\", \"inverse\": null, \"padding\": null, "
                 "\"pad_cells\": null, "
                 "\"witness\": {\"a\": [0], \"b\": [1], \"at\": [0]}, \"reason\": null}") == 0);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* -------------------------------------------- hostile input: an answer or a diagnostic, soon */

static void test_hostile(void)
{
    static const struct { const char *map; irl_shape shape; } rows[] = {
        { "(i) -> (i)", { 1, NULL, { INT64_C(1) << 62 } } },
        { "(i) -> (i)", { 1, NULL, { INT64_MAX } } },
        { "(i, j) -> (i, j)", { 2, NULL, { INT64_C(1) << 62, INT64_C(1) << 62 } } },
        { "(i) -> (i*4611686018427387904)", { 1, NULL, { 100 } } },
        { "(i) -> (i*i*i*i)", { 1, NULL, { INT64_C(1) << 62 } } },
        { "(i) -> (i + 9223372036854775807)", { 1, NULL, { 3 } } },
        { "(i) -> (8/i)", { 1, NULL, { 9 } } },
        { "(i) -> (i%(i - 4))", { 1, NULL, { 9 } } },
        { "(i) -> (1 << i)", { 1, NULL, { 80 } } },
        { "(i) -> (i/0)", { 1, NULL, { 9 } } },
        { "(i) -> (i)", { 1, NULL, { 0 } } },
        { "(i) -> (i)", { 1, NULL, { -5 } } },
        { "(i, j) -> (i ^ j)", { 2, NULL, { INT64_C(1) << 40, INT64_C(1) << 40 } } },
        { "(i, j) -> (i*i + j*j)", { 2, NULL, { 1000003, 1000033 } } },
        { "(i) -> (i*7%1000000007)", { 1, NULL, { 1000000007 } } },
        { "(i) -> (i*i%1000000007)", { 1, NULL, { 1000000007 } } },
        { "(i) -> (select(i < 5, i, if_then_else(i == 7, i/(i - 7), i + 1)))",
          { 1, NULL, { 20 } } },
    };
    size_t k;
    int    n;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        irl_verdict v = check_text(cx, rows[k].map, rows[k].shape);
        CHECK(v.kind != IRL_UNDECIDED || v.reason[0]);
        CHECK(irl_ok(cx) || v.kind == IRL_UNDECIDED);
        irl_ctx_destroy(cx);
    }
    { /* a rank that is none, and more axes than there are places */
        irl_ctx  *cx = irl_ctx_create(NULL);
        irl_shape s = IRL_SHAPE(3);
        s.rank = 64;
        CHECK(irl_map_check(cx, irl_map_parse(cx, "(...) -> (...)"), s).kind == IRL_UNDECIDED);
        CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
        irl_ctx_destroy(cx);
        CHECK(irl_map_check(NULL, NULL, IRL_SHAPE(3)).kind == IRL_UNDECIDED);
    }
    { /* a thousand terms */
        irl_ctx        *cx = irl_ctx_create(NULL);
        const irl_expr *i = irl_expr_var(cx, "i", irl_type_of(IRL_INDEX, 1)), *level[1024];
        irl_verdict     v;
        int             width = 1024;
        for (n = 0; n < width; n++)
            level[n] = irl__floormod(cx, irl__mul(cx, i, irl_expr_index(cx, n + 3)),
                                     irl_expr_index(cx, 2 * n + 5));
        for (; width > 1; width /= 2)
            for (n = 0; n < width / 2; n++) level[n] = irl__add(cx, level[2 * n], level[2 * n + 1]);
        v = irl_map_check(cx, irl__map_make(cx, 1, &i, 1, level, 0, NULL, irl__nowhere()),
                          IRL_SHAPE(1000));
        CHECK(v.kind != IRL_UNDECIDED || v.reason[0]);
        irl_ctx_destroy(cx);
    }
    { /* a block too small for the enumeration: a diagnostic */
        static unsigned char block[65536];
        irl_ctx_desc             desc;
        irl_ctx             *cx;
        memset(&desc, 0, sizeof desc);
        desc.block = block;
        desc.block_bytes = sizeof block;
        cx = irl_ctx_create(&desc);
        CHECK(check_text(cx, "(i) -> (i/4, i%4)", IRL_SHAPE(14)).kind == IRL_INJECTIVE);
        CHECK(check_text(cx, "(i, j) -> (i*i*3 + j)", IRL_SHAPE(4000, 3)).kind == IRL_UNDECIDED);
        CHECK_CODE(cx, IRL_ERROR_OUT_OF_MEMORY);
        irl_ctx_destroy(cx);
    }
}

int main(void)
{
    test_points();
    test_identity();
    test_verdicts();
    test_how();
    test_inverse();
    test_scaled();
    test_manual();
    test_builders();
    test_modes();
    test_wrong_box();
    test_compose();
    test_forms();
    test_json();
    test_hostile();
    return TEST_DONE();
}
