/* runtime.h - what the files of the OpenCL runtime share.

   needs     ocl.h, the OpenCL headers (1.2)
   promises  every OpenCL object is released on every path; a failed call is IRL_ERROR_DEVICE_ERROR
             with its name and status. Objects of a device are outside the arenas, so irl_ctx_rewind
             does not touch them */
#ifndef IRL__OCL_RUNTIME_H
#define IRL__OCL_RUNTIME_H

#include "ocl.h"
#include "../eval/eval.h"

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

enum {
    IRL__RUNTIME_KEPT = 32,  /* programs that irl_ocl_run keeps */
    IRL__RUNTIME_SPARE = 16  /* images that no run uses, for the next one */
};

/* Memory that temporaries of a module share, for some values of its parameters; zeroed: none. */
typedef struct irl__runtime_pool {
    int64_t bytes;
    int64_t size[IRL__TEXEL_AXES]; /* of an image, in texels; 0: a buffer */
    cl_mem  memory;                /* made for the first that lies in it */
} irl__runtime_pool;
typedef struct irl__runtime_plan {
    int                count, pool_count, value_count, launch_count;
    irl__planned      *list;
    cl_mem            *parts; /* of the list; NULL: not made yet */
    irl__runtime_pool *pools;
    irl_value         *values;
} irl__runtime_plan;

struct irl_ocl_module { /* counted by its device, which lives as long */
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
    irl__runtime_plan      plan;
};

/* What a test pretends that the device lacks, where none at hand does; nothing else writes it. By
   kind of image: bit k, format k. */
typedef struct irl__runtime_pretence {
    int      no_images, is_gpu;
    /* 0: as it is. Images are no longer; larger or wider ones are said to fit and not made */
    int64_t  side, texels, columns;
    int      poisons; /* bytes that temporaries share are overwritten where their holder changes */
    /* broken: what the host writes is lost */
    uint32_t unlisted[IRL__IMAGE_VOLUME + 1], broken[IRL__IMAGE_VOLUME + 1];
} irl__runtime_pretence;

struct irl_ocl {
    irl_ctx         *cx;
    cl_device_id     device;
    cl_context       context;
    cl_command_queue queue;
    size_t           work_group; /* the most work-items of a group */
    char            *name, *options, *binaries; /* a directory; NULL: programs are not kept */
    size_t           name_bytes, options_bytes, binaries_bytes;
    int              users;       /* itself, while it is open, and what was built for it */
    int              is_unordered; /* the user's queue runs out of order */
    irl_ocl_module   *kept[IRL__RUNTIME_KEPT];
    int              next_kept;
    cl_mem           spare[IRL__RUNTIME_SPARE];
    int              next_spare;
    /* by kind of image: bit k, format k works */
    uint32_t         proved_formats[IRL__IMAGE_VOLUME + 1];

    irl_ocl_made          made;
    irl__runtime_pretence pretended;
};

/* ------------------------------------------------------------------ runtime.c */

/* True if status is CL_SUCCESS; else DEVICE_ERROR naming the call. */
IRL__FN int irl__runtime_ok(irl_ctx *cx, cl_int status, const char *call);
/* What the device, memory or the queue says of itself, so many bytes. False with a diagnostic. */
IRL__FN int irl__runtime_ask(irl_ocl *cl, cl_device_info what, size_t bytes, void *out);
IRL__FN int irl__runtime_ask_memory(irl_ocl *cl, cl_mem memory, cl_mem_info what, size_t bytes,
                                    void *out);
IRL__FN int irl__runtime_ask_queue(irl_ocl *cl, cl_command_queue queue, cl_command_queue_info what,
                                   size_t bytes, void *out);
/* Bytes to and from the start of a buffer, at once. False with a diagnostic. */
IRL__FN int irl__runtime_write(irl_ocl *cl, cl_mem memory, size_t bytes, const void *from);
IRL__FN int irl__runtime_read(irl_ocl *cl, cl_mem memory, size_t bytes, void *to);
/* Whether a module is of the device's own context: another one's memory and diagnostics are not the
   device's. */
IRL__FN int irl__runtime_takes(const irl_ocl *cl, const irl_module *m);
/* A copy outside the arenas; free with irl__raw_free(cx, copy, bytes). */
IRL__FN char *irl__runtime_copy(irl_ctx *cx, const char *text, size_t bytes);

/* Memory of the device; at least one byte. */
IRL__FN cl_mem irl__runtime_memory(irl_ocl *cl, size_t bytes);
/* cl_khr_3d_image_writes */
IRL__FN int irl__runtime_writes_volumes(irl_ocl *cl);

/* ------------------------------------------------------------------ runtime_record.c */

/* A launch whose arguments are set. */
typedef struct irl__runtime_launch {
    const irl_ocl_kernel *kernel;
    cl_kernel             handle;
    size_t                global[3], local[3]; /* none is 0 */
    const char           *writes;      /* the host's memory that it writes; "" */
    uint64_t              nanoseconds; /* the least that it took, where that was asked for */
} irl__runtime_launch;

/* Launches that are kept, with kernels of their own, and the memory between them. */
typedef struct irl__runtime_record {
    irl__runtime_launch *launches;
    cl_mem              *memories;
    int                  count, room, memory_count, memory_room;
} irl__runtime_record;

/* Its kernel is retained. */
IRL__FN int irl__runtime_record_launch(irl_ocl *cl, irl__runtime_record *r,
                                       const irl__runtime_launch *l);
/* Memory that becomes the record's; 0: it does not. */
IRL__FN int irl__runtime_record_memory(irl_ocl *cl, irl__runtime_record *r, cl_mem memory);
IRL__FN void irl__runtime_record_end(irl_ocl *cl, irl__runtime_record *r);
/* Enqueues; where nanoseconds are asked for it waits. */
IRL__FN int irl__runtime_enqueue(irl_ocl *cl, const irl__runtime_launch *l, uint64_t *nanoseconds);

/* ------------------------------------------------------------------ runtime_image.c */

/* A channel type, and what it holds: `access` f, i or u is how kernels read and write it. */
typedef struct irl__runtime_format {
    irl_scalar      scalar, stored; /* of the buffer's elements; as the device has them */
    cl_channel_type channel;
    char            access;
} irl__runtime_format;

/* a number; -1: there is none */
IRL__FN int                        irl__runtime_format_of(irl_scalar scalar);
IRL__FN const irl__runtime_format *irl__runtime_format_at(int k);
/* What OpenCL calls the kind of memory that a buffer is in. */
IRL__FN cl_mem_object_type irl__runtime_memory_type(const irl_buffer *b);
/* of columns, rows or layers; 0: it has none */
IRL__FN cl_device_info irl__runtime_image_limit(irl__image image, int axis);
/* Whether the device lists a format for images of a kind. */
IRL__FN int irl__runtime_is_listed(irl_ocl *cl, irl__image image, const cl_image_format *format);
/* Keeps an image that is not used any more; other memory is released. The queue may still use it:
   what takes it from here runs later. */
IRL__FN void irl__runtime_spare(irl_ocl *cl, cl_mem memory, irl__image image);
/* A kept image of that kind, format and size; NULL: there is none. */
IRL__FN cl_mem irl__runtime_spare_take(irl_ocl *cl, irl__image image,
                                       const cl_image_format *format, const int64_t *size);
/* An image of so many texels along its dimensions, without a question. */
IRL__FN cl_mem irl__runtime_image_make(irl_ocl *cl, irl__image image, const cl_image_format *format,
                                       size_t texel_bytes, const int64_t *size);
/* Gives memory back that launches in the queue may use. An image over a buffer waits for them:
   PoCL 3.1 keeps the buffer for them, and not the image. */
IRL__FN void irl__runtime_release(irl_ocl *cl, cl_mem memory);
IRL__FN int irl__runtime_image_write(irl_ocl *cl, cl_mem memory, const int64_t *size,
                                     const void *from);
IRL__FN int irl__runtime_image_read(irl_ocl *cl, cl_mem memory, const int64_t *size, void *to);

/* ------------------------------------------------------------------ runtime_check.c */

/* Whether a caller's memory is of the buffer's kind and holds so many bytes (0: not known), an
   image so many texels (NULL: not known). `what` it is for: "'x' of kernel 'k'". */
IRL__FN int irl__runtime_memory_ok(irl_ocl *cl, const irl_buffer *b, irl_loc loc, const char *what,
                                   cl_mem memory, int64_t bytes, const int64_t *size);
/* Whether no byte is in both; 0 on failure. */
IRL__FN int irl__runtime_apart(irl_ocl *cl, cl_mem a, cl_mem b, int *apart);

/* ------------------------------------------------------------------ runtime_probe.c */

typedef enum irl__probe_result {
    IRL__PROBE_FAILED,
    IRL__PROBE_RIGHT,
    IRL__PROBE_WRONG
} irl__probe_result;

/* One texel of format number k there and back. WRONG leaves in `text` what differs; FAILED has a
   diagnostic. */
IRL__FN irl__probe_result irl__runtime_probe(irl_ocl *cl, irl__image image, cl_channel_order order,
                                             int k, char *text, size_t room);

/* ------------------------------------------------------------------ runtime_formats.c */

/* The device's limits along the image's dimensions; 1 for those that it has not. */
IRL__FN int irl__runtime_image_limits(irl_ocl *cl, irl__image image,
                                      int64_t most[IRL__TEXEL_AXES]);
/* Whether the device has such an image: sizes (NULL: not known) within its limits, the format
   listed and proved. Nothing is made. */
IRL__FN int irl__runtime_image_ok(irl_ocl *cl, const irl_buffer *b, const int64_t *size);
/* An image for the buffer, of so many texels along its dimensions; refused where the device
   cannot. */
IRL__FN cl_mem irl__runtime_image(irl_ocl *cl, const irl_buffer *b, const int64_t *size);

/* ------------------------------------------------------------------ runtime_pack.c */

/* A parameter of the host function with its sizes for given index parameters. */
typedef struct irl__runtime_param {
    const irl__param *param;
    /* where a logical point lies, in elements; NULL: as it is, in order */
    const irl_expr   *element;
    const irl_expr  **point;    /* its variables */
    int64_t           shape[IRL_MAX_RANK]; /* logical */
    int64_t           elements; /* in memory */
    int64_t           image[IRL__TEXEL_AXES]; /* of an image: columns, rows, layers, in texels */
    size_t            element_bytes;
} irl__runtime_param;

IRL__FN int irl__runtime_param_make(const irl_func *host, int k, const irl__passed *arguments,
                                    irl__runtime_param *out);
static inline size_t irl__runtime_param_bytes(const irl__runtime_param *p)
{
    const size_t bits = (size_t)p->param->buffer->bits;
    return bits ? ((size_t)p->elements * bits + 7) / 8 : (size_t)p->elements * p->element_bytes;
}
IRL__FN int irl__runtime_upload(irl_ocl *cl, const irl__runtime_param *p, const void *data,
                                cl_mem memory);
IRL__FN int irl__runtime_download(irl_ocl *cl, const irl__runtime_param *p, void *data,
                                  cl_mem memory);
/* Memory of the device for a parameter: a buffer or an image. */
IRL__FN cl_mem irl__runtime_param_memory(irl_ocl *cl, const irl__runtime_param *p);
static inline int irl__runtime_is_image(const irl_buffer *b)
{
    return irl__scope_is_image(b->scope);
}

/* ------------------------------------------------------------------ runtime_memory.c */

/* Plans the temporaries for the values that the host's parameters have; before it runs. */
IRL__FN int irl__runtime_plan_for(irl_ocl_module *b, const irl__host *h);
/* Memory for a temporary of so many bytes: a part of what temporaries share, retained, or memory
   of its own. NULL with a diagnostic. */
IRL__FN cl_mem irl__runtime_memory_for(irl_ocl_module *b, const irl_buffer *of, size_t bytes);
/* The same of an image. */
IRL__FN cl_mem irl__runtime_image_for(irl_ocl_module *b, const irl_buffer *of, const int64_t *size);
/* For tests: a kernel is about to touch these, by the names that the host passes it; memory NULL:
   none. */
IRL__FN int irl__runtime_poison(irl_ocl_module *b, int count, const irl_expr *const *names,
                                const cl_mem *memory);
/* For tests, of a host that launches in order: behind a launch, what it touched for the last
   time. */
IRL__FN int irl__runtime_poison_dead(irl_ocl_module *b, int launch);
/* forward: gives the memory back, as a module that goes does */
IRL__FN void irl__runtime_forget(irl_ocl_module *b);

/* ------------------------------------------------------------------ runtime_binary.c */

/* The program of that source, built, from the directory of programs; NULL: build it. */
IRL__FN cl_program irl__runtime_kept_program(irl_ocl *cl, const char *source);
/* Keeps one that was built, where there is a directory. */
IRL__FN void irl__runtime_keep_program(irl_ocl *cl, const char *source, cl_program program);

/* ------------------------------------------------------------------ runtime_build.c */

/* Whether the device has the images that a module needs: asked before anything is built or runs. */
IRL__FN int irl__runtime_images_ok(irl_ocl *cl, const irl_module *m,
                                   const irl_ocl_program *program);
/* Builds an emitted program. */
IRL__FN irl_ocl_module *irl__runtime_build(irl_ocl *cl, const irl_module *m,
                                           const irl_ocl_program *program);

/* ------------------------------------------------------------------ runtime_run.c */

/* Runs the host function on memory of the device: its launches go to the queue, or into a record
   (NULL: none), with all memory that it allocates. */
IRL__FN int irl__runtime_execute(irl_ocl_module *b, const irl__passed *passed,
                                 irl__runtime_record *record);
/* Whether the queue takes times, and so many runs are a number of them. */
IRL__FN int irl__runtime_takes_times(irl_ocl *cl, int repeats);

#endif
