/* pad.c - the primitive that pads the axes of a block to multiples.

   needs     place.c, copies.c
   promises  the block computes what it did; additional results are discarded */
#include "schedule.h"

/* ------------------------------------------------------------------ pad_einsum

   requires  a block whose axes are serial loops from 0, one each, in a nest of no others, and that
             stores into one cell, whose indices, and those of what it reads, are axes wherever an
             axis is padded; a factor for each axis
   does      each axis becomes the next multiple of its factor. Operands are copied into temporaries
             with 0 where nothing was, the block writes a temporary, and what counts of it is
             copied back
   refuses   another index, or one that reads memory; a buffer at several indices; an axis of no
             iteration; more than one store; a padded axis without an index of the cell written; a
             reduction along a padded axis that is no sum of products with the axis in each factor;
             what could fail on zeros; an update of what was there before, or whose init begins
             another cell */

typedef struct irl__pad {
    irl__place             p;
    const irl_stmt        *at, *store;
    const irl__block_data *block;
    int                    first; /* the level of the outermost loop */
    const irl_stmt        *loop[IRL_MAX_RANK];   /* of each axis */
    const irl_expr        *extent[IRL_MAX_RANK]; /* the padded one */
    int                    padded[IRL_MAX_RANK];
    int                    count; /* of buffers; the first is written */
    const irl_buffer      *from[IRL_MAX_RANK], *to[IRL_MAX_RANK];
    const irl_expr        *const *indices[IRL_MAX_RANK];
} irl__pad;

static int irl__pad_loops(irl__sched *s, irl__pad *q)
{
    int k, count = 0;
    if (s->arg_count - 1 != q->block->axis_count || q->block->axis_count > IRL_MAX_RANK)
        return irl__refuse(s, "'%s' has %d axes; found %d factors", q->block->name,
                           q->block->axis_count, s->arg_count - 1);
    for (q->first = q->p.count - 1; q->first > 0 && count < q->block->axis_count; q->first--) {
        const irl_stmt *loop = q->p.at[q->first - 1];
        if (loop->kind != IRL__FOR) break;
        for (k = 0; k < q->block->axis_count; k++)
            if (q->block->axes[k].binding == loop->u.loop.var) break;
        if (k == q->block->axis_count || q->loop[k] || loop->u.loop.kind != IRL_SERIAL ||
            !irl__is_int(loop->u.loop.min, 0) || loop->u.loop.extent != q->block->axes[k].extent)
            break;
        q->loop[k] = loop;
        count++;
    }
    for (k = 0; k < q->block->axis_count; k++) {
        const irl__arg *arg = &s->args[k + 1];
        const irl_expr *e = q->block->axes[k].extent, *f;
        if (!q->loop[k])
            return irl__refuse(s, "the axis '%s' must be bound to a whole serial loop that no "
                               "other axis uses, in a nest of such loops",
                               q->block->axes[k].var->u.name);
        if (e->op == IRL_OP_INT && e->u.i < 1)
            return irl__refuse(s, "the axis '%s' has no iteration", q->block->axes[k].var->u.name);
        if (arg->kind != IRL__ARG_NUMBER || arg->number < 1 || arg->number > IRL__MOST_EXTENT) {
            char said[64];
            irl__arg_said(arg, said, sizeof said);
            return irl__refuse_at(s, arg->loc, "a factor must be above 0 and at most %l; found %s",
                                  IRL__MOST_EXTENT, said);
        }
        f = irl_expr_index(s->cx, arg->number);
        q->extent[k] = irl__simplify_alone(
            s->cx, irl__mul(s->cx, irl__floordiv(s->cx, irl__add(s->cx, e, irl_expr_index(s->cx,
                                                                            arg->number - 1)), f),
                            f));
        if (!q->extent[k]) return 0;
        q->padded[k] = q->extent[k] != irl__simplify_alone(s->cx, e);
    }
    return 1;
}

static int irl__pad_axis_of(const irl__pad *q, const irl_expr *index)
{
    int k;
    for (k = 0; k < q->block->axis_count && q->block->axes[k].var != index; k++) {}
    return k < q->block->axis_count ? k : -1;
}

/* Notes a buffer that is accessed along a padded axis. */
static int irl__pad_buffer(irl__sched *s, irl__pad *q,
                           const irl_buffer *b, const irl_expr *const *indices)
{
    int k, padded = 0;
    for (k = 0; k < b->rank; k++) {
        if (irl__pad_axis_of(q, indices[k]) >= 0) {
            padded |= q->padded[irl__pad_axis_of(q, indices[k])];
            continue;
        }
        for (int j = 0; j < q->block->axis_count; j++)
            if (q->padded[j] && irl__expr_uses_var(indices[k], q->block->axes[j].var))
                return irl__refuse(s, "the index %s of '%B' is not an axis",
                                   irl_expr_text(s->cx, indices[k]), b);
        if (indices[k]->flags & IRL__HAS_MEMORY)
            return irl__refuse(s, "the index of '%B' reads memory", b);
    }
    for (k = 0; k < q->count && q->from[k] != b; k++) {}
    if (k < q->count)
        return irl__exprs_equal(b->rank, q->indices[k], indices) ||
               irl__refuse(s, "'%B' is accessed at several indices", b);
    if (!padded && q->count) return 1;
    if (q->count == IRL_MAX_RANK) return irl__refuse(s, "too many buffers");
    q->from[q->count] = b;
    q->indices[q->count++] = indices;
    return 1;
}

/* Is it defined whatever is loaded, 0 too? */
static int irl__pad_is_total(const irl_expr *e)
{
    switch ((irl_op)e->op) {
    case IRL_OP_FLOORDIV: case IRL_OP_FLOORMOD: case IRL_OP_TRUNCDIV: case IRL_OP_TRUNCMOD:
    case IRL_OP_SHL: case IRL_OP_SHR:
        if (!irl__is_const(e->a[1]) || irl__is_int(e->a[1], 0)) return 0;
        break;
    case IRL_OP_CALL_EXTERN: case IRL_OP_CALL_INTRINSIC: return 0;
    default: break;
    }
    for (uint32_t k = 0; k < e->count; k++)
        if (!irl__pad_is_total(e->a[k])) return 0;
    return 1;
}

static int irl__pad_loads(irl__sched *s, irl__pad *q, const irl_expr *e)
{
    if (e->op == IRL_OP_LOAD) return irl__pad_buffer(s, q, e->u.buffer, e->a);
    for (uint32_t k = 0; k < e->count; k++)
        if (!irl__pad_loads(s, q, e->a[k])) return 0;
    return 1;
}

static int irl__pad_vanishes(const irl_expr *e, const irl_expr *axis, int all);

/* Of a * b, or what fma(a, b, c) adds to c: integers want one factor that is 0. */
static int irl__pad_product_vanishes(const irl_expr *e, const irl_expr *axis, int all)
{
    const int a = irl__pad_vanishes(e->a[0], axis, all);
    const int b = irl__pad_vanishes(e->a[1], axis, all);
    return all ? a && b : a || b;
}

/* A product of loads, each along the axis: 0 * 0 where it is padded. */
static int irl__pad_vanishes(const irl_expr *e, const irl_expr *axis, int all)
{
    if (e->op == IRL_OP_CAST) return irl__pad_vanishes(e->a[0], axis, all);
    if (e->op == IRL_OP_MUL) return irl__pad_product_vanishes(e, axis, all);
    for (uint32_t k = 0; e->op == IRL_OP_LOAD && k < e->count; k++)
        if (e->a[k] == axis) return 1;
    return 0;
}

static int irl__pad_sums(irl__sched *s, const irl__pad *q)
{
    irl__accesses   t;
    irl__update     u;
    irl_op          op;
    const int       rounded = irl__update_is_rounded(q->from[0]->type);
    const irl__access *update = NULL;
    if (!irl__accesses_of(&t, s->f, q->at)) return 0;
    IRL__EACH_ROW(a, &t)
        if (a->kind == IRL__ACCESS_UPDATE && a->place == q->store) update = a;
    if (!update) {
        for (int j = 0; j < q->block->axis_count; j++)
            if (q->block->axes[j].is_reduction)
                return irl__refuse(s, "'%s' is not a reduction", q->block->name);
        return 1;
    }
    if (!q->block->init || q->block->init->kind != IRL__STORE ||
        q->block->init->u.store.buffer != q->from[0])
        return irl__refuse(s, "'%s' updates what was there before", q->block->name);
    const irl_expr *zero = q->block->init->u.store.value;
    if (!irl__exprs_equal(q->from[0]->rank, q->block->init->u.store.indices,
                          q->store->u.store.indices))
        return irl__refuse(s, "'%s' initializes another cell than it updates", q->block->name);
    for (int j = 0; j < q->block->axis_count; j++) {
        if (!q->padded[j] || !q->block->axes[j].is_reduction) continue;
        if (!irl__update_operator(update, &op) || op != IRL_OP_ADD ||
            !irl__store_update(q->store, &u))
            return irl__refuse(s, "'%s' is padded, and '%s' is not a sum along it",
                               q->block->axes[j].var->u.name, q->block->name);
        /* -0 + 0 would be 0 */
        const irl_expr *axis = q->block->axes[j].var;
        const int       vanishes =
            u.value->op == IRL_OP_FMA ? irl__pad_product_vanishes(u.value, axis, rounded)
                                      : irl__pad_vanishes(u.value->a[1 - u.old], axis, rounded);
        if (!vanishes ||
            (rounded && (!irl__is_const(zero) || zero == irl_expr_float(s->cx, zero->type, -0.0))))
            return irl__refuse(s, "as far as is known, '%s' is not 0 where '%s' is padded",
                               q->block->name, q->block->axes[j].var->u.name);
    }
    return 1;
}

/* Each spatial axis that is padded is one index of the cell, and no axis is two: what is computed
   beyond has cells of its own, and what is copied back was written. */
static int irl__pad_cells(irl__sched *s, const irl__pad *q)
{
    int used;
    for (int k = 0; k < q->block->axis_count; k++) {
        for (int j = used = 0; j < q->from[0]->rank; j++)
            used += q->indices[0][j] == q->block->axes[k].var;
        if (used > 1 || (!used && q->padded[k] && !q->block->axes[k].is_reduction))
            return irl__refuse(s, "'%s' is %s of the cell that '%s' writes",
                               q->block->axes[k].var->u.name,
                               used ? "several indices" : "padded, and not an index",
                               q->block->name);
    }
    return 1;
}

/* What is written elsewhere must not be read: not by another name, and not before it is begun. */
static int irl__pad_is_begun(irl__sched *s, const irl__pad *q)
{
    irl__accesses t;
    if (!irl__accesses_of(&t, s->f, q->at)) return 0;
    const irl__flow_set stores = irl__flow_set_of(&t, IRL__ROWS_STORE, NULL, NULL, NULL);
    const irl__flow_set takes = irl__flow_set_of(&t, IRL__ROWS_TAKE, NULL, NULL, NULL);
    IRL__FLOW_PAIRS(w, a, stores, takes)
        if (w->place == q->store && !irl__inits_cover(s, &q->p, q->first, a))
            return irl__refuse(s, "'%s' reads '%B', which it has not written", q->block->name,
                               a->buffer);
    return 1;
}

static int irl__pad_read(irl__sched *s, irl__pad *q)
{
    q->p = s->p;
    q->at = irl__place_last(&q->p);
    q->block = q->at->u.block;
    q->store = q->block->body;
    if (q->block->predicate)
        return irl__refuse(s, "'%s' is under a condition, where(%s)", q->block->name,
                           irl_expr_text(s->cx, q->block->predicate));
    if (q->store->kind != IRL__STORE || q->block->alloc_count || q->block->match_count)
        return irl__refuse(s, "'%s' is more than one store", q->block->name);
    for (int k = 0; k < q->p.count - 1; k++)
        if (q->p.at[k]->kind == IRL__FOR && q->p.at[k]->u.loop.kind != IRL_SERIAL)
            return irl__refuse(s, "the outer loop '%L' is not serial", q->p.at[k]);
    if (!irl__pad_loops(s, q) || !irl__flow_knows_axes(s, q->block, &q->p, q->first) ||
        !irl__pad_buffer(s, q, q->store->u.store.buffer, q->store->u.store.indices))
        return 0;
    for (int k = 0; k < q->from[0]->rank; k++)
        if (irl__pad_axis_of(q, q->indices[0][k]) < 0 &&
            !(q->indices[0][k]->flags & IRL__HAS_VAR ? 0 : 1))
            return irl__refuse(s, "the index %s of '%B' is not an axis",
                               irl_expr_text(s->cx, q->indices[0][k]), q->from[0]);
    if (!irl__pad_cells(s, q) || !irl__pad_loads(s, q, q->store->u.store.value)) return 0;
    if (q->block->init && q->block->init->kind == IRL__STORE &&
        !irl__pad_loads(s, q, q->block->init->u.store.value))
        return 0;
    if (!irl__pad_is_total(q->store->u.store.value))
        return irl__refuse(s, "as far as is known, '%s' could fail where its operands are 0",
                           q->block->name);
    return irl__pad_sums(s, q) && irl__pad_is_begun(s, q);
}

/* ------------------------------------------------------------------ the temporaries */

static int irl__pad_makes(irl__sched *s, irl__pad *q)
{
    for (int k = 0; k < q->count; k++) {
        const irl_buffer *b = q->from[k];
        const irl_expr   *shape[IRL_MAX_RANK];
        for (int j = 0; j < b->rank; j++) {
            const int axis = irl__pad_axis_of(q, q->indices[k][j]);
            shape[j] = axis >= 0 ? irl__path_length(s->f, q->extent[axis]) : b->shape[j];
            if (!shape[j]) return 0;
        }
        irl_buffer *made = irl__copy_buffer(s, b, "pad", IRL_SCOPE_GLOBAL, b->rank, shape);
        if (!made || (k == 0 && !irl__copy_take_bits(s, q->at, b, made, &s->args[0]))) return 0;
        q->to[k] = made;
    }
    return 1;
}

/* May the axis go beyond the buffer's? A load that stood in a condition keeps within it. */
static int irl__pad_leaves(const irl_expr *extent, const irl_expr *shape)
{
    return extent != shape && !(extent->op == IRL_OP_INT && shape->op == IRL_OP_INT &&
                                extent->u.i <= shape->u.i);
}

/* The condition under which reductions have a first iteration, and with it an init: else nobody has
   written what would be copied back. NULL: they have. 0 on failure. */
static int irl__pad_begins(irl__sched *s, const irl__pad *q, const irl_expr **begins)
{
    irl__analyzer *an = irl__place_analyzer(s, &q->p, 0);
    *begins = NULL;
    for (int k = 0; an && k < q->block->axis_count; k++) {
        if (q->block->axes[k].is_reduction &&
            !irl__place_ask(s->cx, an, begins, IRL_OP_GE, q->block->axes[k].extent,
                            irl_expr_index(s->cx, 1)))
            return 0;
    }
    return an && irl__ok(s->cx);
}

/* An operand with 0 around (k > 0), or what counts of the result (k = 0). */
static const irl_stmt *irl__pad_copy(irl__sched *s, const irl__pad *q, int k)
{
    const irl_buffer *b = q->from[k], *pad = q->to[k];
    irl__copy_axes    a;
    const irl_stmt   *block;
    const irl_expr   *at[IRL_MAX_RANK] = { NULL }, *inside = NULL, *begins = NULL;
    memset(&a, 0, sizeof a);
    for (int j = 0; j < b->rank; j++) {
        const int       axis = irl__pad_axis_of(q, q->indices[k][j]);
        const irl_expr *whole = axis >= 0 ? q->block->axes[axis].extent : irl_expr_index(s->cx, 1);
        const irl_expr *var = irl__copy_axis(s, &a, k ? pad->shape[j] : whole, NULL, NULL);
        at[j] = k || axis >= 0 ? var : q->indices[k][j];
        if (!k || !var) continue;
        if (axis >= 0 && q->padded[axis])
            inside = irl__and(s->cx, inside, irl_expr_op2(s->cx, IRL_OP_LT, var, whole));
        if (irl__pad_leaves(axis >= 0 && q->padded[axis] ? whole : pad->shape[j], b->shape[j]))
            inside = irl__and(s->cx, inside, irl_expr_op2(s->cx, IRL_OP_LT, var, b->shape[j]));
    }
    const irl_expr *value = irl_expr_load(s->cx, k ? b : pad, b->rank, at);
    if (inside)
        value = irl_expr_op3(s->cx, IRL_OP_IF_THEN_ELSE, inside, value, irl__zero(s->cx, b->type));
    if (!value || (!k && !irl__pad_begins(s, q, &begins))) return NULL;
    return irl__copy_nest(s, &a, pad->name, begins,
                          irl__stmt_store(s->cx, k ? pad : b, value, b->rank, at, q->at->loc),
                          &block);
}

/* ------------------------------------------------------------------ the block */

static const irl_stmt *irl__pad_block(irl__sched *s, irl__pad *q)
{
    irl__block_data *data;
    const irl_stmt  *now = irl__copy_swapped(s, q->at, q->count, q->from, q->to);
    irl_stmt        *copy = irl__block_copy(s->cx, now, &data);
    irl__axis       *axes = copy ? irl__block_axes(s->cx, data, 0) : NULL;
    if (!axes) return NULL;
    for (int k = 0; k < data->axis_count; k++) axes[k].extent = q->extent[k];
    now = irl__stmt_finish(s->cx, copy);
    for (int k = q->p.count - 1; now && k-- > q->first;) {
        int j;
        for (j = 0; q->loop[j] != q->p.at[k];) j++;
        now = irl__stmt_loop_over(s->cx, q->loop[j], q->loop[j]->u.loop.var,
                                  q->loop[j]->u.loop.min, q->extent[j], now);
    }
    return now;
}

int irl__do_pad_einsum(irl__sched *s)
{
    irl__pad        q;
    const irl_stmt *before[2 * IRL_MAX_RANK], *back, *now;
    int             n = 0;
    memset(&q, 0, sizeof q);
    if (!irl__pad_read(s, &q) || !irl__pad_makes(s, &q)) return 0;
    for (int k = 0; k < q.count; k++) {
        before[n++] = irl_stmt_alloc(s->cx, q.to[k]);
        if (k) before[n++] = irl__pad_copy(s, &q, k);
        if (!before[n - 1]) return 0;
    }
    back = irl__pad_copy(s, &q, 0);
    now = back ? irl__pad_block(s, &q) : NULL;
    irl_func *f = now ? irl__copy_insert(s, &q.p, q.first, before, n, now, back, NULL) : NULL;
    return f && irl__sched_become(s, irl__flow_block_regions(s, f, q.at->id));
}
