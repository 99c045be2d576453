/* auto_rows.c - loops around several nests (softmax as one loop over rows): each nest is decided by
   itself, then the loops around.

   needs     auto.c, which decides a nest and lists those of a loop
   promises  loops whose iterations do not meet become work-items, the others stay in order; where
             the last step is refused, everything in the loops is as it was
   cost      that of the nests, and one table of accesses for each such loop */
#include "auto.h"

/* The loops from `top` on around several statements. 0: there are no such loops, or no loop in
   them. */
static int irl__auto_around_of(irl__auto *a, const irl_stmt *top, irl__auto_nest *n)
{
    const irl_stmt *loops[IRL__AUTO_LOOPS], *list;
    memset(n, 0, sizeof *n);
    n->cx = a->cx;
    n->f = a->f;
    n->target = a->target;
    n->loop_count = irl__auto_around_list(top, loops, &list);
    for (int k = 0; k < n->loop_count; k++) {
        n->last = n->loops[k].stmt = loops[k];
        n->loops[k].is_symbolic = loops[k]->u.loop.extent->op != IRL_OP_INT;
        n->loops[k].extent = n->loops[k].is_symbolic ? 0 : loops[k]->u.loop.extent->u.i;
    }
    return n->loop_count && irl__stmt_holds(list, 1 << IRL__FOR);
}

/* The loops that are bound, those that do not reduce, as steps; 0: one of them has no name. A group
   of its own costs as much as few iterations: of work-items that do little many are one. */
static int irl__auto_around_items(irl__auto *a, irl__auto_nest *n, irl__auto_plan *p)
{
    const int64_t inside = irl__auto_iterations(n->last->u.loop.body, IRL__AUTO_GROUP_LEAST);
    irl__auto_cut cuts[IRL__AUTO_LOOPS];
    memset(cuts, 0, sizeof cuts);
    for (int k = 0; k < n->loop_count; k++) {
        const irl_stmt *loop = irl__auto_top(a->f, n->loops[k].stmt->id);
        if (!loop || n->loops[k].is_reduce) continue;
        cuts[k].outer = irl__sched_loop_name(a->f, loop);
        if (!cuts[k].outer) return 0;
        n->name = loop->u.loop.var->u.name;
    }
    irl__auto_plan_begin(a, p);
    return irl__auto_items(a, n, p, cuts, inside < IRL__AUTO_GROUP_LEAST ? "global" : "group");
}

/* Loops whose iterations meet are marked as those that reduce; how many others there are, and of
   so many iterations (0: not known). */
static int irl__auto_around_meet(irl__auto *a, irl__auto_nest *n, int64_t *items)
{
    irl__accesses t;
    int           k, count = 0;
    *items = 1;
    if (!irl__accesses_of(&t, a->f, NULL)) return 0;
    for (k = 0; k < n->loop_count; k++) {
        const irl_stmt *loop = n->loops[k].stmt;
        n->loops[k].is_reduce =
            irl__loop_carries(&t, irl__loop_of(&t, loop), NULL) != IRL_NO;
        if (n->loops[k].is_reduce) continue;
        count++;
        if (!irl__mul64(*items, n->loops[k].extent, items)) *items = 0;
    }
    return count;
}

/* Are all statements nests of so many iterations that a launch in each iteration of the loop around
   them costs little beside what they compute? */
static int irl__auto_are_launches(irl__auto *a, const irl_stmt *seq)
{
    const char    *why;
    irl__auto_nest n;
    for (int k = 0; k < seq->u.seq.count; k++)
        if (seq->u.seq.stmts[k]->kind != IRL__FOR ||
            !irl__auto_nest_of(&n, a, seq->u.seq.stmts[k], &why) ||
            !irl__auto_has_iterations(&n, IRL__AUTO_LAUNCH))
            return 0;
    return 1;
}

/* Each nest, then the loops around. */
static int irl__auto_rows_inside(irl__auto *a, irl__auto_nest *n, const char **why)
{
    const irl__auto before = *a;
    irl__auto_plan  p;
    int64_t         items;
    int             count = 0, is_bound = 0, k;
    a->deep++;
    a->around = n->last->id;
    if (!a->is_inside) {
        count = irl__auto_around_meet(a, n, &items);
        a->is_inside = (items == 0 || items >= IRL__AUTO_LEAST) && count > 0;
        a->is_inside |= !irl__auto_are_launches(a, n->last->u.loop.body);
        is_bound = a->is_inside && count > 0;
    }
    irl__auto_list_do(a);
    a->deep = before.deep;
    a->around = before.around;
    a->is_inside = before.is_inside;
    *why = "nothing inside it can be improved";
    if (!irl__ok(a->cx) || a->steps == before.steps) return 0;
    if (is_bound && (!irl__auto_around_items(a, n, &p) || !irl__auto_try(a, &p))) {
        irl__auto_back(a, &before);
        *why = a->why;
        return 0;
    }
    for (k = 0; k < n->loop_count && !before.is_inside; k++)
        if (n->loops[k].is_reduce || !is_bound)
            irl__auto_leave(a, n->loops[k].stmt->u.loop.var->u.name,
                            n->loops[k].is_reduce ? "iterations access cells that others write"
                                                  : "each nest inside becomes a separate launch");
    return 1;
}

/* Each nest for all rows, if fewer iterations stay as they are then; else all is as *inside has it,
   with the text behind *before. Whether the nests are apart. */
static int irl__auto_rows_apart(irl__auto *a, uint32_t id, const irl__auto *before,
                                const irl__auto *inside)
{
    const size_t length = inside->text.length - before->text.length;
    const char  *text = (const char *)irl__copy(a->cx, inside->text.data + before->text.length,
                                                length, 1);
    int at;
    if (!text) return 0;
    irl__auto_back(a, before);
    a->left = 0;
    int made = irl__auto_apart(a, id, 1, &at);
    if (made && irl__auto_aparts_do(a, at, made) && a->left < inside->left) return 1;
    irl__auto_back(a, before);
    irl__text_append(&a->text, text, length);
    a->f = inside->f;
    a->steps = inside->steps;
    return 0;
}

int irl__auto_rows_do(irl__auto *a, uint32_t id, const char **why)
{
    const irl__auto before = *a;
    const irl_stmt *top = irl__auto_top(a->f, id);
    irl__auto_nest  n;
    int             is_done = 0;
    if (a->deep >= IRL__AUTO_DEEP || !irl__auto_around_of(a, top, &n)) return 0;
    int64_t all = irl__auto_iterations(top, INT64_MAX / 2);
    a->left = before.is_inside ? before.left : 0;
    if (!a->target->subgroup) is_done = irl__auto_rows_inside(a, &n, why);
    else {
        *why = "it has several statements; each iteration would need a whole group";
        a->left = all;
    }
    if (before.is_inside) return is_done;
    irl__auto inside = *a;
    if (irl__ok(a->cx) && a->left >= IRL__AUTO_KERNELS && a->left >= all / IRL__AUTO_WORTH)
        is_done |= irl__auto_rows_apart(a, id, &before, &inside);
    a->left += before.left;
    return is_done;
}
