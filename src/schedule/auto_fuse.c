/* auto_fuse.c - loops that walk through memory as one are one loop.

   needs     auto_write.c
   promises  all rows go on from one iteration of the outer loop to the next as they go on along the
             inner one; the order of what is added up stays
   cost      linear in the nest's rows, times its loops; of results, times its loops again */
#include "auto.h"

/* Does each row go on with loop k where so many iterations of loop `inner` end? */
static int irl__auto_goes_on(const irl__auto_nest *n, int k, int inner, int64_t extent)
{
    int64_t whole;
    for (int j = 0; j < n->row_count; j++)
        if (!n->rows[j].is_even[inner] || !n->rows[j].is_even[k] ||
            !irl__mul64(n->rows[j].step[inner], extent, &whole) || whole != n->rows[j].step[k])
            return 0;
    return 1;
}

/* Are loop k and the one around it, which may begin anywhere, one walk for each row? */
static int irl__auto_is_one_walk(const irl__auto_nest *n, int k)
{
    return n->loops[k].is_reduce == n->loops[k - 1].is_reduce &&
           (!n->block || n->loops[k].is_reduce) &&
           irl__is_int(n->loops[k].stmt->u.loop.min, 0) &&
           irl__auto_goes_on(n, k - 1, k, n->loops[k].extent);
}

/* Loops that become one: the innermost of them first, each going on where the ones before it
   end. */
typedef struct irl__auto_flat {
    int     count, loops[IRL__AUTO_LOOPS];
    int64_t extent; /* of all of them */
} irl__auto_flat;

static int irl__auto_is_flattened(const irl__auto_flat *q, int loop)
{
    int k;
    for (k = 0; k < q->count && q->loops[k] != loop; k++) {}
    return k < q->count;
}

/* Does an operand's guard depend on the loop? */
static int irl__auto_is_guard_of(const irl__auto_nest *n, int loop)
{
    for (int k = 0; k < n->guard_count; k++)
        if (irl__expr_uses_var(n->guards[k], n->loops[loop].stmt->u.loop.var)) return 1;
    return 0;
}

/* May operands be guarded there? By the outermost of the loops alone, and so that its border is
   still looked at iteration by iteration (irl__auto_interior) where it is so much longer. */
static int irl__auto_is_border(const irl__auto_nest *n, const irl__auto_flat *q)
{
    const int       outer = q->loops[q->count - 1];
    const irl_stmt *s = n->loops[outer].stmt;
    const int64_t   inner = q->extent / n->loops[outer].extent, min = s->u.loop.min->u.i;
    int64_t         lo, hi;
    for (int k = 0; k < q->count - 1; k++)
        if (irl__auto_is_guard_of(n, q->loops[k])) return 0;
    if (!irl__auto_is_guard_of(n, outer)) return 1;
    irl__auto_interior(n, outer, &lo, &hi);
    return (lo - min) * inner <= IRL__AUTO_BORDER &&
           (min + n->loops[outer].extent - hi) * inner <= IRL__AUTO_BORDER;
}

/* Is loop k part of a walk that is worth one loop? Of a reduction always: there are fewer levels of
   partial results. Of results where loop k is too little for a work-item, unless iterations of the
   loop around it read the same rows. */
static int irl__auto_is_part_of_walk(const irl__auto_nest *n, int k, int64_t lanes)
{
    return irl__auto_is_one_walk(n, k) &&
           (n->is_reduction || (n->loops[k].extent < lanes * IRL__AUTO_SHORT &&
                                !irl__auto_is_shared(n, k - 1, IRL__AUTO_NEAR)));
}

/* The loop along which a row is contiguous, if whole vectors do not divide it, or if it is part of
   a longer walk; -1: there is none. */
static int irl__auto_short_along(const irl__auto_nest *n)
{
    const int64_t most = n->target->vector_bytes / irl__auto_bytes(n);
    for (int k = n->loop_count; k-- > 1;)
        for (int j = 0; j < n->row_count; j++)
            if (n->rows[j].step[k] == 1 && (irl__auto_lanes(n, k, 1) < most ||
                                            irl__auto_is_part_of_walk(n, k, most)))
                return k;
    return -1;
}

/* (c, h, w) -> (c, h * 14 + w), of loops first to last. */
static void irl__auto_fused_map(irl__text *t, const irl__auto_nest *n, int first, int last)
{
    int64_t stride;
    int     j;
    irl__text_puts(t, "(");
    for (int k = 0; k < n->loop_count; k++)
        irl__textf(t, "%s%s", k ? ", " : "", n->loops[k].name);
    irl__text_puts(t, ") -> (");
    for (int k = 0; k < n->loop_count; k++) {
        irl__textf(t, "%s%s", k == 0 ? "" : k > first && k <= last ? " + " : ", ",
                   n->loops[k].name);
        for (j = k + 1, stride = 1; k >= first && j <= last; j++)
            stride *= n->loops[j].extent;
        if (k >= first && k < last) irl__textf(t, " * %l", stride);
    }
    irl__text_puts(t, ")");
}

/* Do the longest vectors leave more than one part in IRL__AUTO_LEAST of so many columns? */
static int irl__auto_leaves_much(const irl__auto_nest *n, int64_t extent)
{
    int64_t lanes = n->target->vector_bytes / irl__auto_bytes(n);
    while (lanes > 1 && !irl__target_has_width(n->target, (uint32_t)lanes)) lanes--;
    return lanes > 1 && extent % lanes * IRL__AUTO_LEAST > extent;
}

/* Pixels whose channels are no whole vectors (y[h, w, c], c < 3), and what goes on behind them, as
   far as vectors leave much of it. 0: there are none such. */
static int irl__auto_choose_flat(const irl__auto_nest *n, irl__auto_flat *q)
{
    const irl__auto_row *w = &n->rows[n->written];
    int                  k;
    for (k = n->loop_count; k-- > 0;)
        if (!n->loops[k].is_reduce && n->loops[k].extent > 1 && w->step[k] == 1) break;
    if (k < 0) return 0;
    q->count = 1;
    q->loops[0] = k;
    q->extent = n->loops[k].extent;
    while (irl__auto_leaves_much(n, q->extent) && !irl__auto_is_guard_of(n, k)) {
        int last = q->loops[0];
        for (k = n->loop_count; k-- > 0;)
            if (!n->loops[k].is_reduce && n->loops[k].extent > 1 &&
                !irl__auto_is_flattened(q, k) && irl__auto_goes_on(n, k, last, q->extent))
                break;
        if (k < 0 || n->loops[k].extent > INT32_MAX / q->extent) break;
        q->loops[q->count++] = k;
        q->extent *= n->loops[k].extent;
    }
    return q->count > 1;
}

static const char *const irl__auto_goes_on_why = "consecutive in memory";

/* fuse(y.h, y.w); in front of it, where other loops stand between them, what puts these outside. */
static void irl__auto_fuse_loops(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                                 const irl__auto_flat *q, int is_apart)
{
    irl__text list;
    int       k, any = 0;
    irl__text_init(&list, a->cx);
    for (k = q->count; k-- > 0;)
        irl__textf(&list, "%s%s", any++ ? ", " : "",
                   irl__text_or_empty(irl__auto_member(n, q->loops[k])));
    if (is_apart) {
        irl__text_puts(&p->text, "    reorder(");
        for (k = 0; k < n->loop_count; k++)
            if (!irl__auto_is_flattened(q, k))
                irl__textf(&p->text, "%s, ", irl__text_or_empty(irl__auto_member(n, k)));
        irl__textf(&p->text, "%s); // in the order of memory\n",
                   irl__text_or_empty(irl__text_done(&list)));
        p->steps++;
    }
    irl__auto_step(p, irl__auto_goes_on_why, "fuse(%s);",
                   irl__text_or_empty(irl__text_done(&list)));
}

int irl__auto_fuse(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    irl__auto_flat q;
    irl__text      map;
    /* Loops around a short one, each the next in the text. */
    int j = irl__auto_short_along(n);
    q.count = 0;
    q.extent = 1;
    for (; j >= 0 && n->loops[j].extent <= INT32_MAX / q.extent; j--) {
        q.loops[q.count++] = j;
        q.extent *= n->loops[j].extent;
        if (irl__auto_is_guard_of(n, j) || j == 0 || !irl__auto_is_one_walk(n, j)) break;
    }
    const int is_next = q.count > 1;
    if (irl__auto_is_symbolic(n)) return 0;
    if (n->block) {
        /* Each loop must be one axis of the block, in their order. */
        if (!is_next || n->guard_count) return 0;
        if (n->block->axis_count != n->loop_count) return 0;
        for (int k = 0; k < n->loop_count; k++)
            if (n->block->axes[k].binding != n->loops[k].stmt->u.loop.var) return 0;
        irl__text_init(&map, a->cx);
        irl__auto_fused_map(&map, n, q.loops[q.count - 1], q.loops[0]);
        irl__auto_step(p, irl__auto_goes_on_why, "transform_block_layout(%s, %s);", n->name,
                       irl__text_or_empty(irl__text_done(&map)));
        return 1;
    }
    if ((!is_next && !irl__auto_choose_flat(n, &q)) || !irl__auto_is_border(n, &q) ||
        !irl__auto_is_steady(n, q.loops[q.count - 1]))
        return 0;
    irl__auto_fuse_loops(a, n, p, &q, !is_next);
    return 1;
}

/* ------------------------------------------------------------------ results of a sum */

/* The loops in the order of the axes of the block that they are bound to, one each, all of it; 0:
   they are not. */
static int irl__auto_of_axes(const irl__auto_nest *n, int *loops)
{
    int j;
    if (n->block->axis_count != n->loop_count) return 0;
    for (int k = 0; k < n->loop_count; k++) {
        loops[k] = irl__auto_loop_near(n, n->block->axes[k].var);
        for (j = 0; j < k && loops[j] != loops[k]; j++) {}
        if (loops[k] < 0 || j < k ||
            !irl__is_int(n->block->axes[k].extent, n->loops[loops[k]].extent))
            return 0;
    }
    return 1;
}

/* w * 3 + c */
static void irl__auto_flat_index(irl__text *t, const irl__auto_nest *n, const irl__auto_flat *q)
{
    int64_t stride = q->extent;
    for (int k = q->count; k-- > 0;) {
        stride /= n->loops[q->loops[k]].extent;
        irl__textf(t, "%s", n->loops[q->loops[k]].name);
        irl__textf(t, k ? " * %l + " : "", stride);
    }
}

/* The other loops of results, the flat one, called so (NULL: what it is of the others), then (if
   they are asked for) those that reduce. */
static void irl__auto_flat_loops(irl__text *t, const irl__auto_nest *n, const irl__auto_flat *q,
                                 const char *flat, int with_reduced)
{
    int k, any = 0;
    irl__text_puts(t, "(");
    for (k = 0; k < n->loop_count; k++)
        if (!n->loops[k].is_reduce && !irl__auto_is_flattened(q, k))
            irl__textf(t, "%s%s", any++ ? ", " : "", n->loops[k].name);
    irl__text_puts(t, any ? ", " : "");
    if (flat) irl__text_puts(t, flat);
    else irl__auto_flat_index(t, n, q);
    for (k = 0; k < n->loop_count && with_reduced; k++)
        if (n->loops[k].is_reduce) irl__textf(t, ", %s", n->loops[k].name);
    irl__text_puts(t, ")");
}

const char *irl__auto_flatten(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    irl__auto_flat q;
    int            loops[IRL__AUTO_LOOPS], k;
    irl__text      map, cells;
    if (!n->is_reduction || !n->block->init || a->counts || n->is_inside || n->around_count ||
        irl__auto_is_symbolic(n) ||
        !irl__auto_choose_flat(n, &q) || !irl__auto_is_border(n, &q) ||
        !irl__auto_of_axes(n, loops))
        return NULL;
    const char *flat = irl__auto_name(a, n->loops[q.loops[0]].name, "flat");
    const char *made = irl__auto_name(a, n->name, "flat");
    if (!flat || !made) return NULL;
    irl__text_init(&map, a->cx);
    irl__text_puts(&map, "(");
    for (k = 0; k < n->loop_count; k++)
        irl__textf(&map, "%s%s", k ? ", " : "", n->loops[loops[k]].name);
    irl__text_puts(&map, ") -> ");
    irl__auto_flat_loops(&map, n, &q, NULL, 1);
    irl__auto_step(p, irl__auto_goes_on_why, "transform_block_layout(%s, %s);", n->name,
                   irl__text_or_empty(irl__text_done(&map)));
    irl__text_init(&cells, a->cx);
    irl__auto_flat_loops(&cells, n, &q, flat, 1);
    irl__text_puts(&cells, " -> ");
    irl__auto_flat_loops(&cells, n, &q, flat, 0);
    irl__auto_step(p, "the sums are kept in one contiguous array until they are stored",
                   "%s = reindex_cache_write(%s, 0, global, %s);", made, n->name,
                   irl__text_or_empty(irl__text_done(&cells)));
    return made;
}
