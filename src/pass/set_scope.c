/* set_scope.c - moves buffers to another memory.

   requires  nothing: the user calls it before lowering
   maintains everything but the buffer, its aliases and the pointer variable that they share; ids
             and locations
   breaks    nothing; whether the target has such memory, of that rank, is checked when the function
             is lowered
   cost      linear in the function

   The scope is part of the pointer's type, so the pointer variable is a new one, and so are the
   buffers on it. For targets without work-items and images: all images become arrays of their
   texels, row after row, and all separators are removed; shared memory becomes private. */
#include "set.h"

typedef struct irl__rescope_state {
    irl_ctx          *cx;
    const irl_func   *f;         /* whose calls are to fit; NULL: the verifier asks for that */
    int               is_own;    /* what is allocated in scope global moves */
    irl_loc           loc;       /* of the statement at hand */
    const irl_expr   *from;      /* the data pointer of what moves; NULL: all of some scopes */
    irl__ptr_map      matches;   /* the data pointers of what matches a part of it */
    uint32_t          from_any;  /* these, a bit each */
    irl_scope         scope;     /* to */
    int               flattens;  /* separators go */
    irl__ptr_map      vars;      /* data pointer -> its replacement */
    irl__ptr_map      buffers;   /* old buffer -> new buffer */
    int               is_written;
    const irl_buffer *of, *moved; /* a buffer that moves, and what it becomes */
} irl__rescope_state;

static int irl__rescope_moves(const irl__rescope_state *state, const irl_expr *data)
{
    if (state->from) return data == state->from || irl__ptr_map_get(&state->matches, data);
    if (state->is_own) return irl__ptr_map_get(&state->vars, data) != NULL;
    return data->op == IRL_OP_VAR && data->type.is_pointer &&
           (state->from_any >> data->type.scope & 1);
}

static const irl_expr *irl__rescope_var(irl__rescope_state *state, const irl_expr *data)
{
    irl_type        type = data->type;
    const irl_expr *to = (const irl_expr *)irl__ptr_map_get(&state->vars, data);
    if (to) return to;
    type.is_pointer = 0;
    type.scope = 0;
    to = irl_expr_var(state->cx, data->u.name, irl_type_pointer(type, state->scope));
    return to && irl__ptr_map_put(state->cx, &state->vars, data, to) ? to : NULL;
}

static const irl_buffer *irl__rescope_buffer(irl__rewriter *r, const irl_buffer *b)
{
    irl__rescope_state *state = (irl__rescope_state *)r->user;
    int                 moves = irl__rescope_moves(state, b->data);
    if (!moves && !(state->flattens && b->separator_count)) return b;
    irl_buffer *to = (irl_buffer *)irl__ptr_map_get(&state->buffers, b);
    if (to) return to;
    to = irl__buffer_copy(r->cx, b);
    if (!to) return NULL;
    if (moves) to->data = irl__rescope_var(state, b->data);
    if (moves) to->scope = state->scope;
    if (state->flattens) to->separator_count = to->texel = 0;
    if (b == state->of) state->moved = to;
    return to->data && irl__ptr_map_put(r->cx, &state->buffers, b, to) ? to : NULL;
}

/* A function whose prototype takes memory of one scope is not called with that of another. */
static int irl__rescope_fits(const irl__rescope_state *state, const irl_expr *call)
{
    const irl__extern *x = irl__extern_called(state->f, call);
    for (uint32_t k = 0; x && k < call->count && (int)k < x->is.count; k++) {
        const irl_expr *data = (const irl_expr *)irl__ptr_map_get(&state->vars, call->a[k]);
        if (data && !irl_type_equal(data->type, x->is.params[k].var->type))
            return irl__fail(state->cx, IRL_ERROR_UNSUPPORTED, state->loc, "a kernel allocates "
                             "'%s', which is in scope local, and '%s' of '%s' is %s: allocate it "
                             "at the top of the function, or write both with scope local",
                             data->u.name, x->is.params[k].var->u.name, call->u.name,
                             irl__type_cstr(state->cx, x->is.params[k].var->type));
    }
    return 1;
}

static const irl_expr *irl__rescope_expr(irl__rewriter *r, const irl_expr *e)
{
    irl__rescope_state *state = (irl__rescope_state *)r->user;
    if (!(e->flags & (IRL__HAS_VAR | IRL__HAS_MEMORY))) return e;
    if (!irl__rescope_fits(state, e)) return NULL;
    return e->op == IRL_OP_VAR && irl__rescope_moves(state, e) ? irl__rescope_var(state, e)
                                                               : irl__rewrite_expr_children(r, e);
}

static const irl_stmt *irl__rescope_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__rescope_state *state = (irl__rescope_state *)r->user;
    const irl_buffer   *b = s->kind == IRL__ALLOC && state->is_own ? s->u.alloc.buffer : NULL;
    state->loc = s->loc;
    if (b && b->scope == IRL_SCOPE_GLOBAL && !irl__rescope_var(state, b->data)) return NULL;
    state->is_written |=
        s->kind == IRL__STORE && irl__rescope_moves(state, s->u.store.buffer->data);
    return irl__rewrite_stmt_children(r, s);
}

static int irl__rescope_see_block(irl__visitor *v, const irl_stmt *s)
{
    irl__rescope_state *state = (irl__rescope_state *)v->user;
    for (int k = 0; s->kind == IRL__BLOCK && k < s->u.block->match_count; k++) {
        const irl__match *m = &s->u.block->matches[k];
        if (irl__rescope_moves(state, m->source.buffer->data))
            irl__ptr_map_put(state->cx, &state->matches, m->buffer->data, m);
    }
    return irl__stmt_holds(s, IRL__HOLDS_MATCH);
}

static irl_func *irl__rescope_run(irl__rescope_state *state, const irl_func *f)
{
    irl__visitor    v = irl__visitor_make(state, NULL, irl__rescope_see_block);
    irl__rewriter   r = irl__rewriter_make(f->cx, state, irl__rescope_expr, irl__rescope_stmt);
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    if (state->from) irl__visit_stmt(&v, f->body);
    r.buffer = irl__rescope_buffer;
    irl_func *result = irl__rewrite_func(&r, f);
    irl__scratch_end(f->cx, mark);
    return irl__ok(f->cx) ? result : NULL;
}

const irl_stmt *irl__stmt_moved(const irl_func *f, const irl_stmt *s, const irl_expr *only)
{
    irl__rescope_state state;
    irl__rewriter      r = irl__rewriter_make(f->cx, &state, irl__rescope_expr, irl__rescope_stmt);
    memset(&state, 0, sizeof state);
    state.cx = f->cx;
    state.f = f;
    state.from = only;
    state.is_own = !only;
    state.scope = only ? IRL_SCOPE_GLOBAL : IRL_SCOPE_LOCAL;
    r.buffer = irl__rescope_buffer;
    return irl__rewrite_stmt(&r, s);
}

/* A map whose outputs are in one group. */
static const irl_map *irl__rescope_map(irl_ctx *cx, const irl_map *map)
{
    irl_map *copy = map && map->separator_count ? IRL__COPY(cx, irl_map, map, 1) : NULL;
    if (!copy) return map;
    copy->separator_count = 0;
    return copy;
}

irl_func *irl__pass_images_to_arrays(const irl_func *f)
{
    irl__rescope_state state;
    irl__param        *params;
    irl__layout       *layouts;
    memset(&state, 0, sizeof state);
    state.cx = f->cx;
    for (int k = 0; k < (int)IRL__SCOPE_COUNT; k++)
        state.from_any |= (uint32_t)irl__scope_is_image((irl_scope)k) << k;
    state.scope = IRL_SCOPE_GLOBAL;
    state.flattens = 1;
    irl_func *result = irl__rescope_run(&state, f);
    if (!result) return NULL;
    params = IRL__COPY(f->cx, irl__param, result->params, f->param_count);
    layouts = IRL__COPY(f->cx, irl__layout, f->layouts, f->layout_count);
    if (!params || !layouts) return NULL;
    for (int k = 0; k < f->param_count; k++) params[k].map = irl__rescope_map(f->cx, params[k].map);
    for (int k = 0; k < f->layout_count; k++)
        layouts[k].map = irl__rescope_map(f->cx, layouts[k].map);
    result->params = params;
    result->layouts = layouts;
    return irl__ok(f->cx) ? result : NULL;
}

irl_func *irl__pass_shared_to_local(const irl_func *f)
{
    irl__rescope_state state;
    memset(&state, 0, sizeof state);
    state.cx = f->cx;
    state.from_any = 1u << IRL_SCOPE_SHARED;
    state.scope = IRL_SCOPE_LOCAL;
    return irl__rescope_run(&state, f);
}

/* Shared and private memory is a kernel's own, constant memory the host's; anything else may be
   either's. */
static int irl__rescope_allowed(const irl_func *f, const irl_buffer *b, irl_scope scope)
{
    int is_parameter = irl__func_param_of(f, b->data) >= 0;
    if ((unsigned)scope >= (unsigned)IRL__SCOPE_COUNT)
        return IRL__FAIL(f->cx, IRL_ERROR_BAD_ARGUMENT, "%d is not a scope", (int)scope);
    if (is_parameter && (scope == IRL_SCOPE_SHARED || scope == IRL_SCOPE_LOCAL))
        return irl__fail(f->cx, IRL_ERROR_BAD_ARGUMENT, b->loc, "'%s' is a parameter: its memory "
                         "is the host's and cannot be %s", b->name, irl__scope_text(scope));
    if (!is_parameter && scope == IRL_SCOPE_CONSTANT)
        return irl__fail(f->cx, IRL_ERROR_BAD_ARGUMENT, b->loc,
                         "'%s' is allocated here: constant memory is given by the host", b->name);
    return 1;
}

irl_func *irl_func_set_scope(const irl_func *f, const char *buffer, irl_scope scope)
{
    const irl_buffer *moved = NULL;
    irl_func         *to =
        f && irl__ok(f->cx)
                    ? irl__func_set_scope(f, irl__func_buffer(f, f->loc, buffer), scope, &moved)
                    : NULL;
    return to && moved && irl__scope_is_image(scope) ? irl__func_image_sums(to, moved->data) : to;
}

irl_func *irl__func_set_scope(const irl_func *f, const irl_buffer *b, irl_scope scope,
                              const irl_buffer **moved)
{
    irl__rescope_state state;
    if (!b || !irl__rescope_allowed(f, b, scope)) return NULL;
    memset(&state, 0, sizeof state);
    state.cx = f->cx;
    state.from = b->data;
    state.of = b;
    state.scope = scope;
    irl_func *result = irl__rescope_run(&state, f);
    if (result && state.is_written && scope == IRL_SCOPE_CONSTANT)
        irl__fail(f->cx, IRL_ERROR_BAD_ARGUMENT, b->loc,
                  "'%s' is written; constant memory can only be read", b->name);
    if (moved) *moved = state.moved;
    return irl__ok(f->cx) ? result : NULL;
}
