/* convolve.c - how fast the emitted convolutions are, beside oneDNN's, kernels by hand, and what
   the processor can do at all.

   needs     an OpenCL device; oneDNN 2 where its header is installed; it runs in the root of the
             repository, where the kernels in the text form lie
   promises  every result is compared with a plain C loop; exit status 1 for a wrong number and for
             a missed gate. Without a device it says so and exits 0. */
#define _POSIX_C_SOURCE 200809L
#define CL_TARGET_OPENCL_VERSION 120
#define IRLAYOUT_OCL_RUNTIME
#define IRLAYOUT_IMPLEMENTATION
#include "../irlayout_ocl.h"
#include "device.h"

#include <dlfcn.h>
#include <unistd.h>

/* ------------------------------------------------------------------ what is convolved */

/* size x size points of `in` channels to `out`, with a border of zeros; depthwise where groups are
   the channels. */
typedef struct workload {
    const char *name, *hand;
    const char *files[3]; /* in the text form; the first is the one that must be fast */
    int         size, window, in, out, groups;
    double      gate;     /* of oneDNN's speed */
} workload;

static const workload workloads[] = {
    { "3x3, 56x56, 64 to 64",
      "hand",
      { "conv3x3_wide", "conv3x3_nchw4c", NULL },
      56,
      3,
      64,
      64,
      1,
      0.8 },
    { "1x1, 56x56, 256 to 64", "hand", { "conv1x1_wide", NULL, NULL }, 56, 1, 256, 64, 1, 0.7 },
    { "depthwise 3x3, 112x112, 32",
      "hand_depthwise",
      { "depthwise3x3_wide", NULL, NULL },
      112,
      3,
      32,
      32,
      32,
      0.7 },
};

static size_t padded_size(const workload *w) { return (size_t)(w->size + w->window - 1); }
static size_t input_cells(const workload *w)
{
    return padded_size(w) * padded_size(w) * (size_t)w->in;
}
static size_t filter_cells(const workload *w)
{
    return (size_t)(w->out * (w->in / w->groups) * w->window * w->window);
}
static size_t output_cells(const workload *w) { return (size_t)(w->size * w->size * w->out); }
static double operations(const workload *w)
{
    return 2.0 * (double)output_cells(w) * (w->in / w->groups) * w->window * w->window;
}

/* Small integers, so that sums are exact in any order: x is NHWC with its border, f is OIHW. */
static void fill_data(const workload *w, float *x, float *f)
{
    size_t n = padded_size(w), border = (size_t)(w->window / 2), h, v, c, k;
    for (h = 0; h < n; h++)
        for (v = 0; v < n; v++)
            for (c = 0; c < (size_t)w->in; c++, x++) {
                int inside = h >= border && v >= border && h < n - border && v < n - border;
                *x = inside ? (float)((h * 7 + v * 5 + c * 3) % 15) - 7.0f : 0.0f;
            }
    for (k = 0; k < filter_cells(w); k++) f[k] = (float)(k * 11 % 7) - 3.0f;
}

static void plain_c(const workload *w, const float *x, const float *f, float *y)
{
    size_t n = padded_size(w), size = (size_t)w->size, window = (size_t)w->window,
           out = (size_t)w->out, in = (size_t)(w->in / w->groups);
    size_t h, v, o, i, r, s;
    for (h = 0; h < size; h++)
        for (v = 0; v < size; v++)
            for (o = 0; o < out; o++) {
                float sum = 0.0f;
                for (i = 0; i < in; i++)
                    for (r = 0; r < window; r++)
                        for (s = 0; s < window; s++)
                            sum += x[((h + r) * n + v + s) * (size_t)w->in +
                                     (w->groups == 1 ? i : o)] *
                                   f[((o * in + i) * window + r) * window + s];
                y[(h * size + v) * out + o] = sum;
            }
}

/* ------------------------------------------------------------------ by hand */

/* A tile of 7 pixels for each work-item, sums in registers. S is the window, N the size, I and O
   the channels. The filter of `hand` lies as [r, s, i, o], that of `hand_depthwise` as [r, s,
   c]. */
static const char hand_source[] =
    "#define SEVEN(F, g) F(0, g) F(1, g) F(2, g) F(3, g) F(4, g) F(5, g) F(6, g)\n"
    "#define TILE(F) SEVEN(F, 0) SEVEN(F, 1) SEVEN(F, 2) SEVEN(F, 3)\n"
    "#define ZERO(p, g) float16 a##p##g = 0.0f;\n"
    "#define LOAD(p, g) float x##p = x[p * I];\n"
    "#define STEP(p, g) a##p##g = fma((float16)(x##p), w##g, a##p##g);\n"
    "#define STORE(p, g) vstore16(a##p##g, 0, y + p * O + g * 16);\n"
    "__kernel __attribute__((reqd_work_group_size(1, 1, 1)))\n"
    "void hand(__global const float *restrict input, __global const float *restrict filter, "
    "__global float *restrict y)\n"
    "{\n"
    "    uint t = get_group_id(0) * 7, h = get_group_id(1);\n"
    "    TILE(ZERO)\n"
    "    for (uint r = 0; r < S; r++)\n"
    "        for (uint s = 0; s < S; s++)\n"
    "            for (uint i = 0; i < I; i++) {\n"
    "                __global const float *x = input + ((h + r) * (N + S - 1) + t + s) * I + i;\n"
    "                __global const float *w = filter + ((r * S + s) * I + i) * O;\n"
    "                float16 w0 = vload16(0, w), w1 = vload16(1, w), w2 = vload16(2, w), w3 = "
    "vload16(3, w);\n"
    "                SEVEN(LOAD, 0)\n"
    "                TILE(STEP)\n"
    "            }\n"
    "    y += (h * N + t) * O;\n"
    "    TILE(STORE)\n"
    "}\n"
    "#define POINT(p, g) a##p##g = fma(vload16(g, x + p * I), w##g, a##p##g);\n"
    "__kernel __attribute__((reqd_work_group_size(1, 1, 1)))\n"
    "void hand_depthwise(__global const float *restrict input, __global const float *restrict "
    "filter, __global float *restrict y)\n"
    "{\n"
    "    uint t = get_group_id(0) * 7, h = get_group_id(1);\n"
    "    SEVEN(ZERO, 0) SEVEN(ZERO, 1)\n"
    "    for (uint r = 0; r < S; r++)\n"
    "        for (uint s = 0; s < S; s++) {\n"
    "            __global const float *x = input + ((h + r) * (N + S - 1) + t + s) * I;\n"
    "            float16 w0 = vload16((r * S + s) * 2, filter), w1 = vload16((r * S + s) * 2 + 1, "
    "filter);\n"
    "            SEVEN(POINT, 0) SEVEN(POINT, 1)\n"
    "        }\n"
    "    y += (h * N + t) * O;\n"
    "    SEVEN(STORE, 0) SEVEN(STORE, 1)\n"
    "}\n"
    /* what the processor can do: 24 sums that wait for nothing but themselves */
    "#define EIGHT(F, g) SEVEN(F, g) F(7, g)\n"
    "#define ROOF(p, g) a##p##g = fma(a##p##g, b, c);\n"
    "#define TOGETHER(p, g) + a##p##g\n"
    "__kernel __attribute__((reqd_work_group_size(1, 1, 1)))\n"
    "void roof(__global float *y)\n"
    "{\n"
    "    float16 b = y[0], c = y[1];\n"
    "    EIGHT(ZERO, 0) EIGHT(ZERO, 1) EIGHT(ZERO, 2)\n"
    "    for (uint i = 0; i < 2000; i++) { EIGHT(ROOF, 0) EIGHT(ROOF, 1) EIGHT(ROOF, 2) }\n"
    "    vstore16(EIGHT(TOGETHER, 0) EIGHT(TOGETHER, 1) EIGHT(TOGETHER, 2), get_group_id(0), y);\n"
    "}\n";

enum { ROOF_ITEMS = 64 };
static const double roof_operations = 2.0 * 16 * 24 * 2000 * ROOF_ITEMS;

/* ------------------------------------------------------------------ rivals */

typedef enum rival_kind {
    RIVAL_EMITTED,
    RIVAL_CONTROL,
    RIVAL_HAND,
    RIVAL_ROOF,
    RIVAL_C, /* emitted as C */
    RIVAL_DNNL
} rival_kind;
enum { MAX_RIVALS = 12 };

typedef struct rival {
    char           name[64];
    rival_kind     kind;
    irl_ocl_module *built;  /* emitted */
    cl_kernel      kernel; /* by hand */
    cl_mem         x, f, y;
    size_t         global[2];
    void          *library; /* C */
    void         (*function)(const float *x, const float *f, float *y);
    float         *turned;
    double         operations;
    double         least, compile; /* seconds */
} rival;

typedef struct bench {
    irl_ctx        *cx;
    irl_ocl        *cl;
    const workload *w;
    cl_program      hand;
    float          *x, *f, *y, *expected;
    rival           rivals[MAX_RIVALS];
    int             count;
#ifdef HAS_DNNL
    one_dnn          dnnl;
    /* source, filter, destination: as we have them, and as oneDNN likes them */
    dnnl_memory_t    user[3], own[3];
    dnnl_primitive_t convolution;
#endif
} bench;

static void must_compile(const bench *b, int ok)
{
    if (ok) return;
    fprintf(stderr, "%s\n", irl_diag_text(b->cx));
    exit(2);
}

static rival *add_rival(bench *b, const char *name, rival_kind kind)
{
    rival *r = &b->rivals[b->count++];
    memset(r, 0, sizeof *r);
    snprintf(r->name, sizeof r->name, "%s", name);
    r->kind = kind;
    r->operations = operations(b->w);
    return r;
}

/* What the rival that was added last has left in y. */
static void check_result(bench *b)
{
    size_t k, cells = output_cells(b->w);
    for (k = 0; k < cells && b->y[k] == b->expected[k]; k++) {}
    if (k < cells) {
        printf("  WRONG: %s: element %lu is %g, not %g\n", b->rivals[b->count - 1].name,
               (unsigned long)k, (double)b->y[k], (double)b->expected[k]);
        bench_missed++;
    }
    for (k = 0; k < cells; k++) b->y[k] = -12345.0f;
}

/* ------------------------------------------------------------------ emitted */

static char *read_text(const char *name, size_t *length)
{
    char  path[256];
    FILE *file;
    char *text = (char *)malloc(65536);
    snprintf(path, sizeof path, "tests/data/%s.irl", name);
    file = fopen(path, "rb");
    must(text && file, path);
    *length = fread(text, 1, 65535, file);
    text[*length] = '\0';
    fclose(file);
    return text;
}

/* From text to source, the least of many; what it made is given back. */
static double compile_seconds(const bench *b, const char *text, size_t length)
{
    double least = 0, begin;
    int    k;
    for (k = 0; k < 200; k++) {
        irl_mark mark = irl_ctx_mark(b->cx);
        begin = bench_now();
        must_compile(b, irl_ocl_source(irl_func_lower(irl_func_parse(b->cx, text, length, NULL),
                                                      &irl_target_opencl12))[0]);
        bench_least(&least, bench_now() - begin);
        irl_ctx_rewind(b->cx, mark);
    }
    return least;
}

static void add_emitted(bench *b, const char *name, int is_control)
{
    rival *r = add_rival(b, is_control ? "the same again (A/A)" : name,
                         is_control ? RIVAL_CONTROL : RIVAL_EMITTED);
    size_t        length;
    char         *text = read_text(name, &length);
    irl_module *m = irl_func_lower(irl_func_parse(b->cx, text, length, name), &irl_target_opencl12);
    irl_arguments data = IRL_ARGS(b->x, b->f, b->y);
    must_compile(b, m != NULL);
    if (getenv("IRL_BENCH_SOURCE") && !is_control) puts(irl_ocl_source(m));
    r->compile = compile_seconds(b, text, length);
    r->built = irl_ocl_module_create(b->cl, m);
    must_compile(b, r->built != NULL);
    r->x = irl_ocl_memory_create(b->cl, m, 0, data);
    r->f = irl_ocl_memory_create(b->cl, m, 1, data);
    r->y = irl_ocl_memory_create(b->cl, m, 2, data);
    must_compile(b, irl_ocl_memory_upload(b->cl, m, 0, data, r->x) &&
                        irl_ocl_memory_upload(b->cl, m, 1, data, r->f) &&
                        irl_ocl_memory_upload(b->cl, m, 2, data, r->y));
    must_compile(b, irl_ocl_module_execute(r->built, IRL_POINTERS(r->x, r->f, r->y)) &&
                        irl_ocl_finish(b->cl) && irl_ocl_memory_download(b->cl, m, 2, data, r->y));
    free(text);
}

/* ------------------------------------------------------------------ emitted as C */

/* The filter with its output channels last. */
static float *turn_filter(const bench *b)
{
    const workload *w = b->w;
    size_t points = (size_t)(w->window * w->window), in = (size_t)(w->in / w->groups),
           out = (size_t)w->out, o, i, k;
    float          *turned = (float *)malloc(filter_cells(w) * sizeof *turned);
    must(turned != NULL, "malloc");
    for (o = 0; o < out; o++)
        for (i = 0; i < in; i++)
            for (k = 0; k < points; k++)
                turned[(k * in + i) * out + o] = b->f[(o * in + i) * points + k];
    return turned;
}

#define C_FLAGS "-std=gnu99 -O3 -march=native -fopenmp"

static void add_c(bench *b, const char *name, const char *compiler)
{
    char             line[512], folder[] = "/tmp/irl_convolve_XXXXXX", said[64];
    irl_c_options    how;
    size_t           length;
    char            *text = read_text(name, &length);
    irl_module      *m = irl_func_lower(irl_func_parse(b->cx, text, length, name),
                                        &irl_target_c_gnu_avx512);
    const char      *source;
    FILE            *file;
    rival           *r;
    int              built;
    memset(&how, 0, sizeof how);
    how.openmp = 1;
    source = irl_c_source_with(m, &how);
    must_compile(b, source[0] != '\0');
    must(mkdtemp(folder) != NULL, "mkdtemp");
    snprintf(line, sizeof line, "%s/k.c", folder);
    file = fopen(line, "w");
    must(file && fputs(source, file) >= 0 && fclose(file) == 0, line);
    snprintf(line, sizeof line, "cd %s && %s " C_FLAGS " -w -shared -fPIC -o k.so k.c -lm 2> log",
             folder, compiler);
    built = system(line) == 0;
    if (!built) printf("  C by %s: not built\n", compiler);
    else {
        snprintf(said, sizeof said, "as C, %s %s", compiler, "-O3 -march=native -fopenmp");
        said[sizeof r->name - 1] = '\0';
        r = add_rival(b, said, RIVAL_C);
        snprintf(line, sizeof line, "%s/k.so", folder);
        r->library = dlopen(line, RTLD_NOW);
        must(r->library != NULL, "dlopen");
        *(void **)&r->function = dlsym(r->library, name);
        must(r->function != NULL, name);
        r->turned = turn_filter(b);
        r->function(b->x, r->turned, b->y);
        check_result(b);
    }
    snprintf(line, sizeof line, "rm -rf %s", folder);
    must(system(line) == 0, line);
    free(text);
}

/* ------------------------------------------------------------------ by hand, running */

static double run_kernel(bench *b, const rival *r)
{
    static const size_t local[] = { 1, 1 };
    cl_event            event;
    must_cl(clEnqueueNDRangeKernel(irl_ocl_queue(b->cl), r->kernel, 2, NULL, r->global, local, 0,
                                   NULL, &event),
            r->name);
    return device_seconds(event, r->name);
}

static void add_hand(bench *b)
{
    const workload *w = b->w;
    rival          *r = add_rival(b, "by hand", RIVAL_HAND);
    float          *turned = turn_filter(b);
    r->kernel = device_kernel(b->hand, w->hand);
    r->x = device_memory(irl_ocl_context(b->cl), input_cells(w), b->x);
    r->f = device_memory(irl_ocl_context(b->cl), filter_cells(w), turned);
    r->y = device_memory(irl_ocl_context(b->cl), output_cells(w), b->y);
    clSetKernelArg(r->kernel, 0, sizeof r->x, &r->x);
    clSetKernelArg(r->kernel, 1, sizeof r->f, &r->f);
    clSetKernelArg(r->kernel, 2, sizeof r->y, &r->y);
    r->global[0] = (size_t)w->size / 7, r->global[1] = (size_t)w->size;
    free(turned);
    run_kernel(b, r);
    must_cl(clEnqueueReadBuffer(irl_ocl_queue(b->cl), r->y, CL_TRUE, 0,
                                output_cells(w) * sizeof *b->y, b->y, 0, NULL, NULL),
            "read");
}

static void add_roof(bench *b)
{
    rival *r = add_rival(b, "fused multiply-adds and nothing else", RIVAL_ROOF);
    r->kernel = device_kernel(b->hand, "roof");
    r->y = device_memory(irl_ocl_context(b->cl), ROOF_ITEMS * 16, b->y);
    clSetKernelArg(r->kernel, 0, sizeof r->y, &r->y);
    r->global[0] = ROOF_ITEMS, r->global[1] = 1;
    r->operations = roof_operations;
}

/* ------------------------------------------------------------------ oneDNN */

#ifdef HAS_DNNL

static void dnnl_move(bench *b, dnnl_memory_t from, dnnl_memory_t to)
{
    static const int          names[] = { DNNL_ARG_FROM, DNNL_ARG_TO };
    const dnnl_memory_desc_t *a, *c;
    dnnl_primitive_desc_t     d;
    dnnl_primitive_t          reorder;
    dnnl_memory_t             ends[2];
    must_dnnl(dnnl_memory_get_memory_desc(from, &a), "desc");
    must_dnnl(dnnl_memory_get_memory_desc(to, &c), "desc");
    must_dnnl(dnnl_reorder_primitive_desc_create(&d, a, b->dnnl.engine, c, b->dnnl.engine, NULL),
              "reorder");
    must_dnnl(dnnl_primitive_create(&reorder, d), "reorder");
    ends[0] = from, ends[1] = to;
    dnnl_run(&b->dnnl, reorder, 2, names, ends);
    dnnl_primitive_destroy(reorder);
    dnnl_primitive_desc_destroy(d);
}

/* Memory as oneDNN likes it for argument k. */
static void dnnl_own(bench *b, dnnl_primitive_desc_t d, int k)
{
    static const dnnl_query_t queries[] = { dnnl_query_src_md, dnnl_query_weights_md,
                                            dnnl_query_dst_md };
    must_dnnl(dnnl_memory_create(&b->own[k], dnnl_primitive_desc_query_md(d, queries[k], 0),
                                 b->dnnl.engine, DNNL_MEMORY_ALLOCATE),
              "memory");
}

/* The layouts of source, filter and destination are left to oneDNN; turning ours into them is not
   timed. */
static void dnnl_describe(const workload *w, dnnl_memory_desc_t user[3], dnnl_convolution_desc_t *c)
{
    dnnl_dims_t source = { 1, w->in, w->size, w->size },
                destination = { 1, w->out, w->size, w->size };
    dnnl_dims_t plain = { w->out, w->in, w->window, w->window },
                grouped = { w->groups, 1, 1, w->window, w->window };
    dnnl_dims_t        strides = { 1, 1 }, border = { w->window / 2, w->window / 2 };
    dnnl_memory_desc_t any[3];
    int                is_grouped = w->groups > 1;
    must_dnnl(dnnl_memory_desc_init_by_tag(&user[0], 4, source, dnnl_f32, dnnl_nhwc), "source");
    must_dnnl(dnnl_memory_desc_init_by_tag(&user[1], is_grouped ? 5 : 4,
                                           is_grouped ? grouped : plain, dnnl_f32,
                                           is_grouped ? dnnl_goihw : dnnl_oihw),
              "filter");
    must_dnnl(dnnl_memory_desc_init_by_tag(&user[2], 4, destination, dnnl_f32, dnnl_nhwc),
              "destination");
    must_dnnl(dnnl_memory_desc_init_by_tag(&any[0], 4, source, dnnl_f32, dnnl_format_tag_any),
              "source");
    must_dnnl(dnnl_memory_desc_init_by_tag(&any[1], is_grouped ? 5 : 4,
                                           is_grouped ? grouped : plain, dnnl_f32,
                                           dnnl_format_tag_any),
              "filter");
    must_dnnl(dnnl_memory_desc_init_by_tag(&any[2], 4, destination, dnnl_f32, dnnl_format_tag_any),
              "destination");
    must_dnnl(dnnl_convolution_forward_desc_init(c, dnnl_forward_inference, dnnl_convolution_direct,
                                                 &any[0], &any[1], NULL, &any[2], strides, border,
                                                 border),
              "convolution");
}

/* x without its border */
static float *without_border(const bench *b)
{
    const workload *w = b->w;
    size_t n = padded_size(w), border = (size_t)(w->window / 2), size = (size_t)w->size,
           in = (size_t)w->in, h;
    float          *inner = (float *)malloc(size * size * in * sizeof *inner);
    must(inner != NULL, "malloc");
    for (h = 0; h < size; h++)
        memcpy(inner + h * size * in, b->x + ((h + border) * n + border) * in,
               size * in * sizeof *inner);
    return inner;
}

static void run_dnnl(bench *b)
{
    static const int names[] = { DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST };
    dnnl_run(&b->dnnl, b->convolution, 3, names, b->own);
}

static void add_dnnl(bench *b)
{
    dnnl_memory_desc_t      user[3];
    dnnl_convolution_desc_t c;
    dnnl_primitive_desc_t   d;
    float                  *inner = without_border(b);
    int                     k;
    dnnl_open(&b->dnnl);
    dnnl_describe(b->w, user, &c);
    must_dnnl(dnnl_primitive_desc_create(&d, &c, NULL, b->dnnl.engine, NULL), "convolution");
    must_dnnl(dnnl_primitive_create(&b->convolution, d), "convolution");
    for (k = 0; k < 3; k++) {
        must_dnnl(dnnl_memory_create(&b->user[k], &user[k], b->dnnl.engine,
                                     k == 0   ? inner
                                     : k == 1 ? b->f
                                              : b->y),
                  "memory");
        dnnl_own(b, d, k);
        if (k < 2) dnnl_move(b, b->user[k], b->own[k]);
    }
    dnnl_primitive_desc_destroy(d);
    run_dnnl(b);
    dnnl_move(b, b->own[2], b->user[2]);
    free(inner);
    add_rival(b, "oneDNN", RIVAL_DNNL);
}

static void drop_dnnl(bench *b)
{
    int k;
    dnnl_primitive_destroy(b->convolution);
    for (k = 0; k < 3; k++) {
        dnnl_memory_destroy(b->user[k]);
        dnnl_memory_destroy(b->own[k]);
    }
    dnnl_close(&b->dnnl);
}
#else
static void add_dnnl(bench *b) { (void)b; }
static void run_dnnl(bench *b) { (void)b; }
static void drop_dnnl(bench *b) { (void)b; }
#endif

/* ------------------------------------------------------------------ running */

static double run_once(bench *b, const rival *r)
{
    double begin;
    switch (r->kind) {
    case RIVAL_EMITTED:
    case RIVAL_CONTROL:
        return 1e-9 * (double)irl_ocl_module_time(r->built, IRL_POINTERS(r->x, r->f, r->y), 1);
    case RIVAL_HAND:
    case RIVAL_ROOF: return run_kernel(b, r);
    case RIVAL_C:
        begin = bench_now();
        r->function(b->x, r->turned, b->y);
        return bench_now() - begin;
    case RIVAL_DNNL:
        begin = bench_now();
        run_dnnl(b);
        return bench_now() - begin;
    }
    return 0;
}

/* Every rival in turn, a few runs each, many rounds: all meet the same caches and the same
   neighbours. */
static void measure(bench *b)
{
    int round, k, repeat;
    for (round = 0; round < 60; round++)
        for (k = 0; k < b->count; k++)
            for (repeat = 0; repeat < 8; repeat++) {
                double t = run_once(b, &b->rivals[k]);
                must_compile(b, irl_ok(b->cx));
                /* the first finds the caches of the rival before */
                if (repeat) bench_least(&b->rivals[k].least, t);
            }
}

static const rival *find_rival(const bench *b, rival_kind kind)
{
    int k;
    for (k = 0; k < b->count; k++)
        if (b->rivals[k].kind == kind) return &b->rivals[k];
    return NULL;
}

static double speed(const rival *r) { return 1e-9 * r->operations / r->least; } /* GFLOP/s */

static void report(const bench *b)
{
    const rival *ours = find_rival(b, RIVAL_EMITTED), *again = find_rival(b, RIVAL_CONTROL),
                *hand = find_rival(b, RIVAL_HAND);
    const rival *roof = find_rival(b, RIVAL_ROOF), *dnnl = find_rival(b, RIVAL_DNNL);
    int          k;
    printf("%s%*s      us  GFLOP/s   of roof\n", b->w->name, 40 - (int)strlen(b->w->name), "");
    for (k = 0; k < b->count; k++) {
        const rival *r = &b->rivals[k];
        printf("  %-38s %7.1f %8.1f %9.2f", r->name, 1e6 * r->least, speed(r),
               speed(r) / speed(roof));
        if (r->kind == RIVAL_EMITTED) printf("   from text to source in %.0f us", 1e6 * r->compile);
        putchar('\n');
    }
    printf("  A/A %.2f\n", ours->least / again->least);
    if (dnnl)
        bench_gate("emitted, of oneDNN", speed(ours) >= b->w->gate * speed(dnnl),
                   speed(ours) / speed(dnnl), "",
                   b->w->gate >= 0.8 ? "at least 0.8" : "at least 0.7", 0);
    else puts("  oneDNN 2 is not installed");
    for (k = 0; dnnl && k < b->count; k++)
        if (b->rivals[k].kind == RIVAL_C)
            bench_gate(b->rivals[k].name, speed(&b->rivals[k]) >= 0.9 * speed(dnnl),
                       speed(&b->rivals[k]) / speed(dnnl), "", "of oneDNN, at least 0.9", 1);
    bench_gate("emitted, of the kernel by hand", speed(ours) >= 0.9 * speed(hand),
               speed(ours) / speed(hand), "", "at least 0.9", 1);
    for (k = 0; k < b->count; k++) {
        if (b->rivals[k].kind != RIVAL_EMITTED) continue;
        bench_gate("from text to source", b->rivals[k].compile < 500e-6, 1e6 * b->rivals[k].compile,
                   "us", "below 500", 0);
        bench_gate("from text to source", b->rivals[k].compile < 100e-6, 1e6 * b->rivals[k].compile,
                   "us", "below 100", 1);
    }
}

/* ------------------------------------------------------------------ one workload */

static void drop(bench *b)
{
    int k;
    for (k = 0; k < b->count; k++) {
        rival *r = &b->rivals[k];
        if (r->kernel) clReleaseKernel(r->kernel);
        irl_ocl_module_destroy(r->built);
        irl_ocl_memory_destroy(r->x);
        irl_ocl_memory_destroy(r->f);
        irl_ocl_memory_destroy(r->y);
        free(r->turned);
        if (r->library) dlclose(r->library);
    }
    clReleaseProgram(b->hand);
    free(b->x);
    free(b->f);
    free(b->y);
    free(b->expected);
}

static void bench_workload(irl_ocl *cl, irl_ctx *cx, const workload *w)
{
    bench b;
    char  options[128];
    int   k;
    memset(&b, 0, sizeof b);
    b.cx = cx;
    b.cl = cl;
    b.w = w;
    b.x = device_host_memory(input_cells(w));
    b.f = device_host_memory(filter_cells(w));
    b.y = device_host_memory(output_cells(w));
    b.expected = device_host_memory(output_cells(w));
    fill_data(w, b.x, b.f);
    plain_c(w, b.x, b.f, b.expected);
    snprintf(options, sizeof options, "-cl-std=CL1.2 -DS=%d -DN=%d -DI=%d -DO=%d", w->window,
             w->size, w->in, w->out);
    b.hand = device_program(irl_ocl_context(cl), irl_ocl_device(cl), hand_source, options);
    add_roof(&b);
    for (k = 0; w->files[k]; k++) {
        add_emitted(&b, w->files[k], 0);
        check_result(&b);
    }
    add_emitted(&b, w->files[0], 1);
    check_result(&b);
    add_hand(&b);
    check_result(&b);
    add_c(&b, w->files[0], "gcc");
    add_c(&b, w->files[0], "clang");
    add_dnnl(&b);
    if (find_rival(&b, RIVAL_DNNL)) check_result(&b);
    measure(&b);
    report(&b);
    if (find_rival(&b, RIVAL_DNNL)) drop_dnnl(&b);
    drop(&b);
}

int main(int argc, char **argv)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_ocl *cl;
    size_t   k;
    (void)argc;
    device_calm_openmp(argv);
    cl = device_open(cx);
    if (!cl) return 0;
    printf("convolutions, f32, on %s; two operations for each product. The input of emitted and "
           "hand-written kernels has its border\n"
           "of zeros in memory, oneDNN's has not; each has its filter as it likes it\n",
           irl_ocl_device_name(cl));
    for (k = 0; k < sizeof workloads / sizeof workloads[0]; k++)
        bench_workload(cl, cx, &workloads[k]);
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return bench_done();
}
