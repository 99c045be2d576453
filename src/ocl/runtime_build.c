/* runtime_build.c - builds emitted programs, and turns the compiler's messages into diagnostics.

   needs     runtime.c, runtime_binary.c
   promises  a failed build shows the line of the emitted source that the compiler names, with a
             caret */
#include "runtime.h"

/* ------------------------------------------------------------------ the compiler's log */

static int irl__build_number(const char **p, int64_t *out)
{
    const char *start = *p;
    for (*out = 0; **p >= '0' && **p <= '9' && *out < 100000000; (*p)++)
        *out = *out * 10 + (**p - '0');
    return *p > start;
}

/* The message of the log's first error, and where it is: "file:3:8: error: message" or "error:
   file:3:8: message", whatever the file is called. NULL if there is none of that form. */
static const char *irl__build_find_error(const char *log, int64_t *line, int64_t *column)
{
    const char *p, *q, *begin = log;
    for (p = log; *p; p++) {
        if (*p == '\n') begin = p + 1;
        if (*p != ':') continue;
        q = p + 1;
        if (!irl__build_number(&q, line) || *q++ != ':' || !irl__build_number(&q, column) ||
            *q++ != ':' || *q++ != ' ')
            continue;
        if (strncmp(q, "error: ", 7) == 0) return q + 7;
        if (strncmp(q, "fatal error: ", 13) == 0) return q + 13;
        if (strncmp(begin, "error: ", 7) == 0) return q;
    }
    return NULL;
}

/* A place in the emitted source; nowhere if the source has no such line. */
static irl_loc irl__build_place(irl_ctx *cx, const char *source, int64_t line, int64_t column)
{
    irl_loc      loc = irl__nowhere();
    irl__source *s = IRL__NEW(cx, irl__source, 1);
    const char  *p = source;
    if (!s) return loc;
    for (; line > 1 && *p; p++) line -= *p == '\n';
    if (line > 1) return loc;
    for (; column > 1 && *p && *p != '\n'; column--) p++;
    s->text = source;
    s->length = strlen(source);
    s->file = "emitted source";
    s->line = 1;
    loc.source = s;
    loc.offset = (uint32_t)(p - source);
    return loc;
}

static int irl__build_fail(irl_ctx *cx, const char *source, const char *log)
{
    int64_t     line = 0, column = 0;
    const char *message = irl__build_find_error(log, &line, &column), *end;
    char        text[256];
    irl__text   t;
    irl_loc     loc = message ? irl__build_place(cx, source, line, column) : irl__nowhere();
    if (!message) message = log;
    end = strchr(message, '\n');
    irl__text_init_fixed(&t, text, sizeof text);
    irl__text_append(&t, message, end ? (size_t)(end - message) : strlen(message));
    return irl__fail(cx, IRL_ERROR_BUILD_FAILED, loc, "the OpenCL compiler says: %s",
                     text[0] ? text : "nothing");
}

/* -------------------------------------------------------- what the module asks of the device */

/* An image of the host function: its size where that is known, and its format. */
static int irl__build_image_ok(irl_ocl *cl, const irl_buffer *b)
{
    int64_t extent[IRL_MAX_RANK], size[IRL__TEXEL_AXES];
    int     k, known = 1;
    for (k = 0; known && k < b->rank; k++) {
        known = b->shape[k]->op == IRL_OP_INT;
        if (known) extent[k] = b->shape[k]->u.i;
    }
    return irl__runtime_image_ok(cl, b, known && irl__image_size(b, extent, size) ? size : NULL);
}

typedef struct irl__build_search {
    irl_ocl *cl;
    int      ok;
} irl__build_search;

static int irl__build_see_stmt(irl__visitor *v, const irl_stmt *s)
{
    irl__build_search *search = (irl__build_search *)v->user;
    if (search->ok && s->kind == IRL__ALLOC && irl__runtime_is_image(s->u.alloc.buffer))
        search->ok = irl__build_image_ok(search->cl, s->u.alloc.buffer);
    return search->ok;
}

/* Images of three dimensions are written by an extension. */
static int irl__build_writes_ok(irl_ocl *cl, const irl_ocl_kernel *kernel)
{
    for (int k = 0; k < kernel->argument_count; k++) {
        const irl_buffer *b = kernel->function->params[k].buffer;
        if (!b || irl__image_of(b) != IRL__IMAGE_VOLUME ||
            !(kernel->arguments[k].access & IRL_OCL_WRITE) || irl__runtime_writes_volumes(cl))
            continue;
        return irl__fail(
            cl->cx, IRL_ERROR_UNSUPPORTED, b->loc,
            "kernel '%s' writes '%s', an image of three dimensions, which device '%s' only reads",
            kernel->name, b->name, cl->name);
    }
    return 1;
}

int irl__runtime_images_ok(irl_ocl *cl, const irl_module *m, const irl_ocl_program *program)
{
    irl__build_search search;
    for (int k = 0; m->host && k < m->host->param_count; k++)
        if (m->host->params[k].buffer && irl__runtime_is_image(m->host->params[k].buffer) &&
            !irl__build_image_ok(cl, m->host->params[k].buffer))
            return 0;
    search.cl = cl;
    search.ok = 1;
    irl__visitor v = irl__visitor_make(&search, NULL, irl__build_see_stmt);
    if (m->host) irl__visit_stmt(&v, m->host->body);
    for (int k = 0; search.ok && k < program->kernel_count; k++)
        search.ok = irl__build_writes_ok(cl, &program->kernels[k]);
    return search.ok;
}

/* ------------------------------------------------------------------ building */

static int irl__build_program(irl_ocl_module *b)
{
    irl_ocl    *cl = b->cl;
    const char *source = b->program->source;
    cl_int      status;
    b->handle = irl__runtime_kept_program(cl, source);
    if (b->handle) return 1;
    if (!irl__ok(cl->cx)) return 0;
    b->handle = clCreateProgramWithSource(cl->context, 1, &source, NULL, &status);
    if (!irl__runtime_ok(cl->cx, status, "clCreateProgramWithSource")) return 0;
    status = clBuildProgram(b->handle, 1, &cl->device, cl->options, NULL, NULL);
    if (status != CL_SUCCESS) {
        size_t bytes = 0;
        if (status != CL_BUILD_PROGRAM_FAILURE)
            return irl__runtime_ok(cl->cx, status, "clBuildProgram");
        clGetProgramBuildInfo(b->handle, cl->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
        irl__arena_mark mark = irl__scratch_begin(cl->cx);
        char           *log = (char *)irl__scratch_alloc(cl->cx, bytes + 1, 1);
        if (log) {
            clGetProgramBuildInfo(b->handle, cl->device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
            irl__build_fail(cl->cx, source, log);
        }
        irl__scratch_end(cl->cx, mark);
        return 0;
    }
    cl->made.programs++;
    irl__runtime_keep_program(cl, source, b->handle);
    return irl__ok(cl->cx);
}

static int irl__build_kernels(irl_ocl_module *b)
{
    cl_int status;
    for (int k = 0; k < b->kernel_count; k++) {
        b->kernels[k] = clCreateKernel(b->handle, b->program->kernels[k].name, &status);
        if (!irl__runtime_ok(b->cl->cx, status, "clCreateKernel")) return 0;
    }
    return 1;
}

irl_ocl_module *irl__runtime_build(irl_ocl *cl, const irl_module *m, const irl_ocl_program *program)
{
    irl_ocl_module *b = irl__runtime_images_ok(cl, m, program)
                           ? (irl_ocl_module *)irl__raw_alloc(cl->cx, sizeof *b)
                           : NULL;
    if (!b) return NULL;
    memset(b, 0, sizeof *b);
    b->cl = cl;
    cl->users++;
    b->module = m;
    b->program = program;
    b->kernel_count = program->kernel_count;
    b->source_bytes = strlen(program->source) + 1;
    b->source = irl__runtime_copy(cl->cx, program->source, b->source_bytes);
    b->kernels =
        (cl_kernel *)irl__raw_alloc(cl->cx, (size_t)b->kernel_count * sizeof *b->kernels + 1);
    if (b->kernels) memset(b->kernels, 0, (size_t)b->kernel_count * sizeof *b->kernels);
    int ok = b->source && b->kernels && irl__build_program(b) && irl__build_kernels(b);
    if (ok) return b;
    irl_ocl_module_destroy(b);
    return NULL;
}

irl_ocl_module *irl_ocl_module_create(irl_ocl *cl, const irl_module *m)
{
    const irl_ocl_program *program =
        cl && irl__ok(cl->cx) && irl__runtime_takes(cl, m) ? irl_ocl_emit(m) : NULL;
    if (cl && !m) IRL__FAIL(cl->cx, IRL_ERROR_BAD_ARGUMENT, "the module is NULL");
    return program ? irl__runtime_build(cl, m, program) : NULL;
}

const irl_ocl_program *irl_ocl_module_program(const irl_ocl_module *b)
{
    return b ? b->program : NULL;
}
