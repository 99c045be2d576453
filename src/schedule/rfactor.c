/* rfactor.c - the primitive that makes partial results of a reduction, one for each iteration of a
   loop.

   needs     place.c, flow.c; the verdict on maps; src/analysis for updates and kinds of axes
   promises  the same updates, in another order and with other brackets, each once */
#include "../pass/layouts.h"
#include "schedule.h"

/* ------------------------------------------------------------------ rfactor

   requires  a serial loop around a block alone, of whose reduce axes it is; the block updates one
             cell by + * min max & | ^, maybe under conditions, floats summed after reassociate,
             or picks an element, as argmin does: along the outermost loop of reduce axes, or an
             integer that it stores tells which of two equal elements comes first;
             its other loops are of spatial or of reduce axes, all in one chain
   does      the block name_rf, in the loops that there are, updates an element of its own for each
             iteration of the loop: the temporary x_rf has the loop for its axis of that number,
             counted from the end where it is negative. It stands where the chain of loops begins,
             so an index that loops around it alone determine is 0 there. The block keeps its name,
             and reduces these elements in loops of their own behind
   refuses   a loop of spatial axes; a block that updates something else; sums whose order is not
             free; spatial axes along which instances meet, or that have several iterations; what
             is in an image or shared by a group; bounds that read memory; calls that may do
             anything
   source    Suriana, Adams and Kamil, Parallel Associative Reductions in Halide (CGO 2017)
   rule      a condition on the reduce axes is part of the block, so each partial result has its
             init; one in the body that keeps cells apart or inside becomes one of both blocks */

enum { IRL__RFACTOR_CELLS = 4 };

/* A cell that the block writes, and the temporary that holds it for each part. */
typedef struct irl__rfactor_cell {
    const irl_stmt   *store, *init; /* init NULL: the block has none */
    const irl_buffer *b, *rf;       /* of the store; rf has an axis more, the loop */
    int               axis;         /* which that is */
    uint8_t           is_still[IRL_MAX_RANK]; /* indices of the cell */
} irl__rfactor_cell;

typedef struct irl__rfactor {
    irl__place             p; /* of the block */
    const irl_stmt        *at;
    const irl__block_data *block;
    const irl_stmt        *loop;
    const irl_expr        *guard; /* conditions around the update; NULL: none */
    /* of a pick: the condition, and the comparison in it, of what cell 0 holds; NULL: a sum */
    const irl_expr        *condition, *better;
    const irl_expr        *tie;     /* the comparison of equal elements, or NULL */
    int                    tied;    /* the cell of that comparison */
    int                    is_last; /* of equal elements the last is kept: better is <= or >= */
    irl__rfactor_cell      cells[IRL__RFACTOR_CELLS]; /* a sum has one */
    int                    cell_count;
    int                    top; /* the level of the outermost loop */
    irl_op                 op;
    irl__axis             *axes; /* of the block that is made */
    uint8_t                of_space[IRL_MAX_DEPTH + 2]; /* per level: a loop of spatial axes */
    uint8_t                of_sum[IRL_MAX_DEPTH + 2];   /* ... of the chain, of none */
    int                    sums; /* those: their variables, 0, and what they are in the new block */
    const irl_expr        *sum[IRL_MAX_DEPTH + 1], *zero[IRL_MAX_DEPTH + 1];
    const irl_expr        *now[IRL_MAX_DEPTH + 1];
    const irl_expr        *outer, *inner; /* the condition, on spatial axes and on others */
    const irl_expr        *first;         /* of these, that an init runs */
    const irl_expr        *runs; /* the reduce loops that go do, where that is not known; or NULL */
    /* variables of the new block: of the loop's axis, then of the old axes */
    const irl_expr        *part;
    const irl_expr        *from[IRL__FLOW_MOST], *to[IRL__FLOW_MOST];
    int                    renamed;
} irl__rfactor;

/* A spatial axis that the cell does not depend on has one instance per cell only under the
   conditions in the body. The init and the sum that this step adds have none of these: here it is
   a reduce axis. */
static int irl__rfactor_relabel(irl__sched *s, irl__rfactor *q)
{
    /* The block's store, without its lets and conditions, if it has nothing else. */
    irl_ctx        *cx = s->cx;
    const irl_stmt *at = irl__stmt_without_lets(cx, q->block->body);
    while (at && at->kind == IRL__IF && !at->u.branch.else_)
        at = irl__stmt_without_lets(cx, at->u.branch.then_);
    const irl_stmt  *store = at && at->kind == IRL__STORE ? at : NULL;
    irl__block_data *data = IRL__COPY(s->cx, irl__block_data, q->block, 1);
    irl__axis       *axes = IRL__COPY(s->cx, irl__axis, q->block->axes, q->block->axis_count);
    if (!data || !axes) return irl__ok(s->cx);
    for (int k = 0; store && !data->init && k < data->axis_count; k++)
        for (int j = q->top; j < q->p.count - 1; j++)
            if (!irl__is_int(axes[k].extent, 1) &&
                !irl__exprs_use_var(store->u.store.buffer->rank, store->u.store.indices,
                                    axes[k].var) &&
                irl__expr_uses_var(axes[k].binding, q->p.at[j]->u.loop.var))
                axes[k].is_reduction = 1;
    data->axes = axes;
    q->block = data;
    return 1;
}

/* The block that stands alone in the loop, in more loops. */
static int irl__rfactor_read(irl__sched *s, irl__rfactor *q)
{
    const irl_stmt *at = irl__place_last(&s->p);
    q->loop = at;
    while (at->kind == IRL__FOR) at = at->u.loop.body;
    if (at->kind != IRL__BLOCK) return irl__sched_refuse_loop(s, q->loop);
    if (!irl__place_of(s->f->body, at->id, &q->p)) return 0;
    q->at = at;
    q->block = at->u.block;
    if (q->block->alloc_count || q->block->match_count)
        return irl__refuse(s, "'%s' has its own memory", q->block->name);
    if (irl__stmt_is_parallel(q->loop))
        return irl__refuse(s, "the loop '%L' is not serial", q->loop);
    for (q->top = q->p.count - 1; q->top > 0 && q->p.at[q->top - 1]->kind == IRL__FOR;) q->top--;
    return irl__rfactor_relabel(s, q) && irl__flow_keeps_calls(s, q->at) &&
           irl__flow_bounds_are_named(s, &q->p, q->top);
}

/* Which loops are of spatial axes. Reduce axes are of loops of the chain, from 0 on. */
static int irl__rfactor_sort(irl__sched *s, irl__rfactor *q)
{
    if (!irl__flow_init_knows_axes(s, q->block, &q->p, q->top)) return 0;
    for (int k = 0; k < q->p.count - 1; k++) {
        const irl_stmt *at = q->p.at[k];
        if (at->kind != IRL__FOR) continue;
        int spatial = irl__axes_use(q->block, at->u.loop.var, 0);
        int reduce = irl__axes_use(q->block, at->u.loop.var, 1);
        if (reduce && k < q->top)
            return irl__refuse(s, "a reduce axis of '%s' depends on the loop '%L', and that loop "
                               "contains more than it", q->block->name, at);
        if (k < q->top) continue;
        if (reduce && spatial)
            return irl__refuse(s, "the loop '%L' belongs to a spatial and to a reduce axis", at);
        q->of_space[k] = spatial != 0;
        q->of_sum[k] = !spatial;
        if (spatial && at == q->loop)
            return irl__refuse(s, "the loop '%L' belongs to a spatial axis: there is nothing to "
                               "sum along it", at);
        if (!spatial && !reduce && !irl__is_int(at->u.loop.extent, 1))
            return irl__refuse(s, "the loop '%L' belongs to no axis", at);
        if (!spatial && !irl__is_int(at->u.loop.min, 0))
            return irl__refuse(s, "the loop '%L' does not begin at 0", at);
    }
    if (!irl__axes_use(q->block, q->loop->u.loop.var, 1) &&
        !irl__is_int(q->loop->u.loop.extent, 1))
        return irl__refuse(s, "the loop '%L' belongs to no reduce axis of '%s'", q->loop,
                           q->block->name);
    for (int k = q->top; k < q->p.count - 1; k++) {
        if (q->of_sum[k]) {
            q->zero[q->sums] = q->p.at[k]->u.loop.min;
            q->sum[q->sums++] = q->p.at[k]->u.loop.var;
        }
        for (int j = q->top; j < q->p.count - 1; j++)
            if (!irl__loop_is_free(s, s->step->loc, q->p.at[k], q->p.at[j]->u.loop.var)) return 0;
    }
    return 1;
}

/* ------------------------------------------------------------------ the update */

/* The one update in the block's body: its init may read what it begins with. */
static const irl_stmt *irl__rfactor_row(const irl__rfactor *q, irl__accesses *t,
                                        const irl__access **update)
{
    const irl__around *node = irl__block_of(t, q->at);
    irl__place         in;
    *update = NULL;
    for (int k = node ? node->first : 0; node && k < node->end; k++) {
        const irl__access *a = &t->list[k];
        if (a->is_declared || a->place == q->at) continue;
        if (a->kind == IRL__ACCESS_OPAQUE) return NULL;
        if (q->block->init && irl__place_of_stmt(q->block->init, a->place, &in)) continue;
        if (a->kind == IRL__ACCESS_UPDATE && !*update) *update = a;
        else if (irl__flow_is_write(a) && !irl__access_in(a, q->at)) return NULL;
    }
    return *update ? (*update)->place : NULL;
}

/* Does the block read what it sums, beside the update, and beside an init that begins with what the
   cell holds? Then a condition, say, is of what is there by then, which partial results do not
   show. */
static int irl__rfactor_is_read(const irl__rfactor *q, irl__accesses *t, const irl__access *update)
{
    const irl__around *node = irl__block_of(t, q->at);
    for (int k = 0; k < t->count; k++) {
        const irl__access *a = &t->list[k];
        if (a->kind == IRL__ACCESS_READ && !a->is_declared && a->of_pair < 0 &&
            (a->place == q->at || (node && k >= node->first && k < node->end)) &&
            !(q->block->init && irl__init_is_own(q->block->init, a)) &&
            irl__access_alias(t, a, update) != IRL_NO)
            return 1;
    }
    return 0;
}

/* The cell is one of the spatial axes alone. */
static int irl__rfactor_is_of_space(irl__sched *s, const irl__rfactor *q, const irl_stmt *store)
{
    for (int k = 0; k < store->u.store.buffer->rank; k++) {
        const irl_expr *index = store->u.store.indices[k];
        for (int j = 0; j < q->block->axis_count; j++)
            if (q->block->axes[j].is_reduction && irl__expr_uses_var(index, q->block->axes[j].var))
                return irl__refuse(s, "the cell that '%s' updates depends on the reduce axis '%s'",
                                   q->block->name, q->block->axes[j].var->u.name);
        for (int j = q->top; j < q->p.count - 1; j++)
            if (q->p.at[j]->kind == IRL__FOR && irl__expr_uses_var(index, q->p.at[j]->u.loop.var))
                return irl__refuse(s, "the cell that '%s' updates depends on the loop '%L' "
                                   "directly, not through its axes", q->block->name, q->p.at[j]);
    }
    return 1;
}

/* Instances that differ in a spatial axis touch cells of their own. */
static int irl__rfactor_is_spatial(irl__sched *s, const irl__rfactor *q, irl__accesses *t)
{
    const irl__around *node = irl__block_of(t, q->at);
    irl__meeting       m;
    for (int k = 0; k < q->block->axis_count; k++)
        if (!q->block->axes[k].is_reduction &&
            irl__axis_kind_of(t, node, k, &m) != IRL__KIND_SPATIAL)
            return irl__refuse_meeting(s, t, &m, "instances that differ in a spatial axis access "
                                       "one cell", NULL);
    return irl__ok(s->cx);
}

/* ------------------------------------------------------------------ a pick

   if (x[r] < best) { best = x[r]; at = r; }, the argmin: of equal elements the first. Parts that
   are joined in the order of their elements by the same comparison pick the same. So do parts in
   any order if an integer that is stored, as r, grows or falls from each element to the next: of
   equal elements it tells the first. With <= it is the last, which a part that has taken nothing
   must not replace: such an integer is always needed, and its init comes before all elements. */

/* The stores that s is, one behind the other; -1: it is something else. */
static int irl__rfactor_stores(const irl_stmt *s, const irl_stmt **out)
{
    const int count = irl__stmt_count(s);
    if (count > IRL__RFACTOR_CELLS) return -1;
    for (int k = 0; k < count; k++) {
        out[k] = irl__stmt_at(s, k);
        if (out[k]->kind != IRL__STORE) return -1;
    }
    return count;
}

static int irl__rfactor_is_order(const irl_expr *e)
{
    return e->op >= IRL_OP_LT && e->op <= IRL_OP_GE;
}

/* Does e order the value of a store and what its cell holds? */
static int irl__rfactor_orders(const irl_expr *e, const irl_stmt *store)
{
    for (int k = 0; irl__rfactor_is_order(e) && k < 2; k++)
        if (e->a[k] == store->u.store.value && irl__store_is_held(store, e->a[1 - k])) return 1;
    return 0;
}

/* x < best || x == best && r < at: the comparison of *better is x < best, the result r < at.
   NULL: it is none of these. */
static const irl_expr *irl__rfactor_read_tie(const irl_expr **better)
{
    const irl_expr *e = *better, *both = e->op == IRL_OP_OR ? e->a[1] : e;
    if (both == e || both->op != IRL_OP_AND || both->a[0]->op != IRL_OP_EQ) return NULL;
    for (int k = 0; k < 2; k++)
        if (both->a[0]->a[k] == e->a[0]->a[0] && both->a[0]->a[1 - k] == e->a[0]->a[1]) {
            *better = e->a[0];
            return both->a[1];
        }
    return NULL;
}

/* Does the store keep an integer as it is? */
static int irl__rfactor_is_place(const irl_stmt *store)
{
    return irl__type_is_integer(store->u.store.buffer->type) &&
           store->u.store.buffer->type.lanes == 1 &&
           !irl__bitfield_is_narrow(store->u.store.buffer);
}

/* The block as a pick; its body is `if (better) now`. False: it is none, which is no failure. */
static int irl__rfactor_read_pick(irl__sched *s, irl__rfactor *q, const irl_expr *better,
                                  const irl_stmt *now)
{
    const irl_stmt *stores[IRL__RFACTOR_CELLS], *inits[IRL__RFACTOR_CELLS];
    const irl_stmt *then = irl__stmt_without_lets(s->cx, now);
    const int       count = then && then->kind == IRL__SEQ ? irl__rfactor_stores(then, stores) : -1;
    int             first = -1;
    if (count < 2 || !q->block->init || irl__rfactor_stores(q->block->init, inits) != count)
        return 0;
    q->condition = better;
    const irl_expr *tie = irl__rfactor_read_tie(&better);
    for (int k = 0; k < count; k++)
        if (irl__rfactor_orders(better, stores[k])) first = k;
    if (first < 0) return 0;
    for (int k = 0; k < count; k++) {
        irl__rfactor_cell *cell = &q->cells[k];
        cell->store = stores[k == 0 ? first : k == first ? 0 : k];
        cell->b = cell->store->u.store.buffer;
        for (int j = 0; j < count; j++)
            if (irl__store_is_at(inits[j], cell->b, cell->store->u.store.indices))
                cell->init = inits[j];
        for (int j = 0; j < k; j++)
            if (q->cells[j].b == cell->b) return 0;
        if (!cell->init || (cell->init->u.store.value->flags & IRL__HAS_MEMORY)) return 0;
    }
    q->is_last = irl__op_strict(better->op) != (irl_op)better->op;
    q->tied = 0;
    for (int k = 1; tie && k < count; k++)
        if (irl__rfactor_orders(tie, q->cells[k].store)) q->tied = k;
    if (tie && (q->is_last || !q->tied || irl__op_strict(tie->op) != (irl_op)tie->op ||
                !irl__rfactor_is_place(q->cells[q->tied].store)))
        return 0;
    q->tie = tie;
    q->better = better;
    q->cell_count = count;
    return 1;
}

/* Stores of values that lets before them name, the lets substituted; -1: it is something else. */
static int irl__rfactor_read_lets(irl_ctx *cx, const irl_stmt *body, const irl_stmt **out)
{
    int lets = 0, count;
    while (body->kind == IRL__SEQ && lets < body->u.seq.count &&
           body->u.seq.stmts[lets]->kind == IRL__LET)
        lets++;
    count = body->kind == IRL__SEQ ? body->u.seq.count - lets : 0;
    if (count < 2 || count > IRL__RFACTOR_CELLS) return -1;
    for (int k = 0; k < count; k++) {
        out[k] = body->u.seq.stmts[lets + k];
        if (out[k]->kind != IRL__STORE || out[k]->u.store.value->op != IRL_OP_VAR) return -1;
        for (int j = lets; j-- > 0;) {
            const irl_stmt *let = body->u.seq.stmts[j];
            out[k] = irl__substitute_stmt(cx, out[k], 1, &let->u.let.var, &let->u.let.value);
            if (!out[k]) return -1;
        }
    }
    return count;
}

/* let a = select(x < best, r, at); let b = select(x < best, x, best); at = a; best = b;
   is read as if (x < best) { at = r; best = x; }. NULL: it is something else.
   *better is the comparison, or the converse of one that keeps what is there (*keeps), which with
   NaN is another. */
static const irl_stmt *irl__rfactor_choices(irl_ctx *cx, const irl_stmt *body,
                                            const irl_expr **better, int *keeps)
{
    const irl_stmt *stores[IRL__RFACTOR_CELLS], *now[IRL__RFACTOR_CELLS];
    const irl_expr *condition = NULL;
    const int       count = irl__rfactor_read_lets(cx, body, stores);
    for (int k = 0; k < count; k++) {
        const irl_expr *e = stores[k]->u.store.value;
        if (e->op != IRL_OP_SELECT && e->op != IRL_OP_IF_THEN_ELSE) return NULL;
        const int       is_first = irl__store_is_held(stores[k], e->a[1]);
        const irl_expr *taken = e->a[is_first ? 2 : 1];
        if ((!is_first && !irl__store_is_held(stores[k], e->a[2])) ||
            (k && (condition != e->a[0] || *keeps != is_first)))
            return NULL;
        condition = e->a[0];
        *keeps = is_first;
        now[k] = irl__stmt_store_of(cx, stores[k], taken);
    }
    if (!condition || condition->type.lanes != 1) return NULL;
    *better = condition;
    if (*keeps) {
        if (!irl__rfactor_is_order(condition)) return NULL;
        *better = irl_expr_op2(cx, irl__op_negated(condition->op), condition->a[0],
                               condition->a[1]);
    }
    return *better ? irl__stmt_seq(cx, count, now) : NULL;
}

static const irl_expr *irl__rfactor_var(irl__sched *s, const char *prefix, const char *name)
{
    return irl_expr_var(s->cx, irl__format(s->cx, "%s%s", prefix, name), irl__type_index());
}

/* Does e load one of the cells that are written? */
static int irl__rfactor_loads(const irl_expr *e, const void *user)
{
    const irl__rfactor *q = (const irl__rfactor *)user;
    for (int k = 0; e->op == IRL_OP_LOAD && k < q->cell_count; k++)
        if (e->u.buffer == q->cells[k].b) return 1;
    return 0;
}

/* Nothing else is written, and what is written is read in the comparison alone, or by a choice
   where it stays. */
static int irl__rfactor_picks_alone(const irl__rfactor *q, irl__accesses *t)
{
    const irl__around *node = irl__block_of(t, q->at);
    const irl__access *written[IRL__RFACTOR_CELLS];
    irl__place         in;
    int                count = 0;
    for (int k = node ? node->first : 0; node && k < node->end; k++) {
        const irl__access *a = &t->list[k];
        if (a->is_declared || irl__place_of_stmt(q->block->init, a->place, &in)) continue;
        if (a->kind == IRL__ACCESS_OPAQUE || a->is_texel) return 0;
        if (!irl__flow_is_write(a)) continue;
        if (a->kind != IRL__ACCESS_WRITE || count == q->cell_count) return 0;
        for (int j = 0; j < count; j++)
            if (irl__access_alias(t, a, written[j]) != IRL_NO) return 0;
        written[count++] = a;
    }
    for (int k = node ? node->first : 0; node && k < node->end; k++) {
        const irl__access *a = &t->list[k];
        if (a->is_declared || a->kind != IRL__ACCESS_READ) continue;
        for (int j = 0; j < count; j++)
            if (irl__access_alias(t, a, written[j]) != IRL_NO &&
                (a->place == q->at || !a->expr || !irl__rfactor_loads(a->expr, q)))
                return 0;
    }
    if (count != q->cell_count || (q->guard && irl__expr_any(q->guard, irl__rfactor_loads, q)))
        return 0;
    for (int k = 0; k < count; k++) {
        const irl_stmt *store = q->cells[k].store;
        if (irl__expr_any(store->u.store.value, irl__rfactor_loads, q)) return 0;
        for (int j = 0; j < q->cells[k].b->rank; j++)
            if (irl__expr_any(store->u.store.indices[j], irl__rfactor_loads, q)) return 0;
    }
    return 1;
}

/* An integer as an index of the same value; NULL: it may wrap, or is of an unknown form. An i64
   holds each index. */
static const irl_expr *irl__rfactor_index(irl__sched *s, irl__analyzer *an, const irl_expr *e)
{
    const irl_expr *args[2] = { NULL, NULL };
    if (!e || irl__type_is_index(e->type)) return e;
    if (!(e->op == IRL_OP_CAST && e->type.scalar == IRL_I64) && !irl__is_exact(an, e)) return NULL;
    if (e->op == IRL_OP_INT) return irl_expr_index(s->cx, e->u.i);
    if (e->op != IRL_OP_CAST && e->op != IRL_OP_NEG && e->op != IRL_OP_ADD &&
        e->op != IRL_OP_SUB && e->op != IRL_OP_MUL)
        return NULL;
    for (uint32_t k = 0; k < e->count; k++)
        if (!irl__type_is_integer(e->a[k]->type) ||
            !(args[k] = irl__rfactor_index(s, an, e->a[k])))
            return NULL;
    return e->op == IRL_OP_CAST ? args[0]
                                : irl__expr_op(s->cx, (irl_op)e->op, (int)e->count, args,
                                               irl__nowhere());
}

/* Does `a op b` hold of these integers? */
static int irl__rfactor_holds(irl__sched *s, irl__analyzer *an, irl_op op, const irl_expr *a,
                              const irl_expr *b)
{
    a = irl__rfactor_index(s, an, a);
    b = irl__rfactor_index(s, an, b);
    return a && b && irl__prove(an, irl_expr_op2(s->cx, op, a, b));
}

/* Does what cell k stores grow (IRL_OP_LT) or fall (IRL_OP_GT) from each iteration of the loops of
   reduce axes to the next? Then one loop steps, those inside of it go from their ends to 0. */
static int irl__rfactor_is_ordered(irl__sched *s, const irl__rfactor *q, irl__accesses *t, int k,
                                   irl_op op)
{
    const irl_stmt *store = q->cells[k].store;
    const irl_expr *loops[IRL_MAX_DEPTH + 1], *now[IRL_MAX_DEPTH + 1], *next[IRL_MAX_DEPTH + 1];
    const irl_expr *e = irl__axes_bound(s->cx, q->block, store->u.store.value);
    const irl_expr *init = irl__axes_bound(s->cx, q->block, q->cells[k].init->u.store.value);
    const irl_expr *zero = irl_expr_index(s->cx, 0), *one = irl_expr_index(s->cx, 1);
    irl__path       path;
    int             count = 0;
    if (!e || !init || !one || !irl__rfactor_is_place(store) || (e->flags & IRL__HAS_MEMORY) ||
        !irl__path_begin(&path, t) || !irl__path_to(&path, irl__block_of(t, q->at)))
        return 0;
    for (int j = q->top; j < q->p.count - 1; j++) {
        const irl_stmt *at = q->p.at[j];
        if (q->of_space[j] || irl__is_int(at->u.loop.extent, 1)) continue;
        loops[count] = at->u.loop.var;
        now[count] = next[count] = irl__rfactor_var(s, "", at->u.loop.var->u.name);
        if (!now[count] || !irl__bind_extent(path.an, now[count], zero, at->u.loop.extent))
            return 0;
        count++;
    }
    if (q->is_last) { /* the init comes before all */
        const irl_expr *any = irl__substitute(s->cx, e, count, loops, now);
        if (!irl__rfactor_holds(s, path.an, op, init, any)) return 0;
    }
    for (int j = q->p.count - 1, n = count; n > 0 && j-- > q->top;) {
        const irl_stmt *at = q->p.at[j];
        if (q->of_space[j] || irl__is_int(at->u.loop.extent, 1)) continue;
        const irl_expr *last = irl__sub(s->cx, at->u.loop.extent, one);
        now[--n] = irl__rfactor_var(s, "", at->u.loop.var->u.name);
        next[n] = irl__add(s->cx, now[n], one);
        if (!last || !next[n] || !irl__bind_extent(path.an, now[n], zero, last) ||
            !irl__rfactor_holds(s, path.an, op, irl__substitute(s->cx, e, count, loops, now),
                                irl__substitute(s->cx, e, count, loops, next)))
            return 0;
        now[n] = last;
        next[n] = zero;
    }
    return 1;
}

/* Equal elements are told apart by what a cell stores, if one tells their order. */
static int irl__rfactor_find_tie(irl__sched *s, irl__rfactor *q, irl__accesses *t)
{
    static const irl_op ops[] = { IRL_OP_LT, IRL_OP_GT };
    for (int k = q->tie ? q->tied : 1; k < (q->tie ? q->tied + 1 : q->cell_count); k++)
        for (int j = 0; j < 2; j++) {
            const irl_stmt *store = q->cells[k].store;
            if (!irl__rfactor_is_ordered(s, q, t, k, ops[j])) continue;
            if (q->tie) return 1;
            const irl_expr *old = irl_expr_load(s->cx, q->cells[k].b, q->cells[k].b->rank,
                                                store->u.store.indices);
            q->tied = k;
            q->tie = irl_expr_op2(s->cx, ops[q->is_last ? 1 - j : j], store->u.store.value, old);
            return q->tie != NULL;
        }
    return 0;
}

static int irl__rfactor_pick(irl__sched *s, irl__rfactor *q)
{
    const irl_buffer *best = q->cells[0].b;
    const irl_expr   *begin = q->cells[0].init->u.store.value;
    irl__accesses     t;
    if (!irl__accesses_of(&t, s->f, NULL)) return 0;
    if (!irl__rfactor_picks_alone(q, &t) || irl__bitfield_is_narrow(best))
        return irl__refuse(s, "'%s' selects by a comparison, and touches the selected elements "
                           "elsewhere too", q->block->name);
    /* what begins as a number stays one: a comparison with NaN does not hold */
    if (irl__type_is_real(best->type) &&
        (begin->op != IRL_OP_FLOAT || begin->u.f != begin->u.f))
        return irl__refuse(s, "'%s' compares floats, and does not begin with a constant: with NaN "
                           "the selection would depend on the parts", q->block->name);
    int is_inner = 0;
    for (int k = q->top; k < q->p.count - 1 && q->p.at[k] != q->loop; k++)
        is_inner |= !q->of_space[k] && !irl__is_int(q->p.at[k]->u.loop.extent, 1);
    if ((is_inner || q->is_last) && !irl__rfactor_find_tie(s, q, &t))
        return irl__refuse(s, "'%s' selects the %s of equal elements, and none of the integers "
                           "that it stores is proved to grow or to fall from each iteration to the "
                           "next%s, so parts along '%L' would select another: store such an "
                           "integer beside them, or %s", q->block->name,
                           q->is_last ? "last" : "first",
                           q->is_last ? ", and to begin before all of these" : "", q->loop,
                           q->is_last ? "select the first"
                               : irl__refused_advice(s, "take the outermost loop of reduce axes"));
    for (int k = 0; k < q->cell_count; k++)
        if (!irl__rfactor_is_of_space(s, q, q->cells[k].store)) return 0;
    return irl__rfactor_is_spatial(s, q, &t);
}

static int irl__rfactor_find(irl__sched *s, irl__rfactor *q)
{
    irl__accesses      t;
    const irl__access *update;
    const irl_stmt    *body = irl__stmt_without_lets(s->cx, q->block->body), *init = q->block->init;
    while (body && body->kind == IRL__IF && !body->u.branch.else_) {
        const irl_expr *condition = body->u.branch.condition;
        if (irl__rfactor_read_pick(s, q, condition, body->u.branch.then_))
            return irl__rfactor_pick(s, q);
        q->guard = irl__and(s->cx, q->guard, condition);
        body = irl__stmt_without_lets(s->cx, body->u.branch.then_);
    }
    const irl_expr *better;
    int             keeps = 0;
    const irl_stmt *chosen =
        body ? irl__rfactor_choices(s->cx, body, &better, &keeps) : NULL;
    if (chosen && irl__rfactor_read_pick(s, q, better, chosen)) {
        if (!keeps || !irl__type_is_real(better->a[0]->type)) return irl__rfactor_pick(s, q);
        return irl__refuse(s, "'%s' keeps its value where a comparison of floats holds: with NaN "
                           "the selection would depend on the parts. Write the comparison so that "
                           "< or > chooses the new value", q->block->name);
    }
    if (!body || !irl__ok(s->cx) || !irl__accesses_of(&t, s->f, NULL)) return 0;
    if (body->kind != IRL__STORE || (init && init->kind != IRL__STORE) ||
        !irl__rfactor_row(q, &t, &update) || !irl__update_operator(update, &q->op) ||
        !(q->op == IRL_OP_ADD || q->op == IRL_OP_MUL || q->op == IRL_OP_MIN ||
          q->op == IRL_OP_MAX || q->op == IRL_OP_BITAND || q->op == IRL_OP_BITOR ||
          q->op == IRL_OP_BITXOR))
        return irl__refuse(s, "'%s' is not a reduction by one of + * min max & | ^ into one cell",
                           q->block->name);
    q->cells[0].store = body;
    q->cells[0].init = init;
    q->cells[0].b = body->u.store.buffer;
    q->cell_count = 1;
    if (irl__rfactor_is_read(q, &t, update))
        return irl__refuse(s, "'%s' also reads '%B' in its condition, which would see partial "
                           "results", q->block->name, q->cells[0].b);
    if (!irl__rfactor_is_of_space(s, q, body)) return 0;
    if (init && !irl__store_is_at(init, q->cells[0].b, body->u.store.indices))
        return irl__refuse(s, "'%s' initializes another cell than it updates", q->block->name);
    if (!irl__update_commutes(&t, update))
        return irl__refuse_order(s, update, "");
    return irl__rfactor_is_spatial(s, q, &t);
}

/* What leaves a partial result as it is; of min, max, & and | what the init says does too. */
static const irl_expr *irl__rfactor_neutral(irl__sched *s, const irl__rfactor *q)
{
    const irl_expr *init = q->block->init ? q->block->init->u.store.value : NULL;
    const irl_type  type = q->cells[0].b->type;
    switch (q->op) {
    case IRL_OP_ADD:
    case IRL_OP_MUL: return irl__number(s->cx, type, q->op == IRL_OP_MUL ? 1 : 0);
    case IRL_OP_BITXOR: return irl_expr_int(s->cx, type, 0);
    default: break;
    }
    /* what its init reads it writes no sooner than the partial results are done:
       irl__rfactor_is_read */
    if (init && (!(init->flags & IRL__HAS_MEMORY) || !q->block->predicate)) return init;
    if (!irl__type_is_real(type) && (q->op == IRL_OP_BITOR || q->op == IRL_OP_BITAND))
        return irl_expr_int(s->cx, type, q->op == IRL_OP_BITOR ? 0 : -1);
    irl__refuse(s, "'%s' has no init to begin partial results with", q->block->name);
    return NULL;
}

/* ------------------------------------------------------------------ the condition */

/* e in the first iteration of the loops that are of no spatial axis. */
static const irl_expr *irl__rfactor_first(irl__sched *s, const irl__rfactor *q, const irl_expr *e)
{
    return irl__simplify_alone(s->cx, irl__substitute(s->cx, e, q->sums, q->sum, q->zero));
}

/* An init runs in the first iteration, if the condition lets it: then nothing may be let through
   where that is not. So it is of a < b, with an a that is the least there. */
static int irl__rfactor_begin(irl__sched *s, irl__rfactor *q, const irl_expr *e)
{
    const irl_expr *first = irl__rfactor_first(s, q, e);
    irl__analyzer  *an = irl__place_analyzer(s, NULL, 0);
    if (!first || !an) return 0;
    if (!q->block->init || irl__is_int(first, 1)) return 1;
    q->first = irl__and(s->cx, q->first, first);
    if (!q->first) return 0;
    for (int k = q->top; k < q->p.count - 1; k++)
        if (!irl__bind_loop(an, q->p.at[k])) return 0;
    if (e->op == IRL_OP_LT || e->op == IRL_OP_LE) {
        const irl_expr *least = irl__rfactor_first(s, q, e->a[0]);
        if (!least) return 0;
        if (irl__rfactor_first(s, q, e->a[1]) == irl__simplify_alone(s->cx, e->a[1]) &&
            irl__prove(an, irl_expr_op2(s->cx, IRL_OP_GE, e->a[0], least)))
            return 1;
    }
    return irl__refuse(s, "as far as is known, the condition of '%s' keeps its init from running",
                       q->block->name);
}

/* Parts on spatial loops stay with the block, parts on others go into it. */
static int irl__rfactor_condition(irl__sched *s, irl__rfactor *q, const irl_expr *e)
{
    int of_space = 0, of_sum = 0;
    if (e->op == IRL_OP_AND)
        return irl__rfactor_condition(s, q, e->a[0]) && irl__rfactor_condition(s, q, e->a[1]);
    e = irl__axes_bound(s->cx, q->block, e);
    if (!e) return 0;
    for (int k = q->top; k < q->p.count - 1; k++)
        if (irl__expr_uses_var(e, q->p.at[k]->u.loop.var))
            *(q->of_space[k] ? &of_space : &of_sum) = 1;
    if (of_space && of_sum)
        return irl__refuse(s, "a condition of '%s' is on spatial and on reduce axes",
                           q->block->name);
    if (of_sum && !irl__rfactor_begin(s, q, e)) return 0;
    if (of_sum) q->inner = irl__and(s->cx, q->inner, e);
    else q->outer = irl__and(s->cx, q->outer, e);
    return irl__ok(s->cx);
}

/* Without the conditions in its body, does the block update cells in the buffer, one for each point
   of its spatial axes? */
static int irl__rfactor_is_bare(irl__sched *s, const irl__rfactor *q)
{
    irl__block_data *data;
    irl_stmt        *copy = irl__block_copy(s->cx, q->at, &data);
    const irl_expr  *zero = irl__zero(s->cx, q->cells[0].b->type);
    irl__accesses    t;
    irl__bounds      b;
    irl__place       p;
    if (!copy || !zero) return 0;
    *data = *q->block;
    data->predicate = irl__and(s->cx, data->predicate, q->outer);
    data->read_count = data->write_count = 0;
    data->body = irl__stmt_store_of(s->cx, q->cells[0].store, zero);
    const irl_func *f = data->body ? irl__place_put(s->f, &q->p, q->p.count - 1, copy) : NULL;
    if (!f || !irl__place_of(f->body, copy->id, &p) || !irl__accesses_of(&t, f, NULL) ||
        !irl__bounds_of(&b, &t))
        return 0;
    const irl__around *node = irl__block_of(&t, irl__place_last(&p));
    for (int k = 0; k < b.count; k++)
        if (node && b.list[k].row >= node->first && b.list[k].row < node->end) return 0;
    for (int k = 0; node && k < data->axis_count; k++)
        if (!data->axes[k].is_reduction &&
            irl__axis_kind_of(&t, node, k, NULL) != IRL__KIND_SPATIAL)
            return 0;
    return node != NULL;
}

/* Conditions in the body that are on spatial axes become conditions of the block; others stay. */
static int irl__rfactor_lift(irl__sched *s, irl__rfactor *q, const irl_expr *e)
{
    int stays = 0;
    if (e->op == IRL_OP_AND)
        return irl__rfactor_lift(s, q, e->a[0]) && irl__rfactor_lift(s, q, e->a[1]);
    for (int k = 0; k < q->block->axis_count; k++)
        stays |= q->block->axes[k].is_reduction && irl__expr_uses_var(e, q->block->axes[k].var);
    for (int k = q->top; k < q->p.count - 1; k++)
        stays |= !q->of_space[k] && irl__expr_uses_var(e, q->p.at[k]->u.loop.var);
    if (!stays) return irl__rfactor_condition(s, q, e);
    q->guard = irl__and(s->cx, q->guard, e);
    return q->guard != NULL;
}

/* Partial results begin, and are summed, without the conditions in the block's body: where these
   keep its cells apart or inside, the block itself has them. */
static int irl__rfactor_conditions(irl__sched *s, irl__rfactor *q)
{
    const irl_expr *guard = q->guard;
    if (q->block->predicate && !irl__rfactor_condition(s, q, q->block->predicate)) return 0;
    if (!guard || q->block->init || irl__rfactor_is_bare(s, q)) return irl__ok(s->cx);
    q->guard = NULL;
    if (!irl__ok(s->cx) || !irl__rfactor_lift(s, q, guard)) return 0;
    return irl__rfactor_is_bare(s, q) ||
           (irl__ok(s->cx) && irl__refuse(s, "a condition in '%s' on spatial and on reduce axes "
                                          "decides which cells it updates: partial results would "
                                          "start without that condition", q->block->name));
}

/* Loops of reduce axes that the block does not keep may not run: then it does nothing. */
static int irl__rfactor_runs(irl__sched *s, irl__rfactor *q)
{
    uint8_t asked[IRL_MAX_DEPTH + 2];
    for (int k = 0; k < q->p.count; k++) asked[k] = q->of_sum[k] && q->p.at[k] != q->loop;
    return irl__place_runs(s, &q->p, asked, &q->runs);
}

/* The condition of the block that is left. */
static const irl_expr *irl__rfactor_where(irl__sched *s, const irl__rfactor *q)
{
    return irl__and(s->cx, irl__and(s->cx, q->runs, q->outer), q->first);
}

/* ------------------------------------------------------------------ the temporary */

/* Does an index of the cell stand still where the temporary is declared, and is it what loops
   around the chain say, or an axis that is bound to that? */
static int irl__rfactor_find_still(irl__sched *s, const irl__rfactor *q, const irl_expr *index)
{
    const irl_expr *e = index;
    int             moves = 0;
    for (int j = 0; j < q->block->axis_count; j++) {
        if (q->block->axes[j].var == index) e = q->block->axes[j].binding;
        else if (irl__expr_uses_var(index, q->block->axes[j].var)) return 0;
    }
    for (int j = 0; j < q->top; j++)
        moves |= q->p.at[j]->kind == IRL__FOR && irl__expr_uses_var(e, q->p.at[j]->u.loop.var);
    return moves && irl__place_is_lasting(s, &q->p, q->top, e);
}

/* The indices of the cell in the temporary. */
static int irl__rfactor_at(irl_ctx *cx, const irl__rfactor_cell *c, const irl_expr *part,
                           const irl_expr **out)
{
    const irl_expr *zero = irl_expr_index(cx, 0);
    for (int k = 0, n = 0; k < c->rf->rank; k++) {
        out[k] = k == c->axis ? part : c->is_still[n] ? zero : c->store->u.store.indices[n];
        n += k != c->axis;
    }
    return zero != NULL;
}

static int irl__rfactor_buffer(irl__sched *s, const irl__rfactor *q, irl__rfactor_cell *c)
{
    const irl__arg *arg = &s->args[1];
    const irl_expr *shape[IRL_MAX_RANK];
    const int       rank = c->b->rank + 1;
    irl_scope       scope = c->b->scope;
    if (arg->kind != IRL__ARG_NUMBER || arg->number < -rank || arg->number >= rank)
        return irl__refuse_at(s, arg->loc, "the new axis is a number from %d to %d", -rank,
                              rank - 1);
    if (rank > IRL_MAX_RANK) return irl__refuse(s, "too many axes");
    c->axis = (int)arg->number + (arg->number < 0 ? rank : 0);
    if (irl__scope_is_image(scope) || scope == IRL_SCOPE_SHARED || scope == IRL_SCOPE_CONSTANT)
        return irl__refuse(s, "partial results of '%B', which is %s, need other memory: %H", c->b,
                           irl__scope_text(scope), "cache_write first");
    for (int k = 0; k < q->top; k++) /* the temporary is inside of a kernel: each work-item's own */
        if (irl__stmt_is_bound(q->p.at[k])) scope = IRL_SCOPE_LOCAL;
    for (int k = 0, n = 0; k < rank; k++) {
        if (k == c->axis) shape[k] = irl__path_length(s->f, q->loop->u.loop.extent);
        else {
            c->is_still[n] = (uint8_t)irl__rfactor_find_still(s, q, c->store->u.store.indices[n]);
            shape[k] = c->is_still[n] ? irl_expr_index(s->cx, 1) : c->b->shape[n];
            n++;
        }
        if (!shape[k]) return 0;
    }
    c->rf = irl__copy_buffer(s, c->b, "rf", scope, rank, shape);
    return c->rf != NULL;
}

/* ------------------------------------------------------------- the block of partial results */

static int irl__rfactor_rename(irl__sched *s, irl__rfactor *q, const irl_expr *from,
                               const irl_expr *to)
{
    if (q->renamed == IRL__FLOW_MOST)
        return IRL__FAIL(s->cx, IRL_ERROR_TOO_LARGE, "too many axes");
    q->from[q->renamed] = from;
    q->to[q->renamed++] = to;
    return to != NULL;
}

/* A block with these axes, of the old regions those of others than b that it reads. */
static irl_stmt *irl__rfactor_new_block(irl__sched *s, irl__rfactor *q, int axis_count,
                                        irl__block_data **out)
{
    irl__block_data *data;
    irl_stmt        *made = irl__block_new(s->cx, q->at->loc, q->block, &data);
    if (!made) return NULL;
    q->axes = IRL__NEW(s->cx, irl__axis, axis_count + 1);
    data->axes = q->axes;
    data->axis_count = 0;
    data->predicate = q->outer;
    data->read_count = data->write_count = 0;
    *out = data;
    return data->axes ? made : NULL;
}

static int irl__rfactor_add_axis(irl__rfactor *q, irl__block_data *data, const irl_expr *var,
                                 const irl_expr *extent, const irl_expr *binding, int is_reduction)
{
    irl__axis *axis = q->axes + data->axis_count++;
    memset(axis, 0, sizeof *axis);
    axis->var = var;
    axis->extent = extent;
    axis->binding = binding;
    axis->is_reduction = is_reduction;
    return var != NULL;
}

/* The spatial axes of the block, as they are. */
static void irl__rfactor_add_spatial(irl__rfactor *q, irl__block_data *data)
{
    for (int k = 0; k < q->block->axis_count; k++)
        if (!q->block->axes[k].is_reduction)
            irl__rfactor_add_axis(q, data, q->block->axes[k].var, q->block->axes[k].extent,
                                  q->block->axes[k].binding, 0);
}

/* The axes of the new block: the loop, the spatial ones, and a reduce axis for each other loop. */
static int irl__rfactor_axes(irl__sched *s, irl__rfactor *q, irl__block_data *data)
{
    const irl_expr *zero = irl_expr_index(s->cx, 0);
    q->part = irl__rfactor_var(s, "v", q->loop->u.loop.var->u.name);
    if (!zero || !irl__rfactor_add_axis(q, data, q->part, q->loop->u.loop.extent,
                                        q->loop->u.loop.var, 0))
        return 0;
    irl__rfactor_add_spatial(q, data);
    for (int k = 1; k < data->axis_count; k++) {
        const irl_expr *old = q->axes[k].var;
        q->axes[k].var = irl__rfactor_var(s, "", old->u.name);
        if (!irl__rfactor_rename(s, q, old, q->axes[k].var)) return 0;
    }
    for (int k = q->top, n = 0; k < q->p.count - 1; k++) {
        const irl_stmt *at = q->p.at[k];
        if (!q->of_sum[k]) continue;
        const int is_axis = at != q->loop && irl__axes_use(q->block, at->u.loop.var, 1);
        q->now[n] = at == q->loop ? q->part
                    : is_axis     ? irl__rfactor_var(s, "v", at->u.loop.var->u.name) : zero;
        if (is_axis && !irl__rfactor_add_axis(q, data, q->now[n], at->u.loop.extent,
                                              at->u.loop.var, 1))
            return 0;
        n++;
    }
    for (int j = 0; j < q->block->axis_count; j++)
        if (q->block->axes[j].is_reduction &&
            !irl__rfactor_rename(s, q, q->block->axes[j].var,
                                 irl__simplify_alone(s->cx, irl__substitute(
                                     s->cx, q->block->axes[j].binding, q->sums, q->sum, q->now))))
            return 0;
    if (q->inner) q->inner = irl__substitute(s->cx, q->inner, q->sums, q->sum, q->now);
    return irl__ok(s->cx);
}

/* The cell of the partial result, as it is loaded. */
static const irl_expr *irl__rfactor_load(irl_ctx *cx, const irl__rfactor_cell *c,
                                         const irl_expr *part)
{
    const irl_expr *at[IRL_MAX_RANK];
    return irl__rfactor_at(cx, c, part, at) ? irl_expr_load(cx, c->rf, c->rf->rank, at) : NULL;
}

/* The cells, as partial results. */
static const irl_expr *irl__rfactor_expr(irl__rewriter *r, const irl_expr *e)
{
    const irl__rfactor *q = (const irl__rfactor *)r->user;
    if (!(e->flags & IRL__HAS_MEMORY)) return e;
    for (int k = 0; e->op == IRL_OP_LOAD && k < q->cell_count; k++)
        if (e->u.buffer == q->cells[k].b) return irl__rfactor_load(r->cx, &q->cells[k], q->part);
    return irl__rewrite_expr_children(r, e);
}

static const irl_stmt *irl__rfactor_parts(irl__sched *s, irl__rfactor *q)
{
    irl__rewriter    r = irl__rewriter_make(s->cx, q, irl__rfactor_expr, NULL);
    irl__block_data *data;
    irl_stmt        *made = irl__rfactor_new_block(s, q, q->block->axis_count + q->p.count, &data);
    const irl_stmt  *list[IRL__RFACTOR_CELLS], *inits[IRL__RFACTOR_CELLS];
    const irl_expr  *at[IRL_MAX_RANK], *neutral = NULL;
    if (!q->better && !(neutral = irl__rfactor_neutral(s, q))) return NULL;
    if (!made || !irl__rfactor_axes(s, q, data)) return NULL;
    data->name = irl__result_block(s, q->block->name, "rf");
    for (int k = 0; k < q->cell_count; k++) {
        const irl__rfactor_cell *c = &q->cells[k];
        if (!irl__rfactor_at(s->cx, c, q->part, at)) return NULL;
        list[k] = irl__stmt_store(s->cx, c->rf, irl__rewrite_expr(&r, c->store->u.store.value),
                                  c->rf->rank, at, c->store->loc);
        inits[k] = irl__stmt_store(s->cx, c->rf, neutral ? neutral : c->init->u.store.value,
                                   c->rf->rank, at, c->store->loc);
    }
    const irl_stmt *now = irl__stmt_seq(s->cx, q->cell_count, list);
    if (q->better) now = irl_stmt_if(s->cx, irl__rewrite_expr(&r, q->condition), now, NULL);
    if (q->guard) now = irl_stmt_if(s->cx, q->guard, now, NULL);
    data->init = irl__substitute_stmt(s->cx, irl__stmt_seq(s->cx, q->cell_count, inits), q->renamed,
                                      q->from, q->to);
    now = irl__substitute_stmt(s->cx, now, q->renamed, q->from, q->to);
    data->body = q->inner ? irl_stmt_if(s->cx, q->inner, now, NULL) : now;
    return data->body && data->init && data->name ? irl__stmt_finish(s->cx, made) : NULL;
}

/* ------------------------------------------------------------------ the block that reduces them */

/* x op y, or its rounding, as the block updates its cell; x is NULL: what the block has there. */
static const irl_expr *irl__rfactor_join(irl__sched *s, const irl__rfactor *q, const irl_expr *x,
                                         const irl_expr *y)
{
    const irl_stmt *store = q->cells[0].store;
    const irl_expr *args[2];
    irl__update     u;
    if (!irl__store_update(store, &u)) return NULL;
    const int k = u.old == 1; /* in a sum made of an fma, y is the second operand */
    args[k] = irl_expr_cast(s->cx, u.value->type, x ? x : u.value->a[u.old]);
    args[1 - k] = irl_expr_cast(s->cx, u.value->type, y);
    return irl_expr_cast(s->cx, store->u.store.value->type, irl_expr_op2(s->cx, q->op, args[0],
                                                                         args[1]));
}

/* e, a comparison of what the cell is given with what it holds: of what `part` has there. */
static const irl_expr *irl__rfactor_of_part(irl__sched *s, const irl__rfactor_cell *c,
                                            const irl_expr *e, irl_op op, const irl_expr *part)
{
    const int       old = e->a[0] == c->store->u.store.value;
    const irl_expr *value = irl__rfactor_load(s->cx, c, part);
    return irl_expr_op2(s->cx, op, old ? value : e->a[0], old ? e->a[1] : value);
}

/* Does the partial result `part` take the place of what the block has? */
static const irl_expr *irl__rfactor_is_better(irl__sched *s, const irl__rfactor *q,
                                              const irl_expr *part)
{
    const irl__rfactor_cell *c = q->cells;
    const irl_expr *better = irl__rfactor_of_part(s, c, q->better, irl__op_strict(q->better->op),
                                                  part);
    if (!q->tie) return better;
    const irl_expr *same = irl__rfactor_of_part(s, c, q->better, IRL_OP_EQ, part);
    const irl_expr *tie = irl__rfactor_of_part(s, &c[q->tied], q->tie, (irl_op)q->tie->op, part);
    return irl_expr_op2(s->cx, IRL_OP_OR, better, irl_expr_op2(s->cx, IRL_OP_AND, same, tie));
}

/* Loops over the spatial ones and the loop, under names of their own. */
static const irl_stmt *irl__rfactor_rest(irl__sched *s, irl__rfactor *q)
{
    irl__block_data *data;
    irl_stmt        *made = irl__rfactor_new_block(s, q, q->block->axis_count + 1, &data);
    const irl_expr  *part = irl__rfactor_var(s, "v", q->loop->u.loop.var->u.name);
    const irl_stmt  *list[IRL__RFACTOR_CELLS], *loops[IRL_MAX_DEPTH + 1];
    int              count = 0;
    if (!made || !irl__rfactor_add_axis(q, data, part, q->loop->u.loop.extent,
                                        q->loop->u.loop.var, 1))
        return NULL;
    data->predicate = irl__rfactor_where(s, q);
    irl__rfactor_add_spatial(q, data);
    for (int k = 0; k < q->cell_count; k++) {
        const irl_expr *value = irl__rfactor_load(s->cx, &q->cells[k], part);
        if (!q->better) value = irl__rfactor_join(s, q, NULL, value);
        list[k] = irl__stmt_store_of(s->cx, q->cells[k].store, value);
    }
    data->body = irl__stmt_seq(s->cx, q->cell_count, list);
    if (q->better)
        data->body = irl_stmt_if(s->cx, irl__rfactor_is_better(s, q, part), data->body, NULL);
    if (!data->body) return NULL;
    made->id = q->at->id;
    for (int k = q->top; k < q->p.count - 1; k++)
        if (!q->of_sum[k] || q->p.at[k] == q->loop) loops[count++] = q->p.at[k];
    return irl__place_nest(s, count, loops, irl__stmt_finish(s->cx, made));
}

/* The block and the loop, and whether it may be done. */
static int irl__rfactor_may(irl__sched *s, irl__rfactor *q)
{
    memset(q, 0, sizeof *q);
    return irl__rfactor_read(s, q) && irl__rfactor_sort(s, q) && irl__rfactor_find(s, q) &&
           irl__points_once(s, &q->p, q->block, q->top, q->of_sum, 1) &&
           irl__points_once(s, &q->p, q->block, q->top, q->of_space, 0) &&
           irl__rfactor_conditions(s, q);
}

int irl__do_rfactor(irl__sched *s)
{
    irl__rfactor    q;
    const irl_stmt *allocs[IRL__RFACTOR_CELLS];
    irl__place      p;
    if (!irl__rfactor_may(s, &q) || !irl__rfactor_runs(s, &q)) return 0;
    for (int k = 0; k < q.cell_count; k++) {
        if (!irl__rfactor_buffer(s, &q, &q.cells[k])) return 0;
        allocs[k] = irl_stmt_alloc(s->cx, q.cells[k].rf);
    }
    const irl_stmt *parts = irl__rfactor_parts(s, &q);
    const irl_stmt *rest = parts ? irl__rfactor_rest(s, &q) : NULL;
    irl_func *f = rest && irl__ok(s->cx) ? irl__place_put(s->f, &q.p, q.p.count - 1, parts) : NULL;
    if (!f || !irl__place_of(f->body, parts->id, &p)) return 0;
    f = irl__copy_insert(s, &q.p, q.top, allocs, q.cell_count, p.at[q.top], rest, NULL);
    return irl__sched_become(s, f) && irl__sched_result(s, 0, parts);
}

/* ------------------------------------------------------------------ a sum of a group

   bind of a loop of reduce axes to local work-items: each sums its part in a variable of its own,
   puts it into shared memory, and there halves are added to halves.

   requires  what rfactor requires; the loop runs a known number of times; the loops of the block
             inside of the outermost one of reduce axes are all of reduce axes */

typedef struct irl__group_sum {
    irl__rfactor      q;
    irl_axis          axis;
    int               at;   /* the level of the outermost loop of reduce axes */
    int               rank; /* of the shared memory: work-items around, then of the loop */
    const irl_expr   *around[IRL_MAX_RANK];
    const irl_buffer *shared;
} irl__group_sum;

int irl__rfactor_is_of_sum(const irl_stmt *loop)
{
    const irl_stmt *at = loop;
    while (at->kind == IRL__FOR) at = at->u.loop.body;
    return at->kind == IRL__BLOCK && irl__axes_use(at->u.block, loop->u.loop.var, 1);
}

/* Does that level stand around the sum: a loop of spatial axes, or bound already? */
static int irl__group_sum_is_around(const irl__rfactor *q, int level)
{
    return q->of_space[level] || (q->p.at[level] != q->loop && irl__stmt_is_bound(q->p.at[level]));
}

/* All work-items of the group come by, with the same place in the block around. */
static int irl__group_sum_path(irl__sched *s, irl__group_sum *g)
{
    const irl__rfactor *q = &g->q;
    const irl_expr     *shape[IRL_MAX_RANK];
    irl__accesses       t;
    if (!irl__accesses_of(&t, s->f, NULL)) return 0;
    for (g->at = q->top; g->at < q->p.count - 1 && irl__group_sum_is_around(q, g->at);) g->at++;
    for (int k = g->at; k < q->p.count - 1; k++)
        if (irl__group_sum_is_around(q, k))
            return irl__refuse(s, "'%L' is %s, and is inside a loop of reduce axes: %H", q->p.at[k],
                               q->of_space[k] ? "of a spatial axis" : "bound", "reorder");
    for (int k = 0; k < q->p.count - 1; k++) {
        const irl_stmt *at = q->p.at[k];
        const irl_expr *condition = at->kind == IRL__IF      ? at->u.branch.condition
                                    : at->kind == IRL__BLOCK ? at->u.block->predicate
                                                             : NULL;
        if (condition && !irl__flow_is_even(&t, &q->p, condition))
            return irl__refuse(s, "the condition '%s' around the loop may differ between "
                               "work-items, which would wait for each other there",
                               irl_expr_text(s->cx, irl__accesses_plain(&t, condition)));
        if (at->kind != IRL__FOR) continue;
        if (at->u.loop.kind == IRL_PARALLEL || at->u.loop.kind == IRL_VECTORIZED ||
            (at->u.loop.kind == IRL_BOUND && at->u.loop.axis >= IRL_GLOBAL_X))
            return irl__refuse(s, "the loop '%L' around it belongs to no group", at);
        if (at->u.loop.kind != IRL_BOUND || at->u.loop.axis < IRL_LOCAL_X) continue;
        shape[g->rank] = at->u.loop.extent;
        g->around[g->rank++] = at->u.loop.var;
    }
    if (!irl__stmt_loop_runs(q->loop))
        return irl__refuse(s, "the number of iterations of '%L' is not constant", q->loop);
    shape[g->rank++] = q->loop->u.loop.extent;
    irl__rfactor_cell *c = &g->q.cells[0];
    g->shared = irl__copy_buffer(s, c->b, "shared", IRL_SCOPE_SHARED, g->rank, shape);
    c->axis = -1;
    c->rf = irl__copy_buffer(s, c->b, "part", IRL_SCOPE_LOCAL, 0, NULL);
    return g->shared && c->rf;
}

static const irl_expr *irl__group_sum_cell(irl__sched *s, irl__group_sum *g, const irl_expr *item)
{
    g->around[g->rank - 1] = item;
    return irl_expr_load(s->cx, g->shared, g->rank, g->around);
}

static const irl_stmt *irl__group_sum_store(irl__sched *s, irl__group_sum *g,
                                            const irl_expr *item, const irl_expr *value)
{
    g->around[g->rank - 1] = item;
    return irl__stmt_store(s->cx, g->shared, value, g->rank, g->around, g->q.at->loc);
}

/* for bind(axis) (var: extent) body */
static const irl_stmt *irl__group_sum_loop(irl__sched *s, const irl__group_sum *g,
                                           const irl_expr *var, const irl_stmt *body)
{
    return irl__loop_for(s->cx, g->q.loop->loc, IRL_BOUND, g->axis, var, irl_expr_index(s->cx, 0),
                         g->q.loop->u.loop.extent, body);
}

/* Each work-item's own part, then in shared memory. */
static const irl_stmt *irl__group_sum_parts(irl__sched *s, irl__group_sum *g)
{
    irl__rfactor   *q = &g->q;
    const irl_stmt  *list[4];
    const irl_buffer *rf = q->cells[0].rf;
    const irl_expr *neutral = irl__rfactor_neutral(s, q);
    irl__block_data *data;
    const irl_stmt *nest = neutral ? irl__rfactor_parts(s, q) : NULL;
    if (!nest) return NULL;
    if (neutral->flags & IRL__HAS_VAR) {
        irl__refuse(s, "the init of '%s' differs from cell to cell", q->block->name);
        return NULL;
    }
    irl_stmt *copy = irl__block_copy(s->cx, nest, &data);
    if (!copy) return NULL;
    data->init = NULL; /* stands in front, where no condition is */
    nest = irl__stmt_finish(s->cx, copy);
    for (int k = q->p.count - 1; k-- > g->at;)
        if (q->p.at[k] != q->loop) nest = irl__stmt_loop_of(s->cx, q->p.at[k], nest);
    list[0] = irl_stmt_alloc(s->cx, rf);
    list[1] = irl__stmt_store(s->cx, rf, neutral, 0, NULL, q->at->loc);
    list[2] = nest;
    list[3] = irl__group_sum_store(s, g, q->loop->u.loop.var, irl_expr_load(s->cx, rf, 0, NULL));
    irl_stmt *loop = irl__stmt_copy(s->cx, irl__group_sum_loop(s, g, q->loop->u.loop.var,
                                                               irl__stmt_seq(s->cx, 4, list)));
    if (loop) loop->id = q->loop->id;
    return loop;
}

/* Elements from `half` on are added to those before. */
static const irl_stmt *irl__group_sum_fold(irl__sched *s, irl__group_sum *g, int64_t count,
                                           int64_t half)
{
    const irl_expr *item = irl__rfactor_var(s, "", g->q.loop->u.loop.var->u.name);
    const irl_expr *other = irl__add(s->cx, item, irl_expr_index(s->cx, half));
    const irl_expr *here = irl__group_sum_cell(s, g, item);
    const irl_expr *there = other ? irl__group_sum_cell(s, g, other) : NULL;
    if (!here || !there) return NULL;
    const irl_stmt *now =
        irl__group_sum_store(s, g, item, irl__rfactor_join(s, &g->q, here, there));
    now = irl_stmt_if(s->cx, irl_expr_op2(s->cx, IRL_OP_LT, item, irl_expr_index(s->cx,
                                                                                 count - half)),
                      now, NULL);
    return irl__group_sum_loop(s, g, item, now);
}

/* The kernel around the sum: the outermost bound loop, or the block, whose loop will be it. */
static const irl_stmt *irl__group_sum_kernel(const irl__rfactor *q)
{
    return q->p.at[irl__place_kernel(&q->p, q->p.count - 1)];
}

/* Does each work-item have memory of its own for the sum? */
static int irl__group_sum_is_of_each(const irl__rfactor *q)
{
    return irl__flow_is_private(irl__group_sum_kernel(q), q->cells[0].b);
}

/* Does anything else in the kernel touch what is summed, and would it see the sum too early? */
static int irl__group_sum_is_used(irl__sched *s, const irl__rfactor *q)
{
    irl__accesses t;
    if (irl__group_sum_is_of_each(q) || !irl__accesses_of(&t, s->f, irl__group_sum_kernel(q)))
        return 0;
    IRL__EACH_ROW(a, &t)
        if (a->memory == q->cells[0].b->data && !irl__access_in(a, q->at)) return 1;
    return 0;
}

/* The first work-item stores the sum, or each where it has memory of its own for it: the block,
   without reduce axes. */
static const irl_stmt *irl__group_sum_last(irl__sched *s, irl__group_sum *g)
{
    irl__rfactor    *q = &g->q;
    const irl_expr  *item = irl__rfactor_var(s, "", q->loop->u.loop.var->u.name);
    irl__block_data *data;
    irl_stmt        *made = irl__rfactor_new_block(s, q, q->block->axis_count, &data);
    if (!made || !item) return NULL;
    irl__rfactor_add_spatial(q, data);
    const irl_expr *sum = irl__group_sum_cell(s, g, irl_expr_index(s->cx, 0));
    data->body = irl__stmt_store_of(s->cx, q->cells[0].store, irl__rfactor_join(s, q, NULL, sum));
    if (!data->body) return NULL;
    const irl_expr *first = irl__group_sum_is_of_each(q)
                                ? NULL
                                : irl_expr_op2(s->cx, IRL_OP_LT, item, irl_expr_index(s->cx, 1));
    data->predicate = irl__and(s->cx, first, irl__rfactor_where(s, q));
    made->id = q->at->id;
    const irl_stmt *now = irl__ok(s->cx) ? irl__stmt_finish(s->cx, made) : NULL;
    return irl__group_sum_loop(s, g, item, now);
}

int irl__rfactor_group(irl__sched *s, irl_axis axis)
{
    irl__group_sum   g;
    const irl_stmt  *list[140];
    int              n = 0;
    memset(&g, 0, sizeof g);
    g.axis = axis;
    if (!irl__rfactor_may(s, &g.q)) return 0;
    if (g.q.better)
        return irl__refuse(s, "'%s' selects by a comparison, which a group cannot do: %H",
                           g.q.block->name, "rfactor, and bind the parts");
    if (!irl__rfactor_runs(s, &g.q) || !irl__group_sum_path(s, &g)) return 0;
    list[n++] = irl_stmt_alloc(s->cx, g.shared);
    list[n++] = irl_stmt_barrier(s->cx, IRL_SCOPE_SHARED); /* the last sum has been read */
    list[n++] = irl__group_sum_parts(s, &g);
    list[n++] = irl_stmt_barrier(s->cx, IRL_SCOPE_SHARED);
    for (int64_t count = g.q.loop->u.loop.extent->u.i; count > 1; count -= count / 2) {
        list[n++] = irl__group_sum_fold(s, &g, count, count - count / 2);
        list[n++] = irl_stmt_barrier(s->cx, IRL_SCOPE_SHARED);
    }
    list[n++] = irl__group_sum_last(s, &g);
    if (irl__group_sum_is_used(s, &g.q))
        list[n++] = irl_stmt_barrier( s->cx, g.q.cells[0].b->scope == IRL_SCOPE_SHARED
                                     ? IRL_SCOPE_SHARED : IRL_SCOPE_GLOBAL);
    return irl__place_become(s, &g.q.p, g.at, irl__stmt_seq(s->cx, n, list));
}
