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
     congruence      (c*a + k) % e = V, c*d = 1 modulo e         a % e = d*(V - k) % e
     adjacent        m % e = V, (m / e + j) % f = W              (m + j*e) % (e*f) = e*W + V
     rest known      m / e = V, m % e known                      m = e*V + m%e
     long stride     (c*a + w + k) / e = V, range of w < c - e   a = (e*V - k + e - 1 - least w) / c
     exclusive or    (a ^ k) = V, k known                        a = V ^ k
     choice          select(c, s*a + k, t*a + l) = V, c known    a = select(c, (V - k)/s, (V - l)/t)   with s, t = 1 or -1      */
#include "engine.h"

enum { IRL__SOLVE_VALUE_LIMIT = 4096 };

int irl__solve_begin(irl__solution *s, irl__analyzer *an, int unknown_count, const irl_expr *const *unknowns)
{
    memset(s, 0, sizeof *s);
    s->an = an;
    s->unknown_count = unknown_count;
    s->unknowns = unknowns;
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

/* True if it was new. */
static int irl__solve_learn(irl__solution *s, const irl_expr *what, const irl_expr *value)
{
    irl__equation *grown;
    what = irl__simplify_node(s->an, what);
    value = irl__simplify_node(s->an, value);
    if (!what || !value || what->op == IRL_OP_INT || s->count >= IRL__MOST_EQUATIONS || irl__solve_find(s, what)) return 0;
    if (s->count >= 24 && s->count % 24 == 0) { /* in the arena: the caller may have opened an inner stretch */
        grown = (irl__equation *)irl__alloc_array(s->an->cx, (size_t)s->count + 24, sizeof *grown);
        if (!grown) return 0;
        memcpy(grown, s->equations, (size_t)s->count * sizeof *grown);
        s->equations = grown;
    }
    s->equations[s->count].what = what;
    s->equations[s->count].value = value;
    s->equations[s->count].done = 0;
    s->count++;
    return 1;
}

int irl__solve_add(irl__solution *s, const irl_expr *what, const irl_expr *value)
{
    (void)irl__solve_learn(s, what, value);
    return irl__ok(s->an->cx);
}

/* ------------------------------------------------------------------ what is known */

static const irl_expr *irl__solve_sum_value(irl__solution *s, const irl_expr *e);

/* e in terms of the given values, NULL if it does not follow directly. */
static const irl_expr *irl__solve_value(irl__solution *s, const irl_expr *e)
{
    const irl_expr      *operands[3];
    const irl__equation *q;
    uint32_t             k;
    if (e->op == IRL_OP_INT) return e;
    q = irl__solve_find(s, e);
    if (q) return q->value;
    if (e->op == IRL_OP_VAR || e->count == 0 || e->count > 3 || e->size > IRL__SOLVE_VALUE_LIMIT || (e->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)))
        return NULL;
    /* (a product of variables is a term of its own sum: it goes by its factors) */
    if (e->op == IRL_OP_ADD || e->op == IRL_OP_SUB || e->op == IRL_OP_NEG ||
        (e->op == IRL_OP_MUL && (e->a[0]->op == IRL_OP_INT || e->a[1]->op == IRL_OP_INT)))
        return irl__solve_sum_value(s, e);
    for (k = 0; k < e->count; k++) {
        operands[k] = irl__solve_value(s, e->a[k]);
        if (!operands[k]) return NULL;
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

/* u = v, two or more terms: cut where the rest is narrower than the common divisor of what leads. */
static int irl__solve_digits(irl__solution *s, irl__sum *u, const irl_expr *v)
{
    irl__analyzer *an = s->an;
    int64_t        g = 0, width;
    int            p;
    irl__solve_sort(an, u);
    if (an->terms[u->first].coef < 0) {
        if (!irl__sum_scale(an, u, -1)) return 0;
        v = irl__solve_linear(an, v, -1, NULL, 0, 0);
        if (!v) return 0;
    }
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

/* An equation whose left side is a sum, or an atom that is known by now. */
static int irl__solve_sum(irl__solution *s, int at)
{
    irl__equation   q = s->equations[at];
    irl__analyzer  *an = s->an;
    irl__sum        u;
    const irl_expr *known, *v, *atom;
    int64_t         c;
    int             learned = 0;
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
        } else if (v) {
            learned = irl__solve_digits(s, &u, v);
            if (learned) s->equations[at].done = 1;
        }
    }
    irl__sum_end(an, &u);
    return learned;
}

/* ------------------------------------------------------------------ atoms */

static const irl_expr *irl__solve_expr_divmod(irl__solution *s, irl_op op, const irl_expr *m, int64_t e)
{
    return irl__solve_divmod(s->an, op, m, 0, e);
}

/* The value of atom modulo e, where some remainder of it is known: a % m with e a divisor of m. NULL if none. */
static const irl_expr *irl__solve_value_modulo(irl__solution *s, const irl_expr *atom, int64_t e)
{
    int k;
    for (k = 0; k < s->count; k++) {
        const irl_expr *w = s->equations[k].what;
        if (w->op == IRL_OP_FLOORMOD && w->a[0] == atom && w->a[1]->op == IRL_OP_INT && w->a[1]->u.i % e == 0) return s->equations[k].value;
    }
    return NULL;
}

/* What of m is known modulo e goes to *known, as irl__solve_parts does it for what is known altogether. */
static int irl__solve_parts_modulo(irl__solution *s, const irl_expr *m, int64_t e, irl__sum *u, const irl_expr **known)
{
    int i;
    if (!irl__solve_parts(s, m, u, known)) return 0;
    if (u->count < 2) return 1;
    for (i = 0; i < u->count && *known; i++) {
        irl__term       t = s->an->terms[u->first + i];
        const irl_expr *v = irl__solve_value_modulo(s, t.atom, e);
        if (!v) continue;
        *known = irl__solve_linear(s->an, *known, 1, v, t.coef, 0);
        s->an->terms[u->first + i].coef = 0;
    }
    irl__sum_compact(s->an, u);
    return *known != NULL;
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

/* m % e = V */
static int irl__solve_floormod(irl__solution *s, irl__equation *q)
{
    irl__analyzer  *an = s->an;
    const irl_expr *m = q->what->a[0], *quotient, *known, *v, *what;
    int64_t         e = q->what->a[1]->u.i, width, reciprocal;
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
        } else if (v && u.count == 1 && (an->terms[u.first].coef != 1 || !irl__is_int(known, 0)) && (reciprocal = irl__solve_reciprocal(an->terms[u.first].coef, e)) != 0) {
            /* (c*a + k) % e = V: a % e = (V - k)/c modulo e */
            v = irl__solve_linear(an, v, reciprocal, NULL, 0, 0);
            if (v) v = irl__solve_divmod(an, IRL_OP_FLOORMOD, v, 0, e);
            if (v) learned = irl__solve_learn(s, irl__make2(an, IRL_OP_FLOORMOD, an->terms[u.first].atom, q->what->a[1]), v);
        }
    }
    irl__sum_end(an, &u);
    return learned || q->done ? learned : irl__solve_adjacent(s, q);
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

/* The one unknown atom of e with coefficient 1 or -1, and e without it. */
static int irl__solve_unit(irl__solution *s, const irl_expr *e, const irl_expr **atom, int64_t *coef, const irl_expr **known)
{
    irl__sum u;
    int      ok = irl__solve_parts(s, e, &u, known) && u.count == 1;
    if (ok) {
        *atom = s->an->terms[u.first].atom;
        *coef = s->an->terms[u.first].coef;
        ok = *coef == 1 || *coef == -1;
    }
    irl__sum_end(s->an, &u);
    return ok;
}

static int irl__solve_choice(irl__solution *s, irl__equation *q)
{
    const irl_expr *c = irl__solve_value(s, q->what->a[0]), *atom[2], *known[2], *arm[3];
    int64_t         coef[2];
    int             k;
    if (!c) return 0;
    for (k = 0; k < 2; k++)
        if (!irl__solve_unit(s, q->what->a[k + 1], &atom[k], &coef[k], &known[k])) return 0;
    if (atom[0] != atom[1]) return 0;
    arm[0] = c;
    for (k = 0; k < 2; k++) {
        arm[k + 1] = irl__solve_linear(s->an, q->value, coef[k], known[k], -coef[k], 0);
        if (!arm[k + 1]) return 0;
    }
    q->done = 1;
    return irl__solve_learn(s, atom[0], irl__make_with(s->an, q->what, arm));
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
        if (!positive) return 0;
        learned = e->op == IRL_OP_FLOORMOD ? irl__solve_floormod(s, &copy) : irl__solve_floordiv(s, &copy);
        s->equations[at].done = copy.done;
        return learned;
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

int irl__solve(irl__solution *s, const irl_expr **out)
{
    int k, learned = 1, found = 0;
    while (learned && irl__ok(s->an->cx)) {
        learned = 0;
        for (k = 0; k < s->count; k++)
            if (!s->equations[k].done) learned |= irl__solve_step(s, k);
    }
    if (!irl__ok(s->an->cx)) return -1;
    for (k = 0; k < s->unknown_count; k++) {
        irl__interval        r = irl__range_of(s->an, s->unknowns[k]);
        const irl__equation *q = irl__solve_find(s, s->unknowns[k]);
        out[k] = q ? q->value : r.lo == r.hi ? irl_int(s->an->cx, s->unknowns[k]->type, r.lo) : NULL;
        found += out[k] != NULL;
    }
    return found;
}
