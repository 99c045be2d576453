/* arrange.c - how loops that may run in any order are best arranged for memory: loops that together
   run through contiguous memory become one, and if a nest reads in one direction and writes in
   another, each work-item computes a small tile of it. Only the strides decide; the automatic
   schedule writes the result as steps, and the pass arrange_loops applies it to nests without a
   schedule.

   needs     nothing
   promises  the order of iterations changes and nothing else; a tile divides its loop
   cost      accesses times loops squared
   why       fewer dimensions of the range and whole cache lines are faster; of 26 shapes of tiles
             tried on five tensors, a pair of lines written per item in groups of 16 along the reads
             was the best or within 3 % of it

   Fusing. If every expression that names the variables of loops a and b takes them as a * E + b,
   where E is the extent of b, then one loop over a * E + b does the same: (h, w) of an image, or
   (n, h, w) if nothing is between them.

   Tiling. A layout that transposes writes along one loop and reads along another, a vector each
   time, so one of the two uses a part of each cache line. A work-item takes a part that fills a
   pair of lines that it writes, and its neighbours along the first dimension read the elements next
   to those that it reads: that loop becomes the innermost. A group of them is about as wide as it
   is long, so that neither direction leaves its lines to another group: two notes tell this to the
   caller that launches. If work-items are loops, there are no groups, and the tile is twice as
   long. */
#include "arrange.h"

#define IRL__ARRANGE_PAIR \
    128 /* bytes that a work-item writes: two cache lines, which are fetched together */
#define IRL__ARRANGE_SERIAL 256 /* bytes where it is the inside of loops */
#define IRL__ARRANGE_ENOUGH 512 /* work-items that must be left */
#define IRL__ARRANGE_FEW 16     /* iterations that one work-item may take */
#define IRL__ARRANGE_ITEMS 1024 /* work-items that the other loops must leave then */

int irl__arrange_keeps(int64_t extent, int64_t others)
{
    return extent <= IRL__ARRANGE_FEW && others >= IRL__ARRANGE_ITEMS;
}

/* ------------------------------------------------------------------ fusing */

static int irl__arrange_walks_as_one(const irl__arrange *s, int outer, int inner)
{
    int64_t step;
    for (int k = 0; k < s->row_count; k++)
        if (!irl__mul64(s->rows[k].step[inner], s->extent[inner], &step) ||
            step != s->rows[k].step[outer])
            return 0;
    return 1;
}

/* The loop becomes the outer part of another one, if of any. */
static int irl__arrange_fuse(irl__arrange *s, int outer)
{
    int64_t extent;
    for (int inner = 0; inner < s->count; inner++) {
        if (inner == outer || s->into[inner] >= 0 || s->extent[inner] < 1 ||
            s->extent[outer] < 1 || !irl__arrange_walks_as_one(s, outer, inner) ||
            !irl__mul64(s->extent[outer], s->extent[inner], &extent))
            continue;
        s->extent[inner] = extent;
        s->into[outer] = inner;
        return 1;
    }
    return 0;
}

/* ------------------------------------------------------------------ tiling */

/* The loop along which all accesses of this use go in the smallest steps; -1 if they do not agree,
   or there is none. */
static int irl__arrange_direction(const irl__arrange *s, irl__arrange_use use)
{
    int i, found = -1;
    for (int k = 0; k < s->row_count; k++) {
        const irl__arrange_row *row = &s->rows[k];
        int                     least = -1;
        if (row->use != use) continue;
        for (i = 0; i < s->count; i++)
            if (s->into[i] < 0 && row->step[i] > 0 &&
                (least < 0 || row->step[i] < row->step[least]))
                least = i;
        if (least < 0 || (found >= 0 && least != found)) return -1;
        found = least;
    }
    return found;
}

static int irl__arrange_leaves_enough(const irl__arrange *s, int64_t factor)
{
    int64_t items = 1;
    for (int k = 0; k < s->count; k++)
        if (s->into[k] < 0 && s->extent[k] && !irl__mul64(items, s->extent[k], &items)) return 1;
    return items / factor >= IRL__ARRANGE_ENOUGH;
}

static void irl__arrange_tile(irl__arrange *s, const irl_target *target)
{
    if (s->vector <= 0 || s->nodes > IRL__ARRANGE_SMALL) return;
    s->reads = irl__arrange_direction(s, IRL__USE_LOAD);
    s->writes = irl__arrange_direction(s, IRL__USE_STORE);
    if (s->reads < 0 || s->writes < 0 || s->reads == s->writes || s->extent[s->reads] < 1 ||
        s->extent[s->writes] < 1)
        return;
    /* The largest number of iterations that fill at most what a tile writes and divide the loop; 0:
       none is worth it. */
    const int64_t extent = s->extent[s->writes];
    int64_t       factor = (target->serial ? IRL__ARRANGE_SERIAL : IRL__ARRANGE_PAIR) / s->vector;
    while (factor > 1 && (extent % factor || !irl__arrange_leaves_enough(s, factor))) factor--;
    s->factor = factor > 1 ? factor : 0;
}

int irl__arrange_decide(irl__arrange *s, const irl_target *target)
{
    int any = 0;
    for (int k = 0; k < s->count; k++) s->into[k] = -1;
    for (int k = s->count; k-- > 0;) any |= irl__arrange_fuse(s, k);
    s->factor = 0;
    irl__arrange_tile(s, target);
    return any || s->factor;
}
