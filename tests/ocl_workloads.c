/* ocl_workloads.c - the layouts that networks and cameras keep their tensors in: packed and
   unpacked by emitted kernels, and by the runtime, equal to plain C byte by byte.

   The plain C is in workloads.h; nothing of it goes through the library. Images are compared as
   they lie on the device, lanes that hold no element included. What is known as a real layout, and
   where it is here:

     CNN activations (MobileNetV2, ResNet50, ShuffleNetV2)   NCHW4c; MNN, Paddle, TVM textures;
     TFLite 2-d, array, 3-d, image buffer CNN filters
     OIHW4o, oneDNN 4i16o4i; MNN filter, and of 1x1 over the limit, 1x64x1120x1120
     four by four slices, 4480x4480 texels (make soak) KV caches: vLLM keys, values
     eight halves to a texel of 128 bits, image1d_buffer_t
       FlashInfer HND, NHD                                   no: plain strides, in buffers; no
       packing
     ggml Q4_0, transposed for image1d_buffer_t              conversions: 2816x2112, and rows that
     are no multiple of 4
       Q4_0 AoS, noshuffle SoA                               no: blocks of 18 bytes and plain bytes,
       in buffers
     NV12, 1920x1080 in rows of 2048                         luma, chroma as texels; conversions to
     RGB in NCHW4c and in an image Bayer RGGB, 3840x2160                                   a square
     to a texel; four planes in an array RAW10, rows of 4800 bytes
     conversion to and from Bayer squares VC4 tiles, Morton, XOR swizzles, XLA T(2,2)
     no: orders of memory without texels (test_layouts.c, test_map.c) SSD1306, HUB75, DMA triples,
     ring buffers               no: bits and bytes of plain memory */
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
#include "workloads.h"

/* -------------------------------------- a tensor, as the user has it and as plain C packs it */

typedef struct tensor {
    const long    *extent;
    int            rank, lanes, is_image;
    size_t         element; /* bytes */
    long           cells, columns, rows, layers; /* texels */
    size_t         logical_bytes, packed_bytes;
    unsigned char *logical, *packed; /* lanes that hold no element are the padding */
} tensor;

static void *kept(void *memory)
{
    if (memory) return memory;
    printf("the test is out of memory\n");
    exit(1);
}

/* The k-th element, all different as far as the type goes; -1: the padding. Bytes of it. */
static size_t put(const char *type, unsigned char *to, long k)
{
    float    f = k < 0 ? -7.0f : (float)(k % 16777213 + 1);
    /* neither infinite nor denormal */
    uint16_t u = (uint16_t)(k < 0 ? 7 : k % 65521),
             half = (uint16_t)(k < 0 ? 0xc700 : 0x0400 + k % 0x7800);
    size_t   bytes = strcmp(type, "f32") == 0 ? 4 : strcmp(type, "u8") == 0 ? 1 : 2;
    if (bytes == 4) memcpy(to, &f, 4);
    else if (bytes == 2) memcpy(to, type[0] == 'f' ? &half : &u, 2);
    else *to = (unsigned char)(k < 0 ? 7 : k % 251);
    return bytes;
}

static double padding_of(const char *type) { return type[0] == 'f' ? -7.0 : 7.0; }

static void for_all(const tensor *t, place_fn *place_of, void (*visit)(void *user, long k, place q),
                    void *user)
{
    long p[AXES] = { 0 }, k;
    int  axis;
    for (k = 0; k < t->cells; k++) {
        visit(user, k, place_of(t->extent, p));
        for (axis = t->rank - 1; axis >= 0 && ++p[axis] == t->extent[axis]; axis--) p[axis] = 0;
    }
}

static void see_box(void *user, long k, place q)
{
    tensor *t = (tensor *)user;
    (void)k;
    if (q.column >= t->columns) t->columns = q.column + 1;
    if (q.row >= t->rows) t->rows = q.row + 1;
    if (q.layer >= t->layers) t->layers = q.layer + 1;
}

static void see_cell(void *user, long k, place q)
{
    tensor *t = (tensor *)user;
    memcpy(t->packed + (((q.layer * t->rows + q.row) * t->columns + q.column) * t->lanes + q.lane) *
                           (long)t->element,
           t->logical + k * (long)t->element, t->element);
}

static tensor tensor_new(const workload *w, const layout *l)
{
    tensor         t;
    unsigned char *at;
    long           k;
    memset(&t, 0, sizeof t);
    t.extent = w->extent;
    t.lanes = l->lanes;
    t.is_image = l->scope != IRL_SCOPE_GLOBAL;
    for (t.cells = 1; t.rank < AXES && w->extent[t.rank]; t.rank++) t.cells *= w->extent[t.rank];
    at = t.logical = (unsigned char *)kept(malloc((size_t)t.cells * sizeof(float)));
    for (k = 0; k < t.cells; k++) at += t.element = put(element_of[w->of], at, k);
    for_all(&t, l->place, see_box, &t);
    t.logical_bytes = (size_t)t.cells * t.element;
    t.packed_bytes = (size_t)(t.columns * t.rows * t.layers * t.lanes) * t.element;
    at = t.packed = (unsigned char *)kept(malloc(t.packed_bytes));
    while (at < t.packed + t.packed_bytes) at += put(element_of[w->of], at, -1);
    for_all(&t, l->place, see_cell, &t);
    return t;
}

static tensor conversion_new(const conversion *c)
{
    tensor t;
    long   k;
    memset(&t, 0, sizeof t);
    t.is_image = c->scope != IRL_SCOPE_GLOBAL;
    t.columns = c->columns;
    t.rows = c->rows;
    t.layers = 1;
    t.logical_bytes = (size_t)c->bytes;
    t.packed_bytes = (size_t)(c->columns * c->rows * 4) * (strcmp(c->element, "f32") == 0 ? 4 : 2);
    t.logical = (unsigned char *)kept(malloc(t.logical_bytes));
    t.packed = (unsigned char *)kept(malloc(t.packed_bytes));
    for (k = 0; k < c->bytes; k++) t.logical[k] = c->value(k);
    c->convert(t.logical, t.packed);
    return t;
}

static void tensor_free(tensor *t)
{
    free(t->logical);
    free(t->packed);
}

/* ------------------------------------------------------------------ what lies on the device */

static int transfer(irl_ocl *cl, struct _cl_mem *memory, const tensor *t, int is_write,
                    unsigned char *data)
{
    size_t origin[3] = { 0, 0, 0 }, region[3];
    cl_int status;
    region[0] = (size_t)t->columns;
    region[1] = (size_t)t->rows;
    region[2] = (size_t)t->layers;
    if (t->is_image && is_write)
        status = clEnqueueWriteImage(irl_ocl_queue(cl), memory, CL_TRUE, origin, region, 0, 0, data,
                                     0, NULL, NULL);
    else if (t->is_image)
        status = clEnqueueReadImage(irl_ocl_queue(cl), memory, CL_TRUE, origin, region, 0, 0, data,
                                    0, NULL, NULL);
    else if (is_write)
        status = clEnqueueWriteBuffer(irl_ocl_queue(cl), memory, CL_TRUE, 0, t->packed_bytes, data,
                                      0, NULL, NULL);
    else
        status = clEnqueueReadBuffer(irl_ocl_queue(cl), memory, CL_TRUE, 0, t->packed_bytes, data,
                                     0, NULL, NULL);
    return status == CL_SUCCESS;
}

static int holds_packed(irl_ocl *cl, struct _cl_mem *memory, const tensor *t)
{
    unsigned char *found = (unsigned char *)kept(malloc(t->packed_bytes));
    int ok = transfer(cl, memory, t, 0, found) && memcmp(found, t->packed, t->packed_bytes) == 0;
    free(found);
    return ok;
}

/* The buffer lies so, in this memory. */
static irl_func *placed(irl_ctx *cx, irl_func *f, const char *buffer, const char *map,
                        irl_scope scope)
{
    f = irl_func_set_layout(f, buffer, irl_map_parse(cx, map));
    return scope == IRL_SCOPE_GLOBAL ? f : irl_func_set_scope(f, buffer, scope);
}

/* y = x, where one of the two has the layout. */
static irl_module *copy_module(irl_ctx *cx, const workload *w, const layout *l, const char *buffer)
{
    char      shape[64], loops[64], text[384];
    int       k;
    irl_func *f;
    shape[0] = loops[0] = 0;
    for (k = 0; k < AXES && w->extent[k]; k++) {
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%s%ld", k ? ", " : "",
                 w->extent[k]);
        snprintf(loops + strlen(loops), sizeof loops - strlen(loops), "%s%c: %ld", k ? ", " : "",
                 'a' + k, w->extent[k]);
    }
    snprintf(text, sizeof text, "func f(x: %s[%s], y: %s[%s]) { for (%s) y[%.*s] = x[%.*s]; }",
             element_of[w->of], shape, element_of[w->of], shape, loops, k * 3 - 2, "a, b, c, d, e",
             k * 3 - 2, "a, b, c, d, e");
    f = irl_func_parse(cx, text, strlen(text), "workload");
    f = f ? irl_func_set_padding(placed(cx, f, buffer, l->map, l->scope), buffer,
                                 padding_of(element_of[w->of]))
          : NULL;
    return irl_func_lower(f, &irl_target_opencl12);
}

/* By kernels: logical to packed, and from what plain C packed to logical. */
static int by_kernels(irl_ocl *cl, irl_module *pack, irl_module *unpack, tensor *t,
                      unsigned char *back, struct _cl_mem *plain, struct _cl_mem *packed)
{
    irl_ocl_module *packer = irl_ocl_module_create(cl, pack),
                  *unpacker = packer && unpack ? irl_ocl_module_create(cl, unpack) : NULL;
    int ok = packer && irl_ocl_memory_upload(cl, pack, 0, IRL_POINTERS(t->logical, back), plain) &&
             irl_ocl_module_execute(packer, IRL_POINTERS(plain, packed)) && irl_ocl_finish(cl) &&
             CHECK(holds_packed(cl, packed, t));
    if (ok && unpack)
        ok = unpacker && transfer(cl, packed, t, 1, t->packed) &&
             irl_ocl_module_execute(unpacker, IRL_POINTERS(packed, plain)) && irl_ocl_finish(cl) &&
             irl_ocl_memory_download(cl, unpack, 1, IRL_POINTERS(back, back), plain) &&
             CHECK(memcmp(back, t->logical, t->logical_bytes) == 0);
    irl_ocl_module_destroy(packer);
    irl_ocl_module_destroy(unpacker);
    return ok;
}

static int by_runtime(irl_ocl *cl, irl_module *unpack, tensor *t, unsigned char *back,
                      struct _cl_mem *packed)
{
    memset(back, 0, t->logical_bytes);
    return irl_ocl_memory_upload(cl, unpack, 0, IRL_POINTERS(t->logical, back), packed) &&
           CHECK(holds_packed(cl, packed, t)) &&
           irl_ocl_memory_download(cl, unpack, 0, IRL_POINTERS(back, back), packed) &&
           CHECK(memcmp(back, t->logical, t->logical_bytes) == 0);
}

/* `is_copy`: what lies there is the same as before, which the runtime does as well. */
static int pack_and_unpack(irl_ocl *cl, irl_module *pack, irl_module *unpack, tensor *t,
                           int is_copy)
{
    unsigned char *back = (unsigned char *)kept(
        malloc(t->logical_bytes > t->packed_bytes ? t->logical_bytes : t->packed_bytes));
    struct _cl_mem *plain =
        pack ? irl_ocl_memory_create(cl, pack, 0, IRL_POINTERS(t->logical, back)) : NULL;
    struct _cl_mem *packed =
        plain ? irl_ocl_memory_create(cl, pack, 1, IRL_POINTERS(t->logical, back)) : NULL;
    int ok = packed && by_kernels(cl, pack, unpack, t, back, plain, packed) &&
             (!is_copy || by_runtime(cl, unpack, t, back, packed));
    irl_ocl_memory_destroy(plain);
    irl_ocl_memory_destroy(packed);
    free(back);
    return ok;
}

static void run(irl_ocl *cl, irl_ctx *cx, const workload *w, const layout *l)
{
    irl_mark    mark = irl_ctx_mark(cx);
    tensor      t = tensor_new(w, l);
    irl_module *pack = copy_module(cx, w, l, "y"), *unpack = copy_module(cx, w, l, "x");
    if (!CHECK(unpack && pack_and_unpack(cl, pack, unpack, &t, 1)))
        printf("%s, %ldx%ldx%ldx%ld in %s\n%s\n", w->name, w->extent[0], w->extent[1], w->extent[2],
               w->extent[3], l->name, irl_diag_text(cx));
    tensor_free(&t);
    irl_ctx_rewind(cx, mark);
}

static irl_module *conversion_module(irl_ctx *cx, const conversion *c, const char *text, int packed)
{
    irl_func   *f = irl_func_parse(cx, text, strlen(text), c->name);
    const char *name = irl_func_param_name(f, packed);
    f = f ? irl_func_set_padding(placed(cx, f, name, c->map, c->scope), name,
                                 padding_of(c->element))
          : NULL;
    if (f && c->from_map)
        f = placed(cx, f, irl_func_param_name(f, !packed), c->from_map, c->from_scope);
    return irl_func_lower(f, &irl_target_opencl12);
}

static void convert(irl_ocl *cl, irl_ctx *cx, const conversion *c)
{
    irl_mark    mark = irl_ctx_mark(cx);
    tensor      t = conversion_new(c);
    irl_module *pack = conversion_module(cx, c, c->pack, 1),
               *unpack = c->unpack ? conversion_module(cx, c, c->unpack, 0) : NULL;
    if (!CHECK(pack && (unpack || !c->unpack) && pack_and_unpack(cl, pack, unpack, &t, 0)))
        printf("%s\n%s\n", c->name, irl_diag_text(cx));
    tensor_free(&t);
    irl_ctx_rewind(cx, mark);
}

int main(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_ocl *cl = irl_ocl_create(cx, NULL);
    size_t   k, j;
    int      cases = 0, first = 0, is_soak = getenv("IRL_SOAK") != NULL;
    int      step = getenv("IRL_SLOW") ? 2 : 1;
    if (!cl) {
        TEST_NO_DEVICE(cx);
    }
    for (k = 0; cl && k < sizeof workloads / sizeof *workloads; k++)
        for (j = 0; j < sizeof layouts / sizeof *layouts; j++)
            if (layouts[j].of == workloads[k].of &&
                (is_soak || (workloads[k].is_first && first++ % step == 0))) {
                run(cl, cx, &workloads[k], &layouts[j]);
                cases++;
            }
    for (k = 0; cl && k < sizeof conversions / sizeof *conversions; k++)
        convert(cl, cx, &conversions[k]);
    if (cl) printf("%d tensors packed and unpacked, %d conversions\n", cases, (int)k);
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
