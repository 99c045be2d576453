/* ocl_arguments.c - what the runtime asks of the arguments of irl_ocl_run_tensors: each check fails
   alone, with its message, and nothing is executed; random descriptors are refused by name or give
   the right result. test_host_checks.c runs the same cases by the interpreter. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define IRLAYOUT_OCL_RUNTIME
#include "../irlayout_ocl.h"
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include "host_cases.h"
#include "test.h"
#include "tensor_cases.h"
#include "extern_cases.h"

typedef struct device_run {
    irl_ocl          *cl;
    const irl_module *m;
} device_run;

static int run_on_device(void *user, int count, const irl_tensor *tensors)
{
    const device_run *d = (const device_run *)user;
    return irl_ocl_run_tensors(d->cl, d->m, count, tensors);
}

/* Memory of the device that two parameters share, one of them written: kernels take it restrict. */
static void test_memory(irl_ctx *cx, irl_ocl *cl)
{
    static const char text[] =
        "func f(x: f32[16], y: f32[16], z: f32[8]) { for (i: 8) y[i] = x[i + 8] + z[i]; }";
    const irl_module *m =
        irl_func_lower(irl_func_parse(cx, text, sizeof text - 1, "memory"), &irl_target_opencl12);
    irl_ocl_module    *b = irl_ocl_module_create(cl, m);
    cl_buffer_region  region;
    cl_int            status;
    cl_mem   whole = clCreateBuffer(irl_ocl_context(cl), CL_MEM_READ_WRITE, 4096, NULL, &status),
             other = clCreateBuffer(irl_ocl_context(cl), CL_MEM_READ_WRITE, 4096, NULL, &status),
             low, high;
    irl_mark mark = irl_ctx_mark(cx);
    region.origin = 0;
    region.size = 2048;
    low = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region,
                            &status);
    region.origin = 2048;
    high = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region,
                             &status);
    CHECK(low && high && b);
#define TRY(x, y, z, wanted)                                                           \
    do {                                                                               \
        const char *said = irl_ocl_module_execute(b, IRL_POINTERS(x, y, z)) && irl_ocl_finish(cl) \
                               ? ""                                                    \
                               : irl_diag_of(cx)->message;                          \
        if (!CHECK(strcmp(said, wanted) == 0)) printf("%s\n", said);                   \
        irl_ctx_rewind(cx, mark);                                                          \
    } while (0)
    TRY(whole, other, whole, ""); /* both are only read */
    TRY(low, high, other, "");
    TRY(low, other, low, "");
    TRY(whole, whole, other, "x and y overlap, and y is written");
    TRY(other, whole, low, "y and z overlap, and y is written");
    TRY(low, whole, other, "x and y overlap, and y is written");
    TRY(other, high, whole, "y and z overlap, and y is written");
#undef TRY
    clReleaseMemObject(low);
    clReleaseMemObject(high);
    clReleaseMemObject(whole);
    clReleaseMemObject(other);
    irl_ocl_module_destroy(b);
}

/* Memory that calls return is the device's while it runs, and goes back if a kernel wrote it. */
static void test_externs(irl_ctx *cx, irl_ocl *cl, extern_state *state)
{
    const irl_module *m = irl_func_lower(
        irl_func_parse(cx, extern_text, strlen(extern_text), "externs"), &irl_target_opencl12);
    extern_data d;
    irl_mark    mark = irl_ctx_mark(cx);
    extern_data_init(&d, state);
    if (!CHECK(irl_ocl_run(cl, m, IRL_ARGS(&d.n, d.x, d.y)))) printf("%s\n", irl_diag_text(cx));
    extern_data_check(&d, state);
    irl_ctx_rewind(cx, mark);
}

int main(void)
{
    extern_state state;
    irl_ctx_desc     desc;
    irl_ctx     *cx;
    unsigned   calls = getenv("IRL_SOAK") ? 20000 : getenv("IRL_SLOW") ? 50 : 500;
    device_run d;
    int        accepted;
    memset(&desc, 0, sizeof desc);
    desc.call_extern = extern_answer;
    desc.call_extern_user = &state;
    cx = irl_ctx_create(&desc);
    d.cl = irl_ocl_create(cx, NULL);
    d.m = irl_func_lower(irl_func_parse(cx, host_function, strlen(host_function), "host"),
                         &irl_target_opencl12);
    if (!CHECK(d.cl && d.m)) {
        printf("%s\n", irl_diag_text(cx));
        return TEST_DONE();
    }
    tensor_test_each(cx, run_on_device, &d);
    accepted = tensor_test_random(cx, run_on_device, &d, 1, calls);
    CHECK(accepted > (int)calls / 20);
    printf("seeds 1 to %u: %d accepted\n", calls, accepted);
    test_memory(cx, d.cl);
    test_externs(cx, d.cl, &state);
    irl_ocl_destroy(d.cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
