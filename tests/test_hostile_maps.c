/* test_hostile_maps.c - maps and shapes made to break the arithmetic: for each a verdict that is
   right, or a diagnostic with its code, in bounded time and memory.

   Right is what hostile_maps.h's model says, which shares no code with the library: at every point
   where there are at most FEW, else at corners and random points. Time is counted in points that
   progress is told of, memory in bytes asked for. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/map/map.h"
#endif
#include "test.h"
#include "random64.h"
#include "map_model.h"
#include "hostile_maps.h"

enum { MOST_BYTES = 96 << 20, MOST_CALLS = 4096 };

/* ------------------------------------------------------------------ counting */

typedef struct counter {
    size_t  held, peak;
    int64_t calls, fail_at, requests; /* fail_at -1: never */
} counter;

static void *count_allocate(void *user, size_t bytes)
{
    counter *c = (counter *)user;
    if (c->requests++ == c->fail_at || bytes > MOST_BYTES) return NULL;
    c->held += bytes;
    if (c->held > c->peak) c->peak = c->held;
    return malloc(bytes ? bytes : 1);
}

static void count_release(void *user, void *memory, size_t bytes)
{
    ((counter *)user)->held -= bytes;
    free(memory);
}

static irl_ctx *counted(counter *c)
{
    irl_ctx_desc desc;
    memset(c, 0, sizeof *c);
    c->fail_at = -1;
    memset(&desc, 0, sizeof desc);
    desc.allocator.allocate = count_allocate;
    desc.allocator.release = count_release;
    desc.allocator.user = c;
    return irl_ctx_create(&desc);
}

static int go_on(void *user, int64_t done, int64_t total)
{
    ((counter *)user)->calls++;
    return done <= total;
}

static int stop_at_once(void *user, int64_t done, int64_t total)
{
    (void)done, (void)total;
    ((counter *)user)->calls++;
    return 0;
}

static int verbose;

static void test_generated(void)
{
    int kinds[IRL_UNDEFINED + 1] = { 0 }, overflow = 0, diagnostics = 0, refused = 0, n,
                                 total = TEST_TENTH(4000);
    size_t  peak = 0;
    int64_t calls = 0;
    for (n = 0; n < total; n++) {
        counter        c;
        irl_ctx       *cx = counted(&c);
        irl_shape      shape;
        irl_check_options   how;
        irl_verdict    v;
        const irl_map *m = hostile_map(cx, &shape);
        if (!m) {
            refused++;
            CHECK(!irl_ok(cx));
            irl_ctx_destroy(cx);
            continue;
        }
        memset(&how, 0, sizeof how);
        how.progress = go_on;
        how.user = &c;
        how.most_cells = 1 << 20;
        v = irl_map_check_with(cx, m, shape, &how);
        kinds[v.kind]++;
        overflow += v.kind == IRL_UNDEFINED && v.code == IRL_ERROR_OVERFLOW;
        diagnostics += !irl_ok(cx);
        if (!CHECK(right(cx, m, &v)) || (verbose && v.kind == IRL_UNDECIDED && irl_ok(cx)))
            show(cx, m, &shape, &v);
        if (c.calls > calls) calls = c.calls;
        if (!CHECK(c.peak <= MOST_BYTES && c.calls <= MOST_CALLS)) show(cx, m, &shape, &v);
        if (irl_ok(cx) && n % 4 == 0 &&
            !CHECK(right_everywhere(cx, m, &shape, hostile_point(shape.rank))))
            show(cx, m, &shape, &v);
        if (c.peak > peak) peak = c.peak;
        irl_ctx_destroy(cx);
        CHECK(c.held == 0);
    }
    printf("%d hostile maps, %d refused: %d bijective, %d injective, %d lossy, %d out of range, %d "
           "undecided (%d of them overflow, %d diagnostics); "
           "at most %lu KiB and %ld calls of progress\n",
           total, refused, kinds[IRL_BIJECTIVE], kinds[IRL_INJECTIVE], kinds[IRL_LOSSY],
           kinds[IRL_OUT_OF_RANGE], kinds[IRL_UNDECIDED], overflow, diagnostics,
           (unsigned long)(peak / 1024), (long)calls);
    CHECK(kinds[IRL_BIJECTIVE] > total / 100 && kinds[IRL_INJECTIVE] > total / 100 &&
          kinds[IRL_LOSSY] > total / 10 && kinds[IRL_OUT_OF_RANGE] > total / 100 &&
          overflow > total / 80);
}

/* ------------------------------------------------------------------ named cases */

#define B62 INT64_C(4611686018427387904)

/* What is expected: a kind, with a piece of the reason where it is undecided, or a diagnostic with
   a piece of its text. */
typedef struct hostile_row {
    const char      *map;
    irl_shape        shape;
    irl_verdict_kind kind;
    const char      *says; /* NULL: nothing */
    irl_code         code;
} hostile_row;

static const hostile_row rows[] = {
    /* representable, however huge: the truth */
    { "(i) -> (i)", { 1, NULL, { INT64_MAX } }, IRL_BIJECTIVE, NULL, IRL_OK },
    { "(i) -> (9223372036854775806 - i)", { 1, NULL, { INT64_MAX } }, IRL_BIJECTIVE, NULL, IRL_OK },
    /* 2^125 points: the box is counted whole */
    { "(i, j) -> (j, i)", { 2, NULL, { B62, INT64_MAX } }, IRL_BIJECTIVE, NULL, IRL_OK },
    /* 2^62 cells unused */
    { "(i, j) -> (i, j + 1)", { 2, NULL, { B62, B62 } }, IRL_INJECTIVE, NULL, IRL_OK },
    /* 2^124 of them */
    { "(i, j, k) -> (i + 1, j, k)", { 3, NULL, { B62, B62, B62 } }, IRL_INJECTIVE, NULL, IRL_OK },
    { "(i) -> (i/4, i%4)", { 1, NULL, { B62 } }, IRL_BIJECTIVE, NULL, IRL_OK },
    { "(i) -> (i/3037000500, i%3037000500)",
      { 1, NULL, { INT64_MAX } }, IRL_INJECTIVE, NULL, IRL_OK },
    { "(i, j) -> (i*4294967296 + j)",
      { 2, NULL, { INT64_C(1) << 30, INT64_C(1) << 32 } },
      IRL_BIJECTIVE,
      NULL,
      IRL_OK },
    { "(i) -> (i ^ (i >> 1))", { 1, NULL, { INT64_C(1) << 40 } }, IRL_BIJECTIVE, NULL, IRL_OK },
    { "(i, j) -> (i ^ j)", { 2, NULL, { B62, B62 } }, IRL_LOSSY, NULL, IRL_OK },
    /* 63 bits: the 63rd was left out */
    { "(i) -> (i % 4611686018427387904)", { 1, NULL, { B62 + 1 } }, IRL_LOSSY, NULL, IRL_OK },
    { "(i) -> (i % 4611686018427387904)", { 1, NULL, { B62 } }, IRL_BIJECTIVE, NULL, IRL_OK },
    { "(i) -> (i - 9223372036854775806)",
      { 1, NULL, { INT64_MAX } }, IRL_OUT_OF_RANGE, NULL, IRL_OK },
    /* few points, a box of 2^63 cells */
    { "(i) -> (i % (0 - 9223372036854775807 - 1))",
      { 1, NULL, { 9 } }, IRL_OUT_OF_RANGE, NULL, IRL_OK },
    { "(i) -> (i * 1000000000000 % 1000000000000000003)",
      { 1, NULL, { 900 } },
      IRL_INJECTIVE,
      NULL,
      IRL_OK },
    { "(i) -> (-1 - i)", { 1, NULL, { INT64_MAX } }, IRL_OUT_OF_RANGE, NULL, IRL_OK },
    /* overflow, said where */
    { "(i) -> (i*4611686018427387904)",
      { 1, NULL, { 100 } },
      IRL_UNDEFINED,
      "overflow at i * 4611686018427387904: its operands are 2 and 4611686018427387904 at (2), one "
      "of 100 points",
      IRL_OK },
    { "(i) -> (i*i*i*i)",
      { 1, NULL, { B62 } },
      IRL_UNDEFINED,
      "overflow at i * i: its operands are 4611686018427387903 and 4611686018427387903 at "
      "(4611686018427387903), one of 4611686018427387904 points",
      IRL_OK },
    { "(i) -> (i + 9223372036854775807)",
      { 1, NULL, { 3 } },
      IRL_UNDEFINED,
      "overflow at i + 9223372036854775807: its operands are 1 and 9223372036854775807 at (1)",
      IRL_OK },
    { "(i) -> (i + 9223372036854775807)",
      { 1, NULL, { 1 } },
      IRL_OUT_OF_RANGE,
      NULL,
      IRL_OK },
    { "(i, j) -> (i*4611686018427387904 + j)",
      { 2, NULL, { B62, B62 } },
      IRL_UNDEFINED,
      "one of more than 2^63 points",
      IRL_OK },
    /* as it is written */
    { "(i) -> (i*9223372036854775807/9223372036854775807)",
      { 1, NULL, { 4 } },
      IRL_UNDEFINED,
      "overflow at i * 9223372036854775807",
      IRL_OK },
    { "(i) -> ((i - 9223372036854775807 - 1)/-1)",
      { 1, NULL, { 9 } },
      IRL_UNDEFINED,
      "/ -1: its operands are -9223372036854775808 and -1 at (0)",
      IRL_OK },
    { "(i) -> (-(i - 9223372036854775807 - 1))",
      { 1, NULL, { 9 } },
      IRL_UNDEFINED,
      "its operand is -9223372036854775808 at (0)",
      IRL_OK },
    { "(i) -> (abs(i - 9223372036854775807 - 1))",
      { 1, NULL, { 9 } },
      IRL_UNDEFINED,
      "overflow at abs(",
      IRL_OK },
    { "(i) -> (1 << i)",
      { 1, NULL, { 64 } },
      IRL_UNDEFINED,
      "overflow at 1 << i: its operands are 1 and 63 at (63)",
      IRL_OK },
    { "(i) -> (i << 61)", { 1, NULL, { B62 } }, IRL_UNDEFINED, "overflow at i << 61", IRL_OK },
    { "(i) -> (i*i*i*i - i*i*i*i + i)",
      { 1, NULL, { INT64_C(1) << 20 } },
      IRL_UNDEFINED,
      "overflow at i * i * i",
      IRL_OK },
    /* lossy all the same: two points with a value */
    { "(i) -> (i/2*4611686018427387904)", { 1, NULL, { 100 } }, IRL_LOSSY, NULL, IRL_OK },
    { "(i, j) -> (i*4611686018427387904)", { 2, NULL, { B62, 2 } }, IRL_LOSSY, NULL, IRL_OK },
    /* no overflow where the arm is not taken */
    { "(i) -> (if_then_else(i < 2, i*4611686018427387904, i))",
      { 1, NULL, { 3 } },
      IRL_INJECTIVE,
      NULL,
      IRL_OK },
    { "(i) -> (if_then_else(i < 2, i, i*4611686018427387904))",
      { 1, NULL, { 2 } },
      IRL_BIJECTIVE,
      NULL,
      IRL_OK },
    { "(i) -> (select(i < 2, i, i*4611686018427387904))",
      { 1, NULL, { 3 } },
      IRL_UNDEFINED,
      "overflow at i * 4611686018427387904",
      IRL_OK },
    { "(i) -> (if_then_else(i == 5, 100, i/(i - 5) + i*2))",
      { 1, NULL, { 9 } },
      IRL_LOSSY,
      NULL,
      IRL_OK },
    /* guarded */
    { "(i) -> (i, if_then_else(i > 0, 8/i, 0))",
      { 1, NULL, { 1000 } }, IRL_INJECTIVE, NULL, IRL_OK },
    /* division, modulo, shift */
    { "(i) -> (8/i)",
      { 1, NULL, { 9 } },
      IRL_LOSSY,
      "division by zero at 8 / i: its operands are 8 and 0 at (0)",
      IRL_OK },
    { "(i) -> (8/i)",
      { 1, NULL, { INT64_C(1) << 40 } },
      IRL_LOSSY,
      "8 and 0 at (0)",
      IRL_OK },
    { "(i) -> (i%(i - 4))",
      { 1, NULL, { 9 } },
      IRL_LOSSY,
      "its operands are 4 and 0 at (4)",
      IRL_OK },
    { "(i) -> (i/0)", { 1, NULL, { 9 } }, IRL_UNDEFINED, "division by zero", IRL_OK },
    { "(i) -> (i%0)",
      { 1, NULL, { B62 } },
      IRL_UNDEFINED,
      "division by zero",
      IRL_OK },
    { "(i) -> (i, i%(i - 123456789))",
      { 1, NULL, { INT64_C(1) << 50 } },
      IRL_UNDECIDED,
      "division by zero at i % (i - 123456789): it is not known",
      IRL_OK },
    { "(i) -> (i << 64)",
      { 1, NULL, { 9 } },
      IRL_UNDEFINED,
      "the distance of a shift is too large at i << 64: its operands are 0 and 64 at (0)",
      IRL_OK },
    { "(i) -> (i >> (i - 1))",
      { 1, NULL, { 9 } },
      IRL_LOSSY,
      "its operands are 0 and -1 at (0)",
      IRL_OK },
    { "(i) -> (i / -1)", { 1, NULL, { 9 } }, IRL_OUT_OF_RANGE, NULL, IRL_OK },
    { "(i) -> (8 - i % -9)", { 1, NULL, { 9 } }, IRL_INJECTIVE, NULL, IRL_OK },
    /* -x/2 has no value where x/-2 has */
    { "(i) -> ((i ^ -9223372036854775807) / -2, i)",
      { 1, NULL, { 5 } }, IRL_INJECTIVE, NULL, IRL_OK },
    /* shapes without points, maps without axes */
    { "(i) -> (i/0)", { 1, NULL, { 0 } }, IRL_BIJECTIVE, NULL, IRL_OK },
    { "(i, j, k) -> (i*i*i, j, k)",
      { 3, NULL, { B62, 0, INT64_MAX } }, IRL_BIJECTIVE, NULL, IRL_OK },
    { "(i) -> (i)",
      { 1, NULL, { -5 } },
      IRL_UNDECIDED,
      "extent 0 of the shape is -5",
      IRL_ERROR_BAD_ARGUMENT },
    { "(i) -> (i)",
      { 1, NULL, { INT64_MIN } },
      IRL_UNDECIDED,
      "-9223372036854775808",
      IRL_ERROR_BAD_ARGUMENT },
    { "() -> ()", { 0, NULL, { 0 } }, IRL_BIJECTIVE, NULL, IRL_OK },
    { "() -> (7)", { 0, NULL, { 0 } }, IRL_INJECTIVE, NULL, IRL_OK },
    { "(i) -> ()", { 1, NULL, { 1 } }, IRL_BIJECTIVE, NULL, IRL_OK },
    { "(i) -> ()", { 1, NULL, { B62 } }, IRL_LOSSY, NULL, IRL_OK },
    /* too much to look at: how much was left */
    { "(i) -> (i*i % 1000000007 * i % 1000000007 + i % 3)",
      { 1, NULL, { 1000000007 } },
      IRL_UNDECIDED,
      "the range of output 0 is not known exactly, and 1000000007 points are too many to examine",
      IRL_OK },
    { "(i) -> (i*i % 1000000007 * i % 1000000007)",
      { 1, NULL, { 1000000007 } },
      IRL_UNDECIDED,
      "not proved for its 1000000007 points, and their box has 1000000007 cells, of which "
      "at most 67108864 can be examined",
      IRL_OK },
    { "(i, j) -> (i*7%257 + j*j*263)",
      { 2, NULL, { 257, 5000 } },
      IRL_UNDECIDED,
      "not proved for its 1285000 points, and their box has 6572370520 cells, of which "
      "at most 67108864 can be examined",
      IRL_OK },
};

static void test_rows(void)
{
    size_t k;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const hostile_row *row = &rows[k];
        counter            c;
        irl_ctx           *cx = counted(&c);
        const irl_map     *m = irl_map_parse(cx, row->map);
        irl_check_options       how;
        irl_verdict        v;
        int                ok;
        memset(&how, 0, sizeof how);
        how.progress = go_on;
        how.user = &c;
        v = irl_map_check_with(cx, m, row->shape, &how);
        ok = CHECK(v.kind == row->kind) & CHECK_CODE(cx, row->code) & CHECK(c.calls <= MOST_CALLS);
        if (row->says && row->code == IRL_OK) ok &= CHECK(strstr(v.reason, row->says) != NULL);
        if (row->says && row->code != IRL_OK)
            ok &= CHECK(!irl_ok(cx) && strstr(irl_diag_text(cx), row->says) != NULL);
        if (row->code == IRL_OK)
            ok &= CHECK(right(cx, m, &v)) &&
                  CHECK(right_everywhere(cx, m, &row->shape, hostile_point(row->shape.rank)));
        if (row->code != IRL_ERROR_BAD_ARGUMENT && row->code != IRL_OK)
            ok &= CHECK(irl_diag_of(cx)->line == 1);
        if (!ok && m) show(cx, m, &row->shape, &v);
        irl_ctx_destroy(cx);
    }
}

/* ------------------------------------------------------------------ numbers of a verdict */

static void test_counts(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_verdict v =
        irl_map_check(cx, irl_map_parse(cx, "(i, j) -> (i, j + 1)"), IRL_SHAPE(B62, B62));
    CHECK(v.pad_cells == B62);
    CHECK(strcmp(irl_verdict_text(cx, &v),
                 "injective into [4611686018427387904, 4611686018427387905], 4611686018427387904 "
                 "cells are unused") == 0);
    v = irl_map_check(cx, irl_map_parse(cx, "(i, j, k) -> (i + 1, j, k)"),
                      IRL_SHAPE(B62, B62, B62));
    CHECK(v.pad_cells == -1 &&
          strstr(irl_verdict_text(cx, &v), "more than 2^63 cells are unused") &&
          strstr(irl_verdict_json(cx, irl_map_parse(cx, "(i, j, k) -> (i + 1, j, k)"), &v),
                 "\"pad_cells\": null"));
    v = irl_map_check(cx, irl_map_parse(cx, "(i) -> (i*4611686018427387904)"), IRL_SHAPE(3));
    CHECK(strcmp(irl_verdict_json(cx, irl_map_parse(cx, "(i) -> (i*4611686018427387904)"), &v),
                 "{\"map\": \"(i) -> (i * 4611686018427387904)\", \"shape\": [3], \"min\": null, "
                 "\"physical\": null, \"memory\": null, \"verdict\": \"undefined\", "
                 "\"method\": \"witness\", "
                 "\"inverse\": null, \"padding\": null, \"pad_cells\": null, "
                 "\"witness\": {\"a\": [2], \"b\": null, \"at\": null}, "
                 "\"reason\": \"overflow at i * 4611686018427387904: its operands are "
                 "2 and 4611686018427387904 at (2), one of 3 points\"}") == 0);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* The places where other entries say the same. */
static void test_entries(void)
{
    irl_ctx       *cx = irl_ctx_create(NULL);
    const irl_map *m = irl_map_parse(cx, "(i) -> (i*4611686018427387904)");
    irl_mark       mark = irl_ctx_mark(cx);
    irl_shape      physical, at;
    CHECK(!irl_map_shape(cx, m, IRL_SHAPE(3), &physical, NULL));
    CHECK_CODE(cx, IRL_ERROR_OVERFLOW);
    CHECK(strstr(irl_diag_text(cx), "overflow at i * 4611686018427387904: its operands are 2 and "
                                    "4611686018427387904 at (2)") != NULL);
    irl_ctx_rewind(cx, mark);
    CHECK(irl_map_shape(cx, m, IRL_SHAPE(2), &physical, NULL) && physical.extent[0] == B62 + 1);
    CHECK(!irl_map_ranges(cx, m, IRL_SHAPE(1), IRL_SHAPE(2), &physical, NULL));
    CHECK_CODE(cx, IRL_ERROR_OVERFLOW);
    irl_ctx_rewind(cx, mark);
    /* the point itself */
    CHECK(!irl_map_ranges(cx, irl_map_parse(cx, "(i) -> (0)"), IRL_SHAPE(INT64_MAX), IRL_SHAPE(2),
                          &physical, NULL));
    CHECK_CODE(cx, IRL_ERROR_OVERFLOW);
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_map_inverse(cx, m, IRL_SHAPE(3), NULL));
    CHECK_CODE(cx, IRL_ERROR_OVERFLOW);
    CHECK(strstr(irl_diag_text(cx), "overflow at i * 4611686018427387904") != NULL);
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_map_apply(cx, m, IRL_SHAPE(2), &at));
    CHECK_CODE(cx, IRL_ERROR_OVERFLOW);
    irl_ctx_rewind(cx, mark);
    CHECK(irl_map_equal(cx, m, m, IRL_SHAPE(2), NULL) == IRL_YES &&
          irl_map_equal(cx, m, m, IRL_SHAPE(3), NULL) == IRL_UNKNOWN);
    CHECK_CODE(cx, IRL_ERROR_OVERFLOW);
    irl_ctx_rewind(cx, mark);
    CHECK(irl_map_apply(cx, irl_map_parse(cx, "(i) -> (let(v = i*2, v*v))"), IRL_SHAPE(3), &at) &&
          at.extent[0] == 36);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* A caller who says stop is heard wherever points are looked at. */
static void test_stop(void)
{
    static const struct { const char *map; irl_shape shape;
    } looks[] = {
        { "(i) -> (i*i % 10007 * i % 10007)", { 1, NULL, { 10007 } } }, /* the box */
        { "(i, j) -> (i*i*3 + j)", { 2, NULL, { 1000, 3 } } },          /* the bits */
        { "(i) -> (i/(i*i%10007 - 5))", { 1, NULL, { 10007 } } },       /* the values */
    };
    size_t k;
    for (k = 0; k < sizeof looks / sizeof looks[0]; k++) {
        counter      c;
        irl_ctx     *cx = counted(&c);
        irl_check_options how;
        irl_verdict  v;
        memset(&how, 0, sizeof how);
        how.progress = stop_at_once;
        how.user = &c;
        v = irl_map_check_with(cx, irl_map_parse(cx, looks[k].map), looks[k].shape, &how);
        if (!CHECK(v.kind == IRL_UNDECIDED && c.calls == 1 &&
                   strstr(v.reason, "stopped by the caller after 0 of ") &&
                   reason_is_good(v.reason, "points")))
            printf("%s: %s\n", looks[k].map, irl_verdict_text(cx, &v));
        CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
}

/* ------------------------------------------------------------------ large and deep */

/* The verdict, in bounds; a diagnostic of these codes is an answer too. */
static void large(const char *what, const irl_map *(*make)(irl_ctx *), irl_shape shape,
                  irl_code code)
{
    counter        c;
    irl_ctx       *cx = counted(&c);
    const irl_map *m = make(cx);
    irl_check_options   how;
    irl_verdict    v;
    memset(&v, 0, sizeof v);
    memset(&how, 0, sizeof how);
    how.progress = go_on;
    how.user = &c;
    if (m) v = irl_map_check_with(cx, m, shape, &how);
    else CHECK(!irl_ok(cx));
    if (!CHECK_CODE(cx, code)) printf("    %s\n", what);
    if (m && irl_ok(cx) && !CHECK(right(cx, m, &v)))
        printf("    %s: %s, %s\n", what, why, irl_verdict_text(cx, &v));
    if (!CHECK(c.peak <= MOST_BYTES && c.calls <= MOST_CALLS))
        printf("    %s: %lu bytes, %ld calls\n", what, (unsigned long)c.peak, (long)c.calls);
    irl_ctx_destroy(cx);
}

static const irl_expr *variable(irl_ctx *cx)
{
    return irl_expr_var(cx, "i", irl_type_of(IRL_INDEX, 1));
}

static const irl_map *of_one(irl_ctx *cx, const irl_expr *i, const irl_expr *e)
{
    return irl_map_new(cx, 1, &i, 1, &e, 0, NULL);
}

/* A balanced sum of terms i*a%b. */
static const irl_map *sum_of(irl_ctx *cx, int terms)
{
    const irl_expr *i = variable(cx), *level[4096];
    int             n;
    for (n = 0; n < terms; n++)
        level[n] = irl_expr_op2(cx, IRL_OP_FLOORMOD,
                                irl_expr_op2(cx, IRL_OP_MUL, i, irl_expr_index(cx, n + 3)),
                                irl_expr_index(cx, 2 * n + 5));
    for (; terms > 1; terms /= 2)
        for (n = 0; n < terms / 2; n++)
            level[n] = irl_expr_op2(cx, IRL_OP_ADD, level[2 * n], level[2 * n + 1]);
    return of_one(cx, i, level[0]);
}
static const irl_map *thousand_terms(irl_ctx *cx) { return sum_of(cx, 1024); }
static const irl_map *four_thousand_terms(irl_ctx *cx) { return sum_of(cx, 4096); }

/* Nested as deep as it goes: i + 1 + 1 + ..., ((i*3)^1)*3)^1 ..., conditions in conditions. */
static const irl_map *chain_of(irl_ctx *cx, int depth, int kind)
{
    const irl_expr *i = variable(cx), *e = i;
    for (; depth > 0; depth--) {
        if (kind == 0)
            e = irl_expr_op2(
                cx, IRL_OP_ADD,
                irl_expr_op2(cx, IRL_OP_FLOORDIV, e, irl_expr_index(cx, 1 + depth % 2)), i);
        else if (kind == 1)
            e = irl_expr_op2(cx, IRL_OP_BITXOR,
                             irl_expr_op2(cx, IRL_OP_MUL, e, irl_expr_index(cx, 3)),
                             irl_expr_index(cx, 1));
        else
            e = irl_expr_op3(cx, IRL_OP_IF_THEN_ELSE,
                             irl_expr_op2(cx, IRL_OP_LT,
                                irl_expr_op2(cx, IRL_OP_FLOORMOD, i, irl_expr_index(cx, depth + 2)),
                                irl_expr_index(cx, 1)),
                        e, irl_expr_op2(cx, IRL_OP_FLOORDIV, i, irl_expr_index(cx, depth + 1)));
    }
    return of_one(cx, i, e);
}
static const irl_map *long_chain(irl_ctx *cx) { return chain_of(cx, 190, 0); }
static const irl_map *growing_chain(irl_ctx *cx) { return chain_of(cx, 190, 1); }
static const irl_map *long_choice(irl_ctx *cx) { return chain_of(cx, 300, 2); }
static const irl_map *too_long_chain(irl_ctx *cx) { return chain_of(cx, 10000, 0); }

/* e = e op e: few nodes, but as a tree two to the n. */
static const irl_map *doubled(irl_ctx *cx, int times, irl_op op)
{
    const irl_expr *i = variable(cx),
                   *e = irl_expr_op2(cx, IRL_OP_FLOORMOD, i, irl_expr_index(cx, 7));
    for (; times > 0; times--)
        e = irl_expr_op2(cx, op, e, irl_expr_op2(cx, IRL_OP_BITXOR, e, irl_expr_index(cx, times)));
    return of_one(cx, i, e);
}
/* (the model takes each of its 2^18 sums by itself) */
static int              doubled_times(void) { return getenv("IRL_SLOW") ? 14 : 18; }
static const irl_map *doubled_sum(irl_ctx *cx) { return doubled(cx, doubled_times(), IRL_OP_ADD); }
static const irl_map *doubled_product(irl_ctx *cx)
{
    return doubled(cx, doubled_times(), IRL_OP_MUL);
}
static const irl_map *doubled_quotient(irl_ctx *cx)
{
    return doubled(cx, doubled_times(), IRL_OP_FLOORDIV);
}
static const irl_map *doubled_too_often(irl_ctx *cx) { return doubled(cx, 40, IRL_OP_ADD); }

static const irl_map *huge_product(irl_ctx *cx)
{
    const irl_expr *i = variable(cx), *e = irl_expr_index(cx, INT64_MAX);
    int             n;
    for (n = 0; n < 20; n++)
        e = irl_expr_op2(cx, IRL_OP_MUL, e, irl_expr_index(cx, n % 2 ? INT64_MIN : INT64_MAX));
    return of_one(cx, i, irl_expr_op2(cx, IRL_OP_ADD, e, i));
}

static const irl_map *thousand_outputs(irl_ctx *cx)
{
    const irl_expr *i = variable(cx), *out[1000];
    int             n;
    for (n = 0; n < 1000; n++) out[n] = i;
    return irl_map_new(cx, 1, &i, 1000, out, 0, NULL);
}

static const irl_map *all_axes(irl_ctx *cx)
{
    const irl_expr *in[IRL_MAX_RANK], *out[IRL_MAX_RANK];
    int             n;
    for (n = 0; n < IRL_MAX_RANK; n++) in[n] = variable(cx);
    for (n = 0; n < IRL_MAX_RANK; n++)
        out[n] = irl_expr_op2(cx, IRL_OP_ADD, in[IRL_MAX_RANK - 1 - n],
                              irl_expr_op2(cx, IRL_OP_FLOORMOD, in[IRL_MAX_RANK - 1 - n],
                                           irl_expr_index(cx, 1)));
    return irl_map_new(cx, IRL_MAX_RANK, in, IRL_MAX_RANK, out, 0, NULL);
}

static const irl_map *sixty_four_axes(irl_ctx *cx)
{
    const irl_expr *in[64];
    int             n;
    for (n = 0; n < 64; n++) in[n] = variable(cx);
    return irl_map_new(cx, 64, in, 64, in, 0, NULL);
}

static void test_large(void)
{
    irl_shape     all = IRL_SHAPE(1);
    /* points for the model of this test */
    const int64_t few = getenv("IRL_SLOW") ? 3 : 50, less = getenv("IRL_SLOW") ? 25 : 1;
    int           k;
    large("1024 terms", thousand_terms, IRL_SHAPE(1000 / less), IRL_OK);
    large("1024 terms, many points", thousand_terms, IRL_SHAPE(INT64_C(1) << 40), IRL_OK);
    large("4096 terms", four_thousand_terms, IRL_SHAPE(500 / less), IRL_OK);
    large("a chain", long_chain, IRL_SHAPE(1000 / less), IRL_OK);
    large("a chain, many points", long_chain, IRL_SHAPE(B62), IRL_OK);
    large("a chain that overflows", growing_chain, IRL_SHAPE(100), IRL_OK);
    large("choices in choices", long_choice, IRL_SHAPE(1000 / less), IRL_OK);
    large("choices in choices, many points", long_choice, IRL_SHAPE(B62), IRL_OK);
    large("10000 deep", too_long_chain, IRL_SHAPE(1000), IRL_ERROR_TOO_DEEP);
    large("a tree of 2^18 sums", doubled_sum, IRL_SHAPE(few), IRL_OK);
    large("a tree of 2^18 sums, many points", doubled_sum, IRL_SHAPE(B62), IRL_OK);
    large("a tree of 2^18 products", doubled_product, IRL_SHAPE(few), IRL_OK);
    large("a tree of 2^18 quotients", doubled_quotient, IRL_SHAPE(few), IRL_OK);
    large("a tree of 2^40", doubled_too_often, IRL_SHAPE(50), IRL_ERROR_TOO_LARGE);
    large("a product of huge constants", huge_product, IRL_SHAPE(100), IRL_OK);
    large("1000 outputs", thousand_outputs, IRL_SHAPE(3), IRL_ERROR_TOO_LARGE);
    large("64 axes", sixty_four_axes, all, IRL_ERROR_TOO_LARGE);
    all.rank = IRL_MAX_RANK;
    for (k = 0; k < all.rank; k++) all.extent[k] = 1 + k % 3 / 2;
    large("32 axes", all_axes, all, IRL_OK);
    for (k = 0; k < all.rank; k++) all.extent[k] = INT64_MAX;
    large("32 axes, 2^2016 points", all_axes, all, IRL_OK);
    all.rank = 64;
    large("a rank that is none", all_axes, all, IRL_ERROR_BAD_ARGUMENT);
    all.rank = -1;
    large("a negative rank", all_axes, all, IRL_ERROR_BAD_ARGUMENT);
}

/* What is guarded is proved to have a value, what is not is named. */
static void test_guards(void)
{
    static const struct { const char *text, *part;
    } guards[] = {
        { "if_then_else(i == 5, 0, 8/(i - 5))", NULL },
        { "8/(i - 5)", "8 / (i - 5)" },
        { "if_then_else(i > 5 && 8/(i - 5) > 2, 1, 0)", NULL },
        { "if_then_else(i >= 5 && 8/(i - 5) > 2, 1, 0)", "8 / (i - 5)" },
        { "if_then_else(i < 5 || 8/(i - 4) > 2, 1, 0)", NULL },
        { "if_then_else(i < 4, i*i*i*i*i, 0)", NULL },
        { "select(i < 4, i*i*i*i*i, 0)", "i * i" },
        { "if_then_else(i < 64, 1 >> i, 0)", NULL },
        { "1 >> i", "1 >> i" },
        { "let(v = i/2 + 1, i % v)", NULL },
        { "i % (i - i + 4)", NULL },
        { "i + 4611686018427387904", NULL },
        { "i + 4611686018427387904 + 4611686018427387904",
          "i + 4611686018427387904 + 4611686018427387904" },
        { "-i - 4611686018427387904 - 4611686018427387904",
          "-i - 4611686018427387904 - 4611686018427387904" },
    };
    size_t k;
    for (k = 0; k < sizeof guards / sizeof guards[0]; k++) {
        irl_ctx        *cx = irl_ctx_create(NULL);
        irl__arena_mark mark = irl__scratch_begin(cx);
        irl__analyzer  *an = irl__analyzer_begin(cx);
        const irl_expr *i = variable(cx), *e = irl_expr_parse(cx, guards[k].text, 1, &i), *part;
        CHECK(irl__bind_range(an, i, 0, B62 - 1));
        part = e ? irl__undefined_part(an, e) : NULL;
        if (!CHECK(guards[k].part ? part && strcmp(irl_expr_text(cx, part), guards[k].part) == 0
                                  : e && !part))
            printf("    %s: %s\n", guards[k].text, part ? irl_expr_text(cx, part) : "");
        irl__scratch_end(cx, mark);
        irl_ctx_destroy(cx);
    }
}

/* ------------------------------------------------------------------ hostile text */

static void test_text(void)
{
    static const char *const texts[] = {
        "(i, j, k) -> (i*4611686018427387904 + j/2, if_then_else(i < 3 && j != 4, k%9, ~(k << 3)), "
        "|, let(v = i ^ j, v*v))",
        "(..., c) -> (..., c/4, |, c%4)", "(a, b) -> (-9223372036854775808 - a, b % -1)"
    };
    static const char junk[] = "()[]{},->|.*/%+-<>=!&^~0123456789abcxyz_ \n\t\"\\\x01\xff";
    int               n, k, total = TEST_COUNT(4000);
    char             *deep;
    for (n = 0; n < total; n++) {
        counter        c;
        irl_ctx       *cx = counted(&c);
        char           text[160];
        const char    *from = texts[random_below(3)];
        size_t         length = strlen(from);
        const irl_map *m;
        strcpy(text, from);
        if (random_below(2)) text[random_below((int)length)] = '\0';
        for (k = random_below(4); k > 0; k--)
            text[random_below((int)length)] = junk[random_below((int)sizeof junk - 1)];
        m = irl_map_parse(cx, text);
        if (!CHECK(m ? irl_ok(cx)
                     : !irl_ok(cx) && irl_diag_of(cx)->line >= 1 &&
                           irl_diag_of(cx)->column >= 1))
            printf("    %s\n%s\n", text, irl_diag_text(cx));
        if (m) { /* a parameterless map of any rank: anything but a crash, and right */
            irl_shape shape;
            memset(&shape, 0, sizeof shape);
            shape.rank =
                irl_map_input_count(m) < IRL_MAX_RANK ? irl_map_input_count(m) : IRL_MAX_RANK;
            for (k = 0; k < shape.rank; k++) shape.extent[k] = 1 + random_below(5);
            (void)irl_map_check(cx, m, shape);
            CHECK(irl_ok(cx) || irl_diag_of(cx)->code != IRL_OK);
        }
        CHECK(c.peak <= 1 << 20);
        irl_ctx_destroy(cx);
    }
    deep = (char *)malloc(30000);
    if (!CHECK(deep != NULL)) return;
    for (k = 0; k < 2; k++) { /* parentheses; signs */
        irl_ctx *cx = irl_ctx_create(NULL);
        memcpy(deep, "(i) -> (", 8);
        memset(deep + 8, k ? '~' : '(', 10000);
        deep[10008] = 'i';
        memset(deep + 10009, ')', 10001);
        deep[k ? 10010 : 20010] = '\0';
        CHECK(!irl_map_parse(cx, deep));
        CHECK_CODE(cx, IRL_ERROR_TOO_DEEP);
        CHECK(irl_diag_of(cx)->column > 100);
        irl_ctx_destroy(cx);
    }
    free(deep);
}

/* ------------------------------------------------------------------ builders */

/* A map from a builder goes where its comment says, wherever that fits; a refusal is a
   diagnostic. */
static int right_builder(irl_ctx *cx, const irl_map *m, irl_code also)
{
    irl_shape   shape;
    irl_verdict v;
    int         k;
    if (!m)
        return !irl_ok(cx) && (irl_diag_of(cx)->code == IRL_ERROR_BAD_ARGUMENT ||
                               irl_diag_of(cx)->code == IRL_ERROR_TOO_LARGE ||
                               irl_diag_of(cx)->code == also);
    memset(&shape, 0, sizeof shape);
    shape.rank = irl_map_input_count(m);
    for (k = 0; k < shape.rank; k++) shape.extent[k] = hostile_extent();
    v = irl_map_check(cx, m, shape);
    return right(cx, m, &v);
}

static void test_builders(void)
{
    int n, k, total = TEST_COUNT(1500), made = 0;
    for (n = 0; n < total; n++) {
        counter        c;
        irl_ctx       *cx = counted(&c);
        irl_shape      a, b, d, e;
        const irl_map *m;
        int            rank = random_below(4), kind = n % 7, axis = random_below(6) - 1;
        memset(&a, 0, sizeof a);
        a.rank = rank;
        for (k = 0; k < 4; k++)
            a.extent[k] = hostile_constant() & (random_below(4) ? INT64_MAX : -1);
        b = d = e = a;
        for (k = 0; k < 4; k++) {
            b.extent[k] =
                random_below(2) ? hostile_constant() & INT64_MAX : (int64_t)1 << random_below(63);
            d.extent[k] = 1 + random_below(4);
            e.extent[k] = hostile_constant();
        }
        d.rank = e.rank = random_below(3);
        switch (kind) {
        case 0: m = irl_map_tile(cx, random_below(20) ? rank : 40, a.extent); break;
        case 1: m = irl_map_pad(cx, rank, a.extent); break;
        case 2: m = irl_map_split(cx, rank, axis, a.extent[0]); break;
        case 3: m = irl_map_fuse(cx, a, axis, random_below(5) - 1); break;
        case 4: m = irl_map_strided(cx, e); break;
        case 5: m = irl_map_divide(cx, rank, axis, a, b); break;
        default: m = irl_map_product(cx, d, b, d, e); break;
        }
        made += m != NULL;
        if (kind == 6 && random_below(2)) { /* ranks that do not belong together */
            irl_ctx *other = irl_ctx_create(NULL);
            d.rank = random_below(2) ? -1 : 64;
            CHECK(!irl_map_product(other, d, b, e, e) && !irl_ok(other));
            irl_ctx_destroy(other);
        }
        if (!CHECK(right_builder(cx, m, IRL_ERROR_OVERFLOW)))
            printf("    builder %d, %s: %s\n%s", kind, m ? irl_map_text(cx, m) : "", why ? why : "",
                   irl_diag_text(cx));
        if (!CHECK(c.peak <= MOST_BYTES)) printf("    builder %d\n", kind);
        irl_ctx_destroy(cx);
    }
    CHECK(made > total / 5 && made < total);
}

/* ------------------------------------------------------------------ memory */

/* One map of each engine, the verdict being known. */
static const struct {
    const char *map;
    irl_shape shape;
    irl_verdict_kind kind;
    const char *method;
} engines[] = {
    { "(n, h, w, c) -> (n, c/4, h, w, c%4)",
      { 4, NULL, { 2, 5, 7, 14 } }, IRL_INJECTIVE, "mixed-radix decomposition" },
    { "(i) -> (i ^ (i >> 1))", { 1, NULL, { 64 } }, IRL_BIJECTIVE, "bits" },
    { "(i) -> (i*7 % 31)", { 1, NULL, { 31 } }, IRL_BIJECTIVE, "mixed-radix decomposition" },
    { "(i, j) -> (i*i*3 + j)", { 2, NULL, { 60, 3 } }, IRL_INJECTIVE, "enumeration" },
    { "(i, j) -> (i*i*3 + j*j*5)", { 2, NULL, { 9000, 50 } }, IRL_LOSSY, "witness" },
    { "(i) -> (i*12 % 31 + i*3 % 11)", { 1, NULL, { 9 } }, IRL_INJECTIVE, "table" },
    { "(i) -> (i*i*5 % 31)", { 1, NULL, { 31 } }, IRL_LOSSY, "enumeration" },
    { "(i) -> (i % -9223372036854775807)", { 1, NULL, { 9 } }, IRL_OUT_OF_RANGE,
      "mixed-radix decomposition" },
    { "(i) -> (i*4611686018427387904)", { 1, NULL, { 9 } }, IRL_UNDEFINED, "witness" },
};
enum { ENGINES = sizeof engines / sizeof engines[0] };

/* All questions about one map; 1 if everything was answered, and as expected. -1 if something is
   wrong. */
static int all_questions(irl_ctx *cx, int k, irl_verdict *v)
{
    const irl_map *m = irl_map_parse(cx, engines[k].map), *inverse;
    irl_answer     same_answer, other_answer;
    irl_verdict    s;
    const irl_expr *extent[4];
    int            i;
    memset(v, 0, sizeof *v);
    *v = irl_map_check(cx, m, engines[k].shape);
    if (v->kind != IRL_UNDECIDED && (v->kind != engines[k].kind || !irl_ok(cx) || !right(cx, m, v)))
        return -1;
    if (v->kind == IRL_UNDECIDED && irl_ok(cx)) return -1;
    if (v->kind == IRL_UNDECIDED && !v->reason[0]) return -1;
    if (!irl_ok(cx)) return 0;
    same_answer = irl_map_equal(cx, m, m, engines[k].shape, NULL);
    if (same_answer == IRL_NO) return -1;
    if (engines[k].kind == IRL_UNDEFINED) return irl_diag_of(cx)->code == IRL_ERROR_OVERFLOW;
    if (!irl_ok(cx)) return same_answer == IRL_UNKNOWN ? 0 : -1;
    other_answer =
        irl_map_equal(cx, m, irl_map_compose(cx, irl_map_identity(cx, irl_map_output_count(m)), m),
                      engines[k].shape, NULL);
    if (other_answer == IRL_NO) return -1;
    if (!irl_ok(cx)) return 0;
    for (i = 0; i < engines[k].shape.rank; i++)
        extent[i] =
            i ? irl_expr_index(cx, engines[k].shape.extent[i])
              : irl_expr_op2(cx, IRL_OP_MUL, irl_expr_var(cx, "N", irl_type_of(IRL_INDEX, 1)),
                             irl_expr_index(cx, engines[k].shape.extent[i]));
    s = irl_map_check(cx, m, irl_shape_of(engines[k].shape.rank, extent));
    if (!irl_ok(cx)) return s.kind == IRL_UNDECIDED ? 0 : -1;
    /* it holds for N = 1 */
    if (s.kind == IRL_BIJECTIVE && engines[k].kind != IRL_BIJECTIVE) return -1;
    if ((s.kind == IRL_BIJECTIVE || s.kind == IRL_INJECTIVE) &&
        (engines[k].kind == IRL_LOSSY || engines[k].kind == IRL_OUT_OF_RANGE))
        return -1;
    inverse = irl_map_inverse(cx, m, engines[k].shape, NULL);
    return inverse || (!irl_ok(cx) && irl_diag_of(cx)->code != IRL_ERROR_OUT_OF_MEMORY) ? 1
           : irl_ok(cx)                                                                    ? -1
                                                                                           : 0;
}

/* Each request of memory fails in turn; then each block of growing size. */
static void test_requests(void)
{
    irl_verdict v;
    int         k;
    for (k = 0; k < ENGINES; k++) {
        int64_t n;
        int     done = 0;
        for (n = 0; done == 0 && n < 1000; n++) {
            counter  c;
            irl_ctx *cx;
            irl_ctx_desc desc;
            memset(&desc, 0, sizeof desc);
            memset(&c, 0, sizeof c);
            c.fail_at = n;
            desc.allocator.allocate = count_allocate;
            desc.allocator.release = count_release;
            desc.allocator.user = &c;
            cx = irl_ctx_create(&desc);
            if (!cx) continue;
            done = all_questions(cx, k, &v);
            if (!CHECK(done >= 0))
                printf("    request %d of %s: %s, %s\n", (int)n, engines[k].map,
                       irl_verdict_text(cx, &v), irl_diag_text(cx));
            CHECK(done != 0 || irl_diag_of(cx)->code == IRL_ERROR_OUT_OF_MEMORY);
            irl_ctx_destroy(cx);
            CHECK(c.held == 0);
        }
        CHECK(done == 1 && n > 3);
    }
}

enum { BLOCK = 1 << 22 };

static irl_ctx *in_block(unsigned char *memory, size_t bytes)
{
    irl_ctx_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.block = memory;
    desc.block_bytes = bytes;
    return irl_ctx_create(&desc);
}

static void test_blocks(void)
{
    unsigned char *memory = (unsigned char *)malloc(BLOCK);
    irl_verdict    v;
    int            k, step = getenv("IRL_SLOW") ? 2056 : 264;
    if (!CHECK(memory != NULL)) return;
    for (k = 0; k < ENGINES; k++) {
        size_t size;
        int    done = 0, answers = 0;
        for (size = 0; done == 0 && size < BLOCK;
             size += done == 0 && size > 1 << 19 ? 1 << 14 : (size_t)step) {
            irl_ctx *cx = in_block(memory, size);
            done = cx ? all_questions(cx, k, &v) : 0;
            answers += cx && v.kind != IRL_UNDECIDED;
            if (!CHECK(done >= 0))
                printf("    %lu bytes for %s: %s, %s\n", (unsigned long)size, engines[k].map,
                       irl_verdict_text(cx, &v), irl_diag_text(cx));
            if (cx && done == 0)
                CHECK(irl_diag_of(cx)->code == IRL_ERROR_OUT_OF_MEMORY &&
                      reason_is_good(irl_diag_of(cx)->message, "bytes"));
            irl_ctx_destroy(cx);
        }
        CHECK(done == 1 && answers > 0);
    }
    free(memory);
}

/* A run with malloc says how large a block suffices: in a smaller one the verdict is the same, or
   memory is out; and what the verdict alone takes. */
static void test_sizes(void)
{
    unsigned char *memory = (unsigned char *)malloc(BLOCK);
    size_t         before, size, need;
    irl_ctx       *cx;
    irl_verdict    v;
    irl_check_options   how;
    int            k;
    if (!CHECK(memory != NULL)) return;
    for (k = 0; k < ENGINES; k++) {
        cx = irl_ctx_create(NULL);
        CHECK(irl_map_parse(cx, engines[k].map) != NULL);
        before = irl_ctx_memory(cx).block;
        v = irl_map_check(cx, irl_map_parse(cx, engines[k].map), engines[k].shape);
        size = irl_ctx_memory(cx).block;
        if (!CHECK(strcmp(v.method, engines[k].method) == 0))
            printf("    %s: %s\n", engines[k].map, v.method);
        CHECK(v.kind == engines[k].kind && before + v.bytes == size &&
              irl_ctx_memory(cx).peak <= size && size < BLOCK);
        v = irl_map_check(cx, irl_map_parse(cx, engines[k].map), engines[k].shape);
        /* the second time what the context has kept is used again */
        CHECK(v.bytes < size - before);
        irl_ctx_destroy(cx);
        for (need = size; need + 8 >= size; need -= 8) {
            cx = in_block(memory, need);
            v = irl_map_check(
                cx, (irl_map_parse(cx, engines[k].map), irl_map_parse(cx, engines[k].map)),
                engines[k].shape);
            if (!CHECK(irl_ok(cx) ? v.kind == engines[k].kind
                                  : need < size && v.kind == IRL_UNDECIDED))
                printf("    %s in %lu bytes: %s\n%s", engines[k].map, (unsigned long)need,
                       irl_verdict_text(cx, &v), irl_diag_text(cx));
            irl_ctx_destroy(cx);
        }
    }
    /* an enumeration that does not fit says what it wanted, and may be bounded */
    cx = in_block(memory, 1 << 20);
    v = irl_map_check(cx, irl_map_parse(cx, "(i, j) -> (i*i*3 + j)"), IRL_SHAPE(4000, 3));
    CHECK(v.kind == IRL_UNDECIDED);
    CHECK_CODE(cx, IRL_ERROR_OUT_OF_MEMORY);
    CHECK(strstr(irl_diag_text(cx),
                 "examining 47976006 cells takes 5997016 bytes, a bit for each") != NULL);
    irl_ctx_destroy(cx);
    cx = in_block(memory, 1 << 20);
    memset(&how, 0, sizeof how);
    how.most_cells = 1 << 20;
    v = irl_map_check_with(cx, irl_map_parse(cx, "(i, j) -> (i*(i + 1)/2*3 + j)"),
                           IRL_SHAPE(4000, 3), &how);
    CHECK(v.kind == IRL_UNDECIDED &&
          strstr(v.reason, "not proved for its 12000 points, and their box has 23994003 cells, "
                           "of which at most 1048576 can be examined"));
    how.most_cells = 47976006;
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(NULL);
    v = irl_map_check_with(cx, irl_map_parse(cx, "(i, j) -> (i*i*3 + j)"), IRL_SHAPE(4000, 3),
                           &how);
    CHECK(v.kind == IRL_INJECTIVE && v.bytes >= 5997016 && v.bytes < 5997016 + (1 << 18));
    irl_ctx_destroy(cx);
    free(memory);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "v") == 0) verbose = 1;
    if (argc > 2)
        random64_state ^= (uint64_t)strtoull(argv[2], NULL, 10) * UINT64_C(0x9e3779b97f4a7c15);
    test_rows();
    test_counts();
    test_entries();
    test_stop();
    test_large();
    test_guards();
    test_text();
    test_builders();
    test_requests();
    test_blocks();
    test_sizes();
    test_generated();
    return TEST_DONE();
}
