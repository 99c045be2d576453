/* auto_group_tree.c - reductions with few results whose order is free: work-items of a group add up
   parts, which are put together in shared memory.

   needs     auto_nest.c, auto_write.c; bind, which makes a tree of a reduce loop (reduction.c)
   promises  neighbours in a subgroup read neighbours in memory: along the loop that reduces, or
             along the results where memory goes on along those */
#include "auto.h"

enum {
    IRL__TREE_EACH = 2,  /* iterations that each adds up at least, */
    IRL__TREE_PARTS = 16 /* and where several groups add up a result */
};

typedef struct irl__tree {
    int         loop, cols;  /* that reduces; of results, along local.x, or -1 */
    int64_t     parts, items; /* work-items along them */
    int64_t     share;        /* iterations of which a group adds up a result */
    const char *outer, *part, *group, *item;
} irl__tree;

/* The loop of results along which most operands go on, and none along the loop that reduces; -1. */
static int irl__tree_cols(const irl__auto_nest *n, int loop)
{
    int k, cols = -1;
    for (k = 0; k < n->row_count; k++) {
        if (irl__auto_is_own(n, k)) continue;
        if (n->rows[k].step[loop] == 1) return -1;
        if (irl__auto_along(n, &n->rows[k]) >= 0) cols = irl__auto_along(n, &n->rows[k]);
    }
    return cols >= 0 && !n->loops[cols].is_reduce ? cols : -1;
}

/* The largest power of two that divides it, at most so much. */
static int64_t irl__tree_divisor(int64_t extent, int64_t most)
{
    while (most > 1 && extent % most) most /= 2;
    return most;
}

/* Would tiles of results serve, whose operands are read for many of them? */
static int irl__tree_is_tiled(const irl__auto_nest *n, int64_t results)
{
    for (int k = 0; k < n->row_count; k++)
        if (!irl__auto_is_own(n, k) && irl__auto_reuse(n, &n->rows[k]) < IRL__AUTO_REUSE) return 0;
    return results >= n->target->subgroup * n->target->subgroup;
}

/* Too few results for the device: the iterations that a group adds up of a result, or of each of a
   tile, so that groups are on all of it, each with enough to do. The shares are equal: a condition
   would hide the nest. */
static int64_t irl__tree_share(const irl__auto_nest *n, int loop, int64_t results)
{
    const int64_t all = n->target->group_items, units = n->target->units;
    const int     is_tiled = irl__tree_is_tiled(n, results);
    const int64_t extent = n->loops[loop].extent, least = is_tiled ? 4 * n->target->subgroup
                                                                   : IRL__TREE_PARTS * all;
    const int64_t most = (is_tiled ? units * all * IRL__TREE_PARTS : 4 * units) / results;
    int64_t       groups = irl__auto_extents(n, 1) / least;
    if (!is_tiled && 2 * results > units) return extent;
    if (groups > most) groups = most;
    if (groups > extent) groups = extent;
    while (groups > 1 && extent % groups) groups--;
    return groups > 1 ? extent / groups : extent;
}

static int irl__tree_choose(const irl__auto_nest *n, irl__tree *q)
{
    const int64_t all = n->target->group_items;
    int64_t       results = 1;
    memset(q, 0, sizeof *q);
    /* The longest loop that reduces. */
    int j, best = -1;
    for (j = n->loop_count; j-- > 0;)
        if (n->loops[j].is_reduce && (best < 0 || n->loops[j].extent > n->loops[best].extent))
            best = j;
    q->loop = best;
    if (!n->is_free || q->loop < 0) return 0;
    for (int k = 0; k < n->loop_count; k++)
        if (!n->loops[k].is_reduce && !irl__mul64(results, n->loops[k].extent, &results)) return 0;
    q->share = irl__tree_share(n, q->loop, results);
    if (q->share < n->loops[q->loop].extent) return 1;
    if (results > n->target->units * all / 2) return 0;
    q->cols = irl__tree_cols(n, q->loop);
    q->items = q->cols < 0 ? 1 : irl__tree_divisor(n->loops[q->cols].extent, n->target->subgroup);
    for (q->parts = all / q->items;
         q->parts > 1 && q->parts * IRL__TREE_EACH > n->loops[q->loop].extent;)
        q->parts /= 2;
    return q->parts * q->items >= n->target->subgroup && q->parts > 1;
}

static int irl__tree_names(irl__auto *a, const irl__auto_nest *n, irl__tree *q)
{
    q->outer = irl__auto_name(a, n->loops[q->loop].name, "o");
    q->part = irl__auto_name(a, n->loops[q->loop].name, "l");
    if (!q->outer || !q->part) return 0;
    if (q->items == 1) return 1;
    q->group = irl__auto_name(a, n->loops[q->cols].name, "g");
    q->item = irl__auto_name(a, n->loops[q->cols].name, "l");
    return q->group && q->item;
}

static void irl__tree_order(const irl__auto_nest *n, irl__auto_plan *p, const irl__tree *q)
{
    int k, round, any = 0;
    irl__text_puts(&p->text, "    reorder(");
    for (round = 0; round < 2; round++) {
        for (k = 0; k < n->loop_count; k++) {
            if (n->loops[k].is_reduce != round) continue;
            irl__text_puts(&p->text, any++ ? ", " : "");
            if (k == q->loop) irl__text_puts(&p->text, q->outer);
            else if (q->items > 1 && k == q->cols) irl__text_puts(&p->text, q->group);
            else irl__textf(&p->text, "%s.%s", n->name, n->loops[k].name);
        }
        if (round) continue;
        if (q->items > 1) irl__textf(&p->text, ", %s", q->item);
        irl__textf(&p->text, "%s%s", any++ ? ", " : "", q->part);
    }
    irl__text_puts(&p->text, "); // results, then partial sums, then the terms of a work-item\n");
    p->steps++;
}

/* Loops of results become groups. */
static int irl__tree_groups(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                            const irl__tree *q)
{
    irl__auto_cut cuts[IRL__AUTO_LOOPS];
    int           k, count = 0;
    memset(cuts, 0, sizeof cuts);
    for (k = 0; k < n->loop_count; k++) {
        if (n->loops[k].is_reduce) continue;
        cuts[k].outer = q->items > 1 && k == q->cols ? q->group : irl__auto_member(n, k);
        if (!cuts[k].outer) return 0;
        count++;
    }
    /* One result has no loop that could be groups: one group is made. */
    if (count) return irl__auto_items(a, n, p, cuts, "group");
    const char *group = irl__auto_name(a, n->loops[q->loop].name, "g");
    if (!group) return 0;
    irl__auto_step(p, "one result, so one group", "%s = add_unit_loop(%s);", group, q->part);
    irl__auto_step(p, "", "bind(%s, group.x);", group);
    return 1;
}

int irl__tree_write(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p, int may_contract)
{
    irl__tree q;
    if (!irl__tree_choose(n, &q) || !irl__tree_names(a, n, &q)) return 0;
    if (q.share < n->loops[q.loop].extent) {
        p->made[0] = irl__auto_name(a, n->name, "parts");
        p->again = n->block->name;
        const char *group = irl__auto_name(a, n->loops[q.loop].name, "g");
        if (!p->made[0] || !group) return 0;
        irl__auto_step(p, "few results, and any order is allowed: groups add up shares",
                       "(%s, %s) = split(%s.%s, _, %l);", group, q.part, n->name,
                       n->loops[q.loop].name, q.share);
        irl__auto_step(p, "", "%s = rfactor(%s, 0);", p->made[0], group);
        return 1;
    }
    if (may_contract) irl__auto_step(p, "attr(numbers) allows it by "
                                        "default", "contract(%s);", n->name);
    irl__auto_step(p, "few results, and any order is allowed: the work-items of a group add up "
                      "parts",
                   "(%s, %s) = split(%s.%s, %l);", q.outer, q.part, n->name,
                   n->loops[q.loop].name, q.parts);
    if (q.items > 1)
        irl__auto_step(p, "neighbours in a subgroup access neighbouring memory",
                       "(%s, %s) = split(%s.%s, %l);", q.group, q.item, n->name,
                       n->loops[q.cols].name, q.items);
    irl__tree_order(n, p, &q);
    if (!irl__tree_groups(a, n, p, &q)) return 0;
    if (q.items > 1) irl__auto_step(p, "", "bind(%s, local.x);", q.item);
    irl__auto_step(p, "", "bind(%s, local.%c);", q.part, q.items > 1 ? 'y' : 'x');
    return 1;
}
