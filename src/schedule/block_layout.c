/* block_layout.c - the primitive that gives a block other axes and loops, by a map.

   needs     place.c, flow.c; the verdict on maps; src/analysis for the kinds of axes
   promises  each instance runs once, with the values that its axes had */
#include "schedule.h"

/* ------------------------------------------------------------------ transform_block_layout

   requires  a block whose axes are all of serial loops that begin at numbers, one each, counted
             from there, in a nest of no others; a map of its axes
   does      axes and loops become the outputs of the map, in their order; what was an axis is its
             inverse. An output of reduce axes is a reduce axis, a constant a loop of one iteration
   refuses   a map that is not bijective onto its box, with a witness; two axes with names whose
             extents may be below 0, if the new loops would run then; an output of spatial and
             reduce axes; sums of floats in another order (reassociate first); instances that meet
             other than in a reduction, with two of them; calls that may do anything; accesses
             stay as they are
   source    TVM RFC 39, Buffer Physical Layout */

typedef struct irl__relayer {
    irl__place             p;     /* of the block */
    const irl_stmt        *at;    /* it */
    const irl__block_data *block;
    int                    first; /* the level of the outermost loop */
    const irl_stmt        *loop[IRL_MAX_RANK]; /* of each axis, which counts from its first */
    const irl_map         *map;
    irl__analyzer         *an;    /* knows the parameters and the new axes */
    const irl_expr        *shape[IRL_MAX_RANK]; /* of the outputs */
    int                    reduces[IRL_MAX_RANK];
    const irl_expr        *axis[IRL_MAX_RANK], *var[IRL_MAX_RANK]; /* new ones; of new loops */
    const irl_expr        *back[IRL_MAX_RANK]; /* the old axes over the new ones */
} irl__relayer;

static int irl__relayer_loops(irl__sched *s, irl__relayer *q)
{
    int k, count = 0;
    if (q->block->axis_count > IRL_MAX_RANK)
        return irl__refuse(s, "more than %d axes", IRL_MAX_RANK);
    for (q->first = q->p.count - 1; q->first > 0; q->first--) {
        const irl_stmt *loop = q->p.at[q->first - 1];
        if (loop->kind != IRL__FOR || count == q->block->axis_count) break;
        for (k = 0; k < q->block->axis_count; k++) {
            /* The axis must be bound to the loop's iterations, counted from 0. */
            const irl_expr *min = loop->u.loop.min;
            int64_t         by = 0;
            if (q->block->axes[k].binding == loop->u.loop.var) break;
            if (min->op == IRL_OP_INT && min->u.i > -INT64_MAX &&
                irl__expr_base(q->block->axes[k].binding, &by) == loop->u.loop.var &&
                by == -min->u.i)
                break;
        }
        if (k == q->block->axis_count || q->loop[k]) break;
        if (irl__stmt_is_parallel(loop))
            return irl__refuse(s, "the loop '%L' is not serial", loop);
        if ((q->block->axes[k].binding == loop->u.loop.var &&
             !irl__is_int(loop->u.loop.min, 0)) ||
            loop->u.loop.extent != q->block->axes[k].extent)
            return irl__refuse(s, "the loop '%L' does not run over all of the axis '%s'", loop,
                               q->block->axes[k].var->u.name);
        q->loop[k] = loop;
        count++;
    }
    for (k = 0; k < q->block->axis_count; k++)
        if (!q->loop[k])
            return irl__refuse(s, "the axis '%s' must be bound to a loop of its "
                               "own, in a nest of such loops", q->block->axes[k].var->u.name);
    for (k = 0; k < q->block->axis_count; k++)
        for (int j = 0; j < q->block->axis_count; j++)
            if (!irl__loop_is_free(s, s->step->loc, q->loop[k], q->loop[j]->u.loop.var)) return 0;
    return 1;
}

/* An output is of spatial axes or of reduce axes. */
static int irl__relayer_kinds(irl__sched *s, irl__relayer *q)
{
    for (int k = 0; k < q->map->output_count; k++) {
        int spatial = 0;
        for (int j = 0; j < q->map->input_count; j++)
            if (irl__expr_uses_var(q->map->outputs[k], q->map->inputs[j])) {
                q->reduces[k] |= q->block->axes[j].is_reduction;
                spatial |= !q->block->axes[j].is_reduction;
            }
        if (q->reduces[k] && spatial)
            return irl__refuse_at(s, s->args[1].loc, "output %d of the map mixes a spatial and a "
                                  "reduce axis", k);
    }
    return 1;
}

/* Where two axes have extents below 0 their product is above 0, but no loop of them runs. Has the
   box an extent of 0 or below then? */
static int irl__relayer_stays_empty(irl__sched *s, const irl__arg *arg, const irl__relayer *q,
                                    int rank)
{
    const irl_expr *zero = irl_expr_index(s->cx, 0), *below[IRL_MAX_RANK];
    int             count = 0, ok = irl__ok(s->cx);
    for (int k = 0; k < q->map->input_count; k++) {
        below[count] = irl_expr_op2(s->cx, IRL_OP_LT, q->block->axes[k].extent, zero);
        count += !irl__prove(q->an, irl_expr_op2(s->cx, IRL_OP_GE, q->block->axes[k].extent, zero));
    }
    for (int k = 0; ok && count > 1 && k < count; k++) {
        const int mark = irl__facts_mark(q->an);
        ok = irl__fact(q->an, below[k]);
        int j = 0;
        while (j < rank && !irl__prove(q->an, irl_expr_op2(s->cx, IRL_OP_LE, q->shape[j], zero)))
            j++;
        ok = ok && j < rank;
        irl__facts_release(q->an, mark);
    }
    return ok || irl__refuse_at(s, arg->loc, "as far as is known, two axes may have negative "
                                "extents, for which their loops do not run, but the new loops do");
}

/* A box without points has none for any value of the names: of its memory, which is no larger than
   all points, each cell is one. */
static int irl__relayer_is_onto(irl__sched *s, const irl__arg *arg, irl__relayer *q,
                                const irl_verdict *v)
{
    const irl_expr        *before = irl_expr_index(s->cx, 1), *after;
    const irl_expr *const *least = irl__shape_extents(s->cx, &v->minimum);
    const irl_expr *const *shape =
        irl__shape_extents(s->cx, v->parameter_count ? &v->memory : &v->physical);
    if (!least || !shape || v->kind != IRL_BIJECTIVE || !v->inverse) return 0;
    for (int k = 0; k < v->physical.rank; k++) {
        if (!irl__is_int(least[k], 0)) return 0;
        q->shape[k] = shape[k];
    }
    if (!v->parameter_count) return 1;
    for (int k = 0; k < q->map->input_count; k++)
        before = irl__mul(s->cx, before, q->block->axes[k].extent);
    after = irl__product(s->cx, v->physical.rank, shape);
    return before && after && irl__prove_equal(q->an, before, after) &&
           irl__relayer_stays_empty(s, arg, q, v->physical.rank);
}

/* The inverse of the map, and its box; NULL with a diagnostic. */
static const irl_map *irl__relayer_back(irl__sched *s, const irl__arg *arg, irl__relayer *q)
{
    const irl_expr *extents[IRL_MAX_RANK];
    for (int k = 0; k < q->map->input_count; k++) extents[k] = q->block->axes[k].extent;
    irl_verdict v = irl_map_check(s->cx, q->map, irl_shape_of(q->map->input_count, extents));
    if (!irl__ok(s->cx)) return NULL;
    if (irl__relayer_is_onto(s, arg, q, &v)) return v.inverse;
    if (irl__ok(s->cx) && irl__refused_map(s->cx, q->map, &v, NULL))
        irl__refuse_at(s, arg->loc,
                       v.parameter_count
                           ? "as far as is known, the map is not bijective onto a box from 0: %s"
                           : "the map is not bijective onto a box from 0 with a known inverse: %s",
                       irl_verdict_text(s->cx, &v));
    return NULL;
}

static const irl_expr *irl__relayer_name(irl__sched *s, const irl__relayer *q, int k, int is_loop)
{
    for (int j = 0; j < q->map->input_count; j++) {
        const irl_expr *old = is_loop ? q->loop[j]->u.loop.var : q->block->axes[j].var;
        if (q->map->outputs[k] == q->map->inputs[j])
            return irl_expr_var(s->cx, old->u.name, irl__type_index());
    }
    return irl_expr_var(s->cx, irl__format(s->cx, is_loop ? "ax%d" : "v%d", k), irl__type_index());
}

static int irl__relayer_inverse(irl__sched *s, irl__relayer *q)
{
    if (!(q->an = irl__place_analyzer(s, NULL, 0))) return 0;
    const irl_map *inverse = irl__relayer_back(s, &s->args[1], q);
    if (!inverse) return 0;
    for (int k = 0; k < q->map->output_count; k++) {
        q->axis[k] = irl__relayer_name(s, q, k, 0);
        const irl_expr *loop = irl__relayer_name(s, q, k, 1);
        q->var[k] = loop ? irl__sched_var(s, k, loop->u.name) : NULL;
        if (!q->axis[k] || !q->var[k] ||
            !irl__bind_extent(q->an, q->axis[k], irl_expr_index(s->cx, 0), q->shape[k]))
            return 0;
    }
    for (int k = 0; k < q->map->input_count; k++) {
        q->back[k] = irl__substitute(s->cx, inverse->outputs[k], q->map->output_count,
                                     inverse->inputs, q->axis);
        q->back[k] = irl__simplify(q->an, q->back[k]);
        if (!q->back[k]) return 0;
    }
    return 1;
}

/* ------------------------------------------------------------------ the order of instances */

/* Which point of the reduce axes it is, counted in the order of loops: of the old ones, over the
   new axes; of the new ones. */
static const irl_expr *irl__relayer_rank(irl__sched *s, const irl__relayer *q, int is_new)
{
    const irl_expr *rank = irl_expr_index(s->cx, 0);
    for (int k = 0; is_new && rank && k < q->map->output_count; k++)
        if (q->reduces[k]) rank = irl__add(s->cx, irl__mul(s->cx, rank, q->shape[k]), q->axis[k]);
    for (int level = q->first; !is_new && rank && level < q->p.count - 1; level++)
        for (int k = 0; k < q->block->axis_count; k++)
            if (q->loop[k] == q->p.at[level] && q->block->axes[k].is_reduction)
                rank = irl__add(s->cx, irl__mul(s->cx, rank, q->block->axes[k].extent), q->back[k]);
    return rank;
}

/* Instances that differ in a spatial axis do not meet; those of one sum may change places, or
   do not. */
static int irl__relayer_order(irl__sched *s, irl__relayer *q)
{
    irl__accesses      t;
    irl__meeting       m;
    const irl__access *ordered = NULL;
    int                reduces = 0;
    if (irl__stmt_holds(q->at, 1u << IRL__BARRIER))
        return irl__refuse(s, "the block contains a barrier");
    if (!irl__accesses_of(&t, s->f, NULL)) return 0;
    const irl__around *node = irl__block_of(&t, q->at);
    int                only_reduces = node && irl__block_only_reduces(&t, node);
    for (int k = 0; node && k < q->block->axis_count; k++) {
        irl__axis_kind kind = q->block->axes[k].is_reduction && only_reduces
                                  ? IRL__KIND_REDUCE : irl__axis_kind_of(&t, node, k, &m);
        if (!irl__ok(s->cx)) return 0;
        if (kind == IRL__KIND_OPAQUE || (kind == IRL__KIND_REDUCE &&
                                         !q->block->axes[k].is_reduction))
            return irl__refuse_meeting(s, &t, &m, "instances that differ in an axis access one "
                                       "cell", NULL);
        reduces |= kind == IRL__KIND_REDUCE;
    }
    for (int k = node ? node->first : 0; node && k < node->end; k++)
        if (!t.list[k].is_declared && t.list[k].kind == IRL__ACCESS_UPDATE)
            if (!irl__update_commutes(&t, &t.list[k])) ordered = &t.list[k];
    for (int k = 0; k < q->block->axis_count; k++) reduces |= q->block->axes[k].is_reduction;
    if (!reduces || (!ordered && !(q->block->init && q->block->predicate))) return 1;
    const irl_expr *old = irl__relayer_rank(s, q, 0);
    const irl_expr *now = irl__relayer_rank(s, q, 1);
    if (!old || !now) return 0;
    if (irl__prove_equal(q->an, old, now)) return 1;
    return irl__ok(s->cx) &&
           (ordered ? irl__refuse_order(s, ordered, "")
                    : irl__refuse(s, "the order of the sum would change (%H)", "reassociate "
                                  "first"));
}

/* ------------------------------------------------------------------ the block and its loops */

/* The block under the map; loops around it that it names are the values of its axes. */
static const irl_stmt *irl__relayer_block(irl__sched *s, const irl__relayer *q)
{
    irl__block_data *block;
    irl__axis       *axes;
    const irl_expr  *from[2 * IRL_MAX_RANK], *to[2 * IRL_MAX_RANK];
    int              count = q->block->axis_count, rank = q->map->output_count;
    for (int k = 0; k < count; k++) {
        from[k] = q->block->axes[k].var;
        to[k] = q->back[k];
        from[count + k] = q->loop[k]->u.loop.var;
        to[count + k] = q->back[k];
        if (!irl__is_int(q->loop[k]->u.loop.min, 0))
            to[count + k] = irl__add(s->cx, q->back[k], q->loop[k]->u.loop.min);
        if (!to[count + k]) return NULL;
    }
    axes = IRL__NEW(s->cx, irl__axis, rank + 1);
    irl_stmt *copy = axes ? irl__block_over(s->cx, q->at, 2 * count, from, to, &block) : NULL;
    if (!copy) return NULL;
    for (int k = 0; k < rank; k++) {
        axes[k].var = q->axis[k];
        axes[k].extent = q->shape[k];
        axes[k].binding = q->var[k];
        axes[k].is_reduction = q->reduces[k];
    }
    if (block->predicate) /* is in terms of the loops */
        block->predicate = irl__substitute(s->cx, block->predicate, rank, q->axis, q->var);
    block->axes = axes;
    block->axis_count = rank;
    return irl__stmt_finish(s->cx, copy);
}

int irl__do_transform_block_layout(irl__sched *s)
{
    irl__relayer    q;
    const irl_stmt *made[IRL_MAX_RANK];
    memset(&q, 0, sizeof q);
    q.p = s->p;
    q.at = irl__place_last(&q.p);
    q.block = q.at->u.block;
    q.map = irl__map_of_rank(s->cx, s->args[1].map, q.block->axis_count);
    if (!q.map) return 0;
    if (s->step->result_count && s->step->result_count != q.map->output_count)
        return irl__refuse(s, "%d loops are named; the map has %d axes", s->step->result_count,
                           q.map->output_count);
    if (!irl__flow_keeps_calls(s, q.at) || !irl__relayer_loops(s, &q) ||
        !irl__flow_knows_axes(s, q.block, &q.p, q.first) || !irl__relayer_kinds(s, &q) ||
        !irl__relayer_inverse(s, &q) || !irl__relayer_order(s, &q))
        return 0;
    const irl_stmt *now = irl__relayer_block(s, &q);
    for (int k = q.map->output_count; k-- > 0;)
        made[k] = now = irl__stmt_nest(s->cx, 1, &q.var[k], &q.shape[k], now);
    for (int k = 0; k < s->step->result_count; k++)
        if (!irl__sched_result(s, k, made[k])) return 0;
    return irl__place_become(s, &q.p, q.first, now);
}
