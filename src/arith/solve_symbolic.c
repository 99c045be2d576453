/* solve_symbolic.c - equations with extents that have names.

   needs     solve_known.c; order.c for what lies within an extent
   promises  what solve.c promises; r, n and lo are made of parameters

     named extents    u = V, u - lo = r*a + b, 0 <= b < r         a = (V - lo) / r,  b = (V - lo) %
                      r
     named factor     a*n = V, n >= 1                             a = V / n
     named rest       m % n = V, m / n known, and the other way   m = n*(m/n) + m%n
     named window     (u + k) % n = V, lo <= u < lo + n           u = (V - k - lo)%n + lo     n > 0
     named modulus    (u + k) % n = V                             u % n = (V - k)%n
     named adjacent   m % n = V, (m / n + j) % f = W              (m + j*n) % (n*f) = n*W + V */
#include "solve.h"

/* A product atom as what is unknown of it times a parameter; both NULL for 1. */
static int irl__solve_radix(irl__solution *s, const irl_expr *atom, const irl_expr **unknown,
                            const irl_expr **parameter)
{
    const irl_expr *e = atom;
    *unknown = *parameter = NULL;
    for (;; e = e->a[0]) {
        const irl_expr  *f = e->op == IRL_OP_MUL ? e->a[1] : e;
        const irl_expr **side = irl__solve_value(s, f) == f ? parameter : unknown;
        *side = *side ? irl__product_of(s->an, f, *side) : f;
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
    ok = irl__sum_add_done(an, &s, limit, 1) && irl__sum_add_done(an, &s, e, -1) &&
         irl__sum_nonnegative(an, &s);
    irl__sum_end(an, &s);
    return ok;
}

/* What all terms with the same unknown part as term `at` are multiplied by: a polynomial in the
   parameters. */
static const irl_expr *irl__solve_radix_of(irl__solution *s, const irl__sum *u, int at)
{
    irl__analyzer  *an = s->an;
    const irl_expr *mine, *theirs, *parameter, *e = NULL;
    irl__sum        r;
    int k, ok = irl__solve_radix(s, an->terms[u->first + at].atom, &mine, &parameter) && mine,
           named = parameter != NULL;
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

/* whole = v, nothing of it below 0: what is divided by the radix without rest leads, the rest lies
   in [0, radix). */
static int irl__solve_cut(irl__solution *s, const irl_expr *whole, const irl_expr *v,
                          const irl_expr *radix)
{
    irl__analyzer  *an = s->an;
    const irl_expr *high,
        *low = irl__simplify_node(an, irl__make2(an, IRL_OP_FLOORMOD, whole, radix));
    int             learned;
    high = low ? irl__simplify_node(an, irl__make2(an, IRL_OP_FLOORDIV, whole, radix)) : NULL;
    if (!high || irl__solve_is_divided(high, radix) || !irl__solve_within(an, low, radix)) return 0;
    learned = irl__solve_learn(s, high, irl__make2(an, IRL_OP_FLOORDIV, v, radix));
    return learned | irl__solve_learn(s, low, irl__make2(an, IRL_OP_FLOORMOD, v, radix));
}

/* u = v, cut by the radix of one of its terms. The least value of u is made of parameters, so that
   u - least = v - least is known as well; where it is a number below 0, or i*n stands in it with a
   minus, only that has digits. */
int irl__solve_symbolic_digits(irl__solution *s, const irl__sum *u, const irl_expr *v)
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
        if (radix && irl__range_of(an, radix).hi < 0)
            radix = irl__simplify_node(an, irl__make1(an, IRL_OP_NEG, radix));
        if (radix && irl__range_of(an, radix).lo >= 1) learned = irl__solve_cut(s, whole, v, radix);
    }
    return learned;
}

/* unknown * parameter = v, parameter >= 1. */
int irl__solve_symbolic_factor(irl__solution *s, const irl_expr *atom, const irl_expr *v)
{
    const irl_expr *unknown, *parameter;
    if (atom->op != IRL_OP_MUL || !irl__solve_radix(s, atom, &unknown, &parameter) || !unknown ||
        !parameter)
        return 0;
    if (irl__range_of(s->an, parameter).lo < 1) return 0;
    return irl__solve_learn(s, unknown, irl__make2(s->an, IRL_OP_FLOORDIV, v, parameter));
}

/* (u + k) % n = V with lo <= u < lo + n: u = (V - k - lo) % n + lo; of a wider u only u % n = (V -
   k) % n. */
static int irl__solve_symbolic_window(irl__solution *s, irl__equation *q, const irl_expr *u,
                                      const irl_expr *known)
{
    irl__analyzer  *an = s->an;
    const irl_expr *n = q->what->a[1], *least = irl__symbolic_bound(an, u, -1), *v;
    v = irl__make2(an, IRL_OP_SUB, q->value, known);
    if (least && v &&
        irl__solve_within(an, irl__simplify_node(an, irl__make2(an, IRL_OP_SUB, u, least)), n)) {
        v = irl__make2(an, IRL_OP_FLOORMOD, irl__make2(an, IRL_OP_SUB, v, least), n);
        q->done = 1;
        return v ? irl__solve_learn(s, u, irl__make2(an, IRL_OP_ADD, v, least)) : 0;
    }
    if (!v || irl__is_int(known, 0)) return 0;
    return irl__solve_learn(s, irl__make2(an, IRL_OP_FLOORMOD, u, n),
                            irl__make2(an, IRL_OP_FLOORMOD, v, n));
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
        both = irl__simplify_node(
            an, irl__make2(an, IRL_OP_ADD, irl__make2(an, IRL_OP_MUL, w.what, n), q->what));
        if (!both || both->op != IRL_OP_FLOORMOD) continue;
        v = irl__make2(an, IRL_OP_ADD, irl__make2(an, IRL_OP_MUL, w.value, n), q->value);
        if (v) learned |= irl__solve_learn(s, both, v);
    }
    return learned;
}

/* m % n = V or m / n = V for a parameter n >= 1. */
int irl__solve_symbolic_divmod(irl__solution *s, irl__equation *q)
{
    irl__analyzer  *an = s->an;
    const irl_expr *m = q->what->a[0], *n = irl__solve_value(s, q->what->a[1]), *other, *known,
                   *what, *v;
    int             is_mod = q->what->op == IRL_OP_FLOORMOD, learned = 0;
    irl__sum        u;
    if (!n || n != q->what->a[1] || irl__range_of(an, n).lo < 1) return 0;
    other =
        irl__simplify_node(an, irl__make2(an, is_mod ? IRL_OP_FLOORDIV : IRL_OP_FLOORMOD, m, n));
    other = other ? irl__solve_value(s, other) : NULL;
    if (other) { /* m = n*(m/n) + m%n */
        q->done = 1;
        v = irl__make2(an, IRL_OP_MUL, is_mod ? other : q->value, n);
        return v ? irl__solve_learn(s, m, irl__make2(an, IRL_OP_ADD, v, is_mod ? q->value : other))
                 : 0;
    }
    if (!is_mod) return 0;
    if (irl__solve_parts(s, m, &u, &known) && u.count > 0 && (what = irl__sum_emit(an, &u)) != NULL)
        learned = irl__solve_symbolic_window(s, q, what, known);
    irl__sum_end(an, &u);
    return learned ? learned : irl__solve_symbolic_adjacent(s, q);
}
