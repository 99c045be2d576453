/* plan.c - how long planning tensors in one memory takes, how that grows with their number, how
   much more than the most alive at once the plans need.

   needs     nothing but the library
   promises  exit status 1 if a gate is missed; bench/README.md says what the figures mean

   Networks are drawn as a chain of nodes, each of which makes a tensor that the next few nodes use;
   some live much longer (skips). Sizes are of feature maps. */
#define _POSIX_C_SOURCE 199309L
#define IRLAYOUT_IMPLEMENTATION
#include "../irlayout.h"
#include "bench.h"

enum { MOST = 10000, GRAPHS = 10000 };

static irl_plan_item items[MOST];
static uint64_t      state = 1;

static int below(int n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)n);
}

typedef enum kind { NETWORK, RANDOM, LONG, KINDS } kind;
static const char *const kind_words[] = { "networks", "random lives of up to 8 steps",
                                          "random lives of up to all steps" };

static void draw(int n, kind what)
{
    int k;
    for (k = 0; k < n; k++) {
        irl_plan_item *one = &items[k];
        const int      side = 7 << below(5), channels = 8 << below(7);
        one->align = 128;
        one->size = what == NETWORK ? (int64_t)side * side * channels * 4 : 1 + below(100000);
        one->first = what == NETWORK ? k : below(n);
        if (what != NETWORK) one->last = one->first + below(what == RANDOM ? 8 : n);
        else one->last = k + 1 + (below(5) ? 0 : below(10) ? below(4) : below(n / 4 + 1));
    }
}

/* Seconds of one plan, the least of some; its gap. */
static double seconds(int n, double *gap)
{
    double least = 0;
    int    run;
    for (run = 0; run < (n < 1000 ? 200 : 10); run++) {
        irl_ctx                *cx = irl_ctx_create(NULL);
        const irl_plan_offsets *o;
        double                  start = bench_now();
        o = irl_plan_arena(cx, n, items, 0);
        bench_least(&least, bench_now() - start);
        if (!o) exit(1);
        *gap = o->lower_bound ? (double)o->bytes / (double)o->lower_bound : 1;
        irl_ctx_destroy(cx);
    }
    return least;
}

static void times(kind what)
{
    static const int sizes[] = { 10, 100, 1000, 10000 };
    double           each[4], gap = 0, again;
    int              k;
    printf("%s:\n", kind_words[what]);
    for (k = 0; k < 4; k++) {
        draw(sizes[k], what);
        each[k] = seconds(sizes[k], &gap) / sizes[k];
        again = seconds(sizes[k], &gap) / sizes[k];
        printf("  %6d tensors: %9.1f us, %6.2f us each, gap %.3f, A/A %.2f\n", sizes[k],
               1e6 * each[k] * sizes[k], 1e6 * each[k], gap, again / each[k]);
    }
    bench_gate("10,000 tensors", each[3] * MOST < 50e-3, 1e3 * each[3] * MOST, "ms", "below 50",
               what == LONG);
    bench_gate("a tensor of 10,000 beside one of 100", each[3] < 2 * each[1], each[3] / each[1], "",
               "at most 2", what == LONG);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void gaps(kind what, int graphs)
{
    static double gap[GRAPHS];
    int           k, least = 0;
    for (k = 0; k < graphs; k++) {
        irl_ctx                *cx = irl_ctx_create(NULL);
        const int               n = 1 + below(200);
        const irl_plan_offsets *o;
        draw(n, what);
        o = irl_plan_arena(cx, n, items, 0);
        if (!o) exit(1);
        gap[k] = (double)o->bytes / (double)o->lower_bound;
        least += o->is_least;
        irl_ctx_destroy(cx);
    }
    qsort(gap, (size_t)graphs, sizeof *gap, by_value);
    printf("%s, %d of up to 200 tensors: gap median %.4f, of 99 in 100 below %.4f, worst %.4f; %d "
           "proved to be the least\n",
           kind_words[what], graphs, gap[graphs / 2], gap[graphs - 1 - graphs / 100],
           gap[graphs - 1], least);
    bench_gate("median gap", gap[graphs / 2] <= 1.10, gap[graphs / 2], "", "at most 1.10", 0);
}

/* ------------------------------------------------------------------ in place */

typedef enum chain { CHAIN, KEPT, CHAINS } chain;
static const char *const chain_words[] = { "each read by the next launch alone",
                                           "and all once more, in order" };

/* A module whose host has n temporaries, each made of the one before. */
static irl_module *chain_of(irl_ctx *cx, int n, chain what)
{
    const size_t room = (size_t)n * 96 + 1024;
    char        *text = (char *)malloc(room);
    size_t       at;
    irl_module  *m;
    int          k;
    if (!text) exit(1);
    at = (size_t)sprintf(text, "module f target(opencl12) { host func f(x: f32[64], y: f32[64]) {");
    at += (size_t)sprintf(text + at, " alloc t0: f32[64]; launch g(x, t0);");
    for (k = 1; k < n; k++)
        at += (size_t)sprintf(text + at, " alloc t%d: f32[64]; launch g(t%d, t%d);", k, k - 1, k);
    for (k = 0; k < n && what == KEPT; k++)
        at += (size_t)sprintf(text + at, " launch g(t%d, y);", k);
    sprintf(text + at, " launch g(t%d, y); } kernel func g(a: f32[64], b: f32[64]) { for "
                       "bind(global.x) (i: 64) b[i] = a[i] * 2.0f; } }", n - 1);
    m = irl_module_parse(cx, text, IRL_TO_NUL, NULL);
    free(text);
    if (m) return m;
    fprintf(stderr, "%s", irl_diag_text(cx));
    exit(1);
}

/* Seconds of the pass, the least of some. */
static double in_place_seconds(int n, chain what)
{
    double least = 0;
    int    run;
    for (run = 0; run < (n < 1000 ? 100 : 3); run++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        irl_module *m = chain_of(cx, n, what);
        double      start = bench_now();
        if (!irl_module_run_pass(m, "in_place")) exit(1);
        bench_least(&least, bench_now() - start);
        irl_ctx_destroy(cx);
    }
    return least;
}

static void in_place_times(chain what)
{
    const double small = in_place_seconds(100, what) / 100;
    const double large = in_place_seconds(MOST, what) / MOST;
    printf("in place, %s: %.2f us for each of 100 temporaries, %.2f of %d\n", chain_words[what],
           1e6 * small, 1e6 * large, MOST);
    bench_gate("in place, a temporary of 10,000 beside one of 100", large < 2 * small,
               large / small, "", "at most 2", what == KEPT); /* of instructions it is 1.17 */
}

int main(int argc, char **argv)
{
    const int graphs = argc > 1 ? atoi(argv[1]) : GRAPHS;
    int       what;
    bench_clock = CLOCK_PROCESS_CPUTIME_ID;
    for (what = 0; what < KINDS; what++) times((kind)what);
    for (what = 0; what < CHAINS; what++) in_place_times((chain)what);
    for (what = 0; what < KINDS; what++)
        gaps((kind)what, graphs < 1 || graphs > GRAPHS ? GRAPHS : graphs);
    return bench_done();
}
