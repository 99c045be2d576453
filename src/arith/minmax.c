/* minmax.c - minimum and maximum.

   needs     order.c; operands that are simplified already
   promises  the same value; a rewritten form is used only where it is shorter

     absorption    min(x, max(x, y)) = x, and whatever ranges and differences decide
     distribution  min(max(x, y), max(x, z)) = max(x, min(y, z))
     common terms  min(x + y, x + z) = x + min(y, z),  min(x - y, x - z) = x - max(y, z)
     common scale  min(c*x, c*y) = c*min(x, y),  min(x/c, y/c) = min(x, y)/c       c > 0
   and the same with min and max exchanged. */
#include "engine.h"

/* ------------------------------------------------------------------ a <= b */

int irl__decide_difference(irl__analyzer *an, const irl_expr *a, const irl_expr *b, int64_t shift)
{
    irl__sum s = irl__sum_begin(an, a->type);
    int ok = irl__sum_add_done(an, &s, a, 1) && irl__sum_add_done(an, &s, b, -1) &&
             irl__sum_merge(an, &s) && irl__add64(s.constant, shift, &s.constant) &&
             irl__sum_nonnegative(an, &s);
    irl__sum_end(an, &s);
    return ok;
}

/* -1: a <= b never holds, 1: always, 0: not known. */
static int irl__decide_le_within(irl__analyzer *an, const irl_expr *a, const irl_expr *b, int depth)
{
    irl__interval x = irl__range_of(an, a), y = irl__range_of(an, b);
    if (a == b || x.hi <= y.lo) return 1;
    if (x.lo > y.hi) return -1;
    if (irl__decide_difference(an, b, a, 0)) return 1;
    if (irl__decide_difference(an, a, b, -1)) return -1;
    /* a <= b where one of them is a minimum or maximum, by their parts. */
    int left, right;
    if (depth == 0) return 0;
    if (a->op == IRL_OP_MIN || a->op == IRL_OP_MAX) {
        left = irl__decide_le_within(an, a->a[0], b, depth - 1) > 0;
        right = irl__decide_le_within(an, a->a[1], b, depth - 1) > 0;
        if (a->op == IRL_OP_MIN ? left || right : left && right) return 1;
    }
    if (b->op == IRL_OP_MIN || b->op == IRL_OP_MAX) {
        left = irl__decide_le_within(an, a, b->a[0], depth - 1) > 0;
        right = irl__decide_le_within(an, a, b->a[1], depth - 1) > 0;
        if (b->op == IRL_OP_MAX ? left || right : left && right) return 1;
    }
    return 0;
}

/* ------------------------------------------------------------------ the leaves */

enum { IRL__MINMAX_LEAVES = 8 };

typedef struct irl__minmax {
    irl_op          op;
    int             count;
    const irl_expr *leaf[IRL__MINMAX_LEAVES];
} irl__minmax;

static int irl__minmax_collect(irl__minmax *m, const irl_expr *e)
{
    if (e->op == m->op) return irl__minmax_collect(m, e->a[0]) && irl__minmax_collect(m, e->a[1]);
    if (m->count == IRL__MINMAX_LEAVES) return 0;
    m->leaf[m->count++] = e;
    return 1;
}

static const irl_expr *irl__minmax_build(irl__analyzer *an, const irl__minmax *m)
{
    const irl_expr *e = m->leaf[0];
    for (int k = 1; e && k < m->count; k++) e = irl__make2(an, m->op, e, m->leaf[k]);
    return e;
}

/* min(max(x, y), max(x, z)) = max(x, min(y, z)) for the first two leaves; NULL if they share
   nothing. */
static const irl_expr *irl__minmax_distribute(irl__analyzer *an, const irl__minmax *m)
{
    irl_op          other = irl__choice_opposite(m->op);
    const irl_expr *a = m->leaf[0], *b = m->leaf[1];
    if (m->count != 2 || a->op != other || b->op != other) return NULL;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (a->a[i] == b->a[k])
                return irl__make2(
                    an, other,
                    irl__simplify_node(an, irl__make2(an, m->op, a->a[1 - i], b->a[1 - k])),
                    a->a[i]);
    return NULL;
}

/* All leaves are divided by the same constant. */
static const irl_expr *irl__minmax_divisor(irl__analyzer *an, const irl__minmax *m)
{
    irl__minmax inner = *m;
    for (int k = 0; k < m->count; k++) {
        const irl_expr *e = m->leaf[k];
        if (e->op != IRL_OP_FLOORDIV || e->a[1] != m->leaf[0]->a[1] || e->a[1]->op != IRL_OP_INT ||
            e->a[1]->u.i <= 0)
            return NULL;
        inner.leaf[k] = e->a[0];
    }
    return irl__simplify_node(
        an, irl__make2(an, IRL_OP_FLOORDIV, irl__minmax_build(an, &inner), m->leaf[0]->a[1]));
}

/* coef of `atom` in s, 0 if it is not there. */
static int64_t irl__minmax_coef(const irl__analyzer *an, const irl__sum *s, const irl_expr *atom)
{
    for (int k = 0; k < s->count; k++)
        if (an->terms[s->first + k].atom == atom) return an->terms[s->first + k].coef;
    return 0;
}

/* The leaves as sums on the stack. */
static int irl__minmax_sums(irl__analyzer *an, const irl__minmax *m, irl__sum *s)
{
    for (int k = 0; k < m->count; k++) {
        s[k] = irl__sum_begin(an, m->leaf[0]->type);
        if (!irl__sum_add_done(an, &s[k], m->leaf[k], 1)) return 0;
        irl__sum_compact(an, &s[k]);
    }
    return 1;
}

/* Whether every coefficient of every leaf without the common part is negative, none positive, and
   every constant has a negation. */
static int irl__minmax_negative(const irl__analyzer *an, const irl__sum *s, int count)
{
    int i, k, any = 0;
    for (i = 0; i < count; i++) {
        if (s[i].constant == INT64_MIN) return 0;
        for (k = 0; k < s[i].count; k++) {
            if (an->terms[s[i].first + k].coef > 0) return 0;
            any |= an->terms[s[i].first + k].coef < 0;
        }
    }
    return any;
}

/* Common terms and scale outside; NULL if there are none. */
static const irl_expr *irl__minmax_common(irl__analyzer *an, const irl__minmax *m)
{
    irl__sum        s[IRL__MINMAX_LEAVES], common, out;
    irl__minmax     inner = *m;
    const irl_expr *e = NULL;
    int64_t         g = 0;
    int             i, k, ok, shared = 0, flip;
    common = irl__sum_begin(an, m->leaf[0]->type);
    ok = irl__minmax_sums(an, m, s);
    for (k = 0; ok && k < s[0].count; k++) { /* taken out of the leaves first, noted by a copy */
        irl__term t = an->terms[s[0].first + k];
        for (i = 1; i < m->count && irl__minmax_coef(an, &s[i], t.atom) == t.coef; i++) continue;
        if (i < m->count) continue;
        shared++;
        for (i = 1; i < m->count; i++) {
            for (int j = 0; j < s[i].count; j++)
                if (an->terms[s[i].first + j].atom == t.atom) an->terms[s[i].first + j].coef = 0;
        }
        an->terms[s[0].first + k].coef = 0;
        /* grows at the end of the stack: one sum of single terms */
        out = irl__sum_begin(an, common.type);
        if (!irl__sum_add_term(an, &out, t.atom, t.coef)) ok = 0;
    }
    for (i = 0; ok && i < m->count; i++)
        g = irl__sum_gcd(an, &s[i], irl__gcd64(g, s[i].constant == INT64_MIN ? 1 : s[i].constant));
    flip = ok && irl__minmax_negative(an, s, m->count);
    if (ok && (shared || g > 1 || flip)) {
        int first_shared = s[m->count - 1].first + s[m->count - 1].count;
        if (g == 0) g = 1;
        if (flip) {
            g = -g;
            inner.op = irl__choice_opposite(m->op);
        }
        for (i = 0; ok && i < m->count; i++) {
            irl__sum part = irl__sum_begin(an, common.type);
            for (k = 0; ok && k < s[i].count; k++)
                ok = irl__sum_add_term(an, &part, an->terms[s[i].first + k].atom,
                                       an->terms[s[i].first + k].coef / g);
            part.constant = s[i].constant / g;
            inner.leaf[i] = ok ? irl__sum_emit(an, &part) : NULL;
            irl__sum_end(an, &part);
            ok = inner.leaf[i] != NULL;
        }
        e = ok ? irl__minmax_build(an, &inner) : NULL;
        if (e) {
            out = irl__sum_begin(an, common.type);
            ok = irl__sum_add_term(an, &out, e, g);
            for (k = 0; ok && k < shared; k++)
                ok = irl__sum_add_term(an, &out, an->terms[first_shared + k].atom,
                                       an->terms[first_shared + k].coef);
            e = ok ? irl__sum_emit_terms(an, &out) : NULL;
        }
    }
    irl__sum_end(an, &common);
    return e;
}

const irl_expr *irl__simplify_minmax(irl__analyzer *an, const irl_expr *e)
{
    irl__minmax m;
    if (e->type.lanes != 1 || e->type.scalar == IRL_U64) return e;
    m.op = (irl_op)e->op;
    m.count = 0;
    if (!irl__minmax_collect(&m, e)) return e;
    /* Drops what another leaf makes superfluous. */
    int n;
    for (int i = 0; i < m.count; i++)
        for (int k = 0; k < m.count; k++) {
            const irl_expr *x = m.leaf[i], *y = m.leaf[k];
            if (k == i || (x != y && irl__decide_le_within(an, m.op == IRL_OP_MIN ? x : y,
                                                           m.op == IRL_OP_MIN ? y : x, 3) <= 0))
                continue;
            for (n = k; n + 1 < m.count; n++) m.leaf[n] = m.leaf[n + 1]; /* x decides, y goes */
            m.count--;
            if (k < i) i--;
            k--;
        }
    if (m.count == 1) return m.leaf[0];
    const irl_expr *r = irl__minmax_build(an, &m);
    if (!r || !irl__type_is_index(e->type)) return r;
    const irl_expr *shorter = irl__minmax_distribute(an, &m);
    if (!shorter) shorter = irl__minmax_divisor(an, &m);
    if (!shorter) shorter = irl__minmax_common(an, &m);
    return shorter && shorter->size < r->size ? shorter : an->too_big ? NULL : r;
}
