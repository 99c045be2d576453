/* extents.c - verdicts for shapes that have names in them: N, 4*N.

   needs     inverse.c, the symbolic rules of src/arith
   promises  what is said holds for all values of the parameters that are at least 1, as long as no number in it leaves 63 bits;
             what cannot be proved so is undecided: there is nothing to enumerate */
#include "map.h"

/* Every variable in e that is not one of `inputs` is a parameter: at least 1. */
static int irl__extents_parameters(irl__analyzer *an, const irl_expr *e, int count, const irl_expr *const *inputs)
{
    uint32_t k;
    int      i;
    if (e->op == IRL_OP_VAR) {
        for (i = 0; i < count; i++)
            if (inputs[i] == e) return 1;
        return irl__bind_range(an, e, 1, INT64_MAX);
    }
    for (k = 0; k < e->count; k++)
        if (!irl__extents_parameters(an, e->a[k], count, inputs)) return 0;
    return 1;
}

/* Parameters, then the inputs within their extents. */
static int irl__extents_bind(irl_ctx *cx, irl__analyzer *an, const irl_map *map, const irl_expr *const *extents)
{
    int k;
    for (k = 0; k < map->output_count; k++)
        if (!irl__extents_parameters(an, map->outputs[k], map->input_count, map->inputs)) return 0;
    for (k = 0; k < map->input_count; k++)
        if (!irl__extents_parameters(an, extents[k], map->input_count, map->inputs)) return 0;
    for (k = 0; k < map->input_count; k++)
        if (!irl__bind_extent(an, map->inputs[k], irl_idx(cx, 0), extents[k])) return 0;
    return 1;
}

static const char *irl__extents_no_bound(irl_ctx *cx, int output)
{
    irl__text   t;
    const char *text;
    irl__text_init(&t, cx);
    irl__textf(&t, "the range of output %d is not known for all values of the parameters", output);
    text = irl__text_done(&t);
    return text ? text : "";
}

/* The box of the images. 1, 0 failed, -1 not known. */
static int irl__extents_box(irl_ctx *cx, irl__analyzer *an, const irl_map *map, const irl_expr *const *forward, irl_symbolic *v,
                            const irl_expr **minimum, const irl_expr **physical)
{
    int k;
    for (k = 0; k < map->output_count; k++) {
        const irl_expr *last = irl__symbolic_bound(an, forward[k], 1);
        minimum[k] = irl__symbolic_bound(an, forward[k], -1);
        if (!irl__ok(cx)) return 0;
        if (!last || !minimum[k]) {
            v->reason = irl__extents_no_bound(cx, k);
            return -1;
        }
        if (!irl__prove(an, irl_op2(cx, IRL_OP_GE, minimum[k], irl_idx(cx, 0)))) {
            v->reason = "an index may be negative";
            return irl__ok(cx) ? -1 : 0;
        }
        physical[k] = irl__simplify(an, irl__add(cx, last, irl_idx(cx, 1)));
        if (!physical[k]) return 0;
    }
    return 1;
}

/* Whether e is a sum in which each axis stands once, times something without an axis: then its largest value is where each
   axis is at an end, and irl__symbolic_bound finds just that. */
static int irl__extents_is_separable(irl__analyzer *cells, const irl_expr *e, int count, const irl_expr *const *axes, unsigned *seen)
{
    int k;
    if (!irl__expr_moves(cells, e)) return 1;
    switch (e->op) {
    case IRL_OP_VAR:
        for (k = 0; k < count && axes[k] != e; k++) continue;
        if (k == count || (*seen >> k) & 1u) return 0;
        *seen |= 1u << k;
        return 1;
    case IRL_OP_MUL: if (irl__expr_moves(cells, e->a[0]) && irl__expr_moves(cells, e->a[1])) return 0; /* fall through */
    case IRL_OP_ADD: case IRL_OP_SUB:
        return irl__extents_is_separable(cells, e->a[0], count, axes, seen) && irl__extents_is_separable(cells, e->a[1], count, axes, seen);
    case IRL_OP_NEG: return irl__extents_is_separable(cells, e->a[0], count, axes, seen);
    default: return 0;
    }
}

/* Where nothing is unused: in each part of the padding, sum >= bound, the sum at its largest stays below. NULL if the padding
   is not made of such parts. */
static const irl_expr *irl__extents_condition(irl_ctx *cx, irl__analyzer *cells, const irl_map *inverse, const irl_expr *padding)
{
    const irl_expr *a, *b, *most;
    unsigned        seen = 0;
    if (padding->op == IRL_OP_INT) return irl__bool(cx, !padding->u.i);
    if (padding->op == IRL_OP_OR) {
        a = irl__extents_condition(cx, cells, inverse, padding->a[0]);
        b = a ? irl__extents_condition(cx, cells, inverse, padding->a[1]) : NULL;
        return b ? irl__simplify(cells, irl_op2(cx, IRL_OP_AND, a, b)) : NULL;
    }
    if (padding->op < IRL_OP_LT || padding->op > IRL_OP_GE) return NULL;
    a = padding->a[padding->op == IRL_OP_LE || padding->op == IRL_OP_LT]; /* a >= b, or a > b */
    b = padding->a[padding->op == IRL_OP_GE || padding->op == IRL_OP_GT];
    if (padding->op == IRL_OP_LT || padding->op == IRL_OP_GT) b = irl__add(cx, b, irl_idx(cx, 1));
    a = irl__simplify(cells, irl__sub(cx, a, b));
    if (!a || !irl__extents_is_separable(cells, a, inverse->input_count, inverse->inputs, &seen)) return NULL;
    most = irl__symbolic_bound(cells, a, 1);
    return most ? irl__simplify(cells, irl_op2(cx, IRL_OP_LT, most, irl_idx(cx, 0))) : NULL;
}

static int irl__extents_solve(irl_ctx *cx, irl__analyzer *an, const irl_map *map, const irl_expr *const *extents, irl_symbolic *v)
{
    const irl_expr *forward[IRL_MAX_RANK], *axes[IRL_MAX_RANK], *back[IRL_MAX_RANK], *minimum[IRL_MAX_RANK], *physical[IRL_MAX_RANK];
    irl__inverse    inverse;
    irl__analyzer  *cells;
    int             k, ok, found;
    memset(&inverse, 0, sizeof inverse);
    if (!irl__solve_begin(&inverse.solution, an, map->input_count, map->inputs) || !irl__inverse_axes(cx, map->output_count, axes)) return 0;
    for (k = 0; k < map->output_count; k++)
        if (!(forward[k] = irl__simplify(an, map->outputs[k]))) return 0;
    ok = irl__extents_box(cx, an, map, forward, v, minimum, physical);
    if (ok <= 0) return ok;
    cells = irl__analyzer_begin(cx);
    if (!cells || !irl__extents_bind(cx, cells, map, extents)) return 0;
    for (k = 0; k < map->output_count; k++)
        if (!irl__bind_extent(an, axes[k], irl_idx(cx, 0), physical[k]) || !irl__bind_extent(cells, axes[k], irl_idx(cx, 0), physical[k]) ||
            !irl__solve_add(&inverse.solution, forward[k], axes[k])) return 0;
    v->rank = map->output_count;
    v->physical = (const irl_expr *const *)irl__copy(cx, physical, (size_t)map->output_count, sizeof *physical);
    v->minimum = (const irl_expr *const *)irl__copy(cx, minimum, (size_t)map->output_count, sizeof *minimum);
    if (!v->physical || !v->minimum) return 0;
    found = irl__solve(&inverse.solution, back);
    if (found < 0) return 0;
    v->reason = "no inverse was found that holds for all values of the parameters";
    if (found < map->input_count || !irl__inverse_proved(cx, an, map, axes, forward, back)) return irl__ok(cx) ? -1 : 0;
    v->inverse = inverse.map = irl__map_make(cx, map->output_count, axes, map->input_count, back, 0, NULL, map->loc);
    if (!inverse.map) return 0;
    v->padding = irl__inverse_padding_within(cx, cells, map, minimum, extents, &inverse);
    v->condition = v->padding ? irl__extents_condition(cx, cells, v->inverse, v->padding) : NULL;
    return v->padding != NULL;
}

irl_symbolic irl_check_extents(irl_ctx *cx, const irl_map *map, int rank, const irl_expr *const *extents)
{
    irl_symbolic    v;
    irl_shape       shape;
    irl__arena_mark mark;
    irl__analyzer  *an;
    int             k, ok;
    memset(&v, 0, sizeof v);
    memset(&shape, 0, sizeof shape);
    v.method = "";
    v.reason = "see the diagnostic";
    shape.rank = rank;
    map = irl__map_for_shape(cx, map, &shape);
    for (k = 0; map && k < rank; k++)
        if (!extents[k] || !irl__type_is_index(extents[k]->type) || extents[k]->type.lanes != 1) {
            irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, map->loc, "extent %d of the shape is not an index", k);
            map = NULL;
        }
    if (!map) return v;
    mark = irl__scratch_begin(cx);
    an = irl__analyzer_begin(cx);
    ok = an && irl__extents_bind(cx, an, map, extents) ? irl__extents_solve(cx, an, map, extents, &v) : 0;
    irl__scratch_end(cx, mark);
    if (ok <= 0) {
        if (ok == 0) v.reason = "see the diagnostic";
        v.inverse = NULL;
        v.padding = NULL;
        return v;
    }
    v.method = "digits";
    v.reason = "";
    v.kind = irl__is_int(v.padding, 0) ? IRL_BIJECTIVE : IRL_INJECTIVE;
    return v;
}
