/* ocl_images.c - kinds of images and of texels on a device: arrays, volumes, rows over buffers,
   texels of 128 bits, every element type, equal to the interpreter; what a device cannot do is said
   when a module is built, with the place and numbers; a format that does not work is found out by
   one texel. */
#define IRLAYOUT_OCL_RUNTIME
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/ocl/runtime.h"
#endif
#include "test.h"
#include "generate_phones.h"

enum { MOST = 6, ROOM = 1 << 16 };

static irl_func *parse(irl_ctx *cx, const char *text)
{
    return irl_func_parse(cx, text, strlen(text), "test");
}

/* Small whole numbers, which every type holds. */
static void fill(unsigned char *data, const irl_tensor *t)
{
    size_t   bytes = irl__type_bytes(irl__type_with_lanes(t->type, 1)), at;
    unsigned k = 0;
    for (at = 0; at + bytes <= t->bytes; at += bytes, k++) {
        irl__scalar v;
        if (irl__type_is_normalised(t->type)) v.f = (double)(k * 7 % 23) / 11.0 - 1.0;
        else if (irl__type_is_float(t->type) || irl__type_is_storage(t->type))
            v.f = (double)(k * 7 % 23);
        else v.i = (int64_t)(k * 7 % 23);
        irl__store_scalar(irl__type_with_lanes(t->type, 1), data + at, v);
    }
}

/* Runs f on the device and in the interpreter, all arguments filled alike; every buffer must then
   be the same, up to what a device may round by itself: nothing but where f reads fractions. */
static int same_on(irl_ocl *cl, irl_ctx *cx, const char *text, const char *target,
                   const char *source_has)
{
    static unsigned char data[2][MOST][ROOM];
    irl_func            *f = parse(cx, text);
    const irl_module    *m = f ? irl_func_lower(f, irl_target_find_in(cx, target)) : NULL;
    const char          *source = irl_ocl_source(m);
    irl_tensor           t[MOST];
    irl_arguments        a[2];
    int k, ok = strstr(source, source_has) && irl_func_param_count(f) <= MOST;
    memset(a, 0, sizeof a);
    for (k = 0; ok && k < irl_func_param_count(f); k++) {
        a[0].count = a[1].count = irl_func_param_count(f);
        ok = irl_func_param_tensor(f, k, a[0], &t[k]) && t[k].bytes <= ROOM;
        if (ok) fill(data[0][k], &t[k]);
        memcpy(data[1][k], data[0][k], ROOM);
        a[0].data[k] = data[0][k];
        a[1].data[k] = data[1][k];
    }
    ok = ok && irl_ocl_run(cl, m, a[0]) && irl_func_interpret(f, a[1]);
    for (k = 0; ok && k < a[0].count; k++) {
        int64_t at =
            irl_array_difference(t[k].type, (int64_t)(t[k].bytes / irl__type_bytes(t[k].type)),
                                 data[0][k], data[1][k], irl_func_tolerance(f));
        if (at >= 0) printf("argument %d differs first at element %ld\n", k, (long)at);
        ok = at < 0;
    }
    if (!ok)
        printf("wanted: %s\n%s\n%s%s\n", source_has, text, source ? source : "", irl_diag_text(cx));
    return ok;
}

static int same(irl_ocl *cl, irl_ctx *cx, const char *text, const char *source_has)
{
    return same_on(cl, cx, text, "opencl12", source_has);
}

/* ------------------------------------------------------------------ kinds */

/* Whether images over buffers work here: not every device that lists them has them. */
static int has_lines(irl_ocl *cl)
{
    char text[128] = "";
    if (irl__runtime_probe(cl, IRL__IMAGE_LINE, CL_RGBA, irl__runtime_format_of(IRL_F32), text,
                           sizeof text) == IRL__PROBE_RIGHT)
        return 1;
    printf("left out: images over buffers, of which %s\n", text);
    return 0;
}

/* Whether the device lists RGBA images of a type. */
static int has_format(irl_ocl *cl, const char *type, irl_scalar scalar)
{
    cl_image_format format;
    format.image_channel_order = CL_RGBA;
    format.image_channel_data_type =
        irl__runtime_format_at(irl__runtime_format_of(scalar))->channel;
    if (irl__runtime_is_listed(cl, IRL__IMAGE_2D, &format)) return 1;
    printf("left out: images of %s, which the device does not list\n", type);
    return 0;
}

static void test_kinds(irl_ocl *cl, irl_ctx *cx)
{
    CHECK(
        same(cl, cx,
             "func f(x: f32[3, 6, 5, 4] scope(texture) sep(1, 2), y: f32[3, 6, 5, 4]) {\n"
             "    alloc t: f32[3, 6, 5, 4] scope(texture) sep(1, 2);\n"
             "    for (a: 3, b: 6, d: 5, c: 4) t[a, b, d, c] = x[a, b, d, c] + 1.0f;\n"
             "    for (a: 3, b: 6, d: 5, c: 4) y[a, b, d, c] = t[2 - a, b, d, 3 - c] * 2.0f;\n}\n",
             "write_imagef(t, (int4)(d, b, a, 0), "));
    CHECK(same(cl, cx,
               "func f(x: i16[3, 6, 5, 4] scope(texture:volume), y: i16[3, 6, 5, 4]) {\n"
               "    for (a: 3, b: 6, d: 5, c: 4) y[a, b, d, c] = x[a, 5 - b, d, c] + i16(1);\n}\n",
               "__read_only image3d_t x"));
    if (has_lines(cl))
        CHECK(same(cl, cx,
                   "func f(x: f32[90, 4] scope(texture:buffer), y: f32[90, 4] "
                   "scope(texture:buffer), z: f16[90, 4] scope(texture:buffer)) {\n"
                   "    for (a: 90, c: 4) y[a, c] = if_then_else(a >= 1, x[a - 1, c], 5.0f);\n"
                   "    for (a: 90, c: 4) z[a, c] = f16(y[89 - a, c] * 0.5f);\n}\n",
                   "__read_only image1d_buffer_t y"));
    if (has_lines(cl)) /* temporaries that go while launches are in the queue */
        CHECK(same(cl, cx,
                   "func f(x: f32[9, 4], y: f32[9, 4]) {\n"
                   "    for (k: 9) {\n        alloc t: f32[2, 4] scope(texture:buffer);\n"
                   "        for (q: 2, c: 4) t[q, c] = x[k, c] + f32(q);\n"
                   "        for (c: 4) y[k, c] = t[1, c];\n    }\n}\n",
                   "image1d_buffer_t t"));
    CHECK_OK(cx);
}

/* A volume that a kernel writes, where the device can. */
static void test_volume_writes(irl_ocl *cl, irl_ctx *cx)
{
    static const char text[] =
        "func f(\n    x: f32[3, 6, 5, 4], y: f32[3, 6, 5, 4] scope(texture:volume), z: f32[3, 6, "
        "5, 4]) {\n"
        "    for (a: 3, b: 6, d: 5, c: 4) y[a, b, d, c] = x[a, b, d, c] + 1.0f;\n"
        "    for (a: 3, b: 6, d: 5, c: 4) z[a, b, d, c] = y[a, b, d, c] * 2.0f;\n}\n";
    irl_mark          mark = irl_ctx_mark(cx);
    irl_module       *m = irl_func_lower(parse(cx, text), &irl_target_opencl12);
    if (irl__runtime_writes_volumes(cl))
        CHECK(same(cl, cx, text, "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"));
    else {
        CHECK(m && !irl_ocl_module_create(cl, m));
        CHECK_CODE(cx, IRL_ERROR_UNSUPPORTED);
        CHECK(irl_diag_of(cx) && irl_diag_of(cx)->line == 2 &&
              irl_diag_of(cx)->column == 25 && strstr(irl_diag_of(cx)->message, "'y'"));
    }
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_func_lower(parse(cx, text), &irl_target_opencl12_embedded));
    CHECK_CODE(cx, IRL_ERROR_UNSUPPORTED); /* it promises no volumes */
    CHECK(irl_diag_of(cx) && irl_diag_of(cx)->line == 2 && irl_diag_of(cx)->column == 25);
    irl_ctx_rewind(cx, mark);
}

/* ------------------------------------------------------------------ texels */

static void test_wide(irl_ocl *cl, irl_ctx *cx)
{
    CHECK(same(cl, cx,
               "func f(x: f16[6, 5, 8] scope(texture), y: f16[6, 5, 8] scope(texture), z: f32[6, "
               "5, 8]) {\n"
               "    for (a: 6, d: 5, c: 8) y[a, d, c] = f16(f32(x[a, d, c]) + 1.0f);\n"
               "    for (a: 6, d: 5, c: 8) z[a, d, c] = f32(y[a, d, 7 - c]);\n}\n",
               "as_ushort8(read_imageui(x, (int2)(d, a)))"));
    CHECK(same(cl, cx,
               "func f(x: u8[6, 5, 16] scope(texture:weight), y: u8[6, 5, 16] scope(texture), z: "
               "u8[6, 5]) {\n"
               "    for (a: 6, d: 5, c: 16) y[a, d, c] = x[a, d, c] + u8(250);\n"
               "    for (a: 6, d: 5) z[a, d] = x[a, d, 13];\n}\n",
               "write_imageui(y, (int2)(d, a), as_uint4("));
    CHECK(same(cl, cx,
               "func f(x: i16x8[6, 5] scope(texture), y: i16[5, 6]) {\n    for (d: 5, a: 6) y[d, "
               "a] = lane(x[a, d], a);\n}\n",
               "as_short8(read_imageui("));
    CHECK_OK(cx);
}

static void test_types(irl_ocl *cl, irl_ctx *cx)
{
    static const char *const types[] = { "f32",    "f16",     "bf16",   "i8",  "i16",
                                         "i32",    "u8",      "u16",    "u32", "unorm8",
                                         "snorm8", "unorm16", "snorm16" };
    static const irl_scalar scalars[] = { IRL_F32,    IRL_F16,     IRL_BF16,   IRL_I8,  IRL_I16,
                                          IRL_I32,    IRL_U8,      IRL_U16,    IRL_U32, IRL_UNORM8,
                                          IRL_SNORM8, IRL_UNORM16, IRL_SNORM16 };
    char                     text[512];
    size_t                   k;
    for (k = 0; k < sizeof types / sizeof *types; k++) {
        const char *t = types[k];
        if (!has_format(cl, t, scalars[k])) continue;
        snprintf(
            text, sizeof text,
            "func f(x: %s[3, 5, 4] scope(texture), y: %s[3, 5, 4] scope(texture), z: %s[3, 5]) {\n"
            "    for (a: 3, d: 5, c: 4) y[a, d, c] = x[2 - a, d, c];\n    for (a: 3, d: 5) z[a, d] "
            "= x[a, d, 1];\n}\n",
            t, t, t);
        CHECK(same(cl, cx, text, "write_image"));
    }
    CHECK_OK(cx);
}

/* Fractions: the device converts where it reads or writes an image, helpers do where the memory is
   plain; rounded and saturated alike, a read being a division that OpenCL lets a device round by
   itself. */
static void test_normalised(irl_ocl *cl, irl_ctx *cx)
{
    static const char *const types[] = { "unorm8", "snorm8", "unorm16", "snorm16" };
    static const irl_scalar  scalars[] = { IRL_UNORM8, IRL_SNORM8, IRL_UNORM16, IRL_SNORM16 };
    const char              *line = has_lines(cl) ? "texture:buffer" : "global";
    char                     text[1024];
    size_t                   k;
    for (k = 0; k < sizeof types / sizeof *types; k++) {
        const char *t = types[k];
        if (!has_format(cl, t, scalars[k])) continue;
        snprintf(
            text, sizeof text,
            "func f(x: f32[3, 5, 4], y: %s[3, 5, 4] scope(texture), z: f32[3, 5, 4], u: %s[3, 5, "
            "4], v: %s[3, 5, 4], w: %s[15, 4] scope(%s)) {\n"
            "    for (a: 3, d: 5, c: 4) y[a, d, c] = %s(x[a, d, c] * 0.11f - 1.2f);\n"
            "    for (a: 3, d: 5, c: 4) u[a, d, c] = %s(x[a, d, c] * 0.11f - 1.2f);\n"
            "    for (a: 3, d: 5, c: 4) z[a, d, c] = max(f32(y[a, d, c]), f32(u[a, d, 3 - c]));\n"
            "    for (a: 3, d: 5, c: 4) v[a, d, c] = if_then_else(a == 1, %s(0.5f), y[a, d, c]);\n"
            "    for (a: 15, c: 4) w[a, c] = u[a / 5, a %% 5, c];\n}\n",
            t, t, t, t, line, t, t, t);
        CHECK(same(cl, cx, text, "write_imagef(y, "));
    }
    CHECK(same(cl, cx,
               "func f(x: unorm8[3, 5, 16] scope(texture), y: unorm8[3, 5, 16] scope(texture)) {\n"
               "    for (a: 3, d: 5, c: 16) y[a, d, c] = unorm8(f32(x[a, d, c]) * 0.5f);\n}\n",
               "as_uchar16(read_imageui(x"));
    CHECK_OK(cx);
}

/* A sampler where the target asks for one, and where a read is not proved in range. */
static void test_samplers(irl_ocl *cl, irl_ctx *cx)
{
    static const char inside[] = "func f(x: f32[6, 5, 4] scope(texture), y: f32[6, 5, 4]) {\n    "
                                 "for (a: 6, d: 5, c: 4) y[a, d, c] = x[a, d, c];\n}\n";
    static const char guarded[] =
        "func f(x: f32[6, 5, 4] scope(texture), y: f32[6, 5, 4]) {\n"
        "    for (a: 6, d: 5, c: 4) y[a, d, c] = if_then_else(d >= 1, x[a, d - 1, c], 7.0f);\n}\n";
    CHECK(same(cl, cx, inside, "read_imagef(x, (int2)(d, a))"));
    CHECK(same(cl, cx, guarded, "read_imagef(x, irl_texel, (int2)("));
    CHECK(same_on(cl, cx, inside, "opencl12-embedded", "read_imagef(x, irl_texel, (int2)(d, a))"));
    CHECK_OK(cx);
}

/* -------------------------------------- what the device has not, said when a module is built */

static size_t limit_of(irl_ocl *cl, cl_device_info what)
{
    size_t limit = 0;
    clGetDeviceInfo(irl_ocl_device(cl), what, sizeof limit, &limit, NULL);
    return limit;
}

/* A temporary of such a shape is refused before anything is built or runs: at its declaration, with
   both sizes. */
static void over(irl_ocl *cl, irl_ctx *cx, const char *shape, const char *scope, const char *index,
                 const char *found, const char *most)
{
    irl_mark        mark = irl_ctx_mark(cx);
    char            text[512];
    irl_module     *m;
    const irl_diag *d;
    snprintf(text, sizeof text,
             "func f(y: f32[4]) {\n    alloc t: f32%s scope(%s);\n    for (c: 4) t[%s, c] = "
             "1.0f;\n    for (c: 4) y[c] = t[%s, c];\n}\n",
             shape, scope, index, index);
    m = irl_func_lower(parse(cx, text), &irl_target_opencl12);
    CHECK(m && !irl_ocl_module_create(cl, m));
    CHECK_CODE(cx, IRL_ERROR_IMAGE_LIMIT);
    d = irl_diag_of(cx);
    if (!CHECK(d && strcmp(d->file, "test") == 0 && d->line == 2 && d->column == 11 &&
               strstr(d->message, found) && strstr(d->message, most)))
        printf("  wanted: %s; %s\n%s", found, most, irl_diag_text(cx));
    CHECK(strstr(irl_diag_text(cx), "irlc texture") != NULL); /* the remedy */
    irl_ctx_rewind(cx, mark);
}

static void test_limits(irl_ocl *cl, irl_ctx *cx)
{
    size_t w = limit_of(cl, CL_DEVICE_IMAGE2D_MAX_WIDTH),
           h = limit_of(cl, CL_DEVICE_IMAGE2D_MAX_HEIGHT),
           n = limit_of(cl, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE),
           z = limit_of(cl, CL_DEVICE_IMAGE3D_MAX_DEPTH),
           line = limit_of(cl, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE);
    char   shape[128], found[64], most[64];
    snprintf(shape, sizeof shape, "[2, %lu, 4]", (unsigned long)w + 1);
    snprintf(found, sizeof found, "'t' is an image of %lu by 2 texels", (unsigned long)w + 1);
    snprintf(most, sizeof most, "at most %lu by %lu", (unsigned long)w, (unsigned long)h);
    over(cl, cx, shape, "texture", "0, 0", found, most);
    snprintf(shape, sizeof shape, "[%lu, 3, 4]", (unsigned long)h + 1);
    snprintf(found, sizeof found, "'t' is an image of 3 by %lu texels", (unsigned long)h + 1);
    over(cl, cx, shape, "texture", "0, 0", found, most);
    snprintf(shape, sizeof shape, "[%lu, 3, 2, 4]", (unsigned long)n + 1);
    snprintf(found, sizeof found, "'t' is an image of 2 by 3 by %lu texels", (unsigned long)n + 1);
    snprintf(most, sizeof most, "at most %lu by %lu by %lu", (unsigned long)w, (unsigned long)h,
             (unsigned long)n);
    over(cl, cx, shape, "texture) sep(1, 2", "0, 0, 0", found, most);
    snprintf(shape, sizeof shape, "[%lu, 3, 2, 4]", (unsigned long)z + 1);
    snprintf(found, sizeof found, "'t' is an image of 2 by 3 by %lu texels", (unsigned long)z + 1);
    snprintf(most, sizeof most, "by %lu", (unsigned long)z);
    over(cl, cx, shape, "texture:volume", "0, 0, 0", found, most);
    snprintf(shape, sizeof shape, "[%lu, 4]", (unsigned long)line + 1);
    snprintf(found, sizeof found, "'t' is an image of %lu texels", (unsigned long)line + 1);
    snprintf(most, sizeof most, "at most %lu", (unsigned long)line);
    if (has_lines(cl)) over(cl, cx, shape, "texture:buffer", "0", found, most);
}

/* Sizes that are known when the function runs: the parameter's place, or the temporary's, with both
   sizes. */
static void over_at_run(irl_ocl *cl, irl_ctx *cx, const char *text, int line, int column, int64_t n,
                        const char *found, const char *most)
{
    static float    data[64];
    irl_mark        mark = irl_ctx_mark(cx);
    irl_module     *m = irl_func_lower(parse(cx, text), &irl_target_opencl12);
    const irl_diag *d;
    CHECK(m && !irl_ocl_run(cl, m, IRL_ARGS(&n, data)));
    CHECK_CODE(cx, IRL_ERROR_IMAGE_LIMIT);
    d = irl_diag_of(cx);
    if (!CHECK(d && strcmp(d->file, "test") == 0 && d->line == line && d->column == column &&
               strstr(d->message, found) && strstr(d->message, most)))
        printf("  wanted: %d:%d, %s; %s\n%s", line, column, found, most, irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
    n = 2;
    CHECK(m && irl_ocl_run(cl, irl_func_lower(parse(cx, text), &irl_target_opencl12),
                           IRL_ARGS(&n, data)));
    irl_ctx_rewind(cx, mark);
}

static void test_limits_at_run(irl_ocl *cl, irl_ctx *cx)
{
    size_t w = limit_of(cl, CL_DEVICE_IMAGE2D_MAX_WIDTH),
           h = limit_of(cl, CL_DEVICE_IMAGE2D_MAX_HEIGHT);
    char   found[64], most[64];
    snprintf(most, sizeof most, "at most %lu by %lu", (unsigned long)w, (unsigned long)h);
    snprintf(found, sizeof found, "'x' is an image of 1 by %lu texels", (unsigned long)h + 1);
    over_at_run(cl, cx,
                "func f(n: index,\n    x: f32[n, 1, 4] scope(texture)) {\n    for (h: n, c: 4) "
                "x[h, 0, c] = 1.0f;\n}\n",
                2, 5, (int64_t)h + 1, found, most);
    snprintf(found, sizeof found, "'t' is an image of %lu by 1 texels", (unsigned long)w + 1);
    over_at_run(cl, cx,
                "func f(n: index, y: f32[4]) {\n    alloc t: f32[1, n, 4] scope(texture);\n    for "
                "(h: n, c: 4) t[0, h, c] = 1.0f;\n    for (c: 4) y[c] = t[0, 1, c];\n}\n",
                2, 11, (int64_t)w + 1, found, most);
}

/* --------------------------------------------------- formats that are listed and do not work */

/* PoCL's images of one half store nothing and read 234, without an error. Formats that work pass on
   every device. */
static void test_probe(irl_ocl *cl, irl_ctx *cx)
{
    static const irl_scalar right[] = { IRL_F32, IRL_F16,    IRL_I8,     IRL_U16,
                                        IRL_U32, IRL_UNORM8, IRL_SNORM16 };
    int                     is_pocl = strstr(irl_ocl_device_name(cl), "pthread") != NULL, image;
    char                    text[128] = "";
    size_t                  k;
    irl__probe_result       half;
    for (image = has_lines(cl) ? IRL__IMAGE_LINE : IRL__IMAGE_2D; image <= IRL__IMAGE_VOLUME;
         image++)
        for (k = 0; k < sizeof right / sizeof *right; k++)
            if (right[k] != IRL_SNORM16 || has_format(cl, "snorm16", IRL_SNORM16))
                CHECK(irl__runtime_probe(cl, (irl__image)image, CL_RGBA,
                                         irl__runtime_format_of(right[k]), text,
                                         sizeof text) == IRL__PROBE_RIGHT);
    half = irl__runtime_probe(cl, IRL__IMAGE_2D, CL_R, irl__runtime_format_of(IRL_F16), text,
                              sizeof text);
    CHECK(half == (is_pocl ? IRL__PROBE_WRONG : IRL__PROBE_RIGHT));
    CHECK(!is_pocl || strcmp(text, "component 0 of a texel, 1, is read by a kernel as 234") == 0);
    CHECK(irl__runtime_probe(cl, IRL__IMAGE_2D, CL_R, irl__runtime_format_of(IRL_F32), text,
                             sizeof text) == IRL__PROBE_RIGHT);
    CHECK_OK(cx);
}

/* What every device here has, pretended away: said when a module is built, at the declaration, with
   the format, and what was found in a texel. */
static void lacks(irl_ocl *cl, irl_ctx *cx, const char *declared, irl_code code,
                  const char *message)
{
    irl_mark        mark = irl_ctx_mark(cx);
    char            text[512];
    irl_module     *m;
    irl_ocl_module  *built;
    const irl_diag *d;
    snprintf(text, sizeof text,
             "func f(y: f32[4]) {\n    alloc t: %s;\n    for (c: 4) t[0, 0, c] = %.*s(1.0f);\n    "
             "for (c: 4) y[c] = f32(t[0, 0, c]);\n}\n",
             declared, (int)strcspn(declared, "["), declared);
    memset(cl->proved_formats, 0, sizeof cl->proved_formats);
    m = irl_func_lower(parse(cx, text), &irl_target_opencl12);
    CHECK(m && !irl_ocl_module_create(cl, m));
    CHECK_CODE(cx, code);
    d = irl_diag_of(cx);
    if (!CHECK(d && strcmp(d->file, "test") == 0 && d->line == 2 && d->column == 11 &&
               strstr(d->message, message)))
        printf("  wanted: %s\n%s", message, irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
    memset(&cl->pretended, 0, sizeof cl->pretended);
    m = irl_func_lower(parse(cx, text), &irl_target_opencl12); /* the same without the pretence */
    built = irl_ocl_module_create(cl, m);
    if (!CHECK(built)) printf("%s", irl_diag_text(cx));
    irl_ocl_module_destroy(built);
    irl_ctx_rewind(cx, mark);
}

/* A convolution of 3 by 3 in images: groups have whole subgroups, a texel is read once in a step,
   its lanes by their names, and the kernel that computes the results writes them. */
static void test_phone_texels(irl_ctx *cx)
{
    static const char *const targets[] = { "adreno", "mali", "opencl12-embedded" };
    int                      k;
    for (k = 0; k < 12; k++) {
        const irl_mark mark = irl_ctx_mark(cx);
        char           text[1024];
        const char    *pixels = k < 6 ? "c / 4, h, |, v" : "h, |, v, c / 4";
        const char    *source, *at, *end, *weights = k % 6 < 3 ? "" :
            "    layout(w: (o, i, r, s) -> (o / 4, r, s, |, i, o % 4))\n";
        int            size[3] = { 0, 0, 0 }, once = 1, reads = 0;
        snprintf(text, sizeof text,
                 "func f(x: f32[1, 58, 58, 64] scope(texture), w: f32[64, 64, 3, 3]%s,\n"
                 "       y: f32[1, 56, 56, 64] scope(texture))\n"
                 "    layout(x: (n, h, v, c) -> (n, %s, c %% 4))\n%s"
                 "    layout(y: (n, h, v, c) -> (n, %s, c %% 4)) {\n"
                 "    for (h: 56, v: 56, o: 64) y[0, h, v, o] = sum(r: 3, s: 3, i: 64,\n"
                 "        %s * w[o, i, r, s]);\n}\n",
                 k % 6 < 3 ? "" : " scope(texture)", pixels, weights, pixels,
                 k < 6 ? "x[0, h + r, v + s, i]"
                       : "(h + r >= 1 && h + r < 57 && v + s >= 1 && v + s < 57 ? "
                         "x[0, h + r - 1, v + s - 1, i] : 0.0f)");
        source = irl_ocl_source(irl_func_lower(parse(cx, text), irl_target_find(targets[k % 3])));
        at = strstr(source, "reqd_work_group_size(");
        CHECK(at && sscanf(at, "reqd_work_group_size(%d, %d, %d)", &size[0], &size[1],
                           &size[2]) == 3);
        CHECK(size[0] * size[1] * size[2] >= 64);
        CHECK(strstr(source, "__local") == NULL && strstr(source, "*)&") == NULL);
        for (at = source; (at = strstr(at, "read_imagef(")) != NULL; at = end, reads++) {
            char call[256];
            end = strchr(at, ';');
            CHECK((size_t)(end - at) < sizeof call);
            memcpy(call, at, (size_t)(end - at));
            call[end - at] = '\0';
            once &= strstr(end, call) == NULL;
        }
        CHECK(once && reads > 1);
        /* the last kernel writes, and it is the one that adds up */
        at = strstr(source, "write_imagef(");
        if (!CHECK(at && strstr(source, "fma(") < at && !strstr(at, "__kernel")) || !once)
            printf("%s: %s%s", targets[k % 3], irl_diag_text(cx), source);
        irl_ctx_rewind(cx, mark);
    }
}

/* Schedules of phones: whole groups, texels read once, images written from registers. */
static void test_phones(irl_ocl *cl, irl_ctx *cx, int count)
{
    static const char *const targets[] = { "phone", "mali", "phone", "adreno" };
    int                      k, whole = 0;
    for (k = 0; k < count; k++) {
        const irl_mark mark = irl_ctx_mark(cx);
        char           text[PHONE_TEXT];
        irl_target_parse(cx, "target phone: mali { group_items = 16; units = 1; }", IRL_TO_NUL,
                         NULL);
        phone_text(text);
        CHECK(same_on(cl, cx, text, targets[k % 4], "__kernel"));
        whole += strstr(irl_ocl_source(irl_func_lower(parse(cx, text),
                                                      irl_target_find_in(cx, targets[k % 4]))),
                        "reqd_work_group_size") != NULL;
        irl_ctx_rewind(cx, mark);
    }
    printf("phones: %d of %d with groups of a stated size\n", whole, count);
    CHECK(2 * whole >= count);
}

/* Images of parameters and of temporaries are made once for all runs. */
static void test_spare(irl_ocl *cl, irl_ctx *cx)
{
    const char *text = "func f(x: f32[3, 5, 4] scope(texture), y: f32[3, 5, 4] scope(texture)) {\n"
                       "    alloc t: f32[3, 5, 4] scope(texture);\n"
                       "    for (i: 3, j: 5, c: 4) t[i, j, c] = x[2 - i, j, c] + 1.0f;\n"
                       "    for (i: 3, j: 5, c: 4) y[i, j, c] = t[i, 4 - j, c] * 2.0f;\n}\n";
    irl_module  *m = irl_func_lower(parse(cx, text), &irl_target_opencl12);
    irl_ocl_made first = irl_ocl_made_of(cl);
    float        x[60], y[60];
    int          run, k, wrong = 0;
    for (run = 0; run < 20; run++) {
        for (k = 0; k < 60; k++) x[k] = (float)(k * run % 17);
        CHECK(irl_ocl_run(cl, m, IRL_ARGS(x, y)));
        for (k = 0; k < 60; k++)
            wrong += y[k] != (x[(2 - k / 20) * 20 + (4 - k / 4 % 5) * 4 + k % 4] + 1) * 2;
    }
    CHECK(wrong == 0 && irl_ocl_made_of(cl).images - first.images <= 3);
}

/* A GPU that nobody knows, by what it says of itself. */
static void test_unknown_gpu(irl_ocl *cl)
{
    cl_device_local_mem_type shared = CL_LOCAL;
    char                     profile[32] = "";
    clGetDeviceInfo(cl->device, CL_DEVICE_LOCAL_MEM_TYPE, sizeof shared, &shared, NULL);
    clGetDeviceInfo(cl->device, CL_DEVICE_PROFILE, sizeof profile, profile, NULL);
    cl->pretended.is_gpu = 1;
    CHECK(irl_ocl_target(cl) == (strstr(profile, "EMBEDDED") ? &irl_target_opencl12_embedded
                                 : shared == CL_GLOBAL       ? &irl_target_mali
                                                             : &irl_target_opencl12_gpu));
    cl->pretended.is_gpu = 0;
}

static void test_lacking(irl_ocl *cl, irl_ctx *cx)
{
    cl->pretended.no_images = 1;
    lacks(cl, cx, "f32[2, 3, 4] scope(texture)", IRL_ERROR_UNSUPPORTED,
          "the device has no images, and 't' is in scope texture");
    cl->pretended.unlisted[IRL__IMAGE_2D] = 1u << irl__runtime_format_of(IRL_F16);
    lacks(cl, cx, "f16[2, 3, 4] scope(texture)", IRL_ERROR_IMAGE_FORMAT,
          "the device has no RGBA images of f16 as image2d_t, which 't' needs");
    cl->pretended.unlisted[IRL__IMAGE_ARRAY] = 1u << irl__runtime_format_of(IRL_UNORM16);
    lacks(cl, cx, "unorm16[2, 3, 4] scope(texture) sep(1, 2)", IRL_ERROR_IMAGE_FORMAT,
          "the device has no RGBA images of unorm16 as image2d_array_t, which 't' needs");
    /* eight halves are held in four uints */
    cl->pretended.unlisted[IRL__IMAGE_2D] = 1u << irl__runtime_format_of(IRL_U32);
    lacks(cl, cx, "f16[2, 3, 8] scope(texture)", IRL_ERROR_IMAGE_FORMAT,
          "the device has no RGBA images of u32 as image2d_t, which 't' needs");
    cl->pretended.broken[IRL__IMAGE_2D] = 1u << irl__runtime_format_of(IRL_F32);
    lacks(cl, cx, "f32[2, 3, 4] scope(texture)", IRL_ERROR_IMAGE_FORMAT,
          "the device lists RGBA images of f32 as image2d_t, which 't' needs, but they do not "
          "work: component 0 of a texel, 1, is read by a kernel as 0");
}

int main(void)
{
    irl_ctx     *cx = irl_ctx_create(NULL);
    irl_ocl_desc desc;
    irl_ocl     *cl;
    memset(&desc, 0, sizeof desc);
    test_phone_texels(cx);
    /* its optimizer makes intrinsics that it does not know */
    if (getenv("IRL_OCLGRIND")) desc.build_options = "-cl-opt-disable";
    cl = irl_ocl_create(cx, &desc);
    if (!cl) {
        TEST_NO_DEVICE(cx);
        irl_ctx_destroy(cx);
        return TEST_DONE();
    }
    test_kinds(cl, cx);
    test_volume_writes(cl, cx);
    test_wide(cl, cx);
    test_types(cl, cx);
    test_normalised(cl, cx);
    test_samplers(cl, cx);
    test_limits(cl, cx);
    test_limits_at_run(cl, cx);
    test_probe(cl, cx);
    test_lacking(cl, cx);
    test_spare(cl, cx);
    test_unknown_gpu(cl);
    test_phones(cl, cx, TEST_COUNT(9));
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
