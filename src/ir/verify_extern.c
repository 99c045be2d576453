/* verify_extern.c - verifies the prototypes of external functions.

   needs     externs.c, verify_expr.c
   promises  a prototype that passes has one variable for each parameter; no image; counts of type
             index over its own integers; states reads and writes only of pointers, and writes no
             constant memory. Prototypes of one name in a module are equal */
#include "verify.h"

static int irl__verify_extern_count(irl__verifier *v, const irl_extern_param *p,
                                    const irl_expr *count, int is_said, const char *what)
{
    if (!count) return 1;
    if (!is_said)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "the prototype states how many "
                                "elements of '%s' are %s, but not that it is %s", p->var->u.name,
                                what, what);
    if (irl__map_misfit(count))
        return IRL__VERIFY_FAIL(v, IRL_ERROR_TYPE_MISMATCH, "the number of elements of '%s' that "
                                "are %s must be computed from integers alone; found a part of type "
                                "%s, or memory", p->var->u.name, what,
                                irl__type_cstr(v->cx, irl__map_misfit(count)->type));
    return irl__verify_index(v, count, "how much memory a function touches");
}

static int irl__verify_extern_param(irl__verifier *v, const irl__extern *x,
                                    const irl_extern_param *p)
{
    irl_type t = p->var->type;
    if (!t.is_pointer && (p->reads || p->writes))
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "'%s' of '%s' is %s; a function reads "
                                "and writes what a pointer points to", p->var->u.name, x->is.name,
                                irl__type_cstr(v->cx, t));
    if (t.is_pointer && irl__scope_image((irl_scope)t.scope) != IRL__IMAGE_NONE)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_UNSUPPORTED, "'%s' of '%s' is %s; a function cannot "
                                "take an image", p->var->u.name, x->is.name,
                                irl__type_cstr(v->cx, t));
    if (p->writes && t.scope == IRL_SCOPE_CONSTANT)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "'%s' of '%s' is in constant memory, "
                                "which is only read", p->var->u.name, x->is.name);
    return irl__verify_extern_count(v, p, p->read_count, p->reads, "read") &&
           irl__verify_extern_count(v, p, p->write_count, p->writes, "written");
}

static int irl__verify_extern(irl__verifier *v, const irl__extern *x)
{
    size_t mark = v->scope_count;
    v->loc = x->loc;
    if (!x->is.name || (x->is.count && !x->is.params))
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "a prototype has no name or no "
                                "parameters");
    for (int k = 0; k < x->is.count; k++) {
        if (!irl__verify_new_var(v, x->is.params[k].var)) return 0;
        if (x->is.is_pure && x->is.params[k].var->type.is_pointer)
            return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "'%s' takes a pointer, so it must "
                                    "state what it reads and writes, and cannot be pure",
                                    x->is.name);
    }
    if (x->is.is_pure && x->is.type.is_pointer)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "'%s' returns a pointer, so it cannot "
                                "be pure", x->is.name);
    for (int k = 0; k < x->is.count; k++)
        if (!irl__verify_extern_param(v, x, &x->is.params[k])) return 0;
    return irl__verify_close(v, mark, IRL__STATE_CLOSED);
}

int irl__verify_externs(irl__verifier *v)
{
    memset(&v->own_externs, 0, sizeof v->own_externs);
    for (int k = 0; k < v->f->extern_count; k++) {
        const irl__extern *x = &v->f->externs[k];
        if (!irl__verify_extern(v, x)) return 0;
        /* a module's functions may have the same ones */
        const irl__extern *known = (const irl__extern *)irl__ptr_map_get(&v->externs, x->is.name);
        if (!(known ? irl__extern_again(v->cx, known, x)
                    : irl__ptr_map_put(v->cx, &v->externs, x->is.name, x)) ||
            !irl__ptr_map_put(v->cx, &v->own_externs, x->is.name, x))
            return 0;
    }
    return 1;
}
