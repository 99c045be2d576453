/* test_targets.c - what a target cannot do, column by column of src/target/targets.h: rewritten, or refused with numbers. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#endif
#include "generate.h"
#include "generate_lanes.h"
#include "lanes_targets.h"
#include "test.h"

static irl_func *parse(irl_ctx *cx, const char *text) { return irl_parse_func(cx, text, strlen(text), "test"); }

static const char *source_for(irl_ctx *cx, const char *text, const char *target)
{
    irl_lowering how;
    memset(&how, 0, sizeof how);
    how.verify = 1;
    return irl_ocl_source(irl_lower_with(parse(cx, text), irl_target_find(target), &how));
}

/* Emission for a target fails with this code, at a line, and the message says this. */
static void refused(const char *target, const char *text, irl_code code, int line, const char *part)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_diag *d;
    CHECK(source_for(cx, text, target) == NULL);
    CHECK_CODE(cx, code);
    d = irl_diagnostic(cx);
    if (!CHECK(d && d->line == line && strstr(d->message, part) && strstr(d->text, irl_code_remedy(code)))) printf("  wanted: line %d, %s\n%s\n", line, part, irl_diag_text(cx));
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ 64-bit integers: indices of 32 bits */

static int is_narrow(const char *source) { return source && !strstr(source, "long"); }

static void test_narrow(void)
{
    static const struct {
        const char *text, *part; /* of the source */
    } rows[] = {
        /* sums and products that may not fit, in places of accesses: modulo 2^32 */
        { "func f(n: index, m: index, x: f32[n, m], y: f32[n, m]) { for (i: n, j: m) y[i, j] = x[i, j]; }", "(uint)m * i + j" },
        { "func f(n: index, a: i32[2], x: f32[n], y: f32[n]) { for (i: n) y[i] = x[index(a[0]) * 3 + i - index(a[1]) * 3]; }", "(uint)a[0u] * 3u" },
        { "func f(n: index, m: index, x: f32[n, m], y: f32[n * m]) { for (i: n * m) y[i] = x[i / m, i % m]; }", "get_global_id(0)" },
        { "func f(x: f32[64], y: f32[64]) { for (i: 60) y[i] = x[index(x[i])]; }", "x[(uint)x[i]]" },
        /* a buffer has at most 2^31 - 1 bytes, so these fit where they are compared and divided */
        { "func f(n: index, x: f32[n], y: f32[n]) { for (i: (n + 7) / 8, j: 8) if (i * 8 + j < n) y[i * 8 + j] = x[n - 1 - (i * 8 + j)]; }", "" },
        { "func f(n: index, x: f32[n * 2 - 1], y: f32[n * 2 - 1]) { for (i: n * 2 - 1) y[i] = x[n * 2 - 2 - i]; }", "" },
        /* a kernel that is launched in a loop of the host knows the loop */
        { "func f(n: index, x: f32[8, n], y: f32[n]) { for (k: 8) for parallel (i: n) y[i] = x[max(k - 1, 0), i] + y[i]; }", "int k" },
    };
    size_t k;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        const char *source = source_for(cx, rows[k].text, "opencl12-embedded");
        CHECK_OK(cx);
        if (!CHECK(is_narrow(source) && strstr(source, rows[k].part))) printf("%s\n%s%s\n", rows[k].text, irl_diag_text(cx), source ? source : "");
        irl_ctx_destroy(cx);
    }
}

static void test_narrow_refused(void)
{
    /* what is compared or divided must fit */
    refused("opencl12-embedded", "func f(n: index, k: index, x: f32[n], y: f32[n]) {\n    for (i: n) y[i] = if_then_else(i * k < n, x[0], 0.0f); }", IRL_ERROR_INDEX_WIDTH, 2,
            "target 'opencl12-embedded' has no 64-bit integers, and k * i is not proved to fit 32 bits: it is from -1152921500311879680 to 1152921499775008770");
    refused("opencl12-embedded", "func f(n: index, k: index, x: f32[n], y: f32[n]) {\n    for (i: n) y[i] = x[(i * k) / 7]; }", IRL_ERROR_INDEX_WIDTH, 2, "k * i is not proved");
    refused("opencl12-embedded", "func f(x: f32[64], y: f32[64]) {\n    for (i: 60) y[i] = x[index(x[i]) + i]; }", IRL_ERROR_INDEX_WIDTH, 2,
            "index(x[i]) is not proved to fit 32 bits: it is from no known bound to no known bound");
    refused("opencl12-embedded", "func f(k: index, y: f32[4]) {\n    for bind(group.x) (i: 4)\n    for (j: k * 3) y[i] = 0.0f; }", IRL_ERROR_INDEX_WIDTH, 3, "3");
    /* the same function, told more */
    {
        irl_ctx *cx = irl_ctx_create(NULL);
        CHECK(is_narrow(source_for(cx, "func f(n: index, k: index, x: f32[n], y: f32[n]) { assume(k >= 0 && k < 4); for (i: n) y[i] = if_then_else(i * k < n, x[0], 0.0f); }",
                                   "opencl12-embedded")));
        CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
    /* data of 64 bits, also where only the emitter is asked */
    {
        static const char text[] = "func f(x: i64[4], y: i64[4]) { for (i: 4) y[i] = x[i]; }";
        irl_ctx          *cx = irl_ctx_create(NULL);
        CHECK(irl_ocl_source(irl_lower(parse(cx, text), &irl_target_opencl12_embedded)) == NULL);
        CHECK_CODE(cx, IRL_ERROR_UNSUPPORTED);
        irl_ctx_destroy(cx);
    }
}

/* The largest buffer: its own number, and those of its launch. */
static void test_largest(void)
{
    static const char      text[] = "func f(n: index, m: index, x: f32[n, m], y: f32[n, m]) { for (i: n, j: m) y[i, j] = x[i, j]; }";
    static const int64_t   sizes[][2] = { { 1000, 1000 }, { 536870911, 1 }, { 536870912, 1 }, { 65536, 65536 }, { 0, 536870911 }, { 0, 536870912 }, { INT64_C(1) << 62, 4 } };
    static const int64_t   bytes[] = { 4000000, 2147483644, -1, -1, 0, -1, -1 };
    irl_ctx               *cx = irl_ctx_create(NULL);
    const irl_ocl_program *narrow = irl_ocl_emit(irl_lower(parse(cx, text), &irl_target_opencl12_embedded)), *wide = irl_ocl_emit(irl_lower(parse(cx, text), &irl_target_opencl12));
    size_t                 k;
    CHECK_OK(cx);
    for (k = 0; narrow && wide && k < sizeof bytes / sizeof bytes[0]; k++) {
        irl_mark mark = irl_mark_now(cx);
        CHECK(irl_ocl_bytes(cx, &narrow->kernels[0], 2, sizes[k]) == bytes[k]);
        if (bytes[k] < 0) CHECK_CODE(cx, IRL_ERROR_TARGET_LIMIT);
        irl_rewind(cx, mark);
        if (k == 3) CHECK(irl_ocl_bytes(cx, &wide->kernels[0], 2, sizes[k]) == INT64_C(17179869184));
        irl_rewind(cx, mark);
    }
    irl_ctx_destroy(cx);
    refused("opencl12-embedded", "func f(\n x: f32[65536, 8192],\n y: f32[4]) { for (i: 4) y[i] = x[0, i]; }", IRL_ERROR_TARGET_LIMIT, 2,
            "'x' has 536870912 elements of f32; target 'opencl12-embedded' has buffers of 2147483647 bytes");
}

/* No kernel for a target without 64-bit integers has any, whatever the function. */
static void test_narrow_generated(int count)
{
    uint64_t seed;
    int      wide = 0;
    for (seed = 1; seed <= (uint64_t)count; seed++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        gen_options options;
        gen_case    c;
        const char *source;
        memset(&options, 0, sizeof options);
        options.for_device = options.narrow = 1;
        c = seed % 2 ? lanes_function_for(seed, &lanes_targets[1]) : gen_function(seed, options);
        source = irl_ocl_source(irl_lower(irl_parse_func(cx, c.text, strlen(c.text), "generated"), &irl_target_opencl12_embedded));
        if (!CHECK(!source || is_narrow(source))) printf("seed %lu\n%s\n", (unsigned long)seed, source);
        wide += !source && irl_diagnostic(cx) && irl_diagnostic(cx)->code == IRL_ERROR_INDEX_WIDTH;
        gen_free(&c);
        irl_ctx_destroy(cx);
    }
    CHECK(wide * 100 <= count);
    printf("%d of %d generated functions have an index that is not proved to fit 32 bits\n", wide, count);
}

int main(void)
{
    test_narrow();
    test_narrow_refused();
    test_largest();
    test_narrow_generated(TEST_COUNT(1000));
    return TEST_DONE();
}
