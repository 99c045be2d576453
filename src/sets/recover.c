/* recover.c - does an index that is a sum of multiples determine one of its variables? do all
   indices of an access together?

   requires  the extents of the loops around the index
   promises  true only if two iterations with the same index have the same value of the variable,
             whatever the others are
   cost      the terms of the sum, squared; for all indices together, a verdict
   source    mixed radix numbers: digits below a base; the engine that judges layouts

   y[((n * 56 + h) * 56 + w) * 64 + c] is a number with the digits n, h, w, c. The terms of a sum
   are digits where each multiple is larger than all that the smaller ones reach together: s1 < s2 <
   ..., s[k+1] > s1 * (e1 - 1) + ... + sk * (ek - 1). v / c and v % c are digits too; both together
   are v. With names in the extents the multiples must be the products of the extents below: i * n +
   j for j in [0, n).

   y[(15 - i) / 4, (15 - i) % 4] or y[i ^ 1] is no such sum, but a map from the loops' variables to
   a cell: where that map is injective on the box of the loops, the cell determines all of them. */
#include "sets.h"

enum {
    IRL__RECOVER_TERMS = 16,
    IRL__RECOVER_NODES = 128,   /* of an index that is worth a verdict */
    IRL__RECOVER_CELLS = 1 << 14 /* what it may enumerate: tens of microseconds */
};

/* scale * unit, where unit takes at most `extent` values in a row. */
typedef struct irl__recover_term {
    const irl_expr *unit;   /* a variable, v / c or v % c */
    const irl_expr *extent;
    int64_t         scale;  /* not 0; made positive, which moves the sum by a constant */
    const irl_expr *factor; /* beside the scale; NULL: 1 */
} irl__recover_term;

typedef struct irl__recover {
    irl_ctx          *cx;
    int               range_count;
    const irl__given *ranges;
    irl__recover_term terms[IRL__RECOVER_TERMS];
    int               count;
} irl__recover;

/* ------------------------------------------------------------------ by one look */

/* Is index k of x v op c, and of y w op c, for a number c? */
static int irl__indices_part(const irl_expr *const *x, const irl_expr *v, const irl_expr *const *y,
                             const irl_expr *w, int k, irl_op op)
{
    return x[k]->op == op && y[k]->op == op && x[k]->a[0] == v && y[k]->a[0] == w &&
           x[k]->a[1] == y[k]->a[1] && x[k]->a[1]->op == IRL_OP_INT;
}

int irl__indices_tell(int rank, const irl_expr *const *x, const irl_expr *v,
                      const irl_expr *const *y, const irl_expr *w)
{
    for (int k = 0; k < rank; k++) {
        if (x[k] == v && y[k] == w) return 1;
        if (!irl__indices_part(x, v, y, w, k, IRL_OP_FLOORDIV)) continue;
        for (int j = 0; j < rank; j++)
            if (irl__indices_part(x, v, y, w, j, IRL_OP_FLOORMOD) && x[j]->a[1] == x[k]->a[1])
                return 1;
    }
    return 0;
}

/* ------------------------------------------------------------------ the terms */

static const irl__given *irl__recover_range_of(const irl__recover *r, const irl_expr *var)
{
    for (int k = 0; k < r->range_count; k++)
        if (r->ranges[k].var == var) return &r->ranges[k];
    return NULL;
}

/* Does e stay the same in all iterations? */
static int irl__recover_is_fixed(const void *user, const irl_expr *e)
{
    const irl__recover *r = (const irl__recover *)user;
    if (e->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)) return 0;
    for (int k = 0; k < r->range_count; k++)
        if (irl__expr_uses_var(e, r->ranges[k].var)) return 0;
    return 1;
}

static int irl__recover_unit(irl__recover *r, const irl_expr *unit, const irl_expr *extent,
                             int64_t scale, const irl_expr *factor)
{
    irl__recover_term *t = &r->terms[r->count];
    if (scale == 0) return 1; /* adds nothing, tells nothing */
    if (scale == INT64_MIN || r->count == IRL__RECOVER_TERMS) return 0;
    for (int k = 0; k < r->count; k++)
        if (r->terms[k].unit == unit) return 0; /* would have to be collected: not worth it */
    t->unit = unit;
    t->extent = extent;
    t->scale = scale < 0 ? -scale : scale;
    t->factor = factor;
    r->count++;
    return 1;
}

static int irl__recover_term_of(void *user, const irl_expr *e, int64_t scale,
                                const irl_expr *factor, int is_fixed)
{
    irl__recover *r = (irl__recover *)user;
    if (is_fixed) return 1;
    /* v / c, v % c for a constant c > 0. */
    if (e->op == IRL_OP_FLOORDIV || e->op == IRL_OP_FLOORMOD) {
        const irl__given *range =
            e->a[0]->op == IRL_OP_VAR ? irl__recover_range_of(r, e->a[0]) : NULL;
        int64_t c = e->a[1]->op == IRL_OP_INT ? e->a[1]->u.i : 0, values;
        if (!range || !range->extent || c <= 0) return 0;
        if (e->op == IRL_OP_FLOORMOD) return irl__recover_unit(r, e, e->a[1], scale, factor);
        if (range->extent->op != IRL_OP_INT || range->extent->u.i < 0) return 0;
        /* it may start within one */
        values = range->extent->u.i / c + (range->extent->u.i % c != 0) +
                 !irl__is_int(range->value, 0);
        return irl__recover_unit(r, e, irl_expr_index(r->cx, values), scale, factor);
    }
    const irl__given *range = e->op == IRL_OP_VAR ? irl__recover_range_of(r, e) : NULL;
    return range && range->extent && irl__recover_unit(r, e, range->extent, scale, factor);
}

/* ------------------------------------------------------------------ are they digits? */

int irl__digits_apart(int count, const int64_t *scale, const int64_t *extent)
{
    uint32_t taken = 0;
    int64_t  reach = 0, own;
    int      k, least;
    for (int n = 0; n < count; n++) {
        for (least = -1, k = 0; k < count; k++)
            if (!((taken >> k) & 1) && (least < 0 || scale[k] < scale[least])) least = k;
        taken |= UINT32_C(1) << least;
        if (scale[least] <= reach) return 0;
        if (n == count - 1) return 1; /* nothing lies above it */
        if (extent[least] < 0) return 0;
        if (extent[least] > 1 &&
            (!irl__mul64(scale[least], extent[least] - 1, &own) || !irl__add64(reach, own, &reach)))
            return 0;
    }
    return 1;
}

int irl__buffer_cells_apart(const irl_buffer *b)
{
    int64_t scale[IRL_MAX_RANK], extent[IRL_MAX_RANK];
    int     k, count = 0;
    if (!b->strides) return 1;
    for (k = 0; k < b->rank; k++) {
        if (b->strides[k]->op != IRL_OP_INT || b->shape[k]->op != IRL_OP_INT ||
            b->shape[k]->u.i < 1)
            return 0;
        if (b->shape[k]->u.i == 1) continue; /* its stride is never taken */
        scale[count] = b->strides[k]->u.i;
        extent[count++] = b->shape[k]->u.i;
    }
    return irl__digits_apart(count, scale, extent);
}

static int irl__recover_by_numbers(const irl__recover *r)
{
    int64_t scale[IRL__RECOVER_TERMS], extent[IRL__RECOVER_TERMS];
    for (int k = 0; k < r->count; k++) {
        const irl__recover_term *t = &r->terms[k];
        if (t->factor) return 0;
        scale[k] = t->scale;
        extent[k] = t->extent->op != IRL_OP_INT ? -1 : t->extent->u.i > 0 ? t->extent->u.i : 0;
    }
    return irl__digits_apart(r->count, scale, extent);
}

/* Every multiple is the product of the extents below: each step finds the term whose multiple that
   is. */
static int irl__recover_by_products(const irl__recover *r)
{
    const irl_expr *product = irl_expr_index(r->cx, 1);
    uint32_t        taken = 0;
    int             k;
    for (int n = 0; n < r->count && product; n++) {
        for (k = 0; k < r->count; k++) {
            const irl__recover_term *t = &r->terms[k];
            const irl_expr          *multiple = irl_expr_index(r->cx, t->scale);
            if ((taken >> k) & 1) continue;
            if (t->factor)
                multiple = irl__simplify_alone(r->cx, irl__mul(r->cx, t->factor, multiple));
            if (multiple == product) break;
        }
        if (k == r->count) return 0;
        taken |= UINT32_C(1) << k;
        product = irl__simplify_alone(r->cx, irl__mul(r->cx, product, r->terms[k].extent));
    }
    return product != NULL;
}

static int irl__recover_names(const irl__recover *r, const irl_expr *v)
{
    const irl_expr *unit[IRL__RECOVER_TERMS] = { NULL };
    for (int k = 0; k < r->count; k++) unit[k] = r->terms[k].unit;
    return irl__indices_tell(r->count, unit, v, unit, v);
}

int irl__recovers(irl_ctx *cx, const irl_expr *e, const irl_expr *v, int count,
                  const irl__given *ranges)
{
    irl__recover r;
    r.cx = cx;
    r.range_count = count;
    r.ranges = ranges;
    r.count = 0;
    if ((e->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)) || e->type.lanes != 1 ||
        !irl__expr_uses_var(e, v))
        return 0;
    irl__affine_reader reader = { r.cx, &r, irl__recover_is_fixed, irl__recover_term_of, 0 };
    if (!irl__affine_read(&reader, e, 1, NULL) || !irl__recover_names(&r, v)) return 0;
    return irl__recover_by_numbers(&r) || irl__recover_by_products(&r);
}

/* ------------------------------------------------------------------ by a verdict */

static int irl__recover_is_other(const irl_expr *e, const void *user)
{
    return e->op == IRL_OP_VAR && !irl__recover_range_of((const irl__recover *)user, e);
}

/* Whether e is made of the ranges' variables and has a value wherever they are: then the verdict,
   which evaluates e everywhere in the box, finds nothing that a condition around the access may
   exclude. *cells is multiplied by the numbers between its least and its largest. */
static int irl__recover_is_total(const irl__recover *r, irl__analyzer *an, const irl_expr *e,
                                 int64_t *cells)
{
    if (e->size > IRL__RECOVER_NODES || e->type.lanes != 1 ||
        (e->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)) ||
        irl__map_misfit(e) || irl__expr_any(e, irl__recover_is_other, r) ||
        irl__undefined_part(an, e))
        return 0;
    irl__interval i = irl__range_of(an, e);
    int64_t       span;
    return irl__sub64(i.hi, i.lo, &span) && irl__add64(span, 1, &span) &&
           irl__mul64(*cells, span, cells);
}

/* The inputs of the map: the loops' variables that the indices use, from 0. False: they use
   something else. */
typedef struct irl__recover_box {
    const irl_expr *vars[IRL_MAX_RANK], *inputs[IRL_MAX_RANK], *values[IRL_MAX_RANK];
    irl_shape       shape;
} irl__recover_box;

static int irl__recover_inputs(irl_ctx *cx, int rank, const irl_expr *const *indices, int count,
                               const irl__given *ranges, irl__recover_box *box)
{
    int j;
    for (int k = 0; k < count; k++) {
        int n = box->shape.rank;
        for (j = 0; j < rank && !irl__expr_uses_var(indices[j], ranges[k].var); j++) continue;
        if (j == rank) continue;
        if (n == IRL_MAX_RANK || ranges[k].extent->op != IRL_OP_INT) return 0;
        box->vars[n] = ranges[k].var;
        box->inputs[n] = irl_expr_var(cx, ranges[k].var->u.name, irl__type_index());
        box->values[n] = irl__is_int(ranges[k].value, 0)
                             ? box->inputs[n]
                             : irl__add(cx, box->inputs[n], ranges[k].value);
        box->shape.extent[n] = ranges[k].extent->u.i;
        if (!box->values[n]) return 0;
        box->shape.rank++;
    }
    return 1;
}

int irl__recovers_together(irl_ctx *cx, int rank, const irl_expr *const *indices, const irl_expr *v,
                           int count, const irl__given *ranges)
{
    irl__recover_box  box;
    const irl_expr   *outputs[IRL_MAX_RANK];
    irl_check_options how;
    irl_verdict       verdict;
    irl__recover      r;
    irl__analyzer    *an = irl__analyzer_begin(cx);
    int64_t           end, cells = 1;
    int               k, uses = 0;
    memset(&how, 0, sizeof how);
    memset(&box, 0, sizeof box);
    r.range_count = count;
    r.ranges = ranges;
    for (k = 0; an && k < count; k++)
        if (ranges[k].extent->op == IRL_OP_INT && ranges[k].extent->u.i > 0 &&
            ranges[k].value->op == IRL_OP_INT &&
            irl__add64(ranges[k].value->u.i, ranges[k].extent->u.i - 1, &end) &&
            !irl__bind_range(an, ranges[k].var, ranges[k].value->u.i, end))
            return 0;
    how.most_cells = IRL__RECOVER_CELLS;
    for (k = 0; k < rank; k++) {
        if (!an || !irl__recover_is_total(&r, an, indices[k], &cells)) return 0;
        uses |= irl__expr_uses_var(indices[k], v);
    }
    if (!uses || !irl__recover_inputs(cx, rank, indices, count, ranges, &box)) return 0;
    for (k = 0; k < rank; k++) {
        outputs[k] = irl__substitute(cx, indices[k], box.shape.rank, box.vars, box.values);
        if (!outputs[k]) return 0;
    }
    verdict = irl_map_check_with(
        cx, irl_map_new(cx, box.shape.rank, box.inputs, rank, outputs, 0, NULL), box.shape, &how);
    return irl__ok(cx) && !verdict.parameter_count && irl__verdict_is_right(&verdict);
}
