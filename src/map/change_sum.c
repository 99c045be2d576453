/* change_sum.c - parts of outputs as sums, and sums of variables as digits.

   needs     change_uses.c
   promises  a sum is the part's value; digits determine their variables, because each stride is at
             least what all smaller ones reach */
#include "change.h"

/* ------------------------------------------------------------------ reading */

int irl__change_variable(const irl__uses *u, const irl_expr *atom)
{
    if (atom->op != IRL_OP_VAR) return -1;
    for (int k = 0; k < u->alive_count; k++)
        if (u->c->vars[u->alive[k]].var == atom) return k;
    return -1;
}

typedef struct irl__change_sum_reader {
    irl__uses       *u;
    irl__change_sum *s;
} irl__change_sum_reader;

static int irl__change_sum_is_fixed(const void *user, const irl_expr *e)
{
    return !irl__uses_moves(((const irl__change_sum_reader *)user)->u, e);
}

static int irl__change_sum_read(void *user, const irl_expr *e, int64_t scale,
                                const irl_expr *factor, int is_fixed)
{
    irl__change_sum_reader *r = (irl__change_sum_reader *)user;
    irl__change            *c = r->u->c;
    const irl_expr         *by = scale == 1 ? c->one : irl_expr_index(c->cx, scale);
    if (factor) by = irl__change_mul(c, factor, by);
    if (!is_fixed) {
        if (!by) return 0;
        if (irl__is_int(by, 0)) return 1;
        irl__change_sum *s = r->s;
        for (int k = 0; k < s->count; k++)
            if (s->term[k].atom == e) {
                s->term[k].coef = irl__change_add(r->u->c, s->term[k].coef, by);
                if (!s->term[k].coef) return 0;
                if (irl__is_int(s->term[k].coef, 0)) s->term[k] = s->term[--s->count];
                return 1;
            }
        if (s->count == IRL__CHANGE_TERMS) return 0;
        s->term[s->count].atom = e;
        s->term[s->count].coef = by;
        s->term[s->count++].alive = irl__change_variable(r->u, e);
        return 1;
    }
    r->s->base = by ? irl__change_add(c, r->s->base, irl__change_mul(c, by, e)) : NULL;
    return r->s->base != NULL;
}

int irl__change_sum_of(irl__uses *u, const irl_expr *e, irl__change_sum *s)
{
    irl__change_sum_reader q = { u, s };
    irl__affine_reader r = { u->c->cx, &q, irl__change_sum_is_fixed, irl__change_sum_read, 1 };
    s->count = 0;
    s->base = u->c->zero;
    return irl__affine_read(&r, e, 1, NULL);
}

uint64_t irl__change_sum_own(const irl__uses *u, int at, const irl__change_sum *s)
{
    uint64_t own = 0;
    int      i;
    for (int k = 0; k < s->count; k++) {
        if (s->term[k].alive < 0 || !irl__uses_own(u, at, s->term[k].alive)) continue;
        for (i = 0; i < s->count; i++)
            if (i != k && irl__uses_holds(u, s->term[i].atom, s->term[k].alive)) break;
        if (i == s->count) own |= UINT64_C(1) << k;
    }
    return own;
}

int irl__change_sum_counts(const irl__change_sum *s)
{
    int k;
    for (k = 0; k < s->count && s->term[k].coef->op == IRL_OP_INT;) k++;
    return k == s->count && s->base->op == IRL_OP_INT;
}

const irl_expr *irl__change_sum_part(irl__uses *u, const irl__change_sum *s, uint64_t which,
                                     int with_base)
{
    const irl_expr *e = NULL, *t;
    for (int k = 0; k < s->count; k++) {
        if (!(which >> k & 1)) continue;
        t = s->term[k].atom;
        if (s->term[k].coef != u->c->one) t = irl__change_op(u->c, IRL_OP_MUL, t, s->term[k].coef);
        e = e ? irl__change_op(u->c, IRL_OP_ADD, e, t) : t;
        if (!e) return NULL;
    }
    if (!with_base || s->base == u->c->zero) return e ? e : u->c->zero;
    return e ? irl__change_op(u->c, IRL_OP_ADD, e, s->base) : s->base;
}

/* ------------------------------------------------------------------ digits */

static const irl_expr *irl__digit_extent(const irl__uses *u, const irl__change_sum *s,
                                         const irl__change_digit *g)
{
    return u->c->vars[u->alive[s->term[g->term].alive]].extent;
}

/* 1 positive, -1 negative, 0 not known. */
static int irl__digit_sign(const irl__uses *u, const irl_expr *coef)
{
    if (coef->op == IRL_OP_INT) return coef->u.i > 0 ? 1 : -1;
    irl__interval r = irl__interval_of(u->c->an, coef);
    return r.lo >= 1 ? 1 : r.hi <= -1 ? -1 : 0;
}

/* Whether digit k may come next: its stride is known to be at most that of all later ones. */
static int irl__digits_least(irl__uses *u, const irl__change_digits *d, int from, int k)
{
    for (int i = from; i < d->count; i++)
        if (i != k && !irl__change_le(u->c, d->digit[k].stride, d->digit[i].stride) &&
            !irl__change_quotient(u->c, d->digit[i].stride, d->digit[k].stride))
            return 0;
    return 1;
}

/* The digit that stands on `reach`: the one with this stride, else the one with the least. */
static int irl__digits_next(irl__uses *u, const irl__change_digits *d, int from)
{
    int k, least = from, numbers = 1;
    for (k = from; k < d->count; k++)
        if (d->digit[k].stride == d->reach) return k;
    for (k = from; k < d->count; k++) {
        numbers &= d->digit[k].stride->op == IRL_OP_INT;
        if (numbers && d->digit[k].stride->u.i < d->digit[least].stride->u.i) least = k;
    }
    if (numbers) return least;
    for (k = from; k < d->count; k++)
        if (irl__change_same(u->c, d->digit[k].stride, d->reach)) return k;
    for (k = from; k < d->count; k++)
        if (irl__digits_least(u, d, from, k)) return k;
    return -1;
}

/* Takes digit k to its place; false if it does not reach over the smaller ones. */
static int irl__digits_take(irl__uses *u, const irl__change_sum *s, irl__change_digits *d, int at,
                            int k)
{
    irl__change      *c = u->c;
    irl__change_digit g = d->digit[k];
    const irl_expr   *extent = irl__digit_extent(u, s, &g), *room, *last;
    d->digit[k] = d->digit[at];
    g.gap = g.stride != d->reach && !irl__change_same(c, g.stride, d->reach);
    if (g.gap && !irl__change_le(c, d->reach, g.stride) &&
        !irl__change_quotient(c, g.stride, d->room))
        return 0;
    d->digit[at] = g;
    d->full &= !g.gap;
    room = irl__change_mul(c, g.stride, extent);
    last = g.gap || g.negative ? irl__change_sub(c, room, g.stride) : NULL;
    if (g.negative) d->least = irl__change_sub(c, d->least, last);
    d->reach = g.gap ? irl__change_add(c, d->reach, last) : room;
    d->room = room;
    return d->reach && d->least;
}

int irl__change_digits_of(irl__uses *u, const irl__change_sum *s, uint64_t which,
                          irl__change_digits *d)
{
    d->count = 0;
    d->full = 1;
    d->reach = d->room = u->c->one;
    d->least = u->c->zero;
    for (int k = 0; k < s->count; k++) {
        irl__change_digit *g = &d->digit[d->count];
        if (!(which >> k & 1)) continue;
        if (s->term[k].alive < 0) return 0;
        int sign = irl__digit_sign(u, s->term[k].coef);
        if (sign == 0) return 0;
        g->term = k;
        g->negative = sign < 0;
        g->stride = sign > 0 ? s->term[k].coef : irl__change_sub(u->c, u->c->zero, s->term[k].coef);
        g->gap = 0;
        if (!g->stride) return 0;
        d->count++;
    }
    if (d->count <= 0) return 0;
    for (int at = 0; at < d->count; at++) {
        int k = irl__digits_next(u, d, at);
        if (k < 0 || !irl__digits_take(u, s, d, at, k)) return 0;
    }
    return 1;
}

/* What digit k is counted modulo: the next stride in its own; NULL where they do not divide. */
static const irl_expr *irl__digits_radix(irl__uses *u, const irl__change_sum *s,
                                         const irl__change_digits *d, int k)
{
    if (!d->digit[k].gap && !d->digit[k + 1].gap) return irl__digit_extent(u, s, &d->digit[k]);
    return irl__change_quotient(u->c, d->digit[k + 1].stride, d->digit[k].stride);
}

int irl__change_digits_values(irl__uses *u, const irl__change_sum *s, const irl__change_digits *d,
                              const irl_expr *sum, const irl_expr **value, const irl_expr **rest)
{
    irl__change *c = u->c;
    for (int k = d->count - 1; k >= 0; k--) {
        const irl__change_digit *g = &d->digit[k];
        const irl_expr          *radix = k + 1 < d->count ? irl__digits_radix(u, s, d, k) : NULL;
        if (!radix && k + 1 < d->count)
            sum = irl__change_op(c, IRL_OP_FLOORMOD, sum, d->digit[k + 1].stride);
        const irl_expr *v =
            g->stride == c->one ? sum : irl__change_op(c, IRL_OP_FLOORDIV, sum, g->stride);
        if (radix) v = irl__change_op(c, IRL_OP_FLOORMOD, v, radix);
        if (g->negative) {
            const irl_expr *last = irl__change_sub(c, irl__digit_extent(u, s, g), c->one);
            v = irl__change_op(c, IRL_OP_SUB, last, v);
        }
        if (!v) return 0;
        value[k] = v;
    }
    *rest = NULL;
    if (d->digit[0].stride == c->one) return 1;
    *rest = irl__change_op(c, IRL_OP_FLOORMOD, sum, d->digit[0].stride);
    return *rest != NULL;
}
