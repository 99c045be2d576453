/* move.c - moves a block into a loop of another one: only the part that one iteration needs.

   needs     flow.c; bounds of indices over the inner loops
   promises  an iteration finds computed what it reads, from the same operands as before; instances
             may run several times, each with the same result

   One iteration of a loop touches a box of a buffer: [lo, lo + extent) of each axis, which the
   bounds of the indices over the loops inside give. By the inverse of its own indices the block
   knows which of its instances that takes. */
#include "move.h"

/* ------------------------------------------------------------------ the box of a buffer */

/* Loops inside move, those around stay. */
static int irl__move_bind(irl__sched *s, const irl__move *m, irl__analyzer *an,
                          const irl__access *a)
{
    for (const irl__around *n = irl__around_next(a->around, IRL__AROUND_LOOP); n;
         n = n->outer ? irl__around_next(n->outer, IRL__AROUND_LOOP) : NULL) {
        const irl__around *inner = n;
        while (inner && inner->stmt != m->to) inner = inner->outer;
        if (!irl__place_bind(an, n->stmt, (inner != NULL && n->stmt != m->to) ||
                                              irl__share_is_item(m, n->stmt)))
            return 0;
    }
    return irl__ok(s->cx);
}

/* Is the expression made of what is known where the loop's body begins? */
static int irl__move_is_outer(const irl__move *m, const irl__access *a, const irl_expr *e)
{
    const irl__around *n;
    if (e->flags & IRL__HAS_MEMORY) return 0;
    for (n = a->around; n && n->stmt != m->to; n = n->outer)
        if (n->var && irl__expr_uses_var(e, n->var)) return 0;
    for (; n; n = n->outer)
        if (n->kind == IRL__AROUND_LOOP && irl__share_is_item(m, n->stmt) &&
            irl__expr_uses_var(e, n->var))
            return 0;
    return 1;
}

/* The least (sign -1) or largest value of an index over the loops inside; NULL: not known. */
static const irl_expr *irl__move_end(irl__sched *s, const irl__move *m, irl__analyzer *an,
                                     const irl__access *a, const irl_expr *index, int sign)
{
    const irl_expr *e = irl__symbolic_bound(an, index, sign);
    return e && irl__ok(s->cx) && irl__move_is_outer(m, a, e) ? e : NULL;
}

/* a where it is the smaller (sign -1) or larger one always; NULL: not known. */
static const irl_expr *irl__move_further(irl__move *m, const irl_expr *a, const irl_expr *b,
                                         int sign)
{
    irl_ctx *cx = m->t.cx;
    if (a == b) return a;
    if (irl__prove(m->path.an, irl_expr_op2(cx, sign < 0 ? IRL_OP_LE : IRL_OP_GE, a, b))) return a;
    if (irl__prove(m->path.an, irl_expr_op2(cx, sign < 0 ? IRL_OP_LE : IRL_OP_GE, b, a))) return b;
    return NULL;
}

/* Has the index of an access a value whenever the loop's iteration runs? An axis has one whatever
   its block's condition says, others where the access is made. */
static int irl__move_is_made(const irl__move *m, const irl__access *a, const irl_expr *index)
{
    const irl__around *n = a->around;
    while (n && !(n->kind == IRL__AROUND_AXIS && n->var == index)) n = n->outer;
    for (n = n ? n : a->around; n && n->stmt != m->to; n = n->outer)
        if (n->kind == IRL__AROUND_GUARD ||
            (n->kind == IRL__AROUND_LOOP && !irl__stmt_loop_runs(n->stmt)))
            return 0;
    return 1;
}

enum { IRL__MOVE_FAR = 61 }; /* 2^61: what is nearer to 0 may be added to an extent */

/* Has an end of an index of an axis of that extent a value in each iteration of the loop, whatever
   the access stands behind, and is it nowhere near the ends of 64 bits? */
static int irl__move_is_near(irl__move *m, const irl_expr *e, const irl_expr *extent)
{
    const int64_t       most = (int64_t)1 << IRL__MOVE_FAR;
    const irl__interval r = irl__interval_of(m->path.an, e);
    if (irl__undefined_if_sums_fit(m->path.an, e)) return 0;
    if (r.lo > -most && r.hi < most) return !irl__undefined_part(m->path.an, e);
    return irl__prove_within(m->path.an, e, extent);
}

int irl__move_box_add(irl__sched *s, irl__move *m, const irl__access *a, irl__move_box *box)
{
    irl__analyzer *an = irl__place_analyzer(s, NULL, 0);
    if (!an || !irl__move_bind(s, m, an, a)) return 0;
    for (int k = 0; k < a->rank; k++) {
        const irl_expr *e = irl__accesses_plain(&m->t, a->indices[k]), *lo = NULL, *hi = NULL;
        if (!e) return 0;
        if (!(e->flags & (IRL__HAS_MEMORY | IRL__HAS_LANES))) {
            lo = irl__move_end(s, m, an, a, e, -1);
            hi = irl__move_end(s, m, an, a, e, 1);
            if (lo && hi && !irl__move_is_made(m, a, a->indices[k]) &&
                !(irl__move_is_near(m, lo, a->buffer->shape[k]) &&
                  irl__move_is_near(m, hi, a->buffer->shape[k])))
                lo = hi = NULL;
        }
        if (!irl__ok(s->cx)) return 0;
        if (box->rows && box->lo[k] && lo) lo = irl__move_further(m, box->lo[k], lo, -1);
        else if (box->rows) lo = NULL;
        if (box->rows && box->hi[k] && hi) hi = irl__move_further(m, box->hi[k], hi, 1);
        else if (box->rows) hi = NULL;
        box->lo[k] = lo;
        box->hi[k] = hi;
    }
    box->rows++;
    return 1;
}

enum { IRL__MOVE_TILE = 1 << 20 }; /* beyond that it is a name's range that bounds an extent */

/* A number that an extent never exceeds, if it is of use beside all that there is; NULL: none. */
static const irl_expr *irl__move_most(const irl__move *m, const irl_expr *extent,
                                      const irl_expr *all)
{
    const int64_t most = all->op == IRL_OP_INT ? all->u.i : (int64_t)IRL__MOVE_TILE;
    int64_t       lo, hi;
    irl__range(m->path.an, extent, &lo, &hi);
    return hi > 0 && hi < most ? irl_expr_index(m->t.cx, hi) : NULL;
}

/* From lo and hi to extents that do not vary. */
int irl__move_box_close(irl__sched *s, irl__move *m, const irl_buffer *b, irl__move_box *box)
{
    for (int k = 0; k < b->rank; k++) {
        const irl_expr *e = NULL;
        if (box->rows && box->lo[k] && box->hi[k]) {
            e = irl__add(s->cx, irl__sub(s->cx, box->hi[k], box->lo[k]), irl_expr_index(s->cx, 1));
            e = irl__simplify(m->path.an, e);
            if (!e) return 0;
            if (e->op != IRL_OP_INT && irl__expr_moves(m->path.an, e))
                e = irl__move_most(m, e, b->shape[k]);
            if (e && e->op == IRL_OP_INT && e->u.i < 1) e = irl_expr_index(s->cx, 1);
        }
        if (e && (e == b->shape[k] || (e->op == IRL_OP_INT && b->shape[k]->op == IRL_OP_INT &&
                                       e->u.i >= b->shape[k]->u.i)))
            e = NULL;
        box->extent[k] = e;
        box->lo[k] = e ? box->lo[k] : irl_expr_index(s->cx, 0);
        if (!box->lo[k]) return 0;
    }
    return 1;
}

/* ------------------------------------------------------------------ which instances */

/* Coordinate k takes [lo, lo + extent) too. What is not told apart is all of it. */
static void irl__move_take(irl__move *m, int k, const irl_expr *lo, const irl_expr *extent)
{
    if (!m->known[k]) {
        m->known[k] = 1;
        m->lo[k] = lo;
        m->extent[k] = extent;
    } else if (m->extent[k] && (!extent || lo != m->lo[k] || extent != m->extent[k])) {
        const irl_expr *end, *other, *least = NULL, *most = NULL;
        irl_ctx        *cx = m->t.cx;
        if (extent) {
            end = irl__add(cx, lo, extent);
            other = irl__add(cx, m->lo[k], m->extent[k]);
            least = irl__move_further(m, lo, m->lo[k], -1);
            most = end && other ? irl__move_further(m, end, other, 1) : NULL;
        }
        m->extent[k] = least && most ? irl__simplify(m->path.an, irl__sub(cx, most, least)) : NULL;
        m->lo[k] = least;
        if (m->extent[k] && m->extent[k]->op != IRL_OP_INT) m->extent[k] = NULL;
    }
}

int irl__move_bind_inside(irl__analyzer *an, const irl__move *m, const irl__access *a)
{
    for (const irl__around *n = a->around; n && n->stmt != m->last; n = n->outer) {
        if (n->kind == IRL__AROUND_LOOP && !irl__bind_loop(an, n->stmt)) return 0;
        if (n->kind == IRL__AROUND_BLOCK && !irl__bind_block(an, n->stmt->u.block)) return 0;
    }
    return 1;
}

/* Does it hang on what is bound inside of the unit, where the access stands? */
static int irl__move_is_inner(const irl__move *m, const irl__access *a, const irl_expr *e)
{
    for (const irl__around *n = a->around; n && n->stmt != m->last; n = n->outer)
        if (n->var && irl__expr_uses_var(e, n->var)) return 1;
    return 0;
}

/* The access of the unit in the box: which coordinates? */
int irl__move_instances(irl__sched *s, irl__move *m, const irl__access *a, const irl__move_box *box)
{
    const irl_buffer *b = a->buffer;
    irl__flow_inverse inv;
    const irl_expr   *missing, *at[IRL_MAX_RANK], *t[IRL_MAX_RANK];
    irl__analyzer    *an = irl__place_analyzer(s, NULL, 0);
    int               j, lanes = 0;
    for (j = 0; j < a->rank; j++) lanes |= (a->indices[j]->flags & IRL__HAS_LANES) != 0;
    for (int k = 0; lanes && k < m->u.count; k++) irl__move_take(m, k, NULL, NULL);
    if (lanes) return 1;
    if (!irl__flow_invert(s, &m->u, b->rank, b->shape, a->indices, &inv, &missing) || !an ||
        !irl__move_bind_inside(an, m, a))
        return 0;
    for (j = 0; j < b->rank; j++) {
        const irl_expr *extent = box->extent[j] ? box->extent[j] : b->shape[j];
        t[j] = irl_expr_var(s->cx, "t", irl__type_index());
        if (!t[j] || !irl__bind_extent(an, t[j], irl_expr_index(s->cx, 0), extent)) return 0;
        at[j] = irl__add(s->cx, box->lo[j], t[j]);
        if (!at[j]) return 0;
    }
    for (int k = 0; k < m->u.count; k++) {
        const irl_expr *e = inv.out[k], *lo, *hi, *extent = NULL;
        for (j = 0; e && j < b->rank && inv.y[j] != e; j++) {}
        if (!e || (j < b->rank && !box->extent[j])) {
            irl__move_take(m, k, NULL, NULL);
            continue;
        }
        if (j < b->rank) {
            irl__move_take(m, k, box->lo[j], box->extent[j]);
            continue;
        }
        e = irl__substitute(s->cx, e, b->rank, inv.y, at);
        lo = irl__symbolic_bound(an, e, -1);
        hi = lo ? irl__symbolic_bound(an, e, 1) : NULL;
        for (j = 0; lo && hi && j < b->rank; j++)
            if (irl__expr_uses_var(lo, t[j]) || irl__expr_uses_var(hi, t[j])) lo = hi = NULL;
        if (lo && hi && (irl__move_is_inner(m, a, lo) || irl__move_is_inner(m, a, hi)))
            lo = hi = NULL;
        if (!irl__ok(s->cx)) return 0;
        if (lo && hi) {
            extent = irl__simplify(m->path.an, irl__add(s->cx, irl__sub(s->cx, hi, lo),
                                                        irl_expr_index(s->cx, 1)));
            if (!extent) return 0;
            if (extent->op != IRL_OP_INT) extent = irl__move_most(m, extent, m->u.extent[k]);
        }
        irl__move_take(m, k, extent ? lo : NULL, extent);
    }
    return irl__ok(s->cx);
}

/* ------------------------------------------------------------------ the nest in its new place */

/* The condition under which lo + loop lies in the coordinate's range, where that is not proved. */
static int irl__move_inside(irl__sched *s, irl__move *m, int k, const irl_expr *value,
                            const irl_expr *min, const irl_expr *extent, const irl_expr **condition)
{
    const irl_expr *zero = irl_expr_index(s->cx, 0);
    const irl_expr *from = irl__is_int(min, 0) ? value : irl__sub(s->cx, value, min);
    const irl_expr *all = m->u.block ? m->u.block->axes[k].extent : NULL;
    irl__analyzer  *an = m->path.an;
    return irl__place_ask(s->cx, an, condition, IRL_OP_GE, value, min) &&
           irl__place_ask(s->cx, an, condition, IRL_OP_LT, from, extent) &&
           (!all || min == zero ||
            irl__place_ask(s->cx, an, condition, IRL_OP_GE, value, zero)) &&
           (!all || (min == zero && extent == all) ||
            irl__place_ask(s->cx, an, condition, IRL_OP_LT, value, all));
}

/* The condition under which the one element that an instance reads is in the iteration's box. */
static int irl__move_tell(irl__sched *s, irl__move *m, const irl_expr **condition)
{
    const irl__move_box *box = &m->boxes[0];
    irl__analyzer       *an = m->path.an;
    for (int k = 0; k < m->once->rank; k++) {
        if (!box->extent[k]) continue;
        const int       is_one = irl__is_int(box->extent[k], 1);
        const irl_expr *e = irl__substitute(s->cx, m->once->indices[k], m->u.count, m->u.var,
                                            m->value);
        if (!irl__place_ask(s->cx, an, condition, is_one ? IRL_OP_EQ : IRL_OP_GE, e, box->lo[k]) ||
            (!is_one && !irl__place_ask(s->cx, an, condition, IRL_OP_LT,
                                        irl__sub(s->cx, e, box->lo[k]), box->extent[k])))
            return 0;
    }
    return irl__ok(s->cx);
}

/* Each coordinate's value in a new loop. */
typedef struct irl__move_nest {
    const irl_expr *value[IRL__FLOW_MOST], *var[IRL__FLOW_MOST], *extent[IRL__FLOW_MOST];
    const irl_expr *condition; /* NULL: none */
} irl__move_nest;

/* The range of coordinate k where those before it have their values. Where a value may lie outside
   of its own range, what depends on it is not known to be defined. */
static int irl__move_range_at(irl__sched *s, const irl__move *m, int k, const irl__move_nest *n,
                              const int *is_told, const irl_expr **min, const irl_expr **extent)
{
    for (int j = 0; j < m->u.count; j++)
        if ((irl__expr_uses_var(m->u.min[k], m->u.var[j]) ||
             irl__expr_uses_var(m->u.extent[k], m->u.var[j])) &&
            (j >= k || is_told[j] || m->shares))
            return irl__refuse(s, "the bounds of '%s' depend on '%s', and an iteration of '%L', or "
                               "a work-item, runs only some of its values", m->u.var[k]->u.name,
                               m->u.var[j]->u.name, m->to);
    *min = irl__substitute(s->cx, m->u.min[k], k, m->u.var, n->value);
    *extent = irl__substitute(s->cx, m->u.extent[k], k, m->u.var, n->value);
    if (*min) *min = irl__simplify(m->path.an, *min);
    if (*extent) *extent = irl__simplify(m->path.an, *extent);
    return *min && *extent;
}

static int irl__move_values(irl__sched *s, irl__move *m, irl__move_nest *n)
{
    int is_told[IRL__FLOW_MOST];
    memset(n, 0, sizeof *n);
    for (int k = 0; k < m->u.count; k++) {
        const irl_expr *lo, *min = NULL, *extent = NULL, *before = n->condition;
        if (!irl__move_range_at(s, m, k, n, is_told, &min, &extent)) return 0;
        lo = m->extent[k] ? m->lo[k] : min;
        n->extent[k] = m->extent[k] ? m->extent[k] : extent;
        n->value[k] = lo;
        if (!irl__is_int(n->extent[k], 1)) {
            n->var[k] = irl_expr_var(s->cx, irl__format(s->cx, "ax%d", k), irl__type_index());
            if (!n->var[k] ||
                !irl__bind_extent(m->path.an, n->var[k], irl_expr_index(s->cx, 0), n->extent[k]))
                return 0;
            n->value[k] = irl__is_int(lo, 0) ? n->var[k] : irl__add(s->cx, lo, n->var[k]);
        }
        if (!n->value[k]) return 0;
        m->value[k] = n->value[k];
        if (!irl__move_inside(s, m, k, n->value[k], min, extent, &n->condition)) return 0;
        is_told[k] = n->condition != before;
    }
    if (m->is_told && !irl__move_tell(s, m, &n->condition)) return 0;
    n->condition = irl__and(s->cx, m->where, n->condition);
    return irl__ok(s->cx);
}

/* The block, or the nest's body, with the new values. */
static const irl_stmt *irl__move_body(irl__sched *s, const irl__move *m, const irl__move_nest *n)
{
    irl__block_data *block;
    if (!m->u.block) {
        const irl_stmt *body = irl__substitute_stmt(s->cx, m->last->u.loop.body, m->u.count,
                                                    m->u.var, n->value);
        return body && n->condition ? irl_stmt_if(s->cx, n->condition, body, NULL) : body;
    }
    irl_stmt  *copy = irl__block_copy(s->cx, m->last, &block);
    irl__axis *axes = copy ? irl__block_axes(s->cx, block, 0) : NULL;
    if (!axes) return NULL;
    for (int k = 0; k < block->axis_count; k++) axes[k].binding = n->value[k];
    block->predicate = n->condition;
    return irl__stmt_finish(s->cx, copy);
}

const irl_stmt *irl__move_nest_of(irl__sched *s, irl__move *m)
{
    irl__move_nest n;
    irl__share     share;
    int            loops = 0;
    memset(&share, 0, sizeof share);
    if (!irl__move_values(s, m, &n) ||
        (m->shares && !irl__share_plan(s, m, n.var, n.extent, &share)))
        return NULL;
    for (int k = 0; k < m->u.count; k++) loops |= n.var[k] && !share.told[k];
    /* a store without a loop has no name: one loop keeps that of the nest */
    const int is_bare = !m->u.block && !loops && !share.step && !share.fresh[0] &&
                        !share.fresh[1] && !share.fresh[2];
    if (share.within && !loops && !is_bare)
        n.condition = irl__and(s->cx, share.within, n.condition);
    const irl_stmt *at = irl__move_body(s, m, &n);
    for (int k = 0; k < m->u.count; k++)
        if (share.told[k]) n.var[k] = NULL;
    if (is_bare) {
        n.var[0] = irl_expr_var(s->cx, "ax0", irl__type_index());
        n.extent[0] = irl_expr_index(s->cx, 1);
    }
    at = irl__stmt_nest(s->cx, m->u.count, n.var, n.extent, at);
    return at && m->shares ? irl__share_wrap(s, m, &share, at) : at;
}

/* ------------------------------------------------------------------ the order of a reduction

   The new loops run the axes in their order. Where a cell is updated in another order now, its
   numbers would change, unless that order is free. */

/* Do the loops in a binding count it up: each multiple beyond what the inner ones reach? */
static int irl__move_counts_up(irl__sched *s, const irl__move *m, const irl_expr *binding,
                               int *first, int *last)
{
    const irl__place *p = &m->u.p;
    irl__analyzer    *an = irl__place_analyzer(s, NULL, 0);
    const irl_expr   *reach = irl_expr_index(s->cx, 0);
    *first = p->count;
    *last = -1;
    if (!an) return 0;
    for (int k = p->count - 1; k > m->level; k--) {
        const irl_stmt *at = p->at[k];
        if (at->kind != IRL__FOR || !irl__expr_uses_var(binding, at->u.loop.var)) continue;
        const irl_expr *step = irl__step_along(an, binding, at->u.loop.var);
        if (!step || step->op != IRL_OP_INT) return 0;
        if (!irl__prove(an, irl_expr_op2(s->cx, IRL_OP_GT, step, reach))) return 0;
        reach = irl__add(s->cx, reach, irl__mul(s->cx, step, irl__sub(s->cx, at->u.loop.extent,
                                                                     irl_expr_index(s->cx, 1))));
        if (!reach) return 0;
        if (k < *first) *first = k;
        if (k > *last) *last = k;
    }
    return 1;
}

/* Does the unit read what it writes, other than the old value of an update? */
static int irl__move_is_chain(const irl__move *m)
{
    const irl__flow_set reads = irl__flow_set_of(&m->t, IRL__ROWS_READ, m->last, NULL, NULL);
    const irl__flow_set writes = irl__flow_set_of(&m->t, IRL__ROWS_WRITE, m->last, NULL, NULL);
    IRL__FLOW_PAIRS(a, b, reads, writes)
        if (a->of_pair < 0) return 1;
    return 0;
}

/* The first axis, of those that reduce or of all, that does not increase in the order of the unit's
   loops; NULL: all do. */
static const irl__axis *irl__move_unordered(irl__sched *s, const irl__move *m, int only_reduces)
{
    int first, last, before = -1;
    for (int k = 0; k < m->u.block->axis_count; k++) {
        const irl__axis *axis = &m->u.block->axes[k];
        if ((only_reduces && !axis->is_reduction) || irl__is_int(axis->extent, 1)) continue;
        if (!irl__move_counts_up(s, m, axis->binding, &first, &last) || first <= before)
            return axis;
        before = last;
    }
    return NULL;
}

static int irl__move_keeps_order(irl__sched *s, const irl__move *m)
{
    const irl__access *ordered = NULL;
    const irl__axis   *axis;
    if (!m->u.block) return 1;
    IRL__EACH_ROW(a, &m->t)
        if (a->kind == IRL__ACCESS_UPDATE && irl__access_in(a, m->last) &&
            !irl__update_commutes(&m->t, a))
            ordered = a;
    if (ordered && (axis = irl__move_unordered(s, m, 1)) != NULL)
        return irl__refuse_order(s, ordered, irl__reason(
            s->cx, ": '%s' does not increase in the order of the loops of '%s'", axis->var->u.name,
            s->args[0].name));
    axis = irl__move_is_chain(m) ? irl__move_unordered(s, m, 0) : NULL;
    return !axis || irl__refuse(s, "'%N' reads what it writes, and its axes would run in another "
                                "order: '%s' does not increase in the order of its loops",
                                axis->var->u.name);
}

/* ------------------------------------------------------------------ which instances there are

   In one run of what holds both, a block's axes reach a box too: all of it, and within the axes'
   extents nothing less. */

/* The extent of a loop in terms of axes that are loops of their own; NULL: it uses others. */
static const irl_expr *irl__move_range_in_axes(irl__sched *s, const irl__move *m, const irl_expr *e)
{
    const irl__block_data *block = m->u.block;
    int                    j;
    for (int k = m->level + 1; e && k < m->u.p.count - 1; k++) {
        const irl_stmt *at = m->u.p.at[k];
        if (at->kind != IRL__FOR || !irl__expr_uses_var(e, at->u.loop.var)) continue;
        for (j = 0; j < block->axis_count && block->axes[j].binding != at->u.loop.var; j++) {}
        e = j < block->axis_count
                ? irl__substitute(s->cx, e, 1, &at->u.loop.var, &block->axes[j].var) : NULL;
    }
    return e;
}

/* The start and the extent of one axis; it may be all of it. */
static int irl__move_range_axis(irl__sched *s, irl__move *m, irl__analyzer *an, int k)
{
    const irl__axis *axis = &m->u.block->axes[k];
    m->u.min[k] = irl_expr_index(s->cx, 0);
    m->u.extent[k] = axis->extent;
    for (int j = m->level + 1; j < m->u.p.count - 1; j++) {
        const irl_stmt *at = m->u.p.at[j];
        if (at->kind != IRL__FOR || at->u.loop.var != axis->binding ||
            !irl__is_int(at->u.loop.min, 0))
            continue;
        m->u.extent[k] = irl__move_range_in_axes(s, m, at->u.loop.extent);
        return m->u.extent[k] != NULL;
    }
    (void)irl__flow_range(s, an, &m->u.p, m->level + 1, axis->binding, &m->u.min[k],
                          &m->u.extent[k]);
    return irl__ok(s->cx);
}

/* The loops around the unit are known where it stands, as are the conditions. */
static int irl__move_range_of(irl__sched *s, irl__move *m)
{
    if (!m->u.block) return 1;
    irl__analyzer *an = irl__flow_range_analyzer(s, &m->u.p, m->level + 1);
    for (int k = 0; an && k < m->u.count; k++)
        if (!irl__move_range_axis(s, m, an, k)) return 0;
    return an && irl__flow_covers(s, &m->u, m->level + 1, m->u.min, m->u.extent, NULL, &m->where);
}

/* ------------------------------------------------------------------ what both do first */

int irl__move_read(irl__sched *s, irl__move *m)
{
    memset(m, 0, sizeof *m);
    if (!irl__flow_unit_of(s, &m->u) || !irl__sched_loop(s, &s->args[1], &m->loop) ||
        !irl__accesses_of(&m->t, s->f, NULL))
        return 0;
    m->last = irl__place_last(&m->u.p);
    m->to = irl__place_last(&m->loop);
    if (!m->u.block && !m->u.store)
        return irl__refuse(s, "'%N' is more than one store: %H", "compose_store of a loop first, "
                           "where there are lets");
    if (!irl__flow_keeps_calls(s, m->last)) return 0;
    m->level = irl__flow_common(&m->u.p, &m->loop);
    if (m->level + 1 >= m->loop.count || m->u.p.at[m->level]->kind != IRL__SEQ)
        return irl__refuse(s, "the loop '%L' is around '%N'", m->to);
    m->first_child = m->u.p.child[m->level + 1];
    m->loop_child = m->loop.child[m->level + 1];
    for (int k = m->level + 1; k < m->loop.count; k++)
        if (m->loop.at[k]->kind == IRL__BLOCK)
            return irl__refuse(s, "the loop '%L' is inside the block '%s'", m->to,
                               m->loop.at[k]->u.block->name);
    for (int k = m->level + 1; k < m->u.p.count - 1; k++)
        if (m->u.p.at[k]->kind != IRL__FOR && m->u.p.at[k]->kind != IRL__ATTR)
            return irl__refuse(s, "something other than loops is around '%N'");
    if (!irl__flow_knows_axes(s, m->u.block, &m->u.p, m->level + 1) ||
        !irl__flow_bounds_are_named(s, &m->u.p, m->level + 1) ||
        !irl__flow_axes(s, &m->u, m->level))
        return 0;
    if (!irl__move_range_of(s, m))
        return irl__refuse(s, "as far as is known, '%N' does not reach each point of its axes");
    const irl__around *around = irl__loop_of(&m->t, m->to);
    if (!around)
        return irl__refuse(s, "the loop '%L' touches no memory", m->to);
    /* Of a block that reads what it writes, instances stay in the order of all its axes. */
    return irl__path_begin(&m->path, &m->t) && irl__bind_param_sizes(m->path.an, s->f) &&
           irl__path_to(&m->path, around) && irl__move_keeps_order(s, m);
}

int irl__move_buffer(irl__sched *s, irl__move *m, const irl_buffer *b)
{
    for (int k = 0; k < m->buffer_count; k++)
        if (m->buffers[k] == b) return 1;
    if (m->buffer_count == IRL__MOVE_BUFFERS)
        return irl__refuse(s, "'%N' touches more than %d buffers", IRL__MOVE_BUFFERS);
    m->buffers[m->buffer_count++] = b;
    return 1;
}

/* A bound loop in the kernel that is not around the place: each of its work-items does what is
   there. NULL: there is none. */
static const irl_stmt *irl__move_items(const irl__place *p, int kernel)
{
    const irl_stmt *found = NULL;
    irl__place      walk;
    IRL__EACH_STMT(s, &walk, p->at[kernel]) {
        if (!irl__stmt_is_bound(s)) continue;
        if (irl__place_level(p, s) == p->count) found = s;
        if (found) irl__place_pass(&walk);
    }
    return found;
}

/* Would several work-items write one element? A kernel is the outermost loop that is bound. Of
   compute_at the temporaries stand inside of the loop. */
int irl__move_is_alone(irl__sched *s, irl__move *m, int is_inside)
{
    const irl_stmt *around = NULL, *items = NULL;
    const char     *why;
    int             kernel = -1;
    for (int k = m->loop.count - 1; k >= 0; k--) {
        const irl_stmt *at = m->loop.at[k];
        if (at->kind != IRL__FOR) continue;
        if (at->u.loop.kind == IRL_BOUND) kernel = k;
        if ((at->u.loop.kind == IRL_BOUND && at->u.loop.axis > IRL_GROUP_Z) ||
            at->u.loop.kind == IRL_PARALLEL || at->u.loop.kind == IRL_VECTORIZED)
            around = at;
    }
    if (kernel >= 0 && m->u.block && irl__stmt_holds(m->u.block->body, IRL__HOLDS_BOUND))
        return irl__refuse(s, "'%N' contains a bound loop, and it would be inside a kernel: %H",
                           "bind afterwards");
    if (kernel >= 0) items = irl__move_items(&m->loop, kernel);
    IRL__EACH_ROW(a, &m->t) {
        const irl_stmt    *by = items;
        if (a->is_declared || !irl__access_in(a, m->last) || !irl__flow_is_write(a) || !a->buffer)
            continue;
        if (a->buffer->scope == IRL_SCOPE_SHARED && is_inside && !by) by = around;
        if (!by || (a->buffer->scope == IRL_SCOPE_LOCAL &&
                    (is_inside || irl__place_declares(m->loop.at[kernel], a->buffer))))
            continue;
        why = kernel < 0 ? "it is not a loop of a group"
              : is_inside && a->buffer->scope != IRL_SCOPE_SHARED
                  ? "it is not shared" : irl__share_begin(m, kernel);
        return !why || irl__refuse(s, "each iteration of '%L' would write all of '%A', at the same "
                                   "time, and they cannot share the work: %s. %H", by, a, why,
                                   "Bind that loop afterwards");
    }
    return 1;
}

/* ------------------------------------------------------------------ smaller temporaries */

typedef struct irl__move_shrink {
    const irl_buffer    *from, *to;
    const irl__move_box *box;
} irl__move_shrink;

/* An index along axis k, from the start of the box. */
static const irl_expr *irl__move_shrink_index(irl_ctx *cx, const irl__move_shrink *q, int k,
                                              const irl_expr *e)
{
    if (!q->box->extent[k] || irl__is_int(q->box->lo[k], 0)) return e;
    return irl__simplify_alone(cx, irl__sub(cx, e, q->box->lo[k]));
}

static const irl_buffer *irl__move_shrink_access(irl__rewriter *r, const irl_buffer *b,
                                                 const irl_expr **indices)
{
    const irl__move_shrink *q = (const irl__move_shrink *)r->user;
    for (int k = 0; b == q->from && k < b->rank; k++)
        if (!(indices[k] = irl__move_shrink_index(r->cx, q, k, indices[k]))) return NULL;
    return b == q->from ? q->to : b;
}

static int irl__move_shrink_region(irl__rewriter *r, const irl_buffer *b, irl__region *region)
{
    const irl__move_shrink *q = (const irl__move_shrink *)r->user;
    const irl_buffer       *to = q->to;
    const irl_expr        **min, **extent;
    if (b != q->from) return 1;
    min = IRL__NEW(r->cx, const irl_expr *, to->rank + 1);
    extent = IRL__NEW(r->cx, const irl_expr *, to->rank + 1);
    if (!min || !extent) return 0;
    for (int j = 0; j < to->rank; j++) { /* all of it, unless it is one element */
        const int is_one = irl__is_int(region->extent[j], 1);
        min[j] = is_one ? irl__move_shrink_index(r->cx, q, j, region->min[j])
                        : irl_expr_index(r->cx, 0);
        extent[j] = is_one ? region->extent[j] : to->shape[j];
        if (!min[j] || !extent[j]) return 0;
    }
    region->buffer = to;
    region->min = min;
    region->extent = extent;
    return 1;
}

/* b with the box for its shape; itself where it is the whole, and NULL on failure. */
static const irl_buffer *irl__move_shrunk(irl__sched *s, const irl_buffer *b,
                                          const irl__move_box *box)
{
    const irl_expr **shape;
    int              changed = 0;
    for (int k = 0; k < b->rank; k++) changed |= box->extent[k] != NULL;
    if (!changed || b->strides || b->offset) return b;
    shape = IRL__COPY(s->cx, const irl_expr *, b->shape, b->rank);
    irl_buffer *copy = shape ? irl__buffer_copy(s->cx, b) : NULL;
    if (!copy) return NULL;
    for (int k = 0; k < b->rank; k++)
        if (box->extent[k] && !(shape[k] = irl__path_length(s->f, box->extent[k]))) return NULL;
    copy->shape = shape;
    return copy;
}


/* The sequence, of which statement `at` allocates b, with a smaller one. */
const irl_stmt *irl__move_smaller(irl__sched *s, const irl_stmt *seq, int at,
                                         const irl_buffer *b, const irl__move_box *box)
{
    irl__move_shrink q;
    irl__rewriter    r = irl__rewriter_make(s->cx, &q, NULL, NULL);
    const irl_stmt **now;
    q.from = b;
    q.to = irl__move_shrunk(s, b, box);
    q.box = box;
    r.access = irl__move_shrink_access;
    r.region = irl__move_shrink_region;
    if (!q.to || q.to == b) return q.to ? seq : NULL;
    now = IRL__COPY(s->cx, const irl_stmt *, seq->u.seq.stmts, seq->u.seq.count);
    if (!now) return NULL;
    for (int i = 0; i < seq->u.seq.count; i++) {
        now[i] = i == at ? irl_stmt_alloc(s->cx, q.to)
                         : irl__rewrite_stmt(&r, seq->u.seq.stmts[i]);
        if (!now[i]) return NULL;
    }
    return irl__stmt_seq(s->cx, seq->u.seq.count, now);
}
