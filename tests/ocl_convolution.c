/* ocl_convolution.c - the convolutions of tests/data on a device, small and as they are: equal, bit
   for bit, to the interpreter and to plain C, for fma rounds once and all add in the same order;
   and lowered for every target, interpreted. */
#define IRLAYOUT_OCL_RUNTIME
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#include "test.h"

#include <math.h>

/* A number of the text, and what stands in its place where the convolution is small. */
typedef struct smaller {
    int from, to;
} smaller;

typedef struct convolution {
    const char *file;
    int         size, window, in, out, depthwise; /* as in the file */
    smaller     instead[3];
    const char *has[3]; /* in the source */
    int         has_images;
} convolution;

static const convolution convolutions[] = {
    { "conv3x3_wide",
      56,
      3,
      64,
      64,
      0,
      { { 56, 14 }, { 58, 16 }, { 64, 32 } },
      { "float16 sum_27 = (float16)(0.0f);", "sum_27 = fma((float16)(x[",
        "vstore16(sum_27, 0, y|] = sum_27;" },
      0 },
    { "conv3x3_nchw4c",
      56,
      3,
      64,
      64,
      0,
      { { 56, 14 }, { 58, 16 }, { 64, 32 } },
      { "float16 sum_27 = (float16)(0.0f);", "vstore4(sum_27.scdef, 0, y|] = sum_27.scdef;",
        "irl_load_float16(w" },
      0 },
    { "conv3x3_texture",
      56,
      3,
      64,
      64,
      0,
      { { 56, 14 }, { 58, 16 }, { 64, 8 } },
      { "a_6 = read_imagef(x, ", "sum_6 = fma((float4)(a_6.s3), b_3, sum_6)",
        "write_imagef(y, (int2)(" },
      1 },
    { "conv1x1_wide",
      56,
      1,
      256,
      64,
      0,
      { { 56, 14 }, { 256, 6 }, { 64, 32 } },
      { "float16 sum_27 = (float16)(0.0f);",
        "irl_load_float16(w", "vstore16(sum_27, 0, y|] = sum_27;" },
      0 },
    { "depthwise3x3_wide",
      112,
      3,
      32,
      32,
      1,
      { { 112, 14 }, { 114, 16 }, { 0, 0 } },
      { "float16 sum_13 = (float16)(0.0f);", "sum_13 = fma(irl_load_float16(x",
        "irl_load_float16(w" },
      0 },
};

/* ------------------------------------------------------------------ texts */

static int shrunk(const convolution *c, int number)
{
    int k;
    for (k = 0; k < 3; k++)
        if (c->instead[k].from == number) return c->instead[k].to;
    return number;
}

/* The file, every number of it replaced where it is to be small. */
static char *text_of(const convolution *c, int is_small)
{
    char  path[128], *text = (char *)malloc(16384), *to = text, word[64];
    FILE *file;
    int   byte, length = 0;
    sprintf(path, "tests/data/%s.irl", c->file);
    file = fopen(path, "rb");
    if (!file || !text) return free(text), (char *)NULL;
    do {
        byte = fgetc(file);
        /* a name or a number */
        if ((byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || byte == '_') {
            if (length < 63) word[length++] = (char)byte;
            continue;
        }
        word[length] = '\0';
        if (is_small && word[0] >= '1' && word[0] <= '9')
            length = sprintf(word, "%d", shrunk(c, atoi(word)));
        memcpy(to, word, (size_t)length);
        to += length;
        length = 0;
        *to = byte == EOF ? '\0' : (char)byte;
        to++;
    } while (byte != EOF && to < text + 16000);
    fclose(file);
    return text;
}

/* ------------------------------------------------------------------ numbers */

typedef struct numbers {
    float *x, *f, *y, *expected;
    size_t x_count, f_count, y_count;
} numbers;

static float *random_floats(size_t count)
{
    float *x = (float *)malloc(count * sizeof *x);
    size_t k;
    for (k = 0; x && k < count; k++) x[k] = (float)((int)test_random() - 32768) / 1024.0f;
    return x;
}

static numbers numbers_of(const convolution *c)
{
    size_t  n = (size_t)(c->size + c->window - 1), points = (size_t)(c->window * c->window);
    numbers d;
    d.x_count = n * n * (size_t)c->in;
    d.f_count = (size_t)c->out * points * (size_t)(c->depthwise ? 1 : c->in);
    d.y_count = (size_t)(c->size * c->size * c->out);
    d.x = random_floats(d.x_count);
    d.f = random_floats(d.f_count);
    d.y = random_floats(d.y_count);
    d.expected = random_floats(d.y_count);
    return d;
}

static void numbers_free(numbers *d)
{
    free(d->x);
    free(d->f);
    free(d->y);
    free(d->expected);
}

/* In the order of the files: rows of the window, its columns, channels. */
static float plain_point(const convolution *c, const numbers *d, int h, int v, int o)
{
    int   n = c->size + c->window - 1, in = c->depthwise ? 1 : c->in, r, s, i;
    float sum = 0.0f;
    for (r = 0; r < c->window; r++)
        for (s = 0; s < c->window; s++)
            for (i = 0; i < in; i++)
                sum = fmaf(d->x[((h + r) * n + v + s) * c->in + (c->depthwise ? o : i)],
                           d->f[((o * in + i) * c->window + r) * c->window + s], sum);
    return sum;
}

static void plain_c(const convolution *c, const numbers *d)
{
    int h, v, o;
    for (h = 0; h < c->size; h++)
        for (v = 0; v < c->size; v++)
            for (o = 0; o < c->out; o++)
                d->expected[(h * c->size + v) * c->out + o] = plain_point(c, d, h, v, o);
}

static int is_expected(const numbers *d)
{
    return irl_array_difference(irl_type_of(IRL_F32, 1), (int64_t)d->y_count, d->y, d->expected,
                                0) < 0;
}

static void forget(const numbers *d) { memset(d->y, 0xa5, d->y_count * sizeof *d->y); }

/* ------------------------------------------------------------------ one convolution */

static void for_every_target(irl_ctx *cx, const convolution *c, const irl_func *f, const numbers *d)
{
    int k, step = getenv("IRL_SLOW") ? 4 : 1, count = 0;
    while (irl_target_name(count)) count++;
    for (k = 0; k < count; k += step) {
        const irl_target *target = irl_target_find(irl_target_name(k));
        irl_mark          mark = irl_ctx_mark(cx);
        const irl_module *m;
        if (c->has_images && strcmp(irl_target_name(k), "scalar") == 0) continue; /* it has none */
        m = irl_func_lower(f, target);
        forget(d);
        if (!CHECK(m && irl_module_interpret(m, IRL_ARGS(d->x, d->f, d->y)) && is_expected(d)))
            printf("%s for %s\n%s", c->file, irl_target_name(k), irl_diag_text(cx));
        irl_ctx_rewind(cx, mark);
    }
}

/* One of two texts, with | between them: a place that is proved aligned (in the small ones) is
   stored to as a vector. */
static int has_one(const char *source, const char *texts)
{
    char        first[64];
    const char *bar = strchr(texts, '|');
    size_t      n = bar ? (size_t)(bar - texts) : strlen(texts);
    memcpy(first, texts, n);
    first[n] = 0;
    return strstr(source, first) || (bar && strstr(source, bar + 1));
}

static void has_in_source(const convolution *c, const irl_module *m)
{
    const char *source = irl_ocl_source(m);
    int         k;
    for (k = 0; k < 3; k++)
        if (!CHECK(has_one(source, c->has[k])))
            printf("%s has no %s\n%s", c->file, c->has[k], source);
}

/* The function interpreted where it is small; what it becomes, where it is not: the function takes
   more steps than the interpreter goes. */
static void interpreted(irl_ctx *cx, const convolution *c, const irl_func *f, const irl_module *m,
                        const numbers *d)
{
    int is_small = c->size < 56;
    forget(d);
    if (!CHECK(m &&
               (is_small ? irl_func_interpret(f, IRL_ARGS(d->x, d->f, d->y))
                         : irl_module_interpret(m, IRL_ARGS(d->x, d->f, d->y))) &&
               is_expected(d)))
        printf("%s of %d interpreted\n%s", c->file, c->size, irl_diag_text(cx));
    if (is_small) for_every_target(cx, c, f, d);
}

/* With `interprets`, in the interpreter too, which takes its time. */
static void run(irl_ocl *cl, irl_ctx *cx, const convolution *c, const char *text, int interprets)
{
    const irl_func   *f = irl_func_parse(cx, text, strlen(text), c->file);
    const irl_module *m = irl_func_lower(f, &irl_target_opencl12);
    numbers           d = numbers_of(c);
    plain_c(c, &d);
    has_in_source(c, m);
    forget(&d);
    if (!CHECK(m && irl_ocl_run(cl, m, IRL_ARGS(d.x, d.f, d.y)) && is_expected(&d)))
        printf("%s of %d on the device\n%s", c->file, c->size, irl_diag_text(cx));
    if (interprets) interpreted(cx, c, f, m, &d);
    numbers_free(&d);
    CHECK_OK(cx);
}

static void test_convolution(irl_ocl *cl, irl_ctx *cx, const convolution *c)
{
    convolution small = *c;
    irl_mark    mark = irl_ctx_mark(cx);
    char       *text = text_of(c, 1);
    small.size = shrunk(c, c->size);
    small.in = shrunk(c, c->in);
    small.out = shrunk(c, c->out);
    if (CHECK(text != NULL)) run(cl, cx, &small, text, 1);
    free(text);
    irl_ctx_rewind(cx, mark);
    /* a hundred million products take them minutes */
    if (getenv("IRL_OCLGRIND") || getenv("IRL_SLOW")) return;
    text = text_of(c, 0);
    if (CHECK(text != NULL)) run(cl, cx, c, text, getenv("IRL_SOAK") != NULL);
    free(text);
    irl_ctx_rewind(cx, mark);
}

int main(void)
{
    irl_ctx     *cx = irl_ctx_create(NULL);
    irl_ocl_desc desc;
    irl_ocl     *cl;
    size_t       k;
    memset(&desc, 0, sizeof desc);
    /* its optimizer makes intrinsics that it does not know */
    if (getenv("IRL_OCLGRIND")) desc.build_options = "-cl-opt-disable";
    cl = irl_ocl_create(cx, &desc);
    if (!cl) {
        TEST_NO_DEVICE(cx);
        irl_ctx_destroy(cx);
        return TEST_DONE();
    }
    for (k = 0; k < sizeof convolutions / sizeof convolutions[0]; k++)
        test_convolution(cl, cx, &convolutions[k]);
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
