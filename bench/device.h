/* device.h - what the benchmarks on a device share: OpenCL objects with one word for a failure, and
   oneDNN where it is installed.

   needs     bench.h; irlayout_ocl.h before it; _POSIX_C_SOURCE 200112L before any header
   promises  what cannot be measured ends the program with status 2 and the name of the call */
#ifndef IRL_BENCH_DEVICE_H
#define IRL_BENCH_DEVICE_H

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function" /* each benchmark uses a part of this */
#endif

#include "bench.h"

#include <CL/cl.h>
#include <unistd.h>

#if defined(__has_include)
#if __has_include(<dnnl.h>)
#include <dnnl.h>
#if DNNL_VERSION_MAJOR == 2
#define HAS_DNNL 1
#endif
#endif
#endif

static void must(int ok, const char *what)
{
    if (ok) return;
    fprintf(stderr, "%s failed\n", what);
    exit(2);
}

static void must_cl(cl_int status, const char *what)
{
    if (status == CL_SUCCESS) return;
    fprintf(stderr, "%s: OpenCL status %d\n", what, (int)status);
    exit(2);
}

/* Host memory, page by page, all zero. */
static float *device_host_memory(size_t cells)
{
    void *p = NULL;
    must(posix_memalign(&p, 4096, cells * sizeof(float)) == 0, "posix_memalign");
    memset(p, 0, cells * sizeof(float));
    return (float *)p;
}

/* Memory of the device, holding what `from` holds. */
static cl_mem device_memory(cl_context context, size_t cells, float *from)
{
    cl_int status;
    cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                              cells * sizeof *from, from, &status);
    must_cl(status, "clCreateBuffer");
    return m;
}

/* A source that does not compile is printed with the compiler's log. */
static cl_program device_program(cl_context context, cl_device_id device, const char *source,
                                 const char *options)
{
    cl_int     status;
    char       log[4096] = "";
    cl_program p = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    must_cl(status, "clCreateProgramWithSource");
    if (clBuildProgram(p, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
        clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fprintf(stderr, "%s\n%s\n", source, log);
        exit(2);
    }
    return p;
}

static cl_kernel device_kernel(cl_program program, const char *name)
{
    cl_int    status;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    must_cl(status, name);
    return kernel;
}

/* Seconds on the device, by its own clock. Releases the event. */
static double device_seconds(cl_event event, const char *what)
{
    cl_ulong begin = 0, end = 0;
    must_cl(clWaitForEvents(1, &event), what);
    must_cl(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL),
            what);
    must_cl(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL), what);
    clReleaseEvent(event);
    return 1e-9 * (double)(end - begin);
}

/* OpenMP's threads must not spin while OpenCL's work. The variable is read when the library is
   loaded: so start again. */
static void device_calm_openmp(char **argv)
{
    if (getenv("OMP_WAIT_POLICY")) return;
    setenv("OMP_WAIT_POLICY", "passive", 1);
    execv("/proc/self/exe", argv);
}

/* A device whose commands are timed; NULL: there is none, which is said. */
static irl_ocl *device_open(irl_ctx *cx)
{
    irl_ocl_desc desc;
    irl_ocl     *cl;
    memset(&desc, 0, sizeof desc);
    desc.profiling = 1;
    cl = irl_ocl_create(cx, &desc);
    if (!cl) puts("no OpenCL device: nothing to measure");
    return cl;
}

#ifdef HAS_DNNL
typedef struct one_dnn {
    dnnl_engine_t engine;
    dnnl_stream_t stream;
} one_dnn;

static void must_dnnl(dnnl_status_t status, const char *what)
{
    if (status == dnnl_success) return;
    fprintf(stderr, "%s: oneDNN status %d\n", what, (int)status);
    exit(2);
}

static void dnnl_open(one_dnn *d)
{
    must_dnnl(dnnl_engine_create(&d->engine, dnnl_cpu, 0), "engine");
    must_dnnl(dnnl_stream_create(&d->stream, d->engine, dnnl_stream_default_flags), "stream");
}

static void dnnl_close(one_dnn *d)
{
    dnnl_stream_destroy(d->stream);
    dnnl_engine_destroy(d->engine);
}

static void dnnl_run(const one_dnn *d, dnnl_primitive_t primitive, int count, const int *names,
                     const dnnl_memory_t *memories)
{
    dnnl_exec_arg_t args[4];
    int             k;
    for (k = 0; k < count; k++) args[k].arg = names[k], args[k].memory = memories[k];
    must_dnnl(dnnl_primitive_execute(primitive, d->stream, count, args), "execute");
    must_dnnl(dnnl_stream_wait(d->stream), "wait");
}
#endif

#endif
