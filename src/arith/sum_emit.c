/* sum_emit.c - sums written as expressions, as short as they get.

   needs     sum_read.c for a constant that moves inside a division, sum_choice.c for terms that
             move inside a minimum
   promises  the expression equals the sum, and is read back as the same sum

     constant inside  (x + a)/c + k = (x + (a + c*k))/c     where a constant stands in the division
                      already
     common factor    n*h*w + i*w + j = (n*h + i)*w + j
     common scale     g*x + g*y = (x + y)*g                 where two terms lose their
                      multiplication
     order            larger scales first, what is subtracted behind what is added, the constant
                      last */
#include "engine.h"

static const irl_expr *irl__emit_scaled(irl__analyzer *an, const irl_expr *atom, int64_t k)
{
    if (k == 1) return atom;
    if (k == -1) return irl__make1(an, IRL_OP_NEG, atom);
    return irl__make2(an, IRL_OP_MUL, atom, irl_int(an->cx, atom->type, k));
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

static const irl_expr *irl__emit_constant(irl__analyzer *an, const irl_expr *e, int64_t k,
                                          irl_type type)
{
    if (!e) return irl_int(an->cx, type, k);
    if (k == 0) return e;
    if (k < 0 && k != INT64_MIN) return irl__make2(an, IRL_OP_SUB, e, irl_int(an->cx, type, -k));
    return irl__make2(an, IRL_OP_ADD, e, irl_int(an->cx, type, k));
}

/* Added terms first, then subtracted ones, the constant last; a constant leads where nothing else
   is positive: 3 - j. */
const irl_expr *irl__sum_emit_terms(irl__analyzer *an, const irl__sum *s)
{
    const irl_expr *e = NULL;
    int             k, sign, positive = 0;
    int64_t         constant = s->constant;
    for (k = 0; k < s->count; k++) positive += an->terms[s->first + k].coef > 0;
    if (!positive && constant > 0) {
        e = irl_int(an->cx, s->type, constant);
        if (!e) return NULL;
        constant = 0;
    }
    for (sign = 1; sign >= -1; sign -= 2)
        for (k = 0; k < s->count; k++) {
            irl__term t = an->terms[s->first + k];
            if ((t.coef > 0) != (sign > 0)) continue;
            e = irl__emit_plus(an, e, t.atom, t.coef);
            if (!e) return NULL;
        }
    return irl__emit_constant(an, e, constant, s->type);
}

static int irl__emit_has_factor(const irl_expr *atom, const irl_expr *factor)
{
    const irl_expr *f[IRL__FACTOR_LIMIT];
    int             n = 0, k;
    if (!irl__product_factors(atom, f, &n)) return 0;
    for (k = 0; k < n; k++)
        if (f[k] == factor) return 1;
    return 0;
}

/* The unknown that most terms have as a factor: at least two, and one of them a product. NULL if
   none. */
static const irl_expr *irl__emit_common_factor(irl__analyzer *an, const irl__sum *s)
{
    const irl_expr *best = NULL, *f[IRL__FACTOR_LIMIT];
    int             best_count = 1, i, j, k, n, count;
    for (i = 0; i < s->count; i++) {
        n = 0;
        if (an->terms[s->first + i].atom->op != IRL_OP_MUL ||
            !irl__product_factors(an->terms[s->first + i].atom, f, &n))
            continue;
        for (j = n - 1; j >= 0; j--) {
            count = 0;
            for (k = 0; k < s->count; k++)
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
    int             n = 0, k, m = 0, left = 1;
    if (!irl__product_factors(atom, f, &n)) return NULL;
    for (k = 0; k < n; k++)
        if (f[k] != factor || !left) f[m++] = f[k];
        else left = 0;
    return m ? irl__product_make(an, f, m) : NULL;
}

/* x*a + x*b + r is x*(a + b) + r. */
static const irl_expr *irl__emit_factored(irl__analyzer *an, const irl__sum *s,
                                          const irl_expr *factor)
{
    irl__sum        in = irl__sum_begin(an, s->type), out;
    const irl_expr *e = NULL;
    int             k, ok = 1;
    for (k = 0; ok && k < s->count; k++) {
        irl__term       t = an->terms[s->first + k];
        const irl_expr *rest;
        if (!irl__emit_has_factor(t.atom, factor)) continue;
        rest = irl__emit_without_factor(an, t.atom, factor);
        if (rest) ok = irl__sum_add_term(an, &in, rest, t.coef);
        else if (t.atom == factor) ok = irl__add64(in.constant, t.coef, &in.constant);
        else ok = 0;
    }
    if (ok) e = irl__sum_emit(an, &in);
    irl__sum_end(an, &in);
    if (!e) return NULL;
    e = irl__make2(an, IRL_OP_MUL, e, factor);
    if (!e) return NULL;
    out = irl__sum_begin(an, s->type);
    out.constant = s->constant;
    ok = irl__sum_add_term(an, &out, e, 1);
    for (k = 0; ok && k < s->count; k++) {
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
    int     k, bare = 0;
    if (g <= 1) return 1;
    for (k = 0; k < s->count; k++)
        bare += an->terms[s->first + k].coef == g || an->terms[s->first + k].coef == -g;
    return bare >= 2 ? g : 1;
}

/* (r + c)/d + k as (r + c + k*d)/d; NULL where there is no constant c already: r/d + k is as
   short. */
static const irl_expr *irl__emit_constant_inside(irl__analyzer *an, const irl_expr *atom, int64_t k)
{
    const irl_expr *a;
    irl__sum        inner;
    int64_t         shift;
    if (atom->op != IRL_OP_FLOORDIV || atom->a[1]->op != IRL_OP_INT) return NULL;
    a = atom->a[0];
    if ((a->op != IRL_OP_ADD && a->op != IRL_OP_SUB) || a->a[1]->op != IRL_OP_INT) return NULL;
    inner = irl__sum_begin(an, atom->type);
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
    int k, i, ok;
    if (s->constant == 0) return 0;
    for (k = 0; k < s->count; k++) {
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
    int             k, ok = 1;
    for (k = 0; ok && k < s->count; k++)
        ok = irl__sum_add_term(an, &scaled, an->terms[s->first + k].atom,
                               an->terms[s->first + k].coef / g);
    scaled.constant = s->constant / g;
    if (ok) e = irl__sum_emit_terms(an, &scaled);
    irl__sum_end(an, &scaled);
    return e ? irl__emit_scaled(an, e, g) : NULL;
}

static const irl_expr *irl__emit_sum(irl__analyzer *an, const irl__sum *s)
{
    const irl_expr *factor, *e;
    irl__sum        moved;
    int64_t         g;
    int             k, choices = 0;
    if (s->count == 0) return irl_int(an->cx, s->type, s->constant);
    if (irl__emit_move_constant(an, s, &moved)) {
        e = irl__sum_emit(an, &moved);
        irl__sum_end(an, &moved);
        return e;
    }
    if (s->count == 1 && s->constant == 0) return irl__sum_emit_terms(an, s);
    if (s->count > 1) irl__sum_sort(an, s);
    for (k = 0; k < s->count; k++)
        choices += an->terms[s->first + k].atom->op == IRL_OP_MIN ||
                   an->terms[s->first + k].atom->op == IRL_OP_MAX;
    if (s->count == 1) e = irl__sum_emit_terms(an, s);
    else if ((factor = irl__emit_common_factor(an, s)) != NULL)
        e = irl__emit_factored(an, s, factor);
    else if ((g = irl__emit_scale_outside(an, s)) != 1) e = irl__emit_scaled_outside(an, s, g);
    else e = irl__sum_emit_terms(an, s);
    return e && choices ? irl__sum_absorb(an, s, e) : e;
}

/* A type that wraps is not the integers: what may wrap on the way is not the sum. */
const irl_expr *irl__sum_emit(irl__analyzer *an, const irl__sum *s)
{
    const irl_expr *e = irl__emit_sum(an, s);
    return e && (irl__type_is_index(s->type) || irl__stays_exact(an, e)) ? e : NULL;
}
