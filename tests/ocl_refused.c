/* ocl_refused.c - OpenCL as it should not be: every call refused in turn, once and from then on, as
   by a device that is lost; every allocation failing; memory that does not fit; objects released in
   any order; queues out of order. What is checked is that there is a diagnostic, that no object is
   left, and that what can go on goes on.

   The OpenCL part of the library is compiled into this program, with a macro before each call of
   OpenCL: in the split build too, where the rest is linked. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <string.h>

/* ------------------------------------------------------------------ calls that may be refused */

static long   calls, refused_from, refused_to; /* refused: the calls with these numbers */
static long   live, live_memory, most_memory;  /* handles that are ours to release */
static int    no_groups;                       /* a launch that names its groups is refused */
static int    barriers;
static long   answered; /* calls when the last run had its answer, before it released anything */
static cl_int refusal(void)
{
    calls++;
    return calls >= refused_from && calls <= refused_to ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
}

#define ASKED(call) (refusal() ? CL_OUT_OF_RESOURCES : (call))

static void *kept_object(void *object)
{
    live += object != NULL;
    return object;
}
static cl_mem kept_memory(cl_mem memory)
{
    live_memory += memory != NULL;
    if (live_memory > most_memory) most_memory = live_memory;
    return (cl_mem)kept_object(memory);
}
static int refuse(cl_int *status)
{
    if (!refusal()) return 0;
    *status = CL_OUT_OF_RESOURCES;
    return 1;
}

#define clBuildProgram(a, b, c, d, e, f) ASKED((clBuildProgram)(a, b, c, d, e, f))
#define clCreateBuffer(a, b, c, d, s) \
    (refuse(s) ? NULL : kept_memory((clCreateBuffer)(a, b, c, d, s)))
#define clCreateSubBuffer(a, b, c, d, s) \
    (refuse(s) ? NULL : kept_memory((clCreateSubBuffer)(a, b, c, d, s)))
#define clCreateImage(a, b, c, d, e, s) \
    (refuse(s) ? NULL : kept_memory((clCreateImage)(a, b, c, d, e, s)))
#define clCreateCommandQueue(a, b, c, s) \
    (refuse(s) ? NULL : (cl_command_queue)kept_object((clCreateCommandQueue)(a, b, c, s)))
#define clCreateContext(a, b, c, d, e, s) \
    (refuse(s) ? NULL : (cl_context)kept_object((clCreateContext)(a, b, c, d, e, s)))
#define clCreateKernel(a, b, s) \
    (refuse(s) ? NULL : (cl_kernel)kept_object((clCreateKernel)(a, b, s)))
#define clCreateProgramWithSource(a, b, c, d, s) \
    (refuse(s) ? NULL : (cl_program)kept_object((clCreateProgramWithSource)(a, b, c, d, s)))
#define clEnqueueBarrierWithWaitList(a, b, c, d) \
    (barriers++, ASKED((clEnqueueBarrierWithWaitList)(a, b, c, d)))
#define clEnqueueNDRangeKernel(a, b, c, d, e, f, g, h, i) \
    (no_groups && (f) != NULL && *(const size_t *)(f) > 1 \
         ? CL_INVALID_WORK_GROUP_SIZE \
         : ASKED((clEnqueueNDRangeKernel)(a, b, c, d, e, f, g, h, i)))
#define clEnqueueReadBuffer(a, b, c, d, e, f, g, h, i) \
    ASKED((clEnqueueReadBuffer)(a, b, c, d, e, f, g, h, i))
#define clEnqueueReadImage(a, b, c, d, e, f, g, h, i, j, k) \
    ASKED((clEnqueueReadImage)(a, b, c, d, e, f, g, h, i, j, k))
#define clEnqueueWriteBuffer(a, b, c, d, e, f, g, h, i) \
    ASKED((clEnqueueWriteBuffer)(a, b, c, d, e, f, g, h, i))
#define clEnqueueWriteImage(a, b, c, d, e, f, g, h, i, j, k) \
    ASKED((clEnqueueWriteImage)(a, b, c, d, e, f, g, h, i, j, k))
#define clFinish(a) ASKED((clFinish)(a))
#define clGetCommandQueueInfo(a, b, c, d, e) ASKED((clGetCommandQueueInfo)(a, b, c, d, e))
#define clGetDeviceIDs(a, b, c, d, e) ASKED((clGetDeviceIDs)(a, b, c, d, e))
#define clGetDeviceInfo(a, b, c, d, e) ASKED((clGetDeviceInfo)(a, b, c, d, e))
#define clGetImageInfo(a, b, c, d, e) ASKED((clGetImageInfo)(a, b, c, d, e))
#define clGetMemObjectInfo(a, b, c, d, e) ASKED((clGetMemObjectInfo)(a, b, c, d, e))
#define clGetPlatformIDs(a, b, c) ASKED((clGetPlatformIDs)(a, b, c))
#define clGetSupportedImageFormats(a, b, c, d, e, f) \
    ASKED((clGetSupportedImageFormats)(a, b, c, d, e, f))
#define clRetainCommandQueue(a) \
    (refusal() ? CL_OUT_OF_RESOURCES : (live++, (clRetainCommandQueue)(a)))
#define clRetainKernel(a) (refusal() ? CL_OUT_OF_RESOURCES : (live++, (clRetainKernel)(a)))
#define clRetainContext(a) (refusal() ? CL_OUT_OF_RESOURCES : (live++, (clRetainContext)(a)))
#define clSetKernelArg(a, b, c, d) ASKED((clSetKernelArg)(a, b, c, d))
#define clRetainMemObject(a) \
    (refusal() ? CL_OUT_OF_RESOURCES : (live++, live_memory++, (clRetainMemObject)(a)))
#define clReleaseCommandQueue(a) (live--, (clReleaseCommandQueue)(a))
#define clReleaseContext(a) (live--, (clReleaseContext)(a))
#define clReleaseKernel(a) (live--, (clReleaseKernel)(a))
#define clReleaseMemObject(a) (live--, live_memory--, (clReleaseMemObject)(a))
#define clReleaseProgram(a) (live--, (clReleaseProgram)(a))

#define IRLAYOUT_IMPLEMENTATION
#define IRLAYOUT_OCL_RUNTIME
#ifdef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION_DONE /* of irlayout.h: linked */
#endif
#include "../irlayout_ocl.h"
#include "failing.h"
#include "test.h"

static void refuse_none(void) { calls = refused_from = refused_to = 0; }

/* ------------------------------------------------------------------ a run that uses all of it */

/* Images as parameter and as temporary, a row over a buffer, a buffer, a scalar; two kernels and
   more. */
static const char text[] =
    "func f(n: index, x: f32[n, 5, 4] scope(texture), y: f32[n, 5, 6], s: f32) layout(y: (h, w, c) "
    "-> (c / 4, h, w, c % 4), pad(7.0f)) {\n"
    "    alloc t: f32[n, 5, 4] scope(texture);\n"
    "    for (h: n, w: 5, c: 4) t[h, w, c] = x[h, w, c] + s;\n"
    "    for (h: n, w: 5, c: 6) y[h, w, c] = t[h, 4 - w, c % 4] * 2.0f;\n}\n";

enum { ROWS = 3, GIVEN = ROWS * 5 * 4, TAKEN = ROWS * 5 * 6 };

static irl_module *module_of(irl_ctx *cx, const char *source)
{
    irl_func *f = irl_func_parse(cx, source, strlen(source), "test");
    return f ? irl_func_lower(f, &irl_target_opencl12) : NULL;
}

static int run(irl_ctx *cx, irl_ocl *cl)
{
    float   x[GIVEN], y[TAKEN], s = 0.5f;
    int64_t n = ROWS;
    int     k, h, w, c, wrong = 0;
    for (k = 0; k < GIVEN; k++) x[k] = (float)(k % 17);
    memset(y, 0, sizeof y);
    if (!irl_ocl_run(cl, module_of(cx, text), IRL_ARGS(&n, x, y, &s))) return 0;
    answered = calls - 1; /* the last one waits for what may have failed before */
    for (h = 0; h < ROWS; h++)
        for (w = 0; w < 5; w++)
            for (c = 0; c < 6; c++)
                wrong += y[(h * 5 + w) * 6 + c] != (x[(h * 5 + 4 - w) * 4 + c % 4] + s) * 2.0f;
    return CHECK(wrong == 0);
}

/* A graph with an image between its nodes: loaded, set, run and read. */
static const char graph_text[] =
    "graph g { func inc(x: f32[n, h, w, c], y: f32[n, h, w, c]) { for (a: n, i: h, j: w, k: c) "
    "y[a, i, j, k] = x[a, i, j, k] + 1.0; } func sum(x: f32[n, h, w, c], y: f32[n]) { for (a: n) "
    "y[a] = sum(i: h, j: w, k: c, x[a, i, j, k]); } input x: f32[2, 3, 5, 8]; t = inc(x); y = "
    "sum(t); output y; }";

enum { GRAPH_CELLS = 2 * 3 * 5 * 8 };

static irl_ocl_graph *load_graph(irl_ocl *cl)
{
    irl_ocl_graph_options how;
    memset(&how, 0, sizeof how);
    how.target = &irl_target_adreno;
    how.keeps_nodes = 1;
    return irl_ocl_graph_load(cl, graph_text, IRL_TO_NUL, &how, NULL);
}

static int run_graph(irl_ctx *cx, irl_ocl *cl)
{
    irl_ocl_graph *net = load_graph(cl);
    float          x[GRAPH_CELLS], y[2] = { 0, 0 }, expected[2] = { 0, 0 };
    int            k, ok;
    (void)cx;
    for (k = 0; k < GRAPH_CELLS; k++) {
        x[k] = (float)(k % 7);
        expected[k * 2 / GRAPH_CELLS] += x[k] + 1;
    }
    ok = net && irl_ocl_graph_set(net, "x", x) && irl_ocl_graph_run(net) &&
         irl_ocl_graph_get(net, "y", y);
    answered = calls;
    irl_ocl_graph_destroy(net);
    return ok && CHECK(y[0] == expected[0] && y[1] == expected[1]);
}

/* On a device that makes no image of the first layout, 10 texels wide. */
static int run_refused_graph(irl_ctx *cx, irl_ocl *cl)
{
    cl->pretended.columns = 9;
    return run_graph(cx, cl);
}

typedef int whole_run(irl_ctx *cx, irl_ocl *cl);

static int has_device(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_ocl *cl = irl_ocl_create(cx, NULL);
    int      found = cl != NULL;
    if (!found) TEST_NO_DEVICE(cx);
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return found;
}

/* ------------------------------------------------------------------ refused */

/* Calls number `from` to `to` are refused. Whether the run went well; if not, there is a
   diagnostic. Nothing is left in any case. */
static int with_refused(whole_run *what, long from, long to)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_ocl *cl;
    int      ok;
    refuse_none();
    refused_from = from;
    refused_to = to;
    cl = irl_ocl_create(cx, NULL);
    ok = cl && what(cx, cl);
    if (!ok)
        CHECK(irl_diag_of(cx) && (irl_diag_of(cx)->code == IRL_ERROR_DEVICE_ERROR ||
                                  irl_diag_of(cx)->code == IRL_ERROR_NO_DEVICE ||
                                  irl_diag_of(cx)->code == IRL_ERROR_BUILD_FAILED));
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    if (!CHECK(live == 0 && live_memory == 0))
        printf("calls %ld to %ld refused: %ld objects are left, %ld of memory\n", from, to, live,
               live_memory);
    live = live_memory = 0;
    return ok;
}

/* Of calls that are refused alone, fewer than one in `most` can be done without. */
static void each_call(whole_run *what, long most)
{
    const long step = getenv("IRL_SLOW") ? 3 : 1;
    long       n, count, last, survived = 0;
    CHECK(with_refused(what, 0, 0));
    count = calls;
    last = answered;
    for (n = 1; n <= count; n += step) survived += with_refused(what, n, n);
    /* a name that is not told, an extension, an image on trial: some may be done without */
    if (!CHECK(count > 60 && survived * step < count / most))
        printf("%ld of %ld\n", survived, count);
    for (n = 1; n <= count; n += step)
        /* after the answer there are the calls that wait before something is released */
        if (with_refused(what, n, 1000000) && !CHECK(n > last))
            printf("call %ld of %ld, answer after %ld\n", n, count, last);
    refuse_none();
}

/* A device that is lost between building and running, and one that is lost later: an error, not a
   crash, and released as ever. */
static void lost_device(void)
{
    irl_ctx       *cx = irl_ctx_create(NULL);
    irl_ocl       *cl;
    irl_module    *m;
    irl_ocl_module *b;
    cl_mem         x_mem, y_mem;
    float          x[GIVEN], y[TAKEN], s = 1;
    int64_t        n = ROWS;
    refuse_none();
    memset(x, 0, sizeof x);
    cl = irl_ocl_create(cx, NULL);
    m = module_of(cx, text);
    b = irl_ocl_module_create(cl, m);
    x_mem = irl_ocl_memory_create(cl, m, 1, IRL_ARGS(&n, x, y, &s));
    y_mem = irl_ocl_memory_create(cl, m, 2, IRL_ARGS(&n, x, y, &s));
    CHECK(b && x_mem && y_mem && irl_ocl_module_execute(b, IRL_POINTERS(&n, x_mem, y_mem, &s)) &&
          irl_ocl_finish(cl));
    refused_from = 1;
    refused_to = 1000000;
    CHECK(!irl_ocl_module_execute(b, IRL_POINTERS(&n, x_mem, y_mem, &s)));
    CHECK_CODE(cx, IRL_ERROR_DEVICE_ERROR);
    CHECK(strstr(irl_diag_text(cx), "CL_OUT_OF_RESOURCES (-5)") != NULL);
    CHECK(!irl_ocl_finish(cl) &&
          irl_ocl_module_time(b, IRL_POINTERS(&n, x_mem, y_mem, &s), 1) == -1);
    irl_ocl_memory_destroy(x_mem);
    irl_ocl_memory_destroy(y_mem);
    irl_ocl_module_destroy(b);
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    refuse_none();
    CHECK(live == 0);
}

/* A kernel may take smaller groups than its device: then the driver chooses. Groups that the kernel
   needs are not changed. */
static void refused_groups(void)
{
    static const char grouped[] = "func f(x: f32[64]) { for bind(group.x) (g: 8) for bind(local.x) "
                                  "(l: 8) x[g * 8 + l] = 1.0f; }";
    irl_ctx          *cx = irl_ctx_create(NULL);
    irl_ocl          *cl = irl_ocl_create(cx, NULL);
    float             x[64];
    no_groups = 1;
    CHECK(run(cx, cl));
    CHECK(!irl_ocl_run(cl, module_of(cx, grouped), IRL_ARGS(x)));
    CHECK_CODE(cx, IRL_ERROR_DEVICE_ERROR);
    no_groups = 0;
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    CHECK(live == 0);
}

/* A run of a graph asks the driver once for each launch: its arguments are set, and nobody waits
   for it. */
static void graph_calls(void)
{
    irl_ctx       *cx = irl_ctx_create(NULL);
    irl_ocl       *cl = irl_ocl_create(cx, NULL);
    irl_ocl_graph *net = load_graph(cl);
    float          x[GRAPH_CELLS] = { 0 };
    const int      launches = irl_ocl_graph_launch_count(net);
    int            k;
    CHECK(irl_ocl_graph_set(net, "x", x) && launches > 1);
    for (k = 0; k < 3; k++) {
        refuse_none();
        CHECK(irl_ocl_graph_run(net) && calls == launches);
    }
    irl_ocl_graph_destroy(net);
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    CHECK(live == 0);
}

/* ------------------------------------------------------------------ failing allocations */

static void each_allocation(whole_run *what)
{
    const long step = getenv("IRL_SLOW") ? 3 : 1;
    long       n;
    int        done = 0;
    for (n = 0; n < 4000 && !done; n += step) {
        failing  f;
        irl_ctx_desc desc = failing_desc(&f, n, 0);
        irl_ctx *cx;
        irl_ocl *cl;
        cx = irl_ctx_create(&desc);
        cl = cx ? irl_ocl_create(cx, NULL) : NULL;
        done = cl && what(cx, cl);
        if (cx && !done) CHECK_CODE(cx, IRL_ERROR_OUT_OF_MEMORY);
        irl_ocl_destroy(cl);
        irl_ctx_destroy(cx);
        CHECK(f.held == 0 && live == 0);
    }
    CHECK(done);
}

/* ------------------------------------------------ orders of release, and two devices at once */

static void any_order(void)
{
    irl_ctx       *cx = irl_ctx_create(NULL), *other = irl_ctx_create(NULL);
    irl_ocl *cl = irl_ocl_create(cx, NULL), *again = irl_ocl_create(cx, NULL),
            *elsewhere = irl_ocl_create(other, NULL);
    irl_module    *m = module_of(cx, "func f(x: f32[8]) { for (i: 8) x[i] = x[i] + 1.0f; }");
    irl_ocl_module *a = irl_ocl_module_create(cl, m), *b = irl_ocl_module_create(cl, m),
                  *c = irl_ocl_module_create(again, m);
    cl_mem         memory = irl_ocl_memory_create(cl, m, 0, IRL_POINTERS(NULL));
    float          x[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    CHECK(a && b && c && memory && run(other, elsewhere));
    CHECK(irl_ocl_memory_upload(cl, m, 0, IRL_ARGS(x), memory));
    irl_ocl_module_destroy(a);
    irl_ocl_destroy(again); /* c lives on */
    CHECK(run(cx, cl));
    irl_ocl_destroy(elsewhere);
    CHECK(irl_ocl_module_execute(b, IRL_POINTERS(memory)) &&
          irl_ocl_memory_download(cl, m, 0, IRL_ARGS(x), memory) && x[7] == 9.0f);
    irl_ocl_memory_destroy(memory);
    irl_ocl_destroy(cl);
    irl_ocl_module_destroy(b);
    irl_ocl_module_destroy(c);
    CHECK_OK(cx);
    cl = irl_ocl_create(cx, NULL);
    m = module_of(other, text); /* of another context */
    CHECK(cl && m && !irl_ocl_module_create(cl, m));
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ocl_destroy(cl);
    irl_ctx_destroy(other);
    irl_ctx_destroy(cx);
    CHECK(live == 0);
}

/* ------------------------------------------------------ memory and arguments that do not fit */

static void says(irl_ctx *cx, irl_mark mark, const char *message)
{
    CHECK_CODE(cx, IRL_ERROR_ARGUMENT_MISMATCH);
    if (!CHECK(strstr(irl_diag_text(cx), message) != NULL))
        printf("  wanted: %s\n%s", message, irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
}

static cl_mem image_of(irl_ocl *cl, cl_channel_type type, size_t columns, size_t rows)
{
    cl_image_format format;
    cl_image_desc   desc;
    cl_int          status;
    memset(&desc, 0, sizeof desc);
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = columns;
    desc.image_height = rows;
    format.image_channel_order = CL_RGBA;
    format.image_channel_data_type = type;
    return clCreateImage(irl_ocl_context(cl), CL_MEM_READ_WRITE, &format, &desc, NULL, &status);
}

static void wrong_memory(void)
{
    irl_ctx       *cx = irl_ctx_create(NULL);
    irl_ocl       *cl = irl_ocl_create(cx, NULL);
    irl_module *m = module_of(cx, "func f(n: index, x: f32[n, 5, 4] scope(texture), y: f32[n, 20]) "
                                  "{ for (h: n, c: 20) y[h, c] = x[h, c / 4, c % 4]; }");
    irl_ocl_module *b = irl_ocl_module_create(cl, m);
    irl_mark       mark = irl_ctx_mark(cx);
    cl_int         status;
    float          data[60];
    int64_t        n = 3;
    cl_mem x = irl_ocl_memory_create(cl, m, 1, IRL_ARGS(&n, data, data)),
           y = irl_ocl_memory_create(cl, m, 2, IRL_ARGS(&n, data, data));
    cl_mem small = clCreateBuffer(irl_ocl_context(cl), CL_MEM_READ_WRITE, 239, NULL, &status),
           low = image_of(cl, CL_FLOAT, 5, 2);
    cl_mem integers = image_of(cl, CL_SIGNED_INT32, 5, 3),
           bytes = image_of(cl, CL_UNORM_INT8, 8, 4);
    memset(data, 0, sizeof data);
    CHECK(b && x && y && small && low && integers && bytes &&
          irl_ocl_module_execute(b, IRL_POINTERS(&n, x, y)) &&
          irl_ocl_module_execute(b, IRL_POINTERS(&n, bytes, y)));
    CHECK(!irl_ocl_module_execute(b, IRL_POINTERS(&n, x, small)));
    says(cx, mark, "the memory for 'y' of kernel 'f' has 239 bytes; it must have 240");
    CHECK(!irl_ocl_module_launch(b, 0, IRL_POINTERS(&n, x, small)));
    says(cx, mark, "the memory for 'y' of kernel 'f' has 239 bytes; it must have 240");
    CHECK(!irl_ocl_module_execute(b, IRL_POINTERS(&n, low, y)));
    says(cx, mark, "the image for 'x' of kernel 'f' must have 5 by 3 texels; found 5 by 2");
    CHECK(!irl_ocl_module_execute(b, IRL_POINTERS(&n, integers, y)));
    says(cx, mark, "the image for 'x' of kernel 'f' must hold floats; found signed integers");
    CHECK(!irl_ocl_module_execute(b, IRL_POINTERS(&n, y, y)));
    says(cx, mark, "the memory for 'x' of kernel 'f' must be: image2d_t");
    CHECK(!irl_ocl_module_execute(b, IRL_POINTERS(&n, x, x)));
    says(cx, mark, "the memory for 'y' of kernel 'f' must be: a buffer");
    CHECK(!irl_ocl_module_execute(b, IRL_POINTERS(&n, x, NULL)));
    says(cx, mark, "the argument for 'y' is NULL");
    CHECK(!irl_ocl_module_execute(b, IRL_POINTERS(&n, x)));
    says(cx, mark, "'f' takes 3 arguments, one for each parameter; 2 given");
    CHECK(!irl_ocl_module_launch(b, 0, IRL_POINTERS(&n, x, y, y)));
    says(cx, mark, "takes 3 arguments; found 4");
    CHECK(!irl_ocl_memory_upload(cl, m, 2, IRL_ARGS(&n, data, data), small));
    says(cx, mark, "the memory for 'y' has 239 bytes; it must have 240");
    CHECK(!irl_ocl_memory_upload(cl, m, 1, IRL_ARGS(&n, data, data), y));
    says(cx, mark, "the memory for 'x' must be: image2d_t");
    CHECK(!irl_ocl_memory_download(cl, m, 1, IRL_ARGS(&n, data, data), low));
    says(cx, mark, "the image for 'x' must have 5 by 3 texels; found 5 by 2");
    CHECK(!irl_ocl_memory_upload(cl, m, 2, IRL_POINTERS(&n, data, NULL), y));
    says(cx, mark, "the array for 'y', argument 2, is NULL");
    CHECK(!irl_ocl_memory_download(cl, m, 2, IRL_ARGS(&n, data), y));
    says(cx, mark, "the array for 'y', argument 2, is NULL");
    CHECK(!irl_ocl_memory_download(cl, m, 2, IRL_ARGS(&n, data, data), NULL));
    says(cx, mark, "the memory for 'y' is NULL");
    n = 4; /* more than there is */
    CHECK(!irl_ocl_module_execute(b, IRL_POINTERS(&n, x, y)));
    says(cx, mark, "the image for 'x' of kernel 'f' must have 5 by 4 texels; found 5 by 3");
    n = 2; /* less */
    CHECK(irl_ocl_module_execute(b, IRL_POINTERS(&n, x, y)) && irl_ocl_finish(cl));
    CHECK(irl_ocl_module_time(b, IRL_POINTERS(&n, x, y), 0) == -1);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ocl_memory_destroy(x);
    irl_ocl_memory_destroy(y);
    irl_ocl_memory_destroy(small);
    irl_ocl_memory_destroy(low);
    irl_ocl_memory_destroy(integers);
    irl_ocl_memory_destroy(bytes);
    irl_ocl_module_destroy(b);
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    CHECK(live == 0);
}

/* One image given twice, read and written by a kernel: by its module, and by the caller. */
static void image_twice(void)
{
    static const char source[] =
        "module m target(opencl12) {\n"
        "  host func m(x: f32[3, 20] scope(texture) sep(1), y: f32[3, 20] scope(texture) sep(1)) "
        "{\n    launch k(x, y);\n    launch k(y, y);\n  }\n"
        "  kernel func k(a: f32[3, 20] scope(texture) sep(1), b: f32[3, 20] scope(texture) sep(1)) "
        "{\n"
        "    for bind(global.y) (h: 3) for bind(global.x) (w: 5)\n"
        "      evaluate intrinsic(f32x4, texture2d_store, b, w, h, intrinsic(f32x4, "
        "texture2d_load, a, 4 - w, h));\n  }\n}\n";
    irl_ctx       *cx = irl_ctx_create(NULL);
    irl_ocl       *cl = irl_ocl_create(cx, NULL);
    irl_module *m = irl_module_parse(cx, source, strlen(source), "twice"),
               *one = module_of(
                   cx, "func f(x: f32[3, 5, 4] scope(texture), y: f32[3, 5, 4] scope(texture)) {"
                       " for (h: 3, w: 5, c: 4) y[h, w, c] = x[h, 4 - w, c]; }");
    irl_ocl_module *b = irl_ocl_module_create(cl, one);
    irl_mark       mark = irl_ctx_mark(cx);
    float          x[60], y[60];
    cl_mem         memory = irl_ocl_memory_create(cl, one, 0, IRL_ARGS(x, y));
    memset(x, 0, sizeof x);
    memset(y, 0, sizeof y);
    CHECK_OK(cx);
    CHECK(!irl_ocl_run(cl, m, IRL_ARGS(x, y)));
    CHECK_CODE(cx, IRL_ERROR_IMAGE_READ_WRITE);
    CHECK(
        irl_diag_of(cx) && irl_diag_of(cx)->line == 4 &&
        strstr(irl_diag_of(cx)->message, "'k' writes image 'b', which is its argument 'a' too"));
    irl_ctx_rewind(cx, mark);
    CHECK(b && memory && !irl_ocl_module_execute(b, IRL_POINTERS(memory, memory)));
    CHECK_CODE(cx, IRL_ERROR_IMAGE_READ_WRITE);
    irl_ctx_rewind(cx, mark);
    irl_ocl_memory_destroy(memory);
    irl_ocl_module_destroy(b);
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    CHECK(live == 0);
}

/* Sizes that no memory has, as extents and as products, of buffers and of images: said, with
   nothing left. */
static void absurd_sizes(void)
{
    static const char *const functions[] = {
        "func f(n: index, x: f32[n, n, 4] scope(texture)) { for (h: n, w: n, c: 4) x[h, w, c] = "
        "1.0f; }",
        "func f(n: index, x: f32[n, n, n, 4] scope(texture:volume), y: f32[4]) { for (c: 4) y[c] = "
        "x[0, 0, 0, c]; }",
        "func f(n: index, x: f32x4[n, n]) { for (h: n, w: n) x[h, w] = broadcast(1.0f, 4); }",
        "func f(n: index, y: f32[4]) { alloc x: f32[n, n, 4] scope(texture); for (h: n, w: n, c: "
        "4) x[h, w, c] = 1.0f; for (c: 4) y[c] = x[0, 0, c]; }",
        "func f(n: index, y: f32[4]) { alloc x: i64[n, n]; for (h: n, w: n) x[h, w] = i64(h); for "
        "(c: 4) y[c] = f32(x[0, c]); }"
    };
    static const int64_t sizes[] = { INT64_MAX,
                                     INT64_C(1) << 62,
                                     INT64_C(1) << 32,
                                     INT64_C(3037000500),
                                     INT64_C(1) << 31,
                                     INT64_C(1) << 24,
                                     -1,
                                     INT64_MIN };
    irl_ctx                 *cx = irl_ctx_create(NULL);
    irl_ocl                 *cl = irl_ocl_create(cx, NULL);
    irl_mark                 mark = irl_ctx_mark(cx);
    static float             data[16];
    size_t                   k, j;
    for (k = 0; k < sizeof functions / sizeof *functions; k++)
        for (j = 0; j < sizeof sizes / sizeof *sizes; j++) {
            int64_t     n = sizes[j];
            irl_module *m;
            m = module_of(cx, functions[k]);
            if (!CHECK(m && !irl_ocl_run(cl, m,
                                         irl_func_param_count(irl_func_parse(
                                             cx, functions[k], strlen(functions[k]), NULL)) == 2
                                             ? IRL_ARGS(&n, data)
                                             : IRL_ARGS(&n, data, data))))
                printf("%s\n", functions[k]);
            if (!CHECK(irl_diag_of(cx) && irl_diag_of(cx)->code != IRL_ERROR_OUT_OF_MEMORY))
                printf("n %ld\n%s", (long)n, functions[k]);
            irl_ctx_rewind(cx, mark);
        }
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    CHECK(live == 0);
}

/* ------------------------------------------------------------------ queues */

/* Two kernels of which the second reads what the first writes, on a queue that keeps no order: a
   barrier behind each. */
static void unordered(void)
{
    irl_ctx     *cx = irl_ctx_create(NULL), *other = irl_ctx_create(NULL);
    irl_ocl     *own = irl_ocl_create(cx, NULL), *cl;
    irl_ocl_desc desc;
    cl_int       status;
    memset(&desc, 0, sizeof desc);
    desc.context = irl_ocl_context(own);
    desc.device_id = irl_ocl_device(own);
    desc.queue = clCreateCommandQueue(desc.context, desc.device_id,
                                      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &status);
    if (desc.queue) {
        cl = irl_ocl_create(cx, &desc);
        barriers = 0;
        CHECK(cl && run(cx, cl) && barriers >= 2);
        irl_ocl_destroy(cl);
        clReleaseCommandQueue(desc.queue);
    } else printf("left out: queues out of order, which the device does not have\n");
    barriers = 0;
    CHECK(run(cx, own) && barriers == 0);
    CHECK_OK(cx);
    cl = irl_ocl_create(other, NULL); /* a queue of another context */
    desc.queue = irl_ocl_queue(cl);
    CHECK(cl && !irl_ocl_create(cx, &desc));
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ocl_destroy(cl);
    irl_ocl_destroy(own);
    irl_ctx_destroy(other);
    irl_ctx_destroy(cx);
    CHECK(live == 0);
}

/* ------------------------------------------------------------------ loops of the host function */

/* What a turn of a loop declares goes when the turn ends: memory of the device, and the host's
   own. */
static void turns(void)
{
    static const char source[] = "module m target(opencl12) {\n"
                                 "  host func m(n: index, x: i32[8]) {\n"
                                 "    for (k: n) { let twice = k * 2; alloc t: i32[8]; launch "
                                 "put(twice, x, t); launch put(twice, t, x); }\n  }\n"
                                 "  kernel func put(k: index, a: i32[8], b: i32[8]) { for "
                                 "bind(global.x) (i: 8) b[i] = a[i] + i32(k % 2) + 1; }\n}\n";
    static const char idle[] =
        "module m target(opencl12) {\n"
        "  host func m(n: index, x: i32[8]) { for (k: n) { let a = k * 2; let b = a + k; if (a + b "
        "< 0) { launch put(b, x); } } }\n"
        "  kernel func put(k: index, b: i32[8]) { for bind(global.x) (i: 8) b[i] = i32(k); }\n}\n";
    irl_ctx          *cx = irl_ctx_create(NULL);
    irl_ocl          *cl = irl_ocl_create(cx, NULL);
    irl_module *m = irl_module_parse(cx, source, strlen(source), "turns"),
               *none = irl_module_parse(cx, idle, strlen(idle), "turns");
    int32_t           x[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    int64_t           n = 50;
    size_t            before;
    most_memory = live_memory;
    CHECK(irl_ocl_run(cl, m, IRL_ARGS(&n, x)) && x[0] == 100 && x[7] == 107);
    CHECK(most_memory <= 4); /* handles of x, of the pool, and two of its part; not 50 times */
    CHECK(irl_ocl_run(cl, none, IRL_ARGS(&n, x)));
    before = irl_ctx_memory(cx).peak;
    n = 100000;
    CHECK(irl_ocl_run(cl, none, IRL_ARGS(&n, x)));
    CHECK(irl_ctx_memory(cx).peak < before + 100000);
    CHECK_OK(cx);
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    CHECK(live == 0);
}

int main(void)
{
    if (!has_device()) return TEST_DONE();
    each_call(run, 4);
    each_call(run_graph, 2);
    lost_device();
    refused_groups();
    graph_calls();
    each_allocation(run);
    each_allocation(run_graph);
    each_allocation(run_refused_graph);
    any_order();
    wrong_memory();
    image_twice();
    absurd_sizes();
    unordered();
    turns();
    return TEST_DONE();
}
