/* change_box.c - the least and the largest value of an output, over other variables.

   needs     the steps; extents that are numbers
   promises  exact, with a point that takes the value: it was evaluated on the output as it is
             written. -1 means "not known"

   The parts of a sum that share no variable take their ends independently. So do the arms of a
   choice and its condition. A quotient takes its ends where its dividend does; a remainder too,
   where that stays in one cell of the modulus, else it is looked for: (a*v + b) % m by Euclid's
   steps, of digits by the digits that come next. */
#include "change.h"

enum {
    IRL__BOX_ENDS_DEPTH = 24,
    IRL__BOX_ENDS_TRIES = 8,
    IRL__BOX_ENDS_BITS = 12,
    IRL__BOX_ENDS_TESTS = 64,
    IRL__BOX_ENDS_POINTS = 512
};

typedef struct irl__box_ends {
    irl__uses *u;
    int64_t    at[IRL__CHANGE_ALIVE]; /* of the variables that are alive */
    int        depth;
} irl__box_ends;

static int irl__box_ends_of(irl__box_ends *s, const irl_expr *e, int sign, int64_t *value);

static int64_t irl__box_ends_extent(const irl__box_ends *s, int alive)
{
    return s->u->c->vars[s->u->alive[alive]].extent->u.i;
}

static int irl__box_ends_share(const irl__box_ends *s, const irl_expr *a, const irl_expr *b)
{
    irl__holds x = irl__uses_of(s->u, a), y = irl__uses_of(s->u, b);
    return irl__holds_meet(&x, &y);
}

/* The value of e where the variables stand. */
static int irl__box_ends_value(const irl__box_ends *s, const irl_expr *e, int64_t *value)
{
    const irl_expr *vars[IRL__CHANGE_ALIVE];
    int             k;
    /* most conditions compare a variable with a number */
    if (irl__op_info((irl_op)e->op)->rule == IRL__COMPARE && e->a[1]->op == IRL_OP_INT &&
        irl__type_is_index(e->a[1]->type) && (k = irl__change_variable(s->u, e->a[0])) >= 0) {
        *value = irl__op_holds(e->op, s->at[k], e->a[1]->u.i);
        return irl__work(s->u->c->cx, 16);
    }
    for (k = 0; k < s->u->alive_count; k++) vars[k] = s->u->c->vars[s->u->alive[k]].var;
    return irl__work(s->u->c->cx, (int64_t)e->size * 4) &&
           irl__value_at(e, s->u->alive_count, vars, s->at, value) == IRL__FOLD_OK;
}

/* ------------------------------------------------------------------ sums */

static int irl__box_ends_sum(const irl__box_ends *s, const irl_expr *e, irl__change_sum *sum)
{
    return irl__change_sum_of(s->u, e, sum) && irl__change_sum_counts(sum);
}

/* The sum's end is that of its terms, none of which shares a variable with another. */
static int irl__box_ends_of_terms(irl__box_ends *s, const irl__change_sum *sum, int sign,
                                  int64_t *value)
{
    irl__holds before, h;
    int64_t    v;
    *value = sum->base->u.i;
    memset(&before, 0, sizeof before);
    for (int k = 0; k < sum->count; k++) {
        h = irl__uses_of(s->u, sum->term[k].atom);
        if (irl__holds_meet(&before, &h)) return 0;
        irl__holds_join(&before, &h);
        int64_t c = sum->term[k].coef->u.i;
        if (!irl__box_ends_of(s, sum->term[k].atom, c > 0 ? sign : -sign, &v)) return 0;
        if (!irl__mul64(v, c, &v) || !irl__add64(*value, v, value)) return 0;
    }
    return 1;
}

static int irl__box_ends_of_sum(irl__box_ends *s, const irl_expr *e, int sign, int64_t *value)
{
    irl__change_sum sum;
    if (!irl__box_ends_sum(s, e, &sum)) return 0;
    if (sum.count == 1 && sum.term[0].atom == e) return 0; /* a product */
    return irl__box_ends_of_terms(s, &sum, sign, value);
}

/* ------------------------------------------------------------------ remainders */

/* The least x >= 0 with lo <= a*x % m <= hi, for a < m; -1 there is none; -2 not known. */
static int64_t irl__box_ends_first(int64_t a, int64_t m, int64_t lo, int64_t hi)
{
    if (lo == 0) return 0;
    if (a == 0) return -1;
    int64_t x = (lo - 1) / a + 1;
    if (x <= hi / a) return x;
    int64_t y = irl__box_ends_first(m % a, a, (a - hi % a) % a, (a - lo % a) % a);
    if (y < 0) return y;
    return irl__mul64(m, y, &x) && irl__add64(x, lo - 1, &x) ? x / a + 1 : -2;
}

/* The least x >= 0 with (a*x + b) % m <= most. */
static int64_t irl__box_ends_first_below(int64_t a, int64_t b, int64_t m, int64_t most)
{
    int64_t lo = b == 0 ? 0 : m - b, hi, x, y; /* a*x % m from m - b on, most + 1 of them */
    if (most >= m - 1 || b <= most) return 0;
    hi = lo + most;
    if (hi < m) return irl__box_ends_first(a, m, lo, hi);
    x = irl__box_ends_first(a, m, lo, m - 1);
    y = irl__box_ends_first(a, m, 0, hi - m);
    if (x == -2 || y == -2) return -2;
    return x < 0 || (y >= 0 && y < x) ? y : x;
}

/* The end of (a*v + b) % m over v in 0..n-1. */
static int irl__box_ends_linear(int64_t a, int64_t b, int64_t m, int64_t n, int sign,
                                int64_t *value, int64_t *at)
{
    int64_t lo = 0, hi = m - 1, x;
    if (!irl__floormod64(a, m, &a) || !irl__floormod64(b, m, &b)) return 0;
    if (sign > 0) { /* the largest r is the least m - 1 - r */
        a = a ? m - a : 0;
        b = m - 1 - b;
    }
    while (lo < hi) {
        int64_t mid = lo + (hi - lo) / 2;
        x = irl__box_ends_first_below(a, b, m, mid);
        if (x == -2) return 0;
        if (x >= 0 && x < n) hi = mid;
        else lo = mid + 1;
    }
    x = irl__box_ends_first_below(a, b, m, lo);
    if (x < 0 || x >= n) return 0;
    *value = sign > 0 ? m - 1 - lo : lo;
    *at = x;
    return 1;
}

/* The largest value of digits that is at most `limit`; they are by stride, and take it. */
static int irl__box_ends_floor(irl__box_ends *s, const irl__change_sum *sum,
                               const irl__change_digits *d, int64_t limit, int64_t *value)
{
    *value = 0;
    if (limit < 0) return 0;
    for (int k = d->count - 1; k >= 0; k--) {
        int     alive = sum->term[d->digit[k].term].alive;
        int64_t last = irl__box_ends_extent(s, alive) - 1, stride = d->digit[k].stride->u.i;
        int64_t v = (limit - *value) / stride;
        if (v > last) v = last;
        *value += v * stride;
        s->at[alive] = d->digit[k].negative ? last - v : v;
    }
    return 1;
}

/* The least value of digits that is at least `limit`: the mirror of the above. */
static int irl__box_ends_ceiling(irl__box_ends *s, const irl__change_sum *sum,
                                 const irl__change_digits *d, int64_t limit, int64_t *value)
{
    int64_t most = d->reach->u.i - 1;
    if (!irl__box_ends_floor(s, sum, d, most - limit, value)) return 0;
    *value = most - *value;
    for (int k = 0; k < d->count; k++) {
        int alive = sum->term[d->digit[k].term].alive;
        s->at[alive] = irl__box_ends_extent(s, alive) - 1 - s->at[alive];
    }
    return 1;
}

/* (digits + b) % m for digits that reach over one end of a cell of m, not over two. */
static int irl__box_ends_digits(irl__box_ends *s, const irl__change_sum *sum, int64_t m, int sign,
                                int64_t *value)
{
    irl__change_digits d;
    int64_t            b, edge, ends[2], keep[IRL__CHANGE_ALIVE];
    int                have;
    if (!irl__change_digits_of(s->u, sum, ~UINT64_C(0) >> (64 - sum->count), &d)) return 0;
    if (d.reach->u.i > m || !irl__add64(sum->base->u.i, d.least->u.i, &b)) return 0;
    if (!irl__floormod64(b, m, &b)) return 0;
    edge = m - b; /* of the digits: from here on the next cell */
    have = sign > 0 ? irl__box_ends_floor(s, sum, &d, edge - 1, &ends[0])
                    : irl__box_ends_ceiling(s, sum, &d, edge, &ends[0]);
    if (sign < 0) have = d.reach->u.i > edge;
    memcpy(keep, s->at, sizeof keep);
    /* on the other side of the edge */
    if (!(sign > 0 ? irl__box_ends_floor(s, sum, &d, d.reach->u.i - 1, &ends[1])
                   : irl__box_ends_ceiling(s, sum, &d, 0, &ends[1])))
        return 0;
    ends[1] = (ends[1] + b) % m;
    if (!have) return *value = ends[1], 1;
    ends[0] = (ends[0] + b) % m;
    if (sign > 0 ? ends[0] < ends[1] : ends[0] > ends[1]) return *value = ends[1], 1;
    memcpy(s->at, keep, sizeof keep);
    *value = ends[0];
    return 1;
}

/* v/a/b: it takes all values up to its last. Puts v where it takes this one. */
static int irl__box_ends_quotient(irl__box_ends *s, const irl_expr *e, int64_t value)
{
    int64_t by = 1;
    for (; e->op == IRL_OP_FLOORDIV; e = e->a[0])
        if (e->a[1]->op != IRL_OP_INT || e->a[1]->u.i < 1 || !irl__mul64(by, e->a[1]->u.i, &by))
            return 0;
    int alive = irl__change_variable(s->u, e);
    if (alive < 0) return 0;
    s->at[alive] = value * by; /* no larger than v's last */
    return 1;
}

static int irl__box_ends_of_mod(irl__box_ends *s, const irl_expr *e, int sign, int64_t *value)
{
    irl__change_sum sum;
    int64_t         m = e->a[1]->op == IRL_OP_INT ? e->a[1]->u.i : 0, lo, hi;
    if (m < 1) return 0;
    if (irl__box_ends_of(s, e->a[0], -1, &lo) && irl__box_ends_of(s, e->a[0], 1, &hi)) {
        int64_t q, last;
        if (irl__floordiv64(lo, m, &q) && irl__floordiv64(hi, m, &last) && q == last)
            return irl__box_ends_of(s, e->a[0], sign, value) && irl__floormod64(*value, m, value);
        *value = sign > 0 ? m - 1 : 0;
        if (irl__box_ends_quotient(s, e->a[0], *value)) return 1; /* from 0 on into the next cell */
    }
    if (!irl__box_ends_sum(s, e->a[0], &sum) || sum.count == 0) return 0;
    if (sum.count == 1 && sum.term[0].alive >= 0)
        return irl__box_ends_linear(sum.term[0].coef->u.i, sum.base->u.i, m,
                                irl__box_ends_extent(s, sum.term[0].alive), sign, value,
                                &s->at[sum.term[0].alive]);
    return irl__box_ends_digits(s, &sum, m, sign, value);
}

/* ------------------------------------------------------------------ choices, bits */

/* The conditions of a choice, and of the choices that are its arms: the variables in them, and the
   numbers that one variable is compared with. */
typedef struct irl__box_ends_tests {
    irl__holds holds;
    int        compares; /* nothing but comparisons of one variable with numbers */
    int        count;
    int64_t    number[IRL__BOX_ENDS_TESTS];
} irl__box_ends_tests;

static int irl__box_ends_is_choice(const irl_expr *e)
{
    return e->op == IRL_OP_SELECT || e->op == IRL_OP_IF_THEN_ELSE;
}

static void irl__box_ends_test(const irl__box_ends *s, const irl_expr *e, irl__box_ends_tests *t)
{
    int k, side = e->count == 2 && e->a[1]->op == IRL_OP_INT ? 0 : 1;
    if (e->op < IRL_OP_EQ || e->op > IRL_OP_GE || e->a[1 - side]->op != IRL_OP_INT ||
        irl__change_variable(s->u, e->a[side]) < 0 || t->count == IRL__BOX_ENDS_TESTS) {
        t->compares = 0;
        return;
    }
    for (k = 0; k < t->count; k++)
        if (t->number[k] == e->a[1 - side]->u.i) return;
    t->number[t->count++] = e->a[1 - side]->u.i;
}

/* False where a variable of the conditions stands in an arm that is no choice. */
static int irl__box_ends_collect(const irl__box_ends *s, const irl_expr *e, irl__box_ends_tests *t)
{
    if (!irl__box_ends_is_choice(e)) {
        irl__holds h = irl__uses_of(s->u, e);
        return !irl__holds_meet(&h, &t->holds);
    }
    return irl__box_ends_collect(s, e->a[1], t) && irl__box_ends_collect(s, e->a[2], t);
}

static void irl__box_ends_conditions(const irl__box_ends *s, const irl_expr *e,
                                     irl__box_ends_tests *t)
{
    if (!irl__box_ends_is_choice(e)) return;
    irl__holds h = irl__uses_of(s->u, e->a[0]);
    irl__holds_join(&t->holds, &h);
    irl__box_ends_test(s, e->a[0], t);
    irl__box_ends_conditions(s, e->a[1], t);
    irl__box_ends_conditions(s, e->a[2], t);
}

/* The arm that is taken where the conditions' variables stand; NULL if a condition has no value. */
static const irl_expr *irl__box_ends_arm(const irl__box_ends *s, const irl_expr *e)
{
    int64_t v;
    while (irl__box_ends_is_choice(e)) {
        if (!irl__box_ends_value(s, e->a[0], &v)) return NULL;
        e = e->a[v ? 1 : 2];
    }
    return e;
}

/* The best end of the arms that were seen to be taken, and where that was. */
typedef struct irl__box_ends_best {
    int     any, sign;
    int64_t value, at[IRL__CHANGE_ALIVE];
} irl__box_ends_best;

static int irl__box_ends_look(irl__box_ends *s, const irl_expr *e, irl__box_ends_best *best)
{
    const irl_expr *arm = irl__box_ends_arm(s, e);
    int64_t         v;
    if (!arm || !irl__box_ends_of(s, arm, best->sign, &v)) return 0;
    if (best->any && (best->sign > 0 ? v <= best->value : v >= best->value)) return 1;
    best->any = 1;
    best->value = v;
    memcpy(best->at, s->at, sizeof best->at);
    return 1;
}

/* One variable, compared with numbers: nothing changes between them. */
static int irl__box_ends_by_numbers(irl__box_ends *s, const irl_expr *e,
                                    const irl__box_ends_tests *t, int alive,
                                    irl__box_ends_best *best)
{
    const int64_t last = irl__box_ends_extent(s, alive) - 1;
    for (int k = -1; k <= t->count; k++)
        for (int i = -1; i <= 1; i++) {
            const int is_end = k < 0 || k == t->count;
            s->at[alive] = k < 0 ? 0 : is_end ? last : t->number[k] + i;
            if (s->at[alive] < 0 || s->at[alive] > last || (is_end && i)) continue;
            if (!irl__box_ends_look(s, e, best)) return 0;
        }
    return 1;
}

/* All values of the conditions' variables, where they are few; else some of them, and the best is
   the end if neither arm has a better one. */
static int irl__box_ends_by_points(irl__box_ends *s, const irl_expr *e,
                                   const irl__box_ends_tests *t, irl__box_ends_best *best)
{
    int64_t points = 1, bound = 0, other;
    int     all = 1;
    for (int k = 0; all && k < s->u->alive_count; k++)
        if (irl__holds_one(&t->holds, k))
            all = irl__mul64(points, irl__box_ends_extent(s, k), &points) &&
                  points <= IRL__BOX_ENDS_POINTS;
    if (!all) {
        if (irl__box_ends_is_choice(e->a[1]) || irl__box_ends_is_choice(e->a[2]) ||
            !irl__box_ends_of(s, e->a[1], best->sign, &bound) ||
            !irl__box_ends_of(s, e->a[2], best->sign, &other))
            return 0;
        if (best->sign > 0 ? other > bound : other < bound) bound = other;
        points = 32;
    }
    for (int64_t n = 0; n < points; n++) {
        int64_t left = n;
        for (int k = 0; k < s->u->alive_count; k++) {
            int64_t extent = irl__box_ends_extent(s, k);
            if (!irl__holds_one(&t->holds, k)) continue;
            s->at[k] = all || n < 28 ? left % extent : extent - 1 - (n - 28) % extent;
            if (all) left /= extent;
        }
        if (!irl__box_ends_look(s, e, best)) return 0;
        if (!all && best->value == bound) return 1;
    }
    return all;
}

static int irl__box_ends_of_choice(irl__box_ends *s, const irl_expr *e, int sign, int64_t *value)
{
    irl__box_ends_tests t;
    irl__box_ends_best  best;
    int                 one = -1, several = 0;
    memset(&t.holds, 0, sizeof t.holds);
    t.compares = 1;
    t.count = 0;
    best.any = 0;
    best.sign = sign;
    irl__box_ends_conditions(s, e, &t);
    if (!irl__box_ends_collect(s, e, &t)) return 0;
    for (int k = 0; k < s->u->alive_count; k++)
        if (irl__holds_one(&t.holds, k)) several += one >= 0, one = k;
    if (!(t.compares && one >= 0 && !several && irl__box_ends_by_numbers(s, e, &t, one, &best)) &&
        !irl__box_ends_by_points(s, e, &t, &best))
        return 0;
    memcpy(s->at, best.at, sizeof best.at);
    *value = best.value;
    return 1;
}

static int irl__box_ends_of_minmax(irl__box_ends *s, const irl_expr *e, int sign, int64_t *value)
{
    int64_t a, b;
    if (irl__box_ends_share(s, e->a[0], e->a[1])) return 0;
    if (!irl__box_ends_of(s, e->a[0], sign, &a) || !irl__box_ends_of(s, e->a[1], sign, &b))
        return 0;
    *value = (e->op == IRL_OP_MIN) == (a < b) ? a : b;
    return 1;
}

/* digits ^ k for a number k: the cells of 2^b numbers, k below 2^b, stay where they are; the end
   lies in the last of them that a sum of digits reaches. */
static int irl__box_ends_of_flip(irl__box_ends *s, const irl_expr *e, int64_t k, int sign,
                                 int64_t *value)
{
    irl__change_sum    sum;
    irl__change_digits d;
    int64_t            cell = 1, first, end, base, n, v;
    while (cell <= k && cell <= INT64_C(1) << IRL__BOX_ENDS_BITS) cell *= 2;
    if (k < 0 || cell > INT64_C(1) << IRL__BOX_ENDS_BITS || !irl__box_ends_of(s, e, sign, &end))
        return 0;
    if (!irl__box_ends_sum(s, e, &sum) || sum.count == 0) return 0;
    if (!irl__change_digits_of(s->u, &sum, ~UINT64_C(0) >> (64 - sum.count), &d)) return 0;
    if (!irl__add64(sum.base->u.i, d.least->u.i, &base) || end < 0) return 0;
    first = end - end % cell;
    for (n = 0; n < cell; n++) {
        *value = first + (sign > 0 ? cell - 1 - n : n);
        if (irl__box_ends_floor(s, &sum, &d, (*value ^ k) - base, &v) && v == (*value ^ k) - base)
            return 1;
    }
    return 0;
}

/* v ^ o where v takes all values below a power of two: it gives all low bits, o the others. */
static int irl__box_ends_of_xor(irl__box_ends *s, const irl_expr *e, int sign, int64_t *value)
{
    for (int side = 0; side < 2; side++)
        if (e->a[side]->op == IRL_OP_INT)
            return irl__box_ends_of_flip(s, e->a[1 - side], e->a[side]->u.i, sign, value);
    for (int side = 0; side < 2; side++) {
        int     alive = irl__change_variable(s->u, e->a[side]);
        int64_t extent = alive < 0 ? 0 : irl__box_ends_extent(s, alive), o, low;
        if (alive < 0 || (extent & (extent - 1)) || irl__box_ends_share(s, e->a[0], e->a[1]))
            continue;
        if (!irl__box_ends_of(s, e->a[1 - side], sign, &o) || o < 0) return 0;
        low = o & (extent - 1);
        *value = sign > 0 ? o | (extent - 1) : o - low;
        s->at[alive] = sign > 0 ? low ^ (extent - 1) : low;
        return 1;
    }
    return 0;
}

/* ------------------------------------------------------------------ all */

/* The end of e, and values of its variables that take it; false where it is not known. */
static int irl__box_ends_of(irl__box_ends *s, const irl_expr *e, int sign, int64_t *value)
{
    int k = irl__change_variable(s->u, e), ok;
    if (e->op == IRL_OP_INT) return *value = e->u.i, 1;
    if (k >= 0) return *value = s->at[k] = sign > 0 ? irl__box_ends_extent(s, k) - 1 : 0, 1;
    if (s->depth == IRL__BOX_ENDS_DEPTH) return 0;
    s->depth++;
    switch (e->op) {
    case IRL_OP_ADD:
    case IRL_OP_SUB:
    case IRL_OP_NEG:
    case IRL_OP_MUL: ok = irl__box_ends_of_sum(s, e, sign, value); break;
    case IRL_OP_FLOORDIV:
        ok = e->a[1]->op == IRL_OP_INT && e->a[1]->u.i >= 1 &&
             irl__box_ends_of(s, e->a[0], sign, value) &&
             irl__floordiv64(*value, e->a[1]->u.i, value);
        break;
    case IRL_OP_FLOORMOD: ok = irl__box_ends_of_mod(s, e, sign, value); break;
    case IRL_OP_SELECT:
    case IRL_OP_IF_THEN_ELSE: ok = irl__box_ends_of_choice(s, e, sign, value); break;
    case IRL_OP_MIN:
    case IRL_OP_MAX: ok = irl__box_ends_of_minmax(s, e, sign, value); break;
    case IRL_OP_BITXOR: ok = irl__box_ends_of_xor(s, e, sign, value); break;
    default: ok = 0; break;
    }
    s->depth--;
    return ok;
}

/* The point of the inputs that the values of the variables left stand for. */
static int irl__box_ends_point(const irl__change *c, const irl__box_ends *s, int64_t *at)
{
    const irl_expr *vars[IRL__CHANGE_VARS];
    int64_t         values[IRL__CHANGE_VARS];
    int             k, n = 0;
    for (k = 0; k < c->input_count; k++) at[k] = 0; /* of those that are left out */
    for (k = 0; k < s->u->alive_count; k++) {
        int number = s->u->alive[k];
        vars[n] = c->vars[number].var;
        values[n++] = s->at[k];
        if (number < c->input_count) at[number] = s->at[k];
    }
    for (k = c->gone_count - 1; k >= 0; k--) {
        const irl__change_var *v = &c->vars[c->gone[k]];
        vars[n] = v->var;
        if (!v->value || irl__value_at(v->value, n, vars, values, &values[n]) != IRL__FOLD_OK)
            return 0;
        if (c->gone[k] < c->input_count) at[c->gone[k]] = values[n];
        n++;
    }
    return 1;
}

static int irl__box_ends_within(const irl__change *c, const int64_t *at)
{
    for (int k = 0; k < c->input_count; k++)
        if (at[k] < 0 || at[k] >= c->vars[k].extent->u.i) return 0;
    return 1;
}

/* Variables that the steps have left out may stand anywhere: they are tried at a few values. */
static int irl__box_ends_attained(const irl__change *c, irl__box_ends *s, const irl_map *map,
                                  int output, int64_t value, int64_t *at)
{
    int64_t there;
    for (int n = 0; n < IRL__BOX_ENDS_TRIES; n++) {
        for (int k = 0; k < s->u->alive_count; k++) {
            int64_t extent = irl__box_ends_extent(s, k);
            if (s->u->part[k] >= 0) continue;
            int i = n < IRL__BOX_ENDS_TRIES - 2 ? n : IRL__BOX_ENDS_TRIES - 1 - n;
            s->at[k] = n < IRL__BOX_ENDS_TRIES - 2 ? i % extent : extent - 1 - i % extent;
        }
        if (!irl__box_ends_point(c, s, at) || !irl__box_ends_within(c, at)) continue;
        if (irl__value_at(map->outputs[output], map->input_count, map->inputs, at, &there) ==
                IRL__FOLD_OK &&
            there == value)
            return 1;
    }
    return 0;
}

/* Some point takes the end that was found for the variables left. */
static int irl__box_ends_found(irl__domain *on, const irl__change *c, irl__uses *u, int output,
                               int sign, int64_t *value, int64_t *at)
{
    irl__box_ends s;
    memset(s.at, 0, (size_t)u->alive_count * sizeof *s.at);
    s.u = u;
    s.depth = 0;
    return irl__box_ends_of(&s, c->outputs[0], sign, value) &&
           irl__box_ends_attained(c, &s, on->map, output, *value, at);
}

/* Of e, which is the output. steps: 0 none are taken; 1 those whose every value is some point's;
   2 others too, for an end that some point takes is one. sign 0: both ends, the least first. */
static int irl__box_ends_try(irl__domain *on, int output, const irl_expr *e, int sign, int steps,
                             int64_t *value, int64_t *at)
{
    irl__arena_mark mark = irl__scratch_begin(on->cx);
    irl__change     c;
    irl__uses       u;
    int             ok = irl__change_begin(&c, on->an, on->map, &e, 1, on->extents, steps > 0);
    c.exact = steps < 2;
    c.one_output = 1;
    ok = ok && (!steps || irl__change_run(&c)) && irl__uses_make(&u, &c) > 0 &&
         irl__box_ends_found(on, &c, &u, output, sign ? sign : -1, &value[0], at) &&
         (sign || irl__box_ends_found(on, &c, &u, output, 1, &value[1], at));
    irl__scratch_end(on->cx, mark);
    return ok ? 1 : irl__ok(on->cx) ? -1 : 0;
}

int irl__change_ends(irl__domain *on, int output, int sign, int64_t *value, int64_t *at)
{
    const irl_expr *e = irl__domain_output(on, output), *written = on->map->outputs[output];
    int             ok = e ? -1 : 0;
    for (int steps = 0; ok < 0 && steps < (sign ? 3 : 1); steps++) {
        ok = irl__box_ends_try(on, output, e, sign, steps, value, at);
        if (ok < 0 && e != written && sign)
            ok = irl__box_ends_try(on, output, written, sign, steps, value, at);
    }
    return ok;
}

/* ------------------------------------------------------------------ names */

static const irl_expr *irl__bound_try(irl__analyzer *an, const irl_map *map,
                                      const irl_expr *const *extents, const irl_expr *e, int sign,
                                      int exact, int *reached)
{
    irl__change c;
    if (!irl__change_begin(&c, an, map, &e, 1, extents, 1)) return NULL;
    c.exact = exact;
    c.one_output = 1;
    if (!irl__change_run(&c)) return NULL;
    const irl_expr *b = irl__symbolic_bound(an, c.outputs[0], sign);
    *reached = b && !c.loose && irl__symbolic_end(an, c.outputs[0], sign) != NULL;
    return b;
}

const irl_expr *irl__change_bound(irl__analyzer *an, const irl_map *map,
                                  const irl_expr *const *extents, const irl_expr *e, int sign,
                                  int *reached)
{
    const irl_expr *b = irl__bound_try(an, map, extents, e, sign, 1, reached);
    if (b || !irl__ok(map->cx)) return b;
    return irl__bound_try(an, map, extents, e, sign, 0, reached);
}
