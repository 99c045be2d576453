/* share_arrays.c - arrays of a kernel that are never needed at the same time share bytes.

   requires  flatten, and the passes that bring arrays and their accesses into final form:
             registers, legalize_kernel, legalize_lanes, shared_to_local
   maintains what is computed; a kernel in which nothing is shared is not changed
   breaks    the allocations of arrays that share: one pool is allocated in the sequence around
             them, each of them is a view of it, `a@16`, declared before the first statement that
             touches it, and its accesses go to its place in the pool. attr(shares = "a@16: 16")
             states from which element of the pool on; what was there before is undefined once the
             view is declared
   cost      that of the plan (plan/arrays.c); linear in the kernel if something is shared */
#include "pass.h"
#include "../plan/plan.h"

typedef struct irl__pooled {
    irl_ctx     *cx;
    irl__arrays  a;
    irl__ptr_map of;   /* pointer -> its array */
    irl__ptr_map seqs; /* sequences in which pools are allocated or views declared */
    irl_func    *f;    /* with the notes */
} irl__pooled;

/* ------------------------------------------------------------------ pools and views */

static int irl__pooled_make_pool(irl__pooled *s, int number)
{
    irl__array_pool *pool = &s->a.pools[number];
    const irl_expr  *extent;
    int              k = 0;
    while (s->a.list[k]->pool != number) k++;
    extent = irl_expr_index(s->cx, pool->out.bytes /
                                       (int64_t)irl__type_bytes(s->a.list[k]->buffer->type));
    pool->made = irl__buffer_make(s->cx, irl__format(s->cx, "pool_%d", number),
                                  s->a.list[k]->buffer->type, pool->out.scope, 1, &extent, NULL,
                                  s->a.list[k]->buffer->loc);
    if (pool->made) {
        uint32_t most = 0;
        int      is_open = 0;
        for (int j = 0; j < (int)stbds_arrlen(s->a.list); j++) {
            const irl__array *one = s->a.list[j];
            if (one->pool != number) continue;
            is_open |= !one->buffer->alignment;
            if (one->buffer->alignment > most) most = one->buffer->alignment;
        }
        pool->made->alignment = is_open && most <= (uint32_t)IRL__MOST_ALIGNED ? 0 : most;
    }
    return pool->made != NULL;
}

/* Where its view is declared: every work-item of a group does so before one of them touches shared
   memory, as statements are that stand beside a barrier. */
static const irl_stmt *irl__pooled_declared_in(const irl__pooled *s, const irl__array *one)
{
    return one->buffer->scope == IRL_SCOPE_SHARED && !irl__stmt_holds(one->seq, 1u << IRL__BARRIER)
               ? s->a.pools[one->pool].seq
               : one->seq;
}

/* The name of the array and where it begins in the pool; a number behind it, where another array of
   that name begins there: the note finds its view by the name. */
static const char *irl__pooled_name(irl__pooled *s, const irl__array *one, int64_t from)
{
    int namesakes = 0;
    for (int k = 0; s->a.list[k] != one; k++)
        namesakes += s->a.list[k]->view && s->a.list[k]->from == one->from &&
                     strcmp(s->a.list[k]->buffer->name, one->buffer->name) == 0;
    return irl__namef(s->cx, namesakes ? "%s@%l.%d" : "%s@%l", one->buffer->name, from, namesakes);
}

static int irl__pooled_make_view(irl__pooled *s, irl__array *one)
{
    const int64_t   from = one->from / (int64_t)irl__type_bytes(one->buffer->type);
    irl_buffer     *view = irl__buffer_copy(s->cx, one->buffer);
    const irl_expr *extent = irl_expr_index(s->cx, one->buffer->shape[0]->u.i + from);
    if (!view || !extent) return 0;
    view->name = irl__pooled_name(s, one, from);
    if (!view->name) return 0;
    view->data = s->a.pools[one->pool].made->data;
    view->shape = IRL__COPY(s->cx, const irl_expr *, &extent, 1);
    const char *text = irl__format(s->cx, "%s: %l", view->name, from);
    s->f = text ? irl_func_set_attr(s->f, irl__note_of(IRL__ATTR_SHARES, text)) : NULL;
    one->view = view;
    return s->f && view->shape && irl__ptr_map_put(s->cx, &s->of, one->buffer->data, one) &&
           irl__ptr_map_put(s->cx, &s->seqs, irl__pooled_declared_in(s, one), one) &&
           irl__ptr_map_put(s->cx, &s->seqs, s->a.pools[one->pool].seq, one);
}

static int irl__pooled_make(irl__pooled *s)
{
    for (int k = 0; k < (int)stbds_arrlen(s->a.pools); k++)
        if (!irl__pooled_make_pool(s, k)) return 0;
    for (int k = 0; k < (int)stbds_arrlen(s->a.list); k++)
        if (s->a.list[k]->pool >= 0 && !irl__pooled_make_view(s, s->a.list[k])) return 0;
    return 1;
}

/* ------------------------------------------------------------------ the kernel again */

static const irl_buffer *irl__pooled_access(irl__rewriter *r, const irl_buffer *b,
                                            const irl_expr **indices)
{
    const irl__array *one =
        (const irl__array *)irl__ptr_map_get(&((irl__pooled *)r->user)->of, b->data);
    if (!one) return b;
    const int64_t from = one->from / (int64_t)irl__type_bytes(one->buffer->type);
    indices[0] = irl__flatten_add_lanes(r->cx, irl_expr_index(r->cx, from), indices[0]);
    return indices[0] ? one->view : NULL;
}

/* In front of child k of a sequence: the views of what it is the first to touch. */
static int irl__pooled_declare(irl__pooled *s, const irl_stmt *seq, int k, const irl_stmt ***list)
{
    const irl_stmt *child = seq->u.seq.stmts[k];
    for (int j = 0; child->kind != IRL__ALLOC && j < (int)stbds_arrlen(s->a.list); j++) {
        irl__array *one = s->a.list[j];
        if (one->pool < 0 || one->is_declared || irl__pooled_declared_in(s, one) != seq ||
            !irl__stmt_names(child, one->buffer->data, NULL))
            continue;
        one->is_declared = 1;
        if (!IRL__PUSH(s->cx, *list, irl_stmt_decl(s->cx, one->view))) return 0;
    }
    return 1;
}

static const irl_stmt *irl__pooled_seq(irl__rewriter *r, const irl_stmt *seq)
{
    irl__pooled     *s = (irl__pooled *)r->user;
    const irl_stmt **list = NULL;
    if (!irl__ptr_map_get(&s->seqs, seq)) return irl__rewrite_stmt_children(r, seq);
    for (int k = 0; k < (int)stbds_arrlen(s->a.pools); k++)
        if (s->a.pools[k].seq == seq &&
            !IRL__PUSH(s->cx, list, irl_stmt_alloc(s->cx, s->a.pools[k].made)))
            return NULL;
    for (int k = 0; k < seq->u.seq.count; k++)
        if (!irl__pooled_declare(s, seq, k, &list) ||
            !IRL__PUSH(s->cx, list, irl__rewrite_stmt(r, seq->u.seq.stmts[k])))
            return NULL;
    return irl__stmt_seq(s->cx, (int)stbds_arrlen(list), list);
}

static const irl_stmt *irl__pooled_stmt(irl__rewriter *r, const irl_stmt *s)
{
    if (s->kind == IRL__SEQ) return irl__pooled_seq(r, s);
    return s->kind == IRL__ALLOC &&
                   irl__ptr_map_get(&((irl__pooled *)r->user)->of, s->u.alloc.buffer->data)
               ? irl__stmt_empty(r->cx)
               : irl__rewrite_stmt_children(r, s);
}

irl_func *irl__pass_share_arrays(const irl_func *f)
{
    irl_ctx        *cx = f->cx;
    irl__pooled     s;
    irl__rewriter   r;
    const irl_stmt *body = f->body;
    irl_func       *result = NULL;
    if (!irl__arrays_may_share(f)) return irl__func_copy(cx, f);
    irl__arena_mark mark = irl__scratch_begin(cx);
    memset(&s, 0, sizeof s);
    s.cx = cx;
    if (irl__arrays_of(&s.a, f) && irl__arrays_plan(&s.a)) {
        s.f = irl__func_copy(cx, f);
        r = irl__rewriter_make(cx, &s, NULL, irl__pooled_stmt);
        r.access = irl__pooled_access;
        if (s.f && irl__pooled_make(&s) && s.a.pools) body = irl__rewrite_stmt(&r, f->body);
        if (s.f && body && irl__ok(cx)) result = irl__func_with_body(s.f, body);
    }
    irl__scratch_end(cx, mark);
    return result;
}
