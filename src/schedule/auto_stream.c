/* auto_stream.c - sums along rows of memory that are read once: as many sums as the cache holds, so
   that memory is walked as it lies, and several rows are added while a sum is in a register.

   needs     auto_tile.c
   promises  each sum in its order; items enough are left; the sums of an item take a quarter of the
             cache at most */
#include "auto.h"

enum { IRL__AUTO_PART_OF_CACHE = 4 };

/* Is all that is read the same in all lanes, or one row of memory behind the other? */
static int irl__auto_is_stream(const irl__auto_nest *n, const irl__auto_plan *p, int loop)
{
    int k, moves = 0;
    for (k = 0; k < n->row_count; k++) {
        const irl__auto_row *row = &n->rows[k];
        if (irl__auto_is_own(n, k)) continue;
        if (p->copy[k] != IRL__AUTO_DIRECT || row->step[loop] == IRL__AUTO_FAR) return 0;
        moves += row->step[p->vector] == 1;
    }
    return moves > 0;
}

/* The most vectors of a row, one after the other in memory, whose sums the cache holds. */
static int64_t irl__auto_stream_width(const irl__auto_nest *n, const irl__auto_plan *p)
{
    const int64_t whole = n->loops[p->vector].extent / p->lanes;
    const int64_t most = n->target->cache_bytes / IRL__AUTO_PART_OF_CACHE /
                         (irl__auto_bytes(n) * p->lanes);
    const int64_t results = irl__auto_extents(n, 0) / p->lanes;
    int64_t       width;
    for (width = whole < most ? whole : most; width > 1; width--)
        if (irl__auto_divides(n, p->vector, p->lanes * width) &&
            results / width >= IRL__AUTO_LEAST)
            break;
    return width;
}

/* Rows of memory that a sum takes at once. */
static int64_t irl__auto_stream_rows(const irl__auto_nest *n, int loop)
{
    int64_t rows = IRL__AUTO_ROWS_MOST;
    while (rows > 1 && !irl__auto_divides(n, loop, rows)) rows--;
    return rows;
}

int irl__auto_stream(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    /* The innermost loop that reduces. */
    int loop;
    for (loop = n->loop_count; loop-- > 0 && !n->loops[loop].is_reduce;) {
    }
    irl__auto_cut cuts[IRL__AUTO_LOOPS];
    const char   *acc = irl__auto_name(a, n->name, "sum"), *init, *rows;
    if (loop < 0 || p->vector < 0 || p->row >= 0 || p->along >= 0 || p->stored != p->lanes ||
        !n->block->init || !irl__auto_is_stream(n, p, loop))
        return 0;
    p->vectors = irl__auto_stream_width(n, p);
    p->along = loop;
    p->length = irl__auto_stream_rows(n, loop);
    init = irl__auto_name(a, n->name, "init");
    if (!acc || !init || p->vectors <= IRL__AUTO_WORTH || p->length == 1) return 0;
    irl__auto_step(p, "sums of whole rows stay in the cache", "%s = cache_write(%s, 0, local);",
                   acc, n->name);
    if (!irl__auto_cuts(a, n, p, cuts)) return 0;
    rows = cuts[loop].inner;
    if (!rows) { /* all of the loop */
        rows = cuts[loop].outer;
        cuts[loop].outer = NULL;
    }
    if (!irl__auto_first_reduce(n, cuts)) return 0;
    /* Items, rows, the vectors of a row, the rows that a sum takes at once, lanes. */
    int k, round, at, any = 0;
    irl__text_puts(&p->text, "    reorder(");
    for (round = 0; round < 2; round++)
        for (at = 0; at < n->loop_count; at++)
            if (n->loops[k = irl__auto_nth(n, p, at)].is_reduce == round && cuts[k].outer)
                irl__textf(&p->text, "%s%s", any++ ? ", " : "", cuts[k].outer);
    irl__textf(&p->text, ", %s, %s, %s); // for each piece of the sums, all rows of a tile\n",
               cuts[p->vector].inner, rows, cuts[p->vector].lane);
    p->steps++;
    /* The sums are stored by vectors when an item is done. */
    const char *item = irl__auto_last_item(n, p, cuts);
    const int   axis = irl__auto_index_of(n, &n->rows[n->written], p->vector);
    const char *whole = irl__auto_name(a, acc, "i"), *lane = irl__auto_name(a, acc, "v");
    if (axis < 0 || !whole || !lane) return 0;
    irl__auto_step(p, "", "reverse_compute_at(%s, %s);", acc, item);
    irl__auto_step(p, "", "(%s, %s) = split(%s.ax%d, %l);", whole, lane, acc, axis, p->lanes);
    irl__auto_step(p, "", "vectorize(%s);", lane);
    irl__auto_step(p, "the sums are set before the loop that adds to them",
                   "%s = decompose_reduction(%s, %s);", init, n->name,
                   irl__auto_first_reduce(n, cuts));
    irl__auto_step(p, "", "vectorize(%s.%s);", init, cuts[p->vector].lane);
    irl__auto_step(p, "these are added while the sum is in a register", "unroll(%s);", rows);
    irl__auto_step(p, "", "vectorize(%s);", cuts[p->vector].lane);
    return irl__auto_items(a, n, p, cuts, "group");
}
