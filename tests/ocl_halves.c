/* ocl_halves.c - arithmetic of f16 and bf16 on a device against the interpreter, bit for bit (any
   NaN for a NaN): by f32 on every device, where opencl12-gpu uses the device's conversions; of its
   own, target opencl12-fp16, where the device says cl_khr_fp16. All 2^16 values meet themselves,
   their neighbours and others.

   Quotients and roots may be one half off where the device rounds those of f32 otherwise than to
   the nearest, as OpenCL permits. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define IRLAYOUT_OCL_RUNTIME
#include "../irlayout_ocl.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/ocl/runtime.h"
#endif
#include "test.h"

enum { ALL = 65536 };

static uint16_t x[ALL], w[ALL], found[ALL], expected[ALL];

static int is_nan(int k, uint16_t bits) { return (bits & 0x7fff) > (k ? 0x7f80 : 0x7c00); }

static int place(uint16_t bits) { return bits & 0x8000 ? -(bits & 0x7fff) : bits; }

/* Are two halves the same, or at most so many apart? */
static int agree(int k, uint16_t a, uint16_t b, int apart)
{
    if (is_nan(k, a) || is_nan(k, b)) return is_nan(k, a) && is_nan(k, b);
    return abs(place(a) - place(b)) <= apart; /* zeros are alike */
}

typedef struct half_case {
    const char *value;
    int         apart;
} half_case;

static const half_case cases[] = {
    { "x[i] + w[i]", 0 },
    { "x[i] - w[i]", 0 },
    { "x[i] * w[i]", 0 },
    { "x[i] * w[i] + x[i]", 0 }, /* two roundings: no fma */
    { "min(x[i], w[i])", 0 },
    { "max(x[i], w[i]) - abs(x[i])", 0 },
    { "rint(x[i]) + floor(w[i]) - ceil(x[i]) * trunc(w[i])", 0 },
    { "select(x[i] < w[i], -x[i], w[i] * 0.5)", 0 },
    { "fma(x[i], w[i], x[i])", 0 },
    { "x[i] / w[i]", 1 },
    { "sqrt(x[i])", 1 },
};

static void test_case(irl_ctx *cx, irl_ocl *cl, const char *target, int k, const half_case *c)
{
    static const char *const types[] = { "f16", "bf16" };
    char                     text[400];
    irl_mark                 mark = irl_ctx_mark(cx);
    const irl_func          *f;
    int                      j, wrong = 0, off = 0;
    sprintf(text, "func f(x: %s[65536], w: %s[65536], y: %s[65536]) { for (i: 65536) y[i] = %s; }",
            types[k], types[k], types[k], c->value);
    f = irl_func_parse(cx, text, strlen(text), "halves");
    memset(found, 0x35, sizeof found);
    CHECK(irl_func_interpret(f, IRL_ARGS(x, w, expected)));
    CHECK(irl_ocl_run(cl, irl_func_lower(f, irl_target_find(target)), IRL_ARGS(x, w, found)));
    if (CHECK_OK(cx))
        for (j = 0; j < ALL; j++) {
            off += !agree(k, expected[j], found[j], 0);
            if (agree(k, expected[j], found[j], c->apart)) continue;
            if (!wrong++)
                printf("%s %s of %04x, %04x is %04x; found %04x\n", types[k], c->value,
                       (unsigned)x[j], (unsigned)w[j], (unsigned)expected[j], (unsigned)found[j]);
        }
    CHECK(wrong == 0);
    if (off) printf("%s %s: %d are one half off\n", types[k], c->value, off);
    irl_ctx_rewind(cx, mark);
}

static int has_halves(const irl_ocl *cl)
{
    static char text[1 << 14];
    return clGetDeviceInfo(cl->device, CL_DEVICE_EXTENSIONS, sizeof text - 1, text, NULL) ==
               CL_SUCCESS &&
           strstr(text, "cl_khr_fp16") != NULL;
}

int main(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_ocl *cl = irl_ocl_create(cx, NULL);
    size_t   j;
    int      k, step = getenv("IRL_SLOW") ? 4 : 1;
    if (!cl) {
        TEST_NO_DEVICE(cx);
        irl_ctx_destroy(cx);
        return TEST_DONE();
    }
    for (k = 0; k < ALL; k++) {
        x[k] = (uint16_t)k;
        w[k] = (uint16_t)(k % 4 == 0 ? k + (int)test_random() % 8 : (int)test_random());
    }
    for (k = 0; k < 2; k++)
        for (j = 0; j < sizeof cases / sizeof *cases; j += (size_t)step)
            test_case(cx, cl, "opencl12", k, &cases[j]);
    for (j = 0; j < sizeof cases / sizeof *cases; j += (size_t)step) /* by vload_half */
        test_case(cx, cl, "opencl12-gpu", 0, &cases[j]);
    if (!has_halves(cl)) printf("the device does not say cl_khr_fp16: halves by f32 only\n");
    else
        for (j = 0; j < sizeof cases / sizeof *cases; j++)
            test_case(cx, cl, "opencl12-fp16", 0, &cases[j]);
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
