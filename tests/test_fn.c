/* test_fn.c - fn, const and the functions that are written out where they are called: they are read
   as the expressions that they stand for, come back from the printer, and what is wrong with one is
   said where it is.

   test_fn [FIRST [COUNT]]: these seeds of functions with chains of fn; for every 20th of them, the
   functions of the corpus with some of their numbers as const. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "../src/ir/ir.h"
#include "test.h"
#include "text_corpus.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <math.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define BODY(e) "func g(x: f32[8], h: f16[8], y: f32[8]) { for (i: 8) y[i] = " e "; }"

/* ------------------------------------------------------------------ what is read */

static const struct {
    const char *text, *means;
} same[] = {
    { "fn sq(a: f32) -> f32 = a * a; " BODY("sq(x[i])"), BODY("let(a = x[i], a * a)") },
    { "fn sq(a: f32) -> f32 = a * a; " BODY("sq(3)"), BODY("3.0f * 3.0f") },
    { "fn twice(a: f32) -> f32 = a + 1; " BODY("twice(x[i])"), BODY("x[i] + 1.0f") },
    { "fn one() -> f32 = 1; " BODY("one() + x[i]"), BODY("1.0f + x[i]") },
    { "fn none(a: f32) -> f32 = 2; " BODY("none(x[i])"), BODY("2.0f") },
    { "fn sq(a: f32) -> f32 = a * a; fn f(a: f32) -> f32 = sq(a) + a; " BODY("f(sq(x[i]))"),
      BODY("let(b = let(a = x[i], a * a), b * b + b)") },
    { "fn f(a: f32) -> f32 = let(t = a + 1, t * t); " BODY("f(x[i]) + f(x[0])"),
      BODY("let(t = x[i] + 1, t * t) + let(s = x[0] + 1, s * s)") },
    { "fn c(a: bool, b: index) -> f32 = a ? f32(b) : 0; " BODY("c(x[i] > 0, i)"),
      BODY("x[i] > 0 ? f32(i) : 0") },
    { "fn in(a: index, n: index) -> bool = a >= 0 && a < n; " BODY("in(i - 2, 4) ? x[i] : 0"),
      BODY("i - 2 >= 0 && i - 2 < 4 ? x[i] : 0") },
    { "fn in(a: index) -> bool = a >= 0 && a < 4; " BODY("in(index(x[i])) ? x[i] : 0"),
      BODY("let(b = index(x[i]), b >= 0 && b < 4) ? x[i] : 0") },
    { "const N = 8; const H = 0.5; func g(x: f32[N], h: f16[8], y: f32[N / 1]) "
      "{ for (i: 0 .. N) y[i] = H * x[i] + N; }", BODY("0.5f * x[i] + 8.0f") },
    { "const A = 3; const B = A * A - 1; const C: f32 = sqrt(4.0f) + B; const T = A < B; "
      BODY("T ? C : x[B - 8]"), BODY("true ? 10.0f : x[0]") },
    { "const N = 8; func g(x: f32[8], h: f16[8], y: f32[8]) { for (N: 8) y[N] = x[N]; }",
      BODY("x[i]") },
    { "const S = 0.1; fn f(a: f64) -> f64 = a * S; " BODY("f32(f(f64(x[i])) + S)"),
      BODY("f32(f64(x[i]) * f64(0.1) + f64(0.1))") },
    { "const L = 2 * 2; const A: i32 = 64; const S = 1; func g(x: f32[2, 4] align(A) sep(S)) "
      "{ x[0, ramp(0, 1, L)] = broadcast(f32(A), L) * shuffle(x[1, ramp(0, 1, L)], [3, 2, S, 0]); "
      "}", "func g(x: f32[2, 4] align(64) sep(1)) { x[0, ramp(0, 1, 4)] = "
      "broadcast(f32(i32(64)), 4) * shuffle(x[1, ramp(0, 1, 4)], [3, 2, 1, 0]); }" },
    { BODY("isnan(x[i]) ? 1 : 0"), BODY("let(a = x[i], a != a) ? 1 : 0") },
    { BODY("isinf(x[i]) ? 1 : 0"), BODY("abs(x[i]) == as(f32, u32(0x7f800000)) ? 1 : 0") },
    { BODY("x[i] < -inf ? nan : inf"), BODY("x[i] < as(f32, u32(0xff800000)) ? as(f32, "
      "u32(0x7fc00000)) : as(f32, u32(0x7f800000))") },
    { BODY("f32(h[i] + inf)"), BODY("f32(h[i] + as(f16, u16(0x7c00)))") },
    { BODY("maximum(x[i], 0)"), BODY("let(a = x[i], select(a > 0 || a != a, a, 0))") },
    { BODY("fdim(1, x[i])"), BODY("let(a = x[i], select(1 <= a, 0, 1 - a))") },
    { BODY("sign(x[i])"),
      BODY("let(a = x[i], select(a > 0, 1, select(a < 0, -1, select(a == 0, a, 0))))") },
    { BODY("signbit(h[i]) ? 1 : 0"), BODY("copysign(f16(1), h[i]) < 0 ? 1 : 0") },
    { BODY("let(erf = x[i], erf(erf))"), BODY("let(a = x[i], erf(a))") },
    { "func g(x: f32[8], h: f16[8], y: f32[8]) { let inf = 2.0f; let sigmoid = 1.0f; for (round: "
      "8) y[round] = inf + sigmoid; }",
      "func g(x: f32[8], h: f16[8], y: f32[8]) { let a = 2.0f; let b = 1.0f; for (i: 8) y[i] = a + "
      "b; }" },
    { "fn f(a: f32) -> f32 = -a; func g(x: f32[8], h: f16[8], y: f32[8]) { for (i: 8) y[i] = "
      "f(sum(k: 8, x[k])); }",
      "func g(x: f32[8], h: f16[8], y: f32[8]) { for (i: 8) y[i] = -sum(k: 8, x[k]); }" },
    { "fn sum(a: f32, b: f32) -> f32 = a + b; func g(x: f32[8], h: f16[8], y: f32[8]) { for (i: 8) "
      "y[i] = sum(x[i], sum(k: 8, x[k])); }",
      "func g(x: f32[8], h: f16[8], y: f32[8]) { for (i: 8) y[i] = x[i] + sum(k: 8, x[k]); }" },
};

static irl_func *read_text(irl_ctx *cx, const char *text)
{
    return irl_func_parse(cx, text, strlen(text), "test");
}

static void check_same(void)
{
    int k;
    for (k = 0; k < COUNT(same); k++) {
        irl_ctx        *cx = irl_ctx_create(NULL);
        const irl_func *a = read_text(cx, same[k].text), *b = a ? read_text(cx, same[k].means) : a,
                       *again = b ? read_text(cx, irl_func_text(a)) : b;
        if (!CHECK(again && irl_func_equal(a, b) && irl_func_equal(a, again)))
            printf("%s\n%s\n%s\n", same[k].text, irl_diag_text(cx), a ? irl_func_text(a) : "");
        irl_ctx_destroy(cx);
    }
}

/* ------------------------------------------------------------------ what is said */

static const struct {
    const char *text, *said;
} wrong[] = {
    { "fn f(x: f32) -> f32 = x * f(x - 1); " BODY("f(x[i])"),
      "test:1:27: error: 'f' calls itself: a call of a fn is replaced by its "
      "expression, so a fn cannot be recursive" },
    { "fn f(x: f32) -> f32 = x * f(x - 1); " BODY("f(x[i])"),
      "hint: write a loop in the function, or one fn for each step" },
    { "fn f(a: f32) -> f32 = a *; " BODY("f(x[i])"), "test:1:26: error: expected an expression" },
    { "fn f(a: f32) -> f32 = a * b; " BODY("f(x[i])"),
      "test:1:27: error: there is no variable 'b' here" },
    { "fn f(a: f32) -> f32 = x[0]; " BODY("f(x[i])"), "test:1:23: error: there is no buffer 'x'" },
    { "fn f(a: f32) -> i32 = a; " BODY("f(x[i])"), "test:1:23: error: i32 is expected here" },
    { "fn f(a: f32) = a; " BODY("f(x[i])"), "test:1:14: error: expected '->' and the type" },
    { "fn f(a: f32) -> f32 a; " BODY("f(x[i])"), "test:1:21: error: expected '=' and the value" },
    { "fn f(a: f32) -> f32 = a " BODY("f(x[i])"), "expected an operator, or ';' after the value" },
    { "fn f(a) -> f32 = a; " BODY("f(x[i])"), "test:1:7: error: expected ':'" },
    { "fn f -> f32 = 1; " BODY("f()"), "test:1:6: error: expected '(' and the parameters" },
    { "fn f(a: f32, a: f32) -> f32 = a; " BODY("f(x[i], 1)"), "'a' is declared already" },
    { "fn f(a: f32) -> f32 = a; fn f(a: f32) -> f32 = a; " BODY("f(x[i])"),
      "test:1:29: error: there is a fn 'f' already" },
    { "fn as(a: f32) -> f32 = a; " BODY("x[i]"),
      "test:1:4: error: 'as' is a word of the language" },
    { "fn f32(a: f32) -> f32 = a; " BODY("x[i]"), "'f32' is a word of the language" },
    { "fn f(a: f32) -> f32 = extern(f32, q, a); " BODY("f(x[i])"),
      "test:1:23: error: a fn computes a value from its arguments alone" },
    { "fn f(a: f32) -> f32 = sum(k: 3, a); " BODY("f(x[i])"), "test:1:23: error: a reduction" },
    { "fn f(a: f32) -> f32 = a;\n" BODY("f(h[i])"), "test:2:63: error: f32 is expected here; found "
      "f16" },
    { "fn f(a: f32) -> f32 = a;\n" BODY("f(x[i], 1)"), "test:2:61: error: 'f' takes 1 argument; "
      "found 2" },
    { "fn f(a: f32, b: f32) -> f32 = a;\n" BODY("f(x[i])"), "'f' takes 2 arguments; found 1" },
    { "fn f(a: f32, b: f32) -> f32 = a;\n" BODY("f()"), "hint: write one argument for each "
                                                         "parameter of 'f'" },
    { "fn smooth(a: f32) -> f32 = a;\n" BODY("smoth(x[i])"), "is 'smooth' meant?" },
    { BODY("sigmod(x[i])"), "is 'sigmoid' meant?" },
    { BODY("sigmoid(i)"), "error: 'sigmoid' takes floats; found index" },
    { BODY("maximum(x[i], i)"), "error: 'maximum' takes floats" },
    { BODY("ldexp(x[i], i)"), "error: 'ldexp' takes a float and an i32; found index" },
    { BODY("ldexp(x[i], i + 1)"), "hint: write i32(i + 1)" },
    { BODY("ldexp(i, 2)"), "hint: write f32(i)" },
    { BODY("ldexp(x[i], 0.5)"), "i32 is expected here; found a number with a point" },
    { BODY("ldexp(x[i])"), "'ldexp' takes 2 arguments; found 1" },
    { BODY("ilogb(x[i])"), "error: f32 is expected here; found i32" },
    { BODY("nextafter(x[i], h[i])"), "error: 'nextafter' takes floats, both alike; found f16" },
    { BODY("maximum(x[i])"), "'maximum' takes 2 arguments; found 1" },
    { BODY("isnan(x[i], 1)"), "'isnan' takes 1 argument; found 2" },
    { BODY("erf(x[i], 1)"), "expected ')' after the last operand" },
    { BODY("x[inf]"), "index is expected here; found a number with a point" },
    { "const N 8; " BODY("x[i]"), "test:1:9: error: expected '=' and the value" },
    { "const N = 8 " BODY("x[i]"), "expected an operator, or ';' after the value of the const" },
    { "const N = M; " BODY("x[i]"), "test:1:11: error: there is no variable 'M' here" },
    { "const A = -64; func g(x: f32[8] align(A)) {}", "expected an alignment in bytes; found 'A'" },
    { "const A = 6.5; func g(x: f32[8] align(A)) {}", "expected an alignment in bytes; found 'A'" },
    { "const A = 2; func g(x: f32[8]) { x[ramp(0, 1, A * 2)] = undef(f32x4); }",
      "expected ')' after the number of lanes" },
    { "const N = 1; const N = 2; " BODY("x[i]"), "'N' is declared already in this scope" },
    { "const N = f32(1) / f32x4(2); " BODY("x[i]"),
      "a const is a number that can be computed here" },
    { "const N = i32(1) / i32(0); " BODY("x[i]"), "a const is a number that can be computed here" },
    { "const N = 1 / 0; " BODY("x[i]"), "a division of numbers by zero" },
    { "const N: i8 = 300; " BODY("x[i]"), "300 does not fit i8" },
    { "const f32 = 1; " BODY("x[i]"), "'f32' is a word of the language" },
};

static void check_wrong(void)
{
    int k;
    for (k = 0; k < COUNT(wrong); k++) {
        irl_ctx *cx = irl_ctx_create(NULL);
        if (!CHECK(!read_text(cx, wrong[k].text) && strstr(irl_diag_text(cx), wrong[k].said)))
            printf("%s\nsaid %s\nnot %s\n", wrong[k].text, irl_diag_text(cx), wrong[k].said);
        irl_ctx_destroy(cx);
    }
}

static const struct {
    const char *text, *means, *warned;
} hiding[] = {
    { "fn erf(a: f32) -> f32 = a + 1; " BODY("erf(x[i])"), BODY("x[i] + 1"),
      "test:1:4: warning: 'erf' is the function that fn declares" },
    { "fn sigmoid(a: f32) -> f32 = a + 1; " BODY("sigmoid(x[i])"), BODY("x[i] + 1"),
      "'sigmoid' is the function that fn declares" },
    { "fn exp(a: f32) -> f32 = a + 1; " BODY("exp(x[i])"), BODY("x[i] + 1"),
      "'exp' is the function that fn declares" },
    { "fn ldexp(a: f32) -> f32 = a + 1; " BODY("ldexp(x[i])"), BODY("x[i] + 1"),
      "'ldexp' is the function that fn declares" },
    { "fn lgamma(a: f32) -> f32 = a + 1; " BODY("lgamma(x[i])"), BODY("x[i] + 1"),
      "'lgamma' is the function that fn declares" },
    { "func g(x: f32[8], y: f32[8]) extern lgamma(a: f32): f32 extern logb(a: f32): f32 extern "
      "signbit(a: f32): f32 { for (lgamma: 8) y[lgamma] = let(ilogb = lgamma(1) + logb(2), ilogb + "
      "signbit(3) + irl_lgamma(4)); }", NULL, "'lgamma' is the function that extern declares" },
    { "fn sign(a: f32) -> f32 = a + 1; " BODY("sign(x[i]) + irl_fdim(irl_sign(x[i]), 2)"),
      BODY("x[i] + 1 + fdim(sign(x[i]), 2)"), "'sign' is the function that fn declares" },
    { "fn mine(a: f32) -> f32 = a + 1; " BODY("mine(x[i])"), BODY("x[i] + 1"), "" },
    { "func g(x: f32[8], y: f32[8]) extern erf(a: f32): f32 { for (i: 8) y[i] = erf(x[i]) + "
      "irl_erf(x[i]); }", NULL, "test:1:74: warning: 'erf' is the function that extern declares" },
    { "func g(x: f32[8], y: f32[8]) extern isnan(a: f32): f32 { for (i: 8) y[i] = isnan(1); }",
      "func g(x: f32[8], y: f32[8]) extern isnan(a: f32): f32 { for (i: 8) y[i] = extern(f32, "
      "isnan, f32(1)); }", "'isnan' is the function that extern declares" },
    { "func g(x: f32[8], y: f32[8]) extern mine(a: f32, b: index): f32 { for (i: 8) y[i] = mine(2, "
      "i); }",
      "func g(x: f32[8], y: f32[8]) extern mine(a: f32, b: index): f32 { for (i: 8) y[i] = "
      "extern(f32, mine, f32(2), i); }", "" },
    { "func g(x: f32[8], y: f32[8]) extern exp(a: f32): f32 { for (i: 8) y[i] = exp(x[i]); }",
      NULL, "" },
    { "func g(x: f32[8], y: f32[8]) extern erf(a: f32): f32 { for (i: 8) y[i] = x[i]; }", NULL,
      "" },
};

static void check_hiding(void)
{
    int k;
    for (k = 0; k < COUNT(hiding); k++) {
        irl_ctx        *cx = irl_ctx_create(NULL);
        const irl_func *f = read_text(cx, hiding[k].text), *again = f;
        const char     *warned = irl_func_warnings(f);
        if (hiding[k].means) again = read_text(cx, hiding[k].means);
        if (!CHECK(again && irl_func_equal(f, again) &&
                   irl_func_equal(f, read_text(cx, irl_func_text(f))) &&
                   (*hiding[k].warned ? strstr(warned, hiding[k].warned) != NULL : !*warned)))
            printf("%s\n%s\n%s\n", hiding[k].text, f ? irl_func_text(f) : irl_diag_text(cx),
                   warned);
        irl_ctx_destroy(cx);
    }
}

/* ------------------------------------------------------------------ what they compute */

enum { VALUES = 65536 };

/* Nothing of the type lies between them, and n lies on the side of y. */
static int is_next(irl_type t, double x, double y, double n)
{
    const double large = irl__round_float(t, t.scalar == IRL_F16 ? 65504.0 : 3.38953139e38);
    double       middle = (x + n) / 2;
    if (x != x || y != y) return n != n;
    if (x == y) return n == y && !signbit(n) == !signbit(y);
    if (n - n != 0) return n == y && fabs(x) == large;
    if (x - x != 0) return fabs(n) == large && (n > 0) == (x > 0);
    middle = irl__round_float(t, middle);
    return (x < y ? x < n && n <= y : y <= n && n < x) && (middle == x || middle == n) &&
           (n != 0 || !signbit(n) == !signbit(x));
}

static int is_same_number(double a, double b)
{
    return a == b ? !signbit(a) == !signbit(b) : a != a && b != b;
}

/* Of a value, with another value and a power: ilogb, logb, ldexp, nextafter, isnormal, signbit. */
static int is_right(irl_type t, double x, double y, int power, const int32_t *whole,
                    const double *found)
{
    const double least = t.scalar == IRL_F16   ? ldexp(1, -14)
                         : t.scalar == IRL_F64 ? ldexp(1, -1022)
                                               : ldexp(1, -126);
    const int32_t e = x == 0 ? INT32_MIN : x - x != 0 ? INT32_MAX : ilogb(x);
    return whole[0] == e && whole[1] == (x - x == 0 && fabs(x) >= least) &&
           whole[2] == (signbit(x) != 0) && is_same_number(found[0], logb(x)) &&
           is_same_number(found[1], irl__round_float(t, ldexp(x, power))) &&
           (t.scalar == IRL_F64   ? is_same_number(found[2], nextafter(x, y))
            : t.scalar == IRL_F32 ? is_same_number(found[2],
                                                   (double)nextafterf((float)x, (float)y))
                                  : is_next(t, x, y, found[2]));
}

/* All numbers of 16 bits, as many random ones of others; as written, and as lowered. */
static void check_bits(irl_scalar scalar, const char *target)
{
    static char    x[VALUES * 8], y[VALUES * 8], z[3 * VALUES * 8], again[3 * VALUES * 8];
    static int32_t power[VALUES], q[3 * VALUES], also[3 * VALUES];
    const irl_type t = irl_type_of(scalar, 1);
    const size_t   bytes = irl__type_bytes(t);
    const char    *name = irl_scalar_info(scalar)->text;
    char           text[700];
    irl_ctx       *cx = irl_ctx_create(NULL);
    for (int k = 0; k < VALUES; k++) {
        for (size_t j = 0; j < bytes; j++) {
            x[(size_t)k * bytes + j] = (char)TEST_RANDOM(256);
            y[(size_t)k * bytes + j] = (char)TEST_RANDOM(256);
        }
        if (bytes == 2) memcpy(x + 2 * k, &(uint16_t){ (uint16_t)k }, 2);
        else if (k < 8192) memset(x + (size_t)k * bytes, 0, bytes - 2); /* 0, infinity */
        else if (k < 16384) x[(size_t)k * bytes + bytes - 2] &= 1; /* subnormals */
        power[k] = TEST_RANDOM(8) ? TEST_RANDOM(641) - 320
                                  : (int32_t)((uint32_t)test_random() << 16 | test_random());
        if (bytes == 8 && TEST_RANDOM(2)) power[k] = power[k] % 4096 * 8 + TEST_RANDOM(8);
        if (TEST_RANDOM(8) == 0) memcpy(y + (size_t)k * bytes, x + (size_t)k * bytes, bytes);
    }
    sprintf(text, "func g(x: %s[65536], y: %s[65536], p: i32[65536], z: %s[3, 65536], q: i32[3, "
            "65536]) { for (i: 65536) { z[0, i] = logb(x[i]); z[1, i] = ldexp(x[i], p[i]); z[2, i] "
            "= nextafter(x[i], y[i]); q[0, i] = ilogb(x[i]); q[1, i] = i32(isnormal(x[i])); "
            "q[2, i] = i32(signbit(x[i])); } }", name, name, name);
    const irl_func   *f = read_text(cx, text);
    const irl_module *m = irl_func_lower(f, irl_target_find(target));
    CHECK(irl_func_interpret(f, IRL_POINTERS(x, y, power, z, q)) &&
          irl_module_interpret(m, IRL_POINTERS(x, y, power, again, also)) && irl_ok(cx) &&
          memcmp(z, again, 3 * VALUES * bytes) == 0 && memcmp(q, also, sizeof q) == 0);
    for (int k = 0, wrong = 0; k < VALUES && wrong < 3; k++) {
        double number[5];
        for (int j = 0; j < 5; j++)
            number[j] = irl__load_scalar(
                            t, (j == 0   ? x
                                : j == 1 ? y
                                         : z + (size_t)(j - 2) * VALUES * bytes) +
                                   (size_t)k * bytes).f;
        const int32_t whole[] = { q[k], q[VALUES + k], q[2 * VALUES + k] };
        if (CHECK(is_right(t, number[0], number[1], power[k], whole, number + 2))) continue;
        wrong++;
        printf("%s %.17g, %.17g, %d: %d %d %d, %.17g %.17g %.17g\n", name, number[0], number[1],
               (int)power[k], (int)whole[0], (int)whole[1], (int)whole[2], number[2], number[3],
               number[4]);
    }
    if (!CHECK_OK(cx)) printf("%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ where they may stand */

IRL_KERNEL(squares, const N = 4; fn sq(a: f32) -> f32 = a * a;
           (x: f32[N], y: f32[N]) { for (i: N) y[i] = sq(x[i] + W); });

static void check_places(void)
{
    static const char module[] =
        "const N = 2; fn f(a: f32) -> f32 = a * N; module m { host func h(x: f32[N]) { launch "
        "k(x); } kernel func k(x: f32[2]) { for (i: 2) x[i] = f(x[i]); } }";
    static const char graph[] =
        "fn f(a: f32) -> f32 = a * 2; graph p { func a(x: f32[8], y: f32[8]) { for (i: 8) y[i] = "
        "f(x[i]); } input x: f32[8]; y = a(x); z = a(y); output z; }";
    static const char scheduled[] =
        "fn f(a: f32) -> f32 = a * 2; func g(x: f32[8], y: f32[8]) { for (i: 8) y[i] = f(x[i]); } "
        "schedule s { parallel(y.i); }";
    enum { W = 1 };
    float           x[4] = { 1, 2, 3, 4 }, y[4];
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_func *f = irl_kernel_let(cx, &squares, IRL_LET(W));
    CHECK(f && irl_func_interpret(f, IRL_POINTERS(x, y)) && y[0] == 4 && y[3] == 25);
    CHECK(irl_module_parse(cx, module, strlen(module), "test") != NULL);
    CHECK(irl_graph_load(cx, graph, strlen(graph), "test") != NULL);
    CHECK(irl_func_parse_scheduled(cx, scheduled, strlen(scheduled), "test", "s") != NULL);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* Definitions that several kernels use. */
IRL_DEFINITIONS(common, fn sq(x: f32) -> f32 = x * x; const W = 4; const tenth = 0.1;
                const third = 4 / 3;);
IRL_DEFINITIONS(faulty, fn bad(x: f32) -> f32 = x * later;);
IRL_DEFINITIONS(more, const W = 4; (x: f32[W]) { });
IRL_KERNEL(uses, fn twice(x: f32) -> f32 = sq(x) + sq(x);
           (x: f32[W], y: f64[W]) { for (i: W) y[i] = f64(twice(x[i])) + tenth + third; });
IRL_KERNEL(again, const W = 3; (x: f32[W]) { for (i: W) x[i] = 0; });
IRL_KERNEL(undeclared, (x: f32[W]) { for (i: W) x[i] = sq(x[j]); });

static void check_shared_definitions(void)
{
    static const struct {
        const irl_source_text *definitions, *kernel;
        const char            *says, *near;
    } rows[] = {
        { &faulty, &uses, "'later'", "x * later" },
        { &more, &uses, "expected fn, const, or the end", "(x: f32[W]) { }" },
        { &common, &again, "'W'", "const W = 3" },
        { &common, &undeclared, "'j'", "sq(x[j])" },
        { NULL, &uses, "there is no text", "" },
        { &common, NULL, "there is no text", "" },
    };
    float           x[4] = { 1, 2, 3, 4 };
    double          y[4];
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_func *f = irl_kernel_using(cx, &common, &uses);
    CHECK(f && irl_func_interpret(f, IRL_POINTERS(x, y)) && y[0] == 2 + 0.1 + 1);
    /* where it is written, not where it is used */
    CHECK(f && strstr(irl_func_warnings(f), "test_fn.c") && !strstr(irl_func_warnings(f), "uses") &&
          strstr(irl_func_warnings(f), "4 / 3 is a division of integers, which gives 1, in an "
                 "expression of floats; write 4.0 / 3, or f32(4 / 3) if this is meant\n"));
    CHECK_OK(cx);
    for (int k = 0; k < (int)(sizeof rows / sizeof *rows); k++) {
        const irl_mark mark = irl_ctx_mark(cx);
        CHECK(!irl_kernel_using(cx, rows[k].definitions, rows[k].kernel));
        if (!CHECK(strstr(irl_diag_text(cx), rows[k].says) && strstr(irl_diag_text(cx),
                                                                      rows[k].near)))
            printf("%s\n", irl_diag_text(cx));
        irl_ctx_rewind(cx, mark);
    }
    irl_ctx_destroy(cx);
}

/* What doubles with each fn stops at a bound, and says so. */
static void check_bound(void)
{
    char     text[4000];
    int      k, n = sprintf(text, "fn q0(a: f32) -> f32 = a + 1;\n");
    irl_ctx *cx = irl_ctx_create(NULL);
    for (k = 1; k < 60; k++)
        n += sprintf(text + n, "fn q%d(a: f32) -> f32 = q%d(a) * q%d(a);\n", k, k - 1, k - 1);
    sprintf(text + n, "%s", BODY("q59(x[i])"));
    CHECK(!read_text(cx, text) && strstr(irl_diag_text(cx),
                                          "expand to more than 1048576 operators"));
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ drawn */

enum { FNS = 6, ROOM = 20000 };

typedef struct text {
    char at[ROOM];
    int  used;
} text;

static void put(text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (t->used < ROOM - 200) t->used += vsnprintf(t->at + t->used, 200, format, list);
    va_end(list);
}

/* An expression of a, b and the fns below `fns`: the same in C, where each fn is a function. */
static void draw(text *t, text *c, int fns, int depth)
{
    static const char *const ops[] = { " + ", " - ", " * " };
    int                      way = depth ? TEST_RANDOM(7) : TEST_RANDOM(2);
    const char              *op = ops[TEST_RANDOM(3)];
    switch (way) {
    case 0: put(t, "a"), put(c, "a"); return;
    case 1: put(t, "b"), put(c, "b"); return;
    case 2: put(t, "K"), put(c, "3.0f"); return;
    case 3: case 4:
        put(t, "("), put(c, "(");
        draw(t, c, fns, depth - 1);
        put(t, "%s", op), put(c, "%s", op);
        draw(t, c, fns, depth - 1);
        put(t, ")"), put(c, ")");
        return;
    default:
        if (!fns) {
            put(t, "a"), put(c, "a");
            return;
        }
        way = TEST_RANDOM(fns);
        put(t, "f%d(", way), put(c, "extern(f32, f%d, ", way);
        draw(t, c, fns, depth - 1);
        put(t, ", "), put(c, ", ");
        draw(t, c, fns, depth - 1);
        put(t, ")"), put(c, ")");
    }
}

/* The bodies are functions that calls of extern answer: each evaluates its text by a function of
   its own. */
typedef struct world {
    irl_ctx  *cx;
    irl_func *bodies[FNS];
} world;

static int answer(void *user, const char *name, int count, const irl_extern_value *arguments,
                  irl_extern_value *result)
{
    world *w = (world *)user;
    float  a = (float)arguments[0].number, b = (float)arguments[1].number, y = 0;
    if (count != 2 ||
        !irl_func_interpret(w->bodies[atoi(name + 1)], IRL_POINTERS(&a, &b, &y)))
        return 0;
    result->number = y;
    return 1;
}

static void check_drawn(void)
{
    static const char head[] = "(x: f32[], z: f32[], y: f32[]) { let a = x[]; let b = z[]; y[] = ";
    static text       all, c;
    world             w;
    irl_ctx_desc      desc;
    int               k;
    float             x = (float)(TEST_RANDOM(9) - 4), z = (float)(TEST_RANDOM(9) - 4), y = 0,
                      by = 0;
    const irl_func   *f, *again;
    memset(&desc, 0, sizeof desc);
    desc.call_extern = answer;
    desc.call_extern_user = &w;
    w.cx = irl_ctx_create(&desc);
    all.used = 0;
    put(&all, "const K = 3;\n");
    for (k = 0; k < FNS; k++) {
        c.used = 0;
        put(&all, "fn f%d(a: f32, b: f32) -> f32 = ", k);
        put(&c, "func body%s", head);
        draw(&all, &c, k, 2);
        put(&all, ";\n");
        put(&c, "; }");
        w.bodies[k] = read_text(w.cx, c.at);
    }
    c.used = 0;
    put(&all, "func g%s", head);
    put(&c, "func g%s", head);
    draw(&all, &c, FNS, 3);
    put(&all, "; }");
    put(&c, "; }");
    f = read_text(w.cx, all.at);
    again = f ? read_text(w.cx, irl_func_text(f)) : NULL;
    if (!CHECK(again && irl_func_equal(f, again) &&
               irl_func_interpret(f, IRL_POINTERS(&x, &z, &y)) &&
               irl_func_interpret(read_text(w.cx, c.at), IRL_POINTERS(&x, &z, &by)) &&
               (y == by || (y != y && by != by))))
        printf("%s\n%s\n%g %g\n%s\n", all.at, c.at, (double)y, (double)by, irl_diag_text(w.cx));
    irl_ctx_destroy(w.cx);
}

/* ------------------------------------------------------------------ const by name */

static const struct {
    const char *text, *named; /* NULL: the numbers */
} by_name[] = {
    { "const N = 512; func f(x: f32[N, N * 2], y: f32[N]) { y[0] = N; for (i: 1 .. N, N: 2) y[i] = "
      "x[i, N]; }",
      "const N = 512;\nfunc f(x: f32[N, 1024], y: f32[N]) {\n    y[0] = N;\n"
      "    for (i: 1 .. N, N: 2)\n        y[i] = x[i, N];\n}\n" },
    { "const a: f32 = 0.5; const b = 0.5; const t = true; func f(x: f32[9], y: f64[9]) { let c = "
      "b; x[1] = a; y[2] = b; if (t) x[3] = x[3] * b + c - (a + a); x[0] = f32(b) + f32(b); }",
      "const a: f32 = 0.5f;\nconst b = 0.5;\nconst t: bool = true;\n"
      "func f(x: f32[9], y: f64[9]) {\n    let c = f32(b);\n    x[1] = a;\n    y[2] = b;\n"
      "    if (t)\n        x[3] = x[3] * b + c - (a + a);\n    x[0] = f32(b) + b;\n}\n" },
    { "const N = 4; const k: u8 = 7; func f(N: index, z: u8[9]) { z[N] = k + 1; for (i: 2 .. + 5) "
      "z[i] = 7; }",
      "const N = 4;\nconst k: u8 = 7;\nfunc f(N: index, z: u8[9]) {\n    z[N] = k + 1;\n"
      "    for (i: 2 .. 7)\n        z[i] = 7;\n}\n" },
    { "const N = 3; func f(x: f32[9]) { for (i: 2 .. + N, j: 0 .. N) x[i] = 3; }",
      "const N = 3;\nfunc f(x: f32[9]) {\n    for (i: 2 .. 5, j: N)\n"
      "        x[i] = 3.0f;\n}\n" },
    { "const big = inf; const few = -3e-5; fn twice(x: f32) -> f32 = few * x; func f(x: f32[9]) { "
      "x[0] = min(x[1], big); x[1] = twice(x[2]); }",
      "const big = inf;\nconst few = -3e-5;\nfunc f(x: f32[9]) {\n    x[0] = min(x[1], big);\n"
      "    x[1] = few * x[2];\n}\n" },
    { "func f(x: f32[9]) { x[0] = 1; }", "func f(x: f32[9]) {\n    x[0] = 1.0f;\n}\n" },
};

static void check_text(const char *found, const char *expected)
{
    if (!CHECK(strcmp(found, expected) == 0)) printf("%s\n%s\n", found, expected);
}

static void check_by_name(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    for (int k = 0; k < COUNT(by_name); k++)
        check_text(irl_func_text_named(read_text(cx, by_name[k].text)), by_name[k].named);
    /* one that was changed since, and one that is not there */
    irl_func *f = read_text(cx, "const N = 4; func f(x: f32[N]) { for (i: N) x[i] = N; }");
    const irl_func *changed = irl_func_set_scope(f, "x", IRL_SCOPE_TEXTURE_BUFFER);
    CHECK(strstr(irl_func_text_named(f), "const N = 4;\nfunc f(x: f32[N])"));
    check_text(irl_func_text_named(changed), irl_func_text(changed));
    check_text(irl_func_text_named(NULL), "");
    irl_graph *g = irl_graph_parse(cx, "const N = 4; graph g { func f(x: f32[N], y: f32[N]) { for "
                                   "(i: N) y[i] = x[i] * N; } input x: f32[N]; y = f(x); output y; "
                                   "}", IRL_TO_NUL, NULL);
    CHECK(strstr(irl_graph_text_named(g), "const N = 4;\ngraph g {\n    func f(x: f32[N]"));
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* Where a numeral of `text` begins and ends at or after `at`; NULL: there is none. */
static const char *numeral(const char *at, const char **end)
{
    for (; *at; at++) {
        if (*at == '"') at += strcspn(at + 1, "\"") + 1;
        else if (*at >= '0' && *at <= '9') {
            char *stop;
            strtod(at, &stop);
            const int is_part = strchr("_.`", at[-1]) || isalnum((unsigned char)at[-1]) ||
                                strchr("._`", *stop) || isalnum((unsigned char)*stop);
            *end = at + strspn(at, "0123456789abcdefABCDEFxX.");
            if (!is_part) return *end = stop, at;
            at = *end - 1;
        }
    }
    return NULL;
}

/* A function of the corpus with some of its numbers as const, each in another way: by name it reads
   back as itself. */
static void check_named_drawn(const char *from, long *taken, long *named)
{
    static char text[ROOM], next[ROOM];
    const char *at, *end;
    int         count = 0;
    strcpy(text, from);
    size_t done = 0;
    while ((at = numeral(text + done, &end)) != NULL) {
        const size_t place = (size_t)(at - text);
        const char  *type = TEST_RANDOM(3) ? "" : TEST_RANDOM(2) ? ": index" : ": f32";
        irl_ctx     *cx = irl_ctx_create(NULL);
        const int    head = sprintf(next, "const c%d%s = %.*s; ", count, type, (int)(end - at), at);
        sprintf(next + head, "%.*sc%d%s", (int)place, text, count, end);
        done = place + (size_t)(end - at);
        if (TEST_RANDOM(2) && strlen(next) < ROOM - 100 && read_text(cx, next)) {
            strcpy(text, next);
            done = (size_t)head + place + 2;
            count++;
        }
        irl_ctx_destroy(cx);
    }
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = read_text(cx, text);
    const char *by = irl_func_text_named(f);
    if (CHECK(f && irl_func_equal(read_text(cx, by), f)) && count) {
        *taken += 1;
        *named += strncmp(by, "const ", 6) == 0;
    } else if (count) printf("%s\n%s\n%s\n", text, by, irl_diag_text(cx));
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    long taken = 0, named = 0;
    unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    int           count = argc > 2 ? atoi(argv[2]) : argc > 1 ? 1 : TEST_COUNT(600), k;
    check_same();
    check_wrong();
    check_hiding();
    check_bits(IRL_F16, "opencl12");
    check_bits(IRL_F16, "opencl12-fp16");
    check_bits(IRL_BF16, "c99");
    check_bits(IRL_F32, "glsl");
    check_bits(IRL_F64, "c-gnu");
    check_places();
    check_shared_definitions();
    check_bound();
    check_by_name();
    test_seeds(first, count);
    for (k = 0; k < count; k++) {
        test_seed = first + (unsigned long)k;
        check_drawn();
        if (k % 20 == 0 && !strncmp(text_functions[k / 20 % COUNT(text_functions)], "func", 4))
            check_named_drawn(text_functions[k / 20 % COUNT(text_functions)], &taken, &named);
    }
    if (!CHECK(named == taken)) printf("%ld of %ld functions by name\n", named, taken);
    return TEST_DONE();
}
