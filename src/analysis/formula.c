/* formula.c - the cost of an access if names have no values: counts as expressions over the names.

   needs     pair.c, path.c; the table of accesses
   promises  an EXACT formula is the count for all values of the names that the function's
             assumptions allow; AT_MOST is never less. There is no formula for several accesses
             together
   cost      a question to the analysis for each loop around the access

   Iterations: the product of the extents; if an extent depends on an outer loop, the sum of a
   polynomial, by its differences. Cells: the loops are put into groups that share no index. A group
   touches as many cells as it has iterations if no two of them meet; else its one index is a sum of
   progressions, which are adjacent (16 * o + i, i < 16) or apart, or a quotient or remainder. */
#include "analysis.h"

enum { IRL__TALLY_VARS = 16, IRL__TALLY_DEGREE = 3 };

static const char irl__tally_bounds[] = "the bounds of a loop are not a formula over names";
static const char irl__tally_guards[] = "a condition may exclude iterations";
static const char irl__tally_cells[] = "the number of different cells has no formula over the "
                                       "names";

/* A loop that runs, or the lanes. */
typedef struct irl__tally_var {
    const irl_expr    *var, *min, *extent;
    const irl__around *loop; /* NULL: the lanes */
    int                is_bent; /* its bounds follow a loop around */
    int                group;   /* -1: no index names it */
} irl__tally_var;

typedef struct irl__tally_work {
    irl_ctx                  *cx;
    irl__accesses            *t;
    const irl__cost_question *q;
    const irl__access        *a;
    irl__path                 path;
    irl__tally_var            v[IRL__TALLY_VARS];
    int                       count, rank, is_bent, is_guarded, groups;
    const irl_expr           *index[IRL_MAX_RANK];
    int                       group[IRL_MAX_RANK]; /* -1: the index is fixed */
    /* loops that stand still, and where */
    const irl_expr     *stands[IRL__TALLY_VARS], *at[IRL__TALLY_VARS];
    int                 still;
    const irl__around **nodes; /* innermost first */
    int                 node_count;
    const char         *reason;
} irl__tally_work;

/* ------------------------------------------------------------------ expressions */

static const irl_expr *irl__tally_op(const irl__tally_work *w, irl_op op, const irl_expr *a,
                                       const irl_expr *b)
{
    return a && b ? irl_expr_op2(w->cx, op, a, b) : NULL;
}

static const irl_expr *irl__tally_add(const irl__tally_work *w, const irl_expr *a, int64_t b)
{
    return a ? irl__add(w->cx, a, irl_expr_index(w->cx, b)) : NULL;
}

static const irl_expr *irl__tally_mul(const irl__tally_work *w, const irl_expr *a,
                                        const irl_expr *b)
{
    return a && b ? irl__size_mul(w->cx, a, b) : NULL;
}

/* max(e, 0) */
static const irl_expr *irl__tally_least_0(const irl__tally_work *w, const irl_expr *e)
{
    return irl__tally_op(w, IRL_OP_MAX, e, irl_expr_index(w->cx, 0));
}

static const irl_expr *irl__tally_at(const irl__tally_work *w, const irl_expr *e,
                                       const irl_expr *var, const irl_expr *value)
{
    return e && value ? irl__substitute(w->cx, e, 1, &var, &value) : NULL;
}

/* Does e mean the same in all iterations that run? */
static int irl__tally_is_fixed(const irl__tally_work *w, const irl_expr *e)
{
    for (int k = 0; k < w->count; k++)
        if (irl__expr_uses_var(e, w->v[k].var)) return 0;
    return 1;
}

/* e over names and the loops that run; NULL where it is anything else. */
static const irl_expr *irl__tally_plain(irl__tally_work *w, const irl_expr *e)
{
    const irl_expr *vars[IRL__TALLY_VARS], *out = irl__accesses_plain(w->t, e);
    int             k;
    for (k = w->still; out && k-- > 0;) out = irl__tally_at(w, out, w->stands[k], w->at[k]);
    for (k = 0; out && k < w->q->value_count; k++)
        out = irl__tally_at(w, out, w->q->values[k].var,
                            irl_expr_index(w->cx, w->q->values[k].value));
    for (k = 0; k < w->count; k++) vars[k] = w->v[k].var;
    return out && irl__is_over(w->t, out, w->count, vars) ? out : NULL;
}

static int irl__tally_prove(irl__tally_work *w, irl_op op, const irl_expr *a, const irl_expr *b)
{
    const irl_expr *e = irl__tally_op(w, op, a, b);
    return e && irl__prove(w->path.an, e);
}

/* ------------------------------------------------------------------ what stands around */

/* Where a loop stands: at the value that was given, else at its start. */
static const irl_expr *irl__tally_value(const irl__tally_work *w, const irl_expr *var,
                                          const irl_expr *start)
{
    for (int k = 0; k < w->q->value_count; k++)
        if (w->q->values[k].var == var) return irl_expr_index(w->cx, w->q->values[k].value);
    return start;
}

static int irl__tally_loop(irl__tally_work *w, const irl__around *n)
{
    irl__tally_var *v = &w->v[w->count];
    if (w->count + w->still == IRL__TALLY_VARS - 1) return 0; /* one is for lanes */
    v->min = irl__tally_plain(w, n->stmt->u.loop.min);
    if (w->q->runs && !w->q->runs[n->number]) {
        w->stands[w->still] = n->var;
        w->at[w->still++] = irl__tally_value(w, n->var, v->min);
        return v->min != NULL;
    }
    v->extent = irl__tally_plain(w, n->stmt->u.loop.extent);
    if (!v->min || !v->extent) return 0;
    v->var = n->var;
    v->loop = n;
    v->group = -1;
    v->is_bent = !irl__tally_is_fixed(w, v->min) || !irl__tally_is_fixed(w, v->extent);
    w->is_bent |= v->is_bent;
    w->count++;
    return 1;
}

/* A condition that holds whenever it is reached leaves nothing out. */
static int irl__tally_guard(irl__tally_work *w, const irl__around *n)
{
    const irl_expr *e = irl__accesses_plain(w->t, n->value);
    if (!irl__path_to(&w->path, n->outer)) return 0;
    w->is_guarded |= !e || e->type.lanes != 1 || !irl__prove(w->path.an, e);
    return 1;
}

static int irl__tally_around(irl__tally_work *w)
{
    const irl__around *n;
    for (n = w->a->around; n; n = n->outer)
        if (!IRL__PUSH_SCRATCH(w->cx, w->nodes, n)) return 0;
    w->node_count = (int)stbds_arrlen(w->nodes);
    for (int k = w->node_count; k-- > 0;) {
        n = w->nodes[k];
        if (n->kind == IRL__AROUND_GUARD && !irl__tally_guard(w, n)) return 0;
        if (n->kind == IRL__AROUND_LOOP && !irl__tally_loop(w, n)) return 0;
    }
    return irl__path_to(&w->path, w->a->around);
}

/* ------------------------------------------------------------------ iterations */

/* Is e linear in a variable? */
static int irl__tally_is_linear(irl__tally_work *w, const irl_expr *e, const irl_expr *var)
{
    const irl_expr *step = irl__step_along(w->path.an, e, var);
    return step && !irl__expr_uses_var(step, var);
}

/* The sum of p(min + i) for i below extent, which is not negative: p(min) * C(extent, 1) + its
   first difference * C(extent, 2) + ... */
static const irl_expr *irl__tally_sum(irl__tally_work *w, const irl__tally_var *v,
                                        const irl_expr *extent, const irl_expr *p, int degree)
{
    static const    int64_t factorial[] = { 1, 2, 6, 24 };
    const irl_expr *d[IRL__TALLY_DEGREE + 1], *choose = extent, *sum = NULL, *one;
    if (!irl__expr_uses_var(p, v->var)) return irl__tally_mul(w, p, extent);
    for (int k = 0; k <= degree; k++)
        d[k] = irl__tally_at(w, p, v->var, irl__tally_add(w, v->min, k));
    for (int k = 1; k <= degree; k++)
        for (int j = degree; j >= k; j--) d[j] = irl__tally_op(w, IRL_OP_SUB, d[j], d[j - 1]);
    for (int k = 0; k <= degree; k++) {
        if (k) choose = irl__tally_mul(w, choose, irl__tally_add(w, extent, -k));
        one = irl__tally_op(w, IRL_OP_FLOORDIV, choose, irl_expr_index(w->cx, factorial[k]));
        one = irl__tally_mul(w, d[k], one);
        sum = sum ? irl__tally_op(w, IRL_OP_ADD, sum, one) : one;
    }
    return sum;
}

/* NULL: no formula. */
static const irl_expr *irl__tally_iterations(irl__tally_work *w)
{
    const irl_expr *p = irl_expr_index(w->cx, 1);
    int             k, j, degree = 0;
    for (k = w->count; p && k-- > 0;) {
        const irl__tally_var *v = &w->v[k];
        const irl_expr       *extent = v->extent;
        for (j = 0; v->is_bent && j < k; j++)
            if (!irl__tally_is_linear(w, extent, w->v[j].var) ||
                !irl__tally_is_linear(w, v->min, w->v[j].var))
                return NULL;
        if (!v->is_bent) extent = irl__tally_least_0(w, extent);
        else if (!irl__path_to(&w->path, v->loop->outer) ||
                 !irl__tally_prove(w, IRL_OP_GE, extent, irl_expr_index(w->cx, 0)))
            return NULL;
        if (degree > IRL__TALLY_DEGREE) return NULL;
        p = irl__tally_sum(w, v, extent, p, degree);
        degree += w->is_bent;
    }
    return p;
}

/* ------------------------------------------------------------------ groups of loops */

/* An index, of which lanes are one more loop. */
static int irl__tally_index(irl__tally_work *w, int k)
{
    const irl_expr *e = w->a->indices[k];
    irl__tally_var *v = &w->v[w->count];
    if (e->type.lanes > 1) {
        v->var = irl_expr_var(w->cx, "lane", irl__type_index());
        v->min = irl_expr_index(w->cx, 0);
        v->extent = irl_expr_index(w->cx, (int64_t)e->type.lanes);
        v->loop = NULL;
        v->is_bent = 0;
        v->group = -1;
        e = v->var ? irl__index_lane(w->cx, e, v->var) : NULL;
        if (!e) return 0;
        w->count++;
    }
    w->index[k] = irl__tally_plain(w, e);
    return w->index[k] != NULL;
}

static void irl__tally_join(irl__tally_work *w, int from, int to)
{
    for (int k = 0; k < w->count; k++)
        if (w->v[k].group == from) w->v[k].group = to;
    for (int k = 0; k < w->rank; k++)
        if (w->group[k] == from) w->group[k] = to;
}

/* The loops that an index names are of one group with it. */
static int irl__tally_groups(irl__tally_work *w)
{
    w->rank = w->a->rank;
    for (int k = 0; k < w->rank; k++) {
        if (!irl__tally_index(w, k)) return 0;
        w->group[k] = -1;
    }
    for (int k = 0; k < w->rank; k++)
        for (int j = 0; j < w->count; j++) {
            if (!irl__expr_uses_var(w->index[k], w->v[j].var)) continue;
            if (w->group[k] < 0) w->group[k] = w->groups++;
            if (w->v[j].group >= 0) irl__tally_join(w, w->v[j].group, w->group[k]);
            w->v[j].group = w->group[k];
        }
    return 1;
}

/* Do no two iterations of the group's loops meet, where the others stand still? Of all loops:
   group -1. */
static int irl__tally_is_apart(irl__tally_work *w, int group)
{
    uint8_t moves[2 * IRL__TALLY_VARS], relation[2 * IRL__TALLY_VARS];
    int     j;
    if (w->a->lanes > 1) return 0;
    irl__pair *p = irl__pair_begin(w->t, w->a, w->a, IRL__PAIR_STEPS);
    int        count = p ? irl__pair_loop_count(p) : -1;
    if (count != w->count + w->still) return 0;
    for (int k = 0; k < count; k++) {
        for (j = 0; j < w->count && w->v[j].loop != irl__pair_loop(p, k); j++) {}
        moves[k] = j < w->count && (group < 0 || w->v[j].group == group);
    }
    for (int k = 0; k < count; k++) {
        for (j = 0; j < count; j++)
            relation[j] = (uint8_t)(j < k || !moves[j] ? IRL__SAME : IRL__ANY);
        relation[k] = IRL__BEFORE;
        if (moves[k] && irl__pair_meets(p, relation, NULL) != IRL_NO) return 0;
    }
    return 1;
}

/* 1 where all loops of a group run, else 0. */
static const irl_expr *irl__tally_runs(irl__tally_work *w, int group)
{
    const irl_expr *p = irl_expr_index(w->cx, 1);
    for (int k = 0; k < w->count; k++)
        if (w->v[k].group == group &&
            !(w->v[k].extent->op == IRL_OP_INT && w->v[k].extent->u.i >= 1))
            p = irl__tally_mul(w, p,
                                 irl__tally_op(w, IRL_OP_MIN,
                                                 irl__tally_least_0(w, w->v[k].extent),
                                                 irl_expr_index(w->cx, 1)));
    return p;
}

/* ------------------------------------------------------------------ one index */

/* A progression: stride > 0. */
typedef struct irl__tally_step {
    const irl_expr *stride, *extent;
} irl__tally_step;

/* What an index grows by with each loop of a group, numbers first, by size. -1: not a sum. */
static int irl__tally_steps(irl__tally_work *w, const irl_expr *e, int group,
                              irl__tally_step *step)
{
    int k, j, n = 0;
    for (k = w->count; k-- > 0;) {
        if (w->v[k].group != group) continue;
        const irl_expr *s = irl__step_along(w->path.an, e, w->v[k].var);
        if (!s || !irl__tally_is_fixed(w, s)) return -1;
        if (s->op == IRL_OP_INT && s->u.i < 0 && s->u.i > INT64_MIN)
            s = irl_expr_index(w->cx, -s->u.i);
        if (s->op == IRL_OP_INT ? s->u.i < 1
                                : !irl__tally_prove(w, IRL_OP_GE, s, irl_expr_index(w->cx, 1)))
            return -1;
        for (j = n++; j > 0 && s->op == IRL_OP_INT &&
                      (step[j - 1].stride->op != IRL_OP_INT || step[j - 1].stride->u.i > s->u.i);
             j--)
            step[j] = step[j - 1];
        step[j].stride = s;
        step[j].extent = w->v[k].extent;
    }
    return n;
}

/* s / g where that is known to be whole; NULL. */
static const irl_expr *irl__tally_ratio(irl__tally_work *w, const irl_expr *s,
                                          const irl_expr *g)
{
    if (irl__is_int(g, 1)) return s;
    if (s->op == IRL_OP_INT && g->op == IRL_OP_INT)
        return s->u.i % g->u.i == 0 ? irl_expr_index(w->cx, s->u.i / g->u.i) : NULL;
    return irl__tally_prove(w, IRL_OP_EQ, s, g) ? irl_expr_index(w->cx, 1) : NULL;
}

/* Different values of a sum of progressions that join or lie apart, where all loops run. */
static const irl_expr *irl__tally_ladder(irl__tally_work *w, const irl__tally_step *step,
                                           int n)
{
    const irl_expr *below = irl_expr_index(w->cx, 1), *stride = step[0].stride,
                   *count = step[0].extent,
                   *reach = irl__tally_mul(w, stride, irl__tally_add(w, count, -1));
    for (int k = 1; k < n && reach; k++) {
        const irl_expr *more = irl__tally_add(w, step[k].extent, -1),
                       *ratio = irl__tally_ratio(w, step[k].stride, stride);
        if (ratio && irl__tally_prove(w, IRL_OP_LE, ratio, count))
            count = irl__tally_op(w, IRL_OP_ADD, count, irl__tally_mul(w, ratio, more));
        else if (irl__tally_prove(w, IRL_OP_GT, step[k].stride, reach)) {
            below = irl__tally_mul(w, below, count);
            stride = step[k].stride;
            count = step[k].extent;
        } else return NULL;
        reach = irl__tally_op(w, IRL_OP_ADD, reach, irl__tally_mul(w, step[k].stride, more));
    }
    return reach ? irl__tally_mul(w, below, count) : NULL;
}

static int irl__tally_loops(const irl__tally_work *w, int group, int *last)
{
    int k, n = 0;
    for (k = *last = 0; k < w->count; k++)
        if (w->v[k].group == group) *last = k, n++;
    return n;
}

/* (v + f) / c and (v + f) % c of one loop: all numbers from the first to the last; at most c. */
static const irl_expr *irl__tally_digit(irl__tally_work *w, const irl_expr *e, int group)
{
    const irl_expr *last;
    int             k;
    if ((e->op != IRL_OP_FLOORDIV && e->op != IRL_OP_FLOORMOD) || e->a[1]->op != IRL_OP_INT ||
        e->a[1]->u.i < 1)
        return NULL;
    if (irl__tally_loops(w, group, &k) != 1 ||
        irl__step_number(w->path.an, e->a[0], w->v[k].var) != 1)
        return NULL;
    if (e->op == IRL_OP_FLOORMOD) return irl__tally_op(w, IRL_OP_MIN, w->v[k].extent, e->a[1]);
    const irl_expr *first = irl__tally_at(w, e, w->v[k].var, w->v[k].min);
    last = irl__tally_op(w, IRL_OP_ADD, w->v[k].min, irl__tally_add(w, w->v[k].extent, -1));
    last = irl__tally_at(w, e, w->v[k].var, last);
    return irl__tally_add(w, irl__tally_op(w, IRL_OP_SUB, last, first), 1);
}

/* The cells of a group; NULL: not known. */
static const irl_expr *irl__tally_group(irl__tally_work *w, int group)
{
    irl__tally_step step[IRL__TALLY_VARS];
    const irl_expr *count = NULL;
    int             k, n, index = -1, indices = 0;
    if (irl__tally_is_apart(w, group)) {
        const irl_expr *p = irl_expr_index(w->cx, 1);
        for (int j = 0; j < w->count; j++)
            if (w->v[j].group == group)
                p = irl__tally_mul(w, p, irl__tally_least_0(w, w->v[j].extent));
        return p;
    }
    for (k = 0; k < w->rank; k++)
        if (w->group[k] == group) index = k, indices++;
    if (indices != 1 || !irl__ok(w->cx)) return NULL;
    n = irl__tally_steps(w, w->index[index], group, step);
    if (n > 0) count = irl__tally_ladder(w, step, n);
    if (!count) count = irl__tally_digit(w, w->index[index], group);
    return irl__tally_mul(w, count, irl__tally_runs(w, group));
}

static const irl_expr *irl__tally_boxed(irl__tally_work *w)
{
    const irl_expr *cells = irl__tally_runs(w, -1);
    int             k;
    for (int g = 0; cells && g < w->groups; g++) {
        if (irl__tally_loops(w, g, &k))
            cells = irl__tally_mul(w, cells, irl__tally_group(w, g));
    }
    return cells;
}

static int irl__tally_uses_all(const irl__tally_work *w)
{
    for (int k = 0; k < w->count; k++)
        if (w->v[k].group < 0) return 0;
    return 1;
}

/* ------------------------------------------------------------------ the answer */

/* With what is assumed outside of all loops and conditions. */
static const irl_expr *irl__tally_tidy(irl__tally_work *w, const irl_expr *e)
{
    const irl__around *at = NULL;
    for (int k = w->node_count; k-- > 0; at = w->nodes[k])
        if (w->nodes[k]->kind == IRL__AROUND_LOOP || w->nodes[k]->kind == IRL__AROUND_GUARD) break;
    return e && irl__path_to(&w->path, at) ? irl__simplify(w->path.an, e) : NULL;
}

static void irl__tally_answer(irl__tally_work *w, irl__tally *out)
{
    const irl_expr *cells = NULL, *most;
    if (irl__path_is_dead(&w->path)) { /* there, everything would be proved */
        out->iterations = out->cells = irl_expr_index(w->cx, 0);
        out->iterations_are = out->cells_are = IRL_COUNT_EXACT;
        return;
    }
    out->iterations = irl__tally_iterations(w);
    if (!out->iterations) {
        w->reason = irl__tally_bounds;
        return;
    }
    out->iterations_are = w->is_guarded ? IRL_COUNT_AT_MOST : IRL_COUNT_EXACT;
    if (w->is_guarded) w->reason = irl__tally_guards;
    most = irl__tally_mul(w, out->iterations, irl_expr_index(w->cx, (int64_t)w->a->lanes));
    if (irl__buffer_cells_apart(w->a->buffer) && irl__path_to(&w->path, w->a->around) &&
        irl__tally_groups(w)) {
        if (!w->is_bent) cells = irl__tally_boxed(w);
        else if (irl__tally_uses_all(w) && irl__tally_is_apart(w, -1)) cells = most;
    }
    out->cells_are = cells && !w->is_guarded ? IRL_COUNT_EXACT : IRL_COUNT_AT_MOST;
    if (!cells && !w->reason) w->reason = irl__tally_cells;
    out->cells = irl__tally_tidy(w, cells ? cells : most);
    out->iterations = irl__tally_tidy(w, out->iterations);
    if (!out->cells) out->cells_are = IRL_COUNT_UNKNOWN;
    if (!out->iterations) out->iterations_are = IRL_COUNT_UNKNOWN;
}

int irl__tally_of(irl__accesses *t, const irl__cost_question *q, irl__tally *out)
{
    irl__arena_mark mark = irl__scratch_begin(t->cx);
    irl__tally_work w;
    memset(out, 0, sizeof *out);
    memset(&w, 0, sizeof w);
    w.cx = t->cx;
    w.t = t;
    w.q = q;
    w.a = &t->list[q->rows[0]];
    w.reason = irl__tally_bounds;
    int ok = irl__path_begin(&w.path, t);
    if (ok && q->count == 1 && !w.a->is_texel && w.a->kind != IRL__ACCESS_OPAQUE &&
        irl__tally_around(&w)) {
        w.reason = NULL;
        irl__tally_answer(&w, out);
    }
    out->reason = w.reason;
    irl__scratch_end(t->cx, mark);
    return irl__ok(t->cx);
}
