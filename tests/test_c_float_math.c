/* test_c_float_math.c - functions of vectors of f32 in emitted C: each within 2 ulp of what the C
   library computes in double, at every 4,099th float, the ends of all binades and small numbers;
   min and max bit for bit. */
#define _GNU_SOURCE /* mkdtemp */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

/* The program around the emitted function, which takes 4,096 numbers at a time. */
static const char program[] =
    "#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n"
    "enum { N = 4096, FUNCTIONS = 6 };\n"
    "void f(const float *x, const float *w, float *a, float *b, float *c, float *d, float *e,\n"
    "       float *g, float *low, float *high);\n"
    "static float x[N], w[N], out[8][N];\n"
    "static double (*const exact[])(double) = { exp, log, tanh, erf, sin, cos };\n"
    "static double worst[FUNCTIONS];\nstatic float at[FUNCTIONS];\nstatic int count;\n"
    "static long runs, wrong;\n"
    "static double ulps(float got, double want)\n{\n"
    "    int power;\n"
    "    if (isnan(want)) return isnan(got) ? 0 : 1e9;\n"
    "    if (isinf((float)want) || isinf(got)) return (float)want == got ? 0 : 1e9;\n"
    "    if (want == 0) return got == 0 && !signbit(got) == !signbit(want) ? 0 : 1e9;\n"
    "    frexp(want, &power);\n"
    "    return fabs(got - want) / ldexp(1, (power < -125 ? -125 : power) - 24);\n}\n"
    "static void run(void)\n{\n"
    "    f(x, w, out[0], out[1], out[2], out[3], out[4], out[5], out[6], out[7]);\n"
    "    for (int k = 0; k < FUNCTIONS; k++)\n"
    "        for (int i = 0; i < count; i++) {\n"
    "            double u = ulps(out[k][i], exact[k](x[i]));\n"
    "            if (u > worst[k]) worst[k] = u, at[k] = x[i];\n        }\n"
    "    for (int i = 0; i < count; i++) {\n"
    "        float low = x[i] < w[i] || w[i] != w[i] ? x[i] : w[i];\n"
    "        float high = x[i] > w[i] || w[i] != w[i] ? x[i] : w[i];\n"
    "        wrong += memcmp(&low, &out[6][i], 4) || memcmp(&high, &out[7][i], 4);\n    }\n"
    "    runs += count;\n    count = 0;\n}\n"
    "static void put(uint32_t bits)\n{\n"
    "    uint32_t other = bits * 2654435761u;\n"
    "    if (bits % 7 == 0) other = bits ^ 0x80000000u;\n"
    "    memcpy(&x[count], &bits, 4);\n    memcpy(&w[count], &other, 4);\n"
    "    if (++count == N) run();\n}\n"
    "int main(void)\n{\n"
    "    for (uint64_t bits = 0; bits < (uint64_t)1 << 32; bits += STEP) put((uint32_t)bits);\n"
    "    for (uint32_t end = 0; end < 512; end++)\n"
    "        for (uint32_t k = 0; k < 7; k++) put((end << 23) + k - 3);\n"
    "    for (int k = -200000; k <= 200000; k++) {\n"
    "        uint32_t bits;\n        float small = (float)k / 2000;\n"
    "        memcpy(&bits, &small, 4);\n        put(bits);\n    }\n"
    "    run();\n"
    "    for (int k = 0; k < FUNCTIONS; k++) {\n"
    "        printf(\"%d: %.3f ulp at %a\\n\", k, worst[k], at[k]);\n"
    "        wrong += !(worst[k] <= 2);\n    }\n"
    "    printf(\"%ld numbers, %ld wrong\\n\", runs, wrong);\n"
    "    return wrong != 0;\n}\n";

static void check_lanes(int lanes, const char *compiler)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    char     text[2048], folder[] = "/tmp/irl_float_math_XXXXXX", command[512];
    int      length = sprintf(text, "func f(x: f32[4096], w: f32[4096]");
    for (int k = 0; k < 8; k++) length += sprintf(text + length, ", y%d: f32[4096]", k);
    length += sprintf(text + length, ") { for (b: %d) {", 4096 / lanes);
    static const char *const calls[] = { "exp(",  "log(", "tanh(", "erf(",
                                         "sin(", "cos(", "min(",  "max(" };
    for (int k = 0; k < 8; k++) {
        char at[64];
        sprintf(at, "[ramp(b * %d, 1, %d)]", lanes, lanes);
        length += sprintf(text + length, "y%d%s = %sx%s%s%s);\n", k, at, calls[k], at,
                          k > 5 ? ", w" : "", k > 5 ? at : "");
    }
    sprintf(text + length, "} }");
    const irl_func   *f = irl_func_parse(cx, text, IRL_TO_NUL, "functions");
    const irl_module *m = f ? irl_func_lower(f, irl_target_find("c-gnu")) : NULL;
    const char       *source = irl_c_source(m);
    CHECK(strstr(source, "irl_f_exp_f32x") != NULL);
    if (!CHECK(source[0] && mkdtemp(folder))) printf("%s\n", irl_diag_text(cx));
    sprintf(command, "%s/p.c", folder);
    FILE *out = fopen(command, "w");
    if (CHECK(out != NULL)) {
        fprintf(out, "%s\n%s", source, program);
        fclose(out);
        sprintf(command, "cd %s && %s -DSTEP=%d -o p p.c -lm && ./p", folder, compiler,
                TEST_COUNT(1) > 1 ? 1 : 4099);
        if (!CHECK(system(command) == 0)) printf("%d lanes, %s\n", lanes, compiler);
    }
    sprintf(command, "rm -r %s", folder);
    CHECK(system(command) == 0);
    irl_ctx_destroy(cx);
}

int main(void)
{
    fflush(stdout);
    check_lanes(8, "gcc -std=c99 -O2 -w");
    check_lanes(4, "gcc -std=gnu11 -O3 -march=native -w");
    if (system("command -v clang > /dev/null") == 0) check_lanes(16, "clang -std=c99 -O2 -w");
    return TEST_DONE();
}
