/* inits.c - where the init of a block runs.

   needs     place.c
   promises  of the later parts of a loop that was cut, and of loops that do not begin at 0, it is
             said that they update what was there; what is not known counts as that */
#include "schedule.h"

enum { IRL__INITS_MOST = 2 * IRL_MAX_RANK };

int irl__axes_use(const irl__block_data *block, const irl_expr *var, int is_reduction)
{
    for (int k = 0; k < block->axis_count; k++)
        if (block->axes[k].is_reduction == is_reduction &&
            irl__expr_uses_var(block->axes[k].binding, var))
            return 1;
    return 0;
}

static int irl__inits_same(const irl_stmt *init, const irl__access *a)
{
    if (init->kind != IRL__STORE || init->u.store.buffer != a->buffer) return 0;
    for (int k = 0; k < a->rank; k++)
        if (init->u.store.indices[k] != a->indices[k]) return 0;
    return 1;
}

/* Whenever the init runs, does it store that cell? Of branches and loops it is not known. */
static int irl__inits_store(const irl_stmt *init, const irl__access *a)
{
    int k, is_stored = 0;
    if (init->kind == IRL__SEQ) {
        for (k = 0; k < init->u.seq.count; k++)
            is_stored |= irl__inits_store(init->u.seq.stmts[k], a);
        return is_stored;
    }
    return irl__inits_same(init, a);
}

int irl__init_is_own(const irl_stmt *init, const irl__access *a)
{
    return a->place == init && irl__inits_same(init, a);
}

int irl__inits_cover(irl__sched *s, const irl__place *p, int level, const irl__access *a)
{
    irl__place in;
    if (a->of_pair < 0 || !irl__inits_run(s, p, level)) return 0;
    const irl_stmt *init = p->at[p->count - 1]->u.block->init;
    return !irl__place_of_stmt(init, a->place, &in) && irl__inits_store(init, a);
}

int irl__init_begins(irl__sched *s, const irl__place *p, int level, const irl__access *a)
{
    const irl_stmt *at = p->at[p->count - 1];
    return at->kind == IRL__BLOCK && at->u.block->init && !at->u.block->read_count &&
           !at->u.block->write_count && irl__init_is_own(at->u.block->init, a) &&
           irl__inits_run(s, p, level);
}

typedef struct irl__inits_first {
    const irl__block_data *block;
    int                    count; /* loops of no spatial axis: their variables, where they begin */
    const irl_expr        *var[IRL__INITS_MOST], *least[IRL__INITS_MOST];
} irl__inits_first;

/* Where it holds in some iteration, does it in the first one of those loops? */
static int irl__inits_hold_first(irl__sched *s, const irl__inits_first *q, const irl_expr *where)
{
    int k, uses = 0;
    if (!where) return 1;
    if (where->op == IRL_OP_AND)
        return irl__inits_hold_first(s, q, where->a[0]) && irl__inits_hold_first(s, q, where->a[1]);
    for (k = 0; k < q->count; k++) uses |= irl__expr_uses_var(where, q->var[k]);
    for (k = 0; k < q->block->axis_count; k++)
        uses |= q->block->axes[k].is_reduction &&
                irl__expr_uses_var(where, q->block->axes[k].var);
    if (!uses) return 1;
    const irl_expr *first = irl__substitute(s->cx, where, q->count, q->var, q->least);
    first = first ? irl__simplify_alone(s->cx, first) : NULL;
    return first && irl__is_int(first, 1);
}

int irl__inits_run(irl__sched *s, const irl__place *p, int level)
{
    irl__inits_first q;
    int              k;
    q.block = p->at[p->count - 1]->kind == IRL__BLOCK ? p->at[p->count - 1]->u.block : NULL;
    if (!q.block || !q.block->init) return 0;
    for (k = level, q.count = 0; k < p->count; k++) {
        const irl_stmt *at = p->at[k];
        if (at->kind != IRL__FOR || irl__axes_use(q.block, at->u.loop.var, 0)) continue;
        if (q.count == IRL__INITS_MOST) return 0;
        q.var[q.count] = at->u.loop.var;
        q.least[q.count++] = at->u.loop.min;
    }
    int ok = irl__inits_hold_first(s, &q, q.block->predicate);
    for (k = level; ok && k < p->count; k++)
        if (p->at[k]->kind == IRL__IF)
            ok = irl__inits_hold_first(s, &q, p->at[k]->u.branch.condition);
    for (k = 0; ok && k < q.block->axis_count; k++) {
        const irl_expr *first = q.block->axes[k].binding;
        if (!q.block->axes[k].is_reduction) continue;
        first = irl__substitute(s->cx, first, q.count, q.var, q.least);
        first = first ? irl__simplify_alone(s->cx, first) : NULL;
        ok = first && irl__is_int(first, 0);
    }
    return ok;
}
