/* sum_expr.c - expressions read as sums, and sums written as expressions, as short as they get.

   needs     sum.c, product.c
   promises  the sum equals the expression, and the expression that is written is read back as the
             same sum. Read: a product of two short sums is multiplied out; a constant in a dividend
             is reduced modulo the divisor, so that (x + 5)/2 and (x - 3)/2 become alike. Written:

     constant inside  (x + a)/c + k = (x + (a + c*k))/c     where a constant stands in the division
                      already
     common factor    n*h*w + i*w + j = (n*h + i)*w + j
     common scale     g*x + g*y = (x + y)*g                 where two terms lose their
                      multiplication
     moving in        x + min(y - x, z) = min(y, x + z)     where that is shorter; with max alike
                      x - min(x + y, z) = max(-y, x - z)
     order            larger scales first, subtracted terms after added ones, the constant
                      last

   Both are one file because each needs the other: parts of what is read become atoms, and a
   constant moves into a division or a minimum whose operands are sums. */
#include "engine.h"

/* ------------------------------------------------------------------ reading */

int irl__affine_read(const irl__affine_reader *r, const irl_expr *e, int64_t scale,
                     const irl_expr *factor)
{
    int64_t product;
    int     k;
    const int is_sum = e->op == IRL_OP_ADD || e->op == IRL_OP_SUB || e->op == IRL_OP_NEG;
    if (e->op == IRL_OP_INT ||
        (r->is_fixed && (!is_sum || r->keeps_sums) && r->is_fixed(r->user, e)))
        return r->term(r->user, e, scale, factor, 1);
    switch (e->op) {
    case IRL_OP_ADD:
        return irl__affine_read(r, e->a[0], scale, factor) &&
               irl__affine_read(r, e->a[1], scale, factor);
    case IRL_OP_SUB:
        return scale > INT64_MIN && irl__affine_read(r, e->a[0], scale, factor) &&
               irl__affine_read(r, e->a[1], -scale, factor);
    case IRL_OP_NEG: return scale > INT64_MIN && irl__affine_read(r, e->a[0], -scale, factor);
    case IRL_OP_MUL:
        for (k = 1; k >= 0; k--)
            if (e->a[k]->op == IRL_OP_INT)
                return irl__mul64(scale, e->a[k]->u.i, &product) &&
                       irl__affine_read(r, e->a[1 - k], product, factor);
        for (k = 1; r->is_fixed && k >= 0; k--)
            if (r->is_fixed(r->user, e->a[k])) {
                factor = factor ? irl__mul(r->cx, factor, e->a[k]) : e->a[k];
                return factor && irl__affine_read(r, e->a[1 - k], scale, factor);
            }
        break;
    default: break;
    }
    return r->term(r->user, e, scale, factor, 0);
}

enum { IRL__EXPAND_LIMIT = 16 }; /* terms of a product that is multiplied out */

static int irl__sum_is_linear(irl_op op)
{
    return op == IRL_OP_INT || op == IRL_OP_ADD || op == IRL_OP_SUB || op == IRL_OP_NEG ||
           op == IRL_OP_MUL;
}

/* s += scale * a * b, multiplied out. a and b lie below s on the stack. */
static int irl__sum_add_expanded(irl__analyzer *an, irl__sum *s, const irl__sum *a,
                                 const irl__sum *b, int64_t scale)
{
    int64_t c;
    if (!irl__mul64(a->constant, b->constant, &c) || !irl__mul64(c, scale, &c) ||
        !irl__add64(s->constant, c, &s->constant))
        return 0;
    for (int i = -1; i < a->count; i++)
        for (int k = -1; k < b->count; k++) {
            const irl_expr *x = i < 0 ? NULL : an->terms[a->first + i].atom,
                           *y = k < 0 ? NULL : an->terms[b->first + k].atom;
            const irl_expr *atom = x && y ? irl__product_of(an, x, y) : x ? x : y;
            if (!x && !y) continue;
            if (!atom ||
                !irl__mul64(i < 0 ? a->constant : an->terms[a->first + i].coef,
                            k < 0 ? b->constant : an->terms[b->first + k].coef, &c) ||
                !irl__mul64(c, scale, &c))
                return 0;
            if (!irl__sum_add_term(an, s, atom, c)) return 0;
        }
    return 1;
}

/* s += scale * x * y, where neither is a constant. The parts stand above s while they are made, so
   the result is built above them and moved down. */
int irl__sum_add_product(irl__analyzer *an, irl__sum *s, const irl_expr *x, const irl_expr *y,
                         int64_t scale, irl__sum_reader *read)
{
    if (((x->op == IRL_OP_MIN && y->op == IRL_OP_MAX) ||
         (x->op == IRL_OP_MAX && y->op == IRL_OP_MIN)) &&
        irl__same_leaves(x, y)) { /* min(a, b)*max(a, b) = a*b */
        y = x->a[1];
        x = x->a[0];
    }
    irl__sum a = irl__sum_begin(an, s->type);
    int      ok = read(an, &a, x, 1);
    irl__sum_compact(an, &a);
    irl__sum b = irl__sum_begin(an, s->type);
    ok = ok && read(an, &b, y, 1);
    irl__sum_compact(an, &b);
    irl__sum r = irl__sum_begin(an, s->type);
    if (ok) {
        if (a.count == 0)
            ok = irl__mul64(scale, a.constant, &scale) && irl__sum_add_sum(an, &r, &b, scale);
        else if (b.count == 0)
            ok = irl__mul64(scale, b.constant, &scale) && irl__sum_add_sum(an, &r, &a, scale);
        else if ((a.count + 1) * (b.count + 1) <= IRL__EXPAND_LIMIT)
            ok = irl__sum_add_expanded(an, &r, &a, &b, scale);
        else {
            const irl_expr *ea = irl__sum_emit(an, &a), *eb = irl__sum_emit(an, &b), *e = NULL;
            if (ea && eb) e = irl__product_of(an, ea, eb);
            ok = e && irl__sum_add_term(an, &r, e, scale);
        }
    }
    ok = ok && irl__add64(s->constant, r.constant, &s->constant);
    int first = r.first;
    an->term_count = a.first; /* the terms of r stay readable above */
    for (int k = 0; ok && k < r.count; k++) {
        irl__term t = an->terms[first + k];
        ok = irl__sum_add_term(an, s, t.atom, t.coef);
    }
    return ok;
}

/* (r + k)/c with k outside [0, c) is (r + k%c)/c + k/c: so that (x + 5)/2 and (x - 3)/2 meet.
   Emitting moves k back in. */
static int irl__sum_add_division(irl__analyzer *an, irl__sum *s, const irl_expr *e, int64_t scale)
{
    const irl_expr *a = e->a[0];
    int64_t         q, m;
    if (e->a[1]->op != IRL_OP_INT || (a->op != IRL_OP_ADD && a->op != IRL_OP_SUB) ||
        a->a[1]->op != IRL_OP_INT || !irl__is_exact(an, a))
        return irl__sum_add_term(an, s, e, scale);
    int64_t c = e->a[1]->u.i;
    int64_t k = a->a[1]->u.i;
    if (a->op == IRL_OP_SUB && !irl__sub64(0, k, &k)) return irl__sum_add_term(an, s, e, scale);
    if (c <= 0 || (k >= 0 && k < c) || !irl__floordiv64(k, c, &q) || !irl__floormod64(k, c, &m))
        return irl__sum_add_term(an, s, e, scale);
    irl__sum r = irl__sum_begin(an, e->type);
    int      ok = irl__sum_add_done(an, &r, a->a[0], 1) && irl__add64(r.constant, m, &r.constant);
    const irl_expr *atom = ok ? irl__sum_emit(an, &r) : NULL;
    irl__sum_end(an, &r);
    atom = atom ? irl__make2(an, IRL_OP_FLOORDIV, atom, e->a[1]) : NULL;
    if (!atom && irl__ok(an->cx) && !an->too_big) return irl__sum_add_term(an, s, e, scale);
    return atom && irl__mul64(q, scale, &q) && irl__add64(s->constant, q, &s->constant) &&
           irl__sum_add_term(an, s, atom, scale);
}

/* A product of atoms, as the rules write it, in order: a term of a sum as it stands. */
static int irl__sum_is_product(const irl_expr *e)
{
    for (; e->op == IRL_OP_MUL; e = e->a[0]) {
        const irl_expr *before = e->a[0]->op == IRL_OP_MUL ? e->a[0]->a[1] : e->a[0];
        if (irl__sum_is_linear((irl_op)e->a[1]->op)) return 0;
        if (irl__factor_compare(e->a[1], before) < 0) return 0;
    }
    return !irl__sum_is_linear((irl_op)e->op);
}

typedef struct irl__sum_reading {
    irl__analyzer   *an;
    irl__sum        *s;
    irl__sum_reader *read;
} irl__sum_reading;

static int irl__sum_add_read(void *user, const irl_expr *e, int64_t scale, const irl_expr *factor,
                             int is_fixed)
{
    const irl__sum_reading *q = (const irl__sum_reading *)user;
    int64_t                 c;
    (void)factor;
    if (!is_fixed) return q->read(q->an, q->s, e, scale);
    return irl__mul64(e->u.i, scale, &c) && irl__add64(q->s->constant, c, &q->s->constant);
}

int irl__sum_add_linear(irl__analyzer *an, irl__sum *s, const irl_expr *e, int64_t scale,
                        irl__sum_reader *read)
{
    irl__sum_reading   q = { an, s, read };
    irl__affine_reader r = { an->cx, &q, NULL, irl__sum_add_read, 0 };
    return irl__affine_read(&r, e, scale, NULL);
}

/* The terms of a sum that is simplified. */
static int irl__sum_add_atom(irl__analyzer *an, irl__sum *s, const irl_expr *e, int64_t scale)
{
    if (e->op == IRL_OP_MUL && !irl__sum_is_product(e))
        return irl__sum_add_product(an, s, e->a[0], e->a[1], scale, irl__sum_add_done);
    return e->op == IRL_OP_FLOORDIV ? irl__sum_add_division(an, s, e, scale)
                                    : irl__sum_add_term(an, s, e, scale);
}

int irl__sum_add_done(irl__analyzer *an, irl__sum *s, const irl_expr *e, int64_t scale)
{
    if (!e) return 0;
    if (irl__sum_is_linear((irl_op)e->op) && !irl__type_is_index(e->type) && !irl__is_exact(an, e))
        return irl__sum_add_term(an, s, e, scale);
    return irl__sum_add_linear(an, s, e, scale, irl__sum_add_atom);
}

/* ------------------------------------------------------------------ writing */

static const irl_expr *irl__emit_scaled(irl__analyzer *an, const irl_expr *atom, int64_t k)
{
    if (k == 1) return atom;
    if (k == -1) return irl__make1(an, IRL_OP_NEG, atom);
    return irl__make2(an, IRL_OP_MUL, atom, irl_expr_int(an->cx, atom->type, k));
}

/* e + k*atom, with e NULL for nothing yet. */
static const irl_expr *irl__emit_plus(irl__analyzer *an, const irl_expr *e, const irl_expr *atom,
                                      int64_t k)
{
    if (!e) return irl__emit_scaled(an, atom, k);
    if (k < 0 && k != INT64_MIN)
        return irl__make2(an, IRL_OP_SUB, e, irl__emit_scaled(an, atom, -k));
    return irl__make2(an, IRL_OP_ADD, e, irl__emit_scaled(an, atom, k));
}

/* Added terms first, then subtracted ones, the constant last; a constant leads where nothing else
   is positive: 3 - j. */
const irl_expr *irl__sum_emit_terms(irl__analyzer *an, const irl__sum *s)
{
    const irl_expr *e = NULL;
    int             positive = 0;
    int64_t         constant = s->constant;
    for (int k = 0; k < s->count; k++) positive += an->terms[s->first + k].coef > 0;
    if (!positive && constant > 0) {
        e = irl_expr_int(an->cx, s->type, constant);
        if (!e) return NULL;
        constant = 0;
    }
    for (int sign = 1; sign >= -1; sign -= 2)
        for (int k = 0; k < s->count; k++) {
            irl__term t = an->terms[s->first + k];
            if ((t.coef > 0) != (sign > 0)) continue;
            e = irl__emit_plus(an, e, t.atom, t.coef);
            if (!e) return NULL;
        }
    const irl_type type = s->type;
    if (!e) return irl_expr_int(an->cx, type, constant);
    if (constant == 0) return e;
    if (constant < 0 && constant != INT64_MIN)
        return irl__make2(an, IRL_OP_SUB, e, irl_expr_int(an->cx, type, -constant));
    return irl__make2(an, IRL_OP_ADD, e, irl_expr_int(an->cx, type, constant));
}

static int irl__emit_has_factor(const irl_expr *atom, const irl_expr *factor)
{
    const irl_expr *f[IRL__FACTOR_LIMIT];
    int             n = 0;
    if (!irl__product_factors(atom, f, &n)) return 0;
    for (int k = 0; k < n; k++)
        if (f[k] == factor) return 1;
    return 0;
}

/* The unknown that most terms have as a factor: at least two, and one of them a product. NULL if
   none. */
static const irl_expr *irl__emit_common_factor(irl__analyzer *an, const irl__sum *s)
{
    const irl_expr *best = NULL, *f[IRL__FACTOR_LIMIT];
    int             best_count = 1;
    for (int i = 0; i < s->count; i++) {
        int n = 0;
        if (an->terms[s->first + i].atom->op != IRL_OP_MUL ||
            !irl__product_factors(an->terms[s->first + i].atom, f, &n))
            continue;
        for (int j = n - 1; j >= 0; j--) {
            int count = 0;
            for (int k = 0; k < s->count; k++)
                count += irl__emit_has_factor(an->terms[s->first + k].atom, f[j]);
            if (count > best_count) {
                best_count = count;
                best = f[j];
            }
        }
    }
    return best;
}

/* atom divided by one factor; NULL for the atom itself (quotient 1). */
static const irl_expr *irl__emit_without_factor(irl__analyzer *an, const irl_expr *atom,
                                                const irl_expr *factor)
{
    const irl_expr *f[IRL__FACTOR_LIMIT];
    int             n = 0, m = 0, left = 1;
    if (!irl__product_factors(atom, f, &n)) return NULL;
    for (int k = 0; k < n; k++)
        if (f[k] != factor || !left) f[m++] = f[k];
        else left = 0;
    return m ? irl__product_make(an, f, m) : NULL;
}

/* x*a + x*b + r is x*(a + b) + r. */
static const irl_expr *irl__emit_factored(irl__analyzer *an, const irl__sum *s,
                                          const irl_expr *factor)
{
    irl__sum        in = irl__sum_begin(an, s->type);
    const irl_expr *e = NULL;
    int             ok = 1;
    for (int k = 0; ok && k < s->count; k++) {
        irl__term       t = an->terms[s->first + k];
        if (!irl__emit_has_factor(t.atom, factor)) continue;
        const irl_expr *rest = irl__emit_without_factor(an, t.atom, factor);
        if (rest) ok = irl__sum_add_term(an, &in, rest, t.coef);
        else if (t.atom == factor) ok = irl__add64(in.constant, t.coef, &in.constant);
        else ok = 0;
    }
    if (ok) e = irl__sum_emit(an, &in);
    irl__sum_end(an, &in);
    if (!e) return NULL;
    e = irl__make2(an, IRL_OP_MUL, e, factor);
    if (!e) return NULL;
    irl__sum out = irl__sum_begin(an, s->type);
    out.constant = s->constant;
    ok = irl__sum_add_term(an, &out, e, 1);
    for (int k = 0; ok && k < s->count; k++) {
        irl__term t = an->terms[s->first + k];
        if (!irl__emit_has_factor(t.atom, factor)) ok = irl__sum_add_term(an, &out, t.atom, t.coef);
    }
    if (ok) e = irl__sum_emit(an, &out);
    irl__sum_end(an, &out);
    return ok ? e : NULL;
}

/* a*g + b*g is (a + b)*g where that is shorter: two or more terms lose their multiplication. */
static int64_t irl__emit_scale_outside(irl__analyzer *an, const irl__sum *s)
{
    int64_t g = s->constant == INT64_MIN ? 1 : irl__sum_gcd(an, s, s->constant);
    int     bare = 0;
    if (g <= 1) return 1;
    for (int k = 0; k < s->count; k++)
        bare += an->terms[s->first + k].coef == g || an->terms[s->first + k].coef == -g;
    return bare >= 2 ? g : 1;
}

/* (r + c)/d + k as (r + c + k*d)/d; NULL where there is no constant c already: r/d + k is as
   short. */
static const irl_expr *irl__emit_constant_inside(irl__analyzer *an, const irl_expr *atom, int64_t k)
{
    int64_t         shift;
    if (atom->op != IRL_OP_FLOORDIV || atom->a[1]->op != IRL_OP_INT) return NULL;
    const irl_expr *a = atom->a[0];
    if ((a->op != IRL_OP_ADD && a->op != IRL_OP_SUB) || a->a[1]->op != IRL_OP_INT) return NULL;
    irl__sum inner = irl__sum_begin(an, atom->type);
    if (irl__mul64(k, atom->a[1]->u.i, &shift) && irl__sum_add_done(an, &inner, a, 1) &&
        irl__add64(inner.constant, shift, &inner.constant))
        a = irl__sum_emit(an, &inner);
    else a = NULL;
    irl__sum_end(an, &inner);
    return a ? irl__make2(an, IRL_OP_FLOORDIV, a, atom->a[1]) : NULL;
}

/* s with its constant moved into a division, as a sum of its own; false if there is no such
   division. */
static int irl__emit_move_constant(irl__analyzer *an, const irl__sum *s, irl__sum *moved)
{
    int i, ok;
    if (s->constant == 0) return 0;
    for (int k = 0; k < s->count; k++) {
        irl__term       t = an->terms[s->first + k];
        const irl_expr *atom =
            t.coef == 1 ? irl__emit_constant_inside(an, t.atom, s->constant) : NULL;
        if (!atom) continue;
        *moved = irl__sum_begin(an, s->type);
        for (i = 0, ok = 1; ok && i < s->count; i++)
            ok = irl__sum_add_term(an, moved, i == k ? atom : an->terms[s->first + i].atom,
                                   an->terms[s->first + i].coef);
        if (!ok) irl__sum_end(an, moved);
        return ok;
    }
    return 0;
}

static const irl_expr *irl__emit_scaled_outside(irl__analyzer *an, const irl__sum *s, int64_t g)
{
    irl__sum        scaled = irl__sum_begin(an, s->type);
    const irl_expr *e = NULL;
    int             ok = 1;
    for (int k = 0; ok && k < s->count; k++)
        ok = irl__sum_add_term(an, &scaled, an->terms[s->first + k].atom,
                               an->terms[s->first + k].coef / g);
    scaled.constant = s->constant / g;
    if (ok) e = irl__sum_emit_terms(an, &scaled);
    irl__sum_end(an, &scaled);
    return e ? irl__emit_scaled(an, e, g) : NULL;
}

/* ------------------------------------------------------------------ into a minimum */

const irl_expr *irl__sum_emit_with(irl__analyzer *an, const irl_expr *e, int64_t k,
                                   const irl__sum *rest)
{
    if (!e) return NULL;
    irl__sum s = irl__sum_begin(an, e->type);
    int      ok = irl__sum_add_done(an, &s, e, k) && irl__sum_add_sum(an, &s, rest, 1);
    if (ok) irl__sum_compact(an, &s);
    e = ok ? irl__sum_emit(an, &s) : NULL;
    irl__sum_end(an, &s);
    return e;
}

/* The sum s with the part t moved into its term `at`, a min or max with coefficient 1 or -1. */
static const irl_expr *irl__absorb_build(irl__analyzer *an, const irl__sum *s, int at,
                                         const irl__sum *t)
{
    irl__term       m = an->terms[s->first + at];
    irl_op          op = m.coef > 0 ? (irl_op)m.atom->op : irl__choice_opposite((irl_op)m.atom->op);
    const irl_expr *a = irl__sum_emit_with(an, m.atom->a[0], m.coef, t),
                   *b = irl__sum_emit_with(an, m.atom->a[1], m.coef, t), *e = NULL;
    if (!a || !b) return NULL;
    e = irl__make2(an, op, a, b);
    if (!e) return NULL;
    irl__sum r = irl__sum_begin(an, s->type);
    int ok = irl__sum_add_term(an, &r, e, 1) && irl__sub64(s->constant, t->constant, &r.constant);
    ok = ok && irl__sum_add_others(an, &r, s, at, 1) && irl__sum_add_sum(an, &r, t, -1);
    r.constant = s->constant - t->constant; /* the line above took it twice */
    irl__sum_compact(an, &r);
    irl__sum_sort(an, &r);
    e = ok ? irl__sum_emit_terms(an, &r) : NULL;
    irl__sum_end(an, &r);
    return e;
}

/* Everything else of the sum, or one term of it, or the constant: what makes the result shortest is
   moved in. */
static const irl_expr *irl__emit_absorbed(irl__analyzer *an, const irl__sum *s,
                                          const irl_expr *plain)
{
    const irl_expr *best = plain;
    for (int at = 0; at < s->count; at++) {
        irl__term m = an->terms[s->first + at];
        if ((m.atom->op != IRL_OP_MIN && m.atom->op != IRL_OP_MAX) || (m.coef != 1 && m.coef != -1))
            continue;
        for (int part = -2; part < s->count; part++) {
            irl__sum t = irl__sum_begin(an, s->type);
            if (part == at || (part == -1 && s->constant == 0) || (part == -2 && s->count < 2))
                continue;
            int ok = 1;
            if (part < 0) t.constant = s->constant;
            if (part == -2) ok = irl__sum_add_others(an, &t, s, at, 1);
            if (part >= 0)
                ok = irl__sum_add_term(an, &t, an->terms[s->first + part].atom,
                                       an->terms[s->first + part].coef);
            const irl_expr *e = ok ? irl__absorb_build(an, s, at, &t) : NULL;
            irl__sum_end(an, &t);
            if (e && e->size < best->size) best = e;
        }
    }
    return best;
}

static const irl_expr *irl__emit_sum(irl__analyzer *an, const irl__sum *s)
{
    const irl_expr *factor, *e;
    irl__sum        moved;
    int64_t         g;
    int             choices = 0;
    if (s->count == 0) return irl_expr_int(an->cx, s->type, s->constant);
    if (irl__emit_move_constant(an, s, &moved)) {
        e = irl__sum_emit(an, &moved);
        irl__sum_end(an, &moved);
        return e;
    }
    if (s->count == 1 && s->constant == 0) return irl__sum_emit_terms(an, s);
    if (s->count > 1) irl__sum_sort(an, s);
    for (int k = 0; k < s->count; k++)
        choices += an->terms[s->first + k].atom->op == IRL_OP_MIN ||
                   an->terms[s->first + k].atom->op == IRL_OP_MAX;
    if (s->count == 1) e = irl__sum_emit_terms(an, s);
    else if ((factor = irl__emit_common_factor(an, s)) != NULL)
        e = irl__emit_factored(an, s, factor);
    else if ((g = irl__emit_scale_outside(an, s)) != 1) e = irl__emit_scaled_outside(an, s, g);
    else e = irl__sum_emit_terms(an, s);
    return e && choices ? irl__emit_absorbed(an, s, e) : e;
}

/* A type that wraps is not the integers: what may wrap on the way is not the sum. */
const irl_expr *irl__sum_emit(irl__analyzer *an, const irl__sum *s)
{
    const irl_expr *e = irl__emit_sum(an, s);
    return e && (irl__type_is_index(s->type) || irl__stays_exact(an, e)) ? e : NULL;
}
