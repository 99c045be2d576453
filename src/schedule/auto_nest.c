/* auto_nest.c - what a loop nest is: its loops, and how each of its accesses walks through memory.

   needs     auto_border.c; accesses.c; maps for layouts
   promises  steps are those of the memory that the layouts of the function make
   cost      linear in the nest's accesses, times its loops */
#include "auto.h"

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
    if (extent <= run || extent % run || !irl__auto_cell(m, &p, &now) ||
        !irl__sub64(now, row->first, &row->next[k]))
        return;
    p.by = extent - 1;
    row->is_runs[k] = irl__auto_cell(m, &p, &now) && irl__sub64(now, row->first, &now) &&
                      irl__mul64(row->next[k], extent / run - 1, &runs) &&
                      irl__mul64(row->step[k], run - 1, &inside) &&
                      irl__add64(runs, inside, &runs) && runs == now;
}

/* Is it a multiple of the variable and something else, or without it? */
static int irl__auto_is_multiple(const irl_expr *e, const irl_expr *var)
{
    if (e == var || !irl__expr_uses_var(e, var)) return 1;
    if (e->op == IRL_OP_ADD || e->op == IRL_OP_SUB)
        return irl__auto_is_multiple(e->a[0], var) && irl__auto_is_multiple(e->a[1], var);
    return e->op == IRL_OP_MUL && irl__auto_is_multiple(e->a[0], var) &&
           irl__auto_is_multiple(e->a[1], var) &&
           !(irl__expr_uses_var(e->a[0], var) && irl__expr_uses_var(e->a[1], var));
}

static int irl__auto_is_straight(const irl__auto_memory *m, const irl_expr *var)
{
    for (int k = 0; k < m->rank; k++)
        if (!irl__auto_is_multiple(m->index[k], var)) return 0;
    return 1;
}

/* The step along loop k, and how long it stays the same: from one iteration to the next, but where
   the indices say so at once. */
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
    int64_t last = n->loops[k].extent < IRL__AUTO_RUN ? n->loops[k].extent : (int64_t)IRL__AUTO_RUN;
    int     straight = irl__auto_is_straight(m, n->loops[k].stmt->u.loop.var);
    for (before = first, p.by = 1; p.by < (straight && last > 2 ? 2 : last); p.by++) {
        if (!irl__auto_cell(m, &p, &now) || !irl__sub64(now, before, &step)) step = IRL__AUTO_FAR;
        if (p.by == 1) row->step[k] = step;
        else if (step != row->step[k]) return;
        before = now;
        row->run[k] = straight ? last : p.by + 1;
    }
    p.by = n->loops[k].extent - 1;
    row->is_even[k] = irl__auto_cell(m, &p, &now) && irl__sub64(now, first, &step) &&
                      (p.by < 1 || (step % p.by == 0 && step / p.by == row->step[k]));
}

/* The elements of `lanes` iterations of loop k from iteration `from` on, the others being at their
   first iteration or (is_end) at their last, from the first of them: bits of what has bits. */
static int irl__auto_lanes_from(const irl__auto_nest *n, const irl__auto_memory *m, int k,
                                int is_end, int64_t from, int lanes, int64_t *at)
{
    irl__auto_point p = irl__auto_point_at(n, k, from);
    int64_t         first = 0;
    p.is_end = is_end;
    for (int j = 0; j < lanes; j++) {
        p.by = from + j;
        if (!irl__auto_cell(m, &p, &at[j])) return 0;
        if (j == 0) first = at[j];
        if (!irl__sub64(at[j], first, &at[j])) return 0;
    }
    return 1;
}

int irl__auto_lanes_at(irl__auto_nest *n, irl__accesses *t, const irl__access *a, int k, int lanes,
                       int64_t *at)
{
    irl__auto_memory m;
    int64_t          other[IRL_MAX_LANES], bits;
    const int64_t    end = (n->loops[k].extent / lanes - 1) * lanes;
    int              j;
    if (!irl__auto_memory_of(n, t, a, 0, &m) || !m.is_known ||
        !irl__auto_lanes_from(n, &m, k, 0, 0, lanes, at))
        return 0;
    for (int is_end = 0; is_end < 2; is_end++) {
        if (!irl__auto_lanes_from(n, &m, k, is_end, is_end || end < lanes ? end : lanes, lanes,
                                  other))
            return 0;
        for (j = 0; j < lanes; j++)
            if (at[j] != other[j]) return 0;
    }
    bits = a->buffer->strides ? 1 : irl__buffer_step(a->buffer);
    for (j = 0; j < lanes; j++)
        if (!irl__mul64(at[j], bits, &at[j])) return 0;
    return 1;
}

static int irl__auto_index_at(const irl__auto_nest *n, const irl_expr *index, int loop, int64_t by,
                              int64_t *out)
{
    const irl__auto_point p = irl__auto_point_at(n, loop, by);
    return irl__auto_value(&p, index, out);
}

int irl__auto_index_step(const irl__auto_nest *n, const irl__auto_row *row, int axis, int loop,
                         int64_t *step)
{
    const int64_t last = n->loops[loop].extent - 1;
    int64_t       first, end, all;
    *step = 0;
    if (last == 0 || !irl__expr_uses_var(row->plain[axis], n->loops[loop].stmt->u.loop.var))
        return 1;
    return irl__auto_index_at(n, row->plain[axis], loop, 0, &first) &&
           irl__auto_index_at(n, row->plain[axis], loop, 1, &end) &&
           irl__sub64(end, first, step) &&
           irl__auto_index_at(n, row->plain[axis], loop, last, &end) &&
           irl__sub64(end, first, &end) && irl__mul64(*step, last, &all) && all == end;
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

/* Is it read where a condition holds, and may it not be elsewhere? */
static int irl__auto_needs_guard(const irl__auto_nest *n, irl__accesses *t, const irl__access *a)
{
    return irl__around_next(a->around, IRL__AROUND_GUARD) && !irl__auto_is_within(n, t, a);
}

/* Iterations of a symbolic loop by which an index stays within that extent, if it goes on with it
   and leaves the extent somewhere for the sample values. */
static int64_t irl__auto_stays(const irl__auto_nest *n, const irl_expr *index, int loop,
                               int64_t extent)
{
    int64_t first, last, step;
    if (!irl__expr_uses_var(index, n->loops[loop].stmt->u.loop.var) ||
        !irl__auto_index_at(n, index, loop, 0, &first) ||
        !irl__auto_index_at(n, index, loop, 1, &step) || !irl__sub64(step, first, &step) ||
        !irl__auto_index_at(n, index, loop, n->loops[loop].extent - 1, &last) || step == 0 ||
        step == INT64_MIN || (first >= 0 && first < extent && last >= 0 && last < extent))
        return INT64_MAX;
    if (first < 0 || first >= extent) return extent / (step < 0 ? -step : step) + 1;
    return (step < 0 ? first / -step : (extent - 1 - first) / step) + 1;
}

/* A loop has at most so many iterations: neither do others of the same names. */
static void irl__auto_has_most(irl__auto_nest *n, int loop, int64_t most)
{
    const irl_expr *extent = n->loops[loop].stmt->u.loop.extent;
    for (int k = 0; k < n->loop_count; k++)
        for (int j = 0; j < n->f->param_count && most < n->loops[k].most; j++)
            if (k == loop || (irl__expr_uses_var(extent, n->f->params[j].var) &&
                              irl__expr_uses_var(n->loops[k].stmt->u.loop.extent,
                                                 n->f->params[j].var)))
                n->loops[k].most = most;
}

/* What is read or stored always says how many iterations there are at most. */
static int irl__auto_bound(irl__auto_nest *n, irl__accesses *t, const irl__access *a)
{
    const irl_expr *index;
    if (!a->buffer || a->rank != a->buffer->rank || irl__around_next(a->around, IRL__AROUND_GUARD))
        return 1;
    for (int k = 0; k < a->rank; k++)
        for (int j = 0; j < n->loop_count && a->buffer->shape[k]->op == IRL_OP_INT; j++) {
            if (!n->loops[j].is_symbolic) continue;
            if (!(index = irl__accesses_plain(t, a->indices[k]))) return 0;
            int64_t most = irl__auto_stays(n, index, j, a->buffer->shape[k]->u.i);
            irl__auto_has_most(n, j, most);
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
        *why = "it has too many accesses to be examined";
        if (n->row_count == IRL__AUTO_ROWS) return 0;
        memset(row, 0, sizeof *row);
        row->access = a;
        row->is_write = a->kind == IRL__ACCESS_WRITE || a->kind == IRL__ACCESS_UPDATE;
        row->is_guarded = irl__auto_needs_guard(n, t, a);
        if (row->is_write) n->written = n->row_count;
        if (!irl__auto_memory_of(n, t, a, 1, &m) || !irl__auto_guards(n, t, row) ||
            !irl__auto_bound(n, t, a))
            return 0;
        for (int j = 0; j < a->rank && (n->target->banks || n->is_inside); j++)
            if (!(row->plain[j] = irl__accesses_plain(t, a->indices[j]))) return 0;
        for (int j = 0; j < n->loop_count; j++) {
            irl__auto_walk(n, &m, j, row);
            if (row->is_first && !row->is_even[j]) irl__auto_walk_runs(n, &m, j, row);
        }
        n->row_count++;
    }
    irl__auto_drop_negated(n);
    *why = "it stores nothing";
    return n->written >= 0;
}

/* ------------------------------------------------------------------ what a nest is */

const char *irl__auto_symbol(irl_ctx *cx, const char *name)
{
    irl__text t;
    irl__text_init(&t, cx);
    irl__print_symbol(&t, name);
    return irl__text_done(&t);
}

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

int irl__auto_add_loop(irl__auto_nest *n, const irl_stmt *s, const char **why)
{
    irl__auto_loop *l = &n->loops[n->loop_count];
    const int       is_symbolic = s->u.loop.extent->op != IRL_OP_INT;
    *why = "it has too many loops to be examined";
    if (n->loop_count == IRL__AUTO_LOOPS) return 0;
    *why = "some extent is not a number above 0";
    if ((is_symbolic && n->target->banks) || s->u.loop.min->op != IRL_OP_INT ||
        !irl__auto_sampled(n->f, s->u.loop.extent, &l->extent) || l->extent < 1 ||
        s->u.loop.min->u.i < -INT32_MAX || s->u.loop.min->u.i > INT32_MAX ||
        l->extent > INT32_MAX)
        return 0;
    l->stmt = s;
    l->is_symbolic = is_symbolic;
    l->most = INT64_MAX;
    l->multiple = irl__auto_multiple(n, s->u.loop.extent);
    if (!l->multiple) return 0;
    l->name = irl__auto_symbol(n->cx, s->u.loop.var->u.name);
    l->is_reduce = 0;
    n->loop_count++;
    n->last = s;
    return l->name != NULL;
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
    if (n->block) n->last = s;
    n->store = n->block ? n->block->body : s;
    return n->store->kind == IRL__STORE;
}

static int irl__auto_block(irl__auto_nest *n, const char **why)
{
    *why = "its block has conditions, or declares memory or views";
    if (n->block->predicate || n->block->alloc_count || n->block->match_count) return 0;
    *why = "its init is more than one store";
    if (n->block->init && n->block->init->kind != IRL__STORE) return 0;
    for (int k = 0; k < n->block->axis_count; k++) {
        *why = "the kind of an axis is not stated";
        if (n->block->axes[k].is_unstated) return 0;
        n->is_reduction |= n->block->axes[k].is_reduction;
    }
    for (int k = 0; k < n->loop_count; k++)
        n->loops[k].is_reduce = irl__axes_use(n->block, n->loops[k].stmt->u.loop.var, 1);
    n->name = irl__auto_symbol(n->cx, n->block->name);
    return n->name != NULL;
}

/* The loops around. */
static int irl__auto_around(irl__auto_nest *n, const irl_stmt *top, const char **why)
{
    irl__place p;
    *why = "it is inside too many loops to be examined";
    if (!irl__place_of(n->f->body, top->id, &p)) return 0;
    for (int k = 0; k < p.count - 1; k++) {
        if (p.at[k]->kind != IRL__FOR) continue;
        if (n->around_count == IRL__AUTO_LOOPS) return 0;
        n->around[n->around_count++] = p.at[k];
    }
    return 1;
}

int irl__auto_nest_of(irl__auto_nest *n, const irl__auto *a, const irl_stmt *top,
                      const char **why)
{
    const irl_func *f = a->f;
    irl__accesses   t;
    memset(n, 0, offsetof(irl__auto_nest, rows));
    n->cx = f->cx;
    n->f = f;
    n->target = a->target;
    n->is_inside = a->is_inside;
    n->is_moved = a->is_moved;
    if (!irl__auto_loops(n, top, why) || (a->around && !irl__auto_around(n, top, why))) return 0;
    *why = "a block, or another nest, has its name: give it a label";
    if (n->block ? !irl__auto_block(n, why)
                 : !(n->name = irl__sched_nest_name(f, n->loops[n->loop_count - 1].stmt)))
        return 0;
    *why = "its expression is deep: vector code would exceed the compilers' limit of brackets";
    if (n->store->u.store.value->depth > IRL__AUTO_NESTED) return 0;
    if (!irl__accesses_of(&t, f, n->around_count ? n->around[0] : top) ||
        !irl__auto_rows(n, &t, top, why))
        return 0;
    n->is_free = n->is_reduction && n->rows[n->written].access->kind == IRL__ACCESS_UPDATE &&
                 irl__update_commutes(&t, n->rows[n->written].access);
    *why = "it reads what it writes";
    if (!n->is_reduction && irl__auto_is_alone(n, &n->rows[n->written])) return 1; /* the same */
    for (int k = 0; k < n->row_count; k++)
        if (k != n->written && n->rows[k].access->memory == n->rows[n->written].access->memory &&
            !(n->is_reduction && n->rows[k].access->of_pair >= 0))
            return 0;
    return 1;
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
    return s->kind == IRL__IF ? most : count;
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

/* The loop that an index is, or that the axis of the block is bound to that it is: as it stands, or
   (is_near) but for a number. */
static int irl__auto_loop_at(const irl__auto_nest *n, const irl_expr *index, int is_near)
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

int irl__auto_loop_of(const irl__auto_nest *n, const irl_expr *index)
{
    return irl__auto_loop_at(n, index, 0);
}

int irl__auto_loop_near(const irl__auto_nest *n, const irl_expr *index)
{
    return irl__auto_loop_at(n, index, 1);
}

int irl__auto_is_alone(const irl__auto_nest *n, const irl__auto_row *row)
{
    for (int k = 0; k < n->row_count; k++)
        if (n->rows[k].access->memory == row->access->memory &&
            !irl__access_is_same(row->access, n->rows[k].access))
            return 0;
    return 1;
}

/* Do the indices use the axis? */
static int irl__auto_uses_axis(const irl__access *a, const irl__axis *axis)
{
    int k = a->rank;
    while (k-- > 0 && !irl__expr_uses_var(a->indices[k], axis->var)) {}
    return k >= 0;
}

int irl__auto_is_told(const irl__auto_nest *n, const irl__auto_row *row)
{
    int j;
    for (int k = 0; k < n->row_count; k++) {
        const irl__access *b = n->rows[k].access;
        if (b->memory != row->access->memory || irl__access_is_same(row->access, b)) continue;
        if (b->buffer != row->access->buffer || n->rows[k].is_write || !n->block) return 0;
        for (j = 0; j < n->block->axis_count; j++)
            if (irl__auto_uses_axis(b, &n->block->axes[j]) !=
                irl__auto_uses_axis(row->access, &n->block->axes[j]))
                break;
        if (j == n->block->axis_count) return 0;
    }
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
    int k, found = -1;
    for (k = 0; k < row->access->rank; k++)
        if (irl__auto_loop_of(n, row->access->indices[k]) == loop) {
            if (found >= 0) return -1;
            found = k;
        }
    return found;
}

int irl__auto_reduce_of(const irl__auto_nest *n, const irl__auto_row *row)
{
    for (int k = n->loop_count; k-- > 0;)
        if (n->loops[k].is_reduce && row->step[k] != 0) return k;
    return -1;
}

int irl__auto_sum_indices(const irl__auto_nest *n, int vector, const irl_expr **out)
{
    const irl__access *w = n->rows[n->written].access;
    int                k, count = 0;
    if (vector < 0 || irl__auto_index_of(n, &n->rows[n->written], vector) >= 0) {
        for (k = 0; k < w->rank; k++) out[k] = w->indices[k];
        return w->rank;
    }
    for (k = 0; k < n->block->axis_count; k++)
        if (!n->block->axes[k].is_reduction && count < IRL_MAX_RANK)
            out[count++] = n->block->axes[k].var;
    return count;
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
