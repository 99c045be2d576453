/* cache_value.c - the primitive that computes a part of a block's value before the block, once for
   each point of the axes that it depends on.

   needs     copies.c, flow.c
   promises  the block reads what it computed; nothing is computed at a point at which the block did
             not compute it

   cache_value
   requires  a block whose axes are loops of their own, of sizes that are numbers, without a
             condition around it; a part of its value that computes with the buffer, and depends on
             fewer axes than the block has
   does      the largest such part is stored in memory of its own, for all points of its axes:
                 y[i, e] += exp(s[i, j]) * v[j, e]
             becomes
                 s_value[i, j] = exp(s[i, j])
                 y[i, e] += s_value[i, j] * v[j, e]
   refuses   several such parts; a part under a condition; memory that is written between the two
   cost      linear in the block; the memory is as large as the axes of the part */
#include "schedule.h"

typedef struct irl__cached {
    const irl__block_data *block;
    const irl_buffer      *b, *written;
    const irl_expr        *value;
    int                    count; /* of such parts */
    int                    level; /* where all that the value reads is as the block reads it */
    irl__sched            *s;
    const irl__flow_unit  *u;
    const irl__arg        *arg;
} irl__cached;

/* The largest parts that compute with the buffer; none in an arm of a choice. */
static int irl__cached_see(irl__visitor *v, const irl_expr *e)
{
    irl__cached *q = (irl__cached *)v->user;
    if (e->op == IRL_OP_LOAD || !irl__expr_any(e, irl__expr_is_load_of, q->b)) return 0;
    /* Does it depend on fewer axes than the block has? */
    int missing = 0;
    for (int k = 0; k < q->block->axis_count; k++)
        missing += !irl__is_int(q->block->axes[k].extent, 1) &&
                   !irl__expr_uses_var(e, q->block->axes[k].var);
    if (!(missing && e->type.lanes == 1 && !irl__expr_any(e, irl__expr_is_load_of, q->written) &&
          !irl__expr_any(e, irl__expr_is_call, NULL)))
        return e->op != IRL_OP_IF_THEN_ELSE && e->op != IRL_OP_AND && e->op != IRL_OP_OR;
    q->count += q->value != e;
    q->value = e;
    return 0;
}

const irl_expr *irl__cached_value(const irl__block_data *block, const irl_buffer *b)
{
    irl__cached  q;
    irl__visitor v = irl__visitor_make(&q, irl__cached_see, NULL);
    memset(&q, 0, sizeof q);
    if (block->body->kind != IRL__STORE) return NULL;
    q.block = block;
    q.b = b;
    q.written = block->body->u.store.buffer;
    irl__visit_expr(&v, block->body->u.store.value);
    return q.count == 1 ? q.value : NULL;
}

/* Is the block run once at each point of its axes, by loops from that level of its place on? */
static int irl__cached_is_whole(const irl__flow_unit *u, int level)
{
    int axes = 0;
    for (int k = level; k < u->p.count - 1; k++) {
        const irl_stmt *at = u->p.at[k];
        if (at->kind != IRL__FOR || !irl__is_int(at->u.loop.min, 0) || !irl__stmt_loop_runs(at))
            return 0;
        for (int j = 0; j < u->block->axis_count; j++)
            axes += u->block->axes[j].binding == at->u.loop.var &&
                    irl__is_int(u->block->axes[j].extent, at->u.loop.extent->u.i);
    }
    return axes == u->block->axis_count && !u->block->predicate;
}

/* What else the value reads. */
static int irl__cached_see_load(irl__visitor *v, const irl_expr *e)
{
    irl__cached *q = (irl__cached *)v->user;
    if (e->op == IRL_OP_LOAD && q->level >= 0) {
        const int level = irl__copy_read_level(q->s, &q->u->p, e->u.buffer, q->arg);
        q->level = level < 0 || level > q->level ? level : q->level;
    }
    return 1;
}

/* The level of what is computed before; -1: refused. */
static int irl__cached_level(irl__sched *s, const irl__flow_unit *u, const irl_expr *value)
{
    irl__cached  q;
    irl__visitor v = irl__visitor_make(&q, irl__cached_see_load, NULL);
    memset(&q, 0, sizeof q);
    q.s = s;
    q.u = u;
    q.arg = &s->args[1];
    irl__visit_expr(&v, value);
    if (q.level >= 0 && !irl__cached_is_whole(u, q.level))
        return irl__refuse(s, "'%N' is not one block in loops over all of its axes, whose sizes "
                           "are numbers above 0, without a condition") - 1;
    return q.level;
}

int irl__do_cache_value(irl__sched *s)
{
    irl__flow_unit   u;
    irl__copy_axes   axes;
    const irl_expr  *from[IRL_MAX_RANK], *at[IRL_MAX_RANK];
    const irl_stmt  *before[2], *block = NULL;
    const irl_buffer *b, *cache;
    memset(&axes, 0, sizeof axes);
    if (!irl__flow_unit_of(s, &u) || !irl__flow_axes(s, &u, 0)) return 0;
    if (!(b = irl__copy_find(s, &s->args[1], irl__place_last(&u.p), 0))) return 0;
    const irl_expr *value = irl__cached_value(u.block, b);
    if (!value)
        return irl__refuse(s, "no one part of the value of '%N' computes with '%B', outside of "
                           "conditions, and depends on fewer axes than the block has; to copy what "
                           "is read, use cache_read", b);
    const int level = irl__cached_level(s, &u, value);
    if (level < 0 || !irl__flow_knows_axes(s, u.block, &u.p, level)) return 0;
    for (int k = 0; k < u.block->axis_count && axes.count < IRL_MAX_RANK; k++)
        if (irl__expr_uses_var(value, u.block->axes[k].var)) {
            from[axes.count] = u.block->axes[k].var;
            const int j = axes.count;
            at[j] = irl__copy_axis(s, &axes, u.block->axes[k].extent, NULL, NULL);
        }
    cache = irl__buffer_make(s->cx, irl__format(s->cx, "%s_value", b->name), value->type,
                             IRL_SCOPE_GLOBAL, axes.count, axes.extent, NULL, b->loc);
    if (!cache || !irl__copy_is_common(s, &u.p, level, cache, &s->args[1])) return 0;
    before[0] = irl_stmt_alloc(s->cx, cache);
    before[1] = irl__copy_nest(
        s, &axes, irl__result_name(s, 0, cache->name), NULL,
        irl__stmt_store(s->cx, cache, irl__substitute(s->cx, value, axes.count, from, at),
                        axes.count, at, b->loc), &block);
    const irl_stmt *now = irl__copy_redirected(s, irl__place_last(&u.p), b, value, cache, from);
    return irl__copy_around(s, &u.p, level, now, b, before, 2, NULL, block);
}
