/* points.c - all points of a box, in row-major order, a strip at a time.

   needs     only arithmetic
   promises  every point once */
#include "map.h"

int irl__walk_begin(irl__walk *w, int rank, const int64_t *extent, int64_t limit)
{
    memset(w, 0, sizeof *w);
    w->rank = rank;
    w->extent = extent;
    w->total = 1;
    for (int k = 0; k < rank; k++)
        if (extent[k] == 0) w->total = 0;
    for (int k = 0; k < rank && w->total; k++)
        if (!irl__mul64(w->total, extent[k], &w->total) || w->total > limit) return 0;
    return 1;
}

irl__budget irl__budget_of(const irl_check_options *how)
{
    irl__budget b;
    memset(&b, 0, sizeof b);
    b.how = how;
    return b;
}

int irl__walk_within(irl__walk *w, const irl__program *p, int rank, const int64_t *extent,
                     irl__budget *budget)
{
    int64_t work = (int64_t)p->step_count + 4; /* the point itself costs too */
    if (!irl__walk_begin(w, rank, extent, INT64_MAX / work)) w->total = INT64_MAX / work;
    if (!irl__work_allows(p->cx, w->total * work)) return 0;
    w->budget = budget;
    return 1;
}

/* False when the caller wants to stop. */
static int irl__walk_goes_on(irl__walk *w)
{
    irl__budget *b = w->budget;
    if (!b || !b->how || !b->how->progress || (w->done & 0xffff) >= IRL__STRIP) return 1;
    if (b->how->progress(b->how->user, w->done, w->total)) return 1;
    b->done = w->done;
    b->total = w->total;
    return 0;
}

/* The strip runs along the last axes: its points are counted up like an odometer, whole runs of the
   last axis at once. */
int irl__walk_next(irl__walk *w, irl__program *p)
{
    int     n = 0, k, i;
    int64_t left = w->total - w->done;
    int     want = left < IRL__STRIP ? (int)left : IRL__STRIP, last = w->rank - 1;
    if (want == 0) return 0;
    if (!irl__walk_goes_on(w)) return -1;
    if (w->rank == 0) {
        w->done++;
        return 1;
    }
    while (n < want) {
        int64_t run = w->extent[last] - w->at[last];
        int     m = run < want - n ? (int)run : want - n;
        for (k = 0; k < last; k++) {
            int64_t *v = irl__program_input(p, k) + n;
            for (i = 0; i < m; i++) v[i] = w->at[k];
        }
        for (i = 0; i < m; i++) irl__program_input(p, last)[n + i] = w->at[last] + i;
        n += m;
        w->at[last] += m;
        for (k = last; k > 0 && w->at[k] == w->extent[k]; k--) {
            w->at[k] = 0;
            w->at[k - 1]++;
        }
    }
    w->done += n;
    return n;
}

int irl__cells_of(irl__cells *c, const irl_shape *low, const irl_shape *end)
{
    memset(c, 0, sizeof *c);
    c->rank = end->rank;
    c->total = 1;
    for (int k = c->rank - 1; k >= 0; k--) {
        int64_t extent;
        if (low) c->low[k] = low->extent[k];
        c->stride[k] = c->total;
        if (!irl__sub64(end->extent[k], c->low[k], &extent) ||
            !irl__mul64(c->total, extent, &c->total))
            return 0;
    }
    return 1;
}

void irl__cells_number(const irl__cells *c, const irl__program *p, int count, int64_t *number)
{
    int i;
    for (i = 0; i < count; i++) number[i] = 0;
    for (int k = 0; k < c->rank; k++) {
        const int64_t *out = irl__program_output(p, k);
        for (i = 0; i < count; i++) number[i] += (out[i] - c->low[k]) * c->stride[k];
    }
}

void irl__strip_point(const irl__program *p, int at, irl_shape *point)
{
    memset(point, 0, sizeof *point);
    point->rank = p->input_count;
    for (int k = 0; k < p->input_count; k++) point->extent[k] = irl__program_input(p, k)[at];
}

void irl__point_of(int rank, const int64_t *extent, int64_t n, int64_t *at)
{
    for (int k = rank - 1; k >= 0; k--) {
        at[k] = extent[k] ? n % extent[k] : 0;
        n = extent[k] ? n / extent[k] : 0;
    }
}
