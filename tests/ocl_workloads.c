/* ocl_workloads.c - the layouts that mobile networks keep their tensors in, on the layers of MobileNetV2, ResNet50 and
   ShuffleNetV2: packed and unpacked by emitted kernels, and by the runtime, equal to plain C cell by cell.

   The plain C is the formula of each project's documentation: a column, a row and a lane for every element. Nothing of it
   goes through the library. Images are compared as they lie on the device, lanes that hold no element included. */
#define IRLAYOUT_OCL_RUNTIME
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include "test.h"

/* ------------------------------------------------------------------ plain C: where an element lies */

typedef struct place {
    long column, row; /* of a texel; a buffer has one row */
    int  lane;
} place;

/* Extents e and point p in the order of the layout's own axes: n c h w, or o i kh kw. */
typedef place place_fn(const long *e, const long *p);

static long slices(long c) { return (c + 3) / 4; }

static place at(long column, long row, long lane)
{
    place q;
    q.column = column;
    q.row = row;
    q.lane = (int)lane;
    return q;
}

static place nchw4c(const long *e, const long *p) { return at(((p[0] * slices(e[1]) + p[1] / 4) * e[2] + p[2]) * e[3] + p[3], 0, p[1] % 4); }
static place oihw4o(const long *e, const long *p) { return at(((p[0] / 4 * e[1] + p[1]) * e[2] + p[2]) * e[3] + p[3], 0, p[0] % 4); }
static place onednn_4i16o4i(const long *e, const long *p)
{
    long block = ((p[0] / 16 * (e[1] / 16) + p[1] / 16) * e[2] + p[2]) * e[3] + p[3];
    return at((block * 4 + p[1] % 16 / 4) * 16 + p[0] % 16, 0, p[1] % 4);
}
static place mnn_image(const long *e, const long *p) { return at(p[1] / 4 * e[3] + p[3], p[0] * e[2] + p[2], p[1] % 4); }
static place mnn_filter(const long *e, const long *p) { return at(p[1], (p[0] / 4 * e[2] + p[2]) * e[3] + p[3], p[0] % 4); }
static place mnn_filter_1x1(const long *e, const long *p) { return (void)e, at(p[1] / 4, p[0], p[1] % 4); }
static place tflite_2d(const long *e, const long *p) { return at(p[3] * e[0] + p[0], p[2] * slices(e[1]) + p[1] / 4, p[1] % 4); }
static place tflite_buffer(const long *e, const long *p) { return at(((p[1] / 4 * e[2] + p[2]) * e[3] + p[3]) * e[0] + p[0], 0, p[1] % 4); }
static place tvm_texture(const long *e, const long *p) { return at(p[3], (p[0] * slices(e[1]) + p[1] / 4) * e[2] + p[2], p[1] % 4); }
/* 1x64x1120x1120 in 4480x4480: sixteen slices as four by four */
static place four_by_four(const long *e, const long *p) { return at(p[1] / 4 % 4 * e[3] + p[3], (p[0] * (e[1] / 16) + p[1] / 16) * e[2] + p[2], p[1] % 4); }

typedef enum kind { ACTIVATION, FILTER, FILTER_16, FILTER_1X1, LARGE } kind;

typedef struct layout {
    const char *name, *map;
    irl_scope   scope;
    kind        of;
    place_fn   *place;
} layout;

static const layout layouts[] = {
    { "NCHW4c", "(n, c, h, w) -> (n, c / 4, h, w, c % 4)", IRL_SCOPE_GLOBAL, ACTIVATION, nchw4c },
    { "MNN, Paddle image", "(n, c, h, w) -> (n, h), (c / 4, w, c % 4)", IRL_SCOPE_TEXTURE, ACTIVATION, mnn_image },
    { "TFLite texture 2d", "(n, c, h, w) -> (h, c / 4), (w, n, c % 4)", IRL_SCOPE_TEXTURE, ACTIVATION, tflite_2d },
    { "TFLite image buffer", "(n, c, h, w) -> (c / 4, h, w, n, c % 4)", IRL_SCOPE_GLOBAL, ACTIVATION, tflite_buffer },
    { "TVM texture", "(n, c, h, w) -> (n, c / 4, h), (w, c % 4)", IRL_SCOPE_TEXTURE, ACTIVATION, tvm_texture },
    { "OIHW4o", "(o, i, y, x) -> (o / 4, i, y, x, o % 4)", IRL_SCOPE_GLOBAL, FILTER, oihw4o },
    { "MNN filter", "(o, i, y, x) -> (o / 4, y, x), (i, o % 4)", IRL_SCOPE_TEXTURE_WEIGHT, FILTER, mnn_filter },
    { "oneDNN 4i16o4i", "(o, i, y, x) -> (o / 16, i / 16, y, x, i % 16 / 4, o % 16, i % 4)", IRL_SCOPE_GLOBAL, FILTER_16, onednn_4i16o4i },
    { "MNN filter 1x1", "(o, i, y, x) -> (o, y, x), (i / 4, i % 4)", IRL_SCOPE_TEXTURE_WEIGHT, FILTER_1X1, mnn_filter_1x1 },
    { "four by four slices", "(n, c, h, w) -> (n, c / 16, h), (c / 4 % 4, w, c % 4)", IRL_SCOPE_TEXTURE, LARGE, four_by_four },
};

typedef struct workload {
    const char *name;
    kind        of;
    long        extent[4];
    int         is_first; /* run in every test, the others in `make soak` */
} workload;

static const workload workloads[] = {
    { "the stem's input, three channels", ACTIVATION, { 1, 3, 224, 224 }, 1 },
    { "two of a batch", ACTIVATION, { 2, 24, 56, 56 }, 1 },
    { "ShuffleNetV2, 58 channels", ACTIVATION, { 1, 58, 28, 28 }, 1 },
    { "MobileNetV2, depthwise", ACTIVATION, { 1, 144, 56, 56 }, 1 },
    { "the classes, one by one", ACTIVATION, { 1, 1000, 1, 1 }, 1 },
    { "MobileNetV2", ACTIVATION, { 1, 32, 112, 112 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 16, 112, 112 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 96, 112, 112 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 24, 56, 56 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 32, 28, 28 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 192, 28, 28 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 64, 14, 14 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 384, 14, 14 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 576, 14, 14 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 160, 7, 7 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 960, 7, 7 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 320, 7, 7 }, 0 },
    { "MobileNetV2", ACTIVATION, { 1, 1280, 7, 7 }, 0 },
    { "ResNet50", ACTIVATION, { 1, 64, 112, 112 }, 0 },
    { "ResNet50", ACTIVATION, { 1, 64, 56, 56 }, 0 },
    { "ResNet50", ACTIVATION, { 1, 256, 56, 56 }, 0 },
    { "ResNet50", ACTIVATION, { 1, 128, 28, 28 }, 0 },
    { "ResNet50", ACTIVATION, { 1, 512, 28, 28 }, 0 },
    { "ResNet50", ACTIVATION, { 1, 256, 14, 14 }, 0 },
    { "ResNet50", ACTIVATION, { 1, 1024, 14, 14 }, 0 },
    { "ResNet50", ACTIVATION, { 1, 512, 7, 7 }, 0 },
    { "ResNet50", ACTIVATION, { 1, 2048, 7, 7 }, 0 },
    { "ShuffleNetV2", ACTIVATION, { 1, 116, 28, 28 }, 0 },
    { "ShuffleNetV2", ACTIVATION, { 1, 122, 28, 28 }, 0 },
    { "ShuffleNetV2", ACTIVATION, { 1, 232, 14, 14 }, 0 },
    { "the stem's filter", FILTER, { 32, 3, 3, 3 }, 1 },
    { "ShuffleNetV2, 58 outputs", FILTER, { 58, 24, 1, 1 }, 1 },
    { "ResNet50's stem", FILTER, { 64, 3, 7, 7 }, 0 },
    { "a depthwise filter", FILTER, { 144, 1, 3, 3 }, 1 },
    { "ResNet50", FILTER, { 64, 64, 3, 3 }, 1 },
    { "ResNet50", FILTER, { 128, 128, 3, 3 }, 0 },
    { "ResNet50", FILTER, { 256, 256, 3, 3 }, 0 },
    { "ResNet50", FILTER_16, { 64, 64, 3, 3 }, 1 },
    { "ResNet50", FILTER_16, { 256, 128, 3, 3 }, 0 },
    { "MobileNetV2", FILTER_1X1, { 96, 24, 1, 1 }, 1 },
    { "MobileNetV2", FILTER_1X1, { 1280, 320, 1, 1 }, 0 },
    { "ResNet50", FILTER_1X1, { 512, 256, 1, 1 }, 0 },
    { "over the limit of the conventions", LARGE, { 1, 64, 1120, 1120 }, 0 },
    { "the same, small", LARGE, { 1, 64, 14, 14 }, 1 },
};

#define PADDING -7.0f

/* ------------------------------------------------------------------ a tensor, as the user has it and as plain C packs it */

typedef struct tensor {
    const long *extent;
    long        cells, columns, rows; /* texels */
    float      *logical, *packed;     /* lanes that hold no element are PADDING */
} tensor;

static void *kept(void *memory)
{
    if (memory) return memory;
    printf("the test is out of memory\n");
    exit(1);
}

static void for_all(const tensor *t, place_fn *place_of, void (*visit)(void *user, long k, place q), void *user)
{
    const long *e = t->extent;
    long        p[4], k = 0;
    for (p[0] = 0; p[0] < e[0]; p[0]++)
        for (p[1] = 0; p[1] < e[1]; p[1]++)
            for (p[2] = 0; p[2] < e[2]; p[2]++)
                for (p[3] = 0; p[3] < e[3]; p[3]++) visit(user, k++, place_of(e, p));
}

static void see_box(void *user, long k, place q)
{
    tensor *t = (tensor *)user;
    (void)k;
    if (q.column >= t->columns) t->columns = q.column + 1;
    if (q.row >= t->rows) t->rows = q.row + 1;
}

static void see_cell(void *user, long k, place q)
{
    tensor *t = (tensor *)user;
    t->packed[(q.row * t->columns + q.column) * 4 + q.lane] = t->logical[k];
}

static tensor tensor_new(const workload *w, place_fn *place_of)
{
    tensor t;
    long   k;
    memset(&t, 0, sizeof t);
    t.extent = w->extent;
    t.cells = w->extent[0] * w->extent[1] * w->extent[2] * w->extent[3];
    t.logical = (float *)kept(malloc((size_t)t.cells * sizeof(float)));
    for (k = 0; k < t.cells; k++) t.logical[k] = (float)(k % 16777213 + 1); /* all different as far as a float goes */
    for_all(&t, place_of, see_box, &t);
    t.packed = (float *)kept(malloc((size_t)(t.columns * t.rows * 4) * sizeof(float)));
    for (k = 0; k < t.columns * t.rows * 4; k++) t.packed[k] = PADDING;
    for_all(&t, place_of, see_cell, &t);
    return t;
}

static void tensor_free(tensor *t)
{
    free(t->logical);
    free(t->packed);
}

/* ------------------------------------------------------------------ what lies on the device */

static int transfer(irl_ocl *cl, struct _cl_mem *memory, const tensor *t, int is_image, int is_write, float *data)
{
    size_t origin[3] = { 0, 0, 0 }, region[3];
    cl_int status;
    region[0] = (size_t)t->columns;
    region[1] = (size_t)t->rows;
    region[2] = 1;
    if (is_image && is_write) status = clEnqueueWriteImage(irl_ocl_queue(cl), memory, CL_TRUE, origin, region, 0, 0, data, 0, NULL, NULL);
    else if (is_image) status = clEnqueueReadImage(irl_ocl_queue(cl), memory, CL_TRUE, origin, region, 0, 0, data, 0, NULL, NULL);
    else if (is_write) status = clEnqueueWriteBuffer(irl_ocl_queue(cl), memory, CL_TRUE, 0, region[0] * 16, data, 0, NULL, NULL);
    else status = clEnqueueReadBuffer(irl_ocl_queue(cl), memory, CL_TRUE, 0, region[0] * 16, data, 0, NULL, NULL);
    return status == CL_SUCCESS;
}

static int holds_packed(irl_ocl *cl, struct _cl_mem *memory, const tensor *t, int is_image)
{
    size_t bytes = (size_t)(t->columns * t->rows * 4) * sizeof(float);
    float *found = (float *)kept(malloc(bytes));
    int    ok = transfer(cl, memory, t, is_image, 0, found) && memcmp(found, t->packed, bytes) == 0;
    free(found);
    return ok;
}

/* y = x, where one of the two has the layout. */
static irl_module *copy_module(irl_ctx *cx, const workload *w, const layout *l, const char *buffer)
{
    const long *e = w->extent;
    char        text[256];
    irl_func   *f;
    snprintf(text, sizeof text, "func f(x: f32[%ld, %ld, %ld, %ld], y: f32[%ld, %ld, %ld, %ld]) { for (a: %ld, b: %ld, c: %ld, d: %ld) y[a, b, c, d] = x[a, b, c, d]; }",
             e[0], e[1], e[2], e[3], e[0], e[1], e[2], e[3], e[0], e[1], e[2], e[3]);
    f = irl_parse_func(cx, text, strlen(text), "workload");
    f = irl_set_layout(f, buffer, irl_map_parse(cx, l->map));
    f = irl_set_padding(f, buffer, PADDING);
    if (l->scope != IRL_SCOPE_GLOBAL) f = irl_set_scope(f, buffer, l->scope);
    return irl_lower(f, &irl_target_opencl12);
}

static int pack_and_unpack(irl_ocl *cl, irl_ctx *cx, const workload *w, const layout *l, tensor *t)
{
    irl_module     *pack = copy_module(cx, w, l, "y"), *unpack = copy_module(cx, w, l, "x");
    irl_ocl_built  *packer = pack && unpack ? irl_ocl_build(cl, pack) : NULL, *unpacker = packer ? irl_ocl_build(cl, unpack) : NULL;
    size_t          bytes = (size_t)t->cells * sizeof(float);
    float          *back = (float *)kept(malloc(bytes));
    struct _cl_mem *plain, *packed;
    int             is_image = l->scope != IRL_SCOPE_GLOBAL, ok = 0;
    if (!unpacker) {
        free(back);
        return 0;
    }
    plain = irl_ocl_memory(cl, pack, 0, IRL_ARGS(t->logical, back));
    packed = irl_ocl_memory(cl, pack, 1, IRL_ARGS(t->logical, back));
    /* by kernels: logical to packed, and from what plain C packed to logical */
    ok = plain && packed && irl_ocl_upload(cl, pack, 0, IRL_ARGS(t->logical, back), plain) && irl_ocl_execute(packer, IRL_ARGS(plain, packed)) &&
         irl_ocl_finish(cl) && CHECK(holds_packed(cl, packed, t, is_image));
    ok = ok && transfer(cl, packed, t, is_image, 1, t->packed) && irl_ocl_execute(unpacker, IRL_ARGS(packed, plain)) && irl_ocl_finish(cl) &&
         irl_ocl_download(cl, unpack, 1, IRL_ARGS(back, back), plain) && CHECK(memcmp(back, t->logical, bytes) == 0);
    /* by the runtime */
    memset(back, 0, bytes);
    ok = ok && irl_ocl_upload(cl, unpack, 0, IRL_ARGS(t->logical, back), packed) && CHECK(holds_packed(cl, packed, t, is_image)) &&
         irl_ocl_download(cl, unpack, 0, IRL_ARGS(back, back), packed) && CHECK(memcmp(back, t->logical, bytes) == 0);
    irl_ocl_free(plain);
    irl_ocl_free(packed);
    irl_ocl_release(packer);
    irl_ocl_release(unpacker);
    free(back);
    return ok;
}

static void run(irl_ocl *cl, irl_ctx *cx, const workload *w, const layout *l)
{
    irl_mark mark = irl_mark_now(cx);
    tensor   t = tensor_new(w, l->place);
    if (!CHECK(pack_and_unpack(cl, cx, w, l, &t)))
        printf("%s, %ldx%ldx%ldx%ld in %s\n%s\n", w->name, w->extent[0], w->extent[1], w->extent[2], w->extent[3], l->name, irl_diag_text(cx));
    tensor_free(&t);
    irl_rewind(cx, mark);
}

int main(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_ocl *cl = irl_ocl_open(cx, NULL);
    size_t   k, j;
    int      cases = 0, is_soak = getenv("IRL_SOAK") != NULL;
    if (!cl) {
        CHECK_CODE(cx, IRL_ERROR_NO_DEVICE);
        printf("skipped: %s\n", irl_diag_text(cx));
    }
    for (k = 0; cl && k < sizeof workloads / sizeof *workloads; k++)
        for (j = 0; j < sizeof layouts / sizeof *layouts; j++)
            if (layouts[j].of == workloads[k].of && (is_soak || workloads[k].is_first)) {
                run(cl, cx, &workloads[k], &layouts[j]);
                cases++;
            }
    if (cl) printf("%d tensors packed and unpacked\n", cases);
    irl_ocl_close(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
