/* func.c - functions and their parameters.

   needs     stmt.c
   promises  a parameter's name is its buffer's or variable's; copies are shallow and safe to change
             before they are shared */
#include "ir.h"

int irl_version(void) { return IRL_VERSION_HEX; }

irl_func *irl__func_copy(irl_ctx *cx, const irl_func *f)
{
    return f ? (irl_func *)irl__copy(cx, f, 1, sizeof *f) : NULL;
}

irl_func *irl__func_with_body(const irl_func *f, const irl_stmt *body)
{
    irl_func *copy = f && body ? irl__func_copy(f->cx, f) : NULL;
    if (copy) copy->body = body;
    return copy;
}

irl_func *irl__rewrite_func(irl__rewriter *r, const irl_func *f)
{
    irl__arena_mark mark = irl__scratch_begin(r->cx);
    const irl_stmt *body = irl__rewrite_stmt(r, f->body);
    irl__scratch_end(r->cx, mark);
    return irl__func_with_body(f, body);
}

int irl__func_param_of(const irl_func *f, const irl_expr *data)
{
    int k;
    for (k = 0; k < f->param_count; k++)
        if (f->params[k].var == data) return k;
    return -1;
}

typedef struct irl__func_search {
    const char       *name;
    const irl_buffer *found;
} irl__func_search;

static int irl__func_search_stmt(irl__visitor *v, const irl_stmt *s)
{
    irl__func_search *search = (irl__func_search *)v->user;
    int               k;
    if (search->found) return 0;
    if (s->kind == IRL__ALLOC && strcmp(s->u.alloc.buffer->name, search->name) == 0)
        search->found = s->u.alloc.buffer;
    if (s->kind == IRL__BLOCK)
        for (k = 0; k < s->u.block->alloc_count; k++)
            if (strcmp(s->u.block->allocs[k]->name, search->name) == 0)
                search->found = s->u.block->allocs[k];
    return !search->found;
}

const irl_buffer *irl__func_find_buffer(const irl_func *f, const char *name)
{
    irl__func_search search;
    irl__visitor     v;
    int              k;
    if (!f || !name) return NULL;
    for (k = 0; k < f->param_count; k++)
        if (f->params[k].buffer && strcmp(f->params[k].name, name) == 0) return f->params[k].buffer;
    search.name = name;
    search.found = NULL;
    v = irl__visitor_make(&search, NULL, irl__func_search_stmt);
    irl__visit_stmt(&v, f->body);
    return search.found;
}

int irl__func_no_buffer(const irl_func *f, irl_loc where, const char *name)
{
    char      list[160];
    irl__text t;
    int       k, n = 0;
    irl__text_init_fixed(&t, list, sizeof list);
    for (k = 0; k < f->param_count; k++)
        if (f->params[k].buffer) irl__textf(&t, n++ ? ", '%s'" : "'%s'", f->params[k].name);
    return irl__fail(
        f->cx, IRL_ERROR_UNKNOWN_NAME, where,
        "'%s' is neither a parameter nor an allocation of '%s', whose parameters are %s",
        name ? name : "", f->name, n ? list : "no buffers");
}

irl_func *irl_func_new(irl_ctx *cx, const char *name, int count, const irl_param_desc *params,
                       const irl_stmt *body)
{
    irl__param *list;
    irl_func   *f;
    int         k;
    if (!cx || !irl__ok(cx) || !name || !body) return NULL;
    if (count < 0 || (count && !params)) {
        irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, irl__nowhere(),
                  "'%s' has %d parameters and %s list of them", name, count, params ? "a" : "no");
        return NULL;
    }
    list = (irl__param *)irl__alloc_array(cx, (size_t)count, sizeof *list);
    f = (irl_func *)irl__alloc_array(cx, 1, sizeof *f);
    if (!list || !f) return NULL;
    for (k = 0; k < count; k++) {
        if (!params[k].buffer == !params[k].scalar) {
            irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, irl__nowhere(),
                      "parameter %d of '%s' must be either a buffer or a scalar", k, name);
            return NULL;
        }
        if (params[k].buffer) {
            const irl_buffer *b = params[k].buffer;
            list[k].name = b->name;
            list[k].var = b->data;
            list[k].buffer = b;
            list[k].logical_rank = b->rank;
            list[k].logical_shape = b->shape;
        } else if (params[k].scalar->op != IRL_OP_VAR) {
            irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, irl__nowhere(),
                      "parameter %d of '%s' must be a variable (irl_var)", k, name);
            return NULL;
        } else {
            list[k].name = params[k].scalar->u.name;
            list[k].var = params[k].scalar;
        }
    }
    f->cx = cx;
    f->name = irl__namez(cx, name);
    f->param_count = count;
    f->params = list;
    f->body = body;
    return f->name ? f : NULL;
}
