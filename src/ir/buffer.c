/* buffer.c - buffers: shape, strides, scope, separators, and the pointer variable that aliases
   share.

   needs     expr.c
   promises  a buffer that exists has index shapes, a pointer variable of its element type, and
             valid separators */
#include "ir.h"

int irl__separators_valid(irl_ctx *cx, int rank, int count, const int *separators, irl_loc loc)
{
    for (int k = 0; k < count; k++) {
        if (separators[k] <= 0)
            return irl__fail(
                cx, IRL_ERROR_BAD_SEPARATORS, loc,
                "separator %d has no axis before it, so the first group would be empty", k);
        if (separators[k] >= rank)
            return irl__fail(cx, IRL_ERROR_BAD_SEPARATORS, loc,
                             "separator %d has no axis after it: it is at %d of %d axes", k,
                             separators[k], rank);
        if (k && separators[k] <= separators[k - 1])
            return irl__fail(cx, IRL_ERROR_BAD_SEPARATORS, loc,
                             "separators %d and %d enclose no axis: they are at %d and %d", k - 1,
                             k, separators[k - 1], separators[k]);
    }
    return 1;
}

static int irl__buffer_shape_ok(irl_ctx *cx, const char *name, int rank,
                                const irl_expr *const *shape, irl_loc loc)
{
    if (rank < 0 || rank > IRL_MAX_RANK)
        return irl__fail(cx, IRL_ERROR_TOO_LARGE, loc, "buffer '%s' has %d axes; the most is %d",
                         name, rank, IRL_MAX_RANK);
    if (rank && !shape)
        return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, loc, "buffer '%s' has no list of %d extents",
                         name, rank);
    for (int k = 0; k < rank; k++) {
        if (!shape[k]) return 0;
        if (!irl__is_index(shape[k]))
            return irl__fail(cx, IRL_ERROR_TYPE_MISMATCH, loc,
                             "extent %d of '%s' must be an index; found %s", k, name,
                             irl__type_cstr(cx, shape[k]->type));
        if (shape[k]->op == IRL_OP_INT && shape[k]->u.i < 0)
            return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, loc, "extent %d of '%s' is negative: %l",
                             k, name, shape[k]->u.i);
    }
    return 1;
}

irl_buffer *irl__buffer_make(irl_ctx *cx, const char *name, irl_type element, irl_scope scope,
                             int rank, const irl_expr *const *shape, const irl_expr *data,
                             irl_loc loc)
{
    if (!cx || !irl__ok(cx) || !name || !irl__buffer_shape_ok(cx, name, rank, shape, loc))
        return NULL;
    if (element.is_pointer || irl__type_is_index(element)) {
        irl__fail(cx, IRL_ERROR_BAD_TYPE, loc,
                  "a buffer holds bool, integers of stated bits or floats; '%s' is of %s%s", name,
                  irl__type_cstr(cx, element),
                  element.is_pointer ? "" : ": let it hold i32 or i64, and read it as index(...)");
        return NULL;
    }
    if (!data) data = irl_expr_var(cx, name, irl_type_pointer(element, scope));
    irl_buffer *b = IRL__NEW(cx, irl_buffer, 1);
    if (!b || !data) return NULL;
    b->name = irl__namez(cx, name);
    b->type = element;
    b->scope = scope;
    b->rank = rank;
    b->shape = IRL__COPY(cx, const irl_expr *, shape, rank);
    b->data = data;
    b->id = cx->next_id++;
    b->loc = loc.source ? loc : cx->here;
    return b->name && b->shape ? b : NULL;
}

irl_buffer *irl__buffer_copy(irl_ctx *cx, const irl_buffer *b)
{
    irl_buffer *copy = b ? IRL__COPY(cx, irl_buffer, b, 1) : NULL;
    if (copy) copy->id = cx->next_id++;
    return copy;
}

int irl__buffer_is_flat(const irl_buffer *b)
{
    if (b->strides || b->offset || b->rank != irl__buffer_groups(b)) return 0;
    for (int k = 0; k < b->separator_count; k++)
        if (b->separators[k] != k + 1) return 0;
    return 1;
}

uint32_t irl__buffer_alignment(const irl_buffer *b, int is_owner)
{
    irl_type element = irl_type_of((irl_scalar)b->data->type.scalar, (int)b->data->type.lanes);
    uint32_t least = irl__type_alignment(element);
    if (!b->alignment && is_owner) return IRL__MOST_ALIGNED;
    return b->alignment > least ? b->alignment : least;
}

const irl_buffer *irl_buffer_new(irl_ctx *cx, const char *name, irl_type element, irl_scope scope,
                                 int rank, const irl_expr *const *shape)
{
    return irl__buffer_make(cx, name, element, scope, rank, shape, NULL, irl__nowhere());
}

const irl_buffer *irl_buffer_alias(irl_ctx *cx, const char *name, const irl_buffer *of,
                                   irl_type element, int rank, const irl_expr *const *shape)
{
    return of ? irl__buffer_make(cx, name, element, of->scope, rank, shape, of->data,
                                 irl__nowhere())
              : NULL;
}
