/* witness.c - two points that collide, without looking at all of them.

   needs     program.c
   promises  a witness is a witness: it was evaluated on the map as it is written. Finding none says nothing
   cost      at most IRL__WITNESS_POINTS points */
#include "map.h"

enum { IRL__WITNESS_POINTS = 8192, IRL__WITNESS_VALUES = 24 };

/* An input that no output depends on: the simplest loss. */
static int irl__witness_unused(irl__check *c)
{
    int k, i;
    for (k = 0; k < c->map->input_count; k++) {
        int used = 0;
        for (i = 0; i < c->map->output_count && !used; i++) used = irl__expr_uses_var(c->map->outputs[i], c->map->inputs[k]);
        if (used || c->v.shape.extent[k] < 2) continue;
        memset(&c->v.a, 0, sizeof c->v.a);
        c->v.a.rank = c->map->input_count;
        c->v.b = c->v.a;
        c->v.b.extent[k] = 1;
        if (!irl_map_apply(c->cx, c->map, c->v.a, &c->v.at)) return 0;
        c->v.kind = IRL_LOSSY;
        c->v.method = "unused axis";
        return 1;
    }
    return -1;
}

/* ------------------------------------------------------------------ points near the places where maps lose */

typedef struct irl__candidates {
    int64_t value[IRL__WITNESS_VALUES];
    int     count;
} irl__candidates;

static void irl__candidate_add(irl__candidates *c, int64_t v, int64_t extent)
{
    int k;
    if (v < 0 || v >= extent || c->count == IRL__WITNESS_VALUES) return;
    for (k = 0; k < c->count; k++)
        if (c->value[k] == v) return;
    c->value[c->count++] = v;
}

/* The divisors of the map, their neighbours and multiples, powers of two, the ends. */
static void irl__candidates_of(irl__candidates *c, const int64_t *divisors, int count, int64_t extent)
{
    int     k;
    int64_t v;
    c->count = 0;
    for (v = 0; v < 3; v++) irl__candidate_add(c, v, extent);
    for (k = 0; k < count; k++) {
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

static void irl__witness_point(const irl__candidates *c, int rank, int64_t n, int64_t *at)
{
    int k;
    for (k = rank - 1; k >= 0; k--) {
        at[k] = c[k].value[n % c[k].count];
        n /= c[k].count;
    }
}

/* Images of the points in a hash table; the first that is there already is a collision. */
static int irl__witness_search(irl__check *c, irl__program *p, const irl__candidates *candidates, int64_t points)
{
    int      rank = c->map->input_count, width = c->map->output_count, slots = 1, i, k, n;
    int64_t *images, done, at[IRL_MAX_RANK];
    int     *table;
    while (slots < 2 * points) slots *= 2;
    images = (int64_t *)irl__scratch_alloc(c->cx, (size_t)points * (size_t)(width ? width : 1), sizeof *images);
    table = (int *)irl__scratch_alloc(c->cx, (size_t)slots, sizeof *table); /* number of the point, plus one */
    if (!images || !table) return 0;
    for (done = 0; done < points; done += n) {
        n = points - done < IRL__STRIP ? (int)(points - done) : IRL__STRIP;
        for (i = 0; i < n; i++) {
            irl__witness_point(candidates, rank, done + i, at);
            for (k = 0; k < rank; k++) irl__program_input(p, k)[i] = at[k];
        }
        if (!irl__program_run(p, n)) return irl__program_fail(p, c->map->loc);
        for (i = 0; i < n; i++) {
            int64_t *image = images + (done + i) * width;
            uint32_t h = 1;
            int      slot;
            for (k = 0; k < width; k++) {
                image[k] = irl__program_output(p, k)[i];
                h = irl__hash_mix(h, (uint64_t)image[k]);
            }
            for (slot = (int)(h & (uint32_t)(slots - 1)); table[slot]; slot = (slot + 1) & (slots - 1)) {
                int64_t other = table[slot] - 1;
                if (memcmp(images + other * width, image, (size_t)width * sizeof *image) != 0) continue;
                c->v.kind = IRL_LOSSY;
                c->v.method = "witness";
                c->v.a.rank = c->v.b.rank = rank;
                c->v.at.rank = width;
                irl__witness_point(candidates, rank, other, c->v.a.extent);
                irl__witness_point(candidates, rank, done + i, c->v.b.extent);
                memcpy(c->v.at.extent, image, (size_t)width * sizeof *image);
                return 1;
            }
            table[slot] = (int)(done + i) + 1;
        }
    }
    return -1;
}

/* All constants that divide somewhere, at most `capacity`. */
static void irl__witness_divisors(const irl_expr *e, int64_t *list, int *count, int capacity, int depth)
{
    uint32_t k;
    int      i;
    if (depth > 64) return;
    if (e->op == IRL_OP_INT && e->u.i > 2) {
        for (i = 0; i < *count && list[i] != e->u.i; i++) continue;
        if (i == *count && *count < capacity) list[(*count)++] = e->u.i;
    }
    for (k = 0; k < e->count && *count < capacity; k++) irl__witness_divisors(e->a[k], list, count, capacity, depth + 1);
}

int irl__check_by_witness(irl__check *c)
{
    irl__candidates candidates[IRL_MAX_RANK];
    int64_t         divisors[8], points = 1;
    irl__arena_mark mark;
    irl__program    p;
    int             k, ok, count = 0;
    for (k = 0; k < c->map->input_count; k++)
        if (c->v.shape.extent[k] == 0) return -1;
    ok = irl__witness_unused(c);
    if (ok >= 0) return ok;
    for (k = 0; k < c->map->output_count; k++) irl__witness_divisors(c->map->outputs[k], divisors, &count, 8, 0);
    for (k = 0; k < c->map->input_count; k++) irl__candidates_of(&candidates[k], divisors, count, c->v.shape.extent[k]);
    for (k = 0; k < c->map->input_count && points <= IRL__WITNESS_POINTS; k++)
        if (!irl__mul64(points, c->v.shape.extent[k], &points)) points = INT64_MAX;
    if (points <= IRL__WITNESS_POINTS) return -1; /* all points are as quick */
    points = irl__candidates_limit(candidates, c->map->input_count);
    mark = irl__scratch_begin(c->cx);
    memset(&p, 0, sizeof p);
    p.cx = c->cx;
    ok = irl__program_make(&p, NULL, c->map->input_count, c->map->inputs, c->map->output_count, c->map->outputs)
             ? irl__witness_search(c, &p, candidates, points)
             : 0;
    irl__scratch_end(c->cx, mark);
    return ok;
}
