/* facts.c - adds facts to the analyzer: what variables can be, and conditions that are true for a
   while.

   needs     sums, which are the keys of facts; each fact is simplified (prove.c)
   promises  a released fact leaves no trace; from facts that contradict each other, everything
             follows */
#include "engine.h"

/* ------------------------------------------------------------------ bindings */

int irl__bind_range(irl__analyzer *an, const irl_expr *var, int64_t lo, int64_t hi)
{
    if (!an || !var) return 0;
    irl__known *entry = irl__known_add(an, var);
    if (!entry) return 0;
    entry->range = irl__interval_make(lo, hi);
    entry->first = entry->last = entry->equal = NULL;
    entry->is_iterator = 0;
    irl__forget_memo(an);
    return 1;
}

static int irl__bind_extents(irl__analyzer *an, int rank, const irl_expr *const *extents)
{
    for (int k = 0; an && k < rank; k++)
        if (extents[k]->op == IRL_OP_VAR && !irl__bind_range(an, extents[k], 0, IRL__MOST_EXTENT))
            return 0;
    return an != NULL;
}

int irl__bind_sizes(irl__analyzer *an, const irl_buffer *b)
{
    return irl__bind_extents(an, b->rank, b->shape);
}

int irl__bind_param_sizes(irl__analyzer *an, const irl_func *f)
{
    for (int k = 0; k < f->param_count; k++) {
        const irl__param *p = &f->params[k];
        if (p->buffer && (!irl__bind_sizes(an, p->buffer) ||
                          !irl__bind_extents(an, p->logical_rank, p->logical_shape)))
            return 0;
    }
    return an != NULL;
}

int irl__bind_done(irl__analyzer *an, const irl_expr *var, const irl_expr *value)
{
    if (!irl__type_is_integer(value->type) && value->type.scalar != IRL_BOOL) return 1;
    if (value->type.lanes != 1) return 1;
    irl__interval r = irl__range_of(an, value);
    if (!irl__bind_range(an, var, r.lo, r.hi)) return 0;
    /* memory may change: var stays what it was */
    if (!(value->flags & IRL__HAS_MEMORY)) irl__known_find(an, var)->equal = value;
    return 1;
}

/* ------------------------------------------------------------------ facts */

static int irl__undo_push(irl__analyzer *an, const irl_expr *key, irl__interval old)
{
    irl__undo *undo = (irl__undo *)irl__analyzer_room(an, an->undo, an->undo_count,
                                                      &an->undo_capacity, sizeof *undo);
    if (!undo) return 0;
    an->undo = undo;
    an->undo[an->undo_count].key = key;
    an->undo[an->undo_count].range = old;
    an->undo_count++;
    return 1;
}

static int irl__contradict(irl__analyzer *an)
{
    if (!irl__undo_push(an, NULL, irl__interval_any())) return 0;
    an->contradiction++;
    return 1;
}

/* key is in r from now on. */
static int irl__fact_range(irl__analyzer *an, const irl_expr *key, irl__interval r)
{
    irl__known *entry = irl__known_add(an, key);
    if (!entry || !irl__undo_push(an, key, entry->range)) return 0;
    entry->range = irl__interval_meet(entry->range, r);
    if (entry->range.lo > entry->range.hi) {
        entry->range.hi = entry->range.lo; /* any value will do: nothing is reachable here */
        if (!irl__contradict(an)) return 0;
    }
    an->fact_count++;
    return 1;
}

static int irl__fact_difference(irl__analyzer *an, const irl_expr *a, const irl_expr *b, int64_t lo,
                                int64_t hi);

/* m/c in r says where m is; m itself may be a sum. */
static int irl__fact_dividend(irl__analyzer *an, const irl_expr *key, irl__interval r)
{
    if (key->op == IRL_OP_FLOORMOD && key->a[1]->op == IRL_OP_INT && key->a[1]->u.i > 0 &&
        r.lo == r.hi && r.lo >= 0 && r.lo < key->a[1]->u.i) {
        /* m % c == r moves the bounds of m to the next values that leave r. */
        irl__interval m = irl__range_of(an, key->a[0]);
        int64_t       j = key->a[1]->u.i, up = 0, down = 0, t;
        if (m.lo != INT64_MIN && irl__sub64(r.lo, m.lo, &t)) (void)irl__floormod64(t, j, &up);
        if (m.hi != INT64_MAX && irl__sub64(m.hi, r.lo, &t)) (void)irl__floormod64(t, j, &down);
        if (up == 0 && down == 0) return 1;
        /* there is no such value */
        if (!irl__add64(m.lo, up, &m.lo) || !irl__sub64(m.hi, down, &m.hi))
            return irl__contradict(an);
        return irl__fact_difference(an, key->a[0], irl_expr_int(an->cx, key->type, 0), m.lo, m.hi);
    }
    if (key->op != IRL_OP_FLOORDIV || key->a[1]->op != IRL_OP_INT || key->a[1]->u.i <= 0) return 1;
    int64_t c = key->a[1]->u.i;
    if (r.lo != INT64_MIN && !irl__mul64(r.lo, c, &r.lo)) r.lo = INT64_MIN;
    if (r.hi != INT64_MAX && (!irl__mul64(r.hi, c, &r.hi) || !irl__add64(r.hi, c - 1, &r.hi)))
        r.hi = INT64_MAX;
    return irl__fact_difference(an, key->a[0], irl_expr_int(an->cx, key->type, 0), r.lo, r.hi);
}

/* lhs - rhs is in [lo, hi]: noted for the terms without their constant, and with all signs
   changed. */
static int irl__fact_difference(irl__analyzer *an, const irl_expr *a, const irl_expr *b, int64_t lo,
                                int64_t hi)
{
    irl__sum        s = irl__sum_begin(an, a->type);
    const irl_expr *key;
    int             ok = 1, sign;
    /* no number is its negation */
    if (!irl__sum_add_done(an, &s, a, 1) || !irl__sum_add_done(an, &s, b, -1) ||
        s.constant == INT64_MIN) {
        irl__sum_end(an, &s);
        return irl__ok(an->cx);
    }
    /* a term that has cancelled says nothing: its range would be that of the rest */
    irl__sum_compact(an, &s);
    int64_t constant = s.constant;
    s.constant = 0;
    for (sign = 1; ok && sign >= -1 && s.count > 0; sign -= 2) {
        irl__interval r;
        r.lo = lo;
        r.hi = hi;
        r = irl__interval_add(r, irl__interval_make(-constant, -constant));
        if (lo == INT64_MIN) r.lo = INT64_MIN;
        if (hi == INT64_MAX) r.hi = INT64_MAX;
        if (sign < 0) r = irl__interval_scale(r, -1);
        if (sign < 0 && !irl__sum_scale(an, &s, -1)) break;
        if (s.count == 1) { /* coef * atom in r */
            int64_t c = an->terms[s.first].coef, q;
            if (c < 0) continue;
            key = an->terms[s.first].atom;
            if (r.lo != INT64_MIN && irl__floordiv64(-r.lo, c, &q)) r.lo = -q;
            if (r.hi != INT64_MAX && irl__floordiv64(r.hi, c, &q)) r.hi = q;
        } else if (!(key = irl__sum_emit(an, &s)) && irl__ok(an->cx) && !an->too_big)
            continue; /* of a type that wraps: no expression is this number */
        ok = key && irl__fact_range(an, key, r) && (s.count != 1 || irl__fact_dividend(an, key, r));
    }
    irl__sum_end(an, &s);
    return ok;
}

int irl__facts_mark(const irl__analyzer *an) { return an ? an->undo_count : 0; }

static int irl__fact_compare(irl__analyzer *an, irl_op op, const irl_expr *a, const irl_expr *b)
{
    if (!irl__type_is_integer(a->type) || a->type.lanes != 1 || a->type.scalar == IRL_U64) return 1;
    switch (op) {
    case IRL_OP_EQ: return irl__fact_difference(an, a, b, 0, 0);
    case IRL_OP_LT: return irl__fact_difference(an, a, b, INT64_MIN, -1);
    case IRL_OP_LE: return irl__fact_difference(an, a, b, INT64_MIN, 0);
    case IRL_OP_GT: return irl__fact_difference(an, a, b, 1, INT64_MAX);
    case IRL_OP_GE: return irl__fact_difference(an, a, b, 0, INT64_MAX);
    default: return 1;
    }
}

static int irl__fact_add(irl__analyzer *an, const irl_expr *e, int holds, int depth)
{
    irl_op op = (irl_op)e->op;
    if (e->type.lanes != 1 || depth > IRL_MAX_DEPTH) return 1;
    if (op == IRL_OP_NOT) return irl__fact_add(an, e->a[0], !holds, depth + 1);
    if (op == (holds ? IRL_OP_AND : IRL_OP_OR))
        return irl__fact_add(an, e->a[0], holds, depth + 1) &&
               irl__fact_add(an, e->a[1], holds, depth + 1);
    if (op == IRL_OP_INT) return e->u.i == holds ? 1 : irl__contradict(an);
    if (!irl__fact_range(an, e, irl__interval_make(holds, holds))) return 0;
    if (op == IRL_OP_EQ || op == IRL_OP_NE) { /* and what it denies */
        const irl_expr *n =
            irl__make2(an, op == IRL_OP_EQ ? IRL_OP_NE : IRL_OP_EQ, e->a[0], e->a[1]);
        if (!n || !irl__fact_range(an, n, irl__interval_make(!holds, !holds))) return 0;
    }
    if (!holds) op = irl__op_negated(op);
    if (op >= IRL_OP_EQ && op <= IRL_OP_GE) return irl__fact_compare(an, op, e->a[0], e->a[1]);
    return 1;
}

int irl__fact_stated(irl__analyzer *an, const irl_expr *condition)
{
    int ok = irl__fact_add(an, condition, 1, 0);
    irl__forget_memo(an);
    return ok;
}

void irl__facts_release(irl__analyzer *an, int mark)
{
    if (!an || an->undo_count <= mark) return;
    while (an->undo_count > mark) {
        irl__undo *u = &an->undo[--an->undo_count];
        if (u->key) {
            irl__known_find(an, u->key)->range = u->range;
            an->fact_count--;
        } else an->contradiction--;
    }
    irl__forget_memo(an);
}

/* ------------------------------------------------------------------ ranges under facts */

/* The range of s, narrowed by facts about s without its constant, or about -s. */
irl__interval irl__sum_range_known(irl__analyzer *an, const irl__sum *s)
{
    irl__interval r = irl__sum_range(an, s);
    if (an->fact_count == 0 || s->count < 2) return r;
    for (int sign = 1; sign >= -1; sign -= 2) {
        irl__sum        t = irl__sum_begin(an, s->type);
        const irl_expr *key = NULL;
        if (irl__sum_add_sum(an, &t, s, sign)) {
            t.constant = 0;
            key = irl__sum_emit(an, &t);
        }
        irl__sum_end(an, &t);
        const irl__known *known = key ? irl__known_find(an, key) : NULL;
        if (!known) continue;
        irl__interval k = sign > 0 ? known->range : irl__interval_scale(known->range, -1);
        if (sign < 0 && known->range.hi == INT64_MAX) k.lo = INT64_MIN;
        if (sign < 0 && known->range.lo == INT64_MIN) k.hi = INT64_MAX;
        r = irl__interval_meet(
            r,
            irl__interval_make(
                k.lo == INT64_MIN ? INT64_MIN
                                  : irl__interval_add(k, irl__interval_make(s->constant, 0)).lo,
                k.hi == INT64_MAX ? INT64_MAX
                                  : irl__interval_add(k, irl__interval_make(0, s->constant)).hi));
    }
    return r;
}
