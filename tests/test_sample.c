/* test_sample.c - some elements of a result, computed alone by the function that irlc makes for
   that, are those of a whole run, and no other element is touched: of functions by hand, generated
   ones, and both as they are scheduled. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#endif
#include "test.h"
#include "generate.h"
#include "../tools/irlc/sample.c"

irl_shape point_of(const irl_shape *shape, int64_t n)
{
    irl_shape at = *shape;
    int       k;
    for (k = shape->rank; k-- > 0; n /= shape->extent[k]) at.extent[k] = n % shape->extent[k];
    return at;
}

/* Up to n elements, the first and the last among them. */
static void choose_points(irlc_points *p, const irl_tensor *t, int n)
{
    int k;
    p->shape = t->shape;
    for (p->total = 1, k = 0; k < t->shape.rank; k++) p->total *= t->shape.extent[k];
    p->count = p->total < n ? (int)p->total : n;
    for (k = 0; k < p->count; k++)
        p->element[k] = p->count == 1 ? 0 : k * (p->total - 1) / (p->count - 1);
}

/* What became of the parameters of all functions. */
static int sampled, left, runs;

/* Runs f whole, on a copy of the arguments, and again for some elements of parameter k. 1 if these
   are the same, and the others are as they were, or if it cannot be sampled. */
static int same_sample(irl_ctx *cx, const irl_func *f, irl_arguments before,
                       irl_arguments whole, int k)
{
    int64_t       element[7];
    irlc_points   p;
    irl_tensor    t;
    irl_func     *g;
    irl_arguments args = before;
    unsigned char *out;
    size_t        size;
    int64_t       n;
    int           j, ok = 1, is_other = 0;
    p.element = element;
    if (!irl_func_param_tensor(f, k, before, &t) || !t.bytes) return 1;
    choose_points(&p, &t, 7);
    g = sample_func(cx, f, k, &p);
    if (!g) {
        left += stores_to(irl_func_body(f), irl_func_param_buffer(f, k), &is_other);
        return irl_ok(cx);
    }
    sampled++;
    size = t.bytes / (size_t)p.total;
    out = (unsigned char *)malloc(t.bytes);
    if (!out) return 0;
    memcpy(out, before.data[k], t.bytes);
    args.data[k] = out;
    if (!irl_func_interpret(g, args)) {
        printf("%s%s", irl_func_text(g), irl_diag_text(cx));
        ok = 0;
    }
    for (n = 0; n < p.total && ok; n++) {
        int is_chosen = 0;
        for (j = 0; j < p.count; j++) is_chosen |= element[j] == n;
        ok = memcmp(out + (size_t)n * size,
                    (const unsigned char *)(is_chosen ? whole : before).data[k] + (size_t)n * size,
                    size) == 0;
        if (!ok)
            printf("parameter %d, element %d, %s\n%s", k, (int)n,
                   is_chosen ? "chosen" : "not chosen", irl_func_text(g));
    }
    free(out);
    return ok;
}

/* The same for each buffer parameter. The scheduled function's steps may change what is written to
   others than results, so f is run itself. */
static int same_samples(irl_ctx *cx, const irl_func *f, irl_arguments before)
{
    irl_arguments whole = before;
    irl_tensor    t;
    int           k, ok = 1;
    for (k = 0; k < before.count; k++) {
        if (!irl_func_param_tensor(f, k, before, &t)) return 0;
        whole.data[k] = malloc(t.bytes + 1);
        if (!whole.data[k]) return 0;
        memcpy((void *)(uintptr_t)whole.data[k], before.data[k], t.bytes);
    }
    if (irl_func_interpret(f, whole)) {
        runs++;
        for (k = 0; k < before.count && ok; k++)
            if (irl_func_param_is_buffer(f, k)) ok = same_sample(cx, f, before, whole, k);
    }
    for (k = 0; k < before.count; k++) free((void *)(uintptr_t)whole.data[k]);
    return ok;
}

/* As it is, and as schedules are made for two targets. */
static void check_func(irl_ctx *cx, const irl_func *f, irl_arguments before)
{
    const irl_target *const targets[] = { &irl_target_opencl12, &irl_target_opencl12_gpu };
    int                     k;
    if (!CHECK(same_samples(cx, f, before))) printf("as written:\n%s", irl_func_text(f));
    for (k = 0; k < 2; k++) {
        const irl_mark  mark = irl_ctx_mark(cx);
        const char     *steps = irl_schedule_auto(f, targets[k]);
        const irl_func *g = irl_schedule_parse(f, steps, IRL_TO_NUL, "auto");
        if (g && !CHECK(same_samples(cx, g, before)))
            printf("as scheduled:\n%s%s", irl_func_text(f), steps);
        irl_ctx_rewind(cx, mark);
    }
}

/* ------------------------------------------------------------------ by hand */

/* Functions of x: f32[24], a: f32[6, 4], i: i32[24], y: f32[24], z: f32[4, 6]; which of y and z can
   be sampled: 1, 2. */
typedef struct by_hand {
    const char *body;
    int         can;
} by_hand;

static const by_hand bodies[] = {
    { "for (k: 24) y[k] = x[k] * 2.0f;", 1 },
    { "for (k: 24) y[23 - k] = x[k];", 1 },
    { "for (k: 12) { y[2 * k] = x[k]; y[2 * k + 1] = -x[k]; }", 1 },
    { "for (p: 4, q: 6) z[p, q] = sum(r: 4, a[q, r] * x[r + p]);", 2 },
    { "for (p: 4, q: 6) z[p, q] = 0.0f; for (r: 4, p: 4, q: 6) z[p, q] += a[q, r] * x[r];", 2 },
    { "for (p: 4) z[p, p + 1] = x[p];", 2 },
    { "for (k: 24) y[k] = x[k]; for (p: 4, q: 6) z[p, q] = y[p * 6 + q] + 1.0f;", 3 },
    { "alloc t: f32[24]; for (k: 24) t[k] = x[23 - k]; for (k: 24) y[k] = t[k] * t[k];", 1 },
    { "alloc t: f32[24]; for (k: 24) t[k] = x[23 - k]; for (k: 24) y[k] = t[23 - k] + t[0];", 1 },
    { "alloc t: f32[6]; for (k: 6) t[k] = 0.0f; for (k: 6) t[k] += x[k]; "
      "for (p: 4, q: 6) z[p, q] = t[q];", 2 },
    { "alloc t: f32[24]; for (k: 24) t[k] = 0.0f; for (k: 24) t[k] += x[k]; for (k: 24) y[k] = "
      "t[k];", 1 },
    { "for (k: 24) { alloc s: f32[]; s[] = 0.0f; for (r: 6) s[] += x[r] * x[k]; y[k] = s[]; }",
      1 },
    { "for (p: 4) { alloc s: f32[6]; for (q: 6) s[q] = x[q]; for (r: 4) for (q: 6) s[q] += a[q, "
      "r]; for (q: 6) z[p, q] = s[q]; }", 2 },
    { "for (p: 4) { alloc s: f32[]; s[] = 0.0f; for (q: 6) { s[] += x[q]; z[p, q] = s[]; } }", 2 },
    /* rows, which several elements share: each is computed once */
    { "alloc t: f32[6]; for (k: 6) t[k] = 0.0f; for (k: 6, r: 4) t[k] += a[k, r]; "
      "for (p: 4, q: 6) z[p, q] = t[q];", 2 },
    { "alloc s: f32[4, 6]; alloc m: f32[4]; for (p: 4, q: 6) s[p, q] = x[q] * a[q, p]; "
      "for (p: 4) m[p] = sum(q: 6, s[p, q]); "
      "for (p: 4, q: 6) z[p, q] = s[p, q] / (m[p] + 99.0f) + sum(r: 6, s[p, r] * x[r]);", 2 },
    { "alloc t: f32[4]; for (p: 4) { t[p] = 0.0f; for (q: 6) { t[p] += x[q]; z[p, q] = t[p]; } }",
      0 },
    { "alloc t: f32[4]; for (p: 4) t[p] = x[p]; "
      "for (p: 4) for (q: 6) { t[p] += x[q]; z[p, q] = t[p]; }", 0 },
    { "for (k: 24) if (x[k] > 0.0f) y[k] = x[k]; else y[k] = 0.0f;", 1 },
    { "for (k: 24) y[k] = x[k]; for (k: 24) y[k] = y[k] * 3.0f;", 1 },
    { "for (k: 24) y[k] = x[k]; y[3] = 9.0f;", 1 },
    { "for (k: 24) { let v = x[k] * 2.0f; y[k] = v + v; }", 1 },
    { "for (k: 24) y[index(i[k])] = x[k];", 1 },
    { "for (g: 6) for (l: 4) y[g * 4 + l] = x[l * 6 + g];", 1 },
    { "for (p: 4, q: 6) { z[p, q] = x[q]; y[q] = x[p]; } for (k: 6) y[k] += z[0, k];", 1 },
    { "alloc t: f32[24]; for (k: 24) t[k] = x[k]; for (k: 24) y[k] = t[index(i[k])];", 1 },
    /* the result is read for another element, or by a let: everything is computed */
    { "y[0] = x[0]; for (k: 1 .. 24) y[k] = y[k - 1] + x[k];", 0 },
    { "for (k: 24) y[k] = x[k]; for (k: 24) y[23 - k] = y[k] + 1.0f;", 0 },
    { "for (k: 24) y[k] = x[k]; for (k: 24) { let v = y[k]; y[k] = v * 2.0f; }", 0 },
    { "for (k: 24) { y[k] = x[k]; if (y[k] > 0.0f) y[k] = 0.0f; }", 0 },
    /* a sum that is kept between elements */
    { "alloc s: f32[]; s[] = 0.0f; for (k: 24) { s[] += x[k]; y[k] = s[]; }", 0 },
};

static const char params[] =
    "func f(x: f32[24], a: f32[6, 4], i: i32[24], y: f32[24], z: f32[4, 6]) {";

static void by_hand_all(void)
{
    static float x[24], a[24], y[24], z[24];
    int32_t      i[24];
    size_t       k;
    int          n;
    for (n = 0; n < 24; n++) {
        x[n] = (float)(n % 7 - 3);
        a[n] = (float)(n % 5);
        i[n] = (n * 5 + 3) % 24;
        y[n] = (float)(100 + n);
        z[n] = (float)(200 + n);
    }
    for (k = 0; k < sizeof bodies / sizeof *bodies; k++) {
        irl_ctx      *cx = irl_ctx_create(NULL);
        char          text[1000];
        irl_func     *f;
        irl_tensor    t;
        irl_arguments args = IRL_POINTERS(x, a, i, y, z);
        int64_t       element[3];
        irlc_points   p;
        int           can = 0;
        sprintf(text, "%s%s }", params, bodies[k].body);
        f = irl_func_parse(cx, text, IRL_TO_NUL, "by hand");
        if (CHECK_OK(cx)) check_func(cx, f, args);
        p.element = element;
        for (n = 3; n < 5 && f; n++) {
            irl_func_param_tensor(f, n, args, &t);
            choose_points(&p, &t, 3);
            can |= (sample_func(cx, f, n, &p) != NULL) << (n - 3);
        }
        if (!CHECK(can == bodies[k].can)) printf("%s: %d\n", bodies[k].body, can);
        CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
}

/* Where an iteration cannot store the element it does nothing; a loop of which one iteration alone
   can does not run. */
static void one_iteration(void)
{
    static const char *const stores[] = { "y[g * 4 + l]", "y[l + 4 * g]", "y[4 * g + 1 + l - 1]",
                                          "y[23 - g * 4 - l]", "y[4 * (5 - g) + 3 - l]" };
    for (size_t k = 0; k < sizeof stores / sizeof *stores; k++) {
        irl_ctx     *cx = irl_ctx_create(NULL);
        char         text[200];
        int64_t      element[2] = { 0, 23 };
        irlc_points  p = { 0 };
        p.element = element;
        p.count = 2;
        p.total = p.shape.extent[0] = 24;
        p.shape.rank = 1;
        sprintf(text, "%sfor (g: 6) for (l: 4) %s = x[l * 6 + g]; }", params, stores[k]);
        const irl_func *f = irl_func_parse(cx, text, IRL_TO_NUL, "tile");
        const char     *made = irl_func_text(sample_func(cx, f, 3, &p));
        if (!CHECK(strstr(made, "let l = ") != NULL && strstr(made, "(g: 6)\n            if")))
            printf("%s\n", made);
        CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
}

/* Of what the chosen elements share, the rows that they need are computed, each once. */
static void rows_alone(void)
{
    irl_ctx     *cx = irl_ctx_create(NULL);
    char         text[400];
    int64_t      element[3] = { 0, 5, 23 };
    irlc_points  p = { 0 };
    p.element = element;
    p.count = 3;
    p.total = 24;
    p.shape = IRL_SHAPE(4, 6);
    sprintf(text, "%salloc s: f32[4, 6]; for (g: 4, q: 6) s[g, q] = x[q] * a[q, g]; "
                  "for (g: 4, q: 6) z[g, q] = sum(r: 6, s[g, r] * x[r]); }", params);
    const irl_func *f = irl_func_parse(cx, text, IRL_TO_NUL, "rows");
    const char     *made = irl_func_text(sample_func(cx, f, 4, &p));
    if (!CHECK(strstr(made, "let first = ") && strstr(made, "let g = ") &&
               strstr(made, "sample[1, 3] = 0") && strstr(made, "sample[2, 3] = 1") &&
               !strstr(made, "for (g: 4")))
        printf("%s\n", made);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ generated */

static void check_case(const gen_case *c)
{
    gen_data  d = gen_data_new(c);
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = irl_func_parse(cx, c->text, strlen(c->text), "generated");
    if (f) check_func(cx, f, gen_arguments(&d));
    irl_ctx_destroy(cx);
    gen_data_free(&d);
}

static void generated(uint64_t first, int count)
{
    test_seeds((unsigned long)first, count);
    gen_each(first, count, check_case);
}

int main(int argc, char **argv)
{
    by_hand_all();
    one_iteration();
    rows_alone();
    if (argc > 1) generated(strtoul(argv[1], NULL, 10), argc > 2 ? atoi(argv[2]) : 1);
    else generated(1, TEST_COUNT(1500));
    printf("%d runs: %d parameters sampled, %d not\n", runs, sampled, left);
    if (argc < 2) CHECK(runs < 2000 ? 2 * sampled > 3 * left : sampled > 2 * left);
    return TEST_DONE();
}
