/* prove.c - questions that are answered by simplifying.

   needs     simplify.c
   promises  yes, and an end of a range, only where it holds for all values that the analyzer
             admits */
#include "engine.h"

irl__interval irl__interval_of(irl__analyzer *an, const irl_expr *e)
{
    const irl_expr *s;
    if (!an || !e) return irl__interval_any();
    s = irl__canonical(an, e);
    return s ? irl__range_of(an, s) : irl__interval_any();
}

void irl__range(irl__analyzer *an, const irl_expr *e, int64_t *lo, int64_t *hi)
{
    irl__interval r = irl__interval_of(an, e);
    *lo = r.lo;
    *hi = r.hi;
}

int irl__prove(irl__analyzer *an, const irl_expr *condition)
{
    const irl_expr *s;
    if (!an || !condition) return 0;
    if (an->contradiction) return 1;
    s = irl__canonical(an, condition);
    return s && s->op == IRL_OP_INT && s->u.i != 0;
}

int irl__prove_equal(irl__analyzer *an, const irl_expr *a, const irl_expr *b)
{
    if (!an || !a || !b) return 0;
    if (a == b || irl__canonical(an, a) == irl__canonical(an, b)) return irl__ok(an->cx);
    return irl__prove(an, irl_op2(an->cx, IRL_OP_EQ, a, b));
}
