/* graph.c - makes and verifies graphs, and lists their parts.

   needs     the access table, which says what functions write; valuation.c
   promises  a graph or a diagnostic that names the node, the parameter and the tensor; cost linear
             in the graph and its functions */
#include "graph.h"

/* ------------------------------------------------------------------ functions */

/* A tensor is compact, and lies as layouts say: a parameter states its shape and no more. */
static int irl__graph_param_ok(const irl_func *f, const irl__param *p)
{
    const irl_buffer *b = p->buffer;
    if (!b && p->var->type.is_pointer)
        return irl__fail(f->cx, IRL_ERROR_UNSUPPORTED, p->loc,
                         "parameter '%s' of '%s' is a pointer; nodes of a graph take tensors and "
                         "constants", p->name, f->name);
    if (b && (p->map || p->logical_shape != b->shape))
        return irl__fail(f->cx, IRL_ERROR_UNSUPPORTED, p->loc,
                         "parameter '%s' of '%s' has its own logical shape; in a graph state "
                         "layout(%s: ...) instead", p->name, f->name, p->name);
    if (b && (b->strides || b->offset))
        return irl__fail(f->cx, IRL_ERROR_UNSUPPORTED, p->loc,
                         "parameter '%s' of '%s' has strides or an offset; tensors of a graph are "
                         "compact", p->name, f->name);
    return 1;
}

static int irl__graph_see_func(irl__graph_func *out, unsigned char *is_result)
{
    const irl_func *f = out->f;
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    irl__accesses   t;
    int             k, ok = irl__accesses_of(&t, f, NULL);
    for (k = 0; ok && k < t.count; k++) {
        const int p = irl__func_param_of(f, t.list[k].memory);
        if (p >= 0 && f->params[p].buffer && !t.list[k].is_declared &&
            irl__access_writes(&t.list[k]))
            is_result[p] = 1;
    }
    irl__scratch_end(f->cx, mark);
    for (k = 0; ok && k < f->param_count; k++) {
        ok = irl__graph_param_ok(f, &f->params[k]);
        out->result_count += is_result[k];
        out->argument_count += !is_result[k] && !f->params[k].is_implicit;
    }
    return ok;
}

static irl__graph_func *irl__graph_func_new(const irl_func *f)
{
    irl__graph_func *out = IRL__NEW(f->cx, irl__graph_func, 1);
    unsigned char   *is_result =
        (unsigned char *)irl__alloc_array(f->cx, (size_t)f->param_count + 1, 1);
    if (!out || !is_result) return NULL;
    out->f = f;
    out->is_result = is_result;
    return irl__graph_see_func(out, is_result) ? out : NULL;
}

int irl__graph_add_func(irl__graph_maker *m, const irl_func *f, const irl__graph_func **out)
{
    irl_graph             *g = m->g;
    const irl__graph_func *known;
    if (!f || !irl__ok(g->cx) || !irl__verify(f)) return 0;
    const char *name = irl__namez(g->cx, f->name);
    known = name ? (const irl__graph_func *)irl__ptr_map_get(&m->funcs, name) : NULL;
    if (known && (known->f == f || irl_func_equal(known->f, f))) {
        if (out) *out = known;
        return 1;
    }
    if (known)
        return irl__fail(g->cx, IRL_ERROR_DUPLICATE_NAME, f->loc,
                         "the graph has another function '%s' already", name);
    if (f->role != IRL__PLAIN)
        return irl__fail(g->cx, IRL_ERROR_BAD_GRAPH, f->loc,
                         "'%s' is a host or kernel func; nodes are functions that are not lowered",
                         f->name);
    const irl__graph_func *made = irl__graph_func_new(f);
    if (!name || !made || !irl__ptr_map_put(g->cx, &m->funcs, name, made) ||
        !IRL__PUSH(g->cx, g->funcs, made))
        return 0;
    if (out) *out = made;
    return 1;
}

int irl__graph_param(const irl__graph_func *func, int k, int is_result)
{
    for (int p = 0; p < func->f->param_count; p++)
        if (!func->f->params[p].is_implicit && func->is_result[p] == is_result && k-- == 0)
            return p;
    return -1;
}

/* ------------------------------------------------------------------ tensors */

int irl__graph_begin(irl__graph_maker *m, irl_ctx *cx, const char *name)
{
    memset(m, 0, sizeof *m);
    m->g = IRL__NEW(cx, irl_graph, 1);
    if (!m->g || !name) return 0;
    m->g->cx = cx;
    m->g->name = name;
    return 1;
}

static int irl__graph_add_tensor(irl__graph_maker *m, const irl__graph_tensor *t)
{
    irl_graph *g = m->g;
    size_t     other = (size_t)irl__ptr_map_get(&m->tensors, t->is.name);
    char       place[40];
    if (other) {
        irl__loc_text(g->cx, g->tensors[other - 1].loc, place, sizeof place);
        return irl__fail(g->cx, IRL_ERROR_DUPLICATE_NAME, t->loc,
                         "the tensor '%s' is written already, at %s", t->is.name, place);
    }
    return IRL__PUSH(g->cx, g->tensors, *t) &&
           irl__ptr_map_put(g->cx, &m->tensors, t->is.name,
                            (const void *)(size_t)stbds_arrlen(g->tensors));
}

/* The number of a tensor; -1 with a diagnostic. */
static int irl__graph_find(const irl__graph_maker *m, const char *name, const char *what,
                           irl_loc loc)
{
    const size_t found = (size_t)irl__ptr_map_get(&m->tensors, name);
    if (found) return (int)found - 1;
    irl__fail(m->g->cx, IRL_ERROR_UNKNOWN_NAME, loc,
              "%s '%s' is not an input of the graph, and no node before this one writes it", what,
              name);
    return -1;
}

/* Extents that memory can have; `what` has them. */
static int irl__graph_extents_ok(irl_ctx *cx, const char *what, int rank, const int64_t *extent,
                                 irl_loc loc)
{
    if (rank < 0 || rank > IRL_MAX_RANK)
        return irl__fail(cx, IRL_ERROR_TOO_LARGE, loc, "'%s' has %d axes; the most is %d", what,
                         rank, IRL_MAX_RANK);
    for (int k = 0; k < rank; k++)
        if (extent[k] < 0 || extent[k] > IRL__MOST_EXTENT)
            return irl__fail(cx, IRL_ERROR_BAD_GRAPH, loc,
                             "extent %d of '%s' is %l; it is 0 to 2^48", k, what, extent[k]);
    return 1;
}

static void irl__graph_set_shape(irl_shape *shape, int rank, const int64_t *extent)
{
    shape->rank = rank;
    for (int k = 0; k < rank; k++) shape->extent[k] = extent[k];
}

int irl__graph_add_input(irl__graph_maker *m, const char *name, irl_type type, int rank,
                         const int64_t *extent, irl_loc loc)
{
    irl_graph        *g = m->g;
    irl__graph_tensor t;
    memset(&t, 0, sizeof t);
    if (!name || !irl__graph_extents_ok(g->cx, name, rank, extent, loc)) return 0;
    t.is.name = name;
    t.is.type = type;
    irl__graph_set_shape(&t.is.shape, rank, extent);
    t.is.node = -1;
    t.loc = loc;
    return irl__graph_add_tensor(m, &t) &&
           IRL__PUSH(g->cx, g->inputs, (int)stbds_arrlen(g->tensors) - 1);
}

int irl__graph_add_output(irl__graph_maker *m, const char *name, irl_loc loc)
{
    irl_graph *g = m->g;
    const int  k = name ? irl__graph_find(m, name, "the output", loc) : -1;
    if (k < 0) return 0;
    /* what is an input, or an output already, is copied at the end: marked as ~k */
    if (g->tensors[k].is.node < 0 || g->tensors[k].is.is_output)
        return IRL__PUSH(g->cx, g->outputs, ~k);
    g->tensors[k].is.is_output = 1;
    return IRL__PUSH(g->cx, g->outputs, k);
}

/* ------------------------------------------------------------------ nodes */

/* A node that is being made: of each parameter its tensor, or its value. */
typedef struct irl__graph_binding {
    const irl_func  *f;
    const irl_expr **scalars;
    int             *tensors;
    irl_loc          loc;
} irl__graph_binding;

static int irl__graph_value_of(const void *user, const irl_expr *var, irl__scalar *out)
{
    const irl__graph_binding *b = (const irl__graph_binding *)user;
    const int                 k = irl__func_param_of(b->f, var);
    if (k < 0 || !b->scalars[k]) return 0;
    if (irl__type_is_real(var->type)) out->f = b->scalars[k]->u.f;
    else out->i = b->scalars[k]->u.i;
    return 1;
}

static irl__fold_status irl__graph_extent(const irl__graph_binding *b, const irl_expr *e,
                                          int64_t *out)
{
    irl__valuation v;
    irl__scalar    s;
    memset(&v, 0, sizeof v);
    v.name = irl__graph_value_of;
    v.user = b;
    irl__fold_status status = irl__scalar_of(&v, e, &s);
    if (status == IRL__FOLD_OK) *out = s.i;
    return status;
}

/* The name of the shape takes the tensor's extent: 1 where e is one that is not known yet. */
static int irl__graph_bind(irl__graph_binding *b, const irl_expr *e, int64_t extent)
{
    const int k = irl__func_param_of(b->f, e);
    if (k < 0 || b->scalars[k]) return 0;
    b->scalars[k] = irl_expr_int(b->f->cx, e->type, extent);
    return 1;
}

static int irl__graph_type_fits(const irl__graph_binding *b, int k, const irl_graph_tensor *t)
{
    const irl_buffer *p = b->f->params[k].buffer;
    if (!irl_type_equal(p->type, t->type))
        return irl__fail(b->f->cx, IRL_ERROR_BAD_GRAPH, b->loc,
                         "parameter '%s' of '%s' is of type %s; the tensor '%s' of %s", p->name,
                         b->f->name, irl__type_cstr(b->f->cx, p->type), t->name,
                         irl__type_cstr(b->f->cx, t->type));
    if (p->rank != t->shape.rank)
        return irl__fail(b->f->cx, IRL_ERROR_BAD_GRAPH, b->loc,
                         "parameter '%s' of '%s' has %d axes; the tensor '%s' has %d", p->name,
                         b->f->name, p->rank, t->name, t->shape.rank);
    return 1;
}

/* Names first, wherever they stand: another extent may be computed of them. */
static int irl__graph_shape_fits(irl__graph_binding *b, int k, const irl_graph_tensor *t)
{
    const irl_buffer *p = b->f->params[k].buffer;
    int64_t           extent = 0;
    for (int axis = 0; axis < p->rank; axis++) {
        irl__fold_status status = irl__graph_extent(b, p->shape[axis], &extent);
        if (status != IRL__FOLD_OK || extent != t->shape.extent[axis])
            return status == IRL__FOLD_OK
                       ? irl__fail(b->f->cx, IRL_ERROR_BAD_GRAPH, b->loc,
                                   "extent %d of parameter '%s' of '%s' is %s, which is %l here; "
                                   "of the tensor '%s' it is %l", axis, p->name, b->f->name,
                                   irl_expr_text(b->f->cx, p->shape[axis]), extent, t->name,
                                   t->shape.extent[axis])
                       : irl__fail(b->f->cx, IRL_ERROR_BAD_GRAPH, b->loc,
                                   "extent %d of parameter '%s' of '%s' is %s, which does not "
                                   "follow from the arguments", axis, p->name, b->f->name,
                                   irl_expr_text(b->f->cx, p->shape[axis]));
    }
    return irl__ok(b->f->cx);
}

static int irl__graph_count_fits(const irl__graph_maker *m, const irl__graph_func *func, int count,
                                 int result_count, irl_loc loc)
{
    if (count != func->argument_count)
        return irl__fail(m->g->cx, IRL_ERROR_BAD_GRAPH, loc,
                         "'%s' takes %d arguments, the parameters that it does not write; found %d",
                         func->f->name, func->argument_count, count);
    return result_count == func->result_count ||
           irl__fail(m->g->cx, IRL_ERROR_BAD_GRAPH, loc,
                     "'%s' has %d results, the parameters that it writes; found %d", func->f->name,
                     func->result_count, result_count);
}

static int irl__graph_take_argument(irl__graph_maker *m, irl__graph_binding *b, int k,
                                    const irl__graph_given *given)
{
    const irl__param *p = &b->f->params[k];
    irl_ctx          *cx = m->g->cx;
    if (!p->buffer && (given->tensor || !given->scalar || !irl__is_const(given->scalar) ||
                       !irl_type_equal(given->scalar->type, p->var->type)))
        return irl__fail(cx, IRL_ERROR_BAD_GRAPH, given->loc,
                         "parameter '%s' "
                         "of '%s' is a scalar of type %s: pass a constant", p->name, b->f->name,
                         irl__type_cstr(cx, p->var->type));
    if (!p->buffer) {
        b->scalars[k] = given->scalar;
        return 1;
    }
    if (!given->tensor)
        return irl__fail(cx, IRL_ERROR_BAD_GRAPH, given->loc,
                         "parameter '%s' of '%s' is a tensor: pass its name", p->name,
                         b->f->name);
    b->tensors[k] = irl__graph_find(m, given->tensor, "the tensor", given->loc);
    if (b->tensors[k] < 0) return 0;
    b->loc = given->loc;
    if (!irl__graph_type_fits(b, k, &m->g->tensors[b->tensors[k]].is)) return 0;
    for (int axis = 0; axis < p->buffer->rank; axis++)
        irl__graph_bind(b, p->buffer->shape[axis],
                        m->g->tensors[b->tensors[k]].is.shape.extent[axis]);
    return irl__ok(cx);
}

static int irl__graph_make_result(irl__graph_maker *m, irl__graph_binding *b, int k,
                                  const irl__graph_given *given)
{
    const irl_buffer *p = b->f->params[k].buffer;
    irl__graph_tensor t;
    int64_t           extent[IRL_MAX_RANK];
    memset(&t, 0, sizeof t);
    for (int axis = 0; axis < p->rank; axis++)
        if (irl__graph_extent(b, p->shape[axis], &extent[axis]) != IRL__FOLD_OK)
            return irl__fail(m->g->cx, IRL_ERROR_BAD_GRAPH, given->loc,
                             "extent %d of the result '%s' of '%s' is %s, which does not follow "
                             "from the arguments", axis, p->name, b->f->name,
                             irl_expr_text(m->g->cx, p->shape[axis]));
    if (!given->tensor || !irl__graph_extents_ok(m->g->cx, given->tensor, p->rank, extent,
                                                 given->loc))
        return 0;
    t.is.name = given->tensor;
    t.is.type = p->type;
    irl__graph_set_shape(&t.is.shape, p->rank, extent);
    t.is.node = (int)stbds_arrlen(m->g->nodes);
    t.loc = given->loc;
    b->tensors[k] = (int)stbds_arrlen(m->g->tensors);
    return irl__graph_add_tensor(m, &t);
}

int irl__graph_add_node(irl__graph_maker *m, const irl__graph_func *func, int count,
                        const irl__graph_given *arguments, int result_count,
                        const irl__graph_given *results, irl_loc loc)
{
    irl_graph         *g = m->g;
    const size_t       n = (size_t)func->f->param_count;
    irl__graph_binding b;
    irl__graph_node    node;
    b.f = func->f;
    b.loc = loc;
    b.scalars = IRL__NEW(g->cx, const irl_expr *, n);
    b.tensors = IRL__NEW(g->cx, int, n);
    if (!b.scalars || !b.tensors || !irl__graph_count_fits(m, func, count, result_count, loc))
        return 0;
    for (int k = 0; k < (int)n; k++) b.tensors[k] = -1;
    for (int k = 0; k < count; k++)
        if (!irl__graph_take_argument(m, &b, irl__graph_param(func, k, 0), &arguments[k])) return 0;
    for (int k = 0; k < count; k++) {
        int p = irl__graph_param(func, k, 0);
        b.loc = arguments[k].loc;
        if (b.f->params[p].buffer && !irl__graph_shape_fits(&b, p, &m->g->tensors[b.tensors[p]].is))
            return 0;
    }
    for (int k = 0; k < result_count; k++)
        if (!irl__graph_make_result(m, &b, irl__graph_param(func, k, 1), &results[k])) return 0;
    for (int k = 0; k < (int)n; k++)
        if (!func->f->params[k].buffer && !b.scalars[k])
            return irl__fail(g->cx, IRL_ERROR_BAD_GRAPH, loc,
                             "the arguments of '%s' do not determine '%s'", func->f->name,
                             func->f->params[k].name);
    memset(&node, 0, sizeof node);
    node.is.func = func->f;
    node.is.tensors = b.tensors;
    node.is.scalars = b.scalars;
    node.is.is_result = func->is_result;
    node.func = func;
    node.loc = loc;
    return IRL__PUSH(g->cx, g->nodes, node);
}

/* ------------------------------------------------------------------ outputs that are copies */

/* func copy(x: f32[4, 2], y: f32[4, 2]) { for (i0: 4, i1: 2) y[i0, i1] = x[i0, i1]; }, or the one
   that is there; another name where a function of the user has it. */
static const irl__graph_func *irl__graph_copy_func(irl__graph_maker *m, const irl_graph_tensor *t)
{
    const irl__graph_func *known;
    const irl_func        *f;
    int                    number = 0, k;
    do {
        char      at[16 * IRL_MAX_RANK], shape[24 * IRL_MAX_RANK], loops[32 * IRL_MAX_RANK];
        irl__text a, b, c, text;
        irl__text_init_fixed(&a, at, sizeof at);
        irl__text_init_fixed(&b, shape, sizeof shape);
        irl__text_init_fixed(&c, loops, sizeof loops);
        irl__text_init(&text, m->g->cx);
        for (k = 0; k < t->shape.rank; k++) {
            irl__textf(&a, k ? ", i%d" : "i%d", k);
            irl__textf(&b, k ? ", %l" : "%l", t->shape.extent[k]);
            irl__textf(&c, k ? ", i%d: %l" : "for (i%d: %l", k, t->shape.extent[k]);
        }
        irl__textf(&text, number ? "func copy_%d" : "func copy", number);
        irl__textf(&text, "(x: %s[%s], y: %s[%s]) { %s%sy[%s] = x[%s]; }",
                   irl__type_cstr(m->g->cx, t->type), shape, irl__type_cstr(m->g->cx, t->type),
                   shape, t->shape.rank ? loops : "", t->shape.rank ? ") " : "", at, at);
        if (!irl__text_done(&text)) return NULL;
        f = irl_func_parse(m->g->cx, irl__text_done(&text), IRL_TO_NUL, NULL);
        if (!f) return NULL;
        known = (const irl__graph_func *)irl__ptr_map_get(&m->funcs,
                                                          irl__namez(m->g->cx, f->name));
        number++;
    } while (known && !irl_func_equal(known->f, f));
    return irl__graph_add_func(m, f, &known) ? known : NULL;
}

/* The tensor NAME_copy, which a node makes of tensor k; -1 on failure. */
static int irl__graph_copy_out(irl__graph_maker *m, int k)
{
    const irl__graph_tensor t = m->g->tensors[k];
    const irl__graph_func  *func = irl__graph_copy_func(m, &t.is);
    irl__graph_given        x;
    uint64_t                number = 0;
    memset(&x, 0, sizeof x);
    x.tensor = t.is.name;
    x.loc = t.loc;
    irl__graph_given y = x;
    do {
        y.tensor = irl__namef(m->g->cx, number ? "%s_copy_%u" : "%s_copy", t.is.name, number);
        number++;
    } while (y.tensor && irl__ptr_map_get(&m->tensors, y.tensor));
    if (!func || !y.tensor || !irl__graph_add_node(m, func, 1, &x, 1, &y, t.loc)) return -1;
    k = (int)stbds_arrlen(m->g->tensors) - 1;
    m->g->tensors[k].is.is_output = 1;
    return k;
}

/* The caller gets each output in memory of its own: an input that is one, and all but the first of
   a tensor that is given out several times, are copied. */
static int irl__graph_copy_outputs(irl__graph_maker *m)
{
    int *outputs = m->g->outputs, k;
    for (k = 0; k < (int)stbds_arrlen(outputs); k++)
        if (outputs[k] < 0 && (outputs[k] = irl__graph_copy_out(m, ~outputs[k])) < 0) return 0;
    return 1;
}

irl_graph *irl__graph_end(irl__graph_maker *m)
{
    irl_graph *g = m->g;
    if (!g || !irl__ok(g->cx) || !irl__graph_copy_outputs(m)) return NULL;
    g->func_count = (int)stbds_arrlen(g->funcs);
    g->tensor_count = (int)stbds_arrlen(g->tensors);
    g->node_count = (int)stbds_arrlen(g->nodes);
    g->input_count = (int)stbds_arrlen(g->inputs);
    g->output_count = (int)stbds_arrlen(g->outputs);
    if (g->output_count) return g;
    IRL__FAIL(g->cx, IRL_ERROR_BAD_GRAPH, "the graph '%s' has no output", g->name);
    return NULL;
}

int irl__graph_begin_as(irl__graph_maker *m, const irl_graph *g)
{
    if (!irl__graph_begin(m, g->cx, g->name)) return 0;
    for (int k = 0; k < g->input_count; k++) {
        const irl__graph_tensor *t = &g->tensors[g->inputs[k]];
        if (!irl__graph_add_input(m, t->is.name, t->is.type, t->is.shape.rank, t->is.shape.extent,
                                  t->loc))
            return 0;
    }
    return 1;
}

irl_graph *irl__graph_end_as(irl__graph_maker *m, const irl_graph *g)
{
    for (int k = 0; k < g->output_count; k++)
        if (!irl__graph_add_output(m, g->tensors[g->outputs[k]].is.name, irl__nowhere()))
            return NULL;
    return irl__graph_end(m);
}

/* ------------------------------------------------------------------ by calls */

static int irl__graph_new_node(irl__graph_maker *m, const irl_graph_call *call)
{
    irl_ctx               *cx = m->g->cx;
    const irl__graph_func *func = NULL;
    irl__graph_given      *given;
    if (!irl__graph_add_func(m, call->func, &func)) return 0;
    if (call->argument_count < 0 || call->result_count < 0 ||
        (call->argument_count && !call->arguments) || (call->result_count && !call->results))
        return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "a node of '%s' has no lists of %d arguments "
                         "and %d results", func->f->name, call->argument_count, call->result_count);
    given = IRL__NEW(cx, irl__graph_given,
                     (size_t)call->argument_count + (size_t)call->result_count);
    if (!given) return 0;
    for (int k = 0; k < call->argument_count; k++) {
        given[k].scalar = call->arguments[k].scalar;
        if (call->arguments[k].tensor &&
            !(given[k].tensor = irl__namez(cx, call->arguments[k].tensor)))
            return 0;
    }
    for (int k = 0; k < call->result_count; k++)
        if (!call->results[k] ||
            !(given[call->argument_count + k].tensor = irl__namez(cx, call->results[k])))
            return 0;
    return irl__graph_add_node(m, func, call->argument_count, given, call->result_count,
                               given + call->argument_count, irl__nowhere());
}

static int irl__graph_new_parts(irl__graph_maker *m, const irl_graph_desc *desc)
{
    irl_ctx *cx = m->g->cx;
    for (int k = 0; k < desc->input_count; k++) {
        const irl_graph_tensor *t = &desc->inputs[k];
        if (!t->name || t->shape.named ||
            !irl__graph_add_input(m, irl__namez(cx, t->name), t->type, t->shape.rank,
                                  t->shape.extent, irl__nowhere()))
            return 0;
    }
    for (int k = 0; k < desc->node_count; k++)
        if (!irl__graph_new_node(m, &desc->nodes[k])) return 0;
    for (int k = 0; k < desc->output_count; k++)
        if (!desc->outputs[k] ||
            !irl__graph_add_output(m, irl__namez(cx, desc->outputs[k]), irl__nowhere()))
            return 0;
    return 1;
}

irl_graph *irl_graph_new(irl_ctx *cx, const irl_graph_desc *desc)
{
    irl__graph_maker m;
    irl_graph       *g = NULL;
    if (!cx || !irl__ok(cx)) return NULL;
    if (!desc || !desc->name || desc->input_count < 0 || desc->node_count < 0 ||
        desc->output_count < 0 || (desc->input_count && !desc->inputs) ||
        (desc->node_count && !desc->nodes) || (desc->output_count && !desc->outputs)) {
        IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "a graph has a name, and lists of its inputs, nodes "
                  "and outputs");
        return NULL;
    }
    irl__arena_mark mark = irl__scratch_begin(cx);
    if (irl__graph_begin(&m, cx, irl__namez(cx, desc->name)) && irl__graph_new_parts(&m, desc))
        g = irl__graph_end(&m);
    irl__scratch_end(cx, mark);
    if (!g && irl__ok(cx))
        IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "an input, a result or an output of the graph '%s' "
                  "has no name, or a shape that is not of numbers", desc->name);
    return g;
}

/* ------------------------------------------------------------------ looking */

const char *irl_graph_name(const irl_graph *g) { return g ? g->name : ""; }
int irl_graph_tensor_count(const irl_graph *g) { return g ? g->tensor_count : 0; }
int irl_graph_node_count(const irl_graph *g) { return g ? g->node_count : 0; }
int irl_graph_input_count(const irl_graph *g) { return g ? g->input_count : 0; }
int irl_graph_output_count(const irl_graph *g) { return g ? g->output_count : 0; }

const irl_graph_tensor *irl_graph_tensor_of(const irl_graph *g, int k)
{
    return g && k >= 0 && k < g->tensor_count ? &g->tensors[k].is : NULL;
}

const irl_graph_node *irl_graph_node_of(const irl_graph *g, int k)
{
    return g && k >= 0 && k < g->node_count ? &g->nodes[k].is : NULL;
}

int irl_graph_input(const irl_graph *g, int k)
{
    return g && k >= 0 && k < g->input_count ? g->inputs[k] : -1;
}

int irl_graph_output(const irl_graph *g, int k)
{
    return g && k >= 0 && k < g->output_count ? g->outputs[k] : -1;
}

/* ------------------------------------------------------------------ equality */

static int irl__graph_same_tensor(const irl_graph_tensor *a, const irl_graph_tensor *b)
{
    return strcmp(a->name, b->name) == 0 && irl_type_equal(a->type, b->type) &&
           a->shape.rank == b->shape.rank && a->node == b->node && a->is_output == b->is_output &&
           memcmp(a->shape.extent, b->shape.extent,
                  (size_t)a->shape.rank * sizeof *a->shape.extent) == 0;
}

static int irl__graph_same_node(const irl_graph *a, const irl_graph *b, int node)
{
    const irl_graph_node *x = &a->nodes[node].is, *y = &b->nodes[node].is;
    if (strcmp(x->func->name, y->func->name) != 0) return 0;
    for (int k = 0; k < x->func->param_count; k++) {
        const irl_expr *p = x->scalars[k], *q = y->scalars[k];
        if (!p != !q || (p && memcmp(&p->u, &q->u, sizeof p->u) != 0)) return 0;
        if (!p && !irl__graph_same_tensor(&a->tensors[x->tensors[k]].is,
                                          &b->tensors[y->tensors[k]].is))
            return 0;
    }
    return 1;
}

/* Tensors in the order of two lists. */
static int irl__graph_same_list(const irl_graph *a, const irl_graph *b, int count, const int *x,
                                const int *y)
{
    for (int k = 0; k < count; k++)
        if (!irl__graph_same_tensor(&a->tensors[x[k]].is, &b->tensors[y[k]].is)) return 0;
    return 1;
}

int irl_graph_equal(const irl_graph *a, const irl_graph *b)
{
    int same;
    if (!a || !b) return a == b;
    same = strcmp(a->name, b->name) == 0 && a->func_count == b->func_count &&
           a->tensor_count == b->tensor_count && a->node_count == b->node_count &&
           a->input_count == b->input_count && a->output_count == b->output_count &&
           irl__graph_same_list(a, b, a->input_count, a->inputs, b->inputs) &&
           irl__graph_same_list(a, b, a->output_count, a->outputs, b->outputs);
    for (int k = 0; same && k < a->func_count; k++)
        same = irl_func_equal(a->funcs[k]->f, b->funcs[k]->f);
    for (int k = 0; same && k < a->node_count; k++) same = irl__graph_same_node(a, b, k);
    return same;
}
