/* ocl_functions.c - every function of floats at special values, at a sample of all f32 and at
   random points, in the interpreter, on a device, as C that a compiler builds, and as GLSL that
   g++ builds after a head with GLSL's own functions: how many units in the last place it is off a
   computation in long double. The bounds are those of OpenCL 1.2, 7.4, and GLSL_ULPS; the largest
   error is printed.

   IRL_SOAK=1: a hundred times as many points. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define _GNU_SOURCE
#define IRLAYOUT_OCL_RUNTIME
#include "../irlayout_ocl.h"
#include "ocl_device.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef long double real;
enum { WAYS = 4, GLSL_ULPS = 16 };
static const char *const ways[WAYS] = { "interpreter", "device", "C", "GLSL" };

/* ------------------------------------------------------------------ the functions */

static real exp10_real(real x, real y) { return (void)y, powl(10, x); }
static real sigmoid_real(real x, real y) { return (void)y, 1 / (1 + expl(-x)); }
static real softplus_real(real x, real y)
{
    return (void)y, x != x ? x : x > 0 ? x + log1pl(expl(-x)) : log1pl(expl(x));
}
static real sign_real(real x, real y) { return (void)y, x > 0 ? 1 : x < 0 ? -1 : x == 0 ? x : 0; }
static real isnan_real(real x, real y) { return (void)y, x != x; }
static real isinf_real(real x, real y) { return (void)y, fabsl(x) > FLT_MAX; }
static real isfinite_real(real x, real y) { return (void)y, fabsl(x) <= FLT_MAX; }
static real maximum_real(real x, real y) { return x != x || y != y ? x + y : x > y ? x : y; }
static real minimum_real(real x, real y) { return x != x || y != y ? x + y : x < y ? x : y; }
static real fdim_real(real x, real y) { return x <= y ? 0 : x - y; }
static real rsqrt_real(real x, real y) { return (void)y, 1 / sqrtl(x); }
#define UNARY(name) \
    static real name##_real(real x, real y) { return (void)y, name##l(x); }
#define BINARY(name) \
    static real name##_real(real x, real y) { return name##l(x, y); }
UNARY(exp) UNARY(exp2) UNARY(log) UNARY(log2) UNARY(sqrt) UNARY(sin) UNARY(cos) UNARY(tan)
UNARY(tanh) UNARY(floor) UNARY(ceil) UNARY(trunc) UNARY(rint) UNARY(acos) UNARY(acosh) UNARY(asin)
UNARY(asinh) UNARY(atan) UNARY(atanh) UNARY(cbrt) UNARY(cosh) UNARY(erf) UNARY(erfc) UNARY(expm1)
UNARY(log10) UNARY(log1p) UNARY(round) UNARY(sinh) UNARY(tgamma)
BINARY(pow) BINARY(atan2) BINARY(copysign) BINARY(fmod) BINARY(hypot) BINARY(remainder)

typedef struct row {
    const char *name;
    int         arity, is_bool;
    real        ulps;
    real (*of)(real x, real y);
} row;
#define ROW(name, arity, ulps) { #name, arity, 0, ulps, name##_real }
/* sigmoid is exp (3), a sum (0.5) and a quotient (2.5) of which each passes on less than twice what
   it takes; softplus is exp, log1p (2) and a sum. */
static const row rows[] = {
    ROW(exp, 1, 3),        ROW(exp2, 1, 3),       ROW(log, 1, 3),       ROW(log2, 1, 3),
    ROW(sqrt, 1, 3),       ROW(rsqrt, 1, 2),      ROW(sin, 1, 4),       ROW(cos, 1, 4),
    ROW(tan, 1, 5),        ROW(tanh, 1, 5),       ROW(floor, 1, 0),     ROW(ceil, 1, 0),
    ROW(trunc, 1, 0),      ROW(rint, 1, 0),       ROW(acos, 1, 4),      ROW(acosh, 1, 4),
    ROW(asin, 1, 4),       ROW(asinh, 1, 4),      ROW(atan, 1, 5),      ROW(atanh, 1, 5),
    ROW(cbrt, 1, 2),       ROW(cosh, 1, 4),       ROW(erf, 1, 16),      ROW(erfc, 1, 16),
    ROW(exp10, 1, 3),      ROW(expm1, 1, 3),      ROW(log10, 1, 3),     ROW(log1p, 1, 2),
    ROW(round, 1, 0),      ROW(sinh, 1, 4),       ROW(tgamma, 1, 16),   ROW(pow, 2, 16),
    ROW(atan2, 2, 6),      ROW(copysign, 2, 0),   ROW(fmod, 2, 0),      ROW(hypot, 2, 4),
    ROW(remainder, 2, 0),  ROW(sigmoid, 1, 10),   ROW(softplus, 1, 8),  ROW(sign, 1, 0),
    ROW(maximum, 2, 0),    ROW(minimum, 2, 0),    ROW(fdim, 2, 0.5L),
    { "isnan", 1, 1, 0, isnan_real }, { "isinf", 1, 1, 0, isinf_real },
    { "isfinite", 1, 1, 0, isfinite_real },
};
enum { ROWS = (int)(sizeof rows / sizeof *rows) };

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

static uint32_t random_bits(void)
{
    const uint32_t high = test_random();
    return high << 16 | test_random();
}

/* Pairs of special values; all f32 at a distance, with both ends of each binade; random points. */
static int draw_points(float *x, float *y, int count)
{
    int      k, n = 0, of_all;
    uint32_t bits = 0, by;
    for (k = 0; k < SPECIALS * SPECIALS; k++, n++) {
        x[n] = special(k / SPECIALS);
        y[n] = special(k % SPECIALS);
    }
    for (k = 0; k < 1024; k++, n++) {
        x[n] = of_bits((uint32_t)(k / 2) << 23 | (k % 2 ? 0x7fffffu : 0));
        y[n] = of_bits(random_bits());
    }
    of_all = (count - n) / 2;
    by = (uint32_t)(0x100000000ull / (uint32_t)of_all) | 1;
    for (k = 0; k < of_all; k++, n++, bits += by) {
        x[n] = of_bits(bits);
        y[n] = of_bits(random_bits());
    }
    for (; n < count; n++) {
        x[n] = (float)(TEST_RANDOM(2000001) - 1000000) / (TEST_RANDOM(2) ? 50000.0f : 5000000.0f);
        y[n] = (float)(TEST_RANDOM(2000001) - 1000000) / (TEST_RANDOM(2) ? 50000.0f : 5000000.0f);
    }
    return n;
}

/* ------------------------------------------------------------------ how far off */

static real flushed(real x) { return fabsl(x) < FLT_MIN ? copysignl(0, x) : x; }

/* In units in the last place of f32; -1: another kind of value. */
static real distance(float is, real truth)
{
    int e;
    if (truth != truth) return is != is ? 0 : -1;
    if (is != is) return -1;
    if (truth == 0 && is == 0) return !signbit(truth) == !signbit(is) ? 0 : -1;
    if (is - is != 0) /* an infinity for what is near the end, or at it */
        return truth - truth != 0 ? (truth > 0) == (is > 0) ? 0 : -1
               : (truth > 0) == (is > 0) && fabsl(truth) > (real)FLT_MAX * (1 - 1e-6L) ? 0.5L
                                                                                       : -1;
    if (truth - truth != 0) return -1;
    (void)frexpl(truth, &e);
    return fabsl(is - truth) / ldexpl(1, e < -125 ? -149 : e - 24);
}

/* A device may take subnormals for zero, and give zero for them. */
static real least_distance(const row *f, float x, float y, float is, int may_flush)
{
    const real truth = f->of(x, y);
    real       least = distance(is, truth), other;
    int        k;
    /* which of two zeros is the larger is not said */
    if (x == 0 && y == 0 && f->arity == 2 && is == 0 && truth == 0) return 0;
    for (k = 0; may_flush && k < 8; k++) {
        const real a = k & 1 ? flushed(x) : x, b = k & 2 ? flushed(y) : y;
        other = f->of(a, b);
        other = distance(is, k & 4 ? flushed(other) : other);
        if (other >= 0 && (least < 0 || other < least)) least = other;
    }
    return least;
}

/* PoCL 3.1: where one lane of a vector is above some 10^6, sin, cos and tan take an argument below
   1/128 in another lane for 2, 4, 8 ... times as large, so that it is above that. Some devices give
   tgamma of large negative numbers as 0, not -0. */
static int excused;
static int is_known(const row *f, float x, float is, real truth)
{
    if (f->of == tgamma_real) return is == 0 && truth == 0;
    if ((f->of != sin_real && f->of != cos_real && f->of != tan_real) || fabsf(x) > 0.0078125f ||
        !(fabsl(is - truth) < 0.016L))
        return 0;
    excused++;
    return 1;
}

static int refused[ROWS]; /* GLSL has no such function */

static void check_way(int way, const float *x, const float *y, const float *z, int count, int flush)
{
    int k, i;
    for (k = 0; k < ROWS; k++) {
        const row *f = &rows[k];
        /* the interpreter computes in double, and rounds once */
        const real bound = way == 3  ? f->ulps == 0 ? 0 : f->of == erfc_real ? 128 : GLSL_ULPS
                           : way == 0 && f->of != sigmoid_real && f->of != softplus_real &&
                                   f->ulps > 0 ? 0.5001L : f->ulps;
        real       worst = 0;
        if (way == 3 && refused[k]) continue;
        int        failed = 0, at = 0;
        for (i = 0; i < count && failed < 3; i++) {
            const float is = z[(size_t)k * (size_t)count + (size_t)i];
            const real  off = least_distance(f, x[i], y[i], is, flush);
            if (!(off >= 0 && off <= bound) && way == 1 && is_known(f, x[i], is, f->of(x[i], y[i])))
                continue;
            if (off > worst) worst = off, at = i;
            if (!CHECK(off >= 0 && off <= bound)) {
                failed++;
                printf("%s: %s(%.9g, %.9g) is %.9g, should be %.12Lg\n", ways[way], f->name,
                       (double)x[i], (double)y[i], (double)is, f->of(x[i], y[i]));
            }
        }
        if (f->ulps > 0)
            printf("%-12s %-10s %7.3Lf ulp of %4.1Lf, at %.9g\n", ways[way], f->name, worst,
                   f->ulps, (double)x[at]);
    }
}

/* ------------------------------------------------------------------ where they are computed */

static irl_func *all_functions(irl_ctx *cx, int count)
{
    static char text[8000];
    int         k, n = sprintf(text, "func all(x: f32[%d], y: f32[%d], z: f32[%d, %d]) {\n", count,
                               count, ROWS, count);
    for (k = 0; k < ROWS; k++)
        n += sprintf(text + n, "    for (i: %d) z[%d, i] = %s%s(x[i]%s)%s;\n", count, k,
                     rows[k].is_bool ? "f32(" : "", rows[k].name,
                     rows[k].arity == 2 ? ", y[i]" : "", rows[k].is_bool ? ")" : "");
    sprintf(text + n, "}\n");
    return irl_func_parse(cx, text, IRL_TO_NUL, "all");
}

/* In a new folder that is the current one: builds p.c and runs it on x and y. */
static int built(const char *command, int count, const float *x, const float *y, float *z)
{
    size_t n = (size_t)count, done = 0;
    FILE  *file = fopen("in", "wb");
    done += fwrite(x, 4, n, file);
    done += fwrite(y, 4, n, file);
    fclose(file);
    if (CHECK(done == 2 * n && system(command) == 0) && (file = fopen("out", "rb")) != NULL) {
        done = fread(z, 4, n * ROWS, file);
        fclose(file);
    }
    return CHECK(done == n * ROWS);
}

static FILE *in_folder(char *folder)
{
    return CHECK(mkdtemp(folder) && chdir(folder) == 0) ? fopen("p.c", "w") : NULL;
}

static void leave(const char *folder)
{
    if (system("rm -f p p.c in out") == 0 && chdir("/") == 0) rmdir(folder);
}

static const char glsl_head[] =
    "#include <cmath>\n#include <cstdio>\n#include <cstring>\n#include <cstdint>\n"
    "#include <algorithm>\nusing namespace std;\n#define precise\n"
    "static uint floatBitsToUint(float f) { uint u; memcpy(&u, &f, 4); return u; }\n"
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

static int as_glsl(int count, const float *x, const float *y, float *z)
{
    char     folder[] = "/tmp/irl_functions_XXXXXX", text[300];
    FILE    *file = in_folder(folder);
    int      k;
    if (!file) return 0;
    fprintf(file, "%sstatic float x[%d], y[%d], all_z[%d], *z;\n", glsl_head, count, count,
            count * ROWS);
    for (k = 0; k < ROWS; k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        const char *source;
        sprintf(text, "func one(x: f32[%d], y: f32[%d], z: f32[%d]) { for (i: %d) z[i] = %s%s(x[i]"
                      "%s)%s; }", count, count, count, count, rows[k].is_bool ? "f32(" : "",
                rows[k].name, rows[k].arity == 2 ? ", y[i]" : "", rows[k].is_bool ? ")" : "");
        source = irl_glsl_source(irl_func_lower(irl_func_parse(cx, text, IRL_TO_NUL, "one"),
                                                irl_target_find("glsl")), 0);
        refused[k] = !source || !*source;
        if (!refused[k]) put_shader(file, source, k);
        else if (!CHECK(strstr(irl_diag_text(cx), "GLSL has no")))
            printf("%s\n%s\n", text, irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
    fprintf(file,
            "int main()\n{\n    if (fread(x, 4, %d, stdin) != %d || fread(y, 4, %d, stdin) != %d) "
            "return 1;\n#define ALL(k) z = all_z + k * %d; for (uint i = 0; i < %du; i++) "
            "gl_GlobalInvocationID.x = i, n##k::run();\n",
            count, count, count, count, count, count);
    for (k = 0; k < ROWS; k++)
        if (!refused[k]) fprintf(file, "    ALL(%d)\n", k);
    fprintf(file, "    return fwrite(all_z, 4, %d, stdout) != %d;\n}\n", count * ROWS,
            count * ROWS);
    fclose(file);
    k = built("g++ -O1 -w -ffp-contract=off -x c++ -o p p.c -lm && ./p < in > out", count, x, y, z);
    leave(folder);
    return k;
}

static int as_c(irl_ctx *cx, const irl_func *f, int count, const float *x, const float *y, float *z)
{
    char        folder[] = "/tmp/irl_functions_XXXXXX";
    const char *source = irl_c_source(irl_func_lower(f, irl_target_find("c99")));
    FILE       *file = CHECK_OK(cx) ? in_folder(folder) : NULL;
    int         ok;
    if (!file) return 0;
    fprintf(file, "%s\n#include <stdio.h>\nstatic float x[%d], y[%d], z[%d];\nint main(void)\n{\n"
                  "    return !(fread(x, 4, %d, stdin) == %d && fread(y, 4, %d, stdin) == %d &&\n"
                  "             (all(x, y, z), fwrite(z, 4, %d, stdout)) == %d);\n}\n",
            source, count, count, count * ROWS, count, count, count, count, count * ROWS,
            count * ROWS);
    fclose(file);
    ok = built("cc -std=c99 -O1 -w -o p p.c -lm && ./p < in > out", count, x, y, z);
    leave(folder);
    return ok;
}

int main(void)
{
    const int count = SPECIALS * SPECIALS + 1024 + TEST_COUNT(12000);
    float    *x = (float *)malloc(sizeof(float) * (size_t)count * (2 + ROWS)), *y = x + count,
             *z = y + count;
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_ocl  *cl = device_open(cx);
    irl_func *f;
    if (!cl) {
        TEST_NO_DEVICE(cx);
        irl_ctx_destroy(cx);
        cx = irl_ctx_create(NULL);
    }
    f = all_functions(cx, count);
    CHECK(draw_points(x, y, count) == count);
    if (CHECK(irl_func_interpret(f, IRL_POINTERS(x, y, z)))) check_way(0, x, y, z, count, 0);
    if (cl && CHECK(irl_ocl_run(cl, irl_func_lower(f, irl_target_find("opencl12")),
                                IRL_POINTERS(x, y, z))))
        check_way(1, x, y, z, count, 1);
    if (excused) printf("device: %d of sin, cos and tan excused\n", excused);
    if (as_c(cx, f, count, x, y, z)) check_way(2, x, y, z, count, 0);
    if (as_glsl(count, x, y, z)) check_way(3, x, y, z, count, 1);
    if (!irl_ok(cx)) printf("%s\n", irl_diag_text(cx));
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    free(x);
    return TEST_DONE();
}
