/* private_extents.c - an array inside a kernel whose extent contains names gets the largest extent
   that the names allow.

   requires  a kernel (split_host): what is allocated in it is private or shared; flatten, so that
             nothing depends on the extent
   maintains what is computed: the additional elements are not touched
   breaks    such extents: they become numbers, if an assume, an assert, a loop or a let bounds
             them. An extent without a bound, or with one of more than IRL__PRIVATE_MOST bytes,
             stays, and the emitter reports it (private-extent)
   cost      nothing for a kernel without such memory; else linear in the kernel */
#include "pass.h"

#define IRL__PRIVATE_MOST (INT64_C(1) << 16)

typedef struct irl__private_state {
    irl__analyzer *an;
    irl__ptr_map   buffers; /* with names in the extent -> with a number */
} irl__private_state;

static int irl__private_is_open(const irl_stmt *s, const void *user)
{
    const irl_buffer *b = s->kind == IRL__ALLOC ? s->u.alloc.buffer : NULL;
    (void)user;
    return b && (b->scope == IRL_SCOPE_LOCAL || b->scope == IRL_SCOPE_SHARED) && b->rank == 1 &&
           !b->strides && !b->offset && b->shape[0]->op != IRL_OP_INT;
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
    irl__private_state *state = (irl__private_state *)r->user;
    if (irl__private_is_open(s, NULL)) {
        const irl_buffer   *b = s->u.alloc.buffer;
        int64_t             lo, hi;
        irl__range(state->an, b->shape[0], &lo, &hi);
        if (hi == INT64_MAX || hi > IRL__PRIVATE_MOST / (int64_t)irl__type_bytes(b->type)) return s;
        const irl_expr *extent = irl_expr_index(r->cx, hi > 0 ? hi : 1);
        irl_buffer     *to = irl__buffer_copy(r->cx, b);
        if (!to || !extent) return NULL;
        to->shape = IRL__COPY(r->cx, const irl_expr *, &extent, 1);
        return to->shape && irl__ptr_map_put(r->cx, &state->buffers, b, to)
                   ? irl__rewrite_stmt_children(r, s)
                   : NULL;
    }
    return irl__rewrite_known(r, state->an, s);
}

irl_func *irl__pass_private_extents(const irl_func *f)
{
    irl_ctx           *cx = f->cx;
    irl__private_state state;
    if (!irl__stmt_any(f->body, irl__private_is_open, NULL, NULL)) return irl__func_copy(cx, f);
    memset(&state, 0, sizeof state);
    irl__arena_mark mark = irl__scratch_begin(cx);
    state.an = irl__analyzer_begin(cx);
    irl__rewriter r = irl__rewriter_make(cx, &state, NULL, irl__private_stmt);
    r.buffer = irl__private_buffer;
    const irl_stmt *body = state.an ? irl__rewrite_stmt(&r, f->body) : NULL;
    irl__scratch_end(cx, mark);
    return irl__func_with_body(f, body);
}
