/* auto_fuse.c - loops that walk through memory as one are one loop.

   needs     auto_write.c
   promises  all rows go on from one iteration of the outer loop to the next as they go on along the
             inner one; the order of what is added up stays
   cost      linear in the nest's rows, times its loops */
#include "auto.h"

/* Are loop k and the one around it one walk for each row? */
static int irl__auto_is_one_walk(const irl__auto_nest *n, int k)
{
    int64_t whole;
    int     j;
    if (n->loops[k].is_reduce != n->loops[k - 1].is_reduce ||
        (n->block && !n->loops[k].is_reduce) || !irl__is_int(n->loops[k].stmt->u.loop.min, 0) ||
        !irl__is_int(n->loops[k - 1].stmt->u.loop.min, 0))
        return 0;
    for (j = 0; j < n->row_count; j++)
        if (!n->rows[j].is_even[k] || !n->rows[j].is_even[k - 1] ||
            !irl__mul64(n->rows[j].step[k], n->loops[k].extent, &whole) ||
            whole != n->rows[j].step[k - 1])
            return 0;
    return 1;
}

/* The loop along which a row goes on from one element to the next, but for no whole vectors of it;
   -1: none is such. */
static int irl__auto_short_along(const irl__auto_nest *n)
{
    const int64_t most = n->target->vector_bytes / irl__auto_bytes(n);
    int           k, j;
    for (k = n->loop_count; k-- > 1;)
        for (j = 0; j < n->row_count; j++)
            if (n->rows[j].step[k] == 1 && irl__auto_lanes(n, k, 1) < most) return k;
    return -1;
}

/* Is each loop one axis of the block, in their order? */
static int irl__auto_are_axes(const irl__auto_nest *n)
{
    int k;
    if (n->block->axis_count != n->loop_count) return 0;
    for (k = 0; k < n->loop_count; k++)
        if (n->block->axes[k].binding != n->loops[k].stmt->u.loop.var) return 0;
    return 1;
}

/* (c, h, w) -> (c, h * 14 + w), of loops first to last. */
static void irl__auto_fused_map(irl__text *t, const irl__auto_nest *n, int first, int last)
{
    int64_t stride;
    int     k, j;
    irl__text_puts(t, "(");
    for (k = 0; k < n->loop_count; k++)
        irl__textf(t, "%s%s", k ? ", " : "", n->loops[k].name);
    irl__text_puts(t, ") -> (");
    for (k = 0; k < n->loop_count; k++) {
        irl__textf(t, "%s%s", k == 0 ? "" : k > first && k <= last ? " + " : ", ",
                   n->loops[k].name);
        for (j = k + 1, stride = 1; k >= first && j <= last; j++)
            stride *= n->loops[j].extent;
        if (k >= first && k < last) irl__textf(t, " * %l", stride);
    }
    irl__text_puts(t, ")");
}

int irl__auto_fuse(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    static const char *const reason = "memory goes on from each of these to the next";
    const int last = irl__auto_short_along(n);
    int       first, k;
    int64_t   all = last < 0 ? 0 : n->loops[last].extent;
    irl__text list;
    for (first = last; first > 0 && irl__auto_is_one_walk(n, first); first--)
        if (!irl__mul64(all, n->loops[first - 1].extent, &all) || all > INT32_MAX) break;
    if (first == last || n->guard_count || (n->block && !irl__auto_are_axes(n))) return 0;
    irl__text_init(&list, a->cx);
    if (n->block) {
        irl__auto_fused_map(&list, n, first, last);
        irl__auto_step(p, reason, "transform_block_layout(%s, %s);", n->name,
                       irl__text_or_empty(irl__text_done(&list)));
    } else {
        for (k = first; k <= last; k++)
            irl__textf(&list, "%s%s", k > first ? ", " : "",
                       irl__text_or_empty(irl__auto_member(n, k)));
        irl__auto_step(p, reason, "fuse(%s);", irl__text_or_empty(irl__text_done(&list)));
    }
    return 1;
}
