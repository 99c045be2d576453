/* test_reductions.c - what the text says in one line: y[i] += e and its kin, sum(k: 64, e) and its
   kin, labels. Each function gives the numbers of the same one written out by hand, as it is, read
   back from its print, scheduled automatically, and lowered for every target; its print is what
   docs/grammar.md says. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#endif
#include "test.h"
#include "random64.h"
#include "schedule_data.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
enum { ROWS = 12, COLUMNS = 8, MOST_TEXT = 8192 };

/* ------------------------------------------------------------------ two texts, one meaning */

typedef struct arrays {
    int64_t n;
    float   x[ROWS * COLUMNS], y[ROWS];
    int32_t z[ROWS], w[ROWS];
    uint8_t b[ROWS];
    double  d[ROWS];
} arrays;

#define SIGNATURE \
    "func f(n: index, x: f32[12, 8], y: f32[12], z: i32[12], w: i32[12], b: u8[12], d: f64[12])"

/* Integers in floats, so that every order and every rounding gives the same. */
static void fill(arrays *a, int64_t n)
{
    int k;
    memset(a, 0, sizeof *a);
    a->n = n;
    for (k = 0; k < ROWS * COLUMNS; k++) a->x[k] = (float)(random_below(9) - 4);
    for (k = 0; k < ROWS; k++) {
        a->y[k] = (float)(random_below(9) - 4);
        a->z[k] = (int32_t)random_below(12);
        a->w[k] = (int32_t)((uint32_t)(random_below(64) - 32) * 100000007u); /* any bits */
        a->b[k] = (uint8_t)random_below(256);
        a->d[k] = (double)(random_below(33) - 16);
    }
}

static irl_arguments arguments(arrays *a)
{
    return IRL_ARGS(&a->n, a->x, a->y, a->z, a->w, a->b, a->d);
}

static int same(const arrays *a, const arrays *b) { return memcmp(a, b, sizeof *a) == 0; }

static int modules;

static int right_on(irl_ctx *cx, const irl_func *f, const char *target,
                    irl_schedule_kind schedule, const arrays *given, const arrays *expected)
{
    irl_lower_options how;
    irl_mark          mark = irl_ctx_mark(cx);
    irl_module       *m;
    arrays            found = *given;
    int               ok;
    memset(&how, 0, sizeof how);
    how.schedule = schedule;
    how.verify = 1;
    m = irl_func_lower_with(f, irl_target_find(target), &how);
    if (!m) { /* a plain device takes all */
        ok = strcmp(target, "opencl12") != 0 && strcmp(target, "c99") != 0;
        if (ok) irl_ctx_rewind(cx, mark);
        return ok;
    }
    modules++;
    ok = irl_module_interpret(m, arguments(&found)) && same(&found, expected);
    irl_ctx_rewind(cx, mark);
    return ok;
}

/* What f computes, in all its forms, is `expected`. */
static int right_everywhere(irl_ctx *cx, const irl_func *f, const arrays *given,
                            const arrays *expected)
{
    const char *text = irl_func_text(f);
    irl_func   *again = irl_func_parse(cx, text, IRL_TO_NUL, "printed");
    arrays      found = *given;
    int         k, ok = again && irl_func_equal(f, again) &&
                strcmp(irl_func_text(again), text) == 0;
    ok = ok && irl_func_interpret(f, arguments(&found)) && same(&found, expected);
    for (k = 0; ok && irl_target_name(k); k++)
        ok = right_on(cx, f, irl_target_name(k), IRL_SCHEDULE_NONE, given, expected) &&
             right_on(cx, f, irl_target_name(k), IRL_SCHEDULE_AUTO, given, expected);
    return ok;
}

typedef struct pair {
    const char *text, *hand; /* statements */
} pair;

static void check_pair(const pair *t, int64_t n)
{
    char      text[MOST_TEXT];
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f, *g;
    arrays    given, expected;
    snprintf(text, sizeof text, "%s { %s }", SIGNATURE, t->text);
    f = irl_func_parse(cx, text, IRL_TO_NUL, "text");
    snprintf(text, sizeof text, "%s { %s }", SIGNATURE, t->hand);
    g = irl_func_parse(cx, text, IRL_TO_NUL, "hand");
    fill(&given, n);
    expected = given;
    if (!CHECK(f && g && irl_func_interpret(g, arguments(&expected)) &&
               right_everywhere(cx, f, &given, &expected)))
        printf("n = %ld: %s\n%s%s\n", (long)n, t->text, irl_diag_text(cx),
               f ? irl_func_text(f) : "");
    irl_ctx_destroy(cx);
}

static const pair pairs[] = {
    /* updates: of each operator, with the whole right side as its operand */
    { "for (i: 12) { z[i] += 3; z[i] -= w[i] & 7; z[i] *= z[i] - 1; z[i] /= 3; z[i] %= 5; }",
      "for (i: 12) { z[i] = z[i] + 3; z[i] = z[i] - (w[i] & 7); z[i] = z[i] * (z[i] - 1); z[i] = "
      "z[i] / 3; z[i] = z[i] % 5; }" },
    { "for (i: 12) { w[i] &= 12345 + z[i]; w[i] |= z[i] ^ 3; w[i] ^= 77; w[i] <<= z[i]; w[i] >>= "
      "2 + 1; }",
      "for (i: 12) { w[i] = w[i] & (12345 + z[i]); w[i] = w[i] | (z[i] ^ 3); w[i] = w[i] ^ 77; "
      "w[i] = w[i] << z[i]; w[i] = w[i] >> 3; }" },
    { "for (i: 12) y[i] /= 2.0; for (i: 12, k: n) y[i] += x[i, k % 8] * 2.0;",
      "for (i: 12) y[i] = y[i] / 2.0; for (i: 12, k: n) y[i] = y[i] + x[i, k % 8] * 2.0;" },
    { "for (i: 12) w[index(z[i])] += 1; b[index(z[2])] -= u8(1); y[ramp(0, 1, 4)] *= 3.0;",
      "for (i: 12) w[index(z[i])] = w[index(z[i])] + 1; b[index(z[2])] = b[index(z[2])] - u8(1); "
      "for (i: 4) y[i] = y[i] * 3.0;" },
    { "for (i: 12) w[i] += sum(k: i, z[k]);",
      "for (i: 12) { let old = w[i]; w[i] = 0; for (k: i) w[i] = w[i] + z[k]; w[i] = old + w[i]; "
      "}" },
    /* all that is stored */
    { "for (i: 12) y[i] = sum(k: 8, x[i, k]);",
      "for (i: 12) { y[i] = 0.0; for (k: 8) y[i] = y[i] + x[i, k]; }" },
    { "for (i: 12) y[i] = prod(k: 2 .. 5, x[i, k]);",
      "for (i: 12) { y[i] = 1.0; for (k: 3) y[i] = y[i] * x[i, k + 2]; }" },
    { "for (i: 12) y[i] = max(k: 8, x[i, k]); for (i: 12) z[i] = min(k: 12, w[k] ^ w[i]);",
      "for (i: 12) { y[i] = x[i, 0]; for (k: 1 .. 8) y[i] = max(y[i], x[i, k]); } for (i: 12) { "
      "z[i] = w[0] ^ w[i]; for (k: 1 .. 12) z[i] = min(z[i], w[k] ^ w[i]); }" },
    { "for (i: 3 .. 9) z[i] = sum(k: 5, w[i + k - 3]);",
      "for (i: 3 .. 9) { z[i] = 0; for (k: 5) z[i] = z[i] + w[i + k - 3]; }" },
    { "for (r: 2) for (i: 12) z[i] = sum(k: 4, w[i] >> i32(k));",
      "for (i: 12) { z[i] = 0; for (k: 4) z[i] = z[i] + (w[i] >> i32(k)); }" },
    { "for (i: 4, j: 3) z[i * 3 + j] = sum(k: 4, w[k * 3 + j]);",
      "for (i: 4, j: 3) { let at = i * 3 + j; z[at] = 0; for (k: 4) z[at] = z[at] + w[k * 3 + j]; "
      "}" },
    { "for (i: 12) d[i] = sum(f64: k: 8, x[i, k]);",
      "for (i: 12) { d[i] = 0.0; for (k: 8) d[i] = d[i] + f64(x[i, k]); }" },
    { "for (i: 12) z[i] = sum(i32: k: 12, b[k]);",
      "for (i: 12) { z[i] = 0; for (k: 12) z[i] = z[i] + i32(b[k]); }" },
    { "for (i: 12) b[i] = sum(k: 9, u8(200));", "for (i: 12) b[i] = 8;" },
    { "for (i: 12) z[i] = prod(k: 12, i32(1000003));",
      "for (i: 12) { z[i] = 1; for (k: 12) z[i] = z[i] * 1000003; }" },
    { "z[3] = sum(i: 12, k: 2, w[i]); y[0] = sum(k: 4, 1.5);",
      "z[3] = 0; for (i: 12, k: 2) z[3] = z[3] + w[i]; y[0] = 6.0;" },
    /* empty ranges */
    { "for (i: 12) { y[i] = sum(k: n, x[i, k]); z[i] = prod(k: n .. 3, w[i]); }",
      "for (i: 12) { y[i] = 0.0; for (k: n) y[i] = y[i] + x[i, k]; z[i] = 1; for (k: n .. 3) z[i] "
      "= z[i] * w[i]; }" },
    { "for (i: 12) { z[i] = max(k: 0, w[k]); w[i] = min(k: 4 .. 4, w[k]); b[i] = max(k: 0, b[k]); "
      "}",
      "for (i: 12) { z[i] = -2147483648; w[i] = 2147483647; b[i] = 0; }" },
    { "for (i: 12) { y[i] = max(k: 0, x[i, k]); d[i] = min(k: 5 .. 2, d[k]); b[i] = min(k: 0, "
      "b[k]); }",
      "for (i: 12) { y[i] = -1.0 / 0.0f; d[i] = f64(1.0) / f64(0.0); b[i] = 255; }" },
    /* ranges that depend on loops, on each other, on memory; names that hide others */
    { "for (i: 12) z[i] = sum(k: i, l: k .. i, w[k] & w[l]);",
      "for (i: 12) { z[i] = 0; for (k: i, l: k .. i) z[i] = z[i] + (w[k] & w[l]); }" },
    { "for (i: 12) y[i] = sum(k: index(z[i]) % 9, x[i, k]);",
      "for (i: 12) { y[i] = 0.0; for (k: index(z[i]) % 9) y[i] = y[i] + x[i, k]; }" },
    { "for (i: 8) y[i] = sum(i: i, x[0, i]) + x[1, i];",
      "for (i: 8) { y[i] = 0.0; for (k: i) y[i] = y[i] + x[0, k]; y[i] = y[i] + x[1, i]; }" },
    { "for (i: 8, j: i + 1) z[j] = sum(k: 3, w[i + k]);",
      "for (i: 8, j: i + 1) { z[j] = 0; for (k: 3) z[j] = z[j] + w[i + k]; }" },
    { "{ let n = 3; for (i: 12) z[i] = sum(k: n, w[i] & i32(k)); alloc sum: i32[2]; sum[0] = 4; "
      "sum[1] = sum(k: n, sum[0]); w[0] = sum[1]; }",
      "for (i: 12) { z[i] = 0; for (k: 3) z[i] = z[i] + (w[i] & i32(k)); } w[0] = 12;" },
    /* beside loops without statements */
    { "for (i: 3) { } for (i: 12) z[i] = 1 + sum(k: 3, w[k]); for (i: 2, j: 3) { { } }",
      "for (i: 12) z[i] = 1 + w[0] + w[1] + w[2];" },
    /* inside of larger expressions */
    { "for (i: 12) y[i] = 2.0 * sum(k: 8, x[i, k]) + y[i];",
      "for (i: 12) { let old = y[i]; y[i] = 0.0; for (k: 8) y[i] = y[i] + x[i, k]; y[i] = 2.0 * "
      "y[i] + old; }" },
    { "for (i: 12) y[i] = max(k: 8, x[i, k]) - min(k: n, x[i, k]) * min(y[i], 0.0);",
      "alloc a: f32[1]; alloc c: f32[1]; for (i: 12) { a[0] = x[i, 0]; for (k: 8) a[0] = "
      "max(a[0], x[i, k]); c[0] = 1.0 / 0.0f; for (k: n) c[0] = min(c[0], x[i, k]); y[i] = a[0] - "
      "c[0] * min(y[i], 0.0); }" },
    { "for (i: 12) z[i] = sum(k: 4, sum(l: k, w[l]) * z[i]);",
      "alloc t: i32[2]; for (i: 12) { t[0] = 0; for (k: 4) { t[1] = 0; for (l: k) t[1] = t[1] + "
      "w[l]; t[0] = t[0] + t[1] * z[i]; } z[i] = t[0]; }" },
    { "for (i: 12) z[i] = sum(k: 4, max(l: 3, w[l + k]) & 255);",
      "alloc t: i32[2]; for (i: 12) { t[0] = 0; for (k: 4) { t[1] = w[k]; for (l: 3) t[1] = "
      "max(t[1], w[l + k]); t[0] = t[0] + (t[1] & 255); } z[i] = t[0]; }" },
    /* what is stored is read, or may be */
    { "for (i: 12) z[i] = sum(k: 12, z[k]);",
      "alloc t: i32[1]; for (i: 12) { t[0] = 0; for (k: 12) t[0] = t[0] + z[k]; z[i] = t[0]; }" },
    { "decl v: i32[3, 4] data(z); for (i: 3) v[i, 0] = sum(k: 12, z[k]);",
      "alloc t: i32[1]; for (i: 3) { t[0] = 0; for (k: 12) t[0] = t[0] + z[k]; z[i * 4] = t[0]; "
      "}" },
    { "for (i: 12) z[i] = sum(k: index(z[i] & 7), 2);", "for (i: 12) z[i] = (z[i] & 7) * 2;" },
    { "for (i: 4) z[index(z[i]) % 12] = sum(k: 3, 1 << z[i] % 8);",
      "for (i: 4) z[index(z[i]) % 12] = 3 * (1 << z[i] % 8);" },
    /* of indices */
    { "for (i: 12) z[sum(k: 4, k * i) % 12] = i32(max(k: 3, i - k) + min(k: n + 1, i));",
      "for (i: 12) z[i * 6 % 12] = i32(i + i);" },
    /* where a statement asks, binds, or says where */
    { "for (i: 12) if (sum(k: 8, x[i, k]) > 0.0) y[i] = 1.0; else y[i] = max(k: 4, x[i, k]);",
      "for (i: 12) { alloc t: f32[1]; t[0] = 0.0; for (k: 8) t[0] = t[0] + x[i, k]; if (t[0] > "
      "0.0) y[i] = 1.0; else { y[i] = x[i, 0]; for (k: 4) y[i] = max(y[i], x[i, k]); } }" },
    { "for (i: 12) { let m = max(k: 8, x[i, k]); let s = sum(k: 8, x[i, k] - m); y[i] = s * m; }",
      "alloc t: f32[2]; for (i: 12) { t[0] = x[i, 0]; for (k: 8) t[0] = max(t[0], x[i, k]); t[1] "
      "= 0.0; for (k: 8) t[1] = t[1] + (x[i, k] - t[0]); y[i] = t[1] * t[0]; }" },
    { "for (i: 12) let s = sum(k: 3, w[k]); let s = sum(k: 3, w[k]); z[0] = s; z[1] = sum(k: 2, "
      "s);",
      "alloc s: i32[1]; s[0] = w[0] + w[1] + w[2]; z[0] = s[0]; z[1] = s[0] + s[0];" },
    { "for (i: 12) z[index(sum(k: 4, z[k])) % 12] = i32(i);",
      "alloc t: i32[1]; for (i: 12) { t[0] = 0; for (k: 4) t[0] = t[0] + z[k]; z[index(t[0]) % "
      "12] = i32(i); }" },
    { "assert(sum(k: 12, z[k]) >= 0, \"a sum\"); assume(prod(k: n, 1) == 1); evaluate sum(k: 2, "
      "w[k]); z[0] = 5;",
      "z[0] = 5;" },
    /* where conditions leave it out */
    { "for (i: 12) y[i] = i < 8 ? sum(k: i .. 8, x[0, k + i - i]) : if_then_else(n > 4, prod(k: "
      "4, x[i, k]), 7.0);",
      "for (i: 12) { if (i < 8) { y[i] = 0.0; for (k: i .. 8) y[i] = y[i] + x[0, k]; } else if (n "
      "> 4) { y[i] = 1.0; for (k: 4) y[i] = y[i] * x[i, k]; } else y[i] = 7.0; }" },
    { "for (i: 14) if (i < 12 && sum(k: 2, z[i]) > 6 || i == 3) w[i] = 1;",
      "for (i: 12) if (z[i] + z[i] > 6 || i == 3) w[i] = 1;" },
    { "for (i: 14) if (i >= 12 || sum(k: 2, z[i]) > 6) w[i % 12] = 1;",
      "for (i: 14) if (i >= 12) w[i % 12] = 1; else if (z[i] + z[i] > 6) w[i] = 1;" },
    { "for (i: 12) z[i] = n == 0 ? 4 : sum(k: 3, w[k] / i32(n));",
      "for (i: 12) { if (n == 0) z[i] = 4; else { z[i] = 0; for (k: 3) z[i] = z[i] + w[k] / "
      "i32(n); } }" },
    { "for (i: 12) z[i] = let(a = w[i] & 15, sum(k: 3, let(c = a + i32(k), c * sum(l: 2, c + "
      "a))));",
      "for (i: 12) { let a = w[i] & 15; z[i] = 0; for (k: 3) { let c = a + i32(k); z[i] = z[i] + c "
      "* (c + a + (c + a)); } }" },
    /* kinds of loops, blocks, lanes */
    { "for parallel (i: 12) y[i] = sum(k: 8, x[i, k]);",
      "for (i: 12) { y[i] = 0.0; for (k: 8) y[i] = y[i] + x[i, k]; }" },
    { "for vectorized (i: 12) y[i] = sum(k: 8, x[i, k]) * 2.0;",
      "for (i: 12) { y[i] = 0.0; for (k: 8) y[i] = y[i] + x[i, k]; y[i] = y[i] * 2.0; }" },
    { "for bind(group.x) (g: 3) for bind(local.x) (l: 4) y[g * 4 + l] = sum(k: 8, x[g * 4 + l, "
      "k]);",
      "for (i: 12) { y[i] = 0.0; for (k: 8) y[i] = y[i] + x[i, k]; }" },
    { "for (i: 12) block b(v: spatial(12) = i) { z[v] = sum(k: 3, w[v] >> i32(k)); }",
      "for (i: 12) z[i] = w[i] + (w[i] >> 1) + (w[i] >> 2);" },
    { "for (i: 12) block b(v: spatial(12) = i) { match m: i32[1] = z[v: 1]; m[0] = sum(k: 3, "
      "z[v]); }",
      "for (i: 12) z[i] = z[i] * 3;" },
    { "for (i: 3) y[ramp(i * 4, 1, 4)] = sum(k: 4, x[ramp(k, 2, 4), 1]);",
      "" },
    { "for (i: 3) y[ramp(i * 4, 1, 4)] = sum(k: 4, x[i, ramp(k, 1, 4)]);",
      "for (i: 3, l: 4) { y[i * 4 + l] = 0.0; for (k: 4) y[i * 4 + l] = y[i * 4 + l] + x[i, k + "
      "l]; }" },
};

/* Ranges with steps: their end is excluded both ways, and what is beyond it is empty. */
#define STEPS(range, hand) \
    { "for (i: " range ") { z[i] += 7; y[i] = x[i, i % 8]; w[(i + 1) % 12] *= z[i]; }", \
      "for (q: 20) " hand " { z[i] += 7; y[i] = x[i, i % 8]; w[(i + 1) % 12] *= z[i]; } }" }
static const pair steps[] = {
    STEPS("0 .. 12 : 2", "if (q % 2 == 0 && q < 12) { let i = q;"),
    STEPS("1 .. 12 : 5", "if (q == 1 || q == 6 || q == 11) { let i = q;"),
    STEPS("11 .. -1 : -1", "if (q < 12) { let i = 11 - q;"),
    STEPS("11 .. 0 : -4", "if (q < 12 && q % 4 == 0) { let i = 11 - q;"),
    STEPS("n - 1 .. -1 : -1", "if (q < n) { let i = n - 1 - q;"),
    STEPS("2 * n .. n : -2", "if (q < n && q % 2 == 0) { let i = 2 * n - q;"),
    STEPS("n .. 12 : 3", "if (q + n < 12 && q % 3 == 0) { let i = n + q;"),
    STEPS("5 .. 5 : 2", "if (q < 0) { let i = q;"),
    STEPS("5 .. 2 : 2", "if (q < 0) { let i = q;"),
    STEPS("2 .. 5 : -1", "if (q < 0) { let i = q;"),
    STEPS("3 .. 4 : 2147483647", "if (q == 3) { let i = q;"),
    STEPS("3 .. 8 : 1", "if (q >= 3 && q < 8) { let i = q;"),
    { "for (i: 4) for (i: i .. 12 : 5) z[i] += i32(i);",
      "for (j: 4, q: 12) if (q >= j && (q - j) % 5 == 0) z[q] += i32(q);" },
    { "for (i: 0 .. index(z[2]) % 12 : 2) w[i] = 5;",
      "for (i: index(z[2]) % 12) if (i % 2 == 0) w[i] = 5;" },
    { "for (i: 12) { let from = index(w[i]) % 5; for (k: from .. 12 : 3) z[k] += 1; }",
      "for (i: 12) { let from = index(w[i]) % 5; for (k: 12) if (k >= from && (k - from) % 3 == 0) "
      "z[k] += 1; }" },
    { "for (i: 12) y[i] = sum(k: 7 .. -1 : -2, x[i, k]);",
      "for (i: 12) y[i] = x[i, 7] + x[i, 5] + x[i, 3] + x[i, 1];" },
    { "for (i: 12) z[i] = max(i32: k: 0 .. n : 2, j: k .. 12 : 4, w[j]);",
      "for (i: 12) { z[i] = -2147483648; for (k: n) if (k % 2 == 0) for (j: 12) if (j >= k && (j - "
      "k) % 4 == 0) z[i] = max(z[i], w[j]); }" },
};

static void check_steps(void)
{
    for (int k = 0; k < COUNT(steps); k++)
        for (int64_t n = 0; n < 6; n++) check_pair(&steps[k], n);
}

/* What ranges and reductions cannot have is said with what to write. */
static void check_refused(void)
{
    static const char *const cases[][2] = {
        { "for (i: 0 .. 8 : 0) y[i] = 0;",
          "the step of a range is a constant from -2147483647 to 2147483647, and not 0" },
        { "for (i: 0 .. 8 : n) y[i] = 0;", "hint: write for (k: ...) with the number of values" },
        { "for (i: 0 .. 8 : 2147483648) y[i] = 0;", "the step of a range is a constant" },
        { "for (i: 0 .. 8 : -2147483648) y[i] = 0;", "the step of a range is a constant" },
        { "for (i: index(z[0]) .. 8 : 2) y[i] = 0;", "hint: write let from = ...; before it" },
        { "for (i: -9223372036854775807 .. 9223372036854775807 : 2) y[i] = 0;",
          "the length of this range does not fit 63 bits" },
        { "for (i: 8 : 2) y[i] = 0;", "hint: a step follows the end of a range" },
        { "y[0] = mean(x);", "hint: write a range first, mean(k: n, ...)" },
        { "y[0] = mean(x);", "there is no function 'mean' here, only a reduction [" },
        { "w[0] = argmax(k: 8, j: 8, x[k, j]);", "hint: write one range over all, argmax(k: n" },
        { "y[0] = mean(k: 8, z[k]);", "hint: state the type, as in mean(f32: k: 64, e)" },
        { "y[0] = mean(k: 8, j: k, x[k, j]);", "hint: divide the sum by the number of values" },
        { "w[0] = count(k: 8, z[k]);", "hint: write z[k] != 0" },
        { "w[0] = any(i32: k: 8, z[k] > 1) ? 1 : 0;", "any gives a bool, and has no other type" },
        { "w[0] = argmax(k: 8, z[k] > 1);", "argmax compares integers and floats; found bool" },
        { "y[0], w[0] = max(k: 8, x[0, k]);", "i32 is expected here; found f32" },
        { "y[0], w[0] = sum(k: 8, z[k]);", "only argmax and argmin store two elements at once" },
        { "y[0], w[0] = argmax(k: 8, z[k]);", "hint: state the type, as in argmax(f32: k: 64, e)" },
        { "y[0], 3 = argmax(k: 8, z[k]);", "expected the element that the index goes to, y[i], " },
        { "{ let k = argmax(k: 8, z[k]); z[0], w[0] = i32(k); }",
      "only argmax and argmin store two elements" },
        { "w[0] = count(count(k: 3, true));", "hint: write a range first, count(k: n, ...)" },
    };
    for (int k = 0; k < COUNT(cases); k++) {
        char     text[512];
        irl_ctx *cx = irl_ctx_create(NULL);
        snprintf(text, sizeof text, "%s { %s }", SIGNATURE, cases[k][0]);
        CHECK(!irl_func_parse(cx, text, IRL_TO_NUL, NULL));
        if (!CHECK(strstr(irl_diag_text(cx), cases[k][1]))) printf("%s\n", irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
}

/* The forms of reductions: of equal values the first is picked, of none the begin of the range. */
static const pair forms[] = {
    { "for (i: 12) y[i] = mean(k: 8, x[i, k]);",
      "for (i: 12) y[i] = sum(k: 8, x[i, k]) / 8.0f;" },
    { "for (i: 12) y[i] = mean(k: n + 1, j: 1 .. 4, x[i, (k + j) % 8]) * 2;",
      "for (i: 12) y[i] = sum(k: n + 1, j: 1 .. 4, x[i, (k + j) % 8]) / f32(3 * n + 3) * 2;" },
    { "for (i: 12) d[i] = mean(f64: k: 0 .. 8 : 3, x[i, k]);",
      "for (i: 12) d[i] = (f64(x[i, 0]) + f64(x[i, 3]) + f64(x[i, 6])) / f64(3);" },
    { "for (i: 12) w[i] = mean(k: n - 7, x[i, k]) != mean(k: 0, x[i, k]) ? 1 : 0;", /* NaN */
      "for (i: 12) w[i] = 1;" },
    { "for (i: 12) w[i] = count(k: 8, x[i, k] > 0) + count(k: n, z[k] == z[i]);",
      "for (i: 12) w[i] = sum(i32: k: 8, x[i, k] > 0 ? 1 : 0) + sum(i32: k: n, z[k] == z[i] ? 1 : "
      "0);" },
    { "for (i: 12) b[i] = u8(count(k: 8, x[i, k] > 0));",
      "for (i: 12) b[i] = u8(sum(i32: k: 8, x[i, k] > 0 ? 1 : 0));" },
    { "for (i: 12) if (any(k: 8, x[i, k] > 2) && !all(k: n, z[k] > 0)) w[i] = 7;",
      "for (i: 12) { let a = max(i32: k: 8, x[i, k] > 2 ? 1 : 0); let b = min(i32: k: n, z[k] > 0 "
      "? 1 : 0); if (a == 1 && b == 0) w[i] = 7; }" },
    { "w[0] = any(k: 0, true) ? 1 : 2; w[1] = all(k: n, false) ? 1 : 2;",
      "w[0] = 2; if (n == 0) w[1] = 1; else w[1] = 2;" },
    { "for (i: 12) w[i] = argmax(k: 8, x[i, k]) * 100 + argmin(k: 8, x[i, k]);",
      "for (i: 12) { alloc u: f32[2]; alloc t: i32[2]; for (q: 2) { t[q] = 0; u[q] = x[i, 0]; } "
      "for (k: 8) { if (x[i, k] > u[0]) { u[0] = x[i, k]; t[0] = i32(k); } if (x[i, k] < u[1]) { "
      "u[1] = x[i, k]; t[1] = i32(k); } } w[i] = t[0] * 100 + t[1]; }" },
    { "for (i: 12) w[i] = argmax(k: 7 .. -1 : -1, z[k] & 3);", /* the last of equal ones */
      "for (i: 12) { alloc u: i32[]; u[] = -1; for (k: 8) if ((z[k] & 3) >= u[]) { u[] = z[k] & 3; "
      "w[i] = i32(k); } }" },
    { "for (i: 12) w[i] = argmin(k: 3 .. n, z[k]) + argmax(k: n .. 2, k);",
      "for (i: 12) { alloc u: i32[2]; u[0] = 3; for (k: 4 .. n) if (z[k] < z[index(u[0])]) u[0] = "
      "i32(k); u[1] = i32(n); for (k: n .. 2) u[1] = i32(k); w[i] = u[0] + u[1]; }" },
    { "for (i: 12) y[i], w[i] = argmax(k: 8, x[i, k]);",
      "for (i: 12) { y[i] = max(k: 8, x[i, k]); w[i] = argmax(k: 8, x[i, k]); }" },
    { "for (i: 12) if (i > n) d[i], w[11 - i] = argmin(f64: k: 6 .. -1 : -2, x[i, k] * 0.5);",
      "for (i: 12) if (i > n) { w[11 - i] = argmin(k: 6 .. -1 : -2, x[i, k] * 0.5); d[i] = "
      "f64(x[i, index(w[11 - i])] * 0.5); }" },
    { "for (i: 12) z[i], b[i] = u8(argmax(k: i + 1, z[k] * 5 % 7));",
      "for (i: 12) { let k = argmax(k: i + 1, z[k] * 5 % 7); z[i] = z[k] * 5 % 7; b[i] = u8(k); "
      "}" },
    { "for (i: 12) { let k = argmax(j: 8, x[i, j]); w[i] = i32(k); d[i] = f64(k); }",
      "for (i: 12) { w[i] = argmax(j: 8, x[i, j]); d[i] = f64(w[i]); }" },
    { "for (i: 12) { let m = i - 3; d[i] = f64(argmin(j: m .. i, z[j % 3 + 3]) + sum(j: i, k: j, "
      "k - j)) + f64(max(j: m .. m + 2, -j)) + f64(min(j: 3 .. m, j)) + f64(count(j: n, z[j] > 3));"
      " "
      "}",
      "for (i: 12) { alloc t: i64[4]; t[0] = i64(i - 3); for (j: i - 2 .. i) if (z[j % 3 + 3] < "
      "z[index(t[0]) % 3 + 3]) t[0] = i64(j); t[1] = 0; for (j: i, k: j) t[1] = t[1] + i64(k - j); "
      "t[2] = 9223372036854775807; for (j: 3 .. i - 3) t[2] = min(t[2], i64(j)); t[3] = 0; for (j: "
      "n) if (z[j] > 3) t[3] = t[3] + 1; d[i] = f64(t[0] + t[1]) + f64(3 - i) + f64(t[2]) + "
      "f64(t[3]); }" },
    { "for (i: 12) w[i] = n > 2 ? argmax(k: 4, sum(j: k + 1, z[j])) : 5;",
      "for (i: 12) { if (n > 2) { alloc u: i32[8]; u[0] = 0; for (k: 4) { u[k + 1] = 0; for (j: k "
      "+ 1) u[k + 1] = u[k + 1] + z[j]; if (u[k + 1] > u[index(u[0]) + 1]) u[0] = i32(k); } w[i] = "
      "u[0]; } else w[i] = 5; }" },
    { "alloc mean: f32[]; mean[] = mean(k: 8, x[0, k]); alloc count: i32[3]; for (all: 3) "
      "count[all] = count(any: 8, x[all, any] < mean[]); for (argmax: 3) w[argmax] = "
      "count[argmax];",
      "let m = sum(k: 8, x[0, k]) / 8.0f; for (i: 3) w[i] = sum(i32: k: 8, x[i, k] < m ? 1 : 0);" },
};

/* A name that a fn, a prototype or a buffer has means that; with a range it is the reduction. */
static void check_declared(void)
{
    static const char text[] =
        "fn mean(a: f32, b: f32) -> f32 = (a + b) * 0.5f; " SIGNATURE " extern count(v: f32): i32 "
        "pure { alloc any: i32[]; any[] = any(k: 8, x[0, k] > 0) ? 3 : 4; for (all: 12) y[all] = "
        "mean(y[all], mean(k: 8, x[all, k])); if (n > 99) w[0] = count(y[0]); w[1] = any[]; "
        "for (i: 12) z[i] = count(k: 8, x[i, k] > 0); }";
    static const char hand[] =
        SIGNATURE " { let a = max(i32: k: 8, x[0, k] > 0 ? 1 : 0); for (i: 12) y[i] = (y[i] + "
        "sum(k: 8, x[i, k]) / 8.0f) * 0.5f; w[1] = a == 1 ? 3 : 4; for (i: 12) z[i] = sum(i32: k: "
        "8, x[i, k] > 0 ? 1 : 0); }";
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = irl_func_parse(cx, text, IRL_TO_NUL, "text");
    irl_func *g = irl_func_parse(cx, hand, IRL_TO_NUL, "hand");
    arrays    found, expected;
    fill(&found, 3);
    expected = found;
    if (!CHECK(f && g && irl_func_interpret(g, arguments(&expected)) &&
               irl_func_interpret(f, arguments(&found)) && same(&found, &expected)))
        printf("%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
}

static void check_forms(void)
{
    for (int k = 0; k < COUNT(forms); k++)
        for (int64_t n = 0; n < 6; n += 2) check_pair(&forms[k], n);
}

static void check_pairs(void)
{
    static const int64_t sizes[] = { 0, 1, 5 };
    int                  k, j;
    for (k = 0; k < COUNT(pairs); k++)
        for (j = 0; pairs[k].hand[0] && j < COUNT(sizes); j++) check_pair(&pairs[k], sizes[j]);
    printf("%d modules\n", modules);
}

/* ------------------------------------------------------------------ drawn at random

   A function of reductions in everything: its text, and the same by loops and variables written
   out, statement by statement. Integers wrap, so every order gives the same. */

typedef struct drawn {
    char text[MOST_TEXT], hand[MOST_TEXT]; /* statements */
    int  variables, names;
} drawn;

typedef struct part {
    char text[MOST_TEXT / 2], hand[MOST_TEXT / 2];
} part;

static void append(char *to, const char *format, const char *a, const char *b, const char *c)
{
    size_t at = strlen(to);
    snprintf(to + at, MOST_TEXT / 2 - at, format, a, b, c);
}

static void put(char *to, const char *format, const char *a, const char *b, const char *c)
{
    to[0] = '\0';
    append(to, format, a, b, c);
}

static void draw_atom(part *e, const char *const *vars, int count)
{
    const char *v = count ? vars[random_below((uint64_t)count)] : "0";
    int         a = (int)random_below(4), b = (int)random_below(12);
    switch (random_below(4)) {
    case 0: snprintf(e->text, sizeof e->text, "i32(%d)", b - 5); break;
    case 1: snprintf(e->text, sizeof e->text, "i32(%s * %d)", v, b); break;
    default:
        snprintf(e->text, sizeof e->text, "%c[(%s * %d + %d) %% 12]", "zw"[a & 1], v, a, b);
        break;
    }
    strcpy(e->hand, e->text);
}

static void draw_value(drawn *d, part *e, char *before, const char *const *vars, int count,
                       int depth);

/* k: lo .. hi : step, and by hand all k = lo + q * step of 16 that are before hi. Any end may be a
   name, or beyond the other. */
static void draw_steps(char *range, char *hand, const char *k, const char *const *vars, int count)
{
    char ends[2][24];
    int  j, step = (int)random_below(4) + 1;
    for (j = 0; j < 2; j++) {
        const char *v = count && random_below(2) ? vars[random_below((uint64_t)count)] : "n";
        int         c = (int)random_below(12) - 2;
        if (random_below(3)) snprintf(ends[j], sizeof ends[j], "%d", c);
        else snprintf(ends[j], sizeof ends[j], "(%s + %d) %% 12", v, c);
    }
    if (random_below(2)) step = -step;
    snprintf(range, 80, "%s .. %s : %d", ends[0], ends[1], step);
    snprintf(hand, 256, "for (%s_q: 16) if (%s + %s_q * %d %c %s) { let %s = %s + %s_q * %d; ", k,
             ends[0], k, step, step < 0 ? '>' : '<', ends[1], k, ends[0], k, step);
}

/* The pattern, in which T, U, V and K are these. */
static void append_pattern(char *to, const char *pattern, const char *t, const char *u,
                           const char *v, const char *k)
{
    for (; *pattern; pattern++) {
        const char one[2] = { *pattern, 0 };
        append(to, "%s", *pattern == 'T'   ? t
                         : *pattern == 'U' ? u
                         : *pattern == 'V' ? v
                         : *pattern == 'K' ? k
                                           : one, "", "");
    }
}

/* op(k: range, ..., value), and by hand T = ...; for (k: range, ...) T = T op value; */
static void draw_reduction(drawn *d, part *e, char *before, const char *const *vars, int count,
                           int depth)
{
    static const struct {
        const char *text, *first, *update;
    } forms[] = {
        { "sum(KV)", "T = 0; ", "T = T + (V); " },
        { "prod(KV)", "T = 1; ", "T = T * (V); " },
        { "max(KV)", "T = -2147483648; ", "T = max(T, V); " },
        { "min(KV)", "T = 2147483647; ", "T = min(T, V); " },
        { "sum(i32: KV)", "T = 0; ", "T = T + (V); " },
        { "count(i32: K(V) > 0)", "T = 0; ", "if ((V) > 0) T = T + 1; " },
        { "i32(any(K(V) > 0))", "T = 0; ", "if ((V) > 0) T = 1; " },
        { "(all(K(V) > 0) ? i32(1) : 0)", "T = 1; ", "if ((V) <= 0) T = 0; " },
        { "i32(argmax(KV))", "T = i32(K); U = -2147483648; ",
          "if ((V) > U) { U = V; T = i32(K); } " },
        { "i32(argmin(KV))", "T = i32(K); U = 2147483647; ",
          "if ((V) < U) { U = V; T = i32(K); } " },
    };
    static const char *const ranges[] = { "3", "0", "1 .. 4", "n", "n .. 4", "2 .. + 2" };
    const char *inner[12];
    char        own[2][8], text[160] = "", t[8], u[8], inside[MOST_TEXT] = "", range[80];
    char        loop[256], loops[520] = "", start[64] = "0";
    part        value;
    int         k, op = (int)random_below(COUNT(forms));
    int         many = op > 7 ? 1 : 1 + (int)random_below(2);
    for (k = 0; k < count; k++) inner[k] = vars[k];
    snprintf(t, sizeof t, "t%d[0]", d->variables++);
    snprintf(u, sizeof u, "t%d[0]", d->variables);
    d->variables += op > 7;
    for (k = 0; k < many; k++) {
        snprintf(own[k], sizeof own[k], "k%d", d->names++);
        loop[0] = '\0';
        if (random_below(4) == 0) draw_steps(range, loop, own[k], inner, count);
        else if (count && random_below(4) == 0)
            snprintf(range, sizeof range, random_below(2) ? "%s %% 3" : "%s .. 4",
                     inner[random_below((uint64_t)count)]);
        else if (random_below(6) == 0) snprintf(range, sizeof range, "index(z[%d]) %% 4", k);
        else strcpy(range, ranges[random_below(6)]);
        if (strstr(range, ".."))
            snprintf(start, sizeof start, "%.*s", (int)(strstr(range, "..") - range), range);
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s: %s, ", own[k], range);
        if (!*loop) snprintf(loop, sizeof loop, "for (%s: %s) { ", own[k], range);
        strcat(loops, loop);
        inner[count++] = own[k];
    }
    draw_value(d, &value, inside, inner, count, depth - 1);
    e->text[0] = '\0';
    append_pattern(e->text, forms[op].text, t, u, value.text, text);
    snprintf(e->hand, sizeof e->hand, "%s", t);
    append_pattern(before, forms[op].first, t, u, "", start);
    append(before, "%s %s ", loops, inside, "");
    append_pattern(before, forms[op].update, t, u, value.hand, own[0]);
    append(before, many > 1 ? "} } " : "} ", "", "", "");
}

/* c ? a : b, of which one is evaluated. */
static void draw_choice(drawn *d, part *e, char *before, const char *const *vars, int count,
                        int depth)
{
    char arm[2][MOST_TEXT], t[8];
    part c, a[2];
    int  k;
    snprintf(t, sizeof t, "t%d", d->variables++);
    draw_value(d, &c, before, vars, count, depth - 1);
    for (k = 0; k < 2; k++) {
        arm[k][0] = '\0';
        draw_value(d, &a[k], arm[k], vars, count, depth - 1);
    }
    put(e->text, "((%s) > 0 ? %s : %s)", c.text, a[0].text, a[1].text);
    snprintf(e->hand, sizeof e->hand, "%s[0]", t);
    append(before, "if ((%s) > 0) { %s ", c.hand, arm[0], "");
    append(before, "%s[0] = %s; } else { ", t, a[0].hand, "");
    append(before, "%s %s[0] = %s; } ", arm[1], t, a[1].hand);
}

static void draw_value(drawn *d, part *e, char *before, const char *const *vars, int count,
                       int depth)
{
    static const char *const forms[] = { "(%s + %s)", "(%s - %s)", "(%s * %s)", "(%s & %s)",
                                         "(%s ^ %s)", "max(%s, %s)", "min(%s, %s)" };
    const char *form = forms[random_below(7)];
    part        a, b;
    int         way = depth > 0 ? (int)random_below(8) : 0;
    if (way < 2) {
        draw_atom(e, vars, count);
        return;
    }
    if (way < 5) {
        draw_reduction(d, e, before, vars, count, depth);
        return;
    }
    if (way == 5) {
        draw_choice(d, e, before, vars, count, depth);
        return;
    }
    draw_value(d, &a, before, vars, count, depth - 1);
    draw_value(d, &b, before, vars, count, depth - 1);
    put(e->text, form, a.text, b.text, "");
    put(e->hand, form, a.hand, b.hand, "");
}

/* A nest around one store, or a let and two. */
static void draw_nest(drawn *d)
{
    static const char *const loops[] = { "for (i: 4, j: 3) ", "for (i: 4) for (j: n) ",
                                         "for (j: 1 .. 3) for (i: 4) ", "l: for (i: 4, j: i) ",
                                         "for (i: 2) for parallel (j: 3) ",
                                         "for (i: 4) for vectorized (j: 2) ",
                                         "for (i: 3 .. -1 : -1, j: 0 .. 3 : 2) ",
                                         "for (i: n .. -1 : -2) for (j: i % 2 .. 4 : 3) " };
    static const char *const cells[] = { "o[i, j]", "o[i, j]", "o[j, i]", "o[(i + j) % 5, j]",
                                         "z[i]" };
    static const char *const vars[] = { "i", "j" };
    static const char *const serial[] = {
        "for (i: 2, j: 3) ", "for (i: 4, j: 2) ",
        "for (p: 4, q: 2) { let i = 3 - p; let j = q * 2; ",
        "for (p: n / 2 + 1, q: 2) if (q == 0 || (n - 2 * p) % 2 == 0) { let i = n - 2 * p; "
        "let j = i % 2 + q * 3; "
    };
    const int   way = (int)random_below(8), let = random_below(4) == 0;
    const char *loop = loops[way], *hand_loop = way < 4 ? loop : serial[way - 4];
    const char *cell = cells[way > 3 ? 0 : random_below(5)];
    char        inside[MOST_TEXT] = "", more[MOST_TEXT] = "";
    part        e, m;
    draw_value(d, &e, inside, vars, 2, 3);
    if (let) draw_value(d, &m, more, vars, 2, 2);
    append(d->text, let ? "%s{ let m = i32(%s); " : "%s%s{ ", loop, let ? e.text : "", "");
    append(d->text, "%s = %s%s; } ", cell, let ? "m * " : "", let ? m.text : e.text);
    append(d->hand, let ? "%s{ %s let m = i32(%s); " : "%s{ %s %s ", hand_loop, inside,
           let ? e.hand : "");
    append(d->hand, "%s ", more, "", "");
    append(d->hand, "%s = %s%s; } ", cell, let ? "m * " : "", let ? m.hand : e.hand);
    if (way > 5) append(d->hand, "} ", "", "", "");
}

static void check_drawn(uint64_t seed)
{
    static drawn d; /* large */
    static char  text[2 * MOST_TEXT], hand[2 * MOST_TEXT];
    irl_ctx     *cx = irl_ctx_create(NULL);
    irl_func    *f, *g;
    arrays       given, expected;
    size_t       at;
    int          k;
    memset(&d, 0, sizeof d);
    random64_state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (k = 0; k < 2; k++) draw_nest(&d);
    snprintf(text, sizeof text, "%s { assume(n < 6); alloc o: i32[5, 5]; for (i: 5, j: 5) "
             "o[i, j] = 0; %s for (i: 4, j: 3) w[i * 3 + j] = o[i, j]; }", SIGNATURE, d.text);
    at = (size_t)snprintf(hand, sizeof hand, "%s { ", SIGNATURE);
    for (k = 0; k < d.variables; k++)
        at += (size_t)snprintf(hand + at, sizeof hand - at, "alloc t%d: i32[1] scope(local); ", k);
    snprintf(hand + at, sizeof hand - at, "assume(n < 6); alloc o: i32[5, 5]; for (i: 5, j: 5) "
             "o[i, j] = 0; %s for (i: 4, j: 3) w[i * 3 + j] = o[i, j]; }", d.hand);
    fill(&given, (int64_t)random_below(4));
    expected = given;
    f = irl_func_parse(cx, text, IRL_TO_NUL, "text");
    g = irl_func_parse(cx, hand, IRL_TO_NUL, "hand");
    if (!CHECK(f && g && irl_func_interpret(g, arguments(&expected)) &&
               right_everywhere(cx, f, &given, &expected)))
        printf("seed %lu: %s\n%s\n%s\n%s\n", (unsigned long)seed, irl_diag_text(cx), text, hand,
               f ? irl_func_text(f) : "");
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ what is printed */

static void check_printed(const char *text, const char *wanted)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL), *again;
    if (CHECK_OK(cx)) {
        if (!CHECK(strcmp(irl_func_text(f), wanted) == 0))
            printf("found\n%swanted\n%s", irl_func_text(f), wanted);
        again = irl_func_parse(cx, irl_func_text(f), IRL_TO_NUL, NULL);
        CHECK(irl_func_equal(f, again) && irl_func_equal(again, f));
    }
    irl_ctx_destroy(cx);
}

/* What holds an index that no place gives a type: i32, if all values are known to fit. */
static void check_held(void)
{
    static const char *const rows[][3] = {
        { "", "argmax(k: 2147483648, x[k % 4])", "argmax: i32" },
        { "", "argmax(k: 2147483649, x[k % 4])", "argmax: i64" },
        { "", "argmin(k: -2147483648 .. 5, x[k & 3])", "argmin: i32" },
        { "", "argmin(k: -2147483649 .. 5, x[k & 3])", "argmin: i64" },
        { "", "argmin(k: 5 .. 2147483648 : 3, x[k & 3])", "argmin: i32" },
        { "", "argmin(k: 5 .. 2147483652 : 3, x[k & 3])", "argmin: i64" },
        { "", "argmax(k: n, x[k])", "argmax: i64" },
        { "", "argmax(k: n .. 3, x[k & 3])", "argmax: i64" }, /* n, if it is empty */
        { "assume(n > -9);", "argmax(k: n .. 3, x[k & 3])", "argmax: i64" },
        { "assume(n > -9 && n < 9);", "argmax(k: n .. 3, x[k & 3])", "argmax: i32" },
        { "", "count(k: 2147483647, x[k & 3] > 0)", "count: i32" },
        { "", "count(k: 2147483648, x[k & 3] > 0)", "count: i64" },
        { "", "count(k: 65536, j: 32768, x[k & 3] > 0)", "count: i64" },
        { "", "count(k: 65536, j: 32767, x[k & 3] > 0)", "count: i32" },
        { "", "count(k: 9223372036854775807, j: 3, x[k & 3] > 0)", "count: i64" },
        { "", "count(k: n, x[k & 3] > 0)", "count: i64" },
        { "", "count(k: index(w[0]), x[k & 3] > 0)", "count: i32" },
        { "if (n < 9) { assert(n < 8, \"n\"); }", "count(k: n, x[k & 3] > 0)", "count: i64" },
        { "assert(n < 8, \"n\");", "count(k: n, x[k & 3] > 0)", "count: i32" },
        { "let m = min(n, 8);", "count(k: m, j: k, x[k & 3] > 0)", "count: i32" },
        { "", "sum(k: 65536, k)", "sum: i64" },
        { "", "sum(k: 32768, -k)", "sum: i32" },
        { "", "prod(k: 2, k)", "prod: i64" },
        { "", "max(k: 9, k * n)", "max: i64" },
        { "", "max(k: 9, k * 9)", "max: i32" },
        { "assume(n < 9);", "max(k: n, k * 9)", "max: i64" }, /* the end of i64, if it is empty */
        { "assume(n < 9 && n > 0);", "max(k: n, k * 9)", "max: i32" },
        { "", "argmax(k: 9, k * 9)", "argmax_value: i32" },
    };
    for (int k = 0; k < COUNT(rows); k++) {
        char     text[MOST_TEXT];
        irl_ctx *cx = irl_ctx_create(NULL);
        snprintf(text, sizeof text, "func f(n: index, x: f32[4], w: i32[1], y: f32[]) { %s y[] = "
                 "f32(%s); }", rows[k][0], rows[k][1]);
        irl_func *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        if (!CHECK(f && strstr(irl_func_text(f), rows[k][2])))
            printf("wanted %s\n%s%s", rows[k][2], irl_diag_text(cx), f ? irl_func_text(f) : "");
        irl_ctx_destroy(cx);
    }
}

static void check_prints(void)
{
    check_printed("func f(x: f32[4, 8], y: i32[4]) { for (i: 4) y[i] = argmax(k: 8, x[i, k]); }",
                  "func f(x: f32[4, 8], y: i32[4]) {\n"
                  "    for (i: 4) {\n"
                  "        alloc y_argmax_value: f32[] scope(local);\n"
                  "        alloc y_argmax: i32[] scope(local);\n"
                  "        for (k: 8)\n"
                  "            block y_argmax(vi: spatial(4) = i, vk: reduce(8) = k) {\n"
                  "                init {\n"
                  "                    y_argmax_value[] = as(f32, u32(0xff800000));\n"
                  "                    y_argmax[] = 0;\n"
                  "                }\n"
                  "                if (x[vi, vk] > y_argmax_value[]) {\n"
                  "                    y_argmax_value[] = x[vi, vk];\n"
                  "                    y_argmax[] = i32(vk);\n"
                  "                }\n"
                  "            }\n"
                  "        y[i] = y_argmax[];\n"
                  "    }\n"
                  "}\n");
    check_printed("func f(x: f32[n], y: f32[n]) { for (i: n - 1 .. -1 : -1) y[i] = x[i]; "
                  "for (i: 1 .. n : 2) y[i] = 0; }",
                  "func f(n: index implicit, x: f32[n], y: f32[n]) {\n"
                  "    for (i: n)\n"
                  "        y[n - 1 - i] = x[n - 1 - i];\n"
                  "    for (i: n / 2)\n"
                  "        y[1 + i * 2] = 0.0f;\n"
                  "}\n");
    check_printed("func f(x: f32[4, 8], y: f32[4]) { for (i: 4) y[i] = sum(k: 2 .. 8, x[i, k]); }",
                  "func f(x: f32[4, 8], y: f32[4]) {\n"
                  "    for (i: 4, k: 2 .. 8)\n"
                  "        block y(vi: spatial(4) = i, vk: reduce(6) = k - 2)\n"
                  "            note(order = \"free\")\n"
                  "        {\n"
                  "            init\n"
                  "                y[vi] = 0.0f;\n"
                  "            y[vi] = y[vi] + x[vi, vk + 2];\n"
                  "        }\n"
                  "}\n");
    check_printed("func f(x: i32[4], y: i32[4]) { a: for (i: 4) y[i] = 2 * max(k: 4, x[k]); }",
                  "func f(x: i32[4], y: i32[4]) {\n"
                  "    alloc a_max: i32[];\n"
                  "    for (k: 4)\n"
                  "        block a_max(vk: reduce(4) = k) {\n"
                  "            init\n"
                  "                a_max[] = -2147483648;\n"
                  "            a_max[] = max(a_max[], x[vk]);\n"
                  "        }\n"
                  "    a: for (i: 4)\n"
                  "        y[i] = 2 * a_max[];\n"
                  "}\n");
    /* what is stored is read: a variable in the loops */
    check_printed("func f(x: i32[4], y: i32[4]) { a: for (i: 4) y[i] = 2 * max(k: 4, y[k] * x[i]); "
                  "}",
                  "func f(x: i32[4], y: i32[4]) {\n"
                  "    a: for (i: 4) {\n"
                  "        alloc a_max: i32[] scope(local);\n"
                  "        for (k: 4)\n"
                  "            block a_max(vi: spatial(4) = i, vk: reduce(4) = k) {\n"
                  "                init\n"
                  "                    a_max[] = -2147483648;\n"
                  "                a_max[] = max(a_max[], y[vk] * x[vi]);\n"
                  "            }\n"
                  "        y[i] = 2 * a_max[];\n"
                  "    }\n"
                  "}\n");
    check_printed("func f(n: index, x: f32[n, 8], y: f32[n]) { for (i: n) y[i] = 0.5 * sum(k: 8, "
                  "x[i, k]); }",
                  "func f(n: index, x: f32[n, 8], y: f32[n]) {\n"
                  "    alloc y_sum: f32[n];\n"
                  "    for (i: n, k: 8)\n"
                  "        block y_sum(vi: spatial(n) = i, vk: reduce(8) = k)\n"
                  "            note(order = \"free\")\n"
                  "        {\n"
                  "            init\n"
                  "                y_sum[vi] = 0.0f;\n"
                  "            y_sum[vi] = y_sum[vi] + x[vi, vk];\n"
                  "        }\n"
                  "    for (i: n)\n"
                  "        y[i] = 0.5f * y_sum[i];\n"
                  "}\n");
    check_printed("func f(n: index, x: f32[n], y: f32[]) { y[] += 1; t: y[] = sum(k: n, x[k]); }",
                  "func f(n: index, x: f32[n], y: f32[]) {\n"
                  "    y[] = y[] + 1.0f;\n"
                  "    y[] = 0.0f;\n"
                  "    t: for (k: n) note(order = \"free\")\n"
                  "        y[] = y[] + x[k];\n"
                  "}\n");
    check_printed("func f(y: i32[4, 4]) { `a b`: for (i: 4, j: 4) y[i, j] = 1; if (true) for (i: 4)"
                  " y[i, 0] = 2; else: for parallel (i: 4) for (j: 4) note(hint = 1) y[i, j] = 3; "
                  "}",
                  "func f(y: i32[4, 4]) {\n"
                  "    `a b`: for (i: 4, j: 4)\n"
                  "        y[i, j] = 1;\n"
                  "    if (true)\n"
                  "        for (i: 4)\n"
                  "            y[i, 0] = 2;\n"
                  "    else: for parallel (i: 4)\n"
                  "        for (j: 4) note(hint = 1)\n"
                  "            y[i, j] = 3;\n"
                  "}\n");
    /* labels of inner loops, notes that are called label, names of blocks made unlike */
    check_printed("func f(y: i32[4, 4], z: i32[4]) { for (i: 4) b: for (j: 4) y[i, j] = 1; for (i: "
                  "4) note(label = \"c\") note(more = 2) z[i] = 1; for (i: 4) z[i] = sum(k: 4, "
                  "y[i, k]); for (i: 4) z[i] = sum(k: 4, y[k, i]); }",
                  "func f(y: i32[4, 4], z: i32[4]) {\n"
                  "    for (i: 4)\n"
                  "        b: for (j: 4)\n"
                  "            y[i, j] = 1;\n"
                  "    for (i: 4) note(label = \"c\") note(more = 2)\n"
                  "        z[i] = 1;\n"
                  "    for (i: 4, k: 4)\n"
                  "        block z(vi: spatial(4) = i, vk: reduce(4) = k) {\n"
                  "            init\n"
                  "                z[vi] = 0;\n"
                  "            z[vi] = z[vi] + y[vi, vk];\n"
                  "        }\n"
                  "    for (i: 4, k: 4)\n"
                  "        block z_1(vi: spatial(4) = i, vk: reduce(4) = k) {\n"
                  "            init\n"
                  "                z[vi] = 0;\n"
                  "            z[vi] = z[vi] + y[vk, vi];\n"
                  "        }\n"
                  "}\n");
}

/* ------------------------------------------------------------------ schedules by name */

IRL_KERNEL(conv, (x: f32[1, 58, 58, 64], w: f32[3, 3, 64, 64], y: f32[1, 56, 56, 64]) {
    conv: for (n: 1, h: 56, v: 56, o: 64)
        y[n, h, v, o] = sum(kh: 3, kw: 3, c: 64, x[n, h + kh, v + kw, c] * w[kh, kw, c, o]);
});

IRL_SCHEDULE(tiled, {
    acc = cache_write(conv, y, local);
    (vo, vi) = split(conv.v, 7);
    (oo, oi) = split(conv.o, 16);
    reorder(conv.h, vo, oo, conv.kh, conv.kw, conv.c, vi, oi);
    reverse_compute_at(acc, oo);
    bind(conv.h, global.y); bind(vo, global.x);
    unroll(vi); vectorize(oi);
});

/* The same at a size that is interpreted in no time. */
static const char small_conv[] =
    "func conv(x: f32[1, 6, 16, 5], w: f32[3, 3, 5, 32], y: f32[1, 4, 14, 32]) {\n"
    "    conv: for (n: 1, h: 4, v: 14, o: 32)\n"
    "        y[n, h, v, o] = sum(kh: 3, kw: 3, c: 5, x[n, h + kh, v + kw, c] * w[kh, kw, c, o]);\n"
    "}\n";

static void check_conv(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_kernel(cx, &conv), *g = irl_schedule(f, &tiled), *again;
    const char *steps = irl_schedule_text(g);
    CHECK_OK(cx);
    again = irl_schedule_parse(f, steps, IRL_TO_NUL, NULL);
    CHECK(again && irl_func_equal(again, g));
    again = irl_func_parse(cx, irl_func_text(g), IRL_TO_NUL, NULL);
    CHECK(again && irl_func_equal(again, g));
    CHECK(irl_func_lower(g, &irl_target_opencl12) != NULL);
    CHECK(irl_schedule_auto(f, &irl_target_opencl12) != NULL);
    f = irl_func_parse(cx, small_conv, IRL_TO_NUL, NULL);
    g = irl_schedule_parse(f, steps, IRL_TO_NUL, NULL);
    CHECK(g && schedule_same(f, g, 1) == SAME);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

typedef struct named {
    const char *text, *steps;
    const char *says; /* of a refusal; NULL: it is done, and the numbers are the same */
} named;

static const named names[] = {
    /* labels of nests, and what they replace */
    { "func f(x: i32[8], y: i32[8]) { a: for (i: 8) y[i] = x[i]; for (i: 8) y[i] = y[i] + 1; }",
      "{ split(a.i, 4); split(y.i, 2); unroll(a.i_inner); }", NULL },
    { "func f(x: i32[8], y: i32[8]) { a: for (i: 8) y[i] = x[i]; for (i: 8) y[i] = y[i] + 1; }",
      "{ split(y_1.i, 4); }", "there are: a, y" },
    { "func f(y: i32[8, 8]) { for (i: 8, j: 8) y[i, j] = 1; for (i: 8, j: 8) y[i, j] = y[i, j] + "
      "2; }",
      "{ reorder(y_1.j, y_1.i); split(y.j, 4); }", NULL },
    { "func f(y: i32[8, 8]) { l: for (i: 8, j: 8) y[i, j] = 1; }",
      "{ f = fuse(l.i, l.j); (a, b) = split(f, 16); bind(a, group.x); bind(b, local.x); }", NULL },
    /* an argmax in parts: of neighbours, and of every fourth element, which meet by the index */
    { "func f(x: f32[6, 16], y: i32[6]) { for (i: 6) y[i] = argmax(k: 16, x[i, k]); }",
      "{ (ko, ki) = split(y_argmax.k, 4); parts = rfactor(ko, 0); }", NULL },
    { "func f(x: i32[6, 16], y: i32[6]) { for (i: 6) y[i] = argmin(k: 16, x[i, k] & 3); }",
      "{ (ko, ki) = split(y_argmin.k, 4); parts = rfactor(ki, 0); }", NULL },
    { "func f(x: i32[16], y: i32[1]) { y[0] = argmax(k: 16, x[k] & 3); }",
      "{ (ko, ki) = split(y_argmax.k, 4); parts = rfactor(ki, 0); }", NULL },
    { "func f(x: f32[6, 16], y: f32[6]) { for (i: 6) y[i] = mean(k: 16, x[i, k]); }",
      "{ (ko, ki) = split(y_mean.k, 4); reassociate(y_mean); parts = rfactor(ki, 0); }", NULL },
    /* the parts of what is stored: l.sum is l_sum */
    { "func f(x: f32[8, 8], y: f32[8]) { l: for (i: 8) y[i] = 2 * sum(k: 8, x[i, k]) + x[i, i]; }",
      "{ (a, b) = split(l.sum.k, 4); split(l.i, 2); reorder(b, a); decompose_reduction(l.sum, b); "
      "}",
      NULL },
    { "func f(x: f32[8, 8], y: f32[8]) { l: for (i: 8) y[i] = 2 * sum(k: 8, x[i, k]) + x[i, i]; }",
      "{ (a, b) = split(l.i, 4); compute_at(l.sum, a); unroll(b); }", NULL },
    { "func f(x: f32[8, 8], y: f32[8]) { l: for (i: 8) { let s = sum(k: 8, x[i, k]); y[i] = s; } }",
      "{ (a, b) = split(l.sum.k, 4); split(l.i, 4); split(s_sum.k_inner, 2); }",
      "there are: l_sum" },
    { "func f(x: f32[8, 8], y: f32[8]) { for (i: 8) y[i] = 2 * sum(k: 8, x[i, k]) - max(k: 8, x[k, "
      "i]); }",
      "{ split(y.sum.k, 4); unroll(y_max.k); contract(y.prod); }",
      "no loop 'prod' is around 'y'" },
    { "func f(x: f32[8, 8], y: f32[8]) { l: for (i: 8) { let m = max(k: 8, x[i, k]); y[i] = m; } }",
      "{ compute_inline(l); }", "'l' is more than one store: compose_store of a loop first" },
    /* the order of sums is free, that of a written loop is not */
    { "func f(x: f32[8, 8], y: f32[8]) { for (i: 8) y[i] = sum(k: 8, x[i, k]); }",
      "{ (a, b) = split(y.k, 4); reorder(b, a); rfactor(b, 0); }", NULL },
    { "func f(x: f32[8, 8], y: f32[8]) { for (i: 8) { y[i] = 0; for (k: 8) y[i] += x[i, k]; } }",
      "{ (a, b) = split(y.k, 4); reorder(b, a); }", "reassociate first" },
    { "func f(x: f32[8, 8], y: f32[8]) { for (i: 8) { y[i] = 0; for (k: 8) y[i] += x[i, k]; } }",
      "{ compose_reduction(y); (a, b) = split(y.k, 4); decompose_reduction(y, a); }", NULL },
    { "func f(n: index, x: f32[8, n], y: f32[8]) { l: for (i: 8) y[i] = sum(k: n, x[i, k]); }",
      "{ (a, b) = split(l.k, 4); reorder(b, a); split(l.i, 4); }", NULL },
    /* a block behind its nest: y is the block, y_1 the nest */
    { "func f(x: f32[8, 8], y: f32[8]) { for (i: 8) y[i] = sum(k: 8, x[i, k]); for (i: 8) y[i] = "
      "max(y[i], 0); }",
      "{ split(y.k, 4); split(y_1.i, 4); }", NULL },
    { "func f(x: i32[8], y: i32[8]) { a: for (i: 8) y[i] = x[i]; a: for (i: 8) y[i] = y[i] + 1; }",
      "{ split(a.i, 4); }", "2 blocks have the name 'a'" },
};

static void check_names(void)
{
    int k;
    for (k = 0; k < COUNT(names); k++) {
        irl_ctx  *cx = irl_ctx_create(NULL);
        irl_func *f = irl_func_parse(cx, names[k].text, IRL_TO_NUL, NULL), *g, *again;
        CHECK_OK(cx);
        g = irl_schedule_parse(f, names[k].steps, IRL_TO_NUL, NULL);
        if (names[k].says) {
            if (!CHECK(!g && strstr(irl_diag_text(cx), names[k].says)))
                printf("%s\n%s%s\n", names[k].steps, irl_diag_text(cx), g ? irl_func_text(g) : "");
        } else if (CHECK(g && schedule_same(f, g, 1) == SAME)) {
            again = irl_schedule_parse(f, irl_schedule_text(g), IRL_TO_NUL, NULL);
            CHECK(again && irl_func_equal(again, g));
            again = irl_func_parse(cx, irl_func_text(g), IRL_TO_NUL, NULL);
            CHECK(again && irl_func_equal(again, g));
        } else printf("%s\n%s%s\n", names[k].steps, irl_diag_text(cx), g ? irl_func_text(g) : "");
        irl_ctx_destroy(cx);
    }
}

int main(int argc, char **argv)
{
    uint64_t seed, first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int      count = argc > 2 ? atoi(argv[2]) : argc > 1 ? 1
                              : getenv("IRL_SOAK") ? 20000 : TEST_COUNT(300);
    test_seeds((unsigned long)first, count);
    for (seed = first; seed < first + (uint64_t)count; seed++) check_drawn(seed);
    check_pairs();
    check_steps();
    check_forms();
    check_declared();
    check_refused();
    check_prints();
    check_held();
    check_conv();
    check_names();
    return TEST_DONE();
}
