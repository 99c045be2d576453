/* declare.c - the prototypes of a function: adding one, and those of the functions that it calls.

   needs     externs.c, func.c, form.c
   promises  a function has at most one prototype of a name; lists are copied */
#include "ir.h"

int irl__extern_again(irl_ctx *cx, const irl__extern *first, const irl__extern *second)
{
    char place[40];
    if (irl__extern_equal(cx, first, second)) return 1;
    irl__loc_text(cx, first->loc, place, sizeof place);
    return irl__fail(cx, IRL_ERROR_DUPLICATE_NAME, second->loc,
                     "'%s' has another prototype already, declared at %s", second->is.name, place);
}

typedef struct irl__externs_seen {
    irl_ctx     *cx;
    irl__ptr_map called; /* name -> a call */
} irl__externs_seen;

static int irl__externs_see(irl__visitor *v, const irl_expr *e)
{
    irl__externs_seen *seen = (irl__externs_seen *)v->user;
    return (e->flags & IRL__HAS_MEMORY) &&
           (e->op != IRL_OP_CALL_EXTERN ||
            irl__ptr_map_put(seen->cx, &seen->called, e->u.name, e));
}

int irl__externs_keep(irl_func *f, const irl_func *from)
{
    irl__externs_seen seen;
    int               k, count = 0;
    f->externs = NULL;
    f->extern_count = 0;
    if (!from->extern_count) return 1;
    irl__extern *list = IRL__NEW(f->cx, irl__extern, from->extern_count);
    if (!list) return 0;
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    memset(&seen, 0, sizeof seen);
    seen.cx = f->cx;
    irl__visitor v = irl__visitor_make(&seen, irl__externs_see, NULL);
    irl__visit_stmt(&v, f->body);
    for (k = 0; k < from->extern_count; k++)
        if (irl__ptr_map_get(&seen.called, from->externs[k].is.name))
            list[count++] = from->externs[k];
    irl__scratch_end(f->cx, mark);
    f->externs = list;
    f->extern_count = count;
    return irl__ok(f->cx);
}

/* The list of f and one more, or itself where it has the same. */
static const irl__extern *irl__externs_with(irl_func *f, const irl__extern *more)
{
    const irl__extern *known = irl__extern_of(f, more->is.name);
    if (known) return irl__extern_again(f->cx, known, more) ? f->externs : NULL;
    irl__extern *all = IRL__NEW(f->cx, irl__extern, f->extern_count + 1);
    if (!all) return NULL;
    if (f->extern_count) memcpy(all, f->externs, (size_t)f->extern_count * sizeof *all);
    all[f->extern_count++] = *more;
    return all;
}

irl_func *irl_func_declare(const irl_func *f, const irl_extern_desc *desc)
{
    irl__extern one;
    if (!f || !desc || !desc->name || !irl__ok(f->cx)) return NULL;
    if (desc->count < 0 || (desc->count && !desc->params)) {
        IRL__FAIL(f->cx, IRL_ERROR_BAD_ARGUMENT, "'%s' has %d parameters and %s list of them",
                  desc->name, desc->count, desc->params ? "a" : "no");
        return NULL;
    }
    one.is = *desc;
    one.loc = irl__nowhere();
    one.is.name = irl__namez(f->cx, desc->name);
    one.is.params = IRL__COPY(f->cx, irl_extern_param, desc->params, desc->count);
    if (!one.is.name || !one.is.params) return NULL;
    for (int k = 0; k < desc->count; k++)
        if (!desc->params[k].var || desc->params[k].var->op != IRL_OP_VAR) {
            IRL__FAIL(f->cx, IRL_ERROR_BAD_ARGUMENT, "parameter %d of '%s' must be a variable "
                      "(irl_expr_var)", k, desc->name);
            return NULL;
        }
    irl_func *copy = irl__func_copy(f->cx, f);
    if (!copy) return NULL;
    copy->externs = irl__externs_with(copy, &one);
    return copy->externs ? copy : NULL;
}

int irl_func_extern_count(const irl_func *f) { return f ? f->extern_count : 0; }
