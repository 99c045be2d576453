/* fuse.c - fuses nodes that compute cell by cell with the node that they read, or that reads them.

   requires  a graph
   maintains what it computes; inputs and outputs, their names and order
   breaks    tensors between nodes that are fused: they no longer exist
   cost      for each pair of nodes that might be fused, a function of both, and a step tried on it

   A tensor that one node alone reads, once, and that is no output is put into the node that reads
   it by the primitive compute_inline, if this does not compute it more often; or the reader is put
   into the node that writes the tensor, by reverse_compute_inline. The primitives decide whether
   that is right. After this, a node that reads a sum cell by cell becomes one function with the
   node that adds: automatic schedules compute it where they store the sum. A function that states
   layouts, scopes or schedules stays as it is. */
#include "graph.h"

/* A node on the way; tensors are those of the graph. */
typedef struct irl__fuse_node {
    const irl_func  *f;
    int              argument_count, result_count;
    int             *arguments; /* -1: a scalar */
    const irl_expr **scalars;
    int             *results;
    int              is_gone;
} irl__fuse_node;

typedef struct irl__fuse {
    const irl_graph *g;
    irl_ctx         *cx;
    irl__fuse_node  *nodes;
    int             *readers, *writer; /* of each tensor: how often it is read; its node, or -1 */
    const irl_func **made;
    irl__text       *t;
    int              is_second; /* round: sums, and what reads them */
    irl_graph_fusion out;
} irl__fuse;

/* ------------------------------------------------------------------ what may be fused */

static int irl__fuse_is_scheduled(const irl_stmt *s, const void *user)
{
    (void)user;
    return s->kind == IRL__FOR && (irl__stmt_is_scheduled(s) || s->u.loop.kind != IRL_SERIAL);
}

/* Why a function stays as it is; NULL: it may change. */
static const char *irl__fuse_stays(const irl_func *f)
{
    if (f->layout_count) return "has layouts";
    for (int k = 0; k < f->param_count; k++)
        if (f->params[k].buffer && (f->params[k].buffer->scope != IRL_SCOPE_GLOBAL ||
                                    f->params[k].buffer->alignment))
            return "states its scope or alignment";
    return irl__stmt_any(f->body, irl__fuse_is_scheduled, NULL, NULL) ? "is scheduled" : NULL;
}

/* In how many iterations f reads the temporary, if that is in one place, less the cells that it
   has; 1 where that is not known. */
static int64_t irl__fuse_reads(const irl_func *f)
{
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    irl__accesses   t;
    int64_t         cells = 1, times = 1;
    int             k, axis, reads = 0, ok = irl__accesses_of(&t, f, NULL);
    for (k = 0; ok && k < t.count; k++) {
        const irl_buffer *b = t.list[k].buffer;
        if (!b || strcmp(b->name, "t") != 0 || t.list[k].kind != IRL__ACCESS_READ) continue;
        reads++;
        for (axis = 0; ok && axis < b->rank; axis++)
            ok = irl__mul64(cells, b->shape[axis]->u.i, &cells);
        for (const irl__around *a = t.list[k].around; ok && a; a = a->outer)
            if (a->kind == IRL__AROUND_LOOP)
                ok = irl__is_const(a->stmt->u.loop.extent) &&
                     irl__mul64(times, a->stmt->u.loop.extent->u.i, &times);
    }
    irl__scratch_end(f->cx, mark);
    return ok && reads == 1 ? times - cells : 1;
}

/* The only load of the temporary outside of its own updates; NULL: there is none, or several. */
static const irl__access *irl__fuse_read(const irl__accesses *t)
{
    const irl__access *read = NULL;
    for (int k = 0; k < t->count; k++) {
        const irl__access *a = &t->list[k];
        if (a->is_declared || !a->buffer || a->kind != IRL__ACCESS_READ || a->of_pair >= 0 ||
            strcmp(a->buffer->name, "t") != 0)
            continue;
        if (read) return NULL;
        read = a;
    }
    return read;
}

/* Is the temporary updated, and does the store that reads it write the cell of the same indices,
   and nothing else store anything? */
static int irl__fuse_is_cell_by_cell(const irl__accesses *t)
{
    const irl__access *read = irl__fuse_read(t);
    int                k, j, updates = 0, stores = 0;
    for (k = 0; read && k < t->count; k++) {
        const irl__access *a = &t->list[k];
        if (a->is_declared || a->kind == IRL__ACCESS_READ) continue;
        if (a->kind == IRL__ACCESS_OPAQUE || a->lanes != 1) return 0;
        updates += a->kind == IRL__ACCESS_UPDATE && a->memory == read->memory;
        if (a->memory == read->memory) continue;
        stores++;
        if (a->place != read->place || a->rank != read->rank) return 0;
        for (j = 0; j < a->rank; j++)
            if (a->indices[j] != read->indices[j]) return 0;
    }
    return updates == 1 && stores == 1;
}

static int irl__fuse_allocates(const irl_stmt *s, const void *user)
{
    (void)user;
    for (int k = 0; s->kind == IRL__BLOCK && k < s->u.block->alloc_count; k++)
        if (strcmp(s->u.block->allocs[k]->name, "t") == 0) return 1;
    return s->kind == IRL__ALLOC && strcmp(s->u.alloc.buffer->name, "t") == 0;
}

/* ------------------------------------------------------------------ one function of two */

static const char *irl__fuse_name(irl_ctx *cx, char letter, int k)
{
    return irl__namef(cx, "%c%d", letter, k);
}

/* Tensors of two nodes under names that do not depend on the graph, so that pairs that are alike
   become one function. */
typedef struct irl__fuse_pair {
    irl__fuse       *q;
    irl__graph_maker m;
    irl__fuse_node   node; /* that the two become */
    int              between;
} irl__fuse_pair;

static const char *irl__fuse_input(irl__fuse_pair *p, int tensor)
{
    irl__fuse              *q = p->q;
    const irl_graph_tensor *t = &q->g->tensors[tensor].is;
    int                     k;
    for (k = 0; k < (int)stbds_arrlen(p->node.arguments); k++)
        if (p->node.arguments[k] == tensor) return irl__fuse_name(q->cx, 'x', k);
    const char *name = irl__fuse_name(q->cx, 'x', k);
    return name && IRL__PUSH_SCRATCH(q->cx, p->node.arguments, tensor) &&
                   irl__graph_add_input(&p->m, name, t->type, t->shape.rank, t->shape.extent,
                                        irl__nowhere())
               ? name
               : NULL;
}

static int irl__fuse_add(irl__fuse_pair *p, const irl__fuse_node *node)
{
    irl__fuse             *q = p->q;
    const irl__graph_func *func = NULL;
    irl__graph_given      *given =
        IRL__NEW(q->cx, irl__graph_given, node->argument_count + node->result_count);
    if (!given || !irl__graph_add_func(&p->m, node->f, &func)) return 0;
    for (int k = 0; k < node->argument_count; k++) {
        const int t = node->arguments[k];
        given[k].scalar = t < 0 ? node->scalars[k] : NULL;
        if (t >= 0 && !(given[k].tensor = t == p->between ? irl__namez(q->cx, "t")
                                                          : irl__fuse_input(p, t)))
            return 0;
    }
    for (int k = 0; k < node->result_count; k++) {
        const int t = node->results[k];
        given[node->argument_count + k].tensor =
            t == p->between ? irl__namez(q->cx, "t")
                            : irl__fuse_name(q->cx, 'y', (int)stbds_arrlen(p->node.results));
        if (t != p->between && !IRL__PUSH_SCRATCH(q->cx, p->node.results, t)) return 0;
    }
    return irl__graph_add_node(&p->m, func, node->argument_count, given, node->result_count,
                               given + node->argument_count, irl__nowhere());
}

static irl_func *irl__fuse_both(irl__fuse_pair *p, const irl__fuse_node *first,
                                const irl__fuse_node *second)
{
    if (!irl__graph_begin(&p->m, p->q->cx, "both") || !irl__fuse_add(p, first) ||
        !irl__fuse_add(p, second))
        return NULL;
    for (int k = 0; k < (int)stbds_arrlen(p->node.results); k++)
        if (!irl__graph_add_output(&p->m, irl__fuse_name(p->q->cx, 'y', k), irl__nowhere()))
            return NULL;
    return irl_graph_func(irl__graph_end(&p->m));
}

/* ------------------------------------------------------------------ the steps */

static const irl_stmt *irl__fuse_unmark(irl__rewriter *r, const irl_stmt *s)
{
    s = irl__rewrite_stmt_children(r, s);
    return s && s->kind == IRL__FOR && irl__stmt_is_scheduled(s)
               ? irl__stmt_set_scheduled(r->cx, s, 0)
               : s;
}

/* f after one step, without the temporary, as one that nobody scheduled; NULL, and why, if not. */
static irl_func *irl__fuse_step(irl__fuse *q, const irl_func *f, const char *step,
                                const char **why)
{
    irl__rewriter r = irl__rewriter_make(q->cx, NULL, irl__rewrite_no_expr, irl__fuse_unmark);
    if (!irl_schedule_try(f, step, why)) return NULL;
    irl_func *now = irl_schedule_parse(f, step, IRL_TO_NUL, NULL);
    /* The temporary between the two must still be allocated. */
    if (!now || irl__stmt_any(now->body, irl__fuse_allocates, NULL, NULL)) return NULL;
    now = irl__rewrite_func(&r, now);
    if (now) now->steps = NULL;
    return now;
}

static irl_func *irl__fuse_tried(irl__fuse *q, irl_func *f, const char **why)
{
    const int64_t more = irl__fuse_reads(f);
    irl_func     *now = NULL;
    if (q->is_second) {
        irl__arena_mark mark = irl__scratch_begin(f->cx);
        irl__accesses   t;
        int             is = irl__accesses_of(&t, f, NULL) && irl__fuse_is_cell_by_cell(&t);
        irl__scratch_end(f->cx, mark);
        return is ? f : NULL;
    }
    *why = "fused, its elements would be computed more than once, because it is read "
           "more often than it is computed, or in several places";
    if (more <= 0) now = irl__fuse_step(q, f, "{ compute_inline(t); }", why);
    /* each cell is read in an iteration of its own: none of them is lost */
    if (!now && irl__ok(q->cx) && more == 0)
        now = irl__fuse_step(q, f, "{ reverse_compute_inline(y0); }", why);
    return now;
}

/* Under a name that no other function has: the one that is there already if it is the same. */
static const irl_func *irl__fuse_named(irl__fuse *q, irl_func *f, const char *a, const char *b)
{
    irl__text t;
    int       k;
    irl__text_init(&t, q->cx);
    irl__textf(&t, "%s_%s", a, b);
    const char *wanted = t.length <= 48 ? irl__text_done(&t) : "fused";
    for (int number = 0; wanted; number++) {
        const char *name = irl__namef(q->cx, number ? "%s_%d" : "%s", wanted, number);
        if (!name) return NULL;
        f->name = name;
        for (k = 0; k < (int)stbds_arrlen(q->made); k++)
            if (strcmp(q->made[k]->name, name) == 0) break;
        if (k == (int)stbds_arrlen(q->made))
            return IRL__PUSH_SCRATCH(q->cx, q->made, (const irl_func *)f) ? f : NULL;
        if (irl_func_equal(q->made[k], f)) return q->made[k];
    }
    return NULL;
}

/* ------------------------------------------------------------------ pairs */

/* The first round said that a tensor stays; the second found a way. */
static void irl__fuse_unsay(irl__fuse *q, const char *name)
{
    irl__text  *t = q->t, line;
    const char *begin;
    irl__text_init(&line, q->cx);
    irl__textf(&line, ": %s is kept: ", name);
    const char *at = line.failed || !t->data ? NULL : strstr(t->data, line.data);
    if (!at) return;
    for (begin = at; begin > t->data && begin[-1] != '\n';) begin--;
    const char *end = at + strcspn(at, "\n") + 1;
    memmove(t->data + (begin - t->data), end, t->length - (size_t)(end - t->data) + 1);
    t->length -= (size_t)(end - begin);
}

static void irl__fuse_report(irl__fuse *q, const irl__fuse_node *a, const irl__fuse_node *b,
                             int tensor, int64_t bytes, const char *why)
{
    if (q->is_second && why) return; /* the first round said so */
    if (q->is_second) irl__fuse_unsay(q, q->g->tensors[tensor].is.name);
    irl__textf(q->t, "%s, %s: %s ", a->f->name, b->f->name, q->g->tensors[tensor].is.name);
    if (why) {
        irl__text_puts(q->t, "is kept: ");
        irl__text_append(q->t, why, strcspn(why, "\n")); /* of a diagnostic the first line */
        irl__text_putc(q->t, '\n');
    } else if (q->is_second)
        irl__text_puts(q->t, "is kept inside one node, which first computes it and then the "
                             "results that use it\n");
    else
        irl__textf(q->t, "is removed: %l bytes less are written and read\n", bytes);
}

/* 1: node k and the one that writes its argument became one, which is node k; 0: they did not; -1
   on failure. */
static int irl__fuse_argument(irl__fuse *q, int k, int tensor)
{
    irl__fuse_node *second = &q->nodes[k], *first = &q->nodes[q->writer[tensor]];
    const char     *why = irl__fuse_stays(first->f);
    const int64_t   bytes = irl__graph_bytes(&q->g->tensors[tensor].is);
    irl__fuse_pair  p;
    if (!why) why = irl__fuse_stays(second->f);
    if (!why && first->result_count != 1) why = "it is one of several results";
    if (why) {
        irl__fuse_report(q, first, second, tensor, bytes, why);
        return 0;
    }
    memset(&p, 0, sizeof p);
    p.q = q;
    p.between = tensor;
    irl_func *f = irl__fuse_both(&p, first, second);
    if (!f) return -1;
    f = irl__fuse_tried(q, f, &why);
    if (!f) irl__fuse_report(q, first, second, tensor, bytes, why ? why : "it could not be "
                                                                          "removed");
    if (!f) return irl__ok(q->cx) ? 0 : -1;
    irl__fuse_report(q, first, second, tensor, bytes, NULL);
    p.node.f = irl__fuse_named(q, f, first->f->name, second->f->name);
    if (!p.node.f) return -1;
    p.node.argument_count = (int)stbds_arrlen(p.node.arguments);
    p.node.result_count = (int)stbds_arrlen(p.node.results);
    p.node.scalars = IRL__SCRATCH(q->cx, const irl_expr *, p.node.argument_count + 1);
    for (int j = 0; j < first->argument_count; j++)
        if (first->arguments[j] >= 0) q->readers[first->arguments[j]]--;
    for (int j = 0; j < second->argument_count; j++)
        if (second->arguments[j] >= 0) q->readers[second->arguments[j]]--;
    for (int j = 0; j < p.node.argument_count; j++) q->readers[p.node.arguments[j]]++;
    first->is_gone = 1;
    *second = p.node;
    q->out.count++;
    if (!q->is_second) q->out.bytes += bytes;
    return second->scalars ? 1 : -1;
}

static int irl__fuse_run(irl__fuse *q, int k)
{
    int j = 0, done;
    while (j < q->nodes[k].argument_count) {
        const int t = q->nodes[k].arguments[j++];
        if (t < 0 || q->writer[t] < 0 || q->readers[t] != 1 || q->g->tensors[t].is.is_output)
            continue;
        done = irl__fuse_argument(q, k, t);
        if (done < 0) return 0;
        if (done) j = 0; /* it has other arguments now */
    }
    return 1;
}

/* ------------------------------------------------------------------ the graph */

static int irl__fuse_take_node(irl__fuse *q, int k)
{
    const irl__graph_node *node = &q->g->nodes[k];
    irl__fuse_node        *n = &q->nodes[k];
    n->f = node->is.func;
    n->argument_count = node->func->argument_count;
    n->result_count = node->func->result_count;
    n->arguments = IRL__SCRATCH(q->cx, int, n->argument_count + 1);
    n->results = IRL__SCRATCH(q->cx, int, n->result_count + 1);
    n->scalars = IRL__SCRATCH(q->cx, const irl_expr *, n->argument_count + 1);
    if (!n->arguments || !n->results || !n->scalars) return 0;
    for (int j = 0; j < n->argument_count; j++) {
        const int p = irl__graph_param(node->func, j, 0);
        n->arguments[j] = node->is.tensors[p];
        n->scalars[j] = node->is.scalars[p];
        if (n->arguments[j] >= 0) q->readers[n->arguments[j]]++;
    }
    for (int j = 0; j < n->result_count; j++) {
        n->results[j] = node->is.tensors[irl__graph_param(node->func, j, 1)];
        q->writer[n->results[j]] = k;
    }
    return 1;
}

static int irl__fuse_begin(irl__fuse *q)
{
    const irl_graph *g = q->g;
    q->nodes = IRL__SCRATCH(q->cx, irl__fuse_node, g->node_count + 1);
    q->readers = IRL__SCRATCH(q->cx, int, g->tensor_count + 1);
    q->writer = IRL__SCRATCH(q->cx, int, g->tensor_count + 1);
    if (!q->nodes || !q->readers || !q->writer) return 0;
    for (int k = 0; k < g->tensor_count; k++) q->writer[k] = -1;
    for (int k = 0; k < g->func_count; k++)
        if (!IRL__PUSH_SCRATCH(q->cx, q->made, g->funcs[k]->f)) return 0;
    for (int k = 0; k < g->node_count; k++)
        if (!irl__fuse_take_node(q, k)) return 0;
    return 1;
}

static int irl__fuse_put_node(irl__fuse *q, irl__graph_maker *m, const irl__fuse_node *n)
{
    const irl__graph_func *func = NULL;
    irl__graph_given      *given =
        IRL__NEW(q->cx, irl__graph_given, n->argument_count + n->result_count);
    if (!given || !irl__graph_add_func(m, n->f, &func)) return 0;
    for (int j = 0; j < n->argument_count; j++)
        if (n->arguments[j] < 0) given[j].scalar = n->scalars[j];
        else given[j].tensor = q->g->tensors[n->arguments[j]].is.name;
    for (int j = 0; j < n->result_count; j++)
        given[n->argument_count + j].tensor = q->g->tensors[n->results[j]].is.name;
    return irl__graph_add_node(m, func, n->argument_count, given, n->result_count,
                               given + n->argument_count, irl__nowhere());
}

static irl_graph *irl__fuse_end(irl__fuse *q)
{
    const irl_graph *g = q->g;
    irl__graph_maker m;
    if (!irl__graph_begin_as(&m, g)) return NULL;
    for (int k = 0; k < g->node_count; k++)
        if (!q->nodes[k].is_gone && !irl__fuse_put_node(q, &m, &q->nodes[k])) return NULL;
    return irl__graph_end_as(&m, g);
}

irl_graph *irl_graph_fuse(const irl_graph *g, irl_graph_fusion *fusion)
{
    irl__fuse  q;
    irl__text  t;
    irl_graph *out = NULL;
    int        k;
    if (fusion) memset(fusion, 0, sizeof *fusion);
    if (fusion) fusion->text = "";
    if (!g || !irl__ok(g->cx)) return NULL;
    memset(&q, 0, sizeof q);
    irl__text_init(&t, g->cx);
    q.g = g;
    q.cx = g->cx;
    q.t = &t;
    irl__arena_mark mark = irl__scratch_begin(q.cx);
    int             ok = irl__fuse_begin(&q);
    for (; ok && q.is_second < 2; q.is_second++)
        for (k = 0; ok && k < g->node_count; k++)
            ok = q.nodes[k].is_gone || irl__fuse_run(&q, k);
    if (ok) out = irl__fuse_end(&q);
    irl__scratch_end(q.cx, mark);
    q.out.text = irl__text_or_empty(irl__text_done(&t));
    if (out && fusion) *fusion = q.out;
    return out;
}
