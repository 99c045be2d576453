/* ocl_bits.c - generated layouts of bits, and views of memory that was never written, on an OpenCL
   device, against the models that set single bits.

   usage  ocl_bits [FIRST [COUNT]]     seeds */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define IRLAYOUT_OCL_RUNTIME
#include "../irlayout_ocl.h"
#include "ocl_device.h"
#include "test.h"
#include "generate_bits.h"
#include "generate_bit_memory.h"

static void one_case(uint64_t seed)
{
    static bits_case c;
    irl_ctx         *cx = irl_ctx_create(NULL);
    irl_ocl         *cl = device_open(cx);
    irl_func        *f;
    bits_make(&c, seed);
    f = cl ? irl_func_parse(cx, c.text, strlen(c.text), "bits") : NULL;
    if (!cl) TEST_NO_DEVICE(cx);
    else if (!irl_ocl_run(cl, irl_func_lower(f, &irl_target_opencl12), bits_arguments(&c)) ||
             !bits_is_right(&c)) {
        printf("seed %lu: %s\n%s\n", (unsigned long)seed, irl_diag_text(cx), c.text);
        CHECK(!"a generated layout of bits");
    } else CHECK(1);
    if (cl) irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
}

static void one_memory(uint64_t seed)
{
    static memory_case c;
    irl_ctx           *cx = irl_ctx_create(NULL);
    irl_ocl           *cl = device_open(cx);
    irl_func          *f;
    memory_make(&c, seed);
    f = cl ? irl_func_parse(cx, c.text, strlen(c.text), "bits") : NULL;
    if (!cl) TEST_NO_DEVICE(cx);
    else if (!irl_ocl_run(cl, irl_func_lower(f, &irl_target_opencl12), memory_arguments(&c)) ||
             !memory_is_right(&c)) {
        printf("memory, seed %lu: %s\n%s\n", (unsigned long)seed, irl_diag_text(cx), c.text);
        CHECK(!"generated memory of bits");
    } else CHECK(1);
    if (cl) irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    int      k, count = getenv("IRL_SOAK") ? 2000 : TEST_COUNT(20);
    if (argc > 1) count = argc > 2 ? atoi(argv[2]) : 1;
    test_seeds((unsigned long)first, count);
    for (k = 0; k < count && test_failed < 5 && !test_skipped; k++) {
        one_case(first + (uint64_t)k);
        if (k % 5 == 0) one_memory(first + (uint64_t)k);
    }
    return TEST_DONE();
}
