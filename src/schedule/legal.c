/* legal.c - the order of accesses behind a step that has moved a unit.

   needs     move.h; pairs of accesses
   promises  NO: of two instances of rows that touch one cell, one of them writing it, the one that
             came first still does. Else two iterations and the cell, as they were before the step,
             or why it is not known

   Each row of the new function was one of the old function, and the unit's old loops are known in
   terms of those that are around it now. So both orders are asked of two iterations of the new
   function: the old one held, and the new one does not. */
#include "move.h"

int irl__legal_begin(irl__sched *s, irl__move *m, const irl_func *g, const irl_stmt *nest,
                     irl__legal *q)
{
    const irl__flow_set was[2] = {
        irl__flow_set_of(&m->t, IRL__ROWS_ALL, NULL, m->last, NULL),
        irl__flow_set_of(&m->t, IRL__ROWS_ALL, m->last, NULL, NULL)
    };
    const irl__access *at[2] = { NULL, NULL };
    int                is_over[2] = { 0, 0 };
    q->m = m;
    q->where = 0;
    if (!irl__accesses_of(&q->now, g, NULL) || !irl__place_all(s->cx, &m->u.p, &q->places))
        return 0;
    q->rows = IRL__SCRATCH(s->cx, irl__legal_row, q->now.count + 1);
    for (int k = 0; q->rows && k < q->now.count; k++) {
        const irl__access *a = &q->now.list[k];
        const int          moved = irl__place_holds(nest, a->place);
        if (!a->is_declared && !is_over[moved]) at[moved] = irl__flow_next(&was[moved], at[moved]);
        is_over[moved] |= !at[moved];
        q->rows[k].is_moved = moved;
        q->rows[k].was = at[moved] && at[moved]->memory == a->memory ? at[moved] : NULL;
    }
    return q->rows != NULL;
}

const irl__legal_row *irl__legal_row_of(const irl__legal *q, const irl__access *a)
{
    return &q->rows[a - q->now.list];
}

/* ------------------------------------------------------------------ the two orders */

/* Do they meet in the order that they have now, where `count` of the conditions hold? */
static irl_answer irl__legal_meet(const irl__legal *q, irl__pair *p, uint8_t now, int is_in_one,
                                  int count, irl__meeting *m)
{
    const irl__flow_order order = { &q->m->u.p, q->m->level, now, is_in_one, q->m->shares };
    return irl__flow_ordered(p, &order, count, q->e, q->f, q->order, m);
}

/* Two rows of the unit: a came so to b in the first of its old loops in which they differ. */
static irl_answer irl__legal_own(irl__legal *q, irl__pair *p, uint8_t was, irl__meeting *m)
{
    const uint8_t now = was == IRL__BEFORE ? IRL__AFTER : IRL__BEFORE;
    for (int k = 0; k < q->m->u.count; k++) {
        q->e[q->where + k] = q->f[q->where + k] = q->m->value[k];
        q->order[q->where + k] = was;
        if (irl__legal_meet(q, p, now, 0, q->where + k + 1, m) != IRL_NO) return m->answer;
        q->order[q->where + k] = IRL__SAME;
    }
    return IRL_NO;
}

/* Did what is not the unit come before it (-1), or behind it (1), in one run of the common
   statement? 0: it stands elsewhere. */
static int irl__legal_side(const irl__legal *q, const irl__access *was)
{
    const irl__place_near *at =
        (const irl__place_near *)irl__ptr_map_get(&q->places, was->place);
    if (!at || at->level != q->m->level || at->child == q->m->first_child) return 0;
    return at->child < q->m->first_child ? -1 : 1;
}

static irl_answer irl__legal_ask(irl__legal *q, const irl__access *a, const irl__access *b,
                                 irl__meeting *m)
{
    const irl__legal_row *one = irl__legal_row_of(q, a), *other = irl__legal_row_of(q, b);
    irl__pair            *p;
    int                   side = 0;
    memset(m, 0, sizeof *m);
    if (irl__access_alias(&q->now, a, b) == IRL_NO) return IRL_NO;
    m->answer = IRL_UNKNOWN;
    m->a = a;
    m->b = b;
    m->reason = "loops that are not known";
    if (!one->was || !other->was) return IRL_UNKNOWN;
    if (!one->is_moved) side = -irl__legal_side(q, one->was);
    else if (!other->is_moved) side = irl__legal_side(q, other->was);
    if (!side && one->is_moved != other->is_moved) return m->answer = IRL_NO;
    if (!(p = irl__pair_begin(&q->now, a, b, IRL__PAIR_STEPS))) return IRL_UNKNOWN;
    if (side)
        return irl__legal_meet(q, p, side > 0 ? IRL__AFTER : IRL__BEFORE, (a > b) == (side > 0),
                               q->where, m);
    if (irl__legal_own(q, p, IRL__BEFORE, m) != IRL_NO || a == b) return m->answer;
    return irl__legal_own(q, p, IRL__AFTER, m);
}

int irl__legal_keeps_init(irl__legal *q)
{
    const irl__block_data *block = q->m->u.block;
    const irl__flow_set    all = irl__flow_set_of(&q->now, IRL__ROWS_ALL, NULL, NULL, NULL);
    irl__meeting           m;
    q->where = 0;
    IRL__FLOW_PAIRS(a, b, all, all) {
        const irl__access *was = irl__legal_row_of(q, a)->was;
        if (!irl__legal_row_of(q, a)->is_moved || !irl__legal_row_of(q, b)->is_moved ||
            (was && !irl__place_holds(block->init, was->place)))
            continue;
        irl__pair *p = irl__pair_begin(&q->now, a, b, IRL__PAIR_STEPS);
        for (int k = 0; k < block->axis_count; k++) {
            if (!block->axes[k].is_reduction) continue;
            for (int j = 0; j < block->axis_count; j++) {
                q->e[j] = q->f[j] = q->m->value[j];
                q->order[j] = block->axes[j].is_reduction ? IRL__ANY : IRL__SAME;
            }
            q->order[k] = IRL__BEFORE;
            if (!p || irl__legal_meet(q, p, IRL__AFTER, 0, block->axis_count, &m) != IRL_NO)
                return 0;
        }
    }
    return 1;
}

/* ------------------------------------------------------------------ what is shown */

enum { IRL__LEGAL_VALUES = 96 };

/* The values that the unit's old loops had in that copy; false: not known. */
static int irl__legal_values(const irl__legal *q, const irl__access *a, int copy, irl__meeting *m)
{
    const irl_expr *vars[IRL__LEGAL_VALUES];
    int64_t         values[IRL__LEGAL_VALUES];
    const int       most = (int)(sizeof m->values / sizeof *m->values);
    int             count = 0;
    for (int k = 0; k < m->count; k++)
        if (irl__func_param_of(q->now.f, m->values[k].var) >= 0) {
            vars[count] = m->values[k].var;
            values[count++] = m->values[k].value;
        }
    for (const irl__around *n = irl__around_next(a->around, IRL__AROUND_LOOP); n && count < most;
         n = irl__around_next(n->outer, IRL__AROUND_LOOP)) {
        vars[count] = n->var;
        values[count++] = irl__meeting_at(m, n->var, copy);
    }
    for (int k = 0; k < q->m->u.count; k++) {
        irl_value *to = &m->values[m->count];
        if (m->count == most || irl__value_at(q->m->value[k], count, vars, values, &to->value) !=
                                    IRL__FOLD_OK)
            return 0;
        to->var = q->m->u.var[k];
        to->copy = copy;
        m->count++;
    }
    return 1;
}

/* The meeting in terms of the old function, if they are known. */
static void irl__legal_say(irl__legal *q, irl__meeting *m)
{
    const irl__legal_row *one = irl__legal_row_of(q, m->a), *other = irl__legal_row_of(q, m->b);
    q->shown = &q->now;
    if (q->m->u.block || !one->was || !other->was) return;
    if (m->answer == IRL_YES && ((one->is_moved && !irl__legal_values(q, m->a, 0, m)) ||
                                 (other->is_moved && !irl__legal_values(q, m->b, 1, m))))
        return;
    q->shown = &q->m->t;
    m->a = one->was;
    m->b = other->was;
}

irl_answer irl__legal_changes(irl__legal *q, const irl__access *a, const irl__access *b,
                              irl__meeting *m)
{
    const irl__arena_mark mark = irl__scratch_begin(q->now.cx);
    if (irl__legal_ask(q, a, b, m) != IRL_NO) irl__legal_say(q, m);
    irl__scratch_end(q->now.cx, mark);
    return m->answer;
}
