/* private_extents.c - memory inside a kernel whose extent has names in it gets the largest extent
   that they can have.

   requires  a kernel (split_host): what is allocated in it is private or shared; flatten, so that
             nothing depends on the extent
   maintains what is computed: the elements beyond are not touched
   breaks    such extents: they are numbers, where an assume, an assert, a loop or a let bounds
             them. What is not bounded, or to more than IRL__PRIVATE_MOST bytes, stays, and the
             emitter says why it cannot be (private-extent)
   cost      nothing for a kernel without such memory; else linear in the kernel */
#include "pass.h"

#define IRL__PRIVATE_MOST (INT64_C(1) << 16)

typedef struct irl__private_state {
    irl__analyzer *an;
    irl__ptr_map   buffers; /* with names in the extent -> with a number */
    int            count;
} irl__private_state;

static int irl__private_is_open(const irl_stmt *s)
{
    const irl_buffer *b = s->kind == IRL__ALLOC ? s->u.alloc.buffer : NULL;
    return b && (b->scope == IRL_SCOPE_LOCAL || b->scope == IRL_SCOPE_SHARED) && b->rank == 1 &&
           !b->strides && !b->offset && b->shape[0]->op != IRL_OP_INT;
}

static int irl__private_see(irl__visitor *v, const irl_stmt *s)
{
    *(int *)v->user += irl__private_is_open(s);
    return 1;
}

static const irl_buffer *irl__private_buffer(irl__rewriter *r, const irl_buffer *b)
{
    const irl_buffer *to =
        (const irl_buffer *)irl__ptr_map_get(&((irl__private_state *)r->user)->buffers, b);
    return to ? to : b;
}

/* What is known of names on the way down. */
static const irl_stmt *irl__private_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__analyzer *an = ((irl__private_state *)r->user)->an;
    if (irl__private_is_open(s)) {
        irl__private_state *state = (irl__private_state *)r->user;
        const irl_buffer   *b = s->u.alloc.buffer;
        int64_t             lo, hi;
        irl__range(state->an, b->shape[0], &lo, &hi);
        if (hi == INT64_MAX || hi > IRL__PRIVATE_MOST / (int64_t)irl__type_bytes(b->type)) return s;
        const irl_expr *extent = irl_expr_index(r->cx, hi > 0 ? hi : 1);
        irl_buffer     *to = irl__buffer_copy(r->cx, b);
        if (!to || !extent) return NULL;
        to->shape = (const irl_expr *const *)irl__copy(r->cx, &extent, 1, sizeof extent);
        return to->shape && irl__ptr_map_put(r->cx, &state->buffers, b, to)
                   ? irl__rewrite_stmt_children(r, s)
                   : NULL;
    }
    if (s->kind == IRL__LET && irl__type_is_index(s->u.let.var->type) &&
        !irl__bind_value(an, s->u.let.var, s->u.let.value))
        return NULL;
    if ((s->kind == IRL__ASSUME || s->kind == IRL__ASSERT) &&
        !(s->u.check.condition->flags & IRL__HAS_MEMORY))
        (void)irl__fact(an, s->u.check.condition);
    if (s->kind != IRL__FOR && s->kind != IRL__SEQ) return irl__rewrite_stmt_children(r, s);
    int bindings = irl__bindings_mark(an);
    if (!irl__bind_loop(an, s)) return NULL;
    int             facts = irl__facts_mark(an);
    const irl_stmt *done = irl__rewrite_stmt_children(r, s);
    irl__facts_release(an, facts);
    irl__bindings_release(an, bindings);
    return done;
}

irl_func *irl__pass_private_extents(const irl_func *f)
{
    irl_ctx           *cx = f->cx;
    irl__private_state state;
    irl_func          *result = NULL;
    memset(&state, 0, sizeof state);
    irl__visitor v = irl__visitor_make(&state.count, NULL, irl__private_see);
    if (irl__stmt_holds(f->body, 1 << IRL__ALLOC)) irl__visit_stmt(&v, f->body);
    if (!state.count) return irl__func_copy(cx, f);
    irl__arena_mark mark = irl__scratch_begin(cx);
    state.an = irl__analyzer_begin(cx);
    irl__rewriter r = irl__rewriter_make(cx, &state, NULL, irl__private_stmt);
    r.buffer = irl__private_buffer;
    const irl_stmt *body = state.an ? irl__rewrite_stmt(&r, f->body) : NULL;
    if (body) result = irl__func_with_body(f, body);
    irl__scratch_end(cx, mark);
    return result;
}
