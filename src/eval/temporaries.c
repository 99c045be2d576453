/* temporaries.c - the temporaries of a module's host share memory, as the plan of the module says.

   needs     src/plan/module.c and hold.c; views.c
   promises  a program computes the same as if each temporary had separate memory. Bytes whose
             holder changes become undefined: a plan that gives two temporaries that are alive
             together the same bytes is an UNDEF_USED, or a race, in what reads them. A pool beyond
             IRL__MEMORY_LIMIT is not made: its temporaries get separate memory */
#include "eval.h"

/* The plan, copied: what planning took of the context's memory is given back. */
static int irl__temporaries_plan(irl__interpreter *in, const irl_value *values, int count)
{
    irl_mark         mark = irl_ctx_mark(in->cx);
    irl__planned    *list = NULL;
    irl_plan_options how;
    memset(&how, 0, sizeof how);
    how.values = values;
    how.value_count = count;
    const irl_module_plan *plan = irl__plan_of(in->module, &how, &list);
    if (!plan) return 0;
    in->planned = IRL__SCRATCH(in->cx, irl__planned, plan->count + 1);
    in->pools = IRL__SCRATCH(in->cx, irl__eval_memory *, plan->pool_count + 1);
    if (!in->planned || !in->pools) return 0;
    if (plan->count) memcpy(in->planned, list, (size_t)plan->count * sizeof *list);
    in->planned_count = plan->count; /* the sizes and places go */
    for (int k = 0; k < plan->pool_count; k++) {
        if (plan->pools[k].bytes > IRL__MEMORY_LIMIT) continue;
        in->pools[k] = irl__eval_pool(in, "a pool", plan->pools[k].bytes);
        if (!in->pools[k]) return 0;
    }
    irl_ctx_rewind(in->cx, mark);
    return 1;
}

int irl__temporaries_begin(irl__interpreter *in)
{
    int count;
    if (!in->module || !in->module->host ||
        !irl__stmt_holds(in->module->host->body, 1u << IRL__ALLOC))
        return 1;
    /* The integers among the parameters: sizes are made of them. */
    const irl_func *host = in->module->host;
    irl_value      *values = IRL__SCRATCH(in->cx, irl_value, host->param_count + 1);
    int             k;
    for (k = 0, count = 0; values && k < host->param_count; k++) {
        const irl__param *p = &host->params[k];
        if (p->buffer || p->var->type.lanes != 1 || !irl__type_is_integer(p->var->type)) continue;
        values[count].var = p->var;
        values[count++].value = irl__eval_bound(in, p->var->id)->u.scalar.i;
    }
    return values && irl__temporaries_plan(in, values, count);
}

/* Nobody has written these bytes for it. */
static int irl__temporaries_lost(void *user, const irl__planned *one)
{
    irl__interpreter *in = (irl__interpreter *)user;
    irl__eval_memory *pool = in->pools[one->out.pool];
    if (!one->out.bytes) return 1;
    memset(pool->bytes + one->out.offset, 0xa5, (size_t)one->out.bytes);
    irl__eval_mark(in, pool, (size_t)one->out.offset, (size_t)one->out.bytes, 1);
    return 1;
}

int irl__temporaries_allocate(irl__interpreter *in, const irl_buffer *b, irl__eval_memory **out)
{
    irl__planned     *one = irl__plan_find(in->planned, in->planned_count, b);
    irl__eval_memory *pool = one ? in->pools[one->out.pool] : NULL, *m;
    *out = NULL;
    if (!pool) return 1;
    m = IRL__SCRATCH(in->cx, irl__eval_memory, 1);
    if (!m) return 0;
    size_t cell = (size_t)one->out.offset >> in->cell_shift;
    *m = *pool;
    m->name = b->name;
    m->element_bytes = irl__type_bytes(b->type);
    m->size = (size_t)one->out.bytes;
    m->cells = (m->size + ((size_t)1 << in->cell_shift) - 1) >> in->cell_shift;
    m->bytes += one->out.offset;
    m->is_undefined += cell;
    m->records += cell;
    if (m->error) m->error += cell;
    m->planned = one;
    one->holds = 0;
    *out = m;
    return 1;
}

int irl__temporaries_touch(irl__interpreter *in, const irl_stmt *launch)
{
    irl__planned **touched;
    int            k, j, count = 0;
    if (!in->planned_count) return 1;
    touched = IRL__SCRATCH(in->cx, irl__planned *, launch->u.launch.count + 1);
    if (!touched) return 0;
    for (k = 0; k < launch->u.launch.count; k++) {
        const irl_expr *arg = launch->u.launch.args[k];
        const irl__eval_memory *m =
            arg->op == IRL_OP_VAR && arg->type.is_pointer ? irl__eval_bound(in, arg->id)->u.memory
                                                          : NULL;
        if (!m || !m->planned) continue;
        for (j = 0; j < count && touched[j] != m->planned; j++) {}
        if (j == count) touched[count++] = m->planned;
    }
    return irl__plan_hold(in->planned, in->planned_count, count, touched, irl__temporaries_lost,
                          in);
}
