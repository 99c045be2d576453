/* cache_padded.c - the primitive that copies what a block reads under a condition, with the
   constant in the cells where the condition is false; or what it reads at an index that is clamped
   or wraps around, with the values beyond the ends.

   needs     copies.c, flow.c; proofs about indices
   promises  the block reads from the copy what the choice would have given it

   cache_padded
   requires  a block over axes of sizes that are numbers, with one choice, if_then_else or select,
             of a load of the buffer and constants; conditions over the axes alone, which do not
             tell points apart that load the same cell; or one load whose indices are the least or
             the largest of an index and a number, or its rest by one
   does      the copy holds the cells from the least index to the largest one, the value where the
             condition holds, the constant around, or at the clamped index; the block
             reads it without a condition:
                 i >= 1 && i < 9 ? x[i - 1] : 0.0f     x_padded[i]
                 x[max(min(i - 1, 7), 0)]              x_padded[i]
                 x[(i + 7) % 8]                        x_padded[i]
             Where the choice computes with what it loads, the condition stays, and the copy holds
             the buffer's cells and zeros around them: a load that is always in bounds may be one of
             vectors:
                 i >= 1 && i < 9 ? x[i - 1] * t : 0.0f i >= 1 && i < 9 ? x_padded[i] * t : 0.0f
   refuses   a condition that the indices do not decide; a cell of the copy for which the condition
             holds and that is not known to lie in the buffer; another choice, another value; what
             cache_read refuses of work-items
   cost      linear in the choice, times the axes; the copy is as large as the box of the indices */
#include "schedule.h"

typedef struct irl__padded {
    irl__flow_unit    u;
    const irl_stmt   *block;
    const irl_buffer *b, *cache;
    const irl_expr   *choice; /* of the body; NULL: none */
    int               choices, is_kept; /* the choice stays: it computes with what it loads */
    const irl_expr   *const *indices; /* of the load in it */
    const irl_expr   *free[IRL_MAX_RANK]; /* those before they are clamped or wrap around */
    irl__analyzer    *an;
    irl__copy_axes    axes; /* of the copy */
    const irl_expr   *at[IRL_MAX_RANK];   /* a cell of it, which is these axes */
    const irl_expr   *cell[IRL_MAX_RANK]; /* of the buffer, in terms of those axes */
    const irl_expr   *in[IRL_MAX_RANK];   /* the cell of the copy that the block reads */
    int               count; /* axes of the block in terms of those of the copy */
    const irl_expr   *from[IRL__FLOW_MOST], *to[IRL__FLOW_MOST];
} irl__padded;

/* ------------------------------------------------------------------ the choice */

static int irl__padded_is_choice(const irl_expr *e)
{
    return e->op == IRL_OP_IF_THEN_ELSE || e->op == IRL_OP_SELECT;
}

/* Which operand of an index is clamped by a number, or wraps around it; -1: it is no such. */
static int irl__padded_holds(const irl_expr *e)
{
    const int is_end = e->op == IRL_OP_MAX || e->op == IRL_OP_MIN;
    if (is_end && e->a[0]->op == IRL_OP_INT) return 1;
    if ((!is_end && e->op != IRL_OP_FLOORMOD) || e->a[1]->op != IRL_OP_INT) return -1;
    return is_end || e->a[1]->u.i > 0 ? 0 : -1;
}

/* A load of the buffer at such an index. */
static int irl__padded_is_held(const irl_expr *e, const irl_buffer *b)
{
    int k = irl__expr_is_load_of(e, b) ? b->rank : 0;
    while (k-- > 0 && irl__padded_holds(e->a[k]) < 0) {}
    return k >= 0;
}

/* Notes the outermost choices that load the buffer, which are expressions by their pointers. */
static int irl__padded_see(irl__visitor *v, const irl_expr *e)
{
    irl__padded *q = (irl__padded *)v->user;
    if (!irl__padded_is_held(e, q->b) &&
        (!irl__padded_is_choice(e) || !irl__expr_any(e, irl__expr_is_load_of, q->b)))
        return 1;
    if (q->choice != e) q->choices++;
    q->choice = e;
    return 0;
}

/* Constants, loads of the buffer at the same indices, and choices of them. */
static int irl__padded_value(irl__sched *s, irl__padded *q, const irl_expr *e)
{
    if (irl__is_const(e)) return 1;
    if (irl__padded_is_choice(e)) {
        if (e->type.lanes != 1 || (e->a[0]->flags & IRL__HAS_MEMORY))
            return irl__refuse(s, "the condition %s reads memory, or has several lanes",
                               irl_expr_text(s->cx, e->a[0]));
        return irl__padded_value(s, q, e->a[1]) && irl__padded_value(s, q, e->a[2]);
    }
    if (!irl__expr_is_load_of(e, q->b) || e->type.lanes != 1)
        return irl__refuse(s, "the block chooses %s, which is neither a constant nor a load of "
                           "'%B'", irl_expr_text(s->cx, e), q->b);
    if (q->indices && !irl__exprs_equal(q->b->rank, q->indices, e->a))
        return irl__refuse(s, "'%B' is loaded at several indices", q->b);
    q->indices = e->a;
    for (int k = 0; k < q->b->rank; k++)
        if (e->a[k]->flags & IRL__HAS_MEMORY)
            return irl__refuse(s, "the index of '%B' reads memory", q->b);
    return 1;
}

/* Is it a constant, a load, or a choice of them? */
static int irl__padded_is_plain(const irl_expr *e)
{
    if (irl__padded_is_choice(e))
        return irl__padded_is_plain(e->a[1]) && irl__padded_is_plain(e->a[2]);
    return irl__is_const(e) || e->op == IRL_OP_LOAD;
}

/* The loads of the buffer in what computes with them. */
typedef struct irl__padded_loads {
    const irl_buffer *b;
    const irl_expr   *load;
    int               is_one; /* expression, of one lane, at indices that read no memory */
} irl__padded_loads;

static int irl__padded_see_load(irl__visitor *v, const irl_expr *e)
{
    irl__padded_loads *q = (irl__padded_loads *)v->user;
    if (!irl__expr_is_load_of(e, q->b)) return 1;
    q->is_one &= (!q->load || q->load == e) && e->type.lanes == 1;
    for (int k = 0; k < q->b->rank; k++) q->is_one &= !(e->a[k]->flags & IRL__HAS_MEMORY);
    q->load = e;
    return 1;
}

/* The choice stays, and its load becomes one of the copy. */
static int irl__padded_keep(irl__sched *s, irl__padded *q)
{
    irl__padded_loads all = { q->b, NULL, 1 };
    irl__visitor      v = irl__visitor_make(&all, irl__padded_see_load, NULL);
    irl__visit_stmt(&v, q->u.block->body);
    if (!all.load || !all.is_one)
        return irl__refuse(s, "'%B' is loaded at several indices, or at one that reads memory",
                           q->b);
    q->is_kept = 1;
    q->choice = all.load;
    for (int k = 0; k < q->b->rank; k++) q->free[k] = all.load->a[k];
    return 1;
}

static int irl__padded_find(irl__sched *s, irl__padded *q)
{
    irl__visitor v = irl__visitor_make(q, irl__padded_see, NULL);
    int          held;
    irl__visit_stmt(&v, q->u.block->body);
    if (!q->choice)
        return irl__refuse(s, "'%N' does not choose between '%B' and a constant, and clamps or "
                           "wraps no index of it; if it always reads the buffer, use cache_read",
                           q->b);
    if (q->choices > 1)
        return irl__refuse(s, "'%B' is read in several conditional expressions, or at several "
                           "indices that are clamped or wrap around", q->b);
    if (!irl__padded_is_plain(q->choice)) return irl__padded_keep(s, q);
    if (!irl__padded_value(s, q, q->choice)) return 0;
    for (int k = 0; k < q->b->rank; k++) {
        q->free[k] = q->indices[k];
        while ((held = irl__padded_holds(q->free[k])) >= 0) q->free[k] = q->free[k]->a[held];
    }
    return 1;
}

/* ------------------------------------------------------------------ the cells

   A point v of the block loads the cell index(v). Where index k is an axis, or an axis and terms
   without it, that axis is the cell's coordinate less those terms: with each of them put in, what
   is left of a condition speaks of cells alone, or the cell does not decide it. All of it is
   arithmetic of integers, so a condition says of index(v) what it said of v. */

/* The axis in terms of the index's value and what else stands in it; NULL: it is no term. */
static const irl_expr *irl__padded_solve(irl__sched *s, irl__padded *q, const irl_expr *index,
                                         const irl_expr *axis, const irl_expr *value)
{
    const irl_expr *zero = irl_expr_index(s->cx, 0);
    const irl_expr *rest = irl__substitute(s->cx, index, 1, &axis, &zero);
    if (!rest) return NULL;
    if (irl__prove_equal(q->an, index, irl__add(s->cx, axis, rest)))
        return irl__sub(s->cx, value, rest);
    if (irl__prove_equal(q->an, index, irl__sub(s->cx, rest, axis)))
        return irl__sub(s->cx, rest, value);
    return NULL;
}

static const irl_expr *irl__padded_in_cells(irl__sched *s, irl__padded *q, const irl_expr *e)
{
    int k;
    for (k = 0; e && k < q->count; k++) e = irl__substitute(s->cx, e, 1, &q->from[k], &q->to[k]);
    return irl__canonical(q->an, e);
}

/* One axis of the block for each index that has one left. */
static int irl__padded_invert(irl__sched *s, irl__padded *q)
{
    for (int k = 0; k < q->b->rank; k++) {
        const irl_expr *index = irl__padded_in_cells(s, q, q->free[k]), *axis = NULL;
        if (!index) return 0;
        for (int j = 0; j < q->u.count && !axis; j++) {
            if (!irl__expr_uses_var(index, q->u.var[j])) continue;
            axis = irl__padded_solve(s, q, index, q->u.var[j], q->cell[k]);
            if (!irl__ok(s->cx)) return 0;
            if (!axis) continue;
            q->from[q->count] = q->u.var[j];
            q->to[q->count++] = axis;
        }
    }
    return 1;
}

/* What the indices take over all axes, and cells of it by axes of their own. */
static int irl__padded_box(irl__sched *s, irl__padded *q)
{
    int64_t lo, hi, extent;
    for (int k = 0; k < q->b->rank; k++) {
        irl__range(q->an, q->free[k], &lo, &hi);
        if (lo <= -IRL__MOST_EXTENT || hi >= IRL__MOST_EXTENT || lo > hi ||
            !irl__sub64(hi, lo, &extent))
            return irl__refuse(s, "as far as is known, the range of index %s of '%B' is not given "
                               "by numbers", irl_expr_text(s->cx, q->free[k]), q->b);
        q->at[k] = irl__copy_axis(s, &q->axes, irl_expr_index(s->cx, extent + 1), NULL, NULL);
        q->in[k] = irl__simplify(q->an, irl__sub(s->cx, q->free[k], irl_expr_index(s->cx, lo)));
        q->cell[k] = q->at[k];
        if (lo < 0) q->cell[k] = irl__sub(s->cx, q->at[k], irl_expr_index(s->cx, -lo));
        if (lo > 0) q->cell[k] = irl__add(s->cx, q->at[k], irl_expr_index(s->cx, lo));
    }
    for (int k = 0; k < q->b->rank; k++)
        if (!q->in[k] || !q->cell[k] ||
            !irl__bind_extent(q->an, q->at[k], irl_expr_index(s->cx, 0), q->axes.extent[k]))
            return 0;
    return 1;
}

/* ------------------------------------------------------------------ the copy */

static const irl_expr *irl__padded_store(irl__sched *s, irl__padded *q, const irl_expr *e);

/* The index of a cell of the copy, clamped and wrapped as the block's index is. */
static const irl_expr *irl__padded_held(irl__sched *s, const irl_expr *index, const irl_expr *cell)
{
    const int       held = irl__padded_holds(index);
    const irl_expr *e = held < 0 ? cell : irl__padded_held(s, index->a[held], cell);
    return held < 0 || !e ? e : irl_expr_op2(s->cx, (irl_op)index->op, e, index->a[!held]);
}

/* One arm, in the cells for which that holds. */
static const irl_expr *irl__padded_arm(irl__sched *s, irl__padded *q,
                                       const irl_expr *e, const irl_expr *holds)
{
    const int mark = irl__facts_mark(q->an);
    if (!holds || !irl__fact(q->an, holds)) return NULL;
    e = irl__padded_store(s, q, e);
    irl__facts_release(q->an, mark);
    return e;
}

/* What the choice gives, of a cell of the copy. */
static const irl_expr *irl__padded_store(irl__sched *s, irl__padded *q, const irl_expr *e)
{
    const irl_expr *no;
    if (irl__is_const(e)) return e;
    if (!irl__padded_is_choice(e)) {
        const irl_expr *at[IRL_MAX_RANK];
        for (int k = 0; k < q->b->rank; k++) {
            at[k] = irl__padded_held(s, q->indices[k], q->cell[k]);
            at[k] = irl__simplify(q->an, at[k]);
            if (!at[k]) return NULL;
            if (!irl__prove_within(q->an, at[k], q->b->shape[k])) {
                if (irl__ok(s->cx))
                    irl__refuse(s, "as far as is known, the copy could leave '%B' where the "
                                "condition holds: by its index %d", q->b, k);
                return NULL;
            }
        }
        return irl_expr_load(s->cx, q->b, q->b->rank, at);
    }
    const irl_expr *where = irl__padded_in_cells(s, q, e->a[0]);
    if (!where) return NULL;
    if (!irl__expr_is_over(where, q->b->rank, q->at) || irl__undefined_part(q->an, where)) {
        if (irl__ok(s->cx))
            irl__refuse(s, "as far as is known, one cell of '%B' could be used for different "
                        "values of %s", q->b, irl_expr_text(s->cx, e->a[0]));
        return NULL;
    }
    const irl_expr *yes = irl__padded_arm(s, q, e->a[1], where);
    no = yes ? irl__padded_arm(s, q, e->a[2], irl_expr_op1(s->cx, IRL_OP_NOT, where)) : NULL;
    if (where->op == IRL_OP_INT) return where->u.i ? yes : no;
    return irl_expr_op3(s->cx, IRL_OP_IF_THEN_ELSE, where, yes, no);
}

/* A cell of the buffer, and 0 where it has none. */
static const irl_expr *irl__padded_around(irl__sched *s, irl__padded *q)
{
    const irl_expr *inside = NULL, *at[IRL_MAX_RANK];
    for (int k = 0; k < q->b->rank; k++) {
        at[k] = irl__simplify(q->an, q->cell[k]);
        if (!at[k]) return NULL;
        if (irl__prove_within(q->an, at[k], q->b->shape[k])) continue;
        inside = irl__and(s->cx, inside,
                          irl_expr_op2(s->cx, IRL_OP_GE, at[k], irl_expr_index(s->cx, 0)));
        inside = irl__and(s->cx, inside,
                          irl_expr_op2(s->cx, IRL_OP_LT, at[k], q->b->shape[k]));
        inside = irl__simplify(q->an, inside);
        if (!inside) return NULL;
    }
    const irl_expr *load = irl_expr_load(s->cx, q->b, q->b->rank, at);
    return inside ? irl_expr_op3(s->cx, IRL_OP_IF_THEN_ELSE, inside, load,
                                 irl__zero(s->cx, q->b->type))
                  : load;
}

/* Before the copy: what is read, where, and into what. The level of the copy; -1: refused. */
static int irl__padded_read(irl__sched *s, irl__padded *q)
{
    const int level = irl__copy_of_block(s, 0, &q->u, &q->b);
    if (level < 0 || !irl__padded_find(s, q)) return -1;
    q->block = irl__place_last(&q->u.p);
    q->an = irl__flow_analyzer(s, &q->u);
    if (!q->an || !irl__padded_box(s, q) || (!q->is_kept && !irl__padded_invert(s, q))) return -1;
    q->cache = irl__copy_buffer_in(s, q->b, q->axes.extent, &s->args[2], IRL__COPY_IMAGE_NONE);
    if (!q->cache) return -1;
    if (irl__scope_is_image(q->cache->scope))
        return irl__refuse_at(s, s->args[2].loc, "this step makes no copy in an image") - 1;
    return irl__copy_is_common(s, &q->u.p, level, q->cache, &s->args[2]) ? level : -1;
}

int irl__do_cache_padded(irl__sched *s)
{
    irl__padded     q;
    const irl_stmt *before[2], *block = NULL;
    memset(&q, 0, sizeof q);
    const int level = irl__padded_read(s, &q);
    if (level < 0) return 0;
    const irl_expr *value = q.is_kept ? irl__padded_around(s, &q)
                                      : irl__padded_store(s, &q, q.choice);
    if (!value) return 0;
    before[0] = irl_stmt_alloc(s->cx, q.cache);
    before[1] = irl__copy_nest(
        s, &q.axes, irl__result_name(s, 0, q.cache->name), NULL,
        irl__stmt_store(s->cx, q.cache, value, q.b->rank, q.at, q.b->loc), &block);
    const irl_stmt *now = irl__copy_redirected(s, q.block, q.b, q.choice, q.cache, q.in);
    return irl__copy_around(s, &q.u.p, level, now, q.b, before, 2, NULL, block);
}
