/* solve.c - from the values of quasi-affine expressions back to their variables, digit by digit.

   needs     sums, ranges
   promises  every equation that is learned holds for all values of the unknowns in their ranges, because each rule below is
             an equivalence or a consequence under the ranges that it names. So unknowns that are found are functions of the
             given values: that is a proof that the values determine the unknowns.

   V is what is known. The rules, each applied to one equation until nothing new follows:

     known terms     a + k = V, k known                          a = V - k
     single          c*a = V                                     a = V / c
     digits          g*a + r = V, lo <= r < lo + g               a = (V - lo)/g,  r = (V - lo)%g + lo
     quotient known  m % e = V, m / e known                      m = e*(m/e) + V
     window          (u + k) % e = V, lo <= u < lo + e           u = (V - k - lo)%e + lo
     congruence      (u + k) % e = V                             u % e = (V - k) % e
     reciprocal      u % e = V, c*d = 1 modulo e                 (d*u) % e = d*V % e
     undivided       f(m / d) known, m % d = W                   f without the division: d*f and d*(m / d) = m - W
     adjacent        m % e = V, (m / e + j) % f = W              (m + j*e) % (e*f) = e*W + V   e a number or made of parameters
     rest known      m / e = V, m % e known                      m = e*V + m%e
     long stride     (c*a + w + k) / e = V, range of w < c - e   a = (e*V - k + e - 1 - least w) / c
     exclusive or    (a ^ k) = V, k known                        a = V ^ k
      choice          select(c, a, b) = V, c known                u = select(c, v, w) where a = V gives u = v, b = V gives u = w
     named extents   u = V, u - lo = r*a + b, 0 <= b < r         a = (V - lo) / r,  b = (V - lo) % r    r, lo made of parameters
     named window    (u + k) % n = V, lo <= u < lo + n           u = (V - k - lo)%n + lo     n, lo made of parameters, n > 0
     named modulus   (u + k) % n = V                             u % n = (V - k)%n
     minimum, maximum  min(a, b) = V, max(a, b) = W               a + b = V + W
     arms apart      select(c, a, b) = V, all of a < all of b    c = (V < least b)                                          */
#include "engine.h"

enum { IRL__SOLVE_VALUE_LIMIT = 4096 };

int irl__solve_begin(irl__solution *s, irl__analyzer *an, int unknown_count, const irl_expr *const *unknowns)
{
    memset(s, 0, sizeof *s);
    s->an = an;
    s->unknown_count = unknown_count;
    s->unknowns = unknowns;
    s->capacity = 24;
    s->equations = (irl__equation *)irl__scratch_alloc(an->cx, 24, sizeof *s->equations);
    return s->equations != NULL;
}

static irl__equation *irl__solve_find(const irl__solution *s, const irl_expr *what)
{
    int k;
    for (k = 0; k < s->count; k++)
        if (s->equations[k].what == what) return &s->equations[k];
    return NULL;
}

/* Adds an equation whose sides are simplified already. True if it was new. */
static int irl__solve_note(irl__solution *s, const irl_expr *what, const irl_expr *value)
{
    irl__equation *grown;
    if (s->count >= IRL__MOST_EQUATIONS || irl__solve_find(s, what)) return 0;
    if (s->count == s->capacity) { /* in the arena: the caller may have opened an inner stretch */
        grown = (irl__equation *)irl__alloc_array(s->an->cx, (size_t)s->capacity * 2, sizeof *grown);
        if (!grown) return 0;
        memcpy(grown, s->equations, (size_t)s->count * sizeof *grown);
        s->equations = grown;
        s->capacity *= 2;
    }
    s->equations[s->count].what = what;
    s->equations[s->count].value = value;
    s->equations[s->count].done = 0;
    s->count++;
    return 1;
}

static int irl__solve_learn(irl__solution *s, const irl_expr *what, const irl_expr *value)
{
    what = irl__simplify_node(s->an, what);
    value = irl__simplify_node(s->an, value);
    return what && value && what->op != IRL_OP_INT && irl__solve_note(s, what, value);
}

int irl__solve_add(irl__solution *s, const irl_expr *what, const irl_expr *value)
{
    (void)irl__solve_learn(s, what, value);
    return irl__ok(s->an->cx);
}

/* ------------------------------------------------------------------ what is known */

static const irl_expr *irl__solve_sum_value(irl__solution *s, const irl_expr *e);

static int irl__solve_is_unknown(const irl__solution *s, const irl_expr *var)
{
    int k;
    for (k = 0; k < s->unknown_count; k++)
        if (s->unknowns[k] == var) return 1;
    return 0;
}

static const irl_expr *irl__solve_mod_value(irl__solution *s, const irl_expr *e);

/* e in terms of the given values, NULL if it does not follow directly. */
static const irl_expr *irl__solve_value(irl__solution *s, const irl_expr *e)
{
    const irl_expr      *operands[3];
    const irl__equation *q;
    uint32_t             k;
    if (e->op == IRL_OP_INT) return e;
    q = irl__solve_find(s, e);
    if (q) return q->value;
    if (e->op == IRL_OP_VAR) return irl__solve_is_unknown(s, e) ? NULL : e; /* a parameter is given */
    if (e->count == 0 || e->count > 3 || e->size > IRL__SOLVE_VALUE_LIMIT || (e->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)))
        return NULL;
    /* (a product of variables is a term of its own sum: it goes by its factors) */
    if (e->op == IRL_OP_ADD || e->op == IRL_OP_SUB || e->op == IRL_OP_NEG ||
        (e->op == IRL_OP_MUL && (e->a[0]->op == IRL_OP_INT || e->a[1]->op == IRL_OP_INT)))
        return irl__solve_sum_value(s, e);
    for (k = 0; k < e->count; k++) {
        operands[k] = irl__solve_value(s, e->a[k]);
        if (!operands[k]) return e->op == IRL_OP_FLOORMOD && k == 0 ? irl__solve_mod_value(s, e) : NULL;
    }
    return irl__simplify_node(s->an, irl__make_with(s->an, e, operands));
}

/* e as terms that are not known, which stay on the stack as *u with constant 0, and a known rest. */
static int irl__solve_parts(irl__solution *s, const irl_expr *e, irl__sum *u, const irl_expr **known)
{
    irl__analyzer  *an = s->an;
    irl__sum        k;
    int             i, ok;
    int64_t         constant;
    *u = irl__sum_begin(an, e->type);
    *known = NULL;
    if (!irl__sum_add_done(an, u, e, 1)) return 0;
    irl__sum_compact(an, u);
    constant = u->constant;
    u->constant = 0;
    k = irl__sum_begin(an, e->type);
    k.constant = constant;
    for (i = 0, ok = 1; ok && i < u->count; i++) {
        irl__term       t = an->terms[u->first + i];
        const irl_expr *v = irl__solve_value(s, t.atom);
        if (!v) continue;
        an->terms[u->first + i].coef = 0;
        ok = irl__sum_add_done(an, &k, v, t.coef);
    }
    if (ok && irl__sum_merge(an, &k)) *known = irl__sum_emit(an, &k);
    irl__sum_end(an, &k);
    irl__sum_compact(an, u);
    return *known != NULL;
}

static const irl_expr *irl__solve_sum_value(irl__solution *s, const irl_expr *e)
{
    irl__sum        u;
    const irl_expr *known;
    int             ok = irl__solve_parts(s, e, &u, &known) && u.count == 0;
    irl__sum_end(s->an, &u);
    return ok ? known : NULL;
}

/* ------------------------------------------------------------------ building values: a*k + b*l + c, (...)/d, (...)%d */

static const irl_expr *irl__solve_linear(irl__analyzer *an, const irl_expr *a, int64_t k, const irl_expr *b, int64_t l, int64_t c)
{
    irl__sum        s = irl__sum_begin(an, a->type);
    const irl_expr *e = NULL;
    s.constant = c;
    if (irl__sum_add_done(an, &s, a, k) && (!b || irl__sum_add_done(an, &s, b, l)) && irl__sum_merge(an, &s)) e = irl__sum_emit(an, &s);
    irl__sum_end(an, &s);
    return e;
}

/* (a + c) op d, d > 0 a constant. */
static const irl_expr *irl__solve_divmod(irl__analyzer *an, irl_op op, const irl_expr *a, int64_t c, int64_t d)
{
    irl__sum        s;
    const irl_expr *e = NULL;
    if (!a) return NULL;
    s = irl__sum_begin(an, a->type);
    s.constant = c;
    if (irl__sum_add_done(an, &s, a, 1) && irl__sum_merge(an, &s))
        e = op == IRL_OP_FLOORDIV ? irl__sum_floordiv(an, &s, d) : irl__sum_floormod(an, &s, d);
    irl__sum_end(an, &s);
    return e;
}

/* The value of atom modulo e, where some remainder of it is known: a % m with e a divisor of m. NULL if none. */
static const irl_expr *irl__solve_value_modulo(irl__solution *s, const irl_expr *atom, int64_t e, int depth)
{
    int k;
    for (k = 0; k < s->count; k++) {
        const irl_expr *w = s->equations[k].what;
        if (w->op == IRL_OP_FLOORMOD && w->a[0] == atom && w->a[1]->op == IRL_OP_INT && w->a[1]->u.i > 0 && w->a[1]->u.i % e == 0)
            return s->equations[k].value;
    }
    if (atom->op == IRL_OP_FLOORMOD && atom->a[1]->op == IRL_OP_INT && atom->a[1]->u.i > 0 && depth < 4) { /* a%m = a - m*(a/m) */
        const irl_expr *q = irl__solve_divmod(s->an, IRL_OP_FLOORDIV, atom->a[0], 0, atom->a[1]->u.i), *r;
        q = q ? irl__solve_value(s, q) : NULL;
        r = q ? irl__solve_value_modulo(s, atom->a[0], e, depth + 1) : NULL;
        return r ? irl__solve_linear(s->an, r, 1, q, -atom->a[1]->u.i, 0) : NULL;
    }
    return NULL;
}

/* What of m is known modulo e goes to *known, as irl__solve_parts does it for what is known altogether. */
static int irl__solve_parts_modulo(irl__solution *s, const irl_expr *m, int64_t e, irl__sum *u, const irl_expr **known)
{
    int i;
    if (!irl__solve_parts(s, m, u, known)) return 0;
    for (i = 0; i < u->count && *known; i++) {
        irl__term       t = s->an->terms[u->first + i];
        const irl_expr *v = irl__solve_value_modulo(s, t.atom, e, 0);
        if (!v) continue;
        *known = irl__solve_linear(s->an, *known, 1, v, t.coef, 0);
        s->an->terms[u->first + i].coef = 0;
    }
    irl__sum_compact(s->an, u);
    return *known != NULL;
}

/* m % e where every part of m is known modulo e. */
static const irl_expr *irl__solve_mod_value(irl__solution *s, const irl_expr *e)
{
    irl__sum        u;
    const irl_expr *known, *v = NULL;
    int64_t         m = e->a[1]->op == IRL_OP_INT ? e->a[1]->u.i : 0;
    if (m <= 0) return NULL;
    if (irl__solve_parts_modulo(s, e->a[0], m, &u, &known) && u.count == 0) v = irl__solve_divmod(s->an, IRL_OP_FLOORMOD, known, 0, m);
    irl__sum_end(s->an, &u);
    return v;
}

static int irl__solve_width(irl__interval r, int64_t *width)
{
    return r.lo != INT64_MIN && r.hi != INT64_MAX && irl__sub64(r.hi, r.lo, width) && irl__add64(*width, 1, width);
}

/* ------------------------------------------------------------------ sums */

/* Larger coefficients first. */
static void irl__solve_sort(irl__analyzer *an, const irl__sum *u)
{
    int i, k;
    for (i = 1; i < u->count; i++) {
        irl__term t = an->terms[u->first + i];
        int64_t   size = t.coef < 0 ? -t.coef : t.coef;
        for (k = i; k > 0; k--) {
            int64_t before = an->terms[u->first + k - 1].coef;
            if ((before < 0 ? -before : before) >= size) break;
            an->terms[u->first + k] = an->terms[u->first + k - 1];
        }
        an->terms[u->first + k] = t;
    }
}

/* Some of the terms of u, each coefficient divided by g. */
static const irl_expr *irl__solve_emit_part(irl__analyzer *an, const irl__sum *u, int first, int count, int64_t g)
{
    irl__sum        s = irl__sum_begin(an, u->type);
    const irl_expr *e = NULL;
    int             k, ok = 1;
    for (k = first; ok && k < first + count; k++)
        ok = irl__sum_add_term(an, &s, an->terms[u->first + k].atom, an->terms[u->first + k].coef / g);
    if (ok) e = irl__sum_emit(an, &s);
    irl__sum_end(an, &s);
    return e;
}

/* u = v with its terms by size, and both sides negated where the largest is negative. */
static int irl__solve_lead(irl__analyzer *an, irl__sum *u, const irl_expr **v)
{
    irl__solve_sort(an, u);
    if (an->terms[u->first].coef > 0) return 1;
    *v = irl__solve_linear(an, *v, -1, NULL, 0, 0);
    return *v && irl__sum_scale(an, u, -1);
}

/* u = v, two or more terms, the largest not negative: cut where the rest is narrower than the common divisor of what leads. */
static int irl__solve_digits(irl__solution *s, const irl__sum *u, const irl_expr *v)
{
    irl__analyzer *an = s->an;
    int64_t        g = 0, width;
    int            p;
    for (p = 1; p < u->count; p++) {
        irl__sum        rest = *u;
        irl__interval   r;
        const irl_expr *high, *low;
        int             learned;
        g = irl__gcd64(g, an->terms[u->first + p - 1].coef);
        rest.first += p;
        rest.count -= p;
        r = irl__sum_range(an, &rest);
        if (!irl__solve_width(r, &width) || width > g || r.lo == INT64_MIN) continue;
        high = irl__solve_divmod(an, IRL_OP_FLOORDIV, v, -r.lo, g);
        low = irl__solve_divmod(an, IRL_OP_FLOORMOD, v, -r.lo, g);
        if (low) low = irl__solve_linear(an, low, 1, NULL, 0, r.lo);
        if (!high || !low) return 0;
        learned = irl__solve_learn(s, irl__solve_emit_part(an, u, 0, p, g), high);
        learned |= irl__solve_learn(s, irl__solve_emit_part(an, u, p, u->count - p, 1), low);
        return learned;
    }
    return 0;
}

/* ------------------------------------------------------------------ extents that have names */

/* A product atom as what is unknown of it times a parameter; both NULL for 1. */
static int irl__solve_radix(irl__solution *s, const irl_expr *atom, const irl_expr **unknown, const irl_expr **parameter)
{
    const irl_expr *e = atom;
    *unknown = *parameter = NULL;
    for (;; e = e->a[0]) {
        const irl_expr  *f = e->op == IRL_OP_MUL ? e->a[1] : e;
        const irl_expr **side = irl__solve_value(s, f) == f ? parameter : unknown;
        *side = *side ? irl__sum_product_of(s->an, f, *side) : f;
        if (!*side) return 0;
        if (e->op != IRL_OP_MUL) return 1;
    }
}

/* 0 <= e < limit always, or only the first if there is no limit. */
static int irl__solve_within(irl__analyzer *an, const irl_expr *e, const irl_expr *limit)
{
    irl__sum s;
    int      ok;
    if (!e) return 0;
    s = irl__sum_begin(an, e->type);
    ok = irl__sum_add_done(an, &s, e, 1) && irl__sum_nonnegative(an, &s);
    irl__sum_end(an, &s);
    if (!ok || !limit) return ok;
    s = irl__sum_begin(an, e->type);
    s.constant = -1;
    ok = irl__sum_add_done(an, &s, limit, 1) && irl__sum_add_done(an, &s, e, -1) && irl__sum_nonnegative(an, &s);
    irl__sum_end(an, &s);
    return ok;
}

/* What all terms with the same unknown part as term `at` are multiplied by: a polynomial in the parameters. */
static const irl_expr *irl__solve_radix_of(irl__solution *s, const irl__sum *u, int at)
{
    irl__analyzer  *an = s->an;
    const irl_expr *mine, *theirs, *parameter, *e = NULL;
    irl__sum        r;
    int             k, ok = irl__solve_radix(s, an->terms[u->first + at].atom, &mine, &parameter) && mine, named = parameter != NULL;
    r = irl__sum_begin(an, u->type);
    for (k = 0; ok && k < u->count; k++) {
        irl__term t = an->terms[u->first + k];
        ok = irl__solve_radix(s, t.atom, &theirs, &parameter);
        if (!ok || theirs != mine) continue;
        named |= parameter != NULL;
        if (parameter) ok = irl__sum_add_done(an, &r, parameter, t.coef);
        else ok = irl__add64(r.constant, t.coef, &r.constant);
    }
    if (ok && named) e = irl__sum_emit(an, &r);
    irl__sum_end(an, &r);
    return e;
}

/* Something is divided by the radix: the rest was not below it. */
static int irl__solve_is_divided(const irl_expr *e, const irl_expr *radix)
{
    uint32_t k;
    if (e->op == IRL_OP_FLOORDIV && e->a[1] == radix) return 1;
    for (k = 0; k < e->count; k++)
        if (irl__solve_is_divided(e->a[k], radix)) return 1;
    return 0;
}

/* whole = v, nothing of it below 0: what is divided by the radix without rest leads, the rest lies in [0, radix). */
static int irl__solve_cut(irl__solution *s, const irl_expr *whole, const irl_expr *v, const irl_expr *radix)
{
    irl__analyzer  *an = s->an;
    const irl_expr *high, *low = irl__simplify_node(an, irl__make2(an, IRL_OP_FLOORMOD, whole, radix));
    int             learned;
    high = low ? irl__simplify_node(an, irl__make2(an, IRL_OP_FLOORDIV, whole, radix)) : NULL;
    if (!high || irl__solve_is_divided(high, radix) || !irl__solve_within(an, low, radix)) return 0;
    learned = irl__solve_learn(s, high, irl__make2(an, IRL_OP_FLOORDIV, v, radix));
    return learned | irl__solve_learn(s, low, irl__make2(an, IRL_OP_FLOORMOD, v, radix));
}

/* u = v, cut by the radix of one of its terms. The least value of u is made of parameters, so that u - least = v - least is
   known as well; where it is a number below 0, or i*n stands in it with a minus, only that has digits. */
static int irl__solve_symbolic_digits(irl__solution *s, const irl__sum *u, const irl_expr *v)
{
    irl__analyzer  *an = s->an;
    const irl_expr *radix, *whole, *least;
    irl__sum        a;
    int             at, learned = 0;
    a = irl__sum_begin(an, u->type);
    whole = irl__sum_add_sum(an, &a, u, 1) ? irl__sum_emit(an, &a) : NULL;
    irl__sum_end(an, &a);
    least = whole ? irl__symbolic_bound(an, whole, -1) : NULL;
    if (least) {
        whole = irl__simplify_node(an, irl__make2(an, IRL_OP_SUB, whole, least));
        v = irl__simplify_node(an, irl__make2(an, IRL_OP_SUB, v, least));
    }
    for (at = 0; whole && v && !learned && at < u->count; at++) {
        radix = irl__solve_radix_of(s, u, at);
        if (radix && irl__range_of(an, radix).hi < 0) radix = irl__simplify_node(an, irl__make1(an, IRL_OP_NEG, radix));
        if (radix && irl__range_of(an, radix).lo >= 1) learned = irl__solve_cut(s, whole, v, radix);
    }
    return learned;
}

/* unknown * parameter = v, parameter >= 1. */
static int irl__solve_symbolic_factor(irl__solution *s, const irl_expr *atom, const irl_expr *v)
{
    const irl_expr *unknown, *parameter;
    if (atom->op != IRL_OP_MUL || !irl__solve_radix(s, atom, &unknown, &parameter) || !unknown || !parameter) return 0;
    if (irl__range_of(s->an, parameter).lo < 1) return 0;
    return irl__solve_learn(s, unknown, irl__make2(s->an, IRL_OP_FLOORDIV, v, parameter));
}

/* (u + k) % n = V with lo <= u < lo + n: u = (V - k - lo) % n + lo; of a wider u only u % n = (V - k) % n. */
static int irl__solve_symbolic_window(irl__solution *s, irl__equation *q, const irl_expr *u, const irl_expr *known)
{
    irl__analyzer  *an = s->an;
    const irl_expr *n = q->what->a[1], *least = irl__symbolic_bound(an, u, -1), *v;
    v = irl__make2(an, IRL_OP_SUB, q->value, known);
    if (least && v && irl__solve_within(an, irl__simplify_node(an, irl__make2(an, IRL_OP_SUB, u, least)), n)) {
        v = irl__make2(an, IRL_OP_FLOORMOD, irl__make2(an, IRL_OP_SUB, v, least), n);
        q->done = 1;
        return v ? irl__solve_learn(s, u, irl__make2(an, IRL_OP_ADD, v, least)) : 0;
    }
    if (!v || irl__is_int(known, 0)) return 0;
    return irl__solve_learn(s, irl__make2(an, IRL_OP_FLOORMOD, u, n), irl__make2(an, IRL_OP_FLOORMOD, v, n));
}

/* m % n = V and (m / n + j) % f = W: together (m + j*n) % (n*f) = n*W + V. */
static int irl__solve_symbolic_adjacent(irl__solution *s, const irl__equation *q)
{
    irl__analyzer  *an = s->an;
    const irl_expr *n = q->what->a[1], *both, *v;
    int             k, learned = 0, count = s->count;
    for (k = 0; k < count; k++) {
        irl__equation w = s->equations[k];
        if (w.what->op != IRL_OP_FLOORMOD || w.what == q->what) continue;
        both = irl__simplify_node(an, irl__make2(an, IRL_OP_ADD, irl__make2(an, IRL_OP_MUL, w.what, n), q->what));
        if (!both || both->op != IRL_OP_FLOORMOD) continue;
        v = irl__make2(an, IRL_OP_ADD, irl__make2(an, IRL_OP_MUL, w.value, n), q->value);
        if (v) learned |= irl__solve_learn(s, both, v);
    }
    return learned;
}

/* m % n = V or m / n = V for a parameter n >= 1. */
static int irl__solve_symbolic_divmod(irl__solution *s, irl__equation *q)
{
    irl__analyzer  *an = s->an;
    const irl_expr *m = q->what->a[0], *n = irl__solve_value(s, q->what->a[1]), *other, *known, *what, *v;
    int             is_mod = q->what->op == IRL_OP_FLOORMOD, learned = 0;
    irl__sum        u;
    if (!n || n != q->what->a[1] || irl__range_of(an, n).lo < 1) return 0;
    other = irl__simplify_node(an, irl__make2(an, is_mod ? IRL_OP_FLOORDIV : IRL_OP_FLOORMOD, m, n));
    other = other ? irl__solve_value(s, other) : NULL;
    if (other) { /* m = n*(m/n) + m%n */
        q->done = 1;
        v = irl__make2(an, IRL_OP_MUL, is_mod ? other : q->value, n);
        return v ? irl__solve_learn(s, m, irl__make2(an, IRL_OP_ADD, v, is_mod ? q->value : other)) : 0;
    }
    if (!is_mod) return 0;
    if (irl__solve_parts(s, m, &u, &known) && u.count > 0 && (what = irl__sum_emit(an, &u)) != NULL)
        learned = irl__solve_symbolic_window(s, q, what, known);
    irl__sum_end(an, &u);
    return learned ? learned : irl__solve_symbolic_adjacent(s, q);
}

/* ------------------------------------------------------------------ sums, again */

/* Of k*(m/e) + r the multiple by e, where m % e = W is known: k*m + e*r = e*(k*(m/e) + r) + k*W. NULL if there is no such
   term. What is said of the sum is then said without the division. */
static const irl_expr *irl__solve_undivided(irl__solution *s, const irl_expr *sum, int least, int64_t *e, const irl_expr **shift)
{
    irl__analyzer  *an = s->an;
    irl__sum        u = irl__sum_begin(an, sum->type), r;
    const irl_expr *what = NULL, *rest;
    int             k, i, ok;
    ok = irl__sum_add_done(an, &u, sum, 1);
    irl__sum_compact(an, &u);
    for (k = 0; ok && !what && k < u.count; k++) {
        irl__term t = an->terms[u.first + k];
        if (t.atom->op != IRL_OP_FLOORDIV || t.atom->a[1]->op != IRL_OP_INT || t.atom->a[1]->u.i <= 1 || u.count < least) continue;
        *e = t.atom->a[1]->u.i;
        rest = irl__solve_divmod(an, IRL_OP_FLOORMOD, t.atom->a[0], 0, *e);
        rest = rest ? irl__solve_value(s, rest) : NULL;
        if (!rest) continue;
        r = irl__sum_begin(an, sum->type);
        ok = irl__mul64(u.constant, *e, &r.constant) && irl__sum_add_done(an, &r, t.atom->a[0], t.coef);
        for (i = 0; ok && i < u.count; i++) {
            int64_t c;
            if (i != k) ok = irl__mul64(an->terms[u.first + i].coef, *e, &c) && irl__sum_add_term(an, &r, an->terms[u.first + i].atom, c);
        }
        if (ok && irl__sum_merge(an, &r)) what = irl__sum_emit(an, &r);
        irl__sum_end(an, &r);
        *shift = what ? irl__solve_linear(an, rest, t.coef, NULL, 0, 0) : NULL;
        if (!*shift) what = NULL;
    }
    irl__sum_end(an, &u);
    return what;
}

/* An equation whose left side is a sum, or an atom that is known by now. */
static int irl__solve_sum(irl__solution *s, int at)
{
    irl__equation   q = s->equations[at];
    irl__analyzer  *an = s->an;
    irl__sum        u;
    const irl_expr *known, *v, *atom;
    int64_t         c;
    int             learned = 0;
    if (q.what->op == IRL_OP_MUL && q.what->a[0]->op != IRL_OP_INT && q.what->a[1]->op != IRL_OP_INT &&
        irl__solve_symbolic_factor(s, q.what, q.value)) return s->equations[at].done = 1; /* (as a term of a sum it is known: it is this) */
    if (irl__solve_parts(s, q.what, &u, &known)) {
        v = irl__solve_linear(an, q.value, 1, known, -1, 0);
        if (v && u.count == 0) s->equations[at].done = 1;
        else if (v && u.count == 1) {
            atom = an->terms[u.first].atom;
            c = an->terms[u.first].coef;
            s->equations[at].done = 1;
            if (c < 0) {
                v = irl__solve_linear(an, v, -1, NULL, 0, 0);
                c = -c;
            }
            if (c > 1) v = irl__solve_divmod(an, IRL_OP_FLOORDIV, v, 0, c);
            if (v) learned = irl__solve_learn(s, atom, v);
            if (v) learned |= irl__solve_symbolic_factor(s, atom, v);
        } else if (v && irl__solve_lead(an, &u, &v)) {
            learned = irl__solve_digits(s, &u, v);
            if (!learned && an->symbolic) learned = irl__solve_symbolic_digits(s, &u, v);
            if (learned) s->equations[at].done = 1;
        }
    }
    irl__sum_end(an, &u);
    if (learned || s->equations[at].done) return learned;
    known = irl__solve_undivided(s, q.what, 2, &c, &atom);
    v = known ? irl__solve_linear(an, q.value, c, atom, 1, 0) : NULL;
    return v ? irl__solve_learn(s, known, v) : 0;
}

/* ------------------------------------------------------------------ atoms */

static const irl_expr *irl__solve_expr_divmod(irl__solution *s, irl_op op, const irl_expr *m, int64_t e)
{
    return irl__solve_divmod(s->an, op, m, 0, e);
}

/* x with c*x = 1 modulo e; 0 if there is none. */
static int64_t irl__solve_reciprocal(int64_t c, int64_t e)
{
    int64_t r0 = e, r1, t0 = 0, t1 = 1;
    if (!irl__floormod64(c, e, &r1)) return 0;
    while (r1 != 0) {
        int64_t q = r0 / r1, r = r0 - q * r1, t = t0 - q * t1; /* |t| stays below e */
        r0 = r1;
        r1 = r;
        t0 = t1;
        t1 = t;
    }
    return r0 == 1 ? (t0 < 0 ? t0 + e : t0) : 0;
}

/* m % e = V and (m / e + j) % f = W: together m' % (e*f) = e*W + V, m' = m + j*e. */
static int irl__solve_adjacent(irl__solution *s, const irl__equation *q)
{
    irl__analyzer *an = s->an;
    int64_t        e = q->what->a[1]->u.i;
    int            k, learned = 0, count = s->count;
    for (k = 0; k < count; k++) {
        irl__equation   w = s->equations[k];
        irl__sum        both;
        const irl_expr *what = NULL, *v;
        if (w.what->op != IRL_OP_FLOORMOD || w.what == q->what) continue;
        both = irl__sum_begin(an, q->what->type);
        if (irl__sum_add_term(an, &both, w.what, e) && irl__sum_add_term(an, &both, q->what, 1) && irl__sum_merge(an, &both) &&
            both.count == 1 && an->terms[both.first].atom->op == IRL_OP_FLOORMOD)
            what = irl__sum_emit(an, &both);
        irl__sum_end(an, &both);
        v = what ? irl__solve_linear(an, w.value, e, q->value, 1, 0) : NULL;
        if (v) learned |= irl__solve_learn(s, what, v);
    }
    return learned;
}

/* The coefficients of u times f modulo e, each by the residue nearest to 0, as an expression; NULL if nothing changes. */
static const irl_expr *irl__solve_times(irl__analyzer *an, const irl__sum *u, int64_t f, int64_t e, int64_t *width, int64_t *lo)
{
    irl__sum        s = irl__sum_begin(an, u->type);
    const irl_expr *what = NULL;
    int             k, ok = 1;
    for (k = 0; ok && k < u->count; k++) {
        int64_t c;
        ok = irl__mul64(an->terms[u->first + k].coef, f, &c) && irl__floormod64(c, e, &c);
        if (ok && c > e / 2) c -= e;
        ok = ok && irl__sum_add_term(an, &s, an->terms[u->first + k].atom, c);
    }
    irl__sum_compact(an, &s);
    if (ok && s.count) {
        irl__interval r = irl__sum_range(an, &s);
        *lo = r.lo;
        if (!irl__solve_width(r, width)) *width = INT64_MAX;
        what = irl__sum_emit(an, &s);
    }
    irl__sum_end(an, &s);
    return what;
}

/* u % e = v % e, u wider than e: times a number that has a reciprocal it may fit the window, or lose its coefficient. */
static int irl__solve_congruence(irl__solution *s, irl__equation *q, const irl__sum *u, const irl_expr *v, int had_known)
{
    irl__analyzer  *an = s->an;
    int64_t         e = q->what->a[1]->u.i, f, width = 0, lo = 0;
    const irl_expr *what, *value;
    int             k, learned = 0;
    for (k = 0; k < u->count; k++) {
        f = irl__solve_reciprocal(an->terms[u->first + k].coef, e);
        if (f == 0) continue;
        what = irl__solve_times(an, u, f, e, &width, &lo);
        value = what ? irl__solve_linear(an, v, f, NULL, 0, 0) : NULL;
        if (!value) continue;
        if (width <= e && lo != INT64_MIN) {
            value = irl__solve_divmod(an, IRL_OP_FLOORMOD, value, -lo, e);
            if (value) value = irl__solve_linear(an, value, 1, NULL, 0, lo);
            q->done = value != NULL;
            return value ? irl__solve_learn(s, what, value) : 0;
        }
        if (u->count == 1 && (an->terms[u->first].coef != 1 || had_known)) {
            value = irl__solve_divmod(an, IRL_OP_FLOORMOD, value, 0, e);
            if (value) learned |= irl__solve_learn(s, irl__make2(an, IRL_OP_FLOORMOD, what, q->what->a[1]), value);
        }
    }
    if (!learned && had_known) { /* (u + k) % e = V: u % e = (V - k) % e */
        irl__sum copy = irl__sum_begin(an, u->type);
        what = irl__sum_add_sum(an, &copy, u, 1) ? irl__sum_floormod(an, &copy, e) : NULL;
        irl__sum_end(an, &copy);
        value = irl__solve_divmod(an, IRL_OP_FLOORMOD, v, 0, e);
        if (what && value) learned = irl__solve_learn(s, what, value);
    }
    return learned;
}

/* m % e = V */
static int irl__solve_floormod(irl__solution *s, irl__equation *q)
{
    irl__analyzer  *an = s->an;
    const irl_expr *m = q->what->a[0], *quotient, *known, *v, *what;
    int64_t         e = q->what->a[1]->u.i, width;
    irl__sum        u;
    irl__interval   r;
    int             learned = 0;
    quotient = irl__solve_expr_divmod(s, IRL_OP_FLOORDIV, m, e);
    quotient = quotient ? irl__solve_value(s, quotient) : NULL;
    if (quotient) {
        v = irl__solve_linear(an, quotient, e, q->value, 1, 0);
        q->done = 1;
        return v ? irl__solve_learn(s, m, v) : 0;
    }
    if (irl__solve_parts_modulo(s, m, e, &u, &known) && u.count > 0) {
        r = irl__sum_range(an, &u);
        v = irl__solve_linear(an, q->value, 1, known, -1, 0);
        what = irl__sum_emit(an, &u);
        if (v && what && irl__solve_width(r, &width) && width <= e) {
            v = irl__solve_divmod(an, IRL_OP_FLOORMOD, v, -r.lo, e);
            if (v) v = irl__solve_linear(an, v, 1, NULL, 0, r.lo);
            if (v) learned = irl__solve_learn(s, what, v);
            q->done = 1;
        } else if (v) learned = irl__solve_congruence(s, q, &u, v, !irl__is_int(known, 0));
    }
    irl__sum_end(an, &u);
    if (learned || q->done) return learned;
    what = irl__solve_undivided(s, m, 1, &width, &v);
    if (what && irl__mul64(e, width, &e)) { /* d*(m % e) = (d*m) % (d*e) */
        v = irl__solve_linear(an, q->value, width, v, 1, 0);
        v = v ? irl__solve_divmod(an, IRL_OP_FLOORMOD, v, 0, e) : NULL;
        what = irl__solve_divmod(an, IRL_OP_FLOORMOD, what, 0, e);
        if (v && what) learned = irl__solve_learn(s, what, v);
    }
    return learned ? learned : irl__solve_adjacent(s, q);
}

/* m / e = V */
static int irl__solve_floordiv(irl__solution *s, irl__equation *q)
{
    irl__analyzer  *an = s->an;
    const irl_expr *m = q->what->a[0], *rest, *known, *v, *atom;
    int64_t         e = q->what->a[1]->u.i, width, c, shift;
    irl__sum        u, w;
    irl__interval   r;
    int             learned = 0;
    rest = irl__solve_expr_divmod(s, IRL_OP_FLOORMOD, m, e);
    rest = rest ? irl__solve_value(s, rest) : NULL;
    if (rest) {
        v = irl__solve_linear(an, q->value, e, rest, 1, 0);
        q->done = 1;
        return v ? irl__solve_learn(s, m, v) : 0;
    }
    if (irl__solve_parts(s, m, &u, &known) && u.count > 0) {
        irl__solve_sort(an, &u);
        c = an->terms[u.first].coef;
        atom = an->terms[u.first].atom;
        w = u;
        w.first++;
        w.count--;
        r = irl__sum_range(an, &w);
        if (c < 0) r = irl__interval_scale(r, -1);
        if (irl__solve_width(r, &width) && irl__add64(width, e - 1, &width) && width <= (c < 0 ? -c : c) && irl__sub64(e - 1, r.lo, &shift)) {
            /* c > 0: a = (e*V - known + e - 1 - least w) / c.  c < 0, over -a: e*V <= m < e*V + e becomes
               -e*V - e + 1 <= -m <= -e*V, so a' = (-e*V + known - least w') / -c, where w' = -w */
            if (c > 0) v = irl__solve_linear(an, q->value, e, known, -1, shift);
            else v = irl__sub64(0, r.lo, &shift) ? irl__solve_linear(an, q->value, -e, known, 1, shift) : NULL;
            v = v ? irl__solve_divmod(an, IRL_OP_FLOORDIV, v, 0, c < 0 ? -c : c) : NULL;
            if (v) {
                learned = irl__solve_learn(s, atom, v);
                q->done = learned && u.count == 1;
            }
        }
    }
    irl__sum_end(an, &u);
    return learned;
}

static int irl__solve_xor(irl__solution *s, irl__equation *q)
{
    int k;
    for (k = 0; k < 2; k++) {
        const irl_expr *known = irl__solve_value(s, q->what->a[k]);
        if (!known) continue;
        q->done = 1;
        return irl__solve_learn(s, q->what->a[1 - k], irl__make2(s->an, IRL_OP_BITXOR, q->value, known));
    }
    return 0;
}

/* min(a, b) = V and max(a, b) = W: a + b = V + W. */
static int irl__solve_minmax(irl__solution *s, const irl__equation *q)
{
    const irl_expr      *other = irl__make2(s->an, q->what->op == IRL_OP_MIN ? IRL_OP_MAX : IRL_OP_MIN, q->what->a[0], q->what->a[1]), *turned;
    const irl__equation *w = other ? irl__solve_find(s, other) : NULL;
    turned = irl__make2(s->an, q->what->op == IRL_OP_MIN ? IRL_OP_MAX : IRL_OP_MIN, q->what->a[1], q->what->a[0]);
    if (!w && turned) w = irl__solve_find(s, turned);
    if (!w) return 0;
    other = irl__solve_linear(s->an, q->value, 1, w->value, 1, 0);
    return other ? irl__solve_learn(s, irl__make2(s->an, IRL_OP_ADD, q->what->a[0], q->what->a[1]), other) : 0;
}

/* The range of one arm where its condition holds. */
static irl__interval irl__solve_arm_range(irl__solution *s, const irl_expr *choice, int arm)
{
    const irl_expr *c = choice->a[0];
    int             mark = irl__facts_mark(s->an);
    irl__interval   r = irl__interval_any();
    irl__sum        u = irl__sum_begin(s->an, choice->type);
    if (arm == 2) c = irl__make1(s->an, IRL_OP_NOT, c);
    if (c && irl__fact(s->an, c) && irl__sum_add(s->an, &u, choice->a[arm], 1) && irl__sum_merge(s->an, &u)) r = irl__sum_range_known(s->an, &u);
    irl__sum_end(s->an, &u);
    irl__facts_release(s->an, mark);
    return r;
}

/* Notes every part of a condition that has one value left while it holds. */
static void irl__solve_note_points(irl__solution *s, const irl_expr *e, int depth)
{
    irl__interval r;
    uint32_t      k;
    if (e->op == IRL_OP_INT || depth > 8) return;
    if (irl__type_is_index(e->type)) {
        r = irl__range_of(s->an, e);
        if (r.lo == r.hi) (void)irl__solve_note(s, e, irl_int(s->an->cx, e->type, r.lo));
    }
    for (k = 0; k < e->count; k++) irl__solve_note_points(s, e->a[k], depth + 1);
}

/* Which arm it was, from the value: known directly, or because the arms do not meet. */
static const irl_expr *irl__solve_condition(irl__solution *s, const irl__equation *q)
{
    const irl_expr *c = irl__solve_value(s, q->what->a[0]);
    irl__interval   a, b;
    if (c || !irl__type_is_index(q->what->type)) return c;
    a = irl__solve_arm_range(s, q->what, 1);
    b = irl__solve_arm_range(s, q->what, 2);
    if (a.hi < b.lo) return irl__simplify_node(s->an, irl__make2(s->an, IRL_OP_LT, q->value, irl_idx(s->an->cx, b.lo)));
    if (b.hi < a.lo) return irl__simplify_node(s->an, irl__make2(s->an, IRL_OP_GE, q->value, irl_idx(s->an->cx, a.lo)));
    return NULL;
}

static void irl__solve_run(irl__solution *s);

/* What follows from arm == value under the condition, beside what is known anyway: a list of its own. */
static int irl__solve_arm(irl__solution *s, const irl__equation *q, int arm, irl__solution *out)
{
    const irl_expr *c = q->what->a[0];
    int             mark = irl__facts_mark(s->an), k;
    *out = *s;
    out->depth++;
    out->equations = (irl__equation *)irl__alloc_array(s->an->cx, (size_t)s->count + 25, sizeof *out->equations);
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
        if (r.lo == r.hi) (void)irl__solve_note(out, s->unknowns[k], irl_int(s->an->cx, s->unknowns[k]->type, r.lo));
    }
    irl__solve_note_points(out, q->what->a[0], 0);
    irl__solve_run(out);
    irl__facts_release(s->an, mark);
    return irl__ok(s->an->cx);
}

/* select(c, a, b) = V with c known: what follows from a = V and from b = V alike follows, by the same choice. */
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
        learned |= irl__solve_learn(s, a.equations[k].what, irl__simplify_node(s->an, irl__expr_op(s->an->cx, IRL_OP_SELECT, 3, arm, irl__nowhere())));
    }
    return learned;
}

/* ------------------------------------------------------------------ the loop */

static int irl__solve_step(irl__solution *s, int at)
{
    irl__equation *q = &s->equations[at];
    const irl_expr *e = q->what;
    int             learned = 0, positive = e->count == 2 && e->a[1]->op == IRL_OP_INT && e->a[1]->u.i > 0;
    switch (e->op) {
    case IRL_OP_VAR: q->done = 1; return 0;
    case IRL_OP_FLOORMOD: case IRL_OP_FLOORDIV: {
        irl__equation copy = *q; /* learning may move the list */
        if (!positive) learned = irl__solve_symbolic_divmod(s, &copy);
        else learned = e->op == IRL_OP_FLOORMOD ? irl__solve_floormod(s, &copy) : irl__solve_floordiv(s, &copy);
        s->equations[at].done = copy.done;
        return learned;
    }
    case IRL_OP_MIN: case IRL_OP_MAX: {
        irl__equation copy = *q;
        return irl__solve_minmax(s, &copy);
    }
    case IRL_OP_BITXOR: case IRL_OP_SELECT: case IRL_OP_IF_THEN_ELSE: {
        irl__equation copy = *q;
        learned = e->op == IRL_OP_BITXOR ? irl__solve_xor(s, &copy) : irl__solve_choice(s, &copy);
        s->equations[at].done = copy.done;
        return learned;
    }
    case IRL_OP_ADD: case IRL_OP_SUB: case IRL_OP_MUL: case IRL_OP_NEG: return irl__solve_sum(s, at);
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
        out[k] = q ? q->value : r.lo == r.hi ? irl_int(s->an->cx, s->unknowns[k]->type, r.lo) : NULL;
        found += out[k] != NULL;
    }
    return found;
}
