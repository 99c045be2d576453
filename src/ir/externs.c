/* externs.c - prototypes of external functions: how a call must look, and what it may touch.

   needs     type.c
   promises  nothing is assumed about a function that is not declared. The verifier checks the parts
             of a prototype (verify_extern.c) */
#include "ir.h"

#include <math.h>

const irl__extern *irl__extern_of(const irl_func *f, const char *name)
{
    for (int k = 0; f && k < f->extern_count; k++)
        if (f->externs[k].is.name == name) return &f->externs[k];
    return NULL;
}

const irl__extern *irl__extern_called(const irl_func *f, const irl_expr *call)
{
    return call->op == IRL_OP_CALL_EXTERN ? irl__extern_of(f, call->u.name) : NULL;
}

/* The functions of a float that C and OpenCL C have, and the operators have not. */
static const struct {
    const char *name;
    double (*of)(double);
} irl__externs_of_float[] = {
    { "acos", acos }, { "acosh", acosh }, { "asin", asin },     { "asinh", asinh },
    { "atan", atan }, { "atanh", atanh }, { "cbrt", cbrt },     { "cosh", cosh },
    { "erf", erf },   { "erfc", erfc },   { "expm1", expm1 },   { "log10", log10 },
    { "log1p", log1p }, { "sinh", sinh },   { "tgamma", tgamma }, { "lgamma", lgamma },
    { "logb", logb },
};

irl__float_function irl__extern_float_function(const char *name, irl_type result)
{
    if (result.is_pointer || result.lanes != 1 ||
        (result.scalar != IRL_F32 && result.scalar != IRL_F64))
        return NULL;
    for (size_t k = 0; k < IRL__COUNTOF(irl__externs_of_float); k++)
        if (strcmp(irl__externs_of_float[k].name, name) == 0) return irl__externs_of_float[k].of;
    return NULL;
}

int irl__extern_is_confined(const irl__extern *x)
{
    int k, pointers = 0;
    for (k = 0; k < x->is.count; k++) {
        if (!x->is.params[k].var->type.is_pointer) continue;
        if (!x->is.params[k].reads && !x->is.params[k].writes) return 0;
        pointers++;
    }
    return !x->is.type.is_pointer && (pointers || x->is.is_pure);
}

int irl__extern_only_reads(const irl__extern *x, int k)
{
    return k < x->is.count && x->is.params[k].reads && !x->is.params[k].writes;
}

/* ------------------------------------------------------------------ calls */

int irl__extern_fits(irl_ctx *cx, const irl__extern *x, const irl_expr *call, irl_loc where)
{
    if (call->count != (uint32_t)x->is.count)
        return irl__fail(cx, IRL_ERROR_ARGUMENT_MISMATCH, where,
                         "'%s' is declared with %d parameters; found %u arguments", x->is.name,
                         x->is.count, (uint64_t)call->count);
    for (uint32_t k = 0; k < call->count; k++) {
        const irl_expr *var = x->is.params[k].var;
        if (!irl_type_equal(call->a[k]->type, var->type))
            return irl__fail(cx, IRL_ERROR_TYPE_MISMATCH, where,
                             "argument %u of '%s', '%s', is declared as %s; found %s", (uint64_t)k,
                             x->is.name, var->u.name, irl__type_cstr(cx, var->type),
                             irl__type_cstr(cx, call->a[k]->type));
    }
    return irl_type_equal(call->type, x->is.type) ||
           irl__fail(cx, IRL_ERROR_TYPE_MISMATCH, where,
                     "'%s' is declared to return %s; found a call that returns %s", x->is.name,
                     irl__type_cstr(cx, x->is.type), irl__type_cstr(cx, call->type));
}

const irl_expr *irl__extern_count(irl_ctx *cx, const irl__extern *x, const irl_expr *call,
                                  const irl_expr *count)
{
    for (int k = 0; count && k < x->is.count; k++)
        if (!x->is.params[k].var->type.is_pointer)
            count = irl__substitute(cx, count, 1, &x->is.params[k].var, &call->a[k]);
    return count;
}
