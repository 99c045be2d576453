/* test_digits.c - layouts of nested remainders: what is one function takes the same memory, however
   it is written; each remainder has its whole modulus, of numbers and of names; and each cell of
   memory that no point reaches is known as padding. */
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
#include "nested_maps.h"

enum { MOST_POINTS = 600, MOST_CELLS = 40000 };

static irl_ctx *cx;
static int      shown, named, backs, cells_seen, padding_seen;

static int wrong(const nested *n, const char *what)
{
    int k;
    if (shown++ < 10) {
        printf("%s\n%s\non", n->text[0], n->text[1]);
        for (k = 0; k < n->shape.rank; k++) printf(" %d", (int)n->shape.extent[k]);
        printf(": %s\n", what);
    }
    return CHECK(!"a layout of nested remainders");
}

/* Whether both texts go to the same elements; notes which cells are reached, and the box. */
static int same_places(const nested *n, const irl_map *const *map, const irl_shape *memory,
                       unsigned char *reached, irl_shape *box)
{
    irl_shape at, to, other;
    int       k;
    memset(&at, 0, sizeof at);
    memset(box, 0, sizeof *box);
    at.rank = n->shape.rank;
    do {
        int64_t place = 0;
        if (!truth_apply(map[0], &at, &to) || !truth_apply(map[1], &at, &other)) return 0;
        for (k = 0; k < to.rank; k++) {
            if (to.extent[k] != other.extent[k] || to.extent[k] >= memory->extent[k]) return 0;
            if (to.extent[k] >= box->extent[k]) box->extent[k] = to.extent[k] + 1;
            place = place * memory->extent[k] + to.extent[k];
        }
        if (place < MOST_CELLS) reached[place] = 1;
    } while (truth_next(&n->shape, &at));
    return 1;
}

/* Whether `spare` is true for exactly the cells that are not reached. */
static int names_padding(const irl_verdict *v, const irl_expr *spare, const unsigned char *reached)
{
    irl_shape at;
    int64_t   value, place = 0;
    memset(&at, 0, sizeof at);
    at.rank = v->memory.rank;
    do {
        value = 0;
        if (spare && irl__value_at(spare, at.rank, v->inverse->inputs, at.extent, &value) !=
                         IRL__FOLD_OK)
            return 0;
        if ((value != 0) == reached[place++]) return 0;
        padding_seen += value != 0;
    } while (truth_next(&v->memory, &at));
    cells_seen += (int)place;
    return 1;
}

static int test_names(const nested *n, const irl_map *map)
{
    const irl_expr *extents[NESTED_AXES];
    irl_mark        mark = irl_ctx_mark(cx);
    irl_verdict     v;
    char            name[2] = "K";
    int             k, ok = 1;
    for (k = 0; k < n->shape.rank; k++, name[0]++)
        extents[k] = irl_expr_var(cx, name, irl_type_of(IRL_INDEX, 1));
    v = irl_map_check(cx, map, irl_shape_of(n->shape.rank, extents));
    named += v.box_known;
    for (k = 0; v.box_known && k < n->outputs; k++)
        ok &= !n->places[k] || irl__is_int(v.memory.named[k], n->places[k]);
    irl_ctx_rewind(cx, mark);
    return ok;
}

static int test_one(void)
{
    static unsigned char reached[MOST_CELLS];
    const nested         n = nested_map(MOST_POINTS);
    const irl_map       *map[2];
    const irl_expr      *spare = NULL;
    irl_shape            memory[2], box;
    irl_verdict          v;
    int                  k;
    memset(reached, 0, sizeof reached);
    for (k = 0; k < 2; k++) {
        map[k] = irl_map_parse(cx, n.text[k]);
        if (!irl_map_memory(cx, map[k], n.shape, &memory[k])) return wrong(&n, irl_diag_text(cx));
    }
    if (!same_places(&n, map, &memory[0], reached, &box)) return wrong(&n, "two functions");
    for (k = 0; k < n.outputs; k++)
        if (memory[0].extent[k] != (n.places[k] ? n.places[k] : box.extent[k]) ||
            memory[0].extent[k] != memory[1].extent[k])
            return wrong(&n, "the memory");
    if (!test_names(&n, map[1])) return wrong(&n, "the memory of names");
    v = irl_map_check(cx, map[1], n.shape);
    if (!irl__verdict_is_right(&v)) return wrong(&n, irl_verdict_text(cx, &v));
    if (irl_shape_count(v.memory) > MOST_CELLS) return 1;
    if (!strstr(irl_verdict_json(cx, map[1], &v), irl_shape_count(v.memory) ==
                irl_shape_count(v.shape) ? "\"pad_cells\": 0," : "\"pad_cells\": "))
        return wrong(&n, "the count");
    if (!v.inverse || !v.padding) return 1;
    backs++;
    if (!irl__verdict_unused(cx, &v, &spare)) return wrong(&n, irl_diag_text(cx));
    return names_padding(&v, spare, reached) || wrong(&n, "the padding");
}

static void test_generated(int count)
{
    int k;
    for (k = 0; k < count; k++) {
        irl_mark mark = irl_ctx_mark(cx);
        CHECK(test_one());
        irl_ctx_rewind(cx, mark);
    }
    printf("%.3f have a way back, 0.919 in an earlier version\n", (double)backs / count);
    printf("%d pairs, the box of names known of %d, a way back of %d; %d cells, %d of them "
           "padding\n", count, named, backs, cells_seen, padding_seen);
    CHECK(backs > count / 2 && padding_seen > 0 && named > count / 2);
}

/* ------------------------------------------------------------------ what is known of hardware */

typedef struct row {
    const char *map, *memory;
} row;

static void test_rows(void)
{
    static const row rows[] = {
        /* block-linear, of height 8 */
        { "(y, x) -> (y/64, x, y%64/8, y%8)", "[1, 4, 8, 8]" },
        { "(y, x) -> (y/64, x, y/8%8, y%8)", "[1, 4, 8, 8]" },
        { "(y, x) -> (y%64/8*8 + x%8, y/64, y%8, x/8)", "[64, 1, 8, 1]" },
        { "(y, x) -> (x%8 + 8*(y/8%8), y/64, y%8, x/8)", "[64, 1, 8, 1]" },
        { "(y, x) -> (63 - (y%64/8*8 + x%8), y/64, y%8, x/8)", "[64, 1, 8, 1]" },
        { "(y, x) -> ((y%64 & 56) + (x & 7), y/64, y%8, x/8)", "[64, 1, 8, 1]" },
        /* a swizzle, and rows to and fro */
        { "(y, x) -> (y/8, y%8, x/8, x%8 ^ y%8)", "[5, 8, 1, 8]" },
        { "(y, x) -> (y/8, y%8, x/8, y%2 == 0 ? x%8 : 7 - x%8)", "[5, 8, 1, 8]" },
        /* a multiple has the places of the modulus, as the remainder of a multiple has */
        { "(y, x) -> (y, x%8*2)", "[39, 16]" },
        { "(y, x) -> (y, x*2%16)", "[39, 16]" },
        { "(y, x) -> (y, x%8*2 + 1)", "[39, 16]" },
        { "(y, x) -> (y, x%8%16)", "[39, 8]" },
        { "(y, x) -> (y, x%30/4, x%4)", "[39, 8, 4]" },
        /* any other sum keeps its box */
        { "(y, x) -> (y + x%8*64)", "[231]" },
        { "(y, x) -> (y, x%8 + 1)", "[39, 5]" },
        { "(y, x) -> (y%64 + x%8*100)", "[800]" },
        { "(y, x) -> (y, x%8 + x/8*8)", "[39, 4]" },
        { "(y, x) -> (y, min(x, 100))", "[39, 4]" },
    };
    irl_verdict v;
    char        memory[80];
    size_t      k;
    int         i;
    for (k = 0; k < sizeof rows / sizeof *rows; k++) {
        v = irl_map_check(cx, irl_map_parse(cx, rows[k].map), IRL_SHAPE(39, 4));
        strcpy(memory, "[");
        for (i = 0; i < v.memory.rank; i++)
            sprintf(memory + strlen(memory), i ? ", %d" : "%d", (int)v.memory.extent[i]);
        strcat(memory, "]");
        if (!CHECK(strcmp(memory, rows[k].memory) == 0))
            printf("%s: %s\n", rows[k].map, memory);
    }
    CHECK_OK(cx);
}

int main(void)
{
    cx = irl_ctx_create(NULL);
    test_rows();
    test_generated(TEST_COUNT(1000));
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
