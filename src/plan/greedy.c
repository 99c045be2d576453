/* greedy.c - offsets in one memory for objects that are alive at different times.

   needs     items of at least one byte, whose most alive at once fits 63 bits
   promises  no two that are alive together share a byte; every offset is aligned; deterministic
   cost      in time: linear in the items (IRL__POOL_SCAN gaps examined for each). By an order: the
             pairs that are alive together, times their logarithm; as often as steps are left

   Two methods. In time: objects are allocated and freed in the order of the program: each takes the
   gap that it fills best, else the end. Forwards, and backwards from the last use. By an order:
   each is put into the smallest gap between the objects of its time that are placed already. The
   order by size is mostly the best; if not, objects that end at the top are moved forward in the
   order, and a result that is no worse is kept. */
#include "plan.h"

enum {
    IRL__POOL_SCAN = 256,  /* gaps looked at before one that fits is taken */
    IRL__POOL_PAIRS = 128, /* pairs alive together that are written down, for each item */
    IRL__POOL_STALE = 400  /* changes of the order in a row that gain nothing, and are the last */
};

int irl__pool_up(int64_t at, int64_t align, int64_t *out)
{
    if (!irl__add64(at, align - 1, out)) return 0;
    *out &= ~(align - 1);
    return 1;
}

/* ------------------------------------------------------------------ sorting */

int irl__pool_sort(irl_ctx *cx, int count, int *order, const int64_t *key)
{
    irl__arena_mark mark = irl__scratch_begin(cx);
    int            *room = (int *)irl__scratch_room(cx, (size_t)count + 1, sizeof *room);
    int            *from = order, *to = room, *other, run, low;
    for (run = 1; room && run < count; run = run > count / 2 ? count : 2 * run) {
        for (low = 0; low < count;) {
            int middle = count - low > run ? low + run : count;
            int high = count - middle > run ? middle + run : count;
            int a = low, b = middle, k;
            for (k = low; k < high; k++)
                to[k] = b >= high || (a < middle && key[from[a]] <= key[from[b]]) ? from[a++]
                                                                                  : from[b++];
            low = high;
        }
        other = from;
        from = to;
        to = other;
    }
    if (room && from != order) memcpy(order, from, (size_t)count * sizeof *order);
    irl__scratch_end(cx, mark);
    return room != NULL;
}

/* The placement f->at needs `bytes`. */
static void irl__pool_keep(irl__pool *f, int64_t bytes)
{
    if (f->is_placed && bytes >= f->best_bytes) return;
    f->is_placed = 1;
    f->best_bytes = bytes;
    memcpy(f->best, f->at, (size_t)f->count * sizeof *f->best);
}

/* Nothing needs less than what is alive at once. */
static int irl__pool_is_least(const irl__pool *f)
{
    return f->is_placed && f->best_bytes == f->lower;
}

/* ------------------------------------------------------------------ in time */

/* A segment of the memory, free or not, in the order of addresses. */
typedef struct irl__segment {
    int64_t at, end;
    int     before, after;           /* -1: none */
    int     free_before, free_after; /* of a free one: in the list of these */
    int     is_free;
} irl__segment;

enum {
    IRL__SWEEP_HEAD, /* of the free ones; no segment itself */
    IRL__SWEEP_LAST  /* is free up to INT64_MAX, and in no list */
};
typedef struct irl__sweep {
    irl__pool    *f;
    irl__segment *list;
    int           used, spare; /* spare: a chain by `after` */
    int          *where; /* of each item that is alive, its segment */
    int64_t       top;   /* the memory needed so far */
} irl__sweep;

static void irl__sweep_link(irl__sweep *s, int k)
{
    irl__segment *one = &s->list[k];
    one->is_free = 1;
    one->free_before = IRL__SWEEP_HEAD;
    one->free_after = s->list[IRL__SWEEP_HEAD].free_after;
    if (one->free_after >= 0) s->list[one->free_after].free_before = k;
    s->list[IRL__SWEEP_HEAD].free_after = k;
}

static void irl__sweep_unlink(irl__sweep *s, int k)
{
    irl__segment *one = &s->list[k];
    one->is_free = 0;
    s->list[one->free_before].free_after = one->free_after;
    if (one->free_after >= 0) s->list[one->free_after].free_before = one->free_before;
}

/* A new segment in front of k: [at, end). */
static int irl__sweep_insert(irl__sweep *s, int k, int64_t at, int64_t end)
{
    int           n = s->spare >= 0 ? s->spare : s->used++;
    irl__segment *one = &s->list[n];
    if (n == s->spare) s->spare = one->after;
    memset(one, 0, sizeof *one);
    one->at = at;
    one->end = end;
    one->before = s->list[k].before;
    one->after = k;
    if (one->before >= 0) s->list[one->before].after = n;
    s->list[k].before = n;
    return n;
}

/* Segment k, which is in no list, goes: the next one, which is free, holds its bytes. */
static void irl__sweep_join(irl__sweep *s, int k)
{
    irl__segment *one = &s->list[k];
    s->list[one->after].at = one->at;
    s->list[one->after].before = one->before;
    if (one->before >= 0) s->list[one->before].after = one->after;
    one->after = s->spare;
    s->spare = k;
}

static void irl__sweep_die(irl__sweep *s, int item)
{
    int k = s->where[item], before = s->list[k].before, after = s->list[k].after;
    if (s->list[after].is_free) irl__sweep_join(s, k), k = after;
    else irl__sweep_link(s, k);
    if (before < 0 || !s->list[before].is_free) return;
    irl__sweep_unlink(s, before);
    irl__sweep_join(s, before);
}

/* One gap more to choose from. What makes the memory grow is the last choice. */
typedef struct irl__choice {
    int     segment, grows; /* segment -1: none yet */
    int64_t at, rest;       /* where in it; what is left of the gap, or what the memory grows by */
} irl__choice;

static void irl__sweep_consider(const irl__sweep *s, const irl_plan_item *item, int k,
                                irl__choice *best)
{
    int64_t at, end;
    if (!irl__pool_up(s->list[k].at, item->align, &at) || !irl__add64(at, item->size, &end) ||
        end > s->list[k].end)
        return;
    int     grows = k == IRL__SWEEP_LAST && end > s->top;
    int64_t rest = grows ? end - s->top : (k == IRL__SWEEP_LAST ? s->top : s->list[k].end) - end;
    if (best->segment >= 0 &&
        (grows > best->grows || (grows == best->grows && rest >= best->rest)))
        return;
    best->segment = k;
    best->grows = grows;
    best->at = at;
    best->rest = rest;
}

/* The gap that is filled best; the end counts as one up to what is needed so far. */
static irl__choice irl__sweep_choose(irl__sweep *s, const irl_plan_item *item)
{
    irl__choice best;
    int         k, seen = 0;
    memset(&best, 0, sizeof best);
    best.segment = -1;
    irl__sweep_consider(s, item, IRL__SWEEP_LAST, &best);
    for (k = s->list[IRL__SWEEP_HEAD].free_after; k >= 0 && seen++ < IRL__POOL_SCAN;
         k = s->list[k].free_after)
        irl__sweep_consider(s, item, k, &best);
    s->f->steps_left -= 1 + seen;
    return best;
}

static int irl__sweep_bear(irl__sweep *s, int number)
{
    const irl_plan_item *item = &s->f->items[number];
    const irl__choice    gap = irl__sweep_choose(s, item);
    const int64_t        end = gap.at + item->size;
    const int            k = gap.segment;
    if (k < 0) return 0;
    if (gap.at > s->list[k].at)
        irl__sweep_link(s, irl__sweep_insert(s, k, s->list[k].at, gap.at));
    s->where[number] = irl__sweep_insert(s, k, gap.at, end);
    s->list[k].at = end;
    if (k != IRL__SWEEP_LAST && s->list[k].at == s->list[k].end) {
        irl__sweep_unlink(s, k);
        irl__sweep_join(s, k); /* empty: the next one is not free, and begins where it did */
    }
    s->f->at[number] = gap.at;
    if (end > s->top) s->top = end;
    return 1;
}

/* Things are born in the order `births` and die in the order `deaths`. */
static int irl__pool_in_time(irl__pool *f, const int *births, const int *deaths, int is_backwards)
{
    const irl_plan_item *items = f->items;
    irl__sweep           s;
    int                  k, dead = 0, fits = 1;
    memset(&s, 0, sizeof s);
    s.f = f;
    s.list = (irl__segment *)irl__scratch_room(f->cx, 2 * (size_t)f->count + 4, sizeof *s.list);
    s.where = (int *)irl__scratch_room(f->cx, (size_t)f->count + 1, sizeof *s.where);
    if (!s.list || !s.where) return 0;
    memset(s.list, 0, 2 * sizeof *s.list);
    s.list[IRL__SWEEP_HEAD].free_after = -1;
    s.list[IRL__SWEEP_LAST].end = INT64_MAX;
    s.list[IRL__SWEEP_LAST].before = s.list[IRL__SWEEP_LAST].after = -1;
    s.list[IRL__SWEEP_LAST].is_free = 1;
    s.used = 2;
    s.spare = -1;
    for (k = 0; fits && k < f->count; k++) {
        const irl_plan_item *one = &items[births[k]];
        while (dead < k && (is_backwards ? items[deaths[dead]].first > one->last
                                         : items[deaths[dead]].last < one->first))
            irl__sweep_die(&s, deaths[dead++]);
        fits = irl__sweep_bear(&s, births[k]);
    }
    if (fits) irl__pool_keep(f, s.top);
    return 1;
}

static void irl__pool_reverse(int count, int *order)
{
    for (int k = 0; k < count / 2; k++) {
        int other = order[k];
        order[k] = order[count - 1 - k];
        order[count - 1 - k] = other;
    }
}

/* Forwards, and backwards. */
static int irl__pool_both_times(irl__pool *f)
{
    if (!irl__pool_in_time(f, f->by_first, f->by_last, 0)) return 0;
    if (irl__pool_is_least(f)) return 1;
    irl__pool_reverse(f->count, f->by_first);
    irl__pool_reverse(f->count, f->by_last);
    return irl__pool_in_time(f, f->by_last, f->by_first, 1);
}

/* ------------------------------------------------------------------ by an order */

/* Which are alive together; f->conflicts.other stays NULL where they are too many. */
static int irl__pool_conflicts(irl__pool *f)
{
    const int64_t most = (int64_t)IRL__POOL_PAIRS * f->count;
    int          *alive = (int *)irl__scratch_room(f->cx, (size_t)f->count + 1, sizeof *alive);
    int          *pairs = NULL, *start, *other, k, j, kept, n = 0;
    start = IRL__SCRATCH(f->cx, int, (size_t)f->count + 2);
    if (!alive || !start) return 0;
    pairs = (int *)irl__scratch_room(f->cx, 2 * (size_t)most + 2, sizeof *pairs);
    if (!pairs) return 0;
    for (k = 0, kept = 0; k < f->count; k++) {
        const int born = f->by_first[k], was = kept;
        for (j = 0, kept = 0; j < was; j++) {
            if (f->items[alive[j]].last < f->items[born].first) continue;
            if (n >= most) return 1;
            alive[kept++] = alive[j];
            pairs[2 * n] = alive[j];
            pairs[2 * n++ + 1] = born;
            start[alive[j] + 2]++;
            start[born + 2]++;
        }
        alive[kept++] = born;
    }
    other = (int *)irl__scratch_room(f->cx, 2 * (size_t)n + 1, sizeof *other);
    if (!other) return 0;
    for (k = 2; k <= f->count; k++) start[k] += start[k - 1];
    for (k = 0; k < n; k++) { /* start[k + 1] moves from the first of k to behind its last */
        other[start[pairs[2 * k] + 1]++] = pairs[2 * k + 1];
        other[start[pairs[2 * k + 1] + 1]++] = pairs[2 * k];
    }
    f->conflicts.start = start;
    f->conflicts.other = other;
    f->steps_left -= n;
    return 1;
}

/* What lies already where k may not. */
typedef struct irl__taken {
    int64_t at, end;
} irl__taken;

static void irl__taken_sink(irl__taken *list, int root, int count)
{
    const irl__taken one = list[root];
    int              child;
    while ((child = 2 * root + 1) < count) {
        if (child + 1 < count && list[child + 1].at > list[child].at) child++;
        if (list[child].at <= one.at) break;
        list[root] = list[child];
        root = child;
    }
    list[root] = one;
}

static void irl__taken_sort(irl__taken *list, int count)
{
    int k, j;
    if (count <= 24) {
        for (k = 1; k < count; k++) {
            const irl__taken one = list[k];
            for (j = k; j > 0 && list[j - 1].at > one.at; j--) list[j] = list[j - 1];
            list[j] = one;
        }
        return;
    }
    for (k = count / 2 - 1; k >= 0; k--) irl__taken_sink(list, k, count);
    for (k = count - 1; k > 0; k--) {
        const irl__taken last = list[k];
        list[k] = list[0];
        list[0] = last;
        irl__taken_sink(list, 0, k);
    }
}

/* The gap that leaves the least between what is taken, else the end; -1 beyond 63 bits. */
static int64_t irl__pool_gap(const irl_plan_item *item, const irl__taken *taken, int count)
{
    int64_t from = 0, at, end, best = -1, rest = INT64_MAX;
    for (int k = 0; k < count; k++) {
        if (irl__pool_up(from, item->align, &at) && irl__add64(at, item->size, &end) &&
            end <= taken[k].at && taken[k].at - end < rest) {
            best = at;
            rest = taken[k].at - end;
        }
        if (taken[k].end > from) from = taken[k].end;
    }
    if (best >= 0) return best;
    return irl__pool_up(from, item->align, &at) && irl__add64(at, item->size, &end) ? at : -1;
}

/* Places all in this order; -1 where that needs more than `most`, or than 63 bits. */
static int64_t irl__pool_place(irl__pool *f, const int *order, irl__taken *taken, int64_t most)
{
    int64_t top = 0;
    int     j;
    for (int k = 0; k < f->count; k++) f->at[k] = -1;
    for (int k = 0; k < f->count; k++) {
        const int i = order[k];
        int       n = 0;
        for (j = f->conflicts.start[i]; j < f->conflicts.start[i + 1]; j++) {
            const int other = f->conflicts.other[j];
            if (f->at[other] < 0) continue;
            taken[n].at = f->at[other];
            taken[n++].end = f->at[other] + f->items[other].size;
        }
        irl__taken_sort(taken, n);
        f->steps_left -= 1 + j - f->conflicts.start[i] + 2 * n;
        f->at[i] = irl__pool_gap(&f->items[i], taken, n);
        if (f->at[i] < 0) return -1;
        if (f->at[i] + f->items[i].size > top) top = f->at[i] + f->items[i].size;
        if (top > most) return -1;
    }
    return top;
}

/* What an order goes by: the largest first. */
typedef enum irl__pool_by {
    IRL__POOL_BY_SIZE,
    IRL__POOL_BY_AREA,
    IRL__POOL_BY_LIFE,
    IRL__POOL_BYS
} irl__pool_by;

static int64_t irl__pool_key(const irl_plan_item *item, irl__pool_by by)
{
    int64_t life, area;
    if (!irl__sub64(item->last, item->first, &life)) life = INT64_MAX;
    if (by == IRL__POOL_BY_SIZE) return item->size;
    if (by == IRL__POOL_BY_LIFE) return life;
    return life < INT64_MAX && irl__mul64(item->size, life + 1, &area) ? area : INT64_MAX;
}

typedef struct irl__orders {
    irl__pool  *f;
    int        *order, *now; /* being tried; the best so far, */
    int64_t    *at, bytes;   /* where it places all, and what that needs; */
    int         is_placed;   /* 0: none fits yet */
    irl__taken *taken;
} irl__orders;

static void irl__pool_try(irl__orders *o)
{
    irl__pool    *f = o->f;
    const int64_t bytes = irl__pool_place(f, o->order, o->taken, o->bytes);
    if (bytes < 0) return;
    irl__pool_keep(f, bytes);
    o->is_placed = 1;
    o->bytes = bytes;
    memcpy(o->now, o->order, (size_t)f->count * sizeof *o->now);
    memcpy(o->at, f->at, (size_t)f->count * sizeof *o->at);
}

static uint64_t irl__pool_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Moves what ends at the top forward in the order; what is no worse is gone on from. */
static void irl__pool_repair(irl__orders *o)
{
    irl__pool *f = o->f;
    uint64_t   random = 1;
    int        stale = 0, k, at, to, seen;
    while (f->steps_left > 0 && stale++ < IRL__POOL_STALE && !irl__pool_is_least(f)) {
        const int64_t was = o->bytes;
        for (k = 0, at = 0, seen = 0; k < f->count; k++)
            if (o->at[o->now[k]] + f->items[o->now[k]].size == was &&
                irl__pool_random(&random) % (uint64_t)++seen == 0)
                at = k;
        to = at ? (int)(irl__pool_random(&random) % (uint64_t)at) : 0;
        memcpy(o->order, o->now, (size_t)f->count * sizeof *o->now);
        memmove(o->order + to + 1, o->order + to, (size_t)(at - to) * sizeof *o->order);
        o->order[to] = o->now[at];
        f->steps_left -= f->count;
        irl__pool_try(o);
        if (o->bytes < was) stale = 0;
    }
}

static int irl__pool_orders(irl__pool *f)
{
    const size_t n = (size_t)f->count + 1;
    int64_t     *key = (int64_t *)irl__scratch_room(f->cx, n, sizeof *key);
    irl__orders  o;
    o.f = f;
    o.order = (int *)irl__scratch_room(f->cx, n, sizeof *o.order);
    o.now = (int *)irl__scratch_room(f->cx, n, sizeof *o.now);
    o.at = (int64_t *)irl__scratch_room(f->cx, n, sizeof *o.at);
    o.bytes = INT64_MAX;
    o.is_placed = 0;
    o.taken = (irl__taken *)irl__scratch_room(f->cx, n, sizeof *o.taken);
    if (!key || !o.order || !o.now || !o.at || !o.taken) return 0;
    for (int by = 0; by < IRL__POOL_BYS && !irl__pool_is_least(f) && f->steps_left > 0; by++) {
        for (int k = 0; k < f->count; k++) {
            o.order[k] = k;
            key[k] = -irl__pool_key(&f->items[k], (irl__pool_by)by);
        }
        if (!irl__pool_sort(f->cx, f->count, o.order, key)) return 0;
        irl__pool_try(&o);
    }
    if (o.is_placed) irl__pool_repair(&o);
    return 1;
}

int irl__pool_greedy(irl__pool *f)
{
    if (!irl__pool_both_times(f)) return 0;
    if (irl__pool_is_least(f)) return 1;
    return irl__pool_conflicts(f) && (!f->conflicts.other || irl__pool_orders(f));
}
