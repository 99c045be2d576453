/* values.c - does a map have a value at every point of a shape?

   needs     defined.c for the proof, program.c to examine points
   promises  yes by proof, or by examining every point; no with a point and the part that has no
             value there. A map is examined as it is written: its simplified form does not count
   cost      for the proof, a range for each node; the budget bounds the examination */
#include "change.h"

/* ----------------------------------------------------- one output over the axes that it uses */

void irl__expr_axes(const irl_map *map, const irl_shape *shape, const irl_expr *e, irl__axes *axes)
{
    memset(axes, 0, sizeof *axes);
    for (int k = 0; k < map->input_count; k++) {
        if (!irl__expr_uses_var(e, map->inputs[k])) continue;
        axes->input[axes->rank] = map->inputs[k];
        axes->axis[axes->rank] = k;
        axes->extent[axes->rank++] = shape->extent[k];
    }
}

void irl__axes_point(const irl__axes *axes, const int64_t *reduced, int rank, int64_t *at)
{
    for (int k = 0; k < rank; k++) at[k] = 0;
    for (int k = 0; k < axes->rank; k++) at[axes->axis[k]] = reduced[k];
}

int irl__output_walk_begin(irl_ctx *cx, irl__output_walk *o, const irl_map *map,
                           const irl_shape *shape, const irl_expr *const *e, irl__budget *budget)
{
    irl__expr_axes(map, shape, *e, &o->axes);
    if (!irl__program_make(cx, &o->program, NULL, o->axes.rank, o->axes.input, 1, e)) return 0;
    return irl__walk_within(&o->walk, &o->program, o->axes.rank, o->axes.extent, budget) ? 1 : -1;
}

/* ------------------------------------------------------------------ the look */

/* A corner, or all axes at 0 or at their ends but one: where values are largest and divisors
   least. */
void irl__corner_point(const irl_shape *shape, int n, int64_t *at)
{
    int k, rank = shape->rank;
    for (k = 0; k < rank; k++) {
        int last = n == 1 || (n >= 2 && n < 2 + rank && n - 2 == k) ||
                   (n >= 2 + rank && n - 2 - rank != k);
        at[k] = last ? shape->extent[k] - 1 : 0;
    }
}

/* 1: this output has no value at gap->at; 0: it has one wherever was tried. */
static int irl__values_try(const irl_map *map, const irl_shape *shape, int output, irl__gap *gap)
{
    int64_t value;
    if (map->outputs[output]->size > IRL__MOST_STEPS) return 0;
    for (int n = 0; n < 2 + 2 * shape->rank; n++) {
        irl__corner_point(shape, n, gap->at);
        (void)irl__value_at_why(map->outputs[output], map->input_count, map->inputs, gap->at,
                                &value, &gap->why);
        if (gap->why.part) return 1;
    }
    return 0;
}

/* Every point of one output: 1 all have a value, 0 failed, -1 one has none, or there are too
   many. */
static int irl__values_look(irl_ctx *cx, const irl_map *map, const irl_shape *shape, int output,
                            irl__budget *budget, irl__gap *gap)
{
    irl__arena_mark  mark = irl__scratch_begin(cx);
    irl__output_walk o;
    irl_shape        at;
    int64_t          value;
    int n = 0, ok = irl__output_walk_begin(cx, &o, map, shape, &map->outputs[output], budget);
    while (ok > 0 && (n = irl__walk_next(&o.walk, &o.program)) > 0) {
        if (irl__program_run(&o.program, n)) continue;
        irl__strip_point(&o.program, o.program.failed_at, &at);
        (void)irl__value_at_why(map->outputs[output], o.axes.rank, o.axes.input, at.extent, &value,
                                &gap->why);
        if (!gap->why.part) gap->why.status = o.program.status;
        irl__axes_point(&o.axes, at.extent, map->input_count, gap->at);
        gap->certain = 1;
        ok = -1;
    }
    if (n < 0) ok = -1;
    irl__scratch_end(cx, mark);
    return ok;
}

/* ------------------------------------------------------------------ the question */

irl__analyzer *irl__map_analyzer(irl_ctx *cx, const irl_map *map, const irl_shape *shape)
{
    irl__analyzer *an = irl__analyzer_begin(cx);
    for (int k = 0; an && k < map->input_count; k++)
        if (!irl__bind_range(an, map->inputs[k], 0,
                             shape->extent[k] > 0 ? shape->extent[k] - 1 : 0))
            return NULL;
    return an;
}

static irl__fold_status irl__values_status_of(const irl_expr *part)
{
    switch (part->op) {
    case IRL_OP_FLOORDIV:
    case IRL_OP_FLOORMOD:
    case IRL_OP_TRUNCDIV:
    case IRL_OP_TRUNCMOD: return IRL__FOLD_ZERO_DIVISION;
    case IRL_OP_SHL: case IRL_OP_SHR: return IRL__FOLD_BAD_SHIFT;
    default: return IRL__FOLD_OVERFLOW;
    }
}

/* An output that is not proved to have values: look for a point without one, at few places where
   points are many. */
static int irl__values_unproved(irl_ctx *cx, const irl_map *map, const irl_shape *shape, int output,
                                irl__budget *budget, irl__gap *gap)
{
    memset(&gap->why, 0, sizeof gap->why);
    const int64_t most = 1 << 20;
    irl__walk     w;
    if (!irl__walk_begin(&w, shape->rank, shape->extent, most) &&
        irl__values_try(map, shape, output, gap))
        return gap->certain = 1, -1;
    int ok = irl__values_look(cx, map, shape, output, budget, gap);
    if (ok < 0 && !gap->certain && gap->part) {
        gap->why.status = irl__values_status_of(gap->part);
        gap->why.part = gap->part;
    }
    return ok;
}

int irl__domain_begin(irl__domain *d, irl_ctx *cx, const irl_map *map, const irl_shape *shape,
                      irl__budget *budget)
{
    d->cx = cx;
    d->map = map;
    d->shape = shape;
    d->budget = budget;
    d->an = irl__map_analyzer(cx, map, shape);
    d->empty = 0;
    for (int k = 0; k < map->input_count; k++) {
        d->extents[k] = irl_expr_index(cx, shape->extent[k]);
        d->empty |= shape->extent[k] == 0;
    }
    for (int k = 0; k < map->output_count; k++) d->forward[k] = NULL;
    return d->an && irl__ok(cx);
}

const irl_expr *irl__domain_output(irl__domain *d, int output)
{
    const irl_expr *e = d->forward[output];
    if (e) return e;
    e = irl__change_factored(d->cx, d->map->outputs[output]); /* first: arms may share much */
    e = e ? irl__change_unmasked(d->cx, e) : NULL;
    e = e ? irl__simplify(d->an, e) : NULL;
    return d->forward[output] = e ? irl__change_factored(d->cx, e) : NULL;
}

int irl__map_has_values(irl__domain *d, irl__gap *gap)
{
    irl_ctx *cx = d->cx;
    int      k, ok = 1;
    memset(gap, 0, sizeof *gap);
    if (d->empty) return 1; /* no points, no values */
    irl__arena_mark mark = irl__scratch_begin(cx);
    for (k = 0; ok > 0 && k < d->map->output_count; k++) {
        gap->output = k;
        gap->part = irl__undefined_part(d->an, d->map->outputs[k]);
        if (!irl__ok(cx)) ok = 0;
        else if (gap->part) ok = irl__values_unproved(cx, d->map, d->shape, k, d->budget, gap);
    }
    if (ok < 0 && !gap->certain) {
        for (k = 0; k < 2 && k < (int)gap->part->count; k++)
            irl__range(d->an, gap->part->a[k], &gap->lo[k], &gap->hi[k]);
    }
    irl__scratch_end(cx, mark);
    return irl__ok(cx) ? ok : 0;
}

/* ------------------------------------------------------------------ in words */

void irl__points_text(irl__text *t, const irl_shape *shape)
{
    irl__walk w;
    if (!irl__walk_begin(&w, shape->rank, shape->extent, INT64_MAX))
        irl__text_puts(t, "more than 2^63 points");
    else irl__textf(t, "%l point%s", w.total, w.total == 1 ? "" : "s");
}

void irl__gap_text(irl__text *t, const irl__gap *gap, const irl_map *map, const irl_shape *shape)
{
    irl__no_value_text(t, &gap->why);
    irl__text_puts(t, ": ");
    if (gap->certain) {
        irl__no_value_point(t, &gap->why, map->input_count, gap->at);
        irl__text_puts(t, ", one of ");
        irl__points_text(t, shape);
        return;
    }
    irl__text_puts(t, "it is not known to have a value everywhere,");
    for (int k = 0; k < 2 && k < (int)gap->part->count; k++)
        irl__textf(t, "%s %l to %l", k ? " and" : " for operands from", gap->lo[k], gap->hi[k]);
    irl__text_puts(t, ", and ");
    irl__points_text(t, shape);
    irl__text_puts(t, " are too many to examine");
}
