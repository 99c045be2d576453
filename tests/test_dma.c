/* test_dma.c - layouts as transfers of DMA controllers: each list is played by a model of its
   controller that knows registers alone, and every byte of the target is compared with the map;
   every field is measured against widths that stand here; one transfer is found where there is one,
   by trying all; the emitted tables are played by the emitted C. */
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
#include "real_layouts.h"
#include "failing.h"
#include "dma_machines.h"

enum { MOST_BYTES = 1 << 18 };

/* ------------------------------------------------------------------ the map is the judge */

/* Where a point lies in the layout's memory; -1: it has no place. */
static int64_t place_of(const irl_map *map, const irl_shape *at, const irl_shape *memory)
{
    irl_shape to;
    int64_t   place = 0;
    int       k;
    if (!truth_apply(map, at, &to)) return -1;
    for (k = 0; k < to.rank; k++) place = place * memory->extent[k] + to.extent[k];
    return place;
}

/* The places of all points of a map that is played for each controller, in this memory; NULL: the
   map is asked for each. */
static int64_t  *known;
static irl_shape known_memory;

static void know(irl_ctx *c, const irl_map *map, irl_shape shape)
{
    const irl_mark mark = irl_ctx_mark(c);
    irl_shape      at;
    int64_t        n = 0;
    memset(&at, 0, sizeof at);
    at.rank = shape.rank;
    if (irl_map_memory(c, map, shape, &known_memory) && irl_shape_count(shape) <= MOST_BYTES) {
        known = (int64_t *)gen_kept(malloc((size_t)irl_shape_count(shape) * sizeof *known + 1));
        if (!truth_empty(&shape))
            do known[n++] = place_of(map, &at, &known_memory);
            while (truth_next(&shape, &at));
    }
    irl_ctx_rewind(c, mark);
}

/* Every byte of the target is what the map says, written once; the others were not touched. */
static int arrived(const machine *m, const irl_dma_list *list)
{
    irl_shape at;
    int64_t   n = 0, reached = 0, b;
    memset(&at, 0, sizeof at);
    at.rank = list->shape.rank;
    if (!truth_empty(&list->shape))
        do {
            const int64_t place = known ? known[n] : place_of(list->map, &at, &list->memory);
            const int64_t from = (list->unpack ? place : n) * list->element,
                          to = (list->unpack ? n : place) * list->element;
            for (b = 0; b < list->element; b++, reached++)
                if (place < 0 || m->target[to + b] != m->source[from + b] ||
                    m->written[to + b] != 1)
                    return 0;
            n++;
        } while (truth_next(&list->shape, &at));
    for (b = 0; b < m->target_bytes; b++) reached -= m->written[b] != 0;
    return reached == 0;
}

static int moved(const irl_dma_list *list, int controller)
{
    machine m;
    int     ok;
    if (list->plain_bytes > MOST_BYTES || list->memory_bytes > MOST_BYTES) return 1;
    if (known && !truth_same(&list->memory, &known_memory)) return 0;
    machine_begin(&m, list);
    ok = play(&m, list, controller) && arrived(&m, list);
    machine_end(&m);
    return ok;
}

/* ------------------------------------------------------------------ one map */

static int played, refused_lists, one_copy, more_copies, wrapped;

static irl_type some_element(int n)
{
    static const irl_scalar scalars[] = { IRL_U8, IRL_U16, IRL_F32, IRL_F64 };
    return irl_type_of(scalars[n % 4], n % 20 == 19 ? 3 : 1);
}

/* Plays one list, by the model of a controller, or of a row: right, or refused by the code of that.
   Returns whether there is a list. */
static int play_list(irl_ctx *c, const irl_map *map, irl_shape shape, const irl_dma_options *how,
                     int machine)
{
    const irl_dma_list *list = irl_dma_new(c, map, shape, how);
    const irl_code      code = irl_diag_of(c) ? irl_diag_of(c)->code : IRL_OK;
    refused_lists += code == IRL_ERROR_DMA_LIMIT;
    if (list) {
        one_copy += list->copies == 1;
        more_copies += list->copies > 1;
        wrapped += list->count && list->source_align + list->target_align > 2 * list->beat;
        if (!CHECK(moved(list, machine)))
            printf("%s\n%s\n%s\n", irl_map_text(c, map), irl_dma_text(c, list),
                   irl_dma_controller_text(c, how->controller));
        CHECK((list->reason[0] != 0) == (list->copies > 1));
        CHECK(list->copies != 1 || list->is_least);
        CHECK(how->split || !how->controller || list->count <= list->copies);
        played++;
        return 1;
    }
    /* what is split fits, if there is a beat for the element */
    if (!CHECK(code == IRL_ERROR_DMA_LIST ||
               (code == IRL_ERROR_DMA_LIMIT &&
                (!how->split || strstr(irl_diag_text(c), "none of its beats"))) ||
               code == IRL_ERROR_LOSSY_MAP || code == IRL_ERROR_MAP_OUT_OF_RANGE ||
               code == IRL_ERROR_OVERFLOW || code == IRL_ERROR_UNDECIDED ||
               code == IRL_ERROR_DIVISION_BY_ZERO))
        printf("%s\n%s\n%s\n", irl_map_text(c, map), irl_diag_text(c),
               how->controller ? how->controller->name : "");
    return 0;
}

/* ------------------------------------------------------------------ rows that nobody has built */

static int64_t some_limit(int most) { return random_below(3) ? 1 + random_below(most) : 0; }

static void invent_steps(irl_dma_level_limits *limit)
{
    const int64_t a = random_below(200), b = random_below(200);
    limit->least_step = random_below(2) ? -a : 0;
    limit->most_step = random_below(10) ? b : -random_below((int)(1 - limit->least_step));
}

static irl_dma_controller invent_row(void)
{
    static const char *const counts[] = { "N0", "N1", "N2", "N3" },
                      *const sources[] = { "S0", "S1", "S2", "S3" },
                      *const targets[] = { "", "T1", "T.2", "T[3]" };
    irl_dma_controller c;
    int                k;
    memset(&c, 0, sizeof c);
    c.name = "row";
    c.doc = random_below(2) ? "with \"quotes\" \\ and // slashes" : NULL;
    c.beats = 1 + random_below(15);
    if (random_below(3)) c.beats |= 1;
    c.is_relative = random_below(2);
    c.may_stay = random_below(2);
    c.level_count = 1 + random_below(IRL_DMA_LEVELS);
    c.block_field = "BLOCK";
    c.block_bytes = some_limit(300);
    c.block_levels = random_below(c.level_count + 1);
    c.ring_field = "";
    c.steps_in_beats = random_below(2);
    c.has_power_steps = random_below(2);
    c.has_one_step = random_below(3) == 0;
    c.offset_block_bytes = random_below(3) ? 0 : 64 + random_below(99);
    c.chain_field = random_below(2) ? "NEXT" : NULL;
    for (k = 0; k < c.level_count; k++) {
        c.level[k].count_field = counts[k];
        c.level[k].source_field = sources[k];
        c.level[k].target_field = targets[k];
        c.level[k].most_count = some_limit(60);
        if (k || random_below(2)) invent_steps(&c.level[k]);
    }
    return c;
}

/* A row as a text reads back as it was: its text is the same, and so is its list. */
static const irl_dma_controller *read_back(irl_ctx *c, const irl_dma_controller *row)
{
    const char               *text = irl_dma_controller_text(c, row);
    const irl_dma_controller *back = irl_dma_controller_parse(c, text, IRL_TO_NUL, "row");
    if (!CHECK(text[0] && back && !strcmp(irl_dma_controller_text(c, back), text)))
        printf("%s\n%s\n", text, irl_diag_text(c));
    return back;
}

static int rows_played;

/* Plays the map for each controller and for a row, both ways, split and without a split; where it
   is slow, every third of these. Returns how many lists there were. */
static int play_map(irl_ctx *c, const irl_map *map, irl_shape shape, int n, int most)
{
    const int step = getenv("IRL_SLOW") ? 3 : 1;
    int       way, k, lists = 0;
    know(c, map, shape);
    for (way = 0; way < 2; way++)
        for (k = (n + way) % step; k < 2 * CONTROLLERS + 4; k += step) {
            const irl_mark     mark = irl_ctx_mark(c);
            const int          is_row = k >= 2 * CONTROLLERS;
            irl_dma_controller row;
            irl_dma_options    how;
            memset(&how, 0, sizeof how);
            how.element = some_element(n + k);
            how.unpack = way;
            if (is_row) {
                row = invent_row();
                how.controller = read_back(c, &row);
            } else how.controller = irl_dma_controller_find(controllers[k / 2]);
            how.split = k % 2;
            how.most = most;
            const int is_list = play_list(c, map, shape, &how, is_row ? OF_ROW : k / 2);
            lists += is_list;
            rows_played += is_row && is_list;
            irl_ctx_rewind(c, mark);
        }
    free(known);
    known = NULL;
    return lists;
}

/* ------------------------------------------------------------------ rows as texts */

typedef struct bad_row {
    const char *text, *found, *place;
    irl_code    code;
} bad_row;

#define ROW "name = \"a\"\nbeats = 1\nlevel_count = 1\n"
static const bad_row bad_rows[] = {
    { "", "has no name", "1:1", IRL_ERROR_BAD_ARGUMENT },
    { "name = \"a\"\nbeats = 1\n", "write a line 'level_count = ...'", "3:1",
      IRL_ERROR_BAD_ARGUMENT },
    { ROW, "has no level0_count_field", "4:1", IRL_ERROR_BAD_ARGUMENT },
    { ROW "most = 4\n", "a key: name, doc, beats", "4:1", IRL_ERROR_SYNTAX },
    { ROW "beats = 2\n", "'beats' is stated twice", "4:1", IRL_ERROR_DUPLICATE_NAME },
    { ROW "level0_count_field = \"N\" level1_most_count = 4\n", "level_count is 1", "4:46",
      IRL_ERROR_BAD_ARGUMENT },
    { "beats = 1, 3", "found 3", "1:12", IRL_ERROR_BAD_ARGUMENT },
    { "level_count = 5", "level_count is 1 .. 4; found 5", "1:15", IRL_ERROR_BAD_ARGUMENT },
    { "level_count = 99999999999", "1 .. 4; found 99999999999", "1:15", IRL_ERROR_BAD_ARGUMENT },
    { "level0_most_count = -1", "level0_most_count is 0", "1:21", IRL_ERROR_BAD_ARGUMENT },
    { "level0_most_step = 9223372036854775808", "does not fit 64 bits", "1:20",
      IRL_ERROR_BAD_ARGUMENT },
    { "may_stay = 1", "true or false", "1:12", IRL_ERROR_SYNTAX },
    { "name = a", "a text in quotes", "1:8", IRL_ERROR_SYNTAX },
    { "name = \"*/ int x;\"", "comment of C", "1:8", IRL_ERROR_BAD_ARGUMENT },
    { "name = \"a\\nb\"", "printable", "1:8", IRL_ERROR_BAD_ARGUMENT },
    { "name \"a\"", "'='", "1:6", IRL_ERROR_SYNTAX },
    { ROW "level0_count_field = \"N\" level0_least_step = 1\n", "more than level0_most_step", "1:8",
      IRL_ERROR_BAD_ARGUMENT },
    { ROW "level0_count_field = \"N\" block_levels = 2\n", "block_levels is 2", "1:8",
      IRL_ERROR_BAD_ARGUMENT },
    { "name = \"a\" beats = 1 level_count = 2 ring_bits = 3 level0_count_field = \"N\"\n"
      "level1_count_field = \"N\"", "has one level", "1:8", IRL_ERROR_BAD_ARGUMENT },
};

/* Texts of rows with some bytes changed are rows or have a diagnostic; what is read is used. */
static void hostile_rows(int count)
{
    size_t k;
    int    n, read = 0, j;
    for (k = 0; k < sizeof bad_rows / sizeof *bad_rows; k++) {
        irl_ctx *c = irl_ctx_create(NULL);
        CHECK(!irl_dma_controller_parse(c, bad_rows[k].text, IRL_TO_NUL, "f"));
        CHECK_CODE(c, bad_rows[k].code);
        if (!CHECK(strstr(irl_diag_text(c), bad_rows[k].found) &&
                   !strncmp(irl_diag_text(c) + 2, bad_rows[k].place, strlen(bad_rows[k].place))))
            printf("%s\n%s\n", bad_rows[k].text, irl_diag_text(c));
        irl_ctx_destroy(c);
    }
    for (n = 0; n < count; n++) {
        static const char letters[] = "=,\"\\-/*09_ \nab\x80\xff";
        irl_ctx                  *c = irl_ctx_create(NULL);
        irl_dma_controller        row = invent_row();
        const irl_dma_controller *base = n % 2 ? &row
                                               : irl_dma_controller_find(
                                                     controllers[1 + n / 2 % (CONTROLLERS - 1)]);
        char                      text[2048];
        int                       length;
        length = snprintf(text, sizeof text, "%s", irl_dma_controller_text(c, base));
        CHECK(length > 0 && length < (int)sizeof text);
        CHECK(read_back(c, base) != NULL);
        for (j = 1 + random_below(4); j > 0; j--) {
            int       at = random_below(length);
            const int other = random_below(length);
            while (n % 3 && (text[at] < '0' || text[at] > '9')) at = (at + 1) % length;
            if (text[at] >= '0' && text[at] <= '9') text[at] = (char)('0' + random_below(10));
            else if (random_below(3)) text[at] = letters[random_below((int)sizeof letters)];
            else if (random_below(2)) text[at] = text[other];
            else memmove(text + at, text + other, (size_t)(length - (at > other ? at : other)));
        }
        base = irl_dma_controller_parse(c, text, (size_t)length, "f");
        CHECK((base == NULL) == (irl_diag_of(c) != NULL));
        if (base) {
            irl_dma_options how;
            memset(&how, 0, sizeof how);
            how.controller = base;
            how.split = 1;
            how.element = some_element(n);
            read++;
            read_back(c, base);
            const irl_dma_list *list =
                irl_dma_new(c, irl_map_parse(c, "(y, x) -> (x, 6 - y)"), IRL_SHAPE(7, 12), &how);
            CHECK(list ? irl_dma_c(c, list, "x")[0] != 0 : !irl_ok(c));
        }
        irl_ctx_destroy(c);
    }
    printf("%d of %d changed rows are rows\n", read, count);
    CHECK(read > 0 && read < count);
}

/* ------------------------------------------------------------------ maps by hand */

typedef struct row {
    const char *map;
    irl_shape   shape;
    int         copies; /* that one list takes; 0: not said */
} row;

static const row rows[] = {
    { "(y, x) -> (y, x)", { 2, NULL, { 8, 16 } }, 1 },
    { "(y, x) -> (x, y)", { 2, NULL, { 8, 16 } }, 1 },
    { "(y, x) -> (x, 7 - y)", { 2, NULL, { 8, 16 } }, 1 },          /* turned by 90 degrees */
    { "(y, x) -> (7 - y, 15 - x)", { 2, NULL, { 8, 16 } }, 1 },     /* by 180 */
    { "(y, x) -> (y + 3, x + 5)", { 2, NULL, { 8, 16 } }, 1 },      /* a window */
    { "(y, x) -> (y*24 + x)", { 2, NULL, { 8, 16 } }, 1 },          /* a pitch */
    { "(y, x) -> (y*24 + x*3)", { 2, NULL, { 3, 8 } }, 1 },
    { "(y, x) -> (y/8, x, y%8)", { 2, NULL, { 64, 32 } }, 1 },      /* SSD1306, a byte a pixel */
    { "(y, x) -> (y/4, x/4, y%4, x%4)", { 2, NULL, { 8, 16 } }, 1 },
    { "(y, x) -> (y/4, x/4, y%4, x%4)", { 2, NULL, { 10, 16 } }, 2 },
    { "(y, x) -> (y/4, x/4, y%4, x%4)", { 2, NULL, { 10, 15 } }, 0 },
    { "(n, h, w, c) -> (n, c/4, h, w, c%4)", { 4, NULL, { 2, 3, 5, 8 } }, 1 },
    { "(n, h, w, c) -> (n, c/4, h, w, c%4)", { 4, NULL, { 1, 5, 7, 6 } }, 2 },
    { "(i) -> ((i + 3)%8)", { 1, NULL, { 8 } }, 2 },
    { "(i, j) -> ((i + 3)%8, (j + 2)%5)", { 2, NULL, { 8, 5 } }, 0 },
    { "(i) -> (i%2*50 + i/2)", { 1, NULL, { 100 } }, 1 },
    { "(i) -> ((i + 2)/4, (i + 2)%4)", { 1, NULL, { 11 } }, 1 }, /* contiguous all the same */
    { "(i) -> ((i + 2)/4, (i + 2)%4, 3)", { 1, NULL, { 300 } }, 1 },
    { "(i) -> ((i + 2)/4*7 + (i + 2)%4)", { 1, NULL, { 301 } }, 3 },
    { "(i) -> ((i + 3)/4*7 + (i + 3)%4)", { 1, NULL, { 600 } }, 2 },
    { "(y, x) -> (y, x + y%2*(7 - 2*x))", { 2, NULL, { 8, 8 } }, 2 }, /* every second row turned */
    { "(y, x) -> (y, x ^ y)", { 2, NULL, { 8, 8 } }, 0 },
    { "(y, x) -> (y, (x + y)%8)", { 2, NULL, { 8, 8 } }, 0 },
    { "(y, x) -> ((y*10 + x)/6, (y*10 + x)%6)", { 2, NULL, { 6, 10 } }, 1 },
    { "(y, x) -> ((y*10 + x)/6*9 + (y*10 + x)%6)", { 2, NULL, { 6, 10 } }, 1 },
    { "(y, x) -> (((y & 1)*2 + (x & 1)) + ((y & 2)*2 + (x & 2))*2 + ((y & 4)*2 + (x & 4))*4)",
      { 2, NULL, { 8, 8 } }, 1 },
    { "(i) -> (i*i)", { 1, NULL, { 20 } }, 0 },
    { "(i) -> (select(i < 20, 40 - i, i*3))", { 1, NULL, { 70 } }, 0 },
    { "(i, j) -> (j, i)", { 2, NULL, { 0, 5 } }, 0 },
    { "() -> ()", { 0, NULL, { 0 } }, 1 },
    { "(i) -> (i)", { 1, NULL, { 1 } }, 1 },
    /* for reading alone */
    { "(y, x) -> (y/2, x/2)", { 2, NULL, { 8, 12 } }, 0 },
    { "(i) -> (i%16)", { 1, NULL, { 64 } }, 0 },
    { "(i) -> (i%5)", { 1, NULL, { 64 } }, 0 },
    { "(i, j) -> (0)", { 2, NULL, { 5, 7 } }, 0 },
};

static void by_hand(void)
{
    size_t k;
    for (k = 0; k < sizeof rows / sizeof *rows; k++) {
        irl_ctx            *c = irl_ctx_create(NULL);
        const irl_map      *map = irl_map_parse(c, rows[k].map);
        const irl_dma_list *list = irl_dma_new(c, map, rows[k].shape, NULL);
        if (rows[k].copies &&
            !CHECK(list && list->copies == rows[k].copies && list->count == rows[k].copies))
            printf("%s: %d copies\n%s\n", rows[k].map, list ? list->copies : -1,
                   irl_dma_text(c, list));
        irl_ctx_destroy(c);
        c = irl_ctx_create(NULL);
        if (!CHECK(play_map(c, irl_map_parse(c, rows[k].map), rows[k].shape, (int)k, 8192) > 0))
            printf("%s\n", rows[k].map);
        irl_ctx_destroy(c);
    }
}

/* The layouts that are in use, with small numbers for their names. */
static void real_ones(void)
{
    static const char *const names[] = { "N", "C", "H", "W", "K" };
    static const int64_t     values[2][5] = { { 2, 8, 4, 6, 2 }, { 3, 5, 3, 7, 4 } };
    int                      k, n, j, lists = 0;
    for (k = 0; k < REAL_LAYOUTS; k++)
        for (n = 0; n < 2; n++) {
            irl_ctx        *c = irl_ctx_create(NULL);
            const irl_expr *vars[5], *numbers[5], *outputs[IRL_MAX_RANK];
            const irl_map  *map;
            irl_shape       shape;
            char            text[256], *part;
            for (j = 0; j < 5; j++) {
                vars[j] = irl_expr_var(c, names[j], irl_type_of(IRL_INDEX, 1));
                numbers[j] = irl_expr_index(c, values[n][j]);
            }
            map = irl_map_parse_over(c, real_layouts[k].map, NULL, 5, vars);
            memset(&shape, 0, sizeof shape);
            snprintf(text, sizeof text, "%s", real_layouts[k].shape);
            for (part = strtok(text, ","); part; part = strtok(NULL, ",")) {
                const irl_expr *e = irl_expr_parse(c, part, 5, vars);
                irl__value_at(e, 5, vars, values[n], &shape.extent[shape.rank++]);
            }
            for (j = 0; map && j < map->output_count; j++)
                outputs[j] = irl__substitute(c, map->outputs[j], 5, vars, numbers);
            if (map) map = irl__map_make(c, map->input_count, map->inputs, map->output_count,
                                         outputs, 0, NULL, irl__nowhere());
            CHECK_OK(c);
            lists += play_map(c, map, shape, k, 0) > 0;
            irl_ctx_destroy(c);
        }
    printf("%d of %d layouts in use are lists\n", lists, 2 * REAL_LAYOUTS);
    CHECK(lists > REAL_LAYOUTS);
}

static void random_ones(int count)
{
    int n, lists = 0;
    for (n = 0; n < count; n++) {
        recipe r = invent(STEP_KINDS);
        cx = irl_ctx_create(NULL);
        lists += play_map(cx, build(&r), r.shape, n, 0) > 0;
        irl_ctx_destroy(cx);
    }
    printf("%d of %d generated maps are lists\n", lists, count);
    CHECK(lists > count / 2);
}

/* ------------------------------------------------------------------ lists with names */

enum { NAMES = 5 };
static const char *const name_texts[NAMES] = { "N", "C", "H", "W", "K" };
static int named_lists, named_refused, named_played, named_outside;

/* The value of a formula; it must have one. */
static int64_t value_of(const irl_expr *e, const irl_expr *const *vars, const int64_t *values)
{
    int64_t value = 0;
    CHECK(irl__value_at(e, NAMES, vars, values, &value) == IRL__FOLD_OK);
    return value;
}

/* The formulas as numbers, played; the map and the shape are those for these values. */
static void play_named(irl_ctx *c, const irl_dma_named *any, const irl_expr *const *vars,
                       const int64_t *values, int controller)
{
    const irl_expr   *numbers[NAMES], *outputs[IRL_MAX_RANK];
    irl_dma_level     levels[IRL_MAX_RANK * 4];
    irl_dma_transfer  one;
    irl_dma_list      list;
    int               k, is_empty = 0;
    if (any->where && !value_of(any->where, vars, values)) {
        named_outside++;
        return;
    }
    memset(&one, 0, sizeof one);
    memset(&list, 0, sizeof list);
    for (k = 0; k < NAMES; k++) numbers[k] = irl_expr_index(c, values[k]);
    for (k = 0; k < any->map->output_count; k++)
        outputs[k] = irl__substitute(c, any->map->outputs[k], NAMES, vars, numbers);
    list.map = irl__map_make(c, any->map->input_count, any->map->inputs, any->map->output_count,
                             outputs, 0, NULL, irl__nowhere());
    list.shape.rank = any->shape.rank;
    for (k = 0; k < any->shape.rank; k++) {
        list.shape.extent[k] = any->shape.named ? value_of(any->shape.named[k], vars, values)
                                                : any->shape.extent[k];
        is_empty |= list.shape.extent[k] == 0;
    }
    CHECK(irl_map_memory(c, list.map, list.shape, &list.memory));
    CHECK_OK(c);
    list.controller = any->controller;
    list.unpack = any->unpack;
    list.element = any->element;
    list.beat = any->beat;
    list.plain_bytes = irl_shape_count(list.shape) * any->element;
    list.memory_bytes = irl_shape_count(list.memory) * any->element;
    one.source = value_of(any->source, vars, values);
    one.target = value_of(any->target, vars, values);
    one.level_count = any->level_count;
    one.levels = levels;
    for (k = 0; k < any->level_count; k++) {
        levels[k].count = value_of(any->levels[k].count, vars, values);
        levels[k].source = value_of(any->levels[k].source, vars, values);
        levels[k].target = value_of(any->levels[k].target, vars, values);
        levels[k].source_step = value_of(any->levels[k].source_step, vars, values);
        levels[k].target_step = value_of(any->levels[k].target_step, vars, values);
        if (levels[k].count == 0) is_empty = 2;
    }
    list.transfers = &one;
    list.count = is_empty < 2;
    if (!CHECK(moved(&list, controller)))
        printf("%s with %d %d %d %d %d\n%s\n", irl_map_text(c, any->map), (int)values[0],
               (int)values[1], (int)values[2], (int)values[3], (int)values[4],
               irl_dma_named_text(c, any));
    named_played++;
}

/* The map of a shape with names, for each controller; drawn values of the names. */
static int play_names(irl_ctx *c, const irl_map *map, irl_shape shape, const irl_expr *const *vars,
                      int n)
{
    int k, j, lists = 0;
    for (k = n % 2; k < CONTROLLERS + 1; k += 2) {
        const irl_mark       mark = irl_ctx_mark(c);
        irl_dma_controller   row = invent_row();
        irl_dma_options      how;
        const irl_dma_named *any;
        memset(&how, 0, sizeof how);
        how.element = some_element(n + k);
        how.unpack = random_below(2);
        how.controller = k == CONTROLLERS ? &row : irl_dma_controller_find(controllers[k]);
        any = irl_dma_new_named(c, map, shape, &how);
        lists += any != NULL;
        named_lists += any != NULL;
        named_refused += any == NULL;
        for (j = 0; any && j < 4; j++) {
            int64_t values[NAMES];
            int     i;
            for (i = 0; i < NAMES; i++) values[i] = 1 + random_below(j == 3 ? 20 : 5);
            play_named(c, any, vars, values, k == CONTROLLERS ? OF_ROW : k);
        }
        if (!any && !CHECK(irl_diag_of(c)->code == IRL_ERROR_UNDECIDED ||
                           irl_diag_of(c)->code == IRL_ERROR_DMA_LIMIT ||
                           irl_diag_of(c)->code == IRL_ERROR_LOSSY_MAP ||
                           irl_diag_of(c)->code == IRL_ERROR_MAP_OUT_OF_RANGE))
            printf("%s\n", irl_diag_text(c));
        irl_ctx_rewind(c, mark);
    }
    return lists;
}

/* "(a, b) -> (b/4, 2*H - 1 - a, b%4)" with its shape "2*H, 4*N": axes in any order, turned, moved,
   in tiles. */
static void invent_named(char *map, char *shape, size_t room)
{
    static const char *const extents[] = { "N", "C", "H", "W", "2*N", "4*C", "8*H", "K*W", "12",
                                           "3", "1", "N + 2" };
    static const int divisors[] = { 1, 1, 1, 1, 2, 4, 8, 1, 4, 3, 1, 1 };
    char             part[12][48];
    int              k, j, parts = 0, rank = 1 + random_below(4);
    snprintf(map, room, "(");
    shape[0] = 0;
    for (k = 0; k < rank; k++) {
        const int   which = random_below(12);
        const char *extent = extents[which];
        char        index[32];
        int         m = divisors[which];
        snprintf(map + strlen(map), room - strlen(map), k ? ", a%d" : "a%d", k);
        snprintf(shape + strlen(shape), room - strlen(shape), k ? ",%s" : "%s", extent);
        switch (random_below(4)) {
        case 0: snprintf(index, sizeof index, "(%s - 1 - a%d)", extent, k); break;
        case 1: snprintf(index, sizeof index, "(a%d + 1)", k); break;
        default: snprintf(index, sizeof index, "a%d", k);
        }
        if (m > 1 && random_below(4)) {
            if (m % 2 == 0 && m > 2 && random_below(3) == 0) {
                snprintf(part[parts++], sizeof part[0], "%s%%%d/2", index, m);
                snprintf(part[parts++], sizeof part[0], "%s%%2", index);
            } else snprintf(part[parts++], sizeof part[0], "%s%%%d", index, m);
            snprintf(part[parts++], sizeof part[0], "%s/%d", index, m);
        } else snprintf(part[parts++], sizeof part[0], "%s", index);
    }
    snprintf(map + strlen(map), room - strlen(map), ") -> (");
    for (k = 0; parts > 0; k++) {
        j = random_below(parts);
        snprintf(map + strlen(map), room - strlen(map), k ? ", %s" : "%s", part[j]);
        parts--;
        if (j != parts) memcpy(part[j], part[parts], sizeof part[0]);
    }
    snprintf(map + strlen(map), room - strlen(map), ")");
}

static void named_ones(int count)
{
    int n, k, maps = 0;
    for (n = 0; n < REAL_LAYOUTS + count; n++) {
        irl_ctx        *c = irl_ctx_create(NULL);
        const irl_expr *vars[NAMES], *extents[IRL_MAX_RANK];
        const irl_map  *map;
        irl_shape       shape;
        char            text[512], shape_text[256], *part;
        int             rank = 0;
        for (k = 0; k < NAMES; k++)
            vars[k] = irl_expr_var(c, name_texts[k], irl_type_of(IRL_INDEX, 1));
        if (n < REAL_LAYOUTS) {
            snprintf(text, sizeof text, "%s", real_layouts[n].map);
            snprintf(shape_text, sizeof shape_text, "%s", real_layouts[n].shape);
        } else invent_named(text, shape_text, sizeof shape_text);
        map = irl_map_parse_over(c, text, NULL, NAMES, vars);
        for (part = strtok(shape_text, ","); part; part = strtok(NULL, ","))
            extents[rank++] = irl_expr_parse(c, part, NAMES, vars);
        shape = irl_shape_of(rank, extents);
        CHECK_OK(c);
        maps += play_names(c, map, shape, vars, n) > 0;
        irl_ctx_destroy(c);
    }
    printf("with names: %d of %d maps are lists; %d lists, %d refused; %d were played, %d are for "
           "other values\n", maps, REAL_LAYOUTS + count, named_lists, named_refused, named_played,
           named_outside);
    CHECK(maps > count / 2 && named_played > count && named_outside > 0);
}

/* ------------------------------------------------------------------ of few cells the least */

static void few_cells(int count)
{
    int n, least = 0, more = 0, claimed = 0;
    for (n = 0; n < count; n++) {
        irl_ctx            *c = irl_ctx_create(NULL);
        recipe              r = invent(CLAMP);
        const irl_dma_list *list;
        int64_t             place[FEW];
        irl_shape           at;
        int                 k, cells = 1, true_least;
        cx = c;
        for (k = 0; k < r.shape.rank; k++) {
            while (r.shape.extent[k] * cells > FEW) r.shape.extent[k] = 1 + random_below(3);
            cells *= (int)r.shape.extent[k];
        }
        list = irl_dma_new(c, build(&r), r.shape, NULL);
        if (list) {
            memset(&at, 0, sizeof at);
            at.rank = r.shape.rank;
            k = 0;
            do place[k++] = place_of(list->map, &at, &list->memory);
            while (truth_next(&r.shape, &at));
            true_least = least_copies(cells, place);
            if (!CHECK(list->copies >= true_least && (list->copies > 1 || true_least == 1) &&
                       (true_least > 1 || list->copies == 1) &&
                       (!list->is_least || list->copies == true_least)))
                printf("%d\n%s", true_least, irl_dma_text(c, list));
            least += list->copies == true_least;
            more += list->copies > true_least;
            claimed += list->is_least;
        }
        irl_ctx_destroy(c);
    }
    printf("of few cells: %d lists are the least, %d are longer; of %d it is said\n", least, more,
           claimed);
}

/* ------------------------------------------------------------------ refusals */

static irl_code code_of(irl_ctx *c, const char *map, irl_shape shape, const char *controller,
                        const char *part)
{
    irl_dma_options how;
    irl_code        code;
    memset(&how, 0, sizeof how);
    how.element = irl_type_of(IRL_U8, 1);
    how.most = 100;
    how.controller = irl_dma_controller_find(controller);
    CHECK((irl_dma_new(c, irl_map_parse(c, map), shape, &how) != NULL) == !part);
    code = irl_diag_of(c) ? irl_diag_of(c)->code : IRL_OK;
    if (part && !CHECK(strstr(irl_diag_text(c), part) != NULL)) printf("%s\n", irl_diag_text(c));
    return code;
}

typedef struct refusal {
    const char *map;
    irl_shape   shape;
    const char *controller, *part;
    irl_code    code;
} refusal;

static const refusal refusals[] = {
    { "(y, x) -> (y/2)", { 2, NULL, { 8, 8 } }, NULL, "(0, 0) and (1, 0)", IRL_ERROR_LOSSY_MAP },
    { "(y) -> (y - 1)", { 1, NULL, { 8 } }, NULL, "out-of-range", IRL_ERROR_MAP_OUT_OF_RANGE },
    { "(i, j) -> (i, j)", { 1, NULL, { 8 } }, NULL, "rank", IRL_ERROR_RANK_MISMATCH },
    { "(i) -> (i*i)", { 1, NULL, { 400 } }, NULL, "(3) is 9", IRL_ERROR_DMA_LIST },
    { "(i, j) -> (j, i)", { 2, NULL, { 9000, 70 } }, "stm32-gpdma", "DAO", IRL_ERROR_DMA_LIMIT },
    { "(i, j) -> (j, i)", { 2, NULL, { 40000, 3 } }, "edma3", "DSTBIDX holds -32768 .. 32767",
      IRL_ERROR_DMA_LIMIT },
    { "(i, j, k) -> (k, i, j)", { 3, NULL, { 5, 3, 70000 } }, "edma3", "BCNT is at most 65535",
      IRL_ERROR_DMA_LIMIT },
    { "(i) -> (i)", { 1, NULL, { 70000 } }, "edma3", "ACNT is at most 65535, and copy 0 has 70000 "
      "there; two levels, 4 times 17500", IRL_ERROR_DMA_LIMIT },
    { "(i) -> (2*i)", { 1, NULL, { 65537 } }, "edma3", "BCNT is at most 65535, and copy 0 has "
      "65537 there; 2 transfers would fit", IRL_ERROR_DMA_LIMIT }, /* a prime */
    { "(i, j) -> (j, i)", { 2, NULL, { 4, 3 } }, "rp2040", "1 nested level; copy 0",
      IRL_ERROR_DMA_LIMIT },
    { "(i, j) -> (i, j, 0)", { 2, NULL, { 4, 3 } }, "stm32-dma2d", NULL, IRL_OK },
    { "(i, j) -> (i, 2 - j)", { 2, NULL, { 4, 3 } }, "stm32-dma2d", "2 nested levels; copy 0",
      IRL_ERROR_DMA_LIMIT },
    { "(i, j) -> (i*16385 + j)", { 2, NULL, { 4, 1 } }, "stm32-dma2d", "OOR holds 0 .. 16383",
      IRL_ERROR_DMA_LIMIT },
    { "(i, j) -> (3 - i, j)", { 2, NULL, { 4, 3 } }, "stm32-dma2d", "needs -6",
      IRL_ERROR_DMA_LIMIT },
    { "(i, j) -> (i*16384 + j)", { 2, NULL, { 4, 1 } }, "stm32-dma2d", NULL, IRL_OK },
    { "(i, j) -> (i, 7 - j)", { 2, NULL, { 4, 8 } }, "stm32-mdma", NULL, IRL_OK },
    { "(i, j) -> (i, j*8)", { 2, NULL, { 4, 8 } }, "stm32-mdma", NULL, IRL_OK },
    { "(i, j) -> (j, 0, i, 0)", { 2, NULL, { 4, 8 } }, "stm32-mdma", NULL, IRL_OK },
    { "(i, j) -> (i*99 + j*16)", { 2, NULL, { 4, 5 } }, "stm32-mdma", "3",
      IRL_ERROR_DMA_LIMIT },
    { "(i, j) -> (i*70000 + j)", { 2, NULL, { 4, 3 } }, "stm32-mdma",
      "DUV holds -65535 .. 65535", IRL_ERROR_DMA_LIMIT },
    { "(i) -> (i)", { 1, NULL, { 65537 } }, "stm32-mdma", "BNDT is at most 65536",
      IRL_ERROR_DMA_LIMIT },
    { "(i, j) -> (j*3, i*90)", { 2, NULL, { 4, 8 } }, "nxp-edma", NULL, IRL_OK },
    { "(i, j) -> (i*2000 + j)", { 2, NULL, { 4, 1100 } }, "nxp-edma",
      "NBYTES is at most 1023", IRL_ERROR_DMA_LIMIT },
    { "(i, j, k) -> (i, k, j)", { 3, NULL, { 4, 3, 2 } }, "nxp-edma", "2 nested levels",
      IRL_ERROR_DMA_LIMIT },
    { "(i, j) -> (i*900000 + j)", { 2, NULL, { 4, 3 } }, "nxp-edma",
      "MLOFF holds -524288 .. 524287", IRL_ERROR_DMA_LIMIT },
    { "(i, j) -> (i, j)", { 2, NULL, { 5, 1000 } }, "esp32-gdma",
      "size is at most 4095, and copy 0 has 5000 there; 2 transfers", IRL_ERROR_DMA_LIMIT },
};

static void refused_ones(void)
{
    size_t           k;
    irl_dma_options  how;
    irl_ctx         *c;
    irl_ctx_desc     desc;
    irl_dma_controller wrong;
    for (k = 0; k < sizeof refusals / sizeof *refusals; k++) {
        const refusal *r = &refusals[k];
        c = irl_ctx_create(NULL);
        if (!CHECK(code_of(c, r->map, r->shape, r->controller, r->part) == r->code))
            printf("%s\n", irl_diag_text(c));
        irl_ctx_destroy(c);
    }
    /* axes that are looked at together, and are too large; more steps than allowed */
    c = irl_ctx_create(NULL);
    CHECK(code_of(c, "(i) -> (i/4*5 + i%4)", IRL_SHAPE(INT64_C(1) << 30), NULL, "4194304 cells") ==
          IRL_ERROR_UNDECIDED);
    irl_ctx_destroy(c);
    memset(&desc, 0, sizeof desc);
    desc.most_work = 200000;
    c = irl_ctx_create(&desc);
    CHECK(code_of(c, "(i) -> (i/4*5 + i%4)", IRL_SHAPE(100000), NULL, "steps") ==
          IRL_ERROR_UNDECIDED);
    irl_ctx_destroy(c);
    /* large axes whose places are their numbers take no look */
    c = irl_ctx_create(NULL);
    CHECK(irl_dma_new(c, irl_map_parse(c, "(i, j) -> (j, i)"),
                      IRL_SHAPE(INT64_C(1) << 30, INT64_C(1) << 20), NULL) != NULL);
    CHECK_OK(c);
    /* a controller that is none */
    wrong = *irl_dma_controller_find("edma3");
    wrong.level_count = 5;
    memset(&how, 0, sizeof how);
    how.controller = &wrong;
    CHECK(!irl_dma_new(c, irl_map_parse(c, "(i) -> (i)"), IRL_SHAPE(4), &how));
    CHECK_CODE(c, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_destroy(c);
    /* one whose blocks hold less than a beat; elements that no beat makes */
    c = irl_ctx_create(NULL);
    wrong.level_count = 3;
    wrong.beats = 8;
    wrong.block_bytes = 4;
    how.split = 1;
    how.element = irl_type_of(IRL_F64, 1);
    CHECK(!irl_dma_new(c, irl_map_parse(c, "(i) -> (i)"), IRL_SHAPE(4), &how));
    CHECK_CODE(c, IRL_ERROR_DMA_LIMIT);
    irl_ctx_destroy(c);
    c = irl_ctx_create(NULL);
    how.element = irl_type_of(IRL_F32, 1);
    CHECK(!irl_dma_new(c, irl_map_parse(c, "(i) -> (i)"), IRL_SHAPE(4), &how));
    CHECK_CODE(c, IRL_ERROR_DMA_LIMIT);
    irl_ctx_destroy(c);
    CHECK(!irl_dma_new(NULL, NULL, IRL_SHAPE(4), NULL) && !irl_dma_controller_find("none") &&
          !irl_dma_controller_find(NULL) && !irl_dma_controller_name(-1) &&
          !irl_dma_controller_name(8) && !strcmp(irl_dma_controller_name(3), "rp2040"));
    CHECK(!irl_dma_text(NULL, NULL)[0] && !irl_dma_c(NULL, NULL, NULL)[0] &&
          !irl_dma_json(NULL, NULL)[0]);
}

/* Along one axis up to 2^20 straight runs are looked at: of squares modulo a prime no two
   neighbours are as far apart as the next two, so that two of them are a run. */
static void most_runs(void)
{
    irl_ctx_desc desc;
    int          more;
    memset(&desc, 0, sizeof desc);
    desc.most_work = INT64_C(1) << 40;
    for (more = 0; more < 2; more++) {
        irl_ctx        *c = irl_ctx_create(&desc);
        irl_dma_options how;
        memset(&how, 0, sizeof how);
        how.unpack = 1;
        CHECK(!irl_dma_new(c, irl_map_parse(c, "(i) -> (i*i%67108859)"),
                           IRL_SHAPE((1 << 21) + more), &how));
        CHECK_CODE(c, more ? IRL_ERROR_UNDECIDED : IRL_ERROR_DMA_LIST);
        if (!CHECK(strstr(irl_diag_text(c), more ? "1048577 straight runs" : "4096") != NULL))
            printf("%s\n", irl_diag_text(c));
        irl_ctx_destroy(c);
    }
}

/* ------------------------------------------------------------------ few transfers */

/* In how many strips a controller with relative steps turns a picture: `across` elements of e bytes
   in the inner level, `down` lines; each side advances by so many bytes from element to element,
   and from line to line. 0: no strip fits. */
static int64_t strips(int64_t across, int64_t down, int64_t e, const int64_t *element,
                      const int64_t *line)
{
    int64_t k;
    int     side, fits = 0;
    for (k = across < 65535 / e ? across : 65535 / e; k > 0 && !fits; k--)
        for (side = 0, fits = down <= 2048; side < 2; side++) {
            int64_t burst = element[side] - e, block = line[side] - k * element[side];
            fits &= burst >= -8191 && burst <= 8191 && block >= -65535 && block <= 65535;
        }
    return fits ? (across + k) / (k + 1) : 0;
}

/* Pictures turned by a quarter are no more transfers than strips of either kind; runs of any length
   are one where the length divides, with what is left over behind. */
static void few_transfers(int count)
{
    int     n, split = 0;
    int64_t strip[2];
    for (n = 0; n < count; n++) {
        irl_ctx            *c = irl_ctx_create(NULL);
        const int64_t       e = INT64_C(1) << random_below(3), h = 1 + random_below(500),
                      w = 1 + random_below(MOST_BYTES / (int)(e * h) < 900
                                               ? MOST_BYTES / (int)(e * h) : 900);
        const int64_t       x[2] = { e, h * e }, y[2] = { w * e, -e };
        static const irl_scalar scalars[] = { IRL_U8, IRL_U16, IRL_U8, IRL_F32 };
        irl_dma_options     how;
        const irl_dma_list *list;
        char                map[64];
        memset(&how, 0, sizeof how);
        how.element = irl_type_of(scalars[e - 1], 1);
        how.split = 1;
        how.controller = irl_dma_controller_find("stm32-gpdma");
        snprintf(map, sizeof map, "(y, x) -> (x, %d - y)", (int)h - 1);
        list = irl_dma_new(c, irl_map_parse(c, map), IRL_SHAPE(h, w), &how);
        strip[0] = strips(w, h, e, x, y);
        strip[1] = strips(h, w, e, y, x);
        if (strip[0] == 0 || (strip[1] && strip[1] < strip[0])) strip[0] = strip[1];
        if (!CHECK(list && moved(list, 2) && (!strip[0] || list->count <= strip[0])))
            printf("%dx%d of %d bytes: %d transfers, %d strips\n%s\n", (int)h, (int)w, (int)e,
                   list ? list->count : 0, (int)strip[0], irl_diag_text(c));
        split += list && list->count > 1 && strip[0];
        irl_ctx_destroy(c);
    }
    CHECK(split > 0);
    for (n = 0; n < count; n++) {
        irl_ctx            *c = irl_ctx_create(NULL);
        const int           is_long = random_below(2);
        const int64_t       bytes = 1 + random_below(is_long ? 100000000 : MOST_BYTES);
        irl_dma_options     how;
        const irl_dma_list *list;
        memset(&how, 0, sizeof how);
        how.element = irl_type_of(IRL_U8, 1);
        how.split = 1;
        how.controller = irl_dma_controller_find(controllers[n % CONTROLLERS]);
        list = irl_dma_new(c, irl_map_parse(c, "(i) -> (i)"), IRL_SHAPE(bytes), &how);
        const int64_t fewest = n % CONTROLLERS == 8 ? (bytes + 4094) / 4095 : 3; /* of 4095 bytes */
        if (fewest > 4096 ? !CHECK(!list)
                          : !CHECK(list && moved(list, n % CONTROLLERS) && list->count <= fewest))
            printf("%d bytes by %s: %d transfers\n%s\n", (int)bytes, controllers[n % CONTROLLERS],
                   list ? list->count : 0, irl_diag_text(c));
        irl_ctx_destroy(c);
    }
    printf("%d pictures, %d of them turned in strips\n", count, split);
}

static int ask_list(irl_ctx *c, int which)
{
    static const char *const maps[] = { "(y, x) -> (x/4, 7 - y, x%4)", "(y, x) -> (y, x ^ y)" };
    irl_dma_options     how;
    const irl_dma_list *list;
    memset(&how, 0, sizeof how);
    how.split = 1;
    how.controller = irl_dma_controller_find(controllers[which % CONTROLLERS]);
    list = irl_dma_new(c, irl_map_parse(c, maps[which & 1]), IRL_SHAPE(8, 8), &how);
    return list && irl_dma_text(c, list)[0] && irl_dma_c(c, list, "x")[0] &&
           irl_dma_json(c, list)[0];
}

/* ------------------------------------------------------------------ emitted C */

/* The tables of one list, and a run that compares each byte with the place it came from. */
static void put_list(irl_ctx *c, c_text *t, const irl_dma_list *list, int number)
{
    const int64_t source = list->unpack ? list->memory_bytes : list->plain_bytes,
                  target = list->unpack ? list->plain_bytes : list->memory_bytes;
    irl_shape     at;
    int64_t       n = 0;
    char          name[16];
    snprintf(name, sizeof name, "d%d", number);
    memset(&at, 0, sizeof at);
    at.rank = list->shape.rank;
    c_put(t, "%s", irl_dma_c(c, list, name));
    c_put(t, "static const int32_t place_%d[] = {", number);
    do c_put(t, "%lld,", (long long)place_of(list->map, &at, &list->memory));
    while (truth_next(&list->shape, &at));
    c_put(t, "};\nstatic unsigned char from_%d[%lld], to_%d[%lld];\n", number,
          (long long)source + 1, number, (long long)target + 1);
    n = list->plain_bytes / list->element;
    c_put(t, "static void run_%d(void)\n{\n    int32_t k, b, e = %d;\n", number,
          (int)list->element);
    c_put(t, "    for (k = 0; k < %lld; k++) from_%d[k] = (unsigned char)((k * 251 + k / 256) %% "
          "255 + 1);\n", (long long)source, number);
    c_put(t, "    d%d_play(from_%d, to_%d);\n", number, number, number);
    c_put(t, "    for (k = 0; k < %lld; k++)\n        for (b = 0; b < e; b++) {\n"
          "            int32_t p = place_%d[k] * e + b, q = k * e + b;\n"
          "            if (to_%d[%s] != from_%d[%s]) c_wrong(%d, \"byte\", q, from_%d[%s], "
          "to_%d[%s]);\n        }\n}\n",
          (long long)n, number, number, list->unpack ? "q" : "p", number,
          list->unpack ? "p" : "q", number, number, list->unpack ? "p" : "q", number,
          list->unpack ? "q" : "p");
}

static void emitted(void)
{
    c_text t = { NULL, 0, 0 };
    int    numbers[100], n = 0, k, j, is_slow = getenv("IRL_SLOW") != NULL;
    c_put(&t, "%s", c_prologue);
    for (k = 0; k < (int)(sizeof rows / sizeof *rows); k += is_slow ? 4 : 1)
        for (j = k % 3; j < 2 * CONTROLLERS && n < 100; j += 3) {
            irl_ctx            *c = irl_ctx_create(NULL);
            irl_dma_options     how;
            const irl_dma_list *list;
            memset(&how, 0, sizeof how);
            how.element = some_element(k + j);
            how.split = 1;
            how.unpack = j % 2;
            how.controller = irl_dma_controller_find(controllers[j / 2]);
            list = irl_dma_new(c, irl_map_parse(c, rows[k].map), rows[k].shape, &how);
            if (list && list->count && list->count < 40) {
                put_list(c, &t, list, n);
                numbers[n] = n;
                n++;
            }
            irl_ctx_destroy(c);
        }
    CHECK(n > (is_slow ? 10 : 60));
    c_put_main(&t, n, numbers);
    c_run_all(&t, c_compilers, C_COMPILERS);
    printf("%d tables were played by their C\n", n);
    free(t.data);
}

int main(void)
{
    int which;
    by_hand();
    real_ones();
    random_ones(getenv("IRL_SOAK") ? 100000 : TEST_COUNT(250));
    named_ones(getenv("IRL_SOAK") ? 100000 : TEST_COUNT(300));
    few_cells(getenv("IRL_SOAK") ? 100000 : TEST_COUNT(500));
    few_transfers(getenv("IRL_SOAK") ? 100000 : TEST_COUNT(200));
    refused_ones();
    hostile_rows(getenv("IRL_SOAK") ? 200000 : TEST_COUNT(1000));
    if (!getenv("IRL_SLOW")) most_runs();
    emitted();
    for (which = 0; which < 10; which += getenv("IRL_SLOW") ? 3 : 1)
        failing_each(ask_list, which, which & 1);
    printf("%d lists were played, %d of one copy, %d of more, %d wrap; %d were refused\n", played,
           one_copy, more_copies, wrapped, refused_lists);
    printf("%d of the lists are for rows that nobody has built\n", rows_played);
    CHECK(wrapped > 0 && more_copies > 0 && rows_played > 0);
    c_folder_end();
    return TEST_DONE();
}
