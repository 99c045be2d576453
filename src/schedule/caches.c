/* caches.c - the primitives that put a copy of a buffer into another memory.

   needs     place.c, names.c; the access table for what reads and writes the buffer
   promises  whoever reads the copy reads what the buffer holds at that moment; what nobody wrote
             stays as it was

   A copy is a block over the whole buffer, in loops of its own:

       alloc x_shared: f32[64, 64] scope(shared);
       for (ax0: 64, ax1: 64)
           block x_shared(v0: spatial(64) = ax0, v1: spatial(64) = ax1)
               reads(x[v0, v1]) writes(x_shared[v0, v1]) { x_shared[v0, v1] = x[v0, v1]; }

   compute_at moves it, and then it shrinks. */
#include "schedule.h"
#include "../pass/set.h"

/* ------------------------------------------------------------------ which buffer */

/* How often a statement touches a buffer, by the access table. */
typedef struct irl__cache_uses {
    int reads, writes;
    int opaque; /* it goes to a call, or is seen through a view or a match */
} irl__cache_uses;

static int irl__cache_is_write(const irl__access *a)
{
    return a->kind == IRL__ACCESS_WRITE || a->kind == IRL__ACCESS_UPDATE;
}

/* Is b, which is read, written too? An accumulator is no input. */
static int irl__cache_is_written(const irl__accesses *t, const irl_buffer *b)
{
    for (int k = 0; k < t->count; k++)
        if (t->list[k].buffer == b && irl__cache_is_write(&t->list[k])) return 1;
    return 0;
}

/* The buffers that the block says it reads (or writes), in that order; where it does not say, those
   that it does: an accumulator is among the written ones only. */
static int irl__cache_list(const irl__accesses *t, const irl_stmt *at, int written,
                           const irl_buffer *list[IRL_MAX_RANK])
{
    const irl__block_data *block = at->kind == IRL__BLOCK ? at->u.block : NULL;
    const int              said = !block ? 0 : written ? block->write_count : block->read_count;
    int                    k, j, count = 0;
    for (k = 0; k < said && k < IRL_MAX_RANK; k++)
        list[count++] = (written ? block->writes : block->reads)[k].buffer;
    for (k = 0; !said && k < t->count && count < IRL_MAX_RANK; k++) {
        const irl__access *a = &t->list[k];
        if (!a->buffer || a->kind == IRL__ACCESS_OPAQUE || irl__cache_is_write(a) != written ||
            (!written && irl__cache_is_written(t, a->buffer)))
            continue;
        for (j = 0; j < count && list[j] != a->buffer; j++) {}
        if (j == count) list[count++] = a->buffer;
    }
    return count;
}

/* Is it an access of b's memory? */
static int irl__cache_is_of(const irl__accesses *t, const irl__access *a, const irl_buffer *b)
{
    const irl_expr *memory = (const irl_expr *)irl__ptr_map_get(&t->behind, b->data);
    return a->memory == b->data || (memory && a->memory == memory);
}

/* Is b's memory touched there? Where a block only says so, other steps may have let the access run
   at another time. */
static const irl_buffer *irl__cache_touched(irl__sched *s, const irl__arg *arg,
                                            const irl__accesses *t, const irl_buffer *b)
{
    for (int k = 0; k < t->count; k++)
        if (!t->list[k].is_declared && irl__cache_is_of(t, &t->list[k], b)) return b;
    irl__sched_refuse(s, arg->loc, "the block declares that it touches '%s', but does not",
                      irl__refused_buffer(s, b));
    return NULL;
}

const irl_buffer *irl__cache_find(irl__sched *s, const irl__arg *arg, const irl_stmt *at,
                                  int written)
{
    irl__accesses     t;
    const irl_buffer *list[IRL_MAX_RANK];
    const char       *does = written ? "write" : "read";
    if (!irl__accesses_of(&t, s->f, at)) return NULL;
    int count = irl__cache_list(&t, at, written, list);
    if (arg->kind == IRL__ARG_NUMBER && arg->number < count)
        return irl__cache_touched(s, arg, &t, list[arg->number]);
    for (int k = 0; arg->kind == IRL__ARG_NAME && k < t.count; k++)
        if (t.list[k].buffer && irl__cache_is_write(&t.list[k]) == written &&
            strcmp(t.list[k].buffer->name, arg->name) == 0)
            return irl__cache_touched(s, arg, &t, t.list[k].buffer);
    if (arg->kind == IRL__ARG_NAME) {
        if (irl__sched_has_buffer(s, arg))
            irl__sched_refuse(s, arg->loc, "the block does not %s '%s'", does, arg->name);
    } else
        irl__sched_refuse(s, arg->loc, "there is no buffer %l: the block %ss %d, counted from 0",
                          arg->number, does, count);
    return NULL;
}

/* What an access does to b's memory. A view of it counts as opaque: its indices are others. */
static void irl__cache_uses_add(const irl__accesses *t, const irl__access *a, const irl_buffer *b,
                                irl__cache_uses *out)
{
    if (!irl__cache_is_of(t, a, b)) return;
    if (a->kind == IRL__ACCESS_OPAQUE || a->buffer != b) out->opaque++;
    else if (irl__cache_is_write(a)) out->writes++;
    else out->reads++;
}

/* What the statement does to it. */
static int irl__cache_uses_of(irl__sched *s, const irl_stmt *at, const irl_buffer *b,
                              irl__cache_uses *out)
{
    irl__accesses t;
    memset(out, 0, sizeof *out);
    if (!irl__accesses_of(&t, s->f, at)) return 0;
    for (int k = 0; k < t.count; k++) irl__cache_uses_add(&t, &t.list[k], b, out);
    return 1;
}

/* The same of the next statement of a sequence, whose rows begin at *row; behind them then. */
static void irl__cache_uses_next(const irl__accesses *t, const irl_stmt *at, int *row,
                                 const irl_buffer *b, irl__cache_uses *out)
{
    memset(out, 0, sizeof *out);
    for (; *row < t->count && irl__place_holds(at, t->list[*row].place); ++*row)
        irl__cache_uses_add(t, &t->list[*row], b, out);
}

/* Is b declared inside of the statement? Then no copy can stand outside. */
static int irl__cache_is_another(void *user, irl__field_kind kind, const void *at)
{
    const irl_stmt *s = kind == IRL__FIELD_STMT ? *(const irl_stmt *const *)at : NULL;
    if (kind == IRL__FIELD_NEW)
        return *(const irl_buffer *const *)at != *(const irl_buffer *const *)user;
    return !s || irl__fields_each(s, IRL__FIELDS_DECLARED, irl__cache_is_another, user);
}

int irl__cache_is_own(const irl_stmt *at, const irl_buffer *b)
{
    return !irl__fields_each(at, IRL__FIELDS_DECLARED, irl__cache_is_another, &b);
}

/* ------------------------------------------------------------------ the copy */

int irl__cache_fits_image(irl__sched *s, const irl_buffer *b, irl_loc where)
{
    irl__text why;
    return !irl__scope_is_image(b->scope) || irl__image_misfit(s->cx, b, &why) == IRL_OK ||
           irl__sched_refuse(s, where, "%s", irl__text_done(&why));
}

irl_buffer *irl__cache_buffer(irl__sched *s, const irl_buffer *b, const irl_expr *const *shape,
                              const irl__arg *scope_arg, int is_read)
{
    irl__text   name, scope_name;
    irl_buffer *copy;
    char        text[48];
    irl__text_init_fixed(&scope_name, text, sizeof text);
    irl__text_puts(&scope_name, scope_arg->name);
    if (scope_arg->member) irl__textf(&scope_name, ":%s", scope_arg->member);
    int found = irl_scope_find(text);
    if (found < 0) {
        irl__scope_unknown(s->cx, IRL_ERROR_UNKNOWN_NAME, scope_arg->loc, text);
        return NULL;
    }
    irl_scope scope = (irl_scope)found;
    if (scope == IRL_SCOPE_CONSTANT) {
        irl__sched_refuse(s, scope_arg->loc, "constant memory is written by the host only, but the "
                                             "copy is written here");
        return NULL;
    }
    if (irl__scope_is_image(scope) != irl__scope_is_image(b->scope) && !is_read) {
        irl__sched_refuse(s, scope_arg->loc, "only reads can be copied to an image, or from one");
        return NULL;
    }
    irl__text_init(&name, s->cx);
    irl__textf(&name, "%s_%s", b->name, scope_arg->name);
    if (!irl__text_done(&name)) return NULL;
    if (is_read == 2 && irl__scope_is_image(scope)) scope = IRL_SCOPE_GLOBAL;
    copy = irl__buffer_make(s->cx, irl__namez(s->cx, irl__text_done(&name)), b->type, scope,
                            b->rank, shape, NULL, b->loc);
    return copy && irl__cache_fits_image(s, copy, scope_arg->loc) ? copy : NULL;
}

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

int irl__cache_axes_make(irl__sched *s, int rank, const irl__cache_box *box, irl__cache_axes *out)
{
    const irl_expr *var;
    for (int k = 0; k < rank; k++) {
        irl__text t;
        irl__text_init(&t, s->cx);
        irl__textf(&t, "ax%d", k);
        out->loop[k] =
            irl__text_done(&t) ? irl_expr_var(s->cx, irl__text_done(&t), irl__type_index()) : NULL;
        irl__text_init(&t, s->cx);
        irl__textf(&t, "v%d", k);
        var = irl__text_done(&t) ? irl_expr_var(s->cx, irl__text_done(&t), irl__type_index())
                                 : NULL;
        out->at[k] = !var || irl__is_int(box->min[k], 0) ? var : irl__add(s->cx, var, box->min[k]);
        if (!out->loop[k] || !out->at[k]) return 0;
        memset(&out->axes[k], 0, sizeof out->axes[k]);
        out->axes[k].var = var;
        out->axes[k].extent = box->extent[k];
        out->axes[k].binding = out->loop[k];
    }
    return 1;
}

const irl_stmt *irl__cache_nest(irl__sched *s, const irl__block_data *what, int rank,
                                const irl__cache_axes *axes, const irl_stmt **block)
{
    irl_stmt        *made = irl__stmt_new(s->cx, IRL__BLOCK, what->body->loc);
    irl__block_data *data = (irl__block_data *)irl__copy(s->cx, what, 1, sizeof *data);
    if (!made || !data || !data->name) return NULL;
    data->axes = (const irl__axis *)irl__copy(s->cx, axes->axes, (size_t)rank, sizeof *data->axes);
    data->axis_count = rank;
    if (rank && !data->axes) return NULL;
    made->u.block = data;
    const irl_stmt *nest = irl__stmt_finish(s->cx, made);
    if (block) *block = nest;
    for (int k = rank; nest && k-- > 0;)
        nest = irl_stmt_for(s->cx, IRL_SERIAL, axes->loop[k], irl_expr_index(s->cx, 0),
                            axes->axes[k].extent, nest);
    return nest;
}

static irl__region irl__cache_region(const irl_buffer *b, const irl_expr *const *at,
                                     const irl_expr *const *ones)
{
    irl__region r;
    r.buffer = b;
    r.min = at;
    r.extent = ones;
    return r;
}

const irl_stmt *irl__cache_rewritten(irl__rewriter *r, const irl_stmt *block)
{
    irl_stmt        *copy = irl__stmt_copy(r->cx, block);
    irl__block_data *data = (irl__block_data *)irl__copy(r->cx, block->u.block, 1, sizeof *data);
    if (!copy || !data) return NULL;
    data->body = irl__rewrite_stmt(r, data->body);
    if (data->init) data->init = irl__rewrite_stmt(r, data->init);
    if (!data->body || (block->u.block->init && !data->init)) return NULL;
    copy->u.block = data;
    return irl__stmt_finish(r->cx, copy);
}

/* Loops over these cells of `from`, around a block that copies one, where that holds (NULL:
   always). *block is the block. */
static const irl_stmt *irl__cache_copy(irl__sched *s, const char *name, const irl_buffer *from,
                                       const irl_buffer *to, const irl__cache_box *box,
                                       const irl_expr *where, const irl_stmt **block)
{
    irl__cache_axes  axes;
    irl__block_data  data;
    irl__region     *regions = (irl__region *)irl__alloc_array(s->cx, 2, sizeof *regions);
    const irl_expr **at, **ones;
    if (!regions || !irl__cache_axes_make(s, from->rank, box, &axes)) return NULL;
    at = (const irl_expr **)irl__copy(s->cx, axes.at, (size_t)from->rank, sizeof *at);
    ones = (const irl_expr **)irl__alloc_array(s->cx, (size_t)from->rank, sizeof *ones);
    if (from->rank && (!at || !ones)) return NULL;
    for (int k = 0; k < from->rank; k++) ones[k] = irl_expr_index(s->cx, 1);
    regions[0] = irl__cache_region(from, at, ones);
    regions[1] = irl__cache_region(to, at, ones);
    memset(&data, 0, sizeof data);
    data.name = irl__namez(s->cx, name);
    data.reads = &regions[0];
    data.writes = &regions[1];
    data.read_count = data.write_count = 1;
    data.predicate = where;
    data.body = irl__stmt_store(s->cx, to, irl_expr_load(s->cx, from, from->rank, at), from->rank,
                                at, from->loc);
    return data.body ? irl__cache_nest(s, &data, from->rank, &axes, block) : NULL;
}

/* ------------------------------------------------------------------ where it stands

   Statements put in front of, and behind, the one at that level, in its sequence; what follows in
   the sequence sees what they declare. `seq` is what becomes of the sequence; NULL: it stays. */

static int irl__cache_see_items(irl__visitor *v, const irl_stmt *s)
{
    const irl_stmt **found = (const irl_stmt **)v->user;
    if (irl__stmt_is_bound(s) && s->u.loop.axis > IRL_GROUP_Z)
        *found = s;
    return !*found;
}

/* A loop of work-items in the kernel that holds that level of the place; NULL: there is none. */
static const irl_stmt *irl__cache_items(const irl__place *p, int level)
{
    const irl_stmt *found = NULL;
    irl__visitor    v = irl__visitor_make(&found, NULL, irl__cache_see_items);
    const int       kernel = irl__place_kernel(p, level);
    if (kernel < level) irl__visit_stmt(&v, p->at[kernel]);
    return found;
}

/* In a kernel, a copy that stands beside the loops of work-items would be done by each of them. */
static int irl__cache_is_done_once(irl__sched *s, const irl__place *p, int level,
                                   const irl_stmt *copy)
{
    const irl_stmt *item = irl__cache_items(p, level);
    irl__accesses   t;
    if (!item) return 1;
    if (!irl__accesses_in(&t, s->cx, copy)) return 0;
    for (int k = 0; k < t.count; k++)
        if (irl__cache_is_write(&t.list[k]) && !t.list[k].is_declared && t.list[k].buffer &&
            t.list[k].buffer->scope == IRL_SCOPE_SHARED)
            return irl__sched_refuse(s, p->at[level]->loc, "every work-item of '%s' would copy to "
                                     "'%s', which they share: %s", irl__refused_loop(s, item),
                                     irl__refused_accessed(s, &t.list[k]),
                                     irl__refused_advice(s, "compute_at and bind afterwards"));
    return 1;
}

/* ... at a time when no other one stores to what it reads: a barrier stands between. `f` has the
   copy. */
static int irl__cache_is_waited_for(irl__sched *s, const irl_func *f, const irl__place *p,
                                    int level, const irl_stmt *copy)
{
    irl__place    in;
    irl__accesses t;
    if (!irl__cache_items(p, level)) return 1;
    if (!irl__place_of_stmt(f->body, copy, &in)) return 0;
    int k = irl__place_kernel(&in, in.count);
    if (!irl__accesses_of(&t, f, in.at[k])) return 0;
    const irl__around *kernel = irl__loop_of(&t, in.at[k]);
    for (k = kernel->first; k < kernel->end; k++)
        if (!t.list[k].is_declared && irl__flow_is_in(&t.list[k], copy) &&
            !irl__order_row_is_apart(s, p->at[level]->loc, &t, kernel, k, "each work-item would "
                                                                          "copy elements that "
                                                                          "others store to, "
                                                                          "without a barrier in "
                                                                          "between"))
            return 0;
    return 1;
}

irl_func *irl__cache_insert(irl__sched *s, const irl__place *p, int level,
                            const irl_stmt *const *before, int before_count,
                            const irl_stmt *now, const irl_stmt *after,
                            const irl_stmt *const *seq)
{
    const irl_stmt  *parent = level > 0 ? p->at[level - 1] : NULL;
    const irl_stmt **list;
    int              count = 0, j, k, total;
    const int        in_seq = parent && parent->kind == IRL__SEQ;
    if (in_seq && !seq) seq = parent->u.seq.stmts;
    total = before_count + 2 + (in_seq ? parent->u.seq.count : 0);
    list = (const irl_stmt **)irl__alloc_array(s->cx, (size_t)total, sizeof *list);
    if (!list || !now) return NULL;
    for (j = 0; j < before_count; j++)
        if (!irl__cache_is_done_once(s, p, level, before[j])) return NULL;
    if (after && !irl__cache_is_done_once(s, p, level, after)) return NULL;
    for (k = 0; in_seq && parent->u.seq.stmts[k] != p->at[level]; k++)
        list[count++] = seq[k];
    for (j = 0; j < before_count; j++) list[count++] = before[j];
    list[count++] = now;
    if (after) list[count++] = after;
    while (in_seq && ++k < parent->u.seq.count) list[count++] = seq[k];
    now = irl__stmt_seq(s->cx, count, list);
    irl_func *f = now ? irl__place_put(s->f, p, in_seq ? level - 1 : level, now) : NULL;
    for (j = 0; f && j < before_count; j++)
        if (!irl__cache_is_waited_for(s, f, p, level, before[j])) return NULL;
    return f && (!after || irl__cache_is_waited_for(s, f, p, level, after)) ? f : NULL;
}

typedef struct irl__cache_swap {
    const irl_buffer *from, *to;
} irl__cache_swap;

static const irl_buffer *irl__cache_swap_buffer(irl__rewriter *r, const irl_buffer *b)
{
    const irl__cache_swap *swap = (const irl__cache_swap *)r->user;
    return b == swap->from ? swap->to : b;
}

/* s with the one buffer in the place of the other, wherever it is named. */
static const irl_stmt *irl__cache_swapped(irl__sched *s, const irl_stmt *at, const irl_buffer *from,
                                          const irl_buffer *to)
{
    irl__cache_swap swap;
    irl__rewriter   r = irl__rewriter_make(s->cx, &swap, NULL, NULL);
    swap.from = from;
    swap.to = to;
    r.buffer = irl__cache_swap_buffer;
    return irl__rewrite_stmt(&r, at);
}

/* ------------------------------------------------------------------ cache_read

   requires  a block or nest that reads the buffer, by no view; nothing writes it in the statement
             that holds the block and in which the copy can stand; a map that keeps the points of
             the buffer apart, where one is given
   does      a copy of the whole buffer stands in front of the outermost statement around the block
             (or the first of the consumers that are named) in which nobody writes the buffer; all
             reads in it, and behind it in the same sequence up to the next write, read the copy:
             where consumers are named, only theirs. The copy lies as the map says; what its unused
             cells hold does not matter
   refuses   a buffer that it does not read; one that is written around every place for the copy; a
             view of it, a call that it is handed to; a consumer that does not read the buffer, or
             stands elsewhere; a lossy map, with two points; a copy by each work-item of what
             another one stores to with no barrier between, with both accesses; an image that does
             not hold it */

/* Who reads the copy: the consumers that are named; without one, all do. Of cache_write also the
   statement in which the copy is written, and what copies it back behind that. */
enum { IRL__CACHE_READERS = 32 };
typedef struct irl__cache_readers {
    irl__sched       *s;
    const irl_buffer *from, *to;
    int               count;
    const irl_stmt   *at[IRL__CACHE_READERS];
    int               is_found[IRL__CACHE_READERS];
    const irl_stmt   *writes, *back; /* NULL: nobody writes it */
} irl__cache_readers;

static int irl__cache_reader_add(irl__cache_readers *q, const irl__arg *arg, const irl__place *p)
{
    irl__cache_uses u;
    if (q->count == IRL__CACHE_READERS)
        return irl__sched_refuse(q->s, arg->loc, "more than %d consumers", IRL__CACHE_READERS - 1);
    q->at[q->count] = p->at[p->count - 1];
    if (!irl__cache_uses_of(q->s, q->at[q->count], q->from, &u)) return 0;
    if (!u.reads || u.writes || u.opaque)
        return irl__sched_refuse(q->s, arg->loc, "'%s' does not read '%s', or also writes it",
                                 arg->name, irl__refused_buffer(q->s, q->from));
    for (int k = 0; k < p->count - 1; k++)
        if (p->at[k]->kind == IRL__BLOCK && p->at[k]->u.block->read_count)
            return irl__sched_refuse(q->s, arg->loc, "'%s' is inside the block '%s', which "
                                                     "declares what it reads", arg->name,
                                                     p->at[k]->u.block->name);
    q->count++;
    return 1;
}

/* Does a stand in front of b? */
static int irl__cache_is_before(const irl__place *a, const irl__place *b)
{
    for (int k = 0; k < a->count && k < b->count; k++)
        if (a->child[k] != b->child[k]) return a->child[k] < b->child[k];
    return 0;
}

/* The consumers are the arguments from that one on; *p becomes the place of the first in the
   function, where there are any: in front of it the copy stands. */
static int irl__cache_readers_of(irl__cache_readers *q, const irl__sched_step *step, int first,
                                 irl__place *p)
{
    irl__place other;
    for (int k = first; k < step->arg_count; k++) {
        if (!irl__sched_block(q->s, &step->args[k], &other) ||
            !irl__cache_reader_add(q, &step->args[k], &other))
            return 0;
        if (k == first || irl__cache_is_before(&other, p)) *p = other;
    }
    return 1;
}

/* The statement that writes the copy, which its consumers in it read, and the copy back. */
static const irl_stmt *irl__cache_writer(irl__cache_readers *q)
{
    const irl_stmt *list[2];
    for (int k = 0; k < q->count; k++) q->is_found[k] |= irl__place_holds(q->writes, q->at[k]);
    list[0] = irl__cache_swapped(q->s, q->writes, q->from, q->to);
    list[1] = q->back;
    return irl__stmt_seq(q->s->cx, 2, list);
}

static const irl_stmt *irl__cache_reader_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__cache_readers *q = (irl__cache_readers *)r->user;
    int                 k, is_one = 0;
    if (s == q->writes) return irl__cache_writer(q);
    for (k = 0; k < q->count; k++) /* one may be named twice */
        if (q->at[k] == s) is_one = q->is_found[k] = 1;
    if (is_one) return irl__cache_swapped(q->s, s, q->from, q->to);
    return s->kind == IRL__STORE ? s : irl__rewrite_stmt_children(r, s);
}

/* The statement, in which its readers read the copy. */
static const irl_stmt *irl__cache_read_in(irl__cache_readers *q, const irl_stmt *at)
{
    irl__rewriter r = irl__rewriter_make(q->s->cx, q, irl__rewrite_no_expr,
                                         irl__cache_reader_stmt);
    return q->count || q->writes ? irl__rewrite_stmt(&r, at)
                                 : irl__cache_swapped(q->s, at, q->from, q->to);
}

static int irl__cache_all_found(const irl__cache_readers *q, const irl__sched_step *step, int first)
{
    for (int k = 0; k < q->count; k++)
        if (!q->is_found[k])
            return irl__sched_refuse(q->s, step->args[first + k].loc, "'%s' reads '%s' at a place "
                                                                      "where the copy does not "
                                                                      "exist, or is no longer "
                                                                      "equal to it",
                                     step->args[first + k].name,
                                     irl__refused_buffer(q->s, q->from));
    return 1;
}

/* A copy that a group shares stands where no work-item has one for itself. */
int irl__cache_is_common(irl__sched *s, const irl__place *p, int level, const irl_buffer *copy,
                         const irl__arg *arg)
{
    const irl_stmt *items = irl__cache_items(p, level);
    for (int k = 0; k < level; k++) {
        const irl_stmt *at = p->at[k];
        if (irl__scope_is_image(copy->scope) && at->kind == IRL__FOR &&
            at->u.loop.kind != IRL_SERIAL)
            return irl__sched_refuse(s, arg->loc, "the loop '%s' would be work-items, and an "
                                     "image is written by one kernel and read by the next",
                                     irl__refused_loop(s, at));
        if (copy->scope == IRL_SCOPE_SHARED && at->kind == IRL__FOR &&
            at->u.loop.kind != IRL_SERIAL &&
            at->u.loop.kind != IRL_UNROLLED &&
            !(at->u.loop.kind == IRL_BOUND && at->u.loop.axis < IRL_LOCAL_X))
            return irl__sched_refuse(s, arg->loc, "each iteration of '%s' would write the one '%s' "
                                     "that the group shares", irl__refused_loop(s, at),
                                     irl__refused_buffer(s, copy));
    }
    return copy->scope != IRL_SCOPE_SHARED || !items ||
           irl__sched_refuse(s, arg->loc, "each work-item of '%s' would write the one '%s' that "
                             "the group shares: %s", irl__refused_loop(s, items),
                             irl__refused_buffer(s, copy),
                             irl__refused_advice(s, "copy before that loop is bound, then "
                                                    "compute_at"));
}

/* Does each iteration of the loop have the buffer for itself? */
static int irl__cache_is_of_each(const irl_stmt *loop, const irl_buffer *b)
{
    return irl__cache_is_own(loop, b) && !irl__stmt_shares(loop, b);
}

/* A copy is of the whole buffer: iterations that run at the same time write none of it. */
static int irl__cache_read_alone(irl__sched *s, const irl__place *p, int level,
                                 const irl_buffer *b, const irl__arg *arg)
{
    irl__cache_uses u;
    for (int k = 0; k < level; k++) {
        if (p->at[k]->kind != IRL__FOR || p->at[k]->u.loop.kind == IRL_SERIAL ||
            p->at[k]->u.loop.kind == IRL_UNROLLED || irl__cache_is_of_each(p->at[k], b))
            continue;
        if (!irl__cache_uses_of(s, p->at[k], b, &u)) return 0;
        if (u.writes || u.opaque)
            return irl__sched_refuse(s, arg->loc, "'%s' would be read as a whole while other "
                                     "iterations of '%s' write it", irl__refused_buffer(s, b),
                                     irl__refused_loop(s, p->at[k]));
    }
    return 1;
}

/* The outermost level at which the statement does not write the buffer; 0: none. */
int irl__cache_read_level(irl__sched *s, const irl__place *p, const irl_buffer *b,
                          const irl__arg *arg)
{
    irl__cache_uses u;
    for (int level = 0; level < p->count; level++) {
        const irl_stmt *at = p->at[level];
        if (at->kind == IRL__SEQ || irl__cache_is_own(at, b)) continue;
        if (!irl__cache_uses_of(s, at, b, &u)) return -1;
        if (!u.writes && !u.opaque)
            return irl__cache_read_alone(s, p, level, b, arg) ? level : -1;
    }
    memset(&u, 0, sizeof u);
    if (irl__cache_is_own(p->at[p->count - 1], b))
        return irl__sched_refuse(s, arg->loc, "'%s' is allocated in the block itself",
                                 irl__refused_buffer(s, b)) - 1;
    if (!irl__cache_uses_of(s, p->at[p->count - 1], b, &u)) return -1;
    irl__sched_refuse(s, arg->loc, u.opaque ? "'%s' is read through a view, a match or a call there"
                                            : "'%s' is written by the block itself",
                      irl__refused_buffer(s, b));
    return -1;
}

/* The statements behind at[level] in its sequence that read the copy too; their new list. */
static int irl__cache_read_behind(irl__cache_readers *q, const irl__place *p, int level,
                                  const irl_stmt *const **out)
{
    irl__sched      *s = q->s;
    const irl_stmt  *parent = level > 0 ? p->at[level - 1] : NULL;
    const irl_stmt **list;
    irl__accesses    t; /* one for all statements: there may be many */
    irl__cache_uses  u;
    int              k, row = 0, is_behind = 0;
    *out = NULL;
    if (!parent || parent->kind != IRL__SEQ) return 1;
    list = (const irl_stmt **)irl__copy(s->cx, parent->u.seq.stmts, (size_t)parent->u.seq.count,
                                        sizeof *list);
    if (!list || !irl__accesses_of(&t, s->f, parent)) return 0;
    while (row < t.count && !irl__place_holds(parent, t.list[row].place)) row++;
    for (k = 0; k < parent->u.seq.count; k++) {
        irl__cache_uses_next(&t, list[k], &row, q->from, &u);
        if (!is_behind) {
            is_behind = list[k] == p->at[level];
            continue;
        }
        if (u.writes || u.opaque) break;
        if (u.reads) list[k] = irl__cache_read_in(q, list[k]);
        if (!list[k]) return 0;
    }
    if (k == parent->u.seq.count && row < t.count) /* the rows stand as the statements do */
        return irl__sched_refuse(s, p->at[level]->loc, "it is not known what reads '%s'",
                                 irl__refused_buffer(s, q->from));
    *out = list;
    return 1;
}

/* The copy in the layout that the map says, and then in the image that the step names. */
static int irl__cache_lay(irl__sched *s, const irl__sched_step *step, const irl_buffer *copy)
{
    irl_func         *f = irl__layout_copy(s, step, copy, &step->args[3]);
    const irl_buffer *laid;
    char              text[48];
    irl__text         t;
    if (!f) return 0;
    irl__text_init_fixed(&t, text, sizeof text);
    irl__text_puts(&t, step->args[2].name);
    if (step->args[2].member) irl__textf(&t, ":%s", step->args[2].member);
    int scope = irl_scope_find(text);
    if (scope >= 0 && irl__scope_is_image((irl_scope)scope)) {
        laid = irl__func_memory(f, copy->data);
        f = laid ? irl__func_set_scope(f, laid, (irl_scope)scope, &laid) : NULL;
        if (!f || !laid || !irl__cache_fits_image(s, laid, step->args[3].loc)) return 0;
    }
    if (f) s->f = f;
    return f != NULL;
}

int irl__do_cache_read(irl__sched *s, const irl__sched_step *step)
{
    irl__place         p;
    const irl_stmt    *before[2], *now, *block = NULL, *const *seq;
    irl__cache_readers q;
    const irl_func    *f = s->f;
    const int          has_map = step->arg_count > 3 && step->args[3].kind == IRL__ARG_MAP;
    memset(&q, 0, sizeof q);
    q.s = s;
    if (!irl__sched_block(s, &step->args[0], &p)) return 0;
    q.from = irl__cache_find(s, &step->args[1], p.at[p.count - 1], 0);
    if (!q.from || !irl__cache_readers_of(&q, step, 3 + has_map, &p)) return 0;
    int level = irl__cache_read_level(s, &p, q.from, &step->args[1]);
    if (level < 0) return 0;
    q.to = irl__cache_buffer(s, q.from, q.from->shape, &step->args[2], 1 + has_map);
    if (!q.to || !irl__cache_is_common(s, &p, level, q.to, &step->args[2])) return 0;
    before[0] = irl_stmt_alloc(s->cx, q.to);
    irl__cache_box all = irl__cache_all_of(s, q.from);
    before[1] = irl__cache_copy(s, step->result_count ? step->results[0] : q.to->name, q.from, q.to,
                                &all, NULL, &block);
    now = irl__cache_read_in(&q, p.at[level]);
    if (!before[0] || !before[1] || !now || !irl__cache_read_behind(&q, &p, level, &seq) ||
        !irl__cache_all_found(&q, step, 3 + has_map))
        return 0;
    s->f = irl__cache_insert(s, &p, level, before, 2, now, NULL, seq);
    if (s->f && (!has_map || irl__cache_lay(s, step, q.to)))
        return irl__sched_result(s, step, 0, block);
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
             behind it, up to the next who writes the buffer
   refuses   a buffer that it does not write; one that something else in its nest reads or writes; a
             consumer that does not read the buffer, or where the copy is not */

/* Iterations that run at the same time would each copy the whole buffer back; so would instances of
   a block, unless each copies back what it has written (is_exact). */
static int irl__cache_write_alone(irl__sched *s, const irl__place *p, int level,
                                  const irl_buffer *b, int is_exact, const irl__arg *arg)
{
    for (int k = 0; k < level; k++)
        if (p->at[k]->kind == IRL__FOR && p->at[k]->u.loop.kind != IRL_SERIAL &&
            p->at[k]->u.loop.kind != IRL_UNROLLED && !irl__cache_is_of_each(p->at[k], b))
            return irl__sched_refuse(s, arg->loc, "each iteration of the loop '%s' would copy '%s' "
                                     "back, at the same time as others",
                                     irl__refused_loop(s, p->at[k]), irl__refused_buffer(s, b));
    for (int k = 0; !is_exact && k < level; k++)
        if (p->at[k]->kind == IRL__BLOCK && !irl__cache_is_own(p->at[k], b))
            return irl__sched_refuse(s, arg->loc, "each instance of the block '%s' would copy '%s' "
                                     "back", p->at[k]->u.block->name, irl__refused_buffer(s, b));
    return 1;
}

/* Do only the block and consumers touch the buffer in the statement? -1: memory is out. */
static int irl__cache_is_alone(irl__cache_readers *q, const irl_stmt *at, const irl_stmt *block)
{
    irl__accesses t;
    int           j;
    if (!irl__accesses_of(&t, q->s->f, at)) return -1;
    for (int k = 0; k < t.count; k++) {
        const irl__access *a = &t.list[k];
        if (!irl__cache_is_of(&t, a, q->from)) continue;
        if (a->kind == IRL__ACCESS_OPAQUE || a->buffer != q->from) return 0;
        for (j = 0; j < q->count && !irl__flow_is_in(a, q->at[j]); j++) {}
        if (j == q->count && !irl__flow_is_in(a, block)) return 0;
    }
    return 1;
}

/* The outermost level at which only the block and consumers touch the buffer. */
static int irl__cache_level_of(irl__cache_readers *q, const irl__place *p, const irl__arg *arg)
{
    const irl_stmt *block = p->at[p->count - 1];
    if (irl__cache_is_own(block, q->from))
        return irl__sched_refuse(q->s, arg->loc, "'%s' is allocated in the block itself",
                                 irl__refused_buffer(q->s, q->from)) - 1;
    for (int level = 0; level < p->count; level++) {
        if (p->at[level]->kind == IRL__SEQ || irl__cache_is_own(p->at[level], q->from)) continue;
        int is_alone = irl__cache_is_alone(q, p->at[level], block);
        if (is_alone < 0) return -1;
        if (is_alone) return level;
    }
    return irl__sched_refuse(q->s, arg->loc, "'%s' is touched through a view, a match or a call "
                             "there", irl__refused_buffer(q->s, q->from)) - 1;
}

int irl__cache_write_level(irl__sched *s, const irl__place *p, const irl_buffer *b,
                           const irl__arg *arg)
{
    irl__cache_readers q;
    memset(&q, 0, sizeof q);
    q.s = s;
    q.from = b;
    int level = irl__cache_level_of(&q, p, arg);
    return level < 0 || irl__cache_write_alone(s, p, level, b, 0, arg) ? level : -1;
}

/* The innermost level, from that one out, in which, or behind which in a sequence, all consumers
   stand. In front of it the copy is filled; from there on it holds what the buffer does wherever
   the block is not at work, if nobody else writes that. -1: somebody does. */
static int irl__cache_top_of(irl__cache_readers *q, const irl__place *p, int level,
                             const irl__arg *arg)
{
    irl__cache_uses u, own;
    int             k = 0;
    for (; level > 0; level--) {
        const irl_stmt *all = p->at[level - (p->at[level - 1]->kind == IRL__SEQ)];
        for (k = 0; k < q->count && irl__place_holds(all, q->at[k]); k++) {}
        if (k == q->count) break;
    }
    if (!irl__cache_uses_of(q->s, p->at[level], q->from, &u) ||
        !irl__cache_uses_of(q->s, p->at[p->count - 1], q->from, &own))
        return -1;
    if (u.writes == own.writes && !u.opaque && !irl__cache_is_own(p->at[level], q->from))
        return level;
    return irl__sched_refuse(q->s, arg->loc, "'%s' is written by others too, or touched through a "
                             "view, a match or a call, around the block and its consumers",
                             irl__refused_buffer(q->s, q->from)) - 1;
}

/* What may be named behind the nest from `level` on: parameters, and the loops and axes around the
   nest. */
typedef struct irl__cache_behind {
    const irl_func   *f;
    const irl__place *p;
    int               level;
} irl__cache_behind;

static int irl__cache_is_within(const irl_expr *e, const void *user)
{
    const irl__cache_behind *q = (const irl__cache_behind *)user;
    int                      j;
    if (e->op != IRL_OP_VAR || irl__func_param_of(q->f, e) >= 0) return 0;
    for (int k = 0; k < q->level; k++) {
        const irl_stmt *at = q->p->at[k];
        if (at->kind == IRL__FOR && at->u.loop.var == e) return 0;
        for (j = 0; at->kind == IRL__BLOCK && j < at->u.block->axis_count; j++)
            if (at->u.block->axes[j].var == e) return 0;
    }
    return 1;
}

int irl__cache_is_lasting(irl__sched *s, const irl__place *p, int level, const irl_expr *e)
{
    irl__cache_behind q;
    q.f = s->f;
    q.p = p;
    q.level = level;
    return !(e->flags & IRL__HAS_MEMORY) && !irl__expr_any(e, irl__cache_is_within, &q);
}

/* The loop, from that level on, whose variable an index is, with something added that does not
   change there: *base (NULL: nothing). NULL: it is none such, or memory is out. */
static const irl_stmt *irl__cache_loop_of(irl__sched *s, const irl__place *p, int level,
                                          const irl_expr *index, const irl_expr **base)
{
    *base = NULL;
    for (int k = level; k < p->count; k++) {
        const irl_expr *var = p->at[k]->kind == IRL__FOR ? p->at[k]->u.loop.var : NULL;
        if (!var || !irl__expr_uses_var(index, var)) continue;
        if (index == var) return p->at[k];
        *base = irl__simplify_alone(s->cx, irl__sub(s->cx, index, var));
        return *base && irl__cache_is_lasting(s, p, level, *base) ? p->at[k] : NULL;
    }
    return NULL;
}

/* Whenever the statement at that level runs, an index that is a loop's variable, or an axis bound
   to one, or so much more, takes each value from *min on; *loop is the one, NULL: it has one value.
   0: that is not known. */
static int irl__cache_range(irl__sched *s, const irl__place *p, int level, const irl_expr *index,
                            const irl_expr **min, const irl_expr **extent, const irl_stmt **loop)
{
    const irl_stmt *last = p->at[p->count - 1];
    const irl_expr *base;
    int64_t         by = 0;
    int             k;
    *loop = NULL;
    *min = index;
    *extent = irl_expr_index(s->cx, 1);
    if (irl__cache_is_lasting(s, p, level, index)) return 1;
    index = irl__expr_base(index, &by);
    if (last->kind == IRL__BLOCK) {
        const irl__block_data *block = last->u.block;
        for (k = 0; k < block->axis_count && block->axes[k].var != index; k++) {}
        if (k == block->axis_count) return 0;
        index = irl__expr_base(block->axes[k].binding, &by);
    }
    *loop = irl__cache_loop_of(s, p, level, index, &base);
    if (!*loop || (*loop)->u.loop.min->op != IRL_OP_INT) return 0;
    *extent = (*loop)->u.loop.extent;
    if (!irl__add64((*loop)->u.loop.min->u.i, by, &by) ||
        !irl__cache_is_lasting(s, p, level, *extent))
        return 0;
    *min = irl_expr_index(s->cx, by);
    if (base && *min) *min = by ? irl__add(s->cx, base, *min) : base;
    return *min != NULL;
}

/* The one store of a block or nest; NULL: there is more. */
static const irl_stmt *irl__cache_store(const irl_stmt *last)
{
    if (last->kind != IRL__BLOCK) return irl__named_store(last->u.loop.body);
    return last->u.block->body->kind == IRL__STORE ? last->u.block->body : NULL;
}

/* Does the store reach each element of the buffer whenever the statement at that level runs, if the
   loops run that irl__cache_runs asks for? */
static int irl__cache_is_whole(irl__sched *s, const irl__place *p, int level, const irl_buffer *b)
{
    const irl_stmt *store = irl__cache_store(p->at[p->count - 1]);
    irl__accesses   t;
    if (!store || !irl__accesses_of(&t, s->f, NULL)) return 0;
    for (int k = 0; k < t.count; k++)
        if (t.list[k].place == store && t.list[k].buffer == b && irl__cache_is_write(&t.list[k]))
            return irl__flow_writes_all(s, &t, &t.list[k], level ? p->at[level - 1] : NULL, 1);
    return 0;
}

/* Is it known, by loops that are the indices, which elements are written whenever the statement at
   that level has run? *box: those, else all. */
static int irl__cache_is_box(irl__sched *s, const irl__place *p, int level, const irl_buffer *b,
                             irl__cache_box *box)
{
    const irl_stmt *last = p->at[p->count - 1], *store, *loops[IRL_MAX_RANK];
    irl__cache_box  found;
    *box = found = irl__cache_all_of(s, b);
    for (int k = level; k < p->count - 1; k++) /* nothing between decides whether it runs */
        if (p->at[k]->kind == IRL__IF || p->at[k]->kind == IRL__BLOCK ||
            (p->at[k]->kind == IRL__FOR && p->at[k]->u.loop.extent->op == IRL_OP_INT &&
             p->at[k]->u.loop.extent->u.i < 1))
            return 0;
    if (last->kind == IRL__BLOCK && last->u.block->predicate) return 0;
    store = last->kind == IRL__BLOCK ? last->u.block->body : last->u.loop.body;
    if (store->kind != IRL__STORE || store->u.store.buffer != b) return 0;
    for (int k = 0; k < b->rank; k++) {
        if (!irl__cache_range(s, p, level, store->u.store.indices[k], &found.min[k],
                              &found.extent[k], &loops[k]))
            return 0;
        for (int j = 0; j < k; j++)
            if (loops[k] && loops[j] == loops[k]) return 0; /* a diagonal */
    }
    *box = found;
    return 1;
}

/* Does an index of the store use the loop's variable, or an axis that is bound to it? */
static int irl__cache_is_index(const irl_stmt *last, const irl_expr *var)
{
    const irl__block_data *block = last->kind == IRL__BLOCK ? last->u.block : NULL;
    const irl_stmt        *store = irl__cache_store(last);
    int                    j;
    for (int k = 0; k < store->u.store.buffer->rank; k++) {
        const irl_expr *index = store->u.store.indices[k];
        if (irl__expr_uses_var(index, var)) return 1;
        for (j = 0; block && j < block->axis_count; j++)
            if (irl__expr_uses_var(index, block->axes[j].var) &&
                irl__expr_uses_var(block->axes[j].binding, var))
                return 1;
    }
    return 0;
}

/* The loops from that level on that are of no index, and are not known to run: where one does not,
   nothing is written. *runs: that they do; NULL: that is known, or *lasts is 0, because only the
   nest can tell. */
static int irl__cache_runs(irl__sched *s, const irl__place *p, int level, const irl_expr **runs,
                           int *lasts)
{
    uint8_t asked[IRL_MAX_DEPTH + 2];
    for (int k = 0; k < p->count; k++)
        asked[k] = k >= level && p->at[k]->kind == IRL__FOR &&
                   !irl__cache_is_index(p->at[p->count - 1], p->at[k]->u.loop.var);
    if (!irl__place_runs(s, p, asked, runs)) return 0;
    *lasts = !*runs || irl__cache_is_lasting(s, p, level, *runs);
    if (!*lasts) *runs = NULL;
    return 1;
}

/* Does it read what it has not written, as an accumulator without init does? */
static int irl__cache_is_read(irl__sched *s, const irl__place *p, int level, const irl_buffer *b)
{
    irl__accesses t;
    if (!irl__accesses_of(&t, s->f, p->at[p->count - 1])) return 1;
    for (int k = 0; k < t.count; k++) {
        const irl__access *a = &t.list[k];
        if (irl__cache_is_of(&t, a, b) && !irl__cache_is_write(a) &&
            !irl__inits_cover(s, p, level, a))
            return 1;
    }
    return 0;
}

/* Whenever the statement at that level has run, is exactly what it wrote copied back, and nothing
   copied in? -1: memory is out. */
static int irl__cache_is_exact(irl__cache_readers *q, const irl__place *p, int level)
{
    irl__cache_box  box;
    const irl_expr *runs = NULL;
    int             lasts = 0;
    if (q->count || !irl__cache_is_box(q->s, p, level, q->from, &box) ||
        irl__cache_is_read(q->s, p, level, q->from))
        return 0;
    return irl__cache_runs(q->s, p, level, &runs, &lasts) ? lasts : -1;
}

/* Each value that is read back has lost what an element of b does not keep. */
int irl__cache_take_bits(irl__sched *s, const irl_stmt *at, const irl_buffer *b, irl_buffer *own,
                         const irl__arg *scope_arg)
{
    irl__accesses t;
    int           k, reads = 0;
    if (!irl__bitfield_is_narrow(b)) return 1;
    if (!irl__accesses_of(&t, s->f, at)) return 0;
    for (k = 0; k < t.count; k++)
        reads |= t.list[k].kind == IRL__ACCESS_READ && !t.list[k].is_declared &&
                 t.list[k].memory == b->data;
    if (!reads) return 1;
    if (own->scope == IRL_SCOPE_SHARED)
        return irl__sched_refuse(s, scope_arg->loc, "'%s' has elements of bits and is read here: "
                                                    "shared memory "
                                                    "cannot hold such elements",
                                                    irl__refused_buffer(s, b));
    return irl__bitfield_take(s->cx, own, b);
}

/* What stands in front: the copy is declared, and filled where not all of it is known to be
   written before it is read; *back is what copies it back, and *block its block. How many. */
static int irl__cache_write_around(irl__cache_readers *q, const irl__sched_step *step,
                                   const irl__place *p, int level, const irl_stmt *before[2],
                                   const irl_stmt **back, const irl_stmt **block)
{
    irl__sched     *s = q->s;
    irl__cache_box  box, all = irl__cache_all_of(s, q->from);
    const irl_expr *runs = NULL;
    const irl_stmt *in = NULL;
    int             count = 1, lasts = 1;
    const int       is_known = irl__cache_is_box(s, p, level, q->from, &box) ||
                         irl__cache_is_whole(s, p, level, q->from);
    const int is_filled = !is_known || q->count || irl__cache_is_read(s, p, level, q->from);
    before[0] = irl_stmt_alloc(s->cx, q->to);
    if (!is_filled && !irl__cache_runs(s, p, level, &runs, &lasts)) return 0;
    if (is_filled || !lasts) {
        irl__text name;
        irl__text_init(&name, s->cx);
        irl__textf(&name, "%s_in", q->to->name);
        before[count++] = irl__cache_copy(s, irl__text_done(&name), q->from, q->to, &all, NULL,
                                          &in);
    }
    *back = irl__cache_copy(s, step->result_count ? step->results[0] : q->to->name, q->to, q->from,
                            &box, runs, block);
    return before[0] && before[count - 1] && *back ? count : 0;
}

/* Are the work-items of each kernel still in order where they share the copy? A barrier for other
   memory does not order it. */
static int irl__cache_waits(irl__sched *s, const irl__sched_step *step, const irl_buffer *own)
{
    irl__accesses t;
    irl__meeting  m;
    if (own->scope != IRL_SCOPE_SHARED) return 1;
    if (!irl__accesses_of(&t, s->f, NULL)) return 0;
    for (int k = 0; k < t.count; k++) {
        const irl__around *kernel = NULL;
        if (t.list[k].is_declared || t.list[k].buffer != own) continue;
        for (const irl__around *at = t.list[k].around; at; at = at->outer)
            if (at->stmt && irl__stmt_is_bound(at->stmt)) kernel = at;
        if (kernel && irl__kernel_row_meets(&t, kernel, k, &m) != IRL_NO)
            return irl__ok(s->cx) &&
                   irl__order_refuse(s, step->loc, &t, &m, "in shared memory a work-item would "
                                     "meet what another one stored, and no barrier(shared) is "
                                     "between", "write barrier(shared); there");
    }
    return 1;
}

int irl__do_cache_write(irl__sched *s, const irl__sched_step *step)
{
    irl__place         p, other;
    irl__cache_readers q;
    const irl_stmt    *before[2], *now, *block = NULL, *const *seq;
    irl_buffer        *own;
    memset(&q, 0, sizeof q);
    q.s = s;
    if (!irl__sched_block(s, &step->args[0], &p)) return 0;
    if (p.at[p.count - 1]->kind == IRL__FOR &&
        irl__stmt_holds(p.at[p.count - 1], 1u << IRL__BARRIER))
        return irl__sched_refuse(s, step->args[0].loc, "'%s' contains a barrier, and would not "
                                                       "wait for the copy", step->args[0].name);
    q.from = irl__cache_find(s, &step->args[1], p.at[p.count - 1], 1);
    if (!q.from || !irl__cache_readers_of(&q, step, 3, &other)) return 0;
    int level = irl__cache_level_of(&q, &p, &step->args[1]);
    int exact = level < 0 ? -1 : irl__cache_is_exact(&q, &p, level);
    if (exact < 0 || !irl__cache_write_alone(s, &p, level, q.from, exact, &step->args[1])) return 0;
    int top = irl__cache_top_of(&q, &p, level, &step->args[1]);
    own = top < 0 ? NULL : irl__cache_buffer(s, q.from, q.from->shape, &step->args[2], 0);
    if (!own || !irl__cache_is_common(s, &p, top, own, &step->args[2]) ||
        !irl__cache_take_bits(s, q.count ? NULL : p.at[level], q.from, own, &step->args[2]))
        return 0;
    q.to = own;
    int count = irl__cache_write_around(&q, step, &p, level, before, &q.back, &block);
    q.writes = p.at[level];
    if (!count || !irl__cache_is_done_once(s, &p, level, q.back)) return 0;
    now = irl__cache_read_in(&q, p.at[top]);
    if (!now || !irl__cache_read_behind(&q, &p, top, &seq) || !irl__cache_all_found(&q, step, 3))
        return 0;
    s->f = irl__cache_insert(s, &p, top, before, count, now, NULL, seq);
    return s->f && irl__cache_waits(s, step, own) && irl__sched_result(s, step, 0, block);
}
