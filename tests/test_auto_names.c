/* test_auto_names.c - schedules that are made for functions whose shapes and loops are names: each
   parses, and computes what the function does, in the interpreter and lowered for several targets,
   for names from 0 on. Steps that are drawn at random do so too, in the interpreter.

   test_auto_names [SEED [COUNT]] */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#include "failing.h"
#include "draw_schedule.h"
#include "generate_named.h"
#include "test.h"

enum { BUFFERS = 8, TARGETS = 5 };

static const char *const targets[TARGETS] = { "opencl12", "opencl12-avx2", "c-gnu", "scalar",
                                              "opencl12-gpu" };

typedef struct data {
    irl_arguments  arguments;
    int64_t        names[3];
    unsigned char *bytes[BUFFERS];
    size_t         size[BUFFERS];
} data;

/* Small whole numbers of the type; elements that are not written keep what they have. */
static void fill(unsigned char *to, irl_type type, size_t bytes)
{
    const size_t one = (size_t)irl_scalar_info(type.scalar)->bits / 8;
    size_t       k;
    for (k = 0; k + one <= bytes; k += one) {
        const int     value = (int)(k / one * 7 % 5);
        const float   f = (float)value;
        const double  d = value;
        const int16_t h = (int16_t)value;
        const int32_t w = value;
        memset(to + k, 0, one);
        if (type.scalar == IRL_F32) memcpy(to + k, &f, one);
        else if (type.scalar == IRL_F64) memcpy(to + k, &d, one);
        else if (one == 1) to[k] = (unsigned char)value;
        else if (one == 2) memcpy(to + k, &h, one);
        else memcpy(to + k, &w, one);
    }
}

static void data_free(data *d)
{
    int k;
    for (k = 0; k < BUFFERS; k++) free(d->bytes[k]);
}

static int data_make(const irl_func *f, const int64_t *names, data *d)
{
    irl_tensor t;
    int        k;
    memset(d, 0, sizeof *d);
    d->arguments.count = irl_func_param_count(f);
    if (!CHECK(d->arguments.count <= BUFFERS)) return 0;
    for (k = 0; k < 3; k++) {
        d->names[k] = names[k];
        d->arguments.data[k] = &d->names[k];
    }
    for (; k < d->arguments.count; k++) {
        if (!CHECK(irl_func_param_tensor(f, k, d->arguments, &t))) return 0;
        d->size[k] = t.bytes;
        d->bytes[k] = (unsigned char *)malloc(t.bytes ? t.bytes : 1);
        if (!d->bytes[k]) abort();
        d->arguments.data[k] = d->bytes[k];
        fill(d->bytes[k], t.type, t.bytes);
    }
    return 1;
}

static int is_same(const data *a, const data *b)
{
    int k;
    for (k = 3; k < a->arguments.count; k++)
        if (a->size[k] != b->size[k] || memcmp(a->bytes[k], b->bytes[k], a->size[k]) != 0) return 0;
    return 1;
}

static int peeled, untouched, compared, undefined, stepped;

/* One form of it (a function or a module) on the same numbers. */
static int one_form(const irl_func *f, const irl_func *g, const irl_module *m, const int64_t *names,
                    const data *wanted)
{
    data found;
    int  ok = data_make(f, names, &found) &&
             (g ? irl_func_interpret(g, found.arguments)
                : irl_module_interpret(m, found.arguments)) &&
             is_same(wanted, &found);
    data_free(&found);
    return ok;
}

static void one_target(irl_ctx *cx, const named_case *c, const irl_func *f, const char *target,
                       const int64_t *names, const data *wanted)
{
    const char       *steps = irl_schedule_auto(f, irl_target_find(target));
    const irl_func   *g = irl_schedule_parse(f, steps, IRL_TO_NUL, NULL);
    const irl_module *m = irl_func_lower(f, irl_target_find(target));
    int               ok;
    peeled += strstr(steps, "peel(") != NULL;
    untouched += strchr(steps, ';') == NULL;
    ok = CHECK(g != NULL) && CHECK(m != NULL) && CHECK(one_form(f, g, NULL, names, wanted)) &&
         CHECK(one_form(f, NULL, m, names, wanted)) &&
         CHECK(irl_target_find(target)->serial ? irl_c_source(m)[0] : irl_ocl_source(m)[0]) &&
         CHECK(!strstr(steps, "columns, which are whole vectors"));
    compared++;
    if (!ok && test_failed < 20)
        printf("%s, n = %d, m = %d, q = %d: %s\n%s\n%s\n", target, (int)names[0], (int)names[1],
               (int)names[2], irl_diag_text(cx), c->text, steps);
}

/* The schedule made for one function and target, for these values of n, m and q. */
static void one_text(const char *text, const char *target, const int64_t *names)
{
    named_case      c;
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_func *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    data            wanted;
    snprintf(c.text, sizeof c.text, "%s", text);
    if (CHECK_OK(cx) && data_make(f, names, &wanted) &&
        CHECK(irl_func_interpret(f, wanted.arguments)))
        one_target(cx, &c, f, target, names, &wanted);
    data_free(&wanted);
    irl_ctx_destroy(cx);
}

/* Allocations elsewhere say that a name is none below 0: done as one text the schedules of these
   were refused, though its parts had been done. */
static void replayed_as_one(void)
{
    static const int64_t names[] = { 17, 5, 3 };
    one_text("func f(n: index, m: index, q: index, w: f32[q], x: f32[m, n + 2]) { alloc t: f32[n]; "
             "for (b: n) t[b] = 2; for (i: m, j: n) x[i, j] = sum(k: q, w[k]); }",
             "opencl12-avx2", names);
    one_text("func f(n: index, m: index, q: index, x: f32[m, n + 2]) { alloc t: f32[m, n]; for (a: "
             "m, b: n) t[a, b] = 2; for (i: m, j: n) x[i, j] = sum(k: q, 3.0); }",
             "opencl12-avx2", names);
}

/* A sum of no terms: what a tile of a group kept of it is not stored over the zero. */
static void sums_of_none(void)
{
    static const int64_t names[] = { 70, 65, 0 };
    one_text("func f(n: index, m: index, q: index, x: f32[n, q], w: f32[q, m], y: f32[n, m]) { "
             "for (i: n, j: m) y[i, j] = sum(k: q, x[i, k] * w[k, j]); }",
             "opencl12-gpu", names);
}

/* What a work-item keeps has a number of elements. */
static void private_memory(void)
{
    static const int64_t      names[] = { 35, 33, 3 };
    static const char *const texts[] = {
        "func f(n: index, m: index, q: index, x: f32[n, n], y: f32[n]) { "
        "for (j: n) y[j] = sum(k: j, x[j, k]); }",
        "func f(n: index, m: index, q: index, x: f32[n, n], y: f32[n]) { "
        "for (j: n) y[j] += max(k: 0 .. j, x[j, k] * 2.0f); }",
        "func f(n: index, m: index, q: index, x: f32[n, m], y: f32[n, m]) { for (i: n) { "
        "let z = sum(k: m, x[i, k]); for (j: m) y[i, j] = sum(k: m, x[i, k] * z) / 2.0f; } }",
        "func f(n: index, m: index, q: index, a: f32[n, q], b: f32[m, q], v: f32[m, q], o: f32[n, "
        "q]) { for (i: n) { let t = max(j: m, sum(e: q, a[i, e] * b[j, e])); let z = sum(j: m, "
        "sum(e: q, a[i, e] * b[j, e]) - t); for (e: q) o[i, e] = sum(j: m, (sum(g: q, a[i, g] * "
        "b[j, g]) - t) * v[j, e]) / (z + 1.0f); } }",
        "func f(n: index, m: index, q: index, x: f32[n, q], w: f32[q, m], y: f32[n, m]) "
        "layout(y: (i, j) -> (i, j / 4, j % 4), pad(0.0)) { "
        "for (i: n, j: m) y[i, j] = sum(k: q, x[i, k] * w[k, j]); }"
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        for (int t = 0; t < TARGETS; t++) one_text(texts[k], targets[t], names);
}

static void one_case(const named_case *c)
{
    static const int64_t values[] = { 0, 1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 40, 65 };
    irl_ctx             *cx = irl_ctx_create(NULL);
    const irl_func      *f = irl_func_parse(cx, c->text, IRL_TO_NUL, NULL);
    irl_mark             mark = irl_ctx_mark(cx);
    int                  k, j;
    if (!CHECK_OK(cx)) printf("%s\n", c->text);
    for (k = 0; f && k < 4; k++) {
        int64_t names[3];
        data    wanted;
        for (j = 0; j < 3; j++) names[j] = values[random_below(13)];
        if (data_make(f, names, &wanted) && irl_func_interpret(f, wanted.arguments))
            one_target(cx, c, f, targets[random_below(TARGETS)], names, &wanted);
        else undefined++; /* as the least of nothing, in a type that has no number for it */
        data_free(&wanted);
        irl_ctx_rewind(cx, mark);
    }
    irl_ctx_destroy(cx);
}

/* Steps drawn at random: what they make of the function computes the same, extents below 0 too. */
static void steps_at_random(const named_case *c, unsigned seed)
{
    static const int64_t values[] = { 0, 1, 2, 3, 5, 8, 9, 11, 13, 17 };
    irl_ctx             *cx = irl_ctx_create(NULL);
    const irl_func      *f = irl_func_parse(cx, c->text, IRL_TO_NUL, NULL), *g = f;
    char                 all[MOST_TRIES * 300] = "";
    int                  k, j;
    draw_state = seed;
    for (k = 0; g && k < 24 && strlen(all) < 1500; k++) {
        char            step[280];
        names           n;
        const irl_func *next;
        read_names(irl_func_text(g), &n);
        if (!(draw(4) ? draw_step(&n, step, sizeof step) : draw_sum_step(&n, step, sizeof step)))
            continue;
        irl_mark mark = irl_ctx_mark(cx);
        next = irl_schedule_parse(g, step, IRL_TO_NUL, NULL);
        if (!next) irl_ctx_rewind(cx, mark);
        if (!next) continue;
        g = next;
        strcat(strcat(all, step), "\n");
        stepped++;
    }
    for (k = 0; f && k < 6; k++) {
        irl_mark mark = irl_ctx_mark(cx);
        int64_t  names[3];
        data     wanted;
        for (j = 0; j < 3; j++) names[j] = values[random_below(10)];
        if (data_make(f, names, &wanted) && irl_func_interpret(f, wanted.arguments) &&
            !CHECK(one_form(f, g, NULL, names, &wanted)))
            printf("n = %d, m = %d, q = %d: %s\n%s\n%s\n", (int)names[0], (int)names[1],
                   (int)names[2], irl_diag_text(cx), c->text, all);
        data_free(&wanted);
        irl_ctx_rewind(cx, mark);
    }
    irl_ctx_destroy(cx);
}

static int asks(irl_ctx *cx, int which)
{
    static const char *const texts[] = {
        "func f(n: index, m: index, q: index, a: f32[n, q], b: f32[q, m], c: f32[n, m]) { for (i: "
        "n, j: m) c[i, j] = sum(k: q, a[i, k] * b[k, j]); }",
        "func f(n: index, x: f32[n, n], y: f32[n, n]) { for (i: n) { let t = max(k: n, x[i, k]); "
        "for (j: n) y[i, j] = x[j, i] - t; } }"
    };
    const irl_func *f = irl_func_parse(cx, texts[which], IRL_TO_NUL, NULL);
    return irl_schedule_auto(f, irl_target_find(which == 1 ? "opencl12-gpu" : "opencl12"))[0] !=
           '\0';
}

int main(int argc, char **argv)
{
    static named_case c;
    int               k, count = argc > 2 ? atoi(argv[2]) : TEST_COUNT(220);
    if (argc > 1) random64_seed(argv[1]);
    for (k = 0; k < count; k++) {
        named_make(&c);
        one_case(&c);
        steps_at_random(&c, (unsigned)k);
    }
    printf("%d functions of names: %d compared, %d peeled, %d without a step, %d undefined; %d "
           "steps at random\n", count, compared, peeled, untouched, undefined, stepped);
    CHECK(count < 80 ||
          (peeled > compared / 4 && compared > 3 * count && stepped > 3 * count));
    replayed_as_one();
    sums_of_none();
    private_memory();
    for (k = 0; k < 2; k++) failing_each(asks, k, k & 1);
    return test_done();
}
