/* layout_lanes.c - accesses by vectors go through a layout lane by lane, and stay vectors if the
   lanes are adjacent.

   requires  a layout that is right for the buffer (apply_layouts.c)
   maintains what is loaded and stored, lane by lane and in their order; a stored value is computed
             once, before its first lane is stored
   cost      a simplification of each output for each lane */
#include "layouts.h"

/* Where the lanes of one access go. */
typedef struct irl__layout_lanes {
    irl_ctx         *cx;
    const irl_map   *map;
    int              count; /* lanes of the index */
    const irl_expr **at;    /* count * outputs */
} irl__layout_lanes;

static const irl_expr *irl__layout_lane_at(const irl__layout_lanes *s, int lane, int axis)
{
    return s->at[lane * s->map->output_count + axis];
}

static int irl__layout_lanes_begin(irl__layout_lanes *s, irl_ctx *cx, const irl_map *map, int rank,
                                   const irl_expr *const *indices)
{
    const irl_expr *lane[IRL_MAX_RANK], *last = rank ? indices[rank - 1] : NULL, *e;
    s->cx = cx;
    s->map = map;
    s->count = last ? (int)last->type.lanes : 1;
    s->at = IRL__NEW(cx, const irl_expr *, (size_t)s->count * (size_t)map->output_count + 1);
    if (!s->at || !last) return s->at != NULL;
    memcpy((void *)lane, (const void *)indices, (size_t)rank * sizeof *lane);
    for (int k = 0; k < s->count; k++) {
        e = irl__index_lane(cx, last, irl_expr_index(cx, k));
        if (!e && irl__ok(cx)) e = irl__lane(cx, last, (uint32_t)k);
        lane[rank - 1] = irl__simplify_alone(cx, e);
        if (!lane[rank - 1] ||
            !irl__map_substitute(cx, map, lane, s->at + k * map->output_count))
            return 0;
        for (int axis = 0; axis < map->output_count; axis++) {
            const irl_expr **to = &s->at[k * map->output_count + axis];
            *to = irl__simplify_alone(cx, *to);
            if (!*to) return 0;
        }
    }
    return 1;
}

/* How many lanes from the first on lie one after the other, along the last axis. */
static int irl__layout_lanes_run(const irl__layout_lanes *s, int first)
{
    const int       last = s->map->output_count - 1;
    const irl_expr *step;
    int             k;
    for (k = first + 1; last >= 0 && k < s->count; k++) {
        for (int axis = 0; axis < last; axis++)
            if (irl__layout_lane_at(s, k, axis) != irl__layout_lane_at(s, first, axis))
                return k - first;
        step = irl__sub(s->cx, irl__layout_lane_at(s, k, last),
                        irl__layout_lane_at(s, first, last));
        step = irl__simplify_alone(s->cx, step);
        if (!step || !irl__is_int(step, k - first)) break;
    }
    return k - first;
}

static int irl__layout_lanes_indices(const irl__layout_lanes *s, int first, int count,
                                     const irl_expr **out)
{
    const int last = s->map->output_count - 1;
    memcpy((void *)out, (const void *)(s->at + first * s->map->output_count),
           (size_t)s->map->output_count * sizeof *out);
    if (count > 1) out[last] = irl_expr_ramp(s->cx, out[last], irl_expr_index(s->cx, 1), count);
    return last < 0 || out[last] != NULL;
}

const irl_expr *irl__layouts_load(irl_ctx *cx, const irl_map *map, const irl_buffer *to, int rank,
                                  const irl_expr *const *indices)
{
    const irl_expr   *out[IRL_MAX_RANK], *parts[IRL_MAX_LANES];
    irl__layout_lanes s;
    int               n, count = 0;
    if (!irl__layout_lanes_begin(&s, cx, map, rank, indices)) return NULL;
    for (int k = 0; k < s.count; k += n) {
        n = irl__layout_lanes_run(&s, k);
        if (!irl__layout_lanes_indices(&s, k, n, out)) return NULL;
        parts[count++] = irl__expr_load(cx, to, to->rank, out, irl__nowhere());
    }
    return irl__lanes_join(cx, (uint32_t)count, parts);
}

const irl_stmt *irl__layouts_store_lanes(irl_ctx *cx, const irl_map *map, const irl_buffer *to,
                                         const irl_expr *value, int rank,
                                         const irl_expr *const *indices, irl_loc loc)
{
    const irl_stmt  **list = NULL;
    const irl_expr   *old[IRL_MAX_RANK], *out[IRL_MAX_RANK], *part;
    const uint32_t    element = to->type.lanes;
    irl__layout_lanes s;
    int               n;
    memcpy((void *)old, (const void *)indices, (size_t)rank * sizeof *old);
    if (!irl__layout_lanes_begin(&s, cx, map, rank, old)) return NULL;
    if (irl__layout_lanes_run(&s, 0) == s.count)
        return irl__layout_lanes_indices(&s, 0, s.count, out)
                   ? irl__stmt_store(cx, to, value, to->rank, out, loc)
                   : NULL;
    if (!(value = irl__stmt_named(cx, "value", value, 0, &list))) return NULL;
    for (int k = 0; k < rank; k++) /* read before the first lane is stored */
        if (!(old[k] = irl__stmt_named(cx, "at", old[k], !(old[k]->flags & IRL__HAS_MEMORY),
                                       &list)))
            return NULL;
    if (stbds_arrlen(list) > 1 && !irl__layout_lanes_begin(&s, cx, map, rank, old)) return NULL;
    for (int k = 0; k < s.count; k += n) {
        n = irl__layout_lanes_run(&s, k);
        part = irl__lanes_cut(cx, value, (uint32_t)k * element, (uint32_t)n * element);
        if (!part || !irl__layout_lanes_indices(&s, k, n, out)) return NULL;
        const irl_stmt *store = irl__stmt_store(cx, to, part, to->rank, out, loc);
        if (!store || !IRL__PUSH_SCRATCH(cx, list, store)) return NULL;
    }
    return irl__stmt_seq(cx, (int)stbds_arrlen(list), list);
}
