/* auto_group_write.c - a tile of a group as steps: copies, new axes, work-items, registers.

   needs     auto_group.c decides
   promises  as auto_write.c does: one step, one line; names that are new. Barriers, and which
             work-item loads what, are compute_at's (share.c): consecutive work-items load
             consecutive elements */
#include "auto.h"

/* ------------------------------------------------------------------ new axes */

enum { IRL__GROUP_UNROLL = 4 }; /* iterations of a tile whose loads a compiler may put together */

/* One output of the map: a part of an axis. */
typedef struct irl__group_part {
    int         loop;
    int64_t     extent, below, modulo; /* v / below % modulo; modulo 0: none */
    const char *name;
} irl__group_part;

typedef struct irl__group_parts {
    int             count, groups;         /* those at the front */
    int             reduces, inside, each; /* the first that reduces, in a tile, in registers */
    irl__group_part list[4 * IRL__AUTO_LOOPS];
} irl__group_parts;

static int irl__group_add(irl__auto *a, const irl__group *g, irl__group_parts *q, int loop,
                          int64_t below, int64_t extent, int64_t modulo, const char *suffix)
{
    irl__group_part *p = &q->list[q->count++];
    p->loop = loop;
    p->below = below;
    p->extent = extent;
    p->modulo = modulo;
    p->name = irl__auto_name(a, g->n->loops[loop].name, suffix);
    return p->name != NULL;
}

/* Work-items: the rows', then the columns'. */
static int irl__group_add_items(irl__auto *a, const irl__group *g, irl__group_parts *q, int loop)
{
    return loop < 0 || g->items[loop] == 1 ||
           irl__group_add(a, g, q, loop, g->run[loop], g->items[loop], g->items[loop], "l");
}

/* Results of a work-item: runs, and the neighbours of a run. */
static int irl__group_add_each(irl__auto *a, const irl__group *g, irl__group_parts *q, int loop)
{
    const int64_t run = loop < 0 ? 1 : g->run[loop], runs = loop < 0 ? 1 : g->each[loop] / run;
    return (runs == 1 || irl__group_add(a, g, q, loop, g->items[loop] * run, runs, runs,
                                        run > 1 ? "h" : "t")) &&
           (run == 1 || irl__group_add(a, g, q, loop, 1, run, run, "t"));
}

static int irl__group_add_group(irl__auto *a, const irl__group *g, irl__group_parts *q, int loop)
{
    const int64_t tile = loop < 0 ? 1 : g->items[loop] * g->each[loop];
    q->groups += loop >= 0;
    return loop < 0 || irl__group_add(a, g, q, loop, tile, g->extent[loop] / tile, 0, "g");
}

/* Groups, work-items, what reduces outside of a tile and in it, registers. */
static int irl__group_parts_of(irl__auto *a, const irl__group *g, irl__group_parts *q)
{
    const irl__auto_nest *n = g->n;
    int                   k, ok = 1;
    memset(q, 0, sizeof *q);
    for (k = 0; k < n->loop_count; k++)
        if (!n->loops[k].is_reduce && k != g->rows && k != g->cols && n->loops[k].extent > 1)
            ok &= irl__group_add_group(a, g, q, k);
    ok = ok && irl__group_add_group(a, g, q, g->rows) &&
         irl__group_add_group(a, g, q, g->cols) && irl__group_add_items(a, g, q, g->rows) &&
         irl__group_add_items(a, g, q, g->cols);
    q->reduces = q->count;
    for (k = 0; k <= g->cut && ok; k++)
        if (n->loops[k].is_reduce)
            ok = irl__group_add(a, g, q, k, k == g->cut ? g->chunk : 1,
                                k == g->cut ? g->extent[k] / g->chunk : g->extent[k], 0, "o");
    q->inside = q->count;
    for (k = g->cut; k < n->loop_count && ok; k++)
        if (n->loops[k].is_reduce && (k > g->cut || g->chunk > 1))
            ok = irl__group_add(a, g, q, k, 1, k == g->cut ? g->chunk : g->extent[k],
                                k == g->cut ? g->chunk : 0, "i");
    q->each = q->count;
    return ok && irl__group_add_each(a, g, q, g->rows) && irl__group_add_each(a, g, q, g->cols);
}

static void irl__group_axes(const irl__auto_nest *n, irl__auto_plan *p, const irl__group_parts *q,
                            const char *reason)
{
    irl__text_puts(&p->text, "    (");
    for (int k = 0; k < q->count; k++)
        irl__textf(&p->text, "%s%s", k ? ", " : "", q->list[k].name);
    irl__textf(&p->text, ") = transform_block_layout(%s, (", n->name);
    for (int k = 0; k < n->block->axis_count; k++) {
        irl__text_puts(&p->text, k ? ", " : "");
        irl__print_symbol(&p->text, n->block->axes[k].var->u.name);
    }
    irl__text_puts(&p->text, ") -> (");
    for (int k = 0; k < q->count; k++) {
        irl__text_puts(&p->text, k ? ", " : "");
        irl__print_symbol(&p->text, irl__group_axis(n, q->list[k].loop)->var->u.name);
        if (q->list[k].below > 1) irl__textf(&p->text, " / %l", q->list[k].below);
        if (q->list[k].modulo) irl__textf(&p->text, " %% %l", q->list[k].modulo);
    }
    irl__textf(&p->text, ")); // %s\n", reason);
    p->steps++;
}

/* ------------------------------------------------------------------ copies */

static int irl__group_is_padded(const irl__group *g, int row)
{
    for (int k = 0; k < g->n->loop_count; k++)
        if (g->extent[k] != g->n->loops[k].extent && g->n->rows[row].step[k]) return 1;
    return 0;
}

/* Extents become multiples of tiles; what is read behind them is 0. *crop: what counts. */
static int irl__group_padding(irl__auto *a, irl__group *g, irl__auto_plan *p, const char **crop)
{
    const irl__auto_nest *n = g->n;
    int                   j;
    *crop = NULL;
    if (!g->is_padded) return 1;
    irl__textf(&p->text, "    pad_einsum(%s", n->name);
    for (int k = 0; k < n->block->axis_count; k++) {
        for (j = 0; j < n->loop_count && irl__group_axis(n, j) != &n->block->axes[k]; j++) {}
        irl__textf(&p->text, ", %l",
                   n->loops[j].extent == g->extent[j] ? (int64_t)1
                   : n->loops[j].is_reduce            ? g->chunk
                                                      : g->items[j] * g->each[j]);
    }
    irl__text_puts(&p->text, "); // tiles do not divide the extents: zeros are added at the "
                             "ends\n");
    p->steps++;
    for (int k = 0; k < n->row_count; k++) {
        if (!irl__group_is_padded(g, k)) continue;
        const char *name = irl__auto_name(a, n->rows[k].access->buffer->name, "pad");
        if (!name) return 0;
        if (k == n->written) *crop = name;
        if (irl__auto_is_own(n, k)) continue;
        if (!g->is_shared[k]) return 0; /* its copy would be all of it */
        g->made[k] = name;
    }
    return 1;
}

/* A tile is loaded in the order of memory, which a layout of the buffer states. */
static void irl__group_in_order(const irl__group *g, irl__auto_plan *p, int row)
{
    const irl_func *f = g->n->f;
    const char     *name = g->n->rows[row].access->buffer->name;
    int             k, found = -1;
    for (k = 0; k < f->layout_count; k++)
        if (strcmp(f->layouts[k].buffer, name) == 0) {
            if (found >= 0 || f->layouts[k].map->separator_count) return;
            found = k;
        }
    if (found >= 0)
        irl__auto_step(p, "in the order of memory", "transform_block_layout(%s, %s);",
                       g->made[row], irl_map_text(g->n->cx, f->layouts[found].map));
}

static int irl__group_copies(irl__auto *a, irl__group *g, irl__auto_plan *p)
{
    int k, is_first = 1;
    for (k = 0; k < g->n->row_count; k++) {
        const irl_buffer *b = g->n->rows[k].access->buffer;
        if (!g->is_shared[k]) continue;
        if (g->made[k] && !g->n->rows[k].is_guarded) {
            irl__auto_step(p, "", "set_scope(%s, 0, shared);", g->made[k]);
            continue;
        }
        if (g->made[k]) continue;
        g->made[k] = irl__auto_name(a, b->name, "tile");
        const char *buffer = irl__auto_symbol(a->cx, b->name);
        if (!g->made[k] || !buffer) return 0;
        irl__auto_step(p, is_first ? "several work-items of a group read it: a copy in shared "
                                     "memory" : "",
                       "%s = cache_read(%s, %s, shared, %s);", g->made[k], g->n->name, buffer,
                       g->n->name);
        is_first = 0;
        irl__group_in_order(g, p, k);
    }
    return 1;
}

/* A tile's last axis in memory is that of the runs that a work-item loads at once. */
static void irl__group_turns(const irl__group *g, irl__auto_plan *p)
{
    for (int k = 0, number = -1; k < g->n->row_count; k++) {
        const int rank = g->n->rows[k].access->rank;
        number += !irl__auto_is_own(g->n, k);
        if (!g->is_shared[k] || g->last[k] == rank - 1) continue;
        irl__textf(&p->text, "    transform_layout(%s, %d, (", g->n->name, number);
        for (int axis = 0; axis < rank; axis++)
            irl__textf(&p->text, "%sv%d", axis ? ", " : "", axis);
        irl__text_puts(&p->text, ") -> (");
        for (int at = 0; at < rank; at++)
            irl__textf(&p->text, "%sv%d", at ? ", " : "", irl__group_axis_at(g, k, at));
        irl__text_puts(&p->text, ")); // neighbours that a work-item reads are neighbours in the "
                                 "tile\n");
        p->steps++;
    }
}

/* Tiles are loaded in the loop that reduces outside of them. */
static void irl__group_loads(const irl__group *g, irl__auto_plan *p, const char *loop)
{
    int k, is_first = 1;
    for (k = 0; k < g->n->row_count; k++) {
        if (!g->is_shared[k]) continue;
        irl__auto_step(p, is_first ? "the work-items load a tile together, element by element" : "",
                       "compute_at(%s, %s);", g->made[k], loop);
        is_first = 0;
    }
    for (k = 0; k < g->n->row_count; k++) {
        int64_t row = 1;
        if (!g->is_shared[k] || g->pad_axis[k] < 0) continue;
        for (int axis = g->n->rows[k].access->rank; --axis > g->pad_axis[k];)
            row *= irl__group_span(g, k, irl__group_axis_at(g, k, axis));
        irl__auto_step(p, "the words that a subgroup accesses are in different banks",
                       "storage_align(%s, 0, %d, %l, %l);", g->made[k], g->pad_axis[k], row,
                       g->pad[k]);
    }
}

/* ------------------------------------------------------------------ results in registers */

/* The number of a part among those that the result has, which are its copy's loops; -1. */
static int irl__group_result_axis(const irl__group *g, const irl__group_parts *q, int part)
{
    int k, number = 0;
    for (k = 0; k < q->count; k++) {
        if (g->n->loops[q->list[k].loop].is_reduce || q->list[k].extent == 1) continue;
        if (k == part) return number;
        number++;
    }
    return -1;
}

static void irl__group_sums(const irl__group *g, irl__auto_plan *p, const irl__group_parts *q,
                            const char *sum, const char *result)
{
    int k, any = 0;
    irl__textf(&p->text, "    %s = reindex_cache_write(%s, %s, local, (", sum, g->n->name, result);
    for (k = 0; k < q->count; k++) irl__textf(&p->text, "%sv%d", k ? ", " : "", k);
    irl__text_puts(&p->text, ") -> (");
    for (k = 0; k < q->count; k++)
        if (irl__group_result_axis(g, q, k) >= 0)
            irl__textf(&p->text, "%sv%d", any++ ? ", " : "", k);
    irl__text_puts(&p->text, ")); // sums stay in registers until they are done\n");
    p->steps++;
}

/* ------------------------------------------------------------------ groups and work-items */

static int irl__group_binds(irl__auto *a, const irl__group *g, irl__auto_plan *p,
                            const irl__group_parts *q)
{
    static const char axes[] = "xyz";
    const char  *name[3];
    int          count = q->groups, k, first = 0;
    if (count > 3) {
        name[0] = irl__auto_name(a, g->n->name, "groups");
        if (!name[0]) return 0;
        irl__textf(&p->text, "    %s = fuse(", name[0]);
        for (first = 0; first <= count - 3; first++)
            irl__textf(&p->text, "%s%s", first ? ", " : "", q->list[first].name);
        irl__text_puts(&p->text, "); // a launch has three dimensions\n");
        p->steps++;
        irl__auto_step(p, "", "bind(%s, group.z);", name[0]);
    }
    for (k = first; k < count; k++)
        irl__auto_step(p, k == first ? "independent tiles become groups" : "",
                       "bind(%s, group.%c);", q->list[k].name, axes[count - 1 - k]);
    for (k = q->groups; k < q->reduces; k++)
        irl__auto_step(p, k == q->groups ? "neighbours in a subgroup access neighbouring "
                                           "memory" : "",
                       "bind(%s, local.%c);", q->list[k].name,
                       q->list[k].loop == g->cols ? 'x' : 'y');
    return 1;
}

int irl__group_write(irl__auto *a, irl__group *g, irl__auto_plan *p, int may_contract)
{
    const irl__auto_nest *n = g->n;
    irl__group_parts      q;
    char                  reason[128];
    const char           *crop, *result = irl__auto_symbol(a->cx, n->store->u.store.buffer->name);
    const char           *sum = irl__auto_name(a, n->name, "sum");
    const char           *init = irl__auto_name(a, n->name, "init");
    /* What is guarded is copied with the value of its guard. */
    if (!result || !sum || !init) return 0;
    for (int k = 0; k < g->n->row_count; k++) {
        const irl_buffer *b = g->n->rows[k].access->buffer;
        if (!g->is_shared[k] || !g->n->rows[k].is_guarded) continue;
        g->made[k] = irl__auto_name(a, b->name, "tile");
        const char *buffer = irl__auto_symbol(a->cx, b->name);
        if (!g->made[k] || !buffer) return 0;
        irl__auto_step(p, "the tile includes the border, so the sums need no guard",
                       "%s = cache_padded(%s, %s, shared);", g->made[k], g->n->name, buffer);
    }
    if (may_contract) irl__auto_step(p, "attr(numbers) allows it by "
                                        "default", "contract(%s);", n->name);
    if (!irl__group_padding(a, g, p, &crop) || !irl__group_copies(a, g, p) ||
        !irl__group_parts_of(a, g, &q))
        return 0;
    irl__group_turns(g, p);
    /* The reason for the tile, with its numbers. */
    const size_t  size = sizeof reason;
    irl__text     t;
    const int64_t rows = g->rows < 0 ? 1 : g->items[g->rows] * g->each[g->rows];
    irl__text_init_fixed(&t, reason, size);
    irl__textf(&t, "a group computes %l x %l results, a work-item %l; tiles have %l bytes", rows,
               g->items[g->cols] * g->each[g->cols],
               g->each[g->cols] * (g->rows < 0 ? 1 : g->each[g->rows]), g->bytes);
    irl__group_axes(n, p, &q, reason);
    irl__group_sums(g, p, &q, sum, crop ? crop : result);
    if (!irl__group_binds(a, g, p, &q)) return 0;
    irl__auto_step(p, "", "reverse_compute_at(%s, %s);", sum, q.list[q.reduces - 1].name);
    if (crop) irl__auto_step(p, "only the results without "
                                "padding are stored", "reverse_compute_inline(%s);", crop);
    irl__auto_step(p, "the sums are set before the loop that adds to them",
                   "%s = decompose_reduction(%s, %s);", init, n->name, q.list[q.reduces].name);
    irl__group_loads(g, p, q.list[q.inside - 1].name);
    if (q.list[q.each - 1].extent > IRL__GROUP_UNROLL)
        irl__auto_step(p, "more would take registers for loads that are far ahead",
                       "annotate(%s, unroll = %d);", q.list[q.each - 1].name,
                       (int)IRL__GROUP_UNROLL);
    /* Neighbours are a vector, where all of them are stored. */
    const int vector = g->run[g->cols] > 1 && !crop && n->rows[n->written].step[g->cols] == 1
                           ? q.count - 1 : -1;
    for (int k = q.each; k < q.count; k++)
        irl__auto_step(p, k == q.each ? "unrolled, so that each result of the tile has its own "
                                        "register" : "",
                       "%s(%s.%s);", k == vector ? "vectorize" : "unroll", init, q.list[k].name);
    for (int k = q.each; k < q.count; k++)
        irl__auto_step(p, "", "%s(%s);", k == vector ? "vectorize" : "unroll", q.list[k].name);
    for (int k = q.each; k < q.count; k++)
        irl__auto_step(p, "", "%s(%s.ax%d);", k == vector ? "vectorize" : "unroll", sum,
                       irl__group_result_axis(g, &q, k));
    return 1;
}
