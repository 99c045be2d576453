/* test_prepare.c - a module in two parts: the part for what stays the same from run to run, then
   the other one, compute what the module computes, however often the second one runs; and every
   kernel that depends on weights alone is in the first part.

   usage  test_prepare [FIRST [COUNT]]     seeds */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "failing.h"
#include "test.h"
#include <stdarg.h>

enum { CELLS = 12, INPUTS = 3, OUTPUTS = 2, TEMPORARIES = 6, STATEMENTS = 12, SHARED = 16 };

/* A chain of nests over inputs a, b, c, temporaries t0 to t5 and outputs y, z. */
typedef struct chain {
    char text[4096], weights[16];
    int  is_weight[INPUTS];
    int  is_plain;  /* every temporary is written by one nest, which runs once */
    int  expected;  /* of such a chain: how many nests depend on weights alone */
    int  is_named;  /* the extent is the parameter n */
    int  is_fixed[TEMPORARIES], is_written[TEMPORARIES];
} chain;

static int prepared, all_kernels, named, refused;

static char *put(char *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    at += vsprintf(at, format, arguments);
    va_end(arguments);
    return at;
}

/* An input, or a temporary that was written; whether it is made of weights alone is added. */
static const char *source(const chain *c, int *is_fixed)
{
    static const char *const names[] = { "a", "b", "c", "t0", "t1", "t2", "t3", "t4", "t5" };
    for (;;) {
        const int k = test_random_below(INPUTS + TEMPORARIES);
        if (k < INPUTS) return *is_fixed &= c->is_weight[k], names[k];
        if (!c->is_written[k - INPUTS]) continue;
        *is_fixed &= c->is_fixed[k - INPUTS];
        return names[k];
    }
}

static char *statement(chain *c, char *at, const char *to, int form, const char *x, const char *y)
{
    const char *n = c->is_named ? "n" : "12";
    switch (form) {
    case 0: return put(at, "    for (i: %s) %s[i] = %s[i] * 3 + %s[%s - 1 - i];\n", n, to, x, y, n);
    case 1: return put(at, "    for (i: %s) %s[i] = sum(k: %s, %s[k] * %s[i]);\n", n, to, n, x, y);
    case 2: return put(at, "    for (i: 6) %s[i] = %s[i];\n", to, x);
    case 3: return put(at, "    for (i: %s) %s[i] = %s[i] + %s[i];\n", n, to, to, x);
    case 4: return put(at, "    if (on > 0) { for (i: %s) %s[i] = %s[i] - 1; }\n", n, to, x);
    case 5: return put(at, "    for (i: %s) %s[i] = %s[i] * on;\n", n, to, x);
    default:
        return put(at, "    for (r: 3) for bind(global.x) (i: %s) %s[i] = %s[i] * 2 + %s[i];\n", n,
                   to, to, x);
    }
}

static void draw(chain *c)
{
    char *at = c->text;
    int   k;
    memset(c, 0, sizeof *c);
    c->is_plain = test_random_below(2);
    c->is_named = test_random_below(3) == 0;
    for (k = 0; k < INPUTS; k++) c->is_weight[k] = test_random_below(2);
    sprintf(c->weights, "%s%s%s", c->is_weight[0] ? "a," : "", c->is_weight[1] ? " b ," : "",
            c->is_weight[2] ? " c" : "");
    at = put(at, "func f(%son: i32", c->is_named ? "n: index, " : "");
    for (k = 0; k < INPUTS + OUTPUTS; k++)
        at = put(at, ", %c: i32[%s]", "abcyz"[k], c->is_named ? "n" : "12");
    at = put(at, ") {\n");
    for (k = 0; k < TEMPORARIES; k++)
        at = put(at, "    alloc t%d: i32[%s];\n", k, c->is_named ? "n" : "12");
    for (k = 0; k < STATEMENTS; k++) {
        const int   j = c->is_plain ? k : test_random_below(TEMPORARIES);
        char        to[8];
        int         is_fixed = !c->is_named || c->is_weight[0] || c->is_weight[1] ||
                               c->is_weight[2]; /* else nothing says what n is */
        const int   form = c->is_plain || !c->is_written[j] ? test_random_below(2)
                                                            : test_random_below(7);
        const char *x, *y;
        if (c->is_plain && k >= TEMPORARIES) break;
        x = source(c, &is_fixed);
        y = source(c, &is_fixed);
        sprintf(to, "t%d", j);
        at = statement(c, at, to, form, x, y);
        c->is_written[j] = 1;
        c->is_fixed[j] = is_fixed;
        c->expected += is_fixed;
    }
    for (k = 0; k < OUTPUTS; k++) {
        int         is_fixed = 1;
        const char *x = source(c, &is_fixed), *y = source(c, &is_fixed);
        at = statement(c, at, k ? "z" : "y", 0, x, y);
    }
    put(at, "}\n");
}

/* ------------------------------------------------------------------ running it */

typedef struct numbers {
    int64_t n;
    int32_t on, cell[INPUTS + OUTPUTS][CELLS], shared[SHARED][CELLS];
    char    names[SHARED][16]; /* of memory that one part makes for the other */
} numbers;

/* The argument for a parameter of that name. */
static void *argument(numbers *d, const char *name)
{
    const char *at = name[1] ? NULL : strchr("abcyz", name[0]);
    int         k;
    if (strcmp(name, "n") == 0) return &d->n;
    if (strcmp(name, "on") == 0) return &d->on;
    if (at) return d->cell[at - "abcyz"];
    for (k = 0; k < SHARED - 1 && d->names[k][0] && strcmp(d->names[k], name) != 0; k++) {}
    strcpy(d->names[k], name);
    return d->shared[k];
}

static int run(const irl_module *m, numbers *d)
{
    const irl_func *host = irl_module_host(m);
    irl_arguments   arguments;
    int             k;
    memset(&arguments, 0, sizeof arguments);
    for (k = 0; k < irl_func_param_count(host); k++)
        arguments.data[arguments.count++] = argument(d, irl_func_param_name(host, k));
    return irl_module_interpret(m, arguments);
}

static void fill(numbers *d)
{
    int k, i;
    memset(d, 0, sizeof *d);
    d->n = CELLS;
    d->on = (int32_t)test_random_below(2);
    for (k = 0; k < INPUTS + OUTPUTS; k++)
        for (i = 0; i < CELLS; i++) d->cell[k][i] = (int32_t)test_random_below(9) - 4;
    memset(d->shared, 0x5a, sizeof d->shared);
}

/* The parts print and parse, and together compute what the module does, the second one twice: with
   other values for what is no weight. */
static int same(const chain *c, const irl_module *m, const irl_prepared *parts)
{
    numbers before, whole, cut;
    int     k, i, turn;
    fill(&before);
    cut = before;
    if (parts->prepare && !run(parts->prepare, &cut)) return 0;
    for (turn = 0; turn < 2; turn++) {
        whole = before;
        for (k = 0; k < INPUTS; k++)
            for (i = 0; i < CELLS && turn && !c->is_weight[k]; i++) whole.cell[k][i] += 7;
        whole.on = turn;
        cut.on = turn;
        for (k = 0; k < INPUTS; k++) memcpy(cut.cell[k], whole.cell[k], sizeof cut.cell[k]);
        if (!run(m, &whole) || !run(parts->run, &cut) ||
            memcmp(whole.cell, cut.cell, sizeof whole.cell) != 0)
            return 0;
    }
    return 1;
}

static int reads_back(irl_ctx *cx, const irl_module *m)
{
    const irl_module *again;
    if (!m) return 1;
    again = irl_module_parse(cx, irl_module_text(m), IRL_TO_NUL, NULL);
    return again && irl_module_equal(again, m) && irl_module_check(m, NULL);
}

static void check_seed(unsigned long seed)
{
    static const char *const targets[] = { "opencl12", "opencl12-gpu", "c99", "c-gnu-avx2" };
    chain             c;
    irl_ctx          *cx = irl_ctx_create(NULL);
    irl_lower_options how;
    irl_module       *m;
    irl_prepared      parts;
    int               k;
    memset(&how, 0, sizeof how);
    test_seed = seed * 2654435761ul & 0x7ffffffful;
    draw(&c);
    for (k = 0; c.is_plain && strcmp(irl_pass_name(k), "in_place") != 0; k++) {}
    if (c.is_plain) how.disable = (uint64_t)1 << k;
    how.schedule = c.is_plain ? IRL_SCHEDULE_NONE : IRL_SCHEDULE_AUTO;
    m = irl_func_lower_with(irl_func_parse(cx, c.text, IRL_TO_NUL, NULL),
                            irl_target_find(targets[seed % 4]), &how);
    parts = irl_module_prepare(m, c.weights);
    if (!CHECK(parts.run && same(&c, m, &parts)) || !CHECK(reads_back(cx, parts.prepare)) ||
        !CHECK(reads_back(cx, parts.run)) ||
        (c.is_plain && !CHECK((parts.prepare ? irl_module_kernel_count(parts.prepare) : 0) ==
                              c.expected)))
        printf("seed %lu, weights %s: %s\n%s", seed, c.weights,
               irl_diag_text(cx), c.text);
    prepared += parts.prepare != NULL;
    named += parts.prepare && c.is_named;
    all_kernels += m ? irl_module_kernel_count(m) : 0;
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ by hand */

#define PRODUCT \
    "func mm(x: f32[64, 96], w: f32[80, 96], y: f32[64, 80]) {" \
    " for (i: 64, j: 80) y[i, j] = sum(k: 96, x[i, k] * w[j, k]); }"

static void a_product(void)
{
    static float x[64 * 96], w[80 * 96], packed[80 * 96], y[2][64 * 80];
    irl_ctx     *cx = irl_ctx_create(NULL);
    irl_module  *m = irl_func_lower(irl_func_parse(cx, PRODUCT, IRL_TO_NUL, NULL),
                                    &irl_target_opencl12);
    irl_prepared parts = irl_module_prepare(m, "w");
    int          k;
    for (k = 0; k < 64 * 96; k++) x[k] = (float)(k % 7 - 3);
    for (k = 0; k < 80 * 96; k++) w[k] = (float)(k % 5 - 2);
    CHECK(parts.prepare && strstr(irl_module_text(parts.prepare),
                                  "host func mm_prepare(w: f32[80, 96], w_global: f32[7680])"));
    CHECK(parts.run && strstr(irl_module_text(parts.run), "host func mm(x: f32[64, 96], y: f32[64, "
                                                          "80], w_global: f32[7680])"));
    CHECK(irl_module_interpret(m, IRL_ARGS(x, w, y[0])) &&
          irl_module_interpret(parts.prepare, IRL_ARGS(w, packed)) &&
          irl_module_interpret(parts.run, IRL_ARGS(x, y[1], packed)) &&
          memcmp(y[0], y[1], sizeof y[0]) == 0);
    parts = irl_module_prepare(m, "");
    CHECK(!parts.prepare && irl_module_equal(parts.run, m));
    parts = irl_module_prepare(NULL, "w");
    CHECK(!parts.prepare && !parts.run);
    irl_ctx_destroy(cx);
}

/* A graph, where the second node's weight is scaled by the first. */
static void a_graph(void)
{
    irl_ctx   *cx = irl_ctx_create(NULL);
    irl_graph *g = irl_graph_parse(
        cx, "graph net { func scale(x: i32[n], y: i32[n]) { for (i: n) y[i] = x[i] * 3; }"
            " func dot(x: i32[n], w: i32[n], y: i32[n]) { for (i: n) y[i] = x[i] * w[i]; }"
            " input x: i32[8]; input w: i32[8]; v = scale(w); u = scale(x); y = dot(u, v);"
            " output y; }", IRL_TO_NUL, NULL);
    irl_prepared parts = irl_module_prepare(irl_graph_lower(g, &irl_target_opencl12), "w");
    int32_t      x[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, w[8] = { 1, -1, 2, -2, 3, -3, 4, -4 }, v[8],
            y[8];
    CHECK(parts.prepare && irl_module_kernel_count(parts.prepare) == 1 &&
          irl_module_kernel_count(parts.run) == 2);
    CHECK(irl_module_interpret(parts.prepare, IRL_ARGS(w, v)) &&
          irl_module_interpret(parts.run, IRL_ARGS(x, y, v)) && y[3] == 4 * 3 * -2 * 3);
    irl_ctx_destroy(cx);
}

/* What stands around a launch, and what is handed no memory: checks of the weights' sizes are in
   both parts, an attribute changes nothing, and a launch without memory stays where it is. */
static void around_launches(void)
{
    static const struct {
        const char *before, *part; /* of the host; of the first part's text, NULL: there is none */
    } rows[] = {
        { "assume(n % 4 == 0);", "assume(n % 4 == 0)" },
        { "assert(n < 9, \"n is {}\", n);", "assert(n < 9" },
        { "assert(m < 9, \"m is {}\", n);", NULL },
        { "assert(n < 9, \"m is {}\", m);", NULL },
        { "launch beep(m);", "launch g(w, " },
    };
    size_t k;
    for (k = 0; k < 2 * sizeof rows / sizeof *rows; k++) {
        irl_ctx     *cx = irl_ctx_create(NULL);
        const char  *pack = k % 2 ? "attr(mark = \"x\") { launch g(w, t, n); }"
                                  : "launch g(w, t, n);";
        const char  *part = rows[k / 2].part;
        int64_t      n = 8, of = 5;
        int32_t      w[8] = { 3, 1, 4, 1, 5, 9, 2, 6 }, t[8], y[8];
        char         text[1024];
        irl_module  *m;
        irl_prepared parts;
        sprintf(text, "module f target(opencl12) { host func f(n: index, m: index, w: i32[n], y: "
                      "i32[n]) { alloc t: i32[n]; %s %s launch g(t, y, n); }"
                      " kernel func g(a: i32[n], b: i32[n], n: index) {"
                      " for bind(global.x) (i: n) b[i] = a[i] + 1; }"
                      " kernel func beep(m: index) { for bind(global.x) (i: m) {} } }",
                rows[k / 2].before, pack);
        m = irl_module_parse(cx, text, IRL_TO_NUL, NULL);
        parts = irl_module_prepare(m, "w");
        if (!CHECK(parts.run && !parts.prepare == !part) ||
            !CHECK(!part || (strstr(irl_module_text(parts.prepare), part) &&
                             irl_module_interpret(parts.prepare, IRL_ARGS(&n, w, t)) &&
                             irl_module_interpret(parts.run, IRL_ARGS(&n, &of, w, y, t)) &&
                             y[5] == 11)) ||
            !CHECK(reads_back(cx, parts.prepare) && reads_back(cx, parts.run)))
            printf("%s\n%s\n", text, irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
}

static void bad_input(void)
{
    static const struct {
        const char *weights, *said;
        irl_code    code;
    } rows[] = {
        { "y", "'y' is written, so it does not stay the same", IRL_ERROR_BAD_ARGUMENT },
        { "x, v", "'v' is neither a parameter nor an allocation", IRL_ERROR_UNKNOWN_NAME },
        { "w_global", "'w_global' is a temporary of 'mm'", IRL_ERROR_BAD_ARGUMENT },
    };
    size_t k;
    for (k = 0; k < sizeof rows / sizeof *rows; k++) {
        irl_ctx     *cx = irl_ctx_create(NULL);
        irl_prepared parts = irl_module_prepare(
            irl_func_lower(irl_func_parse(cx, PRODUCT, IRL_TO_NUL, NULL), &irl_target_opencl12),
            rows[k].weights);
        CHECK(!parts.prepare && !parts.run && strstr(irl_diag_of(cx)->message, rows[k].said));
        CHECK_CODE(cx, rows[k].code);
        refused++;
        irl_ctx_destroy(cx);
    }
}

static int ask(irl_ctx *cx, int which)
{
    irl_func    *f = irl_func_parse(cx, PRODUCT, IRL_TO_NUL, NULL);
    irl_prepared parts = irl_module_prepare(irl_func_lower(f, &irl_target_opencl12), "w");
    (void)which;
    return parts.prepare && parts.run;
}

int main(int argc, char **argv)
{
    const unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    const int      count = argc > 2 ? atoi(argv[2]) : TEST_COUNT(400);
    int            k;
    test_seeds(first, count);
    for (k = 0; k < count; k++) check_seed(first + (unsigned long)k);
    printf("%d of %d modules have a part to prepare, %d of them with names, of %d kernels\n",
           prepared, count, named, all_kernels);
    CHECK(prepared * 3 > count && named * 20 > count);
    a_product();
    a_graph();
    around_launches();
    bad_input();
    failing_each(ask, 0, 0);
    failing_each(ask, 0, 1);
    return TEST_DONE();
}
