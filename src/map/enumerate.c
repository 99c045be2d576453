/* enumerate.c - the last exact method: a bitset with every point's cell.

   needs     program.c, points.c
   promises  exact, with a witness found in the map as it is written. At most IRL__MOST_CELLS + 1
             points are examined before two of them map to one cell, however many there are
   cost      a bit per cell of the box, a few nanoseconds per point and operator */
#include "map.h"

/* The first point whose cell is `cell`. */
static int irl__first_point_of(irl__program *p, const irl_shape *shape, const irl__cells *c,
                               int64_t cell, irl_shape *point)
{
    int64_t   number[IRL__STRIP];
    irl__walk w;
    int       n;
    if (!irl__walk_begin(&w, shape->rank, shape->extent, INT64_MAX)) w.total = INT64_MAX;
    while ((n = irl__walk_next(&w, p)) > 0) {
        if (!irl__program_run(p, n)) return 0;
        irl__cells_number(c, p, n, number);
        for (int i = 0; i < n; i++)
            if (number[i] == cell) return irl__strip_point(p, i, point), 1;
    }
    return 0;
}

static int irl__mark_cells(irl__check *check, irl__program *p, const irl__cells *c, uint64_t *bits)
{
    irl_verdict *v = &check->v;
    int64_t      number[IRL__STRIP];
    irl__walk    w;
    int          n;
    /* a collision comes long before */
    if (!irl__walk_begin(&w, v->shape.rank, v->shape.extent, INT64_MAX)) w.total = INT64_MAX;
    w.budget = &check->budget;
    while ((n = irl__walk_next(&w, p)) > 0) {
        if (!irl__program_run(p, n)) return irl__program_fail(p, check->map->loc);
        irl__cells_number(c, p, n, number);
        for (int i = 0; i < n; i++) {
            /* the box came from the rules; memory does not depend on them */
            if (number[i] < 0 || number[i] >= c->total) {
                v->reason =
                    "a point was found outside of the box that was derived: please report this map";
                v->box_known = 0;
                return -1;
            }
            uint64_t *word = &bits[number[i] >> 6];
            uint64_t  bit = UINT64_C(1) << (number[i] & 63);
            if (!(*word & bit)) {
                *word |= bit;
                continue;
            }
            v->kind = IRL_LOSSY;
            irl__strip_point(p, i, &v->b);
            memset(&v->at, 0, sizeof v->at);
            v->at.rank = p->output_count;
            for (int k = 0; k < p->output_count; k++)
                v->at.extent[k] = irl__program_output(p, k)[i];
            return irl__first_point_of(p, &v->shape, c, number[i], &v->a);
        }
    }
    if (n < 0) return -1;
    v->kind = IRL_INJECTIVE;
    return 1;
}

static const char *irl__enumerate_reason(irl__check *c, int64_t cells, int64_t most)
{
    irl__text points;
    char      text[64];
    irl__text_init_fixed(&points, text, sizeof text);
    irl__points_text(&points, &c->v.shape);
    if (cells)
        return irl__reason(c->cx,
                           "not proved for its %s, and their box has %l cells, of which at most %l "
                           "can be examined",
                           text, cells, most);
    return irl__reason(
        c->cx,
        "not proved for its %s, and their box has more than 2^63 cells, of which at most %l can be "
        "examined",
        text, most);
}

/* A bit for each cell; NULL with a diagnostic that says how much memory was wanted, and by whom. */
static uint64_t *irl__enumerate_bits(irl__check *c, int64_t cells, size_t *bytes)
{
    uint64_t  words = (uint64_t)cells / 64 + 2;
    uint64_t *bits = NULL;
    *bytes = words > SIZE_MAX / sizeof *bits ? SIZE_MAX : (size_t)words * sizeof *bits;
    if (*bytes < SIZE_MAX) bits = (uint64_t *)irl__raw_try(c->cx, *bytes);
    if (bits) memset(bits, 0, *bytes);
    else
        irl__fail(c->cx, IRL_ERROR_OUT_OF_MEMORY, c->map->loc,
                  "examining %l cells takes %l bytes, a bit for each; %z bytes are in use", cells,
                  (int64_t)(words * sizeof *bits), c->cx->bytes_in_use);
    return bits;
}

int irl__check_by_enumeration(irl__check *check)
{
    irl_verdict   *v = &check->v;
    const irl_map *map = check->map;
    irl_ctx       *cx = check->cx;
    irl__program   p;
    irl__cells     c;
    size_t         bytes;
    int            ok, counted = irl__cells_of(&c, &v->minimum, &v->physical);
    int64_t        most = check->how->most_cells > 0 ? check->how->most_cells : IRL__MOST_CELLS;
    if (most > IRL__MOST_POINTS * 64) most = IRL__MOST_POINTS * 64;
    if (!counted || c.total > most) {
        v->reason = irl__enumerate_reason(check, counted ? c.total : 0, most);
        return -1;
    }
    irl__arena_mark mark = irl__scratch_begin(cx);
    ok = irl__program_of_map(cx, &p, irl__map_analyzer(cx, map, &v->shape), map);
    uint64_t *bits = ok ? irl__enumerate_bits(check, c.total, &bytes) : NULL;
    if (bits) {
        ok = irl__mark_cells(check, &p, &c, bits);
        v->method = "enumeration";
        irl__raw_free(cx, bits, bytes);
    } else ok = 0;
    irl__scratch_end(cx, mark);
    return ok;
}
