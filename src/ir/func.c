/* func.c - functions and their parameters.

   needs     stmt.c
   promises  a parameter's name is its buffer's or variable's; copies are shallow and safe to change
             before they are shared */
#include "ir.h"

int irl_version(void) { return IRL_VERSION_HEX; }

irl_func *irl__func_copy(irl_ctx *cx, const irl_func *f)
{
    return f ? IRL__COPY(cx, irl_func, f, 1) : NULL;
}

irl_func *irl__func_with_body(const irl_func *f, const irl_stmt *body)
{
    irl_func *copy = f && body ? irl__func_copy(f->cx, f) : NULL;
    if (copy) copy->body = body;
    return copy;
}

/* The parameters, with their buffers in the place of others; NULL on failure. */
static const irl__param *irl__rewrite_params(irl__rewriter *r, const irl_func *f)
{
    const irl_loc here = r->cx->here;
    irl__param   *params = NULL;
    for (int k = 0; r->buffer && k < f->param_count; k++) {
        const irl_buffer *from = f->params[k].buffer, *b = from;
        r->cx->here = f->params[k].loc;
        if (from && !(b = r->buffer(r, from))) return NULL;
        if (b == from) continue;
        if (!params) params = IRL__COPY(r->cx, irl__param, f->params, f->param_count);
        if (!params) return NULL;
        params[k].buffer = b;
        params[k].var = b->data;
    }
    r->cx->here = here;
    return params ? params : f->params;
}

irl_func *irl__rewrite_func(irl__rewriter *r, const irl_func *f)
{
    irl__arena_mark   mark = irl__scratch_begin(r->cx);
    const irl__param *params = irl__rewrite_params(r, f);
    const irl_stmt   *body = params || !f->param_count ? irl__rewrite_stmt(r, f->body) : NULL;
    irl__scratch_end(r->cx, mark);
    irl_func *now = irl__func_with_body(f, body);
    if (now) now->params = params;
    return now;
}

int irl__func_param_of(const irl_func *f, const irl_expr *data)
{
    for (int k = 0; k < f->param_count; k++)
        if (f->params[k].var == data) return k;
    return -1;
}

int irl__expr_is_of_params(const irl_expr *e, const irl_func *f)
{
    if (e->op == IRL_OP_VAR) return irl__func_param_of(f, e) >= 0;
    for (uint32_t k = 0; k < e->count; k++)
        if (!irl__expr_is_of_params(e->a[k], f)) return 0;
    return !(e->flags & IRL__HAS_MEMORY);
}

int irl__launch_kernel(const irl_module *m, const irl_stmt *launch, int *next)
{
    int k, j = *next;
    for (k = 0; m && k < m->kernel_count; k++, j++) {
        if (j >= m->kernel_count) j = 0;
        if (strcmp(m->kernels[j]->name, launch->u.launch.kernel) != 0) continue;
        *next = j + 1;
        return j;
    }
    return -1;
}

typedef struct irl__func_launches {
    const irl_module *m;
    irl__see_passed  *see;
    void             *user;
    int               next;
} irl__func_launches;

static int irl__func_see_launch(irl__visitor *v, const irl_stmt *s)
{
    irl__func_launches *l = (irl__func_launches *)v->user;
    int                 j, k = s->kind == IRL__LAUNCH ? irl__launch_kernel(l->m, s, &l->next) : -1;
    for (j = 0; k >= 0 && j < s->u.launch.count && j < l->m->kernels[k]->param_count; j++)
        l->see(l->user, k, j, s->u.launch.args[j]);
    return 1;
}

static int irl__func_see_call(irl__visitor *v, const irl_expr *e)
{
    const irl__func_launches *l = (const irl__func_launches *)v->user;
    const irl__extern        *x = irl__extern_called(l->m->host, e);
    for (uint32_t k = 0; e->op == IRL_OP_CALL_EXTERN && k < e->count; k++)
        if (!x || !irl__extern_only_reads(x, (int)k)) l->see(l->user, -1, (int)k, e->a[k]);
    return (e->flags & IRL__HAS_MEMORY) != 0;
}

void irl__see_launches(const irl_module *m, irl__see_passed *see, void *user)
{
    irl__func_launches l = { m, see, user, 0 };
    irl__visitor       v = irl__visitor_make(&l, irl__func_see_call, irl__func_see_launch);
    irl__visit_stmt(&v, m->host->body);
}

int irl__module_has_host(const irl_module *m)
{
    return m && irl__ok(m->cx) &&
           (m->host || IRL__FAIL(m->cx, IRL_ERROR_BAD_STRUCTURE, "the module has no host "
                                 "function"));
}

typedef struct irl__func_search {
    const char       *name;
    const irl_expr   *data;     /* the memory; NULL: it is looked for by its name */
    const irl_buffer *found[2]; /* the first two of them */
} irl__func_search;

static void irl__func_see(irl__func_search *search, const irl_buffer *b)
{
    if (search->data ? b->data == search->data : strcmp(b->name, search->name) == 0)
        search->found[search->found[0] != NULL] = b;
}

static int irl__func_no_buffer(const irl_func *f, irl_loc where, const char *name)
{
    char      list[160];
    irl__near nearest;
    irl__text t;
    int       k, n = 0;
    irl__text_init_fixed(&t, list, sizeof list);
    irl__near_begin(&nearest, name ? name : "", name ? strlen(name) : 0);
    for (k = 0; k < f->param_count; k++)
        if (f->params[k].buffer) {
            irl__textf(&t, n++ ? ", '%s'" : "'%s'", f->params[k].name);
            irl__near_try(&nearest, f->params[k].name, strlen(f->params[k].name));
        }
    if (!irl__ok(f->cx)) return 0;
    irl__fail(f->cx, IRL_ERROR_UNKNOWN_NAME, where,
              "'%s' is neither a parameter nor an allocation of '%s', whose parameters are %s%s",
              name ? name : "", f->name, n ? list : "no buffers", irl__near_said(&nearest));
    return irl__hint(f->cx, "name a parameter that is a buffer, or an alloc of the function");
}

/* A name of two buffers says nothing of which is meant. */
static int irl__func_two_buffers(const irl_func *f, irl_loc where, const irl_buffer *const *two)
{
    char place[2][40];
    for (int k = 0; k < 2; k++) irl__loc_text(f->cx, two[k]->loc, place[k], sizeof place[k]);
    return irl__fail(f->cx, IRL_ERROR_DUPLICATE_NAME, where,
                     "two buffers have the name '%s', one declared at %s and one at %s",
                     two[0]->name, place[0], place[1]);
}

static irl__func_search irl__func_find(const irl_func *f, const char *name, const irl_expr *data)
{
    irl__func_search search = { name ? name : "", data, { NULL, NULL } };
    irl__place       p;
    for (int k = 0; k < f->param_count; k++)
        if (f->params[k].buffer) irl__func_see(&search, f->params[k].buffer);
    irl__place_begin(&p, f->body);
    for (const irl_stmt *s; !search.found[1] && (s = irl__place_next(&p)) != NULL;) {
        if (!irl__stmt_holds(s, 1 << IRL__ALLOC | 1 << IRL__BLOCK)) irl__place_pass(&p);
        if (s->kind == IRL__ALLOC) irl__func_see(&search, s->u.alloc.buffer);
        for (int k = 0; s->kind == IRL__BLOCK && k < s->u.block->alloc_count; k++)
            irl__func_see(&search, s->u.block->allocs[k]);
    }
    return search;
}

const irl_buffer *irl__func_memory(const irl_func *f, const irl_expr *data)
{
    return irl__func_find(f, NULL, data).found[0];
}

const irl_buffer *irl__func_buffer(const irl_func *f, irl_loc where, const char *name)
{
    const irl__func_search search = irl__func_find(f, name, NULL);
    if (!search.found[0]) irl__func_no_buffer(f, where, name);
    else if (search.found[1]) irl__func_two_buffers(f, where, search.found);
    else return search.found[0];
    return NULL;
}

/* ------------------------------------------------------- pointers that are other names */

typedef struct irl__func_names {
    irl__ptr_map pointers; /* variable of a let -> the pointer that it stands for */
    irl__ptr_map buffers;  /* view of such a variable -> view of the pointer */
} irl__func_names;

/* let p = A, the pointer to a buffer's memory */
static int irl__func_is_name(const irl_stmt *s, const void *user)
{
    (void)user;
    if (!irl__stmt_holds(s, 1 << IRL__LET)) return -1;
    return s->kind == IRL__LET && s->u.let.value->op == IRL_OP_VAR && s->u.let.var &&
           s->u.let.var->type.is_pointer &&
           irl_type_equal(s->u.let.var->type, s->u.let.value->type);
}

static const irl_expr *irl__func_named_expr(irl__rewriter *r, const irl_expr *e)
{
    irl__func_names *names = (irl__func_names *)r->user;
    const irl_expr  *to;
    if (!(e->flags & (IRL__HAS_VAR | IRL__HAS_MEMORY))) return e;
    to = e->op == IRL_OP_VAR ? (const irl_expr *)irl__ptr_map_get(&names->pointers, e) : NULL;
    return to ? to : irl__rewrite_expr_children(r, e);
}

static const irl_buffer *irl__func_named_buffer(irl__rewriter *r, const irl_buffer *b)
{
    irl__func_names  *names = (irl__func_names *)r->user;
    const irl_expr   *data = (const irl_expr *)irl__ptr_map_get(&names->pointers, b->data);
    const irl_buffer *known = (const irl_buffer *)irl__ptr_map_get(&names->buffers, b);
    if (known || !data) return known ? known : b;
    irl_buffer *copy = irl__buffer_copy(r->cx, b);
    if (!copy) return NULL;
    copy->data = data;
    return irl__ptr_map_put(r->cx, &names->buffers, b, copy) ? copy : NULL;
}

static const irl_stmt *irl__func_named_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__func_names *names = (irl__func_names *)r->user;
    if (irl__func_is_name(s, NULL) <= 0) return irl__rewrite_stmt_children(r, s);
    const irl_expr *value = irl__func_named_expr(r, s->u.let.value);
    return value && irl__ptr_map_put(r->cx, &names->pointers, s->u.let.var, value)
               ? irl__stmt_empty(r->cx)
               : NULL;
}

const irl_stmt *irl__stmt_without_names(irl_ctx *cx, const irl_stmt *body)
{
    irl__func_names names;
    if (!irl__stmt_any(body, irl__func_is_name, NULL, NULL)) return body;
    memset(&names, 0, sizeof names);
    irl__rewriter r = irl__rewriter_make(cx, &names, irl__func_named_expr, irl__func_named_stmt);
    r.buffer = irl__func_named_buffer;
    irl__arena_mark mark = irl__scratch_begin(cx);
    body = irl__rewrite_stmt(&r, body);
    irl__scratch_end(cx, mark);
    return body;
}

int irl__func_argument(const irl_func *f, int k)
{
    int at, n = 0;
    if (f->params[k].is_implicit) return -1;
    for (at = 0; at < k; at++) n += !f->params[at].is_implicit;
    return n;
}

int irl__func_argument_count(const irl_func *f)
{
    int k, n = 0;
    for (k = 0; k < f->param_count; k++) n += !f->params[k].is_implicit;
    return n;
}

irl_func *irl_func_new(irl_ctx *cx, const char *name, int count, const irl_param_desc *params,
                       const irl_stmt *body)
{
    if (!cx || !irl__ok(cx) || !name || !body) return NULL;
    if (count < 0 || (count && !params)) {
        IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "'%s' has %d parameters and %s list of them", name,
                  count, params ? "a" : "no");
        return NULL;
    }
    irl__param *list = IRL__NEW(cx, irl__param, count);
    irl_func *f = IRL__NEW(cx, irl_func, 1);
    if (!list || !f) return NULL;
    for (int k = 0; k < count; k++) {
        if (!params[k].buffer == !params[k].scalar) {
            IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "parameter %d of '%s' must be either a buffer or "
                      "a scalar", k, name);
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
            IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "parameter %d of '%s' must be a variable "
                      "(irl_expr_var)", k, name);
            return NULL;
        } else {
            list[k].name = params[k].scalar->u.name;
            list[k].var = params[k].scalar;
            list[k].is_implicit = params[k].is_implicit != 0;
        }
    }
    f->cx = cx;
    f->name = irl__namez(cx, name);
    f->param_count = count;
    f->params = list;
    f->body = irl__stmt_without_names(cx, body);
    return f->name && f->body ? f : NULL;
}
