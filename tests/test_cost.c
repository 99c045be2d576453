/* test_cost.c - what accesses cost: cells, lines and bytes against counting one by one, on random
   nests; known cases; what cannot be counted. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/analysis/analysis.h"
#endif
#include "failing.h"
#include "generate_counts.h"
#include "generate_named_counts.h"
#include "random_nests.h"
#include "test.h"

/* How it came out, and how many were counted without taking a variable value by value. */
static int exact, at_most, unknown, by_structure, by_bits, by_values;

static void tally(const irl__cost *c)
{
    if (c->iterations_are == IRL_COUNT_UNKNOWN || c->cells_are == IRL_COUNT_UNKNOWN) unknown++;
    else if (c->iterations_are == IRL_COUNT_AT_MOST || c->cells_are == IRL_COUNT_AT_MOST) at_most++;
    else {
        exact++;
        if (c->one_by_one) by_values++;
        else if (c->used_bits) by_bits++;
        else by_structure++;
    }
}

static void print_tally(const char *what)
{
    printf("%s: %d exact (%d by structure alone, %d with a bitset, %d where a variable was taken "
           "value by value), %d at most, %d unknown\n",
           what, exact, by_structure, by_bits, by_values, at_most, unknown);
    exact = at_most = unknown = by_structure = by_bits = by_values = 0;
}

/* Does what is said agree with a count one by one? */
static int agrees(irl_exactness said, int64_t value, int64_t counted)
{
    return said == IRL_COUNT_UNKNOWN || (said == IRL_COUNT_EXACT ? value == counted
                                                                 : value >= counted);
}

/* ------------------------------------------------------------------ windows, strides, vectors */

static const irl_expr *loop_named(const irl__accesses *t, int k)
{
    return t->loops[k]->var;
}

static void one_window(const gc_case *c, int number, gc_count *counted)
{
    irl_ctx           *cx = irl_ctx_create(NULL);
    irl_func          *f = irl_func_parse(cx, c->text, IRL_TO_NUL, NULL);
    irl__accesses      t;
    irl__cost_question q;
    irl__cost          cost;
    irl_value          values[GC_LOOPS];
    uint8_t            runs[GC_LOOPS];
    int                rows[GC_ACCESSES], k, n = 0, together;
    memset(&q, 0, sizeof q);
    if (CHECK_OK(cx) && CHECK(irl__accesses_of(&t, f, NULL))) {
        for (k = 0; k < t.count && n < c->accesses; k++)
            if (t.list[k].kind == IRL__ACCESS_READ) rows[n++] = k;
        for (k = 0; k < c->loops; k++) {
            runs[k] = (uint8_t)c->runs[k];
            values[q.value_count].var = loop_named(&t, k);
            values[q.value_count].value = c->value[k];
            q.value_count += !c->runs[k] && c->is_given[k];
        }
        q.rows = rows;
        q.runs = runs;
        q.values = values;
        q.line = c->line;
        for (together = 1; together <= c->accesses; together += 3) {
            q.count = together == 1 ? 1 : c->accesses;
            gc_count_all(c, q.count, counted);
            if (!CHECK(irl__cost_of(&t, &q, &cost))) break;
            tally(&cost);
            if (!CHECK(agrees(cost.iterations_are, cost.iterations, counted->iterations) &&
                       agrees(cost.cells_are, cost.cells, counted->cells) &&
                       agrees(cost.lines_are, cost.lines, counted->lines)))
                printf("case %d, line %d, %d accesses: counted %ld, %ld, %ld, said %ld, %ld, "
                       "%ld\n%s\n",
                       number, c->line, q.count, (long)counted->iterations, (long)counted->cells,
                       (long)counted->lines, (long)cost.iterations, (long)cost.cells,
                       (long)cost.lines, c->text);
            CHECK(cost.bytes == cost.cells * gc_types[c->type].bytes);
        }
    }
    irl_ctx_destroy(cx);
}

static void windows(int count)
{
    static gc_case  c;
    static gc_count counted;
    int             k;
    for (k = 0; k < count; k++) {
        gc_make(&c);
        one_window(&c, k, &counted);
    }
    print_tally("windows");
}

/* ------------------------------------------------------------------ guards, choices, names */

static const int64_t tried[NEST_TRIES][NEST_PARAMS] = {
    { 3, 2 }, { 1, 4 }, { 0, 3 }, { 4, -1 }, { 5, 5 }
};

static int64_t nest_address(const nest *n, const nest_iteration *x)
{
    return n->rank == 1 ? x->cell[0]
                        : (int64_t)((uint64_t)x->cell[0] * 1000 + (uint64_t)x->cell[1]);
}

/* Different addresses and lines of one store's iterations, or of both. */
static void nest_count(const nest *n, const nest_iterations *all, int first, int end,
                       int64_t *cells, int64_t *lines)
{
    static int64_t cell[2 * NEST_MOST], line[2 * NEST_MOST];
    int            which, k, j, c = 0, l = 0;
    for (which = first; which < end; which++)
        for (k = 0; k < all->of[which].count; k++) {
            int64_t at = nest_address(n, &all->of[which].at[k]), on = at / 16 - (at % 16 < 0);
            for (j = 0; j < c && cell[j] != at; j++) {}
            if (j == c) cell[c++] = at;
            for (j = 0; j < l && line[j] != on; j++) {}
            if (j == l) line[l++] = on;
        }
    *cells = c;
    *lines = l;
}

static void one_nest(const nest *n, const nest_iterations *all, int number)
{
    static char        text[NEST_TEXT];
    irl_ctx           *cx = irl_ctx_create(NULL);
    irl_func          *f;
    irl__accesses      t;
    irl__cost_question q;
    irl__cost          cost;
    irl_value          values[NEST_PARAMS];
    int                rows[2] = { 0, 1 }, k, way, j;
    nest_text(n, text);
    f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    if (!f && irl_diag_of(cx)->code == IRL_ERROR_OVERFLOW) { /* refused as it is read */
        irl_ctx_destroy(cx);
        return;
    }
    memset(&q, 0, sizeof q);
    memset(values, 0, sizeof values);
    if (CHECK_OK(cx) && CHECK(irl__accesses_of(&t, f, NULL)) && CHECK(t.count == 2)) {
        q.value_count = NEST_PARAMS;
        q.values = values;
        q.line = 64;
        for (k = 0; k < NEST_TRIES; k++)
            for (way = 0; way < 3; way++) {
                const int first = way == 1, end = way == 0 ? 1 : 2;
                int64_t   cells, lines;
                for (j = 0; j < NEST_PARAMS; j++) {
                    values[j].var = f->params[j].var;
                    values[j].value = tried[k][j];
                }
                q.rows = rows + first;
                q.count = end - first;
                nest_count(n, &all[k], first, end, &cells, &lines);
                if (!CHECK(irl__cost_of(&t, &q, &cost))) break;
                tally(&cost);
                if (!CHECK(agrees(cost.iterations_are, cost.iterations, all[k].of[first].count) &&
                           agrees(cost.cells_are, cost.cells, cells) &&
                           agrees(cost.lines_are, cost.lines, lines)))
                    printf("case %d, way %d, n = %d, m = %d: counted %d, %ld, %ld, said %ld, %ld, "
                           "%ld\n%s\n",
                           number, way, (int)tried[k][0], (int)tried[k][1],
                           all[k].of[first].count, (long)cells, (long)lines, (long)cost.iterations,
                           (long)cost.cells, (long)cost.lines, text);
            }
    }
    irl_ctx_destroy(cx);
}

static void nests(int count)
{
    static nest            n;
    static nest_iterations all[NEST_TRIES];
    int                    k;
    for (k = 0; k < count; k++) {
        do nest_make(&n);
        while (!nest_iterate(&n, all));
        one_nest(&n, all, k);
    }
    print_tally("nests with names");
}

/* ------------------------------------------------------------------ formulas in names */

static int formulas[2][3]; /* of iterations, of cells: unknown, exact, at most */

/* Does a formula agree with a count, where the names have these values? */
static int formula_agrees(irl_ctx *cx, const irl_func *f, const irl_count *c, const int64_t *at,
                          int64_t counted)
{
    const irl_expr *var[2], *value[2], *e;
    int             k;
    if (!c->formula) return c->exactness == IRL_COUNT_UNKNOWN || agrees(c->exactness, c->value,
                                                                        counted);
    for (k = 0; k < 2; k++) {
        var[k] = irl_func_param_scalar(f, k);
        value[k] = irl_expr_index(cx, at[k]);
    }
    e = irl__simplify_alone(cx, irl__substitute(cx, c->formula, 2, var, value));
    return e && e->op == IRL_OP_INT && agrees(c->formula_is, e->u.i, counted);
}

static int tallied(const irl_count *c)
{
    return c->formula ? c->formula_is : c->exactness;
}

static void one_formula(const gn_case *c)
{
    static gn_count counted;
    irl_ctx        *cx = irl_ctx_create(NULL);
    irl_func       *f = irl_func_parse(cx, c->text, IRL_TO_NUL, NULL);
    const irl_cost *cost = irl_func_cost(f, 0, NULL);
    int             k;
    if (!CHECK(cost != NULL)) printf("%s\n%s\n", irl_diag_text(cx), c->text);
    for (k = 0; cost && k < 8; k++) {
        int64_t at[2];
        at[0] = random_below(9) - 2;
        at[1] = random_below(9) - 2;
        if (!gn_count_at(c, at[0], at[1], &counted)) continue;
        if (!CHECK(formula_agrees(cx, f, &cost->iterations, at, counted.iterations) &&
                   formula_agrees(cx, f, &cost->cells, at, counted.cells)))
            printf("n = %d, m = %d: counted %d, %d; said %s, %s\n%s\n", (int)at[0], (int)at[1],
                   (int)counted.iterations, (int)counted.cells,
                   cost->iterations.formula ? irl_expr_text(cx, cost->iterations.formula) : "?",
                   cost->cells.formula ? irl_expr_text(cx, cost->cells.formula) : "?", c->text);
    }
    formulas[0][cost ? tallied(&cost->iterations) : 0]++;
    formulas[1][cost ? tallied(&cost->cells) : 0]++;
    irl_ctx_destroy(cx);
}

static void named(int count)
{
    static gn_case c;
    while (count-- > 0) {
        gn_make(&c);
        one_formula(&c);
    }
    printf("formulas: iterations %d exact, %d at most, %d unknown; cells %d, %d, %d\n",
           formulas[0][1], formulas[0][2], formulas[0][0], formulas[1][1], formulas[1][2],
           formulas[1][0]);
}

static const struct formula {
    const char *text, *iterations, *cells;
    int         cells_are;
} written[] = {
    { "func f(n: index, y: f32[n, 8]) { for (i: n, j: 8) y[i, j] = 1.0; }", "n * 8", "n * 8",
      IRL_COUNT_EXACT },
    /* a window, of a function that says that it is not empty */
    { "func f(n: index, y: f32[n]) { assume(n >= 3); for (i: n - 2) for (k: 3) y[i + k] = 1.0; }",
      "3 * (n - 2)", "n", IRL_COUNT_EXACT },
    { "func f(n: index, y: f32[n, n]) { for (i: n) for (j: i) y[i, j] = 1.0; }",
      "(n - 1) * n / 2", "(n - 1) * n / 2", IRL_COUNT_EXACT },
    { "func f(n: index, y: f32[n, 4]) { for (i: n * 4) y[i / 4, i % 4] = 1.0; }", "n * 4", "n * 4",
      IRL_COUNT_EXACT },
    /* a condition that is not known, and cells that are the same where two loops cross */
    { "func f(n: index, y: f32[99]) { for (i: n) if (i * i > 5) y[i] = 1.0; }", NULL, NULL,
      IRL_COUNT_AT_MOST },
};

static int is_text(irl_ctx *cx, const irl_count *c, const char *text)
{
    return !text || (c->formula && strcmp(irl_expr_text(cx, c->formula), text) == 0);
}

static void one_written(const struct formula *w)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_cost *c = irl_func_cost(irl_func_parse(cx, w->text, IRL_TO_NUL, NULL), 0, NULL);
    if (!CHECK(c && is_text(cx, &c->iterations, w->iterations) &&
               is_text(cx, &c->cells, w->cells) && tallied(&c->cells) == w->cells_are) &&
        c && c->iterations.formula && c->cells.formula)
        printf("%s, %s\n%s\n", irl_expr_text(cx, c->iterations.formula),
               irl_expr_text(cx, c->cells.formula), w->text);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ known cases */

static const struct known {
    const char   *text;
    int           access, line;
    irl_exactness are;
    int64_t       iterations, cells, lines;
} cases[] = {
    /* the input of a convolution, whatever the length of its loops */
    { "func f(x: f32[1, 58, 58, 64], y: f32[1]) { for (h: 56, v: 56, o: 64, kh: 3, kw: 3, c: 64) "
      "y[0] = x[0, h + kh, v + kw, c]; }",
      0, 64, IRL_COUNT_EXACT, INT64_C(115605504), 215296, 13456 },
    { "func f(x: u8[1000000, 1000000], y: u8[1]) { for (i: 1000000, j: 500000) y[0] = x[i, 2 * j]; "
      "}",
      0, 64, IRL_COUNT_EXACT, INT64_C(500000000000), INT64_C(500000000000), INT64_C(15625000000) },
    /* a row of 100 bytes crosses lines in another place each time */
    { "func f(x: u8[16, 100], y: u8[1]) { for (i: 16, j: 10) y[0] = x[i, j]; }", 0, 64,
      IRL_COUNT_EXACT, 160, 160, 18 },
    /* tiles that do not divide; a packed layout */
    { "func f(x: f32[10], y: f32[1]) { for (io: 3, ii: 4) if (io * 4 + ii < 10) y[0] = x[io * 4 + "
      "ii]; }",
      0, 64, IRL_COUNT_EXACT, 10, 10, 1 },
    { "func f(x: f32[3, 8, 4], y: f32[1]) { for (h: 8, c: 10) y[0] = x[c / 4, h, c % 4]; }", 0, 16,
      IRL_COUNT_EXACT, 80, 80, 24 },
    /* nothing, one, and the same again */
    { "func f(x: f32[9], y: f32[1]) { for (i: 9) if (i > 9) y[0] = x[i]; }", 0, 64,
      IRL_COUNT_EXACT, 0, 0, 0 },
    { "func f(x: f32[9], y: f32[1]) { for (i: 9) y[0] = x[3]; }", 0, 64, IRL_COUNT_EXACT, 9, 1, 1 },
    { "func f(x: f32x4[9], y: f32x4[1]) { for (i: 9) y[0] = x[i]; }", 0, 8, IRL_COUNT_EXACT, 9, 9,
      18 },
    { "func f(x: f32[9, 9] strides(1, 0), y: f32[1]) { for (i: 9, j: 9) y[0] = x[i, j]; }", 0, 4,
      IRL_COUNT_EXACT, 81, 9, 9 },
    /* memory decides */
    { "func f(k: i32[9], x: f32[100], y: f32[1]) { for (i: 9) y[0] = x[index(k[i])]; }", 1, 64,
      IRL_COUNT_AT_MOST, 9, 9, 7 },
    { "func f(k: i32[9], x: f32[100], y: f32[1]) { for (i: 9) if (k[i] > 0) y[0] = x[i]; }", 1, 64,
      IRL_COUNT_AT_MOST, 9, 9, 1 },
    { "func f(n: index, x: f32[n], y: f32[1]) { for (i: n) y[0] = x[i]; }", 0, 64,
      IRL_COUNT_UNKNOWN, 0, 0, 0 },
    { "func f(x: f32[9], y: f32[1]) { for (i: 9) y[0] = x[i * i * 1]; }", 0, 4, IRL_COUNT_EXACT, 9,
      9, 9 },
    /* too many parts: no less than what there is */
    { "func f(x: f32[9], y: f32[1]) { for (i: 100000, j: i) y[0] = x[j - i + 100000]; }", 0, 64,
      IRL_COUNT_AT_MOST, INT64_C(9993402145), 199933, 12496 },
};

static void one_case(const struct known *k)
{
    irl_ctx         *cx = irl_ctx_create(NULL);
    irl_func        *f = irl_func_parse(cx, k->text, IRL_TO_NUL, NULL);
    irl_cost_options how;
    const irl_cost  *c;
    memset(&how, 0, sizeof how);
    how.line_bytes = k->line;
    c = irl_func_cost(f, k->access, &how);
    if (CHECK(c != NULL) &&
        !CHECK(c->cells.exactness == k->are && c->iterations.value == k->iterations &&
               c->cells.value == k->cells && c->lines.value == k->lines))
        printf("%d: %lld, %lld, %lld (%s)\n%s\n", c->cells.exactness,
               (long long)c->iterations.value, (long long)c->cells.value,
               (long long)c->lines.value, c->reason, k->text);
    CHECK(!c || c->cells.exactness == IRL_COUNT_EXACT || c->reason[0]);
    irl_ctx_destroy(cx);
}

/* Operators, lines of windows counted together, options that are none. */
static void options(void)
{
    irl_ctx         *cx = irl_ctx_create(NULL);
    irl_func        *f = irl_func_parse(
        cx,
        "func f(n: index, x: f32[n, 8], y: f32[n]) { for (i: n) for (j: 6) y[i] = exp(x[i, j] + "
        "x[i, j + 2] / 3.0); }",
        IRL_TO_NUL, NULL);
    irl_cost_options how;
    irl_value        n;
    const irl_cost  *c;
    int              loops[] = { 1 }, with[] = { 1 };
    memset(&how, 0, sizeof how);
    memset(&n, 0, sizeof n);
    n.var = irl_func_accesses(f)->loops[0].extent;
    n.value = 5;
    how.values = &n;
    how.value_count = 1;
    how.with = with;
    how.with_count = 1;
    c = irl_func_cost(f, 0, &how);
    CHECK(c && c->iterations.value == 30 && c->cells.value == 40 && c->bytes.value == 160);
    CHECK(c && c->floats.value == 30 && c->specials.value == 60 && c->integers.value == 30);
    how.loops = loops;
    how.loop_count = 1;
    c = irl_func_cost(f, 0, &how);
    CHECK(c && c->iterations.value == 6 && c->cells.value == 8 && c->lines.value == 1);
    with[0] = 2;
    CHECK(irl_func_cost(f, 0, &how) == NULL);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_destroy(cx);
}

/* A loop that stands still gets to its value in some iterations of the loop around it alone. */
static void still(void)
{
    irl_ctx         *cx = irl_ctx_create(NULL);
    irl_func        *f = irl_func_parse(
        cx, "func f(x: f32[8], y: f32[1]) { for (i: 8) for (j: 5 - i .. + 3) y[0] = x[i]; }",
        IRL_TO_NUL, NULL);
    irl_cost_options how;
    irl_value        j;
    const irl_cost  *c;
    int              loops[] = { 0 };
    memset(&how, 0, sizeof how);
    memset(&j, 0, sizeof j);
    j.var = irl_func_accesses(f)->loops[1].var;
    j.value = 4;
    how.values = &j;
    how.value_count = 1;
    how.loops = loops;
    how.loop_count = 1;
    c = irl_func_cost(f, 0, &how);
    CHECK(c && c->iterations.value == 3 && c->cells.value == 3 &&
          c->cells.exactness == IRL_COUNT_EXACT);
    irl_ctx_destroy(cx);
}

/* What counts as an operator: arithmetic and functions do, choices, casts and loads do not. */
static void operators(void)
{
    static const struct { const char *value; int64_t floats, integers, specials; } rows[] = {
        { "i > 2 ? x[i] : 0.0f", 0, 1, 0 },
        { "select(i > 2, x[i], 0.0f)", 0, 1, 0 },
        { "f32(i)", 0, 0, 0 },
        { "x[i] * 2.0f + 1.0f", 2, 0, 0 },
        { "fma(x[i], 2.0f, 1.0f)", 2, 0, 0 },
        { "max(x[i], 0.0f)", 1, 0, 0 },
        { "x[i] > 1.0f ? -x[i] : f32(f16(x[i]))", 2, 0, 0 },
        { "exp(x[i]) / 3.0f", 0, 0, 2 },
    };
    char text[200];
    int  k;
    for (k = 0; k < (int)(sizeof rows / sizeof *rows); k++) {
        irl_ctx        *cx = irl_ctx_create(NULL);
        const irl_func *f;
        const irl_cost *c;
        int             store = 0;
        sprintf(text, "func f(x: f32[100], y: f32[100]) { for (i: 100) y[i] = %s; }",
                rows[k].value);
        f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        if (!CHECK_OK(cx)) break;
        while (irl_func_accesses(f)->list[store].kind != IRL_ACCESS_WRITE) store++;
        c = irl_func_cost(f, store, NULL);
        CHECK_OK(cx);
        if (c && !CHECK(c->floats.value == 100 * rows[k].floats &&
                        c->integers.value == 100 * rows[k].integers &&
                        c->specials.value == 100 * rows[k].specials))
            printf("%s: %d, %d, %d\n", rows[k].value, (int)c->floats.value,
                   (int)c->integers.value, (int)c->specials.value);
        irl_ctx_destroy(cx);
    }
}

static int asks(irl_ctx *cx, int which)
{
    static const char text[] = "func f(x: f32[40, 40], y: f32[1]) { for (i: 20, j: 2 * i) if ((i + "
                               "j) % 3 != 0) y[0] = x[(i * 3 + j) / 5, j]; }";
    const irl_cost   *c = irl_func_cost(irl_func_parse(cx, text, IRL_TO_NUL, NULL), 0, NULL);
    if (which == 0) return c && CHECK(c->cells.value > 0);
    c = irl_func_cost(irl_func_parse(cx, written[which].text, IRL_TO_NUL, NULL), 0, NULL);
    return c && CHECK(c->cells.formula != NULL);
}

static void known_cases(void)
{
    int k;
    failing_each(asks, 0, 0);
    for (k = 1; k < 4; k++) failing_each(asks, k, 0);
    for (k = 0; k < (int)(sizeof written / sizeof *written); k++) one_written(&written[k]);
    for (k = 0; k < (int)(sizeof cases / sizeof *cases); k++) one_case(&cases[k]);
    options();
    still();
    operators();
}

int main(void)
{
    known_cases();
    windows(TEST_COUNT(1000));
    nests(TEST_COUNT(300));
    named(TEST_COUNT(600));
    TEST_DONE();
}
