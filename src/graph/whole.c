/* whole.c - all nodes of a graph as one plain function: what the graph means.

   needs     special.c
   promises  the graph's inputs and outputs are its parameters, in order; the other tensors are
             allocated; layouts and scopes of the nodes' functions, which change no value, are left
             out, except a lossy layout of an input, which says what memory the caller passes. Cost
             linear in the nodes' functions, each counted as often as it is a node */
#include "graph.h"

typedef struct irl__whole {
    const irl_graph   *g;
    const irl_buffer **buffers; /* of each tensor */
    const irl_stmt   **list;
    irl__extern       *externs;
    irl__layout       *layouts;
} irl__whole;

static const irl_buffer *irl__whole_buffer(irl_ctx *cx, const irl__graph_tensor *t)
{
    const irl_expr *extent[IRL_MAX_RANK];
    for (int k = 0; k < t->is.shape.rank; k++)
        if (!(extent[k] = irl_expr_index(cx, t->is.shape.extent[k]))) return NULL;
    return irl__buffer_make(cx, t->is.name, t->is.type, IRL_SCOPE_GLOBAL, t->is.shape.rank,
                            extent, NULL, t->loc);
}

static int irl__whole_buffers(irl__whole *w)
{
    const irl_graph *g = w->g;
    w->buffers = IRL__SCRATCH(g->cx, const irl_buffer *, g->tensor_count);
    for (int k = 0; w->buffers && k < g->tensor_count; k++) {
        const irl__graph_tensor *t = &g->tensors[k];
        if (!(w->buffers[k] = irl__whole_buffer(g->cx, t))) return 0;
        if (t->is.node < 0 || t->is.is_output) continue;
        const irl_stmt *alloc = irl_stmt_alloc(g->cx, w->buffers[k]);
        if (!alloc || !IRL__PUSH_SCRATCH(g->cx, w->list, alloc)) return 0;
    }
    return w->buffers != NULL;
}

/* Prototypes of one name are the same in all functions. */
int irl__graph_add_externs(irl_ctx *cx, irl__extern **list, const irl_func *f)
{
    for (int k = 0; k < f->extern_count; k++) {
        const irl__extern *x = &f->externs[k], *known = NULL;
        for (size_t j = 0; j < stbds_arrlenu(*list); j++)
            if (strcmp((*list)[j].is.name, x->is.name) == 0) known = &(*list)[j];
        if (known ? !irl__extern_again(cx, known, x) : !IRL__PUSH(cx, *list, *x)) return 0;
    }
    return 1;
}

/* The layout of parameter p, if it is its only one and lossy for the tensor; else NULL. */
static const irl__layout *irl__whole_lossy(const irl_func *f, int p, const irl__graph_tensor *t)
{
    const irl__layout *found = NULL;
    for (int k = 0; k < f->layout_count; k++) {
        if (strcmp(f->layouts[k].buffer, f->params[p].name) != 0) continue;
        if (found) return NULL;
        found = &f->layouts[k];
    }
    return found && found->map->input_count == t->is.shape.rank &&
                   irl_map_check(f->cx, found->map, t->is.shape).kind == IRL_LOSSY ? found : NULL;
}

/* Lowering refuses inputs that nodes read by another layout too: the first says enough. */
static int irl__whole_layout(irl__whole *w, const irl_func *f, int p, const irl__graph_tensor *t)
{
    for (size_t k = 0; k < stbds_arrlenu(w->layouts); k++)
        if (strcmp(w->layouts[k].buffer, t->is.name) == 0) return 1;
    const irl__layout *lossy = irl__whole_lossy(f, p, t);
    if (!lossy) return irl__ok(f->cx);
    irl__layout one = *lossy;
    one.buffer = t->is.name;
    one.data = NULL;
    return IRL__PUSH(f->cx, w->layouts, one);
}

static int irl__whole_node(irl__whole *w, const irl__graph_node *node, const irl_func *f)
{
    irl_ctx        *cx = w->g->cx;
    irl__graph_copy c;
    int             k, p = 0;
    if (!f || !irl__graph_add_externs(cx, &w->externs, f)) return 0;
    irl__graph_copy_begin(&c, cx);
    for (k = 0; k < node->is.func->param_count; k++) {
        if (node->is.scalars[k]) continue;
        const irl__graph_tensor *t = &w->g->tensors[node->is.tensors[k]];
        if (t->is.node < 0 && !irl__whole_layout(w, f, p, t)) return 0;
        if (!irl__graph_copy_buffer(&c, f->params[p++].buffer,
                                    w->buffers[node->is.tensors[k]], 1))
            return 0;
    }
    const irl_stmt *body = irl__graph_copy_stmt(&c, f->body);
    if (!body || body->kind != IRL__SEQ) return body && IRL__PUSH_SCRATCH(cx, w->list, body);
    for (k = 0; k < body->u.seq.count; k++) /* what it declares is its own: braces are not needed */
        if (!IRL__PUSH_SCRATCH(cx, w->list, body->u.seq.stmts[k])) return 0;
    return 1;
}

static int irl__whole_params(irl__whole *w, irl_func *f)
{
    const irl_graph *g = w->g;
    const int        n = g->input_count + g->output_count;
    irl__param      *params = IRL__NEW(g->cx, irl__param, n);
    for (int k = 0; params && k < n; k++) {
        const int t = k < g->input_count ? g->inputs[k] : g->outputs[k - g->input_count];
        params[k].name = g->tensors[t].is.name;
        params[k].loc = g->tensors[t].loc;
        params[k].buffer = w->buffers[t];
        params[k].var = w->buffers[t]->data;
        params[k].logical_rank = w->buffers[t]->rank;
        params[k].logical_shape = w->buffers[t]->shape;
    }
    f->params = params;
    f->param_count = n;
    return params != NULL;
}

irl_func *irl__graph_whole(const irl_graph *g, const irl_func *const *special)
{
    irl__whole      w;
    irl_func       *f;
    irl__arena_mark mark = irl__scratch_begin(g->cx);
    memset(&w, 0, sizeof w);
    w.g = g;
    f = IRL__NEW(g->cx, irl_func, 1);
    int ok = f && irl__whole_buffers(&w);
    for (int k = 0; ok && k < g->node_count; k++)
        ok = irl__whole_node(&w, &g->nodes[k], special[k]);
    if (ok) {
        f->cx = g->cx;
        f->name = g->name;
        f->role = IRL__PLAIN;
        f->externs = w.externs;
        f->extern_count = (int)stbds_arrlen(w.externs);
        f->layouts = w.layouts;
        f->layout_count = (int)stbds_arrlen(w.layouts);
        f->body = irl__stmt_seq(g->cx, (int)stbds_arrlen(w.list), w.list);
        ok = f->body && irl__whole_params(&w, f);
    }
    irl__scratch_end(g->cx, mark);
    return ok && irl__verify(f) ? f : NULL;
}

irl_func *irl_graph_func(const irl_graph *g)
{
    const irl_func **special;
    irl_func        *f = NULL;
    if (!g || !irl__ok(g->cx)) return NULL;
    irl__arena_mark mark = irl__scratch_begin(g->cx);
    special = IRL__SCRATCH(g->cx, const irl_func *, g->node_count + 1);
    int ok = special != NULL;
    for (int k = 0; ok && k < g->node_count; k++)
        ok = (special[k] = irl__graph_special(&g->nodes[k])) != NULL;
    if (ok) f = irl__graph_whole(g, special);
    irl__scratch_end(g->cx, mark);
    return f;
}
