/* test_linear.c - are there integers in a system of rows? Random systems against a look at every
 * point. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/sets/linear.h"
#endif
#include "test.h"
#include "random64.h"

static irl_ctx *cx;
static int      empty, points, unknown;

enum { MOST = 6 };

static int between(int lo, int hi) { return lo + random_below(hi - lo + 1); }

/* Every variable is in a box; further rows are over some of them. */
typedef struct a_case {
    int     columns, rows;
    int64_t lo[MOST], hi[MOST], row[12][MOST + 1];
    int     is_equal[12];
} a_case;

static void make(a_case *c)
{
    int k, j, wide = between(1, 3) == 3 ? 30 : 5;
    c->columns = between(1, wide > 5 ? 4 : MOST);
    c->rows = between(1, 6);
    for (j = 0; j < c->columns; j++) {
        c->lo[j] = between(-4, 4);
        c->hi[j] = c->lo[j] + between(0, c->columns > 4 ? 4 : 8);
    }
    for (k = 0; k < c->rows; k++) {
        c->is_equal[k] = between(0, 2) == 0;
        for (j = 0; j < c->columns; j++) c->row[k][j] = between(0, 2) ? between(-wide, wide) : 0;
        c->row[k][c->columns] = between(-3 * wide, random_below(2) ? 3 * wide : 12 * wide);
    }
}

static int holds(const a_case *c, const int64_t *x)
{
    int k, j;
    for (k = 0; k < c->rows; k++) {
        int64_t sum = c->row[k][c->columns];
        for (j = 0; j < c->columns; j++) sum += c->row[k][j] * x[j];
        if (c->is_equal[k] ? sum != 0 : sum < 0) return 0;
    }
    return 1;
}

static int exists(const a_case *c)
{
    int64_t x[MOST];
    int     j;
    for (j = 0; j < c->columns; j++) x[j] = c->lo[j];
    for (;;) {
        if (holds(c, x)) return 1;
        for (j = 0; j < c->columns && ++x[j] > c->hi[j]; j++) x[j] = c->lo[j];
        if (j == c->columns) return 0;
    }
}

static void run(int number)
{
    a_case             c;
    irl__linear        l;
    irl__linear_answer answer;
    irl__arena_mark    mark = irl__scratch_begin(cx);
    int64_t            point[MOST], steps = 100000, *row;
    int                k, j, ok;
    make(&c);
    irl__linear_begin(&l, cx, c.columns);
    for (j = 0; j < c.columns; j++) {
        row = irl__linear_add(&l, 0);
        row[j] = 1;
        row[c.columns] = -c.lo[j];
        row = irl__linear_add(&l, 0);
        row[j] = -1;
        row[c.columns] = c.hi[j];
    }
    for (k = 0; k < c.rows; k++) {
        row = irl__linear_add(&l, c.is_equal[k]);
        memcpy(row, c.row[k], sizeof *row * ((size_t)c.columns + 1));
    }
    answer = irl__linear_solve(&l, &steps, point);
    if (answer == IRL__LINEAR_POINT) {
        points++;
        for (j = 0, ok = holds(&c, point); j < c.columns; j++)
            ok = ok && point[j] >= c.lo[j] && point[j] <= c.hi[j];
        CHECK(ok);
    } else if (answer == IRL__LINEAR_EMPTY) {
        empty++;
        if (!CHECK(!exists(&c))) printf("case %d\n", number);
    } else unknown++;
    irl__scratch_end(cx, mark);
}

int main(void)
{
    const int total = TEST_COUNT(3000);
    int       n;
    cx = irl_ctx_create(NULL);
    for (n = 0; n < total; n++) run(n);
    printf("%d empty, %d with a point, %d not known\n", empty, points, unknown);
    CHECK(unknown * 1000 <= total);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
