/* verdict.c - is a map right on a shape of numbers, and by which proof?

   needs     inverse.c, enumerate.c, the box of the images
   promises  exact or undecided */
#include "map.h"

irl_code irl__verdict_code(irl_verdict_kind kind)
{
    static const irl_code codes[] = { IRL_ERROR_UNDECIDED, IRL_OK, IRL_OK, IRL_ERROR_LOSSY_MAP,
                                      IRL_ERROR_MAP_OUT_OF_RANGE, IRL_ERROR_UNSUPPORTED,
                                      IRL_ERROR_BAD_VALUE };
    return codes[kind];
}

/* ------------------------------------------------------------------ the methods */

/* The point that goes furthest along one axis, which is out of range, and where it goes. */
static int irl__verdict_outside(irl__check *c, int output, int sign, irl_shape *a, irl_shape *at)
{
    irl__budget budget = irl__budget_of(NULL); /* it was found once already */
    int64_t     value;
    c->on.budget = &budget;
    int ok = irl__output_extreme(&c->on, output, sign, &value, a->extent);
    c->on.budget = &c->budget;
    a->rank = c->map->input_count;
    return ok > 0 && irl_map_apply(c->cx, c->map, *a, at);
}

/* Whether the images lie within what is allowed, as the box says: `output` leaves it by `sign`. */
static int irl__verdict_fits(const irl__check *c, int *output, int *sign)
{
    const irl_shape *bound = c->bound;
    for (int k = 0; k < c->v.minimum.rank; k++) {
        *output = k;
        *sign = c->v.minimum.extent[k] < 0 ? -1 : 1;
        if (*sign < 0 || (bound && c->v.physical.extent[k] > bound->extent[k])) return 0;
    }
    return 1;
}

void irl__verdict_permit_loss(irl_verdict *v)
{
    if (v->kind != IRL_LOSSY || !v->outside_at.rank) return;
    v->kind = IRL_OUT_OF_RANGE;
    v->code = irl__verdict_code(v->kind);
    v->reason = "";
    v->a = v->outside;
    v->at = v->outside_at;
}

/* Injective is known; what remains is whether the image fills its box. spare: NULL where 63 bits do
   not count it. */
static int irl__verdict_finish(irl__check *c, const irl_expr *spare)
{
    c->v.pad_cells = spare ? spare->u.i : -1;
    c->v.kind = c->v.pad_cells ? IRL_INJECTIVE : IRL_BIJECTIVE;
    return 1;
}

/* A chain of || whose parts have a value each has one; else what is left of it where the parts
   before are false may. */
static int irl__verdict_parts_defined(irl__analyzer *an, const irl_expr *e)
{
    if (e->op != IRL_OP_OR) return !irl__undefined_part(an, e);
    return irl__verdict_parts_defined(an, e->a[0]) && irl__verdict_parts_defined(an, e->a[1]);
}

/* An inverse is handed out where it can be computed: at every cell of the box neither it nor the
   padding overflows. It does not matter otherwise that a rule has put sums in another order; at the
   ends of 64 bits it may. */
static int irl__verdict_usable(irl__check *c)
{
    const irl_map  *inverse = c->v.inverse;
    irl__arena_mark mark = irl__scratch_begin(c->cx);
    irl__analyzer  *an = irl__map_analyzer(c->cx, inverse, &c->v.physical);
    int             k, ok = an && (irl__verdict_parts_defined(an, c->v.padding) ||
                       !irl__undefined_part(an, c->v.padding));
    for (k = 0; ok && k < inverse->output_count; k++)
        ok = !irl__undefined_part(an, inverse->outputs[k]);
    irl__scratch_end(c->cx, mark);
    return ok;
}

static int irl__check_by_way_back(irl__check *c)
{
    irl__way w;
    int      k, ok = 1, output, sign;
    if (c->on.empty) return -1;
    memset(&w, 0, sizeof w);
    w.cx = c->cx;
    w.map = c->map;
    w.an = c->on.an;
    w.extents = c->on.extents;
    w.numbers = &c->v;
    w.budget = &c->budget;
    w.asked = irl__verdict_fits(c, &output, &sign);
    for (k = 0; ok && k < c->map->output_count; k++) {
        w.box[k] = irl_expr_index(c->cx, c->v.physical.extent[k]);
        ok = (w.forward[k] = irl__domain_output(&c->on, k)) != NULL;
    }
    if (ok) ok = irl__inverse_axes(c->cx, c->map->output_count, w.axes);
    if (ok) ok = irl__way_find(&w);
    if (w.method) c->v.method = w.method;
    if (ok <= 0 || c->v.kind == IRL_LOSSY) return irl__ok(c->cx) ? ok : 0;
    c->v.inverse = w.inverse;
    c->v.padding = w.padding;
    if (w.inverse && !irl__verdict_usable(c)) c->v.inverse = NULL, c->v.padding = NULL;
    return irl__verdict_finish(c, w.spare) && irl__ok(c->cx);
}

/* A map that has no value somewhere, or whose box is not known, may still lose: a collision
   elsewhere is one, and outranks what the doubt is. */
static int irl__check_in_doubt(irl__check *c, const irl__doubt *doubt)
{
    c->v.reason = doubt->reason;
    if (c->budget.total) return -1;
    int ok = irl__check_few_points(c);
    if (ok < 0) ok = irl__check_by_witness(c);
    c->v.reason = doubt->kind == IRL_UNDEFINED || ok <= 0 ? doubt->reason : "";
    if (ok == 0 || (ok > 0 && c->v.kind == IRL_LOSSY)) return ok;
    if (doubt->kind == IRL_UNDECIDED) return -1;
    c->v.kind = doubt->kind;
    c->v.method = "witness";
    c->v.a = doubt->a;
    if (doubt->kind == IRL_UNDEFINED) {
        c->v.code = doubt->code;
        return 1;
    }
    c->v.reason = "";
    return irl_map_apply(c->cx, c->map, c->v.a, &c->v.at);
}

/* Injective by a look. */
static int irl__verdict_count(irl__check *c)
{
    const irl_expr *const *box = irl__shape_extents(c->cx, &c->v.physical);
    return box && irl__verdict_finish(c, irl__cells_unused(NULL, c->map, c->on.extents, box)) &&
           irl__ok(c->cx);
}

/* Looking at every point. */
static int irl__check_by_looking(irl__check *c)
{
    int ok = irl__check_by_enumeration(c), output, sign;
    if (ok < 0 && !c->budget.total && c->v.box_known) ok = irl__check_few_points(c);
    if (ok <= 0 || c->v.kind == IRL_LOSSY || !irl__verdict_fits(c, &output, &sign)) return ok;
    return irl__verdict_count(c) && irl__lookup_inverse(c) != 0;
}

/* The methods in order of their cost. */
static int irl__check_run(irl__check *c)
{
    irl__doubt doubt;
    int        ok = irl__domain_begin(&c->on, c->cx, c->map, &c->v.shape, &c->budget);
    if (ok) ok = irl__map_box(&c->on, &c->v.physical, &c->v.minimum, &doubt);
    if (ok == 0) return 0;
    if (ok < 0) return irl__check_in_doubt(c, &doubt);
    c->v.box_known = 1;
    ok = irl__check_by_way_back(c);
    if (ok < 0 && !c->budget.total) ok = irl__check_by_witness(c);
    if (ok < 0 && !c->budget.total) ok = irl__check_by_looking(c);
    if (ok < 0 && !c->budget.total) {
        ok = irl__check_by_growth(c);
        if (ok > 0) ok = irl__verdict_count(c);
    }
    if (ok < 0 && c->budget.total)
        c->v.reason = irl__reason(c->cx, "stopped by the caller after %l of %l points",
                                  c->budget.done, c->budget.total);
    if (ok > 0) c->v.reason = "";
    /* Whether the map is injective is answered, or not known: is a point out of range? That is the
       verdict unless the map is lossy, which says so beside. ok: the answer so far. */
    irl_verdict *v = &c->v;
    int          output, sign;
    if (ok == 0 || !v->box_known || irl__verdict_fits(c, &output, &sign)) return ok;
    if (ok > 0 && v->kind == IRL_LOSSY) {
        ok = irl__verdict_outside(c, output, sign, &v->outside, &v->outside_at);
        v->reason = irl__outside_reason(c->cx, v);
        return ok;
    }
    v->kind = IRL_OUT_OF_RANGE;
    v->reason = "";
    v->inverse = NULL;
    v->padding = NULL;
    v->pad_cells = 0;
    return irl__verdict_outside(c, output, sign, &v->a, &v->at);
}

const char *irl__failure_reason(const irl_ctx *cx)
{
    if (!cx) return "there is no context";
    return irl__ok(cx) ? "" : cx->diag.message;
}

/* ------------------------------------------------------------------ the question */

irl__asking irl__check_begin(irl_ctx *cx, int64_t most_work)
{
    irl__asking a;
    a.cx = cx;
    a.top = cx ? cx->block_top : 0;
    a.peak = cx ? cx->block_peak : 0;
    if (cx) cx->block_peak = a.top;
    a.question = irl__question_begin(cx, most_work);
    return a;
}

int irl__check_end(irl__asking *a, int ok, irl_verdict *v)
{
    irl_ctx *cx = a->cx;
    if (cx && (!irl__ok(cx) || irl__question_spent(&a->question))) ok = 0;
    v->work = irl__question_end(&a->question, 1);
    if (ok == 0) v->reason = irl__failure_reason(cx);
    if (ok <= 0) {
        v->kind = IRL_UNDECIDED;
        v->method = "";
        v->reason = irl__reason_of_work(&a->question, v->reason);
    }
    if (v->kind != IRL_UNDEFINED) v->code = irl__verdict_code(v->kind);
    if (cx && !irl__ok(cx)) v->code = cx->diag.code;
    if (cx) {
        v->bytes = cx->block_peak - a->top;
        if (cx->block_peak < a->peak) cx->block_peak = a->peak;
    }
    return ok;
}

/* The text is right; is the C function of its line too? */
static int irl__verdict_as_c(irl__check *c)
{
    if (c->v.kind != IRL_BIJECTIVE && c->v.kind != IRL_INJECTIVE) return 1;
    int ok = irl__check_c(c);
    if (ok > 0) return 1;
    c->v.inverse = NULL;
    c->v.padding = NULL;
    c->v.pad_cells = 0;
    return ok < 0 && c->v.kind == IRL_C_DIFFERS ? 1 : ok;
}

void irl__check_clear(irl__check *c, irl_ctx *cx, const irl_check_options *how)
{
    static const irl_check_options usual = { NULL, 0, NULL, NULL, 0 };
    memset(&c->v, 0, sizeof c->v);
    c->v.method = c->v.reason = "";
    c->cx = cx;
    c->map = NULL;
    c->how = how ? how : &usual;
    c->bound = NULL;
    c->budget = irl__budget_of(c->how);
}

int irl__check_numbers(irl__check *c, int as_c)
{
    irl__arena_mark mark = irl__scratch_begin(c->cx);
    int             ok = irl__check_run(c);
    if (ok > 0 && as_c) ok = irl__verdict_as_c(c);
    irl__scratch_end(c->cx, mark);
    c->v.memory = c->v.physical;
    c->v.box_reached = c->v.box_known;
    if (c->v.box_known) irl__memory_box(c->map, &c->v.memory);
    return ok;
}
