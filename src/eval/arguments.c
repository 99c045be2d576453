/* arguments.c - what a caller passes to a function, and whether two results are the same.

   needs     func.c, simplify.c, ulp.c
   promises  the shapes are those that the interpreter and the runtime will require; nothing reads
             an array that was not passed */
#include "eval.h"
#include "../arith/arith.h"

#include <float.h>
#include <math.h>

/* ------------------------------------------------------------------ one argument, described */

int irl__passed_take(irl_ctx *cx, const irl_arguments *arguments, irl__passed *out)
{
    out->count = arguments->count;
    out->data = arguments->data;
    out->size = arguments->size;
    out->is_number = arguments->is_number;
    if (out->count >= 0 && out->count <= IRL_MAX_ARGUMENTS) return 1;
    return IRL__FAIL(cx, IRL_ERROR_ARGUMENT_MISMATCH, "there are %d arguments; at most %d can be "
                     "passed this way, and any number as tensors", out->count, IRL_MAX_ARGUMENTS);
}

/* e with values in the place of parameters; in scratch memory of the caller's. */
static const irl_expr *irl__argument_put(const irl_func *f, const irl__passed *passed,
                                         const irl_expr *e)
{
    const irl_expr **from = IRL__SCRATCH(f->cx, const irl_expr *, f->param_count + 1);
    const irl_expr **to = IRL__SCRATCH(f->cx, const irl_expr *, f->param_count + 1);
    int k, n = 0;
    if (!from || !to) return NULL;
    for (k = 0; k < f->param_count && k < passed->count; k++) {
        const irl_expr *var = f->params[k].var;
        if (f->params[k].buffer || !irl__type_is_integer(var->type) || var->type.lanes != 1 ||
            !passed->data[k])
            continue;
        from[n] = var;
        to[n++] = irl_expr_int(f->cx, var->type, irl__load_scalar(var->type, passed->data[k]).i);
    }
    return n ? irl__substitute(f->cx, e, n, from, to) : e;
}

const irl_expr *irl__argument_known(const irl_func *f, const irl__passed *passed,
                                    const irl_expr *e)
{
    if (!irl__is_const(e)) {
        irl__arena_mark mark = irl__scratch_begin(f->cx);
        e = irl__argument_put(f, passed, e);
        irl__scratch_end(f->cx, mark);
    }
    return irl__simplify_alone(f->cx, e);
}

/* ------------------------------------------------------------ the sizes that IRL_ARGS says */

/* Is it a row of the array, a plane, ..., or all of it? */
static int irl__argument_is_part(const irl_func *f, const irl__passed *passed,
                                 const irl__param *p, size_t size)
{
    int64_t bytes = (int64_t)irl__type_bytes(p->buffer->type);
    for (int axis = p->logical_rank; axis-- > 0;) {
        const irl_expr *extent = irl__argument_known(f, passed, p->logical_shape[axis]);
        if (!extent || extent->op != IRL_OP_INT || !irl__mul64(bytes, extent->u.i, &bytes) ||
            bytes <= 0)
            return 0;
        if ((uint64_t)bytes == size) return 1;
    }
    return 0;
}

/* "; n is a parameter because nothing declares it ...": likely constants of C that were not passed;
   "" if there are none. */
static const char *irl__argument_implicit(const irl_func *f)
{
    irl__text names;
    int       count = 0;
    irl__text_init(&names, f->cx);
    for (int k = 0; k < f->param_count; k++)
        if (f->params[k].is_implicit)
            irl__textf(&names, count++ ? ", %s" : "%s", f->params[k].name);
    const char *text = irl__text_or_empty(irl__text_done(&names));
    if (!count) return "";
    return irl__text_or_empty(irl__format(
        f->cx, "; %s %s because nothing declares %s: a constant is passed with IRL_LET(%s)", text,
        count == 1 ? "is a parameter" : "are parameters", count == 1 ? "it" : "them", text));
}

int irl__arguments_counted(const irl_func *f, int count)
{
    return count == f->param_count ||
           irl__fail(f->cx, IRL_ERROR_ARGUMENT_MISMATCH, f->loc,
                     "'%s' takes %d arguments, one for each parameter; %d given%s", f->name,
                     f->param_count, count, irl__argument_implicit(f));
}

int irl__argument_sized(const irl_func *f, const irl__passed *passed, int k)
{
    const irl__param *p = &f->params[k];
    irl_type          type = p->buffer ? p->buffer->type : p->var->type;
    const size_t      size = passed->size ? passed->size[k] : 0,
                      scalar = irl__type_bytes(irl__type_with_lanes(type, 1));
    if (!size || !passed->data[k] || size == scalar) return 1;
    if (p->buffer && p->buffer->bits) return 1; /* bytes, of which the array may have any number */
    if (!passed->is_number[k] &&
        (size == irl__type_bytes(type) ||
         (p->buffer && irl__argument_is_part(f, passed, p, size))))
        return 1;
    return irl__fail(f->cx, IRL_ERROR_ARGUMENT_MISMATCH, p->loc,
                     "argument %d, for %s, points to %s of %z bytes; %s needs %z (IRL_POINTERS "
                     "passes memory unchecked)%s",
                     k, p->name, passed->is_number[k] ? "numbers" : "something", size,
                     irl__type_cstr(f->cx, type), scalar,
                     p->is_implicit ? irl__argument_implicit(f) : "");
}

int irl__scalars_sized(const irl_func *f, const irl__passed *passed)
{
    for (int k = 0; k < f->param_count && k < passed->count; k++)
        if (!f->params[k].buffer && !irl__argument_sized(f, passed, k)) return 0;
    return 1;
}

int irl__arguments_sized(const irl_func *f, const irl__passed *passed)
{
    if (!irl__arguments_counted(f, passed->count) || !irl__scalars_sized(f, passed))
        return 0; /* on which extents depend */
    for (int k = 0; k < f->param_count && k < passed->count; k++)
        if (f->params[k].buffer && !irl__argument_sized(f, passed, k)) return 0;
    return 1;
}

/* The value of an extent. */
static int irl__argument_extent(const irl_func *f, const irl__passed *passed, const irl__param *p,
                                const irl_expr *extent, int64_t *out)
{
    irl_ctx *cx = f->cx;
    extent = irl__argument_known(f, passed, extent);
    if (!extent) return 0;
    if (extent->op != IRL_OP_INT)
        return irl__fail(
            cx, IRL_ERROR_ARGUMENT_MISMATCH, p->loc,
            "the shape of '%s' depends on parameters; their values must be passed", p->name);
    if (extent->u.i < 0)
        return irl__fail(cx, IRL_ERROR_ARGUMENT_MISMATCH, p->loc,
                         "the argument for '%s' would have a negative extent: %l", p->name,
                         extent->u.i);
    *out = extent->u.i;
    return 1;
}

static int irl__argument_is_too_large(const irl_func *f, const irl__param *p)
{
    return irl__fail(f->cx, IRL_ERROR_OVERFLOW, p->loc,
                     "the argument for '%s' is larger than memory can be", p->name);
}

/* An array of `rank` extents, compact, or the scalar. */
static int irl__argument_describe(const irl_func *f, const irl__passed *passed,
                                  const irl__param *p, int rank, const irl_expr *const *extents,
                                  irl_tensor *out)
{
    int64_t bytes;
    int     axis, is_empty = 0;
    out->type = p->buffer ? p->buffer->type : p->var->type;
    out->bits = p->buffer ? p->buffer->bits : 0;
    out->shape.rank = p->buffer ? rank : 0;
    bytes = p->buffer && p->buffer->bits ? p->buffer->bits : (int64_t)irl__type_bytes(out->type);
    for (axis = 0; axis < out->shape.rank; axis++) {
        int64_t *extent = &out->shape.extent[axis];
        if (!irl__argument_extent(f, passed, p, extents[axis], extent)) return 0;
        if (*extent > IRL__MOST_EXTENT) return irl__argument_is_too_large(f, p);
        is_empty |= *extent == 0;
    }
    if (is_empty) bytes = 0; /* whatever the others are: their product may not fit */
    for (axis = 0; axis < out->shape.rank && !is_empty; axis++)
        if (!irl__mul64(bytes, out->shape.extent[axis], &bytes) || (uint64_t)bytes > SIZE_MAX)
            return irl__argument_is_too_large(f, p);
    if (p->buffer && p->buffer->bits) bytes = bytes / 8 + (bytes % 8 != 0);
    out->bytes = (size_t)bytes;
    return 1;
}

static int irl__argument_is_there(const irl_func *f, int k, irl_tensor *out)
{
    if (!f || !out || !irl__ok(f->cx)) return 0;
    memset(out, 0, sizeof *out);
    if (k >= 0 && k < f->param_count) return 1;
    return irl__fail(f->cx, IRL_ERROR_BAD_ARGUMENT, f->loc,
                     "'%s' has %d parameters; there is no number %d", f->name, f->param_count, k);
}

int irl_func_param_tensor(const irl_func *f, int k, irl_arguments arguments, irl_tensor *out)
{
    irl__passed passed;
    if (!irl__argument_is_there(f, k, out) || !irl__passed_take(f->cx, &arguments, &passed) ||
        !irl__scalars_sized(f, &passed))
        return 0;
    return irl__argument_describe(f, &passed, &f->params[k], f->params[k].logical_rank,
                                  f->params[k].logical_shape, out);
}

/* From the start of the memory to the last element that is reached, where they do not lie side by
   side. */
static int irl__argument_reach(const irl_func *f, const irl__passed *passed, const irl__param *p,
                               irl_tensor *out)
{
    const irl_buffer *b = p->buffer;
    int64_t           offset = 0, stride, count = (int64_t)out->bytes;
    int               axis, fits = 1;
    if (!b->bits) count /= (int64_t)irl__type_bytes(b->type);
    for (axis = 0, count = b->bits ? b->bits : count; b->bits && axis < b->rank; axis++)
        count *= out->shape.extent[axis]; /* no more than 8 times the bytes */
    if (b->strides && count) {
        count = irl__buffer_step(b);
        for (axis = 0; axis < b->rank; axis++) {
            if (!irl__argument_extent(f, passed, p, b->strides[axis], &stride)) return 0;
            fits = fits && irl__mul64(out->shape.extent[axis] - 1, stride, &stride) &&
                   irl__add64(count, stride, &count);
        }
    }
    if (b->offset && !irl__argument_extent(f, passed, p, b->offset, &offset)) return 0;
    fits = fits && irl__add64(count, offset, &count) &&
           irl__buffer_step_bytes(b, count, &count) &&
           (uint64_t)count <= SIZE_MAX;
    out->bytes = (size_t)count;
    return fits || irl__argument_is_too_large(f, p);
}

int irl_func_param_memory(const irl_func *f, int k, irl_arguments arguments, irl_tensor *out)
{
    irl__passed passed;
    if (!irl__argument_is_there(f, k, out) || !irl__passed_take(f->cx, &arguments, &passed) ||
        !irl__scalars_sized(f, &passed))
        return 0;
    const irl__param *p = &f->params[k];
    return irl__argument_describe(f, &passed, p, p->buffer ? p->buffer->rank : 0,
                                  p->buffer ? p->buffer->shape : NULL, out) &&
           (!p->buffer || irl__argument_reach(f, &passed, p, out));
}

/* ------------------------------------------------------------------ two results, compared */

int64_t irl_array_difference(irl_type type, int64_t count, const void *a, const void *b, int ulp)
{
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    irl_type       scalar = irl__type_with_lanes(type, 1);
    size_t         bytes = irl__type_bytes(scalar);
    int64_t        k;
    for (k = 0; k < count * (int64_t)type.lanes; k++, x += bytes, y += bytes)
        if (!irl__values_close(scalar, irl__load_scalar(scalar, x), irl__load_scalar(scalar, y),
                               ulp))
            return k / (int64_t)type.lanes;
    return -1;
}

/* |a - b| as a part of what both errors allow: at most 1 where they agree. */
static double irl__agreement_part(irl_type type, irl__scalar a, irl__scalar b, double errors)
{
    if (!irl__type_is_real(type)) return a.i == b.i ? 0 : HUGE_VAL;
    if (a.f == b.f || (a.f != a.f && b.f != b.f)) return 0;
    double part = fabs(a.f - b.f) / errors;
    return part == part ? part : HUGE_VAL; /* infinities, or no number at one of them */
}

int64_t irl_array_beyond(irl_type type, int64_t count, const void *a, const double *a_errors,
                         const void *b, const double *b_errors, irl_agreement *sum)
{
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    irl_type       scalar = irl__type_with_lanes(type, 1);
    size_t         bytes = irl__type_bytes(scalar);
    int64_t        k, first = -1;
    irl_agreement  all;
    memset(&all, 0, sizeof all);
    if (sum) all = *sum;
    for (k = 0; k < count * (int64_t)type.lanes; k++, x += bytes, y += bytes) {
        const double errors = a_errors[k] + b_errors[k];
        double       part = 0;
        if (errors <= DBL_MAX)
            part = irl__agreement_part(scalar, irl__load_scalar(scalar, x),
                                       irl__load_scalar(scalar, y), errors);
        else all.unbounded++;
        all.numbers++;
        if (part > all.worst) all.worst = part;
        if (!(part <= 1) && first < 0) first = k / (int64_t)type.lanes;
    }
    if (sum) *sum = all;
    return first;
}

/* Division, roots and the transcendental functions: a device may round them otherwise, within
   OpenCL's bounds. */
static int irl__tolerance_expr(irl__visitor *v, const irl_expr *e)
{
    int *ulp = (int *)v->user;
    switch ((irl_op)e->op) {
    /* a division by the largest */
    case IRL_OP_CAST: *ulp |= irl__type_is_normalised(e->a[0]->type) ? 16 : 0; break;
    case IRL_OP_FMA:
    case IRL_OP_COPYSIGN: break;
    default:
        if (irl__op_is_whole((irl_op)e->op)) break;
        if (irl__op_info((irl_op)e->op)->rule == IRL__SAME_FLOAT || e->op == IRL_OP_CALL_EXTERN ||
            e->op == IRL_OP_CALL_INTRINSIC)
            *ulp = 16;
    }
    return *ulp == 0;
}

int irl_func_tolerance(const irl_func *f)
{
    int          ulp = 0;
    irl__visitor v = irl__visitor_make(&ulp, irl__tolerance_expr, NULL);
    if (f) irl__visit_stmt(&v, f->body);
    return ulp;
}
