/* interpret.c - the public functions of the interpreter: the user's arrays in, the program's run,
   the results out.

   needs     survey.c, execute.c; programs that the structural verifier accepts, as is asked first
   promises  the user's arrays are logical, compact, row-major. Each parameter lives in memory of
             its ABI shape, filled through its map; padding holds what the parameter says, or is
             undefined. Only what was written is copied back, and only if the whole run was right: a
             failed run leaves the user's arrays as they were */
#include "../analysis/analysis.h"
#include "eval.h"

#include <math.h>

/* A parameter that is a buffer, and the user's array for it. */
typedef struct irl__interpret_argument {
    const irl__param *param;
    irl__eval_view   *view;
    unsigned          char    *data;
    double           *errors; /* of each lane of each element; NULL: not asked for */
    int64_t           shape[IRL_MAX_RANK]; /* logical */
    int64_t           point[IRL_MAX_RANK];
} irl__interpret_argument;

static int irl__interpret_fail(irl__interpreter *in, const irl__param *p, const char *what)
{
    return irl__fail(in->cx, IRL_ERROR_ARGUMENT_MISMATCH, p->loc, "the argument for '%s' %s",
                     p->name, what);
}

/* ------------------------------------------------------------------ where a logical point lies */

static int irl__interpret_index(irl__interpreter *in, const irl__interpret_argument *a, int axis,
                                int64_t *index)
{
    const irl__eval_view *view = a->view;
    if (!a->param->map) *index = a->point[axis];
    else if (!irl__eval_number(in, a->param->map->outputs[axis], "the image of a map", index))
        return 0;
    if (*index >= 0 && *index < view->extent[axis]) return 1;
    return irl__fail(in->cx, IRL_ERROR_MAP_OUT_OF_RANGE, a->param->loc,
                     "a point of '%s' goes to index %l of physical axis %d, which has %l",
                     a->param->name, *index, axis, view->extent[axis]);
}

static int irl__interpret_place(irl__interpreter *in, const irl__interpret_argument *a, size_t *at)
{
    const irl__eval_view *view = a->view;
    uint64_t              element = (uint64_t)view->offset;
    int64_t               index;
    if (a->param->map) {
        for (int k = 0; k < a->param->logical_rank; k++) {
            irl__eval_binding *b = irl__eval_bound(in, a->param->map->inputs[k]->id);
            b->undef = 0;
            b->u.scalar.i = a->point[k];
        }
    }
    for (int axis = 0; axis < view->buffer->rank; axis++) {
        if (!irl__interpret_index(in, a, axis, &index)) return 0;
        element += (uint64_t)index * (uint64_t)view->step[axis];
    }
    /* a bit, of a bit buffer */
    *at = (size_t)element * (view->buffer->bits ? 1 : view->memory->element_bytes);
    return 1;
}

/* Does the user's array lie in memory just as it is? */
static int irl__interpret_is_plain(const irl__interpret_argument *a)
{
    if (a->param->map || a->view->buffer->strides || a->view->buffer->offset) return 0;
    for (int k = 0; k < a->param->logical_rank; k++)
        if (a->shape[k] != a->view->extent[k]) return 0;
    return 1;
}

static int irl__interpret_next_point(irl__interpret_argument *a)
{
    for (int k = a->param->logical_rank; k-- > 0;) {
        if (++a->point[k] < a->shape[k]) return 1;
        a->point[k] = 0;
    }
    return 0;
}

/* `element` counts the user's elements; `at` is a byte of memory, or a bit of a bit buffer's. */
typedef int irl__interpret_visit(irl__interpreter *in, irl__interpret_argument *a, size_t element,
                                 size_t at);

/* Calls `visit` with each logical element of the user's array and its place in memory. */
static int irl__interpret_each(irl__interpreter *in, irl__interpret_argument *a,
                               irl__interpret_visit *visit)
{
    size_t at, element = 0;
    for (int k = 0; k < a->param->logical_rank; k++) {
        if (a->shape[k] == 0) return 1;
        a->point[k] = 0;
    }
    do {
        if (!irl__interpret_place(in, a, &at) || !visit(in, a, element, at)) return 0;
        element++;
    } while (irl__interpret_next_point(a));
    return 1;
}

/* ------------------------------------------------------------------ in */

/* Overlapping strides may repeat a value; a map may not send two points to one cell. */
static int irl__interpret_pack_element(irl__interpreter *in, irl__interpret_argument *a,
                                       size_t element, size_t at)
{
    irl__eval_memory *m = a->view->memory;
    const unsigned    char *data = a->data + element * m->element_bytes;
    if (a->view->buffer->bits) {
        const irl_buffer *b = a->view->buffer;
        irl__bitfield_put(b, a->view->memory->bytes, at,
                          irl__bitfield_bits(b, a->data, (uint64_t)element * (uint64_t)b->bits));
        return 1;
    }
    if (!irl__eval_is_undefined(in, m, at, m->element_bytes) &&
        (a->param->map || memcmp(m->bytes + at, data, m->element_bytes) != 0))
        return irl__fail(in->cx, IRL_ERROR_LOSSY_MAP, a->param->loc,
                         "two points of '%s' share element %z of its memory", a->param->name,
                         at / m->element_bytes);
    memcpy(m->bytes + at, data, m->element_bytes);
    irl__eval_mark(in, m, at, m->element_bytes, 0);
    return 1;
}

static int irl__interpret_pad(irl__interpreter *in, const irl__interpret_argument *a)
{
    irl__eval_memory *m = a->view->memory;
    const irl_expr   *padding = a->param->padding;
    irl_type          type = a->view->buffer->type;
    irl__scalar      *top = in->top;
    irl__eval_value   v;
    size_t            at, bytes = (size_t)irl__type_info(type)->bytes;
    const int         bits = a->view->buffer->bits;
    if (!irl__eval_lanes(in, padding->type, &v) || !irl__eval_expr(in, padding, &v)) return 0;
    for (at = 0; bits && at + (size_t)bits <= 8 * m->size; at += (size_t)bits)
        irl__bitfield_store(a->view->buffer, m->bytes, at, v.lane[0]);
    if (bits) return in->top = top, 1;
    for (at = 0; at + m->element_bytes <= m->size; at += m->element_bytes) {
        if (!irl__eval_is_undefined(in, m, at, m->element_bytes)) continue;
        for (uint32_t k = 0; k < type.lanes; k++)
            irl__store_scalar(type, m->bytes + at + k * bytes,
                              v.lane[padding->type.lanes == 1 ? 0 : k]);
        irl__eval_mark(in, m, at, m->element_bytes, 0);
    }
    in->top = top;
    return 1;
}

/* ------------------------------------------------------------------ out */

static int irl__interpret_check_element(irl__interpreter *in, irl__interpret_argument *a,
                                        size_t element, size_t at)
{
    const irl__eval_memory *m = a->view->memory;
    if (a->view->buffer->bits) return 1;
    if (!irl__eval_is_undefined(in, m, at, m->element_bytes)) return 1;
    return irl__fail(in->cx, IRL_ERROR_UNDEF_USED, a->param->loc,
                     "the result '%s' is undefined at its element %z, counted in row-major order",
                     a->param->name, element);
}

static int irl__interpret_unpack_element(irl__interpreter *in, irl__interpret_argument *a,
                                         size_t element, size_t at)
{
    const irl_buffer       *b = a->view->buffer;
    const irl__eval_memory *m = a->view->memory;
    (void)in;
    if (b->bits)
        irl__bitfield_put(b, a->data, (uint64_t)element * (uint64_t)b->bits,
                          irl__bitfield_bits(b, m->bytes, at));
    else memcpy(a->data + element * m->element_bytes, m->bytes + at, m->element_bytes);
    return 1;
}

/* ------------------------------------------------------------------ errors */

/* A number for each lane of the user's element. */
static int irl__interpret_element_errors(irl__interpreter *in, irl__interpret_argument *a,
                                         size_t element, size_t at)
{
    const irl_buffer       *b = a->view->buffer;
    const irl__eval_memory *m = a->view->memory;
    const size_t            bytes = (size_t)irl__type_info(b->type)->bytes,
                            end = b->bits ? (at + (size_t)b->bits + 7) / 8 : 0;
    double *to = a->errors + element * b->type.lanes;
    if (b->bits) to[0] = irl__eval_error(in, m, b->type, at / 8, end - at / 8);
    else
        for (uint32_t k = 0; k < b->type.lanes; k++)
            to[k] = irl__eval_error(in, m, b->type, at + k * bytes, bytes);
    return 1;
}

static int irl__interpret_lost_errors(irl__interpreter *in, irl__interpret_argument *a,
                                      size_t element, size_t at)
{
    const uint32_t lanes = a->view->buffer->type.lanes;
    (void)at;
    for (uint32_t k = 0; k < lanes; k++) a->errors[element * lanes + k] = in->lost ? HUGE_VAL : 0;
    return 1;
}

/* What an undecided number decided may have been written, or not, anywhere. */
static int irl__interpret_errors(irl__interpreter *in, const irl__eval_run *run,
                                 irl__interpret_argument *list)
{
    if (!in->error_at) return 1;
    for (int k = 0; k < run->f->param_count; k++) {
        list[k].errors = run->how->errors[k];
        if (!list[k].view || !list[k].errors) continue;
        if (!irl__interpret_each(in, &list[k],
                                 in->lost || !list[k].view->memory->is_written
                                     ? irl__interpret_lost_errors
                                     : irl__interpret_element_errors))
            return 0;
    }
    if (run->how->undecided) *run->how->undecided = in->undecided;
    return 1;
}

/* ------------------------------------------------------------------ all of them */

static int irl__interpret_all_written(irl__interpreter *in, irl__interpret_argument *list,
                                      int count, irl__interpret_visit *visit)
{
    for (int k = 0; k < count; k++)
        if (list[k].view && list[k].view->memory->is_written &&
            !irl__interpret_each(in, &list[k], visit))
            return 0;
    return 1;
}

/* ------------------------------------------------------------------ binding and checking */

static int irl__interpret_bind_scalar(irl__interpreter *in, const irl__param *p,
                                      const unsigned char *data)
{
    irl__eval_binding *b = irl__eval_bound(in, p->var->id);
    irl_type           type = p->var->type;
    size_t             bytes = (size_t)irl__type_info(type)->bytes;
    irl__scalar *lanes =
        type.lanes == 1 ? &b->u.scalar : IRL__SCRATCH(in->cx, irl__scalar, type.lanes);
    if (!lanes) return 0;
    for (uint32_t k = 0; k < type.lanes; k++) lanes[k] = irl__load_scalar(type, data + k * bytes);
    if (type.lanes != 1) b->u.lanes = lanes;
    b->undef = 0;
    return 1;
}

static int irl__interpret_shape(irl__interpreter *in, irl__interpret_argument *a)
{
    const irl__param *p = a->param;
    for (int k = 0; k < p->logical_rank; k++) {
        if (!irl__eval_number(in, p->logical_shape[k], "an extent", &a->shape[k])) return 0;
        if (a->shape[k] < 0) return irl__interpret_fail(in, p, "would have a negative extent");
        if (a->shape[k] > IRL__MOST_EXTENT)
            return irl__interpret_fail(in, p, "would be larger than memory can be");
    }
    return p->map || p->logical_rank == p->buffer->rank ||
           irl__interpret_fail(in, p, "has no map from its logical to its ABI shape");
}

static int irl__interpret_bind_buffer(irl__interpreter *in, irl__interpret_argument *a)
{
    if (!irl__interpret_shape(in, a)) return 0;
    a->view = irl__eval_declare(in, a->param->buffer, NULL);
    if (!a->view) return 0;
    irl__eval_memory *m = a->view->memory;
    if (irl__interpret_is_plain(a)) {
        if (m->size) {
            memcpy(m->bytes, a->data, m->size);
            memset(m->is_undefined, 0, m->cells);
        }
        return 1;
    }
    if (a->view->buffer->bits && a->param->padding && !irl__interpret_pad(in, a)) return 0;
    if (!irl__interpret_each(in, a, irl__interpret_pack_element)) return 0;
    return !a->param->padding || a->view->buffer->bits || irl__interpret_pad(in, a);
}

/* Scalars first: shapes depend on them. */
static int irl__interpret_all_bind(irl__interpreter *in, const irl__eval_run *run,
                                   irl__interpret_argument *list)
{
    const irl_func *f = run->f;
    for (int k = 0; k < f->param_count; k++) {
        list[k].param = &f->params[k];
        /* written only where the program writes its parameter */
        list[k].data = (unsigned char *)(uintptr_t)run->data[k];
        if (!run->data[k]) return irl__interpret_fail(in, &f->params[k], "is NULL");
        if (f->params[k].buffer) continue;
        if (!irl__interpret_bind_scalar(in, &f->params[k], list[k].data)) return 0;
    }
    for (int k = 0; k < f->param_count; k++)
        if (f->params[k].buffer && !irl__interpret_bind_buffer(in, &list[k])) return 0;
    return 1;
}

/* ------------------------------------------------------------------ running */

static int irl__interpret_externs(irl__interpreter *in, const irl_func *f)
{
    for (int k = 0; k < f->extern_count; k++)
        if (!irl__ptr_map_put(in->cx, &in->externs, f->externs[k].is.name, &f->externs[k]))
            return 0;
    return 1;
}

static int irl__interpret_prepared(irl__interpreter *in, const irl__eval_run *run)
{
    irl__interpret_argument *list =
        IRL__SCRATCH(in->cx, irl__interpret_argument, run->f->param_count);
    irl__eval_item item;
    memset(&item, 0, sizeof item);
    /* Those of one name in a module are one. */
    if (!list || !irl__eval_survey(in, run->f)) return 0;
    int k, ok = irl__interpret_externs(in, run->f);
    for (k = 0; ok && in->module && k < in->module->kernel_count; k++)
        ok = irl__interpret_externs(in, in->module->kernels[k]);
    if (!ok) return 0;
    item.env = irl__item_env(in);
    in->item = in->set = &item;
    in->set_count = 1;
    return item.env && irl__interpret_all_bind(in, run, list) && irl__temporaries_begin(in) &&
           irl__execute_func(in, run->f) &&
           (run->is_dry || (irl__interpret_all_written(in, list, run->f->param_count,
                                                       irl__interpret_check_element) &&
                            irl__interpret_all_written(in, list, run->f->param_count,
                                                       irl__interpret_unpack_element) &&
                            irl__interpret_errors(in, run, list)));
}

int irl__interpret(irl_ctx *cx, const irl__eval_run *asked)
{
    irl__interpreter in;
    irl__eval_run    stated = *asked, *run = &stated;
    if (!irl__ok(cx) || !(run->module ? irl__verify_module(run->module) : irl__verify(run->f)))
        return 0;
    run->f = irl__func_kinds(run->f);
    if (!run->f) return 0;
    if (!irl__arguments_counted(run->f, run->count)) return 0;
    memset(&in, 0, sizeof in);
    in.cx = cx;
    in.module = run->module;
    in.error_at = run->how && run->how->errors && !run->is_dry; /* how far, the survey says */
    in.step_limit =
        run->step_limit && run->step_limit < IRL__STEP_LIMIT ? run->step_limit : IRL__STEP_LIMIT;
    irl__arena_mark mark = irl__scratch_begin(cx);
    int             ok = irl__interpret_prepared(&in, run);
    irl__scratch_end(cx, mark);
    return ok && irl__ok(cx);
}

static int irl__interpret_is_unproved(const irl_func *f)
{
    for (int k = 0; k < f->annotation_count; k++)
        if (strcmp(f->annotations[k].key, IRL__ATTR_UNPROVED) == 0) return 1;
    return 0;
}

/* In flat memory an index beyond its row is an element of the next: what was not proved to lie
   inside when the module was lowered is looked at in the function that it was made of. */
static int irl__interpret_origin(const irl__eval_run *run)
{
    const irl_func *f = run->module ? run->module->origin : NULL;
    irl__eval_run   dry = *run;
    /* Both must take the same arrays: many-to-one layouts want the memory itself. */
    if (!f || !irl__ok(f->cx) || !irl__interpret_is_unproved(run->f) || irl__stmt_calls(f, f->body))
        return 1;
    const irl_func *b = run->f;
    int             j;
    for (int k = 0; k < f->param_count && f->param_count == b->param_count; k++) {
        const irl__param *p = &f->params[k], *q = &b->params[k];
        if (!p->buffer != !q->buffer || p->logical_rank != q->logical_rank) return 1;
        for (j = 0; p->buffer && j < p->logical_rank; j++)
            if (p->logical_shape[j] != q->logical_shape[j]) return 1;
    }
    if (f->param_count != b->param_count) return 1;
    dry.f = f;
    dry.module = NULL;
    dry.is_dry = 1;
    irl_mark mark = irl_ctx_mark(f->cx);
    if (!irl__interpret(f->cx, &dry) && f->cx->diag.code == IRL_ERROR_OUT_OF_BOUNDS) return 0;
    irl_ctx_rewind(f->cx, mark);
    return 1;
}

static int irl__interpret_pointers(const irl_func *f, const irl_module *m,
                                   const irl__passed *passed, const irl_interpret_options *how)
{
    irl__eval_run run;
    memset(&run, 0, sizeof run);
    run.f = f;
    run.module = m;
    run.count = passed->count;
    run.data = passed->data;
    run.how = how;
    return irl__ok(f->cx) && (m ? irl__verify_module(m) : irl__verify(f)) &&
           irl__arguments_sized(f, passed) && irl__interpret_origin(&run) &&
           irl__interpret(f->cx, &run);
}

int irl_func_interpret_with(const irl_func *f, irl_arguments arguments,
                            const irl_interpret_options *how)
{
    irl__passed passed;
    return f && irl__passed_take(f->cx, &arguments, &passed) &&
           irl__interpret_pointers(f, NULL, &passed, how);
}

int irl_module_interpret_with(const irl_module *m, irl_arguments arguments,
                              const irl_interpret_options *how)
{
    irl__passed passed;
    return m && m->host && irl__passed_take(m->cx, &arguments, &passed) &&
           irl__interpret_pointers(m->host, m, &passed, how);
}

int irl_func_interpret(const irl_func *f, irl_arguments arguments)
{
    return irl_func_interpret_with(f, arguments, NULL);
}

int irl_module_interpret(const irl_module *m, irl_arguments arguments)
{
    return irl_module_interpret_with(m, arguments, NULL);
}

/* Of f alone, or as the host function of m. */
static int irl__interpret_tensors(const irl_func *f, const irl_module *m, int count,
                                  const irl_tensor *tensors)
{
    irl__passed     passed;
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    const int       ok = irl__check_tensors(f, m, count, tensors, &passed) &&
                         irl__interpret_pointers(f, m, &passed, NULL);
    irl__scratch_end(f->cx, mark);
    return ok;
}

int irl_func_interpret_tensors(const irl_func *f, int count, const irl_tensor *tensors)
{
    return f ? irl__interpret_tensors(f, NULL, count, tensors) : 0;
}

int irl_module_interpret_tensors(const irl_module *m, int count, const irl_tensor *tensors)
{
    return m && m->host ? irl__interpret_tensors(m->host, m, count, tensors) : 0;
}
