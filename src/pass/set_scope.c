/* set_scope.c - a buffer moves to another memory.

   requires  nothing of the stage: it is the user who says it, before lowering
   maintains everything but the buffer, its aliases and the pointer variable that they share; ids
   and locations
   breaks    nothing; whether the target has such memory, of that rank, is asked when it is lowered
   cost      linear in the function

   The scope is part of the pointer's type, so the pointer variable is a new one, and so are the
   buffers on it. */
#include "pass.h"

typedef struct irl__rescope_state {
    const irl_expr *from, *to; /* the data pointer, and its replacement */
    irl_scope       scope;
    irl__ptr_map    buffers;   /* old buffer -> new buffer */
    int             is_written;
} irl__rescope_state;

static const irl_buffer *irl__rescope_buffer(irl__rewriter *r, const irl_buffer *b)
{
    irl__rescope_state *state = (irl__rescope_state *)r->user;
    irl_buffer       *to;
    if (b->data != state->from) return b;
    to = (irl_buffer *)irl__ptr_map_get(&state->buffers, b);
    if (to) return to;
    to = irl__buffer_copy(r->cx, b);
    if (!to) return NULL;
    to->data = state->to;
    to->scope = state->scope;
    return irl__ptr_map_put(r->cx, &state->buffers, b, to) ? to : NULL;
}

static const irl_expr *irl__rescope_expr(irl__rewriter *r, const irl_expr *e)
{
    const irl__rescope_state *state = (const irl__rescope_state *)r->user;
    if (!(e->flags & (IRL__HAS_VAR | IRL__HAS_MEMORY))) return e;
    return e == state->from ? state->to : irl__rewrite_expr_children(r, e);
}

static const irl_stmt *irl__rescope_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__rescope_state *state = (irl__rescope_state *)r->user;
    state->is_written |= s->kind == IRL__STORE && s->u.store.buffer->data == state->from;
    return irl__rewrite_stmt_children(r, s);
}

static irl_func *irl__rescope_rewrite(irl__rewriter *r, const irl_func *f)
{
    const irl__rescope_state *state = (const irl__rescope_state *)r->user;
    irl_func               *copy = irl__func_with_body(f, irl__rewrite_stmt(r, f->body));
    irl__param             *params;
    int                     k = irl__func_param_of(f, state->from);
    if (!copy || k < 0) return copy;
    params = (irl__param *)irl__copy(r->cx, f->params, (size_t)f->param_count, sizeof *params);
    if (!params) return NULL;
    params[k].var = state->to;
    params[k].buffer = irl__rescope_buffer(r, params[k].buffer);
    copy->params = params;
    return params[k].buffer ? copy : NULL;
}

/* Shared and private memory is a kernel's own, constant memory the host's; anything else may be
   either's. */
static int irl__rescope_allowed(const irl_func *f, const irl_buffer *b, irl_scope scope)
{
    int is_parameter = irl__func_param_of(f, b->data) >= 0;
    if ((unsigned)scope >= (unsigned)IRL__SCOPE_COUNT)
        return irl__fail(f->cx, IRL_ERROR_BAD_ARGUMENT, irl__nowhere(), "%d is not a scope",
                         (int)scope);
    if (is_parameter && (scope == IRL_SCOPE_SHARED || scope == IRL_SCOPE_LOCAL))
        return irl__fail(f->cx, IRL_ERROR_BAD_ARGUMENT, b->loc,
                         "'%s' is a parameter: its memory is the host's and cannot be %s", b->name,
                         irl__scope_text(scope));
    if (!is_parameter && scope == IRL_SCOPE_CONSTANT)
        return irl__fail(f->cx, IRL_ERROR_BAD_ARGUMENT, b->loc,
                         "'%s' is allocated here: constant memory is given by the host", b->name);
    return 1;
}

irl_func *irl_set_scope(const irl_func *f, const char *buffer, irl_scope scope)
{
    const irl_buffer *b;
    irl__rescope_state  state;
    irl__rewriter     r;
    irl__arena_mark   mark;
    irl_func         *result;
    if (!f || !irl__ok(f->cx)) return NULL;
    b = irl__func_buffer(f, f->loc, buffer);
    if (!b || !irl__rescope_allowed(f, b, scope)) return NULL;
    memset(&state, 0, sizeof state);
    r = irl__rewriter_make(f->cx, &state, irl__rescope_expr, irl__rescope_stmt);
    r.buffer = irl__rescope_buffer;
    state.from = b->data;
    state.scope = scope;
    state.to = irl_var(f->cx, b->data->u.name, irl_pointer_to(b->type, scope));
    mark = irl__scratch_begin(f->cx);
    result = state.to ? irl__rescope_rewrite(&r, f) : NULL;
    irl__scratch_end(f->cx, mark);
    if (result && state.is_written && scope == IRL_SCOPE_CONSTANT)
        irl__fail(f->cx, IRL_ERROR_BAD_ARGUMENT, b->loc,
                  "'%s' is written; constant memory can only be read", b->name);
    return irl__ok(f->cx) ? result : NULL;
}
