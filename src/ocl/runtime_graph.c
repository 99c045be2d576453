/* runtime_graph.c - a module that is run many times by the names of its tensors.

   needs     runtime_build.c, runtime_run.c, runtime_record.c
   promises  kernels are built, all memory is made and each kernel gets its arguments once: tensors
             keep their values from run to run, so weights are packed and uploaded once, and a run
             only enqueues launches; what depends on weights alone is enqueued once after these
             are set. irl_ocl_graph_destroy frees everything */
#include "runtime.h"

/* An input or an output. */
typedef struct irl__graph_memory {
    cl_mem memory;
    int    is_set;
    int    uses; /* bits of irl_ocl_access, as kernels use it */
} irl__graph_memory;

struct irl_ocl_graph {
    irl_ocl            *cl;
    const irl_module   *m;
    irl_ocl_module     *b;
    irl__graph_memory  *memory; /* of each parameter of the host */
    int                 count;
    irl__runtime_record record;
    int                 is_poisoned; /* for tests: the host launches in order, without loops */
    irl_ocl_graph      *prepare;     /* what depends on weights alone; NULL: nothing */
    int                 is_prepared; /* it has run since a weight was set */
};

void irl_ocl_graph_destroy(irl_ocl_graph *x)
{
    if (!x) return;
    irl_ctx *cx = x->cl->cx;
    irl_ocl_graph_destroy(x->prepare);
    irl__runtime_record_end(x->cl, &x->record);
    for (int k = 0; k < x->count; k++) irl_ocl_memory_destroy(x->memory[k].memory);
    irl__raw_free(cx, x->memory, (size_t)(x->count + 1) * sizeof *x->memory);
    irl_ocl_module_destroy(x->b); /* kernels in the queue keep their memory */
    irl__raw_free(cx, x, sizeof *x);
}

/* ------------------------------------------------------------------ making one */

static void irl__graph_see_access(void *user, int kernel, int k, const irl_expr *passed)
{
    irl_ocl_graph *x = (irl_ocl_graph *)user;
    const int      p = irl__func_param_of(x->m->host, passed);
    if (p >= 0)
        x->memory[p].uses |=
            kernel < 0 ? (int)IRL_OCL_READ
                       : (int)irl_ocl_module_program(x->b)->kernels[kernel].arguments[k].access;
}

/* The number of the parameter of that name; -1: there is none. */
static int irl__graph_memory_of(const irl_ocl_graph *x, const char *name)
{
    for (int k = 0; x && k < x->count; k++)
        if (strcmp(x->m->host->params[k].name, name) == 0) return k;
    return -1;
}

/* Memory for each parameter; that of x->prepare for those that both have. */
static int irl__graph_make_memory(irl_ocl_graph *x)
{
    const irl_func *host = x->m->host;
    irl__passed     none;
    memset(&none, 0, sizeof none);
    for (int k = 0; k < x->count; k++) {
        irl__runtime_param p;
        if (!host->params[k].buffer)
            return irl__fail(x->cl->cx, IRL_ERROR_UNSUPPORTED, host->params[k].loc,
                             "'%s' is not a tensor: the module is not that of a graph",
                             host->params[k].name);
        const int shared = irl__graph_memory_of(x->prepare, host->params[k].name);
        if (shared >= 0) {
            cl_mem memory = x->prepare->memory[shared].memory;
            if (!irl__runtime_ok(x->cl->cx, clRetainMemObject(memory), "clRetainMemObject"))
                return 0;
            x->memory[k].memory = memory;
        } else if (!irl__runtime_param_make(host, k, &none, &p) ||
                   !(x->memory[k].memory = irl__runtime_param_memory(x->cl, &p)))
            return 0;
    }
    irl__see_launches(x->m, irl__graph_see_access, x);
    return 1;
}

static int irl__graph_see_call(irl__visitor *v, const irl_expr *e)
{
    const irl_expr **found = (const irl_expr **)v->user;
    if (e->op == IRL_OP_CALL_EXTERN) *found = e;
    return !*found;
}

/* What the host function does it does once: it may launch, and call nobody. */
static int irl__graph_record(irl_ocl_graph *x)
{
    irl_ctx        *cx = x->cl->cx;
    irl__arena_mark mark = irl__scratch_begin(cx);
    const irl_expr *call = NULL;
    irl__visitor    v = irl__visitor_make(&call, irl__graph_see_call, NULL);
    const void     **data = IRL__SCRATCH(cx, const void *, x->count + 1);
    irl__passed passed;
    irl__visit_stmt(&v, x->m->host->body);
    if (call)
        irl__fail(cx, IRL_ERROR_UNSUPPORTED, x->m->host->loc,
                  "the host function '%s' calls functions, and a graph would call them only once: "
                  "run the module by irl_ocl_module_execute", x->m->host->name);
    memset(&passed, 0, sizeof passed);
    passed.count = x->count;
    passed.data = data;
    for (int k = 0; data && k < x->count; k++) data[k] = x->memory[k].memory;
    int ok = data && !call && irl__runtime_execute(x->b, &passed, &x->record);
    x->is_poisoned = x->cl->pretended.poisons && x->record.count == x->b->plan.launch_count &&
                     !irl__stmt_holds(x->m->host->body, 1u << IRL__FOR | 1u << IRL__IF);
    irl__scratch_end(cx, mark);
    return ok;
}

/* With the graph that prepares it (NULL: none), which it then owns. */
static irl_ocl_graph *irl__graph_make(irl_ocl *cl, const irl_module *m, irl_ocl_graph *prepare)
{
    irl_ocl_module *b = irl_ocl_module_create(cl, m);
    irl_ocl_graph  *x = b ? (irl_ocl_graph *)irl__raw_alloc(cl->cx, sizeof *x) : NULL;
    if (!x) {
        irl_ocl_graph_destroy(prepare);
        irl_ocl_module_destroy(b);
        return NULL;
    }
    memset(x, 0, sizeof *x);
    x->cl = cl;
    x->prepare = prepare;
    x->m = m;
    x->b = b;
    size_t bytes = (size_t)(m->host->param_count + 1) * sizeof *x->memory;
    x->memory = (irl__graph_memory *)irl__raw_alloc(cl->cx, bytes);
    if (x->memory) memset(x->memory, 0, bytes), x->count = m->host->param_count;
    if (x->memory && irl__graph_make_memory(x) && irl__graph_record(x)) return x;
    irl_ocl_graph_destroy(x);
    return NULL;
}

irl_ocl_graph *irl_ocl_graph_create(irl_ocl *cl, const irl_module *m)
{
    return irl__graph_make(cl, m, NULL);
}

irl_ocl_graph *irl_ocl_graph_create_prepared(irl_ocl *cl, const irl_module *m, const char *weights)
{
    const irl_prepared parts = irl_module_prepare(m, weights);
    irl_ocl_graph     *prepare = parts.prepare ? irl__graph_make(cl, parts.prepare, NULL) : NULL;
    return parts.run && !parts.prepare == !prepare ? irl__graph_make(cl, parts.run, prepare) : NULL;
}

/* ------------------------------------------------------------------ by names */

/* The number of the parameter of that name; -1 with a diagnostic. */
static int irl__graph_named(const irl_ocl_graph *x, const char *name)
{
    if (!x || !irl__ok(x->cl->cx)) return -1;
    const int k = irl__graph_memory_of(x, name ? name : "");
    if (k >= 0) return k;
    IRL__FAIL(x->cl->cx, IRL_ERROR_UNKNOWN_NAME, "'%s' is neither an input nor an output of '%s'",
              name ? name : "", x->m->host->name);
    return -1;
}

/* What lies in memory of parameter k; 0 with a diagnostic where there is no array for it. */
static int irl__graph_param_of(const irl_ocl_graph *x, int k, const void *data,
                               irl__runtime_param *p)
{
    irl__passed none;
    memset(&none, 0, sizeof none);
    if (!data)
        return irl__fail(x->cl->cx, IRL_ERROR_ARGUMENT_MISMATCH, x->m->host->params[k].loc,
                         "the array for '%s' is NULL", x->m->host->params[k].name);
    return irl__runtime_param_make(x->m->host, k, &none, p);
}

int irl_ocl_graph_set(irl_ocl_graph *x, const char *name, const void *data)
{
    irl__runtime_param p;
    if (x && irl__graph_memory_of(x->prepare, name ? name : "") >= 0) {
        x->is_prepared = 0;
        return irl_ocl_graph_set(x->prepare, name, data);
    }
    const int k = irl__graph_named(x, name);
    if (k < 0 || !irl__graph_param_of(x, k, data, &p) ||
        !irl__runtime_upload(x->cl, &p, data, x->memory[k].memory))
        return 0;
    x->memory[k].is_set = 1;
    return 1;
}

int irl_ocl_graph_get(irl_ocl_graph *x, const char *name, void *data)
{
    const int          k = irl__graph_named(x, name);
    irl__runtime_param p;
    return k >= 0 && irl__graph_param_of(x, k, data, &p) && irl_ocl_finish(x->cl) &&
           irl__runtime_download(x->cl, &p, data, x->memory[k].memory);
}

/* ------------------------------------------------------------------ running */

/* Is every input set? Prepares what depends on weights alone. An output is not read before it is
   written; an input is only read. */
static int irl__graph_is_ready(irl_ocl_graph *x)
{
    if (!x || !irl__ok(x->cl->cx)) return 0;
    for (int k = 0; k < x->count; k++)
        if (x->memory[k].uses == (int)IRL_OCL_READ && !x->memory[k].is_set &&
            irl__graph_memory_of(x->prepare, x->m->host->params[k].name) < 0)
            return irl__fail(x->cl->cx, IRL_ERROR_ARGUMENT_MISMATCH,
                             x->m->host->params[k].loc, "the input '%s' was not set",
                             x->m->host->params[k].name);
    if (!x->prepare || x->is_prepared) return 1;
    x->is_prepared = irl_ocl_graph_run(x->prepare);
    return x->is_prepared;
}

int irl_ocl_graph_run(irl_ocl_graph *x)
{
    if (!irl__graph_is_ready(x)) return 0;
    for (int k = 0; k < x->record.count; k++)
        if (!irl__runtime_enqueue(x->cl, &x->record.launches[k], NULL) ||
            (x->is_poisoned && !irl__runtime_poison_dead(x->b, k)))
            return 0;
    return 1;
}

int64_t irl_ocl_graph_time(irl_ocl_graph *x, int repeats)
{
    int64_t least = -1, sum;
    int     k;
    if (!irl__graph_is_ready(x) || !irl__runtime_takes_times(x->cl, repeats)) return -1;
    for (int run = 0; run < repeats; run++) {
        for (sum = 0, k = 0; k < x->record.count; k++) {
            irl__runtime_launch *l = &x->record.launches[k];
            uint64_t             took = 0;
            if (!irl__runtime_enqueue(x->cl, l, &took)) return -1;
            if (!run || took < l->nanoseconds) l->nanoseconds = took;
            sum += (int64_t)took;
        }
        if (least < 0 || sum < least) least = sum;
    }
    return least;
}

int irl_ocl_graph_launch_count(const irl_ocl_graph *x) { return x ? x->record.count : 0; }

irl_ocl_graph_launch irl_ocl_graph_launch_of(const irl_ocl_graph *x, int k)
{
    irl_ocl_graph_launch out;
    memset(&out, 0, sizeof out);
    out.kernel = out.writes = "";
    if (!x || k < 0 || k >= x->record.count) return out;
    out.kernel = x->record.launches[k].kernel->name;
    out.writes = x->record.launches[k].writes;
    out.nanoseconds = (int64_t)x->record.launches[k].nanoseconds;
    return out;
}
