/* irlayout_ocl.h - from a lowered module to OpenCL C, and, where a program asks for it, to a
   device.

   HOW TO ADD IT
       As irlayout.h: include this file instead. The emitter needs no OpenCL at all. To run kernels
       too, define IRLAYOUT_OCL_RUNTIME beside IRLAYOUT_IMPLEMENTATION and link the OpenCL loader:

           #define IRLAYOUT_IMPLEMENTATION
           #define IRLAYOUT_OCL_RUNTIME
           #include "irlayout_ocl.h"                           cc program.c -lOpenCL -lm

   EMITTING
       irl_module *m = irl_func_lower(f, irl_target_find("opencl12"));
       puts(irl_ocl_source(m));

   RUNNING: packs through the layouts, runs, unpacks
       irl_ocl *cl = irl_ocl_create(cx, NULL);                 the first OpenCL device
       irl_ocl_run(cl, m, IRL_ARGS(x_data, y_data));
       irl_ocl_destroy(cl);

   RUNNING MANY TIMES, on memory of the device: cl_mem handles in the place of pointers
       irl_ocl_module *b = irl_ocl_module_create(cl, m);
       irl_ocl_module_execute(b, IRL_POINTERS(x_mem, y_mem));
       irl_ocl_finish(cl);

   BUFFERS OF ONE'S OWN: as large as the layouts made them
       irl_tensor memory;
       irl_func_param_memory(irl_module_host(m), 0, IRL_POINTERS(NULL, NULL), &memory);
       cl_mem own = clCreateBuffer(irl_ocl_context(cl), CL_MEM_READ_WRITE, memory.bytes, 0, NULL);
       irl_ocl_memory_upload(cl, m, 0, IRL_POINTERS(x_data, NULL), own);

   LAUNCHING BY HAND, in a program that has its own OpenCL code: irl_ocl_emit gives the source, and
   for each kernel its name, its arguments in order and its sizes.

   What is emitted: OpenCL C 1.2, to be built with -cl-std=CL1.2. Every name is an identifier,
   whatever the user called it. Pointers are aligned as cl_mem objects are: memory of the device's
   own, not a host pointer of less than 128 bytes' alignment; a parameter that may get less says so:
   x: f32[64] align(4). */
#ifndef IRLAYOUT_OCL_H
#define IRLAYOUT_OCL_H

#include "irlayout.h"
#ifndef IRLAYOUT_MAPS_ONLY /* to the end of the API */

#ifdef __cplusplus
extern "C" {
#endif

/* ================================================================== >>emitting */

typedef enum irl_ocl_access {
    IRL_OCL_UNUSED = 0,
    IRL_OCL_READ = 1,
    IRL_OCL_WRITE = 2,
    IRL_OCL_READ_WRITE = 3
} irl_ocl_access;

/* One argument of a kernel. A buffer is a pointer to memory of irl_ocl_kernel_bytes bytes; a scalar
   is passed by value in `bytes` bytes: an index as cl_long (cl_int for a target without 64-bit
   integers), a bool as cl_uchar, f16 and bf16 as their bits in a cl_ushort, others as they are. */
typedef struct irl_ocl_argument {
    const char    *name;      /* as it stands in the source */
    irl_type       type;      /* of an element, or of the scalar */
    irl_scope      scope;
    int            is_buffer;
    irl_ocl_access access;
    int            rank;      /* of a buffer: what lies in memory, row-major and compact */
    const irl_expr *const *shape;
    /* "image2d_t", "image2d_array_t", ...; NULL where it is no image. A kernel that writes an
       image1d_buffer_t gets the buffer below it */
    const char    *image;
    /* of an image: the axes from this one on are columns of CL_RGBA texels */
    int            columns;
    /* and those from here to there are rows; axes before are layers of an array, slices of a
       volume */
    int            rows;
    /* lanes of a texel: four of `type`'s scalar, or more, 128 bits held in CL_UNSIGNED_INT32 */
    int            texel;
    size_t         bytes;     /* of a scalar; of a buffer 0: ask irl_ocl_kernel_bytes */
} irl_ocl_argument;

/* One kernel. Sizes are expressions over its index arguments: ask irl_ocl_kernel_sizes. */
typedef struct irl_ocl_kernel {
    const char             *name;     /* as it stands in the source */
    const irl_func         *function; /* what it was emitted from */
    int                     argument_count;
    const irl_ocl_argument *arguments;
    int                     dimensions; /* 1 to 3 */
    const irl_expr         *global[3];  /* work-items */
    /* of a work-group; NULL: the driver, or the caller, may choose */
    const irl_expr         *local[3];
    int                     local_is_fixed; /* 0: local, if there is one, is a proposal */
    /* the most that a buffer argument may have: without 64-bit integers indices reach no further */
    int64_t                 buffer_bytes;
} irl_ocl_kernel;

typedef struct irl_ocl_program {
    const char           *source;
    int                   kernel_count;
    const irl_ocl_kernel *kernels; /* in the order of the module */
} irl_ocl_program;

/* The OpenCL C source of a module's kernels. Owned by the context; "" on failure. */
IRL_API const char *irl_ocl_source(const irl_module *m);
/* The same, and what a host must know to launch it. */
IRL_API const irl_ocl_program *irl_ocl_emit(const irl_module *m);

/* A whole program in C: the kernels as strings, and the calls of OpenCL that build them, copy to
   the device, launch and copy back, with their failures. It needs CL/cl.h and -lOpenCL, and nothing
   of this library. For a function f: f_create(&cl, NULL, NULL, NULL) takes the first device, or a
   context, a device and a queue of one's own; f(&cl, n, x, y) runs; f_destroy(&cl). Each but the
   last gives 1, or 0 and the reason in cl.status, cl.what and cl.log. Arrays hold what lies in
   memory (irl_func_param_memory), images row after row. Owned by the context; "" with a
   diagnostic: IRL_ERROR_UNSUPPORTED for images over buffers. */
IRL_API const char *irl_ocl_c_source(const irl_module *m);

/* The sizes of a launch, for the values of the kernel's index arguments, in their order (NULL if it
   has none). local[0] is 0 where nothing is proposed: pass NULL to clEnqueueNDRangeKernel. A global
   size of 0, as of a loop of negative extent, launches nothing. 0 on failure: a size overflows. */
IRL_API int irl_ocl_kernel_sizes(irl_ctx *cx, const irl_ocl_kernel *kernel, const int64_t *indices,
                                 size_t global[3], size_t local[3]);
/* Bytes of memory behind buffer argument k, likewise; -1 on failure, or where it has more than the
   kernel's buffer_bytes. */
IRL_API int64_t irl_ocl_kernel_bytes(irl_ctx *cx, const irl_ocl_kernel *kernel, int k,
                                     const int64_t *indices);

/* ====================================================== >>the runtime (IRLAYOUT_OCL_RUNTIME) */

#if defined(IRLAYOUT_OCL_RUNTIME) || \
    !defined(IRL_STATIC) /* what is static must be defined where it is declared */

/* A device with a context and a queue of its own. Belongs to an irl_ctx: its memory and its
   diagnostics come from there. It survives irl_ctx_rewind. Close it before the irl_ctx is
   destroyed: OpenCL objects hang on it. */
typedef struct irl_ocl irl_ocl;
/* A module built for a device. Needs the module for as long as it is used. */
typedef struct irl_ocl_module irl_ocl_module;

/* Which device, and how. Zero is the default everywhere. */
typedef struct irl_ocl_desc {
    const char *platform;      /* part of the platform's name; NULL: any */
    const char *device;        /* part of the device's name; NULL: any */
    int         index;         /* among those that match, in the loader's order */
    const char *build_options; /* added to -cl-std=CL1.2 */
    int         profiling;     /* 1: the queue takes times, for irl_ocl_module_time */
    /* a user's own objects, all three or none; they are retained, not taken. A queue out of order
       gets a barrier behind each kernel */
    struct _cl_context       *context;
    struct _cl_device_id     *device_id;
    struct _cl_command_queue *queue;
    /* a directory of built programs; NULL: none. A program that was built before from the same
       source, for the same device and driver and with the same options, is read from there, any
       other is built and written there. A file that is not what it was is built again; what cannot
       be written is not kept. Whoever may write there decides what the device runs */
    const char *binaries;
} irl_ocl_desc;

/* NULL without a device (IRL_ERROR_NO_DEVICE) or on failure. `desc` may be NULL. */
IRL_API irl_ocl    *irl_ocl_create(irl_ctx *cx, const irl_ocl_desc *desc);
/* NULL is legal. What was built for the device may be released before or after: the last to go
   takes the rest along. */
IRL_API void        irl_ocl_destroy(irl_ocl *cl);
/* "" for NULL. */
IRL_API const char *irl_ocl_device_name(const irl_ocl *cl);
/* The row of the library's targets that fits the device: irl_target_opencl12_gpu for what calls
   itself a GPU, irl_target_opencl12_avx2 where vectors of the device have up to 8 floats, else
   irl_target_opencl12, also for NULL. Limits of the row that the device falls short of are refused
   where a module is built for it.
       m = irl_func_lower(f, irl_ocl_target(cl)); */
IRL_API const irl_target *irl_ocl_target(const irl_ocl *cl);
/* The OpenCL objects, to mix with code of one's own: cl_context, cl_device_id, cl_command_queue.
   They stay ours. */
IRL_API struct _cl_context       *irl_ocl_context(const irl_ocl *cl);
IRL_API struct _cl_device_id     *irl_ocl_device(const irl_ocl *cl);
IRL_API struct _cl_command_queue *irl_ocl_queue(const irl_ocl *cl);

/* Runs a module, which must be of the device's irl_ctx, on logical arrays: packs each through its
   layout, runs the host function, unpacks what was written. The arguments are those of
   irl_func_interpret. Waits for the end. Programs are built once and kept while the device is open.
   Where a padding's value is not stated, its bytes are 0xa5. 1, or 0 with a diagnostic. */
IRL_API int irl_ocl_run(irl_ocl *cl, const irl_module *m, irl_arguments arguments);
/* The same with arguments that are checked before anything runs: see irl_tensor. */
IRL_API int irl_ocl_run_tensors(irl_ocl *cl, const irl_module *m, int count,
                                const irl_tensor *tensors);

/* Builds a module's kernels. The compiler's message is the diagnostic, with the line of the source
   that it names. Cost: the driver's compiler. */
IRL_API irl_ocl_module *irl_ocl_module_create(irl_ocl *cl, const irl_module *m);
IRL_API void           irl_ocl_module_destroy(irl_ocl_module *b); /* NULL is legal */
IRL_API const irl_ocl_program *irl_ocl_module_program(const irl_ocl_module *b);

/* Runs the host function of a built module on memory of the device: for each buffer parameter a
   cl_mem that holds its ABI shape (irl_func_param_memory), an image where its scope is one, for a
   scalar a pointer to it. Enqueues and returns; irl_ocl_finish waits. The memory is the caller's,
   must be of the device's context, and two parameters may not share memory if one is written:
   kernels take buffers `restrict`. Buffers and parts of buffers that do, and what is of another
   kind or too small, are refused (IRL_ERROR_ARGUMENT_MISMATCH), one image given twice with
   IRL_ERROR_IMAGE_READ_WRITE. An array that IRL_ARGS passes for a cl_mem is refused; by
   IRL_POINTERS, which cl_mem handles need, it cannot be seen. Temporaries of the module share
   memory of the device, as irl_plan says with the values of these arguments; it is made by the
   first run, kept while the values stay the same, and given back with the module. A pool that is
   larger than CL_DEVICE_MAX_MEM_ALLOC_SIZE is none: its temporaries have memory of their own. */
IRL_API int irl_ocl_module_execute(irl_ocl_module *b, irl_arguments arguments);
/* Enqueues one kernel, its arguments likewise. */
IRL_API int irl_ocl_module_launch(irl_ocl_module *b, int kernel, irl_arguments arguments);
IRL_API int irl_ocl_finish(irl_ocl *cl);
/* Runs `repeats` times, waiting for each; the least time that the kernels took on the device, in
   nanoseconds. -1 on failure. The device must have been opened with `profiling`. */
IRL_API int64_t irl_ocl_module_time(irl_ocl_module *b, irl_arguments arguments, int repeats);

/* New memory of the device for buffer parameter k of a module's host function, a buffer or an
   image: its ABI shape. The values of index parameters are read from `arguments`, whose other
   pointers may be NULL. The caller frees it: irl_ocl_memory_destroy. NULL on failure. */
IRL_API struct _cl_mem *irl_ocl_memory_create(irl_ocl *cl, const irl_module *m, int k,
                                              irl_arguments arguments);
/* Packs the logical array that arguments.data[k] points to into such memory, through the
   parameter's layout; and unpacks the memory into it. They wait. 1, or 0 with a diagnostic: no
   array, memory that is too small, a map that has no place for a point. */
IRL_API int irl_ocl_memory_upload(irl_ocl *cl, const irl_module *m, int k, irl_arguments arguments,
                                  struct _cl_mem *memory);
IRL_API int irl_ocl_memory_download(irl_ocl *cl, const irl_module *m, int k,
                                    irl_arguments arguments, struct _cl_mem *memory);
IRL_API void irl_ocl_memory_destroy(struct _cl_mem *memory);

/* A graph (irl_graph_lower), or any module whose parameters are tensors with numbers for extents,
   that runs many times: kernels are built and memory for inputs and outputs is made once, and what
   was set stays set, so weights are packed and uploaded once.
       irl_ocl_graph *net = irl_ocl_graph_create(cl, m);
       irl_ocl_graph_set(net, "x", x_data);
       irl_ocl_graph_run(net);
       irl_ocl_graph_get(net, "y", y_data);
       irl_ocl_graph_destroy(net);
   `set` packs a logical array through the layout of that input; `run` enqueues all nodes, and is
   refused (IRL_ERROR_ARGUMENT_MISMATCH) while an input has not been set; `get` waits, and unpacks.
   The host function runs once, in `create`: memory between nodes is made there, shared as irl_plan
   says, and kept, kernels get their arguments, and a run enqueues them. IRL_ERROR_UNSUPPORTED: the
   host function has calls, or a parameter is no tensor. The device and the module outlive it. NULL
   and 0 with a diagnostic. */
typedef struct irl_ocl_graph irl_ocl_graph;
IRL_API irl_ocl_graph *irl_ocl_graph_create(irl_ocl *cl, const irl_module *m);
IRL_API void           irl_ocl_graph_destroy(irl_ocl_graph *net); /* NULL is legal */
IRL_API int irl_ocl_graph_set(irl_ocl_graph *net, const char *name, const void *data);
IRL_API int irl_ocl_graph_run(irl_ocl_graph *net);
IRL_API int irl_ocl_graph_get(irl_ocl_graph *net, const char *name, void *data);

/* A graph as its text or JSON, to be run: parsed, fused, its tensors placed within the device's
   limits (irl_graph_place_tensors), lowered, built. Before a kernel is built each image is made
   once on trial; where the device gives none the tensor gets the next layout, as try_image has it,
   and plain memory behind the last. An image that a function states is refused with its sides and
   the device's answer. Zero is the default everywhere. *places, which may be NULL, says of each
   tensor where it lies and why. */
typedef struct irl_ocl_graph_options {
    const irl_target *target;      /* NULL: opencl12, which leaves tensors in plain memory */
    const char       *file;        /* for diagnostics; NULL: none */
    int               keeps_nodes; /* 1: nodes are not fused */
    /* its limits of images are the device's, and so is try_image; plain is not looked at */
    const irl_graph_storage_options *storage;
} irl_ocl_graph_options;
IRL_API irl_ocl_graph *irl_ocl_graph_load(irl_ocl *cl, const char *text, size_t length,
                                          const irl_ocl_graph_options *how, const char **places);

/* Runs `repeats` times, waiting for each launch; the least time that the kernels of a run took on
   the device, in nanoseconds, -1 on failure. The device must have been opened with `profiling`. */
IRL_API int64_t irl_ocl_graph_time(irl_ocl_graph *net, int repeats);
/* What a run enqueues, in order. A node is one launch, or several: those in front of the one that
   writes its tensor write memory of its own. */
typedef struct irl_ocl_graph_launch {
    const char *kernel;
    const char *writes;      /* a tensor of the graph, or memory of a node's own */
    int64_t     nanoseconds; /* the least that irl_ocl_graph_time saw; 0: not asked */
} irl_ocl_graph_launch;
IRL_API int                  irl_ocl_graph_launch_count(const irl_ocl_graph *net);
IRL_API irl_ocl_graph_launch irl_ocl_graph_launch_of(const irl_ocl_graph *net, int k);
/* What the runtime made for a device since it was opened. */
typedef struct irl_ocl_made {
    int64_t buffers, images;
    int64_t programs; /* that were built of their source */
    int64_t binaries; /* that were read from irl_ocl_desc.binaries */
} irl_ocl_made;
IRL_API irl_ocl_made irl_ocl_made_of(const irl_ocl *cl);

#endif

#ifdef __cplusplus
}
#endif

#endif /* IRLAYOUT_MAPS_ONLY */
#endif /* IRLAYOUT_OCL_H: stop here if you only want the API */

/* ================================================================== >>implementation */

#include "irlayout.h" /* its implementation first, also where its guard was passed before */
#if defined(IRLAYOUT_IMPLEMENTATION) && !defined(IRLAYOUT_OCL_IMPLEMENTATION_DONE) && \
    !defined(IRLAYOUT_MAPS_ONLY)
#define IRLAYOUT_OCL_IMPLEMENTATION_DONE
#include "src/base/ds_begin.h"
/* ocl: the OpenCL emitter */
#include "src/ocl/emit_shuffle.c"
#include "src/ocl/emit_run.c"
#include "src/ocl/emit_image.c"
#include "src/ocl/emit_vector.c"
#include "src/ocl/emit_builtin.c"
#include "src/ocl/emit_language.c"
#include "src/ocl/emit_ocl.c"
#include "src/ocl/emit_calls.c"
/* the runtime, only where it is asked for */
#ifdef IRLAYOUT_OCL_RUNTIME
#include "src/ocl/runtime.c"
#include "src/ocl/runtime_image.c"
#include "src/ocl/runtime_check.c"
#include "src/ocl/runtime_probe.c"
#include "src/ocl/runtime_formats.c"
#include "src/ocl/runtime_pack.c"
#include "src/ocl/runtime_binary.c"
#include "src/ocl/runtime_build.c"
#include "src/ocl/runtime_record.c"
#include "src/ocl/runtime_memory.c"
#include "src/ocl/runtime_run.c"
#include "src/ocl/runtime_graph.c"
#include "src/ocl/runtime_load.c"
#endif
#include "src/base/ds_end.h"
#endif
