/* ocl_padding.c - what lies in the memory of a device beside the data: functions store through the
   device into memory that was filled with a pattern, and every element of it is looked at, texels
   of images and the bytes behind a buffer too.

   Where no element lies there is the padding that the layout states; where it states none, the
   pattern, untouched. Images are written by whole texels: where no padding is stated, lanes beside
   data that is stored may hold anything, and a texel with data that the function does not store
   stays as a whole what it was, padding too. Where elements lie is computed here, in plain C. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define IRLAYOUT_OCL_RUNTIME
#include "../irlayout_ocl.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/ocl/runtime.h"
#endif
#include "test.h"

enum { ROOM = 1 << 16, GUARD = 64, PATTERN = 0x35, COLUMNS = 5 };

/* ------------------------------------------------------------------ where an element lies */

/* Of [h, w, c] in [rows, COLUMNS, channels], with texels of four: which texel, counted through
   memory. */
typedef struct place {
    const char *layout; /* what stands between the brackets of layout(y: ...) */
    const char *images; /* the same with the groups of an image; NULL: in buffers only */
    int         order;  /* 0: c/4, h, w; 1: h, w, c/4; 2: h, c/4, w */
} place;

static const place places[] = {
    { "(h, w, c) -> (c / 4, h, w, c % 4)", "(h, w, c) -> (c / 4, h), (w, c % 4)", 0 },
    { "(h, w, c) -> (h, w, c / 4, c % 4)", "(h, w, c) -> (h), (w, c / 4, c % 4)", 1 },
    { "(h, w, c) -> (h, c / 4, w, c % 4)", "(h, w, c) -> (h), (c / 4), (w, c % 4)", 2 },
};

static long texel_of(const place *p, long rows, long channels, long h, long w, long c)
{
    long four = (channels + 3) / 4, q = c / 4;
    if (p->order == 0) return (q * rows + h) * COLUMNS + w;
    if (p->order == 1) return (h * COLUMNS + w) * four + q;
    return (h * four + q) * COLUMNS + w;
}

/* ------------------------------------------------------------------ the element types */

typedef struct element {
    const char   *name, *pad;   /* the padding in the language */
    irl_scalar    scalar;
    int           bytes;
    /* as it lies in memory of either byte order: all bytes alike, or little end first */
    unsigned char padding[4];
} element;

static const element elements[] = {
    { "f32", "-2.0f", IRL_F32, 4, { 0, 0, 0, 0xc0 } },
    { "f16", "f16(1.5)", IRL_F16, 2, { 0, 0x3e, 0, 0 } },
    { "u8", "u8(9)", IRL_U8, 1, { 9, 0, 0, 0 } },
    { "i16", "i16(-2)", IRL_I16, 2, { 0xfe, 0xff, 0, 0 } },
    { "unorm8", "unorm8(1)", IRL_UNORM8, 1, { 255, 0, 0, 0 } },
    { "snorm16", "snorm16(-1)", IRL_SNORM16, 2, { 1, 0x80, 0, 0 } },
};

static int is_padding(const element *e, const unsigned char *found)
{
    static const unsigned one = 1;
    int                   little = *(const unsigned char *)&one, k;
    for (k = 0; k < e->bytes; k++)
        if (found[k] != e->padding[little ? k : e->bytes - 1 - k]) return 0;
    return 1;
}

/* Whether it is the number of the lane plus 1, which the padding computes; bytes of half floats and
   of normalized integers are not looked at. */
static int is_computed(const element *e, const unsigned char *found, int lane)
{
    const float   real = (float)(lane + 1);
    const int16_t whole = (int16_t)(lane + 1);
    if (e->scalar == IRL_F32) return memcmp(found, &real, sizeof real) == 0;
    if (e->scalar == IRL_I16) return memcmp(found, &whole, sizeof whole) == 0;
    return e->scalar != IRL_U8 || *found == lane + 1;
}

static int is_pattern(const unsigned char *found, int bytes)
{
    while (bytes-- > 0)
        if (*found++ != PATTERN) return 0;
    return 1;
}

/* Numbers that every type holds; no byte is the pattern's, and no code is the least, which is -1
   twice. */
static void fill(unsigned char *to, const element *e, long count)
{
    long k;
    int  j;
    for (k = 0; k < count; k++)
        /* below 0x30: finite in every format */
        for (j = 0; j < e->bytes; j++)
            to[k * e->bytes + j] = (unsigned char)(1 + (k * 7 + j * 3) % 47);
}

/* ------------------------------------------------------------ memory of the device, as it is */

static int size_of_image(cl_mem memory, size_t region[3])
{
    static const cl_image_info what[] = { CL_IMAGE_WIDTH, CL_IMAGE_HEIGHT, CL_IMAGE_DEPTH,
                                          CL_IMAGE_ARRAY_SIZE };
    size_t                     size[4] = { 0, 0, 0, 0 };
    int                        k;
    for (k = 0; k < 4; k++)
        if (clGetImageInfo(memory, what[k], sizeof *size, &size[k], NULL) != CL_SUCCESS) return 0;
    region[0] = size[0];
    region[1] = size[1] ? size[1] : 1;
    region[2] = size[3] ? size[3] : size[2] ? size[2] : 1;
    return 1;
}

static int raw(irl_ocl *cl, cl_mem memory, int is_image, size_t bytes, unsigned char *data,
               int writes)
{
    static const size_t origin[3] = { 0, 0, 0 };
    size_t              region[3];
    cl_command_queue    queue = irl_ocl_queue(cl);
    if (!is_image && writes)
        return clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, bytes, data, 0, NULL, NULL) ==
               CL_SUCCESS;
    if (!is_image)
        return clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, bytes, data, 0, NULL, NULL) ==
               CL_SUCCESS;
    if (!size_of_image(memory, region)) return 0;
    if (writes)
        return clEnqueueWriteImage(queue, memory, CL_TRUE, origin, region, 0, 0, data, 0, NULL,
                                   NULL) == CL_SUCCESS;
    return clEnqueueReadImage(queue, memory, CL_TRUE, origin, region, 0, 0, data, 0, NULL, NULL) ==
           CL_SUCCESS;
}

/* ------------------------------------------------------------------ one function */

/* A function's body, with the extents of h and c, and the first row that it writes. */
typedef struct writer {
    const char *body;
    int         first_row;
} writer;

static const writer writers[] = {
    { "for (h: %s, w: 5, c: %s) y[h, w, c] = x[h, 4 - w, c];", 0 },
    { "for parallel (w: 5) for (h: %s) for vectorized (c: %s) y[h, w, c] = x[h, 4 - w, c];", 0 },
    { "for (h: %s, w: 5) if (h >= 1) for (c: %s) y[h, w, c] = x[h, 4 - w, c];", 1 },
};

typedef struct trial {
    const place   *place;
    const element *element;
    const writer  *writer;
    const char    *scope;      /* "": a buffer */
    int            pads;       /* it states a padding: 1 a constant, 2 a value for each cell */
    int            named_rows, named_channels;
    long           rows, channels;
} trial;

static int counts[3]; /* elements of padding, of the pattern, of lanes beside data */

static void write_text(const trial *t, char *text, size_t room)
{
    char        number[2][24], body[256];
    size_t      at;
    const char *rows = t->named_rows ? "m" : number[0],
               *channels = t->named_channels ? "n" : number[1];
    snprintf(number[0], sizeof number[0], "%ld", t->rows);
    snprintf(number[1], sizeof number[1], "%ld", t->channels);
    snprintf(body, sizeof body, t->writer->body, rows, channels);
    snprintf(text, room, "func f(%s%sx: %s[%s, 5, %s], y: %s[%s, 5, %s]%s)\n    layout(y: %s",
             t->named_rows ? "m: index, " : "", t->named_channels ? "n: index, " : "",
             t->element->name, rows, channels, t->element->name, rows, channels, t->scope,
             t->scope[0] ? t->place->images : t->place->layout);
    at = strlen(text);
    snprintf(text + at, room - at, "%s%s%s) {\n    %s\n}\n", t->pads ? ", pad(" : "",
             t->pads == 2 ? "(a, b, d, lane) -> (lane + 1)" : t->pads ? t->element->pad : "",
             t->pads ? ")" : "", body);
}

/* Whether an element of memory is what it must be: the point that lies there, or what lies beside
   the data. */
static int element_ok(const trial *t, const unsigned char *found, const unsigned char *x,
                      long texel, int lane, const long *point, int beside, int stored)
{
    int b = t->element->bytes, right;
    if (point && point[0] >= t->writer->first_row)
        right =
            memcmp(found,
                   x + ((point[0] * COLUMNS + (COLUMNS - 1 - point[1])) * t->channels + point[2]) *
                           b,
                   (size_t)b) == 0;
    else if (point) right = is_pattern(found, b);
    else if (t->scope[0] && beside && !stored) right = is_pattern(found, b), counts[1]++;
    else if (t->pads)
        right = t->pads == 1 ? is_padding(t->element, found)
                             : is_computed(t->element, found, lane), counts[0]++;
    else if (t->scope[0] && beside) right = 1, counts[2]++;
    else right = is_pattern(found, b), counts[1]++;
    if (!right)
        printf("texel %ld, lane %d: %s, found bytes %02x ...\n", texel, lane,
               point     ? "an element"
               : t->pads ? "padding"
                         : "nothing was to be stored",
               found[0]);
    return right;
}

static int memory_ok(const trial *t, const unsigned char *memory, const unsigned char *x,
                     long texels)
{
    static long points[ROOM / 4][4][3];
    static char is_point[ROOM / 4][4];
    long        h, w, c, k;
    int         lane, b = t->element->bytes;
    memset(is_point, 0, sizeof is_point);
    for (h = 0; h < t->rows; h++)
        for (w = 0; w < COLUMNS; w++)
            for (c = 0; c < t->channels; c++) {
                long texel = texel_of(t->place, t->rows, t->channels, h, w, c);
                is_point[texel][c % 4] = 1;
                points[texel][c % 4][0] = h;
                points[texel][c % 4][1] = w;
                points[texel][c % 4][2] = c;
            }
    for (k = 0; k < texels; k++)
        /* lane 0 of a texel holds data in every one of these layouts */
        for (lane = 0; lane < 4; lane++)
            if (!element_ok(t, memory + (k * 4 + lane) * b, x, k, lane,
                            is_point[k][lane] ? points[k][lane] : NULL, is_point[k][0],
                            points[k][0][0] >= t->writer->first_row))
                return 0;
    return t->scope[0] || is_pattern(memory + texels * 4 * b, GUARD);
}

/* Packs x, runs, and looks. 1; 0 and the function where something is wrong. */
static int run_trial(irl_ocl *cl, irl_ctx *cx, const trial *t)
{
    static unsigned char x[ROOM], memory[ROOM + GUARD];
    irl_mark             mark = irl_ctx_mark(cx);
    char                 text[1024];
    long                 texels = t->rows * COLUMNS * ((t->channels + 3) / 4);
    size_t               bytes = (size_t)texels * 4 * (size_t)t->element->bytes;
    int64_t              m = t->rows, n = t->channels;
    irl_arguments        arguments, device;
    irl_module          *module;
    irl_ocl_module       *built;
    cl_mem               x_memory = NULL, y_memory = NULL;
    int                  is_image = t->scope[0] != '\0', k, ok;
    memset(&arguments, 0, sizeof arguments);
    write_text(t, text, sizeof text);
    module =
        irl_func_lower(irl_func_parse(cx, text, strlen(text), "padding"), &irl_target_opencl12);
    if (t->named_rows) arguments.data[arguments.count++] = &m;
    if (t->named_channels) arguments.data[arguments.count++] = &n;
    k = arguments.count;
    arguments.data[k] = arguments.data[k + 1] = x;
    arguments.count += 2;
    fill(x, t->element, t->rows * COLUMNS * t->channels);
    memset(memory, PATTERN, sizeof memory);
    built = irl_ocl_module_create(cl, module);
    x_memory = built ? irl_ocl_memory_create(cl, module, k, arguments) : NULL;
    if (built)
        y_memory = is_image ? irl_ocl_memory_create(cl, module, k + 1, arguments)
                            : clCreateBuffer(irl_ocl_context(cl), CL_MEM_READ_WRITE, bytes + GUARD,
                                             NULL, NULL);
    ok = x_memory && y_memory && irl_ocl_memory_upload(cl, module, k, arguments, x_memory) &&
         raw(cl, y_memory, is_image, bytes + GUARD, memory, 1);
    device = arguments;
    device.data[k] = x_memory;
    device.data[k + 1] = y_memory;
    ok = ok && irl_ocl_module_execute(built, device) && irl_ocl_finish(cl);
    memset(memory, 0, bytes);
    ok = ok && raw(cl, y_memory, is_image, bytes + GUARD, memory, 0) &&
         memory_ok(t, memory, x, texels);
    if (!ok)
        printf("m %ld, n %ld\n%s%s\n%s", t->rows, t->channels, text,
               built ? irl_ocl_module_program(built)->source : "", irl_diag_text(cx));
    irl_ocl_memory_destroy(x_memory);
    irl_ocl_memory_destroy(y_memory);
    irl_ocl_module_destroy(built);
    irl_ctx_rewind(cx, mark);
    return ok;
}

/* ------------------------------------------------------------------ all of them */

static int has_format(irl_ocl *cl, irl_scalar scalar)
{
    cl_image_format format;
    format.image_channel_order = CL_RGBA;
    format.image_channel_data_type =
        irl__runtime_format_at(irl__runtime_format_of(scalar))->channel;
    if (irl__runtime_is_listed(cl, IRL__IMAGE_2D, &format)) return 1;
    printf("left out: images of %s, which the device does not list\n",
           irl__type_info(irl_type_of(scalar, 1))->text);
    return 0;
}

/* Of how many trials one is made: the device compiles a program for each. */
static int trials_apart(void)
{
    return getenv("IRL_SOAK") ? 1 : getenv("IRL_SLOW") ? 69 : 37;
}

/* 63 channels in 64, 3 in 4, fewer and none missing; rows and channels as numbers and as names. */
static void test_shapes(irl_ocl *cl, irl_ctx *cx, const element *e, const char *scope)
{
    static const long extents[][2] = { { 3, 63 }, { 2, 3 }, { 1, 1 }, { 4, 8 }, { 2, 6 } };
    trial             t;
    size_t            p, s, w;
    int               names, number = 0, computed = 0;
    memset(&t, 0, sizeof t);
    t.element = e;
    t.scope = scope;
    for (p = 0; p < sizeof places / sizeof *places; p++)
        for (s = 0; s < sizeof extents / sizeof *extents; s++)
            for (w = 0; w < sizeof writers / sizeof *writers; w++)
                for (names = 0; names < 12; names++) {
                    t.place = &places[p];
                    t.writer = &writers[w];
                    t.rows = extents[s][0];
                    t.channels = extents[s][1];
                    t.pads = names < 8 ? names & 1 : 2;
                    t.named_rows = names >> 1 & 1;
                    t.named_channels = names < 8 ? names >> 2 : names & 1;
                    if (t.pads == 2 && scope[0]) continue; /* images are stored by whole texels */
                    if ((t.pads == 2 ? computed++ : number++) % trials_apart()) continue;
                    CHECK(run_trial(cl, cx, &t));
                }
}

/* Elements of three lanes lie one behind the other, of three scalars each: a device's own type of
   three has the room of four. */
static void test_threes(irl_ocl *cl, irl_ctx *cx, const char *type, size_t bytes)
{
    static unsigned char x[3 * 8 * 7], y[3 * 8 * 7 + GUARD];
    irl_mark             mark = irl_ctx_mark(cx);
    char                 text[256];
    irl_module          *m;
    irl_ocl_module       *built;
    cl_mem               x_memory, y_memory;
    size_t               total = 7 * 3 * bytes, k;
    int                  wrong = 0;
    snprintf(text, sizeof text, "func f(x: %s[7], y: %s[7]) { for (i: 7) y[i] = x[6 - i]; }", type,
             type);
    m = irl_func_lower(irl_func_parse(cx, text, strlen(text), "threes"), &irl_target_opencl12);
    for (k = 0; k < total; k++) x[k] = (unsigned char)(1 + k % 47);
    memset(y, PATTERN, sizeof y);
    built = irl_ocl_module_create(cl, m);
    x_memory = built ? irl_ocl_memory_create(cl, m, 0, IRL_POINTERS(x, y)) : NULL;
    y_memory =
        built ? clCreateBuffer(irl_ocl_context(cl), CL_MEM_READ_WRITE, total + GUARD, NULL, NULL)
              : NULL;
    if (CHECK(x_memory && y_memory &&
              irl_ocl_memory_upload(cl, m, 0, IRL_POINTERS(x, y), x_memory) &&
              raw(cl, y_memory, 0, total + GUARD, y, 1) &&
              irl_ocl_module_execute(built, IRL_POINTERS(x_memory, y_memory)) &&
              raw(cl, y_memory, 0, total + GUARD, y, 0))) {
        for (k = 0; k < 7; k++)
            wrong += memcmp(y + k * 3 * bytes, x + (6 - k) * 3 * bytes, 3 * bytes) != 0;
        CHECK(wrong == 0 && is_pattern(y + total, GUARD));
    } else
        printf("%s\n%s", text, irl_diag_text(cx));
    irl_ocl_memory_destroy(x_memory);
    irl_ocl_memory_destroy(y_memory);
    irl_ocl_module_destroy(built);
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
    for (k = 0; k < sizeof elements / sizeof *elements; k++) {
        test_shapes(cl, cx, &elements[k], "");
        if (has_format(cl, elements[k].scalar))
            test_shapes(cl, cx, &elements[k], " scope(texture)");
    }
    test_threes(cl, cx, "f32x3", 4);
    test_threes(cl, cx, "i16x3", 2);
    test_threes(cl, cx, "u8x3", 1);
    printf("%d elements of padding, %d untouched, %d lanes beside data\n", counts[0], counts[1],
           counts[2]);
    for (k = 0; k < 3; k++) counts[k] = counts[k] * trials_apart() / 37;
    CHECK(counts[0] > 500 && counts[1] > 400 && counts[2] > 100);
    CHECK_OK(cx);
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
