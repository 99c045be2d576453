/* compute_at.c - the primitives that compute a block inside of a loop of another one.

   needs     move.c
   promises  an iteration finds computed what it reads, from the same operands as before; instances
             may run several times, each with the same result */
#include "move.h"

/* ------------------------------------------------------------------ compute_at

   requires  a block or a nest that alone writes its temporaries and reaches each point of its axes;
             a loop behind it, in which everything stands that reads them
   does      the loop computes of them, in front of the first that reads, what one iteration reads,
             in new loops over that box; where the box leaves the axes, `where`. The temporaries
             are allocated there, as large as the box
   refuses   a parameter; a reader outside of the loop; a block that another one completes; operands
             that are written between, with two iterations; a barrier between, where work-items wait
             for what others do to an operand; bounds that read memory; calls that may do anything;
             sums of floats whose order would change; what each work-item has for itself. Where
             several work-items of a group would make one thing in shared memory, they share the
             work and wait (share.c), once for several tiles that have nothing to do with another */

/* The rows of the unit of that buffer. */
static irl__flow_set irl__compute_own(const irl__move *m, int kinds, int buffer)
{
    return irl__flow_set_of(&m->t, kinds, m->last, NULL, m->buffers[buffer]);
}

static int irl__compute_at_buffers(irl__sched *s, irl__move *m)
{
    const irl__flow_set in = irl__flow_set_of(&m->t, IRL__ROWS_ALL, m->last, NULL, NULL);
    IRL__FLOW_EACH(a, in) {
        if (a->place == m->last) continue;
        if (!irl__flow_is_told(s, a)) return 0;
        if (irl__flow_is_write(a) && !irl__place_declares(m->last, a->buffer) &&
            !irl__move_buffer(s, m, a->buffer))
            return 0;
    }
    for (int j = 0; j < m->buffer_count; j++) {
        irl__flow_buffer found;
        if (!irl__flow_temporary(s, &s->args[0], m->buffers[j], &found)) return 0;
        if (irl__scope_is_image(m->buffers[j]->scope))
            return irl__refuse(s, "'%B' is an image: it is made as a whole", m->buffers[j]);
        const irl__flow_set others = irl__flow_set_of(&m->t, IRL__ROWS_ALL, NULL, m->last,
                                                      m->buffers[j]);
        IRL__FLOW_EACH(a, others) {
            if (irl__flow_is_write(a))
                return irl__refuse(s, "'%B' is written by another statement too", m->buffers[j]);
            if (!irl__access_in(a, m->to))
                return irl__refuse(s, "%X is read outside of the loop '%L' too", a, m->to);
        }
    }
    return m->buffer_count > 0 || irl__refuse(s, "'%N' writes nothing");
}

/* What is known of an index of the unit where it takes what one iteration needs. */
static irl__analyzer *irl__compute_at_taken(irl__sched *s, const irl__move *m, const irl__access *a)
{
    irl__analyzer *an = irl__place_analyzer(s, NULL, 0);
    for (int k = 0; an && k < m->u.count; k++)
        if (!irl__bind_extent(an, m->u.var[k], m->extent[k] ? m->lo[k] : m->u.min[k],
                              m->extent[k] ? m->extent[k] : m->u.extent[k]))
            return NULL;
    return an && irl__move_bind_inside(an, m, a) ? an : NULL;
}

/* Is the index, for all that the analyzer admits, within the box along that axis? */
static int irl__compute_is_within(irl__sched *s, irl__analyzer *an, const irl_expr *index,
                                  const irl__move_box *box, int axis)
{
    const irl_expr *from =
        index->flags & IRL__HAS_LANES ? NULL : irl__sub(s->cx, index, box->lo[axis]);
    return from && !(from->flags & IRL__HAS_MEMORY) &&
           irl__prove_within(an, from, box->extent[axis]);
}

/* An index of the unit there: a coordinate that takes one value is that value, so that what i / 4
   and i % 4 make together is known to be i. */
static const irl_expr *irl__compute_at_index(irl__sched *s, const irl__move *m,
                                             const irl_expr *index)
{
    for (int k = 0; index && k < m->u.count; k++)
        if (m->extent[k] && irl__is_int(m->extent[k], 1))
            index = irl__substitute(s->cx, index, 1, &m->u.var[k], &m->lo[k]);
    return index;
}

/* Where the instances are not known to stay within the box, the axis is kept as a whole. */
static int irl__compute_at_keep(irl__sched *s, irl__move *m, const irl__access *a,
                                irl__move_box *box)
{
    irl__analyzer *an = irl__compute_at_taken(s, m, a);
    if (!an) return 0;
    for (int k = 0; k < a->rank; k++) {
        const irl_expr *index = irl__compute_at_index(s, m, a->indices[k]);
        if (!index) return 0;
        if (!box->extent[k] || irl__compute_is_within(s, an, index, box, k)) continue;
        box->extent[k] = NULL;
        box->lo[k] = irl_expr_index(s->cx, 0);
    }
    return irl__ok(s->cx);
}

/* What the unit reads of its own memory at another place than it writes, another instance made:
   along the coordinates that tell these places apart, an iteration runs all instances. */
static void irl__compute_at_chain(irl__move *m, const irl__access *r)
{
    const irl__flow_set stores = irl__flow_set_of(&m->t, IRL__ROWS_STORE, m->last, NULL, r->buffer);
    int                 n;
    IRL__FLOW_EACH(w, stores) {
        for (int axis = 0; axis < w->rank; axis++)
            for (n = 0; r->indices[axis] != w->indices[axis] && n < m->u.count; n++)
                if (irl__expr_uses_var(r->indices[axis], m->u.var[n]) ||
                    irl__expr_uses_var(w->indices[axis], m->u.var[n]))
                    m->extent[n] = NULL;
    }
}

/* The box that the loop's iteration touches of each by rows of that kind, and the instances that
   make it, or take it, by other rows. */
static int irl__compute_boxes(irl__sched *s, irl__move *m, int in_loop, int in_unit)
{
    for (int j = 0; j < m->buffer_count; j++) {
        const irl__flow_set in = irl__flow_set_of(&m->t, in_loop, m->to, NULL, m->buffers[j]);
        const irl__flow_set of = irl__compute_own(m, in_unit, j);
        IRL__FLOW_EACH(a, in)
            if (!irl__move_box_add(s, m, a, &m->boxes[j])) return 0;
        if (!irl__move_box_close(s, m, m->buffers[j], &m->boxes[j])) return 0;
        IRL__FLOW_EACH(a, of)
            if (!irl__move_instances(s, m, a, &m->boxes[j])) return 0;
    }
    return 1;
}

/* The box that the loop's iteration reads of each, and the instances that make it. */
static int irl__compute_at_boxes(irl__sched *s, irl__move *m)
{
    if (!irl__compute_boxes(s, m, IRL__ROWS_ALL, IRL__ROWS_STORE)) return 0;
    for (int j = 0; j < m->buffer_count; j++) {
        const irl__flow_set own = irl__compute_own(m, IRL__ROWS_TAKE, j);
        IRL__FLOW_EACH(a, own)
            irl__compute_at_chain(m, a);
    }
    for (int j = 0; j < m->buffer_count; j++) {
        const irl__flow_set all = irl__compute_own(m, IRL__ROWS_ALL, j);
        IRL__FLOW_EACH(a, all)
            if (!irl__compute_at_keep(s, m, a, &m->boxes[j])) return 0;
    }
    return 1;
}

/* A sum is computed as a whole. */
static int irl__compute_at_sums(irl__sched *s, const irl__move *m)
{
    for (int k = 0; m->u.block && k < m->u.block->axis_count; k++)
        if (m->u.block->axes[k].is_reduction && m->extent[k])
            return irl__refuse(s, "the iterations of '%L' need parts of the reduce axis '%s'",
                               m->to, m->u.block->axes[k].var->u.name);
    return 1;
}

/* Does each run of the statement, in which all stores of that buffer stand, write every element? */
static int irl__compute_writes_all(irl__sched *s, irl__move *m, const irl_buffer *b,
                                   const irl_stmt *scope)
{
    const irl__flow_set stores = irl__flow_set_of(&m->t, IRL__ROWS_STORE, NULL, NULL, b);
    IRL__FLOW_EACH(a, stores)
        if (irl__flow_writes(s, &m->t, a, scope, NULL, NULL, 0)) return 1;
    return 0;
}

/* Has each iteration of the loop written, before these rows read it, what they read? Reads of the
   consumer come behind all stores; what the producer itself reads does not. */
static int irl__compute_is_covered(irl__sched *s, irl__move *m, const irl_stmt *loop,
                                   const irl__flow_set *reads)
{
    const irl__around *within = irl__loop_of(&m->t, loop);
    const int          is_all = irl__compute_writes_all(s, m, reads->of, loop);
    if (!within) return 0;
    IRL__FLOW_EACH(a, *reads)
        if (!(is_all && !irl__access_in(a, m->last) == !m->is_back) &&
            irl__covered(&m->t, a, within, NULL) != IRL_YES)
            return 0;
    return 1;
}

/* Where a loop between the declaration and the common statement runs several times, what is read
   in one iteration of it is written in the same. The unit itself begins with elements of bits
   without writing them, which are 0 then: its own reads count too. */
static int irl__compute_at_same(irl__sched *s, irl__move *m)
{
    irl__meeting meeting;
    for (int j = 0; j < m->buffer_count; j++) {
        irl__flow_buffer found;
        if (!irl__flow_temporary(s, &s->args[0], m->buffers[j], &found)) return 0;
        const irl__flow_set w = irl__flow_set_of(&m->t, IRL__ROWS_STORE, NULL, NULL, m->buffers[j]);
        const int           is_own = m->is_back || irl__bitfield_is_narrow(m->buffers[j]);
        const irl__flow_set r = irl__flow_set_of(&m->t, IRL__ROWS_TAKE, NULL,
                                                 is_own ? NULL : m->last, m->buffers[j]);
        for (int n = found.scope.count; n < m->level; n++)
            if (m->u.p.at[n]->kind == IRL__FOR &&
                !irl__compute_is_covered(s, m, m->u.p.at[n], &r) &&
                irl__flow_carries(&m->t, &m->u.p, n, n + 1, &w, &r, &meeting) != IRL_NO)
                return irl__refuse_meeting(s, &m->t, &meeting, "an element may be read that "
                                           "another iteration wrote", NULL);
    }
    return 1;
}

/* Has everybody waited in this iteration already, before statement `at`? For what others write here
   it is just before. */
static int irl__compute_at_waited(const irl__move *m, const irl_stmt *const *from, int at,
                                  const irl_stmt *wait)
{
    for (int k = m->follows && at ? at - 1 : 0; k < at; k++)
        if (from[k]->kind == IRL__BARRIER && from[k]->u.barrier.scope == wait->u.barrier.scope)
            return 1;
    return 0;
}

/* Is the barrier before statement `at` one for the nest too? Nobody else writes what it touches, so
   it may stand beside what the barrier is for. */
static int irl__compute_at_joins(const irl__move *m, const irl_stmt *const *from, int at, int wait,
                                 const irl_stmt *const *waits)
{
    return wait == 1 && !m->follows && at && from[at - 1]->kind == IRL__BARRIER &&
           from[at - 1]->u.barrier.scope == waits[0]->u.barrier.scope;
}

/* The body of the loop with the nest in front of the first that reads, and the temporaries. */
static const irl_stmt *irl__compute_at_body(irl__sched *s, irl__move *m, const irl_stmt *nest)
{
    const irl_stmt *body = m->to->u.loop.body, **list;
    const int       count = irl__stmt_count(body), buffers = m->buffer_count;
    const irl_stmt *const *from = body->kind == IRL__SEQ ? body->u.seq.stmts : &body;
    const irl_stmt *waits[2];
    irl__accesses   t;
    int             i, at = -1, n = 0, wait = 0, joins;
    list = IRL__NEW(s->cx, const irl_stmt *, count + m->buffer_count + 5);
    if (!list) return NULL;
    for (int k = 0; k < count && at < 0; k++) {
        if (!irl__accesses_of(&t, s->f, from[k])) return NULL;
        for (i = 0; i < t.count && at < 0; i++)
            for (int j = 0; j < m->buffer_count; j++)
                if (t.list[i].memory == m->buffers[j]->data) at = k;
    }
    if (at < 0) at = count;
    if (m->shares && (wait = irl__share_waits(s, m, waits)) < 0) return NULL;
    joins = irl__compute_at_joins(m, from, at, wait, waits);
    at -= joins;
    for (int k = 0; k < buffers; k++) list[n++] = irl_stmt_alloc(s->cx, m->buffers[k]);
    for (int k = 0; k < at; k++) list[n++] = from[k];
    for (int k = 0; (m->repeats || m->follows) && k < wait; k++)
        if (!irl__compute_at_waited(m, from, at, waits[k])) list[n++] = waits[k];
    list[n++] = nest;
    for (int k = 0; k < wait && !joins; k++) list[n++] = waits[k];
    m->behind = (joins ? 0 : wait) + count - at;
    for (int k = at; k < count; k++) list[n++] = from[k];
    body = irl__stmt_seq(s->cx, n, list);
    for (int k = 0; body && k < buffers; k++)
        body = irl__move_smaller(s, body, k, m->buffers[k], &m->boxes[k]);
    return body;
}

/* The function with that body of the loop, and without the unit in its old place. */
static irl_func *irl__compute_at_put(irl__sched *s, const irl__move *m, const irl_stmt *body)
{
    const irl_stmt *loop = irl__stmt_loop_of(s->cx, m->to, body);
    irl__place      at;
    if (!loop) return NULL;
    /* the old nest goes first: its place holds while the loop keeps its id */
    irl_func *g = irl__place_without(s->f, &m->u.p);
    for (int k = 0; g && k < m->buffer_count; k++)
        g = irl__flow_undeclared(s, g, m->buffers[k]);
    return g && irl__place_of(g->body, m->to->id, &at)
               ? irl__place_put(g, &at, at.count - 1, loop) : NULL;
}

/* The nest in its new place, by the loop that holds it, after the buffers have shrunk. */
static const irl_stmt *irl__compute_at_nest(irl__sched *s, const irl__move *m, const irl_stmt *nest,
                                            const irl_stmt *loop)
{
    const irl_stmt *body = loop->u.loop.body;
    const int       count = irl__stmt_count(nest);
    if (body->kind != IRL__SEQ) return body;
    return irl__stmt_seq(s->cx, count,
                         body->u.seq.stmts + body->u.seq.count - m->behind - count);
}

/* What an instance reads is not written before it runs in its new place. */
static int irl__compute_at_steady(irl__sched *s, irl__legal *q)
{
    const irl__flow_set writes = irl__flow_set_of(&q->now, IRL__ROWS_WRITE, NULL, NULL, NULL);
    const irl__flow_set reads = irl__flow_set_of(&q->now, IRL__ROWS_READ, NULL, NULL, NULL);
    irl__meeting        meeting;
    IRL__FLOW_PAIRS(a, b, writes, reads)
        if (!irl__legal_row_of(q, a)->is_moved && irl__legal_row_of(q, b)->is_moved &&
            irl__legal_changes(q, a, b, &meeting) != IRL_NO)
            return irl__refuse_meeting(s, q->shown, &meeting, "its operands are written before the "
                                       "loop reads it", NULL);
    return 1;
}

/* In a kernel each work-item of the loops inside runs the nest: what it reads none of them writes,
   unless they wait between. */
static int irl__compute_at_is_apart(irl__sched *s, irl__legal *q, const irl__place *p)
{
    irl__meeting meeting;
    int          top = irl__place_kernel(p, p->count);
    if (top == p->count || !irl__stmt_holds(q->m->to->u.loop.body, IRL__HOLDS_BOUND)) return 1;
    const irl__around *kernel = irl__loop_of(&q->now, p->at[top]);
    for (int k = kernel->first; k < kernel->end; k++)
        if (q->rows[k].is_moved && !q->now.list[k].is_declared &&
            irl__kernel_row_meets(&q->now, kernel, k, &meeting) != IRL_NO)
            return irl__refuse_meeting(s, &q->now, &meeting, "work-items of one kernel would do at "
                                       "the same time what must be in order", NULL);
    return irl__ok(s->cx);
}

int irl__do_compute_at(irl__sched *s)
{
    irl__move  m;
    irl__legal q;
    irl__place p;
    if (!irl__move_read(s, &m) || !irl__compute_at_buffers(s, &m)) return 0;
    if (m.loop_child < m.first_child)
        return irl__refuse(s, "the loop '%L' is before '%N'", m.to);
    if (!irl__move_is_alone(s, &m, 1) || !irl__flow_keeps_items(s, &m.t, &m.u.p, &m.loop, 0) ||
        !irl__flow_waits_for_none(s, &m.t, &m.u.p, m.level, m.first_child, m.loop_child, m.buffers,
                                  m.buffer_count))
        return 0;
    if (!irl__compute_at_same(s, &m) || !irl__compute_at_boxes(s, &m) ||
        !irl__compute_at_sums(s, &m))
        return 0;
    const irl_stmt *nest = irl__move_nest_of(s, &m);
    irl_func       *g = nest ? irl__compute_at_put(s, &m, irl__compute_at_body(s, &m, nest)) : NULL;
    if (!g || !irl__place_of(g->body, m.to->id, &p)) return 0;
    nest = irl__compute_at_nest(s, &m, nest, irl__place_last(&p));
    return nest && irl__legal_begin(s, &m, g, nest, &q) && irl__compute_at_steady(s, &q) &&
           irl__compute_at_is_apart(s, &q, &p) && irl__sched_become(s, g);
}

/* ------------------------------------------------------------------ reverse_compute_at

   requires  a block or a nest that reaches each point of its axes and does not read what it writes;
             a loop in front of it that alone writes a temporary which it reads
   does      at the end of each iteration of the loop the block computes what the elements that this
             iteration wrote allow, in new loops over that box; a nest that reads one element
             runs once for each instance, behind the iteration that wrote it, where needed under a
             condition
   refuses   a loop in which nothing is written that it reads, or elements are written in several
             iterations, or read in an iteration of a loop around both that did not write them, or
             by another work-item; an image; a barrier between; bounds that read memory; calls that
             may do anything; what is stored where nothing is read, which no iteration would do;
             what would be read or written too early, with two iterations; a result that could fail
             where an element is not there yet; a buffer that is declared behind the loop; elements
             of bits of which one write does not store each */

/* The temporaries that the unit reads and the loop writes. */
static int irl__compute_back_buffers(irl__sched *s, irl__move *m)
{
    const irl__flow_set in = irl__flow_set_of(&m->t, IRL__ROWS_ALL, m->last, NULL, NULL);
    const irl__flow_set reads = irl__flow_set_of(&m->t, IRL__ROWS_READ, m->last, NULL, NULL);
    const irl__flow_set writes = irl__flow_set_of(&m->t, IRL__ROWS_WRITE, m->to, NULL, NULL);
    IRL__FLOW_EACH(a, in)
        if (!irl__flow_is_told(s, a)) return 0;
    IRL__FLOW_PAIRS(a, w, reads, writes)
        if (!irl__move_buffer(s, m, a->buffer)) return 0;
    if (!m->buffer_count)
        return irl__refuse(s, "the loop '%L' writes nothing that '%N' reads", m->to);
    for (int j = 0; j < m->buffer_count; j++) {
        irl__flow_buffer found;
        if (!irl__flow_temporary(s, &s->args[0], m->buffers[j], &found)) return 0;
        if (!irl__flow_is_begun(s, &found)) return 0;
        if (irl__scope_is_image(m->buffers[j]->scope))
            return irl__refuse(s, "'%B' is an image, which one kernel writes and the next one "
                               "reads", m->buffers[j]);
        if (!irl__flow_is_of_item(s, &m->t, &m->u.p, m->level, m->buffers[j])) return 0;
        const irl__flow_set stores = irl__flow_set_of(&m->t, IRL__ROWS_STORE, NULL, NULL,
                                                      m->buffers[j]);
        IRL__FLOW_EACH(a, stores) {
            if (irl__access_in(a, m->last))
                return irl__refuse(s, "'%N' reads '%B', which it writes", m->buffers[j]);
            if (!irl__access_in(a, m->to))
                return irl__refuse(s, "'%B' is written outside of the loop '%L' too", m->buffers[j],
                                   m->to);
        }
    }
    return 1;
}

/* Is read r made whenever the unit's write w is? Of a guard, or of a loop that may not run, it may
   have none that w has not. */
static int irl__compute_back_is_made(const irl__move *m, const irl__access *w, const irl__access *r)
{
    const irl__around *other;
    for (const irl__around *n = r->around; n && n->stmt != m->last; n = n->outer) {
        if (n->kind != IRL__AROUND_GUARD &&
            (n->kind != IRL__AROUND_LOOP || irl__stmt_loop_runs(n->stmt)))
            continue;
        for (other = w->around; other && other != n; other = other->outer) {}
        if (!other) return 0;
    }
    return 1;
}

/* Is it an element of the buffer that each instance means in row r, read or not? */
static int irl__compute_back_is_inside(irl__sched *s, const irl__move *m, const irl__access *r)
{
    irl__analyzer *an = irl__flow_analyzer(s, &m->u);
    if (!an || !irl__move_bind_inside(an, m, r)) return 0;
    for (int k = 0; k < r->rank; k++) {
        const irl_expr *e = r->indices[k];
        if ((e->flags & (IRL__HAS_MEMORY | IRL__HAS_LANES)) ||
            !irl__prove_within(an, e, r->buffer->shape[k]))
            return 0;
    }
    return 1;
}

/* Does some iteration take each instance that does anything? It is found by an element that it
   reads; where it reads under a condition, by the element that it would read. */
static int irl__compute_back_is_covered(irl__sched *s, irl__move *m)
{
    int i, j, found, is_whole = 1;
    for (int k = 0; k < m->u.count; k++) is_whole &= !m->extent[k] && !m->is_told;
    for (int k = m->level + 1; k < m->loop.count; k++)
        is_whole &= m->loop.at[k]->kind != IRL__FOR || irl__stmt_loop_runs(m->loop.at[k]);
    for (int k = 0; k < m->t.count && !is_whole; k++) {
        const irl__access *w = &m->t.list[k];
        if (w->is_declared || !irl__access_in(w, m->last) || !irl__access_writes(w)) continue;
        for (i = found = 0; i < m->t.count && !found; i++) {
            const irl__access *r = &m->t.list[i];
            for (j = 0; j < m->buffer_count && !irl__flow_is_of(r, m->buffers[j]); j++) {}
            found = j < m->buffer_count && irl__access_in(r, m->last) &&
                    (irl__compute_back_is_made(m, w, r) ||
                     (irl__compute_back_is_inside(s, m, r) &&
                      irl__compute_writes_all(s, m, m->buffers[j], m->u.p.at[m->level])));
        }
        if (!found)
            return irl__refuse(s, "as far as is known, '%N' could also store cells for which it "
                               "reads no element; no iteration of '%L' would store these", m->to);
    }
    return 1;
}

/* No element of them is written in two iterations of the loops from the common statement on. */
static int irl__compute_back_final(irl__sched *s, irl__move *m)
{
    irl__meeting meeting;
    for (int n = 0; n < m->buffer_count; n++) {
        const irl__flow_set w = irl__flow_set_of(&m->t, IRL__ROWS_STORE, m->to, NULL,
                                                 m->buffers[n]);
        if (irl__flow_carries(&m->t, &m->loop, m->level + 1, m->loop.count, &w, &w, &meeting) !=
            IRL_NO)
            return irl__refuse_meeting(s, &m->t, &meeting, "an element is written in several "
                                       "iterations", NULL);
    }
    return 1;
}

static int irl__compute_may_fail(const irl_expr *e, const void *user)
{
    (void)user;
    return irl__flow_may_fail(e) ? 1 : -1;
}

static int irl__compute_depends(const irl_stmt *s, const void *user)
{
    (void)user;
    switch (s->kind) {
    case IRL__BLOCK: case IRL__STORE: case IRL__SEQ: case IRL__FOR: return 0;
    case IRL__LET: return (s->u.let.value->flags & IRL__HAS_MEMORY) != 0;
    case IRL__IF: return (s->u.branch.condition->flags & IRL__HAS_MEMORY) != 0;
    default: return 1;
    }
}

/* Of each of them, does the unit read one element? */
static int irl__compute_back_is_single(const irl__move *m)
{
    for (int j = 0; j < m->buffer_count; j++) {
        const irl__flow_set own = irl__compute_own(m, IRL__ROWS_ALL, j);
        const irl__access  *first = irl__flow_next(&own, NULL);
        IRL__FLOW_EACH(a, own)
            if (!irl__exprs_equal(a->rank, a->indices, first->indices)) return 0;
    }
    return 1;
}

/* ... by coordinates of which an iteration takes the part that it wrote? */
static int irl__compute_back_is_read_once(const irl__move *m)
{
    for (int j = 0; j < m->buffer_count; j++) {
        const irl__flow_set own = irl__compute_own(m, IRL__ROWS_ALL, j);
        IRL__FLOW_EACH(a, own)
            for (int i = 0; i < a->rank; i++)
                for (int n = 0; m->boxes[j].extent[i] && n < m->u.count; n++)
                    if (!m->extent[n] &&
                        irl__expr_uses_var(a->indices[i], m->u.var[n]))
                        return 0;
    }
    return irl__compute_back_is_single(m);
}

/* Does each iteration write all of the box? Then nothing is computed before it is there. */
static int irl__compute_back_is_dense(irl__sched *s, irl__move *m)
{
    for (int j = 0; j < m->buffer_count; j++) {
        const irl__flow_set stores = irl__flow_set_of(&m->t, IRL__ROWS_STORE, m->to, NULL,
                                                      m->buffers[j]);
        const irl__access  *w = NULL;
        IRL__FLOW_EACH(a, stores) w = a;
        if (!w || !irl__flow_writes(s, &m->t, w, m->to, m->boxes[j].lo, m->boxes[j].extent, 1))
            return 0;
    }
    return 1;
}

/* Does an iteration take a part of a reduce axis? */
static int irl__compute_back_has_parts(const irl__move *m)
{
    int parts = 0;
    for (int k = 0; m->u.block && k < m->u.block->axis_count; k++)
        parts |= m->u.block->axes[k].is_reduction && m->extent[k] &&
                 (m->extent[k] != m->u.extent[k] || m->lo[k] != m->u.min[k]);
    return parts;
}

/* Then each part is taken once, and sums of floats may change their order. */
static int irl__compute_back_sums(irl__sched *s, irl__move *m)
{
    if (!irl__compute_back_has_parts(m)) return 1;
    if (m->buffer_count != 1 || !irl__compute_back_is_read_once(m) ||
        !irl__compute_back_is_dense(s, m))
        return irl__refuse(s, "as far as is known, an iteration of '%L' could read a part of the "
                           "sum that is not computed yet, or that was read before", m->to);
    IRL__EACH_ROW(b, &m->t)
        if (b->kind == IRL__ACCESS_UPDATE && irl__access_in(b, m->last) &&
            !irl__update_commutes(&m->t, b))
            return irl__refuse_order(s, b, "");
    return 1;
}

/* Do the instances that it takes read nothing of the box's buffers but the box? */
static int irl__compute_back_is_within(irl__sched *s, irl__move *m)
{
    for (int j = 0; j < m->buffer_count; j++) {
        const irl__flow_set own = irl__compute_own(m, IRL__ROWS_ALL, j);
        IRL__FLOW_EACH(a, own) {
            irl__analyzer     *an = irl__compute_at_taken(s, m, a);
            for (int i = 0; an && i < a->rank; i++)
                if (m->boxes[j].extent[i] &&
                    !irl__compute_is_within(s, an, a->indices[i], &m->boxes[j], i))
                    return 0;
            if (!an) return 0;
        }
    }
    return 1;
}

/* The row by which each instance reads one element that the loop writes, so that it runs once,
   behind the iteration that wrote it; NULL: some may run more often. Where the coordinates that
   iterations take do not tell which, a nest gets a condition that does. */
static const irl__access *irl__compute_back_once(irl__sched *s, irl__move *m)
{
    int i, memory = 0;
    if (m->buffer_count != 1 || !irl__compute_back_is_single(m) ||
        !irl__compute_back_is_dense(s, m))
        return NULL;
    const irl__flow_set own = irl__compute_own(m, IRL__ROWS_ALL, 0);
    const irl__access  *a = irl__flow_next(&own, NULL);
    if (!a) return NULL;
    for (i = 0; i < a->rank; i++)
        memory |= (a->indices[i]->flags & (IRL__HAS_MEMORY | IRL__HAS_LANES)) != 0;
    m->is_told = !irl__compute_back_is_read_once(m) || !irl__compute_back_is_within(s, m);
    if (!m->is_told || (!m->u.block && !memory)) return a;
    m->is_told = 0;
    return NULL;
}

static int irl__compute_back_is_safe(irl__sched *s, irl__move *m)
{
    const irl_stmt *body = m->u.block ? m->u.block->body : m->last->u.loop.body;
    if (!irl__stmt_any(body, irl__compute_depends, irl__compute_may_fail, NULL) || m->once ||
        (irl__compute_back_is_read_once(m) && irl__compute_back_is_dense(s, m) &&
         irl__compute_back_is_within(s, m)))
        return 1;
    return irl__refuse(s, "as far as is known, '%N' could fail where an element is not computed "
                       "yet");
}

/* A nest that reads what it writes: each instance runs once and they stay in order, or no instance
   reads what another one writes, or itself. */
static int irl__compute_back_own(irl__sched *s, irl__legal *q, const irl__access *a,
                                 const irl__access *b)
{
    irl__move   *m = q->m;
    irl__meeting meeting;
    if (!m->once && a != b) {
        const irl__access *w = irl__legal_row_of(q, a)->was, *r = irl__legal_row_of(q, b)->was;
        if (!w || !r || irl__flow_meets(&m->t, w, r, 0, &meeting) != IRL_NO)
            return irl__refuse_meeting(s, &m->t, &meeting, "it reads what it writes, and would do "
                                       "so several times", NULL);
    } else if (irl__legal_changes(q, a, b, &meeting) != IRL_NO)
        return irl__refuse_meeting(s, q->shown, &meeting, a == b
                                       ? "some elements are stored twice, and would be stored in "
                                         "another order"
                                       : "what it writes would be read in another order", NULL);
    return 1;
}

/* Is it memory that the loop alone writes for the unit, or the unit alone for the loop? */
static int irl__compute_is_between(const irl__move *m, const irl__access *a)
{
    for (int k = 0; k < m->buffer_count; k++)
        if (m->buffers[k]->data == a->memory) return 1;
    return 0;
}

/* What row b reads may be for nothing but an element of a temporary, which is read within a box
   alone: then it is asked about elements in that. False: nobody reads any. */
static int irl__compute_back_reads(irl__sched *s, irl__legal *q, const irl__access *b)
{
    const irl_stmt   *store = b->place;
    const irl_buffer *t = store->kind == IRL__STORE ? store->u.store.buffer : NULL;
    irl__path         path;
    int64_t           least[IRL_MAX_RANK], most[IRL_MAX_RANK], lo, hi;
    int               reads = 0;
    if (b->kind != IRL__ACCESS_READ || !t || irl__func_param_of(s->f, t->data) >= 0 ||
        !irl__accesses_is_alone(&q->now, t->data) || irl__flow_may_fail(store->u.store.value) ||
        !irl__path_begin(&path, &q->now))
        return 1;
    s->is_doubtful = 1; /* all readers of a temporary that the step does not touch are asked for */
    const irl__flow_set takes = irl__flow_set_of(&q->now, IRL__ROWS_TAKE, NULL, NULL, t);
    IRL__FLOW_EACH(r, takes) {
        if (r->kind != IRL__ACCESS_READ || r->lanes != 1 || r->is_texel || r->buffer != t ||
            !irl__path_to(&path, r->around))
            return 1;
        for (int k = 0; k < t->rank; k++) {
            const irl_expr *at = irl__accesses_plain(&q->now, r->indices[k]);
            if (!at || (store->u.store.indices[k]->flags & (IRL__HAS_MEMORY | IRL__HAS_LANES)))
                return 1;
            irl__range(path.an, at, &lo, &hi);
            if (!reads || lo < least[k]) least[k] = lo;
            if (!reads || hi > most[k]) most[k] = hi;
        }
        reads++;
    }
    for (int k = 0; reads && k < 2 * t->rank; k++) {
        const irl_expr *end = irl_expr_index(s->cx, k % 2 ? most[k / 2] : least[k / 2]);
        if (!end) return 1;
        q->e[q->where] = end;
        q->f[q->where] = store->u.store.indices[k / 2];
        q->order[q->where++] = k % 2 ? IRL__SAME | IRL__AFTER : IRL__BEFORE | IRL__SAME;
    }
    return reads;
}

/* Nothing from the loop on to its old place sees it earlier than before. */
static int irl__compute_back_is_early(irl__sched *s, irl__legal *q)
{
    const irl__flow_set all = irl__flow_set_of(&q->now, IRL__ROWS_ALL, NULL, NULL, NULL);
    irl__meeting        meeting;
    if (q->m->u.block && irl__compute_back_has_parts(q->m) && !irl__legal_keeps_init(q))
        return irl__refuse(s, "as far as is known, the init of '%N' would not run first (%H)",
                           "decompose_reduction first");
    IRL__FLOW_PAIRS(a, b, all, all) {
        const int other = !irl__legal_row_of(q, b)->is_moved;
        if (!irl__legal_row_of(q, a)->is_moved || irl__compute_is_between(q->m, a)) continue;
        if (!other && (q->m->u.block || b < a)) continue;
        if (!other && !irl__compute_back_own(s, q, a, b)) return 0;
        if (other && irl__legal_changes(q, a, b, &meeting) != IRL_NO &&
            irl__compute_back_reads(s, q, b) && irl__legal_changes(q, a, b, &meeting) != IRL_NO)
            return irl__refuse_meeting(s, q->shown, &meeting, "it would be read or written too "
                                       "early", NULL);
        q->where = 0;
    }
    const irl__flow_set stores = irl__flow_set_of(&q->m->t, IRL__ROWS_STORE, q->m->last, NULL,
                                                  NULL);
    const irl__flow_set takes = irl__flow_set_of(&q->m->t, IRL__ROWS_TAKE, q->m->last, NULL, NULL);
    IRL__FLOW_PAIRS(a, b, stores, takes) /* it may run twice for a point: not on its own result */
        if (q->m->u.block && !irl__inits_cover(s, &q->m->u.p, q->m->level + 1, b))
            return irl__refuse(s, "'%N' reads '%B', which it writes", b->buffer);
    return 1;
}

/* Did the statement of that id stand around both, the unit and the loop? (Of a place in the new
   function, from which a sequence of one statement is gone.) */
static int irl__compute_is_around(const irl__move *m, uint32_t id)
{
    for (int k = 0; k <= m->level; k++)
        if (m->u.p.at[k]->id == id) return 1;
    return 0;
}

/* Loops that run at the same time do not compute one element twice. */
static int irl__compute_back_is_parallel(irl__sched *s, irl__legal *q)
{
    irl__meeting meeting;
    irl__place   p;
    if (!irl__place_of(q->now.f->body, q->m->to->id, &p)) return 0;
    for (int k = 0; k < p.count; k++) {
        if (irl__compute_is_around(q->m, p.at[k]->id) || !irl__stmt_is_parallel(p.at[k]) ||
            irl__share_is_item(q->m, p.at[k]))
            continue;
        const irl__around  *loop = irl__loop_of(&q->now, p.at[k]);
        const irl__flow_set all = irl__flow_set_of(&q->now, IRL__ROWS_ALL, p.at[k], NULL, NULL);
        IRL__FLOW_PAIRS(a, b, all, all)
            if (loop && irl__legal_row_of(q, a)->is_moved &&
                irl__loop_carries_between(&q->now, loop, a, b, &meeting) != IRL_NO)
                return irl__refuse_meeting(s, &q->now, &meeting, "iterations that run at the same "
                                           "time would depend on each other", NULL);
    }
    return 1;
}

/* Where all that touches a temporary stands in the loop now, and no iteration reads what another
   one wrote, it is allocated in the loop, as large as one iteration needs. */
static const irl_func *irl__compute_sink(irl__sched *s, const irl_func *g, uint32_t id,
                                         const irl_buffer *b, int shares)
{
    const irl_func  *f = s->f;
    irl__flow_buffer found;
    irl__move        m;
    irl__move_box    box;
    irl__place       at;
    int              k;
    memset(&m, 0, sizeof m);
    memset(&box, 0, sizeof box);
    s->f = g;
    k = irl__flow_temporary(s, &s->args[0], b, &found) && irl__place_of(g->body, id, &m.loop);
    s->f = f;
    if (!k) return NULL;
    m.t = found.t;
    m.to = irl__place_last(&m.loop);
    if ((b->scope == IRL_SCOPE_SHARED) != shares || irl__scope_is_image(b->scope)) return g;
    m.shares = shares;
    const irl__flow_set outside = irl__flow_set_of(&m.t, IRL__ROWS_ALL, NULL, m.to, b);
    const irl__flow_set w = irl__flow_set_of(&m.t, IRL__ROWS_STORE, NULL, NULL, b);
    const irl__flow_set r = irl__flow_set_of(&m.t, IRL__ROWS_TAKE, NULL, NULL, b);
    if (irl__flow_next(&outside, NULL)) return g;
    if (irl__flow_carries(&m.t, &m.loop, found.scope.count, m.loop.count, &w, &r, NULL) != IRL_NO)
        return irl__ok(s->cx) ? g : NULL;
    if (!irl__path_begin(&m.path, &m.t) || !irl__bind_param_sizes(m.path.an, s->f) ||
        !irl__path_to(&m.path, irl__loop_of(&m.t, m.to)))
        return NULL;
    IRL__EACH_ROW(a, &m.t)
        if (irl__flow_is_of(a, b) && !irl__move_box_add(s, &m, a, &box)) return NULL;
    if (!irl__move_box_close(s, &m, b, &box)) return NULL;
    irl_func *now = irl__flow_undeclared(s, g, b);
    if (!now || !irl__place_of(now->body, id, &at)) return NULL;
    const irl_stmt *loop = irl__place_last(&at);
    const irl_stmt *body = irl__stmt_pair(s->cx, irl_stmt_alloc(s->cx, b), loop->u.loop.body);
    if (body) body = irl__move_smaller(s, body, 0, b, &box);
    return irl__place_put(now, &at, at.count - 1, irl__stmt_loop_of(s->cx, loop, body));
}

/* At the end of an iteration of a loop of work-items, what other work-items store in it has not
   been waited for. */
static int irl__compute_back_waits(irl__sched *s, const irl__move *m)
{
    for (int k = m->level + 1; k < m->loop.count; k++)
        if (irl__stmt_is_bound(m->loop.at[k]) && m->loop.at[k]->u.loop.axis > IRL_GROUP_Z &&
            irl__stmt_holds(m->to->u.loop.body, IRL__HOLDS_BOUND))
            return irl__refuse(s, "work-items of a loop in '%L' write what it would read there, "
                               "and it would not wait for them", m->to);
    return 1;
}

/* The function in which each iteration of the loop ends with the unit, *nest. */
static const irl_func *irl__compute_back_put(irl__sched *s, irl__move *m, const irl_stmt **nest)
{
    irl__place      at;
    const irl_stmt *list[6];
    int             n = 0;
    list[n++] = m->to->u.loop.body;
    if (m->shares && (n += irl__share_waits(s, m, list + n)) < 1) return NULL;
    const int k = n;
    list[n++] = *nest = irl__move_nest_of(s, m);
    if (!*nest) return NULL;
    if (m->shares && (m->repeats || irl__place_kernel(&m->loop, m->level + 1) <= m->level) &&
        (n += irl__share_waits(s, m, list + n)) < k + 1)
        return NULL;
    const irl_stmt *loop = irl__stmt_loop_of(s->cx, m->to, irl__stmt_seq(s->cx, n, list));
    const irl_func *g = irl__place_without(s->f, &m->u.p);
    return g && irl__place_of(g->body, m->to->id, &at) ? irl__place_put(g, &at, at.count - 1, loop)
                                                       : NULL;
}

int irl__do_reverse_compute_at(irl__sched *s)
{
    irl__move       m;
    irl__legal      q;
    const irl_stmt *nest;
    if (!irl__move_read(s, &m) || !irl__compute_back_buffers(s, &m)) return 0;
    if (m.loop_child > m.first_child)
        return irl__refuse(s, "the loop '%L' is after '%N'", m.to);
    /* What the unit names must be declared before the loop. */
    const char *name = irl__flow_declared_between(m.u.p.at[m.level], m.loop_child + 1,
                                                  m.first_child, m.u.p.at[m.level + 1]);
    if ((name && !irl__refuse(s, "'%N' uses '%s', which is declared after the loop '%L'", name,
                              m.to)) ||
        !irl__flow_waits_for_none(s, &m.t, &m.u.p, m.level, m.loop_child, m.first_child,
                                  m.buffers, m.buffer_count) ||
        !irl__flow_keeps_items(s, &m.t, &m.u.p, &m.loop, 1) ||
        !irl__compute_back_waits(s, &m) || !irl__move_is_alone(s, &m, 0) ||
        !irl__compute_boxes(s, &m, IRL__ROWS_STORE, IRL__ROWS_ALL))
        return 0;
    m.is_back = 1;
    if (!irl__compute_at_same(s, &m)) return 0;
    m.once = irl__compute_back_once(s, &m);
    if (!irl__ok(s->cx) || !irl__compute_back_is_covered(s, &m) || !irl__compute_back_sums(s, &m) ||
        !irl__compute_back_final(s, &m))
        return 0;
    const irl_func *g = irl__compute_back_put(s, &m, &nest);
    if (!g || !irl__legal_begin(s, &m, g, nest, &q) || !irl__compute_back_is_parallel(s, &q) ||
        !irl__compute_back_is_early(s, &q) || !irl__compute_back_is_safe(s, &m))
        return 0;
    for (int k = 0; g && k < m.buffer_count; k++)
        g = irl__compute_sink(s, g, m.to->id, m.buffers[k], m.shares);
    return irl__sched_become(s, g);
}
