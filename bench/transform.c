/* transform.c - how fast the emitted NHWC -> NCHW4c kernels are, beside a copy, hand-written
   kernels and oneDNN.

   needs     an OpenCL device; oneDNN 2 where its header is installed
   promises  every result is compared with a plain C loop; exit status 1 for a wrong number, for a
             missed gate, and for a hand-written rival that runs below 90 % of what it is recorded
             to reach, for then the machine is not fit to measure on. Without a device it says so
             and exits 0. */
#define _POSIX_C_SOURCE 200112L
#define CL_TARGET_OPENCL_VERSION 120
#define IRLAYOUT_IMPLEMENTATION
#include "../irlayout_ocl.h"
#include "device.h"

/* ------------------------------------------------------------------ what is transformed */

/* The best kernel by hand reached `recorded` times the copy kernel when it was tuned, on
   two cores with AVX-512, PoCL 3.1, which turns the copy kernel into memcpy. */
typedef struct shape {
    const char *name;
    int         n, h, w, c, padded_c;
    double      recorded;
} shape;

static const shape shapes[] = {
    { "1x56x56x64", 1, 56, 56, 64, 64, 0.90 },      { "1x112x112x32", 1, 112, 112, 32, 32, 0.80 },
    { "8x224x224x4", 8, 224, 224, 4, 4, 0.62 },     { "8x224x224x3 to 4", 8, 224, 224, 3, 4, 0.87 },
    { "1x7x7x2048", 1, 7, 7, 2048, 2048, 0.75 },    { "1x56x56x63 to 64", 1, 56, 56, 63, 64, 0.72 },
};

static size_t cells_in(const shape *s)
{
    return (size_t)s->n * (size_t)s->h * (size_t)s->w * (size_t)s->c;
}
static size_t cells_out(const shape *s)
{
    return (size_t)s->n * (size_t)s->h * (size_t)s->w * (size_t)s->padded_c;
}

static void plain_c(const shape *s, const float *x, float *y)
{
    int n, h, w, c;
    for (n = 0; n < s->n; n++)
        for (h = 0; h < s->h; h++)
            for (w = 0; w < s->w; w++)
                for (c = 0; c < s->padded_c; c++)
                    y[((((size_t)n * (size_t)(s->padded_c / 4) + (size_t)(c / 4)) * (size_t)s->h +
                        (size_t)h) *
                           (size_t)s->w +
                       (size_t)w) *
                          4 +
                      (size_t)(c % 4)] =
                        c < s->c ? x[(((size_t)n * (size_t)s->h + (size_t)h) * (size_t)s->w +
                                      (size_t)w) *
                                         (size_t)s->c +
                                     (size_t)c]
                                 : 0.0f;
}

/* ------------------------------------------------------------------ rivals */

/* Each sees N, H, W, C (as read), B (blocks of four as written), HW and COPY (float4s that are read
   and written in half). */
static const char rival_source[] =
    "#define LOAD(p, b) load4(x + (size_t)(p) * C, b)\n"
    "#if C % 4 == 0\n"
    "float4 load4(__global const float *x, uint b) { return ((__global const float4 *)x)[b]; }\n"
    "#else\n"
    "float4 load4(__global const float *x, uint b)\n"
    "{\n"
    "    if (b < C / 4) return vload4(b, x);\n"
    "    return (float4)(vload3(0, x + C / 4 * 4), 0.0f);\n"
    "}\n"
    "#endif\n"
    "__kernel void copy(__global const float4 *restrict x, __global float4 *restrict y)\n"
    "{\n"
    "    uint i = get_global_id(0);\n"
    "    y[i] = x[i];\n"
    "}\n"
    "__kernel void pixel_x(__global const float *restrict x, __global float4 *restrict y)\n"
    "{\n"
    "    uint p = get_global_id(0), b = get_global_id(1), n = get_global_id(2);\n"
    "    y[(n * B + b) * HW + p] = LOAD(n * HW + p, b);\n"
    "}\n"
    "__kernel void block_x(__global const float *restrict x, __global float4 *restrict y)\n"
    "{\n"
    "    uint b = get_global_id(0), p = get_global_id(1), n = get_global_id(2);\n"
    "    y[(n * B + b) * HW + p] = LOAD(n * HW + p, b);\n"
    "}\n"
    "__kernel void row(__global const float *restrict x, __global float4 *restrict y)\n"
    "{\n"
    "    uint h = get_global_id(0), b = get_global_id(1), n = get_global_id(2);\n"
    "    for (uint w = 0; w < W; w++) y[((n * B + b) * H + h) * W + w] = LOAD((n * H + h) * W + w, "
    "b);\n"
    "}\n"
    "#if B % 4 == 0 && HW % 4 == 0\n"
    "#define FOUR(j) y[(n * B + b + j) * HW + p] = LOAD(n * HW + p, b + j); y[(n * B + b + j) * HW "
    "+ p + 1] = LOAD(n * HW + p + 1, b + j); \\\n"
    "    y[(n * B + b + j) * HW + p + 2] = LOAD(n * HW + p + 2, b + j); y[(n * B + b + j) * HW + p "
    "+ 3] = LOAD(n * HW + p + 3, b + j);\n"
    "__kernel void tile(__global const float *restrict x, __global float4 *restrict y)\n"
    "{\n"
    "    uint b = get_global_id(0) * 4, p = get_global_id(1) * 4, n = get_global_id(2);\n"
    "    FOUR(0) FOUR(1) FOUR(2) FOUR(3)\n"
    "}\n"
    "#endif\n"
    "#if C % 16 == 0\n"
    "void wide(__global const float *x, __global float *y)\n"
    "{\n"
    "    float16 i = vload16(0, x), j = vload16(0, x + C), k = vload16(0, x + 2 * C), l = "
    "vload16(0, x + 3 * C);\n"
    "    vstore16((float16)(i.s0123, j.s0123, k.s0123, l.s0123), 0, y);\n"
    "    vstore16((float16)(i.s4567, j.s4567, k.s4567, l.s4567), 0, y + 4 * HW);\n"
    "    vstore16((float16)(i.s89ab, j.s89ab, k.s89ab, l.s89ab), 0, y + 8 * HW);\n"
    "    vstore16((float16)(i.scdef, j.scdef, k.scdef, l.scdef), 0, y + 12 * HW);\n"
    "}\n"
    "__kernel void wide_tile(__global const float *restrict x, __global float *restrict y)\n"
    "{\n"
    "    uint b = get_global_id(0) * 4, p = get_global_id(1) * 4, n = get_global_id(2);\n"
    "    wide(x + (n * HW + p) * C + b * 4, y + ((n * B + b) * HW + p) * 4);\n"
    "}\n"
    "__kernel void wide_row(__global const float *restrict x, __global float *restrict y)\n"
    "{\n"
    "    uint b = get_global_id(0) * 4, p = get_global_id(1) * W, n = get_global_id(2), end = p + "
    "W, j;\n"
    "    for (; p + 4 <= end; p += 4) wide(x + (n * HW + p) * C + b * 4, y + ((n * B + b) * HW + "
    "p) * 4);\n"
    "    for (; p < end; p++)\n"
    "        for (j = b; j < b + 4; j++) vstore4(vload4(0, x + (n * HW + p) * C + j * 4), 0, y + "
    "((n * B + j) * HW + p) * 4);\n"
    "}\n"
    "#endif\n"
    "#if C == 3\n"
    "__kernel void pack3(__global const float *restrict x, __global float4 *restrict y)\n"
    "{\n"
    "    uint p = get_global_id(0) * 4;\n"
    "    float4 i = vload4(0, x + p * 3), j = vload4(1, x + p * 3), k = vload4(2, x + p * 3);\n"
    "    y[p] = (float4)(i.s012, 0.0f);\n"
    "    y[p + 1] = (float4)(i.s3, j.s01, 0.0f);\n"
    "    y[p + 2] = (float4)(j.s23, k.s0, 0.0f);\n"
    "    y[p + 3] = (float4)(k.s123, 0.0f);\n"
    "}\n"
    "#endif\n";

enum { MAX_RIVALS = 16 };

typedef enum rival_kind { RIVAL_MEMCPY, RIVAL_COPY_BUFFER, RIVAL_KERNEL, RIVAL_DNNL } rival_kind;
typedef enum rival_role {
    ROLE_COPY,
    ROLE_CONTROL,
    ROLE_PLAIN,
    ROLE_HAND,
    ROLE_DNNL,
    ROLE_OURS
} rival_role;

typedef struct rival {
    const char *name;
    rival_kind  kind;
    rival_role  role;
    int         is_copy; /* its result is not the layout */
    cl_kernel   kernel;
    cl_uint     dimensions;
    size_t      global[3], local[3]; /* local[0] 0: the driver chooses */
    double      least;               /* seconds */
} rival;

typedef struct device {
    cl_device_id     id;
    cl_context       context;
    cl_command_queue queue;
} device;

typedef struct bench {
    const device *d;
    const shape  *s;
    cl_program    programs[2]; /* the rivals', ours */
    cl_mem        x, y;
    float        *host_x, *host_y, *expected;
    rival         rivals[MAX_RIVALS];
    int           count;
#ifdef HAS_DNNL
    one_dnn          dnnl;
    dnnl_memory_t    ends[2]; /* from, to */
    dnnl_primitive_t reorder;
#endif
} bench;

static rival *add_rival(bench *b, const char *name, rival_kind kind, rival_role role)
{
    rival *r = &b->rivals[b->count++];
    memset(r, 0, sizeof *r);
    r->name = name;
    r->kind = kind;
    r->role = role;
    r->is_copy = role == ROLE_COPY || role == ROLE_CONTROL || role == ROLE_PLAIN;
    return r;
}

static rival *add_kernel(bench *b, const char *name, rival_role role, int program,
                         const char *kernel, size_t x, size_t y, size_t z, size_t local_y)
{
    rival *r = add_rival(b, name, RIVAL_KERNEL, role);
    r->kernel = device_kernel(b->programs[program], kernel);
    must_cl(clSetKernelArg(r->kernel, 0, sizeof b->x, &b->x), kernel);
    must_cl(clSetKernelArg(r->kernel, 1, sizeof b->y, &b->y), kernel);
    r->dimensions = 3;
    r->global[0] = x, r->global[1] = y, r->global[2] = z;
    if (local_y) r->local[0] = 1, r->local[1] = local_y, r->local[2] = 1;
    return r;
}

/* The largest of 8, 4, 2, 1 that divides n. */
static size_t local_of(int n) { return n % 8 == 0 ? 8 : n % 4 == 0 ? 4 : n % 2 == 0 ? 2 : 1; }

static void add_opencl_rivals(bench *b)
{
    const shape *s = b->s;
    size_t pixels = (size_t)s->h * (size_t)s->w, blocks = (size_t)s->padded_c / 4, n = (size_t)s->n;
    /* float4s, each read and written: as much traffic as ours */
    size_t       copied = (cells_in(s) + cells_out(s)) / 8;
    char         options[256];
    sprintf(options, "-cl-std=CL1.2 -DN=%d -DH=%d -DW=%d -DC=%d -DB=%d -DHW=%d", s->n, s->h, s->w,
            s->c, s->padded_c / 4, s->h * s->w);
    b->programs[0] = device_program(b->d->context, b->d->id, rival_source, options);
    add_rival(b, "memcpy, one thread", RIVAL_MEMCPY, ROLE_PLAIN);
    add_rival(b, "clEnqueueCopyBuffer", RIVAL_COPY_BUFFER, ROLE_PLAIN);
    add_kernel(b, "float4 copy kernel", ROLE_COPY, 0, "copy", copied, 1, 1, 0);
    add_kernel(b, "the same again (A/A)", ROLE_CONTROL, 0, "copy", copied, 1, 1, 0);
    add_kernel(b, "by hand: float4, x = pixel", ROLE_HAND, 0, "pixel_x", pixels, blocks, n, 0);
    add_kernel(b, "by hand: float4, x = block of channels", ROLE_HAND, 0, "block_x", blocks, pixels,
               n, 0);
    add_kernel(b, "by hand: a row per item", ROLE_HAND, 0, "row", (size_t)s->h, blocks, n,
               local_of(s->padded_c / 4));
    if (blocks % 4 == 0 && pixels % 4 == 0)
        add_kernel(b, "by hand: 4x4 tile of float4", ROLE_HAND, 0, "tile", blocks / 4, pixels / 4,
                   n, 0);
    if (s->c % 16 == 0 && pixels % 4 == 0)
        add_kernel(b, "by hand: 4x4 tile, float16", ROLE_HAND, 0, "wide_tile", blocks / 4,
                   pixels / 4, n, 0);
    if (s->c % 16 == 0)
        add_kernel(b, "by hand: a row of such tiles", ROLE_HAND, 0, "wide_row", blocks / 4,
                   (size_t)s->h, n, 0);
    if (s->c == 3)
        add_kernel(b, "by hand: 12 floats to 16", ROLE_HAND, 0, "pack3", pixels * n / 4, 1, 1, 0);
}

/* ------------------------------------------------------------------ ours */

/* Channels that x does not have are padding: 0. */
static void our_source(const shape *s, char text[1024])
{
    sprintf(text,
            "func pack(x: f32[%d, %d, %d, %d], y: f32[%d, %d, %d, %d])\n"
            "    layout(y: (n, h, w, c) -> (n, c / 4, h, w, c %% 4)%s) {\n"
            "    for (n: %d, h: %d, w: %d, c: %d)\n"
            "        y[n, h, w, c] = x[n, h, w, c];\n"
            "}\n",
            s->n, s->h, s->w, s->c, s->n, s->h, s->w, s->c,
            s->c != s->padded_c ? ", pad(0.0f)" : "", s->n, s->h, s->w, s->c);
}

static void add_ours(bench *b, irl_ctx *cx)
{
    char                   text[1024];
    const irl_ocl_program *p;
    rival                 *r;
    our_source(b->s, text);
    p = irl_ocl_emit(
        irl_func_lower(irl_func_parse(cx, text, strlen(text), NULL), &irl_target_opencl12));
    if (!p || p->kernel_count != 1) {
        fprintf(stderr, "%s\n%s\n", text, irl_diag_text(cx));
        exit(2);
    }
    if (getenv("IRL_BENCH_SOURCE")) puts(p->source);
    b->programs[1] = device_program(b->d->context, b->d->id, p->source, "-cl-std=CL1.2");
    r = add_kernel(b, "emitted by irlayout", ROLE_OURS, 1, p->kernels[0].name, 1, 1, 1, 0);
    r->dimensions = (cl_uint)p->kernels[0].dimensions;
    if (!irl_ocl_kernel_sizes(cx, &p->kernels[0], NULL, r->global, r->local)) exit(2);
}

/* ------------------------------------------------------------------ oneDNN */

#ifdef HAS_DNNL

static void add_dnnl(bench *b)
{
    const shape          *s = b->s;
    dnnl_dims_t           dims;
    dnnl_memory_desc_t    from, to;
    dnnl_primitive_desc_t reorder;
    dims[0] = s->n, dims[1] = s->c, dims[2] = s->h, dims[3] = s->w;
    dnnl_open(&b->dnnl);
    must_dnnl(dnnl_memory_desc_init_by_tag(&from, 4, dims, dnnl_f32, dnnl_nhwc), "nhwc");
    must_dnnl(dnnl_memory_desc_init_by_tag(&to, 4, dims, dnnl_f32, dnnl_nChw4c), "nChw4c");
    must_dnnl(dnnl_memory_create(&b->ends[0], &from, b->dnnl.engine, b->host_x), "memory");
    must_dnnl(dnnl_memory_create(&b->ends[1], &to, b->dnnl.engine, b->host_y), "memory");
    must_dnnl(dnnl_reorder_primitive_desc_create(&reorder, &from, b->dnnl.engine, &to,
                                                 b->dnnl.engine, NULL),
              "reorder");
    must_dnnl(dnnl_primitive_create(&b->reorder, reorder), "reorder");
    dnnl_primitive_desc_destroy(reorder);
    add_rival(b, "oneDNN reorder", RIVAL_DNNL, ROLE_DNNL);
}

static void run_dnnl(bench *b)
{
    static const int names[] = { DNNL_ARG_FROM, DNNL_ARG_TO };
    dnnl_run(&b->dnnl, b->reorder, 2, names, b->ends);
}

static void drop_dnnl(bench *b)
{
    dnnl_primitive_destroy(b->reorder);
    dnnl_memory_destroy(b->ends[0]);
    dnnl_memory_destroy(b->ends[1]);
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
    size_t   bytes = (cells_in(b->s) + cells_out(b->s)) / 2 * sizeof(float);
    cl_event event;
    double   begin;
    switch (r->kind) {
    case RIVAL_KERNEL:
        must_cl(clEnqueueNDRangeKernel(b->d->queue, r->kernel, r->dimensions, NULL, r->global,
                                       r->local[0] ? r->local : NULL, 0, NULL, &event),
                r->name);
        return device_seconds(event, r->name);
    case RIVAL_COPY_BUFFER:
        must_cl(clEnqueueCopyBuffer(b->d->queue, b->x, b->y, 0, 0, bytes, 0, NULL, &event),
                r->name);
        return device_seconds(event, r->name);
    case RIVAL_MEMCPY:
        begin = bench_now();
        memcpy(b->host_y, b->host_x, bytes);
        return bench_now() - begin;
    case RIVAL_DNNL:
        begin = bench_now();
        run_dnnl(b);
        return bench_now() - begin;
    }
    return 0;
}

/* Runs over a destination full of another pattern and compares all of it. */
static void check_result(bench *b, rival *r)
{
    size_t bytes = cells_out(b->s) * sizeof(float), k;
    memset(b->host_y, 0xa5, bytes);
    if (r->kind == RIVAL_KERNEL)
        must_cl(
            clEnqueueWriteBuffer(b->d->queue, b->y, CL_TRUE, 0, bytes, b->host_y, 0, NULL, NULL),
            "write");
    run_once(b, r);
    if (r->is_copy) return;
    if (r->kind == RIVAL_KERNEL)
        must_cl(clEnqueueReadBuffer(b->d->queue, b->y, CL_TRUE, 0, bytes, b->host_y, 0, NULL, NULL),
                "read");
    if (memcmp(b->host_y, b->expected, bytes) == 0) return;
    for (k = 0; b->host_y[k] == b->expected[k]; k++) {}
    printf("  WRONG: %s: element %lu is %g, not %g\n", r->name, (unsigned long)k,
           (double)b->host_y[k], (double)b->expected[k]);
    bench_missed++;
}

/* Every rival in turn, a few runs each, many rounds: all meet the same caches and the same
   neighbours. */
static void measure(bench *b)
{
    int round, k, repeat;
    for (k = 0; k < b->count; k++) check_result(b, &b->rivals[k]);
    for (round = 0; round < 40; round++)
        for (k = 0; k < b->count; k++)
            for (repeat = 0; repeat < 8; repeat++) {
                double t = run_once(b, &b->rivals[k]);
                /* the first finds the caches of the rival before */
                if (repeat) bench_least(&b->rivals[k].least, t);
            }
}

static double least_of(const bench *b, rival_role role)
{
    double least = 0;
    int    k;
    for (k = 0; k < b->count; k++)
        if (b->rivals[k].role == role) bench_least(&least, b->rivals[k].least);
    return least;
}

/* Whether ours is ahead of oneDNN. */
static int report(const bench *b)
{
    double bytes = (double)(cells_in(b->s) + cells_out(b->s)) * sizeof(float);
    double copy = least_of(b, ROLE_COPY), hand = least_of(b, ROLE_HAND),
           ours = least_of(b, ROLE_OURS), dnnl = least_of(b, ROLE_DNNL), best = hand;
    int    k;
    for (k = 0; k < b->count; k++)
        if (b->rivals[k].kind == RIVAL_KERNEL || b->rivals[k].kind == RIVAL_COPY_BUFFER)
            if (b->rivals[k].role != ROLE_OURS) bench_least(&best, b->rivals[k].least);
    printf("%s%*s      us    GB/s   of copy\n", b->s->name, 40 - (int)strlen(b->s->name), "");
    for (k = 0; k < b->count; k++)
        printf("  %-38s %7.1f %7.1f %8.2f\n", b->rivals[k].name, 1e6 * b->rivals[k].least,
               1e-9 * bytes / b->rivals[k].least, copy / b->rivals[k].least);
    bench_gate("emitted, of the copy kernel", copy / ours >= 0.4, copy / ours, "", "at least 0.4",
               0);
    bench_gate("emitted, of the best kernel by hand", hand / ours >= 0.9, hand / ours, "",
               "at least 0.9", 0);
    bench_gate("emitted, of the fastest of OpenCL, copies too", best / ours >= 0.9, best / ours, "",
               "at least 0.9", 1);
    bench_gate("best by hand, of its recorded ratio to the copy",
               copy / hand >= 0.9 * b->s->recorded, copy / hand / b->s->recorded, "",
               "at least 0.9", 0);
    return dnnl > ours;
}

/* ------------------------------------------------------------------ one shape */

static int bench_shape(const device *d, irl_ctx *cx, const shape *s)
{
    bench  b;
    size_t k; /* host_x has as many cells as host_y: the copies read as much as they write */
    int    r, is_ahead;
    memset(&b, 0, sizeof b);
    b.d = d;
    b.s = s;
    b.host_x = device_host_memory(cells_out(s));
    b.host_y = device_host_memory(cells_out(s));
    b.expected = device_host_memory(cells_out(s));
    for (k = 0; k < cells_in(s); k++) b.host_x[k] = (float)(k % 65521) + 0.5f;
    plain_c(s, b.host_x, b.expected);
    b.x = device_memory(d->context, cells_out(s), b.host_x);
    b.y = device_memory(d->context, cells_out(s), b.host_y);
    add_opencl_rivals(&b);
    add_dnnl(&b);
    add_ours(&b, cx);
    measure(&b);
    is_ahead = report(&b);
    for (r = 0; r < b.count; r++)
        if (b.rivals[r].kernel) clReleaseKernel(b.rivals[r].kernel);
    drop_dnnl(&b);
    clReleaseProgram(b.programs[0]);
    clReleaseProgram(b.programs[1]);
    clReleaseMemObject(b.x);
    clReleaseMemObject(b.y);
    free(b.host_x);
    free(b.host_y);
    free(b.expected);
    return is_ahead;
}

static int open_device(device *d)
{
    cl_platform_id platform;
    cl_int         status;
    char           name[256] = "";
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &d->id, NULL) != CL_SUCCESS)
        return 0;
    d->context = clCreateContext(NULL, 1, &d->id, NULL, NULL, &status);
    must_cl(status, "clCreateContext");
    d->queue = clCreateCommandQueue(d->context, d->id, CL_QUEUE_PROFILING_ENABLE, &status);
    must_cl(status, "clCreateCommandQueue");
    clGetDeviceInfo(d->id, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    printf("NHWC -> NCHW4c, f32, on %s; bytes read and written over the least time\n", name);
    return 1;
}

int main(int argc, char **argv)
{
    device   d;
    irl_ctx *cx = irl_ctx_create(NULL);
    size_t   k;
    int      ahead = 0;
    (void)argc;
    device_calm_openmp(argv);
    if (!open_device(&d)) {
        puts("no OpenCL device: nothing to measure");
        return 0;
    }
    for (k = 0; k < sizeof shapes / sizeof shapes[0]; k++) ahead += bench_shape(&d, cx, &shapes[k]);
#ifdef HAS_DNNL
    bench_gate("shapes on which emitted is ahead of oneDNN", ahead >= 3, ahead, "", "at least 3",
               1);
#else
    puts("oneDNN is not installed");
    (void)ahead;
#endif
    clReleaseCommandQueue(d.queue);
    clReleaseContext(d.context);
    irl_ctx_destroy(cx);
    return bench_done();
}
