/* layout_symbolic.c - a layout whose buffer has names in its shape, or whose map has: the verdict
   for all values of the names.

   needs     extents.c of src/map, layout_shape.c
   promises  a layout that the verdict proves is accepted, with the inverse and the padding for
             packing; one that it refutes is refused with values and a witness; one that is
             undecided is refused unless the user states that it is injective. A verdict is about
             names from 1 on: if a buffer with elements may have other values, the function asserts
             that it does not

   A name is a parameter of the function, the variable of a loop or of a let; or an expression that
   is not index arithmetic: index(n). What the function assumes or asserts before anything else is
   taken as true. */
#include "layouts.h"

enum { IRL__NAMES = 2 * IRL_MAX_RANK };

/* Variables that stand for parts of extents while the verdict is asked. */
typedef struct irl__names {
    irl_ctx        *cx;
    const irl_map  *map;
    int             count, failed;
    const irl_expr *from[IRL__NAMES], *to[IRL__NAMES];
} irl__names;

/* The question in names, and its answer in the function's own terms. */
typedef struct irl__named {
    irl__layouts_state *state;
    irl__names          names;
    const irl_map      *map;
    /* given: what the function says of them; NULL: nothing */
    const irl_expr *extents[IRL_MAX_RANK], *given;
    irl_verdict     v;
    irl_shape       memory;
    const irl_expr *guard; /* what it must assert beside; NULL: nothing */
} irl__named;

/* ------------------------------------------------------------------ names for parts */

static int irl__names_is_opaque(const irl_expr *e)
{
    switch ((irl_op)e->op) {
    case IRL_OP_CAST:
    case IRL_OP_REINTERPRET:
    case IRL_OP_LOAD:
    case IRL_OP_CALL_EXTERN:
    case IRL_OP_CALL_INTRINSIC:
    case IRL_OP_LET: case IRL_OP_UNDEF: return 1;
    default:
        return e->type.lanes != 1 ||
               !(irl__type_is_index(e->type) || (e->type.scalar == IRL_BOOL && e->count));
    }
}

/* Index arithmetic all through, with conditions on it. */
static int irl__names_is_plain(const irl_expr *e)
{
    if (irl__names_is_opaque(e)) return e->op == IRL_OP_INT && e->type.lanes == 1;
    for (uint32_t k = 0; k < e->count; k++)
        if (!irl__names_is_plain(e->a[k])) return 0;
    return 1;
}

static const irl_expr *irl__names_add(irl__names *n, const irl_expr *e)
{
    const irl_expr *var = n->count < IRL__NAMES
                              ? irl_expr_var(n->cx, irl_expr_text(n->cx, e), irl__type_index())
                              : NULL;
    n->failed |= var == NULL;
    if (!var) return e;
    n->from[n->count] = e;
    n->to[n->count++] = var;
    return var;
}

static int irl__names_moves(const irl__names *n, const irl_expr *e)
{
    for (int k = 0; k < n->map->input_count; k++)
        if (irl__expr_uses_var(e, n->map->inputs[k])) return 1;
    return 0;
}

static const irl_expr *irl__names_hook(irl__rewriter *r, const irl_expr *e)
{
    irl__names *n = (irl__names *)r->user;
    int         i, is_operator = !irl__names_is_opaque(e);
    for (i = 0; i < n->count; i++)
        if (n->from[i] == e) return n->to[i];
    if (!(e->flags & (IRL__HAS_VAR | IRL__HAS_MEMORY))) return e;
    for (uint32_t k = 0; k < e->count; k++) is_operator &= irl__type_is_index(e->a[k]->type);
    if (is_operator || irl__names_is_plain(e)) return irl__rewrite_expr_children(r, e);
    return irl__names_moves(n, e) ? e : irl__names_add(n, e);
}

static const irl_expr *irl__names_of(irl__names *n, const irl_expr *e)
{
    irl__rewriter r = irl__rewriter_make(n->cx, n, irl__names_hook, NULL);
    return irl__rewrite_expr(&r, e);
}

/* Back to the function's own terms. */
static const irl_expr *irl__names_undone(const irl__names *n, const irl_expr *e)
{
    return irl__substitute(n->cx, e, n->count, n->to, n->from);
}

/* ------------------------------------------------------- what the function says of its names */

/* The parts of a condition that are index arithmetic. */
static void irl__named_believe(irl__named *d, const irl_expr *fact)
{
    if (fact->op == IRL_OP_AND) {
        irl__named_believe(d, fact->a[0]);
        irl__named_believe(d, fact->a[1]);
    } else if (irl__names_is_plain(fact) && fact->op != IRL_OP_INT)
        d->given = d->given ? irl__and(d->names.cx, d->given, fact) : fact;
}

/* ------------------------------------------------------------------ the question */

/* With one name for each extent that is marked in `whole`. */
static int irl__named_begin(irl__named *d, irl__layouts_state *state, uint32_t whole)
{
    irl_ctx        *cx = state->f->cx;
    const irl_map  *map = state->map;
    const irl_expr *outputs[IRL_MAX_RANK];
    memset(d, 0, sizeof *d);
    d->state = state;
    d->names.cx = cx;
    d->names.map = map;
    for (int k = 0; k < map->input_count; k++) {
        d->extents[k] = irl__names_of(&d->names, state->from->shape[k]);
        if (!d->extents[k]) return 0;
        if ((whole >> k) & 1 && d->extents[k]->op != IRL_OP_VAR)
            d->extents[k] = irl__names_add(&d->names, state->from->shape[k]);
    }
    for (int k = 0; k < map->output_count; k++)
        if (!(outputs[k] = irl__names_of(&d->names, map->outputs[k]))) return 0;
    const irl_expr *fact;
    for (int k = 0; (fact = irl__stmt_next_fact(state->f->body, &k)) != NULL;)
        irl__named_believe(d, fact);
    if (d->given) d->given = irl__names_of(&d->names, d->given);
    d->map = irl__map_make(cx, map->input_count, map->inputs, map->output_count, outputs, 0, NULL,
                           map->loc);
    if (d->names.failed)
        return irl__ok(cx) &&
               irl__fail(cx, IRL_ERROR_TOO_LARGE, state->layout->loc,
                         "the shape of '%s' has more than %d parts", state->from->name, IRL__NAMES);
    return d->map && irl__ok(cx);
}

static int irl__named_is_proved(const irl__named *d)
{
    return irl__verdict_is_right(&d->v);
}

/* Which names may be less than 1 although every extent is at least 1: that they are not is the
   guard. *loose: the extents that have such a name in a sum or product. */
static int irl__named_guard(irl__named *d, uint32_t *loose)
{
    irl_ctx        *cx = d->names.cx;
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__analyzer  *an = irl__analyzer_begin(cx);
    const irl_expr *one = irl_expr_index(cx, 1);
    int             rank = d->map->input_count, ok = an != NULL;
    *loose = 0;
    if (ok && d->given) (void)irl__fact(an, d->given);
    for (int k = 0; ok && k < rank; k++)
        (void)irl__fact(an, irl_expr_op2(cx, IRL_OP_GE, d->extents[k], one));
    for (int k = 0; ok && k < d->v.parameter_count; k++) {
        const irl_expr *name = d->v.parameters[k], *part = irl_expr_op2(cx, IRL_OP_GE, name, one);
        ok = part != NULL;
        if (!ok || irl__prove(an, part)) continue;
        d->guard = irl__and(cx, d->guard, part);
        (void)irl__fact(an, part);
        for (int j = 0; j < rank; j++)
            if (d->extents[j] != name && irl__expr_uses_var(d->extents[j], name))
                *loose |= UINT32_C(1) << j;
    }
    irl__scratch_end(cx, mark);
    return ok && irl__ok(cx);
}

/* trusts: what the function says of its names is used. It may hold for values below 1 only (an
   extent -n has n < 1), of which a verdict says nothing. */
static int irl__named_ask(irl__named *d, irl__layouts_state *state, uint32_t whole, int trusts,
                          uint32_t *loose)
{
    if (!irl__named_begin(d, state, whole)) return 0;
    if (!trusts) d->given = NULL;
    d->v = irl__check_given(d->names.cx, d->map, irl_shape_of(d->map->input_count, d->extents),
                            d->given);
    return irl__ok(d->names.cx) && irl__named_guard(d, loose);
}

static uint32_t irl__named_guarded(const irl__named *d) { return d->guard ? d->guard->size : 0; }

/* By the names first, which knows more; then by extents as a whole, which are at least 1 wherever
   there is an element: n + 1. */
static int irl__named_question(irl__named *d, irl__layouts_state *state)
{
    irl__named other;
    uint32_t   loose, more;
    if (!irl__named_ask(d, state, 0, 1, &loose)) return 0;
    for (int k = 0; k < 3; k++) {
        if (!loose || (irl__named_is_proved(d) && !d->guard)) return 1;
        if (!irl__named_ask(&other, state, loose, k == 0, &more)) return 0;
        loose |= more;
        if (irl__named_is_proved(&other) &&
            (!irl__named_is_proved(d) || irl__named_guarded(&other) < irl__named_guarded(d)))
            *d = other;
    }
    return 1;
}

/* ------------------------------------------------------------------ the answer */

/* Whether every value of the names is one that a caller may pass. */
static int irl__named_is_free(const irl__named *d)
{
    for (int k = 0; k < d->v.parameter_count; k++) {
        const irl_expr *e = d->v.parameters[k];
        for (int i = 0; i < d->names.count; i++)
            if (d->names.to[i] == e) e = d->names.from[i];
        if (e->op == IRL_OP_CAST) e = e->a[0];
        if (irl__func_param_of(d->state->f, e) < 0) return 0;
    }
    return 1;
}

static int irl__named_refuse(const irl__named *d)
{
    const irl__layouts_state *state = d->state;
    irl_ctx                  *cx = d->names.cx;
    const char               *text = irl_verdict_text(cx, &d->v);
    int                       is_certain = d->v.kind == IRL_UNDECIDED || irl__named_is_free(d);
    if (!irl__refused_map(cx, state->map, &d->v, state->from)) return 0;
    return irl__fail(cx, is_certain ? d->v.code : IRL_ERROR_UNDECIDED, state->layout->loc,
                     "the layout %s of '%s' is %s%s", irl_map_text(cx, state->map),
                     state->from->name, is_certain ? "" : "not known to be right: ", text);
}

/* The shape in memory where the verdict has none; the guard says where no index is negative. */
static int irl__named_memory(irl__named *d)
{
    const irl__layouts_state *state = d->state;
    irl_shape                 shape = irl_shape_of(d->map->input_count, d->extents);
    irl__named_box            box;
    d->v.inverse = NULL;
    int ok = irl__extents_box_alone(d->names.cx, d->map, &shape, d->given, &box) > 0;
    if (ok && box.where) d->guard = irl__and(d->names.cx, d->guard, box.where);
    if (ok) d->memory = box.memory;
    if (ok || !irl__ok(d->names.cx)) return irl__ok(d->names.cx);
    irl__verdict_permit_loss(&d->v);
    if (d->v.kind == IRL_OUT_OF_RANGE) return irl__named_refuse(d);
    /* the hint of UNDECIDED is to vouch for the map, which is done, or would not help */
    return irl__fail(d->names.cx, state->lossy_read ? IRL_ERROR_LOSSY_MAP : IRL_ERROR_UNSUPPORTED,
                     state->layout->loc, "no formula is known for the extents of '%s' in memory: "
                     "by the layout %s they are one more than the greatest indices. Write its "
                     "outputs as sums and products, / and %% of axes and names, or give the names "
                     "numbers. The layout is %s", state->from->name,
                     irl_map_text(d->names.cx, state->map), irl_verdict_text(d->names.cx, &d->v));
}

/* True where the layout is taken; d->memory and d->guard are in names still. */
static int irl__named_accept(irl__named *d)
{
    irl__layouts_state *state = d->state;
    d->memory = d->v.memory;
    if (irl__named_is_proved(d)) return 1;
    state->lossy_read = d->v.kind == IRL_LOSSY && irl__layouts_may_lose(state);
    if (state->lossy_read) {
        /* Different points may map to one cell, but no index may be negative. */
        irl_verdict loss = d->v;
        if (loss.outside_at.rank) loss.reason = "";
        d->state->shared = irl_verdict_text(d->names.cx, &loss) + sizeof "lossy " - 1;
        return irl__named_memory(d);
    }
    /* A map that the user vouches for is taken where it is not proved. */
    if (!state->layout->assume_injective) return irl__named_refuse(d);
    /* for which values it has none the guard says */
    int is_false =
            d->v.kind != IRL_UNDECIDED && d->v.kind != IRL_UNDEFINED && irl__named_is_free(d),
        is_padded = d->state->layout->padding && d->state->is_written;
    if (d->v.inverse && d->v.where && (is_false || is_padded)) {
        d->guard = irl__and(d->names.cx, d->guard, d->v.where);
        return d->guard != NULL;
    }
    if (is_false) return irl__named_refuse(d);
    return irl__named_memory(d);
}

/* How many cells of memory no point reaches. */
static const irl_expr *irl__named_unused(const irl__named *d)
{
    const irl__layouts_state *state = d->state;
    irl_ctx                  *cx = d->names.cx;
    return irl__sub(cx, irl__product(cx, state->map->output_count, state->shape),
                    irl__product(cx, state->from->rank, state->from->shape));
}

/* Which cells are padding, if someone stores it; and who should state it. */
static int irl__named_padding(irl__named *d)
{
    irl__layouts_state *state = d->state;
    irl_ctx            *cx = d->names.cx;
    const irl_expr     *back[IRL_MAX_RANK], *box[IRL_MAX_RANK], *padding;
    const irl_expr     *const *physical = irl__shape_extents(cx, &d->v.physical);
    const irl_map      *inverse;
    if (!physical) return 0;
    if (!state->is_written && !state->how) return 1;
    if (!state->layout->padding && (!d->v.inverse || !d->v.padding)) return 1;
    if (!d->v.inverse || !d->v.padding)
        return irl__fail(cx, IRL_ERROR_UNDECIDED, state->layout->loc, "which cells of the layout "
                         "%s of '%s' are padding is not known: %s", irl_map_text(cx, state->map),
                         state->from->name, irl_verdict_text(cx, &d->v));
    for (int k = 0; k < d->v.inverse->output_count; k++)
        if (!(back[k] = irl__names_undone(&d->names, d->v.inverse->outputs[k]))) return 0;
    for (int k = 0; k < d->v.physical.rank; k++)
        if (!(box[k] = irl__simplify_alone(cx, irl__names_undone(&d->names, physical[k]))))
            return 0;
    inverse = irl__map_make(cx, d->v.inverse->input_count, d->v.inverse->inputs,
                            d->v.inverse->output_count, back, 0, NULL, state->map->loc);
    padding = irl__is_int(d->v.padding, 0) ? NULL : irl__names_undone(&d->names, d->v.padding);
    if (!inverse || !irl__ok(cx)) return 0;
    if (state->layout->padding) return irl__layouts_unreached(state, inverse, padding, box);
    return irl__layouts_unstated(state, irl__named_unused(d), inverse, padding, box);
}

int irl__layouts_symbolic(irl__layouts_state *state)
{
    irl_ctx *cx = state->f->cx;
    const irl_expr **shape = IRL__NEW(cx, const irl_expr *, state->map->output_count);
    irl__named      d;
    if (!shape || !irl__named_question(&d, state) || !irl__named_accept(&d)) return 0;
    const irl_expr *const *memory = irl__shape_extents(cx, &d.memory);
    for (int k = 0; memory && k < state->map->output_count; k++)
        if (!(shape[k] = irl__simplify_alone(cx, irl__names_undone(&d.names, memory[k]))) ||
            !(shape[k] = irl__path_length(state->f, shape[k])))
            return 0;
    state->shape = shape;
    state->guard = d.guard ? irl__simplify_alone(cx, irl__names_undone(&d.names, d.guard)) : NULL;
    return irl__ok(cx) && irl__named_padding(&d);
}
