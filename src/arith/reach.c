/* reach.c - ends of ranges that some point reaches.

   needs     order.c, prove.c
   promises  some point of the iterators' ranges has the end as its value, whatever the parameters
             are */
#include "engine.h"

enum { IRL__REACH_TERMS = 32 };

/* step * atom: atom stands for what moves, step for the rest; `last` is how far the atom goes from
   its least value. */
typedef struct irl__reach_term {
    const irl_expr *atom, *step, *last;
} irl__reach_term;

static int irl__reach(irl__analyzer *an, const irl_expr *e, int dense, int depth);

static int irl__reach_shares(irl__analyzer *an, const irl_expr *a, const irl_expr *b)
{
    if (a->op == IRL_OP_VAR) return irl__expr_moves(an, a) && irl__expr_uses_var(b, a);
    for (uint32_t k = 0; k < a->count; k++)
        if (irl__reach_shares(an, a->a[k], b)) return 1;
    return 0;
}

/* last - first of e; NULL where it is not known. */
static const irl_expr *irl__reach_length(irl__analyzer *an, const irl_expr *e)
{
    const irl_expr *first = irl__bound_of(an, e, -1, 0), *last = irl__bound_of(an, e, 1, 0);
    return first && last ? irl__canonical(an, irl__make2(an, IRL_OP_SUB, last, first)) : NULL;
}

/* A product as what moves in it and the rest: false if two factors move. */
static int irl__reach_factor(irl__analyzer *an, const irl_expr *e, irl__reach_term *t)
{
    for (;; e = e->a[0]) {
        const irl_expr *f = e->op == IRL_OP_MUL ? e->a[1] : e;
        if (!irl__expr_moves(an, f)) t->step = irl__make2(an, IRL_OP_MUL, t->step, f);
        else if (t->atom) return 0;
        else t->atom = f;
        if (!t->step) return 0;
        if (e->op != IRL_OP_MUL) return t->atom != NULL;
    }
}

/* The moving terms of a sum; their number, -1 if they are not understood. */
static int irl__reach_terms(irl__analyzer *an, const irl_expr *e, irl__reach_term *list)
{
    irl__sum s = irl__sum_begin(an, e->type);
    int      k, count = 0, ok = irl__sum_add_done(an, &s, e, 1);
    irl__sum_compact(an, &s);
    for (k = 0; ok && k < s.count; k++) {
        irl__term t = an->terms[s.first + k];
        if (!irl__expr_moves(an, t.atom)) continue;
        ok = count < IRL__REACH_TERMS && t.coef != INT64_MIN;
        if (!ok) break;
        list[count].atom = NULL;
        list[count].step = irl_expr_int(an->cx, e->type, t.coef < 0 ? -t.coef : t.coef);
        ok = list[count].step && irl__reach_factor(an, t.atom, &list[count]);
        count++;
    }
    irl__sum_end(an, &s);
    return ok ? count : -1;
}

/* Whether steps of one follow upon what the others reach, so that no value is left out: each step
   is at most one more than all smaller ones reach together. */
static int irl__reach_follows(irl__analyzer *an, irl__reach_term *list, int count, irl_type type)
{
    const irl_expr *reach = irl_expr_int(an->cx, type, 1);
    int             k;
    for (int used = 0; used < count; used++) {
        for (k = used; k < count; k++)
            if ((list[k].last || used == count - 1) && reach && /* nothing follows the last one */
                irl__prove(an, irl__make2(an, IRL_OP_LE, list[k].step, reach)))
                break;
        if (k == count) return 0;
        reach = irl__make2(an, IRL_OP_ADD, reach,
                           irl__make2(an, IRL_OP_MUL, list[k].step, list[k].last));
        reach = irl__canonical(an, reach);
        list[k] = list[used];
    }
    return 1;
}

static int irl__reach_of_sum(irl__analyzer *an, const irl_expr *e, int dense, int depth)
{
    irl__reach_term list[IRL__REACH_TERMS];
    int             i, k, count = irl__reach_terms(an, e, list);
    for (k = 0; k < count; k++) {
        for (i = 0; i < k; i++)
            if (irl__reach_shares(an, list[i].atom, list[k].atom)) return 0;
        if (list[k].atom == e || !irl__reach(an, list[k].atom, dense, depth)) return 0;
        if (irl__range_of(an, list[k].step).lo < 0) return 0;
        const irl_expr *first = irl__bound_of(an, list[k].atom, -1, depth);
        if (list[k].step->op != IRL_OP_INT && (!first || !irl__bound_nonnegative(an, first)))
            return 0; /* irl__bound_of_product gives 0 there */
        list[k].last = irl__reach_length(an, list[k].atom);
    }
    return count >= 0 && (!dense || irl__reach_follows(an, list, count, e->type));
}

/* Both ends are reached by iterators that each stand in one place; dense: and every value between
   them. */
static int irl__reach(irl__analyzer *an, const irl_expr *e, int dense, int depth)
{
    const irl_expr *first, *length;
    if (depth > 32) return 0;
    if (e->op == IRL_OP_VAR || !irl__expr_moves(an, e)) return 1;
    switch (e->op) {
    case IRL_OP_ADD:
    case IRL_OP_SUB:
    case IRL_OP_MUL:
    case IRL_OP_NEG: return irl__reach_of_sum(an, e, dense, depth + 1);
    case IRL_OP_FLOORDIV:
        return irl__range_of(an, e->a[1]).lo >= 1 && !irl__expr_moves(an, e->a[1]) &&
               irl__reach(an, e->a[0], dense, depth + 1);
    case IRL_OP_FLOORMOD:
        if (irl__range_of(an, e->a[1]).lo < 1 || irl__expr_moves(an, e->a[1]) ||
            !irl__reach(an, e->a[0], 1, depth + 1))
            return 0;
        first = irl__bound_of(an, e->a[0], -1, depth + 1);
        if (first && irl__is_int(first, 0)) return 1; /* from 0 on to the end or to the divisor */
        length = irl__reach_length(an, e->a[0]);
        return length && irl__prove(an, irl__make2(an, IRL_OP_LT,
                                                   irl__make2(an, IRL_OP_SUB, e->a[1],
                                                              irl_expr_int(an->cx, e->type, 2)),
                                                   length));
    case IRL_OP_MIN:
    case IRL_OP_MAX:
        return !irl__reach_shares(an, e->a[0], e->a[1]) &&
               irl__reach(an, e->a[0], dense, depth + 1) &&
               irl__reach(an, e->a[1], dense, depth + 1);
    default: return 0;
    }
}

const irl_expr *irl__symbolic_end(irl__analyzer *an, const irl_expr *e, int sign)
{
    const irl_expr *b = irl__symbolic_bound(an, e, sign);
    e = b ? irl__canonical(an, e) : NULL;
    return e && irl__reach(an, e, 0, 0) ? b : NULL;
}

const irl_expr *irl__symbolic_bound_over(irl__analyzer *an, const irl_expr *e, int sign,
                                         const irl_expr *var)
{
    const int         fixed = an->fixed;
    const irl__known *known = irl__known_find(an, var);
    if (!known) return NULL;
    an->fixed = known->since;
    an->memory_stays = 1;
    e = irl__symbolic_bound(an, e, sign);
    an->memory_stays = 0;
    an->fixed = fixed;
    return e && !irl__expr_uses_var(e, var) ? e : NULL;
}

int irl__is_dense_since(irl__analyzer *an, const irl_expr *e, int mark)
{
    const int fixed = an->fixed;
    an->fixed = mark;
    e = irl__canonical(an, e);
    const int dense = e && irl__reach(an, e, 1, 0);
    an->fixed = fixed;
    return dense;
}
