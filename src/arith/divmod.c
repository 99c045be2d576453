/* divmod.c - floor division and modulo of sums by constants.

   needs     sums, merging for quotients of several terms
   promises  floor(s / c) and s - c*floor(s / c), exactly, for every value that the analyzer admits.
             A divisor that may be 0 has no value there: x*n / n is x. Each step makes the dividend
             shorter or the divisor larger, and a division is looked at once per step, so there is
             no search.

   With c > 0 throughout (a negative divisor moves its sign to the dividend):
     cell        c*q <= s < c*(q+1) always             s/c = q             s%c = s - c*q
     gcd         g divides c and every coefficient     (g*s + r)/(g*c) = s/c,  (g*s + r)%(g*c) =
                 (s%c)*g + r,  0 <= r < g
     multiples   s = c*q + r                           s/c = q + r/c       s%c = r%c
     nested      (x/a + b)/c = (x + a*b)/(a*c)         (x%m)/c = (x/c)%(m/c)  if c divides m
     inner mod   (x%m + r)%c = (x + r)%c               if c divides m
     digits      s = g*a + b, 0 <= b < g, c = g*d      s/c = a/d           s%c = (a%d)*g + b */
#include "engine.h"

static int64_t irl__div_quotient(int64_t a, int64_t c)
{
    int64_t q = 0;
    (void)irl__floordiv64(a, c, &q);
    return q;
}

static int64_t irl__div_remainder(int64_t a, int64_t c)
{
    int64_t r = 0;
    (void)irl__floormod64(a, c, &r);
    return r;
}

const irl_expr *irl__expr_floordiv(irl__analyzer *an, const irl_expr *e, int64_t c)
{
    irl__sum        s = irl__sum_begin(an, e->type);
    const irl_expr *r = irl__sum_add_done(an, &s, e, 1) ? irl__sum_floordiv(an, &s, c) : NULL;
    irl__sum_end(an, &s);
    return r;
}

const irl_expr *irl__expr_floormod(irl__analyzer *an, const irl_expr *e, int64_t c)
{
    irl__sum        s = irl__sum_begin(an, e->type);
    const irl_expr *r = irl__sum_add_done(an, &s, e, 1) ? irl__sum_floormod(an, &s, c) : NULL;
    irl__sum_end(an, &s);
    return r;
}

/* Whether all of s lies in one cell of width c, and which. */
static int irl__div_one_cell(irl__analyzer *an, const irl__sum *s, int64_t c, int64_t *q)
{
    irl__interval r = irl__sum_range_known(an, s);
    *q = irl__div_quotient(r.lo, c);
    return *q == irl__div_quotient(r.hi, c) && r.lo != INT64_MIN && r.hi != INT64_MAX;
}

/* Divides coefficients and constant by their common divisor with c; *rest is what the constant
   leaves. Returns it. */
static int64_t irl__div_take_gcd(irl__analyzer *an, irl__sum *s, int64_t c, int64_t *rest)
{
    int64_t g = irl__sum_gcd(an, s, c);
    int     k;
    *rest = 0;
    if (g <= 1) return 1;
    for (k = 0; k < s->count; k++) an->terms[s->first + k].coef /= g;
    *rest = irl__div_remainder(s->constant, g);
    s->constant = irl__div_quotient(s->constant, g);
    return g;
}

/* x - x%m within a dividend is x/m*m, which divides better. */
static int irl__div_join_remainders(irl__analyzer *an, irl__sum *s, int64_t c)
{
    int at;
    for (at = 0; at < s->count; at++) {
        irl__term       t = an->terms[s->first + at];
        int64_t         m, k;
        irl__sum        d;
        const irl_expr *quotient;
        int             i, j, all;
        if (t.atom->op != IRL_OP_FLOORMOD || t.atom->a[1]->op != IRL_OP_INT || t.coef == INT64_MIN)
            continue;
        m = t.atom->a[1]->u.i;
        k = -t.coef;
        if (m <= 0 || !irl__mul64(k, m, &k) || k % c != 0) continue;
        d = irl__sum_begin(an, s->type);
        all = irl__sum_add_done(an, &d, t.atom->a[0], -t.coef);
        for (i = 0; all && i < d.count; i++) {
            for (j = 0; j < s->count && an->terms[s->first + j].atom != an->terms[d.first + i].atom;
                 j++)
                continue;
            all = j < s->count && an->terms[s->first + j].coef == an->terms[d.first + i].coef;
        }
        irl__sum_end(an, &d);
        if (!all) continue;
        quotient = irl__expr_floordiv(an, t.atom->a[0], m);
        if (!quotient) return 0;
        an->terms[s->first + at].coef = 0;
        if (!irl__sum_add_done(an, s, t.atom->a[0], t.coef) ||
            !irl__sum_add_done(an, s, quotient, k))
            return 0;
        irl__sum_compact(an, s);
        at = -1;
    }
    return 1;
}

/* The smallest number of leading terms (by scale) that a common divisor g of c carries while the
   rest stays in [0, g). On success s is cut into g*a + b: the terms of a are divided by g in place,
   b's are moved to *low. */
static int64_t irl__div_cut_digits(irl__analyzer *an, irl__sum *s, int64_t c, irl__sum *low)
{
    int     p, k;
    int64_t g = c;
    irl__sum_sort(an, s);
    for (p = 1; p <= s->count; p++) {
        irl__sum      rest = *s;
        irl__interval r;
        g = irl__gcd64(g, an->terms[s->first + p - 1].coef);
        if (g <= 1) return 0;
        if (p < s->count && an->terms[s->first + p].coef % g == 0) continue;
        rest.first += p;
        rest.count -= p;
        rest.constant = irl__div_remainder(s->constant, g);
        r = irl__sum_range(an, &rest);
        if (r.lo < 0 || r.hi >= g) continue;
        /* that is the common divisor: taken already */
        if (rest.count == 0 && rest.constant == 0) return 0;
        for (k = 0; k < p; k++) an->terms[s->first + k].coef /= g;
        s->constant = irl__div_quotient(s->constant, g);
        s->count = p;
        *low = rest; /* stands just above s on the stack */
        return g;
    }
    return 0;
}

/* Coefficients beyond c are brought into (-c, c); their multiples of c go to *whole, which is above
   s. */
static int irl__div_reduce(irl__analyzer *an, irl__sum *s, int64_t c, irl__sum *whole)
{
    int k;
    for (k = 0; k < s->count; k++) {
        irl__term *t = &an->terms[s->first + k];
        int64_t    q = t->coef / c;
        if (q == 0) continue;
        if (whole && !irl__sum_add_term(an, whole, t->atom, q)) return 0;
        t = &an->terms[s->first + k];
        t->coef -= q * c;
    }
    return 1;
}

/* ------------------------------------------------------------------ division */

static const irl_expr *irl__div_make(irl__analyzer *an, const irl_expr *e, irl_type type, int64_t c)
{
    return e ? irl__make2(an, IRL_OP_FLOORDIV, e, irl_int(an->cx, type, c)) : NULL;
}

static const irl_expr *irl__mod_make(irl__analyzer *an, const irl_expr *e, irl_type type, int64_t c)
{
    return e ? irl__make2(an, IRL_OP_FLOORMOD, e, irl_int(an->cx, type, c)) : NULL;
}

/* The term of s that is k = 1 times a division by a constant, if the others are few; -1 if none. */
static int irl__div_nested(irl__analyzer *an, const irl__sum *s)
{
    int k;
    if (s->count > 2) return -1;
    for (k = 0; k < s->count; k++) {
        irl__term t = an->terms[s->first + k];
        if (t.coef == 1 && t.atom->op == IRL_OP_FLOORDIV && t.atom->a[1]->op == IRL_OP_INT &&
            t.atom->a[1]->u.i > 0)
            return k;
    }
    return -1;
}

/* A dividend that has two values only: its quotient runs through them in a straight line. (x%2 +
   1)/2 = x%2. */
static const irl_expr *irl__div_two_values(irl__analyzer *an, const irl__sum *r, int64_t c)
{
    irl__term       t = an->terms[r->first];
    irl__interval   v = irl__range_of(an, t.atom);
    irl__sum        line;
    int64_t         q[2];
    const irl_expr *e = NULL;
    int             k;
    if (v.lo == INT64_MIN || v.hi == INT64_MAX || v.hi - 1 != v.lo) return NULL;
    for (k = 0; k < 2; k++) {
        int64_t d;
        if (!irl__mul64(t.coef, v.lo + k, &d) || !irl__add64(d, r->constant, &d)) return NULL;
        q[k] = irl__div_quotient(d, c);
    }
    line = irl__sum_begin(an, r->type);
    if (irl__sub64(q[1], q[0], &q[1]) && irl__sum_add_term(an, &line, t.atom, q[1]) &&
        irl__mul64(q[1], v.lo, &line.constant) && irl__sub64(q[0], line.constant, &line.constant))
        e = irl__sum_emit(an, &line);
    irl__sum_end(an, &line);
    return e;
}

/* (x/a)%m with constants. */
static int irl__div_is_digit(const irl_expr *e)
{
    return e->op == IRL_OP_FLOORMOD && e->a[1]->op == IRL_OP_INT &&
           e->a[0]->op == IRL_OP_FLOORDIV && e->a[0]->a[1]->op == IRL_OP_INT &&
           e->a[0]->a[1]->u.i > 0;
}

/* r/c with 0 <= r.constant < c and no coefficient a multiple of c. r is used up. */
static const irl_expr *irl__div_rest(irl__analyzer *an, irl__sum *r, int64_t c)
{
    irl__sum        low, t;
    int64_t         g, a, product;
    int             at;
    const irl_expr *e;
    g = irl__div_cut_digits(an, r, c, &low);
    if (g) {
        an->term_count = r->first + r->count;
        return irl__sum_floordiv(an, r, c / g);
    }
    if (r->count == 1) {
        e = irl__div_two_values(an, r, c);
        if (e) return e;
    }
    at = irl__div_nested(an, r);
    if (at >= 0) { /* (x/a + b)/c = (x + a*b)/(a*c) */
        e = an->terms[r->first + at].atom;
        a = e->a[1]->u.i;
        if (irl__mul64(a, c, &product)) {
            t = irl__sum_begin(an, r->type);
            an->terms[r->first + at].coef = 0;
            if (!irl__sum_add_sum(an, &t, r, a) || !irl__sum_add_done(an, &t, e->a[0], 1))
                return NULL;
            irl__sum_compact(an, &t);
            return irl__sum_floordiv(an, &t, product);
        }
    }
    if (r->count == 1 && an->terms[r->first].coef == 1 && r->constant == 0) {
        e = an->terms[r->first].atom; /* (x%m)/c = (x/c)%(m/c) */
        if (e->op == IRL_OP_FLOORMOD && e->a[1]->op == IRL_OP_INT && e->a[1]->u.i > 0 &&
            e->a[1]->u.i % c == 0) {
            int64_t m = e->a[1]->u.i / c;
            e = irl__expr_floordiv(an, e->a[0], c);
            return e ? irl__expr_floormod(an, e, m) : NULL;
        }
        if (irl__div_is_digit(e) && irl__mul64(e->a[0]->a[1]->u.i, e->a[1]->u.i, &product) &&
            irl__mul64(e->a[0]->a[1]->u.i, c, &a)) {
            e = irl__expr_floormod(an, e->a[0]->a[0], product); /* ((x/a)%m)/c = (x%(a*m))/(a*c) */
            return e ? irl__expr_floordiv(an, e, a) : NULL;
        }
    }
    return irl__div_make(an, irl__sum_emit(an, r), r->type, c);
}

const irl_expr *irl__sum_floordiv(irl__analyzer *an, irl__sum *s, int64_t c)
{
    irl__sum        whole, rest, reduced;
    int64_t         q, ignored;
    int             k;
    const irl_expr *e;
    irl__sum_compact(an, s);
    if (c < 0) {
        if (c == INT64_MIN || !irl__sum_scale(an, s, -1)) return NULL;
        c = -c;
    }
    if (c == 1) return irl__sum_emit(an, s);
    if (irl__div_one_cell(an, s, c, &q)) return irl_int(an->cx, s->type, q);
    c /= irl__div_take_gcd(an, s, c, &ignored);
    if (c == 1) return irl__sum_emit(an, s);
    if (!irl__div_join_remainders(an, s, c)) return NULL;
    whole = irl__sum_begin(an, s->type);
    whole.constant = irl__div_quotient(s->constant, c);
    s->constant = irl__div_remainder(s->constant, c);
    for (k = 0; k < s->count; k++) {
        irl__term t = an->terms[s->first + k];
        if (t.coef % c != 0) continue;
        if (!irl__sum_add_term(an, &whole, t.atom, t.coef / c)) return NULL;
        an->terms[s->first + k].coef = 0;
    }
    /* With coefficients brought below c, the rest may fall into one cell: (360*x + y)/16 = 22*x
       where 8*x + y < 16. */
    reduced = irl__sum_begin(an, s->type);
    if (!irl__sum_add_sum(an, &reduced, s, 1)) return NULL;
    for (k = 0; k < reduced.count; k++) an->terms[reduced.first + k].coef %= c;
    k = irl__div_one_cell(an, &reduced, c, &q);
    irl__sum_end(an, &reduced);
    if (k) {
        if (!irl__div_reduce(an, s, c, &whole) || !irl__add64(whole.constant, q, &whole.constant))
            return NULL;
        return irl__sum_emit(an, &whole);
    }
    rest = irl__sum_begin(an, s->type);
    if (!irl__sum_add_sum(an, &rest, s, 1)) return NULL;
    irl__sum_compact(an, &rest);
    if (rest.count == 0) e = irl_int(an->cx, s->type, 0);
    else if (irl__div_one_cell(an, &rest, c, &q)) e = irl_int(an->cx, s->type, q);
    else e = irl__div_rest(an, &rest, c);
    irl__sum_end(an, &rest);
    if (!e || (whole.count == 0 && whole.constant == 0)) return e;
    if (!irl__sum_add_done(an, &whole, e, 1)) return NULL;
    irl__sum_compact(an, &whole);
    return irl__sum_emit(an, &whole);
}

/* ------------------------------------------------------------------ modulo */

/* (x%m)*k + r = x*k + r modulo c, if c divides m*k. */
int irl__sum_drop_inner_mods(irl__analyzer *an, irl__sum *s, int64_t c)
{
    int k, rounds;
    for (rounds = 0; rounds < IRL__MERGE_LIMIT; rounds++) {
        for (k = 0; k < s->count; k++) {
            irl__term t = an->terms[s->first + k];
            int64_t   m;
            if (t.atom->op != IRL_OP_FLOORMOD || t.atom->a[1]->op != IRL_OP_INT) continue;
            if (!irl__mul64(t.atom->a[1]->u.i, t.coef, &m) || m % c != 0) continue;
            an->terms[s->first + k].coef = 0;
            irl__sum_compact(an, s);
            if (!irl__sum_add_done(an, s, t.atom->a[0], t.coef)) return 0;
            irl__sum_compact(an, s);
            break;
        }
        if (k >= s->count) return 1;
    }
    return 1;
}

/* g*(digit) + low, where both are done. */
static const irl_expr *irl__mod_emit_digits(irl__analyzer *an, const irl_expr *digit, int64_t g,
                                            const irl__sum *low)
{
    irl__sum        s;
    const irl_expr *e = NULL;
    if (!digit) return NULL;
    s = irl__sum_begin(an, digit->type);
    if (irl__sum_add_done(an, &s, digit, g) && irl__sum_add_sum(an, &s, low, 1)) {
        irl__sum_compact(an, &s);
        e = irl__sum_emit(an, &s);
    }
    irl__sum_end(an, &s);
    return e;
}

const irl_expr *irl__sum_floormod(irl__analyzer *an, irl__sum *s, int64_t c)
{
    irl__sum        low;
    int64_t         q, g, rest, shift;
    int             flipped = 0;
    const irl_expr *e;
    irl__sum_compact(an, s);
    low = irl__sum_begin(an, s->type);
    if (c < 0) { /* x % -c = -(-x % c) */
        if (c == INT64_MIN || !irl__sum_scale(an, s, -1)) return NULL;
        c = -c;
        flipped = 1;
    }
    if (irl__div_one_cell(an, s, c, &q)) {
        if (!irl__mul64(q, c, &shift) || !irl__sub64(s->constant, shift, &s->constant)) return NULL;
        e = irl__sum_emit(an, s);
    } else if ((g = irl__div_take_gcd(an, s, c, &rest)) > 1) {
        e = irl__sum_floormod(an, s, c / g);
        low.first = an->term_count;
        low.constant = rest;
        e = irl__mod_emit_digits(an, e, g, &low);
    } else {
        s->constant = irl__div_remainder(s->constant, c);
        if (!irl__div_reduce(an, s, c, NULL)) return NULL;
        irl__sum_compact(an, s);
        if (!irl__sum_drop_inner_mods(an, s, c) || !irl__div_reduce(an, s, c, NULL)) return NULL;
        s->constant = irl__div_remainder(s->constant, c);
        irl__sum_compact(an, s);
        if (s->count == 0) e = irl_int(an->cx, s->type, s->constant);
        else if (irl__div_one_cell(an, s, c, &q)) {
            if (!irl__mul64(q, c, &shift) || !irl__sub64(s->constant, shift, &s->constant))
                return NULL;
            e = irl__sum_emit(an, s);
        } else if (irl__sum_gcd(an, s, c) > 1) e = irl__sum_floormod(an, s, c);
        else if ((g = irl__div_cut_digits(an, s, c, &low)) > 0) {
            irl__sum high = irl__sum_begin(an, s->type); /* above low: s itself is below it */
            e = irl__sum_add_sum(an, &high, s, 1) ? irl__sum_floormod(an, &high, c / g) : NULL;
            irl__sum_end(an, &high);
            e = irl__mod_emit_digits(an, e, g, &low);
        } else e = irl__mod_make(an, irl__sum_emit(an, s), s->type, c);
    }
    if (!flipped || !e) return e;
    low = irl__sum_begin(an, s->type);
    e = irl__sum_add_done(an, &low, e, -1) ? irl__sum_emit(an, &low) : NULL;
    irl__sum_end(an, &low);
    return e;
}
