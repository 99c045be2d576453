/* test_census.c - 500 random index maps with known truth: verdict, box, inverse and padding of
   every one. */
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

static int symbolic, tables, undecided, short_enough, injective_count, scaled_count, scaled_same,
    scaled_other, scaled_undecided;

/* ----------------------------------------------- the same map on extents 2^10 times as large */

enum { SCALE = 1 << 10 };

static int64_t scale_power(int degree) { return degree ? SCALE * scale_power(degree - 1) : 1; }

/* Whether x/c stands in e. */
static int scale_divides(const irl_expr *e, const irl_expr *x, const irl_expr *c)
{
    uint32_t k;
    if (e->op == IRL_OP_FLOORDIV && e->a[0] == x && e->a[1] == c) return 1;
    for (k = 0; k < e->count; k++)
        if (scale_divides(e->a[k], x, c)) return 1;
    return 0;
}

/* x%c where x/c stands in the map is a digit; else an axis that is turned round. */
static int scale_is_split(const irl_map *m, const irl_expr *e)
{
    int k;
    if (e->op == IRL_OP_FLOORDIV) return 1;
    for (k = 0; k < m->output_count; k++)
        if (scale_divides(m->outputs[k], e->a[0], e->a[1])) return 1;
    return 0;
}

/* e for inputs that reach SCALE times as far; its values then reach SCALE^degree times as far. A
   digit grows once, the length of an axis with the axis; c - x turns round at the new end, and x*c
   + y keeps y within one step of x. */
static const irl_expr *scale_expr(irl_ctx *cx, const irl_map *m, const irl_expr *e, int *degree)
{
    const irl_expr *a, *b;
    int             da, db, by;
    int64_t         c;
    *degree = e->op == IRL_OP_VAR;
    if (e->count == 0) return e;
    a = scale_expr(cx, m, e->a[0], &da);
    b = scale_expr(cx, m, e->a[1], &db);
    c = b->op == IRL_OP_INT ? b->u.i : 0;
    switch (e->op) {
    case IRL_OP_FLOORDIV: case IRL_OP_FLOORMOD:
        by = da > 1 && scale_is_split(m, e) ? 1 : da;
        *degree = e->op == IRL_OP_FLOORMOD ? by : da - by;
        return irl_expr_op2(cx, (irl_op)e->op, a, irl_expr_index(cx, c * scale_power(by)));
    case IRL_OP_SUB:
        *degree = db;
        return irl_expr_op2(cx, IRL_OP_SUB, irl_expr_index(cx, (a->u.i + 1) * scale_power(db) - 1),
                            b);
    case IRL_OP_MUL: *degree = da; return irl_expr_op2(cx, IRL_OP_MUL, a, b);
    default: /* an offset, or two axes made one */
        if (b->op == IRL_OP_INT)
            return *degree = da,
                   irl_expr_op2(cx, IRL_OP_ADD, a, irl_expr_index(cx, c * scale_power(da)));
        if (a->op != IRL_OP_MUL)
            return *degree = da > db ? da : db, irl_expr_op2(cx, IRL_OP_ADD, a, b);
        *degree = da + db;
        return irl_expr_op2(cx, IRL_OP_ADD,
                            irl_expr_op2(cx, IRL_OP_MUL, a->a[0],
                                         irl_expr_index(cx, a->a[1]->u.i * scale_power(db))),
                            b);
    }
}

/* The same tree, constants aside. */
static int same_form(const irl_expr *a, const irl_expr *b)
{
    uint32_t k;
    if (a->op != b->op || a->count != b->count) return 0;
    for (k = 0; k < a->count; k++)
        if (!same_form(a->a[k], b->a[k])) return 0;
    return 1;
}

static unsigned answer_size(const irl_verdict *v)
{
    return truth_nodes_of_map(v->inverse) + (v->pad_cells ? v->padding->size : 0);
}

/* An injective map keeps the form of its answer, or gets a shorter one. Where the small map owes
   its kind to a small number (i*2/2 is no gap, i*2/2048 has gaps), the large one is another
   question. */
static void census_scaled(irl_ctx *cx, const census_row *row, const irl_map *map,
                          const irl_verdict *v)
{
    const irl_expr *out[IRL_MAX_RANK];
    irl_shape       shape = row->shape;
    const irl_map  *big;
    irl_verdict     u;
    int             k, degree, same;
    for (k = 0; k < map->output_count; k++) out[k] = scale_expr(cx, map, map->outputs[k], &degree);
    for (k = 0; k < shape.rank; k++) shape.extent[k] *= SCALE;
    big = irl_map_new(cx, map->input_count, map->inputs, map->output_count, out, 0, NULL);
    u = irl_map_check(cx, big, shape);
    CHECK_OK(cx);
    scaled_count++;
    scaled_undecided += u.kind == IRL_UNDECIDED;
    scaled_other += u.kind != v->kind && u.kind != IRL_UNDECIDED;
    if (u.kind != v->kind && u.kind != IRL_UNDECIDED) return;
    same = u.inverse != NULL;
    for (k = 0; same && k < map->input_count; k++)
        same = same_form(v->inverse->outputs[k], u.inverse->outputs[k]);
    same = (same && same_form(v->padding, u.padding)) ||
           (u.inverse && answer_size(&u) <= answer_size(v));
    scaled_same += same;
    if (!same)
        printf("not its form, %s: %s: %s, %u nodes, not %u\n", row->name, irl_map_text(cx, big),
               irl_verdict_text(cx, &u), u.inverse ? answer_size(&u) : 0, answer_size(v));
}

static void census_check(const census_row *row)
{
    irl_ctx       *cx = irl_ctx_create(NULL);
    const irl_map *map = irl_map_parse(cx, row->map);
    irl_verdict    v = irl_map_check(cx, map, row->shape);
    irl_verdict_kind expected = !row->injective           ? IRL_LOSSY
                                : negative(&row->minimum) ? IRL_OUT_OF_RANGE
                                : row->pad_cells          ? IRL_INJECTIVE
                                                          : IRL_BIJECTIVE;
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
            /* the form of an answer is the same on every machine */
            if (!getenv("IRL_SLOW")) census_scaled(cx, row, map, &v);
            answer = answer_size(&v);
            if (answer <= 4 * question) short_enough++;
            else
                printf("long %s: %u for %u: %s on %ld.. : %s | %s\n", row->name, answer, question,
                       row->map, (long)row->shape.extent[0], irl_map_text(cx, v.inverse),
                       irl_expr_text(cx, v.padding));
        }
    }
    if (!ok)
        printf("census %s: %s: %s [%s]\n%s\n", row->name, row->map, irl_verdict_text(cx, &v),
               v.method, irl_diag_text(cx));
    if (!ok && v.inverse)
        printf("    inverse %s padding %s\n", irl_map_text(cx, v.inverse),
               irl_expr_text(cx, v.padding));
    irl_ctx_destroy(cx);
}

int main(void)
{
    FILE      *f = fopen("tests/data/census.txt", "r");
    census_row row;
    int        rows = 0;
    if (!f) {
        printf("tests/data/census.txt is missing\n");
        return 1;
    }
    while (census_read(f, &row)) {
        census_check(&row);
        rows++;
    }
    fclose(f);
    CHECK(rows == 500);
    CHECK(undecided == 0);
    CHECK(symbolic == injective_count);
    CHECK(short_enough * 100 >= injective_count * 95);
    CHECK(scaled_count == (getenv("IRL_SLOW") ? 0 : injective_count) &&
          scaled_other * 100 <= scaled_count * 2 && scaled_undecided * 100 <= scaled_count);
    CHECK(scaled_same * 100 >= (scaled_count - scaled_other) * 95);
    printf("on extents 1024 times as large: %d of %d keep the form of their answer or get a "
           "shorter one, %d undecided, %d another question\n",
           scaled_same, scaled_count - scaled_other, scaled_undecided, scaled_other);
    printf("%d maps, %d injective, %d with a symbolic inverse, %d tables, %d short\n", rows,
           injective_count, symbolic, tables, short_enough);
    return TEST_DONE();
}
