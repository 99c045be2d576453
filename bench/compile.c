/* compile.c - how long the compiler takes: each stage on functions of 1 to 10,000 statements, and
   small programs (these alone: `build/bench/compile programs`).

   needs     nothing but the library, as one translation unit: the stages are called one by one
   promises  exit status 1 if a gate is missed; bench/README.md says what the figures mean */
#define _POSIX_C_SOURCE 199309L
#define IRLAYOUT_IMPLEMENTATION
#include "../irlayout_ocl.h"
#include "../tests/as_written.h"
#include "bench.h"

/* ------------------------------------------------------------------ generated functions */

typedef struct gen_text {
    char  *data;
    size_t length, capacity;
} gen_text;

static void gen_append(gen_text *t, const char *format, int a, int b, int c, int d)
{
    int n;
    if (t->length + 512 > t->capacity) {
        t->capacity = t->capacity * 2 + 4096;
        t->data = (char *)realloc(t->data, t->capacity);
        if (!t->data) exit(2);
    }
    n = snprintf(t->data + t->length, t->capacity - t->length, format, a, b, c, d);
    if (n < 0 || n >= 512) exit(2);
    t->length += (size_t)n;
}

enum { GEN_BUFFERS = 6 };

/* `count` elementwise nests over six buffers, four of them packed by fours. No two statements are
   alike. */
static gen_text gen_function(int count)
{
    gen_text t = { NULL, 0, 0 };
    int      k;
    gen_append(&t, "func generated(", 0, 0, 0, 0);
    for (k = 0; k < GEN_BUFFERS; k++)
        gen_append(&t, k ? ", b%d: f32[1, 56, 56, 64]" : "b%d: f32[1, 56, 56, 64]", k, 0, 0, 0);
    gen_append(&t, ")\n", 0, 0, 0, 0);
    for (k = 0; k < 4; k++)
        gen_append(&t, "    layout(b%d: (n, h, w, c) -> (n, c / 4, h, w, c %% 4))\n", k, 0, 0, 0);
    gen_append(&t, "{\n", 0, 0, 0, 0);
    for (k = 0; k < count; k++) {
        gen_append(&t, "    for (n: 1, h: 56, w: 56, c: 64)\n", 0, 0, 0, 0);
        gen_append(
            &t, "        b%d[n, h, w, c] = max(b%d[n, h, w, c] * %d.5f + b%d[n, h, w, c], 0.0f);\n",
            k % GEN_BUFFERS, (k + 1 + k / GEN_BUFFERS) % GEN_BUFFERS, k, (k + 2) % GEN_BUFFERS);
    }
    gen_append(&t, "}\n", 0, 0, 0, 0);
    return t;
}

/* ------------------------------------------------------------------ counting nodes */

static int count_expr(irl__visitor *v, const irl_expr *e)
{
    (void)e;
    ++*(long *)v->user;
    return 1;
}

static int count_stmt(irl__visitor *v, const irl_stmt *s)
{
    *(long *)v->user += s->kind == IRL__FOR ? 2 : 1; /* a loop and its variable */
    return 1;
}

/* Statements, variables and expressions (as trees) of a function as it was parsed. */
static long count_nodes(const irl_func *f)
{
    irl__visitor v;
    long         nodes = 0;
    memset(&v, 0, sizeof v);
    v.user = &nodes;
    v.expr = count_expr;
    v.stmt = count_stmt;
    irl__visit_stmt(&v, f->body);
    return nodes;
}

/* ------------------------------------------------------------------ stages */

enum {
    STAGE_PARSE,
    STAGE_VERIFY,
    STAGE_PASSES,
    STAGE_EMIT = STAGE_PASSES + IRL__COUNTOF(irl__stages),
    STAGE_TOTAL,
    STAGE_COUNT
};

typedef struct sample {
    double least[STAGE_COUNT]; /* seconds */
} sample;

static void stage_end(double *since, double *stage)
{
    double now = bench_now();
    *stage += now - *since;
    *since = now;
}

static const char *stage_name(int stage)
{
    if (stage == STAGE_PARSE) return "parse";
    if (stage == STAGE_VERIFY) return "verify";
    if (stage < STAGE_EMIT) return irl_pass_name(stage - STAGE_PASSES);
    return stage == STAGE_EMIT ? "emit" : "all";
}

/* The compiler is timed on functions as they are written: bench/auto.c times schedules. */
static const char *source_as_written(const irl_func *f)
{
    return irl_ocl_source(lower_as_written(f, irl_target_find("opencl12")));
}

static void stop(irl_ctx *cx, const char *what)
{
    fprintf(stderr, "%s failed\n%s\n", what, irl_diag_text(cx));
    exit(2);
}

/* The pipeline as irl_func_lower_with runs it, the verifier after each stage counted with it, with
   the clock read between stages. */
static void run_stages(irl_ctx *cx, const gen_text *text, sample *s)
{
    const irl_lower_options how = as_written();
    const irl_target *target = irl_target_find("opencl12");
    double            stage[STAGE_COUNT], begin = bench_now(), since = begin;
    const irl_func   *f;
    irl_module       *m = NULL;
    int               k;
    memset(stage, 0, sizeof stage);
    f = irl_func_parse(cx, text->data, text->length, NULL);
    stage_end(&since, &stage[STAGE_PARSE]);
    if (!f || !irl__verify(f)) stop(cx, "parse");
    stage_end(&since, &stage[STAGE_VERIFY]);
    for (k = 0; irl_pass_name(k); k++) {
        if (irl_pass_runs(k, target, &how) &&
            !irl__pass_step(k, &f, &m, target, IRL__CHECK_IMAGES))
            stop(cx, irl_pass_name(k));
        stage_end(&since, &stage[STAGE_PASSES + k]);
    }
    if (!irl_ocl_source(m)[0]) stop(cx, "emit");
    stage_end(&since, &stage[STAGE_EMIT]);
    stage[STAGE_TOTAL] = since - begin;
    for (k = 0; k < STAGE_COUNT; k++) bench_least(&s->least[k], stage[k]);
}

/* Repeats, rewinding between, for about `seconds` and at least three times; a second series in
   between is the control. */
static void measure_stages(irl_ctx *cx, const gen_text *text, double seconds, sample *s,
                           sample *control)
{
    double begin = bench_now();
    int    k;
    for (k = 0; k < 6 || bench_now() - begin < seconds; k++) {
        irl_mark m = irl_ctx_mark(cx);
        run_stages(cx, text, k % 2 ? control : s);
        irl_ctx_rewind(cx, m);
    }
}

static long measure_memory(const gen_text *text, double *parsed, double *lowered)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_func *f = irl_func_parse(cx, text->data, text->length, NULL);
    long            nodes;
    if (!f) stop(cx, "parse");
    nodes = count_nodes(f);
    *parsed = (double)irl_ctx_memory(cx).in_use / (double)nodes;
    if (!source_as_written(f)[0]) stop(cx, "lower");
    *lowered = (double)irl_ctx_memory(cx).peak / (double)nodes;
    irl_ctx_destroy(cx);
    return nodes;
}

static void bench_stages(void)
{
    enum { SIZES = 5 };
    static const int sizes[SIZES] = { 1, 10, 100, 1000, 10000 };
    sample           s[SIZES], control[SIZES];
    double           parsed[SIZES], lowered[SIZES], slowest = 0, fastest = 0, rate = 0;
    long             nodes[SIZES];
    int              i, stage;
    memset(s, 0, sizeof s);
    memset(control, 0, sizeof control);
    for (i = 0; i < SIZES; i++) {
        gen_text text = gen_function(sizes[i]);
        irl_ctx *cx = irl_ctx_create(NULL);
        nodes[i] = measure_memory(&text, &parsed[i], &lowered[i]);
        bench_clock = sizes[i] >= 1000 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
        measure_stages(cx, &text, 2.0, &s[i], &control[i]);
        irl_ctx_destroy(cx);
        free(text.data);
    }
    printf("microseconds per function\n  %-14s", "statements");
    for (i = 0; i < SIZES; i++) printf(" %10d", sizes[i]);
    for (stage = 0; stage < STAGE_COUNT; stage++) {
        printf("\n  %-14s", stage_name(stage));
        for (i = 0; i < SIZES; i++) printf(" %10.2f", 1e6 * s[i].least[stage]);
    }
    printf("\n  %-14s", "per statement");
    for (i = 0; i < SIZES; i++) printf(" %10.2f", 1e6 * s[i].least[STAGE_TOTAL] / sizes[i]);
    printf("\n  %-14s", "A/A");
    for (i = 0; i < SIZES; i++)
        printf(" %10.2f", control[i].least[STAGE_TOTAL] / s[i].least[STAGE_TOTAL]);
    printf("\n  %-14s", "input nodes");
    for (i = 0; i < SIZES; i++) printf(" %10ld", nodes[i]);
    printf("\n  %-14s", "Mnodes/s");
    for (i = 0; i < SIZES; i++)
        printf(" %10.2f", 1e-6 * (double)nodes[i] / s[i].least[STAGE_TOTAL]);
    printf("\n  %-14s", "B/node parsed");
    for (i = 0; i < SIZES; i++) printf(" %10.0f", parsed[i]);
    printf("\n  %-14s", "B/node at end");
    for (i = 0; i < SIZES; i++) printf(" %10.0f", lowered[i]);
    printf("\n");
    for (i = 1; i < SIZES; i++) {
        double each = s[i].least[STAGE_TOTAL] / sizes[i],
               nodes_per_second = 1e-6 * (double)nodes[i] / s[i].least[STAGE_TOTAL];
        if (each > slowest) slowest = each;
        bench_least(&fastest, each);
        if (nodes_per_second > rate) rate = nodes_per_second;
    }
    bench_gate("time per statement, slowest to fastest, 10 to 10000", slowest <= 2 * fastest,
               slowest / fastest, "", "at most 2", 0);
    bench_gate("input nodes through the whole pipeline", rate >= 2, rate, "million/s", "at least 2",
               0);
}

/* ----------------------------------------------------------- small programs, from text */

IRL_LAYOUT(nchw4c, (n, h, w, c), (n, c / 4, h, w, c % 4));

IRL_KERNEL(relu, (x: f32[1, 56, 56, 64], y: f32[1, 56, 56, 64]) {
    for (n: 1, h: 56, w: 56, c: 64)
        y[n, h, w, c] = max(x[n, h, w, c], 0.0f);
});

static const char *relu_source(irl_ctx *cx)
{
    const irl_map *map = irl_layout(cx, &nchw4c);
    irl_func      *f = irl_kernel(cx, &relu);
    f = irl_func_set_layout(f, "x", map);
    f = irl_func_set_layout(f, "y", map);
    return source_as_written(f);
}

/* The input is padded by one on each side; the weights are packed by fours of output channels. */
IRL_KERNEL(convolution, (x: f32[1, 58, 58, 64], k: f32[3, 3, 64, 64], y: f32[1, 56, 56, 64])
    layout(x: (n, h, w, c) -> (n, c / 4, h, w, c % 4))
    layout(k: (r, s, i, o) -> (o / 4, i, r, s, o % 4))
    layout(y: (n, h, w, c) -> (n, c / 4, h, w, c % 4)) {
    for (n: 1, h: 56, w: 56, o: 64) {
        y[n, h, w, o] = 0.0f;
        for (r: 3, s: 3, i: 64)
            y[n, h, w, o] = y[n, h, w, o] + x[n, h + r, w + s, i] * k[r, s, i, o];
    }
});

static const char *convolution_source(irl_ctx *cx)
{
    return source_as_written(irl_kernel(cx, &convolution));
}

static const char *convolution_scheduled(irl_ctx *cx)
{
    return irl_ocl_source(irl_func_lower(irl_kernel(cx, &convolution), &irl_target_opencl12));
}

static const char *nchw4c_verdict(irl_ctx *cx)
{
    irl_verdict v = irl_map_check(cx, irl_layout(cx, &nchw4c), IRL_SHAPE(1, 56, 56, 64));
    return irl_verdict_text(cx, &v);
}

typedef struct program {
    const char *name;
    const char *(*run)(irl_ctx *cx);
    double      most; /* microseconds */
    int         is_goal;
} program;

/* Mark and rewind are timed too: a server pays for them. */
static double time_program(irl_ctx *cx, const program *p)
{
    double      begin = bench_now();
    irl_mark    m = irl_ctx_mark(cx);
    const char *text = p->run(cx);
    if (!text[0]) stop(cx, p->name);
    irl_ctx_rewind(cx, m);
    return bench_now() - begin;
}

static void bench_programs(void)
{
    static const program programs[] = {
        { "ReLU with its layout, text to OpenCL", relu_source, 50, 0 },
        { "3x3 convolution, text to OpenCL", convolution_source, 500, 0 },
        { "3x3 convolution, scheduled automatically", convolution_scheduled, 5000, 0 },
        { "verdict on the layout, from text", nchw4c_verdict, 20, 1 },
    };
    size_t k;
    int    repeat;
    bench_clock = CLOCK_PROCESS_CPUTIME_ID;
    printf("small programs, the context rewound between repeats, the structural verifier on\n");
    for (k = 0; k < IRL__COUNTOF(programs); k++) {
        irl_ctx *cx = irl_ctx_create(NULL);
        double   least[2] = { 0, 0 };
        char     limit[32];
        for (repeat = 0; repeat < 4000; repeat++)
            bench_least(&least[repeat % 2], time_program(cx, &programs[k]));
        sprintf(limit, "A/A %.2f, at most %.0f", least[1] / least[0], programs[k].most);
        bench_gate(programs[k].name, 1e6 * least[0] <= programs[k].most, 1e6 * least[0], "us",
                   limit, programs[k].is_goal);
        irl_ctx_destroy(cx);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "programs")) bench_stages();
    bench_programs();
    return bench_done();
}
