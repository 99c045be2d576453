/* test_plan_run.c - modules whose temporaries share memory compute what the function computes with
   memory for each, in the interpreter: what loses its bytes becomes undefined. How much more memory
   than the most alive at once they take.

   usage  test_plan_run [FIRST [COUNT]]     seeds */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "generate_temporaries.h"
#include "failing.h"
#include "test.h"

enum { MOST = 20000 };

static double gaps[MOST];
static int    gap_count, shared, sharing, in_place;

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The plan as the interpreter makes it: with the values of the parameters. */
static void measure(irl_ctx *cx, const irl_module *m, int n)
{
    irl_value              value;
    irl_plan_options       how;
    const irl_module_plan *p;
    int                    k;
    memset(&how, 0, sizeof how);
    memset(&value, 0, sizeof value);
    value.var = irl_expr_var(cx, "n", irl_type_of(IRL_INDEX, 1));
    value.value = n;
    how.align = 8; /* of small memories an alignment of 128 is most of the gap */
    how.values = &value;
    how.value_count = 1;
    p = irl_plan_with(m, &how);
    for (k = 0; p && k < p->pool_count; k++) {
        const irl_plan_pool *pool = &p->pools[k];
        sharing += pool->bytes < pool->separate;
        CHECK(pool->bytes >= pool->lower_bound && pool->bytes <= pool->separate + 8 * p->count);
        if (pool->lower_bound && gap_count < MOST)
            gaps[gap_count++] = (double)pool->bytes / (double)pool->lower_bound;
    }
    shared += p && p->count > 1;
    in_place += strstr(irl_module_text(m), "attr(in_place") != NULL;
}

static void check_seed(unsigned long seed)
{
    static gt_case c;
    irl_ctx       *cx = irl_ctx_create(NULL);
    int32_t        x[GT_INPUT], expected[GT_OUTPUT], found[GT_OUTPUT];
    irl_func      *f;
    irl_module    *m;
    int64_t        n;
    gt_generate(&c, seed, 2 + (int)(seed % 23));
    gt_input(&c, x);
    n = c.n;
    memset(expected, 0, sizeof expected);
    memset(found, 0, sizeof found);
    f = irl_func_parse(cx, c.text, IRL_TO_NUL, "generated");
    m = f && irl_func_interpret(f, IRL_POINTERS(&n, x, expected))
            ? irl_func_lower(f, seed % 2 ? &irl_target_opencl12 : &irl_target_c99)
            : NULL;
    if (!CHECK(m && irl_module_interpret(m, IRL_POINTERS(&n, x, found)) &&
               memcmp(expected, found, sizeof found) == 0))
        printf("seed %lu: %s\n%s\n", seed, irl_diag_text(cx), test_failed < 3 ? c.text : "");
    if (m && irl_ok(cx)) measure(cx, m, c.n);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ by hand */

/* carried from turn to turn; allocated in each; its size a parameter */
static const char turns[] =
    "func turns(n: index, x: i32[48], y: i32[32]) {\n    alloc kept: i32[n];\n"
    "    alloc late: i32[n];\n    for bind(global.x) (i: n) kept[i] = x[i];\n"
    "    for (t: 3) {\n        alloc one: i32[n];\n        alloc two: i32[n];\n"
    "        for bind(global.x) (i: n) one[i] = kept[n - 1 - i] + 1;\n"
    "        for bind(global.x) (i: n) two[i] = one[n - 1 - i] * 2;\n"
    "        for bind(global.x) (i: n) kept[i] = two[n - 1 - i];\n    }\n"
    "    for bind(global.x) (i: n) late[i] = kept[n - 1 - i];\n"
    "    for bind(global.x) (i: 32) y[i] = late[i % n];\n}\n";

static int ask(irl_ctx *cx, int which)
{
    irl_func *f = irl_func_parse(cx, turns, IRL_TO_NUL, NULL);
    int32_t   x[GT_INPUT] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 }, y[GT_OUTPUT];
    int64_t   n = 9;
    (void)which;
    return irl_module_interpret(irl_func_lower(f, &irl_target_opencl12), IRL_POINTERS(&n, x, y)) &&
           y[0] == 22 && y[8] == 86;
}

/* Another call finds the context as large as the first one left it. */
static void keeps_nothing(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_func_parse(cx, turns, IRL_TO_NUL, NULL);
    irl_module *m = irl_func_lower(f, &irl_target_opencl12);
    int32_t     x[GT_INPUT] = { 0 }, y[GT_OUTPUT];
    int64_t     n = 9;
    irl_memory  before, after;
    CHECK(irl_module_interpret(m, IRL_POINTERS(&n, x, y)));
    before = irl_ctx_memory(cx);
    CHECK(irl_module_interpret(m, IRL_POINTERS(&n, x, y)));
    after = irl_ctx_memory(cx);
    CHECK(before.in_use == after.in_use);
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1, seed;
    int           n = argc > 2 ? atoi(argv[2]) : argc > 1 ? 1 : TEST_COUNT(600);
    test_seeds(first, n);
    for (seed = first; seed < first + (unsigned long)n; seed++) check_seed(seed);
    if (argc < 2) {
        failing_each(ask, 0, 0);
        failing_each(ask, 0, 1);
        keeps_nothing();
    }
    if (gap_count) {
        qsort(gaps, (size_t)gap_count, sizeof *gaps, by_value);
        printf("%d modules with temporaries, %d share, %d compute in place; gap to the lower "
               "bound: median %.4f, worst %.4f\n",
               shared, sharing, in_place, gaps[gap_count / 2], gaps[gap_count - 1]);
        CHECK(gaps[gap_count / 2] <= 1.10);
    }
    CHECK(n < 100 || (sharing > n / 3 && in_place > n / 20));
    return TEST_DONE();
}
