/* parse_range.c - reading the ranges of loops and reductions.

   needs     parse_expr.c; arith, which makes the number of iterations short
   promises  three expressions for each range: a variable, where it starts, and how many values it
             has. A range with a step becomes one that counts from 0: its name means begin +
             variable * step */
#include "parse_func.h"
#include "../arith/arith.h"

enum { IRL__RANGE_MAX_STEP = 0x7fffffff };

typedef struct irl__range_read {
    const irl_expr *var, *min, *extent;
    const irl_expr *named; /* what the name stands for */
} irl__range_read;

/* The number of values from 0 up to `distance`, by steps. */
static const irl_expr *irl__range_count(irl__parser *p, const irl_expr *distance, int64_t step)
{
    if (distance->op == IRL_OP_INT)
        return irl_expr_index(p->cx, distance->u.i < 1 ? 0 : (distance->u.i - 1) / step + 1);
    if (step > 1)
        distance = irl__floordiv(p->cx, irl__add(p->cx, distance, irl_expr_index(p->cx, step - 1)),
                                 irl_expr_index(p->cx, step));
    return distance ? irl__simplify_alone(p->cx, distance) : NULL;
}

/* hi - lo. Numbers are subtracted here. */
static const irl_expr *irl__range_distance(irl__parser *p, const irl_expr *hi, const irl_expr *lo,
                                           uint32_t offset)
{
    int64_t distance;
    if (hi->op != IRL_OP_INT || lo->op != IRL_OP_INT) return irl__sub(p->cx, hi, lo);
    if (irl__is_int(lo, 0)) return hi;
    if (irl__sub64(hi->u.i, lo->u.i, &distance)) {
        const irl__const_name *n = irl__const_name_of(hi);
        return irl__expr_named(p->cx, irl_expr_index(p->cx, distance), n ? n->name : NULL,
                               IRL__NAMED_END);
    }
    IRL__FAIL_AT(p, IRL_ERROR_OVERFLOW, offset, "the length of this range does not fit 63 bits");
    return NULL;
}

/* The step behind "lo .. hi :". */
static int irl__range_step(irl__parser *p, int64_t *step)
{
    uint32_t        offset = p->token.offset;
    const irl_expr *e = irl__parse_index(p);
    if (!e) return 0;
    if (e->op != IRL_OP_INT || e->u.i == 0 || e->u.i > IRL__RANGE_MAX_STEP ||
        e->u.i < -IRL__RANGE_MAX_STEP) {
        IRL__FAIL_AT(p, IRL_ERROR_BAD_ARGUMENT, offset, "the step of a range is a constant from "
                     "-%d to %d, and not 0", IRL__RANGE_MAX_STEP, IRL__RANGE_MAX_STEP);
        return irl__hint(p->cx, "write for (k: ...) with the number of values, and let i = begin + "
                                "k * step;");
    }
    *step = e->u.i;
    return 1;
}

/* lo .. hi : step as a range from 0; `lo` was written from `offset` on. */
static int irl__range_of_steps(irl__parser *p, irl__range_read *r, const irl_expr *lo,
                               const irl_expr *hi, int64_t step, uint32_t offset)
{
    const int64_t   size = step < 0 ? -step : step;
    const irl_expr *gone = r->var, *distance;
    if (lo->flags & IRL__HAS_MEMORY) {
        IRL__FAIL_AT(p, IRL_ERROR_BAD_ARGUMENT, offset, "the begin of a range with a step is added "
                     "to each of its values, so it must not read memory or call a function");
        return irl__hint(p->cx, "write let from = ...; before it, and from .. here");
    }
    distance = irl__range_distance(p, step < 0 ? lo : hi, step < 0 ? hi : lo, offset);
    r->min = irl_expr_index(p->cx, 0);
    r->extent = distance ? irl__range_count(p, distance, size) : NULL;
    if (size != 1) gone = irl__mul(p->cx, gone, irl_expr_index(p->cx, size));
    r->named = step < 0              ? irl__sub(p->cx, lo, gone)
               : irl__is_int(lo, 0) ? gone
                                    : irl__add(p->cx, lo, gone);
    return r->extent && r->named;
}

/* lo .. hi, lo .. hi : step, or lo .. + extent; with the ".." read. */
static int irl__range_ends(irl__parser *p, irl__range_read *r, const irl_expr *lo, uint32_t offset)
{
    int64_t step = 1;
    r->min = lo;
    if (irl__accept(p, '+')) return (r->extent = irl__parse_index(p)) != NULL;
    uint32_t        where = p->token.offset;
    const irl_expr *hi = irl__parse_index(p);
    if (!hi || (irl__accept(p, ':') && !irl__range_step(p, &step))) return 0;
    irl__warn_range(p, lo, hi, step, offset);
    if (step != 1) return irl__range_of_steps(p, r, lo, hi, step, offset);
    r->extent = irl__range_distance(p, hi, lo, where);
    return r->extent != NULL;
}

int irl__parse_range(irl__parser *p, uint32_t *offset)
{
    irl__token name;
    if (!irl__expect_name(p, &name, "the name of a loop variable") ||
        !irl__expect(
            p, ':',
            "':' and the extent of the loop, as in for (i: 16), or a range, for (i: 2 .. 6)"))
        return 0;
    uint32_t at = p->token.offset;
    irl__range_read r;
    r.extent = irl__parse_index(p);
    r.min = irl_expr_index(p->cx, 0);
    r.var = r.named = irl_expr_var(p->cx, name.symbol->text, irl__type_index());
    if (!r.extent || !r.var ||
        (irl__accept(p, IRL__DOTS2) && !irl__range_ends(p, &r, r.extent, at)))
        return 0;
    *offset = name.offset;
    return irl__declare_as_var(p, name.symbol, r.named, name.offset) && irl__push_expr(p, r.var) &&
           irl__push_expr(p, r.min) && irl__push_expr(p, r.extent);
}
