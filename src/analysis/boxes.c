/* boxes.c - the iterations that reach an access, as boxes over which its address is a sum.

   needs     the table of accesses
   promises  the boxes are disjoint and hold each iteration once; what is not exact holds more, and
             says why. An iteration for which something leaves 64 bits makes all of it unknown
   cost      linear in what stands around where nothing is cut; at most IRL__BOXES_MOST boxes

   Everything is a form: a constant and multiples of columns, each of which goes from 0 to its
   extent. What cannot be written as one over the whole box asks for a cut of it, and is asked again
   in the parts. */
#include "count.h"

/* A sum of multiples of the columns. */
typedef struct irl__affine {
    int64_t constant, coef[IRL__BOX_COLUMNS];
} irl__affine;

typedef struct irl__box {
    int             columns, names, rows;
    int             step; /* what has been done: nodes around, then indices */
    int64_t         extent[IRL__BOX_COLUMNS];
    uint8_t         is_loop[IRL__BOX_COLUMNS]; /* it counts as iterations */
    const irl_expr *name[IRL__BOX_NAMES];
    uint8_t         is_hidden[IRL__BOX_NAMES]; /* its value is not known */
    irl__affine     of[IRL__BOX_NAMES];
    irl__affine     row[IRL__BOX_ROWS]; /* at least 0 */
    irl__affine     lane, address;
} irl__box;

/* What comes out of looking at something. */
typedef enum irl__box_found {
    IRL__BOX_OK,
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
    irl__cut_kind kind;
    int           column;
    int64_t       at;
    irl__affine   form;
} irl__cut;

typedef struct irl__boxes {
    const irl__boxes_question *q;
    irl__boxes_answer         *out;
    irl_ctx                   *cx;
    const irl__around        **nodes; /* outermost first */
    int                        node_count, rank;
    int64_t                    left, work; /* boxes; nodes of expressions */
    int                        depth;      /* of cuts */
    irl__cut                   cut;
    irl__box                  *part[IRL__BOX_DEPTH];
} irl__boxes;

static irl__box_found irl__box_value(irl__boxes *s, irl__box *b, const irl_expr *e, int depth,
                                     irl__affine *out);
static irl__box_found irl__box_truth(irl__boxes *s, irl__box *b, const irl_expr *e, int depth,
                                     int *out);

/* ------------------------------------------------------------------ forms */

static void irl__affine_constant(irl__affine *f, int64_t value)
{
    memset(f, 0, sizeof *f);
    f->constant = value;
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

static int irl__affine_cancel(int64_t a, int64_t b) { return b != INT64_MIN && a == -b; }

/* How far from 0; the least number counts as the largest. */
static int64_t irl__affine_size(int64_t a)
{
    return a >= 0 ? a : a == INT64_MIN ? INT64_MAX : -a;
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
        for (c = 0; c < b->columns && irl__affine_cancel(f->coef[c], r->coef[c]); c++) {}
        if (c == b->columns && r->constant > INT64_MIN && f->constant < -r->constant)
            return -1; /* f + row < 0 <= row */
    }
    return 0;
}

static irl__box_found irl__box_broken(irl__boxes *s)
{
    if (!s->out->reason) s->out->reason = "an intermediate result exceeds 64 bits";
    return IRL__BOX_BROKEN;
}

/* ------------------------------------------------------------------ what to cut */

static irl__box_found irl__box_cut(irl__boxes *s, irl__cut_kind kind, int column, int64_t at)
{
    s->cut.kind = kind;
    s->cut.column = column;
    s->cut.at = at;
    return IRL__BOX_CUT;
}

/* By the sign of a form. */
static irl__box_found irl__box_cut_sign(irl__boxes *s, const irl__affine *f)
{
    s->cut.form = *f;
    return irl__box_cut(s, IRL__CUT_SIGN, -1, 0);
}

/* By the values of the shortest column of f. */
static irl__box_found irl__box_cut_values(irl__boxes *s, const irl__box *b, const irl__affine *f)
{
    int c, best = -1;
    for (c = 0; c < b->columns; c++)
        if (f->coef[c] && (best < 0 || b->extent[c] < b->extent[best])) best = c;
    return irl__box_cut(s, IRL__CUT_VALUES, best, 0);
}

/* ------------------------------------------------------------------ quotients */

/* f = m * q + r, the coefficients of r in 0 .. m - 1, or nearest to 0. */
static void irl__affine_divide(const irl__box *b, const irl__affine *f, int64_t m, int is_nearest,
                            irl__affine *q, irl__affine *r)
{
    irl__affine_constant(q, 0);
    irl__affine_constant(r, 0);
    irl__floordiv64(f->constant, m, &q->constant);
    irl__floormod64(f->constant, m, &r->constant);
    for (int c = 0; c < b->columns; c++) {
        if (!f->coef[c]) continue;
        irl__floordiv64(f->coef[c], m, &q->coef[c]);
        irl__floormod64(f->coef[c], m, &r->coef[c]);
        if (is_nearest && r->coef[c] > m / 2) r->coef[c] -= m, q->coef[c]++;
    }
}

/* If r has one quotient over the whole box, puts it into q. */
static int irl__affine_settle(const irl__box *b, int64_t m, irl__affine *q, irl__affine *r)
{
    int64_t lo, hi, least = 0, most = 0;
    if (!irl__affine_range(b, r, &lo, &hi)) return 0;
    irl__floordiv64(lo, m, &least);
    irl__floordiv64(hi, m, &most);
    if (least != most) return 0;
    q->constant += least;
    r->constant -= least * m;
    return 1;
}

/* Where one column alone moves r = r0 + d * column across multiples of m; d nearest to 0. */
static irl__box_found irl__box_cut_column(irl__boxes *s, const irl__box *b, const irl__affine *r,
                                          int c, int64_t m)
{
    const int64_t d = r->coef[c] < 0 ? -r->coef[c] : r->coef[c], period = m / irl__gcd64(d, m);
    const int64_t step = r->coef[c] > 0 ? (m - r->constant - 1) / d + 1 : r->constant / d + 1;
    if (b->extent[c] > period && (m % d != 0 || step == period))
        return irl__box_cut(s, IRL__CUT_DIGIT, c, period);
    return irl__box_cut(s, IRL__CUT_AT, c, step);
}

/* floor(f / m) and f mod m; m > 0. Either may be NULL. */
static irl__box_found irl__box_divide(irl__boxes *s, const irl__box *b, const irl__affine *f,
                                      int64_t m, irl__affine *quotient, irl__affine *rest)
{
    irl__affine q, r;
    for (int nearest = 1; nearest >= 0; nearest--) {
        irl__affine_divide(b, f, m, nearest, &q, &r);
        if (!irl__affine_settle(b, m, &q, &r)) continue;
        if (quotient) *quotient = q;
        if (rest) *rest = r;
        return IRL__BOX_OK;
    }
    irl__affine_divide(b, f, m, 1, &q, &r);
    int c, count = 0, last = -1, longest = -1;
    for (c = 0; c < b->columns; c++) {
        if (!r.coef[c]) continue;
        count++;
        last = c;
        if (b->extent[c] > m / irl__gcd64(r.coef[c], m)) longest = c;
    }
    if (count == 1) return irl__box_cut_column(s, b, &r, last, m);
    if (longest >= 0)
        return irl__box_cut(s, IRL__CUT_DIGIT, longest, m / irl__gcd64(r.coef[longest], m));
    return irl__box_cut_values(s, b, &r);
}

/* Floor division by any number but 0, of either sign: f / -m is -f / m. */
static irl__box_found irl__box_floor(irl__boxes *s, const irl__box *b, irl__affine *f, int64_t m,
                                     int is_rest, irl__affine *out)
{
    irl__box_found found;
    irl__affine    minus;
    if (m == 0 || m == INT64_MIN) return irl__box_broken(s);
    if (m > 0) return irl__box_divide(s, b, f, m, is_rest ? NULL : out, is_rest ? out : NULL);
    irl__affine_constant(&minus, 0);
    if (!irl__affine_add(b, &minus, f, -1)) return irl__box_broken(s);
    found = irl__box_divide(s, b, &minus, -m, is_rest ? NULL : out, is_rest ? &minus : NULL);
    if (found != IRL__BOX_OK || !is_rest) return found;
    irl__affine_constant(out, 0);
    return irl__affine_add(b, out, &minus, -1) ? IRL__BOX_OK : irl__box_broken(s);
}

/* Towards zero: the sign of the dividend is that of the rest. */
static irl__box_found irl__box_truncate(irl__boxes *s, const irl__box *b, irl__affine *f, int64_t m,
                                        int is_rest, irl__affine *out)
{
    const int      sign = irl__affine_sign(b, f);
    irl__box_found found;
    irl__affine    minus;
    if (m == 0 || m == INT64_MIN) return irl__box_broken(s);
    if (!sign) return irl__box_cut_sign(s, f);
    irl__affine_constant(&minus, 0);
    if (!irl__affine_add(b, &minus, f, sign)) return irl__box_broken(s);
    found = irl__box_divide(s, b, &minus, m < 0 ? -m : m, is_rest ? NULL : &minus,
                            is_rest ? &minus : NULL);
    if (found != IRL__BOX_OK) return found;
    irl__affine_constant(out, 0);
    return irl__affine_add(b, out, &minus, is_rest || m > 0 ? sign : -sign) ? IRL__BOX_OK
                                                                           : irl__box_broken(s);
}

/* ------------------------------------------------------------------ values of expressions */

static irl__box_found irl__box_hidden(irl__boxes *s, const char *reason)
{
    if (!s->out->reason) s->out->reason = reason;
    return IRL__BOX_HIDDEN;
}

static const char irl__boxes_memory[] = "it depends on values in memory";
static const char irl__boxes_names[] = "it depends on names whose values are not given";
static const char irl__boxes_large[] = "it has too many parts";

static irl__box_found irl__box_name(irl__boxes *s, irl__box *b, const irl_expr *var, int depth,
                                    irl__affine *out)
{
    for (int k = b->names; k-- > 0;) {
        if (b->name[k] != var) continue;
        *out = b->of[k];
        return b->is_hidden[k] ? IRL__BOX_HIDDEN : IRL__BOX_OK;
    }
    const irl__around *n = (const irl__around *)irl__ptr_map_get(&s->q->t->of_var, var);
    if (n) return irl__box_value(s, b, n->value, depth + 1, out);
    for (int k = 0; k < s->q->value_count; k++)
        if (s->q->values[k].var == var) {
            irl__affine_constant(out, s->q->values[k].value);
            return IRL__BOX_OK;
        }
    return irl__box_hidden(s, irl__boxes_names);
}

/* An operator on numbers; on anything else the shortest of the columns is taken value by value. */
static irl__box_found irl__box_operator(irl__boxes *s, const irl__box *b, const irl_expr *e,
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
    irl__affine_constant(out, value.i);
    return IRL__BOX_OK;
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

static irl__box_found irl__box_product(irl__boxes *s, const irl__box *b, const irl__affine *x,
                                       const irl__affine *y, irl__affine *out)
{
    irl__affine_constant(out, 0);
    if (irl__affine_is_constant(b, x))
        return irl__affine_add(b, out, y, x->constant) ? IRL__BOX_OK : irl__box_broken(s);
    if (irl__affine_is_constant(b, y))
        return irl__affine_add(b, out, x, y->constant) ? IRL__BOX_OK : irl__box_broken(s);
    return irl__box_cut_values(s, b, x);
}

static irl__box_found irl__box_arithmetic(irl__boxes *s, const irl__box *b, const irl_expr *e,
                                          irl__affine *a, irl__affine *out)
{
    int sign;
    switch (e->op) {
    case IRL_OP_ADD:
    case IRL_OP_SUB:
        *out = a[0];
        return irl__affine_add(b, out, &a[1], e->op == IRL_OP_ADD ? 1 : -1) ? IRL__BOX_OK
                                                                         : irl__box_broken(s);
    case IRL_OP_NEG:
        irl__affine_constant(out, 0);
        return irl__affine_add(b, out, &a[0], -1) ? IRL__BOX_OK : irl__box_broken(s);
    case IRL_OP_MUL: return irl__box_product(s, b, &a[0], &a[1], out);
    case IRL_OP_FLOORDIV:
    case IRL_OP_FLOORMOD:
    case IRL_OP_TRUNCDIV:
    case IRL_OP_TRUNCMOD: {
        const int is_rest = e->op == IRL_OP_FLOORMOD || e->op == IRL_OP_TRUNCMOD;
        if (!irl__affine_is_constant(b, &a[1])) return irl__box_cut_values(s, b, &a[1]);
        return e->op == IRL_OP_FLOORDIV || e->op == IRL_OP_FLOORMOD
                   ? irl__box_floor(s, b, &a[0], a[1].constant, is_rest, out)
                   : irl__box_truncate(s, b, &a[0], a[1].constant, is_rest, out);
    }
    case IRL_OP_MIN:
    case IRL_OP_MAX:
        *out = a[0];
        if (!irl__affine_add(b, out, &a[1], -1)) return irl__box_broken(s);
        sign = irl__affine_sign(b, out);
        if (!sign) return irl__box_cut_sign(s, out);
        *out = a[(sign > 0) == (e->op == IRL_OP_MIN)];
        return IRL__BOX_OK;
    case IRL_OP_ABS:
        sign = irl__affine_sign(b, &a[0]);
        if (!sign) return irl__box_cut_sign(s, &a[0]);
        irl__affine_constant(out, 0);
        return irl__affine_add(b, out, &a[0], sign) ? IRL__BOX_OK : irl__box_broken(s);
    case IRL_OP_CAST: *out = a[0]; return IRL__BOX_OK;
    default: {
        /* & of low bits and shifts, by a number, are %, / and *. */
        const int64_t by = a[1].constant;
        if (irl__affine_is_constant(b, &a[1])) {
            if (e->op == IRL_OP_BITAND && by > 0 && by < INT64_MAX && (by & (by + 1)) == 0)
                return irl__box_floor(s, b, &a[0], by + 1, 1, out);
            if (e->op == IRL_OP_SHR && by >= 0 && by < 62)
                return irl__box_floor(s, b, &a[0], INT64_C(1) << by, 0, out);
            irl__affine_constant(out, 0);
            if (e->op == IRL_OP_SHL && by >= 0 && by < 62 &&
                irl__affine_add(b, out, &a[0], INT64_C(1) << by))
                return IRL__BOX_OK;
        }
        return irl__box_operator(s, b, e, a, out);
    }
    }
}

static irl__box_found irl__box_operands(irl__boxes *s, irl__box *b, const irl_expr *e, int depth,
                                        irl__affine *out)
{
    irl__affine    a[3];
    irl__box_found found;
    if (e->count == 0 || e->count > 3) return irl__box_hidden(s, "an operator that is not counted");
    for (uint32_t k = 0; k < e->count; k++) {
        found = irl__box_value(s, b, e->a[k], depth + 1, &a[k]);
        if (found != IRL__BOX_OK) return found;
    }
    found = irl__box_arithmetic(s, b, e, a, out);
    if (found != IRL__BOX_OK || irl__box_fits(b, e->type, out)) return found;
    return e->type.scalar == IRL_INDEX ? irl__box_broken(s) : irl__box_operator(s, b, e, a, out);
}

static irl__box_found irl__box_choice(irl__boxes *s, irl__box *b, const irl_expr *e, int depth,
                                      irl__affine *out)
{
    int            truth = 0;
    irl__box_found found = irl__box_truth(s, b, e->a[0], depth + 1, &truth);
    return found == IRL__BOX_OK ? irl__box_value(s, b, e->a[truth ? 1 : 2], depth + 1, out) : found;
}

static irl__box_found irl__box_let(irl__boxes *s, irl__box *b, const irl_expr *e, int depth,
                                   irl__affine *out)
{
    const int at = b->names;
    if (at == IRL__BOX_NAMES) return irl__box_hidden(s, irl__boxes_large);
    irl__box_found found = irl__box_value(s, b, e->a[1], depth + 1, &b->of[at]);
    if (found != IRL__BOX_OK && found != IRL__BOX_HIDDEN) return found;
    b->name[at] = e->a[0];
    b->is_hidden[at] = found == IRL__BOX_HIDDEN;
    b->names++;
    found = irl__box_value(s, b, e->a[2], depth + 1, out);
    b->names--;
    return found;
}

/* An integer, of each lane; or whether it is true. */
static irl__box_found irl__box_value(irl__boxes *s, irl__box *b, const irl_expr *e, int depth,
                                     irl__affine *out)
{
    irl_type       type = e->type;
    irl__box_found found;
    int            truth;
    if (depth > IRL_MAX_DEPTH || --s->work < 0) return irl__box_hidden(s, irl__boxes_large);
    type.lanes = 1;
    if (type.scalar == IRL_BOOL && e->op != IRL_OP_VAR) {
        truth = 0;
        found = irl__box_truth(s, b, e, depth, &truth);
        irl__affine_constant(out, truth);
        return found;
    }
    if ((!irl__type_is_integer(type) && type.scalar != IRL_BOOL) || type.is_pointer)
        return irl__box_hidden(s, "it depends on numbers that are not integers");
    if (type.scalar == IRL_U64) return irl__box_hidden(s, "it is computed in unsigned 64-bit "
                                                          "numbers");
    switch (e->op) {
    case IRL_OP_INT: irl__affine_constant(out, e->u.i); return IRL__BOX_OK;
    case IRL_OP_VAR: return irl__box_name(s, b, e, depth, out);
    case IRL_OP_LOAD:
    case IRL_OP_CALL_EXTERN:
    case IRL_OP_CALL_INTRINSIC:
    case IRL_OP_UNDEF: return irl__box_hidden(s, irl__boxes_memory);
    case IRL_OP_BROADCAST: return irl__box_value(s, b, e->a[0], depth + 1, out);
    case IRL_OP_RAMP: {
        irl__affine step;
        found = irl__box_value(s, b, e->a[0], depth + 1, out);
        if (found == IRL__BOX_OK) found = irl__box_value(s, b, e->a[1], depth + 1, &step);
        if (found != IRL__BOX_OK) return found;
        if (!irl__affine_is_constant(b, &step)) return irl__box_cut_values(s, b, &step);
        return irl__affine_add(b, out, &b->lane, step.constant) ? IRL__BOX_OK : irl__box_broken(s);
    }
    case IRL_OP_SHUFFLE:
    case IRL_OP_LANE:
    case IRL_OP_REINTERPRET: return irl__box_hidden(s, "an operator that is not counted");
    case IRL_OP_LET: return irl__box_let(s, b, e, depth, out);
    case IRL_OP_SELECT:
    case IRL_OP_IF_THEN_ELSE: return irl__box_choice(s, b, e, depth, out);
    default: return irl__box_operands(s, b, e, depth, out);
    }
}

/* ------------------------------------------------------------------ conditions */

/* e, a comparison, as least >= 0; of == and != least is 0 where they are equal. */
static irl__box_found irl__box_difference(irl__boxes *s, irl__box *b, const irl_expr *e, int depth,
                                          irl__affine *least)
{
    const int      swap = e->op == IRL_OP_LT || e->op == IRL_OP_LE;
    irl__affine    other;
    irl__box_found found = irl__box_value(s, b, e->a[swap], depth + 1, least);
    if (found == IRL__BOX_OK) found = irl__box_value(s, b, e->a[!swap], depth + 1, &other);
    if (found != IRL__BOX_OK) return found;
    if (!irl__affine_add(b, least, &other, -1)) return irl__box_broken(s);
    if ((e->op == IRL_OP_LT || e->op == IRL_OP_GT) &&
        !irl__sub64(least->constant, 1, &least->constant))
        return irl__box_broken(s);
    return IRL__BOX_OK;
}

/* least, or -least for the other side of an equation, minus `by`. */
static int irl__affine_side(const irl__box *b, const irl__affine *least, int sign, int64_t by,
                          irl__affine *out)
{
    irl__affine_constant(out, 0);
    return irl__affine_add(b, out, least, sign) && irl__sub64(out->constant, by, &out->constant);
}

static irl__box_found irl__box_compare(irl__boxes *s, irl__box *b, const irl_expr *e, int depth,
                                       int *out)
{
    irl__affine    least, side;
    irl__box_found found = irl__box_difference(s, b, e, depth, &least);
    int            above;
    if (found != IRL__BOX_OK) return found;
    if (e->op != IRL_OP_EQ && e->op != IRL_OP_NE) {
        above = irl__affine_sign(b, &least);
        *out = above > 0;
        return above ? IRL__BOX_OK : irl__box_cut_sign(s, &least);
    }
    above = irl__affine_sign(b, &least);
    if (!irl__affine_side(b, &least, -1, 0, &side)) return irl__box_broken(s);
    int below = irl__affine_sign(b, &side);
    *out = (above > 0 && below > 0) == (e->op == IRL_OP_EQ);
    if ((above > 0 && below > 0) || above < 0 || below < 0) return IRL__BOX_OK;
    return irl__box_cut_sign(s, above ? &side : &least);
}

static irl__box_found irl__box_truth(irl__boxes *s, irl__box *b, const irl_expr *e, int depth,
                                     int *out)
{
    irl__affine    value;
    irl__box_found found;
    if (depth > IRL_MAX_DEPTH || --s->work < 0) return irl__box_hidden(s, irl__boxes_large);
    if (e->type.lanes != 1) return irl__box_hidden(s, "a condition of several lanes");
    switch (e->op) {
    case IRL_OP_INT: *out = e->u.i != 0; return IRL__BOX_OK;
    case IRL_OP_NOT:
        found = irl__box_truth(s, b, e->a[0], depth + 1, out);
        *out = !*out;
        return found;
    case IRL_OP_AND:
    case IRL_OP_OR:
        found = irl__box_truth(s, b, e->a[0], depth + 1, out);
        return found != IRL__BOX_OK || *out == (e->op == IRL_OP_OR)
                   ? found
                   : irl__box_truth(s, b, e->a[1], depth + 1, out);
    case IRL_OP_SELECT:
    case IRL_OP_IF_THEN_ELSE:
        found = irl__box_truth(s, b, e->a[0], depth + 1, out);
        return found == IRL__BOX_OK ? irl__box_truth(s, b, e->a[*out ? 1 : 2], depth + 1, out)
                                    : found;
    case IRL_OP_VAR:
        found = irl__box_value(s, b, e, depth + 1, &value);
        if (found == IRL__BOX_OK && !irl__affine_is_constant(b, &value))
            return irl__box_cut_values(s, b, &value);
        *out = found == IRL__BOX_OK && value.constant != 0;
        return found;
    case IRL_OP_CAST:
        found = irl__box_value(s, b, e->a[0], depth + 1, &value);
        if (found == IRL__BOX_OK && !irl__affine_is_constant(b, &value))
            return irl__box_cut_values(s, b, &value);
        *out = found == IRL__BOX_OK && value.constant != 0;
        return found;
    default: break;
    }
    if (irl__op_info((irl_op)e->op)->rule == IRL__COMPARE)
        return irl__box_compare(s, b, e, depth, out);
    return irl__box_hidden(s, irl__boxes_memory);
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

/* column = column + by, of `extent` values. */
static int irl__affine_shift(irl__affine *f, int c, int64_t by)
{
    int64_t one;
    return irl__mul64(f->coef[c], by, &one) && irl__add64(f->constant, one, &f->constant);
}

/* Every form of the box. */
typedef int irl__affine_fn(irl__affine *f, int c, int64_t by, int other);

static int irl__box_each(irl__box *b, irl__affine_fn *fn, int c, int64_t by, int other)
{
    int k, ok = fn(&b->lane, c, by, other) && fn(&b->address, c, by, other);
    for (k = 0; ok && k < b->names; k++) ok = fn(&b->of[k], c, by, other);
    for (k = 0; ok && k < b->rows; k++) ok = fn(&b->row[k], c, by, other);
    return ok;
}

static int irl__affine_shift_fn(irl__affine *f, int c, int64_t by, int other)
{
    (void)other;
    return irl__affine_shift(f, c, by);
}

/* column = by * column + other */
static int irl__affine_digit_fn(irl__affine *f, int c, int64_t by, int other)
{
    f->coef[other] = f->coef[c];
    return irl__mul64(f->coef[c], by, &f->coef[c]);
}

/* Its values from `first` on; one alone is part of the constants. */
static int irl__box_part(irl__box *b, int c, int64_t first, int64_t extent)
{
    b->extent[c] = extent;
    if (first != 0 && !irl__box_each(b, irl__affine_shift_fn, c, first, 0)) return 0;
    if (extent != 1) return 1;
    b->lane.coef[c] = b->address.coef[c] = 0;
    for (int k = 0; k < b->names; k++) b->of[k].coef[c] = 0;
    for (int k = 0; k < b->rows; k++) b->row[k].coef[c] = 0;
    return 1;
}

/* Makes columns shorter where a row forbids their ends. Rows that hold everywhere go. Rounds are
   limited: rows that push one another may take as many as there are values. */
static irl__box_found irl__box_narrow(irl__boxes *s, irl__box *b)
{
    int k, c, changed = 1, rounds = 0;
    while (changed && rounds++ < IRL__BOX_ROWS) {
        changed = 0;
        for (k = 0; k < b->rows; k++) {
            irl__affine row = b->row[k];
            int64_t     lo, hi;
            irl__band   band;
            if (!irl__affine_range(b, &row, &lo, &hi)) return irl__box_broken(s);
            if (hi < 0) return IRL__BOX_EMPTY;
            if (lo >= 0) {
                b->row[k--] = b->row[--b->rows];
                continue;
            }
            for (c = 0; c < b->columns; c++) {
                if (!row.coef[c]) continue;
                if (!irl__box_band(b, &row, c, &band)) return irl__box_broken(s);
                if (band.never == 0) continue;
                if (band.never == b->extent[c]) return IRL__BOX_EMPTY;
                if (!irl__box_part(b, c, row.coef[c] > 0 ? band.never : 0,
                                   b->extent[c] - band.never))
                    return irl__box_broken(s);
                row = b->row[k];
                changed = 1;
            }
        }
    }
    return IRL__BOX_OK;
}

/* Cuts where a row of several columns holds for some of their values: at the end of those for which
   it always does, then value by value. The column with the fewest others, the larger stride. */
static irl__box_found irl__box_settle(irl__boxes *s, irl__box *b)
{
    irl__band      band, best;
    int            c, at = -1;
    irl__box_found found = irl__box_narrow(s, b);
    if (found != IRL__BOX_OK || b->rows == 0) return found;
    const irl__affine *row = &b->row[0];
    memset(&best, 0, sizeof best);
    for (c = 0; c < b->columns; c++) {
        if (!row->coef[c] || !irl__box_band(b, row, c, &band)) continue;
        int64_t mine = irl__affine_size(b->address.coef[c]);
        int64_t other = at < 0 ? 0 : irl__affine_size(b->address.coef[at]);
        if (at < 0 || band.maybe < best.maybe || (band.maybe == best.maybe && mine > other))
            at = c, best = band;
    }
    if (at < 0) return irl__box_broken(s);
    if (best.maybe < b->extent[at]) /* what is never was cut off already */
        return irl__box_cut(s, IRL__CUT_AT, at,
                            row->coef[at] > 0 ? best.maybe : b->extent[at] - best.maybe);
    return irl__box_cut(s, IRL__CUT_VALUES, at, 0);
}

static irl__box_found irl__box_row(irl__boxes *s, irl__box *b, const irl__affine *f)
{
    const int sign = irl__affine_sign(b, f);
    if (sign) return sign > 0 ? IRL__BOX_OK : IRL__BOX_EMPTY;
    if (b->rows == IRL__BOX_ROWS) return irl__box_hidden(s, irl__boxes_large);
    b->row[b->rows++] = *f;
    return irl__box_narrow(s, b);
}

static irl__box_found irl__box_require(irl__boxes *s, irl__box *b, const irl_expr *e, int truth,
                                       int depth)
{
    irl__affine    least, side;
    irl__box_found found;
    int            is = 0;
    if (depth > IRL_MAX_DEPTH) return irl__box_hidden(s, irl__boxes_large);
    if (e->op == IRL_OP_NOT) return irl__box_require(s, b, e->a[0], !truth, depth + 1);
    if (e->type.lanes == 1 && e->op == (truth ? IRL_OP_AND : IRL_OP_OR)) {
        found = irl__box_require(s, b, e->a[0], truth, depth + 1);
        if (found != IRL__BOX_OK && found != IRL__BOX_HIDDEN) return found;
        irl__box_found second = irl__box_require(s, b, e->a[1], truth, depth + 1);
        return second == IRL__BOX_OK ? found : second;
    }
    if (e->type.lanes == 1 && irl__op_info((irl_op)e->op)->rule == IRL__COMPARE &&
        e->op != (truth ? IRL_OP_NE : IRL_OP_EQ) && irl__type_is_integer(e->a[0]->type)) {
        const int is_equal = e->op == IRL_OP_EQ || e->op == IRL_OP_NE;
        found = irl__box_difference(s, b, e, depth, &least);
        if (found != IRL__BOX_OK) return found;
        if (!irl__affine_side(b, &least, is_equal || truth ? 1 : -1, is_equal || truth ? 0 : 1,
                              &side))
            return irl__box_broken(s);
        found = irl__box_row(s, b, &side);
        if (found != IRL__BOX_OK || !is_equal) return found;
        found = irl__box_difference(s, b, e, depth, &least); /* the columns may be others now */
        if (found != IRL__BOX_OK) return found;
        if (!irl__affine_side(b, &least, -1, 0, &side)) return irl__box_broken(s);
        return irl__box_row(s, b, &side);
    }
    found = irl__box_truth(s, b, e, depth, &is);
    return found != IRL__BOX_OK || is == truth ? found : IRL__BOX_EMPTY;
}

/* ------------------------------------------------------------------ what stands around */

static int irl__box_column(irl__boxes *s, irl__box *b, int64_t extent, int is_loop,
                           irl__affine *out)
{
    irl__affine_constant(out, 0);
    if (extent == 1) return 1;
    if (b->columns == IRL__BOX_COLUMNS) return irl__box_hidden(s, irl__boxes_large), 0;
    b->extent[b->columns] = extent;
    b->is_loop[b->columns] = (uint8_t)is_loop;
    out->coef[b->columns++] = 1;
    return 1;
}

static irl__box_found irl__box_bind(irl__boxes *s, irl__box *b, const irl_expr *var,
                                    const irl__affine *value, int is_hidden)
{
    if (b->names == IRL__BOX_NAMES) return irl__box_hidden(s, irl__boxes_large);
    b->name[b->names] = var;
    b->is_hidden[b->names] = (uint8_t)is_hidden;
    b->of[b->names++] = *value;
    return IRL__BOX_OK;
}

/* A loop that stands still, at its start or where it is said to. */
static irl__box_found irl__box_still(irl__boxes *s, irl__box *b, const irl_expr *var,
                                     const irl__affine *min, const irl__affine *extent)
{
    irl__affine at = *min, row;
    int         k;
    for (k = 0; k < s->q->value_count && s->q->values[k].var != var; k++) {}
    if (k < s->q->value_count) irl__affine_constant(&at, s->q->values[k].value);
    row = at;
    if (!irl__affine_add(b, &row, min, -1)) return irl__box_broken(s);
    irl__box_found found = irl__box_row(s, b, &row);
    if (found != IRL__BOX_OK) return found;
    irl__affine_constant(&row, -1);
    if (!irl__affine_add(b, &row, extent, 1) || !irl__affine_add(b, &row, min, 1) ||
        !irl__affine_add(b, &row, &at, -1))
        return irl__box_broken(s);
    found = irl__box_row(s, b, &row);
    return found == IRL__BOX_OK ? irl__box_bind(s, b, var, &at, 0) : found;
}

static irl__box_found irl__box_running(irl__boxes *s, irl__box *b, const irl_expr *var,
                                       const irl__affine *min, const irl__affine *extent)
{
    irl__affine value, row;
    int64_t     lo, hi;
    if (!irl__affine_range(b, extent, &lo, &hi)) return irl__box_broken(s);
    if (hi <= 0) return IRL__BOX_EMPTY;
    if (!irl__box_column(s, b, hi, 1, &value)) return IRL__BOX_HIDDEN;
    irl__affine_constant(&row, -1);
    if (!irl__affine_add(b, &row, extent, 1) || !irl__affine_add(b, &row, &value, -1) ||
        !irl__affine_add(b, &value, min, 1))
        return irl__box_broken(s);
    irl__box_found found = irl__box_bind(s, b, var, &value, 0);
    return found == IRL__BOX_OK && lo != hi ? irl__box_row(s, b, &row) : found;
}

static irl__box_found irl__box_loop(irl__boxes *s, irl__box *b, const irl__around *n)
{
    const irl_stmt *loop = n->stmt;
    const int       runs = !s->q->runs || s->q->runs[n->number];
    irl__affine     min, extent, none;
    irl__box_found  start = irl__box_value(s, b, loop->u.loop.min, 0, &min), end;
    if (start != IRL__BOX_OK && start != IRL__BOX_HIDDEN) return start;
    end = irl__box_value(s, b, loop->u.loop.extent, 0, &extent);
    if (end != IRL__BOX_OK && end != IRL__BOX_HIDDEN) return end;
    if (start == IRL__BOX_OK && end == IRL__BOX_OK)
        return runs ? irl__box_running(s, b, n->var, &min, &extent)
                    : irl__box_still(s, b, n->var, &min, &extent);
    irl__affine_constant(&none, 0);
    if (end == IRL__BOX_HIDDEN && runs) s->out->is_unknown = 1;
    if (end == IRL__BOX_HIDDEN) s->out->is_exact = s->out->cells_exact = 0;
    else if (runs) { /* it is known how often, but not where */
        end = irl__box_running(s, b, n->var, &none, &extent);
        if (end == IRL__BOX_OK) b->is_hidden[b->names - 1] = 1;
        return end;
    }
    return irl__box_bind(s, b, n->var, &none, 1);
}

static irl__box_found irl__box_node(irl__boxes *s, irl__box *b, const irl__around *n)
{
    irl__box_found found = IRL__BOX_OK;
    if (n->kind == IRL__AROUND_LOOP) return irl__box_loop(s, b, n);
    if (n->kind == IRL__AROUND_GUARD) found = irl__box_require(s, b, n->value, 1, 0);
    if (found == IRL__BOX_HIDDEN) {
        s->out->is_exact = s->out->cells_exact = 0;
        found = IRL__BOX_OK;
    }
    return found;
}

/* ------------------------------------------------------------------ addresses */

/* How many elements one step of an axis is. */
static irl__box_found irl__box_stride(irl__boxes *s, irl__box *b, const irl_buffer *buffer,
                                      int axis, irl__affine *out)
{
    irl__affine extent, product;
    if (buffer->strides) return irl__box_value(s, b, buffer->strides[axis], 0, out);
    irl__affine_constant(out, 1);
    for (int k = axis + 1; k < buffer->rank; k++) {
        irl__box_found found = irl__box_value(s, b, buffer->shape[k], 0, &extent);
        if (found != IRL__BOX_OK) return found;
        found = irl__box_product(s, b, out, &extent, &product);
        if (found != IRL__BOX_OK) return found;
        *out = product;
    }
    return IRL__BOX_OK;
}

/* An index that is not known may be any of its axis. */
static irl__box_found irl__box_anywhere(irl__boxes *s, irl__box *b, const irl_buffer *buffer,
                                        int axis, irl__affine *out)
{
    irl__affine    extent;
    irl__box_found found = irl__box_value(s, b, buffer->shape[axis], 0, &extent);
    int64_t        lo, hi;
    if (found != IRL__BOX_OK) return found;
    if (!irl__affine_range(b, &extent, &lo, &hi)) return irl__box_broken(s);
    s->out->cells_exact = 0;
    if (hi <= 0) return IRL__BOX_EMPTY;
    return irl__box_column(s, b, hi, 0, out) ? IRL__BOX_OK : IRL__BOX_HIDDEN;
}

static irl__box_found irl__box_index(irl__boxes *s, irl__box *b, int axis)
{
    const irl__access *a = s->q->a;
    irl__affine        index, stride, part;
    irl__box_found     found = irl__box_value(s, b, a->indices[axis], 0, &index);
    if (found == IRL__BOX_HIDDEN) found = irl__box_anywhere(s, b, a->buffer, axis, &index);
    if (found != IRL__BOX_OK) return found;
    found = irl__box_stride(s, b, a->buffer, axis, &stride);
    if (found != IRL__BOX_OK) return found;
    found = irl__box_product(s, b, &index, &stride, &part);
    if (found != IRL__BOX_OK) return found;
    return irl__affine_add(b, &b->address, &part, 1) ? IRL__BOX_OK : irl__box_broken(s);
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

static irl__box_found irl__box_done(irl__boxes *s, int ok)
{
    return ok ? IRL__BOX_OK : irl__box_broken(s);
}

/* Part k of b, into `part`. */
static irl__box_found irl__cut_part(irl__boxes *s, const irl__cut *cut, const irl__box *b,
                                    int64_t k, irl__box *part)
{
    const int   c = cut->column;
    irl__affine row;
    *part = *b;
    switch (cut->kind) {
    case IRL__CUT_AT:
        return irl__box_done(s, irl__box_part(part, c, k ? cut->at : 0,
                                              k ? b->extent[c] - cut->at : cut->at));
    case IRL__CUT_VALUES: return irl__box_done(s, irl__box_part(part, c, k, 1));
    case IRL__CUT_SIGN:
        if (!irl__affine_side(b, &cut->form, k ? -1 : 1, k, &row)) return irl__box_broken(s);
        if (irl__affine_sign(b, &row) < 0) return IRL__BOX_EMPTY;
        part->row[part->rows++] = row;
        return irl__box_narrow(s, part);
    case IRL__CUT_DIGIT: break;
    }
    int64_t whole = b->extent[c] / cut->at;
    if (k ? b->extent[c] % cut->at == 0 : whole == 0) return IRL__BOX_EMPTY;
    part->columns++;
    part->is_loop[b->columns] = b->is_loop[c];
    part->extent[b->columns] = k ? b->extent[c] % cut->at : cut->at;
    part->extent[c] = whole;
    return irl__box_done(s, irl__box_each(part, irl__affine_digit_fn, c, cut->at, b->columns) &&
                                (!k || irl__box_part(part, c, whole, 1)));
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
    s->left -= parts;
    if (cut.kind == IRL__CUT_VALUES) s->out->one_by_one++;
    irl__box *part = s->part[s->depth]; /* kept: the list grows in the same memory */
    if (!part) part = s->part[s->depth] = (irl__box *)irl__scratch_alloc(s->cx, 1, sizeof *part);
    if (!part) return 0;
    s->depth++;
    for (int64_t k = 0; ok && k < parts; k++) {
        const irl__box_found found = irl__cut_part(s, &cut, b, k, part);
        if (found == IRL__BOX_OK) ok = irl__boxes_go(s, part);
        else if (found != IRL__BOX_EMPTY) s->out->is_unknown = s->out->cells_unknown = 1;
    }
    s->depth--;
    return ok;
}

/* What is to be done next: nodes, the offset, indices, rows. */
static irl__box_found irl__boxes_step(irl__boxes *s, irl__box *b)
{
    const int k = b->step - s->node_count;
    if (k < 0) return irl__box_node(s, b, s->nodes[b->step]);
    if (k > s->rank) return irl__box_settle(s, b);
    if (s->out->cells_unknown) return IRL__BOX_OK;
    if (k != 0) return irl__box_index(s, b, k - 1);
    const irl_buffer *buffer = s->q->a->buffer;
    irl__affine       offset;
    if (!buffer->offset) return IRL__BOX_OK;
    irl__box_found found = irl__box_value(s, b, buffer->offset, 0, &offset);
    if (found != IRL__BOX_OK) return found;
    return irl__affine_add(b, &b->address, &offset, 1) ? IRL__BOX_OK : irl__box_broken(s);
}

/* A step that cannot be done: what is counted holds more then. */
static irl__box_found irl__boxes_loosen(irl__boxes *s, irl__box *b)
{
    const int   k = b->step - s->node_count;
    irl__affine any;
    if (!s->out->reason) s->out->reason = irl__boxes_large;
    s->out->is_exact = s->out->cells_exact = 0;
    if (k > s->rank) {
        b->row[0] = b->row[--b->rows];
        return b->rows ? IRL__BOX_CUT : IRL__BOX_OK;
    }
    if (k > 0 && !s->out->cells_unknown) {
        irl__box_found found = irl__box_anywhere(s, b, s->q->a->buffer, k - 1, &any);
        s->out->cells_unknown = 1; /* where the axis lies in memory was not found out */
        return found == IRL__BOX_EMPTY ? found : IRL__BOX_OK;
    }
    if (k >= 0) s->out->cells_unknown = 1;
    else if (s->nodes[b->step]->kind == IRL__AROUND_LOOP) {
        const irl_expr *var = s->nodes[b->step]->var;
        irl__affine_constant(&any, 0);
        s->out->is_unknown = 1;
        return irl__box_bind(s, b, var, &any, 1);
    }
    return IRL__BOX_OK;
}

static int irl__boxes_go(irl__boxes *s, irl__box *b)
{
    while (b->step <= s->node_count + s->rank + 1) {
        irl__box_found found = irl__boxes_step(s, b);
        if (found == IRL__BOX_EMPTY) return 1;
        if (found == IRL__BOX_CUT) {
            const int cut = irl__boxes_cut(s, b);
            if (cut >= 0) return cut;
            found = irl__boxes_loosen(s, b);
            if (found == IRL__BOX_EMPTY) return 1;
            if (found == IRL__BOX_CUT) continue;
        }
        if (found == IRL__BOX_BROKEN) {
            s->out->is_unknown = s->out->cells_unknown = 1;
            return irl__ok(s->cx);
        }
        if (found == IRL__BOX_HIDDEN && b->step >= s->node_count) s->out->cells_unknown = 1;
        if (found == IRL__BOX_HIDDEN && b->step < s->node_count) s->out->is_unknown = 1;
        b->step++;
    }
    return irl__boxes_leaf(s, b);
}

/* ------------------------------------------------------------------ the question */

/* Is the buffer a part of another one: do its elements lie somewhere else? */
static int irl__boxes_is_match(const irl__around *n, const irl_buffer *b)
{
    for (n = irl__around_binder(n); n; n = irl__around_binder(n->outer))
        if (n->match && n->buffer == b) return 1;
    return 0;
}

static void irl__boxes_access(irl__boxes *s)
{
    const irl__access *a = s->q->a;
    if (!a || !a->buffer || a->kind == IRL__ACCESS_OPAQUE || a->is_texel) {
        s->out->cells_unknown = 1;
        if (a) s->out->reason = a->is_texel ? "it is a texel" : "the memory is passed to a call";
        return;
    }
    s->rank = a->rank;
    s->out->width = (int64_t)irl__type_bytes(a->buffer->type);
    s->out->lines_known = !irl__boxes_is_match(a->around, a->buffer) && !a->buffer->separator_count;
}

int irl__boxes_of(const irl__boxes_question *q, irl__boxes_answer *out)
{
    irl__boxes s;
    irl__box  *b;
    memset(&s, 0, sizeof s);
    memset(out, 0, sizeof *out);
    out->is_exact = out->cells_exact = 1;
    s.q = q;
    s.out = out;
    s.cx = q->t->cx;
    s.left = IRL__BOXES_MOST;
    s.work = IRL__BOXES_WORK;
    irl__boxes_access(&s);
    b = (irl__box *)irl__scratch_alloc(s.cx, 1, sizeof *b);
    /* Loops and guards, outermost first. */
    if (!b) return 0;
    int count;
    s.nodes = irl__around_binders(s.cx, q->a ? q->a->around : q->around, 0, &count);
    if (!s.nodes) return 0;
    for (int k = 0; k < count; k++)
        if (s.nodes[k]->kind == IRL__AROUND_LOOP || s.nodes[k]->kind == IRL__AROUND_GUARD)
            s.nodes[s.node_count++] = s.nodes[k];
    if (q->a && q->a->lanes > 1) irl__box_column(&s, b, q->a->lanes, 0, &b->lane);
    return irl__boxes_go(&s, b) && irl__ok(s.cx);
}
