/* test_census.c - 500 random index maps with known truth: verdict, box, inverse and padding of every one. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/map/map.h"
#endif
#include "test.h"
#include "map_truth.h"

typedef struct census_row {
    char      name[16], map[512];
    irl_shape shape, minimum, physical;
    int       injective;
    long      pad_cells;
} census_row;

static irl_shape census_numbers(const char *text)
{
    irl_shape s;
    memset(&s, 0, sizeof s);
    while (s.rank < IRL_MAX_RANK) {
        char *end;
        long  v = strtol(text, &end, 10);
        if (end == text) break;
        s.extent[s.rank++] = v;
        text = *end == ',' ? end + 1 : end;
    }
    return s;
}

static int census_read(FILE *f, census_row *row)
{
    char line[2048], *field[7];
    int  n = 0;
    do {
        if (!fgets(line, sizeof line, f)) return 0;
    } while (line[0] == '#');
    field[n++] = line;
    while (n < 7) {
        char *sep = strchr(field[n - 1], ';');
        if (!sep) return 0;
        *sep = '\0';
        field[n++] = sep + 1;
    }
    memset(row, 0, sizeof *row);
    snprintf(row->name, sizeof row->name, "%s", field[0]);
    snprintf(row->map, sizeof row->map, "%s", field[1]);
    row->shape = census_numbers(field[2]);
    row->injective = atoi(field[3]);
    row->minimum = census_numbers(field[4]);
    row->physical = census_numbers(field[5]);
    row->pad_cells = atol(field[6]);
    return 1;
}

static int same_shape(irl_shape a, irl_shape b)
{
    return a.rank == b.rank && memcmp(a.extent, b.extent, (size_t)a.rank * sizeof *a.extent) == 0;
}

static int negative(const irl_shape *s)
{
    int k;
    for (k = 0; k < s->rank; k++)
        if (s->extent[k] < 0) return 1;
    return 0;
}

static int    symbolic, tables, undecided, short_enough, injective_count;

static void census_check(const census_row *row, int verbose)
{
    irl_ctx       *cx = irl_ctx_create(NULL);
    const irl_map *map = irl_map_parse(cx, row->map);
    irl_verdict    v = irl_check(cx, map, row->shape);
    irl_verdict_kind expected = !row->injective ? IRL_LOSSY : negative(&row->minimum) ? IRL_OUT_OF_RANGE : row->pad_cells ? IRL_INJECTIVE : IRL_BIJECTIVE;
    int            ok = CHECK_OK(cx) & CHECK(v.kind == expected);
    if (v.kind == IRL_UNDECIDED) undecided++;
    ok &= CHECK(same_shape(v.minimum, row->minimum)) & CHECK(same_shape(v.physical, row->physical));
    if (expected == IRL_LOSSY) ok &= CHECK(truth_witness(map, &v));
    if (expected == IRL_INJECTIVE || expected == IRL_BIJECTIVE) {
        unsigned answer, question = truth_nodes_of_map(map);
        injective_count++;
        ok &= CHECK(v.pad_cells == row->pad_cells);
        ok &= CHECK(v.inverse != NULL);
        if (v.inverse) {
            symbolic += strcmp(v.method, "table") != 0;
            tables += strcmp(v.method, "table") == 0;
            ok &= CHECK(truth_inverse(map, &v)) & CHECK(truth_padding(map, &v));
            answer = truth_nodes_of_map(v.inverse) + (v.pad_cells ? v.padding->size : 0);
            if (answer <= 4 * question) short_enough++;
            else if (verbose) printf("long %s: %u for %u: %s on %ld.. : %s | %s\n", row->name, answer, question, row->map, (long)row->shape.extent[0], irl_map_text(cx, v.inverse), irl_expr_text(cx, v.padding));
        }
    }
    if (!ok) printf("census %s: %s: %s [%s]\n%s\n", row->name, row->map, irl_verdict_text(cx, &v), v.method, irl_diag_text(cx));
    if (!ok && v.inverse) printf("    inverse %s padding %s\n", irl_map_text(cx, v.inverse), irl_expr_text(cx, v.padding));
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    FILE      *f = fopen("tests/data/census.txt", "r");
    census_row row;
    int        rows = 0;
    (void)argv;
    if (!f) {
        printf("tests/data/census.txt is missing\n");
        return 1;
    }
    while (census_read(f, &row)) {
        census_check(&row, argc > 1);
        rows++;
    }
    fclose(f);
    CHECK(rows == 500);
    CHECK(undecided == 0);
    CHECK(symbolic == injective_count);
    CHECK(short_enough * 100 >= injective_count * 95);
    printf("%d maps, %d injective, %d with a symbolic inverse, %d tables, %d short\n", rows, injective_count, symbolic, tables, short_enough);
    return TEST_DONE();
}
