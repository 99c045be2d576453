/* test_pictures.c - pictures of layouts: those that are recorded in tests/pictures; on random maps
   each cell against the map evaluated there, and marks against the truth found by looking at every
   point; what is cut off; hostile questions; memory that runs out.

   `IRL_RECORD=1 build/split/tests/test_pictures` writes the recorded ones again: look at them. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/map/map.h"
#endif
#include "failing.h"
#include "test.h"
#include "random64.h"
#include "map_truth.h"
#include "random_maps.h"

/* ------------------------------------------------------------------ recorded pictures */

typedef struct picture_case {
    const char         *name, *map;
    irl_shape           shape;
    irl_picture_options how;
} picture_case;

static char *file_text(const char *name, long *length)
{
    FILE *f = fopen(name, "rb");
    char *text;
    if (!f) return NULL;
    fseek(f, 0, SEEK_END);
    *length = ftell(f);
    rewind(f);
    text = (char *)malloc((size_t)*length + 1);
    *length = (long)fread(text, 1, (size_t)*length, f);
    text[*length] = '\0';
    fclose(f);
    return text;
}

static void compare(const char *name, const char *text)
{
    char  path[128];
    char *recorded;
    long  length = 0;
    FILE *f;
    snprintf(path, sizeof path, "tests/pictures/%s", name);
    if (getenv("IRL_RECORD") && (f = fopen(path, "wb")) != NULL) {
        fputs(text, f);
        fclose(f);
    }
    recorded = file_text(path, &length);
    if (!CHECK(recorded && strcmp(recorded, text) == 0))
        printf("%s is not as it was recorded:\n%s\n", path, strlen(text) < 4000 ? text : "");
    free(recorded);
}

static void test_recorded(void)
{
    static const picture_case cases[] = { /* to tcc IRL_SHAPE is no constant */
        { "display.txt", "(y, x) -> (y/8, x, y%8)", { 2, NULL, { 64, 128 } }, { 0 } },
        { "display.svg", "(y, x) -> (y/8, x, y%8)", { 2, NULL, { 16, 16 } },
          { IRL_PICTURE_SVG, IRL_PICTURE_BOTH, 0, 16, 0, 0, 0, NULL } },
        { "lossy.txt", "(y, x) -> (y/2, x)", { 2, NULL, { 4, 6 } }, { 0 } },
        { "lossy.svg", "(y, x) -> (y/8, x)", { 2, NULL, { 16, 8 } },
          { IRL_PICTURE_SVG, IRL_PICTURE_BOTH, 0, 0, 0, 0, 0, NULL } },
        { "image.txt", "(n, h, w, c) -> (n, c/4, h, |, w, c%4)", { 4, NULL, { 1, 3, 4, 6 } },
          { IRL_PICTURE_ASCII, IRL_PICTURE_BOTH, 16, 0, 4, 0, 0, NULL } },
        { "image.svg", "(n, h, w, c) -> (n, c/4, h, |, w, c%4)", { 4, NULL, { 1, 3, 4, 6 } },
          { IRL_PICTURE_SVG, IRL_PICTURE_BOTH, 0, 0, 4, 0, 0, NULL } },
        { "colour.txt", "(i) -> (i/4, i%4)", { 1, NULL, { 10 } },
          { IRL_PICTURE_COLOUR, IRL_PICTURE_BOTH, 0, 0, 0, 0, 0, NULL } },
        { "walk.svg", "(y, x) -> (x%2 + y%2*2 + x/2%2*4 + y/2%2*8 + x/4*16 + y/4*32)",
          { 2, NULL, { 8, 8 } }, { IRL_PICTURE_SVG, IRL_PICTURE_POINTS, 0, 0, 0, 1, 0, NULL } },
        { "outside.txt", "(i) -> (i - 2)", { 1, NULL, { 6 } }, { 0 } },
        { "undefined.txt", "(i) -> (8 / (i - 2))", { 1, NULL, { 6 } }, { 0 } },
        { "volume.txt", "(l, y, x) -> (l, |, y, |, x)", { 3, NULL, { 2, 3, 4 } }, { 0 } },
        { "wrapped.txt", "(i) -> (i*3 % 101)", { 1, NULL, { 101 } }, { 0 } }
    };
    size_t k;
    for (k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        irl_ctx *own = irl_ctx_create(NULL);
        compare(cases[k].name, irl_map_picture_with(own, irl_map_parse(own, cases[k].map),
                                                    cases[k].shape, &cases[k].how));
        CHECK(irl_ok(own));
        irl_ctx_destroy(own);
    }
}

/* ------------------------------------------------------------------ bits */

static void bits_recorded(void)
{
    static const char can[] =
        "record can bytes(8) bits(msb) { speed: u12 offset(4); gear: u3; on: u1; "
        "temperature: i8 bits(lsb) offset(24); cells: u5[2] offset(35); flag_of_a_long_name: u1; }";
    static const struct {
        const char *name, *map, *element;
        int64_t     shape[2];
    } cases[] = { { "bits.txt", "(c, x) -> (c/4, x, c%4)", "u4", { 6, 5 } },
                  { "bits.svg", "(c, x) -> (c/4, x, c%4)", "u3 bits(msb)", { 6, 5 } },
                  { "bits_shared.txt", "(y, x) -> (y, x)", "u10 strides(8) offset(4)", { 1, 5 } } };
    irl_picture_options how;
    size_t              k;
    cx = irl_ctx_create(NULL);
    for (k = 0; k < sizeof cases / sizeof *cases; k++) {
        irl_bit_element e;
        memset(&how, 0, sizeof how);
        how.bits = &e;
        how.form = strstr(cases[k].name, ".svg") ? IRL_PICTURE_SVG : IRL_PICTURE_ASCII;
        CHECK(irl_bit_element_parse(cx, cases[k].element, &e));
        compare(cases[k].name, irl_map_picture_with(cx, irl_map_parse(cx, cases[k].map),
                                                    IRL_SHAPE(cases[k].shape[0],
                                                              cases[k].shape[1]), &how));
    }
    memset(&how, 0, sizeof how);
    compare("record.txt", irl_record_picture(irl_record_parse(cx, can, IRL_TO_NUL, NULL), NULL));
    how.form = IRL_PICTURE_SVG;
    compare("record.svg", irl_record_picture(irl_record_parse(cx, can, IRL_TO_NUL, NULL), &how));
    CHECK_OK(cx);
    CHECK(!irl_record_picture(NULL, NULL)[0]);
    how.rows = 1000;
    CHECK(!irl_record_picture(irl_record_parse(cx, can, IRL_TO_NUL, NULL), &how)[0]);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_destroy(cx);
}

/* Bit i of an element in a cell, counted from the least significant one of byte 0. */
static int64_t bits_model(const irl_bit_element *e, int64_t cell, int i)
{
    const int64_t stride = e->stride ? e->stride : e->bits, p = e->offset + cell * stride + i;
    return e->order == IRL_BITS_MSB ? p / 8 * 8 + 7 - p % 8 : p;
}

/* How many points of a row of n have the bit, and the last. */
static int bits_held(const irl_map *m, const irl_bit_element *e, int n, int64_t bit, int *last)
{
    irl_shape at, to;
    int       k, i, count = 0;
    memset(&at, 0, sizeof at);
    at.rank = 1;
    for (k = 0; k < n; k++) {
        at.extent[0] = k;
        if (!truth_apply(m, &at, &to)) continue;
        for (i = 0; i < e->bits; i++)
            if (bits_model(e, to.extent[0], i) == bit) count++, *last = k;
    }
    return count;
}

/* A word of a row stands over as many bits as its length says: what it says is what they are. */
static int bits_word(const irl_map *m, const irl_bit_element *e, int n, const char *word,
                     size_t length, size_t width, int64_t *bit)
{
    const int    run = length <= width ? 1 : (int)((length + 1) / (width + 1));
    const size_t blanks = strspn(word, "-");
    int          k, last = -1, ok = run == 1 || (length + 1) % (width + 1) == 0;
    for (k = 0; ok && k < run; k++, ++*bit) {
        const int64_t at = e->order == IRL_BITS_MSB ? *bit / 8 * 8 + 7 - *bit % 8 : *bit;
        const int     held = bits_held(m, e, n, at, &last);
        ok = word[blanks] == '/'   ? held == 0
             : word[blanks] == '!' ? held > 1
                                   : held == 1 && last == atoi(word + blanks);
    }
    return ok;
}

static int bits_right(const irl_map *m, const irl_bit_element *e, int n, const char *text)
{
    const char *line = strstr(text, "byte \\ bit\n"), *p;
    int64_t     bit = 0;
    size_t      width = 0, length;
    int         ok = line != NULL;
    if (!ok) return 0;
    line = strchr(line, '\n') + 1; /* 0 1 2 ...: how far apart they stand */
    for (p = line + strspn(line, " "), width = 0; p[1 + width] == ' '; width++) {}
    for (line = strchr(line, '\n') + 1; ok && *line != '\n'; line = strchr(line, '\n') + 1) {
        p = line + strspn(line, " ");
        ok = strtoll(p, NULL, 10) == bit / 8;
        p += strcspn(p, " ");
        while (ok && *(p += strspn(p, " |")) != '\n') {
            length = strcspn(p, " |\n");
            ok = bits_word(m, e, n, p, length, width, &bit);
            p += length;
        }
    }
    return ok && bit > 0;
}

static void bits_against_truth(int count)
{
    static const char *const maps[] = { "(i) -> (i)", "(i) -> (2 * i)", "(i) -> (i ^ 1)",
                                        "(i) -> (i / 2)", "(i) -> (3 * i + 1)" };
    int k;
    for (k = 0; k < count; k++) {
        irl_picture_options how;
        irl_bit_element     e;
        const irl_map      *m;
        const char         *text;
        char                element[64];
        const int           n = 2 * (1 + random_below(5)), bits = 1 + random_below(31);
        cx = irl_ctx_create(NULL);
        m = irl_map_parse(cx, maps[random_below(5)]);
        snprintf(element, sizeof element, "u%d bits(%s) offset(%d) strides(%d)", bits,
                 random_below(2) ? "msb" : "lsb", random_below(20),
                 random_below(3) ? bits + random_below(9) : 1 + random_below(20));
        CHECK(irl_bit_element_parse(cx, element, &e));
        memset(&how, 0, sizeof how);
        how.bits = &e;
        how.rows = 256;
        how.side = IRL_PICTURE_MEMORY;
        text = irl_map_picture_with(cx, m, IRL_SHAPE(n), &how);
        if (!CHECK(bits_right(m, &e, n, text)) || !CHECK_OK(cx))
            printf("%s as %s\n%s\n", irl_map_text(cx, m), element, text);
        irl_ctx_destroy(cx);
    }
}

/* The order in which a nest writes a matrix that it turns. */
static void test_order(const irl_func *other)
{
    irl_picture_options how;
    const irl_func     *f = irl_func_parse(
        cx, "func turn(y: f32[6, 4]) { for (i: 4, j: 6) y[5 - j, i] = 0.0f; }", IRL_TO_NUL, NULL);
    irl_shape      runs;
    const irl_map *m = irl_func_access_map(f, 0, &runs);
    irl_mark       mark;
    memset(&how, 0, sizeof how);
    how.is_access = how.walk = 1;
    how.side = IRL_PICTURE_MEMORY;
    compare("order.txt", irl_map_picture_with(cx, m, runs, &how));
    how.form = IRL_PICTURE_SVG;
    compare("order.svg", irl_map_picture_with(cx, m, runs, &how));
    how.walk = 2;
    compare("animated.svg", irl_map_picture_with(cx, m, runs, &how));
    mark = irl_ctx_mark(cx);
    CHECK(!irl_func_access_map(other, 99, &runs));
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_rewind(cx, mark);
}

static void test_functions(void)
{
    static const char text[] =
        "func conv(n: index, x: f32[1, 10, 10, 8], w: f32[3, 3, 8, 16], y: f32[1, 8, 8, 16]) {\n"
        "    for (h: 8, v: 8, o: 16) {\n"
        "        y[0, h, v, o] = 0.0f;\n"
        "        for (kh: 3, kw: 3, c: 8)\n"
        "            y[0, h, v, o] = y[0, h, v, o] + x[0, h + kh, v + kw, c] * w[kh, kw, c, o];\n"
        "    }\n"
        "    for (i: 1 .. 9)\n"
        "        if (i < n) y[0, i - 1, 0, 0] = 1.0f;\n"
        "}\n";
    irl_picture_options how;
    irl_func           *f;
    cx = irl_ctx_create(NULL);
    memset(&how, 0, sizeof how);
    f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    compare("function.txt", irl_func_picture(f));
    how.form = IRL_PICTURE_SVG;
    compare("function.svg", irl_func_picture_with(f, &how));
    test_order(f);
    CHECK(irl_func_picture(NULL)[0] == '\0');
    /* the kinds of loops, also behind one without an access */
    f = irl_func_parse(cx,
                       "func k(y: f32[8, 4, 4]) { for (e: 4) { } for parallel (a: 8) "
                       "for bind(group.x) (b: 4) for vectorized (c: 4) y[a, b, c] = 0.0; }",
                       IRL_TO_NUL, "kinds");
    CHECK(strstr(irl_func_picture(f), "for parallel a: 8\n|  for bind(group.x) b: 4\n"
                                      "|  |  for vectorized c: 4\n|  |  |  writes y[a, b, c]\n"));
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ against the truth */

/* The cells of a picture of one grid: of points their places, of memory whether it is padding. */
typedef struct cells {
    int     count, shared, padding;
    int64_t place[1024];
    char    is_shared[1024];
} cells;

/* One row, behind its label. */
static void read_row(const char *row, cells *out)
{
    for (row += strspn(row, " "); *row && *row != '\n' && out->count < 1024;
         row += strspn(row, " |")) {
        out->is_shared[out->count] = *row == '!';
        out->shared += *row == '!';
        out->padding += *row == '/';
        row += *row == '!';
        out->place[out->count++] = strtoll(row, NULL, 10);
        row += strcspn(row, " |\n");
    }
}

static int words(const char *line)
{
    int n = 0;
    for (line += strspn(line, " |"); *line && *line != '\n'; line += strspn(line, " |"), n++)
        line += strcspn(line, " |\n");
    return n;
}

/* Behind the title come a line of axes, that of columns, and the rows, with a label or, of a single
   row, without one. */
static void read_cells(const char *picture, cells *out)
{
    const char *line = strstr(picture, "\n\n"), *row;
    int         k, columns;
    memset(out, 0, sizeof *out);
    for (k = 0; line && k < 3; k++) line = strchr(line + 1, '\n');
    columns = line ? words(line + 1) : 0;
    for (line = line ? strchr(line + 1, '\n') : NULL; line && *++line;
         line = strchr(line, '\n')) {
        if (*line == '\n') continue;
        if (*line != ' ' && !(*line >= '0' && *line <= '9')) return; /* a note */
        row = line + strspn(line, " ");
        if (words(line) > columns) row += strcspn(row, " ");
        read_row(row, out);
    }
}

static int64_t flat(const irl_shape *box, const irl_shape *at)
{
    int64_t n = 0;
    int     k;
    for (k = 0; k < box->rank; k++) n = n * box->extent[k] + at->extent[k];
    return n;
}

/* How many points lie in each cell of memory, by looking at all. */
static void count_points(const irl_map *m, const irl_verdict *v, int *holds)
{
    irl_shape at, y;
    memset(&at, 0, sizeof at);
    at.rank = v->shape.rank;
    do
        if (truth_apply(m, &at, &y)) holds[flat(&v->memory, &y)]++;
    while (truth_next(&v->shape, &at));
}

static irl_picture_options whole(irl_picture_side side)
{
    irl_picture_options how;
    memset(&how, 0, sizeof how);
    how.side = side;
    how.rows = how.columns = 256;
    return how;
}

static void check_points(const irl_map *m, const irl_verdict *v, const int *holds)
{
    irl_picture_options how = whole(IRL_PICTURE_POINTS);
    irl_shape           at, y;
    cells               c;
    int                 k, good = 1;
    read_cells(irl_map_picture_with(cx, m, v->shape, &how), &c);
    memset(&at, 0, sizeof at);
    at.rank = v->shape.rank;
    if (!CHECK(c.count == irl_shape_count(v->shape))) return;
    for (k = 0; k < c.count; k++, truth_next(&v->shape, &at)) {
        if (!truth_apply(m, &at, &y)) good = 0;
        else good &= c.place[k] == flat(&v->memory, &y) &&
                     c.is_shared[k] == (holds[c.place[k]] > 1);
    }
    CHECK(good);
}

static void check_memory(const irl_map *m, const irl_verdict *v, const int *holds)
{
    irl_picture_options how = whole(IRL_PICTURE_MEMORY);
    const int           count = (int)irl_shape_count(v->memory);
    cells               c;
    int                 k, padding = 0, shared = 0;
    read_cells(irl_map_picture_with(cx, m, v->shape, &how), &c);
    for (k = 0; k < count; k++) padding += holds[k] == 0, shared += holds[k] > 1;
    CHECK(c.count == count && c.padding == padding && c.shared == shared);
}

/* What they look at is small, and has an axis longer than 1, so that there is a line of axes. */
static int is_drawn(const irl_verdict *v)
{
    const int64_t points = irl_shape_count(v->shape), cells_of = irl_shape_count(v->memory);
    return (v->kind == IRL_BIJECTIVE || v->kind == IRL_INJECTIVE || v->kind == IRL_LOSSY) &&
           points > 1 && points <= 256 && cells_of > 1 && cells_of <= 256;
}

static void test_against_truth(int count)
{
    int drawn = 0, lossy = 0, padded = 0, k;
    for (k = 0; k < count; k++) {
        recipe         r;
        const irl_map *m;
        irl_verdict    v;
        int            holds[256] = { 0 };
        cx = irl_ctx_create(NULL);
        r = invent(STEP_KINDS);
        m = build(&r);
        v = irl_map_check(cx, m, r.shape);
        if (m && is_drawn(&v)) {
            count_points(m, &v, holds);
            check_points(m, &v, holds);
            check_memory(m, &v, holds);
            drawn++;
            lossy += v.kind == IRL_LOSSY;
            padded += v.kind == IRL_INJECTIVE;
        }
        irl_ctx_destroy(cx);
    }
    printf("%d of %d random maps drawn, %d lossy, %d with padding\n", drawn, count, lossy, padded);
    CHECK(drawn > count / 20 && lossy > 0 && padded > 0);
}

/* ------------------------------------------------------------------ what is cut off */

static void test_large(void)
{
    const irl_map      *m;
    irl_picture_options how = whole(IRL_PICTURE_BOTH);
    const char         *text;
    cx = irl_ctx_create(NULL);
    how.rows = how.columns = 4;
    m = irl_map_parse(cx, "(i, j) -> (j, i)");
    text = irl_map_picture_with(cx, m, IRL_SHAPE(1 << 20, 1 << 20), &how);
    CHECK(strstr(text, "of the points 4 of 1048576 rows and 4 of 1048576 columns are shown"));
    CHECK(strstr(text, "1048575,1048575") && !strstr(text, "not looked up")); /* by the inverse */
    m = irl_map_parse(cx, "(i, j) -> (i/2, j)");
    text = irl_map_picture_with(cx, m, IRL_SHAPE(1 << 20, 1 << 20), &how);
    CHECK(strstr(text, "not looked up") && strstr(text, "!0,0+1"));
    CHECK(irl_ok(cx));
    text = irl_map_picture_with(cx, m, IRL_SHAPE(1 << 20, 0), &how);
    CHECK(irl_ok(cx) && strstr(text, "bijective"));
    irl_ctx_destroy(cx);
}

static void refused(const char *map, irl_shape shape, irl_picture_options how, irl_code code)
{
    irl_ctx *own = irl_ctx_create(NULL);
    CHECK(!irl_map_picture_with(own, irl_map_parse(own, map), shape, &how)[0]);
    CHECK_CODE(own, code);
    irl_ctx_destroy(own);
}

static void test_hostile(void)
{
    irl_picture_options how = whole(IRL_PICTURE_BOTH);
    const char         *identity = "(i, j) -> (i, j)";
    refused(identity, IRL_SHAPE(4), how, IRL_ERROR_RANK_MISMATCH);
    refused(identity, IRL_SHAPE(4, -1), how, IRL_ERROR_BAD_ARGUMENT);
    refused(identity, IRL_SHAPE(INT64_MAX, INT64_MAX), how, IRL_ERROR_TOO_LARGE);
    how.rows = 257;
    refused(identity, IRL_SHAPE(4, 4), how, IRL_ERROR_BAD_ARGUMENT);
    how.rows = 0;
    how.frame = -1;
    refused(identity, IRL_SHAPE(4, 4), how, IRL_ERROR_BAD_ARGUMENT);
    CHECK(irl_map_picture(NULL, NULL, IRL_SHAPE(4))[0] == '\0');
}

static int draw_in(irl_ctx *own, int which)
{
    irl_picture_options how = whole(IRL_PICTURE_BOTH);
    const char         *text;
    how.form = which & 1 ? IRL_PICTURE_SVG : IRL_PICTURE_ASCII;
    if (which & 2) {
        irl_bit_element e;
        if (!irl_bit_element_parse(own, "u3 strides(5)", &e)) return 0;
        how.bits = &e;
        text = irl_map_picture_with(own, irl_map_parse(own, "(i) -> (i/4, i%4)"), IRL_SHAPE(90),
                                    &how);
        if (!irl_ok(own) || !text[0]) return 0;
        how.bits = NULL;
        text = irl_record_picture(irl_record_parse(own, "record r bytes(9) { a: u3[9]; b: i12; }",
                                                   IRL_TO_NUL, NULL), &how);
        return irl_ok(own) && text[0];
    }
    how.frame = 4;
    how.walk = which ? 2 : 1;
    text = irl_map_picture_with(own, irl_map_parse(own, "(i) -> (i/4, i%4)"), IRL_SHAPE(150), &how);
    return irl_ok(own) && text[0];
}

int main(void)
{
    int which;
    test_recorded();
    test_functions();
    test_against_truth(TEST_COUNT(1500));
    bits_recorded();
    bits_against_truth(TEST_COUNT(400));
    test_large();
    test_hostile();
    for (which = 0; which < 4; which++) failing_each(draw_in, which, which & 1);
    return TEST_DONE();
}
