/* irlayout_ocl.h - emits a lowered module as OpenCL C, and, on request, runs it on a device.

   HOW TO ADD IT
       Add it as you would add irlayout.h, and include this file instead of irlayout.h. To emit
       OpenCL C, OpenCL need not be installed. To run kernels too, define IRLAYOUT_OCL_RUNTIME next
       to IRLAYOUT_IMPLEMENTATION and link the OpenCL loader:

           #define IRLAYOUT_IMPLEMENTATION
           #define IRLAYOUT_OCL_RUNTIME
           #include "irlayout_ocl.h"                           cc program.c -lOpenCL -lm

   EMITTING
       irl_module *m = irl_func_lower(f, irl_target_find("opencl12"));
       puts(irl_ocl_source(m));

   RUNNING: irl_ocl_run packs arrays through their layouts, runs the module, and unpacks the results
       irl_ocl *cl = irl_ocl_create(cx, NULL);                 the first OpenCL device
       irl_ocl_run(cl, m, IRL_ARGS(x_data, y_data));
       irl_ocl_destroy(cl);

   RUNNING MANY TIMES on memory of the device: pass cl_mem handles instead of pointers
       irl_ocl_module *b = irl_ocl_module_create(cl, m);
       irl_ocl_module_execute(b, IRL_POINTERS(x_mem, y_mem));
       irl_ocl_finish(cl);

   YOUR OWN BUFFERS: irl_func_param_memory says how large a buffer is after layouts are applied
       irl_tensor memory;
       irl_func_param_memory(irl_module_host(m), 0, IRL_POINTERS(NULL, NULL), &memory);
       cl_mem own = clCreateBuffer(irl_ocl_context(cl), CL_MEM_READ_WRITE, memory.bytes, 0, NULL);
       irl_ocl_memory_upload(cl, m, 0, IRL_POINTERS(x_data, NULL), own);

   LAUNCHING BY HAND, in a program that also has other OpenCL code: irl_ocl_emit returns the source,
   and for each kernel its name, its arguments in order and its sizes.

   The source is OpenCL C 1.2; build it with -cl-std=CL1.2. Names that are not identifiers of C are
   changed. Emitted code assumes that memory is aligned to 128 bytes, as memory that OpenCL
   allocates is. If the memory of a parameter may have a smaller alignment (CL_MEM_USE_HOST_PTR),
   you must state the alignment in the function: x: f32[64] align(4). */
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

/* An argument of a kernel. For a buffer, pass a cl_mem of at least irl_ocl_kernel_bytes bytes. Pass
   a scalar by value, in `bytes` bytes: an index as a cl_long (as a cl_int for a target without
   64-bit integers), a bool as a cl_uchar, f16 and bf16 as a cl_ushort that holds their bits, other
   scalars unchanged. */
typedef struct irl_ocl_argument {
    const char    *name;      /* its name in the source */
    irl_type       type;      /* the type of an element, or of the scalar */
    irl_scope      scope;
    int            is_buffer;
    irl_ocl_access access;
    /* rank, shape: of a buffer in memory, which is row-major and compact */
    int            rank;
    const irl_expr *const *shape;
    /* "image2d_t", "image2d_array_t", ...; NULL if the argument is not an image. If a kernel writes
       an image1d_buffer_t, pass the cl_mem of the underlying buffer instead of the image */
    const char    *image;
    /* of an image. The axes from number `columns` on give the column (x) and the lane of a CL_RGBA
       texel. The axes from number `rows` on, before those, give the row (y). The axes before `rows`
       give the layer of an array or the slice of a volume */
    int            columns;
    int            rows;
    /* the values of a texel: four scalars of `type`; or more, in 128 bits of an image of
       CL_UNSIGNED_INT32 */
    int            texel;
    size_t         bytes;     /* of a scalar; 0 for a buffer: call irl_ocl_kernel_bytes */
} irl_ocl_argument;

/* A kernel. Its sizes are expressions over its index arguments: call irl_ocl_kernel_sizes. */
typedef struct irl_ocl_kernel {
    const char             *name;     /* its name in the source */
    const irl_func         *function; /* the function that it was emitted from */
    int                     argument_count;
    const irl_ocl_argument *arguments;
    int                     dimensions; /* 1 to 3 */
    const irl_expr         *global[3];  /* numbers of work-items */
    /* the sizes of a work-group; NULL: you or the driver may choose a size */
    const irl_expr         *local[3];
    int                     local_is_fixed; /* 1: `local` is required; 0: `local` is a proposal */
    /* the most bytes that a buffer argument may have: without 64-bit integers, indices reach no
       further */
    int64_t                 buffer_bytes;
} irl_ocl_kernel;

typedef struct irl_ocl_program {
    const char           *source;
    int                   kernel_count;
    const irl_ocl_kernel *kernels; /* in the order of the module */
} irl_ocl_program;

/* Returns the OpenCL C source of a module's kernels. It is owned by the context; "" on failure. */
IRL_API const char *irl_ocl_source(const irl_module *m);

/* Returns the source together with everything that a host needs to launch the kernels; NULL on
   failure. */
IRL_API const irl_ocl_program *irl_ocl_emit(const irl_module *m);

/* Returns a module as C that calls OpenCL: the kernels as strings, and the calls that build them,
   copy to the device, launch, copy back, and check for errors. The C code needs CL/cl.h and
   -lOpenCL, but not this library. For a function f it has three functions. f_create(&cl, NULL,
   NULL, NULL) opens the first device; pass a context, a device and a queue of your own instead of
   NULL to use these. f(&cl, n, x, y) runs the module. f_destroy(&cl) frees everything. f_create and
   f return 1; or 0, with the reason in cl.status, cl.what and cl.log. Pass each buffer as an array
   in its physical layout (irl_func_param_memory), and an image as an array of its texels, row after
   row. The text is owned by the context. It is "" with IRL_ERROR_UNSUPPORTED if the module has an
   image over a buffer. */
IRL_API const char *irl_ocl_c_source(const irl_module *m);

/* Computes the sizes of a launch from the values of the kernel's index arguments, in order (NULL if
   it has none). If no local size is proposed, local[0] becomes 0: pass NULL to
   clEnqueueNDRangeKernel instead of `local`. If a global size is 0, as for a loop of negative
   extent, do not launch the kernel. Returns 1, or 0 if a size overflows. */
IRL_API int irl_ocl_kernel_sizes(irl_ctx *cx, const irl_ocl_kernel *kernel, const int64_t *indices,
                                 size_t global[3], size_t local[3]);

/* Returns how many bytes of memory argument k of the kernel, a buffer, needs for these values of
   the kernel's index arguments. Returns -1 on failure, or if the bytes are more than the kernel's
   buffer_bytes. */
IRL_API int64_t irl_ocl_kernel_bytes(irl_ctx *cx, const irl_ocl_kernel *kernel, int k,
                                     const int64_t *indices);

/* ====================================================== >>the runtime (IRLAYOUT_OCL_RUNTIME) */

#if defined(IRLAYOUT_OCL_RUNTIME) || \
    !defined(IRL_STATIC) /* static functions must be defined where they are declared */

/* A device with its OpenCL context and queue. It belongs to an irl_ctx, which provides its memory
   and gets its diagnostics. irl_ctx_rewind does not destroy it. You must destroy it before the
   irl_ctx, because it owns OpenCL objects. */
typedef struct irl_ocl irl_ocl;

/* A module built for a device. The irl_module must exist as long as the built module is used. */
typedef struct irl_ocl_module irl_ocl_module;

/* Which device, and how it is used. Zero is the default of every field. */
typedef struct irl_ocl_desc {
    const char *platform;      /* part of the platform's name; NULL: any */
    const char *device;        /* part of the device's name; NULL: any */
    /* the number of the device among the devices that match, from 0, in the loader's order */
    int         index;
    const char *build_options; /* added to -cl-std=CL1.2 */
    int         profiling;     /* 1: the queue measures times, for irl_ocl_module_time */
    /* OpenCL objects of your own: set all three or none. The library retains them while the device
       is open. If the queue is out of order, a barrier follows each kernel */
    struct _cl_context       *context;
    struct _cl_device_id     *device_id;
    struct _cl_command_queue *queue;
    /* a directory that caches built programs; NULL: no cache. If a program was built before from
       the same source, for the same device and driver and with the same options, it is read from
       the directory. Any other program is built, and then written to the directory. If a file is
       damaged, the program is built again; if a file cannot be written, that is not an error.
       Anyone who can write to the directory can change what the device runs */
    const char *binaries;
} irl_ocl_desc;

/* Opens a device. The call returns NULL if no device matches (IRL_ERROR_NO_DEVICE), or on another
   failure. `desc` may be NULL. */
IRL_API irl_ocl    *irl_ocl_create(irl_ctx *cx, const irl_ocl_desc *desc);

/* Closes a device. NULL is legal. You may destroy modules and graphs that were built for it before
   or after it. */
IRL_API void        irl_ocl_destroy(irl_ocl *cl);

/* Returns the device's name; "" for NULL. */
IRL_API const char *irl_ocl_device_name(const irl_ocl *cl);

/* Returns the library's target that suits the device. For a GPU that is
   irl_target_opencl12_embedded if the device has the embedded profile, irl_target_mali if its
   shared memory is global memory, otherwise irl_target_opencl12_gpu. For other devices it is
   irl_target_opencl12_avx2 if the device's vectors have up to 8 floats, otherwise (and for NULL)
   irl_target_opencl12. If a module needs more than the device has, building it fails.
       m = irl_func_lower(f, irl_ocl_target(cl)); */
IRL_API const irl_target *irl_ocl_target(const irl_ocl *cl);

/* Return the OpenCL objects for use in your own code: cl_context, cl_device_id, cl_command_queue.
   The device keeps owning them. */
IRL_API struct _cl_context       *irl_ocl_context(const irl_ocl *cl);
IRL_API struct _cl_device_id     *irl_ocl_device(const irl_ocl *cl);
IRL_API struct _cl_command_queue *irl_ocl_queue(const irl_ocl *cl);

/* Runs a module of the device's irl_ctx on logical arrays: it packs each array through its layout,
   runs the host function, waits for the end, and unpacks the arrays that were written. Returns 1,
   or 0 with a diagnostic. The arguments are those of irl_func_interpret. Programs are built once
   and kept while the device is open. If no value is stated for unused cells, their bytes are
   0xa5. */
IRL_API int irl_ocl_run(irl_ocl *cl, const irl_module *m, irl_arguments arguments);

/* Does the same with arguments that are checked before anything runs (irl_tensor). */
IRL_API int irl_ocl_run_tensors(irl_ocl *cl, const irl_module *m, int count,
                                const irl_tensor *tensors);

/* Builds a module's kernels. The call returns NULL on failure; the diagnostic has the message of
   the driver's compiler and the line of the source that the message names. Cost: that of the
   compiler. */
IRL_API irl_ocl_module *irl_ocl_module_create(irl_ocl *cl, const irl_module *m);
IRL_API void            irl_ocl_module_destroy(irl_ocl_module *b); /* NULL is legal */

/* Returns the emitted program, with its source and its kernels; NULL for NULL. */
IRL_API const irl_ocl_program *irl_ocl_module_program(const irl_ocl_module *b);

/* Runs the host function of a built module on memory of the device. It enqueues the kernels and
   returns without waiting; irl_ocl_finish waits. Returns 1, or 0 with a diagnostic. Pass a cl_mem
   of the shape in memory (irl_func_param_memory) for each buffer parameter; it must be an image if
   the scope of the parameter is an image. Pass a pointer to each scalar. Use IRL_POINTERS, because
   a cl_mem in IRL_ARGS is refused.

   The memory remains yours, and must belong to the device's OpenCL context. Two parameters must not
   share memory if one of them is written, because kernels declare buffers `restrict`. In that
   case buffers or sub-buffers that overlap are refused (IRL_ERROR_ARGUMENT_MISMATCH), and so is one
   image passed twice (IRL_ERROR_IMAGE_READ_WRITE). A buffer where an image is expected, or the
   reverse, and memory that is too small are refused too (IRL_ERROR_ARGUMENT_MISMATCH). Do not
   pass an array of the host by IRL_POINTERS: this cannot be detected.

   Temporaries of the module share memory of the device, as irl_plan says for the values of these
   arguments. The first run creates this memory. It is kept while the values stay the same, and
   freed with the module. If a pool exceeds CL_DEVICE_MAX_MEM_ALLOC_SIZE, its temporaries do not
   share memory. */
IRL_API int irl_ocl_module_execute(irl_ocl_module *b, irl_arguments arguments);

/* Enqueues one kernel. Pass its arguments in the same way. */
IRL_API int irl_ocl_module_launch(irl_ocl_module *b, int kernel, irl_arguments arguments);

/* Waits until everything that was enqueued has ended. Returns 1, or 0 with a diagnostic. */
IRL_API int irl_ocl_finish(irl_ocl *cl);

/* Runs the module `repeats` times, waiting each time. Returns the least time that the kernels of a
   run took on the device, in nanoseconds; -1 on failure. The device must have been opened with
   `profiling`. */
IRL_API int64_t irl_ocl_module_time(irl_ocl_module *b, irl_arguments arguments, int repeats);

/* Returns new memory of the device for buffer parameter k of a module's host function: a buffer or
   an image, of the shape in memory. The values of index parameters are read from `arguments`; other
   pointers in `arguments` may be NULL. Free the memory by irl_ocl_memory_destroy. The call returns
   NULL on failure. */
IRL_API struct _cl_mem *irl_ocl_memory_create(irl_ocl *cl, const irl_module *m, int k,
                                              irl_arguments arguments);

/* upload: packs the logical array at arguments.data[k] into such memory, through the layout of the
   parameter. download: unpacks the memory into that array. Both wait until the work is done. They
   return 1; or 0 with a diagnostic if there is no array, if the memory is too small, or if the map
   has no value at a point. */
IRL_API int irl_ocl_memory_upload(irl_ocl *cl, const irl_module *m, int k, irl_arguments arguments,
                                  struct _cl_mem *memory);
IRL_API int irl_ocl_memory_download(irl_ocl *cl, const irl_module *m, int k,
                                    irl_arguments arguments, struct _cl_mem *memory);

/* Frees memory of irl_ocl_memory_create. */
IRL_API void irl_ocl_memory_destroy(struct _cl_mem *memory);

/* A module of a graph (irl_graph_lower) that is ready to run many times. Any other module will do
   too if its parameters are tensors whose extents are numbers. Kernels are built once, and the
   memory for inputs and outputs is created once. An input keeps its value until you set it again,
   so you need to set weights only once.
       irl_ocl_graph *net = irl_ocl_graph_create(cl, m);
       irl_ocl_graph_set(net, "x", x_data);
       irl_ocl_graph_run(net);
       irl_ocl_graph_get(net, "y", y_data);
       irl_ocl_graph_destroy(net);
   `set` packs a logical array through the layout of the input, and uploads it. `run` enqueues all
   nodes; it fails (IRL_ERROR_ARGUMENT_MISMATCH) if an input has never been set. `get` waits,
   downloads an output and unpacks it. `create` runs the host function once: it creates the memory
   of the tensors between nodes, shared as irl_plan says, and sets the arguments of kernels. On
   failure the functions return NULL or 0 with a diagnostic: IRL_ERROR_UNSUPPORTED if the host
   function has calls, or if a parameter is not a tensor. The device and the module must exist
   longer than the graph.

   `create_prepared` takes the names of inputs that stay the same for many runs, with commas
   between. The kernels that depend only on them (irl_module_prepare) run once, in the first run
   after one of these inputs was set. The functions about launches leave these kernels out.
       irl_ocl_graph *net = irl_ocl_graph_create_prepared(cl, m, "w, b"); */
typedef struct irl_ocl_graph irl_ocl_graph;

IRL_API irl_ocl_graph *irl_ocl_graph_create(irl_ocl *cl, const irl_module *m);
IRL_API irl_ocl_graph *irl_ocl_graph_create_prepared(irl_ocl *cl, const irl_module *m,
                                                     const char *weights);
IRL_API void           irl_ocl_graph_destroy(irl_ocl_graph *net); /* NULL is legal */
IRL_API int irl_ocl_graph_set(irl_ocl_graph *net, const char *name, const void *data);
IRL_API int irl_ocl_graph_run(irl_ocl_graph *net);
IRL_API int irl_ocl_graph_get(irl_ocl_graph *net, const char *name, void *data);

#ifndef IRLAYOUT_NO_GRAPHS
/* Returns a graph that is ready to run, from its text or JSON. It parses the graph, fuses nodes,
   places tensors within the device's limits (irl_graph_place_tensors), lowers the graph and builds
   it. Before kernels are built, each image is created once as a trial. If the device refuses the
   image, the tensor gets the next layout (irl_graph_storage_options.try_image); if the device
   refuses all layouts, the tensor gets plain memory. If a function states an image that the device
   refuses, the graph is refused; the diagnostic has the width and height of the image and the
   device's answer. *places says for each tensor where it is and why; `places` may be NULL. Zero is
   the default of every option. */
typedef struct irl_ocl_graph_options {
    const irl_target *target;      /* NULL: opencl12, which leaves tensors in plain memory */
    const char       *file;        /* for diagnostics; NULL: none */
    int               keeps_nodes; /* 1: nodes are not fused */
    const char       *weights;     /* as for irl_ocl_graph_create_prepared; NULL: none */
    /* options for placing tensors. Limits of images and try_image are taken from the device
       instead; `plain` is ignored */
    const irl_graph_storage_options *storage;
} irl_ocl_graph_options;

IRL_API irl_ocl_graph *irl_ocl_graph_load(irl_ocl *cl, const char *text, size_t length,
                                          const irl_ocl_graph_options *how, const char **places);
#endif

/* Runs the graph `repeats` times, waiting for each launch. Returns the least time that the kernels
   of a run took on the device, in nanoseconds; -1 on failure. The device must have been opened with
   `profiling`. */
IRL_API int64_t irl_ocl_graph_time(irl_ocl_graph *net, int repeats);

/* One launch of a run; launches are numbered in order, from 0. A node may need several launches:
   the earlier launches write temporaries of the node, and the last launch writes its tensor. */
typedef struct irl_ocl_graph_launch {
    const char *kernel;
    const char *writes;      /* a tensor of the graph, or a temporary of a node */
    int64_t     nanoseconds; /* the least time that irl_ocl_graph_time measured; 0: not measured */
} irl_ocl_graph_launch;

IRL_API int                  irl_ocl_graph_launch_count(const irl_ocl_graph *net);
IRL_API irl_ocl_graph_launch irl_ocl_graph_launch_of(const irl_ocl_graph *net, int k);

/* The number of objects that the runtime has made for a device since the device was opened. */
typedef struct irl_ocl_made {
    int64_t buffers, images;
    int64_t programs; /* programs built from source */
    int64_t binaries; /* programs read from irl_ocl_desc.binaries */
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
#ifndef IRLAYOUT_NO_GRAPHS
#include "src/ocl/runtime_load.c"
#endif
#endif
#include "src/base/ds_end.h"
#endif
