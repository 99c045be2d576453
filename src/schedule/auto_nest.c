/* auto_nest.c - the properties of a loop nest: its loops, the strides of its accesses, and the
   borders at which operands are guarded, or indices are clamped, wrap around or are chosen.

   needs     accesses; evaluated expressions; maps for layouts
   promises  a value if loops and names alone decide it; names have sample values. Strides are those
             of the memory that the layouts of the function make. At a border only the part with
             most iterations is decided: steps prove what follows from it
   cost      linear in the nest's accesses, times its loops; the ends of loops are examined one by
             one up to IRL__AUTO_BORDER */
#include "auto.h"

/* ------------------------------------------------------------------ the loops at numbers */

enum {
    IRL__AUTO_SAMPLE = (1 << 15) + 31, /* of the first name: what small tiles leave is most, and */
    IRL__AUTO_SAMPLES = 64             /* from each name to the next */
};

/* Names are taken for numbers: what is decided by them is right for others, for steps are proved,
   and as good if these are not small. */
static int irl__auto_sample(const irl_func *f, const irl_expr *var, irl__scalar *out)
{
    const int k = irl__func_param_of(f, var);
    if (k < 0 || f->params[k].buffer || var->type.lanes != 1) return 0;
    out->i = IRL__AUTO_SAMPLE + IRL__AUTO_SAMPLES * (int64_t)k;
    return 1;
}

static int irl__auto_sample_name(const void *user, const irl_expr *var, irl__scalar *out)
{
    return irl__auto_sample((const irl_func *)user, var, out);
}

/* An integer of what `name` knows. */
static int irl__auto_valued(int (*name)(const void *user, const irl_expr *var, irl__scalar *out),
                            const void *user, const irl_expr *e, int64_t *out)
{
    irl__valuation v;
    irl__scalar    value;
    memset(&v, 0, sizeof v);
    v.name = name;
    v.user = user;
    v.is_exact = 1;
    if (irl__scalar_of(&v, e, &value) != IRL__FOLD_OK) return 0;
    *out = value.i;
    return 1;
}

/* A number, or what is made of names alone. */
static int irl__auto_sampled(const irl_func *f, const irl_expr *e, int64_t *out)
{
    if (e->op != IRL_OP_INT) return irl__auto_valued(irl__auto_sample_name, f, e, out);
    *out = e->u.i;
    return 1;
}

/* One loop `by` iterations from its first, the others at their first. */
static irl__auto_point irl__auto_point_at(const irl__auto_nest *n, int moved, int64_t by)
{
    irl__auto_point p = { n, moved, by, 0, 0 };
    return p;
}

static int64_t irl__auto_part_of(const irl__auto_point *p, int64_t extent)
{
    if (p->quarter) return (extent - 1) / 4 * p->quarter + (extent - 1) % 4 * p->quarter / 4;
    return p->is_end ? extent - 1 : 0;
}

static int irl__auto_point_name(const void *user, const irl_expr *var, irl__scalar *out)
{
    const irl__auto_point *p = (const irl__auto_point *)user;
    const irl__auto_nest  *n = p->n;
    for (int k = 0; k < n->loop_count; k++)
        if (n->loops[k].stmt->u.loop.var == var) {
            out->i = n->loops[k].min + (k == p->moved && !p->quarter
                                            ? p->by : irl__auto_part_of(p, n->loops[k].extent));
            return 1;
        }
    for (int k = 0; k < n->around_count; k++)
        if (n->around[k].stmt->u.loop.var == var)
            return n->around[k].extent &&
                   irl__add64(n->around[k].min, irl__auto_part_of(p, n->around[k].extent), &out->i);
    return irl__auto_sample(p->n->f, var, out);
}

/* The integer that e is there; 0: it has none. */
static int irl__auto_value(const irl__auto_point *p, const irl_expr *e, int64_t *out)
{
    return irl__auto_valued(irl__auto_point_name, p, e, out);
}

int irl__auto_is_symbolic(const irl__auto_nest *n)
{
    int k = n->loop_count;
    while (k-- > 0 && !n->loops[k].is_symbolic) {}
    return k >= 0;
}

/* ------------------------------------------------------------------ inside of the border */

/* Which operand of e is clamped by the other one, which is a number, or goes by names and
   numbers alone; -1: it is no such. */
static int irl__auto_clamped(const irl__auto_nest *n, const irl_expr *e, int has_names)
{
    int64_t value;
    if ((e->op != IRL_OP_MAX && e->op != IRL_OP_MIN) || e->type.lanes != 1 ||
        !(e->flags & IRL__HAS_VAR) || e->flags & IRL__HAS_MEMORY)
        return -1;
    for (int k = 2; k-- > 0;)
        if (e->a[k]->op == IRL_OP_INT || (has_names && irl__auto_sampled(n->f, e->a[k], &value)))
            return !k;
    return -1;
}

/* The value of e in the middle of the loops, if that is the one of most iterations: of a half of
   each loop, one of them no short one. Element by element it is longer, for what is left at its
   border has no vectors. */
static int irl__auto_mostly(const irl__auto_nest *n, const irl_expr *e, int64_t *out)
{
    const int64_t   least = n->is_reduction ? IRL__AUTO_BORDER : 4 * IRL__AUTO_ITEMS;
    irl__auto_point p = irl__auto_point_at(n, 0, 0);
    int64_t         other;
    int             k = e ? n->loop_count : 0;
    while (k-- > 0 && (n->loops[k].extent < least ||
                       !irl__expr_uses_var(e, n->loops[k].stmt->u.loop.var))) {}
    p.quarter = 2;
    if (k < 0 || e->type.lanes != 1 || !irl__auto_value(&p, e, out)) return 0;
    for (p.quarter = 1; p.quarter < 4; p.quarter += 2)
        if (!irl__auto_value(&p, e, &other) || other != *out) return 0;
    return 1;
}

/* An index inside of its border: max(e, 0) is e there, (i + 1) % 8 is i + 1, and i > 0 ? i - 1 : 0
   is i - 1. */
typedef struct irl__auto_within {
    irl__auto_nest *n;
    int             is_wrapped; /* look at %, choices and names, too */
    int             notes;      /* what holds inside becomes the nest's guards */
} irl__auto_within;

static int irl__auto_guard(irl__auto_nest *n, const irl_expr *e)
{
    int k;
    for (k = 0; k < n->guard_count && n->guards[k] != e; k++) {}
    if (k == n->guard_count && k < IRL__AUTO_ROWS && e) n->guards[n->guard_count++] = e;
    return e != NULL;
}

/* e, and what holds where the index is that. */
static const irl_expr *irl__auto_within_if(irl__rewriter *r, const irl_expr *e,
                                          const irl_expr *holds, const irl_expr *also)
{
    const irl__auto_within *q = (const irl__auto_within *)r->user;
    if (!e || !holds || !also) return NULL;
    if (q->notes && (!irl__auto_guard(q->n, holds) || !irl__auto_guard(q->n, also))) return NULL;
    return irl__rewrite_expr(r, e);
}

static const irl_expr *irl__auto_within_of(irl__rewriter *r, const irl_expr *e)
{
    const irl__auto_within *q = (const irl__auto_within *)r->user;
    const int               clamped = irl__auto_clamped(q->n, e, q->is_wrapped);
    const irl_expr         *holds;
    int64_t                 now;
    if (clamped >= 0) {
        const irl_op op = e->op == IRL_OP_MAX ? IRL_OP_GE : IRL_OP_LE;
        holds = irl_expr_op2(r->cx, op, e->a[clamped], e->a[!clamped]);
        return irl__auto_within_if(r, e->a[clamped], holds, holds);
    }
    if (q->is_wrapped && (e->op == IRL_OP_SELECT || e->op == IRL_OP_IF_THEN_ELSE) &&
        irl__auto_mostly(q->n, e->a[0], &now)) {
        holds = now ? e->a[0] : irl_expr_op1(r->cx, IRL_OP_NOT, e->a[0]);
        return irl__auto_within_if(r, e->a[now ? 1 : 2], holds, holds);
    }
    /* e % length, which has wrapped around as often in most iterations. */
    if (q->is_wrapped && e->op == IRL_OP_FLOORMOD && irl__auto_sampled(q->n->f, e->a[1], &now) &&
        now > 0 && /* a length */
        irl__auto_mostly(q->n, irl_expr_op2(r->cx, IRL_OP_FLOORDIV, e->a[0], e->a[1]), &now)) {
        const irl_expr *length = e->a[1];
        const irl_expr *least = irl__mul(r->cx, irl_expr_int(r->cx, e->type, now), length);
        return irl__auto_within_if(
            r, irl__sub(r->cx, e->a[0], least), irl_expr_op2(r->cx, IRL_OP_GE, e->a[0], least),
            irl_expr_op2(r->cx, IRL_OP_LT, e->a[0], irl__add(r->cx, least, length)));
    }
    return irl__rewrite_expr_children(r, e);
}

/* An index as it is inside of its border, in terms of the loops; is_wrapped: also one that goes
   round or is chosen, or is held by names; notes: what holds there becomes the nest's guards. NULL:
   failure. */
static const irl_expr *irl__auto_inside(irl__auto_nest *n, irl__accesses *t, const irl_expr *index,
                                        int is_wrapped, int notes)
{
    const irl_expr  *e = irl__accesses_plain(t, index);
    irl__auto_within q;
    irl__rewriter    r = irl__rewriter_make(t->cx, &q, irl__auto_within_of, NULL);
    q.n = n;
    q.is_wrapped = is_wrapped && !n->is_inside && !n->target->banks &&
                   !(n->is_reduction && irl__auto_is_symbolic(n)); /* rows of its tiles would ask */
    q.notes = notes;
    return e ? irl__rewrite_expr(&r, e) : NULL;
}

/* ------------------------------------------------------------------ where operands are guarded */

/* What guards the row's access, and its indices, becomes the nest's guards; row->is_held says
   whether an index is held. 0: failure. */
static int irl__auto_guards(irl__auto_nest *n, irl__accesses *t, irl__auto_row *row)
{
    const irl__access *a = row->access;
    const irl_expr    *e;
    for (const irl__around *g = irl__around_next(a->around, IRL__AROUND_GUARD); g;
         g = irl__around_next(g->outer, IRL__AROUND_GUARD))
        if (!irl__auto_guard(n, irl__accesses_plain(t, g->value))) return 0;
    for (int k = 0; k < a->rank; k++) {
        if (!(e = irl__auto_inside(n, t, a->indices[k], 1, 1))) return 0;
        row->is_held |= e != irl__accesses_plain(t, a->indices[k]);
    }
    return 1;
}

/* Do the parts of the guard that depend on the moved loop hold there? What is not computed does. */
static int irl__auto_guard_holds(const irl__auto_point *p, const irl_expr *e)
{
    int64_t value;
    if (e->op == IRL_OP_AND)
        return irl__auto_guard_holds(p, e->a[0]) && irl__auto_guard_holds(p, e->a[1]);
    if (e->type.lanes != 1 || !irl__expr_uses_var(e, p->n->loops[p->moved].stmt->u.loop.var))
        return 1;
    return !irl__auto_value(p, e, &value) || value != 0;
}

static int irl__auto_is_inside(const irl__auto_nest *n, int loop, int64_t by)
{
    irl__auto_point p = irl__auto_point_at(n, loop, by);
    for (p.is_end = 0; p.is_end < 2; p.is_end++)
        for (int k = 0; k < n->guard_count; k++)
            if (!irl__auto_guard_holds(&p, n->guards[k])) return 0;
    return 1;
}

/* Between an iteration that is inside and one that is not, where it changes, if that is once: the
   last one that is as `inside` is, on its side. */
static int64_t irl__auto_turn(const irl__auto_nest *n, int loop, int64_t inside, int64_t outside)
{
    while (inside - outside > 1 || outside - inside > 1) {
        const int64_t at = outside + (inside - outside) / 2;
        if (irl__auto_is_inside(n, loop, at)) inside = at;
        else outside = at;
    }
    return inside;
}

void irl__auto_interior(const irl__auto_nest *n, int loop, int64_t *lo, int64_t *hi)
{
    const int64_t min = n->loops[loop].min, extent = n->loops[loop].extent;
    int64_t       first = 0, last = extent;
    while (first < IRL__AUTO_BORDER && first < extent && !irl__auto_is_inside(n, loop, first))
        first++;
    while (extent - last < IRL__AUTO_BORDER && last > first &&
           !irl__auto_is_inside(n, loop, last - 1))
        last--;
    if (first == IRL__AUTO_BORDER && !irl__auto_is_inside(n, loop, first))
        first = last == extent && irl__auto_is_inside(n, loop, extent - 1)
                    ? irl__auto_turn(n, loop, extent - 1, first) : last; /* it is no border */
    else if (extent - last == IRL__AUTO_BORDER && !irl__auto_is_inside(n, loop, last - 1)) {
        if (first == 0) last = irl__auto_turn(n, loop, 0, last - 1) + 1;
        else first = last;
    }
    *lo = min + first;
    *hi = min + last;
}

int irl__auto_is_guarded_by(const irl__auto_nest *n, int loop)
{
    return irl__exprs_use_var(n->guard_count, n->guards, n->loops[loop].stmt->u.loop.var);
}

int irl__auto_is_steady(const irl__auto_nest *n, int loop)
{
    const int64_t min = n->loops[loop].min;
    int64_t       lo, hi, by;
    irl__auto_interior(n, loop, &lo, &hi);
    int64_t end = hi - lo < IRL__AUTO_BORDER ? hi : lo + IRL__AUTO_BORDER;
    for (by = lo; by < end && irl__auto_is_inside(n, loop, by - min); by++) {}
    return by == end;
}

int irl__auto_is_held(const irl__auto_nest *n)
{
    int k = n->row_count;
    while (k-- > 0 && !n->rows[k].is_held) {}
    return k >= 0;
}

/* A remainder that is looked for. */
typedef struct irl__auto_phases {
    irl__auto_point at;
    int             other;
    int64_t        *modulus;
} irl__auto_phases;

/* Is it a remainder by a number that the next iteration of the moved loop changes, and of the other
   loop, if there is one? */
static int irl__auto_is_phase(const irl_expr *e, const void *user)
{
    const irl__auto_phases *q = (const irl__auto_phases *)user;
    irl__auto_point         p = q->at;
    int64_t                 first, next;
    if (e->op != IRL_OP_FLOORMOD || e->a[1]->op != IRL_OP_INT || !irl__auto_value(&p, e, &first))
        return 0;
    p.by = 1;
    if (!irl__auto_value(&p, e, &next) || next == first) return 0;
    p.moved = q->other;
    if (q->other >= 0 && (!irl__auto_value(&p, e, &next) || next == first)) return 0;
    if (e->a[1]->u.i < 2 || e->a[1]->u.i > INT32_MAX) return 0;
    *q->modulus = e->a[1]->u.i;
    return 1;
}

int64_t irl__auto_phase(const irl__auto_nest *n, int loop, int other)
{
    int64_t          modulus = 1;
    int              k = loop < 0 ? 0 : n->guard_count;
    irl__auto_phases q = { irl__auto_point_at(n, loop, 0), other, &modulus };
    while (k-- > 0 && !irl__expr_any(n->guards[k], irl__auto_is_phase, &q)) {}
    return modulus;
}

/* ------------------------------------------------------------------ how an access walks */

/* The memory of a buffer behind its layouts: indices in terms of the loops, and extents. */
typedef struct irl__auto_memory {
    int             rank, is_known;
    const irl_expr *index[IRL_MAX_RANK];
    int64_t         stride[IRL_MAX_RANK];
} irl__auto_memory;

static int irl__auto_shape(const irl_func *f, const irl_buffer *b, irl_shape *out)
{
    memset(out, 0, sizeof *out);
    out->rank = b->rank;
    for (int k = 0; k < b->rank; k++)
        if (!irl__auto_sampled(f, b->shape[k], &out->extent[k]) || out->extent[k] < 1) return 0;
    return 1;
}

/* Through one layout. */
static int irl__auto_through(irl_ctx *cx, const irl_map *layout, irl__auto_memory *m,
                             irl_shape *shape)
{
    const irl_map  *map = irl__map_of_rank(cx, layout, m->rank);
    const irl_expr *out[IRL_MAX_RANK];
    if (!map) return 0;
    irl_verdict v = irl_map_check(cx, map, *shape);
    if (v.parameter_count || !irl__verdict_is_right(&v)) return 0;
    if (!irl__map_substitute(cx, map, m->index, out)) return 0;
    m->rank = map->output_count;
    memcpy(m->index, out, (size_t)m->rank * sizeof *out);
    *shape = v.physical;
    irl__memory_box(map, shape);
    return 1;
}

static int irl__auto_memory_of(irl__auto_nest *n, irl__accesses *t, const irl__access *a,
                               int is_wrapped, irl__auto_memory *m)
{
    irl_shape shape;
    int64_t   stride = 1;
    m->rank = a->rank;
    m->is_known = a->lanes == 1 && !a->is_texel && a->buffer &&
                  irl__auto_shape(n->f, a->buffer, &shape);
    for (int k = 0; k < a->rank && m->is_known; k++) {
        m->index[k] = irl__auto_inside(n, t, a->indices[k], is_wrapped, 0);
        if (!m->index[k]) return 0;
    }
    for (int k = 0; k < n->f->layout_count && m->is_known; k++)
        if (strcmp(n->f->layouts[k].buffer, a->buffer->name) == 0)
            m->is_known = !a->buffer->strides &&
                          irl__auto_through(n->cx, n->f->layouts[k].map, m, &shape);
    for (int k = m->rank; k-- > 0 && m->is_known;) {
        m->stride[k] = stride;
        if (a->buffer->strides) {
            m->is_known = a->buffer->strides[k]->op == IRL_OP_INT;
            if (m->is_known) m->stride[k] = a->buffer->strides[k]->u.i;
        } else m->is_known = irl__mul64(stride, shape.extent[k], &stride);
    }
    return irl__ok(n->cx);
}

static int irl__auto_cell(const irl__auto_memory *m, irl__auto_point *p, int64_t *out)
{
    int64_t index, part;
    *out = 0;
    for (int k = 0; k < m->rank; k++)
        if (!irl__auto_value(p, m->index[k], &index) ||
            !irl__mul64(index, m->stride[k], &part) || !irl__add64(*out, part, out))
            return 0;
    return 1;
}

enum { IRL__AUTO_RUN = 16 }; /* the longest run that is asked for: a vector's lanes */

/* How what does not go on by one step goes on: by runs, each as far from the last. */
static void irl__auto_walk_runs(const irl__auto_nest *n, const irl__auto_memory *m, int k,
                                irl__auto_row *row)
{
    const int64_t   run = row->run[k], extent = n->loops[k].extent;
    irl__auto_point p = irl__auto_point_at(n, k, run);
    int64_t         now, runs, inside;
    if (extent <= run || !irl__auto_cell(m, &p, &now) ||
        !irl__sub64(now, row->first, &row->next[k]))
        return;
    p.by = extent - 1;
    row->is_runs[k] = irl__auto_cell(m, &p, &now) && irl__sub64(now, row->first, &now) &&
                      irl__mul64(row->next[k], (extent - 1) / run, &runs) &&
                      irl__mul64(row->step[k], (extent - 1) % run, &inside) &&
                      irl__add64(runs, inside, &runs) && runs == now;
}

/* The step along loop k, and how long it stays the same, from one iteration to the next. */
static void irl__auto_walk(const irl__auto_nest *n, const irl__auto_memory *m, int k,
                           irl__auto_row *row)
{
    irl__auto_point p = irl__auto_point_at(n, k, 0);
    int64_t         first, now, before, step;
    row->step[k] = IRL__AUTO_FAR;
    row->run[k] = 1;
    row->is_even[k] = 0;
    if (!m->is_known || !irl__auto_cell(m, &p, &first)) return;
    row->first = first;
    row->is_first = 1;
    row->step[k] = 0;
    int64_t last = n->target->vector_bytes ? (int64_t)IRL__AUTO_RUN : (int64_t)IRL_MAX_LANES;
    if (last > n->loops[k].extent) last = n->loops[k].extent;
    for (before = first, p.by = 1; p.by < last; p.by++) {
        if (!irl__auto_cell(m, &p, &now) || !irl__sub64(now, before, &step)) step = IRL__AUTO_FAR;
        if (p.by == 1) row->step[k] = step;
        else if (step != row->step[k]) return;
        before = now;
        row->run[k] = p.by + 1;
    }
    p.by = n->loops[k].extent - 1;
    row->is_even[k] = irl__auto_cell(m, &p, &now) && irl__sub64(now, first, &step) &&
                      (p.by < 1 || (step % p.by == 0 && step / p.by == row->step[k]));
}

int irl__auto_lanes_at(irl__auto_nest *n, irl__accesses *t, const irl__access *a, int k, int lanes,
                       int64_t *at)
{
    irl__auto_memory m;
    const int64_t    end = (n->loops[k].extent / lanes - 1) * lanes;
    int64_t          first = 0, now;
    if (!irl__auto_memory_of(n, t, a, 0, &m) || !m.is_known) return 0;
    for (int place = 0; place < 3; place++) { /* the first lanes, the next, the last of all loops */
        irl__auto_point p = irl__auto_point_at(n, k, 0);
        const int64_t   from = place == 0 ? 0 : place == 2 || end < lanes ? end : lanes;
        p.is_end = place == 2;
        for (int j = 0; j < lanes; j++) {
            p.by = from + j;
            if (!irl__auto_cell(&m, &p, &now)) return 0;
            if (j == 0) first = now;
            if (!irl__sub64(now, first, &now) || (place && now != at[j])) return 0;
            at[j] = now;
        }
    }
    const int64_t bits = a->buffer->strides ? 1 : irl__buffer_step(a->buffer);
    for (int j = 0; j < lanes; j++)
        if (!irl__mul64(at[j], bits, &at[j])) return 0;
    return 1;
}

int irl__auto_index_step(const irl__auto_nest *n, const irl__auto_row *row, int axis, int loop,
                         int64_t *step)
{
    irl__auto_memory m;
    irl__auto_row    walk;
    m.rank = m.is_known = 1;
    m.index[0] = row->plain[axis];
    m.stride[0] = 1;
    irl__auto_walk(n, &m, loop, &walk);
    *step = walk.step[loop];
    return walk.is_even[loop];
}

/* ------------------------------------------------------------------ all accesses */

/* Is the access in bounds whatever the guards say? 0 on failure too. */
static int irl__auto_is_within(const irl__auto_nest *n, irl__accesses *t, const irl__access *a)
{
    irl__analyzer *an = irl__analyzer_begin(n->cx);
    if (!an || !a->buffer || a->lanes != 1 || a->is_texel || a->rank != a->buffer->rank) return 0;
    for (int k = 0; k < n->loop_count; k++)
        if (!irl__bind_extent(an, n->loops[k].stmt->u.loop.var, n->loops[k].stmt->u.loop.min,
                              n->loops[k].stmt->u.loop.extent))
            return 0;
    for (int k = 0; k < a->rank; k++) {
        const irl_expr *index = irl__accesses_plain(t, a->indices[k]);
        if (!index || !irl__prove_within(an, index, a->buffer->shape[k])) return 0;
    }
    return 1;
}

static int irl__auto_rows(irl__auto_nest *n, irl__accesses *t, const irl_stmt *top,
                          const char **why)
{
    const irl__around *nest = irl__loop_of(t, top);
    irl__auto_memory   m;
    n->written = -1;
    for (int k = nest->first; k < nest->end; k++) {
        const irl__access *a = &t->list[k];
        irl__auto_row     *row = &n->rows[n->row_count];
        if (a->is_declared) continue;
        *why = "it calls a function with a pointer";
        if (a->kind == IRL__ACCESS_OPAQUE) return 0;
        if (n->block && n->block->init && a->place != n->store) continue; /* the init's */
        *why = "it has more accesses than the scheduler examines";
        if (n->row_count == IRL__AUTO_ROWS) return 0;
        memset(row, 0, sizeof *row);
        row->access = a;
        row->is_write = a->kind == IRL__ACCESS_WRITE || a->kind == IRL__ACCESS_UPDATE;
        row->is_guarded = irl__around_next(a->around, IRL__AROUND_GUARD) &&
                          !irl__auto_is_within(n, t, a);
        if (row->is_write) n->written = n->row_count;
        if (!irl__auto_memory_of(n, t, a, 1, &m) || !irl__auto_guards(n, t, row)) return 0;
        for (int j = 0; j < a->rank && (n->target->banks || n->is_inside); j++)
            if (!(row->plain[j] = irl__accesses_plain(t, a->indices[j]))) return 0;
        for (int j = 0; j < n->loop_count; j++) {
            irl__auto_walk(n, &m, j, row);
            if (row->is_first && !row->is_even[j]) irl__auto_walk_runs(n, &m, j, row);
        }
        n->row_count++;
    }
    *why = "it stores nothing";
    return n->written >= 0;
}

/* ------------------------------------------------------------------ what a nest is */

int irl__auto_divides(const irl__auto_nest *n, int k, int64_t length)
{
    return n->loops[k].multiple % length == 0;
}

int irl__auto_is_written_out(const irl__auto_nest *n, int k)
{
    return !n->loops[k].is_symbolic && n->loops[k].extent <= IRL__AUTO_SHARED;
}

int irl__auto_is_function(const irl_expr *e, const void *user)
{
    (void)user;
    return irl__op_is_transcendental((irl_op)e->op);
}

/* What is known to divide an extent; 0: failure. */
static int64_t irl__auto_multiple(const irl__auto_nest *n, const irl_expr *extent)
{
    if (extent->op == IRL_OP_INT) return extent->u.i;
    irl__analyzer *an = irl__analyzer_begin(n->cx);
    if (!an) return 0;
    irl__residues r = irl__modular(an, extent);
    return r.base == 0 && r.coef > 1 ? r.coef : 1;
}

/* Where it begins and how many iterations it has, by names and the loops around, which are in their
   middle. */
static int irl__auto_loop_sample(irl__auto_nest *n, const irl_stmt *s, irl__auto_loop *l)
{
    const int       count = n->loop_count;
    irl__auto_point middle = irl__auto_point_at(n, -1, 0);
    middle.quarter = 2;
    n->loop_count = 0;
    l->stmt = s;
    l->is_symbolic = s->u.loop.extent->op != IRL_OP_INT;
    const int is_known = irl__auto_value(&middle, s->u.loop.min, &l->min) &&
                         irl__auto_value(&middle, s->u.loop.extent, &l->extent);
    n->loop_count = count;
    return is_known && l->extent > 0;
}

int irl__auto_add_loop(irl__auto_nest *n, const irl_stmt *s, const char **why)
{
    irl__auto_loop *l = &n->loops[n->loop_count];
    *why = "it has more loops than the scheduler examines";
    if (n->loop_count == IRL__AUTO_LOOPS) return 0;
    *why = "some extent is not a number above 0";
    if (!irl__auto_loop_sample(n, s, l) ||
        (s->u.loop.min->op != IRL_OP_INT && !l->is_symbolic) || l->min < -INT32_MAX ||
        l->min > INT32_MAX || l->extent > INT32_MAX)
        return 0;
    l->multiple = irl__auto_multiple(n, s->u.loop.extent);
    if (!l->multiple) return 0;
    l->name = irl__symbol_text(n->cx, s->u.loop.var->u.name);
    l->is_reduce = 0;
    n->loop_count++;
    n->last = s;
    return irl__ok(n->cx);
}

static int irl__auto_loops(irl__auto_nest *n, const irl_stmt *s, const char **why)
{
    for (; s->kind == IRL__FOR; s = s->u.loop.body) {
        *why = "its loops are scheduled already";
        if (s->u.loop.kind != IRL_SERIAL && s->u.loop.kind != IRL_PARALLEL) return 0;
        if (!irl__auto_add_loop(n, s, why)) return 0;
    }
    *why = "it is not a single block or store inside its loops";
    n->block = s->kind == IRL__BLOCK ? s->u.block : NULL;
    n->store = s;
    if (!n->block) return s->kind == IRL__STORE;
    n->last = s;
    n->store = n->block->body;
    n->is_conditional = n->block->predicate || n->store->kind == IRL__IF;
    if (n->store->kind == IRL__IF && !n->store->u.branch.else_)
        n->store = n->store->u.branch.then_;
    return n->store->kind == IRL__STORE;
}

static int irl__auto_block(irl__auto_nest *n, const char **why)
{
    *why = "its block declares memory or views";
    if (n->block->alloc_count || n->block->match_count) return 0;
    *why = "its init is more than one store";
    if (n->block->init && n->block->init->kind != IRL__STORE) return 0;
    for (int k = 0; k < n->block->axis_count; k++) {
        *why = "the kind of an axis is not stated";
        if (n->block->axes[k].is_unstated) return 0;
        n->is_reduction |= n->block->axes[k].is_reduction;
    }
    *why = "its block has conditions"; /* under which work-items may add up parts */
    if (n->is_conditional && !(n->is_reduction && n->target->banks)) return 0;
    for (int k = 0; k < n->loop_count; k++)
        n->loops[k].is_reduce = irl__axes_use(n->block, n->loops[k].stmt->u.loop.var, 1);
    n->name = irl__symbol_text(n->cx, n->block->name);
    return irl__ok(n->cx);
}

/* The loops around. */
static int irl__auto_around(irl__auto_nest *n, const irl_stmt *top, const char **why)
{
    irl__place p;
    *why = "it is inside too many loops for the scheduler to examine";
    if (!irl__place_of(n->f->body, top->id, &p)) return 0;
    for (int k = 0; k < p.count - 1; k++) {
        if (p.at[k]->kind != IRL__FOR) continue;
        if (n->around_count == IRL__AUTO_LOOPS) return 0;
        irl__auto_loop *l = &n->around[n->around_count];
        if (!irl__auto_loop_sample(n, p.at[k], l)) l->extent = 0;
        n->around_count++;
    }
    return 1;
}

void irl__auto_nest_begin(irl__auto_nest *n, const irl__auto *a)
{
    memset(n, 0, offsetof(irl__auto_nest, rows));
    n->cx = a->cx;
    n->f = a->f;
    n->target = a->target;
}

int irl__auto_nest_of(irl__auto_nest *n, const irl__auto *a, const irl_stmt *top,
                      const char **why)
{
    const irl_func *f = a->f;
    irl__accesses   t;
    irl__auto_nest_begin(n, a);
    n->is_inside = a->is_inside;
    n->is_moved = a->is_moved;
    if ((a->around && !irl__auto_around(n, top, why)) || !irl__auto_loops(n, top, why)) return 0;
    *why = "a block, or another nest, has its name: give it a label";
    if (n->block ? !irl__auto_block(n, why)
                 : !(n->name = irl__sched_nest_name(f, n->loops[n->loop_count - 1].stmt)))
        return 0;
    *why = "its expression is deep: vector code would exceed the compilers' limit of brackets";
    if (n->store->u.store.value->depth > IRL__AUTO_NESTED) return 0;
    if (!irl__accesses_of(&t, f, n->around_count ? n->around[0].stmt : top) ||
        !irl__auto_rows(n, &t, top, why))
        return 0;
    n->is_free = n->is_reduction && n->rows[n->written].access->kind == IRL__ACCESS_UPDATE &&
                 irl__update_commutes(&t, n->rows[n->written].access) &&
                 !(irl__type_is_float(n->store->u.store.buffer->type) &&
                   irl__auto_is_strict(f, a->target));
    *why = "it reads what it writes";
    if (!n->is_reduction && irl__auto_is_alone(n, &n->rows[n->written])) return 1; /* the same */
    for (int k = 0; k < n->row_count; k++)
        if (k != n->written && n->rows[k].access->memory == n->rows[n->written].access->memory &&
            !(n->is_reduction && n->rows[k].access->of_pair >= 0))
            return 0;
    return 1;
}

const irl_stmt *irl__auto_top(const irl_func *f, uint32_t id)
{
    irl__place p;
    return irl__place_of(f->body, id, &p) ? p.at[p.count - 1] : NULL;
}

int irl__auto_nest_at(irl__auto_nest *n, const irl__auto *a, uint32_t id)
{
    const irl_stmt *top = irl__auto_top(a->f, id);
    const char     *why;
    return top && irl__auto_nest_of(n, a, top, &why);
}

/* ------------------------------------------------------------------ questions about a nest */

int64_t irl__auto_bytes(const irl__auto_nest *n)
{
    return (int64_t)irl__type_bytes(n->store->u.store.buffer->type);
}

int64_t irl__auto_extents(const irl__auto_nest *n, int reduces)
{
    int64_t count = 1;
    for (int k = 0; k < n->loop_count; k++)
        if (n->loops[k].is_reduce == reduces && !irl__mul64(count, n->loops[k].extent, &count))
            return INT64_MAX;
    return count;
}

int64_t irl__auto_iterations(const irl_stmt *s, int64_t most)
{
    int64_t count = 0, inside;
    if (s->kind == IRL__FOR) {
        inside = irl__auto_iterations(s->u.loop.body, most);
        if (inside == 0) inside = 1;
        return s->u.loop.extent->op != IRL_OP_INT || s->u.loop.extent->u.i > most / inside
                   ? most : s->u.loop.extent->u.i * inside;
    }
    for (int k = 0; s->kind == IRL__SEQ && k < s->u.seq.count && count < most; k++)
        count += irl__auto_iterations(s->u.seq.stmts[k], most);
    return s->kind == IRL__IF || count > most ? most : count;
}

int64_t irl__auto_reuse(const irl__auto_nest *n, const irl__auto_row *row)
{
    int64_t reuse = 1;
    for (int k = 0; k < n->loop_count; k++)
        if (!n->loops[k].is_reduce && row->step[k] == 0 &&
            !irl__mul64(reuse, n->loops[k].extent, &reuse))
            return INT64_MAX;
    return reuse;
}

int irl__auto_loop_of(const irl__auto_nest *n, const irl_expr *index, int is_near)
{
    int64_t by = 0;
    int     k;
    if (is_near) index = irl__expr_base(index, &by);
    for (k = 0; n->block && k < n->block->axis_count; k++)
        if (n->block->axes[k].var == index) break;
    if (n->block && k == n->block->axis_count) return -1;
    if (n->block) index = n->block->axes[k].binding;
    if (is_near) index = irl__expr_base(index, &by);
    for (k = 0; k < n->loop_count; k++)
        if (n->loops[k].stmt->u.loop.var == index) return k;
    return -1;
}

const irl__axis *irl__auto_axis(const irl__auto_nest *n, int loop)
{
    for (int k = 0; k < n->block->axis_count; k++)
        if (n->block->axes[k].binding == n->loops[loop].stmt->u.loop.var) return &n->block->axes[k];
    return NULL;
}

int irl__auto_has_axes(const irl__auto_nest *n)
{
    for (int k = 0; k < n->loop_count; k++) {
        const irl__axis *axis = irl__auto_axis(n, k);
        if (!axis || !irl__is_int(n->loops[k].stmt->u.loop.min, 0) ||
            axis->extent != n->loops[k].stmt->u.loop.extent)
            return 0;
    }
    return n->block->axis_count == n->loop_count;
}

int irl__auto_loops_near(const irl__auto_nest *n, const irl__access *a, int *loops)
{
    for (int k = 0; k < a->rank; k++) {
        const int is_number = a->indices[k]->op == IRL_OP_INT;
        loops[k] = is_number ? -1 : irl__auto_loop_of(n, a->indices[k], 1);
        if (loops[k] < 0 && !is_number) return 0;
    }
    return 1;
}

int irl__auto_is_alone(const irl__auto_nest *n, const irl__auto_row *row)
{
    for (int k = 0; k < n->row_count; k++)
        if (n->rows[k].access->memory == row->access->memory &&
            !irl__access_is_same(row->access, n->rows[k].access))
            return 0;
    return 1;
}

int irl__auto_is_flat(const irl__auto_nest *n)
{
    const irl__auto_row *first = &n->rows[0];
    int64_t              next = 1;
    if (irl__auto_is_held(n)) return 0;
    for (int k = n->loop_count; k-- > 0;) {
        if (n->loops[k].extent == 1) continue;
        if (first->step[k] != next || !irl__mul64(next, n->loops[k].extent, &next)) return 0;
        for (int j = 1; j < n->row_count; j++)
            if (n->rows[j].step[k] != first->step[k]) return 0;
        for (int j = 0; j < n->row_count; j++)
            if (!n->rows[j].is_even[k] || !irl__auto_is_alone(n, &n->rows[j])) return 0;
    }
    return n->row_count > 0;
}

int irl__auto_has_rows(const irl__auto_nest *n)
{
    for (int j = 0; j < n->row_count; j++) {
        const irl_buffer *b = n->rows[j].access->buffer;
        for (int k = 0; b && k < n->f->layout_count; k++)
            if (strcmp(n->f->layouts[k].buffer, b->name) == 0 &&
                n->f->layouts[k].map->separator_count)
                return 1;
        if (b && (b->separator_count > 0 || irl__scope_is_image(b->scope))) return 1;
    }
    return 0;
}

int irl__auto_is_own(const irl__auto_nest *n, int row)
{
    return row == n->written || n->rows[row].access->of_pair >= 0;
}

int irl__auto_is_lanes(const irl__auto_row *row, int loop)
{
    return row->access->buffer && irl__scope_is_image(row->access->buffer->scope) &&
           row->step[loop] == 1;
}

int irl__auto_index_of(const irl__auto_nest *n, const irl__auto_row *row, int loop)
{
    int found = -1;
    for (int k = 0; k < row->access->rank; k++)
        if (irl__auto_loop_of(n, row->access->indices[k], 0) == loop) {
            if (found >= 0) return -1;
            found = k;
        }
    return found;
}

int irl__auto_last_reduce(const irl__auto_nest *n)
{
    int k = n->loop_count;
    while (k-- > 0 && !n->loops[k].is_reduce) {}
    return k;
}

int irl__auto_reduce_of(const irl__auto_nest *n, const irl__auto_row *row)
{
    for (int k = n->loop_count; k-- > 0;)
        if (n->loops[k].is_reduce && row->step[k] != 0) return k;
    return -1;
}

/* Is b's element so many iterations of the loop behind a's, the others being where they are? */
static int irl__auto_is_behind(const irl__auto_nest *n, const irl__auto_row *a,
                               const irl__auto_row *b, int loop, int64_t distance)
{
    const int64_t step = a->step[loop];
    int64_t       apart;
    if (!a->is_first || !b->is_first || a->access->memory != b->access->memory || step < 1 ||
        step == IRL__AUTO_FAR)
        return 0;
    for (int k = 0; k < n->loop_count; k++)
        if (a->step[k] != b->step[k]) return 0;
    return irl__sub64(b->first, a->first, &apart) && apart > 0 && apart % step == 0 &&
           apart / step < distance;
}

int irl__auto_is_shared(const irl__auto_nest *n, int loop, int64_t distance)
{
    for (int k = 0; k < n->row_count; k++)
        for (int j = 0; j < n->row_count; j++)
            if (!n->rows[k].is_write && !n->rows[j].is_write &&
                irl__auto_is_behind(n, &n->rows[k], &n->rows[j], loop, distance))
                return 1;
    return 0;
}

int irl__auto_along(const irl__auto_nest *n, const irl__auto_row *row)
{
    for (int k = n->loop_count; k-- > 0;)
        if (row->step[k] == 1) return k;
    return -1;
}
