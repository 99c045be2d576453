/* back_order.c - the order of the instances of a unit after reverse_compute_at has moved them after
   the iteration of a loop that wrote what they read.

   needs     move.h: the boxes and the instances that each iteration takes
   promises  "in order" means that the instances run in the order in which they ran before; "not
             known" counts as no

   Coordinate k of an instance that iteration l takes is in [lo_k(l), lo_k(l) + extent_k). Where
   lo_k grows from iteration to iteration, instances with a larger coordinate come later; where it
   falls, earlier. If several coordinates determine parts of the loops, this holds for each part
   separately. */
#include "move.h"

enum { IRL__BACK_MOST = 2 * (IRL_MAX_DEPTH + IRL_MAX_RANK) + 2 }; /* conditions on a pair */

/* ------------------------------------------------------------------ how a start moves */

static int irl__back_is_used(const irl__move *m, int k, const irl_expr *lo)
{
    return m->loop.at[k]->kind == IRL__FOR && irl__expr_uses_var(lo, m->loop.at[k]->u.loop.var);
}

/* The loops from the common statement to the one that it goes to, of which lo tells: a bit each. */
static uint64_t irl__back_loops(const irl__move *m, const irl_expr *lo)
{
    uint64_t set = 0;
    for (int k = m->level + 1; k < m->loop.count; k++)
        if (irl__back_is_used(m, k, lo)) set |= UINT64_C(1) << (k - m->level - 1);
    return set;
}

/* 1: lo never falls from one iteration of these loops to the next; -1: it never grows; 0: neither
   is known. The inner ones together reach less than one step of an outer one. */
static int irl__back_direction(irl__sched *s, irl__move *m, const irl_expr *lo)
{
    const irl_expr *reach = irl_expr_index(s->cx, 0), *zero = reach;
    int             sign = 0;
    for (int k = m->loop.count - 1; k > m->level; k--) {
        const irl_stmt *at = m->loop.at[k];
        if (!irl__back_is_used(m, k, lo)) continue;
        const irl_expr *step = irl__step_along(m->path.an, lo, at->u.loop.var);
        if (!step) return 0;
        int grows = irl__prove(m->path.an, irl_expr_op2(s->cx, IRL_OP_GE, step, zero));
        int falls = !grows && irl__prove(m->path.an, irl_expr_op2(s->cx, IRL_OP_LE, step, zero));
        if ((!grows && !falls) || (sign && sign != grows - falls)) return 0;
        sign = grows - falls;
        if (sign < 0) step = irl__sub(s->cx, zero, step);
        if (reach != zero && (step->op != IRL_OP_INT ||
                              !irl__prove(m->path.an, irl_expr_op2(s->cx, IRL_OP_GE, step, reach))))
            return 0;
        reach = irl__add(s->cx, reach, irl__mul(s->cx, step, irl__sub(s->cx, at->u.loop.extent,
                                                                     irl_expr_index(s->cx, 1))));
        if (!reach) return 0;
        if (reach == zero) reach = irl_expr_index(s->cx, 1); /* not the innermost any more */
    }
    return sign;
}

/* What stands against the order of coordinate k: the relations of an earlier instance's to a later
   one's that may come the other way round. */
static uint8_t irl__back_wrong(irl__sched *s, irl__move *m, int k)
{
    const uint64_t loops = irl__back_loops(m, m->lo[k]);
    if (!loops) return 0;
    for (int j = 0; j < m->u.count; j++) {
        const uint64_t other = m->extent[j] ? irl__back_loops(m, m->lo[j]) : 0;
        if ((other & loops) && other != loops) return IRL__BEFORE | IRL__AFTER;
    }
    int sign = irl__back_direction(s, m, m->lo[k]);
    return (uint8_t)(sign > 0 ? IRL__AFTER : sign < 0 ? IRL__BEFORE : IRL__BEFORE | IRL__AFTER);
}

int irl__back_keeps_init(irl__sched *s, irl__move *m)
{
    for (int k = 0; m->u.block->init && k < m->u.block->axis_count; k++)
        if (m->u.block->axes[k].is_reduction && m->extent[k] &&
            (irl__back_wrong(s, m, k) & IRL__BEFORE))
            return 0;
    return 1;
}

/* ------------------------------------------------------------------ instances of the unit */

/* Where in the pair's loops stands each coordinate of the unit? -1: not around both. */
static void irl__back_places(const irl__move *m, irl__pair *p, int *at)
{
    for (int k = 0; k < m->u.count; k++) {
        at[k] = -1;
        for (int j = 0; j < irl__pair_loop_count(p); j++)
            if (irl__pair_loop(p, j)->var == m->u.var[k]) at[k] = j;
    }
}

/* a's instance is before b's, and loop `first` of the pair is the first in which they differ; -1:
   they stand anyhow. In one run of what stands around the common statement. */
static void irl__back_first(const irl__move *m, irl__pair *p, int first, uint8_t *relation)
{
    for (int i = 0; i < irl__pair_loop_count(p); i++) {
        relation[i] = (uint8_t)(i < first ? IRL__SAME : i == first ? IRL__BEFORE : IRL__ANY);
        for (int k = 0; k <= m->level; k++)
            if (irl__pair_loop(p, i)->stmt == m->u.p.at[k]) relation[i] = IRL__SAME;
    }
}

/* By the coordinates that iterations take. */
static irl_answer irl__back_turned(irl__sched *s, irl__move *m, irl__pair *p, irl__meeting *meeting)
{
    uint8_t relation[IRL_MAX_DEPTH];
    int     at[IRL__FLOW_MOST];
    irl__back_places(m, p, at);
    for (int k = 0; k < m->u.count; k++) {
        const uint8_t wrong = m->extent[k] ? irl__back_wrong(s, m, k) : 0;
        for (int j = 0; wrong && j < m->u.count; j++) { /* the first loop in which they differ */
            if (at[j] < 0 || at[k] < 0) return IRL_UNKNOWN;
            irl__back_first(m, p, at[j], relation);
            relation[at[k]] = (uint8_t)(relation[at[k]] & wrong);
            if (irl__pair_meets(p, relation, meeting) != IRL_NO) return meeting->answer;
        }
    }
    return meeting->answer = IRL_NO;
}

/* Which iteration writes an element, by the axes that tell the loops from the common statement on,
   the outermost first. */
typedef struct irl__back_told {
    int count;
    int axis[IRL_MAX_DEPTH], sign[IRL_MAX_DEPTH]; /* 0: iterations run at the same time */
} irl__back_told;

/* 0: a loop is told by no axis alone. */
static int irl__back_tell(irl__sched *s, irl__move *m, irl__back_told *told)
{
    const irl__move_box *box = &m->boxes[0];
    int                  k;
    told->count = 0;
    for (int level = m->level + 1; level < m->loop.count; level++) {
        const irl_stmt *at = m->loop.at[level];
        const uint64_t  bit = UINT64_C(1) << (level - m->level - 1);
        int             sign = 0;
        if (at->kind != IRL__FOR || irl__is_int(at->u.loop.extent, 1)) continue;
        for (k = 0; k < m->once->rank && !sign; k++)
            if (box->extent[k] && irl__back_loops(m, box->lo[k]) == bit)
                sign = irl__back_direction(s, m, box->lo[k]);
        if (!sign) return 0;
        told->axis[told->count] = k - 1;
        told->sign[told->count++] = irl__stmt_is_parallel(at) ? 0 : sign;
    }
    return 1;
}

/* An instance runs behind the iteration that wrote its element: where that of a later one is the
   greater, it stays the later one. */
static irl_answer irl__back_turned_once(irl__sched *s, irl__move *m, irl__pair *p,
                                        irl__meeting *meeting)
{
    irl__back_told  told;
    uint8_t         relation[IRL_MAX_DEPTH], order[IRL_MAX_DEPTH];
    const irl_expr *e[IRL_MAX_DEPTH];
    int             at[IRL__FLOW_MOST];
    irl__back_places(m, p, at);
    for (int j = 0; j < m->u.count; j++)
        if (at[j] < 0) return IRL_UNKNOWN;
    if (!irl__back_tell(s, m, &told)) {
        if (!m->is_told) return irl__back_turned(s, m, p, meeting);
        for (int j = 0; j < m->u.count; j++) { /* in any order */
            irl__back_first(m, p, at[j], relation);
            if (irl__pair_meets(p, relation, meeting) != IRL_NO) return meeting->answer;
        }
        return IRL_NO;
    }
    for (int k = 0; k < told.count; k++) { /* the first loop whose iterations change places */
        const irl_expr *extent = m->boxes[0].extent[told.axis[k]];
        e[k] = m->once->indices[told.axis[k]];
        order[k] = (uint8_t)(told.sign[k] > 0 ? IRL__AFTER : told.sign[k] < 0 ? IRL__BEFORE
                                                             : IRL__BEFORE | IRL__AFTER);
        for (int j = 0; j < m->u.count; j++) {
            irl__back_first(m, p, at[j], relation);
            if (irl__pair_meets_where(p, relation, k + 1, e, e, order, meeting) != IRL_NO)
                return meeting->answer;
        }
        order[k] = irl__is_int(extent, 1) ? IRL__SAME : IRL__ANY;
    }
    return IRL_NO;
}

static void irl__back_unknown(const irl__access *a, const irl__access *b, irl__meeting *meeting)
{
    memset(meeting, 0, sizeof *meeting);
    meeting->answer = IRL_UNKNOWN;
    meeting->a = a;
    meeting->b = b;
    meeting->reason = "loops that are not known";
}

irl_answer irl__back_changes(irl__sched *s, irl__move *m, const irl__access *a,
                             const irl__access *b, irl__meeting *meeting)
{
    irl__back_unknown(a, b, meeting);
    if (irl__access_alias(&m->t, a, b) == IRL_NO) return IRL_NO;
    irl__pair *p = irl__pair_begin(&m->t, a, b, IRL__PAIR_STEPS);
    if (!p) return IRL_UNKNOWN;
    return m->once ? irl__back_turned_once(s, m, p, meeting) : irl__back_turned(s, m, p, meeting);
}

/* ------------------------------------------------------------------ the unit, and what follows */

/* What a row reads may be for nothing but an element of a temporary, which only elements in a box
   are read of: then conditions on the element. -1: nobody reads any; 0: there are none. */
static int irl__back_for(irl__sched *s, irl__move *m, const irl__access *b, const irl_expr **e,
                         const irl_expr **f, uint8_t *order)
{
    const irl_stmt *store = b->place;
    int64_t         least[IRL_MAX_RANK], most[IRL_MAX_RANK], lo, hi;
    irl__path       path;
    int             i, reads = 0;
    if (b->kind != IRL__ACCESS_READ || store->kind != IRL__STORE ||
        irl__func_param_of(s->f, store->u.store.buffer->data) >= 0 ||
        !irl__accesses_is_alone(&m->t, store->u.store.buffer->data) ||
        irl__flow_may_fail(store->u.store.value) || !irl__path_begin(&path, &m->t))
        return 0;
    s->is_doubtful = 1; /* all readers of a temporary that the step does not touch are asked for */
    IRL__EACH_ROW(r, &m->t) {
        if (!irl__flow_is_of(r, store->u.store.buffer) || irl__flow_is_write(r)) continue;
        if (r->kind != IRL__ACCESS_READ || r->lanes != 1 || r->is_texel ||
            r->buffer != store->u.store.buffer || !irl__path_to(&path, r->around))
            return 0;
        for (i = 0; i < r->rank; i++) {
            const irl_expr *at = irl__accesses_plain(&m->t, r->indices[i]);
            if (!at) return 0;
            irl__range(path.an, at, &lo, &hi);
            if (!reads || lo < least[i]) least[i] = lo;
            if (!reads || hi > most[i]) most[i] = hi;
        }
        reads++;
    }
    for (i = 0; reads && i < store->u.store.buffer->rank; i++) {
        if (store->u.store.indices[i]->flags & (IRL__HAS_MEMORY | IRL__HAS_LANES)) return 0;
        e[2 * i] = irl_expr_index(s->cx, least[i]);
        e[2 * i + 1] = irl_expr_index(s->cx, most[i]);
        f[2 * i] = f[2 * i + 1] = store->u.store.indices[i];
        order[2 * i] = IRL__BEFORE | IRL__SAME;
        order[2 * i + 1] = IRL__SAME | IRL__AFTER;
        if (!e[2 * i] || !e[2 * i + 1]) return 0;
    }
    return reads ? 2 * store->u.store.buffer->rank : -1;
}

irl_answer irl__back_overtakes(irl__sched *s, irl__move *m, const irl__access *a,
                               const irl__access *b, irl__meeting *meeting)
{
    const irl__move_box *box = &m->boxes[0];
    const irl_expr      *e[IRL__BACK_MOST], *f[IRL__BACK_MOST];
    uint8_t              order[IRL__BACK_MOST], relation[IRL_MAX_DEPTH];
    irl__pair           *p = irl__pair_begin(&m->t, a, b, IRL__PAIR_STEPS);
    irl__back_told       told;
    irl__back_unknown(a, b, meeting);
    if (!p) return IRL_UNKNOWN;
    int n = irl__back_for(s, m, b, e, f, order);
    if (n < 0) return IRL_NO;
    irl__back_first(m, p, -1, relation);
    if (!m->once || !irl__access_in(b, m->to) || !irl__back_tell(s, m, &told))
        return irl__pair_meets_where(p, NULL, n, e, f, order, meeting);
    for (int k = 0; k < told.count; k++) {
        const int axis = told.axis[k];
        const irl_expr *last = irl__sub(s->cx, irl__add(s->cx, box->lo[axis], box->extent[axis]),
                                        irl_expr_index(s->cx, 1));
        if (!last) return IRL_UNKNOWN;
        e[n] = e[n + 1] = m->once->indices[axis];
        for (int side = -1; side <= 1; side += 2) { /* before b's iteration; parallel: or after */
            if (told.sign[k] == -side) continue;
            f[n] = side > 0 ? box->lo[axis] : last;
            order[n] = side > 0 ? IRL__BEFORE : IRL__AFTER;
            if (irl__pair_meets_where(p, relation, n + 1, e, f, order, meeting) != IRL_NO)
                return meeting->answer;
        }
        f[n] = box->lo[axis]; /* in the same, so far */
        f[n + 1] = last;
        order[n++] = IRL__SAME | IRL__AFTER;
        order[n++] = IRL__SAME | IRL__BEFORE;
    }
    return meeting->answer = IRL_NO;
}
