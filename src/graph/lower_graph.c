/* lower_graph.c - a graph becomes one module: each node's function is lowered separately, equal
   nodes once, and one host function launches the kernels of all.

   requires  a graph; functions that irl_func_lower takes
   maintains what the graph computes (irl_graph_func); equal nodes share their kernels
   breaks    nothing; a tensor that a node needs in another layout is copied
   cost      a lowering for each different node, and copies of their host functions

   Nodes are equal if their functions have one form for the numbers of the node, by irl_func_hash
   and then irl_func_equal, even if they were declared separately, under different names.
   A tensor has the layout that the node that writes it states in its signature; an input has that
   of the first node that reads it. A tensor between nodes is allocated before the node that writes
   it. */
#include "graph.h"

/* A node's function, lowered. */
typedef struct irl__glower_made {
    const irl__graph_node *node; /* NULL: a copy */
    const irl_func        *f;    /* it was lowered from */
    const irl_module      *m;
    int                    next; /* the last one made before of the same hash, + 1 */
    irl__ptr_map           kernels;
} irl__glower_made;

/* Nodes of one function with the same numbers. */
typedef struct irl__glower_known {
    const irl__graph_node *node;
    irl__glower_made      *made;
    int                    next; /* the one before of the same function, + 1 */
} irl__glower_known;

/* A tensor, or a copy of it, in memory. */
typedef struct irl__glower_place {
    int                tensor;
    const irl__param  *abi; /* as the signature has it that it was made for */
    const irl__layout *lossy; /* irl__glower_lossy of that signature */
    const irl_buffer  *buffer;
    int                next; /* another place of the tensor, + 1 */
} irl__glower_place;

typedef struct irl__glower {
    const irl_graph         *g;
    irl_ctx                 *cx;
    const irl_target        *target;
    const irl_lower_options *how;
    irl__glower_made       **made;
    irl__ptr_map             of_hash; /* hash of a function, not 0 -> number in made, + 1 */
    irl__glower_known       *known;   /* of each function of the graph, with what numbers */
    irl__ptr_map             of_func; /* irl__graph_func -> number in known, + 1 */
    irl__glower_place       *places;  /* the first of them one for each tensor */
    irl__ptr_map             names;   /* of kernels: interned name -> itself */
    const irl_stmt         **list;    /* of the host */
    const irl_func         **scheduled; /* of each node */
    const irl_func         **kernels;
    irl__extern             *externs;
    irl__annotation         *notes;
} irl__glower;

/* ------------------------------------------------------------------ kernels */

static const char *irl__glower_free_name(irl__glower *l, const char *wanted)
{
    const char *name = irl__namez(l->cx, wanted);
    for (int k = 1; name && irl__ptr_map_get(&l->names, name); k++)
        name = irl__namef(l->cx, "%s_%d", wanted, k);
    return name && irl__ptr_map_put(l->cx, &l->names, name, name) ? name : NULL;
}

/* The kernels of a module join those of the graph's, under names that are free. */
static int irl__glower_take_kernels(irl__glower *l, irl__glower_made *made)
{
    for (int k = 0; k < made->m->kernel_count; k++) {
        irl_func   *kernel = irl__func_copy(l->cx, made->m->kernels[k]);
        const char *old = kernel ? irl__namez(l->cx, kernel->name) : NULL;
        if (!old || !(kernel->name = irl__glower_free_name(l, old)) ||
            !irl__ptr_map_put(l->cx, &made->kernels, old, kernel->name) ||
            !IRL__PUSH(l->cx, l->kernels, (const irl_func *)kernel))
            return 0;
    }
    return 1;
}

/* The warnings of a node are the graph's. */
static int irl__glower_take_notes(irl__glower *l, const irl_func *host)
{
    for (int k = 0; k < host->annotation_count; k++)
        if (irl__attr_is_warning(host->annotations[k].key) &&
            !IRL__PUSH(l->cx, l->notes, host->annotations[k]))
            return 0;
    return 1;
}

static irl__glower_made *irl__glower_func(irl__glower *l, const irl_func *f)
{
    irl__glower_made *made = f ? IRL__SCRATCH(l->cx, irl__glower_made, 1) : NULL;
    if (!made) return NULL;
    made->m = irl_func_lower_with(f, l->target, l->how);
    if (!made->m || !irl__glower_take_kernels(l, made) ||
        !irl__glower_take_notes(l, made->m->host) ||
        !irl__graph_add_externs(l->cx, &l->externs, made->m->host) ||
        !IRL__PUSH_SCRATCH(l->cx, l->made, made))
        return NULL;
    return made;
}

/* Equal but for their own names? */
static int irl__glower_is_form(irl_ctx *cx, const irl_func *a, const irl_func *b)
{
    irl_func *named = irl__func_copy(cx, b);
    if (!named) return 0;
    named->name = a->name;
    return irl_func_equal(a, named);
}

/* The module of a function of this form, or a new one. */
static irl__glower_made *irl__glower_form(irl__glower *l, const irl__graph_node *node)
{
    const irl_func *f = irl__graph_special(node);
    const size_t    hash = (size_t)irl_func_hash(f) | 1;
    const size_t    first = (size_t)irl__ptr_map_get(&l->of_hash, (const void *)hash);
    if (!f) return NULL;
    for (int k = (int)first; k > 0; k = l->made[k - 1]->next)
        if (irl__glower_is_form(l->cx, l->made[k - 1]->f, f)) return l->made[k - 1];
    irl__glower_made *made = irl__glower_func(l, f);
    if (!made) return NULL;
    made->node = node;
    made->f = f;
    made->next = (int)first;
    return irl__ptr_map_put(l->cx, &l->of_hash, (const void *)hash,
                            (const void *)(size_t)stbds_arrlen(l->made))
               ? made
               : NULL;
}

/* The module of a node like this one; what is asked again is found without its form. */
static irl__glower_made *irl__glower_made_of(irl__glower *l, const irl__graph_node *node)
{
    irl__glower_known known;
    int               k = (int)(size_t)irl__ptr_map_get(&l->of_func, node->func);
    known.next = k;
    for (; k > 0; k = l->known[k - 1].next)
        if (irl__graph_alike(l->known[k - 1].node, node)) return l->known[k - 1].made;
    known.node = node;
    known.made = irl__glower_form(l, node);
    return known.made && IRL__PUSH_SCRATCH(l->cx, l->known, known) &&
                   irl__ptr_map_put(l->cx, &l->of_func, node->func,
                                    (const void *)(size_t)stbds_arrlen(l->known))
               ? known.made
               : NULL;
}

/* ------------------------------------------------------------------ how tensors lie */

/* Whether what lies as `there` may be taken for what a signature wants: padding that it says holds
   a value does. */
static int irl__glower_fits(const irl__param *there, const irl__param *wanted)
{
    const irl_buffer *a = there->buffer;
    const irl_buffer *b = wanted->buffer;
    if (a->scope != b->scope || a->rank != b->rank || a->alignment != b->alignment ||
        a->texel != b->texel || a->separator_count != b->separator_count)
        return 0;
    for (int k = 0; k < a->rank; k++)
        if (a->shape[k] != b->shape[k]) return 0;
    /* constants are interned */
    for (int k = 0; k < a->separator_count; k++)
        if (a->separators[k] != b->separators[k]) return 0;
    return irl__map_equal_text(there->map, wanted->map) &&
           (!wanted->padding || wanted->padding == there->padding);
}

/* Memory of the host's that lies as a signature says; a copy's is allocated, and what is neither an
   input nor an output. */
static int irl__glower_make_place(irl__glower *l, irl__glower_place *place, const irl__param *abi,
                                  int is_copy)
{
    const irl__graph_tensor *t = &l->g->tensors[place->tensor];
    irl_buffer              *b = irl__buffer_copy(l->cx, abi->buffer);
    const char              *name = t->is.name;
    if (is_copy) name = irl__namef(l->cx, "%s_copy", name);
    if (!name || !b || !(b->data = irl_expr_var(l->cx, name, abi->buffer->data->type))) return 0;
    b->name = name;
    b->loc = t->loc;
    place->abi = abi;
    place->buffer = b;
    if (!is_copy && (t->is.node < 0 || t->is.is_output)) return 1;
    const irl_stmt *alloc = irl_stmt_alloc(l->cx, b);
    return alloc && IRL__PUSH_SCRATCH(l->cx, l->list, alloc);
}

/* ------------------------------------------------------------------ copies */

/* A parameter of a function that copies, which comes to lie as abi says. */
static int irl__glower_copy_param(irl__glower *l, irl_func *f, irl__param *p, irl__layout **layouts,
                                  const irl__param *abi, const char *name)
{
    irl_buffer *b = irl__buffer_copy(l->cx, abi->buffer);
    irl__layout line;
    if (!b) return 0;
    b->name = name;
    b->data = irl_expr_var(l->cx, name, abi->buffer->data->type);
    if (abi->map) { /* the layout makes the shape and the separators */
        b->rank = abi->logical_rank;
        b->shape = abi->logical_shape;
        b->separator_count = 0;
        memset(&line, 0, sizeof line);
        line.buffer = name;
        line.map = abi->map;
        line.padding = abi->padding;
        line.assume_injective = 1; /* it has been judged, or vouched for, where it comes from */
        if (!IRL__PUSH(l->cx, *layouts, line)) return 0;
    }
    memset(p, 0, sizeof *p);
    p->name = name;
    p->buffer = b;
    p->var = b->data;
    p->logical_rank = b->rank;
    p->logical_shape = b->shape;
    f->layouts = *layouts;
    f->layout_count = (int)stbds_arrlen(*layouts);
    return b->data != NULL;
}

/* for (i0: n0, i1: n1, ...) to[i0, i1, ...] = from[i0, i1, ...]; */
static const irl_stmt *irl__glower_copy_body(irl_ctx *cx, const irl_buffer *from,
                                             const irl_buffer *to)
{
    const irl_expr *at[IRL_MAX_RANK], *value;
    for (int k = 0; k < to->rank; k++)
        if (!(at[k] = irl_expr_var(cx, "i", irl__type_index()))) return NULL;
    value = irl__expr_load(cx, from, from->rank, at, irl__nowhere());
    const irl_stmt *s = value ? irl__stmt_store(cx, to, value, to->rank, at, irl__nowhere()) : NULL;
    for (int k = to->rank; s && k-- > 0;)
        s = irl_stmt_for(cx, IRL_SERIAL, at[k], irl_expr_index(cx, 0), to->shape[k], s);
    return s;
}

static irl_func *irl__glower_copy_func(irl__glower *l, const irl__param *from,
                                       const irl__param *to)
{
    irl_func    *f = IRL__NEW(l->cx, irl_func, 1);
    irl__param  *params = IRL__NEW(l->cx, irl__param, 2);
    irl__layout *layouts = NULL;
    if (!f || !params) return NULL;
    f->cx = l->cx;
    f->name = irl__namez(l->cx, "copy");
    f->role = IRL__PLAIN;
    f->params = params;
    f->param_count = 2;
    if (!f->name ||
        !irl__glower_copy_param(l, f, &params[0], &layouts, from, irl__namez(l->cx, "x")) ||
        !irl__glower_copy_param(l, f, &params[1], &layouts, to, irl__namez(l->cx, "y")))
        return NULL;
    f->body = irl__glower_copy_body(l->cx, params[0].buffer, params[1].buffer);
    return f->body ? f : NULL;
}

/* The module that copies what lies as one into what lies as another; of several tensors that lie
   alike it is one. */
static irl__glower_made *irl__glower_copier(irl__glower *l, const irl__param *from,
                                            const irl__param *to)
{
    for (size_t k = 0; k < stbds_arrlenu(l->made); k++) {
        const irl__param *p = l->made[k]->m->host->params;
        if (!l->made[k]->node && irl_type_equal(p[0].buffer->type, from->buffer->type) &&
            irl__glower_fits(&p[0], from) && irl__glower_fits(from, &p[0]) &&
            irl__glower_fits(&p[1], to) && irl__glower_fits(to, &p[1]))
            return l->made[k];
    }
    return irl__glower_func(l, irl__glower_copy_func(l, from, to));
}

/* ------------------------------------------------------------------ the host */

/* The statements of a node's host function, on the graph's memory. */
static int irl__glower_launch(irl__glower *l, irl__glower_made *made,
                              const irl_buffer *const *buffers)
{
    const irl_func *host = made->m->host;
    irl__graph_copy c;
    irl__graph_copy_begin(&c, l->cx);
    c.kernels = made->kernels;
    for (int k = 0; k < host->param_count; k++)
        if (!irl__graph_copy_buffer(&c, host->params[k].buffer, buffers[k], 0)) return 0;
    const irl_stmt *body = irl__graph_copy_stmt(&c, host->body);
    return body && IRL__PUSH_SCRATCH(l->cx, l->list, body);
}

/* The layout of a parameter that is only read, where it maps several points to one cell: the
   signature describes the memory and has no map. NULL: the signature has the map. */
static const irl__layout *irl__glower_lossy(const irl__glower_made *made, const irl__param *abi)
{
    for (int k = 0; !abi->map && k < made->f->layout_count; k++)
        if (strcmp(made->f->layouts[k].buffer, abi->name) == 0) return &made->f->layouts[k];
    return NULL;
}

/* A tensor has a value for each point. Such a layout is right for an input of the graph that all
   nodes read by it, and for nothing else. */
static int irl__glower_may_share(irl__glower *l, int tensor, const irl__glower_made *made,
                                 const irl__param *abi)
{
    const irl__glower_place *first = &l->places[tensor];
    const irl__layout       *lossy = irl__glower_lossy(made, abi);
    const char              *said = irl__func_said(made->m->host, IRL__ATTR_SHARED, abi->name);
    if (first->lossy == lossy || (first->lossy && lossy &&
                                  irl__map_equal_text(first->lossy->map, lossy->map)))
        return 1;
    if (!lossy) {
        lossy = first->lossy;
        said = NULL;
    }
    said = said ? strchr(said, ':') : NULL;
    return irl__fail(l->cx, IRL_ERROR_LOSSY_MAP, lossy->loc,
                     "tensor '%s' of the graph has a value for each point, and function '%s' reads "
                     "it by %s, which maps different points to one cell%s. Only an input that all "
                     "nodes read by that layout may have it",
                     l->g->tensors[tensor].is.name, made->f->name,
                     irl_map_text(l->cx, lossy->map), said ? said : "");
}

/* The tensor as a signature wants it: where it lies, or a copy. NULL on failure. */
static const irl_buffer *irl__glower_place_of(irl__glower *l, int tensor,
                                              const irl__glower_made *made, const irl__param *abi)
{
    irl__glower_place place, *first = &l->places[tensor];
    const irl_buffer *buffers[2];
    if (!first->buffer) {
        first->lossy = irl__glower_lossy(made, abi);
        return irl__glower_make_place(l, first, abi, 0) ? first->buffer : NULL;
    }
    if (!irl__glower_may_share(l, tensor, made, abi)) return NULL;
    for (int k = tensor + 1; k > 0; k = l->places[k - 1].next)
        if (irl__glower_fits(l->places[k - 1].abi, abi)) return l->places[k - 1].buffer;
    place = *first;
    if (!irl__glower_make_place(l, &place, abi, 1)) return NULL;
    buffers[0] = first->buffer;
    buffers[1] = place.buffer;
    irl__glower_made *copier = irl__glower_copier(l, first->abi, abi);
    if (!copier || !irl__glower_launch(l, copier, buffers) ||
        !IRL__PUSH_SCRATCH(l->cx, l->places, place))
        return NULL;
    l->places[tensor].next = (int)stbds_arrlen(l->places);
    return place.buffer;
}

/* Parameters of the host: as the nodes want them; plain where no node does. */
static int irl__glower_params(irl__glower *l, irl_func *host)
{
    const irl_graph *g = l->g;
    const irl_func  *whole = NULL;
    const int        n = g->input_count + g->output_count;
    irl__param      *params = IRL__NEW(l->cx, irl__param, n);
    for (int k = 0; params && k < n; k++) {
        const int t = k < g->input_count ? g->inputs[k] : g->outputs[k - g->input_count];
        const irl__glower_place *place = &l->places[t];
        if (place->buffer) {
            params[k] = *place->abi;
            params[k].buffer = place->buffer;
            if (place->abi->logical_shape == place->abi->buffer->shape)
                params[k].logical_shape = place->buffer->shape;
        } else {
            if (!whole && !(whole = irl_graph_func(g))) return 0;
            params[k] = whole->params[k];
        }
        params[k].name = g->tensors[t].is.name;
        params[k].var = params[k].buffer->data;
        params[k].loc = g->tensors[t].loc;
    }
    host->params = params;
    host->param_count = n;
    return params != NULL;
}

static irl_module *irl__glower_module(irl__glower *l)
{
    const irl_graph *g = l->g;
    irl_module      *m = IRL__NEW(l->cx, irl_module, 1);
    irl_func        *host = IRL__NEW(l->cx, irl_func, 1);
    if (!m || !host || !irl__glower_params(l, host)) return NULL;
    host->cx = l->cx;
    host->name = g->name;
    host->role = IRL__HOST;
    host->externs = l->externs;
    host->extern_count = (int)stbds_arrlen(l->externs);
    host->annotations = l->notes;
    host->annotation_count = (int)stbds_arrlen(l->notes);
    host->body = irl__stmt_seq(l->cx, (int)stbds_arrlen(l->list), l->list);
    m->cx = l->cx;
    m->name = g->name;
    m->target = l->target->name;
    m->host = host;
    m->kernels = l->kernels;
    m->kernel_count = (int)stbds_arrlen(l->kernels);
    if (l->notes && !(m->origin = irl_graph_func(g))) return NULL;
    if (l->how->schedule == IRL_SCHEDULE_AUTO &&
        !(m->scheduled = irl__graph_whole(g, l->scheduled)))
        return NULL;
    return host->body ? m : NULL;
}

static irl_module *irl__glower_run(irl__glower *l)
{
    irl__glower_place place;
    memset(&place, 0, sizeof place);
    for (int k = 0; k < l->g->tensor_count; k++) {
        place.tensor = k;
        if (!IRL__PUSH_SCRATCH(l->cx, l->places, place)) return NULL;
    }
    for (int k = 0; k < l->g->node_count; k++) {
        irl__glower_made  *made = irl__glower_made_of(l, &l->g->nodes[k]);
        const irl_func    *f = l->g->nodes[k].is.func;
        const irl_buffer **buffers = IRL__SCRATCH(l->cx, const irl_buffer *, f->param_count + 1);
        int j, p = 0;
        if (!made || !buffers || !IRL__PUSH_SCRATCH(l->cx, l->scheduled, made->m->scheduled))
            return NULL;
        for (j = 0; j < f->param_count; j++) {
            if (l->g->nodes[k].is.scalars[j]) continue;
            buffers[p] = irl__glower_place_of(l, l->g->nodes[k].is.tensors[j], made,
                                              &made->m->host->params[p]);
            if (!buffers[p++]) return NULL;
        }
        if (!irl__glower_launch(l, made, buffers)) return NULL;
    }
    return irl__glower_module(l);
}

irl_module *irl_graph_lower_with(const irl_graph *g, const irl_target *target,
                                 const irl_lower_options *how)
{
    irl__glower       l;
    irl_lower_options defaults;
    if (!g || !irl__ok(g->cx) || !irl__target_given(g->cx, target)) return NULL;
    memset(&l, 0, sizeof l);
    memset(&defaults, 0, sizeof defaults);
    defaults.schedule = IRL_SCHEDULE_AUTO;
    l.g = g;
    l.cx = g->cx;
    l.target = target;
    l.how = how ? how : &defaults;
    irl__arena_mark mark = irl__scratch_begin(l.cx);
    irl_module     *m = irl__glower_run(&l);
    irl__scratch_end(l.cx, mark);
    /* Tensors between nodes may share memory, as those between launches do. */
    if (!m || !irl__verify_module(m)) return NULL;
    if (l.how->disable >> irl__pass_number("in_place") & 1) return m;
    irl_module *after = irl__pass_in_place(m);
    return after && (after->host == m->host || irl__verify_module(after)) ? after : NULL;
}

irl_module *irl_graph_lower(const irl_graph *g, const irl_target *target)
{
    return irl_graph_lower_with(g, target, NULL);
}
