/* fit_views.c - a view is within its memory, and an allocation has no negative extent: each is
   proved, asserted, or refused.

   requires  a function that the structural verifier accepts; it has compared the sizes that are
             numbers
   maintains everything; a function without views, and without allocations of several axes with
             names, is not changed
   breaks    nothing. An assert is put before a view that is not proved to fit; if the view is
             declared inside loops and branches and its size does not depend on them, the assert is
             before the statement at the top that contains the view, where the host can check it:
             there it checks the size only if the view is reached. The same holds for an allocation,
             whose extents a product or a layout would hide: -1 times -1 is one element
   cost      linear in the function where it has views, plus two proofs for each of them
   rule      a view has no more bytes than its memory */
#include "pass.h"

typedef struct irl__fit_state {
    irl_ctx         *cx;
    const irl_func  *f;
    irl__analyzer   *an;
    irl__ptr_map     owners;  /* data variable -> the buffer that it was made for */
    irl__ptr_map     inner;   /* variables bound inside of the statement at the top */
    const irl_expr **guards;  /* where the place is reached, all of these hold */
    int              guard_count;
    int              depth;   /* 0: at the top */
    const irl_stmt **before;  /* asserts for the front of the statement at the top */
} irl__fit_state;

/* ------------------------------------------------------------------ sizes */

/* The steps from the data pointer to the end. */
static const irl_expr *irl__fit_elements(irl_ctx *cx, const irl_buffer *b)
{
    const irl_buffer *flat = b->bits ? b : irl__flatten_buffer(cx, b);
    return flat ? irl__size_reach(cx, flat) : NULL;
}

/* How many steps the memory has. Of bits: bytes, the last of which they may not fill. */
static const irl_expr *irl__fit_room(irl_ctx *cx, const irl_buffer *owner)
{
    const irl_expr *room = irl__fit_elements(cx, owner);
    return owner->bits && room ? irl__floordiv(cx, irl__add(cx, room, irl_expr_index(cx, 7)),
                                              irl_expr_index(cx, 8))
                               : room;
}

/* The condition that the view is not larger than the memory, or empty, which its size does not say
   where it has strides or an offset. */
static const irl_expr *irl__fit_condition(irl__fit_state *state, const irl_buffer *view,
                                          const irl_buffer *owner)
{
    irl_ctx *cx = state->cx;
    int64_t         mine = view->bits ? 1 : 8 * (int64_t)irl__type_bytes(view->type),
                    theirs = 8 * (int64_t)irl__type_bytes(irl__buffer_memory_type(owner)),
                    each = irl__gcd64(mine, theirs);
    const irl_expr *reach =
                       irl__mul(cx, irl__size_reach(cx, view), irl_expr_index(cx, mine / each)),
                   *room = irl__mul(cx, irl__fit_room(cx, owner),
                                    irl_expr_index(cx, theirs / each)),
                   *fits = irl__simplify(state->an, irl_expr_op2(cx, IRL_OP_LE, reach, room));
    for (int k = view->strides || view->offset ? view->rank : 0;
         fits && !irl__is_int(fits, 1) && k-- > 0;) {
        const irl_expr *empty = irl_expr_op2(cx, IRL_OP_LE, view->shape[k], irl_expr_index(cx, 0));
        fits = irl__simplify(state->an, irl_expr_op2(cx, IRL_OP_OR, empty, fits));
    }
    return fits;
}

static int irl__fit_fail(irl__fit_state *state, const irl_buffer *view, const irl_buffer *owner)
{
    irl_ctx *cx = state->cx;
    const char *mine = irl_expr_text(cx, irl__simplify(state->an, irl__fit_elements(cx, view))),
               *theirs = irl_expr_text(cx, irl__simplify(state->an, irl__fit_room(cx, owner)));
    return irl__fail(cx, IRL_ERROR_BAD_ALIAS, view->loc, "'%s' spans %s %s of %s and never fits "
                     "its memory, '%s', which has %s of %s", view->name, mine ? mine : "",
                     view->bits ? "bits" : "elements", irl__type_cstr(cx, view->type), owner->name,
                     theirs ? theirs : "", irl__type_cstr(cx, irl__buffer_memory_type(owner)));
}

/* No axis of a buffer that is there is negative. */
static void irl__fit_know_shape(irl__fit_state *state, const irl_buffer *b)
{
    for (int k = 0; k < b->rank; k++)
        if (b->shape[k]->op != IRL_OP_INT && !(b->shape[k]->flags & IRL__HAS_MEMORY))
            (void)irl__fact(state->an, irl_expr_op2(state->cx, IRL_OP_GE, b->shape[k],
                                                    irl_expr_index(state->cx, 0)));
}

/* ------------------------------------------------------------------ where an assert may stand */

static int irl__fit_uses_inner(irl__fit_state *state, const irl_expr *e)
{
    if (e->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)) return 1;
    if (e->op == IRL_OP_VAR) return irl__ptr_map_get(&state->inner, e) != NULL;
    for (uint32_t k = 0; k < e->count; k++)
        if (irl__fit_uses_inner(state, e->a[k])) return 1;
    return 0;
}

/* What the top can ask: the condition, or the place is not reached. NULL: it cannot know, or
   failure. */
static const irl_expr *irl__fit_at_top(irl__fit_state *state, const irl_expr *condition)
{
    if (state->depth == 0 || irl__fit_uses_inner(state, condition)) return NULL;
    for (int k = state->guard_count; condition && k-- > 0;) {
        const irl_expr *guard = state->guards[k];
        if (irl__fit_uses_inner(state, guard)) return NULL;
        condition = irl_expr_op2(state->cx, IRL_OP_OR, irl_expr_op1(state->cx, IRL_OP_NOT, guard),
                                 condition);
    }
    return irl__simplify_alone(state->cx, condition);
}

/* owner NULL: of what is allocated. */
static const irl_stmt *irl__fit_assert(irl__fit_state *state, const irl_expr *condition,
                                       const irl_buffer *b, const irl_buffer *owner)
{
    const char *text =
        irl__format(state->cx, owner ? "'%s' is within the memory of '%s'"
                                     : "no extent of '%s' is negative", b->name,
                    owner ? owner->name : "");
    irl_stmt *s = irl__stmt_copy(state->cx, irl_stmt_assert(state->cx, condition, text));
    if (s) s->loc = b->loc;
    return s;
}

/* Several axes become one, or a layout makes others of them. */
static int irl__fit_hides(const irl_func *f, const irl_buffer *b)
{
    for (int k = 0; k < f->layout_count; k++)
        if (strcmp(f->layouts[k].buffer, b->name) == 0) return b->rank > 0;
    return b->rank > 1;
}

/* What stands in front of an allocation, where it stands: NULL and no failure if nothing. */
static const irl_stmt *irl__fit_alloc(irl__fit_state *state, const irl_buffer *b)
{
    irl_ctx        *cx = state->cx;
    const irl_expr *all = irl__bool(cx, 1), *at_top;
    for (int k = 0; all && irl__fit_hides(state->f, b) && k < b->rank; k++)
        if (b->shape[k]->op != IRL_OP_INT && !(b->shape[k]->flags & IRL__HAS_MEMORY))
            all = irl__and(cx, all,
                           irl__simplify(state->an, irl_expr_op2(cx, IRL_OP_GE, b->shape[k],
                                                                 irl_expr_index(cx, 0))));
    irl__fit_know_shape(state, b);
    all = irl__simplify_alone(cx, all);
    if (!all || irl__is_int(all, 1)) return NULL;
    at_top = irl__fit_at_top(state, all);
    if (!irl__ok(cx) || (at_top && irl__is_int(at_top, 1))) return NULL;
    const irl_stmt *s = irl__fit_assert(state, at_top ? at_top : all, b, NULL);
    if (!at_top || !s) return s;
    (void)IRL__PUSH_SCRATCH(cx, state->before, s);
    return NULL;
}

/* What stands in front of the view, where it stands: NULL and no failure if nothing. */
static const irl_stmt *irl__fit_view(irl__fit_state *state, const irl_buffer *view)
{
    const irl_buffer *owner = (const irl_buffer *)irl__ptr_map_get(&state->owners, view->data);
    irl__fit_know_shape(state, view);
    if (!owner) {
        irl__ptr_map_put(state->cx, &state->owners, view->data, view); /* of a pointer: its first */
        return NULL;
    }
    const irl_expr *fits = irl__fit_condition(state, view, owner);
    if (!fits || irl__is_int(fits, 1)) return NULL;
    if (irl__is_int(fits, 0)) {
        irl__fit_fail(state, view, owner);
        return NULL;
    }
    const irl_expr *at_top = irl__fit_at_top(state, fits);
    const irl_stmt *s = irl__fit_assert(state, at_top ? at_top : fits, view, owner);
    (void)irl__fact(state->an, fits);
    if (!at_top || !s) return s;
    (void)IRL__PUSH_SCRATCH(state->cx, state->before, s);
    return NULL;
}

/* ------------------------------------------------------------------ the walk */

typedef struct irl__fit_place {
    int guards, facts, bindings;
} irl__fit_place;

/* Into a statement that is reached only where the guard holds; NULL: always. `place` is where it
   is left to. */
static void irl__fit_enter(irl__fit_state *state, const irl_expr *guard, irl__fit_place *place)
{
    place->guards = state->guard_count;
    place->facts = irl__facts_mark(state->an);
    place->bindings = irl__bindings_mark(state->an);
    state->depth++;
    if (!guard) return;
    if (state->guard_count < (int)stbds_arrlen(state->guards))
        state->guards[state->guard_count++] = guard;
    else if (IRL__PUSH_SCRATCH(state->cx, state->guards, guard)) state->guard_count++;
    if (!(guard->flags & IRL__HAS_MEMORY)) (void)irl__fact(state->an, guard);
}

static void irl__fit_leave(irl__fit_state *state, const irl__fit_place *place)
{
    state->depth--;
    state->guard_count = place->guards;
    irl__facts_release(state->an, place->facts);
    irl__bindings_release(state->an, place->bindings);
}

static int irl__fit_inner(irl__fit_state *state, const irl_expr *var)
{
    return state->depth == 0 || irl__ptr_map_put(state->cx, &state->inner, var, var);
}

static const irl_stmt *irl__fit_stmt(irl__rewriter *r, const irl_stmt *s);

/* A statement, and in front of a view its assert, to the end of the list. */
static int irl__fit_child(irl__rewriter *r, const irl_stmt *s, const irl_stmt ***list)
{
    irl__fit_state *state = (irl__fit_state *)r->user;
    const irl_stmt *own = s->kind == IRL__DECL    ? irl__fit_view(state, s->u.alloc.buffer)
                          : s->kind == IRL__ALLOC ? irl__fit_alloc(state, s->u.alloc.buffer)
                                                  : NULL;
    if (own && !IRL__PUSH_SCRATCH(r->cx, *list, own)) return 0;
    s = irl__ok(r->cx) ? irl__fit_stmt(r, s) : NULL;
    return s && IRL__PUSH_SCRATCH(r->cx, *list, s);
}

static const irl_stmt *irl__fit_if(irl__rewriter *r, const irl_stmt *s)
{
    irl__fit_state *state = (irl__fit_state *)r->user;
    irl_stmt       *copy = irl__stmt_copy(r->cx, s);
    irl__fit_place  place;
    const irl_expr *condition = s->u.branch.condition;
    if (!copy) return NULL;
    irl__fit_enter(state, condition, &place);
    copy->u.branch.then_ = irl__fit_stmt(r, s->u.branch.then_);
    irl__fit_leave(state, &place);
    if (!copy->u.branch.then_) return NULL;
    if (s->u.branch.else_) {
        irl__fit_enter(state, irl_expr_op1(r->cx, IRL_OP_NOT, condition), &place);
        copy->u.branch.else_ = irl__fit_stmt(r, s->u.branch.else_);
        irl__fit_leave(state, &place);
        if (!copy->u.branch.else_) return NULL;
    }
    return irl__stmt_finish(r->cx, copy);
}

static const irl_stmt *irl__fit_block(irl__rewriter *r, const irl_stmt *s)
{
    irl__fit_state        *state = (irl__fit_state *)r->user;
    const irl__block_data *b = s->u.block;
    irl__fit_place         place;
    int                    ok = 1;
    irl__fit_enter(state, b->predicate, &place);
    for (int k = 0; ok && k < b->axis_count; k++) ok = irl__fit_inner(state, b->axes[k].var);
    for (int k = 0; ok && k < b->alloc_count; k++) {
        (void)irl__fit_alloc(state, b->allocs[k]); /* what only its place knows is left out */
        ok = irl__ptr_map_put(r->cx, &state->owners, b->allocs[k]->data, b->allocs[k]);
    }
    s = ok ? irl__rewrite_stmt_children(r, s) : NULL;
    irl__fit_leave(state, &place);
    return s;
}

static const irl_stmt *irl__fit_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__fit_state   *state = (irl__fit_state *)r->user;
    const irl_buffer *b = s->kind == IRL__ALLOC ? s->u.alloc.buffer : NULL;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ: {
        irl__fit_place   place;
        const irl_stmt **list = NULL;
        int              k, ok = 1;
        irl__fit_enter(state, NULL, &place);
        for (k = 0; ok && k < s->u.seq.count; k++) ok = irl__fit_child(r, s->u.seq.stmts[k], &list);
        irl__fit_leave(state, &place);
        return ok ? irl__stmt_seq(r->cx, (int)stbds_arrlen(list), list) : NULL;
    }
    case IRL__IF: return irl__fit_if(r, s);
    case IRL__FOR: {
        const irl_expr *extent = s->u.loop.extent;
        irl__fit_place  place;
        irl__fit_enter(state, irl_expr_op2(r->cx, IRL_OP_GT, extent, irl_expr_index(r->cx, 0)),
                       &place);
        int ok = irl__fit_inner(state, s->u.loop.var) &&
                 irl__bind_extent(state->an, s->u.loop.var, s->u.loop.min, extent);
        s = ok ? irl__rewrite_stmt_children(r, s) : NULL;
        irl__fit_leave(state, &place);
        return s;
    }
    case IRL__BLOCK: return irl__fit_block(r, s);
    case IRL__LET:
        if (!irl__fit_inner(state, s->u.let.var)) return NULL;
        return !irl__type_is_index(s->u.let.var->type) ||
                       irl__bind_value(state->an, s->u.let.var, s->u.let.value)
                   ? s
                   : NULL;
    case IRL__ASSUME:
    case IRL__ASSERT:
        if (!(s->u.check.condition->flags & IRL__HAS_MEMORY))
            (void)irl__fact(state->an, s->u.check.condition);
        return s;
    case IRL__ALLOC:
        return irl__ptr_map_put(r->cx, &state->owners, b->data, b) ? s : NULL;
    default: return irl__rewrite_stmt_children(r, s);
    }
}

/* The statements at the top one after the other, with the asserts for their front. */
static const irl_stmt *irl__fit_body(irl__rewriter *r, const irl_stmt *body)
{
    irl__fit_state  *state = (irl__fit_state *)r->user;
    const irl_stmt **list = NULL, **child, *const *stmts = &body;
    int              count = 1;
    if (body->kind == IRL__SEQ) {
        stmts = body->u.seq.stmts;
        count = body->u.seq.count;
    }
    for (int k = 0; k < count; k++) {
        child = NULL;
        state->before = NULL;
        if (!irl__fit_child(r, stmts[k], &child)) return NULL;
        for (int j = 0; j < (int)stbds_arrlen(state->before); j++)
            if (!IRL__PUSH_SCRATCH(r->cx, list, state->before[j])) return NULL;
        for (int j = 0; j < (int)stbds_arrlen(child); j++)
            if (!IRL__PUSH_SCRATCH(r->cx, list, child[j])) return NULL;
    }
    return irl__stmt_seq(r->cx, (int)stbds_arrlen(list), list);
}

/* ------------------------------------------------------------------ the pass */

static int irl__fit_is_due(const irl_stmt *s, const void *f)
{
    if (!irl__stmt_holds(s, 1 << IRL__ALLOC | 1 << IRL__DECL)) return -1;
    for (int k = 0; s->kind == IRL__ALLOC && k < s->u.alloc.buffer->rank; k++)
        if (s->u.alloc.buffer->shape[k]->op != IRL_OP_INT &&
            irl__fit_hides((const irl_func *)f, s->u.alloc.buffer))
            return 1;
    return s->kind == IRL__DECL;
}

irl_func *irl__pass_fit_views(const irl_func *f)
{
    irl_ctx        *cx = f->cx;
    irl__fit_state  state;
    const irl_stmt *body = NULL;
    if (!irl__stmt_any(f->body, irl__fit_is_due, NULL, f)) return irl__func_copy(cx, f);
    memset(&state, 0, sizeof state);
    irl__arena_mark mark = irl__scratch_begin(cx);
    state.cx = cx;
    state.f = f;
    state.an = irl__analyzer_begin(cx);
    int ok = state.an != NULL;
    for (int k = 0; ok && k < f->param_count; k++) {
        const irl_buffer *b = f->params[k].buffer;
        if (!b) continue;
        irl__fit_know_shape(&state, b);
        ok = irl__ptr_map_put(cx, &state.owners, b->data, b);
    }
    irl__rewriter r = irl__rewriter_make(cx, &state, NULL, irl__fit_stmt);
    if (ok) body = irl__fit_body(&r, f->body);
    irl__scratch_end(cx, mark);
    return irl__ok(cx) ? irl__func_with_body(f, body) : NULL;
}
