/* auto_sums.c - loops that run through memory as one become one; sums whose order is free become
   partial results in vectors; sums of rows that are read once stay in the cache; bytes that are not
   adjacent are picked from windows (lanes_gather.c).

   needs     auto_write.c, auto_tile.c
   promises  sums keep their order unless it is free; the sums of an item take a quarter of the
             cache at most; bytes are picked only if the target can do that
   cost      linear in the nest's rows, times its loops, or lanes */
#include "auto.h"

/* ------------------------------------------------------------------ loops that become one */

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

/* May operands be guarded there? The outermost of the loops alone may have guards: so that its
   border is still looked at iteration by iteration (irl__auto_interior), being so much longer. */
static int irl__auto_is_border(const irl__auto_nest *n, const irl__auto_flat *q)
{
    const int       outer = q->loops[q->count - 1];
    const irl_stmt *s = n->loops[outer].stmt;
    const int64_t   inner = q->extent / n->loops[outer].extent, min = s->u.loop.min->u.i;
    int64_t         lo, hi;
    if (!irl__auto_is_guarded_by(n, outer)) return 1;
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
    const int64_t most = irl__auto_most_lanes(n);
    for (int k = n->loop_count; k-- > 1;)
        for (int j = 0; j < n->row_count; j++)
            if (n->rows[j].step[k] == 1 && (irl__auto_lanes(n, k, 1) < most ||
                                            irl__auto_is_part_of_walk(n, k, most)))
                return k;
    return -1;
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

/* Do the longest vectors leave more than one part in IRL__AUTO_LEAST of so many columns? */
static int irl__auto_leaves_much(const irl__auto_nest *n, int64_t extent)
{
    int64_t lanes = irl__auto_most_lanes(n);
    while (lanes > 1 && !irl__auto_has_width(n, lanes)) lanes--;
    return lanes > 1 && extent % lanes * IRL__AUTO_LEAST > extent;
}

/* Pixels whose channels do not fill vectors (y[h, w, c], c < 3), and the loops that continue in
   memory after them, if vectors of one loop would leave much of it. 0: there are none such. */
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
    while (irl__auto_leaves_much(n, q->extent) && !irl__auto_is_guarded_by(n, k)) {
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
        irl__textf(&list, "%s%s", any++ ? ", " : "", irl__auto_member(n, q->loops[k]));
    for (k = any = 0; k < n->loop_count && is_apart; k++)
        if (!irl__auto_is_flattened(q, k)) irl__auto_put(p, &any, irl__auto_member(n, k));
    if (is_apart) {
        irl__auto_put(p, &any, irl__text_or_empty(irl__text_done(&list)));
        irl__auto_put_end(p, "in the order of memory");
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
        if (irl__auto_is_guarded_by(n, j) || j == 0 || !irl__auto_is_one_walk(n, j)) break;
    }
    const int is_next = q.count > 1;
    if (irl__auto_is_symbolic(n) || irl__auto_has_rows(n)) return 0;
    if (n->block) {
        /* Each loop must be one axis of the block, in their order. */
        if (!is_next || n->guard_count) return 0;
        if (n->block->axis_count != n->loop_count) return 0;
        for (int k = 0; k < n->loop_count; k++)
            if (n->block->axes[k].binding != n->loops[k].stmt->u.loop.var) return 0;
        irl__text_init(&map, a->cx);
        /* (c, h, w) -> (c, h * 14 + w) */
        for (int k = 0; k < n->loop_count; k++)
            irl__textf(&map, "%s%s", k ? ", " : "(", n->loops[k].name);
        irl__text_puts(&map, ") -> ");
        for (int k = 0; k < n->loop_count; k++) {
            const int is_flat = irl__auto_is_flattened(&q, k);
            if (is_flat && k != q.loops[q.count - 1]) continue;
            irl__text_puts(&map, k ? ", " : "(");
            if (is_flat) irl__auto_flat_index(&map, n, &q);
            else irl__text_puts(&map, n->loops[k].name);
        }
        irl__text_puts(&map, ")");
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
        loops[k] = irl__auto_loop_of(n, n->block->axes[k].var, 1);
        for (j = 0; j < k && loops[j] != loops[k]; j++) {}
        if (loops[k] < 0 || j < k ||
            !irl__is_int(n->block->axes[k].extent, n->loops[loops[k]].extent))
            return 0;
    }
    return 1;
}

/* The other loops of results, the flat one, called so (NULL: what it is of the others), then (if
   they are asked for) those that reduce. */
static void irl__auto_flat_loops(irl__text *t, const irl__auto_nest *n, const irl__auto_flat *q,
                                 const char *flat, int with_reduced)
{
    int any = 0;
    irl__text_puts(t, "(");
    for (int k = 0; k < n->loop_count; k++)
        if (!n->loops[k].is_reduce && !irl__auto_is_flattened(q, k))
            irl__textf(t, "%s%s", any++ ? ", " : "", n->loops[k].name);
    irl__text_puts(t, any ? ", " : "");
    if (flat) irl__text_puts(t, flat);
    else irl__auto_flat_index(t, n, q);
    for (int k = 0; k < n->loop_count && with_reduced; k++)
        if (n->loops[k].is_reduce) irl__textf(t, ", %s", n->loops[k].name);
    irl__text_puts(t, ")");
}

const char *irl__auto_flatten(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    irl__auto_flat q;
    int            loops[IRL__AUTO_LOOPS];
    irl__text      map, cells;
    if (!n->is_reduction || !n->block->init || a->counts || n->is_inside || n->around_count ||
        irl__auto_is_symbolic(n) ||
        !irl__auto_choose_flat(n, &q) || !irl__auto_is_border(n, &q) ||
        !irl__auto_of_axes(n, loops))
        return NULL;
    const char *flat = irl__auto_name(a, n->loops[q.loops[0]].name, "flat");
    const char *made = irl__auto_name(a, n->name, "flat");
    irl__text_init(&map, a->cx);
    irl__text_puts(&map, "(");
    for (int k = 0; k < n->loop_count; k++)
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

/* ------------------------------------------------------------------ partial results */

enum { IRL__AUTO_FOLDS = 6 }; /* so many vectors make a remainder of less than one unimportant */

/* The outermost loop that reduces. */
static int irl__auto_outer_reduce(const irl__auto_nest *n)
{
    int k;
    for (k = 0; k < n->loop_count && !n->loops[k].is_reduce; k++) {}
    return k;
}

/* May partial results be vectors of that many lanes: are all operands the same in them, or one
   after the other? */
static int irl__auto_is_fold(const irl__auto_nest *n, int loop, int64_t lanes)
{
    for (int k = 0; k < n->row_count; k++)
        if (!irl__auto_is_own(n, k) &&
            (n->rows[k].run[loop] < lanes || n->rows[k].is_guarded ||
             (n->rows[k].step[loop] != 1 && n->rows[k].step[loop] != 0)))
            return 0;
    return irl__target_has_width(n->target, (uint32_t)lanes);
}

/* Lanes of vectors along the loop: as many as a register holds, of which fewer only where one
   work-item has all of the loop, which then is short; 0: there are none. */
static int64_t irl__auto_fold_lanes(const irl__auto_nest *n, int loop)
{
    const int64_t extent = n->loops[loop].extent;
    const int     least = n->is_inside ? 1 : 2; /* vectors that are worth it, */
    int64_t       lanes = irl__auto_most_lanes(n);
    const int     folds = n->is_inside && extent >= lanes && irl__auto_has_function(n)
                              ? 1 : IRL__AUTO_FOLDS; /* or with a remainder, which is vectors too */
    for (; lanes >= 2; lanes /= 2) {
        if (irl__auto_is_fold(n, loop, lanes) &&
            (extent / lanes >= folds ||
             (irl__auto_divides(n, loop, lanes) && extent / lanes >= least)))
            return lanes;
        if (!n->is_inside || lanes <= 4) break;
    }
    return 0;
}

/* Vectors of partial results: as many as divide those of the loop, and leave `least` iterations; or
   that leave few vectors over where something is left of the loop anyway. */
static int64_t irl__auto_fold_vectors(int64_t extent, int64_t lanes, int least)
{
    const int64_t count = extent / lanes;
    int64_t       vectors, left;
    for (vectors = 4; vectors > 1; vectors /= 2) {
        left = count % vectors * lanes;
        if (count / vectors >= least &&
            (left == 0 || (extent % lanes && left * IRL__AUTO_FOLDS <= count)))
            break;
    }
    return vectors;
}

/* The loop along which partial results are vectors: the innermost, which reduces. One loop alone is
   no item's. Sets p->lanes and p->vectors; -1: none. */
static int irl__auto_choose_split(const irl__auto_nest *n, irl__auto_plan *p)
{
    const int last = n->loop_count - 1;
    if (!n->is_free || !n->block->init || last < !n->is_inside || !n->loops[last].is_reduce)
        return -1;
    p->lanes = irl__auto_fold_lanes(n, last);
    if (p->lanes == 0) return -1;
    p->vectors = n->loops[last].is_symbolic ? 2 /* which leave less than more do */
                     : irl__auto_fold_vectors(n->loops[last].extent, p->lanes,
                                              irl__auto_outer_reduce(n) < last ? 1 : 2);
    return last;
}

/* Names of the steps: the loop's parts, the blocks of partial results, and of their inits. */
typedef struct irl__auto_fold {
    const char *outer, *group, *lane, *part, *groups, *start, *begin;
    const char *loop;     /* that is cut */
    const char *item;     /* the loop to which they move; NULL: they stay where they are made */
    int64_t     tail;     /* iterations less than a vector, which shorter vectors add to its lanes;
                             0: there are none, or they are `rest` */
    const char *of[3][2]; /* the three parts of the loop, of block `groups` and of block `part` */
    const char *reduce[2]; /* of each block the outermost loop that reduces */
} irl__auto_fold;

/* The loops of a block are called after the loop's parts; where it moves, after its axes: that of
   the lanes first, in front of it that of the groups, then the spatial ones, then what reduces. */
static void irl__auto_fold_loops(irl_ctx *cx, irl__auto_fold *q, int of, const int *axis)
{
    const char *const made[3] = { q->outer, q->group, q->lane };
    for (int k = 0; k < 3; k++)
        q->of[k][of] = q->item ? irl__reason(cx, "ax%d", axis[k]) : made[k];
}

static void irl__auto_fold_names(irl__auto *a, const irl__auto_nest *n, const irl__auto_plan *p,
                                 int loop, int64_t tail, irl__auto_fold *q)
{
    const int   reduce = n->block->axis_count, is_many = p->vectors > 1;
    const int   of_groups[3] = { reduce + 1, 0, 1 };
    const int   of_part[3] = { reduce, 0, is_many };
    const int   is_whole = tail || irl__auto_divides(n, loop, p->lanes);
    const int   first = irl__auto_outer_reduce(n);
    const char *name = n->loops[loop].name;
    q->outer = irl__auto_name(a, name, "o");
    q->group = irl__auto_name(a, name, "g");
    q->lane = irl__auto_name(a, name, "v");
    q->part = irl__auto_name(a, n->name, "part");
    q->groups = irl__auto_name(a, n->name, "groups");
    q->start = irl__auto_name(a, n->name, "start");
    q->begin = irl__auto_name(a, n->name, "begin");
    q->loop = irl__auto_member(n, loop);
    q->tail = tail;
    q->item = loop > 0 && first == loop && is_whole ? irl__auto_member(n, loop - 1) : NULL;
    irl__auto_fold_loops(a->cx, q, 0, of_groups);
    irl__auto_fold_loops(a->cx, q, 1, of_part);
    for (int k = 0; k < 2; k++) q->reduce[k] = first < loop ? n->loops[first].name : q->of[0][k];
}

/* Partial results move to the item, inside of which the loop that reduces is the outermost. */
static void irl__auto_fold_move(irl__auto_plan *p, const irl__auto_fold *q)
{
    if (!q->item) return;
    irl__auto_step(p, "", "compute_at(%s, %s);", q->part, q->item);
    if (p->vectors > 1) {
        irl__auto_step(p, "", "compute_at(%s, %s);", q->groups, q->item);
        irl__auto_step(p, "", "reorder(%s.%s, %s.%s, %s.%s);", q->groups, q->of[0][0], q->groups,
                       q->of[1][0], q->groups, q->of[2][0]);
    } else
        irl__auto_step(p, "", "reorder(%s.%s, %s.%s);", q->part, q->of[0][1], q->part, q->of[2][1]);
}

/* The remainder of the loop, less than a vector, is added after the vectors. */
static void irl__auto_fold_rest(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                                irl__auto_fold *q, int loop)
{
    const int64_t extent = n->loops[loop].extent, group = p->lanes * p->vectors;
    const char   *parts[2];
    if (q->tail || irl__auto_divides(n, loop, p->lanes)) return;
    irl__auto_cut_off(a, p, n->loops[loop].name, q->loop, parts, extent - extent % group,
                      n->loops[loop].is_symbolic ? group : 0, "whole vectors, then the remainder");
    q->loop = parts[0];
}

/* What whole vectors leave of a row of functions: so many iterations, if that is enough for shorter
   ones; 0: it is not. */
static int64_t irl__auto_tail(const irl__auto_nest *n, const irl__auto_plan *p, int loop)
{
    const int64_t left = n->loops[loop].extent % p->lanes;
    return n->is_inside && irl__auto_has_function(n) && loop == irl__auto_outer_reduce(n) &&
                   left >= IRL__AUTO_NEAR && irl__auto_has_width(n, IRL__AUTO_NEAR)
               ? left : 0;
}

/* The last iteration, of which `tail` lanes are added up: by vectors that are shorter and shorter,
   then one by one. */
static void irl__auto_fold_tail(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                                const irl__auto_fold *q, int loop)
{
    static const char *const suffixes[] = { "a", "b", "c", "d", "e", "f" };
    const char *part = irl__auto_name(a, q->part, "1"), *lanes[6], *parts[2];
    irl__text   at;
    int         count = 0;
    int64_t     sum = 0;
    irl__auto_cut_off(a, p, n->loops[loop].name,
                      irl__reason(a->cx, "%s.%s", q->part, q->of[0][1]), parts,
                      n->loops[loop].extent / p->lanes, 0, "whole vectors, then the remainder");
    irl__text_init(&at, a->cx);
    for (int64_t width = p->lanes / 2; width >= IRL__AUTO_NEAR; width /= 2) {
        if (q->tail - sum < width || !irl__auto_has_width(n, width)) continue;
        lanes[count] = irl__auto_name(a, q->lane, suffixes[count]);
        count++;
        irl__textf(&at, ", %l", sum += width);
    }
    irl__text_puts(&p->text, "    (");
    for (int k = 0; k < count; k++) irl__textf(&p->text, "%s, ", lanes[k]);
    irl__textf(&p->text, "%s) = partition(%s.%s%s", irl__auto_name(a, q->lane, suffixes[count]),
               part, q->of[2][1], irl__text_or_empty(irl__text_done(&at)));
    irl__auto_put_end(p, "shorter vectors");
    for (int k = 0; k < count; k++) irl__auto_step(p, "", "vectorize(%s);", lanes[k]);
}

/* Vectors of partial results; several are put together before their lanes are. */
static void irl__auto_fold_steps(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                                 const irl__auto_fold *q, int loop)
{
    static const char why[] = "any order is allowed: partial results along contiguous memory";
    const int         is_many = p->vectors > 1;
    if (is_many)
        irl__auto_step(p, why, "(%s, %s, %s) = split(%s, _, %l, %l);", q->outer, q->group, q->lane,
                       q->loop, p->vectors, p->lanes);
    else
        irl__auto_step(p, why, "(%s, %s) = split(%s, %l);", q->outer, q->lane, q->loop, p->lanes);
    irl__auto_step(p, "", "%s = rfactor(%s, -1);", q->part, q->lane);
    if (is_many)
        irl__auto_step(p, "independent updates", "%s = rfactor(%s.%s, -2);", q->groups, q->part,
                       q->group);
    irl__auto_fold_move(p, q);
    irl__auto_step(p, "they stay in registers", "set_scope(%s, 0, local);", q->part);
    if (is_many) irl__auto_step(p, "", "set_scope(%s, 0, local);", q->groups);
    for (int of = !is_many; of < 2; of++) {
        const char *block = of ? q->part : q->groups, *init = of ? q->start : q->begin;
        irl__auto_step(p, "", "%s = decompose_reduction(%s, %s.%s);", init, block, block,
                       of && is_many ? q->of[1][1] : q->reduce[of]);
        if (!of) irl__auto_step(p, "", "unroll(%s.%s);", init, q->of[1][0]);
        irl__auto_step(p, "", "vectorize(%s.%s);", init, q->of[2][of]);
        if (is_many)
            irl__auto_step(p, of ? "first whole vectors are combined, then the lanes of one" : "",
                           "unroll(%s.%s);", block, q->of[1][of]);
        if (q->tail) irl__auto_fold_tail(a, n, p, q, loop);
        irl__auto_step(p, "", "vectorize(%s.%s);", block, q->of[2][of]);
    }
}

/* The lanes of one vector are put together; of a short row by shorter vectors first, so that fewer
   updates wait for each other. */
static void irl__auto_fold_one(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                               const irl__auto_fold *q, int loop)
{
    const char *lane = q->lane, *outer, *part, *start;
    if (p->lanes > IRL__AUTO_NEAR && !n->loops[loop].is_symbolic && !q->item &&
        n->loops[loop].extent < p->lanes * IRL__AUTO_ITEMS &&
        irl__auto_has_width(n, IRL__AUTO_NEAR)) {
        irl__auto_split_at(a, p, q->lane, irl__reason(a->cx, "%s.%s", n->name, q->lane),
                           IRL__AUTO_NEAR, "ol", &outer, &lane, "");
        part = irl__auto_name(a, n->name, "lanes");
        start = irl__auto_name(a, n->name, "zero");
        irl__auto_step(p, "fewer updates wait for each other", "%s = rfactor(%s, -1);", part,
                       lane);
        irl__auto_step(p, "", "set_scope(%s, 0, local);", part);
        irl__auto_step(p, "", "%s = decompose_reduction(%s, %s.%s);", start, part, part, outer);
        irl__auto_step(p, "", "vectorize(%s.%s);", start, lane);
        irl__auto_step(p, "", "unroll(%s.%s);", part, outer);
        irl__auto_step(p, "", "vectorize(%s.%s);", part, lane);
    }
    irl__auto_step(p, "", "unroll(%s.%s);", n->name, lane);
}

/* ------------------------------------------------------------------ one result */

/* Partial results of a sum of everything, a work-item each, and what each adds up at least. */
enum {
    IRL__AUTO_SUMS_MOST = 256,
    IRL__AUTO_SUMS_EACH = 1 << 10,
    IRL__AUTO_SUMS_NAMED = 1 << 12 /* of a symbolic loop each adds up so many */
};

/* As many as leave little of the loop, in whole vectors each. Returns what each adds up; 0: that
   would be too little. */
static int64_t irl__auto_each_sum(const irl__auto_nest *n, int64_t extent, int64_t *count)
{
    const int64_t line = n->target->vector_bytes / irl__auto_bytes(n);
    int64_t       each, left, best = 0, least = extent;
    for (int64_t now = 2; line > 0 && now <= IRL__AUTO_SUMS_MOST; now *= 2) {
        each = extent / now / line * line;
        left = extent - now * each;
        if (each < IRL__AUTO_SUMS_EACH) break;
        if (left >= least && left > extent / IRL__AUTO_SUMS_EACH) continue;
        best = each;
        least = left;
        *count = now;
    }
    return best;
}

/* One loop, cut into parts of one size and a remainder; the name of the loop over the parts,
   NULL: it is too short. */
static const char *irl__auto_cut_sum(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                                     int loop)
{
    const int64_t extent = n->loops[loop].extent;
    const char   *name = n->loops[loop].name, *whole = irl__auto_member(n, loop);
    const char   *parts[2], *outer, *inner;
    int64_t       count = 0, each = IRL__AUTO_SUMS_NAMED;
    int           is_cut = n->loops[loop].is_symbolic;
    if (!is_cut) {
        each = irl__auto_each_sum(n, extent, &count);
        is_cut = extent != count * each;
    }
    if (!each) return NULL;
    if (is_cut)
        irl__auto_cut_off(a, p, name, whole, parts, count * each,
                          n->loops[loop].is_symbolic ? each : 0, "equal parts, then the remainder");
    irl__auto_split_at(a, p, name, is_cut ? parts[0] : whole, each, "oi", &outer, &inner, "");
    return outer;
}

/* A sum of everything has nothing for work-items: each makes a partial result, in a nest of its
   own, of iterations of the outermost loop. */
static int irl__auto_whole(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    int     first = -1;
    int64_t inside = 1;
    if (!n->is_free || !n->block->init || n->is_inside || irl__auto_extents(n, 0) != 1) return 0;
    for (int k = n->loop_count; k-- > 0;) {
        if (!n->loops[k].is_reduce) continue;
        if (first >= 0 && !irl__mul64(inside, n->loops[first].extent, &inside)) return 0;
        first = k;
    }
    if (first < 0 || (inside > 1 && inside < IRL__AUTO_SUMS_EACH)) return 0;
    const char *outer = inside > 1 ? irl__auto_member(n, first) : irl__auto_cut_sum(a, n, p, first);
    if (!outer) return 0;
    p->again = irl__auto_name(a, n->name, "parts");
    irl__auto_step(p, "any order is allowed: one partial result for each work-item",
                   "%s = rfactor(%s, 0);", p->again, outer);
    return 1;
}

int irl__auto_split(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    const int      loop = irl__auto_choose_split(n, p), first = irl__auto_outer_reduce(n);
    irl__auto_cut  cuts[IRL__AUTO_LOOPS];
    irl__auto_fold q;
    if (loop < 0 || (first < loop && !n->is_inside && irl__auto_extents(n, 0) == 1))
        return irl__auto_whole(a, n, p);
    const int64_t tail = irl__auto_tail(n, p, loop);
    if (tail) p->vectors = 1; /* a function takes longer than what waits for the sum before it */
    const int is_whole = irl__auto_divides(n, loop, p->lanes);
    if (first < loop && !(n->is_inside && first == 0 && is_whole)) {
        /* Several loops reduce: partial results for each iteration of the outermost of them. */
        if (n->is_inside || n->loops[n->loop_count - 1].extent < IRL__AUTO_ITEMS) return 0;
        p->again = irl__auto_name(a, n->name, "parts");
        irl__auto_step(p, "any order is allowed: one partial result for each iteration",
                       "%s = rfactor(%s, 0);", p->again, irl__auto_member(n, first));
        return 1;
    }
    irl__auto_fold_names(a, n, p, loop, tail, &q);
    memset(cuts, 0, sizeof cuts);
    for (int k = 0; k < loop; k++) cuts[k].outer = irl__auto_member(n, k);
    irl__auto_fold_rest(a, n, p, &q, loop);
    irl__auto_fold_steps(a, n, p, &q, loop);
    irl__auto_fold_one(a, n, p, &q, loop);
    irl__auto_items(a, n, p, cuts, "group");
    return 1;
}

/* Into how many parts is the loop cut, so that half of the caches holds what a part reads of that
   operand? 0: it is not, or the partial sums would be no small part of the operand. */
static int64_t irl__auto_block_count(const irl__auto_nest *n, int row, int loop, int vector)
{
    const int64_t most = n->target->cache_bytes * IRL__AUTO_CACHES / 2 / irl__auto_bytes(n);
    const int64_t all = irl__auto_touched(n, row, 1u << vector);
    int64_t       count = most > 0 ? (all + most - 1) / most : 0, sums;
    if (count <= 0 || !irl__auto_is_beyond(n, row, vector) || n->rows[row].step[loop] == 0 ||
        irl__auto_reuse(n, &n->rows[row]) < IRL__AUTO_REUSE)
        return 0;
    while (count < n->loops[loop].extent && n->loops[loop].extent % count) count++;
    return irl__mul64(irl__auto_extents(n, 0), count * IRL__AUTO_WORTH, &sums) &&
                   sums <= irl__auto_touched(n, row, ~0u) && count < n->loops[loop].extent
               ? count : 0;
}

int irl__auto_blocks(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    const int   loop = irl__auto_outer_reduce(n);
    const char *outer, *inner;
    int64_t     count = 0;
    int         any = 0;
    if (!n->is_free || !n->block->init || n->is_inside || n->guard_count || p->vector < 0) return 0;
    for (int row = 0; row < n->row_count && !count; row++)
        count = irl__auto_block_count(n, row, loop, p->vector);
    if (!count) return 0;
    irl__auto_split_at(a, p, n->loops[loop].name, irl__auto_member(n, loop),
                       n->loops[loop].extent / count, "oi", &outer, &inner,
                       "the caches hold what so many terms read");
    p->again = irl__auto_name(a, n->name, "parts");
    irl__auto_step(p, "any order is allowed: one partial result for each of them",
                   "%s = rfactor(%s, 0);", p->again, outer);
    irl__auto_put(p, &any, irl__reason(a->cx, "%s.%s", p->again, outer));
    for (int k = 0; k < n->loop_count; k++)
        if (!n->loops[k].is_reduce)
            irl__auto_put(p, &any, irl__reason(a->cx, "%s.%s", p->again, n->loops[k].name));
    irl__auto_put_end(p, "");
    memset(p->copy, 0, sizeof p->copy);
    p->made[n->written] = n->name; /* the sum of these is a nest, too */
    return 1;
}

/* ------------------------------------------------------------ rows of memory that are read once */

enum { IRL__AUTO_PART_OF_CACHE = 4 };

/* Is each operand the same in all lanes, or rows that follow each other in memory? */
static int irl__auto_is_stream(const irl__auto_nest *n, const irl__auto_plan *p, int loop)
{
    int moves = 0;
    for (int k = 0; k < n->row_count; k++) {
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

int irl__auto_stream(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    const int     loop = irl__auto_last_reduce(n);
    irl__auto_cut cuts[IRL__AUTO_LOOPS];
    const char   *acc = irl__auto_name(a, n->name, "sum");
    const char   *init = irl__auto_name(a, n->name, "init"), *rows, *whole, *lane;
    if (loop < 0 || p->vector < 0 || p->row >= 0 || p->along >= 0 || p->strided ||
        p->stored != p->lanes || !n->block->init || !irl__auto_is_stream(n, p, loop))
        return 0;
    p->vectors = irl__auto_stream_width(n, p);
    p->along = loop;
    for (p->length = IRL__AUTO_ROWS_MOST; p->length > 1 && !irl__auto_divides(n, loop, p->length);)
        p->length--;
    if (p->vectors <= IRL__AUTO_WORTH || p->length == 1) return 0;
    irl__auto_step(p, "sums of whole rows stay in the cache", "%s = cache_write(%s, 0, local);",
                   acc, n->name);
    irl__auto_cuts(a, n, p, cuts);
    rows = cuts[loop].inner;
    if (!rows) { /* all of the loop */
        rows = cuts[loop].outer;
        cuts[loop].outer = NULL;
    }
    if (!irl__auto_first_reduce(n, cuts)) return 0;
    /* Items, rows, the vectors of a row, the rows that a sum takes at once, lanes. */
    int k, any = 0;
    for (int round = 0; round < 2; round++)
        for (int at = 0; at < n->loop_count; at++)
            if (n->loops[k = irl__auto_nth(n, p, at)].is_reduce == round)
                irl__auto_put(p, &any, cuts[k].outer);
    irl__auto_put(p, &any, cuts[p->vector].inner);
    irl__auto_put(p, &any, rows);
    irl__auto_put(p, &any, cuts[p->vector].lane);
    irl__auto_put_end(p, "for each piece of the sums, all rows of a tile");
    /* The sums are stored by vectors when an item is done. */
    const char *item = irl__auto_last_item(n, p, cuts);
    const int   axis = irl__auto_index_of(n, &n->rows[n->written], p->vector);
    if (axis < 0) return 0;
    irl__auto_step(p, "", "reverse_compute_at(%s, %s);", acc, item);
    irl__auto_split_at(a, p, acc, irl__reason(a->cx, "%s.ax%d", acc, axis), p->lanes, "iv", &whole,
                       &lane, "");
    irl__auto_step(p, "", "vectorize(%s);", lane);
    irl__auto_step(p, "the sums are set before the loop that adds to them", "%s = "
                   "decompose_reduction(%s, %s);", init, n->name, irl__auto_first_reduce(n, cuts));
    irl__auto_step(p, "", "vectorize(%s.%s);", init, cuts[p->vector].lane);
    irl__auto_step(p, "these are added while the sum is in a register", "unroll(%s);", rows);
    irl__auto_step(p, "", "vectorize(%s);", cuts[p->vector].lane);
    irl__auto_items(a, n, p, cuts, "group");
    return 1;
}

/* ------------------------------------------------------------------ bytes that are picked */

enum { IRL__AUTO_WINDOW = 4 }; /* bytes for each lane, at most: as lanes_gather.c has them */

/* The innermost loop of that number, in the order of the text; at: its place. NULL: there are
   fewer. */
static const irl_stmt *irl__auto_inner_loop(const irl_stmt *top, int number, irl__place *at)
{
    const unsigned  others = ~(1u << IRL__STORE | 1u << IRL__SEQ | 1u << IRL__LET);
    const irl_stmt *s;
    for (irl__place_begin(at, top); (s = irl__place_next(at)) != NULL;)
        if (s->kind == IRL__FOR && !irl__stmt_holds(s->u.loop.body, others) && number-- == 0)
            return s;
    return NULL;
}

/* ------------------------------------------------------------------ what a loop touches */

/* How the lanes of an access lie. */
typedef enum irl__auto_lie {
    IRL__AUTO_EVEN,   /* the same distance apart, which compilers do better by themselves */
    IRL__AUTO_ROW,    /* one after the other, or all the same */
    IRL__AUTO_PICKED, /* in any other order, in a window */
    IRL__AUTO_APART   /* in none */
} irl__auto_lie;

static int irl__auto_is_run(int lanes, const int64_t *at, int64_t step)
{
    int k;
    for (k = 0; k < lanes && at[k] == step * k;) k++;
    return k == lanes;
}

/* How a load's lanes lie: bits as the first byte of each. The window's bytes in *window. */
static irl__auto_lie irl__auto_lie_of(const irl_buffer *b, int lanes, int64_t *at,
                                      int64_t *window)
{
    int64_t least = 0, most = 0, size;
    *window = 0;
    if (!b->bits && (irl__auto_is_run(lanes, at, 1) || irl__auto_is_run(lanes, at, 0)))
        return IRL__AUTO_ROW;
    if (b->scope != IRL_SCOPE_GLOBAL || b->type.lanes != 1 ||
        (!b->bits && (irl__type_bytes(b->type) != 1 || b->type.scalar == IRL_BOOL)))
        return IRL__AUTO_APART; /* no memory from which bytes are picked */
    for (int k = 0; k < lanes; k++) {
        if (b->bits && at[k] < 0) return IRL__AUTO_APART;
        if (b->bits) at[k] /= 8;
        if (at[k] < least) least = at[k];
        if (at[k] > most) most = at[k];
    }
    if (!irl__sub64(most, least, &size) || size >= IRL__AUTO_WINDOW * (int64_t)lanes)
        return IRL__AUTO_APART;
    *window = size + (b->bits ? (b->bits + 7) / 8 : 1);
    if (b->bits && (irl__auto_is_run(lanes, at, 1) || irl__auto_is_run(lanes, at, 0)))
        return IRL__AUTO_PICKED; /* bits of these bytes, which have no vectors of their own */
    return irl__auto_is_run(lanes, at, at[1]) ? IRL__AUTO_EVEN : IRL__AUTO_PICKED;
}

/* Is the memory written in the nest? */
static int irl__auto_is_written(const irl__accesses *t, const irl_expr *memory)
{
    for (int k = 0; k < t->count; k++)
        if (t->list[k].kind == IRL__ACCESS_OPAQUE ||
            (t->list[k].memory == memory && irl__access_writes(&t->list[k])))
            return 1;
    return 0;
}

static int irl__auto_is_in(const irl__access *a, const irl_stmt *loop)
{
    return a->around && a->around->loop && a->around->loop->stmt == loop;
}

/* The largest window of the loads in loop k, where all of the loop can be vectors, and something is
   picked; 0. */
static int64_t irl__auto_gathered(irl__auto_nest *n, irl__accesses *t, int k, int lanes)
{
    int64_t at[IRL_MAX_LANES], window, largest = 0;
    int     picked = 0;
    for (int j = 0; j < t->count; j++) {
        const irl__access *a = &t->list[j];
        if (!irl__auto_is_in(a, n->loops[k].stmt)) continue;
        if (a->kind == IRL__ACCESS_OPAQUE || !irl__auto_lanes_at(n, t, a, k, lanes, at)) return 0;
        if (irl__access_writes(a)) {
            if (a->buffer->bits || !irl__auto_is_run(lanes, at, 1)) return 0;
            continue;
        }
        irl__auto_lie lie = irl__auto_lie_of(a->buffer, lanes, at, &window);
        if (lie == IRL__AUTO_APART || (window && irl__auto_is_written(t, a->memory))) return 0;
        picked += lie == IRL__AUTO_PICKED;
        if (window > largest) largest = window;
    }
    return picked ? largest : 0;
}

/* ------------------------------------------------------------------ vectors */

/* Bytes of the widest element that the loop stores. */
static int64_t irl__auto_widest(const irl__accesses *t, const irl_stmt *loop)
{
    int64_t bytes = 1;
    for (int j = 0; j < t->count; j++) {
        const irl__access *a = &t->list[j];
        if (irl__auto_is_in(a, loop) && a->buffer && irl__access_writes(a) &&
            (int64_t)irl__type_bytes(a->buffer->type) > bytes)
            bytes = (int64_t)irl__type_bytes(a->buffer->type);
    }
    return bytes;
}

/* Lanes of vectors along loop k, of which `window` bytes are read; 0: there are none. As many as
   registers hold of what is stored, but no fewer than the least that are picked. */
static int irl__auto_pick_lanes(irl__auto_nest *n, irl__accesses *t, int k, int64_t *window)
{
    const int64_t bytes = irl__auto_widest(t, n->loops[k].stmt), extent = n->loops[k].extent;
    if (!n->target->vector_bytes) return 0;
    for (int is_exact = 1; is_exact >= 0; is_exact--)
        for (int lanes = 16; lanes >= 8; lanes /= 2) {
            if ((lanes > 8 && lanes * bytes > n->target->vector_bytes) ||
                !irl__target_has_width(n->target, (uint32_t)lanes) ||
                (is_exact ? extent % lanes != 0 : extent < 2 * lanes))
                continue;
            *window = irl__auto_gathered(n, t, k, lanes);
            if (*window) return lanes;
        }
    return 0;
}

/* Does loop k contain nothing but the loops after it, up to the last? */
static int irl__auto_is_chain(const irl__auto_nest *n, int k)
{
    for (; k < n->loop_count - 1; k++)
        if (n->loops[k].stmt->u.loop.body != n->loops[k + 1].stmt) return 0;
    return 1;
}

/* Loop k as a step names it. */
static const char *irl__auto_loop_name(irl__auto *a, const irl__auto_nest *n, int k)
{
    const char *nest = irl__sched_nest_name(a->f, n->loops[n->loop_count - 1].stmt);
    return nest && irl__auto_is_chain(n, k) ? irl__reason(a->cx, "%s.%s", nest, n->loops[k].name)
                                            : n->loops[k].name;
}

static const char irl__auto_pick_items_why[] = "independent iterations become work-items";

/* Loops around all of the nest become dimensions of the launch, `behind` of which come later. */
static void irl__auto_pick_items(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                                 int behind)
{
    const char  *name[3];
    int          count = 0;
    for (int k = 0; k < n->loop_count - 1 && count < 3; k++) {
        name[count++] = irl__auto_loop_name(a, n, k);
        if (n->loops[k].stmt->u.loop.body != n->loops[k + 1].stmt) break;
    }
    for (int k = 0; k < count; k++)
        irl__auto_step(p, k ? "" : irl__auto_pick_items_why, "bind(%s, group.%c);", name[k],
                       "xyz"[count - 1 - k + behind]);
}

/* The steps: what vectors do not divide is a loop of its own. */
static void irl__auto_pick_steps(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                                 int lanes, int64_t window, int is_item)
{
    const int     k = n->loop_count - 1;
    const int64_t extent = n->loops[k].extent, whole = extent / lanes * lanes;
    const int      is_last = is_item && whole > lanes && k < 3 && (k == 0 || whole == extent) &&
                             irl__auto_is_chain(n, 0);
    const char *outer, *lane, *parts[2];
    const char *loop = irl__auto_loop_name(a, n, k);
    const char *reason = irl__reason(a->cx, "vectors of %d, whose bytes are selected from %l "
                                            "loaded bytes", lanes, window);
    if (is_item) irl__auto_pick_items(a, n, p, is_last);
    if (whole < extent) {
        irl__auto_cut_off(a, p, n->loops[k].name, loop, parts, whole, 0,
                          "whole vectors, then the remainder");
        loop = parts[0];
    }
    if (whole > lanes) {
        irl__auto_split_at(a, p, n->loops[k].name, loop, lanes, "ov", &outer, &lane, reason);
        irl__auto_step(p, "", "vectorize(%s);", lane);
    } else irl__auto_step(p, reason, "vectorize(%s);", loop);
    if (is_last) irl__auto_step(p, k ? "" : irl__auto_pick_items_why, "bind(%s, group.x);", outer);
}

/* The loops of the place, of which the last one is to be vectors; its number, -1: not all of them
   are looked at. */
static int irl__auto_loops_of(irl__auto_nest *n, const irl__place *at)
{
    const char     *why;
    const irl_stmt *loop = irl__place_last(at);
    if (loop->u.loop.kind != IRL_SERIAL && loop->u.loop.kind != IRL_PARALLEL) return -1;
    for (int k = 0; k < at->count; k++)
        if (at->at[k]->kind == IRL__FOR && !irl__auto_add_loop(n, at->at[k], &why)) return -1;
    return n->loop_count - 1;
}

int irl__auto_gather(irl__auto *a, const irl_stmt *top, int number, int is_item,
                     irl__auto_plan *p)
{
    irl__place     at;
    irl__auto_nest n;
    irl__accesses  t;
    int64_t        window;
    if (!irl__target_has_picks(a->target) || !irl__auto_inner_loop(top, number, &at)) return 0;
    irl__auto_nest_begin(&n, a);
    int k = irl__auto_loops_of(&n, &at);
    if (k < 0 || irl__auto_is_symbolic(&n) || !irl__accesses_of(&t, a->f, top))
        return irl__ok(a->cx);
    int lanes = irl__auto_pick_lanes(&n, &t, k, &window);
    if (lanes) irl__auto_pick_steps(a, &n, p, lanes, window, is_item);
    return irl__ok(a->cx);
}
