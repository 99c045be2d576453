/* test_schedule_text.c - schedules as text, beside their function: which one is done, what a wrong
   text is told, texts that are changed at random (a diagnostic, or a function that computes what it
   did before), and memory that runs out at every allocation. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "failing.h"
#include "schedule_data.h"
#include "mutate.h"
#include "test.h"

#include <limits.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
enum { LONGEST = 4096 };

/* Functions, and steps for them. */
#define ROWS \
    "func f(x: i32[12, 8], y: i32[12, 8]) { for (i: 12, j: 8) y[i, j] = x[i, j] + 1; }"
#define SUM \
    "func f(x: i32[6, 8], y: i32[6]) { for (i: 6) y[i] = sum(k: 8, x[i, k]); }"
#define CHAIN \
    "func f(x: i32[16], y: i32[16], z: i32[16]) { alloc t: i32[16]; for (i: 16) t[i] = x[i] " \
    "* 3; for (i: 16) y[i] = t[15 - i]; for (i: 16) z[i] = y[i] + 1; }"
#define PRODUCT \
    "func f(x: i32[8, 6], w: i32[6, 7], y: i32[8, 7]) { for (i: 8, j: 7) y[i, j] = sum(k: 6, " \
    "x[i, k] * w[k, j]); }"
#define NAMED \
    "func f(n: index, x: f32[n], y: f32[n]) { for (i: n) y[i] = x[i] * 2 + 1; }"
#define LANES \
    "func f(x: i32[4], y: i32[4]) { for (i: 4) block y(v: spatial(4) = i) { y[v] = x[v]; } }"
static const struct {
    const char *func, *steps;
} corpus[] = {
    { ROWS, "(io, ii) = split(y.i, 4); reorder(io, y.j, ii); g = fuse(io, y.j); unroll(ii); "
      "annotate(g, group = 4);" },
    { ROWS, "(io, ii) = split(y.i, 5); vectorize(y.j); bind(io, global.x);" },
    { ROWS, "(a, b, c) = partition(y.i, 3, 7); u = add_unit_loop(b); parallel(a);" },
    { ROWS, "c = cache_read(y, x, local); compute_at(c, y.i); storage_align(c, 0, 0, 8, 1);" },
    { SUM, "(ko, ki) = split(y.k, 4); r = rfactor(ki, 0);" },
    { SUM, "init = decompose_reduction(y, y.i);" },
    { SUM, "bind(y.k, local.x);" },
    { CHAIN, "compute_inline(t); transform_layout(z, z, (i) -> (i / 4, i % 4));" },
    { CHAIN, "(o, l) = split(y.i, 4); compute_at(t, o); set_scope(t, 0, local);" },
    { CHAIN, "merge(y.i, z.i);" },
    { CHAIN, "transform_layout(t, t, (i) -> (i % 4, i / 4)); parallel(t.i);" },
    { PRODUCT, "pad_einsum(y, 4, 4, 4);" },
    { PRODUCT, "r = reindex(y, w); tile = blockize(y.j);" },
    { PRODUCT, "p = reindex_cache_read(y, w, local, (i, j, k) -> (j, k));" },
    { NAMED, "contract(y); (io, ii) = split(y.i, 8);" },
    { LANES, "transform_block_layout(y, (i) -> (i / 2, i % 2));" },
};

/* ------------------------------------------------------------------ which one is done */

#define BESIDE \
    "func f(n: index, y: i32[n, 8]) { for (i: n, j: 8) y[i, j] = 3; }\n" \
    "schedule a { (o, l) = split(y.j, 4); }\n" \
    "schedule b { (o, l) = split(y.j, 2); }\n"

static const char *steps_of(irl_ctx *cx, const char *text, const char *name)
{
    irl_func *f = irl_func_parse_scheduled(cx, text, IRL_TO_NUL, "file", name);
    return f ? irl_schedule_text(f) : NULL;
}

static void check_chosen(void)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = irl_func_parse_scheduled(cx, BESIDE, IRL_TO_NUL, NULL, "b"), *g;
    CHECK(f && strstr(irl_schedule_text(f), "split(y.j, 2)"));
    g = irl_func_parse_scheduled(cx, BESIDE, IRL_TO_NUL, NULL, "");
    g = irl_schedule_parse(g, "{ (o, l) = split(y.j, 2); }", IRL_TO_NUL, NULL);
    CHECK(f && g && irl_func_equal(f, g) && !strcmp(irl_schedule_text(f), irl_schedule_text(g)));
    CHECK(strstr(steps_of(cx, BESIDE, NULL), "split(y.j, 4)") != NULL);
    CHECK(strcmp(steps_of(cx, BESIDE, ""), "{\n}\n") == 0);
    CHECK(strcmp(steps_of(cx, "func f(y: i32[1]) { y[0] = 1; }", NULL), "{\n}\n") == 0);
    CHECK(strcmp(steps_of(cx, "func f(y: i32[1]) { y[0] = 1; } schedule e { }", "e"), "{\n}\n") ==
          0);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* What a wrong text is told, and in which line. */
static void check_wrong(void)
{
    static const struct {
        const char *text, *name;
        irl_code    code;
        int         line;
        const char *says;
    } wrong[] = {
        { BESIDE, "c", IRL_ERROR_UNKNOWN_NAME, 0,
          "there is no schedule 'c' next to the function: a, b" },
        { "func f(y: i32[1]) { y[0] = 1; }", "c", IRL_ERROR_UNKNOWN_NAME, 0, ", nor any other" },
        { BESIDE "schedule a { }", NULL, IRL_ERROR_DUPLICATE_NAME, 4, "a schedule 'a' already" },
        { BESIDE "schedule c { cut(y.i); }", NULL, IRL_ERROR_UNKNOWN_NAME, 4, "no step 'cut'" },
        { BESIDE "schedule c\n{ split(y.k, 2); }", "c", IRL_ERROR_UNKNOWN_NAME, 5, "y.k" },
        { BESIDE "schedule c {\n\nparallel(y.i); vectorize(y.q); }", "c", IRL_ERROR_UNKNOWN_NAME, 6,
          "y.q" },
        { BESIDE "schedule { }", NULL, IRL_ERROR_SYNTAX, 4, "the name of the schedule" },
        { BESIDE "schedule c { annotate(y.j, k = m); }", NULL, IRL_ERROR_UNKNOWN_NAME, 4, "m" },
        { BESIDE "schedule c { split(y.j, n); }", NULL, IRL_ERROR_SYNTAX, 4, "argument 2" },
        { BESIDE "schedule c { split(y.j, 2) }", NULL, IRL_ERROR_SYNTAX, 4, "';'" },
        { BESIDE "schedule c { split(y.j, 2);", NULL, IRL_ERROR_SYNTAX, 4, "" },
        { BESIDE "func g() { }", NULL, IRL_ERROR_SYNTAX, 4, "'schedule' and its name" },
        { "schedule a { } func f() { }", NULL, IRL_ERROR_SYNTAX, 1, "func" },
    };
    int k;
    for (k = 0; k < COUNT(wrong); k++) {
        irl_ctx *cx = irl_ctx_create(NULL);
        CHECK(!irl_func_parse_scheduled(cx, wrong[k].text, IRL_TO_NUL, NULL, wrong[k].name));
        if (CHECK(irl_diag_of(cx) != NULL) &&
            !CHECK(irl_diag_of(cx)->code == wrong[k].code &&
                   irl_diag_of(cx)->line == wrong[k].line &&
                   strstr(irl_diag_text(cx), wrong[k].says)))
            printf("  %d: %s\n", k, irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
}

/* ------------------------------------------------------------------ any text */

/* A function, which computes what it did, or a diagnostic. */
static void ask_changed(irl_ctx *cx, const irl_func *before, const char *text, size_t length,
                        const char *name, int *done)
{
    irl_func *f = irl_func_parse_scheduled(cx, text, length, NULL, name), *again;
    CHECK((f != NULL) == irl_ok(cx));
    if (!f) return;
    ++*done;
    again = irl_schedule_parse(before, irl_schedule_text(f), IRL_TO_NUL, NULL);
    if (!CHECK(again && irl_func_equal(again, f)) ||
        !CHECK(schedule_same(before, f, 1) != DIFFERENT))
        printf("---- %.*s\n%s\n", (int)length, text, irl_diag_text(cx));
}

/* Only the steps are changed: a function that is another one could compute anything. */
static void check_mutated(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_mark mark = irl_ctx_mark(cx);
    int      k, total = TEST_COUNT(2000), done = 0;
    char    *text = (char *)malloc(2 * LONGEST);
    if (getenv("IRL_SOAK")) total = 60000;
    for (k = 0; k < total && test_failed < 20; k++) {
        const int   which = TEST_RANDOM(COUNT(corpus));
        size_t    head, length = strlen(corpus[which].steps);
        irl_func *before = irl_func_parse(cx, corpus[which].func, IRL_TO_NUL, NULL);
        head = (size_t)sprintf(text, "%s schedule s { ", corpus[which].func);
        memcpy(text + head, corpus[which].steps, length);
        mutate(text + head, &length, LONGEST);
        text[head + length] = '}';
        ask_changed(cx, before, text, head + length + 1, "s", &done);
        irl_ctx_rewind(cx, mark);
    }
    CHECK(done > total / 20); /* not everything is refused */
    printf("%d of %d changed schedules are carried out\n", done, total);
    free(text);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ every one of the corpus */

static const char *carried_out(irl_ctx *cx, int which, int *status)
{
    char        text[LONGEST];
    const char *shown;
    irl_func   *f;
    sprintf(text, "%s schedule s { %s }", corpus[which].func, corpus[which].steps);
    f = irl_func_parse_scheduled(cx, text, IRL_TO_NUL, NULL, "s");
    if (f && status)
        *status = schedule_same(irl_func_parse_scheduled(cx, text, IRL_TO_NUL, NULL, ""), f, 1);
    shown = f ? irl_schedule_text(f) : "";
    return shown[0] ? shown : NULL; /* "" where memory is out */
}

static void check_failing(int which)
{
    failing      f;
    irl_ctx_desc desc = failing_desc(&f, LONG_MAX, 0);
    irl_ctx     *cx = irl_ctx_create(&desc);
    long         n, needed;
    int          status = DIFFERENT;
    if (!CHECK(carried_out(cx, which, &status) && status == SAME))
        printf("%d: %s\n", which, irl_diag_text(cx));
    irl_ctx_destroy(cx);
    desc = failing_desc(&f, LONG_MAX, 0);
    cx = irl_ctx_create(&desc);
    CHECK(carried_out(cx, which, NULL) != NULL);
    irl_ctx_destroy(cx);
    needed = LONG_MAX - f.left;
    for (n = 1; n < needed; n++) {
        desc = failing_desc(&f, n, 0);
        cx = irl_ctx_create(&desc);
        if (!cx) continue;
        if (!CHECK(!carried_out(cx, which, NULL)))
            printf("%d: %ld of %ld\n", which, n, needed);
        CHECK_CODE(cx, IRL_ERROR_OUT_OF_MEMORY);
        irl_ctx_destroy(cx);
        if (!CHECK(f.held == 0)) return;
    }
}

static void check_corpus(void)
{
    int k;
    for (k = 0; k < COUNT(corpus); k++) check_failing(k);
}

int main(void)
{
    check_chosen();
    check_wrong();
    check_corpus();
    check_mutated();
    return TEST_DONE();
}
