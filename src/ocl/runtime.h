/* runtime.h - what the files of the OpenCL runtime share.

   needs     ocl.h, the OpenCL headers (1.2)
   promises  every OpenCL object is released on every path; a failed call is IRL_ERROR_DEVICE_ERROR with its name and status.
             What belongs to a device lives outside the arenas, so that irl_rewind leaves it alone */
#ifndef IRL__OCL_RUNTIME_H
#define IRL__OCL_RUNTIME_H

#include "ocl.h"

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

enum { IRL__RUNTIME_KEPT = 32 }; /* programs that irl_ocl_run keeps */

struct irl_ocl_built {
    irl_ocl               *cl;
    const irl_module      *module;
    const irl_ocl_program *program;
    cl_program             handle;
    cl_kernel             *kernels;
    int                    kernel_count;
    char                  *source; /* a copy: what the kept programs are found by */
    size_t                 source_bytes;
    int                    is_timed;    /* launches wait and add up what they took */
    uint64_t               nanoseconds;
};

struct irl_ocl {
    irl_ctx         *cx;
    cl_device_id     device;
    cl_context       context;
    cl_command_queue queue;
    size_t           work_group; /* the most work-items of a group */
    char            *name, *options;
    size_t           name_bytes, options_bytes;
    irl_ocl_built   *kept[IRL__RUNTIME_KEPT];
    int              next_kept;
};

/* ------------------------------------------------------------------ runtime.c */

/* True if status is CL_SUCCESS; else DEVICE_ERROR naming the call. */
IRL__FN int irl__runtime_ok(irl_ctx *cx, cl_int status, const char *call);
/* A copy outside the arenas; free with irl__raw_free(cx, copy, bytes). */
IRL__FN char *irl__runtime_copy(irl_ctx *cx, const char *text, size_t bytes);

/* ------------------------------------------------------------------ runtime_build.c */

/* Builds an emitted program. */
IRL__FN irl_ocl_built *irl__runtime_build(irl_ocl *cl, const irl_module *m, const irl_ocl_program *program);

/* ------------------------------------------------------------------ runtime_pack.c */

/* A parameter of the host function with its sizes for given index parameters. */
typedef struct irl__runtime_param {
    const irl__param *param;
    const irl_expr   *element;  /* where a logical point lies, in elements; NULL: as it is, in order */
    const irl_expr  **point;    /* its variables */
    int64_t           shape[IRL_MAX_RANK]; /* logical */
    int64_t           elements; /* in memory */
    int64_t           columns, rows; /* of an image, in texels */
    size_t            element_bytes;
} irl__runtime_param;

IRL__FN int irl__runtime_param_make(const irl_func *host, int k, const irl_arguments *arguments, irl__runtime_param *out);
static inline size_t irl__runtime_param_bytes(const irl__runtime_param *p) { return (size_t)p->elements * p->element_bytes; }
IRL__FN int irl__runtime_upload(irl_ocl *cl, const irl__runtime_param *p, const void *data, cl_mem memory);
IRL__FN int irl__runtime_download(irl_ocl *cl, const irl__runtime_param *p, void *data, cl_mem memory);
/* Memory of the device for a parameter: a buffer or an image. */
IRL__FN cl_mem irl__runtime_param_memory(irl_ocl *cl, const irl__runtime_param *p);
static inline int irl__runtime_is_image(const irl_buffer *b) { return irl__scope_dimensions(b->scope) != 1; }
/* Memory of the device; at least one byte. */
IRL__FN cl_mem irl__runtime_memory(irl_ocl *cl, size_t bytes);

/* ------------------------------------------------------------------ runtime_image.c */

/* An image of the buffer's element type; refused where the device cannot. */
IRL__FN cl_mem irl__runtime_image(irl_ocl *cl, const irl_buffer *b, int64_t columns, int64_t rows);
IRL__FN int irl__runtime_image_write(irl_ocl *cl, cl_mem memory, int64_t columns, int64_t rows, const void *from);
IRL__FN int irl__runtime_image_read(irl_ocl *cl, cl_mem memory, int64_t columns, int64_t rows, void *to);

#endif
