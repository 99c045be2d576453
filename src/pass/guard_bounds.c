/* guard_bounds.c - an access that is not proved to be inside its buffer happens only if it is
   inside.

   requires  nothing; before apply_layouts the guards are in the user's indices
   maintains what the function does if all its accesses are inside; ids and locations
   breaks    nothing
   cost      that of irl__bounds_of, and linear in the function

   A store is skipped, a load gives zero of its type, an access by a vector becomes its lanes, each
   with a guard. A block does not run if one of its axes leaves its extent. A matched region that
   may leave its buffer is resolved: its accesses become those of the buffer. Only what is not
   proved is compared. An access that is proved to be outside is refused, as always.
   The function is rewritten in the order in which the table was made, so that the next access in
   the walk is the next row. */
#include "pass.h"

enum { IRL__GUARD_LARGE = 24 }; /* nodes of an index that gets a name */

typedef struct irl__guard_state {
    irl_ctx                    *cx;
    irl__accesses               t;
    irl__bounds                 b;
    const irl__bounds_finding **of_row;  /* NULL: proved */
    irl__ptr_map                of_axis; /* an axis' variable -> its finding */
    int                         row;     /* the next */
    int                         matches; /* some region is not proved */
} irl__guard_state;

/* ------------------------------------------------------------------ rows */

static int irl__guard_lost(irl__guard_state *g)
{
    return IRL__FAIL(g->cx, IRL_ERROR_BAD_STRUCTURE, "access %d of the function was not found "
                     "again", g->row);
}

/* What is not proved of the access that is met now; its row is passed. False if it is another. */
static int irl__guard_next(irl__guard_state *g, const irl_expr *e,
                           const irl__bounds_finding **found)
{
    if (g->row >= g->t.count || g->t.list[g->row].expr != e) return irl__guard_lost(g);
    *found = g->of_row[g->row++];
    return 1;
}

/* Passes the rows of what cannot be rewritten; UNSUPPORTED where one of them would have to be. */
static int irl__guard_pass_by(irl__rewriter *r, int count, const irl_expr *const *list,
                              const char *what)
{
    for (int k = 0; list && k < count; k++) {
        const irl_expr *e = irl__rewrite_expr(r, list[k]);
        if (list[k] && !e) return 0;
        if (e != list[k])
            return IRL__FAIL(r->cx, IRL_ERROR_BOUNDS_UNKNOWN, "%s reads memory where it is not "
                             "proved to be inside, and cannot be guarded: bind it with let before",
                             what);
    }
    return 1;
}

/* ------------------------------------------------------------------ conditions */

/* Where the access lies inside, as far as that is not proved; its indices are scalars. */
static const irl_expr *irl__guard_inside(irl_ctx *cx, const irl__bounds_finding *f,
                                         const irl_buffer *b, const irl_expr *const *indices)
{
    const irl_expr *inside = NULL;
    for (int k = 0; k < b->rank; k++) {
        if ((f->low >> k) & 1)
            inside = irl__and(cx, inside,
                              irl_expr_op2(cx, IRL_OP_GE, indices[k], irl_expr_index(cx, 0)));
        if ((f->high >> k) & 1)
            inside = irl__and(cx, inside, irl_expr_op2(cx, IRL_OP_LT, indices[k], b->shape[k]));
    }
    return inside;
}

/* Large indices that are compared get names, so that guards within guards do not multiply. */
static int irl__guard_names(irl_ctx *cx, const irl__bounds_finding *f, int rank,
                            const irl_expr **indices, const irl_expr **values)
{
    int n = 0;
    for (int k = 0; k < rank; k++) {
        values[k] = NULL;
        if (!(((f->low | f->high) >> k) & 1) || indices[k]->size <= IRL__GUARD_LARGE) continue;
        values[k] = indices[k];
        indices[k] = irl_expr_var(cx, "at", indices[k]->type);
        if (!indices[k]) return -1;
        n++;
    }
    return n;
}

/* ------------------------------------------------------------------ loads */

static const irl_expr *irl__guard_scalar_load(irl_ctx *cx, const irl__bounds_finding *f,
                                              const irl_buffer *b, const irl_expr *const *from)
{
    const irl_expr *indices[IRL_MAX_RANK], *values[IRL_MAX_RANK], *e, *inside;
    memcpy(indices, from, (size_t)b->rank * sizeof *indices);
    if (irl__guard_names(cx, f, b->rank, indices, values) < 0) return NULL;
    inside = irl__guard_inside(cx, f, b, indices);
    e = irl__expr_load(cx, b, b->rank, indices, irl__nowhere());
    e = inside && e ? irl_expr_op3(cx, IRL_OP_IF_THEN_ELSE, inside, e, irl__zero(cx, e->type))
                    : NULL;
    for (int k = b->rank; e && k-- > 0;)
        if (values[k]) e = irl_expr_let(cx, indices[k], values[k], e);
    return e;
}

static const irl_expr *irl__guard_expr(irl__rewriter *r, const irl_expr *e)
{
    irl__guard_state          *g = (irl__guard_state *)r->user;
    const irl__bounds_finding *f;
    if (!(e->flags & IRL__HAS_MEMORY)) return e;
    const irl_expr *now = irl__rewrite_expr_children(r, e);
    if (!now) return NULL;
    if (e->op == IRL_OP_CALL_EXTERN || e->op == IRL_OP_CALL_INTRINSIC) {
        for (uint32_t k = 0; k < e->count; k++) {
            if (!e->a[k]->type.is_pointer) continue;
            if (!irl__guard_next(g, e, &f)) return NULL;
            if (irl__texel_call_of(e) != IRL__TEXEL_NO_CALL) break;
        }
        return now;
    }
    if (e->op != IRL_OP_LOAD) return now;
    if (!irl__guard_next(g, e, &f)) return NULL;
    /* What a store's own guard covers needs none. */
    if (!f) return now;
    const int                  row = g->row - 1;
    const irl__access         *a = &g->t.list[row];
    const irl__bounds_finding *store = a->of_pair >= 0 ? g->of_row[a->of_pair] : NULL;
    if (store && a->lanes == 1 && !(g->of_row[row]->low & ~store->low) &&
        !(g->of_row[row]->high & ~store->high))
        return now;
    /* Lane by lane, joined at the end. */
    if (!(e->count && e->a[e->count - 1]->type.lanes > 1))
        return irl__guard_scalar_load(r->cx, f, e->u.buffer, now->a);
    irl_ctx          *cx = r->cx;
    const irl_buffer *b = e->u.buffer;
    const irl_expr   *indices[IRL_MAX_RANK], *parts[IRL_MAX_LANES];
    const irl_expr   *last = now->a[b->rank - 1];
    memcpy(indices, now->a, (size_t)b->rank * sizeof *indices);
    for (uint32_t k = 0; k < last->type.lanes; k++) {
        indices[b->rank - 1] = irl__lane(cx, last, k);
        parts[k] = indices[b->rank - 1] ? irl__guard_scalar_load(cx, f, b, indices) : NULL;
        if (!parts[k]) return NULL;
    }
    return irl__lanes_join(cx, last->type.lanes, parts);
}

/* ------------------------------------------------------------------ stores */

/* if (inside) b[...] = value, behind the lets of large indices. */
static const irl_stmt *irl__guard_scalar_store(irl_ctx *cx, const irl__bounds_finding *f,
                                               const irl_buffer *b, const irl_expr *value,
                                               const irl_expr *const *from, irl_loc loc)
{
    const irl_expr *indices[IRL_MAX_RANK], *values[IRL_MAX_RANK], *inside;
    const irl_stmt *list[IRL_MAX_RANK + 1], *store;
    int             n = 0;
    memcpy(indices, from, (size_t)b->rank * sizeof *indices);
    if (irl__guard_names(cx, f, b->rank, indices, values) < 0) return NULL;
    for (int k = 0; k < b->rank; k++)
        if (values[k] && !(list[n++] = irl_stmt_let(cx, indices[k], values[k]))) return NULL;
    inside = irl__guard_inside(cx, f, b, indices);
    store = irl__stmt_store(cx, b, value, b->rank, indices, loc);
    list[n] = irl_stmt_if(cx, inside, store, NULL);
    return irl__stmt_seq(cx, n + 1, list);
}

/* The value once, then lane by lane. */
static const irl_stmt *irl__guard_vector_store(irl_ctx *cx, const irl__bounds_finding *f,
                                               const irl_buffer *b, const irl_expr *value,
                                               const irl_expr *const *from, irl_loc loc)
{
    const irl_expr *indices[IRL_MAX_RANK], *last = from[b->rank - 1];
    const irl_stmt **list = IRL__NEW(cx, const irl_stmt *, last->type.lanes + 1);
    const irl_expr *var = irl_expr_var(cx, "lanes", value->type);
    if (!list || !var || !(list[0] = irl_stmt_let(cx, var, value))) return NULL;
    memcpy(indices, from, (size_t)b->rank * sizeof *indices);
    for (uint32_t k = 0; k < last->type.lanes; k++) {
        const irl_expr *lane = irl__lanes_cut(cx, var, k * b->type.lanes, b->type.lanes);
        indices[b->rank - 1] = irl__lane(cx, last, k);
        if (!lane || !indices[b->rank - 1]) return NULL;
        list[k + 1] = irl__guard_scalar_store(cx, f, b, lane, indices, loc);
        if (!list[k + 1]) return NULL;
    }
    return irl__stmt_seq(cx, (int)last->type.lanes + 1, list);
}

/* ------------------------------------------------------------------ blocks */

static int irl__guard_regions(irl__rewriter *r, int count, const irl__region *list)
{
    for (int k = 0; k < count; k++)
        if (!irl__guard_pass_by(r, list[k].buffer->rank, list[k].min, "the start of a region") ||
            !irl__guard_pass_by(r, list[k].buffer->rank, list[k].extent, "the extent of a region"))
            return 0;
    return 1;
}

static int irl__guard_shape(irl__rewriter *r, const irl_buffer *b)
{
    return irl__guard_pass_by(r, b->rank, b->shape, "a shape") &&
           irl__guard_pass_by(r, b->rank, b->strides, "a stride") &&
           irl__guard_pass_by(r, 1, &b->offset, "an offset");
}

/* The predicate, behind those axes that may leave their extents. */
static int irl__guard_axes(irl__rewriter *r, irl__block_data *b)
{
    irl__guard_state *g = (irl__guard_state *)r->user;
    irl__axis *axes = IRL__COPY(r->cx, irl__axis, b->axes, b->axis_count);
    const irl_expr *inside = NULL, *predicate = NULL;
    if (!axes) return 0;
    for (int k = 0; k < b->axis_count; k++) {
        axes[k].extent = irl__rewrite_expr(r, axes[k].extent);
        axes[k].binding = axes[k].extent ? irl__rewrite_expr(r, axes[k].binding) : NULL;
        if (!axes[k].binding) return 0;
    }
    b->axes = axes;
    for (int k = 0; k < b->axis_count; k++) {
        const irl__bounds_finding *f =
            (const irl__bounds_finding *)irl__ptr_map_get(&g->of_axis, axes[k].var);
        if (f && f->low)
            inside =
                irl__and(r->cx, inside,
                         irl_expr_op2(r->cx, IRL_OP_GE, axes[k].var, irl_expr_index(r->cx, 0)));
        if (f && f->high)
            inside = irl__and(r->cx, inside,
                              irl_expr_op2(r->cx, IRL_OP_LT, axes[k].var, axes[k].extent));
    }
    if (b->predicate) predicate = irl__rewrite_expr(r, b->predicate);
    if (b->predicate && !predicate) return 0;
    b->predicate = inside && predicate ? irl__and(r->cx, predicate, inside)
                   : inside            ? inside
                                       : predicate;
    return irl__ok(r->cx);
}

/* ------------------------------------------------------------------ statements */

static const irl_stmt *irl__guard_launch(irl__rewriter *r, const irl_stmt *s)
{
    irl__guard_state          *g = (irl__guard_state *)r->user;
    irl_stmt                  *copy = irl__stmt_copy(r->cx, s);
    const irl__bounds_finding *f;
    const irl_expr           **args;
    int                        count = s->u.launch.count;
    args = IRL__COPY(r->cx, const irl_expr *, s->u.launch.args, count);
    for (int k = 0; args && copy && k < count; k++) {
        if (args[k]->type.is_pointer ? !irl__guard_next(g, NULL, &f)
                                     : !(args[k] = irl__rewrite_expr(r, args[k])))
            return NULL;
    }
    if (!args || !copy) return NULL;
    copy->u.launch.args = args;
    return copy;
}

static const irl_stmt *irl__guard_stmt(irl__rewriter *r, const irl_stmt *s)
{
    switch ((irl__stmt_kind)s->kind) {
    case IRL__STORE: {
        irl__guard_state          *g = (irl__guard_state *)r->user;
        const irl_stmt            *now = irl__rewrite_stmt_children(r, s);
        const irl_buffer          *b = s->u.store.buffer;
        const irl__bounds_finding *f;
        if (!now || !irl__guard_next(g, NULL, &f)) return NULL;
        if (!f) return now;
        return b->rank && s->u.store.indices[b->rank - 1]->type.lanes > 1
                   ? irl__guard_vector_store(r->cx, f, b, now->u.store.value, now->u.store.indices,
                                             s->loc)
                   : irl__guard_scalar_store(r->cx, f, b, now->u.store.value, now->u.store.indices,
                                             s->loc);
    }
    case IRL__BLOCK: {
        irl__block_data *b;
        irl_stmt        *copy = irl__block_copy(r->cx, s, &b);
        if (!copy || !irl__guard_axes(r, b)) return NULL;
        if (!irl__guard_regions(r, b->read_count, b->reads) ||
            !irl__guard_regions(r, b->write_count, b->writes))
            return NULL;
        for (int k = 0; k < b->alloc_count; k++)
            if (!irl__guard_shape(r, b->allocs[k])) return NULL;
        for (int k = 0; k < b->match_count; k++)
            if (!irl__guard_regions(r, 1, &b->matches[k].source) ||
                !irl__guard_shape(r, b->matches[k].buffer))
                return NULL;
        if (b->init && !(b->init = irl__rewrite_stmt(r, b->init))) return NULL;
        if (!(b->body = irl__rewrite_stmt(r, b->body))) return NULL;
        return irl__stmt_finish(r->cx, copy);
    }
    case IRL__ATTR:
        return irl_stmt_set_child(r->cx, s, 0, irl__rewrite_stmt(r, s->u.attr.body));
    case IRL__LAUNCH: return irl__guard_launch(r, s);
    case IRL__ALLOC:
    case IRL__DECL: return irl__guard_shape(r, s->u.alloc.buffer) ? s : NULL;
    default: return irl__rewrite_stmt_children(r, s);
    }
}

/* ------------------------------------------------------------------ the pass */

/* *again: a matched region is not proved. */
static irl_func *irl__guard_once(const irl_func *f, int *again)
{
    irl__guard_state g;
    irl__rewriter    r = irl__rewriter_make(f->cx, &g, irl__guard_expr, irl__guard_stmt);
    memset(&g, 0, sizeof g);
    g.cx = f->cx;
    if (!irl__bounds_analyzed(f, &g.t, &g.b)) return NULL;
    g.of_row = IRL__SCRATCH(g.cx, const irl__bounds_finding *, g.t.count);
    if (!g.of_row) return NULL;
    for (int k = 0; k < g.b.count; k++) {
        const irl__bounds_finding *one = &g.b.list[k];
        if (one->row >= 0) g.of_row[one->row] = one;
        else if (one->node->kind == IRL__AROUND_MEMORY) g.matches = 1;
        else if (!irl__ptr_map_put(g.cx, &g.of_axis, one->node->var, one)) return NULL;
    }
    *again = g.matches;
    if (g.b.count == 0) return irl__func_copy(f->cx, f);
    const irl_stmt *body = irl__rewrite_stmt(&r, f->body);
    if (body && g.row != g.t.count && !irl__guard_lost(&g)) return NULL;
    return irl__func_with_body(f, body);
}

irl_func *irl__pass_guard_bounds(const irl_func *f)
{
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    int             again = 0;
    irl_func       *out = irl__guard_once(f, &again);
    if (out && again) {
        out = irl__resolve_matches(out);
        out = out ? irl__guard_once(out, &again) : NULL;
    }
    irl__scratch_end(f->cx, mark);
    return irl__ok(f->cx) ? out : NULL;
}
