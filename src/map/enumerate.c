/* enumerate.c - the last exact resort: every point's cell in a bitset.

   needs     program.c, points.c
   promises  exact, with a witness found in the map as it is written. At most IRL__MOST_CELLS + 1 points are looked at before
             two of them share a cell, however many there are
   cost      a bit per cell of the box, a few nanoseconds per point and operator */
#include "map.h"

/* A cell as one number: row-major in the box of the images. */
typedef struct irl__cells {
    int     rank;
    int64_t low[IRL_MAX_RANK], stride[IRL_MAX_RANK], total;
} irl__cells;

static int irl__cells_of(irl__cells *c, const irl_verdict *v)
{
    int k;
    memset(c, 0, sizeof *c);
    c->rank = v->physical.rank;
    c->total = 1;
    for (k = c->rank - 1; k >= 0; k--) {
        int64_t extent;
        c->low[k] = v->minimum.extent[k];
        c->stride[k] = c->total;
        if (!irl__sub64(v->physical.extent[k], v->minimum.extent[k], &extent) || !irl__mul64(c->total, extent, &c->total)) return 0;
    }
    return 1;
}

static void irl__cells_number(const irl__cells *c, const irl__program *p, int count, int64_t *number)
{
    int k, i;
    for (i = 0; i < count; i++) number[i] = 0;
    for (k = 0; k < c->rank; k++) {
        const int64_t *out = irl__program_output(p, k);
        for (i = 0; i < count; i++) number[i] += (out[i] - c->low[k]) * c->stride[k];
    }
}

static void irl__strip_point(const irl__program *p, int at, irl_shape *point)
{
    int k;
    memset(point, 0, sizeof *point);
    point->rank = p->input_count;
    for (k = 0; k < p->input_count; k++) point->extent[k] = irl__program_input(p, k)[at];
}

static void irl__strip_image(const irl__program *p, int at, irl_shape *image)
{
    int k;
    memset(image, 0, sizeof *image);
    image->rank = p->output_count;
    for (k = 0; k < p->output_count; k++) image->extent[k] = irl__program_output(p, k)[at];
}

/* The first point whose cell is `cell`. */
static int irl__first_point_of(irl__program *p, const irl_shape *shape, const irl__cells *c, int64_t cell, irl_shape *point)
{
    int64_t   number[IRL__STRIP];
    irl__walk w;
    int       n, i;
    if (!irl__walk_begin(&w, shape->rank, shape->extent, INT64_MAX)) w.total = INT64_MAX;
    while ((n = irl__walk_next(&w, p)) > 0) {
        if (!irl__program_run(p, n)) return 0;
        irl__cells_number(c, p, n, number);
        for (i = 0; i < n; i++)
            if (number[i] == cell) return irl__strip_point(p, i, point), 1;
    }
    return 0;
}

static int irl__mark_cells(irl__program *p, const irl_map *map, irl_verdict *v, const irl__cells *c, uint64_t *bits)
{
    int64_t   number[IRL__STRIP];
    irl__walk w;
    int       n, i;
    if (!irl__walk_begin(&w, v->shape.rank, v->shape.extent, INT64_MAX)) w.total = INT64_MAX; /* a collision comes long before */
    while ((n = irl__walk_next(&w, p)) > 0) {
        if (!irl__program_run(p, n)) return irl__program_fail(p, map->loc);
        irl__cells_number(c, p, n, number);
        for (i = 0; i < n; i++) {
            uint64_t *word = &bits[number[i] >> 6], bit = UINT64_C(1) << (number[i] & 63);
            if (!(*word & bit)) {
                *word |= bit;
                continue;
            }
            v->kind = IRL_LOSSY;
            irl__strip_point(p, i, &v->b);
            irl__strip_image(p, i, &v->at);
            return irl__first_point_of(p, &v->shape, c, number[i], &v->a);
        }
    }
    v->kind = IRL_INJECTIVE;
    return 1;
}

int irl__check_by_enumeration(irl_ctx *cx, const irl_map *map, irl_verdict *v)
{
    irl__arena_mark mark;
    irl__program    p;
    irl__cells      c;
    uint64_t       *bits;
    size_t          bytes;
    int             ok;
    if (!irl__cells_of(&c, v) || c.total > IRL__MOST_CELLS) {
        v->reason = "not proved, and its cells are more than can be looked at";
        return -1;
    }
    mark = irl__scratch_begin(cx);
    memset(&p, 0, sizeof p);
    p.cx = cx;
    ok = irl__program_make(&p, irl__map_analyzer(cx, map, &v->shape), map->input_count, map->inputs, map->output_count, map->outputs);
    bytes = (size_t)((c.total + 63) / 64) * sizeof *bits;
    bits = ok ? (uint64_t *)irl__raw_alloc(cx, bytes + 8) : NULL;
    if (bits) {
        memset(bits, 0, bytes + 8);
        ok = irl__mark_cells(&p, map, v, &c, bits);
        v->method = "enumeration";
        irl__raw_free(cx, bits, bytes + 8);
    } else ok = 0;
    irl__scratch_end(cx, mark);
    return ok;
}
