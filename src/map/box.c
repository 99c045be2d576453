/* box.c - irl_map_shape and similar functions: the box of the images, of numbers or symbolic.

   needs     the box of apply.c for numbers, that of extents.c for names
   promises  exact for numbers; with names a box that holds every image for all their values from 1
             on. Else a diagnostic */
#include "map.h"

static int irl__box_ask(irl_ctx *cx, const irl_map *map, irl_shape *shape, irl__named_box *box)
{
    map = irl__map_for_shape(cx, map, shape);
    if (!map) return 0;
    /* With names: for all of their values, or not at all. */
    if (shape->named || irl__map_has_names(map)) {
        irl__question q = irl__question_begin(cx, 0);
        int           ok = irl__extents_box_alone(cx, map, shape, NULL, box);
        (void)irl__question_end(&q, 0);
        if (ok < 0)
            return irl__fail(cx, IRL_ERROR_UNDECIDED, map->loc,
                             "the box is not known for all values of the names from 1 on: %s",
                             box->reason);
        if (ok && box->where)
            return irl__fail(cx, IRL_ERROR_UNDECIDED, map->loc,
                             "the box is only known under the condition %s",
                             irl_expr_text(cx, box->where));
        return ok;
    }
    irl__budget     budget = irl__budget_of(NULL);
    irl__domain     d;
    irl__doubt      doubt;
    irl__question   q = irl__question_begin(cx, 0);
    irl__arena_mark mark = irl__scratch_begin(cx);
    int             ok = irl__domain_begin(&d, cx, map, shape, &budget)
                             ? irl__map_box(&d, &box->physical, &box->minimum, &doubt)
                             : 0;
    irl__scratch_end(cx, mark);
    (void)irl__question_end(&q, 0);
    if (!(ok < 0 ? irl__fail(cx, doubt.code, map->loc, "%s", doubt.reason) : ok)) return 0;
    box->memory = box->physical;
    irl__memory_box(map, &box->memory);
    return irl__ok(cx);
}

int irl_map_shape(irl_ctx *cx, const irl_map *map, irl_shape shape, irl_shape *physical,
                  irl_shape *minimum)
{
    irl__named_box box;
    if (!irl__box_ask(cx, map, &shape, &box)) return 0;
    if (physical) *physical = box.physical;
    if (minimum) *minimum = box.minimum;
    return 1;
}

int irl_map_memory(irl_ctx *cx, const irl_map *map, irl_shape shape, irl_shape *memory)
{
    irl__named_box box;
    if (!irl__box_ask(cx, map, &shape, &box)) return 0;
    if (memory) *memory = box.memory;
    return 1;
}

/* That the last point of each axis is a number of 63 bits. */
static int irl__box_reaches(irl_ctx *cx, const irl_map *map, const irl_shape *first,
                            const irl_shape *shape)
{
    int64_t last;
    for (int k = 0; k < shape->rank && !first->named && !shape->named; k++)
        if (shape->extent[k] > 0 && !irl__add64(first->extent[k], shape->extent[k] - 1, &last))
            return irl__fail(cx, IRL_ERROR_OVERFLOW, map->loc,
                             "axis %d of the points begins at %l and has %l of them", k,
                             first->extent[k], shape->extent[k]);
    return 1;
}

int irl_map_ranges(irl_ctx *cx, const irl_map *map, irl_shape first, irl_shape shape,
                   irl_shape *physical, irl_shape *minimum)
{
    const irl_expr *moved[IRL_MAX_RANK], *out[IRL_MAX_RANK];
    const irl_expr *const *from;
    int             k;
    map = irl__map_for_shape(cx, map, &shape);
    if (!map || !irl__shape_settle(cx, &first, IRL__AS_POINT, map->loc)) return 0;
    if (first.rank != shape.rank)
        return irl__fail(cx, IRL_ERROR_RANK_MISMATCH, map->loc,
                         "a first point of %d axes and a shape of %d", first.rank, shape.rank);
    from = irl__shape_extents(cx, &first);
    if (!from || !irl__box_reaches(cx, map, &first, &shape)) return 0;
    for (k = 0; k < map->input_count; k++) moved[k] = irl__add(cx, map->inputs[k], from[k]);
    if (!irl__map_substitute(cx, map, moved, out)) return 0;
    map =
        irl__map_make(cx, map->input_count, map->inputs, map->output_count, out, 0, NULL, map->loc);
    return map ? irl_map_shape(cx, map, shape, physical, minimum) : 0;
}
