/* modular.c - divisibility: what remainder an expression leaves.

   needs     the analyzer
   promises  e = coef*k + base for some integer k, always. Integers of fixed width are included if
             they cannot wrap. */
#include "engine.h"

static irl__residues irl__residues_make(int64_t coef, int64_t base)
{
    irl__residues r;
    if (coef < 0) coef = coef == INT64_MIN ? 1 : -coef;
    r.coef = coef;
    r.base = base;
    if (coef) (void)irl__floormod64(base, coef, &r.base);
    return r;
}

irl__residues irl__residues_any(void) { return irl__residues_make(1, 0); }
static int64_t irl__gcd_of(int64_t a, int64_t b)
{
    return a == INT64_MIN || b == INT64_MIN ? 1 : irl__gcd64(a, b);
}

static irl__residues irl__residues_add(irl__residues a, irl__residues b, int64_t sign)
{
    int64_t t, base;
    if (!irl__mul64(b.base, sign, &t) || !irl__add64(a.base, t, &base)) return irl__residues_any();
    return irl__residues_make(irl__gcd_of(a.coef, b.coef), base);
}

/* (ca*k + a)(cb*l + b) = ca*cb*kl + ca*b*k + a*cb*l + a*b */
static irl__residues irl__residues_mul(irl__residues a, irl__residues b)
{
    int64_t p, q, r, base;
    if (!irl__mul64(a.coef, b.coef, &p) || !irl__mul64(a.coef, b.base, &q) ||
        !irl__mul64(a.base, b.coef, &r) || !irl__mul64(a.base, b.base, &base))
        return irl__residues_any();
    return irl__residues_make(irl__gcd_of(irl__gcd_of(p, q), r), base);
}

/* Either of two: what both have in common. */
static irl__residues irl__residues_join(irl__residues a, irl__residues b)
{
    int64_t d;
    if (!irl__sub64(a.base, b.base, &d)) return irl__residues_any();
    return irl__residues_make(irl__gcd_of(irl__gcd_of(a.coef, b.coef), d), a.base);
}

static irl__residues irl__residues_div(irl__residues a, int64_t c)
{
    if (c <= 0) return irl__residues_any();
    if (a.coef == 0) {
        int64_t q = 0;
        (void)irl__floordiv64(a.base, c, &q);
        return irl__residues_make(0, q);
    }
    return a.coef % c == 0 ? irl__residues_make(a.coef / c, a.base / c) : irl__residues_any();
}

static irl__residues irl__residues_mod(irl__residues a, int64_t c)
{
    if (c <= 0) return irl__residues_any();
    return irl__residues_make(a.coef % c == 0 ? 0 : irl__gcd_of(a.coef, c),
                              a.coef % c == 0 ? a.base % c + (a.base % c < 0 ? c : 0) : a.base);
}

irl__residues irl__modular_of(irl__analyzer *an, const irl_expr *e)
{
    irl__residues a;
    if (!e) return irl__residues_any();
    if (e->op == IRL_OP_INT) return irl__residues_make(0, e->u.i);
    if (e->type.lanes != 1 || !irl__type_is_integer(e->type) || e->type.scalar == IRL_U64)
        return irl__residues_any();
    if (!irl__work(an->cx, 16)) return irl__residues_any();
    const irl__known *known = irl__known_find(an, e);
    if (known && known->equal) return irl__modular_of(an, known->equal);
    switch (e->op) {
    case IRL_OP_ADD: case IRL_OP_SUB: case IRL_OP_MUL: case IRL_OP_NEG: case IRL_OP_SHL:
        if (!irl__is_exact(an, e)) return irl__residues_any();
        break;
    default: break;
    }
    switch (e->op) {
    case IRL_OP_ADD:
        return irl__residues_add(irl__modular_of(an, e->a[0]), irl__modular_of(an, e->a[1]), 1);
    case IRL_OP_SUB:
        return irl__residues_add(irl__modular_of(an, e->a[0]), irl__modular_of(an, e->a[1]), -1);
    case IRL_OP_NEG:
        return irl__residues_add(irl__residues_make(0, 0), irl__modular_of(an, e->a[0]), -1);
    case IRL_OP_MUL:
        return irl__residues_mul(irl__modular_of(an, e->a[0]), irl__modular_of(an, e->a[1]));
    case IRL_OP_FLOORDIV:
    case IRL_OP_FLOORMOD:
    case IRL_OP_TRUNCDIV:
    case IRL_OP_TRUNCMOD: {
        const int truncates = e->op == IRL_OP_TRUNCDIV || e->op == IRL_OP_TRUNCMOD;
        if (e->a[1]->op != IRL_OP_INT) return irl__residues_any();
        a = irl__modular_of(an, e->a[0]);
        if (truncates && a.base != 0 && irl__range_of(an, e->a[0]).lo < 0)
            return irl__residues_any();
        return e->op == IRL_OP_FLOORDIV || e->op == IRL_OP_TRUNCDIV
                   ? irl__residues_div(a, e->a[1]->u.i)
                   : irl__residues_mod(a, e->a[1]->u.i);
    }
    case IRL_OP_SHL:
    case IRL_OP_SHR: {
        if (e->a[1]->op != IRL_OP_INT || e->a[1]->u.i < 0 || e->a[1]->u.i >= 63)
            return irl__residues_any();
        const int64_t by = INT64_C(1) << e->a[1]->u.i;
        a = irl__modular_of(an, e->a[0]);
        return e->op == IRL_OP_SHR ? irl__residues_div(a, by)
                                   : irl__residues_mul(a, irl__residues_make(0, by));
    }
    case IRL_OP_MIN:
    case IRL_OP_MAX:
        return irl__residues_join(irl__modular_of(an, e->a[0]), irl__modular_of(an, e->a[1]));
    case IRL_OP_SELECT:
    case IRL_OP_IF_THEN_ELSE:
        return irl__residues_join(irl__modular_of(an, e->a[1]), irl__modular_of(an, e->a[2]));
    case IRL_OP_LET: return irl__modular_of(an, e->a[2]);
    case IRL_OP_CAST: {
        const irl_expr *from = irl__cast_source(an, e);
        return from ? irl__modular_of(an, from) : irl__residues_any();
    }
    default: return irl__residues_any();
    }
}
