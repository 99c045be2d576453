/* auto_group_items.c - nests element by element, for devices whose work-items run in step:
   neighbours in a subgroup store neighbours in memory; what goes on along another loop where it is
   read comes through a tile in shared memory, read along that loop and stored along the other.

   needs     auto_nest.c, auto_write.c
   promises  steps through memory decide, behind layouts; groups have the size that the target
             prefers, where the nest is large enough. No vectors: they would take lines apart
   cost      loops times accesses, squared */
#include "auto.h"

enum {
    IRL__GANG_PIECES = 2 * IRL__AUTO_LOOPS,
    IRL__GANG_WASTE = 8 /* of work-items no more than one in so many is idle, if that can be */
};

/* A loop, or what a layout makes of it: a rest, along which memory goes on, and a quotient. */
typedef struct irl__gang_piece {
    int         loop, is_rest;
    int64_t     extent, step[IRL__AUTO_ROWS];
    int64_t     items, tile;           /* work-items along it; iterations of a group */
    int         is_x;                  /* its work-items are local.x's */
    const char *group, *each, *item;   /* its loops; NULL: there is none */
} irl__gang_piece;

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
        if (n->rows[k].is_runs[loop] && n->rows[k].step[loop] && n->rows[k].run[loop] > 1 &&
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
    int k, best = -1;
    for (k = q->count; k-- > 0;)
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

/* A part of a loop: its name, and its iterations, 0: what is left. */
typedef struct irl__gang_part {
    const char *name;
    int64_t     extent;
} irl__gang_part;

/* Parts of a loop, from the outermost on. */
static int irl__gang_parts(const irl__gang *q, int loop, irl__gang_part *part)
{
    int k, count = 0;
    for (k = 0; k < q->count; k++) {
        const irl__gang_piece *piece = &q->piece[k];
        if (piece->loop != loop) continue;
        if (piece->group) {
            part[count].name = piece->group;
            part[count++].extent = (piece->extent + piece->tile - 1) / piece->tile;
        }
        if (piece->each) {
            part[count].name = piece->each;
            part[count++].extent = piece->tile / piece->items;
        }
        if (piece->item) {
            part[count].name = piece->item;
            part[count++].extent = piece->items;
        }
    }
    return count;
}

static int irl__gang_split(irl__gang *q, int loop)
{
    irl__gang_part part[6];
    int            k;
    irl__text     *t = &q->p->text;
    if (q->n->loops[loop].extent == 1 && q->piece[q->x].loop != loop) return 1;
    const char *name = q->n->loops[loop].name;
    for (int i = 0; i < q->count; i++) {
        irl__gang_piece *piece = &q->piece[i];
        const int        has_item = piece->items > 1;
        if (piece->loop != loop) continue;
        if (piece->tile < piece->extent || (i == q->x && !irl__gang_has_groups(q)))
            piece->group = irl__auto_name(q->a, name, piece->is_rest ? "h" : "g");
        if (piece->tile > piece->items)
            piece->each = irl__auto_name(q->a, name, piece->is_rest ? "s" : "t");
        if (has_item) piece->item = irl__auto_name(q->a, name, piece->is_rest ? "r" : "l");
        if (!piece->group && !piece->each && !piece->item && piece->extent > 1) return 0;
    }
    if (!irl__ok(q->a->cx)) return 0;
    int count = irl__gang_parts(q, loop, part);
    if (count == 1) { /* the loop as it is */
        const char *whole = irl__auto_member(q->n, loop);
        for (k = 0; k < q->count; k++) {
            irl__gang_piece *piece = &q->piece[k];
            const char      **at = piece->group ? &piece->group
                                   : piece->each ? &piece->each : &piece->item;
            if (piece->loop == loop && *at) *at = whole;
        }
        return irl__ok(q->a->cx);
    }
    irl__text_puts(t, "    (");
    for (k = 0; k < count; k++) irl__textf(t, "%s%s", k ? ", " : "", part[k].name);
    irl__textf(t, ") = split(%s.%s", q->n->name, q->n->loops[loop].name);
    if (count > 2) irl__text_puts(t, ", _");
    for (int j = 1; j < count; j++) irl__textf(t, ", %l", part[j].extent);
    irl__text_puts(t, ");");
    if (q->piece[q->x].loop == loop)
        irl__text_puts(t, " // neighbours in a subgroup store to neighbouring memory");
    irl__text_puts(t, "\n");
    q->p->steps++;
    return 1;
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

static void irl__gang_put(irl__gang *q, int *any, const char *name)
{
    if (name) irl__textf(&q->p->text, "%s%s", (*any)++ ? ", " : "    reorder(", name);
}

/* Groups, then work-items, then what each of them does. */
static void irl__gang_order(irl__gang *q, const int *order)
{
    int k, any = 0;
    for (k = 0; k < q->n->loop_count; k++)
        if (q->n->loops[k].extent == 1 && q->piece[q->x].loop != k) {
            irl__textf(&q->p->text, "%s%s.%s", any++ ? ", " : "    reorder(", q->n->name,
                       q->n->loops[k].name);
        }
    for (k = 0; k < q->count; k++) irl__gang_put(q, &any, q->piece[order[k]].group);
    if (q->y >= 0) irl__gang_put(q, &any, q->piece[q->y].item);
    for (k = 0; k < q->count; k++)
        if (q->piece[order[k]].is_x) irl__gang_put(q, &any, q->piece[order[k]].item);
    if (q->y >= 0) irl__gang_put(q, &any, q->piece[q->y].each);
    irl__text_puts(&q->p->text, "); // groups, then their work-items\n");
    q->p->steps++;
}

/* One loop of those of the list, outermost first; NULL: there is none, or memory is out. */
static const char *irl__gang_fuse(irl__gang *q, const char *const *list, int count,
                                   const char *suffix, const char *reason)
{
    if (count < 2) return count ? list[0] : NULL;
    const char *name = irl__auto_name(q->a, q->n->name, suffix);
    if (!name) return NULL;
    irl__textf(&q->p->text, "    %s = fuse(", name);
    for (int k = 0; k < count; k++) irl__textf(&q->p->text, "%s%s", k ? ", " : "", list[k]);
    irl__textf(&q->p->text, "); // %s\n", reason);
    q->p->steps++;
    return name;
}

static const char *irl__gang_bind_groups(irl__gang *q, const int *order)
{
    static const char axes[] = "xyz";
    const char  *list[IRL__GANG_PIECES];
    int          count = 0, k;
    for (k = 0; k < q->count; k++)
        if (q->piece[order[k]].group) list[count++] = q->piece[order[k]].group;
    if (count > 3) {
        list[0] = irl__gang_fuse(q, list, count - 2, "groups", "a launch has three dimensions");
        if (!list[0]) return NULL;
        list[1] = list[count - 2];
        list[2] = list[count - 1];
        count = 3;
    }
    for (k = 0; k < count; k++)
        irl__auto_step(q->p, k ? "" : "independent iterations", "bind(%s, group.%c);",
                       list[k], axes[count - 1 - k]);
    return count ? list[count - 1] : NULL;
}

static int irl__gang_bind(irl__gang *q, const int *order)
{
    const char *list[IRL__GANG_PIECES] = { NULL }, *x;
    int         count = 0, k;
    for (k = 0; k < q->count; k++)
        if (q->piece[order[k]].is_x && q->piece[order[k]].item)
            list[count++] = q->piece[order[k]].item;
    x = irl__gang_fuse(q, list, count, "items", "together they run through contiguous memory");
    if (count && !x) return 0;
    if (q->y >= 0 && q->piece[q->y].item)
        irl__auto_step(q->p, "", "bind(%s, local.y);", q->piece[q->y].item);
    if (x) irl__auto_step(q->p, "", "bind(%s, local.x);", x);
    return 1;
}

/* The tile of the operand: its last row of cells, and the banks that a subgroup finds. */
static void irl__gang_align(irl__gang *q, const char *tile)
{
    const irl__auto_row *r = &q->n->rows[q->tiled];
    int64_t              row = 1, step;
    int                  axis, k, last = r->access->rank - 1;
    for (axis = last; axis > 0; axis--) {
        int64_t span = 1;
        for (k = 0; k < q->count; k++)
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
        if (!list[k] || !irl__mul64(extent, q->n->loops[k].extent, &extent)) return 0;
    }
    all = irl__gang_fuse(q, list, q->n->loop_count, "all", "all of memory is contiguous");
    group = irl__auto_name(q->a, q->n->loops[0].name, "g");
    item = irl__auto_name(q->a, q->n->loops[0].name, "l");
    if (!all || !group || !item) return 0;
    items = extent < q->n->target->group_items ? extent : q->n->target->group_items;
    irl__auto_step(q->p, "neighbours in a subgroup access neighbouring memory",
                   "(%s, %s) = split(%s, %l);", group, item, all, items);
    irl__auto_step(q->p, "independent iterations", "bind(%s, group.x);", group);
    irl__auto_step(q->p, "", "bind(%s, local.x);", item);
    return 1;
}

int irl__gang_write(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    irl__gang   q;
    int         order[IRL__GANG_PIECES] = { 0 }, k;
    const char *tile = NULL, *group, *buffer;
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
    if (q.tiled >= 0) {
        const irl_buffer *b = n->rows[q.tiled].access->buffer;
        tile = irl__auto_name(a, b->name, "tile");
        buffer = irl__auto_symbol(a->cx, b->name);
        if (!tile || !buffer) return 0;
        irl__auto_step(p, "reads and stores run along different loops: a tile is transposed",
                       "%s = cache_read(%s, %s, shared, %s);", tile, n->name, buffer, n->name);
    }
    for (k = 0; k < n->loop_count; k++)
        if (!irl__gang_split(&q, k)) return 0;
    irl__gang_sorted(&q, order);
    irl__gang_order(&q, order);
    group = irl__gang_bind_groups(&q, order);
    if (!group || !irl__gang_bind(&q, order)) return 0;
    if (!tile) return 1;
    irl__auto_step(p, "the work-items load a tile together, element by element",
                   "compute_at(%s, %s);", tile, group);
    irl__gang_align(&q, tile);
    return 1;
}
