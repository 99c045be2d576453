/* divmod.c - floor division and modulo of sums, by a number or by an expression with names.

   needs     sums, monomial.c, order.c for the size of remainders; the simplifier, which examines
             again the result of a rule by names
   promises  floor(s / d) and s - d*floor(s / d), exactly, for every value that the analyzer admits.
             A divisor that may be 0 has no value there: x*n / n is x. Each step makes the dividend
             shorter or the divisor larger, and a division is examined once per step, so there is
             no search.

   The divisor is a number c, or e, a sum of terms with names. With c > 0 throughout (a negative
   number moves its sign to the dividend); a rule that needs the sign of e asks for it:
     cell        d*q <= s < d*(q+1) always             s/d = q             s%d = s - d*q
     gcd         g divides d and every coefficient     (g*s + r)/(g*d) = s/d,  (g*s + r)%(g*d) =
                 (s%d)*g + r,  0 <= r < g
     multiples   s = d*q + r                           s/d = q + r/d       s%d = r%d
     nested      (x/a + b)/d = (x + a*b)/(a*d)         (x%m)/d = (x/d)%(m/d)  if d divides m
     inner mod   (x%m)*k + r = x*k + r modulo d        if d divides m*k
   of numbers alone
     mirrored    (c-1 - s)/c = -(s/c)                  (c-1 - s)%c = c-1 - s%c
     digits      s = g*a + b, 0 <= b < g, c = g*d      s/c = a/d           s%c = (a%d)*g + b
   of names alone
     factor      (f*s)/(f*d) = s/d                     (f*s)%(f*d) = f*(s%d) */
#include "engine.h"

/* What is divided by: the number c, or else e, whose terms are `sum`; c is 0 then. */
typedef struct irl__divisor {
    int64_t         c;
    const irl_expr *e;
    irl__sum        sum;
} irl__divisor;

static irl__divisor irl__div_number(int64_t c)
{
    irl__divisor d;
    memset(&d, 0, sizeof d);
    d.c = c;
    return d;
}

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

/* ------------------------------------------------------------------ numbers and names alike */

static const irl_expr *irl__div_write(irl__analyzer *an, irl_op op, const irl_expr *e,
                                      const irl__divisor *d)
{
    return e ? irl__make2(an, op, e, d->c ? irl_expr_int(an->cx, e->type, d->c) : d->e) : NULL;
}

static void irl__div_shrink(irl__analyzer *an, irl__sum *s, int64_t g)
{
    for (int k = 0; k < s->count; k++) an->terms[s->first + k].coef /= g;
    s->constant = irl__div_quotient(s->constant, g);
}

/* Divides d and s by their greatest common number, and returns it; *rest is what the constant of s
   leaves: by names nothing, as it would take their sign. */
static int64_t irl__div_take_gcd(irl__analyzer *an, irl__sum *s, irl__divisor *d, int64_t *rest)
{
    int64_t g = d->c;
    *rest = 0;
    if (!g && s->constant != INT64_MIN && d->sum.constant != INT64_MIN)
        g = irl__gcd64(irl__sum_gcd(an, &d->sum, d->sum.constant), s->constant);
    if (!g || (g = irl__sum_gcd(an, s, g)) <= 1) return 1;
    *rest = irl__div_remainder(s->constant, g);
    irl__div_shrink(an, s, g);
    if (d->c) d->c /= g;
    else irl__div_shrink(an, &d->sum, g);
    return g;
}

/* m*k is a multiple of d. */
static int irl__div_is_multiple(irl__analyzer *an, const irl_expr *m, int64_t k,
                                const irl__divisor *d)
{
    irl__monomial whole, by = irl__monomial_number(d->c);
    if (m == d->e) return 1;
    return irl__monomial_of(an, m, &whole) && irl__mul64(whole.c, k, &whole.c) &&
           (d->c || irl__monomial_of(an, d->e, &by)) &&
           irl__monomial_divide(an, whole, by, &whole);
}

/* A term (x%m)*k, which is x*k modulo d. */
static int irl__div_is_inner_mod(irl__analyzer *an, irl__term t, const irl__divisor *d)
{
    return t.atom->op == IRL_OP_FLOORMOD && irl__div_is_multiple(an, t.atom->a[1], t.coef, d);
}

int irl__sum_drop_inner_mods(irl__analyzer *an, irl__sum *s, int64_t c)
{
    irl__divisor d = irl__div_number(c);
    int          k;
    for (int rounds = 0; rounds < IRL__MERGE_LIMIT; rounds++) {
        for (k = 0; k < s->count && !irl__div_is_inner_mod(an, an->terms[s->first + k], &d); k++)
            continue;
        if (k == s->count) break;
        irl__term t = an->terms[s->first + k];
        an->terms[s->first + k].coef = 0;
        irl__sum_compact(an, s);
        if (!irl__sum_add_done(an, s, t.atom->a[0], t.coef)) return 0;
        irl__sum_compact(an, s);
    }
    return 1;
}

/* x/d where x is a quotient and little more, or a remainder: the rules "nested". NULL if neither
   applies. */
static const irl_expr *irl__div_nested(irl__analyzer *an, const irl__sum *r, const irl__divisor *d)
{
    irl__monomial   m;
    const irl_expr *e;
    int64_t         product;
    int             alone = r->count == 1 && r->constant == 0;
    if (r->count > 2 || !(alone || d->c) || !(d->c || irl__range_of(an, d->e).lo > 0)) return NULL;
    for (int k = 0; k < r->count; k++) {
        e = an->terms[r->first + k].atom;
        if (an->terms[r->first + k].coef != 1 || e->op != IRL_OP_FLOORDIV) continue;
        if (!d->c)
            return irl__simplify_node(an, irl__make2(an, IRL_OP_FLOORDIV, e->a[0],
                                                     irl__make2(an, IRL_OP_MUL, e->a[1], d->e)));
        if (e->a[1]->op != IRL_OP_INT || e->a[1]->u.i <= 0) continue;
        if (!irl__mul64(e->a[1]->u.i, d->c, &product)) break;
        irl__sum t = irl__sum_begin(an, r->type);
        if (!irl__mul64(r->constant, e->a[1]->u.i, &t.constant) ||
            !irl__sum_add_others(an, &t, r, k, e->a[1]->u.i) ||
            !irl__sum_add_done(an, &t, e->a[0], 1))
            return NULL;
        irl__sum_compact(an, &t);
        return irl__sum_by(an, IRL_OP_FLOORDIV, &t, product);
    }
    if (!alone || an->terms[r->first].coef != 1) return NULL;
    e = an->terms[r->first].atom;
    /* by a number a remainder by names stays: what it is a remainder of may still be dropped */
    if (e->op != IRL_OP_FLOORMOD || (d->c && e->a[1]->op != IRL_OP_INT) ||
        !irl__monomial_of(an, e->a[1], &m))
        return NULL;
    irl__monomial by = irl__monomial_number(d->c);
    if ((!d->c && !irl__monomial_of(an, d->e, &by)) || !irl__monomial_divide(an, m, by, &m) ||
        !irl__monomial_is_size(an, m, r->type))
        return NULL;
    return irl__expr_by(an, IRL_OP_FLOORMOD, irl__expr_by(an, IRL_OP_FLOORDIV, e->a[0], by), m);
}

/* g*e + rest, where e is done. */
static const irl_expr *irl__div_emit_scaled(irl__analyzer *an, const irl_expr *e, int64_t g,
                                            int64_t rest)
{
    if (!e) return NULL;
    irl__sum low = irl__sum_begin(an, e->type);
    low.constant = rest;
    return irl__sum_emit_with(an, e, g, &low);
}

/* ------------------------------------------------------------------ by a number */

/* Whether all of s lies in one cell of width c, and which. */
static int irl__div_one_cell(irl__analyzer *an, const irl__sum *s, int64_t c, int64_t *q)
{
    irl__interval r = irl__sum_range_known(an, s);
    *q = irl__div_quotient(r.lo, c);
    return *q == irl__div_quotient(r.hi, c) && r.lo != INT64_MIN && r.hi != INT64_MAX;
}

/* s - q*c, where s lies in the cell q. */
static const irl_expr *irl__div_within(irl__analyzer *an, irl__sum *s, int64_t c, int64_t q)
{
    int64_t shift;
    return irl__mul64(q, c, &shift) && irl__sub64(s->constant, shift, &s->constant)
               ? irl__sum_emit(an, s)
               : NULL;
}

/* x - x%m within a dividend is x/m*m, which divides better. */
static int irl__div_join_remainders(irl__analyzer *an, irl__sum *s, int64_t c)
{
    for (int at = 0; at < s->count; at++) {
        irl__term t = an->terms[s->first + at];
        if (t.atom->op != IRL_OP_FLOORMOD || t.atom->a[1]->op != IRL_OP_INT || t.coef == INT64_MIN)
            continue;
        int64_t m = t.atom->a[1]->u.i;
        int64_t k = -t.coef;
        if (m <= 0 || !irl__mul64(k, m, &k) || k % c != 0) continue;
        irl__sum d = irl__sum_begin(an, s->type);
        int      all = irl__sum_add_done(an, &d, t.atom->a[0], -t.coef) &&
                  irl__sum_has(an, s, &d, 0);
        irl__sum_end(an, &d);
        if (!all) continue;
        const irl_expr *quotient =
            irl__expr_by(an, IRL_OP_FLOORDIV, t.atom->a[0], irl__monomial_number(m));
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
    int64_t g = c;
    irl__sum_sort(an, s);
    for (int p = 1; p <= s->count; p++) {
        irl__sum      rest = *s;
        g = irl__gcd64(g, an->terms[s->first + p - 1].coef);
        if (g <= 1) return 0;
        if (p < s->count && an->terms[s->first + p].coef % g == 0) continue;
        rest.first += p;
        rest.count -= p;
        rest.constant = irl__div_remainder(s->constant, g);
        irl__interval r = irl__sum_range(an, &rest);
        if (r.lo < 0 || r.hi >= g) continue;
        /* that is the common divisor: taken already */
        if (rest.count == 0 && rest.constant == 0) return 0;
        for (int k = 0; k < p; k++) an->terms[s->first + k].coef /= g;
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
    for (int k = 0; k < s->count; k++) {
        irl__term *t = &an->terms[s->first + k];
        int64_t    q = t->coef / c;
        if (q == 0) continue;
        if (whole && !irl__sum_add_term(an, whole, t->atom, q)) return 0;
        t = &an->terms[s->first + k];
        t->coef -= q * c;
    }
    return 1;
}

/* c-1 - x, of terms that are all subtracted, becomes x: (c-1 - x)/c = -(x/c), and (c-1 - x)%c =
   c-1 - x%c. 0: the sum is another one, and is left as it is. */
static int irl__div_mirror(irl__analyzer *an, irl__sum *s, int64_t c)
{
    if (s->count == 0 || s->constant != c - 1) return 0;
    for (int k = 0; k < s->count; k++)
        if (an->terms[s->first + k].coef >= 0 || an->terms[s->first + k].coef == INT64_MIN)
            return 0;
    s->constant = 0;
    return irl__sum_scale(an, s, -1);
}

/* A dividend that has two values only: its quotient runs through them in a straight line. (x%2 +
   1)/2 = x%2. */
static const irl_expr *irl__div_two_values(irl__analyzer *an, const irl__sum *r, int64_t c)
{
    irl__term       t = an->terms[r->first];
    irl__interval   v = irl__range_of(an, t.atom);
    int64_t         q[2];
    const irl_expr *e = NULL;
    if (v.lo == INT64_MIN || v.hi == INT64_MAX || v.hi - 1 != v.lo) return NULL;
    for (int k = 0; k < 2; k++) {
        int64_t d;
        if (!irl__mul64(t.coef, v.lo + k, &d) || !irl__add64(d, r->constant, &d)) return NULL;
        q[k] = irl__div_quotient(d, c);
    }
    irl__sum line = irl__sum_begin(an, r->type);
    if (irl__sub64(q[1], q[0], &q[1]) && irl__sum_add_term(an, &line, t.atom, q[1]) &&
        irl__mul64(q[1], v.lo, &line.constant) && irl__sub64(q[0], line.constant, &line.constant))
        e = irl__sum_emit(an, &line);
    irl__sum_end(an, &line);
    return e;
}

/* r/c with 0 <= r.constant < c and no coefficient a multiple of c. r is used up. */
static const irl_expr *irl__div_rest(irl__analyzer *an, irl__sum *r, int64_t c)
{
    irl__divisor    d = irl__div_number(c);
    irl__sum        low;
    int64_t         a, product;
    const irl_expr *e;
    int64_t         g = irl__div_cut_digits(an, r, c, &low);
    if (g) {
        an->term_count = r->first + r->count;
        return irl__sum_by(an, IRL_OP_FLOORDIV, r, c / g);
    }
    if (r->count == 1) {
        e = irl__div_two_values(an, r, c);
        if (e) return e;
    }
    e = irl__div_nested(an, r, &d);
    if (e || an->too_big || !irl__ok(an->cx)) return e;
    e = an->terms[r->first].atom;
    /* (x/a)%m with constants. */
    if (r->count == 1 && an->terms[r->first].coef == 1 && r->constant == 0 &&
        e->op == IRL_OP_FLOORMOD && e->a[1]->op == IRL_OP_INT && e->a[0]->op == IRL_OP_FLOORDIV &&
        e->a[0]->a[1]->op == IRL_OP_INT && e->a[0]->a[1]->u.i > 0 &&
        irl__mul64(e->a[0]->a[1]->u.i, e->a[1]->u.i, &product) &&
        irl__mul64(e->a[0]->a[1]->u.i, c, &a)) { /* ((x/a)%m)/c = (x%(a*m))/(a*c) */
        e = irl__expr_by(an, IRL_OP_FLOORMOD, e->a[0]->a[0], irl__monomial_number(product));
        return irl__expr_by(an, IRL_OP_FLOORDIV, e, irl__monomial_number(a));
    }
    return irl__div_write(an, IRL_OP_FLOORDIV, irl__sum_emit(an, r), &d);
}

static const irl_expr *irl__div_floor(irl__analyzer *an, irl__sum *s, int64_t c)
{
    int64_t         q, ignored;
    int             k;
    const irl_expr *e;
    irl__sum_compact(an, s);
    if (c < 0) {
        if (c == INT64_MIN || !irl__sum_scale(an, s, -1)) return NULL;
        c = -c;
    }
    if (c == 1) return irl__sum_emit(an, s);
    if (irl__div_one_cell(an, s, c, &q)) return irl_expr_int(an->cx, s->type, q);
    irl__divisor d = irl__div_number(c);
    (void)irl__div_take_gcd(an, s, &d, &ignored);
    c = d.c;
    if (c == 1) return irl__sum_emit(an, s);
    if (!irl__div_join_remainders(an, s, c)) return NULL;
    irl__sum whole = irl__sum_begin(an, s->type);
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
    irl__sum reduced = irl__sum_begin(an, s->type);
    if (!irl__sum_add_sum(an, &reduced, s, 1)) return NULL;
    for (k = 0; k < reduced.count; k++) an->terms[reduced.first + k].coef %= c;
    k = irl__div_one_cell(an, &reduced, c, &q);
    irl__sum_end(an, &reduced);
    if (k) {
        if (!irl__div_reduce(an, s, c, &whole) || !irl__add64(whole.constant, q, &whole.constant))
            return NULL;
        return irl__sum_emit(an, &whole);
    }
    irl__sum rest = irl__sum_begin(an, s->type);
    if (!irl__sum_add_sum(an, &rest, s, 1)) return NULL;
    irl__sum_compact(an, &rest);
    if (rest.count == 0) e = irl_expr_int(an->cx, s->type, 0);
    else if (irl__div_one_cell(an, &rest, c, &q)) e = irl_expr_int(an->cx, s->type, q);
    else if (irl__div_mirror(an, &rest, c))
        e = irl__div_emit_scaled(an, irl__div_floor(an, &rest, c), -1, 0);
    else e = irl__div_rest(an, &rest, c);
    irl__sum_end(an, &rest);
    if (!e || (whole.count == 0 && whole.constant == 0)) return e;
    if (!irl__sum_add_done(an, &whole, e, 1)) return NULL;
    irl__sum_compact(an, &whole);
    return irl__sum_emit(an, &whole);
}

static const irl_expr *irl__div_modulo(irl__analyzer *an, irl__sum *s, int64_t c)
{
    int64_t         q, g, rest;
    int             flipped = 0;
    const irl_expr *e;
    irl__sum_compact(an, s);
    irl__sum low = irl__sum_begin(an, s->type);
    if (c < 0) { /* x % -c = -(-x % c) */
        if (c == INT64_MIN || !irl__sum_scale(an, s, -1)) return NULL;
        c = -c;
        flipped = 1;
    }
    irl__divisor d = irl__div_number(c);
    if (irl__div_one_cell(an, s, c, &q)) e = irl__div_within(an, s, c, q);
    else if ((g = irl__div_take_gcd(an, s, &d, &rest)) > 1)
        e = irl__div_emit_scaled(an, irl__div_modulo(an, s, d.c), g, rest);
    else {
        s->constant = irl__div_remainder(s->constant, c);
        if (!irl__div_reduce(an, s, c, NULL)) return NULL;
        irl__sum_compact(an, s);
        if (!irl__sum_drop_inner_mods(an, s, c) || !irl__div_reduce(an, s, c, NULL)) return NULL;
        s->constant = irl__div_remainder(s->constant, c);
        irl__sum_compact(an, s);
        if (s->count == 0) e = irl_expr_int(an->cx, s->type, s->constant);
        else if (irl__div_one_cell(an, s, c, &q)) e = irl__div_within(an, s, c, q);
        else if (irl__sum_gcd(an, s, c) > 1) e = irl__div_modulo(an, s, c);
        else if (irl__div_mirror(an, s, c))
            e = irl__div_emit_scaled(an, irl__div_modulo(an, s, c), -1, c - 1);
        else if ((g = irl__div_cut_digits(an, s, c, &low)) > 0) {
            irl__sum high = irl__sum_begin(an, s->type); /* above low: s itself is below it */
            e = irl__sum_add_sum(an, &high, s, 1) ? irl__div_modulo(an, &high, c / g) : NULL;
            irl__sum_end(an, &high);
            e = irl__sum_emit_with(an, e, g, &low);
        } else e = irl__div_write(an, IRL_OP_FLOORMOD, irl__sum_emit(an, s), &d);
    }
    return flipped ? irl__div_emit_scaled(an, e, -1, 0) : e;
}

const irl_expr *irl__sum_by(irl__analyzer *an, irl_op op, irl__sum *s, int64_t c)
{
    return op == IRL_OP_FLOORDIV ? irl__div_floor(an, s, c) : irl__div_modulo(an, s, c);
}

const irl_expr *irl__expr_by(irl__analyzer *an, irl_op op, const irl_expr *e, irl__monomial by)
{
    if (!e) return NULL;
    if (by.e)
        return irl__simplify_node(an,
                                  irl__make2(an, op, e, irl__monomial_expr(an, by, e->type)));
    if (op == IRL_OP_FLOORDIV && by.c == 1) return e;
    irl__sum s = irl__sum_begin(an, e->type);
    const irl_expr *r = irl__sum_add_done(an, &s, e, 1) ? irl__sum_by(an, op, &s, by.c) : NULL;
    irl__sum_end(an, &s);
    return r;
}

/* ------------------------------------------------------------------ by what has names */

/* r -= c * part * d, *quotient += c * part; part NULL for 1. */
static int irl__div_take(irl__analyzer *an, irl__sum *r, const irl__sum *d,
                         const irl_expr *part, int64_t c, const irl_expr **quotient)
{
    irl__sum        one = irl__sum_begin(an, r->type);
    int             ok = part ? irl__sum_add_term(an, &one, part, c) : 1;
    if (!part) one.constant = c;
    const irl_expr *whole = ok ? irl__sum_emit(an, &one) : NULL;
    irl__sum_end(an, &one);
    /* emitting puts terms in another order: d keeps its own */
    irl__sum copy = irl__sum_begin(an, r->type);
    const irl_expr *taken =
        whole && irl__sum_add_sum(an, &copy, d, 1) ? irl__sum_emit(an, &copy) : NULL;
    irl__sum_end(an, &copy);
    taken = taken ? irl__make2(an, IRL_OP_MUL, whole, taken) : NULL;
    if (!taken || !irl__sum_add_done(an, r, taken, -1)) return 0;
    irl__sum_compact(an, r);
    *quotient = *quotient ? irl__make2(an, IRL_OP_ADD, *quotient, whole) : whole;
    return *quotient != NULL;
}

enum { IRL__DIV_STEPS = 8 };

/* s = q*d + r with q as large as the leading term of d finds; q and r are new sums above s and
   d. */
static int irl__div_long(irl__analyzer *an, const irl__sum *s, const irl__sum *d, irl__sum *r,
                         const irl_expr **quotient)
{
    int             k, lead = 0;
    const irl_expr *part;
    *quotient = NULL;
    for (k = 1; k < d->count; k++)
        if (an->terms[d->first + k].atom->size > an->terms[d->first + lead].atom->size) lead = k;
    *r = irl__sum_begin(an, s->type);
    if (!irl__sum_add_sum(an, r, s, 1)) return 0;
    for (int steps = 0; steps < IRL__DIV_STEPS; steps++) {
        irl__term by = an->terms[d->first + lead];
        for (k = 0; k < r->count; k++) {
            irl__term t = an->terms[r->first + k];
            if (t.coef != 0 && t.coef % by.coef == 0 &&
                irl__product_quotient(an, t.atom, by.atom, &part))
                break;
        }
        if (k == r->count) break;
        if (!irl__div_take(an, r, d, part, an->terms[r->first + k].coef / by.coef, quotient))
            return 0;
    }
    return *quotient != NULL;
}

/* 0 <= r < d always. */
static int irl__div_proper(irl__analyzer *an, const irl__sum *r, const irl__sum *d)
{
    if (!irl__sum_reaches(an, r, 1, 0)) return 0;
    irl__sum t = irl__sum_begin(an, r->type);
    int      ok = irl__sum_add_sum(an, &t, d, 1) && irl__sum_add_sum(an, &t, r, -1) &&
             irl__sub64(t.constant, 1, &t.constant) && irl__sum_nonnegative(an, &t);
    irl__sum_end(an, &t);
    return ok;
}

/* r - cell*d is proper for cell 1 or -1: r becomes that, and its quotient is larger by cell. r is
   the topmost sum. */
static int irl__div_neighbour(irl__analyzer *an, irl__sum *r, const irl__sum *d, int *cell)
{
    for (*cell = -1; *cell <= 1; *cell += 2) {
        irl__sum t = irl__sum_begin(an, r->type);
        int      ok = irl__sum_add_sum(an, &t, r, 1) && irl__sum_add_sum(an, &t, d, -*cell) &&
                 (irl__sum_compact(an, &t), irl__div_proper(an, &t, d));
        if (ok) {
            irl__sum_replace(an, r, &t);
            return 1;
        }
        irl__sum_end(an, &t);
    }
    return 0;
}

/* Every term of s has the unknown f as a factor. */
static int irl__div_has_factor(irl__analyzer *an, const irl__sum *s, const irl_expr *f)
{
    const irl_expr *rest;
    for (int k = 0; k < s->count; k++)
        if (!irl__product_quotient(an, an->terms[s->first + k].atom, f, &rest)) return 0;
    return s->constant == 0;
}

/* One unknown that every term of s and d has as a factor; NULL if there is none. */
static const irl_expr *irl__div_common(irl__analyzer *an, const irl__sum *s, const irl__sum *d)
{
    const irl_expr *e = an->terms[d->first].atom;
    if (s->count == 0) return NULL;
    for (;; e = e->a[0]) {
        const irl_expr *f = e->op == IRL_OP_MUL ? e->a[1] : e;
        if (irl__div_has_factor(an, s, f) && irl__div_has_factor(an, d, f)) return f;
        if (e->op != IRL_OP_MUL) return NULL;
    }
}

/* The sum with the factor taken out of each term, as an expression. */
static const irl_expr *irl__div_without(irl__analyzer *an, const irl__sum *s,
                                        const irl_expr *factor)
{
    irl__sum        r = irl__sum_begin(an, s->type);
    const irl_expr *rest, *e = NULL;
    int             ok = 1;
    for (int k = 0; ok && k < s->count; k++) {
        irl__term t = an->terms[s->first + k];
        ok = irl__product_quotient(an, t.atom, factor, &rest);
        if (ok && rest) ok = irl__sum_add_term(an, &r, rest, t.coef);
        else if (ok) ok = irl__add64(r.constant, t.coef, &r.constant);
    }
    if (ok) e = irl__sum_emit(an, &r);
    irl__sum_end(an, &r);
    return e;
}

/* By the rules "multiples" and "cell", where no other applies. */
static const irl_expr *irl__div_terms(irl__analyzer *an, irl_op op, const irl__sum *s,
                                      const irl__divisor *d)
{
    irl__sum        r;
    const irl_expr *quotient, *rest;
    int             cell;
    if (!irl__div_long(an, s, &d->sum, &r, &quotient)) {
        if (an->too_big || !irl__ok(an->cx)) return NULL;
        an->term_count = d->sum.first + d->sum.count;
        r = irl__sum_begin(an, s->type);
        if (!irl__sum_add_sum(an, &r, s, 1)) return NULL;
        quotient = NULL;
    }
    irl__sum_compact(an, &r);
    int proper = (r.count == 0 && r.constant == 0) || irl__div_proper(an, &r, &d->sum);
    if (!proper && irl__div_neighbour(an, &r, &d->sum, &cell)) {
        proper = 1;
        rest = irl_expr_int(an->cx, s->type, cell);
        quotient = quotient ? irl__make2(an, IRL_OP_ADD, quotient, rest) : rest;
    }
    rest = irl__sum_emit(an, &r);
    if (!rest) return NULL;
    if (op == IRL_OP_FLOORMOD) return proper ? rest : irl__div_write(an, op, rest, d);
    if (proper)
        return quotient ? irl__simplify_node(an, quotient) : irl_expr_int(an->cx, s->type, 0);
    rest = irl__div_write(an, op, rest, d);
    if (!quotient || !rest) return rest;
    irl__sum t = irl__sum_begin(an, s->type);
    quotient = irl__sum_add_done(an, &t, quotient, 1) && irl__sum_add_done(an, &t, rest, 1)
                   ? irl__sum_emit(an, &t)
                   : NULL;
    irl__sum_end(an, &t);
    return quotient;
}

/* s % d without the remainders within s, to be looked at again; NULL if there are none. */
static const irl_expr *irl__div_dropped(irl__analyzer *an, const irl__sum *s,
                                        const irl__divisor *d)
{
    irl__sum        r = irl__sum_begin(an, s->type);
    const irl_expr *e = NULL;
    int             ok = 1, dropped = 0, is_one;
    r.constant = s->constant;
    for (int k = 0; ok && k < s->count; k++) {
        irl__term t = an->terms[s->first + k];
        dropped += is_one = irl__div_is_inner_mod(an, t, d);
        ok = is_one ? irl__sum_add_done(an, &r, t.atom->a[0], t.coef)
                    : irl__sum_add_term(an, &r, t.atom, t.coef);
    }
    irl__sum_compact(an, &r);
    if (ok && dropped) e = irl__div_write(an, IRL_OP_FLOORMOD, irl__sum_emit(an, &r), d);
    irl__sum_end(an, &r);
    return irl__simplify_node(an, e);
}

static const irl_expr *irl__div_names(irl__analyzer *an, irl_op op, irl__sum *s, irl__divisor *d)
{
    const irl_expr *e;
    int64_t         rest;
    irl__sum_compact(an, &d->sum);
    /* Terms in the order of their factors: equal divisors are one expression. */
    int k;
    for (int i = 1; i < d->sum.count; i++) {
        irl__term t = an->terms[d->sum.first + i];
        for (k = i; k > 0 && irl__factor_compare(t.atom, an->terms[d->sum.first + k - 1].atom) < 0;
             k--)
            an->terms[d->sum.first + k] = an->terms[d->sum.first + k - 1];
        an->terms[d->sum.first + k] = t;
    }
    int64_t g = irl__div_take_gcd(an, s, d, &rest);
    if (g > 1) {
        e = irl__div_names(an, op, s, d);
        return op == IRL_OP_FLOORDIV ? e : irl__div_emit_scaled(an, e, g, rest);
    }
    d->e = irl__sum_emit(an, &d->sum);
    if (!d->e) return NULL;
    e = op == IRL_OP_FLOORDIV ? irl__div_nested(an, s, d) : NULL;
    if (e || an->too_big || !irl__ok(an->cx)) return e;
    const irl_expr *factor = irl__div_common(an, s, &d->sum);
    if (factor) {
        /* (f*a)/(f*b) = a/b and (f*a)%(f*b) = f*(a%b): f*b is the divisor, so f is not 0. */
        const irl_expr *a = irl__div_without(an, s, factor),
                       *b = a ? irl__div_without(an, &d->sum, factor) : NULL;
        a = b ? irl__simplify_node(an, irl__make2(an, op, a, b)) : NULL;
        if (!a || op == IRL_OP_FLOORDIV) return a;
        return irl__simplify_node(an, irl__make2(an, IRL_OP_MUL, a, factor));
    }
    e = op == IRL_OP_FLOORMOD ? irl__div_dropped(an, s, d) : NULL;
    if (e || an->too_big || !irl__ok(an->cx)) return e;
    return irl__div_terms(an, op, s, d);
}

const irl_expr *irl__sum_divmod(irl__analyzer *an, irl_op op, irl__sum *s, const irl__sum *by)
{
    irl__divisor d;
    if (by->count == 0) return by->constant ? irl__sum_by(an, op, s, by->constant) : NULL;
    d.c = 0;
    d.e = NULL;
    d.sum = *by;
    return irl__div_names(an, op, s, &d);
}
