/* arena.c - irl_plan_arena: checks its items, places them, and computes the lower bound.

   needs     numbers
   promises  as irlayout.h says at irl_plan_arena
   cost      greedy.c and exact.c; the rest is a sort */
#include "plan.h"

enum {
    IRL__ARENA_STEPS = 1000,       /* of the search, for each item, where nothing else is said; */
    IRL__ARENA_MOST = 3000000,     /* for all, */
    IRL__ARENA_EXACT = 1000000     /* and for few items, which are searched through */
};

static int irl__arena_refuse(irl_ctx *cx, int k, const char *what, int64_t found)
{
    return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "item %d: %s; found %l", k, what, found);
}

static int irl__arena_check(irl_ctx *cx, int k, const irl_plan_item *item)
{
    if (item->size < 0)
        return irl__arena_refuse(cx, k, "a size is 0 bytes or more", item->size);
    if (item->align < 0 || (item->align & (item->align - 1)))
        return irl__arena_refuse(cx, k, "an alignment is a power of two, or 0 for none",
                                 item->align);
    if (item->last < item->first)
        return irl__arena_refuse(cx, k, "the last use comes before the first", item->last);
    return 1;
}

/* The items that need memory; numbers[k] is what number k of these has in the question. */
static int irl__arena_items(irl__pool *f, int count, const irl_plan_item *items, int *numbers)
{
    irl_plan_item *list =
        (irl_plan_item *)irl__scratch_room(f->cx, (size_t)count + 1, sizeof *list);
    if (!list) return 0;
    for (int k = 0; k < count; k++) {
        if (!irl__arena_check(f->cx, k, &items[k])) return 0;
        if (!items[k].size) continue;
        numbers[f->count] = k;
        list[f->count] = items[k];
        if (!list[f->count].align) list[f->count].align = 1;
        f->count++;
    }
    f->items = list;
    return 1;
}

/* In order of birth, the largest first; in order of death. */
static int irl__arena_sort(irl__pool *f)
{
    int64_t *key = (int64_t *)irl__scratch_room(f->cx, (size_t)f->count + 1, sizeof *key);
    f->by_first = (int *)irl__scratch_room(f->cx, (size_t)f->count + 1, sizeof *f->by_first);
    f->by_last = (int *)irl__scratch_room(f->cx, (size_t)f->count + 1, sizeof *f->by_last);
    if (!key || !f->by_first || !f->by_last) return 0;
    for (int k = 0; k < f->count; k++) {
        f->by_first[k] = k;
        key[k] = -f->items[k].size;
    }
    if (!irl__pool_sort(f->cx, f->count, f->by_first, key)) return 0;
    memcpy(f->by_last, f->by_first, (size_t)f->count * sizeof *f->by_last);
    for (int k = 0; k < f->count; k++) key[k] = f->items[k].first;
    if (!irl__pool_sort(f->cx, f->count, f->by_first, key)) return 0;
    for (int k = 0; k < f->count; k++) key[k] = f->items[k].last;
    return irl__pool_sort(f->cx, f->count, f->by_last, key);
}

/* The most that is alive at once, and at which birth. */
static int irl__arena_lower(irl__pool *f, int64_t *when)
{
    int64_t alive = 0;
    int     k, dead = 0;
    for (k = 0; k < f->count; k++) {
        const irl_plan_item *one = &f->items[f->by_first[k]];
        while (f->items[f->by_last[dead]].last < one->first)
            alive -= f->items[f->by_last[dead++]].size;
        if (!irl__add64(alive, one->size, &alive))
            return IRL__FAIL(f->cx, IRL_ERROR_OVERFLOW, "the items alive at step %l have 2^63 "
                             "bytes or more", one->first);
        if (alive <= f->lower) continue;
        f->lower = alive;
        *when = one->first;
    }
    return 1;
}

static int irl__arena_place(irl__pool *f, int64_t most_steps, int *is_least)
{
    f->at = (int64_t *)irl__scratch_room(f->cx, (size_t)f->count + 1, sizeof *f->at);
    f->best = (int64_t *)irl__scratch_room(f->cx, (size_t)f->count + 1, sizeof *f->best);
    if (!f->at || !f->best) return 0;
    f->is_placed = !f->count;
    f->steps_left = most_steps ? most_steps
                    : f->count < IRL__ARENA_MOST / IRL__ARENA_STEPS
                        ? (int64_t)IRL__ARENA_STEPS * f->count
                        : (int64_t)IRL__ARENA_MOST;
    if (f->count && !irl__pool_greedy(f)) return 0;
    if (!f->is_placed)
        return IRL__FAIL(f->cx, IRL_ERROR_OVERFLOW, "at most %l bytes are alive at once, and no "
                         "placement of them was found that ends within 63 bits", f->lower);
    if (!most_steps) f->steps_left = IRL__ARENA_EXACT;
    *is_least = irl__pool_exact(f);
    return irl__ok(f->cx);
}

static int irl__arena_answer(irl__pool *f, int count, const irl_plan_item *items,
                             int64_t most_steps, irl_plan_offsets *out)
{
    int64_t *offsets = IRL__NEW(f->cx, int64_t, count + 1);
    int     *numbers = (int *)irl__scratch_room(f->cx, (size_t)count + 1, sizeof *numbers);
    if (!offsets || !numbers || !irl__arena_items(f, count, items, numbers) ||
        !irl__arena_sort(f) || !irl__arena_lower(f, &out->fullest) ||
        !irl__arena_place(f, most_steps, &out->is_least))
        return 0;
    out->align = 1;
    for (int k = 0; k < f->count; k++) {
        offsets[numbers[k]] = f->best[k];
        if (f->items[k].align > out->align) out->align = f->items[k].align;
    }
    out->bytes = f->best_bytes;
    out->lower_bound = f->lower;
    out->count = count;
    out->offsets = offsets;
    return 1;
}

const irl_plan_offsets *irl_plan_arena(irl_ctx *cx, int count, const irl_plan_item *items,
                                       int64_t most_steps)
{
    irl_plan_offsets *out;
    irl__pool         f;
    if (!cx || !irl__ok(cx)) return NULL;
    if (count < 0 || (count && !items) || count > IRL_MAX_PLAN_ITEMS || most_steps < 0) {
        IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "irl_plan_arena takes 0 to %d items, and 0 steps or "
                  "more; found %d items%s, %l steps", IRL_MAX_PLAN_ITEMS, count,
                  items ? "" : " at NULL", most_steps);
        return NULL;
    }
    memset(&f, 0, sizeof f);
    f.cx = cx;
    out = IRL__NEW(cx, irl_plan_offsets, 1);
    if (!out) return NULL;
    irl__arena_mark mark = irl__scratch_begin(cx);
    int             ok = irl__arena_answer(&f, count, items, most_steps, out);
    irl__scratch_end(cx, mark);
    return ok ? out : NULL;
}
