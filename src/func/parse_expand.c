/* parse_expand.c - scalar expansion: the variables of reductions become buffers over the loops.

   needs     parse_reduce.c
   promises  if the statement is one store, or lets and one store, in loops at the top of a
             function, and no reduction in it reads what it stores or what a let binds, the
             variables become a buffer over the loops, which separate loops compute before: y[i, j]
             = 2 * sum(k: 64, ...) becomes two nests, which schedules know. Any other statement
             stays as it is */
#include "parse_func.h"

/* Loops around a sequence of variables that are computed, lets, and one store. */
typedef struct irl__expand {
    irl__parser           *p;
    int                    count; /* loops, the outermost first */
    const irl_stmt        *loops[IRL_MAX_RANK];
    const irl_stmt        *body, *store;
    int                    let_count, found;
    const irl_stmt       **lets; /* and behind them the store */
    const irl__reduction **list;
    const irl_expr       **now; /* what stands for the loads of each */
} irl__expand;

static int irl__expand_uses(const irl__reduction *r, const irl_expr *var)
{
    return irl__exprs_use_var(3 * r->count, r->ranges, var) || irl__expr_uses_var(r->value, var) ||
           (r->inner && irl__stmt_names(r->inner, var, NULL));
}

/* Loops that the value does not use, and that run, are left out. */
static int irl__expand_keeps(const irl__reduction *r, const irl_stmt *loop)
{
    return !irl__stmt_loop_runs(loop) || irl__expand_uses(r, loop->u.loop.var);
}

/* Does it compute with what a let before the k-th statement binds? */
static int irl__expand_uses_let(const irl__expand *x, const irl__reduction *r, int k)
{
    while (k-- > 0) {
        const irl_stmt *let = x->body->u.seq.stmts[k];
        if (let->kind == IRL__LET && irl__expand_uses(r, let->u.let.var)) return 1;
    }
    return 0;
}

/* Loops, the reductions in the innermost, and the store behind them; 0: something else. */
static int irl__expand_read(irl__expand *x, const irl_stmt *s)
{
    const irl__reduction *r;
    for (; s->kind == IRL__FOR && x->count < IRL_MAX_RANK; s = s->u.loop.body) {
        if (s->u.loop.kind != IRL_SERIAL || s->u.loop.min->op != IRL_OP_INT ||
            s->u.loop.extent->flags & IRL__HAS_MEMORY)
            return 0;
        x->loops[x->count++] = s;
    }
    if (!x->count || s->kind != IRL__SEQ || !s->u.seq.count) return 0;
    x->body = s;
    x->store = s->u.seq.stmts[s->u.seq.count - 1];
    if (x->store->kind != IRL__STORE) return 0;
    x->list = IRL__SCRATCH(x->p->cx, const irl__reduction *, s->u.seq.count);
    x->lets = IRL__SCRATCH(x->p->cx, const irl_stmt *, s->u.seq.count);
    if (!x->list || !x->lets) return 0;
    /* lets; a variable, its init if that stands apart, loops */
    for (int k = 0; k < s->u.seq.count - 1; k++) {
        const irl_stmt *at = s->u.seq.stmts[k];
        if (at->kind == IRL__LET && !irl__expr_any(at->u.let.value, irl__expr_is_call, NULL)) {
            x->lets[x->let_count++] = at;
            continue;
        }
        if (at->kind != IRL__ALLOC) return 0;
        r = (const irl__reduction *)irl__ptr_map_get(&x->p->func->reductions, at->u.alloc.buffer);
        if (!r) return 0;
        const irl_stmt *store = x->store, *kept[IRL_MAX_RANK];
        int             calls = irl__expr_any(r->value, irl__expr_is_call, NULL), count = 0;
        for (int j = 0; j < 3 * r->count; j++)
            calls |= irl__expr_any(r->ranges[j], irl__expr_is_call, NULL);
        if (r->is_guarded || r->inner || calls ||
            irl__reduce_is_read(r, store->u.store.buffer->data))
            return 0;
        for (int j = 0; j < x->count; j++)
            if (irl__expand_keeps(r, x->loops[j])) kept[count++] = x->loops[j];
        if (!irl__stmt_loops_fit(store->u.store.buffer, store->u.store.indices, count, kept) ||
            irl__expand_uses_let(x, r, k))
            return 0;
        x->list[x->found++] = r;
        k += s->u.seq.stmts[k + 1]->kind == IRL__FOR ? 1 : 2;
    }
    x->lets[x->let_count] = x->store;
    return x->found > 0;
}

/* The loops that a reduction keeps, as indices of a buffer. */
typedef struct irl__expand_loops {
    int             count;
    const irl_stmt *loops[IRL_MAX_RANK];
    const irl_expr *index[IRL_MAX_RANK], *shape[IRL_MAX_RANK];
    const irl_expr *from[IRL_MAX_RANK], *to[IRL_MAX_RANK]; /* variables, and those of the nest */
} irl__expand_loops;

/* They are pushed onto p->exprs too, as loops around. */
static int irl__expand_keep(irl__expand *x, const irl__reduction *r, irl__expand_loops *l)
{
    irl__parser *p = x->p;
    l->count = 0;
    for (int k = 0; k < x->count; k++) {
        const irl_stmt *loop = x->loops[k];
        const irl_expr *var = loop->u.loop.var, *min = loop->u.loop.min;
        const int       n = l->count;
        if (!irl__expand_keeps(r, loop)) continue;
        l->loops[n] = loop;
        l->from[n] = var;
        l->shape[n] = loop->u.loop.extent;
        l->index[n] = irl__is_int(min, 0) ? var : irl__sub(p->cx, var, min);
        l->to[n] = irl_expr_var(p->cx, var->u.name, irl__type_index());
        l->count++;
        if (!l->index[n] || !l->to[n] || !irl__push_expr(p, var) || !irl__push_expr(p, min) ||
            !irl__push_expr(p, loop->u.loop.extent))
            return 0;
    }
    return 1;
}

/* The buffer over the loops that the reduction is computed in, and what computes it, pushed onto
   p->func->stmts; what stands for it in the store. */
static const irl_expr *irl__expand_one(irl__expand *x, const irl__reduction *r)
{
    irl__parser      *p = x->p;
    irl__loops_around around;
    irl__expand_loops l;
    irl__reduce_axes  a;
    irl_buffer       *t;
    around.base = p->expr_count;
    if (!irl__expand_keep(x, r, &l)) return NULL;
    around.end = p->expr_count;
    around.outer = NULL;
    t = irl__buffer_make(p->cx, r->load->u.buffer->name, r->type, IRL_SCOPE_GLOBAL, l.count,
                         l.shape, NULL, r->loc);
    if (!t) return NULL;
    irl__reduce_cell c = { t, l.count, l.index, 0 };
    p->func->loops = &around;
    const irl_stmt *s = irl__reduce_axes_of(p, r, &c, &a) ? irl__reduce_block(p, r, &c, &a, t->name)
                                                          : irl__reduce_plain(p, r, &c);
    p->func->loops = NULL;
    p->expr_count = around.base;
    s = s ? irl__substitute_stmt(p->cx, s, l.count, l.from, l.to) : NULL;
    for (int k = l.count; s && k-- > 0;) {
        const irl_stmt *loop = l.loops[k];
        s = irl__loop_for(p->cx, loop->loc, IRL_SERIAL, IRL_GROUP_X, l.to[k], loop->u.loop.min,
                          loop->u.loop.extent, s);
    }
    if (!s || !irl__push_stmt(p, irl_stmt_alloc(p->cx, t)) || !irl__push_stmt(p, s)) return NULL;
    return irl__expr_load(p->cx, t, l.count, l.index, r->loc);
}

static const irl_expr *irl__expand_expr(irl__rewriter *w, const irl_expr *e)
{
    const irl__expand *x = (const irl__expand *)w->user;
    if (!(e->flags & IRL__HAS_MEMORY)) return e;
    for (int k = 0; k < x->found; k++)
        if (e == x->list[k]->load) return x->now[k];
    return irl__rewrite_expr_children(w, e);
}

/* Pushes the statements that s becomes, or s itself. */
static int irl__expand_stmt(irl__parser *p, const irl_stmt *s)
{
    irl__expand   x;
    irl__rewriter w = irl__rewriter_make(p->cx, &x, irl__expand_expr, NULL);
    memset(&x, 0, sizeof x);
    x.p = p;
    if (!irl__expand_read(&x, s)) return irl__push_stmt(p, s);
    x.now = IRL__SCRATCH(p->cx, const irl_expr *, x.found);
    for (int k = 0; x.now && k < x.found; k++)
        if (!(x.now[k] = irl__expand_one(&x, x.list[k]))) return 0;
    for (int k = 0; x.now && k <= x.let_count; k++)
        if (!(x.lets[k] = irl__rewrite_stmt(&w, x.lets[k]))) return 0;
    s = x.now ? irl__stmt_seq(p->cx, x.let_count + 1, x.lets) : NULL;
    for (int k = x.count; k-- > 0;) s = irl__stmt_loop_of(p->cx, x.loops[k], s);
    return s && irl__push_stmt(p, s);
}

const irl_stmt *irl__reduce_expand(irl__parser *p, const irl_stmt *body)
{
    const size_t base = p->func->stmt_count;
    if (!body || !p->func->reductions.count) return body;
    if (body->kind != IRL__SEQ) {
        if (!irl__expand_stmt(p, body)) return NULL;
    } else
        for (int k = 0; k < body->u.seq.count; k++)
            if (!irl__expand_stmt(p, body->u.seq.stmts[k])) return NULL;
    return irl__pop_stmts(p, base);
}
