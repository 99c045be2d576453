/* sum_merge.c - merges terms of a sum that become shorter together: x/c*c + x%c is x.

   needs     divmod.c for what is left of two digits, monomial.c for radices that are numbers or
             have names
   promises  the same sum. Each step takes a term away or makes one shorter, so there is no search

     same         k*(m%c) + l*(n%c) = (k + l)*(m%c)                             m and n leave the
                  same remainder
     digits       k*(x/l % c) + k*c*(x/(l*c) [% e]) = k*(x/l [% (c*e)])         truncating alike;
                  e > 0, and c > 0 or no l
     whole        k*(x % d) + k*d*(x/d) = k*x                                   d a sum, multiplied
                  out
     remainder    k*x - k*c*(x/c) = k*(x%c)                                     truncating alike
     difference   (x + r)/c - x/c = (x%c + r)/c                                 r a constant
     mirrored     (k - x)/c + x/c = -((x%c + c - 1 - k)/c)                      k a constant
     choices      min(x, y) + max(x, y) = x + y,  min(x + k, y + k) - min(x, y) = k,
                  select(c, a, b) + select(c, d, e) = select(c, a + d, b + e)   max like min */
#include "engine.h"

/* A term as scale * ((source / lower) % extent), where extent.c is 0 for no modulo. */
typedef struct irl__merge_part {
    irl__monomial   scale, lower, extent;
    const irl_expr *source;
} irl__merge_part;

static int irl__merge_is_division(const irl_expr *e)
{
    return e->op == IRL_OP_FLOORMOD || e->op == IRL_OP_FLOORDIV || e->op == IRL_OP_TRUNCMOD ||
           e->op == IRL_OP_TRUNCDIV;
}

/* The outermost factor of a term that is a division or a remainder; NULL if there is none. */
static const irl_expr *irl__merge_division(const irl_expr *atom)
{
    for (; atom->op == IRL_OP_MUL; atom = atom->a[0])
        if (irl__merge_is_division(atom->a[1])) return atom->a[1];
    return irl__merge_is_division(atom) ? atom : NULL;
}

/* False if the term is of another kind. most: divisions that lower is made of. */
static int irl__merge_part_of(irl__analyzer *an, irl__term t, int most, irl__merge_part *p)
{
    const irl_expr *e = irl__merge_division(t.atom);
    irl__monomial   lower;
    p->scale.c = t.coef;
    p->lower.c = 1;
    p->extent.c = 0;
    p->scale.e = p->lower.e = p->extent.e = NULL;
    if (!e || (e != t.atom && !irl__product_quotient(an, t.atom, e, &p->scale.e))) return 0;
    if (e->op == IRL_OP_FLOORMOD) {
        if (!irl__monomial_of(an, e->a[1], &p->extent)) return 0;
        e = e->a[0];
    }
    while (e->op == IRL_OP_FLOORDIV && most-- > 0) { /* (x/a)/b = x/(a*b), b > 0 */
        int last = irl__range_of(an, e->a[1]).lo <= 0;
        if (!irl__monomial_of(an, e->a[1], &lower) ||
            !irl__monomial_multiply(an, p->lower, lower, &p->lower))
            return 0;
        e = e->a[0];
        if (last) break;
    }
    p->source = e;
    return 1;
}

/* x/l + c as (x + c*l)/l: the constant that a division has let go of. */
static int irl__merge_unshift(irl__analyzer *an, irl__merge_part *p)
{
    const irl_expr *e = p->source, *q = e->count == 2 ? e->a[0] : NULL;
    int64_t         shift;
    if (p->lower.e || p->lower.c != 1) return 0;
    if ((e->op != IRL_OP_ADD && e->op != IRL_OP_SUB) || e->a[1]->op != IRL_OP_INT) return 0;
    if (q->op != IRL_OP_FLOORDIV || q->a[1]->op != IRL_OP_INT || q->a[1]->u.i <= 0) return 0;
    if (!irl__mul64(e->a[1]->u.i, e->op == IRL_OP_SUB ? -q->a[1]->u.i : q->a[1]->u.i, &shift))
        return 0;
    irl__sum s = irl__sum_begin(an, e->type);
    s.constant = shift;
    e = irl__sum_add_done(an, &s, q->a[0], 1) ? irl__sum_emit(an, &s) : NULL;
    irl__sum_end(an, &s);
    if (!e) return 0;
    p->source = e;
    p->lower.c = q->a[1]->u.i;
    return 1;
}

/* a and b leave the same remainder when divided by m: the coefficients of a - b are multiples of
   m. */
static int irl__merge_congruent(irl__analyzer *an, const irl_expr *a, const irl_expr *b, int64_t m)
{
    if (a == b) return 1;
    irl__sum s = irl__sum_begin(an, a->type);
    int      ok = irl__sum_add_done(an, &s, a, 1) && irl__sum_add_done(an, &s, b, -1) &&
             irl__sum_drop_inner_mods(an, &s, m) && s.constant % m == 0;
    for (int k = 0; ok && k < s.count; k++) ok = an->terms[s.first + k].coef % m == 0;
    irl__sum_end(an, &s);
    return ok;
}

/* Terms i and k become coef * by: 1 after the change, -1 on failure. */
static int irl__pair_replace(irl__analyzer *an, irl__sum *s, int i, int k, const irl_expr *by,
                             int64_t coef)
{
    if (!by) return -1;
    an->terms[s->first + i].coef = an->terms[s->first + k].coef = 0;
    irl__sum_compact(an, s);
    return irl__sum_add_done(an, s, by, coef) ? 1 : -1;
}

/* Two atoms that are the same, their terms in another order: one with both coefficients. */
static int irl__merge_same(irl__analyzer *an, irl__sum *s, int i, int k)
{
    irl__term *a = &an->terms[s->first + i], *b = &an->terms[s->first + k];
    if (!irl__add64(a->coef, b->coef, &a->coef) || a->coef == INT64_MIN) return -1;
    b->coef = 0;
    irl__sum_compact(an, s);
    return 1;
}

/* (source / lower) % extent of p, and source / (lower * extent) of q. */
static int irl__merge_joins(irl__analyzer *an, const irl__merge_part *p, const irl__merge_part *q)
{
    irl__monomial lower;
    if (!irl__monomial_multiply(an, p->lower, p->extent, &lower) ||
        !irl__monomial_same(lower, q->lower))
        return 0;
    if (p->source == q->source) return 1;
    return !lower.e && lower.c > 0 && irl__merge_congruent(an, q->source, p->source, lower.c);
}

/* Two digits of one number, one in the cell of the other. */
static int irl__merge_follows(irl__analyzer *an, irl__term low, irl__term high, irl__merge_part *p,
                              irl__merge_part *q)
{
    irl__monomial scale;
    if (!irl__merge_part_of(an, low, IRL_MAX_DEPTH, p) || p->extent.c == 0 ||
        !irl__merge_part_of(an, high, IRL_MAX_DEPTH, q) ||
        !irl__monomial_multiply(an, p->scale, p->extent, &scale) ||
        !irl__monomial_same(scale, q->scale))
        return 0;
    if (irl__merge_joins(an, p, q)) return 1;
    if (p->lower.e) /* a number's digits may be those of x/n as it stands */
        return irl__merge_part_of(an, low, 0, p) && irl__merge_part_of(an, high, 1, q) &&
               irl__merge_joins(an, p, q);
    return (irl__merge_unshift(an, p) | irl__merge_unshift(an, q)) && irl__merge_joins(an, p, q);
}

/* Terms low = k*(M/l % c) and high = k*c*(M/(l*c) [% e]) of s are one: k*(M/l [% (c*e)]). */
static int irl__merge_pair(irl__analyzer *an, irl__sum *s, int low, int high)
{
    irl__term       l = an->terms[s->first + low], h = an->terms[s->first + high];
    irl__merge_part p, q;
    if (l.atom->op == IRL_OP_FLOORMOD && h.atom->op == IRL_OP_FLOORMOD &&
        l.atom->a[1] == h.atom->a[1] && l.atom->a[1]->op == IRL_OP_INT &&
        irl__merge_congruent(an, h.atom->a[0], l.atom->a[0], l.atom->a[1]->u.i))
        return irl__merge_same(an, s, low, high);
    if (!irl__merge_follows(an, l, h, &p, &q)) return 0;
    if ((p.lower.e || p.lower.c != 1) && !irl__monomial_is_size(an, p.extent, s->type)) return 0;
    irl__monomial extent = q.extent;
    if (extent.c && (!irl__monomial_is_size(an, extent, s->type) ||
                     !irl__monomial_multiply(an, p.extent, q.extent, &extent)))
        return 0;
    const irl_expr *e = irl__expr_by(an, IRL_OP_FLOORDIV, q.source, p.lower);
    if (extent.c) e = irl__expr_by(an, IRL_OP_FLOORMOD, e, extent);
    if (e && p.scale.e) e = irl__simplify_node(an, irl__make2(an, IRL_OP_MUL, e, p.scale.e));
    if (!e) return p.scale.e || p.extent.e ? -1 : 0;
    return irl__pair_replace(an, s, low, high, e, p.scale.c);
}

/* k*(x % d) and the terms of k*d*(x/d), d a sum: together k*x. */
static int irl__merge_whole(irl__analyzer *an, irl__sum *s, int low)
{
    irl__term l = an->terms[s->first + low];
    if (l.atom->op != IRL_OP_FLOORMOD ||
        (l.atom->a[1]->op != IRL_OP_ADD && l.atom->a[1]->op != IRL_OP_SUB))
        return 0;
    const irl_expr *x = l.atom->a[0];
    const irl_expr *e = irl__make2(an, IRL_OP_FLOORDIV, x, l.atom->a[1]);
    e = e ? irl__make2(an, IRL_OP_MUL, e, l.atom->a[1]) : NULL;
    if (!e) return -1;
    irl__sum t = irl__sum_begin(an, s->type);
    int      ok = irl__sum_add_done(an, &t, e, l.coef) && t.constant == 0 &&
             irl__sum_has(an, s, &t, 1);
    irl__sum_end(an, &t);
    return ok ? irl__pair_replace(an, s, low, low, x, l.coef) : 0;
}

/* How many terms of k * e are in s exactly, less those that are not there at all; -1 - count if no
   gain. */
static int irl__merge_cancels(irl__analyzer *an, const irl__sum *s, const irl__sum *e, int64_t k)
{
    int     gain = 0;
    int64_t c;
    for (int i = 0; i < e->count; i++) {
        const irl__term t = an->terms[e->first + i];
        if (!irl__mul64(t.coef, k, &c)) return -1;
        const int j = irl__sum_find(an, s, t.atom);
        if (j < 0) gain--;
        else if (an->terms[s->first + j].coef == c) gain++;
    }
    return gain;
}

/* k*D - k*c*(D / c), and whatever else, is k*(D % c): x - x/3*3 -> x%3. */
static int irl__merge_remainder(irl__analyzer *an, irl__sum *s, int at)
{
    irl__term       t = an->terms[s->first + at];
    const irl_expr *e;
    if (t.atom->a[1]->op != IRL_OP_INT) return 0;
    int64_t c = t.atom->a[1]->u.i;
    if (c <= 1 || t.coef == INT64_MIN || t.coef % c != 0) return 0;
    int64_t k = -(t.coef / c);
    const irl_expr *dividend = t.atom->a[0];
    irl__sum d = irl__sum_begin(an, s->type);
    int gain = irl__sum_add_done(an, &d, dividend, 1) ? irl__merge_cancels(an, s, &d, k) : -1;
    if (gain < 0 || (gain == 0 && d.count < 2)) {
        irl__sum_end(an, &d);
        return 0;
    }
    if (t.atom->op == IRL_OP_FLOORDIV) e = irl__sum_by(an, IRL_OP_FLOORMOD, &d, c);
    else e = irl__simplify_node(an, irl__make2(an, IRL_OP_TRUNCMOD, dividend, t.atom->a[1]));
    irl__sum_end(an, &d);
    if (!e) return 0;
    an->terms[s->first + at].coef = 0;
    irl__sum_compact(an, s);
    if (!irl__sum_add_done(an, s, dividend, -k) || !irl__sum_add_done(an, s, e, k)) return -1;
    irl__sum_compact(an, s);
    return 1;
}

/* (D%c + r)/c; NULL where it is not made. */
static const irl_expr *irl__merge_carry(irl__analyzer *an, irl_type type, const irl_expr *dividend,
                                        int64_t r, int64_t c)
{
    const irl_expr *e = irl__expr_by(an, IRL_OP_FLOORMOD, dividend, irl__monomial_number(c));
    irl__sum        d = irl__sum_begin(an, type);
    if (e && irl__sum_add_done(an, &d, e, 1) && irl__add64(d.constant, r, &d.constant))
        e = irl__sum_by(an, IRL_OP_FLOORDIV, &d, c);
    else e = NULL;
    irl__sum_end(an, &d);
    return e;
}

/* k*((D + r)/c) - k*(D/c) = k*((D%c + r)/c) for a constant r > 0: (x + 5)/3 - x/3 -> (x%3 +
   5)/3. */
static int irl__merge_difference(irl__analyzer *an, irl__sum *s, int high, int low)
{
    irl__term       h = an->terms[s->first + high], l = an->terms[s->first + low];
    if (h.atom->a[1] != l.atom->a[1] || h.atom->a[1]->op != IRL_OP_INT) return 0;
    int64_t  c = h.atom->a[1]->u.i;
    irl__sum d = irl__sum_begin(an, s->type);
    int      ok =
        irl__sum_add_done(an, &d, h.atom->a[0], 1) && irl__sum_add_done(an, &d, l.atom->a[0], -1);
    irl__sum_compact(an, &d);
    ok = ok && d.count == 0 && d.constant >= 0;
    int64_t r = d.constant;
    irl__sum_end(an, &d);
    if (ok && r == 0) return irl__merge_same(an, s, high, low);
    if (!ok || c <= 1 || h.coef != -l.coef) return 0;
    const irl_expr *e = irl__merge_carry(an, s->type, l.atom->a[0], r, c);
    return e ? irl__pair_replace(an, s, high, low, e, h.coef) : 0;
}

/* k*((m - D)/c) + k*(D/c) = -k*((D%c + c - 1 - m)/c) for a constant m: -x/4 + (x + 3)/4 is 0. D is
   the dividend that has more of its variables than it takes away. */
static int irl__merge_mirrored(irl__analyzer *an, irl__sum *s, int at, int mirrored)
{
    irl__term       t = an->terms[s->first + at], m = an->terms[s->first + mirrored];
    int64_t         r, more = 0;
    if (!irl__type_is_index(s->type) || t.atom->a[1] != m.atom->a[1] || t.coef != m.coef ||
        t.coef == INT64_MIN || t.atom->a[1]->op != IRL_OP_INT || t.atom->a[1]->u.i <= 1)
        return 0;
    int64_t  c = t.atom->a[1]->u.i;
    irl__sum d = irl__sum_begin(an, s->type);
    int      ok = irl__sum_add_done(an, &d, t.atom->a[0], 1);
    for (int k = 0; ok && k < d.count; k++)
        ok = irl__add64(more, an->terms[d.first + k].coef, &more);
    ok = ok && more >= 0 && irl__sum_add_done(an, &d, m.atom->a[0], 1);
    irl__sum_compact(an, &d);
    ok = ok && d.count == 0 && irl__sub64(c - 1, d.constant, &r);
    irl__sum_end(an, &d);
    if (!ok) return 0;
    const irl_expr *e = irl__merge_carry(an, s->type, t.atom->a[0], r, c);
    return e ? irl__pair_replace(an, s, at, mirrored, e, -t.coef) : 0;
}

/* C's division: k*truncmod(x, c) + k*c*truncdiv(x, c) = k*x; with truncdiv(x, l) for x, and
   truncmod(truncdiv(x, c*l), e) for the high part, the same. */
static int irl__merge_truncating(irl__analyzer *an, irl__sum *s, int low, int high)
{
    irl__term       l = an->terms[s->first + low], h = an->terms[s->first + high];
    const irl_expr *source = l.atom->a[0], *upper = h.atom, *modulus = NULL;
    int64_t         lower = 1, scaled, upper_lower = 1, extent;
    if (l.atom->a[1]->op != IRL_OP_INT || h.atom->a[1]->op != IRL_OP_INT) return 0;
    int64_t c = l.atom->a[1]->u.i;
    if (c <= 0 || !irl__mul64(l.coef, c, &scaled) || scaled != h.coef) return 0;
    if (source->op == IRL_OP_TRUNCDIV && source->a[1]->op == IRL_OP_INT) {
        lower = source->a[1]->u.i;
        source = source->a[0];
    }
    if (upper->op == IRL_OP_TRUNCMOD) {
        modulus = upper->a[1];
        upper = upper->a[0];
    }
    if (upper->op != IRL_OP_TRUNCDIV || upper->a[1]->op != IRL_OP_INT || upper->a[0] != source)
        return 0;
    upper_lower = upper->a[1]->u.i;
    if (lower <= 0 || !irl__mul64(lower, c, &lower) || lower != upper_lower) return 0;
    const irl_expr *e = l.atom->a[0];
    if (modulus) {
        if (!irl__mul64(modulus->u.i, c, &extent)) return 0;
        e = irl__make2(an, IRL_OP_TRUNCMOD, e, irl_expr_int(an->cx, s->type, extent));
    }
    return irl__pair_replace(an, s, low, high, e, l.coef);
}

static int irl__merge_two(irl__analyzer *an, irl__sum *s, int i, int j)
{
    irl_op a = (irl_op)an->terms[s->first + i].atom->op,
           b = (irl_op)an->terms[s->first + j].atom->op;
    if (a == IRL_OP_FLOORDIV && b == IRL_OP_FLOORDIV) {
        int r = irl__merge_difference(an, s, i, j);
        return r ? r : irl__merge_mirrored(an, s, i, j);
    }
    if (a == IRL_OP_TRUNCMOD && (b == IRL_OP_TRUNCMOD || b == IRL_OP_TRUNCDIV))
        return irl__merge_truncating(an, s, i, j);
    return irl__merge_pair(an, s, i, j);
}

static int irl__merge_once(irl__analyzer *an, irl__sum *s)
{
    int r;
    for (int i = 0; i < s->count; i++) {
        const irl_expr *atom = an->terms[s->first + i].atom;
        if (!irl__merge_division(atom)) continue;
        for (int j = 0; j < s->count; j++) {
            if (j == i || !irl__merge_division(an->terms[s->first + j].atom)) continue;
            r = irl__merge_two(an, s, i, j);
            if (r) return r;
        }
        r = atom->op == IRL_OP_FLOORDIV || atom->op == IRL_OP_TRUNCDIV
                ? irl__merge_remainder(an, s, i)
                : irl__merge_whole(an, s, i);
        if (r) return r;
    }
    return 0;
}

/* ------------------------------------------------------------------ minimum, maximum, select */

static const irl_expr *irl__pair_sum(irl__analyzer *an, const irl_expr *a, const irl_expr *b,
                                     int64_t sign)
{
    irl__sum        s = irl__sum_begin(an, a->type);
    const irl_expr *e = NULL;
    if (irl__sum_add_done(an, &s, a, 1) && irl__sum_add_done(an, &s, b, sign) &&
        irl__sum_merge(an, &s))
        e = irl__sum_emit(an, &s);
    irl__sum_end(an, &s);
    return e;
}

static int irl__merge_choices(irl__analyzer *an, irl__sum *s)
{
    for (int i = 0; i < s->count; i++)
        for (int k = i + 1; k < s->count; k++) {
            irl__term       a = an->terms[s->first + i], b = an->terms[s->first + k];
            const irl_expr *arm[3];
            int minmax = (a.atom->op == IRL_OP_MIN || a.atom->op == IRL_OP_MAX) &&
                         (b.atom->op == IRL_OP_MIN || b.atom->op == IRL_OP_MAX);
            if (minmax && a.atom->op != b.atom->op && a.coef == b.coef &&
                irl__same_leaves(a.atom, b.atom))
                return irl__pair_replace(an, s, i, k,
                                         irl__pair_sum(an, a.atom->a[0], a.atom->a[1], 1), a.coef);
            if (minmax && a.atom->op == b.atom->op && a.coef == -b.coef)
                for (int swap = 0; swap < 2; swap++) {
                    const irl_expr *d = irl__pair_sum(an, a.atom->a[0], b.atom->a[swap], -1);
                    const irl_expr *e = irl__pair_sum(an, a.atom->a[1], b.atom->a[1 - swap], -1);
                    if (d && d == e) return irl__pair_replace(an, s, i, k, d, a.coef);
                }
            if (a.atom->op == IRL_OP_SELECT && b.atom->op == IRL_OP_SELECT &&
                a.atom->a[0] == b.atom->a[0] && (a.coef == b.coef || a.coef == -b.coef)) {
                arm[0] = a.atom->a[0];
                arm[1] = irl__pair_sum(an, a.atom->a[1], b.atom->a[1], a.coef == b.coef ? 1 : -1);
                arm[2] = irl__pair_sum(an, a.atom->a[2], b.atom->a[2], a.coef == b.coef ? 1 : -1);
                if (!arm[1] || !arm[2]) return -1;
                return irl__pair_replace(
                    an, s, i, k, irl__simplify_node(an, irl__make_with(an, a.atom, arm)), a.coef);
            }
        }
    return 0;
}

/* ------------------------------------------------------------------ all of a sum */

int irl__sum_merge(irl__analyzer *an, irl__sum *s)
{
    int divisions = 0, choices = 0, r = 0;
    irl__sum_compact(an, s);
    for (int k = 0; k < s->count; k++) {
        const irl_expr *atom = an->terms[s->first + k].atom;
        divisions += irl__merge_division(atom) != NULL;
        choices += atom->op == IRL_OP_MIN || atom->op == IRL_OP_MAX || atom->op == IRL_OP_SELECT;
    }
    if ((divisions == 0 && choices < 2) || divisions + choices > IRL__MERGE_LIMIT) return 1;
    for (int k = 0; k < IRL__MERGE_LIMIT; k++) {
        r = divisions ? irl__merge_once(an, s) : 0;
        if (r == 0 && choices > 1) r = irl__merge_choices(an, s);
        if (r <= 0) return r == 0;
        irl__sum_compact(an, s);
    }
    return 1;
}
