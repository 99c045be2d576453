/* copies.c - what the steps that copy a buffer share: which buffer, the memory of the copy, the
   nest that copies, its place, and the users of the copy.

   needs     place.c, names.c, flow.c; the access table
   promises  a copy is a block in separate loops, before the statement that reads it or after the
             one that writes it:

       alloc x_shared: f32[64, 64] scope(shared);
       for (ax0: 64, ax1: 64)
           block x_shared(v0: spatial(64) = ax0, v1: spatial(64) = ax1)
               reads(x[v0, v1]) writes(x_shared[v0, v1]) { x_shared[v0, v1] = x[v0, v1]; } */
#include "schedule.h"
#include "../plan/plan.h"

/* ------------------------------------------------------------------ which buffer */

/* One access: IRL__COPY_READS, WRITES, or HIDES: it goes to a call, or through another name of the
   memory, with other indices. 0: it is of other memory. */
static int irl__copy_use(const irl__accesses *t, const irl__access *a, const irl_buffer *b)
{
    const irl_expr *memory = (const irl_expr *)irl__ptr_map_get(&t->behind, b->data);
    if (a->memory != b->data && (!memory || a->memory != memory)) return 0;
    if (a->kind == IRL__ACCESS_OPAQUE || a->buffer != b) return IRL__COPY_HIDES;
    return irl__flow_is_write(a) ? IRL__COPY_WRITES : IRL__COPY_READS;
}

int irl__copy_uses(irl__sched *s, const irl_stmt *at, const irl_buffer *b, int count,
                   const irl_stmt *const *but)
{
    irl__accesses t;
    int           uses = 0;
    if (!irl__accesses_of(&t, s->f, at)) return IRL__COPY_HIDES;
    IRL__EACH_ROW(a, &t) {
        int use = irl__copy_use(&t, a, b);
        for (int j = 0; j < count && use != IRL__COPY_HIDES; j++)
            if (irl__access_in(a, but[j])) use = 0;
        uses |= use;
    }
    return uses;
}

int irl__copy_uses_next(const irl__accesses *t, const irl_stmt *at, int *row, const irl_buffer *b)
{
    int uses = 0;
    for (; *row < t->count && irl__place_holds(at, t->list[*row].place); ++*row)
        uses |= irl__copy_use(t, &t->list[*row], b);
    return uses;
}

/* Is b, which is read, written too? An accumulator is no input. */
static int irl__copy_is_written(const irl__accesses *t, const irl_buffer *b)
{
    IRL__EACH_ROW(a, t)
        if (a->buffer == b && irl__flow_is_write(a)) return 1;
    return 0;
}

/* The buffers that the block declares that it reads (or writes), in that order; where it does not,
   those that it does read: an accumulator is among the written ones only. */
static int irl__copy_list(const irl__accesses *t, const irl_stmt *at, int written,
                          const irl_buffer *list[IRL_MAX_RANK])
{
    const irl__block_data *block = at->kind == IRL__BLOCK ? at->u.block : NULL;
    const int              said = !block ? 0 : written ? block->write_count : block->read_count;
    int                    j, count = 0;
    for (int k = 0; k < said && k < IRL_MAX_RANK; k++)
        list[count++] = (written ? block->writes : block->reads)[k].buffer;
    for (int k = 0; !said && k < t->count && count < IRL_MAX_RANK; k++) {
        const irl__access *a = &t->list[k];
        if (!a->buffer || a->kind == IRL__ACCESS_OPAQUE || irl__flow_is_write(a) != written ||
            (!written && irl__copy_is_written(t, a->buffer)))
            continue;
        for (j = 0; j < count && list[j] != a->buffer; j++) {}
        if (j == count) list[count++] = a->buffer;
    }
    return count;
}

const irl_buffer *irl__copy_find(irl__sched *s, const irl__arg *arg, const irl_stmt *at,
                                 int written)
{
    irl__accesses     t;
    const irl_buffer *list[IRL_MAX_RANK], *b = NULL;
    const char       *does = written ? "write" : "read";
    if (!irl__accesses_of(&t, s->f, at)) return NULL;
    const int count = irl__copy_list(&t, at, written, list);
    if (arg->kind == IRL__ARG_NUMBER && arg->number < count) b = list[arg->number];
    for (int k = 0; arg->kind == IRL__ARG_NAME && k < t.count && !b; k++)
        if (t.list[k].buffer && irl__flow_is_write(&t.list[k]) == written &&
            strcmp(t.list[k].buffer->name, arg->name) == 0)
            b = t.list[k].buffer;
    /* Where a block only declares it, other steps may have let the access run at another time. */
    for (int k = 0; b && k < t.count; k++)
        if (!t.list[k].is_declared && irl__copy_use(&t, &t.list[k], b)) return b;
    if (b)
        irl__refuse_at(s, arg->loc, "the block declares that it touches '%B', but does not", b);
    else if (arg->kind != IRL__ARG_NAME)
        irl__refuse_at(s, arg->loc, "there is no buffer %l: the block %ss %d, counted from 0",
                       arg->number, does, count);
    else if (irl__sched_has_buffer(s, arg))
        irl__refuse_at(s, arg->loc, "the block does not %s '%s'", does, arg->name);
    return NULL;
}

/* ------------------------------------------------------------------ the memory of the copy */

int irl__scope_of_arg(irl__sched *s, const irl__arg *arg)
{
    char      text[48];
    irl__text t;
    irl__text_init_fixed(&t, text, sizeof text);
    irl__textf(&t, "%s%s%s", arg->name, arg->member ? ":" : "", arg->member ? arg->member : "");
    const int scope = irl_scope_find(text);
    if (scope < 0) irl__scope_unknown(s->cx, IRL_ERROR_UNKNOWN_NAME, arg->loc, text);
    return scope;
}

int irl__copy_fits_image(irl__sched *s, const irl_buffer *b, irl_loc where)
{
    irl__text why;
    return !irl__scope_is_image(b->scope) || irl__image_misfit(s->cx, b, &why) == IRL_OK ||
           irl__refuse_at(s, where, "%s", irl__text_done(&why));
}

irl_buffer *irl__copy_buffer(irl__sched *s, const irl_buffer *b, const char *suffix,
                             irl_scope scope, int rank, const irl_expr *const *shape)
{
    return irl__buffer_make(s->cx, irl__format(s->cx, "%s_%s", b->name, suffix), b->type, scope,
                            rank, shape, NULL, b->loc);
}

irl_buffer *irl__copy_buffer_in(irl__sched *s, const irl_buffer *b, const irl_expr *const *shape,
                                const irl__arg *arg, irl__copy_image image)
{
    const int scope = irl__scope_of_arg(s, arg);
    if (scope < 0) return NULL;
    const int is_image = irl__scope_is_image((irl_scope)scope);
    if (scope == (int)IRL_SCOPE_CONSTANT) {
        irl__refuse_at(s, arg->loc, "constant memory is written by the host only, but the copy is "
                       "written here");
        return NULL;
    }
    if (image == IRL__COPY_IMAGE_NONE && is_image != irl__scope_is_image(b->scope)) {
        irl__refuse_at(s, arg->loc, "only reads can be copied to an image, or from one");
        return NULL;
    }
    irl_buffer *copy = irl__copy_buffer(
        s, b, arg->name,
        image == IRL__COPY_IMAGE_LATER && is_image ? IRL_SCOPE_GLOBAL : (irl_scope)scope, b->rank,
        shape);
    return copy && irl__copy_fits_image(s, copy, arg->loc) ? copy : NULL;
}

int irl__copy_take_bits(irl__sched *s, const irl_stmt *at, const irl_buffer *b, irl_buffer *own,
                        const irl__arg *arg)
{
    irl__accesses t;
    int           reads = 0;
    if (!irl__bitfield_is_narrow(b)) return 1;
    if (!irl__accesses_of(&t, s->f, at)) return 0;
    IRL__EACH_ROW(a, &t)
        reads |= a->kind == IRL__ACCESS_READ && !a->is_declared && a->memory == b->data;
    if (reads && own->scope == IRL_SCOPE_SHARED)
        return irl__refuse_at(s, arg->loc, "'%B' has elements of bits and is read here: shared "
                              "memory cannot hold such elements", b);
    return !reads || irl__bitfield_take(s->cx, own, b);
}

/* ------------------------------------------------------------------ the nest that copies */

const irl_expr *irl__copy_axis(irl__sched *s, irl__copy_axes *a, const irl_expr *extent,
                               const irl_expr *like, const irl_expr *binding)
{
    const int  k = a->count++;
    irl__axis *axis = &a->axes[k];
    if (!binding)
        binding = a->loop[k] =
            irl_expr_var(s->cx, irl__format(s->cx, "ax%d", k), irl__type_index());
    axis->var = like ? irl_expr_var(s->cx, like->u.name, like->type)
                     : irl_expr_var(s->cx, irl__format(s->cx, "v%d", k), irl__type_index());
    axis->extent = a->extent[k] = extent;
    axis->binding = binding;
    return binding ? axis->var : NULL;
}

/* The region of one cell. */
static const irl__region *irl__copy_cell(irl__sched *s, const irl_buffer *b,
                                         const irl_expr *const *at)
{
    irl__region     *r = IRL__NEW(s->cx, irl__region, 1);
    const irl_expr **ones = IRL__NEW(s->cx, const irl_expr *, b->rank + 1);
    if (!r || !ones) return NULL;
    for (int k = 0; k < b->rank; k++) ones[k] = irl_expr_index(s->cx, 1);
    r->buffer = b;
    r->min = at;
    r->extent = ones;
    return r;
}

const irl_stmt *irl__copy_nest(irl__sched *s, const irl__copy_axes *a, const char *name,
                               const irl_expr *where, const irl_stmt *store, const irl_stmt **block)
{
    irl__block_data *data;
    irl_stmt        *made = store ? irl__block_new(s->cx, store->loc, NULL, &data) : NULL;
    if (!made) return NULL;
    data->name = name ? irl__namez(s->cx, name) : NULL;
    data->axes = IRL__COPY(s->cx, irl__axis, a->axes, a->count);
    data->axis_count = a->count;
    data->predicate = where;
    data->body = store;
    if (a->is_declared) {
        data->reads = irl__copy_cell(s, store->u.store.value->u.buffer, store->u.store.value->a);
        data->writes = irl__copy_cell(s, store->u.store.buffer, store->u.store.indices);
        data->read_count = data->write_count = 1;
    }
    if (!data->name || !data->axes) return NULL;
    *block = irl__stmt_finish(s->cx, made);
    return irl__stmt_nest(s->cx, a->count, a->loop, a->extent, *block);
}

/* ------------------------------------------------------------------ where it goes */

int irl__copy_level(irl__sched *s, const irl__place *p, const irl_buffer *b, int count,
                    const irl_stmt *const *but, const irl__arg *arg)
{
    const char *found;
    int         uses = 0;
    for (int level = 0; level < p->count; level++) {
        if (p->at[level]->kind == IRL__SEQ || irl__place_declares(p->at[level], b)) continue;
        uses = irl__copy_uses(s, p->at[level], b, count, but);
        if (!(count ? uses : uses & ~IRL__COPY_READS)) return level;
    }
    if (irl__place_declares(irl__place_last(p), b))
        found = "'%B' is allocated in the block itself";
    else if (count) found = "'%B' is touched through a view, a match or a call there";
    else
        found = uses & IRL__COPY_HIDES ? "'%B' is read through a view, a match or a call there"
                                       : "'%B' is written by the block itself";
    return irl__refuse_at(s, arg->loc, found, b) - 1;
}

/* Do its iterations run at the same time, with one buffer for all of them? */
static int irl__copy_is_of_all(const irl_stmt *at, const irl_buffer *b)
{
    return irl__stmt_is_parallel(at) &&
           (!irl__place_declares(at, b) || irl__stmt_shares(at, b));
}

int irl__copy_read_level(irl__sched *s, const irl__place *p, const irl_buffer *b,
                         const irl__arg *arg)
{
    const int level = irl__copy_level(s, p, b, 0, NULL, arg);
    for (int k = 0; k < level; k++)
        if (irl__copy_is_of_all(p->at[k], b) &&
            (irl__copy_uses(s, p->at[k], b, 0, NULL) & ~IRL__COPY_READS))
            return irl__refuse_at(s, arg->loc, "'%B' would be read as a whole while other "
                                  "iterations of '%L' write it", b, p->at[k]) - 1;
    return level;
}

int irl__copy_write_alone(irl__sched *s, const irl__place *p, int level, const irl_buffer *b,
                          int is_exact, const irl__arg *arg)
{
    for (int k = 0; k < level; k++)
        if (irl__copy_is_of_all(p->at[k], b))
            return irl__refuse_at(s, arg->loc, "each iteration of the loop '%L' would copy '%B' "
                                  "back, at the same time as others", p->at[k], b);
    for (int k = 0; !is_exact && k < level; k++)
        if (p->at[k]->kind == IRL__BLOCK && !irl__place_declares(p->at[k], b))
            return irl__refuse_at(s, arg->loc, "each instance of the block '%s' would copy '%B' "
                                  "back", p->at[k]->u.block->name, b);
    return 1;
}

int irl__copy_of_block(irl__sched *s, int written, irl__flow_unit *u, const irl_buffer **b)
{
    const irl__arg *arg = &s->args[1];
    if (!irl__flow_unit_of(s, u) || !irl__flow_axes(s, u, 0)) return -1;
    *b = irl__copy_find(s, arg, irl__place_last(&u->p), written);
    if (!*b || !written) return *b ? irl__copy_read_level(s, &u->p, *b, arg) : -1;
    const irl_stmt *block = irl__place_last(&u->p);
    const int       level = irl__copy_level(s, &u->p, *b, 1, &block, arg);
    return level < 0 || irl__copy_write_alone(s, &u->p, level, *b, 0, arg) ? level : -1;
}

/* A loop of work-items in the kernel that holds that level of the place; NULL: there is none. */
static const irl_stmt *irl__copy_items(const irl__place *p, int level)
{
    const irl_stmt *found = NULL;
    irl__place      walk;
    const int       kernel = irl__place_kernel(p, level);
    if (kernel == level) return NULL;
    IRL__EACH_STMT(s, &walk, p->at[kernel]) {
        if (irl__stmt_is_bound(s) && s->u.loop.axis > IRL_GROUP_Z) found = s;
        if (found) irl__place_pass(&walk);
    }
    return found;
}

int irl__copy_is_common(irl__sched *s, const irl__place *p, int level, const irl_buffer *copy,
                        const irl__arg *arg)
{
    const irl_stmt *items = irl__copy_items(p, level);
    for (int k = 0; k < level; k++) {
        const irl_stmt *at = p->at[k];
        if (at->kind != IRL__FOR || at->u.loop.kind == IRL_SERIAL) continue;
        if (irl__scope_is_image(copy->scope))
            return irl__refuse_at(s, arg->loc, "the loop '%L' would become work-items, but one "
                                  "kernel writes an image and the next one reads it", at);
        if (copy->scope == IRL_SCOPE_SHARED && irl__stmt_is_parallel(at) &&
            !(at->u.loop.kind == IRL_BOUND && at->u.loop.axis < IRL_LOCAL_X))
            return irl__refuse_at(s, arg->loc, "each iteration of '%L' would write the one '%B' "
                                  "that the group shares", at, copy);
    }
    return copy->scope != IRL_SCOPE_SHARED || !items ||
           irl__refuse_at(s, arg->loc, "each work-item of '%L' would write the one '%B' that the "
                          "group shares: %H", items, copy, "copy before that loop is bound, then "
                          "compute_at");
}

int irl__copy_is_done_once(irl__sched *s, const irl__place *p, int level, const irl_stmt *copy)
{
    const irl_stmt *item = irl__copy_items(p, level);
    irl__accesses   t;
    if (!item) return 1;
    if (!irl__accesses_in(&t, s->cx, copy)) return 0;
    IRL__EACH_ROW(a, &t)
        if (irl__flow_is_write(a) && !a->is_declared && a->buffer &&
            a->buffer->scope == IRL_SCOPE_SHARED)
            return irl__refuse_at(s, p->at[level]->loc, "every work-item of '%L' would copy to "
                                  "'%A', which they share: %H", item, a, "compute_at and bind "
                                  "afterwards");
    return 1;
}

/* In a kernel each work-item makes the copy: no other one may store to what that reads, unless a
   barrier is between. f has the copy. */
static int irl__copy_is_waited_for(irl__sched *s, const irl_func *f, const irl__place *p,
                                   int level, const irl_stmt *copy)
{
    irl__accesses t;
    return !irl__copy_items(p, level) ||
           (irl__accesses_of(&t, f, NULL) &&
            irl__flow_is_apart(s, p->at[level]->loc, &t, copy, NULL,
                               "each work-item would copy elements that others store to, without a "
                               "barrier in between", NULL));
}

irl_func *irl__copy_insert(irl__sched *s, const irl__place *p, int level,
                           const irl_stmt *const *before, int before_count, const irl_stmt *now,
                           const irl_stmt *after, const irl_stmt *const *seq)
{
    const irl_stmt  *parent = level > 0 ? p->at[level - 1] : NULL;
    const int        in_seq = parent && parent->kind == IRL__SEQ;
    const int        child = in_seq ? p->child[level] : 0, of = in_seq ? parent->u.seq.count : 0;
    int              count = 0;
    const irl_stmt **list = IRL__NEW(s->cx, const irl_stmt *, before_count + 2 + of);
    if (in_seq && !seq) seq = parent->u.seq.stmts;
    if (!list || !now) return NULL;
    for (int k = 0; k < child; k++) list[count++] = seq[k];
    for (int k = 0; k < before_count; k++) list[count++] = before[k];
    list[count++] = now;
    if (after) list[count++] = after;
    for (int k = child + 1; k < of; k++) list[count++] = seq[k];
    now = irl__stmt_seq(s->cx, count, list);
    for (int k = 0; now && k <= before_count; k++) {
        const irl_stmt *copy = k < before_count ? before[k] : after;
        if (copy && !irl__copy_is_done_once(s, p, level, copy)) return NULL;
    }
    irl_func *f = irl__place_put(s->f, p, in_seq ? level - 1 : level, now);
    for (int k = 0; f && k <= before_count; k++) {
        const irl_stmt *copy = k < before_count ? before[k] : after;
        if (copy && !irl__copy_is_waited_for(s, f, p, level, copy)) return NULL;
    }
    return f;
}

int irl__copy_around(irl__sched *s, const irl__place *p, int level,
                     const irl_stmt *now, const irl_buffer *b, const irl_stmt *const *before,
                     int before_count, const irl_stmt *after, const irl_stmt *block)
{
    const irl_func *f = s->f;
    irl__place      in;
    irl_func       *g = irl__place_put(f, p, p->count - 1, now);
    now = g ? irl__flow_regions(s, g, now, b) : NULL;
    g = irl__place_put(f, p, p->count - 1, now);
    if (!g || !irl__place_of(g->body, now->id, &in)) return 0;
    s->f = g;
    g = irl__copy_insert(s, &in, level, before, before_count, in.at[level], after, NULL);
    s->f = g ? g : f;
    return g && irl__sched_result(s, 0, block);
}

/* ------------------------------------------------------------------ who uses it */

typedef struct irl__copy_swap {
    int                      count;
    const irl_buffer *const *from, *const *to;
} irl__copy_swap;

static const irl_buffer *irl__copy_swap_buffer(irl__rewriter *r, const irl_buffer *b)
{
    const irl__copy_swap *q = (const irl__copy_swap *)r->user;
    for (int k = 0; k < q->count; k++)
        if (q->from[k] == b) return q->to[k];
    return b;
}

const irl_stmt *irl__copy_swapped(irl__sched *s, const irl_stmt *at, int count,
                                  const irl_buffer *const *from, const irl_buffer *const *to)
{
    irl__copy_swap q = { count, from, to };
    irl__rewriter  r = irl__rewriter_make(s->cx, &q, NULL, NULL);
    r.buffer = irl__copy_swap_buffer;
    return irl__rewrite_stmt(&r, at);
}

typedef struct irl__copy_redirect {
    const irl_buffer *b;            /* whose stores are redirected; NULL: none are */
    const irl_expr   *value, *load; /* what becomes a load of the copy; this load */
} irl__copy_redirect;

static const irl_expr *irl__copy_redirect_expr(irl__rewriter *r, const irl_expr *e)
{
    const irl__copy_redirect *q = (const irl__copy_redirect *)r->user;
    if (!(e->flags & IRL__HAS_MEMORY)) return e;
    return e == q->value ? q->load : irl__rewrite_expr_children(r, e);
}

const irl_expr *irl__copy_replaced(irl_ctx *cx, const irl_expr *e, const irl_expr *from,
                                   const irl_expr *to)
{
    irl__copy_redirect q = { NULL, from, to };
    irl__rewriter      r = irl__rewriter_make(cx, &q, irl__copy_redirect_expr, NULL);
    return irl__rewrite_expr(&r, e);
}

static const irl_stmt *irl__copy_redirect_stmt(irl__rewriter *r, const irl_stmt *s)
{
    const irl__copy_redirect *q = (const irl__copy_redirect *)r->user;
    if (s->kind != IRL__STORE || s->u.store.buffer != q->b) return irl__rewrite_stmt_children(r, s);
    const irl_expr *value = irl__rewrite_expr(r, s->u.store.value);
    return irl__stmt_store(r->cx, q->load->u.buffer, value, q->load->u.buffer->rank, q->load->a,
                           s->loc);
}

const irl_stmt *irl__copy_redirected(irl__sched *s, const irl_stmt *block, const irl_buffer *b,
                                     const irl_expr *value, const irl_buffer *copy,
                                     const irl_expr *const *at)
{
    irl__copy_redirect q;
    irl__block_data   *data;
    irl__rewriter      r = irl__rewriter_make(s->cx, &q, irl__copy_redirect_expr,
                                              irl__copy_redirect_stmt);
    irl_stmt          *now = irl__block_copy(s->cx, block, &data);
    q.b = b;
    q.value = value;
    q.load = irl_expr_load(s->cx, copy, copy->rank, at);
    if (!now || !q.load) return NULL;
    data->body = irl__rewrite_stmt(&r, data->body);
    const irl_stmt *init = data->init;
    if (init && init->kind == IRL__STORE && init->u.store.buffer == b) /* what it reads stays */
        data->init = irl__stmt_store(s->cx, copy, init->u.store.value, copy->rank, at, init->loc);
    else data->init = irl__rewrite_stmt(&r, init);
    if (!data->body || (block->u.block->init && !data->init)) return NULL;
    return irl__stmt_finish(s->cx, now);
}
