/* arrange_loops.c - arranges the parallel loops of a nest without a schedule for memory, as
   arrange.c decides.

   requires  flatten and simplify: one index per access, a sum of multiples of variables
   maintains what is computed; the order of iterations changes, which parallel loops allow
   breaks    loops that are fused, and their ids
   cost      linear in the nest, times its loops squared

   Decisions that need only strides are made here also for extents that are not numbers, and for
   targets without automatic schedules. Indices stay as simplify leaves them, so none of them is
   simplified again. */
#include "pass.h"

typedef struct irl__arrange_loop {
    const irl_stmt *loop;
    const irl_expr *var;  /* what stands for its variable now; NULL: 0, it went into another */
    const irl_expr *tile; /* the variable within the tile; NULL: not tiled */
} irl__arrange_loop;

typedef struct irl__arrange_state {
    irl_ctx          *cx;
    irl__arrange      plan;
    irl__arrange_loop loops[IRL_MAX_RANK];
    irl__arrange_row *rows;
    int               is_opaque; /* something in it that is left alone */
    int               is_failed;
} irl__arrange_state;

/* ----------------------------------------------------- what the body does with the variables */

static int irl__arrange_find(const irl__arrange_state *s, const irl_expr *var)
{
    for (int k = 0; k < s->plan.count; k++)
        if (s->loops[k].loop->u.loop.var == var) return k;
    return -1;
}

/* Adds scale * e to the row. What is not a sum of multiples is looked at by itself: it has rows of
   its own. */
static void irl__arrange_terms(irl__visitor *v, const irl_expr *e, int64_t scale,
                               irl__arrange_row *row)
{
    irl__arrange_state *s = (irl__arrange_state *)v->user;
    int64_t             product;
    if (e->op == IRL_OP_ADD) {
        irl__arrange_terms(v, e->a[0], scale, row);
        irl__arrange_terms(v, e->a[1], scale, row);
    } else if (e->op == IRL_OP_MUL && e->a[1]->op == IRL_OP_INT) {
        if (!irl__mul64(scale, e->a[1]->u.i, &product)) s->is_opaque = 1;
        else irl__arrange_terms(v, e->a[0], product, row);
    } else if (e->op == IRL_OP_VAR) {
        int k = irl__arrange_find(s, e);
        if (k >= 0 && !irl__add64(row->step[k], scale, &row->step[k])) s->is_opaque = 1;
    } else {
        for (uint32_t i = 0; i < e->count; i++) irl__visit_expr(v, e->a[i]);
    }
}

static void irl__arrange_see(irl__visitor *v, const irl_expr *e, irl__arrange_use use)
{
    irl__arrange_state *s = (irl__arrange_state *)v->user;
    irl__arrange_row    row;
    if (!(e->flags & IRL__HAS_VAR)) return;
    memset(&row, 0, sizeof row);
    row.use = use;
    irl__arrange_terms(v, e, 1, &row);
    if (!IRL__PUSH_SCRATCH(s->cx, s->rows, row)) s->is_failed = 1;
}

static int irl__arrange_expr(irl__visitor *v, const irl_expr *e)
{
    ((irl__arrange_state *)v->user)->plan.nodes++;
    if (e->op == IRL_OP_LOAD) {
        for (uint32_t k = 0; k < e->count; k++) irl__arrange_see(v, e->a[k], IRL__USE_LOAD);
        return 0;
    }
    if (!irl__type_is_index(e->type) || e->type.lanes != 1)
        return (e->flags & (IRL__HAS_VAR | IRL__HAS_MEMORY)) != 0;
    if (e->op == IRL_OP_ADD || e->op == IRL_OP_MUL || e->op == IRL_OP_VAR) {
        irl__arrange_see(v, e, IRL__USE_VALUE);
        return 0;
    }
    return (e->flags & IRL__HAS_VAR) != 0;
}

static int irl__arrange_stmt(irl__visitor *v, const irl_stmt *st)
{
    irl__arrange_state *s = (irl__arrange_state *)v->user;
    s->plan.nodes++;
    switch ((irl__stmt_kind)st->kind) {
    case IRL__SEQ:
    case IRL__IF:
    case IRL__LET:
    case IRL__EVALUATE:
    case IRL__ASSUME:
    case IRL__ASSERT: return 1;
    case IRL__STORE:
        for (int k = 0; k < st->u.store.buffer->rank; k++)
            irl__arrange_see(v, st->u.store.indices[k], IRL__USE_STORE);
        irl__visit_expr(v, st->u.store.value);
        return 0;
    case IRL__FOR:
        if (st->u.loop.kind == IRL_VECTORIZED && st->u.loop.body->kind == IRL__STORE &&
            st->u.loop.extent->op == IRL_OP_INT)
            s->plan.vector = st->u.loop.extent->u.i *
                             (int64_t)irl__type_bytes(st->u.loop.body->u.store.buffer->type);
        else s->plan.nodes += IRL__ARRANGE_SMALL; /* too much to be repeated */
        if (st->u.loop.kind != IRL_BOUND) return 1;
        break;
    default: break;
    }
    s->is_opaque = 1;
    return 0;
}

static int irl__arrange_uses_nest(const irl__arrange_state *s, const irl_expr *e)
{
    for (int k = 0; k < s->plan.count; k++)
        if (irl__expr_uses_var(e, s->loops[k].loop->u.loop.var)) return 1;
    return 0;
}

/* The perfect nest of parallel loops, outermost first; returns its body. */
static const irl_stmt *irl__arrange_collect(irl__arrange_state *s, const irl_stmt *st)
{
    for (; s->plan.count < IRL_MAX_RANK && st->kind == IRL__FOR && st->u.loop.kind == IRL_PARALLEL;
         st = st->u.loop.body) {
        irl__arrange_loop *l = &s->loops[s->plan.count];
        if (irl__arrange_uses_nest(s, st->u.loop.min) ||
            irl__arrange_uses_nest(s, st->u.loop.extent))
            s->is_opaque = 1;
        l->loop = st;
        l->var = st->u.loop.var;
        s->plan.extent[s->plan.count++] =
            irl__is_int(st->u.loop.min, 0) && st->u.loop.extent->op == IRL_OP_INT &&
                    !st->u.loop.annotation_count
                ? st->u.loop.extent->u.i
                : 0;
    }
    irl__visitor v = irl__visitor_make(s, irl__arrange_expr, irl__arrange_stmt);
    if (s->plan.count) irl__visit_stmt(&v, st);
    return st;
}

/* ------------------------------------------------------------------ new variables */

static void irl__arrange_vars(irl__arrange_state *s)
{
    irl__arrange_loop *tiled = s->plan.factor ? &s->loops[s->plan.writes] : NULL;
    for (int k = s->plan.count; k-- > 0 && !s->is_failed;)
        if (s->plan.into[k] >= 0) {
            irl__arrange_loop *a = &s->loops[k], *b = &s->loops[s->plan.into[k]];
            const char        *name = irl__loop_cut_name(s->cx, a->var, b->var->u.name);
            b->var = irl_expr_var(s->cx, name, b->var->type);
            a->var = NULL;
            if (!b->var) s->is_failed = 1;
        }
    if (!tiled || s->is_failed) return;
    const char *name = irl__loop_cut_name(s->cx, tiled->var, "in");
    tiled->tile = irl_expr_var(s->cx, name, tiled->var->type);
    if (!tiled->tile) s->is_failed = 1;
    s->plan.extent[s->plan.writes] /= s->plan.factor;
}

/* ------------------------------------------------------------------ the nest again */

typedef struct irl__arrange_rename {
    const irl__arrange_state *nest;
    /* the last sum and what became of it: accesses often share an index */
    const irl_expr *from, *to;
} irl__arrange_rename;

static const irl_expr *irl__arrange_times(irl_ctx *cx, const irl_expr *e, int64_t factor)
{
    return factor == 1 ? e : irl__mul(cx, e, irl_expr_index(cx, factor));
}

/* What stands for `scale` times a variable of the nest. */
static const irl_expr *irl__arrange_multiple(irl_ctx *cx, const irl__arrange_rename *r, int k,
                                             int64_t scale)
{
    const irl__arrange_loop *l = &r->nest->loops[k];
    const int64_t            factor = r->nest->plan.factor;
    int64_t                  step;
    if (!l->var) return irl_expr_index(cx, 0);
    if (!l->tile) return irl__arrange_times(cx, l->var, scale);
    if (!irl__mul64(scale, factor, &step))
        return irl__arrange_times(
            cx, irl__add(cx, irl__arrange_times(cx, l->var, factor), l->tile), scale);
    return irl__add(cx, irl__arrange_times(cx, l->var, step),
                    irl__arrange_times(cx, l->tile, scale));
}

/* Sums stay as simplify leaves them: without zeros and with multiples spread out. */
static const irl_expr *irl__arrange_rewrite(irl__rewriter *r, const irl_expr *e)
{
    irl__arrange_rename *rename = (irl__arrange_rename *)r->user;
    int                  k;
    if (!(e->flags & IRL__HAS_VAR)) return e;
    if (e->op == IRL_OP_VAR) {
        k = irl__arrange_find(rename->nest, e);
        return k < 0 ? e : irl__arrange_multiple(r->cx, rename, k, 1);
    }
    if (e->op == IRL_OP_MUL && e->a[0]->op == IRL_OP_VAR && e->a[1]->op == IRL_OP_INT) {
        k = irl__arrange_find(rename->nest, e->a[0]);
        return k < 0 ? e : irl__arrange_multiple(r->cx, rename, k, e->a[1]->u.i);
    }
    if (e->op != IRL_OP_ADD || !irl__type_is_index(e->type) || e->type.lanes != 1)
        return irl__rewrite_expr_children(r, e);
    if (e == rename->from) return rename->to;
    const irl_expr *a = irl__rewrite_expr(r, e->a[0]);
    const irl_expr *b = irl__rewrite_expr(r, e->a[1]);
    if (!a || !b) return NULL;
    rename->from = e;
    return rename->to = irl__is_int(a, 0) ? b : irl__is_int(b, 0) ? a : irl__add(r->cx, a, b);
}

/* note(group = most): a launch may take up to so many iterations into one group. */
static int irl__arrange_note(irl_ctx *cx, irl_stmt *loop, int64_t most)
{
    irl__annotation *note = (irl__annotation *)irl__alloc_array(cx, 1, sizeof *note);
    if (!note) return 0;
    note->key = irl__namez(cx, IRL__NOTE_GROUP);
    note->value = irl_expr_index(cx, most);
    loop->u.loop.annotations = note;
    loop->u.loop.annotation_count = 1;
    return note->key && note->value;
}

/* Loop k around the body, as it is now. */
static const irl_stmt *irl__arrange_loop_around(const irl__arrange_state *s, int k, int64_t group,
                                                const irl_stmt *body)
{
    irl_stmt *copy = irl__stmt_copy(s->cx, s->loops[k].loop);
    if (!copy || (group && !irl__arrange_note(s->cx, copy, group))) return NULL;
    copy->u.loop.var = s->loops[k].var;
    if (s->plan.extent[k]) copy->u.loop.extent = irl_expr_index(s->cx, s->plan.extent[k]);
    copy->u.loop.body = body;
    return irl__stmt_finish(s->cx, copy);
}

static const irl_stmt *irl__arrange_build(const irl__arrange_state *s, const irl_stmt *body)
{
    const irl__arrange *plan = &s->plan;
    irl__arrange_rename rename;
    memset(&rename, 0, sizeof rename);
    rename.nest = s;
    irl__rewriter r = irl__rewriter_make(s->cx, &rename, irl__arrange_rewrite, NULL);
    body = irl__rewrite_stmt(&r, body);
    if (body && plan->factor) {
        body = irl_stmt_for(s->cx, IRL_UNROLLED, s->loops[plan->writes].tile,
                            irl_expr_index(s->cx, 0), irl_expr_index(s->cx, plan->factor), body);
        if (body) body = irl__arrange_loop_around(s, plan->reads, IRL__ARRANGE_GROUP, body);
    }
    for (int k = plan->count; body && k-- > 0;) {
        if (!s->loops[k].var || (plan->factor && k == plan->reads)) continue;
        body = irl__arrange_loop_around(
            s, k, plan->factor && k == plan->writes ? plan->extent[k] : 0, body);
    }
    return body;
}

/* ------------------------------------------------------------------ the pass */

static const irl_stmt *irl__arrange_nest(irl__rewriter *r, const irl_stmt *st)
{
    irl__arrange_state s;
    if (st->kind == IRL__SEQ) return irl__rewrite_stmt_children(r, st);
    if (irl__stmt_is_scheduled(st)) return st;
    memset(&s, 0, sizeof s);
    s.cx = r->cx;
    const irl_stmt *body = irl__arrange_collect(&s, st);
    if (s.plan.count < 2 || s.is_opaque || s.is_failed) return s.is_failed ? NULL : st;
    s.plan.rows = s.rows;
    s.plan.row_count = (int)stbds_arrlen(s.rows);
    if (!irl__arrange_decide(&s.plan, *(const irl_target *const *)r->user)) return st;
    irl__arrange_vars(&s);
    return s.is_failed ? NULL : irl__arrange_build(&s, body);
}

irl_func *irl__pass_arrange_loops(const irl_func *f, const irl_target *target)
{
    irl__rewriter r = irl__rewriter_make(f->cx, &target, NULL, irl__arrange_nest);
    return irl__rewrite_func(&r, f);
}
