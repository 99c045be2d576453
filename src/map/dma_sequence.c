/* dma_sequence.c - a sequence of cells as few nests of strided copies.

   needs     only arithmetic
   promises  the copies that are appended contain each cell once. Cells of which one memory is 0, 1,
             2, ... without a gap are one nest only if irl__dma_nest says so: the levels of such a
             nest, sorted, are the digits of a number, and they are unique once levels that can be
             joined are joined
   cost      n for a nest; for the best division of R cells or runs R^3 steps at most */
#include "dma.h"

int irl__dma_push(irl__dma_copies *out, irl__dma_cell first, int level_count,
                  const irl__dma_level *levels)
{
    if (stbds_arrlen(out->list) >= out->most) {
        out->too_many = 1;
        return 1;
    }
    irl__dma_copy c = { first, level_count, NULL };
    c.levels = IRL__SCRATCH(out->cx, irl__dma_level, level_count + 1);
    if (!c.levels) return 0;
    if (level_count) memcpy(c.levels, levels, (size_t)level_count * sizeof *levels);
    return IRL__PUSH_SCRATCH(out->cx, out->list, c);
}

irl__dma_copies irl__dma_copies_begin(const irl__dma_copies *like, int64_t most)
{
    irl__dma_copies c = { like->cx, most, 0, NULL };
    return c;
}

int irl__dma_append(irl__dma_copies *out, const irl__dma_copies *more)
{
    out->too_many |= more->too_many;
    for (int64_t k = 0; k < stbds_arrlen(more->list); k++)
        if (!irl__dma_push(out, more->list[k].first, more->list[k].level_count,
                           more->list[k].levels))
            return 0;
    return 1;
}

/* Appends each copy of `by` with x in front of it: places added, levels behind those of x. */
static int irl__dma_product(irl__dma_copies *out, const irl__dma_copy *x,
                            const irl__dma_copies *by)
{
    irl__dma_level levels[2 * IRL__DMA_DEPTH];
    for (int64_t k = 0; k < stbds_arrlen(by->list) && !out->too_many; k++) {
        const irl__dma_copy *y = &by->list[k];
        irl__dma_cell        first;
        first.plain = x->first.plain + y->first.plain; /* places in memory: below 2^63 */
        first.memory = x->first.memory + y->first.memory;
        if (x->level_count) memcpy(levels, x->levels, (size_t)x->level_count * sizeof *levels);
        if (y->level_count)
            memcpy(levels + x->level_count, y->levels, (size_t)y->level_count * sizeof *levels);
        if (!irl__dma_push(out, first, x->level_count + y->level_count, levels)) return 0;
    }
    return 1;
}

int irl__dma_multiply(irl__dma_copies *all, const irl__dma_copies *by)
{
    irl__dma_copies out = irl__dma_copies_begin(all, all->most);
    out.too_many = all->too_many || by->too_many;
    for (int64_t k = 0; k < stbds_arrlen(all->list); k++)
        if (!irl__dma_product(&out, &all->list[k], by)) return 0;
    *all = out;
    return 1;
}

/* ------------------------------------------------------------------ one nest */

/* The way from one cell to another. Offsets are at least 0 and below 2^63, so this fits. */
static irl__dma_cell irl__dma_way(irl__dma_cell from, irl__dma_cell to)
{
    irl__dma_cell d = { to.plain - from.plain, to.memory - from.memory };
    return d;
}

static int irl__dma_same_way(irl__dma_cell a, irl__dma_cell b)
{
    return a.plain == b.plain && a.memory == b.memory;
}

int irl__dma_nest(irl_ctx *cx, int64_t n, const irl__dma_cell *cell, int *level_count,
                  irl__dma_level *levels, irl__dma_break *why)
{
    int64_t block = 1; /* so many cells are a nest */
    *level_count = 0;
    while (block < n) {
        const irl__dma_cell way = irl__dma_way(cell[0], cell[block]);
        irl__dma_level     *level = &levels[*level_count];
        int64_t             k = block;
        while (k < n && irl__dma_same_way(irl__dma_way(cell[k - block], cell[k]), way)) k++;
        if (!irl__work(cx, k)) return 0;
        why->block = block;
        why->at = k;
        why->is_rest = k / block >= 2;
        if (k / block < 2) return -1;
        if (n % (k / block * block) != 0) {
            why->at = k / block * block;
            return -1;
        }
        level->count = k / block;
        level->plain = way.plain;
        level->memory = way.memory;
        block *= level->count; /* at most n */
        ++*level_count;
    }
    return 1;
}

/* ------------------------------------------------------------------ a few nests */

/* Cells one after the other with one way between neighbours. */
typedef struct irl__dma_run {
    int64_t       first, length; /* numbers of cells */
    irl__dma_cell start, way;
} irl__dma_run;

static int irl__dma_same_run(const irl__dma_run *a, const irl__dma_run *b)
{
    return a->length == b->length && (a->length == 1 || irl__dma_same_way(a->way, b->way));
}

/* How many cells from `at` on are one run. Two that a longer run begins in the second of are one
   and the rest. */
static int64_t irl__dma_run_length(int64_t n, const irl__dma_cell *cell, int64_t at)
{
    int64_t k = at + 1;
    if (k == n) return 1;
    irl__dma_cell way = irl__dma_way(cell[at], cell[k]);
    while (k + 1 < n && irl__dma_same_way(irl__dma_way(cell[k], cell[k + 1]), way)) k++;
    if (k == at + 1 && k + 2 < n &&
        irl__dma_same_way(irl__dma_way(cell[k], cell[k + 1]),
                          irl__dma_way(cell[k + 1], cell[k + 2])))
        return 1;
    return k + 1 - at;
}

typedef struct irl__dma_runs {
    irl_ctx             *cx;
    int64_t              n, count; /* cells, runs */
    const irl__dma_cell *cell;
    irl__dma_run        *run;
    int64_t             *best, *from; /* of the first k runs: cost, and where the last nest begins
                                         */
    /* of nests from one run on that are still to be extended: runs, levels */
    int64_t *lengths, *depths;
    unsigned char       *seen;        /* of such lengths */
} irl__dma_runs;

int64_t irl__dma_run_count(int64_t n, const irl__dma_cell *cell)
{
    int64_t count = 0;
    if (n <= IRL__DMA_EXACT) return n;
    for (int64_t at = 0; at < n; at += irl__dma_run_length(n, cell, at)) count++;
    return count;
}

static int irl__dma_runs_make(irl__dma_runs *r, irl_ctx *cx, int64_t n, const irl__dma_cell *cell)
{
    const int one_by_one = n <= IRL__DMA_EXACT;
    int64_t   length;
    memset(r, 0, sizeof *r);
    r->cx = cx;
    r->n = n;
    r->cell = cell;
    if (!irl__work(cx, n)) return 0;
    int64_t count = irl__dma_run_count(n, cell);
    if (count > IRL__DMA_RUNS)
        return IRL__FAIL(cx, IRL_ERROR_UNDECIDED, "the cells are %l straight runs; few nested "
                         "copies are searched among at most %l", count, (int64_t)IRL__DMA_RUNS);
    r->run = IRL__SCRATCH(cx, irl__dma_run, count);
    if (!r->run) return 0;
    for (int64_t at = 0; at < n; at += length) {
        irl__dma_run *one = &r->run[r->count++];
        length = one_by_one ? 1 : irl__dma_run_length(n, cell, at);
        one->first = at;
        one->length = length;
        one->start = cell[at];
        if (length > 1) one->way = irl__dma_way(cell[at], cell[at + 1]);
    }
    r->best = IRL__SCRATCH(cx, int64_t, r->count + 1);
    r->from = IRL__SCRATCH(cx, int64_t, r->count + 1);
    r->lengths = IRL__SCRATCH(cx, int64_t, r->count + 1);
    r->depths = IRL__SCRATCH(cx, int64_t, r->count + 1);
    r->seen = (unsigned char *)irl__scratch_alloc(cx, (size_t)r->count + 1, 1);
    return r->best && r->from && r->lengths && r->depths && r->seen;
}

/* How often the `length` runs from `at` on stand there one after the other, the same way apart. */
static int64_t irl__dma_repeats(const irl__dma_runs *r, int64_t at, int64_t length)
{
    int64_t k = at + length;
    if (length > r->count - at - length) return 1;
    irl__dma_cell way = irl__dma_way(r->run[at].start, r->run[k].start);
    while (k < r->count && irl__dma_same_run(&r->run[k - length], &r->run[k]) &&
           irl__dma_same_way(irl__dma_way(r->run[k - length].start, r->run[k].start), way))
        k++;
    return (k - at) / length;
}

/* The nests that begin at run `at`, into best and from; the longest. -1: the work is spent. A nest
   costs more than any number of levels; of as many nests those with fewer levels are better. */
static int64_t irl__dma_nests_at(irl__dma_runs *r, int64_t at)
{
    const int all = r->count <= IRL__DMA_EXACT;
    int64_t   todo = 1, most = 1;
    memset(r->seen, 0, all ? (size_t)r->count + 1 : 0);
    r->lengths[0] = 1;
    r->depths[0] = r->run[at].length > 1;
    while (todo > 0) {
        const int64_t length = r->lengths[--todo], depth = r->depths[todo], end = at + length;
        const int64_t repeats = irl__dma_repeats(r, at, length);
        const int64_t cost = r->best[at] + IRL__DMA_NEST_COST + depth;
        if (!irl__work(r->cx, repeats * length + 8)) return -1;
        if (length > most) most = length;
        if (cost < r->best[end] || !r->best[end]) {
            r->best[end] = cost;
            r->from[end] = at;
        }
        for (int64_t k = all ? 2 : repeats; k >= 2 && k <= repeats; k++) {
            if (all && r->seen[k * length]) continue;
            if (all) r->seen[k * length] = 1;
            r->lengths[todo] = k * length;
            r->depths[todo++] = depth + 1;
        }
    }
    return most;
}

/* The nest of runs [from, to). */
static int irl__dma_push_runs(irl__dma_copies *out, const irl__dma_runs *r, int64_t from,
                              int64_t to)
{
    const int64_t  first = r->run[from].first,
                   end = to < r->count ? r->run[to].first : r->n;
    irl__dma_level levels[IRL__DMA_DEPTH];
    irl__dma_break why;
    int            count;
    return irl__dma_nest(r->cx, end - first, r->cell + first, &count, levels, &why) == 1 &&
           irl__dma_push(out, r->cell[first], count, levels);
}

/* Segments of cells in order: the fewest, or one after the other the longest. */
static int irl__dma_in_order(irl__dma_copies *out, int64_t n, const irl__dma_cell *cell)
{
    irl__dma_runs r;
    int64_t       length;
    if (!irl__dma_runs_make(&r, out->cx, n, cell)) return 0;
    for (int64_t at = 0; at < r.count && !out->too_many; at += length) {
        const int search = r.count <= IRL__DMA_EXACT;
        length = irl__dma_nests_at(&r, at);
        if (length < 0) return 0;
        if (!search && !irl__dma_push_runs(out, &r, at, at + length)) return 0;
        if (search) length = 1; /* every run begins a nest of its own at least */
    }
    if (r.count > IRL__DMA_EXACT) return 1;
    for (int64_t at = r.count; at > 0 && !out->too_many; at = r.from[at])
        if (!irl__dma_push_runs(out, &r, r.from[at], at)) return 0;
    return 1;
}

int irl__dma_sequence(irl__dma_copies *out, int64_t n, const irl__dma_cell *cell)
{
    irl__dma_copies best = irl__dma_copies_begin(out, out->most), other;
    if (!irl__dma_in_order(&best, n, cell)) return 0;
    for (int m = 2; m <= 4 && n >= 2 * m; m++) {
        const int64_t now = stbds_arrlen(best.list);
        if (now <= m) break; /* m parts are m copies at least */
        other = irl__dma_copies_begin(out, now - 1);
        /* Cell 0, m, 2m, ..., then 1, m + 1, ... */
        irl__dma_cell *part = IRL__SCRATCH(other.cx, irl__dma_cell, n / m + 1);
        if (!part || !irl__work(other.cx, n)) return 0;
        for (int rest = 0; rest < m; rest++) {
            int64_t count = 0;
            for (int64_t k = rest; k < n; k += m) part[count++] = cell[k];
            if (!irl__dma_in_order(&other, count, part)) return 0;
        }
        if (!other.too_many) best = other;
    }
    return irl__dma_append(out, &best);
}

/* ------------------------------------------------------------------ copies of the same levels */

static int irl__dma_same_levels(const irl__dma_copy *a, const irl__dma_copy *b)
{
    if (a->level_count != b->level_count) return 0;
    for (int k = 0; k < a->level_count; k++)
        if (a->levels[k].count != b->levels[k].count || a->levels[k].plain != b->levels[k].plain ||
            a->levels[k].memory != b->levels[k].memory)
            return 0;
    return 1;
}

/* The starts of all copies that have the levels of copy k, and are not done. */
static int64_t irl__dma_starts(const irl__dma_copies *all, int64_t k, unsigned char *done,
                               irl__dma_cell *start)
{
    const int64_t n = stbds_arrlen(all->list);
    int64_t       count = 0, at;
    for (int64_t j = k; j < n; j++) {
        if (done[j] || !irl__dma_same_levels(&all->list[k], &all->list[j])) continue;
        done[j] = 1;
        for (at = count++; at > 0 && start[at - 1].plain > all->list[j].first.plain; at--)
            start[at] = start[at - 1];
        start[at] = all->list[j].first;
    }
    return count;
}

int irl__dma_join(irl__dma_copies *all)
{
    const int64_t   n = stbds_arrlen(all->list);
    irl__dma_copies out = irl__dma_copies_begin(all, all->most), outer;
    unsigned        char  *done = (unsigned char *)irl__scratch_alloc(all->cx, (size_t)n + 1, 1);
    irl__dma_cell  *start = IRL__SCRATCH(all->cx, irl__dma_cell, n + 1);
    if (!done || !start || !irl__work(all->cx, n * n)) return 0;
    for (int64_t k = 0; k < n; k++) {
        irl__dma_copy one = all->list[k]; /* from 0 on: `outer` has the starts */
        if (done[k]) continue;
        memset(&one.first, 0, sizeof one.first);
        int64_t count = irl__dma_starts(all, k, done, start);
        outer = irl__dma_copies_begin(all, all->most);
        if (!irl__dma_sequence(&outer, count, start) || !irl__dma_product(&out, &one, &outer))
            return 0;
    }
    all->list = out.list;
    return 1;
}
