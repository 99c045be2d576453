/* logic.c - and, or, not, and the arms of a choice.

   needs     facts; comparisons by way of the simplifier
   promises  a chain of conditions costs a few simplifications of each, however long it is; memory
             is never read earlier or more often than before, and nothing divides by what only a
             later condition keeps from being zero */
#include "engine.h"

/* ------------------------------------------------------------------ not */

static const irl_expr *irl__logic_negated(irl__analyzer *an, const irl_expr *e)
{
    if (e->op == IRL_OP_INT) return irl__bool(an->cx, !e->u.i);
    if (e->op == IRL_OP_NOT) return e->a[0];
    if (e->op == IRL_OP_AND || e->op == IRL_OP_OR) { /* !(a || b) is !a && !b */
        const irl_expr *a = irl__logic_negated(an, e->a[0]),
                       *b = a ? irl__logic_negated(an, e->a[1]) : NULL;
        return b ? irl__simplify_node(
                       an, irl__make2(an, e->op == IRL_OP_AND ? IRL_OP_OR : IRL_OP_AND, a, b))
                 : NULL;
    }
    /* not so for floats: NaN compares false both ways */
    if (irl__op_negated(e->op) == (irl_op)e->op || !irl__type_is_integer(e->a[0]->type))
        return NULL;
    return irl__simplify_node(an, irl__make2(an, irl__op_negated(e->op), e->a[0], e->a[1]));
}

/* ------------------------------------------------------------------ and, or */

enum { IRL__LOGIC_MUTUAL = 16 }; /* terms of a chain that may use what all others say */

/* a && b && c, or the same with ||, however it is nested. */
typedef struct irl__chain {
    irl__analyzer   *an;
    irl_op           op;
    int              count;
    const irl_expr **term;
} irl__chain;

static int irl__chain_length(const irl_expr *e, uint8_t op)
{
    return e->op != op ? 1 : irl__chain_length(e->a[0], op) + irl__chain_length(e->a[1], op);
}

static void irl__chain_add(irl__chain *c, const irl_expr *e)
{
    if (e->op == c->op) {
        irl__chain_add(c, e->a[0]);
        irl__chain_add(c, e->a[1]);
    } else c->term[c->count++] = e;
}

/* While a term is looked at, the others of an && hold, and those of an || do not: else the term
   does not matter. */
static int irl__chain_assume(const irl__chain *c, int k)
{
    const irl_expr *e = c->term[k];
    if (c->op == IRL_OP_OR) e = irl__make1(c->an, IRL_OP_NOT, e);
    e = irl__simplify_node(c->an, e);
    return e && irl__fact_done(c->an, e);
}

/* The value that decides the chain; the other one can be left out. */
static int irl__chain_decides(const irl__chain *c, const irl_expr *e)
{
    return e->op == IRL_OP_INT && (e->u.i != 0) == (c->op == IRL_OP_OR);
}

/* Every term with what those before it say. 1; 0 on failure; -1 if the chain is decided. */
static int irl__chain_forward(irl__chain *c)
{
    int k, n = 0, mark = irl__facts_mark(c->an), ok = 1;
    for (k = 0; ok > 0 && k < c->count; k++) {
        const irl_expr *e = irl__simplify_node(c->an, c->term[k]);
        if (!e) ok = 0;
        else if (irl__chain_decides(c, e)) ok = -1;
        else if (e->op != IRL_OP_INT) {
            c->term[n++] = e;
            if (k + 1 < c->count && !irl__chain_assume(c, n - 1)) ok = 0;
        }
    }
    c->count = n;
    irl__facts_release(c->an, mark);
    return ok;
}

/* Term k with what all others say. It is evaluated also where a later one is false, so it may not
   read memory or divide on the strength of that; and what is dropped of it is said by those later,
   which are then evaluated more often. Only what gets shorter is taken: 1 if so, 0 if not, -1 if it
   decides the chain. */
static int irl__chain_mutual(irl__chain *c, int k)
{
    const irl_expr *e = NULL;
    int             i, ok = 1, mark = irl__facts_mark(c->an);
    for (i = 0; ok && i < c->count; i++)
        if (i != k) ok = irl__chain_assume(c, i);
    if (ok) e = irl__simplify_node(c->an, c->term[k]);
    irl__facts_release(c->an, mark);
    if (!e || e->size >= c->term[k]->size || !irl__is_total(c->an, e)) return 0;
    if (irl__chain_decides(c, e)) return -1;
    c->term[k] = e;
    return 1;
}

/* From the last total terms backwards: 1 if something got shorter, 0 if nothing did, -1 if the
   chain is decided. */
static int irl__chain_backward(irl__chain *c)
{
    int k, r, changed = 0;
    if (c->count > IRL__LOGIC_MUTUAL || c->count < 2 ||
        !irl__is_total(c->an, c->term[c->count - 1]))
        return 0;
    for (k = c->count - 2; k >= 0 && irl__is_total(c->an, c->term[k]); k--) {
        r = irl__chain_mutual(c, k);
        if (r < 0) return -1;
        changed |= r;
        /* Terms that became constants are left out, decided ones aside. */
        int j, n = 0;
        for (j = 0; j < c->count; j++)
            if (c->term[j]->op != IRL_OP_INT) c->term[n++] = c->term[j];
        c->count = n;
        if (k > c->count) k = c->count;
    }
    return changed;
}

static const irl_expr *irl__chain_emit(const irl__chain *c)
{
    const irl_expr *e = c->count ? c->term[0] : irl__bool(c->an->cx, c->op == IRL_OP_AND);
    for (int k = 1; e && k < c->count; k++) e = irl__make2(c->an, c->op, e, c->term[k]);
    return e;
}

static const irl_expr *irl__simplify_chain(irl__analyzer *an, const irl_expr *e)
{
    irl__arena_mark mark = irl__scratch_begin(an->cx);
    irl__chain      c;
    const irl_expr *r = NULL;
    int             ok;
    c.an = an;
    c.op = (irl_op)e->op;
    c.count = 0;
    c.term = IRL__SCRATCH(an->cx, const irl_expr *, (size_t)irl__chain_length(e, e->op));
    if (c.term) {
        irl__chain_add(&c, e);
        do ok = irl__chain_forward(&c); /* each round makes the chain shorter */
        while (ok > 0 && (ok = irl__chain_backward(&c)) > 0);
        if (ok < 0) r = irl__bool(an->cx, c.op == IRL_OP_OR);
        else if (irl__ok(an->cx) && !an->too_big) r = irl__chain_emit(&c);
    }
    irl__scratch_end(an->cx, mark);
    return r;
}

const irl_expr *irl__simplify_logic(irl__analyzer *an, const irl_expr *e)
{
    if (e->op != IRL_OP_NOT) return irl__simplify_chain(an, e);
    const irl_expr *n = irl__logic_negated(an, e->a[0]);
    return n || an->too_big ? n : e;
}

/* ------------------------------------------------------------------ choice */

/* An arm of if_then_else is evaluated only where its condition holds, so it may use the condition;
   both arms of a select are always evaluated, and must keep what guards them. */
static const irl_expr *irl__simplify_arm(irl__analyzer *an, const irl_expr *e, int arm,
                                         const irl_expr *condition)
{
    int             mark = irl__facts_mark(an);
    const irl_expr *n = arm == 1 ? condition : irl__make1(an, IRL_OP_NOT, condition), *r = NULL;
    if (condition->type.lanes != 1 || (e->op == IRL_OP_SELECT && !irl__is_total(an, e->a[arm])))
        return irl__simplify_node(an, e->a[arm]);
    n = irl__simplify_node(an, n);
    if (n && irl__fact_done(an, n)) r = irl__simplify_node(an, e->a[arm]);
    irl__facts_release(an, mark);
    return r;
}

const irl_expr *irl__simplify_choice(irl__analyzer *an, const irl_expr *e)
{
    const irl_expr *operands[3];
    operands[0] = irl__simplify_node(an, e->a[0]);
    if (!operands[0]) return NULL;
    if (operands[0]->op == IRL_OP_INT)
        return irl__simplify_node(an, e->a[operands[0]->u.i ? 1 : 2]);
    operands[1] = irl__simplify_arm(an, e, 1, operands[0]);
    operands[2] = irl__simplify_arm(an, e, 2, operands[0]);
    if (!operands[1] || !operands[2]) return NULL;
    if (operands[1] == operands[2]) return operands[1];
    return irl__make_with(an, e, operands);
}
