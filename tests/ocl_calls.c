/* ocl_calls.c - modules as whole programs in C with the calls of OpenCL in them: compiled with a C
   compiler and -lOpenCL alone, run on the device that there is, and compared with the interpreter.

   usage  ocl_calls [FIRST [COUNT]]      seeds of generated functions */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define IRLAYOUT_OCL_RUNTIME
#define _GNU_SOURCE
#include "../irlayout_ocl.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#include "../src/map/map.h"
#include "../src/target/target.h"
#endif
#include "generate.h"
#include "generate_lanes.h"
#include "test.h"
#include "c_batch.h"

static const char command[] = "gcc -std=c99 -D_GNU_SOURCE -O1 -w -Wl,--no-as-needed -lOpenCL";
static const char strict[] = "gcc -std=c99 -pedantic -Wall -Wextra -Wconversion -Werror "
                             "-fsyntax-only";

/* Behind a program: its function opens a device, runs, and closes it; then it is called as the
   plain function of the batch is. */
static void put_wrapper(c_text *t, int number)
{
    c_put(t,
          "static g%d_opencl cl_%d;\nstatic int say_%d(int ok)\n{\n"
          "    if (!ok) printf(\"%%s: %%d\\n%%s\\n\", cl_%d.what ? cl_%d.what : \"\", "
          "(int)cl_%d.status, cl_%d.log);\n    g%d_destroy(&cl_%d);\n    return !ok;\n}\n",
          number, number, number, number, number, number, number, number, number);
    c_put(t,
          "#define g%d(...) say_%d(g%d_create(&cl_%d, NULL, NULL, NULL) && "
          "g%d(&cl_%d, __VA_ARGS__))\n",
          number, number, number, number, number, number);
}

/* The program of a case and its run. 1: it is there; 0: it has an image over a buffer. */
static int add(c_text *t, const gen_case *c, int number)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_func_parse(cx, c->text, strlen(c->text), "generated");
    gen_data    given = gen_data_new(c), expected = gen_data_copy(&given);
    irl_module *m = NULL;
    const char *source = "";
    c_text      wrapped = { NULL, 0, 0 };
    int         k, ulps[GEN_PARAMS], result = -1;
    for (k = 0; k < c->param_count; k++) ulps[k] = c->params[k].ulp;
    if (f && irl_func_interpret(f, gen_arguments(&expected))) {
        m = irl_func_lower(c_named(cx, f, number), &irl_target_opencl12);
        source = irl_ocl_c_source(m);
    }
    if (source[0]) {
        c_put(&wrapped, "%s", source);
        put_wrapper(&wrapped, number);
        if (c_put_run(cx, t, m, wrapped.data, number, gen_arguments(&given),
                      gen_arguments(&expected), ulps))
            result = 1;
    } else if (irl_diag_of(cx) && irl_diag_of(cx)->code == IRL_ERROR_UNSUPPORTED &&
               strstr(irl_diag_text(cx), "two or three dimensions"))
        result = 0;
    if (result < 0)
        printf("seed %lu: %s\n%s\n", (unsigned long)c->seed, irl_diag_text(cx), c->text);
    free(wrapped.data);
    gen_data_free(&given);
    gen_data_free(&expected);
    irl_ctx_destroy(cx);
    return result;
}

static gen_case function_of(uint64_t seed, int lanes)
{
    gen_options options;
    memset(&options, 0, sizeof options);
    options.for_device = 1;
    return lanes ? gen_lane_function(seed, options) : gen_function(seed, options);
}

static void generated(uint64_t first, int count, int lanes)
{
    c_text t = { NULL, 0, 0 };
    int    k, numbers[100], total = 0;
    c_put(&t, "%s", c_prologue);
    for (k = 0; k < count && k < 100; k++) {
        gen_case c = function_of(first + (uint64_t)k, lanes);
        int      is = add(&t, &c, k);
        CHECK(is >= 0);
        if (is == 1) numbers[total++] = k;
        gen_free(&c);
    }
    c_put_main(&t, total, numbers);
    if (CHECK(c_run(command, "POCL_CACHE_DIR=$PWD/pocl ", &t, 1))) test_passed += total;
    printf("of %d functions %d ran\n", count, total);
    free(t.data);
}

/* Strict warnings, a temporary, an assertion that fails, names that are taken. */
static void test_whole(void)
{
    static const char text[] =
        "func f(n: index, value: f32[n, 8], cl: f32[n, 8] scope(global), f_create: f32[4, 4, 4] "
        "scope(texture)) {\n    assert(n >= 2, \"few\");\n    alloc group: f32[n, 8];\n"
        "    for (i: n, j: 8) group[i, j] = value[i, j] * 2.0f;\n"
        "    for (i: n, j: 8) cl[i, j] = group[n - 1 - i, j] + f_create[i % 4, j % 4, 1];\n}\n";
    static const char main_text[] =
        "int main(void)\n{\n    static float x[24], y[24], q[64];\n    f_opencl cl;\n    int k;\n"
        "    for (k = 0; k < 24; k++) x[k] = (float)k;\n"
        "    for (k = 0; k < 64; k++) q[k] = (float)(k * k);\n"
        "    if (!f_create(&cl, NULL, NULL, NULL)) return 2;\n"
        "    if (!f(&cl, 3, x, y, q)) return 3;\n"
        "    for (k = 0; k < 24; k++)\n"
        "        if (y[k] != 2 * x[(2 - k / 8) * 8 + k % 8] + q[k / 8 * 16 + k % 4 * 4 + 1]) "
        "return 4;\n"
        "    if (f(&cl, 1, x, y, q) || cl.status != CL_INVALID_VALUE ||\n"
        "        strcmp(cl.what, \"assertion 1\")) return 5;\n"
        "    if (f(&cl, 3, x, y, q)) return 6; /* the first failure stays */\n"
        "    f_destroy(&cl);\n    return 0;\n}\n";
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_mark    mark = irl_ctx_mark(cx);
    const char *source = irl_ocl_c_source(
        irl_func_lower(irl_func_parse(cx, text, strlen(text), "f"), &irl_target_opencl12));
    static const char line[] = "func f(x: f32[8, 4] scope(texture:buffer), y: f32[8, 4]) { "
                               "for (i: 8, j: 4) y[i, j] = x[i, j]; }";
    c_text      t = { NULL, 0, 0 };
    if (!CHECK(source[0])) printf("%s\n", irl_diag_text(cx));
    c_put(&t, "%s%s", source, main_text);
    CHECK(c_run(strict, "true ", &t, 1));
    CHECK(c_run(command, "POCL_CACHE_DIR=$PWD/pocl ", &t, 1));
    free(t.data);
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_ocl_c_source(irl_func_lower(irl_func_parse(cx, line, strlen(line), "f"),
                                           &irl_target_opencl12))[0]);
    CHECK_CODE(cx, IRL_ERROR_UNSUPPORTED);
    irl_ctx_destroy(cx);
}

/* Two programs in one file: each has helpers of its own. */
static void test_two(void)
{
    static const char text[] = "func %s(n: index, m: index, y: f32[max(n * n, m + 3)]) { "
                               "for (i: max(n * n, m + 3)) y[i] = 1.0; }";
    irl_ctx *cx = irl_ctx_create(NULL);
    c_text   t = { NULL, 0, 0 };
    for (int k = 0; k < 2; k++) {
        char one[256];
        int  length = snprintf(one, sizeof one, text, k ? "g" : "f");
        const char *source = irl_ocl_c_source(irl_func_lower(
            irl_func_parse(cx, one, (size_t)length, "two"), &irl_target_opencl12));
        CHECK(strstr(source, k ? "irl_g_max_int64_t(int64_t a" : "irl_f_max_int64_t(int64_t a"));
        c_put(&t, "%s", source);
    }
    c_put(&t, "int main(void) { return (f != NULL && g != NULL) ? 0 : 1; }\n");
    CHECK(c_run(command, "", &t, 1));
    free(t.data);
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    int      count = getenv("IRL_SOAK") ? 60 : TEST_COUNT(5);
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_ocl *cl = irl_ocl_create(cx, NULL);
    if (!cl) TEST_NO_DEVICE(cx);
    else if (!c_has("gcc")) TEST_SKIP("no gcc");
    else if (argc > 1)
        generated(strtoul(argv[1], NULL, 10), argc > 2 ? atoi(argv[2]) : 1, argc > 3);
    else {
        printf("seeds 1 to %d\n", count);
        test_whole();
        test_two();
        generated(1, count, 0);
        generated(1, count, 1);
    }
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    c_folder_end();
    return TEST_DONE();
}
