/* named_truth.h - the truth about a verdict on a shape with names, at some values of the names: by
   looking at every point, with irl__value_at and nothing of the analysis under test. */
#ifndef IRL_TEST_NAMED_TRUTH_H
#define IRL_TEST_NAMED_TRUTH_H

#include "map_truth.h"
#include "verdict_parts.h"

typedef struct named_question {
    irl_ctx               *cx;
    const irl_map         *map;
    int                    rank, names;
    const irl_expr *const *extents, *const *name;
    int64_t                most_points; /* that are looked at for one choice of values */
} named_question;

static const irl_expr *named_given(const named_question *b, const irl_expr *e,
                                   const int64_t *values)
{
    const irl_expr *v[IRL_MAX_RANK];
    int             k;
    for (k = 0; k < b->names; k++) v[k] = irl_expr_index(b->cx, values[k]);
    return irl__substitute(b->cx, e, b->names, b->name, v);
}

static int64_t named_number(const named_question *b, const irl_expr *e, const int64_t *values)
{
    int64_t out = -1000000;
    CHECK(irl__value_at(e, b->names, b->name, values, &out) == IRL__FOLD_OK);
    return out;
}

static const irl_map *named_map_given(const named_question *b, const irl_map *m,
                                      const int64_t *values)
{
    const irl_expr *out[IRL_MAX_RANK];
    int             k;
    for (k = 0; k < m->output_count; k++) out[k] = named_given(b, m->outputs[k], values);
    return irl_map_new(b->cx, m->input_count, m->inputs, m->output_count, out, 0, NULL);
}

static irl_shape named_shape_given(const named_question *b, int rank,
                                   const irl_expr *const *list, const int64_t *values)
{
    irl_shape s;
    int       k;
    memset(&s, 0, sizeof s);
    s.rank = rank;
    for (k = 0; k < rank; k++) s.extent[k] = named_number(b, list[k], values);
    return s;
}

static int64_t named_volume(const irl_shape *s)
{
    int64_t n = 1;
    int     k;
    for (k = 0; k < s->rank; k++)
        if (!irl__mul64(n, s->extent[k], &n)) return INT64_MAX;
    return n;
}

/* The images of all points: 1 distinct, 0 not; the box that holds them. */
static int named_images(const irl_map *m, const irl_shape *shape, irl_shape *minimum,
                        irl_shape *box)
{
    irl_shape at, y, *list = (irl_shape *)malloc((size_t)named_volume(shape) * sizeof *list);
    int64_t   n = 0, i, *table, slots = 16;
    int       k, distinct = 1;
    memset(&at, 0, sizeof at);
    at.rank = shape->rank;
    do {
        CHECK(truth_apply(m, &at, &y));
        for (k = 0; k < y.rank; k++) {
            if (n == 0 || y.extent[k] < minimum->extent[k]) minimum->extent[k] = y.extent[k];
            if (n == 0 || y.extent[k] + 1 > box->extent[k]) box->extent[k] = y.extent[k] + 1;
        }
        list[n++] = y;
    } while (truth_next(shape, &at));
    minimum->rank = box->rank = m->output_count;
    while (slots < 2 * n) slots *= 2;
    table = (int64_t *)calloc((size_t)slots, sizeof *table);
    for (i = 0; i < n && distinct; i++) {
        uint64_t h = 1469598103934665603u;
        int64_t  slot;
        for (k = 0; k < list[i].rank; k++)
            h = (h ^ (uint64_t)list[i].extent[k]) * 1099511628211u, h ^= h >> 29;
        for (slot = (int64_t)(h & (uint64_t)(slots - 1)); table[slot] && distinct;
             slot = (slot + 1) & (slots - 1))
            distinct = !truth_same(&list[table[slot] - 1], &list[i]);
        if (distinct) table[slot] = i + 1;
    }
    free(table);
    free(list);
    return distinct;
}

/* 1 if what is said of all values is so for these; -1: too many points. */
static int named_right_at(const named_question *b, const irl_verdict *s, const int64_t *values,
                    const char **why)
{
    irl_shape      shape = named_shape_given(b, b->rank, b->extents, values), minimum, box;
    const irl_map *m;
    irl_verdict    v;
    int            k;
    if (named_volume(&shape) > b->most_points) return -1;
    m = named_map_given(b, b->map, values);
    memset(&minimum, 0, sizeof minimum);
    memset(&box, 0, sizeof box);
    *why = "not injective";
    if (!named_images(m, &shape, &minimum, &box)) return 0;
    memset(&v, 0, sizeof v);
    v.shape = shape;
    v.minimum = named_shape_given(b, s->minimum.rank, irl__shape_extents(b->cx, &s->minimum),
                                  values);
    v.physical = named_shape_given(b, s->physical.rank, irl__shape_extents(b->cx, &s->physical),
                                   values);
    *why = "the box";
    for (k = 0; k < s->physical.rank; k++)
        if (v.minimum.extent[k] > minimum.extent[k] || v.physical.extent[k] < box.extent[k])
            return 0;
    if (s->box_reached && (!truth_same(&v.minimum, &minimum) || !truth_same(&v.physical, &box)))
        return 0;
    *why = "the number of unused cells";
    v.pad_cells = named_number(b, unused_cells(b->cx, s), values);
    if (v.pad_cells != named_volume(&v.physical) - named_volume(&shape) ||
        (s->kind == IRL_BIJECTIVE && v.pad_cells))
        return 0;
    *why = "the condition";
    if (s->condition && (named_number(b, s->condition, values) != 0) != (v.pad_cells == 0))
        return 0;
    if (!s->inverse || named_volume(&v.physical) > 8 * b->most_points) return 1;
    v.inverse = named_map_given(b, s->inverse, values);
    *why = "the inverse";
    if (!truth_inverse(m, &v)) return 0;
    *why = "the padding";
    v.padding = s->padding ? named_given(b, s->padding, values) : NULL;
    return !v.padding || truth_padding(m, &v);
}

static int named_witness_holds(const named_question *b, const irl_verdict *s)
{
    int64_t     values[IRL_MAX_RANK];
    irl_verdict v;
    int         k, i;
    for (i = 0; i < b->names; i++) values[i] = 1;
    for (k = 0; k < s->parameter_count; k++)
        for (i = 0; i < b->names; i++)
            if (s->parameters[k] == b->name[i]) values[i] = s->values[k];
    memset(&v, 0, sizeof v);
    v.shape = named_shape_given(b, b->rank, b->extents, values);
    v.a = s->a, v.b = s->b, v.at = s->at;
    return truth_witness(named_map_given(b, b->map, values), &v);
}

#endif
