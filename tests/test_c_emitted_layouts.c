/* test_c_emitted_layouts.c - layouts as C: their functions, built by gcc and clang with warnings as
   errors and undefined behaviour caught, and by tcc, go where the map goes for every point, and
   back; what an index type does not hold is refused with a point. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define _GNU_SOURCE
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#include "../src/map/map.h"
#endif
#include "generate.h"
#include "test.h"
#include "c_batch.h"
#include "random64.h"
#include "map_truth.h"
#include "pack_cases.h"
#include "random_maps.h"
#include "nested_maps.h"

enum { BATCH = 100, MOST_POINTS = 3000 };

static c_text program;
static int    in_program;

static int emitted, wide, lossy, stepped, told;

/* The way back gives as many points as there are: 0 for each element that has none. */
static void put_count(c_text *t, int rank, int number, const char *source)
{
    const int tells = strstr(source, "static inline int ") != NULL;
    int       k;
    c_put(t, "    for (long long p = k = 0; p < m%d_cells; p++) {\n", number);
    for (k = 0; k < rank; k++) c_put(t, "        INDEX_%d j%d;\n", number, k);
    c_put(t, "        %sm%d_point((INDEX_%d)p", tells ? "k += " : "k++; ", number, number);
    for (k = 0; k < rank; k++) c_put(t, ", &j%d", k);
    c_put(t, ");\n    }\n    if (k != m%d_points) c_wrong(%d, \"padding\", k, m%d_points, "
             "(uint64_t)k);\n", number, number, number);
    told += tells;
}

/* The calls of one layout: places of all points in order, and what lies there. */
static void put_calls(c_text *t, const irl_map *map, irl_shape shape, const irl_shape *memory,
                      int number, const char *source)
{
    int64_t   count = 1, j;
    irl_shape at, to;
    int       k;
    for (k = 0; k < shape.rank; k++) count *= shape.extent[k];
    memset(&at, 0, sizeof at);
    at.rank = shape.rank;
    c_put(t, "static const long long place_%d[] = {", number);
    for (j = 0; j < count; j++) {
        int64_t place = 0;
        CHECK(irl_map_apply(cx, map, at, &to));
        for (k = 0; k < to.rank; k++) place = place * memory->extent[k] + to.extent[k];
        c_put(t, "%lld,", (long long)place);
        for (k = shape.rank - 1; k >= 0 && ++at.extent[k] == shape.extent[k]; k--) at.extent[k] = 0;
    }
    c_put(t, "%s};\nRUN run_%d(void)\n{\n    int k = 0;\n", count ? "" : "0", number);
    if (strstr(source, "_pack("))
        c_put(t,
              "    static float a[m%d_points + 1], b[m%d_cells + 1], c[m%d_points + 1];\n"
              "    for (k = 0; k < (int)m%d_points; k++) a[k] = (float)(k + 1);\n"
              "    m%d_pack(a, b);\n    m%d_unpack(b, c);\n"
              "    if (memcmp(a, c, sizeof a) != 0) c_wrong(%d, \"unpack\", 0, 0, 1);\n"
              "    for (k = 0; k < (int)m%d_points; k++)\n"
              "        if (b[place_%d[k]] != a[k]) c_wrong(%d, \"pack\", k, 0, 1);\n    k = 0;\n",
              number, number, number, number, number, number, number, number, number, number);
    for (k = 0; k < shape.rank; k++)
        c_put(t, "    for (int i%d = 0; i%d < %lld; i%d++)\n", k, k, (long long)shape.extent[k], k);
    c_put(t, "    {\n        long long p = (long long)m%d_place(", number);
    for (k = 0; k < shape.rank; k++) c_put(t, "%s(INDEX_%d)i%d", k ? ", " : "", number, k);
    c_put(t, ");\n        if (p != place_%d[k]) c_wrong(%d, \"place\", k, (uint64_t)place_%d[k], "
             "(uint64_t)p);\n",
          number, number, number);
    if (strstr(source, "_point(")) {
        for (k = 0; k < shape.rank; k++) c_put(t, "        INDEX_%d j%d;\n", number, k);
        c_put(t, "        m%d_point((INDEX_%d)p", number, number);
        for (k = 0; k < shape.rank; k++) c_put(t, ", &j%d", k);
        c_put(t, ");\n        if (0");
        for (k = 0; k < shape.rank; k++) c_put(t, " || (long long)j%d != i%d", k, k);
        c_put(t, ") c_wrong(%d, \"point\", k, 0, 1);\n", number);
    }
    c_put(t, "        k++;\n    }\n    (void)k;\n");
    if (strstr(source, "_point(")) put_count(t, shape.rank, number, source);
    c_put(t, "}\n\n");
}

static void run(void)
{
    int numbers[BATCH], k;
    if (!in_program) return;
    for (k = 0; k < in_program; k++) numbers[k] = k;
    c_put_main(&program, in_program, numbers);
    c_run_all(&program, c_compilers, C_COMPILERS);
    program.length = 0;
    in_program = 0;
}

/* Into the program, which is run when it is full; 0: the index type does not hold the layout. */
static int add(const irl_map *map, irl_shape shape, irl_scalar index)
{
    static const char *const types[] = { "uint8_t", "int16_t", "uint16_t", "uint32_t" };
    static const irl_scalar  scalars[] = { IRL_U8, IRL_I16, IRL_U16, IRL_U32 };
    irl_mark                 mark = irl_ctx_mark(cx);
    irl_c_layout_options             how;
    irl_shape                memory;
    const char              *source, *type = NULL;
    char                     name[32];
    int                      k;
    memset(&how, 0, sizeof how);
    snprintf(name, sizeof name, "m%d", in_program);
    how.name = name;
    how.index = index;
    map = irl_map_of_rank(cx, map, shape.rank);
    source = irl_c_layout_source(cx, map, shape, &how);
    if (!source[0]) {
        irl_code code = irl_diag_of(cx) ? irl_diag_of(cx)->code : IRL_OK;
        if (!CHECK(code == IRL_ERROR_INDEX_WIDTH || code == IRL_ERROR_MAP_OUT_OF_RANGE))
            printf("%s\n", irl_diag_text(cx));
        wide += code == IRL_ERROR_INDEX_WIDTH;
        irl_ctx_rewind(cx, mark);
        return 0;
    }
    for (k = 0; k < 4; k++)
        if (scalars[k] == index) type = types[k];
    if (!type)
        type = strstr(source, "static inline int32_t") ? "int32_t"
               : strstr(source, "static inline int64_t") ? "int64_t"
                                                         : "uint32_t";
    CHECK(irl_map_memory(cx, map, shape, &memory));
    if (!in_program) c_put(&program, "%s", c_prologue);
    c_put(&program, "%s\ntypedef %s INDEX_%d;\n", source, type, in_program);
    lossy += strstr(source, "_pack(") == NULL;
    stepped += strstr(source, " bits = ") != NULL;
    put_calls(&program, map, shape, &memory, in_program, source);
    emitted++;
    if (++in_program == BATCH) run();
    return 1;
}

static const irl_scalar indices[] = { IRL_BOOL, IRL_U16, IRL_I16, IRL_U8 };

static void test_rows(void)
{
    int    n = 0;
    size_t k, j;
    for (k = 0; k < sizeof pack_rows / sizeof *pack_rows; k++)
        for (j = 0; j < 4; j++)
            n += add(irl_map_parse(cx, pack_rows[k].map), pack_rows[k].shape, indices[j]);
    CHECK(n > 40);
    /* the last of 366 cells is no point's: the numbers of those that are fit a byte */
    CHECK(add(irl_map_parse(cx, "(i, j) -> (min(i, 3) * (min(i, 3) + 4) % 61, j / 3, j % 3)"),
              IRL_SHAPE(6, 5), IRL_U8));
}

static void test_random_maps(int count)
{
    int     k, j;
    int64_t points;
    for (k = 0; k < count; k++) {
        irl_mark  mark = irl_ctx_mark(cx);
        recipe    r = invent(STEP_KINDS);
        const irl_map *map = build(&r);
        irl_shape shape;
        shape = r.shape;
        for (points = 1, j = 0; j < shape.rank; j++) points *= shape.extent[j];
        if (map && points <= MOST_POINTS) (void)add(map, shape, indices[k % 4]);
        irl_ctx_rewind(cx, mark);
    }
}

typedef struct interleaving {
    const irl_map *map;
    irl_shape      shape;
} interleaving;

/* Bits of two or three numbers, each to a place of its own: in order, as Morton's, or anyhow; some
   with tiles around them and with extents that are no powers of two. */
static interleaving interleaved(void)
{
    interleaving r;
    char          text[1024];
    int           n = 2 + random_below(2), left[3], used[3] = { 0 }, taken[3] = { 0 }, tiles[3];
    int           k, total = 0, anyhow;
    size_t        length;
    memset(&r, 0, sizeof r);
    anyhow = random_below(3) == 0;
    r.shape.rank = n;
    length = (size_t)sprintf(text, n == 2 ? "(a, b) -> (" : "(a, b, c) -> (");
    for (k = 0; k < n; k++) {
        left[k] = 1 + random_below(n == 2 ? 5 : 3);
        total += left[k];
        tiles[k] = random_below(4) == 0 ? 1 + random_below(3) : 0;
        r.shape.extent[k] = (INT64_C(1) << left[k]) * (tiles[k] ? tiles[k] : 1);
        if (random_below(4) == 0) r.shape.extent[k] -= random_below(1 << (left[k] - 1));
        if (tiles[k])
            length += (size_t)sprintf(text + length, "%c/%d, ", 'a' + k, 1 << left[k]);
    }
    for (; total > 0; total--) { /* the highest first */
        int bit;
        do k = random_below(n);
        while (left[k] == taken[k]);
        for (bit = left[k] - 1; used[k] >> bit & 1;) bit--;
        if (anyhow)
            do bit = random_below(left[k]);
            while (used[k] >> bit & 1);
        used[k] |= 1 << bit;
        taken[k]++;
        length += (size_t)sprintf(text + length, "%c/%d%%2%s", 'a' + k, 1 << bit,
                                  total > 1 ? ", " : ")");
    }
    r.map = irl_map_parse(cx, text);
    return r;
}

static void test_interleaved(int count)
{
    int k;
    for (k = 0; k < count; k++) {
        irl_mark     mark = irl_ctx_mark(cx);
        interleaving r = interleaved();
        (void)add(r.map, r.shape, indices[k % 4]);
        irl_ctx_rewind(cx, mark);
    }
}

/* Turned and rotated axes in tiles: nothing that is written is negative, or more than the last
   place and the extents, so it is not refused in the narrowest type without a sign. */
static interleaving turned(void)
{
    static const char *const ways[] = { "%2$c", "(%1$d - %2$c)", "(%3$d - 1 - %2$c)",
                                        "((%2$c + %4$d) %% %3$d)",
                                        "let(t = %1$d - %2$c, t/%5$d*%5$d + t%%%5$d)" };
    interleaving r;
    char          text[512], value[64], parts[6][80], *end = text;
    int           n = 1 + random_below(3), count = 0, k;
    memset(&r, 0, sizeof r);
    r.shape.rank = n;
    end += sprintf(end, n == 1 ? "(a) -> (" : n == 2 ? "(a, b) -> (" : "(a, b, c) -> (");
    for (k = 0; k < n; k++) {
        int tile = 1 << random_below(4), extent = tile * (1 + random_below(n == 3 ? 2 : 4));
        r.shape.extent[k] = extent;
        snprintf(value, sizeof value, ways[random_below(5)], extent - 1, 'a' + k, extent,
                 random_below(extent), tile);
        snprintf(parts[count++], sizeof *parts, "%s/%d", value, tile);
        snprintf(parts[count++], sizeof *parts, "%s%%%d", value, tile);
    }
    for (; count > 0; count--) {
        k = random_below(count);
        end += sprintf(end, "%s%s", parts[k], count > 1 ? ", " : ")");
        memcpy(parts[k], parts[count - 1], sizeof *parts);
    }
    r.map = irl_map_parse(cx, text);
    return r;
}

static void test_turned(int count)
{
    int k, j;
    for (k = 0; k < count; k++) {
        irl_mark     mark = irl_ctx_mark(cx);
        interleaving r = turned();
        int64_t      cells = 1;
        for (j = 0; j < r.shape.rank; j++) cells *= r.shape.extent[j];
        if (!CHECK(add(r.map, r.shape, cells <= 128 ? IRL_U8 : IRL_U16)))
            printf("refused: %s\n", irl_map_text(cx, r.map));
        irl_ctx_rewind(cx, mark);
    }
}

/* Remainders of remainders, most of them with padding. */
static void test_nested(int count)
{
    int k;
    for (k = 0; k < count; k++) {
        irl_mark     mark = irl_ctx_mark(cx);
        const nested r = nested_map(200);
        (void)add(irl_map_parse(cx, r.text[0]), r.shape, indices[k % 2]);
        irl_ctx_rewind(cx, mark);
    }
}

static int refused(const char *map, irl_shape shape, irl_scalar index, irl_code code,
                   const char *part)
{
    irl_mark     mark = irl_ctx_mark(cx);
    irl_c_layout_options how;
    int          ok;
    memset(&how, 0, sizeof how);
    how.index = index;
    ok = !irl_c_layout_source(cx, irl_map_parse(cx, map), shape, &how)[0] &&
         irl_diag_of(cx) && irl_diag_of(cx)->code == code &&
         strstr(irl_diag_text(cx), part) != NULL;
    if (!ok) printf("%s: %s\n", map, irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
    return ok;
}

static void test_refused(void)
{
    irl_c_layout_options how;
    irl_mark     mark = irl_ctx_mark(cx);
    CHECK(refused("(y, x) -> (y/8, x, y%8)", IRL_SHAPE(64, 128), IRL_U8, IRL_ERROR_INDEX_WIDTH,
                  "the place at (0, 32) is 256, and uint8_t holds 0 to 255"));
    CHECK(refused("(x) -> (x*300%77)", IRL_SHAPE(9), IRL_U8, IRL_ERROR_INDEX_WIDTH,
                  "the constant 300 does not fit uint8_t, which holds 0 to 255"));
    CHECK(refused("(x) -> (let(a = x*40, a%77*2))", IRL_SHAPE(9), IRL_U8, IRL_ERROR_INDEX_WIDTH,
                  "x * 40 at (7) is 280, and uint8_t holds 0 to 255"));
    memset(&how, 0, sizeof how);
    how.index = IRL_U16;
    CHECK(strstr(irl_c_layout_source(cx, irl_map_parse(cx, "(x) -> (let(a = x/2, a*2 + x%2))"),
                                     IRL_SHAPE(8), &how),
                 "return x;"));
    CHECK(strstr(irl_c_layout_source(cx, irl_map_parse(cx, "(y, x) -> ((63 - y)/8, 127 - x, "
                                                           "(63 - y)%8)"),
                                     IRL_SHAPE(64, 128), &how),
                 "((y / 8u) ^ 7u) * 1024u + (x ^ 127u) * 8u + ((y % 8u) ^ 7u)"));
    CHECK(refused("(y, x) -> (y, x)", IRL_SHAPE(16, 17), IRL_U8, IRL_ERROR_INDEX_WIDTH,
                  "at (15, 1) is 256, and uint8_t holds 0 to 255"));
    CHECK(refused("(x) -> (x)", IRL_SHAPE(256), IRL_U8, IRL_ERROR_INDEX_WIDTH,
                  "an extent is 256, and uint8_t holds 0 to 255"));
    CHECK(refused("(x) -> ((3 - x) / 3 + 2)", IRL_SHAPE(9), IRL_U16, IRL_ERROR_INDEX_WIDTH,
                  "3 - x at (4) is -1, and uint16_t holds 0 to 65535"));
    CHECK(refused("(i) -> (i/2 - 1)", IRL_SHAPE(8), IRL_BOOL, IRL_ERROR_MAP_OUT_OF_RANGE,
                  "(0) goes to [-1]"));
    CHECK(refused("(i) -> (i - 3)", IRL_SHAPE(8), IRL_BOOL, IRL_ERROR_MAP_OUT_OF_RANGE,
                  "(0) goes to [-3]"));
    memset(&how, 0, sizeof how);
    how.name = "int";
    CHECK(!irl_c_layout_source(cx, irl_map_parse(cx, "(i) -> (i)"), IRL_SHAPE(8), &how)[0]);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_c_layout_source(NULL, NULL, IRL_SHAPE(8), NULL)[0]);
    /* nothing is negative on the way; factors once; a quotient of its own, shifted */
    how.name = "f";
    how.index = IRL_U16;
    CHECK(strstr(irl_c_layout_source(cx, irl_map_parse(cx, "(y, x) -> (y, x/8, 7 - x%8)"),
                                     IRL_SHAPE(64, 128), &how),
                 "y * 128u + (x ^ 7u)"));
    CHECK(strstr(irl_c_layout_source(cx, irl_map_parse(cx, "(y, x) -> (y, x/8, 7 - x%8)"),
                                     IRL_SHAPE(64, 128), &how),
                 "*x = (uint16_t)((place % 128u) ^ 7u);"));
    CHECK(strstr(irl_c_layout_source(cx, irl_map_parse(cx, "(y, x, c) -> (y%16, x, y/16, c)"),
                                     IRL_SHAPE(32, 64, 3), &how),
                 "((y % 16u * 64u + x) * 2u + y / 16u) * 3u + c)"));
    CHECK(strstr(irl_c_layout_source(cx, irl_map_parse(cx, "(y, x, c) -> (y%16, x, y/16, c)"),
                                     IRL_SHAPE(32, 64, 3), &how),
                 "const uint16_t rest = (uint16_t)(place / 3u);\n"
                 "    *y = (uint16_t)(rest % 2u * 16u + (rest >> 7));"));
    CHECK(strstr(irl_c_layout_source(cx, irl_map_parse(cx, "(y, x) -> (y*80 + x/4*5 + x%4)"),
                                     IRL_SHAPE(48, 64), &how),
                 "*y = (uint16_t)((place / 5u) >> 4u);"));
    CHECK(strstr(irl_c_layout_source(cx, irl_map_parse(cx, "(y, x) -> (y/2, x/2, y%2, x%2)"),
                                     IRL_SHAPE(4, 4), &how),
                 "(y & 2u) * 4u + (x & 2u) * 2u + y % 2u * 2u + x % 2u"));
    /* bits that go far apart, in steps; of two one by one, which is shorter */
    how.name = "f";
    CHECK(strstr(irl_c_layout_source(cx,
                                     irl_map_parse(cx, "(y, x) -> (y/8, x/8, y/4%2, x/4%2, "
                                                       "y/2%2, x/2%2, y%2, x%2)"),
                                     IRL_SHAPE(16, 16), &how),
                 "    const uint16_t bits = (uint16_t)((y | (y * 4u)) & 51u);\n"
                 "    const uint16_t bits_1 = (uint16_t)((x | (x * 4u)) & 51u);\n"
                 "    return (uint16_t)((bits + (bits & 34u)) * 2u + bits_1 + (bits_1 & 34u));"));
    /* what floors in C only by a function */
    how.name = "f";
    how.index = IRL_I16;
    CHECK(strstr(irl_c_layout_source(cx, irl_map_parse(cx, "(x) -> ((3 - x) / 3 + 2)"),
                                     IRL_SHAPE(9), &how),
                 "irl_f_floordiv_int16_t(") != NULL);
    CHECK_OK(cx);
}

int main(void)
{
    cx = irl_ctx_create(NULL);
    test_refused();
    test_rows();
    test_random_maps(getenv("IRL_SOAK") ? 20000 : TEST_COUNT(40));
    test_turned(getenv("IRL_SOAK") ? 20000 : TEST_COUNT(40));
    test_interleaved(getenv("IRL_SOAK") ? 20000 : TEST_COUNT(40));
    test_nested(getenv("IRL_SOAK") ? 20000 : TEST_COUNT(40));
    run();
    free(program.data);
    printf("%d layouts ran, %d of them lossy, %d with padding, %d move bits in steps; %d did not "
           "fit\n", emitted, lossy, told, stepped, wide);
    CHECK(lossy > 0 && wide > 0 && stepped > 3 && told > 10);
    irl_ctx_destroy(cx);
    c_folder_end();
    return TEST_DONE();
}
