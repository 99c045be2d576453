/* test_flow.c - who writes what is read, whether all that is read was written, from when to when
   memory is touched: against a run of random functions; known cases. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/analysis/analysis.h"
#endif
#include "failing.h"
#include "generate_exchange.h"
#include "generate_flow.h"
#include "generate_launches.h"
#include "test.h"

static int covered[3], flowed[3], interpreted[2], is_loud;

static const int tried[GF_TRIES] = { 0, 2, -3 };

/* Is the witness an iteration that reads what nobody has written? */
static int is_hole(const gf_case *c, const irl_func *f, int access, const irl__meeting *m)
{
    static gf_run      r;
    const irl__around *loops[GF_LOOPS];
    const int          has_t = c->nest[c->nest_of[access]].has_t;
    int                k;
    memset(&r, 0, sizeof r);
    r.asked = access;
    irl__access_loops(m->a, loops);
    for (k = 0; k < irl__access_loop_count(m->a); k++)
        r.asked_at[k + !has_t] = (int)irl__meeting_at(m, loops[k]->var, 0);
    k = (int)irl__meeting_at(m, f->params[0].var, 0);
    if (k > 64) k = 64; /* 16 cells, divided by 3 at most, are read before that */
    gf_run_all(c, &r, k);
    return r.is_hole;
}

static void one_read(const gf_case *c, irl__accesses *t, const irl__access *const *rows, int access)
{
    static gf_run r;
    irl__meeting  m;
    irl_answer    answer = irl__covered(t, rows[access], NULL, &m);
    int           n, w;
    covered[answer]++;
    if (answer == IRL_NO && !CHECK(is_hole(c, t->f, access, &m)))
        printf("access %d: that is no hole\n%s\n", access, c->text);
    if (answer == IRL_UNKNOWN && is_loud) printf("access %d: %s\n%s\n", access, m.reason, c->text);
    CHECK(answer != IRL_UNKNOWN || m.reason);
    for (n = 0; n < GF_TRIES; n++) {
        memset(&r, 0, sizeof r);
        r.asked = -1;
        gf_run_all(c, &r, tried[n]);
        if (answer == IRL_YES && !CHECK(r.holes[access] == 0))
            printf("access %d, n = %d: %d holes\n%s\n", access, tried[n], r.holes[access], c->text);
        for (w = 0; w < c->accesses; w++) {
            irl_answer reaches;
            if (!c->is_write[w]) continue;
            reaches = irl__reaches(t, rows[w], rows[access], NULL, NULL);
            flowed[reaches] += n == 0;
            if (reaches == IRL_NO && !CHECK(!(r.flows[access] >> w & 1)))
                printf("%d writes what %d reads, n = %d\n%s\n", w, access, tried[n], c->text);
        }
    }
}

/* The interpreter refuses to decide by what was never written: it does so where there is a hole. */
static void against_interpreter(const gf_case *c, irl_ctx *cx, irl_func *f)
{
    static gf_run r;
    int64_t       n;
    float         y[1] = { 0 };
    int           k, holes = 0;
    for (k = 0; k < c->nests; k++)
        if (c->nest[k].kind == 2) return; /* what is not known would be copied */
    memset(&r, 0, sizeof r);
    r.asked = -1;
    gf_run_all(c, &r, tried[1]);
    for (k = 0; k < c->accesses; k++) holes += r.holes[k];
    if (r.outside) return;
    n = tried[1];
    interpreted[holes != 0]++;
    if (!CHECK(irl_func_interpret(f, IRL_ARGS(&n, y)) == (holes == 0)))
        printf("%d holes\n%s\n%s\n", holes, c->text, irl_diag_text(cx));
}

static void one_function(const gf_case *c)
{
    irl_ctx           *cx = irl_ctx_create(NULL);
    irl_func          *f = irl_func_parse(cx, c->text, IRL_TO_NUL, NULL);
    irl__accesses      t;
    const irl__access *rows[GF_ACCESSES];
    int                k, n = 0;
    if (CHECK_OK(cx) && CHECK(irl__accesses_of(&t, f, NULL))) {
        for (k = 0; k < t.count; k++)
            if (strcmp(t.list[k].buffer->name, "a") == 0 && n < GF_ACCESSES) rows[n++] = &t.list[k];
        CHECK(n == c->accesses);
        for (k = 0; k < n; k++)
            if (!c->is_write[k]) one_read(c, &t, rows, k);
        CHECK_OK(cx);
        against_interpreter(c, cx, f);
    }
    irl_ctx_destroy(cx);
}

static void functions(int count)
{
    static gf_case c;
    int            k;
    for (k = 0; k < count; k++) {
        gf_make(&c);
        one_function(&c);
    }
    printf("reads: %d covered, %d not, %d unknown; writes that reach reads: %d, %d not, %d "
           "unknown\n",
           covered[IRL_YES], covered[IRL_NO], covered[IRL_UNKNOWN], flowed[IRL_YES], flowed[IRL_NO],
           flowed[IRL_UNKNOWN]);
    printf("interpreted: %d right, %d refused\n", interpreted[0], interpreted[1]);
}

static int lowered[2];

/* A device has one array of a group for all iterations: what is right as it is written is right
   there, and the interpreter, which looks for races, judges both. */
static void lower_exchange(const gx_case *c, irl_ctx *cx, const irl_func *f)
{
    float             y[64] = { 0 }, z[64] = { 0 };
    irl_mark          mark = irl_ctx_mark(cx);
    const irl_module *m;
    if (!irl_func_interpret(f, IRL_ARGS(y))) {
        lowered[1]++;
        irl_ctx_rewind(cx, mark);
        return;
    }
    lowered[0]++;
    m = irl_func_lower(f, &irl_target_opencl12);
    if (!CHECK(m && irl_module_interpret(m, IRL_ARGS(z)) && memcmp(y, z, sizeof y) == 0))
        printf("lowered: %s\n%s\n", irl_diag_text(cx), c->text);
}

/* Work-items that exchange what they have over barriers. */
static void one_exchange(const gx_case *c, int *answers)
{
    irl_ctx      *cx = irl_ctx_create(NULL);
    irl_func     *f = irl_func_parse(cx, c->text, IRL_TO_NUL, NULL);
    irl__accesses t;
    gx_run        run;
    int           rows[GX_PHASES] = { 0 }, n = 0, k, w;
    gx_run_all(c, &run);
    if (CHECK_OK(cx) && CHECK(irl__accesses_of(&t, f, NULL))) {
        for (k = 0; k < t.count && n < GX_PHASES; k++)
            if (strcmp(t.list[k].buffer->name, "s") == 0) rows[n++] = k;
        CHECK(n == c->phases);
        for (k = 0; k < n; k++) {
            const irl__access *reader = &t.list[rows[k]];
            irl_answer         answer;
            if (c->phase[k].is_write) continue;
            answer = irl__covered(&t, reader, NULL, NULL);
            answers[answer]++;
            if (!CHECK(answer == IRL_UNKNOWN || (answer == IRL_YES) == (run.holes[k] == 0)))
                printf("phase %d, %d holes: %d\n%s\n", k, run.holes[k], (int)answer, c->text);
            for (w = 0; w < n; w++) {
                if (!c->phase[w].is_write) continue;
                answer = irl__reaches(&t, &t.list[rows[w]], reader, NULL, NULL);
                if (!CHECK(answer == IRL_UNKNOWN || (answer == IRL_YES && c->is_racing) ||
                           (answer == IRL_YES) == (run.flows[k] >> w & 1)))
                    printf("phase %d reads of %d: %d\n%s\n", k, w, (int)answer, c->text);
            }
        }
        CHECK_OK(cx);
        lower_exchange(c, cx, f);
    }
    irl_ctx_destroy(cx);
}

static void exchanges(int count)
{
    static gx_case c;
    int            k, answers[3] = { 0, 0, 0 };
    for (k = 0; k < count; k++) {
        gx_make(&c);
        one_exchange(&c, answers);
    }
    printf("reads behind barriers: %d covered, %d not, %d unknown\n", answers[IRL_YES],
           answers[IRL_NO], answers[IRL_UNKNOWN]);
    printf("lowered: %d, wrong as written: %d\n", lowered[0], lowered[1]);
    CHECK(lowered[0] * 5 > count);
    CHECK(answers[IRL_UNKNOWN] * 5 < answers[IRL_YES] + answers[IRL_NO]);
}

/* ------------------------------------------------------------------ known cases */

static const struct known {
    const char *text;
    int         access; /* a read */
    irl_answer  covered;
    const char *says;
} cases[] = {
    { "func f(n: index, x: f32[n], y: f32[n]) { alloc a: f32[n]; for (i: n) a[i] = x[i]; for (i: "
      "n) y[i] = a[n - 1 - i]; }",
      2, IRL_YES, "" },
    { "func f(n: index, x: f32[n], y: f32[n]) { alloc a: f32[n]; for (i: n - 1) a[i] = x[i]; for "
      "(i: n) y[i] = a[i]; }",
      2, IRL_NO, "a[i] at i = 0 is read, but nothing has written it where n = 1" },
    /* a window over what one iteration of the outer loop wrote */
    { "func f(x: f32[66], y: f32[64]) { for (io: 8) { alloc a: f32[10]; for (k: 10) a[k] = x[io * "
      "8 + k]; for (ii: 8) y[io * 8 + ii] = a[ii] + a[ii + 2]; } }",
      3, IRL_YES, "" },
    { "func f(x: f32[66], y: f32[64]) { for (io: 8) { alloc a: f32[10]; for (k: 9) a[k] = x[io * "
      "8 + k]; for (ii: 8) y[io * 8 + ii] = a[ii] + a[ii + 2]; } }",
      3, IRL_NO, "a[ii + 2] at io = 0, ii = 7 is read, but nothing has written it" },
    /* an accumulator that a block begins */
    { "func f(x: f32[8, 9], y: f32[8]) { alloc a: f32[8]; for (i: 8, k: 9) block s(v: spatial(8) = "
      "i, w: reduce(9) = k) { init { a[v] = 0.0; } a[v] = a[v] + x[v, w]; } for (i: 8) y[i] = "
      "a[i]; }",
      1, IRL_YES, "" },
    /* packed, in two kinds of order, and as vectors */
    { "func f(x: f32[16], y: f32[16]) { alloc a: f32[4, 4]; for (i: 16) a[i / 4, i % 4] = x[i]; "
      "for (j: 4, k: 4) y[j * 4 + k] = a[k, j]; }",
      2, IRL_YES, "" },
    { "func f(x: f32[16], y: f32x4[4]) { alloc a: f32[16]; for (i: 4, j: 4) a[i * 4 + j] = x[i]; "
      "for (j: 4) y[j] = a[ramp(j * 4, 1, 4)]; }",
      2, IRL_YES, "" },
    { "func f(x: f32x4[4], y: f32[16]) { alloc a: f32[16]; for (i: 4) a[ramp(i * 4, 1, 4)] = x[i]; "
      "for (j: 16) y[j] = a[j]; }",
      2, IRL_YES, "" },
    /* work-items exchange over a barrier, or have memory of their own, or one writes for all */
    { "func f(x: f32[8], y: f32[8]) { for bind(group.x) (g: 1) for bind(local.x) (l: 8) { alloc s: "
      "f32[8] scope(shared); s[l] = x[l]; barrier(shared); y[l] = s[7 - l]; } }",
      2, IRL_YES, "" },
    { "func f(x: f32[8], y: f32[8]) { for bind(group.x) (g: 1) { alloc s: f32[8] scope(shared); "
      "for bind(local.x) (l: 8) { if (l < 7) s[l] = x[l]; barrier(shared); y[l] = s[7 - l]; } } }",
      2, IRL_NO, "s[7 - l] at g = 0, l = 0 is read, but nothing has written it" },
    { "func f(x: f32[8], y: f32[8]) { for bind(group.x) (g: 1) for bind(local.x) (l: 8) { alloc p: "
      "f32[1] scope(local); if (l == 7) p[0] = x[l]; barrier(shared); y[l] = p[0]; } }",
      2, IRL_NO, "p[0] at g = 0, l = 0 is read, but nothing has written it" },
    { "func f(x: f32[8], y: f32[8]) { for bind(group.x) (g: 1) for bind(local.x) (l: 8) { alloc p: "
      "f32[1] scope(shared); if (l == 7) p[0] = x[l]; barrier(shared); y[l] = p[0]; } }",
      2, IRL_UNKNOWN, "it is not known which iteration writes a cell" },
    { "func f(x: f32[64], y: f32[8]) { for bind(group.x) (g: 1) for bind(local.x) (l: 8) { for (t: "
      "8) { alloc s: f32[8] scope(shared); s[l] = x[l * 8 + t]; barrier(shared); y[l] = s[7 - l]; "
      "barrier(shared); } } }",
      2, IRL_YES, "" },
    { "func f(k: i32[9], y: f32[9]) { alloc a: f32[9]; for (i: 9) a[index(k[i])] = 1.0; for (i: 9) "
      "y[i] = a[i]; }",
      2, IRL_UNKNOWN, "it is not known which iteration writes a cell" },
};

static void one_case(const struct known *k)
{
    irl_ctx         *cx = irl_ctx_create(NULL);
    irl_func        *f = irl_func_parse(cx, k->text, IRL_TO_NUL, NULL);
    const irl_flows *flows = irl_func_flows(f);
    int              n = -1, j;
    for (j = 0; flows && j < flows->read_count; j++)
        if (flows->reads[j].access == k->access) n = j;
    if (CHECK(n >= 0) && !CHECK(flows->reads[n].answer == k->covered &&
                                strcmp(flows->reads[n].text, k->says) == 0))
        printf("%d, %s\n%s\n", flows->reads[n].answer, flows->reads[n].text, k->text);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

static void lives(void)
{
    irl_ctx         *cx = irl_ctx_create(NULL);
    irl_func        *f = irl_func_parse(
        cx,
        "func f(x: f32[8], y: f32[8]) { alloc a: f32[8]; alloc b: f32[8]; alloc c: f32[1]; for (i: "
        "8) a[i] = x[i]; for (t: 3) { for (i: 8) b[i] = a[i]; for (i: 8) a[i] = b[7 - i]; } for "
        "(i: 8) y[i] = a[i]; }",
        IRL_TO_NUL, NULL);
    const irl_lives *l = irl_func_liveness(f);
    irl_module      *m;
    int              k;
    CHECK(l && l->count == 5 && l->list[0].is_parameter && l->list[0].first == 0 &&
          l->list[0].last == 1);
    /* rows: 0 x, 1 a; 2 a, 3 b; 4 b, 5 a; 6 a, 7 y. b is kept as long as t runs */
    CHECK(l && l->list[2].first == 0 && l->list[2].last == 7 && l->list[2].loop == -1);
    CHECK(l && l->list[3].first == 2 && l->list[3].last == 5 && l->list[3].loop >= 0);
    CHECK(l && l->list[4].first == -1 && strcmp(l->list[4].buffer, "c") == 0);
    f = irl_func_parse(
        cx,
        "func g(x: f32[8], y: f32[8]) { alloc a: f32[8]; alloc b: f32[8]; for (i: 8) a[i] = x[i]; "
        "for (i: 8) b[i] = a[7 - i]; for (i: 8) y[i] = b[7 - i]; }",
        IRL_TO_NUL, NULL);
    m = irl_func_lower(f, &irl_target_opencl12);
    l = irl_module_liveness(m);
    for (k = 0; l && k < l->count; k++) {
        if (strcmp(l->list[k].buffer, "a") == 0)
            CHECK(l->list[k].first == 0 && l->list[k].last == 1);
        if (strcmp(l->list[k].buffer, "b") == 0)
            CHECK(l->list[k].first == 1 && l->list[k].last == 2);
    }
    CHECK(l && l->count == 4);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* How many bytes a life has where n = 5; -1: not said. */
static int64_t bytes_at(irl_ctx *cx, const irl_module *m, const irl_life *l)
{
    const irl_expr *n = m->host->params[0].var, *five = irl_expr_index(cx, 5), *e;
    e = l->bytes ? irl__simplify_alone(cx, irl__substitute(cx, l->bytes, 1, &n, &five)) : NULL;
    return e && e->op == IRL_OP_INT ? e->u.i : -1;
}

static void one_life(irl_ctx *cx, const irl_module *m, const irl_life *l, const gl_case *c, int k)
{
    const gl_memory *of = &c->memory[k];
    int              ok = strcmp(l->buffer, of->name) == 0 && !l->kernel &&
             bytes_at(cx, m, l) == 4 * (5 * of->times + of->plus);
    if (c->branches) ok &= of->first < 0 || (l->first <= of->first && l->last >= of->last);
    else ok &= l->first == of->first && l->last == of->last;
    if (!CHECK(ok))
        printf("%s: launches %d to %d, a run: %d to %d; %lld bytes\n%s\n", l->buffer, l->first,
               l->last, of->first, of->last, (long long)bytes_at(cx, m, l), c->text);
}

/* Memory of modules, against runs: where there is no branch, exactly. */
static void modules(int count)
{
    static gl_case c;
    int            n, k;
    for (n = 0; n < count; n++) {
        irl_ctx         *cx = irl_ctx_create(NULL);
        irl_module      *m;
        const irl_lives *l;
        gl_make(&c);
        for (k = 0; k < c.memories; k++) c.memory[k].first = c.memory[k].last = -1;
        for (k = 0; k < (c.branches ? 8 : 1); k++) gl_run_once(&c);
        m = irl_module_parse(cx, c.text, IRL_TO_NUL, NULL);
        l = irl_module_liveness(m);
        if (!CHECK(l && l->count == c.memories + 1 && l->launch_count == c.launches))
            printf("%s\n%s\n", irl_diag_text(cx), c.text);
        for (k = 0; l && k < c.memories; k++) one_life(cx, m, &l->list[k], &c, k);
        k = c.memories;
        CHECK(!l || (strcmp(l->list[k].kernel, "k2") == 0 && bytes_at(cx, m, &l->list[k]) == 12 &&
                     l->list[k].scope == IRL_SCOPE_LOCAL));
        irl_ctx_destroy(cx);
    }
}

/* The same within one iteration of a loop, which irl_func_flows does not ask. */
static void movement(void)
{
    irl_ctx       *cx = irl_ctx_create(NULL);
    irl_func      *f = irl_func_parse(
        cx,
        "func f(x: f32[9], y: f32[9]) { alloc a: f32[9]; for (t: 3) { for (i: 9) a[i] = x[i]; for "
        "(i: 9) y[i] = a[i]; } }",
        IRL_TO_NUL, NULL);
    irl__accesses  t;
    irl__meeting   m;
    if (CHECK_OK(cx) && CHECK(irl__accesses_of(&t, f, NULL))) {
        CHECK(irl__reaches(&t, &t.list[1], &t.list[2], t.loops[0], &m) == IRL_YES);
        CHECK(irl__reaches(&t, &t.list[2], &t.list[1], t.loops[0], &m) == IRL_NO);
        CHECK(irl__covered(&t, &t.list[2], t.loops[0], NULL) == IRL_YES);
    }
    irl_ctx_destroy(cx);
}

static int asks(irl_ctx *cx, int which)
{
    irl_func        *f = irl_func_parse(cx, cases[which].text, IRL_TO_NUL, NULL);
    const irl_flows *flows = irl_func_liveness(f) ? irl_func_flows(f) : NULL;
    return flows && CHECK(flows->read_count == 2);
}

int main(int argc, char **argv)
{
    int k;
    is_loud = argc > 1 && argv[1][0] == 'v';
    if (argc > 2) random64_seed(argv[2]);
    for (k = 0; k < (int)(sizeof cases / sizeof *cases); k++) one_case(&cases[k]);
    lives();
    movement();
    modules(TEST_COUNT(1000));
    failing_each(asks, 3, 0);
    functions(TEST_COUNT(1000));
    exchanges(TEST_COUNT(1000));
    TEST_DONE();
}
