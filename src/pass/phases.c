/* phases.c - a group of work-items on a machine without groups: the body is cut at the barriers,
   and every part becomes loops over the work-items.

   requires  a kernel whose memory is flat and whose pointers have one type of access each; around a
             barrier, conditions and bounds of loops are the same for all items, as every kernel
             must have it
   maintains what is computed: between two barriers the items of a group run in any order
   breaks    barriers; memory of an item that is needed after a barrier becomes an array for all
             items
   cost      linear in the kernel, times its depth

   A let that is used across a barrier is computed again in each part that uses it, or stored for
   each item if it reads memory or calls a function. A condition around a barrier is evaluated for
   the first item. */
#include "pass.h"

/* Memory that an item keeps across a barrier: so many elements for each. */
typedef struct irl__phases_kept {
    const irl_buffer *wide;
    int64_t           bytes; /* of each item */
} irl__phases_kept;

typedef struct irl__phases {
    irl_ctx         *cx;
    const irl_expr  *const *place;  /* the variable over an axis; NULL: the axis is not bound */
    const irl_expr  *const *extent;
    const irl_expr  *item;   /* the number of an item in its group, over the places */
    int64_t          items;  /* how many they are; 0: that is not a number */
    const irl_stmt **lets;   /* in scope: values that a piece may compute again */
    irl__ptr_map     kept;   /* data variable -> irl__phases_kept */
    irl__ptr_map     views;  /* buffer on it -> the buffer on all items' memory */
} irl__phases;

static const int irl__phases_axes[] = { IRL_LOCAL_X, IRL_LOCAL_Y, IRL_LOCAL_Z };

/* ------------------------------------------------------------------ what there is */

static int irl__phases_waits(const irl_stmt *s)
{
    return s && irl__stmt_holds(s, 1u << IRL__BARRIER);
}

static const irl_stmt *irl__phases_let(irl_ctx *cx, const irl_stmt *loop,
                                       const irl_expr *const *place)
{
    const irl_expr *at = place[loop->u.loop.axis];
    if (!irl__is_int(loop->u.loop.min, 0)) at = irl__add(cx, loop->u.loop.min, at);
    return irl_stmt_let(cx, loop->u.loop.var, at);
}

/* ------------------------------------------------------------------ memory of all items */

static irl__phases_kept *irl__phases_kept_of(const irl__phases *p, const irl_expr *data)
{
    return (irl__phases_kept *)irl__ptr_map_get(&p->kept, data);
}

static const irl_buffer *irl__phases_buffer(irl__rewriter *r, const irl_buffer *b)
{
    irl__phases            *p = (irl__phases *)r->user;
    const irl__phases_kept *kept = irl__phases_kept_of(p, b->data);
    if (!kept) return b;
    irl_buffer *view = (irl_buffer *)irl__ptr_map_get(&p->views, b);
    if (view) return view;
    view = irl__buffer_copy(p->cx, b);
    const irl_expr **shape = (const irl_expr **)irl__alloc(p->cx, sizeof *shape);
    if (!view || !shape) return NULL;
    shape[0] = irl_expr_index(p->cx, kept->bytes * p->items / (int64_t)irl__type_bytes(b->type));
    view->rank = 1;
    view->shape = shape;
    return shape[0] && irl__ptr_map_put(p->cx, &p->views, b, view) ? view : NULL;
}

/* An element of an item's own memory lies among those of all items. */
static const irl_buffer *irl__phases_access(irl__rewriter *r, const irl_buffer *b,
                                            const irl_expr **indices)
{
    const irl__phases      *p = (const irl__phases *)r->user;
    const irl__phases_kept *kept = irl__phases_kept_of(p, b->data);
    if (!kept) return b;
    const irl_expr *each = irl_expr_index(p->cx, kept->bytes / (int64_t)irl__type_bytes(b->type));
    const irl_expr *first = each && !irl__is_int(each, 1) ? irl__mul(p->cx, p->item, each)
                                                          : p->item;
    indices[0] = !b->rank || irl__is_int(indices[0], 0) ? first
                                                        : irl__add(p->cx, first, indices[0]);
    return indices[0] ? irl__phases_buffer(r, b) : NULL;
}

const irl_stmt *irl__phases_as_place(irl__rewriter *r, const irl_stmt *s,
                                     const irl_expr *const *place)
{
    const irl_stmt *list[2];
    if (!irl__stmt_is_bound(s)) return irl__rewrite_stmt_children(r, s);
    list[0] = irl__phases_let(r->cx, s, place);
    list[1] = irl__rewrite_stmt(r, s->u.loop.body);
    return irl__stmt_seq(r->cx, 2, list);
}

static const irl_stmt *irl__phases_stmt(irl__rewriter *r, const irl_stmt *s)
{
    return irl__phases_as_place(r, s, ((const irl__phases *)r->user)->place);
}

static irl__rewriter irl__phases_rewriter(irl__phases *p)
{
    irl__rewriter r = irl__rewriter_make(p->cx, p, NULL, irl__phases_stmt);
    r.buffer = irl__phases_buffer;
    r.access = irl__phases_access;
    return r;
}

/* From here on b is memory of all items; elements by which it is seen have at most `largest` bytes.
   Its allocation. */
static const irl_stmt *irl__phases_keep(irl__phases *p, const irl_buffer *b, size_t largest)
{
    irl__rewriter     r = irl__phases_rewriter(p);
    irl__phases_kept *kept = IRL__SCRATCH(p->cx, irl__phases_kept, 1);
    int64_t           count = 1, all;
    for (int k = 0; k < b->rank; k++) {
        if (b->shape[k]->op == IRL_OP_INT && irl__mul64(count, b->shape[k]->u.i, &count)) continue;
        irl__fail(p->cx, IRL_ERROR_PRIVATE_EXTENT, b->loc, "'%s' is kept across a barrier, and its "
                  "extent %s is not a number", b->name, irl_expr_text(p->cx, b->shape[k]));
        return NULL;
    }
    if (!p->items) {
        irl__fail(p->cx, IRL_ERROR_PRIVATE_EXTENT, b->loc, "'%s' is kept across a barrier for each "
                  "work-item of a group, and their number is not known", b->name);
        return NULL;
    }
    if (!kept || b->rank > 1 || b->strides || b->offset) {
        irl__fail(p->cx, IRL_ERROR_BAD_STAGE, b->loc, "'%s' is not flat", b->name);
        return NULL;
    }
    if (count < 0) count = 0;
    if (largest < irl__type_bytes(b->type)) largest = irl__type_bytes(b->type);
    if (!irl__mul64(count, (int64_t)irl__type_bytes(b->type), &count) ||
        !irl__add64(count, (int64_t)largest - 1, &count) ||
        !irl__mul64(count / (int64_t)largest * (int64_t)largest, p->items, &all)) {
        irl__fail(p->cx, IRL_ERROR_OVERFLOW, b->loc, "the memory of '%s' is too large", b->name);
        return NULL;
    }
    kept->bytes = count / (int64_t)largest * (int64_t)largest;
    if (!irl__ptr_map_put(p->cx, &p->kept, b->data, kept)) return NULL;
    kept->wide = irl__phases_buffer(&r, b);
    return irl_stmt_alloc(p->cx, kept->wide);
}

/* ------------------------------------------------------------------ a piece */

/* Only declares: nothing to run. */
static int irl__phases_is_idle(const irl_stmt *s)
{
    return s->kind == IRL__ALLOC || s->kind == IRL__DECL || s->kind == IRL__BARRIER ||
           (s->kind == IRL__LET && !(s->u.let.value->flags & IRL__HAS_MEMORY)) ||
           irl__stmt_is_empty(s);
}

/* The lets in scope that a piece needs, in front of it, by names of their own; then the places. */
static const irl_stmt *irl__phases_fresh(irl__phases *p, const irl_stmt *body,
                                         const irl_expr **places)
{
    const irl_stmt *list[2], *let;
    const irl_expr *from[3 + 1], *to[3 + 1];
    int             n = 0;
    for (int k = (int)stbds_arrlen(p->lets) - 1; body && k >= 0; k--) {
        let = p->lets[k];
        if (!irl__stmt_names(body, let->u.let.var, NULL)) continue;
        from[0] = let->u.let.var;
        to[0] = irl_expr_var(p->cx, from[0]->u.name, from[0]->type);
        list[0] = irl_stmt_let(p->cx, to[0], let->u.let.value);
        list[1] = irl__substitute_stmt(p->cx, body, 1, from, to);
        body = irl__stmt_seq(p->cx, 2, list);
    }
    for (int k = 0; k < 3; k++) {
        const irl_expr *place = p->place[irl__phases_axes[k]];
        if (!place) continue;
        from[n] = place;
        to[n] = places[k] = irl_expr_var(p->cx, place->u.name, place->type);
        if (!to[n++]) return NULL;
    }
    return irl__substitute_stmt(p->cx, body, n, from, to);
}

/* A piece without barriers, for all items. */
static const irl_stmt *irl__phases_piece(irl__phases *p, int count, const irl_stmt *const *stmts)
{
    irl__rewriter   r = irl__phases_rewriter(p);
    const irl_expr *places[3];
    int             k;
    for (k = 0; k < count && irl__phases_is_idle(stmts[k]); k++) {
    }
    if (k == count) return irl__stmt_empty(p->cx);
    const irl_stmt *body = irl__stmt_seq(p->cx, count, stmts);
    body = irl__rewrite_stmt(&r, body);
    body = body ? irl__phases_fresh(p, body, places) : NULL;
    for (k = 0; body && k < 3; k++)
        if (p->place[irl__phases_axes[k]])
            body = irl_stmt_for(p->cx, IRL_SERIAL, places[k], irl_expr_index(p->cx, 0),
                                p->extent[irl__phases_axes[k]], body);
    return body;
}

/* An expression that all items agree on, for the first. */
static const irl_expr *irl__phases_agreed(irl__rewriter *outer, const irl_expr *e)
{
    irl__phases    *p = (irl__phases *)outer->user;
    irl__rewriter   r = irl__phases_rewriter(p);
    const irl_expr *zero = irl_expr_index(p->cx, 0), *place;
    e = irl__rewrite_expr(&r, e);
    for (int k = (int)stbds_arrlen(p->lets) - 1; e && k >= 0; k--)
        e = irl__substitute(p->cx, e, 1, &p->lets[k]->u.let.var, &p->lets[k]->u.let.value);
    for (int k = 0; e && k < 3; k++) {
        place = p->place[irl__phases_axes[k]];
        if (place) e = irl__substitute(p->cx, e, 1, &place, &zero);
    }
    return e;
}

/* ------------------------------------------------------------------ a sequence */

/* A value that memory or a call made: kept for each item. Pushes its allocation, onto `piece` the
   statement that keeps it, onto `later` the let that has it again. */
static int irl__phases_keep_value(irl__phases *p, const irl_stmt *let, const irl_stmt ***out,
                                  const irl_stmt ***piece, const irl_stmt ***later)
{
    const irl_expr *one = irl_expr_index(p->cx, 1), *zero = irl_expr_index(p->cx, 0),
                   *var = let->u.let.var, *load;
    irl_type          type = var->type;
    const irl_buffer *b;
    const irl_stmt   *store, *again;
    irl__rewriter     r = irl__phases_rewriter(p);
    if (type.is_pointer)
        return irl__fail(p->cx, IRL_ERROR_UNSUPPORTED, let->loc,
                         "pointer '%s' is kept across a barrier", var->u.name);
    if (type.scalar == IRL_BOOL) type.scalar = IRL_I8;
    if (type.scalar == IRL_INDEX) type.scalar = IRL_I64;
    b = irl__buffer_make(p->cx, var->u.name, type, IRL_SCOPE_LOCAL, 1, &one, NULL, let->loc);
    const irl_stmt *alloc = b ? irl__phases_keep(p, b, 0) : NULL;
    if (!alloc) return 0;
    store = irl__stmt_store(p->cx, b, irl_expr_cast(p->cx, type, var), 1, &zero, let->loc);
    load = irl__rewrite_expr(&r, irl__expr_load(p->cx, b, 1, &zero, let->loc));
    again = load ? irl_stmt_let(p->cx, var, irl_expr_cast(p->cx, var->type, load)) : NULL;
    return store && again && IRL__PUSH_SCRATCH(p->cx, *out, alloc) &&
           IRL__PUSH_SCRATCH(p->cx, *piece, store) && IRL__PUSH_SCRATCH(p->cx, *later, again);
}

/* A statement of a piece; `rest` is what stands behind the piece. */
static int irl__phases_add(irl__phases *p, const irl_stmt *s, int count,
                           const irl_stmt *const *rest, const irl_stmt ***out,
                           const irl_stmt ***piece, const irl_stmt ***later)
{
    irl__rewriter r = irl__phases_rewriter(p);
    const irl_expr *var = s->kind == IRL__LET ? s->u.let.var
                          : s->kind == IRL__ALLOC || s->kind == IRL__DECL
                              ? s->u.alloc.buffer->data
                              : NULL;
    size_t bytes = 0;
    int    is_used = 0;
    for (int k = 0; var && k < count; k++) is_used |= irl__stmt_names(rest[k], var, &bytes);
    if (s->kind == IRL__ALLOC && s->u.alloc.buffer->scope == IRL_SCOPE_SHARED)
        return IRL__PUSH_SCRATCH(p->cx, *out, s);
    if (s->kind == IRL__ALLOC && is_used) {
        s = irl__phases_keep(p, s->u.alloc.buffer, bytes);
        return s && IRL__PUSH_SCRATCH(p->cx, *out, s);
    }
    /* a view of memory that is declared outside of the piece */
    if (s->kind == IRL__DECL && is_used) {
        s = irl__rewrite_stmt(&r, s);
        return s && IRL__PUSH_SCRATCH(p->cx, *out, s);
    }
    if (!IRL__PUSH_SCRATCH(p->cx, *piece, s)) return 0;
    if (s->kind != IRL__LET || !is_used) return 1;
    if (s->u.let.value->flags & IRL__HAS_MEMORY)
        return irl__phases_keep_value(p, s, out, piece, later);
    return IRL__PUSH_SCRATCH(p->cx, *later, s);
}

static const irl_stmt *irl__phases_seq(irl__rewriter *r, const irl_stmt *seq)
{
    irl__phases           *p = (irl__phases *)r->user;
    const irl_stmt *const *list = seq->u.seq.stmts, **out = NULL, *one;
    int             count = seq->u.seq.count, end, ok = 1;
    ptrdiff_t       lets = stbds_arrlen(p->lets);
    for (int k = 0; ok && k < count; k = end) {
        const irl_stmt **piece = NULL, **later = NULL;
        for (end = k; end < count && !irl__phases_waits(list[end]); end++) {
        }
        for (; ok && k < end; k++)
            ok = irl__phases_add(p, list[k], count - end, list + end, &out, &piece, &later);
        if (piece) {
            one = ok ? irl__phases_piece(p, (int)stbds_arrlen(piece), piece) : NULL;
            ok = one && IRL__PUSH_SCRATCH(p->cx, out, one);
        }
        for (ptrdiff_t j = 0; ok && j < stbds_arrlen(later); j++)
            ok = IRL__PUSH_SCRATCH(p->cx, p->lets, later[j]);
        if (!ok || end == count) break;
        one = irl__rewrite_stmt(r, list[end++]);
        ok = one && IRL__PUSH_SCRATCH(p->cx, out, one);
    }
    while (stbds_arrlen(p->lets) > lets) (void)stbds_arrpop(p->lets);
    return ok ? irl__stmt_seq(p->cx, (int)stbds_arrlen(out), out) : NULL;
}

/* ------------------------------------------------------------------ a statement */

/* A statement and all in it, cut at its barriers: conditions and loops around them are serial. */
static const irl_stmt *irl__phases_of(irl__rewriter *r, const irl_stmt *s)
{
    irl__phases *p = (irl__phases *)r->user;
    if (!irl__phases_waits(s)) return irl__phases_piece(p, 1, &s);
    if (s->kind == IRL__BARRIER) return irl__stmt_empty(p->cx);
    if (s->kind == IRL__SEQ) return irl__phases_seq(r, s);
    if (irl__stmt_is_bound(s)) {
        /* A bound loop: its variable is the place on its axis. */
        const irl_stmt *let = irl__phases_let(p->cx, s, p->place), *body;
        if (!let || !IRL__PUSH_SCRATCH(p->cx, p->lets, let)) return NULL;
        body = irl__rewrite_stmt(r, s->u.loop.body);
        (void)stbds_arrpop(p->lets);
        return body;
    }
    s = irl__rewrite_stmt_children(r, s);
    return s && s->kind == IRL__FOR
               ? irl__stmt_loop_as(p->cx, s, IRL_SERIAL, s->u.loop.axis, s->u.loop.body)
               : s;
}

/* ------------------------------------------------------------------ the group */

/* local_x + nx * (local_y + ny * local_z), and how many there are. */
static int irl__phases_count(irl__phases *p)
{
    p->items = 1;
    p->item = irl_expr_index(p->cx, 0);
    for (int k = 2; p->item && k >= 0; k--) {
        const irl_expr *place = p->place[irl__phases_axes[k]],
                       *extent = p->extent[irl__phases_axes[k]];
        if (!place) continue;
        p->item = irl__is_int(p->item, 0)
                      ? place
                      : irl__add(p->cx, irl__mul(p->cx, p->item, extent), place);
        if (extent->op != IRL_OP_INT || extent->u.i < 0 ||
            !irl__mul64(p->items, extent->u.i, &p->items))
            p->items = 0;
    }
    return p->item != NULL;
}

const irl_stmt *irl__phases_group(const irl_func *kernel, const irl_expr *const *place,
                                  const irl_expr *const *extent)
{
    irl__arena_mark mark = irl__scratch_begin(kernel->cx);
    irl__phases     p;
    const irl_expr *runs = NULL;
    memset(&p, 0, sizeof p);
    p.cx = kernel->cx;
    p.place = place;
    p.extent = extent;
    irl__rewriter   r = irl__rewriter_make(p.cx, &p, irl__phases_agreed, irl__phases_of);
    const irl_stmt *body = irl__phases_count(&p) ? irl__rewrite_stmt(&r, kernel->body) : NULL;
    for (int k = 0; body && k < 3; k++) { /* a group of nobody decides nothing */
        const irl_expr *n = extent[irl__phases_axes[k]];
        if (n && !(n->op == IRL_OP_INT && n->u.i > 0))
            runs = irl__and(p.cx, runs, irl_expr_op2(p.cx, IRL_OP_GT, n, irl_expr_index(p.cx, 0)));
    }
    body = body && runs ? irl_stmt_if(p.cx, runs, body, NULL) : body;
    irl__scratch_end(p.cx, mark);
    return body;
}
