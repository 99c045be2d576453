/* images.c - irl_plan_images: images of two dimensions that are alive at different times share
   pools, each an image as wide and as high as the largest in it.

   needs     numbers; the sort of greedy.c
   promises  as irlayout.h says at irl_plan_images
   cost      each image times the pools of its kind that are idle when it is born
   rule      the pool that grows by the least; where none must grow, the one with least waste */
#include "plan.h"

typedef struct irl__image_planner {
    irl_ctx              *cx;
    int                   count;
    const irl_plan_image *items;
    int64_t               most_width, most_height;
    int                  *pool_of;
    irl_plan_image_pool  *pools; /* room for one each */
    int64_t              *busy;  /* of each pool: to the end of which step */
    int                   pool_count;
} irl__image_planner;

static int64_t irl__image_planner_most(int64_t a, int64_t b) { return a > b ? a : b; }

/* The idle pool of its kind that grows least, of those the one with least waste; -1: a new one. */
static int irl__image_planner_choose(const irl__image_planner *s, const irl_plan_image *one)
{
    int64_t least = 0, waste, added, least_waste = 0;
    int     k, best = -1;
    for (k = 0; k < s->pool_count; k++) {
        if (s->pools[k].kind != one->kind || s->busy[k] >= one->first) continue;
        /* Texels that pool k would grow by, and what would be left of it; -1: beyond the limits. */
        const irl_plan_image_pool *pool = &s->pools[k];
        const int64_t              width = irl__image_planner_most(pool->width, one->width);
        const int64_t              height = irl__image_planner_most(pool->height, one->height);
        waste = width * height - one->width * one->height;
        added = width > s->most_width || height > s->most_height
                    ? -1
                    : width * height - pool->width * pool->height;
        if (added < 0 || added > one->width * one->height) continue; /* a new one costs less */
        if (best >= 0 && (added > least || (added == least && waste >= least_waste))) continue;
        best = k;
        least = added;
        least_waste = waste;
    }
    return best;
}

/* The items in order of birth; equal ones as they stand. */
static int *irl__image_planner_order(irl__image_planner *s, int by_last)
{
    int     *order = (int *)irl__scratch_room(s->cx, (size_t)s->count + 1, sizeof *order);
    int64_t *key = (int64_t *)irl__scratch_room(s->cx, (size_t)s->count + 1, sizeof *key);
    if (!order || !key) return NULL;
    for (int k = 0; k < s->count; k++) {
        order[k] = k;
        key[k] = by_last ? s->items[k].last : s->items[k].first;
    }
    return irl__pool_sort(s->cx, s->count, order, key) ? order : NULL;
}

/* Texels of all pools; the most alive at once; of all images. */
static int irl__image_planner_measure(irl__image_planner *s, const int *born,
                                      irl_plan_image_pools *out)
{
    const int *dies = irl__image_planner_order(s, 1);
    int64_t    alive = 0;
    int        k, dead = 0;
    if (!dies) return 0;
    for (k = 0; k < s->count; k++) {
        const irl_plan_image *one = &s->items[born[k]];
        for (; s->items[dies[dead]].last < one->first; dead++)
            alive -= s->items[dies[dead]].width * s->items[dies[dead]].height;
        if (!irl__add64(out->separate, one->width * one->height, &out->separate))
            return IRL__FAIL(s->cx, IRL_ERROR_OVERFLOW, "the texels of %d images do not fit 63 "
                             "bits", s->count);
        alive += one->width * one->height; /* no more than that */
        if (alive > out->lower_bound) out->lower_bound = alive;
    }
    for (k = 0; k < s->pool_count; k++) out->texels += s->pools[k].width * s->pools[k].height;
    return 1;
}

static int irl__image_planner_answer(irl__image_planner *s, irl_plan_image_pools *out)
{
    const size_t room = (size_t)s->count + 1;
    const int   *born = irl__image_planner_order(s, 0);
    s->pool_of = IRL__NEW(s->cx, int, room);
    s->pools = IRL__NEW(s->cx, irl_plan_image_pool, room);
    s->busy = (int64_t *)irl__scratch_room(s->cx, room, sizeof *s->busy);
    if (!born || !s->pool_of || !s->pools || !s->busy) return 0;
    for (int k = 0; k < s->count; k++) {
        const irl_plan_image *one = &s->items[born[k]];
        int                   j = irl__image_planner_choose(s, one);
        if (j < 0) {
            j = s->pool_count++;
            memset(&s->pools[j], 0, sizeof *s->pools);
            s->pools[j].kind = one->kind;
        }
        irl_plan_image_pool *pool = &s->pools[j];
        pool->width = irl__image_planner_most(pool->width, one->width);
        pool->height = irl__image_planner_most(pool->height, one->height);
        s->busy[j] = one->last;
        s->pool_of[born[k]] = j;
    }
    out->count = s->count;
    out->pool_of = s->pool_of;
    out->pool_count = s->pool_count;
    out->pools = s->pools;
    return irl__image_planner_measure(s, born, out);
}

static int irl__image_planner_check(const irl__image_planner *s)
{
    for (int k = 0; k < s->count; k++) {
        const irl_plan_image *one = &s->items[k];
        if (one->width < 1 || one->height < 1 || one->width > s->most_width ||
            one->height > s->most_height)
            return IRL__FAIL(s->cx, IRL_ERROR_BAD_ARGUMENT, "image %d: %l by %l texels; 1 by 1 to "
                             "%l by %l are expected", k, one->width, one->height, s->most_width,
                             s->most_height);
        if (one->last < one->first)
            return IRL__FAIL(s->cx, IRL_ERROR_BAD_ARGUMENT, "image %d: the last use comes before "
                             "the first; found %l", k, one->last);
    }
    return 1;
}

const irl_plan_image_pools *irl_plan_images(irl_ctx *cx, int count, const irl_plan_image *images,
                                            int64_t most_width, int64_t most_height)
{
    irl_plan_image_pools *out;
    irl__image_planner    s;
    if (!cx || !irl__ok(cx)) return NULL;
    if (count < 0 || (count && !images) || count > IRL_MAX_PLAN_ITEMS || most_width < 1 ||
        most_height < 1 || most_width > INT32_MAX || most_height > INT32_MAX) {
        IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "irl_plan_images takes 0 to %d images%s and limits "
                  "of 1 to %d texels; found %d images and %l by %l", IRL_MAX_PLAN_ITEMS,
                  count && !images ? " at NULL" : "", INT32_MAX, count, most_width, most_height);
        return NULL;
    }
    memset(&s, 0, sizeof s);
    s.cx = cx;
    s.count = count;
    s.items = images;
    s.most_width = most_width;
    s.most_height = most_height;
    out = IRL__NEW(cx, irl_plan_image_pools, 1);
    if (!out || !irl__image_planner_check(&s)) return NULL;
    irl__arena_mark mark = irl__scratch_begin(cx);
    int             ok = irl__image_planner_answer(&s, out);
    irl__scratch_end(cx, mark);
    return ok ? out : NULL;
}
