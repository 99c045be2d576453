/* c_layout.c - a layout as C: the place of a point, the point at a place, packing and unpacking.

   needs     map (verdict, memory, inverse); c_integers.c, for which an index is of one type here
   promises  every index and every intermediate result is proved to fit the index type; C's own /
             and % are printed if the dividend is proved not negative, otherwise a function that
             floors. What is not proved to fit is refused, with a point if there is one. A lossy map
             has no inverse, and is not packed
   cost      a verdict, and linear in the map */
#include "c.h"
#include "../map/map.h"

/* A variable of a place function: bits on their way. */
typedef struct irl__c_layout_name {
    const irl_expr *var, *value;
    int64_t         last;
} irl__c_layout_name;

enum { IRL__C_LAYOUT_NAMES = 64 };
typedef struct irl__c_layout_state {
    irl_ctx           *cx;
    irl_c_layout_options       how;
    const char        *name, *index, *element;
    irl_type           type;     /* of indices */
    const irl_map     *map, *inverse;
    const irl_expr    *padding;  /* of memory, over the inverse's inputs; NULL: none */
    irl_shape          shape, memory;
    int64_t            points, cells;
    int                is_right; /* in bits too, where there are such */
    irl_verdict        verdict;
    irl_bit_verdict    in_bits;  /* with how.bits */
    irl_bit_element    bits;     /* with how.bits, its stride not 0 */
    const char        *wide;     /* what holds the number of a bit, or of a byte */
    irl__emit         *e;
    irl__emit_language language;
    irl__c_index       indices;
    irl__c_field       field; /* of NAME_get and NAME_set */
    int                is_set;
    const irl_expr    *place; /* of NAME_point, from 0 to the last of the one extent */
    irl_shape          places;
    const char        *results[IRL_MAX_RANK]; /* their names */
    irl__c_layout_name names[IRL__C_LAYOUT_NAMES]; /* of the sum at hand */
    int                name_count;
} irl__c_layout_state;

/* ------------------------------------------------------------------ does it fit */

static int irl__c_layout_no(const irl__c_layout_state *s, const char *what, int64_t value)
{
    return irl__fail(s->cx, IRL_ERROR_INDEX_WIDTH, s->map->loc,
                     "%s is %l, and %s holds %l to %l", what, value, s->index, s->indices.least,
                     s->indices.most);
}

/* A point at which e is not what the type holds: one of the first million. 0: none is found. */
static int irl__c_layout_witness(irl__c_layout_state *s, const irl_expr *e, const char *called,
                                 const irl_expr *const *inputs, const irl_shape *shape)
{
    int64_t   at[IRL_MAX_RANK] = { 0 }, value;
    irl__text t;
    int       k;
    for (int n = 0; n < 1 << 20; n++) {
        if (irl__value_at(e, shape->rank, inputs, at, &value) == IRL__FOLD_OK &&
            !irl__c_index_holds(&s->indices, value)) {
            irl__text_init(&t, s->cx);
            irl__textf(&t, "%s at ", called);
            irl__text_numbers(&t, "()", shape->rank, at);
            irl__c_layout_no(s, irl__text_done(&t), value);
            return 1;
        }
        for (k = shape->rank - 1; k >= 0 && ++at[k] == shape->extent[k]; k--) at[k] = 0;
        if (k < 0) return 0;
    }
    return 0;
}

/* The variable of a let is what its value is, in the body too. */
static int irl__c_layout_know(const irl__c_layout_state *s, const irl_expr *let)
{
    irl__interval r = irl__range_of(s->e->ranges, let->a[1]);
    return irl__bind_range(s->e->ranges, let->a[0], r.lo, r.hi);
}

/* The first part of e, in the order of evaluation, of which it is not proved that the type holds it
   and all on the way to it; NULL: there is none. */
static const irl_expr *irl__c_layout_misfit(const irl__c_layout_state *s, const irl_expr *e)
{
    const irl_expr *part;
    for (uint32_t k = e->op == IRL_OP_LET; k < e->count; k++) {
        if ((part = irl__c_layout_misfit(s, e->a[k])) != NULL) return part;
        if (e->op == IRL_OP_LET && k == 1 && !irl__c_layout_know(s, e)) return e;
    }
    if (!irl__type_is_index(e->type)) return NULL;
    irl__interval r = irl__range_of(s->e->ranges, e);
    return irl__c_index_holds(&s->indices, r.lo) && irl__c_index_holds(&s->indices, r.hi) ? NULL
                                                                                           : e;
}

static int irl__c_layout_is_fit(const irl__c_layout_state *s, const irl_expr *e)
{
    return irl__c_layout_misfit(s, e) == NULL;
}

/* The same, with a diagnostic where it does not. */
static int irl__c_layout_fits(irl__c_layout_state *s, const irl_expr *e,
                              const irl_expr *const *inputs, const irl_shape *shape)
{
    e = irl__c_layout_misfit(s, e);
    if (!e || !irl__ok(s->cx)) return irl__ok(s->cx);
    if (e->op == IRL_OP_INT)
        return irl__fail(s->cx, IRL_ERROR_INDEX_WIDTH, s->map->loc,
                         "the constant %l does not fit %s, which holds %l to %l", e->u.i, s->index,
                         s->indices.least, s->indices.most);
    irl__interval r = irl__range_of(s->e->ranges, e);
    if (irl__c_layout_witness(s, e, irl_expr_text(s->cx, e), inputs, shape)) return 0;
    return irl__fail(s->cx, IRL_ERROR_INDEX_WIDTH, s->map->loc,
                     "%s is not proved to fit %s, %l to %l: it may be %l to %l",
                     irl_expr_text(s->cx, e), s->index, s->indices.least, s->indices.most, r.lo,
                     r.hi);
}

/* ------------------------------------------------------------------ expressions */

static const char irl__c_layout_rest[] = "rest"; /* a quotient that has a name */
static const char irl__c_layout_bits_name[] = "bits"; /* on their way */

/* ------------------------------------------------------------------ sums */

/* A sum as one writes it by hand: a number, and products of a factor and a number. */
enum { IRL__C_LAYOUT_TERMS = 40 };
typedef struct irl__c_layout_sum {
    struct {
        const irl_expr *factor;
        int64_t         by;
    } terms[IRL__C_LAYOUT_TERMS];
    int     count;
    int64_t number;
} irl__c_layout_sum;

/* 0: it is no such sum, or a number leaves 63 bits. */
static int irl__c_layout_add(irl__c_layout_sum *t, const irl_expr *x, int64_t by)
{
    if (x->op == IRL_OP_INT)
        return irl__mul64(x->u.i, by, &by) && irl__add64(t->number, by, &t->number);
    if (x->op == IRL_OP_ADD)
        return irl__c_layout_add(t, x->a[0], by) && irl__c_layout_add(t, x->a[1], by);
    if (x->op == IRL_OP_SUB)
        return by != INT64_MIN && irl__c_layout_add(t, x->a[0], by) &&
               irl__c_layout_add(t, x->a[1], -by);
    if (x->op == IRL_OP_MUL && x->a[1]->op == IRL_OP_INT)
        return irl__mul64(by, x->a[1]->u.i, &by) && irl__c_layout_add(t, x->a[0], by);
    if (by == 0) return 1;
    if (t->count == IRL__C_LAYOUT_TERMS) return 0;
    t->terms[t->count].factor = x;
    t->terms[t->count++].by = by;
    return 1;
}

/* The number of which v has the bits, 7 for 0 to 7; 0: v may be negative, or its last number is no
   such one. */
static int64_t irl__c_layout_bits(const irl__c_layout_state *s, const irl_expr *v)
{
    irl__interval r = irl__range_of(s->e->ranges, v);
    return r.lo >= 0 && r.hi > 0 && r.hi < INT64_MAX && (r.hi & (r.hi + 1)) == 0 ? r.hi : 0;
}

/* What v, a remainder a % m, and a quotient of the same dividend make together, q * m + v: a where
   q is a / m, a % (m * n) where it is a / m % n. NULL: q is none of these. */
static const irl_expr *irl__c_layout_whole(irl__c_layout_state *s, const irl_expr *v,
                                           const irl_expr *q)
{
    const irl_expr *n = NULL;
    if (v->op != IRL_OP_FLOORMOD || irl__range_of(s->e->ranges, v->a[0]).lo < 0) return NULL;
    if (q->op == IRL_OP_FLOORMOD && q->a[1]->op == IRL_OP_INT && q->a[1]->u.i > 0) {
        n = q->a[1];
        q = q->a[0];
    }
    if (q->op != IRL_OP_FLOORDIV || q->a[0] != v->a[0] || q->a[1] != v->a[1]) return NULL;
    if (!n) return v->a[0];
    return irl__floormod(s->cx, v->a[0], irl__simplify(s->e->ranges, irl__mul(s->cx, v->a[1], n)));
}

/* 7 - v is v ^ 7 for v from 0 to 7: nothing is negative on the way. x / 8 * 8 + (x % 8 ^ 7) is
   x ^ 7. */
static void irl__c_layout_flip(irl__c_layout_state *s, irl__c_layout_sum *t)
{
    int64_t         all;
    for (int k = 0; k < t->count; k++) {
        const irl_expr *v = t->terms[k].factor;
        int64_t by = t->terms[k].by < 0 && t->terms[k].by != INT64_MIN ? -t->terms[k].by : 0;
        int64_t         bits = by ? irl__c_layout_bits(s, v) : 0;
        if (!bits || !irl__mul64(by, bits, &all) || t->number < all) continue;
        t->number -= all;
        t->terms[k].by = by;
        for (int j = 0; v->op == IRL_OP_FLOORMOD && irl__is_int(v->a[1], bits + 1) && j < t->count;
             j++) {
            if (t->terms[j].by % (bits + 1) || t->terms[j].by / (bits + 1) != by) continue;
            const irl_expr *whole = irl__c_layout_whole(s, v, t->terms[j].factor);
            if (!whole) continue;
            v = whole;
            t->terms[j] = t->terms[--t->count];
            if (k == t->count) k = j;
            break;
        }
        t->terms[k].factor = irl__op_number(s->cx, IRL_OP_BITXOR, v, bits);
        if (!t->terms[k].factor) return;
    }
}

/* The first `count` terms, each divided by `by`, the largest first: what they have in common is
   multiplied once, (a * 8 + b) * 9 + c. */
static const irl_expr *irl__c_layout_nested(irl__c_layout_state *s, const irl__c_layout_sum *t,
                                            int count, int64_t by)
{
    const irl_expr *x;
    int64_t         common = 0;
    int             n = 0;
    for (int k = 0; k < count; k++) { /* the most of them that have a common factor */
        int64_t of_more = irl__c_gcd(t->terms[k].by / by, common);
        if (of_more == 1) break;
        common = of_more;
        n = k + 1;
    }
    if (n == 0) n = 1, common = 1;
    if (n == 1) {
        x = t->terms[0].factor;
        common = t->terms[0].by / by;
    } else x = irl__c_layout_nested(s, t, n, by * common);
    if (x && common != 1) x = irl__op_number(s->cx, IRL_OP_MUL, x, common);
    for (int k = n; x && k < count; k++) {
        const irl_expr *product = t->terms[k].factor;
        if (t->terms[k].by != by)
            product = irl__op_number(s->cx, IRL_OP_MUL, product, t->terms[k].by / by);
        x = irl_expr_op2(s->cx, IRL_OP_ADD, x, product);
    }
    return x;
}

/* v / 4 % 2 * 32 is (v & 4) * 8: bits that stay where they are until they are shifted. */
static const irl_expr *irl__c_layout_masked(irl__c_layout_state *s, const irl_expr *x, int64_t *by)
{
    const irl_expr *q = x->op == IRL_OP_FLOORMOD ? x->a[0] : x;
    if (q->op != IRL_OP_FLOORDIV || irl__emit_log2(q->a[1]) < 0 ||
        irl__range_of(s->e->ranges, q->a[0]).lo < 0)
        return x;
    int64_t bits = irl__c_layout_bits(s, x); /* 1 of v / 4 % 2, and of v / 8 for v below 16 */
    int64_t divisor = q->a[1]->u.i;
    if (!bits || *by % divisor || (q != x && !irl__is_int(x->a[1], bits + 1)) ||
        !irl__mul64(divisor, bits, &bits))
        return x;
    *by /= divisor;
    return irl__op_number(s->cx, IRL_OP_BITAND, q->a[0], bits);
}

/* ------------------------------------------------------------------ bits in steps */

/* What of a sum are bits of one number: x / 4 % 2 * 16 is bit 2 of x, which goes to bit 4. */
typedef struct irl__c_layout_part {
    const irl_expr   *base;
    irl__spread_group bits;
} irl__c_layout_part;

/* 0: the product is no such bits. */
static int irl__c_layout_part_of(const irl__c_layout_state *s, const irl_expr *factor, int64_t by,
                                 irl__c_layout_part *part)
{
    const irl_expr *x = factor;
    if (!factor || by <= 0 || (by & (by - 1)) != 0) return 0;
    part->bits.to = irl__spread_length(by) - 1;
    part->bits.count = irl__spread_length(irl__range_of(s->e->ranges, factor).hi);
    part->bits.from = 0;
    if (x->op == IRL_OP_FLOORMOD && irl__emit_log2(x->a[1]) >= 0) x = x->a[0];
    if (x->op == IRL_OP_FLOORDIV && irl__emit_log2(x->a[1]) >= 0) {
        part->bits.from = irl__emit_log2(x->a[1]);
        x = x->a[0];
    }
    part->base = x;
    return irl__range_of(s->e->ranges, x).lo >= 0;
}

/* Operators of e above `base`, as a plan counts them. */
static int irl__c_layout_cost(const irl_expr *e, const irl_expr *base)
{
    if (e == base || e->count == 0) return 0;
    int cost = irl__spread_cost(
        1, e->op == IRL_OP_BITAND && e->a[1]->op == IRL_OP_INT     ? e->a[1]->u.i
           : e->op == IRL_OP_FLOORMOD && e->a[1]->op == IRL_OP_INT ? e->a[1]->u.i - 1
                                                                   : 0);
    for (uint32_t k = 0; k < e->count; k++) cost += irl__c_layout_cost(e->a[k], base);
    return cost;
}

/* x << by, or x >> -by. */
static const irl_expr *irl__c_layout_shifted(irl__c_layout_state *s, const irl_expr *x, int by)
{
    if (by == 0) return x;
    if (by < 0) return irl__op_number(s->cx, IRL_OP_SHR, x, -by);
    /* a product: what is narrower than int is shifted as a signed one, of which clang warns */
    return irl__op_number(s->cx, IRL_OP_MUL, x, INT64_C(1) << by);
}

static const irl_expr *irl__c_layout_and(irl__c_layout_state *s, const irl_expr *x, int64_t mask)
{
    return irl__op_number(s->cx, IRL_OP_BITAND, x, mask);
}

static const irl_expr *irl__c_layout_step(irl__c_layout_state *s, const irl_expr *y,
                                          const irl__spread_step *step)
{
    if (step->kind == IRL__SPREAD_TWICE)
        return irl_expr_op2(s->cx, IRL_OP_ADD, y, irl__c_layout_and(s, y, step->moved));
    if (step->kind == IRL__SPREAD_OVER) {
        y = irl_expr_op2(s->cx, IRL_OP_BITOR, y, irl__c_layout_shifted(s, y, step->by));
        return irl__c_layout_and(s, y, step->kept);
    }
    const irl_expr *moved =
        irl__c_layout_shifted(s, irl__c_layout_and(s, y, step->moved), step->by);
    return irl_expr_op2(s->cx, IRL_OP_BITOR, irl__c_layout_and(s, y, step->kept), moved);
}

/* A variable of the value, declared if the sum is taken. NULL: something on the way is not proved
   to fit. */
static const irl_expr *irl__c_layout_named(irl__c_layout_state *s, const irl_expr *value)
{
    irl__c_layout_name *n = &s->names[s->name_count];
    if (!value || s->name_count == IRL__C_LAYOUT_NAMES || !irl__c_layout_is_fit(s, value))
        return NULL;
    n->last = irl__range_of(s->e->ranges, value).hi;
    n->value = value;
    n->var = irl_expr_var(s->cx, irl__c_layout_bits_name, irl__type_index());
    if (!n->var || !irl__bind_range(s->e->ranges, n->var, 0, n->last)) return NULL;
    s->name_count++;
    return n->var;
}

/* The terms that are bits of the number of term `at` become one, if steps are fewer operators than
   one bit after the other. 1: they have. */
static int irl__c_layout_spread(irl__c_layout_state *s, irl__c_layout_sum *t, int at)
{
    irl__c_layout_part part, other;
    irl__spread_group  groups[IRL__C_LAYOUT_TERMS];
    irl__spread_plan   plan;
    const irl_expr    *x;
    int                k, n = 0, cost = -1;
    if (!irl__c_layout_part_of(s, t->terms[at].factor, t->terms[at].by, &part)) return 0;
    int length = irl__spread_length(irl__range_of(s->e->ranges, part.base).hi);
    for (k = 0; k < t->count; k++) {
        int64_t by = t->terms[k].by;
        if (!irl__c_layout_part_of(s, t->terms[k].factor, by, &other) || other.base != part.base)
            continue;
        groups[n++] = other.bits;
        x = irl__c_layout_masked(s, t->terms[k].factor, &by);
        if (x) cost += irl__c_layout_cost(x, part.base) + (by != 1) + 1;
    }
    if (!irl__spread_find(&plan, groups, n, length, irl__spread_length(s->indices.most)) ||
        plan.cost >= cost)
        return 0;
    /* The steps of a plan: all but the last get a name. */
    const irl_expr *y = irl__c_layout_shifted(s, part.base, -plan.before);
    if (plan.first) y = irl__c_layout_and(s, y, plan.first);
    for (int j = 0; y && j < plan.count; j++) {
        if (y->op != IRL_OP_VAR) y = irl__c_layout_named(s, y); /* a step reads it twice */
        if (y) y = irl__c_layout_step(s, y, &plan.steps[j]);
    }
    x = y && irl__c_layout_is_fit(s, y) ? y : NULL;
    if (x && plan.after < 0) x = irl__c_layout_shifted(s, x, plan.after);
    if (!x) return 0;
    for (n = 0, k = 0; k < t->count; k++)
        if (!irl__c_layout_part_of(s, t->terms[k].factor, t->terms[k].by, &other) ||
            other.base != part.base)
            t->terms[n++] = t->terms[k];
    t->terms[n].factor = x;
    t->terms[n].by = plan.after > 0 ? INT64_C(1) << plan.after : 1;
    t->count = n + 1;
    return 1;
}

/* The sum with the largest numbers first; NULL: something is subtracted. */
static const irl_expr *irl__c_layout_by_hand(irl__c_layout_state *s, irl__c_layout_sum *t)
{
    int             k, j, powers = 1;
    const irl_expr *x;
    for (k = 0; k < t->count; k++) {
        int64_t by = t->terms[k].by;
        const irl_expr *factor = t->terms[k].factor;
        if (by <= 0 || !factor) return NULL;
        powers &= (by & (by - 1)) == 0;
        for (j = k; j > 0 && t->terms[j - 1].by < by; j--) t->terms[j] = t->terms[j - 1];
        t->terms[j].by = by;
        t->terms[j].factor = factor;
    }
    if (t->count == 0 || t->number < 0) return NULL;
    if (!powers) x = irl__c_layout_nested(s, t, t->count, 1);
    else
        for (x = NULL, k = 0; k < t->count; k++) {
            const irl_expr *p = irl__c_layout_masked(s, t->terms[k].factor, &t->terms[k].by);
            if (t->terms[k].by != 1)
                p = irl__op_number(s->cx, IRL_OP_MUL, p, t->terms[k].by);
            x = x ? irl_expr_op2(s->cx, IRL_OP_ADD, x, p) : p;
        }
    return x && t->number ? irl__op_number(s->cx, IRL_OP_ADD, x, t->number) : x;
}

/* The sum as by hand, where that fits the type; `steps`: with bits moved in steps. */
static const irl_expr *irl__c_layout_fit_by_hand(irl__c_layout_state *s, irl__c_layout_sum t,
                                                 int steps)
{
    s->name_count = 0;
    for (int k = 0; steps && k < t.count; k++)
        if (irl__c_layout_spread(s, &t, k)) k = -1; /* the terms are others now */
    if (steps && s->name_count == 0) return NULL;
    const irl_expr *x = irl__c_layout_by_hand(s, &t);
    return x && irl__c_layout_is_fit(s, x) ? x : NULL;
}

/* A simplified expression as one writes it by hand; NULL: that does not fit the type. */
static const irl_expr *irl__c_layout_hand_of(irl__c_layout_state *s, const irl_expr *x)
{
    irl__c_layout_sum t;
    memset(&t, 0, sizeof t);
    if (x->op == IRL_OP_INT || !irl__type_is_index(x->type) || (x->flags & IRL__HAS_LET) ||
        !irl__c_layout_add(&t, x, 1))
        return NULL;
    irl__c_layout_flip(s, &t);
    x = irl__c_layout_fit_by_hand(s, t, 1);
    return x ? x : irl__c_layout_fit_by_hand(s, t, 0);
}

/* Simplifies each part as far as the result fits the type. */
static const irl_expr *irl__c_layout_hook_within(irl__rewriter *r, const irl_expr *e)
{
    const irl__c_layout_state *s = (const irl__c_layout_state *)r->user;
    const irl_expr            *x = irl__simplify(s->e->ranges, e);
    int64_t                    by;
    if (x && x->op == IRL_OP_FLOORMOD && !irl__c_layout_is_fit(s, x))
        x = irl__c_index_raised(s->e, x, &by); /* (x - 2) % 3 is (x + 1) % 3 */
    if (!x || irl__c_layout_is_fit(s, x)) return x;
    return irl__rewrite_expr_children(r, e);
}

/* As short as may be within the type, and as by hand where that fits. What does not fit at all is
   simplified. */
static const irl_expr *irl__c_layout_shorter(irl__c_layout_state *s, const irl_expr *e)
{
    const irl_expr *x = irl__simplify(s->e->ranges, e);
    irl__rewriter   r = irl__rewriter_make(s->cx, s, irl__c_layout_hook_within, NULL);
    s->name_count = 0;
    const irl_expr *by_hand = x ? irl__c_layout_hand_of(s, x) : NULL;
    if (x && !by_hand && !irl__c_layout_is_fit(s, x)) {
        const irl_expr *within = irl__rewrite_expr(&r, e);
        by_hand = within ? irl__c_layout_hand_of(s, within) : NULL;
        if (within && !by_hand && irl__c_layout_is_fit(s, within)) return within;
    }
    if (!by_hand) return x;
    for (int k = 0; k < s->name_count; k++) {
        const irl__c_layout_name *n = &s->names[k];
        irl__emit_declare(s->e, n->var, n->var->u.name, n->value);
        if (!irl__bind_range(s->e->ranges, n->var, 0, n->last)) return NULL;
    }
    return by_hand;
}

/* Output k; what a let names is in its place where that makes it no longer. */
static const irl_expr *irl__c_layout_output(irl__c_layout_state *s, int k)
{
    const irl_expr *given = s->map->outputs[k];
    if (!(given->flags & IRL__HAS_LET)) return given;
    const irl_expr *inlined = irl__change_factored(s->cx, given);
    const irl_expr *x = irl__simplify(s->e->ranges, inlined);
    return x && x->size <= given->size ? inlined : given;
}

/* Row by row, in memory of one dimension. */
static const irl_expr *irl__c_layout_flat(irl__c_layout_state *s)
{
    const irl_expr *at = irl_expr_index(s->cx, 0);
    for (int k = 0; at && k < s->memory.rank; k++)
        at = irl__add(s->cx, irl__op_number(s->cx, IRL_OP_MUL, at, s->memory.extent[k]),
                      irl__c_layout_output(s, k));
    return at;
}

/* A place, and a quotient that has a name, is shifted: compilers join the division of one by a
   power of two with others, and divide more often. */
static int irl__c_layout_print(irl__emit *e, const irl_expr *x, int precedence)
{
    int k = x->op == IRL_OP_FLOORDIV && x->a[0]->op == IRL_OP_VAR ? irl__emit_log2(x->a[1]) : -1;
    if (k < 0 ||
        (strcmp(x->a[0]->u.name, irl__c_layout_rest) && strcmp(x->a[0]->u.name, "place")) ||
        irl__range_of(e->ranges, x->a[0]).lo < 0)
        return irl__c_integer(e, x, precedence);
    int opened = irl__emit_open(e, IRL__PREC_SHIFT, precedence);
    irl__emitf(e, "%o >> %d", IRL__PREC_UNARY, x->a[0], k);
    irl__emit_close(e, opened);
    return 1;
}

static void irl__c_layout_expr(irl__c_layout_state *s, const irl_expr *e)
{
    irl__width width = irl__emit_width(s->e, e, NULL);
    int        narrow = irl__type_info(s->type)->bits < 32;
    if (narrow && e->count) irl__textf(&s->e->text, "(%s)", s->index);
    irl__emit_index(s->e, e, width, narrow && e->count ? IRL__PREC_UNARY : IRL__PREC_CHOICE);
}

/* Brings variables into scope as parameters. */
static int irl__c_layout_bind(irl__c_layout_state *s, const irl_expr *const *inputs,
                              const irl_shape *shape)
{
    for (int k = 0; k < shape->rank; k++) {
        const char       *name = irl__emit_take_name(s->e, inputs[k]->u.name);
        irl__emit_symbol *symbol = name ? irl__emit_bind(s->e, inputs[k], name) : NULL;
        int64_t           last = shape->extent[k] > 0 ? shape->extent[k] - 1 : 0;
        if (!symbol || !irl__bind_range(s->e->ranges, inputs[k], 0, last)) return 0;
        symbol->width = irl__emit_width(s->e, inputs[k], NULL);
    }
    return 1;
}

/* "uint16_t y, uint16_t x"; without a type "y, x" */
static void irl__c_layout_names(irl__c_layout_state *s, const char *type, const char *blank)
{
    for (int k = 0; k < s->shape.rank; k++)
        irl__textf(&s->e->text, "%s%s%s%s", k ? ", " : "", type, blank,
                   irl__emit_find(s->e, s->map->inputs[k])->name);
}

/* ------------------------------------------------------------------ functions */

/* Says what does not fit in the words of the map: a part of it as it is written, or the place that
   its outputs are together. */
static int irl__c_layout_refuse(irl__c_layout_state *s, const irl_expr *at)
{
    for (int k = 0; k < s->map->output_count; k++)
        if (!irl__c_layout_fits(s, s->map->outputs[k], s->map->inputs, &s->shape)) return 0;
    if (irl__c_layout_witness(s, at, "the place", s->map->inputs, &s->shape)) return 0;
    return irl__c_layout_fits(s, at, s->map->inputs, &s->shape);
}

/* A function of inputs: its body and then its head, which looks at what the body uses. */
static int irl__c_layout_function(irl__c_layout_state *s, const irl_expr *const *inputs,
                                  const irl_shape *shape, int (*body)(irl__c_layout_state *s),
                                  void (*print)(irl__c_layout_state *s, const irl__text *body))
{
    const irl__emit_scope scope = irl__emit_scope_begin(s->e);
    const irl__width      width = s->e->width;
    int                   ok = irl__c_layout_bind(s, inputs, shape);
    const irl__text       outer = irl__emit_apart(s->e);
    const irl__emit_scope inner = irl__emit_scope_begin(s->e);
    s->e->indent = 1;
    ok = ok && body(s);
    irl__emit_scope_end(s->e, inner); /* what is not used goes */
    const irl__text own = irl__emit_back(s->e, outer);
    s->e->width = width;
    if (ok && irl__ok(s->cx)) print(s, &own);
    irl__emit_scope_end(s->e, scope);
    return ok && irl__ok(s->cx);
}

static void irl__c_layout_unused(irl__c_layout_state *s, const irl__text *body)
{
    for (int k = 0; k < s->shape.rank; k++) irl__emit_unused(s->e, body, s->map->inputs[k]);
}

/* NAME_place */
static int irl__c_layout_place_body(irl__c_layout_state *s)
{
    const irl_expr *at = irl__c_layout_flat(s);
    at = at ? irl__c_layout_shorter(s, at) : NULL;
    if (!at || (!irl__c_layout_is_fit(s, at) && !irl__c_layout_refuse(s, at))) return 0;
    irl__emit_prepare(s->e, at);
    irl__text_puts(&s->e->text, "    return ");
    irl__c_layout_expr(s, at);
    irl__text_puts(&s->e->text, ";\n}\n\n");
    return 1;
}

static void irl__c_layout_place(irl__c_layout_state *s, const irl__text *body)
{
    irl__textf(&s->e->text, "/* the number of the cell of a point */\nstatic inline %s %s_place(",
               s->index, s->name);
    irl__c_layout_names(s, s->index, " ");
    irl__text_puts(&s->e->text, s->shape.rank ? ")\n{\n" : "void)\n{\n");
    irl__c_layout_unused(s, body);
    irl__text_join(&s->e->text, body);
}

/* ------------------------------------------------------------------ elements of bits */

/* The names in their functions, of which no parameter is one. */
static const char *const irl__c_layout_taken[] = { "memory", "p",     "at", "bit", "own",
                                                   "word",   "value", "u",  "rest", "own_rest",
                                                   "f",      "code" };

/* The byte and the bit of an element as short as its place is, both of what the index type holds:
   (y / 8 * 128 + x) and y % 8. 0: they are not. */
static int irl__c_layout_byte_and_bit(irl__c_layout_state *s, const irl_expr **byte,
                                      const irl_expr **bit)
{
    irl_ctx        *cx = s->cx;
    const irl_expr *at = irl__c_layout_flat(s);
    if (!at || (at->flags & IRL__HAS_LET)) return 0;
    const irl_expr *place = irl__simplify(s->e->ranges, at);
    at = irl__op_number(cx, IRL_OP_ADD, irl__op_number(cx, IRL_OP_MUL, at, s->bits.stride),
                        s->bits.offset);
    *byte = irl__simplify(s->e->ranges, irl__op_number(cx, IRL_OP_FLOORDIV, at, 8));
    *bit = irl__simplify(s->e->ranges, irl__op_number(cx, IRL_OP_FLOORMOD, at, 8));
    return place && *byte && *bit && (*byte)->size + (*bit)->size <= place->size + 6 &&
           irl__c_layout_is_fit(s, *byte) && irl__c_layout_is_fit(s, *bit);
}

/* p, and `bit` where elements begin at several. */
static int irl__c_layout_where(irl__c_layout_state *s)
{
    const char *const constant = s->is_set ? "" : "const ";
    const int         whole = s->field.every == 8;
    irl__text        *t = &s->e->text;
    const irl_expr   *byte, *bit;
    if (!irl__c_layout_byte_and_bit(s, &byte, &bit)) {
        /* By a number for the bit, or of whole bytes for the byte: the place times the stride. */
        const int     unit = whole ? 8 : 1;
        const int64_t stride = s->bits.stride / unit, offset = s->bits.offset / unit;
        irl__textf(t, "    const %s at = (%s)(", s->wide, s->wide);
        if (s->bits.stride != unit || s->bits.offset) irl__textf(t, "(%s)", s->wide);
        irl__textf(t, "%s_place(", s->name);
        irl__c_layout_names(s, "", "");
        irl__text_putc(t, ')');
        if (s->bits.stride != unit) irl__textf(t, " * %lu", stride);
        if (offset) irl__textf(t, " + %lu", offset);
        irl__textf(t, ");\n    %suint8_t *const p = memory + at%s;\n", constant,
                   whole ? "" : " / 8u");
        if (!whole) irl__text_puts(t, "    const unsigned bit = (unsigned)(at % 8u);\n");
        return 1;
    }
    const irl_expr *by_hand = irl__c_layout_shorter(s, byte);
    if (by_hand && irl__c_layout_is_fit(s, by_hand)) byte = by_hand;
    irl__textf(t, "    %suint8_t *const p = memory + (", constant);
    irl__c_layout_expr(s, byte);
    irl__text_puts(t, ");\n");
    if (whole) return 1;
    irl__text_puts(t, "    const unsigned bit = (unsigned)(");
    irl__c_layout_expr(s, bit);
    irl__text_puts(t, ");\n");
    return 1;
}

/* "static inline uint8_t NAME_get(const uint8_t *memory, uint32_t i)", where the element is, casts
   of parameters that this does not use, and the rest. */
static void irl__c_layout_access(irl__c_layout_state *s, const irl__text *where)
{
    irl__text *t = &s->e->text;
    irl__textf(t, "/* the element of a point%s */\nstatic inline %s %s_%s(%suint8_t *memory",
               s->is_set ? "; all other bits keep their values" : "",
               s->is_set ? "void" : s->field.value, s->name, s->is_set ? "set" : "get",
               s->is_set ? "" : "const ");
    if (s->shape.rank) irl__text_puts(t, ", ");
    irl__c_layout_names(s, s->index, " ");
    if (s->is_set) irl__textf(t, ", %s value", s->field.value);
    irl__text_puts(t, ")\n{\n");
    irl__text_join(t, where);
    irl__c_layout_unused(s, where);
    (s->is_set ? irl__c_field_set : irl__c_field_get)(&s->field);
}

/* ------------------------------------------------------------------ the way back */

/* A variable of its own for a quotient that is divided again by what is no power of two. */
static const irl_expr *irl__c_layout_quotient(irl__c_layout_state *s, const irl_expr *value,
                                              int64_t last)
{
    const irl_expr *var = irl_expr_var(s->cx, irl__c_layout_rest, irl__type_index());
    value = irl__simplify(s->e->ranges, value);
    if (!var || !value || value->op == IRL_OP_VAR || value->op == IRL_OP_INT) return value;
    irl__emit_declare(s->e, var, irl__c_layout_rest, value);
    return irl__bind_range(s->e->ranges, var, 0, last) ? var : NULL;
}

/* The axes of memory at a place: remainders of quotients. */
static int irl__c_layout_axes(irl__c_layout_state *s, const irl_expr *place, const irl_expr **axes)
{
    const irl_expr *rest = place;
    int64_t         left = s->cells;
    for (int k = s->memory.rank - 1; k >= 0; k--) {
        int64_t         each = s->memory.extent[k];
        const irl_expr *extent = irl_expr_index(s->cx, each);
        if (k && (each & (each - 1)) != 0) rest = irl__c_layout_quotient(s, rest, left - 1);
        if (!rest || !extent) return 0;
        axes[k] = k && each > 1 ? irl__floormod(s->cx, rest, extent) : rest;
        if (k && each == 1) axes[k] = irl_expr_index(s->cx, 0);
        left /= each ? each : 1;
        if (each > 1) rest = irl__floordiv(s->cx, rest, extent);
        if (k && (each & (each - 1)) != 0) rest = irl__c_layout_quotient(s, rest, left - 1);
        if (!rest || !axes[k]) return 0;
    }
    return irl__ok(s->cx);
}

/* What the inverse or its padding is of a place. */
static const irl_expr *irl__c_layout_of_place(irl__c_layout_state *s, const irl_expr *e,
                                              const irl_expr *const *axes)
{
    e = irl__substitute(s->cx, e, s->memory.rank, s->inverse->inputs, axes);
    return e ? irl__c_layout_shorter(s, e) : NULL;
}

/* What divides a place, by numbers that are no powers of two. */
typedef struct irl__c_layout_divisors {
    const irl_expr *place;
    int64_t         list[IRL__C_LAYOUT_TERMS];
    int             count;
} irl__c_layout_divisors;

static int irl__c_layout_divides(const irl__c_layout_divisors *d, const irl_expr *e)
{
    return (e->op == IRL_OP_FLOORDIV || e->op == IRL_OP_FLOORMOD) && e->a[0] == d->place &&
           e->a[1]->op == IRL_OP_INT && irl__emit_log2(e->a[1]) < 0;
}

static int irl__c_layout_see_divisor(irl__visitor *v, const irl_expr *e)
{
    irl__c_layout_divisors *d = (irl__c_layout_divisors *)v->user;
    if (irl__c_layout_divides(d, e) && d->count < IRL__C_LAYOUT_TERMS)
        d->list[d->count++] = e->a[1]->u.i;
    return 1;
}

/* place / 80 is place / 5 >> 4 where place is divided by 5 as well: one division less. */
static const irl_expr *irl__c_layout_hook_shift(irl__rewriter *r, const irl_expr *e)
{
    const irl__c_layout_divisors *d = (const irl__c_layout_divisors *)r->user;
    if (e->op != IRL_OP_FLOORDIV || !irl__c_layout_divides(d, e))
        return irl__rewrite_expr_children(r, e);
    for (int k = 0; k < d->count; k++) {
        if (e->a[1]->u.i % d->list[k] || e->a[1]->u.i == d->list[k]) continue;
        const irl_expr *by = irl_expr_index(r->cx, e->a[1]->u.i / d->list[k]);
        if (!by || irl__emit_log2(by) < 0) continue;
        return irl__op_number(r->cx, IRL_OP_SHR,
                              irl__op_number(r->cx, IRL_OP_FLOORDIV, d->place, d->list[k]),
                              irl__emit_log2(by));
    }
    return e;
}

/* The results of NAME_point, and whether the place is padding, NULL where none is: in what the
   place is divided by, each division once. */
static int irl__c_layout_results(irl__c_layout_state *s, const irl_expr *place,
                                 const irl_expr **results, const irl_expr **padding)
{
    const irl_expr        *axes[IRL_MAX_RANK];
    irl__c_layout_divisors d;
    irl__visitor           v = irl__visitor_make(&d, irl__c_layout_see_divisor, NULL);
    irl__rewriter          r = irl__rewriter_make(s->cx, &d, irl__c_layout_hook_shift, NULL);
    d.place = place;
    d.count = 0;
    *padding = NULL;
    if (!irl__c_layout_axes(s, place, axes)) return 0;
    if (s->padding) {
        *padding = irl__c_layout_of_place(s, s->padding, axes);
        if (!*padding) return 0;
        irl__visit_expr(&v, *padding);
    }
    for (int k = 0; k < s->shape.rank; k++) {
        results[k] = irl__c_layout_of_place(s, s->inverse->outputs[k], axes);
        if (!results[k]) return 0;
        irl__visit_expr(&v, results[k]);
    }
    for (int k = 0; k < s->shape.rank && irl__ok(s->cx); k++)
        results[k] = irl__rewrite_expr(&r, results[k]);
    return irl__ok(s->cx);
}

/* NAME_point */
static int irl__c_layout_point_body(irl__c_layout_state *s)
{
    const irl_expr *padding, *results[IRL_MAX_RANK];
    if (!irl__c_layout_results(s, s->place, results, &padding)) return 0;
    if (padding) {
        if (!irl__c_layout_fits(s, padding, &s->place, &s->places)) return 0;
        irl__emit_prepare(s->e, padding);
        irl__emitf(s->e, "    if (%e) return 0;\n", padding);
    }
    for (int k = 0; k < s->shape.rank; k++) {
        s->results[k] = irl__emit_take_name(s->e, s->map->inputs[k]->u.name);
        if (!s->results[k] || !irl__c_layout_fits(s, results[k], &s->place, &s->places)) return 0;
        irl__emit_prepare(s->e, results[k]);
        irl__textf(&s->e->text, "    *%s = ", s->results[k]);
        irl__c_layout_expr(s, results[k]);
        irl__text_puts(&s->e->text, ";\n");
    }
    return 1;
}

static void irl__c_layout_point(irl__c_layout_state *s, const irl__text *body)
{
    irl__textf(&s->e->text,
               s->padding ? "/* the point in a cell; returns 1, or 0 if that is padding */\n"
                            "static inline int %s_point(%s place"
                          : "/* the point in a cell */\n"
                            "static inline void %s_point(%s place", s->name, s->index);
    for (int k = 0; k < s->shape.rank; k++)
        irl__textf(&s->e->text, ", %s *%s", s->index, s->results[k]);
    irl__text_puts(&s->e->text, ")\n{\n");
    irl__emit_unused(s->e, body, s->place);
    irl__text_join(&s->e->text, body);
    irl__text_puts(&s->e->text, s->padding ? "    return 1;\n}\n\n" : "}\n\n");
}

/* How elements are moved to and from memory: what stands in front of the indices of a point, where
   % is the layout's name, and behind them. */
typedef struct irl__c_layout_mover {
    const char *before, *end;
} irl__c_layout_mover;
static const irl__c_layout_mover irl__c_layout_movers[2][2] = { /* of bits; packed */
    { { "*to++ = from[%_place(", ")]" }, { "to[%_place(", ")] = *from++" } },
    { { "*to++ = %_get(from", ")" }, { "%_set(to", ", *from++)" } }
};

/* Loops over the points in order. */
static int irl__c_layout_move_body(irl__c_layout_state *s)
{
    const irl__c_layout_mover *m = &irl__c_layout_movers[s->how.bits != NULL][s->is_set];
    irl__text                 *t = &s->e->text;
    for (int k = 0; k < s->shape.rank; k++, s->e->indent++) {
        const char *name = irl__emit_find(s->e, s->map->inputs[k])->name;
        irl__emitf(s->e, "\tfor (%s %s = 0; %s < %l; %s++)\n", s->index, name, name,
                   s->shape.extent[k], name);
    }
    irl__emit_line(s->e);
    for (int k = 0; m->before[k]; k++)
        if (m->before[k] == '%') irl__text_puts(t, s->name);
        else irl__text_putc(t, m->before[k]);
    if (s->how.bits && s->shape.rank) irl__text_puts(t, ", ");
    irl__c_layout_names(s, "", "");
    irl__textf(t, "%s;\n}\n\n", m->end);
    return 1;
}

static void irl__c_layout_move(irl__c_layout_state *s, const irl__text *body)
{
    const int   has_padding = s->cells != s->points || s->in_bits.unused_bits != 0;
    const char *memory = s->how.bits ? "uint8_t" : s->element;
    irl__textf(&s->e->text, "/* %s%s */\nstatic inline void %s_%s(const %s *from, %s *to)\n{\n",
               s->is_set ? "copies a row-major array of all points into memory"
                         : "copies memory into a row-major array of all points",
               has_padding && s->is_set ? "; padding does not change" : "", s->name,
               s->is_set ? "pack" : "unpack", s->is_set ? s->element : memory,
               s->is_set ? memory : s->element);
    irl__text_join(&s->e->text, body);
}

/* ------------------------------------------------------------------ the whole */

static const char *irl__c_layout_top(irl__c_layout_state *s)
{
    /* The type holds the number of each point's cell; the last cell may be no point's. */
    const int64_t last = s->cells > s->indices.most ? s->indices.most : s->cells ? s->cells - 1 : 0;
    irl__text     t;
    irl__text_init(&t, s->cx);
    irl__textf(&t, "/* %s: ", s->name);
    irl__emit_comment(&t, irl_map_text(s->cx, s->map));
    irl__text_puts(&t, " on ");
    irl__text_numbers(&t, "[]", s->shape.rank, s->shape.extent);
    irl__text_puts(&t, "\n   ");
    irl__emit_comment(&t, irl_verdict_text(s->cx, &s->verdict));
    if (s->how.bits) {
        irl__textf(&t, "\n   elements %s, ", irl_bit_element_text(s->cx, &s->bits));
        irl__emit_comment(&t, irl_bit_verdict_text(s->cx, &s->in_bits));
    }
    if (s->is_right && !s->inverse)
        irl__textf(&t, "\n   there is no %s_point: no formula of the inverse is known", s->name);
    if (s->shape.rank && s->points)
        irl__text_puts(&t, "\n   no function checks its coordinates: each must be "
                           "below its extent");
    irl__textf(&t,
               "\n   C99, emitted by irlayout " IRL_VERSION_STRING "; needs only <stdint.h> */\n"
               "#ifndef %s_layout_h\n#define %s_layout_h\n#include <stdint.h>\n\n"
               "#define %s_points %l /* elements of an array of all points */\n"
               "#define %s_cells %l /* elements of memory */\n",
               s->name, s->name, s->name, s->points, s->name, s->cells);
    if (s->how.bits) irl__textf(&t, "#define %s_bytes %l\n", s->name, s->in_bits.bits / 8);
    irl__text_putc(&t, '\n');
    irl__textf(&t,
               "/* does not compile if types have other sizes than this code was emitted for */\n"
               "typedef char %s_index_fits[(%s)%l == %l && sizeof(%s) == %d ? 1 : -1];\n\n",
               s->name, s->index, last, last, s->element,
               (int)irl__type_bytes(irl__emit_held(s->how.type)));
    irl__emit_helpers(s->e, &t);
    irl__text_join(&t, &s->e->text);
    irl__text_puts(&t, "#endif\n");
    return irl__text_done(&t);
}

static int irl__c_layout_sizes(irl__c_layout_state *s)
{
    int k;
    s->points = s->cells = 1;
    for (k = 0; k < s->shape.rank; k++) {
        if (!irl__mul64(s->points, s->shape.extent[k], &s->points)) break;
        if (!irl__c_index_holds(&s->indices, s->shape.extent[k]))
            return irl__c_layout_no(s, "an extent", s->shape.extent[k]);
    }
    if (k < s->shape.rank)
        return irl__fail(s->cx, IRL_ERROR_OVERFLOW, s->map->loc, "the points are too many");
    for (k = 0; k < s->memory.rank; k++)
        if (!irl__mul64(s->cells, s->memory.extent[k], &s->cells))
            return irl__fail(s->cx, IRL_ERROR_OVERFLOW, s->map->loc, "the memory is too large");
    return 1;
}

/* Of the points, by their coordinates; is_set: that writes memory. */
static int irl__c_layout_of_point(irl__c_layout_state *s, int is_set,
                                  int (*body)(irl__c_layout_state *s),
                                  void (*print)(irl__c_layout_state *s, const irl__text *body))
{
    s->is_set = is_set;
    return irl__c_layout_function(s, s->map->inputs, &s->shape, body, print);
}

static int irl__c_layout_functions(irl__c_layout_state *s)
{
    if (!irl__c_layout_of_point(s, 0, irl__c_layout_place_body, irl__c_layout_place)) return 0;
    if (!s->cells) return 1;
    if (s->how.bits) {
        /* The type for the number of a bit: as short as may be, for small machines. */
        const int64_t last = s->in_bits.bits;
        s->wide = last <= UINT16_MAX && irl__type_info(s->type)->bits <= 16 ? "uint16_t"
                  : last <= UINT32_MAX                                      ? "uint32_t"
                                                                            : "uint64_t";
        s->field = irl__c_field_of(&s->e->text, &s->bits, "word");
        irl__c_field_apart(&s->field, s->bits.stride);
        irl__c_field_from(&s->field, s->bits.offset);
        for (int is_set = 0; is_set <= s->is_right; is_set++)
            if (!irl__c_layout_of_point(s, is_set, irl__c_layout_where, irl__c_layout_access))
                return 0;
    }
    s->places.rank = 1;
    s->places.extent[0] = s->cells;
    s->place = irl_expr_var(s->cx, "place", irl__type_index());
    if (s->inverse && (!s->place || !irl__c_layout_function(s, &s->place, &s->places,
                                                            irl__c_layout_point_body,
                                                            irl__c_layout_point)))
        return 0;
    return !s->is_right ||
           (irl__c_layout_of_point(s, 1, irl__c_layout_move_body, irl__c_layout_move) &&
            irl__c_layout_of_point(s, 0, irl__c_layout_move_body, irl__c_layout_move));
}

static const char *irl__c_layout_text(irl__c_layout_state *s)
{
    static const char *const macros_and_functions[] = { "points", "cells",  "bytes",  "index_fits",
                                                        "place",  "point",  "get",    "set",
                                                        "pack",   "unpack", "layout_h" };
    if (!irl__c_layout_sizes(s)) return NULL;
    for (size_t k = 0; k < IRL__COUNTOF(macros_and_functions); k++)
        irl__emit_take_of(s->e, s->name, macros_and_functions[k]);
    irl__emit_take_name(s->e, "from");
    irl__emit_take_name(s->e, "to");
    for (size_t k = 0; s->how.bits && k < IRL__COUNTOF(irl__c_layout_taken); k++)
        irl__emit_take_name(s->e, irl__c_layout_taken[k]);
    return irl__ok(s->cx) && irl__c_layout_functions(s) ? irl__c_layout_top(s) : NULL;
}

static const char *irl__c_layout_in(irl__c_layout_state *s, irl_scalar index)
{
    irl__arena_mark mark = irl__scratch_begin(s->cx);
    irl__emit_unit  unit;
    irl__emit       e;
    const char     *source = NULL;
    irl__c_integers(&s->language);
    irl__c_index_begin(&s->indices, &s->language, index);
    s->language.expr = irl__c_layout_print;
    s->type = s->indices.type;
    s->index = s->indices.name;
    memset(&unit, 0, sizeof unit);
    unit.cx = s->cx;
    unit.language = &s->language;
    s->e = &e;
    if (irl__emit_begin(&e, &unit, irl__format(s->cx, "irl_%s", s->name)))
        source = irl__c_layout_text(s);
    irl__scratch_end(s->cx, mark);
    return irl__ok(s->cx) ? source : NULL;
}

/* The type of elements, and of their values in C. */
static int irl__c_layout_type(irl__c_layout_state *s)
{
    if (s->how.type.lanes == 0) s->how.type = irl_type_of(IRL_F32, 1);
    if (s->how.bits) {
        if (!irl__bit_element_ok(s->cx, s->how.bits, &s->bits, s->map->loc)) return 0;
        s->how.type = s->bits.type;
        s->element = irl__c_field_of(NULL, &s->bits, "").value;
        return 1;
    }
    irl__c_integers(&s->language);
    s->element = s->language.types[irl__emit_held(s->how.type).scalar];
    return (s->how.type.lanes == 1 && !irl__type_is_index(s->how.type)) ||
           irl__fail(s->cx, IRL_ERROR_UNSUPPORTED, s->map->loc,
                     "elements of type %s have no type in C", irl__type_cstr(s->cx, s->how.type));
}

/* The verdict on the map, and on its bits where there are such. */
static int irl__c_layout_judge(irl__c_layout_state *s)
{
    if (s->how.bits) {
        s->in_bits = irl_map_check_bits(s->cx, s->map, s->shape, &s->bits);
        s->verdict = s->in_bits.map;
    } else s->verdict = irl_map_check(s->cx, s->map, s->shape);
    if (!irl__ok(s->cx)) return 0;
    irl__verdict_permit_loss(&s->verdict);
    if (s->verdict.kind == IRL_OUT_OF_RANGE)
        return irl__fail(s->cx, IRL_ERROR_MAP_OUT_OF_RANGE, s->map->loc, "the layout is %s",
                         irl_verdict_text(s->cx, &s->verdict));
    if (s->how.bits && s->in_bits.bits < 0)
        return irl__fail(s->cx, IRL_ERROR_OVERFLOW, s->map->loc,
                         "the bits of the memory are not counted: %s",
                         irl_bit_verdict_text(s->cx, &s->in_bits));
    s->is_right = irl__verdict_is_right(&s->verdict) &&
                  (!s->how.bits || s->in_bits.kind == IRL_BIJECTIVE ||
                   s->in_bits.kind == IRL_INJECTIVE);
    if (!s->is_right || !s->verdict.padding) return 1; /* no formula is known: none is printed */
    s->inverse = s->verdict.inverse;
    return irl__verdict_unused(s->cx, &s->verdict, &s->padding);
}

static const char *irl__c_layout_source(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                        const irl_c_layout_options *how)
{
    static const irl_scalar   tried[] = { IRL_U32, IRL_I32, IRL_I64 };
    irl__c_layout_state       s;
    if (!cx || !irl__ok(cx) || !map) return NULL;
    memset(&s, 0, sizeof s);
    s.cx = cx;
    if (how) s.how = *how;
    s.name = s.how.name ? s.how.name : "layout";
    if (!irl__shape_is_counted(cx, &shape, IRL__AS_SHAPE, "irl_c_layout_source", map->loc))
        return NULL;
    s.shape = shape;
    s.map = irl_map_of_rank(cx, map, shape.rank);
    if (!s.map) return NULL;
    if (s.name[0] == '_' || !irl__is_identifier(irl__words_of_c, s.name)) {
        IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "a layout's name in C (--name) must be an identifier "
                  "that C has not taken; found '%s'", s.name);
        return NULL;
    }
    if (!irl__c_layout_type(&s)) return NULL;
    if (irl__map_has_names(s.map)) {
        irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, map->loc,
                  "irl_c_layout_source takes a map of its inputs alone; the layout %s has other "
                  "names in it",
                  irl_map_text(cx, map));
        return NULL;
    }
    if (!irl_map_memory(cx, s.map, shape, &s.memory)) return NULL;
    if (!irl__c_layout_judge(&s)) return NULL;
    if (s.how.index != IRL_BOOL) return irl__c_layout_in(&s, s.how.index);
    for (size_t k = 0; k < IRL__COUNTOF(tried); k++) {
        irl_mark mark = irl_ctx_mark(cx);
        const char *source = irl__c_layout_in(&s, tried[k]);
        if (source || k + 1 == IRL__COUNTOF(tried) ||
            (irl_diag_of(cx) && irl_diag_of(cx)->code != IRL_ERROR_INDEX_WIDTH))
            return source;
        irl_ctx_rewind(cx, mark);
    }
    return NULL;
}

const char *irl_c_layout_source(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                const irl_c_layout_options *how)
{
    return irl__text_or_empty(irl__c_layout_source(cx, map, shape, how));
}
