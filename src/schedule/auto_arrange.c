/* auto_arrange.c - nests that are computed element by element, whose loops may run in any order:
   they are put in the order of memory, cut where layouts divide them, and made one where they
   together run through contiguous memory; if a nest reads in one direction and writes in another,
   each work-item computes a small tile of it. Only the strides decide.

   needs     auto_nest.c, auto_write.c
   promises  the order of iterations changes and nothing else; a tile divides its loop
   cost      accesses times loops squared
   why       fewer dimensions of the range and whole cache lines are faster; of 26 shapes of tiles
             tried on five tensors, a pair of lines written per item in groups of 16 along the reads
             was the best or within 3 % of it

   Fusing. If every expression that names the variables of loops a and b takes them as a * E + b,
   where E is the extent of b, then one loop over a * E + b does the same: (h, w) of an image, or
   (n, h, w) if nothing is between them.

   Tiling. A layout that transposes writes along one loop and reads along another, a vector each
   time, so one of the two uses a part of each cache line. A work-item takes a part that fills a
   pair of lines that it writes, and its neighbours along the first dimension read the elements next
   to those that it reads: that loop becomes the innermost. A group of them is about as wide as it
   is long, so that neither direction leaves its lines to another group: two notes tell this to the
   caller that launches. If work-items are loops, there are no groups, and the tile is twice as
   long. */
#include "auto.h"

enum {
    IRL__ARRANGE_SERIAL = 256, /* bytes that are written in a row by the inside of loops */
    IRL__ARRANGE_FEW = 16,     /* iterations of a last loop that stay in a work-item, */
    IRL__ARRANGE_ITEMS = 1024, /* where the other loops leave so many work-items */
    IRL__ARRANGE_GROUP = 16, /* work-items of a group along what is read */
    IRL__ARRANGE_SMALL = 64  /* nodes of a body that may be repeated */
};

/* What is decided of a nest. The loops of the plan are those outside of work-items, the outermost
   first. */
typedef struct irl__auto_arranged {
    int          count;
    int64_t      extent[IRL__AUTO_LOOPS]; /* of each loop of the plan; then: fused. 0: it is
                                             a name, or memory has rows */
    int          into[IRL__AUTO_LOOPS]; /* whose outer part the loop became; -1: it stays */
    int64_t      step[IRL__AUTO_ROWS][IRL__AUTO_LOOPS]; /* of each access along it */
    int64_t      bytes;  /* of the widest vectorized loop's elements; 0: none */
    int64_t      factor; /* of a tile of the loop `writes`; 0: there is none */
    int          reads, writes; /* `reads` becomes the innermost outside of it */
    int          loop[IRL__AUTO_LOOPS]; /* of the nest, for each of the plan */
    const char  *name[IRL__AUTO_LOOPS]; /* of the plan's, as they are now */
    irl__auto_cut parts[IRL__AUTO_LOOPS]; /* items, and `each` iterations inside; 1: none */
    int          cuts, vector; /* loops that layouts divide; the vectorized one, or -1 */
} irl__auto_arranged;

/* ------------------------------------------------------------------ fusing */

static int irl__arrange_walks_as_one(const irl__auto_arranged *q, int rows, int outer, int inner)
{
    int64_t step;
    for (int k = 0; k < rows; k++)
        if (!irl__mul64(q->step[k][inner], q->extent[inner], &step) || step != q->step[k][outer])
            return 0;
    return 1;
}

/* The loop becomes the outer part of another one, if of any. */
static int irl__arrange_fuse(irl__auto_arranged *q, int rows, int outer)
{
    int64_t extent;
    for (int inner = 0; inner < q->count; inner++) {
        if (inner == outer || q->into[inner] >= 0 || q->extent[inner] < 1 ||
            q->extent[outer] < 1 || !irl__arrange_walks_as_one(q, rows, outer, inner) ||
            !irl__mul64(q->extent[outer], q->extent[inner], &extent))
            continue;
        q->extent[inner] = extent;
        q->into[outer] = inner;
        return 1;
    }
    return 0;
}

/* ------------------------------------------------------------------ tiling */

/* The loop along which all accesses that write, or all that read, go in the smallest steps; -1 if
   they do not agree, or there is none. */
static int irl__arrange_direction(const irl__auto_arranged *q, const irl__auto_nest *n, int writes)
{
    int found = -1;
    for (int k = 0; k < n->row_count; k++) {
        const int64_t *step = q->step[k];
        int            least = -1;
        if (n->rows[k].is_write != writes) continue;
        for (int i = 0; i < q->count; i++)
            if (q->into[i] < 0 && step[i] > 0 && (least < 0 || step[i] < step[least])) least = i;
        if (least < 0 || (found >= 0 && least != found)) return -1;
        found = least;
    }
    return found;
}

static int irl__arrange_leaves_enough(const irl__auto_arranged *q, int64_t factor)
{
    int64_t items = 1;
    for (int k = 0; k < q->count; k++)
        if (q->into[k] < 0 && q->extent[k] && !irl__mul64(items, q->extent[k], &items)) return 1;
    return items / factor >= IRL__LINES_ITEMS;
}

static void irl__arrange_tile(irl__auto_arranged *q, const irl__auto_nest *n)
{
    if (q->bytes <= 0 || n->store->u.store.value->size > IRL__ARRANGE_SMALL) return;
    q->reads = irl__arrange_direction(q, n, 0);
    q->writes = irl__arrange_direction(q, n, 1);
    if (q->reads < 0 || q->writes < 0 || q->reads == q->writes || q->extent[q->reads] < 1 ||
        q->extent[q->writes] < 1)
        return;
    /* The largest number of iterations that fill at most what a tile writes and divide the loop; 0:
       none is worth it. */
    const int64_t extent = q->extent[q->writes];
    int64_t bytes = n->target->serial ? (int64_t)IRL__ARRANGE_SERIAL : (int64_t)IRL__LINES_BYTES;
    int64_t factor = bytes / q->bytes;
    while (factor > 1 && (extent % factor || !irl__arrange_leaves_enough(q, factor))) factor--;
    q->factor = factor > 1 ? factor : 0;
}

/* ------------------------------------------------------------------ what is inside of an item */

/* Does what is stored depend on a loop, but by what it reads? */
static int irl__auto_names_index(const irl_expr *e, const void *user)
{
    (void)user;
    return e->op == IRL_OP_LOAD ? -1 : e->op == IRL_OP_VAR && irl__type_is_index(e->type);
}

/* The iterations of loop k after which layouts go on elsewhere, the same for all accesses; 1: they
   do not; 0: no such number is known. */
static int64_t irl__auto_divided(const irl__auto_nest *n, int k)
{
    int64_t factor = 1;
    for (int j = 0; j < n->row_count && n->loops[k].extent > 1; j++) {
        const irl__auto_row *row = &n->rows[j];
        if (row->step[k] == IRL__AUTO_FAR || (row->is_write && row->step[k] == 0)) return 0;
        if (row->is_even[k]) continue;
        if (!row->is_runs[k] || row->step[k] < 1 || row->next[k] < 1 ||
            (factor > 1 && factor != row->run[k]))
            return 0;
        factor = row->run[k];
    }
    return factor;
}

/* Few iterations of the last loop stay in an item, if the others leave work for all. */
static void irl__auto_keep_last(const irl__auto_nest *n, irl__auto_arranged *q)
{
    const int last = n->loop_count - 1;
    int64_t   others = 1;
    for (int k = 0; k < last; k++)
        if (!irl__mul64(others, n->loops[k].extent, &others)) return;
    if (n->loops[last].extent > 1 && n->loops[last].extent <= IRL__ARRANGE_FEW &&
        others >= IRL__ARRANGE_ITEMS) {
        q->vector = last;
        q->parts[last].each = n->loops[last].extent;
    }
}

static int irl__auto_part(const irl__auto_nest *n, irl__auto_arranged *q)
{
    q->vector = -1;
    for (int k = 0; k < n->loop_count; k++) {
        q->parts[k].each = irl__auto_divided(n, k);
        if (q->parts[k].each == 0) return 0;
        if (q->parts[k].each == 1) continue;
        q->cuts++;
        q->vector = q->cuts > 1 || n->loops[k].extent % q->parts[k].each ? -1 : k;
    }
    if (q->cuts == 0) irl__auto_keep_last(n, q);
    return 1;
}

/* ------------------------------------------------------------------ what is outside of them */

/* Loop k of the nest without what is inside of items, for each access. */
static int irl__auto_outside(const irl__auto_nest *n, irl__auto_arranged *q, int k)
{
    const int64_t factor = q->parts[k].each;
    const int64_t extent = n->loops[k].extent / factor + (n->loops[k].extent % factor != 0);
    const int     at = q->count;
    if (extent == 1 && !n->loops[k].is_symbolic) return 1;
    for (int j = 0; j < n->row_count; j++) {
        const irl__auto_row *row = &n->rows[j];
        if (!row->is_even[k]) q->step[j][at] = row->next[k];
        else if (!irl__mul64(row->step[k], factor, &q->step[j][at])) return 0;
    }
    q->extent[at] = n->loops[k].is_symbolic || irl__auto_has_rows(n) ? 0 : extent;
    q->into[at] = -1;
    q->loop[at] = k;
    q->count++;
    return 1;
}

/* Whether anything is decided. From the last on, each loop goes into at most one other. */
static int irl__auto_arranges(const irl__auto_nest *n, irl__auto_arranged *q)
{
    int any = q->vector >= 0 || q->cuts;
    for (int k = 0; k < n->loop_count; k++)
        if (!irl__auto_outside(n, q, k)) return 0;
    if (q->vector >= 0) q->bytes = q->parts[q->vector].each * irl__auto_bytes(n);
    for (int k = q->count; k-- > 0;) any |= irl__arrange_fuse(q, n->row_count, k);
    irl__arrange_tile(q, n);
    return any || q->factor;
}

/* ------------------------------------------------------------------ as steps */

/* The loops that went into k, and k: each one the outer part of what follows. */
static void irl__auto_group(const irl__auto_arranged *q, int k, int *list, int *count)
{
    for (int j = 0; j < q->count; j++)
        if (q->into[j] == k) irl__auto_group(q, j, list, count);
    list[(*count)++] = k;
}

/* Loops that become one are put side by side, and those inside of items innermost. */
static void irl__auto_arrange_order(const irl__auto_nest *n, irl__auto_plan *p,
                                    const irl__auto_arranged *q)
{
    int list[IRL__AUTO_LOOPS], count = 0, any = 0, moves = 0, seen_inner = 0;
    for (int k = 0; k < q->count; k++)
        if (q->into[k] < 0) irl__auto_group(q, k, list, &count);
    for (int k = 1; k < count; k++) moves |= list[k] < list[k - 1];
    for (int k = 0; k < n->loop_count; k++) {
        const int is_unit = n->loops[k].extent == 1;
        moves |= (is_unit && k > 0 && n->loops[k - 1].extent > 1) ||
                 (seen_inner && q->parts[k].outer);
        seen_inner |= q->parts[k].inner != NULL;
    }
    if (!moves) return;
    for (int k = 0; k < n->loop_count; k++)
        if (n->loops[k].extent == 1) irl__auto_put(p, &any, q->parts[k].outer);
    for (int k = 0; k < count; k++) irl__auto_put(p, &any, q->name[list[k]]);
    for (int k = 0; k < n->loop_count; k++) irl__auto_put(p, &any, q->parts[k].inner);
    irl__auto_put_end(p, "in the order of memory");
}

/* A plan's loop, as its parts are named after it. */
static const char *irl__auto_base(const irl__auto_nest *n, const irl__auto_arranged *q, int k)
{
    const int loop = q->loop[k], is_whole = q->parts[loop].each == 1;
    return is_whole && q->name[k] == q->parts[loop].outer ? n->loops[loop].name : q->name[k];
}

/* h_w, of the loops of the list. */
static const char *irl__auto_joined(irl__auto *a, const irl__auto_nest *n,
                                    const irl__auto_arranged *q, const int *list, int count)
{
    const char *last = irl__auto_base(n, q, list[count - 1]);
    irl__text   t;
    irl__text_init(&t, a->cx);
    for (int k = 0; k < count - 1; k++)
        irl__textf(&t, "%s%s", k ? "_" : "", irl__auto_base(n, q, list[k]));
    const char *base = irl__text_or_empty(irl__text_done(&t));
    return irl__auto_name(a, strchr(base, '`') ? NULL : base, *last == '`' ? "all" : last);
}

static void irl__auto_arrange_tile(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                                   irl__auto_arranged *q)
{
    const int     reads = q->reads, writes = q->writes;
    const int64_t factor = q->factor;
    const char   *tile;
    int           any = 0;
    irl__auto_split_at(a, p, irl__auto_base(n, q, writes), q->name[writes], factor, "oi",
                       &q->name[writes], &tile,
                       "this loop runs along the memory that is written, another loop along the "
                       "memory that is read: each work-item gets whole lines");
    for (int k = 0; k < q->count; k++)
        if (q->into[k] < 0 && k != reads) irl__auto_put(p, &any, q->name[k]);
    irl__auto_put(p, &any, q->name[reads]);
    irl__auto_put(p, &any, tile);
    for (int k = 0; k < n->loop_count; k++) irl__auto_put(p, &any, q->parts[k].inner);
    irl__auto_put_end(p, "neighbouring work-items read neighbouring memory");
    irl__auto_step(p, "no line of memory is shared by two groups", "annotate(%s, group = %l);",
                   q->name[writes], q->extent[writes] / factor);
    irl__auto_step(p, "", "annotate(%s, group = %d);", q->name[reads], (int)IRL__ARRANGE_GROUP);
    irl__auto_step(p, "", "unroll(%s);", tile);
}

int irl__auto_arrange(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    irl__auto_arranged q;
    int                is_first = 1;
    memset(&q, 0, sizeof q);
    if (irl__expr_any(n->store->u.store.value, irl__auto_names_index, NULL) ||
        !irl__auto_part(n, &q) || !irl__auto_arranges(n, &q))
        return 0;
    /* Loops that layouts divide are cut. */
    for (int k = 0; k < n->loop_count; k++) {
        irl__auto_cut *part = &q.parts[k];
        if (part->each == 1) part->outer = irl__auto_member(n, k);
        else if (part->each == n->loops[k].extent) part->inner = irl__auto_member(n, k);
        else
            irl__auto_split_at(a, p, n->loops[k].name, irl__auto_member(n, k), part->each, "oi",
                               &part->outer, &part->inner,
                               "that many iterations access contiguous memory");
    }
    for (int k = 0; k < q.count; k++) q.name[k] = q.parts[q.loop[k]].outer;
    irl__auto_arrange_order(n, p, &q);
    const char *names[IRL__AUTO_LOOPS];
    int         list[IRL__AUTO_LOOPS], count;
    for (int k = 0; k < q.count; k++) {
        if (q.into[k] >= 0) continue;
        count = 0;
        irl__auto_group(&q, k, list, &count);
        if (count == 1) continue;
        if (irl__auto_is_held(n)) return 0; /* only the border is another walk */
        for (int j = 0; j < count; j++) names[j] = q.name[list[j]];
        q.name[k] = irl__auto_fused(p, irl__auto_joined(a, n, &q, list, count), names, count,
                                    "together they run through contiguous memory");
    }
    if (q.factor) irl__auto_arrange_tile(a, n, p, &q);
    for (int k = 0; k < q.count; k++) {
        if (q.into[k] >= 0) continue;
        irl__auto_step(p, is_first ? "independent iterations" : "", "parallel(%s);", q.name[k]);
        is_first = 0;
    }
    if (q.vector >= 0)
        irl__auto_step(p, "each work-item accesses contiguous elements", "vectorize(%s);",
                       q.parts[q.vector].inner);
    return 1;
}
