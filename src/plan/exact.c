/* exact.c - the least memory for a few objects that are alive at different times, proved.

   needs     a placement in f->best; IRL__EXACT_MOST items at most
   promises  a placement such that no other one is smaller, or the one that was given
   cost      a step for each placement of a part of the items: mostly some hundreds; 2 MiB of
             scratch memory for 12 items, half of it for 11

   In some best placement each item begins at 0 or at the end of one that is alive with it, up to
   its alignment: the others can be moved down. So the items are placed in order of offsets, each
   directly after those below it, in all orders, except if
   - a remaining item would end below the one that is placed next: it can be placed there first;
   - the items that are placed, with those that remain, need as much as the best at some time;
   - the same items lay before so that nothing that is left has to lie higher, the next one may
     begin as low, and neither their end nor the sum of their offsets was more. Of the best
     placements one with the least sum of offsets is not lost by that: laid on what lay before, the
     items that are left end no higher and their sum is no more, so they lie the same, and that was
     tried. */
#include "plan.h"

enum { IRL__EXACT_KEPT = 4 }; /* ways in which the same items lay, that are remembered */

/* Of items that lie. */
typedef struct irl__exact_way {
    int64_t at[IRL__EXACT_MOST]; /* the least place that is left for each other one */
    int64_t floor, end, sum;
    int     last;
} irl__exact_way;

typedef struct irl__exact {
    irl__pool      *f;
    int             times;                                      /* at which something is born */
    int64_t         time[IRL__EXACT_MOST];
    unsigned        alive[IRL__EXACT_MOST];                     /* at each time, which */
    unsigned        beside[IRL__EXACT_MOST];                    /* of each, what is alive with it */
    int64_t         at[IRL__EXACT_MOST];                        /* of those that lie */
    int             spent;
    irl__exact_way *ways;  /* of each set that lies IRL__EXACT_KEPT; NULL: not asked for yet */
    unsigned        char  *count; /* of these; they are taken in turn */
} irl__exact;

/* Is there a time at which what lies and what is left are as much as the best? at[k] is the least
   place that is left for k; nothing begins below `floor`. */
static int irl__exact_is_hopeless(const irl__exact *e, unsigned lying, const int64_t *at,
                                  int64_t floor)
{
    for (int t = 0; t < e->times; t++) {
        int64_t left = 0, from = INT64_MAX;
        for (int k = 0; k < e->f->count; k++) {
            if (!(e->alive[t] & ~lying & 1u << k)) continue;
            left += e->f->items[k].size; /* no more than the most alive at once */
            if (at[k] < from) from = at[k];
        }
        if (left && left >= e->f->best_bytes - (from > floor ? from : floor)) return 1;
    }
    return 0;
}

/* Was there a way of the same items that is no worse in anything? */
static int irl__exact_is_worse(const irl__exact *e, unsigned lying, const irl__exact_way *now,
                               const irl__exact_way *then)
{
    if (then->floor > now->floor || (then->floor == now->floor && then->last > now->last) ||
        then->end > now->end || then->sum > now->sum)
        return 0;
    for (int k = 0; k < e->f->count; k++)
        if (!(lying & 1u << k) && then->at[k] > now->at[k]) return 0;
    return 1;
}

/* The same of all that are remembered, of which this is one from now on. */
static int irl__exact_was_better(irl__exact *e, unsigned lying, const int64_t *at, int64_t floor,
                                 int last)
{
    irl__exact_way *ways = &e->ways[lying * IRL__EXACT_KEPT], now;
    memset(&now, 0, sizeof now);
    now.floor = floor;
    now.last = last;
    for (int k = 0; k < e->f->count; k++) {
        now.at[k] = lying & 1u << k ? 0 : at[k];
        if (!(lying & 1u << k)) continue;
        now.sum += e->at[k]; /* at most 12 of 59 bits, or nothing is remembered */
        if (e->at[k] + e->f->items[k].size > now.end) now.end = e->at[k] + e->f->items[k].size;
    }
    for (int k = 0; k < IRL__EXACT_KEPT && k < e->count[lying]; k++)
        if (irl__exact_is_worse(e, lying, &now, &ways[k])) return 1;
    ways[e->count[lying] % IRL__EXACT_KEPT] = now;
    if (++e->count[lying] == 8 * IRL__EXACT_KEPT) e->count[lying] = IRL__EXACT_KEPT;
    return 0;
}

/* All others lie: a better placement. */
static void irl__exact_found(irl__exact *e)
{
    int64_t bytes = 0;
    for (int k = 0; k < e->f->count; k++)
        if (e->at[k] + e->f->items[k].size > bytes) bytes = e->at[k] + e->f->items[k].size;
    if (bytes >= e->f->best_bytes) return;
    e->f->best_bytes = bytes;
    for (int k = 0; k < e->f->count; k++) e->f->best[k] = e->at[k];
}

/* Lays what is left in all orders; the last one was `last`, at `floor`. */
static void irl__exact_lay(irl__exact *e, unsigned lying, int64_t floor, int last)
{
    const int count = e->f->count;
    int64_t   at[IRL__EXACT_MOST], first_end = INT64_MAX;
    unsigned  tried = 0;
    int       k, next;
    if (--e->f->steps_left < 0) e->spent = 1;
    if (e->spent || e->f->best_bytes == e->f->lower) return;
    if (lying == (1u << count) - 1) {
        irl__exact_found(e);
        return;
    }
    for (k = 0; k < count; k++) {
        if (lying & 1u << k) continue;
        int64_t j = 0, end;
        for (int i = 0; i < e->f->count; i++)
            if (lying & e->beside[k] & 1u << i && e->at[i] + e->f->items[i].size > j)
                j = e->at[i] + e->f->items[i].size;
        at[k] =
            irl__pool_up(j, e->f->items[k].align, &j) && irl__add64(j, e->f->items[k].size, &end)
                ? j
                : -1;
        if (at[k] < 0) return;
        if (at[k] + e->f->items[k].size < first_end) first_end = at[k] + e->f->items[k].size;
    }
    if (irl__exact_is_hopeless(e, lying, at, floor) ||
        (e->ways && irl__exact_was_better(e, lying, at, floor, last)))
        return;
    for (;;) { /* the lowest first */
        for (k = 0, next = -1; k < count; k++)
            if (!((lying | tried) & 1u << k) && (next < 0 || at[k] < at[next])) next = k;
        if (next < 0 || at[next] >= first_end) return;
        tried |= 1u << next;
        if (at[next] < floor || (at[next] == floor && next < last)) continue;
        e->at[next] = at[next];
        irl__exact_lay(e, lying | 1u << next, at[next], next);
    }
}

static int irl__exact_remember(irl__exact *e)
{
    const size_t sets = (size_t)1 << e->f->count;
    if (e->f->best_bytes >> 59) return 1;
    e->ways = IRL__SCRATCH(e->f->cx, irl__exact_way, sets * IRL__EXACT_KEPT);
    e->count = (unsigned char *)irl__scratch_alloc(e->f->cx, sets, 1);
    return e->ways && e->count;
}

int irl__pool_exact(irl__pool *f)
{
    irl__exact e;
    if (f->best_bytes == f->lower) return 1;
    if (f->count > IRL__EXACT_MOST) return 0;
    memset(&e, 0, sizeof e);
    e.f = f;
    const irl_plan_item *items = e.f->items;
    int                  t;
    for (int k = 0; k < e.f->count; k++) {
        const int64_t born = items[k].first;
        for (int j = 0; j < e.f->count; j++)
            if (j != k && items[j].first <= items[k].last && items[k].first <= items[j].last)
                e.beside[k] |= 1u << j;
        for (t = 0; t < e.times && e.time[t] != born; t++) {
        }
        if (t < e.times) continue;
        e.time[e.times++] = born;
        for (int j = 0; j < e.f->count; j++)
            if (items[j].first <= born && born <= items[j].last) e.alive[t] |= 1u << j;
    }
    if (!irl__exact_remember(&e)) return 0;
    irl__exact_lay(&e, 0, 0, -1);
    return !e.spent || f->best_bytes == f->lower;
}
