/* inits.c - which points of a block's axes its loops reach, and where its init runs.

   needs     place.c; the verdict on maps
   promises  later parts of a loop that was cut, and loops that do not begin at 0, count as updates
             of what was there; what is not known counts the same */
#include "../pass/layouts.h"
#include "schedule.h"

enum { IRL__INITS_MOST = 2 * IRL_MAX_RANK };

int irl__axes_use(const irl__block_data *block, const irl_expr *var, int is_reduction)
{
    for (int k = 0; k < block->axis_count; k++)
        if (block->axes[k].is_reduction == is_reduction &&
            irl__expr_uses_var(block->axes[k].binding, var))
            return 1;
    return 0;
}

/* Whenever the init runs, does it store that cell? Of branches and loops it is not known. */
static int irl__inits_store(const irl_stmt *init, const irl__access *a)
{
    int is_stored = 0;
    if (init->kind == IRL__SEQ) {
        for (int k = 0; k < init->u.seq.count; k++)
            is_stored |= irl__inits_store(init->u.seq.stmts[k], a);
        return is_stored;
    }
    return irl__store_is_at(init, a->buffer, a->indices);
}

int irl__init_is_own(const irl_stmt *init, const irl__access *a)
{
    return a->place == init && irl__store_is_at(init, a->buffer, a->indices);
}

int irl__inits_cover(irl__sched *s, const irl__place *p, int level, const irl__access *a)
{
    irl__place in;
    if (a->of_pair < 0 || !irl__inits_run(s, p, level)) return 0;
    const irl_stmt *init = irl__place_last(p)->u.block->init;
    return !irl__place_of_stmt(init, a->place, &in) && irl__inits_store(init, a);
}

int irl__init_begins(irl__sched *s, const irl__place *p, int level, const irl__access *a)
{
    const irl_stmt *at = irl__place_last(p);
    return at->kind == IRL__BLOCK && at->u.block->init && !at->u.block->read_count &&
           !at->u.block->write_count && irl__init_is_own(at->u.block->init, a) &&
           irl__inits_run(s, p, level);
}

typedef struct irl__inits_first {
    const irl__block_data *block;
    int                    count; /* loops of no spatial axis: their variables, where they begin */
    const irl_expr        *var[IRL__INITS_MOST], *least[IRL__INITS_MOST];
} irl__inits_first;

/* Where it holds in some iteration, does it in the first one of those loops? */
static int irl__inits_hold_first(irl__sched *s, const irl__inits_first *q, const irl_expr *where)
{
    int uses = 0;
    if (!where) return 1;
    if (where->op == IRL_OP_AND)
        return irl__inits_hold_first(s, q, where->a[0]) && irl__inits_hold_first(s, q, where->a[1]);
    for (int k = 0; k < q->count; k++) uses |= irl__expr_uses_var(where, q->var[k]);
    for (int k = 0; k < q->block->axis_count; k++)
        uses |= q->block->axes[k].is_reduction &&
                irl__expr_uses_var(where, q->block->axes[k].var);
    if (!uses) return 1;
    const irl_expr *first = irl__substitute(s->cx, where, q->count, q->var, q->least);
    first = irl__simplify_alone(s->cx, first);
    return first && irl__is_int(first, 1);
}

int irl__inits_run(irl__sched *s, const irl__place *p, int level)
{
    irl__inits_first q;
    int              k;
    q.block = irl__place_last(p)->kind == IRL__BLOCK ? irl__place_last(p)->u.block : NULL;
    if (!q.block || !q.block->init) return 0;
    for (k = level, q.count = 0; k < p->count; k++) {
        const irl_stmt *at = p->at[k];
        if (at->kind != IRL__FOR || irl__axes_use(q.block, at->u.loop.var, 0)) continue;
        if (q.count == IRL__INITS_MOST) return 0;
        q.var[q.count] = at->u.loop.var;
        q.least[q.count++] = at->u.loop.min;
    }
    int ok = irl__inits_hold_first(s, &q, q.block->predicate);
    for (k = level; ok && k < p->count; k++)
        if (p->at[k]->kind == IRL__IF)
            ok = irl__inits_hold_first(s, &q, p->at[k]->u.branch.condition);
    for (k = 0; ok && k < q.block->axis_count; k++) {
        const irl_expr *first = q.block->axes[k].binding;
        if (!q.block->axes[k].is_reduction) continue;
        first = irl__substitute(s->cx, first, q.count, q.var, q.least);
        first = irl__simplify_alone(s->cx, first);
        ok = first && irl__is_int(first, 0);
    }
    return ok;
}

const irl_expr *irl__axes_bound(irl_ctx *cx, const irl__block_data *block, const irl_expr *e)
{
    for (int k = 0; k < block->axis_count; k++)
        e = irl__substitute(cx, e, 1, &block->axes[k].var, &block->axes[k].binding);
    return e;
}

/* ------------------------------------------------------------------ points of axes */

enum { IRL__POINTS_NAMES = 3 };

typedef struct irl__points {
    irl__sched     *s;
    const irl__place     *p;
    const irl__block_data *block;
    int             top, rank, count; /* loops that are asked about; axes that they are to tell */
    const irl_expr *loop[IRL_MAX_RANK], *extent[IRL_MAX_RANK], *axis[IRL_MAX_RANK];
    const char     *why;
    int             is_lossy;
    irl__analyzer  *an; /* at the block, where the loops around it run */
    int             is_below;
} irl__points;

/* Are the points kept apart for all values of names? A verdict speaks of names from 1 on, and a
   loop around may be at 0: so each of them is asked about at 0 too. */
static int irl__points_are_apart(irl__points *q, const irl_expr *const *extent,
                                 const irl_expr *const *axis)
{
    irl_ctx        *cx = q->s->cx;
    const irl_map  *map = irl_map_new(cx, q->rank, q->loop, q->count, axis, 0, NULL);
    const irl_expr *zero = irl_expr_index(cx, 0), *in[IRL_MAX_RANK], *out[IRL_MAX_RANK];
    int             is_empty;
    if (!map || !zero) return 0;
    irl_verdict v = irl_map_check(cx, map, irl_shape_of(q->rank, extent));
    q->why = irl_verdict_text(cx, &v);
    q->is_lossy = v.kind == IRL_LOSSY;
    if (!irl__verdict_is_right(&v)) {
        irl__refused_map(cx, map, &v, NULL);
        return 0;
    }
    if (v.parameter_count > IRL__POINTS_NAMES) q->why = "more than 3 names";
    for (int k = 0; k < v.parameter_count && v.parameter_count <= IRL__POINTS_NAMES; k++) {
        for (int j = is_empty = 0; j < q->rank; j++) {
            in[j] = irl__substitute(cx, extent[j], 1, &v.parameters[k], &zero);
            if (!(in[j] = irl__simplify_alone(cx, in[j]))) return 0;
            is_empty |= irl__is_int(in[j], 0);
        }
        for (int j = 0; j < q->count; j++)
            if (!(out[j] = irl__substitute(cx, axis[j], 1, &v.parameters[k], &zero))) return 0;
        if (!is_empty && !irl__points_are_apart(q, in, out)) return 0;
    }
    return v.parameter_count <= IRL__POINTS_NAMES;
}

/* A name that is no loop of these: a verdict takes it to be 1 or more. */
static int irl__points_see_name(irl__visitor *v, const irl_expr *e)
{
    irl__points *q = (irl__points *)v->user;
    if (e->op != IRL_OP_VAR) return (e->flags & IRL__HAS_VAR) != 0;
    for (int k = q->top; k < q->p->count - 1; k++)
        if (q->p->at[k]->kind == IRL__FOR && q->p->at[k]->u.loop.var == e) return 0;
    q->is_below |= !irl__prove(q->an, irl_expr_op2(q->s->cx, IRL_OP_GE, e, irl_expr_index(q->s->cx,
                                                                                          0)));
    return 0;
}

/* Is no name in the axes or extents below 0? */
static int irl__points_are_named(irl__points *q)
{
    irl__visitor  v = irl__visitor_make(q, irl__points_see_name, NULL);
    irl__accesses t;
    irl__path     path;
    q->why = "an outer loop begins below 0, or a name may be negative";
    if (!irl__accesses_of(&t, q->s->f, NULL) || !irl__path_begin(&path, &t) ||
        !irl__path_to(&path, irl__block_of(&t, irl__place_last(q->p))))
        return 0;
    q->an = path.an;
    for (int k = 0; k < q->rank; k++) irl__visit_expr(&v, q->extent[k]);
    for (int k = 0; k < q->count; k++) irl__visit_expr(&v, q->axis[k]);
    return !q->is_below;
}

/* The axes, where each of the loops counts from 0, and the loops that are none of them; others are
   at their start. */
static int irl__points_read(irl__points *q, const uint8_t *asked, int is_reduction)
{
    const irl__block_data *block = q->block;
    irl_ctx               *cx = q->s->cx;
    int                    j;
    if (block->axis_count > IRL_MAX_RANK) return 0;
    for (int k = 0; k < block->axis_count; k++) {
        if (block->axes[k].is_reduction != is_reduction) continue;
        const irl_expr *e = block->axes[k].binding;
        for (j = q->top; e && j < q->p->count - 1; j++) {
            const irl_stmt *at = q->p->at[j];
            if (at->kind != IRL__FOR || !irl__expr_uses_var(e, at->u.loop.var)) continue;
            const irl_expr *to = asked[j] && !irl__is_int(at->u.loop.extent, 1)
                                     ? irl__add(cx, at->u.loop.var, at->u.loop.min)
                                     : at->u.loop.min;
            e = irl__substitute(cx, e, 1, &at->u.loop.var, &to);
        }
        if (!(q->axis[q->count++] = irl__simplify_alone(cx, e))) return 0;
    }
    for (int k = q->top; k < q->p->count - 1; k++) {
        const irl_stmt *at = q->p->at[k];
        if (!asked[k] || irl__is_int(at->u.loop.extent, 1)) continue;
        for (j = 0; j < q->count && q->axis[j] != at->u.loop.var; j++) {}
        if (j < q->count) continue; /* the axis is the loop */
        if (q->rank == IRL_MAX_RANK) return 0;
        q->loop[q->rank] = at->u.loop.var;
        q->extent[q->rank++] = at->u.loop.extent;
    }
    return 1;
}

int irl__points_once(irl__sched *s, const irl__place *p,
                     const irl__block_data *block, int top, const uint8_t *asked, int is_reduction)
{
    irl__points q;
    memset(&q, 0, sizeof q);
    q.s = s;
    q.p = p;
    q.block = block;
    q.top = top;
    q.why = "more than 32 axes";
    for (int k = 0; is_reduction && k < block->axis_count; k++) {
        const irl_expr *first = block->axes[k].binding;
        for (int j = top; block->axes[k].is_reduction && j < p->count - 1; j++)
            if (asked[j])
                first = irl__substitute(s->cx, first, 1, &p->at[j]->u.loop.var,
                                        &p->at[j]->u.loop.min);
        first = irl__simplify_alone(s->cx, first);
        if (block->axes[k].is_reduction && !(first && irl__is_int(first, 0)))
            return irl__refuse(s, "the reduce axis '%s' does not begin at 0",
                               block->axes[k].var->u.name);
    }
    return (irl__points_read(&q, asked, is_reduction) &&
            (!q.rank || (irl__points_are_named(&q) &&
                         irl__points_are_apart(&q, q.extent, q.axis)))) ||
           irl__refuse(s, "points of the %s axes %s: %s", is_reduction ? "reduce" : "spatial",
                       q.is_lossy ? "have several iterations"
                           : "are not known to have one iteration each", q.why);
}
