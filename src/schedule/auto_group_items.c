/* auto_group_items.c - for devices whose work-items run in lockstep: reductions with few results,
   of which work-items add up parts; and nests element by element, in which neighbours in a subgroup
   store neighbouring cells, and what is read along another loop goes through a tile in shared
   memory.

   needs     auto_write.c; bind, which makes a tree of a reduce loop (reduction.c)
   promises  neighbours in a subgroup access neighbours in memory, as layouts have them; groups have
             the size that the target prefers, where the nest is large enough. No vectors:
             neighbours would no longer access one line together
   cost      loops times accesses, squared */
#include "auto.h"

/* ------------------------------------------------------------------ trees */

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
    int cols = -1;
    for (int k = 0; k < n->row_count; k++) {
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
    if (n->loops[loop].is_symbolic) return groups > 1 && !is_tiled ? least : extent;
    if (groups > most) groups = most;
    if (groups > extent) groups = extent;
    while (groups > 1 && extent % groups) groups--;
    return groups > 1 ? extent / groups : extent;
}

static int irl__tree_choose(const irl__auto_nest *n, irl__tree *q)
{
    const int64_t all = n->target->group_items;
    const int64_t results = irl__auto_extents(n, 0);
    memset(q, 0, sizeof *q);
    /* The longest loop that reduces. */
    int best = -1;
    for (int j = n->loop_count; j-- > 0;)
        if (n->loops[j].is_reduce && (best < 0 || n->loops[j].extent > n->loops[best].extent))
            best = j;
    q->loop = best;
    if (!n->is_free || q->loop < 0 || results == INT64_MAX) return 0;
    q->share = irl__tree_share(n, q->loop, results);
    if (q->share < n->loops[q->loop].extent) return 1;
    const int is_symbolic = irl__auto_is_symbolic(n);
    if (is_symbolic ? irl__tree_is_tiled(n, results) : results > n->target->units * all / 2)
        return 0;
    q->cols = irl__tree_cols(n, q->loop);
    q->items = q->cols < 0 ? 1 : irl__tree_divisor(n->loops[q->cols].multiple, n->target->subgroup);
    for (q->parts = all / q->items; q->parts > 1 && !n->loops[q->loop].is_symbolic &&
                                    q->parts * IRL__TREE_EACH > n->loops[q->loop].extent;)
        q->parts /= 2;
    if (is_symbolic && q->cols >= 0 && q->items < n->target->subgroup) return 0; /* in step as is */
    return q->parts * q->items >= n->target->subgroup && q->parts > 1;
}

/* Results, then partial sums, then what a work-item adds up; loops of results become groups. */
static void irl__tree_order(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                            const irl__tree *q)
{
    irl__auto_cut cuts[IRL__AUTO_LOOPS];
    int           any = 0, results = 0;
    memset(cuts, 0, sizeof cuts);
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < n->loop_count; k++) {
            if (n->loops[k].is_reduce != round) continue;
            cuts[k].outer = k == q->loop ? q->outer
                            : q->items > 1 && k == q->cols ? q->group : irl__auto_member(n, k);
            irl__auto_put(p, &any, cuts[k].outer);
            results += !round;
        }
        if (round) continue;
        if (q->items > 1) irl__auto_put(p, &any, q->item);
        irl__auto_put(p, &any, q->part);
    }
    irl__auto_put_end(p, "results, then partial sums, then the terms of a work-item");
    if (results) {
        irl__auto_items(a, n, p, cuts, "group");
        return;
    }
    /* One result has no loop that could be groups: one group is made. */
    const char *group = irl__auto_name(a, n->loops[q->loop].name, "g");
    irl__auto_step(p, "one result, so one group", "%s = add_unit_loop(%s);", group, q->part);
    irl__auto_step(p, "", "bind(%s, group.x);", group);
}

int irl__tree_write(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    irl__tree q;
    if (!irl__tree_choose(n, &q)) return 0;
    const char *loop = n->loops[q.loop].name, *whole = irl__auto_member(n, q.loop);
    if (q.share < n->loops[q.loop].extent) {
        p->made[0] = irl__auto_name(a, n->name, "parts");
        p->again = n->block->name;
        const char *group = irl__auto_name(a, loop, "g");
        irl__auto_step(p, "few results, and any order is allowed: each group adds up a part of the "
                       "terms", "(%s, %s) = split(%s, _, %l);", group, irl__auto_name(a, loop, "l"),
                       whole, q.share);
        irl__auto_step(p, "", "%s = rfactor(%s, 0);", p->made[0], group);
        return 1;
    }
    irl__auto_contract(n, p);
    irl__auto_split_at(a, p, loop, whole, q.parts, "ol", &q.outer, &q.part, "few results, and any "
                       "order is allowed: each work-item of a group adds up a part");
    if (q.items > 1)
        irl__auto_split_at(a, p, n->loops[q.cols].name, irl__auto_member(n, q.cols), q.items, "gl",
                           &q.group, &q.item,
                           "neighbours in a subgroup access neighbouring memory");
    irl__tree_order(a, n, p, &q);
    if (q.items > 1) irl__auto_step(p, "", "bind(%s, local.x);", q.item);
    irl__auto_step(p, "", "bind(%s, local.%c);", q.part, q.items > 1 ? 'y' : 'x');
    return 1;
}

enum {
    IRL__GANG_PIECES = 2 * IRL__AUTO_LOOPS,
    IRL__GANG_WASTE = 8, /* of work-items no more than one in so many is idle, if that can be */
    IRL__GANG_GROUPS = 65535 /* along a dimension: Vulkan 1.0, maxComputeWorkGroupCount */
};

/* A loop, or what a layout makes of it: a rest, along which memory goes on, and a quotient. */
typedef struct irl__gang_piece {
    int         loop, is_rest;
    int64_t     extent, step[IRL__AUTO_ROWS];
    int64_t     items, tile;           /* work-items along it; iterations of a group */
    int         is_x;                  /* its work-items are local.x's */
    const char *part[3];               /* its loops, of these levels; NULL: there is none */
} irl__gang_piece;

enum { IRL__GANG_GROUP, IRL__GANG_EACH, IRL__GANG_ITEM };

typedef struct irl__gang {
    irl__auto            *a;
    const irl__auto_nest *n;
    irl__auto_plan       *p;
    int                   count, x, y; /* pieces; the first along local.x; that of local.y, or -1 */
    int                   tiled;       /* the row that comes through shared memory; -1: none does */
    irl__gang_piece       piece[IRL__GANG_PIECES];
} irl__gang;

/* ------------------------------------------------------------------ pieces of loops */

/* The iterations of a loop after which some access that moves goes on elsewhere; 1: none does. */
static int64_t irl__gang_divided(const irl__auto_nest *n, int loop)
{
    for (int k = 0; k < n->row_count; k++)
        if (n->rows[k].is_runs[loop] && n->rows[k].step[loop] &&
            n->loops[loop].extent % n->rows[k].run[loop] == 0)
            return n->rows[k].run[loop];
    return 1;
}

static void irl__gang_add(irl__gang *q, int loop, int64_t extent, int64_t factor, int is_rest)
{
    irl__gang_piece *piece = &q->piece[q->count++];
    memset(piece, 0, sizeof *piece);
    piece->loop = loop;
    piece->extent = extent;
    piece->is_rest = is_rest;
    piece->items = piece->tile = 1;
    for (int k = 0; k < q->n->row_count; k++) {
        const irl__auto_row *row = &q->n->rows[k];
        int64_t             *step = &piece->step[k];
        *step = row->step[loop];
        if (is_rest || factor == 1) continue;
        if (row->is_runs[loop] && row->run[loop] == factor) *step = row->next[loop];
        else if (*step == IRL__AUTO_FAR || !irl__mul64(*step, factor, step)) *step = IRL__AUTO_FAR;
    }
}

/* The piece along which a row goes on by so many elements, the innermost; -1. */
static int irl__gang_along(const irl__gang *q, int row, int64_t step)
{
    for (int k = q->count; k-- > 0;)
        if (q->piece[k].extent > 1 && q->piece[k].step[row] == step) return k;
    return -1;
}

/* ------------------------------------------------------------------ work-items */

/* So many work-items along a piece, at most: the most that leave few of them idle. */
static int64_t irl__gang_of(int64_t extent, int64_t most)
{
    int64_t items = most, least;
    if (extent <= most) return extent;
    least = most / 8 > 0 ? most / 8 : 1;
    while (items > least &&
           (extent + items - 1) / items * items - extent > extent / IRL__GANG_WASTE)
        items /= 2;
    return items;
}

static void irl__gang_take(irl__gang *q, int k, int64_t items)
{
    q->piece[k].items = q->piece[k].tile = items;
}

/* Neighbours in memory, from the first piece on, as many as are wanted. */
static int64_t irl__gang_neighbours(irl__gang *q, int64_t most)
{
    int64_t items = 1, step = q->piece[q->x].step[q->n->written];
    int     k = q->x;
    for (; k >= 0 && items < most; k = irl__gang_along(q, q->n->written, step)) {
        irl__gang_piece *piece = &q->piece[k];
        if (piece->is_x || (items > 1 && most / items < 2)) break;
        irl__gang_take(q, k, irl__gang_of(piece->extent, most / items));
        piece->is_x = 1;
        items *= piece->items;
        if (piece->items < piece->extent || !irl__mul64(step, piece->extent, &step)) break;
    }
    return items;
}

/* Neighbours of the group along another piece: of the rest the one of the least step. */
static int irl__gang_other(const irl__gang *q)
{
    int best = -1;
    for (int k = q->count; k-- > 0;)
        if (!q->piece[k].is_x && q->piece[k].extent > 1 &&
            (best < 0 ||
             q->piece[k].step[q->n->written] < q->piece[best].step[q->n->written]))
            best = k;
    return best;
}

/* ------------------------------------------------------------------ what goes on elsewhere */

/* The piece along which a row goes on in memory, behind those that a group has whole or in x; -1:
   there is none, or it goes on along x. */
static int irl__gang_turn(const irl__gang *q, int row)
{
    int64_t step = 1;
    for (;;) {
        int k = irl__gang_along(q, row, step);
        if (k < 0) return -1;
        if (!q->piece[k].is_x) return k;
        if (q->piece[k].items >= q->n->target->subgroup / 2 ||
            q->piece[k].items < q->piece[k].extent || !irl__mul64(step, q->piece[k].extent, &step))
            return -1;
    }
}

/* An operand that is read at one place, and along another loop than is stored along. */
static int irl__gang_may_tile(const irl__gang *q, int row)
{
    const irl__auto_row *r = &q->n->rows[row];
    int64_t              step;
    if (r->is_write || r->is_guarded || !r->access->buffer || r->access->is_texel ||
        r->access->lanes != 1 || r->access->buffer->type.lanes != 1 ||
        r->access->buffer->scope != IRL_SCOPE_GLOBAL || !irl__auto_is_alone(q->n, r) ||
        q->piece[q->x].step[row] == 0 || q->piece[q->x].step[row] == IRL__AUTO_FAR)
        return 0;
    for (int axis = 0; axis < r->access->rank; axis++)
        for (int loop = 0; loop < q->n->loop_count; loop++)
            if (!irl__auto_index_step(q->n, r, axis, loop, &step)) return 0;
    return 1;
}

/* A square of what is read along one piece and stored along another. */
static void irl__gang_tile(irl__gang *q)
{
    const int64_t side = q->n->target->subgroup;
    int64_t       y;
    int           k;
    q->tiled = -1;
    irl__gang_neighbours(q, side);
    for (k = 0; k < q->n->row_count && q->tiled < 0; k++) {
        q->y = irl__gang_may_tile(q, k) ? irl__gang_turn(q, k) : -1;
        if (q->y >= 0) q->tiled = k;
    }
    if (q->tiled >= 0) {
        irl__gang_piece *piece = &q->piece[q->y];
        for (k = q->count, y = 1; k-- > 0;)
            if (q->piece[k].is_x) y *= q->piece[k].items;
        y = q->n->target->group_items / y;
        piece->tile = piece->extent < side ? piece->extent : side;
        for (piece->items = y < piece->tile ? y : piece->tile; piece->tile % piece->items;)
            piece->items--;
        return;
    }
    for (k = 0; k < q->count; k++) {
        irl__gang_take(q, k, 1);
        q->piece[k].is_x = 0;
    }
    y = q->n->target->group_items / irl__gang_neighbours(q, q->n->target->group_items);
    q->y = y > 1 ? irl__gang_other(q) : -1;
    if (q->y >= 0) irl__gang_take(q, q->y, irl__gang_of(q->piece[q->y].extent, y));
}

/* ------------------------------------------------------------------ as steps */

/* Is there more than one group? */
static int irl__gang_has_groups(const irl__gang *q)
{
    int k;
    for (k = 0; k < q->count && q->piece[k].tile == q->piece[k].extent; k++) {}
    return k < q->count;
}

/* Iterations of a piece's loop of that level. */
static int64_t irl__gang_extent(const irl__gang_piece *piece, int level)
{
    if (level == IRL__GANG_ITEM) return piece->items;
    return level == IRL__GANG_EACH ? piece->tile / piece->items
                                   : (piece->extent + piece->tile - 1) / piece->tile;
}

/* Names of the loops that a piece of a loop becomes: none, where it has one iteration. */
static void irl__gang_name(irl__gang *q, irl__gang_piece *piece, int is_single)
{
    static const char suffixes[][3][2] = { { "g", "t", "l" }, { "h", "s", "r" } };
    const int         is_there[] = { piece->tile < piece->extent || is_single,
                                     piece->tile > piece->items, piece->items > 1 };
    for (int level = 0; level < 3; level++)
        if (is_there[level])
            piece->part[level] = irl__auto_name(q->a, q->n->loops[piece->loop].name,
                                                suffixes[piece->is_rest][level]);
}

static void irl__gang_split(irl__gang *q, int loop)
{
    const char **part[6];
    int64_t      extent[6];
    int          count = 0;
    irl__text   *t = &q->p->text;
    if (q->n->loops[loop].extent == 1 && q->piece[q->x].loop != loop) return;
    for (int i = 0; i < q->count; i++) {
        irl__gang_piece *piece = &q->piece[i];
        if (piece->loop != loop) continue;
        irl__gang_name(q, piece, i == q->x && !irl__gang_has_groups(q));
        for (int level = 0; level < 3; level++) {
            if (!piece->part[level]) continue;
            extent[count] = irl__gang_extent(piece, level);
            part[count++] = &piece->part[level];
        }
    }
    if (count == 1) { /* the loop as it is */
        *part[0] = irl__auto_member(q->n, loop);
        return;
    }
    irl__text_puts(t, "    (");
    for (int k = 0; k < count; k++) irl__textf(t, "%s%s", k ? ", " : "", *part[k]);
    irl__textf(t, ") = split(%s.%s", q->n->name, q->n->loops[loop].name);
    if (count > 2) irl__text_puts(t, ", _");
    for (int k = 1; k < count; k++) irl__textf(t, ", %l", extent[k]);
    irl__auto_put_end(q->p, q->piece[q->x].loop == loop
                                ? "neighbours in a subgroup store to neighbouring memory" : "");
}

/* Pieces by their steps where memory is stored, the farthest first. */
static void irl__gang_sorted(const irl__gang *q, int *order)
{
    for (int k = 0; k < q->count; k++) {
        int at = k;
        for (int j = k; j > 0; j--) {
            if (q->piece[order[j - 1]].step[q->n->written] >= q->piece[k].step[q->n->written])
                break;
            order[j] = order[j - 1];
            at = j - 1;
        }
        order[at] = k;
    }
}

/* Names of loops of that level, in that order: of work-items those along local.x. How many. */
static int irl__gang_list(const irl__gang *q, const int *order, int level, const char **list)
{
    int count = 0;
    for (int k = 0; k < q->count; k++) {
        const irl__gang_piece *piece = &q->piece[order[k]];
        if (piece->part[level] && (level == IRL__GANG_GROUP || piece->is_x))
            list[count++] = piece->part[level];
    }
    return count;
}

/* Groups, then work-items, then what each of them does. Returns the innermost loop of groups; NULL:
   there is none. */
static const char *irl__gang_order(irl__gang *q, const int *order)
{
    const char        *group[IRL__GANG_PIECES], *item[IRL__GANG_PIECES], *x = NULL;
    const char *const *y = q->y < 0 ? NULL : q->piece[q->y].part;
    const int          items = irl__gang_list(q, order, IRL__GANG_ITEM, item);
    int                groups = irl__gang_list(q, order, IRL__GANG_GROUP, group), any = 0;
    for (int k = 0; k < q->n->loop_count; k++)
        if (q->n->loops[k].extent == 1 && q->piece[q->x].loop != k)
            irl__auto_put(q->p, &any, irl__auto_member(q->n, k));
    for (int k = 0; k < groups; k++) irl__auto_put(q->p, &any, group[k]);
    if (y) irl__auto_put(q->p, &any, y[IRL__GANG_ITEM]);
    for (int k = 0; k < items; k++) irl__auto_put(q->p, &any, item[k]);
    if (y) irl__auto_put(q->p, &any, y[IRL__GANG_EACH]);
    irl__auto_put_end(q->p, "groups, then their work-items");
    groups = irl__auto_dimensions(q->a, q->p, q->n->name, "groups", group, groups);
    irl__auto_bind(q->p, group, groups, "group", "independent iterations");
    if (items)
        x = irl__auto_fused(q->p, irl__auto_name(q->a, q->n->name, "items"), item, items,
                            "together they run through contiguous memory");
    if (y && y[IRL__GANG_ITEM])
        irl__auto_step(q->p, "", "bind(%s, local.y);", y[IRL__GANG_ITEM]);
    if (x) irl__auto_step(q->p, "", "bind(%s, local.x);", x);
    return groups ? group[groups - 1] : NULL;
}

/* The tile of the operand: its last row of cells, and the banks that a subgroup finds. */
static void irl__gang_align(irl__gang *q, const char *tile)
{
    const irl__auto_row *r = &q->n->rows[q->tiled];
    int64_t              row = 1, step;
    int                  axis, last = r->access->rank - 1;
    for (axis = last; axis > 0; axis--) {
        int64_t span = 1;
        for (int k = 0; k < q->count; k++)
            if (irl__auto_index_step(q->n, r, axis, q->piece[k].loop, &step) && step) {
                int64_t inside = 1;
                for (int j = 0; j < q->count && !q->piece[k].is_rest; j++)
                    if (q->piece[j].is_rest && q->piece[j].loop == q->piece[k].loop)
                        inside = q->piece[j].extent;
                span += (step < 0 ? -step : step) * inside * (q->piece[k].tile - 1);
            }
        row *= span;
        if (span > 1) break;
    }
    if (axis < 1 || row % q->n->target->banks) return;
    irl__auto_step(q->p, "the words that a subgroup accesses are in different banks",
                   "storage_align(%s, 0, %d, %l, 1);", tile, axis - 1, row);
}

/* Memory is one walk: one loop, cut into groups. */
static int irl__gang_flat(irl__gang *q)
{
    const char *list[IRL__AUTO_LOOPS], *all, *group, *item;
    int64_t     extent = 1, items;
    for (int k = 0; k < q->n->loop_count; k++) {
        list[k] = irl__auto_member(q->n, k);
        if (!irl__mul64(extent, q->n->loops[k].extent, &extent)) return 0;
    }
    all = irl__auto_fused(q->p, irl__auto_name(q->a, q->n->name, "all"), list, q->n->loop_count,
                          "all of memory is contiguous");
    items = extent < q->n->target->group_items ? extent : q->n->target->group_items;
    irl__auto_split_at(q->a, q->p, q->n->loops[0].name, all, items, "gl", &group, &item,
                       "neighbours in a subgroup access neighbouring memory");
    if ((extent - 1) / items >= IRL__GANG_GROUPS) {
        const char *rows;
        irl__auto_split_at(q->a, q->p, q->n->loops[0].name, group, (IRL__GANG_GROUPS + 1) / 2, "yx",
                           &rows, &group, "a dimension has at most 65535 groups");
        irl__auto_step(q->p, "", "bind(%s, group.y);", rows);
    }
    irl__auto_step(q->p, "independent iterations", "bind(%s, group.x);", group);
    irl__auto_step(q->p, "", "bind(%s, local.x);", item);
    return 1;
}

int irl__gang_write(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    irl__gang   q;
    int         order[IRL__GANG_PIECES] = { 0 }, k;
    const char *tile = NULL, *group;
    memset(&q, 0, sizeof q);
    q.a = a;
    q.n = n;
    q.p = p;
    if (n->loop_count == 0) return 0;
    if (irl__auto_is_flat(n)) return irl__gang_flat(&q);
    for (int j = 0; j < q.n->loop_count; j++) {
        const int64_t extent = q.n->loops[j].extent, factor = irl__gang_divided(q.n, j);
        irl__gang_add(&q, j, extent / factor, factor, 0);
        if (factor > 1) irl__gang_add(&q, j, factor, factor, 1);
    }
    /* The piece of the least step, where there is no step of one. */
    int i, best = -1;
    for (i = q.count; i-- > 0;) {
        const int64_t step = q.piece[i].step[q.n->written];
        if (q.piece[i].extent > 1 && step > 0 && step != IRL__AUTO_FAR &&
            (best < 0 || step < q.piece[best].step[q.n->written]))
            best = i;
    }
    for (i = q.count; i-- > 0 && best < 0;)
        if (q.piece[i].extent > 1) best = i;
    q.x = best < 0 ? q.count - 1 : best;
    irl__gang_tile(&q);
    if (q.tiled >= 0)
        tile = irl__auto_copy_of(a, n, p, q.tiled, "tile",
                              "reads and stores run along different loops: a tile is transposed",
                              "%s = cache_read(%s, %s, shared, %s);");
    for (k = 0; k < n->loop_count; k++) irl__gang_split(&q, k);
    irl__gang_sorted(&q, order);
    group = irl__gang_order(&q, order);
    if (!group || !tile) return group != NULL;
    irl__auto_step(p, "the work-items load a tile together, element by element",
                   "compute_at(%s, %s);", tile, group);
    irl__gang_align(&q, tile);
    return 1;
}
