/* witness.c - finds two points that collide, without examining all points.

   needs     program.c
   promises  a witness is always right: it was evaluated on the map as it is written. If none is
             found, that proves nothing, unless the points are few and all were examined
   cost      at most IRL__WITNESS_POINTS points */
#include "map.h"

enum { IRL__WITNESS_POINTS = 8192, IRL__WITNESS_VALUES = 24 };

/* An input that no output depends on: the simplest loss. */
static int irl__witness_unused(irl__check *c)
{
    for (int k = 0; k < c->map->input_count; k++) {
        int used = 0;
        for (int i = 0; i < c->map->output_count && !used; i++)
            used = irl__expr_uses_var(c->map->outputs[i], c->map->inputs[k]);
        if (used || c->v.shape.extent[k] < 2) continue;
        memset(&c->v.a, 0, sizeof c->v.a);
        c->v.a.rank = c->map->input_count;
        c->v.b = c->v.a;
        c->v.b.extent[k] = 1;
        c->v.at.rank = c->map->output_count;
        for (int i = 0; i < c->map->output_count; i++)
            if (irl__value_at(c->map->outputs[i], c->map->input_count, c->map->inputs,
                              c->v.a.extent, &c->v.at.extent[i]) != IRL__FOLD_OK)
                return -1;
        c->v.kind = IRL_LOSSY;
        c->v.method = "unused axis";
        return 1;
    }
    return -1;
}

/* ---------------------------------------------------- points near the places where maps lose */

typedef struct irl__candidates {
    int64_t value[IRL__WITNESS_VALUES];
    int     count;
} irl__candidates;

static void irl__candidate_add(irl__candidates *c, int64_t v, int64_t extent)
{
    if (v < 0 || v >= extent || c->count == IRL__WITNESS_VALUES) return;
    for (int k = 0; k < c->count; k++)
        if (c->value[k] == v) return;
    c->value[c->count++] = v;
}

/* The divisors of the map, their neighbours and multiples, powers of two, the ends. */
static void irl__candidates_of(irl__candidates *c, const int64_t *divisors, int count,
                               int64_t extent)
{
    int64_t v;
    c->count = 0;
    for (v = 0; v < 3; v++) irl__candidate_add(c, v, extent);
    for (int k = 0; k < count; k++) {
        irl__candidate_add(c, divisors[k], extent);
        irl__candidate_add(c, divisors[k] - 1, extent);
        if (irl__mul64(divisors[k], 2, &v)) irl__candidate_add(c, v, extent);
    }
    irl__candidate_add(c, extent - 1, extent);
    for (v = 4; v < extent && v < 4096; v *= 2) irl__candidate_add(c, v, extent);
}

/* Fewer values for the axis that has most, until the product is small enough. */
static int64_t irl__candidates_limit(irl__candidates *c, int rank)
{
    for (;;) {
        int64_t points = 1;
        int     k, most = 0;
        for (k = 0; k < rank; k++) {
            if (c[k].count > c[most].count) most = k;
            if (points <= IRL__WITNESS_POINTS) points *= c[k].count;
        }
        if (points <= IRL__WITNESS_POINTS) return points;
        c[most].count--;
    }
}

/* Images of the points seen so far, in a hash table. */
typedef struct irl__images {
    int      rank, width, slots;
    int64_t *image; /* `width` numbers each */
    int     *table; /* number of the point, plus one */
} irl__images;

/* The number of an earlier point with the image of point i of the program's strip, which becomes
   number n; -1 if there is none. */
static int64_t irl__images_add(irl__images *m, const irl__program *p, int i, int64_t n)
{
    int64_t *image = m->image + n * m->width;
    uint32_t h = 1;
    int      slot;
    for (int k = 0; k < m->width; k++) {
        image[k] = irl__program_output(p, k)[i];
        h = irl__hash_mix(h, (uint64_t)image[k]);
    }
    for (slot = (int)(h & (uint32_t)(m->slots - 1)); m->table[slot];
         slot = (slot + 1) & (m->slots - 1)) {
        int64_t other = m->table[slot] - 1;
        if (memcmp(m->image + other * m->width, image, (size_t)m->width * sizeof *image) == 0)
            return other;
    }
    m->table[slot] = (int)n + 1;
    return -1;
}

/* Point number n of the candidates, or of all points where candidates is NULL. */
static void irl__witness_point(const irl__candidates *candidates, const irl_shape *shape, int64_t n,
                               int64_t *at)
{
    if (!candidates) {
        irl__point_of(shape->rank, shape->extent, n, at);
        return;
    }
    for (int k = shape->rank - 1; k >= 0; k--) {
        at[k] = candidates[k].value[n % candidates[k].count];
        n /= candidates[k].count;
    }
}

/* The first of the points whose image is there already; none in all points means that the map is
   injective. */
static int irl__witness_search(irl__check *c, irl__program *p, const irl__candidates *candidates,
                               int64_t points)
{
    uint8_t     has_value[IRL__STRIP];
    int64_t     done, other, at[IRL_MAX_RANK];
    int         rank = c->map->input_count, i, k, n, gaps = 0;
    irl__images m;
    const int   width = c->map->output_count;
    m.rank = rank;
    m.width = width;
    for (m.slots = 1; m.slots < 2 * points; m.slots *= 2) continue;
    m.image = IRL__SCRATCH(c->cx, int64_t, (size_t)points * (size_t)(width ? width : 1));
    m.table = IRL__SCRATCH(c->cx, int, m.slots);
    if (!(m.image && m.table)) return 0;
    for (done = 0; done < points; done += n) {
        n = points - done < IRL__STRIP ? (int)(points - done) : IRL__STRIP;
        for (i = 0; i < n; i++) {
            irl__witness_point(candidates, &c->v.shape, done + i, at);
            for (k = 0; k < rank; k++) irl__program_input(p, k)[i] = at[k];
        }
        gaps |= irl__program_run_some(p, n, has_value) < n;
        for (i = 0; i < n; i++)
            if (has_value[i] && (other = irl__images_add(&m, p, i, done + i)) >= 0) {
                const int64_t b = done + i;
                c->v.kind = IRL_LOSSY;
                c->v.method = candidates ? "witness" : "enumeration";
                c->v.a.rank = c->v.b.rank = m.rank;
                c->v.at.rank = m.width;
                irl__witness_point(candidates, &c->v.shape, other, c->v.a.extent);
                irl__witness_point(candidates, &c->v.shape, b, c->v.b.extent);
                memcpy(c->v.at.extent, m.image + b * m.width, (size_t)m.width * sizeof *m.image);
                return 1;
            }
    }
    if (candidates || gaps) return -1;
    c->v.kind = IRL_INJECTIVE;
    c->v.method = "enumeration";
    return 1;
}

/* All constants that divide somewhere, at most `capacity`. */
static void irl__witness_divisors(const irl_expr *e, int64_t *list, int *count, int capacity,
                                  int depth)
{
    int i;
    if (depth > 64) return;
    if (e->op == IRL_OP_INT && e->u.i > 2) {
        for (i = 0; i < *count && list[i] != e->u.i; i++) continue;
        if (i == *count && *count < capacity) list[(*count)++] = e->u.i;
    }
    for (uint32_t k = 0; k < e->count && *count < capacity; k++)
        irl__witness_divisors(e->a[k], list, count, capacity, depth + 1);
}

/* Whether all points are few enough to look at, within what the caller allows. */
static int irl__witness_few(const irl__check *c, int64_t *points)
{
    irl__walk w;
    int64_t   most = IRL__WITNESS_POINTS;
    if (c->how->most_cells > 0 && c->how->most_cells < most) most = c->how->most_cells;
    if (!irl__walk_begin(&w, c->v.shape.rank, c->v.shape.extent, most)) return 0;
    *points = w.total;
    return 1;
}

static int irl__witness_among(irl__check *c, const irl__candidates *candidates, int64_t points)
{
    irl__arena_mark mark = irl__scratch_begin(c->cx);
    irl__program    p;
    int             ok = 0;
    if (irl__program_of_map(c->cx, &p, NULL, c->map))
        ok = irl__witness_search(c, &p, candidates, points);
    irl__scratch_end(c->cx, mark);
    return ok;
}

int irl__check_by_witness(irl__check *c)
{
    irl__candidates candidates[IRL_MAX_RANK];
    int64_t         divisors[8], points;
    int             k, ok, count = 0;
    for (k = 0; k < c->map->input_count; k++)
        if (c->v.shape.extent[k] == 0) return -1;
    ok = irl__witness_unused(c);
    if (ok >= 0 || irl__witness_few(c, &points)) return ok; /* all points are as quick */
    for (k = 0; k < c->map->output_count; k++)
        irl__witness_divisors(c->map->outputs[k], divisors, &count, 8, 0);
    for (k = 0; k < c->map->input_count; k++)
        irl__candidates_of(&candidates[k], divisors, count, c->v.shape.extent[k]);
    return irl__witness_among(c, candidates,
                              irl__candidates_limit(candidates, c->map->input_count));
}

int irl__check_few_points(irl__check *c)
{
    int64_t points;
    return irl__witness_few(c, &points) && points > 0 ? irl__witness_among(c, NULL, points) : -1;
}
