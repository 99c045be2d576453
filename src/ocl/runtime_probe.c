/* runtime_probe.c - tests whether a format that a device lists works: kernels read one texel and
   write one.

   needs     runtime_image.c
   promises  a format passes if a kernel reads what the host wrote and the host reads what a kernel
             wrote. A driver may list a format and do nothing with it, without an error, so only a
             texel that was written and read proves that the format works */
#include "runtime.h"

typedef struct irl__probe {
    irl_ocl                   *cl;
    irl__image                 image;
    const irl__runtime_format *format;
    int                        components; /* of a texel in memory */
    cl_program                 program;
    cl_mem                     texel, values;
    unsigned char              memory[16]; /* the texel as the host has it */
    unsigned char              kernel[16]; /* and as kernels see it: four of float, int or uint */
} irl__probe;

/* What kernels see a scalar as. */
static irl_type irl__probe_wide(const irl__probe *p)
{
    return irl_type_of(p->format->access == 'f'   ? IRL_F32
                       : p->format->access == 'i' ? IRL_I32
                                                  : IRL_U32,
                       1);
}

/* Four values that every format of the kind holds exactly. */
static irl__scalar irl__probe_value(const irl__probe *p, int k)
{
    static const int values[2][4] = { { 1, 0, 1, 0 }, { 7, 100, 1, 42 } };
    irl__scalar  v;
    if (p->format->access == 'f') v.f = values[0][k];
    else v.i = p->format->access == 'i' && k == 1 ? -values[1][k] : values[1][k];
    return v;
}

/* The two kernels. An image that kernels of this device, or our kernels, do not write is only
   read. */
static int irl__probe_build(irl__probe *p, int writes)
{
    const char *access = p->format->access == 'u'   ? "ui"
                         : p->format->access == 'i' ? "i"
                                                    : "f",
               *type = p->format->access == 'u'   ? "uint"
                       : p->format->access == 'i' ? "int"
                                                  : "float";
    const char *image = irl__image_text(p->image), *at = p->image == IRL__IMAGE_LINE ? "0"
                                                         : p->image == IRL__IMAGE_2D ? "(int2)(0)"
                                                                                     : "(int4)(0)";
    char        text[1024];
    irl__text   t;
    const char *source = text;
    cl_int      status;
    irl__text_init_fixed(&t, text, sizeof text);
    if (writes && p->image == IRL__IMAGE_VOLUME)
        irl__text_puts(&t, "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n");
    irl__textf(&t,
               "__kernel void irl_probe_read(__read_only %s x, __global %s4 *y) { *y = "
               "read_image%s(x, %s); }\n",
               image, type, access, at);
    if (writes)
        irl__textf(&t,
                   "__kernel void irl_probe_write(__write_only %s x, %s4 v) { write_image%s(x, %s, "
                   "v); }\n",
                   image, type, access, at);
    p->program = clCreateProgramWithSource(p->cl->context, 1, &source, NULL, &status);
    return irl__runtime_ok(p->cl->cx, status, "clCreateProgramWithSource") &&
           irl__runtime_ok(
               p->cl->cx,
               clBuildProgram(p->program, 1, &p->cl->device, "-cl-std=CL1.2", NULL, NULL),
               "clBuildProgram of the probe of an image");
}

/* One work-item of a kernel with the texel and a second argument. */
static int irl__probe_run(irl__probe *p, const char *name, size_t bytes, const void *argument)
{
    irl_ctx  *cx = p->cl->cx;
    size_t    one = 1;
    cl_int    status;
    cl_kernel kernel = clCreateKernel(p->program, name, &status);
    int       ok = irl__runtime_ok(cx, status, "clCreateKernel");
    if (!ok) return 0;
    ok = irl__runtime_ok(cx, clSetKernelArg(kernel, 0, sizeof p->texel, &p->texel),
                         "clSetKernelArg") &&
         irl__runtime_ok(cx, clSetKernelArg(kernel, 1, bytes, argument), "clSetKernelArg") &&
         irl__runtime_ok(
             cx, clEnqueueNDRangeKernel(p->cl->queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL),
             "clEnqueueNDRangeKernel") &&
         irl__runtime_ok(cx, clFinish(p->cl->queue), "clFinish");
    clReleaseKernel(kernel);
    return ok;
}

/* Compares the components that a texel has; says what differs. */
static irl__probe_result irl__probe_compare(const irl__probe *p, irl_type type,
                                            const unsigned char *found, const char *what,
                                            char *text, size_t room)
{
    irl__text t;
    for (int k = 0; k < p->components; k++) {
        irl__scalar v = irl__load_scalar(type, found + (size_t)k * irl__type_bytes(type)),
                    wanted = irl__probe_value(p, k);
        int differs = p->format->access == 'f' ? v.f != wanted.f : v.i != wanted.i;
        if (!differs) continue;
        irl__text_init_fixed(&t, text, room);
        if (p->format->access == 'f')
            irl__textf(&t, "component %d of a texel, %d, %s %l", k, (int)wanted.f, what,
                       (int64_t)(v.f == v.f && v.f > -1e9 && v.f < 1e9 ? v.f : 0));
        else irl__textf(&t, "component %d of a texel, %l, %s %l", k, wanted.i, what, v.i);
        return IRL__PROBE_WRONG;
    }
    return IRL__PROBE_RIGHT;
}

/* The host writes, a kernel reads. */
static irl__probe_result irl__probe_read(irl__probe *p, char *text, size_t room)
{
    static const int64_t one[IRL__TEXEL_AXES] = { 1, 1, 1 };
    unsigned     char        found[16];
    memset(found, 0, sizeof found);
    if (!irl__runtime_image_write(p->cl, p->texel, one, p->memory) ||
        !irl__probe_run(p, "irl_probe_read", sizeof p->values, &p->values) ||
        !irl__runtime_read(p->cl, p->values, sizeof found, found))
        return IRL__PROBE_FAILED;
    return irl__probe_compare(p, irl__probe_wide(p), found, "is read by a kernel as", text, room);
}

/* A kernel writes, the host reads. */
static irl__probe_result irl__probe_write(irl__probe *p, char *text, size_t room)
{
    static const int64_t one[IRL__TEXEL_AXES] = { 1, 1, 1 };
    unsigned     char        found[16];
    memset(found, 0xff, sizeof found);
    if (!irl__runtime_image_write(p->cl, p->texel, one, found) ||
        !irl__probe_run(p, "irl_probe_write", sizeof p->kernel, p->kernel) ||
        !irl__runtime_image_read(p->cl, p->texel, one, found))
        return IRL__PROBE_FAILED;
    return irl__probe_compare(p, irl_type_of(p->format->stored, 1), found,
                              "is written by a kernel as", text, room);
}

irl__probe_result irl__runtime_probe(irl_ocl *cl, irl__image image, cl_channel_order order, int k,
                                     char *text, size_t room)
{
    static const      int64_t one[IRL__TEXEL_AXES] = { 1, 1, 1 };
    irl__probe        p;
    cl_image_format   format;
    irl__probe_result result = IRL__PROBE_FAILED;
    int writes =
        image == IRL__IMAGE_VOLUME ? irl__runtime_writes_volumes(cl) : image != IRL__IMAGE_LINE;
    memset(&p, 0, sizeof p);
    p.cl = cl;
    p.image = image;
    p.format = irl__runtime_format_at(k);
    p.components = order == CL_RGBA ? 4 : 1;
    format.image_channel_order = order;
    format.image_channel_data_type = p.format->channel;
    irl_type stored = irl_type_of(p.format->stored, 1), wide = irl__probe_wide(&p);
    memset(p.memory, 0, sizeof p.memory);
    for (int j = 0; j < 4; j++) {
        if (j < p.components)
            irl__store_scalar(stored, p.memory + (size_t)j * irl__type_bytes(stored),
                              irl__probe_value(&p, j));
        irl__store_scalar(wide, p.kernel + 4 * j, irl__probe_value(&p, j));
    }
    if (cl->pretended.broken[image] >> k & 1) memset(p.memory, 0, sizeof p.memory);
    p.texel = irl__runtime_image_make(
        cl, image, &format,
        (size_t)p.components * irl__type_bytes(irl_type_of(p.format->stored, 1)), one);
    p.values = p.texel ? irl__runtime_memory(cl, 16) : NULL;
    if (p.values && irl__probe_build(&p, writes)) {
        result = irl__probe_read(&p, text, room);
        if (result == IRL__PROBE_RIGHT && writes) result = irl__probe_write(&p, text, room);
    }
    if (p.program) clReleaseProgram(p.program);
    if (p.values) clReleaseMemObject(p.values);
    if (p.texel) clReleaseMemObject(p.texel);
    return result;
}
