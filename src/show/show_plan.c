/* show_plan.c - a plan as SVG: over the launches, left to right, which temporary holds which bytes
   of each pool.

   needs     svg.c; src/plan/module.c
   promises  a rectangle for each temporary in a pool, from the launch that makes it to the last
             that reads it; its height shows its share of the pool's bytes; a line shows the least
             possible size of the pool. If there are more launches than pixels, several share a
             column
   cost      linear in the temporaries */
#include "svg.h"

enum {
    IRL__TIMELINE_LEFT = 96,      /* where the columns begin; numbers of bytes stand in front */
    IRL__TIMELINE_WIDTH = 720,    /* of all columns, at most */
    IRL__TIMELINE_COLUMN = 56,    /* of one, at most */
    IRL__TIMELINE_HEIGHT = 240,   /* of a pool */
    IRL__TIMELINE_TEXT = 64       /* above a pool, and below it */
};

/* at of all, on a scale of `room`: 0 <= at <= all. */
static int irl__timeline_scaled(int64_t at, int64_t all, int room)
{
    while (all > INT64_MAX / room) {
        all /= 2;
        at /= 2;
    }
    return all > 0 ? (int)(at * room / all) : 0;
}

static int irl__timeline_columns(const irl_module_plan *p)
{
    const int all = p->launch_count > 0 ? p->launch_count : 1;
    return all < IRL__TIMELINE_WIDTH / IRL__TIMELINE_COLUMN ? all * IRL__TIMELINE_COLUMN
                                                            : IRL__TIMELINE_WIDTH;
}

static void irl__timeline_number(irl__text *t, int x, int y, int64_t number)
{
    irl__text digits;
    char      room[24];
    irl__text_init_fixed(&digits, room, sizeof room);
    irl__text_int(&digits, number);
    irl__svg_text(t, "irl-a irl-e", x, y, room);
}

/* The rectangle of one, its name in it where it is wide enough, and all of it in its title. */
static void irl__timeline_temporary(irl__text *t, const irl_module_plan *p, int k, int top)
{
    const irl_plan_temporary *one = &p->list[k];
    const irl_plan_pool      *pool = &p->pools[one->pool];
    const int                 width = irl__timeline_columns(p), all = p->launch_count;
    const int x = irl__timeline_scaled(one->first, all, width);
    const int end = irl__timeline_scaled(one->last + 1, all, width);
    const int low = irl__timeline_scaled(one->offset, pool->bytes, IRL__TIMELINE_HEIGHT);
    const int high = irl__timeline_scaled(one->offset + one->bytes, pool->bytes,
                                          IRL__TIMELINE_HEIGHT);
    const int y = top + IRL__TIMELINE_HEIGHT - high;
    irl__text_puts(t, "<g><title>");
    irl__svg_escape(t, one->name);
    irl__textf(t, ": %l bytes at %l, launches %d to %d</title><rect x=\"%d\" y=\"%d\" width=\"%d\" "
                  "height=\"%d\" class=\"irl-k\" fill=\"hsl(%d,60", one->bytes, one->offset,
               one->first, one->last, IRL__TIMELINE_LEFT + x, y, end > x ? end - x : 1,
               high > low ? high - low : 1, k * 47 % 360);
    irl__text_puts(t, "%,72%)\"/>\n");
    if (high - low >= 12 && end - x >= 8 * (int)strlen(one->name))
        irl__svg_text(t, "irl-c", IRL__TIMELINE_LEFT + (x + end) / 2, (y + y + high - low) / 2 + 4,
                      one->name);
    irl__text_puts(t, "</g>\n");
}

static void irl__timeline_pool(irl__text *t, const irl_module_plan *p, int number, int top)
{
    const irl_plan_pool *pool = &p->pools[number];
    const int            width = irl__timeline_columns(p), bottom = top + IRL__TIMELINE_HEIGHT;
    const int            least = bottom - irl__timeline_scaled(pool->lower_bound, pool->bytes,
                                                           IRL__TIMELINE_HEIGHT);
    irl__text head;
    char      room[160];
    irl__text_init_fixed(&head, room, sizeof room);
    irl__textf(&head, "pool %d, %s: %l bytes, at least %l, %l if each had its own memory", number,
               irl_scope_text(pool->scope), pool->bytes, pool->lower_bound, pool->separate);
    irl__svg_text(t, "irl-h", 8, top - 12, room);
    irl__textf(t, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"irl-b\"/>\n",
               IRL__TIMELINE_LEFT, top, width, IRL__TIMELINE_HEIGHT);
    irl__timeline_number(t, IRL__TIMELINE_LEFT - 6, top + 10, pool->bytes);
    irl__timeline_number(t, IRL__TIMELINE_LEFT - 6, bottom, 0);
    for (int k = 0; k < p->count; k++)
        if (p->list[k].pool == number && p->list[k].bytes > 0)
            irl__timeline_temporary(t, p, k, top);
    irl__textf(t, "<path class=\"irl-j\" d=\"M%d %dh%d\"/>\n", IRL__TIMELINE_LEFT, least, width);
    for (int k = 0; k < p->launch_count && width / p->launch_count >= 24; k++) {
        irl__text_init_fixed(&head, room, sizeof room);
        irl__text_int(&head, k);
        irl__svg_text(t, "irl-a irl-n",
                      IRL__TIMELINE_LEFT +
                          irl__timeline_scaled(2 * k + 1, 2 * p->launch_count, width),
                      bottom + 16, room);
    }
}

const char *irl_plan_svg(const irl_module_plan *p)
{
    const int each = IRL__TIMELINE_HEIGHT + IRL__TIMELINE_TEXT;
    irl__text t;
    if (!p || !irl__ok(p->module->cx)) return "";
    int pools = p->pool_count < 32 ? p->pool_count : 32;
    irl__text_init(&t, p->module->cx);
    irl__svg_open(&t, IRL__TIMELINE_LEFT + IRL__TIMELINE_WIDTH + 16, 48 + pools * each,
                  p->module->name);
    irl__textf(&t, "<text x=\"8\" y=\"20\" class=\"irl-g\">plan of ");
    irl__svg_escape(&t, p->module->name);
    irl__textf(&t, ": %d launches, %d temporaries</text>\n", p->launch_count, p->count);
    for (int k = 0; k < pools; k++) irl__timeline_pool(&t, p, k, 64 + k * each);
    irl__svg_close(&t);
    return irl__text_or_empty(irl__text_done(&t));
}
