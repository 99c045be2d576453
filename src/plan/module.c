/* module.c - irl_plan: where the temporaries of a module's host are; those that are never alive at
   the same time share bytes.

   needs     liveness.c: from which launch to which a temporary is touched; arena.c, images.c
   promises  as irlayout.h says at irl_plan. A temporary whose size is no number, or which is an
             image of another kind than two dimensions, has separate memory: pool -1
   cost      that of irl_module_liveness, of irl_plan_arena and irl_plan_images */
#include "plan.h"
#include "../target/target.h"

enum { IRL__PLAN_ALIGN = 128 }; /* of what is allocated, if nothing else is said: irl_buffer_new */

/* ------------------------------------------------------------------ sizes */

static int irl__plan_named(const void *user, const irl_expr *var, irl__scalar *out)
{
    const irl_plan_options *how = (const irl_plan_options *)user;
    for (int k = 0; k < how->value_count; k++) {
        const irl_expr *name = how->values[k].var;
        if (!name || name->op != IRL_OP_VAR || name->u.name != var->u.name) continue;
        out->i = how->values[k].value;
        return 1;
    }
    return 0;
}

/* The bytes as a number; -1 where they are none. */
static int64_t irl__plan_bytes(const irl_plan_options *how, const irl_expr *size)
{
    irl__valuation v;
    irl__scalar    value;
    if (!size) return -1;
    memset(&v, 0, sizeof v);
    memset(&value, 0, sizeof value);
    v.name = irl__plan_named;
    v.user = how;
    return irl__scalar_of(&v, size, &value) == IRL__FOLD_OK && value.i >= 0 ? value.i : -1;
}

/* ------------------------------------------------------------------ the question */

typedef struct irl__plan_state {
    irl_ctx                *cx;
    const irl_plan_options *how;
    irl__planned           *list; /* a growing array in the context's arena */
    irl_plan_pool          *pools;
} irl__plan_state;

/* Which of these lives something else than a launch touches. */
static int irl__plan_touched(const irl__accesses *t, int count, const irl__life *lives,
                             unsigned char *by_host)
{
    irl__ptr_map of;
    memset(&of, 0, sizeof of);
    for (int k = 0; k < count; k++)
        if (!irl__ptr_map_put(t->cx, &of, lives[k].memory, &lives[k])) return 0;
    for (int k = 0; k < t->count; k++) {
        const irl__life *life = (const irl__life *)irl__ptr_map_get(&of, t->list[k].memory);
        if (life && t->list[k].place->kind != IRL__LAUNCH) by_host[life - lives] = 1;
    }
    return 1;
}

static int irl__plan_add(irl__plan_state *s, irl__accesses *t, const irl__life *life,
                         irl__rows when, int by_host)
{
    irl__planned one;
    memset(&one, 0, sizeof one);
    one.buffer = life->buffer;
    one.out.name = life->buffer->name;
    one.out.scope = (irl_scope)life->buffer->scope;
    one.out.size = irl__life_bytes(t, life);
    one.out.bytes = irl__plan_bytes(s->how, one.out.size);
    one.out.place = irl__place_text(s->cx, life->buffer->loc);
    one.out.first = when.first < when.end ? when.first : -1;
    one.out.last = when.first < when.end ? when.end - 1 : -1;
    one.out.pool = -1;
    one.only_launched = !by_host;
    return one.out.place && IRL__PUSH(s->cx, s->list, one);
}

static int irl__plan_collect(irl__plan_state *s, irl__accesses *t)
{
    irl__life *lives = NULL;
    irl__rows *when;
    unsigned   char *by_host;
    int        k, count;
    if (!irl__lives_of(t, &lives)) return 0;
    count = (int)stbds_arrlen(lives);
    when = IRL__SCRATCH(s->cx, irl__rows, count + 1);
    by_host = (unsigned char *)irl__scratch_alloc(s->cx, (size_t)count + 1, 1);
    if (!when || !by_host || !irl__lives_launches(t, count, lives, when) ||
        !irl__plan_touched(t, count, lives, by_host))
        return 0;
    for (k = 0; k < count; k++)
        if (!lives[k].is_parameter && !irl__plan_add(s, t, &lives[k], when[k], by_host[k]))
            return 0;
    return irl__ok(s->cx);
}

/* ------------------------------------------------------------------ one pool of bytes */

/* May it share memory, in the pool of this element type (-1: of all)? */
static int irl__plan_is_of(const irl__planned *one, int type)
{
    return one->out.bytes >= 0 && one->out.first >= 0 && !irl__scope_is_image(one->out.scope) &&
           (type < 0 || one->buffer->type.scalar == type);
}

static int irl__plan_pool_of(irl__plan_state *s, int type)
{
    const int               count = (int)stbds_arrlen(s->list);
    irl_plan_item          *items = NULL;
    const irl_plan_offsets *o;
    irl_plan_pool           pool;
    int                     k, n = 0;
    memset(&pool, 0, sizeof pool);
    for (k = 0; k < count; k++) {
        if (!irl__plan_is_of(&s->list[k], type)) continue;
        const irl__planned *one = &s->list[k];
        irl_plan_item       item;
        item.size = one->out.bytes;
        item.align = s->how->align ? s->how->align : (int64_t)IRL__PLAN_ALIGN;
        if (one->buffer->alignment > item.align) item.align = one->buffer->alignment;
        item.first = one->out.first;
        item.last = one->out.last;
        if (!IRL__PUSH_SCRATCH(s->cx, items, item)) return 0;
        if (!irl__add64(pool.separate, item.size, &pool.separate)) pool.separate = INT64_MAX;
    }
    if (!items) return 1;
    o = irl_plan_arena(s->cx, (int)stbds_arrlen(items), items, s->how->most_steps);
    if (!o) return 0;
    for (k = 0; k < count; k++) {
        if (!irl__plan_is_of(&s->list[k], type)) continue;
        s->list[k].out.pool = (int)stbds_arrlen(s->pools);
        s->list[k].out.offset = o->offsets[n++];
    }
    pool.scope = IRL_SCOPE_GLOBAL;
    pool.bytes = o->bytes;
    pool.align = o->align;
    pool.lower_bound = o->lower_bound;
    pool.fullest = (int)o->fullest;
    pool.is_least = o->is_least;
    return IRL__PUSH(s->cx, s->pools, pool);
}

static int irl__plan_pools(irl__plan_state *s)
{
    int type, ok = 1;
    if (!s->how->types_apart) return irl__plan_pool_of(s, -1);
    for (type = 0; ok && type < (int)IRL__SCALAR_COUNT; type++) ok = irl__plan_pool_of(s, type);
    return ok;
}

/* ------------------------------------------------------------------ images */

/* Its sides, if it may share: an image of two dimensions whose extents are numbers. */
static int irl__plan_image_of(const irl__plan_state *s, const irl__planned *one,
                              irl_plan_image *out)
{
    const irl_buffer *b = one->buffer;
    const irl_type    texel = irl__texel_type(b);
    int64_t           extent[IRL_MAX_RANK], size[IRL__TEXEL_AXES];
    if (irl__image_of(b) != IRL__IMAGE_2D || one->out.first < 0 || one->out.bytes <= 0) return 0;
    for (int k = 0; k < b->rank; k++)
        if ((extent[k] = irl__plan_bytes(s->how, b->shape[k])) < 0) return 0;
    if (!irl__image_size(b, extent, size)) return 0;
    out->width = size[0];
    out->height = size[1];
    out->kind = (int)(texel.scalar + IRL__SCALAR_COUNT * texel.lanes);
    out->first = one->out.first;
    out->last = one->out.last;
    return out->width > 0 && out->height > 0;
}

/* The sides that the target promises. */
static int64_t irl__plan_image_limit(const irl_module *m)
{
    const irl_target *target = irl_target_find_in(m->cx, m->target);
    int64_t           most[IRL__TEXEL_AXES] = { 0, 0, 0 };
    if (target) irl__target_image_limits(target, IRL__IMAGE_2D, most);
    return most[0] < INT32_MAX ? most[0] : INT32_MAX;
}

/* One pool of these as a pool of the plan: what `first` is the first one of. */
static int irl__plan_image_pool(irl__plan_state *s, const irl_plan_image_pools *images, int number,
                                const int *rows, const irl_plan_image *list)
{
    irl_plan_pool pool;
    memset(&pool, 0, sizeof pool);
    pool.width = images->pools[number].width;
    pool.height = images->pools[number].height;
    pool.align = 1;
    for (int k = 0; k < images->count; k++) {
        irl__planned *one = &s->list[rows[k]];
        const int64_t texel = (int64_t)irl__type_bytes(irl__texel_type(one->buffer));
        const int64_t bytes = list[k].width * list[k].height * texel;
        if (images->pool_of[k] != number) continue;
        pool.scope = one->out.scope;
        pool.bytes = pool.width * pool.height * texel;
        pool.separate += bytes;
        if (bytes > pool.lower_bound) {
            pool.lower_bound = bytes;
            pool.fullest = (int)list[k].first;
        }
        one->out.pool = (int)stbds_arrlen(s->pools);
        one->out.offset = 0;
    }
    pool.is_least = pool.bytes == pool.lower_bound;
    return IRL__PUSH(s->cx, s->pools, pool);
}

static int irl__plan_images(irl__plan_state *s, const irl_module *m)
{
    const int                   count = (int)stbds_arrlen(s->list);
    const int64_t               most = irl__plan_image_limit(m);
    irl_plan_image              one, *list = NULL;
    int                        *rows = NULL, k, ok = 1;
    const irl_plan_image_pools *images;
    for (k = 0; k < count; k++)
        if (irl__plan_image_of(s, &s->list[k], &one) && one.width <= most && one.height <= most &&
            (!IRL__PUSH_SCRATCH(s->cx, list, one) || !IRL__PUSH_SCRATCH(s->cx, rows, k)))
            return 0;
    if (!list) return 1;
    images = irl_plan_images(s->cx, (int)stbds_arrlen(list), list, most, most);
    for (k = 0; images && ok && k < images->pool_count; k++)
        ok = irl__plan_image_pool(s, images, k, rows, list);
    return images && ok;
}

/* ------------------------------------------------------------------ the answer */

static irl_module_plan *irl__plan_answer(irl__plan_state *s, irl__accesses *t, const irl_module *m)
{
    irl_module_plan    *out = IRL__NEW(s->cx, irl_module_plan, 1);
    irl_plan_temporary *list;
    if (!out) return NULL;
    out->module = m;
    out->launch_count = (int)stbds_arrlen(t->launches);
    const size_t count = (size_t)stbds_arrlen(t->launches);
    const char **names = IRL__NEW(t->cx, const char *, count + 1);
    for (size_t k = 0; names && k < count; k++) names[k] = t->launches[k]->u.launch.kernel;
    out->launches = names;
    out->count = (int)stbds_arrlen(s->list);
    list = IRL__NEW(s->cx, irl_plan_temporary, out->count + 1);
    if (!list || !out->launches) return NULL;
    for (int k = 0; k < out->count; k++) list[k] = s->list[k].out;
    out->list = list;
    out->pool_count = (int)stbds_arrlen(s->pools);
    out->pools = s->pools;
    return out;
}

const irl_module_plan *irl__plan_of(const irl_module *m, const irl_plan_options *how,
                                    irl__planned **list)
{
    irl__query       q;
    irl__plan_state  s;
    irl_module_plan *out = NULL;
    irl_plan_options chosen = *how;
    const irl_target *target = m ? irl_target_find_in(m->cx, m->target) : NULL;
    if (!m || !irl__query_begin(&q, m->host)) return NULL;
    if (!how->align && target && target->serial) {
        chosen.align = IRL__PLAN_C_ALIGN;
        chosen.types_apart = 1;
    }
    memset(&s, 0, sizeof s);
    s.cx = q.cx;
    s.how = &chosen;
    if (irl__plan_collect(&s, &q.t) && irl__plan_pools(&s) && irl__plan_images(&s, m))
        out = irl__plan_answer(&s, &q.t, m);
    if (list) *list = s.list;
    return (const irl_module_plan *)irl__query_end(&q, out);
}

const irl_module_plan *irl_plan_with(const irl_module *m, const irl_plan_options *options)
{
    irl_plan_options how;
    memset(&how, 0, sizeof how);
    if (options) how = *options;
    if (!m || !irl__ok(m->cx)) return NULL;
    if (how.align < 0 || (how.align & (how.align - 1)) || how.most_steps < 0 ||
        how.value_count < 0 || (how.value_count && !how.values)) {
        IRL__FAIL(m->cx, IRL_ERROR_BAD_ARGUMENT, "a plan's alignment is a power of two, or 0, its "
                  "steps and values are 0 or more; found %l, %l and %d", how.align, how.most_steps,
                  how.value_count);
        return NULL;
    }
    return irl__plan_of(m, &how, NULL);
}

const irl_module_plan *irl_plan(const irl_module *m) { return irl_plan_with(m, NULL); }
