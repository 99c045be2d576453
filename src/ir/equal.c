/* equal.c - equality of functions, modules and maps: the same form, up to the names of what they
   bind.

   needs     ptr_map.c
   promises  places and ids do not count, constants count bit for bit, a variable of one side stands
             for exactly one of the other; the two sides may belong to different contexts; time
             linear in their size */
#include "ir.h"

typedef struct irl__equal {
    irl_ctx     *cx; /* of one side: for scratch memory */
    irl__ptr_map to, from; /* variables and buffers of a -> those of b, and back */
} irl__equal;

static int irl__equal_expr(irl__equal *q, const irl_expr *a, const irl_expr *b);
static int irl__equal_stmt(irl__equal *q, const irl_stmt *a, const irl_stmt *b);

static int irl__equal_name(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* From here on a of one side is b of the other. */
static int irl__equal_bind(irl__equal *q, const void *a, const void *b)
{
    return irl__ptr_map_put(q->cx, &q->to, a, b) && irl__ptr_map_put(q->cx, &q->from, b, a);
}

static int irl__equal_are_paired(const irl__equal *q, const void *a, const void *b)
{
    return irl__ptr_map_get(&q->to, a) == b && irl__ptr_map_get(&q->from, b) == a;
}

static int irl__equal_are_free(const irl__equal *q, const void *a, const void *b)
{
    return !irl__ptr_map_get(&q->to, a) && !irl__ptr_map_get(&q->from, b);
}

static int irl__equal_new_var(irl__equal *q, const irl_expr *a, const irl_expr *b)
{
    return irl_type_equal(a->type, b->type) && irl__equal_bind(q, a, b);
}

/* ------------------------------------------------------------------ buffers */

static int irl__equal_exprs(irl__equal *q, int count, const irl_expr *const *a,
                            const irl_expr *const *b)
{
    if (!count) return 1;
    if (!a != !b) return 0;
    for (int k = 0; a && k < count; k++)
        if (!irl__equal_expr(q, a[k], b[k])) return 0;
    return 1;
}

/* Both missing, or both there and equal. */
static int irl__equal_maybe(irl__equal *q, const irl_expr *a, const irl_expr *b)
{
    return !a || !b ? a == b : irl__equal_expr(q, a, b);
}

static int irl__equal_ints(int count, const int *a, const int *b)
{
    return count == 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

static int irl__equal_new_buffer(irl__equal *q, const irl_buffer *a, const irl_buffer *b)
{
    if (a->rank != b->rank || a->scope != b->scope || a->alignment != b->alignment ||
        a->separator_count != b->separator_count || a->texel != b->texel ||
        a->bits != b->bits || a->bit_order != b->bit_order || a->norm != b->norm ||
        a->is_field != b->is_field)
        return 0;
    if (!irl_type_equal(a->type, b->type) ||
        !irl__equal_ints(a->separator_count, a->separators, b->separators))
        return 0;
    if (!irl__equal_exprs(q, a->rank, a->shape, b->shape) ||
        !irl__equal_exprs(q, a->rank, a->strides, b->strides))
        return 0;
    if (!irl__equal_maybe(q, a->offset, b->offset)) return 0;
    if (irl__equal_are_free(q, a->data, b->data) ? !irl__equal_new_var(q, a->data, b->data)
                                                 : !irl__equal_are_paired(q, a->data, b->data))
        return 0;
    return irl__equal_bind(q, a, b);
}

/* A buffer that nothing declares is told by its name and form. */
static int irl__equal_buffer(irl__equal *q, const irl_buffer *a, const irl_buffer *b)
{
    if (!irl__equal_are_free(q, a, b)) return irl__equal_are_paired(q, a, b);
    return irl__equal_name(a->name, b->name) && irl__equal_new_buffer(q, a, b);
}

/* ------------------------------------------------------------------ expressions */

static int irl__equal_expr(irl__equal *q, const irl_expr *a, const irl_expr *b)
{
    if (a == b && !(a->flags & (IRL__HAS_VAR | IRL__HAS_MEMORY | IRL__HAS_LET))) return 1;
    if (a->op != b->op || a->count != b->count || a->size != b->size || a->depth != b->depth ||
        a->flags != b->flags)
        return 0;
    if (!irl_type_equal(a->type, b->type)) return 0;
    switch (a->op) {
    /* A variable that nothing binds has its name alone. */
    case IRL_OP_VAR:
        return irl__equal_are_free(q, a, b)
                   ? irl__equal_name(a->u.name, b->u.name) && irl__equal_new_var(q, a, b)
                   : irl__equal_are_paired(q, a, b);
    case IRL_OP_LET:
        return irl__equal_expr(q, a->a[1], b->a[1]) && irl__equal_new_var(q, a->a[0], b->a[0]) &&
               irl__equal_expr(q, a->a[2], b->a[2]);
    case IRL_OP_INT:
    case IRL_OP_FLOAT: return memcmp(&a->u, &b->u, sizeof a->u) == 0;
    case IRL_OP_LOAD:
        if (!irl__equal_buffer(q, a->u.buffer, b->u.buffer)) return 0;
        break;
    case IRL_OP_SHUFFLE:
        if (!irl__equal_ints((int)a->type.lanes, a->u.picks, b->u.picks)) return 0;
        break;
    case IRL_OP_CALL_EXTERN:
    case IRL_OP_CALL_INTRINSIC:
        if (!irl__equal_name(a->u.name, b->u.name)) return 0;
        break;
    default: break;
    }
    for (uint32_t k = 0; k < a->count; k++)
        if (!irl__equal_expr(q, a->a[k], b->a[k])) return 0;
    return 1;
}

/* ------------------------------------------------------------------ statements */

static int irl__equal_annotations(irl__equal *q, int count, const irl__annotation *a,
                                  const irl__annotation *b)
{
    for (int k = 0; k < count; k++)
        if (!irl__equal_name(a[k].key, b[k].key) || !irl__equal_name(a[k].text, b[k].text) ||
            !irl__equal_maybe(q, a[k].value, b[k].value))
            return 0;
    return 1;
}

static int irl__equal_field(void *user, irl__field_kind kind, const void *a, const void *b,
                           size_t bytes)
{
    irl__equal *q = (irl__equal *)user;
    switch (kind) {
    case IRL__FIELD_EXPR:
        return irl__equal_maybe(q, *(const irl_expr *const *)a, *(const irl_expr *const *)b);
    case IRL__FIELD_STMT:
        return irl__equal_stmt(q, *(const irl_stmt *const *)a, *(const irl_stmt *const *)b);
    case IRL__FIELD_VAR:
        return irl__equal_new_var(q, *(const irl_expr *const *)a, *(const irl_expr *const *)b);
    case IRL__FIELD_BUFFER:
        return irl__equal_buffer(q, *(const irl_buffer *const *)a, *(const irl_buffer *const *)b);
    case IRL__FIELD_NEW:
        return irl__equal_new_buffer(q, *(const irl_buffer *const *)a,
                                     *(const irl_buffer *const *)b);
    case IRL__FIELD_NAME:
        return irl__equal_name(*(const char *const *)a, *(const char *const *)b);
    case IRL__FIELD_NOTE:
        return irl__equal_annotations(q, 1, (const irl__annotation *)a,
                                      (const irl__annotation *)b);
    default: return memcmp(a, b, bytes) == 0;
    }
}

static int irl__equal_stmt(irl__equal *q, const irl_stmt *a, const irl_stmt *b)
{
    if (!a || !b) return a == b;
    if (a->kind != b->kind) return 0;
    if (irl__stmt_is_bound(a) && a->u.loop.axis != b->u.loop.axis)
        return 0;
    return irl__fields_both(a, b, irl__equal_field, q);
}

/* ------------------------------------------------------------------ maps */

static int irl__equal_map(irl__equal *q, const irl_map *a, const irl_map *b)
{
    if (!a || !b) return a == b;
    if (a->input_count != b->input_count || a->output_count != b->output_count ||
        a->separator_count != b->separator_count || a->variadic != b->variadic)
        return 0;
    if (a->variadic && (a->variadic_in != b->variadic_in || a->variadic_out != b->variadic_out))
        return 0;
    for (int k = 0; k < a->input_count; k++)
        if (!irl__equal_new_var(q, a->inputs[k], b->inputs[k])) return 0;
    return irl__equal_ints(a->separator_count, a->separators, b->separators) &&
           irl__equal_exprs(q, a->output_count, a->outputs, b->outputs);
}

/* ------------------------------------------------------------------ functions and modules */

static int irl__equal_param(irl__equal *q, const irl__param *a, const irl__param *b)
{
    if (!a->buffer || !b->buffer) /* scalars are bound already */
        return a->buffer == b->buffer && a->is_implicit == b->is_implicit;
    return irl__equal_new_buffer(q, a->buffer, b->buffer) && a->logical_rank == b->logical_rank &&
           irl__equal_exprs(q, a->logical_rank, a->logical_shape, b->logical_shape) &&
           irl__equal_map(q, a->map, b->map) && irl__equal_maybe(q, a->padding, b->padding);
}

static int irl__equal_params(irl__equal *q, const irl_func *a, const irl_func *b)
{
    if (a->param_count != b->param_count) return 0;
    for (int k = 0; k < a->param_count; k++)
        if (!a->params[k].buffer && !b->params[k].buffer &&
            !irl__equal_new_var(q, a->params[k].var, b->params[k].var))
            return 0;
    for (int k = 0; k < a->param_count; k++)
        if (!irl__equal_param(q, &a->params[k], &b->params[k])) return 0;
    return 1;
}

/* The place of a buffer among the parameters; -1: it is none of them. */
static int irl__equal_param_of(const irl_func *f, const char *name)
{
    for (int k = 0; k < f->param_count; k++)
        if (f->params[k].buffer && strcmp(f->params[k].name, name) == 0) return k;
    return -1;
}

static int irl__equal_layouts(irl__equal *q, const irl_func *a, const irl_func *b)
{
    if (a->layout_count != b->layout_count) return 0;
    for (int k = 0; k < a->layout_count; k++) {
        const irl__layout *x = &a->layouts[k], *y = &b->layouts[k];
        int                place = irl__equal_param_of(a, x->buffer);
        if (place != irl__equal_param_of(b, y->buffer) ||
            (place < 0 && !irl__equal_name(x->buffer, y->buffer)))
            return 0;
        if (x->assume_injective != y->assume_injective || !irl__equal_map(q, x->map, y->map) ||
            !irl__equal_maybe(q, x->padding, y->padding) || !x->pad != !y->pad ||
            (x->pad && !irl__equal_map(q, x->pad, y->pad)))
            return 0;
    }
    return 1;
}

static int irl__equal_extern(irl__equal *q, const irl_extern_desc *a, const irl_extern_desc *b)
{
    if (!irl__equal_name(a->name, b->name) || !irl_type_equal(a->type, b->type) ||
        a->count != b->count || !a->is_pure != !b->is_pure)
        return 0;
    for (int k = 0; k < a->count; k++)
        if (!irl__equal_new_var(q, a->params[k].var, b->params[k].var)) return 0;
    for (int k = 0; k < a->count; k++) {
        const irl_extern_param *x = &a->params[k], *y = &b->params[k];
        if (!x->reads != !y->reads || !x->writes != !y->writes ||
            !irl__equal_maybe(q, x->read_count, y->read_count) ||
            !irl__equal_maybe(q, x->write_count, y->write_count))
            return 0;
    }
    return 1;
}

static int irl__equal_externs(irl__equal *q, const irl_func *a, const irl_func *b)
{
    if (a->extern_count != b->extern_count) return 0;
    for (int k = 0; k < a->extern_count; k++)
        if (!irl__equal_extern(q, &a->externs[k].is, &b->externs[k].is)) return 0;
    return 1;
}

/* What is bound in a function means nothing in the next one: a module's kernels may share
   variables, or each have their own. */
static int irl__equal_func(irl__equal *q, const irl_func *a, const irl_func *b)
{
    memset(&q->to, 0, sizeof q->to);
    memset(&q->from, 0, sizeof q->from);
    return a->role == b->role && irl__equal_name(a->name, b->name) && irl__equal_params(q, a, b) &&
           irl__equal_layouts(q, a, b) && a->annotation_count == b->annotation_count &&
           irl__equal_annotations(q, a->annotation_count, a->annotations, b->annotations) &&
           irl__equal_externs(q, a, b) && irl__equal_stmt(q, a->body, b->body);
}

static irl__arena_mark irl__equal_begin(irl__equal *q, irl_ctx *cx)
{
    memset(q, 0, sizeof *q);
    q->cx = cx;
    return irl__scratch_begin(cx);
}

int irl_func_equal(const irl_func *a, const irl_func *b)
{
    irl__equal q;
    if (!a || !b) return a == b;
    irl__arena_mark mark = irl__equal_begin(&q, a->cx);
    int             equal = irl__equal_func(&q, a, b);
    irl__scratch_end(a->cx, mark);
    return equal;
}

int irl_module_equal(const irl_module *a, const irl_module *b)
{
    irl__equal q;
    if (!a || !b) return a == b;
    if (!irl__equal_name(a->name, b->name) || !irl__equal_name(a->target, b->target) ||
        a->kernel_count != b->kernel_count || !a->host != !b->host)
        return 0;
    irl__arena_mark mark = irl__equal_begin(&q, a->cx);
    int             equal = !a->host || irl__equal_func(&q, a->host, b->host);
    for (int k = 0; equal && k < a->kernel_count; k++)
        equal = irl__equal_func(&q, a->kernels[k], b->kernels[k]);
    irl__scratch_end(a->cx, mark);
    return equal;
}

int irl__map_equal_text(const irl_map *a, const irl_map *b)
{
    irl__equal q;
    if (!a || !b) return a == b;
    irl__arena_mark mark = irl__equal_begin(&q, a->cx);
    int             equal = irl__equal_map(&q, a, b);
    irl__scratch_end(a->cx, mark);
    return equal;
}

int irl__extern_equal(irl_ctx *cx, const irl__extern *a, const irl__extern *b)
{
    irl__equal      q;
    irl__arena_mark mark = irl__equal_begin(&q, cx);
    int             equal = irl__equal_extern(&q, &a->is, &b->is);
    irl__scratch_end(cx, mark);
    return equal;
}
