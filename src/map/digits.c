/* digits.c - how many cells an axis takes that is a digit: a remainder, or made of remainders.

   needs     the analyzer, where moduli have names
   promises  equal functions take equal places, in whatever form their digits are written: y % 64 /
             8 and y / 8 % 8 take 8, y % 64 / 8 * 8 + x % 8 takes 64. Any other sum is not a digit:
             its memory is the box of its values
   cost      at most IRL__DIGIT_PARTS parts of the expression */
#include "map.h"

enum { IRL__DIGIT_PARTS = 512, IRL__DIGIT_TERMS = 16 };

/* Its values are multiples of `step`, and below `places`, of which `step` is a divisor or 1. */
typedef struct irl__digit {
    const irl_expr *places, *step;
} irl__digit;

/* A variable of a let, and what is known of its value. */
typedef struct irl__digit_let {
    const irl_expr              *name;
    irl__digit                   digit;
    int                          is_digit;
    int64_t                      divisor; /* of its value, everywhere */
    const struct irl__digit_let *outer;
} irl__digit_let;

typedef struct irl__digits {
    irl_ctx              *cx;
    irl__analyzer        *an;   /* NULL: all moduli are numbers */
    const irl__digit_let *lets; /* that stand around the part at hand */
    int                   left; /* how many parts may be looked at still */
} irl__digits;

static int irl__digit_of(irl__digits *g, const irl_expr *e, irl__digit *d);

/* A value that is the same at all points, and at least 1. */
static int irl__digit_fixed(const irl__digits *g, const irl_expr *e)
{
    if (e->op == IRL_OP_INT) return irl__type_is_index(e->type) && e->u.i >= 1;
    for (const irl__digit_let *let = g->lets; let; let = let->outer)
        if (irl__expr_uses_var(e, let->name)) return 0;
    return g->an && !irl__expr_moves(g->an, e) && irl__interval_of(g->an, e).lo >= 1;
}

/* a op b as short as may be; NULL where it does not fit. */
static const irl_expr *irl__digit_fold(const irl__digits *g, irl_op op, const irl_expr *a,
                                       const irl_expr *b)
{
    const irl_expr *e = a && b ? irl_expr_op2(g->cx, op, a, b) : NULL;
    int64_t         value;
    if (!e || a->op != IRL_OP_INT || b->op != IRL_OP_INT)
        return e && g->an ? irl__simplify(g->an, e) : NULL;
    if (irl__value_at(e, 0, NULL, NULL, &value) != IRL__FOLD_OK) return NULL;
    return irl_expr_index(g->cx, value);
}

static int irl__digit_at_most(const irl__digits *g, const irl_expr *a, const irl_expr *b)
{
    if (a == b) return 1;
    if (a->op == IRL_OP_INT && b->op == IRL_OP_INT) return a->u.i <= b->u.i;
    return g->an && irl__prove(g->an, irl_expr_op2(g->cx, IRL_OP_LE, a, b));
}

/* A step of two: the largest that divides both, where they are numbers. */
static const irl_expr *irl__digit_common(const irl__digits *g, const irl_expr *a, const irl_expr *b)
{
    if (a == b) return a;
    return irl_expr_index(
        g->cx, a->op == IRL_OP_INT && b->op == IRL_OP_INT ? irl__gcd64(a->u.i, b->u.i) : 1);
}

static const irl__digit_let *irl__digit_named(const irl__digits *g, const irl_expr *var)
{
    const irl__digit_let *let = g->lets;
    while (let && let->name != var) let = let->outer;
    return let;
}

/* A number that divides e everywhere. */
static int64_t irl__digit_divisor(irl__digits *g, const irl_expr *e)
{
    if (--g->left < 0) return 1;
    if (e->op == IRL_OP_INT && e->u.i != INT64_MIN) return e->u.i < 0 ? -e->u.i : e->u.i;
    if (e->op == IRL_OP_MUL && e->a[1]->op == IRL_OP_INT) return irl__digit_divisor(g, e->a[1]);
    if (e->op == IRL_OP_MUL && e->a[0]->op == IRL_OP_INT) return irl__digit_divisor(g, e->a[0]);
    if (e->op == IRL_OP_ADD || e->op == IRL_OP_SUB)
        return irl__gcd64(irl__digit_divisor(g, e->a[0]), irl__digit_divisor(g, e->a[1]));
    if (e->op == IRL_OP_VAR && irl__digit_named(g, e)) return irl__digit_named(g, e)->divisor;
    return 1;
}

/* Divided by `by`, rounded up. */
static int irl__digit_divided(irl__digits *g, const irl_expr *e, const irl_expr *by, irl__digit *d)
{
    const irl_expr *one = irl_expr_index(g->cx, 1), *rest;
    if (!by || !irl__digit_fixed(g, by) || !irl__digit_of(g, e, d)) return 0;
    d->places = irl__digit_fold(g, IRL_OP_ADD, d->places, irl__digit_fold(g, IRL_OP_SUB, by, one));
    d->places = irl__digit_fold(g, IRL_OP_FLOORDIV, d->places, by);
    rest = irl__digit_fold(g, IRL_OP_FLOORMOD, d->step, by);
    d->step = rest && irl__is_int(rest, 0) ? irl__digit_fold(g, IRL_OP_FLOORDIV, d->step, by) : one;
    return d->places && d->step;
}

static int irl__digit_scaled(irl__digits *g, const irl_expr *e, const irl_expr *by, irl__digit *d)
{
    if (!by || !irl__digit_fixed(g, by) || !irl__digit_of(g, e, d)) return 0;
    d->places = irl__digit_fold(g, IRL_OP_MUL, d->places, by);
    d->step = irl__digit_fold(g, IRL_OP_MUL, d->step, by);
    return d->places && d->step;
}

/* 2 to the distance; NULL: it is no distance of an index. */
static const irl_expr *irl__digit_power(const irl__digits *g, const irl_expr *distance)
{
    if (distance->op != IRL_OP_INT || distance->u.i < 0 || distance->u.i > 62) return NULL;
    return irl_expr_index(g->cx, INT64_C(1) << distance->u.i);
}

/* The bits from the lowest of `mask` to its highest. */
static int irl__digit_of_mask(irl__digits *g, int64_t mask, irl__digit *d)
{
    int64_t places = 1;
    if (mask <= 0 || mask > INT64_MAX / 2) return 0;
    while (places <= mask) places *= 2;
    d->places = irl_expr_index(g->cx, places);
    d->step = irl_expr_index(g->cx, mask & -mask);
    return d->places && d->step;
}

/* Bits of two digits that fill theirs: the places of the wider one. */
static int irl__digit_of_bits(irl__digits *g, const irl_expr *e, irl__digit *d)
{
    irl__digit      other;
    const irl_expr *a = e->a[0], *b = e->a[1];
    if (a->op == IRL_OP_INT) a = e->a[1], b = e->a[0];
    if (b->op == IRL_OP_INT && e->op == IRL_OP_BITAND) return irl__digit_of_mask(g, b->u.i, d);
    if (!irl__digit_of(g, a, d)) return 0;
    if (b->op == IRL_OP_INT ? !irl__digit_of_mask(g, b->u.i, &other) : !irl__digit_of(g, b, &other))
        return 0;
    if (d->places->op != IRL_OP_INT || other.places->op != IRL_OP_INT ||
        (d->places->u.i & (d->places->u.i - 1)) || (other.places->u.i & (other.places->u.i - 1)) ||
        (b->op == IRL_OP_INT && other.places->u.i > d->places->u.i))
        return 0;
    if (other.places->u.i > d->places->u.i) d->places = other.places;
    d->step = irl__digit_common(g, d->step, other.step);
    return d->step != NULL;
}

/* ------------------------------------------------------------------ sums */

typedef struct irl__digit_sum {
    irl__digit      terms[IRL__DIGIT_TERMS];
    int             count;
    const irl_expr *number; /* what is added besides; of a term that is subtracted its last value */
} irl__digit_sum;

static int irl__digit_add(irl__digits *g, irl__digit_sum *s, const irl_expr *e, int sign)
{
    irl__digit *d = &s->terms[s->count];
    if (e->op == IRL_OP_ADD || e->op == IRL_OP_SUB)
        return irl__digit_add(g, s, e->a[0], sign) &&
               irl__digit_add(g, s, e->a[1], e->op == IRL_OP_SUB ? -sign : sign);
    if (e->op == IRL_OP_INT) {
        s->number = irl__digit_fold(g, sign < 0 ? IRL_OP_SUB : IRL_OP_ADD, s->number, e);
        return s->number != NULL;
    }
    if (s->count == IRL__DIGIT_TERMS || !irl__digit_of(g, e, d)) return 0;
    s->count++;
    if (sign < 0) /* 7 - x % 8 is a digit as x % 8 is */
        s->number = irl__digit_fold(g, IRL_OP_SUB, s->number,
                                    irl__digit_fold(g, IRL_OP_SUB, d->places, d->step));
    return s->number != NULL;
}

/* Each digit lies below the steps of those above it. */
static int irl__digit_of_sum(irl__digits *g, const irl_expr *e, irl__digit *d)
{
    irl__digit_sum s;
    memset(&s, 0, sizeof s);
    s.number = irl_expr_index(g->cx, 0);
    if (!irl__digit_add(g, &s, e, 1) || s.number->op != IRL_OP_INT || s.number->u.i < 0 ||
        s.count == 0)
        return 0;
    *d = s.terms[0];
    for (int k = 0; k < s.count; k++) {
        for (int j = 0; j < k; j++)
            if (!irl__digit_at_most(g, s.terms[k].places, s.terms[j].step) &&
                !irl__digit_at_most(g, s.terms[j].places, s.terms[k].step))
                return 0;
        if (irl__digit_at_most(g, d->places, s.terms[k].step)) d->places = s.terms[k].places;
        d->step = irl__digit_common(g, d->step, s.terms[k].step);
        if (!d->step) return 0;
    }
    if (irl__is_int(s.number, 0)) return 1;
    if (d->step->op != IRL_OP_INT || s.number->u.i >= d->step->u.i) return 0;
    d->step = irl_expr_index(g->cx, 1);
    return d->step != NULL;
}

/* ------------------------------------------------------------------ the question */

static int irl__digit_of(irl__digits *g, const irl_expr *e, irl__digit *d)
{
    if (!e || --g->left < 0 || !irl__type_is_index(e->type)) return 0;
    switch ((int)e->op) {
    case IRL_OP_FLOORMOD: {
        const irl_expr *m = e->a[1];
        if (!irl__digit_fixed(g, m)) return 0;
        if (irl__digit_of(g, e->a[0], d) && irl__digit_at_most(g, d->places, m)) return 1;
        int64_t step = m->op == IRL_OP_INT ? irl__gcd64(irl__digit_divisor(g, e->a[0]), m->u.i) : 1;
        d->places = m->op == IRL_OP_INT ? m : irl__simplify(g->an, m);
        d->step = irl_expr_index(g->cx, step);
        return d->places && d->step;
    }
    case IRL_OP_FLOORDIV: return irl__digit_divided(g, e->a[0], e->a[1], d);
    case IRL_OP_SHR: return irl__digit_divided(g, e->a[0], irl__digit_power(g, e->a[1]), d);
    case IRL_OP_SHL: return irl__digit_scaled(g, e->a[0], irl__digit_power(g, e->a[1]), d);
    case IRL_OP_MUL:
        return irl__digit_fixed(g, e->a[1]) ? irl__digit_scaled(g, e->a[0], e->a[1], d)
                                            : irl__digit_scaled(g, e->a[1], e->a[0], d);
    case IRL_OP_ADD:
    case IRL_OP_SUB: return irl__digit_of_sum(g, e, d);
    case IRL_OP_BITAND:
    case IRL_OP_BITOR:
    case IRL_OP_BITXOR: return irl__digit_of_bits(g, e, d);
    case IRL_OP_SELECT:
    case IRL_OP_IF_THEN_ELSE: {
        /* Either of two. */
        irl__digit other;
        if (!irl__digit_of(g, e->a[1], d) || !irl__digit_of(g, e->a[2], &other)) return 0;
        if (irl__digit_at_most(g, d->places, other.places)) d->places = other.places;
        else if (!irl__digit_at_most(g, other.places, d->places)) return 0;
        d->step = irl__digit_common(g, d->step, other.step);
        return d->step != NULL;
    }
    case IRL_OP_LET: {
        irl__digit_let here;
        here.name = e->a[0];
        here.is_digit = irl__digit_of(g, e->a[1], &here.digit);
        here.divisor = irl__digit_divisor(g, e->a[1]);
        here.outer = g->lets;
        g->lets = &here;
        int ok = irl__digit_of(g, e->a[2], d);
        g->lets = here.outer;
        return ok;
    }
    case IRL_OP_VAR: {
        const irl__digit_let *let = irl__digit_named(g, e);
        if (!let || !let->is_digit) return 0;
        *d = let->digit;
        return 1;
    }
    default: return 0;
    }
}

const irl_expr *irl__digit_places(irl_ctx *cx, irl__analyzer *an, const irl_expr *e)
{
    irl__digits g;
    irl__digit  d;
    g.cx = cx;
    g.an = an;
    g.lets = NULL;
    g.left = IRL__DIGIT_PARTS;
    return irl__digit_of(&g, e, &d) ? d.places : NULL;
}

void irl__memory_box(const irl_map *map, irl_shape *physical)
{
    for (int k = 0; k < map->output_count; k++) {
        const irl_expr *places = irl__digit_places(map->cx, NULL, map->outputs[k]);
        if (places && physical->extent[k] < places->u.i) physical->extent[k] = places->u.i;
    }
}
