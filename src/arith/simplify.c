/* simplify.c - makes a shorter expression of the same value: the driver of the rules.

   needs     all rules: the files above
   promises  same type, same number over the integers wherever the given one has a value (keep.c
             checks an expression that is to be evaluated); memory is read neither more often nor
             elsewhere; floating point is never reassociated. An expression that would grow beyond
             the limits of the IR, or whose constants would leave 64 bits, is returned as it was
   cost      linear in the nodes, with a cache of the results; a sum of n terms costs n*n/2
             comparisons of pointers */
#include "engine.h"

/* ------------------------------------------------------------------ constants */

static irl__scalar irl__simplify_scalar(const irl_expr *e)
{
    irl__scalar s;
    if (e->op == IRL_OP_INT) s.i = e->u.i;
    else s.f = e->u.f;
    return s;
}

static const irl_expr *irl__simplify_constant(irl_ctx *cx, irl_type type, irl__scalar s)
{
    if (irl__type_is_real(type)) return irl_expr_float(cx, type, s.f);
    return irl_expr_int(cx, type, s.i);
}

/* Results that the device may flush to zero, and those of inexact functions, are left to the
   device. */
static int irl__simplify_exactly(irl_op op, irl_type type, irl__scalar result)
{
    const double least = type.scalar == IRL_F16 ? 1e-4 : 1e-30;
    if (!irl__type_is_float(type)) return 1;
    switch (op) {
    case IRL_OP_ADD:
    case IRL_OP_SUB:
    case IRL_OP_MUL:
    case IRL_OP_DIV:
    case IRL_OP_NEG:
    case IRL_OP_ABS:
    case IRL_OP_MIN:
    case IRL_OP_MAX: break;
    default: return 0;
    }
    if (!(result.f - result.f == 0)) return 0;
    return result.f == 0 || result.f > least || result.f < -least;
}

/* The value of a table operator over constants; NULL if it has none or must not be computed
   here. */
static const irl_expr *irl__simplify_fold(irl__analyzer *an, const irl_expr *e)
{
    irl__scalar a[3], r;
    irl__rule   rule = irl__op_info((irl_op)e->op)->rule;
    if (e->count == 0 || e->count > 3 || e->type.lanes != 1) return NULL;
    for (uint32_t k = 0; k < e->count; k++) {
        if (!irl__is_const(e->a[k])) return NULL;
        a[k] = irl__simplify_scalar(e->a[k]);
    }
    if (e->op == IRL_OP_CAST)
        return irl__fold_cast(e->a[0]->type, e->type, a[0], &r) == IRL__FOLD_OK
                   ? irl__simplify_constant(an->cx, e->type, r)
                   : NULL;
    if (rule == IRL__OWN) return NULL;
    if (irl__fold_number((irl_op)e->op, e->a[0]->type, a, &r) != IRL__FOLD_OK) return NULL;
    if (rule != IRL__COMPARE && !irl__simplify_exactly((irl_op)e->op, e->type, r)) return NULL;
    return irl__simplify_constant(an->cx, e->type, r);
}

/* ------------------------------------------------------------------ operands first */

static const irl_expr *irl__simplify_operands(irl__analyzer *an, const irl_expr *e,
                                              irl__simplifier *each)
{
    const irl_expr *few[8], **operands = few;
    int             changed = 0;
    if (e->count == 0) return e;
    if (e->count > IRL__COUNTOF(few)) {
        operands = IRL__NEW(an->cx, const irl_expr *, e->count);
        if (!operands) return NULL;
    }
    for (uint32_t k = 0; k < e->count; k++) {
        operands[k] = each(an, e->a[k]);
        if (!operands[k]) return NULL;
        changed |= operands[k] != e->a[k];
    }
    return changed ? irl__make_with(an, e, operands) : e;
}

/* ------------------------------------------------------ integers that may wrap, floats, bits */

/* x + 0, x * 1 and the like, for types where nothing more is safe. A float keeps x + 0.0, which
   turns -0.0 into 0.0. */
static const irl_expr *irl__simplify_identities(irl__analyzer *an, const irl_expr *e)
{
    const irl_expr *a = e->count > 0 ? e->a[0] : NULL, *b = e->count > 1 ? e->a[1] : NULL;
    int             is_int = irl__type_is_integer(e->type) && e->type.lanes == 1;
    (void)an;
    if (!b) return e;
    switch (e->op) {
    case IRL_OP_ADD:
        if (is_int && irl__is_int(b, 0)) return a;
        if (is_int && irl__is_int(a, 0)) return b;
        break;
    case IRL_OP_SUB:
        if (is_int && irl__is_int(b, 0)) return a;
        if (is_int && a == b) return irl_expr_int(an->cx, e->type, 0);
        break;
    case IRL_OP_MUL:
        if (is_int && (irl__is_int(b, 1) || irl__is_int(a, 0))) return a;
        if (is_int && (irl__is_int(a, 1) || irl__is_int(b, 0))) return b;
        if (b->op == IRL_OP_FLOAT && b->u.f == 1.0) return a;
        if (a->op == IRL_OP_FLOAT && a->u.f == 1.0) return b;
        break;
    case IRL_OP_DIV:
        if (b->op == IRL_OP_FLOAT && b->u.f == 1.0) return a;
        break;
    case IRL_OP_FLOORDIV: case IRL_OP_TRUNCDIV:
        if (is_int && irl__is_int(b, 1)) return a;
        break;
    case IRL_OP_FLOORMOD: case IRL_OP_TRUNCMOD:
        if (is_int && irl__is_int(b, 1)) return irl_expr_int(an->cx, e->type, 0);
        break;
    default: break;
    }
    return e;
}

static int irl__simplify_log2(int64_t v, int64_t *log)
{
    int64_t k = 0;
    if (v <= 0 || (v & (v - 1)) != 0) return 0;
    while ((INT64_C(1) << k) != v) k++;
    *log = k;
    return 1;
}

/* Shifts and masks of indices as multiplications, divisions and remainders, which the rest of the
   room understands. */
static const irl_expr *irl__simplify_bits(irl__analyzer *an, const irl_expr *e)
{
    const irl_expr *a = e->a[0], *b = e->count > 1 ? e->a[1] : NULL;
    irl_ctx        *cx = an->cx;
    int64_t         log, mask;
    int plain = irl__type_is_index(e->type) ||
                (irl__type_is_integer(e->type) && irl__range_of(an, a).lo >= 0);
    if (b && a->op == IRL_OP_INT &&
        (e->op == IRL_OP_BITAND || e->op == IRL_OP_BITOR || e->op == IRL_OP_BITXOR) &&
        b->op != IRL_OP_INT)
        return irl__simplify_node(an, irl__make2(an, (irl_op)e->op, b, a));
    if (e->op == IRL_OP_BITXOR && a == b) return irl_expr_int(cx, e->type, 0);
    if (e->op == IRL_OP_BITXOR && a->op == IRL_OP_BITXOR && (a->a[0] == b || a->a[1] == b))
        return a->a[a->a[0] == b];
    if (e->op == IRL_OP_BITXOR && b && b->op == IRL_OP_BITXOR && (b->a[0] == a || b->a[1] == a))
        return b->a[b->a[0] == a];
    if ((e->op == IRL_OP_BITAND || e->op == IRL_OP_BITOR) && a == b) return a;
    if ((e->op == IRL_OP_BITOR || e->op == IRL_OP_BITXOR) && irl__type_is_index(e->type) &&
        (irl__possible_ones(an, a) & irl__possible_ones(an, b)) == 0) /* no bit in common: a sum */
        return irl__simplify_node(an, irl__make2(an, IRL_OP_ADD, a, b));
    if (!b || b->op != IRL_OP_INT) return e;
    if (b->u.i == 0) return e->op == IRL_OP_BITAND ? b : a;
    if (e->op == IRL_OP_BITAND && b->u.i == -1) return a;
    if (!plain || e->type.scalar == IRL_U64) return e;
    switch (e->op) {
    case IRL_OP_SHL:
        if (b->u.i < 0 || b->u.i > 62 || !irl__is_exact(an, e)) return e;
        return irl__simplify_node(
            an, irl__make2(an, IRL_OP_MUL, a, irl_expr_int(cx, e->type, INT64_C(1) << b->u.i)));
    case IRL_OP_SHR:
        if (b->u.i < 0 || b->u.i > 62) return e;
        if (irl__interval_type(e->type).hi < (INT64_C(1) << b->u.i)) return e;
        return irl__simplify_node(an, irl__make2(an, IRL_OP_FLOORDIV, a,
                                                 irl_expr_int(cx, e->type, INT64_C(1) << b->u.i)));
    case IRL_OP_BITAND:
        if (irl__add64(b->u.i, 1, &mask) && irl__simplify_log2(mask, &log) &&
            mask <= irl__interval_type(e->type).hi)
            return irl__simplify_node(
                an, irl__make2(an, IRL_OP_FLOORMOD, a, irl_expr_int(cx, e->type, mask)));
        if (irl__type_is_index(e->type) && irl__sub64(0, b->u.i, &mask) &&
            irl__simplify_log2(mask, &log)) /* x & ~15 */
            return irl__simplify_node(
                an, irl__make2(an, IRL_OP_MUL,
                               irl__make2(an, IRL_OP_FLOORDIV, a, irl_expr_index(cx, mask)),
                               irl_expr_index(cx, mask)));
        return e;
    default: return e;
    }
}

/* C's division by a constant, dividend of unknown sign. With c > 0, from truncdiv(-x, c) =
   -truncdiv(x, c):
     truncdiv(c*x, c) = x,  truncmod(c*x, c) = 0,  truncdiv(g*x, g*c) = truncdiv(x, c),
                            truncmod(g*x, g*c) = g*truncmod(x, c)
     truncdiv(truncdiv(x, a), c) = truncdiv(x, a*c),  truncdiv(x, -c) = -truncdiv(x, c),
     truncmod(x, -c) = truncmod(x, c)    */
static const irl_expr *irl__simplify_truncating_by(irl__analyzer *an, const irl_expr *e, int64_t c)
{
    irl__sum        s = irl__sum_begin(an, e->type);
    const irl_expr *a = e->a[0], *r = NULL;
    int             is_div = e->op == IRL_OP_TRUNCDIV;
    int64_t         product;
    if (c == 0 || c == INT64_MIN) return e;
    if (c < 0) {
        r = irl__make2(an, (irl_op)e->op, a, irl_expr_int(an->cx, e->type, -c));
        if (r && is_div) r = irl__make1(an, IRL_OP_NEG, r);
        return irl__simplify_node(an, r);
    }
    if (is_div && a->op == IRL_OP_TRUNCDIV && a->a[1]->op == IRL_OP_INT && a->a[1]->u.i > 0 &&
        irl__mul64(c, a->a[1]->u.i, &product))
        return irl__simplify_node(
            an, irl__make2(an, IRL_OP_TRUNCDIV, a->a[0], irl_expr_int(an->cx, e->type, product)));
    int ok = irl__sum_add_done(an, &s, a, 1);
    irl__sum_compact(an, &s);
    int64_t g = ok ? irl__sum_gcd(an, &s, c) : 1;
    if (g > 1 && s.constant % g == 0) {
        for (int k = 0; k < s.count; k++) an->terms[s.first + k].coef /= g;
        s.constant /= g;
        r = c == g && !is_div ? irl_expr_int(an->cx, e->type, 0) : irl__sum_emit(an, &s);
        if (r && c != g)
            r = irl__simplify_node(
                an, irl__make2(an, (irl_op)e->op, r, irl_expr_int(an->cx, e->type, c / g)));
        if (r && !is_div && c != g)
            r = irl__simplify_node(an,
                                   irl__make2(an, IRL_OP_MUL, r, irl_expr_int(an->cx, e->type, g)));
    }
    irl__sum_end(an, &s);
    return r ? r : an->too_big ? NULL : e;
}

/* C's division: floor division where the signs are known. */
static const irl_expr *irl__simplify_truncating(irl__analyzer *an, const irl_expr *e)
{
    irl_op        floor_op = e && e->op == IRL_OP_TRUNCDIV ? IRL_OP_FLOORDIV : IRL_OP_FLOORMOD;
    /* an identity has made it something else */
    if (!e || (e->op != IRL_OP_TRUNCDIV && e->op != IRL_OP_TRUNCMOD)) return e;
    if (e->type.scalar == IRL_U64 || e->type.lanes != 1) return e;
    irl__interval a = irl__range_of(an, e->a[0]);
    irl__interval b = irl__range_of(an, e->a[1]);
    if (a.lo >= 0 && b.lo >= 0)
        return irl__simplify_node(an, irl__make2(an, floor_op, e->a[0], e->a[1]));
    if (e->a[0] == e->a[1]) return irl_expr_int(an->cx, e->type, e->op == IRL_OP_TRUNCDIV);
    if (!irl__type_is_index(e->type) || e->a[1]->op != IRL_OP_INT) return e;
    return irl__simplify_truncating_by(an, e, e->a[1]->u.i);
}

/* ------------------------------------------------------------------ let */

/* What is known of a let's variable holds as long as the facts do that its value was simplified
   under: without facts for good, under facts while the body is simplified. */
static const irl_expr *irl__simplify_let_body(irl__analyzer *an, const irl_expr *e,
                                              const irl_expr *value)
{
    const irl__known *known = irl__known_find(an, e->a[0]);
    irl__known        before;
    memset(&before, 0, sizeof before);
    before.key = e->a[0];
    before.range = irl__interval_any();
    if (known) before = *known;
    if (!irl__bind_done(an, e->a[0], value)) return NULL;
    const irl_expr *body = irl__simplify_node(an, e->a[2]);
    irl__known *entry = irl__known_find(an, e->a[0]);
    if (entry && (an->fact_count || an->contradiction)) *entry = before;
    return body;
}

/* The body knows what the variable is; a let of a constant or a variable, or one that is not used,
   goes away. */
static const irl_expr *irl__simplify_let(irl__analyzer *an, const irl_expr *e)
{
    const irl_expr *value = irl__simplify_node(an, e->a[1]), *body = e->a[2], *operands[3];
    if (!value) return NULL;
    if (irl__is_const(value) || value->op == IRL_OP_VAR) {
        body = irl__substitute(an->cx, body, 1, &e->a[0], &value);
        return body ? irl__simplify_node(an, body) : NULL;
    }
    body = irl__simplify_let_body(an, e, value);
    if (!body) return NULL;
    if (!irl__expr_uses_var(body, e->a[0])) return body;
    operands[0] = e->a[0];
    operands[1] = value;
    operands[2] = body;
    return irl__make_with(an, e, operands);
}

/* ------------------------------------------------------------------ sums and divisions */

/* A product of variables is one term, however long. -1: it is no such product. */
static int irl__sum_add_variables(irl__analyzer *an, irl__sum *s, const irl_expr *e, int64_t scale)
{
    const irl_expr *f[IRL__FACTOR_LIMIT];
    int             n = 0;
    if (!irl__product_factors(e, f, &n)) return -1;
    for (int k = 0; k < n; k++)
        if (f[k]->op != IRL_OP_VAR || irl__simplify_node(an, f[k]) != f[k]) return -1;
    e = irl__product_ordered(an, f, n);
    return e && irl__sum_add_term(an, s, e, scale);
}

static int irl__sum_add_simplified(irl__analyzer *an, irl__sum *s, const irl_expr *e, int64_t scale)
{
    const irl_expr *r = irl__simplify_node(an, e);
    return r && irl__sum_add_done(an, s, r, scale);
}

/* What stands in index arithmetic and is neither a sum nor a multiple. */
static int irl__sum_add_factors(irl__analyzer *an, irl__sum *s, const irl_expr *e, int64_t scale)
{
    if (e->op != IRL_OP_MUL) return irl__sum_add_simplified(an, s, e, scale);
    int ok = irl__sum_add_variables(an, s, e, scale);
    return ok < 0 ? irl__sum_add_product(an, s, e->a[0], e->a[1], scale, irl__sum_add) : ok;
}

/* Index arithmetic is read as one sum, whatever its nesting; other types node by node, because each
   may wrap. */
int irl__sum_add(irl__analyzer *an, irl__sum *s, const irl_expr *e, int64_t scale)
{
    if (e && irl__type_is_index(e->type) && e->type.lanes == 1)
        return irl__sum_add_linear(an, s, e, scale, irl__sum_add_factors);
    return irl__sum_add_simplified(an, s, e, scale);
}

/* A type that wraps is not the integers: what is negative, or too large, on the way to the result
   means another number. So only sums of what is not negative are divided by a positive constant
   ... */
static int irl__div_allows(irl__analyzer *an, const irl__sum *s, const irl_expr *divisor)
{
    if (irl__type_is_index(s->type)) return 1;
    if (divisor->op != IRL_OP_INT || divisor->u.i <= 0 || s->constant < 0) return 0;
    for (int k = 0; k < s->count; k++)
        if (an->terms[s->first + k].coef < 0 ||
            irl__range_of(an, an->terms[s->first + k].atom).lo < 0)
            return 0;
    return 1;
}

static const irl_expr *irl__simplify_divmod(irl__analyzer *an, const irl_expr *e)
{
    irl__sum        s = irl__sum_begin(an, e->type);
    const irl_expr *r = NULL, *b = irl__simplify_node(an, e->a[1]);
    if (!b) return NULL;
    if (!irl__sum_add(an, &s, e->a[0], 1) || !irl__sum_merge(an, &s) || !irl__div_allows(an, &s, b))
        r = NULL;
    else {
        irl__sum d = irl__sum_begin(an, e->type);
        if (irl__sum_add_done(an, &d, b, 1)) r = irl__sum_divmod(an, (irl_op)e->op, &s, &d);
    }
    irl__sum_end(an, &s);
    return r && irl__stays_exact(an, r) ? r : NULL;
}

/* ------------------------------------------------------------------ the driver */

static const irl_expr *irl__simplify_sum(irl__analyzer *an, const irl_expr *e)
{
    irl__sum        s = irl__sum_begin(an, e->type);
    const irl_expr *r = NULL;
    if (irl__sum_add(an, &s, e, 1) && irl__sum_merge(an, &s)) r = irl__sum_emit(an, &s);
    irl__sum_end(an, &s);
    return r;
}

/* Also of a sum or division whose canonical form leaves 64 bits. */
const irl_expr *irl__simplify_plainly(irl__analyzer *an, const irl_expr *e, irl__simplifier *each)
{
    e = irl__simplify_operands(an, e, each);
    const irl_expr *folded = e ? irl__simplify_fold(an, e) : NULL;
    return folded || !e ? folded : irl__simplify_identities(an, e);
}

static const irl_expr *irl__simplify_integer(irl__analyzer *an, const irl_expr *e)
{
    const irl_expr *r = NULL, *d = e;
    if (!irl__type_is_index(e->type)) {
        d = irl__simplify_plainly(an, e, irl__simplify_node);
        if (!d || d->count != 2 || !irl__is_exact(an, d)) return d;
    }
    switch (d->op) {
    case IRL_OP_ADD: case IRL_OP_SUB: case IRL_OP_MUL: case IRL_OP_NEG:
        if (irl__type_is_index(e->type)) r = irl__simplify_sum(an, d);
        else {
            irl__sum s = irl__sum_begin(an, d->type);
            if (irl__sum_add_done(an, &s, d, 1) && irl__sum_merge(an, &s))
                r = irl__sum_emit(an, &s);
            irl__sum_end(an, &s);
        }
        break;
    case IRL_OP_FLOORDIV: case IRL_OP_FLOORMOD: r = irl__simplify_divmod(an, d); break;
    default: return d;
    }
    if (r || an->too_big || !irl__ok(an->cx)) return r;
    return irl__simplify_plainly(an, d, irl__simplify_node);
}

static const irl_expr *irl__simplify_once(irl__analyzer *an, const irl_expr *e)
{
    const irl_expr *r;
    if (e->type.lanes != 1) {
        r = irl__simplify_lanes(an, e);
        return r && r->op == IRL_OP_IF_THEN_ELSE && r->a[0]->op == IRL_OP_INT
                   ? r->a[r->a[0]->u.i ? 1 : 2]
                   : r;
    }
    switch (e->op) {
    case IRL_OP_ADD:
    case IRL_OP_SUB:
    case IRL_OP_MUL:
    case IRL_OP_NEG:
    case IRL_OP_FLOORDIV:
    case IRL_OP_FLOORMOD:
        return irl__type_is_integer(e->type) && e->type.scalar != IRL_U64
                   ? irl__simplify_integer(an, e)
                   : irl__simplify_plainly(an, e, irl__simplify_node);
    case IRL_OP_AND: case IRL_OP_OR: return irl__simplify_logic(an, e);
    case IRL_OP_SELECT: case IRL_OP_IF_THEN_ELSE: return irl__simplify_choice(an, e);
    case IRL_OP_LET: return irl__simplify_let(an, e);
    default: break;
    }
    e = irl__simplify_operands(an, e, irl__simplify_node);
    if (!e || e->count == 0) return e;
    r = irl__simplify_fold(an, e);
    if (r) return r;
    switch (e->op) {
    case IRL_OP_NOT: return irl__simplify_logic(an, e);
    case IRL_OP_EQ:
    case IRL_OP_NE:
    case IRL_OP_LT:
    case IRL_OP_LE:
    case IRL_OP_GT:
    case IRL_OP_GE: return irl__simplify_compare(an, e);
    case IRL_OP_MIN:
    case IRL_OP_MAX: return irl__type_is_integer(e->type) ? irl__simplify_minmax(an, e) : e;
    case IRL_OP_BITNOT: return e->a[0]->op == IRL_OP_BITNOT ? e->a[0]->a[0] : e;
    case IRL_OP_BITAND: case IRL_OP_BITOR: case IRL_OP_BITXOR: case IRL_OP_SHL: case IRL_OP_SHR:
        return irl__type_is_integer(e->type) ? irl__simplify_bits(an, e) : e;
    case IRL_OP_TRUNCDIV:
    case IRL_OP_TRUNCMOD: return irl__simplify_truncating(an, irl__simplify_identities(an, e));
    case IRL_OP_LANE:
    case IRL_OP_SHUFFLE:
    case IRL_OP_CAST:
    case IRL_OP_REINTERPRET: return irl__simplify_lanes(an, e);
    default: return irl__simplify_identities(an, e);
    }
}

/* r, or the one value that its range leaves. */
static const irl_expr *irl__simplify_point(irl__analyzer *an, const irl_expr *r)
{
    if (!r || r->op == IRL_OP_INT || r->type.lanes != 1 || r->type.scalar == IRL_U64 ||
        (r->flags & IRL__HAS_MEMORY))
        return r;
    if (!irl__type_is_integer(r->type) && r->type.scalar != IRL_BOOL) return r;
    /* arms that leave one value are that value already; chains of choices are long */
    if ((r->op == IRL_OP_SELECT || r->op == IRL_OP_IF_THEN_ELSE) && !irl__known_find(an, r))
        return r;
    irl__interval v = irl__range_of(an, r);
    return v.lo == v.hi ? irl_expr_int(an->cx, r->type, v.lo) : r;
}

static const irl_expr *irl__simplify_all(irl__analyzer *an, const irl_expr *e)
{
    if (!e || e->op == IRL_OP_INT || e->op == IRL_OP_FLOAT) return e;
    if (e->op == IRL_OP_VAR) return irl__simplify_point(an, e);
    irl__memo *m = irl__memo_of(an, e);
    if (m->result) return m->result;
    if (--an->work < 0 || !irl__work(an->cx, IRL__STEPS_RULE)) {
        an->too_big = 1;
        return NULL;
    }
    const irl_expr *r = irl__simplify_point(an, irl__simplify_once(an, e));
    if (!r) return NULL;
    if (r->count) irl__memo_of(an, r)->result = r;
    irl__memo_of(an, e)->result = r;
    return r;
}

irl__analyzer *irl__analyzer_begin(irl_ctx *cx)
{
    return irl__analyzer_make(cx, irl__simplify_all);
}

const irl_expr *irl__canonical(irl__analyzer *an, const irl_expr *e)
{
    if (!an || !e || !irl__ok(an->cx)) return NULL;
    int terms = an->term_count;
    an->too_big = 0;
    if (an->running++ == 0) an->work = IRL__WORK_LEAST + IRL__WORK_EACH * (int64_t)e->size;
    const irl_expr *r = irl__simplify_node(an, e);
    if (--an->running == 0) an->work = IRL__WORK_LEAST; /* of what the other questions look at */
    an->term_count = terms;
    if (r) return r;
    return irl__ok(an->cx) ? e : NULL;
}
