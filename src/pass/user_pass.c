/* user_pass.c - a pass of the program, between those of the library.

   requires  a function that the structural verifier accepts
   promises  the result of the pass is used only if the structural verifier accepts it, if it has
             the name, the parameters, the layouts and the attributes of the input, and if nothing
             in it is proved to leave its buffer or to conflict at the same time; after
             legalize_kernel also only if the target has its vectors and accesses. Each diagnostic
             names the pass
   cost      that of the verifier, of irl__bounds_of and of check_parallel, if it changed anything

   What a later pass of the library checks in any case is left to that pass. */
#include "pass.h"

/* ------------------------------------------------------------------ places */

/* What stands in `list`, or in the library's list, by that name. */
static int irl__user_name_is_taken(const irl_pass_desc *list, int before, const char *name)
{
    for (int k = 0; k < before; k++)
        if (strcmp(list[k].name, name) == 0) return 1;
    return irl__pass_number(name) >= 0;
}

static int irl__user_fail(irl_ctx *cx, int k, const char *what)
{
    return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "irl_lower_options.passes[%d]%s", k, what);
}

/* The pass of the library that a pass of the program's runs in front of; -1 with a diagnostic. */
static int irl__user_place(irl_ctx *cx, const irl_pass_desc *pass)
{
    const char *beside = pass->before ? pass->before : pass->after;
    int         k = irl__pass_number(beside);
    if (!pass->before == !pass->after)
        IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "pass '%s' states %s; it runs before a pass of the "
                  "library or after one", pass->name, pass->before ? "two places" : "no place");
    else if (k < 0)
        IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "pass '%s' is to run %s '%s', and the library has no "
                  "pass of that name; irl_pass_name lists them", pass->name,
                  pass->before ? "before" : "after", beside);
    else if (pass->after && !irl_pass_name(k + 1))
        IRL__FAIL(cx, IRL_ERROR_BAD_STAGE, "pass '%s' cannot run after '%s', which checks the "
                  "final result; let it run before", pass->name, beside);
    else return pass->before ? k : k + 1;
    return -1;
}

int irl__user_places(irl_ctx *cx, const irl_lower_options *how, int *place)
{
    const irl_pass_desc *list = how->passes;
    if (how->pass_count < 0 || (how->pass_count && !list))
        return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "irl_lower_options.pass_count is %d%s",
                         how->pass_count, list ? "" : ", and .passes is NULL");
    for (int k = 0; k < how->pass_count; k++) {
        if (!list[k].name || !*list[k].name) return irl__user_fail(cx, k, " has no name");
        if (strlen(list[k].name) > IRL__USER_NAME)
            return irl__user_fail(cx, k, " has a name of more than 64 bytes");
        if (!list[k].run) return irl__user_fail(cx, k, ".run is NULL");
        if (irl__user_name_is_taken(list, k, list[k].name))
            return IRL__FAIL(cx, IRL_ERROR_DUPLICATE_NAME, "there is a pass '%s' already; "
                             "irl_pass_name lists the library's", list[k].name);
        place[k] = irl__user_place(cx, &list[k]);
        if (place[k] < 0) return 0;
    }
    return 1;
}

/* ---------------------------------------------- what a function promises to those around it */

static int irl__user_bad(const irl_func *f, const char *format, const char *name)
{
    return irl__fail(f->cx, IRL_ERROR_BAD_PASS, f->loc, format, name);
}

static int irl__user_same_param(const irl_func *f, const irl__param *a, const irl__param *b)
{
    if (strcmp(a->name, b->name) != 0 || !a->buffer != !b->buffer)
        return irl__user_bad(f, "replaced the parameter '%s'", a->name);
    if (!a->buffer)
        return irl_type_equal(a->var->type, b->var->type) ||
               irl__user_bad(f, "gave parameter '%s' another type", a->name);
    if (!irl_type_equal(a->buffer->type, b->buffer->type))
        return irl__user_bad(f, "gave parameter '%s' another type", a->name);
    irl_ctx *cx = f->cx;
    if (a->logical_rank != b->logical_rank)
        return irl__user_bad(f, "gave parameter '%s' another shape", a->name);
    for (int k = 0; k < a->logical_rank; k++) {
        if (a->logical_shape[k] == b->logical_shape[k]) continue;
        const char *was = irl_expr_text(cx, a->logical_shape[k]);
        const char *is = irl_expr_text(cx, b->logical_shape[k]);
        if (!irl__ok(cx) || strcmp(was, is) != 0)
            return irl__user_bad(f, "gave parameter '%s' another shape", a->name);
    }
    return (!a->map == !b->map && (!a->map || irl__map_equal_text(a->map, b->map)) &&
            a->padding == b->padding) ||
           irl__user_bad(f, "lost the layout of parameter '%s'", a->name);
}

static int irl__user_keeps_layouts(const irl_func *f, const irl_func *after, int is_applied)
{
    int k;
    for (k = 0; k < f->layout_count && k < after->layout_count; k++)
        if (strcmp(f->layouts[k].buffer, after->layouts[k].buffer) != 0 ||
            !irl__map_equal_text(f->layouts[k].map, after->layouts[k].map))
            break;
    if (k < f->layout_count)
        return irl__user_bad(f, "lost a layout of '%s'", f->layouts[k].buffer);
    return !is_applied || k == after->layout_count ||
           irl__user_bad(f, "adds a layout of '%s' after apply_layouts",
                         after->layouts[k].buffer);
}

static int irl__user_keeps_signature(const irl_func *f, const irl_func *after, int place)
{
    if (after->cx != f->cx)
        return irl__user_bad(f, "returned a function of another context than '%s'", f->name);
    if (strcmp(after->name, f->name) != 0 || after->role != f->role)
        return irl__user_bad(f, "returned another function than '%s'", f->name);
    if (after->param_count != f->param_count)
        return irl__user_bad(f, "changed the number of parameters of '%s'", f->name);
    for (int k = 0; k < f->param_count; k++)
        if (!irl__user_same_param(f, &f->params[k], &after->params[k])) return 0;
    if (!irl__user_keeps_layouts(f, after, place > irl__pass_number("apply_layouts"))) return 0;
    int j;
    for (int k = 0; k < f->annotation_count; k++) {
        const irl__annotation *was = &f->annotations[k];
        for (j = 0; j < after->annotation_count; j++) {
            const irl__annotation *is = &after->annotations[j];
            if (strcmp(was->key, is->key) == 0 && was->value == is->value &&
                !was->text == !is->text && (!was->text || strcmp(was->text, is->text) == 0))
                break;
        }
        if (j == after->annotation_count)
            return irl__user_bad(f, "lost the attribute '%s'", was->key);
    }
    return 1;
}

const irl_func *irl_pass_refuse(const irl_func *f, const irl_stmt *where, const char *why)
{
    if (f)
        irl__fail(f->cx, IRL_ERROR_UNSUPPORTED, where && where->loc.source ? where->loc : f->loc,
                  "%s", why && *why ? why : "refused");
    return NULL;
}

/* ------------------------------------------------------------------ one pass */

/* The function that the pass gives back, f itself where it changed nothing; NULL: it failed. */
static const irl_func *irl__user_call(const irl_pass_desc *pass, const irl_func *f,
                                      const irl_target *target, int place)
{
    const irl_func *after = pass->run(pass->user, f, target);
    f->cx->here = irl__nowhere();
    if (!irl__ok(f->cx) || after == f) return irl__ok(f->cx) ? f : NULL;
    if (!after) irl__user_bad(f, "returned NULL for '%s', and no diagnostic says why", f->name);
    return after && irl__user_keeps_signature(f, after, place) ? after : NULL;
}

/* What is looked at: nothing where a pass of the library that follows looks at it anyhow. */
typedef int irl__user_check(const irl_func *f, const irl_target *target, int place);

static int irl__user_in_bounds(const irl_func *f, const irl_target *target, int place)
{
    (void)target;
    return place <= irl__pass_number("guard_bounds") || irl__bounds_ok(f);
}

static int irl__user_is_parallel(const irl_func *f, const irl_target *target, int place)
{
    (void)target;
    return place <= irl__pass_number("check_parallel") || irl__pass_check_parallel(f) != NULL;
}

static int irl__user_has_forms(const irl_func *f, const irl_target *target, int place)
{
    if (place <= irl__pass_number("legalize_kernel")) return 1;
    if (place <= irl__pass_number("legalize_lanes")) f = irl__legalize_lanes(f, target);
    return f && irl__check_kernel(f, target, IRL__CHECK_FORMS);
}

/* What the function before passes, the one after must pass. What it does not is not the pass's: on
   the way down there are forms that no text could have, as shared memory whose loop of one group
   has gone; and what no emitter prints, as an array of two dimensions, is lowered too. */
static int irl__user_keeps(irl__user_check *check, const irl_func *before, const irl_func *after,
                           const irl_target *target, int place)
{
    irl_ctx *cx = after->cx;
    if (check(after, target, place)) return 1;
    irl_diag why = cx->diag;
    memset(&cx->diag, 0, sizeof cx->diag);
    if (check(before, target, place)) cx->diag = why;
    else if (cx->diag.code != IRL_ERROR_OUT_OF_MEMORY) memset(&cx->diag, 0, sizeof cx->diag);
    return irl__ok(cx);
}

static int irl__user_is_right(const irl_func *before, const irl_func *after,
                              const irl_target *target, int place)
{
    static irl__user_check *const checks[] = { irl__user_in_bounds, irl__user_is_parallel,
                                               irl__user_has_forms };
    for (size_t k = 0; k < IRL__COUNTOF(checks); k++)
        if (!irl__user_keeps(checks[k], before, after, target, place)) return 0;
    return 1;
}

static int irl__user_of_func(const irl_pass_desc *pass, const irl_func **f,
                             const irl_target *target, int place)
{
    const irl_func *after = irl__user_call(pass, *f, target, place);
    int             ok = after == *f || (after && irl__verify(after) &&
                             irl__user_is_right(*f, after, target, place));
    *f = after;
    return ok;
}

static int irl__user_of_kernels(const irl_pass_desc *pass, irl_module *m, const irl_target *target,
                                int place)
{
    const irl_func **kernels = IRL__COPY(m->cx, const irl_func *, m->kernels, m->kernel_count);
    const irl_func *const *before = m->kernels;
    int             kept = 1;
    if (!kernels) return 0;
    for (int k = 0; k < m->kernel_count; k++) {
        kernels[k] = irl__user_call(pass, before[k], target, place);
        if (!kernels[k]) return 0;
        kept &= kernels[k] == before[k];
    }
    m->kernels = kernels;
    if (kept) return 1;
    if (!irl__verify_module(m)) return 0;
    for (int k = 0; k < m->kernel_count; k++)
        if (kernels[k] != before[k] &&
            !irl__user_is_right(before[k], kernels[k], target, place))
            return 0;
    return 1;
}

int irl__user_run(const irl_pass_desc *pass, const irl_func **f, irl_module **m,
                  const irl_target *target, int place, int *changed)
{
    const irl_func *func = *f;
    const irl_func *const *kernels = *m ? (*m)->kernels : NULL;
    irl_ctx        *cx = func->cx;
    const char     *outer = cx->pass;
    cx->pass = pass->name;
    int ok = *m ? irl__user_of_kernels(pass, *m, target, place)
                : irl__user_of_func(pass, f, target, place);
    cx->pass = outer;
    *changed |= ok && (*f != func || (*m && (*m)->kernels != kernels));
    return ok;
}
