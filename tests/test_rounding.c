/* test_rounding.c - the errors that the interpreter carries beside floats (src/eval/rounding.c):
   what it gives, and what other permitted machines give, lies within them of an independent
   computation in long double; they are infinite where nothing can be said, and only there; and a
   step of a schedule that is really wrong lies outside of them.

   test_rounding [FIRST [COUNT]]: these seeds of functions. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#endif
#include "test.h"
#include "failing.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>

/* ------------------------------------------------------------------ machines */

typedef long double real;

/* What a machine is free in; NULL: real arithmetic. */
typedef struct machine {
    int flushes; /* subnormals may be zero */
    int is_wild; /* functions and halves are rounded as far off as they may */
} machine;

static real uniform(void)
{
    real v = 0;
    int  k;
    for (k = 0; k < 4; k++) v = (v + (real)test_random()) / 65536;
    return v * 2 - 1;
}

static real least_normal(irl_scalar t)
{
    return t == IRL_F64 ? 0 : t == IRL_F16 ? ldexpl(1, -14) : ldexpl(1, -126);
}

static real flushed(const machine *m, irl_scalar t, real v)
{
    return m && m->flushes && v != 0 && fabsl(v) < least_normal(t) && TEST_RANDOM(2) ? 0 : v;
}

/* To so many digits, the last one at `least` or above. */
static real to_digits(const machine *m, real v, int digits, int least)
{
    int  e;
    real scaled;
    if (v == 0 || v - v != 0) return v;
    (void)frexpl(v, &e);
    e -= digits;
    if (e < least) e = least;
    scaled = ldexpl(v, -e);
    if (!m->is_wild) scaled = rintl(scaled);
    else scaled = TEST_RANDOM(2) ? floorl(scaled) : ceill(scaled);
    return ldexpl(scaled, e);
}

static real rounded(const machine *m, irl_scalar t, real v)
{
    if (!m) return v;
    if (t == IRL_F64) v = (real)(double)v;
    else {
        v = (real)(float)v;
        if (t == IRL_F16) v = to_digits(m, v, 11, -24);
        if (t == IRL_BF16) v = to_digits(m, v, 8, -133);
        if (t == IRL_F16 && fabsl(v) > 65504) v = v > 0 ? HUGE_VAL : -HUGE_VAL;
    }
    return flushed(m, t, v);
}

/* A function, which may be so many ulps off. */
static real rounded_function(const machine *m, irl_scalar t, real v, real ulps)
{
    int e;
    if (!m || v - v != 0) return v;
    (void)frexpl(v, &e);
    if (m->is_wild && v != 0)
        v += (ulps - 0.51L) * (TEST_RANDOM(2) ? uniform() : TEST_RANDOM(2) ? 1 : -1) *
             ldexpl(1, e - (t == IRL_F64 ? 53 : 24));
    return rounded(m, t, v);
}

/* ------------------------------------------------------------------ expressions */

enum { NODES = 200, INPUTS = 5, CELLS = 12, TERMS = 4 };
typedef enum kind { INPUT, NUMBER, BINARY, UNARY, FMA, SELECT, CAST, WHOLE, NOISE, SUM } kind;

typedef struct node {
    kind       is;
    int        which; /* input, operator */
    irl_scalar type;
    real       number;
    int        a[4];
} node;

typedef struct expression {
    int  count;
    node nodes[NODES];
} expression;

static real exp10_real(real x) { return powl(10, x); }

static const char *const binary[] = { "+", "-", "*", "/", "min", "max", "pow",
                                     "atan2", "hypot", "fmod", "remainder", "copysign" };
static const struct {
    const char *name;
    real        ulps;
    real (*value)(real);
} unary[] = { { "-", 0, NULL },          { "abs", 0, fabsl },    { "sqrt", 3, sqrtl },
              { "rsqrt", 2, NULL },      { "exp", 3, expl },     { "exp2", 3, exp2l },
              { "log", 3, logl },        { "log2", 3, log2l },   { "sin", 4, sinl },
              { "cos", 4, cosl },        { "tan", 5, tanl },     { "tanh", 5, tanhl },
              { "floor", 0, floorl },    { "ceil", 0, ceill },   { "trunc", 0, truncl },
              { "rint", 0, rintl },      { "acos", 4, acosl },   { "acosh", 4, acoshl },
              { "asin", 4, asinl },      { "asinh", 4, asinhl }, { "atan", 5, atanl },
              { "atanh", 5, atanhl },    { "cbrt", 2, cbrtl },   { "cosh", 4, coshl },
              { "erf", 16, erfl },       { "erfc", 16, erfcl },  { "exp10", 3, exp10_real },
              { "expm1", 3, expm1l },    { "log10", 3, log10l }, { "log1p", 2, log1pl },
              { "round", 0, roundl },    { "sinh", 4, sinhl },   { "tgamma", 16, tgammal },
              { "lgamma", 16, lgammal } };

static const char *type_name(irl_scalar t)
{
    static const struct {
        irl_scalar  type;
        const char *name;
    } names[] = { { IRL_UNORM8, "unorm8" }, { IRL_F16, "f16" }, { IRL_BF16, "bf16" },
                  { IRL_F32, "f32" } };
    size_t k;
    for (k = 0; k < 4; k++)
        if (names[k].type == t) return names[k].name;
    return "f64";
}

static irl_scalar draw_type(void)
{
    static const irl_scalar types[] = { IRL_F32, IRL_F32, IRL_F32, IRL_F64, IRL_F16, IRL_BF16 };
    return types[TEST_RANDOM(LDBL_MANT_DIG < 64 ? 3 : 6)];
}

static irl_scalar input_type[INPUTS];

/* Of an expression: what it is made in. */
static irl_scalar float_type(irl_scalar t) { return t == IRL_UNORM8 ? IRL_F32 : t; }

static int draw_leaf(expression *e, irl_scalar type, int term)
{
    node *n = &e->nodes[e->count];
    int   cast = e->count + 1;
    n->is = TEST_RANDOM(5) ? INPUT : NUMBER;
    n->which = TEST_RANDOM(INPUTS);
    n->number = (real)(TEST_RANDOM(64) - 32) / (TEST_RANDOM(2) ? 8 : 1);
    n->type = n->is == INPUT ? input_type[n->which] : type;
    n->a[0] = term;
    e->count++;
    if (n->type == type) return cast - 1;
    e->nodes[cast].is = CAST;
    e->nodes[cast].type = type;
    e->nodes[cast].a[0] = cast - 1;
    return e->count++;
}

/* depth: operators above it; term: it stands in a sum. */
static int draw_node(expression *e, irl_scalar type, int depth, int term)
{
    node n;
    int  k, arity = 1;
    memset(&n, 0, sizeof n);
    n.type = type;
    if (depth == 0 || e->count > NODES - 60) return draw_leaf(e, type, term);
    switch (TEST_RANDOM(term ? 14 : 16)) {
    case 0: case 1: case 2: case 3: case 4:
        n.is = BINARY, arity = 2, n.which = TEST_RANDOM(TEST_RANDOM(4) ? 4 : 12);
        break;
    case 5: case 6: case 7:
        n.is = UNARY, n.which = TEST_RANDOM((int)(sizeof unary / sizeof *unary));
        break;
    case 8: n.is = FMA, arity = 3; break;
    case 9: n.is = SELECT, arity = 4; break;
    case 10: n.is = CAST; break;
    case 11: n.is = WHOLE; break;
    case 12: case 13: n.is = NOISE, n.number = ldexpl(3, TEST_RANDOM(12)); break;
    default: n.is = SUM, term = 1; break;
    }
    for (k = 0; k < arity; k++)
        n.a[k] = draw_node(e, n.is == CAST ? draw_type() : type, depth - 1, term);
    e->nodes[e->count] = n;
    return e->count++;
}

/* The same as a normalised number. */
static int draw_code(expression *e, int of)
{
    node *n = &e->nodes[e->count];
    memset(n, 0, sizeof *n);
    n->is = CAST;
    n->type = IRL_UNORM8;
    n->a[0] = of;
    return e->count++;
}

typedef struct text {
    char   at[16000];
    size_t used;
} text;

static void put(text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    t->used += (size_t)vsnprintf(t->at + t->used, sizeof t->at - t->used, format, list);
    va_end(list);
    if (t->used > sizeof t->at - 100) t->used = sizeof t->at - 100;
}

static int operands(const node *n)
{
    return n->is == BINARY ? 2 : n->is == FMA ? 3 : n->is == SELECT ? 4 : 1;
}

static void put_node(text *t, const expression *e, int at)
{
    const node *n = &e->nodes[at];
    int         k;
    switch (n->is) {
    case INPUT: put(t, n->a[0] ? "x%d[(i + k) %% 12]" : "x%d[i]", n->which); return;
    case NUMBER: put(t, "%s(%.4f)", type_name(n->type), (double)n->number); return;
    case BINARY: put(t, n->which < 4 ? "(" : "%s(", binary[n->which]); break;
    case UNARY: put(t, "(%s(", unary[n->which].name); break;
    case FMA: put(t, "fma("); break;
    case SELECT: put(t, "select("); break;
    case CAST: put(t, "%s(", type_name(n->type)); break;
    case WHOLE: put(t, "%s(i32(min(max(", type_name(n->type)); break;
    case NOISE: put(t, "(("); break;
    case SUM: put(t, "sum(k: %d, ", TERMS); break;
    }
    for (k = 0; k < operands(n); k++) {
        if (k) put(t, n->is == BINARY && n->which < 4    ? " %s "
                      : n->is == SELECT && k == 1 ? " < "
                                                  : ", ", binary[n->which]);
        put_node(t, e, n->a[k]);
    }
    if (n->is == WHOLE) put(t, ", -5000), 5000))");
    if (n->is == NOISE) put(t, " + %.1f) - %.1f", (double)n->number, (double)n->number);
    put(t, n->is == UNARY ? "))" : ")");
}

/* ------------------------------------------------------------------ what they are worth */

static double input[INPUTS][CELLS];

static real value_of(const expression *e, int at, const machine *m, int cell, int term);

/* Of real numbers, between 0 and 1; of a machine, the nearest code or its neighbour. */
static real code_of(const machine *m, real a)
{
    a = fminl(fmaxl(a, 0), 1);
    if (m) a = (rintl(a * 255) + (m->is_wild ? TEST_RANDOM(3) - 1 : 0)) / 255;
    return m ? fminl(fmaxl(a, 0), 1) : a;
}

static real operand(const expression *e, const node *n, int k, const machine *m, int cell, int term)
{
    return flushed(m, e->nodes[n->a[k]].type, value_of(e, n->a[k], m, cell, term));
}

static real binary_value(const machine *m, irl_scalar t, int which, real a, real b)
{
    switch (which) {
    case 0: return rounded(m, t, a + b);
    case 1: return rounded(m, t, a - b);
    case 2: return rounded(m, t, a * b);
    case 3: return rounded_function(m, t, a / b, 2.5L);
    case 4: return a < b || b != b ? a : b;
    case 5: return a > b || b != b ? a : b;
    case 7: return rounded_function(m, t, atan2l(a, b), 6);
    case 8: return rounded_function(m, t, hypotl(a, b), 4);
    case 9: return rounded(m, t, fmodl(a, b));
    case 10: return rounded(m, t, remainderl(a, b));
    case 11: return copysignl(a, b);
    default: return rounded_function(m, t, powl(a, b), 16);
    }
}

static real unary_value(const machine *m, irl_scalar t, int which, real a)
{
    real v = which == 0 ? -a : which == 3 ? 1 / sqrtl(a) : unary[which].value(a);
    return unary[which].ulps > 0 ? rounded_function(m, t, v, unary[which].ulps) : v;
}

/* What is written twice is one value, on any machine. */
static int is_same(const expression *e, int a, int b)
{
    const node *x = &e->nodes[a], *y = &e->nodes[b];
    int         k;
    if (x->is != y->is || x->type != y->type) return 0;
    if (x->is == INPUT) return x->which == y->which && x->a[0] == y->a[0];
    if (x->is == NUMBER) return x->number == y->number;
    if (x->which != y->which) return 0;
    for (k = 0; k < operands(x); k++)
        if (!is_same(e, x->a[k], y->a[k])) return 0;
    return 1;
}

static int is_less(const expression *e, const node *n, real a, const machine *m, int cell, int term)
{
    return !is_same(e, n->a[0], n->a[1]) && a < operand(e, n, 1, m, cell, term);
}

static real value_of(const expression *e, int at, const machine *m, int cell, int term)
{
    const node *n = &e->nodes[at];
    real        a, sum = 0;
    int         k;
    switch (n->is) {
    case INPUT:
        a = input[n->which][n->a[0] ? (cell + term) % CELLS : cell];
        return n->type == IRL_UNORM8 ? rintl(a * 255) / 255 : a;
    case NUMBER: return n->number;
    case SUM:
        for (k = 0; k < TERMS; k++)
            sum = rounded(m, n->type, sum + flushed(m, n->type, value_of(e, n->a[0], m, cell, k)));
        return sum;
    default: break;
    }
    a = operand(e, n, 0, m, cell, term);
    switch (n->is) {
    case BINARY:
        return binary_value(m, n->type, n->which, a, operand(e, n, 1, m, cell, term));
    case UNARY: return unary_value(m, n->type, n->which, a);
    case FMA:
        return rounded(m, n->type, a * operand(e, n, 1, m, cell, term) +
                                       operand(e, n, 2, m, cell, term));
    case SELECT:
        return value_of(e, n->a[is_less(e, n, a, m, cell, term) ? 2 : 3], m, cell, term);
    case WHOLE: return rounded(m, n->type, truncl(fminl(fmaxl(a, -5000), 5000)));
    case NOISE: /* digits are lost, and nothing else */
        return rounded(m, n->type, rounded(m, n->type, a + n->number) - n->number);
    default: /* a cast to the same type is none */
        if (e->nodes[n->a[0]].type == n->type) return value_of(e, n->a[0], m, cell, term);
        if (n->type == IRL_UNORM8) return code_of(m, a);
        if (e->nodes[n->a[0]].type == IRL_UNORM8) a = rounded_function(m, IRL_F32, a, 1.5L);
        return rounded(m, n->type, a);
    }
}

/* ------------------------------------------------------------------ soundness */

static double draw_input(irl_scalar t)
{
    const irl_type type = irl_type_of(t, 1);
    double         v = (double)(uniform() * 4);
    if (t == IRL_UNORM8) return irl__round_float(type, TEST_RANDOM(256) / 255.0);
    switch (TEST_RANDOM(12)) {
    case 0: v = TEST_RANDOM(9) - 4; break;
    case 1: v = ldexp(v, t == IRL_F16 ? -18 : t == IRL_F64 ? -1040 : -135); break;
    case 2: v *= 1000; break;
    case 3: v *= ldexp(1, t == IRL_F16 ? 8 : 70); break;
    case 4: v *= ldexp(1, t == IRL_F16 ? -8 : -70); break;
    default: break;
    }
    return irl__round_float(type, v);
}

static void store(irl_scalar t, void *memory, int k, double v)
{
    const irl_type type = irl_type_of(t, 1);
    irl__scalar    s;
    s.f = v;
    irl__store_scalar(type, (char *)memory + (size_t)k * irl__type_bytes(type), s);
}

static double load(irl_scalar t, const void *memory, int k)
{
    const irl_type type = irl_type_of(t, 1);
    return irl__load_scalar(type, (const char *)memory + (size_t)k * irl__type_bytes(type)).f;
}

static long bounded, unbounded, no_number, far_off;
static double largest[2]; /* part of the error that was reached: by the interpreter, by another */

static int lies_within(real is, real is_real, double error, double *part)
{
    const real distance = fabsl(is - is_real), own = fabsl(is_real) * LDBL_EPSILON * 64;
    if (is == is_real || error > DBL_MAX) return 1;
    if (error > 0 && (double)(distance / error) > *part && distance > own)
        *part = (double)(distance / error);
    return distance <= error * 1.01L + own;
}

static void check_cell(const expression *e, int root, int cell, double is, double error,
                       const char *program)
{
    static const machine machines[] = { { 0, 0 }, { 1, 0 }, { 0, 1 }, { 1, 1 }, { 1, 1 } };
    const real           truth = value_of(e, root, NULL, cell, 0);
    size_t               k;
    real                 other = 0;
    bounded += error <= DBL_MAX;
    unbounded += !(error <= DBL_MAX) && is - is == 0;
    no_number += is - is != 0;
    far_off += error <= DBL_MAX && error > 0.125 * fabs(is) && fabs(is) > 1e-3;
    if (!CHECK(error >= 0) || !CHECK(lies_within(is, truth, error, &largest[0])))
        printf("%s\ncell %d is %.17g, real %.17Lg, error %g\n", program, cell, is, truth, error);
    for (k = 0; k < sizeof machines / sizeof *machines; k++) {
        other = value_of(e, root, &machines[k], cell, 0);
        if (!lies_within(other, truth, error, &largest[1])) break;
    }
    if (!CHECK(k == sizeof machines / sizeof *machines))
        printf("%s\ncell %d may be %.17Lg, real %.17Lg, error %g\n", program, cell, other, truth,
               error);
}

static void check_function(unsigned long seed)
{
    static char    memory[INPUTS + 1][CELLS * 8];
    double         errors[CELLS], *asked[INPUTS + 1] = { NULL, NULL, NULL, NULL, NULL, NULL };
    irl_interpret_options how;
    static char    again[CELLS * 8];
    irl_ctx       *cx = irl_ctx_create(NULL);
    irl_func      *f;
    expression     e;
    text           t;
    int            k, j, root, was = test_failed;
    irl_scalar     type;
    test_seed = seed * 7919 + 1;
    for (k = 0; k < 5; k++) (void)test_random();
    t.used = 0;
    put(&t, "func f(");
    for (k = 0; k < INPUTS; k++) {
        input_type[k] = TEST_RANDOM(8) ? draw_type() : IRL_UNORM8;
        for (j = 0; j < CELLS; j++) {
            input[k][j] = draw_input(input_type[k]);
            store(input_type[k], memory[k], j, input[k][j]);
        }
        put(&t, "x%d: %s[12], ", k, type_name(input_type[k]));
    }
    type = TEST_RANDOM(12) ? draw_type() : IRL_UNORM8;
    memset(&e, 0, sizeof e);
    root = draw_node(&e, float_type(type), 1 + TEST_RANDOM(5), 0);
    if (type == IRL_UNORM8) root = draw_code(&e, root);
    put(&t, "y: %s[12]) { for (i: 12) y[i] = ", type_name(type));
    put_node(&t, &e, root);
    put(&t, "; }");
    how.errors = asked;
    how.undecided = NULL;
    asked[INPUTS] = errors;
    f = irl_func_parse(cx, t.at, t.used, "test");
    k = irl_func_interpret(f, IRL_POINTERS(memory[0], memory[1], memory[2], memory[3], memory[4],
                                           again));
    if (irl_func_interpret_with(f, IRL_POINTERS(memory[0], memory[1], memory[2], memory[3],
                                                memory[4], memory[5]), &how) &&
        CHECK(k && memcmp(again, memory[5], CELLS * irl__type_bytes(irl_type_of(type, 1))) == 0))
        for (k = 0; k < CELLS && test_failed < was + 2; k++)
            check_cell(&e, root, k, load(type, memory[INPUTS], k), errors[k], t.at);
    /* a NaN is no integer */
    else if (!CHECK(irl_diag_of(cx) && irl_diag_of(cx)->code == IRL_ERROR_BAD_VALUE))
        printf("%s\n%s\n", t.at, irl_diag_text(cx));
    if (test_failed > was) printf("seed %lu\n", seed);
    irl_ctx_destroy(cx);
}

static void check_functions(unsigned long first, int count)
{
    int k;
    test_seeds(first, count);
    for (k = 0; k < count; k++) check_function(first + (unsigned long)k);
    printf("%ld values bounded, of them %ld by more than an eighth, %ld not, and %ld that are "
           "no finite numbers; the interpreter comes to %.3f of an error, other machines to %.3f\n",
           bounded, far_off, unbounded, no_number, largest[0], largest[1]);
    if (count >= 100) {
        CHECK(unbounded * 2 < bounded && far_off * 5 < bounded);
        CHECK(largest[0] > 0.5 && largest[1] > 0.9);
    }
}

/* ------------------------------------------------------------------ what is open, and what not */

/* x: 1, 0.1, 3, -2, 0, 1e-40, infinity, 70000; t is three times x[1], 1e-8 off what it would be. */
static const float cells[8] = { 1, 0.1f, 3, -2, 0, 1e-40f, (float)HUGE_VAL, 70000 };

/* half gives the half of its argument, whole cuts it, halve all of the memory. */
static int answer(void *user, const char *name, int count, const irl_extern_value *arguments,
                  irl_extern_value *result)
{
    size_t k;
    (void)user;
    if (count != 1) return 0;
    result->number = arguments[0].number / 2;
    result->integer = (int64_t)arguments[0].number;
    for (k = 0; strcmp(name, "halve") == 0 && k < arguments[0].bytes / sizeof(float); k++)
        ((float *)arguments[0].pointer)[k] /= 2;
    return 1;
}

/* Runs a function of x: f32[8] and y; the first error of y and how much was left open. */
static double error_of(const char *text, int64_t *undecided)
{
    irl_ctx_desc          desc;
    irl_ctx              *cx;
    float                 x[8];
    double                y[8], errors[8], *asked[2] = { NULL, errors };
    irl_interpret_options how = { asked, undecided };
    memset(&desc, 0, sizeof desc);
    desc.call_extern = answer;
    cx = irl_ctx_create(&desc);
    memcpy(x, cells, sizeof x);
    errors[0] = -1;
    if (!irl_func_interpret_with(irl_func_parse(cx, text, IRL_TO_NUL, "test"), IRL_POINTERS(x, y),
                                 &how))
        printf("%s\n%s\n", text, irl_diag_text(cx));
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
    return errors[0];
}

#define T "(x[1] + x[1] + x[1])"
#define TYPED(type, ...) \
    "func f(x: f32[8], y: " type "[8]) { for (i: 8) y[i] = 0; " __VA_ARGS__ " }"
#define BOOLS(...) \
    "func f(x: f32[8], y: bool[8]) { for (i: 8) y[i] = i < 0; " __VA_ARGS__ " }"
#define STATED(...) TYPED("f32", __VA_ARGS__)

static void check_open(void)
{
    enum { EXACT, BOUNDED, OPEN };
    static const struct {
        const char *text;
        int         expected, undecided;
    } rows[] = {
        { STATED("y[0] = x[0];"), EXACT, 0 },
        { STATED("y[0] = x[5];"), EXACT, 0 }, /* what is moved is not rounded */
        { STATED("y[0] = 0.0f + x[0] * 0.0f + x[2];"), EXACT, 0 },
        { STATED("y[0] = x[5] + 0.0f;"), BOUNDED, 0 },
        { STATED("y[0] = x[0] + x[1];"), BOUNDED, 0 },
        { STATED("y[0] = max(" T ", 0.0f);"), BOUNDED, 0 },
        { STATED("y[0] = max(" T ", 5.0f);"), EXACT, 0 },
        { STATED("y[0] = min(" T ", 5.0f);"), BOUNDED, 0 },
        { STATED("y[0] = x[0] / (" T " - 0.3f);"), OPEN, 0 },
        { STATED("y[0] = x[0] / x[4];"), OPEN, 0 },
        { STATED("y[0] = x[4] / " T ";"), EXACT, 0 },
        { STATED("y[0] = sqrt(" T " - 0.3f);"), OPEN, 0 },
        { STATED("y[0] = sqrt(" T ");"), BOUNDED, 0 },
        { STATED("y[0] = log(" T " - 0.3f);"), OPEN, 0 },
        { STATED("y[0] = lgamma(" T ");"), BOUNDED, 0 },
        { STATED("y[0] = lgamma(" T " - 0.3f);"), OPEN, 0 },
        { STATED("y[0] = ldexp(x[1], 3) * 0.5f + 0.0f * nextafter(x[1], 2.0f);"), EXACT, 0 },
        { STATED("y[0] = ldexp(x[1], -126);"), BOUNDED, 0 }, /* subnormal */
        { STATED("y[0] = ldexp(" T ", i32(x[2]));"), BOUNDED, 0 },
        { STATED("y[0] = nextafter(" T ", 2.0f);"), OPEN, 0 },
        { STATED("y[0] = copysign(x[0], " T " - 0.3f);"), OPEN, 0 },
        { STATED("y[0] = copysign(x[0], x[4]);"), OPEN, 0 },
        { TYPED("i32", "y[0] = ilogb(x[7]);"), EXACT, 0 },
        { BOOLS("y[0] = isnormal(" T ") && signbit(" T ");"), EXACT, 0 },
        { BOOLS("y[0] = signbit(" T " - 0.3f);"), OPEN, 1 },
        { STATED("y[0] = tan(" T " + 1.2707963f);"), OPEN, 0 },
        { STATED("y[0] = exp(-x[6]);"), EXACT, 0 },
        { STATED("y[0] = x[6] + " T ";"), OPEN, 0 },
        { STATED("y[0] = x[7] * x[7] * x[7] * x[7] * x[7] * x[7] * x[7] * x[7];"), OPEN, 0 },
        { TYPED("f16", "y[0] = f16(x[7]);"), OPEN, 0 },
        { TYPED("f16", "y[0] = f16(x[1]);"), BOUNDED, 0 },
        { TYPED("f64", "y[0] = f64(x[1]);"), EXACT, 0 },
        { TYPED("unorm8", "y[0] = unorm8(x[1]);"), BOUNDED, 0 },
        { TYPED("unorm8", "y[0] = unorm8(x[7] * x[7] * x[7] * x[7] * x[7] * x[7] * x[7] * x[7]);"),
          OPEN, 0 },
        { TYPED("i32", "y[0] = i32(" T " * 10.0f);"), OPEN, 1 },
        { TYPED("i32", "y[0] = i32(" T " * 12.0f);"), EXACT, 0 },
        { TYPED("i32", "y[0] = i32(" T " * 10.0f) * 0;"), OPEN, 1 },
        { BOOLS("y[0] = bool(" T ");"), EXACT, 0 },
        { BOOLS("y[0] = bool(" T " - 0.3f);"), OPEN, 1 },
        { BOOLS("y[0] = " T " < 0.3f;"), OPEN, 1 },
        { BOOLS("y[0] = " T " < 0.4f;"), EXACT, 0 },
        { BOOLS("y[0] = " T " == " T ";"), EXACT, 0 },
        { BOOLS("y[0] = x[1] == 0.1f;"), EXACT, 0 },
        { BOOLS("y[0] = x[5] > 0.0f;"), OPEN, 1 }, /* it may be zero */
        { BOOLS("y[0] = " T " < 0.4f || " T " < 0.3f;"), EXACT, 0 },
        { BOOLS("y[0] = " T " < 0.3f || x[0] > 0.0f;"), OPEN, 1 },
        { BOOLS("y[0] = !(" T " < 0.3f);"), OPEN, 1 },
        { TYPED("u32", "y[0] = as(u32, " T ");"), OPEN, 0 },
        { TYPED("u32", "y[0] = as(u32, x[1]);"), EXACT, 0 },
        /* both arms are known, so how far they are apart is */
        { STATED("y[0] = select(" T " < 0.3f, " T ", 0.3f);"), BOUNDED, 1 },
        { STATED("y[0] = if_then_else(" T " < 0.3f, " T ", 0.3f);"), OPEN, 1 },
        { STATED("y[0] = if_then_else(" T " < 0.4f, " T ", 0.3f);"), BOUNDED, 0 },
        /* the place of a load, of a store, the condition of a statement, an extent */
        { STATED("y[0] = x[i32(" T " * 10.0f)];"), OPEN, 1 },
        { STATED("y[0] = x[i32(" T " * 12.0f)];"), EXACT, 0 },
        { STATED("y[i32(" T " * 10.0f)] = 1.0f;"), OPEN, 1 },
        { STATED("if (" T " < 0.3f) y[3] = 1.0f;"), OPEN, 1 },
        { STATED("if (" T " < 0.4f) y[3] = 1.0f;"), EXACT, 0 },
        { STATED("for (j: i32(" T " * 10.0f)) y[3] = 1.0f;"), OPEN, 1 },
        { STATED("let t: f32 = " T "; y[0] = t;"), BOUNDED, 0 },
        { STATED("y[0] = let(t = " T ", t * t);"), BOUNDED, 0 },
        { STATED("let v: f32x4 = broadcast(" T ", 4); y[0] = lane(v, 2);"), BOUNDED, 0 },
        { STATED("y[0] = lane(shuffle(broadcast(" T ", 2), broadcast(1.0f, 2), [2, 0]), 0);"),
          EXACT, 0 },
        { STATED("y[0] = lane(shuffle(broadcast(" T ", 2), broadcast(1.0f, 2), [2, 0]), 1);"),
          BOUNDED, 0 },
        { STATED("y[ramp(0, 1, 4)] = broadcast(" T ", 4);"), BOUNDED, 0 },
        { STATED("alloc p: f32[8]; p[1] = " T "; y[0] = p[1];"), BOUNDED, 0 },
        { STATED("alloc p: f32[8]; p[1] = " T "; p[1] = 1.0f; y[0] = p[1];"), EXACT, 0 },
        { STATED("alloc p: f32[8]; decl q: i32[8] data(p); p[1] = " T "; y[0] = f32(q[1]);"), OPEN,
          0 },
        { STATED("y[0] = extern(f32, half, x[1]);"), BOUNDED, 0 },
        { STATED("y[0] = extern(f32, half, " T ");"), OPEN, 0 },
        { TYPED("i32", "y[0] = extern(i32, whole, x[1]);"), EXACT, 0 },
        { TYPED("i32", "y[0] = extern(i32, whole, " T ");"), OPEN, 0 },
        { STATED("alloc p: f32[8]; for (i: 8) p[i] = x[0]; evaluate extern(i32, halve, p); y[0] = "
                 "p[1];"), OPEN, 0 },
        { STATED("alloc p: f32[8]; decl q: i32[8] data(p); p[1] = x[0]; y[0] = f32(q[1] % 8);"),
          EXACT, 0 },
    };
    size_t  k;
    int64_t undecided;
    for (k = 0; k < sizeof rows / sizeof *rows; k++) {
        const double error = error_of(rows[k].text, &undecided);
        const int    is = error == 0 ? EXACT : error <= DBL_MAX ? BOUNDED : OPEN;
        if (!CHECK(error >= 0 && is == rows[k].expected) || !CHECK(undecided == rows[k].undecided))
            printf("%s\n  error %g, %ld open\n", rows[k].text, error, (long)undecided);
    }
}

/* How tight: t = x + x + x is two sums, of 0.2 and of 0.3. */
static void check_tight(void)
{
    int64_t      undecided;
    const double u = ldexp(1, -24);
    double       error = error_of(STATED("y[0] = " T ";"), &undecided);
    CHECK(error > 0.499 * u && error < 0.501 * u);
    error = error_of(STATED("y[0] = x[5] * 1.0f;"), &undecided); /* it may be zero, and so may 0 */
    CHECK(error >= ldexp(1, -126) && error < ldexp(1, -124));
    error = error_of(STATED("y[0] = 4.0f * " T ";"), &undecided); /* a power of 2 adds none */
    CHECK(error > 4 * 0.499 * u && error < 4 * 0.501 * u);
    error = error_of(TYPED("f64", "y[0] = f64(x[5]) * 3.0;"), &undecided);
    CHECK(error > 0);
    /* 1e280 with an error of 1e264, whose 3/2 power is no double */
    error = error_of(TYPED("f64", "y[0] = rsqrt((f64(x[0]) / 3.0) * 3e280) * 1e140;"), &undecided);
    CHECK(error > 4.5 * ldexp(1, -53) + 2 * ldexp(1, -53) && error < 1e-14);
}

/* ------------------------------------------------------------------ steps, right and wrong */

enum { ROWS = 3, COLUMNS = 4, LONG = 24, RESULTS = ROWS * COLUMNS };

/* y = a * b; the texts of wrong ones differ from the first in the term or in the extent. */
#define PRODUCT(init, extent, term) \
    "func f(a: %s[3, 24], b: %s[24, 4], y: %s[3, 4]) { for (i: 3, j: 4, k: " extent ") block s(" \
    "u: spatial(3) = i, v: spatial(4) = j, r: reduce(" extent ") = k) { init { y[u, v] = " init \
    "; } y[u, v] = y[u, v] + " term "; } }"
static const char right_text[] = PRODUCT("0", "24", "a[u, r] * b[r, v]");
static const char *const wrong_texts[] = {
    PRODUCT("0", "23", "a[u, r] * b[r, v]"),                               /* a product is lost */
    PRODUCT("0", "24", "if_then_else(r == 7, 0, a[u, r] * b[r, v])"),
    PRODUCT("0", "24", "if_then_else(r == 7, a[u, 8] * b[8, v], a[u, r] * b[r, v])"), /* twice */
    PRODUCT("a[u, 0]", "24", "a[u, r] * b[r, v]"),                         /* another beginning */
    PRODUCT("0", "24", "if_then_else(r == 23, -a[u, r], a[u, r]) * b[r, v]"),
    PRODUCT("0", "24", "a[u, r] * b[(r + 1) %% 24, v]"),                   /* another factor */
    PRODUCT("0", "24", "a[u, r] * b[r, v] * 1.02"),
};
static const char *const steps[] = {
    "{ contract(s); }", "{ reassociate(s); (o, i2) = split(s.k, 5); reorder(i2, o); }",
    "{ reassociate(s); (o, i2) = split(s.k, 6); rfactor(o, 0); }",
    "{ reassociate(s); bind(s.i, group.x); reorder(s.j, s.k); bind(s.k, local.x); }",
    "{ contract(s); reassociate(s); (o, i2) = split(s.k, 8); rfactor(i2, 0); }",
    "{ reassociate(s); reorder(s.k, s.i); (o, i2) = split(s.k, 3); reorder(i2, o); contract(s); }"
};

typedef struct run {
    char   a[ROWS * LONG * 8], b[LONG * COLUMNS * 8], y[RESULTS * 8];
    double errors[RESULTS];
} run;

/* What f, or a module, makes of the same factors. */
static int run_of(const irl_func *f, const irl_module *m, irl_scalar type, run *out)
{
    double               *asked[3] = { NULL, NULL, NULL };
    irl_interpret_options how;
    const irl_type        t = irl_type_of(type, 1);
    unsigned long         seed = test_seed;
    int                   k;
    asked[2] = out->errors;
    how.errors = asked;
    how.undecided = NULL;
    for (k = 0; k < ROWS * LONG; k++)
        store(type, out->a, k, irl__round_float(t, (double)uniform()));
    for (k = 0; k < LONG * COLUMNS; k++)
        store(type, out->b, k, irl__round_float(t, (double)uniform()));
    test_seed = seed;
    return f ? irl_func_interpret_with(f, IRL_POINTERS(out->a, out->b, out->y), &how)
             : irl_module_interpret_with(m, IRL_POINTERS(out->a, out->b, out->y), &how);
}

static irl_func *product(irl_ctx *cx, const char *text, const char *type)
{
    char whole[600];
    snprintf(whole, sizeof whole, text, type, type, type);
    return irl_func_parse(cx, whole, IRL_TO_NUL, "test");
}

static int same_bits(const run *a, const run *b, irl_scalar type)
{
    return memcmp(a->y, b->y, RESULTS * irl__type_bytes(irl_type_of(type, 1))) == 0;
}

static int64_t beyond(const run *a, const run *b, irl_scalar type, irl_agreement *sum)
{
    return irl_array_beyond(irl_type_of(type, 1), RESULTS, a->y, a->errors, b->y, b->errors, sum);
}

static void check_steps(irl_scalar type, int rounds)
{
    const int     step_count = (int)(sizeof steps / sizeof *steps),
                  wrong_count = (int)(sizeof wrong_texts / sizeof *wrong_texts);
    irl_agreement sum = { 0, 0, 0 };
    int           round, k, changed = 0, found[8] = { 0 }, modules = 0;
    for (round = 0; round < rounds; round++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        irl_func   *f = product(cx, right_text, type_name(type)), *g;
        irl_module *m;
        const char *step;
        run         is, other;
        test_seed = (unsigned long)round * 31 + 7;
        CHECK(run_of(f, NULL, type, &is));
        step = steps[type == IRL_F16 ? 1 + round % 3 : round % step_count]; /* see contract */
        g = irl_schedule_parse(f, step, IRL_TO_NUL, NULL);
        CHECK(run_of(g, NULL, type, &other));
        changed += !same_bits(&is, &other, type);
        CHECK(beyond(&is, &other, type, &sum) < 0);
        m = irl_func_lower(g, &irl_target_opencl12);
        if (m && run_of(NULL, m, type, &other)) {
            modules++;
            CHECK(beyond(&is, &other, type, &sum) < 0);
        }
        CHECK_OK(cx);
        for (k = 0; k < wrong_count; k++) {
            g = irl_schedule_parse(product(cx, wrong_texts[k], type_name(type)),
                                   k && k < 5 ? "{ reassociate(s); }" : step, IRL_TO_NUL, NULL);
            CHECK(run_of(g, NULL, type, &other));
            found[k] += beyond(&is, &other, type, NULL) >= 0;
        }
        if (!CHECK_OK(cx)) printf("%s\n", step);
        irl_ctx_destroy(cx);
    }
    printf("%s: %d of %d changed by steps, at most %.3f of the errors; wrong ones found:",
           type_name(type), changed, rounds, sum.worst);
    for (k = 0; k < wrong_count; k++) {
        printf(" %d", found[k]);
        CHECK(k == 6 ? type == IRL_F16 || found[k] == rounds : found[k] * 50 >= rounds * 49);
    }
    puts("");
    CHECK(sum.unbounded == 0 && sum.worst <= 1 && sum.worst > 0.01);
    CHECK(changed * 2 > rounds && modules * 2 > rounds);
}

/* ------------------------------------------------------------------ the comparison */

static void check_beyond(void)
{
    const irl_type f32 = irl_type_of(IRL_F32, 1), i32 = irl_type_of(IRL_I32, 1);
    const float    a[] = { 1, 2, 3, (float)HUGE_VAL, 5 }, b[] = { 1, 2.5f, 3, (float)HUGE_VAL, 6 };
    double         none[] = { 0, 0, 0, 0, 0 }, some[] = { 0, 0.25, 0, 0, 0.5 };
    const int32_t  i[] = { 1, 2, 3 }, j[] = { 1, 2, 4 };
    irl_agreement  sum = { 0, 0, 0 };
    CHECK(irl_array_beyond(f32, 5, a, none, b, none, NULL) == 1);
    CHECK(irl_array_beyond(f32, 5, a, some, b, none, NULL) == 1);
    CHECK(irl_array_beyond(f32, 5, a, some, b, some, &sum) == -1);
    CHECK(sum.numbers == 5 && sum.unbounded == 0 && sum.worst == 1);
    CHECK(irl_array_beyond(irl_type_of(IRL_F32, 2), 2, a, some, b, none, NULL) == 0);
    none[1] = HUGE_VAL;
    CHECK(irl_array_beyond(f32, 5, a, none, b, some, &sum) == 4);
    CHECK(sum.numbers == 10 && sum.unbounded == 1 && sum.worst == 2);
    CHECK(irl_array_beyond(i32, 3, i, none, j, none, NULL) == 2);
    none[2] = HUGE_VAL;
    CHECK(irl_array_beyond(i32, 3, i, none, j, none, NULL) == -1);
    CHECK(irl_array_beyond(f32, 0, NULL, NULL, NULL, NULL, NULL) == -1);
}

/* Whichever allocation fails; memory of a module, lets of vectors, groups, launches. */
static int ask_errors(irl_ctx *cx, int which)
{
    static const char *const texts[] = {
        "func f(x: f32[8], y: f32[8]) { alloc t: f32[8]; let v: f32x4 = broadcast(x[1], 4); for "
        "parallel (i: 8) t[i] = lane(v, 1) * x[i]; for bind(group.x)(g: 2) for bind(local.x)(l: 4) "
        "{ alloc s: f32[4] scope(shared); s[l] = t[g * 4 + l]; barrier(shared); y[g * 4 + l] = "
        "s[3 - l]; } }",
        "func f(x: f32[8], y: f32[8]) { alloc t: f32[8]; for (i: 8) t[i] = x[i] * x[7 - i]; for ("
        "i: 8) y[i] = t[i] + t[7 - i]; }"
    };
    float                 x[8], y[8];
    double                errors[8], *asked[2] = { NULL, errors };
    irl_interpret_options how = { asked, NULL };
    irl_func             *f = irl_func_parse(cx, texts[which], IRL_TO_NUL, "test");
    memcpy(x, cells, sizeof x);
    if (!which) return irl_func_interpret_with(f, IRL_POINTERS(x, y), &how);
    return irl_module_interpret_with(irl_func_lower(f, &irl_target_opencl12), IRL_POINTERS(x, y),
                                     &how);
}

int main(int argc, char **argv)
{
    int which;
    check_open();
    check_tight();
    check_beyond();
    for (which = 0; which < 4; which++) failing_each(ask_errors, which / 2, which % 2);
    check_steps(IRL_F32, TEST_COUNT(60));
    check_steps(IRL_F64, TEST_COUNT(30));
    check_steps(IRL_F16, TEST_COUNT(30));
    check_functions(argc > 1 ? strtoul(argv[1], NULL, 10) : 1,
                    argc > 2 ? atoi(argv[2]) : argc > 1 ? 1 : TEST_COUNT(2000));
    return TEST_DONE();
}
