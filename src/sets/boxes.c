/* boxes.c - the iterations of a set, as boxes over which an address is a sum.

   needs     lattice.c
   promises  the boxes are disjoint and contain each iteration once. A box that is not exact
             contains more iterations, and says why. If something leaves 64 bits in an iteration,
             the whole answer is unknown
   cost      linear in what is given if nothing is cut; at most IRL__BOXES_MOST boxes

   Every expression becomes a form: a constant plus multiples of columns, each of which runs from 0
   to its extent. An expression that has no form over the whole box asks for a cut of the box, and
   is examined again in the parts. A condition is the form 0 or 1: it cuts the box where its value
   changes, unless the other part is not reached. */
#include "boxes.h"

/* A sum of multiples of the columns. */
typedef struct irl__affine {
    int64_t constant, coef[IRL__BOX_COLUMNS];
} irl__affine;

typedef struct irl__box {
    int             columns, names, rows;
    int             step; /* what has been done: what is given, then indices */
    int64_t         extent[IRL__BOX_COLUMNS];
    uint8_t         is_loop[IRL__BOX_COLUMNS]; /* it counts as iterations */
    const irl_expr *name[IRL__BOX_NAMES];
    uint8_t         is_hidden[IRL__BOX_NAMES]; /* its value is not known */
    irl__affine     of[IRL__BOX_NAMES];
    irl__affine     row[IRL__BOX_ROWS]; /* at least 0 */
    irl__affine     lane, address;
} irl__box;

/* Why something was not done. */
typedef enum irl__box_found {
    IRL__BOX_EMPTY,  /* no iteration of this box gets there */
    IRL__BOX_CUT,    /* the box is to be cut, as s->cut says */
    IRL__BOX_HIDDEN, /* it depends on what is not known */
    IRL__BOX_BROKEN  /* memory is out, or a number leaves 64 bits */
} irl__box_found;

typedef enum irl__cut_kind {
    IRL__CUT_AT,     /* column < at, and the rest */
    IRL__CUT_DIGIT,  /* column is at * column + another one, below `at` */
    IRL__CUT_VALUES, /* each value of the column */
    IRL__CUT_SIGN    /* form >= 0, and form < 0 */
} irl__cut_kind;

typedef struct irl__cut {
    irl__cut_kind   kind;
    int             column;
    int64_t         at;
    irl__affine     form;
    const irl_expr *of; /* the comparison that the sign decides; NULL: none */
} irl__cut;

/* Functions on it return true, or false with `found`. */
typedef struct irl__boxes {
    const irl__boxes_question *q;
    irl__boxes_answer         *out;
    irl_ctx                   *cx;
    int                        rank;
    int64_t                    left, work; /* boxes; nodes of expressions */
    int                        depth;      /* of cuts */
    irl__box_found             found;
    irl__cut                   cut;
    irl__box                  *part[IRL__BOX_DEPTH];
} irl__boxes;

static int irl__box_stop(irl__boxes *s, irl__box_found found, const char *reason)
{
    if (!s->out->reason) s->out->reason = reason;
    s->found = found;
    return 0;
}

static int irl__box_hidden(irl__boxes *s, const char *reason)
{
    return irl__box_stop(s, IRL__BOX_HIDDEN, reason);
}

static int irl__box_broken(irl__boxes *s)
{
    return irl__box_stop(s, IRL__BOX_BROKEN, "an intermediate result exceeds 64 bits");
}

static const char irl__boxes_memory[] = "it depends on values in memory";
static const char irl__boxes_names[] = "it depends on names whose values are not given";
static const char irl__boxes_large[] = "it has too many parts";

/* ------------------------------------------------------------------ forms */

static int irl__affine_constant(irl__affine *f, int64_t value)
{
    memset(f, 0, sizeof *f);
    f->constant = value;
    return 1;
}

/* f += g * k */
static int irl__affine_add(const irl__box *b, irl__affine *f, const irl__affine *g, int64_t k)
{
    int64_t one;
    if (!irl__mul64(g->constant, k, &one) || !irl__add64(f->constant, one, &f->constant)) return 0;
    for (int c = 0; c < b->columns; c++)
        if (g->coef[c] &&
            (!irl__mul64(g->coef[c], k, &one) || !irl__add64(f->coef[c], one, &f->coef[c])))
            return 0;
    return 1;
}

/* out = f * k + g * l + constant; g may be NULL, and out one of them. */
static int irl__box_sum(irl__boxes *s, const irl__box *b, const irl__affine *f, int64_t k,
                        const irl__affine *g, int64_t l, int64_t constant, irl__affine *out)
{
    irl__affine sum;
    irl__affine_constant(&sum, 0);
    if (!irl__affine_add(b, &sum, f, k) || (g && !irl__affine_add(b, &sum, g, l)) ||
        !irl__add64(sum.constant, constant, &sum.constant))
        return irl__box_broken(s);
    *out = sum;
    return 1;
}

/* Between which numbers it lies: both are reached. */
static int irl__affine_range(const irl__box *b, const irl__affine *f, int64_t *lo, int64_t *hi)
{
    int64_t one;
    *lo = *hi = f->constant;
    for (int c = 0; c < b->columns; c++)
        if (f->coef[c] && (!irl__mul64(f->coef[c], b->extent[c] - 1, &one) ||
                           !irl__add64(one < 0 ? *lo : *hi, one, one < 0 ? lo : hi)))
            return 0;
    return 1;
}

static int irl__affine_is_constant(const irl__box *b, const irl__affine *f)
{
    for (int c = 0; c < b->columns; c++)
        if (f->coef[c]) return 0;
    return 1;
}

/* Is f >= 0 (1), < 0 (-1), or not known (0), by the box and its rows? */
static int irl__affine_sign(const irl__box *b, const irl__affine *f)
{
    int64_t lo, hi;
    int     c;
    if (!irl__affine_range(b, f, &lo, &hi)) return 0;
    if (lo >= 0) return 1;
    if (hi < 0) return -1;
    for (int k = 0; k < b->rows; k++) {
        const irl__affine *r = &b->row[k];
        for (c = 0; c < b->columns && f->coef[c] == r->coef[c]; c++) {}
        if (c == b->columns && f->constant >= r->constant) return 1;
        for (c = 0; c < b->columns && r->coef[c] != INT64_MIN && f->coef[c] == -r->coef[c]; c++) {}
        if (c == b->columns && r->constant > INT64_MIN && f->constant < -r->constant)
            return -1; /* f + row < 0 <= row */
    }
    return 0;
}

/* Form k of a box; NULL: it has no more. */
static irl__affine *irl__box_form(irl__box *b, int k)
{
    if (k < b->names) return &b->of[k];
    k -= b->names;
    return k < b->rows ? &b->row[k] : k == b->rows ? &b->lane : k == b->rows + 1 ? &b->address
                                                                                 : NULL;
}

/* Column c becomes scale * c + shift, plus the column `other`, which is new; -1: none. */
static int irl__box_put_in(irl__boxes *s, irl__box *b, int c, int64_t scale, int64_t shift,
                           int other)
{
    irl__affine *f;
    int64_t      one;
    for (int k = 0; (f = irl__box_form(b, k)) != NULL; k++) {
        if (!irl__mul64(f->coef[c], shift, &one) || !irl__add64(f->constant, one, &f->constant))
            return irl__box_broken(s);
        if (other >= 0) f->coef[other] = f->coef[c];
        if (!irl__mul64(f->coef[c], scale, &f->coef[c])) return irl__box_broken(s);
    }
    return 1;
}

/* Only the values of a column from `first` on; one alone becomes a part of the constants. */
static int irl__box_part(irl__boxes *s, irl__box *b, int c, int64_t first, int64_t extent)
{
    b->extent[c] = extent;
    return irl__box_put_in(s, b, c, extent == 1 ? 0 : 1, first, -1);
}

/* ------------------------------------------------------------------ what to cut */

static int irl__box_cut(irl__boxes *s, irl__cut_kind kind, int column, int64_t at)
{
    s->cut.kind = kind;
    s->cut.column = column;
    s->cut.at = at;
    s->cut.of = NULL;
    return irl__box_stop(s, IRL__BOX_CUT, NULL);
}

/* By the sign of a form. */
static int irl__box_cut_sign(irl__boxes *s, const irl__affine *f)
{
    s->cut.form = *f;
    return irl__box_cut(s, IRL__CUT_SIGN, -1, 0);
}

/* By the values of the shortest column of f. */
static int irl__box_cut_values(irl__boxes *s, const irl__box *b, const irl__affine *f)
{
    int best = -1;
    for (int c = 0; c < b->columns; c++)
        if (f->coef[c] && (best < 0 || b->extent[c] < b->extent[best])) best = c;
    return irl__box_cut(s, IRL__CUT_VALUES, best, 0);
}

/* ------------------------------------------------------------------ quotients */

/* floor(f / m), or f mod m; m > 0. f = m * q + r, where the coefficients of r are in 0 .. m - 1,
   then nearest to 0: one of the two may have one quotient over the whole box. */
static int irl__box_divide(irl__boxes *s, const irl__box *b, const irl__affine *f, int64_t m,
                           int is_rest, irl__affine *out)
{
    irl__affine q, r;
    int64_t     lo, hi, least = 0, most = 1;
    int         c, count = 0, last = -1, longest = -1;
    for (int is_nearest = 0; is_nearest < 2; is_nearest++) {
        irl__affine_constant(&q, 0);
        irl__affine_constant(&r, 0);
        irl__floordiv64(f->constant, m, &q.constant);
        irl__floormod64(f->constant, m, &r.constant);
        for (c = 0; c < b->columns; c++) {
            irl__floordiv64(f->coef[c], m, &q.coef[c]);
            irl__floormod64(f->coef[c], m, &r.coef[c]);
            if (is_nearest && r.coef[c] > m / 2) r.coef[c] -= m, q.coef[c]++;
        }
        if (!irl__affine_range(b, &r, &lo, &hi)) continue;
        irl__floordiv64(lo, m, &least);
        irl__floordiv64(hi, m, &most);
        if (least != most) continue;
        q.constant += least;
        r.constant -= least * m;
        *out = is_rest ? r : q;
        return 1;
    }
    for (c = 0; c < b->columns; c++) {
        if (!r.coef[c]) continue;
        count++;
        last = c;
        if (b->extent[c] > m / irl__gcd64(r.coef[c], m)) longest = c;
    }
    /* Where one column alone moves r = r0 + d * column across multiples of m; d nearest to 0. */
    if (count == 1) {
        const int64_t d = r.coef[last] < 0 ? -r.coef[last] : r.coef[last],
                      period = m / irl__gcd64(d, m);
        const int64_t step = r.coef[last] > 0 ? (m - r.constant - 1) / d + 1 : r.constant / d + 1;
        if (b->extent[last] > period && (m % d != 0 || step == period))
            return irl__box_cut(s, IRL__CUT_DIGIT, last, period);
        return irl__box_cut(s, IRL__CUT_AT, last, step);
    }
    if (longest >= 0)
        return irl__box_cut(s, IRL__CUT_DIGIT, longest, m / irl__gcd64(r.coef[longest], m));
    return irl__box_cut_values(s, b, &r);
}

/* x divided by a number of either sign, rounded down or towards 0. Rounded down x / -m is -x / m;
   towards 0 the sizes are divided, and the rest has the sign of x. */
static int irl__box_quotient(irl__boxes *s, const irl__box *b, const irl__affine *x, int64_t m,
                             int is_trunc, int is_rest, irl__affine *out)
{
    const int side = m < 0 ? -1 : 1, sign = is_trunc ? irl__affine_sign(b, x) : side;
    if (m == 0 || m == INT64_MIN) return irl__box_broken(s);
    if (!sign) return irl__box_cut_sign(s, x);
    return irl__box_sum(s, b, x, sign, NULL, 0, 0, out) &&
           irl__box_divide(s, b, out, side * m, is_rest, out) &&
           irl__box_sum(s, b, out, is_rest ? sign : is_trunc ? sign * side : 1, NULL, 0, 0, out);
}

/* ------------------------------------------------------------------ values of expressions */

static int irl__box_value(irl__boxes *s, irl__box *b, const irl_expr *e, int depth,
                          irl__affine *out);

/* Whether a condition holds everywhere in the box, or nowhere. */
static int irl__box_truth(irl__boxes *s, irl__box *b, const irl_expr *e, int depth, int *truth)
{
    irl__affine value;
    if (e->type.lanes != 1) return irl__box_hidden(s, "its value depends on a condition of "
                                                      "several lanes");
    if (!irl__box_value(s, b, e, depth + 1, &value)) return 0;
    if (!irl__affine_is_constant(b, &value)) return irl__box_cut_values(s, b, &value);
    *truth = value.constant != 0;
    return 1;
}

static int irl__box_name(irl__boxes *s, irl__box *b, const irl_expr *var, int depth,
                         irl__affine *out)
{
    for (int k = b->names; k-- > 0;) {
        if (b->name[k] != var) continue;
        *out = b->of[k];
        return !b->is_hidden[k] || irl__box_hidden(s, NULL);
    }
    for (int k = s->q->given_count; k-- > 0;)
        if (s->q->given[k].kind == IRL__GIVEN_VALUE && s->q->given[k].var == var)
            return irl__box_value(s, b, s->q->given[k].value, depth + 1, out);
    for (int k = 0; k < s->q->value_count; k++)
        if (s->q->values[k].var == var) return irl__affine_constant(out, s->q->values[k].value);
    return irl__box_hidden(s, irl__boxes_names);
}

/* An operator on numbers; on anything else the shortest of the columns is taken value by value. */
static int irl__box_operator(irl__boxes *s, const irl__box *b, const irl_expr *e,
                             const irl__affine *a, irl__affine *out)
{
    irl__scalar in[3], value;
    irl_type    from = e->a[0]->type, to = e->type;
    for (uint32_t k = 0; k < e->count; k++) {
        if (!irl__affine_is_constant(b, &a[k])) return irl__box_cut_values(s, b, &a[k]);
        memset(&in[k], 0, sizeof in[k]);
        in[k].i = a[k].constant;
    }
    from.lanes = to.lanes = 1;
    memset(&value, 0, sizeof value);
    if (irl__fold_op((irl_op)e->op, from, to, in, &value) != IRL__FOLD_OK)
        return irl__box_broken(s);
    return irl__affine_constant(out, value.i);
}

/* Whether all of its values are of the type: nothing wraps. */
static int irl__box_fits(const irl__box *b, irl_type type, const irl__affine *f)
{
    int64_t lo, hi;
    if (!irl__affine_range(b, f, &lo, &hi)) return 0;
    type.lanes = 1;
    if (type.scalar == IRL_INDEX) return 1;
    return irl__wrap_int(type, lo) == lo && irl__wrap_int(type, hi) == hi &&
           (irl__type_is_signed(type) || lo >= 0);
}

static int irl__box_product(irl__boxes *s, const irl__box *b, const irl__affine *x,
                            const irl__affine *y, irl__affine *out)
{
    const int is_number = irl__affine_is_constant(b, x);
    if (!is_number && !irl__affine_is_constant(b, y)) return irl__box_cut_values(s, b, x);
    return irl__box_sum(s, b, is_number ? y : x, is_number ? x->constant : y->constant, NULL, 0, 0,
                        out);
}

/* & of low bits and shifts, by a number, are %, / and *. */
static int irl__box_bitwise(irl__boxes *s, const irl__box *b, const irl_expr *e,
                            const irl__affine *a, irl__affine *out)
{
    const int64_t by = e->count == 2 && irl__affine_is_constant(b, &a[1]) ? a[1].constant : -1;
    if (e->op == IRL_OP_BITAND && by > 0 && by < INT64_MAX && (by & (by + 1)) == 0)
        return irl__box_quotient(s, b, &a[0], by + 1, 0, 1, out);
    if (e->op == IRL_OP_SHR && by >= 0 && by < 62)
        return irl__box_quotient(s, b, &a[0], INT64_C(1) << by, 0, 0, out);
    irl__affine_constant(out, 0);
    return (e->op == IRL_OP_SHL && by >= 0 && by < 62 &&
            irl__affine_add(b, out, &a[0], INT64_C(1) << by)) ||
           irl__box_operator(s, b, e, a, out);
}

static int irl__box_arithmetic(irl__boxes *s, const irl__box *b, const irl_expr *e,
                               const irl__affine *a, irl__affine *out)
{
    int sign;
    switch (e->op) {
    case IRL_OP_ADD: return irl__box_sum(s, b, &a[0], 1, &a[1], 1, 0, out);
    case IRL_OP_SUB: return irl__box_sum(s, b, &a[0], 1, &a[1], -1, 0, out);
    case IRL_OP_NEG: return irl__box_sum(s, b, &a[0], -1, NULL, 0, 0, out);
    case IRL_OP_MUL: return irl__box_product(s, b, &a[0], &a[1], out);
    case IRL_OP_CAST: *out = a[0]; return 1;
    case IRL_OP_FLOORDIV:
    case IRL_OP_FLOORMOD:
    case IRL_OP_TRUNCDIV:
    case IRL_OP_TRUNCMOD:
        if (!irl__affine_is_constant(b, &a[1])) return irl__box_cut_values(s, b, &a[1]);
        return irl__box_quotient(s, b, &a[0], a[1].constant,
                                 e->op == IRL_OP_TRUNCDIV || e->op == IRL_OP_TRUNCMOD,
                                 e->op == IRL_OP_FLOORMOD || e->op == IRL_OP_TRUNCMOD, out);
    case IRL_OP_MIN:
    case IRL_OP_MAX:
        if (!irl__box_sum(s, b, &a[0], 1, &a[1], -1, 0, out)) return 0;
        sign = irl__affine_sign(b, out);
        if (!sign) return irl__box_cut_sign(s, out);
        *out = a[(sign > 0) == (e->op == IRL_OP_MIN)];
        return 1;
    case IRL_OP_ABS:
        sign = irl__affine_sign(b, &a[0]);
        return sign ? irl__box_sum(s, b, &a[0], sign, NULL, 0, 0, out)
                    : irl__box_cut_sign(s, &a[0]);
    default: return irl__box_bitwise(s, b, e, a, out);
    }
}

static int irl__box_operands(irl__boxes *s, irl__box *b, const irl_expr *e, int depth,
                             irl__affine *out)
{
    irl__affine a[3];
    if (e->count == 0 || e->count > 3) return irl__box_hidden(s, "its value depends on an operator "
                                                                 "that cannot be counted");
    for (uint32_t k = 0; k < e->count; k++)
        if (!irl__box_value(s, b, e->a[k], depth + 1, &a[k])) return 0;
    if (!irl__box_arithmetic(s, b, e, a, out)) return 0;
    if (irl__box_fits(b, e->type, out)) return 1;
    return e->type.scalar == IRL_INDEX ? irl__box_broken(s) : irl__box_operator(s, b, e, a, out);
}

static int irl__box_let(irl__boxes *s, irl__box *b, const irl_expr *e, int depth, irl__affine *out)
{
    const int at = b->names;
    if (at == IRL__BOX_NAMES) return irl__box_hidden(s, irl__boxes_large);
    b->is_hidden[at] = (uint8_t)!irl__box_value(s, b, e->a[1], depth + 1, &b->of[at]);
    if (b->is_hidden[at] && s->found != IRL__BOX_HIDDEN) return 0;
    b->name[at] = e->a[0];
    b->names++;
    const int ok = irl__box_value(s, b, e->a[2], depth + 1, out);
    b->names--;
    return ok;
}

/* A comparison is true where least >= 0; == where -least >= 0 too. */
static int irl__box_compare(irl__boxes *s, irl__box *b, const irl_expr *e, int depth,
                            irl__affine *out)
{
    const int   swap = e->op == IRL_OP_LT || e->op == IRL_OP_LE;
    irl__affine least, other;
    if (!irl__box_value(s, b, e->a[swap], depth + 1, &least) ||
        !irl__box_value(s, b, e->a[!swap], depth + 1, &other) ||
        !irl__box_sum(s, b, &least, 1, &other, -1,
                      e->op == IRL_OP_LT || e->op == IRL_OP_GT ? -1 : 0, &least))
        return 0;
    const int is_equal = e->op == IRL_OP_EQ || e->op == IRL_OP_NE;
    if (is_equal && !irl__box_sum(s, b, &least, -1, NULL, 0, 0, &other)) return 0;
    const int above = irl__affine_sign(b, &least);
    const int below = is_equal ? irl__affine_sign(b, &other) : 1;
    if (above < 0 || below < 0) return irl__affine_constant(out, e->op == IRL_OP_NE);
    if (above && below) return irl__affine_constant(out, e->op != IRL_OP_NE);
    irl__box_cut_sign(s, above ? &other : &least);
    s->cut.of = e;
    return 0;
}

/* An integer, of each lane; or a condition, 0 or 1. */
static int irl__box_value(irl__boxes *s, irl__box *b, const irl_expr *e, int depth,
                          irl__affine *out)
{
    const int is_bool = e->type.scalar == IRL_BOOL && !e->type.is_pointer;
    irl_type  type = e->type;
    int       truth = 0;
    if (depth > IRL_MAX_DEPTH || --s->work < 0) return irl__box_hidden(s, irl__boxes_large);
    type.lanes = 1;
    if (!is_bool && (!irl__type_is_integer(type) || type.is_pointer))
        return irl__box_hidden(s, "it depends on numbers that are not integers");
    if (type.scalar == IRL_U64)
        return irl__box_hidden(s, "it is computed in unsigned 64-bit numbers");
    if (is_bool && e->type.lanes != 1 && e->op != IRL_OP_VAR)
        return irl__box_hidden(s, "its value depends on a condition of several lanes");
    switch (e->op) {
    case IRL_OP_INT: return irl__affine_constant(out, e->u.i);
    case IRL_OP_VAR: return irl__box_name(s, b, e, depth, out);
    case IRL_OP_LOAD:
    case IRL_OP_CALL_EXTERN:
    case IRL_OP_CALL_INTRINSIC:
    case IRL_OP_UNDEF: return irl__box_hidden(s, irl__boxes_memory);
    case IRL_OP_BROADCAST: return irl__box_value(s, b, e->a[0], depth + 1, out);
    case IRL_OP_RAMP: {
        irl__affine step;
        if (!irl__box_value(s, b, e->a[0], depth + 1, out) ||
            !irl__box_value(s, b, e->a[1], depth + 1, &step))
            return 0;
        if (!irl__affine_is_constant(b, &step)) return irl__box_cut_values(s, b, &step);
        return irl__box_sum(s, b, out, 1, &b->lane, step.constant, 0, out);
    }
    case IRL_OP_SHUFFLE:
    case IRL_OP_LANE:
    case IRL_OP_REINTERPRET: return irl__box_hidden(s, "its value depends on an operator that "
                                                       "cannot be counted");
    case IRL_OP_LET: return irl__box_let(s, b, e, depth, out);
    case IRL_OP_SELECT:
    case IRL_OP_IF_THEN_ELSE:
        return irl__box_truth(s, b, e->a[0], depth, &truth) &&
               irl__box_value(s, b, e->a[truth ? 1 : 2], depth + 1, out);
    case IRL_OP_AND:
    case IRL_OP_OR:
        return irl__box_truth(s, b, e->a[0], depth, &truth) &&
               (truth == (e->op == IRL_OP_OR) || irl__box_truth(s, b, e->a[1], depth, &truth)) &&
               irl__affine_constant(out, truth);
    case IRL_OP_NOT:
        return irl__box_truth(s, b, e->a[0], depth, &truth) && irl__affine_constant(out, !truth);
    default: break;
    }
    if (irl__op_info((irl_op)e->op)->rule == IRL__COMPARE)
        return irl__box_compare(s, b, e, depth, out);
    if (is_bool && e->op == IRL_OP_CAST)
        return irl__box_truth(s, b, e->a[0], depth, &truth) && irl__affine_constant(out, truth);
    return is_bool ? irl__box_hidden(s, irl__boxes_memory)
                   : irl__box_operands(s, b, e, depth, out);
}

/* ------------------------------------------------------------------ what must hold */

/* Which values of a column fulfil a row whose other columns take any value: from one end of it (of
   a falling row the upper one) so many never do, then so many sometimes; the rest always does. */
typedef struct irl__band {
    int64_t never, maybe;
} irl__band;

static int irl__box_band(const irl__box *b, const irl__affine *row, int c, irl__band *band)
{
    irl__affine rest = *row;
    int64_t     lo, hi, d = row->coef[c], n = b->extent[c], sure = 0;
    rest.coef[c] = 0;
    if (d == INT64_MIN) return 0;
    if (d < 0) { /* count from the other end */
        int64_t end;
        if (!irl__mul64(d, n - 1, &end) || !irl__add64(rest.constant, end, &rest.constant))
            return 0;
        d = -d;
    }
    if (!irl__affine_range(b, &rest, &lo, &hi) || !irl__sub64(d - 1, lo, &lo) ||
        !irl__sub64(d - 1, hi, &hi))
        return 0;
    /* d * y + rest >= 0: for no rest below never, for every rest from sure on */
    irl__floordiv64(hi, d, &band->never);
    irl__floordiv64(lo, d, &sure);
    if (band->never < 0) band->never = 0;
    if (band->never > n) band->never = n;
    if (sure < band->never) sure = band->never;
    if (sure > n) sure = n;
    band->maybe = sure - band->never;
    return 1;
}

/* Makes columns shorter where a row forbids their ends. Rows that hold everywhere go. Rounds are
   limited: rows that push one another may take as many as there are values. */
static int irl__box_narrow(irl__boxes *s, irl__box *b)
{
    int changed = 1, rounds = 0;
    while (changed && rounds++ < IRL__BOX_ROWS) {
        changed = 0;
        for (int k = 0; k < b->rows; k++) {
            irl__affine *row = &b->row[k];
            int64_t      lo, hi;
            irl__band    band;
            if (!irl__affine_range(b, row, &lo, &hi)) return irl__box_broken(s);
            if (hi < 0) return irl__box_stop(s, IRL__BOX_EMPTY, NULL);
            if (lo >= 0) {
                b->row[k--] = b->row[--b->rows];
                continue;
            }
            for (int c = 0; c < b->columns; c++) {
                if (!row->coef[c]) continue;
                if (!irl__box_band(b, row, c, &band)) return irl__box_broken(s);
                if (band.never == 0) continue;
                if (band.never == b->extent[c]) return irl__box_stop(s, IRL__BOX_EMPTY, NULL);
                if (!irl__box_part(s, b, c, row->coef[c] > 0 ? band.never : 0,
                                   b->extent[c] - band.never))
                    return 0;
                changed = 1;
            }
        }
    }
    return 1;
}

/* How far from 0; the least number counts as the largest. */
static int64_t irl__box_size(int64_t a)
{
    return a >= 0 ? a : a == INT64_MIN ? INT64_MAX : -a;
}

/* Cuts where a row of several columns holds for some of their values: at the end of those for which
   it always does, then value by value. The column with the fewest others, the larger stride. */
static int irl__box_settle(irl__boxes *s, irl__box *b)
{
    irl__band band, best = { 0, 0 };
    int       at = -1;
    if (!irl__box_narrow(s, b)) return 0;
    if (b->rows == 0) return 1;
    const irl__affine *row = &b->row[0];
    for (int c = 0; c < b->columns; c++) {
        if (!row->coef[c] || !irl__box_band(b, row, c, &band)) continue;
        const int64_t mine = irl__box_size(b->address.coef[c]);
        const int64_t other = at < 0 ? 0 : irl__box_size(b->address.coef[at]);
        if (at < 0 || band.maybe < best.maybe || (band.maybe == best.maybe && mine > other))
            at = c, best = band;
    }
    if (at < 0) return irl__box_broken(s);
    if (best.maybe < b->extent[at]) /* what is never was cut off already */
        return irl__box_cut(s, IRL__CUT_AT, at,
                            row->coef[at] > 0 ? best.maybe : b->extent[at] - best.maybe);
    return irl__box_cut(s, IRL__CUT_VALUES, at, 0);
}

/* f >= 0 holds from now on, where the box is changed; no form beside the box's own is right
   then. */
static int irl__box_row(irl__boxes *s, irl__box *b, const irl__affine *f)
{
    const int sign = irl__affine_sign(b, f);
    if (sign) return sign > 0 || irl__box_stop(s, IRL__BOX_EMPTY, NULL);
    if (b->rows == IRL__BOX_ROWS) return irl__box_hidden(s, irl__boxes_large);
    b->row[b->rows++] = *f;
    return irl__box_narrow(s, b);
}

/* ------------------------------------------------------------------ what is given */

static int irl__box_column(irl__boxes *s, irl__box *b, int64_t extent, int is_loop,
                           irl__affine *out)
{
    irl__affine_constant(out, 0);
    if (extent == 1) return 1;
    if (b->columns == IRL__BOX_COLUMNS) return irl__box_hidden(s, irl__boxes_large);
    b->extent[b->columns] = extent;
    b->is_loop[b->columns] = (uint8_t)is_loop;
    out->coef[b->columns++] = 1;
    return 1;
}

static int irl__box_bind(irl__boxes *s, irl__box *b, const irl_expr *var, const irl__affine *value,
                         int is_hidden)
{
    if (b->names == IRL__BOX_NAMES) return irl__box_hidden(s, irl__boxes_large);
    b->name[b->names] = var;
    b->is_hidden[b->names] = (uint8_t)is_hidden;
    b->of[b->names++] = *value;
    return 1;
}

/* A range held at one value, its first or a stated one: only where it reaches the value. */
static int irl__box_still(irl__boxes *s, irl__box *b, const irl_expr *var, const irl__affine *min,
                          const irl__affine *extent)
{
    irl__affine at = *min, gone, left;
    for (int k = s->q->value_count; k-- > 0;)
        if (s->q->values[k].var == var) irl__affine_constant(&at, s->q->values[k].value);
    if (!irl__box_sum(s, b, &at, 1, min, -1, 0, &gone) ||
        !irl__box_sum(s, b, extent, 1, &gone, -1, -1, &left))
        return 0;
    const int begun = irl__affine_sign(b, &gone), runs = irl__affine_sign(b, &left);
    if (begun < 0 || runs < 0) return irl__box_stop(s, IRL__BOX_EMPTY, NULL);
    if (!begun || !runs) return irl__box_cut_sign(s, begun ? &left : &gone);
    return irl__box_bind(s, b, var, &at, 0);
}

static int irl__box_range(irl__boxes *s, irl__box *b, const irl__given *g)
{
    const int   runs = !g->is_still;
    irl__affine min, extent;
    const int   start = irl__box_value(s, b, g->value, 0, &min);
    if (!start && s->found != IRL__BOX_HIDDEN) return 0;
    const int end = irl__box_value(s, b, g->extent, 0, &extent);
    if (!end && s->found != IRL__BOX_HIDDEN) return 0;
    if (start && end && !runs) return irl__box_still(s, b, g->var, &min, &extent);
    if (!start) irl__affine_constant(&min, 0);
    if (end && runs) { /* without a start it is known how often, but not where */
        irl__affine value, row;
        int64_t     lo, hi;
        if (!irl__affine_range(b, &extent, &lo, &hi)) return irl__box_broken(s);
        if (hi <= 0) return irl__box_stop(s, IRL__BOX_EMPTY, NULL);
        return irl__box_column(s, b, hi, 1, &value) &&
               irl__box_sum(s, b, &extent, 1, &value, -1, -1, &row) &&
               irl__box_sum(s, b, &value, 1, &min, 1, 0, &value) &&
               irl__box_bind(s, b, g->var, &value, !start) &&
               (lo == hi || irl__box_row(s, b, &row));
    }
    if (!end) s->out->is_exact = s->out->cells_exact = 0;
    s->out->is_unknown |= !end && runs;
    return irl__box_bind(s, b, g->var, &min, 1);
}

/* What is not reached unless e is `wanted`: a comparison becomes a row, and cuts nothing. */
static int irl__box_require(irl__boxes *s, irl__box *b, const irl_expr *e, int wanted)
{
    int truth = 0;
    if (e->op == IRL_OP_NOT) return irl__box_require(s, b, e->a[0], !wanted);
    if (e->type.lanes == 1 && e->op == (wanted ? IRL_OP_AND : IRL_OP_OR)) {
        const int known = irl__box_require(s, b, e->a[0], wanted);
        return (known || s->found == IRL__BOX_HIDDEN) &&
               irl__box_require(s, b, e->a[1], wanted) && (known || irl__box_hidden(s, NULL));
    }
    if (irl__box_truth(s, b, e, 0, &truth))
        return truth == wanted || irl__box_stop(s, IRL__BOX_EMPTY, NULL);
    if (s->found != IRL__BOX_CUT || s->cut.of != e || e->op == (wanted ? IRL_OP_NE : IRL_OP_EQ))
        return 0;
    const int flips = !wanted && e->op != IRL_OP_NE;
    return irl__box_sum(s, b, &s->cut.form, flips ? -1 : 1, NULL, 0, -flips, &s->cut.form) &&
           irl__box_row(s, b, &s->cut.form) && irl__box_require(s, b, e, wanted);
}

/* ------------------------------------------------------------------ addresses */

/* How many elements one step of an axis is. */
static int irl__box_stride(irl__boxes *s, irl__box *b, const irl_buffer *buffer, int axis,
                           irl__affine *out)
{
    irl__affine extent;
    if (buffer->strides) return irl__box_value(s, b, buffer->strides[axis], 0, out);
    irl__affine_constant(out, 1);
    for (int k = axis + 1; k < buffer->rank; k++)
        if (!irl__box_value(s, b, buffer->shape[k], 0, &extent) ||
            !irl__box_product(s, b, out, &extent, out))
            return 0;
    return 1;
}

/* An index that is not known may be any of its axis. */
static int irl__box_anywhere(irl__boxes *s, irl__box *b, const irl_buffer *buffer, int axis,
                             irl__affine *out)
{
    irl__affine extent;
    int64_t     lo, hi;
    if (!irl__box_value(s, b, buffer->shape[axis], 0, &extent)) return 0;
    if (!irl__affine_range(b, &extent, &lo, &hi)) return irl__box_broken(s);
    s->out->cells_exact = 0;
    if (hi <= 0) return irl__box_stop(s, IRL__BOX_EMPTY, NULL);
    return irl__box_column(s, b, hi, 0, out);
}

static int irl__box_index(irl__boxes *s, irl__box *b, int axis)
{
    const irl_buffer *buffer = s->q->buffer;
    irl__affine       index, stride;
    if (!irl__box_value(s, b, s->q->indices[axis], 0, &index) &&
        (s->found != IRL__BOX_HIDDEN || !irl__box_anywhere(s, b, buffer, axis, &index)))
        return 0;
    return irl__box_stride(s, b, buffer, axis, &stride) &&
           irl__box_product(s, b, &index, &stride, &index) &&
           irl__box_sum(s, b, &b->address, 1, &index, 1, 0, &b->address);
}

static int irl__box_offset(irl__boxes *s, irl__box *b, const irl_buffer *buffer)
{
    irl__affine offset;
    return !buffer->offset || (irl__box_value(s, b, buffer->offset, 0, &offset) &&
                               irl__box_sum(s, b, &b->address, 1, &offset, 1, 0, &b->address));
}

/* ------------------------------------------------------------------ from box to box */

static int irl__boxes_go(irl__boxes *s, irl__box *b);

static int irl__boxes_leaf(irl__boxes *s, const irl__box *b)
{
    irl__lattice l;
    int64_t      iterations = 1;
    int          c, ok = 1;
    for (c = 0; c < b->columns; c++)
        if (b->is_loop[c]) ok = ok && irl__mul64(iterations, b->extent[c], &iterations);
    ok = ok && irl__add64(s->out->iterations, iterations, &s->out->iterations);
    if (!ok) s->out->is_unknown = 1;
    s->out->boxes++;
    if (s->out->cells_unknown) return 1;
    irl__lattice_begin(&l, b->address.constant);
    for (c = 0, ok = 1; ok && c < b->columns; c++)
        ok = irl__lattice_add(&l, b->address.coef[c], b->extent[c]);
    if (!ok) { /* an address leaves 64 bits: later boxes are not looked at so closely */
        irl__box_broken(s);
        s->out->is_unknown = s->out->cells_unknown = 1;
        return irl__ok(s->cx);
    }
    return IRL__PUSH_SCRATCH(s->cx, s->out->list, l);
}

/* Part k of a box, of which `part` is a copy. */
static int irl__boxes_part(irl__boxes *s, const irl__cut *cut, int64_t k, irl__box *part)
{
    const int     c = cut->column, last = part->columns;
    const int64_t n = c < 0 ? 0 : part->extent[c];
    irl__affine   row;
    switch (cut->kind) {
    case IRL__CUT_AT: return irl__box_part(s, part, c, k ? cut->at : 0, k ? n - cut->at : cut->at);
    case IRL__CUT_VALUES: return irl__box_part(s, part, c, k, 1);
    case IRL__CUT_SIGN:
        return irl__box_sum(s, part, &cut->form, k ? -1 : 1, NULL, 0, k ? -1 : 0, &row) &&
               irl__box_row(s, part, &row);
    default: break;
    }
    if (k ? n % cut->at == 0 : n < cut->at) return irl__box_stop(s, IRL__BOX_EMPTY, NULL);
    part->columns++;
    part->is_loop[last] = part->is_loop[c];
    part->extent[last] = k ? n % cut->at : cut->at;
    part->extent[c] = n / cut->at;
    return irl__box_put_in(s, part, c, cut->at, 0, last) &&
           (!k || irl__box_part(s, part, c, n / cut->at, 1));
}

/* 1: done in its parts; 0: memory is out; -1: there would be too many. */
static int irl__boxes_cut(irl__boxes *s, const irl__box *b)
{
    const irl__cut cut = s->cut;
    const int64_t  parts = cut.kind == IRL__CUT_VALUES ? b->extent[cut.column] : 2;
    int            ok = 1;
    if (parts > s->left || s->depth == IRL__BOX_DEPTH || b->rows == IRL__BOX_ROWS ||
        b->columns == IRL__BOX_COLUMNS)
        return -1;
    s->left -= parts - 1;
    if (cut.kind == IRL__CUT_VALUES) s->out->one_by_one++;
    irl__box *part = s->part[s->depth]; /* kept: the list grows in the same memory */
    if (!part) part = s->part[s->depth] = IRL__SCRATCH(s->cx, irl__box, 1);
    if (!part) return 0;
    s->depth++;
    for (int64_t k = 0; ok && k < parts; k++) {
        *part = *b;
        if (irl__boxes_part(s, &cut, k, part)) ok = irl__boxes_go(s, part);
        else if (s->found != IRL__BOX_EMPTY) s->out->is_unknown = s->out->cells_unknown = 1;
    }
    s->depth--;
    return ok;
}

/* What is to be done next: what is given, the offset, indices, rows. */
static int irl__boxes_step(irl__boxes *s, irl__box *b)
{
    const int k = b->step - s->q->given_count;
    if (k < 0) {
        const irl__given *g = &s->q->given[b->step];
        if (g->kind == IRL__GIVEN_RANGE) return irl__box_range(s, b, g);
        if (g->kind == IRL__GIVEN_VALUE || g->is_assumed || irl__box_require(s, b, g->value, 1))
            return 1;
        if (s->found != IRL__BOX_HIDDEN) return 0;
        s->out->is_exact = s->out->cells_exact = 0;
        return 1;
    }
    if (k > s->rank) return irl__box_settle(s, b);
    if (s->out->cells_unknown) return 1;
    return k ? irl__box_index(s, b, k - 1) : irl__box_offset(s, b, s->q->buffer);
}

/* A step for which a box cannot be cut: what is counted holds more then. */
static int irl__boxes_loosen(irl__boxes *s, irl__box *b)
{
    const int   k = b->step - s->q->given_count;
    irl__affine any;
    if (!s->out->reason) s->out->reason = irl__boxes_large;
    s->out->is_exact = s->out->cells_exact = 0;
    if (k > s->rank) { /* the next row */
        b->row[0] = b->row[--b->rows];
        return 1;
    }
    if (k > 0 && !s->out->cells_unknown &&
        !irl__box_anywhere(s, b, s->q->buffer, k - 1, &any) && s->found == IRL__BOX_EMPTY)
        return 0;
    if (k >= 0) s->out->cells_unknown = 1; /* the place of an axis in memory is not known */
    else if (s->q->given[b->step].kind == IRL__GIVEN_RANGE) {
        s->out->is_unknown = 1;
        irl__affine_constant(&any, 0);
        if (!irl__box_bind(s, b, s->q->given[b->step].var, &any, 1)) return 0;
    }
    b->step++;
    return 1;
}

static int irl__boxes_go(irl__boxes *s, irl__box *b)
{
    while (b->step <= s->q->given_count + s->rank + 1) {
        if (irl__boxes_step(s, b)) {
            b->step++;
            continue;
        }
        if (s->found == IRL__BOX_CUT) {
            const int cut = irl__boxes_cut(s, b);
            if (cut >= 0) return cut;
            if (irl__boxes_loosen(s, b)) continue;
        }
        if (s->found == IRL__BOX_EMPTY) return 1;
        if (s->found == IRL__BOX_BROKEN) {
            s->out->is_unknown = s->out->cells_unknown = 1;
            return irl__ok(s->cx);
        }
        if (b->step++ >= s->q->given_count) s->out->cells_unknown = 1;
        else s->out->is_unknown = 1;
    }
    return irl__boxes_leaf(s, b);
}

/* ------------------------------------------------------------------ the question */

int irl__boxes_of(const irl__boxes_question *q, irl__boxes_answer *out)
{
    irl__boxes s;
    memset(&s, 0, sizeof s);
    memset(out, 0, sizeof *out);
    out->is_exact = out->cells_exact = 1;
    out->cells_unknown = q->buffer == NULL;
    s.q = q;
    s.out = out;
    s.cx = q->cx;
    s.rank = q->buffer ? q->rank : 0;
    s.left = IRL__BOXES_MOST;
    s.work = IRL__BOXES_WORK;
    irl__box *b = IRL__SCRATCH(s.cx, irl__box, 1);
    if (!b) return 0;
    if (q->lanes > 1) irl__box_column(&s, b, q->lanes, 0, &b->lane);
    return irl__boxes_go(&s, b) && irl__ok(s.cx);
}
