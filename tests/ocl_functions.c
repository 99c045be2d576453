/* ocl_functions.c - the error of every function of floats, in units in the last place: in the
   interpreter, on a device, as C (scalars, and vectors of 8) that a compiler builds, and as GLSL
   that g++ builds with definitions of GLSL's own functions. MPFR is the judge. The bounds are those
   of OpenCL 1.2, 7.4, those of src/emit/c_float_math.c for vectors in C, and GLSL_ULPS. The table
   at the end has the largest errors.

   Functions of one argument are computed at every 4,099th f32, at all ends of binades and at
   special values; with IRL_SLOW at every 65,537th f32. IRL_SOAK=1: at all f32, where C's functions
   of double judge all but every 4,099th; functions of two arguments at 10^7 random points.
   IRL_FUNCTIONS="exp log": only these. */
#define _GNU_SOURCE
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define IRLAYOUT_OCL_RUNTIME
#include "../irlayout_ocl.h"
#include "ocl_device.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef double real;
enum { INTERPRETER, DEVICE, C_SCALARS, C_VECTORS, GLSL, WAYS };
enum { BATCH = 1 << 15, EVERY = 4099, LANES = 8, GLSL_ULPS = 5 };
static const char *const ways[WAYS] = { "interpreter", "device", "C", "C vectors", "GLSL" };

/* ------------------------------------------------------------------ the functions */

static mpfr_t mx, my;

static void set_mpfr(real x, real y)
{
    mpfr_set_d(mx, x, MPFR_RNDN);
    mpfr_set_d(my, y, MPFR_RNDN);
}

static real rsqrt_exact(real x, real y)
{
    set_mpfr(x, y);
    mpfr_sqrt(mx, mx, MPFR_RNDN);
    mpfr_ui_div(mx, 1, mx, MPFR_RNDN);
    return mpfr_get_d(mx, MPFR_RNDN);
}
static real sigmoid_exact(real x, real y)
{
    set_mpfr(-x, y);
    mpfr_exp(mx, mx, MPFR_RNDN);
    mpfr_add_ui(mx, mx, 1, MPFR_RNDN);
    mpfr_ui_div(mx, 1, mx, MPFR_RNDN);
    return mpfr_get_d(mx, MPFR_RNDN);
}
static real softplus_exact(real x, real y)
{
    set_mpfr(-fabs(x), y);
    mpfr_exp(mx, mx, MPFR_RNDN);
    mpfr_log1p(mx, mx, MPFR_RNDN);
    return x != x ? x : (x > 0 ? x : 0) + mpfr_get_d(mx, MPFR_RNDN);
}
static real rsqrt_quick(real x, real y) { return (void)y, 1 / sqrt(x); }
static real sigmoid_quick(real x, real y) { return (void)y, 1 / (1 + exp(-x)); }
static real softplus_quick(real x, real y)
{
    return (void)y, x != x ? x : (x > 0 ? x : 0) + log1p(exp(-fabs(x)));
}
#define UNARY_AS(name, mpfr_name)                                    \
    static real name##_exact(real x, real y)                         \
    {                                                                \
        set_mpfr(x, y);                                              \
        mpfr_name(mx, mx, MPFR_RNDN);                                \
        return mpfr_get_d(mx, MPFR_RNDN);                           \
    }                                                                \
    static real name##_quick(real x, real y) { return (void)y, name(x); }
#define UNARY(name) UNARY_AS(name, mpfr_##name)
#define BINARY(name)                                                 \
    static real name##_exact(real x, real y)                         \
    {                                                                \
        set_mpfr(x, y);                                              \
        mpfr_##name(mx, mx, my, MPFR_RNDN);                          \
        return mpfr_get_d(mx, MPFR_RNDN);                           \
    }
UNARY(exp) UNARY(exp2) UNARY(exp10) UNARY(log) UNARY(log2) UNARY(log10) UNARY(log1p) UNARY(expm1)
UNARY(sqrt) UNARY(sin) UNARY(cos) UNARY(tan) UNARY(tanh) UNARY(acos) UNARY(acosh) UNARY(asin)
UNARY(asinh) UNARY(atan) UNARY(atanh) UNARY(cbrt) UNARY(cosh) UNARY(sinh) UNARY(erf) UNARY(erfc)
UNARY_AS(tgamma, mpfr_gamma)
#define MPFR_LGAMMA(to, of, how) mpfr_lgamma(to, &(int){ 0 }, of, how)
UNARY_AS(lgamma, MPFR_LGAMMA)
BINARY(pow) BINARY(atan2) BINARY(fmod) BINARY(hypot) BINARY(remainder) BINARY(dim)

/* These are exact in C too. */
#define EXACT(name, value) static real name##_exact(real x, real y) { return (void)y, value; }
EXACT(floor, floor(x)) EXACT(ceil, ceil(x)) EXACT(trunc, trunc(x)) EXACT(rint, rint(x))
EXACT(round, round(x)) EXACT(isnan, x != x) EXACT(isinf, fabs(x) > FLT_MAX)
EXACT(isfinite, fabs(x) <= FLT_MAX) EXACT(sign, x > 0 ? 1 : x < 0 ? -1 : x == 0 ? x : 0)
EXACT(copysign, copysign(x, y)) /* MPFR has no sign of NaN */
EXACT(maximum, x != x || y != y ? x + y : x > y ? x : y)
EXACT(minimum, x != x || y != y ? x + y : x < y ? x : y)
EXACT(isnormal, fabs(x) <= FLT_MAX && fabs(x) >= FLT_MIN) EXACT(signbit, signbit(x) != 0)
EXACT(nextafter, nextafterf((float)x, (float)y))

static real logb_exact(real x, real y)
{
    set_mpfr(x, y);
    return mpfr_regular_p(mx) ? (real)(mpfr_get_exp(mx) - 1) : x == 0 ? -HUGE_VAL : fabs(x);
}

/* What the functions of `definitions` compute. */
static real exponent_exact(real x, real y)
{
    const real e = logb_exact(x, y);
    return e - e == 0 ? e : e < 0 ? -2147483648.0 : 2147483648.0;
}
static int power_of(real y)
{
    int32_t b, left;
    if (y != y) return 0;
    memcpy(&b, &(float){ (float)y }, sizeof b);
    left = b % 641;
    return b % 4 == 0 ? b : (left < 0 ? left + 641 : left) - 320;
}
static real scaled_exact(real x, real y)
{
    set_mpfr(x, y);
    mpfr_mul_2si(mx, mx, power_of(y), MPFR_RNDN);
    return mpfr_get_flt(mx, MPFR_RNDN);
}
static real fraction_exact(real x, real y) { return (void)y, frexp(x, &(int){ 0 }); }

/* of T, floats, and I, integers */
static const char *const definitions[] = {
    "fn power_of(y: T) -> I = let(b = as(I, y), select(y != y, 0, select(b % 4 == 0, b, "
    "b % 641 - 320)));\n",
    "fn scaled(x: T, y: T) -> T = ldexp(x, power_of(y));\n",
    "fn exponent(x: T) -> T = T(ilogb(x));\n",
    "fn fraction(x: T) -> T = ldexp(x, -1 - ilogb(x)); /* and ilogb(x) + 1: frexp's */\n",
};

static int define(char *to, int lanes)
{
    int n = 0;
    for (size_t k = 0; k < sizeof definitions / sizeof *definitions; k++)
        for (const char *at = definitions[k]; *at; at++)
            if (*at != 'T' && *at != 'I') to[n++] = *at;
            else if (lanes > 1) n += sprintf(to + n, "%c32x%d", *at == 'T' ? 'f' : 'i', lanes);
            else n += sprintf(to + n, "%c32", *at == 'T' ? 'f' : 'i');
    to[n] = '\0';
    return n;
}

typedef struct row {
    const char *name;
    int         arity, is_bool;
    real        ulps;
    real (*exact)(real x, real y);
    real (*quick)(real x, real y); /* in double */
    int in_vectors;                /* c_float_math.c has it: at most 2 units */
} row;
#define ROW(name, ulps, in_vectors) { #name, 1, 0, ulps, name##_exact, name##_quick, in_vectors }
#define SAME(name) { #name, 1, 0, 0, name##_exact, name##_exact, 0 }
#define TRUTH(name) { #name, 1, 1, 0, name##_exact, name##_exact, 0 }
#define TWO(name, ulps, exact) { #name, 2, 0, ulps, exact, exact, 0 }
/* sigmoid is exp (3), a sum (0.5) and a quotient (2.5) of which each passes on less than twice what
   it takes; softplus is exp, log1p (2) and a sum. */
static const row rows[] = {
    ROW(exp, 3, 1),    ROW(exp2, 3, 0),   ROW(log, 3, 1),    ROW(log2, 3, 0),   ROW(sqrt, 3, 0),
    ROW(rsqrt, 2, 0),  ROW(sin, 4, 1),    ROW(cos, 4, 1),    ROW(tan, 5, 0),    ROW(tanh, 5, 1),
    SAME(floor),       SAME(ceil),        SAME(trunc),       SAME(rint),        ROW(acos, 4, 0),
    ROW(acosh, 4, 0),  ROW(asin, 4, 0),   ROW(asinh, 4, 0),  ROW(atan, 5, 0),   ROW(atanh, 5, 0),
    ROW(cbrt, 2, 0),   ROW(cosh, 4, 0),   ROW(erf, 16, 1),   ROW(erfc, 16, 0),  ROW(exp10, 3, 0),
    ROW(expm1, 3, 0),  ROW(log10, 3, 0),  ROW(log1p, 2, 0),  SAME(round),       ROW(sinh, 4, 0),
    ROW(tgamma, 16, 0), ROW(sigmoid, 10, 0), ROW(softplus, 8, 0), SAME(sign),   TRUTH(isnan),
    TRUTH(isinf),      TRUTH(isfinite),   TRUTH(isnormal),    TRUTH(signbit),   SAME(logb),
    SAME(exponent),    SAME(fraction),    ROW(lgamma, 16, 0),
    TWO(nextafter, 0, nextafter_exact),   TWO(scaled, 0, scaled_exact),
    TWO(pow, 16, pow_exact),           TWO(atan2, 6, atan2_exact),
    TWO(copysign, 0, copysign_exact),  TWO(fmod, 0, fmod_exact),
    TWO(hypot, 4, hypot_exact),        TWO(remainder, 0, remainder_exact),
    TWO(maximum, 0, maximum_exact),    TWO(minimum, 0, minimum_exact),
    TWO(fdim, 0.5, dim_exact),
};
enum { ROWS = (int)(sizeof rows / sizeof *rows) };

/* The rows that are computed together: of as many arguments, and chosen. */
static const row *chosen[ROWS];
static int        chosen_count;

static void choose(int arity)
{
    const char *only = getenv("IRL_FUNCTIONS");
    char        list[400], word[40];
    sprintf(list, " %.390s ", only ? only : "");
    chosen_count = 0;
    for (int k = 0; k < ROWS; k++) {
        sprintf(word, " %s ", rows[k].name);
        if (rows[k].arity == arity && (!only || strstr(list, word)))
            chosen[chosen_count++] = &rows[k];
    }
}

/* ------------------------------------------------------------------ points */

static float of_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static const float specials[] = {
    0.0f, -0.0f, 1.0f, -1.0f, 0.5f, -0.5f, 2.0f, -2.0f, 1.5f, 2.5f, -2.5f, 3.0f, -3.0f, 0.25f,
    0.49999997f, 0.50000006f, 0.99999994f, 1.0000001f, -0.99999994f, 8388607.5f, 8388609.0f,
    16777216.0f, -16777215.0f, 1e-10f, -1e-10f, 1e10f, -1e10f, 88.7f, 88.8f, -103.9f, -87.4f, 38.5f,
    -37.9f, 35.0f, 36.0f, -44.8f, 3.1415927f, 1.5707964f, 100.0f, -100.5f, 127.0f, 128.0f, -126.0f,
    10.0f, -10.0f, FLT_MAX, -FLT_MAX, FLT_MIN, -FLT_MIN, 1e-40f, -1e-40f, 1e-45f, (float)HUGE_VAL,
    -(float)HUGE_VAL, 9.0f, 4.2f, -0.3f
};
enum { SPECIALS = (int)(sizeof specials / sizeof *specials) + 1 };

static float special(int k)
{
    return k < SPECIALS - 1 ? specials[k] : of_bits(0x7fc00000u);
}

static float random_bits(void)
{
    const uint32_t high = test_random();
    return of_bits(high << 16 | test_random());
}

static float random_moderate(void)
{
    return (float)(TEST_RANDOM(2000001) - 1000000) / (TEST_RANDOM(2) ? 50000.0f : 5000000.0f);
}

enum { PAIRS = SPECIALS * SPECIALS, ENDS = 512 * 7, MODERATE = 20000 };

/* How far apart the f32 are at which functions of one argument are computed. */
static uint32_t distance_of_points(void)
{
    const int n = TEST_COUNT(3);
    return n > 3 ? 1 : n > 1 ? EVERY : 65537;
}

static int64_t point_count(int arity)
{
    const int64_t by = distance_of_points();
    return PAIRS + ENDS + MODERATE +
           (arity == 1 ? (((int64_t)1 << 32) + by - 1) / by : TEST_COUNT(100000));
}

/* Point k: pairs of special values; the ends of binades and their neighbours; moderate numbers;
   then f32 in their order, `apart` from each other, or random ones. 1: C's functions may judge. */
static int draw_point(int arity, int64_t apart, int64_t k, float *x, float *y)
{
    const int64_t sweep = k - PAIRS - ENDS - MODERATE;
    if (sweep >= 0 && arity == 1) {
        *x = of_bits((uint32_t)(sweep * apart));
        return apart == 1 && sweep % EVERY != 0;
    }
    *y = random_bits();
    if (k < PAIRS) {
        *x = special((int)(k / SPECIALS));
        *y = special((int)(k % SPECIALS));
    } else if (k < PAIRS + ENDS) {
        *x = of_bits(((uint32_t)(k - PAIRS) / 7 << 23) + (uint32_t)(k - PAIRS) % 7 - 3);
    } else if (k < PAIRS + ENDS + MODERATE || TEST_RANDOM(2)) {
        *x = random_moderate();
        *y = random_moderate();
    } else {
        *x = random_bits();
        if (TEST_RANDOM(2)) *y = 5 * random_moderate() / logf(fabsf(*x)); /* pow is finite */
    }
    return 0;
}

/* ------------------------------------------------------------------ how far off */

static real flushed(real x) { return fabs(x) < FLT_MIN ? copysign(0, x) : x; }

/* In units in the last place of f32; -1: another kind of value. */
static real distance(float is, real truth)
{
    uint64_t bits;
    real     unit;
    if (truth != truth) return is != is ? 0 : -1;
    if (is != is) return -1;
    if (truth == 0 && is == 0) return !signbit(truth) == !signbit(is) ? 0 : -1;
    if (is - is != 0) /* an infinity for what is near the end, or at it */
        return truth - truth != 0 ? (truth > 0) == (is > 0) ? 0 : -1
               : (truth > 0) == (is > 0) && fabs(truth) > (real)FLT_MAX * (1 - 1e-6) ? 0.5
                                                                                     : -1;
    if (truth - truth != 0) return -1;
    memcpy(&bits, &truth, sizeof bits);
    bits = bits >> 52 & 2047;
    bits = ((bits < 1023 - 126 ? 1023 - 126 : bits) - 23) << 52;
    memcpy(&unit, &bits, sizeof unit);
    return fabs(is - truth) / unit;
}

/* A device may take subnormals for zero, and give zero for them. */
static real least_distance(const row *f, float x, float y, float is, real truth, int may_flush)
{
    real least = distance(is, truth), other;
    /* which of two zeros is the larger is not said */
    if (x == 0 && y == 0 && f->arity == 2 && is == 0 && truth == 0) return 0;
    if (fabsf(x) >= FLT_MIN && (f->arity == 1 || fabsf(y) >= FLT_MIN) && fabs(truth) >= FLT_MIN)
        return least;
    for (int k = 0; may_flush && least != 0 && k < 8; k++) {
        const real a = k & 1 ? flushed(x) : x, b = k & 2 ? flushed(y) : y;
        other = f->quick(a, b);
        other = distance(is, k & 4 ? flushed(other) : other);
        if (other >= 0 && (least < 0 || other < least)) least = other;
    }
    return least;
}

/* PoCL 3.1: where one lane of a vector is above some 10^6, sin, cos and tan take an argument below
   1/128 in another lane for 2, 4, 8 ... times as large, so that it is above that; tgamma of numbers
   below -33 divides by a function that is a subnormal number there; lgamma is infinite above
   4.037e36, and not above 4.085e36. Some devices give tgamma of
   large negative numbers as 0, not -0. */
static int64_t excused;
static int is_known(const row *f, float x, float is, real truth)
{
    const int is_fault =
        f->exact == lgamma_exact ? is - is != 0 && truth > 3.36e38
        : f->exact == tgamma_exact
            ? (is == 0 && truth == 0) ||
                  (x < -33 && fabs(is - truth) < 3e-45 * tgamma(1.0 - x) * fabs(truth))
            : (f->exact == sin_exact || f->exact == cos_exact || f->exact == tan_exact) &&
                  fabsf(x) <= 0.0078125f && fabs(is - truth) < 0.016;
    excused += is_fault;
    return is_fault;
}

enum { REFUSED = -1 }; /* GLSL has no such function, or there is no device */
static real worst[WAYS][ROWS];
static int  wrong[WAYS][ROWS];

static real bound_of(int way, const row *f)
{
    if (f->ulps == 0) return 0;
    if (way == GLSL) return f->exact == erfc_exact ? 128 : GLSL_ULPS;
    if (way == C_VECTORS && f->in_vectors) return 2;
    /* the interpreter computes in double, and rounds once */
    if (way == INTERPRETER && f->exact != sigmoid_exact && f->exact != softplus_exact)
        return 0.5001;
    return f->ulps;
}

static void check_way(int way, const float *x, const float *y, const float *z, const real *truths,
                      int count)
{
    for (int k = 0; k < chosen_count; k++) {
        const row *f = chosen[k];
        const int  at = (int)(f - rows);
        const real bound = bound_of(way, f);
        for (int i = 0; i < count && worst[way][at] != REFUSED && wrong[way][at] < 3; i++) {
            const float is = z[k * BATCH + i];
            const real  truth = truths[k * BATCH + i],
                       off = least_distance(f, x[i], y[i], is, truth, way == DEVICE || way == GLSL);
            /* below -2, where its zeros are, of a result that is taken for 1 at least */
            const int is_right = (off >= 0 && off <= bound) ||
                                 (f->exact == lgamma_exact && x[i] < -2 && way != INTERPRETER &&
                                  fabs(is - truth) <= bound * FLT_EPSILON);
            if (!is_right && way == DEVICE && is_known(f, x[i], is, truth)) continue;
            if (off > worst[way][at] && (!is_right || off <= bound)) worst[way][at] = off;
            if (is_right) continue;
            wrong[way][at]++;
            printf("%s: %s(%.9g, %.9g) is %.9g, should be %.12g\n", ways[way], f->name,
                   (double)x[i], (double)y[i], (double)is, truth);
        }
        CHECK(!wrong[way][at]);
    }
}

static void print_table(void)
{
    printf("%-10s %11s", "largest", "OpenCL says");
    for (int way = 0; way < WAYS; way++) printf(" %11s", ways[way]);
    for (int k = 0; k < ROWS; k++) {
        if (rows[k].ulps == 0) continue;
        printf("\n%-10s %11.1f", rows[k].name, rows[k].ulps);
        for (int way = 0; way < WAYS; way++)
            if (worst[way][k] < 0) printf(" %11s", "-");
            else printf(" %11.4f", worst[way][k]);
    }
    printf("\n");
}

/* ------------------------------------------------------------------ where they are computed */

static irl_func *functions(irl_ctx *cx, int lanes)
{
    static char text[12000];
    int         n = define(text, lanes);
    n += sprintf(text + n, "func all(x: f32[%d], y: f32[%d], z: f32[%d, %d]) {\n", BATCH, BATCH,
                 chosen_count, BATCH);
    for (int k = 0; k < chosen_count; k++) {
        char at[40];
        sprintf(at, lanes > 1 ? "ramp(i * %d, 1, %d)" : "i", lanes, lanes);
        n += sprintf(text + n, "    for (i: %d) z[%d, %s] = %s%s(x[%s]", BATCH / lanes, k, at,
                     chosen[k]->is_bool ? "select(" : "", chosen[k]->name, at);
        if (chosen[k]->arity == 2) n += sprintf(text + n, ", y[%s]", at);
        n += sprintf(text + n, ")%s;\n",
                     !chosen[k]->is_bool ? ""
                     : lanes > 1         ? ", broadcast(1.0, 8), broadcast(0.0, 8))"
                                         : ", 1.0, 0.0)");
    }
    sprintf(text + n, "}\n");
    return irl_func_parse(cx, text, IRL_TO_NUL, "functions");
}

static char folder[] = "/tmp/irl_functions_XXXXXX";

static FILE *open_in_folder(const char *name, const char *how)
{
    char path[80];
    sprintf(path, "%s/%s", folder, name);
    return fopen(path, how);
}

/* The program of a way: the file "source" in the folder, and a main that calls `run`, which sets z
   by x and y. */
static int build(int way, const char *compiler, const char *run)
{
    char  command[200];
    FILE *file = open_in_folder("p.c", "w");
    if (!CHECK(file != NULL)) return 0;
    fprintf(file, "#include <stdio.h>\nenum { BATCH = %d, ALL = %d };\n"
                  "static float x[BATCH], y[BATCH], all_z[ALL], *z = all_z;\n#include \"source\"\n"
                  "int main(void)\n{\n"
                  "    if (fread(x, 4, BATCH, stdin) != BATCH) return 1;\n"
                  "    if (fread(y, 4, BATCH, stdin) != BATCH) return 1;\n"
                  "    %s;\n    return fwrite(all_z, 4, ALL, stdout) != ALL;\n}\n",
            BATCH, BATCH * chosen_count, run);
    fclose(file);
    sprintf(command, "cd %s && %s -w -o p%d p.c -lm", folder, compiler, way);
    return CHECK(system(command) == 0);
}

static int run(int way, const float *x, const float *y, float *z)
{
    char   command[100];
    size_t done = 0, all = (size_t)BATCH * (size_t)chosen_count;
    FILE  *file = open_in_folder("in", "wb");
    done += fwrite(x, 4, BATCH, file);
    done += fwrite(y, 4, BATCH, file);
    fclose(file);
    sprintf(command, "cd %s && ./p%d < in > out", folder, way);
    if (CHECK(done == 2 * BATCH && system(command) == 0)) {
        file = open_in_folder("out", "rb");
        done = fread(z, 4, all, file);
        fclose(file);
    }
    return CHECK(done == all);
}

static int build_c(irl_ctx *cx, int way, int lanes, const char *target, const char *compiler)
{
    const char *source =
        irl_c_source(irl_func_lower(functions(cx, lanes), irl_target_find(target)));
    FILE *file = CHECK_OK(cx) ? open_in_folder("source", "w") : NULL;
    if (!CHECK(file != NULL)) return 0;
    fputs(source, file);
    fclose(file);
    return build(way, compiler, "all(x, y, z)");
}

static const char glsl_head[] =
    "#include <cmath>\n#include <cstring>\n#include <cstdint>\n"
    "#include <algorithm>\nusing namespace std;\n#define precise\n"
    "static uint floatBitsToUint(float f) { uint u; memcpy(&u, &f, 4); return u; }\n"
    "static int floatBitsToInt(float f) { int u; memcpy(&u, &f, 4); return u; }\n"
    "static float intBitsToFloat(int u) { float f; memcpy(&f, &u, 4); return f; }\n"
    "static float uintBitsToFloat(uint u) { float f; memcpy(&f, &u, 4); return f; }\n"
    "static float sign(float x) { return x > 0 ? 1.0f : x < 0 ? -1.0f : x; }\n"
    "static float roundEven(float x) { return rintf(x); }\n"
    "static float inversesqrt(float x) { return (float)(1 / sqrt((double)x)); }\n"
    "static float atan(float y, float x) { return atan2f(y, x); }\n"
    "static struct { uint x, y, z; } gl_GlobalInvocationID;\n";

/* What a shader has between its layouts, and its function, with a name of its own. */
static void put_shader(FILE *file, const char *source, int k)
{
    const char *begin = strstr(source, ") in;\n") + 6, *end = strstr(begin, "layout(std430"),
               *run = strstr(begin, "void main()") + 11;
    fprintf(file, "namespace n%d {\n%.*sstatic void run()%s}\n", k, (int)(end - begin), begin, run);
}

static int build_glsl(void)
{
    irl_lower_options as_written; /* a work-item for each element */
    char              text[800];
    FILE             *file = open_in_folder("source", "w");
    if (!CHECK(file != NULL)) return 0;
    memset(&as_written, 0, sizeof as_written);
    as_written.schedule = IRL_SCHEDULE_NONE;
    fputs(glsl_head, file);
    for (int k = 0; k < chosen_count; k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        const char *source, *of = chosen[k]->arity == 2 ? "x[i], y[i]" : "x[i]";
        sprintf(text + define(text, 1), "func one(x: f32[%d], y: f32[%d], z: f32[%d]) "
                "{ for parallel (i: %d) z[i] = ", BATCH, BATCH, BATCH, BATCH);
        sprintf(text + strlen(text), chosen[k]->is_bool ? "f32(%s(%s)); }" : "%s(%s); }",
                chosen[k]->name, of);
        source = irl_glsl_source(irl_func_lower_with(irl_func_parse(cx, text, IRL_TO_NUL, "one"),
                                                     irl_target_find("glsl"), &as_written), 0);
        if (source && *source) {
            put_shader(file, source, k);
        } else {
            worst[GLSL][chosen[k] - rows] = REFUSED;
            if (!CHECK(strstr(irl_diag_text(cx), "GLSL has no")))
                printf("%s\n%s\n", text, irl_diag_text(cx));
        }
        irl_ctx_destroy(cx);
    }
    fprintf(file, "static void all(void)\n{\n");
    for (int k = 0; k < chosen_count; k++)
        if (worst[GLSL][chosen[k] - rows] != REFUSED)
            fprintf(file,
                    "    z = all_z + %d;\n    for (uint i = 0; i < BATCH; i++)\n"
                    "        gl_GlobalInvocationID.x = i, n%d::run();\n",
                    k * BATCH, k);
    fprintf(file, "}\n");
    fclose(file);
    return build(GLSL, "g++ -O1 -ffp-contract=off -x c++", "all()");
}

static float x[BATCH], y[BATCH], z[ROWS * BATCH];
static real  truths[ROWS * BATCH];

static void check_functions(irl_ctx *cx, irl_ocl *cl, int arity)
{
    choose(arity);
    if (!chosen_count || !CHECK(mkdtemp(folder))) return;
    const irl_func   *f = functions(cx, 1);
    const irl_module *m = cl ? irl_func_lower(f, irl_target_find("opencl12")) : NULL;
    const int64_t     count = point_count(arity), apart = distance_of_points();
    const int         is_built[] = {
        1, m != NULL, build_c(cx, C_SCALARS, 1, "c99", "cc -std=c99 -O1"),
        build_c(cx, C_VECTORS, LANES, "c-gnu", "cc -std=c99 -O2"), build_glsl()
    };
    for (int64_t first = 0; first < count; first += BATCH) {
        const int n = (int)(count - first < BATCH ? count - first : BATCH);
        for (int i = 0; i < n; i++) {
            const int is_quick = draw_point(arity, apart, first + i, &x[i], &y[i]);
            for (int k = 0; k < chosen_count; k++)
                truths[k * BATCH + i] = is_quick ? chosen[k]->quick(x[i], y[i])
                                                 : chosen[k]->exact(x[i], y[i]);
        }
        for (int way = 0; way < WAYS; way++)
            if (is_built[way] &&
                (way == INTERPRETER ? CHECK(irl_func_interpret(f, IRL_POINTERS(x, y, z)))
                 : way == DEVICE    ? CHECK(irl_ocl_run(cl, m, IRL_POINTERS(x, y, z)))
                                    : run(way, x, y, z)))
                check_way(way, x, y, z, truths, n);
    }
    printf("%d functions of %d: %lld points\n", chosen_count, arity, (long long)count);
    char command[80];
    sprintf(command, "rm -r %s", folder);
    CHECK(system(command) == 0);
    memcpy(strrchr(folder, '_') + 1, "XXXXXX", 6);
}

int main(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_ocl *cl = device_open(cx);
    if (!cl) {
        TEST_NO_DEVICE(cx);
        irl_ctx_destroy(cx);
        cx = irl_ctx_create(NULL);
    }
    mpfr_inits2(64, mx, my, (mpfr_ptr)NULL);
    for (int k = 0; k < ROWS && !cl; k++) worst[DEVICE][k] = REFUSED;
    for (int arity = 1; arity <= 2; arity++) check_functions(cx, cl, arity);
    print_table();
    if (excused) printf("device: %lld results excused\n", (long long)excused);
    if (!irl_ok(cx)) printf("%s\n", irl_diag_text(cx));
    mpfr_clears(mx, my, (mpfr_ptr)NULL);
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
