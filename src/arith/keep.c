/* keep.c - the simplifier as its callers see it: an expression that had a value keeps it.

   needs     simplify.c for the forms, defined.c for which expressions have a value, order.c for
             values that are between others
   promises  the rule of the simplifier: wherever e has a value, its simplified form has the same
             one. No intermediate result of index arithmetic leaves 64 bits, nothing divides by 0,
             no distance of a shift is too far, in the order in which the expression is evaluated: a
             sum from left to right as it is written, both operands before their operator, the right
             side of && and || and the arms of if_then_else only if they are evaluated

   The rules hold for integers of any size: x % m * c % m is x * c % m, and whatever is proved by it
   is so. To be evaluated, an expression has to stay within 64 bits on the way too. So the result of
   the rules is checked before it is returned. A part of it has a value if
     by range    its operands cannot take it out of 64 bits
     given       it is in the given expression, where it is evaluated at least as often
     between     it is proved to be between two values that the given expression computes, or that
                 variables have; or it is equal to one, or a part of one by a number
     a factor    its product with a number, or with one that is at least 1, is in 64 bits
   Emitted indices have 32 bits where they are proved to fit, so nothing may leave 32 bits either,
   or go much farther than the given expression: index(h) % 16 * 5 % 16 stays where h has 32 bits.
   If that is not proved, the operands are simplified one by one, and the operator stays.
   cost      one range for each node of the result; more only if a range does not decide it */
#include "engine.h"

enum { IRL__KEEP_KNOWN = 64, IRL__KEEP_CONDITIONS = 16 };

/* What the given expression evaluates, and under which conditions: they are a list by `outer`. */
typedef struct irl__keep_condition {
    const irl_expr *condition;
    int             holds, outer; /* outer: -1 is none */
} irl__keep_condition;

typedef struct irl__keep_known {
    const irl_expr *e, *canonical; /* canonical: under the facts of `generation` */
    uint32_t        generation;
    int             under;
} irl__keep_known;

typedef struct irl__keeper {
    irl__analyzer      *an;
    int                 known_count, condition_count;
    irl__keep_known     known[IRL__KEEP_KNOWN];
    irl__keep_condition conditions[IRL__KEEP_CONDITIONS];
} irl__keeper;

/* ------------------------------------------------------------------ what is evaluated */

static void irl__keep_collect(irl__keeper *k, const irl_expr *e, int under)
{
    uint32_t i;
    if (e->op == IRL_OP_INT || e->op == IRL_OP_FLOAT) return;
    for (int at = 0; at < k->known_count; at++)
        if (k->known[at].e == e && k->known[at].under == under) return;
    if (k->known_count == IRL__KEEP_KNOWN) return;
    k->known[k->known_count].e = e;
    k->known[k->known_count].canonical = NULL;
    k->known[k->known_count++].under = under;
    for (i = e->op == IRL_OP_LET; i < e->count; i++) {
        const int holds = irl__expr_when(e, i);
        int       within = under;
        if (holds >= 0) {
            if (k->condition_count == IRL__KEEP_CONDITIONS) return;
            within = k->condition_count++;
            k->conditions[within].condition = e->a[0];
            k->conditions[within].holds = holds;
            k->conditions[within].outer = under;
        }
        irl__keep_collect(k, e->a[i], within);
    }
}

/* Whether all of these conditions hold where the analyzer's facts do. */
static int irl__keep_holds(irl__keeper *k, int under)
{
    for (; under >= 0; under = k->conditions[under].outer) {
        const irl_expr *c = k->conditions[under].condition;
        if (!k->conditions[under].holds) c = irl__make1(k->an, IRL_OP_NOT, c);
        if (!c || !irl__prove(k->an, c)) return 0;
    }
    return 1;
}

/* ------------------------------------------------------------------ between two values */

static int irl__keep_is_ratio(int64_t a, int64_t of_a, int64_t b, int64_t of_b)
{
    int64_t p, q;
    return irl__mul64(a, of_b, &p) && irl__mul64(b, of_a, &q) && p == q;
}

/* v is a part of w by a number, p/q*w with |p| < |q|: then it is nearer to 0. */
static int irl__keep_is_part(irl__analyzer *an, const irl_expr *v, const irl_expr *w)
{
    irl__sum a = irl__sum_begin(an, v->type), b;
    int      ok = irl__sum_add_done(an, &a, v, 1), i, k;
    irl__sum_compact(an, &a);
    b = irl__sum_begin(an, v->type);
    ok = ok && irl__sum_add_done(an, &b, w, 1);
    irl__sum_compact(an, &b);
    ok = ok && a.count > 0 && a.count == b.count;
    for (i = 0; ok && i < a.count; i++) {
        int64_t   first = an->terms[a.first].coef, of_first;
        irl__term t = an->terms[a.first + i];
        for (k = 0; k < b.count && an->terms[b.first + k].atom != t.atom; k++) continue;
        ok = k < b.count;
        if (!ok) break;
        if (i == 0) { /* brought to the front: the scale of all others */
            irl__term s = an->terms[b.first + k];
            an->terms[b.first + k] = an->terms[b.first];
            an->terms[b.first] = s;
            k = 0;
        }
        of_first = an->terms[b.first].coef;
        ok = irl__keep_is_ratio(t.coef, an->terms[b.first + k].coef, first, of_first) &&
             irl__keep_is_ratio(a.constant, b.constant, first, of_first) &&
             (first < 0 ? -first : first) < (of_first < 0 ? -of_first : of_first);
    }
    irl__sum_end(an, &a);
    return ok;
}

/* The canonical form of what is known, if it is a number of the kind and is computed here. */
static const irl_expr *irl__keep_number(irl__keeper *k, int at)
{
    irl__keep_known *known = &k->known[at];
    if (!irl__type_is_index(known->e->type) || known->e->type.lanes != 1) return NULL;
    if (!known->canonical || known->generation != k->an->generation)
        known->canonical = irl__canonical(k->an, known->e);
    known->generation = k->an->generation;
    return known->canonical && irl__keep_holds(k, known->under) ? known->canonical : NULL;
}

/* Whether the number that e is, over the integers, lies in 64 bits: what costs least first. */
static int irl__keep_fits(irl__keeper *k, const irl_expr *e)
{
    const irl_expr *v = e->type.lanes == 1 ? irl__canonical(k->an, e) : NULL, *w;
    if (!v || v->count == 0) return v != NULL;
    irl__interval r = irl__range_of(k->an, v);
    int           low = r.lo != INT64_MIN;
    int           high = r.hi != INT64_MAX;
    if (low && high) return 1;
    for (int at = 0; at < k->known_count; at++)
        if (irl__keep_number(k, at) == v) return 1;
    for (int at = 0; at < k->known_count; at++) {
        w = irl__keep_number(k, at);
        if (w && irl__keep_is_part(k->an, v, w)) return 1;
    }
    for (int at = 0; at < k->known_count && !(low && high); at++) {
        w = irl__keep_number(k, at);
        low = low || (w && irl__decide_difference(k->an, v, w, 0));
        high = high || (w && irl__decide_difference(k->an, w, v, 0));
    }
    return low && high;
}

/* Where e is not 0, d is not: it is e, or a factor of it, or what all its lanes are. */
static int irl__keep_has_factor(const irl_expr *e, const irl_expr *d)
{
    if (e == d) return 1;
    if (e->op == IRL_OP_BROADCAST) return irl__keep_has_factor(e->a[0], d);
    return e->op == IRL_OP_MUL &&
           (irl__keep_has_factor(e->a[0], d) || irl__keep_has_factor(e->a[1], d));
}

/* Whether d, a divisor, is not 0. */
static int irl__keep_divides(irl__keeper *k, const irl_expr *d)
{
    irl__interval r = irl__range_of(k->an, d);
    if (r.lo > 0 || r.hi < 0) return 1;
    for (int at = 0; at < k->known_count; at++) {
        const irl_expr *e = k->known[at].e;
        if ((e->op == IRL_OP_FLOORDIV || e->op == IRL_OP_FLOORMOD || e->op == IRL_OP_TRUNCDIV ||
             e->op == IRL_OP_TRUNCMOD) &&
            irl__keep_has_factor(e->a[1], d) && irl__keep_holds(k, k->known[at].under))
            return 1;
    }
    if (d->op == IRL_OP_MUL && irl__type_is_index(d->type))
        return irl__keep_divides(k, d->a[0]) && irl__keep_divides(k, d->a[1]);
    return irl__prove(k->an,
                      irl_expr_op2(k->an->cx, IRL_OP_NE, d, irl_expr_int(k->an->cx, d->type, 0)));
}

/* ------------------------------------------------------------------ what the rules made */

/* The operator alone; fits: its result is known to lie in 64 bits. */
static int irl__keep_operator(irl__keeper *k, const irl_expr *e, int fits)
{
    if (irl__operator_is_defined(k->an, e, NULL)) return 1;
    switch (e->op) {
    case IRL_OP_FLOORDIV: case IRL_OP_FLOORMOD: case IRL_OP_TRUNCDIV: case IRL_OP_TRUNCMOD:
        if (!irl__keep_divides(k, e->a[1])) return 0;
        break;
    case IRL_OP_ADD: case IRL_OP_SUB: case IRL_OP_MUL: case IRL_OP_NEG: case IRL_OP_ABS: break;
    default: return 0;
    }
    return fits || !irl__type_is_index(e->type) || irl__keep_fits(k, e);
}

static int irl__keep_check(irl__keeper *k, const irl_expr *e, int fits);

static int irl__keep_check_under(irl__keeper *k, const irl_expr *condition, int holds,
                                 const irl_expr *e, int fits)
{
    int             mark = irl__facts_mark(k->an), ok;
    const irl_expr *c = holds ? condition : irl__make1(k->an, IRL_OP_NOT, condition);
    ok = c && irl__fact(k->an, c) && irl__keep_check(k, e, fits);
    irl__facts_release(k->an, mark);
    return ok;
}

/* a * b fits, and b is no smaller than 1, or a constant beyond -1: then a fits. */
static int irl__keep_factor_fits(irl__analyzer *an, const irl_expr *b)
{
    irl__interval r = irl__range_of(an, b);
    return r.lo >= 1 || r.hi <= -2;
}

static int irl__keep_check(irl__keeper *k, const irl_expr *e, int fits)
{
    if (e->count == 0) return 1;
    for (int at = 0; at < k->known_count; at++)
        if (k->known[at].e == e && irl__keep_holds(k, k->known[at].under)) return 1;
    if (--k->an->work < 0) return 0;
    switch (e->op) {
    case IRL_OP_AND: case IRL_OP_OR:
        return irl__keep_check(k, e->a[0], 0) &&
               irl__keep_check_under(k, e->a[0], e->op == IRL_OP_AND, e->a[1], 0);
    case IRL_OP_IF_THEN_ELSE:
        return irl__keep_check(k, e->a[0], 0) &&
               irl__keep_check_under(k, e->a[0], 1, e->a[1], fits) &&
               irl__keep_check_under(k, e->a[0], 0, e->a[2], fits);
    case IRL_OP_LET: return irl__keep_check(k, e->a[1], 0) && irl__keep_check(k, e->a[2], fits);
    case IRL_OP_MUL:
        if (!irl__type_is_index(e->type)) break;
        if (!fits && !irl__operator_is_defined(k->an, e, NULL) && !irl__keep_fits(k, e)) return 0;
        fits = fits || !irl__operator_is_defined(k->an, e, NULL);
        return irl__keep_check(k, e->a[0], fits && irl__keep_factor_fits(k->an, e->a[1])) &&
               irl__keep_check(k, e->a[1], fits && irl__keep_factor_fits(k->an, e->a[0]));
    default: break;
    }
    for (uint32_t i = 0; i < e->count; i++)
        if (!irl__keep_check(k, e->a[i], 0)) return 0;
    return irl__keep_operator(k, e, fits);
}

/* By ranges alone; where it is a sum or product, its own result is the number that `before` is. */
static int irl__keeps_by_range(irl__analyzer *an, const irl_expr *after, int64_t *reach)
{
    for (uint32_t k = 0; k < after->count; k++)
        if (!irl__is_defined(an, after->a[k], reach)) return 0;
    switch (after->op) {
    case IRL_OP_ADD: case IRL_OP_SUB: case IRL_OP_MUL: case IRL_OP_NEG: return 1;
    default: return irl__operator_is_defined(an, after, reach);
    }
}

/* A product of numbers that are at least 1: no part of it is more than the whole, which the given
   expression computes. */
static int irl__keeps_factors(irl__analyzer *an, const irl_expr *e)
{
    for (; e->op == IRL_OP_MUL; e = e->a[0])
        if (e->a[1]->count || irl__range_of(an, e->a[1]).lo < 1) return 0;
    return e->count == 0 && irl__range_of(an, e).lo >= 1;
}

/* Wherever `before` has a value, so has `after`, which is the same number over the integers; and
   nothing in it leaves 32 bits that does not in `before`, or goes more than twice as far. */
static int irl__keeps(irl__analyzer *an, const irl_expr *before, const irl_expr *after)
{
    int64_t reach = INT32_MAX, given;
    if (before == after) return 1;
    if (after->op == IRL_OP_MUL && irl__type_is_index(after->type) && after->type.lanes == 1 &&
        irl__keeps_factors(an, after))
        return irl__ok(an->cx);
    if (!irl__keeps_by_range(an, after, &reach)) {
        irl__keeper k;
        /* parts of a load or of floats are looked at one by one */
        if (!irl__type_is_integer(before->type) && before->type.scalar != IRL_BOOL) return 0;
        if (before->op == IRL_OP_LOAD) return 0;
        k.an = an;
        k.known_count = k.condition_count = 0;
        irl__keep_collect(&k, before, -1);
        if (!irl__keep_check(&k, after, irl__type_is_index(after->type))) return 0;
        reach = irl__defined_reach(an, after, INT32_MAX);
    }
    if (reach == INT32_MAX) return irl__ok(an->cx);
    given = irl__defined_reach(an, before, INT32_MAX);
    return given > INT32_MAX && reach / 2 < given && irl__ok(an->cx);
}

/* ------------------------------------------------------------------ where that is not shown */

static const irl_expr *irl__keep_simplify(irl__analyzer *an, const irl_expr *e);

static const irl_expr *irl__keep_simplify_under(irl__analyzer *an, const irl_expr *condition,
                                                int holds, const irl_expr *e)
{
    int             mark = irl__facts_mark(an);
    const irl_expr *c = holds ? condition : irl__make1(an, IRL_OP_NOT, condition), *r = NULL;
    if (c && irl__fact(an, c)) r = irl__keep_simplify(an, e);
    irl__facts_release(an, mark);
    return r;
}

static const irl_expr *irl__keep_logic(irl__analyzer *an, const irl_expr *e)
{
    const irl_expr *a = irl__keep_simplify(an, e->a[0]), *b;
    int             is_and = e->op == IRL_OP_AND;
    if (!a) return NULL;
    if (a->op == IRL_OP_INT && (a->u.i != 0) != is_and) return a;
    if (a->op == IRL_OP_INT) return irl__keep_simplify(an, e->a[1]);
    b = irl__keep_simplify_under(an, a, is_and, e->a[1]);
    if (!b) return NULL;
    if (b->op == IRL_OP_INT) return (b->u.i != 0) == is_and ? a : b;
    return irl__make2(an, (irl_op)e->op, a, b);
}

static const irl_expr *irl__keep_choice(irl__analyzer *an, const irl_expr *e)
{
    const irl_expr *operands[3];
    int             arm, lazy = e->op == IRL_OP_IF_THEN_ELSE;
    operands[0] = irl__keep_simplify(an, e->a[0]);
    if (!operands[0]) return NULL;
    if (operands[0]->op == IRL_OP_INT)
        return irl__keep_simplify(an, e->a[operands[0]->u.i ? 1 : 2]);
    for (arm = 1; arm <= 2; arm++) {
        operands[arm] = lazy ? irl__keep_simplify_under(an, operands[0], arm == 1, e->a[arm])
                             : irl__keep_simplify(an, e->a[arm]);
        if (!operands[arm]) return NULL;
    }
    return operands[1] == operands[2] ? operands[1] : irl__make_with(an, e, operands);
}

static const irl_expr *irl__keep_let(irl__analyzer *an, const irl_expr *e)
{
    const irl_expr *operands[3], *body = e->a[2];
    operands[0] = e->a[0];
    operands[1] = irl__keep_simplify(an, e->a[1]);
    if (!operands[1] || !irl__bind_value(an, e->a[0], operands[1])) return NULL;
    if (irl__is_const(operands[1]) || operands[1]->op == IRL_OP_VAR) {
        body = irl__substitute(an->cx, body, 1, &e->a[0], &operands[1]);
        return body ? irl__keep_simplify(an, body) : NULL;
    }
    operands[2] = irl__keep_simplify(an, body);
    if (!operands[2]) return NULL;
    return irl__expr_uses_var(operands[2], e->a[0]) ? irl__make_with(an, e, operands) : operands[2];
}

/* What was made of e before, as in irl__memo_of; few analyzers ever need it. NULL: no memory. */
static irl__memo *irl__keep_memo(irl__analyzer *an, const irl_expr *e)
{
    if (!an->kept) {
        an->kept = (irl__memos *)irl__alloc(an->cx, sizeof *an->kept);
        if (!an->kept) return NULL;
        memset(an->kept->filled, 0, sizeof an->kept->filled);
    }
    return irl__memo_in(an, an->kept, e);
}

/* The form that the rules give e, if e's values are kept; else its parts by themselves. */
static const irl_expr *irl__keep_simplify(irl__analyzer *an, const irl_expr *e)
{
    const irl_expr *made = irl__canonical(an, e), *r;
    if (!made || made == e || irl__keeps(an, e, made)) return made;
    irl__memo *m = irl__keep_memo(an, e);
    if (!m || m->result) return m ? m->result : NULL;
    if (--an->work < 0) return e;
    switch (e->op) {
    case IRL_OP_AND: case IRL_OP_OR: r = irl__keep_logic(an, e); break;
    case IRL_OP_SELECT: case IRL_OP_IF_THEN_ELSE: r = irl__keep_choice(an, e); break;
    case IRL_OP_LET: r = irl__keep_let(an, e); break;
    default: r = irl__simplify_plainly(an, e, irl__keep_simplify); break;
    }
    if (!r) return irl__ok(an->cx) ? e : NULL;
    if (r != e && r->count) { /* the parts may be what the whole wants to be made of */
        made = irl__canonical(an, r);
        if (made && irl__keeps(an, r, made)) r = made;
    }
    m = irl__keep_memo(an, e);
    return m ? m->result = r : NULL;
}

const irl_expr *irl__simplify(irl__analyzer *an, const irl_expr *e)
{
    if (!an || !e || !irl__ok(an->cx)) return NULL;
    if (e->count == 0) return irl__canonical(an, e);
    if (an->running++ == 0) an->work = IRL__WORK_LEAST + IRL__WORK_EACH * (int64_t)e->size;
    const irl_expr *r = irl__keep_simplify(an, e);
    if (--an->running == 0) an->work = IRL__WORK_LEAST;
    return r;
}

const irl_expr *irl__simplify_size(irl_ctx *cx, const irl_expr *e, const irl_buffer *b)
{
    if (!e || !irl__ok(cx)) return NULL;
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__analyzer  *an = irl__analyzer_begin(cx);
    const irl_expr *r = an && (!b || irl__bind_sizes(an, b)) ? irl__simplify(an, e) : NULL;
    irl__scratch_end(cx, mark);
    return r;
}

const irl_expr *irl__simplify_alone(irl_ctx *cx, const irl_expr *e)
{
    return irl__simplify_size(cx, e, NULL);
}
