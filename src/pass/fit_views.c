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
    irl__accesses    t;
    irl__path        path;
    irl__ptr_map     fits;   /* a view's MEMORY -> what holds behind it, for it is asserted */
    irl__ptr_map     here;   /* declaration -> the assert in front of it */
    /* asserts for the front of the statements at the top, and the numbers of these */
    const irl_stmt **before;
    int             *at;
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

/* The condition, by what is known where the path is: of lets, whose values that is about, too. */
static const irl_expr *irl__fit_known(irl__fit_state *state, const irl_expr *condition)
{
    const irl_expr *plain =
        irl__simplify(state->path.an, irl__accesses_plain(&state->t, condition));
    return !plain || plain->op == IRL_OP_INT ? plain : irl__simplify(state->path.an, condition);
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
                   *fits = irl__fit_known(state, irl_expr_op2(cx, IRL_OP_LE, reach, room));
    for (int k = view->strides || view->offset ? view->rank : 0;
         fits && !irl__is_int(fits, 1) && k-- > 0;) {
        const irl_expr *empty = irl_expr_op2(cx, IRL_OP_LE, view->shape[k], irl_expr_index(cx, 0));
        fits = irl__fit_known(state, irl_expr_op2(cx, IRL_OP_OR, empty, fits));
    }
    return fits;
}

static int irl__fit_fail(irl__fit_state *state, const irl_buffer *view, const irl_buffer *owner)
{
    irl_ctx *cx = state->cx;
    irl__analyzer *an = state->path.an;
    const char *mine = irl_expr_text(cx, irl__simplify(an, irl__fit_elements(cx, view))),
               *theirs = irl_expr_text(cx, irl__simplify(an, irl__fit_room(cx, owner)));
    return irl__fail(cx, IRL_ERROR_BAD_ALIAS, view->loc, "'%s' spans %s %s of %s and never fits "
                     "its memory, '%s', which has %s of %s", view->name, mine ? mine : "",
                     view->bits ? "bits" : "elements", irl__type_cstr(cx, view->type), owner->name,
                     theirs ? theirs : "", irl__type_cstr(cx, irl__buffer_memory_type(owner)));
}

/* ------------------------------------------------------------------ where an assert may stand */

/* The number of a statement at the top; -1: it stands in one of these. */
static int irl__fit_top(const irl__fit_state *state, const irl_stmt *s)
{
    int k = irl__stmt_count(state->f->body);
    while (k-- > 0 && irl__stmt_at(state->f->body, k) != s) {}
    return k;
}

/* Is it in terms of what is bound inside of the statement at the top? */
static int irl__fit_uses_inner(const irl__fit_state *state, const irl__around *n,
                               const irl_expr *e)
{
    if (e->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)) return 1;
    for (; n; n = n->outer)
        if ((n->kind == IRL__AROUND_LOOP || n->kind == IRL__AROUND_AXIS ||
             (n->kind == IRL__AROUND_LET && irl__fit_top(state, n->stmt) < 0)) &&
            irl__expr_uses_var(e, n->var))
            return 1;
    return 0;
}

/* What the top can ask: the condition, or the place is not reached. NULL: it cannot know, or
   failure. */
static const irl_expr *irl__fit_at_top(irl__fit_state *state, const irl__around *place,
                                       const irl_expr *condition)
{
    irl_ctx *cx = state->cx;
    if ((place->stmt->kind != IRL__BLOCK && irl__fit_top(state, place->stmt) >= 0) ||
        irl__fit_uses_inner(state, place, condition))
        return NULL;
    for (const irl__around *n = place->outer; condition && n; n = n->outer) {
        const irl_expr *guard = n->kind == IRL__AROUND_GUARD  ? n->value
                                : n->kind == IRL__AROUND_LOOP ? irl_expr_op2(cx, IRL_OP_GT,
                                                                             n->stmt->u.loop.extent,
                                                                             irl_expr_index(cx, 0))
                                                              : NULL;
        if (!guard) continue;
        if (irl__fit_uses_inner(state, place, guard)) return NULL;
        condition = irl_expr_op2(cx, IRL_OP_OR, irl_expr_op1(cx, IRL_OP_NOT, guard), condition);
    }
    return irl__simplify_alone(cx, condition);
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

/* The condition, if it is not proved, is asserted at the top, or where the buffer is declared; of
   what a block allocates only at the top: its place has none for statements. */
static int irl__fit_say(irl__fit_state *state, const irl__around *n, const irl_expr *condition,
                        const irl_buffer *owner)
{
    irl__place      p;
    const irl_expr *at_top = irl__fit_at_top(state, n, condition);
    if (!irl__ok(state->cx)) return 0;
    if ((at_top && irl__is_int(at_top, 1)) || (!at_top && n->stmt->kind == IRL__BLOCK)) return 1;
    const irl_stmt *s = irl__fit_assert(state, at_top ? at_top : condition, n->buffer, owner);
    if (!s || !at_top) return s && irl__ptr_map_put(state->cx, &state->here, n->stmt, s);
    if (!irl__place_seek(state->f->body, 0, n->stmt, &p)) return 0;
    return IRL__PUSH_SCRATCH(state->cx, state->before, s) &&
           IRL__PUSH_SCRATCH(state->cx, state->at, state->f->body->kind == IRL__SEQ ? p.child[1]
                                                                                   : 0);
}

static int irl__fit_alloc(irl__fit_state *state, const irl__around *n)
{
    irl_ctx          *cx = state->cx;
    const irl_buffer *b = n->buffer;
    const irl_expr   *all = irl__bool(cx, 1);
    if (!irl__path_to(&state->path, n->outer)) return 0;
    for (int k = 0; all && irl__fit_hides(state->f, b) && k < b->rank; k++)
        if (b->shape[k]->op != IRL_OP_INT && !(b->shape[k]->flags & IRL__HAS_MEMORY))
            all = irl__and(cx, all,
                           irl__fit_known(state, irl_expr_op2(cx, IRL_OP_GE, b->shape[k],
                                                              irl_expr_index(cx, 0))));
    all = irl__simplify_alone(cx, all);
    return all && (irl__is_int(all, 1) || irl__fit_say(state, n, all, NULL));
}

static int irl__fit_view(irl__fit_state *state, const irl__around *n)
{
    const irl_buffer *view = n->buffer,
                     *owner = (const irl_buffer *)irl__ptr_map_get(&state->t.owner, view->data);
    if (owner == view) return 1; /* of a pointer: its first */
    if (!irl__path_to(&state->path, n)) return 0;
    const irl_expr *fits = irl__fit_condition(state, view, owner);
    if (!fits || irl__is_int(fits, 1)) return fits != NULL;
    if (irl__is_int(fits, 0)) /* what never runs may hold anything */
        return irl__path_is_dead(&state->path) || irl__fit_fail(state, view, owner);
    return irl__fit_say(state, n, fits, owner) &&
           irl__ptr_map_put(state->cx, &state->fits, n, fits) &&
           irl__path_believe(&state->path, fits);
}

/* Behind a view it is asserted that it fits. */
static int irl__fit_enter(irl__path *p, const irl__around *n)
{
    const irl_expr *fits = n->kind == IRL__AROUND_MEMORY
                               ? (const irl_expr *)irl__ptr_map_get(
                                     &((irl__fit_state *)p->user)->fits, n)
                               : NULL;
    return !fits || irl__path_believe(p, fits);
}

static const irl_stmt *irl__fit_stmt(irl__rewriter *r, const irl_stmt *s)
{
    const irl_stmt *both[2];
    both[0] = (const irl_stmt *)irl__ptr_map_get(&((irl__fit_state *)r->user)->here, s);
    both[1] = s;
    return both[0] ? irl__stmt_seq(r->cx, 2, both) : irl__rewrite_stmt_children(r, s);
}

/* The statements at the top one after the other, with the asserts for their front. */
static const irl_stmt *irl__fit_body(irl__fit_state *state)
{
    irl__rewriter r = irl__rewriter_make(state->cx, state, irl__rewrite_no_expr, irl__fit_stmt);
    const irl_stmt **list = NULL;
    for (int k = 0; k < irl__stmt_count(state->f->body); k++) {
        for (int j = 0; j < (int)stbds_arrlen(state->before); j++)
            if (state->at[j] == k && !IRL__PUSH_SCRATCH(state->cx, list, state->before[j]))
                return NULL;
        const irl_stmt *s = irl__stmt_at(state->f->body, k),
                       *own = (const irl_stmt *)irl__ptr_map_get(&state->here, s);
        if (own && !IRL__PUSH_SCRATCH(state->cx, list, own)) return NULL;
        s = own ? s : irl__rewrite_stmt(&r, s);
        if (!s || !IRL__PUSH_SCRATCH(state->cx, list, s)) return NULL;
    }
    return irl__stmt_seq(state->cx, (int)stbds_arrlen(list), list);
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
    int ok = irl__accesses_of(&state.t, f, NULL) && irl__path_begin(&state.path, &state.t);
    state.path.enter = irl__fit_enter;
    state.path.user = &state;
    for (int k = 0; ok && k < (int)stbds_arrlen(state.t.memory); k++) {
        const irl__around *n = state.t.memory[k];
        ok = n->match || (irl__around_allocates(n) ? irl__fit_alloc(&state, n)
                                                   : irl__fit_view(&state, n));
    }
    if (ok) body = irl__fit_body(&state);
    irl__scratch_end(cx, mark);
    return irl__ok(cx) ? irl__func_with_body(f, body) : NULL;
}
