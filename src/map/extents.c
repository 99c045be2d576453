/* extents.c - verdicts for symbolic shapes: N, 4*N.

   needs     inverse.c, the symbolic rules of src/arith
   promises  an answer holds for all values of the parameters that are at least 1, or for those that
             are stated, as long as no number in it leaves 63 bits. What cannot be proved so is
             refuted by values and a witness, or undecided */
#include "change.h"

/* ---------------------------------------------------------- the parameters */

/* Variables that stand within a let that binds them. */
typedef struct irl__let_names {
    const irl_expr              *name;
    const struct irl__let_names *outer;
} irl__let_names;

static void irl__parameters_in(const irl_map *map, const irl_expr *e,
                               const irl__let_names *lets, const irl_expr **list, int *count)
{
    irl__let_names inner;
    if (e->op == IRL_OP_VAR) {
        for (; lets; lets = lets->outer)
            if (lets->name == e) return;
        for (int i = 0; i < map->input_count; i++)
            if (map->inputs[i] == e) return;
        for (int i = 0; i < *count; i++)
            if (list[i] == e) return;
        if (*count < IRL_MAX_RANK) list[(*count)++] = e;
        return;
    }
    inner.name = e->op == IRL_OP_LET ? e->a[0] : NULL;
    inner.outer = lets;
    for (uint32_t k = e->op == IRL_OP_LET; k < e->count; k++)
        irl__parameters_in(map, e->a[k], e->op == IRL_OP_LET && k == 2 ? &inner : lets, list,
                           count);
}

void irl__map_parameters(const irl_map *map, int n, const irl_expr *const *of,
                         const irl_expr **list, int *count)
{
    for (int k = 0; k < n; k++) irl__parameters_in(map, of[k], NULL, list, count);
}

int irl__map_has_names(const irl_map *map)
{
    const irl_expr *list[IRL_MAX_RANK];
    int             k, count = 0;
    for (k = 0; k < map->output_count && !count; k++)
        if (!irl__expr_is_over(map->outputs[k], map->input_count, map->inputs))
            irl__map_parameters(map, 1, &map->outputs[k], list, &count);
    return count > 0;
}

/* An analyzer that knows the parameters, which are at least 1 and for which `assume` is true (NULL:
   no matter). */
static irl__analyzer *irl__extents_names(const irl__extents *x, const irl_expr *assume)
{
    irl__analyzer *an =
        irl__analyzer_of_names(x->cx, x->v->parameter_count, x->v->parameters, x->given);
    return an && (!assume || irl__fact(an, assume)) ? an : NULL;
}

/* The same with the inputs, which are within their extents. */
static irl__analyzer *irl__extents_analyzer(const irl__extents *x, const irl_expr *assume)
{
    irl__analyzer *an = irl__extents_names(x, assume);
    return irl__bind_axes(an, x->map->input_count, x->map->inputs, x->extents) ? an : NULL;
}

/* From here on the parameters are those for which e is true. False if it is never true. */
static int irl__extents_assume(irl__extents *x, const irl_expr *e)
{
    e = e ? irl__canonical(x->an, e) : NULL;
    if (!e || irl__is_int(e, 0)) return 0;
    if (e->op == IRL_OP_INT) return 1;
    x->v->where = x->v->where ? irl_expr_op2(x->cx, IRL_OP_AND, x->v->where, e) : e;
    return x->v->where && irl__fact(x->an, e) && irl__fact(x->cells, e);
}

/* ---------------------------------------------------------- has it values */

/* What the parameters must keep so that the operator of `part` has a value: a divisor that is at
   least 1, a distance that is not too far. NULL: nothing is known that would do. */
static const irl_expr *irl__extents_defined_where(irl__extents *x, const irl_expr *part)
{
    irl_ctx        *cx = x->cx;
    const irl_expr *b = part->count == 2 ? part->a[1] : NULL, *least, *most, *in_range;
    if (!b || !irl__type_is_index(b->type)) return NULL;
    least = irl__symbolic_bound(x->an, b, -1);
    if (!least) return NULL;
    if (part->op != IRL_OP_SHL && part->op != IRL_OP_SHR)
        return irl_expr_op2(cx, IRL_OP_GE, least, irl_expr_index(cx, 1));
    most = irl__symbolic_bound(x->an, b, 1);
    if (!most) return NULL;
    in_range =
        irl_expr_op2(cx, IRL_OP_LE, most, irl_expr_index(cx, irl__type_info(b->type)->bits - 1));
    return irl__and(cx, irl_expr_op2(cx, IRL_OP_GE, least, irl_expr_index(cx, 0)), in_range);
}

/* From here on the parameters are those for which e has a value everywhere, as long as its sums and
   products fit. -1: it is not known for which. */
static int irl__extents_has_value(irl__extents *x, const irl_expr *e)
{
    const irl_expr *part = irl__undefined_if_sums_fit(x->an, e), *before = NULL, *where;
    while (part && irl__ok(x->cx)) {
        x->has_gaps = 1;
        where = part == before ? NULL : irl__extents_defined_where(x, part);
        before = part;
        if (!irl__extents_assume(x, where)) break;
        part = irl__undefined_if_sums_fit(x->an, e);
    }
    if (!irl__ok(x->cx)) return 0;
    if (part)
        x->v->reason = irl__reason(x->cx, "it is not known for which values '%s' has one",
                                  irl_expr_text(x->cx, part));
    return part ? -1 : 1;
}

/* The same of all that is asked about. */
static int irl__extents_have_values(irl__extents *x)
{
    int k, ok = 1;
    for (k = 0; ok > 0 && k < x->map->input_count; k++)
        ok = irl__extents_has_value(x, x->extents[k]);
    for (k = 0; ok > 0 && k < x->map->output_count && x->bound; k++)
        ok = irl__extents_has_value(x, x->bound[k]);
    for (k = 0; ok > 0 && k < x->map->output_count; k++)
        ok = irl__extents_has_value(x, x->map->outputs[k]);
    return ok;
}

/* Whether C rounds as the text does, in an IRL_LAYOUT. -1: that is not known. */
static int irl__extents_round(irl__extents *x)
{
    const irl_expr *part = NULL;
    if (!x->as_c || !x->map->c) return 1;
    if (!x->map->c->outputs) return x->v->reason = "the line cannot be judged as C", -1;
    for (int k = 0; !part && k < x->map->output_count; k++)
        part = irl__c_unrounded(x->cx, x->an, x->map->c->outputs[k]);
    if (part && irl__ok(x->cx))
        x->v->reason = irl__reason(x->cx, "it is not known whether C computes %s as the text says",
                                  irl_expr_text(x->cx, part));
    return !irl__ok(x->cx) ? 0 : part ? -1 : 1;
}

/* ---------------------------------------------------------- the box */

/* One end of an output: as it stands, else over other variables. */
static const irl_expr *irl__extents_end(irl__extents *x, int output, const irl_expr *forward,
                                        int sign)
{
    const irl_expr *b = irl__symbolic_bound(x->an, forward, sign), *other;
    int             reached = 0, found = 0;
    if (b) reached = sign < 0 || irl__symbolic_end(x->an, forward, sign) != NULL;
    if (!reached && irl__ok(x->cx) && (forward = irl__change_factored(x->cx, forward)) != NULL) {
        other = irl__change_bound(x->an, x->map, x->extents, forward, sign, &found);
        if (other && (found || !b)) b = other, reached = found;
    }
    if (!b && irl__ok(x->cx))
        b = irl__change_bound(x->an, x->map, x->extents, x->map->outputs[output], sign, &reached);
    x->v->box_reached &= reached;
    return b;
}

/* The box of the images. 1, 0 failed, -1 not known, or never right. */
static int irl__extents_box(irl__extents *x, const irl_expr *const *forward,
                            const irl_expr **minimum, const irl_expr **physical)
{
    irl_ctx *cx = x->cx;
    x->v->box_reached = 1;
    for (int k = 0; k < x->map->output_count; k++) {
        const irl_expr *last = irl__extents_end(x, k, forward[k], 1);
        minimum[k] = irl__extents_end(x, k, forward[k], -1);
        if (!irl__ok(cx)) return 0;
        if (!last || !minimum[k]) {
            x->v->reason = irl__text_or_empty(
                irl__format(cx, "the range of output %d is not known for all values of the "
                                "parameters", k));
            return -1;
        }
        x->v->reason = "an index is negative";
        if (!irl__extents_assume(x, irl_expr_op2(cx, IRL_OP_GE, minimum[k], irl_expr_index(cx, 0))))
            return irl__ok(cx) ? -1 : 0;
        physical[k] = irl__canonical(x->an, irl__add(cx, last, irl_expr_index(cx, 1)));
        x->v->reason = "an index is beyond the bound";
        if (x->bound &&
            !irl__extents_assume(x, irl_expr_op2(cx, IRL_OP_LE, physical[k], x->bound[k])))
            return irl__ok(cx) ? -1 : 0;
        if (!physical[k]) return 0;
    }
    return 1;
}

/* Where nothing is unused: in each part of the padding, sum >= bound, the sum at its largest stays
   below. NULL if the padding is not made of such parts. */
static const irl_expr *irl__extents_condition(irl_ctx *cx, irl__analyzer *cells,
                                              const irl_expr *padding)
{
    const irl_expr *a, *b;
    if (padding->op == IRL_OP_INT) return irl__bool(cx, !padding->u.i);
    if (padding->op == IRL_OP_OR) {
        a = irl__extents_condition(cx, cells, padding->a[0]);
        b = a ? irl__extents_condition(cx, cells, padding->a[1]) : NULL;
        return b ? irl__canonical(cells, irl_expr_op2(cx, IRL_OP_AND, a, b)) : NULL;
    }
    if (padding->op < IRL_OP_LT || padding->op > IRL_OP_GE) return NULL;
    a = padding->a[padding->op == IRL_OP_LE || padding->op == IRL_OP_LT]; /* a >= b, or a > b */
    b = padding->a[padding->op == IRL_OP_GE || padding->op == IRL_OP_GT];
    if (padding->op == IRL_OP_LT || padding->op == IRL_OP_GT)
        b = irl__add(cx, b, irl_expr_index(cx, 1));
    const irl_expr *most = irl__symbolic_end(cells, irl__sub(cx, a, b), 1);
    return most ? irl__canonical(cells, irl_expr_op2(cx, IRL_OP_LT, most, irl_expr_index(cx, 0)))
                : NULL;
}

/* e, and 0 where it may be negative: an axis of no points, as i*2 on N - 1 for N = 1. */
static const irl_expr *irl__extents_clamped(irl__extents *x, const irl_expr *e)
{
    const irl_expr *zero = irl_expr_index(x->cx, 0);
    if (e && e->op == IRL_OP_INT) return e->u.i < 0 ? zero : e;
    if (!e || irl__range_of(x->names, e).lo >= 0 ||
        irl__prove(x->names, irl_expr_op2(x->cx, IRL_OP_GE, e, zero)))
        return e;
    return irl__canonical(x->names, irl_expr_op2(x->cx, IRL_OP_MAX, e, zero));
}

/* What is handed out of the box. */
static int irl__extents_clamp(irl__extents *x, const irl_expr *const *physical,
                              const irl_expr **out)
{
    x->names = irl__extents_names(x, x->v->where);
    for (int k = 0; x->names && k < x->map->output_count; k++)
        if (!(out[k] = irl__extents_clamped(x, physical[k]))) return 0;
    return x->names != NULL;
}

/* The number of cells that no point reaches, which is `plain` where there are points: the formulas
   are the same for all that have points, or there is none. */
static const irl_expr *irl__extents_unused(irl__extents *x, const irl_expr *const *physical,
                                           const irl_expr *plain)
{
    const irl_expr *extents[IRL_MAX_RANK];
    int             k, same = 1;
    if (irl__is_int(plain, 0)) return plain;
    for (k = 0; k < x->v->physical.rank; k++) same &= x->v->physical.named[k] == physical[k];
    for (k = 0; k < x->map->input_count; k++) {
        if (!(extents[k] = irl__extents_clamped(x, x->extents[k]))) return NULL;
        same &= extents[k] == x->extents[k];
    }
    return same ? plain : irl__cells_unused(x->names, x->map, extents, x->v->physical.named);
}

/* As irl__memory_box. */
static int irl__extents_memory(const irl__extents *x, const irl_expr *const *physical,
                               irl_shape *out)
{
    const irl_expr *memory[IRL_MAX_RANK] = { NULL };
    for (int k = 0; k < x->map->output_count; k++) {
        memory[k] = irl__digit_places(x->cx, x->an, x->map->outputs[k]);
        if (!memory[k]) memory[k] = physical[k];
    }
    if (!irl__ok(x->cx)) return 0;
    return irl__shape_keep(x->cx, x->map->output_count, memory, out);
}

/* The box is known: it is handed out, and bounds the cells. */
static int irl__extents_cells(irl__extents *x, irl__way *w, const irl_expr *const *minimum)
{
    const irl_expr *shown[IRL_MAX_RANK] = { NULL };
    irl_verdict    *v = x->v;
    int             n = x->map->output_count;
    v->box_known = irl__bind_axes(x->an, n, w->axes, w->box) &&
                   irl__bind_axes(x->cells, n, w->axes, w->box) &&
                   irl__extents_clamp(x, w->box, shown) &&
                   irl__shape_keep(x->cx, n, shown, &v->physical) &&
                   irl__shape_keep(x->cx, n, minimum, &v->minimum) &&
                   irl__extents_memory(x, shown, &v->memory);
    return v->box_known;
}

/* Inverse, box and padding, as far as x->v->where allows: 1, 0 failed, -1 not known. */
static int irl__extents_solve(irl__extents *x)
{
    const irl_map *map = x->map;
    irl__way        w;
    const irl_expr *plain[IRL_MAX_RANK], *minimum[IRL_MAX_RANK];
    memset(&w, 0, sizeof w);
    w.cx = x->cx;
    w.map = map;
    w.an = x->an;
    w.cells = x->cells;
    w.extents = x->extents;
    w.asked = 1;
    if (!irl__inverse_axes(x->cx, map->output_count, w.axes)) return 0;
    int ok = irl__extents_have_values(x);
    if (ok > 0) ok = irl__extents_round(x);
    for (int k = 0; ok > 0 && k < map->output_count; k++)
        if (!(plain[k] =
                  irl__canonical(x->an, irl__change_unmasked(x->cx, map->outputs[k]))))
            return 0;
    if (ok > 0) ok = irl__extents_box(x, plain, minimum, w.box);
    if (ok > 0) ok = irl__extents_cells(x, &w, minimum);
    for (int k = 0; ok > 0 && k < map->output_count; k++)
        if (!(w.forward[k] = irl__change_factored(x->cx, plain[k]))) return 0;
    if (ok <= 0) return ok;
    ok = irl__way_find(&w);
    if (ok > 0) {
        /* What was found of the way back. */
        irl_verdict    *v = x->v;
        const irl_expr *padding = w.padding, *spare = irl__extents_unused(x, w.box, w.spare);
        if (!spare) return 0;
        if (irl__is_int(spare, 0)) padding = irl__bool(x->cx, 0);
        if (padding && irl__is_int(padding, 0)) spare = irl_expr_index(x->cx, 0);
        v->inverse = w.inverse;
        v->padding = w.inverse ? padding : NULL;
        v->pad_cells_named = spare;
        v->condition = padding ? irl__extents_condition(x->cx, x->cells, padding) : NULL;
        v->method = w.method;
        v->reason = "";
        if (!spare) return 0;
        v->pad_cells = spare->op == IRL_OP_INT ? spare->u.i : -1;
        return 1;
    }
    x->v->reason = "no inverse was found that holds for all values of the parameters";
    return ok;
}

/* What an attempt says. */
static void irl__extents_clear(irl_verdict *v)
{
    memset(&v->minimum, 0, sizeof v->minimum);
    v->physical = v->memory = v->minimum;
    v->box_known = v->box_reached = 0;
    v->method = "";
    v->inverse = NULL;
    v->pad_cells = 0;
    v->padding = v->condition = v->pad_cells_named = v->where = NULL;
}

void irl__verdict_forget(irl_verdict *v)
{
    irl__extents_clear(v);
    v->parameter_count = 0;
    v->parameters = NULL;
    v->values = NULL;
}

/* One attempt, in the belief `assume` (NULL: none). */
static int irl__extents_try(irl__extents *x, const irl_expr *assume)
{
    irl__arena_mark mark = irl__scratch_begin(x->cx);
    irl__extents_clear(x->v);
    x->v->reason = "";
    x->v->where = assume;
    x->an = irl__extents_analyzer(x, assume);
    x->cells = x->an ? irl__extents_analyzer(x, assume) : NULL;
    int ok = x->cells ? irl__extents_solve(x) : 0;
    irl__scratch_end(x->cx, mark);
    if (ok <= 0) irl__extents_clear(x->v);
    return ok;
}

/* ------------------------------------------------------------------ proved for some values */

static int64_t irl__constant_below(const irl_expr *e, int64_t limit)
{
    int64_t best =
                e->op == IRL_OP_INT && irl__type_is_index(e->type) && e->u.i < limit ? e->u.i : 0,
            v;
    for (uint32_t k = 0; k < e->count; k++)
        if ((v = irl__constant_below(e->a[k], limit)) > best) best = v;
    return best;
}

/* The largest constant of the map below `limit`, 0 if there is none. */
static int64_t irl__extents_constant(const irl__extents *x, int64_t limit)
{
    int64_t best = 0, v;
    for (int k = 0; k < x->map->output_count; k++)
        if ((v = irl__constant_below(x->map->outputs[k], limit)) > best) best = v;
    return best;
}

/* A parameter that is at most a constant of the map: the largest for which that helps. */
static int irl__extents_restrict(irl__extents *x)
{
    int64_t value = 0, constant;
    int     k, ok = -1;
    for (k = 0; k < x->v->parameter_count && ok < 0; k++) {
        const irl_expr *p = x->v->parameters[k];
        if (!irl__type_is_index(p->type)) continue;
        for (constant = INT64_MAX; ok < 0 && (value = irl__extents_constant(x, constant)) > 0;
             constant = value)
            ok = irl__extents_try(x,
                                  irl_expr_op2(x->cx, IRL_OP_LE, p, irl_expr_index(x->cx, value)));
    }
    return ok;
}

static int irl__extents_run(irl__extents *x)
{
    irl_verdict *v = x->v;
    int          ok = irl__extents_try(x, NULL);
    if (ok == 0) return 0;
    if (ok > 0 && !v->where) {
        v->kind = irl__is_int(v->pad_cells_named, 0) ? IRL_BIJECTIVE : IRL_INJECTIVE;
        v->box_reached |= v->kind == IRL_BIJECTIVE;
        return 1;
    }
    const char *reason = ok > 0 ? "it is proved for some values of the parameters only" : v->reason;
    if (ok < 0) ok = irl__extents_restrict(x);
    if (ok == 0) return 0;
    v->method = "";
    v->reason = reason;
    irl__extents_refute(x);
    /* The values of the witness, if there is one. */
    if (!irl__ok(x->cx)) return 0;
    if (v->kind < IRL_LOSSY || v->parameter_count > IRL__TRIAL_PARAMETERS) return 1;
    v->values = IRL__COPY(x->cx, int64_t, x->values, v->parameter_count);
    return v->values != NULL;
}

/* The question about c->map on c->v.shape. */
static int irl__extents_begin(irl__extents *x, irl__check *c, const irl_expr *given)
{
    memset(x, 0, sizeof *x);
    x->cx = c->cx;
    x->map = c->map;
    x->v = &c->v;
    x->given = given;
    x->extents = irl__shape_extents(c->cx, &c->v.shape);
    x->bound = c->bound ? irl__shape_extents(c->cx, c->bound) : NULL;
    /* The parameters of the whole question. */
    if (!(x->extents && (x->bound || !c->bound))) return 0;
    const irl_expr *list[IRL_MAX_RANK];
    const irl_map  *map = x->map;
    int             count = 0;
    irl__map_parameters(map, map->input_count, x->extents, list, &count);
    irl__map_parameters(map, map->output_count, map->outputs, list, &count);
    if (x->bound) irl__map_parameters(map, map->output_count, x->bound, list, &count);
    x->v->parameter_count = count;
    x->v->parameters = IRL__COPY(x->cx, const irl_expr *, list, count);
    return x->v->parameters != NULL;
}

/* The question is no small thing, and numbers come by here too: it is not on the stack. */
int irl__check_names(irl__check *c, const irl_expr *given, int as_c)
{
    irl__arena_mark mark = irl__scratch_begin(c->cx);
    irl__extents   *x = IRL__SCRATCH(c->cx, irl__extents, 1);
    int             ok = x && irl__extents_begin(x, c, given);
    if (ok) {
        x->as_c = as_c;
        ok = irl__extents_run(x);
    }
    irl__scratch_end(c->cx, mark);
    return ok && c->v.kind == IRL_UNDECIDED ? -1 : ok;
}

int irl__extents_box_alone(irl_ctx *cx, const irl_map *map, const irl_shape *shape,
                           const irl_expr *given, irl__named_box *box)
{
    const irl_expr *forward[IRL_MAX_RANK], *low[IRL_MAX_RANK] = { NULL }, *high[IRL_MAX_RANK],
                   *shown[IRL_MAX_RANK] = { NULL };
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__extents    x;
    irl__check      c;
    int             k, n = map->output_count, ok;
    irl__check_clear(&c, cx, NULL);
    c.map = map;
    c.v.shape = *shape;
    ok = irl__extents_begin(&x, &c, given);
    x.an = ok ? irl__extents_analyzer(&x, NULL) : NULL;
    x.cells = x.an ? irl__extents_analyzer(&x, NULL) : NULL;
    ok = x.cells ? irl__extents_have_values(&x) : 0;
    for (k = 0; ok > 0 && k < n; k++)
        if (!(forward[k] = irl__canonical(x.an, map->outputs[k]))) ok = 0;
    if (ok > 0) ok = irl__extents_box(&x, forward, low, high);
    if (ok > 0)
        ok = irl__extents_clamp(&x, high, shown) &&
             irl__shape_keep(cx, n, shown, &box->physical) &&
             irl__shape_keep(cx, n, low, &box->minimum) &&
             irl__extents_memory(&x, shown, &box->memory);
    box->where = c.v.where;
    box->reason = c.v.reason;
    irl__scratch_end(cx, mark);
    return irl__ok(cx) ? ok : 0;
}
