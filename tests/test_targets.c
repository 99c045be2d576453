/* test_targets.c - what a target cannot do, column by column of src/target/targets.h: rewritten, or
   refused with numbers. */
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
#include "target_cases.h"
#include "test.h"

static irl_func *parse(irl_ctx *cx, const char *text)
{
    return irl_func_parse(cx, text, strlen(text), "test");
}

static const char *source_for(irl_ctx *cx, const char *text, const char *target)
{
    irl_lower_options how;
    memset(&how, 0, sizeof how);
    how.verify = 1;
    return irl_ocl_source(irl_func_lower_with(parse(cx, text), irl_target_find(target), &how));
}

/* Emission for a target fails with this code, at a line, and the message says this. */
static void refused(const char *target, const char *text, irl_code code, int line, const char *part)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_diag *d;
    CHECK(!source_for(cx, text, target)[0]);
    CHECK_CODE(cx, code);
    d = irl_diag_of(cx);
    if (!CHECK(d && d->line == line && strstr(d->message, part) &&
               strstr(d->text, irl_code_remedy(code))))
        printf("  wanted: line %d, %s\n%s\n", line, part, irl_diag_text(cx));
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------- 64-bit integers: indices of 32 bits */

static int is_narrow(const char *source) { return source[0] && !strstr(source, "long"); }

static void test_narrow(void)
{
    static const struct {
        const char *text, *part; /* of the source */
    } rows[] = {
        /* sums and products that may not fit, in places of accesses: modulo 2^32 */
        { "func f(n: index, m: index, x: f32[n, m], y: f32[n, m]) { for (i: n, j: m) y[i, j] = "
          "x[i, j]; }",
          "(uint)m * i + j" },
        { "func f(n: index, a: i32[2], x: f32[n], y: f32[n]) { for (i: n) y[i] = x[index(a[0]) * 3 "
          "+ i - index(a[1]) * 3]; }",
          "(uint)a[0u] * 3u" },
        { "func f(n: index, m: index, x: f32[n, m], y: f32[n * m]) { for (i: n * m) y[i] = x[i / "
          "m, i % m]; }",
          "get_global_id(0)" },
        { "func f(x: f32[64], y: f32[64]) { for (i: 60) y[i] = x[index(x[i])]; }",
          "x[(uint)x[i]]" },
        /* a buffer has at most 2^31 - 1 bytes, so these fit where they are compared and divided */
        { "func f(n: index, x: f32[n], y: f32[n]) { for (i: (n + 7) / 8, j: 8) if (i * 8 + j < n) "
          "y[i * 8 + j] = x[n - 1 - (i * 8 + j)]; }",
          "" },
        { "func f(n: index, x: f32[n * 2 - 1], y: f32[n * 2 - 1]) { for (i: n * 2 - 1) y[i] = x[n "
          "* 2 - 2 - i]; }",
          "" },
        /* what fits is not rewritten into what may not: x % 5 * 2 % 5 into x * 2 % 5 */
        { "func f(s: index, y: i32[5]) { for (i: 1) y[s % 5 * 2 % 5] = 7; }", "" },
        { "func f(h: i32[64], y: i32[64, 16]) layout(y: (i, a) -> (i, a * 5 % 16)) { for (i: 64) "
          "y[i, index(h[i]) % 16] = i32(i); }",
          "" },
        /* a kernel that is launched in a loop of the host knows the loop */
        { "func f(n: index, x: f32[8, n], y: f32[n]) { for (k: 8) for parallel (i: n) y[i] = "
          "x[max(k - 1, 0), i] + y[i]; }",
          "int k" },
        /* an index or a count that is known to be small is held in 32 bits */
        { "func f(x: f32[5, 7], y: f32[5]) { for (i: 5) y[i] = x[i, argmax(j: 7, x[i, j])]; }",
          "y_argmax = (int)j" },
        { "func f(x: f32[5, 7], y: f32[5]) { for (i: 5) y[i] = f32(i32(argmin(j: 7, x[i, j]))); }",
          "(float)y_argmin" },
        { "func f(x: f32[5, 7], y: f32[5]) { for (i: 5) y[i] = f32(count(j: 7, x[i, j] > 0.0)); }",
          "" },
        { "func f(n: index, x: f32[n], y: f32[]) { assume(n < 9); y[] = f32(count(j: n, x[j] > 0)) "
          "+ f32(sum(j: n, j * j)) + x[argmax(j: n, x[j])]; }",
          "" },
    };
    size_t k;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        const char *source = source_for(cx, rows[k].text, "opencl12-embedded");
        CHECK_OK(cx);
        if (!CHECK(is_narrow(source) && strstr(source, rows[k].part)))
            printf("%s\n%s%s\n", rows[k].text, irl_diag_text(cx), source);
        irl_ctx_destroy(cx);
    }
}

static void test_narrow_refused(void)
{
    /* what is compared or divided must fit */
    refused("opencl12-embedded",
            "func f(n: index, k: index, x: f32[n], y: f32[n]) {\n    for (i: n) y[i] = "
            "if_then_else(i * k < n, x[0], 0.0f); }",
            IRL_ERROR_INDEX_WIDTH, 2,
            "target 'opencl12-embedded' has no 64-bit integers, and k * i is not proved to fit 32 "
            "bits: it is from -1152921500311879680 to 1152921499775008770");
    refused("opencl12-embedded",
            "func f(n: index, k: index, x: f32[n], y: f32[n]) {\n    for (i: n) y[i] = x[(i * k) / "
            "7]; }",
            IRL_ERROR_INDEX_WIDTH, 2, "k * i is not proved");
    refused(
        "opencl12-embedded",
        "func f(x: f32[64], y: f32[64]) {\n    for (i: 60) y[i] = x[index(x[i]) + i]; }",
        IRL_ERROR_INDEX_WIDTH, 2,
        "index(x[i]) is not proved to fit 32 bits: it is from no known bound to no known bound");
    refused("opencl12-embedded",
            "func f(k: index, y: f32[4]) {\n    for bind(group.x) (i: 4)\n    for (j: k * 3) y[i] "
            "= 0.0f; }",
            IRL_ERROR_INDEX_WIDTH, 3, "3");
    refused("opencl12-embedded",
            "func f(n: index, x: f32[n], y: f32[]) {\n y[] = f32(count(j: n, x[j] > 0)); }",
            IRL_ERROR_UNSUPPORTED, 2, "has no 64-bit integers; found i64");
    /* the same function, told more */
    {
        irl_ctx *cx = irl_ctx_create(NULL);
        CHECK(is_narrow(
            source_for(cx,
                       "func f(n: index, k: index, x: f32[n], y: f32[n]) { assume(k >= 0 && k < "
                       "4); for (i: n) y[i] = if_then_else(i * k < n, x[0], 0.0f); }",
                       "opencl12-embedded")));
        CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
    /* data of 64 bits, also where only the emitter is asked */
    {
        static const char text[] = "func f(x: i64[4], y: i64[4]) { for (i: 4) y[i] = x[i]; }";
        irl_ctx          *cx = irl_ctx_create(NULL);
        CHECK(!irl_ocl_source(irl_func_lower(parse(cx, text), &irl_target_opencl12_embedded))[0]);
        CHECK_CODE(cx, IRL_ERROR_UNSUPPORTED);
        CHECK(strstr(irl_diag_text(cx), "by numbers or assume(n <= 1000)"));
        irl_ctx_destroy(cx);
    }
}

/* The largest buffer: its own number, and those of its launch. */
static void test_largest(void)
{
    static const char text[] = "func f(n: index, m: index, x: f32[n, m], y: f32[n, m]) { for (i: "
                               "n, j: m) y[i, j] = x[i, j]; }";
    static const int64_t sizes[][2] = { { 1000, 1000 },         { 536870911, 1 }, { 536870912, 1 },
                                        { 65536, 65536 },       { 0, 536870911 }, { 0, 536870912 },
                                        { INT64_C(1) << 62, 4 } };
    static const int64_t   bytes[] = { 4000000, 2147483644, -1, -1, 0, -1, -1 };
    irl_ctx               *cx = irl_ctx_create(NULL);
    const irl_ocl_program *narrow = irl_ocl_emit(
                              irl_func_lower(parse(cx, text), &irl_target_opencl12_embedded)),
                          *wide =
                              irl_ocl_emit(irl_func_lower(parse(cx, text), &irl_target_opencl12));
    size_t                 k;
    CHECK_OK(cx);
    for (k = 0; narrow && wide && k < sizeof bytes / sizeof bytes[0]; k++) {
        irl_mark mark = irl_ctx_mark(cx);
        CHECK(irl_ocl_kernel_bytes(cx, &narrow->kernels[0], 2, sizes[k]) == bytes[k]);
        if (bytes[k] < 0) CHECK_CODE(cx, IRL_ERROR_TARGET_LIMIT);
        irl_ctx_rewind(cx, mark);
        if (k == 3)
            CHECK(irl_ocl_kernel_bytes(cx, &wide->kernels[0], 2, sizes[k]) == INT64_C(17179869184));
        irl_ctx_rewind(cx, mark);
    }
    irl_ctx_destroy(cx);
    refused("opencl12-embedded",
            "func f(\n x: f32[65536, 8192],\n y: f32[4]) { for (i: 4) y[i] = x[0, i]; }",
            IRL_ERROR_TARGET_LIMIT, 2,
            "'x' has 536870912 elements of f32; target 'opencl12-embedded' has buffers of "
            "2147483647 bytes");
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
        source =
            irl_ocl_source(irl_func_lower(irl_func_parse(cx, c.text, strlen(c.text), "generated"),
                                          &irl_target_opencl12_embedded));
        if (!CHECK(!source[0] || is_narrow(source)))
            printf("seed %lu\n%s\n", (unsigned long)seed, source);
        wide += !source[0] && irl_diag_of(cx) && irl_diag_of(cx)->code == IRL_ERROR_INDEX_WIDTH;
        gen_free(&c);
        irl_ctx_destroy(cx);
    }
    CHECK(wide * 100 <= count);
    printf("%d of %d generated functions have an index that is not proved to fit 32 bits\n", wide,
           count);
}

/* ------------------------------------------------------------------ alignment */

/* Lowered with the semantic verifier: the part of the module, the part of the source, the numbers
   of the function. */
static void run_aligned(const aligned_case *c, int target)
{
    irl_ctx     *cx = irl_ctx_create(NULL);
    irl_func    *f = parse(cx, c->text);
    irl_lower_options how;
    irl_module  *m;
    const char  *text, *source;
    float        x[ALIGNED_CELLS], y[ALIGNED_CELLS], expected[ALIGNED_CELLS];
    int          k;
    for (k = 0; k < ALIGNED_CELLS; k++) {
        x[k] = (float)(k * 37 % 101);
        y[k] = expected[k] = -1.0f;
    }
    memset(&how, 0, sizeof how);
    how.verify = 1;
    m = f ? irl_func_lower_with(f, irl_target_find(aligned_targets[target]), &how) : NULL;
    text = m ? irl_module_text(m) : "";
    source = m ? irl_ocl_source(m) : "";
    if (!CHECK(m && irl_module_check(m, NULL) && strstr(text, c->kept[target]) &&
               strstr(source, c->source[target])) ||
        !CHECK(irl_func_interpret(f, IRL_ARGS(x, expected)) &&
               irl_module_interpret(m, IRL_ARGS(x, y)) && memcmp(y, expected, sizeof y) == 0))
        printf("%s, target %s: wanted %s and %s\n%s%s%s\n", c->text, aligned_targets[target],
               c->kept[target], c->source[target], irl_diag_text(cx), text, source);
    irl_ctx_destroy(cx);
}

/* A module that was lowered for one target, judged for another. */
static void judged(const char *text, const char *from, const char *to, irl_code code,
                   const char *part)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_module *m = irl_func_lower(parse(cx, text), irl_target_find(from));
    int         legal;
    CHECK_OK(cx);
    legal = irl_module_check(m, irl_target_find(to));
    CHECK(legal == (code == IRL_OK));
    CHECK_CODE(cx, code);
    if (code && !CHECK(irl_diag_of(cx)->line == 2 && strstr(irl_diag_of(cx)->message, part) &&
                       strstr(irl_diag_text(cx), irl_code_remedy(code))))
        printf("  wanted: %s\n%s\n", part, irl_diag_text(cx));
    irl_ctx_destroy(cx);
}

static void test_aligned(void)
{
    size_t k;
    int    t;
    for (k = 0; k < sizeof aligned_cases / sizeof aligned_cases[0]; k++)
        for (t = 0; t < ALIGNED_TARGETS; t++) run_aligned(&aligned_cases[k], t);
    judged("func f(x: f32[128], y: f32[128]) {\n    for (i: 31) y[ramp(i * 4, 1, 4)] = x[ramp(i * "
           "4 + 1, 1, 4)]; }",
           "opencl12", "strict", IRL_ERROR_ALIGNMENT,
           "f32x4 at ramp(i * 4 + 1, 1, 4) of 'x' is proved to begin at a multiple of 4 bytes; "
           "target 'strict' requires a multiple of 16");
    judged("func f(x: f32[128], y: f32[128]) {\n    for (i: 31) y[ramp(i * 4 + 2, 1, 4)] = "
           "x[ramp(i * 4, 1, 4)]; }",
           "opencl12", "strict", IRL_ERROR_ALIGNMENT,
           "f32x4 at ramp(i * 4 + 2, 1, 4) of 'y' is proved to begin at a multiple of 8 bytes; "
           "target 'strict' requires a multiple of 16");
    judged("func f(x: f32[128] align(8), y: f32[128]) {\n    for (i: 8) y[ramp(i * 16, 1, 16)] = "
           "x[ramp(i * 16, 1, 16)]; }",
           "opencl12", "strict", IRL_ERROR_ALIGNMENT,
           "f32x16 at ramp(i * 16, 1, 16) of 'x' is proved to begin at a multiple of 8 bytes; "
           "target 'strict' requires a multiple of 64");
    judged("func f(x: f32[128], y: f32[128]) {\n    for (i: 32) y[ramp(i * 4, 1, 4)] = x[ramp(i * "
           "4, 1, 4)]; }",
           "opencl12", "strict", IRL_OK, NULL);
    judged("func f(x: f32[128], y: f32[128]) {\n    for (i: 31) y[ramp(i * 4, 1, 4)] = x[ramp(i * "
           "4 + 1, 1, 4)]; }",
           "strict", "opencl12", IRL_OK, NULL);
    /* aligned, and of two widths: a run is not what the target reaches */
    judged("func f(x: f32[128], y: f32[128]) {\n    for (i: 16) y[ramp(i * 8, 1, 4)] = x[ramp(i * "
           "8, 1, 4)] + broadcast(x[i], 4); }",
           "opencl12", "strict", IRL_ERROR_UNSUPPORTED, "reaches one element at a time");
    judged(
        "func f(x: f32[128], y: f32[128]) {\n    decl v: f32x4[32] data(x); for (i: 32) y[i] = "
        "lane(v[i], 0) + x[i]; }",
        "opencl12", "strict", IRL_ERROR_UNSUPPORTED,
        "target 'strict' has one access type for each memory; 'x' is accessed as f32x4 and as f32");
    judged("func f(x: f32[128], y: f32[128]) {\n    for (i: 32) y[ramp(i * 4, 1, 4)] = x[ramp(i * "
           "4, 1, 4)]; }",
           "opencl12", "scalar", IRL_ERROR_UNSUPPORTED,
           "a vector of 4 lanes has no type on target 'scalar'");
}

/* ------------------------------------------------ every other column, where a target says no */

/* Two functions for each: the first is refused in its third line, the second is what the target
   still does. */
typedef struct column {
    const char *target, *column, *no;
    irl_code    code;
    const char *part;
    const char *yes;
} column;

static const column columns[] = {
    { "scalar", "widths",
      "func f(x: u32[4],\n y: u16[8]) { decl v: u16x2[4] data(y);\n for (i: 4) v[i] = as(u16x2, "
      "x[i]); }",
      IRL_ERROR_UNSUPPORTED, "no vectors of 2 lanes",
      "func f(x: f32[8], y: f32[8]) { y[ramp(0, 1, 8)] = x[ramp(0, 1, 8)]; }" },
    { "opencl12-embedded", "int64",
      "func f(x: f32[4],\n y: f32[4])\n { for (i: 4) y[i] = f32(u64(i)); }", IRL_ERROR_UNSUPPORTED,
      "has no 64-bit integers; found u64",
      "func f(x: f32[4], y: f32[4]) { for (i: 4) y[i] = f32(u32(i)); }" },
    { "opencl12-embedded", "buffer_bytes",
      "func f(\n\n x: u8[2147483648],\n y: u8[4]) { for (i: 4) y[i] = x[i]; }",
      IRL_ERROR_TARGET_LIMIT,
      "'x' has 2147483648 elements of u8; target 'opencl12-embedded' has buffers of 2147483647 "
      "bytes",
      "func f(x: u8[2147483647], y: u8[4]) { for (i: 4) y[i] = x[i]; }" },
    { "strict", "work_group",
      "func f(x: f32[4, 129])\n {\n for bind(group.x) (i: 4) for bind(local.x) (j: 129) x[i, j] = "
      "0.0f; }",
      IRL_ERROR_TARGET_LIMIT, "has 129 work-items; target 'strict' allows 128",
      "func f(x: f32[4, 128]) { for bind(group.x) (i: 4) for bind(local.x) (j: 128) x[i, j] = "
      "0.0f; }" },
    { "strict", "local_bytes",
      "func f(x: f32[64, 64]) {\n for bind(group.x) (i: 64) {\n alloc t: f32[4097] scope(shared); "
      "for bind(local.x) (j: 64) { t[j] = 1.0f; x[i, j] = t[j]; } } }",
      IRL_ERROR_TARGET_LIMIT, "needs 16388 bytes of shared memory; target 'strict' has 16384",
      "func f(x: f32[64, 64]) { for bind(group.x) (i: 64) { alloc t: f32[4096] scope(shared); for "
      "bind(local.x) (j: 64) { t[j] = 1.0f; x[i, j] = t[j]; } } }" },
    { "scalar", "texels",
      "func f(\n\n x: f32[8, 8, 4] scope(texture), y: f32[8, 8, 4]) { for (a: 8, b: 8, c: 4) y[a, "
      "b, c] = x[a, b, c]; }",
      IRL_ERROR_UNSUPPORTED, "'x' is in scope texture, and target 'scalar' has no images",
      "func f(x: f32[8, 8, 4], y: f32[8, 8, 4]) { for (a: 8, b: 8, c: 4) y[a, b, c] = x[a, b, c]; "
      "}" },
    { "opencl12", "texels",
      "func f(\n\n x: snorm8[8, 8, 4] scope(texture), y: f32[8, 8, 4]) { for (a: 8, b: 8, c: 4) "
      "y[a, b, c] = f32(x[a, b, c]); }",
      IRL_ERROR_IMAGE_FORMAT,
      "'x' is an image of snorm8, which not every device of target 'opencl12' has",
      "func f(x: unorm16[8, 8, 4] scope(texture), y: f32[8, 8, 4]) { for (a: 8, b: 8, c: 4) y[a, "
      "b, c] = f32(x[a, b, c]); }" },
    { "strict", "texels",
      "func f(\n\n x: unorm16[8, 8, 4] scope(texture), y: f32[8, 8, 4]) { for (a: 8, b: 8, c: 4) "
      "y[a, b, c] = f32(x[a, b, c]); }",
      IRL_ERROR_IMAGE_FORMAT, "image of unorm16",
      "func f(x: snorm8[8, 8, 4] scope(texture), y: f32[8, 8, 4]) { for (a: 8, b: 8, c: 4) y[a, b, "
      "c] = f32(x[a, b, c]); }" },
    { "opencl12-embedded", "image_extent",
      "func f(\n\n x: f32[2049, 8, 4] scope(texture), y: f32[8, 4]) { for (b: 8, c: 4) y[b, c] = "
      "x[2048, b, c]; }",
      IRL_ERROR_IMAGE_LIMIT,
      "'x' is an image of 8 by 2049 texels; target 'opencl12-embedded' guarantees 2048 by 2048",
      "func f(x: f32[2048, 8, 4] scope(texture), y: f32[8, 4]) { for (b: 8, c: 4) y[b, c] = "
      "x[2047, b, c]; }" },
    { "opencl12-embedded", "volume_extent",
      "func f(\n\n x: f32[4, 8, 8, 4] scope(texture:volume), y: f32[8, 4]) { for (b: 8, c: 4) y[b, "
      "c] = x[3, 0, b, c]; }",
      IRL_ERROR_UNSUPPORTED, "target 'opencl12-embedded' has no image3d_t",
      "func f(x: f32[4, 8, 8, 4] scope(texture) sep(1, 2), y: f32[8, 4]) { for (b: 8, c: 4) y[b, "
      "c] = x[3, 0, b, c]; }" },
    { "strict", "volume_extent",
      "func f(\n\n x: f32[257, 8, 8, 4] scope(texture:volume), y: f32[8, 4]) { for (b: 8, c: 4) "
      "y[b, c] = x[256, 0, b, c]; }",
      IRL_ERROR_IMAGE_LIMIT, "8 by 8 by 257 texels; target 'strict' guarantees 256 by 256 by 256",
      "func f(x: f32[256, 8, 8, 4] scope(texture:volume), y: f32[8, 4]) { for (b: 8, c: 4) y[b, c] "
      "= x[255, 0, b, c]; }" },
    { "opencl12-embedded", "layers",
      "func f(\n\n x: f32[257, 8, 8, 4] scope(texture) sep(1, 2), y: f32[8, 4]) { for (b: 8, c: 4) "
      "y[b, c] = x[256, 0, b, c]; }",
      IRL_ERROR_IMAGE_LIMIT,
      "8 by 8 by 257 texels; target 'opencl12-embedded' guarantees 2048 by 2048 by 256",
      "func f(x: f32[256, 8, 8, 4] scope(texture) sep(1, 2), y: f32[8, 4]) { for (b: 8, c: 4) y[b, "
      "c] = x[255, 0, b, c]; }" },
    { "opencl12-embedded", "line_texels",
      "func f(\n\n x: f32[2049, 4] scope(texture:buffer), y: f32[8, 4]) { for (b: 8, c: 4) y[b, c] "
      "= x[b, c]; }",
      IRL_ERROR_IMAGE_LIMIT, "2049 texels; target 'opencl12-embedded' guarantees 2048",
      "func f(x: f32[2048, 4] scope(texture:buffer), y: f32[8, 4]) { for (b: 8, c: 4) y[b, c] = "
      "x[b, c]; }" },
};

static void test_columns(void)
{
    size_t k;
    for (k = 0; k < sizeof columns / sizeof columns[0]; k++) {
        const column *c = &columns[k];
        irl_ctx      *cx = irl_ctx_create(NULL);
        refused(c->target, c->no, c->code, 3, c->part);
        CHECK(source_for(cx, c->yes, c->target)[0]);
        if (!CHECK_OK(cx)) printf("%s, %s\n", c->target, c->column);
        irl_ctx_destroy(cx);
    }
}

/* A read that is proved in range: with a sampler only where the target asks for one. */
static void test_samplers(void)
{
    static const char text[] = "func f(x: f32[8, 8, 4] scope(texture), y: f32[8, 8, 4]) { for (a: "
                               "8, b: 8, c: 4) y[a, b, c] = x[a, b, c]; }";
    irl_ctx          *cx = irl_ctx_create(NULL);
    const char *with = source_for(cx, text, "opencl12-embedded"),
               *without = source_for(cx, text, "opencl12");
    CHECK(strstr(with, "read_imagef(x, irl_texel, (int2)(b, a))") &&
          strstr(without, "read_imagef(x, (int2)(b, a))"));
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

int main(void)
{
    test_columns();
    test_samplers();
    test_aligned();
    test_narrow();
    test_narrow_refused();
    test_largest();
    test_narrow_generated(TEST_COUNT(1000));
    return TEST_DONE();
}
