/* special.c - copies of functions and their statements: for the numbers that the arguments of a
   node bind, or to put several functions into one.

   needs     visit.c, the simplifier
   promises  what a copy declares (variables, buffers, loops, blocks) is new, so that a copy and its
             original may be in one function; places and notes stay; cost linear */
#include "graph.h"

void irl__graph_copy_begin(irl__graph_copy *c, irl_ctx *cx)
{
    memset(c, 0, sizeof *c);
    c->cx = cx;
}

/* A variable of the copy's own. */
static const irl_expr *irl__graph_copy_var(irl__graph_copy *c, const irl_expr *var)
{
    const irl_expr *own = irl_expr_var(c->cx, var->u.name, var->type);
    return own && irl__ptr_map_put(c->cx, &c->vars, var, own) ? own : NULL;
}

static const irl_expr *irl__graph_copy_expr(irl__rewriter *r, const irl_expr *e)
{
    irl__graph_copy *c = (irl__graph_copy *)r->user;
    const irl_expr  *now;
    if (!(e->flags & (IRL__HAS_VAR | IRL__HAS_MEMORY | IRL__HAS_LET))) return e;
    if (e->op == IRL_OP_VAR) {
        now = (const irl_expr *)irl__ptr_map_get(&c->vars, e);
        return now ? now : e;
    }
    if (e->op == IRL_OP_LET) {
        const irl_expr *value = irl__rewrite_expr(r, e->a[1]);
        const irl_expr *var =
            value ? irl__graph_copy_var((irl__graph_copy *)r->user, e->a[0]) : NULL;
        const irl_expr *body = var ? irl__rewrite_expr(r, e->a[2]) : NULL;
        return body ? irl_expr_let(r->cx, var, value, body) : NULL;
    }
    now = irl__rewrite_expr_children(r, e);
    return now && now != e && c->folds && irl__type_is_index(now->type) &&
                   !(now->flags & IRL__HAS_MEMORY)
               ? irl__simplify_alone(r->cx, now)
               : now;
}

static int irl__graph_copy_list(irl__rewriter *r, int count, const irl_expr *const **list)
{
    const irl_expr **now;
    if (!*list || !count) return 1;
    now = IRL__COPY(r->cx, const irl_expr *, *list, count);
    for (int k = 0; now && k < count; k++)
        if (!(now[k] = irl__rewrite_expr(r, now[k]))) return 0;
    *list = now;
    return now != NULL;
}

static const irl_buffer *irl__graph_copied_buffer(irl__rewriter *r, const irl_buffer *b)
{
    irl__graph_copy  *c = (irl__graph_copy *)r->user;
    const irl_buffer *known = (const irl_buffer *)irl__ptr_map_get(&c->buffers, b);
    const irl_expr   *data = (const irl_expr *)irl__ptr_map_get(&c->vars, b->data);
    if (known) return known;
    irl_buffer *copy = irl__buffer_copy(c->cx, b);
    if (!copy || !irl__graph_copy_list(r, b->rank, &copy->shape) ||
        !irl__graph_copy_list(r, b->rank, &copy->strides))
        return NULL;
    if (b->offset && !(copy->offset = irl__rewrite_expr(r, b->offset))) return NULL;
    copy->data = data ? data : irl__graph_copy_var(c, b->data);
    if (data && irl__ptr_map_get(&c->plain, b->data)) {
        copy->scope = IRL_SCOPE_GLOBAL;
        copy->separator_count = 0;
    }
    return copy->data && irl__ptr_map_put(c->cx, &c->buffers, b, copy) ? copy : NULL;
}

static const irl_stmt *irl__graph_copy_hook(irl__rewriter *r, const irl_stmt *s)
{
    irl__graph_copy *c = (irl__graph_copy *)r->user;
    if (s->kind != IRL__FOR && s->kind != IRL__LET && s->kind != IRL__BLOCK &&
        s->kind != IRL__LAUNCH)
        return irl__rewrite_stmt_children(r, s);
    irl_stmt *copy = irl__stmt_copy(c->cx, s);
    if (!copy) return NULL;
    if (s->kind == IRL__FOR || s->kind == IRL__BLOCK) copy->id = c->cx->next_id++;
    if (s->kind == IRL__FOR) copy->u.loop.var = irl__graph_copy_var(c, s->u.loop.var);
    if (s->kind == IRL__LET) copy->u.let.var = irl__graph_copy_var(c, s->u.let.var);
    if (s->kind == IRL__BLOCK) {
        irl__block_data *block;
        irl_stmt        *own = irl__block_copy(c->cx, copy, &block);
        irl__axis       *axes = own ? irl__block_axes(c->cx, block, 0) : NULL;
        if (!axes) return NULL;
        for (int k = 0; k < block->axis_count; k++)
            if (!(axes[k].var = irl__graph_copy_var(c, axes[k].var))) return NULL;
        return irl__rewrite_stmt_children(r, own);
    }
    if (s->kind == IRL__LAUNCH) {
        const char *kernel = irl__namez(c->cx, s->u.launch.kernel);
        kernel = kernel ? (const char *)irl__ptr_map_get(&c->kernels, kernel) : NULL;
        if (kernel) copy->u.launch.kernel = kernel;
    }
    return irl__ok(c->cx) ? irl__rewrite_stmt_children(r, copy) : NULL;
}

static irl__rewriter irl__graph_copier(irl__graph_copy *c)
{
    irl__rewriter r = irl__rewriter_make(c->cx, c, irl__graph_copy_expr, irl__graph_copy_hook);
    r.buffer = irl__graph_copied_buffer;
    return r;
}

int irl__graph_copy_buffer(irl__graph_copy *c, const irl_buffer *b, const irl_buffer *to,
                           int is_plain)
{
    return irl__ptr_map_put(c->cx, &c->buffers, b, to) &&
           irl__ptr_map_put(c->cx, &c->vars, b->data, to->data) &&
           (!is_plain || irl__ptr_map_put(c->cx, &c->plain, b->data, to));
}

const irl_stmt *irl__graph_copy_stmt(irl__graph_copy *c, const irl_stmt *s)
{
    irl__rewriter r = irl__graph_copier(c);
    return irl__rewrite_stmt(&r, s);
}

/* ------------------------------------------------------------------ for numbers */

static int irl__graph_special_params(irl__rewriter *r, irl_func *f, const irl__graph_node *node)
{
    irl__param *params = IRL__NEW(r->cx, irl__param, f->param_count);
    int k, n = 0;
    for (k = 0; params && k < f->param_count; k++) {
        irl__param *p = &params[n];
        if (node->is.scalars[k]) continue;
        *p = f->params[k];
        p->buffer = irl__graph_copied_buffer(r, p->buffer);
        if (!p->buffer) return 0;
        p->var = p->buffer->data;
        p->logical_shape = p->buffer->shape;
        n++;
    }
    f->params = params;
    f->param_count = n;
    return params != NULL;
}

/* A map may name what is a number now. */
static const irl_map *irl__graph_special_map(irl__rewriter *r, const irl_map *map)
{
    irl_map *copy = IRL__COPY(r->cx, irl_map, map, 1);
    if (!copy || !irl__graph_copy_list(r, map->output_count, &copy->outputs)) return NULL;
    copy->c = NULL;
    return copy;
}

static int irl__graph_special_rest(irl__rewriter *r, irl_func *f)
{
    irl__layout     *layouts = IRL__COPY(r->cx, irl__layout, f->layouts, f->layout_count);
    irl__annotation *notes = IRL__COPY(r->cx, irl__annotation, f->annotations, f->annotation_count);
    if (!layouts || !notes) return 0;
    for (int k = 0; k < f->layout_count; k++)
        if (!(layouts[k].map = irl__graph_special_map(r, layouts[k].map))) return 0;
    for (int k = 0; k < f->annotation_count; k++)
        if (notes[k].value && !(notes[k].value = irl__rewrite_expr(r, notes[k].value))) return 0;
    f->layouts = layouts;
    f->annotations = notes;
    return 1;
}

irl_func *irl__graph_special(const irl__graph_node *node)
{
    irl_ctx        *cx = node->is.func->cx;
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl_func       *f = irl__func_copy(cx, node->is.func);
    irl__graph_copy c;
    int             k, ok = f != NULL;
    irl__graph_copy_begin(&c, cx);
    irl__rewriter r = irl__graph_copier(&c);
    c.folds = 1;
    for (k = 0; ok && k < f->param_count; k++)
        ok = !node->is.scalars[k] ||
             irl__ptr_map_put(cx, &c.vars, f->params[k].var, node->is.scalars[k]);
    ok = ok && irl__graph_special_params(&r, f, node) && irl__graph_special_rest(&r, f) &&
         (f->body = irl__rewrite_stmt(&r, f->body)) != NULL;
    irl__scratch_end(cx, mark);
    return ok && irl__verify(f) ? f : NULL;
}

int irl__graph_alike(const irl__graph_node *a, const irl__graph_node *b)
{
    if (a->func != b->func) return 0;
    for (int k = 0; k < a->func->f->param_count; k++)
        if (a->is.scalars[k] != b->is.scalars[k]) return 0; /* constants are interned */
    return 1;
}
