/* solve.c - from the values of quasi-affine expressions back to their variables, digit by digit.

   needs     the rules for sums and divisions, in solve_*.c; those for other operators are here
   promises  every equation that is learned holds for all values of the unknowns in their ranges,
             because each rule is an equivalence or a consequence under the ranges that it names. So
             unknowns that are found are functions of the given values: that is a proof that the
             values determine the unknowns

   V and W are what is known. Each rule is applied to one equation until nothing new follows:

     exclusive or      (a ^ k) = V, k known                       a = V ^ k
     choice            select(c, a, b) = V, c known               u = select(c, v, w) where a = V
                       gives u = v, b = V gives u = w
     minimum, maximum  min(a, b) = V, max(a, b) = W               a + b = V + W
     arms apart        select(c, a, b) = V, all of a < all of b   c = (V < least b) */
#include "solve.h"

/* ------------------------------------------------------------------ atoms */

static int irl__solve_xor(irl__solution *s, irl__equation *q)
{
    for (int k = 0; k < 2; k++) {
        const irl_expr *known = irl__solve_value(s, q->what->a[k]);
        if (!known) continue;
        q->done = 1;
        return irl__solve_learn(s, q->what->a[1 - k],
                                irl__make2(s->an, IRL_OP_BITXOR, q->value, known));
    }
    return 0;
}

/* The range of one arm where its condition holds. */
static irl__interval irl__solve_arm_range(irl__solution *s, const irl_expr *choice, int arm)
{
    const irl_expr *c = choice->a[0];
    int             mark = irl__facts_mark(s->an);
    irl__interval   r = irl__interval_any();
    irl__sum        u = irl__sum_begin(s->an, choice->type);
    if (arm == 2) c = irl__make1(s->an, IRL_OP_NOT, c);
    if (c && irl__fact(s->an, c) && irl__sum_add(s->an, &u, choice->a[arm], 1) &&
        irl__sum_merge(s->an, &u))
        r = irl__sum_range_known(s->an, &u);
    irl__sum_end(s->an, &u);
    irl__facts_release(s->an, mark);
    return r;
}

/* An equation for every part of a condition that has one value left while it holds. */
static void irl__solve_append_points(irl__solution *s, const irl_expr *e, int depth)
{
    if (e->op == IRL_OP_INT || depth > 8) return;
    if (irl__type_is_index(e->type)) {
        irl__interval r = irl__range_of(s->an, e);
        if (r.lo == r.hi) (void)irl__solve_append(s, e, irl_expr_int(s->an->cx, e->type, r.lo));
    }
    for (uint32_t k = 0; k < e->count; k++) irl__solve_append_points(s, e->a[k], depth + 1);
}

/* Which arm it was, from the value: known directly, or because the arms do not meet. */
static const irl_expr *irl__solve_condition(irl__solution *s, const irl__equation *q)
{
    const irl_expr *c = irl__solve_value(s, q->what->a[0]);
    if (c || !irl__type_is_index(q->what->type)) return c;
    irl__interval a = irl__solve_arm_range(s, q->what, 1);
    irl__interval b = irl__solve_arm_range(s, q->what, 2);
    if (a.hi < b.lo)
        return irl__simplify_node(s->an, irl__make2(s->an, IRL_OP_LT, q->value,
                                                    irl_expr_index(s->an->cx, b.lo)));
    if (b.hi < a.lo)
        return irl__simplify_node(s->an, irl__make2(s->an, IRL_OP_GE, q->value,
                                                    irl_expr_index(s->an->cx, a.lo)));
    return NULL;
}

static void irl__solve_run(irl__solution *s);

/* What follows from arm == value under the condition, beside what is known anyway: a list of its
   own. */
static int irl__solve_arm(irl__solution *s, const irl__equation *q, int arm, irl__solution *out)
{
    const irl_expr *c = q->what->a[0];
    int             mark = irl__facts_mark(s->an), k;
    *out = *s;
    out->depth++;
    out->equations =
        (irl__equation *)irl__alloc_array(s->an->cx, (size_t)s->count + 25, sizeof *out->equations);
    if (!out->equations) return 0;
    memcpy(out->equations, s->equations, (size_t)s->count * sizeof *out->equations);
    out->capacity = s->count + 25;
    if (arm == 2) c = irl__make1(s->an, IRL_OP_NOT, c);
    if (!c || !irl__fact(s->an, c)) {
        irl__facts_release(s->an, mark); /* part of it may have been noted */
        return 0;
    }
    (void)irl__solve_learn(out, q->what->a[arm], q->value);
    for (k = 0; k < s->unknown_count; k++) { /* the condition may leave one value */
        irl__interval r = irl__range_of(s->an, s->unknowns[k]);
        if (r.lo == r.hi)
            (void)irl__solve_append(out, s->unknowns[k],
                                    irl_expr_int(s->an->cx, s->unknowns[k]->type, r.lo));
    }
    irl__solve_append_points(out, q->what->a[0], 0);
    irl__solve_run(out);
    irl__facts_release(s->an, mark);
    return irl__ok(s->an->cx);
}

/* select(c, a, b) = V with c known: what follows from a = V and from b = V alike follows, by the
   same choice. */
static int irl__solve_choice(irl__solution *s, irl__equation *q)
{
    const irl_expr *c = irl__solve_condition(s, q), *arm[3];
    irl__solution   a, b;
    int             k, learned = 0;
    if (!c || s->depth >= 3) return 0;
    q->done = 1;
    if (!irl__solve_arm(s, q, 1, &a) || !irl__solve_arm(s, q, 2, &b)) return 0;
    arm[0] = c;
    for (k = s->count; k < a.count; k++) {
        const irl__equation *other = irl__solve_find(&b, a.equations[k].what);
        if (!other) continue;
        arm[1] = a.equations[k].value;
        arm[2] = other->value;
        learned |=
            irl__solve_learn(s, a.equations[k].what,
                             irl__simplify_node(s->an, irl__expr_op(s->an->cx, IRL_OP_SELECT, 3,
                                                                    arm, irl__nowhere())));
    }
    return learned;
}

/* ------------------------------------------------------------------ the loop */

static int irl__solve_step(irl__solution *s, int at)
{
    irl__equation  *q = &s->equations[at];
    const irl_expr *e = q->what;
    int             learned;
    switch (e->op) {
    case IRL_OP_VAR: q->done = 1; return 0;
    case IRL_OP_FLOORMOD: case IRL_OP_FLOORDIV: {
        irl__equation copy = *q; /* learning may move the list */
        learned = irl__solve_divmod(s, &copy);
        s->equations[at].done = copy.done;
        return learned;
    }
    case IRL_OP_MIN: case IRL_OP_MAX: {
        irl__equation copy = *q;
        /* min(a, b) = V and max(a, b) = W: a + b = V + W. */
        irl_op          op = irl__choice_opposite((irl_op)copy.what->op);
        const irl_expr *other = irl__make2(s->an, op, copy.what->a[0], copy.what->a[1]), *turned;
        const irl__equation *w = other ? irl__solve_find(s, other) : NULL;
        turned = irl__make2(s->an, op, copy.what->a[1], copy.what->a[0]);
        if (!w && turned) w = irl__solve_find(s, turned);
        if (!w) return 0;
        other = irl__solve_linear(s->an, copy.value, 1, w->value, 1, 0);
        return other
                   ? irl__solve_learn(
                         s, irl__make2(s->an, IRL_OP_ADD, copy.what->a[0], copy.what->a[1]), other)
                   : 0;
    }
    case IRL_OP_BITXOR: case IRL_OP_SELECT: case IRL_OP_IF_THEN_ELSE: {
        irl__equation copy = *q;
        learned = e->op == IRL_OP_BITXOR ? irl__solve_xor(s, &copy) : irl__solve_choice(s, &copy);
        s->equations[at].done = copy.done;
        return learned;
    }
    case IRL_OP_ADD:
    case IRL_OP_SUB:
    case IRL_OP_MUL:
    case IRL_OP_NEG: return irl__solve_sum(s, at);
    default: return 0;
    }
}

static void irl__solve_run(irl__solution *s)
{
    int k, learned = 1;
    while (learned && irl__ok(s->an->cx)) {
        learned = 0;
        for (k = 0; k < s->count; k++)
            if (!s->equations[k].done) learned |= irl__solve_step(s, k);
    }
}

int irl__solve(irl__solution *s, const irl_expr **out)
{
    int k, found = 0;
    irl__solve_run(s);
    if (!irl__ok(s->an->cx)) return -1;
    for (k = 0; k < s->unknown_count; k++) {
        irl__interval        r = irl__range_of(s->an, s->unknowns[k]);
        const irl__equation *q = irl__solve_find(s, s->unknowns[k]);
        out[k] = q              ? q->value
                 : r.lo == r.hi ? irl_expr_int(s->an->cx, s->unknowns[k]->type, r.lo)
                                : NULL;
        found += out[k] != NULL;
    }
    return found;
}
