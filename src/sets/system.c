/* system.c - conditions on integers, as rows over variables, quotients and choices.

   needs     poly.c
   promises  all numbers that satisfy the conditions satisfy the rows (with some value of each
             column in between): if the rows have no solution, the conditions have none. s->reason
             says what is left out because no row expresses it

   e / c with c > 0 is a new variable q with 0 <= e - c*q < c; min(a, b) is a t with t <= a, t <= b,
   and a pending choice: a <= t or b <= t. Other conditions that are no conjunction (or, !=, select)
   are choices too. A quotient by a name is a q with e = name*q + r: a row with a product, which
   decide.c divides. A load, or anything else that is not arithmetic, is a variable without
   conditions. */
#include "system.h"

static const char irl__system_full[] = "too many conditions";
static const char irl__system_memory[] = "it depends on values in memory";
static const char irl__system_other[] = "an operator that is not quasi-affine";

int irl__system_save(irl__system *s, irl__system_saved *saved)
{
    saved->scratch = irl__scratch_begin(s->cx);
    irl__system_mark m;
    m.column_count = s->column_count;
    m.row_count = s->row_count;
    m.pending_count = s->pending_count;
    m.known_count = s->known_count;
    m.asked_count = s->asked_count;
    m.products = s->products;
    m.reason = s->reason;
    saved->mark = m;
    saved->rows = IRL__SCRATCH(s->cx, irl__system_row, s->row_count + 1);
    saved->pending = IRL__SCRATCH(s->cx, const irl__formula *, s->pending_count + 1);
    if (!saved->rows || !saved->pending) return !(s->failed = 1);
    memcpy(saved->rows, s->rows, (size_t)s->row_count * sizeof *saved->rows);
    memcpy((void *)saved->pending, (const void *)s->pending,
           (size_t)s->pending_count * sizeof *saved->pending);
    return 1;
}

void irl__system_restore(irl__system *s, const irl__system_saved *saved)
{
    const irl__system_mark *m = &saved->mark;
    s->column_count = m->column_count;
    s->row_count = m->row_count;
    s->pending_count = m->pending_count;
    s->known_count = m->known_count;
    s->asked_count = m->asked_count;
    s->products = m->products;
    s->reason = m->reason;
    if (saved->rows && saved->pending) {
        memcpy(s->rows, saved->rows, (size_t)s->row_count * sizeof *saved->rows);
        memcpy((void *)s->pending, (const void *)saved->pending,
               (size_t)s->pending_count * sizeof *saved->pending);
    }
    irl__scratch_end(s->cx, saved->scratch);
}

void irl__system_begin(irl__system *s, irl_ctx *cx, const irl_func *f, const irl__ptr_map *bound,
                       int64_t steps)
{
    memset(s, 0, offsetof(irl__system, columns));
    s->cx = cx;
    s->f = f;
    s->bound = bound;
    s->steps = steps;
}

static void irl__system_doubt(irl__system *s, const char *reason)
{
    if (!s->reason) s->reason = reason;
}

/* ------------------------------------------------------------------ columns and rows */

/* A new variable, as a value; NULL where there is no room. */
static const irl__poly *irl__system_column(irl__system *s, const irl_expr *of, int copy,
                                           int64_t shift, irl__interval range)
{
    irl__column *c = &s->columns[s->column_count];
    if (s->column_count == IRL__LINEAR_COLUMNS) {
        irl__system_doubt(s, irl__system_full);
        return NULL;
    }
    memset(c, 0, sizeof *c);
    c->degree = 1;
    c->of = of;
    c->copy = copy;
    c->shift = shift;
    c->lo = range.lo;
    c->hi = range.hi;
    return irl__poly_plus(s, irl__poly_column(s, s->column_count++), shift);
}

static irl__interval irl__system_range(int64_t lo, int64_t hi)
{
    irl__interval r;
    r.lo = lo;
    r.hi = hi;
    return r;
}

void irl__system_hold(irl__system *s, const irl__poly *p, int is_equal)
{
    if (!p) return; /* said already */
    if (s->row_count == IRL__SYSTEM_ROWS) {
        irl__system_doubt(s, irl__system_full);
        return;
    }
    s->rows[s->row_count].p = p;
    s->rows[s->row_count++].is_equal = is_equal;
}

/* a + constant <= b */
static void irl__system_order(irl__system *s, const irl__poly *a, int64_t constant,
                              const irl__poly *b)
{
    if (a && b) irl__system_hold(s, irl__poly_plus(s, irl__poly_sum(s, b, 1, a, -1), -constant), 0);
}

static irl__formula *irl__formula_new(irl__system *s, irl__formula_kind kind)
{
    irl__formula *f = IRL__SCRATCH(s->cx, irl__formula, 1);
    if (!f) s->failed = 1;
    else f->kind = kind;
    return f;
}

static const irl__formula *irl__formula_row(irl__system *s, const irl__poly *p, int is_equal)
{
    irl__formula *f = p ? irl__formula_new(s, IRL__FORMULA_ROW) : NULL;
    if (!f) return NULL;
    f->p = p;
    f->is_equal = is_equal;
    return f;
}

static const irl__formula *irl__formula_condition(irl__system *s, const irl_expr *e, int copy,
                                                  int truth)
{
    irl__formula *f = irl__formula_new(s, IRL__FORMULA_CONDITION);
    if (!f) return NULL;
    f->e = e;
    f->copy = copy;
    f->truth = truth;
    return f;
}

/* NULL is what no formula says: it may be true. */
static const irl__formula *irl__formula_two(irl__system *s, irl__formula_kind kind,
                                            const irl__formula *a, const irl__formula *b)
{
    if (kind == IRL__FORMULA_EITHER && (!a || !b)) return NULL;
    if (!a || !b) return a ? a : b;
    irl__formula *f = irl__formula_new(s, kind);
    if (!f) return NULL;
    f->a = a;
    f->b = b;
    return f;
}

/* a and b, or c and d */
static const irl__formula *irl__formula_cases(irl__system *s, const irl__formula *a,
                                              const irl__formula *b, const irl__formula *c,
                                              const irl__formula *d)
{
    const irl__formula *first = irl__formula_two(s, IRL__FORMULA_BOTH, a, b);
    return irl__formula_two(s, IRL__FORMULA_EITHER, first,
                            irl__formula_two(s, IRL__FORMULA_BOTH, c, d));
}

/* a <= b */
static const irl__formula *irl__formula_order(irl__system *s, const irl__poly *a,
                                              const irl__poly *b)
{
    return irl__formula_row(s, irl__poly_sum(s, b, 1, a, -1), 0);
}

/* ------------------------------------------------------------------ what is known of an expression
 */

static const irl__poly *irl__system_find(const irl__system *s, const irl_expr *e, int copy,
                                         const irl_expr *by, int is_rest)
{
    for (int k = s->known_count; k-- > 0;) {
        const irl__system_known *n = &s->known[k];
        if (n->e == e && n->copy == copy && n->by == by && n->is_rest == is_rest) return n->value;
    }
    return NULL;
}

static const irl__poly *irl__system_keep(irl__system *s, const irl_expr *e, int copy,
                                         const irl_expr *by, int is_rest, const irl__poly *value)
{
    irl__system_known *n = &s->known[s->known_count];
    if (s->known_count == IRL__SYSTEM_KNOWN || !value) return value;
    /* memory may hold something else the next time */
    if ((e->flags | (by ? by->flags : 0)) & IRL__HAS_MEMORY) return value;
    n->e = e;
    n->by = by;
    n->copy = copy;
    n->is_rest = is_rest;
    n->value = value;
    s->known_count++;
    return value;
}

static void irl__system_within(irl__system *s, const irl__poly *p, irl__interval r)
{
    if (r.lo != INT64_MIN) irl__system_hold(s, irl__poly_plus(s, p, -r.lo), 0);
    if (r.hi != INT64_MAX)
        irl__system_hold(s, irl__poly_plus(s, irl__poly_sum(s, p, -1, NULL, 0), r.hi), 0);
}

/* A variable of which no more is known than what its type, or element, holds. */
static const irl__poly *irl__system_free(irl__system *s, const irl_expr *e, int copy)
{
    const irl__interval r = irl__interval_held(e);
    const irl__poly    *p = irl__system_column(s, e, copy, 0, r);
    irl__system_within(s, p, r);
    return p;
}

static const irl__poly *irl__system_opaque(irl__system *s, const irl_expr *e, int copy)
{
    irl__system_doubt(s, e->flags & IRL__HAS_MEMORY ? irl__system_memory : irl__system_other);
    return irl__system_free(s, e, copy);
}

/* ------------------------------------------------------------------ variables */

/* What binds the variable in a copy; NULL: nothing does. */
static const irl__given *irl__system_binding(const irl__system *s, const irl_expr *var, int copy)
{
    for (int k = s->given_count[copy]; k-- > 0;)
        if (s->given[copy][k].var == var) return &s->given[copy][k];
    return NULL;
}

/* What is bound outside of all ranges has one value: that of copy 0. */
static const irl__poly *irl__system_var(irl__system *s, const irl_expr *e, int copy)
{
    const irl__given *n = irl__system_binding(s, e, copy);
    const int         is_elsewhere = !n && irl__ptr_map_get(s->bound, e) != NULL;
    const int         own = is_elsewhere || (n && n->is_own) ? copy : 0;
    const irl__poly  *p = irl__system_find(s, e, own, NULL, 0);
    if (p) return p;
    if (n && n->kind == IRL__GIVEN_VALUE && !(n->value->flags & IRL__HAS_MEMORY))
        p = irl__system_value(s, n->value, own);
    else {
        if (is_elsewhere || (n && n->kind == IRL__GIVEN_VALUE))
            irl__system_doubt(s, irl__system_memory);
        p = irl__system_free(s, e, own);
    }
    return irl__system_keep(s, e, own, NULL, 0, p);
}

/* ------------------------------------------------------------------ quotients */

static int64_t irl__system_floor(int64_t a, int64_t c)
{
    int64_t q;
    return a == INT64_MIN || a == INT64_MAX || !irl__floordiv64(a, c, &q) ? a : q;
}

/* floor(p / c), c > 0 */
static const irl__poly *irl__system_quotient(irl__system *s, const irl__poly *p, int64_t c)
{
    const irl__poly *whole, *rest;
    if (!p || !irl__poly_divide(s, p, c, &whole, &rest)) return NULL;
    irl__interval r = irl__poly_range(s, rest);
    if (r.lo >= 0 && r.hi < c) return whole;
    r = irl__system_range(irl__system_floor(r.lo, c), irl__system_floor(r.hi, c));
    const irl__poly *q = irl__system_column(s, NULL, 0, 0, r);
    const irl__poly *below = irl__poly_sum(s, rest, 1, q, -c);
    if (!below) return NULL;
    irl__system_hold(s, below, 0);
    irl__system_hold(s, irl__poly_plus(s, irl__poly_sum(s, below, -1, NULL, 0), c - 1), 0);
    return irl__poly_sum(s, whole, 1, q, 1);
}

/* By a name d: e = d * q + r with r from 0 to d - 1, or from d + 1 to 0. */
static const irl__poly *irl__system_named_quotient(irl__system *s, const irl__poly *e,
                                                   const irl__poly *d, const irl__poly **rest)
{
    const irl__interval any = irl__system_range(INT64_MIN, INT64_MAX);
    const irl__poly    *zero = irl__poly_constant(s, 0), *q, *r, *above, *below;
    if (!e || !d || !zero) return NULL;
    q = irl__system_column(s, NULL, 0, 0, any);
    r = irl__system_column(s, NULL, 0, 0, any);
    if (!q || !r) return NULL;
    irl__system_hold(
        s, irl__poly_sum(s, irl__poly_sum(s, e, 1, irl__poly_product(s, d, q), -1), 1, r, -1), 1);
    above = irl__poly_plus(s, d, -1);
    below = irl__poly_plus(s, d, 1);
    const irl__formula *is =
        irl__formula_cases(s, irl__formula_order(s, zero, r), irl__formula_order(s, r, above),
                           irl__formula_order(s, below, r), irl__formula_order(s, r, zero));
    if (s->lazy) is = irl__formula_two(s, IRL__FORMULA_EITHER, is, irl__formula_row(s, d, 1));
    irl__system_add(s, is);
    *rest = r;
    return q;
}

/* e / d rounded down, and what is left of e. */
static const irl__poly *irl__system_floordiv(irl__system *s, const irl__poly *e, const irl__poly *d,
                                             const irl__poly **rest)
{
    const irl__poly *q;
    if (!e || !d) return NULL;
    if (d->count) return irl__system_named_quotient(s, e, d, rest);
    if (d->constant == 0 || d->constant == INT64_MIN) return NULL;
    q = d->constant > 0 ? irl__system_quotient(s, e, d->constant)
                        : irl__system_quotient(s, irl__poly_sum(s, e, -1, NULL, 0), -d->constant);
    *rest = irl__poly_sum(s, e, 1, q, -d->constant);
    return q;
}

/* a / b, or a % b: they share what they are made of. */
static const irl__poly *irl__system_digit(irl__system *s, const irl_expr *a, const irl_expr *b,
                                          int copy, int is_rest)
{
    const irl__poly *q, *rest = NULL, *known = irl__system_find(s, a, copy, b, is_rest);
    if (known) return known;
    const irl__poly *divisor = irl__system_value(s, b, copy);
    q = irl__system_floordiv(s, irl__system_value(s, a, copy), divisor, &rest);
    irl__system_keep(s, a, copy, b, 0, q);
    irl__system_keep(s, a, copy, b, 1, rest);
    return is_rest ? rest : q;
}

/* ------------------------------------------------------------------ choices */

/* A variable that is one of two values; what is common to both is for the caller to say. */
static const irl__poly *irl__system_either(irl__system *s, const irl__poly *a, const irl__poly *b)
{
    const irl__interval x = irl__poly_range(s, a), y = irl__poly_range(s, b);
    const irl__interval both =
        irl__system_range(x.lo < y.lo ? x.lo : y.lo, x.hi > y.hi ? x.hi : y.hi);
    const irl__poly *t = irl__system_column(s, NULL, 0, 0, both);
    irl__system_within(s, t, both);
    return t;
}

/* The least (sign 1) or largest (sign -1) of two. */
static const irl__poly *irl__system_least(irl__system *s, const irl__poly *a, const irl__poly *b,
                                          int sign)
{
    if (!a || !b) return NULL;
    const irl__poly *gap = irl__poly_sum(s, b, sign, a, -sign);
    irl__interval    r = irl__poly_range(s, gap);
    if (gap && r.lo >= 0) return a;
    if (gap && r.hi <= 0) return b;
    const irl__poly *t = irl__system_either(s, a, b);
    if (!t) return NULL;
    irl__system_hold(s, irl__poly_sum(s, a, sign, t, -sign), 0);
    irl__system_hold(s, irl__poly_sum(s, b, sign, t, -sign), 0);
    irl__system_add(s,
                    irl__formula_two(s, IRL__FORMULA_EITHER,
                                     irl__formula_row(s, irl__poly_sum(s, t, sign, a, -sign), 0),
                                     irl__formula_row(s, irl__poly_sum(s, t, sign, b, -sign), 0)));
    return t;
}

/* a where the condition holds, else b. */
static const irl__poly *irl__system_select(irl__system *s, const irl__formula *yes,
                                           const irl__formula *no, const irl__poly *a,
                                           const irl__poly *b)
{
    const irl__poly *t;
    if (!a || !b || !(t = irl__system_either(s, a, b))) return NULL;
    irl__system_add(s, irl__formula_cases(s, yes,
                                          irl__formula_row(s, irl__poly_sum(s, t, 1, a, -1), 1),
                                          no,
                                          irl__formula_row(s, irl__poly_sum(s, t, 1, b, -1), 1)));
    return t;
}

/* C's quotient: the floor of the sizes, with a sign. Only by numbers. */
static const irl__poly *irl__system_truncdiv(irl__system *s, const irl_expr *e, int copy)
{
    const irl__poly *a = irl__system_value(s, e->a[0], copy);
    const irl__poly *d = irl__system_value(s, e->a[1], copy), *up, *down, *minus, *minus_one;
    if (!a || !d || d->count || d->constant == 0 || d->constant == INT64_MIN) return NULL;
    int64_t size = d->constant < 0 ? -d->constant : d->constant;
    if (d->constant < 0) a = irl__poly_sum(s, a, -1, NULL, 0);
    if (!a) return NULL;
    irl__interval r = irl__poly_range(s, a);
    if (r.lo >= 0) return irl__system_quotient(s, a, size);
    minus = irl__poly_sum(s, a, -1, NULL, 0);
    down = irl__poly_sum(s, irl__system_quotient(s, minus, size), -1, NULL, 0);
    if (r.hi <= 0) return down;
    up = irl__system_quotient(s, a, size);
    minus_one = irl__poly_plus(s, minus, -1);
    return irl__system_select(s, irl__formula_row(s, a, 0), irl__formula_row(s, minus_one, 0), up,
                              down);
}

/* ------------------------------------------------------------------ expressions */

static int irl__system_is_number(const irl_expr *e)
{
    return !e->type.is_pointer && e->type.lanes == 1 &&
           (irl__type_is_integer(e->type) || e->type.scalar == IRL_BOOL);
}

/* The number that an operand is; false: it is none from 0 to 62. */
static int irl__system_shift(irl__system *s, const irl_expr *e, int copy, int64_t *power)
{
    const irl__poly *p = irl__system_value(s, e, copy);
    if (!p || p->count || p->constant < 0 || p->constant > 61) return 0;
    *power = INT64_C(1) << p->constant;
    return 1;
}

/* x & (2^k - 1) */
static const irl__poly *irl__system_mask(irl__system *s, const irl__poly *a, const irl__poly *b)
{
    const irl__poly *p = b && b->count == 0 ? a : b, *q;
    int64_t          c = b && b->count == 0 ? b->constant : a ? a->constant : -1;
    if (!a || !b || (a->count && b->count) || c < 0 || c >= INT64_MAX / 2 || (c & (c + 1)) != 0)
        return NULL;
    q = irl__system_quotient(s, p, c + 1);
    return irl__poly_sum(s, p, 1, q, -(c + 1));
}

/* The number that a cast makes; where it may wrap, nothing is known. */
static const irl__poly *irl__system_fits(irl__system *s, const irl__poly *p, irl_type type)
{
    const irl__interval r = irl__poly_range(s, p), t = irl__interval_type(type);
    if (!p || irl__type_info(type)->kind == IRL_KIND_INDEX) return p;
    if (irl__type_info(type)->bits >= 64) /* u64: what is not negative; i64: what does not wrap */
        return r.lo != INT64_MIN && r.hi != INT64_MAX &&
                       (r.lo >= 0 || irl__type_info(type)->kind == IRL_KIND_INT)
                   ? p
                   : NULL;
    return r.lo >= t.lo && r.hi <= t.hi ? p : NULL;
}

static const irl__poly *irl__system_two(irl__system *s, const irl_expr *e, int copy)
{
    const irl__poly *q;
    if (e->op == IRL_OP_FLOORDIV || e->op == IRL_OP_FLOORMOD)
        return irl__system_digit(s, e->a[0], e->a[1], copy, e->op == IRL_OP_FLOORMOD);
    if (e->op == IRL_OP_TRUNCDIV) return irl__system_truncdiv(s, e, copy);
    const irl__poly *a = irl__system_value(s, e->a[0], copy);
    const irl__poly *b = irl__system_value(s, e->a[1], copy);
    switch (e->op) {
    case IRL_OP_ADD: return irl__poly_sum(s, a, 1, b, 1);
    case IRL_OP_SUB: return irl__poly_sum(s, a, 1, b, -1);
    case IRL_OP_MUL: return irl__poly_product(s, a, b);
    case IRL_OP_MIN: return irl__system_least(s, a, b, 1);
    case IRL_OP_MAX: return irl__system_least(s, a, b, -1);
    case IRL_OP_BITAND: return irl__system_mask(s, a, b);
    case IRL_OP_TRUNCMOD:
        q = irl__system_truncdiv(s, e, copy);
        return irl__poly_sum(s, a, 1, irl__poly_product(s, b, q), -1);
    default: return NULL;
    }
}

static const irl__poly *irl__system_made(irl__system *s, const irl_expr *e, int copy)
{
    const irl__poly *a, *b;
    int64_t          power;
    switch (e->op) {
    case IRL_OP_INT: return irl__poly_constant(s, e->u.i);
    case IRL_OP_VAR: return irl__system_var(s, e, copy);
    case IRL_OP_NEG: return irl__poly_sum(s, irl__system_value(s, e->a[0], copy), -1, NULL, 0);
    case IRL_OP_BITNOT:
        a = irl__poly_sum(s, irl__system_value(s, e->a[0], copy), -1, NULL, 0);
        return irl__poly_plus(s, a, -1);
    case IRL_OP_ABS:
        a = irl__system_value(s, e->a[0], copy);
        return irl__system_least(s, a, irl__poly_sum(s, a, -1, NULL, 0), -1);
    case IRL_OP_SHL:
        if (!irl__system_shift(s, e->a[1], copy, &power)) return NULL;
        return irl__poly_sum(s, irl__system_value(s, e->a[0], copy), power, NULL, 0);
    case IRL_OP_SHR:
        if (!irl__system_shift(s, e->a[1], copy, &power)) return NULL;
        return irl__system_quotient(s, irl__system_value(s, e->a[0], copy), power);
    case IRL_OP_SELECT:
    case IRL_OP_IF_THEN_ELSE:
        s->lazy += e->op == IRL_OP_IF_THEN_ELSE;
        a = irl__system_value(s, e->a[1], copy);
        b = irl__system_value(s, e->a[2], copy);
        s->lazy -= e->op == IRL_OP_IF_THEN_ELSE;
        return irl__system_select(s, irl__formula_condition(s, e->a[0], copy, 1),
                                  irl__formula_condition(s, e->a[0], copy, 0), a, b);
    case IRL_OP_CAST: return irl__system_value(s, e->a[0], copy);
    case IRL_OP_LET:
        irl__system_keep(s, e->a[0], copy, NULL, 0, irl__system_value(s, e->a[1], copy));
        return irl__system_value(s, e->a[2], copy);
    default: return e->count == 2 ? irl__system_two(s, e, copy) : NULL;
    }
}

/* Whether there is work left; an expression may be asked for by way of many lets. */
static int irl__system_may_go_on(irl__system *s)
{
    if (s->work++ < IRL__SYSTEM_WORK && s->depth < IRL_MAX_DEPTH) return !s->failed;
    irl__system_doubt(s, irl__system_full);
    return 0;
}

const irl__poly *irl__system_value(irl__system *s, const irl_expr *e, int copy)
{
    if (!e || s->failed) return NULL;
    const irl__poly *p = irl__system_find(s, e, copy, NULL, 0);
    if (p) return p;
    if (irl__system_is_number(e) && e->op != IRL_OP_LOAD && irl__system_may_go_on(s)) {
        s->depth++;
        /* A truth as a number, 0 or 1. */
        if (e->type.scalar == IRL_BOOL && e->op != IRL_OP_VAR && e->op != IRL_OP_INT)
            p = irl__system_select(s, irl__formula_condition(s, e, copy, 1),
                                   irl__formula_condition(s, e, copy, 0), irl__poly_constant(s, 1),
                                   irl__poly_constant(s, 0));
        else p = irl__system_fits(s, irl__system_made(s, e, copy), e->type);
        s->depth--;
    }
    if (!p) p = irl__system_opaque(s, e, copy);
    return e->op == IRL_OP_INT || e->op == IRL_OP_VAR ? p
                                                      : irl__system_keep(s, e, copy, NULL, 0, p);
}

/* ------------------------------------------------------------------ conditions */

/* a op b, of numbers. */
static void irl__system_ordered(irl__system *s, irl_op op, const irl__poly *a, const irl__poly *b)
{
    const irl__poly *gap = irl__poly_sum(s, b, 1, a, -1),
                    *back = irl__poly_sum(s, gap, -1, NULL, 0);
    if (!gap) { /* beyond 64 bits: the ranges may still tell */
        irl__interval r = irl__poly_range(s, a);
        irl__interval t = irl__poly_range(s, b);
        if (a && b && op == IRL_OP_EQ && (r.hi < t.lo || t.hi < r.lo))
            irl__system_hold(s, irl__poly_constant(s, -1), 0);
        return;
    }
    switch (op) {
    case IRL_OP_LT: irl__system_hold(s, irl__poly_plus(s, gap, -1), 0); return;
    case IRL_OP_LE: irl__system_hold(s, gap, 0); return;
    case IRL_OP_GT: irl__system_hold(s, irl__poly_plus(s, back, -1), 0); return;
    case IRL_OP_GE: irl__system_hold(s, back, 0); return;
    case IRL_OP_EQ: irl__system_hold(s, gap, 1); return;
    default: /* NE */
        irl__system_add(s, irl__formula_two(s, IRL__FORMULA_EITHER,
                                            irl__formula_row(s, irl__poly_plus(s, gap, -1), 0),
                                            irl__formula_row(s, irl__poly_plus(s, back, -1), 0)));
    }
}

/* x op y, of expressions. Columns are made in one order, whichever the compiler's is: of several
   witnesses the same one is found. */
static void irl__system_values(irl__system *s, irl_op op, const irl_expr *x, int copy,
                               const irl_expr *y, int other)
{
    const irl__poly *b = irl__system_value(s, y, other);
    irl__system_ordered(s, op, irl__system_value(s, x, copy), b);
}

/* Where c is true x is is_x; else y is is_y. */
static void irl__system_chosen(irl__system *s, int copy, const irl_expr *c, const irl_expr *x,
                               int is_x, const irl_expr *y, int is_y)
{
    irl__system_add(s, irl__formula_cases(s, irl__formula_condition(s, c, copy, 1),
                                          irl__formula_condition(s, x, copy, is_x),
                                          irl__formula_condition(s, c, copy, 0),
                                          irl__formula_condition(s, y, copy, is_y)));
}

static void irl__system_condition(irl__system *s, const irl_expr *e, int copy, int truth)
{
    const irl__poly *p;
    if (!e || !irl__system_may_go_on(s)) return;
    switch (e->type.lanes == 1 ? (irl_op)e->op : IRL__OP_COUNT) {
    case IRL_OP_INT:
        if ((e->u.i != 0) != truth) irl__system_hold(s, irl__poly_constant(s, -1), 0);
        return;
    case IRL_OP_NOT: irl__system_condition(s, e->a[0], copy, !truth); return;
    case IRL_OP_AND:
    case IRL_OP_OR:
        if ((e->op == IRL_OP_AND) == truth) {
            irl__system_condition(s, e->a[0], copy, truth);
            irl__system_condition(s, e->a[1], copy, truth);
        } else
            irl__system_add(s, irl__formula_two(s, IRL__FORMULA_EITHER,
                                                irl__formula_condition(s, e->a[0], copy, truth),
                                                irl__formula_condition(s, e->a[1], copy, truth)));
        return;
    case IRL_OP_LT:
    case IRL_OP_LE:
    case IRL_OP_GT:
    case IRL_OP_GE:
    case IRL_OP_EQ:
    case IRL_OP_NE: {
        const irl_op op = truth ? (irl_op)e->op : irl__op_negated(e->op);
        if (!irl__system_is_number(e->a[0])) irl__system_opaque(s, e, copy);
        else if (e->a[0]->type.scalar == IRL_BOOL && (op == IRL_OP_EQ || op == IRL_OP_NE))
            irl__system_chosen(s, copy, e->a[0], e->a[1], op == IRL_OP_EQ, e->a[1],
                               op != IRL_OP_EQ);
        else irl__system_values(s, op, e->a[0], copy, e->a[1], copy);
    }
        return;
    case IRL_OP_SELECT:
    case IRL_OP_IF_THEN_ELSE:
        irl__system_chosen(s, copy, e->a[0], e->a[1], truth, e->a[2], truth);
        return;
    case IRL_OP_LET:
        irl__system_keep(s, e->a[0], copy, NULL, 0, irl__system_value(s, e->a[1], copy));
        irl__system_condition(s, e->a[2], copy, truth);
        return;
    case IRL_OP_CAST:
        if (!irl__system_is_number(e->a[0])) break;
        p = irl__system_value(s, e->a[0], copy);
        irl__system_ordered(s, truth ? IRL_OP_NE : IRL_OP_EQ, p, irl__poly_constant(s, 0));
        return;
    case IRL_OP_VAR:
        p = irl__system_var(s, e, copy);
        irl__system_ordered(s, IRL_OP_EQ, p, irl__poly_constant(s, truth));
        return;
    default: break;
    }
    irl__system_doubt(s, e->flags & IRL__HAS_MEMORY ? irl__system_memory : irl__system_other);
}

void irl__system_add(irl__system *s, const irl__formula *f)
{
    if (!f) {
        irl__system_doubt(s, irl__system_other);
        return;
    }
    switch (f->kind) {
    case IRL__FORMULA_ROW: irl__system_hold(s, f->p, f->is_equal); return;
    case IRL__FORMULA_CONDITION: irl__system_condition(s, f->e, f->copy, f->truth); return;
    case IRL__FORMULA_BOTH:
        irl__system_add(s, f->a);
        irl__system_add(s, f->b);
        return;
    case IRL__FORMULA_EITHER:
        if (s->pending_count < IRL__SYSTEM_PENDING) s->pending[s->pending_count++] = f;
        else irl__system_doubt(s, irl__system_full);
    }
}

/* ------------------------------------------------------------------ what is asked */

static void irl__system_ask(irl__system *s, int copy, const irl_expr *e, irl_op op, int other,
                            const irl_expr *f)
{
    irl__system_asked *a = &s->asked[s->asked_count];
    if (s->asked_count == IRL__SYSTEM_ASKED) {
        irl__system_doubt(s, irl__system_full);
        s->asked_over = 1;
        return;
    }
    a->copy = copy;
    a->e = e;
    a->op = op;
    a->other = other;
    a->f = f;
    s->asked_count++;
}

void irl__system_require(irl__system *s, int copy, const irl_expr *e)
{
    irl__system_ask(s, copy, e, IRL_OP_EQ, copy, NULL);
    irl__system_condition(s, e, copy, 1);
}

void irl__system_compare(irl__system *s, int copy, const irl_expr *e, irl_op op, int other,
                         const irl_expr *f)
{
    irl__system_ask(s, copy, e, op, other, f);
    irl__system_values(s, op, e, copy, f, other);
}

void irl__system_require_below(irl__system *s, int copy, const irl_expr *e, const irl_expr *end)
{
    irl__system_require(s, copy, irl_expr_op2(s->cx, IRL_OP_GE, e, irl_expr_index(s->cx, 0)));
    irl__system_require(s, copy, irl_expr_op2(s->cx, IRL_OP_LT, e, end));
}

/* A range's variable counts from its start where that is a number: then no number here is large. */
static void irl__system_enter_range(irl__system *s, int copy, const irl__given *g)
{
    const irl__poly *min = irl__system_value(s, g->value, copy), *last, *var;
    irl__interval    first = irl__poly_range(s, min), r;
    int64_t          shift = min && min->count == 0 ? min->constant : 0;
    last =
        irl__poly_plus(s, irl__poly_sum(s, min, 1, irl__system_value(s, g->extent, copy), 1), -1);
    r = irl__poly_range(s, last);
    if (first.lo != INT64_MIN && !irl__sub64(first.lo, shift, &first.lo)) first.lo = INT64_MIN;
    if (r.hi != INT64_MAX && !irl__sub64(r.hi, shift, &r.hi)) r.hi = INT64_MAX;
    var = irl__system_column(s, g->var, copy, shift, irl__system_range(first.lo, r.hi));
    irl__system_keep(s, g->var, copy, NULL, 0, var);
    irl__system_order(s, min, 0, var);
    irl__system_order(s, var, 0, last);
}

void irl__system_enter(irl__system *s, int copy, const irl__given *given, int count)
{
    s->given[copy] = given;
    s->given_count[copy] = count;
    s->copy_count = copy + 1;
    for (int k = 0; k < count && !s->failed; k++) {
        const irl__given *g = &given[k];
        if (g->is_shared) continue;
        if (g->kind == IRL__GIVEN_RANGE) irl__system_enter_range(s, copy, g);
        else if (g->kind == IRL__GIVEN_CONDITION)
            irl__system_condition(s, g->value, g->is_own ? copy : 0, 1);
    }
}
