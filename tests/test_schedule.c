/* test_schedule.c - schedules: text, names, refusals; and the recorded calls of the primitives that
   we have, carried out and compared with the function before in the interpreter.

   ../shared/oracle/schedule_cases.json holds the recorded calls; without it that part is
   skipped. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "json.h"
#include "random64.h"
#include "refusals.h"
#include "schedule_data.h"
#include "test.h"
#include "draw_cells.h"
#include "draw_partial.h"

IRL_KERNEL(plain, (x: f32[10, 12], y: f32[10, 12]) {
    for (h: 10, w: 12)
        y[h, w] = x[h, w] + 1.0f;
});
IRL_SCHEDULE(tiled, { (ho, hi) = split(y.h, 4); split(y.w, 3); f = fuse(y.w_outer, w_inner); });

/* The function without the notes that a schedule leaves; check_kept is about them. */
static irl_func *without_notes(irl_ctx *cx, const irl_func *f)
{
    static const char note[] = " note(scheduled = 1)";
    const char       *text = irl_func_text(f), *at;
    char             *plain = (char *)calloc(strlen(text) + 1, 1);
    irl_func         *out;
    if (!plain) abort();
    for (; (at = strstr(text, note)) != NULL; text = at + strlen(note))
        strncat(plain, text, (size_t)(at - text));
    strcat(plain, text);
    out = irl_func_parse(cx, plain, IRL_TO_NUL, NULL);
    free(plain);
    return out;
}

/* The function after the steps equals `after` but for notes, gives the same numbers, and replays
   from its text. */
static void check_steps(const char *before, const char *steps, const char *after)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_func_parse(cx, before, IRL_TO_NUL, NULL);
    irl_func   *g = irl_schedule_parse(f, steps, IRL_TO_NUL, NULL), *again;
    irl_func   *wanted = irl_ok(cx) ? irl_func_parse(cx, after, IRL_TO_NUL, NULL) : NULL;
    const char *text = irl_schedule_text(g);
    if (!CHECK_OK(cx)) {
        irl_ctx_destroy(cx);
        return;
    }
    if (!CHECK(irl_func_equal(without_notes(cx, g), wanted))) printf("found\n%s", irl_func_text(g));
    CHECK(schedule_same(f, g, 1) == SAME);
    again = irl_schedule_parse(f, text, IRL_TO_NUL, NULL);
    CHECK(again && strcmp(irl_func_text(again), irl_func_text(g)) == 0);
    CHECK(again && strcmp(irl_schedule_text(again), text) == 0);
    CHECK(irl_func_equal(irl_func_parse(cx, irl_func_text(g), IRL_TO_NUL, NULL), g));
    irl_ctx_destroy(cx);
}

static int refusal_count, refusal_evaluated; /* accesses, at the iterations that are shown */

static void check_refused(const char *before, const char *steps, irl_code code, const char *says)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = irl_func_parse(cx, before, IRL_TO_NUL, NULL);
    CHECK_OK(cx);
    CHECK(!irl_schedule_parse(f, steps, IRL_TO_NUL, NULL));
    CHECK_CODE(cx, code);
    if (!CHECK(strstr(irl_diag_text(cx), says) != NULL))
        printf("%s\nfound %s\n", steps, irl_diag_text(cx));
    if (irl_schedule_refusal(cx)) {
        refusal_evaluated += refusal_check(irl_schedule_refusal(cx), irl_diag_of(cx));
        refusal_count++;
    } else if (!CHECK(code != IRL_ERROR_ILLEGAL_STEP)) printf("%s has no parts\n", steps);
    irl_ctx_destroy(cx);
}

/* Both schedules make the same function, which computes what it did. */
static void check_same(const char *before, const char *one, const char *other)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = irl_func_parse(cx, before, IRL_TO_NUL, NULL);
    irl_func *g = irl_schedule_parse(f, one, IRL_TO_NUL, NULL);
    irl_func *h = irl_schedule_parse(f, other, IRL_TO_NUL, NULL);
    if (!CHECK_OK(cx) || !CHECK(irl_func_equal(g, h)))
        printf("%s\n%s%s", one, irl_func_text(g), irl_func_text(h));
    else CHECK(schedule_same(f, g, 1) == SAME);
    irl_ctx_destroy(cx);
}

#define TWO "func f(y: i32[10, 7]) { for (i: 10, j: 7) y[i, j] = 3; }"
#define BLOCKS \
    "func f(n: index, y: i32[n, 8]) { for (i: n, j: 8) block b(v: spatial(n) = i, " \
    "u: spatial(8) = j) { y[v, u] = i32(v); } }"

static void check_text(void)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = irl_schedule(irl_kernel(cx, &plain), &tiled);
    CHECK_OK(cx);
    CHECK(f && strcmp(irl_schedule_text(f), "{\n    (ho, hi) = split(y.h, 4);\n    split(y.w, 3);\n"
                                            "    f = fuse(y.w_outer, w_inner);\n}\n") == 0);
    CHECK(!irl_schedule_text(NULL)[0]);
    CHECK(irl_schedule(NULL, &tiled) == NULL);
    irl_ctx_destroy(cx);
}

static void check_loops(void)
{
    check_steps(TWO, "{ split(y.i, 4); }",
                "func f(y: i32[10, 7]) { for (a: 3, b: 4, j: 7) if (a * 4 + b < 10) "
                "y[a * 4 + b, j] = 3; }");
    check_steps(TWO, "{ (a, b, c) = split(y.i, _, 5, 2); }",
                "func f(y: i32[10, 7]) { for (a: 1, b: 5, c: 2, j: 7) "
                "y[(a * 5 + b) * 2 + c, j] = 3; }");
    check_steps(TWO, "{ split(y.i, 2, _); }",
                "func f(y: i32[10, 7]) { for (a: 2, b: 5, j: 7) y[a * 5 + b, j] = 3; }");
    check_steps(TWO, "{ f = fuse(y.i, y.j); split(f, 16); }",
                "func f(y: i32[10, 7]) { for (a: 5, b: 16) if (a * 16 + b < 70) "
                "y[(a * 16 + b) / 7, (a * 16 + b) % 7] = 3; }");
    check_steps(BLOCKS, "{ (a, c) = split(b.i, 4); fuse(c, b.j); annotate(b, k = \"v\"); "
                "add_unit_loop(b); }",
                "func f(n: index, y: i32[n, 8]) { for (a: (n + 3) / 4, c_j_fused: 32, u: 1) "
                "block b(v: spatial(n) = a * 4 + c_j_fused / 8, w: spatial(8) = c_j_fused % 8) "
                "where(a * 4 + c_j_fused / 8 < n) note(k = \"v\") { y[v, w] = i32(v); } }");
    check_steps("func f(y: i32[10]) { for (i: 3 .. 10) y[i] = 1; for (i: 2) y[i] = 2; }",
                "{ split(y.i, 2); fuse(y_1.i); }",
                "func f(y: i32[10]) { for (a: 4, b: 2) if (a * 2 + b < 7) y[3 + (a * 2 + b)] = 1; "
                "for (i: 2) y[i] = 2; }");
}

/* Loops that were cut or fused still write each element: nothing is copied in. */
static void check_covered(void)
{
    static const char sum[] = "func f(x: f32[8, 4], y: f32[8]) { for (i: 8) "
                              "y[i] = sum(k: 4, x[i, k]); }";
    static const char each[] = "func f(x: f32[8], y: f32[8]) { alloc t: f32[8]; "
                               "p: for (i: 8) t[i] = x[i] + 1; q: for (i: 8) y[i] = t[i] * 2; }";
    static const char two[] = "func f(x: i32[6, 4], y: i32[6, 4]) { for (i: 6, j: 4) "
                              "y[i, j] = x[i, j] * 3; }";
    static const char later[] = "func f(x: i32[8], y: i32[6]) { for (i: 2..8) y[i - 2] = x[i]; }";
    static const char some[] = "func f(n: index, x: i32[n, 9], y: i32[9]) { for (i: 9, k: n) "
                               "block b(v: spatial(9) = i, w: reduce(n) = k) "
                               "{ init y[v] = 0; y[v] = y[v] + x[w, v]; } }";
    static const char part[] = "func f(x: u8[4], y: u8[4, 4]) { for (i: 4) { alloc t: u4[4]; "
                               "for (j: 1) t[i] = x[i]; for (k: 4) y[i, k] = t[k]; } }";
    static const char *const holes[][2] = {
        { "func f(y: i32[8]) { for (i: 4) y[i * 2] = 7; }", "split(y.i, 2)" },
        { "func f(x: i32[8], y: i32[8]) { for (i: 8) if (x[i] > 3) y[i] = 7; }", "split(y.i, 3)" },
        { "func f(x: i32[8], y: i32[8]) { for (i: 8) if (i < 7) y[i] = 7; }", "split(y.i, 4)" },
        { "func f(y: i32[8, 8]) { for (i: 8, j: i + 1) y[i, j] = 7; }", "split(y.i, 4)" },
        { "func f(x: i32[8], y: i32[8]) { for (i: 8) y[x[i] & 7] = 7; }", "split(y.i, 4)" },
        { "func f(n: index, y: i32[8]) { for (i: n) y[i % 8] = 7; }", "split(y.i, 4)" },
        { "func f(n: index, y: i32[8]) { for (i: 8, j: n, k: j) y[i] = 5; }", "split(y.i, 4)" },
        { "func f(y: i32[8]) { for (i: 8, j: 0) y[i] = 1; }", "split(y.i, 4)" },
        { "func f(y: i32[8]) { for (i: 8) y[i] = y[i] + 1; }", "split(y.i, 4)" },
    };
    size_t k;
    check_same(sum, "{ split(y.i, 4); acc = cache_write(y, 0, local); }",
               "{ acc = cache_write(y, 0, local); split(y.i, 4); }");
    check_same(sum, "{ split(y.i, 3); acc = cache_write(y, 0, local); }",
               "{ acc = cache_write(y, 0, local); split(y.i, 3); }");
    check_same(sum, "{ (o, i) = split(y.i, 4); acc = cache_write(y, 0, local); "
                    "reverse_compute_at(acc, o); }",
               "{ acc = cache_write(y, 0, local); (o, i) = split(y.i, 4); "
               "reverse_compute_at(acc, o); }");
    check_same(each, "{ split(p.i, 4); a = cache_write(p, t, local); }",
               "{ a = cache_write(p, t, local); split(p.i, 4); }");
    check_same(each, "{ split(p.i, 3); a = cache_write(p, t, local); }",
               "{ a = cache_write(p, t, local); split(p.i, 3); }");
    check_same(two, "{ fuse(y.i, y.j); a = cache_write(y, y, local); }",
               "{ a = cache_write(y, y, local); fuse(y_local.i, y_local.j); }");
    check_same(two, "{ f = fuse(y.i, y.j); split(f, 5); a = cache_write(y, y, local); }",
               "{ a = cache_write(y, y, local); f = fuse(y_local.i, y_local.j); split(f, 5); }");
    check_same(later, "{ split(y.i, 3); a = cache_write(y, y, local); }",
               "{ a = cache_write(y, y, local); split(y_local.i, 3); }");
    check_same(some, "{ split(b.i, 2); a = cache_write(b, y, local); }",
               "{ a = cache_write(b, y, local); split(b.i, 2); }");
    for (k = 0; k < sizeof holes / sizeof *holes; k++) {
        char steps[128];
        sprintf(steps, "{ %s; cache_write(y, y, local); }", holes[k][1]);
        check_same(holes[k][0], steps, steps);
    }
    /* t is declared anew in each iteration of i, which writes one element of it */
    check_refused(part, "{ reverse_compute_at(y, t.j); }", IRL_ERROR_ILLEGAL_STEP,
                  "that nothing has written");
    check_refused(part, "{ reverse_compute_inline(y); }", IRL_ERROR_ILLEGAL_STEP,
                  "that nothing has written");
    /* the one element that an iteration of q takes is known, and t as large */
    check_steps(each, "{ split(p.i, 4); compute_at(p, q.i); }",
                "func f(x: f32[8], y: f32[8]) { q: for (i: 8) { alloc t: f32[1]; "
                "p: for (a: 1) t[0] = x[i / 4 * 4 + i % 4] + 1.0f; y[i] = t[0] * 2.0f; } }");
}

static void check_caches(void)
{
    check_steps(
        "func f(A: f32[5, 4], B: f32[4, 3]) { for (i: 4, j: 3) block B(vi: spatial(4) = i, "
        "vj: spatial(3) = j) reads(A[vi + 1, vj + 1]) writes(B[vi, vj]) "
        "{ B[vi, vj] = A[vi + 1, vj + 1] * 2.0f; } }",
        "{ c = cache_read(B, A, shared); split(c.ax0, 2); }",
        "func f(A: f32[5, 4], B: f32[4, 3]) { alloc s: f32[5, 4] scope(shared); "
        "for (x: 3, xi: 2, y: 4) block c(v0: spatial(5) = x * 2 + xi, v1: spatial(4) = y) "
        "where(x * 2 + xi < 5) reads(A[v0, v1]) writes(s[v0, v1]) { s[v0, v1] = A[v0, v1]; } "
        "for (i: 4, j: 3) block B(vi: spatial(4) = i, "
        "vj: spatial(3) = j) reads(s[vi + 1, vj + 1]) writes(B[vi, vj]) "
        "{ B[vi, vj] = s[vi + 1, vj + 1] * 2.0f; } }");
    check_steps(
        "func f(x: i32[4], y: i32[4], z: i32[4]) { for (i: 4) y[i] = x[i]; for (i: 4) "
        "z[i] = x[3 - i]; for (i: 4) x[i] = 0; for (i: 4) z[i] = z[i] + x[i]; }",
        "{ cache_read(y, 0, local); cache_write(y, y, local); }",
        "func f(x: i32[4], y: i32[4], z: i32[4]) { alloc c: i32[4] scope(local); for (a: 4) "
        "block x_local(v: spatial(4) = a) reads(x[v]) writes(c[v]) { c[v] = x[v]; } "
        "alloc w: i32[4] scope(local); y: for (i: 4) w[i] = c[i]; for (a: 4) "
        "block y_local(v: spatial(4) = a) reads(w[v]) writes(y[v]) { y[v] = w[v]; } "
        "for (i: 4) z[i] = c[3 - i]; for (i: 4) x[i] = 0; for (i: 4) z[i] = z[i] + x[i]; }");
    check_steps("func f(x: i32[8], y: i32[8]) { for (i: 4) y[ramp(i * 2, 1, 2)] = "
                "x[ramp(i * 2, 1, 2)] + 1; }", "{ cache_write(y, y, local); }",
                "func f(x: i32[8], y: i32[8]) { alloc w: i32[8] scope(local); for (a: 8) "
                "block y_local_in(v: spatial(8) = a) reads(y[v]) writes(w[v]) { w[v] = y[v]; } "
                "y: for (i: 4) w[ramp(i * 2, 1, 2)] = x[ramp(i * 2, 1, 2)] + 1; for (a: 8) "
                "block y_local(v: spatial(8) = a) reads(w[v]) writes(y[v]) { y[v] = w[v]; } }");
    check_steps("func f(y: i32[4]) { for (i: 2) y[i * 2] = 7; }", "{ cache_write(y, y, local); }",
                "func f(y: i32[4]) { alloc w: i32[4] scope(local); for (a: 4) "
                "block y_local_in(v: spatial(4) = a) reads(y[v]) writes(w[v]) { w[v] = y[v]; } "
                "y: for (i: 2) w[i * 2] = 7; for (a: 4) "
                "block y_local(v: spatial(4) = a) reads(w[v]) writes(y[v]) { y[v] = w[v]; } }");
    /* of a part of the buffer, all of which is written: that part is copied back, nothing in */
    check_steps("func f(x: i32[8, 4], y: i32[12, 9]) { for (i: 2 .. 10, k: 4) "
                "block y(vi: spatial(8) = i - 2, vk: reduce(4) = k) { init y[vi + 2 + 1, 3] = 0; "
                "y[vi + 2 + 1, 3] = y[vi + 2 + 1, 3] + x[vi + 2 - 2, vk]; } }",
                "{ cache_write(y, y, local); }",
                "func f(x: i32[8, 4], y: i32[12, 9]) { alloc w: i32[12, 9] scope(local); "
                "for (i: 2 .. 10, k: 4) block y(vi: spatial(8) = i - 2, vk: reduce(4) = k) { "
                "init w[vi + 2 + 1, 3] = 0; "
                "w[vi + 2 + 1, 3] = w[vi + 2 + 1, 3] + x[vi + 2 - 2, vk]; } "
                "for (a: 8, b: 1) block y_local(u: spatial(8) = a, v: spatial(1) = b) "
                "reads(w[u + 3, v + 3]) writes(y[u + 3, v + 3]) { y[u + 3, v + 3] = "
                "w[u + 3, v + 3]; } }");
    /* of a diagonal it is not known which cells those are */
    check_steps("func f(x: i32[4], y: i32[4, 5]) { for (i: 4) y[i, i + 1] = x[i]; }",
                "{ cache_write(y, y, local); }",
                "func f(x: i32[4], y: i32[4, 5]) { alloc w: i32[4, 5] scope(local); "
                "for (a: 4, b: 5) block y_local_in(u: spatial(4) = a, v: spatial(5) = b) "
                "reads(y[u, v]) writes(w[u, v]) { w[u, v] = y[u, v]; } "
                "y: for (i: 4) w[i, i + 1] = x[i]; "
                "for (a: 4, b: 5) block y_local(u: spatial(4) = a, v: spatial(5) = b) "
                "reads(w[u, v]) writes(y[u, v]) { y[u, v] = w[u, v]; } }");
    check_refused(TWO, "{ cache_read(y, y, local); }", IRL_ERROR_ILLEGAL_STEP, "does not read 'y'");
    /* whether the nest runs is known in it alone: the copy holds what was there */
    check_steps("func f(x: i32[n, 4], y: i32[4], n: index) { for (i: 4) { let m = n / 2; "
                "for (j: m) y[i] = x[j, i]; } }", "{ cache_write(y, y, local); }",
                "func f(x: i32[n, 4], y: i32[4], n: index) { alloc y_local: i32[4] scope(local); "
                "for (ax0: 4) block y_local_in(v0: spatial(4) = ax0) reads(y[v0]) "
                "writes(y_local[v0]) { y_local[v0] = y[v0]; } "
                "for (i: 4) { let m = n / 2; y: for (j: m) y_local[i] = x[j, i]; } "
                "for (ax0: 4) block y_local(v0: spatial(4) = ax0) reads(y_local[v0]) "
                "writes(y[v0]) { y[v0] = y_local[v0]; } }");
    check_refused(TWO, "{ cache_write(y, 1, local); }", IRL_ERROR_ILLEGAL_STEP,
                  "no buffer 1: the block writes 1");
    check_refused(TWO, "{ cache_write(y, y, nowhere); }", IRL_ERROR_UNKNOWN_NAME, "is not a scope");
    check_refused("func f(y: i32[4]) { for (i: 4) y[i] = y[i] + 1; }",
                  "{ cache_read(y, y, local); }", IRL_ERROR_ILLEGAL_STEP,
                  "written by the block itself");
    check_refused("func f(y: i32[4]) { decl v: i32[2, 2] data(y); for (i: 4) y[i] = v[0, i / 2]; }",
                  "{ cache_write(y, y, local); }", IRL_ERROR_ILLEGAL_STEP, "view");
}

#define SUM \
    "block s(v: spatial(6) = i, r: reduce(8) = ko * 4 + ki) reads(x[v, r]) writes(y[v]) " \
    "{ init { y[v] = 0; } y[v] = y[v] + x[v, r]; }"

static void check_reductions(void)
{
    check_steps("func f(x: i32[6, 8], y: i32[6]) { for (ko: 2, i: 6, ki: 4) " SUM " }",
                "{ decompose_reduction(s, s.ko); }",
                "func f(x: i32[6, 8], y: i32[6]) { for (i: 6) block s_init(v: spatial(6) = i) "
                "writes(y[v]) { y[v] = 0; } for (ko: 2, i: 6, ki: 4) block s(v: spatial(6) = i, "
                "r: reduce(8) = ko * 4 + ki) reads(x[v, r], y[v]) writes(y[v]) "
                "{ y[v] = y[v] + x[v, r]; } }");
    check_refused("func f(x: i32[6, 8], y: i32[6]) { for (ko: 2, i: 6, ki: 4) " SUM " }",
                  "{ decompose_reduction(s, s.i); }", IRL_ERROR_ILLEGAL_STEP,
                  "'ko', which is outside");
    check_refused("func f(x: i32[6, 8], y: i32[6]) { for (ko: 2, i: 6, ki: 4, again: 2) " SUM " }",
                  "{ decompose_reduction(s, s.ko); }", IRL_ERROR_ILLEGAL_STEP,
                  "several iterations");
    check_refused("func f(x: i32[6, 8], y: i32[6], z: i32[6]) { for (ko: 2, i: 6) { for (ki: 4) "
                  SUM " z[i] = y[i]; } }", "{ decompose_reduction(s, s.ko); }",
                  IRL_ERROR_ILLEGAL_STEP, "'y' is touched by something else");
    check_refused(TWO, "{ decompose_reduction(y, y.i); }", IRL_ERROR_ILLEGAL_STEP, "no init");
    /* a loop of a named extent, and one of numbers, are one axis together */
    check_steps("func f(n: index, x: i32[n * 8], y: i32[1]) { for (ko: n, ki: 8) block s(r: "
                "reduce(n * 8) = ko * 8 + ki) { init { y[0] = 0; } y[0] = y[0] + x[r]; } }",
                "{ decompose_reduction(s, s.ko); }",
                "func f(n: index, x: i32[n * 8], y: i32[1]) { if (n > 0) block s_init() { y[0] = "
                "0; } for (ko: n, ki: 8) block s(r: reduce(n * 8) = ko * 8 + ki) "
                "{ y[0] = y[0] + x[r]; } }");
    check_refused("func f(n: index, x: i32[n * 8], y: i32[1]) { for (ko: n, ki: 8) block s(r: "
                  "reduce(n * 8) = ko * 4 + ki) { init { y[0] = 0; } y[0] = y[0] + x[r]; } }",
                  "{ decompose_reduction(s, s.ko); }", IRL_ERROR_ILLEGAL_STEP,
                  "points of the reduce axes have several iterations: lossy for n = ");
}

/* What a person writes as two stores is a block with init, and is taken apart again. */
#define NAMED_RANGE_OF(assumed, begin) \
    "func f(n: index, x: i32[6, n], y: i32[6]) { " assumed "for (i: 6) { y[i] = " begin "; " \
    "for (a: n) y[i] = y[i] + x[i, a]; } }"
#define NAMED_RANGE(assumed) NAMED_RANGE_OF(assumed, "0")
/* where no iteration may run the store stays in front of the block */
#define NAMED_RANGE_KEPT(assumed) \
    "func f(n: index, x: i32[6, n], y: i32[6]) { " assumed "for (i: 6) { y[i] = 0; for (a: n) " \
    "block y(vi: spatial(6) = i, va: reduce(n) = a) { init { y[vi] = 0; } y[vi] = y[vi] + " \
    "x[vi, va]; } } }"

static void check_composed(void)
{
    check_steps("func f(x: i32[6, 8], y: i32[6]) { for (i: 6) { y[i] = 3; for (a: 2, b: 4) "
                "y[i] = y[i] + x[i, a * 4 + b]; } }",
                "{ s = compose_reduction(y); }",
                "func f(x: i32[6, 8], y: i32[6]) { for (i: 6, a: 2, b: 4) block s("
                "vi: spatial(6) = i, va: reduce(2) = a, vb: reduce(4) = b) { init { y[vi] = 3; } "
                "y[vi] = y[vi] + x[vi, va * 4 + vb]; } }");
    check_steps("func f(x: i32[9], y: i32[1]) { y[0] = 1; for (a: 9) y[0] = max(y[0], x[a]); }",
                "{ compose_reduction(y); }",
                "func f(x: i32[9], y: i32[1]) { for (a: 9) block y(va: reduce(9) = a) "
                "{ init { y[0] = 1; } y[0] = max(y[0], x[va]); } }");
    check_steps("func f(x: i32[1, 6, 9], y: i32[1, 6]) { for (n: 1, i: 6) { y[n, i] = 3; "
                "for (r: 1, a: 9) y[n, i] = y[n, i] + x[r, i, a]; } }",
                "{ compose_reduction(y); }",
                "func f(x: i32[1, 6, 9], y: i32[1, 6]) { for (n: 1, i: 6, r: 1, a: 9) block y("
                "vn: spatial(1) = n, vi: spatial(6) = i, vr: reduce(1) = r, va: reduce(9) = a) { "
                "init { y[vn, vi] = 3; } y[vn, vi] = y[vn, vi] + x[vr, vi, va]; } }");
    check_steps("func f(x: i32[9], y: i32[1]) { y[0] = 1; for (z: 1) x[z] = 7; for (a: 9) "
                "y[0] = max(y[0], x[a]); }",
                "{ compose_reduction(y); }",
                "func f(x: i32[9], y: i32[1]) { y[0] = 1; for (z: 1) x[z] = 7; for (a: 9) "
                "block y(va: reduce(9) = a) { init { y[0] = y[0]; } y[0] = max(y[0], x[va]); } }");
    /* among other statements: of the loops around those are axes that the stores use */
    check_steps("func f(x: i32[9], y: i32[1]) { for (z: 1) y[0] = 7; y[0] = 1; for (a: 9) "
                "y[0] = max(y[0], x[a]); }",
                "{ compose_reduction(y_1); }",
                "func f(x: i32[9], y: i32[1]) { for (z: 1) y[0] = 7; for (a: 9) "
                "block y_1(va: reduce(9) = a) { init { y[0] = 1; } y[0] = max(y[0], x[va]); } }");
    check_steps("func f(x: i32[4, 6, 9], y: i32[6]) { for (n: 4, i: 6) { x[n, i, 0] = 2; "
                "y[i] = x[0, i, 1]; for (a: 9) y[i] = max(y[i], x[1, i, a]); x[n, i, 3] = y[i]; } "
                "}",
                "{ compose_reduction(y); }",
                "func f(x: i32[4, 6, 9], y: i32[6]) { for (n: 4, i: 6) { x[n, i, 0] = 2; "
                "for (a: 9) block y(vi: spatial(6) = i, va: reduce(9) = a) { "
                "init { y[vi] = x[0, vi, 1]; } y[vi] = max(y[vi], x[1, vi, va]); } "
                "x[n, i, 3] = y[i]; } }");
    check_steps("func f(x: i32[6, 9], y: i32[6]) { for (i: 6) { y[i] = 3; for (a: 9) "
                "y[i] = y[i] + x[i, a]; } }",
                "{ s = compose_reduction(y); t = decompose_reduction(s, s.a); split(s.a, 3); }",
                "func f(x: i32[6, 9], y: i32[6]) { for (i: 6) { "
                "block t(vi: spatial(6) = i) { y[vi] = 3; } for (ao: 3, ai: 3) "
                "block s(vi: spatial(6) = i, va: reduce(9) = ao * 3 + ai) "
                "{ y[vi] = y[vi] + x[vi, va]; } } }");
    /* without one the sum begins with what memory holds */
    check_steps("func f(x: i32[6, 8], y: i32[6]) { for (a: 8, i: 6) y[i] = y[i] + x[i, a]; }",
                "{ compose_reduction(y); decompose_reduction(y, y.a); }",
                "func f(x: i32[6, 8], y: i32[6]) { for (i: 6) block y_init(vi: spatial(6) = i) { "
                "y[vi] = y[vi]; } for (a: 8, i: 6) block y(va: reduce(8) = a, vi: spatial(6) = i) "
                "{ y[vi] = y[vi] + x[vi, va]; } }");
    check_steps("func f(x: i32[6, 8], y: i32[6]) { for (i: 6) { y[i] = y[i] * 3; for (a: 8) "
                "y[i] = y[i] + x[i, a]; } }",
                "{ compose_reduction(y); t = cache_write(y, y, local); decompose_reduction(y, "
                "y.a); }",
                "func f(x: i32[6, 8], y: i32[6]) { alloc y_local: i32[6] scope(local); for (i: 6) "
                "{ block y_init(vi: spatial(6) = i) { y_local[vi] = y[vi] * 3; } for (a: 8) "
                "block y(vi: spatial(6) = i, va: reduce(8) = a) { y_local[vi] = y_local[vi] + "
                "x[vi, va]; } } for (ax0: 6) block t(v0: spatial(6) = ax0) reads(y_local[v0]) "
                "writes(y[v0]) { y[v0] = y_local[v0]; } }");
    check_refused("func f(x: i32[6, 8], y: i32[6]) { for (i: 6, a: 8) y[i] = x[i, a]; }",
                  "{ compose_reduction(y); }", IRL_ERROR_ILLEGAL_STEP, "there is no store of the "
                                                                       "same cell directly before "
                                                                       "the loops of");
    check_refused("func f(x: i32[6, 8], y: i32[6]) { for (i: 6, a: 8) y[i] = y[i] + x[i, a] * "
                  "y[5 - i]; }",
                  "{ compose_reduction(y); }", IRL_ERROR_ILLEGAL_STEP, "there is no store of the "
                                                                       "same cell directly before "
                                                                       "the loops of");
    check_steps("func f(x: i32[6, 8], y: i32[6]) { for (i: 6) { y[5 - i] = 0; for (a: 8) "
                "y[i] = y[i] + x[i, a]; } }",
                "{ compose_reduction(y); }",
                "func f(x: i32[6, 8], y: i32[6]) { for (i: 6) { y[5 - i] = 0; for (a: 8) "
                "block y(va: reduce(8) = a) { init { y[i] = y[i]; } y[i] = y[i] + x[i, va]; } } }");
    check_steps("func f(n: i32, x: i32[6, n], y: i32[6]) { for (i: 6) { y[i] = 3; for (a: n) "
                "y[i] = y[i] + x[i, a]; } }",
                "{ s = compose_reduction(y); }",
                "func f(n: i32, x: i32[6, n], y: i32[6]) { for (i: 6) { y[i] = 3; for (a: n) "
                "block s(vi: spatial(6) = i, va: reduce(index(n)) = a) { init { y[vi] = 3; } y[vi] "
                "= y[vi] + x[vi, va]; } } }");
    /* what an alloc holds is read where there are terms, or also where there are none */
    check_steps("func f(n: index, x: i32[6, n], y: i32[6, n]) { alloc t: i32[6]; for (i: 6) { "
                "t[i] = 3; for (a: n) t[i] = t[i] + x[i, a]; } for (i: 6, b: n) y[i, b] = t[i]; }",
                "{ compose_reduction(t); }",
                "func f(n: index, x: i32[6, n], y: i32[6, n]) { alloc t: i32[6]; for (i: 6, a: n) "
                "block t(vi: spatial(6) = i, va: reduce(n) = a) { init { t[vi] = 3; } "
                "t[vi] = t[vi] + x[vi, va]; } for (i: 6, b: n) y[i, b] = t[i]; }");
    check_steps("func f(n: index, x: i32[6, n], y: i32[6, n], z: i32[6]) { alloc t: i32[6]; "
                "for (i: 6) { t[i] = 3; for (a: n) t[i] = t[i] + x[i, a]; } for (i: 6, b: n) "
                "y[i, b] = t[i]; for (i: 6) z[i] = t[i]; }",
                "{ compose_reduction(t); }",
                "func f(n: index, x: i32[6, n], y: i32[6, n], z: i32[6]) { alloc t: i32[6]; "
                "for (i: 6) { t[i] = 3; for (a: n) block t(vi: spatial(6) = i, va: reduce(n) = a) "
                "{ init { t[vi] = 3; } t[vi] = t[vi] + x[vi, va]; } } for (i: 6, b: n) "
                "y[i, b] = t[i]; for (i: 6) z[i] = t[i]; }");
    check_steps(NAMED_RANGE(""), "{ compose_reduction(y); }", NAMED_RANGE_KEPT(""));
    check_steps(NAMED_RANGE("assume(n >= 0); "), "{ compose_reduction(y); }",
                NAMED_RANGE_KEPT("assume(n >= 0); "));
    check_refused(NAMED_RANGE_OF("", "y[i] * 2"), "{ compose_reduction(y); }",
                  IRL_ERROR_ILLEGAL_STEP,
                  "with the first one: assume(n >= 1) before the loops states that it has one");
    check_steps(NAMED_RANGE("assume(n > 2); "), "{ compose_reduction(y); split(y.a, 3); }",
                "func f(n: index, x: i32[6, n], y: i32[6]) { assume(n > 2); for (i: 6) "
                "for (p: (n + 2) / 3, q: 3) block y(vi: spatial(6) = i, va: reduce(n) = p * 3 + q) "
                "where(p * 3 + q < n) { init { y[vi] = 0; } y[vi] = y[vi] + x[vi, va]; } }");
    check_refused("func f(x: i32[6, 8], y: i32[6]) { for (i: 6) { y[i] = 0; for (a: 1 + i) "
                  "y[i] = y[i] + x[i, a]; } }",
                  "{ compose_reduction(y); }", IRL_ERROR_ILLEGAL_STEP, "depend on 'i'");
    check_refused("func f(x: i32[6, 8], y: i32[6]) { for (t: 3, i: 6) { y[i] = 0; for (a: 8) "
                  "y[i] = y[i] + x[i, a]; } }",
                  "{ compose_reduction(y); }", IRL_ERROR_ILLEGAL_STEP, "the same cell");
}

/* `before`, `each` 2,000 times, once for every $ a number, and `behind`. */
static char *many(const char *before, const char *each, const char *behind)
{
    enum { COUNT = 2000 };
    char       *text = (char *)malloc(strlen(before) + COUNT * (strlen(each) + 40) +
                                      strlen(behind) + 1), *out = text;
    const char *at;
    int         k;
    if (!text) abort();
    out += sprintf(out, "%s", before);
    for (k = 0; k < COUNT; k++)
        for (at = each; *at; at++)
            if (*at == '$') out += sprintf(out, "%d", k);
            else *out++ = *at;
    strcpy(out, behind);
    return text;
}

/* Functions and loops of so many statements: what was cubic took minutes, n^2 stands out. */
static void check_many(void)
{
    static const char head[] = "func f(x: i32[4], y: i32[4, 2], z: i32[4]) { ";
    static const struct { const char *before, *each, *behind, *steps, *gone; } cases[] = {
        { "alloc t: i32[4]; for (a: 4) t[a] = x[a] * 2; ",
          "for (u$: 4) y[u$, 0] = y[u$, 0] ^ (t[u$] + $); ",
          "}", "{ compute_inline(t); }", "t[" },
        { "alloc t: i32[4]; for (a: 4) t[a] = x[a] * 2; ",
          "for (u$: 4) y[u$, 0] = y[u$, 0] ^ (x[u$] + $); ",
          "for (b: 4) z[b] = t[b]; }", "{ compute_at(t, b); }", "t[a]" },
        { "for (i: 4) { ", "let v$ = x[i] + $; y[i, 0] = y[i, 0] ^ v$; ", "} }",
          "{ compose_store(i); }", "let" },
        { "for (b: 4) y[b, 0] = x[b]; for (i: 4) { ", "y[i, 1] = y[i, 0] ^ (y[i, 1] ^ $); ", "} }",
          "{ merge(b, i); }", "for (i" }
    };
    char  *text, *before;
    size_t k;
    for (k = 0; k < sizeof cases / sizeof *cases; k++) {
        irl_ctx  *cx = irl_ctx_create(NULL);
        irl_func *f, *g;
        before = many(head, "", cases[k].before);
        text = many(before, cases[k].each, cases[k].behind);
        f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        g = irl_schedule_parse(f, cases[k].steps, IRL_TO_NUL, NULL);
        if (CHECK_OK(cx)) {
            CHECK(!strstr(irl_func_text(g), cases[k].gone));
            CHECK(schedule_same(f, g, 1) == SAME);
        }
        free(before);
        free(text);
        irl_ctx_destroy(cx);
    }
}

/* What stands in several statements is one store: values, conditions, two stores of one cell. */
static void check_stores(void)
{
    check_steps("func f(x: i32[6, 8], y: i32[6, 8]) { for (i: 6, j: 8) { let a = x[i, j]; "
                "let b = a * a; y[i, j] = b - a; } }",
                "{ compose_store(y.i); }",
                "func f(x: i32[6, 8], y: i32[6, 8]) { for (i: 6, j: 8) "
                "y[i, j] = x[i, j] * x[i, j] - x[i, j]; }");
    check_steps("func f(x: i32[8], y: i32[8]) { for (i: 8) if (x[i] > 3) y[i] = 1; "
                "else y[i] = x[i]; }",
                "{ compose_store(y.i); }",
                "func f(x: i32[8], y: i32[8]) { for (i: 8) y[i] = x[i] > 3 ? 1 : x[i]; }");
    check_steps("func f(x: i32[8], y: i32[8]) { for (i: 8) { y[i] = 4; if (x[i] > 3) y[i] = 1; } }",
                "{ compose_store(y.i); }",
                "func f(x: i32[8], y: i32[8]) { for (i: 8) y[i] = x[i] > 3 ? 1 : 4; }");
    check_steps("func f(x: f32[8], y: f32[8]) { for (i: 8) { y[i] = 0.0f; for (r: 3) { "
                "let a = i + r - 1; if (a >= 0) for (s: 2) if (a < 8) y[i] += x[a]; } } }",
                "{ compose_store(y.i); compose_reduction(y); }",
                "func f(x: f32[8], y: f32[8]) { for (i: 8, r: 3, s: 2) block y("
                "vi: spatial(8) = i, vr: reduce(3) = r, vs: reduce(2) = s) { init { y[vi] = 0.0f; "
                "} y[vi] = y[vi] + (vi + vr - 1 >= 0 && vi + vr - 1 < 8 ? x[vi + vr - 1] "
                ": -0.0f); } }");
    check_steps("func f(x: i32[8], y: i32[8]) { for (i: 8) { y[i] = 9; if (i > 2) for (k: 8) "
                "if (k > i) y[i] = min(y[i], x[k]); } }",
                "{ compose_store(i); }",
                "func f(x: i32[8], y: i32[8]) { for (i: 8) { y[i] = 9; for (k: 8) "
                "y[i] = min(y[i], i > 2 && k > i ? x[k] : 9); } }");
    /* memory of a size that a let names is another one in all that follows */
    check_steps("func f(x: f32[8], y: f32[8]) { for (i: 8) { let m = i + 1; let v = x[i]; "
                "alloc t: f32[m]; let w = v + 1.0f; t[i] = w; y[i] = t[i] + v; } }",
                "{ compose_store(i); }",
                "func f(x: f32[8], y: f32[8]) { for (i: 8) { alloc t: f32[i + 1]; "
                "t[i] = x[i] + 1.0f; y[i] = t[i] + x[i]; } }");
    /* a part may stay: nothing began z, and what b is of is written behind it */
    check_steps("func f(x: i32[8], y: i32[8], z: i32[8]) { for (i: 8) { let a = x[i] + 1; "
                "if (a > 3) z[i] += a; let b = y[i]; y[i] = 3; z[i] = b; } }",
                "{ compose_store(i); }",
                "func f(x: i32[8], y: i32[8], z: i32[8]) { for (i: 8) { if (x[i] + 1 > 3) "
                "z[i] = z[i] + (x[i] + 1); let b = y[i]; y[i] = 3; z[i] = b; } }");
    check_refused("func f(x: i32[8], y: i32[8]) { for (i: 8) y[i] = x[i]; }",
                  "{ compose_store(y.i); }", IRL_ERROR_ILLEGAL_STEP, "no let and no condition");
    check_refused("func f(x: i32[8], y: i32[8]) { for (i: 8) if (x[i] > 3) y[i] = 1; }",
                  "{ compose_store(y.i); }", IRL_ERROR_ILLEGAL_STEP, "a condition may only be "
                                                                     "around one store, to a cell "
                                                                     "that is also stored directly "
                                                                     "before");
    check_refused("func f(x: i32[8], y: i32[8]) { for (i: 8) { y[i] = 9; for (k: 8) "
                  "if (y[i] > k) y[i] -= x[k]; } }",
                  "{ compose_store(y.i); }", IRL_ERROR_ILLEGAL_STEP, "a condition may only be "
                                                                     "around one store, to a cell "
                                                                     "that is also stored directly "
                                                                     "before");
    check_refused("func f(y: i32[8]) { for (i: 8) { let a = y[7 - i]; y[i] = 2; y[i] += a; } }",
                  "{ compose_store(i); }", IRL_ERROR_ILLEGAL_STEP, "memory that a let reads is "
                                                                   "written after the let");
    check_refused("func f(x: i32[8], y: i32[8]) { for (i: 8) { y[i] = 0; for (k: 8) "
                  "if (k != i) y[i] += x[k]; } }",
                  "{ compose_reduction(y); }", IRL_ERROR_ILLEGAL_STEP, "compose_store of a loop");
}

/* Conditions as bounds of loops: every comparison, either way round; what is none stays. */
static void check_powers(void)
{
    check_steps("func f(x: f32[8], y: f32[8]) { for (i: 8) y[i] = pow(x[i], 5.0f) + "
                "pow(x[i], 0.5f) + pow(x[i], 9.0f) + pow(sin(x[i]), 2.0f); }",
                "{ expand_powers(i); }",
                "func f(x: f32[8], y: f32[8]) { for (i: 8) y[i] = x[i] * (x[i] * x[i] * (x[i] * "
                "x[i])) + pow(x[i], 0.5f) + pow(x[i], 9.0f) + pow(sin(x[i]), 2.0f); }");
    check_refused("func f(x: f16[8], y: f16[8]) { for (i: 8) y[i] = pow(x[i], f16(2)); }",
                  "{ expand_powers(i); }", IRL_ERROR_ILLEGAL_STEP, "contains no pow(x, n)");
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = irl_func_parse(cx, "func f(x: f32[8], y: f32[8]) attr(numbers = \"strict\") { "
                                     "for (i: 8) y[i] = pow(x[i], 5.0f); }", IRL_TO_NUL, NULL);
    CHECK(f && !strstr(irl_schedule_auto(f, &irl_target_opencl12), "expand_powers"));
    irl_ctx_destroy(cx);
}

static void check_tightened(void)
{
    check_steps("func f(x: i32[8, 9], y: i32[8, 9]) { for (i: 8) { for (j: i + 1) y[i, j] = 0; "
                "for (j: i .. 9, k: j - i .. min(j, i + 1)) y[i, j] += x[i, k]; } }",
                "{ widen(i); }",
                "func f(x: i32[8, 9], y: i32[8, 9]) { for (i: 8) { for (j: 8) if (j < i + 1) "
                "y[i, j] = 0; for (j: 9) if (j >= i) for (k: -7 .. 8) "
                "if (k >= j - i && k < min(j, i + 1)) y[i, j] += x[i, k]; } }");
    check_refused("func f(x: i32[8], y: i32[8]) { for (i: 8) y[i] = x[i]; }", "{ widen(i); }",
                  IRL_ERROR_ILLEGAL_STEP, "the bounds of the loops in 'i' are numbers");
    check_refused("func f(n: index, y: i32[n]) { for (i: n, j: i) y[j] += 1; }", "{ widen(i); }",
                  IRL_ERROR_ILLEGAL_STEP, "are not between two constants");
    /* what is updated under a condition is there, and loops run one by one; or it stays */
    check_steps("func f(x: i32[8], y: i32[8]) { for (i: 8, k: 8) if (k != i) y[i] += x[k]; }",
                "{ compose_store(i); }",
                "func f(x: i32[8], y: i32[8]) { for (i: 8, k: 8) y[i] = y[i] + "
                "if_then_else(k != i, x[k], 0); }");
    check_refused("func f(x: i32[8], y: i32[8]) { for (i: 9) if (i < 8) y[i] += x[i]; }",
                  "{ compose_store(i); }", IRL_ERROR_ILLEGAL_STEP, "a parameter's and in bounds");
    check_refused("func f(x: i32[8], y: i32[8]) { for parallel (i: 8) for (k: 8) if (k == i) "
                  "y[k] += x[i]; }",
                  "{ compose_store(i); }", IRL_ERROR_ILLEGAL_STEP, "a parameter's and in bounds");
    check_steps("func f(x: i32[8, 9], y: i32[8, 9]) { for (i: 8) if (i > 0) for (j: 9) "
                "if (7 > i && 2 <= j && j != 8 && x[i, j - 1] > i && j + 1 <= 8) "
                "y[i, j] = x[i - 1, j]; }",
                "{ tighten(y.i); }",
                "func f(x: i32[8, 9], y: i32[8, 9]) { for (i: 1 .. 7, j: 2 .. 8) "
                "if (x[i, j - 1] > i) y[i, j] = x[i - 1, j]; }");
    /* axes count what is left, wherever the loop began; init and what is summed up go with them */
    check_steps("func f(x: f32[8, 4], y: f32[8]) { for (i: 2 .. 8) if (i >= 4 && i != 4) "
                "y[i] = sum(k: 4, x[i, k]); }",
                "{ tighten(i); }",
                "func f(x: f32[8, 4], y: f32[8]) { for (i: 5 .. 8, k: 4) block y("
                "vi: spatial(3) = i - 5, vk: reduce(4) = k) note(order = \"free\") { init { "
                "y[vi + 3 + 2] = 0.0f; } y[vi + 3 + 2] = y[vi + 3 + 2] + x[vi + 3 + 2, vk]; } }");
    /* several statements; one iteration; a loop inside of it keeps its own conditions */
    check_steps("func f(x: i32[8], y: i32[8]) { for (i: 8) if (i == 5) { y[i] = 0; for (k: 8) "
                "if (k > 2) y[i] += x[k]; } }",
                "{ tighten(i); tighten(k); }",
                "func f(x: i32[8], y: i32[8]) { for (i: 5 .. 6) { y[i] = 0; for (k: 3 .. 8) "
                "y[i] = y[i] + x[k]; } }");
    /* an init that never ran does not run then */
    check_steps("func f(x: i32[8], y: i32[1]) { for (k: 8) if (k > 0) block y(v: reduce(8) = k) { "
                "init { y[0] = 7; } y[0] = y[0] + x[v]; } }",
                "{ tighten(k); }",
                "func f(x: i32[8], y: i32[1]) { for (k: 1 .. 8) block y(v: reduce(8) = k) { "
                "init { y[0] = 7; } y[0] = y[0] + x[v]; } }");
    check_steps("func f(x: i32[8], y: i32[1]) { for (k: 8) if (k < 5) block y(v: reduce(8) = k) { "
                "init { y[0] = 7; } y[0] = y[0] + x[v]; } }",
                "{ tighten(k); }",
                "func f(x: i32[8], y: i32[1]) { for (k: 5) block y(v: reduce(5) = k) { "
                "init { y[0] = 7; } y[0] = y[0] + x[v]; } }");
    check_refused("func f(x: i32[8], y: i32[8]) { for (i: 8) if (i > 3 && i < 4) y[i] = x[i]; }",
                  "{ tighten(i); }", IRL_ERROR_ILLEGAL_STEP, "leave no iteration of 'i'");
    check_refused("func f(x: i32[8], y: i32[8]) { for (i: 8) if (i != 3 && x[i] > 0) y[i] = 1; }",
                  "{ tighten(i); }", IRL_ERROR_ILLEGAL_STEP, "no condition in 'i' bounds one of "
                                                             "its loops");
    check_refused("func f(x: i32[8], y: i32[8]) { for (i: 8) if (i > 3) y[i] = 1; else y[i] = 2; }",
                  "{ tighten(i); }", IRL_ERROR_ILLEGAL_STEP, "no condition in 'i' bounds one of "
                                                             "its loops");
    check_refused("func f(y: i32[8]) { for bind(global.x) (i: 8) if (i > 3) y[i] = 1; }",
                  "{ tighten(i); }", IRL_ERROR_ILLEGAL_STEP, "no condition in 'i' bounds one of "
                                                             "its loops");
    /* by an index: of all loops inside, after which the condition stays */
    check_steps("func f(n: index, y: i32[n]) { for (i: n) if (i > 3) y[i] = 1; }",
                "{ tighten(i); }",
                "func f(n: index, y: i32[n]) { for (i: 4 .. + max(n - 4, 0)) if (i > 3) "
                "y[i] = 1; }");
    check_steps("func f(x: i32[64], y: i32[8, 8]) { for (i: 8, k: 64, v: 8) y[i, v] = "
                "k >= 8 * i + v && 2 * i + v - k > 3 && x[k] > 0 ? y[i, v] + x[k] : y[i, v]; }",
                "{ tighten(k); }",
                "func f(x: i32[64], y: i32[8, 8]) { for (i: 8, k: i * 8 .. + max(4 - i * 6, 0), "
                "v: 8) y[i, v] = if_then_else(k >= 8 * i + v && 2 * i + v - k > 3 && x[k] > 0, "
                "y[i, v] + x[k], y[i, v]); }");
    check_steps("func f(x: i32[64], y: i32[8]) { for (i: 8, k: 64) block y(v: spatial(8) = i, "
                "r: reduce(64) = k) { y[v] = r == v + 3 ? y[v] + x[r] : y[v]; } }",
                "{ tighten(k); }",
                "func f(x: i32[64], y: i32[8]) { for (i: 8, k: i + 3 .. + 1) block y(v: "
                "spatial(8) = i, r: reduce(64) = k) { y[v] = if_then_else(r == v + 3, y[v] + x[r], "
                "y[v]); } }");
    check_refused("func f(x: i32[8, 8], y: i32[8]) { for (i: 8, k: 8) y[i] = "
                  "k > i ? y[i] + x[i, k] : 0; }",
                  "{ tighten(k); }", IRL_ERROR_ILLEGAL_STEP, "no condition in 'k' bounds one of "
                                                             "its loops");
    check_refused("func f(x: i32[8], y: i32[8]) { for (i: 8, k: 8) if (k > x[i]) y[i] = x[k]; }",
                  "{ tighten(k); }", IRL_ERROR_ILLEGAL_STEP, "no condition in 'k' bounds one of "
                                                             "its loops");
    check_refused("func f(x: i32[8], y: i32[8]) { for (k: 8, i: 8) if (k >= i) y[i] = x[k]; }",
                  "{ tighten(k); }", IRL_ERROR_ILLEGAL_STEP, "no condition in 'k' bounds one of "
                                                             "its loops");
    check_refused("func f(y: i32[8]) { for (i: 8) if (i > 9223372036854775807) y[i] = 1; }",
                  "{ tighten(i); }", IRL_ERROR_ILLEGAL_STEP, "no condition in 'i' bounds one of "
                                                             "its loops");
}

/* Each cell keeps its stores in their order: where the window's loop was inside it runs backwards.
 */
static void check_gathered(void)
{
    check_steps("func f(x: f32[8], t: f32[3], y: f32[10]) { for (w: 8, s: 3) y[w + s] += "
                "x[w] * t[s]; }",
                "{ gather(w, s); }",
                "func f(x: f32[8], t: f32[3], y: f32[10]) { for (s: 3, w: 10) if (w + s - 2 >= 0 "
                "&& w + s - 2 < 8) y[w] = y[w] + x[w + s - 2] * t[2 - s]; }");
    check_steps("func f(x: f32[8], t: f32[3], y: f32[10]) { for (s: 3, w: 8) y[w + s] += "
                "x[w] * t[s]; }",
                "{ gather(w, s); }",
                "func f(x: f32[8], t: f32[3], y: f32[10]) { for (s: 3, w: 10) if (w - s >= 0 && "
                "w - s < 8) y[w] = y[w] + x[w - s] * t[s]; }");
    /* by strides, from bounds that are not 0; a sum that is near the index becomes the cell */
    check_steps("func f(x: f32[8], t: f32[3], y: f32[15]) { for (s: 3, w: 1 .. 8) "
                "if (2 * w + 3 * s < 16) y[3 * s + w * 2 - 1] += x[w] * t[s]; }",
                "{ gather(w, s); }",
                "func f(x: f32[8], t: f32[3], y: f32[15]) { for (s: 3, w: 15) "
                "if ((w - s * 3 + 1) % 2 == 0 && (w - s * 3 + 1) / 2 >= 1 && "
                "(w - s * 3 + 1) / 2 < 8) if (w + 1 < 16) "
                "y[w] = y[w] + x[(w - s * 3 + 1) / 2] * t[s]; }");
    check_refused("func f(x: f32[8], y: f32[10]) { for (w: 8, s: 3) y[w + s] += x[w] * y[s]; }",
                  "{ gather(w, s); }",
                  IRL_ERROR_ILLEGAL_STEP, "is also accessed at other indices than");
    check_refused("func f(x: f32[8], y: f32[10, 8]) { for (w: 8, s: 3) y[w + s, w] += x[w]; }",
                  "{ gather(w, s); }", IRL_ERROR_ILLEGAL_STEP, "several indices of the store use");
    check_refused("func f(x: f32[8], y: f32[8]) { for (w: 8, s: 3) y[w * s % 8] += x[w]; }",
                  "{ gather(w, s); }", IRL_ERROR_ILLEGAL_STEP, "is a sum of multiples of 'w'");
    check_refused("func f(x: f32[8], y: f32[12]) { for (w: 8, r: 3, s: 3) y[w + r + s] += x[w]; }",
                  "{ gather(w, s); }", IRL_ERROR_ILLEGAL_STEP, "also uses 'r'");
    check_refused("func f(x: f32[8], y: f32[12]) { for (w: 8, s: w + 1) y[w + s] += x[w]; }",
                  "{ gather(w, s); }", IRL_ERROR_ILLEGAL_STEP, "the bounds of 's' depend on");
    check_refused("func f(x: f32[8], y: f32[12]) { for (w: 8, s: 3) { y[w + s] += x[w]; y[w + s] "
                  "*= x[s]; } }",
                  "{ gather(w, s); }", IRL_ERROR_ILLEGAL_STEP, "more than loops around one store");
    check_refused("func f(x: f32[8], y: f32[12]) { for (s: 3) y[s] = 1.0; for (w: 8, s: 3) "
                  "y[w + s] += x[w]; }",
                  "{ gather(y_1.w, y.s); }", IRL_ERROR_ILLEGAL_STEP, "are not nested");
    check_refused("func f(x: f32[8], y: f32[24]) { for (w: 8) for parallel (s: 3) "
                  "y[3 * w + s] += x[w]; }",
                  "{ gather(w, s); }", IRL_ERROR_ILLEGAL_STEP, "is no longer serial");
}

/* A nest behind a label that is its buffer's name has a number. */
static void check_label_of_buffer(void)
{
    check_steps("func f(q: i32[8]) { q: for (i: 8) q[i] = 0; for (i: 8) q[i] += 1; }",
                "{ unroll(q.i); (a, b) = split(q_1.i, 4); }",
                "func f(q: i32[8]) { q: for unrolled (i: 8) q[i] = 0; for (a: 2, b: 4) "
                "q[a * 4 + b] = q[a * 4 + b] + 1; }");
}

/* A plain nest is a block to each step that wants one. */
static void check_plain_nests(void)
{
#define NEST(body) "func f(x: i32[16, 8], y: i32[8, 16]) { " body " }"
    static const char turned[] = NEST("for (i: 8, j: 16) y[i, j] = x[j, i] * 2;");
    check_steps(turned, "{ reindex(y, x); }",
                NEST("alloc r: i32[8, 16]; for (a: 8, b: 16) block x_reindex(u: spatial(8) = a, "
                     "v: spatial(16) = b) { r[u, v] = x[v, u]; } for (i: 8, j: 16) block y(u: "
                     "spatial(8) = i, v: spatial(16) = j) { y[u, v] = r[u, v] * 2; }"));
    check_steps(turned, "{ reindex_cache_write(y, y, local, (i, j) -> (j, i)); }",
                NEST("alloc r: i32[16, 8] scope(local); for (i: 8, j: 16) block y(u: spatial(8) = "
                     "i, v: spatial(16) = j) { r[v, u] = x[v, u] * 2; } for (a: 8, b: 16) block "
                     "y_local(u: spatial(8) = a, v: spatial(16) = b) { y[u, v] = r[v, u]; }"));
    check_steps(turned, "{ transform_block_layout(y, (i, j) -> (i, j / 8, j % 8)); }",
                NEST("for (i: 8, a: 2, b: 8) block y(u: spatial(8) = i, v: spatial(2) = a, "
                     "w: spatial(8) = b) { y[u, v * 8 + w] = x[v * 8 + w, u] * 2; }"));
#undef NEST
}

static int is_done(const char *func, const char *steps)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    const int done = irl_schedule_parse(irl_func_parse(cx, func, IRL_TO_NUL, NULL), steps,
                                        IRL_TO_NUL, NULL) != NULL;
    irl_ctx_destroy(cx);
    return done;
}

/* A label that is the name of another nest, block or label is refused; its own name is not. */
static void check_label_taken(const char *func, const char *name, const char *other)
{
    char step[64], message[64];
    sprintf(step, "{ annotate(%s, label = \"%s\"); }", name, other);
    sprintf(message, "'%s' is already the name of another", other);
    check_refused(func, step, IRL_ERROR_DUPLICATE_NAME, message);
    sprintf(step, "{ annotate(%s, label = \"%s\"); unroll(%s.i); }", other, other, other);
    CHECK(is_done(func, step));
}

/* Names mean the same computation after each step: labels, nests at the end of a loop, numbers. */
static void check_names_after(void)
{
#define PAIR "func f(x: i32[18], y: i32[16]) { alloc t: i32[18]; p: for (i: 18) t[i] = x[i] * 2; " \
             "q: for (i: 16) y[i] = t[i] + t[i + 2]; }"
#define AT "(o, i) = split(q.i, 4); compute_at(p, o); "
#define MOVED(scope, loop, note) \
    "func f(x: i32[18], y: i32[16]) { q: for (o: 4) { alloc t: i32[6]" scope "; p: for (a: 6) " \
    "t[a] = x[o * 4 + a] * 2; for " loop "(i: 4)" note " y[o * 4 + i] = t[i] + t[i + 2]; } }"
#define ONE "func f(x: i32[8], y: i32[8]) { alloc t: i32[8]; p: for (i: 8) t[i] = x[i] * 2; " \
            "q: for (i: 8) y[i] = t[i] + 1; }"
#define CHAIN "func v(y: i32[61]) { alloc f: i32[62]; alloc g: i32[62]; for (i: 62) " \
              "g[i] = i32(i); for (i: 62) f[i] = g[i]; for (i: 61) y[i] = f[i] + f[i + 1]; }"
    check_steps(PAIR, "{ " AT "set_scope(p, 0, local); }", MOVED(" scope(local)", "", ""));
    check_steps(PAIR, "{ " AT "set_scope(t, 0, local); }", MOVED(" scope(local)", "", ""));
    check_steps(PAIR, "{ " AT "vectorize(q.i); }", MOVED("", "vectorized ", ""));
    check_steps(PAIR, "{ " AT "annotate(q, who = \"q\"); }", MOVED("", "", " note(who = \"q\")"));
    check_refused(PAIR, "{ " AT "set_scope(q, 0, local); }", IRL_ERROR_ILLEGAL_STEP,
                  "'y' is a parameter");
    check_steps(CHAIN, "{ compute_at(f, y.i); compute_at(g, y.i); parallel(y.i); }",
                "func v(y: i32[61]) { for parallel (i: 61) { alloc g: i32[2]; alloc f: i32[2]; "
                "for (a: 2) g[a] = i32(i + a); for (a: 2) f[a] = g[a]; y[i] = f[0] + f[1]; } }");
    check_steps("func f(a: i32[8, 6], s: i32[8], o: i32[6, 8]) { t: for (i: 6, j: 8) o[i, j] = "
                "a[j, i]; m: for (i: 6, j: 8) o[i, j] = o[i, j] * s[j]; }",
                "{ i = merge(t.i, m.i); j = merge(t.j, m.j); }",
                "func f(a: i32[8, 6], s: i32[8], o: i32[6, 8]) { t: for (i: 6) for (j: 8) { "
                "o[i, j] = a[j, i]; o[i, j] = o[i, j] * s[j]; } }");
    check_steps("func f(x: i32[8], y: i32[8], z: i32[8]) { for (i: 8) { alloc t: i32[1]; "
                "t[0] = x[i]; y[i] = t[0]; } alloc t: i32[8]; for (i: 8) t[i] = x[i]; "
                "for (i: 8) z[i] = y[i] + t[7 - i]; }",
                "{ merge(y.i, t.i); }",
                "func f(x: i32[8], y: i32[8], z: i32[8]) { alloc t: i32[8]; for (i: 8) { { "
                "alloc t_1: i32[1]; t_1[0] = x[i]; y[i] = t_1[0]; } t[i] = x[i]; } "
                "for (i: 8) z[i] = y[i] + t[7 - i]; }");
    check_steps("func f(x: i32[8], y: i32[8]) { for (i: 8) y[i] = x[i]; for (i: 8) "
                "y[i] = y[i] + x[7 - i]; }",
                "{ partition(y.i, 3); vectorize(y_1.i); }",
                "func f(x: i32[8], y: i32[8]) { for (i: 3) y[i] = x[i]; y_2: for (i: 3 .. 8) "
                "y[i] = x[i]; y_1: for vectorized (i: 8) y[i] = y[i] + x[7 - i]; }");
    check_steps("func f(x: i32[8], y: i32[8]) { alloc x_local: i32[8]; for (i: 8) x_local[i] = "
                "x[i] * 2; for (i: 8) y[i] = x_local[i] + x[7 - i]; }",
                "{ cache_read(y, x, local); unroll(x_local.i); parallel(x_local_1.ax0); }",
                "func f(x: i32[8], y: i32[8]) { alloc x_local: i32[8]; for unrolled (i: 8) "
                "x_local[i] = x[i] * 2; alloc t: i32[8] scope(local); for parallel (a: 8) "
                "block x_local_1(v: spatial(8) = a) reads(x[v]) writes(t[v]) { t[v] = x[v]; } "
                "for (i: 8) y[i] = x_local[i] + t[7 - i]; }");
    check_steps(ONE, "{ compute_at(p, q.i); set_scope(p, 0, local); parallel(q.i); }",
                "func f(x: i32[8], y: i32[8]) { q: for parallel (i: 8) { alloc t: i32[1] "
                "scope(local); p: for (a: 1) t[0] = x[i] * 2; y[i] = t[0] + 1; } }");
    check_steps(ONE, "{ compute_at(p, q.i); compute_inline(t); }",
                "func f(x: i32[8], y: i32[8]) { q: for (i: 8) y[i] = x[i] * 2 + 1; }");
    check_steps(ONE, "{ reverse_compute_at(q, p.i); set_scope(p, 0, local); unroll(q.ax0); }",
                "func f(x: i32[8], y: i32[8]) { p: for (i: 8) { alloc t: i32[1] scope(local); "
                "t[0] = x[i] * 2; q: for unrolled (a: 1) y[i] = t[0] + 1; } }");
    check_refused("func f(x: i32[8], y: i32[8], z: i32[8]) { for (i: 8) y[i] = x[i]; for (i: 8) "
                  "z[i] = x[i]; }", "{ merge(y.i, z.i); unroll(z.i); }", IRL_ERROR_UNKNOWN_NAME,
                  "'z' names no nest: loop 'i' stores it next to other statements");
    check_steps("func f(x: i32[8], y: i32[8], z: i32[8]) { p: for (i: 8) y[i] = x[i]; "
                "q: for (i: 8) z[i] = x[i]; }",
                "{ i = merge(p.i, q.i); parallel(i); annotate(q, by = 1); "
                "unroll(z.ax0); annotate(p, by = 2); }",
                "func f(x: i32[8], y: i32[8], z: i32[8]) { p: for parallel (i: 8) note(by = 2) { "
                "y[i] = x[i]; q: for unrolled (ax0: 1) note(by = 1) z[i] = x[i]; } }");
    check_steps("func f(x: i32[8], y: i32[8], s: i32[1]) { for (i: 8) y[i] = x[i]; q: for (i: 8) "
                "s[0] += x[i]; }", "{ merge(y.i, q.i); annotate(q, by = 1); }",
                "func f(x: i32[8], y: i32[8], s: i32[1]) { for (i: 8) { y[i] = x[i]; "
                "q: for (ax0: 1) note(by = 1) s[0] = s[0] + x[i]; } }");
    check_label_taken(PAIR, "q", "p");
    check_label_taken(CHAIN, "y", "f");
    check_label_taken("func f(y: i32[8]) { for (i: 8) y[i] = 1; for (i: 8) y[i] += 2; }", "y",
                      "y_1");
    check_label_taken("func f(y: i32[8]) { a: for (i: 8) { y[i] = 1; } b: for (i: 8) block c() { "
                      "y[i] = 2; } }", "a", "b");
#undef PAIR
#undef AT
#undef MOVED
#undef ONE
#undef CHAIN
}

/* A loop around each statement; memory of an iteration becomes that of all. */
static void check_distributed(void)
{
    /* what is behind may need an earlier iteration of what is in front; calls keep their order */
    check_steps("func f(x: i32[4], y: i32[5], z: i32[4]) { for (i: 4) { y[i + 1] = x[i]; z[i] = "
                "y[i]; } }", "{ distribute(i); }",
                "func f(x: i32[4], y: i32[5], z: i32[4]) { for (i: 4) y[i + 1] = x[i]; "
                "for (i: 4) z[i] = y[i]; }");
    check_refused("func f(x: i32[4], y: i32[5], z: i32[4]) { for (i: 4) { z[i] = y[i]; y[i + 1] = "
                  "x[i]; } }", "{ distribute(i); }", IRL_ERROR_ILLEGAL_STEP,
                  "its iterations depend on each other");
    check_refused("func f(y: i32[4], z: i32[4]) { for (i: 4) { y[i] = extern(i32, next); z[i] = "
                  "extern(i32, next); } }", "{ distribute(i); }", IRL_ERROR_ILLEGAL_STEP,
                  "calls must keep their order");
    check_steps("func f(x: i32[6, 8], y: i32[6], z: i32[6]) { for (i: 6) { y[i] = 3; for (a: 8) "
                "y[i] = y[i] + x[i, a]; z[i] = y[i]; } }",
                "{ (p, q, r) = distribute(i); }",
                "func f(x: i32[6, 8], y: i32[6], z: i32[6]) { y_1: for (p: 6) y[p] = 3; "
                "y: for (q: 6, a: 8) y[q] = y[q] + x[q, a]; for (r: 6) z[r] = y[r]; }");
    check_steps("func f(x: i32[6, 8], y: i32[6]) { for (i: 2 .. 6) { alloc s: i32[1] scope(local); "
                "s[0] = i32(i); for (a: 8) s[0] += x[i, a]; y[i] = max(s[0], 4); } }",
                "{ distribute(i); }",
                "func f(x: i32[6, 8], y: i32[6]) { alloc s: i32[4, 1]; s_1: for (i: 2 .. 6) "
                "s[i - 2, 0] = i32(i); s: for (j: 2 .. 6, a: 8) "
                "s[j - 2, 0] = s[j - 2, 0] + x[j, a]; "
                "for (k: 2 .. 6) y[k] = max(s[k - 2, 0], 4); }");
    check_steps("func f(x: i32[6, 8], y: i32[6]) { for (i: 6) { let s = sum(k: 8, x[i, k] * y[5 - "
                "i]); x[i, 0] = s; } }",
                "{ compose_store(i); distribute(i); }",
                "func f(x: i32[6, 8], y: i32[6]) { alloc s_sum: i32[6]; for (a: 6, k: 8) "
                "block s_sum(vi: spatial(6) = a, vk: reduce(8) = k) { init "
                "{ s_sum[vi] = 0; } s_sum[vi] = s_sum[vi] + x[vi, vk] * y[5 - vi]; } "
                "for (b: 6) x[b, 0] = s_sum[b]; }");
    check_steps("func f(x: i32[6], y: i32[6], z: i32[6]) { l: for (i: 6) { alloc s: i32[1]; s[0] = "
                "x[i]; y[i] = s[0]; } m: for (i: 6) { alloc s: i32[1]; s[0] = y[i]; "
                "z[i] = s[0]; } }",
                "{ distribute(l); distribute(m); split(l_1.i, 2); split(m_1.i, 2); }",
                "func f(x: i32[6], y: i32[6], z: i32[6]) { alloc s: i32[6, 1]; l_1: for (a: 3) "
                "for (b: 2) s[a * 2 + b, 0] = x[a * 2 + b]; l: for (i: 6) y[i] = s[i, 0]; "
                "alloc t: i32[6, 1]; m_1: for (a: 3) for (b: 2) t[a * 2 + b, 0] = y[a * 2 + b]; "
                "m: for (i: 6) z[i] = t[i, 0]; }");
    check_refused("func f(x: i32[6], y: i32[6]) { for (i: 6) { y[i] = x[5 - i]; x[i] = 3; } }",
                  "{ distribute(i); }", IRL_ERROR_ILLEGAL_STEP,
                  "its iterations depend on each other");
    check_refused("func f(x: i32[6], y: i32[6]) { for (i: 6) y[i] = x[i]; }",
                  "{ distribute(y.i); }", IRL_ERROR_ILLEGAL_STEP, "contains one statement only");
    check_refused("func f(x: i32[6], y: i32[6], z: i32[6]) { for (i: 6) { let a = x[i]; y[i] = a; "
                  "z[i] = a; } }",
                  "{ distribute(i); }", IRL_ERROR_ILLEGAL_STEP, "compose_store first");
    /* a name that may be below 0, and one that a shape says is not */
    check_steps("func f(n: index, x: i32[40], y: i32[40]) { for (i: n) { alloc s: i32[]; "
                "s[] = x[i]; y[i] = s[]; } }",
                "{ distribute(i); }",
                "func f(n: index, x: i32[40], y: i32[40]) { alloc s: i32[max(n, 0)]; for (i: n) "
                "s[i] = x[i]; for (i: n) y[i] = s[i]; }");
    check_steps("func f(n: index, x: i32[n], y: i32[n]) { for (i: n) { alloc s: i32[]; "
                "s[] = x[i]; y[i] = s[]; } }",
                "{ distribute(i); }",
                "func f(n: index, x: i32[n], y: i32[n]) { alloc s: i32[n]; for (i: n) "
                "s[i] = x[i]; for (i: n) y[i] = s[i]; }");
    check_refused("func f(x: i32[6], y: i32[6]) { for bind(group.x) (g: 2) for (i: 3) { "
                  "alloc s: i32[] scope(shared); s[] = x[i]; y[i] = s[]; } }",
                  "{ distribute(i); }", IRL_ERROR_ILLEGAL_STEP, "cannot get another index");
    check_refused("func f(x: i32[6, 8], y: i32[6]) { for (i: 6) { alloc s: i32[1]; s[0] = 3; "
                  "for (k: 8) block b(vi: spatial(6) = i, vk: reduce(8) = k) "
                  "reads(x[vi, vk], s[0]) writes(s[0]) { s[0] = s[0] + x[vi, vk]; } "
                  "y[i] = s[0]; } }",
                  "{ distribute(i); }", IRL_ERROR_ILLEGAL_STEP, "declares its regions");
}

static void check_order(void)
{
    static const char own[] =
        "func f(x: i32[4, 8], y: i32[4, 8]) { for (i: 4) { alloc s: i32[8] scope(shared); "
        "for (j: 8) s[j] = x[i, j]; for (k: 8) y[i, k] = s[7 - k]; } }";
    check_refused(own, "{ parallel(y.i); }", IRL_ERROR_ILLEGAL_STEP, "has its own shared memory, "
                                                                     "and work-items would all use "
                                                                     "the same:");
    check_refused(own, "{ vectorize(y.i); }", IRL_ERROR_ILLEGAL_STEP, "has its own shared memory, "
                                                                      "and work-items would all "
                                                                      "use the same:");
    check_steps(
        TWO, "{ reorder(y.j, y.i); parallel(y.j); vectorize(y.i); }",
        "func f(y: i32[10, 7]) { for parallel (j: 7) for vectorized (i: 10) y[i, j] = 3; }");
    check_steps(
        "func f(y: i32[4, 3, 5]) { for (i: 4, j: 3, k: 5) y[i, j, k] = i32(k); }",
        "{ reorder(y.k, y.i); bind(y.j, global.x); unroll(y.i); }",
        "func f(y: i32[4, 3, 5]) { for (k: 5) for bind(global.x) (j: 3) for unrolled (i: 4) "
        "y[i, j, k] = i32(k); }");
    check_steps("func f(x: i32[6, 8], y: i32[6]) { for (ko: 2, i: 6, ki: 4) " SUM " }",
                "{ reorder(s.i, s.ko); }",
                "func f(x: i32[6, 8], y: i32[6]) { for (i: 6, ko: 2, ki: 4) " SUM " }");
    check_refused("func f(y: i32[9, 9]) { for (i: 8, j: 8) y[i + 1, j] = y[i, j + 1]; }",
                  "{ reorder(y.j, y.i); }", IRL_ERROR_ILLEGAL_STEP,
                  "y[i, j + 1] at i = 1, j = 0 and y[i + 1, j] at i = 0, j = 1 are one element");
    check_refused("func f(y: i32[9]) { for (i: 8) y[i + 1] = y[i]; }", "{ vectorize(y.i); }",
                  IRL_ERROR_ILLEGAL_STEP, "are one element");
    check_refused("func f(y: i32[9]) { for (i: 8) for (j: i) y[j] = 1; }", "{ reorder(y.j, y.i); }",
                  IRL_ERROR_ILLEGAL_STEP, "bounds of 'j' depend on 'i'");
    check_refused("func f(x: i32[6, 8], y: i32[6]) { for (ko: 2, i: 6, ki: 4) " SUM " }",
                  "{ parallel(s.ki); }", IRL_ERROR_ILLEGAL_STEP, "rfactor");
    check_refused("func f(y: i32[8], k: i32[8]) { for (i: 8) y[index(k[i])] = 1; }",
                  "{ parallel(y.i); }", IRL_ERROR_ILLEGAL_STEP, "as far as is known");
    check_steps("func f(x: f32[4, 8], y: f32[4, 8], z: f32[8], s: f32[4]) {\n"
                "  for (i: 4, j: 8) y[i, j] = x[i, j];\n"
                "  for (k: 1 .. 8) z[k] = z[k - 1];\n"
                "  for (i: 4, k: 8) s[i] = s[i] + x[i, k];\n"
                "  for (i: 4) for unrolled (k: 8) y[i, k] = x[i, k]; }", "{ parallel(); }",
                "func f(x: f32[4, 8], y: f32[4, 8], z: f32[8], s: f32[4]) {\n"
                "  for parallel (i: 4, j: 8) y[i, j] = x[i, j];\n"
                "  for (k: 1 .. 8) z[k] = z[k - 1];\n"
                "  for parallel (i: 4) for (k: 8) s[i] = s[i] + x[i, k];\n"
                "  for (i: 4) for unrolled (k: 8) y[i, k] = x[i, k]; }");
    check_steps("func f(x: u4[8], m: u8[4]) { decl y: u4[8] data(m) bits(lsb); "
                "for (i: 8) y[i] = x[i]; }", "{ parallel(); }",
                "func f(x: u4[8], m: u8[4]) { decl y: u4[8] data(m) bits(lsb); "
                "for (i: 8) y[i] = x[i]; }");
    check_refused(TWO, "{ bind(y.i, global.x); bind(y.j, local.x); }", IRL_ERROR_ILLEGAL_STEP,
                  "cannot be combined with global.x");
    check_steps("func f(x: i32[6, 8], y: i32[6]) { for (i: 6, ko: 2, ki: 4) " SUM " }",
                "{ reorder(s.ki, s.ko); }",
                "func f(x: i32[6, 8], y: i32[6]) { for (i: 6, ki: 4, ko: 2) " SUM " }");
    check_steps("func f(x: f32[8], y: f32[1]) { for (ko: 2, ki: 4) y[0] = y[0] + x[ko * 4 + ki]; }",
                "{ reassociate(y); reorder(y.ki, y.ko); }",
                "func f(x: f32[8], y: f32[1]) { for (ki: 4) note(order = \"free\") for (ko: 2) "
                "y[0] = y[0] + x[ko * 4 + ki]; }");
    check_refused("func f(x: f32[8], y: f32[1]) { for (ko: 2, ki: 4) y[0] = y[0] + x[ko * 4 + ki]; "
                  "}", "{ reorder(y.ki, y.ko); }", IRL_ERROR_ILLEGAL_STEP, "reassociate");
    check_refused("func f(y: i32[1]) { for (i: 2, j: 4) y[0] = i32(i) - y[0]; }",
                  "{ reorder(y.j, y.i); }", IRL_ERROR_ILLEGAL_STEP, "are one element");
    check_refused("func f(y: i32[1]) { for (i: 2, j: 4) y[0] = i32(i) - y[0]; }",
                  "{ reassociate(y); }", IRL_ERROR_ILLEGAL_STEP, "is not a reduction");
    check_refused(TWO, "{ reorder(y.i, y.i); }", IRL_ERROR_ILLEGAL_STEP, "named twice");
}

/* Work-items of one kernel are in no order: what serial loops and launches had in order may not
   meet in two of them, by axes that stand around both, or around one alone. */
/* A bound loop that is a kernel of its own may be another one, or none. */
static void check_bound_again(void)
{
#define COPY(kind, more) \
    "func f(x: i32[8], y: i32[8]) { for " kind " (i: 8) { alloc t: i32[1] scope(local); " \
    "t[0] = x[i]; " more "y[i] = t[0]; } }"
#define AROUND(around, loop) \
    "func f(x: i32[8], y: i32[8]) { " around "for bind(local.x) (i: 8) { " loop " } }"
    check_steps(COPY("bind(group.x)", ""), "{ bind(i, local.x); }", COPY("bind(local.x)", ""));
    check_steps(COPY("bind(local.x)", ""), "{ unroll(i); }", COPY("unrolled", ""));
    check_steps(COPY("bind(local.x)", ""), "{ bind(i, global.y); }",
                COPY("bind(global.y)", ""));
    check_refused(COPY("bind(local.x)", "barrier(shared); "), "{ unroll(i); }",
                  IRL_ERROR_ILLEGAL_STEP, "already, and the kernel contains more than it, or "
                                          "allocates memory");
    check_refused(AROUND("alloc t: i32[1] scope(local); ", "t[0] = x[i]; y[i] = t[0];"),
                  "{ unroll(i); }", IRL_ERROR_ILLEGAL_STEP, "allocates memory");
    check_refused(AROUND("for bind(group.x) (g: 1) ", "y[i] = x[i];"), "{ unroll(y.i); }",
                  IRL_ERROR_ILLEGAL_STEP, "bound to local.x already");
    check_refused(AROUND("", "for bind(group.x) (g: 1) y[i] = x[i];"), "{ bind(i, local.y); }",
                  IRL_ERROR_ILLEGAL_STEP, "bound to local.x already");
#undef AROUND
#undef COPY
}

static void check_kernels(void)
{
#define LAUNCHES(serial, bound, index)                                                             \
    "func f(u: i32[2, 8], y: i32[2, 8]) { for " serial " (s: 2) { "                                \
    "for " bound " (i: 8) u[s, i] = y[s, i]; for " bound " (j: 8) y[s, j] = u[s, " index "]; } }"
#define STEPS(outer, serial, inner, index)                                                         \
    "func f(u: i32[2, 4, 8]) { for " outer " (s: 2) for " serial " (t: 3) for " inner " (i: 8) "   \
    "u[s, t + 1, " index "] = u[s, t, i]; }"
#define COPIES(first, second, index)                                                               \
    "func f(x: i32[2, 8], y: i32[2, 8]) { for bind(group.x) (s: 2) { "                             \
    "alloc t: i32[8] scope(local); for " first " (j: 8) t[j] = x[s, j]; "                          \
    "for " second " (k: 8) y[s, k] = t[" index "]; } }"
#define TURNED(a, b, index)                                                                        \
    "func f(u: i32[2, 4, 8]) { for " a " for " b " { for bind(global.x) (i: 8) "                   \
    "u[s, t + 1, i] = u[s, t, i]; for bind(global.x) (j: 8) "                                      \
    "u[s, t + 1, " index "] = u[s, t + 1, " index "] * 2; } }"
    check_refused(LAUNCHES("", "bind(global.x)", "7 - j"), "{ bind(s, global.y); }",
                  IRL_ERROR_ILLEGAL_STEP, "u[s, i] at s = 0, i = ");
    check_steps(LAUNCHES("", "bind(global.x)", "j"), "{ bind(s, global.y); }",
                LAUNCHES("bind(global.y)", "bind(global.x)", "j"));
    check_refused(LAUNCHES("bind(global.y)", "", "j"), "{ bind(u.i, global.x); }",
                  IRL_ERROR_ILLEGAL_STEP, "every work-item");
    check_refused(STEPS("", "", "bind(global.x)", "7 - i"), "{ bind(u.s, global.y); }",
                  IRL_ERROR_ILLEGAL_STEP, "are one element");
    check_steps(STEPS("", "", "bind(global.x)", "i"), "{ bind(u.s, global.y); }",
                STEPS("bind(global.y)", "", "bind(global.x)", "i"));
    check_refused(STEPS("bind(global.y)", "", "", "7 - i"), "{ bind(u.i, global.x); }",
                  IRL_ERROR_ILLEGAL_STEP, "are one element");
    check_steps(STEPS("bind(global.y)", "", "", "i"), "{ bind(u.i, global.x); }",
                STEPS("bind(global.y)", "", "bind(global.x)", "i"));
    /* a load beside the axis of what the loop writes */
    check_refused("func f(u: i32[2, 8]) { for bind(global.y) (s: 2) { "
                  "alloc v: i32[1] scope(local); v[0] = u[s, 3]; for (i: 8) u[s, i] = v[0]; "
                  "} }", "{ bind(u.i, global.x); }",
                  IRL_ERROR_ILLEGAL_STEP, "u[s, i] at s = 0, i = 3 and u[s, 3] at s = 0");
    /* a work-item sees its own copy of t */
    check_refused(COPIES("", "", "k"), "{ bind(t.j, local.x); }", IRL_ERROR_ILLEGAL_STEP,
                  "every work-item");
    check_steps(COPIES("", "", "7 - k"), "{ bind(y.k, local.x); }",
                COPIES("", "bind(local.x)", "7 - k"));
    check_refused(COPIES("", "bind(local.x)", "7 - k"), "{ bind(t.j, local.x); }",
                  IRL_ERROR_ILLEGAL_STEP, "are one element");
    check_steps(COPIES("", "", "k"), "{ bind(y.k, local.x); bind(t.j, local.x); }",
                COPIES("bind(local.x)", "bind(local.x)", "k"));
    check_refused(TURNED("(t: 3)", "bind(global.y) (s: 2)", "0"), "{ reorder(s, t); }",
                  IRL_ERROR_ILLEGAL_STEP, "are one element");
    check_refused(TURNED("(t: 3)", "bind(global.y) (s: 2)", "7 - j"), "{ reorder(s, t); }",
                  IRL_ERROR_ILLEGAL_STEP, "are one element");
    check_steps(TURNED("(t: 3)", "bind(global.y) (s: 2)", "j"), "{ reorder(s, t); }",
                TURNED("bind(global.y) (s: 2)", "(t: 3)", "j"));
    /* the range of a launch is known before it */
    check_refused("func f(u: i32[4, 4]) { for (s: 4) for (i: s + 1) u[s, i] = 1; }",
                  "{ bind(s, global.y); bind(i, global.x); }", IRL_ERROR_ILLEGAL_STEP,
                  "the extent of global.x is not known before the launch");
    check_refused("func f(u: i32[4, 4]) { for (s: 4) for bind(global.x) (i: s + 1) u[s, i] = 1; }",
                  "{ bind(s, global.y); }", IRL_ERROR_ILLEGAL_STEP, "depend on a loop or on ");
}

/* B is made and used once; D too, of its cells less the border. */
#define CHAIN \
    "func f(A: i32[4, 6], D: i32[3, 8]) { alloc B: i32[4, 6]; alloc C: i32[24]; " \
    "for (i: 4, j: 6) block B(vi: spatial(4) = i, vj: spatial(6) = j) reads(A[vi, vj]) " \
    "writes(B[vi, vj]) { B[vi, vj] = A[vi, vj] * 2; } " \
    "for (i: 24) block C(v: spatial(24) = i) reads(B[v / 6, v % 6]) writes(C[v]) " \
    "{ C[v] = B[v / 6, v % 6] + 1; } " \
    "for (i: 3, j: 8) block D(vi: spatial(3) = i, vj: spatial(8) = j) where(i * 8 + j < 24) " \
    "reads(C[vi * 8 + vj]) writes(D[vi, vj]) { D[vi, vj] = C[vi * 8 + vj]; } }"

/* A condition in a kernel, around the place of what the work-items of a group do together: all of
   them decide it alike, or the step is refused. */
static void check_condition_shared(void)
{
    static const struct { const char *condition; int is_even; } rows[] = {
        { "if (g < 4)", 1 },
        { "let c = g / 2; if (c < 2)", 1 },
        { "if (n > 3 && g > 1)", 1 },
        { "if (l < 4)", 0 },
        { "let c = l + g; if (c < 4)", 0 },
        { "if (x[0] > 3)", 0 },
        { "let c = x[g]; if (c < 2)", 0 },
    };
    static const char steps[] = "{ bind(y.g, group.x); bind(y.l, local.x); "
                                "set_scope(t, 0, shared); compute_at(t, y.q); }";
    char   text[512];
    size_t k;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        irl_ctx  *cx = irl_ctx_create(NULL);
        irl_func *f, *g;
        snprintf(text, sizeof text,
                 "func f(n: index, x: i32[80], y: i32[8, 16]) { alloc t: i32[80]; for (a: 80) t[a] "
                 "= x[a] * 2; for (g: 8) for (l: 16) { y[g, l] = 0; %s for (q: 2) y[g, l] = y[g, "
                 "l] + t[g * 8 + q] + t[g * 8 + 3 - q]; } }", rows[k].condition);
        f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        g = irl_schedule_parse(f, steps, IRL_TO_NUL, NULL);
        if (rows[k].is_even)
            CHECK(CHECK_OK(cx) && schedule_same(f, g, 1) == SAME);
        else
            CHECK(!g && strstr(irl_diag_text(cx), "a condition is around the loop in the kernel, "
                                                  "and may differ between work-items of a group"));
        irl_ctx_destroy(cx);
    }
}

static void check_inline(void)
{
    check_steps(CHAIN, "{ compute_inline(B); }",
                "func f(A: i32[4, 6], D: i32[3, 8]) { alloc C: i32[24]; "
                "for (i: 24) block C(v: spatial(24) = i) reads(A[v / 6, v % 6]) writes(C[v]) "
                "{ C[v] = A[v / 6, v % 6] * 2 + 1; } "
                "for (i: 3, j: 8) block D(vi: spatial(3) = i, vj: spatial(8) = j) "
                "where(i * 8 + j < 24) reads(C[vi * 8 + vj]) writes(D[vi, vj]) "
                "{ D[vi, vj] = C[vi * 8 + vj]; } }");
    check_steps(CHAIN, "{ reverse_compute_inline(C); reverse_compute_inline(D); }",
                "func f(A: i32[4, 6], D: i32[3, 8]) { for (i: 4, j: 6) "
                "block B(vi: spatial(4) = i, vj: spatial(6) = j) reads(A[vi, vj]) "
                "writes(D[(vi * 6 + vj) / 8, (vi * 6 + vj) % 8]) "
                "{ D[(vi * 6 + vj) / 8, (vi * 6 + vj) % 8] = A[vi, vj] * 2 + 1; } }");
    /* plain nests, with a border that is not read */
    check_steps("func f(A: i32[9], C: i32[7]) { alloc B: i32[9]; for (i: 9) B[i] = A[8 - i]; "
                "for (i: 7) C[i] = B[i + 1] * 3; }", "{ reverse_compute_inline(C); }",
                "func f(A: i32[9], C: i32[7]) { for (i: 9) if (i - 1 >= 0 && i - 1 < 7) "
                "C[i - 1] = A[8 - i] * 3; }");
    check_steps("func f(A: i32[9], C: i32[7]) { alloc B: i32[9]; for (i: 9) B[i] = A[8 - i]; "
                "for (i: 7) C[i] = B[i + 1] * 3; }", "{ compute_inline(B); }",
                "func f(A: i32[9], C: i32[7]) { for (i: 7) C[i] = A[8 - (i + 1)] * 3; }");
    check_refused("func f(A: i32[8], C: i32[8]) { alloc B: i32[8]; for (i: 8) B[i] = A[i]; "
                  "for (i: 8) A[i] = 1; for (i: 8) C[i] = B[i]; }", "{ compute_inline(B); }",
                  IRL_ERROR_ILLEGAL_STEP, "A[i] at i = 0 and A[i] at i = 0 are one element");
    check_refused("func f(A: i32[8]) { alloc B: i32[8]; for (i: 8) B[i] = A[i]; "
                  "for (i: 8) A[i] = B[7 - i]; }", "{ compute_inline(B); }",
                  IRL_ERROR_ILLEGAL_STEP, "are one element");
    check_steps("func f(A: i32[8]) { alloc B: i32[8]; for (i: 8) B[i] = A[i]; "
                "for (i: 8) A[i] = B[i] + 1; }", "{ compute_inline(B); }",
                "func f(A: i32[8]) { for (i: 8) A[i] = A[i] + 1; }");
    check_refused("func f(A: i32[8], C: i32[8], E: i32[8]) { alloc B: i32[8]; "
                  "for (i: 8) B[i] = A[i]; for (i: 8) E[i] = C[i]; for (i: 8) C[i] = B[i]; }",
                  "{ reverse_compute_inline(C); }", IRL_ERROR_ILLEGAL_STEP,
                  "C[i] at i = 0 and C[i] at i = 0 are one element");
    check_refused("func f(A: i32[8], C: i32[8]) { for (i: 8) C[i] = A[i]; }",
                  "{ compute_inline(C); }", IRL_ERROR_ILLEGAL_STEP, "parameter");
    check_refused("func f(A: i32[8], C: i32[8]) { alloc B: i32[8]; for (i: 8) B[i / 2] = A[i]; "
                  "for (i: 8) C[i] = B[i / 2]; }", "{ compute_inline(B); }",
                  IRL_ERROR_ILLEGAL_STEP, "do not determine 'i'");
    check_refused("func f(A: i32[8], C: i32[8]) { alloc B: i32[8]; for (i: 4) B[i * 2] = A[i]; "
                  "for (i: 8) C[i] = if_then_else(i > 5, B[i], 0); }", "{ compute_inline(B); }",
                  IRL_ERROR_ILLEGAL_STEP, "does not write B[i] before it is read");
    check_refused("func f(A: i32[8], C: i32[8, 2]) { alloc B: i32[8]; for (i: 8) B[i] = A[i]; "
                  "for (i: 8, j: 2) C[i, j] = B[i]; }", "{ reverse_compute_inline(C); }",
                  IRL_ERROR_ILLEGAL_STEP, "do not determine 'j'");
    check_refused("func f(A: i32[8, 3], C: i32[8]) { alloc B: i32[8]; for (i: 8, k: 3) "
                  "block B(v: spatial(8) = i, r: reduce(3) = k) { init { B[v] = 0; } "
                  "B[v] = B[v] + A[v, r]; } for (i: 8) C[i] = B[i] + 1; }",
                  "{ reverse_compute_inline(C); }", IRL_ERROR_ILLEGAL_STEP, "not final");
    /* several that write: each computes on; what one of them reads, or writes again, stays */
    check_steps("func f(A: i32[8], C: i32[8]) { alloc B: i32[8]; for (i: 3) B[i] = A[i]; "
                "for (i: 5) B[i + 3] = A[i + 3] * 2; for (i: 8) C[i] = B[i] + 1; }",
                "{ reverse_compute_inline(C); }",
                "func f(A: i32[8], C: i32[8]) { for (i: 3) C[i] = A[i] + 1; "
                "for (i: 5) C[i + 3] = A[i + 3] * 2 + 1; }");
    check_refused("func f(A: i32[8], C: i32[8]) { alloc B: i32[8]; for (i: 3) B[i] = A[i]; "
                  "for (i: 5) B[i + 3] = C[i]; for (i: 8) C[i] = B[i] + 1; }",
                  "{ reverse_compute_inline(C); }", IRL_ERROR_ILLEGAL_STEP, "too early");
    check_refused("func f(A: i32[8], C: i32[8]) { alloc B: i32[8]; for (i: 8) B[i] = A[i]; "
                  "for (i: 8) B[i] = B[i] + A[7 - i]; for (i: 8) C[i] = B[i] * 3; }",
                  "{ reverse_compute_inline(C); }", IRL_ERROR_ILLEGAL_STEP, "not final");
    check_refused("func f(A: i32[8], C: i32[8]) { alloc B: i32[8]; for (i: 8) B[i] = A[i]; "
                  "for (i: 8) C[i] = B[i]; for (i: 8) B[i] = A[7 - i]; }",
                  "{ reverse_compute_inline(C); }", IRL_ERROR_ILLEGAL_STEP, "is after");
    /* what lies beside the maker in its loop, and the user does not touch, is not in the way */
    check_steps("func f(A: i32[4, 3], C: i32[4]) { alloc B: i32[4]; for (i: 4) { alloc S: i32[1]; "
                "S[0] = 0; for (k: 3) S[0] = S[0] + A[i, k]; for (j: 1) B[i] = S[0]; } "
                "for (i: 4) C[i] = B[i] * 3; }", "{ reverse_compute_inline(C); }",
                "func f(A: i32[4, 3], C: i32[4]) { for (i: 4) { alloc S: i32[1]; S[0] = 0; "
                "for (k: 3) S[0] = S[0] + A[i, k]; for (j: 1) C[i] = S[0] * 3; } }");
    /* C[0] and C[5] are written where no cell of B is */
    check_refused("func f(A: i32[5], C: i32[6]) { alloc B: i32[4]; for (i: 4) B[i] = A[i] * 2; "
                  "for (i: 6) C[i] = i >= 1 && i <= 4 ? B[i - 1] : 7; }",
                  "{ reverse_compute_inline(C); }", IRL_ERROR_ILLEGAL_STEP, "in some iterations");
    /* what is stored to one cell keeps its order; what is not final does not fail */
#define OVER(many, at, from, user) "func f(x: i32[5], z: i32[3]) { alloc t: i32[3]; a: for (i: " \
                                   many ") t[" at "] = " from "; b: for (i: 3) " user "; }"
    check_refused(OVER("3", "2 - i", "x[i]", "z[0] = t[i]"), "{ reverse_compute_inline(b); }",
                  IRL_ERROR_ILLEGAL_STEP, "stored in another order");
    check_refused(OVER("5", "i % 3", "x[i] * 2", "if (i < 3) z[min(i, 1)] = t[i] + 1"),
                  "{ reverse_compute_inline(b); }", IRL_ERROR_ILLEGAL_STEP,
                  "stored in another order");
    check_refused("func f(x: i32[4, 4], z: i32[4]) { alloc t: i32[4, 4]; a: for (i: 4, j: 4) "
                  "t[j, i] = x[i, j]; b: for (i: 4, j: 4) z[(i + j) % 4] = t[i, j]; }",
                  "{ reverse_compute_inline(b); }", IRL_ERROR_ILLEGAL_STEP,
                  "stored in another order");
    check_steps(OVER("3", "i", "x[i]", "z[0] = t[i]"), "{ reverse_compute_inline(b); }",
                "func f(x: i32[5], z: i32[3]) { a: for (i: 3) z[0] = x[i]; }");
    check_refused(OVER("5", "i % 3", "x[i]", "z[i] = 100 / t[i]"), "{ reverse_compute_inline(b); }",
                  IRL_ERROR_ILLEGAL_STEP, "could fail");
    check_steps(OVER("5", "i % 3", "x[i]", "z[i] = 100 + t[i]"), "{ reverse_compute_inline(b); }",
                "func f(x: i32[5], z: i32[3]) { a: for (i: 5) z[i % 3] = 100 + x[i]; }");
#undef OVER
    check_refused("func f(x: i32[4], y: i32[4]) { for parallel (i: 4) { for (j: 1) y[i] = x[i]; "
                  "for (j: 1) y[i] = y[i] + 1; } }",
                  "{ cache_write(y, y, local); }", IRL_ERROR_ILLEGAL_STEP, "at the same time");
}

#define SHIFT \
    "func f(A: i32[9, 9], B: i32[8, 8]) { for (i: 8, j: 8) block B(vi: spatial(8) = i, " \
    "vj: spatial(8) = j) reads(A[vi + 1, vj + 1]) writes(B[vi, vj]) " \
    "{ B[vi, vj] = A[vi + 1, vj + 1] * 2; } }"
#define PRODUCT \
    "func f(A: i32[6, 5], W: i32[5, 8], B: i32[6, 8]) { for (i: 6, j: 8, k: 5) " \
    "block B(vi: spatial(6) = i, vj: spatial(8) = j, vk: reduce(5) = k) " \
    "{ init { B[vi, vj] = 0; } B[vi, vj] = B[vi, vj] + A[vi, vk] * W[vk, vj]; } }"
#define BLUR \
    "func f(x: i32[17], y: i32[16]) { alloc t: i32[17]; for (i: 17) t[i] = x[i] * 3; " \
    "for (i: 16) y[i] = t[i] + t[i + 1]; }"

static void check_move(void)
{
    check_steps(SHIFT, "{ x = cache_read(B, A, shared); (io, ii) = split(B.i, 4); "
                "(jo, ji) = split(B.j, 4); reorder(io, jo, ii, ji); compute_at(x, jo); "
                "bind(io, group.y); bind(jo, group.x); }",
                "func f(A: i32[9, 9], B: i32[8, 8]) { for bind(group.y) (io: 2) "
                "for bind(group.x) (jo: 2) { alloc s: i32[4, 4] scope(shared); for (a: 4, b: 4) "
                "block x(v: spatial(9) = io * 4 + 1 + a, w: spatial(9) = jo * 4 + 1 + b) "
                "reads(A[v, w]) writes(s[v - (io * 4 + 1), w - (jo * 4 + 1)]) "
                "{ s[v - (io * 4 + 1), w - (jo * 4 + 1)] = A[v, w]; } "
                "for (ii: 4, ji: 4) block B(vi: spatial(8) = io * 4 + ii, "
                "vj: spatial(8) = jo * 4 + ji) reads(s[vi - io * 4, vj - jo * 4]) "
                "writes(B[vi, vj]) { B[vi, vj] = s[vi - io * 4, vj - jo * 4] * 2; } } }");
    check_steps(PRODUCT, "{ acc = cache_write(B, B, local); (jo, ji) = split(B.j, 3); "
                "reorder(B.i, jo, B.k, ji); reverse_compute_at(acc, jo); "
                "decompose_reduction(B, B.k); vectorize(ji); }",
                "func f(A: i32[6, 5], W: i32[5, 8], B: i32[6, 8]) { for (i: 6, jo: 3) { "
                "alloc l: i32[1, 3] scope(local); for (ji: 3) block B_init(vi: spatial(6) = i, "
                "vj: spatial(8) = jo * 3 + ji) where(jo * 3 + ji < 8) "
                "{ l[vi - i, vj - jo * 3] = 0; } for (k: 5) for vectorized (ji: 3) "
                "block B(vi: spatial(6) = i, vj: spatial(8) = jo * 3 + ji, vk: reduce(5) = k) "
                "where(jo * 3 + ji < 8) { l[vi - i, vj - jo * 3] = l[vi - i, vj - jo * 3] + "
                "A[vi, vk] * W[vk, vj]; } for (a: 3) block acc(v: spatial(6) = i, "
                "w: spatial(8) = jo * 3 + a) where(jo * 3 + a < 8) "
                "reads(l[v - i, w - jo * 3]) writes(B[v, w]) { B[v, w] = l[v - i, w - jo * 3]; } "
                "} }");
    check_steps(BLUR, "{ (io, ii) = split(y.i, 8); compute_at(t, io); }",
                "func f(x: i32[17], y: i32[16]) { for (io: 2) { alloc t: i32[9]; for (a: 9) "
                "t[a] = x[io * 8 + a] * 3; for (ii: 8) y[io * 8 + ii] = t[ii] + t[ii + 1]; } }");
    check_refused(BLUR, "{ compute_at(y, t.i); }", IRL_ERROR_ILLEGAL_STEP, "parameter");
    check_refused(BLUR, "{ compute_at(t, t.i); }", IRL_ERROR_ILLEGAL_STEP, "is around 't'");
    check_refused("func f(x: i32[8], y: i32[8], z: i32[8]) { alloc t: i32[8]; for (i: 8) "
                  "t[i] = x[i]; for (i: 8) y[i] = t[i]; for (i: 8) z[i] = t[7 - i]; }",
                  "{ compute_at(t, y.i); }", IRL_ERROR_ILLEGAL_STEP,
                  "t[7 - i] is read outside of the loop 'i'");
    check_refused("func f(x: i32[8], y: i32[8]) { alloc t: i32[8]; for (i: 8) t[i] = x[i]; "
                  "for (i: 8) { x[i] = 1; for (j: 1) y[i] = t[i]; } }",
                  "{ compute_at(t, y.i); }", IRL_ERROR_ILLEGAL_STEP,
                  "x[i] at i = 0 and x[i] at i = 0 are one element");
    check_refused("func f(x: i32[8], y: i32[8], z: i32[8]) { alloc t: i32[8]; for (i: 8) "
                  "t[i] = x[i]; for (i: 8) z[i] = y[i]; for (i: 8) y[i] = t[i]; }",
                  "{ reverse_compute_at(y, t.i); }", IRL_ERROR_ILLEGAL_STEP,
                  "y[i] at i = 0 and y[i] at i = 0 are one element");
    check_refused("func f(x: i32[4, 8], y: i32[8]) { alloc t: i32[8]; for (k: 4) for (i: 8) "
                  "t[i] = x[k, i]; for (i: 8) y[i] = t[i] + 1; }",
                  "{ reverse_compute_at(y, t.k); }", IRL_ERROR_ILLEGAL_STEP,
                  "written in several iterations: t[i] at k = 0, i = 0 and t[i] at k = 1, i = 0");
    check_refused("func f(x: f32[6, 8], y: f32[6]) { alloc t: f32[6, 8]; for (i: 6, k: 8) "
                  "t[i, k] = x[i, k]; for (ki: 2, ko: 4, i: 6) block y(v: spatial(6) = i, "
                  "r: reduce(8) = ko * 2 + ki) { init { y[v] = 0.0f; } y[v] = y[v] + t[v, r]; } }",
                  "{ reverse_compute_at(y, t.i); }", IRL_ERROR_ILLEGAL_STEP, "reassociate first");
    check_refused("func f(x: i32[8], y: i32[8]) { alloc t: i32[8]; for (i: 8) t[i] = x[i]; "
                  "decl v: i32[4, 2] data(x); for (i: 8) y[i] = t[i] + v[0, 1]; }",
                  "{ reverse_compute_at(y, t.i); }", IRL_ERROR_ILLEGAL_STEP, ", which is declared "
                                                                             "after the loop");
}

/* The axes of an outer block hang on those of blocks in it: as many instances as these reach. */
static void check_nested(void)
{
    check_steps("func f(x: i32[7], y: i32[2]) { alloc t: i32[63, 5]; l: for (i: 63, j: 5) t[i, j] ="
                " max(k: 2, x[min(j + k, 6)] + i32(i)); for (i: 2) y[i] = t[i, 1]; }",
                "{ transform_block_layout(l, (i, ...) -> (i / 3, ..., i % 3)); blockize(j); "
                "compute_at(l_o, y.i); }",
                "func f(x: i32[7], y: i32[2]) { for (i: 2) { alloc t: i32[63, 5]; for (ax0: 2) "
                "block l_o(v0_o: spatial(21) = (i - 2) / 3 + ax0, vj_o: spatial(1) = 0, "
                "v3_o: spatial(1) = 0) where((i - 2) / 3 + ax0 >= 0) { for (j: 5, k: 2, ax3: 3) "
                "block l(vj: spatial(5) = j, vk: reduce(2) = k, v3: spatial(3) = ax3) { init "
                "t[v0_o * 3 + v3, vj] = -2147483648; t[v0_o * 3 + v3, vj] = max("
                "t[v0_o * 3 + v3, vj], x[min(vj + vk, 6)] + i32(v0_o * 3 + v3)); } } "
                "y[i] = t[i, 1]; } }");
}

/* Names have ranges that bound no extent: all of it is less. Regions that a block only declares
   know a buffer that is gone, or is larger now; a match, and one of a view, is no memory of its
   own. */
static void check_found_by_draws(void)
{
    check_steps("func f(n: index, x: i32[3, (n + 2) / 3], y: i32[2, n]) { alloc t: i32[3, "
                "(n + 11) / 12, 4]; for (a: 3, b: (n + 2) / 3) block t(va: spatial(3) = a, vb: "
                "spatial((n + 2) / 3) = b) { t[va, vb / 4, vb % 4] = x[va, vb]; } for (i: 2, j: n) "
                "y[i, j] = t[max(j - 2, 0) % 3, max(j - 2, 0) / 12, max(j - 2, 0) / 3 % 4] + "
                "t[j % 3, j / 12, j / 3 % 4]; }", "{ compute_at(t, i); }",
                "func f(n: index, x: i32[3, (n + 2) / 3], y: i32[2, n]) { for (i: 2) { alloc t: "
                "i32[3, (n + 11) / 12, 4]; for (ax0: 3, ax1: (n + 2) / 3) block t(va: spatial(3) = "
                "ax0, vb: spatial((n + 2) / 3) = ax1) { t[va, vb / 4, vb % 4] = x[va, vb]; } "
                "for (j: n) y[i, j] = t[max(j - 2, 0) % 3, max(j - 2, 0) / 12, max(j - 2, 0) / 3 % "
                "4] + t[j % 3, j / 12, j / 3 % 4]; } }");
    check_steps("func f(x: i32[4], y: i32[4], z: i32[1]) { alloc t: i32[4]; for (i: 4) t[i] = x[i];"
                " for (j: 4) block y(v: spatial(4) = j) { y[v] = t[v]; } for (k: 1) block z(v: "
                "spatial(1) = k) reads(x[0: 4], t[0: 4]) writes(z[v]) { z[v] = x[v]; } }",
                "{ reverse_compute_at(y, t.i); }",
                "func f(x: i32[4], y: i32[4], z: i32[1]) { for (i: 4) { alloc t: i32[1]; t[0] = "
                "x[i]; block y(v: spatial(4) = i) { y[v] = t[v - i]; } } for (k: 1) block z(v: "
                "spatial(1) = k) reads(x[0]) writes(z[0]) { z[v] = x[v]; } }");
    check_steps("func f(x: i32[1], y: i32[1]) { for (i: 1) block b(v: spatial(1) = i) "
                "reads(x[0: 1]) writes(y[v]) { y[v] = x[v] * 2; } }", "{ pad_einsum(b, 3); }",
                "func f(x: i32[1], y: i32[1]) { alloc y_pad: i32[3]; alloc x_pad: i32[3]; "
                "for (ax0: 3) block x_pad(v0: spatial(3) = ax0) { x_pad[v0] = if_then_else(v0 < 1, "
                "x[v0], 0); } for (i: 3) block b(v: spatial(3) = i) reads(x_pad[v]) "
                "writes(y_pad[v]) { y_pad[v] = x_pad[v] * 2; } for (ax0: 1) block y_pad(v0: "
                "spatial(1) = ax0) { y[v0] = y_pad[v0]; } }");
    check_refused("func f(p: i32[4], y: i32[2]) { l: for (i: 1) p[3 + i] = 10; for (j: 2) block b("
                  "v: spatial(2) = j) { match m: i32[3] = p[1: 3]; y[v] = m[v]; } }",
                  "{ reverse_compute_at(b, l.i); }", IRL_ERROR_ILLEGAL_STEP,
                  "'m' is touched through a view, a match or a call");
    check_refused("func f(x: f32[63], y: f32[63]) { decl w: f32[63] data(x); for (i: 63) block b(v:"
                  " spatial(63) = i) { match m: f32[63] = w[0: 63]; y[v] = m[v] + x[v]; } }",
                  "{ transform_layout(b, x, (i) -> (i / 3, i % 3)); }", IRL_ERROR_ILLEGAL_STEP,
                  "'m' is a match of a part of 'x'");
}

/* What a ring keeps from one iteration to the next is computed in none of a loop inside. */
static void check_ring(void)
{
    check_refused("func f(x: i32[7, 4], y: i32[5, 4]) { alloc t: i32[7, 4]; for (i: 7, j: 4) "
                  "t[i, j] = x[i, j]; for (i: 5, j: 4) y[i, j] = t[i, j] + t[i + 2, j]; }",
                  "{ compute_at(t, y.i); rolling_buffer(t, y.i); compute_at(t, y.j); }",
                  IRL_ERROR_ILLEGAL_STEP, "may be read that another iteration wrote");
    check_refused("func f(x: i32[7, 4], y: i32[5, 3]) { alloc t: i32[7, 4]; for (i: 7, j: 4) "
                  "t[i, j] = x[i, j]; for (k: 5, l: 3) y[k, l] = t[k, l] + t[k + 2, l + 1]; }",
                  "{ compute_at(t, k); compute_at(t, l); rolling_buffer(t, l); "
                  "rolling_buffer(t, k); }",
                  IRL_ERROR_ILLEGAL_STEP, "is written again before the next iteration takes it");
}

/* More of it: nests that read what they write, loops past a block's axes, memory of kernels. */
static void check_found_by_chains(void)
{
#define SCAN(axes) "func f(x: i32[4, 4], y: i32[4]) { alloc t: i32[4, 4]; for (a: 4, b: 4) " \
                   "block t(" axes ") { t[va, vb] = if_then_else(va > 0 && vb < 3, t[max(va, 1) " \
                   "- 1, min(vb, 2) + 1], 0) + x[va, vb]; } for (i: 4) y[i] = t[3, i]; }"
    check_refused(SCAN("vb: spatial(4) = b, va: spatial(4) = a"), "{ compute_at(t, y.i); }",
                  IRL_ERROR_ILLEGAL_STEP, "its axes would run in another order");
    check_steps(SCAN("va: spatial(4) = a, vb: spatial(4) = b"), "{ compute_at(t, y.i); }",
                "func f(x: i32[4, 4], y: i32[4]) { for (i: 4) { alloc t: i32[4, 4]; for (ax0: 4, "
                "ax1: 4) block t(va: spatial(4) = ax0, vb: spatial(4) = ax1) { t[va, vb] = "
                "if_then_else(va > 0 && vb < 3, t[max(va, 1) - 1, min(vb, 2) + 1], 0) + x[va, vb]; "
                "} y[i] = t[3, i]; } }");
#undef SCAN
    check_steps("func f(x: i32[5, 3], y: i32[5]) { alloc t: i32[5, 3]; for (i: 5, j: 3) t[i, j] = "
                "if_then_else(j > 0, t[i, max(j, 1) - 1], 0) + x[i, j]; for (k: 5) y[k] = t[k, 2]; "
                "}", "{ compute_at(t, y.k); }",
                "func f(x: i32[5, 3], y: i32[5]) { for (k: 5) { alloc t: i32[1, 3]; for (ax1: 3) "
                "t[0, ax1] = if_then_else(ax1 > 0, t[0, max(ax1, 1) - 1], 0) + x[k, ax1]; "
                "y[k] = t[0, 2]; } }");
    check_refused("func f(x: i32[1, 4], y: i32[1, 4]) { alloc t: i32[1, 4]; for (j: 4) t[0, j] = "
                  "x[0, j]; for (i: 1) for (k: 4) block y(v: spatial(4) = k) { y[i, v] = t[i, v]; "
                  "} }", "{ reverse_compute_at(y, t.j); }", IRL_ERROR_ILLEGAL_STEP,
                  "uses the loop 'i' directly, not through its axes");
    check_refused("func f(x: u8[4, 7], y: u8[4, 6]) { alloc t: u8[4, 7]; for (i: 4) if (i < 9) { "
                  "for parallel (j: 7) t[i, j] = x[i, j]; for (a: 1, b: 6) y[i, b] = t[i, b] + "
                  "t[i, b + 1]; } }", "{ reverse_compute_at(y, t.j); }",
                  IRL_ERROR_ILLEGAL_STEP, "run at the same time");
    check_refused("func f(x: i32[8], y: i32[8]) { alloc u: i32[8]; for bind(group.x) (g: 1) for "
                  "bind(local.x) (i: 8) { for (k: 1) u[i] = x[i]; barrier(global); "
                  "y[i] = u[7 - i]; } }",
                  "{ set_scope(u, u, shared); }", IRL_ERROR_ILLEGAL_STEP,
                  "a barrier there waits for memory that is not shared");
    check_refused("func f(x: i32[8], y: i32[8]) { alloc u: i32[8]; for bind(group.x) (g: 1) for "
                  "bind(local.x) (i: 8) { for (k: 1) u[i] = x[i]; barrier(global); "
                  "y[i] = u[7 - i]; } }",
                  "{ set_scope(u, u, local); }", IRL_ERROR_ILLEGAL_STEP,
                  "each would have its own");
    /* a match lies where its source lies; who runs at the same time is not asked through one */
#define MATCHED(scope, loop) \
    "func f(x: f32[8], y: f32[8]) { alloc t: f32[8, 2]" scope "; for " loop "(i: 8) block b(v: " \
    "spatial(8) = i) reads(x[v]) writes(t[v, 0: 2]) { match s: f32[2]" scope " = t[v, 0: 2]; " \
    "block c(u: spatial(2) = 1) { match r: f32[1]" scope " = s[u]; r[0] = x[v] * 2.0f; } s[0] = " \
    "x[v]; } for " loop "(i: 8) block e(v: spatial(8) = i) { y[v] = t[v, 0] + t[v, 1]; } }"
    check_steps(MATCHED("", ""), "{ set_scope(b, 0, local); }", MATCHED(" scope(local)", ""));
    check_steps(MATCHED("", ""), "{ set_scope(b, 0, shared); set_scope(b, 0, global); }",
                MATCHED("", ""));
    check_refused(MATCHED("", "parallel "), "{ set_scope(b, 0, local); }", IRL_ERROR_ILLEGAL_STEP,
                  "a view, a match or a call");
    check_refused(MATCHED("", ""), "{ set_scope(b, 0, texture); }", IRL_ERROR_ILLEGAL_STEP,
                  "a copy");
#undef MATCHED
    check_refused("func f(x: i32[4, 5], y: i32[4]) { alloc t: i32[4, 5] scope(shared); for "
                  "bind(global.x) (i: 4) { for (j: 2) t[i, j] = x[i, j]; for (k: 2 .. 5) t[i, k] = "
                  "x[i, k]; } for (i: 4) y[i] = t[i, i]; }", "{ bind(j, global.y); }",
                  IRL_ERROR_ILLEGAL_STEP, ", outside the loop");
    check_refused("func f(x: i32[4], y: i32[4, 2]) { alloc u: i32[4] scope(local); for (i: 4) "
                  "u[i] = y[i, 0]; for bind(global.x) (i: 4) for bind(global.y) (j: 2) y[i, j] = "
                  "u[i] + x[i]; }",
                  "{ compute_at(u, y.i); }", IRL_ERROR_ILLEGAL_STEP,
                  "work-items of one kernel would do at the same time");
    check_refused("func f(x: i32[8], y: i32[8]) { for bind(group.x) (g: 1) { alloc u: i32[8] "
                  "scope(local); u: for (k: 8) u[k] = x[k]; for bind(local.x) (i: 8) y[i] = u[7 - "
                  "i]; } }", "{ cache_write(u, 0, shared); }", IRL_ERROR_ILLEGAL_STEP,
                  "each work-item of 'i' would write the one 'u_shared' that the group shares");
    check_refused("func f(x: i32[4, 12], y: i32[4]) { t: for (i: 4) y[i] = sum(s: 12, x[i, s]); }",
                  "{ bind(t.i, group.x); c = cache_read(t, x, shared); compute_at(c, t.i); "
                  "bind(t.s, local.x); }", IRL_ERROR_ILLEGAL_STEP, ", outside the loop");
    check_refused("func f(x: i32[4, 4], y: i32[4, 4]) { for bind(local.x) (i: 4) for unrolled (j: "
                  "1) { y[i, j] = 0; for (k: 4) y[i, j] = y[i, j] + x[i, k]; } }",
                  "{ compose_reduction(y); decompose_reduction(y, j); }", IRL_ERROR_ILLEGAL_STEP,
                  "uses the loop 'j' directly, not through its axes");
    check_refused("func f(n: index, a: i32[n, n], t: i32[n, n]) { for (i: n * 3 / max(n, 0), j: n) "
                  "{ t[i * n / 3 % n, j] = 0; for (k: 2) t[i * n / 3 % n, j] += a[k % n, j]; } }",
                  "{ compose_reduction(t); }", IRL_ERROR_ILLEGAL_STEP, "");
}

/* Barriers, calls that may do anything, images, memory of a block: what a step may not move. */
static void check_what_stays(void)
{
#define GROUP(body) \
    "func f(x: i32[8], y: i32[8]) { for bind(group.x) (g: 1) for bind(local.x) (l: 8) { alloc s: " \
    "i32[8] scope(shared); alloc own: i32[1] scope(local); " body " } }"
#define BETWEEN \
    GROUP("s[l] = x[l]; barrier(shared); for (q: 1) own[q] = s[7 - l]; barrier(shared); s[l] = " \
          "0; barrier(shared); for (r: 1) y[l] = own[r];")
#define IN_FRONT \
    GROUP("for (q: 1) own[q] = x[l]; s[l] = x[l]; barrier(shared); for (r: 1) y[l] = own[r] + " \
          "s[7 - l];")
#define TICK(body) \
    "func f(x: i32[2, 2], y: i32[2, 2], z: i32[2]) extern tick(a: i32): i32 { " body " }"
#define IMAGE \
    "func f(x: f32[4, 4, 4], y: f32[4, 4, 4]) { alloc t: f32[4, 4, 4] scope(texture) sep(1); for " \
    "(i: 4, j: 4, c: 4) t[i, j, c] = x[i, j, c] * 2; for (i: 4, j: 4, c: 4) y[i, j, c] = t[i, j, " \
    "c] + 1; }"
    static const struct {
        const char *text, *steps, *says;
    } stays[] = {
        { BETWEEN, "{ compute_at(own, y.r); }", "wait for accesses of others to 's'" },
        { BETWEEN, "{ compute_inline(own); }", "wait for accesses of others to 's'" },
        { IN_FRONT, "{ reverse_compute_at(y, own.q); }", "wait for accesses of others to 's'" },
        { IN_FRONT, "{ reverse_compute_inline(y); }", "wait for accesses of others to 's'" },
        { GROUP("for (q: 1) s[l] = x[l]; barrier(shared); for (r: 1) y[l] = s[7 - l];"),
          "{ reverse_compute_inline(y); }", "a work-item of 'l' reads what another one wrote" },
        { GROUP("for (q: 1) s[l] = x[l]; barrier(shared); for (r: 1) y[l] = s[7 - l];"),
          "{ reverse_compute_at(y, q); }", "a work-item of 'l' reads what another one wrote" },
        { GROUP("for (q: 1) s[l] = x[l]; barrier(shared); for (r: 1) y[l] = s[7 - l];"),
          "{ compute_at(s, r); }", "each already does its own part" },
        { GROUP("for (q: 1) s[l] = x[l]; for (r: 1) y[l] = s[l];"), "{ cache_read(y, s, local); }",
          "'s' would be read as a whole while other iterations of 'l' write it" },
        { "func f(x: u32[8], y: u32[8]) { alloc t: u32[8]; for (k: 2) { for (i: 4) t[k * 4 + i] = "
          "x[k * 4 + i]; for (j: 4) y[k * 4 + j] = t[j]; } }", "{ reverse_compute_at(y, i); }",
          "an element may be read that another iteration wrote" },
        { GROUP("for (q: 2) { s[q * 4] = x[l]; barrier(shared); } for (r: 2) { y[l] = s[r]; "
                "barrier(shared); }"), "{ merge(q, r); }", "'q' contains a barrier" },
        { TICK("for (i: 2, k: 2) block s(vi: spatial(2) = i, vk: reduce(2) = k) { init z[vi] = "
               "extern(i32, tick, 5); z[vi] = z[vi] + extern(i32, tick, x[vi, vk]); }"),
          "{ decompose_reduction(s, s.i); }", "calls a function, which may have side effects: such "
                                              "calls must keep their number and order" },
        { TICK("alloc t: i32[2]; for (i: 2) t[i] = extern(i32, tick, x[i, 0]); for (i: 2) z[i] = "
               "extern(i32, tick, t[i]);"), "{ merge(t.i, z.i); }", "keep their number and order" },
        { TICK("alloc t: i32[2]; for (i: 2) t[i] = extern(i32, tick, x[i, 0]); for (i: 2) z[i] = "
               "t[i];"), "{ compute_at(t, z.i); }", "keep their number and order" },
        { TICK("for (i: 2, j: 2) block b(u: spatial(2) = i, v: spatial(2) = j) { y[u, v] = "
               "extern(i32, tick, x[u, v]); }"),
          "{ transform_block_layout(b, (a, b) -> (b, a)); }", "keep their number and order" },
        { "func f(x: i32[2], y: i32[2]) extern add(p: ptr(i32, global) reads(n) writes(n), n: "
          "index): i32 { alloc t: i32[2]; for (i: 2) t[i] = x[i]; evaluate extern(i32, add, t, 1); "
          "for (i: 2) y[i] = t[i]; }", "{ transform_layout(t, t, (a) -> (1 - a)); }",
          "'t' is passed to a call, which depends on its layout" },
        { "func f(x: i32[8, 3], y: i32[8]) { for (i: 4, k: 3) block b(u: spatial(4) = i, r: "
          "reduce(3) = k) reads(x[u * 2: 2, r]) writes(y[u * 2: 2]) { match d: i32[2] = y[u * 2: "
          "2]; init for (p: 2) d[p] = 3; for (p: 2) d[p] = d[p] + x[u * 2 + p, r]; } }",
          "{ decompose_reduction(b, b.i); }", "the init of 'b' uses 'd', which the block "
          "declares" },
        { IMAGE, "{ reverse_compute_at(y, t.i); }", "which one kernel writes and the next one "
                 "reads" },
        { IMAGE, "{ merge(t.i, y.i); }", "which one kernel writes and the next one reads" },
        { IMAGE, "{ transform_layout(t, t, (a, b, c) -> (a, b, c / 3, c % 3), pad = 0); }",
          "'t' in scope texture must be 4; found 3" },
        { "func f(x: f32[8], y: f32[8]) { alloc t: f32[8]; for (i: 8) t[i] = x[i]; for (i: 8) y[i] "
          "= t[7 - i]; }", "{ cache_read(y, t, constant); }", "constant memory is written by the "
                                                              "host only" },
        { "func f(x: i32[8], z: i32[8]) { for (i: 8, k: 0) block s(u: spatial(8) = i, r: reduce(0) "
          "= k) { init z[u] = 4; z[u] = z[u] + x[u]; } }", "{ pad_einsum(s, 4, 4); }",
          "the axis 'r' has no iteration" }
    };
    size_t k;
    for (k = 0; k < sizeof stays / sizeof *stays; k++)
        check_refused(stays[k].text, stays[k].steps, IRL_ERROR_ILLEGAL_STEP, stays[k].says);
#undef GROUP
#undef BETWEEN
#undef IN_FRONT
#undef TICK
#undef IMAGE
}

/* An init may read what it begins with, or not store at all; elements of bits are 0 until something
   is written; a block that is made runs where the loops inside of it do not. */
static void check_begun(void)
{
#define INIT_SUM(init) \
    "func f(x: i32[4, 3], v: i32[4]) { for (i: 4, r: 3) block b(a: spatial(4) = i, k: reduce(3) " \
    "= r) { init " init " v[a] = v[a] + x[a, k]; } }"
#define BITS(rest) "func f(x: u4[4], y: u4[4]) { alloc t: u4[4]; " rest " }"
#define TWO_T \
    "func f(x: i32[2, 8], y: i32[2, 8], z: i32[2, 8]) { for (u: 2) { alloc t: i32[8]; for (i: 8) " \
    "t[i] = x[u, i]; first: for (i: 8) y[u, i] = t[7 - i]; } for (u: 2) { alloc t: i32[8]; for " \
    "(i: 8) t[i] = x[u, i] * 2; second: for (i: 8) z[u, i] = t[7 - i]; } }"
    static const char doubled[] = INIT_SUM("v[a] = v[a] * 2;");
    static const char doubled_nowhere[] = "'b' reads 'v', which it has not written";
    static const char sometimes[] = INIT_SUM("if (x[a, 0] > 40) v[a] = 1;");
    static const char unwritten[] = "an element of 't' is read that nothing has written";
    static const struct {
        const char *text, *steps, *says;
    } refused[] = {
        { doubled, "{ pad_einsum(b, 5, 3); }", doubled_nowhere },
        { sometimes, "{ reindex(b, v); }", doubled_nowhere },
        { BITS("for (i: 2) t[i] = x[i]; for (i: 4) y[i] = t[i];"),
          "{ reverse_compute_inline(y); }", unwritten },
        { BITS("for (i: 2) t[i] = x[i]; for (i: 4) y[i] = t[i];"),
          "{ reverse_compute_at(y, t.i); }", unwritten },
        { BITS("for (i: 4) t[i] = t[i] + x[i]; for (i: 4) y[i] = t[i];"),
          "{ reverse_compute_inline(y); }", unwritten },
        { BITS("for (i: 4) t[i] = t[i] + x[i]; for (i: 4) y[i] = t[i];"),
          "{ reverse_compute_at(y, t.i); }", unwritten },
        { "func f(n: index, x: i32[n], y: i32[n]) { for (i: min(1, n)) block b(v: spatial(n) = i) "
          "{ y[v] = x[v]; } }", "{ blockize(b.i); }", "could have no iteration where 'v' leaves" },
        { "func f(n: index, x: i32[n], y: i32[n]) { for (j: min(n, 1), i: n - 3) block b(u: "
          "spatial(n - 3) = 0, v: spatial(n - 3) = i) { y[v] = x[u]; } }",
          "{ blockize(b.i); }", "could have no iteration where 'u' leaves" },
        { "func f(x: i32[6]) { decl w: i32[6] data(x); for (i: 5) block b(v: spatial(5) = i) { "
          "w[v] = x[v] * 2; } }", "{ pad_einsum(b, 4); }",
          "'b' reads 'x', which it has not written" },
        { "func f(x: i32[2], y: i32[2]) { alloc t: i32[2]; for (i: 2) t[i] = x[i]; decl w: "
          "i32[2] data(y); for (i: 2) w[i] = t[i]; }", "{ reverse_compute_inline(w); }",
          "'w' uses 'w', which is declared after the statement that writes 't'" },
        { "func f(c: i32[1], y: i32[4]) { if (c[0] > 0) { y[0] = 3; for (i: 4) y[i] = 1; } }",
          "{ bind(i, global.x); }", ", which contains more than the loop" },
        { "func f(c: i32[1], y: i32[4]) { if (c[0] > 0) { for (i: 4) y[i] = 1; } else y[0] = 2; }",
          "{ bind(i, global.x); }", "each work-item evaluates the condition c[0] > 0" }
    };
    static const struct {
        const char *text, *steps;
    } done[] = {
        { "func f(x: i32[4, 4], y: i32[4]) { for (i: 4) { alloc t: i32[i + 1]; for (k: i + 1) t[k] "
          "= x[i, k]; y[i] = t[i] + t[0]; } }", "{ split(i, 2); }" },
        { "func f(x: i32[4, 4], y: i32[4]) { for (i: 4) { decl d: i32[4] data(x) offset(i * 4); "
          "y[i] = d[0] + d[3]; } }", "{ split(i, 3); }" },
        { "func f(x: i32[4, 4], y: i32[4]) { for (i: 4) block b(v: spatial(4) = i) { alloc t: "
          "i32[v + 1]; for (k: v + 1) t[k] = x[v, k]; y[v] = t[v] + t[0]; } }",
          "{ split(i, 2); }" },
        { TWO_T, "{ transform_layout(second, t, (a) -> (a / 2, a % 2)); }" },
        { TWO_T, "{ cache_read(second, t, global, (a) -> (a % 2, a / 2)); }" },
        { TWO_T, "{ set_scope(t_1, t, local); }" },
        { "func f(x: i16x2[6], y: i16x2[6]) { alloc t: i16x2[6]; for (i: 6) t[i] = x[i]; for (i: "
          "6) y[i] = t[i]; }", "{ transform_layout(y, t, (a) -> (a / 4, a % 4), pad = 7); }" },
        { "func f(c: i32[1], y: i32[4]) { if (c[0] > 0) { for (i: 4) y[i] = 1; } }",
          "{ bind(i, global.x); }" },
        { "func f(x: i32[2], y: i32[2]) { alloc t: i32[2]; for (i: 2) t[i] = x[i]; alloc u: i32[2]"
          "; for (i: 2) u[i] = t[i]; for (i: 2) y[i] = u[i]; }", "{ reverse_compute_inline(u); }" },
        { "func f(x: i32[2], y: i32[2]) { alloc t: i32[2]; for (i: 2) t[i] = x[i]; decl w: i32[2] "
          "data(y); for (i: 2) y[i] = t[i]; for (i: 2) w[i] = w[i] + 1; }",
          "{ reverse_compute_at(y, t.i); }" },
        { doubled, "{ rfactor(b.r, 0); }" },
        { doubled, "{ cache_write(b, v, global); }" },
        { doubled, "{ reindex(b, v); }" },
        { doubled, "{ reindex_cache_write(b, v, global, (p, q) -> (3 - p)); }" },
        { sometimes, "{ cache_write(b, v, global); }" },
        { INIT_SUM("v[a] = v[a] + 2;"), "{ cache_write(b, v, global); }" },
        { BITS("for (i: 4) { t[i] = 1; for (k: 4) t[i] = t[i] + x[k]; } for (i: 4) y[i] = t[i];"),
          "{ reverse_compute_at(y, t.i); }" },
        { BITS("for (i: 4, k: 4) block t(a: spatial(4) = i, b: reduce(4) = k) { init t[a] = 1; "
               "t[a] = t[a] + x[b]; } for (i: 4) y[i] = t[i];"),
          "{ reverse_compute_at(y, t.i); }" },
        { BITS("for (i: 4) t[i] = x[3 - i]; for (i: 4) y[i] = t[i];"),
          "{ reverse_compute_inline(y); }" }
    };
    size_t k;
    for (k = 0; k < sizeof refused / sizeof *refused; k++)
        check_refused(refused[k].text, refused[k].steps, IRL_ERROR_ILLEGAL_STEP, refused[k].says);
    for (k = 0; k < sizeof done / sizeof *done; k++)
        check_same(done[k].text, done[k].steps, done[k].steps);
    check_refused("func f(x: i32[7], y: i32[7]) { for (i: 7) block b(a: spatial(7) = i) { match m: "
                  "i32[1] = y[a: 1]; m[0] = x[a]; } }",
                  "{ (p, q) = transform_layout(b, m, (i) -> (i, 0)); }", IRL_ERROR_UNKNOWN_NAME,
                  "'m' is neither a parameter nor an allocation");
#undef INIT_SUM
#undef TWO_T
#undef BITS
}

/* A padded sum keeps of each value what an element of the old buffer does. */
static void check_padded_bits(void)
{
    check_refused("func f(x: i32[4], y: i32[4]) { for (i: 4) block b(v: spatial(4) = i) "
                  "{ y[v] = x[v]; } }", "{ pad_einsum(b, 4611686018427387904); }",
                  IRL_ERROR_ILLEGAL_STEP, "at most 281474976710656; found 4611686018427387904");
    check_steps("func f(x: i32[4, 3], y: i32[4]) { alloc t: i4[4]; for (i: 4, k: 3) block t(u: "
                "spatial(4) = i, r: reduce(3) = k) { init t[u] = i8(0); t[u] = max(t[u], i8(x[u, r]"
                ")); } for (i: 4) y[i] = i32(t[i]); }", "{ pad_einsum(t, 4, 1); }",
                "func f(x: i32[4, 3], y: i32[4]) { alloc t: i4[4]; alloc t_pad: i4[4]; for (i: 4, "
                "k: 3) block t(u: spatial(4) = i, r: reduce(3) = k) { init t_pad[u] = i8(0); "
                "t_pad[u] = max(t_pad[u], i8(x[u, r])); } for (ax0: 4) block t_pad(v0: spatial(4) "
                "= ax0) { t[v0] = t_pad[v0]; } for (i: 4) y[i] = i32(t[i]); }");
}

/* Loops of extents below 0 run never, and an array of so many elements is none. */
static void check_lengths(void)
{
    check_steps("func f(n: index, x: i32[n], y: i32[n]) { for (i: n - 1) block b(v: spatial(n - 1) "
                "= i) { y[v] = x[v + 1] * 2; } }", "{ reindex(b, x); }",
                "func f(n: index, x: i32[n], y: i32[n]) { alloc x_reindex: i32[max(n - 1, 0)]; for "
                "(ax0: n - 1) block x_reindex(v: spatial(n - 1) = ax0) { x_reindex[v] = x[v + 1]; "
                "} "
                "for (i: n - 1) block b(v: spatial(n - 1) = i) { y[v] = x_reindex[v] * 2; } }");
    check_steps("func f(n: index, x: i32[n], y: i32[n]) { alloc t: i32[n]; for (i: n) t[i] = x[i]; "
                "for (i: n) y[i] = t[i] * 2; }",
                "{ transform_layout(y, t, (a) -> (2 * a), pad = \"any\"); }",
                "func f(n: index, x: i32[n], y: i32[n]) { alloc t: i32[max(n * 2 - 1, 0)]; for (i: "
                "n) t[i * 2] = x[i]; for (i: n) y[i] = t[i * 2] * 2; }");
    check_steps("func f(n: index, x: i32[8], y: i32[n + 5]) { for (i: n) block b(v: spatial(n) = "
                "i) { y[v] = x[0] * 2; } }", "{ pad_einsum(b, 4); }",
                "func f(n: index, x: i32[8], y: i32[n + 5]) { alloc y_pad: i32[max((n + 3) / 4 * "
                "4, 0)]; for (i: (n + 3) / 4 * 4) block b(v: spatial((n + 3) / 4 * 4) = i) { "
                "y_pad[v] = x[0] * 2; } for (ax0: n) block y_pad(v0: spatial(n) = ax0) { y[v0] = "
                "y_pad[v0]; } }");
    check_steps("func f(m: index, x: i32[8, m], w: i32[m], z: i32[8]) { for (i: 8, k: m) block "
                "s(u: "
                "spatial(8) = i, r: reduce(m) = k) { init z[u] = 4; z[u] = z[u] + x[u, r] * w[r]; "
                "} "
                "}", "{ pad_einsum(s, 4, 1); }",
                "func f(m: index, x: i32[8, m], w: i32[m], z: i32[8]) { alloc z_pad: i32[8]; for "
                "(i: 8, k: m) block s(u: spatial(8) = i, r: reduce(m) = k) { init z_pad[u] = 4; "
                "z_pad[u] = z_pad[u] + x[u, r] * w[r]; } for (ax0: 8) block z_pad(v0: spatial(8) = "
                "ax0) where (m >= 1) { z[v0] = z_pad[v0]; } }");
}

/* What stands in the heads of loops and conditions around a unit is read where the unit stands:
   what reads memory there does not move past a store, and bounds that depend on an outer loop go by
   its value in the new place. */
static void check_heads(void)
{
#define HEADS "func f(a: i32[8], y: i32[8]) { alloc c: i32[1]; alloc t: i32[8]; c[0] = 3; "
    check_refused(HEADS "for (i: index(c[0])) t[i] = a[i] * 2; c[0] = 2; for (j: 8) y[j] = "
                  "t[j % 3]; }", "{ compute_at(t, j); }", IRL_ERROR_ILLEGAL_STEP,
                  "the bounds of loop 'i' read memory: name them with let first");
    check_refused(HEADS "for (i: 8) { if (i < index(c[0])) t[i] = a[i] * 2; } c[0] = 2; for (j: 3) "
                  "y[j] = t[j]; for (j: 5) y[j + 3] = 0; }", "{ compute_at(t, y.j); }",
                  IRL_ERROR_ILLEGAL_STEP, "its operands are written before the loop reads it");
    check_refused(HEADS "for (i: 8) t[i] = a[i] * 2; c[0] = 4; for (j: index(c[0])) y[j] = t[j]; "
                  "}", "{ reverse_compute_inline(y); }", IRL_ERROR_ILLEGAL_STEP,
                  "the bounds of loop 'j' read memory");
    check_refused(HEADS "for (i: 8) t[i] = a[i] * 2; c[0] = 4; for (j: index(c[0])) y[j] = t[j]; "
                  "}", "{ reverse_compute_at(y, t.i); }", IRL_ERROR_ILLEGAL_STEP,
                  "the bounds of loop 'j' read memory");
    check_refused(HEADS "for (i: 8, k: index(c[0])) block y(v: spatial(8) = i, r: reduce(3) = k) { "
                  "init { y[v] = 0; } y[v] = y[v] + a[v] * i32(r); } c[0] = 3; }",
                  "{ rfactor(y.k, 0); }", IRL_ERROR_ILLEGAL_STEP,
                  "the bounds of loop 'k' read memory");
    check_refused(HEADS "for (i: 8) t[i] = a[i] * 2; let n = index(c[0]); for (j: n) y[j] = t[j]; "
                  "}", "{ reverse_compute_inline(y); }", IRL_ERROR_ILLEGAL_STEP,
                  "'y' uses 'n', which is not one of its axes");
    check_refused(HEADS "let n = index(c[0]); for (j: n) y[j] = a[j]; }", "{ bind(y.j, group.x); }",
                  IRL_ERROR_ILLEGAL_STEP, "the extent of group.x is not known before the launch");
#undef HEADS
#define TRIANGLE(nest) "func f(a: i32[8], y: i32[8]) { alloc t: i32[8, 8]; " nest \
                       " for (j: 8) y[j] = t[j, 0] + t[j, j / 2]; }"
    check_steps(TRIANGLE("for (i: 8, k: i + 1) t[i, k] = a[k] * 2;"), "{ compute_at(t, j); }",
                "func f(a: i32[8], y: i32[8]) { for (j: 8) { alloc t: i32[1, 4]; for (ax1: 4) if "
                "(ax1 < j + 1) t[0, ax1] = a[ax1] * 2; y[j] = t[0, 0] + t[0, j / 2]; } }");
    check_steps(TRIANGLE("for (i: 8, k: i + 1) block t(u: spatial(8) = i, v: spatial(8) = k) { "
                         "t[u, v] = a[v] * 2; }"), "{ compute_at(t, j); }",
                "func f(a: i32[8], y: i32[8]) { for (j: 8) { alloc t: i32[1, 4]; for (ax1: 4) "
                "block t(u: spatial(8) = j, v: spatial(8) = ax1) where (ax1 < j + 1) { "
                "t[u - j, v] = a[v] * 2; } y[j] = t[0, 0] + t[0, j / 2]; } }");
#undef TRIANGLE
    check_refused("func f(a: i32[8], y: i32[10]) { alloc t: i32[8, 9]; for (i: 8, k: 8 / (i + 1)) "
                  "t[i, k] = a[k] * 2; for (j: 10) if (j < 8) y[j] = t[j, 0]; }",
                  "{ compute_at(t, j); }", IRL_ERROR_ILLEGAL_STEP,
                  "the bounds of 'k' depend on 'i', and an iteration of 'j'");
}

/* The init of a sum over nothing does not run, where another value may be seen. */
static void check_no_init(void)
{
#define OVER(of) "func f(n: index, x: i32[9], y: i32[2]) { for (i: 2, k: " of ") block y(v: " \
                 "spatial(2) = i, r: reduce(9) = k) { init { y[v] = 3; } y[v] = y[v] + x[r]; } }"
    check_steps(OVER("min(n, 9)"), "{ decompose_reduction(y, k); }",
                "func f(n: index, x: i32[9], y: i32[2]) { for (i: 2) { if (min(n, 9) > 0) block "
                "y_init(v: spatial(2) = i) { y[v] = 3; } for (k: min(n, 9)) block y(v: spatial(2) "
                "= i, r: reduce(9) = k) { y[v] = y[v] + x[r]; } } }");
    check_steps(OVER("4"), "{ decompose_reduction(y, k); }",
                "func f(n: index, x: i32[9], y: i32[2]) { for (i: 2) { block y_init(v: spatial(2) "
                "= i) { y[v] = 3; } for (k: 4) block y(v: spatial(2) = i, r: reduce(9) = k) { "
                "y[v] = y[v] + x[r]; } } }");
#undef OVER
    /* It may, where nothing else gives what it stores to a value. */
#define IN(outside, inside, where, of, first, store) \
    "func f(n: index, x: i32[8], y: i32[2]) { " outside "for (i: 2) { " inside where "for (j: 2" \
    of ") block t" first "t[v] = t[v] + x[r]; } " store " } }"
#define BEFORE(outside, inside, of, first, store) \
    IN(outside, inside, "", ", k: " of, "(v: spatial(2) = j, r: reduce(8) = k) { init { t[v] = " \
       first "; } ", store)
#define AFTER(outside, inside, where, of, first, store) \
    IN(outside, inside, where, "", "_init(v: spatial(2) = j) { t[v] = " first "; } for (j: 2, k: " \
       of ") block t(v: spatial(2) = j, r: reduce(8) = k) { ", store)
    check_steps(BEFORE("", "alloc t: i32[2]; ", "n % 8", "3", "if (n % 8 > 0) y[i] = t[i];"),
                "{ decompose_reduction(t, t.j); }",
                AFTER("", "alloc t: i32[2]; ", "", "n % 8", "3", "if (n % 8 > 0) y[i] = t[i];"));
    check_steps(BEFORE("", "alloc t: i32[2]; t[0] = 5; t[1] = 6; ", "n % 8", "3", "y[i] = t[i];"),
                "{ decompose_reduction(t, t.j); }",
                AFTER("", "alloc t: i32[2]; t[0] = 5; t[1] = 6; ", "if (n % 8 > 0) ", "n % 8", "3",
                      "y[i] = t[i];"));
    check_steps(BEFORE("alloc t: i32[2]; ", "", "(1 - i) * 4", "3", "y[i] = t[i];"),
                "{ decompose_reduction(t, t.j); }",
                AFTER("alloc t: i32[2]; ", "", "if ((1 - i) * 4 > 0) ", "(1 - i) * 4", "3",
                      "y[i] = t[i];"));
    check_steps(BEFORE("", "alloc t: i32[2]; ", "n % 8", "i32(7 / (n % 8))", "y[i] = 1;"),
                "{ decompose_reduction(t, t.j); }",
                AFTER("", "alloc t: i32[2]; ", "if (n % 8 > 0) ", "n % 8", "i32(7 / (n % 8))",
                      "y[i] = 1;"));
#undef IN
#undef BEFORE
#undef AFTER
    check_refused("func f(a: i32[3, 4], y: i32[3]) { for (u: 1) { alloc t: i32[3]; for (i: 3, k: "
                  "4) block t(v: spatial(3) = i, r: reduce(4) = k) { init { t[v] = 0; } t[v] = "
                  "t[v] + a[v, r]; } } }",
                  "{ decompose_reduction(t, u); }", IRL_ERROR_ILLEGAL_STEP,
                  "the init of 't' uses 't', which is declared in the loop 'u'");
    check_refused("func f(x: i32[4, 6], y: i32[2]) { for (i: 6, k: 4) block y(v: spatial(2) = i % "
                  "2, r: reduce(4) = k) { init { y[v] = 0; } y[v] = y[v] + x[r, v]; } }",
                  "{ decompose_reduction(y, y.i); }", IRL_ERROR_ILLEGAL_STEP,
                  "an element is reduced several times, but its init would run only once");
}

/* A group of one, around a loop around work-items that wait for each other, stays one kernel. */
static void check_group_of_one(void)
{
    irl_ctx          *cx = irl_ctx_create(NULL);
    const irl_module *m = irl_func_lower(irl_func_parse(cx,
        "func f(x: i32[4], y: i32[4]) { for bind(group.x) (g: 1) { alloc s: i32[4] scope(shared); "
        "for (u: 3) for bind(local.x) (i: 4) { s[i] = x[i] + i32(u); barrier(shared); y[i] = y[i] "
        "+ s[3 - i]; barrier(shared); } } }", IRL_TO_NUL, NULL), &irl_target_opencl12);
    int32_t x[4] = { 1, 20, 300, 4000 }, y[4] = { 0, 0, 0, 0 };
    CHECK(m && strstr(irl_module_text(m), "scope(shared)") != NULL);
    CHECK(irl_module_interpret(m, IRL_ARGS(x, y)));
    CHECK_OK(cx);
    CHECK(y[0] == 12003 && y[1] == 903 && y[2] == 63 && y[3] == 6);
    irl_ctx_destroy(cx);
}

/* What reads memory around bound loops is evaluated once, before their work-items store there. */
static void check_evaluated_once(void)
{
#define LESS "y[i] = y[i] - 60;"
    static const char *const functions[] = {
        "if (y[0] > 1) for bind(global.x) (i: 4) " LESS,
        "if (y[0] > 1) if (y[1] > 9) for bind(global.x) (i: 4) " LESS,
        "attr(tag = 1) { if (y[0] > 1) attr(tag = 2) { if (y[1] > 9) for bind(global.x) (i: 4) "
        LESS
        " } }",
        "if (y[0] > 90) y[0] = 1; if (y[0] < 1) { for bind(global.x) (i: 4) y[i] = 8; } else { for "
        "bind(global.x) (i: 4) " LESS " }",
        "for (r: min(index(y[0]), 1)) for bind(global.x) (i: 4) " LESS,
        "for (q: 1) block b(u: spatial(1) = q) where (y[0] > 1) { for bind(group.x) (i: 4) " LESS
        " }",
        "decl w: i32[4] data(y); if (w[0] > 1) for bind(global.x) (i: 4) " LESS,
    };
    size_t k;
    for (k = 0; k < sizeof functions / sizeof *functions; k++) {
        irl_ctx          *cx = irl_ctx_create(NULL);
        const irl_module *m;
        int32_t           y[4] = { 2, 20, 300, 4000 };
        char              text[400];
        snprintf(text, sizeof text, "func f(y: i32[4]) { %s }", functions[k]);
        m = irl_func_lower(irl_func_parse(cx, text, IRL_TO_NUL, NULL), &irl_target_opencl12);
        CHECK(irl_module_interpret(m, IRL_ARGS(y)));
        CHECK_OK(cx);
        CHECK(y[0] == -58 && y[1] == -40 && y[2] == 240 && y[3] == 3940);
        irl_ctx_destroy(cx);
    }
    check_refused("func f(y: i32[4, 4]) { for parallel (p: 4) if (y[p, 0] > 1) for (l: 4) y[p, l] "
                  "= 0; }", "{ bind(l, global.y); }", IRL_ERROR_ILLEGAL_STEP,
                  "each work-item evaluates y[p, 0] > 1");
    check_same("func f(y: i32[4, 4], c: i32[4]) { for parallel (p: 4) if (c[p] > 1) for (l: 4) "
               "y[p, l] = 0; }", "{ bind(l, global.y); }", "{ bind(l, global.y); }");
#undef LESS
}

/* A barrier orders work-items; it gives none what another one has for itself. */
static void check_exchanged(void)
{
#define EXCHANGE(read) \
    "func f(y: i32[8]) { for bind(group.x) (g: 4) { alloc t: i32[2] scope(local); for (l: 2) t[l]" \
    " = i32(g * 2 + l); barrier(global); for (m: 2) y[g * 2 + m] = t[" read "]; } }"
    check_refused(EXCHANGE("1 - m"), "{ bind(m, local.x); bind(l, local.x); }",
                  IRL_ERROR_ILLEGAL_STEP, "t[l] at g = 0, l = 1 and t[1 - m] at g = 0, m = 0");
    check_same(EXCHANGE("m"), "{ bind(m, local.x); bind(l, local.x); }",
               "{ bind(m, local.x); bind(l, local.x); }");
    /* ... and says nothing of what its kernel does not touch */
#define BESIDE(first, last) \
    "func f(x: i32[8], y: i32[8], z: i32[8]) { alloc t: i32[8]; for (i: 8) t[i] = x[i]; " first \
    "for bind(group.x) (g: 4) for bind(local.x) (l: 2) { z[g * 2 + l] = i32(g); barrier(global); " \
    "x[g * 2 + l] = z[g * 2 + 1 - l]; } " last " }"
    check_same(BESIDE("for bind(global.x) (i: 8) y[i] = t[i] + 1;", ""),
               "{ set_scope(t, 0, local); }", "{ set_scope(t, t, local); }");
    check_same(BESIDE("for (i: 8) y[i] = t[i] + 1;", ""), "{ compute_inline(t); }",
               "{ compute_inline(t); }");
    check_refused(BESIDE("", "for (i: 8) y[i] = t[i] + 1;"), "{ compute_inline(t); }",
                  IRL_ERROR_ILLEGAL_STEP, "'x'");
#undef BESIDE
#undef EXCHANGE
}

/* What each work-item has for itself stays with it, what all see is stored to by no more of them,
   and all of them reach a barrier. */
/* What a block around the place says of its regions holds behind a step, if it did before. */
static void check_regions_around(void)
{
    static const struct {
        int         count; /* of its instances */
        const char *body, *step, *says; /* what the block declares then */
    } rows[] = {
        { 2,
          "reads(x[v * 2: 2]) writes(y[v * 2: 2]) { for (p: 2, k: 3) block n(a: spatial(2) = p, r: "
          "reduce(3) = k) { init y[v * 2 + a] = 3; y[v * 2 + a] = y[v * 2 + a] + x[v * 2 + a] * "
          "i32(r); } }",
          "decompose_reduction(n, n.k)", "reads(y[v * 2: 2], x[v * 2: 2])" },
        { 2,
          "reads(x[v * 2: 2]) writes(y[v * 2: 2]) { match d: i32[2] = y[v * 2: 2]; for (p: 2) if "
          "(p > 0) d[p] = x[v * 2 + p]; }",
          "cache_write(d, d, local)", "writes(y[v * 2: 2])" },
        { 1,
          "reads(x[0: 4]) writes(y[0: 4]) { for (p: 4) block n(a: spatial(4) = p) { y[a] = x[3 - "
          "a]; } }",
          "reindex_cache_read(n, x, local, (b) -> (b))", "reads(x_local[0: 4])" },
        { 1,
          "reads(x[0: 3]) writes(y[0: 4]) { for (p: 4) block n(a: spatial(4) = p) { y[a] = "
          "if_then_else(a < 3, x[a], 7); } }",
          "cache_padded(n, x, local)", "reads(x_local[0: 4])" },
        { 2,
          "reads(x[v * 2: 2], u[v * 2: 2]) writes(u[v * 2: 2], y[v * 2: 2]) { for (p: 2) u[v * 2 + "
          "p] = x[v * 2 + p]; for (p: 2) y[v * 2 + p] = u[v * 2 + 1 - p]; }",
          "cache_read(y, u, local)", "reads(x[v * 2: 2], u[0: 4])" },
    };
    char   text[512], steps[64];
    size_t k;
    for (k = 0; k < sizeof rows / sizeof *rows; k++) {
        irl_ctx  *cx = irl_ctx_create(NULL);
        irl_func *f, *g;
        snprintf(text, sizeof text, "func f(x: i32[4], y: i32[4]) { alloc u: i32[4]; first: for "
                 "(i: 4) y[i] = 0; for (i: %d) block o(v: spatial(%d) = i) %s }", rows[k].count,
                 rows[k].count, rows[k].body);
        snprintf(steps, sizeof steps, "{ %s; }", rows[k].step);
        f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        g = irl_schedule_parse(f, steps, IRL_TO_NUL, NULL);
        if (!CHECK_OK(cx) || !CHECK(irl_func_lower(g, &irl_target_opencl12) != NULL) ||
            !CHECK(schedule_same(f, g, 1) == SAME) ||
            !CHECK(strstr(irl_func_text(g), rows[k].says) != NULL))
            printf("%s\n%s", steps, irl_ok(cx) ? irl_func_text(g) : irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
}

/* Loops by their variable alone, and a buffer without axes. */
#define SHADOWED "func f(a: f32[16, 8], b: f32[16, 8], i: f32[16]) { " \
                 "n: for (p: 16, q: 8) b[p, q] = a[p, q]; m: for (p: 16) i[p] = a[p, 0]; }"

/* Of an init that was parted from its updates, the loops are bound with theirs, before. */
static void check_parted_inits(void)
{
    check_refused(PRODUCT, "{ reorder(B.i, B.k, B.j); bind(B.i, group.x); "
                  "decompose_reduction(B, B.k); bind(B.j, local.x); }", IRL_ERROR_ILLEGAL_STEP,
                  "outside the loop (for an init: bind before decompose_reduction");
    check_refused(PRODUCT, "{ reorder(B.i, B.k, B.j); bind(B.i, group.x); "
                  "t = decompose_reduction(B, B.k); bind(t.j, local.x); }", IRL_ERROR_ILLEGAL_STEP,
                  "outside the loop (for an init: bind before decompose_reduction");
    check_steps(PRODUCT, "{ reorder(B.i, B.k, B.j); bind(B.i, group.x); bind(B.j, local.x); "
                "t = decompose_reduction(B, B.k); }",
                "func f(A: i32[6, 5], W: i32[5, 8], B: i32[6, 8]) { for bind(group.x) (i: 6) { "
                "for bind(local.x) (j: 8) block t(vi: spatial(6) = i, vj: spatial(8) = j) "
                "{ B[vi, vj] = 0; } for (k: 5) for bind(local.x) (j: 8) "
                "block B(vi: spatial(6) = i, vj: spatial(8) = j, vk: reduce(5) = k) "
                "{ B[vi, vj] = B[vi, vj] + A[vi, vk] * W[vk, vj]; } } }");
}

/* Results that are called like buffers and nests. */
static void check_shadowed_names(void)
{
    static const char by_place[] = "{ (x, y) = split(n.p, 4); parallel(x); unroll(n.q); "
                                   "parallel(m.p); }";
    check_same(SHADOWED, "{ (a, b) = split(n.p, 4); parallel(n.a_1); unroll(n.b_1); }",
               "{ (a, b) = split(n.p, 4); parallel(n.a); unroll(n.b); }");
    check_same(SHADOWED, "{ (a, b) = split(n.p, 4); parallel(a_1); unroll(b_1); }",
               "{ (a, b) = split(n.p, 4); parallel(a); unroll(b); }");
    check_refused(SHADOWED, "{ (a, b) = split(n.p, 4); parallel(n.c); }", IRL_ERROR_UNKNOWN_NAME,
                  "there are: q, b_1, a_1");
    check_refused("func f(i: f32[4], x: f32[4], y: f32[4]) { for (j: 4) x[j] = 1; "
                  "for (j: 4) y[j] = 2; }",
                  "{ (i, k) = split(x.j, 2); (i, k) = split(y.j, 2); parallel(i_1); }",
                  IRL_ERROR_AMBIGUOUS_NAME, "2 loops are called 'i_1'");
    check_same(SHADOWED, "{ (m, z) = split(n.p, 4); parallel(m); unroll(n.q); parallel(m.p); }",
               by_place);
    check_same(SHADOWED, "{ (n, z) = split(n.p, 4); parallel(n); unroll(n.q); parallel(m.p); }",
               by_place);
    check_same(SHADOWED, "{ (m, z) = split(n.p, 4); cache_write(m, i, local); }",
               "{ cache_write(m, i, local); (x, z) = split(n.p, 4); }");
    check_refused(SHADOWED, "{ (z, x) = split(n.p, 4); parallel(z.q); }", IRL_ERROR_UNKNOWN_NAME,
                  "no loop 'q' is around 'z'");
    check_refused(SHADOWED, "{ (m, z) = split(n.p, 4); fuse(m, z); parallel(m); }",
                  IRL_ERROR_UNKNOWN_NAME, "'m' no longer exists");
}

static void check_plain_names(void)
{
    check_refused("func f(y: i32[4, 2]) { for (i: 4) { for (l: 2) y[i, l] = 1; for (r: 2, l: 2) "
                  "y[i, l] = y[i, l] + i32(r); } }",
                  "{ reorder(r, l); }", IRL_ERROR_AMBIGUOUS_NAME, "2 loops are called 'l'");
    check_same("func f(x: i32[], y: i32[4]) { for (i: 4) block b(v: spatial(4) = i) { y[v] = x[]; "
               "} }",
               "{ reindex(b, x); }", "{ reindex(b, x); }");
}

/* A reduction whose loop begins elsewhere than its axis. */
static void check_begins_later(void)
{
    static const char least[] =
        "func f(e: i32[4, 9], q: i32[4]) { for (i: 4) q[i] = min(j: 1 .. 9, e[i, j] - e[i, j - 1]);"
        " }";
    static const char sum[] =
        "func f(e: i32[12], q: i32[4]) { for (i: 4, k: 2 .. 5) block q(v: spatial(4) = i, r: "
        "reduce(3) = %s) { init q[v] = 0; q[v] = q[v] + e[v * 3 + r]; } }";
    char text[256];
    check_same(least, "{ decompose_reduction(q, q.j); }", "{ decompose_reduction(q, q.j); }");
    check_same(least, "{ split(q.j, 3); decompose_reduction(q, j_outer); }",
               "{ split(q.j, 3); decompose_reduction(q, j_outer); }");
    snprintf(text, sizeof text, sum, "k - 2");
    check_same(text, "{ decompose_reduction(q, q.k); }", "{ decompose_reduction(q, q.k); }");
    snprintf(text, sizeof text, sum, "(k - 2) / 2");
    check_refused(text, "{ decompose_reduction(q, q.k); }", IRL_ERROR_ILLEGAL_STEP,
                  "have several iterations");
    snprintf(text, sizeof text, sum, "4 - k");
    check_refused(text, "{ decompose_reduction(q, q.k); }", IRL_ERROR_ILLEGAL_STEP,
                  "does not begin at 0");
}

/* Images of another scope. */
static void check_other_images(void)
{
#define LAID(map) \
    "func f(x: f32[4, 3, 4], y: f32[4, 3, 4]) layout(t: " map ") { alloc t: f32[4, 3, 4] " \
    "scope(texture); for (i: 4, j: 3, k: 4) t[i, j, k] = x[i, j, k]; for (i: 4, j: 3, k: 4) " \
    "y[i, j, k] = t[i, j, k]; }"
    check_refused(LAID("(i, j, k) -> (i, |, j, k)"), "{ set_scope(t, t, texture:buffer); }",
                  IRL_ERROR_ILLEGAL_STEP, "the layout of 't' has 1 separators");
    check_refused("func f(x: f32[4, 3, 4], y: f32[4, 3, 4]) { alloc t: f32[4, 3, 4] scope(texture) "
                  "sep(1); for (i: 4, j: 3, k: 4) t[i, j, k] = x[i, j, k]; for (i: 4, j: 3, k: 4) "
                  "y[i, j, k] = t[i, j, k]; }",
                  "{ set_scope(t, t, texture:volume); }", IRL_ERROR_ILLEGAL_STEP, "has 2");
    check_same(LAID("(i, j, k) -> (i * 3 + j, k)"), "{ set_scope(t, t, texture:buffer); }",
               "{ set_scope(t, t, texture:buffer); }");
#undef LAID
}

/* A block of one instance around a block. */
static void check_block_around(void)
{
#define AROUND(where, inner) \
    "func f(x: i32[4], y: i32[4]) { for (i: 1) block o(v: spatial(1) = i) " where " { for (p: 4) " \
    "block n(a: spatial(4) = " inner ") { y[a] = x[3 - a]; } } }"
    check_same(AROUND("", "p"), "{ reindex(n, y); }", "{ reindex(n, y); }");
    check_refused(AROUND("where(x[0] > 1)", "p"), "{ reindex(n, y); }", IRL_ERROR_ILLEGAL_STEP,
                  "does not reach each point");
    check_refused(AROUND("", "p / 2 * 2 + v"), "{ reindex(n, y); }", IRL_ERROR_ILLEGAL_STEP,
                  "does not reach each point");
#undef AROUND
}

/* Work-items wait for each other between two accesses, or a step does not put them into one
   kernel. */
static void check_fenced(void)
{
#define TILE(body) \
    "func f(x: i32[2, 3], y: i32[2, 3]) { for bind(group.x) (g: 2) { alloc t: i32[3] " \
    "scope(shared); for bind(local.x) (l: 3) t[l] = x[g, l] + 1; " body " } }"
#define SUMS(first) \
    "func f(x: i32[2, 4], y: i32[2, 4]) { for bind(group.x) (g: 1) for bind(local.x) (l: 2) { " \
    first " for (a: 4) y[l, a] = x[l, a] + w; } }"
#define ROWS "func f(x: i32[4, 2], y: i32[4]) { for (i: 4) y[i] = sum(k: 2, x[i, k]); }"
#define UNIT \
    "{ bind(y.i, group.x); add_unit_loop(y.k); bind(y.u, local.y); bind(y.k, local.z); }"
    static const char copied[] = "{ cache_read(y, t, local); }";
    check_refused(TILE("for bind(local.x) (l: 3) { barrier(shared); for (i: 1) y[g, l] = t[2 - l]; "
                       "}"),
                  copied, IRL_ERROR_ILLEGAL_STEP, "without a barrier in between: t[l] at g = 0");
    check_refused(TILE("for bind(local.x) (l: 3) for (i: 1) y[g, l] = t[l];"), copied,
                  IRL_ERROR_ILLEGAL_STEP, "each work-item would copy elements that others store "
                                          "to, without a barrier in between");
    check_refused(TILE("barrier(global); for bind(local.x) (l: 3) for (i: 1) y[g, l] = t[l];"),
                  copied, IRL_ERROR_ILLEGAL_STEP, "each work-item would copy elements that others "
                                                  "store to, without a barrier in between");
    check_refused(TILE("barrier(shared); for bind(local.x) (l: 3) y[g, l] = t[2 - l]; for "
                       "bind(local.x) (l: 3) t[l] = 5;"),
                  copied, IRL_ERROR_ILLEGAL_STEP, "each work-item would copy elements that others "
                                                  "store to, without a barrier in between");
    check_refused(TILE("for (k: 2) { barrier(shared); for bind(local.x) (l: 3) y[g, l] = t[l] + "
                       "i32(k); for bind(local.x) (l: 3) t[l] = y[g, l]; }"),
                  copied, IRL_ERROR_ILLEGAL_STEP, "each work-item would copy elements that others "
                                                  "store to, without a barrier in between");
    check_refused(TILE("for bind(local.x) (l: 3) { barrier(shared); for (i: 1) block b(v: "
                       "spatial(2) = g, u: spatial(3) = l) { y[v, u] = t[2 - u]; } }"),
                  "{ reindex(b, t); }", IRL_ERROR_ILLEGAL_STEP, "each work-item would copy "
                                                                "elements that others store to, "
                                                                "without a barrier in between");
    check_refused(TILE("for (k: 0) barrier(shared); for bind(local.x) (l: 3) y[g, l] = t[l];"),
                  copied, IRL_ERROR_ILLEGAL_STEP, "each work-item would copy elements that others "
                                                  "store to, without a barrier in between");
    check_same(TILE("barrier(shared); for bind(local.x) (l: 3) y[g, l] = t[2 - l]; for (k: 1) "
                    "barrier(shared); for bind(local.x) (l: 3) t[l] = 5;"),
               copied, copied);
    check_same(TILE("for (k: 2) { barrier(shared); for bind(local.x) (l: 3) y[g, l] = t[l] + "
                    "i32(k); barrier(shared); for bind(local.x) (l: 3) t[l] = y[g, l]; }"),
               copied, copied);
    check_refused(TILE("for (k: 2) { for bind(local.x) (l: 3) t[l] = x[g, l] + i32(k); "
                       "barrier(shared); for bind(local.x) (l: 3) y[g, l] = t[l]; }"),
                  copied, IRL_ERROR_ILLEGAL_STEP, "each work-item would copy elements that others "
                                                  "store to, without a barrier in between");
    check_same("func f(x: i32[2, 3], y: i32[2, 3]) { for bind(group.x) (g: 2) { alloc t: i32[3] "
               "scope(local); for bind(local.x) (l: 3) t[l] = x[g, l]; for bind(local.x) (l: 3) "
               "y[g, l] = t[l]; } }",
               copied, copied);
    check_same("func f(x: i32[2, 4], y: i32[2, 8]) { for bind(group.x) (g: 1) for bind(local.x) "
               "(l: 2) for (k: 2) { barrier(global); let w = y[l, 4 * k]; for (a: 4) y[l, 4 * (1 - "
               "k) + a] = x[l, a] + w; } }",
               "{ bind(a, local.y); }", "{ bind(a, local.y); }");
    check_refused("func f(x: i32[4], y: i32[4]) { for bind(group.x) (g: 1) for (k: 4) { y[k] = "
                  "x[k]; barrier(global); } }",
                  "{ bind(k, local.x); }", IRL_ERROR_ILLEGAL_STEP, "contains a barrier");
    check_refused(SUMS("barrier(shared); let w = y[l, 0];"), "{ bind(a, local.y); }",
                  IRL_ERROR_ILLEGAL_STEP, "y[l, a] at g = 0, l = 0, a = 0 and y[l, 0] at");
    check_refused(SUMS("let w = y[l, 0]; if (x[0, 0] > 0) barrier(global);"),
                  "{ bind(a, local.y); }", IRL_ERROR_ILLEGAL_STEP, "y[l, 0] at");
    check_same(SUMS("let w = y[l, 0]; barrier(global);"), "{ bind(a, local.y); }",
               "{ bind(a, local.y); }");
    check_same(ROWS, UNIT, UNIT);
    check_same(ROWS, "{ bind(y.k, local.x); bind(y.i, group.x); }",
               "{ bind(y.k, local.x); bind(y.i, group.x); }");
    check_refused(ROWS, "{ bind(y.k, local.x); bind(y.i, local.y); }", IRL_ERROR_ILLEGAL_STEP,
                  "has its own shared memory, and work-items would all use the same:");
    check_refused(ROWS, "{ bind(y.i, group.x); split(y.k, 1); add_unit_loop(k_inner); bind(y.u, "
                  "local.y); bind(y.k_outer, local.z); }",
                  IRL_ERROR_ILLEGAL_STEP, "'u' is bound, and is inside");
    check_refused("func f(x: i32[3, 4], y: i32[3, 4]) { alloc t: i32[3, 4]; for (i: 3, j: 4) t[i, "
                  "j] = x[i, j]; for (i: 3) { for (j: 4) y[i, j] = t[i, 3 - j]; } }",
                  "{ compute_at(t, y.i); set_scope(t, 0, shared); bind(y.i, group.x); bind(y.j, "
                  "local.x); }",
                  IRL_ERROR_ILLEGAL_STEP, "(for a tile: bind before compute_at");
#undef UNIT
#undef ROWS
#undef SUMS
#undef TILE
}

static void check_items(void)
{
#define ITEMS(body) \
    "func f(x: i32[2, 4], y: i32[2, 4]) { for bind(group.x) (g: 2) { alloc s: i32[4] " \
    "scope(shared); alloc p: i32[4] scope(local); alloc q: i32[1] scope(local); " body " } }"
#define OWN \
    ITEMS("for bind(local.x) (l: 4) s[l] = x[g, l]; barrier(shared); for (i: 4) p[i] = s[i]; for " \
          "bind(local.x) (l: 4) y[g, l] = p[3 - l];")
    check_refused(OWN, "{ reverse_compute_inline(p); }", IRL_ERROR_ILLEGAL_STEP,
                  "'p' would be stored by other work-items");
    check_refused(OWN, "{ reverse_compute_at(p, s.l); }", IRL_ERROR_ILLEGAL_STEP,
                  "each work-item has its own 'p'");
    check_refused(ITEMS("for bind(local.x) (l: 4) q[0] = x[g, l]; for bind(local.x) (l: 4) p[0] = "
                        "q[0] + 1; for bind(local.x) (l: 4) y[g, l] = p[0];"),
                  "{ compute_at(q, p.l); }", IRL_ERROR_ILLEGAL_STEP,
                  "each work-item has its own 'q'");
    check_refused(ITEMS("for bind(local.x) (l: 4) s[l] = x[g, l]; barrier(shared); for (i: 4) p[i] "
                        "= s[i]; for bind(local.x) (l: 4) y[g, l] = p[3 - l];"),
                  "{ reverse_compute_inline(y); }", IRL_ERROR_ILLEGAL_STEP,
                  "'y' would be stored by other work-items");
    check_refused("func f(x: i32[2, 3], y: i32[2, 3]) { for (p: 2) for (o: 3) for bind(local.x) "
                  "(l: 3) { alloc a: i32[1] scope(local); a[0] = y[p, 2 - l]; "
                  "barrier(global); y[p, "
                  "l] = a[0] + x[p, o]; } }",
                  "{ bind(p, group.x); }", IRL_ERROR_ILLEGAL_STEP, "o = 0, l = 2 and y[p, 2 - l]");
    check_refused("func f(x: i32[2, 3], y: i32[2, 3]) { for (o: 2) for bind(local.x) (l: 3) "
    "{ alloc "
                  "a: i32[1] scope(local); a[0] = x[o, 2 - l]; barrier(global); y[o, l] = "
                  "a[0]; } }",
                  "{ split(o, 4); bind(o_inner, local.y); }", IRL_ERROR_ILLEGAL_STEP,
                  "a barrier is reached only where");
    check_refused(ITEMS("alloc r: i32[2]; for bind(local.x) (l: 4) { for (i: 2) r[i] = x[g, l]; "
                        "y[g, l] = r[1]; }"),
                  "{ set_scope(r, r, shared); }", IRL_ERROR_ILLEGAL_STEP,
                  "they would write the same elements: r[i] at g = 0, l = 0");
    check_refused(ITEMS("for bind(local.x) (l: 4) { for (i: 1) q[i] = x[g, l]; for (i: 1) y[g, l] "
                        "= q[i]; }"),
                  "{ set_scope(q, q, shared); }", IRL_ERROR_ILLEGAL_STEP,
                  "they would write the same elements");
    check_same(ITEMS("for bind(local.x) (l: 4) { for (i: 1) p[l] = x[g, l]; for (i: 1) y[g, l] = "
                     "p[l]; }"),
               "{ set_scope(p, p, shared); }", "{ set_scope(p, p, shared); }");
#undef OWN
#undef ITEMS
}

/* Places that a loop around passes again, axes of one iteration, sums, calls. */
static void check_passed_again(void)
{
    check_refused("func f(x: i32[4], y: i32[4, 2]) { alloc t: i32[4, 2]; alloc s: i32[1]; "
    "for (i: 4) "
                  "{ s[0] = x[i]; for (j: 2) { for (k: 1) t[i, j] = s[0]; for (k: 1) if (i >= 1) "
                  "y[i, j] = t[i - 1, j]; } } }",
                  "{ compute_inline(t); }", IRL_ERROR_ILLEGAL_STEP,
                  "its operands are written before a load");
    check_refused("func f(y: f32[5]) { alloc t: f32[5]; for (i: 5) t[i] = sum(r: 2, y[i]); for (i: "
                  "5) y[i] = t[i]; }",
                  "{ reverse_compute_inline(y); }", IRL_ERROR_ILLEGAL_STEP, "the sum reads 'y'");
    check_refused("func f(z: i32[1], y: i32[1]) { y[0] = z[0]; for (i: 2 .. 3) block b(a: "
                  "spatial(1) = i) where(i < 1) { y[a] = z[a] + 1; } }",
                  "{ reindex(b, y); }", IRL_ERROR_ILLEGAL_STEP, "does not reach each point");
    check_refused("func f(x: i32[1], y: i32[1]) { for (i: 1, r: 3) block b(a: spatial(1) = i, k: "
                  "reduce(3) = r) { init y[a] = 0; y[a] = y[a] + x[a]; } }",
                  "{ split(b.i, 2); decompose_reduction(b, b.r); reindex(b_init, y); }",
                  IRL_ERROR_ILLEGAL_STEP, "does not reach each point");
    check_refused("func f(z: f32[4], y: f32[4]) extern bump(p: ptr(f32, global) reads(n) "
    "writes(n), "
                  "n: index): f32 { alloc t: f32[4]; for (i: 4) t[i] = extern(f32, bump, z, "
                  "2); for "
                  "(i: 3) y[i] = t[i]; }",
                  "{ reverse_compute_inline(y); }", IRL_ERROR_ILLEGAL_STEP, "writes other memory");
    check_refused("func f(y: f32[4]) { alloc t: f32[4]; for (i: 4) t[i] = extern(f32, tick); for (i"
                  ": 3) y[i] = t[i]; }",
                  "{ reverse_compute_inline(y); }", IRL_ERROR_ILLEGAL_STEP, "calls a function");
    check_refused("func f(c: i32[3], y: i32[3]) { for (i: 3) block t(a: spatial(3) = i) reads(c[0: "
                  "3]) writes(y[a]) { if (a > 0) y[a] = extern(i32, peek, c); } }",
                  "{ reindex(t, y); }", IRL_ERROR_ILLEGAL_STEP, "stores under a condition");
}

/* What is stored where nothing is read is no iteration's. */
static void check_back_border(void)
{
#define BORDER(guard, of) "func f(x: i32[4], c: i32[6], y: i32[6]) { alloc t: i32[4]; for (i: 4) " \
                          "t[i] = x[i]; for (j: " of ") y[j] = " guard ", 3); }"
    check_refused(BORDER("if_then_else(j >= 1 && j < 5, t[j - 1]", "6"),
                  "{ reverse_compute_at(y, t.i); }", IRL_ERROR_ILLEGAL_STEP,
                  "store cells for which it reads no element");
    check_refused(BORDER("if_then_else(j < 4, t[j]", "6"), "{ reverse_compute_at(y, t.i); }",
                  IRL_ERROR_ILLEGAL_STEP, "store cells for which it reads no element");
    check_steps(BORDER("if_then_else(c[j] > 2, t[3 - j]", "4"), "{ reverse_compute_at(y, t.i); }",
                "func f(x: i32[4], c: i32[6], y: i32[6]) { for (i: 4) { alloc t: i32[1]; t[0] = "
                "x[i]; for (a: 1) y[3 - i] = if_then_else(c[3 - i] > 2, t[0], 3); } }");
    check_refused("func f(x: i32[4], c: i32[6], y: i32[6]) { alloc t: i32[6]; for (i: 4) t[i] = "
                  "x[i]; for (j: 6) y[j] = if_then_else(c[j] > 2, t[j], 3); }",
                  "{ reverse_compute_at(y, t.i); }", IRL_ERROR_ILLEGAL_STEP,
                  "store cells for which it reads no element");
    check_refused(BORDER("if_then_else(c[j] > 2, t[j], 1) + if_then_else(c[j] < 2, t[j / 2]", "6"),
                  "{ reverse_compute_at(y, t.i); }", IRL_ERROR_ILLEGAL_STEP, "");
#undef BORDER
    /* nor where a condition tells which iteration does an instance */
#define FLAT(of, at, border) "func f(x: i32[2, 2], z: i32[4, 4]) { alloc t: i32" of "; a: for " \
                             "(h: 2, v: 2) t[" at "] = x[h, v]; b: for (i: 4, j: 4) z[i, j] = i " \
                             ">= 1 && i < 3 && j >= 1 && j < 3 ? t[" border "] : 0; }"
    check_refused(FLAT("[4]", "h * 2 + v", "(i - 1) * 2 + j - 1"),
                  "{ reverse_compute_at(b, a.h); }", IRL_ERROR_ILLEGAL_STEP,
                  "store cells for which it reads no element");
    check_refused(FLAT("[4]", "3 - (h * 2 + v)", "3 - ((i - 1) * 2 + j - 1)"),
                  "{ reverse_compute_at(b, a.v); }", IRL_ERROR_ILLEGAL_STEP,
                  "store cells for which it reads no element");
    check_refused(FLAT("[2, 2]", "h, v", "i - 1, j - 1"),
                  "{ l = fuse(a.h, a.v); reverse_compute_at(b, l); }", IRL_ERROR_ILLEGAL_STEP,
                  "store cells for which it reads no element");
#undef FLAT
    /* a condition of the store itself is no such thing */
    check_steps("func f(x: i32[4], y: i32[6]) { alloc t: i32[4]; for (i: 4) t[i] = x[i]; "
                "for (j: 6) if (j >= 1 && j < 5) y[j] = t[j - 1]; }",
                "{ reverse_compute_at(y, t.i); }",
                "func f(x: i32[4], y: i32[6]) { for (i: 4) { alloc t: i32[1]; t[0] = x[i]; "
                "for (a: 1) if (i + 1 >= 1 && i + 1 < 5) y[i + 1] = t[0]; } }");
}

/* What a group needs is computed by its work-items together. */
static void check_share(void)
{
#define GROUPS(loops) "func f(x: i32[64], y: i32[64]) { alloc s: i32[64] scope(shared); for (i: " \
                      "64) " \
                      "s[i] = x[i]; " loops " y[i * 8 + j] = s[i * 8 + 7 - j]; }"
    check_steps(GROUPS("for bind(group.x) (i: 8) for bind(local.x) (j: 8)"),
                "{ compute_at(s, y.i); }",
                "func f(x: i32[64], y: i32[64]) { for bind(group.x) (i: 8) { alloc s: i32[8] "
                "scope(shared); for bind(local.x) (t: 8) s[t] = x[i * 8 + t]; "
                "barrier(shared); for bind(local.x) (j: 8) y[i * 8 + j] = s[7 - j]; } }");
    check_refused("func f(x: i32[64], y: i32[64]) { alloc s: i32[64] scope(shared); for (i: 64) "
                  "s[i] = i > 0 ? s[max(i, 1) - 1] + x[i] : 0; for bind(group.x) (i: 8) "
                  "for bind(local.x) (j: 8) y[i * 8 + j] = s[i * 8 + 7 - j]; }",
                  "{ compute_at(s, y.i); }", IRL_ERROR_ILLEGAL_STEP, "for another work-item");
    check_refused("func f(x: i32[8, 4], y: i32[8, 4]) { alloc t: i32[8, 4]; for bind(group.x) (i: "
                  "8)"
                  " for bind(local.x) (h: 2) for bind(group.y) (j: 2) t[i, h * 2 + j] = x[i, h]; "
                  "for (i: 8, j: 4) y[i, j] = t[i, j]; }", "{ reverse_compute_at(y, t.i); }",
                  IRL_ERROR_ILLEGAL_STEP, "each group would do all");
    check_refused("func f(y: i32[8, 4]) { for bind(group.x) (i: 8) for bind(local.x) (h: 2) { "
                  "alloc t: i32[2]; for (k: 2) t[k] = 1; for (k: 2) y[i, h * 2 + k] = t[k]; } }",
                  "{ cache_write(t, t, shared); }", IRL_ERROR_ILLEGAL_STEP, "the group shares");
    check_refused("func f(y: i32[8], z: i32[8]) { for bind(global.x) (i: 8) { for (k: 1) y[i] = 1; "
                  "for (k: 1) z[i] = y[i]; } }", "{ cache_read(z, y, local); }",
                  IRL_ERROR_ILLEGAL_STEP, "would be read as a whole");
    check_refused(GROUPS("for bind(global.x) (i: 8) for (j: 8)"), "{ compute_at(s, y.i); }",
                  IRL_ERROR_ILLEGAL_STEP, "bound to a global axis");
    check_refused(GROUPS("for bind(group.x) (i: 8) for bind(local.x) (h: 1) if (h < 9) for (j: 8)"),
                  "{ compute_at(s, y.j); }", IRL_ERROR_ILLEGAL_STEP,
                  "a condition is around the loop in the kernel");
    check_refused("func f(y: i32[8]) { for bind(group.x) (i: 2) for (j: 4) { alloc s: i32[1] "
                  "scope(shared); s[0] = i32(j); y[i * 4 + j] = s[0]; } }",
                  "{ bind(j, local.x); }", IRL_ERROR_ILLEGAL_STEP, "bind before compute_at");
    check_refused(GROUPS("for bind(local.x) (i: 8) for (j: 8)"), "{ compute_at(s, y.i); }",
                  IRL_ERROR_ILLEGAL_STEP, "no outer loop is bound to a group");
#undef GROUPS
}

static irl_func *step_by(irl_func *f, const char *format, ...)
{
    char    text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return irl_schedule_parse(f, text, IRL_TO_NUL, NULL);
}

/* A product in tiles of any size, by groups of any size: operands, or the sum, in shared memory. */
static void check_shared_tiles(void)
{
    const int rounds = TEST_COUNT(40);
    int       round, lowered = 0;
    for (round = 0; round < rounds; round++) {
        irl_ctx  *cx = irl_ctx_create(NULL);
        const int m = 5 + TEST_RANDOM(5), n = 5 + TEST_RANDOM(5), k = 1 + TEST_RANDOM(9);
        const int ti = 1 + TEST_RANDOM(4), tj = 1 + TEST_RANDOM(4), tk = 1 + TEST_RANDOM(4);
        const char *const at[] = { "ko", "jo", "ki", "ji" };
        const char *to = at[TEST_RANDOM(4)], *other = at[TEST_RANDOM(4)];
        char        text[500];
        irl_func   *f, *g;
        const irl_module *module;
        snprintf(text, sizeof text, "func f(x: i32[%d, %d], w: i32[%d, %d], y: i32[%d, %d]) { "
                 "for (i: %d, j: %d, k: %d) block y(a: spatial(%d) = i, b: spatial(%d) = j, "
                 "r: reduce(%d) = k) { init { y[a, b] = 3; } y[a, b] = y[a, b] + x[a, r] * w[r, b]"
                 "; } }", m, k, k, n, m, n, m, n, k, m, n, k);
        f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        g = round % 3 == 2 ? step_by(f, "{ acc = cache_write(y, y, local); }") : f;
        g = step_by(g, "{ (io, ii) = split(y.i, %d); (jo, ji) = split(y.j, %d); "
                    "(ko, ki) = split(y.k, %d); reorder(io, jo, ii, ji, ko, ki); "
                    "xs = cache_read(y, x, shared); ws = cache_read(y, w, shared); "
                    "bind(io, group.y); bind(jo, group.x); bind(ii, local.y); bind(ji, local.x); "
                    "}", ti, tj, tk);
        if (round % 3 == 2) g = step_by(g, "{ reverse_compute_at(acc, ji); }");
        g = step_by(g, "{ compute_at(xs, %s); compute_at(ws, %s); }", to, other);
        module = irl_func_lower(g, &irl_target_opencl12);
        lowered += module != NULL;
        if (!CHECK_OK(cx)) printf("%s\nat %s, %s\n", text, to, other);
        else if (!CHECK(schedule_same(f, g, 1) == SAME)) printf("%s\n", irl_func_text(g));
        irl_ctx_destroy(cx);
    }
    CHECK(lowered * 2 > rounds);
}

/* Sums of a group: of any length, by any number of work-items, of one row or of several. */
static void check_group_sums(void)
{
    static const char *const types[] = { "i32", "f32", "i8", "f16" };
    static const char *const updates[] = { "y[v] + x[v, r]", "max(x[v, r], y[v])",
                                           "y[v] * x[v, r]", "f16(f32(y[v]) + f32(x[v, r]))" };
    const int rounds = TEST_COUNT(40);
    int       round, lowered = 0;
    for (round = 0; round < rounds; round++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        const int   n = 1 + TEST_RANDOM(7), k = 1 + TEST_RANDOM(30), items = 1 + TEST_RANDOM(9);
        const int   rows = 1 + TEST_RANDOM(3), kind = TEST_RANDOM(3), type = TEST_RANDOM(3);
        const char *t = types[round % 5 == 4 ? 3 : type];
        char        text[500];
        irl_func   *f, *g;
        snprintf(text, sizeof text, "func f(x: %s[%d, %d], y: %s[%d]) { for (i: %d, k: %d) block s("
                 "v: spatial(%d) = i, r: reduce(%d) = k) { %s y[v] = %s; } }", t, n, k, t, n, n, k,
                 n, k, kind == 1 || TEST_RANDOM(2) ? "init { y[v] = 2; }" : "",
                 round % 5 == 4 ? updates[3] : updates[kind]);
        f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        g = step_by(f, "{ reassociate(s); (io, ii) = split(s.i, %d); (ko, ki) = split(s.k, %s%d%s"
                    "); bind(io, group.x); bind(ii, local.y); }", rows,
                    round % 2 ? "_, " : "", items, round % 2 ? "" : ", _");
        g = step_by(g, "{ bind(%s, local.x); }", round % 2 ? "ki" : "ko");
        lowered += irl_func_lower(g, &irl_target_opencl12) != NULL;
        if (!CHECK_OK(cx)) printf("%s\n", text);
        else if (!CHECK(schedule_same(f, g, 1) == SAME)) printf("%s\n", irl_func_text(g));
        irl_ctx_destroy(cx);
    }
    CHECK(lowered * 2 > rounds);
#define SUMS(t) "func f(x: " t "[6, 8], y: " t "[6]) { for (i: 6, k: 8) block s(v: spatial(6) = " \
                                               "i, " \
                "r: reduce(8) = k) { init { y[v] = 0; } y[v] = y[v] + x[v, r]; } }"
    check_refused(SUMS("f32"), "{ bind(s.k, local.x); }", IRL_ERROR_ILLEGAL_STEP, "reassociate");
    check_refused(SUMS("i32"), "{ reorder(s.k, s.i); bind(s.k, local.x); }", IRL_ERROR_ILLEGAL_STEP,
                  "is inside a loop of reduce axes: reorder");
    check_refused(SUMS("i32"), "{ parallel(s.i); bind(s.k, local.x); }", IRL_ERROR_ILLEGAL_STEP,
                  "around it belongs to no group");
    check_refused("func f(n: index, x: i32[6, n], y: i32[6]) { for (i: 6, k: n) block s("
                  "v: spatial(6) = i, r: reduce(n) = k) { init { y[v] = 0; } y[v] = y[v] + x[v, r];"
                  " } }", "{ bind(s.k, local.x); }", IRL_ERROR_ILLEGAL_STEP, "is not constant");
#undef SUMS
#define UNDER(head, condition) \
    "func f(m: i32[4], x: i32[4, 8], y: i32[4]) { for " head " (i: 4) { let c = i * 2; " \
    "if (" condition ") { for (k: 8) block s(v: spatial(4) = i, r: reduce(8) = k) { " \
    "init { y[v] = 0; } y[v] = y[v] + x[v, r]; } } } }"
    /* all work-items of a group come to its barriers, or none */
    check_same(UNDER("bind(group.x)", "c < 5"), "{ bind(s.k, local.x); }",
               "{ bind(s.k, local.x); }");
    check_refused(UNDER("bind(local.y)", "c < 5"), "{ bind(s.k, local.x); }",
                  IRL_ERROR_ILLEGAL_STEP, "'i * 2 < 5' around the loop may differ");
    check_refused(UNDER("bind(group.x)", "m[0] < 5"), "{ bind(s.k, local.x); }",
                  IRL_ERROR_ILLEGAL_STEP, "around the loop may differ between work-items");
#undef UNDER
}

static void check_sequence(void)
{
    check_steps("func f(x: i32[18], y: i32[18]) { for (i: 18) block y(v: spatial(18) = i) "
                "where(i > 0 && i < 17) { y[v] = x[v - 1] + x[v] + x[v + 1]; } }",
                "{ (a, b, c) = partition(y.i, 1, 17); split(b, 4); }",
                "func f(x: i32[18], y: i32[18]) { for (a: 1) block y(v: spatial(1) = a) "
                "where(a > 0) { y[v] = x[v - 1] + x[v] + x[v + 1]; } for (bo: 4, bi: 4) "
                "block y_1(v: spatial(18) = 1 + (bo * 4 + bi)) "
                "{ y[v] = x[v - 1] + x[v] + x[v + 1]; } for (c: 17 .. 18) "
                "block y_2(v: spatial(18) = c) where(c < 17) "
                "{ y[v] = x[v - 1] + x[v] + x[v + 1]; } }");
    check_steps("func f(n: index, y: i32[n]) { for (i: n) y[i] = i32(i); }",
                "{ partition(y.i, 9); }",
                "func f(n: index, y: i32[n]) { for (i: min(9, n)) y[i] = i32(i); "
                "for (j: 9 .. n) y[j] = i32(j); }");
    /* the last number may count from the end */
    check_steps("func f(y: i32[12]) { for (i: 12) block y(v: spatial(12) = i) where(i < 10) { "
                "y[v] = 3; } }",
                "{ partition(y.i, 1, -2); }",
                "func f(y: i32[12]) { for (i: 1) block y(v: spatial(1) = i) { y[v] = 3; } for "
                "(j: 1 .. 10) block y_1(v: spatial(12) = j) { y[v] = 3; } for (k: 10 .. 12) block "
                "y_2(v: spatial(12) = k) where(k < 10) { y[v] = 3; } }");
    check_steps("func f(n: index, y: i32[n]) { for (i: n) y[i] = i32(i); }",
                "{ partition(y.i, 1, -2); }",
                "func f(n: index, y: i32[n]) { for (i: min(1, n)) y[i] = i32(i); for (j: 1 .. + "
                "n - 3) y[j] = i32(j); for (k: min(2, n - 1)) y[max(n - 2, 1) + k] = "
                "i32(max(n - 2, 1) + k); }");
    check_steps("func f(n: index, y: i32[n]) { for (i: n) y[i] = i32(i); }",
                "{ partition(y.i, -3); }",
                "func f(n: index, y: i32[n]) { for (i: n - 3) y[i] = i32(i); for (k: min(3, n)) "
                "y[max(n - 3, 0) + k] = i32(max(n - 3, 0) + k); }");
    check_refused(TWO, "{ partition(y.i, 4, -6); }", IRL_ERROR_ILLEGAL_STEP, "from its end");
    check_refused(TWO, "{ partition(y.i, -10); }", IRL_ERROR_ILLEGAL_STEP, "from its end");
    check_refused(TWO, "{ partition(y.i, -3, 4); }", IRL_ERROR_ILLEGAL_STEP, "increase");
    check_refused("func f(n: index, y: i32[9]) { for (i: n) y[i % 9] = 1; }",
                  "{ partition(y.i, -3); }", IRL_ERROR_ILLEGAL_STEP, "may be -2^63, so a number "
                                                                     "cannot count from its end");
    check_steps("func f(x: i32[8], y: i32[8], z: i32[8]) { for (i: 8) y[i] = x[i]; "
                "for (j: 8) z[j] = y[j] + 1; }", "{ i = merge(y.i, z.j); parallel(i); }",
                "func f(x: i32[8], y: i32[8], z: i32[8]) { for parallel (i: 8) { y[i] = x[i]; "
                "z[i] = y[i] + 1; } }");
    check_refused("func f(x: i32[8], y: i32[8], z: i32[8]) { for (i: 8) y[i] = x[i]; "
                  "for (j: 8) z[j] = y[7 - j]; }", "{ merge(y.i, z.j); }", IRL_ERROR_ILLEGAL_STEP,
                  "are one element");
    check_refused(TWO, "{ partition(y.i, 10); }", IRL_ERROR_ILLEGAL_STEP, "below the extent");
    check_refused(TWO, "{ partition(y.i, 3, 3); }", IRL_ERROR_ILLEGAL_STEP, "increase");
    check_refused("func f(y: i32[8]) layout(t: (i) -> (1 - i)) { for (i: 4) { alloc t: i32[2]; "
                  "t[0] = 1; y[i] = t[0]; } }",
                  "{ partition(i, 2); }", IRL_ERROR_ILLEGAL_STEP, "memory with a layout");
    check_refused("func f(x: i32[8], y: i32[8]) { for (i: 8) y[i] = 1; x[0] = 2; for (j: 8) "
                  "x[j] = y[j]; }", "{ merge(y.i, x.j); }", IRL_ERROR_ILLEGAL_STEP,
                  "is not directly after");
}

/* Whole groups of iterations, and what they leave, which counts from 0. */
static void check_peeled(void)
{
    /* an axis of a loop that begins elsewhere keeps its extent in the first part */
    check_steps("func f(y: i32[8]) { for (i: 3 .. 11) block y(v: spatial(8) = i) where(i < 8) { "
                "y[v] = 1; } }",
                "{ (a, b) = partition(y.i, 4); }",
                "func f(y: i32[8]) { for (a: 3 .. 7) block y(v: spatial(8) = a) { y[v] = 1; } for "
                "(b: 7 .. 11) block y_1(v: spatial(8) = b) where(b < 8) { y[v] = 1; } }");
    /* a condition that all instances share goes with the store */
    check_steps("func f(n: index, m: index, x: i32[n], y: i32[n]) { alloc t: i32[n]; for (i: n) "
                "t[i] = x[i] * 2; for (j: n) block y(v: spatial(n) = j) where(m >= 1) { y[v] = "
                "t[v] + 1; } }",
                "{ reverse_compute_inline(y); }",
                "func f(n: index, m: index, x: i32[n], y: i32[n]) { t: for (i: n) if (m >= 1) "
                "y[i] = x[i] * 2 + 1; }");
    /* where both names are below 0 no loop runs, but one over their product would */
    check_refused("func f(n: index, m: index, y: i32[64, 64]) { for (i: n, j: m) block y(u: "
                  "spatial(n) = i, v: spatial(m) = j) { y[u, v] = 1; } }",
                  "{ transform_block_layout(y, (u, v) -> (u * m + v)); }", IRL_ERROR_ILLEGAL_STEP,
                  "two axes may have negative extents");
    check_steps("func f(n: index, m: index, y: i32[n, m]) { for (i: n, j: m) block y(u: "
                "spatial(n) = i, v: spatial(m) = j) { y[u, v] = 1; } }",
                "{ transform_block_layout(y, (u, v) -> (u * m + v)); }",
                "func f(n: index, m: index, y: i32[n, m]) { for (k: n * m) block y(w: spatial(n * "
                "m) = k) { y[w / m, w % m] = 1; } }");
    check_steps("func f(x: i32[19], y: i32[19]) { for (i: 19) y[i] = x[i] * 2; }",
                "{ (a, b) = peel(y.i, 8); split(a, 8); }",
                "func f(x: i32[19], y: i32[19]) { for (ao: 2, ai: 8) y[ao * 8 + ai] = x[ao * 8 + "
                "ai] * 2; for (b: 3) y[16 + b] = x[16 + b] * 2; }");
    check_steps("func f(n: index, x: i32[n], y: i32[n]) { for (i: n) y[i] = x[i] * 2; }",
                "{ (a, b) = peel(y.i, 8); split(a, 2, 4); }",
                "func f(n: index, x: i32[n], y: i32[n]) { for (ao: n / 8, am: 2, ai: 4) y[(ao * 2 "
                "+ am) * 4 + ai] = x[(ao * 2 + am) * 4 + ai] * 2; for (b: n % 8) y[n / 8 * 8 + b] "
                "= x[n / 8 * 8 + b] * 2; }");
    check_steps("func f(n: index, x: i32[n], y: i32[n]) { for (i: 1 .. n - 1) y[i] = x[i]; }",
                "{ peel(y.i, 4); }",
                "func f(n: index, x: i32[n], y: i32[n]) { for (a: 1 .. + (n - 2) / 4 * 4) y[a] = "
                "x[a]; for (b: n - max((n - 2) / 4, 0) * 4 - 2) y[max((n - 2) / 4, 0) * 4 + 1 + b] "
                "= x[max((n - 2) / 4, 0) * 4 + 1 + b]; }");
    /* in order: an update of one cell, and conditions that hold in a part */
    check_steps("func f(n: index, x: f32[n], y: f32[1]) { y[0] = 0.0; for (k: n) y[0] = y[0] + "
                "x[k]; }",
                "{ (a, b) = peel(y.k, 4); unroll(b); }",
                "func f(n: index, x: f32[n], y: f32[1]) { y[0] = 0.0; for (a: n / 4 * 4) y[0] = "
                "y[0] + x[a]; for unrolled (b: n % 4) y[0] = y[0] + x[n / 4 * 4 + b]; }");
    check_steps("func f(y: i32[18]) { for (i: 18) block y(v: spatial(18) = i) where(i < 16) { y[v] "
                "= 3; } }",
                "{ peel(y.i, 4); }",
                "func f(y: i32[18]) { for (a: 16) block y(v: spatial(16) = a) { y[v] = 3; } for "
                "(b: 2) block y_1(v: spatial(18) = 16 + b) where(16 + b < 16) { y[v] = 3; } }");
    check_refused(TWO, "{ peel(y.i, 1); }", IRL_ERROR_ILLEGAL_STEP, "2 or more");
    check_refused(TWO, "{ peel(y.i, -4); }", IRL_ERROR_ILLEGAL_STEP, "2 or more");
    check_refused(TWO, "{ peel(y.i, _); }", IRL_ERROR_ILLEGAL_STEP, "2 or more");
    check_refused(TWO, "{ (a, b, c) = peel(y.i, 4); }", IRL_ERROR_ILLEGAL_STEP, "2 parts");
    check_steps("func f(x: i32[9], y: i32[9]) { for (i: 9) { alloc t: i32[2]; for (j: 2) t[j] = "
                "x[i] + i32(j); y[i] = t[0] * t[1]; } }",
                "{ peel(i, 4); }",
                "func f(x: i32[9], y: i32[9]) { for (i: 8) { alloc t: i32[2]; for (j: 2) t[j] = "
                "x[i] + i32(j); y[i] = t[0] * t[1]; } for (i_1: 1) { alloc t_1: i32[2]; "
                "for (j: 2) t_1[j] = x[8 + i_1] + i32(j); y[8 + i_1] = t_1[0] * t_1[1]; } }");
    check_refused("func f(y: i32[8]) { for (i: 4) { alloc t: i32[2]; decl s: i32[2] data(t); "
                  "t[0] = 1; y[i] = s[0]; } }",
                  "{ peel(i, 2); }", IRL_ERROR_ILLEGAL_STEP, "another view of memory");
    check_refused("func f(y: i32[8]) { for vectorized (i: 8) y[i] = 1; }", "{ peel(y.i, 2); }",
                  IRL_ERROR_ILLEGAL_STEP, "is bound or vectorized");
}

#define TILE \
    "func f(x: i32[6, 8], y: i32[8, 6]) { alloc t: i32[6, 8]; for (i: 6, j: 8) " \
    "t[i, j] = x[i, j]; for (i: 8, j: 6) y[i, j] = t[j, i]; }"

static void check_memory(void)
{
    check_steps(TILE, "{ set_scope(t, 0, local); }",
                "func f(x: i32[6, 8], y: i32[8, 6]) { alloc t: i32[6, 8] scope(local); "
                "for (i: 6, j: 8) t[i, j] = x[i, j]; for (i: 8, j: 6) y[i, j] = t[j, i]; }");
    check_steps(TILE, "{ storage_align(t, t, 0, 4, 1); }",
                "func f(x: i32[6, 8], y: i32[8, 6]) { alloc t: i32[6, 8] strides(9, 1); "
                "for (i: 6, j: 8) t[i, j] = x[i, j]; for (i: 8, j: 6) y[i, j] = t[j, i]; }");
    check_steps(TILE, "{ set_axis_separator(t, t, 1); }",
                "func f(x: i32[6, 8], y: i32[8, 6]) { alloc t: i32[6, 8] sep(1); "
                "for (i: 6, j: 8) t[i, j] = x[i, j]; for (i: 8, j: 6) y[i, j] = t[j, i]; }");
    check_refused(TILE, "{ set_scope(t, t, texture); }", IRL_ERROR_ILLEGAL_STEP, "copy");
    check_refused(TILE, "{ set_scope(y, y, local); }", IRL_ERROR_ILLEGAL_STEP, "parameter");
    check_refused(TILE, "{ set_scope(t, t, nowhere); }", IRL_ERROR_UNKNOWN_NAME, "is not a scope");
    check_refused("func f(y: i32[8]) { for parallel (i: 8) { alloc t: i32[1]; for (k: 1) t[k] = 1; "
                  "y[i] = t[0]; } }", "{ set_scope(t, t, shared); }", IRL_ERROR_ILLEGAL_STEP,
                  ": in shared memory they would write the same elements");
    check_refused("func f(x: i32[31], y: i32[12]) { for bind(group.x) (g: 2) { alloc t: i32[31] "
                  "scope(local); for (k: 31) t[k] = x[k]; for bind(local.x) (i: 6) "
                  "y[g * 6 + i] = t[i]; } }", "{ set_scope(t, t, shared); }",
                  IRL_ERROR_ILLEGAL_STEP, "outside the loop 'i'");
    check_refused("func f(x: i32[12], y: i32[12]) { for bind(group.x) (g: 2) { alloc t: i32[6] "
                  "scope(shared); for bind(local.x) (i: 6) t[i] = x[g * 6 + i]; barrier(shared); "
                  "for bind(local.x) (i: 6) y[g * 6 + i] = t[5 - i]; } }",
                  "{ set_scope(t, t, local); }", IRL_ERROR_ILLEGAL_STEP, "of the loop 'i' share");
    check_refused("func f(x: i32[12], y: i32[12]) { for bind(group.x) (g: 2) for bind(local.x) (i: "
                  "6) { alloc t: i32[6] scope(shared); for (k: 1) t[i] = x[g * 6 + i]; "
                  "barrier(shared); y[g * 6 + i] = t[5 - i]; } }", "{ set_scope(t, t, global); }",
                  IRL_ERROR_ILLEGAL_STEP, "of the loop 'i' share");
    check_steps("func f(x: i32[12], y: i32[12]) { for bind(group.x) (g: 2) for bind(local.x) (i: 6)"
                " { alloc t: i32[6] scope(shared); for (k: 1) t[i] = x[g * 6 + i]; y[g * 6 + i] = "
                "t[i]; } }",
                "{ set_scope(t, t, local); }",
                "func f(x: i32[12], y: i32[12]) { for bind(group.x) (g: 2) for bind(local.x) (i: 6)"
                " { alloc t: i32[6] scope(local); for (k: 1) t[i] = x[g * 6 + i]; y[g * 6 + i] = "
                "t[i]; } }");
    check_steps("func f(x: i32[31], y: i32[12]) { for bind(group.x) (g: 2) { alloc t: i32[6] "
                "scope(local); for bind(local.x) (i: 6) t[i] = x[i]; for bind(local.x) (i: 6) "
                "y[g * 6 + i] = t[i]; } }", "{ set_scope(t, t, shared); }",
                "func f(x: i32[31], y: i32[12]) { for bind(group.x) (g: 2) { alloc t: i32[6] "
                "scope(shared); for bind(local.x) (i: 6) t[i] = x[i]; for bind(local.x) (i: 6) "
                "y[g * 6 + i] = t[i]; } }");
    check_refused(TILE, "{ storage_align(t, t, 0, 4, 1); set_axis_separator(t, t, 1); }",
                  IRL_ERROR_ILLEGAL_STEP, "has strides");
    check_refused(TILE, "{ storage_align(t, t, 2, 4, 1); }", IRL_ERROR_ILLEGAL_STEP, "2 axes");
    check_refused(TILE, "{ storage_align(t, t, 0, 0, 1); }", IRL_ERROR_ILLEGAL_STEP, "above 0");
    check_refused(TILE, "{ storage_align(t, t, 0, 4611686018427387904, 1); }",
                  IRL_ERROR_ILLEGAL_STEP, "at most 281474976710656; found 4611686018427387904");
    check_refused(TILE, "{ set_axis_separator(t, t, 2); }", IRL_ERROR_BAD_SEPARATORS, "");
    check_steps("func f(x: f32[8], y: f32[8]) { for (i: 8) y[i] = y[i] + x[i] * 2.0f; }",
                "{ contract(y); }", "func f(x: f32[8], y: f32[8]) { for (i: 8) "
                "y[i] = fma(x[i], 2.0f, y[i]); }");
    check_steps("func f(x: f32[8], y: f32[8]) { for (i: 8) "
                "y[i] = (i > 2 ? x[i] * 2.0f : 1.0f) + y[i]; }", "{ contract(y); }",
                "func f(x: f32[8], y: f32[8]) { for (i: 8) "
                "y[i] = if_then_else(i > 2, fma(x[i], 2.0f, y[i]), y[i] + 1.0f); }");
    check_steps("func f(x: f32[8], y: f32[8]) { for (i: 8) "
                "y[i] = y[i] + (i > 2 ? x[i] : x[i] * x[0]); }", "{ contract(y); }",
                "func f(x: f32[8], y: f32[8]) { for (i: 8) "
                "y[i] = if_then_else(i > 2, y[i] + x[i], fma(x[i], x[0], y[i])); }");
    check_steps("func f(x: f32[8], y: f32[8]) { for (i: 8) y[i] = y[i] - x[i] * 2.0f; }",
                "{ contract(y); }", "func f(x: f32[8], y: f32[8]) { for (i: 8) "
                "y[i] = fma(-x[i], 2.0f, y[i]); }");
    check_steps("func f(x: f32[8], y: f32[8]) { for (i: 8) "
                "y[i] = x[i] * 2.0f - x[0] * x[1] + (x[i] * x[2] - 1.0f); }", "{ contract(y); }",
                "func f(x: f32[8], y: f32[8]) { for (i: 8) "
                "y[i] = fma(-x[0], x[1], x[i] * 2.0f) + fma(x[i], x[2], -1.0f); }");
    check_steps("func f(x: f32[8], y: f32[8]) { for (i: 8) "
                "y[i] = y[i] - (i > 2 ? x[i] * x[0] : 1.0f); }", "{ contract(y); }",
                "func f(x: f32[8], y: f32[8]) { for (i: 8) "
                "y[i] = if_then_else(i > 2, fma(-x[i], x[0], y[i]), y[i] - 1.0f); }");
    check_steps("func f(x: f32[8], y: f32[8]) { for (i: 8) "
                "y[i] = (i > 2 ? x[i] : x[i] * x[0]) - y[i]; }", "{ contract(y); }",
                "func f(x: f32[8], y: f32[8]) { for (i: 8) "
                "y[i] = if_then_else(i > 2, x[i] - y[i], fma(x[i], x[0], -y[i])); }");
    check_refused("func f(x: i32[8], y: i32[8]) { for (i: 8) y[i] = y[i] - x[i] * 2; }",
                  "{ contract(y); }", IRL_ERROR_ILLEGAL_STEP, "no a * b + c");
    check_refused("func f(x: f32[8], y: f32[8]) { for (i: 8) y[i] = x[i] * 2.0f; }",
                  "{ contract(y); }", IRL_ERROR_ILLEGAL_STEP, "no a * b + c");
    check_refused("func f(x: f32[8], y: f32[8]) { for (i: 8) "
                  "y[i] = y[i] + (i > 2 ? x[i] : 1.0f); }",
                  "{ contract(y); }", IRL_ERROR_ILLEGAL_STEP, "no a * b + c");
}

static void check_reindex(void)
{
    check_steps(SHIFT, "{ x = reindex_cache_read(B, A, shared, (i, j) -> (j, i)); "
                "reindex_cache_write(B, B, local, (i, j) -> (i/4, j, i%4)); }",
                "func f(A: i32[9, 9], B: i32[8, 8]) { alloc s: i32[8, 8] scope(shared); "
                "for (a: 8, b: 8) block x(v: spatial(8) = a, w: spatial(8) = b) "
                "{ s[w, v] = A[v + 1, w + 1]; } alloc l: i32[2, 8, 4] scope(local); "
                "for (i: 8, j: 8) block B(vi: spatial(8) = i, vj: spatial(8) = j) "
                "reads(s[vj, vi]) writes(l[vi / 4, vj, vi % 4]) "
                "{ l[vi / 4, vj, vi % 4] = s[vj, vi] * 2; } for (a: 8, b: 8) "
                "block B_local(v: spatial(8) = a, w: spatial(8) = b) "
                "{ B[v, w] = l[v / 4, w, v % 4]; } }");
    check_steps(PRODUCT, "{ reindex(B, W); }",
                "func f(A: i32[6, 5], W: i32[5, 8], B: i32[6, 8]) { alloc r: i32[8, 5]; "
                "for (a: 8, b: 5) block W_reindex(v: spatial(8) = a, w: spatial(5) = b) "
                "{ r[v, w] = W[w, v]; } for (i: 6, j: 8, k: 5) "
                "block B(vi: spatial(6) = i, vj: spatial(8) = j, vk: reduce(5) = k) "
                "{ init { B[vi, vj] = 0; } B[vi, vj] = B[vi, vj] + A[vi, vk] * r[vj, vk]; } }");
    /* a matrix by itself: the map says by its axes which of two operands */
#define GRAM(more, first, second) \
    "func f(x: i32[6, 5], y: i32[6, 6]) { " more "for (i: 6, j: 6, k: 5) block s(" \
    "u: spatial(6) = i, v: spatial(6) = j, r: reduce(5) = k) { init { y[u, v] = 0; } " \
    "y[u, v] = y[u, v] + " first " * " second "; } }"
    check_steps(GRAM("", "x[u, r]", "x[v, r]"),
                "{ t = reindex_cache_read(s, x, global, (u, v, r) -> (r, v)); }",
                GRAM("alloc x_global: i32[5, 6]; for (a: 6, b: 5) block t(v: spatial(6) = a, "
                     "r: spatial(5) = b) { x_global[r, v] = x[v, r]; } ", "x[u, r]",
                     "x_global[r, v]"));
    check_refused(GRAM("", "x[u, r]", "x[v, r]"),
                  "{ reindex_cache_read(s, x, global, (u, v, r) -> (u, v)); }",
                  IRL_ERROR_ILLEGAL_STEP, "none of them over the axes that the map uses");
    check_refused(GRAM("", "x[u, r]", "x[5 - u, r]"),
                  "{ reindex_cache_read(s, x, global, (u, v, r) -> (r, u)); }",
                  IRL_ERROR_ILLEGAL_STEP, "at several indices");
    check_refused(GRAM("", "x[u, r]", "x[v, r]"), "{ reindex(s, x); }",
                  IRL_ERROR_ILLEGAL_STEP, "at several indices");
    /* a nest that may not run is copied back if it does; what loops around the copy decide has no
       loop of its own */
#define ROWS(y, i, more, back) \
    "func f(n: index, x: i32[4, n], y: i32[4], z: i32[4]) { " more "for (k: n) " \
    "block s(v: spatial(4) = i, r: reduce(n) = k) { init { " y "[" i "] = 0; } " \
    y "[" i "] = " y "[" i "] + x[v, r]; } " back
    check_steps(ROWS("y", "v", "for (i: 4) ", "}"),
                "{ reindex_cache_write(s, y, global, (v, r) -> (3 - v)); }",
                ROWS("c", "3 - v", "alloc c: i32[4]; for (i: 4) ", "for (a: 4) "
                     "block y_global(v: spatial(4) = a) where(n >= 1) { y[v] = c[3 - v]; } }"));
    check_steps(ROWS("y", "v", "for (i: 4) { ", "z[i] = y[i] + 1; } }"),
                "{ reindex_cache_write(s, y, global, (v, r) -> (3 - v)); }",
                ROWS("c", "3 - v", "for (i: 4) { alloc c: i32[4]; ",
                     "block y_global(v: spatial(4) = i) where(n >= 1) { y[v] = c[3 - v]; } "
                     "z[i] = y[i] + 1; } }"));
#undef ROWS
    check_refused("func f(x: i32[8], y: i32[4], z: i32[4]) { for (k: 2, i: 4) { block s("
                  "v: spatial(4) = i, r: reduce(2) = k) { init { y[v] = 0; } y[v] = y[v] + "
                  "x[v * 2 + r]; } z[i] = y[i]; } }",
                  "{ reindex_cache_write(s, y, global, (v, r) -> (v)); }", IRL_ERROR_ILLEGAL_STEP,
                  "which it has not written");
    check_refused("func f(x: i32[8], y: i32[8], z: i32[8]) { for (k: 2) { for (i: 4) if (i > k) "
                  "block s(v: spatial(4) = i, w: spatial(2) = k) { y[v * 2 + w] = x[v]; } "
                  "z[k] = y[k]; } }", "{ reindex_cache_write(s, y, global, (v, w) -> (w, v)); }",
                  IRL_ERROR_ILLEGAL_STEP, "does not reach each point");
    check_refused(SHIFT, "{ reindex_cache_read(B, A, shared, (i, j) -> (i%2, j)); }",
                  IRL_ERROR_ILLEGAL_STEP, "(0, 0) and (2, 0) both map");
    check_refused(SHIFT, "{ reindex_cache_read(B, A, shared, (i) -> (i)); }",
                  IRL_ERROR_ILLEGAL_STEP, "takes 1 axes; the block has 2");
    check_refused(SHIFT, "{ reindex_cache_read(B, A, shared, (i, j) -> (i)); }",
                  IRL_ERROR_ILLEGAL_STEP, "in the access, but not in the map");
    check_refused(PRODUCT, "{ reindex_cache_read(B, W, shared, (i, j, k) -> (i, j, k)); }",
                  IRL_ERROR_ILLEGAL_STEP, "in the map, but not in the access");
    check_refused("func f(x: i32[8], y: i32[8]) { for (i: 8) block b(v: spatial(8) = i) "
                  "{ y[v] = x[v] + if_then_else(v < 7, x[v + 1], 0); } }", "{ reindex(b, x); }",
                  IRL_ERROR_ILLEGAL_STEP, "several indices");
    check_refused("func f(x: i32[8], y: i32[8]) { for (i: 4) block o(a: spatial(4) = i) { "
                  "for (j: 2) block b(v: spatial(8) = a * 2 + j) { y[v] = x[a]; } } }",
                  "{ reindex(b, x); }", IRL_ERROR_ILLEGAL_STEP, "uses 'a', which is not an axis");
    check_refused("func f(x: i32[8], y: i32[8]) { for (i: 4) block o(a: spatial(4) = i) { "
                  "for (k: 2) y[a] = 1; for (j: 1) block b(v: spatial(8) = a + 4) { if (x[a] > 0) "
                  "y[v] = x[a]; } } }", "{ cache_write(b, y, local); }", IRL_ERROR_ILLEGAL_STEP,
                  "each instance of the block 'o'");
    check_steps("func f(x: i32[8], y: i32[8]) { for (i: 4) block o(a: spatial(4) = i) { "
                "for (k: 2) y[a] = 1; for (j: 1) block b(v: spatial(8) = a + 4) { y[v] = x[a]; } "
                "} }", "{ cache_write(b, y, local); }",
                "func f(x: i32[8], y: i32[8]) { for (i: 4) block o(a: spatial(4) = i) { "
                "for (k: 2) y[a] = 1; alloc y_local: i32[8] scope(local); "
                "for (j: 1) block b(v: spatial(8) = a + 4) { y_local[v] = x[a]; } "
                "for (ax0: 1) block y_local(v0: spatial(1) = ax0) reads(y_local[v0 + (a + 4)]) "
                "writes(y[v0 + (a + 4)]) { y[v0 + (a + 4)] = y_local[v0 + (a + 4)]; } } }");
    check_refused("func f(x: i32[8], y: i32[8]) { for (i: 8) block b(v: spatial(8) = i) "
                  "{ y[v] = if_then_else(v < 7, x[v + 1], 0); } }", "{ reindex(b, x); }",
                  IRL_ERROR_ILLEGAL_STEP, "could leave 'x'");
}

/* A drawn function computes the same after the step, or the step is refused. Whether it is done. */
static int done_the_same(irl_ctx *cx, const char *text, const char *steps)
{
    irl_func *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    irl_func *g = irl_schedule_parse(f, steps, IRL_TO_NUL, NULL);
    int       same;
    if (!g) {
        if (!CHECK_CODE(cx, IRL_ERROR_ILLEGAL_STEP)) printf("%s\n%s\n", text, steps);
        return 0;
    }
    same = schedule_same(f, g, 0);
    if (!CHECK(same != DIFFERENT)) printf("%s\n%s\n", text, steps);
    return same == SAME;
}

/* Blocks that read one buffer at two or three lists of indices, over axes that are drawn: the copy
   that a map tells is read where it is meant. */
static void check_reindex_drawn(void)
{
    static const char *const axes[] = { "a", "b", "r" };
    int                      k, j, done = 0, count = TEST_COUNT(1500);
    for (k = 0; k < count; k++) {
        char      at[3][64], text[512], step[128], map[32] = "";
        const int lists = 2 + random_below(2);
        int       uses = 1 + random_below(7);
        irl_ctx  *cx = irl_ctx_create(NULL);
        for (j = 0; j < 3; j++) {
            const char *const x = axes[random_below(3)], *const y = axes[random_below(3)];
            static const char *const forms[] = { "x[%s, %s]", "x[3 - %s, %s]", "x[%s, 3 - %s]",
                                                 "x[(%s + 1) %% 4, %s]" };
            snprintf(at[j], sizeof at[j], forms[random_below(4)], x, y);
        }
        for (j = 3; j-- > 0;)
            if (uses >> j & 1) sprintf(map + strlen(map), "%s%s", *map ? ", " : "", axes[j]);
        snprintf(text, sizeof text,
                 "func f(x: i32[4, 4], y: i32[4, 3]) { for (i: 4, j: 3, k: 2) block s(a: spatial(4)"
                 " = i, b: spatial(3) = j, r: reduce(2) = k) { init { y[a, b] = 0; } y[a, b] = "
                 "y[a, b] + %s * %s%s%s; } }",
                 at[0], at[1], lists > 2 ? " - " : "", lists > 2 ? at[2] : "");
        snprintf(step, sizeof step, "{ reindex_cache_read(s, x, global, (a, b, r) -> (%s)); }",
                 map);
        done += done_the_same(cx, text, step);
        irl_ctx_destroy(cx);
    }
    printf("%d of %d operands of several are copied\n", done, count);
    CHECK(done * 10 > count);
}

/* What was found by schedules drawn at random. */
static void check_drawn(void)
{
    /* a nest with a label is one as well, and keeps it */
    check_steps("func f(A: i32[8], B: i32[8]) { b: for (i: 8) B[i] = A[i]; }",
                "{ (x, y) = transform_layout(b, B, (i) -> (i % 4, i / 4)); }",
                "func f(A: i32[8], B: i32[4, 2] logical([8], (i) -> (i % 4, i / 4))) { "
                "b: for (x: 4, y: 2) B[x, y] = A[y * 4 + x]; }");
    /* the init of a sum runs in the first part of its loop alone: the second one's cache holds what
       was there */
    check_steps("func f(A: i32[8], B: i32[]) { B[] = sum(k: 8, A[k]); }",
                "{ (k0, k1) = partition(B.k, 3); c = cache_write(B_1, B, local); }",
                "func f(A: i32[8], B: i32[]) { for (k0: 3) block B(vk: reduce(3) = k0) { init "
                "B[] = 0; B[] = B[] + A[vk]; } alloc B_local: i32[] scope(local); "
                "block B_local_in() reads(B[]) writes(B_local[]) { B_local[] = B[]; } "
                "for (k1: 3 .. 8) block B_1(vk: reduce(8) = k1) { init B_local[] = 0; "
                "B_local[] = B_local[] + A[vk]; } "
                "block c() reads(B_local[]) writes(B[]) { B[] = B_local[]; } }");
    check_refused("func f(A: i32[8], B: i32[]) { for (k: 3) block c(v: reduce(8) = k) { init "
                  "B[] = 0; B[] = B[] + A[v]; } for (k: 3 .. 8) block b(v: reduce(8) = k) { init "
                  "B[] = 0; B[] = B[] + A[v]; } }",
                  "{ reindex(b, B); }",
                  IRL_ERROR_ILLEGAL_STEP, "which it has not written");
    /* a region does not go by memory that is the block's own */
    check_steps("func f(A: i32[4, 4], B: i32[4, 4]) { for (i: 4, j: 4) block b(u: spatial(4) = i, "
                "v: spatial(4) = j) reads(A[0: 4, 0: 4]) writes(B[u, v]) { alloc t: i64[1]; "
                "t[0] = i64(v); B[u, v] = A[u, index(t[0])]; } }",
                "{ reindex_cache_write(b, B, local, (i, j) -> (j, i)); }",
                "func f(A: i32[4, 4], B: i32[4, 4]) { alloc B_local: i32[4, 4] scope(local); "
                "for (i: 4, j: 4) block b(u: spatial(4) = i, v: spatial(4) = j) "
                "reads(A[u, 0: 4]) writes(B_local[v, u]) { alloc t: i64[1]; t[0] = i64(v); "
                "B_local[v, u] = A[u, index(t[0])]; } for (ax0: 4, ax1: 4) "
                "block B_local(u: spatial(4) = ax0, v: spatial(4) = ax1) "
                "{ B[u, v] = B_local[v, u]; } }");
    /* a copy may gather where the block has loaded anyway, by numbers that stay */
#define GATHER(indices, more) \
    "func f(A: i32[5, 4], F: i32[4], B: i32[4, 4]) { for (i: 4, j: 4) block b(u: spatial(4) = i, " \
    "v: spatial(4) = j) { B[u, v] = " indices "; " more "} }"
    check_steps(GATHER("A[index(F[u] % 5), v]", ""),
                "{ c = reindex_cache_read(b, A, global, (i, j) -> (j, i)); }",
                "func f(A: i32[5, 4], F: i32[4], B: i32[4, 4]) { alloc A_global: i32[4, 4]; "
                "for (ax0: 4, ax1: 4) block c(u: spatial(4) = ax0, v: spatial(4) = ax1) "
                "{ A_global[v, u] = A[index(F[u] % 5), v]; } for (i: 4, j: 4) block b(u: "
                "spatial(4) = i, v: spatial(4) = j) { B[u, v] = A_global[v, u]; } }");
    check_refused(GATHER("if_then_else(v < 2, A[index(F[u] % 5), v], 0)", ""),
                  "{ reindex_cache_read(b, A, global, (i, j) -> (j, i)); }", IRL_ERROR_ILLEGAL_STEP,
                  "does not load it at each point");
    check_refused(GATHER("A[index(F[u] % 5), v]", "F[3 - u] = 2; "),
                  "{ reindex_cache_read(b, A, global, (i, j) -> (j, i)); }", IRL_ERROR_ILLEGAL_STEP,
                  "reads memory that is written after the copy");
    /* an image of what is in texels already; what a kernel writes it does not read */
#define TEXELS(kind) \
    "func f(x: f32[3, 2, 4], y: f32[3, 2, 4]) { for " kind "(i: 3) for (j: 2, c: 4) y[i, j, c] = " \
    "x[i, j, c]; }"
    check_steps(TEXELS(""),
                "{ c = cache_read(y, x, texture); vectorize(c.ax2); vectorize(y.c); }",
                "func f(x: f32[3, 2, 4], y: f32[3, 2, 4]) { alloc x_texture: f32[3, 2, 4] "
                "scope(texture); for (ax0: 3, ax1: 2) for vectorized (ax2: 4) "
                "block c(u: spatial(3) = ax0, v: spatial(2) = ax1, w: spatial(4) = ax2) "
                "reads(x[u, v, w]) writes(x_texture[u, v, w]) { x_texture[u, v, w] = x[u, v, w]; } "
                "for (i: 3, j: 2) for vectorized (c: 4) y[i, j, c] = x_texture[i, j, c]; }");
    check_refused(TEXELS(""), "{ cache_write(y, y, texture); }", IRL_ERROR_ILLEGAL_STEP,
                  "only reads can be copied to an image, or from one");
    check_refused(TEXELS(""), "{ cache_read(y, x, texture:volume); }", IRL_ERROR_ILLEGAL_STEP,
                  "2 axes besides the texel; an image3d_t has 3 dimensions");
    check_refused(TEXELS(""), "{ c = cache_read(y, x, texture); compute_at(c, i); }",
                  IRL_ERROR_ILLEGAL_STEP, "is an image");
    /* what is padded already is read within its bounds along other axes too */
    check_steps("func f(x: i32[2, 2], y: i32[2, 3]) { for (i: 2, j: 3) block b(u: spatial(2) = i, "
                "v: spatial(3) = j) { y[u, v] = if_then_else(v < 2, x[u, v], 0); } }",
                "{ pad_einsum(b, 3, 1); }",
                "func f(x: i32[2, 2], y: i32[2, 3]) { alloc y_pad: i32[3, 3]; alloc x_pad: "
                "i32[3, 3]; for (i: 3, j: 3) block x_pad(u: spatial(3) = i, v: spatial(3) = j) { "
                "x_pad[u, v] = if_then_else(u < 2 && v < 2, x[u, v], 0); } for (i: 3, j: 3) "
                "block b(u: spatial(3) = i, v: spatial(3) = j) { y_pad[u, v] = "
                "if_then_else(v < 2, x_pad[u, v], 0); } for (i: 2, j: 3) block y_pad(u: "
                "spatial(2) = i, v: spatial(3) = j) { y[u, v] = y_pad[u, v]; } }");
    /* what is read in front of its writer is not what that writes; each work-item would copy */
    check_refused("func f(x: i32[4], y: i32[4]) { alloc t: i32[4]; for (i: 4) y[i] = t[i]; "
                  "for (i: 4) t[i] = x[i]; for (i: 4) y[i] = t[i]; }", "{ compute_inline(t); }",
                  IRL_ERROR_ILLEGAL_STEP, "is read before");
    check_refused("func f(x: f32[8], y: f32[8]) { for bind(group.x) (i: 1) { alloc t: f32[8] "
                  "scope(shared); for bind(local.x) (j: 8) t[j] = x[j]; barrier(shared); "
                  "for bind(local.x) (j: 8) y[j] = t[7 - j]; } }", "{ cache_write(t, t, global); }",
                  IRL_ERROR_ILLEGAL_STEP, "every work-item");
    /* loops of ... are as many as the map has outputs then */
    check_refused("func f(y: i32[4, 4, 4]) { for (i: 4, j: 4, k: 4) y[i, j, k] = 1; }",
                  "{ (a, b, c) = transform_layout(y, y, (..., i) -> (..., i / 2, i % 2)); }",
                  IRL_ERROR_ILLEGAL_STEP, "3 loops are named; the map has 4 axes");
    check_steps("func f(y: i32[4, 4]) { for (i: 4, j: 4) y[i, j] = 1; }",
                "{ (a, b, c) = transform_layout(y, y, (..., i) -> (..., i / 2, i % 2)); }",
                "func f(y: i32[4, 2, 2] logical([4, 4], (a, b) -> (a, b / 2, b % 2))) { "
                "for (a: 4, b: 2, c: 2) y[a, b, c] = 1; }");
    /* kernels become one, and one kernel has one extent on an axis; nor is a kernel moved into
       another */
    check_refused("func f(y: i32[4, 8], z: i32[4, 2]) { for (i: 4) { for (j: 8) y[i, j] = 1; "
                  "for (k: 2) z[i, k] = 2; } }",
                  "{ bind(y.j, group.y); bind(z.k, group.y); bind(i, group.x); }",
                  IRL_ERROR_ILLEGAL_STEP, "cannot be combined");
    /* each work-item would go on with a group's sum, where one is meant; what a work-item copies
       of what the group shares is not all of it */
    check_refused("func f(x: i32[4, 2], y: i32[4]) { for bind(group.x) (i: 4) y[i] = "
                  "max(sum(k: 2, x[i, k]), 3); }", "{ bind(y.sum.k, local.x); }",
                  IRL_ERROR_ILLEGAL_STEP, ", outside the loop");
    check_refused("func f(t1: i32[4], y: i32[2]) { for bind(group.x) (g: 1) for bind(local.x) "
                  "(i: 4) { alloc t: i32[2] scope(shared); block t(v: spatial(4) = 2 + i) "
                  "where(i < 2) { t[v - 2] = t1[v]; } barrier(shared); for (k: 2) "
                  "block s(u: spatial(2) = k) where(i < 1) { y[u] = t[u]; } } }",
                  "{ compute_at(t, k); }", IRL_ERROR_ILLEGAL_STEP, "share it already");
    /* what chooses between values is not read before it is there */
    check_refused("func f(y: i32[9]) { alloc t: bool[9]; for (i: 9) t[i] = i < 4; for (i: 9) "
                  "block b(v: spatial(9) = i) { y[v] = select(t[max(v - 3, 0)], 1, 2); } }",
                  "{ reverse_compute_at(b, t.i); }", IRL_ERROR_ILLEGAL_STEP, "");
}

/* A copy in an image is found by its memory, where another buffer has its name. */
static void check_copy_of_a_name(void)
{
    static const char step[] = "{ cache_read(c, x, texture, (i) -> (i / 4, i % 4)); }";
    check_same("func f(x: f32x4[24], y: f32x4[24]) { alloc x_texture: f32[4]; c: for (i: 24) y[i] "
               "= x[i]; }", step, step);
}

/* A part of a part is a block with a name of its own, which steps find. */
static void check_parts_of_parts(void)
{
    static const char steps[] =
        "{ (ia, ib, ic) = partition(y.i, 2, 6); (ja, jb, jc) = partition(y.j, 2, 6); "
        "reorder(y_1.j, ib); decompose_reduction(y_1, y_1.j); decompose_reduction(y_3, jb); "
        "decompose_reduction(y_4, jc); }";
    check_same("func f(x: i32[8, 8], y: i32[8, 8]) { for (i: 8, j: 8) y[i, j] = sum(k: 3, j >= k ? "
               "x[i, j - k] : 0); }", steps, steps);
}

/* Work-items wait once for two tiles that have nothing to do with one another; in between, where
   one is made from the other. */
static void check_two_tiles(void)
{
#define TILES(b, y) \
    "func f(x: i32[4, 8], y: i32[4, 8]) { alloc a: i32[4, 8] scope(shared); alloc b: i32[4, 8] " \
    "scope(shared); ta: for (g: 4, i: 8) a[g, i] = x[g, i] + 1; tb: for (g: 4, i: 8) b[g, i] = " \
    b "; ty: for (g: 4, i: 8) y[g, i] = " y "; }"
#define MOVED(a, b, y) \
    "func f(x: i32[4, 8], y: i32[4, 8]) { ty: for bind(group.x) (g: 4) { alloc " a ": i32[1, 8] " \
    "scope(shared); alloc " b ": i32[1, 8] scope(shared); ta: for bind(local.x) (item: 8) " \
    "a[0, item] = x[g, item] + 1; " y " } }"
    check_steps(TILES("x[g, 7 - i] * 2", "a[g, 7 - i] + b[g, i]"),
                "{ bind(ty.g, group.x); bind(ty.i, local.x); compute_at(ta, ty.g); "
                "compute_at(tb, ty.g); }",
                MOVED("b", "a", "tb: for bind(local.x) (item: 8) b[0, item] = x[g, 7 - item] * 2; "
                      "barrier(shared); for bind(local.x) (i: 8) y[g, i] = a[0, 7 - i] + "
                      "b[0, i];"));
    check_steps(TILES("a[g, 7 - i] * 2", "b[g, 7 - i]"),
                "{ bind(ty.g, group.x); bind(ty.i, local.x); compute_at(tb, ty.g); "
                "compute_at(ta, ty.g); }",
                MOVED("a", "b", "barrier(shared); tb: for bind(local.x) (item: 8) b[0, item] = "
                      "a[0, 7 - item] * 2; barrier(shared); for bind(local.x) (i: 8) y[g, i] = "
                      "b[0, 7 - i];"));
#undef TILES
#undef MOVED
}

/* The reference's example, loops over memory; what unused cells hold is stated; a map of a size. */
static void check_layout(void)
{
#define COPY "func f(A: i32[14], C: i32[14]) { alloc B: i32[14]; for (i: 14) B[i] = A[i] * 2; " \
             "for (i: 14) C[i] = B[i]; }"
    check_steps("func f(A: f32[4, 6, 8], B: f32[4, 6, 8]) { for (i: 4, j: 6, k: 8) block B(a: "
                "spatial(4) = i, b: spatial(6) = j, c: spatial(8) = k) reads(A[a, b, c]) "
                "writes(B[a, b, c]) { B[a, b, c] = 2.0f * A[a, b, c]; } }",
                "{ (x, y, z) = transform_layout(B, B, (i, j, k) -> (i / 2, 8 * j + k, i % 2)); "
                "transform_layout(B, A, (i, j, k) -> (i * 6 + j, k / 4, k % 4)); "
                "reorder(x, z, y); split(y, 8); }",
                "func f(A: f32[24, 2, 4] logical([4, 6, 8], (i, j, k) -> (i * 6 + j, k / 4, k % 4))"
                ", B: f32[2, 48, 2] logical([4, 6, 8], (i, j, k) -> (i / 2, 8 * j + k, i % 2))) { "
                "for (x: 2, z: 2, yo: 6, yi: 8) block B(u: spatial(2) = x, "
                "v: spatial(48) = yo * 8 + yi, w: spatial(2) = z) reads(A[(u * 2 + w) * 6 + v / 8, "
                "v % 8 / 4, v % 8 % 4]) writes(B[u, v, w]) { B[u, v, w] = 2.0f * "
                "A[(u * 2 + w) * 6 + v / 8, v / 4 % 2, v % 4]; } }");
    check_steps(COPY, "{ (o, p) = transform_layout(B, B, (i) -> (i / 4, i % 4), pad = 7); "
                "transform_layout(C, C, (i) -> (i % 4, i / 4), pad = \"any\"); "
                "transform_layout(B, A, (i) -> (i / 5, |, i % 5), pad = -1); }",
                "func f(A: i32[3, 5] sep(1) logical([14], (i) -> (i / 5, |, i % 5), pad(-1)), "
                "C: i32[4, 4] logical([14], (i) -> (i % 4, i / 4))) attr(unstated_padding = \"C\") "
                "{ alloc B: i32[4, 4]; for (o: 4, p: 4) B[o, p] = if_then_else(o * 4 + p < 14, "
                "A[(o * 4 + p) / 5, (o * 4 + p) % 5] * 2, 7); "
                "for (i: 14) C[i % 4, i / 4] = B[i / 4, i % 4]; }");
    /* new loops reach cells that may hold anything; a parameter's stay unstated */
    check_steps(COPY, "{ (o, p) = transform_layout(B, B, (i) -> (i / 4, i % 4), pad = \"any\"); "
                "(a, b) = transform_layout(C, C, (i) -> (i % 4, i / 4), pad = \"any\"); }",
                "func f(A: i32[14], C: i32[4, 4] logical([14], (i) -> (i % 4, i / 4))) "
                "attr(unstated_padding = \"C\") { alloc B: i32[4, 4]; for (o: 4, p: 4) B[o, p] = "
                "if_then_else(o * 4 + p < 14, A[o * 4 + p] * 2, 0); for (a: 4, b: 4) C[a, b] = "
                "if_then_else(b * 4 + a < 14, B[(b * 4 + a) / 4, (b * 4 + a) % 4], 0); }");
    check_steps("func f(n: index, y: i32[n]) { for (i: n) y[i] = i32(i); }",
                "{ (a, b) = transform_layout(y, y, (i) -> (i / 4, i % 4), pad = \"any\"); }",
                "func f(n: index, y: i32[(n + 3) / 4, 4] logical([n], (i) -> (i / 4, i % 4))) "
                "attr(unstated_padding = \"y\") { for (a: (n + 3) / 4, b: 4) y[a, b] = "
                "if_then_else(a * 4 + b < n, i32(a * 4 + b), 0); }");
    /* a value for each unused cell */
    check_steps(COPY, "{ transform_layout(B, B, (i) -> (i / 4, i % 4), pad = (a, b) -> (a - b)); "
                "(o, p) = transform_layout(C, C, (i) -> (i % 4, i / 4), pad = (a, b) -> (a / 4 + "
                "9 / (b + 1))); }",
                "func f(A: i32[14], C: i32[4, 4] logical([14], (i) -> (i % 4, i / 4))) "
                "attr(unstated_padding = \"C\") { alloc B: i32[4, 4]; for (u: 4, v: 4) B[u, v] = "
                "if_then_else(u * 4 + v < 14, A[u * 4 + v] * 2, i32(u - v)); "
                "for (o: 4, p: 4) C[o, p] = if_then_else(p * 4 + o < 14, "
                "B[(p * 4 + o) / 4, (p * 4 + o) % 4], i32(o / 4 + 9 / (p + 1))); }");
    check_steps("func f(y: i32[3]) { for (i: 2) y[i] = 1; }",
                "{ transform_layout(y, y, (i) -> (i / 2, i % 2), pad = (a, b) -> (a + b)); }",
                "func f(y: i32[2, 2] logical([3], (i) -> (i / 2, i % 2))) "
                "attr(unstated_padding = \"y\") { for (i: 2) y[i / 2, i % 2] = 1; for (u: 2, v: 2) "
                "if (u * 2 + v >= 3) y[u, v] = i32(u + v); }");
    check_steps("func f(n: index, y: i32[4, n]) { for (i: 4, j: n) y[i, j] = i32(j); }",
                "{ transform_layout(y, y, (i, j) -> (i * n + j), assume = \"injective\"); }",
                "func f(n: index, y: i32[n * 4] logical([4, n], (i, j) -> (i * n + j))) { "
                "for (i: 4, j: n) y[n * i + j] = i32(j); }");
    check_refused(COPY, "{ transform_layout(B, B, (i) -> (i / 4, i % 4)); }",
                  IRL_ERROR_ILLEGAL_STEP, "no point reaches: 2 of them, where");
    check_refused(COPY, "{ transform_layout(B, A, (i) -> (i / 4, i % 4)); }",
                  IRL_ERROR_ILLEGAL_STEP, "becomes [4, 4]");
    check_refused(COPY, "{ transform_layout(B, A, (i) -> (i / 2)); }", IRL_ERROR_LOSSY_MAP,
                  "(0) and (1) both map to [0]");
    check_refused(COPY, "{ transform_layout(C, B, (i) -> (i / 2)); }", IRL_ERROR_LOSSY_MAP,
                  "lossy");
    check_refused(COPY, "{ transform_layout(B, B, (i) -> (i), pad = \"none\"); }",
                  IRL_ERROR_ILLEGAL_STEP, "is expected here");
    check_refused(COPY, "{ transform_layout(B, B, (i) -> (i / 4, i % 4), pad = (a) -> (a)); }",
                  IRL_ERROR_RANK_MISMATCH, "a map of 2 inputs to one value");
    check_refused(COPY, "{ transform_layout(B, B, (i) -> (i / 4, i % 4), pad = (a, b) -> "
                  "(a / b)); }", IRL_ERROR_UNSUPPORTED, "have a value in each of its cells: a / b");
    check_refused(COPY, "{ transform_layout(B, A, (i) -> (i / 4, i % 4), pad = (a, b) -> (a)); }",
                  IRL_ERROR_UNSUPPORTED, "'A' is only read");
    check_refused(COPY, "{ annotate(B, group = (a) -> (a)); }", IRL_ERROR_SYNTAX,
                  "argument 2 does not fit");
    check_refused(COPY, "{ transform_layout(B, B, (i, j) -> (i), pad = 1); }",
                  IRL_ERROR_RANK_MISMATCH, "takes 2 axes");
    check_refused(COPY, "{ transform_layout(B, B, (i) -> (i / 4, i % 4), pad = i32(1) / 0); }",
                  IRL_ERROR_ILLEGAL_STEP, "a constant");
    check_refused(COPY, "{ a = transform_layout(B, B, (i) -> (i / 2, i % 2)); }",
                  IRL_ERROR_ILLEGAL_STEP, "1 loops are named; the map has 2 axes");
    check_refused("func f(y: i32[8, 4]) { for (i: 4, j: 4) y[i, j] = 1; }",
                  "{ (a, b) = transform_layout(y, y, (i, j) -> (j, i)); }", IRL_ERROR_ILLEGAL_STEP,
                  "around one store");
    check_refused("func f(y: i32[8]) layout(y: (i) -> (i / 2, i % 2)) { for (i: 8) y[i] = 1; }",
                  "{ transform_layout(y, y, (i) -> (7 - i)); }", IRL_ERROR_ILLEGAL_STEP,
                  "has a layout already");
    check_refused("func f(y: i32[8]) { for (i: 2) block b(v: spatial(2) = i) "
                  "{ match m: i32[4] = y[v * 4: 4]; for (j: 4) m[j] = 1; } for (i: 8) y[i] = 1; }",
                  "{ transform_layout(y, y, (i) -> (7 - i)); }", IRL_ERROR_ILLEGAL_STEP, "match");
#undef COPY
}

/* Other axes and loops by a map; what was an axis is its inverse. */
static void check_block_layout(void)
{
#define DOT(t, where) "func f(A: " t "[4, 24], B: " t "[4]) { for (i: 4, k: 24) block B(" \
                      "a: spatial(4) = i, r: reduce(24) = k) " where " reads(A[a, r]) " \
                      "writes(B[a]) { init { B[a] = 0; } B[a] = B[a] + A[a, r]; } }"
    check_steps(DOT("i32", ""), "{ (x, y, z) = transform_block_layout(B, (i, k) -> "
                "(i, k / 8, k % 8)); reorder(z, x); }",
                "func f(A: i32[4, 24], B: i32[4]) { for (z: 8, y: 3, x: 4) block B("
                "a: spatial(4) = x, v1: reduce(3) = y, v2: reduce(8) = z) "
                "reads(A[a, v1 * 8 + v2]) writes(B[a]) "
                "{ init { B[a] = 0; } B[a] = B[a] + A[a, v1 * 8 + v2]; } }");
    check_steps(DOT("f32", "where(k < 20)"), "{ transform_block_layout(B, (i, k) -> "
                "(k / 8, 0, 3 - i, k % 8)); }",
                "func f(A: f32[4, 24], B: f32[4]) { for (x: 3, o: 1, y: 4, z: 8) block B("
                "v0: reduce(3) = x, v1: spatial(1) = o, a: spatial(4) = y, v2: reduce(8) = z) "
                "where(x * 8 + z < 20) reads(A[3 - a, v0 * 8 + v2]) writes(B[3 - a]) { init { "
                "B[3 - a] = 0; } B[3 - a] = B[3 - a] + A[3 - a, v0 * 8 + v2]; } }");
    /* axes count their loops from where these begin */
#define UPDATE(a, r) "{ init { B[" a " + 1] = 0; } " \
                     "B[" a " + 1] = B[" a " + 1] + A[" a " + 1, " r "]; } }"
    check_steps("func f(A: i32[6, 24], B: i32[6]) { for (i: 1 .. 5, k: -3 .. 21) block B("
                "a: spatial(4) = i - 1, r: reduce(24) = k + 3) where(i + k > 2) " UPDATE("a", "r"),
                "{ transform_block_layout(B, (i, k) -> (k / 8, i, k % 8)); }",
                "func f(A: i32[6, 24], B: i32[6]) { for (x: 3, i: 4, z: 8) block B("
                "v0: reduce(3) = x, a: spatial(4) = i, v2: reduce(8) = z) "
                "where(i + 1 + (x * 8 + z + -3) > 2) " UPDATE("a", "v0 * 8 + v2"));
    check_refused("func f(A: i32[6, 24], B: i32[6]) { for (i: 1 .. 5, k: 24) block B("
                  "a: spatial(4) = 4 - i, r: reduce(24) = k) " UPDATE("a", "r"),
                  "{ transform_block_layout(B, (i, k) -> (k, i)); }", IRL_ERROR_ILLEGAL_STEP,
                  "the axis 'a' must be bound to a loop of its own");
    check_refused("func f(A: i32[6, 24], B: i32[6]) { for (i: 1 .. 4, k: 24) block B("
                  "a: spatial(4) = i - 1, r: reduce(24) = k) " UPDATE("a", "r"),
                  "{ transform_block_layout(B, (i, k) -> (k, i)); }", IRL_ERROR_ILLEGAL_STEP,
                  "the loop 'i' does not run over all of the axis 'a'");
    check_refused("func f(A: i32[6, 24], B: i32[6]) { for (i: 1 .. 4, k: 24) block B("
                  "a: spatial(4) = i, r: reduce(24) = k) " UPDATE("a", "r"),
                  "{ transform_block_layout(B, (i, k) -> (k, i)); }", IRL_ERROR_ILLEGAL_STEP,
                  "the loop 'i' does not run over all of the axis 'a'");
#undef UPDATE
    check_steps(BLOCKS, "{ transform_block_layout(b, (i, j) -> (j * n + i)); }",
                "func f(n: index, y: i32[n, 8]) { for (i: n * 8) block b(v: spatial(n * 8) = i) { "
                "y[v % n, v / n] = i32(v % n); } }");
    check_refused(DOT("f32", ""), "{ transform_block_layout(B, (i, k) -> (i, k % 8, k / 8)); }",
                  IRL_ERROR_ILLEGAL_STEP, "order of the sum would change (reassociate first)");
    check_refused(DOT("i32", "where(k > 3)"), "{ transform_block_layout(B, (i, k) -> (i, 23 - k)); "
                  "}", IRL_ERROR_ILLEGAL_STEP, "order of the sum");
    check_refused(DOT("i32", ""), "{ transform_block_layout(B, (i, k) -> (i, k / 2)); }",
                  IRL_ERROR_ILLEGAL_STEP, "(0, 0) and (0, 1) both map");
    check_refused(DOT("i32", ""), "{ transform_block_layout(B, (i, k) -> (i, k / 5, k % 5)); }",
                  IRL_ERROR_ILLEGAL_STEP, "not bijective onto a box");
    check_refused(DOT("i32", ""), "{ transform_block_layout(B, (i, k) -> (i * 24 + k)); }",
                  IRL_ERROR_ILLEGAL_STEP, "of the map mixes a spatial and a reduce axis");
    check_refused(DOT("i32", ""), "{ transform_block_layout(B, (i) -> (i)); }",
                  IRL_ERROR_RANK_MISMATCH, "");
    check_refused(DOT("i32", ""), "{ parallel(B.i); transform_block_layout(B, (i, k) -> (k, i)); }",
                  IRL_ERROR_ILLEGAL_STEP, "'i' is not serial");
    check_refused("func f(y: i32[9]) { for (i: 8) block b(v: spatial(8) = i) { y[v + 1] = y[v]; "
                  "} }", "{ transform_block_layout(b, (i) -> (7 - i)); }", IRL_ERROR_ILLEGAL_STEP,
                  "access one cell");
#undef DOT
}

/* Partial results of a loop of a reduction. */
/* All inits run in front of all updates: nothing may see that but the cell's own sum. */
static void check_decompose_order(void)
{
#define SUMS(where, to, value) \
    "func f(x: i32[16], y: i32[5], z: i32[5]) { for (i: 4, k: 4) block b(v: spatial(4) = i, " \
    "r: reduce(4) = k) " where "{ init { y[v] = 0; } " to " = " value " + x[r]; } }"
    check_steps(SUMS("where(z[i] > 5) ", "y[v]", "y[v]"), "{ decompose_reduction(b, b.i); }",
                "func f(x: i32[16], y: i32[5], z: i32[5]) { for (i: 4) block b_init("
                "v: spatial(4) = i) where(z[i] > 5) { y[v] = 0; } for (i: 4, k: 4) block b("
                "v: spatial(4) = i, r: reduce(4) = k) where(z[i] > 5) { y[v] = y[v] + x[r]; } }");
    check_refused(SUMS("where(y[i] > 5) ", "y[v]", "y[v]"), "{ decompose_reduction(b, b.k); }",
                  IRL_ERROR_ILLEGAL_STEP, "'b' touches 'y' in its condition");
    check_refused(SUMS("where(y[i + 1] > 5) ", "y[v]", "y[v]"), "{ decompose_reduction(b, b.i); }",
                  IRL_ERROR_ILLEGAL_STEP, "'b' touches 'y' in its condition");
    check_refused(SUMS("", "y[v]", "y[v] + y[v + 1]"), "{ decompose_reduction(b, b.i); }",
                  IRL_ERROR_ILLEGAL_STEP, "in its condition, or at other cells than its init, and "
                                          "the init would run before that");
#undef SUMS
}

/* A condition may read memory, but not what the block sums: that changes from step to step. */
static void check_rfactor_where(void)
{
#define SUMS(where, init) \
    "func f(x: i32[16], y: i32[1], s: i32[2]) { for (k: 16) block b(r: reduce(16) = k) " \
    "where(" where ") { " init "y[0] = y[0] + x[r]; } }"
#define PARTS(first, then, last) \
    "func f(x: i32[16], y: i32[1], s: i32[2]) { alloc p: i32[16, 1]; for (k: 16) block b_rf(" \
    "v: spatial(16) = k) " first "{ init { p[v, 0] = 0; } " then "p[v, 0] = p[v, 0] + x[v]; } " \
    "for (k: 16) block b(v: reduce(16) = k) " last "y[0] = y[0] + p[v, 0]; } }"
    check_steps(SUMS("s[1] < 3", ""), "{ rfactor(b.k, 0); }",
                PARTS("where(s[1] < 3) ", "", "where(s[1] < 3) { "));
    check_steps(SUMS("k < 1 || s[1] < 3", "init { y[0] = 7; } "), "{ rfactor(b.k, 0); }",
                PARTS("", "if (v < 1 || s[1] < 3) ", "{ init { y[0] = 7; } "));
    check_refused(SUMS("y[0] < 3", ""), "{ rfactor(b.k, 0); }", IRL_ERROR_ILLEGAL_STEP,
                  "reads 'y' in its condition");
    check_refused(SUMS("k < 1 || y[0] < 3", "init { y[0] = 0; } "), "{ rfactor(b.k, 0); }",
                  IRL_ERROR_ILLEGAL_STEP, "reads 'y' in its condition");
    check_refused(SUMS("y[0] < 3", ""), "{ bind(b.k, local.x); }", IRL_ERROR_ILLEGAL_STEP,
                  "reads 'y' in its condition");
#undef PARTS
#undef SUMS
}

/* The label goes to the nest that the step names, not to the first one in its loops. */
static void check_label_of_named(void)
{
    check_steps("func f(x: i32[8], y: i32[8]) { l: for (i: 8) for (j: 1) { alloc q: i32[1]; "
                "q[0] = 0; for (k: 8) q[0] = max(q[0], x[k]); y[i] = q[0]; } }",
                "{ annotate(y, label = \"a\"); }",
                "func f(x: i32[8], y: i32[8]) { for (i: 8) a: for (j: 1) { alloc q: i32[1]; "
                "q[0] = 0; l: for (k: 8) q[0] = max(q[0], x[k]); y[i] = q[0]; } }");
}

/* A block without an init: conditions in its body keep the points of its spatial axes apart, or its
   cells inside. */
static void check_rfactor_guarded(void)
{
#define GUARDED(cells, condition, cell)                                                            \
    "func f(x: i32[8], y: i32[" cells "]) { for (i: 8, o: 2, q: 3) block s(vi: spatial(8) = i, "   \
    "v: spatial(2) = o, r: reduce(3) = q) "                                                        \
    "{ if (" condition ") y[" cell "] = y[" cell "] + x[vi]; } }"
    static const struct {
        const char *text, *step, *has, *also;
    } rows[] = {
        { GUARDED("8", "v * 3 + r < 3", "vi"), "{ rfactor(s.q, 0); }", "vo: reduce(2) = o",
          "(vo * 3 + vq < 3)" },
        { GUARDED("8", "v < 1", "vi"), "{ rfactor(s.o, 0); }", "vo: spatial(2) = o", "(vo < 1)" },
        { GUARDED("4", "vi % 2 == 0", "vi / 2"), "{ rfactor(s.q, 0); }", "where(i % 2 == 0)", "" },
        { GUARDED("5", "r < 2 && vi < 5", "vi"), "{ rfactor(s.q, 0); }", "where(i < 5)",
          "(vq < 2)" },
    };
    size_t k;
    for (k = 0; k < sizeof rows / sizeof *rows; k++) {
        irl_ctx  *cx = irl_ctx_create(NULL);
        irl_func *f = irl_func_parse(cx, rows[k].text, IRL_TO_NUL, NULL);
        irl_func *g = f ? irl_schedule_parse(f, rows[k].step, IRL_TO_NUL, NULL) : NULL;
        if (!CHECK(g && schedule_same(f, g, 1) == SAME && strstr(irl_func_text(g), rows[k].has) &&
                   strstr(irl_func_text(g), rows[k].also)))
            printf("%s\n%s%s\n", rows[k].text, irl_diag_text(cx), g ? irl_func_text(g) : "");
        irl_ctx_destroy(cx);
    }
    check_refused(GUARDED("5", "vi + r < 5", "vi"), "{ rfactor(s.q, 0); }",
                  IRL_ERROR_ILLEGAL_STEP, "on spatial and on reduce axes decides which cells");
#undef GUARDED
}

static void check_rfactor(void)
{
#define ROW(t, where, op) "func f(x: " t "[3, 8], y: " t "[3]) { for (i: 3, ko: 2, ki: 4) block " \
                                                         "s(" \
                          "v: spatial(3) = i, r: reduce(8) = ko * 4 + ki) " where " reads(x[v, " \
                          "r]) " \
                          "writes(y[v]) { init { y[v] = 5; } y[v] = " op "; } }"
    check_steps(ROW("i32", "", "y[v] + x[v, r]"), "{ p = rfactor(s.ki, -1); reorder(s.ki, s.i); "
                "parallel(p.ki); }",
                "func f(x: i32[3, 8], y: i32[3]) { alloc t: i32[3, 4]; for (i: 3, ko: 2) "
                "for parallel (ki: 4) block p(q: spatial(4) = ki, v: spatial(3) = i, "
                "k: reduce(2) = ko) { init { t[v, q] = 0; } t[v, q] = t[v, q] + x[v, k * 4 + q]; } "
                "for (ki: 4, i: 3) block s(q: reduce(4) = ki, v: spatial(3) = i) { "
                "init { y[v] = 5; } y[v] = y[v] + t[v, q]; } }");
    check_steps(ROW("f32", "", "max(x[v, r], y[v])"), "{ rfactor(s.ko, 0); }",
                "func f(x: f32[3, 8], y: f32[3]) { alloc t: f32[2, 3]; for (i: 3, ko: 2, ki: 4) "
                "block s_rf(q: spatial(2) = ko, v: spatial(3) = i, "
                "k: reduce(4) = ki) { init { t[q, v] = 5; } t[q, v] = max(x[v, q * 4 + k], t[q, "
                "v]);"
                " } for (i: 3, ko: 2) block s(q: reduce(2) = ko, v: spatial(3) = i) { "
                "init { y[v] = 5; } y[v] = max(t[q, v], y[v]); } }");
    /* of a partial result none may be let through */
    check_steps(ROW("i32", "where(ko * 4 + ki < 5 && i < 2)", "y[v] ^ x[v, r]"),
                "{ rfactor(s.ki, 0); }",
                "func f(x: i32[3, 8], y: i32[3]) { alloc t: i32[4, 3]; for (i: 3, ko: 2, ki: 4) "
                "block s_rf(q: spatial(4) = ki, v: spatial(3) = i, k: reduce(2) = ko) where(i < "
                "2) { "
                "init { t[q, v] = 0; } if (k * 4 + q < 5) t[q, v] = t[q, v] ^ x[v, k * 4 + q]; } "
                "for (i: 3, ki: 4) block s(q: reduce(4) = ki, v: spatial(3) = i) where(i < 2) { "
                "init { y[v] = 5; } y[v] = y[v] ^ t[q, v]; } }");
    check_steps(ROW("f32", "", "y[v] * x[v, r]"), "{ reassociate(s); rfactor(s.ki, 0); }",
                "func f(x: f32[3, 8], y: f32[3]) { alloc t: f32[4, 3]; for (i: 3, ko: 2, ki: 4) "
                "block s_rf(q: spatial(4) = ki, v: spatial(3) = i, k: reduce(2) = ko) "
                "note(order = \"free\") { init { t[q, v] = 1; } t[q, v] = t[q, v] * "
                "x[v, k * 4 + q]; } for (i: 3, ki: 4) block s(q: reduce(4) = ki, v: spatial(3) = "
                "i) "
                "note(order = \"free\") { init { y[v] = 5; } y[v] = y[v] * t[q, v]; } }");
    /* in a loop that holds more the temporary is of one iteration, with its index 0; what begins a
       least of all may begin each part, from memory that is not written */
    check_steps("func f(x: i32[3, 8], y: i32[3]) { for (i: 3) { for (k: 8) block s("
                "v: spatial(3) = i, r: reduce(8) = k) { init { y[v] = x[v, 2]; } "
                "y[v] = min(y[v], x[v, r]); } x[i, 0] = y[i]; } }", "{ rfactor(s.k, -1); }",
                "func f(x: i32[3, 8], y: i32[3]) { for (i: 3) { alloc t: i32[1, 8]; for (k: 8) "
                "block s_rf(q: spatial(8) = k, v: spatial(3) = i) { init { t[0, q] = x[v, 2]; } "
                "t[0, q] = min(t[0, q], x[v, q]); } for (k: 8) block s(q: reduce(8) = k, "
                "v: spatial(3) = i) { init { y[v] = x[v, 2]; } y[v] = min(y[v], t[0, q]); } "
                "x[i, 0] = y[i]; } }");
    check_refused("func f(x: i32[3, 8], y: i32[3]) { for (i: 3, k: 8) block s("
                  "v: spatial(3) = i, r: reduce(8) = k) where(i < 2) { init { y[v] = x[v, 2]; } "
                  "y[v] = min(y[v], x[v, r]); } }", "{ rfactor(s.k, -1); }",
                  IRL_ERROR_ILLEGAL_STEP, "no init to begin partial results with");
    check_refused("func f(x: i32[3, 8], y: i32[4]) { for (i: 3) { for (k: 8) block s("
                  "v: spatial(3) = i, r: reduce(8) = k) { init { y[v] = y[v + 1]; } "
                  "y[v] = min(y[v], x[v, r]); } x[i, 0] = y[i]; } }", "{ rfactor(s.k, -1); }",
                  IRL_ERROR_ILLEGAL_STEP, "reads 'y'");
    check_refused(ROW("f32", "", "y[v] + x[v, r]"), "{ rfactor(s.ki, 0); }", IRL_ERROR_ILLEGAL_STEP,
                  "reassociate first");
    check_refused(ROW("i32", "", "y[v] + x[v, r]"), "{ rfactor(s.i, 0); }", IRL_ERROR_ILLEGAL_STEP,
                  "belongs to a spatial axis");
    check_refused(ROW("i32", "", "y[v] + x[v, r]"), "{ rfactor(s.ki, 2); }", IRL_ERROR_ILLEGAL_STEP,
                  "from -2 to 1");
    check_refused(ROW("i32", "", "x[v, r] - y[v]"), "{ rfactor(s.ki, 0); }", IRL_ERROR_ILLEGAL_STEP,
                  "not a reduction by one of");
    check_refused(ROW("i32", "where(ko * 4 + ki < i)", "y[v] + x[v, r]"), "{ rfactor(s.ki, 0); }",
                  IRL_ERROR_ILLEGAL_STEP, "on spatial and on reduce axes");
    check_refused(ROW("i32", "where(ko * 4 + ki > 2)", "y[v] + x[v, r]"), "{ rfactor(s.ki, 0); }",
                  IRL_ERROR_ILLEGAL_STEP, "keeps its init from running");
    /* inside of a kernel the temporary is of each work-item */
    check_steps("func f(x: i32[3, 8], y: i32[3]) { for bind(group.x) (i: 3) { for (k: 8) block s("
                "v: spatial(3) = i, r: reduce(8) = k) { init { y[v] = 0; } y[v] = y[v] + x[v, r]; "
                "} for (j: 1) y[i] = -y[i]; } }", "{ rfactor(s.k, 0); }",
                "func f(x: i32[3, 8], y: i32[3]) { for bind(group.x) (i: 3) { alloc t: i32[8, 1] "
                "scope(local); for (k: 8) block s_rf(q: spatial(8) = k, v: spatial(3) = i) { "
                "init { t[q, 0] = 0; } t[q, 0] = t[q, 0] + x[v, q]; } for (k: 8) block s("
                "q: reduce(8) = k, v: spatial(3) = i) { init { y[v] = 0; } y[v] = y[v] + t[q, 0]; "
                "} for (j: 1) y[i] = -y[i]; } }");
    /* the place of the least element, of equal ones the first */
#define PICK(t, begin, op) \
    "func f(x: " t "[9], b: " t "[1], p: i32[1]) { for (k: 9) block s(r: reduce(9) = k) { " \
    "init { b[0] = " begin "; p[0] = -1; } if (x[r] " op " b[0]) { p[0] = i32(r); b[0] = x[r]; " \
    "} } }"
    check_steps(PICK("f32", "100", "<"), "{ (ko, ki) = split(s.k, 3); q = rfactor(ko, 0); }",
                "func f(x: f32[9], b: f32[1], p: i32[1]) { alloc c: f32[3, 1]; alloc o: i32[3, 1]; "
                "for (ko: 3, ki: 3) block q(v: spatial(3) = ko, r: reduce(3) = ki) { init { "
                "c[v, 0] = 100; o[v, 0] = -1; } if (x[v * 3 + r] < c[v, 0]) { c[v, 0] = "
                "x[v * 3 + r]; o[v, 0] = i32(v * 3 + r); } } for (ko: 3) block s(v: reduce(3) = "
                "ko) { init { b[0] = 100; p[0] = -1; } if (c[v, 0] < b[0]) { b[0] = c[v, 0]; "
                "p[0] = o[v, 0]; } } }");
    /* along another loop of parts with equal elements the place decides; of <= the last place */
    check_steps(PICK("i32", "100", "<"), "{ (ko, ki) = split(s.k, 3); q = rfactor(ki, 0); }",
                "func f(x: i32[9], b: i32[1], p: i32[1]) { alloc c: i32[3, 1]; alloc o: i32[3, 1]; "
                "for (ko: 3, ki: 3) block q(v: spatial(3) = ki, r: reduce(3) = ko) { init { "
                "c[v, 0] = 100; o[v, 0] = -1; } if (x[r * 3 + v] < c[v, 0]) { c[v, 0] = "
                "x[r * 3 + v]; o[v, 0] = i32(r * 3 + v); } } for (ki: 3) block s(v: reduce(3) = "
                "ki) { init { b[0] = 100; p[0] = -1; } if (c[v, 0] < b[0] || c[v, 0] == b[0] && "
                "o[v, 0] < p[0]) { b[0] = c[v, 0]; p[0] = o[v, 0]; } } }");
    check_steps(PICK("f32", "100", "<="), "{ q = rfactor(s.k, 0); }",
                "func f(x: f32[9], b: f32[1], p: i32[1]) { alloc c: f32[9, 1]; alloc o: i32[9, 1]; "
                "for (k: 9) block q(v: spatial(9) = k) { init { c[v, 0] = 100; o[v, 0] = -1; } "
                "if (x[v] <= c[v, 0]) { c[v, 0] = x[v]; o[v, 0] = i32(v); } } for (k: 9) block "
                "s(v: reduce(9) = k) { init { b[0] = 100; p[0] = -1; } if (c[v, 0] < b[0] || "
                "c[v, 0] == b[0] && o[v, 0] > p[0]) { b[0] = c[v, 0]; p[0] = o[v, 0]; } } }");
    check_refused(PICK("f32", "0.0f / 0.0f", "<"), "{ rfactor(s.k, 0); }", IRL_ERROR_ILLEGAL_STEP,
                  "compares floats, and does not begin with a constant: with NaN the selection "
                  "would depend on the parts");
    check_refused(PICK("i32", "100", "<"), "{ bind(s.k, local.x); }", IRL_ERROR_ILLEGAL_STEP,
                  "which a group cannot do");
#undef PICK
    /* what a split leaves over is a condition in the block, and so after a second rfactor */
    check_steps("func f(x: i32[9], y: i32[1]) { for (k: 9) block s(r: reduce(9) = k) { "
                "y[0] = y[0] + x[r]; } }",
                "{ (ko, ki) = split(s.k, 4); p = rfactor(ki, 0); (a, b) = split(p.ko, 2); "
                "rfactor(b, 0); }",
                "func f(x: i32[9], y: i32[1]) { alloc t: i32[4, 1]; alloc u: i32[2, 4, 1]; "
                "for (a: 2, b: 2, ki: 4) block p_rf(w: spatial(2) = b, q: spatial(4) = ki, "
                "g: reduce(2) = a) { init { u[w, q, 0] = 0; } if (g * 2 + w < 3) if ((g * 2 + w) * "
                "4 + q < 9) u[w, q, 0] = u[w, q, 0] + x[(g * 2 + w) * 4 + q]; } "
                "for (b: 2, ki: 4) block p(w: reduce(2) = b, q: spatial(4) = ki) { "
                "init { t[q, 0] = 0; } t[q, 0] = t[q, 0] + u[w, q, 0]; } "
                "for (ki: 4) block s(q: reduce(4) = ki) { y[0] = y[0] + t[q, 0]; } }");
    check_refused("func f(x: i32[3, 8], y: i32[3]) { for (k: 8) { for (i: 3) block s(v: spatial(3) "
                  "= i, r: reduce(8) = k) { init { y[v] = 0; } y[v] = y[v] + x[v, r]; } for (i: 1) "
                  "y[0] = y[0]; } }", "{ rfactor(s.k, 0); }", IRL_ERROR_ILLEGAL_STEP,
                  "contains something other than a block");
    check_refused("func f(x: i32[3, 8], y: i32[3]) { for (i: 6, k: 8) block s(v: spatial(3) = i / 2"
                  ", r: reduce(8) = k) { y[v] = y[v] + x[v, r]; } }", "{ rfactor(s.k, 0); }",
                  IRL_ERROR_ILLEGAL_STEP, "spatial axes have several iterations");
    check_refused("func f(x: i32[3, 8], y: i32[3]) { for (i: 3, k: 8) block s(v: spatial(3) = i, "
                  "r: reduce(8) = 7 - k) { init { y[v] = 0; } y[v] = y[v] + x[v, r]; } }",
                  "{ rfactor(s.k, 0); }", IRL_ERROR_ILLEGAL_STEP, "does not begin at 0");
#undef ROW
}

/* Axes that are multiples; what is computed beyond is thrown away. */
static void check_pad(void)
{
#define EINSUM(t, init, value) "func f(n: index, x: " t "[n, 7], w: " t "[7, 6], y: " t "[n, " \
                                                                                        "6]) { " \
                         "for (i: n, j: 6, k: 7) block s(a: spatial(n) = i, b: spatial(6) = j, " \
                         "r: reduce(7) = k) { " init " y[a, b] = " value "; } }"
#define ZERO "init { y[a, b] = 0; }"
    check_steps(EINSUM("f32", ZERO, "y[a, b] + x[a, r] * w[r, b]"), "{ pad_einsum(s, 5, 3, 4); }",
                "func f(n: index, x: f32[n, 7], w: f32[7, 6], y: f32[n, 6]) { "
                "alloc o: f32[(n + 4) / 5 * 5, 6]; alloc p: f32[(n + 4) / 5 * 5, 8]; "
                "for (i: (n + 4) / 5 * 5, k: 8) block x_pad(v: spatial((n + 4) / 5 * 5) = i, "
                "r: spatial(8) = k) { p[v, r] = if_then_else(v < n && r < 7, x[v, r], 0); } "
                "alloc q: f32[8, 6]; for (k: 8, j: 6) block w_pad(r: spatial(8) = k, "
                "b: spatial(6) = j) { q[r, b] = if_then_else(r < 7, w[r, b], 0); } "
                "for (i: (n + 4) / 5 * 5, j: 6, k: 8) block s(a: spatial((n + 4) / 5 * 5) = i, "
                "b: spatial(6) = j, r: reduce(8) = k) { init { o[a, b] = 0; } o[a, b] = o[a, b] + "
                "p[a, r] * q[r, b]; } for (i: n, j: 6) block y_pad(a: spatial(n) = i, "
                "b: spatial(6) = j) { y[a, b] = o[a, b]; } }");
    check_steps("func f(x: i32[5], y: i32[5, 3]) { for (i: 5, j: 3) block s(a: spatial(5) = i, "
                "b: spatial(3) = j) { y[a, b] = max(x[a], i32(b)); } }", "{ pad_einsum(s, 4, 3); }",
                "func f(x: i32[5], y: i32[5, 3]) { alloc o: i32[8, 3]; alloc p: i32[8]; "
                "for (i: 8) block x_pad(v: spatial(8) = i) { p[v] = if_then_else(v < 5, x[v], 0); "
                "} for (i: 8, j: 3) block s(a: spatial(8) = i, b: spatial(3) = j) { "
                "o[a, b] = max(p[a], i32(b)); } for (i: 5, j: 3) block y_pad(a: spatial(5) = i, "
                "b: spatial(3) = j) { y[a, b] = o[a, b]; } }");
    /* what a block declares is of the larger buffers, too */
    check_steps("func f(x: i32[5], y: i32[5]) { for (i: 5, k: 3) block s(a: spatial(5) = i, "
                "r: reduce(3) = k) reads(x[0: 5]) writes(y[a]) { init { y[a] = 0; } y[a] = max("
                "y[a], x[a] + i32(r)); } }", "{ pad_einsum(s, 4, 1); }",
                "func f(x: i32[5], y: i32[5]) { alloc o: i32[8]; alloc p: i32[8]; for (i: 8) "
                "block x_pad(v: spatial(8) = i) { p[v] = if_then_else(v < 5, x[v], 0); } "
                "for (i: 8, k: 3) block s(a: spatial(8) = i, r: reduce(3) = k) reads(p[a]) "
                "writes(o[a]) { init { o[a] = 0; } o[a] = max(o[a], p[a] + i32(r)); } "
                "for (i: 5) block y_pad(a: spatial(5) = i) { y[a] = o[a]; } }");
    check_steps(EINSUM("i32", "init { y[a, b] = 4; }", "y[a, b] + x[a, r] * 3"),
                "{ pad_einsum(s, 1, 1, 2); }",
                "func f(n: index, x: i32[n, 7], w: i32[7, 6], y: i32[n, 6]) { alloc o: i32[n, 6]; "
                "alloc p: i32[n, 8]; for (i: n, k: 8) block x_pad(v: spatial(n) = i, "
                "r: spatial(8) = k) { p[v, r] = if_then_else(r < 7, x[v, r], 0); } "
                "for (i: n, j: 6, k: 8) block s(a: spatial(n) = i, b: spatial(6) = j, "
                "r: reduce(8) = k) { init { o[a, b] = 4; } o[a, b] = o[a, b] + p[a, r] * 3; } "
                "for (i: n, j: 6) block y_pad(a: spatial(n) = i, b: spatial(6) = j) { "
                "y[a, b] = o[a, b]; } }");
    check_refused("func f(x: i32[4, 6], y: i32[4]) { for (i: 4, k: 6) block s(v: spatial(4) = i, "
                  "r: reduce(6) = k) where(r > 1) { init y[v] = 5; y[v] = y[v] + x[v, r]; } }",
                  "{ pad_einsum(s, 1, 4); }", IRL_ERROR_ILLEGAL_STEP,
                  "is under a condition, where(");
    check_refused("func f(y: i32[5, 5]) { for (i: 5) block s(a: spatial(5) = i) { y[a, a] = 1; } }",
                  "{ pad_einsum(s, 2); }", IRL_ERROR_ILLEGAL_STEP, "several indices");
    check_refused("func f(y: i32[5]) { for (j: 1, i: 5) block s(b: spatial(1) = j, "
                  "a: spatial(5) = i) { y[a] = 1; } }", "{ pad_einsum(s, 2, 5); }",
                  IRL_ERROR_ILLEGAL_STEP, "'b' is padded, and not an index");
    check_steps("func f(y: i32[4, 5], z: i32[4, 5]) { y: for bind(group.y) (i: 4) for "
                "bind(group.x) (j: 5) y[i, j] = 1; for bind(group.y) (i: 4) for bind(group.x) "
                "(j: 5) z[i, j] = y[i, j] + 1; }",
                "{ merge(y.i, z.i); }",
                "func f(y: i32[4, 5], z: i32[4, 5]) { y: for bind(group.y) (i: 4) for "
                "bind(group.x) (j: 5) { y[i, j] = 1; z[i, j] = y[i, j] + 1; } }");
    check_refused("func f(y: i32[4, 5], z: i32[4, 5]) { y: for bind(group.y) (i: 4) for "
                  "bind(group.x) (j: 5) y[i, j] = 1; for bind(group.y) (i: 4) for bind(group.x) "
                  "(j: 5) z[i, j] = y[i, 4 - j] + 1; }",
                  "{ merge(y.i, z.i); }", IRL_ERROR_ILLEGAL_STEP, "an iteration would run before");
    check_refused("func f(x: i32[4], y: i32[4, 4]) { for (i: 4) x[i] = 1; for (i: 4) "
                  "for bind(group.y) (j: 4) y[i, j] = 1; }", "{ merge(x.i, y.i); }",
                  IRL_ERROR_ILLEGAL_STEP, "is bound, and its work-items would also run the "
                                          "statements next to it: merge before binding");
    check_refused(EINSUM("f32", ZERO, "y[a, b] + x[a, r] * w[0, b]"), "{ pad_einsum(s, 1, 1, 4); }",
                  IRL_ERROR_ILLEGAL_STEP, "is not 0 where 'r' is padded");
    check_refused(EINSUM("f32", "init { y[a, b] = -0.0f; }", "y[a, b] + x[a, r] * w[r, b]"),
                  "{ pad_einsum(s, 1, 1, 4); }", IRL_ERROR_ILLEGAL_STEP, "is not 0 where");
    check_refused(EINSUM("i32", ZERO, "max(y[a, b], x[a, r])"), "{ pad_einsum(s, 1, 1, 4); }",
                  IRL_ERROR_ILLEGAL_STEP, "is not a sum along it");
    check_refused(EINSUM("i32", "", "y[a, b] + x[a, r]"), "{ pad_einsum(s, 1, 1, 4); }",
                  IRL_ERROR_ILLEGAL_STEP, "what was there before");
    check_refused(EINSUM("i32", ZERO, "y[a, b] + 9 / x[a, r]"), "{ pad_einsum(s, 4, 1, 1); }",
                  IRL_ERROR_ILLEGAL_STEP, "could fail");
    check_refused(EINSUM("i32", ZERO, "y[a, b] + x[a, r] * w[6 - r, b]"), "{ pad_einsum(s, 1, 1, 4)"
                  "; }", IRL_ERROR_ILLEGAL_STEP, "is not an axis");
    check_refused(EINSUM("i32", ZERO, "y[a, b] + x[a, r]"), "{ pad_einsum(s, 4, 1); }",
                  IRL_ERROR_ILLEGAL_STEP, "has 3 axes; found 2");
    check_refused(EINSUM("i32", ZERO, "y[a, b] + x[a, r]"), "{ pad_einsum(s, 4, 0, 1); }",
                  IRL_ERROR_ILLEGAL_STEP, "above 0");
    check_refused(EINSUM("i32", ZERO, "y[a, b] + x[a, r]"), "{ split(s.i, 2); pad_einsum(s, 1, 1, 4"
                  "); }", IRL_ERROR_ILLEGAL_STEP, "is under a condition, where(");
}

/* A border of constants apart from what it surrounds. */
static void check_padding(void)
{
#define BORDER(value) "func f(x: i32[8], y: i32[2, 12]) { for (h: 2, i: 12) block p(" \
                      "a: spatial(2) = h, v: spatial(12) = i) { y[a, v] = " value "; } }"
    check_steps(BORDER("if_then_else(v >= 2 && v < 10, x[v - 2] * i32(a), 7)"),
                "{ z = decompose_padding(p, p.i); split(z.i, 4); }",
                "func f(x: i32[8], y: i32[2, 12]) { for (h: 2) { for (io: 3, ii: 4) block z("
                "a: spatial(2) = h, v: spatial(12) = io * 4 + ii) { y[a, v] = 7; } for (i: 12) "
                "block p(a: spatial(2) = h, v: spatial(12) = i) where(i >= 2 && i < 10) { "
                "y[a, v] = x[v - 2] * i32(a); } } }");
    check_steps(BORDER("select(v > 7, 1, x[min(v, 7)])"), "{ decompose_padding(p, p.h); }",
                "func f(x: i32[8], y: i32[2, 12]) { for (h: 2, i: 12) block p_pad_const("
                "a: spatial(2) = h, v: spatial(12) = i) { y[a, v] = 1; } for (h: 2, i: 12) "
                "block p(a: spatial(2) = h, v: spatial(12) = i) where(i < 8) { "
                "y[a, v] = x[min(v, 7)]; } }");
    check_refused(BORDER("max(x[v / 2], 1)"), "{ decompose_padding(p, p.h); }",
                  IRL_ERROR_ILLEGAL_STEP, "does not store a choice");
    check_refused(BORDER("if_then_else(v > 2, y[a, v] + 1, 0)"), "{ decompose_padding(p, p.h); }",
                  IRL_ERROR_ILLEGAL_STEP, "reads what it writes");
    check_refused("func f(y: i32[2]) { for (i: 4) block p(v: spatial(4) = i) { y[v % 2] = "
                  "if_then_else(v < 2, i32(v), 0); } }", "{ decompose_padding(p, p.i); }",
                  IRL_ERROR_ILLEGAL_STEP, "access one cell");
    check_refused("func f(y: i32[4]) { for (i: 4) { block p(v: spatial(4) = i) { y[v] = "
                  "if_then_else(v < 2, i32(v), 0); } y[0] = y[3]; } }",
                  "{ decompose_padding(p, p.i); }", IRL_ERROR_ILLEGAL_STEP, "contains something "
                  "other than 'p'");
#undef BORDER
}

/* A copy in a layout of its own, and for those that are named. */
static void check_cache_readers(void)
{
#define READ "func f(x: i32[6, 8], y: i32[6, 8], z: i32[6, 8]) { " \
             "for (i: 6, j: 8) y[i, j] = x[i, j] * 2; for (i: 6, j: 8) z[i, j] = x[i, 7 - j] + 1; }"
#define COPY(shape, at, y, z) \
    "func f(x: i32[6, 8], y: i32[6, 8], z: i32[6, 8]) { alloc c: i32[" shape "]; " \
    "for (a: 6, b: 8) block p(u: spatial(6) = a, v: spatial(8) = b) reads(x[u, v]) " \
    "writes(c[" at "]) { c[" at "] = x[u, v]; } " \
    "for (i: 6, j: 8) y[i, j] = " y " * 2; for (i: 6, j: 8) z[i, j] = " z " + 1; }"
    check_steps(READ, "{ p = cache_read(y, x, global, (i, j) -> (j / 4, i, j % 4)); }",
                COPY("2, 6, 4", "v / 4, u, v % 4", "c[j / 4, i, j % 4]",
                     "c[1 - j / 4, i, 3 - j % 4]"));
    check_steps(READ, "{ p = cache_read(y, x, global, (i, j) -> (i / 4, j, i % 4), z); }",
                "func f(x: i32[6, 8], y: i32[6, 8], z: i32[6, 8]) { for (i: 6, j: 8) y[i, j] = "
                "x[i, j] * 2; alloc c: i32[2, 8, 4]; for (a: 6, b: 8) block p(u: spatial(6) = a, "
                "v: spatial(8) = b) reads(x[u, v]) writes(c[u / 4, v, u % 4]) { "
                "c[u / 4, v, u % 4] = x[u, v]; } for (i: 6, j: 8) z[i, j] = "
                "c[i / 4, 7 - j, i % 4] + 1; }");
    check_steps(READ, "{ p = cache_read(y, x, global, y); }", COPY("6, 8", "u, v", "c[i, j]",
                                                                  "x[i, 7 - j]"));
    check_steps(READ, "{ p = cache_read(y, x, global, y, y); }", COPY("6, 8", "u, v", "c[i, j]",
                                                                     "x[i, 7 - j]"));
    check_steps(READ, "{ p = cache_read(z, x, global, z, y); }", COPY("6, 8", "u, v", "c[i, j]",
                                                                     "c[i, 7 - j]"));
    check_steps(READ, "{ p = cache_read(y, x, texture, (i, j) -> (j / 4, i, |, j % 4)); }",
                "func f(x: i32[6, 8], y: i32[6, 8], z: i32[6, 8]) { alloc c: i32[2, 6, 4] "
                "sep(2) scope(texture); for (a: 6, b: 8) block p(u: spatial(6) = a, v: spatial(8) "
                "= b) reads(x[u, v]) writes(c[v / 4, u, v % 4]) { c[v / 4, u, v % 4] = x[u, v]; } "
                "for (i: 6, j: 8) y[i, j] = c[j / 4, i, j % 4] * 2; for (i: 6, j: 8) z[i, j] = "
                "c[1 - j / 4, i, 3 - j % 4] + 1; }");
    check_refused(READ, "{ cache_read(y, x, global, (i, j) -> (j / 4, i)); }", IRL_ERROR_LOSSY_MAP,
                  "(0, 0) and (0, 1)");
    check_refused(READ, "{ cache_read(y, x, texture, (i, j) -> (j, i)); }", IRL_ERROR_ILLEGAL_STEP,
                  "'x_texture' in scope texture must be 4; found 6");
    /* what lowering would refuse: images of fewer dimensions, or of more */
    check_refused(READ, "{ cache_read(y, x, texture:volume, (i, j) -> (i, j / 4, j % 4)); }",
                  IRL_ERROR_ILLEGAL_STEP, "2 axes besides the texel; an image3d_t has 3 dim");
    check_refused(READ, "{ cache_read(y, x, texture:buffer, (i, j) -> (i, |, j / 4, j % 4)); }",
                  IRL_ERROR_ILLEGAL_STEP, "1 separators; an image1d_buffer_t of scope texture:");
    check_refused(READ, "{ cache_read(y, x, texture); }", IRL_ERROR_ILLEGAL_STEP,
                  "'x_texture' in scope texture must be 4; found 8");
    check_refused(READ, "{ cache_read(y, x, global, q); }", IRL_ERROR_UNKNOWN_NAME, "q");
    check_refused(READ, "{ cache_read(y, x, global, y, (i, j) -> (j, i)); }", IRL_ERROR_SYNTAX,
                  "argument 5");
    check_refused("func f(x: i32[8], y: i32[8], z: i32[8]) { for (i: 8) y[i] = x[i]; "
                  "for (i: 8) x[i] = 0; for (i: 8) z[i] = x[i]; }",
                  "{ cache_read(y, x, global, y, z); }", IRL_ERROR_ILLEGAL_STEP,
                  "at a place where the copy does not exist, or is no longer equal to it");
    check_refused("func f(x: i32[8], y: i32[8], z: i32[8]) { for (i: 8) y[i] = x[i]; "
                  "for (i: 8) z[i] = 1; }", "{ cache_read(y, x, global, z); }",
                  IRL_ERROR_ILLEGAL_STEP, "'z' does not read 'x'");
#undef COPY
#undef READ
}

/* Who reads what a block has written into a buffer of its own: in the same loops, and behind. */
static void check_cache_consumers(void)
{
#define HEAD "func f(x: i32[8], b: i32[8], c: i32[8]) { alloc a: i32[8]; "
#define TAIL "for (i: 8) c[i] = a[7 - i]; }"
#define NEST(label, a, copy, read) \
    "for (i: 4) { " label "for (j: 2) " a "[i * 2 + j] = x[i * 2 + j] * 2; " copy \
    "for (j: 2) b[i * 2 + j] = " read "[i * 2 + j] + 1; } "
#define FILL "alloc w: i32[8] scope(local); for (d: 8) block a_local_in(v: spatial(8) = d) " \
             "reads(a[v]) writes(w[v]) { w[v] = a[v]; } "
#define BACK "for (d: 8) block a_local(v: spatial(8) = d) reads(w[v]) writes(a[v]) { " \
             "a[v] = w[v]; } "
/* what an iteration of i has written */
#define PART "for (d: 2) block a_local(v: spatial(2) = d) reads(w[v + i * 2]) " \
             "writes(a[v + i * 2]) { a[v + i * 2] = w[v + i * 2]; } "
    static const char before[] = HEAD NEST("", "a", "", "a") TAIL;
    check_steps(before, "{ cache_write(a, a, local, b); }",
                HEAD FILL NEST("a: ", "w", "", "w") BACK TAIL);
    check_steps(before, "{ cache_write(a, a, local, c); }",
                HEAD FILL NEST("a: ", "w", PART, "a") "for (i: 8) c[i] = w[7 - i]; }");
    check_steps(before, "{ cache_write(a, a, local, c, b, b); }",
                HEAD FILL NEST("a: ", "w", "", "w") BACK "for (i: 8) c[i] = w[7 - i]; }");
    check_steps("func f(x: i32[8], b: i32[8]) { alloc a: i32[8]; for (i: 8) a[i] = x[i]; "
                "for (i: 8) b[i] = a[i]; }", "{ cache_write(a, a, local, b); }",
                "func f(x: i32[8], b: i32[8]) { alloc a: i32[8]; " FILL
                "a: for (i: 8) w[i] = x[i]; "
                BACK "for (i: 8) b[i] = w[i]; }");
    check_refused(before, "{ cache_write(a, a, local, a); }", IRL_ERROR_ILLEGAL_STEP,
                  "'a' does not read 'a', or also writes it");
    check_refused(HEAD "for (i: 8) a[i] = x[i]; for (i: 8) a[i] = a[i] + 1; " TAIL,
                  "{ cache_write(a, a, local, c); }", IRL_ERROR_ILLEGAL_STEP, "at a place where "
                                                                              "the copy does not "
                                                                              "exist, or is no "
                                                                              "longer equal to it");
    check_refused(HEAD "for (i: 8) { for (j: 8) a[j] = x[i]; a[i] = 1; } " TAIL,
                  "{ cache_write(a, a, local, c); }", IRL_ERROR_ILLEGAL_STEP,
                  "is written by other statements too");
    check_refused(HEAD "for (i: 8) b[i] = 1; for (i: 8) a[i] = x[i]; " TAIL,
                  "{ cache_write(a, a, local, b); }", IRL_ERROR_ILLEGAL_STEP, "does not read 'a'");
    check_refused(before, "{ cache_write(a, a, local, q); }", IRL_ERROR_UNKNOWN_NAME, "q");
    check_refused(HEAD "for parallel (i: 4) { for (j: 2) a[i * 2 + j] = x[i]; for (j: 2) "
                  "b[i * 2 + j] = a[i * 2 + j]; } " TAIL, "{ cache_write(a, a, local, c); }",
                  IRL_ERROR_ILLEGAL_STEP, "at the same time as others");
#undef PART
#undef BACK
#undef FILL
#undef NEST
#undef TAIL
#undef HEAD
}

/* Nests that write and read one buffer, one behind the other and in one loop, of which one writes
   a copy and some read it. */
static void check_cache_consumers_drawn(void)
{
    int k, j, done = 0, named = 0, wrong = 0, count = TEST_COUNT(2000);
    for (k = 0; k < count; k++) {
        char      text[1200], step[120];
        int       nests = 2 + random_below(4), around = random_below(nests), in = 0;
        const int writer = random_below(nests);
        irl_ctx  *cx = irl_ctx_create(NULL);
        irl_func *f, *g;
        sprintf(text, "func f(x: i32[n], a: i32[8], n: index, y: i32[%d, 8]) { ", nests);
        for (j = 0; j < nests; j++) {
            static const char *const at[] = { "i", "7 - i", "i / 2", "o", "3", "min(i, n)" };
            const char              *to = at[random_below(6)], *loops = "for (i: 8)";
            if (j == around && !in) in = 1, strcat(text, "for (o: 3) { ");
            if (!in && strcmp(to, "o") == 0) to = "i";
            if (random_below(4) == 0) loops = "for (i: 1 .. n)";
            if (j == writer || random_below(5) == 0)
                sprintf(text + strlen(text), "l%d: %s a[%s] = %sx[0] + i32(i); ", j, loops, to,
                        random_below(3) ? "" : "a[i] + ");
            else
                sprintf(text + strlen(text), "l%d: %s y[%d, i] = a[%s]; ", j, loops, j, to);
            if (in && random_below(2)) in = 0, around = -1, strcat(text, "} ");
        }
        strcat(text, in ? "} }" : "}");
        sprintf(step, "{ cache_write(l%d, a, %s", writer, random_below(2) ? "local" : "global");
        for (j = 0; j < nests; j++)
            if (j != writer && random_below(2)) sprintf(step + strlen(step), ", l%d", j), named++;
        strcat(step, "); }");
        f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        if (!CHECK_OK(cx)) printf("%s\n", text);
        g = irl_schedule_parse(f, step, IRL_TO_NUL, NULL);
        if (g) {
            const int same = schedule_same(f, g, 0);
            done += same == SAME && strchr(step, 'l') != strrchr(step, 'l');
            if (!CHECK(same != DIFFERENT)) printf("%s\n%s\n", text, step);
        } else wrong += !CHECK_CODE(cx, IRL_ERROR_ILLEGAL_STEP);
        irl_ctx_destroy(cx);
    }
    printf("%d of %d copies are read by consumers, %d named\n", done, count, named);
    CHECK(done * 10 > count && wrong == 0);
}

/* Cells that are the quotient and the rest by a name are apart. */
static void check_digits_by_name(void)
{
    check_steps("func f(n: index, x: i32[32, n], y: i32[32, n]) { for (q: n * 32, k: 2) block b("
                "u: spatial(32) = q / n, v: spatial(n) = q % n, r: reduce(2) = k) { init { "
                "y[u, v] = 0; } y[u, v] = y[u, v] * 3 + x[u, v]; } }", "{ reorder(k, q); }",
                "func f(n: index, x: i32[32, n], y: i32[32, n]) { for (k: 2, q: n * 32) block b("
                "u: spatial(32) = q / n, v: spatial(n) = q % n, r: reduce(2) = k) { init { "
                "y[u, v] = 0; } y[u, v] = y[u, v] * 3 + x[u, v]; } }");
    check_refused("func f(n: index, y: i32[32, n]) { for (q: n * 32, k: 2) y[q / n, q % n] = "
                  "y[31 - q / n, q % n] + 1; }", "{ reorder(k, q); }", IRL_ERROR_ILLEGAL_STEP,
                  "are one");
}

/* In a block over tiles, exactly the tile that a block writes is copied back. */
static void check_tiles(void)
{
#define TILES(a, b) "func f(B: i32[8], C: i32[8]) { alloc A: i32[8]; for (g: 2) block o(" \
                    "q: spatial(2) = g) { " a "for (x: 4) block b(v: spatial(8) = q * 4 + x) { " \
                    "B[v] = A[v] + 1; } " b "} for (i: 8) C[i] = A[i]; }"
#define OF_FOUR(store) "for (x: 4) block a(v: spatial(8) = q * 4 + x) { " store " } "
    check_steps(TILES(OF_FOUR("A[v] = 1;"), ""), "{ c = cache_write(a, A, local); }",
                TILES("{ alloc A_local: i32[8] scope(local); " OF_FOUR("A_local[v] = 1;")
                      "for (ax0: 4) block c(v: spatial(4) = ax0) reads(A_local[v + q * 4]) "
                      "writes(A[v + q * 4]) { A[v + q * 4] = A_local[v + q * 4]; } ", "} "));
    check_refused(TILES(OF_FOUR("if (C[v] > 2) A[v] = 1;"), ""), "{ cache_write(a, A, local); }",
                  IRL_ERROR_ILLEGAL_STEP, "each instance of the block 'o'");
#undef OF_FOUR
#undef TILES
}

/* A loop around an update begins at 0, where its points may be one: rfactor asks about that too. */
static void check_names_at_zero(void)
{
#define SPREAD(at) "func f(x: i32[6], y: i32[4, 64], z: i32[4]) { for (o: 4) { z[o] = 1; " \
                   "for (k: 6, i: 8) block b(vo: spatial(4) = o, vi: spatial(64) = " at \
                   ", vk: reduce(6) = k) { init y[vo, vi] = 0; y[vo, vi] = y[vo, vi] + x[vk]; } } }"
    static const char steps[] = "{ split(b.k, 2); rfactor(k_inner, 0); }";
    irl_ctx          *cx = irl_ctx_create(NULL);
    irl_func         *f = irl_func_parse(cx, SPREAD("i * (o + 1)"), IRL_TO_NUL, NULL);
    irl_func         *g = irl_schedule_parse(f, steps, IRL_TO_NUL, NULL);
    if (CHECK_OK(cx)) CHECK(schedule_same(f, g, 1) == SAME);
    irl_ctx_destroy(cx);
    check_refused(SPREAD("i * o"), steps, IRL_ERROR_ILLEGAL_STEP,
                  "points of the spatial axes have several iterations");
#undef SPREAD
}

/* A parameter that may be below 0 spreads points of which a verdict speaks from 1 on; a loop that
   may not run leaves the cell as it was. */
static void check_names_below_zero(void)
{
#define SPREAD(first) "func f(n: index, x: i32[4], y: i32[9]) { " first " for (i: 2, j: 2, k: 4) " \
                      "block s(v: spatial(9) = i * n + j + 4, r: reduce(4) = k) " \
                      "{ init { y[v] = 5; } y[v] = y[v] + x[r]; } }"
    check_refused(SPREAD(""), "{ rfactor(s.k, 0); }", IRL_ERROR_ILLEGAL_STEP,
                  "or a name may be negative");
    check_refused(SPREAD("assume(n > 1);"), "{ rfactor(s.i, 0); }", IRL_ERROR_ILLEGAL_STEP,
                  "belongs to a spatial axis");
#undef SPREAD
    check_steps("func f(n: index, x: i32[3, n, 4], y: i32[3]) { for (i: 3, o: n, k: 4) block s("
                "v: spatial(3) = i, r: reduce(n) = o, q: reduce(4) = k) "
                "{ init { y[v] = 5; } y[v] = y[v] + x[v, r, q]; } }", "{ rfactor(s.k, 0); }",
                "func f(n: index, x: i32[3, n, 4], y: i32[3]) { alloc t: i32[4, 3]; "
                "for (i: 3, o: n, k: 4) block s_rf(q: spatial(4) = k, v: spatial(3) = i, "
                "r: reduce(n) = o) { init { t[q, v] = 0; } t[q, v] = t[q, v] + x[v, r, q]; } "
                "for (i: 3, k: 4) block s(q: reduce(4) = k, v: spatial(3) = i) where(n >= 1) { "
                "init { y[v] = 5; } y[v] = y[v] + t[q, v]; } }");
}

/* What is read under a condition, from a copy with its border. */
#define GUARDED(shape, value) \
    "func f(x: i32[" shape "], y: i32[8]) { for (i: 8, k: 3) block s(v: spatial(8) = i, " \
    "r: reduce(3) = k) { init { y[v] = 0; } y[v] = y[v] + " value "; } }"
#define GUARDED_COPY(extent, value, at) \
    "func f(x: i32[8], y: i32[8]) { alloc x_global: i32[" extent "]; for (ax0: " extent ") block " \
    "p(v0: spatial(" extent ") = ax0) { x_global[v0] = " value "; } for (i: 8, k: 3) block s(" \
    "v: spatial(8) = i, r: reduce(3) = k) { init { y[v] = 0; } y[v] = y[v] + x_global[" at "]; } }"
static void check_cache_padded(void)
{
    check_steps(GUARDED("8", "(v + r >= 1 && v + r < 9 ? x[v + r - 1] : 7)"),
                "{ p = cache_padded(s, x, global); }",
                GUARDED_COPY("10", "if_then_else(v0 >= 1 && v0 < 9, x[v0 - 1], 7)", "v + r"));
    /* the arms the other way round, an axis that counts down, one choice within another */
    check_steps(GUARDED("8", "(8 - v + r > 7 ? 0 : x[8 - v + r])"),
                "{ p = cache_padded(s, 0, global); }",
                GUARDED_COPY("10", "if_then_else(v0 >= 7, 0, x[v0 + 1])", "r - v + 7"));
    check_steps(GUARDED("8", "(v * 2 + r >= 3 ? (v * 2 + r < 11 ? x[v * 2 + r - 3] : 2) : 1)"),
                "{ p = cache_padded(s, x, global); }",
                GUARDED_COPY("17", "if_then_else(v0 >= 3, if_then_else(v0 < 11, x[v0 - 3], 2), 1)",
                             "v * 2 + r"));
    /* no choice: an index that is held to a range, from both sides or going round */
    check_steps(GUARDED("8", "x[max(0, min(v + r - 1, 7))]"), "{ p = cache_padded(s, x, global); }",
                GUARDED_COPY("10", "x[max(min(v0 - 1, 7), 0)]", "v + r"));
    check_steps(GUARDED("8", "x[(v - r) % 8] * 2"), "{ p = cache_padded(s, x, global); }",
                "func f(x: i32[8], y: i32[8]) { alloc x_global: i32[10]; for (ax0: 10) block p("
                "v0: spatial(10) = ax0) { x_global[v0] = x[(v0 + 6) % 8]; } for (i: 8, k: 3) block "
                "s(v: spatial(8) = i, r: reduce(3) = k) { init { y[v] = 0; } "
                "y[v] = y[v] + x_global[v - r + 2] * 2; } }");
    check_steps(GUARDED("8", "(v + r > 0 ? x[min(v + r - 1, 7)] : 4)"),
                "{ p = cache_padded(s, x, global); }",
                GUARDED_COPY("10", "if_then_else(v0 >= 1, x[min(v0 - 1, 7)], 4)", "v + r"));
    check_refused(GUARDED("8", "x[min(v + r, 7)] - x[min(v, 7)]"),
                  "{ cache_padded(s, x, global); }", IRL_ERROR_ILLEGAL_STEP,
                  "at several indices that are clamped or wrap around");
    check_refused(GUARDED("8", "x[min(v + r, 8)]"), "{ cache_padded(s, x, global); }",
                  IRL_ERROR_ILLEGAL_STEP, "the copy could leave 'x'");
    /* the condition holds for some, and the same cell, and not for others */
    check_refused(GUARDED("10", "(v >= 1 ? x[v + r] : 0)"), "{ cache_padded(s, x, global); }",
                  IRL_ERROR_ILLEGAL_STEP,
                  "one cell of 'x' could be used for different values of v >= 1");
    /* cells that no point reads lie in the box too */
    check_refused(GUARDED("16", "(v % 2 == 0 ? x[v * 2] : 0)"), "{ cache_padded(s, x, global); }",
                  IRL_ERROR_ILLEGAL_STEP, "could be used for different values of");
    check_refused("func f(x: i32[8], y: i32[8]) { for (i: 8) block s(v: spatial(8) = i) { "
                  "y[v] = (v < 9 ? x[v * 2 % 8] : 0) + (v < 9 ? x[v] : 1); } }",
                  "{ cache_padded(s, x, global); }", IRL_ERROR_ILLEGAL_STEP,
                  "several conditional expressions");
    /* what is computed with the load keeps its condition */
    check_steps(GUARDED("8", "(v + r < 8 && r != 1 ? x[v + r] + 1 : i32(v))"),
                "{ p = cache_padded(s, x, global); }",
                "func f(x: i32[8], y: i32[8]) { alloc x_global: i32[10]; for (ax0: 10) block p("
                "v0: spatial(10) = ax0) { x_global[v0] = if_then_else(v0 < 8, x[v0], 0); } "
                "for (i: 8, k: 3) block s(v: spatial(8) = i, r: reduce(3) = k) { init { y[v] = 0; "
                "} y[v] = y[v] + (v + r < 8 && r != 1 ? x_global[v + r] + 1 : i32(v)); } }");
    check_refused(GUARDED("8", "(v + r < 8 ? x[v + r] + x[v] : 0)"),
                  "{ cache_padded(s, x, global); }", IRL_ERROR_ILLEGAL_STEP,
                  "is loaded at several indices, or at one that reads memory");
    check_refused(GUARDED("8", "(v + r < 8 ? x[v + r] : x[v])"), "{ cache_padded(s, x, global); }",
                  IRL_ERROR_ILLEGAL_STEP, "at several indices");
    check_refused(GUARDED("8", "(x[v] > 1 ? x[v] : 0)"), "{ cache_padded(s, x, global); }",
                  IRL_ERROR_ILLEGAL_STEP, "reads memory");
    check_refused(GUARDED("8", "(v < 8 ? x[x[v]] : 0)"), "{ cache_padded(s, x, global); }",
                  IRL_ERROR_ILLEGAL_STEP, "the index of 'x' reads memory");
    check_refused(GUARDED("8", "x[v]"), "{ cache_padded(s, x, global); }", IRL_ERROR_ILLEGAL_STEP,
                  "does not choose between 'x' and a constant");
    check_refused(GUARDED("8", "(v + r < 8 ? x[v + r] : 0)"), "{ cache_padded(s, x, texture); }",
                  IRL_ERROR_ILLEGAL_STEP, "image");
    check_refused(GUARDED("8", "(v + r < 8 ? x[v + r] : 0)"), "{ cache_padded(s, x, fast); }",
                  IRL_ERROR_UNKNOWN_NAME, "'fast' is not a scope");
    check_refused(GUARDED("8", "(v + r < 8 ? y[v + r] : 0)"), "{ cache_padded(s, y, global); }",
                  IRL_ERROR_ILLEGAL_STEP, "'y' is written by the block itself");
    check_refused("func f(n: index, x: i32[n], y: i32[n]) { for (i: n) block s(v: spatial(n) = i) "
                  "{ y[v] = (v > 0 ? x[v - 1] : 0); } }", "{ cache_padded(s, x, global); }",
                  IRL_ERROR_ILLEGAL_STEP, "as far as is known, the range of index");
}

/* A part of a sum's terms, which is computed before. */
#define VALUED(loops, where, value) \
    "func f(x: i32[6, 4], w: i32[4, 3], y: i32[6, 3]) { for (" loops ") " \
    "block s(a: spatial(6) = i, b: spatial(3) = j, r: reduce(4) = k)" where \
    " { init { y[a, b] = 0; } y[a, b] = y[a, b] + " \
    value "; } }"
static void check_cache_value(void)
{
    static const char *const refused[][2] = {
        { VALUED("i: 6, j: 3, k: 4", "", "x[a, r] * w[r, b]"), "no one part of the value" },
        { VALUED("i: 6, j: 3, k: 4", "", "(x[a, r] + w[r, b]) * w[r, b]"), "no one part" },
        { VALUED("i: 6, j: 3, k: 4", "", "(a < 3 ? x[a, r] * 2 + w[r, b] : 0)"), "no one part" },
        { VALUED("i: 6, j: 3, k: 4", "", "(x[a, r] + 1) * w[r, b] * (x[a, 0] + 2)"), "no one" },
        { VALUED("i: 6, j: 3, k: 4", " where(a < 5)", "x[a, r] * 2 * w[r, b]"),
          "not one block in loops over all of its axes" },
        { "func f(x: i32[6], y: i32[6, 3]) { for (i: 5, j: 3) block s(a: spatial(6) = i, b: "
          "spatial(3) = j) { y[a, b] = (x[a] + 1) * i32(b); } }", "not one block in loops" },
        { "func f(n: index, x: i32[n], y: i32[n, 3]) { for (i: n, j: 3) block s(a: spatial(n) = "
          "i, b: spatial(3) = j) { y[a, b] = (x[a] + 1) * i32(b); } }", "not one block in loops" },
        { "func f(y: i32[6, 3]) { for (i: 6, j: 3) block s(a: spatial(6) = i, b: spatial(3) = j) "
          "{ y[a, b] = (y[a, 0] + 1) * i32(b); } }", "no one part of the value" }
    };
    check_steps(VALUED("i: 6, j: 3, k: 4", "", "(x[a, r] * 2 - i32(a)) * w[r, b]"),
                "{ p = cache_value(s, x); }",
                "func f(x: i32[6, 4], w: i32[4, 3], y: i32[6, 3]) { alloc x_value: i32[6, 4]; for "
                "(ax0: 6, ax1: 4) block p(v0: spatial(6) = ax0, v1: spatial(4) = ax1) { "
                "x_value[v0, v1] = x[v0, v1] * 2 - i32(v0); } for (i: 6, j: 3, k: 4) block s(a: "
                "spatial(6) = i, b: spatial(3) = j, r: reduce(4) = k) { init { y[a, b] = 0; } "
                "y[a, b] = y[a, b] + x_value[a, r] * w[r, b]; } }");
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        check_refused(refused[k][0], k + 1 < sizeof refused / sizeof *refused
                                         ? "{ cache_value(s, x); }" : "{ cache_value(s, y); }",
                      IRL_ERROR_ILLEGAL_STEP, refused[k][1]);
}

/* Terms of several parts, in loops of several orders, after stores of what they read: what is done
   computes the same. */
static void check_cache_value_drawn(void)
{
    static const char *const parts[] = { "(t[a, r] * 2 + i32(r))", "(t[a, r] - t[r, r])",
                                         "max(t[a, r], w[r, 0])", "(t[a, 1] * t[a, 2])",
                                         "(a < 3 ? t[a, r] * 5 : i32(a))", "t[a, r]",
                                         "(t[a, r] + w[r, b] * 3)", "(t[a, b] / (t[r, r] + 99))" };
    static const char *const rests[] = { "%s * w[r, b]", "w[r, b] - %s", "(b < 2 ? %s : 1)",
                                         "select(b < 2, %s, 1) + w[r, 2]", "%s * %s",
                                         "%s * y[a, b]",
                                         "%s + (a < 2 ? t[a + 4, r] * 3 : 1) * w[r, b]" };
    static const char *const loops[] = { "i: 6, j: 3, k: 4", "k: 4, j: 3, i: 6", "j: 3, i: 6, k: 4",
                                         "i: 5, j: 3, k: 4" };
    int done = 0, count = TEST_COUNT(1000);
    for (int k = 0; k < count; k++) {
        const char *part = parts[random_below(8)];
        char        value[160], text[1024];
        irl_ctx    *cx = irl_ctx_create(NULL);
        sprintf(value, rests[random_below(7)], part, parts[random_below(8)]);
        sprintf(text, "func f(x: i32[6, 4], w: i32[4, 3], y: i32[6, 3]) { alloc t: i32[6, 4]; "
                      "for (i: 6, j: 4) t[i, j] = x[i, j] * 3; %s for (%s) "
                      "block s(a: spatial(6) = i, b: spatial(3) = j, r: reduce(4) = k) "
                      "{ init { y[a, b] = 1; } y[a, b] = "
                      "y[a, b] + %s; } %s}",
                random_below(2) ? "for (q: 2) { t[0, 1] = t[0, 1] * 2 + 1;" : "{",
                loops[random_below(4)], value, random_below(2) ? "}" : "t[0, 0] = y[0, 0]; }");
        done += done_the_same(cx, text, random_below(4) ? "{ cache_value(s, t); }"
                                                        : "{ cache_value(s, w); }");
        irl_ctx_destroy(cx);
    }
    printf("%d of %d terms are computed before their sum\n", done, count);
    CHECK(done * 5 > count);
}

/* Sums of which each continues the one before. */
#define RUNNING(bounds, init, update) \
    "func f(x: f32[20], y: f32[20]) { for (j: 2 .. 18) { y[j] = " init "; for (k: " bounds ") " \
    "y[j] = " update "; } }"
static void check_continue_sum(void)
{
    static const char *const refused[][2] = {
        { RUNNING("j + 1", "0.0f", "y[j] + x[k]"), "does not add the terms of the one before" },
        { RUNNING("j - 1", "0.0f", "y[j] + x[k] * x[j]"), "does not add the terms" },
        { RUNNING("j .. 20", "0.0f", "y[j] + x[k]"), "does not add the terms" },
        { RUNNING("j - 1", "x[j]", "y[j] + x[k]"), "is not a serial loop in which a cell is set" },
        { RUNNING("j - 1", "0.0f", "x[k]"), "is not a serial loop in which a cell is set" },
        { RUNNING("j - 1", "0.0f", "y[j] + y[k]"), "is not a serial loop" },
        { "func f(x: f32[20], y: f32[20]) { decl z: f32[10] data(y); for (j: 9) { y[j] = 0.0f; "
          "for (k: j + 1) y[j] = y[j] + z[k]; } }", "is not a serial loop" }
    };
    check_steps(RUNNING("j - 1", "0.5f", "y[j] + x[k] * 2.0f"), "{ continue_sum(j); }",
                "func f(x: f32[20], y: f32[20]) { for (j: 2 .. 18) y[j] = if_then_else(j > 2, "
                "y[j - 1], 0.5f) + x[j - 2] * 2.0f; }");
    check_steps(RUNNING("3 .. j + 1", "0.5f", "max(x[k], y[j])"), "{ continue_sum(j); }",
                "func f(x: f32[20], y: f32[20]) { for (j: 2 .. 18) y[j] = if_then_else(j > 2, "
                "max(x[j], y[j - 1]), 0.5f); }");
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        check_refused(refused[k][0], "{ continue_sum(j); }", IRL_ERROR_ILLEGAL_STEP,
                      refused[k][1]);
}

/* Bounds, cells and terms that are drawn: what is done computes the same, bit for bit. */
static void check_continue_sum_drawn(void)
{
    static const char *const bounds[] = { "j + %d", "%d .. j + 1", "j - %d", "%d .. j", "j .. 8",
                                          "%d .. j + j", "0 .. min(j, 5) + %d", "i + %d" };
    static const char *const cells[] = { "y[i, j]", "y[j, i]", "y[i, 7 - j]", "y[i, 0]", "y[i, j]",
                                         "y[i, j / 2]", "y[(i + j) % 8, j]" };
    static const char *const terms[] = { "%s + x[i, k] * 0.1f", "x[k, i] - %s", "%s * x[k, 1]",
                                         "max(%s, x[i, k])", "%s + x[i, j]", "%s + y[0, k]",
                                         "%s + x[k, k] / 3.0f", "x[i, k] + %s", "%s + z[k]" };
    static const char *const inits[] = { "0.0f", "-0.0f", "1.5f", "x[i, j]" };
    int done = 0, count = TEST_COUNT(1500);
    for (int k = 0; k < count; k++) {
        const char *cell = cells[random_below(7)];
        char        range[64], update[160], text[640];
        irl_ctx    *cx = irl_ctx_create(NULL);
        const int   from = random_below(3);
        sprintf(range, bounds[random_below(random_below(3) ? 4 : 8)], random_below(3));
        sprintf(update, terms[random_below(9)], cell);
        sprintf(text, "func f(x: f32[24, 24], y: f32[8, 8]) { decl z: f32[64] data(%s); for (i: 8, "
                      "j: %d .. %d) { %s = %s; for (k: %s) %s = %s; } }",
                random_below(2) ? "x" : "y", from, from + 1 + random_below(8 - from), cell,
                inits[random_below(4)], range, cell, update);
        done += done_the_same(cx, text, "{ continue_sum(j); }");
        irl_ctx_destroy(cx);
    }
    printf("%d of %d sums continue the one before\n", done, count);
    CHECK(done * 20 > count);
}

/* An index of x: an axis or two, turned or by steps. Its least and largest value. */
static void draw_index(char *out, int *lo, int *hi)
{
    static const struct { const char *text; int lo, hi; } terms[] = {
        { "a", 0, 5 }, { "b", 0, 3 }, { "a + r", 0, 7 }, { "a * 2 + r", 0, 12 }, { "b - r", -2, 3 },
        { "5 - a", 0, 5 }, { "b + a", 0, 8 }, { "b * 3", 0, 9 }, { "r", 0, 2 },
        { "b / 2 + r", 0, 3 }
    };
    const int k = random_below(10), by = random_below(5) - 2;
    sprintf(out, "%s + %d", terms[k].text, by);
    *lo = terms[k].lo + by;
    *hi = terms[k].hi + by;
}

/* The index, held to the buffer's extent, or to less. */
static void hold_index(char *at, int extent)
{
    char      free[32];
    const int most = random_below(4) ? extent - 1 : random_below(extent);
    strcpy(free, at);
    switch (random_below(4)) {
    case 0: sprintf(at, "(%s) %% %d", free, most + 1); break;
    case 1: sprintf(at, "max(min(%s, %d), 0)", free, most); break;
    case 2: sprintf(at, "min(%d, max(%d, %s))", most, random_below(most + 1), free); break;
    default: sprintf(at, "max(0, min(%s, %d) %% %d)", free, most, extent); break;
    }
}

/* Reads of x under conditions that are its bounds, tighter, wider or of something else, or at
   indices that are held to its bounds: what is done computes the same. */
static void check_cache_padded_drawn(void)
{
    int k, j, done = 0, held = 0, wrong = 0, count = TEST_COUNT(2000);
    for (k = 0; k < count; k++) {
        char      at[2][80], where[512] = "", text[1280], value[800];
        int       lo[2], hi[2], extent[2], is_else = 0;
        const int is_held = random_below(3) == 0;
        irl_ctx  *cx = irl_ctx_create(NULL);
        irl_func *f, *g;
        for (j = 0; j < 2; j++) {
            int low, high;
            draw_index(at[j], &lo[j], &hi[j]);
            extent[j] = 1 + random_below(hi[j] + 2 > 1 ? hi[j] + 2 : 1);
            if (is_held && random_below(4)) {
                hold_index(at[j], extent[j]);
                lo[j] = 0;
                hi[j] = extent[j] - 1;
            }
            low = random_below(4) ? 0 : random_below(5) - 2;
            high = random_below(4) ? extent[j] : random_below(8);
            is_else = random_below(6);
            if (lo[j] < 0 || low)
                sprintf(where + strlen(where), "%s%s >= %d", *where ? " && " : "", at[j], low);
            if (hi[j] >= extent[j] || random_below(2))
                sprintf(where + strlen(where), "%s%s < %d", *where ? " && " : "", at[j], high);
            if (is_else == 0) sprintf(where + strlen(where), "%sa < 4", *where ? " && " : "");
            if (is_else == 1) sprintf(where + strlen(where), "%sb != 1", *where ? " && " : "");
        }
        if (!*where) strcpy(where, "a >= 0");
        if (is_held && random_below(3)) sprintf(value, "x[%s, %s]", at[0], at[1]);
        else if (random_below(3) == 0)
            sprintf(value, "(%s ? i32(b) - x[%s, %s] * i32(r) : i32(a))", where, at[0], at[1]);
        else
            sprintf(value, "%s(%s, x[%s, %s], 5)", is_else != 2 ? "if_then_else" : "select", where,
                    at[0], at[1]);
        sprintf(text, "func f(x: i32[%d, %d], y: i32[6, 4]) { for (i: 6, j: 4, k: 3) block s("
                      "a: spatial(6) = i, b: spatial(4) = j, r: reduce(3) = k) { init { "
                      "y[a, b] = 0; } y[a, b] = y[a, b] + 3 * %s; } }",
                extent[0], extent[1], value);
        f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        g = irl_schedule_parse(f, "{ cache_padded(s, x, global); }", IRL_TO_NUL, NULL);
        if (g) {
            const int same = schedule_same(f, g, 0);
            done += same == SAME;
            held += same == SAME && is_held;
            if (!CHECK(same != DIFFERENT)) printf("%s\n", text);
        } else wrong += !CHECK_CODE(cx, IRL_ERROR_ILLEGAL_STEP);
        irl_ctx_destroy(cx);
    }
    printf("%d of %d guarded reads are copied with their border, %d at indices that are held\n",
           done, count, held);
    CHECK(done * 4 > count && held * 10 > count && wrong == 0);
}

/* Reductions from a constant, of terms with a condition and a constant: what is done computes the
   same, sums bit for bit, also of zeros of both signs, whose sign min and max leave open. */
static void check_skip_neutral(void)
{
    static const char *const constants[] = { "0.0f", "-0.0f", "2.0f" };
    static const char *const wheres[] = { "(v <= r)", "(r != 1 && x[r] > 0.0f)", "(v + r < 2)" };
    static const struct { const char *before, *after; } forms[] = {
        { "y[v] + ", "" }, { "", " + y[v]" }, { "max(y[v], ", ")" }, { "min(", ", y[v])" },
        { "y[v] - ", "" }, { "y[v] * ", "" }
    };
    int k, done = 0;
    for (k = 0; k < 3 * 3 * 3 * 6 * 2; k++) {
        const int   begins = k % 3, neutral = k / 3 % 3, form = k / 27 % 6, is_first = k / 162;
        float       x[3] = { -0.0f, 1.0f, -0.0f }, y[2][3];
        char        value[160], text[400];
        irl_ctx    *cx = irl_ctx_create(NULL);
        irl_func   *f, *g;
        sprintf(value, "%s(%s%s ? %s : %s)%s", forms[form].before, is_first ? "" : "!",
                wheres[k / 9 % 3], is_first ? "x[r]" : constants[neutral],
                is_first ? constants[neutral] : "x[r]", forms[form].after);
        sprintf(text, "func f(x: f32[3], y: f32[3]) { for (i: 3, k: 3) block s(v: spatial(3) = i, "
                      "r: reduce(3) = k) { init { y[v] = %s; } y[v] = %s; } }",
                constants[begins], value);
        f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        g = irl_schedule_parse(f, "{ skip_neutral(s); }", IRL_TO_NUL, NULL);
        CHECK(!g == (form > 3 || (form < 2 ? neutral == 2 || (!neutral && begins == 1)
                                           : neutral != begins)));
        if (g && CHECK(irl_func_interpret(f, IRL_ARGS(x, y[0])) &&
                       irl_func_interpret(g, IRL_ARGS(x, y[1]))))
            done += CHECK(form < 2 ? memcmp(y[0], y[1], sizeof y[0]) == 0
                                   : y[0][0] == y[1][0] && y[0][1] == y[1][1] &&
                                         y[0][2] == y[1][2]);
        irl_ctx_destroy(cx);
    }
    printf("%d of %d reductions keep their value where a condition fails\n", done, k);
    check_refused("func f(x: f32[3], y: f32[3]) { for (i: 3, k: 3) { block s(v: spatial(3) = i, "
                  "r: reduce(3) = k) { init { y[v] = 0.0f; } y[v] = y[v] + (r < v ? x[r] : 0.0f); "
                  "} y[i] = -y[i]; } }", "{ skip_neutral(s); }", IRL_ERROR_ILLEGAL_STEP,
                  "is not the only block in its loops that writes what it reduces into");
    check_refused("func f(x: f32[3], y: f32[3]) { for (i: 3) y[i] = x[i]; }",
                  "{ skip_neutral(y); }", IRL_ERROR_ILLEGAL_STEP, "begins with a constant");
}

/* What one iteration of a loop has computed stays for the next ones, in a ring. */
static void check_rolling(void)
{
#define ROWS(body) "func f(x: i32[8, 6], y: i32[6, 6]) { alloc b: i32[8, 6]; for (i: 8, j: 6) " \
                   "b[i, j] = " body "; for (r: 6, j: 6) y[r, j] = b[r, j] + b[r + 2, j]; }"
    check_steps(ROWS("x[i, j] * i32(i)"), "{ compute_at(b, y.r); rolling_buffer(b, r); }",
                "func f(x: i32[8, 6], y: i32[6, 6]) { alloc b: i32[3, 6]; for (r: 6) { "
                "for (i: 3, j: 6) if (r == 0 || i >= 2) "
                "b[(i + r) % 3, j] = x[r + i, j] * i32(r + i); "
                "for (j: 6) y[r, j] = b[r % 3, j] + b[(r + 2) % 3, j]; } }");
    /* of a block the axes along the ring are reduce axes, its init is a branch */
    check_steps("func f(x: i32[2, 12], y: i32[2, 8]) { alloc b: i32[2, 10]; for (c: 2) { "
                "for (i: 10, k: 3) block b(u: spatial(2) = c, v: spatial(10) = i, "
                "r: reduce(3) = k) { init { b[u, v] = 0; } b[u, v] = b[u, v] + x[u, v + r]; } "
                "for (i: 8) block y(u: spatial(2) = c, v: spatial(8) = i) { "
                "y[u, v] = b[u, v] * b[u, v + 2]; } } }",
                "{ (o, i) = split(y.i, 4); compute_at(b, o); rolling_buffer(b, o); }",
                "func f(x: i32[2, 12], y: i32[2, 8]) { for (c: 2) { alloc b: i32[1, 6]; "
                "for (o: 2) { for (a: 6, k: 3) block b(u: spatial(2) = c, v: reduce(10) = "
                "o * 4 + a, r: reduce(3) = k) where(o == 0 || a >= 2) { if (r == 0) "
                "b[u - c, v % 6] = 0; b[u - c, v % 6] = b[u - c, v % 6] + x[u, v + r]; } "
                "for (i: 4) block y(u: spatial(2) = c, v: spatial(8) = o * 4 + i) { "
                "y[u, v] = b[u - c, v % 6] * b[u - c, (v + 2) % 6]; } } } }");
    check_refused(ROWS("x[i, j]"), "{ rolling_buffer(b, y.r); }", IRL_ERROR_ILLEGAL_STEP,
                  "is not around 'b': compute_at(b, y.r) first");
    check_refused(ROWS("x[i, j]"), "{ compute_at(b, y.r); parallel(r); rolling_buffer(b, r); }",
                  IRL_ERROR_ILLEGAL_STEP, "run at the same time");
    check_refused("func f(x: i32[8], y: i32[4]) { alloc b: i32[8]; for (i: 8) b[i] = x[i]; "
                  "for (r: 4) y[r] = b[2 * r] + b[2 * r + 1]; }",
                  "{ compute_at(b, y.r); rolling_buffer(b, r); }", IRL_ERROR_ILLEGAL_STEP,
                  "have nothing in common: each computes 2 elements of 'b' along axis 0, and the "
                  "next iteration begins 2 elements later");
    check_refused("func f(x: i32[8], y: i32[6]) { alloc b: i32[8]; for (i: 8) b[i] = x[i]; "
                  "for (r: 6) y[r] = b[5 - r] + b[6 - r]; }",
                  "{ compute_at(b, y.r); rolling_buffer(b, r); }", IRL_ERROR_ILLEGAL_STEP,
                  "begins 1 elements before");
    check_refused("func f(x: i32[8], y: i32[6]) { for (r: 6) { alloc b: i32[3]; for (i: 3) "
                  "b[i] = x[r + i]; x[7 - r] = b[0] + b[2]; } }", "{ rolling_buffer(b, r); }",
                  IRL_ERROR_ILLEGAL_STEP, "are written in the loop: "
                  "x[7 - r] at r = 5 and x[r + i] at r = 2, i = 0");
    check_refused("func f(x: i32[8], y: i32[6]) { for (r: 6) { alloc b: i32[3]; for (i: 3) "
                  "b[i] = x[r + i] + i32(r); y[r] = b[0] + b[2]; } }", "{ rolling_buffer(b, r); }",
                  IRL_ERROR_ILLEGAL_STEP, "no element of 'b'");
    check_refused("func f(x: i32[8], y: i32[6]) { for (r: 6) { alloc b: i32[3]; for (i: 3) "
                  "b[i] = x[i]; y[r] = b[0] + b[2]; } }", "{ rolling_buffer(b, r); }",
                  IRL_ERROR_ILLEGAL_STEP, "computes the same 'b'");
    check_refused("func f(x: i32[12], y: i32[8]) { alloc t: i32[12]; alloc u: i32[10]; for (a: 12) "
                  "t[a] = x[a] * 2; for (b: 10) u[b] = t[b] + t[b + 1]; for (j: 8) y[j] = u[j] + "
                  "u[j + 1] + u[j + 2]; }",
                  "{ compute_at(u, y.j); compute_at(t, j); rolling_buffer(u, j); }",
                  IRL_ERROR_ILLEGAL_STEP, "its operands are written in the loop (use "
                                          "rolling_buffer before a step computes that in the "
                                          "loop): t[ax0] at j = 0, ax0 = "
                                          "0 and t");
    check_refused("func f(x: i32[8], y: i32[6]) { for (r: 6) { alloc b: i32[3]; for (i: 3) "
                  "b[i] = 0; for (i: 3) b[i] = b[i] + x[r + i]; y[r] = b[0] + b[2]; } }",
                  "{ rolling_buffer(b_1, r); }", IRL_ERROR_ILLEGAL_STEP,
                  "by another statement too");
    /* the window moves in every other iteration */
    check_steps("func f(x: i32[40], y: i32[16]) { alloc t: i32[16]; for (i: 16) t[i] = x[i] * 3; "
                "for (j: 16) y[j] = t[j / 2] + t[j / 2 + 1]; }",
                "{ compute_at(t, y.j); rolling_buffer(t, j); }",
                "func f(x: i32[40], y: i32[16]) { alloc t: i32[2]; for (j: 16) { for (i: 2) "
                "if (j == 0 || i >= j % 2 + 1) t[(i + j / 2) % 2] = x[j / 2 + i] * 3; "
                "y[j] = t[j / 2 % 2] + t[(j / 2 + 1) % 2]; } }");
#undef ROWS
}

/* A tile as a block of its own. */
static void check_blockize(void)
{
#define TILES(where) "func f(x: i32[12, 8], w: i32[8], y: i32[12]) { for (io: 3, ii: 4, k: 8) " \
                     "block s(" \
                     "v: spatial(12) = io * 4 + ii, r: reduce(8) = k) " where " { init { y[v] = " \
                     "1; } " \
                     "y[v] = y[v] + x[v, r] * w[r]; } }"
    check_steps(TILES(""), "{ t = blockize(s.ii); }",
                "func f(x: i32[12, 8], w: i32[8], y: i32[12]) { for (io: 3) block t(o: spatial(3) "
                "= io) { for (ii: 4, k: 8) block s(v: spatial(4) = ii, r: reduce(8) = k) { init { "
                "y[o * 4 + v] = 1; } y[o * 4 + v] = y[o * 4 + v] + x[o * 4 + v, r] * w[r]; } } }");
    check_steps(TILES(""), "{ blockize(s.k); unroll(s.k); bind(s.io, global.x); }",
                "func f(x: i32[12, 8], w: i32[8], y: i32[12]) { for bind(global.x) (io: 3) "
                "for (ii: 4) block s_o(o: spatial(12) = io * 4 + ii) { for unrolled (k: 8) block s("
                "r: reduce(8) = k) { init { y[o] = 1; } y[o] = y[o] + x[o, r] * w[r]; } } }");
    check_refused(TILES(""), "{ reorder(s.k, s.ii); blockize(s.ii); }", IRL_ERROR_ILLEGAL_STEP,
                  "belong to the reduce axis 'r'");
    check_refused(TILES("where(io * 4 + ii < 11)"), "{ blockize(s.ii); }", IRL_ERROR_ILLEGAL_STEP,
                  "has a condition");
    check_refused("func f(y: i32[12]) { for (i: 3, j: 4) block s(v: spatial(12) = j * 3 + i) { "
                  "y[v] = 1; } }", "{ blockize(s.j); }", IRL_ERROR_ILLEGAL_STEP, "whole parts of");
    check_refused("func f(y: i32[0, 4]) { for (i: 0, j: 4) block b(vi: spatial(0) = i, vj: "
                  "spatial(4) = j) { y[vi, vj] = 1; } }", "{ blockize(b.i); }",
                  IRL_ERROR_ILLEGAL_STEP, "could have parts without iterations");
    check_steps("func f(n: index, y: i32[n]) { for (i: n) block b(v: spatial(n) = i) { y[v] = 1; "
                "} }", "{ blockize(b.i); }",
                "func f(n: index, y: i32[n]) { block b_o(v_o: spatial(1) = 0) { for (i: n) "
                "block b(v: spatial(n) = i) { y[v] = 1; } } }");
#undef TILES
}

/* What says in `f` that nests are scheduled, in the printed text: how often. */
static int notes_in(const irl_func *f)
{
    const char *at = irl_func_text(f);
    int         count = 0;
    while ((at = strstr(at, "note(scheduled = 1)")) != NULL) count++, at++;
    return count;
}

/* The steps one by one, each as a call of its own. */
static irl_func *one_by_one(const irl_func *f, const char *steps)
{
    char      step[200];
    irl_func *g = irl_schedule_parse(f, "{ }", IRL_TO_NUL, NULL);
    while (*(steps += strspn(steps, "{ }"))) {
        snprintf(step, sizeof step, "{ %.*s; }", (int)strcspn(steps, ";"), steps);
        g = irl_schedule_parse(g, step, IRL_TO_NUL, NULL);
        steps += strcspn(steps, ";") + 1;
    }
    return g;
}

/* parallel() leaves the loops of nests alone that a step has changed, or that are bound, vectorized
   or unrolled; of others it makes work-items. */
static void check_kept(void)
{
#define TURN "func f(x: f32[64, 64], y: f32[64, 64], z: f32[4096]) "
#define FIRST "for (i: 64, j: 64) y[i, j] = x[j, i]; "
#define SECOND "for (k: 4096) z[k] = 2.0f;"
    static const struct {
        const char *text, *steps;
        int         notes;
        const char *has[3], *has_not;
    } cases[] = {
        { TURN "{ " FIRST SECOND " }", "{ }", 0, { "global.y", "y_flat[" }, "unrolled" },
        { TURN "{ " FIRST SECOND " }", "{ split(y.i, 8); }", 1,
          { "for (i_outer: 8)", "(i_inner: 8, j: 64)", "global.x) (k: 4096)" }, "global.y" },
        { TURN "{ " FIRST SECOND " }", "{ split(y.i, 8); reorder(y.j, i_outer); }", 1,
          { "for (j: 64)", "i_outer: 8", "global.x" }, "global.y" },
        { TURN "{ " FIRST SECOND " }", "{ fuse(y.i, y.j); }", 1, { "for (i_j_fused: 4096)" },
          "global.y" },
        { TURN "{ " FIRST SECOND " }", "{ unroll(y.j); }", 0,
          { "for (i: 64)", "for unrolled (j: 64)", "global.x" }, "global.y" },
        { TURN "{ " FIRST SECOND " }", "{ vectorize(z.k); }", 0, { "global.y", "for (k: 256)" },
          "global.x) (k" },
        { TURN "{ " FIRST SECOND " }", "{ parallel(y.i); }", 1,
          { "for bind(global.x) (i: 64)", "for (j: 64)" }, "global.y" },
        { TURN "{ " FIRST SECOND " }", "{ split(y.j, 8); bind(y.i, global.x); }", 0,
          { "for bind(global.x) (i: 64)", "for (j_outer: 8, j_inner: 8)" }, "global.y" },
        { TURN "{ " FIRST SECOND " }", "{ split(z.k, 8); parallel(k_outer); }", 1,
          { "for bind(global.x) (k_outer: 512)", "for (k_inner: 8)", "global.y" }, NULL },
        { TURN "{ for (i: 64) note(scheduled = 1) for (j: 64) y[i, j] = x[j, i]; " SECOND " }",
          "{ }", 1, { "for (i: 64)", "for (j: 64)", "global.x" }, "global.y" },
        { TURN "{ for parallel (i: 64) for vectorized (j: 4) y[i, j] = x[j, i]; " SECOND " }",
          "{ }", 0, { "for bind(global.x) (i: 64)" }, "unrolled" },
        { TURN "{ for (t: 1) { " FIRST SECOND " } }", "{ split(y.i, 8); }", 1,
          { "(i_outer: 8, i_inner: 8, j: 64)", "for (k: 4096)" }, "bind" },
        { TURN "{ a: for (i: 64, j: 64) y[i, j] = x[j, i]; " SECOND " }",
          "{ split(a.i, 8); split(a.i_outer, 2); reorder(a.j, a.i_inner); }", 1,
          { "i_outer_inner: 2" }, "global.y" },
        { TURN "{ alloc t: f32[64, 64]; for (i: 64, j: 64) t[i, j] = x[i, j] + 1.0f; "
          "for (i: 64, j: 64) y[i, j] = t[i, j] * 2.0f; " SECOND " }",
          "{ split(y.j, 8); compute_at(t, y.i); }", 1, { "for (i: 64)" }, "global.y" },
        { TURN "{ alloc t: f32[64, 64]; for (i: 64) { for (j: 64) t[i, j] = x[i, j] + 1.0f; "
          "for (j: 64) y[i, j] = t[i, j] * 2.0f; } " SECOND " }",
          "{ unroll(t.j); compute_inline(t); }", 1, { "for (i: 64)", "for (j: 64)" }, "global.y" },
        { TURN "{ for (i: 64, j: 64) block y(a: spatial(64) = i, b: spatial(64) = j) "
          "{ y[a, b] = x[b, a] * 2.0f + 1.0f; } " SECOND " }",
          "{ xs = cache_read(y, x, global); contract(y); }", 0, { "global.y", "global.x" },
          "for (" },
    };
    size_t k;
    int    h;
    for (k = 0; k < sizeof cases / sizeof *cases; k++) {
        irl_ctx          *cx = irl_ctx_create(NULL);
        irl_func         *f = irl_func_parse(cx, cases[k].text, IRL_TO_NUL, NULL), *g;
        irl_lower_options how;
        const char       *text, *again;
        memset(&how, 0, sizeof how);
        how.schedule = IRL_SCHEDULE_NONE;
        g = irl_schedule_parse(f, cases[k].steps, IRL_TO_NUL, NULL);
        CHECK_OK(cx);
        if (!CHECK(notes_in(g) == cases[k].notes)) printf("%s", irl_func_text(g));
        CHECK(strcmp(irl_func_text(one_by_one(f, cases[k].steps)), irl_func_text(g)) == 0);
        text = irl_module_text(irl_func_lower_with(irl_schedule_do(g, "parallel()"),
                                                   &irl_target_opencl12, &how));
        for (h = 0; h < 3 && cases[k].has[h]; h++)
            if (!CHECK(strstr(text, cases[k].has[h]) != NULL))
                printf("%s: wants %s\n%s", cases[k].steps, cases[k].has[h], text);
        if (!CHECK(!cases[k].has_not || !strstr(text, cases[k].has_not)))
            printf("%s: has %s\n%s", cases[k].steps, cases[k].has_not, text);
        g = irl_func_parse(cx, irl_func_text(g), IRL_TO_NUL, NULL);
        again = irl_module_text(irl_func_lower_with(irl_schedule_do(g, "parallel()"),
                                                    &irl_target_opencl12, &how));
        CHECK(strcmp(text, again) == 0);
        CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
#undef TURN
#undef FIRST
#undef SECOND
}

/* Calls of a program: names stay known from one to the next; asking changes nothing. */
static void check_calls(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_func_parse(cx, TWO, IRL_TO_NUL, NULL), *g;
    const char *why = "";
    CHECK(irl_schedule_try(f, "{ split(y.i, 5); }", &why) && !why[0] && irl_ok(cx));
    CHECK(!irl_schedule_try(f, "{ split(y.i, 0); }", &why) && why[0] && irl_ok(cx));
    CHECK(why && strstr(why, "above 0") != NULL);
    CHECK(!irl_schedule_try(f, "{ split(y.i", NULL) && irl_ok(cx));
    CHECK(!irl_schedule_try(NULL, "{ }", &why) && !why[0]);
    CHECK(irl_schedule_text(f)[0] && strcmp(irl_schedule_text(f), "{\n}\n") == 0);
    g = irl_schedule_do(f, "(io, ii) = split(%s, %d)", "y.i", 5);
    g = irl_schedule_do(g, "unroll(ii)");
    g = irl_schedule_do(g, "reorder(y.j, io)");
    CHECK(!irl_schedule_try(g, "{ reorder(y.j, io, io); }", &why) && why[0]);
    CHECK_OK(cx);
    CHECK(g && strcmp(irl_schedule_text(g), "{\n    (io, ii) = split(y.i, 5);\n    unroll(ii);\n"
                                            "    reorder(y.j, io);\n}\n") == 0);
    CHECK(g && !irl_schedule_do(g, "split(ij, 2)"));
    CHECK(!irl_schedule_do(NULL, "split(ij, 2)"));
    irl_ctx_destroy(cx);
}

/* More steps than a schedule may have. */
static void check_bounded(void)
{
    enum { STEPS = 4097 };
    static const char step[] = "annotate(y.i, k = 1); ";
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = irl_func_parse(cx, TWO, IRL_TO_NUL, NULL);
    char     *text = (char *)malloc(STEPS * (sizeof step - 1) + 8);
    int       k;
    if (!text) abort();
    strcpy(text, "{ ");
    for (k = 0; k < STEPS; k++) memcpy(text + 2 + (size_t)k * (sizeof step - 1), step, sizeof step);
    strcat(text, "}");
    CHECK(!irl_schedule_parse(f, text, IRL_TO_NUL, NULL));
    CHECK_CODE(cx, IRL_ERROR_ILLEGAL_STEP);
    irl_ctx_destroy(cx);
    /* in two schedules as in one, whose text is a schedule of all of them */
    cx = irl_ctx_create(NULL);
    f = irl_func_parse(cx, TWO, IRL_TO_NUL, NULL);
    strcpy(text + 2 + (STEPS - 1) * (sizeof step - 1), "}");
    f = irl_schedule_parse(f, text, IRL_TO_NUL, NULL);
    CHECK_OK(cx);
    CHECK(f && irl_schedule_parse(irl_func_parse(cx, TWO, IRL_TO_NUL, NULL), irl_schedule_text(f),
                                  IRL_TO_NUL, NULL));
    CHECK(!irl_schedule_do(f, "annotate(y.i, k = 2)"));
    CHECK_CODE(cx, IRL_ERROR_ILLEGAL_STEP);
    CHECK(strstr(irl_diag_text(cx), "at most 4096 steps; found 4097") != NULL);
    free(text);
    irl_ctx_destroy(cx);
}

/* The least element and its place, by selects: as by a condition. */
static void check_chosen_parts(void)
{
#define CHOICE(type, begin, guard, lets, stores) \
    "func f(x: " type "[4, 12], y: " type "[4], p: i32[4]) { for (i: 4, o: 3, n: 4) block s(v: " \
    "spatial(4) = i, r: reduce(12) = o * 4 + n) { init { p[v] = -1; y[v] = " begin "; } " guard \
    "{ " lets stores " } } }"
#define LETS(condition, a, other, b, value) \
    "let a: i32 = select(" condition ", " a ", " other "); " \
    "let b = select(" condition ", " b ", " value "); "
#define KEPT LETS("y[v] <= x[v, r]", "p[v]", "i32(r)", "y[v]", "x[v, r]")
#define TAKEN LETS("x[v, r] < y[v]", "i32(r)", "p[v]", "x[v, r]", "y[v]")
#define BOTH "y[v] = b; p[v] = a;"
    static const char *const done[] = {
        CHOICE("i32", "99", "", KEPT, BOTH),
        CHOICE("i32", "99", "", /* the last of equal ones */
               LETS("y[v] < x[v, r]", "p[v]", "i32(r)", "y[v]", "x[v, r]"), BOTH),
        CHOICE("i32", "99", "if (r != 3) ", KEPT, BOTH),
        CHOICE("i32", "99", "", TAKEN, "p[v] = a; y[v] = b;"),
        CHOICE("f32", "1000.0f", "", TAKEN, BOTH),
    };
    static const char *const refused[] = {
        CHOICE("i32", "99", "if (y[v] > 3) ", KEPT, BOTH),
        CHOICE("i32", "99", "",
               LETS("y[v] <= x[v, r]", "p[v]", "p[v] + 1", "y[v]", "x[v, r]"), BOTH),
        CHOICE("i32", "99", "", KEPT, "y[v] = b; p[3 - v] = a;"),
        CHOICE("i32", "99", "let t = y[v]; ",
               "if (x[v, r] < t) { y[v] = x[v, r]; p[v] = t; }", ""),
        "func f(x: i32x2[8], y: i32x2[1], p: i32x2[1]) { for (o: 8) block s(r: reduce(8) = o) { "
        "init { y[0] = 9; p[0] = 1; } { let a = select(y[0] <= x[r], p[0], x[r] + 1); " /* lanes */
        "let b = select(y[0] <= x[r], y[0], x[r]); y[0] = b; p[0] = a; } } }",
    };
    /* no integer that is stored tells the order, or it does not begin before all */
    static const char *const unordered[] = {
        CHOICE("i32", "99", "",
               LETS("y[v] <= x[v, r]", "p[v]", "i32(r / 2)", "y[v]", "x[v, r]"), BOTH),
        CHOICE("i32", "99", "",
               LETS("y[v] <= x[v, r]", "p[v]", "x[0, r]", "y[v]", "x[v, r]"), BOTH),
        CHOICE("i32", "99", "",
               LETS("y[v] <= x[v, r]", "p[v]", "i32(u8(r * 30))", "y[v]", "x[v, r]"), BOTH),
        CHOICE("i32", "99", "",
               LETS("y[v] < x[v, r]", "p[v]", "-1 - i32(r)", "y[v]", "x[v, r]"), BOTH),
    };
    int k;
    for (k = 0; k < (int)(sizeof done / sizeof *done); k++) {
        irl_ctx  *cx = irl_ctx_create(NULL);
        irl_func *f = irl_func_parse(cx, done[k], IRL_TO_NUL, NULL);
        irl_func *g = irl_schedule_parse(f, "{ rfactor(o, 0); }", IRL_TO_NUL, NULL);
        if (CHECK_OK(cx)) CHECK(schedule_same(f, g, 1) == SAME);
        g = irl_schedule_parse(f, "{ rfactor(n, 0); }", IRL_TO_NUL, NULL);
        if (CHECK_OK(cx)) CHECK(schedule_same(f, g, 1) == SAME);
        irl_ctx_destroy(cx);
    }
    for (k = 0; k < (int)(sizeof refused / sizeof *refused); k++)
        check_refused(refused[k], "{ rfactor(o, 0); }", IRL_ERROR_ILLEGAL_STEP, "'s'");
    for (k = 0; k < (int)(sizeof unordered / sizeof *unordered); k++)
        check_refused(unordered[k], "{ rfactor(n, 0); }", IRL_ERROR_ILLEGAL_STEP,
                      "store such an integer beside them");
    check_refused(CHOICE("f32", "1000.0f", "", KEPT, BOTH), "{ rfactor(o, 0); }",
                  IRL_ERROR_ILLEGAL_STEP, "with NaN the selection would depend on the parts");
#undef CHOICE
#undef LETS
#undef KEPT
#undef TAKEN
#undef BOTH
}

/* Nests one after the other in a group: each alone would be run by all work-items that another
   one has. */
static void check_bound_together(void)
{
#define NESTS(first, second, index, between) \
    "func f(x: i32[4, 16], y: i32[4, 16], z: i32[4, 16]) { for bind(group.x) (g: 4) { " \
    "for " first "(l: 16) y[g, l] = x[g, l] * 2; " between \
    "for " second "(k: 16) z[g, k] = y[g, " index "] + 1; } }"
#define BOUND "bind(local.x) "
    static const char group[] =
        "func f(x: i32[4, 16], y: i32[4, 16]) { for bind(group.x) (g: 4) { alloc t: i32[16] "
        "scope(shared); alloc s: i32[] scope(shared); for (l: 16) t[l] = x[g, l]; s[] = sum(k: 16, "
        "t[k]); for (k: 16) y[g, k] = t[15 - k] - s[]; } }";
    check_steps(NESTS("", "", "k", ""), "{ bind(y.l, local.x, z.k); }",
                NESTS(BOUND, BOUND, "k", ""));
    check_steps(NESTS("", "", "15 - k", "barrier(global); "), "{ bind(z.k, local.x, y.l); }",
                NESTS(BOUND, BOUND, "15 - k", "barrier(global); "));
    check_same(NESTS("", "", "k", ""), "{ (o, i) = split(y.l, 4); (a, b) = split(z.k, 4); "
               "bind(o, local.y, a); bind(i, local.x, b); }",
               "{ (o, i) = split(y.l, 4); (a, b) = split(z.k, 4); bind(i, local.x, b); "
               "bind(a, local.y, o); }");
    CHECK(is_done(group, "{ compose_reduction(s); bind(t.l, local.x, y.k, s.k); }"));
    check_refused(NESTS("", "", "k", ""), "{ bind(y.l, local.x); }", IRL_ERROR_ILLEGAL_STEP,
                  "outside the loop (for a nest: bind its loop in the same step");
    check_refused(NESTS("", "", "15 - k", ""), "{ bind(y.l, local.x, z.k); }",
                  IRL_ERROR_ILLEGAL_STEP, "write barrier(global); between the loops");
    check_refused(group, "{ bind(t.l, local.x, y.k); }", IRL_ERROR_ILLEGAL_STEP,
                  "every work-item of the axis would store to 's'");
    check_refused(NESTS("", "", "k", ""), "{ bind(y.l, local.x, y.l); }", IRL_ERROR_ILLEGAL_STEP,
                  "is bound to local.x already");
    check_refused(NESTS("", "", "k", ""), "{ bind(y.l, local.x, 3); }", IRL_ERROR_SYNTAX,
                  "argument 3 does not fit");
    check_refused(NESTS(BOUND, BOUND, "15 - k", "barrier(global); "),
                  "{ cache_write(y, 0, shared, z); }", IRL_ERROR_ILLEGAL_STEP,
                  "no barrier(shared) is between");
    CHECK(is_done(NESTS(BOUND, BOUND, "15 - k", "barrier(global); barrier(shared); "),
                  "{ cache_write(y, 0, shared, z); }"));
#undef NESTS
#undef BOUND
}

/* A step that makes the function too deep leaves none in which a refusal could look for names. */
static void check_too_deep(void)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = irl_func_parse(cx, TWO, IRL_TO_NUL, NULL);
    int       k;
    for (k = 0; f && k < 500; k++) f = irl_schedule_do(f, "add_unit_loop(y)");
    CHECK(!f);
    CHECK_CODE(cx, IRL_ERROR_TOO_DEEP);
    if (CHECK(irl_schedule_refusal(cx) != NULL))
        CHECK(strcmp(irl_schedule_refusal(cx)->block, "y") == 0);
    irl_ctx_destroy(cx);
}

/* A note that says something to the library is put by the step that proves it, and is of a kind;
   one of the same key takes the old one's place. */
static void check_notes(void)
{
    static const char sum[] = "func f(x: f32[8, 4], y: f32[8]) attr(numbers = \"strict\") { "
                              "z: for (i: 8, k: 4) y[i] = y[i] + x[i, k]; }";
    static const char *const rows[][2] = {
        { "{ annotate(z, order = \"free\"); }", "reassociate does" },
        { "{ annotate(z.k, order = 1); }", "reassociate does" },
        { "{ annotate(z.i, scheduled = 1); }", "is a note that the library itself puts on "
                                               "scheduled loops" },
        { "{ annotate(z.i, label = 3); }", "a label is a text that is not empty; found label = 3" },
        { "{ annotate(z.i, label = \"\"); }", "a label is a text that is not empty" },
        { "{ annotate(z.i, group = -3); }", "1 or more; found group = -3" },
        { "{ annotate(z.i, group = 0); }", "1 or more; found group = 0" },
        { "{ annotate(z.i, group = \"a\"); }", "1 or more; found group = \"a\"" },
        { "{ annotate(z.k, unroll = 0); }", "unroll is a number of iterations, 1 or more; found "
                                            "unroll = 0" },
    };
    int k;
    for (k = 0; k < (int)(sizeof rows / sizeof *rows); k++)
        check_refused(sum, rows[k][0], IRL_ERROR_ILLEGAL_STEP, rows[k][1]);
    check_steps(sum, "{ annotate(z.i, group = 4); annotate(z.i, group = 8); unroll(z.k); }",
                "func f(x: f32[8, 4], y: f32[8]) attr(numbers = \"strict\") { z: for (i: 8) "
                "note(group = 8) for unrolled (k: 4) y[i] = y[i] + x[i, k]; }");
    check_steps(BLOCKS, "{ annotate(b, k = 1); annotate(b, l = 2); annotate(b, k = \"v\"); }",
                "func f(n: index, y: i32[n, 8]) { for (i: n, j: 8) block b(v: spatial(n) = i, "
                "u: spatial(8) = j) note(l = 2) note(k = \"v\") { y[v, u] = i32(v); } }");
    check_steps(TWO, "{ annotate(y.i, label = \"a\"); annotate(a.i, label = \"b\"); unroll(b.j); }",
                "func f(y: i32[10, 7]) { b: for (i: 10) for unrolled (j: 7) y[i, j] = 3; }");
}

/* Loops that a split makes end, which those over a short extent by a long factor do not. */
static void check_long_splits(void)
{
    static const char any[] = "func f(n: index, y: i32[n]) { for (i: n) y[i] = 3; }";
    static const char far[] = "func f(y: i32[8589934592]) { for (i: 8589934592) y[i] = 3; }";
    irl_ctx *cx = irl_ctx_create(NULL);
    check_refused(TWO, "{ split(y.i, 9223372036854775807); }", IRL_ERROR_ILLEGAL_STEP,
                  "the loops would run 9223372036854775807 iterations; expected at most "
                  "2147483647");
    check_refused(TWO, "{ split(y.i, 2147483648); }", IRL_ERROR_ILLEGAL_STEP,
                  "would run 2147483648 iterations");
    check_refused(TWO, "{ split(y.i, 65536, _, 65536); }", IRL_ERROR_ILLEGAL_STEP,
                  "would run 4294967296 iterations");
    check_refused(any, "{ split(y.i, 9223372036854775807); }", IRL_ERROR_ILLEGAL_STEP,
                  "expected at most 2147483647, because the extent is not a number");
    check_refused(far, "{ split(y.i, 1099511627776); }", IRL_ERROR_ILLEGAL_STEP,
                  "expected at most 17179869184");
    CHECK(irl_schedule_try(irl_func_parse(cx, far, IRL_TO_NUL, NULL),
                           "{ split(y.i, 4294967296); }", NULL));
    CHECK(irl_schedule_try(irl_func_parse(cx, TWO, IRL_TO_NUL, NULL),
                           "{ split(y.i, 2147483647); }", NULL));
    irl_ctx_destroy(cx);
}

/* Found by a second generator, written from the documentation alone. */
static void check_found(void)
{
#define STENCIL "func f(y: i32[6, 3]) { for (i: 5, j: 3) y[i + 1, j] = y[i, max(j - 1, 0)]; }"
    check_refused(STENCIL, "{ parallel(y.j); reorder(y.j, y.i); }", IRL_ERROR_ILLEGAL_STEP,
                  "are one element");
    check_steps("func f(x: i32[2, 5], y: i32[2]) { for (i: 2, k: 5) y[i] = y[i] + x[i, k]; }",
                "{ cache_write(y, y, local); }",
                "func f(x: i32[2, 5], y: i32[2]) { alloc l: i32[2] scope(local); for (a: 2) "
                "block y_local_in(v: spatial(2) = a) reads(y[v]) writes(l[v]) { l[v] = y[v]; } "
                "y: for (i: 2, k: 5) l[i] = l[i] + x[i, k]; for (a: 2) "
                "block y_local(v: spatial(2) = a) reads(l[v]) writes(y[v]) { y[v] = l[v]; } }");
    check_refused("func f(x: i32[6, 8], y: i32[6]) { for (i: 6) { for (j: 1) y[i] = 0; "
                  "for (k: 1) y[i] = y[i] + x[i, k]; } }",
                  "{ bind(y.i, local.x); bind(y_1.k, global.y); }", IRL_ERROR_ILLEGAL_STEP,
                  "every work-item");
    check_steps("func f(x: i32[4, 4], y: i32[4]) { for (i: 4, k: 4) block b(v: spatial(4) = i, "
                "r: reduce(4) = k) where(r < 3) { init { y[v] = 0; } y[v] = y[v] + x[v, r]; } }",
                "{ decompose_reduction(b, b.k); }",
                "func f(x: i32[4, 4], y: i32[4]) { for (i: 4) { block b_init(v: spatial(4) = i) { "
                "y[v] = 0; } for (k: 4) block b(v: spatial(4) = i, r: reduce(4) = k) where(r < 3) "
                "{ y[v] = y[v] + x[v, r]; } } }");
}

/* A block in the block that moves stores by an axis of its own: what is not known to stay in the
   box that one iteration reads is not made smaller. */
static void check_inner_blocks(void)
{
#define INNER(read) "{ for (x: 9) block b(v: spatial(9) = x) { for (i: 2) block c(" \
                    "u: spatial(9) = v, w: spatial(2) = i) { t[u, w] = a[u] + i32(w); } } " read
    check_steps("func f(a: i32[9], y: i32[9]) { alloc t: i32[9, 2]; " INNER(
                "for (i: 3) for (j: 3) y[i * 3 + j] = t[j, j / 2]; } }"), "{ compute_at(b, y.i); }",
                "func f(a: i32[9], y: i32[9]) { for (i: 3) { alloc t: i32[9, 2]; " INNER(
                "for (j: 3) y[i * 3 + j] = t[j, j / 2]; } } }"));
#undef INNER
    /* found by test_schedule_legal: loops inside of another, bodies of several statements */
    check_refused("func f(y: i32[6]) { for (g: 2) { for (i: 3) y[3] = i32(i); "
                  "for (j: 3) y[(j * 2 + g) % 6] = i32(j); } }", "{ merge(i, j); }",
                  IRL_ERROR_ILLEGAL_STEP, "y[3] at g = 1, i = 2 and y[(i * 2 + g) % 6] at g = 1");
    check_refused("func f(x: i32[4], y: i32[4], z: i32[4]) { for (i: 3) { z[i] = 1; "
                  "z[i] = y[2 - i]; } for (j: 3) y[j] = x[j]; }", "{ merge(i, j); }",
                  IRL_ERROR_ILLEGAL_STEP, "y[2 - i] at i = 2 and y[i] at i = 0");
    check_refused("func f(x: i32[6], y: i32[6]) { alloc t: i32[6]; for (a: 6) t[a] = x[a]; "
                  "for (i: 3, j: 2) y[(j * 2 + i) % 6] = t[j] + i32(i); }",
                  "{ reverse_compute_at(y, a); }", IRL_ERROR_ILLEGAL_STEP,
                  "stored twice, and would be stored in another order");
    check_refused("func f(x: f32[7], y: i32[7]) { alloc t: i32[7]; for (i: 7) t[i] = i32(x[i]); "
                  "for (j: 7) block b(v: spatial(7) = j) { y[v] = if_then_else(t[v] != 0, t[v], "
                  "t[max(v - 2, 0)]); } }", "{ reverse_compute_at(b, i); }",
                  IRL_ERROR_ILLEGAL_STEP, "could fail where an element is not computed yet");
    /* who reads s stands in no statement that touches what the step does */
    check_refused("func f(x: i32[6], y: i32[6], z: i32[6]) { alloc s: i32[6]; alloc t: i32[6]; "
                  "for (a: 6) t[a] = x[a]; for (b: 6) s[b] = y[b / 2]; for (i: 3) y[i] = y[i] + "
                  "t[5 - i]; for (j: 5) z[j] = s[j]; }", "{ reverse_compute_at(y, a); }",
                  IRL_ERROR_ILLEGAL_STEP, "it would be read or written too early");
}

/* An index that another iteration computes is not there yet; where one element alone is read, an
   instance runs behind the iteration that computes it. */
static void check_early_indices(void)
{
#define TAKES(value) "func f(x: i32[6], d: i32[9], y: i32[6]) { alloc t: i32[6]; " \
                     "for (i: 6) t[i] = x[i]; for (i: 6) y[i] = " value "; }"
    check_refused(TAKES("d[index((t[i] + t[min(i + 2, 5)]) % 9)]"),
                  "{ reverse_compute_at(y, t.i); }", IRL_ERROR_ILLEGAL_STEP, "could fail where");
    check_steps(TAKES("d[index(t[min(i + 2, 5)] % 9)]"), "{ reverse_compute_at(y, t.i); }",
                "func f(x: i32[6], d: i32[9], y: i32[6]) { for (i: 6) { alloc t: i32[6]; t[i] = "
                "x[i]; for (a: 6) if (min(a + 2, 5) == i) y[a] = d[index(t[min(a + 2, 5)] % 9)]; "
                "} }");
#undef TAKES
    /* a sum: each part once, in order */
    check_steps("func f(x: f32[6], y: f32[2]) { alloc t: f32[6]; for (i: 6) t[i] = x[i] * 2.0f; "
                "for (j: 2, k: 3) y[j] = y[j] + t[j * 3 + k]; }", "{ reverse_compute_at(y, i); }",
                "func f(x: f32[6], y: f32[2]) { for (i: 6) { alloc t: f32[1]; t[0] = x[i] * 2.0f; "
                "for (a: 1) y[i / 3] = y[i / 3] + t[0]; } }");
}

/* The init runs at the instance whose reduce axes are 0, which stays the first of a sum. */
static void check_first_instances(void)
{
#define SUMS(index) "func f(x: i32[17], y: i32[3]) { alloc t: i32[17]; for (i: 17) t[i] = x[i]; " \
                    "for (j: 3, k: 12) block b(v: spatial(3) = j, r: reduce(12) = k) { init { " \
                    "y[v] = 0; } y[v] = y[v] + t[" index "]; } }"
    const char *why = "the init of 'b' would not run first (decompose_reduction first)";
    check_refused(SUMS("(r - 2) % 17"), "{ reverse_compute_at(b, i); }", IRL_ERROR_ILLEGAL_STEP,
                  why);
    check_refused(SUMS("11 - r"), "{ reverse_compute_at(b, i); }", IRL_ERROR_ILLEGAL_STEP, why);
    check_steps(SUMS("r + 5"), "{ reverse_compute_at(b, i); }",
                "func f(x: i32[17], y: i32[3]) { for (i: 17) { alloc t: i32[1]; t[0] = x[i]; "
                "for (a: 3) block b(v: spatial(3) = a, r: reduce(12) = i - 5) where(i - 5 >= 0) { "
                "init { y[v] = 0; } y[v] = y[v] + t[r + 5 - i]; } } }");
#undef SUMS
}

/* Where a loop stands around the temporary's writer and reader, but not around its declaration. */
static void check_computed_in_iterations(void)
{
#define OUTER(temporary, body) "func f(x: u8[4, 8, 3], p: u8[8], y: u8[4, 8]) { " temporary \
                               " for (l: 4) { " body " } }"
#define READS "for (j: 8) y[l, j] = t[j];"
    const char *why = "an element may be read that another iteration wrote";
    check_same(OUTER("alloc t: u8[8];", "for (i: 8, k: 3) block t(v: spatial(8) = i, r: reduce(3) "
                     "= k) { init { t[v] = 0; } t[v] = t[v] + x[l, v, r]; } " READS),
               "{ compute_at(t, j); }", "{ compute_at(t, j); }");
    check_same(OUTER("alloc t: u8[8];", "for (i: 8) { t[i] = 0; for (k: 3) t[i] = t[i] + "
                     "x[l, i, k]; } " READS),
               "{ reverse_compute_at(y, i); }", "{ reverse_compute_at(y, i); }");
    check_same(OUTER("alloc t: u8[8, 8];", "for (i: 8, k: i + 1) t[i, k] = x[l, i, k % 3]; "
                     "for (j: 8, k: j + 1) y[l, j] = y[l, j] + t[j, k];"),
               "{ compute_at(t, j); }", "{ compute_at(t, j); }");
    check_same(OUTER("alloc t: u8[8];", "for (i: 8) t[i] = x[l, i, 0]; for (j: 8) y[l, j] = "
                     "t[p[j] & 7];"), "{ compute_at(t, j); }", "{ compute_at(t, j); }");
    /* elements of bits are 0 before the first iteration */
    check_refused(OUTER("alloc t: u4[8];", "for (i: 8) t[i] = t[i] + x[l, i, 0]; " READS),
                  "{ compute_at(t, j); }", IRL_ERROR_ILLEGAL_STEP, why);
    check_refused(OUTER("alloc t: u8[8];", "for (i: 8) if (i < l * 3) t[i] = x[l, i, 0]; for (j: "
                        "8) if (j < 3) y[l, j] = t[j];"),
                  "{ compute_at(t, j); }", IRL_ERROR_ILLEGAL_STEP, why);
#undef READS
#undef OUTER
}

/* A copy holds what the block reads or does not store. */
static void check_copies_filled(void)
{
#define SOME(body) "func f(x: u8[8], y: u8[8]) { for (i: 8) y[i] = 9; for (i: 8) block b(v: " \
                   "spatial(8) = i) { " body " } }"
    static const char sum[] =
        "func f(x: u8[8, 4], z: u8[8, 4]) { for (i: 8, k: 4) z[i, k] = x[i, k]; for (i: 8, k: 4) "
        "block b(v: spatial(8) = i, r: reduce(4) = k) { init { z[v, 0] = 1; } z[v, 0] = z[v, 0] + "
        "z[v, r]; } }";
    check_refused(SOME("if (x[v] > 4) y[v] = x[v];"),
                  "{ reindex_cache_write(b, y, local, (a) -> (7 - a)); }", IRL_ERROR_ILLEGAL_STEP,
                  "stores under a condition, or in a loop that may not run");
    check_refused(SOME("for (j: x[v] % 2) y[v] = x[v];"),
                  "{ reindex(b, y); }", IRL_ERROR_ILLEGAL_STEP, "in a loop that may not run");
    check_same(SOME("if (x[v] > 4) y[v] = x[v];"), "{ cache_write(b, y, local); }",
               "{ cache_write(b, y, local); }");
    check_same(sum, "{ cache_write(b, z, local); }", "{ cache_write(b, z, local); }");
#undef SOME
}

/* Two calls may not change places, nor what stands before and behind a barrier. */
static void check_effects(void)
{
#define CALLS "func f(y: i32[4, 4]) { for (i: 4, j: 4) y[i, j] = extern(i32, next); }"
    static const char *const steps[] = { "{ parallel(y.i); }", "{ vectorize(y.j); }",
                                         "{ bind(y.i, global.x); }", "{ reorder(y.j, y.i); }" };
    size_t k;
    for (k = 0; k < sizeof steps / sizeof *steps; k++)
        check_refused(CALLS, steps[k], IRL_ERROR_ILLEGAL_STEP, "the loop contains a call, which "
                                                               "may do anything, so calls must "
                                                               "keep their order");
    check_refused("func f(n: index) { for (i: n, j: n) evaluate extern(i32, next, i); }",
                  "{ reorder(j, i); }", IRL_ERROR_ILLEGAL_STEP, "the loop contains a call, which "
                                                                "may do anything, so calls must "
                                                                "keep their order");
    check_refused("func f(y: i32[4, 4]) { for (i: 4) { for (j: 4) y[i, j] = 1; barrier(global); "
                  "} }", "{ parallel(y.i); }", IRL_ERROR_ILLEGAL_STEP, "contains a barrier");
#undef CALLS
}

static void check_refusals(void)
{
    check_refused(TWO, "{ split(y.i, 0); }", IRL_ERROR_ILLEGAL_STEP, "above 0; found 0");
    check_refused(TWO, "{ split(y.i, _, _); }", IRL_ERROR_ILLEGAL_STEP, "one factor");
    check_refused(TWO, "{ split(y.i, 4611686018427387904, 4); }", IRL_ERROR_ILLEGAL_STEP, "63");
    check_refused(TWO, "{ split(z.i, 4); }", IRL_ERROR_UNKNOWN_NAME, "there are: y");
    check_refused(TWO, "{ split(y.k, 4); }", IRL_ERROR_UNKNOWN_NAME, "there are: j, i");
    check_refused(TWO, "{ split(y, 4); }", IRL_ERROR_ILLEGAL_STEP, "y.i");
    check_refused(TWO, "{ merge(y, y); }", IRL_ERROR_ILLEGAL_STEP, "hint: merge requires loops");
    check_refused(TWO, "{ cache_read(y.i, y, local); }", IRL_ERROR_ILLEGAL_STEP,
                  "hint: cache_read requires");
    check_refused(TWO, "{ cut(y.i, 4); }", IRL_ERROR_UNKNOWN_NAME, "no step 'cut'");
    check_refused(TWO, "{ split(y.i); }", IRL_ERROR_SYNTAX, "split(conv.i, 16)");
    check_refused(TWO, "{ a = annotate(y.i, k = 1); }", IRL_ERROR_SYNTAX, "no result");
    check_refused(TWO, "{ (a, b) = split(y.i, 2); fuse(a, b); split(a, 2); }",
                  IRL_ERROR_UNKNOWN_NAME, "'a' no longer exists");
    check_refused(TWO, "{ fuse(y.j, y.i); }", IRL_ERROR_ILLEGAL_STEP,
                  "the body of the loop 'y.j' is not the loop 'y.i' alone");
    check_refused("func f(y: i32[9, 9]) { for (i: 9) for (j: i) y[i, j] = 1; }",
                  "{ fuse(y.i, y.j); }", IRL_ERROR_ILLEGAL_STEP, "depend on 'i'");
    check_refused("func f(y: i32[8]) { for bind(global.x) (i: 8) y[i] = 1; }", "{ split(y.i, 2); }",
                  IRL_ERROR_ILLEGAL_STEP, "bound to global.x");
    check_refused("func f(n: i32[1], y: i32[8]) { for (i: index(n[0])) y[i] = 1; }",
                  "{ split(y.i, 2); }", IRL_ERROR_ILLEGAL_STEP, "read memory");
}

/* What random schedules found: 847179, 849353, 844848. */
static void check_declared_and_dead(void)
{
    static const char sums[] =
        "func f(a: i32[16], y: i32[16]) { for (i: 16, k: 8) block b(v: spatial(16) = i, "
        "r: reduce(8) = k) { y[v] = y[v] + a[v] * i32(r); } }";
    static const char dead[] =
        "func f(a: i32[4, 2], y: i32[4]) { for (i: 4) block b(v: spatial(4) = i) { if (v < 4) { "
        "y[v] = 3; } else { y[v] = max(sum(k: 2, a[v, k]), 1); } } }";
    check_refused(sums, "{ split(k, 1); rfactor(k_inner, 0); bind(k_outer, local.x); }",
                  IRL_ERROR_ILLEGAL_STEP, ", and is inside a loop of reduce axes:");
    check_refused("func f(a: i32[4], y: i32[4]) { for (i: 4) block b(v: spatial(4) = i) "
                  "reads(a[0: 4]) writes(y[v]) { y[v] = 3; } }",
                  "{ cache_read(b, 0, local); }", IRL_ERROR_ILLEGAL_STEP,
                  "declares that it touches 'a', but does not");
    check_refused(dead, "{ reassociate(b); parallel(k); }", IRL_ERROR_ILLEGAL_STEP,
                  "if they ran");
}

/* ------------------------------------------------------------------ recorded calls */

typedef struct recorded_count {
    const char *primitive;
    int         least; /* how many of theirs we must carry out, lest something was lost */
    /* carried out by them; of these by us; run and equal */
    int theirs, ours, run, after_permission;
    int refused_by_both, carried_by_us_alone, unsaid;
    int theirs_unsaid; /* of those that have no words in our language, carried out by them */
    int wrong;         /* of those that they carried out, wrong by the table below */
} recorded_count;

/* The primitives of whose recorded calls at least 95 of 100 are carried out. */
static const char *const held_to_theirs[] = {
    "split", "fuse", "reorder", "cache_read", "cache_write", "reindex", "reindex_cache_read",
    "reindex_cache_write", "transform_layout", "transform_block_layout", "compute_at",
    "reverse_compute_at", "compute_inline", "reverse_compute_inline", "decompose_reduction", "bind",
    "vectorize", "parallel", "unroll"
};

/* Why a recorded call that they carried out is not carried out here. */
static const struct { const char *id, *why; } not_carried_out[] = {
    { "0dbf84cf015c780d", "not known: the cells are gathered, the question takes too many steps" },
    { "b7753367c69a9c1a", "not known: the cells are gathered, the question takes too many steps" },
    { "5bf60771789c3738", "copies that a loop makes by parts are read behind it: is it all?" },
    { "caeb31df1b066b26", "copies that a loop makes by parts are read behind it: is it all?" },
    { "f9a9ffa00c948f1a", "two blocks stand in the loop" },
    { "f65dd9e937938ac4", "another statement stands between the loops" },
    { "f92c107c4fe252f1", "theirs: each work-item of the group stores the whole tile" },
    { "9bd533906d71edd7", "theirs: iterations of a loop of threads read each other's sums" },
    { "c959c6369bfd2cda", "theirs: a cell is read before its last update" },
    { "0596b63a69952146", "theirs: a sum is read before it is whole" },
    { "aafa0860adbc795e", "theirs: of equal elements the place of another is stored" },
    { "813ff5f06be3d0ac", "theirs: of equal elements the place of another is stored" },
    { "b1eb41e5121e29ce", "no reduction of ours: the order of a + b + c is as written" },
    { "4ba204b07483f4d5", "no reduction of ours: two sums at once" },
    { "355a3107bcd2362e", "theirs: it changes how a parameter lies in its caller's memory" },
    { "52e5f6f1aefe96bc", "a stride is padded where extents are numbers" }
};

static const char *reason_of(const char *id)
{
    size_t k;
    for (k = 0; k < sizeof not_carried_out / sizeof *not_carried_out; k++)
        if (strcmp(not_carried_out[k].id, id) == 0) return not_carried_out[k].why;
    return NULL;
}

static int is_held_to_theirs(const char *primitive)
{
    size_t k;
    for (k = 0; k < sizeof held_to_theirs / sizeof *held_to_theirs; k++)
        if (strcmp(held_to_theirs[k], primitive) == 0) return 1;
    return 0;
}

static void put_name(char *to, size_t room, const char *name)
{
    size_t used = strlen(to);
    snprintf(to + used, room - used, "`%s`", name);
}

/* A loop or block as a step names it. */
static void put_place(char *to, size_t room, const json *place)
{
    const char *loop = json_text(json_get(place, "loop")),
               *block = json_text(json_get(place, "block"));
    put_name(to, room, *loop ? loop : block);
}

static void put_list_from(char *to, size_t room, const json *list, const json *first)
{
    const json *n;
    for (n = first; n; n = n->next) {
        if (n != list->first) strncat(to, ", ", room - strlen(to) - 1);
        if (n->kind == JSON_NULL) strncat(to, "_", room - strlen(to) - 1);
        else if (n->kind == JSON_NUMBER)
            snprintf(to + strlen(to), room - strlen(to), "%lld", json_int(n));
        else put_place(to, room, n);
    }
}

static void put_list(char *to, size_t room, const json *list)
{
    put_list_from(to, room, list, list->first);
}

static const char *memory_of(const char *scope)
{
    static const char *const ours[][2] = { { "shared.dyn", "shared" }, { "global.vtcm", "global" },
                                           { "warp", "local" }, { "", "global" } };
    size_t k;
    for (k = 0; k < sizeof ours / sizeof *ours; k++)
        if (strcmp(scope, ours[k][0]) == 0) return ours[k][1];
    return strncmp(scope, "wmma", 4) == 0 ? "local" : scope;
}

/* The buffer that a block writes as number `index`, by what the text declares. */
static void put_written(char *to, size_t room, const json *c, const char *block, int64_t index)
{
    char        head[80], name[80];
    const char *at;
    size_t      length;
    snprintf(head, sizeof head, "block %s(", block);
    at = strstr(json_text(json_get(c, "before")), head);
    at = at ? strstr(at, " writes(") : NULL;
    for (at = at ? at + 8 : ""; index > 0 && *at; index--) {
        at = strstr(at, "], ");
        at = at ? at + 3 : "";
    }
    length = strcspn(at, "[");
    if (length >= sizeof name) length = 0;
    memcpy(name, at, length);
    name[length] = '\0';
    put_name(to, room, name);
}

/* A buffer by its name, or by what the block does to it. */
static void put_buffer(char *to, size_t room, const json *c)
{
    const json *args = json_get(c, "args"), *buffer = json_get(args, "buffer");
    strncat(to, ", ", room - strlen(to) - 1);
    if (json_get(buffer, "buffer")) put_name(to, room, json_text(json_get(buffer, "buffer")));
    else if (strcmp(json_text(json_get(buffer, "type")), "write") == 0)
        put_written(to, room, c, json_text(json_get(json_get(args, "block"), "block")),
                    json_int(json_get(buffer, "index")));
    else
        snprintf(to + strlen(to), room - strlen(to), "%lld",
                 (long long)json_int(json_get(buffer, "index")));
}

/* The call as a step; 0: not said in our language. */
static int step_of(const json *c, char *to, size_t room)
{
    const char *primitive = json_text(json_get(c, "primitive"));
    const json *args = json_get(c, "args"), *n;
    int         holes = 0;
    snprintf(to, room, "{ %s(", primitive);
    if (strcmp(primitive, "split") == 0) {
        put_place(to, room, json_get(args, "loop"));
        strncat(to, ", ", room - strlen(to) - 1);
        for (n = json_get(args, "factors")->first; n; n = n->next) holes += n->kind == JSON_NULL;
        if (holes > 1) return 0;
        /* where all are given the outermost is what covers the loop; ours has that one left out */
        n = json_get(args, "factors");
        if (holes == 0) strncat(to, "_", room - strlen(to) - 1);
        put_list_from(to, room, n, holes ? n->first : n->first->next);
    } else if (strcmp(primitive, "fuse") == 0) put_list(to, room, json_get(args, "loops"));
    else if (strcmp(primitive, "cache_read") == 0 || strcmp(primitive, "cache_write") == 0) {
        const json *readers = json_get(args, "consumer_blocks");
        put_place(to, room, json_get(args, "block"));
        n = json_get(args, primitive[6] == 'r' ? "read_buffer_index" : "write_buffer_index");
        if (n->kind == JSON_STRING) {
            strncat(to, ", ", room - strlen(to) - 1);
            put_name(to, room, json_text(n));
        } else snprintf(to + strlen(to), room - strlen(to), ", %lld", json_int(n));
        snprintf(to + strlen(to), room - strlen(to), ", %s",
                 memory_of(json_text(json_get(args, "storage_scope"))));
        for (n = readers->first; n; n = n->next) {
            strncat(to, ", ", room - strlen(to) - 1);
            if (n->kind == JSON_STRING) put_name(to, room, json_text(n));
            else put_place(to, room, n);
        }
    } else if (strcmp(primitive, "reorder") == 0)
        put_list(to, room, json_get(args, "ordered_loops"));
    else if (strcmp(primitive, "parallel") == 0 || strcmp(primitive, "vectorize") == 0 ||
             strcmp(primitive, "unroll") == 0)
        put_place(to, room, json_get(args, "loop"));
    else if (strcmp(primitive, "bind") == 0) {
        const char *axis = json_text(json_get(args, "thread_axis"));
        const char *ours = strncmp(axis, "blockIdx.", 9) == 0 ? "group"
                           : strncmp(axis, "threadIdx.", 10) == 0 ? "local" : NULL;
        if (!ours) return 0;
        put_place(to, room, json_get(args, "loop"));
        snprintf(to + strlen(to), room - strlen(to), ", %s%s", ours, strchr(axis, '.'));
    } else if (strcmp(primitive, "decompose_reduction") == 0 ||
               strcmp(primitive, "decompose_padding") == 0 ||
               strcmp(primitive, "compute_at") == 0 ||
               strcmp(primitive, "reverse_compute_at") == 0) {
        put_place(to, room, json_get(args, "block"));
        strncat(to, ", ", room - strlen(to) - 1);
        put_place(to, room, json_get(args, "loop"));
    } else if (strcmp(primitive, "compute_inline") == 0 ||
               strcmp(primitive, "reverse_compute_inline") == 0)
        put_place(to, room, json_get(args, "block"));
    else if (strcmp(primitive, "merge") == 0) put_list(to, room, json_get(args, "loops"));
    else if (strcmp(primitive, "loop_partition") == 0) {
        long long at = 0;
        snprintf(to, room, "{ partition(");
        put_place(to, room, json_get(args, "loop"));
        for (n = json_get(args, "factors")->first; n; n = n->next) {
            if (n->kind != JSON_NUMBER) return 0;
            at += json_int(n); /* theirs are sizes, ours are places */
            snprintf(to + strlen(to), room - strlen(to), ", %lld", at);
        }
    } else if (strcmp(primitive, "set_scope") == 0 || strcmp(primitive, "storage_align") == 0) {
        put_place(to, room, json_get(args, "block"));
        n = json_get(args, "buffer_index");
        strncat(to, ", ", room - strlen(to) - 1);
        if (n->kind == JSON_STRING) put_name(to, room, json_text(n));
        else snprintf(to + strlen(to), room - strlen(to), "%lld", (long long)json_int(n));
        if (primitive[1] == 'e')
            snprintf(to + strlen(to), room - strlen(to), ", %s",
                     memory_of(json_text(json_get(args, "storage_scope"))));
        else
            snprintf(to + strlen(to), room - strlen(to), ", %lld, %lld, %lld",
                     (long long)json_int(json_get(args, "axis")),
                     (long long)json_int(json_get(args, "factor")),
                     (long long)json_int(json_get(args, "offset")));
    } else if (strcmp(primitive, "reindex") == 0) {
        put_place(to, room, json_get(args, "block"));
        put_buffer(to, room, c);
    } else if (strcmp(primitive, "transform_layout") == 0) {
        const json *pad = json_get(args, "pad_value");
        put_place(to, room, json_get(args, "block"));
        put_buffer(to, room, c);
        snprintf(to + strlen(to), room - strlen(to), ", %s",
                 json_text(json_get(json_get(args, "index_map"), "map")));
        if (pad->kind == JSON_NUMBER)
            snprintf(to + strlen(to), room - strlen(to), ", pad = %d", (int)json_int(pad));
        else if (pad->kind != JSON_NULL)
            snprintf(to + strlen(to), room - strlen(to), ", pad = %s",
                     json_text(json_get(pad, "map")));
        if (json_get(args, "assume_injective_transform")->number)
            strncat(to, ", pad = \"any\", assume = \"injective\"", room - strlen(to) - 1);
    } else if (strncmp(primitive, "reindex_cache", 13) == 0) {
        put_place(to, room, json_get(args, "block"));
        n = json_get(args, primitive[14] == 'r' ? "read_buffer_index" : "write_buffer_index");
        snprintf(to + strlen(to), room - strlen(to), ", %lld, %s, %s", (long long)json_int(n),
                 memory_of(json_text(json_get(args, "storage_scope"))),
                 json_text(json_get(json_get(args, "index_map"), "map")));
    } else if (strcmp(primitive, "rfactor") == 0) {
        put_place(to, room, json_get(args, "loop"));
        snprintf(to + strlen(to), room - strlen(to), ", %d",
                 (int)json_int(json_get(args, "factor_axis")));
    } else if (strcmp(primitive, "pad_einsum") == 0) {
        put_place(to, room, json_get(args, "block"));
        strncat(to, ", ", room - strlen(to) - 1);
        put_list(to, room, json_get(args, "padding"));
    } else if (strcmp(primitive, "rolling_buffer") == 0) { /* theirs takes the loop around */
        put_place(to, room, json_get(args, "block"));
        strncat(to, ", i0_0", room - strlen(to) - 1);
    } else if (strcmp(primitive, "blockize") == 0) {
        put_place(to, room, json_get(args, "target"));
    } else if (strcmp(primitive, "transform_block_layout") == 0) {
        put_place(to, room, json_get(args, "block"));
        snprintf(to + strlen(to), room - strlen(to), ", %s",
                 json_text(json_get(json_get(args, "index_map"), "map")));
    } else if (strcmp(primitive, "set_axis_separator") == 0) {
        const json *buffer = json_get(json_get(args, "buffer"), "buffer");
        put_place(to, room, json_get(args, "block"));
        strncat(to, ", ", room - strlen(to) - 1);
        if (buffer) put_name(to, room, json_text(buffer));
        else
            snprintf(to + strlen(to), room - strlen(to), "%lld",
                     (long long)json_int(json_get(json_get(args, "buffer"), "index")));
        for (n = json_get(args, "axis_separators")->first; n; n = n->next)
            snprintf(to + strlen(to), room - strlen(to), ", %lld", (long long)json_int(n));
    } else if (strcmp(primitive, "add_unit_loop") == 0)
        put_place(to, room, json_get(args, "block_or_loop"));
    else return 0;
    strncat(to, "); }", room - strlen(to) - 1);
    return 1;
}

/* Their call of a reorder among the reduce axes of floats is ours after the permission. */
static irl_func *with_permission(const irl_func *f, const json *c, const char *steps)
{
    const json *loops = json_get(json_get(c, "args"), "ordered_loops"),
               *block = json_get(json_get(c, "args"), "block");
    char        text[800];
    if (!block) block = json_get(json_get(c, "args"), "loop"); /* of rfactor */
    if (!loops && !block) return NULL;
    snprintf(text, sizeof text, "{ reassociate(`%s`); %s",
             loops || json_get(block, "above_block")
                   ? json_text(json_get(loops ? loops->first : block, "above_block"))
                   : json_text(json_get(block, "block")), steps + 2);
    return irl_schedule_parse(f, text, IRL_TO_NUL, NULL);
}

static void check_recorded_case(const json *c, recorded_count *count)
{
    char      steps[600];
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f, *g;
    irl_mark  mark;
    const int theirs = json_get(c, "after")->kind == JSON_STRING;
    if (!step_of(c, steps, sizeof steps)) {
        count->unsaid++;
        count->theirs_unsaid += theirs;
        irl_ctx_destroy(cx);
        return;
    }
    f = irl_func_parse(cx, json_text(json_get(c, "before")), IRL_TO_NUL, NULL);
    if (!CHECK_OK(cx)) {
        irl_ctx_destroy(cx);
        return;
    }
    mark = irl_ctx_mark(cx);
    g = irl_schedule_parse(f, steps, IRL_TO_NUL, NULL);
    if (!g && strstr(irl_diag_text(cx), "reassociate first")) {
        irl_ctx_rewind(cx, mark);
        g = with_permission(f, c, steps);
        count->after_permission += g != NULL;
    }
    count->theirs += theirs;
    if (!g) {
        count->refused_by_both += !theirs;
        if (theirs) {
            const char *id = json_text(json_get(c, "id")), *why = reason_of(id);
            printf("%s %.60s\n  %.160s\n", id, steps, irl_diag_text(cx));
            if (!CHECK(why != NULL)) puts("  it stands in no table");
            else printf("  not carried out; %s\n", why);
            count->wrong += why && strncmp(why, "theirs: ", 8) == 0;
        }
    } else {
        const int same = schedule_same(f, g, 0);
        count->ours += theirs;
        count->carried_by_us_alone += !theirs;
        count->run += same == SAME;
        if (!CHECK(same != DIFFERENT)) printf("%s %s\n", json_text(json_get(c, "id")), steps);
    }
    irl_ctx_destroy(cx);
}

/* `held` sums what they and we carried out of the list's primitives; what has no words in our
   language counts as theirs alone. `every`: one recorded call in so many was looked at. */
static void report_recorded(const recorded_count *n, int every, recorded_count *held)
{
    const int theirs = n->theirs + n->theirs_unsaid;
    printf("%-22s theirs %d (%d wrong), of them ours %d: %.1f %% (%d after reassociate), run and "
           "equal %d; refused by both %d, by them alone %d; not said in our language %d\n",
           n->primitive, theirs, n->wrong, n->ours, theirs ? 100.0 * n->ours / theirs : 100.0,
           n->after_permission, n->run, n->refused_by_both, n->carried_by_us_alone, n->unsaid);
    CHECK(every > 1 || n->ours >= n->least);
    /* of what is right of theirs */
    CHECK(every > 1 || !is_held_to_theirs(n->primitive) ||
          n->ours * 100 >= (theirs - n->wrong) * 95);
    if (!is_held_to_theirs(n->primitive)) return;
    held->theirs += theirs;
    held->ours += n->ours;
}

static void check_recorded(void)
{
    static recorded_count counts[] = {
        { "split", 97, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "fuse", 64, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "reorder", 64, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "parallel", 10, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "vectorize", 45, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "unroll", 5, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "bind", 68, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "add_unit_loop", 14, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "cache_read", 35, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "cache_write", 30, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "decompose_reduction", 28, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "compute_inline", 32, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "compute_at", 58, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "reverse_compute_at", 31, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "reindex", 19, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "reindex_cache_read", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "reindex_cache_write", 3, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "loop_partition", 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "merge", 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "set_scope", 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "set_axis_separator", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "storage_align", 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "reverse_compute_inline", 20, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "transform_block_layout", 8, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "pad_einsum", 11, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "decompose_padding", 4, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "rolling_buffer", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "blockize", 6, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "rfactor", 34, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { "transform_layout", 28, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
    };
    json_file   file;
    const json *root = json_oracle(&file, "schedule_cases.json"), *c;
    const int   every = 10 / TEST_COUNT(10); /* all of them, or a tenth */
    int         number = 0;
    size_t      k;
    recorded_count held;
    memset(&held, 0, sizeof held);
    if (!root) {
        printf("skipped: ../shared is not here\n");
        test_skipped++;
        return;
    }
    for (c = root->first; c; c = c->next)
        for (k = 0; k < sizeof counts / sizeof *counts; k++)
            if (strcmp(json_text(json_get(c, "primitive")), counts[k].primitive) == 0 &&
                (every < 2 || number++ % every == 0))
                check_recorded_case(c, &counts[k]);
    for (k = 0; k < sizeof counts / sizeof *counts; k++) report_recorded(&counts[k], every, &held);
    printf("the primitives of the list: %d of %d, %.1f %%\n", held.ours, held.theirs,
           100.0 * held.ours / (held.theirs ? held.theirs : 1));
    CHECK(held.ours * 100 >= held.theirs * 95);
    json_free(&file);
}

/* fma(a, b, y) adds to y: contract may stand before what reorders sums, and behind it. */
static void check_contracted(void)
{
    static const char product[] = EINSUM("f32", ZERO, "y[a, b] + x[a, r] * w[r, b]");
    check_same(product, "{ contract(s); reassociate(s); (o, i) = split(s.k, 2); reorder(i, o); }",
               "{ reassociate(s); (o, i) = split(s.k, 2); reorder(i, o); contract(s); }");
    check_same(product, "{ contract(s); reassociate(s); (o, i) = split(s.k, 2); rfactor(o, 0); }",
               "{ reassociate(s); (o, i) = split(s.k, 2); rfactor(o, 0); contract(s_rf); }");
    check_same(product, "{ contract(s); pad_einsum(s, 5, 3, 4); }",
               "{ pad_einsum(s, 5, 3, 4); contract(s); }");
    check_same(product, "{ contract(s); reassociate(s); bind(s.k, local.x); }",
               "{ reassociate(s); contract(s); bind(s.k, local.x); }");
    check_refused(product, "{ contract(s); reorder(s.k, s.i); (o, i) = split(s.k, 2); "
                  "reorder(i, o); }", IRL_ERROR_ILLEGAL_STEP, "are one element");
    check_refused(product, "{ contract(s); rfactor(s.k, 0); }", IRL_ERROR_ILLEGAL_STEP,
                  "reassociate first");
    check_refused(EINSUM("f32", ZERO, "y[a, b] + fma(x[a, r], w[r, b], 1.0f)"),
                  "{ pad_einsum(s, 1, 1, 4); }", IRL_ERROR_ILLEGAL_STEP, "is not 0 where");
    check_refused(EINSUM("f32", ZERO, "fma(x[a, r], w[r, b], 1.0f)"),
                  "{ reassociate(s); }", IRL_ERROR_ILLEGAL_STEP, "is not a reduction");
    check_refused(EINSUM("f32", ZERO, "fma(y[a, b], w[r, b], y[a, b])"),
                  "{ reassociate(s); }", IRL_ERROR_ILLEGAL_STEP, "is not a reduction");
    check_refused(EINSUM("f32", ZERO, "fma(y[a, b], w[r, b], x[a, r])"),
                  "{ reassociate(s); }", IRL_ERROR_ILLEGAL_STEP, "is not a reduction");
}

/* Every primitive says what it does and requires, its example is a step, and what it requires is
   what a refusal of it says to do. */
static void check_steps_table(void)
{
    static const char text[] = "func f(q: i32[4]) { for (i: 4) q[i] = 1; }";
    const irl_diag   *d;
    irl_ctx          *cx;
    irl_func         *f;
    int               k;
    for (k = 0; irl_step_name(k); k++) {
        cx = irl_ctx_create(NULL);
        f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        CHECK(*irl_step_doc(k) && *irl_step_requires(k));
        CHECK(strstr(irl_step_example(k), irl_step_name(k)) != NULL);
        CHECK(!irl_schedule_do(f, "%s", irl_step_example(k)));
        if (!CHECK_CODE(cx, IRL_ERROR_UNKNOWN_NAME)) puts(irl_step_example(k));
        irl_ctx_destroy(cx);
    }
    CHECK(k >= 33 && !irl_step_name(-1) && !irl_step_name(1000));
    CHECK(!*irl_step_doc(-1) && !*irl_step_requires(k) && !*irl_step_example(1000));
    cx = irl_ctx_create(NULL);
    f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    CHECK(!irl_schedule_do(f, "split(q.i, 0)"));
    d = irl_diag_of(cx);
    CHECK(d && strncmp(d->remedy, "split requires a loop", 21) == 0);
    CHECK(d && strstr(d->text, d->remedy) != NULL);
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(NULL); /* behind a step that was done it is the code's again */
    f = irl_schedule_do(irl_func_parse(cx, text, IRL_TO_NUL, NULL), "split(q.i, 2)");
    CHECK(f && !irl_schedule_do(f, "nothing(q.i)"));
    d = irl_diag_of(cx);
    CHECK(d && strstr(d->remedy, "`irlc steps` lists the steps") != NULL);
    irl_ctx_destroy(cx);
}

#define NAMED_TWICE                                                                              \
    "func f(x: f32[8, 6], y: f32[8, 6], z: f32[8]) { alloc t: f32[8, 6]; "                       \
    "mm: for (i: 8) for (j: 6) { t[i, j] = 0; for (k: 6) t[i, j] += x[i, k] * y[k, j]; } "       \
    "a: for (i: 8) for (j: 5) y[i, j] = t[i, j]; for (i: 7) z[i] = x[i, 0]; }"

/* What is said of names, and how one gets a block. */
static void check_messages(void)
{
    static const struct { const char *steps; irl_code code; const char *says; } rows[] = {
        { "{ split(y.i 4); }", IRL_ERROR_SYNTAX, "hint: write steps as in { (io, ii) =" },
        { "{ split(mm); }", IRL_ERROR_SYNTAX, "split has 1 argument;" },
        { "{ (a, b, c) = split(a.i, 4); }", IRL_ERROR_ILLEGAL_STEP,
          "split gives 2 results here; 3 are named" },
        { "{ unroll(zz.i); }", IRL_ERROR_UNKNOWN_NAME, "hint: correct the name; loops, blocks" },
        { "{ unroll(i); }", IRL_ERROR_AMBIGUOUS_NAME, "block or nest, such as mm.i" },
        { "{ unroll(a); }", IRL_ERROR_ILLEGAL_STEP, "a loop is expected, such as a.i" },
        { "{ merge(a.i, z.i); }", IRL_ERROR_ILLEGAL_STEP, "the loops 'a.i' and 'z.i' have "
                                                          "different" },
        { "{ merge(a.i, a.i); }", IRL_ERROR_ILLEGAL_STEP, "'a.i' is not directly after" },
        { "{ bind(a.i, x); }", IRL_ERROR_UNKNOWN_NAME, "'x' is not a thread axis" },
        { "{ cache_read(a, zzz, local); }", IRL_ERROR_UNKNOWN_NAME,
          "no buffer of 'f' is called 'zzz'; there are: x, y, z, t" },
        { "{ transform_layout(a, tt, (i, j) -> (j, i)); }", IRL_ERROR_UNKNOWN_NAME,
          "is 't' meant?" },
        { "{ reorder(mm.k, mm.j); }", IRL_ERROR_ILLEGAL_STEP, "compose_reduction first)" },
        { "{ decompose_reduction(mm, mm.k); }", IRL_ERROR_ILLEGAL_STEP,
          "'mm' has no init: it is a nest, compose_reduction first" },
        { "{ rfactor(mm.k, 0); }", IRL_ERROR_ILLEGAL_STEP,
          "hint: rfactor requires a block with axes" },
    };
    int      k;
    irl_ctx *cx = irl_ctx_create(NULL);
    for (k = 0; k < (int)(sizeof rows / sizeof *rows); k++)
        check_refused(NAMED_TWICE, rows[k].steps, rows[k].code, rows[k].says);
    /* another letter is not near to one */
    CHECK(!irl_schedule_do(irl_func_parse(cx, NAMED_TWICE, IRL_TO_NUL, NULL), "unroll(a.k)"));
    CHECK(strstr(irl_diag_text(cx), "there are: j, i [") != NULL);
    irl_ctx_destroy(cx);
}

/* Parts of nests and loops with a label can be named, as those without can. */
static void check_labelled_parts(void)
{
    static const char nest[] = "func f(x: i32[8], y: i32[8]) { z: for (i: 8) y[i] = x[i]; }";
    static const char loops[] = "func f(x: i32[8], y: i32[8], w: i32[8]) { l: for (i: 8) { "
                                "y[i] = x[i]; z: for (j: 2) w[i] = i32(j); "
                                "z_1: for (j: 2) y[i] = i32(j); } }";
    static const char around[] = "func f(x: i32[8], y: i32[8]) { z: for (i: 8, j: 1) block b("
                                 "v: spatial(8) = i) { y[v] = x[v]; } }";
    check_steps(nest, "{ partition(z.i, 2, 4); unroll(z.i_0); parallel(z_1.i_1); "
                "unroll(z_2.i_2); }",
                "func f(x: i32[8], y: i32[8]) { z: for unrolled (i: 2) y[i] = x[i]; "
                "z_1: for parallel (i: 2 .. 4) y[i] = x[i]; "
                "z_2: for unrolled (i: 4 .. 8) y[i] = x[i]; }");
    check_steps(loops, "{ (a, b) = partition(l.i, 2); unroll(z_2.j); unroll(z_1_1.j); "
                "unroll(l_1.b); }",
                "func f(x: i32[8], y: i32[8], w: i32[8]) { l: for (i: 2) { y[i] = x[i]; "
                "z: for (j: 2) w[i] = i32(j); z_1: for (j: 2) y[i] = i32(j); } "
                "l_1: for unrolled (i: 2 .. 8) { y[i] = x[i]; "
                "z_2: for unrolled (j: 2) w[i] = i32(j); "
                "z_1_1: for unrolled (j: 2) y[i] = i32(j); } }");
    check_steps(around, "{ partition(z.i, 2); parallel(z_1.i_1); parallel(z.i_0); }",
                "func f(x: i32[8], y: i32[8]) { z: for parallel (i: 2) for (j: 1) block b("
                "v: spatial(2) = i) { y[v] = x[v]; } z_1: for parallel (i: 2 .. 8) for (j: 1) "
                "block b_1(v: spatial(8) = i) { y[v] = x[v]; } }");
}

/* A list of the names that there are has each that a step takes, once. */
static void check_listed(void)
{
    check_refused("func f(y: i32[8], w: i32[8]) { l: for (i: 8) { y[i] = 1; w[i] = 2; } }",
                  "{ unroll(nix.i); }", IRL_ERROR_UNKNOWN_NAME, "there are: l [");
    check_refused("func f(y: i32[8]) { z: for (i: 8, j: 1) block b(v: spatial(8) = i) "
                  "{ y[v] = 2; } }", "{ unroll(nix.i); }", IRL_ERROR_UNKNOWN_NAME,
                  "there are: b, z [");
    check_refused("func f(y: i32[8]) { y: for (i: 8) y[i] = 1; y: for (i: 8) y[i] = 2; }",
                  "{ unroll(nix.i); }", IRL_ERROR_UNKNOWN_NAME, "there are: y [");
}

/* A sum whose order is free is so as a block. */
static void check_free_blocks(void)
{
    static const char sum[] = "func f(x: f32[8, 4], y: f32[8]) { u: for (i: 8) { y[i] = 0; "
                              "for (k: 4) y[i] = y[i] + x[i, k]; } }";
    check_same(sum, "{ reassociate(u); compose_reduction(u); p = rfactor(u.k, 0); }",
               "{ reassociate(u); compose_reduction(u); reassociate(u); p = rfactor(u.k, 0); }");
    check_refused(sum, "{ compose_reduction(u); rfactor(u.k, 0); }", IRL_ERROR_ILLEGAL_STEP,
                  "reassociate first");
    /* what a refused bind advises is taken */
    check_refused(sum, "{ bind(u.k, local.x); }", IRL_ERROR_ILLEGAL_STEP,
                  "(compose_reduction and reassociate first)");
    check_same(sum, "{ compose_reduction(u); reassociate(u); bind(u.k, local.x); }",
               "{ reassociate(u); compose_reduction(u); bind(u.k, local.x); }");
}

int main(void)
{
    check_messages();
    check_text();
    check_steps_table();
    check_contracted();
    check_loops();
    check_covered();
    check_caches();
    check_reductions();
    check_composed();
    check_many();
    check_stores();
    check_names_after();
    check_plain_nests();
    check_distributed();
    check_tightened();
    check_gathered();
    check_powers();
    check_label_of_buffer();
    check_bound_together();
    check_chosen_parts();
    check_order();
    check_bound_again();
    check_kernels();
    check_condition_shared();
    check_inline();
    check_move();
    check_nested();
    check_found_by_draws();
    check_found_by_chains();
    check_what_stays();
    check_lengths();
    check_padded_bits();
    check_heads();
    check_begun();
    check_no_init();
    check_group_of_one();
    check_evaluated_once();
    check_exchanged();
    check_fenced();
    check_plain_names();
    check_shadowed_names();
    check_parted_inits();
    check_begins_later();
    check_two_tiles();
    check_parts_of_parts();
    check_copy_of_a_name();
    check_other_images();
    check_block_around();
    check_regions_around();
    check_items();
    check_passed_again();
    check_back_border();
    check_ring();
    check_share();
    check_shared_tiles();
    check_group_sums();
    check_sequence();
    check_peeled();
    check_memory();
    check_reindex();
    check_drawn();
    check_layout();
    check_block_layout();
    check_rfactor();
    check_rfactor_where();
    check_partial_drawn();
    check_label_of_named();
    check_rfactor_guarded();
    check_partial_guarded();
    check_decompose_order();
    check_pad();
    check_padding();
    check_cache_readers();
    check_cache_consumers();
    check_cache_consumers_drawn();
    check_names_at_zero();
    check_names_below_zero();
    check_cache_padded();
    check_cache_padded_drawn();
    check_cache_value();
    check_cache_value_drawn();
    check_continue_sum();
    check_continue_sum_drawn();
    check_skip_neutral();
    check_reindex_drawn();
    check_blockize();
    check_rolling();
    check_windows_drawn();
    check_digits_by_name();
    check_digits_drawn();
    check_loops_drawn();
    check_tiles();
    check_tiles_drawn();
    check_kept();
    check_calls();
    check_bounded();
    check_too_deep();
    check_notes();
    check_labelled_parts();
    check_listed();
    check_free_blocks();
    check_long_splits();
    check_found();
    check_refusals();
    check_declared_and_dead();
    check_effects();
    check_inner_blocks();
    check_early_indices();
    check_first_instances();
    check_computed_in_iterations();
    check_copies_filled();
    check_recorded();
    printf("%d compared on rounded numbers, at most %.3f of the errors of both, %ld of %ld without "
           "a bound\n", schedule_judged, schedule_agreement.worst,
           (long)schedule_agreement.unbounded, (long)schedule_agreement.numbers);
    CHECK(schedule_judged > 10 && schedule_agreement.worst > 0.01);
    printf("%d refusals have parts, %d accesses were evaluated\n", refusal_count,
           refusal_evaluated);
    CHECK(refusal_count > 350 && refusal_evaluated > 80);
    return test_done();
}
