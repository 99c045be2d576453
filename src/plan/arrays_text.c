/* arrays_text.c - the arrays that a kernel allocates, and how much memory they need, for users.

   needs     arrays.c
   promises  as irlayout.h says at irl_func_plan_arrays
   cost      that of the plan */
#include "plan.h"

static int irl__array_total(const irl__arrays *a, irl_scope scope, irl_array_total *out)
{
    const int    count = (int)stbds_arrlen(a->list);
    irl__array **list = IRL__SCRATCH(a->cx, irl__array *, count + 1);
    if (!list) return 0;
    memset(out, 0, sizeof *out);
    for (int k = 0; k < count; k++) {
        const irl__array *one = a->list[k];
        if (one->buffer->scope != scope || one->bytes < 0) continue;
        if (!one->is_pool) out->separate += one->bytes;
        if (!one->in && one->pool < 0) out->bytes += one->bytes;
    }
    for (int k = 0; k < (int)stbds_arrlen(a->pools); k++)
        if (a->pools[k].out.scope == scope && !a->pools[k].made)
            out->bytes += a->pools[k].out.bytes;
    /* Arrays of the scope that are touched and whose bytes are a number, without pools. */
    int j, n = 0;
    for (j = 0; j < (int)stbds_arrlen(a->list); j++) {
        irl__array *one = a->list[j];
        if (one->buffer->scope == scope && !one->is_pool && one->bytes > 0 && one->first >= 0)
            list[n++] = one;
    }
    out->lower_bound = irl__arrays_alive(a, n, list);
    if (out->lower_bound > out->bytes) out->lower_bound = out->bytes;
    return out->lower_bound >= 0;
}

/* Pools that share_arrays has made are pools of the plan. */
static int irl__array_made_pools(irl__arrays *a)
{
    const int    count = (int)stbds_arrlen(a->list);
    irl__array **list = IRL__SCRATCH(a->cx, irl__array *, count + 1);
    int          n;
    for (int k = 0; list && k < count; k++) {
        irl__array_pool pool;
        if (!a->list[k]->is_pool) continue;
        memset(&pool, 0, sizeof pool);
        for (int j = n = 0; j < count; j++) {
            if (a->list[j]->in != a->list[k]) continue;
            a->list[j]->pool = (int)stbds_arrlen(a->pools);
            pool.out.separate += a->list[j]->bytes;
            if (a->list[j]->first >= 0) list[n++] = a->list[j];
        }
        pool.out.scope = (irl_scope)a->list[k]->buffer->scope;
        pool.out.bytes = a->list[k]->bytes;
        pool.out.align = (int64_t)irl__buffer_alignment(a->list[k]->buffer, 1);
        pool.out.lower_bound = irl__arrays_alive(a, n, list);
        /* a view may be declared around a loop that its array was in */
        if (pool.out.lower_bound > pool.out.bytes)
            pool.out.lower_bound = pool.out.bytes;
        pool.out.is_least = pool.out.bytes == pool.out.lower_bound;
        pool.made = irl__buffer_copy(a->cx, a->list[k]->buffer);
        if (!pool.made || pool.out.lower_bound < 0 || !IRL__PUSH_SCRATCH(a->cx, a->pools, pool))
            return 0;
    }
    return list != NULL;
}

static int irl__array_rows(const irl__arrays *a, irl_array_plan *out)
{
    const int  count = (int)stbds_arrlen(a->list);
    irl_array *list = IRL__NEW(a->cx, irl_array, count + 1);
    if (!list) return 0;
    for (int k = 0; k < count; k++) {
        const irl__array *one = a->list[k];
        irl_array        *row = &list[out->count];
        if (one->is_pool) continue;
        row->name = one->buffer->name;
        row->scope = (irl_scope)one->buffer->scope;
        row->place = irl__place_text(a->cx, one->buffer->loc);
        row->bytes = one->bytes;
        row->first = one->first;
        row->last = one->last;
        row->pool = one->pool;
        row->offset = one->pool < 0 ? 0 : one->from;
        if (!row->place) return 0;
        out->count++;
    }
    out->list = list;
    return 1;
}

static irl_array_plan *irl__array_plan_of(irl__arrays *a, const irl_func *f)
{
    irl_array_plan *out = IRL__NEW(f->cx, irl_array_plan, 1);
    irl_plan_pool  *pools;
    if (!out || !irl__arrays_of(a, f) || !irl__array_made_pools(a) || !irl__arrays_plan(a))
        return NULL;
    int count = (int)stbds_arrlen(a->pools);
    pools = IRL__NEW(a->cx, irl_plan_pool, count + 1);
    for (int k = 0; pools && k < count; k++) pools[k] = a->pools[k].out;
    out->func = f;
    out->pool_count = count;
    out->pools = pools;
    return pools && irl__array_rows(a, out) &&
                   irl__array_total(a, IRL_SCOPE_LOCAL, &out->local) &&
                   irl__array_total(a, IRL_SCOPE_SHARED, &out->shared)
               ? out
               : NULL;
}

const irl_array_plan *irl_func_plan_arrays(const irl_func *f)
{
    irl__arrays a;
    if (!f || !irl__ok(f->cx) || !irl__verify(f)) return NULL;
    f = irl__func_kinds(f);
    if (!f) return NULL;
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    irl_array_plan *out = irl__array_plan_of(&a, f);
    irl__scratch_end(f->cx, mark);
    return out && irl__ok(f->cx) ? out : NULL;
}

/* ------------------------------------------------------------------ as text */

static void irl__array_total_text(irl__text *t, const char *scope, const irl_array_total *one)
{
    if (one->separate)
        irl__textf(t, "  %s: %l bytes; at least %l; %l if each had its own memory\n", scope,
                   one->bytes, one->lower_bound, one->separate);
}

const char *irl_array_plan_text(const irl_array_plan *p)
{
    irl__text t;
    if (!p || !irl__ok(p->func->cx)) return "";
    irl__text_init(&t, p->func->cx);
    irl__textf(&t, "arrays of %s: %d, ", p->func->name, p->count);
    if (p->pool_count) irl__textf(&t, "in %d %s\n", p->pool_count,
                                  p->pool_count == 1 ? "pool" : "pools");
    else irl__text_puts(&t, "none shares bytes\n");
    for (int k = 0; k < p->count; k++) {
        irl__textf(&t, "    %s: ", p->list[k].name);
        if (p->list[k].bytes >= 0) irl__textf(&t, "%l bytes", p->list[k].bytes);
        else irl__text_puts(&t, "as many bytes as its extents say at run time");
        if (p->list[k].first < 0) irl__text_puts(&t, ", never touched");
        else irl__textf(&t, ", statements %d to %d", p->list[k].first, p->list[k].last);
        if (p->list[k].pool >= 0)
            irl__textf(&t, ", in pool %d from %l", p->list[k].pool, p->list[k].offset);
        irl__textf(&t, " (%s)\n", irl_scope_text(p->list[k].scope));
    }
    irl__array_total_text(&t, "local", &p->local);
    irl__array_total_text(&t, "shared", &p->shared);
    return irl__text_or_empty(irl__text_done(&t));
}
