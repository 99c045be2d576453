/* emit_calls.c - a module as a whole program in C: its kernels as strings, and the calls of OpenCL
   that build, feed and launch them.

   requires  a module that was lowered for a target with work-items
   promises  the text compiles as C99, needs CL/cl.h and -lOpenCL, and nothing of this library; the
             host function's loops, conditions, assertions and temporaries are in it. The state
             keeps the first failure of a call, with the name of the call, and nothing is called
             after it. Memory of the device is freed on every path
   cost      linear in the module

   The printers of C print the host function; only launches and memory of the device are printed
   here. */
#include "ocl.h"
#include "../emit/c.h"

typedef struct irl__calls {
    irl__c_program         c; /* first: what C's printers look at */
    const irl_ocl_program *kernels;
    irl__emit_language     language;
    const char            *name;
} irl__calls;

static irl__calls *irl__calls_of(const irl__emit *e)
{
    return (irl__calls *)e->unit->user;
}

/* ------------------------------------------------------------------ text that is the same */

/* $ stands for the name of the function. */
static const char irl__calls_head[] =
    "#ifndef CL_TARGET_OPENCL_VERSION\n"
    "#define CL_TARGET_OPENCL_VERSION 120\n"
    "#endif\n"
    "#include <CL/cl.h>\n"
    "#include <stddef.h>\n"
    "#include <stdint.h>\n"
    "#include <string.h>\n\n"
    "/* A device, and the kernels built for it. Once `status` is not CL_SUCCESS nothing more is\n"
    "   called: `what` says which call failed, `log` what the compiler said. */\n"
    "typedef struct $_opencl {\n"
    "    cl_context       context;\n"
    "    cl_device_id     device;\n"
    "    cl_command_queue queue;\n"
    "    cl_program       program;\n"
    "    cl_kernel        kernels[$_kernel_count];\n"
    "    cl_int           status;\n"
    "    const char      *what;\n"
    "    char             log[1024];\n"
    "} $_opencl;\n\n"
    "/* Takes the first device that there is, or the caller's: all three or none. 1, or 0. */\n"
    "int $_create($_opencl *cl, cl_context context, cl_device_id device, cl_command_queue queue);\n"
    "void $_destroy($_opencl *cl);\n";

static const char irl__calls_calls[] =
    "static int $_ok($_opencl *cl, cl_int status, const char *what)\n{\n"
    "    if (cl->status == CL_SUCCESS && status != CL_SUCCESS) {\n"
    "        cl->status = status;\n        cl->what = what;\n    }\n"
    "    return cl->status == CL_SUCCESS;\n}\n\n"
    "static void $_find($_opencl *cl)\n{\n"
    "    cl_platform_id platforms[16];\n    cl_uint count = 0, k;\n    cl_int status;\n"
    "    if (!$_ok(cl, clGetPlatformIDs(16, platforms, &count), \"clGetPlatformIDs\")) return;\n"
    "    for (k = 0; k < count && k < 16 && !cl->device; k++)\n"
    "        if (clGetDeviceIDs(platforms[k], CL_DEVICE_TYPE_ALL, 1, &cl->device, NULL) !=\n"
    "            CL_SUCCESS)\n            cl->device = NULL;\n"
    "    if (!cl->device) {\n"
    "        (void)$_ok(cl, CL_DEVICE_NOT_FOUND, \"clGetDeviceIDs\");\n        return;\n    }\n"
    "    cl->context = clCreateContext(NULL, 1, &cl->device, NULL, NULL, &status);\n"
    "    if (!$_ok(cl, status, \"clCreateContext\")) return;\n"
    "    cl->queue = clCreateCommandQueue(cl->context, cl->device, 0, &status);\n"
    "    (void)$_ok(cl, status, \"clCreateCommandQueue\");\n}\n\n"
    "static void $_build($_opencl *cl)\n{\n"
    "    const char *lines[sizeof $_source / sizeof *$_source];\n"
    "    const cl_uint count = (cl_uint)(sizeof lines / sizeof *lines);\n"
    "    cl_int status;\n    cl_uint k;\n"
    "    for (k = 0; k < count; k++) lines[k] = $_source[k];\n"
    "    cl->program = clCreateProgramWithSource(cl->context, count, lines, NULL, &status);\n"
    "    if (!$_ok(cl, status, \"clCreateProgramWithSource\")) return;\n"
    "    status = clBuildProgram(cl->program, 1, &cl->device, \"-cl-std=CL1.2\", NULL, NULL);\n"
    "    if (status != CL_SUCCESS)\n"
    "        (void)clGetProgramBuildInfo(cl->program, cl->device, CL_PROGRAM_BUILD_LOG,\n"
    "                                    sizeof cl->log - 1, cl->log, NULL);\n"
    "    if (!$_ok(cl, status, \"clBuildProgram\")) return;\n"
    "    for (k = 0; k < $_kernel_count; k++) {\n"
    "        cl->kernels[k] = clCreateKernel(cl->program, $_names[k], &status);\n"
    "        if (!$_ok(cl, status, \"clCreateKernel\")) return;\n    }\n}\n\n"
    "int $_create($_opencl *cl, cl_context context, cl_device_id device, cl_command_queue queue)\n"
    "{\n"
    "    memset(cl, 0, sizeof *cl);\n"
    "    if (context && device && queue) {\n"
    "        (void)$_ok(cl, clRetainContext(context), \"clRetainContext\");\n"
    "        (void)$_ok(cl, clRetainCommandQueue(queue), \"clRetainCommandQueue\");\n"
    "        cl->context = context;\n        cl->device = device;\n        cl->queue = queue;\n"
    "    } else $_find(cl);\n"
    "    if (cl->status == CL_SUCCESS) $_build(cl);\n"
    "    return cl->status == CL_SUCCESS;\n}\n\n"
    "void $_destroy($_opencl *cl)\n{\n    int k;\n"
    "    for (k = 0; k < $_kernel_count; k++)\n"
    "        if (cl->kernels[k]) (void)clReleaseKernel(cl->kernels[k]);\n"
    "    if (cl->program) (void)clReleaseProgram(cl->program);\n"
    "    if (cl->queue) (void)clReleaseCommandQueue(cl->queue);\n"
    "    if (cl->context) (void)clReleaseContext(cl->context);\n"
    "    memset(cl, 0, sizeof *cl);\n}\n\n";

/* What a program has if it calls it. */
static const struct irl__calls_row {
    const char *name, *text;
} irl__calls_rows[] = {
    { "memory",
      "static cl_mem $_memory($_opencl *cl, cl_mem_flags flags, size_t bytes)\n{\n"
      "    cl_int status = CL_SUCCESS;\n    cl_mem memory = NULL;\n"
      "    if (cl->status == CL_SUCCESS)\n"
      "        memory = clCreateBuffer(cl->context, flags, bytes ? bytes : 1, NULL, &status);\n"
      "    (void)$_ok(cl, status, \"clCreateBuffer\");\n    return memory;\n}\n\n" },
    { "release",
      "static void $_release(cl_mem memory)\n{\n"
      "    if (memory) (void)clReleaseMemObject(memory);\n}\n\n" },
    { "write",
      "static void $_write($_opencl *cl, cl_mem memory, size_t bytes, const void *data)\n{\n"
      "    if (cl->status == CL_SUCCESS && bytes)\n"
      "        (void)$_ok(cl, clEnqueueWriteBuffer(cl->queue, memory, CL_TRUE, 0, bytes, data, 0,\n"
      "                                            NULL, NULL), \"clEnqueueWriteBuffer\");\n"
      "}\n\n" },
    { "read",
      "static void $_read($_opencl *cl, cl_mem memory, size_t bytes, void *data)\n{\n"
      "    if (cl->status == CL_SUCCESS && bytes)\n"
      "        (void)$_ok(cl, clEnqueueReadBuffer(cl->queue, memory, CL_TRUE, 0, bytes, data, 0,\n"
      "                                           NULL, NULL), \"clEnqueueReadBuffer\");\n}\n\n" },
    { "argument",
      "static void $_argument($_opencl *cl, cl_kernel kernel, cl_uint k, size_t bytes,\n"
      "    const void *value)\n{\n"
      "    if (cl->status == CL_SUCCESS)\n"
      "        (void)$_ok(cl, clSetKernelArg(kernel, k, bytes, value), \"clSetKernelArg\");\n"
      "}\n\n" },
    { "launch",
      "static void $_launch($_opencl *cl, cl_kernel kernel, cl_uint dimensions, int64_t x,\n"
      "    int64_t y, int64_t z, const size_t *group)\n{\n"
      "    size_t global[3];\n"
      "    if (cl->status != CL_SUCCESS || x <= 0 || y <= 0 || z <= 0) return;\n"
      "    global[0] = (size_t)x;\n    global[1] = (size_t)y;\n    global[2] = (size_t)z;\n"
      "    (void)$_ok(cl, clEnqueueNDRangeKernel(cl->queue, kernel, dimensions, NULL, global,\n"
      "                                          group, 0, NULL, NULL),\n"
      "               \"clEnqueueNDRangeKernel\");\n}\n\n" },
    { "image",
      "static cl_mem $_image($_opencl *cl, cl_mem_flags flags, cl_mem_object_type kind,\n"
      "    cl_channel_type type, const size_t *size)\n{\n"
      "    cl_image_format format;\n    cl_image_desc how;\n    cl_int status = CL_SUCCESS;\n"
      "    cl_mem memory = NULL;\n    memset(&how, 0, sizeof how);\n"
      "    format.image_channel_order = CL_RGBA;\n    format.image_channel_data_type = type;\n"
      "    how.image_type = kind;\n    how.image_width = size[0];\n"
      "    how.image_height = size[1];\n"
      "    if (kind == CL_MEM_OBJECT_IMAGE3D) how.image_depth = size[2];\n"
      "    if (kind == CL_MEM_OBJECT_IMAGE2D_ARRAY) how.image_array_size = size[2];\n"
      "    if (cl->status == CL_SUCCESS)\n"
      "        memory = clCreateImage(cl->context, flags, &format, &how, NULL, &status);\n"
      "    (void)$_ok(cl, status, \"clCreateImage\");\n    return memory;\n}\n\n" },
    { "write_image",
      "static void $_write_image($_opencl *cl, cl_mem memory, const size_t *size,\n"
      "    const void *data)\n"
      "{\n    const size_t origin[3] = { 0, 0, 0 };\n"
      "    if (cl->status == CL_SUCCESS)\n"
      "        (void)$_ok(cl, clEnqueueWriteImage(cl->queue, memory, CL_TRUE, origin, size, 0, 0,"
      "\n                                           data,"
      "\n                                           0, NULL, NULL), \"clEnqueueWriteImage\");\n"
      "}\n\n" },
    { "read_image",
      "static void $_read_image($_opencl *cl, cl_mem memory, const size_t *size, void *data)\n"
      "{\n    const size_t origin[3] = { 0, 0, 0 };\n"
      "    if (cl->status == CL_SUCCESS)\n"
      "        (void)$_ok(cl, clEnqueueReadImage(cl->queue, memory, CL_TRUE, origin, size, 0, 0,"
      "\n                                           data,"
      "\n                                          0, NULL, NULL), \"clEnqueueReadImage\");\n"
      "}\n\n" },
};

static void irl__calls_text(irl__text *t, const char *text, const char *name)
{
    for (; *text; text++)
        if (*text == '$') irl__text_puts(t, name);
        else irl__text_putc(t, *text);
}

/* The kernels' source, a string for each line. */
static void irl__calls_source(irl__text *t, const char *source, const char *name)
{
    irl__textf(t, "static const char *const %s_source[] = {\n    \"", name);
    for (; *source; source++) {
        if (*source == '\n') irl__text_puts(t, source[1] ? "\\n\",\n    \"" : "\\n");
        else {
            if (*source == '"' || *source == '\\' || *source == '?') irl__text_putc(t, '\\');
            irl__text_putc(t, *source);
        }
    }
    irl__text_puts(t, "\",\n};\n\n");
}

/* ------------------------------------------------------------------ sizes */

static void irl__calls_number(irl__emit *e, const irl_expr *x)
{
    const irl_expr *simple = irl__simplify(e->ranges, x);
    if (simple) irl__emit_index(e, simple, IRL__WIDTH_LONG, IRL__PREC_UNARY);
}

/* From the start of the memory to the end of the last element. */
static const irl_expr *irl__calls_bytes(irl__emit *e, const irl_buffer *b)
{
    const irl_expr *zero = irl_expr_index(e->cx, 0), *one = irl_expr_index(e->cx, 1), *n, *step,
                   *empty = NULL;
    int k;
    if (!b->strides) n = irl__c_elements_of(e, b, 0, b->rank);
    else {
        for (n = one, k = 0; n && k < b->rank; k++) {
            const irl_expr *is_empty = irl_expr_op2(e->cx, IRL_OP_LE, b->shape[k], zero);
            step = irl__mul(e->cx, irl__sub(e->cx, b->shape[k], one), b->strides[k]);
            n = irl__add(e->cx, n, step);
            empty = empty ? irl_expr_op2(e->cx, IRL_OP_OR, empty, is_empty) : is_empty;
        }
        if (n && empty) n = irl_expr_op3(e->cx, IRL_OP_IF_THEN_ELSE, empty, zero, n);
    }
    if (n && b->offset) n = irl__add(e->cx, n, b->offset);
    if (!n || !b->bits)
        return irl__op_number(e->cx, IRL_OP_MUL, n, (int64_t)irl__type_bytes(b->type));
    n = irl__op_number(e->cx, IRL_OP_MUL, n, b->bits);
    return irl__op_number(e->cx, IRL_OP_FLOORDIV, irl__op_number(e->cx, IRL_OP_ADD, n, 7), 8);
}

static const char *irl__calls_kind(const irl_buffer *b)
{
    switch (irl__image_of(b)) {
    case IRL__IMAGE_2D: return "CL_MEM_OBJECT_IMAGE2D";
    case IRL__IMAGE_ARRAY: return "CL_MEM_OBJECT_IMAGE2D_ARRAY";
    case IRL__IMAGE_VOLUME: return "CL_MEM_OBJECT_IMAGE3D";
    default: return NULL;
    }
}

/* ------------------------------------------------------------------ memory of the device */

/* cl_mem x_memory = f_memory(cl, CL_MEM_READ_WRITE, x_bytes); */
static int irl__calls_make(irl__emit *e, const irl_buffer *b, const char *name)
{
    irl__calls *p = irl__calls_of(e);
    int         is_image = irl__scope_is_image(b->scope);
    if (is_image && !irl__calls_kind(b))
        return irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, b->loc,
                         "'%s' is in scope %s, which a program in C has no code for: plain memory, "
                         "or an image of two or three dimensions", b->name,
                         irl__scope_text(b->scope));
    if (is_image) {
        const irl__texel_format *row = irl__emit_texel_row(irl__texel_type(b));
        /* const size_t x_size[3] = { columns, rows, layers }; */
        int columns = b->separators[b->separator_count - 1],
            rows = b->separator_count > 1 ? b->separators[b->separator_count - 2] : 0, part;
        irl__emitf(e, "\tconst size_t irl_size_%s[3] = { ", name);
        for (part = 0; part < 3; part++) {
            const irl_expr *n = part == 0   ? irl__c_elements_of(e, b, columns, b->rank)
                                : part == 1 ? irl__c_elements_of(e, b, rows, columns)
                                            : irl__c_elements_of(e, b, 0, rows);
            if (part == 0)
                n = irl__op_number(e->cx, IRL_OP_FLOORDIV, n,
                                   irl__texel_lanes(b) / (int)b->type.lanes);
            irl__text_puts(&e->text, part ? ", (size_t)" : "(size_t)");
            irl__calls_number(e, n);
        }
        irl__text_puts(&e->text, " };\n");
        irl__emitf(
            e, "\tcl_mem irl_memory_%s = %s_image(cl, CL_MEM_READ_WRITE, %s, %s, irl_size_%s);\n",
            name, p->name, irl__calls_kind(b), row ? row->opencl : "", name);
        return 1;
    }
    irl__emitf(e, "\tconst size_t irl_bytes_%s = (size_t)", name);
    irl__calls_number(e, irl__calls_bytes(e, b));
    irl__emitf(e, ";\n\tcl_mem irl_memory_%s = %s_memory(cl, CL_MEM_READ_WRITE, irl_bytes_%s);\n",
               name, p->name, name);
    return 1;
}

static void irl__calls_move(irl__emit *e, const irl_buffer *b, const char *name, const char *way)
{
    int is_image = irl__scope_is_image(b->scope);
    irl__emitf(e, "\t%s_%s%s(cl, irl_memory_%s, irl_%s_%s, %s);\n", irl__calls_of(e)->name, way,
               is_image ? "_image" : "", name, is_image ? "size" : "bytes", name, name);
}

static void irl__calls_release(irl__emit *e, const char *name)
{
    irl__emitf(e, "\t%s_release(irl_memory_%s);\n", irl__calls_of(e)->name, name);
}

/* ------------------------------------------------------------------ launches */

/* A size of the launch: over the kernel's parameters, so over what the host passes for them. */
static const irl_expr *irl__calls_size(irl__emit *e, const irl_ocl_kernel *kernel,
                                         const irl_stmt *s, const irl_expr *size)
{
    for (int j = 0; size && j < s->u.launch.count; j++)
        if (!kernel->function->params[j].buffer)
            size = irl__substitute(e->cx, size, 1, &kernel->function->params[j].var,
                                   &s->u.launch.args[j]);
    return size;
}

static void irl__calls_argument(irl__emit *e, const irl_ocl_argument *a, const irl_expr *x, int k,
                                  int number)
{
    const char             *name = irl__calls_of(e)->name;
    const irl__emit_symbol *symbol = irl__emit_find(e, x);
    irl__emit_line(e);
    if (a->is_buffer) {
        irl__textf(&e->text,
                   "%s_argument(cl, cl->kernels[%d], %d, sizeof(cl_mem), &irl_memory_%s);\n", name,
                   number, k, symbol ? symbol->name : "");
        return;
    }
    irl_type held = irl__emit_held(a->type);
    irl__textf(&e->text, "{\n");
    e->indent++;
    irl__emit_line(e);
    irl__textf(&e->text, "const %s value = ",
               a->type.scalar == IRL_BOOL  ? "uint8_t"
               : irl__type_is_index(a->type) && a->bytes == 4 ? "int32_t"
                                                              : e->language->types[held.scalar]);
    if (irl__type_is_index(a->type)) {
        if (a->bytes == 4) irl__text_puts(&e->text, "(int32_t)");
        irl__emit_index(e, x, IRL__WIDTH_LONG, IRL__PREC_UNARY);
    } else irl__emit_argument(e, x);
    irl__emitf(e, ";\n\t%s_argument(cl, cl->kernels[%d], %d, sizeof value, &value);\n", name,
               number, k);
    e->indent--;
    irl__emitf(e, "\t}\n");
}

static void irl__calls_launch(irl__emit *e, const irl_stmt *s)
{
    irl__calls         *p = irl__calls_of(e);
    int number = irl__launch_kernel(e->unit->module, s, &e->unit->next_kernel), k, d;
    const irl_ocl_kernel *kernel = number < 0 ? NULL : &p->kernels->kernels[number];
    if (!kernel || kernel->argument_count != s->u.launch.count) {
        irl__fail(e->cx, IRL_ERROR_UNKNOWN_NAME, s->loc, "there is no kernel '%s'",
                  s->u.launch.kernel);
        return;
    }
    for (k = 0; k < s->u.launch.count; k++)
        irl__calls_argument(e, &kernel->arguments[k], s->u.launch.args[k], k, number);
    if (kernel->local_is_fixed) {
        irl__emitf(e, "\t{\n");
        e->indent++;
        irl__emitf(e, "\tconst size_t group[3] = { ");
        for (d = 0; d < 3; d++) {
            irl__text_puts(&e->text, d ? ", (size_t)" : "(size_t)");
            irl__calls_number(e, kernel->local[d] ? irl__calls_size(e, kernel, s,
                                                                         kernel->local[d])
                                                    : irl_expr_index(e->cx, 1));
        }
        irl__text_puts(&e->text, " };\n");
    }
    irl__emitf(e, "\t%s_launch(cl, cl->kernels[%d], %d", p->name, number, kernel->dimensions);
    for (d = 0; d < 3; d++) {
        irl__text_puts(&e->text, ", ");
        irl__calls_number(e, d < kernel->dimensions
                                   ? irl__calls_size(e, kernel, s, kernel->global[d])
                                   : irl_expr_index(e->cx, 1));
    }
    irl__text_puts(&e->text, kernel->local_is_fixed ? ", group);\n" : ", NULL);\n");
    if (!kernel->local_is_fixed) return;
    e->indent--;
    irl__emitf(e, "\t}\n");
}

/* ------------------------------------------------------------------ statements */

/* A sequence from its statement k on: what it allocates goes when it ends; behind an assertion
   stands only what may run where it holds. */
static void irl__calls_seq(irl__emit *e, const irl_stmt *s, int k)
{
    const char **names = NULL;
    for (; k < s->u.seq.count && irl__ok(e->cx); k++) {
        const irl_stmt *one = s->u.seq.stmts[k];
        if (one->kind == IRL__ALLOC) {
            const char *name = irl__emit_take_name(e, one->u.alloc.buffer->name);
            if (!name || !irl__calls_make(e, one->u.alloc.buffer, name) ||
                !irl__emit_bind(e, one->u.alloc.buffer->data, name) ||
                !IRL__PUSH_SCRATCH(e->cx, names, name))
                return;
        } else irl__emit_stmt(e, one);
        if (one->kind != IRL__ASSERT || k + 1 == s->u.seq.count) continue;
        irl__emitf(e, "\tif (cl->status == CL_SUCCESS) {\n");
        e->indent++;
        irl__calls_seq(e, s, k + 1); /* what is allocated inside goes inside */
        e->indent--;
        irl__emitf(e, "\t}\n");
        break;
    }
    for (ptrdiff_t j = stbds_arrlen(names); j-- > 0;) irl__calls_release(e, names[j]);
}

static int irl__calls_stmt(irl__emit *e, const irl_stmt *s)
{
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ: irl__calls_seq(e, s, 0); return 1;
    case IRL__ALLOC: /* alone: nothing uses it */
    case IRL__DECL: return 1;
    case IRL__LAUNCH: irl__calls_launch(e, s); return 1;
    case IRL__LET:
        if (!s->u.let.var->type.is_pointer) return 0;
        irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, s->loc,
                  "'%s' is memory that a call returns, which no device has: emit C instead",
                  s->u.let.var->u.name);
        return 1;
    case IRL__ASSERT:
        irl__c_assert(e, s, irl__format(e->cx, "(void)%s_ok(cl, CL_INVALID_VALUE, \"assertion ",
                                        irl__calls_of(e)->name), "\")");
        return 1;
    default: return 0;
    }
}

/* ------------------------------------------------------------------ the function */

/* Whether the host writes to a parameter. */
static int irl__calls_writes(irl__emit *e, const irl_expr *data)
{
    int access = 0;
    irl__ocl_accesses(e->unit->module, irl__calls_of(e)->kernels, 1, &data, 0, &access);
    return (access & (int)IRL_OCL_WRITE) != 0;
}

static void irl__calls_signature(irl__emit *e, irl__text *t, const irl_func *host)
{
    irl__calls *p = irl__calls_of(e);
    irl__textf(t, "int %s(%s_opencl *cl", p->name, p->name);
    for (int k = 0; k < host->param_count; k++) {
        const irl__param       *q = &host->params[k];
        const irl__emit_symbol *symbol = irl__emit_find(e, q->var);
        irl_type held =
            irl__emit_held(q->buffer ? irl__buffer_memory_type(q->buffer) : q->var->type);
        int writes = q->buffer && irl__calls_writes(e, q->var);
        irl__textf(t, q->buffer ? ", %s%s *%s" : ", %s%s %s",
                   q->buffer && !writes ? "const " : "", e->language->types[held.scalar],
                   symbol ? symbol->name : "");
    }
    irl__text_puts(t, ")");
}

/* Whether a variable stands in the shape of a parameter. */
static int irl__calls_is_extent(const irl_func *host, const irl_expr *var)
{
    for (int k = 0; irl__type_is_index(var->type) && k < host->param_count; k++) {
        const irl_buffer *b = host->params[k].buffer;
        if (b && irl__exprs_use_var(b->rank, b->shape, var)) return 1;
    }
    return 0;
}

/* A name that is an extent is one: nothing is computed of others. */
static void irl__calls_extents(irl__emit *e, const irl_func *host)
{
    for (int j = 0; j < host->param_count; j++) {
        const irl_expr *var = host->params[j].var;
        if (!irl__calls_is_extent(host, var)) continue;
        const char *name = irl__emit_find(e, var)->name;
        irl__emitf(e,
                   "\tif (%s < 0 || %s > (int64_t)1 << 31) (void)%s_ok(cl, CL_INVALID_VALUE, \"%s "
                   "is a size\");\n", name, name, irl__calls_of(e)->name, name);
        irl__bind_range(e->ranges, var, 0, INT64_C(1) << 31);
    }
}

static int irl__calls_host(irl__emit *e, const irl_func *host, irl__text *header_text)
{
    const char     *name;
    irl__emit_scope scope = irl__emit_scope_begin(e);
    if (!irl__c_parameters(e, host)) return 0;
    irl__text_puts(header_text, "/* Copies to the device, runs, and copies back what is written. "
                                "1, or 0: cl->status. */\n");
    irl__calls_signature(e, header_text, host);
    irl__text_puts(header_text, ";\n\n");
    irl__calls_signature(e, &e->text, host);
    irl__text_puts(&e->text, "\n{\n");
    e->indent = 1;
    irl__calls_extents(e, host);
    irl__text_puts(&e->text, "    if (cl->status != CL_SUCCESS) return 0;\n    {\n");
    e->indent = 2;
    for (int k = 0; k < host->param_count; k++) {
        const irl_buffer *b = host->params[k].buffer;
        if (!b) continue;
        name = irl__emit_find(e, host->params[k].var)->name;
        if (!irl__calls_make(e, b, name)) return 0;
        irl__calls_move(e, b, name, "write"); /* what is not written stays as it was */
    }
    irl__emit_stmt(e, host->body);
    for (int k = 0; k < host->param_count; k++) {
        const irl_buffer *b = host->params[k].buffer;
        if (!b) continue;
        name = irl__emit_find(e, host->params[k].var)->name;
        if (irl__calls_writes(e, host->params[k].var))
            irl__calls_move(e, b, name, "read");
        irl__calls_release(e, name);
    }
    irl__text_puts(&e->text, "    }\n    return cl->status == CL_SUCCESS;\n}\n");
    irl__emit_scope_end(e, scope);
    return irl__ok(e->cx);
}

/* What stands in the program beside the user's names. */
static int irl__calls_take_names(irl__emit *e)
{
    static const char *const locals[] = { "cl", "value", "group" },
                            *const suffixes[] = { "opencl", "source", "names", "ok", "find",
                                                  "build", "create", "destroy", "kernel_count" };
    const char *const name = irl__calls_of(e)->name;
    for (size_t k = 0; k < IRL__COUNTOF(locals); k++) irl__emit_take_name(e, locals[k]);
    for (size_t k = 0; k < IRL__COUNTOF(suffixes); k++) irl__emit_take_of(e, name, suffixes[k]);
    for (size_t k = 0; k < IRL__COUNTOF(irl__calls_rows); k++)
        irl__emit_take_of(e, name, irl__calls_rows[k].name);
    return irl__ok(e->cx);
}

static const char *irl__calls_all(irl__emit *e, const irl_module *m)
{
    irl__calls    *p = irl__calls_of(e);
    irl__emit_func state;
    irl__text      t, header_text;
    p->name = irl__emit_take_name(e, m->host->name);
    if (!p->name || !irl__calls_take_names(e)) return NULL;
    e->prefix = irl__reason(e->cx, "irl_%s", p->name);
    if (!e->prefix) return NULL;
    irl__text_init(&header_text, e->cx);
    irl__text_init(&e->text, e->cx);
    int ok = irl__emit_func_begin(e, m->host, &state) && irl__calls_host(e, m->host, &header_text);
    irl__emit_func_end(e, &state);
    if (!ok || header_text.failed || !irl__c_order_helpers(e)) return NULL;
    irl__text_init(&t, e->cx);
    irl__textf(&t, "/* %s: C99 and OpenCL C 1.2, emitted by irlayout " IRL_VERSION_STRING
                   "; link with -lOpenCL */\n", p->name);
    irl__textf(&t, "enum { %s_kernel_count = %d };\n", p->name, p->kernels->kernel_count);
    irl__calls_text(&t, irl__calls_head, p->name);
    irl__text_join(&t, &header_text);
    irl__calls_source(&t, p->kernels->source, p->name);
    irl__textf(&t, "static const char *const %s_names[] = {", p->name);
    for (int k = 0; k < p->kernels->kernel_count; k++)
        irl__textf(&t, "%s\"%s\"", k ? ", " : " ", p->kernels->kernels[k].name);
    irl__text_puts(&t, " };\n\n");
    irl__calls_text(&t, irl__calls_calls, p->name);
    for (int k = 0; k < (int)IRL__COUNTOF(irl__calls_rows); k++) {
        const char *called = irl__format(e->cx, "%s_%s", p->name, irl__calls_rows[k].name);
        if (!called) return NULL;
        if (irl__emit_mentions(&e->text, 0, called))
            irl__calls_text(&t, irl__calls_rows[k].text, p->name);
    }
    irl__emit_helpers(e, &t);
    irl__text_join(&t, &e->text);
    return irl__text_done(&t);
}

const char *irl_ocl_c_source(const irl_module *m)
{
    irl__emit      e;
    irl__emit_unit o;
    irl__calls     p;
    irl_c_options  options;
    const char    *source = NULL;
    if (!irl__module_has_host(m)) return "";
    memset(&p, 0, sizeof p);
    memset(&options, 0, sizeof options);
    p.kernels = irl_ocl_emit(m);
    if (!p.kernels) return "";
    p.c.options = &options;
    p.c.in_host = 1;
    options.prefix = "";
    irl__c_language(&p.language);
    p.language.stmt = irl__calls_stmt;
    p.language.tongue = irl__words_of_host;
    if (!irl__emit_unit_begin(&o, m, "opencl12", &p.language)) return "";
    o.user = &p;
    irl__arena_mark mark = irl__scratch_begin(m->cx);
    if (irl__emit_begin(&e, &o, "irl")) source = irl__calls_all(&e, m);
    irl__scratch_end(m->cx, mark);
    return irl__text_or_empty(irl__ok(m->cx) ? source : NULL);
}
