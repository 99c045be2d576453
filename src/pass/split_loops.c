/* split_loops.c - a parallel loop whose variable a layout divides becomes two loops, so that no
   index divides any more; and the innermost loop of a work-item is one that may become a vector.

   requires  parallelize has marked the loops; indices still by axis
   maintains what is computed; the order of iterations changes, which parallel loops allow
   breaks    the id of a split loop goes to the outer part
   cost      linear
   why       the same kernel with constant / and % instead of loops is several times slower

   v in [0, E), divided and taken modulo c by the indices, becomes outer * c + inner. The inner loop
   of c moves to the inside of the nest: there it runs along the contiguous axis of the layout. If c
   does not divide E, a condition is added. An innermost parallel loop of a few iterations stays in
   the work-item too, if the other loops have enough iterations for all work-items. Inner loops of
   vector length without a guard are marked vectorized. */
#include "pass.h"

#define IRL__SPLIT_MOST 64 /* a larger factor would take work-items away rather than divisions */

typedef struct irl__split_part {
    const irl_stmt *loop;
    int             is_cut;
    irl__loop_cut   cut; /* into two, where it is */
    /* 0: nothing divides the variable; -1: by more than one number */
    int64_t factor;
} irl__split_part;

typedef struct irl__split_nest {
    irl__split_part parts[IRL_MAX_RANK];
    int             count;
    /* the part that goes over the lanes of an image's texels, in a store; -1: none does */
    int lane;
} irl__split_nest;

static int irl__split_see(irl__visitor *v, const irl_expr *e)
{
    if (!(e->flags & (IRL__HAS_VAR | IRL__HAS_MEMORY))) return 0;
    if ((e->op == IRL_OP_FLOORDIV || e->op == IRL_OP_FLOORMOD) && e->a[0]->op == IRL_OP_VAR &&
        e->a[1]->op == IRL_OP_INT) {
        const int64_t divisor = e->a[1]->u.i;
        for (int k = 0; k < ((irl__split_nest *)v->user)->count; k++) {
            irl__split_part *p = &((irl__split_nest *)v->user)->parts[k];
            if (p->loop->u.loop.var == e->a[0])
                p->factor = p->factor == 0 || p->factor == divisor ? divisor : -1;
        }
    }
    return 1;
}

/* A texel is written as a whole: the loop over its lanes is cut where texels end, or not at all. */
static int irl__split_see_store(irl__visitor *v, const irl_stmt *s)
{
    irl__split_nest *nest = (irl__split_nest *)v->user;
    int              last = s->kind == IRL__STORE ? s->u.store.buffer->rank - 1 : -1, lanes;
    if (last < 0 || !irl__scope_is_image(s->u.store.buffer->scope)) return 1;
    lanes = irl__texel_measure(s->u.store.buffer);
    for (int k = 0; k < nest->count; k++) {
        if (!irl__expr_uses_var(s->u.store.indices[last], nest->parts[k].loop->u.loop.var))
            continue;
        if (lanes == 0 || nest->parts[k].factor % lanes) nest->parts[k].factor = -1;
        nest->lane = k;
    }
    return 1;
}

static int irl__split_plan(irl_ctx *cx, irl__split_part *part)
{
    const irl_stmt *loop = part->loop;
    const irl_expr *extent = loop->u.loop.extent;
    if (extent->op != IRL_OP_INT || !irl__is_int(loop->u.loop.min, 0)) return 1;
    if (part->factor < 2 || part->factor > IRL__SPLIT_MOST || extent->u.i <= part->factor) return 1;
    part->is_cut = 1;
    return irl__loop_cut_in_two(cx, loop, part->factor, &part->cut);
}

/* The loop of a part that is over all of its variable, or over its quotient. */
static const irl_stmt *irl__split_outer(irl_ctx *cx, const irl__split_part *part,
                                        const irl_stmt *body)
{
    const irl_stmt *loop = part->loop;
    return irl__stmt_loop_over(cx, loop, part->is_cut ? part->cut.var[0] : loop->u.loop.var,
                               loop->u.loop.min,
                               part->is_cut ? part->cut.extent[0] : loop->u.loop.extent, body);
}

static const irl_stmt *irl__split_inner(irl_ctx *cx, const irl__split_part *part, irl_for_kind kind,
                                        const irl_stmt *body)
{
    return irl_stmt_for(cx, kind, part->cut.var[1], irl_expr_index(cx, 0), part->cut.extent[1],
                        body);
}

/* The outer loops, then the inner ones; the lanes of texels are innermost, split or not, because
   they are written as one. */
static const irl_stmt *irl__split_build(irl_ctx *cx, const irl__split_nest *nest,
                                        const irl_stmt *body)
{
    const irl_expr        *from[IRL_MAX_RANK], *to[IRL_MAX_RANK], *guard = NULL;
    const irl__split_part *parts = nest->parts, *lane = nest->lane < 0 ? NULL : &parts[nest->lane];
    int                    n = 0;
    for (int k = 0; k < nest->count; k++) {
        const irl__split_part *p = &parts[k];
        if (!p->is_cut) continue;
        from[n] = p->loop->u.loop.var;
        to[n] = irl__loop_cut_value(cx, &p->cut);
        if (!to[n]) return NULL;
        if (!p->cut.is_exact)
            guard = irl__and(cx, guard, irl_expr_op2(cx, IRL_OP_LT, to[n], p->loop->u.loop.extent));
        n++;
    }
    irl_for_kind kind = guard || n > 1 ? IRL_SERIAL : IRL_VECTORIZED;
    body = irl__substitute_stmt(cx, body, n, from, to);
    if (body && lane && !lane->is_cut) body = irl__split_outer(cx, lane, body);
    /* around lanes that it does not ask about: they stay one texel */
    if (body && guard) body = irl_stmt_if(cx, guard, body, NULL);
    if (body && lane && lane->is_cut) body = irl__split_inner(cx, lane, kind, body);
    for (int k = nest->count; body && k-- > 0;)
        if (parts[k].is_cut && k != nest->lane)
            body = irl__split_inner(cx, &parts[k], lane ? IRL_SERIAL : kind, body);
    for (int k = nest->count; body && k-- > 0;)
        if (parts[k].is_cut || k != nest->lane) body = irl__split_outer(cx, &parts[k], body);
    return body;
}

/* The innermost loop, marked vectorized, if it is short and the loops around it are long. */
static const irl_stmt *irl__split_keep_inner(irl_ctx *cx, int count, const irl__split_part *parts)
{
    int64_t others = 1;
    for (int k = 0; k < count - 1; k++) {
        const irl_expr *extent = parts[k].loop->u.loop.extent;
        if (extent->op != IRL_OP_INT || !irl__mul64(others, extent->u.i, &others))
            return parts[0].loop;
    }
    const irl_stmt *body = parts[count - 1].loop;
    if (body->u.loop.extent->op != IRL_OP_INT ||
        !irl__arrange_keeps(body->u.loop.extent->u.i, others))
        return parts[0].loop;
    body = irl__stmt_loop_as(cx, body, IRL_VECTORIZED, body->u.loop.axis, body->u.loop.body);
    for (int k = count - 1; body && k-- > 0;)
        body = irl__stmt_loop_of(cx, parts[k].loop, body);
    return body;
}

/* A loop whose bounds are in terms of one around it ends the nest: that one's variable must
   stay. */
static int irl__split_joins(const irl__split_nest *nest, const irl_stmt *loop)
{
    for (int k = 0; k < nest->count; k++)
        if (irl__stmt_bounds_use(loop, nest->parts[k].loop->u.loop.var)) return 0;
    return 1;
}

static const irl_stmt *irl__split_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__split_nest nest;
    const irl_stmt *body = s;
    int             any = 0;
    if (s->kind == IRL__SEQ) return irl__rewrite_stmt_children(r, s);
    if (irl__stmt_is_scheduled(s)) return s;
    nest.count = 0; /* a part is cleared as it joins: all of them are 14 KiB */
    nest.lane = -1;
    for (; nest.count < IRL_MAX_RANK && body->kind == IRL__FOR &&
           body->u.loop.kind == IRL_PARALLEL && irl__split_joins(&nest, body);
         body = body->u.loop.body) {
        memset(&nest.parts[nest.count], 0, sizeof nest.parts[0]);
        nest.parts[nest.count++].loop = body;
    }
    if (nest.count == 0) return s;
    irl__visitor v = irl__visitor_make(&nest, irl__split_see, NULL);
    irl__visit_stmt(&v, body);
    v = irl__visitor_make(&nest, NULL, irl__split_see_store);
    irl__visit_stmt(&v, body);
    for (int k = 0; k < nest.count; k++) {
        if (!irl__split_plan(r->cx, &nest.parts[k])) return NULL;
        any |= nest.parts[k].is_cut;
    }
    if (any) return irl__split_build(r->cx, &nest, body);
    return nest.count > 1 ? irl__split_keep_inner(r->cx, nest.count, nest.parts) : s;
}

irl_func *irl__pass_split_loops(const irl_func *f)
{
    irl__rewriter r = irl__rewriter_make(f->cx, NULL, NULL, irl__split_stmt);
    return irl__rewrite_func(&r, f);
}
