/* compare.c - comparisons.

   needs     sums, order.c, facts for the arms of a choice; operands that are simplified already
   promises  a comparison is decided if ranges, facts and divisibility decide it; otherwise it
             becomes L < R or L <= R without common terms, with constants on one side. Only
             comparisons of type index change their form: others may wrap when terms move */
#include "engine.h"

/* ------------------------------------------------------------------ comparisons */

static const irl_expr *irl__compare_truth(irl__analyzer *an, int value)
{
    return irl__bool(an->cx, value);
}

/* What differs, of a condition that holds or (0) does not. */
static int irl__fact_differs(irl__analyzer *an, const irl_expr *e, int holds, int depth)
{
    if (depth > IRL_MAX_DEPTH || e->type.lanes != 1) return 1;
    if (e->op == IRL_OP_NOT) return irl__fact_differs(an, e->a[0], !holds, depth + 1);
    if (e->op == (holds ? IRL_OP_AND : IRL_OP_OR))
        return irl__fact_differs(an, e->a[0], holds, depth + 1) &&
               irl__fact_differs(an, e->a[1], holds, depth + 1);
    if (e->op != (holds ? IRL_OP_NE : IRL_OP_EQ) || !irl__type_is_integer(e->a[0]->type) ||
        e->a[0]->type.scalar == IRL_U64)
        return 1;
    /* a != b: where their order is known, it is strict. */
    const irl_expr *a = e->a[0];
    irl__sum        s = irl__sum_begin(an, a->type);
    const irl_expr *strict = NULL;
    irl_op          op = IRL_OP_NE;
    if (irl__sum_add_done(an, &s, a, 1) && irl__sum_add_done(an, &s, e->a[1], -1)) {
        if (irl__sum_reaches(an, &s, 1, 0)) op = IRL_OP_GT;
        else if (irl__sum_reaches(an, &s, -1, 0)) op = IRL_OP_LT;
    }
    irl__sum_end(an, &s);
    if (op != IRL_OP_NE) strict = irl__make2(an, op, a, e->a[1]);
    /* NULL: too big, or a failure */
    return strict ? irl__fact_stated(an, strict) : irl__ok(an->cx);
}

int irl__fact_done(irl__analyzer *an, const irl_expr *condition)
{
    return irl__fact_stated(an, condition) && irl__fact_differs(an, condition, 1, 0);
}

/* The terms of one sign as an expression, the constant with them; the other side of the comparison
   has the rest. */
static const irl_expr *irl__compare_side(irl__analyzer *an, const irl__sum *s, int sign,
                                         int64_t constant)
{
    irl__sum        t = irl__sum_begin(an, s->type);
    const irl_expr *e = NULL;
    int             ok = 1;
    for (int k = 0; ok && k < s->count; k++) {
        irl__term u = an->terms[s->first + k];
        if ((u.coef > 0) == (sign > 0))
            ok = u.coef > INT64_MIN &&
                 irl__sum_add_term(an, &t, u.atom, sign > 0 ? u.coef : -u.coef);
    }
    t.constant = constant;
    if (ok) e = irl__sum_emit(an, &t);
    irl__sum_end(an, &t);
    return e;
}

/* s <= 0 as a comparison that reads well: i < n, i + 1 < n, x >= 3. */
static const irl_expr *irl__emit_nonpositive(irl__analyzer *an, const irl__sum *s)
{
    int             positive = 0;
    int64_t         c = s->constant;
    const irl_expr *l, *r;
    for (int k = 0; k < s->count; k++) positive += an->terms[s->first + k].coef > 0;
    if (c < -INT64_MAX + 1) return NULL; /* -c and 1 - c are numbers */
    if (positive == s->count) { /* L <= -c: as L < 1 - c */
        l = irl__compare_side(an, s, 1, 0);
        r = irl_expr_int(an->cx, s->type, 1 - c);
        return l ? irl__make2(an, IRL_OP_LT, l, r) : NULL;
    }
    if (positive == 0) { /* c <= R */
        r = irl__compare_side(an, s, -1, 0);
        return r ? irl__make2(an, IRL_OP_GE, r, irl_expr_int(an->cx, s->type, c)) : NULL;
    }
    l = irl__compare_side(an, s, 1, c > 0 ? c - 1 : 0);
    r = irl__compare_side(an, s, -1, c > 0 ? 0 : -c);
    return l && r ? irl__make2(an, c > 0 ? IRL_OP_LT : IRL_OP_LE, l, r) : NULL;
}

/* Divides s <= 0 by the common divisor of its coefficients, rounding the constant up. */
static int irl__compare_tighten(irl__analyzer *an, irl__sum *s)
{
    int64_t g = irl__sum_gcd(an, s, 0), q;
    if (g <= 1) return 1;
    for (int k = 0; k < s->count; k++) an->terms[s->first + k].coef /= g;
    if (s->constant == INT64_MIN || !irl__floordiv64(-s->constant, g, &q)) return 0;
    s->constant = -q;
    return 1;
}

/* s becomes k*m + constant; false if that overflows: then s is as before. */
static int irl__compare_becomes(irl__analyzer *an, irl__sum *s, const irl_expr *m, int64_t k,
                                int64_t constant)
{
    irl__sum u = irl__sum_begin(an, s->type);
    u.constant = constant;
    int ok = irl__sum_add_done(an, &u, m, k);
    if (ok) irl__sum_replace(an, s, &u);
    else irl__sum_end(an, &u);
    return ok;
}

/* One term k*(m/c) + rest <= 0 with rest constant and k = 1 or -1, as a bound on m: s becomes
   that. */
static int irl__compare_undivide(irl__analyzer *an, irl__sum *s)
{
    irl__term t = an->terms[s->first];
    int64_t   bound;
    int       truncating = t.atom->op == IRL_OP_TRUNCDIV;
    if (s->count != 1 || (t.coef != 1 && t.coef != -1) || s->constant == INT64_MIN) return 0;
    if ((t.atom->op != IRL_OP_FLOORDIV && !truncating) || t.atom->a[1]->op != IRL_OP_INT ||
        t.atom->a[1]->u.i <= 0)
        return 0;
    int64_t c = t.atom->a[1]->u.i;
    if (t.coef > 0) { /* m/c <= q: m <= c*q + c - 1; truncating below 0: m <= c*q */
        int64_t q = -s->constant;
        if (!irl__mul64(q, c, &bound)) return 0;
        if ((!truncating || q >= 0) && !irl__add64(bound, c - 1, &bound)) return 0;
        if (!irl__sub64(0, bound, &bound)) return 0;
    } else { /* m/c >= q: m >= c*q; truncating up to 0: m >= c*q - (c - 1) */
        int64_t q = s->constant;
        if (!irl__mul64(q, c, &bound)) return 0;
        if (truncating && q <= 0 && !irl__sub64(bound, c - 1, &bound)) return 0;
    }
    return irl__compare_becomes(an, s, t.atom->a[0], t.coef, bound);
}

/* g*a + b <= 0, where b only moves within what rounding forgives: a <= -b/g is the same for all of
   b. */
static int irl__compare_cut(irl__analyzer *an, irl__sum *s)
{
    int64_t g = 0, high, low;
    irl__sum_sort(an, s);
    for (int p = 1; p < s->count; p++) {
        irl__sum      rest = *s;
        g = irl__gcd64(g, an->terms[s->first + p - 1].coef);
        if (g == 1) return 0;
        if (an->terms[s->first + p].coef % g == 0) continue;
        rest.first += p;
        rest.count -= p;
        irl__interval r = irl__sum_range(an, &rest);
        if (r.lo == INT64_MIN || r.hi == INT64_MAX || r.lo < -INT64_MAX || r.hi < -INT64_MAX)
            continue;
        if (!irl__floordiv64(-r.lo, g, &high) || !irl__floordiv64(-r.hi, g, &low) || high != low)
            continue;
        for (int k = 0; k < p; k++) an->terms[s->first + k].coef /= g;
        s->count = p;
        an->term_count = s->first + p;
        s->constant = -high;
        return 1;
    }
    return 0;
}

static const irl_expr *irl__simplify_nonpositive(irl__analyzer *an, irl__sum *s, int rewrite);

/* s <= 0 with a minimum or maximum in it, by the two comparisons with its parts, if one of them is
   decided. */
static const irl_expr *irl__compare_parts(irl__analyzer *an, const irl__sum *s)
{
    const irl_expr *r[2];
    for (int at = 0; at < s->count; at++) {
        irl__term m = an->terms[s->first + at];
        if ((m.atom->op != IRL_OP_MIN && m.atom->op != IRL_OP_MAX) || (m.coef != 1 && m.coef != -1))
            continue;
        for (int part = 0; part < 2; part++) {
            irl__sum t = irl__sum_begin(an, s->type);
            t.constant = s->constant;
            int ok = irl__sum_add_done(an, &t, m.atom->a[part], m.coef) &&
                     irl__sum_add_others(an, &t, s, at, 1);
            r[part] = ok ? irl__simplify_nonpositive(an, &t, 1) : NULL;
            irl__sum_end(an, &t);
            if (!r[part]) return NULL;
        }
        int any = (m.atom->op == IRL_OP_MIN) == (m.coef > 0); /* one of the two is enough */
        for (int part = 0; part < 2; part++)
            if (r[part]->op == IRL_OP_INT)
                return (r[part]->u.i != 0) == any ? r[part] : r[1 - part];
    }
    return NULL;
}

static int irl__compare_has_division(const irl__analyzer *an, const irl__sum *s)
{
    for (int k = 0; k < s->count && s->count > 1; k++)
        if (an->terms[s->first + k].atom->op == IRL_OP_FLOORDIV) return 1;
    return 0;
}

typedef const irl_expr *irl__compare_form(irl__analyzer *an, irl__sum *s, irl_op op);

static const irl_expr *irl__compare_form_nonpositive(irl__analyzer *an, irl__sum *s, irl_op op)
{
    (void)op;
    return irl__simplify_nonpositive(an, s, 1);
}

/* c && a || !c && b, where one of a and b is a constant. */
static const irl_expr *irl__compare_joined(irl__analyzer *an, const irl_expr *c, const irl_expr *a,
                                           const irl_expr *b)
{
    if (a == b) return a;
    if (a->op == IRL_OP_INT && b->op == IRL_OP_INT)
        return a->u.i ? c : irl__simplify_node(an, irl__make1(an, IRL_OP_NOT, c));
    if (b->op == IRL_OP_INT && !b->u.i)
        return irl__simplify_node(an, irl__make2(an, IRL_OP_AND, c, a));
    if (a->op == IRL_OP_INT && a->u.i)
        return irl__simplify_node(an, irl__make2(an, IRL_OP_OR, c, b));
    const irl_expr *n = irl__simplify_node(an, irl__make1(an, IRL_OP_NOT, c));
    if (!n) return NULL;
    return irl__simplify_node(an, irl__make2(an, a->op == IRL_OP_INT ? IRL_OP_AND : IRL_OP_OR, n,
                                             a->op == IRL_OP_INT ? b : a));
}

/* A comparison with a choice in it, by the two comparisons with its arms, each under the condition,
   if one is decided. */
static const irl_expr *irl__compare_choice(irl__analyzer *an, const irl__sum *s,
                                           irl__compare_form *form, irl_op op)
{
    const irl_expr *r[2];
    int             arm;
    if (an->choices >= 6) return NULL;
    for (int at = 0; at < s->count; at++) {
        irl__term m = an->terms[s->first + at];
        if (m.atom->op != IRL_OP_SELECT && m.atom->op != IRL_OP_IF_THEN_ELSE) continue;
        if (!irl__is_total(an, m.atom)) continue;
        an->choices++;
        for (arm = 0; arm < 2; arm++) {
            irl__sum t = irl__sum_begin(an, s->type);
            const irl_expr *c = m.atom->a[0];
            if (arm) c = irl__simplify_node(an, irl__make1(an, IRL_OP_NOT, c));
            int mark = irl__facts_mark(an);
            int ok = c && irl__fact_done(an, c);
            t.constant = s->constant;
            for (int k = 0; ok && k < s->count; k++) {
                irl__term       u = an->terms[s->first + k];
                const irl_expr *e = irl__simplify_node(an, k == at ? m.atom->a[arm + 1] : u.atom);
                ok = e && irl__sum_add_done(an, &t, e, u.coef);
            }
            r[arm] = ok && irl__sum_merge(an, &t) ? form(an, &t, op) : NULL;
            irl__sum_end(an, &t);
            irl__facts_release(an, mark);
            if (!r[arm]) break;
        }
        an->choices--;
        if (arm < 2) return NULL;
        if (r[0]->op == IRL_OP_INT || r[1]->op == IRL_OP_INT)
            return irl__compare_joined(an, m.atom->a[0], r[0], r[1]);
    }
    return NULL;
}

/* s <= 0, decided or written; s is used up. NULL where nothing better than the given form is
   known. */
static const irl_expr *irl__simplify_nonpositive(irl__analyzer *an, irl__sum *s, int rewrite)
{
    irl__sum_compact(an, s);
    irl__interval r = irl__sum_range_known(an, s);
    if (r.hi <= 0) return irl__compare_truth(an, 1);
    if (r.lo > 0) return irl__compare_truth(an, 0);
    if (an->symbolic || irl__compare_has_division(an, s)) {
        if (irl__sum_reaches(an, s, -1, 0)) return irl__compare_truth(an, 1);
        if (irl__sum_reaches(an, s, 1, 1)) return irl__compare_truth(an, 0);
    }
    if (!rewrite || !irl__compare_tighten(an, s)) return NULL;
    if (irl__compare_cut(an, s) || irl__compare_undivide(an, s))
        return irl__simplify_nonpositive(an, s, rewrite);
    if (!irl__ok(an->cx) || an->too_big) return NULL;
    {
        const irl_expr *e = irl__compare_parts(an, s);
        if (!e && irl__ok(an->cx) && !an->too_big)
            e = irl__compare_choice(an, s, irl__compare_form_nonpositive, IRL_OP_LE);
        if (e) return e;
    }
    return irl__emit_nonpositive(an, s);
}

/* (x + a)%c == k is x%c == (k - a)%c. */
static int irl__equal_unshift(irl__analyzer *an, irl__sum *s)
{
    irl__term       t = an->terms[s->first];
    if (s->count != 1 || (t.coef != 1 && t.coef != -1) || t.atom->op != IRL_OP_FLOORMOD ||
        t.atom->a[1]->op != IRL_OP_INT)
        return 0;
    const irl_expr *a = t.atom->a[0];
    int64_t         c = t.atom->a[1]->u.i;
    int64_t         k = t.coef > 0 ? -s->constant : s->constant;
    if ((a->op != IRL_OP_ADD && a->op != IRL_OP_SUB) || a->a[1]->op != IRL_OP_INT || c <= 0 ||
        k < 0 || k >= c)
        return 0;
    irl__sum        d = irl__sum_begin(an, s->type);
    const irl_expr *e = NULL;
    int64_t         shift = 0;
    if (irl__sum_add_done(an, &d, a, 1)) {
        shift = d.constant;
        d.constant = 0;
        e = irl__sum_by(an, IRL_OP_FLOORMOD, &d, c);
    }
    irl__sum_end(an, &d);
    if (!e || e->op != IRL_OP_FLOORMOD || !irl__sub64(k, shift, &k) || !irl__floormod64(k, c, &k))
        return 0;
    an->terms[s->first].atom = e;
    an->terms[s->first].coef = 1;
    s->constant = -k;
    return 1;
}

static const irl_expr *irl__emit_equal(irl__analyzer *an, irl__sum *s, irl_op op)
{
    int             positive = 0;
    const irl_expr *l, *r;
    int64_t         c = s->constant;
    if (c == INT64_MIN) return NULL;
    for (int k = 0; k < s->count; k++) positive += an->terms[s->first + k].coef > 0;
    int flip = positive == 0; /* all on the right: change sides */
    if (flip) {
        l = irl__compare_side(an, s, -1, 0);
        r = irl_expr_int(an->cx, s->type, c);
    } else if (positive == s->count) {
        l = irl__compare_side(an, s, 1, 0);
        r = irl_expr_int(an->cx, s->type, -c);
    } else {
        l = irl__compare_side(an, s, 1, c > 0 ? c : 0);
        r = irl__compare_side(an, s, -1, c < 0 ? -c : 0);
    }
    return l && r ? irl__make2(an, op, l, r) : NULL;
}

/* m/c == q where facts say that m >= c*q, or that m < c*q + c: the other half is left to say, s <=
   0. */
static int irl__compare_half_known(irl__analyzer *an, irl__sum *s)
{
    irl__term     t = an->terms[s->first];
    int64_t       low, high;
    if (s->count != 1 || (t.coef != 1 && t.coef != -1) || t.atom->op != IRL_OP_FLOORDIV ||
        t.atom->a[1]->op != IRL_OP_INT)
        return 0;
    int64_t c = t.atom->a[1]->u.i;
    if (c <= 0 || s->constant == INT64_MIN ||
        !irl__mul64(t.coef > 0 ? -s->constant : s->constant, c, &low) ||
        !irl__add64(low, c - 1, &high))
        return 0;
    irl__sum m = irl__sum_begin(an, s->type);
    if (!irl__sum_add_done(an, &m, t.atom->a[0], 1)) {
        irl__sum_end(an, &m);
        return 0;
    }
    irl__interval r = irl__sum_range_known(an, &m);
    irl__sum_end(an, &m);
    if (r.lo < low && r.hi > high) return 0;
    /* m - high <= 0 */
    if (r.lo >= low)
        return high != INT64_MIN && irl__compare_becomes(an, s, t.atom->a[0], 1, -high);
    return irl__compare_becomes(an, s, t.atom->a[0], -1, low);
}

static const irl_expr *irl__simplify_equal(irl__analyzer *an, irl__sum *s, irl_op op, int rewrite);

static const irl_expr *irl__compare_form_equal(irl__analyzer *an, irl__sum *s, irl_op op)
{
    return irl__simplify_equal(an, s, op, 1);
}

/* s == 0 or s != 0. */
static const irl_expr *irl__simplify_equal(irl__analyzer *an, irl__sum *s, irl_op op, int rewrite)
{
    irl__sum_compact(an, s);
    irl__interval r = irl__sum_range_known(an, s);
    if (r.lo == 0 && r.hi == 0) return irl__compare_truth(an, op == IRL_OP_EQ);
    if (r.lo > 0 || r.hi < 0 ||
        (an->symbolic && (irl__sum_reaches(an, s, 1, 1) || irl__sum_reaches(an, s, -1, 1))))
        return irl__compare_truth(an, op == IRL_OP_NE);
    int64_t g = irl__sum_gcd(an, s, 0);
    if (g > 1 && s->constant % g != 0) return irl__compare_truth(an, op == IRL_OP_NE);
    if (!rewrite) return NULL;
    const irl_expr *e = irl__compare_choice(an, s, irl__compare_form_equal, op);
    if (e || an->too_big) return e;
    if (op == IRL_OP_EQ && an->fact_count && irl__compare_half_known(an, s))
        return irl__simplify_nonpositive(an, s, rewrite);
    if (g > 1) {
        for (int k = 0; k < s->count; k++) an->terms[s->first + k].coef /= g;
        s->constant /= g;
    }
    (void)irl__equal_unshift(an, s);
    if (!irl__ok(an->cx) || an->too_big) return NULL;
    return irl__emit_equal(an, s, op);
}

const irl_expr *irl__simplify_compare(irl__analyzer *an, const irl_expr *e)
{
    const irl_expr *a = e->a[0], *b = e->a[1], *r = NULL;
    irl_op          op = (irl_op)e->op;
    int             rewrite = irl__type_is_index(a->type);
    if (!irl__type_is_integer(a->type) || a->type.lanes != 1 || a->type.scalar == IRL_U64) return e;
    if (op == IRL_OP_GT || op == IRL_OP_GE) { /* a > b is b < a */
        const irl_expr *t = a;
        a = b;
        b = t;
        op = op == IRL_OP_GT ? IRL_OP_LT : IRL_OP_LE;
    }
    irl__sum s = irl__sum_begin(an, a->type);
    int      ok = irl__sum_add_done(an, &s, a, 1) && irl__sum_add_done(an, &s, b, -1) &&
             irl__sum_merge(an, &s);
    if (ok && op == IRL_OP_LT) ok = irl__add64(s.constant, 1, &s.constant);
    if (ok)
        r = op == IRL_OP_EQ || op == IRL_OP_NE ? irl__simplify_equal(an, &s, op, rewrite)
                                               : irl__simplify_nonpositive(an, &s, rewrite);
    irl__sum_end(an, &s);
    return r || an->too_big ? r : e;
}
