/* poly.c - sums of products of variables.

   needs     checked arithmetic
   promises  a result that leaves 64 bits, or is too long, is NULL, and the system's reason says
             so */
#include "system.h"

enum { IRL__POLY_TERMS = 64 };

static irl__poly *irl__poly_make(irl__system *s, int terms)
{
    irl__poly *p = IRL__SCRATCH(s->cx, irl__poly, 1);
    if (p) p->terms = IRL__SCRATCH(s->cx, irl__poly_term, terms + 1);
    if (p && p->terms) return p;
    s->failed = 1;
    return NULL;
}

static const irl__poly *irl__poly_none(irl__system *s, const char *reason)
{
    if (!s->reason) s->reason = reason;
    return NULL;
}

static const char irl__poly_too_large[] = "a number does not fit 64 bits";
static const char irl__poly_too_long[] = "a sum has too many terms";

const irl__poly *irl__poly_constant(irl__system *s, int64_t value)
{
    irl__poly *p = irl__poly_make(s, 0);
    if (p) p->constant = value;
    return p;
}

const irl__poly *irl__poly_column(irl__system *s, int column)
{
    irl__poly *p = column < 0 ? NULL : irl__poly_make(s, 1);
    if (!p) return NULL;
    p->count = 1;
    p->terms[0].column = column;
    p->terms[0].coef = 1;
    return p;
}

/* x * k + y * l */
static int irl__poly_number(int64_t x, int64_t k, int64_t y, int64_t l, int64_t *out)
{
    int64_t a, b;
    return irl__mul64(x, k, &a) && irl__mul64(y, l, &b) && irl__add64(a, b, out) &&
           *out != INT64_MIN;
}

const irl__poly *irl__poly_sum(irl__system *s, const irl__poly *a, int64_t k, const irl__poly *b,
                               int64_t l)
{
    int i = 0, j = 0, bs = b ? b->count : 0;
    if (!a || (!b && l)) return NULL;
    irl__poly *p = irl__poly_make(s, a->count + bs);
    if (!p) return NULL;
    if (!irl__poly_number(a->constant, k, b ? b->constant : 0, l, &p->constant))
        return irl__poly_none(s, irl__poly_too_large);
    while (i < a->count || j < bs) {
        const int left = i < a->count && (j == bs || a->terms[i].column <= b->terms[j].column);
        const int right = j < bs && (i == a->count || b->terms[j].column <= a->terms[i].column);
        irl__poly_term *t = &p->terms[p->count];
        t->column = left ? a->terms[i].column : b->terms[j].column;
        if (!irl__poly_number(left ? a->terms[i].coef : 0, k, right ? b->terms[j].coef : 0, l,
                              &t->coef))
            return irl__poly_none(s, irl__poly_too_large);
        i += left;
        j += right;
        p->count += t->coef != 0;
    }
    return p->count > IRL__POLY_TERMS ? irl__poly_none(s, irl__poly_too_long) : p;
}

const irl__poly *irl__poly_plus(irl__system *s, const irl__poly *a, int64_t constant)
{
    irl__poly one;
    one.constant = constant;
    one.count = 0;
    one.terms = NULL;
    return irl__poly_sum(s, a, 1, &one, 1);
}

int irl__poly_divide(irl__system *s, const irl__poly *p, int64_t c, const irl__poly **whole,
                     const irl__poly **rest)
{
    irl__poly *w = irl__poly_make(s, p->count), *r = irl__poly_make(s, p->count);
    if (!w || !r || !irl__floordiv64(p->constant, c, &w->constant) ||
        !irl__floormod64(p->constant, c, &r->constant))
        return 0;
    for (int k = 0; k < p->count; k++) {
        if (p->terms[k].coef % c == 0) {
            w->terms[w->count] = p->terms[k];
            w->terms[w->count++].coef /= c;
        } else r->terms[r->count++] = p->terms[k];
    }
    *whole = w;
    *rest = r;
    return 1;
}

/* ------------------------------------------------------------------ products */

int irl__column_has(const irl__system *s, int column, int variable)
{
    const irl__column *c = &s->columns[column];
    if (c->degree == 1) return column == variable;
    for (int k = 0; k < c->degree; k++)
        if (c->factor[k] == variable) return 1;
    return 0;
}

/* The column of a product of variables; -1: there is no room. */
static int irl__column_of(irl__system *s, int degree, const int *factor)
{
    irl__column *c;
    if (degree == 1) return factor[0];
    for (int k = 0; k < s->column_count; k++) {
        c = &s->columns[k];
        if (c->degree == degree && !memcmp(c->factor, factor, (size_t)degree * sizeof *factor))
            return k;
    }
    if (s->column_count == IRL__LINEAR_COLUMNS) return -1;
    c = &s->columns[s->column_count];
    memset(c, 0, sizeof *c);
    c->degree = degree;
    memcpy(c->factor, factor, (size_t)degree * sizeof *factor);
    c->lo = INT64_MIN;
    c->hi = INT64_MAX;
    s->products++;
    return s->column_count++;
}

/* The column of one times the other; -1: of too high a degree. */
static int irl__column_times(irl__system *s, int a, int b)
{
    const irl__column *x = &s->columns[a], *y = &s->columns[b];
    int                factor[2 * IRL__SYSTEM_DEGREE], n = 0, i = 0, j = 0;
    const int          most = x->degree + y->degree;
    if (most > IRL__SYSTEM_DEGREE) return -1;
    while (n < most) {
        const int left = i < x->degree ? x->degree == 1 ? a : x->factor[i] : IRL__LINEAR_COLUMNS;
        const int right = j < y->degree ? y->degree == 1 ? b : y->factor[j] : IRL__LINEAR_COLUMNS;
        factor[n++] = left <= right ? left : right;
        if (left <= right) i++;
        else j++;
    }
    return irl__column_of(s, n, factor);
}

/* p + (coef * column) * q */
static const irl__poly *irl__poly_add_multiple(irl__system *s, const irl__poly *p, int64_t coef,
                                               int column, const irl__poly *q)
{
    irl__poly_term term;
    for (int k = -1; k < q->count && p; k++) {
        const irl__poly one = irl__poly_of(&term);
        term.coef = k < 0 ? q->constant : q->terms[k].coef;
        if (term.coef == 0) continue;
        term.column = k < 0 ? column : irl__column_times(s, column, q->terms[k].column);
        if (term.column < 0) return irl__poly_none(s, "a product of too many names");
        p = irl__poly_sum(s, p, 1, &one, coef);
    }
    return p;
}

const irl__poly *irl__poly_product(irl__system *s, const irl__poly *a, const irl__poly *b)
{
    if (!a || !b) return NULL;
    const irl__poly *p = irl__poly_sum(s, b, a->constant, NULL, 0);
    for (int k = 0; k < a->count && p; k++)
        p = irl__poly_add_multiple(s, p, a->terms[k].coef, a->terms[k].column, b);
    return p;
}

/* The value that `column` becomes where `variable` is `value`. */
static const irl__poly *irl__column_put_in(irl__system *s, int column, int variable,
                                           const irl__poly *value)
{
    const irl__column c = s->columns[column];
    if (c.degree == 1) return value;
    const irl__poly *p = irl__poly_constant(s, 1);
    for (int k = 0; k < c.degree && p; k++) {
        irl__poly_term  term = { c.factor[k], 1 };
        const irl__poly one = irl__poly_of(&term);
        p = irl__poly_product(s, p, c.factor[k] == variable ? value : &one);
    }
    return p;
}

const irl__poly *irl__poly_put_in(irl__system *s, const irl__poly *p, int column,
                                  const irl__poly *value)
{
    const irl__poly *sum = p ? irl__poly_constant(s, p->constant) : NULL;
    for (int k = 0; p && sum && k < p->count; k++) {
        const irl__poly one = irl__poly_of(&p->terms[k]);
        if (!irl__column_has(s, p->terms[k].column, column))
            sum = irl__poly_sum(s, sum, 1, &one, 1);
        else
            sum = irl__poly_sum(s, sum, 1, irl__column_put_in(s, p->terms[k].column, column, value),
                                p->terms[k].coef);
    }
    return sum;
}

/* ------------------------------------------------------------------ ranges */

/* sum + coef * end, INT64_MIN and INT64_MAX being beyond all numbers. */
static int64_t irl__poly_reach(int64_t sum, int64_t coef, int64_t end, int64_t beyond)
{
    int64_t product;
    if (sum == beyond || end == INT64_MIN || end == INT64_MAX) return beyond;
    return irl__mul64(coef, end, &product) && irl__add64(sum, product, &sum) ? sum : beyond;
}

irl__interval irl__poly_range(const irl__system *s, const irl__poly *p)
{
    irl__interval r;
    r.lo = p ? p->constant : INT64_MIN;
    r.hi = p ? p->constant : INT64_MAX;
    for (int k = 0; p && k < p->count; k++) {
        const irl__column *c = &s->columns[p->terms[k].column];
        const int64_t      coef = p->terms[k].coef;
        r.lo = irl__poly_reach(r.lo, coef, coef > 0 ? c->lo : c->hi, INT64_MIN);
        r.hi = irl__poly_reach(r.hi, coef, coef > 0 ? c->hi : c->lo, INT64_MAX);
    }
    return r;
}
