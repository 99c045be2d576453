/* holders.c - which points are in a cell of memory, and how many.

   needs     program.c, points.c, the inverse of a verdict
   promises  exact if all points were examined or the map has an inverse; else "not known"
   cost      some nanoseconds for each point, for at most IRL__SHOW_POINTS points */
#include "show.h"

int64_t irl__flat_place(const irl_shape *memory, const int64_t *at)
{
    int64_t place = 0;
    for (int k = 0; k < memory->rank; k++) {
        if (at[k] < 0 || at[k] >= memory->extent[k]) return -1;
        place = place * memory->extent[k] + at[k]; /* below their product, which is counted */
    }
    return place;
}

int irl__holders_begin(irl__holders *l, irl_ctx *cx, const irl_map *map, const irl_shape *shape,
                      const irl_shape *memory)
{
    memset(l, 0, sizeof *l);
    l->cx = cx;
    l->map = map;
    l->shape = shape;
    l->memory = memory;
    l->points = irl_shape_count(*shape);
    return irl__program_of_map(cx, &l->program, NULL, map);
}

static int irl__holders_one(irl__program *p, const int64_t *in, int64_t *out)
{
    uint8_t has_value = 0;
    for (int k = 0; k < p->input_count; k++) irl__program_input(p, k)[0] = in[k];
    irl__program_run_some(p, 1, &has_value);
    for (int k = 0; has_value && k < p->output_count; k++) out[k] = irl__program_output(p, k)[0];
    return has_value;
}

int irl__holders_apply(irl__holders *l, const int64_t *point, int64_t *at)
{
    return irl__holders_one(&l->program, point, at);
}

/* ------------------------------------------------------------------ the places asked for */

const irl__held *irl__holders_of(const irl__holders *l, int64_t place)
{
    int low = 0, high = l->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (l->spots[middle].place < place) low = middle + 1;
        else high = middle;
    }
    return low < l->count && l->spots[low].place == place ? &l->spots[low] : NULL;
}

/* ------------------------------------------------------------------ three ways to know */

static void irl__holders_meet(irl__holders *l, const int64_t *at, int64_t point)
{
    const irl__held *found = irl__holders_of(l, irl__flat_place(l->memory, at));
    irl__held       *spot = found ? &l->spots[found - l->spots] : NULL;
    if (!spot) return;
    if (!spot->points++) spot->first = point;
}

int irl__holders_find_all(irl__holders *l, int count, const int64_t *places, const irl_verdict *v)
{
    /* Each place once, by number. */
    int *order = (int *)irl__scratch_room(l->cx, (size_t)count + 1, sizeof *order), j;
    l->spots = IRL__SCRATCH(l->cx, irl__held, count + 1);
    if (!order || !l->spots) return 0;
    for (j = 0; j < count; j++) order[j] = j;
    if (!irl__pool_sort(l->cx, count, order, places)) return 0;
    for (j = 0; j < count; j++) {
        const int64_t place = places[order[j]];
        if (place < 0 || (l->count && l->spots[l->count - 1].place == place)) continue;
        l->spots[l->count].place = place;
        l->spots[l->count].first = -1;
        l->count++;
    }
    if (l->points >= 0 && l->points <= IRL__SHOW_POINTS) {
        irl__walk walk;
        uint8_t   has_value[IRL__STRIP];
        int64_t   at[IRL_MAX_RANK], point = 0;
        int       n;
        if (!irl__walk_begin(&walk, l->shape->rank, l->shape->extent, IRL__SHOW_POINTS)) return 0;
        while ((n = irl__walk_next(&walk, &l->program)) > 0) {
            irl__program_run_some(&l->program, n, has_value);
            for (int i = 0; i < n; i++, point++) {
                if (!has_value[i]) continue;
                for (int k = 0; k < l->map->output_count; k++)
                    at[k] = irl__program_output(&l->program, k)[i];
                irl__holders_meet(l, at, point);
            }
        }
        return irl__ok(l->cx);
    }
    /* Of an injective map: one point or none. */
    if (v->inverse) {
        irl__program back;
        int64_t      at[IRL_MAX_RANK], point[IRL_MAX_RANK], again[IRL_MAX_RANK];
        if (!irl__program_of_map(l->cx, &back, NULL, v->inverse)) return 0;
        for (int k = 0; k < l->count; k++) {
            irl__held *spot = &l->spots[k];
            irl__point_of(l->memory->rank, l->memory->extent, spot->place, at);
            if (!irl__holders_one(&back, at, point)) continue;
            spot->first = irl__flat_place(l->shape, point);
            if (spot->first < 0 || !irl__holders_apply(l, point, again) ||
                irl__flat_place(l->memory, again) != spot->place)
                spot->first = -1;
            spot->points = spot->first >= 0;
        }
        return irl__ok(l->cx);
    }
    for (int k = 0; k < l->count; k++) l->spots[k].points = -1;
    if (v->kind != IRL_LOSSY || v->at.rank != l->memory->rank) return 1;
    for (int k = 0; k < l->count; k++)
        if (l->spots[k].place == irl__flat_place(l->memory, v->at.extent)) {
            l->spots[k].points = 2;
            l->spots[k].first = irl__flat_place(l->shape, v->a.extent);
        }
    return 1;
}
