/* test_glsl.c - shaders in GLSL: what is emitted of small functions, what is refused, and, of
   generated functions, that what is refused is little.

   usage  test_glsl [DIR [FIRST [COUNT]]]     writes the shaders to DIR, each as NAME.comp, for
          tests/checks/glsl.sh, and says how many functions were refused for which reason */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#include "../src/target/target.h"
#endif
#include "experiment.h"
#include "generate_lanes.h"
#include "generate_vectors.h"
#include "lanes_targets.h"

static irl_ctx *cx;

/* ------------------------------------------------------------------ small functions */

static const char *shader(const char *text)
{
    const char *source;
    if (cx) irl_ctx_destroy(cx);
    cx = irl_ctx_create(NULL);
    source = irl_glsl_source(
        irl_func_lower(irl_func_parse(cx, text, strlen(text), "f"), &irl_target_glsl), 0);
    return source;
}

static int has(const char *text, const char *part) { return strstr(text, part) != NULL; }

static const char relu[] =
    "func relu(n: index, x: f32[n], y: f32[n]) { for parallel (i: n) y[i] = max(x[i], 0.0f); }";

static const char matmul[] =
    "func matmul(a: f32[64, 32], b: f32[32, 48], c: f32[64, 48]) {\n"
    "  for bind(group.x) (io: 8) for bind(group.y) (jo: 6)\n"
    "    for bind(local.x) (ii: 8) for bind(local.y) (ji: 8) {\n"
    "      alloc t: f32[8, 32] scope(shared);\n"
    "      alloc s: f32[] scope(local);\n"
    "      for (k: 4) t[ii, ji * 4 + k] = a[io * 8 + ii, ji * 4 + k];\n"
    "      barrier(shared);\n"
    "      s[] = 0.0f;\n"
    "      for (k: 32) s[] = s[] + t[ii, k] * b[k, jo * 8 + ji];\n"
    "      c[io * 8 + ii, jo * 8 + ji] = s[];\n"
    "    }\n"
    "}\n";

/* Each text, and a part of its shader or of the message that refuses it. */
static const char *const parts[][2] = {
    { "func f(x: f32[8, 8, 4] scope(texture), y: f32[8, 8, 4] scope(texture)) {\n"
      "  for (a: 8, b: 8, c: 4) y[a, b, c] = x[a, b, c]; }",
      "rgba32f) uniform restrict writeonly image2D y;" },
    { "func f(x: f32[8, 8, 4] scope(texture), y: f32[8, 8, 4] scope(texture)) {\n"
      "  for (a: 8, b: 8, c: 4) y[a, b, c] = x[a, b, c]; }",
      "texelFetch(x, ivec2(" },
    { "func f(x: f32[64], y: f32[64]) { for parallel (i: 64) y[i] = x[63 - i] * 2.0f + 1.0f; }",
      "precise float y[];" },
    { "func f(x: f32[64], y: i32[64]) { for (i: 64) y[i] = i32(x[i] * 2.0f + 1.0f); }",
      "int(irl_add_float(irl_mul_float(" },
    { "func f(x: i32[64], y: i32[64]) { for (i: 64) y[i] = x[i] / 7 + x[i] % 8; }",
      "irl_floordiv_int(" },
    { "func f(x: f64[4], y: f64[4]) { for (i: 4) y[i] = x[i] * 0.1; }", "0.1lf" },
    { "func f(out: f32[4], main: f32[4]) { for (i: 4) out[i] = main[i]; }",
      "v_out[i_l] = v_main[i_l];" },
    { "func f(x: f16[4], y: f32[4]) { for (i: 4) y[i] = f32(x[i]); }",
      "#extension GL_EXT_shader_16bit_storage : require" },
    { "func f(x: f64[4], y: f64[4]) { for (i: 4) y[i] = exp(x[i]); }", "GLSL has no EXP of f64" },
    { "func f(x: i64[4], y: i64[4]) { for (i: 4) y[i] = x[i]; }", "no 64-bit integers" },
    { "func f(x: f32[4], y: f32[4]) { for (i: 4) y[i] = extern(f32, h, x[i]); }",
      "the function h has no form in GLSL" },
    { "func f(n: index, y: f32[64]) { for bind(group.x) (i: 2) for bind(local.x) (j: n)\n"
      "  if (j < 4) y[i * 4 + j] = 1.0f; }",
      "the size of a work-group must be constant in a shader;" },
    { "func f(x: f32[16777216], y: f32[16777216]) { for (i: 16777216) y[i] = x[i] * 2.0; }",
      "/* f: 32768 x 4 x 1 groups" },
    { "func f(y: u8[100000000]) { for bind(group.x) (i: 70000) y[i] = u8(1); }",
      "70000 groups along dimension 0; Vulkan guarantees 65535" },
    { "func f(y: f32[64]) { for bind(global.x) (i: 8) for bind(local.x) (j: 8)\n"
      "  y[i * 8 + j] = 0.0f; }",
      "loops are bound to global.x and to local.x; bind only one of the two in a dimension" },
    { "func f(y: f32[4]) { for (i: 4) y[i] = -inf; }", "uintBitsToFloat(0xff800000u)" },
    { "func f(y: f64[4]) { for (i: 4) y[i] = -inf; }",
      "packDouble2x32(uvec2(0x00000000u, 0xfff00000u))" },
};

static void test_parts(void)
{
    size_t k;
    for (k = 0; k < sizeof parts / sizeof *parts; k++) {
        const char *s = shader(parts[k][0]), *text = *s ? s : irl_diag_text(cx);
        if (!CHECK(has(text, parts[k][1]))) printf("wanted: %s\n%s\n", parts[k][1], text);
    }
    CHECK(!*irl_glsl_source(NULL, 0) && !irl_glsl_emit(NULL));
}

/* What a host is told. */
static void test_host(void)
{
    const irl_glsl_program *p;
    uint32_t                groups[3] = { 0, 0, 0 };
    int64_t                 n = 1000;
    CHECK(*shader(relu));
    p = irl_glsl_emit(irl_func_lower(irl_func_parse(cx, relu, strlen(relu), "f"),
                                     &irl_target_glsl));
    if (!CHECK(p && p->kernel_count == 1)) return;
    CHECK(p->kernels[0].local[0] == 64 && p->kernels[0].push_bytes == 4);
    CHECK(irl_glsl_kernel_groups(cx, &p->kernels[0], &n, groups) && groups[0] == 16 &&
          groups[1] == 1);
    n = INT64_C(1) << 40;
    CHECK(!irl_glsl_kernel_groups(cx, &p->kernels[0], &n, groups));
}

static void test_small(void)
{
    const char *s = shader(relu);
    CHECK(has(s, "#version 450\n") && has(s, "readonly buffer") && has(s, "writeonly buffer"));
    s = shader(matmul);
    CHECK(has(s, "shared precise float t[256];") && has(s, "barrier();"));
}

/* ------------------------------------------------------------------ generated functions */

enum { KINDS = 3, REASONS = 8 };

typedef struct refusals {
    irl_code code[REASONS];
    int      count[REASONS], functions, shaders, refused;
    char     last[REASONS][240];
} refusals;

static void refuse(refusals *r, const irl_diag *d)
{
    int k;
    r->refused++;
    for (k = 0; k < REASONS - 1 && r->count[k] && r->code[k] != (d ? d->code : IRL_OK);) k++;
    r->code[k] = d ? d->code : IRL_OK;
    r->count[k]++;
    snprintf(r->last[k], sizeof r->last[k], "%.230s", d ? d->message : "");
}

static gen_case function_of(int kind, uint64_t seed)
{
    static const lanes_target glsl = { "glsl", 1, 0 };
    gen_options               options;
    memset(&options, 0, sizeof options);
    options.for_device = options.narrow = 1;
    return kind == 0   ? gen_function(seed, options)
           : kind == 1 ? lanes_function_for(seed, &glsl)
                       : gen_vector_function(seed, options);
}

static void write_shaders(const irl_glsl_program *p, const char *dir, int kind, uint64_t seed)
{
    char  path[512];
    FILE *f;
    int   k;
    for (k = 0; dir && k < p->kernel_count; k++) {
        snprintf(path, sizeof path, "%s/%d_%lu_%d.comp", dir, kind, (unsigned long)seed, k);
        f = fopen(path, "wb");
        if (!CHECK(f != NULL)) return;
        fputs(p->kernels[k].source, f);
        fclose(f);
    }
}

static void one(int kind, uint64_t seed, const char *dir, refusals *r)
{
    gen_case                c = function_of(kind, seed);
    irl_ctx                *own = irl_ctx_create(NULL);
    const irl_glsl_program *p = irl_glsl_emit(irl_func_lower(
        irl_func_parse(own, c.text, strlen(c.text), "generated"), &irl_target_glsl));
    r->functions++;
    if (p) {
        r->shaders += p->kernel_count;
        write_shaders(p, dir, kind, seed);
    } else refuse(r, irl_diag_of(own));
    irl_ctx_destroy(own);
    gen_free(&c);
}

static void generated(const char *dir, uint64_t first, int count)
{
    refusals r;
    int      kind, k;
    for (kind = 0; kind < KINDS; kind++) {
        uint64_t seed;
        memset(&r, 0, sizeof r);
        for (seed = first; seed < first + (uint64_t)count; seed++) one(kind, seed, dir, &r);
        printf("kind %d: %d functions, %d shaders, %d refused\n", kind, r.functions, r.shaders,
               r.refused);
        for (k = 0; k < REASONS && r.count[k]; k++)
            printf("    %d: %s\n", r.count[k], r.last[k]);
        CHECK(count < 20 || r.refused * 5 < count);
    }
}

int main(int argc, char **argv)
{
    const char *dir = argc > 1 ? argv[1] : NULL;
    test_small();
    test_parts();
    test_host();
    if (cx) irl_ctx_destroy(cx);
    generated(dir, argc > 2 ? strtoul(argv[2], NULL, 10) : 1,
              argc > 3 ? atoi(argv[3]) : TEST_COUNT(60));
    return TEST_DONE();
}
