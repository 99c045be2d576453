/* calls.c - external functions, which the caller of an interpreter provides.

   needs     scalar.c
   promises  numbers are passed and returned by their types: a result is wrapped or rounded as by a
             cast; a pointer without memory is refused */
#include "eval.h"

void irl__extern_argument(irl_type type, irl__scalar value, irl_extern_value *out)
{
    memset(out, 0, sizeof *out);
    if (irl__type_is_real(type)) out->number = value.f;
    else out->integer = value.i;
}

int irl__extern_result(irl_ctx *cx, const irl_expr *e, const irl_extern_value *result,
                       irl__scalar *out)
{
    int         is_float = irl__type_is_real(e->type);
    irl__scalar value;
    if (is_float) value.f = result->number;
    else value.i = result->integer;
    return irl__fold_cast(irl_type_of(is_float ? IRL_F64 : IRL_I64, 1), e->type, value, out) ==
               IRL__FOLD_OK ||
           IRL__FAIL(cx, IRL_ERROR_UNSUPPORTED, "'%s' cannot return %s", e->u.name,
                     irl__type_cstr(cx, e->type));
}

int irl__extern_call(irl_ctx *cx, const irl_expr *e, const irl_extern_value *arguments,
                     irl_extern_value *result)
{
    const irl__float_function of = irl__extern_float_function(e->u.name, e->type);
    memset(result, 0, sizeof *result);
    if (!cx->call_extern && of && e->count == 1 && irl_type_equal(e->a[0]->type, e->type))
        return result->number = of(arguments[0].number), 1;
    if (!cx->call_extern)
        return IRL__FAIL(cx, IRL_ERROR_UNSUPPORTED, "'%s' is a function of the target: the "
                         "interpreter cannot call it (irl_ctx_desc.call_extern)", e->u.name);
    if (!cx->call_extern(cx->call_extern_user, e->u.name, (int)e->count, arguments, result))
        return IRL__FAIL(cx, IRL_ERROR_UNSUPPORTED, "the external function '%s' is not known, or "
                         "failed", e->u.name);
    return !e->type.is_pointer || (result->pointer && result->bytes) ||
           IRL__FAIL(cx, IRL_ERROR_ARGUMENT_MISMATCH, "the external function '%s' returned no "
                     "memory", e->u.name);
}
