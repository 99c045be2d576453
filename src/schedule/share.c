/* share.c - a moved block that the work-items of a group compute together: each takes every L-th of
   its instances, where L is the number of work-items, and they wait for one another.

   needs     flow.c; the access table
   promises  each instance is done by one work-item; none reads or writes what another one has at
             that moment, for any local size that the kernel's loops have

       for bind(group.x) (g: 4) {                        the loop that it goes to, or outside of it
           alloc t: f32[20] scope(shared);
           for bind(local.x) (item: 8) for (step: 3)
               block t(v0: spatial(80) = g * 20 + (step * 8 + item)) where(step * 8 + item < 20) ...
           barrier(shared);
           ...                                           loops bound to local.x around what reads t
       }

   If loops bound to local axes are around the place already, they are the work-items. */
#include "move.h"

/* --------------------------------------------------------------- the work-items of the kernel */

/* Finds the extents of the group's axes. Why these loops are not one group's; NULL: they are. */
static const char *irl__share_items(irl__move *m, const irl_stmt *kernel)
{
    const char *why = NULL;
    irl__place  p;
    IRL__EACH_STMT(s, &p, kernel) {
        if (!irl__stmt_is_bound(s)) continue;
        if (s->u.loop.axis >= IRL_GLOBAL_X) why = "a loop of the kernel is bound to a global axis";
        if (s->u.loop.axis < IRL_LOCAL_X && irl__place_level(&m->loop, s) == m->loop.count)
            why = "a loop bound to a group is inside it, and each group would do all of it";
        if (s->u.loop.axis < IRL_LOCAL_X || s->u.loop.axis >= IRL_GLOBAL_X) continue;
        const int k = (int)s->u.loop.axis - (int)IRL_LOCAL_X;
        if (!irl__is_int(s->u.loop.min, 0)) why = "the loop of work-items does not begin at 0";
        if (!m->items[k]) m->items[k] = s->u.loop.extent;
        if (m->items[k] != s->u.loop.extent) why = "the group has several sizes";
    }
    return why;
}

/* Do all work-items of a group come by the place together? Sets m->group. NULL, or why not. */
static const char *irl__share_path(irl__move *m, int kernel)
{
    for (int k = kernel; k < m->loop.count; k++) {
        const irl_stmt *at = m->loop.at[k];
        if (!irl__stmt_is_bound(at)) continue;
        if (at->u.loop.axis < IRL_LOCAL_X) m->group = k;
    }
    if (m->group < 0) return "no outer loop is bound to a group";
    for (int k = kernel; k < m->loop.count; k++) {
        const irl_stmt *at = m->loop.at[k];
        if (at->kind == IRL__SEQ || at->kind == IRL__ATTR ||
            (at->kind == IRL__IF && irl__flow_is_even(&m->t, &m->loop, at->u.branch.condition)))
            continue;
        if (at->kind != IRL__FOR)
            return "a condition is around the loop in the kernel, and may differ between "
                   "work-items of a group";
        if (at->u.loop.kind == IRL_PARALLEL || at->u.loop.kind == IRL_VECTORIZED)
            return "a parallel loop is around it in the kernel";
        if (at->u.loop.kind == IRL_BOUND && at->u.loop.axis >= IRL_LOCAL_X && k < m->group)
            return "a loop bound to a group is inside a loop of work-items";
        if (!irl__flow_is_even(&m->t, &m->loop, at->u.loop.min) ||
            !irl__flow_is_even(&m->t, &m->loop, at->u.loop.extent))
            return "work-items run a loop around it different numbers of times";
        m->repeats |= k > m->group && at->u.loop.kind != IRL_BOUND;
    }
    return NULL;
}

/* Is the unit a work-item's own already: does it use the loop of one past its coordinates? */
static int irl__share_is_own(const irl__move *m)
{
    const irl_stmt *parts[2];
    parts[0] = m->u.block ? m->u.block->body : m->last;
    parts[1] = m->u.block ? m->u.block->init : NULL;
    for (int k = 0; k < m->loop.count; k++) {
        const irl_stmt *at = m->loop.at[k];
        if (!irl__stmt_is_bound(at) || at->u.loop.axis < IRL_LOCAL_X)
            continue;
        for (int j = 0; j < 2; j++)
            if (parts[j] && irl__stmt_names(parts[j], at->u.loop.var, NULL)) return 1;
    }
    return 0;
}

/* What the unit touches is for all work-items to see: shared, or from outside of the kernel. */
static const char *irl__share_memory(irl__move *m, int kernel)
{
    const irl__flow_set of_unit = irl__flow_set_of(&m->t, IRL__ROWS_ALL, m->last, NULL, NULL);
    const irl__flow_set of_others =
        irl__flow_set_of(&m->t, IRL__ROWS_ALL, m->loop.at[kernel], m->last, NULL);
    IRL__FLOW_EACH(a, of_unit) {
        int                written = irl__flow_is_write(a), others = 0;
        if (!a->buffer || irl__place_declares(m->last, a->buffer)) continue;
        IRL__FLOW_EACH(b, of_others) {
            if (b->memory != a->memory) continue;
            others = 1;
            written |= b->kind != IRL__ACCESS_READ;
            m->follows |= b->kind != IRL__ACCESS_READ;
        }
        if (a->buffer->scope != IRL_SCOPE_SHARED && written &&
            irl__place_declares(m->loop.at[kernel], a->buffer))
            return "it touches memory that is private to each work-item";
        if (!written || !others) continue;
        if (a->buffer->scope == IRL_SCOPE_SHARED) m->waits_shared = 1;
        else m->waits_global = 1;
    }
    return irl__stmt_holds(m->last, 1u << IRL__BARRIER) ? "it contains a barrier" : NULL;
}

/* Does it read of what it writes the cell alone that an instance writes? Cells are shared out. */
static int irl__share_is_apart(irl__move *m)
{
    const irl__flow_set writes = irl__flow_set_of(&m->t, IRL__ROWS_WRITE, m->last, NULL, NULL);
    const irl__flow_set reads = irl__flow_set_of(&m->t, IRL__ROWS_TAKE, m->last, NULL, NULL);
    irl__meeting        meeting;
    IRL__FLOW_PAIRS(w, r, writes, reads)
        if (!irl__access_writes(r) &&
            !(w->memory == r->memory && w->rank == r->rank &&
              irl__exprs_equal(w->rank, w->indices, r->indices)) &&
            irl__flow_meets(&m->t, w, r, 0, &meeting) != IRL_NO)
            return 0;
    return 1;
}

const char *irl__share_begin(irl__move *m, int kernel)
{
    int found = 0;
    m->group = -1;
    const char *why = irl__share_items(m, m->loop.at[kernel]);
    if (why) return why;
    for (int k = 0; k < 3; k++) {
        if (!m->items[k]) continue;
        found = 1;
        for (int j = 0; j < m->loop.count; j++)
            if (m->loop.at[j]->kind == IRL__FOR &&
                irl__expr_uses_var(m->items[k], m->loop.at[j]->u.loop.var))
                return "the size of the group changes";
        if ((m->items[k]->flags & IRL__HAS_MEMORY) ||
            (m->items[k]->op == IRL_OP_INT && m->items[k]->u.i < 1))
            return "the size of the group is not known";
    }
    if (!found) return "there are no work-items that could share the work";
    why = irl__share_path(m, kernel);
    if (!why) why = irl__share_memory(m, kernel);
    if (!why && irl__share_is_own(m)) why = "each already does its own part";
    if (!why && !irl__share_is_apart(m)) why = "it reads what it writes for another work-item";
    m->shares = !why;
    return why;
}

int irl__share_is_item(const irl__move *m, const irl_stmt *loop)
{
    return m->shares && irl__stmt_is_items(loop);
}

/* ------------------------------------------------------------------ which instances are shared */

/* Coordinates that each cell that the unit writes determines: instances that differ in one of them
   write different cells. */
static int irl__share_told(irl__sched *s, const irl__move *m, int *told)
{
    irl__flow_inverse inv;
    const irl_expr   *missing;
    for (int k = 0; k < m->u.count; k++)
        told[k] = !(m->u.block && m->u.block->axes[k].is_reduction);
    const irl__flow_set stores = irl__flow_set_of(&m->t, IRL__ROWS_STORE, m->last, NULL, NULL);
    IRL__FLOW_EACH(a, stores) {
        if (!a->buffer || irl__place_declares(m->last, a->buffer)) continue;
        if (!irl__flow_invert(s, &m->u, a->rank, a->buffer->shape, a->indices, &inv, &missing))
            return 0;
        for (int k = 0; k < m->u.count; k++) told[k] &= inv.out[k] != NULL;
    }
    return irl__ok(s->cx);
}

/* ------------------------------------------------------------------ the nest */

/* The number of the work-item in its group: over the loops around, and new ones. */
static const irl_expr *irl__share_item(irl__sched *s, const irl__move *m, irl__analyzer *an,
                                       const irl_expr *fresh[3])
{
    const irl_expr *item = irl_expr_index(s->cx, 0);
    for (int axis = 2; item && axis >= 0; axis--) {
        const irl_expr *var = NULL;
        fresh[axis] = NULL;
        if (!m->items[axis]) continue;
        for (int k = 0; k < m->loop.count; k++)
            if (irl__share_is_item(m, m->loop.at[k]) &&
                (int)m->loop.at[k]->u.loop.axis == (int)IRL_LOCAL_X + axis)
                var = m->loop.at[k]->u.loop.var;
        if (!var) {
            static const char *const names[] = { "item", "item_y", "item_z" };
            var = fresh[axis] = irl_expr_var(s->cx, names[axis], irl__type_index());
        }
        if (!var || !irl__bind_extent(an, var, irl_expr_index(s->cx, 0), m->items[axis]))
            return NULL;
        item = irl__add(s->cx, irl__mul(s->cx, item, m->items[axis]), var);
    }
    return irl__simplify_alone(s->cx, item);
}

/* A work-item's own part of what the group does already is not all of it. */
static int irl__share_is_whole(irl__sched *s, const irl__move *m)
{
    for (int k = 0; k < m->u.count; k++)
        for (int j = 0; j < m->loop.count; j++)
            if (m->value[k] && irl__share_is_item(m, m->loop.at[j]) &&
                irl__expr_uses_var(m->value[k], m->loop.at[j]->u.loop.var))
                return irl__refuse_at(s, m->last->loc, "the work-items of '%L' share it already: "
                                      "compute_at before it is moved into the group",
                                      m->loop.at[j]);
    return 1;
}

int irl__share_plan(irl__sched *s, const irl__move *m, const irl_expr *const *var,
                    const irl_expr *const *extent, irl__share *out)
{
    const irl_expr *count = irl_expr_index(s->cx, 1);
    for (int k = 0; count && k < 3; k++)
        if (m->items[k]) count = irl__mul(s->cx, count, m->items[k]);
    const irl_expr *items = irl__simplify_alone(s->cx, count), *all = irl_expr_index(s->cx, 1),
                            *inner = all;
    irl__analyzer  *an = irl__place_analyzer(s, NULL, 0);
    memset(out, 0, sizeof *out);
    if (!items || !all || !an || !irl__share_is_whole(s, m) || !irl__share_told(s, m, out->told))
        return 0;
    for (int k = 0; k < m->u.count; k++)
        if (out->told[k] && var[k]) all = irl__mul(s->cx, all, extent[k]);
    all = irl__simplify_alone(s->cx, all);
    out->index = irl__share_item(s, m, an, out->fresh);
    if (!all || !out->index) return 0;
    if (!(all->op == IRL_OP_INT && items->op == IRL_OP_INT && all->u.i <= items->u.i)) {
        out->steps = irl__simplify_alone(
            s->cx,
            irl_expr_op2(s->cx, IRL_OP_FLOORDIV,
                         irl__add(s->cx, all, irl__sub(s->cx, items, irl_expr_index(s->cx, 1))),
                         items));
        out->step = irl_expr_var(s->cx, "step", irl__type_index());
        if (!out->steps || !out->step ||
            !irl__bind_extent(an, out->step, irl_expr_index(s->cx, 0), out->steps))
            return 0;
        out->index = irl__add(s->cx, irl__mul(s->cx, out->step, items), out->index);
    }
    if (all->op != IRL_OP_INT || items->op != IRL_OP_INT || items->u.i <= 0 ||
        all->u.i % items->u.i != 0)
        out->within = irl_expr_op2(s->cx, IRL_OP_LT, out->index, all);
    for (int k = m->u.count; k-- > 0;) { /* the last coordinate goes fastest */
        const irl_expr *digit = out->index;
        if (!out->told[k] || !var[k]) continue;
        if (inner != irl_expr_index(s->cx, 1))
            digit = irl_expr_op2(s->cx, IRL_OP_FLOORDIV, digit, inner);
        inner = irl__simplify_alone(s->cx, irl__mul(s->cx, inner, extent[k]));
        if (!inner) return 0;
        if (inner != all) digit = irl_expr_op2(s->cx, IRL_OP_FLOORMOD, digit, extent[k]);
        out->from[out->count] = var[k];
        out->to[out->count] = irl__simplify(an, digit);
        if (!out->to[out->count++]) return 0;
    }
    return irl__ok(s->cx);
}

const irl_stmt *irl__share_wrap(irl__sched *s, const irl__move *m, const irl__share *share,
                                const irl_stmt *at)
{
    if (at->kind == IRL__FOR && share->within) at = irl_stmt_if(s->cx, share->within, at, NULL);
    if (at) at = irl__substitute_stmt(s->cx, at, share->count, share->from, share->to);
    if (at && share->step)
        at = irl_stmt_for(s->cx, IRL_SERIAL, share->step, irl_expr_index(s->cx, 0), share->steps,
                          at);
    for (int k = 0; at && k < 3; k++)
        if (share->fresh[k])
            at = irl__loop_for(s->cx, m->last->loc, IRL_BOUND, (irl_axis)((int)IRL_LOCAL_X + k),
                               share->fresh[k], irl_expr_index(s->cx, 0), m->items[k], at);
    return at;
}

int irl__share_waits(irl__sched *s, const irl__move *m, const irl_stmt **list)
{
    int count = 0;
    if (m->waits_shared && !(list[count++] = irl_stmt_barrier(s->cx, IRL_SCOPE_SHARED))) return -1;
    if (m->waits_global && !(list[count++] = irl_stmt_barrier(s->cx, IRL_SCOPE_GLOBAL))) return -1;
    return count;
}
