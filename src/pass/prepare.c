/* prepare.c - a module in two parts, for inputs that stay the same from run to run: the launches
   that depend on these weights alone, and all others.

   requires  a module with a host function
   maintains what the second part computes after the first has run; launches keep their order
   breaks    memory that the first part writes and the second one uses becomes a parameter of both
   cost      linear in the module, but for the host's launches times the kernels, and a walk over
             the launches for each chain of them, of which one reads what another writes */
#include "pass.h"

/* Memory of the host. */
typedef struct irl__prepare_memory {
    const irl_buffer *buffer;
    const irl__param *param;     /* NULL: a temporary */
    int               is_weight; /* a parameter that stays the same */
    int               is_used[2]; /* by a launch of the second part, or what else there is; the
                                     first part's */
    const irl_buffer *shared;     /* the parameter of both that it becomes; NULL: none */
} irl__prepare_memory;

typedef struct irl__prepare {
    irl_ctx             *cx;
    const irl_module    *m;
    irl__accesses       *t; /* of the host */
    uint8_t             *is_first; /* of each launch: it is one of the first part */
    uint8_t            **writes;   /* of each kernel: its parameters that it writes */
    irl__prepare_memory *list;
    int                  count;
    irl__ptr_map         of_memory; /* pointer -> its row of the list */
    int                  part;      /* that is made: 1 the first */
    irl__ptr_map         names;     /* of parameters: interned name -> itself */
    const irl_expr     **from, **to; /* pointers of temporaries that become parameters */
} irl__prepare;

static irl__prepare_memory *irl__prepare_of(const irl__prepare *p, const irl_expr *pointer)
{
    return (irl__prepare_memory *)irl__ptr_map_get(&p->of_memory, pointer);
}

/* ------------------------------------------------------------------ what touches what */

/* Which parameters a kernel writes: all where that is not known. */
static int irl__prepare_kernel(irl__prepare *p, int k)
{
    const irl_func *kernel = p->m->kernels[k];
    irl__accesses   t;
    uint8_t        *writes = IRL__SCRATCH(p->cx, uint8_t, kernel->param_count + 1);
    if (!writes || !irl__accesses_of(&t, kernel, NULL)) return 0;
    for (int j = 0; t.is_strange && j < kernel->param_count; j++) writes[j] = 1;
    for (int j = 0; j < t.count; j++) {
        const int param = irl__func_param_of(kernel, t.list[j].memory);
        if (param >= 0 && irl__access_writes(&t.list[j])) writes[param] = 1;
    }
    p->writes[k] = writes;
    return 1;
}

/* May a row of the host's table change its memory? */
static int irl__prepare_writes(const irl__prepare *p, const irl__access *a)
{
    int next = 0, k;
    if (a->place->kind != IRL__LAUNCH) return irl__access_writes(a);
    k = irl__launch_kernel(p->m, a->place, &next);
    for (int j = 0; k >= 0 && j < a->place->u.launch.count && j < p->m->kernels[k]->param_count;
         j++) {
        const irl_expr *arg = a->place->u.launch.args[j];
        if (p->writes[k][j] && (arg == a->memory || irl__ptr_map_get(&p->t->behind, arg) ==
                                                        (const void *)a->memory))
            return 1;
    }
    return k < 0;
}

/* Is a number, or are several, made of what the weights' shapes say? */
static int irl__prepare_knows(const irl__prepare *p, int count, const irl_expr *const *list)
{
    for (int k = 0; k < count; k++)
        if (!list[k]->type.is_pointer &&
            !irl__expr_is_over(list[k], (int)stbds_arrlen(p->from), p->from))
            return 0;
    return 1;
}

/* A check that the first part makes too. */
static int irl__prepare_keeps(const irl__prepare *p, const irl_stmt *s)
{
    return (s->kind == IRL__ASSUME || s->kind == IRL__ASSERT) &&
           irl__prepare_knows(p, 1, &s->u.check.condition) &&
           (s->kind == IRL__ASSUME ||
            irl__prepare_knows(p, s->u.check.value_count, s->u.check.values));
}

/* May a launch run before everything else: once, with numbers that are known then? */
static int irl__prepare_may_launch(const irl__prepare *p, const irl__access *a)
{
    for (const irl__around *n = a->around; n; n = n->outer)
        if (n->kind != IRL__AROUND_MEMORY &&
            (n->kind != IRL__AROUND_CHECK || !irl__prepare_keeps(p, n->stmt)))
            return 0;
    return irl__prepare_knows(p, a->place->u.launch.count, a->place->u.launch.args);
}

/* May a temporary be made by the first part, if these launches are? What it holds is written by
   them alone, and before anything else reads it. */
static int irl__prepare_may_make(const irl__prepare *p, const irl__life *life)
{
    const irl_buffer *b = life->buffer;
    int               is_read = 0;
    if (b->scope == IRL_SCOPE_SHARED || b->scope == IRL_SCOPE_LOCAL) return 0;
    if (!irl__prepare_knows(p, b->rank, b->shape)) return 0;
    for (int k = 0; k < (int)stbds_arrlen(p->t->memory); k++)
        if (!irl__around_allocates(p->t->memory[k]) &&
            (p->t->memory[k]->buffer->data == life->memory ||
             irl__ptr_map_get(&p->t->behind, p->t->memory[k]->buffer->data) == life->memory))
            return 0; /* it has a view */
    for (int k = life->rows.first; k < life->rows.end; k++) {
        const irl__access *a = &p->t->list[k];
        if (a->memory != life->memory) continue;
        const int is_first = a->place->kind == IRL__LAUNCH && p->is_first[a->launch];
        if (irl__prepare_writes(p, a) && (!is_first || is_read)) return 0;
        is_read |= !is_first;
    }
    return 1;
}

/* The launches that depend on the weights alone: all that may be, without those that touch memory
   which the first part cannot have, until none is left out any more. */
static void irl__prepare_choose(irl__prepare *p, const irl__life *lives)
{
    int changed = 1;
    for (int k = 0; k < p->t->count; k++) /* what is handed no memory is none */
        if (p->t->list[k].place->kind == IRL__LAUNCH) p->is_first[p->t->list[k].launch] = 1;
    for (int k = 0; k < p->t->count; k++) {
        const irl__access *a = &p->t->list[k];
        if (a->place->kind == IRL__LAUNCH &&
            (!irl__prepare_of(p, a->memory) || !irl__prepare_may_launch(p, a)))
            p->is_first[a->launch] = 0;
    }
    while (changed) {
        changed = 0;
        for (int k = 0; k < p->count; k++) {
            if (p->list[k].is_weight ||
                (!p->list[k].param && irl__prepare_may_make(p, &lives[k])))
                continue;
            for (int j = lives[k].rows.first; j < lives[k].rows.end; j++) {
                const irl__access *a = &p->t->list[j];
                if (a->memory != lives[k].memory || a->place->kind != IRL__LAUNCH) continue;
                changed |= p->is_first[a->launch];
                p->is_first[a->launch] = 0;
            }
        }
    }
    for (int k = 0; k < p->t->count; k++) {
        const irl__access   *a = &p->t->list[k];
        irl__prepare_memory *at = irl__prepare_of(p, a->memory);
        if (at) at->is_used[a->place->kind == IRL__LAUNCH && p->is_first[a->launch]] = 1;
    }
}

/* ------------------------------------------------------------------ the host's memory */

/* The parameters of these names, with commas between, are weights. */
static int irl__prepare_weights(irl__prepare *p, const char *names)
{
    const irl_func *host = p->m->host;
    for (names += strspn(names, ", "); *names; names += strspn(names, ", ")) {
        const size_t length = strcspn(names, ",");
        size_t       end = length;
        while (names[end - 1] == ' ') end--;
        const char       *name = irl__name(p->cx, names, end);
        const irl_buffer *b = name ? irl__func_buffer(host, irl__nowhere(), name) : NULL;
        if (!b) return 0;
        irl__prepare_memory *at = irl__prepare_of(p, b->data);
        if (!at || !at->param)
            return irl__fail(p->cx, IRL_ERROR_BAD_ARGUMENT, b->loc,
                             "'%s' is a temporary of '%s'; a weight is a parameter", name,
                             host->name);
        at->is_weight = 1;
        for (int k = 0; k < at->param->logical_rank; k++)
            if (at->param->logical_shape[k]->op == IRL_OP_VAR &&
                !IRL__PUSH_SCRATCH(p->cx, p->from, at->param->logical_shape[k]))
                return 0;
        names += length;
    }
    for (int k = 0; k < p->t->count; k++) {
        const irl__access         *a = &p->t->list[k];
        const irl__prepare_memory *at = irl__prepare_of(p, a->memory);
        if (at && at->is_weight && irl__prepare_writes(p, a))
            return irl__fail(p->cx, IRL_ERROR_BAD_ARGUMENT, a->place->loc,
                             "'%s' is written, so it does not stay the same from run to run and is "
                             "no weight", at->buffer->name);
    }
    return 1;
}

static int irl__prepare_read(irl__prepare *p, irl__life **lives)
{
    const irl_func *host = p->m->host;
    if (!irl__lives_of(p->t, lives)) return 0;
    p->count = (int)stbds_arrlen(*lives);
    p->is_first = IRL__SCRATCH(p->cx, uint8_t, stbds_arrlenu(p->t->launches) + 1);
    p->writes = IRL__SCRATCH(p->cx, uint8_t *, p->m->kernel_count + 1);
    p->list = IRL__SCRATCH(p->cx, irl__prepare_memory, p->count + 1);
    if (!p->is_first || !p->writes || !p->list) return 0;
    for (int k = 0; k < p->m->kernel_count; k++)
        if (!irl__prepare_kernel(p, k)) return 0;
    for (int k = 0; k < p->count; k++) {
        const int param = irl__func_param_of(host, (*lives)[k].memory);
        p->list[k].buffer = (*lives)[k].buffer;
        p->list[k].param = param < 0 ? NULL : &host->params[param];
        if (!irl__ptr_map_put(p->cx, &p->of_memory, (*lives)[k].memory, &p->list[k])) return 0;
    }
    for (int k = 0; k < host->param_count; k++)
        if (!irl__ptr_map_put(p->cx, &p->names, irl__namez(p->cx, host->params[k].name), p))
            return 0;
    return 1;
}

/* A temporary that both parts use becomes a parameter, under a name that no other one has. */
static int irl__prepare_share(irl__prepare *p, irl__prepare_memory *at)
{
    irl_buffer *b = irl__buffer_copy(p->cx, at->buffer);
    const char *name = irl__namez(p->cx, at->buffer->name);
    for (int k = 1; name && irl__ptr_map_get(&p->names, name); k++)
        name = irl__namef(p->cx, "%s_%d", at->buffer->name, k);
    if (!b || !name || !irl__ptr_map_put(p->cx, &p->names, name, p)) return 0;
    b->name = name;
    b->data = irl_expr_var(p->cx, name, at->buffer->data->type);
    at->shared = b;
    return b->data && IRL__PUSH_SCRATCH(p->cx, p->from, at->buffer->data) &&
           IRL__PUSH_SCRATCH(p->cx, p->to, b->data);
}

/* ------------------------------------------------------------------ one part */

static const irl_stmt *irl__prepare_stmt(irl__rewriter *r, const irl_stmt *s)
{
    const irl__prepare        *p = (const irl__prepare *)r->user;
    const irl__prepare_memory *at;
    int                        stays = !p->part;
    if (s->kind == IRL__SEQ || s->kind == IRL__ATTR) return irl__rewrite_stmt_children(r, s);
    if (irl__prepare_keeps(p, s)) return s;
    if (s->kind == IRL__ALLOC) {
        at = irl__prepare_of(p, s->u.alloc.buffer->data);
        stays = !at->shared && at->is_used[1] == p->part;
    } else if (s->kind == IRL__LAUNCH)
        for (int k = 0; k < (int)stbds_arrlen(p->t->launches); k++)
            if (p->t->launches[k] == s) stays = p->is_first[k] == p->part;
    return stays ? s : irl__stmt_empty(r->cx);
}

/* The parameters of a part: of the host's all that it uses, and all whose shape names say what a
   number is; then the memory that both use. */
static int irl__prepare_params(irl__prepare *p, irl_func *host)
{
    irl__param *list = NULL, one;
    for (int k = 0; k < p->m->host->param_count; k++) {
        const irl__param          *param = &p->m->host->params[k];
        const irl__prepare_memory *at = param->buffer ? irl__prepare_of(p, param->var) : NULL;
        int                        stays = !p->part;
        if (at && at->is_weight) {
            stays = p->part ? at->is_used[1] : at->is_used[0] || !at->is_used[1];
            for (int j = 0; j < param->logical_rank; j++)
                stays |= param->logical_shape[j]->op != IRL_OP_INT;
        } else if (!at && p->part)
            for (int j = 0; j < (int)stbds_arrlen(p->from); j++) stays |= p->from[j] == param->var;
        if (stays && !IRL__PUSH(p->cx, list, *param)) return 0;
    }
    for (int k = 0; k < p->count; k++) {
        if (!p->list[k].shared) continue;
        memset(&one, 0, sizeof one);
        one.buffer = p->list[k].shared;
        one.name = one.buffer->name;
        one.var = one.buffer->data;
        one.logical_rank = one.buffer->rank;
        one.logical_shape = one.buffer->shape;
        if (!IRL__PUSH(p->cx, list, one)) return 0;
    }
    host->params = list;
    host->param_count = (int)stbds_arrlen(list);
    return 1;
}

/* The kernels that the host launches. */
static int irl__prepare_kernels(irl__prepare *p, irl_module *part)
{
    const irl_func **kernels = NULL;
    for (int k = 0; k < p->m->kernel_count; k++) {
        int is_launched = 0;
        for (int j = 0; j < (int)stbds_arrlen(p->t->launches); j++)
            is_launched |= p->is_first[j] == p->part &&
                           strcmp(p->t->launches[j]->u.launch.kernel, p->m->kernels[k]->name) == 0;
        if (is_launched && !IRL__PUSH(p->cx, kernels, p->m->kernels[k])) return 0;
    }
    part->kernels = kernels;
    part->kernel_count = (int)stbds_arrlen(kernels);
    return 1;
}

/* The notes of the host: warnings are those of the second part. */
static int irl__prepare_notes(irl__prepare *p, irl_func *host)
{
    irl__annotation *list = NULL;
    for (int k = 0; k < p->m->host->annotation_count; k++)
        if (!irl__attr_is_warning(p->m->host->annotations[k].key) &&
            !IRL__PUSH(p->cx, list, p->m->host->annotations[k]))
            return 0;
    host->annotations = list;
    host->annotation_count = (int)stbds_arrlen(list);
    return 1;
}

static irl_module *irl__prepare_part(irl__prepare *p, int part, int names)
{
    irl__rewriter   r = irl__rewriter_make(p->cx, p, NULL, irl__prepare_stmt);
    irl_module     *m = IRL__COPY(p->cx, irl_module, p->m, 1);
    irl_func       *host = m ? irl__func_copy(p->cx, m->host) : NULL;
    p->part = part;
    const irl_stmt *body = host ? irl__rewrite_stmt(&r, host->body) : NULL;
    const int       shared = (int)stbds_arrlen(p->to);
    if (!body || !irl__prepare_params(p, host) || !irl__prepare_kernels(p, m)) return NULL;
    if (shared) body = irl__substitute_stmt(p->cx, body, shared, p->from + names, p->to);
    host->body = body;
    m->host = host;
    m->origin = m->scheduled = NULL;
    if (!part) return body ? m : NULL;
    m->name = host->name = irl__namef(p->cx, "%s_prepare", p->m->name);
    return body && host->name && irl__prepare_notes(p, host) ? m : NULL;
}

/* Both parts; the first one NULL where nothing depends on the weights alone. */
static int irl__prepare_parts(irl__prepare *p, const char *weights, irl_prepared *out)
{
    irl__life *lives = NULL;
    int        any = 0;
    if (!irl__prepare_read(p, &lives) || !irl__prepare_weights(p, weights)) return 0;
    const int names = (int)stbds_arrlen(p->from);
    irl__prepare_choose(p, lives);
    for (int k = 0; k < (int)stbds_arrlen(p->t->launches); k++) any |= p->is_first[k];
    for (int k = 0; k < p->count; k++)
        if (!p->list[k].param && p->list[k].is_used[0] && p->list[k].is_used[1] &&
            !irl__prepare_share(p, &p->list[k]))
            return 0;
    if (any) out->prepare = irl__prepare_part(p, 1, names);
    out->run = any ? irl__prepare_part(p, 0, names) : IRL__COPY(p->cx, irl_module, p->m, 1);
    return irl__ok(p->cx);
}

irl_prepared irl_module_prepare(const irl_module *m, const char *weights)
{
    irl_prepared out = { NULL, NULL };
    irl__prepare p;
    irl__query   q;
    if (!irl__module_has_host(m) || !irl__query_begin(&q, m->host)) return out;
    memset(&p, 0, sizeof p);
    p.cx = m->cx;
    p.m = m;
    p.t = &q.t;
    const int ok = irl__prepare_parts(&p, weights ? weights : "", &out);
    if (!irl__query_end(&q, ok ? out.run : NULL)) out.prepare = out.run = NULL;
    return out;
}
