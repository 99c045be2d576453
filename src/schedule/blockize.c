/* blockize.c - the primitive that makes a block of what one iteration of outer loops does.

   needs     place.c; bounds of bindings over the inner loops
   promises  the same instances, in the same order, as two levels of axes */
#include "schedule.h"

/* ------------------------------------------------------------------ blockize

   requires  a loop around a block alone; each axis is e * outer + inner, outer made of the loops
             around, inner of the loop and those inside, in which it takes [0, e); sums are all
             inside
   does      the block name_o, with an axis for each outer part, stands in the place of the loop,
             which stands in it, around the block, whose axes are the inner parts
   refuses   bindings that do not fall apart so, extents that e does not divide, a condition; a loop
             that does not begin at 0; parts or loops that could be of no iteration; loops around of
             a reduce axis
   source    Feng and others, TensorIR (ASPLOS 2023) */

typedef struct irl__blockize {
    irl__place             p; /* of the loop */
    const irl_stmt        *loop, *at;
    const irl__block_data *block;
    irl__analyzer         *an; /* knows the inner loops */
    int                    count; /* of these */
    const irl_expr        *var[IRL_MAX_DEPTH + 1];
    const irl_expr        *inner[IRL_MAX_RANK], *extent[IRL_MAX_RANK];   /* of each axis */
    const irl_expr        *outer[IRL_MAX_RANK], *outside[IRL_MAX_RANK]; /* its extent */
    const irl_expr        *in[IRL_MAX_RANK], *out[IRL_MAX_RANK];         /* new variables */
} irl__blockize;

static int irl__blockize_read(irl__sched *s, irl__blockize *q)
{
    const irl_stmt *at;
    q->p = s->p;
    q->loop = at = irl__place_last(&q->p);
    if (!(q->an = irl__place_analyzer(s, NULL, 0))) return 0;
    for (; at->kind == IRL__FOR; at = at->u.loop.body) {
        if (!irl__is_int(at->u.loop.min, 0))
            return irl__refuse(s, "the loop '%L' does not begin at 0", at);
        if (!irl__bind_loop(q->an, at)) return 0;
        q->var[q->count++] = at->u.loop.var;
    }
    if (at->kind != IRL__BLOCK) return irl__sched_refuse_loop(s, q->loop);
    q->at = at;
    q->block = at->u.block;
    if (q->block->predicate || q->block->axis_count > IRL_MAX_RANK)
        return irl__refuse(s, "'%s' has a condition", q->block->name);
    return 1;
}

/* The binding of one axis as e * outer + inner. */
static int irl__blockize_axis(irl__sched *s, irl__blockize *q, int k)
{
    const irl__axis *axis = &q->block->axes[k];
    const irl_expr  *zero = irl_expr_index(s->cx, 0), *o = axis->binding, *hi, *rest;
    irl_ctx         *cx = s->cx;
    int              j;
    for (j = 0; o && zero && j < q->count; j++) o = irl__substitute(cx, o, 1, &q->var[j], &zero);
    o = irl__simplify_alone(cx, o);
    q->inner[k] = o ? irl__canonical(q->an, irl__sub(cx, axis->binding, o)) : NULL;
    if (!q->inner[k]) return 0;
    hi = irl__symbolic_bound(q->an, q->inner[k], 1);
    for (j = 0; hi && j < q->count; j++)
        if (irl__expr_uses_var(hi, q->var[j])) hi = NULL;
    q->extent[k] = hi ? irl__simplify_alone(cx, irl__add(cx, hi, irl_expr_index(cx, 1))) : NULL;
    if (!irl__ok(cx)) return 0;
    if (!q->extent[k] || !irl__expr_is_over(q->inner[k], q->count, q->var) ||
        !irl__prove(q->an, irl_expr_op2(cx, IRL_OP_GE, q->inner[k], zero)))
        return irl__refuse(s, "as far as is known, '%s' cannot be divided into outer and inner "
                           "loops", axis->var->u.name);
    q->outer[k] = o;
    q->outside[k] = axis->extent;
    if (irl__is_int(q->extent[k], 1)) return 1;
    rest = irl__simplify(q->an, irl__floormod(cx, o, q->extent[k]));
    q->outer[k] = irl__simplify(q->an, irl__floordiv(cx, o, q->extent[k]));
    q->outside[k] = irl__simplify(q->an, irl__floordiv(cx, axis->extent, q->extent[k]));
    if (!rest || !q->outer[k] || !q->outside[k]) return 0;
    if (!(irl__is_int(q->outer[k], 0) && irl__is_int(q->outside[k], 1)) && /* divided by it */
        !irl__prove(q->an, irl_expr_op2(cx, IRL_OP_GE, q->extent[k], irl_expr_index(cx, 1))))
        return irl__refuse(s, "as far as is known, '%s' could have parts without iterations",
                           axis->var->u.name);
    if (irl__is_int(rest, 0) &&
        irl__prove_equal(q->an, irl__mul(cx, q->outside[k], q->extent[k]), axis->extent))
        return 1;
    return irl__refuse(s, "'%s' does not consist of whole parts of %s", axis->var->u.name,
                       irl_expr_text(cx, q->extent[k]));
}

static int irl__blockize_axes(irl__sched *s, irl__blockize *q)
{
    for (int k = 0; k < q->block->axis_count; k++) {
        const irl__axis *axis = &q->block->axes[k];
        if (!irl__blockize_axis(s, q, k)) return 0;
        if (axis->is_reduction && !irl__is_int(q->outside[k], 1))
            return irl__refuse(s, "the loops around it belong to the reduce axis '%s': %H",
                               axis->var->u.name, "decompose_reduction or reorder");
        q->out[k] = irl_expr_var(s->cx, irl__format(s->cx, "%s_o", axis->var->u.name),
                                 irl__type_index());
        q->in[k] = irl_expr_var(s->cx, axis->var->u.name, irl__type_index());
        if (!q->out[k] || !q->in[k]) return 0;
    }
    return 1;
}

/* The block that is made runs where the loops inside have no iteration, too: its axes keep their
   extents there. */
static int irl__blockize_is_inside(irl__sched *s, const irl__blockize *q)
{
    irl__analyzer  *an = irl__place_analyzer(s, &q->p, q->p.count - 1);
    const irl_expr *zero = irl_expr_index(s->cx, 0), *runs;
    uint8_t         asked[IRL_MAX_DEPTH + 2];
    irl__place      p;
    if (!an || !irl__place_of_stmt(s->f->body, q->at, &p)) return 0;
    for (int k = 0; k < p.count; k++) asked[k] = k >= q->p.count - 1 && p.at[k]->kind == IRL__FOR;
    if (!irl__place_runs(s, &p, asked, &runs)) return 0;
    for (int k = 0; runs && k < q->block->axis_count; k++)
        if (!q->block->axes[k].is_reduction &&
            !(irl__prove(an, irl_expr_op2(s->cx, IRL_OP_GE, q->outer[k], zero)) &&
              irl__prove(an, irl_expr_op2(s->cx, IRL_OP_LT, q->outer[k], q->outside[k]))))
            return irl__refuse(s, "as far as is known, the loop '%L' could have no iteration where "
                               "'%s' leaves its extent", q->loop, q->block->axes[k].var->u.name);
    return 1;
}

/* A block with these axes; where an extent is 1 the axis is left out (inside), or 0 (outside). */
static irl_stmt *irl__blockize_made(irl__sched *s, const irl__blockize *q, int outside,
                                    const irl_stmt *like, irl__block_data **out)
{
    irl__block_data *data;
    irl_stmt        *made = like ? irl__block_copy(s->cx, like, &data)
                                 : irl__block_new(s->cx, q->at->loc, NULL, &data);
    if (made) data->axis_count = 0;
    irl__axis *axes = made ? irl__block_axes(s->cx, data, q->block->axis_count) : NULL;
    if (!axes) return NULL;
    for (int k = 0; k < q->block->axis_count; k++) {
        irl__axis *axis = &axes[data->axis_count];
        if (!outside && irl__is_int(q->extent[k], 1) && !q->block->axes[k].is_reduction) continue;
        if (outside && q->block->axes[k].is_reduction) continue;
        axis->var = outside ? q->out[k] : q->in[k];
        axis->extent = outside ? q->outside[k] : q->extent[k];
        axis->binding = outside ? q->outer[k] : q->inner[k];
        axis->is_reduction = !outside && q->block->axes[k].is_reduction;
        data->axis_count++;
    }
    *out = data;
    return made;
}

/* What an old axis is in terms of the new ones. */
static const irl_expr *irl__blockize_value(irl__sched *s, const irl__blockize *q, int k)
{
    if (q->block->axes[k].is_reduction) return q->in[k];
    if (irl__is_int(q->extent[k], 1)) return q->out[k];
    if (irl__is_int(q->outside[k], 1)) return q->in[k];
    return irl__add(s->cx, irl__mul(s->cx, q->out[k], q->extent[k]), q->in[k]);
}

int irl__do_blockize(irl__sched *s)
{
    irl__blockize    q;
    irl__block_data *data;
    const irl_stmt  *now, *at, *stack[IRL_MAX_DEPTH + 1];
    const irl_expr  *from[IRL_MAX_RANK], *to[IRL_MAX_RANK];
    int              n = 0;
    memset(&q, 0, sizeof q);
    if (!irl__blockize_read(s, &q) || !irl__blockize_axes(s, &q) || !irl__blockize_is_inside(s, &q))
        return 0;
    for (int k = 0; k < q.block->axis_count; k++) {
        from[k] = q.block->axes[k].var;
        to[k] = irl__blockize_value(s, &q, k);
        if (!to[k]) return 0;
    }
    now = irl__block_over(s->cx, q.at, q.block->axis_count, from, to, &data);
    irl_stmt *made = now ? irl__blockize_made(s, &q, 0, now, &data) : NULL;
    now = irl__stmt_finish(s->cx, made);
    for (at = q.loop; at->kind == IRL__FOR; at = at->u.loop.body) stack[n++] = at;
    while (n-- > 0) now = irl__stmt_loop_of(s->cx, stack[n], now);
    made = now ? irl__blockize_made(s, &q, 1, NULL, &data) : NULL;
    if (!made) return 0;
    data->name = irl__result_block(s, q.block->name, "o");
    data->body = now;
    now = data->name ? irl__stmt_finish(s->cx, made) : NULL;
    return irl__sched_put(s, now) && irl__sched_result(s, 0, now);
}
