/* change_fuse.c - a sum of variables that are used nowhere else, as one variable.

   needs     change_sum.c
   promises  the value of the new variable gives those of the fused ones, by their strides. If
             strides leave gaps, the fused variables are checked */
#include "change.h"

/* The fused variables get their values from t, the sum of their digits. */
static int irl__fuse_values(irl__uses *u, const irl__change_sum *s, const irl__change_digits *d,
                            const irl_expr *t)
{
    irl__change    *c = u->c;
    const irl_expr *value[IRL__CHANGE_TERMS], *rest;
    if (!irl__change_digits_values(u, s, d, t, value, &rest)) return 0;
    for (int k = 0; k < d->count; k++) {
        int gap = k + 1 < d->count && (d->digit[k].gap || d->digit[k + 1].gap);
        irl__change_replace(c, u->alive[s->term[d->digit[k].term].alive], value[k], gap);
    }
    return !rest || irl__change_check(c, irl__change_op(c, IRL_OP_EQ, rest, c->zero));
}

/* What is left of the part: t, what is no digit, and where digits that count down begin. */
static const irl_expr *irl__fuse_part(irl__uses *u, const irl__change_sum *s, uint64_t own,
                                      const irl__change_digits *d, const irl_expr *t,
                                      const irl_expr *factor)
{
    irl__change_sum rest = *s;
    if (factor != u->c->one) t = irl__change_op(u->c, IRL_OP_MUL, t, factor);
    rest.base = irl__change_add(u->c, s->base, irl__change_mul(u->c, d->least, factor));
    if (!rest.base) return NULL;
    const irl_expr *e = irl__change_sum_part(u, &rest, ~own, 1);
    return e == u->c->zero ? t : irl__change_op(u->c, IRL_OP_ADD, t, e);
}

/* The coefficients of own terms divided by one of them, where it divides all: it is returned; 1
   where there is none. */
static const irl_expr *irl__fuse_factor(irl__uses *u, irl__change_sum *s, uint64_t own)
{
    irl__change    *c = u->c;
    const irl_expr *quotient[IRL__CHANGE_TERMS], *by;
    int             i;
    for (int k = 0; k < s->count; k++) {
        if (!(own >> k & 1)) continue;
        by = s->term[k].coef;
        if (by->op == IRL_OP_INT && by->u.i < 0) by = irl__change_sub(c, c->zero, by);
        if (!by || by == c->one) return c->one;
        if (irl__interval_of(c->an, by).lo < 1) continue;
        for (i = 0; i < s->count; i++) {
            quotient[i] = own >> i & 1 ? irl__change_quotient(c, s->term[i].coef, by) : c->one;
            if (!quotient[i]) break;
        }
        if (i < s->count) continue;
        for (i = 0; i < s->count; i++)
            if (own >> i & 1) s->term[i].coef = quotient[i];
        return by;
    }
    return c->one;
}

/* Part `at` moves by steps of at least `stride` and takes values of `room` numbers in a row;
   extent: of its variable, where that is the only one. True where the part is in a quotient or
   remainder from which the solver finds its variables, or is the lesser or larger of two. */
static int irl__fuse_is_told(const irl__uses *u, int at, const irl_expr *stride,
                             const irl_expr *extent, const irl_expr *room)
{
    for (int k = at + 1; k < u->count; k++) {
        const irl_expr *e = u->list[k].e, *m = e->count == 2 ? e->a[1] : NULL;
        if (e->count != 2 || (u->list[k].a[0] != at && u->list[k].a[1] != at)) continue;
        if (e->op == IRL_OP_MIN || e->op == IRL_OP_MAX) return 1;
        if (u->list[k].a[0] != at) continue;
        if (e->op == IRL_OP_FLOORDIV && irl__change_le(u->c, m, stride)) return 1;
        if (e->op != IRL_OP_FLOORMOD) continue;
        if (irl__change_le(u->c, room, m) || irl__change_same(u->c, room, m)) return 1;
        if (extent && irl__number_two(extent, m) && stride->op == IRL_OP_INT && m->u.i > 0 &&
            extent->u.i <= m->u.i / irl__gcd64(stride->u.i, m->u.i))
            return 1;
    }
    return 0;
}

static int irl__fuse_sum(irl__uses *u, int at)
{
    irl__change       *c = u->c;
    irl__change_sum    s;
    irl__change_digits d;
    const irl_expr    *extent;
    if (!irl__change_sum_of(u, u->list[at].e, &s)) return 0;
    uint64_t        own = irl__change_sum_own(u, at, &s);
    const irl_expr *factor = irl__fuse_factor(u, &s, own);
    if (own == 0 || !irl__change_digits_of(u, &s, own, &d)) return 0;
    if (d.count == 1 && !d.digit[0].negative) return 0; /* v alone */
    if (!d.full && c->exact) return 0;
    extent = c->vars[u->alive[s.term[d.digit[d.count - 1].term].alive]].extent;
    if (!d.full && factor == c->one &&
        irl__fuse_is_told(u, at, d.digit[0].stride, d.count > 1 ? NULL : extent, d.reach))
        return 0;
    extent = irl__change_mul(c, d.digit[d.count - 1].stride, extent);
    const irl_expr *t = extent ? irl__change_new(c, extent) : NULL;
    if (!t) return 0;
    u->list[at].now = irl__fuse_part(u, &s, own, &d, t, factor);
    c->failed |= !u->list[at].now || !irl__fuse_values(u, &s, &d, t);
    return 1;
}

/* c*v + k for parameters c >= 1, k >= 0, of a variable used nowhere else: t from 0 on. */
static int irl__fuse_offset(irl__uses *u, int at)
{
    irl__change    *c = u->c;
    irl__change_sum s;
    const irl_expr *extent, *t, *of, *rest = NULL;
    if (!irl__change_sum_of(u, u->list[at].e, &s)) return 0;
    if (s.count != 1 || irl__change_sum_own(u, at, &s) != 1) return 0;
    if (irl__interval_of(c->an, s.term[0].coef).lo < 1) return 0;
    if (irl__interval_of(c->an, s.base).lo < 0) return 0;
    irl__change_var *v = &c->vars[u->alive[s.term[0].alive]];
    if (irl__fuse_is_told(u, at, s.term[0].coef, v->extent,
                          irl__change_mul(c, v->extent, s.term[0].coef)))
        return 0;
    extent = irl__change_add(c, irl__change_mul(c, v->extent, s.term[0].coef), s.base);
    t = extent ? irl__change_new(c, extent) : NULL;
    if (!t) return 0;
    of = s.base == c->zero ? t : irl__change_op(c, IRL_OP_SUB, t, s.base);
    if (s.term[0].coef != c->one) {
        rest = irl__change_op(c, IRL_OP_FLOORMOD, of, s.term[0].coef);
        of = irl__change_op(c, IRL_OP_FLOORDIV, of, s.term[0].coef);
        rest = irl__change_op(c, IRL_OP_EQ, rest, c->zero);
        c->failed |= !irl__change_check(c, rest);
    }
    irl__change_replace(c, u->alive[s.term[0].alive], of, 1);
    u->list[at].now = t;
    c->failed |= !of;
    return 1;
}

/* One at a time, since one part may hold another. */
static int irl__fuse_first(irl__uses *u, int (*fuse)(irl__uses *u, int at))
{
    for (int at = 0; at < u->count && irl__ok(u->c->cx); at++)
        if (u->list[at].is_sum && u->list[at].in_other && fuse(u, at)) return 1;
    return 0;
}

int irl__change_fuse(irl__uses *u) { return irl__fuse_first(u, irl__fuse_sum); }
int irl__change_offset(irl__uses *u) { return irl__fuse_first(u, irl__fuse_offset); }
