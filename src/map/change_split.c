/* change_split.c - a variable of which only quotients and remainders are used becomes its digits.

   needs     change_uses.c
   promises  v = d0 + d1*c1 + d2*c2 + ... with c1 | c2 | ..., and every use of v is a sum of its
             digits. If the last divisor does not divide the extent, the last digit has values that
             v does not have: v is checked */
#include "change.h"

enum { IRL__CUTS_CUTS = 64, IRL__CUTS_USES = 256 };

/* (v % to) / from: the digits of v between two cuts; to NULL: all above. */
typedef struct irl__cuts_use {
    int             part, alive;
    const irl_expr *from, *to;
} irl__cuts_use;

typedef struct irl__cuts {
    irl__uses    *u;
    int           count;
    irl__cuts_use use[IRL__CUTS_USES];
    int           plain[IRL__CHANGE_ALIVE]; /* used otherwise too: see irl__cuts_plain */
    /* of one variable: where it is cut, 1 first, each a divisor of the next; and its digits */
    int             cut_count;
    const irl_expr *cut[IRL__CUTS_CUTS], *digit[IRL__CUTS_CUTS];
} irl__cuts;

/* ------------------------------------------------------------------ the uses */

/* A divisor made of parameters, at least 1. */
static int irl__cuts_divides(const irl__uses *u, const irl_expr *e)
{
    if (e->op == IRL_OP_INT) return e->u.i >= 1;
    return !irl__uses_moves(u, e) && irl__interval_of(u->c->an, e).lo >= 1;
}

/* Quotients and remainders, one of the other: v/a/b is v/(a*b), (v/a)%b is v%(a*b)/a. The part's
   variable; -1: it is no such chain. */
static int irl__cuts_chain(const irl__uses *u, const irl_expr *e, irl__cuts_use *use)
{
    irl__change *c = u->c;
    if (e->op != IRL_OP_FLOORDIV && e->op != IRL_OP_FLOORMOD) {
        use->from = c->one;
        use->to = NULL;
        return irl__change_variable(u, e);
    }
    if (!irl__cuts_divides(u, e->a[1])) return -1;
    int alive = irl__cuts_chain(u, e->a[0], use);
    if (alive < 0) return -1;
    if (e->op == IRL_OP_FLOORDIV) {
        use->from = irl__change_mul(c, use->from, e->a[1]);
        if (use->to && !irl__change_quotient(c, use->to, use->from)) return -1;
    } else {
        const irl_expr *to = irl__change_mul(c, use->from, e->a[1]);
        if (use->to && irl__change_quotient(c, to, use->to)) to = use->to;
        else if (use->to && !irl__change_quotient(c, use->to, to)) return -1;
        use->to = to;
        if (!to) return -1;
    }
    return use->from ? alive : -1;
}

/* What part `at` is of a variable: -1 if it is no quotient or remainder of one. */
static int irl__cuts_read(const irl__uses *u, int at, irl__cuts_use *use)
{
    const irl_expr *e = u->list[at].e;
    if (e->op != IRL_OP_FLOORDIV && e->op != IRL_OP_FLOORMOD) return -1;
    use->part = at;
    use->alive = irl__cuts_chain(u, e, use);
    return use->alive;
}

/* e, where it is a variable, is used as it is: in a sum, 1; elsewhere, 2. */
static void irl__cuts_plain(irl__cuts *s, const irl_expr *e, int how)
{
    int k = e->op == IRL_OP_VAR ? irl__change_variable(s->u, e) : -1;
    if (k >= 0) s->plain[k] |= how;
}

static void irl__cuts_collect(irl__cuts *s)
{
    irl__uses *u = s->u;
    int        i;
    for (int at = 0; at < u->count; at++) {
        if (s->count < IRL__CUTS_USES && irl__cuts_read(u, at, &s->use[s->count]) >= 0) {
            s->count++;
            continue;
        }
        for (i = 0; i < (int)u->list[at].e->count; i++)
            irl__cuts_plain(s, u->list[at].e->a[i], u->list[at].is_sum ? 1 : 2);
    }
    for (i = 0; i < u->c->output_count; i++) irl__cuts_plain(s, u->c->outputs[i], 2);
}

/* ------------------------------------------------------------------ the cuts */

static int irl__cuts_add(irl__cuts *s, const irl_expr *cut)
{
    if (!cut) return 0;
    for (int k = 0; k < s->cut_count; k++)
        if (s->cut[k] == cut) return 1;
    if (s->cut_count == IRL__CUTS_CUTS) return 0;
    s->cut[s->cut_count++] = cut;
    return 1;
}

/* The next cut: it divides all later ones. */
static int irl__cuts_next(irl__cuts *s, int from)
{
    int k, i, least = from;
    for (k = from; k < s->cut_count; k++) {
        if (s->cut[k]->op != IRL_OP_INT) break;
        if (s->cut[k]->u.i < s->cut[least]->u.i) least = k;
    }
    if (k == s->cut_count) return least;
    for (k = from; k < s->cut_count; k++) {
        for (i = from; i < s->cut_count; i++)
            if (i != k && !irl__change_quotient(s->u->c, s->cut[i], s->cut[k])) break;
        if (i == s->cut_count) return k;
    }
    return -1;
}

/* The cuts of a variable in order; false where they are no chain of divisors. */
static int irl__cuts_of(irl__cuts *s, int alive)
{
    irl__change *c = s->u->c;
    int          k;
    s->cut_count = 0;
    if (!irl__cuts_add(s, c->one)) return 0;
    for (k = 0; k < s->count; k++) {
        const irl__cuts_use *use = &s->use[k];
        if (use->alive != alive) continue;
        if (!irl__cuts_add(s, use->from) || (use->to && !irl__cuts_add(s, use->to))) return 0;
    }
    /* A cut above an extent that is a number is none. */
    const irl_expr *extent = c->vars[s->u->alive[alive]].extent;
    int             j, n = 0;
    for (j = 0; j < s->cut_count; j++)
        if (extent->op != IRL_OP_INT || s->cut[j]->op != IRL_OP_INT ||
            s->cut[j]->u.i < extent->u.i || s->cut[j] == s->u->c->one)
            s->cut[n++] = s->cut[j];
    s->cut_count = n;
    for (int at = 1; at < s->cut_count; at++) {
        k = irl__cuts_next(s, at);
        if (k < 0) return 0;
        const irl_expr *cut = s->cut[k];
        s->cut[k] = s->cut[at];
        s->cut[at] = cut;
        if (!irl__change_quotient(c, cut, s->cut[at - 1])) return 0;
    }
    return 1;
}

/* ------------------------------------------------------------------ the digits */

/* d[from]*cut[from]/over + ... up to d[to - 1]. */
static const irl_expr *irl__cuts_sum(irl__cuts *s, int from, int to, const irl_expr *over)
{
    irl__change    *c = s->u->c;
    const irl_expr *e = NULL, *t;
    for (int k = to - 1; k >= from; k--) {
        const irl_expr *scale = irl__change_quotient(c, s->cut[k], over);
        t = scale == c->one ? s->digit[k] : irl__change_op(c, IRL_OP_MUL, s->digit[k], scale);
        e = e ? irl__change_op(c, IRL_OP_ADD, e, t) : t;
        if (!e) return NULL;
    }
    return e ? e : c->zero;
}

/* The number of a cut; how many there are where it was dropped. */
static int irl__cuts_find(const irl__cuts *s, const irl_expr *cut)
{
    int k;
    for (k = 0; k < s->cut_count && s->cut[k] != cut; k++) continue;
    return k;
}

static int irl__cuts_variable(irl__cuts *s, int alive)
{
    irl__change     *c = s->u->c;
    irl__change_var *v = &c->vars[s->u->alive[alive]];
    if (!irl__cuts_of(s, alive) || c->count + s->cut_count > c->capacity) return 0;
    const irl_expr *last = s->cut[s->cut_count - 1];
    int             whole = irl__change_quotient(c, v->extent, last) != NULL;
    if (!whole && c->exact) return 0;
    for (int k = 0; k < s->cut_count; k++) {
        const irl_expr *extent = k + 1 < s->cut_count
                                     ? irl__change_quotient(c, s->cut[k + 1], s->cut[k])
                                     : irl__change_ceil(c, v->extent, last);
        s->digit[k] = extent ? irl__change_new(c, extent) : NULL;
        if (!s->digit[k]) return c->failed = 1;
    }
    irl__change_replace(c, s->u->alive[alive], irl__cuts_sum(s, 0, s->cut_count, c->one), !whole);
    for (int k = 0; k < s->count; k++)
        if (s->use[k].alive == alive) {
            int from = irl__cuts_find(s, s->use[k].from),
                to = s->use[k].to ? irl__cuts_find(s, s->use[k].to) : s->cut_count;
            s->u->list[s->use[k].part].now =
                from >= to ? s->u->c->zero : irl__cuts_sum(s, from, to, s->use[k].from);
            c->failed |= !(s->u->list[s->use[k].part].now != NULL);
        }
    if (s->plain[alive]) s->u->list[s->u->part[alive]].now = v->value;
    c->failed |= !v->value;
    return 1;
}

int irl__change_split(irl__uses *u, int in_sums)
{
    irl__arena_mark mark = irl__scratch_begin(u->c->cx);
    irl__cuts      *s = (irl__cuts *)irl__scratch_room(u->c->cx, 1, sizeof *s);
    int             i, n = 0;
    if (s) {
        s->u = u;
        s->count = 0;
        memset(s->plain, 0, (size_t)u->alive_count * sizeof *s->plain);
        irl__cuts_collect(s);
    }
    for (int k = 0; s && k < u->alive_count && irl__ok(u->c->cx); k++) {
        for (i = 0; i < s->count && s->use[i].alive != k; i++) continue;
        if (i < s->count && s->plain[k] <= in_sums) n += irl__cuts_variable(s, k);
    }
    irl__scratch_end(u->c->cx, mark);
    return n;
}
