/* ocl_textures.c - images on a device: add-one through a texture, a layout with a separator, two
   kernels, what the device refuses before anything runs, memory of one's own, and generated
   functions, equal to the interpreter. */
#define IRLAYOUT_OCL_RUNTIME
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#include "test.h"
#include "texture_cases.h"

static irl_func *parse(irl_ctx *cx, const char *text)
{
    return irl_func_parse(cx, text, strlen(text), "test");
}

static float *numbers(size_t count)
{
    float *x = (float *)malloc(count * sizeof *x);
    size_t k;
    for (k = 0; x && k < count; k++) x[k] = (float)(test_random() & 255) - 100.0f;
    return x;
}

/* Runs f(x, y) of f32 and so many elements as it is in the interpreter, and lowered on the
   device. */
static int same_on_device(irl_ocl *cl, irl_ctx *cx, const irl_func *plain, const irl_func *f,
                          size_t x_count, size_t y_count, const char *kernel_has)
{
    float            *x = numbers(x_count), *y = numbers(y_count), *expected = numbers(y_count);
    const irl_module *m = f ? irl_func_lower(f, &irl_target_opencl12) : NULL;
    const char       *source = irl_ocl_source(m);
    int               ok = 0;
    if (x && y && expected && source[0]) {
        memcpy(expected, y, y_count * sizeof *y);
        ok = irl_ocl_run(cl, m, IRL_ARGS(x, y)) &&
             irl_func_interpret(plain, IRL_ARGS(x, expected)) &&
             irl_array_difference(irl_type_of(IRL_F32, 1), (int64_t)y_count, y, expected, 0) < 0 &&
             strstr(source, kernel_has) != NULL;
    }
    if (!ok) printf("%s%s\n", source, irl_diag_text(cx));
    free(x);
    free(y);
    free(expected);
    return ok;
}

/* A copy into a temporary image, and a kernel that reads it. */
static void test_addone(irl_ocl *cl, irl_ctx *cx)
{
    static const char text[] = "func addone(X: f32[32, 32, 4], Y: f32[32, 32, 4]) {\n"
                               "    alloc Xt: f32[32, 32, 4] scope(texture);\n"
                               "    for (x: 32, y: 32, c: 4) Xt[x, y, c] = X[x, y, c];\n"
                               "    for (x: 32, y: 32, c: 4) Y[x, y, c] = Xt[x, y, c] + 1.0f;\n"
                               "}\n";
    irl_func   *f = parse(cx, text);
    irl_module *m = irl_func_lower(f, &irl_target_opencl12), *again;
    const char *printed = m ? irl_module_text(m) : "";
    CHECK(strstr(printed, "alloc Xt: f32[32, 128] scope(texture) sep(1)") &&
          strstr(printed, "launch addone_1("));
    again = irl_module_parse(cx, printed, strlen(printed), "again");
    CHECK(again && irl_module_equal(m, again));
    CHECK(same_on_device(cl, cx, f, f, 4096, 4096, "__write_only image2d_t Xt"));
    CHECK(same_on_device(cl, cx, f, f, 4096, 4096, "__read_only image2d_t Xt"));
    CHECK_OK(cx);
}

/* The compute stage in tiles: 4 x 4 points for a work-item, vectorized over the
   channel. */
static void test_addone_tiled(irl_ocl *cl, irl_ctx *cx)
{
    static const char text[] =
        "func addone(X: f32[32, 32, 4], Y: f32[32, 32, 4]) {\n"
        "    alloc Xt: f32[32, 32, 4] scope(texture);\n"
        "    for bind(group.x) (x: 32) for bind(local.x) (y: 32) for vectorized (c: 4) Xt[x, y, c] "
        "= X[x, y, c];\n"
        "    for bind(group.x) (xo: 8) for bind(local.x) (yo: 8) for (xi: 4, yi: 4) for vectorized "
        "(c: 4)\n"
        "        Y[xo * 4 + xi, yo * 4 + yi, c] = Xt[xo * 4 + xi, yo * 4 + yi, c] + 1.0f;\n"
        "}\n";
    irl_func *f = parse(cx, text);
    CHECK(same_on_device(cl, cx, f, f, 4096, 4096, "read_imagef(Xt, (int2)("));
    CHECK_OK(cx);
}

static irl_func *with_image(irl_func *f, irl_ctx *cx, const char *buffer, const char *map,
                            irl_scope scope)
{
    f = irl_func_set_layout(f, buffer, irl_map_parse(cx, map));
    return irl_func_set_scope(f, buffer, scope);
}

static void test_two_kernels(irl_ocl *cl, irl_ctx *cx)
{
    static const char text[] =
        "func relu(x: f32[1, 56, 56, 64], y: f32[1, 56, 56, 64]) {\n"
        "    for (n: 1, h: 56, w: 56, c: 64) y[n, h, w, c] = max(x[n, h, w, c], 0.0f);\n}\n";
    static const char map[] = "(n, h, w, c) -> (n, c / 4, h), (w, c % 4)";
    irl_func         *f = parse(cx, text);
    CHECK(same_on_device(cl, cx, f, with_image(f, cx, "x", map, IRL_SCOPE_TEXTURE), 200704, 200704,
                         "__read_only image2d_t x"));
    CHECK(same_on_device(cl, cx, f, with_image(f, cx, "y", map, IRL_SCOPE_TEXTURE), 200704, 200704,
                         "write_imagef(y, "));
    CHECK_OK(cx);
}

/* A layout with a separator, on a quarter of its batch: 8192 rows are what the device has. */
static void test_separated_layout(irl_ocl *cl, irl_ctx *cx)
{
    static const char text[] =
        "func f(x: f32[4, 64, 64, 128], y: f32[4, 64, 64, 128]) {\n"
        "    for (n: 4, h: 64, w: 64, c: 128) y[n, h, w, c] = x[n, h, w, c] * 2.0f;\n}\n";
    irl_func         *f = parse(cx, text);
    CHECK(same_on_device(
        cl, cx, f,
        with_image(f, cx, "x", "(n, h, w, c) -> (n, c / 4, h), (w, c % 4)", IRL_SCOPE_TEXTURE),
        2097152, 2097152, "image2d_t x"));
    CHECK_OK(cx);
}

/* A depthwise row of a filter in scope texture:weight, its lanes taken one by one. */
static void test_outer_product(irl_ocl *cl, irl_ctx *cx)
{
    static const char text[] =
        "func f(a: f32[3, 8, 4] scope(texture), y: f32[3, 8, 4, 4]) {\n"
        "    for (i: 3, j: 8, p: 4, q: 4) y[i, j, p, q] = a[i, j, p] * a[i, j, q];\n}\n";
    irl_func         *f = parse(cx, text);
    CHECK(same_on_device(cl, cx, f, f, 96, 384, "read_imagef(a, "));
    CHECK_OK(cx);
}

/* A 3x3 convolution over images: the input NCHW4c, the filter with its outputs in the lanes, four
   sums for each work-item. */
static void test_convolution(irl_ocl *cl, irl_ctx *cx)
{
    static const char text[] =
        "func conv(x: f32[1, 6, 6, 8], y: f32[1, 6, 6, 8], w: f32[8, 3, 3, 8]) {\n"
        "    for parallel (h: 6, v: 6, o: 2) {\n"
        "        alloc acc: f32[4] scope(local);\n"
        "        for (k: 4) acc[k] = 0.0f;\n"
        "        for (i: 8, r: 3, s: 3)\n"
        "            if (h + r >= 1 && h + r < 7 && v + s >= 1 && v + s < 7)\n"
        "                for vectorized (k: 4) acc[k] = acc[k] + x[0, h + r - 1, v + s - 1, i] * "
        "w[i, r, s, o * 4 + k];\n"
        "        for vectorized (k: 4) y[0, h, v, o * 4 + k] = acc[k];\n"
        "    }\n}\n";
    irl_func         *plain = parse(cx, text), *f;
    const irl_module *m;
    float *x = numbers(288), *y = numbers(288), *expected = numbers(288), *w = numbers(576);
    f = with_image(plain, cx, "x", "(n, h, w, c) -> (n, c / 4, h), (w, c % 4)", IRL_SCOPE_TEXTURE);
    f = with_image(f, cx, "w", "(i, r, s, o) -> (o / 4), (i, r, s, o % 4)",
                   IRL_SCOPE_TEXTURE_WEIGHT);
    f = with_image(f, cx, "y", "(n, h, w, c) -> (n, c / 4, h), (w, c % 4)", IRL_SCOPE_TEXTURE);
    m = f ? irl_func_lower(f, &irl_target_opencl12) : NULL;
    if (!CHECK(m && irl_ocl_run(cl, m, IRL_ARGS(x, y, w)) &&
               irl_func_interpret(plain, IRL_ARGS(x, expected, w)) &&
               irl_array_difference(irl_type_of(IRL_F32, 1), 288, y, expected, 0) < 0))
        printf("%s%s", irl_diag_text(cx), m && irl_ok(cx) ? irl_ocl_source(m) : "");
    CHECK(m && irl_ok(cx) && strstr(irl_ocl_source(m), "read_imagef(w, (int2)(") &&
          strstr(irl_ocl_source(m), "write_imagef(y, "));
    free(x);
    free(y);
    free(expected);
    free(w);
}

/* A let in the value of each lane: four lets side by side in one statement. */
static void test_lets(irl_ocl *cl, irl_ctx *cx)
{
    static const char text[] = "func f(x: f32[6, 5, 4] scope(texture), y: f32[4, 7]) {\n"
                               "    for (c: 4, d: 7) y[c, d] = let(v = x[5 - c, 4 - c, 3 - c] + "
                               "1.0f, v * v + let(w = v * 2.0f, w - x[c, c, c] * w));\n}\n";
    irl_func         *f = parse(cx, text);
    CHECK(same_on_device(cl, cx, f,
                         with_image(f, cx, "y", "(c, d) -> (c / 4), (d, c % 4)", IRL_SCOPE_TEXTURE),
                         120, 28, "write_imagef(y, "));
    CHECK_OK(cx);
}

static void test_limits(irl_ocl *cl, irl_ctx *cx)
{
    static const char text[] =
        "func f(x: f32[1, 64, 1120, 1120], y: f32[4]) {\n    for (c: 4) y[c] = x[0, c, 0, 0];\n}\n";
    irl_func *f = with_image(parse(cx, text), cx, "x", "(n, c, h, w) -> (n, c / 4, h), (w, c % 4)",
                             IRL_SCOPE_TEXTURE);
    irl_module       *m = irl_func_lower(f, &irl_target_opencl12);
    irl_mark          mark = irl_ctx_mark(cx);
    const char       *message;
    CHECK(m && irl_ocl_memory_create(cl, m, 0, IRL_POINTERS(text, text)) == NULL);
    CHECK_CODE(cx, IRL_ERROR_IMAGE_LIMIT);
    message = irl_diag_of(cx) ? irl_diag_of(cx)->message : "";
    CHECK(strstr(message, "1120 by 17920"));
    irl_ctx_rewind(cx, mark);
}

/* Memory made by hand: an image in its place, a buffer refused in the place of an image. */
static void test_memory(irl_ocl *cl, irl_ctx *cx)
{
    static const char text[] = "func f(x: f32[6, 5, 4] scope(texture), y: f32[6, 5, 4]) {\n    for "
                               "(a: 6, d: 5, c: 4) y[a, d, c] = x[a, d, c];\n}\n";
    irl_module       *m = irl_func_lower(parse(cx, text), &irl_target_opencl12);
    irl_ocl_module    *b = m ? irl_ocl_module_create(cl, m) : NULL;
    float            *x = numbers(120), *y = numbers(120);
    irl_arguments     logical = IRL_ARGS(x, y);
    struct _cl_mem   *image, *buffer;
    irl_mark          mark;
    if (!CHECK(b != NULL)) {
        puts(irl_diag_text(cx));
        return;
    }
    image = irl_ocl_memory_create(cl, m, 0, logical);
    buffer = irl_ocl_memory_create(cl, m, 1, logical);
    CHECK(irl_ocl_memory_upload(cl, m, 0, logical, image));
    CHECK(irl_ocl_module_execute(b, IRL_POINTERS(image, buffer)) && irl_ocl_finish(cl));
    CHECK(irl_ocl_memory_download(cl, m, 1, logical, buffer) && memcmp(x, y, 120 * sizeof *x) == 0);
    memset(y, 0, 120 * sizeof *y);
    CHECK(irl_ocl_memory_download(cl, m, 0, IRL_ARGS(y, y), image) &&
          memcmp(x, y, 120 * sizeof *x) == 0);
    mark = irl_ctx_mark(cx);
    CHECK(!irl_ocl_module_execute(b, IRL_POINTERS(buffer, buffer)));
    CHECK_CODE(cx, IRL_ERROR_ARGUMENT_MISMATCH);
    irl_ctx_rewind(cx, mark);
    irl_ocl_memory_destroy(image);
    irl_ocl_memory_destroy(buffer);
    irl_ocl_module_destroy(b);
    free(x);
    free(y);
}

/* The library found that a kind of image, rows over a buffer, does not work on this device, and
   said so before anything ran (rusticl of Mesa 22.3). */
static int device_lacks(const irl_ctx *cx)
{
    const irl_diag *d = irl_diag_of(cx);
    return d && d->code == IRL_ERROR_IMAGE_FORMAT && strstr(d->message, "image1d_buffer_t") &&
           strstr(d->message, "do not work");
}

static int lacking;

static int run_case(irl_ocl *cl, irl_ctx *cx, const tc_case *c, int *refused)
{
    tc_data     d;
    irl_func   *plain, *f = tc_func(cx, c, &plain);
    irl_module *m;
    int         ok;
    memset(&d, 0, sizeof d);
    ok = f && tc_fill(c, plain, &d) && irl_func_interpret(plain, tc_arguments(&d, d.expected));
    m = ok ? irl_func_lower(f, &irl_target_opencl12) : NULL;
    if (ok && !m && irl_diag_of(cx)->code == IRL_ERROR_PARTIAL_TEXEL) return *refused += 1, 1;
    ok = m && irl_ocl_run(cl, m, tc_arguments(&d, d.y)) && tc_differs(&d, c) < 0;
    if (m && device_lacks(cx)) return lacking += 1, 1;
    if (!ok)
        printf("seed %u\n%s%s\n%s\n", c->seed, irl_diag_text(cx), c->text,
               m && irl_ok(cx) ? irl_ocl_source(m) : "");
    return ok;
}

static void generated(irl_ocl *cl, irl_ctx *cx, unsigned first, int count)
{
    int k, refused = 0;
    lacking = 0;
    test_seeds((unsigned long)first, count);
    for (k = 0; k < count; k++) {
        tc_case  c = tc_make(first + (unsigned)k);
        irl_mark mark = irl_ctx_mark(cx);
        CHECK(run_case(cl, cx, &c, &refused));
        irl_ctx_rewind(cx, mark);
    }
    CHECK(refused * (first > TC_PLAIN_SEEDS ? 10 : 50) <= count &&
          (count < 20 || lacking * 3 <= count));
    if (lacking)
        printf("%d of %d generated functions need images that do not work on this device\n",
               lacking, count);
}

int main(int argc, char **argv)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_ocl *cl = irl_ocl_create(cx, NULL);
    if (!cl) {
        TEST_NO_DEVICE(cx);
        irl_ctx_destroy(cx);
        return TEST_DONE();
    }
    if (argc > 1) generated(cl, cx, (unsigned)atoi(argv[1]), argc > 2 ? atoi(argv[2]) : 1);
    else {
        test_addone(cl, cx);
        test_addone_tiled(cl, cx);
        if (!getenv("IRL_OCLGRIND")) test_two_kernels(cl, cx);
        /* two million elements take it minutes */
        if (!getenv("IRL_OCLGRIND")) test_separated_layout(cl, cx);
        test_outer_product(cl, cx);
        test_convolution(cl, cx);
        test_lets(cl, cx);
        test_limits(cl, cx);
        test_memory(cl, cx);
        generated(cl, cx, 1,
                  getenv("IRL_OCLGRIND") ? 20
                  : getenv("IRL_SOAK")   ? 2000
                                         : TEST_COUNT(40));
        generated(cl, cx, TC_PLAIN_SEEDS + 1,
                  getenv("IRL_OCLGRIND") ? 10
                  : getenv("IRL_SOAK")   ? 1000
                                         : TEST_COUNT(20));
    }
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
