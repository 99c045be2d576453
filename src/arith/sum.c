/* sum.c - sums of terms with constant coefficients: the canonical form of integer expressions.

   needs     the analyzer's stack of terms, ranges of atoms
   promises  nothing overflows: an operation that would overflow returns false, and the caller keeps
             what was written

   An expression is read as a sum (sum_expr.c), terms that become shorter together are merged
   (sum_merge.c), and the sum is written as an expression again. */
#include "engine.h"

irl__sum irl__sum_begin(const irl__analyzer *an, irl_type type)
{
    irl__sum s;
    s.first = an->term_count;
    s.count = 0;
    s.constant = 0;
    s.type = type;
    return s;
}

void irl__sum_end(irl__analyzer *an, const irl__sum *s) { an->term_count = s->first; }

int irl__sum_find(const irl__analyzer *an, const irl__sum *s, const irl_expr *atom)
{
    for (int k = 0; k < s->count; k++)
        if (an->terms[s->first + k].atom == atom) return k;
    return -1;
}

int irl__sum_has(irl__analyzer *an, irl__sum *s, const irl__sum *part, int take)
{
    int at;
    for (int k = 0; k < part->count; k++) {
        const irl__term t = an->terms[part->first + k];
        at = irl__sum_find(an, s, t.atom);
        if (at < 0 || an->terms[s->first + at].coef != t.coef) return 0;
    }
    for (int k = 0; take && k < part->count; k++) {
        at = irl__sum_find(an, s, an->terms[part->first + k].atom);
        an->terms[s->first + at].coef = 0;
    }
    return 1;
}

int irl__sum_add_term(irl__analyzer *an, irl__sum *s, const irl_expr *atom, int64_t coef)
{
    if (coef == 0) return 1;
    if (coef == INT64_MIN) return 0; /* so that every coefficient can change its sign */
    int at = irl__sum_find(an, s, atom);
    if (at >= 0) {
        irl__term *t = &an->terms[s->first + at];
        return irl__add64(t->coef, coef, &t->coef) && t->coef != INT64_MIN;
    }
    irl__term *terms = s->count >= IRL__SUM_LIMIT
                           ? NULL
                           : (irl__term *)irl__analyzer_room(an, an->terms, an->term_count,
                                                             &an->term_capacity, sizeof *terms);
    if (!terms) return 0;
    an->terms = terms;
    an->terms[an->term_count].atom = atom;
    an->terms[an->term_count].coef = coef;
    an->term_count++;
    s->count++;
    return 1;
}

int irl__sum_add_sum(irl__analyzer *an, irl__sum *s, const irl__sum *b, int64_t scale)
{
    int64_t c;
    for (int k = 0; k < b->count; k++) {
        irl__term t = an->terms[b->first + k];
        if (!irl__mul64(t.coef, scale, &c) || !irl__sum_add_term(an, s, t.atom, c)) return 0;
    }
    return irl__mul64(b->constant, scale, &c) && irl__add64(s->constant, c, &s->constant);
}

int irl__sum_add_others(irl__analyzer *an, irl__sum *s, const irl__sum *b, int at, int64_t scale)
{
    int64_t c;
    for (int k = 0; k < b->count; k++) {
        irl__term t = an->terms[b->first + k];
        if (k == at) continue;
        if (!irl__mul64(t.coef, scale, &c) || !irl__sum_add_term(an, s, t.atom, c)) return 0;
    }
    return 1;
}

void irl__sum_compact(irl__analyzer *an, irl__sum *s)
{
    int k, n = 0;
    for (k = 0; k < s->count; k++)
        if (an->terms[s->first + k].coef != 0) an->terms[s->first + n++] = an->terms[s->first + k];
    s->count = n;
    an->term_count = s->first + n;
}

int irl__sum_scale(irl__analyzer *an, irl__sum *s, int64_t k)
{
    for (int i = 0; i < s->count; i++) {
        irl__term *t = &an->terms[s->first + i];
        if (!irl__mul64(t->coef, k, &t->coef) || t->coef == INT64_MIN) return 0;
    }
    return irl__mul64(s->constant, k, &s->constant);
}

int64_t irl__sum_gcd(const irl__analyzer *an, const irl__sum *s, int64_t with)
{
    int64_t g = with;
    for (int k = 0; k < s->count && g != 1; k++)
        g = irl__gcd64(g, an->terms[s->first + k].coef);
    return g;
}

static int64_t irl__sum_magnitude(int64_t coef) { return coef < 0 ? -coef : coef; }

void irl__sum_sort(irl__analyzer *an, const irl__sum *s)
{
    irl__term *terms = &an->terms[s->first];
    int        k;
    for (int i = 1; i < s->count; i++) {
        irl__term t = terms[i];
        int64_t   size = irl__sum_magnitude(t.coef);
        for (k = i; k > 0 && irl__sum_magnitude(terms[k - 1].coef) < size; k--)
            terms[k] = terms[k - 1];
        terms[k] = t;
    }
}

void irl__sum_replace(irl__analyzer *an, irl__sum *s, irl__sum *u)
{
    irl__sum_compact(an, u);
    for (int k = 0; k < u->count; k++) an->terms[s->first + k] = an->terms[u->first + k];
    s->count = u->count;
    s->constant = u->constant;
    an->term_count = s->first + s->count;
}

irl__interval irl__sum_range(irl__analyzer *an, const irl__sum *s)
{
    irl__interval r = irl__interval_make(s->constant, s->constant);
    for (int k = 0; k < s->count; k++) {
        irl__term t = an->terms[s->first + k];
        if (t.coef)
            r = irl__interval_add(r, irl__interval_scale(irl__range_of(an, t.atom), t.coef));
    }
    return r;
}
