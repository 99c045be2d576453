/* test_bounds.c - does every access lie in its buffer: what is refused with its point, what is
   said, what is proved; guards; modes; what the interpreter says of the lowered module. Generated
   functions, half of them with one access made wrong, are in test_bounds_generated.c. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/analysis/analysis.h"
#include "../src/eval/eval.h"
#endif
#include "failing.h"
#include "test.h"

static irl_func *parse(irl_ctx *cx, const char *text)
{
    return irl_func_parse(cx, text, IRL_TO_NUL, "text");
}

static irl_module *lower_by(irl_func *f, irl_bounds bounds)
{
    irl_lower_options how;
    memset(&how, 0, sizeof how);
    how.bounds = bounds;
    how.verify = 1;
    return irl_func_lower_with(f, &irl_target_opencl12, &how);
}

typedef struct row {
    const char *text, *part; /* of the message, or of the notes */
} row;

/* ------------------------------------------------------------------ outside: refused */

static const row outside[] = {
    { "func c(x: f32[8], y: f32[8]) { y[100] = x[0]; }",
      "'y' is written at [100], outside of its shape [8]" },
    { "func c(x: f32[8], y: f32[8]) { y[0] = x[-1]; }",
      "'x' is read at [-1], outside of its shape [8]" },
    { "func c(x: f32[8], y: f32[8]) { for (i: 9) y[i] = x[0]; }",
      "'y' is written at [i] = [8], outside of its shape [8] where i = 8" },
    { "func c(x: f32[8, 7], y: f32[8, 7]) { for (i: 8, j: 8) y[i, j] = x[0, 0]; }",
      "at [i, j] = [0, 7], outside of its shape [8, 7] where i = 0, j = 7" },
    { "func c(y: f32[8]) { for (i: 8) y[i - 1] = 0.0; }", "at [i - 1] = [-1]" },
    { "func c(y: f32[8]) { for (i: 1 .. 9) y[i] = 0.0; }", "where i = 8" },
    { "func c(y: f32[8, 4]) { for (i: 4, j: 8) y[i, j] = 0.0; }",
      "= [0, 4], outside of its shape [8, 4]" },
    { "func c(y: f32[30]) { for (i: 8, j: 4) if (i * 4 + j < 31) y[i * 4 + j] = 0.0; }",
      "at [i * 4 + j] = [30], outside of its shape [30] where i = 7, j = 2" },
    /* only inside of the range, between its ends */
    { "func c(y: f32[8]) { for (i: 100) if (i % 7 == 3) y[i / 10] = 0.0; }", "where i = 80" },
    { "func c(y: f32[7]) { for (i: 50) y[i * 13 % 8] = 0.0; }", "= [7], outside of its shape [7]" },
    { "func c(y: f32[8]) { for (i: 8) { let k = 7 - i; y[k - 1] = 0.0; } }", "where i = 7" },
    { "func c(y: f32[8]) { for (i: 8) y[let(k = i + 1, k)] = 0.0; }", "where i = 7" },
    { "func c(y: f32[8]) { for (i: 2) y[ramp(i * 4 + 1, 1, 4)] = broadcast(0.0, 4); }",
      "outside of its shape [8] where i = 1" },
    { "func c(y: f32[8]) { for (i: 2) y[ramp(i * 4 + 2, -1, 4)] = broadcast(0.0, 4); }",
      "outside of its shape [8] where i = 0" },
    /* an inner loop runs at the last iteration of the outer one, if at any */
    { "func c(n: index, y: f32[n]) { for (i: n) for (k: i) y[i + n - k] = 0.0; }", "outside of" },
    /* any axis, although another is read from memory */
    { "func c(k: i32[8], y: f32[8, 8]) { for (i: 8) y[index(k[i]), i + 1] = 0.0; }",
      "'y' is written at [index(k[i]), i + 1], outside of its shape [8, 8] where i = 7" },
    /* conditions, bounds, lets and indices read too */
    { "func c(k: i32[8], y: f32[8]) { for (i: 8) if (k[i + 1] > 0) y[i] = 0.0; }", "'k' is read" },
    { "func c(k: i32[8], y: f32[8]) { for (i: index(k[8])) y[0] = 0.0; }", "'k' is read at [8]" },
    { "func c(k: i32[8], y: f32[8]) { for (i: 8) y[index(k[i + 1]) % 8] = 0.0; }", "'k' is read" },
    { "func c(k: i32[8], y: f32[8]) { for (i: 8) y[i] = k[i] > 0 && k[i + 1] > 0 ? 1.0 : 0.0; }",
      NULL },
    { "func c(k: i32[8], y: f32[8]) { for (i: 8) y[i] = select(i < 7, f32(k[i + 1]), 0.0); }",
      "'k' is read at [i + 1]" },
    /* names: for all of them that make the loops run */
    { "func c(n: index, y: f32[n]) { for (i: n) y[i + 1] = 0.0; }",
      "= [1], outside of its shape [n] = [1] where n = 1, i = 0" },
    { "func c(n: index, y: f32[n]) { for (i: n + 1) y[i] = 0.0; }", "where n = 0, i = 0" },
    { "func c(n: index, y: f32[n]) { for (i: n) y[i - 1] = 0.0; }", "= [-1]" },
    { "func c(n: index, m: index, y: f32[n, m]) { for (i: n, j: m) y[n - i, j] = 0.0; }",
      "[n - i, j]" },
    { "func c(n: index, y: f32[n]) { for (i: (n + 3) / 4, j: 4) y[i * 4 + j + n % 4] = 0.0; }",
      NULL },
    { "func c(n: index, y: f32[2 * n]) { for (i: n, j: 2) y[i * 2 + j + 1] = 0.0; }",
      "[2 * n] = [2]" },
    { "func c(n: index, y: f32[n, n]) { for (i: n) for (j: i + 2) y[i, j] = 0.0; }", "'y'" },
    { "func c(n: index, y: f32[8]) { assume(n > 8); for (i: n) y[i] = 0.0; }",
      "where n = 9, i = 8" },
    { "func c(n: index, y: f32[8]) { for (j: n) for (i: 9) y[i] = 0.0; }", "i = 8" },
    /* blocks: axes leave their extents, regions their buffers */
    { "func c(y: f32[9]) { for (i: 9) block b(v: spatial(8) = i) { y[v] = 0.0; } }",
      "axis 'v' of block 'b' is bound to i = [8], outside of its extent 8 where i = 8" },
    { "func c(y: f32[8]) { for (i: 8) block b(v: spatial(8) = i) where(v > 3) { y[v + 1] = 0.0; } "
      "}",
      "= [8], outside of its shape [8] where i = 7" },
    { "func c(y: f32[8]) { for (i: 2) block b(v: spatial(2) = i) { match m: f32[5] = y[v * 4: 5]; "
      "m[0] = 0.0; } }",
      "'m' views 'y' from [i * 4] = [4] for [5], which leaves its shape [8] where i = 1" },
    { "func c(y: f32[8]) { for (i: 2) block b(v: spatial(2) = i) { match m: f32[4] = y[v * 4: 4]; "
      "m[v * 3 + 1] = 0.0; } }",
      "'m' is written at [i * 3 + 1] = [4], outside of its shape [4] where i = 1" },
    { "func c(x: f32[8, 4], y: f32[4]) { for (i: 4, k: 9) block b(v: spatial(4) = i, r: reduce(9) "
      "= "
      "k) { init y[v] = 0.0; y[v] = y[v] + x[r, v]; } }",
      "'x' is read" },
    { "func c(y: f32[4]) { for (i: 4, k: 4) block b(v: spatial(4) = i, r: reduce(4) = k) { init "
      "y[v "
      "+ 1] = 0.0; y[v] = y[v] + 1.0; } }",
      "where i = 3, k = 0" },
    /* work-items */
    { "func c(y: f32[60]) { for bind(group.x) (g: 4) for bind(local.x) (l: 16) y[g * 16 + l] = "
      "0.0; "
      "}",
      "where g = 3, l = 12" },
    /* the user's indices, whatever the layout does with them */
    { "func c(y: f32[10]) layout(y: (i) -> (i / 4, i % 4), pad(0)) { for (i: 12) y[i] = 0.0; }",
      "at [i] = [10], outside of its shape [10]" },
    { "func c(y: f32[6, 4, 4] scope(texture)) { for (a: 6, b: 5, c: 4) y[a, b, c] = 0.0; }",
      "[0, 4, 0], outside of its shape [6, 4, 4]" },
};

static void refused(void)
{
    size_t k;
    for (k = 0; k < sizeof outside / sizeof outside[0]; k++) {
        irl_ctx        *cx = irl_ctx_create(NULL);
        irl_func       *f = parse(cx, outside[k].text);
        const irl_diag *d;
        irl_bounds      how;
        if (!CHECK_OK(cx)) printf("%s\n", outside[k].text);
        for (how = IRL_BOUNDS_WARN; outside[k].part && how <= IRL_BOUNDS_GUARD;
             how = (irl_bounds)(how + 1)) {
            irl_mark mark = irl_ctx_mark(cx);
            CHECK(lower_by(f, how) == NULL);
            CHECK_CODE(cx, IRL_ERROR_OUT_OF_BOUNDS);
            d = irl_diag_of(cx);
            if (!CHECK(d && strstr(d->message, outside[k].part) && d->line == 1))
                printf("%s\n  wanted: %s\n%s\n", outside[k].text, outside[k].part,
                       irl_diag_text(cx));
            irl_ctx_rewind(cx, mark);
        }
        irl_ctx_destroy(cx);
    }
}

/* What to write instead, in the user's names, and how much of a loop is inside. */
static const row remedies[] = {
    { "func c(y: f32[n]) { for (i: n) y[i] = y[i - 1]; }",
      "write i >= 1 ? y[i - 1] : 0, or the range (i: 1 .. n)" },
    { "func c(y: f32[n]) { for (i: n) y[i + 1] += 1; }",
      "write if (i < n - 1) before it, or the range (i: n - 1)" },
    { "func c(y: f32[n, m]) { for (i: n, j: 2 .. m) y[i, j] = y[i - 1, j + 1]; }",
      "write i >= 1 && j < m - 1 ? y[i - 1, j + 1] : 0, or the range (i: 1 .. n, j: 2 .. m - 1)" },
    { "func c(x: f32[n], y: f32[n]) { for (i: 2 .. n) y[i] = sum(k: 5, x[i + k - 2]); }",
      "write i + k - 2 < n ? x[i + k - 2] : 0" },
    { "func c(y: f32[n]) { y[n] = 0; }", "the indices of 'y' on axis 0 are in [0, n)" },
    { "func c(y: f32[8]) { y[-1] = 0; }", "the indices of 'y' on axis 0 are in [0, 8)" },
};

static void remedied(void)
{
    for (size_t k = 0; k < sizeof remedies / sizeof remedies[0]; k++) {
        irl_ctx *cx = irl_ctx_create(NULL);
        CHECK(lower_by(parse(cx, remedies[k].text), IRL_BOUNDS_WARN) == NULL);
        if (!CHECK(irl_diag_of(cx) && strcmp(irl_diag_of(cx)->remedy, remedies[k].part) == 0))
            printf("  wanted: %s\n%s\n", remedies[k].part, irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
}

/* ------------------------------------------------------------------ neither: said */

static const row unproved[] = {
    { "func c(k: i32[8], y: f32[8]) { for (i: 8) y[index(k[i])] = 0.0; }",
      "text:1:43: warning: 'y' is written at [index(k[i])], and index(k[i]) is not proved to be in "
      "[0, 8): it is from -2147483648 to 2147483647\n" },
    { "func c(k: u8[8], y: f32[8]) { for (i: 8) y[index(k[i])] = 0.0; }",
      "is not proved to be below 8: it is from 0 to 255" },
    { "func c(x: f32[n], y: f32[n]) { y[0] = x[0]; }",
      "'y' is written at [0], which is outside where n = 0: write assume(n > 0); before it if it "
      "always holds, or if (n > 0) before it\n" },
    { "func c(k: i32[n], y: f32[n]) { for (i: n) y[i] = sum(j: 2, f32(k[index(k[i]) + j])); }",
      "'k' is read at [index(k[i]) + j], and" },
    /* reached or not: that is in memory */
    { "func c(k: i32[8], y: f32[8]) { if (k[0] > 0) y[8] = 0.0; }", "'y' is written at [8]" },
    /* for some values of the names */
    { "func c(n: index, y: f32[n]) { for (i: 8) y[i] = 0.0; }",
      "is not proved to be below n: it is from 0 to 7, and it is outside where n = 0, i = 0" },
    { "func c(n: index, m: index, y: f32[n]) { for (i: m) y[i] = 0.0; }",
      "and it is outside where n = 0" },
    { "func c(n: index, y: f32[8]) { for (i: n) y[i] = 0.0; }", "is outside where n = 9, i = 8" },
    { "func c(n: index, y: f32[8]) { if (n > 5) { for (i: 9) y[i] = 0.0; } }",
      "is outside where n = 6, i = 8" },
    { "func c(n: index, y: f32[6]) { for (i: n) for (k: i .. + 2) y[k] = 0.0; }",
      "is outside where n = 6, i = 5, k = 6" },
    /* an inner loop that does not run at an end of the outer one says nothing of it */
    { "func c(n: index, y: f32[7]) { for (i: n) for (k: i) y[i] = 0.0; }",
      "is outside where n = 8, i = 7" },
    { "func c(p: i32, y: f32[8]) { y[index(p)] = 0.0; }",
      "index(p) is not proved to be in [0, 8): it is from -2147483648 to 2147483647, and "
      "it is outside" },
    /* a condition on memory that the function writes says nothing of it later */
    { "func c(k: i32[8], y: f32[8]) { for (i: 8) if (k[i] >= 0 && k[i] < 8) { k[i] = 9; "
      "y[index(k[i])"
      "] = 0.0; } }",
      "'y' is written" },
    { "func c(n: index, y: f32[9]) { for (i: 9) block b(v: spatial(n) = i) { y[v] = 0.0; } }",
      "axis 'v' of block 'b' is bound to i, which is not proved to be below n" },
    { "func c(n: index, y: f32[8]) { for (i: n) block b(v: spatial(n) = i) { match m: f32[2] = "
      "y[v: "
      "2]; m[0] = 0.0; } }",
      "'m' views 'y' from [i] for [2], which on axis 0 is not proved to be below 8" },
    /* memory of its own: some of what is stored is outside, or not known */
    { "func c(x: f32[8, 5], y: f32[8, 5]) { for (i: 8) { let j = argmax(k: 5, x[i, k]); "
      "y[i, j + 1] = 0.0; } }",
      "j + 1 is not proved to be below 5: it is from 1 to 5" },
    { "func c(x: f32[8, n], y: f32[8]) { for (i: 8) { let j = argmax(k: n, x[i, k]); "
      "y[i] = x[i, j]; } }",
      "'x' is read at [i, j], and j is not proved to be below n" },
    { "func c(k: i32[8], y: f32[8]) { alloc t: i32[8]; for (i: 8) t[i] = k[i] & 7; t[0] = k[3]; "
      "for (i: 8) y[index(t[i])] = 0.0; }",
      "index(t[i]) is not proved to be in [0, 8)" },
    { "func c(k: i32[8], y: f32[8]) { alloc t: i32[8]; for (i: 8) t[i] = 7; "
      "for (i: 8) t[i] = t[i] + k[i]; for (i: 8) y[index(t[i])] = 0.0; }",
      "index(t[i]) is not proved to be in [0, 8)" },
    { "func c(k: i32[8], y: f32[8]) { alloc t: i32[8]; decl u: i32[2, 4] data(t); "
      "for (i: 8) t[i] = 0; for (i: 4) u[1, i] = k[i]; for (i: 8) y[index(t[i])] = 0.0; }",
      "index(t[i]) is not proved to be in [0, 8)" },
    { "func c(y: f32[8]) { alloc t: i32[8]; decl u: u8[32] data(t); for (i: 8) t[i] = 0; "
      "for (i: 32) u[i] = u8(7); for (i: 8) y[index(t[i])] = 0.0; }",
      "index(t[i]) is not proved to be in [0, 8)" },
    { "func c(y: f32[8]) { alloc t: i32[8]; for (i: 8) t[i] = 0; evaluate extern(i32, fill, t); "
      "for (i: 8) y[index(t[i])] = 0.0; }",
      "index(t[i]) is not proved to be in [0, 8)" },
    { "func c(n: index, y: f32[8]) { alloc t: i32[8]; for (i: 8) t[i] = 0; "
      "for (i: n) t[0] = i32(i % 9); for (i: 8) y[index(t[i])] = 0.0; }",
      "index(t[i]) is not proved to be below 8: it is from 0 to 8" },
    /* an update is told once */
    { "func c(k: i32[8], y: f32[8]) { for (i: 8) y[index(k[i])] = y[index(k[i])] + 1.0; }",
      "'y' is read and written at" },
    /* said: the more accesses, the fewer each */
    { "func c(k: i32[8], y: f32[8]) { for (i: 8) { "
      "y[index(k[0])] = 0.0; y[index(k[0])] = 0.0; y[index(k[0])] = 0.0; y[index(k[0])] = 0.0; "
      "y[index(k[0])] = 0.0; y[index(k[0])] = 0.0; y[index(k[0])] = 0.0; y[index(k[0])] = 0.0; "
      "y[index(k[0])] = 0.0; y[index(k[0])] = 0.0; y[index(k[0])] = 0.0; y[index(k[0])] = 0.0; "
      "y[index(k[0])] = 0.0; y[index(k[0])] = 0.0; y[index(k[0])] = 0.0; y[index(k[0])] = 0.0; "
      "y[index(k[0])] = 0.0; y[index(k[0])] = 0.0; y[index(k[0])] = 0.0; } }",
      "warning: 3 more accesses are not proved to be inside their buffers" },
};

static void said(void)
{
    size_t k;
    for (k = 0; k < sizeof unproved / sizeof unproved[0]; k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        irl_func   *f = parse(cx, unproved[k].text), *g;
        irl_module *m = lower_by(f, IRL_BOUNDS_WARN), *guarded;
        const char *notes = m ? irl_func_warnings(irl_module_host(m)) : "";
        irl_mark    mark;
        CHECK_OK(cx);
        if (!CHECK(strstr(notes, unproved[k].part)))
            printf("%s\n  wanted: %s\n%s\n", unproved[k].text, unproved[k].part, notes);
        /* looked at twice, said once */
        g = irl_func_run_pass(irl_func_run_pass(f, "check_bounds"), "check_bounds");
        CHECK(g && irl_func_equal(g, irl_func_run_pass(f, "check_bounds")));
        guarded = lower_by(f, IRL_BOUNDS_GUARD);
        if (!CHECK(guarded && irl_func_warnings(irl_module_host(guarded))[0] == '\0'))
            printf("%s\n%s\n", unproved[k].text, irl_diag_text(cx));
        mark = irl_ctx_mark(cx);
        CHECK(lower_by(f, IRL_BOUNDS_REFUSE) == NULL);
        CHECK_CODE(cx, IRL_ERROR_BOUNDS_UNKNOWN);
        irl_ctx_rewind(cx, mark);
        irl_ctx_destroy(cx);
    }
}

/* ------------------------------------------------------------------ inside: nothing is said */

static const char *const inside[] = {
    "func c(y: f32[8]) { for (i: 8) y[7 - i] = 0.0; }",
    "func c(y: f32[60]) { for (i: 8, j: 8) if (i * 8 + j < 60) y[i * 8 + j] = 0.0; }",
    "func c(y: f32[8]) { for (i: 64) if (i % 8 != i / 8) y[i % 8] = 0.0; else y[i / 8] = 1.0; }",
    "func c(y: f32[8]) { for (i: 9) if (i > 0 && !(i > 8 || i < 1)) y[i - 1] = 0.0; }",
    "func c(k: i32[8], y: f32[8]) { for (i: 8) y[i] = i < 7 && k[i + 1] > 0 ? f32(k[i + 1]) : 0.0; "
    "}",
    "func c(k: i32[8], y: f32[8]) { for (i: 8) y[i] = i < 7 ? f32(k[i + 1]) : 0.0; }",
    "func c(k: i32[8], y: f32[8]) { for (i: 8) y[i] = i == 7 || k[i + 1] > 0 ? 1.0 : 0.0; }",
    /* gathers that are kept inside */
    "func c(k: i32[8], y: f32[8]) { for (i: 8) y[min(max(index(k[i]), 0), 7)] = 0.0; }",
    "func c(k: i32[8], y: f32[8]) { for (i: 8) y[index(k[i]) % 8] = 0.0; }",
    "func c(k: i32[8], y: f32[8]) { for (i: 8) if (k[i] >= 0 && k[i] < 8) y[index(k[i])] = 0.0; }",
    "func c(k: i32[8], y: f32[8]) { for (i: 8) { let a = index(k[i]); if (a >= 0 && a < 8) y[a] = "
    "0.0; } }",
    "func c(k: u8[8], y: f32[256]) { for (i: 8) y[index(k[i])] = 0.0; }",
    "func c(k: i32[8], y: f32[8]) { assume(k[3] >= 0 && k[3] < 8); y[index(k[3])] = 0.0; }",
    /* what is stored in memory of the function's own */
    "func c(x: f32[8, 5], y: f32[8]) { for (i: 8) { let j = argmax(k: 5, x[i, k]); y[i] = x[i, j]; "
    "} }",
    "func c(x: f32[8, n], y: f32[8]) { assume(n >= 1); for (i: 8) { let j = argmax(k: n, x[i, k]); "
    "y[i] = x[i, j]; } }",
    "func c(k: i32[8], y: f32[9]) { alloc t: i32[8]; for (i: 8) t[i] = k[i] & 7; "
    "for (i: 8) y[index(t[7 - i]) + 1] = 0.0; }",
    "func c(k: i32[8], y: f32[8]) { alloc t: u32[2, 4]; for (i: 2, j: 4) t[i, j] = u32(i * 4 + j); "
    "t[1, 1] = u32(3); for (i: 8) y[index(t[i / 4, i % 4])] = 0.0; }",
    "func c(k: i32[8], y: f32[8]) { for (i: 8) { alloc a: i64[]; a[] = 0; for (j: 8) "
    "if (k[j] > k[i]) a[] = i64(j); let b = index(a[]); y[b] = 0.0; } }",
    /* names */
    "func c(n: index, y: f32[n]) { for (i: n) y[n - 1 - i] = 0.0; }",
    "func c(n: index, m: index, y: f32[n, m]) { for (i: n, j: m) y[i, j] = 0.0; }",
    "func c(n: index, m: index, y: f32[n * m]) { for (i: n, j: m) y[i * m + j] = 0.0; }",
    "func c(n: index, y: f32[n]) { for (i: (n + 3) / 4, j: 4) if (i * 4 + j < n) y[i * 4 + j] = "
    "0.0;"
    " }",
    "func c(n: index, y: f32[(n + 3) / 4 * 4]) { for (i: (n + 3) / 4 * 4) block b(v: spatial((n + "
    "3) / 4 * 4) = i) { y[v] = 0.0; } }",
    "func c(n: index, y: f32[n]) { for (i: 1 .. n - 1) y[i] = y[i - 1] + y[i + 1]; }",
    "func c(n: index, y: f32[n]) { for (i: n) y[min(i + 2, n - 1)] = y[max(i - 2, 0)]; }",
    "func c(n: index, y: f32[n]) { for (i: n) y[(i * 3 + 1) % n] = 0.0; }",
    "func c(n: index, y: f32[n + 2]) { for (i: n, k: 3) y[i + k] = 0.0; }",
    "func c(n: index, y: f32[n, n]) { for (i: n) for (j: i + 1) y[i, j] = 0.0; }",
    "func c(n: index, y: f32[n, 4]) { for (i: 4 * n) y[i / 4, i % 4] = 0.0; }",
    "func c(n: index, y: f32[64]) { assume(n <= 64); for (i: n) y[i] = 0.0; }",
    "func c(n: index, y: f32[64]) { assert(n <= 16, \"few\"); for (i: n, j: 4) y[i * 4 + j] = 0.0; "
    "}",
    "func c(n: index, y: f32[n]) { for (i: n) y[0] = 0.0; }",
    "func c(n: index, m: index, y: f32[n]) { for (i: min(n, m)) y[i] = 0.0; }",
    "func c(n: index, m: index, y: f32[n]) { for (i: m) if (i < n) y[i] = 0.0; }",
    "func c(n: index, y: f32[8]) { for (i: n) y[i % 8] = 0.0; }",
    "func c(n: index, y: f32[n]) { for (i: 8) y[i % n] = 0.0; }",
    "func c(n: index, y: f32[8]) { for (i: min(n, 8)) { alloc t: f32[n]; t[i] = 0.0; y[i] = t[i]; "
    "} }",
    /* what never runs */
    "func c(y: f32[8]) { for (i: 0) y[100] = 0.0; }",
    "func c(y: f32[8]) { for (i: 5 .. 5) y[100] = 0.0; }",
    "func c(n: index, y: f32[8]) { assume(n < 4); for (i: 4 .. n) y[100] = 0.0; }",
    "func c(y: f32[8]) { for (i: 8) if (i > 9) y[100] = 0.0; }",
    "func c(n: index, y: f32[8]) { assume(n > 4); if (n < 4) y[100] = 0.0; }",
    "func c(y: f32[8]) { assert(false, \"no\"); y[100] = 0.0; }",
    "func c(y: f32[8]) { for (i: 4) if (i % 2 == 5) y[i + 100] = 0.0; }",
    "func c(y: f32[0, 4]) { for (i: 0, j: 4) y[i, j] = 0.0; }",
    /* vectors */
    "func c(y: f32[8]) { for (i: 2) y[ramp(i * 4, 1, 4)] = broadcast(0.0, 4); }",
    "func c(y: f32[8]) { for (i: 2) y[ramp(7 - i, -2, 4)] = broadcast(0.0, 4); }",
    "func c(y: f32[8]) { y[broadcast(7, 4)] = broadcast(0.0, 4); }",
    /* blocks */
    "func c(y: f32[8]) { for (i: 3, j: 3) block b(v: spatial(8) = i * 3 + j) where(i * 3 + j < 8) "
    "{ "
    "y[v] = 0.0; } }",
    "func c(n: index, y: f32[n]) { for (i: n) block b(v: spatial(n) = n - 1 - i) { y[v] = 0.0; } }",
    "func c(y: f32[8, 8]) { for (i: 2, j: 2) block b(v: spatial(2) = i, w: spatial(2) = j) { match "
    "m:"
    " f32[4, 4] = y[v * 4: 4, w * 4: 4]; for (p: 4, q: 4) m[p, q] = 0.0; } }",
    "func c(x: f32[8, 4], y: f32[4]) { for (i: 4, k: 8) block b(v: spatial(4) = i, r: reduce(8) = "
    "k)"
    " reads(x[99, 99]) { init y[v + r] = 0.0; y[v] = y[v] + x[r, v]; } }",
    /* a read of memory that the text alone declares a region of */
    "func c(k: i32[8], y: f32[8]) { for (i: 8) block b(v: spatial(8) = i) reads(k[index(k[100])]) "
    "{ "
    "y[v] = 0.0; } }",
};

static void proved(void)
{
    size_t k;
    for (k = 0; k < sizeof inside / sizeof inside[0]; k++) {
        irl_ctx  *cx = irl_ctx_create(NULL);
        irl_func *f = parse(cx, inside[k]), *g = irl_func_run_pass(f, "check_bounds");
        if (!CHECK(g && irl_func_warnings(g)[0] == '\0'))
            printf("%s\n%s%s\n", inside[k], irl_diag_text(cx), g ? irl_func_warnings(g) : "");
        /* and so nothing is guarded */
        CHECK(!g || irl_func_equal(irl_func_run_pass(f, "guard_bounds"), f));
        CHECK(!g || irl_func_run_pass(f, "prove_bounds") != NULL);
        irl_ctx_destroy(cx);
    }
}

/* ------------------------------------------ elements of each number of bits as indices */

/* A table that has an element for each value of an element, or one less. */
static void elements_of_bits(void)
{
    int bits, is_signed, less;
    for (bits = 1; bits < 32; bits++)
        for (is_signed = 0; is_signed < 2; is_signed++)
            for (less = 0; less < 2; less++) {
                irl_ctx        *cx;
                const long long values = 1ll << bits, least = is_signed ? -values / 2 : 0;
                char            text[512];
                irl_func       *f, *g;
                if (bits == 1 && is_signed) continue;
                cx = irl_ctx_create(NULL);
                snprintf(text, sizeof text,
                         "func c(k: %c%d[9]%s, p: f32[%lld], y: f32[9, 2]) { for (i: 9, j: 2) "
                         "y[i, j] = p[(index(%s(k[i])) + %lld) %s 1]; }",
                         is_signed ? 'i' : 'u', bits,
                         bits % 8 && bits % 3 ? " bits(msb)" : "", values - less,
                         is_signed ? "i32" : "u32", -least, bits % 2 ? "*" : "/");
                f = parse(cx, text);
                g = irl_func_run_pass(f, "check_bounds");
                if (!CHECK(g && (irl_func_warnings(g)[0] != '\0') == less))
                    printf("%s\n%s\n", text, g ? irl_func_warnings(g) : irl_diag_text(cx));
                irl_ctx_destroy(cx);
            }
}

/* ------------------------------------------------------------------ guards */

static const row guards[] = {
    { "func c(k: i32[8], y: f32[8]) { for (i: 8) y[index(k[i])] = y[index(k[i])] + 1.0; }",
      "if (index(k[i]) >= 0 && index(k[i]) < 8)\n            y[index(k[i])] = y[index(k[i])] + "
      "1.0f;" },
    { "func c(k: u8[8], x: f32[8], y: f32[8]) { for (i: 8) y[i] = x[index(k[i])]; }",
      "y[i] = if_then_else(index(k[i]) < 8, x[index(k[i])], 0.0f);" },
    { "func c(n: index, y: f32[n]) { for (i: 2) y[ramp(i, 2, 2)] = broadcast(1.0, 2); }",
      "if (i + 2 < n)\n            y[i + 2] = lane(lanes, 1);" },
    { "func c(n: index, x: f32[n], y: f32[2]) { for (i: 2) y[ramp(0, 1, 2)] = x[ramp(i, 2, 2)]; }",
      "shuffle(if_then_else(i < n, x[i], 0.0f), if_then_else(i + 2 < n, x[i + 2], 0.0f), [0, 1])" },
    { "func c(n: index, y: f32[9]) { for (i: 9) block b(v: spatial(n) = i) where(i > 2) { y[v] = "
      "0.0; "
      "} }",
      "where(i > 2 && v < n)" },
    { "func c(n: index, y: f32[n]) { for (i: 8) block b(v: spatial(8) = i) { match m: f32[2] = "
      "y[v: "
      "2]; m[1] = 0.0; } }",
      "if (v + 1 < n)\n                y[v + 1] = 0.0f;" },
    { "func c(k: i32[8], y: f32[8]) { if (k[index(k[0])] > 0) y[0] = 1.0; }",
      "if (if_then_else(index(k[0]) >= 0 && index(k[0]) < 8, k[index(k[0])], 0) > 0)" },
    { "func c(k: i32[8], y: f32[8]) { y[index(k[0]) + index(k[1]) * 2 + index(k[2]) * 3 + "
      "index(k[3])"
      " * 5 + index(k[4])] = 1.0; }",
      "let at = " },
};

static void guarded(void)
{
    size_t k;
    for (k = 0; k < sizeof guards / sizeof guards[0]; k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        irl_func   *g = irl_func_run_pass(parse(cx, guards[k].text), "guard_bounds");
        const char *text = g ? irl_func_text(g) : irl_diag_text(cx);
        if (!CHECK(g && strstr(text, guards[k].part)))
            printf("%s\n  wanted: %s\n%s\n", guards[k].text, guards[k].part, text);
        /* a guard proves what it guards */
        if (g && !CHECK(irl_func_equal(irl_func_run_pass(g, "guard_bounds"), g)))
            printf("%s\n", text);
        irl_ctx_destroy(cx);
    }
}

/* What cannot be guarded is said with what to do. */
static void unguarded(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    CHECK(!irl_func_run_pass(
        parse(cx, "func c(k: i32[8], y: f32[8]) { alloc t: f32[index(k[index(k[0])])]"
                  "; t[0] = 1.0; y[0] = t[0]; }"),
        "guard_bounds"));
    CHECK_CODE(cx, IRL_ERROR_BOUNDS_UNKNOWN);
    irl_ctx_destroy(cx);
}

/* A load outside gives zero of every type, a store is skipped; vectors by lanes. In the function
   and in its module. */
static void zero_of_every_type(void)
{
    static const char *const types[] = { "bool", "i8",     "i16",    "i32",     "i64",    "u8",
                                         "u16",  "u32",    "u64",    "f16",     "bf16",   "f32",
                                         "f64",  "unorm8", "snorm8", "unorm16", "snorm16" };
    size_t                   k;
    for (k = 0; k < sizeof types / sizeof types[0]; k++) {
        irl_ctx      *cx = irl_ctx_create(NULL);
        char          text[600];
        unsigned char x[4 * 8], y[16 * 8], expected[16 * 8];
        int32_t       at[8] = { 0, -1, 3, 4, 100, 2, -2147483647, 1 };
        int64_t       n = 4;
        int           j, vector, bytes;
        irl_func     *f, *g;
        irl_type      type;
        CHECK(irl__type_named(types[k], strlen(types[k]), &type));
        bytes = irl__type_info(type)->bytes;
        for (vector = 0; vector < 2; vector++) {
            memset(x, 1, sizeof x);
            memset(y, 0x11, sizeof y);
            if (strcmp(types[k], "bool") == 0) memset(y, 1, sizeof y);
            memcpy(expected, y, sizeof y);
            sprintf(text,
                    vector ? "func c(n: index, k: i32[8], x: %s[n], y: %s[3, n - 1]) { for (i: 3) "
                             "y[i, ramp(1, 1, 4)] = x[ramp(i, 1, 4)]; }"
                           : "func c(n: index, k: i32[8], x: %s[n], y: %s[8]) { for (i: 8) "
                             "y[i] = x[index(k[i])]; }",
                    types[k], types[k]);
            f = parse(cx, text);
            g = irl_func_run_pass(f, "guard_bounds");
            for (j = 0; j < 8 && !vector; j++) memcpy(expected + j * bytes, x, (size_t)bytes);
            for (j = 0; j < 8 && !vector; j++)
                if (at[j] < 0 || at[j] >= n) memset(expected + j * bytes, 0, (size_t)bytes);
            for (j = 0; j < 3 && vector; j++) { /* y[j, 1] and y[j, 2] are x[j] and x[j + 1] */
                memcpy(expected + (j * 3 + 1) * bytes, x, (size_t)bytes);
                memcpy(expected + (j * 3 + 2) * bytes, x, (size_t)bytes);
            }
            CHECK(irl_func_interpret(g, IRL_POINTERS(&n, at, x, y)));
            if (!CHECK_OK(cx) ||
                !CHECK(memcmp(y, expected, (size_t)bytes * (vector ? 12 : 8)) == 0))
                printf("%s\n%s", text, g ? irl_func_text(g) : irl_diag_text(cx));
            memset(y, strcmp(types[k], "bool") == 0 ? 1 : 0x11, sizeof y);
            CHECK(irl_module_interpret(lower_by(f, IRL_BOUNDS_GUARD), IRL_POINTERS(&n, at, x, y)));
            if (!CHECK_OK(cx) ||
                !CHECK(memcmp(y, expected, (size_t)bytes * (vector ? 12 : 8)) == 0))
                printf("%s\n%s", text, irl_diag_text(cx));
        }
        irl_ctx_destroy(cx);
    }
}

/* ------------------------------------------------------------------ asking */

static void modes(void)
{
    irl_ctx     *cx = irl_ctx_create(NULL);
    irl_func    *f = parse(cx, "func c(k: i32[8], y: f32[8]) { for (i: 8) y[index(k[i])] = 0.0; }");
    irl_module  *m;
    irl_lower_options how;
    int          k;
    irl_mark     mark = irl_ctx_mark(cx);
    memset(&how, 0, sizeof how);
    how.bounds = (irl_bounds)7;
    CHECK(irl_func_lower_with(f, &irl_target_opencl12, &how) == NULL);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_rewind(cx, mark);
    /* a stage of its own, that may be run by name, but is not among those of every function */
    m = irl_func_lower(f, &irl_target_opencl12);
    CHECK(m && strstr(irl_module_text(m), "attr(unproved = \"text:1:43: warning: 'y' is written"));
    for (k = 0; irl_pass_name(k) && strcmp(irl_pass_name(k), "check_bounds") != 0; k++) {}
    CHECK(irl_pass_name(k) && !irl_pass_is_optional(k));
    /* what is parsed is not looked at, unless it is asked */
    f = parse(cx, "func c(y: f32[8]) { y[9] = 0.0; }");
    CHECK(f != NULL);
    m = irl_module_parse(
        cx,
        "module c target(opencl12) { host func c(y: f32[8]) { launch k(y); } kernel "
        "func k(y: f32[8]) { for bind(global.x) (i: 9) y[i] = 0.0; } }",
        IRL_TO_NUL, NULL);
    CHECK_OK(cx);
    CHECK(!irl_module_check(m, NULL));
    CHECK_CODE(cx, IRL_ERROR_OUT_OF_BOUNDS);
    irl_ctx_destroy(cx);
}

/* In flat memory y[i, 7] is y[i + 1, 0]: another work-item's element, or nobody's. The module says
   so as the function does. */
static void lowered_says_the_same(void)
{
    static const char *const texts[] = {
        "func c(k: i32[8], y: f32[8, 7]) { for (i: 8) y[i, index(k[i])] = 1.0; }",
        "func c(k: i32[8], y: f32[8, 7]) { for (i: 8) y[7 - i, index(k[i])] = 1.0; }",
        "func c(k: i32[8], y: f32[8, 7]) { y[0, index(k[0])] = 1.0; }",
    };
    size_t k;
    for (k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        irl_func   *f = parse(cx, texts[k]);
        irl_module *m = irl_func_lower(f, &irl_target_opencl12);
        int32_t     at[8] = { 7, 0, 0, 0, 0, 0, 0, 0 }, fine[8] = { 6, 5, 4, 3, 2, 1, 0, 0 };
        float       y[56];
        irl_mark    mark = irl_ctx_mark(cx);
        CHECK_OK(cx);
        memset(y, 0, sizeof y);
        CHECK(irl_module_interpret(m, IRL_ARGS(fine, y)));
        CHECK_OK(cx);
        CHECK(y[0] == (float)(k == 1) && y[6] == (float)(k != 1));
        CHECK(!irl_func_interpret(f, IRL_ARGS(at, y)));
        CHECK_CODE(cx, IRL_ERROR_OUT_OF_BOUNDS);
        irl_ctx_rewind(cx, mark);
        memset(y, 0, sizeof y);
        CHECK(!irl_module_interpret(m, IRL_ARGS(at, y)));
        CHECK_CODE(cx, IRL_ERROR_OUT_OF_BOUNDS);
        CHECK(strstr(irl_diag_text(cx), "'y' is written at [") != NULL);
        irl_ctx_destroy(cx);
    }
}

/* --------------------------------------------------------- bounded work, failing memory */

/* Thousands of accesses of which nothing is known, under thousands of lets. */
static void work_is_bounded(void)
{
    char     *text = (char *)malloc(1 << 20), *p = text;
    int       k;
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *g;
    p +=
        sprintf(p, "func f(n: index, k: i32[64], y: f32[n, 77]) { for (a: 50, b: 50, c: 50, d: 50) "
                   "{ let v0 = a; ");
    for (k = 1; k < 1500; k++) p += sprintf(p, "let v%d = v%d + %d; ", k, k - 1, k % 3);
    for (k = 0; k < 1500; k++)
        p += sprintf(p, "y[a * %d %% (b * 7 + c + d * d + 1) * 3, v%d %% 77] = 1.0; ", k + 3, k);
    sprintf(p, "} }");
    g = irl_func_run_pass(parse(cx, text), "check_bounds");
    CHECK_OK(cx);
    CHECK(g && strstr(irl_func_warnings(g), "more accesses"));
    irl_ctx_destroy(cx);
    free(text);
}

static int asks(irl_ctx *cx, int which)
{
    static const char text[] = "func f(n: index, x: f32[n, 8], y: f32[n], m: i32[4]) { assume(n < "
                               "9); for (i: 4, j: 8) block "
                               "b(vi: spatial(8) = index(m[i]), vk: reduce(8) = j) where(vi < 7) { "
                               "alloc s: f32[1]; match p: "
                               "f32[1] = x[vi, vk: 1]; init y[vi] = 0.0; let c = vi; s[0] = c > 1 "
                               "&& m[c % 4] > 2 ? p[0] : "
                               "0.0; y[c] = y[c] + s[0]; if (i * j % 5 < 7) y[ramp(i * j % 5, 1, "
                               "2)] = broadcast(1.0, 2); } }";
    static const char *const passes[] = { "check_bounds", "guard_bounds", "prove_bounds" };
    irl_func *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    return f && (irl_func_run_pass(f, passes[which]) ||
                 irl_diag_of(cx)->code == IRL_ERROR_BOUNDS_UNKNOWN);
}

static void memory_is_out(void)
{
    int k;
    for (k = 0; k < 3; k++) failing_each(asks, k, 0);
}

/* A lane that a vector has not, as a number: refused wherever it stands. */
static void lanes_outside(void)
{
    static const int lanes[] = { -1, 0, 3, 4, 5, 63 };
    size_t           k;
    for (k = 0; k < sizeof lanes / sizeof lanes[0]; k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        char        text[160];
        irl_module *m;
        sprintf(text, "func f(x: f32x4[8], y: f32[8]) { for (i: 8) y[i] = lane(x[i], %d); }",
                lanes[k]);
        m = irl_func_lower(irl_func_parse(cx, text, IRL_TO_NUL, NULL), &irl_target_opencl12);
        if (lanes[k] >= 0 && lanes[k] < 4) CHECK_OK(cx);
        else if (CHECK(!m)) CHECK_CODE(cx, IRL_ERROR_OUT_OF_BOUNDS);
        irl_ctx_destroy(cx);
    }
}

/* Operators with a number that gives them no value, in places that are always reached or not: what
   lowering refuses, the interpreter refuses by the same diagnostic; what is always reached and
   wrong is refused by both. */
static void never_right(void)
{
    static const char *const types[] = { "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64" };
    static const char *const forms[] = { "x[i] / %d", "x[i] %% %d", "x[i] << %d", "x[i] >> %d",
                                         "floordiv(x[i], %d)", "truncmod(x[i], %d)" };
    static const int         numbers[] = { 0, 1, 7, 8, 9, 16, 31, 32, 64 };
    /* 1: each run reaches %s; y has 4 elements, x as many, of 1, n is 0 */
    static const struct {
        int         is_reached;
        const char *body;
    } places[] = {
        { 1, "for (i: 4) y[i] = %s;" },
        { 1, "for (i: 4) { let v = %s; y[i] = v; }" },
        { 1, "for (i: 4) if ((%s) > 1) y[i] = 1;" },
        { 1, "for (i: 4) y[i] = max(3, (%s) + x[0]);" },
        { 1, "for (i: 4) y[i] = 0; for (i: 4) for (j: 2) y[i] += %s;" },
        { 0, "for (i: 4) y[i] = if_then_else(x[i] > 5, %s, 1);" },
        { 0, "for (i: 4) y[i] = x[i] > 5 && (%s) > 0 ? 1 : 2;" },
        { 0, "for (i: 4) y[i] = x[i] < 5 || (%s) > 0 ? 1 : 2;" },
        { 0, "for (i: 4) { y[i] = 1; if (x[i] > 5) y[i] = %s; }" },
        { 0, "for (i: 4) y[i] = 1; for (i: n) y[i] = %s;" },
        { 0, "for (i: 4) y[i] = sum(k: n, %s);" },
    };
    int refused_by_both = 0, carried_out = 0;
    for (size_t t = 0; t < 8; t++)
        for (size_t k = 0; k < 6 * 9 * sizeof places / sizeof *places; k++) {
            irl_ctx    *cx = irl_ctx_create(NULL), *again = irl_ctx_create(NULL);
            char        value[40], body[160], text[240];
            int64_t     n = 0;
            uint64_t    x[4], y[4];
            const size_t place = k / 54;
            snprintf(value, sizeof value, forms[k % 6], numbers[k / 6 % 9]);
            snprintf(body, sizeof body, places[place].body, value);
            snprintf(text, sizeof text, "func f(n: index, x: %s[4], y: %s[4]) { %s }", types[t],
                     types[t], body);
            memset(x, 1, sizeof x);
            memset(y, 0, sizeof y);
            for (int j = 0; j < 4; j++) {
                if (types[t][1] == '8') ((uint8_t *)x)[j] = 1;
                else if (types[t][1] == '1') ((uint16_t *)x)[j] = 1;
                else if (types[t][1] == '3') ((uint32_t *)x)[j] = 1;
                else x[j] = 1;
            }
            irl_func *f = parse(cx, text), *g = parse(again, text);
            if (!f) { /* a number that the type does not hold */
                irl_ctx_destroy(cx);
                irl_ctx_destroy(again);
                continue;
            }
            const int   runs = irl_func_interpret(f, IRL_POINTERS(&n, x, y));
            irl_module *m = irl_func_lower(g, &irl_target_c99);
            if (!CHECK(m ? runs || !places[place].is_reached
                         : !runs && irl_diag_of(cx)->code == irl_diag_of(again)->code))
                printf("%s\n%s\n%s\n", text, irl_diag_text(cx), irl_diag_text(again));
            refused_by_both += !m;
            carried_out += m != NULL;
            irl_ctx_destroy(cx);
            irl_ctx_destroy(again);
        }
    printf("%d functions divide by zero or shift too far at each run, %d others\n",
           refused_by_both, carried_out);
    CHECK(refused_by_both > 300 && carried_out > 1000);
}

int main(void)
{
    never_right();
    lanes_outside();
    refused();
    remedied();
    said();
    proved();
    elements_of_bits();
    guarded();
    unguarded();
    zero_of_every_type();
    modes();
    lowered_says_the_same();
    work_is_bounded();
    memory_is_out();
    return TEST_DONE();
}
