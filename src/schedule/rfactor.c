/* rfactor.c - the primitive that makes a loop of a reduction one over partial results.

   needs     place.c, flow.c; the verdict on maps; src/analysis for updates and kinds of axes
   promises  the same updates, in another order and in other brackets, each once */
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

/* What belongs to one of the cells that a pick writes. */
typedef struct irl__rfactor_cells {
    const irl_stmt   *store, *init;
    const irl_buffer *rf;
    int               axis, rank;
    uint8_t           is_still[IRL_MAX_RANK];
} irl__rfactor_cells;

typedef struct irl__rfactor {
    irl__place             p; /* of the block */
    const irl_stmt        *at;
    const irl__block_data *block;
    const irl_stmt        *loop, *store; /* of the update, without its lets and conditions */
    const irl_expr        *guard;        /* those conditions; NULL: none */
    /* of a pick: its cells, the first of which is compared; 0: a sum */
    const irl_expr        *condition, *better; /* the condition, and the comparison in it */
    const irl_expr        *tie;     /* the comparison of equal elements, or NULL */
    int                    tied;    /* the cell of that comparison */
    int                    is_last; /* of equal elements the last is kept: better is <= or >= */
    irl__rfactor_cells     cells[IRL__RFACTOR_CELLS];
    int                    cell_count;
    int                    top;          /* the level of the outermost loop */
    irl_op                 op;
    const irl_buffer      *b, *rf;
    irl__axis             *axes;       /* of the block that is made */
    int                    axis, rank; /* of rf, that is the loop; of rf */
    uint8_t                is_still[IRL_MAX_RANK]; /* indices of the cell */
    int                    of_space[IRL_MAX_DEPTH + 1]; /* per level: a loop of spatial axes */
    const irl_expr        *new_axis[IRL_MAX_DEPTH + 1]; /* per level: of another loop */
    const irl_expr        *outer, *inner; /* the condition, on spatial axes and on others */
    const irl_expr        *first;         /* of these, that an init runs */
    const irl_expr        *runs; /* the reduce loops that go do, where that is not known; or NULL */
    /* variables of the new block: of the loop's axis, then of the old spatial axes */
    const irl_expr        *part;
    const irl_expr        *from[3 * IRL_MAX_RANK], *to[3 * IRL_MAX_RANK];
    int                    renamed;
} irl__rfactor;

/* The block's store, without its lets and conditions, if it has nothing else. */
static const irl_stmt *irl__rfactor_bare(irl_ctx *cx, const irl__block_data *block)
{
    const irl_stmt *at = irl__stmt_without_lets(cx, block->body);
    while (at && at->kind == IRL__IF && !at->u.branch.else_)
        at = irl__stmt_without_lets(cx, at->u.branch.then_);
    return at && at->kind == IRL__STORE ? at : NULL;
}

/* A spatial axis that the cell does not depend on has one instance per cell only under the
   conditions in the body. The init and the sum that this step adds have none of these: here it is
   a reduce axis. */
static int irl__rfactor_relabel(irl__sched *s, irl__rfactor *q)
{
    const irl_stmt  *store = irl__rfactor_bare(s->cx, q->block);
    irl__block_data *data = (irl__block_data *)irl__copy(s->cx, q->block, 1, sizeof *data);
    irl__axis       *axes = (irl__axis *)irl__copy(s->cx, q->block->axes,
                                                   (size_t)q->block->axis_count, sizeof *axes);
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
static int irl__rfactor_read(irl__sched *s, const irl__sched_step *step, irl__rfactor *q)
{
    irl__place      loop;
    const irl_stmt *at;
    if (!irl__sched_loop(s, &step->args[0], &loop)) return 0;
    q->loop = at = loop.at[loop.count - 1];
    while (at->kind == IRL__FOR) at = at->u.loop.body;
    if (at->kind != IRL__BLOCK) return irl__sched_refuse_loop(s, step, q->loop);
    if (!irl__place_of(s->f->body, at->id, &q->p)) return 0;
    q->at = at;
    q->block = at->u.block;
    if (q->block->alloc_count || q->block->match_count)
        return irl__sched_refuse(s, step->loc, "'%s' has its own memory", q->block->name);
    if (irl__stmt_is_parallel(q->loop))
        return irl__sched_refuse(s, step->loc, "the loop '%s' is not serial",
                                 irl__refused_loop(s, q->loop));
    for (q->top = q->p.count - 1; q->top > 0 && q->p.at[q->top - 1]->kind == IRL__FOR;) q->top--;
    return irl__rfactor_relabel(s, q) && irl__flow_keeps_calls(s, step, q->at) &&
           irl__flow_bounds_are_named(s, step->loc, &q->p, q->top);
}

/* Which loops are of spatial axes. Reduce axes are of loops of the chain, from 0 on. */
static int irl__rfactor_sort(irl__sched *s, const irl__sched_step *step, irl__rfactor *q)
{
    if (!irl__flow_init_knows_axes(s, step, q->block, &q->p, q->top)) return 0;
    for (int k = 0; k < q->p.count - 1; k++) {
        const irl_stmt *at = q->p.at[k];
        if (at->kind != IRL__FOR) continue;
        int spatial = irl__axes_use(q->block, at->u.loop.var, 0);
        int reduce = irl__axes_use(q->block, at->u.loop.var, 1);
        if (reduce && k < q->top)
            return irl__sched_refuse(s, step->loc, "a reduce axis of '%s' depends on the loop "
                                     "'%s', which contains more than it", q->block->name,
                                     irl__refused_loop(s, at));
        if (k < q->top) continue;
        if (reduce && spatial)
            return irl__sched_refuse(s, step->loc, "the loop '%s' belongs to a spatial and to a "
                                                   "reduce axis", irl__refused_loop(s, at));
        q->of_space[k] = spatial;
        if (spatial && at == q->loop)
            return irl__sched_refuse(s, step->loc, "the loop '%s' belongs to a spatial axis: there "
                                     "is nothing to sum along it", irl__refused_loop(s, at));
        if (!spatial && !reduce && !irl__is_int(at->u.loop.extent, 1))
            return irl__sched_refuse(s, step->loc, "the loop '%s' belongs to no axis",
                                     irl__refused_loop(s, at));
        if (!spatial && !irl__is_int(at->u.loop.min, 0))
            return irl__sched_refuse(s, step->loc, "the loop '%s' does not begin at 0",
                                     irl__refused_loop(s, at));
    }
    if (!irl__axes_use(q->block, q->loop->u.loop.var, 1) &&
        !irl__is_int(q->loop->u.loop.extent, 1))
        return irl__sched_refuse(s, step->loc, "the loop '%s' belongs to no reduce axis of '%s'",
                                 irl__refused_loop(s, q->loop), q->block->name);
    for (int k = q->top; k < q->p.count - 1; k++) {
        for (int j = q->top; j < q->p.count - 1; j++)
            if (irl__expr_uses_var(q->p.at[k]->u.loop.extent, q->p.at[j]->u.loop.var) ||
                irl__expr_uses_var(q->p.at[k]->u.loop.min, q->p.at[j]->u.loop.var))
                return irl__sched_refuse(s, step->loc, "the bounds of '%s' depend on '%s'",
                                         irl__refused_loop(s, q->p.at[k]),
                                         q->p.at[j]->u.loop.var->u.name);
    }
    return 1;
}

enum { IRL__RFACTOR_NAMES = 3 };

/* Are points kept apart for all values of names? A verdict speaks of those from 1 on, and a loop
   around may be at 0: so with each of them 0 too. */
static int irl__rfactor_is_apart(irl__sched *s, int rank, const irl_expr *const *inputs,
                                 const irl_expr *const *extents, int count,
                                 const irl_expr *const *outputs, const char **why)
{
    const irl_map  *map = irl_map_new(s->cx, rank, inputs, count, outputs, 0, NULL);
    const irl_expr *zero = irl_expr_index(s->cx, 0), *in[IRL_MAX_RANK], *out[IRL_MAX_RANK];
    int             is_empty;
    if (!map || !zero) return 0;
    irl_verdict v = irl_map_check(s->cx, map, irl_shape_of(rank, extents));
    *why = irl_verdict_text(s->cx, &v);
    if (!irl__verdict_is_right(&v)) {
        irl__refused_map(s->cx, map, &v, NULL);
        return 0;
    }
    if (v.parameter_count > IRL__RFACTOR_NAMES) *why = "more than 3 names";
    for (int k = 0; k < v.parameter_count && v.parameter_count <= IRL__RFACTOR_NAMES; k++) {
        for (int j = is_empty = 0; j < rank; j++) {
            in[j] = irl__substitute(s->cx, extents[j], 1, &v.parameters[k], &zero);
            in[j] = in[j] ? irl__simplify_alone(s->cx, in[j]) : NULL;
            if (!in[j]) return 0;
            is_empty |= irl__is_int(in[j], 0);
        }
        for (int j = 0; j < count; j++)
            if (!(out[j] = irl__substitute(s->cx, outputs[j], 1, &v.parameters[k], &zero)))
                return 0;
        if (!is_empty && !irl__rfactor_is_apart(s, rank, inputs, in, count, out, why)) return 0;
    }
    return v.parameter_count <= IRL__RFACTOR_NAMES;
}

typedef struct irl__rfactor_names {
    irl_ctx            *cx;
    const irl__rfactor *q;
    irl__analyzer      *an; /* at the block: the loops around it run */
    int                 is_below;
} irl__rfactor_names;

/* A name that is no loop of the chain: a verdict takes it to be 1 or more. */
static int irl__rfactor_see_name(irl__visitor *v, const irl_expr *e)
{
    irl__rfactor_names *n = (irl__rfactor_names *)v->user;
    if (e->op != IRL_OP_VAR) return (e->flags & IRL__HAS_VAR) != 0;
    for (int k = n->q->top; k < n->q->p.count - 1; k++)
        if (n->q->p.at[k]->u.loop.var == e) return 0;
    n->is_below |= !irl__prove(n->an, irl_expr_op2(n->cx, IRL_OP_GE, e,
                                                   irl_expr_index(n->cx, 0)));
    return 0;
}

/* May a name that stands in one of these be below 0? */
static int irl__rfactor_is_below(irl__sched *s, const irl__rfactor *q, int count,
                                 const irl_expr *const *e)
{
    irl__rfactor_names n;
    irl__visitor       v = irl__visitor_make(&n, irl__rfactor_see_name, NULL);
    irl__accesses      t;
    irl__path          path;
    memset(&n, 0, sizeof n);
    n.cx = s->cx;
    n.q = q;
    if (!irl__accesses_of(&t, s->f, NULL) || !irl__path_begin(&path, &t) ||
        !irl__path_to(&path, irl__block_of(&t, q->at)))
        return 1;
    n.an = path.an;
    for (int k = 0; k < count; k++) irl__visit_expr(&v, e[k]);
    return n.is_below;
}

/* Do these loops of the chain (of space, or not) determine the axes? Each point once. */
static int irl__rfactor_is_injective(irl__sched *s, const irl__rfactor *q, int of_space,
                                     const char **why)
{
    const irl_expr *inputs[IRL_MAX_RANK], *extents[IRL_MAX_RANK], *outputs[IRL_MAX_RANK];
    int             j, rank = 0, count = 0;
    *why = "more than 32 axes";
    if (q->block->axis_count > IRL_MAX_RANK) return 0;
    for (int k = q->top; k < q->p.count - 1; k++) {
        const irl_stmt *at = q->p.at[k];
        if (q->of_space[k] != of_space || irl__is_int(at->u.loop.extent, 1)) continue;
        for (j = 0; j < q->block->axis_count; j++)
            if (q->block->axes[j].binding == at->u.loop.var) break;
        if (j < q->block->axis_count) continue; /* the axis is the loop */
        if (rank == IRL_MAX_RANK) return 0;
        inputs[rank] = at->u.loop.var;
        extents[rank++] = at->u.loop.extent;
    }
    if (!rank) return 1;
    for (j = 0; j < q->block->axis_count; j++) {
        const irl_expr *e = q->block->axes[j].binding;
        if (q->block->axes[j].is_reduction != !of_space) continue;
        for (int k = q->top; e && k < q->p.count - 1;
             k++) { /* others stand still, at their start */
            int i;
            for (i = 0; i < rank && inputs[i] != q->p.at[k]->u.loop.var; i++) {}
            if (i == rank)
                e = irl__substitute(s->cx, e, 1, &q->p.at[k]->u.loop.var,
                                    &q->p.at[k]->u.loop.min);
        }
        if (!e) return 0;
        outputs[count++] = e;
    }
    *why = "a loop around counts from below 0, or a name may be below it";
    return !irl__rfactor_is_below(s, q, rank, extents) &&
           !irl__rfactor_is_below(s, q, count, outputs) &&
           irl__rfactor_is_apart(s, rank, inputs, extents, count, outputs, why);
}

/* The first iteration of the loops is point 0 of the reduce axes, where an init runs. */
static int irl__rfactor_begins(irl__sched *s, const irl__rfactor *q)
{
    const irl_expr *zero = irl_expr_index(s->cx, 0);
    for (int j = 0; zero && j < q->block->axis_count; j++) {
        const irl_expr *e = q->block->axes[j].binding;
        if (!q->block->axes[j].is_reduction) continue;
        for (int k = q->top; e && k < q->p.count - 1; k++)
            if (!q->of_space[k]) e = irl__substitute(s->cx, e, 1, &q->p.at[k]->u.loop.var, &zero);
        e = e ? irl__simplify_alone(s->cx, e) : NULL;
        if (!e || !irl__is_int(e, 0)) return 0;
    }
    return zero != NULL;
}

static int irl__rfactor_points(irl__sched *s, const irl__sched_step *step, irl__rfactor *q)
{
    const char *why = "";
    for (int k = 0; k < 2; k++)
        if (!irl__rfactor_is_injective(s, q, k, &why))
            return irl__ok(s->cx) &&
                   irl__sched_refuse(s, step->loc, "points of the %s axes are not known to have "
                                     "one iteration each: %s", k ? "spatial" : "reduce", why);
    return irl__rfactor_begins(s, q) ||
           irl__sched_refuse(s, step->loc, "the reduce axes of '%s' do not begin at 0",
                             q->block->name);
}

/* ------------------------------------------------------------------ the update */

static int irl__rfactor_is_known(irl_op op)
{
    return op == IRL_OP_ADD || op == IRL_OP_MUL || op == IRL_OP_MIN || op == IRL_OP_MAX ||
           op == IRL_OP_BITAND || op == IRL_OP_BITOR || op == IRL_OP_BITXOR;
}

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
static int irl__rfactor_is_of_space(irl__sched *s, const irl__sched_step *step,
                                    const irl__rfactor *q, const irl_stmt *store)
{
    for (int k = 0; k < store->u.store.buffer->rank; k++) {
        const irl_expr *index = store->u.store.indices[k];
        for (int j = 0; j < q->block->axis_count; j++)
            if (q->block->axes[j].is_reduction && irl__expr_uses_var(index, q->block->axes[j].var))
                return irl__sched_refuse(s, step->loc, "the cell that '%s' updates depends on the "
                                         "reduce axis '%s'", q->block->name,
                                         q->block->axes[j].var->u.name);
        for (int j = q->top; j < q->p.count - 1; j++)
            if (q->p.at[j]->kind == IRL__FOR && irl__expr_uses_var(index, q->p.at[j]->u.loop.var))
                return irl__sched_refuse(s, step->loc, "the cell that '%s' updates depends on the "
                                         "loop '%s' directly, not through its axes", q->block->name,
                                         irl__refused_loop(s, q->p.at[j]));
    }
    return 1;
}

/* Instances that differ in a spatial axis touch cells of their own. */
static int irl__rfactor_is_spatial(irl__sched *s, const irl__sched_step *step,
                                   const irl__rfactor *q, irl__accesses *t)
{
    const irl__around *node = irl__block_of(t, q->at);
    irl__meeting       m;
    for (int k = 0; k < q->block->axis_count; k++)
        if (!q->block->axes[k].is_reduction &&
            irl__axis_kind_of(t, node, k, &m) != IRL__KIND_SPATIAL)
            return irl__ok(s->cx) &&
                   irl__order_refuse(s, step->loc, t, &m, "instances that differ in a spatial axis "
                                                          "access one cell", NULL);
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

static int irl__rfactor_same_cell(const irl_stmt *a, const irl_buffer *b,
                                  const irl_expr *const *indices)
{
    for (int k = 0; a->u.store.buffer == b && k < b->rank; k++)
        if (a->u.store.indices[k] != indices[k]) return 0;
    return a->u.store.buffer == b;
}

static int irl__rfactor_is_order(const irl_expr *e)
{
    return e->op >= IRL_OP_LT && e->op <= IRL_OP_GE;
}

/* Does e order the value of a store and what its cell holds? */
static int irl__rfactor_orders(const irl_expr *e, const irl_stmt *store)
{
    for (int k = 0; irl__rfactor_is_order(e) && k < 2; k++)
        if (e->a[k] == store->u.store.value && e->a[1 - k]->op == IRL_OP_LOAD &&
            irl__rfactor_same_cell(store, e->a[1 - k]->u.buffer, e->a[1 - k]->a))
            return 1;
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
        irl__rfactor_cells *cell = &q->cells[k];
        cell->store = stores[k == 0 ? first : k == first ? 0 : k];
        for (int j = 0; j < count; j++)
            if (irl__rfactor_same_cell(inits[j], cell->store->u.store.buffer,
                                       cell->store->u.store.indices))
                cell->init = inits[j];
        for (int j = 0; j < k; j++)
            if (q->cells[j].store->u.store.buffer == cell->store->u.store.buffer) return 0;
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
    int k, j, lets = 0, count;
    while (body->kind == IRL__SEQ && lets < body->u.seq.count &&
           body->u.seq.stmts[lets]->kind == IRL__LET)
        lets++;
    count = body->kind == IRL__SEQ ? body->u.seq.count - lets : 0;
    if (count < 2 || count > IRL__RFACTOR_CELLS) return -1;
    for (k = 0; k < count; k++) {
        out[k] = body->u.seq.stmts[lets + k];
        if (out[k]->kind != IRL__STORE || out[k]->u.store.value->op != IRL_OP_VAR) return -1;
        for (j = lets; j-- > 0;) {
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
        const int is_first = e->a[1]->op == IRL_OP_LOAD &&
                             irl__rfactor_same_cell(stores[k], e->a[1]->u.buffer, e->a[1]->a);
        const irl_expr *keep = e->a[is_first ? 1 : 2], *taken = e->a[is_first ? 2 : 1];
        if (keep->op != IRL_OP_LOAD ||
            !irl__rfactor_same_cell(stores[k], keep->u.buffer, keep->a) ||
            (k && (condition != e->a[0] || *keeps != is_first)))
            return NULL;
        condition = e->a[0];
        *keeps = is_first;
        now[k] = irl__stmt_store(cx, stores[k]->u.store.buffer, taken,
                                 stores[k]->u.store.buffer->rank, stores[k]->u.store.indices,
                                 stores[k]->loc);
        if (!now[k]) return NULL;
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
        if (e->u.buffer == q->cells[k].store->u.store.buffer) return 1;
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
        for (int j = 0; j < store->u.store.buffer->rank; j++)
            if (irl__expr_any(store->u.store.indices[j], irl__rfactor_loads, q)) return 0;
    }
    return 1;
}

/* e where the block's axes are what its loops say. */
static const irl_expr *irl__rfactor_bound(irl__sched *s, const irl__rfactor *q, const irl_expr *e)
{
    for (int k = 0; e && k < q->block->axis_count; k++)
        e = irl__substitute(s->cx, e, 1, &q->block->axes[k].var, &q->block->axes[k].binding);
    return e;
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
    const irl_expr *e = irl__rfactor_bound(s, q, store->u.store.value);
    const irl_expr *init = irl__rfactor_bound(s, q, q->cells[k].init->u.store.value);
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
        next[n] = now[n] ? irl__add(s->cx, now[n], one) : NULL;
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
            const irl_expr *old = irl__expr_load(s->cx, store->u.store.buffer,
                                                 store->u.store.buffer->rank,
                                                 store->u.store.indices, irl__nowhere());
            q->tied = k;
            q->tie = old ? irl_expr_op2(s->cx, ops[q->is_last ? 1 - j : j], store->u.store.value,
                                        old) : NULL;
            return q->tie != NULL;
        }
    return 0;
}

static int irl__rfactor_pick(irl__sched *s, const irl__sched_step *step, irl__rfactor *q)
{
    const irl_buffer *best = q->cells[0].store->u.store.buffer;
    const irl_expr   *begin = q->cells[0].init->u.store.value;
    irl__accesses     t;
    if (!irl__accesses_of(&t, s->f, NULL)) return 0;
    if (!irl__rfactor_picks_alone(q, &t) || irl__bitfield_is_narrow(best))
        return irl__sched_refuse(s, step->loc, "'%s' selects by a comparison, and touches the "
                                               "selected elements elsewhere too", q->block->name);
    /* what begins as a number stays one: a comparison with NaN does not hold */
    if (irl__type_is_real(best->type) &&
        (begin->op != IRL_OP_FLOAT || begin->u.f != begin->u.f))
        return irl__sched_refuse(s, step->loc, "'%s' compares floats, and does not begin with a "
                                 "constant: with NaN the selection would depend on the parts",
                                 q->block->name);
    int is_inner = 0;
    for (int k = q->top; k < q->p.count - 1 && q->p.at[k] != q->loop; k++)
        is_inner |= !q->of_space[k] && !irl__is_int(q->p.at[k]->u.loop.extent, 1);
    if ((is_inner || q->is_last) && !irl__rfactor_find_tie(s, q, &t))
        return irl__ok(s->cx) &&
               irl__sched_refuse(s, step->loc, "'%s' selects the %s of equal elements, and none of "
                                               "the integers that it stores is proved to grow or "
                                               "to fall from each iteration to the next%s, so "
                                               "parts along '%s' would select another: store such "
                                               "an integer beside them, or %s", q->block->name,
                                 q->is_last ? "last" : "first",
                                 q->is_last ? ", and to begin before all of these" : "",
                                 irl__refused_loop(s, q->loop),
                                 q->is_last ? "select the first"
                                            : irl__refused_advice(s, "take the outermost loop of "
                                                                     "reduce axes"));
    for (int k = 0; k < q->cell_count; k++)
        if (!irl__rfactor_is_of_space(s, step, q, q->cells[k].store)) return 0;
    return irl__rfactor_is_spatial(s, step, q, &t);
}

static int irl__rfactor_cell(irl__sched *s, const irl__sched_step *step, irl__rfactor *q)
{
    irl__accesses      t;
    const irl__access *update;
    const irl_stmt    *body = irl__stmt_without_lets(s->cx, q->block->body), *init = q->block->init;
    while (body && body->kind == IRL__IF && !body->u.branch.else_) {
        const irl_expr *condition = body->u.branch.condition;
        if (irl__rfactor_read_pick(s, q, condition, body->u.branch.then_))
            return irl__rfactor_pick(s, step, q);
        q->guard = irl__and(s->cx, q->guard, condition);
        body = irl__stmt_without_lets(s->cx, body->u.branch.then_);
    }
    const irl_expr *better;
    int             keeps = 0;
    const irl_stmt *chosen =
        body ? irl__rfactor_choices(s->cx, body, &better, &keeps) : NULL;
    if (chosen && irl__rfactor_read_pick(s, q, better, chosen)) {
        if (!keeps || !irl__type_is_real(better->a[0]->type)) return irl__rfactor_pick(s, step, q);
        return irl__sched_refuse(s, step->loc, "'%s' keeps its value where a comparison of floats "
                                 "holds: with NaN the selection would depend on the parts. Write "
                                 "the comparison so that < or > chooses the new value",
                                 q->block->name);
    }
    if (!body || !irl__ok(s->cx) || !irl__accesses_of(&t, s->f, NULL)) return 0;
    q->store = body;
    if (body->kind != IRL__STORE || (init && init->kind != IRL__STORE) ||
        !irl__rfactor_row(q, &t, &update) || !irl__update_operator(update, &q->op) ||
        !irl__rfactor_is_known(q->op))
        return irl__sched_refuse(s, step->loc, "'%s' is not a reduction by one of + * min max & | "
                                               "^ into one cell", q->block->name);
    q->b = body->u.store.buffer;
    if (irl__rfactor_is_read(q, &t, update))
        return irl__sched_refuse(s, step->loc, "'%s' also reads '%s' in its condition, which would "
                                               "see partial results", q->block->name,
                                               irl__refused_buffer(s, q->b));
    if (!irl__rfactor_is_of_space(s, step, q, body)) return 0;
    for (int k = 0; init && k < q->b->rank; k++)
        if (init->u.store.buffer != q->b || init->u.store.indices[k] != body->u.store.indices[k])
            return irl__sched_refuse(s, step->loc, "'%s' initializes another cell than it updates",
                                     q->block->name);
    if (!irl__update_commutes(&t, update))
        return irl__sched_refuse_order(s, step->loc, update, "");
    return irl__rfactor_is_spatial(s, step, q, &t);
}

/* What leaves a partial result as it is; of min, max, & and | what the init says does too. */
static const irl_expr *irl__rfactor_neutral(irl__sched *s, const irl__sched_step *step,
                                            const irl__rfactor *q)
{
    const irl_expr *init = q->block->init ? q->block->init->u.store.value : NULL;
    const int       number = irl__type_is_real(q->b->type);
    switch (q->op) {
    case IRL_OP_ADD:
    case IRL_OP_MUL: return irl__number(s->cx, q->b->type, q->op == IRL_OP_MUL ? 1 : 0);
    case IRL_OP_BITXOR: return irl_expr_int(s->cx, q->b->type, 0);
    default: break;
    }
    /* what its init reads it writes no sooner than the partial results are done:
       irl__rfactor_is_read */
    if (init && (!(init->flags & IRL__HAS_MEMORY) || !q->block->predicate)) return init;
    if (!number && q->op == IRL_OP_BITOR) return irl_expr_int(s->cx, q->b->type, 0);
    if (!number && q->op == IRL_OP_BITAND) return irl_expr_int(s->cx, q->b->type, -1);
    irl__sched_refuse(s, step->loc, "'%s' has no init to begin partial results with",
                      q->block->name);
    return NULL;
}

/* ------------------------------------------------------------------ the condition */

/* e in the first iteration of the loops that are of no spatial axis. */
static const irl_expr *irl__rfactor_first(irl__sched *s, const irl__rfactor *q, const irl_expr *e)
{
    const irl_expr *zero = irl_expr_index(s->cx, 0);
    for (int k = q->top; e && zero && k < q->p.count - 1; k++)
        if (!q->of_space[k]) e = irl__substitute(s->cx, e, 1, &q->p.at[k]->u.loop.var, &zero);
    return e ? irl__simplify_alone(s->cx, e) : NULL;
}

/* An init runs in the first iteration, if the condition lets it: then nothing may be let through
   where that is not. So it is of a < b, with an a that is the least there. */
static int irl__rfactor_begin(irl__sched *s, const irl__sched_step *step, irl__rfactor *q,
                              const irl_expr *e)
{
    const irl_expr *first = irl__rfactor_first(s, q, e);
    irl__analyzer  *an = irl__analyzer_begin(s->cx);
    if (!first || !an || !irl__path_params(an, s->f)) return 0;
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
    return irl__ok(s->cx) &&
           irl__sched_refuse(s, step->loc, "as far as is known, the condition of '%s' keeps its "
                             "init from running", q->block->name);
}

/* Parts on spatial loops stay with the block, parts on others go into it. */
static int irl__rfactor_condition(irl__sched *s, const irl__sched_step *step, irl__rfactor *q,
                                  const irl_expr *e)
{
    int of_space = 0, of_sum = 0;
    if (e->op == IRL_OP_AND)
        return irl__rfactor_condition(s, step, q, e->a[0]) &&
               irl__rfactor_condition(s, step, q, e->a[1]);
    e = irl__rfactor_bound(s, q, e);
    if (!e) return 0;
    for (int k = q->top; k < q->p.count - 1; k++)
        if (irl__expr_uses_var(e, q->p.at[k]->u.loop.var))
            *(q->of_space[k] ? &of_space : &of_sum) = 1;
    if (of_space && of_sum)
        return irl__sched_refuse(s, step->loc, "a condition of '%s' is on spatial and on reduce "
                                 "axes", q->block->name);
    if (of_sum && !irl__rfactor_begin(s, step, q, e)) return 0;
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
    const irl_expr  *zero = irl__zero(s->cx, q->b->type);
    irl__accesses    t;
    irl__bounds      b;
    irl__place       p;
    if (!copy || !zero) return 0;
    *data = *q->block;
    data->predicate = irl__and(s->cx, data->predicate, q->outer);
    data->read_count = data->write_count = 0;
    data->body = irl__stmt_store(s->cx, q->b, zero, q->b->rank, q->store->u.store.indices,
                                 q->store->loc);
    const irl_func *f = data->body ? irl__place_put(s->f, &q->p, q->p.count - 1, copy) : NULL;
    if (!f || !irl__place_of(f->body, copy->id, &p) || !irl__accesses_of(&t, f, NULL) ||
        !irl__bounds_of(&b, &t))
        return 0;
    const irl__around *node = irl__block_of(&t, p.at[p.count - 1]);
    for (int k = 0; k < b.count; k++)
        if (node && b.list[k].row >= node->first && b.list[k].row < node->end) return 0;
    for (int k = 0; node && k < data->axis_count; k++)
        if (!data->axes[k].is_reduction &&
            irl__axis_kind_of(&t, node, k, NULL) != IRL__KIND_SPATIAL)
            return 0;
    return node != NULL;
}

/* Conditions in the body that are on spatial axes become conditions of the block; others stay. */
static int irl__rfactor_lift(irl__sched *s, const irl__sched_step *step, irl__rfactor *q,
                             const irl_expr *e)
{
    int stays = 0;
    if (e->op == IRL_OP_AND)
        return irl__rfactor_lift(s, step, q, e->a[0]) && irl__rfactor_lift(s, step, q, e->a[1]);
    for (int k = 0; k < q->block->axis_count; k++)
        stays |= q->block->axes[k].is_reduction && irl__expr_uses_var(e, q->block->axes[k].var);
    for (int k = q->top; k < q->p.count - 1; k++)
        stays |= !q->of_space[k] && irl__expr_uses_var(e, q->p.at[k]->u.loop.var);
    if (!stays) return irl__rfactor_condition(s, step, q, e);
    q->guard = irl__and(s->cx, q->guard, e);
    return q->guard != NULL;
}

/* Partial results begin, and are summed, without the conditions in the block's body: where these
   keep its cells apart or inside, the block itself has them. */
static int irl__rfactor_conditions(irl__sched *s, const irl__sched_step *step, irl__rfactor *q)
{
    const irl_expr *guard = q->guard;
    if (q->block->predicate && !irl__rfactor_condition(s, step, q, q->block->predicate)) return 0;
    if (!guard || q->block->init || irl__rfactor_is_bare(s, q)) return irl__ok(s->cx);
    q->guard = NULL;
    if (!irl__ok(s->cx) || !irl__rfactor_lift(s, step, q, guard)) return 0;
    return irl__rfactor_is_bare(s, q) ||
           (irl__ok(s->cx) &&
            irl__sched_refuse(s, step->loc, "a condition in '%s' on spatial and on reduce axes "
                              "decides which cells it updates: partial results would start without "
                              "that condition", q->block->name));
}

/* Loops of reduce axes that the block does not keep may not run: then it does nothing. */
static int irl__rfactor_runs(irl__sched *s, irl__rfactor *q)
{
    uint8_t asked[IRL_MAX_DEPTH + 2];
    for (int k = 0; k < q->p.count; k++)
        asked[k] = k >= q->top && k < q->p.count - 1 && q->p.at[k]->kind == IRL__FOR &&
                   !q->of_space[k] && q->p.at[k] != q->loop;
    return irl__place_runs(s, &q->p, asked, &q->runs);
}

/* The condition of the block that is left. */
static const irl_expr *irl__rfactor_where(irl__sched *s, const irl__rfactor *q)
{
    return irl__and(s->cx, irl__and(s->cx, q->runs, q->outer), q->first);
}

/* ------------------------------------------------------------------ the temporary */

/* Is index k of the cell an axis that stands still where the temporary is declared, bound to what
   loops around the chain say? */
static int irl__rfactor_find_still(irl__sched *s, const irl__rfactor *q, int k)
{
    const irl_expr *index = q->store->u.store.indices[k], *e = NULL;
    int             moves = 0;
    for (int j = 0; j < q->block->axis_count; j++)
        if (q->block->axes[j].var == index) e = q->block->axes[j].binding;
    for (int j = 0; e && j < q->top; j++)
        moves |= q->p.at[j]->kind == IRL__FOR && irl__expr_uses_var(e, q->p.at[j]->u.loop.var);
    return moves && irl__copy_is_lasting(s, &q->p, q->top, e);
}

/* The indices of the cell of the partial result. */
static int irl__rfactor_at(irl_ctx *cx, const irl__rfactor *q, const irl_expr *part,
                           const irl_expr **out)
{
    const irl_expr *zero = irl_expr_index(cx, 0);
    int             n = 0;
    for (int k = 0; k < q->rank; k++) {
        if (k == q->axis) {
            out[k] = part;
            continue;
        }
        out[k] = q->is_still[n] ? zero : q->store->u.store.indices[n];
        n++;
    }
    return zero != NULL;
}

static void irl__rfactor_use(irl__rfactor *q, int k)
{
    const irl__rfactor_cells *cell = &q->cells[k];
    q->store = cell->store;
    q->b = cell->store->u.store.buffer;
    q->rf = cell->rf;
    q->axis = cell->axis;
    q->rank = cell->rank;
    memcpy(q->is_still, cell->is_still, sizeof q->is_still);
}

static int irl__rfactor_buffer(irl__sched *s, const irl__sched_step *step, irl__rfactor *q)
{
    const irl__arg *arg = &step->args[1];
    const irl_expr *shape[IRL_MAX_RANK];
    int             n = 0;
    irl_scope       scope = q->b->scope;
    q->rank = q->b->rank + 1;
    if (arg->kind != IRL__ARG_NUMBER || arg->number < -q->rank || arg->number >= q->rank)
        return irl__sched_refuse(s, arg->loc, "the new axis is a number from %d to %d", -q->rank,
                                 q->rank - 1);
    if (q->rank > IRL_MAX_RANK) return irl__sched_refuse(s, step->loc, "too many axes");
    q->axis = (int)arg->number + (arg->number < 0 ? q->rank : 0);
    if (irl__scope_is_image(scope) || scope == IRL_SCOPE_SHARED || scope == IRL_SCOPE_CONSTANT)
        return irl__sched_refuse(s, step->loc, "partial results of '%s', which is %s, need other "
                                 "memory: %s", irl__refused_buffer(s, q->b), irl__scope_text(scope),
                                 irl__refused_advice(s, "cache_write first"));
    for (int k = 0; k < q->top; k++) /* the temporary is inside of a kernel: each work-item's own */
        if (irl__stmt_is_bound(q->p.at[k])) scope = IRL_SCOPE_LOCAL;
    for (int k = 0; k < q->b->rank; k++) q->is_still[k] = (uint8_t)irl__rfactor_find_still(s, q, k);
    for (int k = 0; k < q->rank; k++) {
        if (k == q->axis) shape[k] = irl__path_length(s->f, q->loop->u.loop.extent);
        else if (q->is_still[n++]) shape[k] = irl_expr_index(s->cx, 1);
        else shape[k] = q->b->shape[n - 1];
        if (!shape[k]) return 0;
    }
    q->rf = irl__copy_buffer(s, q->b, "rf", scope, q->rank, shape);
    return q->rf != NULL;
}

static int irl__rfactor_buffers(irl__sched *s, const irl__sched_step *step, irl__rfactor *q)
{
    if (!q->cell_count) return irl__rfactor_buffer(s, step, q);
    for (int k = 0; k < q->cell_count; k++) {
        irl__rfactor_cells *cell = &q->cells[k];
        irl__rfactor_use(q, k);
        if (!irl__rfactor_buffer(s, step, q)) return 0;
        cell->rf = q->rf;
        cell->axis = q->axis;
        cell->rank = q->rank;
        memcpy(cell->is_still, q->is_still, sizeof q->is_still);
    }
    return 1;
}

/* ------------------------------------------------------------- the block of partial results */

static int irl__rfactor_rename(irl__sched *s, irl__rfactor *q, const irl_expr *from,
                               const irl_expr *to)
{
    if (q->renamed == 3 * IRL_MAX_RANK)
        return irl__fail(s->cx, IRL_ERROR_TOO_LARGE, irl__nowhere(), "too many axes");
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
    q->axes = (irl__axis *)irl__alloc_array(s->cx, (size_t)axis_count + 1, sizeof *q->axes);
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

/* The axes of the new block: the loop, the spatial ones, and a reduce axis for each other loop. */
static int irl__rfactor_axes(irl__sched *s, irl__rfactor *q, irl__block_data *data)
{
    const irl_expr *zero = irl_expr_index(s->cx, 0);
    q->part = irl__rfactor_var(s, "v", q->loop->u.loop.var->u.name);
    if (!zero || !irl__rfactor_add_axis(q, data, q->part, q->loop->u.loop.extent,
                                        q->loop->u.loop.var, 0))
        return 0;
    for (int k = 0; k < q->block->axis_count; k++) {
        const irl__axis *axis = &q->block->axes[k];
        if (axis->is_reduction) continue;
        const irl_expr *var = irl__rfactor_var(s, "", axis->var->u.name);
        if (!irl__rfactor_add_axis(q, data, var, axis->extent, axis->binding, 0) ||
            !irl__rfactor_rename(s, q, axis->var, var))
            return 0;
    }
    for (int k = q->top; k < q->p.count - 1; k++) {
        const irl_stmt *at = q->p.at[k];
        if (q->of_space[k]) continue;
        q->new_axis[k] = at == q->loop ? q->part
                         : irl__axes_use(q->block, at->u.loop.var, 1)
                             ? irl__rfactor_var(s, "v", at->u.loop.var->u.name) : zero;
        if (q->new_axis[k] != q->part && q->new_axis[k] != zero &&
            !irl__rfactor_add_axis(q, data, q->new_axis[k], at->u.loop.extent, at->u.loop.var, 1))
            return 0;
    }
    for (int j = 0; j < q->block->axis_count; j++) {
        const irl_expr *e = q->block->axes[j].binding;
        if (!q->block->axes[j].is_reduction) continue;
        for (int k = q->top; e && k < q->p.count - 1; k++)
            if (!q->of_space[k])
                e = irl__substitute(s->cx, e, 1, &q->p.at[k]->u.loop.var, &q->new_axis[k]);
        e = e ? irl__simplify_alone(s->cx, e) : NULL;
        if (!e || !irl__rfactor_rename(s, q, q->block->axes[j].var, e)) return 0;
    }
    for (int k = q->top; q->inner && k < q->p.count - 1; k++)
        if (!q->of_space[k])
            q->inner =
                irl__substitute(s->cx, q->inner, 1, &q->p.at[k]->u.loop.var, &q->new_axis[k]);
    return irl__ok(s->cx);
}

/* The cell of the partial result, as it is loaded. */
static const irl_expr *irl__rfactor_load(irl_ctx *cx, const irl__rfactor *q, const irl_expr *part)
{
    const irl_expr *at[IRL_MAX_RANK];
    return irl__rfactor_at(cx, q, part, at)
               ? irl__expr_load(cx, q->rf, q->rank, at, irl__nowhere()) : NULL;
}

/* The cell, as the partial result. */
static const irl_expr *irl__rfactor_expr(irl__rewriter *r, const irl_expr *e)
{
    irl__rfactor *q = (irl__rfactor *)r->user;
    if (!(e->flags & IRL__HAS_MEMORY)) return e;
    for (int k = 0; k < q->cell_count; k++)
        if (e->op == IRL_OP_LOAD && e->u.buffer == q->cells[k].store->u.store.buffer)
            irl__rfactor_use(q, k);
    if (e->op != IRL_OP_LOAD || e->u.buffer != q->b) return irl__rewrite_expr_children(r, e);
    return irl__rfactor_load(r->cx, q, q->part);
}

/* The pick in a partial result, and its init. */
static const irl_stmt *irl__rfactor_part_pick(irl__sched *s, irl__rfactor *q, irl__rewriter *r,
                                              const irl_stmt **init)
{
    const irl_stmt *list[IRL__RFACTOR_CELLS], *inits[IRL__RFACTOR_CELLS] = { NULL };
    const irl_expr *at[IRL_MAX_RANK], *better = irl__rewrite_expr(r, q->condition);
    for (int k = 0; k < q->cell_count; k++) {
        irl__rfactor_use(q, k);
        if (!irl__rfactor_at(s->cx, q, q->part, at)) return NULL;
        list[k] = irl__stmt_store(s->cx, q->rf, q->store->u.store.value, q->rank, at,
                                  q->store->loc);
        inits[k] = irl__stmt_store(s->cx, q->rf, q->cells[k].init->u.store.value, q->rank, at,
                                   q->store->loc);
        if (!list[k] || !inits[k]) return NULL;
    }
    *init = irl__stmt_seq(s->cx, q->cell_count, inits);
    return better ? irl_stmt_if(s->cx, better, irl__stmt_seq(s->cx, q->cell_count, list), NULL)
                  : NULL;
}

static const irl_stmt *irl__rfactor_parts(irl__sched *s, const irl__sched_step *step,
                                          irl__rfactor *q)
{
    irl__rewriter    r = irl__rewriter_make(s->cx, q, irl__rfactor_expr, NULL);
    irl__block_data *data;
    irl_stmt        *made = irl__rfactor_new_block(s, q, q->block->axis_count + q->p.count, &data);
    const irl_expr  *at[IRL_MAX_RANK], *neutral = NULL;
    const irl_stmt  *now;
    if (!q->cell_count && !(neutral = irl__rfactor_neutral(s, step, q))) return NULL;
    if (!made || !irl__rfactor_axes(s, q, data)) return NULL;
    data->name = step->result_count ? irl__namez(s->cx, step->results[0])
                                    : irl__namef(s->cx, "%s_rf", q->block->name);
    if (q->cell_count) now = irl__rfactor_part_pick(s, q, &r, &data->init);
    else {
        if (!irl__rfactor_at(s->cx, q, q->part, at)) return NULL;
        const irl_expr *value = irl__rewrite_expr(&r, q->store->u.store.value);
        data->init = irl__stmt_store(s->cx, q->rf, neutral, q->rank, at, q->store->loc);
        now = value ? irl__stmt_store(s->cx, q->rf, value, q->rank, at, q->store->loc) : NULL;
    }
    if (now && q->guard) now = irl_stmt_if(s->cx, q->guard, now, NULL);
    if (data->init)
        data->init = irl__substitute_stmt(s->cx, data->init, q->renamed, q->from, q->to);
    if (now) now = irl__substitute_stmt(s->cx, now, q->renamed, q->from, q->to);
    if (now && q->inner) now = irl_stmt_if(s->cx, q->inner, now, NULL);
    data->body = now;
    return now && data->init && data->name ? irl__stmt_finish(s->cx, made) : NULL;
}

/* ------------------------------------------------------------------ the block that reduces them */

/* x op y, or its rounding, as the block updates its cell; x is NULL: what the block has there. */
static const irl_expr *irl__rfactor_join(irl__sched *s, const irl__rfactor *q, const irl_expr *x,
                                         const irl_expr *y)
{
    const irl_expr *value = q->store->u.store.value, *op = value, *args[2];
    int             old;
    if (op->op == IRL_OP_CAST) op = op->a[0];
    for (old = 0; old < (int)op->count; old++) {
        const irl_expr *e = op->a[old]->op == IRL_OP_CAST ? op->a[old]->a[0] : op->a[old];
        if (e->op == IRL_OP_LOAD && e->u.buffer == q->b) break;
    }
    if (old == (int)op->count) return NULL;
    int k = old == 1; /* of an fma, which is a sum, y comes behind */
    args[k] = x ? x : op->a[old];
    args[1 - k] = y;
    for (k = 0; k < 2; k++) {
        if (args[k] && !irl_type_equal(args[k]->type, op->type))
            args[k] = irl_expr_cast(s->cx, op->type, args[k]);
        if (!args[k]) return NULL;
    }
    op = irl__expr_op(s->cx, q->op, 2, args, irl__nowhere());
    return op && !irl_type_equal(op->type, value->type) ? irl_expr_cast(s->cx, value->type, op)
                                                        : op;
}

/* e, a comparison of what cell k is given with what it holds: of what `part` has there. */
static const irl_expr *irl__rfactor_of_part(irl__sched *s, irl__rfactor *q, int k,
                                            const irl_expr *e, irl_op op, const irl_expr *part)
{
    irl__rfactor_use(q, k);
    const int       old = e->a[0] == q->store->u.store.value;
    const irl_expr *value = irl__rfactor_load(s->cx, q, part);
    return value ? irl_expr_op2(s->cx, op, old ? value : e->a[0], old ? e->a[1] : value) : NULL;
}

/* The partial result `part` takes the place of what the block has, if it is better. */
static const irl_stmt *irl__rfactor_rest_pick(irl__sched *s, irl__rfactor *q, const irl_expr *part)
{
    const irl_stmt *list[IRL__RFACTOR_CELLS];
    const irl_op    op = irl__op_strict(q->better->op);
    for (int k = 0; k < q->cell_count; k++) {
        irl__rfactor_use(q, k);
        const irl_expr *value = irl__rfactor_load(s->cx, q, part);
        list[k] = value ? irl__stmt_store(s->cx, q->b, value, q->b->rank,
                                          q->store->u.store.indices, q->store->loc) : NULL;
        if (!list[k]) return NULL;
    }
    const irl_expr *better = irl__rfactor_of_part(s, q, 0, q->better, op, part);
    if (better && q->tie) {
        const irl_expr *same = irl__rfactor_of_part(s, q, 0, q->better, IRL_OP_EQ, part);
        const irl_expr *tie = irl__rfactor_of_part(s, q, q->tied, q->tie, (irl_op)q->tie->op,
                                                   part);
        same = same && tie ? irl_expr_op2(s->cx, IRL_OP_AND, same, tie) : NULL;
        better = same ? irl_expr_op2(s->cx, IRL_OP_OR, better, same) : NULL;
    }
    return better ? irl_stmt_if(s->cx, better, irl__stmt_seq(s->cx, q->cell_count, list), NULL)
                  : NULL;
}

/* Loops over the spatial ones and the loop, under names of their own. */
static const irl_stmt *irl__rfactor_rest(irl__sched *s, irl__rfactor *q)
{
    irl__block_data *data;
    irl_stmt        *made = irl__rfactor_new_block(s, q, q->block->axis_count + 1, &data);
    const irl_expr  *part = irl__rfactor_var(s, "v", q->loop->u.loop.var->u.name);
    const irl_expr  *from[IRL_MAX_DEPTH + 1], *to[IRL_MAX_DEPTH + 1];
    int              count = 0;
    if (!made || !irl__rfactor_add_axis(q, data, part, q->loop->u.loop.extent,
                                        q->loop->u.loop.var, 1))
        return NULL;
    data->predicate = irl__rfactor_where(s, q);
    for (int k = 0; k < q->block->axis_count; k++)
        if (!q->block->axes[k].is_reduction)
            irl__rfactor_add_axis(q, data, q->block->axes[k].var, q->block->axes[k].extent,
                                  q->block->axes[k].binding, 0);
    if (q->cell_count) data->body = irl__rfactor_rest_pick(s, q, part);
    else {
        const irl_expr *value = irl__rfactor_load(s->cx, q, part);
        value = value ? irl__rfactor_join(s, q, NULL, value) : NULL;
        data->body = value ? irl__stmt_store(s->cx, q->b, value, q->b->rank,
                                             q->store->u.store.indices, q->store->loc) : NULL;
    }
    if (!data->body) return NULL;
    made->id = q->at->id;
    const irl_stmt *now = irl__stmt_finish(s->cx, made);
    for (int k = q->p.count - 1; now && k-- > q->top;) {
        const irl_stmt *loop = q->p.at[k];
        if (!q->of_space[k] && loop != q->loop) continue;
        irl_stmt *copy = irl__stmt_new(s->cx, IRL__FOR, loop->loc);
        if (!copy) return NULL;
        from[count] = loop->u.loop.var;
        to[count] = copy->u.loop.var = irl_expr_var(s->cx, loop->u.loop.var->u.name,
                                                    loop->u.loop.var->type);
        if (!to[count++]) return NULL;
        copy->u.loop.kind = loop->u.loop.kind;
        copy->u.loop.axis = loop->u.loop.axis;
        copy->u.loop.min = loop->u.loop.min;
        copy->u.loop.extent = loop->u.loop.extent;
        copy->u.loop.body = now;
        now = irl__stmt_finish(s->cx, copy);
    }
    return now ? irl__substitute_stmt(s->cx, now, count, from, to) : NULL;
}

int irl__do_rfactor(irl__sched *s, const irl__sched_step *step)
{
    irl__rfactor    q;
    const irl_stmt *allocs[IRL__RFACTOR_CELLS];
    irl__place      p;
    memset(&q, 0, sizeof q);
    if (!irl__rfactor_read(s, step, &q) || !irl__rfactor_sort(s, step, &q) ||
        !irl__rfactor_cell(s, step, &q) || !irl__rfactor_points(s, step, &q) ||
        !irl__rfactor_conditions(s, step, &q) ||
        !irl__rfactor_runs(s, &q) || !irl__rfactor_buffers(s, step, &q))
        return 0;
    const irl_stmt *parts = irl__rfactor_parts(s, step, &q);
    const irl_stmt *rest = parts ? irl__rfactor_rest(s, &q) : NULL;
    allocs[0] = rest ? irl_stmt_alloc(s->cx, q.rf) : NULL;
    for (int k = 0; rest && k < q.cell_count; k++) allocs[k] = irl_stmt_alloc(s->cx, q.cells[k].rf);
    irl_func *f = rest && irl__ok(s->cx) ? irl__place_put(s->f, &q.p, q.p.count - 1, parts) : NULL;
    if (!f || !irl__place_of(f->body, parts->id, &p)) return 0;
    const irl_stmt *now = p.at[q.top];
    f = irl__copy_insert(s, &q.p, q.top, allocs, q.cell_count ? q.cell_count : 1, now, rest,
                          NULL);
    if (!f) return 0;
    s->f = f;
    return irl__sched_result(s, step, 0, parts);
}

/* ------------------------------------------------------------------ a sum of a group

   bind of a loop of reduce axes to local work-items: each sums its part in a variable of its own,
   puts it into shared memory, and there halves are added to halves.

   requires  what rfactor requires; the loop runs a known number of times; the loops of the block
             inside of the outermost one of reduce axes are all of reduce axes */

typedef struct irl__group_sum {
    irl__rfactor      q;
    const irl_func   *f;
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

/* Does the value of this part differ between work-items of a group, or is that not known? */
static int irl__group_sum_differs(const irl_expr *e, const void *user)
{
    const irl__group_sum *g = (const irl__group_sum *)user;
    if (e->flags & IRL__HAS_MEMORY) return 1;
    if (e->op != IRL_OP_VAR) return e->flags & IRL__HAS_VAR ? 0 : -1;
    for (int k = 0; k < g->q.p.count - 1; k++) {
        const irl_stmt *at = g->q.p.at[k];
        if (at->kind == IRL__FOR && at->u.loop.var == e)
            return at->u.loop.kind == IRL_BOUND && at->u.loop.axis >= IRL_LOCAL_X;
    }
    return irl__func_param_of(g->f, e) < 0;
}

/* A condition around the loop lets all work-items of a group wait at the barriers, or none. */
static int irl__group_sum_condition(irl__sched *s, const irl__sched_step *step, irl__group_sum *g,
                                    const irl_expr *condition)
{
    irl__accesses t;
    g->f = s->f;
    if (!irl__accesses_of(&t, s->f, NULL)) return 0;
    condition = irl__accesses_plain(&t, condition);
    if (!condition) return 0;
    return !irl__expr_any(condition, irl__group_sum_differs, g) ||
           irl__sched_refuse(s, step->loc, "the condition '%s' around the loop may differ between "
                             "work-items, which would wait for one another there",
                             irl_expr_text(s->cx, condition));
}

/* All work-items of the group come by, with the same place in the block around. */
static int irl__group_sum_path(irl__sched *s, const irl__sched_step *step, irl__group_sum *g)
{
    const irl__rfactor *q = &g->q;
    const irl_expr     *shape[IRL_MAX_RANK];
    for (g->at = q->top; g->at < q->p.count - 1 && irl__group_sum_is_around(q, g->at);) g->at++;
    for (int k = g->at; k < q->p.count - 1; k++)
        if (irl__group_sum_is_around(q, k))
            return irl__sched_refuse(s, step->loc, "'%s' is %s, and is inside a loop of reduce "
                                                   "axes: %s", irl__refused_loop(s, q->p.at[k]),
                                     q->of_space[k] ? "of a spatial axis" : "bound",
                                     irl__refused_advice(s, "reorder"));
    for (int k = 0; k < q->p.count - 1; k++) {
        const irl_stmt *at = q->p.at[k];
        const irl_expr *condition = at->kind == IRL__IF      ? at->u.branch.condition
                                    : at->kind == IRL__BLOCK ? at->u.block->predicate
                                                             : NULL;
        if (condition && !irl__group_sum_condition(s, step, g, condition)) return 0;
        if (at->kind != IRL__FOR) continue;
        if (at->u.loop.kind == IRL_PARALLEL || at->u.loop.kind == IRL_VECTORIZED ||
            (at->u.loop.kind == IRL_BOUND && at->u.loop.axis >= IRL_GLOBAL_X))
            return irl__sched_refuse(s, step->loc, "the loop '%s' around it belongs to no group",
                                     irl__refused_loop(s, at));
        if (at->u.loop.kind != IRL_BOUND || at->u.loop.axis < IRL_LOCAL_X) continue;
        shape[g->rank] = at->u.loop.extent;
        g->around[g->rank++] = at->u.loop.var;
    }
    if (!irl__stmt_loop_runs(q->loop))
        return irl__sched_refuse(s, step->loc, "the number of iterations of '%s' is not constant",
                                 irl__refused_loop(s, q->loop));
    shape[g->rank++] = q->loop->u.loop.extent;
    g->shared = irl__copy_buffer(s, q->b, "shared", IRL_SCOPE_SHARED, g->rank, shape);
    g->q.rank = 0;
    g->q.rf = irl__copy_buffer(s, q->b, "part", IRL_SCOPE_LOCAL, 0, NULL);
    return g->shared && g->q.rf;
}

static const irl_expr *irl__group_sum_cell(irl__sched *s, irl__group_sum *g, const irl_expr *item)
{
    g->around[g->rank - 1] = item;
    return item ? irl__expr_load(s->cx, g->shared, g->rank, g->around, irl__nowhere()) : NULL;
}

static const irl_stmt *irl__group_sum_store(irl__sched *s, irl__group_sum *g,
                                            const irl_expr *item, const irl_expr *value)
{
    g->around[g->rank - 1] = item;
    return value ? irl__stmt_store(s->cx, g->shared, value, g->rank, g->around, g->q.at->loc)
                 : NULL;
}

/* for bind(axis) (var: extent) body; `like` gives the new loop its id, NULL: its own. */
static const irl_stmt *irl__group_sum_loop(irl__sched *s, const irl__group_sum *g,
                                           const irl_expr *var, const irl_stmt *body, int same)
{
    irl_stmt *loop = irl__stmt_new(s->cx, IRL__FOR, g->q.loop->loc);
    if (!loop || !body || !var) return NULL;
    if (same) loop->id = g->q.loop->id;
    loop->u.loop.kind = IRL_BOUND;
    loop->u.loop.axis = g->axis;
    loop->u.loop.var = var;
    loop->u.loop.min = irl_expr_index(s->cx, 0);
    loop->u.loop.extent = g->q.loop->u.loop.extent;
    loop->u.loop.body = body;
    return irl__stmt_finish(s->cx, loop);
}

/* Each work-item's own part, then in shared memory. */
static const irl_stmt *irl__group_sum_parts(irl__sched *s, const irl__sched_step *step,
                                            irl__group_sum *g)
{
    irl__sched_step unnamed = *step;
    irl__rfactor   *q = &g->q;
    const irl_stmt  *list[4];
    const irl_expr *neutral = irl__rfactor_neutral(s, step, q);
    irl__block_data *data;
    unnamed.result_count = 0;
    const irl_stmt *nest = neutral ? irl__rfactor_parts(s, &unnamed, q) : NULL;
    if (!nest) return NULL;
    if (neutral->flags & IRL__HAS_VAR) {
        irl__sched_refuse(s, step->loc, "the init of '%s' differs from cell to cell",
                          q->block->name);
        return NULL;
    }
    irl_stmt *copy = irl__block_copy(s->cx, nest, &data);
    if (!copy) return NULL;
    data->init = NULL; /* stands in front, where no condition is */
    nest = irl__stmt_finish(s->cx, copy);
    for (int k = q->p.count - 1; nest && k-- > g->at;) {
        if (q->p.at[k] == q->loop) continue;
        copy = irl__stmt_copy(s->cx, q->p.at[k]);
        if (!copy) return NULL;
        copy->u.loop.body = nest;
        nest = irl__stmt_finish(s->cx, copy);
    }
    list[0] = irl_stmt_alloc(s->cx, q->rf);
    list[1] = irl__stmt_store(s->cx, q->rf, neutral, 0, NULL, q->at->loc);
    list[2] = nest;
    list[3] = irl__group_sum_store(s, g, q->loop->u.loop.var,
                                   irl__expr_load(s->cx, q->rf, 0, NULL, irl__nowhere()));
    for (int k = 0; k < 4; k++)
        if (!list[k]) return NULL;
    return irl__group_sum_loop(s, g, q->loop->u.loop.var, irl__stmt_seq(s->cx, 4, list), 1);
}

/* Elements from `half` on are added to those before. */
static const irl_stmt *irl__group_sum_fold(irl__sched *s, irl__group_sum *g, int64_t count,
                                           int64_t half)
{
    const irl_expr *item = irl__rfactor_var(s, "", g->q.loop->u.loop.var->u.name);
    const irl_expr *other = item ? irl__add(s->cx, item, irl_expr_index(s->cx, half)) : NULL;
    const irl_expr *here = irl__group_sum_cell(s, g, item);
    const irl_expr *there = other ? irl__group_sum_cell(s, g, other) : NULL;
    if (!here || !there) return NULL;
    const irl_stmt *now =
        irl__group_sum_store(s, g, item, irl__rfactor_join(s, &g->q, here, there));
    now =
        now ? irl_stmt_if(s->cx,
                          irl_expr_op2(s->cx, IRL_OP_LT, item, irl_expr_index(s->cx, count - half)),
                          now, NULL)
            : NULL;
    return irl__group_sum_loop(s, g, item, now, 0);
}

/* The kernel around the sum: the outermost bound loop, or the block, whose loop will be it. */
static const irl_stmt *irl__group_sum_kernel(const irl__rfactor *q)
{
    return q->p.at[irl__place_kernel(&q->p, q->p.count - 1)];
}

/* Does each work-item have memory of its own for the sum? */
static int irl__group_sum_is_of_each(const irl__rfactor *q)
{
    return irl__flow_is_private(irl__group_sum_kernel(q), q->b);
}

/* Does anything else in the kernel touch what is summed, and would it see the sum too early? */
static int irl__group_sum_is_used(irl__sched *s, const irl__rfactor *q)
{
    irl__accesses t;
    if (irl__group_sum_is_of_each(q) || !irl__accesses_of(&t, s->f, irl__group_sum_kernel(q)))
        return 0;
    for (int k = 0; k < t.count; k++)
        if (t.list[k].memory == q->b->data && !irl__access_in(&t.list[k], q->at)) return 1;
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
    for (int k = 0; k < q->block->axis_count; k++)
        if (!q->block->axes[k].is_reduction)
            irl__rfactor_add_axis(q, data, q->block->axes[k].var, q->block->axes[k].extent,
                                  q->block->axes[k].binding, 0);
    const irl_expr *old =
        irl__expr_load(s->cx, q->b, q->b->rank, q->store->u.store.indices, irl__nowhere());
    const irl_expr *sum = irl__group_sum_cell(s, g, irl_expr_index(s->cx, 0));
    sum = old && sum ? irl__rfactor_join(s, q, old, sum) : NULL;
    data->body = sum ? irl__stmt_store(s->cx, q->b, sum, q->b->rank, q->store->u.store.indices,
                                       q->store->loc) : NULL;
    if (!data->body) return NULL;
    const irl_expr *first = irl__group_sum_is_of_each(q)
                                ? NULL
                                : irl_expr_op2(s->cx, IRL_OP_LT, item, irl_expr_index(s->cx, 1));
    data->predicate = irl__and(s->cx, first, irl__rfactor_where(s, q));
    made->id = q->at->id;
    const irl_stmt *now = irl__ok(s->cx) ? irl__stmt_finish(s->cx, made) : NULL;
    return irl__group_sum_loop(s, g, item, now, 0);
}

int irl__rfactor_group(irl__sched *s, const irl__sched_step *step, irl_axis axis)
{
    irl__group_sum   g;
    const irl_stmt  *list[140];
    int              n = 0;
    memset(&g, 0, sizeof g);
    g.axis = axis;
    if (!irl__rfactor_read(s, step, &g.q) || !irl__rfactor_sort(s, step, &g.q) ||
        !irl__rfactor_cell(s, step, &g.q) || !irl__rfactor_points(s, step, &g.q) ||
        !irl__rfactor_conditions(s, step, &g.q) ||
        (g.q.cell_count &&
         !irl__sched_refuse(s, step->loc, "'%s' selects by a comparison, which a group cannot do: "
                                          "%s",
                            g.q.block->name,
                            irl__refused_advice(s, "rfactor, and bind the parts"))) ||
        !irl__rfactor_runs(s, &g.q) || !irl__group_sum_path(s, step, &g))
        return 0;
    list[n++] = irl_stmt_alloc(s->cx, g.shared);
    list[n++] = irl_stmt_barrier(s->cx, IRL_SCOPE_SHARED); /* the last sum has been read */
    list[n++] = irl__group_sum_parts(s, step, &g);
    list[n++] = irl_stmt_barrier(s->cx, IRL_SCOPE_SHARED);
    for (int64_t count = g.q.loop->u.loop.extent->u.i; count > 1; count -= count / 2) {
        list[n++] = irl__group_sum_fold(s, &g, count, count - count / 2);
        list[n++] = irl_stmt_barrier(s->cx, IRL_SCOPE_SHARED);
    }
    list[n++] = irl__group_sum_last(s, &g);
    if (irl__group_sum_is_used(s, &g.q))
        list[n++] = irl_stmt_barrier(
            s->cx, g.q.b->scope == IRL_SCOPE_SHARED ? IRL_SCOPE_SHARED : IRL_SCOPE_GLOBAL);
    for (int k = 0; k < n; k++)
        if (!list[k]) return 0;
    s->f = irl__place_put(s->f, &g.q.p, g.at, irl__stmt_seq(s->cx, n, list));
    return s->f != NULL;
}
