/* texel.c - the two intrinsics that reach into an image, by whole texels.

     intrinsic(f32x4, texture2d_load, x, column, row)           the texel
     intrinsic(f32x4, texture2d_store, x, column, row, value)   writes it, and is the value

   needs     expr.c
   promises  what is built here, and what the verifier lets pass, names an image by its data pointer, a texel by two
             scalars of type index, and has the four lanes of the image's element type. The pointer's buffer has one
             separator: rows before it, columns of texels behind it; the last axis, of extent 4, is the texel */
#include "ir.h"

static const char *const irl__texel_names[] = { "", "texture2d_load", "texture2d_store" }; /* by irl__texel_call */

irl__texel_call irl__texel_call_of(const irl_expr *e)
{
    int k;
    for (k = IRL__TEXEL_LOAD; e->op == IRL_OP_CALL_INTRINSIC && k <= IRL__TEXEL_STORE; k++)
        if (strcmp(e->u.name, irl__texel_names[k]) == 0) return (irl__texel_call)k;
    return IRL__TEXEL_NO_CALL;
}

irl_type irl__texel_type(irl_type element) { return irl__type_with_lanes(irl_type_of((irl_scalar)element.scalar, 1), IRL__TEXEL_LANES); }

const irl_expr *irl__texel_load(irl_ctx *cx, const irl_buffer *b, const irl_expr *column, const irl_expr *row)
{
    const irl_expr *args[3];
    args[0] = b->data;
    args[1] = column;
    args[2] = row;
    return irl__expr_call(cx, IRL_OP_CALL_INTRINSIC, irl__texel_type(b->type), irl__texel_names[IRL__TEXEL_LOAD], 3, args);
}

const irl_stmt *irl__texel_store(irl_ctx *cx, const irl_buffer *b, const irl_expr *column, const irl_expr *row, const irl_expr *value,
                                 irl_loc loc)
{
    const irl_expr *args[4];
    irl_stmt       *s = irl__stmt_new(cx, IRL__EVALUATE, loc);
    args[0] = b->data;
    args[1] = column;
    args[2] = row;
    args[3] = value;
    if (!s) return NULL;
    s->u.evaluate.value = irl__expr_call(cx, IRL_OP_CALL_INTRINSIC, irl__texel_type(b->type), irl__texel_names[IRL__TEXEL_STORE], 4, args);
    return s->u.evaluate.value ? irl__stmt_finish(cx, s) : NULL;
}

int irl__texel_verify(irl_ctx *cx, const irl_expr *e, irl_loc where)
{
    irl__texel_call call = irl__texel_call_of(e);
    const char     *name = e->u.name;
    uint32_t        count = call == IRL__TEXEL_LOAD ? 3 : 4, k;
    if (call == IRL__TEXEL_NO_CALL) return 1;
    if (e->count != count) return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, where, "%s takes %u arguments; found %u", name, (uint64_t)count, (uint64_t)e->count);
    if (e->a[0]->op != IRL_OP_VAR || !e->a[0]->type.is_pointer || irl__scope_dimensions((irl_scope)e->a[0]->type.scope) != 2)
        return irl__fail(cx, IRL_ERROR_TYPE_MISMATCH, where, "%s takes a buffer in scope texture first; found %s", name, irl__type_cstr(cx, e->a[0]->type));
    for (k = 1; k < 3; k++)
        if (!irl_type_equal(e->a[k]->type, irl__type_index()))
            return irl__fail(cx, IRL_ERROR_TYPE_MISMATCH, where, "%s takes column and row of type index; found %s", name, irl__type_cstr(cx, e->a[k]->type));
    if (!irl_type_equal(e->type, irl__texel_type(e->a[0]->type)) || (call == IRL__TEXEL_STORE && !irl_type_equal(e->type, e->a[3]->type)))
        return irl__fail(cx, IRL_ERROR_TYPE_MISMATCH, where, "a texel of '%s' is %s; found %s", e->a[0]->u.name,
                         irl__type_cstr(cx, irl__texel_type(e->a[0]->type)),
                         irl__type_cstr(cx, call == IRL__TEXEL_STORE && irl_type_equal(e->type, irl__texel_type(e->a[0]->type)) ? e->a[3]->type : e->type));
    return 1;
}

int irl__texel_has_format(irl_type element)
{
    return !element.is_pointer && element.scalar != IRL_BOOL && element.scalar != IRL_INDEX && irl__type_info(element)->bits <= 32;
}
