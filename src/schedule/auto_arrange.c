/* auto_arrange.c - nests element by element, in the order of memory: loops are cut where layouts
   divide them, those that memory goes on through become one, and where a nest reads in one
   direction and writes in another a tile of it stays in each item.

   needs     auto_nest.c, auto_write.c; arrange.c decides
   promises  steps, each with its reason: what the passes split_loops and arrange_loops do to such
             nests, as text to edit
   cost      accesses times loops squared, and of its steps */
#include "auto.h"

/* A loop of the nest is outside (an item) or inside of items, or cut into both. */
typedef struct irl__auto_parted {
    int64_t     factor;  /* iterations inside, 1: none */
    const char *outer, *inner; /* as a schedule writes them; NULL: there is none */
} irl__auto_parted;

typedef struct irl__auto_arranged {
    irl__arrange     plan;
    irl__arrange_row rows[IRL__AUTO_ROWS];
    int              loop[IRL__AUTO_LOOPS]; /* of the nest, for each of the plan */
    const char      *name[IRL__AUTO_LOOPS]; /* of the plan's, as they are now */
    irl__auto_parted parts[IRL__AUTO_LOOPS];
    int              cuts, vector; /* loops that layouts divide; the vectorized one, or -1 */
    const char      *tile;         /* NULL: there is none */
} irl__auto_arranged;

/* ------------------------------------------------------------------ what is inside of an item */

static int irl__auto_see_index(irl__visitor *v, const irl_expr *e)
{
    if (e->op == IRL_OP_VAR && irl__type_is_index(e->type)) *(int *)v->user = 1;
    return e->op != IRL_OP_LOAD;
}

/* Does memory have rows of its own, as images do? */
static int irl__auto_has_rows(const irl__auto_nest *n, const irl_buffer *b)
{
    for (int k = 0; k < n->f->layout_count; k++)
        if (strcmp(n->f->layouts[k].buffer, b->name) == 0 &&
            n->f->layouts[k].map->separator_count)
            return 1;
    return b->separator_count > 0;
}

/* Does what is stored depend on loops only by what it reads, of memory of one dimension? */
static int irl__auto_is_of_memory(const irl__auto_nest *n)
{
    int          names = 0, k;
    irl__visitor v = irl__visitor_make(&names, irl__auto_see_index, NULL);
    for (k = 0; k < n->row_count; k++) names |= irl__auto_has_rows(n, n->rows[k].access->buffer);
    irl__visit_expr(&v, n->store->u.store.value);
    return !names;
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
    if (n->loops[last].extent > 1 && irl__arrange_keeps(n->loops[last].extent, others)) {
        q->vector = last;
        q->parts[last].factor = n->loops[last].extent;
    }
}

static int irl__auto_part(const irl__auto_nest *n, irl__auto_arranged *q)
{
    q->vector = -1;
    for (int k = 0; k < n->loop_count; k++) {
        q->parts[k].factor = irl__auto_divided(n, k);
        if (q->parts[k].factor == 0) return 0;
        if (q->parts[k].factor == 1) continue;
        q->cuts++;
        q->vector = q->cuts > 1 ? -1 : k;
    }
    if (q->cuts == 0) irl__auto_keep_last(n, q);
    return 1;
}

/* ------------------------------------------------------------------ what is outside of them */

/* Loop k of the nest without what is inside of items, for each access. */
static int irl__auto_outside(const irl__auto_nest *n, irl__auto_arranged *q, int k)
{
    const int64_t factor = q->parts[k].factor, extent = n->loops[k].extent / factor;
    const int     at = q->plan.count;
    if (extent == 1) return 1;
    for (int j = 0; j < n->row_count; j++) {
        const irl__auto_row *row = &n->rows[j];
        int64_t             *step = &q->rows[j].step[at];
        q->rows[j].use = row->is_write ? IRL__USE_STORE : IRL__USE_LOAD;
        if (!row->is_even[k]) *step = row->next[k];
        else if (!irl__mul64(row->step[k], factor, step)) return 0;
    }
    q->plan.extent[at] = extent;
    q->loop[at] = k;
    q->plan.count++;
    return 1;
}

static int irl__auto_arranges(const irl__auto_nest *n, irl__auto_arranged *q)
{
    for (int k = 0; k < n->loop_count; k++)
        if (!irl__auto_outside(n, q, k)) return 0;
    q->plan.rows = q->rows;
    q->plan.row_count = n->row_count;
    q->plan.nodes = (int)n->store->u.store.value->size;
    if (q->vector >= 0) q->plan.vector = q->parts[q->vector].factor * irl__auto_bytes(n);
    return irl__arrange_decide(&q->plan, n->target) || q->vector >= 0 || q->cuts;
}

/* ------------------------------------------------------------------ as steps */

/* Loops that layouts divide are cut. */
static int irl__auto_part_steps(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                                irl__auto_arranged *q)
{
    for (int k = 0; k < n->loop_count; k++) {
        irl__auto_parted *part = &q->parts[k];
        const int         is_cut = part->factor > 1 && part->factor < n->loops[k].extent;
        const char       *whole = irl__auto_member(n, k);
        part->outer = is_cut ? irl__auto_name(a, n->loops[k].name, "o")
                             : part->factor > 1 ? NULL : whole;
        part->inner = is_cut ? irl__auto_name(a, n->loops[k].name, "i")
                             : part->factor > 1 ? whole : NULL;
        if (!whole || (!part->outer && !part->inner)) return 0;
        if (!is_cut) continue;
        if (!part->outer || !part->inner) return 0;
        irl__auto_step(p, "memory is contiguous for so many "
                          "iterations", "(%s, %s) = split(%s, %l);",
                       part->outer, part->inner, whole, part->factor);
    }
    for (int k = 0; k < q->plan.count; k++) q->name[k] = q->parts[q->loop[k]].outer;
    return 1;
}

/* The loops that went into k, and k: each one the outer part of what follows. */
static void irl__auto_group(const irl__arrange *plan, int k, int *list, int *count)
{
    for (int j = 0; j < plan->count; j++)
        if (plan->into[j] == k) irl__auto_group(plan, j, list, count);
    list[(*count)++] = k;
}

/* What becomes one loop stands together, and what is inside of items innermost. */
static void irl__auto_arrange_order(const irl__auto_nest *n, irl__auto_plan *p,
                                    const irl__auto_arranged *q)
{
    int list[IRL__AUTO_LOOPS], count = 0, k, any = 0, moves = 0, seen_inner = 0;
    for (k = 0; k < q->plan.count; k++)
        if (q->plan.into[k] < 0) irl__auto_group(&q->plan, k, list, &count);
    for (k = 1; k < count; k++) moves |= list[k] < list[k - 1];
    for (k = 0; k < n->loop_count; k++) {
        const int is_unit = n->loops[k].extent == 1;
        moves |= (is_unit && k > 0 && n->loops[k - 1].extent > 1) ||
                 (seen_inner && q->parts[k].outer);
        seen_inner |= q->parts[k].inner != NULL;
    }
    if (!moves) return;
    for (k = 0; k < n->loop_count; k++)
        if (n->loops[k].extent == 1) irl__auto_put(p, &any, q->parts[k].outer);
    for (k = 0; k < count; k++) irl__auto_put(p, &any, q->name[list[k]]);
    for (k = 0; k < n->loop_count; k++) irl__auto_put(p, &any, q->parts[k].inner);
    irl__text_puts(&p->text, "); // in the order of memory\n");
    p->steps++;
}

/* A plan's loop, as its parts are named after it. */
static const char *irl__auto_base(const irl__auto_nest *n, const irl__auto_arranged *q, int k)
{
    const int loop = q->loop[k], is_whole = q->parts[loop].factor == 1;
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
    if (!irl__text_done(&t)) return NULL;
    return irl__auto_name(a, strchr(irl__text_done(&t), '`') ? NULL : irl__text_done(&t),
                          *last == '`' ? "all" : last);
}

static int irl__auto_arrange_fuse(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                                  irl__auto_arranged *q)
{
    int list[IRL__AUTO_LOOPS], count, k, j;
    for (k = 0; k < q->plan.count; k++) {
        if (q->plan.into[k] >= 0) continue;
        count = 0;
        irl__auto_group(&q->plan, k, list, &count);
        if (count == 1) continue;
        if (irl__auto_is_held(n)) return 0; /* it goes on but for the border */
        const char *name = irl__auto_joined(a, n, q, list, count);
        if (!name) return 0;
        irl__textf(&p->text, "    %s = fuse(", name);
        for (j = 0; j < count; j++)
            irl__textf(&p->text, "%s%s", j ? ", " : "", q->name[list[j]]);
        irl__text_puts(&p->text, "); // together they run through contiguous memory\n");
        p->steps++;
        q->name[k] = name;
    }
    return 1;
}

static int irl__auto_arrange_tile(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                                  irl__auto_arranged *q)
{
    const int     reads = q->plan.reads, writes = q->plan.writes;
    const char   *base = irl__auto_base(n, q, writes);
    const char   *outer = irl__auto_name(a, base, "o");
    const int64_t factor = q->plan.factor;
    int           k, any = 0;
    q->tile = irl__auto_name(a, base, "i");
    if (!outer || !q->tile) return 0;
    irl__auto_step(p, "this loop walks through the memory that is written, another loop through "
                      "what is read: each work-item gets whole lines",
                   "(%s, %s) = split(%s, %l);", outer, q->tile, q->name[writes], factor);
    q->name[writes] = outer;
    for (k = 0; k < q->plan.count; k++)
        if (q->plan.into[k] < 0 && k != reads) irl__auto_put(p, &any, q->name[k]);
    irl__auto_put(p, &any, q->name[reads]);
    irl__auto_put(p, &any, q->tile);
    for (k = 0; k < n->loop_count; k++) irl__auto_put(p, &any, q->parts[k].inner);
    irl__text_puts(&p->text, "); // neighbouring work-items read neighbouring memory\n");
    p->steps++;
    irl__auto_step(p, "no line of memory is shared by two groups", "annotate(%s, group = %l);",
                   outer, q->plan.extent[writes] / factor);
    irl__auto_step(p, "", "annotate(%s, group = %d);", q->name[reads], (int)IRL__ARRANGE_GROUP);
    irl__auto_step(p, "", "unroll(%s);", q->tile);
    return 1;
}

int irl__auto_arrange(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    irl__auto_arranged q;
    int                k, is_first = 1;
    memset(&q, 0, sizeof q);
    if (irl__auto_is_symbolic(n) || !irl__auto_is_of_memory(n) || !irl__auto_part(n, &q) ||
        !irl__auto_arranges(n, &q) || !irl__auto_part_steps(a, n, p, &q))
        return 0;
    irl__auto_arrange_order(n, p, &q);
    if (!irl__auto_arrange_fuse(a, n, p, &q)) return 0;
    if (q.plan.factor && !irl__auto_arrange_tile(a, n, p, &q)) return 0;
    for (k = 0; k < q.plan.count; k++) {
        if (q.plan.into[k] >= 0) continue;
        irl__auto_step(p, is_first ? "independent iterations" : "", "parallel(%s);",
                       q.name[k]);
        is_first = 0;
    }
    if (q.vector >= 0)
        irl__auto_step(p, "each work-item accesses contiguous elements", "vectorize(%s);",
                       q.parts[q.vector].inner);
    return 1;
}
