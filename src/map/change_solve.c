/* change_solve.c - the variables that are left, from the values of the outputs.

   needs     change_sum.c
   promises  an output gives the variables in it that are not known yet, where those that are known
             are given; so the outputs give all of them. What an output says beyond that is a check

     sum       s1*u1 + s2*u2 + ... + o, strides over what is smaller       digits of y - o
     window    the same % m, reaching no more than m                       digits of (y - o) % m
     rotated   (c*u + o) % m, c*d = 1 modulo m, u < m                      u = d*(y - o) % m
     flipped   p ^ o                                                       p = y ^ o
     chosen    select(o, p, q) over one variable                           by o, from p or q
     known     o                                                           nothing: y == o */
#include "change.h"

typedef struct irl__solving {
    irl__uses      *u;
    irl__holds      known;
    const irl_expr *cell, *box; /* of the output at hand */
} irl__solving;

/* ------------------------------------------------------------------ what is known */

/* Unknown variables in part e: how many, one of them. */
static int irl__solving_unknown(const irl__solving *s, const irl_expr *e, int *one)
{
    int at = irl__uses_find(s->u, e), k, n = 0;
    if (at < 0) return 0;
    for (k = 0; k < s->u->alive_count; k++) {
        const uint64_t holds = s->u->list[at].holds.bits[k >> 6] & ~s->known.bits[k >> 6];
        if (!(holds >> (k & 63) & 1)) continue;
        *one = k;
        n++;
    }
    return n;
}

static void irl__solving_learn(irl__solving *s, int alive, const irl_expr *value, int checked)
{
    irl__change     *c = s->u->c;
    irl__change_var *v = &c->vars[s->u->alive[alive]];
    v->value = value;
    v->checked = (unsigned char)(checked != 0);
    c->solved[c->solved_count++] = s->u->alive[alive];
    irl__holds_put(&s->known, alive);
}

/* The terms that are not known, which must be variables: a bit each, 0 if some is not. */
static uint64_t irl__solving_terms(const irl__solving *s, const irl__change_sum *sum)
{
    uint64_t which = 0;
    int      one;
    for (int k = 0; k < sum->count; k++) {
        if (!irl__solving_unknown(s, sum->term[k].atom, &one)) continue;
        if (sum->term[k].alive < 0) return 0;
        which |= UINT64_C(1) << k;
    }
    return which;
}

/* ------------------------------------------------------------------ sums */

/* The digits of `of`: 1 learned, 0 failed. in_box: no value of it lies outside of the digits. */
static int irl__solving_digits(irl__solving *s, const irl__change_sum *sum,
                               const irl__change_digits *d, const irl_expr *of, int in_box)
{
    irl__change    *c = s->u->c;
    const irl_expr *value[IRL__CHANGE_TERMS], *rest;
    int             k, top = d->count - 1;
    if (!of || !irl__change_digits_values(s->u, sum, d, of, value, &rest)) return 0;
    for (k = top; k >= 0; k--) {
        int gap = k < top ? d->digit[k].gap || d->digit[k + 1].gap : !in_box;
        irl__solving_learn(s, sum->term[d->digit[k].term].alive, value[k], gap);
    }
    return !rest || irl__change_check(c, irl__change_op(c, IRL_OP_EQ, rest, c->zero));
}

/* y less what is known of the sum and what its digits begin with. */
static const irl_expr *irl__solving_rest(irl__solving *s, const irl__change_sum *sum,
                                         uint64_t which, const irl_expr *least, const irl_expr *y)
{
    irl__change_sum known = *sum;
    known.base = irl__change_add(s->u->c, sum->base, least);
    const irl_expr *e = known.base ? irl__change_sum_part(s->u, &known, ~which, 1) : NULL;
    if (!e || e == s->u->c->zero) return e ? y : NULL;
    return irl__change_op(s->u->c, IRL_OP_SUB, y, e);
}

/* (c*u + o) % m, the only unknown is u: with g = gcd(c, m), u is known modulo m/g, and y - o is a
   multiple of g. */
static int irl__solving_rotated(irl__solving *s, const irl__change_sum *sum, uint64_t which,
                                const irl_expr *m, const irl_expr *y)
{
    irl__change *c = s->u->c;
    int          k;
    for (k = 0; !(which >> k & 1); k++) continue;
    if (which >> k != 1 || sum->term[k].coef->op != IRL_OP_INT || m->op != IRL_OP_INT) return -1;
    const irl__change_var *v = &c->vars[s->u->alive[sum->term[k].alive]];
    int64_t                g = irl__gcd64(sum->term[k].coef->u.i, m->u.i);
    int64_t                n = m->u.i / g;
    int64_t                d = n > 1 ? irl__reciprocal64(sum->term[k].coef->u.i / g, n) : 0;
    if (d == 0 || !irl__change_le(c, v->extent, irl_expr_index(c->cx, n))) return -1;
    const irl_expr *of = irl__solving_rest(s, sum, which, c->zero, y);
    of = irl__change_op(c, IRL_OP_FLOORMOD, of, m);
    if (of && g > 1) {
        const irl_expr *least = irl__change_op(c, IRL_OP_FLOORMOD, of, irl_expr_index(c->cx, g));
        least = irl__change_op(c, IRL_OP_EQ, least, c->zero);
        if (!irl__change_check(c, least)) return 0;
        of = irl__change_op(c, IRL_OP_FLOORDIV, of, irl_expr_index(c->cx, g));
    }
    if (of && d != 1) of = irl__change_times(c, of, d, n);
    irl__solving_learn(s, sum->term[k].alive, of, 1); /* NULL: by no formula */
    return 1;
}

/* ------------------------------------------------------------------ one output */

static int irl__solving_part(irl__solving *s, const irl_expr *e, const irl_expr *y);

/* select(o, p, q) over one unknown variable: what p and q say of it, by o. */
static int irl__solving_choice(irl__solving *s, const irl_expr *e, const irl_expr *y)
{
    irl__change    *c = s->u->c;
    irl__holds      known = s->known;
    const irl_expr *value[3];
    int             k, one, arm, ok = 1, solved = c->solved_count, checks = c->check_count;
    if (irl__solving_unknown(s, e->a[0], &k) || irl__solving_unknown(s, e, &one) != 1) return -1;
    irl__change_var *v = &c->vars[s->u->alive[one]];
    value[0] = e->a[0];
    for (arm = 1; ok > 0 && arm <= 2; arm++) {
        ok = irl__solving_unknown(s, e->a[arm], &k) == 1 ? irl__solving_part(s, e->a[arm], y) : -1;
        value[arm] = v->value;
        s->known = known;
        c->solved_count = solved;
        c->check_count = checks;
        v->value = NULL;
    }
    if (ok <= 0) return ok;
    value[0] = irl__expr_op(c->cx, IRL_OP_SELECT, 3, value, irl__nowhere());
    if (!value[0]) return 0;
    irl__solving_learn(s, one, value[0], 1);
    return irl__change_check(c, irl__change_op(c, IRL_OP_EQ, e, y));
}

static int irl__solving_by_form(irl__solving *s, const irl_expr *e, const irl_expr *y)
{
    switch (e->op) {
    case IRL_OP_BITXOR: {
        int one;
        for (int side = 0; side < 2; side++)
            if (!irl__solving_unknown(s, e->a[1 - side], &one))
                return irl__solving_part(s, e->a[side],
                                         irl__change_op(s->u->c, IRL_OP_BITXOR, y, e->a[1 - side]));
        return -1;
    }
    case IRL_OP_SELECT:
    case IRL_OP_IF_THEN_ELSE: return irl__solving_choice(s, e, y);
    case IRL_OP_VAR:
    case IRL_OP_ADD:
    case IRL_OP_SUB:
    case IRL_OP_NEG:
    case IRL_OP_MUL:
    case IRL_OP_FLOORMOD: {
        irl__change       *c = s->u->c;
        const irl_expr    *m = e->op == IRL_OP_FLOORMOD ? e->a[1] : NULL, *of;
        irl__change_sum    sum;
        irl__change_digits d;
        if (m && (irl__uses_moves(s->u, m) || irl__interval_of(c->an, m).lo < 1)) return -1;
        if (!irl__change_sum_of(s->u, m ? e->a[0] : e, &sum)) return -1;
        uint64_t which = irl__solving_terms(s, &sum);
        if (!which) return -1;
        if (!irl__change_digits_of(s->u, &sum, which, &d) || (m && !irl__change_le(c, d.reach, m)))
            return m ? irl__solving_rotated(s, &sum, which, m, y) : -1;
        of = irl__solving_rest(s, &sum, which, d.least, y);
        if (m) of = irl__change_op(c, IRL_OP_FLOORMOD, of, m);
        return irl__solving_digits(s, &sum, &d, of,
                                   (m || of == s->cell) &&
                                       irl__change_same(c, d.reach, m ? m : s->box));
    }
    default: return -1;
    }
}

/* e == y, where e has unknown variables. 1 they are known now, 0 failed, -1 not. */
static int irl__solving_part(irl__solving *s, const irl_expr *e, const irl_expr *y)
{
    int ok = y ? irl__solving_by_form(s, e, y) : 0;
    /* One unknown variable, for which e maps one to one onto the same values, or onto more. */
    if (ok >= 0) return ok;
    irl__change    *c = s->u->c;
    const irl_expr *back, *extent, *wanted = NULL;
    int             one;
    if (irl__solving_unknown(s, e, &one) != 1) return -1;
    extent = c->vars[s->u->alive[one]].extent;
    int found = irl__change_back(s->u, e, one, extent, y, &back, &wanted);
    if (!found && wanted) found = irl__change_back(s->u, e, one, wanted, y, &back, &wanted);
    if (!found) return -1;
    irl__solving_learn(s, one, back, 1);
    return irl__change_check(c, irl__change_op(c, IRL_OP_EQ, e, y));
}

static int irl__solving_output(irl__solving *s, const irl_expr *e, const irl_expr *cell,
                               const irl_expr *box)
{
    int one;
    s->cell = cell;
    s->box = box;
    if (irl__solving_unknown(s, e, &one)) return irl__solving_part(s, e, cell);
    return irl__change_check(s->u->c, irl__change_op(s->u->c, IRL_OP_EQ, e, cell));
}

/* Outputs whose variables became known by others are asked again, in both directions. */
static int irl__solving_run(irl__solving *s, const irl_expr *const *cells,
                            const irl_expr *const *box)
{
    irl__change *c = s->u->c;
    int          done[IRL_MAX_RANK], left = c->output_count, before = left + 1, i, k, ok, up = 1;
    memset(done, 0, sizeof done);
    for (; left && left < before; up = !up)
        for (before = left, i = 0; i < c->output_count; i++) {
            k = up ? i : c->output_count - 1 - i;
            if (done[k]) continue;
            ok = irl__solving_output(s, c->outputs[k], cells[k], box[k]);
            if (ok == 0) return 0;
            done[k] = ok > 0;
            left -= ok > 0;
        }
    return left ? -1 : 1;
}

int irl__change_solve(irl__change *c, const irl_expr *const *cells, const irl_expr *const *box)
{
    irl__arena_mark mark = irl__scratch_begin(c->cx);
    irl__uses       u;
    irl__solving    s;
    int             k, ok = irl__uses_make(&u, c);
    memset(&s, 0, sizeof s);
    s.u = &u;
    if (ok > 0) ok = irl__solving_run(&s, cells, box);
    for (k = 0; ok > 0 && k < u.alive_count; k++)
        if (!irl__holds_one(&s.known, k)) ok = -1; /* in no output */
    irl__scratch_end(c->cx, mark);
    return irl__ok(c->cx) ? (ok ? ok : -1) : 0;
}
