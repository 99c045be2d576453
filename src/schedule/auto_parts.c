/* auto_parts.c - loops that are cut into parts, each of which is then a nest to decide about: the
   border of guarded operands, and what vectors leave where they do not divide a loop.

   needs     auto_tile.c */
#include "auto.h"

int irl__auto_is_uniform(const irl__auto_nest *n, int loop)
{
    int64_t lo, hi;
    for (int k = 0; k < n->guard_count; k++)
        if (irl__expr_uses_var(n->guards[k], n->loops[loop].stmt->u.loop.var)) {
            irl__auto_interior(n, loop, &lo, &hi);
            return hi - lo == n->loops[loop].extent;
        }
    return 1;
}

/* Is loop k to be cut where its border is guarded? First the one of the vectors, so that all lanes
   ask the same; then, in what is inside of that border alone, the rows of a tile, which would ask
   each for itself. */
static int irl__auto_is_cut(const irl__auto *a, const irl__auto_nest *n, const irl__auto_plan *p,
                            int k, int is_uniform)
{
    if (n->loops[k].is_reduce) return 0;
    if (p->vector < 0) return !a->is_rest;
    if (!is_uniform) return k == p->vector;
    return a->is_inner && (n->is_reduction ? k == p->row /* a tile asks, once for all rows */
                                           : irl__auto_is_shared(n, k, IRL__AUTO_NEAR));
}

int irl__auto_choose_border(const irl__auto *a, const irl__auto_nest *n, const irl__auto_plan *p,
                            irl__auto_border *c)
{
    const int is_uniform = p->vector >= 0 && irl__auto_is_uniform(n, p->vector);
    int64_t   lo, hi;
    int       is_asked = !n->is_reduction; /* what a sum reads in bounds may be masked instead */
    for (int k = 0; k < n->row_count; k++) is_asked |= n->rows[k].is_guarded | n->rows[k].is_held;
    for (int k = 0; k < n->loop_count && n->guard_count; k++) {
        if (!irl__auto_is_cut(a, n, p, k, is_uniform)) continue;
        if (!is_asked && (k != p->vector || n->loops[k].is_symbolic)) continue;
        int64_t min = n->loops[k].stmt->u.loop.min->u.i;
        int64_t end = min + n->loops[k].extent;
        irl__auto_interior(n, k, &lo, &hi);
        if ((lo == min && hi == end) || hi - lo < n->loops[k].extent / 2) continue;
        if (!n->is_reduction && k == p->vector && hi - lo < 2 * p->lanes) continue;
        if (!is_asked) { /* whole tiles, of which a few are masked */
            const int64_t tile = p->lanes * p->vectors;
            lo = min + (lo - min + tile - 1) / tile * tile;
            hi = min + (hi - min) / tile * tile;
            if (hi - lo < n->loops[k].extent / 8 * 7) continue;
        }
        c->loop = k;
        c->count = 0;
        c->group = 0;
        c->is_border = 1;
        c->main = lo > min;
        if (n->loops[k].is_symbolic &&
            (lo - min > IRL__AUTO_BORDER || end - hi > IRL__AUTO_BORDER))
            continue; /* where it is goes by the names */
        if (lo > min) c->at[c->count++] = lo - min;
        if (hi < end) c->at[c->count++] = n->loops[k].is_symbolic ? hi - end : hi - min;
        c->reason = "inside the border no guard is needed";
        return 1;
    }
    return 0;
}

/* Loop k is cut at one place, and what is in front of that is most of it. */
static int irl__auto_cut_at(irl__auto_border *c, int k, int64_t at, const char *reason)
{
    c->loop = k;
    c->count = 1;
    c->group = c->main = c->is_border = 0;
    c->at[0] = at;
    c->reason = reason;
    return 1;
}

/* A loop of which whole tiles that are turned would be vectors along both loops: first the one that
   memory goes on along, then the one of the vectors. */
static int irl__auto_choose_turned(const irl__auto_nest *n, const irl__auto_plan *p,
                                   irl__auto_border *c)
{
    const int64_t  most = n->target->vector_bytes / irl__auto_bytes(n);
    irl__auto_nest whole = *n;
    irl__auto_plan with = *p;
    int            k;
    if (n->is_reduction || most < 2 * IRL__AUTO_WORTH * p->lanes) return 0;
    for (k = 0; k < n->loop_count; k++)
        if (!n->loops[k].is_symbolic && n->loops[k].extent >= IRL__AUTO_ITEMS)
            whole.loops[k].multiple = n->loops[k].extent / most * most;
    irl__auto_choose_vector(&whole, &with);
    if (with.vector < 0 || with.along < 0 || with.lanes < 2 * IRL__AUTO_WORTH * p->lanes)
        return 0;
    k = irl__auto_divides(n, with.along, with.length) ? with.vector : with.along;
    if (n->loops[k].is_symbolic || whole.loops[k].multiple == n->loops[k].extent) return 0;
    return irl__auto_cut_at(c, k, whole.loops[k].multiple, "whole tiles, then the remainder");
}

int irl__auto_choose_rest(const irl__auto_nest *n, const irl__auto_plan *p,
                          irl__auto_border *c)
{
    irl__auto_plan with = *p;
    int64_t        lanes;
    int            j;
    for (int k = n->loop_count; k-- > 0;) {
        if (n->loops[k].is_reduce || n->loops[k].is_symbolic) continue;
        lanes = irl__auto_lanes(n, k, 0);
        if (lanes < 4 || n->loops[k].extent % lanes == 0 || lanes <= p->lanes ||
            !irl__auto_is_vector(n, k, lanes, &with))
            continue;
        if (with.stored < lanes || (with.strided && lanes <= 2 * p->lanes)) continue;
        for (j = 0; j < n->row_count && with.copy[j] == IRL__AUTO_DIRECT; j++) {}
        if (j < n->row_count) continue;
        return irl__auto_cut_at(c, k, n->loops[k].extent / lanes * lanes,
                                "whole vectors, then the remainder");
    }
    return irl__auto_choose_turned(n, p, c);
}

/* What a tile with rows left over must save: one part in so many. Less where the tile that leaves
   none has so few sums that updates wait for each other, and it leaves little. */
int irl__auto_choose_rows(const irl__auto_nest *n, const irl__auto_plan *p, irl__auto_border *c,
                          irl__auto_plan *with)
{
    *with = *p;
    if (p->along >= 0) return 0;
    irl__auto_choose_tile(n, with, 0);
    int64_t extent = with->row < 0 ? 0 : n->loops[with->row].extent;
    if (extent % with->rows == 0 || n->loops[with->row].is_symbolic) return 0;
    int64_t worth = p->rows * p->vectors <= IRL__AUTO_WAITING &&
                            n->loops[with->row].extent % with->rows * IRL__AUTO_LEFT <=
                                n->loops[with->row].extent
                        ? 2 * IRL__AUTO_WORTH
                        : IRL__AUTO_WORTH;
    if (extent < 4 * with->rows ||
        with->cost * p->updates * worth > p->cost * with->updates * (worth - 1))
        return 0;
    return irl__auto_cut_at(c, with->row, extent / with->rows * with->rows,
                            "tiles of rows, then the remainder");
}

/* ------------------------------------------------------------------ symbolic extents */

/* What whole tiles of a symbolic loop of results may be divided by; 1: it was peeled, or is short.
   */
static int64_t irl__auto_peeled(const irl__auto_nest *n, const irl__auto_loop *loop)
{
    if (!loop->is_symbolic || loop->is_reduce ||
        (loop->multiple > 1 && (loop->multiple & (loop->multiple - 1)) == 0))
        return 1;
    if (loop->extent >= IRL__AUTO_PEELED) return IRL__AUTO_PEELED;
    return n->is_reduction && !n->is_inside && loop->extent >= 2 * IRL__AUTO_PEELED_AGAIN
               ? IRL__AUTO_PEELED_AGAIN : 1;
}

/* Loop k, if a tile has so many iterations of it and it may be peeled. */
static int irl__auto_try_peel(const irl__auto_nest *n, int k, int64_t length, irl__auto_border *c)
{
    if (k < 0 || length < 2 || irl__auto_peeled(n, &n->loops[k]) == 1 ||
        n->loops[k].most < 2 * length)
        return 0;
    c->loop = k;
    c->count = 1;
    c->main = c->is_border = 0;
    c->group = length;
    c->reason = "whole tiles, then the remainder";
    return 1;
}

int irl__auto_choose_peel(irl__auto *a, const irl__auto_nest *n, irl__auto_border *c)
{
    irl__auto_nest whole = *n;
    irl__auto_plan p;
    for (int k = 0; k < n->loop_count; k++)
        if (irl__auto_peeled(n, &n->loops[k]) > 1)
            whole.loops[k].multiple = irl__auto_peeled(n, &n->loops[k]);
    irl__auto_plan_begin(a, &p);
    p.way = IRL__AUTO_SUMS;
    irl__auto_choose_vector(&whole, &p);
    if (p.vector < 0) return 0;
    if (n->is_reduction) irl__auto_choose_tile(&whole, &p, 1);
    if (irl__auto_choose_border(a, n, &p, c)) return 1;
    return irl__auto_try_peel(n, p.row, p.rows, c) ||
           irl__auto_try_peel(n, p.along, p.length, c) ||
           irl__auto_try_peel(n, p.vector, p.lanes * p.vectors, c);
}

int irl__auto_parts(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                    const irl__auto_border *c)
{
    const char *name = n->loops[c->loop].name;
    int         k, any = 0;
    for (k = 0; k < n->row_count; k++)
        if (p->copy[k] == IRL__AUTO_TURNED) p->copy[k] = IRL__AUTO_DIRECT;
    if (!irl__auto_copies(a, n, p)) return 0;
    if (c->loop) {
        irl__auto_put(p, &any, irl__auto_member(n, c->loop));
        for (k = 0; k < c->loop; k++) irl__auto_put(p, &any, irl__auto_member(n, k));
        irl__text_puts(&p->text, ");\n");
        p->steps++;
    }
    for (k = 0; k <= c->count; k++) {
        static const char *const suffixes[] = { "a", "b", "c" };
        p->parts[k] = irl__auto_name(a, name, suffixes[k]);
        if (!p->parts[k]) return 0;
    }
    p->part_count = c->count + 1;
    p->main_part = c->main;
    p->is_border = c->is_border;
    p->is_moved = c->loop > 0;
    if (c->group)
        irl__auto_step(p, c->reason, "(%s, %s) = peel(%s.%s, %l);", p->parts[0], p->parts[1],
                       n->name, name, c->group);
    else if (c->count == 1)
        irl__auto_step(p, c->reason, "(%s, %s) = partition(%s.%s, %l);", p->parts[0], p->parts[1],
                       n->name, name, c->at[0]);
    else
        irl__auto_step(p, c->reason, "(%s, %s, %s) = partition(%s.%s, %l, %l);", p->parts[0],
                       p->parts[1], p->parts[2], n->name, name, c->at[0], c->at[1]);
    return 1;
}
