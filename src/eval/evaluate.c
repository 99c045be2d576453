/* evaluate.c - the value of an expression.

   needs     scalar.c for the operators of the table; rounding.c for errors; storage.c for loads; a
             buffer is the view that views.c has declared
   promises  lane by lane, as the operator table says. An undefined lane makes the results that
             depend on it undefined; where a decision depends on it (a condition, an index, the
             address of a load) it is an error. Where errors are asked for, each lane has one; what
             an undecided number decides is not bounded, and where that cannot be said of one
             value, of none (in->lost) */
#include "eval.h"

#include <math.h>

int irl__eval_step_limit(irl__interpreter *in)
{
    return IRL__FAIL(in->cx, IRL_ERROR_STEP_LIMIT, "the program did not end within %u steps",
                     in->step_limit);
}

int irl__eval_lanes(irl__interpreter *in, irl_type type, irl__eval_value *value)
{
    if ((size_t)(in->end - in->top) < type.lanes)
        return IRL__FAIL(in->cx, IRL_ERROR_TOO_DEEP, "an expression needs more lanes than the "
                         "interpreter has");
    value->lane = in->top;
    value->undef = 0;
    value->error = in->error_at ? in->top + in->error_at : NULL;
    in->top += type.lanes;
    return 1;
}

/* The value of an operand, in lanes from the stack. */
static int irl__evaluate_operand(irl__interpreter *in, const irl_expr *e, irl__eval_value *value)
{
    return irl__eval_lanes(in, e->type, value) && irl__eval_expr(in, e, value);
}

/* ------------------------------------------------------------------ errors */

static void irl__evaluate_set_errors(irl__eval_value *value, uint32_t lanes, double error)
{
    for (uint32_t k = 0; k < lanes; k++) value->error[k].f = error;
}

static void irl__evaluate_copy_error(irl__eval_value *to, uint32_t k, const irl__eval_value *from,
                                     uint32_t j)
{
    if (to->error) to->error[k] = from->error[j];
}

/* Numbers that were lost since there were `before` decide no more than this value. */
static void irl__evaluate_confine(irl__interpreter *in, irl__eval_value *value, uint32_t lanes,
                                  int64_t before)
{
    if (in->lost == before) return;
    in->lost = before;
    irl__evaluate_set_errors(value, lanes, HUGE_VAL);
}

static int irl__evaluate_is_exact(const irl__eval_value *value, uint32_t k)
{
    return !value->error || value->error[k].f == 0;
}

static int irl__evaluate_is_undef(const irl__eval_value *value, uint32_t k)
{
    return (int)((value->undef >> k) & 1);
}

static void irl__evaluate_set_undef(irl__eval_value *value, uint32_t k)
{
    value->undef |= UINT64_C(1) << k;
    value->lane[k].i = 0;
}

static int irl__evaluate_undef_fail(irl__interpreter *in, const char *what)
{
    return IRL__FAIL(in->cx, IRL_ERROR_UNDEF_USED, "%s is undefined: it depends on memory that was "
                     "never written", what);
}

int irl__eval_number(irl__interpreter *in, const irl_expr *e, const char *what, int64_t *out)
{
    irl__scalar    *top = in->top;
    irl__eval_value v;
    if (e->op == IRL_OP_INT) return *out = e->u.i, 1;
    /* A name of one number that has no error. */
    if (e->op == IRL_OP_VAR && e->type.lanes == 1 && !e->type.is_pointer &&
        !in->error_at) { /* most indices are */
        const irl__eval_binding *b = irl__eval_bound(in, e->id);
        *out = b->u.scalar.i;
        return irl__eval_step(in) && (!(b->undef & 1) || irl__evaluate_undef_fail(in, what));
    }
    if (!irl__evaluate_operand(in, e, &v)) return 0;
    in->top = top;
    *out = v.lane[0].i;
    in->lost += v.error && v.error[0].f != 0;
    return v.undef ? irl__evaluate_undef_fail(in, what) : 1;
}

/* ------------------------------------------------------------------ operators of the table */

/* The error of lane k of the result; of v == v and the like, that of no number. */
static void irl__evaluate_operator_error(irl__interpreter *in, const irl_expr *e,
                                      const irl__eval_value *a, uint32_t k, irl__eval_value *out)
{
    const int   is_comparison = irl__op_info((irl_op)e->op)->rule == IRL__COMPARE;
    irl__scalar args[3], errors[3];
    double      error;
    for (uint32_t j = 0; j < e->count; j++) {
        args[j] = a[j].lane[k];
        errors[j] = a[j].error[k];
    }
    error = is_comparison && e->a[0] == e->a[1] && errors[0].f - errors[0].f == 0
                ? 0
                : irl__rounding_op((irl_op)e->op, e->a[0]->type, args, errors, out->lane[k]);
    in->undecided += is_comparison && error != 0;
    out->error[k].f = error;
}

static int irl__evaluate_table(irl__interpreter *in, const irl_expr *e, irl__eval_value *out)
{
    irl__eval_value a[3];
    irl__scalar     args[3];
    irl_type        type = e->a[0]->type;
    uint32_t        j;
    for (j = 0; j < e->count; j++)
        if (!irl__evaluate_operand(in, e->a[j], &a[j])) return 0;
    for (uint32_t k = 0; k < e->type.lanes; k++) {
        int undef = 0;
        for (j = 0; j < e->count; j++) {
            undef |= irl__evaluate_is_undef(&a[j], k);
            args[j] = a[j].lane[k];
        }
        if (undef) {
            if (!irl__partial_result(in, e, a, k, out)) irl__evaluate_set_undef(out, k);
            continue;
        }
        irl__fold_status status = irl__fold_scalar((irl_op)e->op, type, args, &out->lane[k]);
        if (status != IRL__FOLD_OK)
            return irl__operator_fail(in->cx, irl__nowhere(), e, status);
        if (out->error) irl__evaluate_operator_error(in, e, a, k, out);
    }
    return 1;
}

/* ------------------------------------------------------------------ choice */

/* && and || look at the right side only where the left does not decide: for a vector, if any lane
   does not. */
static int irl__evaluate_lazy(irl__interpreter *in, const irl_expr *e, irl__eval_value *out)
{
    int64_t         decided = e->op == IRL_OP_OR;
    irl__eval_value right;
    int             is_open = 0;
    if (!irl__eval_expr(in, e->a[0], out)) return 0;
    if (out->undef) return irl__evaluate_undef_fail(in, "the left side of && or ||");
    for (uint32_t k = 0; k < e->type.lanes; k++) is_open |= out->lane[k].i != decided;
    if (!is_open) return 1;
    if (!irl__evaluate_operand(in, e->a[1], &right)) return 0;
    for (uint32_t k = 0; k < e->type.lanes; k++) {
        if (out->lane[k].i == decided) continue;
        out->lane[k] = right.lane[k];
        out->undef |= right.undef & (UINT64_C(1) << k);
        if (irl__evaluate_is_exact(out, k)) irl__evaluate_copy_error(out, k, &right, k);
    }
    return 1;
}

static int irl__evaluate_select(irl__interpreter *in, const irl_expr *e, irl__eval_value *out)
{
    irl__eval_value condition, arm[2];
    if (!irl__evaluate_operand(in, e->a[0], &condition) ||
        !irl__evaluate_operand(in, e->a[1], &arm[0]) ||
        !irl__evaluate_operand(in, e->a[2], &arm[1]))
        return 0;
    if (condition.undef) return irl__evaluate_undef_fail(in, "the condition of select");
    for (uint32_t k = 0; k < e->type.lanes; k++) {
        const uint32_t c = e->a[0]->type.lanes == 1 ? 0 : k;
        const irl__eval_value *from = &arm[!condition.lane[c].i],
                              *other = &arm[condition.lane[c].i != 0];
        out->lane[k] = from->lane[k];
        out->undef |= from->undef & (UINT64_C(1) << k);
        if (out->error)
            out->error[k].f = irl__rounding_choice(
                e->type, irl__evaluate_is_exact(&condition, c), from->lane[k], from->error[k].f,
                other->lane[k], irl__evaluate_is_undef(other, k) ? HUGE_VAL : other->error[k].f);
    }
    return 1;
}

/* ------------------------------------------------------------------ conversion and lanes */

static int irl__evaluate_cast(irl__interpreter *in, const irl_expr *e, irl__eval_value *out)
{
    irl_type from = e->a[0]->type;
    if (!irl__eval_expr(in, e->a[0], out)) return 0;
    for (uint32_t k = 0; k < e->type.lanes; k++) {
        const irl__scalar before = out->lane[k];
        if (irl__evaluate_is_undef(out, k)) {
            irl__partial_cast(in, from, e->type, out, k);
            continue;
        }
        if (irl__fold_cast(from, e->type, before, &out->lane[k]) == IRL__FOLD_OK) {
            if (out->error) {
                const double error = out->error[k].f;
                out->error[k].f =
                    irl__rounding_cast(e->a[0]->type, e->type, before, error, out->lane[k]);
                in->undecided += irl__type_is_real(e->a[0]->type) && !irl__type_is_real(e->type) &&
                                 error < out->error[k].f;
            }
            continue;
        }
        return IRL__FAIL(in->cx, IRL_ERROR_BAD_VALUE, "a value of %s does not fit %s",
                         irl__type_info(from)->text, irl__type_info(e->type)->text);
    }
    return 1;
}

/* Through bytes, as memory would hold them. */
static int irl__evaluate_reinterpret(irl__interpreter *in, const irl_expr *e, irl__eval_value *out)
{
    unsigned char   bytes[IRL_MAX_LANES * 8];
    irl_type from = e->a[0]->type;
    uint32_t from_bytes = (uint32_t)irl__type_info(from)->bytes,
             to_bytes = (uint32_t)irl__type_info(e->type)->bytes, k, j;
    irl__eval_value a;
    if (!irl__evaluate_operand(in, e->a[0], &a)) return 0;
    for (k = 0; k < from.lanes; k++) irl__store_scalar(from, bytes + k * from_bytes, a.lane[k]);
    for (k = 0; k < e->type.lanes; k++) {
        out->lane[k] = irl__load_scalar(e->type, bytes + k * to_bytes);
        for (j = k * to_bytes; j < (k + 1) * to_bytes; j++) {
            if (irl__evaluate_is_undef(&a, j / from_bytes)) irl__evaluate_set_undef(out, k);
            if (!irl__evaluate_is_exact(&a, j / from_bytes)) out->error[k].f = HUGE_VAL;
        }
    }
    return 1;
}

static int irl__evaluate_ramp(irl__interpreter *in, const irl_expr *e, irl__eval_value *out)
{
    irl_type        type = irl__type_with_lanes(e->type, 1);
    irl__eval_value base, stride;
    irl__scalar     args[2], next;
    uint32_t        k;
    if (!irl__evaluate_operand(in, e->a[0], &base) || !irl__evaluate_operand(in, e->a[1], &stride))
        return 0;
    if (!irl__evaluate_is_exact(&base, 0) || !irl__evaluate_is_exact(&stride, 0))
        irl__evaluate_set_errors(out, e->type.lanes, HUGE_VAL);
    if (base.undef || stride.undef) {
        for (k = 0; k < e->type.lanes; k++) irl__evaluate_set_undef(out, k);
        return 1;
    }
    args[0] = base.lane[0];
    args[1] = stride.lane[0];
    for (k = 0; k < e->type.lanes; k++, args[0] = next) {
        irl__fold_status status = IRL__FOLD_OK;
        out->lane[k] = args[0];
        if (k + 1 < e->type.lanes) status = irl__fold_scalar(IRL_OP_ADD, type, args, &next);
        else next = args[0];
        if (status != IRL__FOLD_OK)
            return irl__fold_fail(in->cx, irl__nowhere(), IRL_OP_RAMP, type, status);
    }
    return 1;
}

/* One operand after the other: each gives the lanes that are picked from it. */
static int irl__evaluate_shuffle(irl__interpreter *in, const irl_expr *e, irl__eval_value *out)
{
    irl__scalar *top = in->top;
    uint32_t     k, j, first = 0;
    for (j = 0; j < e->count; first += e->a[j]->type.lanes, j++) {
        irl__eval_value a;
        in->top = top;
        if (!irl__evaluate_operand(in, e->a[j], &a)) return 0;
        for (k = 0; k < e->type.lanes; k++) {
            uint32_t pick = (uint32_t)e->u.picks[k] - first;
            /* of another operand: an earlier one wraps around to a large number */
            if (pick >= e->a[j]->type.lanes) continue;
            out->lane[k] = a.lane[pick];
            irl__evaluate_copy_error(out, k, &a, pick);
            out->undef |= (a.undef >> pick & 1) << k;
        }
    }
    return 1;
}

static int irl__evaluate_lane(irl__interpreter *in, const irl_expr *e, irl__eval_value *out)
{
    const int64_t   lost = in->lost;
    irl__eval_value a;
    int64_t         k;
    if (!irl__evaluate_operand(in, e->a[0], &a) ||
        !irl__eval_number(in, e->a[1], "the number of a lane", &k))
        return 0;
    if (k < 0 || k >= (int64_t)e->a[0]->type.lanes)
        return IRL__FAIL(in->cx, IRL_ERROR_OUT_OF_BOUNDS, "lane %l of a value of %d lanes", k,
                         (int)e->a[0]->type.lanes);
    out->lane[0] = a.lane[k];
    out->undef = (a.undef >> k) & 1;
    irl__evaluate_copy_error(out, 0, &a, (uint32_t)k);
    irl__evaluate_confine(in, out, 1, lost);
    return 1;
}

/* ------------------------------------------------------------------ names */

static int irl__evaluate_var(irl__interpreter *in, const irl_expr *e, irl__eval_value *out)
{
    const irl__eval_binding *b = irl__eval_bound(in, e->id);
    if (e->type.is_pointer)
        return IRL__FAIL(in->cx, IRL_ERROR_BAD_STRUCTURE, "the data pointer '%s' is not a value",
                         e->u.name);
    const uint32_t lanes = e->type.lanes;
    out->undef = b->undef & (lanes >= 64 ? UINT64_MAX : (UINT64_C(1) << lanes) - 1);
    if (e->type.lanes == 1) out->lane[0] = b->u.scalar;
    else if (b->u.lanes) memcpy(out->lane, b->u.lanes, e->type.lanes * sizeof *out->lane);
    if (!out->error) return 1;
    b += in->slot_count;
    if (e->type.lanes == 1) out->error[0] = b->u.scalar;
    else if (b->u.lanes) memcpy(out->error, b->u.lanes, e->type.lanes * sizeof *out->error);
    return 1;
}

/* What a let binds; lanes live as long as the binding. */
void irl__eval_bind(const irl__interpreter *in, irl__eval_binding *b, irl_type type,
                    const irl__eval_value *value)
{
    b->undef = value->undef;
    if (type.lanes == 1) b->u.scalar = value->lane[0];
    else b->u.lanes = value->lane;
    if (!value->error) return;
    b += in->slot_count;
    if (type.lanes == 1) b->u.scalar = value->error[0];
    else b->u.lanes = value->error;
}

/* ------------------------------------------------------------------ accesses */

static void irl__evaluate_print_indices(irl__interpreter *in, irl__text *t, int count,
                                        const irl_expr *const *indices, uint32_t lane)
{
    irl__scalar *top = in->top;
    for (int k = 0; k < count; k++) {
        irl__eval_value v;
        in->top = top;
        if (!irl__evaluate_operand(in, indices[k], &v)) return;
        irl__textf(t, k ? ", %l" : "%l", v.lane[indices[k]->type.lanes == 1 ? 0 : lane].i);
    }
}

static int irl__evaluate_bounds_fail(irl__interpreter *in, const irl__eval_view *view,
                                     const irl_expr *const *indices, uint32_t lane,
                                     const char *verb)
{
    char      text[256];
    irl__text t;
    irl__text_init_fixed(&t, text, sizeof text);
    irl__evaluate_print_indices(in, &t, view->buffer->rank, indices, lane);
    irl__text_puts(&t, "], outside of its shape [");
    for (int k = 0; k < view->buffer->rank; k++) irl__textf(&t, k ? ", %l" : "%l", view->extent[k]);
    return IRL__FAIL(in->cx, IRL_ERROR_OUT_OF_BOUNDS, "'%s' is %s at [%s]", view->buffer->name,
                     verb, text);
}

const irl__eval_view *irl__eval_view_of(irl__interpreter *in, const irl_buffer *b)
{
    const irl__eval_view *view = irl__eval_bound(in, b->id)->u.view;
    if (!view)
        IRL__FAIL(in->cx, IRL_ERROR_UNDECLARED, "'%s' is not declared here", b->name);
    return view;
}

const irl__eval_view *irl__eval_locate(irl__interpreter *in, const irl_buffer *b,
                                       const irl_expr *const *indices, const char *verb,
                                       irl__eval_value *places, uint32_t *count)
{
    const irl__eval_view *view = irl__eval_view_of(in, b);
    irl_type              last = b->rank ? indices[b->rank - 1]->type : irl__type_index();
    size_t                bytes = b->bits ? 1 : irl__type_bytes(b->type);
    int                   axis;
    if (!view || !irl__eval_lanes(in, last, places)) return NULL;
    *count = last.lanes;
    uint64_t element = (uint64_t)view->offset;
    places->lane[0].i = 0;
    if (places->error) places->error[0].f = 0;
    for (axis = 0; axis < b->rank - 1; axis++) {
        int64_t index;
        if (!irl__eval_number(in, indices[axis], "an index", &index)) return NULL;
        if (index < 0 || index >= view->extent[axis])
            return irl__evaluate_bounds_fail(in, view, indices, 0, verb),
                   (const irl__eval_view *)NULL;
        element += (uint64_t)index * (uint64_t)view->step[axis];
    }
    if (b->rank && !irl__eval_expr(in, indices[axis], places)) return NULL;
    if (places->undef)
        return irl__evaluate_undef_fail(in, "an index"), (const irl__eval_view *)NULL;
    for (uint32_t k = 0; k < last.lanes; k++) {
        int64_t index = places->lane[k].i;
        in->lost += !irl__evaluate_is_exact(places, k);
        if (b->rank && (index < 0 || index >= view->extent[axis]))
            return irl__evaluate_bounds_fail(in, view, indices, k, verb),
                   (const irl__eval_view *)NULL;
        places->lane[k].i =
            (int64_t)((element + (b->rank ? (uint64_t)index * (uint64_t)view->step[axis] : 0)) *
                      bytes);
    }
    return view;
}

/* Index lane by index lane, and within each the lanes of the element. */
static int irl__evaluate_load(irl__interpreter *in, const irl_expr *e, irl__eval_value *out)
{
    const irl_buffer     *b = e->u.buffer;
    const int64_t         lost = in->lost;
    irl__eval_value       places;
    uint32_t              count;
    const irl__eval_view *view = irl__eval_locate(in, b, e->a, "read", &places, &count);
    if (!view) return 0;
    for (uint32_t k = 0; k < count; k++)
        if (b->bits ? !irl__eval_read_bits(in, view, (uint64_t)places.lane[k].i, k, out)
                    : !irl__eval_read(in, view->memory, b->type, (size_t)places.lane[k].i,
                                      k * b->type.lanes, out))
            return 0;
    irl__evaluate_confine(in, out, e->type.lanes, lost);
    return 1;
}

/* ------------------------------------------------------------------ calls */

/* "texel (5, 5) of image 'x', which has 5 columns and 6 rows" */
static int irl__evaluate_no_texel(irl__interpreter *in, const irl__eval_memory *m,
                                  const irl_expr *e, int count, const int64_t *at)
{
    static const char *const what[IRL__TEXEL_AXES] = { "columns", "rows", "layers" };
    char         place[80], size[120];
    irl__text    p, s;
    irl__text_init_fixed(&p, place, sizeof place);
    irl__text_init_fixed(&s, size, sizeof size);
    for (int k = 0; k < count; k++) {
        irl__textf(&p, k ? ", %l" : "%l", at[k]);
        irl__textf(&s, "%s%l %s",
                   k == 0           ? ""
                   : k + 1 == count ? " and "
                                    : ", ",
                   m->image[k], what[k]);
    }
    return IRL__FAIL(in->cx, IRL_ERROR_OUT_OF_BOUNDS, "texel (%s) of image '%s', which has %s",
                     place, e->a[0]->u.name, size);
}

/* The image that a call names and the byte of its texel; NULL with a diagnostic. */
static irl__eval_memory *irl__evaluate_texel(irl__interpreter *in, const irl_expr *e, size_t *out)
{
    irl__eval_memory *m = irl__eval_bound(in, e->a[0]->id)->u.memory;
    const char       *name = e->a[0]->u.name;
    int64_t           at[IRL__TEXEL_AXES], place = 0;
    int               k, count = irl__image_coordinates(irl__texel_image_of(e));
    for (k = 0; k < count; k++)
        if (!irl__eval_number(in, e->a[k + 1], "a texel's coordinate", &at[k])) return NULL;
    if (!m || m->texel != (int)e->type.lanes) {
        if (!m)
            IRL__FAIL(in->cx, IRL_ERROR_UNDECLARED, "'%s' is not declared here", name);
        else if (!m->texel)
            IRL__FAIL(in->cx, IRL_ERROR_BAD_STAGE, "'%s' has no rows and columns: it needs a "
                      "separator", name);
        else
            IRL__FAIL(in->cx, IRL_ERROR_TYPE_MISMATCH, "a texel of '%s' has %d lanes; found %d",
                      name, m->texel, (int)e->type.lanes);
        return NULL;
    }
    for (k = count; k-- > 0;) {
        if (at[k] < 0 || at[k] >= m->image[k])
            return irl__evaluate_no_texel(in, m, e, count, at), (irl__eval_memory *)NULL;
        place = place * m->image[k] + at[k]; /* below the number of texels, which are in memory */
    }
    *out = (size_t)place * irl__type_bytes(e->type);
    return m;
}

static int irl__evaluate_intrinsic(irl__interpreter *in, const irl_expr *e, irl__eval_value *out)
{
    switch (irl__texel_call_of(e)) {
    case IRL__TEXEL_LOAD: {
        const int64_t     lost = in->lost;
        size_t            at;
        irl__eval_memory *m = irl__evaluate_texel(in, e, &at);
        if (!m || !irl__eval_read(in, m, e->type, at, 0, out)) return 0;
        irl__evaluate_confine(in, out, e->type.lanes, lost);
        return 1;
    }
    case IRL__TEXEL_STORE: {
        size_t            at;
        irl__eval_memory *m = irl__evaluate_texel(in, e, &at);
        return m && irl__eval_expr(in, e->a[e->count - 1], out) &&
               irl__eval_write(in, m, e->type, at, 0, out);
    }
    default: break;
    }
    return IRL__FAIL(in->cx, IRL_ERROR_UNSUPPORTED, "the interpreter does not know the intrinsic "
                     "'%s'", e->u.name);
}

/* A pointer that is passed: all of its memory. */
static irl__eval_memory *irl__evaluate_passed(irl__interpreter *in, const irl_expr *a)
{
    irl__eval_memory *m = a->op == IRL_OP_VAR ? irl__eval_bound(in, a->id)->u.memory : NULL;
    if (!m)
        IRL__FAIL(in->cx, IRL_ERROR_UNDECLARED, "'%s' has no memory here",
                  a->op == IRL_OP_VAR ? a->u.name : "what is passed");
    return m;
}

static int irl__evaluate_memory_is_exact(const irl__eval_memory *m)
{
    for (size_t cell = 0; m->error && cell < m->cells; cell++)
        if (m->error[cell] != 0) return 0;
    return 1;
}

/* *is_exact is cleared where the argument is not. */
static int irl__evaluate_argument(irl__interpreter *in, const irl_expr *a, irl_extern_value *out,
                                  int *is_exact)
{
    irl__scalar    *top = in->top;
    irl__eval_value v;
    memset(out, 0, sizeof *out);
    if (a->type.is_pointer) {
        irl__eval_memory *m = irl__evaluate_passed(in, a);
        if (!m) return 0;
        out->pointer = m->bytes;
        out->bytes = m->size;
        *is_exact &= irl__evaluate_memory_is_exact(m);
        return 1;
    }
    if (a->type.lanes != 1)
        return IRL__FAIL(in->cx, IRL_ERROR_UNSUPPORTED, "an argument of a call is a scalar or "
                         "memory; found %s", irl__type_cstr(in->cx, a->type));
    if (!irl__evaluate_operand(in, a, &v)) return 0;
    if (v.undef) return irl__evaluate_undef_fail(in, "an argument of a call");
    irl__extern_argument(a->type, v.lane[0], out);
    *is_exact &= irl__evaluate_is_exact(&v, 0);
    in->top = top;
    return 1;
}

/* A call of an external function: what it is given, and what its memory held before. */
typedef struct irl__evaluate_call {
    const irl_expr    *e;
    const irl__extern *declared; /* NULL: it is not */
    int                is_exact; /* all that it is given */
    irl_extern_value  *arguments;
    unsigned           char    **before;
} irl__evaluate_call;

static int irl__evaluate_parameter(const void *user, const irl_expr *var, irl__scalar *out)
{
    const irl__evaluate_call *c = (const irl__evaluate_call *)user;
    for (int k = 0; k < c->declared->is.count; k++)
        if (c->declared->is.params[k].var == var) return out->i = c->arguments[k].integer, 1;
    return 0;
}

/* The bytes at the start of the k-th argument's memory that a number of elements has. */
static int irl__evaluate_touched(irl__interpreter *in, const irl__evaluate_call *c, uint32_t k,
                                 const irl_expr *count, const char *what, size_t *bytes)
{
    const irl_expr *var = c->declared->is.params[k].var;
    const size_t    most = c->arguments[k].bytes;
    irl_type        element = var->type;
    irl__valuation  v;
    irl__scalar     n;
    *bytes = most;
    if (!count) return 1;
    element.is_pointer = 0;
    size_t size = irl__type_bytes(element);
    memset(&v, 0, sizeof v);
    v.name = irl__evaluate_parameter;
    v.user = c;
    v.is_exact = 1;
    if (irl__scalar_of(&v, count, &n) != IRL__FOLD_OK)
        return IRL__FAIL(in->cx, IRL_ERROR_BAD_VALUE, "the number of elements of '%s' that '%s' %s "
                         "has no value in this call", var->u.name, c->e->u.name, what);
    if (n.i > 0 && (uint64_t)n.i > most / size)
        return IRL__FAIL(in->cx, IRL_ERROR_OUT_OF_BOUNDS, "'%s' %s %l elements of '%s'; the memory "
                         "that it gets, '%s', has %u", c->e->u.name, what, n.i, var->u.name,
                         c->e->a[k]->u.name, (uint64_t)(most / size));
    *bytes = n.i > 0 ? (size_t)n.i * size : 0;
    return 1;
}

/* The bytes at its start that a call may write, and those that it may read, of the k-th argument
   alone. */
static int irl__evaluate_region(irl__interpreter *in, const irl__evaluate_call *c, uint32_t k,
                                size_t *written)
{
    const irl_extern_param *p = c->declared ? &c->declared->is.params[k] : NULL;
    size_t                  read;
    *written = 0;
    if (!p || (!p->reads && !p->writes)) *written = c->arguments[k].bytes;
    else
        return (!p->reads ||
                irl__evaluate_touched(in, c, k, p->read_count, "reads", &read)) &&
               (!p->writes ||
                irl__evaluate_touched(in, c, k, p->write_count, "writes", written));
    return 1;
}

/* What the call wrote into memory that it got: no more than its prototype says, of all arguments
   that are this memory. */
static int irl__evaluate_see_writes(irl__interpreter *in, const irl__evaluate_call *c, uint32_t k)
{
    irl__eval_memory *m = irl__evaluate_passed(in, c->e->a[k]);
    irl_type          element = c->e->a[k]->type;
    size_t            most = 0, bytes, at;
    for (uint32_t j = 0; m && j < c->e->count; j++) {
        if (!c->before[j] || irl__evaluate_passed(in, c->e->a[j]) != m) continue;
        if (!irl__evaluate_region(in, c, j, &bytes)) return 0;
        if (bytes > most) most = bytes;
    }
    if (!m) return 0;
    for (at = most; at < m->size; at++)
        if (m->bytes[at] != c->before[k][at])
            return IRL__FAIL(in->cx, IRL_ERROR_BROKEN_PROTOTYPE, "'%s' has written byte %u of "
                             "'%s'; its prototype says that it writes %u bytes of it", c->e->u.name,
                             (uint64_t)at, c->e->a[k]->u.name, (uint64_t)most);
    if (!c->declared && memcmp(m->bytes, c->before[k], m->size) == 0) return 1;
    if (!most) return 1;
    m->is_written = 1;
    irl__eval_mark(in, m, 0, most, 0);
    element.is_pointer = 0;
    if (m->error) /* of floats nothing is stated */
        irl__eval_set_error(in, m, element, 0, most,
                            c->is_exact && !irl__type_is_real(element) ? 0 : HUGE_VAL);
    return 1;
}

static int irl__evaluate_call_with(irl__interpreter *in, irl__evaluate_call *c,
                                   irl_extern_value *result)
{
    size_t written;
    for (uint32_t k = 0; k < c->e->count; k++) {
        if (!irl__evaluate_argument(in, c->e->a[k], &c->arguments[k], &c->is_exact)) return 0;
        if (!c->arguments[k].bytes) continue;
        c->before[k] = (unsigned char *)irl__scratch_alloc(in->cx, c->arguments[k].bytes, 1);
        if (!c->before[k]) return 0;
        memcpy(c->before[k], c->arguments[k].pointer, c->arguments[k].bytes);
    }
    for (uint32_t k = 0; c->declared && k < c->e->count; k++)
        if (c->e->a[k]->type.is_pointer && !irl__evaluate_region(in, c, k, &written)) return 0;
    if (!irl__extern_call(in->cx, c->e, c->arguments, result)) return 0;
    for (uint32_t k = 0; k < c->e->count; k++)
        if (c->before[k] && !irl__evaluate_see_writes(in, c, k)) return 0;
    return 1;
}

int irl__eval_call(irl__interpreter *in, const irl_expr *e, irl_extern_value *result,
                   int *is_exact)
{
    irl__arena_mark    mark = irl__scratch_begin(in->cx);
    irl__evaluate_call c;
    c.e = e;
    c.is_exact = 1;
    c.declared = in->externs.count
                     ? (const irl__extern *)irl__ptr_map_get(&in->externs, e->u.name)
                     : NULL;
    c.arguments = IRL__SCRATCH(in->cx, irl_extern_value, e->count);
    c.before = IRL__SCRATCH(in->cx, unsigned char *, e->count);
    int ok = c.arguments && c.before && irl__evaluate_call_with(in, &c, result);
    *is_exact = c.is_exact;
    irl__scratch_end(in->cx, mark);
    return ok;
}

static int irl__evaluate_extern(irl__interpreter *in, const irl_expr *e, irl__eval_value *out)
{
    irl_extern_value result;
    int              is_exact;
    if (e->type.lanes != 1 || e->type.is_pointer)
        return IRL__FAIL(in->cx, IRL_ERROR_UNSUPPORTED, "'%s' returns %s: the interpreter takes a "
                         "scalar, and a pointer by let", e->u.name,
                         irl__type_cstr(in->cx, e->type));
    if (!irl__eval_call(in, e, &result, &is_exact) ||
        !irl__extern_result(in->cx, e, &result, &out->lane[0]))
        return 0;
    if (out->error)
        out->error[0].f = irl__rounding_function(e->type, is_exact, out->lane[0]);
    return 1;
}

/* ------------------------------------------------------------------ by operator */

static int irl__evaluate_op(irl__interpreter *in, const irl_expr *e, irl__eval_value *out)
{
    switch (e->op) {
    case IRL_OP_VAR: return irl__evaluate_var(in, e, out);
    case IRL_OP_UNDEF:
        for (uint32_t k = 0; k < e->type.lanes; k++) irl__evaluate_set_undef(out, k);
        return 1;
    case IRL_OP_AND:
    case IRL_OP_OR: return irl__evaluate_lazy(in, e, out);
    case IRL_OP_SELECT: return irl__evaluate_select(in, e, out);
    case IRL_OP_IF_THEN_ELSE: {
        const int64_t lost = in->lost;
        int64_t       condition;
        if (!irl__eval_number(in, e->a[0], "the condition of if_then_else", &condition)) return 0;
        int is_lost = in->lost != lost;
        in->lost = lost;
        if (!irl__eval_expr(in, e->a[condition ? 1 : 2], out)) return 0;
        if (is_lost) irl__evaluate_set_errors(out, e->type.lanes, HUGE_VAL);
        return 1;
    }
    case IRL_OP_CAST: return irl__evaluate_cast(in, e, out);
    case IRL_OP_REINTERPRET: return irl__evaluate_reinterpret(in, e, out);
    case IRL_OP_RAMP: return irl__evaluate_ramp(in, e, out);
    case IRL_OP_BROADCAST: {
        uint32_t lanes = e->a[0]->type.lanes, k;
        if (!irl__eval_expr(in, e->a[0], out)) return 0;
        for (k = lanes; k < e->type.lanes; k++) {
            out->lane[k] = out->lane[k - lanes];
            irl__evaluate_copy_error(out, k, out, k - lanes);
            out->undef |= (out->undef >> (k - lanes) & 1) << k;
        }
        return 1;
    }
    case IRL_OP_SHUFFLE: return irl__evaluate_shuffle(in, e, out);
    case IRL_OP_LANE: return irl__evaluate_lane(in, e, out);
    case IRL_OP_LET: {
        irl__eval_value v;
        if (!irl__evaluate_operand(in, e->a[1], &v)) return 0;
        irl__eval_bind(in, irl__eval_bound(in, e->a[0]->id), e->a[0]->type, &v);
        return irl__eval_expr(in, e->a[2], out);
    }
    case IRL_OP_LOAD: return irl__evaluate_load(in, e, out);
    case IRL_OP_CALL_EXTERN: return irl__evaluate_extern(in, e, out);
    case IRL_OP_CALL_INTRINSIC: return irl__evaluate_intrinsic(in, e, out);
    default: return irl__evaluate_table(in, e, out);
    }
}

int irl__eval_expr(irl__interpreter *in, const irl_expr *e, irl__eval_value *out)
{
    irl__scalar *top = in->top;
    if (!irl__eval_step(in)) return 0;
    out->undef = 0;
    if (out->error) irl__evaluate_set_errors(out, e->type.lanes, 0);
    if (e->op == IRL_OP_INT) return out->lane[0].i = e->u.i, 1;
    if (e->op == IRL_OP_FLOAT) return out->lane[0].f = e->u.f, 1;
    int ok = irl__evaluate_op(in, e, out);
    in->top = top;
    return ok;
}
