/* runtime_graph.c - a module that is run many times by the names of its tensors.

   needs     runtime_build.c, runtime_run.c
   promises  kernels are built, and memory for inputs and outputs is made, once: what is set stays
             set from run to run, so weights are packed and uploaded once; all is given back by
             irl_ocl_graph_destroy */
#include "runtime.h"

struct irl_ocl_graph {
    irl_ocl          *cl;
    const irl_module *m;
    irl_ocl_module   *b;
    irl_arguments     memory; /* of the device: cl_mem */
    int               is_set[IRL_MAX_ARGUMENTS];
    int               reads[IRL_MAX_ARGUMENTS]; /* a kernel reads what lies there, or may */
};

static cl_mem irl__graph_memory_of(const irl_ocl_graph *x, int k)
{
    cl_mem memory;
    memcpy(&memory, &x->memory.data[k], sizeof memory);
    return memory;
}

void irl_ocl_graph_destroy(irl_ocl_graph *x)
{
    irl_ctx *cx;
    int      k;
    if (!x) return;
    cx = x->cl->cx;
    irl_ocl_module_destroy(x->b); /* kernels in the queue keep their memory */
    for (k = 0; k < x->memory.count; k++) irl_ocl_memory_destroy(irl__graph_memory_of(x, k));
    irl__raw_free(cx, x, sizeof *x);
}

/* An output is not read before it is written, an input is only read. */
static void irl__graph_see_access(void *user, int kernel, int k, const irl_expr *passed)
{
    irl_ocl_graph *x = (irl_ocl_graph *)user;
    const int      p = irl__func_param_of(x->m->host, passed);
    if (p >= 0 && p < IRL_MAX_ARGUMENTS &&
        (kernel < 0 || irl_ocl_module_program(x->b)->kernels[kernel].arguments[k].access ==
                           IRL_OCL_READ))
        x->reads[p] |= 1;
    else if (p >= 0 && p < IRL_MAX_ARGUMENTS) x->reads[p] |= 2;
}

static int irl__graph_make_memory(irl_ocl_graph *x)
{
    const irl_func *host = x->m->host;
    irl_arguments   none;
    int             k;
    if (host->param_count > IRL_MAX_ARGUMENTS)
        return irl__fail(x->cl->cx, IRL_ERROR_TOO_LARGE, host->loc,
                         "'%s' has %d inputs and outputs; the most is %d", host->name,
                         host->param_count, IRL_MAX_ARGUMENTS);
    memset(&none, 0, sizeof none);
    none.count = host->param_count;
    for (k = 0; k < host->param_count; k++) {
        cl_mem memory;
        if (!host->params[k].buffer)
            return irl__fail(x->cl->cx, IRL_ERROR_UNSUPPORTED, host->params[k].loc,
                             "'%s' is no tensor: the module is none of a graph",
                             host->params[k].name);
        memory = irl_ocl_memory_create(x->cl, x->m, k, none);
        if (!memory) return 0;
        x->memory.data[k] = memory;
        x->memory.count = k + 1;
    }
    irl__see_launches(x->m, irl__graph_see_access, x);
    return 1;
}

irl_ocl_graph *irl_ocl_graph_create(irl_ocl *cl, const irl_module *m)
{
    irl_ocl_module *b = irl_ocl_module_create(cl, m);
    irl_ocl_graph  *x = b ? (irl_ocl_graph *)irl__raw_alloc(cl->cx, sizeof *x) : NULL;
    if (!x) {
        irl_ocl_module_destroy(b);
        return NULL;
    }
    memset(x, 0, sizeof *x);
    x->cl = cl;
    x->m = m;
    x->b = b;
    if (irl__graph_make_memory(x)) return x;
    irl_ocl_graph_destroy(x);
    return NULL;
}

/* The number of the parameter of that name; -1 with a diagnostic. */
static int irl__graph_named(const irl_ocl_graph *x, const char *name)
{
    int k;
    if (!x || !irl__ok(x->cl->cx)) return -1;
    for (k = 0; name && k < x->memory.count; k++)
        if (strcmp(x->m->host->params[k].name, name) == 0) return k;
    irl__fail(x->cl->cx, IRL_ERROR_UNKNOWN_NAME, irl__nowhere(),
              "'%s' is neither an input nor an output of '%s'", name ? name : "",
              x->m->host->name);
    return -1;
}

static int irl__graph_transfer(irl_ocl_graph *x, int k, const void *data, int is_upload)
{
    irl_arguments a;
    memset(&a, 0, sizeof a);
    a.count = x->memory.count;
    a.data[k] = data;
    return is_upload ? irl_ocl_memory_upload(x->cl, x->m, k, a, irl__graph_memory_of(x, k))
                     : irl_ocl_memory_download(x->cl, x->m, k, a, irl__graph_memory_of(x, k));
}

int irl_ocl_graph_set(irl_ocl_graph *x, const char *name, const void *data)
{
    const int k = irl__graph_named(x, name);
    if (k < 0 || !irl__graph_transfer(x, k, data, 1)) return 0;
    x->is_set[k] = 1;
    return 1;
}

int irl_ocl_graph_run(irl_ocl_graph *x)
{
    int k;
    if (!x || !irl__ok(x->cl->cx)) return 0;
    for (k = 0; k < x->memory.count; k++)
        if (x->reads[k] == 1 && !x->is_set[k])
            return irl__fail(x->cl->cx, IRL_ERROR_ARGUMENT_MISMATCH,
                             x->m->host->params[k].loc, "the input '%s' was not set",
                             x->m->host->params[k].name);
    return irl_ocl_module_execute(x->b, x->memory);
}

int irl_ocl_graph_get(irl_ocl_graph *x, const char *name, void *data)
{
    const int k = irl__graph_named(x, name);
    return k >= 0 && irl_ocl_finish(x->cl) && irl__graph_transfer(x, k, data, 0);
}
