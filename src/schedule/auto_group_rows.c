/* auto_group_rows.c - nests over the same rows, of which the first sums up along a row, as in
   softmax and norms, for devices whose work-items run in step: a group makes a row in all of them,
   with what is between them in shared memory.

   needs     auto_nest.c, auto_write.c; auto.c, which tries plans; compute_at, which moves nests
             into the loops of the last one, and bind, which makes a tree of a reduce loop
   promises  one launch for as many of the nests as the steps allow
   cost      nests, squared */
#include "auto.h"

/* Nests of the list: of each its name, and whether a parameter holds its result. */
typedef struct irl__group_rows {
    int         rows, count;              /* loops of rows; nests */
    int64_t     extent[3], along, groups; /* of those loops; of the one along a row; rows in all */
    int64_t     bytes;                    /* of what is between nests */
    const char *name[IRL__AUTO_LOOPS], *loop[IRL__AUTO_LOOPS]; /* that along a row, NULL: none */
    const char *row[3];                                        /* the loops of the last nest */
    int         is_kept[IRL__AUTO_LOOPS], may_contract[IRL__AUTO_LOOPS];
} irl__group_rows;

/* Neighbours along a row are neighbours in memory, or the same element. */
static int irl__rows_is_along(const irl__auto_nest *n, int loop)
{
    for (int k = 0; k < n->row_count; k++)
        if (n->rows[k].step[loop] != 0 && n->rows[k].step[loop] != 1) return 0;
    return 1;
}

/* One more nest, if it goes over the rows of those before it. */
static int irl__rows_add(irl__auto *a, const irl__auto_nest *n, irl__group_rows *q)
{
    const irl_buffer *b = n->store->u.store.buffer;
    const int         at = q->count, last = n->loop_count - 1;
    if (at == 0) {
        q->rows = last;
        q->groups = 1;
        if (!n->is_reduction || last < 1 || last > 3) return 0;
        for (int k = 0; k < last; k++) {
            q->extent[k] = n->loops[k].extent;
            if (!irl__mul64(q->groups, q->extent[k], &q->groups)) return 0;
        }
        q->along = n->loops[last].extent;
        if (2 * q->groups < n->target->units || q->along < n->target->subgroup) return 0;
    }
    if (at == IRL__AUTO_LOOPS || n->is_inside || (n->is_reduction && !n->is_free) ||
        (last != q->rows && (last != q->rows - 1 || n->is_reduction)))
        return 0;
    for (int k = 0; k <= last; k++)
        if (n->loops[k].is_reduce != (n->is_reduction && k == q->rows) ||
            n->loops[k].extent != (k < q->rows ? q->extent[k] : q->along))
            return 0;
    if (last == q->rows && !irl__rows_is_along(n, last)) return 0;
    q->name[at] = n->name;
    q->loop[at] = last == q->rows ? irl__auto_member(n, last) : NULL;
    for (int k = 0; k < q->rows; k++) q->row[k] = irl__auto_member(n, k);
    q->is_kept[at] = irl__func_param_of(a->f, b->data) >= 0;
    q->may_contract[at] = n->is_reduction && irl__auto_may_contract(n, 0);
    q->bytes += (n->is_reduction ? n->target->group_items : last == q->rows ? q->along : 0) *
                (int64_t)irl__type_bytes(b->type);
    q->count++;
    return irl__ok(a->cx);
}

/* The nests as one over the rows, as steps. */
static void irl__rows_write(irl__auto *a, irl__auto_plan *p, const irl__group_rows *q)
{
    const char *item[IRL__AUTO_LOOPS], *outer;
    int64_t     items = a->target->group_items;
    const int   last = q->count - 1;
    while (items > q->along) items /= 2;
    for (int k = 0; k < last; k++)
        if (!q->loop[k])
            irl__auto_step(p, "", "compute_inline(%s);", q->name[k]);
    for (int k = last; k-- > 0;)
        if (q->loop[k])
            irl__auto_step(p, k == last - 1 ? "a group makes a row, which is read again" : "",
                           "compute_at(%s, %s);", q->name[k], q->row[q->rows - 1]);
    for (int k = 0; k <= last; k++) {
        if (!q->loop[k]) continue;
        if (q->may_contract[k]) irl__auto_step(p, "attr(numbers) allows it by default",
                                               "contract(%s);", q->name[k]);
        outer = irl__auto_name(a, q->name[k], "o");
        item[k] = irl__auto_name(a, q->name[k], "l");
        if (!outer || !item[k]) return;
        if (k == last) irl__auto_step(p, "", "(%s, %s) = split(%s, %l);", outer, item[k],
                                      q->loop[k], items);
        else irl__auto_step(p, "", "(%s, %s) = split(%s.ax%d, %l);", outer, item[k], q->name[k],
                            q->rows, items);
        irl__auto_step(p, "", "reorder(%s, %s);", item[k], outer);
        if (k < last && !q->is_kept[k])
            irl__auto_step(p, "", "set_scope(%s, 0, shared);", q->name[k]);
    }
    for (int k = 0; k < q->rows; k++)
        irl__auto_step(p, "", "bind(%s, group.%c);", q->row[k], "xyz"[q->rows - 1 - k]);
    irl__textf(&p->text, "    bind(%s, local.x", item[last]);
    for (int k = 0; k < last; k++)
        if (q->loop[k]) irl__textf(&p->text, ", %s", item[k]);
    irl__text_puts(&p->text, "); // neighbours in a subgroup access neighbouring memory\n");
    p->steps++;
}

int irl__group_rows_join(irl__auto *a, const uint32_t *ids, int count)
{
    irl__arena_mark mark = irl__scratch_begin(a->cx);
    int             joined = 0;
    for (int most = a->target->subgroup ? count : 0; most > 1 && !joined; most--) {
        irl__group_rows q;
        irl__auto_plan p;
        memset(&q, 0, sizeof q);
        for (int k = 0; k < most; k++) {
            const irl_stmt *top = irl__auto_top(a->f, ids[k]);
            const char     *why;
            irl__auto_nest  n;
            if (!top || !irl__auto_may(a, top) || !irl__auto_nest_of(&n, a, top, &why) ||
                !irl__rows_add(a, &n, &q))
                break;
        }
        most = q.count;
        if (most < 2 || !q.loop[most - 1] ||
            q.bytes > a->target->local_bytes / 8 * 7)
            continue;
        irl__auto_plan_begin(a, &p);
        irl__rows_write(a, &p, &q);
        if (irl__auto_try(a, &p)) joined = most;
    }
    irl__scratch_end(a->cx, mark);
    return joined;
}
