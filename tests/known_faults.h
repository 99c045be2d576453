/* known_faults.h - faults of drivers that generated functions meet, each shown by a kernel of one
   statement that is none of ours.

   needs     irlayout_ocl.h with its runtime, CL/cl.h
   promises  a seed is excused only on a device where the kernel of its fault goes wrong, seen in
             this run: elsewhere, and once the driver is mended, it must pass; and no other seed is
             excused anywhere */
#ifndef IRL_KNOWN_FAULTS_H
#define IRL_KNOWN_FAULTS_H

typedef struct known_fault_row {
    const char *reason, *kernel; /* of 16 uchars, 0 to 15, and one float */
    float       right;
    uint64_t    seeds[8];        /* of gen_lane_function, up to a 0 */
} known_fault_row;

static const known_fault_row known_faults[] = {
    { "the constant is lost where a branch chooses between a converted 8- or 16-bit integer and a "
      "constant (Mesa 22.3, rusticl)",
      "__kernel void shown(__global const uchar *a, __global float *y) { y[0] = a[7] <= a[6] ? "
      "(float)a[4] : -1.75f; }",
      -1.75f,
      { 823, 845, 866, 1503, 0 } },
};

/* What the kernel stores there; `otherwise` where it cannot be run. */
static float known_fault_run(irl_ocl *cl, const char *source, float otherwise)
{
    static const unsigned char given[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
    float                      found = otherwise;
    size_t                     one = 1;
    cl_int                     status;
    cl_context                 context = irl_ocl_context(cl);
    cl_device_id               device = irl_ocl_device(cl);
    cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof given, NULL, &status),
           y = clCreateBuffer(context, CL_MEM_READ_WRITE, 4, NULL, &status);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    cl_kernel kernel =
        program && clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL) == CL_SUCCESS
            ? clCreateKernel(program, "shown", &status)
            : NULL;
    if (a && y && kernel &&
        clEnqueueWriteBuffer(irl_ocl_queue(cl), a, CL_TRUE, 0, sizeof given, given, 0, NULL,
                             NULL) == CL_SUCCESS &&
        clSetKernelArg(kernel, 0, sizeof a, &a) == CL_SUCCESS &&
        clSetKernelArg(kernel, 1, sizeof y, &y) == CL_SUCCESS &&
        clEnqueueNDRangeKernel(irl_ocl_queue(cl), kernel, 1, NULL, &one, &one, 0, NULL, NULL) ==
            CL_SUCCESS)
        clEnqueueReadBuffer(irl_ocl_queue(cl), y, CL_TRUE, 0, sizeof found, &found, 0, NULL, NULL);
    if (kernel) clReleaseKernel(kernel);
    if (program) clReleaseProgram(program);
    if (y) clReleaseMemObject(y);
    if (a) clReleaseMemObject(a);
    return found;
}

/* Whether this seed's fault is known, and shows on the device that `open` opens. */
static int known_fault(uint64_t seed, irl_ocl *(*open)(irl_ctx *cx))
{
    size_t k, j;
    int    shows = 0;
    for (k = 0; k < sizeof known_faults / sizeof *known_faults; k++)
        for (j = 0; known_faults[k].seeds[j]; j++) {
            irl_ctx *cx;
            irl_ocl *cl;
            float    found;
            if (known_faults[k].seeds[j] != seed) continue;
            cx = irl_ctx_create(NULL);
            cl = cx ? open(cx) : NULL;
            found = cl ? known_fault_run(cl, known_faults[k].kernel, known_faults[k].right)
                       : known_faults[k].right;
            shows = found != known_faults[k].right;
            if (shows)
                printf("known fault: %s: one statement stores %g, not %g\n", known_faults[k].reason,
                       (double)found, (double)known_faults[k].right);
            irl_ocl_destroy(cl);
            irl_ctx_destroy(cx);
        }
    return shows;
}

#endif
