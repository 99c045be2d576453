/* distribute.c - one loop around several statements as several loops, one around each.

   needs     place.c; the question whether iterations meet
   promises  each statement runs as often as it did, and sees what it saw

   distribute
   requires  a serial or parallel loop around several statements; no statement touches in one
             iteration what a later one writes in an earlier iteration, or writes what it reads.
             What one statement touches itself stays in order
   does      a loop around each of the statements, one after the other. Memory that an iteration
             allocated gets one more index at the front, by which the loops count it, and is global
             where it was local
   refuses   one statement; statements that meet in different iterations; lets (compose_store puts
             their values where they are used), checks, views; memory that is shared, bound to a
             layout or made of bits, or passed on by a pointer; blocks that declare which regions
             they touch
   source    loop distribution (Kennedy and McKinley: Loop distribution with arbitrary control flow,
             1990); scalar expansion */
#include "schedule.h"

enum { IRL__DISTRIBUTE_MOST = 16 }; /* statements, and arrays */

typedef struct irl__distribute {
    irl__sched       *s;
    const irl_stmt   *loop;
    int               parts, arrays;
    const irl_stmt   *part[IRL__DISTRIBUTE_MOST];
    const irl_buffer *from[IRL__DISTRIBUTE_MOST];
    irl_buffer       *to[IRL__DISTRIBUTE_MOST];
    const irl_expr   *count; /* counts iterations from 0, where a statement is looked at */
    const char       *why; /* what a block does that is not done; NULL */
} irl__distribute;

static int irl__distribute_is_plain(const irl_func *f, const irl__accesses *t,
                                    const irl_stmt *loop, const irl_buffer *b)
{
    if (irl__exprs_use_var(b->rank, b->shape, loop->u.loop.var)) return 0;
    for (int k = 0; k < f->layout_count; k++)
        if (strcmp(f->layouts[k].buffer, b->name) == 0) return 0;
    return (b->scope == IRL_SCOPE_LOCAL || b->scope == IRL_SCOPE_GLOBAL) && !b->strides &&
           !b->offset && !b->separator_count && !b->bits && !b->record &&
           b->rank < IRL_MAX_RANK && irl__accesses_is_alone(t, b->data);
}

/* The statements, and the arrays that stand among them. */
static int irl__distribute_read(irl__sched *s, irl__distribute *q, const irl__accesses *t)
{
    const irl_stmt *body = q->loop->u.loop.body;
    for (int k = 0; k < irl__stmt_count(body); k++) {
        const irl_stmt *at = irl__stmt_at(body, k);
        if (q->parts == IRL__DISTRIBUTE_MOST || q->arrays == IRL__DISTRIBUTE_MOST)
            return irl__refuse(s, "more than %d statements", IRL__DISTRIBUTE_MOST);
        if (at->kind == IRL__ALLOC) {
            if (!irl__distribute_is_plain(s->f, t, q->loop, at->u.alloc.buffer))
                return irl__refuse(s, "the memory of '%B' cannot get another index",
                                   at->u.alloc.buffer);
            q->from[q->arrays++] = at->u.alloc.buffer;
        } else if (at->kind == IRL__FOR || at->kind == IRL__BLOCK || at->kind == IRL__STORE ||
                   at->kind == IRL__IF)
            q->part[q->parts++] = at;
        else
            return irl__refuse(s, "between the statements of '%L' there is one that applies to all "
                               "that follow: %H", q->loop, "if it is a let, use compose_store "
                               "first");
    }
    return q->parts > 1 || irl__refuse(s, "the loop '%L' contains one statement only", q->loop);
}

/* Does a statement touch in a later iteration what one behind it touches before? */
static int irl__distribute_holds(irl__sched *s, const irl__distribute *q, irl__accesses *t)
{
    const irl_stmt    *body = q->loop->u.loop.body;
    const irl__around *loop = irl__loop_of(t, q->loop);
    const char        *what = "its iterations depend on each other";
    irl__accesses      part;
    irl__meeting       m;
    int                rows = 0, calls = 0;
    for (int k = 0; k < q->parts; k++) calls += irl__stmt_calls(s->f, q->part[k]);
    if ((calls > 1 || irl__stmt_holds(q->loop, 1 << IRL__BARRIER | 1 << IRL__EVALUATE)) &&
        irl__loop_carries(t, loop, &m) != IRL_NO)
        return irl__refuse_meeting(s, t, &m, what, NULL);
    for (int k = 0; k + 1 < irl__stmt_count(body); k++) {
        if (!irl__accesses_of(&part, s->f, irl__stmt_at(body, k))) return 0;
        rows += part.count;
        if (irl__bodies_meet(t, loop, rows, &m) != IRL_NO)
            return irl__refuse_meeting(s, t, &m, what, NULL);
    }
    return 1;
}

/* ------------------------------------------------------------------ the index more */

static int irl__distribute_array(const irl__distribute *q, const irl_buffer *b)
{
    int k;
    for (k = q->arrays; k-- > 0 && q->from[k] != b;) {}
    return k;
}

/* The iteration, and the indices that there were. */
static const irl_buffer *irl__distribute_access(irl__rewriter *r, const irl_buffer *b,
                                                const irl_expr **indices)
{
    const irl__distribute *q = (const irl__distribute *)r->user;
    const int              k = irl__distribute_array(q, b);
    if (k < 0) return b;
    memmove(indices + 1, indices, (size_t)b->rank * sizeof *indices);
    indices[0] = q->count;
    return q->to[k];
}

/* In a block the iteration is the axis that is bound to it, or one more if it has none. */
static const irl_stmt *irl__distribute_block(irl__rewriter *r, irl__distribute *q,
                                             const irl_stmt *s)
{
    const irl__block_data *b = s->u.block;
    const irl_expr        *outer = q->count, *axis = NULL;
    irl__axis              more;
    if (!irl__loop_axis(r->cx, q->loop->u.loop.var, q->loop->u.loop.min, q->loop->u.loop.extent,
                        &more))
        return NULL;
    for (int k = 0; k < b->axis_count; k++)
        if (b->axes[k].binding == more.binding && !b->axes[k].is_reduction) axis = b->axes[k].var;
    if (outer != more.binding) q->why = "is inside a block";
    if (b->read_count || b->write_count) q->why = "declares its regions";
    q->count = axis ? axis : more.var;
    const irl_stmt *now = irl__rewrite_stmt_children(r, s);
    q->count = outer;
    /* The axis comes before those that the block has. */
    if (!now || now == s || axis) return now;
    irl__block_data *data;
    irl_stmt        *made = irl__block_copy(r->cx, now, &data);
    irl__axis       *axes = made ? irl__block_axes(r->cx, data, 1) : NULL;
    if (!axes) return NULL;
    memmove(axes + 1, axes, (size_t)data->axis_count++ * sizeof *axes);
    axes[0] = more;
    return irl__stmt_finish(r->cx, made);
}

static const irl_stmt *irl__distribute_stmt(irl__rewriter *r, const irl_stmt *s)
{
    return s->kind == IRL__BLOCK ? irl__distribute_block(r, (irl__distribute *)r->user, s)
                                 : irl__rewrite_stmt_children(r, s);
}

/* ------------------------------------------------------------------ the loops */

/* The loop around the k-th statement. */
static const irl_stmt *irl__distribute_loop(irl__sched *s, irl__distribute *q, int k)
{
    irl__rewriter   r = irl__rewriter_make(s->cx, q, NULL, irl__distribute_stmt);
    const irl_expr *old = q->loop->u.loop.var;
    r.access = irl__distribute_access;
    q->count = irl__is_int(q->loop->u.loop.min, 0)
                   ? old : irl__sub(s->cx, old, q->loop->u.loop.min);
    if (!q->count) return NULL;
    const irl_stmt *body = q->arrays ? irl__rewrite_stmt(&r, q->part[k]) : q->part[k];
    const irl_expr *var = irl__sched_var(s, k, old->u.name);
    if (!body || !var) return NULL;
    body = irl__substitute_stmt(s->cx, body, 1, &old, &var);
    const irl_stmt *made = irl__stmt_loop_new(s->cx, q->loop, 1, var, q->loop->u.loop.min,
                                              q->loop->u.loop.extent, body);
    return k && made ? irl__sched_labelled(s, made, k) : made;
}

/* The statements in the place of the loop: among those that it stood among, where later steps find
   them. */
static int irl__distribute_put(irl__sched *s, const irl__place *p, int count,
                               const irl_stmt *const *list)
{
    const int       level = p->count - 1, child = p->child[level];
    const irl_stmt *parent = level ? p->at[level - 1] : NULL;
    if (!parent || parent->kind != IRL__SEQ)
        return irl__place_become(s, p, level, irl__stmt_seq(s->cx, count, list));
    return irl__place_become(s, p, level - 1, irl__seq_replace(s->cx, parent, child, child + 1,
                                                               count, list));
}

/* Arrays with the index more. The loop may have an extent below 0 and run never: memory has not. */
static int irl__distribute_arrays(irl__distribute *q, irl__accesses *t)
{
    irl_ctx        *cx = q->s->cx;
    const irl_expr *shape[IRL_MAX_RANK];
    irl__path       path;
    if (q->arrays && (!irl__path_begin(&path, t) ||
                      !irl__path_to(&path, irl__loop_of(t, q->loop)->outer)))
        return 0;
    for (int j = 0; j < q->arrays; j++) {
        const irl_buffer *b = q->from[j];
        for (int k = 0; k <= b->rank; k++) {
            shape[k] = irl__extent_from_zero(cx, k ? b->shape[k - 1] : q->loop->u.loop.extent);
            if (!shape[k] || !(shape[k] = irl__simplify(path.an, shape[k]))) return 0;
        }
        q->to[j] = irl__buffer_make(cx, b->name, b->type, IRL_SCOPE_GLOBAL, b->rank + 1, shape,
                                    NULL, b->loc);
        if (!q->to[j]) return 0;
    }
    return 1;
}

int irl__do_distribute(irl__sched *s)
{
    irl__distribute q;
    irl__accesses   t;
    const irl_stmt *list[2 * IRL__DISTRIBUTE_MOST];
    int             count = 0;
    memset(&q, 0, sizeof q);
    q.s = s;
    q.loop = irl__place_last(&s->p);
    if (q.loop->kind != IRL__FOR ||
        (q.loop->u.loop.kind != IRL_SERIAL && q.loop->u.loop.kind != IRL_PARALLEL))
        return irl__refuse_at(s, s->args[0].loc, "'%N' is not a serial or parallel loop");
    if (!irl__sched_bounds_are_named(s, s->args[0].loc, q.loop) ||
        !irl__accesses_of(&t, s->f, NULL) || !irl__distribute_read(s, &q, &t))
        return 0;
    if (s->step->result_count > q.parts)
        return irl__refuse(s, "there are %d statements", q.parts);
    if (!irl__distribute_holds(s, &q, &t) || !irl__distribute_arrays(&q, &t)) return 0;
    for (int k = 0; k < q.arrays; k++)
        if (!(list[count++] = irl_stmt_alloc(s->cx, q.to[k]))) return 0;
    for (int k = 0; k < q.parts; k++) {
        list[count] = irl__distribute_loop(s, &q, k);
        if (!list[count] || !irl__sched_result(s, k, list[count])) return 0;
        count++;
    }
    if (q.why && q.arrays)
        return irl__refuse(s, "a block in '%L' %s", q.loop, q.why);
    return irl__distribute_put(s, &s->p, count, list);
}
