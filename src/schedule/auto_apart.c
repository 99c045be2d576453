/* auto_apart.c - loops around several statements that become loops around each.

   needs     auto.c
   promises  loops in which a sum is begun, made and used are loops around each of these, and so are
             loops around several nests where that is asked for; where a step is refused, all is as
             it was */
#include "auto.h"

/* Does an index use one of the loops from `top` inwards, down to `end`? */
static int irl__auto_index_uses(const irl_stmt *top, const irl_stmt *end, const irl_expr *index)
{
    for (; top != end; top = top->u.loop.body)
        if (irl__expr_uses_var(index, top->u.loop.var)) return 1;
    return 0;
}

/* A store, or loops around one that all reduce: they write one cell. */
static int irl__auto_is_one_cell(const irl_stmt *s)
{
    const irl_stmt *end = s, *store;
    int             j;
    while (end->kind == IRL__FOR) end = end->u.loop.body;
    const irl__block_data *b = end->kind == IRL__BLOCK ? end->u.block : NULL;
    store = b ? b->body : end;
    if (store->kind != IRL__STORE) return 0;
    for (int k = 0; k < store->u.store.buffer->rank; k++) {
        const irl_expr *index = store->u.store.indices[k];
        if (irl__auto_index_uses(s, end, index)) return 0;
        for (j = 0; b && j < b->axis_count; j++)
            if (irl__expr_uses_var(index, b->axes[j].var) &&
                irl__auto_index_uses(s, end, b->axes[j].binding))
                return 0;
    }
    return 1;
}

int irl__auto_around_list(const irl_stmt *top, const irl_stmt **loops, const irl_stmt **list)
{
    const irl_stmt *s;
    int             count = 0;
    for (s = top; s->kind == IRL__FOR && count < IRL__AUTO_LOOPS; s = s->u.loop.body) {
        if (s->u.loop.kind != IRL_SERIAL && s->u.loop.kind != IRL_PARALLEL) return 0;
        loops[count++] = s;
    }
    *list = s;
    return s->kind == IRL__SEQ ? count : 0;
}

/* Does each of the statements write one cell, and does one of them sum it up? */
static int irl__auto_are_cells(const irl_stmt *list)
{
    int k, sums = 0, cells = 0;
    for (k = 0; k < list->u.seq.count; k++) {
        const irl_stmt *at = list->u.seq.stmts[k];
        if (at->kind == IRL__ALLOC) continue;
        if (!irl__auto_is_one_cell(at)) return 0;
        sums += at->kind == IRL__FOR;
        cells++;
    }
    return sums && cells > 1;
}

/* Are they stores alone, several, and is one of them an update of a cell that the loop does not go
   through? */
static int irl__auto_has_sum(const irl_stmt *loop, const irl_stmt *list)
{
    int         sums = 0;
    irl__update u;
    for (int k = 0; k < list->u.seq.count; k++) {
        const irl_stmt *at = list->u.seq.stmts[k];
        if (at->kind != IRL__STORE) return 0;
        sums += irl__store_update(at, &u) &&
                !irl__exprs_use_var(at->u.store.buffer->rank, at->u.store.indices,
                                    loop->u.loop.var);
    }
    return sums && list->u.seq.count > 1;
}

/* Is what they allocate, once for each iteration, of so many elements that it may be all at once?
   */
static int irl__auto_is_little(const irl_stmt *const *loops, int count, const irl_stmt *list)
{
    int64_t all, each, one;
    int     k, j;
    for (k = 0, each = 0; k < list->u.seq.count; k++) {
        const irl_stmt *at = list->u.seq.stmts[k];
        if (at->kind != IRL__ALLOC) continue;
        for (j = 0, one = 1; j < at->u.alloc.buffer->rank; j++)
            if (at->u.alloc.buffer->shape[j]->op != IRL_OP_INT ||
                !irl__mul64(one, at->u.alloc.buffer->shape[j]->u.i, &one))
                return 0;
        if (!irl__add64(each, one, &each)) return 0;
    }
    for (k = 0, all = each; k < count; k++)
        if (loops[k]->u.loop.extent->op != IRL_OP_INT ||
            !irl__mul64(all, loops[k]->u.loop.extent->u.i, &all))
            return 0;
    return all <= IRL__AUTO_ALL_ROWS;
}

int irl__auto_apart(irl__auto *a, uint32_t id, int is_any, int *at)
{
    const irl_stmt *top = irl__auto_top(a->f, id), *body = irl__auto_body(a),
                   *list = NULL;
    const irl_stmt *loops[IRL__AUTO_LOOPS];
    irl__auto_plan  p;
    int             k, before = irl__stmt_count(body);
    k = irl__auto_around_list(top, loops, &list);
    const int is_sum = k && !is_any && irl__auto_has_sum(loops[k - 1], list);
    /* inside of another loop they are no kernels */
    if ((!is_sum || !a->is_inside) &&
        irl__auto_iterations(top, IRL__AUTO_KERNELS) < IRL__AUTO_KERNELS)
        return 0;
    if (!k || !(is_any ? irl__auto_is_little(loops, k, list)
                       : is_sum || irl__auto_are_cells(list)))
        return 0;
    *at = body->kind == IRL__SEQ ? irl__auto_at(a, top) : 0; /* alone it is number 0 then */
    const char *reason = is_any ? "each statement for all rows: its accesses are contiguous, or "
                                  "shared between rows"
                         : is_sum ? "a sum in a separate loop is computed in vectors"
                                  : "first the sums of many cells, then the results from them";
    const char *part = is_sum ? irl__auto_name(a, loops[k - 1]->u.loop.var->u.name, "s") : NULL;
    irl__auto_plan_begin(a, &p);
    while (k-- > 0) {
        const char *var = irl__auto_symbol(a->cx, loops[k]->u.loop.var->u.name);
        const char *name = irl__sched_loop_name(a->f, loops[k]);
        if (!name || !var || (is_sum && !part)) return 0;
        if (is_sum && !p.steps) irl__auto_step(&p, reason, "%s = distribute(%s);", part, name);
        else if (is_sum) irl__auto_step(&p, "", "distribute(%s.%s);", part, var);
        else irl__auto_step(&p, p.steps ? "" : reason, "distribute(%s);", name);
    }
    if (!irl__auto_try(a, &p)) return 0;
    body = irl__auto_body(a);
    return body->kind == IRL__SEQ ? body->u.seq.count - before + 1 : 0;
}
