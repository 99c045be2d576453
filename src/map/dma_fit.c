/* dma_fit.c - maps a nest of copies to the fields of a DMA controller.

   needs     only arithmetic
   promises  every field of a transfer is within its limits; a transfer that does not fit is refused
             with the field's name and the split that would fit, or is split if that was requested;
             the transfers copy the same bytes as before

   The levels of a nest may be exchanged, because no byte is written twice. A controller's level 0
   is a run of beats, each side of which advances by a beat, or does not move if the controller can
   do that. */
#include "dma.h"

/* ------------------------------------------------------------------ what does not fit */

typedef enum irl__dma_refusal_kind {
    IRL__DMA_FITS,
    IRL__DMA_LEVELS,
    IRL__DMA_COUNT,
    IRL__DMA_BLOCK,
    IRL__DMA_SOURCE,
    IRL__DMA_TARGET,
    IRL__DMA_BOTH
} irl__dma_refusal_kind;

typedef struct irl__dma_refusal {
    irl__dma_refusal_kind kind;
    int                   slot;  /* of the controller */
    int                   level; /* of the nest */
    int64_t               found, most;
} irl__dma_refusal;

/* A nest's levels in a controller's slots. */
typedef struct irl__dma_placed {
    irl_dma_level slot[IRL_DMA_LEVELS];
    int           level[IRL_DMA_LEVELS]; /* of the nest; -1: none, the count is 1 */
    int           rest;                  /* levels behind slot 0 */
} irl__dma_placed;

typedef struct irl__dma_fitter {
    irl_ctx                  *cx;
    const irl_dma_controller *c;
    int64_t                   beat, most;
    int                       split;
    irl__dma_work            *todo; /* stb_ds arrays in scratch memory */
    irl_dma_transfer         *done;
    int64_t                   number; /* of the nest that is looked at */
} irl__dma_fitter;

/* ------------------------------------------------------------------ levels into slots */

/* Whether one side of level 0 can advance by `stride` bytes. */
static int irl__dma_run_stride(const irl_dma_controller *c, int64_t beat, int64_t stride)
{
    const irl_dma_level_limits *limit = &c->level[0];
    const int64_t               step = c->steps_in_beats ? stride / beat : stride;
    if (stride == beat || (stride == 0 && c->may_stay)) return 1;
    if (stride % beat != 0 || step < limit->least_step || step > limit->most_step) return 0;
    if (limit->least_step == 0 && limit->most_step == 0) return 0;
    const uint64_t size = stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
    return !c->has_power_steps || (size != 0 && (size & (size - 1)) == 0);
}

int irl__dma_may_run(const irl_dma_controller *c, int64_t beat, const irl_dma_level *level)
{
    return (level->source || level->target) && irl__dma_run_stride(c, beat, level->source) &&
           irl__dma_run_stride(c, beat, level->target);
}

/* The level that is tried first as slot 0: of beats that are adjacent on both sides; else any that
   can be. -1: none. */
static int irl__dma_run_level(const irl__dma_fitter *f, const irl__dma_work *w)
{
    for (int k = 0; k < w->level_count; k++)
        if (w->level[k].source == f->beat && w->level[k].target == f->beat) return k;
    for (int k = 0; k < w->level_count; k++)
        if (irl__dma_may_run(f->c, f->beat, &w->level[k])) return k;
    return -1;
}

static irl__dma_refusal irl__dma_refuse(irl__dma_refusal_kind kind, const irl__dma_placed *p,
                                        int slot, int64_t found, int64_t most)
{
    irl__dma_refusal r = { kind, slot, p && slot >= 0 ? p->level[slot] : -1, found, most };
    return r;
}

/* How many levels block_field counts together. */
static int irl__dma_block_levels(const irl_dma_controller *c)
{
    return c->block_levels ? c->block_levels : c->level_count < 2 ? 1 : 2;
}

/* The largest number in block_field; 0: any. */
static int64_t irl__dma_block_bytes(const irl__dma_fitter *f, const irl__dma_placed *p)
{
    const int64_t block = f->c->block_bytes, fewer = f->c->offset_block_bytes;
    for (int k = 1; fewer && k < f->c->level_count; k++)
        if (p->slot[k].source_step || p->slot[k].target_step)
            return block && block < fewer ? block : fewer;
    return block;
}

/* The steps of slot k > 0. */
static irl__dma_refusal irl__dma_step_limits(const irl__dma_fitter *f, const irl__dma_placed *p,
                                             int k)
{
    const irl_dma_level_limits *limit = &f->c->level[k];
    const int64_t unit = f->c->steps_in_beats ? f->beat : 1,
                  source = p->slot[k].source_step / unit, target = p->slot[k].target_step / unit;
    if (p->slot[k].count == 1) return irl__dma_refuse(IRL__DMA_FITS, p, k, 0, 0);
    if (source < limit->least_step || source > limit->most_step)
        return irl__dma_refuse(IRL__DMA_SOURCE, p, k, source, limit->most_step);
    if (target < limit->least_step || target > limit->most_step)
        return irl__dma_refuse(IRL__DMA_TARGET, p, k, target, limit->most_step);
    return irl__dma_refuse(f->c->has_one_step && source && target && source != target
                               ? IRL__DMA_BOTH
                               : IRL__DMA_FITS,
                           p, k, source, target);
}

/* The first field that is beyond its limits. */
static irl__dma_refusal irl__dma_limits(const irl__dma_fitter *f, const irl__dma_placed *p)
{
    const int64_t block = irl__dma_block_bytes(f, p);
    int64_t       room = block / f->beat; /* of the levels that the block counts */
    for (int k = 0; k < f->c->level_count; k++) {
        const int64_t count = p->slot[k].count, most = f->c->level[k].most_count;
        if (k == 0 && most && count > most)
            return irl__dma_refuse(IRL__DMA_COUNT, p, k, count, most);
        if (block && k < irl__dma_block_levels(f->c) && count > room)
            return irl__dma_refuse(IRL__DMA_BLOCK, p, k, count, room);
        if (most && count > most) return irl__dma_refuse(IRL__DMA_COUNT, p, k, count, most);
        room /= count;
        const irl__dma_refusal step = irl__dma_step_limits(f, p, k);
        if (k && step.kind != IRL__DMA_FITS) return step;
    }
    return irl__dma_refuse(IRL__DMA_FITS, p, 0, 0, 0);
}

/* The nest in the slots: level `run` in slot 0 (-1: none, a beat), the others in this order. 0: the
   order is of more levels than there are. */
static int irl__dma_fill(const irl__dma_fitter *f, const irl__dma_work *w, int run,
                         const int *order, irl__dma_placed *p)
{
    int rest[IRL__DMA_DEPTH + 1], n = 0, k;
    memset(p, 0, sizeof *p);
    for (k = 0; k < w->level_count; k++)
        if (k != run) rest[n++] = k;
    p->rest = n;
    for (k = 0; k < IRL_DMA_LEVELS; k++) {
        const int level = k == 0 ? run : k <= n ? order[k - 1] : -1;
        p->level[k] = k && level >= 0 && level < n ? rest[level] : k ? -1 : run;
        p->slot[k].count = 1;
        if (p->level[k] >= 0) p->slot[k] = w->level[p->level[k]];
    }
    for (k = 1; k <= n && p->level[k] >= 0; k++) {}
    if (k <= n) return 0;
    if (run < 0) p->slot[0].source = p->slot[0].target = f->beat;
    /* The steps that the controller's fields hold; of level 0 they are what a beat advances.
       `source`, `target`: how far the level below came. */
    int64_t source = p->slot[0].source * p->slot[0].count,
            target = p->slot[0].target * p->slot[0].count;
    p->slot[0].source_step = p->slot[0].source;
    p->slot[0].target_step = p->slot[0].target;
    for (int j = 1; j < f->c->level_count; j++) {
        irl_dma_level *one = &p->slot[j];
        if (one->count == 1) continue; /* its steps stay 0: nothing comes after it */
        one->source_step = one->source - (f->c->is_relative ? source : 0);
        one->target_step = one->target - (f->c->is_relative ? target : 0);
        source = one->source * one->count;
        target = one->target * one->count;
    }
    return 1;
}

/* The nest in the controller's slots, with a level in slot 0 and an order of the others in which
   all fields fit; else what does not, with the level and the order that are tried first. */
static irl__dma_refusal irl__dma_place(const irl__dma_fitter *f, const irl__dma_work *w,
                                       irl__dma_placed *p)
{
    static const int orders[6][3] = { { 0, 1, 2 }, { 1, 0, 2 }, { 0, 2, 1 },
                                      { 2, 0, 1 }, { 1, 2, 0 }, { 2, 1, 0 } };
    const int        run = irl__dma_run_level(f, w), rest = w->level_count - (run >= 0);
    irl__dma_refusal first = irl__dma_refuse(IRL__DMA_LEVELS, NULL, -1, rest + 1,
                                             f->c->level_count);
    irl__dma_placed  try_it;
    if (rest > f->c->level_count - 1) return first;
    for (int other = -1; other < w->level_count; other++) {
        const int level = other < 0 ? run : other;
        if (other >= 0 &&
            (other == run || !irl__dma_may_run(f->c, f->beat, &w->level[other])))
            continue;
        for (int order = 0; order < 6; order++) {
            if (!irl__dma_fill(f, w, level, orders[order], &try_it)) continue;
            const irl__dma_refusal now = irl__dma_limits(f, &try_it);
            if (first.kind == IRL__DMA_LEVELS || now.kind == IRL__DMA_FITS) {
                first = now;
                *p = try_it;
            }
            if (now.kind == IRL__DMA_FITS) return now;
        }
    }
    return first;
}

/* ------------------------------------------------------------------ splits */

/* The most steps of a level that may be the inner of two: what its field holds, and the step of the
   outer one. */
static int64_t irl__dma_most_inner(const irl__dma_fitter *f, const irl__dma_placed *p,
                                   const irl__dma_refusal *r)
{
    const irl_dma_level *one = &p->slot[r->slot];
    const int64_t        source = one->source < 0 ? -one->source : one->source,
                  target = one->target < 0 ? -one->target : one->target,
                  stride = source > target ? source : target;
    if (f->c->is_relative || stride == 0 || r->slot + 1 >= f->c->level_count) return r->most;
    const int64_t step = f->c->level[r->slot + 1].most_step,
                  most = step / (f->c->steps_in_beats ? stride / f->beat : stride);
    return most < r->most ? most : r->most;
}

/* A level whose count is too large, with a free slot: the largest count that divides it. 1: there
   is none, or no slot. */
static int64_t irl__dma_divisor(const irl__dma_fitter *f, const irl__dma_placed *p,
                                const irl__dma_refusal *r)
{
    const int64_t n = p->slot[r->slot].count;
    int64_t       most, best = 1;
    if (p->rest >= f->c->level_count - 1) return 1;
    most = irl__dma_most_inner(f, p, r);
    for (int64_t d = 1; d <= n / d; d++) { /* divisors come in pairs */
        if (n % d != 0) continue;
        if (d <= most && d > best) best = d;
        if (n / d <= most && n / d > best) best = n / d;
    }
    return best;
}

/* Where the divisor leaves more than the free slots hold, the level is cut in front of what is left
   over by its most steps; 0: it is not so. */
static int64_t irl__dma_whole_part(const irl__dma_fitter *f, const irl__dma_placed *p,
                                   const irl__dma_refusal *r, int64_t divisor)
{
    const int64_t n = p->slot[r->slot].count;
    int64_t       room = 1, most, block = f->c->block_bytes / f->beat / divisor;
    if (p->rest >= f->c->level_count - 1) return 0;
    most = irl__dma_most_inner(f, p, r);
    for (int k = p->rest + 1; k < f->c->level_count; k++) {
        int64_t count = f->c->level[k].most_count ? f->c->level[k].most_count : INT64_MAX;
        if (k < irl__dma_block_levels(f->c) && f->c->block_bytes && block < count) count = block;
        if (!irl__mul64(room, count, &room)) room = INT64_MAX;
    }
    return n / divisor <= room || most <= 1 || n % most == 0 ? 0 : n - n % most;
}

/* The level with the fewest steps besides the run: the one to take apart where they are too many.
 */
static int irl__dma_shortest(const irl__dma_fitter *f, const irl__dma_work *w)
{
    const int run = irl__dma_run_level(f, w);
    int       best = -1;
    for (int k = 0; k < w->level_count; k++)
        if (k != run && (best < 0 || w->level[k].count < w->level[best].count)) best = k;
    return best;
}

static void irl__dma_drop_level(irl__dma_work *w, int k)
{
    for (w->level_count--; k < w->level_count; k++) w->level[k] = w->level[k + 1];
}

/* The nest in parts of `most` steps of level k, the last of fewer; 1: each step by itself. */
static int irl__dma_cut_level(irl__dma_fitter *f, const irl__dma_work *w, int k, int64_t most)
{
    const irl_dma_level level = w->level[k];
    int64_t             pieces = (level.count + most - 1) / most;
    if (pieces > f->most - stbds_arrlen(f->todo) - stbds_arrlen(f->done))
        return IRL__FAIL(f->cx, IRL_ERROR_DMA_LIST, "split for %s the copy takes more than %l "
                         "transfers", f->c->name, f->most);
    for (int64_t at = level.count - level.count % most; at >= 0; at -= most) {
        irl__dma_work part = *w;
        const int64_t left = level.count - at;
        if (left == 0) continue;
        part.source += at * level.source;
        part.target += at * level.target;
        part.level[k].count = left < most ? left : most;
        if (part.level[k].count == 1) irl__dma_drop_level(&part, k);
        if (!IRL__PUSH_SCRATCH(f->cx, f->todo, part)) return 0;
    }
    return 1;
}

/* The level of which the fewest equal parts fit, and the steps of such a part; 0: there is none. */
static int64_t irl__dma_fewest_parts(const irl__dma_fitter *f, const irl__dma_work *w, int *level)
{
    irl__dma_placed p;
    int64_t         most, best = f->most + 1, found = 0;
    for (int k = 0; k < w->level_count; k++) {
        const int64_t n = w->level[k].count;
        for (int64_t parts = 2; parts <= n && parts < best; parts = (n + most - 2) / (most - 1)) {
            irl__dma_work part = *w;
            most = part.level[k].count = (n + parts - 1) / parts;
            if (most == 1) irl__dma_drop_level(&part, k);
            memset(&p, 0, sizeof p);
            if (irl__dma_place(f, &part, &p).kind == IRL__DMA_FITS) {
                best = parts;
                found = most;
                *level = k;
            }
            if (most == 1 || !irl__work(f->cx, 64)) break;
        }
    }
    return found;
}

/* Level k as two: `inner` steps, and how often that. */
static int irl__dma_divide_level(irl__dma_fitter *f, const irl__dma_work *w, int k, int64_t inner)
{
    irl__dma_work  part = *w;
    irl_dma_level *outer = &part.level[part.level_count++];
    *outer = part.level[k];
    outer->count /= inner;
    outer->source *= inner;
    outer->target *= inner;
    part.level[k].count = inner;
    return IRL__PUSH_SCRATCH(f->cx, f->todo, part);
}

/* ------------------------------------------------------------------ the refusals as text */

static int irl__dma_is_step(const irl__dma_refusal *r)
{
    return r->kind == IRL__DMA_SOURCE || r->kind == IRL__DMA_TARGET || r->kind == IRL__DMA_BOTH;
}

/* What is wrong, and the split that would fit. Returns 0. */
static int irl__dma_fail(irl__dma_fitter *f, const irl__dma_work *w, const irl__dma_placed *p,
                         const irl__dma_refusal *r)
{
    const irl_dma_level_limits *limit = &f->c->level[r->slot < 0 ? 0 : r->slot];
    const char                 *field = r->kind == IRL__DMA_COUNT    ? limit->count_field
                                        : r->kind == IRL__DMA_SOURCE ? limit->source_field
                                        : r->kind == IRL__DMA_TARGET ? limit->target_field
                                        : r->kind == IRL__DMA_BOTH   ? limit->target_field
                                        : r->kind == IRL__DMA_BLOCK  ? f->c->block_field
                                                                     : "levels";
    const int64_t inner = r->kind == IRL__DMA_COUNT || r->kind == IRL__DMA_BLOCK
                              ? irl__dma_divisor(f, p, r)
                              : 1;
    const int shortest = irl__dma_shortest(f, w);
    int       level = r->level;
    if (r->kind == IRL__DMA_LEVELS)
        return IRL__FAIL(f->cx, IRL_ERROR_DMA_LIMIT, "%s has %l nested level%s; copy %l needs %l; "
                         "if it is split into %l transfers, each needs %l", f->c->name, r->most,
                         r->most == 1 ? "" : "s", f->number, r->found, w->level[shortest].count,
                         r->found - 1);
    if (irl__dma_is_step(r)) {
        int64_t part = irl__dma_fewest_parts(f, w, &level);
        if (!part) part = 1;
        const int64_t parts = (w->level[level].count + part - 1) / part;
        if (r->kind == IRL__DMA_BOTH)
            return IRL__FAIL(f->cx, IRL_ERROR_DMA_LIMIT, "%s: %s is added to the source, to the "
                             "target, or to both, and copy %l needs %l for the source and %l for "
                             "the target; split into %l transfers it would not need these steps",
                             f->c->name, field, f->number, r->found, r->most, parts);
        return IRL__FAIL(f->cx, IRL_ERROR_DMA_LIMIT, "%s: %s holds %l .. %l, and copy %l needs %l; "
                         "split into %l transfers it would not need that step", f->c->name, field,
                         f->c->level[r->slot].least_step, r->most, f->number, r->found, parts);
    }
    if (inner > 1)
        return IRL__FAIL(f->cx, IRL_ERROR_DMA_LIMIT, "%s: %s is at most %l, and copy %l has %l "
                         "there; two levels, %l times %l, would fit", f->c->name, field, r->most,
                         f->number, r->found, r->found / inner, inner);
    return IRL__FAIL(f->cx, IRL_ERROR_DMA_LIMIT, "%s: %s is at most %l, and copy %l has %l there; "
                     "%l transfers would fit", f->c->name, field, r->most, f->number, r->found,
                     r->most ? (r->found + r->most - 1) / r->most : r->found);
}

/* ------------------------------------------------------------------ one nest after the other */

static int irl__dma_done(irl__dma_fitter *f, const irl__dma_work *w, const irl_dma_level *levels,
                         int count)
{
    irl_dma_transfer t;
    memset(&t, 0, sizeof t);
    t.source = w->source;
    t.target = w->target;
    t.source_wrap = w->source_wrap;
    t.target_wrap = w->target_wrap;
    t.level_count = count;
    t.levels = IRL__COPY(f->cx, irl_dma_level, levels, count);
    return t.levels && IRL__PUSH_SCRATCH(f->cx, f->done, t);
}

static int irl__dma_fit_one(irl__dma_fitter *f, irl__dma_work *w)
{
    irl__dma_placed p;
    memset(&p, 0, sizeof p);
    if (!f->c) {
        /* Without a controller the levels stay as they are, each step its stride. */
        if (w->level_count == 0) {
            w->level[0].count = 1;
            w->level[0].source = w->level[0].target = f->beat;
            w->level_count = 1;
        }
        for (int k = 0; k < w->level_count; k++) {
            w->level[k].source_step = w->level[k].source;
            w->level[k].target_step = w->level[k].target;
        }
        return irl__dma_done(f, w, w->level, w->level_count);
    }
    irl__dma_refusal r = irl__dma_place(f, w, &p);
    if (r.kind == IRL__DMA_FITS) return irl__dma_done(f, w, p.slot, f->c->level_count);
    if (!f->split || w->source_wrap || w->target_wrap) return irl__dma_fail(f, w, &p, &r);
    /* A nest that does not fit as several, or as one of more levels. */
    int64_t inner;
    int     level = r.level;
    if (r.kind == IRL__DMA_LEVELS) return irl__dma_cut_level(f, w, irl__dma_shortest(f, w), 1);
    if (irl__dma_is_step(&r)) {
        inner = irl__dma_fewest_parts(f, w, &level);
        return irl__dma_cut_level(f, w, level, inner ? inner : 1);
    }
    inner = irl__dma_divisor(f, &p, &r);
    int64_t whole = irl__dma_whole_part(f, &p, &r, inner);
    if (whole) return irl__dma_cut_level(f, w, r.level, whole);
    if (inner > 1) return irl__dma_divide_level(f, w, r.level, inner);
    if (r.slot == 0 && p.rest < f->c->level_count - 1)
        return irl__dma_divide_level(f, w, r.level, 1);
    return irl__dma_cut_level(f, w, r.level, r.most);
}

/* ------------------------------------------------------------------ rings

   A run that goes on at the start of a window of 2^k bytes, aligned to them, is one transfer on a
   controller that wraps addresses. */

/* The bytes of a nest that is one run on both sides; 0: it is none. */
static int64_t irl__dma_run_bytes(const irl__dma_work *w, int64_t beat)
{
    if (w->level_count == 0) return beat;
    if (w->level_count != 1 || w->level[0].source != beat || w->level[0].target != beat) return 0;
    return w->level[0].count * beat;
}

/* A run of `bytes` that is done again and again on one side, while the other goes on. */
static void irl__dma_ring_of_one(const irl__dma_fitter *f, irl__dma_work *w)
{
    const int64_t most = INT64_C(1) << f->c->ring_bits;
    irl_dma_level run, again;
    if (w->level_count != 2) return;
    run = w->level[0].source == 0 || w->level[0].target == 0 ? w->level[1] : w->level[0];
    again = w->level[0].source == 0 || w->level[0].target == 0 ? w->level[0] : w->level[1];
    int64_t bytes = run.count * f->beat;
    if (run.source != f->beat || run.target != f->beat || bytes > most || (bytes & (bytes - 1)))
        return;
    if (again.source == 0 && again.target == bytes && w->source % bytes == 0)
        w->source_wrap = bytes;
    else if (again.target == 0 && again.source == bytes && w->target % bytes == 0)
        w->target_wrap = bytes;
    else return;
    run.count *= again.count;
    w->level[0] = run;
    w->level_count = 1;
}

/* The window in which a run that ends at `end` goes on at `next`: its bytes; 0: there is none. */
static int64_t irl__dma_window(const irl__dma_fitter *f, int64_t first, int64_t end, int64_t next,
                               int64_t next_end)
{
    for (int64_t w = f->beat; w <= INT64_C(1) << f->c->ring_bits; w *= 2)
        if (end % w == 0 && next == end - w && first >= next && next_end <= end) return w;
    return 0;
}

/* b goes on where a ends, one side of it by a wrap: a takes b in. */
static int irl__dma_ring_of_two(const irl__dma_fitter *f, irl__dma_work *a,
                                const irl__dma_work *b)
{
    const int64_t n = irl__dma_run_bytes(a, f->beat), m = irl__dma_run_bytes(b, f->beat);
    if (!n || !m || a->source_wrap || a->target_wrap || b->source_wrap || b->target_wrap) return 0;
    if (b->source == a->source + n)
        a->target_wrap = irl__dma_window(f, a->target, a->target + n, b->target, b->target + m);
    else if (b->target == a->target + n)
        a->source_wrap = irl__dma_window(f, a->source, a->source + n, b->source, b->source + m);
    if (!a->source_wrap && !a->target_wrap) return 0;
    a->level[0].count = (n + m) / f->beat;
    a->level[0].source = a->level[0].target = f->beat;
    a->level_count = 1;
    return 1;
}

static int irl__dma_rings(const irl__dma_fitter *f, int count, irl__dma_work *work)
{
    for (int k = 0; k < count; k++) irl__dma_ring_of_one(f, &work[k]);
    for (int k = 0; k < count && count <= IRL__DMA_EXACT; k++)
        for (int j = 0; j < count; j++)
            if (j != k && irl__dma_ring_of_two(f, &work[k], &work[j])) {
                for (count--; j < count; j++) work[j] = work[j + 1];
                break;
            }
    return count;
}

/* ------------------------------------------------------------------ all */

int irl__dma_fit(irl_ctx *cx, irl_dma_list *list, int64_t most, int split, int count,
                 irl__dma_work *work)
{
    irl__dma_fitter f;
    memset(&f, 0, sizeof f);
    f.cx = cx;
    f.c = list->controller;
    f.beat = list->beat;
    f.most = most;
    f.split = split;
    if (f.c && f.c->ring_bits) count = irl__dma_rings(&f, count, work);
    /* Their numbers by where they begin in the target, the least first. NULL when memory is out. */
    int *order = IRL__SCRATCH(cx, int, count + 1), j;
    for (int k = 0; order && k < count; k++) {
        for (j = k; j > 0 && work[order[j - 1]].target > work[k].target; j--)
            order[j] = order[j - 1];
        order[j] = k;
    }
    if (!order) return 0;
    for (f.number = 0; f.number < count; f.number++) {
        /* The nest in fields, split as often as it takes. */
        if (!IRL__PUSH_SCRATCH(f.cx, f.todo, work[order[f.number]])) return 0;
        while (stbds_arrlen(f.todo) > 0) {
            irl__dma_work one = stbds_arrpop(f.todo);
            if (!irl__work(f.cx, 64) || !irl__dma_fit_one(&f, &one)) return 0;
        }
    }
    list->count = (int)stbds_arrlen(f.done);
    list->transfers = IRL__COPY(cx, irl_dma_transfer, f.done, list->count);
    list->source_align = list->target_align = list->beat;
    for (int k = 0; k < list->count; k++) {
        if (f.done[k].source_wrap > list->source_align) list->source_align = f.done[k].source_wrap;
        if (f.done[k].target_wrap > list->target_align) list->target_align = f.done[k].target_wrap;
    }
    return list->transfers != NULL;
}
