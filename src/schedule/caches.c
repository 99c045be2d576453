/* caches.c - cache_read and cache_write: the steps that put a copy of a buffer into another memory.

   needs     copies.c
   promises  every reader of the copy reads what the buffer holds at that moment; elements that
             nothing writes stay as they were

   A copy is of the whole buffer; compute_at moves it, and then it shrinks. */
#include "schedule.h"

/* Who uses the copy: the consumers that are named; if none is, everybody does. Of cache_write also
   the statement in which the copy is written, and what copies it back after that. */
enum { IRL__CACHE_READERS = 32 };
typedef struct irl__cache {
    irl__sched           *s;
    irl__place            p; /* of the block */
    const irl_buffer     *from, *to;
    int                   first; /* the argument that names the first consumer */
    int                   count;
    const irl_stmt       *at[IRL__CACHE_READERS + 1]; /* the consumers, and then the block */
    int                   is_found[IRL__CACHE_READERS];
    const irl_stmt       *writes, *back; /* NULL: nobody writes it */
    int                   is_begun;      /* the block's init reads what the buffer holds */
} irl__cache;

/* ------------------------------------------------------------------ consumers */

static int irl__cache_reader_add(irl__cache *q, const irl__arg *arg, const irl__place *p)
{
    if (q->count == IRL__CACHE_READERS)
        return irl__refuse_at(q->s, arg->loc, "more than %d consumers", IRL__CACHE_READERS - 1);
    q->at[q->count] = irl__place_last(p);
    if (irl__copy_uses(q->s, q->at[q->count], q->from, 0, NULL) != IRL__COPY_READS)
        return irl__refuse_at(q->s, arg->loc, "'%s' does not read '%B', or also writes it",
                              arg->name, q->from);
    for (int k = 0; k < p->count - 1; k++)
        if (p->at[k]->kind == IRL__BLOCK && p->at[k]->u.block->read_count)
            return irl__refuse_at(q->s, arg->loc, "'%s' is inside the block '%s', whose reads(...) "
                                  "would have to change", arg->name, p->at[k]->u.block->name);
    q->count++;
    return 1;
}

/* Is a before b? */
static int irl__cache_is_before(const irl__place *a, const irl__place *b)
{
    for (int k = 0; k < a->count && k < b->count; k++)
        if (a->child[k] != b->child[k]) return a->child[k] < b->child[k];
    return 0;
}

/* The block, the buffer and the consumers, which are the arguments from q->first on. If there are
   consumers, *before becomes the place of the first in the function. */
static int irl__cache_begin(irl__cache *q, int written, irl__place *before)
{
    const irl__arg *args = q->s->step->args;
    const irl_stmt *block = irl__place_last(&q->p);
    irl__place      other;
    q->from = irl__copy_find(q->s, &args[1], block, written);
    for (int k = q->first; q->from && k < q->s->arg_count; k++) {
        if (!irl__sched_block(q->s, &args[k], &other) ||
            !irl__cache_reader_add(q, &args[k], &other))
            return 0;
        if (k == q->first || irl__cache_is_before(&other, before)) *before = other;
    }
    q->at[q->count] = block;
    return q->from != NULL;
}

/* The block that writes the copy; its init begins with what the buffer holds. */
static const irl_stmt *irl__cache_begun(irl__rewriter *r, const irl_stmt *s)
{
    irl__cache      *q = (irl__cache *)r->user;
    irl__block_data *data;
    if (s != q->at[q->count]) return irl__rewrite_stmt_children(r, s);
    irl_stmt *now = irl__block_copy(r->cx, s, &data);
    if (!now) return NULL;
    const irl_stmt *init = data->init;
    data->body = irl__copy_swapped(q->s, data->body, 1, &q->from, &q->to);
    data->init = irl__stmt_store(r->cx, q->to, init->u.store.value, q->to->rank,
                                 init->u.store.indices, init->loc);
    return data->body && data->init ? irl__stmt_finish(r->cx, now) : NULL;
}

/* The statement that writes the copy, which its consumers in it read, and the copy back. */
static const irl_stmt *irl__cache_writer(irl__cache *q)
{
    irl__rewriter   r = irl__rewriter_make(q->s->cx, q, irl__rewrite_no_expr, irl__cache_begun);
    for (int k = 0; k < q->count; k++) q->is_found[k] |= irl__place_holds(q->writes, q->at[k]);
    return irl__stmt_pair(q->s->cx,
                          q->is_begun ? irl__rewrite_stmt(&r, q->writes)
                                      : irl__copy_swapped(q->s, q->writes, 1, &q->from, &q->to),
                          q->back);
}

static const irl_stmt *irl__cache_reader_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__cache *q = (irl__cache *)r->user;
    int         is_one = 0;
    if (s == q->writes) return irl__cache_writer(q);
    for (int k = 0; k < q->count; k++) /* one may be named twice */
        if (q->at[k] == s) is_one = q->is_found[k] = 1;
    if (is_one) return irl__copy_swapped(q->s, s, 1, &q->from, &q->to);
    return s->kind == IRL__STORE ? s : irl__rewrite_stmt_children(r, s);
}

/* The statement, in which its readers read the copy. */
static const irl_stmt *irl__cache_read_in(irl__cache *q, const irl_stmt *at)
{
    irl__rewriter r = irl__rewriter_make(q->s->cx, q, irl__rewrite_no_expr, irl__cache_reader_stmt);
    return q->count || q->writes ? irl__rewrite_stmt(&r, at)
                                 : irl__copy_swapped(q->s, at, 1, &q->from, &q->to);
}

/* The statements after at[level] in its sequence that read the copy too; their new list. */
static int irl__cache_read_behind(irl__cache *q, const irl__place *p, int level,
                                  const irl_stmt *const **out)
{
    irl__sched      *s = q->s;
    const irl_stmt  *parent = level > 0 ? p->at[level - 1] : NULL;
    irl__accesses    t; /* one for all statements: there may be many */
    int              k, row = 0;
    *out = NULL;
    if (!parent || parent->kind != IRL__SEQ) return 1;
    const irl_stmt **list =
        IRL__COPY(s->cx, const irl_stmt *, parent->u.seq.stmts, parent->u.seq.count);
    if (!list || !irl__accesses_of(&t, s->f, parent)) return 0;
    while (row < t.count && !irl__place_holds(parent, t.list[row].place)) row++;
    for (k = 0; k < parent->u.seq.count; k++) {
        const int uses = irl__copy_uses_next(&t, list[k], &row, q->from);
        if (k <= p->child[level]) continue;
        if (uses & ~IRL__COPY_READS) break;
        if (uses) list[k] = irl__cache_read_in(q, list[k]);
        if (!list[k]) return 0;
    }
    if (k == parent->u.seq.count && row < t.count) /* the rows are in the statements' order */
        return irl__refuse_at(s, p->at[level]->loc, "it is not known what reads '%B'", q->from);
    *out = list;
    return 1;
}

/* The function with these statements before the one at that level, and with all readers, there and
   after it, that read the copy. */
static irl_func *irl__cache_put(irl__cache *q, const irl__place *p, int level,
                                const irl_stmt *const *before, int count)
{
    const irl_stmt        *now = irl__cache_read_in(q, p->at[level]);
    const irl_stmt *const *seq;
    if (!now || !irl__cache_read_behind(q, p, level, &seq)) return NULL;
    for (int k = 0; k < q->count; k++) {
        const irl__arg *arg = &q->s->args[q->first + k];
        if (q->is_found[k]) continue;
        irl__refuse_at(q->s, arg->loc, "'%s' reads '%B' at a place where the copy does not exist, "
                       "or is no longer equal to it", arg->name, q->from);
        return NULL;
    }
    return irl__copy_insert(q->s, p, level, before, count, now, NULL, seq);
}

/* ------------------------------------------------------------------ the copy */

/* Cells of a buffer: of each axis those from min on. */
typedef struct irl__cache_box {
    const irl_expr *min[IRL_MAX_RANK], *extent[IRL_MAX_RANK];
} irl__cache_box;

static irl__cache_box irl__cache_all_of(irl__sched *s, const irl_buffer *b)
{
    irl__cache_box box;
    memset(&box, 0, sizeof box);
    for (int k = 0; k < b->rank; k++) {
        box.min[k] = irl_expr_index(s->cx, 0);
        box.extent[k] = b->shape[k];
    }
    return box;
}

/* Loops over these cells of `from`, around a block that copies one, where that holds (NULL:
   always). *block is the block. */
static const irl_stmt *irl__cache_copy(irl__sched *s, const char *name, const irl_buffer *from,
                                       const irl_buffer *to, const irl__cache_box *box,
                                       const irl_expr *where, const irl_stmt **block)
{
    irl__copy_axes  a;
    const irl_expr *at[IRL_MAX_RANK];
    memset(&a, 0, sizeof a);
    a.is_declared = 1;
    for (int k = 0; k < from->rank; k++) {
        at[k] = irl__copy_axis(s, &a, box->extent[k], NULL, NULL);
        if (at[k] && !irl__is_int(box->min[k], 0)) at[k] = irl__add(s->cx, at[k], box->min[k]);
    }
    return irl__copy_nest(s, &a, name, where,
                          irl__stmt_store(s->cx, to, irl_expr_load(s->cx, from, from->rank, at),
                                          from->rank, at, from->loc), block);
}

/* ------------------------------------------------------------------ cache_read

   requires  a block or nest that reads the buffer, by no view; nothing writes it in the statement
             that holds the block and in which the copy can be; a map that keeps the points of
             the buffer apart, where one is given
   does      a copy of the whole buffer goes before the outermost statement around the block
             (or the first of the consumers that are named) in which nobody writes the buffer; all
             reads in it, and after it in the same sequence up to the next write, read the copy:
             where consumers are named, only theirs. The copy is laid out as the map says; what its
             unused cells hold does not matter
   refuses   a buffer that it does not read; one that is written around every place for the copy; a
             view of it, a call that it is handed to; a consumer that does not read the buffer, or
             is elsewhere; a lossy map, with two points; a copy by each work-item of what
             another one stores to with no barrier between, with both accesses; an image that does
             not hold it */

/* The copy in the layout that the map says, and then in the image that the step names. */
static int irl__cache_lay(irl__cache *q)
{
    irl__sched       *s = q->s;
    const irl__arg   *args = q->s->step->args;
    const irl_buffer *laid;
    irl_func         *f = irl__layout_copy(s, q->to, &args[3]);
    const int         scope = f ? irl__scope_of_arg(s, &args[2]) : -1;
    if (scope >= 0 && irl__scope_is_image((irl_scope)scope)) {
        laid = irl__func_memory(f, q->to->data);
        f = laid ? irl__func_set_scope(f, laid, (irl_scope)scope, &laid) : NULL;
        if (!f || !laid || !irl__copy_fits_image(s, laid, args[3].loc)) return 0;
    }
    return irl__sched_become(s, f);
}

int irl__do_cache_read(irl__sched *s)
{
    const irl_stmt *before[2], *block = NULL;
    irl__cache      q;
    const irl_func *f = s->f;
    const int       has_map = s->arg_count > 3 && s->args[3].kind == IRL__ARG_MAP;
    memset(&q, 0, sizeof q);
    q.s = s;
    q.first = 3 + has_map;
    q.p = s->p;
    if (!irl__cache_begin(&q, 0, &q.p)) return 0;
    const int level = irl__copy_read_level(s, &q.p, q.from, &s->args[1]);
    if (level < 0) return 0;
    q.to = irl__copy_buffer_in(s, q.from, q.from->shape, &s->args[2],
                               has_map ? IRL__COPY_IMAGE_LATER : IRL__COPY_IMAGE);
    if (!q.to || !irl__copy_is_common(s, &q.p, level, q.to, &s->args[2])) return 0;
    const irl__cache_box all = irl__cache_all_of(s, q.from);
    before[0] = irl_stmt_alloc(s->cx, q.to);
    before[1] = irl__cache_copy(s, irl__result_name(s, 0, q.to->name), q.from, q.to, &all, NULL,
                                &block);
    irl_func *now = irl__cache_put(&q, &q.p, level, before, 2);
    if (!now) return 0;
    s->f = now;
    if (!has_map || irl__cache_lay(&q)) return irl__sched_result(s, 0, block);
    s->f = f;
    return 0;
}

/* ------------------------------------------------------------------ cache_write

   requires  a block or nest that writes the buffer, by no view, and a statement around it in which
             nothing else touches the buffer but consumers that are named
   does      the block writes a buffer of its own, and a copy back follows the outermost such
             statement, if its loops of reduce axes run; where it is not known that every element
             is written, or where there are consumers, what the buffer holds is copied in first,
             so that the rest stays as it was. Consumers read the copy, in that statement and
             after it, up to the next who writes the buffer
   refuses   a buffer that it does not write; one that something else in its nest reads or writes; a
             consumer that does not read the buffer, or where the copy is not */

/* What is known of the copy that is written in the statement at that level. */
typedef struct irl__cache_back {
    int             level;
    irl__cache_box  box;      /* what is copied back: the elements that are written, or all */
    const irl_expr *runs;     /* if this holds; NULL: always */
    int             lasts;    /* after the statement it is known whether anything was written */
    int             is_read;  /* it may be read, or copied back, where nothing was written */
    int             is_exact; /* exactly what was written is copied back, and nothing in */
} irl__cache_back;

/* The innermost level, from that one outwards, in which, or after which in a sequence, all
   consumers are. Before it the copy is filled; from there on it holds what the buffer does wherever
   the block is not at work, if nobody else writes that. -1: somebody does. */
static int irl__cache_top_of(irl__cache *q, int level)
{
    int k = 0;
    for (; level > 0; level--) {
        const irl_stmt *all = q->p.at[level - (q->p.at[level - 1]->kind == IRL__SEQ)];
        for (k = 0; k < q->count && irl__place_holds(all, q->at[k]); k++) {}
        if (k == q->count) break;
    }
    const irl_stmt *at = q->p.at[level];
    if (!(irl__copy_uses(q->s, at, q->from, q->count + 1, q->at) & ~IRL__COPY_READS) &&
        !irl__place_declares(at, q->from))
        return level;
    return irl__refuse_at(q->s, q->s->args[1].loc, "'%B' is written by other statements too, or "
                          "touched through a view, a match or a call, around the block and its "
                          "consumers", q->from) - 1;
}

/* The one store of a block or nest; NULL: there is more. */
static const irl_stmt *irl__cache_store(const irl_stmt *last)
{
    if (last->kind != IRL__BLOCK) return irl__named_store(last->u.loop.body);
    return last->u.block->body->kind == IRL__STORE ? last->u.block->body : NULL;
}

/* Does the store reach each element of a box whenever the statement at that level runs, if the
   loops run that irl__cache_runs asks for: of what its indices may take, or (*is_box 0) of the
   buffer? */
static int irl__cache_is_whole(irl__cache *q, int level, irl__cache_box *box, int *is_box)
{
    const irl_stmt *last = q->at[q->count], *store = irl__cache_store(last);
    const irl_stmt *around = level ? q->p.at[level - 1] : NULL;
    irl__analyzer  *an = irl__flow_range_analyzer(q->s, &q->p, level);
    irl__accesses   t;
    irl__cache_box  found;
    int             w = 0, k;
    *is_box = 0;
    *box = irl__cache_all_of(q->s, q->from);
    if (!an || !store || !irl__accesses_of(&t, q->s->f, NULL)) return 0;
    while (w < t.count && (t.list[w].place != store || t.list[w].buffer != q->from ||
                           !irl__flow_is_write(&t.list[w])))
        w++;
    if (w == t.count) return 0;
    for (k = 0; k < q->from->rank; k++) {
        const irl_expr *e = store->u.store.indices[k];
        if (last->kind == IRL__BLOCK) e = irl__axes_bound(q->s->cx, last->u.block, e);
        if (!e || !irl__flow_range(q->s, an, &q->p, level, e, &found.min[k], &found.extent[k]))
            break;
    }
    *is_box = k == q->from->rank && irl__flow_writes(q->s, &t, &t.list[w], around, found.min,
                                                     found.extent, 1);
    if (*is_box) *box = found;
    return *is_box || irl__flow_writes(q->s, &t, &t.list[w], around, NULL, NULL, 1);
}

/* Does an index of the store use the loop's variable, or an axis that is bound to it? */
static int irl__cache_is_index(const irl_stmt *last, const irl_expr *var)
{
    const irl__block_data *block = last->kind == IRL__BLOCK ? last->u.block : NULL;
    const irl_stmt        *store = irl__cache_store(last);
    for (int k = 0; k < store->u.store.buffer->rank; k++) {
        const irl_expr *index = store->u.store.indices[k];
        if (irl__expr_uses_var(index, var)) return 1;
        for (int j = 0; block && j < block->axis_count; j++)
            if (irl__expr_uses_var(index, block->axes[j].var) &&
                irl__expr_uses_var(block->axes[j].binding, var))
                return 1;
    }
    return 0;
}

/* The loops from that level on that are of no index, and are not known to run: where one does not,
   nothing is written. to->runs: that they do, as far as that is known after the statement. */
static int irl__cache_runs(irl__cache *q, irl__cache_back *to)
{
    uint8_t asked[IRL_MAX_DEPTH + 2];
    for (int k = 0; k < q->p.count; k++)
        asked[k] = k >= to->level && q->p.at[k]->kind == IRL__FOR &&
                   !irl__cache_is_index(q->at[q->count], q->p.at[k]->u.loop.var);
    if (!irl__place_runs(q->s, &q->p, asked, &to->runs)) return 0;
    to->lasts = !to->runs || irl__place_is_lasting(q->s, &q->p, to->level, to->runs);
    if (!to->lasts) to->runs = NULL;
    return 1;
}

/* Does it read what it has not written, as an accumulator without init does? An init that runs
   before all updates may read its cell where that is: in the buffer (q->is_begun). */
static int irl__cache_is_read(irl__cache *q, int level)
{
    irl__accesses t;
    int           is_begun = 0;
    if (!irl__accesses_of(&t, q->s->f, q->at[q->count])) return 1;
    IRL__EACH_ROW(a, &t) {
        if (a->buffer != q->from || irl__flow_is_write(a) ||
            irl__inits_cover(q->s, &q->p, level, a))
            continue;
        if (!irl__init_begins(q->s, &q->p, level, a)) return 1;
        is_begun = 1;
    }
    q->is_begun = is_begun;
    return 0;
}

/* What is known of it; to->level is set. 0: memory is out. */
static int irl__cache_know(irl__cache *q, irl__cache_back *to)
{
    int is_box;
    to->is_read = !irl__cache_is_whole(q, to->level, &to->box, &is_box) || q->count ||
                  irl__cache_is_read(q, to->level);
    to->lasts = 1;
    if (!to->is_read && !irl__cache_runs(q, to)) return 0;
    to->is_exact = is_box && !to->is_read && to->lasts;
    return 1;
}

/* What goes before it: the copy is declared, and filled if that is needed. How many statements. */
static int irl__cache_fill(irl__cache *q, const irl__cache_back *to, const irl_stmt *before[2])
{
    const irl__cache_box all = irl__cache_all_of(q->s, q->from);
    const irl_stmt      *block;
    before[0] = irl_stmt_alloc(q->s->cx, q->to);
    if (!to->is_read && to->lasts) return 1;
    before[1] = irl__cache_copy(q->s, irl__format(q->s->cx, "%s_in", q->to->name), q->from, q->to,
                                &all, NULL, &block);
    return 2;
}

/* Are the work-items of each kernel still in order where they share the copy? A barrier for other
   memory does not order it. */
static int irl__cache_waits(const irl__cache *q)
{
    irl__accesses t;
    return q->to->scope != IRL_SCOPE_SHARED ||
           (irl__accesses_of(&t, q->s->f, NULL) &&
            irl__flow_is_apart(q->s, q->s->step->loc, &t, NULL, q->to,
                               "in shared memory a work-item would access what another one stored, "
                               "and no barrier(shared) is between the two",
                               "write barrier(shared); there"));
}

int irl__do_cache_write(irl__sched *s)
{
    const irl__arg *b = &s->args[1], *scope = &s->args[2];
    irl__cache      q;
    irl__cache_back to;
    irl__place      other;
    const irl_stmt *before[2], *block = NULL;
    memset(&q, 0, sizeof q);
    memset(&to, 0, sizeof to);
    q.s = s;
    q.first = 3;
    q.p = s->p;
    if (irl__place_last(&q.p)->kind == IRL__FOR &&
        irl__stmt_holds(irl__place_last(&q.p), 1u << IRL__BARRIER))
        return irl__refuse_at(s, s->args[0].loc, "'%N' contains a barrier, and would not wait for "
                              "the copy");
    if (!irl__cache_begin(&q, 1, &other)) return 0;
    to.level = irl__copy_level(s, &q.p, q.from, q.count + 1, q.at, b);
    if (to.level < 0 || !irl__cache_know(&q, &to) ||
        !irl__copy_write_alone(s, &q.p, to.level, q.from, to.is_exact, b))
        return 0;
    const int   top = irl__cache_top_of(&q, to.level);
    irl_buffer *own = top < 0 ? NULL : irl__copy_buffer_in(s, q.from, q.from->shape, scope,
                                                           IRL__COPY_IMAGE_NONE);
    q.writes = q.p.at[to.level];
    if (!own || !irl__copy_is_common(s, &q.p, top, own, scope) ||
        !irl__copy_take_bits(s, q.count ? NULL : q.writes, q.from, own, scope))
        return 0;
    q.to = own;
    const int count = irl__cache_fill(&q, &to, before);
    q.back = irl__cache_copy(s, irl__result_name(s, 0, q.to->name), q.to, q.from, &to.box, to.runs,
                             &block);
    if (!q.back || !irl__copy_is_done_once(s, &q.p, to.level, q.back)) return 0;
    return irl__sched_become(s, irl__cache_put(&q, &q.p, top, before, count)) &&
           irl__cache_waits(&q) && irl__sched_result(s, 0, block);
}
